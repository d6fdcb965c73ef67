"""A sequential test on pairs: is one bot better than another one? Pure.

The sequential probability ratio test (A. Wald, "Sequential Tests of Statistical Hypotheses",
Annals of Mathematical Statistics 16 (1945), p. 117) in its generalized form, in which what the
hypotheses leave open is put at its likeliest: here how often a pair is lost, split or won, given
the mean score that an Elo difference means (X. Li, J. Liu, Z. Ying, "Generalized Sequential
Probability Ratio Test for Separate Families of Hypotheses", Sequential Analysis 33 (2014), p. 539;
M. Van den Bergh, "A Practical Introduction to the GSPRT", 2017, who uses it for matches of chess
programs). The distribution of pairs needn't be known beforehand, and the two games of a pair
needn't be independent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from californiajack import InputError
from californiajack_referee.statistics.scale import expected_score

if TYPE_CHECKING:
    from californiajack_referee.values import PairSums

_SCORES = (0.0, 0.5, 1.0)
_PSEUDO_PAIRS = (0.5, 1e-3, 0.5)
"""What is added to the pairs lost, split and won, so that nothing is held to be impossible because
it wasn't seen yet."""
_STEPS = 200


class SprtDecision(StrEnum):
    """What a sequential test has come to."""

    BETTER = "better"
    """The difference is `elo1` rather than `elo0`."""
    NOT_BETTER = "not better"
    """It is `elo0` rather than `elo1`."""
    UNDECIDED = "undecided"
    """More pairs are needed."""


@dataclass(frozen=True, slots=True)
class SprtSettings:
    """What is tested, and how surely.

    Raises:
        InputError: the settings make no test.
    """

    elo0: float = 0.0
    """The difference that is not worth it, in Elo points."""
    elo1: float = 10.0
    """The difference that is, in Elo points; above `elo0`."""
    alpha: float = 0.05
    """How often a bot that stands `elo0` above may be called better; above 0 and below ½."""
    beta: float = 0.05
    """How often a bot that stands `elo1` above may be called not better; above 0 and below ½."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise InputError(
                f"sequential test: expected elo0 below elo1, such as 0 and 10, "
                f"got {self.elo0:g} and {self.elo1:g}"
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:  # noqa: PLR2004 - half
                raise InputError(
                    f"sequential test: expected {name} above 0 and below 0.5, such as 0.05, "
                    f"got {value:g}"
                )

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at or below which it is decided for `elo0`: log(beta).

        Wald's own bounds, log(beta / (1 - alpha)) and log((1 - beta) / alpha), are a little
        narrower; they would do if the shares of the outcomes were known and not estimated.
        """
        return math.log(self.beta)

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at or above which it is decided for `elo1`: -log(alpha)."""
        return -math.log(self.alpha)


@dataclass(frozen=True, slots=True)
class SprtState:
    """Where a sequential test stands."""

    pairs: int
    """Pairs it has seen."""
    ratio: float
    """The logarithm of the likelihood ratio of `elo1` to `elo0`."""
    lower: float
    """At or below it, the decision is that it is not better."""
    upper: float
    """At or above it, the decision is that it is better."""
    decision: SprtDecision
    """What the test has come to."""


def sprt(sums: PairSums, settings: SprtSettings) -> SprtState:
    """Tells where the test stands after some pairs.

    It may be looked at after every pair or every so many pairs, as long as nobody looks further
    once it has decided: looking less often makes neither kind of error likelier, it only takes some
    more pairs.

    Args:
        sums: the pairs of the bot that is tested against the other one.
        settings: what is tested, and how surely.
    """
    ratio = log_likelihood_ratio(sums, settings.elo0, settings.elo1)
    if ratio >= settings.upper:
        decision = SprtDecision.BETTER
    elif ratio <= settings.lower:
        decision = SprtDecision.NOT_BETTER
    else:
        decision = SprtDecision.UNDECIDED
    return SprtState(sums.pairs, ratio, settings.lower, settings.upper, decision)


def log_likelihood_ratio(sums: PairSums, elo0: float, elo1: float) -> float:
    """Gives the logarithm of the generalized likelihood ratio of `elo1` to `elo0`.

    It is finite whatever the pairs are, and 0 without a pair.
    """
    if not sums.pairs:
        return 0.0
    seen = (sums.lost, sums.split, sums.won)
    counts = [count + pseudo for count, pseudo in zip(seen, _PSEUDO_PAIRS, strict=True)]
    total = sum(counts)
    shares = [count / total for count in counts]
    under0, under1 = (_likeliest(shares, expected_score(elo)) for elo in (elo0, elo1))
    return sum(
        count * math.log(one / zero)
        for count, one, zero in zip(counts, under1, under0, strict=True)
    )


def _likeliest(shares: list[float], mean: float) -> list[float]:
    """Gives the likeliest shares of the outcomes whose mean score is `mean`.

    They are share / (1 + t (score - mean)), with the t that makes their mean right (A. Owen,
    "Empirical Likelihood Ratio Confidence Intervals for a Single Functional", Biometrika 75 (1988),
    p. 237). It lies between the two poles, where what is looked for falls from infinity to minus
    infinity, so halving finds it.
    """
    offsets = [score - mean for score in _SCORES]
    low, high = -1 / max(offsets), -1 / min(offsets)
    for _ in range(_STEPS):
        t = (low + high) / 2
        if t in (low, high):
            break
        excess = sum(s * x / (1 + t * x) for s, x in zip(shares, offsets, strict=True))
        low, high = (t, high) if excess > 0 else (low, t)
    return [s / (1 + t * x) for s, x in zip(shares, offsets, strict=True)]
