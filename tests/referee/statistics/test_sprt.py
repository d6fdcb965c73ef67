"""The sequential test on pairs."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from californiajack import InputError
from californiajack_referee.statistics.scale import expected_score
from californiajack_referee.statistics.sprt import (
    SprtDecision,
    SprtSettings,
    log_likelihood_ratio,
    sprt,
)
from californiajack_referee.statistics.trials import sprt_trials
from californiajack_referee.values import PairSums

COUNT = st.one_of(st.just(0), st.integers(0, 10), st.integers(0, 10**9))


@given(COUNT, COUNT, COUNT, st.floats(-800, 800), st.floats(0.1, 800))
def test_the_ratio_is_finite_and_a_mirror_image(
    lost: int, split: int, won: int, elo0: float, width: float
) -> None:
    """From the first pair on, whatever happened; the opponent's has the other sign."""
    sums = PairSums(lost, split, won)
    ratio = log_likelihood_ratio(sums, elo0, elo0 + width)
    assert math.isfinite(ratio)
    mirrored = log_likelihood_ratio(sums.mirrored(), -elo0 - width, -elo0)
    assert mirrored == pytest.approx(-ratio, rel=1e-6, abs=1e-6 * max(1, sums.pairs))


def test_a_won_pair_speaks_for_better_and_a_lost_one_against_it() -> None:
    """Each step goes the right way, and no pair says nothing."""
    assert log_likelihood_ratio(PairSums(), 0, 10) == 0
    assert log_likelihood_ratio(PairSums(won=1), 0, 10) > 0
    assert log_likelihood_ratio(PairSums(lost=1), 0, 10) < 0
    # all won: nearly nothing is left open but the part of pairs that is won
    expected = 50 * math.log(expected_score(10) / expected_score(0))
    assert log_likelihood_ratio(PairSums(won=50), 0, 10) == pytest.approx(expected, rel=0.03)


def test_the_shares_are_the_likeliest_ones() -> None:
    """A general maximiser under the same constraint finds the same ratio."""
    counts, elos = (30.5, 130.001, 40.5), (0.0, 60.0)

    def most(elo: float) -> float:
        mean = expected_score(elo)

        def loss(won: float) -> float:
            shares = (1 - won - 2 * (mean - won), 2 * (mean - won), won)
            return -sum(n * math.log(max(p, 1e-300)) for n, p in zip(counts, shares, strict=True))

        bounds = (max(0.0, 2 * mean - 1), mean)
        return -float(optimize.minimize_scalar(loss, bounds=bounds, method="bounded").fun)

    found = log_likelihood_ratio(PairSums(30, 130, 40), *elos)
    assert found == pytest.approx(most(elos[1]) - most(elos[0]), abs=1e-3)


def test_it_decides_at_its_bounds() -> None:
    """The bounds are those of alpha and beta, and crossing one is a decision."""
    settings = SprtSettings(0, 10, 0.05, 0.1)
    assert settings.upper == pytest.approx(math.log(1 / 0.05))
    assert settings.lower == pytest.approx(math.log(0.1))
    assert sprt(PairSums(), settings).decision is SprtDecision.UNDECIDED
    assert sprt(PairSums(10, 800, 90), settings).decision is SprtDecision.BETTER
    assert sprt(PairSums(90, 800, 10), settings).decision is SprtDecision.NOT_BETTER
    state = sprt(PairSums(1, 2, 1), settings)
    assert (state.pairs, state.lower, state.upper) == (4, settings.lower, settings.upper)


@pytest.mark.parametrize(
    "wrong",
    [
        {"elo0": 10.0, "elo1": 10.0},
        {"elo0": 5.0, "elo1": 0.0},
        {"elo0": math.nan},
        {"elo1": math.inf},
        {"alpha": 0.0},
        {"beta": 0.5},
        {"alpha": math.nan},
    ],
)
def test_settings_that_make_no_test_are_refused(wrong: dict[str, float]) -> None:
    """The message says what was expected and what was found."""
    with pytest.raises(InputError, match=r"expected .* got"):
        SprtSettings(**wrong)


@pytest.mark.parametrize("every", [1, 25])
def test_it_errs_no_more_often_than_promised(every: int) -> None:
    """Simulated tests err in at most some 5 %, however often they are looked at."""
    settings = SprtSettings(0, 60)
    equal = sprt_trials(0, settings, 200, every=every, seed=1)
    better = sprt_trials(60, settings, 200, every=every, seed=2)
    # 3 % over the promise is two standard errors of 200 tests
    assert equal.better <= 0.08
    assert better.not_better <= 0.08
    assert equal.better + equal.not_better == 1
