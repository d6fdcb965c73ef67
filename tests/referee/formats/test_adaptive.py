"""The adaptive format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from californiajack_referee.league.format import Adaptive

if TYPE_CHECKING:
    from collections.abc import Callable


def test_it_ends_when_the_order_is_settled(paper: Callable[..., Any]) -> None:
    """It finds the true order of bots that stand unevenly, with less than a round robin needs."""
    strengths = [0.0, 2.5, 0.4, 2.0, 5.0]
    there = paper(Adaptive(games=20_000, step_pairs=50), strengths, 10_000)
    there.play_all()
    decider = there.course.decider
    assert decider.decision.settled
    assert list(decider.decision.order) == [4, 1, 3, 2, 0]
    assert there.course.games < decider.round_robin_games()
    assert there.course.games < 20_000
    counts = [len(there.played[pairing]) for pairing in range(10)]
    assert min(counts) == 10
    assert max(counts) > 100
    assert [stage.name for stage in there.course.stages][:1] == ["round robin"]
    assert "of 4 neighbours told apart" in there.course.stages[1].name


def test_it_ends_when_its_budget_is_spent(paper: Callable[..., Any]) -> None:
    """Equal bots are never told apart; no game is played beyond those allowed."""
    there = paper(Adaptive(games=333, start_pairs=4, step_pairs=30), [0.0] * 4, 166)
    there.play_all()
    assert there.course.games == 332
    assert not there.course.decider.decision.settled


def test_steps_grow_with_what_has_been_played(paper: Callable[..., Any]) -> None:
    """A decision comes after each step, and after each tenth of what was played if that is more."""
    there = paper(Adaptive(games=6000, start_pairs=10, step_pairs=30), [0.0, 0.01, 0.02], 3000)
    there.play_all()
    sizes = [stage.pairs for stage in there.course.stages]
    assert sizes[0] == 30
    assert set(sizes[1:10]) == {30}
    done = 0
    for size in sizes[:-1]:
        assert done == 0 or size == max(30, done // 10)
        done += size
