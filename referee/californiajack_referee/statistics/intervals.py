"""What pairs of one bot say by themselves: means with 95 % intervals. Pure.

The unit is the pair: both games of a deal in one pairing, the seats swapped. A bot scores 1 for
winning both, ½ for one, 0 for none, so the luck of the cards cancels within each pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from californiajack.intervals import (
    CONFIDENCE,
    normal_quantile,
    points_interval,
    score_interval,
)

if TYPE_CHECKING:
    from californiajack_referee.values import PairSums

__all__ = [
    "CONFIDENCE",
    "PairScore",
    "PointDifference",
    "normal_quantile",
    "pair_score",
    "point_difference",
]


@dataclass(frozen=True, slots=True)
class PairScore:
    """The mean score of pairs, with an interval that holds the true mean in 95 of 100 cases."""

    pairs: int
    """Whole pairs played."""
    mean: float | None
    """The mean of their scores, 0 to 1; None without a pair."""
    low: float
    """The interval's lower end, 0 to 1, not above the mean."""
    high: float
    """The interval's upper end, 0 to 1, not below the mean."""


@dataclass(frozen=True, slots=True)
class PointDifference:
    """How many game points a round a bot makes more than its opponents, with a 95 % interval."""

    pairs: int
    """Whole pairs of which both games ended normally."""
    mean: float | None
    """The difference a round; None without a finished round."""
    low: float | None
    """The interval's lower end, not above the mean; None without a finished round."""
    high: float | None
    """The interval's upper end, not below the mean; None without a finished round."""


def pair_score(sums: PairSums, confidence: float = CONFIDENCE) -> PairScore:
    """Sums up pairs: the mean, with an interval that is wide where few pairs were seen.

    The interval is the SDK's `score_interval`, which says how it is made and how well it covers.

    Args:
        sums: the pairs.
        confidence: how often the interval is to hold the true mean.
    """
    pairs = sums.pairs
    mean = (sums.split + 2 * sums.won) / (2 * pairs) if pairs else None
    low, high = score_interval(sums.lost, sums.split, sums.won, confidence)
    return PairScore(pairs=pairs, mean=mean, low=low, high=high)


def point_difference(sums: PairSums, confidence: float = CONFIDENCE) -> PointDifference:
    """Tells how many game points a round a bot makes more than its opponents.

    The interval is the SDK's `points_interval`, which says how it is made.

    Args:
        sums: the pairs; only those whose two games ended normally count.
        confidence: how often the interval is to hold the truth.
    """
    if not sums.rounds:
        return PointDifference(sums.normal, None, None, None)
    low, high = points_interval(
        sums.normal,
        sums.difference,
        sums.rounds,
        sums.difference_squares,
        sums.rounds_squares,
        sums.products,
        confidence,
    )
    return PointDifference(sums.normal, sums.difference / sums.rounds, low, high)
