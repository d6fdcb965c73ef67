"""Whether a late answer is the machine's fault and not the bot's. Pure; times are in seconds."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

EXCUSED_PART = 0.1
"""The part of a wait that the machine must have taken for the answer to be excused."""
LEAST_EXCUSED_SECONDS = 0.05
"""What the machine must have taken at least: less is what any machine takes."""
_NOTED_SECONDS = 0.01
_KEPT_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class Usage:
    """What a bot's processes and their threads have had of the processors so far."""

    cpu_seconds: float
    """Time on a processor, all together."""
    threads: Mapping[int, tuple[float, float]]
    """By thread: its own time on a processor, and how long it was ready to run while none ran it.
    Only threads that run with the priority and on the processors they were given."""


def starved_seconds(before: Usage, after: Usage, waited: float, processors: int) -> float:
    """Gives how long a bot was kept from running by others, 0 or more.

    That is how long a thread of its was ready and did not run, less all that its other threads and
    processes ran in that time: by so much they may have kept it from running themselves. It is
    added up over the threads, as an answer passes through several of them. A bot that sleeps or
    that is stopped is not ready to run, and not starved either; nor is one with more busy threads
    than there are processors, as it would have been late on a machine of its own, too.

    Args:
        before: what it had had at the beginning.
        after: what it had had at the end.
        waited: how long that was, in seconds.
        processors: how many there are for it.
    """
    cpu = after.cpu_seconds - before.cpu_seconds
    busy, starved = 0, 0.0
    for thread, (ran_after, delay_after) in after.threads.items():
        ran_before, delay_before = before.threads.get(thread, (0.0, 0.0))
        ran, delay = ran_after - ran_before, delay_after - delay_before
        busy += ran + delay > waited / 2
        by_others_of_its_own = max(0.0, cpu - ran)
        starved += max(0.0, delay - by_others_of_its_own)
    return starved if busy <= processors else 0.0


def excuse(waited: float, *, referee_late: float, starved: float) -> str:
    """Says what the machine did to make an answer late; empty where that was the bot's own doing.

    Args:
        waited: how long the answer was waited for.
        referee_late: how much of that the referee itself was held up.
        starved: how much of that the bot was starved; see `starved_seconds`.
    """
    if referee_late + starved < max(LEAST_EXCUSED_SECONDS, EXCUSED_PART * waited):
        return ""
    # threads that are starved at the same time may add up to more than there was
    starved = min(starved, waited)
    if referee_late > starved:
        return f"the referee was held up for {referee_late:.2f} s of {waited:.2f} s"
    return f"it got no processor for {starved:.2f} s of {waited:.2f} s"


class Lateness:
    """How late something came round that wanted to come round at certain times."""

    def __init__(self) -> None:
        """Has not been late yet."""
        self._late: deque[tuple[float, float]] = deque()
        self._planned: float | None = None

    def plan(self, time: float) -> None:
        """Takes the time at which it wants to come round next."""
        self._planned = time

    def arrive(self, now: float) -> None:
        """Takes the time at which it has come round."""
        if self._planned is not None and now - self._planned > _NOTED_SECONDS:
            self._late.append((self._planned, now))
            while self._late[0][1] < now - _KEPT_SECONDS:
                self._late.popleft()
        self._planned = None

    def within(self, since: float, now: float) -> float:
        """Gives how long it was late between two times; what it is late by now counts."""
        spans = [*self._late]
        if self._planned is not None and now - self._planned > _NOTED_SECONDS:
            spans.append((self._planned, now))
        return sum(max(0.0, min(end, now) - max(start, since)) for start, end in spans)
