"""Pair scores and their intervals."""

from __future__ import annotations

import math
from collections import Counter
from statistics import NormalDist, fmean, stdev
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from californiajack_referee.statistics.intervals import pair_score
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
