"""The knockout format: who loses a match is out. Pure.

A match is played pair by pair up to a limit, and looked at after 10 pairs, 20, 40 and so on. It
ends at a look where two equal bots would seldom differ as much: so seldom that over all looks
before the limit together it happens no more often than the doubt allows (Bonferroni). The test is
the exact sign test on the pairs of which one bot won both games (McNemar, Psychometrika 12 (1947),
pages 153-157). At the limit the better score goes on, or the better seed where both are even.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

from californiajack_referee.formats.stage import Stage, named, sums_of
from californiajack_referee.schedule import pairing_number
from californiajack_referee.values import PairSums

if TYPE_CHECKING:
    from collections.abc import Iterator

    from californiajack_referee.formats.stage import Played
    from californiajack_referee.league.format import Knockout

FIRST_LOOK = 10
"""Pairs of a match before it is looked at for the first time; then twice as many each time."""


class Ending(StrEnum):
    """Why a match ended; the value is how it is told."""

    BYE = "bye"
    """There was no opponent."""
    BEYOND_DOUBT = "beyond doubt"
    """At a look before the limit."""
    BETTER_SCORE = "by score"
    """At the limit, by the pairs won."""
    BETTER_SEED = "by seed"
    """At the limit, where both had won as many."""


@dataclass(slots=True)
class Match:
    """A match of the bracket, between places of the entrants, which are the seeds from 0."""

    first: int
    """The better seed."""
    second: int | None
    """The other one; None for a bye."""
    pairing: int = -1
    """The number of their pairing; -1 for a bye."""
    pairs: int = 0
    """How many pairs are wanted so far: the deals from 0 on."""
    winner: int | None = None
    """The place of the bot that goes on; None as long as it isn't known."""
    ending: Ending | None = None
    """Why it ended; None as long as it hasn't."""


def looks(pairs: int) -> tuple[int, ...]:
    """Gives after how many pairs a match is looked at, the limit last."""
    found = []
    look = FIRST_LOOK
    while look < pairs:
        found.append(look)
        look *= 2
    return (*found, pairs)


def seeding(entrants: int) -> list[int | None]:
    """Gives the places of the bracket's first round from top to bottom; None beside a bye.

    The best two can only meet in the last round, the best four in the one before, and so on.
    """
    order = [0]
    while len(order) < entrants:
        size = 2 * len(order)
        order = [place for seed in order for place in (seed, size - 1 - seed)]
    return [place if place < entrants else None for place in order]


def round_name(matches: int) -> str:
    """Gives what a round of so many matches is called."""
    names = {1: "final", 2: "semi-finals", 4: "quarter-finals"}
    return names.get(matches, f"round of {2 * matches}")


class Bracket:
    """The decider of a knockout.

    Args:
        settings: with how little doubt a match ends before its limit.
        entrants: how many bots play; their order is the seeding.
        pairs: the limit: pairs of a match at most.

    Attributes:
        rounds: the matches of each round from top to bottom; None where it isn't known yet who
            plays.
    """

    def __init__(self, settings: Knockout, entrants: int, pairs: int) -> None:
        self._doubt = Fraction(settings.doubt)
        self._entrants = entrants
        self._looks = looks(pairs)
        slots = seeding(entrants)
        self.rounds: list[list[Match | None]] = []
        size = len(slots) // 2
        while size:
            self.rounds.append([None] * size)
            size //= 2
        for number in range(len(slots) // 2):
            one, two = slots[2 * number : 2 * number + 2]
            self._begin(0, number, [place for place in (one, two) if place is not None])

    def _begin(self, round_number: int, number: int, places: list[int]) -> None:
        first, *others = sorted(places)
        match = Match(first, others[0] if others else None)
        self.rounds[round_number][number] = match
        if match.second is None:
            self._end(match, first, Ending.BYE)
        else:
            match.pairing = pairing_number(self._entrants, first, match.second)
        self._go_on(round_number, number)

    def _end(self, match: Match, winner: int, ending: Ending) -> None:
        match.winner, match.ending = winner, ending

    def _go_on(self, round_number: int, number: int) -> None:
        """Begins the match that follows one, if both of its bots are known."""
        if round_number + 1 == len(self.rounds):
            return
        number -= number % 2
        before = [self.rounds[round_number][one] for one in (number, number + 1)]
        winners = [match.winner for match in before if match and match.winner is not None]
        if len(winners) == len(before) and self.rounds[round_number + 1][number // 2] is None:
            self._begin(round_number + 1, number // 2, winners)

    def open_matches(self) -> Iterator[tuple[int, int, Match]]:
        """Gives the matches that are being played, with their rounds and their numbers in them."""
        for round_number, matches in enumerate(self.rounds):
            for number, match in enumerate(matches):
                if match is not None and match.winner is None:
                    yield round_number, number, match

    def next(self, played: Played) -> Stage | None:
        """Gives the pairs of all open matches up to their next look; None after the final."""
        for round_number, number, match in list(self.open_matches()):
            self._look(match, played)
            if match.winner is not None:
                self._go_on(round_number, number)
        deals = {}
        names = []
        for round_number, _, match in self.open_matches():
            look = next(look for look in self._looks if look > match.pairs)
            deals[match.pairing] = range(match.pairs, look)
            match.pairs = look
            name = round_name(len(self.rounds[round_number]))
            if name not in names:
                names.append(name)
        return Stage(named(names), deals) if deals else None

    def _look(self, match: Match, played: Played) -> None:
        if not match.pairs or match.second is None:
            return
        score = sums_of(played, match.pairing, range(match.pairs))
        better = match.second if score.lost > score.won else match.first
        if match.pairs < self._looks[-1]:
            if tail(score) * (len(self._looks) - 1) <= self._doubt:
                self._end(match, better, Ending.BEYOND_DOUBT)
        elif score.won == score.lost:
            self._end(match, match.first, Ending.BETTER_SEED)
        else:
            self._end(match, better, Ending.BETTER_SCORE)

    def score_of(self, match: Match, played: Played) -> PairSums:
        """Counts the pairs of a match that have been played, as the better seed sees them."""
        there = played.get(match.pairing, {})
        counts = [0, 0, 0]
        for deal, won in there.items():
            if deal < match.pairs:
                counts[won] += 1
        return PairSums(*counts)


def tail(score: PairSums) -> Fraction:
    """Gives how often two equal bots differ as much or more, either way: the exact sign test."""
    decisive = score.won + score.lost
    fewer = min(score.won, score.lost)
    ways = sum(comb(decisive, lost) for lost in range(fewer + 1))
    return min(Fraction(1), Fraction(2 * ways, 2**decisive))
