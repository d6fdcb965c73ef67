"""Draws the hidden cards by chance, plays each world on after every card, and takes the best."""

from __future__ import annotations

import math
import sys
import time
from typing import TYPE_CHECKING

from playout import Playouts

from californiajack import Bot, Card, View, run
from californiajack.masks import cards_of, mask_of
from californiajack.search import State, WorldSampler, solve

if TYPE_CHECKING:
    from collections.abc import Iterator

SHARE_OF_TIME = 0.5  # of the move time, after the reserve
RESERVE_SECONDS = 0.04  # for an answer's way back, with a busy machine in between
LEAST_WORLDS = 4  # even without any time
MOST_WORLDS = 1024  # more change next to nothing
WORLDS_WITHOUT_CLOCK = 32  # in californiajack.local
FIRST_LOOK = 16  # worlds before a card may be dropped; then each time twice as many
DOUBT = 2.5  # standard errors behind the best card that drop a card


class MonteCarlo(Bot):
    """Plays the card with the best average over the worlds; solves the last six tricks.

    With a clock, how many worlds it looks at depends on how quick the machine is, so that the same
    turn may be played in two ways. With a number of worlds given it plays the same game again.
    """

    def __init__(self, worlds: int | None = None) -> None:
        """Takes the number of worlds for each turn, or None to go by the clock."""
        self._worlds = worlds

    def choose(self, view: View) -> Card:
        """Thinks about one turn."""
        clock = Clock(view, self._worlds)
        if view.stock_size == 0:
            return solve(State.of(view)).best
        values: dict[Card, list[float]] = {card: [] for card in view.legal}
        look = FIRST_LOOK
        first, draws = self._draws(view)
        playouts = Playouts(first)
        for number, world in enumerate(draws, 1):
            for card, found in values.items():
                found.append(playouts.value(world.after(card)))
            if number == look:
                values = promising(values)
                look *= 2
            if clock.is_up(number) or len(values) == 1:
                break
        return max(values, key=lambda card: sum(values[card]))

    def _draws(self, view: View) -> tuple[State, Iterator[State]]:
        """Gives one world of this turn, and then as many as are asked for."""
        sampler = WorldSampler(view)
        first = State.of(view, sampler.draw(self.rng))

        def draw() -> Iterator[State]:
            while True:
                world = sampler.draw(self.rng)
                yield first._replace(theirs=mask_of(world.opponent), stock=bytes(world.stock))

        return first, draw()


class Clock:
    """Says when a turn has been thought about enough."""

    def __init__(self, view: View, worlds: int | None) -> None:
        """Starts now: a turn that had to wait for others of this process isn't charged for it."""
        # the bank is left alone
        limit = (view.time_left - view.bank).total_seconds()
        self._last = time.monotonic()
        self._end = self._last + SHARE_OF_TIME * (limit - RESERVE_SECONDS)
        self._stall = limit / 10
        self._runs = worlds is None and limit > 0
        self._worlds = worlds or (MOST_WORLDS if self._runs else WORLDS_WITHOUT_CLOCK)

    def is_up(self, worlds: int) -> bool:
        """Tells whether to stop after so many worlds.

        Where one world takes a tenth of the move time, the machine is doing something else, and
        the answer may be held up as well.
        """
        now = time.monotonic()
        stalled = now - self._last > self._stall
        self._last = now
        if self._runs and worlds >= LEAST_WORLDS and (stalled or now >= self._end):
            return True
        return worlds >= self._worlds


def promising(values: dict[Card, list[float]]) -> dict[Card, list[float]]:
    """Keeps the best card, and those that may still turn out to be better than it.

    The difference is taken world by world: the same luck for both.
    """
    best = max(values, key=lambda card: sum(values[card]))
    return {
        card: found
        for card, found in values.items()
        if card is best or not is_behind(found, values[best])
    }


def is_behind(found: list[float], best: list[float]) -> bool:
    """Tells whether a card is worse than the best beyond doubt, or just the same in every world."""
    behind = [high - low for high, low in zip(best, found, strict=True)]
    mean = sum(behind) / len(behind)
    variance = sum((gap - mean) ** 2 for gap in behind) / (len(behind) - 1)
    return mean >= DOUBT * math.sqrt(variance / len(behind))


if __name__ == "__main__":
    cards_of(0)  # fills its tables before any clock runs
    # an answer is sent by other threads, which have to get in while this one thinks
    sys.setswitchinterval(0.0005)
    WORLDS = int(sys.argv[1]) if len(sys.argv) > 1 else None
    run(lambda: MonteCarlo(WORLDS))
