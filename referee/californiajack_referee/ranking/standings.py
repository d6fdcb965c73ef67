"""Standings: the ranking table and the cross table of a result log. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from californiajack_referee.ranking.certainty import Certainty, Place, certainty
from californiajack_referee.ranking.pairs import whole_pairs
from californiajack_referee.ranking.rating import BotRating, tally_of_games
from californiajack_referee.ranking.tally import Line
from californiajack_referee.statistics.intervals import (
    PairScore,
    PointDifference,
    pair_score,
    point_difference,
)
from californiajack_referee.values import PairSums

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from californiajack_referee.league.stored import RatingSettings, StoredGame
    from californiajack_referee.ranking.tally import Tally


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot's line of the ranking table."""

    rank: int
    """Its place, from 1: by mu - 3 sigma, then by label."""
    bot: str
    """Its label, such as ``greedy@2``."""
    rating: BotRating
    """Its TrueSkill rating."""
    games: int
    """Games with a winner."""
    wins: int
    """Those it won."""
    losses: int
    """Those it lost."""
    score: PairScore
    """Its pair score against all its opponents together."""
    points: PointDifference
    """Game points a round that it made more than its opponents, all together."""
    faults: int
    """Games it lost for a fault of its own."""
    place: Place
    """What is known of its place."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """How a bot stood against another one."""

    score: PairScore
    """Its pair score."""
    points: PointDifference
    """Game points a round that it made more."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The tables of a result log."""

    ranking: tuple[Standing, ...]
    """A line a bot, best first."""
    cross: dict[tuple[str, str], Meeting]
    """A bot against another one, by their labels; without those that have no pair."""
    certainty: Certainty
    """What is sure of the ranking."""


def standings(
    games: Iterable[StoredGame],
    tournaments: Sequence[str],
    settings: RatingSettings,
    entrants: Iterable[str] = (),
) -> Standings:
    """Makes the tables; the order in which the games are given doesn't matter.

    Args:
        games: games in any order, each once; void ones count for nothing.
        tournaments: the names of their tournaments, in the order of creation.
        settings: the parameters of TrueSkill.
        entrants: labels of bots to list even where they have no game yet.
    """
    counted = [game for game in games if game.result.verdict.winner is not None]
    tally, labels = tally_of_games(counted, tournaments, settings)
    won: Counter[tuple[str, str]] = Counter()
    split: Counter[tuple[str, str]] = Counter()
    for pair in whole_pairs(counted):
        won[pair.bot, pair.opponent] += pair.score == 1
        split[pair.bot, pair.opponent] += pair.score == 0.5  # noqa: PLR2004 - half of its games
    cross = {
        (bot, opponent): PairSums(won[opponent, bot], split[bot, opponent], wins)
        for (bot, opponent), wins in won.items()
    }
    return standings_of_tally(tally, labels, settings, entrants, cross)


def standings_of_tally(
    tally: Tally,
    labels: Mapping[int, str],
    settings: RatingSettings,
    entrants: Iterable[str] = (),
    cross: Mapping[tuple[str, str], PairSums] | None = None,
) -> Standings:
    """Makes the tables of what has been counted.

    Args:
        tally: what has been counted.
        labels: the bots' labels by their numbers in the tally.
        settings: the parameters of TrueSkill.
        entrants: labels of bots to list even where they have no game yet.
        cross: the pairs of a bot against another, by their labels, both ways round; of the same
            moment as the tally.
    """
    lines = {labels[bot]: line for bot, line in tally.lines.items()}
    for label in entrants:
        lines.setdefault(label, Line(settings.mu, settings.sigma))
    ratings = {label: BotRating(line.mu, line.sigma) for label, line in lines.items()}
    order = sorted(ratings, key=lambda label: (-ratings[label].lower_bound, label))
    cross = cross or {}
    sure = certainty(order, cross)
    sums = dict.fromkeys(order, PairSums())
    for (bot, _), seen in cross.items():
        sums[bot] = sums[bot].plus(seen)
    return Standings(
        ranking=tuple(
            _standing(place, label, lines[label], sums[label], sure.places[label])
            for place, label in enumerate(order, start=1)
        ),
        cross={
            both: Meeting(pair_score(seen), point_difference(seen)) for both, seen in cross.items()
        },
        certainty=sure,
    )


def _standing(rank: int, label: str, line: Line, sums: PairSums, place: Place) -> Standing:
    return Standing(
        rank=rank,
        bot=label,
        rating=BotRating(line.mu, line.sigma),
        games=line.games,
        wins=line.wins,
        losses=line.losses,
        score=pair_score(line.pairs),
        points=point_difference(sums),
        faults=line.faults,
        place=place,
    )
