"""Which pairs settle an order soonest."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from californiajack import InputError
from californiajack_referee.statistics.adaptive import (
    AdaptiveSettings,
    decide,
    round_robin_pairs,
)
from californiajack_referee.statistics.anytime import deviations_needed, log_evidence
from californiajack_referee.statistics.simulated import simulated_table
from californiajack_referee.statistics.trials import play_adaptive, play_round_robin
from californiajack_referee.values import PairSums

UNEVEN = (0, 100, 120, 250, 260, 400, 430, 600, 640, 800)
QUICK = AdaptiveSettings(opening=5, step=40)


def test_it_begins_with_a_short_round_robin() -> None:
    """Every pairing is brought to the opening's pairs, those begun as well."""
    first = decide({}, [3, 1, 2], QUICK)
    assert first.next_pairs == {(1, 2): 5, (1, 3): 5, (2, 3): 5}
    assert not first.settled
    begun = {(2, 1): PairSums(1, 1, 1), (2, 3): PairSums(3, 3, 3)}
    assert decide(begun, [1, 2, 3], QUICK).next_pairs == {(1, 2): 2, (1, 3): 5}


def test_one_bot_or_none_is_settled() -> None:
    """There is nothing to play."""
    assert decide({}, [7]).settled
    assert decide({}, []).settled
    assert round_robin_pairs({}) is None


def test_it_plays_what_the_worst_neighbours_need() -> None:
    """Bots far apart are left alone; the two that are close meet each other."""
    strengths = (0.0, 10.0, 500.0, 1000.0)
    table = simulated_table(np.random.default_rng(1), strengths, 100)
    found = decide(table, range(4), QUICK)
    assert found.next_pairs == {(0, 1): 40}
    assert [step.settled for step in found.separations] == [True, True, False]


def test_a_decision_hangs_on_the_pairs_alone() -> None:
    """Shuffled and turned round, the same pairs lead to the same decision; others count nothing."""
    rng = random.Random(2)
    table = simulated_table(np.random.default_rng(2), UNEVEN, 12)
    expected = decide(table, range(10))
    for _ in range(5):
        items = rng.sample(list(table.items()), len(table))
        turned = {(two, one): sums.mirrored() for (one, two), sums in items}
        assert decide(turned, rng.sample(range(10), 10)) == expected
    others = {(3, 77): PairSums(1, 2, 3), (77, 78): PairSums(3, 2, 1)}
    assert decide(table | others, range(10)) == expected


def test_bots_that_split_every_pair_are_never_told_apart() -> None:
    """Two copies of one bot have no order, so it plays on; nor is there a round robin that ends."""
    table = dict.fromkeys(combinations(range(3), 2), PairSums(0, 5000, 0))
    found = decide(table, range(3))
    assert sum(found.next_pairs.values()) == 20
    assert round_robin_pairs(table) is None


def test_one_that_won_all_pairs_is_soon_told_apart() -> None:
    """Where one bot wins every pair, some dozen are enough, with ten bots as with two."""
    settings = AdaptiveSettings(opening=4)
    assert not decide({(0, 1): PairSums(0, 0, 4)}, range(2), settings).settled
    assert decide({(0, 1): PairSums(0, 0, 12)}, range(2), settings).settled
    ladder = dict.fromkeys(combinations(range(10), 2), PairSums(0, 0, 13))
    found = decide(ladder, range(10), settings)
    assert found.settled
    assert found.order == tuple(range(10))
    assert round_robin_pairs(ladder) in range(6, 14)


@pytest.mark.parametrize(
    "wrong", [{"certainty": 1.0}, {"certainty": 0.4}, {"opening": 0}, {"step": 0}]
)
def test_settings_that_make_no_tournament_are_refused(wrong: dict[str, float]) -> None:
    """The message says what was expected and what was found."""
    with pytest.raises(InputError, match=r"expected .* got"):
        AdaptiveSettings(**wrong)  # type: ignore[arg-type]


def test_the_bound_holds_at_all_looks_together() -> None:
    """A random walk of no drift crosses it at some look in at most the part that is allowed."""
    generator = np.random.default_rng(3)
    walks, looks = 2000, 2000
    crossed = np.zeros(walks, dtype=bool)
    looked = np.arange(1, looks + 1)
    # each step tells as much as an error of 200 Elo points
    needed = deviations_needed(200 / np.sqrt(looked), np.full(looks, np.inf), 0.05)
    for walk in range(walks):
        steps = generator.standard_normal(looks).cumsum() / np.sqrt(looked)
        crossed[walk] = (steps >= needed).any()
    assert 0.005 < crossed.mean() <= 0.06


def test_the_bound_is_wider_where_the_spread_is_little_known() -> None:
    """Few degrees of freedom, and more deviations are needed; always more than one look would."""
    few, many = deviations_needed(np.array([30.0, 30.0]), np.array([4.0, 1e6]), 0.025)
    assert few > 2 * many
    assert many > 1.96
    tiny = deviations_needed(np.array([1e-9]), np.array([1e9]), 1e-12)
    assert np.isfinite(tiny).all()


def test_evidence_is_a_bet_that_no_unlucky_bot_wins_often() -> None:
    """It is the integral over all rates, and an equal bot reaches 1 / a in at most the part a."""
    assert log_evidence(0, 0) == pytest.approx(0)
    rates = np.linspace(0, 1, 100_001)
    for lost, won in ((0, 7), (3, 9), (12, 2)):
        expected = np.trapezoid((1 + rates) ** won * (1 - rates) ** lost, rates)
        assert log_evidence(lost, won) == pytest.approx(np.log(expected), abs=1e-6)
    assert np.isfinite(log_evidence([10**7, 0], [0, 10**7])).all()
    wins = np.random.default_rng(6).integers(0, 2, (500, 400)).cumsum(axis=1)
    losses = np.arange(1, 401) - wins
    reached = (log_evidence(losses, wins) >= np.log(1 / 0.05)).any(axis=1)
    assert 0.005 < reached.mean() <= 0.05


def test_it_settles_an_order_with_far_fewer_games_than_a_round_robin() -> None:
    """Unevenly standing bots: less than 0.15 times the games, and the order is the true one."""
    generator = np.random.default_rng(4)
    adaptive = play_adaptive(generator, UNEVEN, QUICK)
    assert adaptive.decision.settled
    assert adaptive.decision.order == tuple(range(9, -1, -1))
    whole = play_round_robin(generator, UNEVEN, QUICK)
    assert whole.decision.settled
    assert adaptive.pairs < 0.15 * whole.pairs
    foreseen = round_robin_pairs(adaptive.table, QUICK)
    assert foreseen is not None
    assert foreseen * 45 > 5 * adaptive.pairs


def test_it_stops_when_its_pairs_are_spent() -> None:
    """Equal bots go on until the budget ends them, unsettled."""
    found = play_adaptive(np.random.default_rng(5), (0, 0, 0), QUICK, most_pairs=300)
    assert not found.decision.settled
    assert found.pairs >= 300
