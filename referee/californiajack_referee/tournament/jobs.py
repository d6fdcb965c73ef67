"""How many series to play at once."""

from __future__ import annotations

import os


def default_jobs() -> int:
    """Gives how many series to play at once: one for two cores, as each has busy bots beside it."""
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    return max(1, cores // 2)
