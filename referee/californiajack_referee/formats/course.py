"""The course of a tournament: its stages one after the other, as its format decides them. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from californiajack_referee.formats.adaptive import AdaptiveOrder
from californiajack_referee.formats.fixed import gauntlet, round_robin
from californiajack_referee.formats.knockout import Bracket
from californiajack_referee.formats.match import MatchTest
from californiajack_referee.formats.stage import Noting
from californiajack_referee.formats.swiss import SwissDraw
from californiajack_referee.league.format import (
    Adaptive,
    Gauntlet,
    Knockout,
    Match,
    RoundRobin,
    Swiss,
)
from californiajack_referee.schedule import pairing_total

if TYPE_CHECKING:
    from californiajack_referee.formats.stage import Decider, Played, Stage
    from californiajack_referee.league.format import Format
    from californiajack_referee.league.stored import StoredTournament

_GAMES = 2
"""Games of a pair."""


class Course:
    """The course of a tournament.

    A stage is only decided when all pairs of those before it have been played, and from those
    alone; so the same results give the same stages, whatever else is stored by then.

    Args:
        settings: the format.
        entrants: how many bots play.
        pairs: pairs of games a meeting, as the tournament has it.

    Attributes:
        decider: what decides the stages; after `go_on` it has seen all that is complete.
        stages: the stages so far; the last one is being played unless the tournament is over.
        over: whether there is nothing more to be played.
        wanted: how many deals of each pairing the stages so far want, from 0 on.
    """

    def __init__(self, settings: Format, entrants: int, pairs: int) -> None:
        self._settings = settings
        self.decider = decider_of(settings, entrants, pairs)
        self.most_games = most_games(settings, entrants, pairs)
        self.stages: list[Stage] = []
        self.over = False
        self.wanted: dict[int, int] = {}
        self._take(self.decider.next({}))

    @property
    def games(self) -> int:
        """How many games are wanted, as far as that is known."""
        return _GAMES * sum(self.wanted.values())

    @property
    def total(self) -> int:
        """How many games there are in all, or, as long as that isn't known, at most."""
        return self.games if self.over else self.most_games

    @property
    def may_end_early(self) -> bool:
        """Whether it may be over before all the games are played that there are at most."""
        return not self.over and self._ends_when_decided

    @property
    def has_one_stage(self) -> bool:
        """Whether all games are known from the start."""
        return isinstance(self._settings, (RoundRobin, Gauntlet))

    def end(self) -> None:
        """Notes that all games of the only stage have been played.

        Raises:
            ValueError: there may be other stages.
        """
        if not self.has_one_stage:
            raise ValueError(f"expected a format with one stage, got {self._settings.kind}")
        self.over = True

    @property
    def makes_notes(self) -> bool:
        """Whether `note` has something to tell."""
        return isinstance(self.decider, Noting)

    def note(self, played: Played) -> str:
        """Says how near a decision is; nothing where the format has none to make.

        Args:
            played: all whole pairs that have been played.
        """
        return self.decider.note(played) if isinstance(self.decider, Noting) else ""

    @property
    def _ends_when_decided(self) -> bool:
        if isinstance(self._settings, Match):
            return self._settings.sequential
        return isinstance(self._settings, (Knockout, Adaptive))

    def _take(self, stage: Stage | None) -> None:
        if stage is None:
            self.over = True
            return
        self.stages.append(stage)
        for pairing, deals in stage.deals.items():
            self.wanted[pairing] = deals.stop

    def go_on(self, played: Played) -> Stage | None:
        """Goes on past all stages that are complete.

        Args:
            played: all whole pairs that have been played.

        Returns:
            The stage that is to be played now, if it is another one than before; else None.
        """
        before = len(self.stages)
        while not self.over and self.is_complete(played):
            self._take(self.decider.next(self._seen(played)))
        return self.stages[-1] if len(self.stages) > before and not self.over else None

    def is_complete(self, played: Played) -> bool:
        """Tells whether all pairs of the last stage have been played."""
        return all(
            deal in played.get(pairing, ())
            for pairing, deals in self.stages[-1].deals.items()
            for deal in deals
        )

    def _seen(self, played: Played) -> Played:
        """Gives the pairs of the stages so far and no others."""
        seen: dict[int, dict[int, int]] = {}
        for pairing, upto in self.wanted.items():
            there = played[pairing]
            more = len(there) > upto
            seen[pairing] = (
                {deal: won for deal, won in there.items() if deal < upto} if more else dict(there)
            )
        return seen


def course_of(tournament: StoredTournament) -> Course:
    """Gives the course of a tournament of which no game has been looked at yet."""
    return Course(tournament.format, len(tournament.entrants), tournament.pairs)


def decider_of(settings: Format, entrants: int, pairs: int) -> Decider:
    """Gives what decides the stages of a tournament."""
    match settings:
        case RoundRobin():
            return round_robin(settings, entrants, pairs)
        case Gauntlet():
            return gauntlet(settings, entrants, pairs)
        case Swiss():
            return SwissDraw(settings, entrants, pairs)
        case Knockout():
            return Bracket(settings, entrants, pairs)
        case Adaptive():
            return AdaptiveOrder(settings, entrants, pairs)
        case Match():
            return MatchTest(settings, entrants, pairs)


def most_games(settings: Format, entrants: int, pairs: int) -> int:
    """Counts the games of a tournament; those that there are at most where it may end early."""
    match settings:
        case RoundRobin():
            meetings = pairing_total(entrants)
        case Gauntlet(challengers):
            meetings = challengers * (entrants - challengers)
        case Swiss(rounds):
            meetings = rounds * (entrants // 2)
        case Knockout():
            meetings = entrants - 1
        case Adaptive():
            return settings.games
        case Match():
            meetings = 1
    return _GAMES * meetings * pairs
