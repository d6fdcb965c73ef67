"""Bounds that hold at all looks together, however often one looks. Pure.

A plain interval that is looked at again and again is on the wrong side at some look far more often
than it says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import special

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

EASIEST_ELO = 40.0
"""The difference, in Elo points, that the bound settles with fewest pairs next to other bounds."""
_MOST_DEVIATIONS = 1000.0


def deviations_needed(deviation: Array, freedom: Array, wrong: float) -> Array:
    """Tells how many standard errors from 0 settle a difference that is looked at at any time.

    The bound is one that the normal process of an equal pair crosses at any time at all in at most
    the allowed part of cases (H. Robbins, "Statistical Methods Related to the Law of the Iterated
    Logarithm", Annals of Mathematical Statistics 41 (1970), p. 1397; for estimates that are normal
    in the long run only: I. Waudby-Smith et al., "Time-uniform central limit theory and asymptotic
    confidence sequences", Annals of Statistics 52 (2024), p. 2613). It is the one of a normal
    mixture, two-sided at twice `wrong`: (1 + 1/u) (log(1 + u)
    - 2 log(2 wrong)), as a square, where u is the information in units of 1 / `EASIEST_ELO`
    squared. Where the spread is known from few pairs, Student's distribution is put in the place of
    the normal one.

    Args:
        deviation: standard errors of differences, in Elo points.
        freedom: degrees of freedom of each.
        wrong: how often one of them may be settled the wrong way round, below ½.
    """
    information = (EASIEST_ELO / deviation) ** 2
    square = (1 + 1 / information) * (np.log1p(information) - 2 * np.log(min(2 * wrong, 1.0)))
    # from some 37 standard errors on, a tail is smaller than the smallest number
    tail = special.ndtr(-np.minimum(np.sqrt(square), 37.0))
    return np.asarray(np.minimum(-special.stdtrit(freedom, tail), _MOST_DEVIATIONS))


def log_evidence(lost: ArrayLike, won: ArrayLike) -> Array:
    """Gives the logarithm of the evidence in pairs of two bots that the first one is the better.

    It is what a stake of 1 has become that was bet on the first bot, pair after pair, at fair odds
    and at all rates from nothing to everything at once: the integral over x from 0 to 1 of
    (1 + x)^won (1 - x)^lost. Split pairs change nothing. Where the first bot isn't the better one,
    it comes to 1 / a or more at any time at all in at most the part a of cases (J. Ville, "Etude
    critique de la notion de collectif", 1939; I. Waudby-Smith, A. Ramdas, "Estimating means of
    bounded random variables by betting", Journal of the Royal Statistical Society B 86 (2024),
    p. 1). That is exact from the first pair on, whatever the spread is.

    Args:
        lost: pairs that the first bot lost; expected numbers may be broken.
        won: pairs that it won.
    """
    losses, wins = np.asarray(lost, dtype=np.float64), np.asarray(won, dtype=np.float64)
    upper = special.betaincc(wins + 1, losses + 1, 0.5)
    # below the smallest number there is no evidence at all
    whole = special.betaln(wins + 1, losses + 1) + np.log(np.maximum(upper, 1e-300))
    return np.asarray((wins + losses + 1) * np.log(2) + whole)
