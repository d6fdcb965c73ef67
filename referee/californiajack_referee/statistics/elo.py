"""Ratings by maximum likelihood on the Elo scale, with 95 % intervals. Pure.

They are computed from all pairs at once, so no order of games can touch them. Groups of bots that
no chain of pairs connects are rated apart: between them nothing is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array, csgraph

from californiajack_referee.statistics.bradley_terry import covariance, fit_group
from californiajack_referee.statistics.intervals import CONFIDENCE, normal_quantile
from californiajack_referee.statistics.pairings import pair_table, part_of
from californiajack_referee.statistics.scale import ELO_A_LOGIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from californiajack_referee.statistics.pairings import PairTable
    from californiajack_referee.values import PairSums

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class EloRating:
    """One bot's rating. A bot without a pair has none."""

    bot: int
    """Its number."""
    group: int
    """The place of its group in `EloFit.groups`."""
    pairs: int
    """Whole pairs it has played."""
    rating: float | None
    """Its strength in Elo points above the mean of its group; None without a pair."""
    deviation: float | None
    """The standard error of the rating, in Elo points; None without a pair."""
    low: float | None
    """The 95 % interval's lower end; None without a pair."""
    high: float | None
    """The 95 % interval's upper end; None without a pair."""
    open_above: bool
    """Whether it may be stronger by any amount: no bot has taken a point off it, or off those with
    which it has exchanged points. Then only the pseudo-pairs keep the rating finite."""
    open_below: bool
    """Whether it may be weaker by any amount: it has taken no point off others, likewise."""


@dataclass(frozen=True, slots=True)
class EloDifference:
    """By how much a bot stands above another one, in Elo points."""

    difference: float
    """The estimate; below 0 where it stands below."""
    deviation: float
    """Its standard error."""
    low: float
    """The 95 % interval's lower end."""
    high: float
    """The 95 % interval's upper end."""
    superiority: float
    """The likelihood of superiority, 0 to 1: that the bot is the stronger one of the two."""

    @property
    def beyond_doubt(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True, eq=False)
class EloFit:
    """The ratings of all bots."""

    ratings: dict[int, EloRating]
    """Each bot's rating, by its number."""
    groups: tuple[tuple[int, ...], ...]
    """The bots of each connected group, best first; the largest group first, then that with the
    lowest number. A bot without a pair is a group of its own."""
    covariances: tuple[NDArray[np.float64], ...]
    """The covariance of each group's ratings in Elo², in the order of its bots."""

    @property
    def connected(self) -> bool:
        """Whether all bots are one group, so that all can be compared."""
        return len(self.groups) <= 1

    def difference(
        self, bot: int, opponent: int, confidence: float = CONFIDENCE
    ) -> EloDifference | None:
        """Tells by how much a bot stands above another one; None where nothing connects them.

        Args:
            bot: its number.
            opponent: the other one's number, another bot.
            confidence: how often the interval is to hold the truth.
        """
        one, two = self.ratings[bot], self.ratings[opponent]
        if one.group != two.group or one.rating is None or two.rating is None:
            return None
        bots, matrix = self.groups[one.group], self.covariances[one.group]
        i, j = bots.index(bot), bots.index(opponent)
        deviation = float(np.sqrt(matrix[i, i] + matrix[j, j] - 2 * matrix[i, j]))
        return difference_of(one.rating - two.rating, deviation, confidence)


def difference_of(
    difference: float, deviation: float, confidence: float = CONFIDENCE
) -> EloDifference:
    """Tells what an estimated difference says.

    Args:
        difference: the estimate, in Elo points.
        deviation: its standard error, in Elo points, above 0.
        confidence: how often the interval is to hold the truth.
    """
    reach = normal_quantile(confidence) * deviation
    return EloDifference(
        difference=difference,
        deviation=deviation,
        low=difference - reach,
        high=difference + reach,
        superiority=NormalDist().cdf(difference / deviation),
    )


def fit(table: Mapping[tuple[int, int], PairSums], bots: Iterable[int] = ()) -> EloFit:
    """Rates all bots by the Bradley-Terry model on their pairs.

    The mean of each connected group is 0. Every bot has half a pseudo-pair, a quarter won and a
    quarter lost, spread over its opponents as its pairs are: so a bot that has won all its pairs
    has a finite rating with a wide interval, and `EloRating.open_above` says that it may be any
    amount stronger. The same pairs give the same result to the last digit, in whatever order they
    come.

    Pairs count as independent of each other. Those of different pairings on the same deal are so
    only nearly; docs/statistics.md tells what that does.

    Args:
        table: pairs by the numbers of bot and opponent, each pairing once, either way round.
        bots: numbers of bots to list even where they have no pair.

    Raises:
        ValueError: a bot is its own opponent, or a number of pairs is below 0.
    """
    pairs = pair_table(table, bots)
    groups = _groups_of(pairs)
    ratings: dict[int, EloRating] = {}
    ordered: list[tuple[int, ...]] = []
    matrices: list[NDArray[np.float64]] = []
    for number, places in enumerate(groups):
        found, matrix = _rate_group(part_of(pairs, places), number)
        ratings.update((line.bot, line) for line in found)
        ordered.append(tuple(line.bot for line in found))
        matrices.append(matrix)
    return EloFit({bot: ratings[bot] for bot in sorted(ratings)}, tuple(ordered), tuple(matrices))


def _groups_of(table: PairTable) -> list[NDArray[np.intp]]:
    """Gives the places of each connected group's bots, the largest group first."""
    if not table.bots:
        return []
    _, labels = csgraph.connected_components(_graph(table, table.pairs > 0), directed=False)
    groups = [np.flatnonzero(labels == label) for label in range(labels.max() + 1)]
    return sorted(groups, key=lambda places: (-len(places), int(places[0])))


def _graph(table: PairTable, edges: NDArray[np.bool_], *, back: bool = False) -> coo_array:
    ends = (table.second, table.first) if back else (table.first, table.second)
    count = len(table.bots)
    return coo_array(
        (np.ones(int(edges.sum())), (ends[0][edges], ends[1][edges])), shape=(count, count)
    )


def _rate_group(table: PairTable, number: int) -> tuple[list[EloRating], NDArray[np.float64]]:
    if len(table.bots) == 1:
        alone = EloRating(table.bots[0], number, 0, None, None, None, None, False, False)
        return [alone], np.zeros((1, 1))
    found = fit_group(table)
    ratings = np.round(found.theta * ELO_A_LOGIT, _DIGITS)
    matrix = covariance(table, found) * ELO_A_LOGIT**2
    deviations = np.sqrt(np.diag(matrix))
    reach = normal_quantile(CONFIDENCE) * deviations
    played = table.of_bots(table.pairs)
    above, below = _open_ends(table)
    # stable, so that bots of equal rating stand by their numbers
    order = np.argsort(-ratings, kind="stable")
    lines = [
        EloRating(
            bot=table.bots[at],
            group=number,
            pairs=int(played[at]),
            rating=float(ratings[at]) + 0.0,
            deviation=float(deviations[at]),
            low=float(ratings[at] - reach[at]),
            high=float(ratings[at] + reach[at]),
            open_above=bool(above[at]),
            open_below=bool(below[at]),
        )
        for at in order
    ]
    return lines, matrix[np.ix_(order, order)]


def _open_ends(table: PairTable) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tells which bots may be any amount stronger, or weaker, than their rating.

    Points lead from the bot that took them to the one it took them off. Bots that points connect
    both ways hold each other; who is held by nobody outside is open.
    """
    lost_some, won_some = table.lost + table.split > 0, table.won + table.split > 0
    graph = _graph(table, won_some) + _graph(table, lost_some, back=True)
    count, labels = csgraph.connected_components(graph, directed=True, connection="strong")
    held_above, held_below = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
    for some, taker, giver in (
        (won_some, table.first, table.second),
        (lost_some, table.second, table.first),
    ):
        outside = some & (labels[taker] != labels[giver])
        held_above[labels[giver[outside]]] = True
        held_below[labels[taker[outside]]] = True
    if count == 1:
        return np.zeros(len(labels), dtype=np.bool_), np.zeros(len(labels), dtype=np.bool_)
    return ~held_above[labels], ~held_below[labels]
