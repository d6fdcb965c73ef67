"""Which pairs to play next, so that the order of all bots is settled soonest. Pure.

After a short round robin, pairs go where they narrow the difference of the two neighbours that are
furthest from being told apart. As the differences are looked at again and again, a plain interval
would too often be on the wrong side at some look. Instead a difference counts as settled once it is
as many standard errors from 0 as `deviations_needed` tells, a bound that the normal process of an
equal pair crosses at any time at all in at most the allowed part of cases (H. Robbins, "Statistical
Methods Related to the Law of the Iterated Logarithm", Annals of Mathematical Statistics 41 (1970),
p. 1397, formula 17; for estimates that are only normal in the long run: I. Waudby-Smith et al.,
"Time-uniform central limit theory and asymptotic confidence sequences", Annals of Statistics 52
(2024), p. 2613).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy import linalg, special

from californiajack import InputError
from californiajack_referee.statistics.bradley_terry import (
    Strengths,
    fit_group,
    influences,
    laplacian,
)
from californiajack_referee.statistics.pairings import one_way_round, pair_table
from californiajack_referee.statistics.scale import ELO_A_LOGIT
from californiajack_referee.values import PairSums

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from californiajack_referee.statistics.pairings import PairTable

    Array = NDArray[np.float64]

EASIEST_ELO = 40.0
"""The difference, in Elo points, that the bound settles with fewest pairs next to other bounds."""
_USUAL_PAIRS = 2.0
"""Pairs of the usual spread that every pairing's own spread is mixed with."""
_PARTS = 8
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class AdaptiveSettings:
    """How an adaptive tournament is played.

    Raises:
        InputError: the settings make no tournament.
    """

    certainty: float = 0.95
    """How often the whole order it stops at is the true one; from ½ and below 1."""
    opening: int = 10
    """Pairs that every pairing plays first, 1 or more."""
    step: int = 20
    """Pairs from one decision to the next, 1 or more."""

    def __post_init__(self) -> None:
        if not 0.5 <= self.certainty < 1:  # noqa: PLR2004 - half
            raise InputError(
                f"adaptive tournament: expected a certainty from 0.5 and below 1, such as 0.95, "
                f"got {self.certainty:g}"
            )
        for name, value in (("opening", self.opening), ("step", self.step)):
            if value < 1:
                raise InputError(
                    f"adaptive tournament: expected 1 pair or more for the {name}, got {value}"
                )


@dataclass(frozen=True, slots=True)
class Separation:
    """How far two neighbours are from being told apart."""

    better: int
    """The number of the bot that stands higher."""
    worse: int
    """The number of the next one."""
    difference: float
    """By how many Elo points it stands higher, 0 or more."""
    deviation: float
    """The standard error of the difference, in Elo points."""
    needed: float
    """How many standard errors the difference has to be for the order to be settled."""

    @property
    def settled(self) -> bool:
        """Whether the two are told apart."""
        return self.difference >= self.needed * self.deviation


@dataclass(frozen=True, slots=True)
class AdaptiveDecision:
    """Where an adaptive tournament stands, and what it plays next."""

    order: tuple[int, ...]
    """The bots' numbers, best first; by number as long as the opening isn't over."""
    separations: tuple[Separation, ...]
    """All neighbours in this order; empty as long as the opening isn't over."""
    next_pairs: dict[tuple[int, int], int]
    """How many pairs more each pairing plays, by its bots' numbers, the lower one first; empty
    where all is settled."""

    @property
    def settled(self) -> bool:
        """Whether all neighbours are told apart."""
        return not self.next_pairs


def decide(
    table: Mapping[tuple[int, int], PairSums],
    bots: Sequence[int],
    settings: AdaptiveSettings | None = None,
) -> AdaptiveDecision:
    """Decides what to play next, from nothing but the pairs that have been played.

    Args:
        table: the whole pairs of the tournament by the numbers of bot and opponent.
        bots: the numbers of all bots, two or more.
        settings: how the tournament is played.
    """
    settings = settings or AdaptiveSettings()
    played = one_way_round(table)
    order = tuple(sorted(bots))
    missing = {
        key: settings.opening - found
        for key in combinations(order, 2)
        if (found := played.get(key, PairSums()).pairs) < settings.opening
    }
    if missing or len(order) == 1:
        return AdaptiveDecision(order, (), missing)
    pairs = pair_table(played)
    outlook = _Outlook(pairs, fit_group(pairs), settings.certainty)
    separations = outlook.separations()
    ranked = tuple(pairs.bots[place] for place in outlook.order)
    if all(step.settled for step in separations):
        return AdaptiveDecision(ranked, separations, {})
    return AdaptiveDecision(ranked, separations, outlook.plan(settings.step))


def deviations_needed(deviation: Array, freedom: Array, wrong: float) -> Array:
    """Tells how many standard errors from 0 settle a difference that is looked at at any time.

    The bound is the one of a normal mixture, two-sided at twice `wrong`: (1 + 1/u) (log(1 + u)
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
    return np.asarray(-special.stdtrit(freedom, tail))


def round_robin_pairs(
    table: Mapping[tuple[int, int], PairSums],
    settings: AdaptiveSettings | None = None,
) -> int | None:
    """Estimates how many pairs a pairing a plain round robin needs to settle the same order.

    The strengths and the spread of pairs are taken as the fit of all pairs gives them. It is the
    least number of pairs of every pairing with which each difference of neighbours, as it was
    found, is as many standard errors from 0 as the same bound asks for. A real one may need more
    or fewer: it is as hard to foresee as the differences are known.

    Args:
        table: the whole pairs of the tournament, of all its pairings.
        settings: how the tournament is played.

    Returns:
        Pairs a pairing; None for less than two bots, or where two neighbours stand at the same.
    """
    settings = settings or AdaptiveSettings()
    pairs = pair_table(table)
    if len(pairs.bots) <= 1:
        return None
    outlook = _Outlook(pairs, fit_group(pairs), settings.certainty)
    return outlook.round_robin()


class _Outlook:
    """What more pairs are worth, from where a fit stands.

    Args:
        table: all pairings; each has pairs.
        fit: their fit.
        certainty: how often the whole order is to be right.
    """

    def __init__(self, table: PairTable, fit: Strengths, certainty: float) -> None:
        self._table, self._fit = table, fit
        count = len(table.bots)
        # by few digits, so that rounding decides nothing; then by number
        ranks = np.round(fit.theta, _DIGITS)
        self.order: list[int] = np.argsort(-ranks, kind="stable").tolist()
        steps = np.arange(count - 1)
        self._contrasts = np.zeros((count - 1, count))
        self._contrasts[steps, self.order[:-1]] = 1
        self._contrasts[steps, self.order[1:]] = -1
        self._differences = np.maximum(self._contrasts @ ranks, 0)
        self._wrong = (1 - certainty) / (count - 1)
        binomial = fit.scores * (1 - fit.scores)
        usual = fit.squares.sum() / (table.pairs * binomial).sum()
        self._spread = (fit.squares + _USUAL_PAIRS * usual * binomial) / (
            table.pairs + _USUAL_PAIRS
        )
        self._slope = binomial
        self._freedom = self._freedom_of(influences(table, fit, self._contrasts))

    def _freedom_of(self, moved: Array) -> Array:
        """Gives the degrees of freedom of each difference's variance (Satterthwaite)."""
        variances = moved**2 @ self._fit.squares
        return np.asarray(2 * variances**2 / (moved**4 @ self._fit.fourths))

    def _needed(self, variances: Array, freedom: Array) -> Array:
        return deviations_needed(ELO_A_LOGIT * np.sqrt(variances), freedom, self._wrong)

    def separations(self) -> tuple[Separation, ...]:
        """Tells of all neighbours how far they are from being told apart."""
        moved = influences(self._table, self._fit, self._contrasts)
        variances = moved**2 @ self._fit.squares
        needed = self._needed(variances, self._freedom)
        return tuple(
            Separation(
                better=self._table.bots[self.order[place]],
                worse=self._table.bots[self.order[place + 1]],
                difference=float(self._differences[place]) * ELO_A_LOGIT,
                deviation=float(np.sqrt(variances[place])) * ELO_A_LOGIT,
                needed=float(needed[place]),
            )
            for place in range(len(variances))
        )

    def plan(self, pairs: int) -> dict[tuple[int, int], int]:
        """Shares out pairs, a part at a time, each to the pairing that helps the worst neighbours.

        The worst are those whose difference is the smallest next to what it has to be. It is then
        foreseen how much the part narrows all differences.
        """
        parts = min(_PARTS, pairs)
        sizes = [pairs // parts + (part < pairs % parts) for part in range(parts)]
        slopes = (self._table.pairs + self._table.pseudo_pairs()) * self._slope
        squares = self._fit.squares.copy()
        inverse = self._fit.inverse
        chosen: dict[int, int] = {}
        for size in sizes:
            moved = self._contrasts @ inverse
            moved = moved[:, self._table.first] - moved[:, self._table.second]
            variances = moved**2 @ squares
            needed = self._needed(variances, self._freedom)
            reached = self._differences / (needed * np.sqrt(variances))
            worst = int(np.argmin(np.round(reached, _DIGITS)))
            pairing = self._best_for(worst, moved[worst], inverse, squares)
            chosen[pairing] = chosen.get(pairing, 0) + size
            slopes[pairing] += size * self._slope[pairing]
            squares[pairing] += size * self._spread[pairing]
            inverse = _inverse(laplacian(self._table, slopes))
        return {self._key(pairing): size for pairing, size in sorted(chosen.items())}

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
        if not self._differences.min() > 0:
            return None
        moved = self._contrasts @ _inverse(laplacian(self._table, self._slope))
        moved = moved[:, self._table.first] - moved[:, self._table.second]
        variances = moved**2 @ self._spread
        sure = np.full(len(variances), np.inf)

        def settles(pairs: int) -> bool:
            spread = variances / pairs
            return bool(np.all(self._differences >= self._needed(spread, sure) * np.sqrt(spread)))

        low, high = 0, 1
        while not settles(high):
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if settles(middle) else (middle, high)
        return high


def _inverse(curvature: Array) -> Array:
    count = len(curvature)
    return np.asarray(linalg.inv(curvature + 1 / count, assume_a="pos") - 1 / count)
