"""Casual games: kept, found again, and out of everybody else's sight."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from californiajack import InputError, Ruleset, Scoring, Termination
from californiajack_referee.league.database import StoreError
from californiajack_referee.league.store import Store
from californiajack_referee.league.stored import CasualGame, is_casual
from californiajack_referee.values import GameResult, Layer, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SEED = bytes(range(16))
A_DAY = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


@pytest.fixture
def game(played: Callable[..., GameResult]) -> CasualGame:
    """Gives a game that was played by the rules."""
    result = replace(
        played(SEED, 2, ("you", "fox@2")), used_ms=(0, 7), cpu_ms=(None, 5), layer=Layer.NONE
    )
    rules = Ruleset(scoring=Scoring.MOST_TRICKS)
    return CasualGame(0, "you", "fox@2", 0, SEED, rules, A_DAY, result)


def test_what_is_added_comes_back(game: CasualGame, tmp_path: Path) -> None:
    """All of it, under its number, also for a process that opens the league later."""
    path = tmp_path / "league.sqlite3"
    other = replace(game, bot="hen", person="Ada", seat=1)
    with Store(path, create=True) as store:
        assert store.casual.add(game) == 1
        assert store.casual.add(other) == 2
    with Store(path) as store:
        assert list(store.casual.games()) == [replace(game, number=1), replace(other, number=2)]
        assert store.casual.game("casual/1") == replace(game, number=1)
        assert [one.number for one in store.casual.games("fox")] == [1]
        assert [one.number for one in store.casual.games("fox@2")] == [1]
        assert list(store.casual.games("fox@1")) == []
        assert store.casual.game("casual/2").players == ("hen", "Ada")


def test_nobody_else_sees_them(game: CasualGame, tmp_path: Path) -> None:
    """A league of nothing but casual games has no games, no results and no tournaments."""
    with Store(tmp_path / "league.sqlite3", create=True) as store:
        store.casual.add(game)
        assert list(store.games()) == []
        assert list(store.voids()) == []
        assert store.tournaments() == []
        assert store.results().pair_sums() == {}


def test_a_game_without_a_winner_is_refused(game: CasualGame, tmp_path: Path) -> None:
    """A void game is not kept."""
    void = Verdict(None, Termination.INTERRUPTED, None, "The person left")
    with Store(tmp_path / "league.sqlite3", create=True) as store:
        with pytest.raises(InputError, match="play it again"):
            store.casual.add(replace(game, result=replace(game.result, verdict=void)))
        assert list(store.casual.games()) == []


@pytest.mark.parametrize("name", ["casual/2", "casual/", "casual/-1", "casual/²", "1", "casual/1/"])
def test_names_of_no_game(game: CasualGame, tmp_path: Path, name: str) -> None:
    """They are refused in words."""
    with Store(tmp_path / "league.sqlite3", create=True) as store:
        store.casual.add(game)
        with pytest.raises(InputError, match="casual/"):
            store.casual.game(name)


def test_a_tournament_may_be_called_casual() -> None:
    """Its games' names have three numbers, those of casual games one."""
    assert is_casual("casual/1")
    assert not is_casual("casual/1/2/0")
    assert not is_casual("night/1/2/0")


def test_a_damaged_row_is_told(game: CasualGame, tmp_path: Path) -> None:
    """What this program can't have written is an error of the database's, in words."""
    path = tmp_path / "league.sqlite3"
    with Store(path, create=True) as store:
        store.casual.add(game)
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE casual SET ruleset = 'tens'")
    with Store(path) as store, pytest.raises(StoreError, match="damaged"):
        list(store.casual.games())
