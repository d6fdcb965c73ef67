"""Neighbours, brackets, and where two orders differ."""

from __future__ import annotations

import pytest

from californiajack_referee.statistics.elo import fit
from californiajack_referee.statistics.order import (
    Disagreement,
    brackets,
    disagreements,
    neighbours,
)
from californiajack_referee.values import PairSums

SURE, UNSURE = PairSums(5, 50, 45), PairSums(9, 80, 11)
CHAIN = {(1, 2): UNSURE, (2, 3): SURE, (3, 4): UNSURE, (4, 5): UNSURE}


def test_neighbours_that_cannot_be_told_apart_share_a_bracket() -> None:
    """A bracket ends where the difference of two neighbours is beyond doubt."""
    assert brackets(fit(CHAIN)) == ((1, 2), (3, 4, 5))
    assert brackets(fit(CHAIN, bots=[9])) == ((1, 2), (3, 4, 5), (9,))
    assert brackets(fit({})) == ()


def test_neighbours_follow_the_order_and_say_how_sure_it_is() -> None:
    """Each step tells its difference, its likelihood, and whether it is beyond doubt."""
    steps = neighbours(fit(CHAIN, bots=[9]))
    assert [(step.better, step.worse) for step in steps] == [(1, 2), (2, 3), (3, 4), (4, 5)]
    assert [step.told_apart for step in steps] == [False, True, False, False]
    assert all(step.apart.difference > 0 for step in steps)
    assert steps[1].apart.superiority > 0.975 > steps[0].apart.superiority > 0.5


def test_intervals_may_overlap_though_two_bots_are_told_apart() -> None:
    """Ratings that err together leave their difference surer than either of them."""
    found = fit({(1, 2): PairSums(0, 80, 20), (2, 3): PairSums(3, 4, 1), (1, 3): PairSums(3, 4, 2)})
    step = next(step for step in neighbours(found) if {step.better, step.worse} == {1, 2})
    assert step.told_apart
    assert step.intervals_overlap


def test_it_names_the_bots_that_another_order_turns_round() -> None:
    """All pairs that stand the other way round, and whether the ratings are sure of theirs."""
    found = fit(CHAIN)
    assert disagreements(found, [1, 2, 3, 4, 5]) == ()
    assert disagreements(found, [2, 1, 3, 4, 5]) == (Disagreement(1, 2, beyond_doubt=False),)
    assert disagreements(found, [1, 3, 2, 5]) == (Disagreement(2, 3, beyond_doubt=True),)
    assert len(disagreements(found, [5, 4, 3, 2, 1])) == 10


def test_bots_that_nothing_connects_are_in_no_disagreement() -> None:
    """Two groups have no order between them, so none can be turned round."""
    found = fit({(1, 2): SURE.mirrored(), (8, 9): SURE})
    assert disagreements(found, [9, 8, 1, 2]) == (
        Disagreement(2, 1, beyond_doubt=True),
        Disagreement(8, 9, beyond_doubt=True),
    )


@pytest.mark.parametrize("bots", [[], [7], [7, 8]])
def test_bots_without_pairs_have_no_neighbours(bots: list[int]) -> None:
    """Each is a bracket of its own."""
    found = fit({}, bots=bots)
    assert neighbours(found) == ()
    assert brackets(found) == tuple((bot,) for bot in bots)
    assert disagreements(found, bots) == ()
