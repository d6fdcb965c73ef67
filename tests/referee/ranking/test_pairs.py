"""Whole pairs among games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from californiajack_referee.ranking.pairs import whole_pairs

if TYPE_CHECKING:
    from collections.abc import Callable

    from californiajack_referee.league.stored import StoredGame


def test_only_whole_pairs_count(game_of: Callable[..., StoredGame]) -> None:
    """A game whose partner is missing or void is left out, and so are other deals' partners."""
    log = [
        game_of("ant", "bee", 0, deal=0, seating=0),
        game_of("bee", "ant", 1, deal=0, seating=1),
        game_of("ant", "bee", 0, deal=1, seating=0),
        game_of("bee", "ant", None, deal=1, seating=1),
        game_of("ant", "bee", 0, deal=2, seating=0),
        game_of("bee", "ant", 0, deal=3, seating=1),
        game_of("bee", "ant", 0, deal=2, seating=1, tournament="day"),
        game_of("bee", "cat", 0, deal=2, seating=1, pairing=1),
    ]
    found = {(pair.bot, pair.opponent): pair.score for pair in whole_pairs(log)}
    assert found == {("ant@1", "bee@1"): 1.0, ("bee@1", "ant@1"): 0.0}


@pytest.mark.parametrize(
    ("first", "second", "score"), [(0, 1, 1.0), (0, 0, 0.5), (1, 1, 0.5), (1, 0, 0.0)]
)
def test_a_pair_scores_the_part_that_was_won(
    game_of: Callable[..., StoredGame], first: int, second: int, score: float
) -> None:
    """Both games won are 1, one of them ½, none 0, whichever game is seen first."""
    log = [game_of("ant", "bee", first, seating=0), game_of("bee", "ant", second, seating=1)]
    for order in (log, log[::-1]):
        found = {pair.bot: pair.score for pair in whole_pairs(order)}
        assert found == {"ant@1": score, "bee@1": 1 - score}
