"""What is sure of the order of bots: neighbours, brackets, where two orders differ. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from californiajack_referee.statistics.intervals import CONFIDENCE, normal_quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from californiajack_referee.statistics.elo import EloDifference, EloFit


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two bots of one group that follow each other in the order of their Elo ratings."""

    better: int
    """The number of the bot that is rated higher."""
    worse: int
    """The number of the next one."""
    apart: EloDifference
    """By how much the better one stands above the other."""
    told_apart: bool
    """Whether the 95 % interval of their difference leaves out 0."""
    intervals_overlap: bool
    """Whether the 95 % intervals of their ratings overlap. They may though the two are told apart:
    the ratings of bots that played each other err together."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two bots that the Elo ratings put one way round, and another order the other way."""

    better: int
    """The number of the bot that Elo puts above."""
    worse: int
    """The number of the bot that the other order puts above."""
    beyond_doubt: bool
    """Whether the 95 % interval of their Elo difference leaves out 0."""


def neighbours(fit: EloFit) -> tuple[Neighbours, ...]:
    """Gives all neighbours, group by group, best first; none across groups."""
    return tuple(
        _neighbours(fit, better, worse) for bots in fit.groups for better, worse in pairwise(bots)
    )


def _neighbours(fit: EloFit, better: int, worse: int) -> Neighbours:
    apart = fit.difference(better, worse)
    upper, lower = fit.ratings[better].low, fit.ratings[worse].high
    if apart is None or upper is None or lower is None:
        raise ValueError(f"expected two bots of one group, found {better} and {worse}")
    return Neighbours(better, worse, apart, apart.beyond_doubt, intervals_overlap=upper <= lower)


def brackets(fit: EloFit) -> tuple[tuple[int, ...], ...]:
    """Gathers bots into brackets: runs in which no neighbours can be told apart.

    Every bot is in one bracket. Brackets stand group by group, best first. The first and the last
    bot of a long bracket may well be told apart; no line can be drawn between them, though.
    """
    apart = {(step.better, step.worse) for step in neighbours(fit) if step.told_apart}
    found: list[list[int]] = []
    for bots in fit.groups:
        for place, bot in enumerate(bots):
            if place == 0 or (bots[place - 1], bot) in apart:
                found.append([])
            found[-1].append(bot)
    return tuple(map(tuple, found))


def disagreements(fit: EloFit, order: Sequence[int]) -> tuple[Disagreement, ...]:
    """Names the bots that another order, such as TrueSkill's, puts the other way round.

    Bots of different groups are not compared, nor those that only one order knows.

    Args:
        fit: the Elo ratings.
        order: the bots' numbers, best first, each once.

    Returns:
        All pairs that are the other way round, by the order of Elo.
    """
    rank = {bot: place for place, bot in enumerate(order)}
    found: list[Disagreement] = []
    for bots, matrix in zip(fit.groups, fit.covariances, strict=True):
        known = [place for place, bot in enumerate(bots) if bot in rank]
        places = np.array([rank[bots[place]] for place in known])
        ratings = np.array([fit.ratings[bots[place]].rating or 0.0 for place in known])
        shared = matrix[np.ix_(known, known)]
        own = np.diag(shared)
        # rounding may leave a trace below 0 between a bot and itself
        errors = np.sqrt(np.maximum(own[:, None] + own - 2 * shared, 0))
        sure = ratings[:, None] - ratings > normal_quantile(CONFIDENCE) * errors
        turned = np.argwhere(np.triu(places[:, None] > places, 1)).tolist()
        found += [
            Disagreement(bots[known[i]], bots[known[j]], beyond_doubt=bool(sure[i, j]))
            for i, j in turned
        ]
    return tuple(found)
