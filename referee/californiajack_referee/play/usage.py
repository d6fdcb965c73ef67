"""What the system tells of a running bot's share of the processors. Linux only; else nothing."""

from __future__ import annotations

import os
import time
from contextlib import suppress

from californiajack_referee.play.lag import Usage, starved_seconds
from californiajack_referee.sandbox.processes import (
    read_proc,
    stat_fields,
    threads_of,
    tree_of,
)
from californiajack_referee.sandbox.processors import processors

_NANOSECONDS = 1e9
_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")
_SAME_FOR_SECONDS = 0.02
"""How long a reading is good for: many games begin and end in that time."""
_SAME_TREE_SECONDS = 1.0
"""How long it is taken for granted who descends from a bot's process: to find out takes longer."""


def usage_of(pid: int) -> Usage | None:
    """Gives what a process and its descendants have had; None where the system doesn't tell."""
    tree = tree_of(pid)
    cpu = cpu_seconds_of(tree)
    if cpu is None:
        return None
    mine = _terms(0)
    threads: dict[int, tuple[float, float]] = {}
    for process in tree:
        for thread in threads_of(process):
            # a thread may end at any moment
            with suppress(OSError, ValueError, IndexError):
                if _runs_as_given(thread, mine):
                    ran, waited, _ = read_proc(f"{process}/task/{thread}/schedstat").split()
                    threads[thread] = int(ran) / _NANOSECONDS, int(waited) / _NANOSECONDS
    return Usage(cpu, threads)


def cpu_seconds_of(processes: list[int]) -> float | None:
    """Gives the CPU time of some processes, in seconds; None where it isn't told of any.

    That of children which have ended counts where their parents have waited for them.
    """
    total = None
    for process in processes:
        fields = stat_fields(process)
        if fields:
            total = (total or 0) + sum(map(int, fields[11:15]))
    return None if total is None else total / _TICKS_A_SECOND


def _terms(thread: int) -> tuple[set[int], int, int]:
    """Gives on what terms a thread is run: on which processors, and how urgently."""
    return (
        os.sched_getaffinity(thread),
        os.getpriority(os.PRIO_PROCESS, thread),
        os.sched_getscheduler(thread),
    )


def _runs_as_given(thread: int, given: tuple[set[int], int, int]) -> bool:
    """Tells whether a thread has not asked to be served last, or on few processors only."""
    processors, *urgency = _terms(thread)
    return processors >= given[0] and urgency == [*given[1:]]


class CpuMeter:
    """The CPU time of a bot's processes, read not too often."""

    def __init__(self, pid: int) -> None:
        """Measures a process and its descendants."""
        self._pid = pid
        self._read_at = float("-inf")
        self._seconds: float | None = None
        self._found_at = float("-inf")
        self._tree: list[int] = []

    def seconds(self, now: float) -> float | None:
        """Gives the CPU time used so far, in seconds; None where the system doesn't tell."""
        if now - self._read_at > _SAME_FOR_SECONDS:
            if now - self._found_at > _SAME_TREE_SECONDS:
                self._found_at, self._tree = now, tree_of(self._pid)
            self._read_at, self._seconds = now, cpu_seconds_of(self._tree)
        return self._seconds


class ShareWatch:
    """Tells how long a bot was starved while it was waited for.

    Attributes:
        since: when the wait began that is being watched; None where none is.
    """

    def __init__(self, pid: int) -> None:
        """Watches a process and its descendants."""
        self._pid = pid
        self.since: float | None = None
        self._before: Usage | None = None
        self._looked = 0.0

    def look(self, since: float) -> None:
        """Begins to watch a wait that began at some time, unless it does so already."""
        if since != self.since:
            self.since, self._before = since, usage_of(self._pid)
            self._looked = time.monotonic()

    def starved(self, since: float) -> float:
        """Gives how long the bot was starved in a wait; 0 where that wait was not watched."""
        after = usage_of(self._pid) if since == self.since and self._before else None
        if after is None or self._before is None:
            return 0.0
        waited = time.monotonic() - self._looked
        return starved_seconds(self._before, after, waited, processors())
