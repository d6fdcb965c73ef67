"""How ratings moved: counted from checkpoints, and always what counting all games gives."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from californiajack import Ruleset, Termination
from californiajack_referee.league.result_log import ResultLog
from californiajack_referee.league.store import Store
from californiajack_referee.league.stored import RatingSettings, StoredTournament
from californiajack_referee.ranking.history import HistoryLine, rating_history
from californiajack_referee.ranking.rating import tally_of_games
from californiajack_referee.schedule import blocks_to_play, round_robin
from californiajack_referee.values import GameResult, Limits, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from californiajack_referee.league.stored import Outcome, Pair

SPACING = 20
SETTINGS = RatingSettings()
A_DAY = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Gives the path of a database that isn't there yet."""
    return tmp_path / "league.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """Gives a store without games."""
    with Store(path, create=True) as made:
        yield made


def _play(store: Store, name: str, bots: str, pairs: int, *, leave: int = 0) -> None:
    """Stores a tournament with made-up games, but for some blocks of the last deals."""
    rng = random.Random(name)
    if name not in {tournament.name for tournament in store.tournaments()}:
        entrants = tuple(
            store.add_bot(bot, bot, language="Python", authors=["Ada"], command=["python", "b"])
            for bot in bots
        )
        store.add_tournament(
            StoredTournament(name, entrants, pairs, bytes(16), Ruleset(), Limits(), A_DAY)
        )
    blocks = blocks_to_play(round_robin(len(bots), pairs), store.finished_deals(name), 3)
    for block in blocks[: len(blocks) - leave]:
        results = [
            GameResult(
                deal, Verdict(rng.randrange(2), Termination.NORMAL, None, "over"), (0, 0), b""
            )
            for deal in block.deals
        ]
        store.add_results(name, *block.leg, results)


def _history(store: Store) -> list[HistoryLine]:
    results = store.results()
    return rating_history(results, results.tournament_names(), SETTINGS, spacing=SPACING)


def _from_scratch(store: Store) -> dict[tuple[str, str], tuple[float, float, int]]:
    """Rates all games up to the end of each tournament again, without any checkpoint."""
    found = {}
    names: list[str] = []
    games = list(store.games())
    for tournament in store.tournaments():
        names.append(tournament.name)
        tally, labels = tally_of_games(
            [game for game in games if game.id.tournament in names], names, SETTINGS
        )
        numbers = {label: number for number, label in labels.items()}
        for bot in tournament.entrants:
            if bot.label in numbers:
                line = tally.lines[numbers[bot.label]]
                found[tournament.name, bot.label] = (line.mu, line.sigma, line.games)
    return found


def _told(lines: list[HistoryLine]) -> dict[tuple[str, str], tuple[float, float, int]]:
    return {
        (line.tournament, line.bot): (line.rating.mu, line.rating.sigma, line.games_in_all)
        for line in lines
    }


def test_history_is_that_of_counting_all_games_again(store: Store) -> None:
    """To the last bit, whenever it is asked and whatever order tournaments are played in."""
    _play(store, "one", "abc", 10)
    assert _told(_history(store)) == _from_scratch(store)
    _play(store, "two", "bcd", 8, leave=4)
    _play(store, "three", "ad", 12)
    assert _told(_history(store)) == _from_scratch(store)
    _play(store, "two", "bcd", 8)  # games land before what has been counted
    assert _told(_history(store)) == _from_scratch(store)
    assert _told(_history(store)) == _from_scratch(store)


def test_history_tells_games_and_changes(store: Store) -> None:
    """A line for each bot that played, the best first, with what moved since its last one."""
    _play(store, "one", "ab", 5)
    _play(store, "two", "ac", 5)
    lines = _history(store)
    assert [line.tournament for line in lines] == ["one", "one", "two", "two"]
    assert all(line.games == 10 for line in lines)
    first, second = (
        next(line for line in lines if (line.tournament, line.bot) == (name, "a@1"))
        for name in ("one", "two")
    )
    assert (first.change, first.games_in_all, second.games_in_all) == (None, 10, 20)
    assert second.change == second.rating.mu - first.rating.mu
    for pair in (lines[:2], lines[2:]):
        assert pair[0].rating.lower_bound >= pair[1].rating.lower_bound


def test_asked_again_only_the_last_tournament_is_counted(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ends of tournaments are kept, so that nothing before the last one is read twice."""
    for name in ("one", "two", "three"):
        _play(store, name, "abc", 10)
    before = _history(store)
    read: list[Outcome] = []
    outcomes = ResultLog.outcomes

    def counted(log: ResultLog, after: Pair | None = None) -> Iterator[Outcome]:
        for outcome in outcomes(log, after):
            read.append(outcome)
            yield outcome

    monkeypatch.setattr(ResultLog, "outcomes", counted)
    assert _history(store) == before
    assert {outcome.pair[0] for outcome in read} == {3}
    assert len(read) <= 2 * SPACING


def test_a_small_league_is_not_written_to(store: Store, path: Path) -> None:
    """Where less was counted than what checkpoints are for, none is made."""
    for name in ("one", "two", "three"):
        _play(store, name, "ab", 3)
    assert len(_history(store)) == 6
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT count(*) FROM checkpoint").fetchone() == (0,)


def test_a_league_without_games_has_no_history(store: Store) -> None:
    """Neither with no tournament nor with one that nobody has played."""
    assert _history(store) == []
    _play(store, "one", "ab", 3, leave=2)
    assert _history(store) == []
