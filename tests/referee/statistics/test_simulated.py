"""Simulated players do as they are told."""

from __future__ import annotations

import numpy as np
import pytest

from californiajack_referee.statistics.scale import expected_score
from californiajack_referee.statistics.simulated import (
    MEASURED_CORRELATION,
    outcome_shares,
    simulated_games,
    simulated_pairs,
    simulated_table,
)


@pytest.mark.parametrize("correlation", [0.0, 0.5, MEASURED_CORRELATION])
@pytest.mark.parametrize("difference", [-2000.0, -100.0, 0.0, 30.0, 400.0, 5000.0])
def test_the_expected_score_is_that_of_the_scale(difference: float, correlation: float) -> None:
    """However much of the luck is the cards', the mean is the Elo scale's."""
    lost, split, won = outcome_shares(difference, correlation)
    assert lost + split + won == pytest.approx(1)
    assert min(lost, split, won) >= 0
    assert split / 2 + won == pytest.approx(expected_score(difference), abs=1e-9)
    mirrored = outcome_shares(-difference, correlation)
    assert mirrored == pytest.approx([won, split, lost], abs=1e-9)


@pytest.mark.parametrize("correlation", [0.0, 0.5, MEASURED_CORRELATION])
def test_games_go_as_the_shares_say(correlation: float) -> None:
    """Playing game by game gives lost, split and won pairs as often as is computed."""
    generator = np.random.default_rng(1)
    won = simulated_games(generator, 80, 100_000, correlation).sum(axis=0)
    seen = np.bincount(won, minlength=3) / 100_000
    assert seen == pytest.approx(outcome_shares(80, correlation), abs=0.006)
    sums, games = simulated_pairs(generator, 80, 100_000, correlation)
    counts = np.array([sums.lost, sums.split, sums.won]) / 100_000
    assert counts == pytest.approx(outcome_shares(80, correlation), abs=0.006)
    assert games.games == 2 * sums.pairs == 2 * sums.normal
    assert (games.difference, games.rounds) == (sums.difference, sums.rounds)


def test_equal_pairs_are_spread_as_measured() -> None:
    """Single games need 1,650 / 213 times as many games as pairs."""
    lost, _, won = outcome_shares(0)
    pair_variance = (lost + won) / 4
    assert (1 / 4 / 2) / pair_variance == pytest.approx(1650 / 213, rel=0.02)


def test_a_seed_gives_the_same_tournament() -> None:
    """The same seed, the same pairs; another one, others."""
    tables = [
        simulated_table(np.random.default_rng(seed), (0, 50, 100), 40, 0.5) for seed in (1, 1, 2)
    ]
    assert tables[0] == tables[1] != tables[2]
    assert {sums.pairs for sums in tables[0].values()} == {40}
    assert simulated_table(np.random.default_rng(1), (0, 50), {}) == {}
