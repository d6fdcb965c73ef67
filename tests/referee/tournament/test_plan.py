"""What becomes of the blocks of a run."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from californiajack import Termination
from californiajack_referee.schedule import Block, Leg, blocks_to_play, round_robin
from californiajack_referee.tournament.plan import MOST_TRIES, Plan
from californiajack_referee.values import GameResult, Verdict

LEG = Leg(0, 1)


def _won(deal: int) -> GameResult:
    return GameResult(deal, Verdict(0, Termination.NORMAL, None, "won"), (10, 3), b"")


def _void(deal: int) -> GameResult:
    return GameResult(deal, Verdict(None, Termination.REFEREE_FAULT, None, "void"), (0, 0), b"")


def _interrupted(deal: int) -> GameResult:
    return GameResult(deal, Verdict(None, Termination.INTERRUPTED, None, "stopped"), (0, 0), b"")


def _one(plan: Plan) -> Block:
    block = plan.take()
    assert block is not None
    return block


def test_a_block_that_is_played_is_done() -> None:
    """When all its deals have been won, nothing comes up again."""
    plan = Plan([Block((0, 1), LEG)])
    plan.settle(_one(plan), [_won(1), _won(0)])
    assert plan.take() is None
    assert plan.given_up == 0


def test_leftover_deals_come_up_again_without_end() -> None:
    """A series that has played something may leave deals as often as it likes."""
    plan = Plan([Block(tuple(range(10)), LEG)])
    for deal in range(10):
        block = _one(plan)
        assert block.deals == tuple(range(deal, 10))
        plan.settle(block, [_won(deal)])
    assert plan.take() is None


def test_leftovers_come_before_later_blocks() -> None:
    """What is left of an early block is played next, so that pairings get on evenly."""
    plan = Plan([Block((0, 1, 2), LEG), Block((3, 4, 5), LEG)])
    plan.settle(_one(plan), [_won(0)])
    assert _one(plan) == Block((1, 2), LEG)


def test_a_void_game_is_tried_three_times() -> None:
    """A game that ends void again and again is given up, and the others are not."""
    plan = Plan([Block((0, 1), LEG)])
    plan.settle(_one(plan), [_void(0)])
    for _ in range(MOST_TRIES - 1):
        assert plan.given_up == 0
        plan.settle(_one(plan), [_void(0)])
    assert plan.given_up == 1
    assert _one(plan) == Block((1,), LEG)


def test_a_series_that_plays_nothing_is_tried_three_times() -> None:
    """Neither an empty result nor a failed series is repeated for ever."""
    plan = Plan([Block((0, 1), LEG)])
    plan.settle(_one(plan), [])
    plan.fail(_one(plan))
    plan.settle(_one(plan), [_interrupted(0)])
    assert plan.take() is None
    assert plan.given_up == 2


def test_a_block_put_back_costs_no_try() -> None:
    """What was never begun comes up again as often as need be."""
    plan = Plan([Block((0,), LEG)])
    for _ in range(2 * MOST_TRIES):
        plan.put_back(_one(plan))
    plan.settle(_one(plan), [_won(0)])
    assert plan.given_up == 0


@given(st.integers(2, 4), st.integers(1, 6), st.integers(1, 4), st.data())
def test_every_run_ends_with_each_game_won_or_given_up(
    entrants: int, pairs: int, longest: int, data: st.DataObject
) -> None:
    """Whatever the series do, no game is won twice, and none is tried in vain more than thrice."""
    plan = Plan(blocks_to_play(round_robin(entrants, pairs), {}, longest))
    won: Counter[Any] = Counter()
    void: Counter[Any] = Counter()
    backs = 0
    while (block := plan.take()) is not None:
        what = data.draw(st.sampled_from(["play", "play", "fail", "back" if backs < 9 else "play"]))
        if what == "back":
            backs += 1
            plan.put_back(block)
            continue
        if what == "fail":
            plan.fail(block)
            continue
        results = []
        for deal in block.deals:
            how = data.draw(st.sampled_from([_won, _void, _interrupted, None]))
            if how is not None:
                results.append(how(deal))
                won[block.leg, deal] += how is _won
                void[block.leg, deal] += how is _void
        plan.settle(block, results)
    assert max(won.values(), default=0) <= 1
    assert max(void.values(), default=0) <= MOST_TRIES
    assert won.total() + plan.given_up == entrants * (entrants - 1) * pairs
