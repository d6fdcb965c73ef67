"""How many games may be in play at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from californiajack_referee.play.pace import games_allowed


def test_unknown_pace_allows_one_game() -> None:
    """Until both bots' pace is known, one game is played."""
    assert games_allowed(None, None) == games_allowed(0.0, None) == games_allowed(None, 0.0) == 1


def test_the_slower_bot_sets_the_number() -> None:
    """As many games as the slower bot answers a turn of each in a fifth of a second."""
    assert games_allowed(0.001, 0.01) == games_allowed(0.01, 0.001) == 20
    assert games_allowed(5.0, 0.001) == 1
    assert games_allowed(0.0, 0.0) == 1024


@given(st.floats(0, 100), st.floats(0, 100))
def test_the_number_is_in_range_and_falls_with_slowness(one: float, other: float) -> None:
    """It is 1 to 1024, alike for both orders, and a slower bot never gets more games."""
    allowed = games_allowed(one, other)
    assert 1 <= allowed <= 1024
    assert allowed == games_allowed(other, one) == games_allowed(max(one, other))
    assert games_allowed(one + 0.01, other) <= allowed
