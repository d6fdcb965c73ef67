"""On which processors processes run. Linux only; elsewhere the system decides alone."""

from __future__ import annotations

import os
from contextlib import suppress

from californiajack_referee.sandbox.processes import threads_of, tree_of


def allowed_processors() -> frozenset[int]:
    """Gives the processors that this thread may run on; empty where the system doesn't tell."""
    if not hasattr(os, "sched_getaffinity"):
        return frozenset()
    return frozenset(os.sched_getaffinity(0))


def run_on(pid: int, processors: frozenset[int], *, descendants: bool = True) -> None:
    """Lets a process run on some processors only, all its threads, and what it starts later.

    A thread that is gone, or somebody else's, is left alone.

    Args:
        pid: the process.
        processors: the system's numbers of them; none where it doesn't tell: nothing is done then.
        descendants: whether what it has started is to run there, too.
    """
    if not processors:
        return
    for process in tree_of(pid) if descendants else [pid]:
        for thread in threads_of(process):
            with suppress(OSError):
                os.sched_setaffinity(thread, processors)
