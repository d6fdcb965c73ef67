"""What more pairs are worth to the order of bots, from where a fit stands. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from scipy import linalg

from californiajack_referee.statistics.anytime import deviations_needed, log_evidence
from californiajack_referee.statistics.bradley_terry import influences, laplacian
from californiajack_referee.statistics.scale import ELO_A_LOGIT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from californiajack_referee.statistics.bradley_terry import Strengths
    from californiajack_referee.statistics.pairings import PairTable

    Array = NDArray[np.float64]

_USUAL_PAIRS = 2.0
"""Pairs of the usual spread that every pairing's own spread is mixed with."""
_WAYS = 4
"""Two neighbours may be told apart wrongly by either bound and, equal ones, either way round."""
_PARTS = 8
_MOST_PAIRS = 10**9
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Separation:
    """How far two neighbours are from being told apart: by all pairs, and by their own alone."""

    better: int
    """The number of the bot that stands higher."""
    worse: int
    """The number of the next one."""
    difference: float
    """By how many Elo points it stands higher, 0 or more."""
    deviation: float
    """The standard error of the difference, in Elo points."""
    needed: float
    """How many standard errors the difference has to be; 1,000 stands for any number above it."""
    evidence: float
    """The logarithm of the evidence of the pairs that the two played against each other."""
    evidence_needed: float
    """What that has to be."""

    @property
    def by_all(self) -> float:
        """Which part of what it takes all pairs have, about: 1 or more tells the two apart."""
        return (self.difference / (self.needed * self.deviation)) ** 2

    @property
    def by_own(self) -> float:
        """Which part of what it takes their own pairs have: 1 or more tells the two apart."""
        return max(0.0, self.evidence / self.evidence_needed)

    @property
    def settled(self) -> bool:
        """Whether the two are told apart, by one or the other."""
        return (
            self.difference >= self.needed * self.deviation or self.evidence >= self.evidence_needed
        )


class Outlook:
    """How far all neighbours are from being told apart, and which pairs bring them there.

    Args:
        table: all pairings of the bots, each with pairs.
        fit: their fit.
        certainty: how often the whole order is to be right.
    """

    def __init__(self, table: PairTable, fit: Strengths, certainty: float) -> None:
        self._table, self._fit = table, fit
        count = len(table.bots)
        # by few digits, so that rounding decides nothing; then by number
        ranks = np.round(fit.theta, _DIGITS)
        self._order: list[int] = np.argsort(-ranks, kind="stable").tolist()
        steps = np.arange(count - 1)
        self._contrasts = np.zeros((count - 1, count))
        self._contrasts[steps, self._order[:-1]] = 1
        self._contrasts[steps, self._order[1:]] = -1
        self._differences = np.maximum(self._contrasts @ ranks, 0)
        self._wrong = (1 - certainty) / (count - 1) / _WAYS
        self._slope = fit.scores * (1 - fit.scores)
        usual = fit.squares.sum() / (table.pairs * self._slope).sum()
        self._spread = (fit.squares + _USUAL_PAIRS * usual * self._slope) / (
            table.pairs + _USUAL_PAIRS
        )
        moved = influences(table, fit, self._contrasts)
        self._variances = moved**2 @ fit.squares
        # of the variances (Satterthwaite)
        self._freedom = 2 * self._variances**2 / (moved**4 @ fit.fourths)
        self._find_own()

    def _find_own(self) -> None:
        """Finds the pairing that each two neighbours have with each other."""
        ends = zip(self._table.first.tolist(), self._table.second.tolist(), strict=True)
        place = {pairing: at for at, pairing in enumerate(ends)}
        steps = list(pairwise(self._order))
        self._own = np.array([place[min(step), max(step)] for step in steps])
        turned = np.array([better > worse for better, worse in steps])
        lost, won = self._table.lost[self._own], self._table.won[self._own]
        self._own_lost, self._own_won = np.where(turned, won, lost), np.where(turned, lost, won)

    @property
    def order(self) -> tuple[int, ...]:
        """The bots' numbers, best first."""
        return tuple(self._table.bots[place] for place in self._order)

    @property
    def _evidence_needed(self) -> float:
        return float(-np.log(self._wrong))

    def _needed(self, variances: Array, freedom: Array) -> Array:
        return deviations_needed(ELO_A_LOGIT * np.sqrt(variances), freedom, self._wrong)

    def separations(self) -> tuple[Separation, ...]:
        """Tells of all neighbours how far they are from being told apart."""
        needed = self._needed(self._variances, self._freedom)
        evidence = log_evidence(self._own_lost, self._own_won)
        return tuple(
            Separation(
                better=better,
                worse=worse,
                difference=float(self._differences[place]) * ELO_A_LOGIT,
                deviation=float(np.sqrt(self._variances[place])) * ELO_A_LOGIT,
                needed=float(needed[place]),
                evidence=float(evidence[place]),
                evidence_needed=self._evidence_needed,
            )
            for place, (better, worse) in enumerate(pairwise(self.order))
        )

    def _reached(self, variances: Array, freedom: Array, times: Array) -> Array:
        """Gives how much of what it takes each two neighbours have; 1 is all of it.

        Args:
            variances: of their differences.
            freedom: degrees of freedom of these.
            times: how many times as many pairs of their own they have.
        """
        bound = self._needed(variances, freedom) * np.sqrt(variances)
        own = log_evidence(self._own_lost * times, self._own_won * times)
        return np.maximum((self._differences / bound) ** 2, own / self._evidence_needed)

    def plan(self, pairs: int) -> dict[tuple[int, int], int]:
        """Shares out pairs, a part at a time, among the pairings that help the worst neighbours.

        The worst are those that have the least of what it takes. Every other part goes to the
        pairing that narrows their difference most, and the rest to their own pairing, so that the
        evidence of their own pairs grows, too. It is then foreseen how far the part brings them.
        """
        parts = min(_PARTS, pairs)
        sizes = [pairs // parts + (part < pairs % parts) for part in range(parts)]
        slopes = (self._table.pairs + self._table.pseudo_pairs()) * self._slope
        squares = self._fit.squares.copy()
        inverse = self._fit.inverse
        first = int(self._table.pairs.sum()) // pairs
        chosen = np.zeros(len(slopes), dtype=np.int64)
        for part, size in enumerate(sizes, start=first):
            moved = self._contrasts @ inverse
            moved = moved[:, self._table.first] - moved[:, self._table.second]
            times = 1 + chosen[self._own] / self._table.pairs[self._own]
            reached = self._reached(moved**2 @ squares, self._freedom, times)
            worst = int(np.argmin(np.round(reached, _DIGITS)))
            pairing = (
                int(self._own[worst])
                if part % 2
                else self._best_for(worst, moved[worst], inverse, squares)
            )
            chosen[pairing] += size
            slopes[pairing] += size * self._slope[pairing]
            squares[pairing] += size * self._spread[pairing]
            inverse = _inverse(laplacian(self._table, slopes))
        return {
            self._key(pairing): int(chosen[pairing]) for pairing in np.flatnonzero(chosen).tolist()
        }

    def _best_for(self, worst: int, moved: Array, inverse: Array, squares: Array) -> int:
        """Gives the pairing of which one pair more lowers the variance of a difference most."""
        shared = inverse @ (laplacian(self._table, squares) @ (inverse @ self._contrasts[worst]))
        between = shared[self._table.first] - shared[self._table.second]
        change = moved * (self._spread * moved - 2 * self._slope * between)
        # by few digits, so that rounding decides nothing; then by number
        return int(np.argmin(np.round(change / np.abs(change).max(), _DIGITS)))

    def _key(self, pairing: int) -> tuple[int, int]:
        ends = (self._table.first[pairing], self._table.second[pairing])
        first, second = (self._table.bots[int(place)] for place in ends)
        return (first, second)

    def round_robin(self) -> int | None:
        """Gives the pairs a pairing after which a round robin of this fit is settled."""
        # more pairs help only where one of the two bounds sees a difference
        ahead = self._own_won > self._own_lost
        if not np.all((self._differences > 0) | ahead):
            return None
        moved = self._contrasts @ _inverse(laplacian(self._table, self._slope))
        moved = moved[:, self._table.first] - moved[:, self._table.second]
        variances = moved**2 @ self._spread
        sure = np.full(len(variances), np.inf)
        own = self._table.pairs[self._own]

        def settles(pairs: int) -> bool:
            return bool(np.all(self._reached(variances / pairs, sure, pairs / own) >= 1))

        low, high = 0, 1
        while not settles(high):
            if high > _MOST_PAIRS:
                return None
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if settles(middle) else (middle, high)
        return high


def _inverse(curvature: Array) -> Array:
    count = len(curvature)
    return np.asarray(linalg.inv(curvature + 1 / count) - 1 / count)
