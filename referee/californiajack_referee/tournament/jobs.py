"""How many series to play at once."""

from __future__ import annotations

from californiajack_referee.sandbox.processors import processors


def default_jobs() -> int:
    """Gives how many series to play at once: one for two cores, as each has busy bots beside it."""
    return max(1, processors() // 2)
