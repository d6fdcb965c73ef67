"""The end of a bot: its process group, and then whatever of it has got away.

On Linux a process of the platform adopts what its bots leave behind (it is a "subreaper"). So a
daemon that a bot started is a child of this process in the end, and it is found and killed.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from californiajack_referee.sandbox.processes import (
    Process,
    all_processes,
    has_variable,
    look_at,
    own_processes,
    with_descendants,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PR_SET_CHILD_SUBREAPER = 36
_SWEEP_SECONDS = 3.0
"""How long a sweep goes on at most while there is something left to kill."""
_PAUSE_SECONDS = 0.005
_QUIET_LOOKS = 2
_leaders: set[int] = set()
"""The bots and builds that run in this process's care; each leads a session of that number."""


class _Starts:
    """How many bots and builds this process has begun to start, and how many it has finished."""

    begun = 0
    done = 0


@contextmanager
def starting() -> Iterator[None]:
    """Says that a bot or a build is being started, until it is in a family's care.

    A sweep in another thread would else take the new process for one that fell to this one.
    """
    _Starts.begun += 1
    try:
        yield
    finally:
        _Starts.done += 1


def adopt_orphans() -> None:
    """Lets this process become the parent of what its descendants leave behind."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def sweep_marked(mark: str) -> None:
    """Kills what has fallen to this process from a killed one that it had started.

    Args:
        mark: a text in the environment of all bots and of nothing else.
    """
    _until_quiet(lambda: _kill_marked(mark))


def _until_quiet(kill: Callable[[], bool]) -> bool:
    """Kills until there is nothing left to kill, or for some seconds; tells whether nothing is.

    One look is not enough: a process whose parent dies during it may be seen as nobody's.
    """
    until = time.monotonic() + _SWEEP_SECONDS
    quiet = 0
    while True:
        quiet = 0 if kill() else quiet + 1
        if quiet == _QUIET_LOOKS:
            return True
        if time.monotonic() > until:
            return False
        time.sleep(_PAUSE_SECONDS)


def _kill_marked(mark: str) -> bool:
    processes = all_processes()
    marked = {
        process.pid
        for process in processes.values()
        if process.parent == os.getpid()
        and process.session not in _leaders | {os.getsid(0)}
        # bots alone hide what is theirs
        and has_variable(process.pid, mark) is not False
    }
    return _kill_all(with_descendants(marked, processes), processes)


def _kill_all(found: set[int], processes: dict[int, Process]) -> bool:
    """Kills processes and collects those that are this one's children; tells whether any lived."""
    living = [processes[pid] for pid in found if not processes[pid].dead]
    # a whole group at once: one by one, those that fork could outrun it
    for group in {process.group for process in living} - {0, 1, os.getpgrp()}:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
    for process in living:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process.pid, signal.SIGKILL)
    for pid in found - _leaders:
        if processes[pid].parent == os.getpid():
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
    return bool(living)


class Family:
    """A bot or a build with all that it has started, told apart from all other processes."""

    def __init__(self, leader: int, mark: str = "") -> None:
        """Takes the process that leads it into this process's care.

        Args:
            leader: a child of this process that leads a session.
            mark: a text in its environment that no other process has.
        """
        self.leader = leader
        self._mark = mark
        found = look_at(leader)
        self._started = found.started if found else 0
        _leaders.add(leader)

    def members(self) -> list[Process]:
        """Gives its living processes, as far as they are known by descent, session or mark.

        They all descend from this process, which adopts what they leave behind; without a layer it
        doesn't, and what is left behind is not told.
        """
        processes = own_processes()
        roots = {self.leader} | {
            process.pid
            for process in processes.values()
            if process.session == self.leader
            or (self._is_stray(process) and self._mark and has_variable(process.pid, self._mark))
        }
        found = (processes[pid] for pid in with_descendants(roots, processes))
        return [process for process in found if not process.dead]

    def _is_stray(self, process: Process) -> bool:
        """Tells whether a process fell to this one and belongs to no bot that is known."""
        return (
            process.parent == os.getpid()
            and process.session not in _leaders
            and process.session != os.getsid(0)
            and process.pid not in _leaders
            and process.started >= self._started
        )

    def kill(self) -> None:
        """Kills its process group, at once."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.leader, signal.SIGKILL)

    def sweep(self) -> bool:
        """Kills all that is left of it; tells whether nothing is.

        The leader itself is killed, too, but left to be waited for by whoever started it.
        """
        self.kill()
        return _until_quiet(self._kill_what_is_there)

    def _kill_what_is_there(self) -> bool:
        begun, done = _Starts.begun, _Starts.done
        processes = all_processes()
        strays = {process.pid for process in processes.values() if self._is_stray(process)}
        if done < begun or begun < _Starts.begun:
            strays = set()  # one of them may be the process that is being started
        own = {process.pid for process in processes.values() if process.session == self.leader}
        found = with_descendants({self.leader} | strays | own, processes)
        return _kill_all(found, processes)

    def forget(self) -> None:
        """Gives the leader out of this process's care, after its end."""
        _leaders.discard(self.leader)
