"""Ratings by maximum likelihood on all pairs."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from californiajack_referee.statistics.elo import EloFit, fit
from californiajack_referee.statistics.pairings import pair_table
from californiajack_referee.statistics.scale import ELO_A_LOGIT, elo_of_score, expected_score
from californiajack_referee.statistics.simulated import simulated_table
from californiajack_referee.statistics.trials import coverage
from californiajack_referee.values import PairSums

UNEVEN = (0, 100, 120, 250, 260, 400, 430, 600, 640, 800)
COUNT = st.one_of(st.just(0), st.integers(0, 5), st.integers(0, 1_000_000))
TABLES = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(4, 7)) | st.tuples(st.integers(3, 6), st.just(7)),
    st.builds(PairSums, COUNT, COUNT, COUNT),
    max_size=12,
)


def _same(one: EloFit, two: EloFit) -> bool:
    return (
        one.ratings == two.ratings
        and one.groups == two.groups
        and all(map(np.array_equal, one.covariances, two.covariances))
    )


@pytest.mark.parametrize("score", [0.01, 0.3, 0.5, 0.9])
def test_the_scale_goes_both_ways(score: float) -> None:
    """Elo points and expected scores are two ways to say the same."""
    assert expected_score(elo_of_score(score)) == pytest.approx(score)
    assert expected_score(400) == pytest.approx(10 / 11)
    assert expected_score(1e9) == 1
    assert expected_score(-1e9) == 0


def test_two_bots_stand_as_far_apart_as_their_score_says() -> None:
    """With many pairs the pseudo-pairs fade, and the rating is the score's."""
    found = fit({(1, 2): PairSums(1000, 3000, 6000)})
    apart = found.difference(1, 2)
    assert apart is not None
    assert apart.difference == pytest.approx(elo_of_score(0.75), rel=1e-3)
    # a pair's variance by its counts, and the slope of the scale at this score
    variance = (1000 * 0.75**2 + 3000 * 0.25**2 + 6000 * 0.25**2) / 10_000
    error = ELO_A_LOGIT * math.sqrt(variance / 10_000) / (0.75 * 0.25)
    assert apart.deviation == pytest.approx(error, rel=1e-3)
    assert apart.superiority > 0.999999
    assert apart.beyond_doubt


def test_it_is_the_maximum_of_the_likelihood() -> None:
    """No other method of maximising finds better strengths."""
    table = simulated_table(np.random.default_rng(4), UNEVEN, 20, 0.5)
    found, pairs = fit(table), pair_table(table)
    pseudo = pairs.pseudo_pairs()
    total = pairs.pairs + pseudo
    score = pairs.split / 2 + pairs.won + pseudo / 2

    def loss(theta: np.ndarray) -> float:
        apart = theta[pairs.first] - theta[pairs.second]
        return float(np.sum(total * np.logaddexp(0, apart) - score * apart))

    ours = np.array([found.ratings[bot].rating for bot in range(10)]) / ELO_A_LOGIT
    other = optimize.minimize(loss, np.zeros(10), method="BFGS").x
    assert loss(ours) <= loss(other) + 1e-9
    assert ours == pytest.approx(other - other.mean(), abs=1e-3)


def test_the_order_of_arrival_changes_nothing() -> None:
    """Shuffled and turned round, the same pairs give the same result to the last bit."""
    rng = random.Random(5)
    table = simulated_table(np.random.default_rng(5), UNEVEN, 7)
    expected = fit(table)
    for _ in range(20):
        items = rng.sample(list(table.items()), len(table))
        turned = {
            (two, one) if turn else (one, two): sums.mirrored() if turn else sums
            for (one, two), sums in items
            if (turn := rng.random() < 0.5) in (True, False)
        }
        assert _same(fit(turned), expected)


@given(TABLES)
@settings(max_examples=150, deadline=None)
def test_whatever_the_pairs_are_there_is_a_finite_answer(
    table: dict[tuple[int, int], PairSums],
) -> None:
    """All won, none played, groups apart: every rating is a number with an interval around it."""
    found = fit(table, bots=[0, 99])
    assert found.ratings[99].rating is None
    assert sorted(bot for group in found.groups for bot in group) == sorted(found.ratings)
    for line in found.ratings.values():
        assert (line.rating is None) == (line.pairs == 0)
        if line.rating is not None:
            assert line.low is not None
            assert line.high is not None
            assert -1e5 < line.low < line.rating < line.high < 1e5
    for group in found.groups:
        mean = sum(found.ratings[bot].rating or 0 for bot in group) / len(group)
        assert mean == pytest.approx(0, abs=1e-4)


def test_nothing_to_rate() -> None:
    """No bot, no ratings; one bot, or one with void games alone, has one without a number."""
    assert fit({}).ratings == {}
    assert fit({}).connected
    alone = fit({(3, 4): PairSums()})
    assert alone.groups == ((3,), (4,))
    assert [line.rating for line in alone.ratings.values()] == [None, None]
    assert alone.difference(3, 4) is None
    with pytest.raises(ValueError, match="against itself"):
        fit({(3, 3): PairSums(1, 1, 1)})
    with pytest.raises(ValueError, match="expected counts"):
        fit({(3, 4): PairSums(-1, 1, 1)})


def test_groups_that_never_met_are_rated_apart() -> None:
    """Each has the mean 0, and no difference leads from one to the other."""
    found = fit({(1, 2): PairSums(1, 3, 6), (8, 9): PairSums(5, 5, 5), (2, 3): PairSums(2, 2, 2)})
    assert [set(group) for group in found.groups] == [{1, 2, 3}, {8, 9}]
    assert found.groups[0][0] == 1
    assert not found.connected
    assert found.difference(1, 8) is None
    assert found.difference(1, 3) is not None


def test_a_bot_that_won_all_is_open_above() -> None:
    """All pairs won give a wide interval above 0, and the word that it may be any amount better."""
    found = fit({(1, 2): PairSums(0, 0, 10), (2, 3): PairSums(3, 3, 3)})
    apart = found.difference(1, 2)
    assert apart is not None
    assert apart.low > 0
    assert apart.high - apart.low > 500
    assert [found.ratings[bot].open_above for bot in (1, 2, 3)] == [True, False, False]
    assert [found.ratings[bot].open_below for bot in (1, 2, 3)] == [False, True, True]
    more = fit({(1, 2): PairSums(0, 0, 1000), (2, 3): PairSums(3, 3, 3)}).difference(1, 2)
    assert more is not None
    assert more.difference > apart.difference + 500


def test_pairs_count_not_games() -> None:
    """Pairs that are all split say more of two equal bots than pairs that are won or lost."""
    split, spread = fit({(1, 2): PairSums(2, 96, 2)}), fit({(1, 2): PairSums(50, 0, 50)})
    narrow, wide = split.difference(1, 2), spread.difference(1, 2)
    assert narrow is not None
    assert wide is not None
    assert wide.deviation > 4 * narrow.deviation


@pytest.mark.parametrize(
    ("strengths", "pairs", "correlation"),
    [((0.0,) * 4, 50, 0.5), (UNEVEN, 10, 0.979), (tuple(range(0, 800, 40)), 2, 0.5)],
)
def test_intervals_hold_the_truth(
    strengths: tuple[float, ...], pairs: int, correlation: float
) -> None:
    """In simulated tournaments they hold it some 95 times in 100; the long form is stricter."""
    found = coverage(strengths, pairs, 200, correlation=correlation, seed=1)
    assert 0.92 < found.ratings < 0.98
    assert 0.92 < found.neighbours < 0.985


def test_many_bots_that_met_few_others_are_rated() -> None:
    """Three hundred bots with eight opponents each come out about as strong as they are."""
    strengths = [float(4 * bot) for bot in range(300)]
    pairings = {
        (bot, other): 30
        for bot, step in itertools.product(range(300), (1, 7, 40, 90))
        if (other := bot + step) < 300
    }
    found = fit(simulated_table(np.random.default_rng(6), strengths, pairings))
    assert found.connected
    ratings = [line.rating or 0.0 for line in found.ratings.values()]
    assert np.corrcoef(ratings, strengths)[0, 1] > 0.99
