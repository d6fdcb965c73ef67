"""How far a run has come."""

from __future__ import annotations

from californiajack_referee.tournament.progress import Progress


def test_speed_and_time_left_are_those_of_this_run() -> None:
    """Games of earlier runs count as done, not as fast; those given up aren't waited for."""
    progress = Progress(
        done=60, total=100, played=20, seconds=4.0, wins={"a@1": 20, "b@1": 40}, given_up=10
    )
    assert progress.games_a_second == 5.0
    assert progress.seconds_left == 6.0
    assert progress.leader == "b@1"


def test_before_the_first_result_nothing_is_foretold() -> None:
    """With nothing played there is no speed, no time left and no leader."""
    progress = Progress(done=0, total=100, played=0, seconds=0.0, wins={"a@1": 0, "b@1": 0})
    assert progress.games_a_second == 0
    assert progress.seconds_left is None
    assert progress.leader is None
