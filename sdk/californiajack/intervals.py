"""Intervals for what pairs of games say, from whole numbers that sum them up. Pure.

A pair is both games of a deal, the seats swapped: one observation, as the two share the cards.
"""

from __future__ import annotations

import math
from statistics import NormalDist

CONFIDENCE = 0.95
"""How often an interval holds the truth."""
_PSEUDO_POINTS = 0.5
"""By how many points a round the two pseudo-pairs of `points_interval` are off its mean."""


def normal_quantile(confidence: float) -> float:
    """Gives how many standard errors an interval reaches to either side."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def score_interval(
    lost: int, split: int, won: int, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Gives the interval of a mean pair score, 0 to 1, wide where few pairs were seen.

    It is the normal one, over the pairs and two pseudo-pairs more, one of score 0 and one of 1
    (after Agresti and Caffo, who add as much to proportions), so it is no point where all pairs
    went the same way. Its true coverage, counted over all outcomes of 2 to 100 pairs for bots from
    equal to 99 % strong, is 93.5 % or more, and above 95 % for few pairs.

    Args:
        lost: pairs of score 0.
        split: pairs of score ½.
        won: pairs of score 1.
        confidence: how often the interval is to hold the true mean.

    Returns:
        Its ends; the mean is between them.
    """
    pairs = lost + split + won
    # with the pseudo-pairs; twice the sum and four times the squares' sum are whole numbers
    padded, total = pairs + 2, split + 2 * (won + 1)
    squares = split + 4 * (won + 1)
    centre = total / (2 * padded)
    variance = (squares * padded - total**2) / (4 * padded * (padded - 1))
    reach = normal_quantile(confidence) * math.sqrt(variance / padded)
    inside = (split + 2 * won) / (2 * pairs) if pairs else centre
    return max(0.0, min(inside, centre - reach)), min(1.0, max(inside, centre + reach))


def points_interval(  # noqa: PLR0913, PLR0917 - the sums of one kind, in the order of their names
    pairs: int,
    difference: int,
    rounds: int,
    difference_squares: int,
    rounds_squares: int,
    products: int,
    confidence: float = CONFIDENCE,
) -> tuple[float, float]:
    """Gives the interval of how many game points a round a bot makes more than its opponents.

    The mean is the ratio of two sums over pairs: points made more (d), and rounds (r). Its standard
    error is by the delta method (W. Cochran, "Sampling Techniques", 3rd edition, 1977, section
    6.4), over the pairs and two pseudo-pairs more of the usual length, half a point a round above
    and below the mean; the interval is by Student's distribution, with as many degrees of freedom
    as there are pairs, pseudo-pairs included, but for one. So it is no point where all pairs went
    the same way.

    Args:
        pairs: how many, 1 or more.
        difference: the sum of d.
        rounds: the sum of r, 1 or more.
        difference_squares: the sum of d².
        rounds_squares: the sum of r².
        products: the sum of d r.
        confidence: how often the interval is to hold the truth.

    Returns:
        Its ends; the mean, difference / rounds, is in the middle.
    """
    mean = difference / rounds
    usual = rounds / pairs
    residuals = difference_squares - 2 * mean * products + mean * mean * rounds_squares
    freedom = pairs + 1
    # rounding may leave a trace below 0 where all residuals are 0
    squares = max(residuals, 0.0) + 2 * (_PSEUDO_POINTS * usual) ** 2
    padded = usual * (pairs + 2)
    error = math.sqrt(squares * (pairs + 2) / freedom) / padded
    reach = _student_quantile(confidence, freedom) * error
    return mean - reach, mean + reach


def _student_quantile(confidence: float, freedom: int) -> float:
    """Gives Student's quantile, to 1 % from three degrees of freedom on.

    By the expansion of M. Abramowitz and I. Stegun, "Handbook of Mathematical Functions", 26.7.5.
    """
    z = normal_quantile(confidence)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, start=1))
