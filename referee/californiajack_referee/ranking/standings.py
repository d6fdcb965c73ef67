"""Standings: the ranking table and the cross table of a result log. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from californiajack_referee.ranking.rating import BotRating, rate
from californiajack_referee.ranking.statistics import PairScore, pair_score, whole_pairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from californiajack_referee.league.stored import RatingSettings, StoredGame


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
    faults: int
    """Games it lost for a fault of its own."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The tables of a result log."""

    ranking: tuple[Standing, ...]
    """A line a bot, best first."""
    cross: dict[tuple[str, str], PairScore]
    """The pair score of a bot against another, by their labels; without those that never met."""


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
    ratings = rate(counted, tournaments, settings)
    for label in entrants:
        ratings.setdefault(label, BotRating(settings.mu, settings.sigma))
    wins, losses, faults = _count(counted)
    cross: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for pair in whole_pairs(counted):
        cross[pair.bot, pair.opponent].append(pair.score)
    order = sorted(ratings, key=lambda label: (-ratings[label].lower_bound, label))
    return Standings(
        ranking=tuple(
            Standing(
                rank=place,
                bot=label,
                rating=ratings[label],
                games=wins[label] + losses[label],
                wins=wins[label],
                losses=losses[label],
                score=pair_score(
                    [
                        score
                        for (bot, _), scores in cross.items()
                        if bot == label
                        for score in scores
                    ]
                ),
                faults=faults[label],
            )
            for place, label in enumerate(order, start=1)
        ),
        cross={labels: pair_score(scores) for labels, scores in cross.items()},
    )


def _count(games: Iterable[StoredGame]) -> tuple[Counter[str], Counter[str], Counter[str]]:
    wins: Counter[str] = Counter()
    losses: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    for game in games:
        verdict = game.result.verdict
        if verdict.winner is None:
            continue
        wins[game.seats[verdict.winner].label] += 1
        loser = 1 - verdict.winner
        losses[game.seats[loser].label] += 1
        faults[game.seats[loser].label] += verdict.blame == loser
    return wins, losses, faults
