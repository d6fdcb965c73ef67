"""What pairs of one bot say by themselves: means with 95 % intervals. Pure.

The unit is the pair: both games of a deal in one pairing, the seats swapped. A bot scores 1 for
winning both, ½ for one, 0 for none, so the luck of the cards cancels within each pair.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from californiajack_referee.values import PairSums

CONFIDENCE = 0.95
"""How often an interval holds the truth."""
_QUANTILE = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


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


def pair_score(sums: PairSums) -> PairScore:
    """Sums up pairs: the mean, with an interval that is wide where few pairs were seen.

    The interval is the normal one, over the pairs and two pseudo-pairs more, one of score 0 and
    one of 1 (after Agresti and Caffo, who add as much to proportions), so it is no point where all
    pairs went the same way. Its true coverage, counted over all outcomes of 2 to 100 pairs for bots
    from equal to 99 % strong, is 93.5 % or more, and above 95 % for few pairs.
    """
    pairs = sums.pairs
    mean = (sums.split + 2 * sums.won) / (2 * pairs) if pairs else None
    # with the pseudo-pairs; twice the sum and four times the squares' sum are whole numbers
    padded, total = pairs + 2, sums.split + 2 * (sums.won + 1)
    squares = sums.split + 4 * (sums.won + 1)
    centre = total / (2 * padded)
    variance = (squares * padded - total**2) / (4 * padded * (padded - 1))
    reach = _QUANTILE * math.sqrt(variance / padded)
    inside = centre if mean is None else mean
    return PairScore(
        pairs=pairs,
        mean=mean,
        low=max(0.0, min(inside, centre - reach)),
        high=min(1.0, max(inside, centre + reach)),
    )
