"""The Bradley-Terry model of one connected group of bots: its fit and its covariance. Pure.

The score of a pair (0, ½, 1) of bot i against bot j is expected to be

    p = 1 / (1 + exp(theta_j - theta_i))

(R. Bradley, M. Terry, "Rank Analysis of Incomplete Block Designs", Biometrika 39 (1952), p. 325).
Only this mean is taken from the model. How pairs spread around it is taken from the pairs
themselves, as the two games of a pair are no independent ones: the estimate maximises the binomial
quasi-likelihood and its covariance is the sandwich of the inverse curvature around the squares of
the pairs' residuals (H. White, "Maximum Likelihood Estimation of Misspecified Models", Econometrica
50 (1982), p. 8), scaled up by N / (N - parameters) for N pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import linalg, optimize, special

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from californiajack_referee.statistics.pairings import PairTable

    Array = NDArray[np.float64]

_POLISHING = 100
_CLOSE = 1e-11
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Strengths:
    """The fit of one group, in units of the logarithm of the odds: `ELO_A_LOGIT` Elo each."""

    theta: Array
    """Each bot's strength, of mean 0; shape (bots,)."""
    inverse: Array
    """The inverse of the curvature, with zero for a shift of all bots; shape (bots, bots)."""
    scores: Array
    """The expected score of each pairing's first bot, 0 to 1; shape (pairings,)."""
    squares: Array
    """The sum of the squares of the residuals of each pairing's pairs, pseudo-pairs included and
    corrected for the number of parameters; shape (pairings,)."""
    fourths: Array
    """The sum of their fourth powers; shape (pairings,)."""


def laplacian(table: PairTable, weights: Array) -> Array:
    """Gives the sum over all pairings of weight (e_i - e_j)(e_i - e_j)'; shape (bots, bots)."""
    count = len(table.bots)
    made = np.zeros((count, count))
    made[table.first, table.second] = made[table.second, table.first] = -weights
    made[np.diag_indices(count)] = table.of_bots(weights)
    return made


def theta_of(table: PairTable, pairs: Array, scores: Array) -> Array:
    """Maximises the quasi-likelihood of one connected group; shape (bots,), of mean 0.

    Args:
        table: whose pairings they are.
        pairs: pairs of each pairing, pseudo-pairs included; shape (pairings,).
        scores: the sum of the scores of its first bot; above 0 and below `pairs`.
    """
    count = len(table.bots)

    def loss(theta: Array) -> float:
        apart = theta[table.first] - theta[table.second]
        # the square of the sum pins down the shift that the scores leave open
        return float(np.sum(pairs * np.logaddexp(0, apart) - scores * apart)) + _shift(theta)

    def slope(theta: Array) -> Array:
        apart = theta[table.first] - theta[table.second]
        over = pairs * special.expit(apart) - scores
        by_bot = np.bincount(table.first, over, count) - np.bincount(table.second, over, count)
        return np.asarray(by_bot + theta.sum() / count)

    def curvature(theta: Array) -> Array:
        expected = special.expit(theta[table.first] - theta[table.second])
        return laplacian(table, pairs * expected * (1 - expected)) + 1 / count

    theta: Array = optimize.minimize(
        loss, np.zeros(count), method="Newton-CG", jac=slope, hess=curvature, options={"xtol": 1e-3}
    ).x
    # that comes close; Newton's steps, halved where they'd lead up, take it to the last digits
    for _ in range(_POLISHING):
        step = linalg.solve(curvature(theta), slope(theta), assume_a="pos")
        before = loss(theta)
        while loss(theta - step) > before + _ROUNDING * abs(before):
            step = step / 2
        theta = theta - step
        if np.abs(step).max() < _CLOSE:
            break
    return np.asarray(theta - theta.mean())


def _shift(theta: Array) -> float:
    return float(theta.sum() ** 2) / (2 * len(theta))


def fit_group(table: PairTable) -> Strengths:
    """Fits one connected group of two bots or more."""
    pairs, pseudo = table.pairs, table.pseudo_pairs()
    half = pseudo / 2
    theta = theta_of(table, pairs + pseudo, table.split / 2 + table.won + half)
    scores: Array = special.expit(theta[table.first] - theta[table.second])
    curvature = laplacian(table, (pairs + pseudo) * scores * (1 - scores))
    count = len(table.bots)
    inverse = linalg.inv(curvature + 1 / count) - 1 / count
    whole = pairs.sum()
    # never below one more than the parameters take, so that a handful of pairs has a finite factor
    factor = whole / max(whole - (count - 1), 1.0)
    residuals = (scores, 0.5 - scores, 1 - scores)
    counts = (table.lost * factor + half, table.split * factor, table.won * factor + half)
    squares = sum(n * r**2 for n, r in zip(counts, residuals, strict=True))
    fourths = sum(n * r**4 for n, r in zip(counts, residuals, strict=True))
    return Strengths(theta, inverse, scores, np.asarray(squares), np.asarray(fourths))


def covariance(table: PairTable, fit: Strengths) -> Array:
    """Gives the sandwich covariance of the strengths; shape (bots, bots)."""
    made = fit.inverse @ laplacian(table, fit.squares) @ fit.inverse
    return np.asarray((made + made.T) / 2)


def influences(table: PairTable, fit: Strengths, contrasts: Array) -> Array:
    """Gives by how much a pair's residual moves each contrast; shape (contrasts, pairings).

    Args:
        table: the pairings.
        fit: their fit.
        contrasts: what each bot's strength counts in each; shape (contrasts, bots).
    """
    moved = contrasts @ fit.inverse
    return np.asarray(moved[:, table.first] - moved[:, table.second])
