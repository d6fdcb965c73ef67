"""How often 95 % intervals hold the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from figures import Figure

from californiajack_referee.statistics.intervals import pair_score, point_difference
from californiajack_referee.statistics.scale import expected_score
from californiajack_referee.statistics.simulated import MEASURED_CORRELATION, simulated_pairs
from californiajack_referee.statistics.trials import coverage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

UNEVEN = (0, 100, 120, 250, 260, 400, 430, 600, 640, 800)
"""Ten bots that stand unevenly, in Elo points."""
_TOURNAMENTS = 2000
_LEAST, _MOST = 93.0, 97.0
_LITTLE_LUCK = 0.5
"""Bots that differ much: the cards are half of the luck."""


def _coverage(
    size: float,
    strengths: Sequence[float],
    pairs: int,
    correlation: float = MEASURED_CORRELATION,
    most: float | None = _MOST,
) -> Iterator[Figure]:
    found = coverage(
        strengths, pairs, round(_TOURNAMENTS * size), correlation=correlation, seed=pairs
    )
    kind = "unequal" if max(strengths) > min(strengths) else "equal"
    name = f"{len(strengths)} bots, {kind}, {pairs} pairs, cards {100 * correlation:.0f} %: "
    for what, part in (("ratings", found.ratings), ("neighbours", found.neighbours)):
        yield Figure(name + what, 100 * part, "%", least=_LEAST, most=most)


def four_bots(size: float) -> Iterator[Figure]:
    """Counts for four bots; with few pairs that are nearly all split, intervals may be too wide."""
    equal, unequal = (0.0,) * 4, (0.0, 100.0, 300.0, 500.0)
    for strengths in (equal, unequal):
        yield from _coverage(size, strengths, 100)
        yield from _coverage(size, strengths, 50, _LITTLE_LUCK)
        yield from _coverage(size, strengths, 5, most=None)


def ten_bots(size: float) -> Iterator[Figure]:
    """Counts for ten bots."""
    for strengths in ((0.0,) * 10, UNEVEN):
        yield from _coverage(size, strengths, 30)
        yield from _coverage(size, strengths, 20, _LITTLE_LUCK)
        yield from _coverage(size, strengths, 2, most=None)


def forty_bots(size: float) -> Iterator[Figure]:
    """Counts for forty bots."""
    for strengths in ((0.0,) * 40, tuple(np.linspace(0, 800, 40).tolist())):
        yield from _coverage(size, strengths, 10)
        yield from _coverage(size, strengths, 1, most=None)


def means(size: float) -> Iterator[Figure]:
    """Counts for the mean score and the mean difference of points of one pairing."""
    generator = np.random.default_rng(7)
    for difference in (0.0, 30.0, 300.0):
        many, _ = simulated_pairs(generator, difference, 2_000_000)
        points, score = many.difference / many.rounds, expected_score(difference)
        for pairs in (5, 20, 200):
            held = scored = 0
            tries = round(_TOURNAMENTS * size)
            for _ in range(tries):
                sums, _ = simulated_pairs(generator, difference, pairs)
                mean, made = pair_score(sums), point_difference(sums)
                scored += mean.low <= score <= mean.high
                held += (
                    made.low is not None
                    and made.high is not None
                    and (made.low <= points <= made.high)
                )
            name = f"{pairs} pairs, {difference:.0f} Elo apart: "
            yield Figure(name + "mean score", 100 * scored / tries, "%", least=_LEAST)
            yield Figure(name + "points a round", 100 * held / tries, "%", least=_LEAST)
