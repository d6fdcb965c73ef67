"""Matches of two bots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from californiajack_referee.league.format import Match
from californiajack_referee.statistics.sprt import SprtDecision

if TYPE_CHECKING:
    from collections.abc import Callable


def test_a_test_ends_when_it_has_decided(paper: Callable[..., Any]) -> None:
    """A bot that is far better is soon found so, one that is worse soon isn't; looks grow."""
    for strengths, decision in (
        ([1.0, 0.0], SprtDecision.BETTER),
        ([0.0, 1.0], SprtDecision.NOT_BETTER),
    ):
        there = paper(Match(), strengths, 10_000)
        there.play_all()
        state = there.course.decider.state(there.played)
        assert state.decision is decision
        assert state.pairs == len(there.played[0]) < 500
    looks = [stage.deals[0].stop for stage in there.course.stages]
    assert looks[:2] == [50, 100]


def test_it_ends_undecided_at_the_limit(paper: Callable[..., Any]) -> None:
    """Equal bots that are to be told a hair apart play all the pairs there are, and no more."""
    there = paper(Match(elo0=-1, elo1=1), [0.0, 0.0], 730)
    there.play_all()
    assert len(there.played[0]) == 730
    assert there.course.decider.state(there.played).decision is SprtDecision.UNDECIDED
    assert [len(stage.deals[0]) for stage in there.course.stages][-3:] == [71, 80, 10]


def test_a_fixed_number_is_one_stage(paper: Callable[..., Any]) -> None:
    """Without a test all pairs are wanted at once, and there is nothing to tell on the way."""
    there = paper(Match(sequential=False), [1.0, 0.0], 70)
    assert there.course.total == 140
    assert not there.course.may_end_early
    there.play_all()
    assert len(there.course.stages) == 1
    assert there.course.note(there.played) == ""


def test_what_is_told_on_the_way_counts_what_is_there(paper: Callable[..., Any]) -> None:
    """The log-likelihood ratio is that of the whole pairs so far, within its bounds."""
    there = paper(Match(elo1=20), [0.1, 0.0], 1000)
    state = there.course.decider.state({})
    assert there.course.note({}) == f"LLR 0.00 of {state.lower:.2f} to {state.upper:.2f}"
    there.play()
    halves = {0: {deal: there.played[0][deal] for deal in range(20)}}
    assert there.course.note(halves) != there.course.note(there.played)
    assert there.course.decider.state(halves).pairs == 20
