"""How much of a result was the cards."""

from __future__ import annotations

import numpy as np
import pytest

from californiajack_referee.statistics.luck import Luck, point_luck, score_luck
from californiajack_referee.statistics.simulated import MEASURED_CORRELATION, simulated_pairs
from californiajack_referee.values import GameSums, PairSums


def test_too_few_pairs_say_nothing() -> None:
    """Two pairs at least, and a finished round for points."""
    assert score_luck(PairSums()) is None
    assert score_luck(PairSums(won=1)) is None
    assert point_luck(PairSums(), GameSums()) is None
    assert point_luck(PairSums(1, 1, 1, 3), GameSums(6)) is None


def test_pairs_that_go_like_single_games_have_no_luck_in_them() -> None:
    """Where the games of a pair are independent, pairs save nothing."""
    sums, games = simulated_pairs(np.random.default_rng(1), 0, 50_000, 0.0)
    for found in (score_luck(sums), point_luck(sums, games)):
        assert found is not None
        assert found.ratio == pytest.approx(1, abs=0.03)
        assert found.correlation == pytest.approx(0, abs=0.03)


def test_swapped_cards_take_their_luck_with_them() -> None:
    """With the luck that was measured, single games need 7.7 times as many: 1,650 to 213."""
    sums, games = simulated_pairs(np.random.default_rng(2), 0, 50_000, MEASURED_CORRELATION)
    found = score_luck(sums)
    assert found is not None
    assert found.games == 100_000
    assert found.ratio == pytest.approx(1650 / 213, rel=0.05)
    points = point_luck(sums, games)
    assert points is not None
    assert points.ratio is not None
    assert points.ratio > 5


def test_the_variances_are_those_of_the_games_themselves() -> None:
    """Counted from sums as from the single results."""
    results = [(1, 1), (1, 0), (0, 1), (1, 1), (0, 0), (1, 0)]
    sums = PairSums(1, 3, 2)
    found = score_luck(sums)
    assert found is not None
    assert found.difference == pytest.approx(np.mean(results) - 0.5)
    assert found.game_variance == pytest.approx(np.var(results, ddof=1))
    assert found.pair_variance == pytest.approx(np.var(np.mean(results, axis=1), ddof=1))


def test_games_needed_find_the_difference_four_times_in_five() -> None:
    """By simulation: with so many games by pairs, a test at 95 % finds it in some 80 %."""
    generator = np.random.default_rng(3)
    many, _ = simulated_pairs(generator, 40, 20_000)
    found = score_luck(many)
    assert found is not None
    assert found.games_paired is not None
    assert found.games_unpaired is not None
    assert found.games_unpaired > 4 * found.games_paired
    pairs = found.games_paired // 2
    hits = 0
    for _ in range(400):
        sums, _ = simulated_pairs(generator, 40, pairs)
        seen = score_luck(sums)
        assert seen is not None
        hits += seen.difference > 1.96 * (seen.pair_variance / pairs) ** 0.5
    assert 0.7 < hits / 400 < 0.92


def test_no_difference_is_never_found_and_no_spread_has_no_ratio() -> None:
    """Bots that split every pair: pairs are not spread at all, and no number of games is enough."""
    found = score_luck(PairSums(0, 150, 0))
    assert found is not None
    assert found.pair_variance == 0
    assert found.ratio is None
    assert found.games_paired is None
    assert found.games_unpaired is None
    assert found.correlation == pytest.approx(-1)
    assert Luck(0.5, 20, 0.0, 0.0).correlation is None
    assert Luck(0.5, 20, 0.0, 0.0).games_paired == 2
