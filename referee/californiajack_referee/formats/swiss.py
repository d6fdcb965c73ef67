"""The Swiss format: in each round, bots of about the same score meet. Pure.

Rounds are drawn from the top: each bot gets the best opponent that it hasn't met, as long as all
those below can still be paired (the completion test of FIDE's Dutch system, Handbook C.04.3). Best
is, among those of its own score, who stands half a group below, then the others down and up; after
them those of the next scores.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from californiajack_referee.formats.matching import can_all_be_paired
from californiajack_referee.formats.stage import Stage, more_of, sums_of
from californiajack_referee.schedule import pairing_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from californiajack_referee.formats.stage import Played
    from californiajack_referee.league.format import Swiss
    from californiajack_referee.values import PairSums

_WON = 2
"""Half points of a match that is won, or of a bye."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two bots that meet in a round, by their places among the entrants."""

    first: int
    """The one of the lower place."""
    second: int
    """The other one."""
    pairing: int
    """The number of their pairing."""
    deals: range
    """The deals that they play."""
    again: bool
    """Whether they had met before, as there was no other way."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round."""

    meetings: tuple[Meeting, ...]
    """Who meets whom, from the top."""
    bye: int | None
    """The place of the bot that has no opponent; None where all have one."""


@dataclass(slots=True)
class Line:
    """A bot's line of a Swiss standing."""

    place: int
    """Its place among the entrants."""
    half_points: int = 0
    """2 for each match won and each bye, 1 for each that is even."""
    won: int = 0
    """Games won in its matches."""
    lost: int = 0
    """Games lost in its matches."""
    byes: int = 0
    """Rounds in which it had no opponent."""

    @property
    def points(self) -> float:
        """1 for each match won and each bye, ½ for each that is even."""
        return self.half_points / _WON

    def order(self) -> tuple[int, int, int]:
        """Gives what lines are sorted by: points, games won more than lost, the seeding."""
        return (-self.half_points, self.lost - self.won, self.place)


def usual_rounds(entrants: int) -> int:
    """Gives how many rounds there are unless told otherwise: as many as a knockout has."""
    return min(max(1, math.ceil(math.log2(entrants))), most_rounds(entrants))


def most_rounds(entrants: int) -> int:
    """Gives how many rounds there may be without two bots meeting twice."""
    return entrants - 1 if entrants % 2 == 0 else entrants


class SwissDraw:
    """The decider of a Swiss tournament.

    Args:
        settings: how many rounds there are.
        entrants: how many bots play.
        pairs: pairs of games a meeting.

    Attributes:
        rounds: the rounds that have been drawn.
    """

    def __init__(self, settings: Swiss, entrants: int, pairs: int) -> None:
        self._settings = settings
        self._entrants = entrants
        self._pairs = pairs
        self._upto: dict[int, int] = {}
        self._met: Counter[tuple[int, int]] = Counter()
        self.rounds: list[Round] = []

    def next(self, played: Played) -> Stage | None:
        """Draws the next round; None after the last one."""
        if len(self.rounds) == self._settings.rounds:
            return None
        lines = self.standing(played)
        drawn, bye = draw(lines, self._met)
        meetings = []
        for pair in drawn:
            one, two = sorted(pair)
            pairing = pairing_number(self._entrants, one, two)
            deals = more_of(self._upto, pairing, self._pairs)
            meetings.append(Meeting(one, two, pairing, deals, self._met[one, two] > 0))
            self._met[one, two] += 1
        self.rounds.append(Round(tuple(meetings), bye))
        return Stage(
            f"round {len(self.rounds)} of {self._settings.rounds}",
            {meeting.pairing: meeting.deals for meeting in meetings},
        )

    def standing(self, played: Played) -> list[Line]:
        """Gives the lines of all bots, best first.

        Args:
            played: what has been played; matches that aren't whole count for nothing.
        """
        lines = [Line(place) for place in range(self._entrants)]
        for drawn in self.rounds:
            if not all(is_whole(played, meeting) for meeting in drawn.meetings):
                break
            for meeting in drawn.meetings:
                _count(lines[meeting.first], lines[meeting.second], score_of(played, meeting))
            if drawn.bye is not None:
                lines[drawn.bye].half_points += _WON
                lines[drawn.bye].byes += 1
        return sorted(lines, key=Line.order)


def is_whole(played: Played, meeting: Meeting) -> bool:
    """Tells whether all pairs of a meeting have been played."""
    there = played.get(meeting.pairing, {})
    return all(deal in there for deal in meeting.deals)


def score_of(played: Played, meeting: Meeting) -> PairSums:
    """Counts the pairs of a meeting, as its first bot sees them."""
    return sums_of(played, meeting.pairing, meeting.deals)


def _count(first: Line, second: Line, score: PairSums) -> None:
    won, lost = 2 * score.won + score.split, 2 * score.lost + score.split
    first.won += won
    first.lost += lost
    second.won += lost
    second.lost += won
    first.half_points += 1 + (won > lost) - (won < lost)
    second.half_points += 1 + (lost > won) - (lost < won)


def draw(
    lines: Sequence[Line], met: Counter[tuple[int, int]]
) -> tuple[list[tuple[int, int]], int | None]:
    """Draws a round.

    Nobody meets a bot that it has met before unless nothing else is possible, then as few times as
    possible. A bye goes to the last of those that have had fewest, as far as that can be.

    Args:
        lines: the standing, best first.
        met: how often two places, the lower one first, have met.

    Returns:
        The places of those that meet, and of the one with a bye; None where all have an opponent.
    """
    points = {line.place: line.half_points for line in lines}
    for most in count():
        graph = _Graph(met, most)
        for bye in _byes(lines):
            left = [line.place for line in lines if line.place != bye]
            if graph.can_all_be_paired(left):
                return _drawn(left, points, graph), bye
    raise AssertionError("at some number of meetings everybody may meet everybody")


def _byes(lines: Sequence[Line]) -> list[int | None]:
    """Gives who may have the bye, best first; None where nobody needs one."""
    if len(lines) % 2 == 0:
        return [None]
    last_first = reversed(lines)
    return [line.place for line in sorted(last_first, key=lambda line: line.byes)]


class _Graph:
    """Who may meet: those that have met at most so often.

    Args:
        met: how often two places, the lower one first, have met.
        most: how often they may have.
    """

    def __init__(self, met: Counter[tuple[int, int]], most: int) -> None:
        self._met = met
        self._most = most

    def may_meet(self, one: int, two: int) -> bool:
        """Tells whether two may meet."""
        return self._met[min(one, two), max(one, two)] <= self._most

    def can_all_be_paired(self, places: Sequence[int]) -> bool:
        """Tells whether all of some places can be paired."""
        return can_all_be_paired(
            [
                [
                    number
                    for number, other in enumerate(places)
                    if other != place and self.may_meet(place, other)
                ]
                for place in places
            ]
        )


def _drawn(left: list[int], points: dict[int, int], graph: _Graph) -> list[tuple[int, int]]:
    drawn = []
    while left:
        top, *below = left
        for other in _by_preference(top, below, points):
            rest = [place for place in below if place != other]
            if graph.may_meet(top, other) and graph.can_all_be_paired(rest):
                drawn.append((top, other))
                left = rest
                break
    return drawn


def _by_preference(top: int, below: Sequence[int], points: dict[int, int]) -> list[int]:
    """Gives the possible opponents of the first bot of all that are left, best first."""
    same = [place for place in below if points[place] == points[top]]
    half = max(0, (len(same) + 1) // 2 - 1)
    return [*same[half:], *reversed(same[:half]), *below[len(same) :]]
