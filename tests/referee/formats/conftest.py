"""Tournaments played on paper: each game is won by the bot that a table says."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from californiajack_referee.formats.course import Course
from californiajack_referee.schedule import pairings

if TYPE_CHECKING:
    from collections.abc import Callable

    from californiajack_referee.formats.stage import Stage
    from californiajack_referee.league.format import Format


class Paper:
    """A tournament on paper, in which a bot wins a game by its strength and the dice.

    Args:
        settings: the format.
        strengths: by place, in units of which a lead of one wins three games of four.
        pairs: pairs of games a meeting.
        seed: of the dice; each pair's own, so that it goes the same way whenever it is played.
    """

    def __init__(self, settings: Format, strengths: list[float], pairs: int, seed: int = 0) -> None:
        self.course = Course(settings, len(strengths), pairs)
        self.played: dict[int, dict[int, int]] = {}
        self._strengths = strengths
        self._pairings = pairings(len(strengths))
        self._seed = seed

    def play(self, stage: Stage | None = None) -> None:
        """Plays a stage; the present one unless told otherwise."""
        for pairing, deals in (stage or self.course.stages[-1]).deals.items():
            first, second = self._pairings[pairing]
            chance = 1 / (1 + 3 ** (self._strengths[second] - self._strengths[first]))
            for deal in deals:
                dice = random.Random(f"{self._seed} {first} {second} {deal}")
                won = (dice.random() < chance) + (dice.random() < chance)
                self.played.setdefault(pairing, {})[deal] = won

    def play_all(self) -> None:
        """Plays to the end."""
        while not self.course.over:
            self.play()
            self.course.go_on(self.played)


@pytest.fixture(scope="session")
def paper() -> Callable[..., Paper]:
    """Makes a tournament on paper."""
    return Paper
