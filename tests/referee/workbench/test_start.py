"""Where a game that is looked at begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from californiajack import InputError, Ruleset
from californiajack_referee.workbench.start import Start

if TYPE_CHECKING:
    from collections.abc import Callable

    from californiajack_referee.values import GameResult

SEED = bytes(range(16))


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_goes_on_at_the_bots_own_turn(seat: int, played: Callable[..., GameResult]) -> None:
    """At every trick the bot is to play next: to lead, or to follow what was led to it."""
    plays = played(SEED, 3, ("fox", "hen")).plays
    start = Start(SEED, 3, Ruleset(), seat)
    for round_number, trick in ((1, 1), (1, 7), (2, 26), (3, 1)):
        here = start.after(plays, round_number, trick)
        stood = here.stood()
        assert stood.round.to_play == seat
        assert len(stood.rounds) == round_number - 1
        assert len(stood.round.plays) // 2 == trick - 1
        assert plays.startswith(here.before)


def test_a_trick_that_the_game_has_not_is_refused(played: Callable[..., GameResult]) -> None:
    """The message names the last one that there is."""
    plays = played(SEED, 3, ("fox", "hen")).plays
    start = Start(SEED, 3, Ruleset(), 0)
    for round_number, trick in ((0, 1), (1, 0), (1, 27), (99, 1)):
        with pytest.raises(InputError, match=f"its last is round {len(plays) // 52}, trick 26"):
            start.after(plays, round_number, trick)
    with pytest.raises(InputError, match="over by then"):
        start.after(plays, len(plays) // 52 + 1, 1)
    with pytest.raises(InputError, match="its last is round 2, trick 3"):
        start.after(plays[:57], 2, 5)
