"""What is counted game by game, and how it is put away."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from californiajack_referee.league.stored import RatingSettings
from californiajack_referee.ranking.tally import Tally
from californiajack_referee.values import PairSums

if TYPE_CHECKING:
    from collections.abc import Callable

SETTINGS = RatingSettings()


def _tally(games: int, seed: int = 1) -> Tally:
    tally = Tally(SETTINGS)
    _count(tally, range(games), seed)
    return tally


def _count(tally: Tally, games: range, seed: int = 1) -> None:
    for game in games:
        rng = random.Random(f"{seed} {game // 2}")
        one, two = rng.sample(range(1, 6), 2)
        won, lost = random.Random(f"{seed} {game} winner").sample((one, two), 2)
        tally.add(game // 2, won, lost, fault=rng.random() < 0.1)


def _lines(tally: Tally) -> dict[int, list[float]]:
    return {
        bot: [getattr(line, field) for field in line.__slots__] for bot, line in tally.lines.items()
    }


def test_it_counts_games_faults_and_whole_pairs() -> None:
    """Half a pair counts as a game, but as no pair."""
    tally = Tally(SETTINGS)
    for pair, won, lost, fault in (
        *((1, 7, 8, False), (1, 7, 8, True)),  # both games
        *((2, 7, 8, False), (2, 8, 7, False)),  # one each
        (3, 8, 7, False),  # half a pair
        (4, 7, 8, False),  # and another one
    ):
        tally.add(pair, won, lost, fault=fault)
    seven, eight = tally.lines[7], tally.lines[8]
    assert (seven.wins, seven.losses, seven.faults) == (4, 2, 0)
    assert (eight.wins, eight.losses, eight.faults) == (2, 4, 1)
    assert seven.pairs == PairSums(lost=0, split=1, won=1)
    assert eight.pairs == PairSums(lost=1, split=1, won=0)
    assert tally.games == 6


@pytest.mark.parametrize("games", [0, 2, 500])
def test_counting_goes_on_from_what_was_put_away(games: int) -> None:
    """Put away after any whole pair and taken up again, it ends the same to the last bit."""
    before = Tally.unpack(_tally(games).pack(), SETTINGS)
    assert before.games == games
    _count(before, range(games, 900))
    whole = _tally(900)
    assert _lines(before) == _lines(whole)
    assert before.pack() == whole.pack()


@pytest.mark.parametrize(
    "damage",
    [
        lambda packed: packed[:-1],
        lambda packed: packed + b"\0",
        lambda packed: packed[:8] + b"\xff" * 16 + packed[24:],  # a rating that is no number
        lambda packed: packed[:16] + b"\0" * 8 + packed[24:],  # a deviation of nothing
        lambda packed: packed[:-8] + b"\xff" * 8,  # a count below nothing
    ],
)
def test_what_it_never_writes_is_refused(damage: Callable[[bytes], bytes]) -> None:
    """Bytes of another length, or with values that can't be, give an error and no tally."""
    with pytest.raises(ValueError, match="expected"):
        Tally.unpack(damage(_tally(100).pack()), SETTINGS)
