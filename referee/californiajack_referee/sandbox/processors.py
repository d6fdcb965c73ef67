"""On which processors processes run, and how they take turns there: moved on Linux only."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from californiajack_referee.sandbox.processes import threads_of, tree_of

if TYPE_CHECKING:
    from collections.abc import Iterator


def allowed_processors() -> frozenset[int]:
    """Gives the processors that this thread may run on; empty where the system doesn't tell."""
    if not hasattr(os, "sched_getaffinity"):
        return frozenset()
    return frozenset(os.sched_getaffinity(0))


def processors() -> int:
    """Gives how many processors this process, and what it starts, may run on: at least 1."""
    return len(allowed_processors()) or os.cpu_count() or 1


def run_on(pid: int, processors: frozenset[int], *, descendants: bool = True) -> None:
    """Lets a process run on some processors only, all its threads, and what it starts later.

    A thread that is gone, or somebody else's, is left alone.

    Args:
        pid: the process.
        processors: the system's numbers of them; none where it doesn't tell: nothing is done then.
        descendants: whether what it has started is to run there, too.
    """
    for thread in _threads(pid, descendants=descendants) if processors else ():
        with suppress(OSError):
            os.sched_setaffinity(thread, processors)


def run_in_batch(pid: int, *, batch: bool, descendants: bool = True) -> None:
    """Lets a process wait, when it wakes, until those that run pause, or no longer.

    So work that isn't urgent is interrupted less often, which makes it quicker as a whole. It
    holds for all its threads, and what it starts later. A thread that has asked for other terms,
    that is gone, or that is somebody else's is left alone.

    Args:
        pid: the process.
        batch: whether it is to wait; otherwise it is served as usual.
        descendants: whether it holds for what it has started, too.
    """
    if not hasattr(os, "SCHED_BATCH"):
        return
    before, after = (os.SCHED_OTHER, os.SCHED_BATCH)[:: 1 if batch else -1]
    for thread in _threads(pid, descendants=descendants):
        with suppress(OSError):
            if os.sched_getscheduler(thread) == before:
                os.sched_setscheduler(thread, after, os.sched_param(0))


def _threads(pid: int, *, descendants: bool) -> Iterator[int]:
    for process in tree_of(pid) if descendants else [pid]:
        yield from threads_of(process)
