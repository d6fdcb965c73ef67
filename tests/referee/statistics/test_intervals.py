"""Mean scores and mean differences of points, with their intervals."""

from __future__ import annotations

import math
from collections import Counter
from statistics import NormalDist, fmean, stdev
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from californiajack_referee.statistics.intervals import (
    PointDifference,
    pair_score,
    point_difference,
)
from californiajack_referee.statistics.simulated import simulated_pairs
from californiajack_referee.values import PairSums

if TYPE_CHECKING:
    from collections.abc import Iterable


def _counted(scores: Iterable[float]) -> PairSums:
    counts = Counter(scores)
    return PairSums(counts[0], counts[0.5], counts[1])


SCORES = st.lists(st.sampled_from((0.0, 0.5, 1.0)), max_size=200)


@given(SCORES)
def test_the_mean_is_inside_and_the_interval_is_no_point(scores: list[float]) -> None:
    """However few pairs there are and however they went, the interval says that it is unsure."""
    found = pair_score(_counted(scores))
    assert 0 <= found.low < found.high <= 1
    assert found.pairs == len(scores)
    if scores:
        assert found.mean == pytest.approx(sum(scores) / len(scores))
        assert found.mean is not None
        assert found.low <= found.mean <= found.high


@given(SCORES)
def test_both_sides_of_a_pairing_agree(scores: list[float]) -> None:
    """The opponent's interval is the mirror image."""
    counts = _counted(scores)
    mine, theirs = pair_score(counts), pair_score(counts.mirrored())
    assert mine.low == pytest.approx(1 - theirs.high)
    assert mine.high == pytest.approx(1 - theirs.low)


@given(SCORES.filter(bool))
def test_the_interval_is_that_of_the_scores_themselves(scores: list[float]) -> None:
    """Counting by kinds gives what summing the single scores gives, pseudo-pairs included."""
    found, padded = pair_score(_counted(scores)), [*scores, 0.0, 1.0]
    reach = NormalDist().inv_cdf(0.975) * stdev(padded) / math.sqrt(len(padded))
    assert found.low == pytest.approx(max(0, min(fmean(scores), fmean(padded) - reach)))
    assert found.high == pytest.approx(min(1, max(fmean(scores), fmean(padded) + reach)))


def test_without_pairs_nothing_is_known() -> None:
    """No pair, no mean, and an interval over all that can be."""
    found = pair_score(PairSums())
    assert (found.pairs, found.mean, found.low, found.high) == (0, None, 0, 1)


def test_more_pairs_say_more() -> None:
    """The interval of the same mean shrinks about as the root of the number of pairs."""
    narrow, wide = pair_score(PairSums(100, 200, 100)), pair_score(PairSums(25, 50, 25))
    assert (wide.high - wide.low) / (narrow.high - narrow.low) == pytest.approx(2, rel=0.05)


@pytest.mark.parametrize("pairs", [2, 5, 10, 20, 50])
@pytest.mark.parametrize(
    ("lost", "split", "won"),
    [
        (0.25, 0.5, 0.25),
        (0.5, 0.0, 0.5),
        (0.1, 0.8, 0.1),
        (0.0225, 0.255, 0.7225),
        (0.0025, 0.095, 0.9025),
        (0.0001, 0.0198, 0.9801),
        (0.05, 0.0, 0.95),
        (0.01, 0.97, 0.02),
    ],
)
def test_the_interval_holds_the_truth_as_often_as_it_says(
    pairs: int, lost: float, split: float, won: float
) -> None:
    """Counted exactly over all outcomes, the interval's coverage is 93.5 % or more."""
    truth = won + split / 2
    covered = 0.0
    for losses in range(pairs + 1):
        for splits in range(pairs - losses + 1):
            wins = pairs - losses - splits
            ways = math.comb(pairs, losses) * math.comb(pairs - losses, splits)
            chance = ways * lost**losses * split**splits * won**wins
            if chance < 1e-9:
                continue
            found = pair_score(PairSums(losses, splits, wins))
            if found.low - 1e-12 <= truth <= found.high + 1e-12:
                covered += chance
    assert covered >= 0.934


def _points(generator: np.random.Generator, pairs: int) -> PairSums:
    return simulated_pairs(generator, 100.0, pairs, 0.5)[0]


def test_without_a_finished_round_no_difference_is_known() -> None:
    """No pair, or none that ended normally, no mean and no interval."""
    assert point_difference(PairSums()) == PointDifference(0, None, None, None)
    assert point_difference(PairSums(won=3)) == PointDifference(0, None, None, None)


@pytest.mark.parametrize("pairs", [1, 2, 10, 1000])
def test_points_that_always_differ_the_same_are_no_point(pairs: int) -> None:
    """An interval has a width even where all pairs went the same way, and less with more pairs."""
    same = PairSums(0, 0, pairs, pairs, 6 * pairs, 12 * pairs, 36 * pairs, 144 * pairs, 72 * pairs)
    found = point_difference(same)
    assert found.mean == 0.5
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.5 < found.high
    assert found.high - found.low == pytest.approx(
        {1: 2.5, 2: 1.3, 10: 0.29, 1000: 0.00277}[pairs], rel=0.1
    )


def test_points_of_many_pairs_are_known_as_the_delta_method_says() -> None:
    """The interval is that of residuals d - m r, next to which the pseudo-pairs fade."""
    sums = _points(np.random.default_rng(1), 5000)
    found = point_difference(sums)
    mean = sums.difference / sums.rounds
    residuals = sums.difference_squares - 2 * mean * sums.products + mean**2 * sums.rounds_squares
    reach = 1.96 * math.sqrt(residuals) / sums.rounds
    assert found.mean == mean
    assert found.low == pytest.approx(mean - reach, abs=0.02 * reach)
    assert found.high == pytest.approx(mean + reach, abs=0.02 * reach)


def test_intervals_of_points_hold_the_truth() -> None:
    """In simulated pairings they hold it 93 times in 100 or more, from few pairs on."""
    generator = np.random.default_rng(2)
    many = _points(generator, 400_000)
    truth = many.difference / many.rounds
    for pairs in (3, 30):
        held = 0
        for _ in range(500):
            found = point_difference(_points(generator, pairs))
            assert found.low is not None
            assert found.high is not None
            held += found.low <= truth <= found.high
        assert held >= 0.93 * 500


def test_a_wider_interval_is_surer() -> None:
    """The confidence that is asked for is the confidence of both kinds of interval."""
    sums = _points(np.random.default_rng(3), 50)
    usual, sure = pair_score(sums), pair_score(sums, 0.999)
    assert sure.low < usual.low
    assert sure.high > usual.high
    narrow, wide = point_difference(sums), point_difference(sums, 0.999)
    assert narrow.low is not None
    assert wide.low is not None
    assert wide.low < narrow.low
