"""The update in closed form against the package's factor graph."""

from __future__ import annotations

import math
import random

import pytest
import trueskill
from hypothesis import assume, example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from californiajack_referee.league.stored import RatingSettings
from californiajack_referee.ranking.tally import Tally
from californiajack_referee.ranking.update import TwoPlayerUpdate, environment_of

MEANS = st.floats(-200, 200)
DEVIATIONS = st.floats(0.05, 50)


@hypothesis_settings(max_examples=100, deadline=None)
@given(MEANS, DEVIATIONS, MEANS, DEVIATIONS, st.sampled_from((0.0, 0.1, 0.9)))
@example(25.0, 25 / 3, 25.0, 25 / 3, 0.0)
@example(150.0, 0.05, -20.0, 0.05, 0.0)  # so far apart that the winner gains nothing to speak of
@example(-20.0, 0.05, 150.0, 0.05, 0.0)  # an upset that could hardly be
@example(-200.0, 50.0, 200.0, 50.0, 0.0)
def test_a_game_moves_both_as_the_package_does(
    mu_won: float, sigma_won: float, mu_lost: float, sigma_lost: float, draws: float
) -> None:
    """Whoever wins, from equal to hopeless: both means and deviations to 1e-9.

    Beyond 30 c its normal distribution nears the smallest numbers that there are, and is coarse.
    """
    settings = RatingSettings(draw_probability=draws)
    c = math.sqrt(2 * (settings.beta**2 + settings.tau**2) + sigma_won**2 + sigma_lost**2)
    assume(abs(mu_won - mu_lost) < 30 * c)
    environment = environment_of(settings)
    try:
        won, lost = trueskill.rate_1vs1(
            trueskill.Rating(mu_won, sigma_won),
            trueskill.Rating(mu_lost, sigma_lost),
            env=environment,
        )
    except FloatingPointError:
        assume(False)  # the package gives up: the next test
    found = TwoPlayerUpdate(settings)(mu_won, sigma_won, mu_lost, sigma_lost)
    assert found == pytest.approx((won.mu, won.sigma, lost.mu, lost.sigma), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("apart", [300.0, 1e4, 1e9])
def test_where_the_package_gives_up_the_limits_stand(apart: float) -> None:
    """An expected win moves no mean; an upset brings the two together; nothing breaks."""
    environment, update = environment_of(RatingSettings()), TwoPlayerUpdate(RatingSettings())
    high, low = trueskill.Rating(apart, 1), trueskill.Rating(0, 1)
    for pair in ((high, low), (low, high)):
        with pytest.raises(FloatingPointError):
            trueskill.rate_1vs1(*pair, env=environment)
    mu_won, sigma_won, mu_lost, sigma_lost = update(apart, 1, 0, 1)
    assert (mu_won, mu_lost) == (apart, 0)
    assert sigma_won == sigma_lost == pytest.approx(math.hypot(1, 25 / 300))
    mu_won, sigma_won, mu_lost, sigma_lost = update(0, 1, apart, 1)
    assert mu_won > 0
    assert mu_lost < apart
    assert 0 < sigma_won == sigma_lost < math.hypot(1, 25 / 300)


@pytest.mark.parametrize("bots", [2, 7, 40])
@pytest.mark.parametrize(
    "settings", [RatingSettings(), RatingSettings(mu=1500, sigma=500, beta=100, tau=5)]
)
def test_a_long_log_is_rated_as_the_package_does(bots: int, settings: RatingSettings) -> None:
    """Thousands of games of bots from hopeless to unbeatable: rounding never adds up to 1e-9."""
    rng = random.Random(bots)
    environment, tally = environment_of(settings), Tally(settings)
    ratings = {bot: environment.create_rating() for bot in range(bots)}
    for game in range(1000):
        better, worse = sorted(rng.sample(range(bots), 2))
        upset = rng.random() < 0.5 ** (1 + (worse - better) % 20)
        won, lost = (worse, better) if upset else (better, worse)
        ratings[won], ratings[lost] = trueskill.rate_1vs1(
            ratings[won], ratings[lost], env=environment
        )
        tally.add(game, won, lost, fault=False)
    for bot, line in tally.lines.items():
        assert line.mu == pytest.approx(ratings[bot].mu, rel=0, abs=1e-9)
        assert line.sigma == pytest.approx(ratings[bot].sigma, rel=0, abs=1e-9)
