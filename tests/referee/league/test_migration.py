"""Databases of older versions, made by the SQL that made them then."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from californiajack import Ruleset, Termination
from californiajack_referee.league.database import Database, StoreError
from californiajack_referee.league.format import RoundRobin
from californiajack_referee.league.store import Store
from californiajack_referee.league.stored import CasualGame, RatingSettings
from californiajack_referee.league.tables import MIGRATIONS, SCHEMA_VERSION
from californiajack_referee.ranking.counting import count_results
from californiajack_referee.values import GameResult, Layer, PairSums, Verdict

A_DAY = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
VERSION_1 = Path(__file__).with_name("version_1.sql")
_ROWS = """
INSERT INTO bot VALUES (1, 'fox', 1, 'aa', 'Python', '[]', '["python", "bot.py"]',
    '2026-01-01T00:00:00+00:00');
INSERT INTO bot VALUES (2, 'hen', 1, 'bb', 'Python', '[]', '["python", "bot.py"]',
    '2026-01-01T00:00:00+00:00');
INSERT INTO tournament VALUES (1, 'night', 5, x'00112233445566778899aabbccddeeff',
    '{"target": 10}', '{"move_seconds": 3.0}', '{}', '2026-01-01T00:00:00+00:00');
INSERT INTO entrant VALUES (1, 0, 1);
INSERT INTO entrant VALUES (1, 1, 2);
INSERT INTO game VALUES (1, 0, 0, 0, 1, 'normal', NULL, 'hen won', '', 3, 10, x'0102', 7, 8);
INSERT INTO void VALUES (1, 1, 1, 0, 0, NULL, 'referee_fault', NULL, 'Oh', '', 0, 0, x'', 0, 0);
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Gives a database of version 1 with a game and a void one."""
    path = tmp_path / "league.sqlite3"
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA journal_mode = WAL")
        raw.executescript(VERSION_1.read_text() + _ROWS)
    return path


def _tables(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as raw:
        return {
            name: [row[1:4] for row in raw.execute(f"PRAGMA table_info({name})")]
            for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }


@pytest.fixture
def second(old: Path) -> Path:
    """Gives the same as a database of version 2."""
    with closing(sqlite3.connect(old)) as raw:
        for statement in MIGRATIONS[1]:
            raw.execute(statement)
        raw.execute("PRAGMA user_version = 2")
    return old


def _others(path: Path) -> set[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as raw:
        found = raw.execute(
            "SELECT name, sql FROM sqlite_master WHERE type IN ('index', 'trigger', 'view')"
        )
        return {(name, sql) for name, sql in found if sql}


def test_an_old_league_opens_with_all_that_it_had(old: Path) -> None:
    """Its games are there, played in no sandbox; new ones are stored beside them with theirs."""
    with Store(old) as store:
        assert store.tournament("night").limits.move_seconds == 3.0
        (game,) = store.games("night")
        assert game.result.verdict.words == "hen won"
        assert (game.result.plays, game.result.used_ms) == (b"\1\2", (7, 8))
        assert (game.result.layer, game.result.cpu_ms) == (Layer.NONE, (None, None))
        (void,) = store.voids("night")
        assert (void.result.layer, void.result.cpu_ms) == (Layer.NONE, (None, None))
        verdict = Verdict(0, Termination.NORMAL, None, "fox won")
        new = GameResult(1, verdict, (10, 2), b"", (1, 2), (3, None), Layer.BUBBLEWRAP)
        store.add_results("night", 0, 0, [new])
    with Store(old) as store:
        assert store.layer_counts("night") == {Layer.BUBBLEWRAP: 1, Layer.NONE: 1}
        assert [game.result for game in store.games("night")][1] == new


def test_it_becomes_what_a_new_one_is(old: Path, tmp_path: Path) -> None:
    """The migrated tables have the same columns as fresh ones, the same indices and version."""
    fresh = tmp_path / "fresh.sqlite3"
    for path in (old, fresh):
        with closing(Database(path, create=True)) as database:
            assert database.one("PRAGMA user_version") == (SCHEMA_VERSION,)
    assert _tables(old) == _tables(fresh)
    assert _others(old) == _others(fresh) != set()


def test_a_league_of_version_2_is_ranked_as_before(second: Path) -> None:
    """Its games are found by what the migration adds."""
    with Store(second) as store:
        results = store.results()
        tally = count_results(results, RatingSettings())
        names = {results.labels()[bot]: line.wins for bot, line in tally.lines.items()}
        assert names == {"hen@1": 1, "fox@1": 0}
        assert store.layer_counts("night") == {Layer.NONE: 1}


def test_pairs_of_an_old_league_are_summed_up(second: Path) -> None:
    """Its tournaments are round robins, and its whole pairs count, half ones don't."""
    game = "INSERT INTO game SELECT 1, {}, 0, {}, {}, 'normal', NULL, '', '', 10, 2, zeroblob({})"
    with closing(sqlite3.connect(second)) as raw, raw:
        for deal, seating, winner, plays in ((0, 1, 1, 110), (1, 0, 0, 52), (1, 1, 1, 104)):
            raw.execute(game.format(deal, seating, winner, plays) + ", 0, 0, 'none', NULL, NULL")
    with Store(second) as store:
        assert store.tournament("night").format == RoundRobin()
        assert store.tournament("night").options == ()
        sums = store.results("night").pair_sums()
        # 3 to 10 and 2 to 10 in no and two rounds; 10 to 2 and 2 to 10 in one and two
        assert sums == {(1, 2): PairSums(0, 1, 1, 2, -15, 5, 225, 13, -30)}
        assert store.results().pair_sums() == sums


def test_a_migration_that_fails_changes_nothing(old: Path) -> None:
    """It is one transaction: a database that can't be migrated stays as it was."""
    with closing(sqlite3.connect(old)) as raw:
        raw.execute("ALTER TABLE void ADD COLUMN cpu_ms_0 INTEGER")
    before = _tables(old)
    with pytest.raises(StoreError, match="cpu_ms_0"):
        Store(old)
    assert _tables(old) == before
    with closing(sqlite3.connect(old)) as raw:
        assert raw.execute("PRAGMA user_version").fetchone() == (1,)


def test_an_old_league_takes_casual_games(second: Path) -> None:
    """The migration gives it the table for them, empty, and leaves all else as it was."""
    with Store(second) as store:
        assert list(store.casual.games()) == []
        (game,) = store.games("night")
        result = replace(game.result, deal=4)
        casual = CasualGame(0, "you", "hen@1", 1, bytes(16), Ruleset(), A_DAY, result)
        assert store.casual.add(casual) == 1
    with Store(second) as store:
        assert list(store.casual.games()) == [replace(casual, number=1)]
        assert list(store.games("night")) == [game]
