"""The formats in which all games are known from the start: round robin and gauntlet. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from californiajack_referee.formats.stage import Stage
from californiajack_referee.schedule import pairings

if TYPE_CHECKING:
    from californiajack_referee.formats.stage import Played
    from californiajack_referee.league.format import Gauntlet, RoundRobin


class AllAtOnce:
    """The decider of a format with a single stage.

    Args:
        stage: it.
    """

    def __init__(self, stage: Stage) -> None:
        self._stage: Stage | None = stage

    def next(self, played: Played) -> Stage | None:
        """Gives the stage, then none."""
        del played
        stage, self._stage = self._stage, None
        return stage


def round_robin(settings: RoundRobin, entrants: int, pairs: int) -> AllAtOnce:
    """Has every bot meet every other one."""
    del settings
    wanted = range(len(pairings(entrants)))
    return AllAtOnce(Stage("round robin", dict.fromkeys(wanted, range(pairs))))


def gauntlet(settings: Gauntlet, entrants: int, pairs: int) -> AllAtOnce:
    """Has the first entrants, the challengers, meet all the others."""
    wanted = [
        number
        for number, (one, two) in enumerate(pairings(entrants))
        if one < settings.challengers <= two
    ]
    return AllAtOnce(Stage("gauntlet", dict.fromkeys(wanted, range(pairs))))
