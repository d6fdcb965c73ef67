"""Circles of bots that beat each other beyond doubt."""

from __future__ import annotations

import itertools
import random

import numpy as np

from californiajack_referee.statistics.circles import beaten, circles
from californiajack_referee.statistics.simulated import simulated_table
from californiajack_referee.values import PairSums

WINS, EVEN = PairSums(0, 40, 60), PairSums(30, 40, 30)


def _ring(*bots: int) -> dict[tuple[int, int], PairSums]:
    return dict.fromkeys(zip(bots, (*bots[1:], bots[0]), strict=True), WINS)


def test_a_circle_is_named_once_from_its_lowest_number() -> None:
    """Whichever way round its pairings are stored."""
    assert circles(_ring(5, 3, 9)) == ((3, 9, 5),)
    turned = {(two, one): sums.mirrored() for (one, two), sums in _ring(5, 3, 9).items()}
    assert circles(turned) == ((3, 9, 5),)


def test_the_shortest_come_first() -> None:
    """A ring of four, one of three, and one of five."""
    table = _ring(1, 2, 3, 4) | _ring(11, 12, 13) | _ring(21, 22, 23, 24, 25)
    assert circles(table) == ((11, 12, 13), (1, 2, 3, 4), (21, 22, 23, 24, 25))
    assert circles(table, most=1) == ((11, 12, 13),)


def test_a_step_that_may_be_chance_closes_no_circle() -> None:
    """Every win has to be beyond doubt, the more so the more pairings are looked at."""
    assert circles(_ring(1, 2, 3) | {(3, 1): EVEN}) == ()
    close = PairSums(21, 40, 39)
    assert beaten({(1, 2): close}) == {1: [2]}
    assert beaten(dict.fromkeys(itertools.combinations(range(10), 2), close)) == {}


def test_all_circles_of_three_are_found() -> None:
    """The same as by looking at every three bots."""
    rng = random.Random(1)
    table = {
        ends: rng.choice([WINS, WINS.mirrored(), EVEN])
        for ends in itertools.combinations(range(14), 2)
    }
    wins = {(bot, other) for bot, others in beaten(table).items() for other in others}
    expected = {
        (a, b, c)
        for a, b, c in itertools.permutations(range(14), 3)
        if a == min(a, b, c) and {(a, b), (b, c), (c, a)} <= wins
    }
    found = circles(table)
    assert {circle for circle in found if len(circle) == 3} == expected
    assert len(set(found)) == len(found)
    for circle in found:
        assert set(zip(circle, (*circle[1:], circle[0]), strict=True)) <= wins


def test_bots_on_one_scale_make_no_circles() -> None:
    """In a hundred simulated tournaments of players with one strength each, hardly one is named."""
    generator = np.random.default_rng(2)
    found = sum(
        bool(circles(simulated_table(generator, range(0, 40, 5), 50, 0.5))) for _ in range(100)
    )
    assert found <= 1
