"""One SQLite file: opening it, its transactions, and its errors in words."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from californiajack_referee.league.database import Database, StoreError
from californiajack_referee.league.tables import SCHEMA_VERSION

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Gives the path of a database that isn't there yet; its name needs quoting in a URI."""
    return tmp_path / "a?b#c%20.sqlite3"


def test_it_is_durable_and_lets_readers_read(path: Path) -> None:
    """The file is in WAL mode, syncs every transaction, and keeps its references whole."""
    with closing(Database(path, create=True)):
        pass
    with closing(Database(path, create=False)) as database:
        assert database.one("PRAGMA journal_mode") == ("wal",)
        assert database.one("PRAGMA synchronous") == (2,)
        assert database.one("PRAGMA foreign_keys") == (1,)
        assert database.one("PRAGMA user_version") == (SCHEMA_VERSION,)
    assert path.exists()


def test_a_missing_file_is_not_made_unasked(path: Path) -> None:
    """Opening without `create` says that there is none, and makes none."""
    with pytest.raises(StoreError, match="can't be opened"):
        Database(path, create=False)
    assert not path.exists()


def test_a_newer_version_is_refused(path: Path) -> None:
    """A file of a later release is left alone, and the message says what to install."""
    Database(path, create=True).close()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    for create in (False, True):
        with pytest.raises(StoreError, match="newer"):
            Database(path, create=create)


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    """Text under the database's name is told apart from a league, and stays as it is."""
    path.write_text("This is no database, but long enough to be looked at.\n" * 50)
    for create in (False, True):
        with pytest.raises(StoreError, match="expected a league's database"):
            Database(path, create=create)
    assert path.read_text().startswith("This is no database")


def test_another_programs_database_is_refused(path: Path) -> None:
    """A database with other tables is not made into a league's."""
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE other (x)")
    for create in (False, True):
        with pytest.raises(StoreError, match="found another one"):
            Database(path, create=create)
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT name FROM sqlite_master").fetchall() == [("other",)]


def test_damage_inside_is_told_in_words(path: Path) -> None:
    """A page overwritten by something else gives a message, not a stack of SQLite's."""
    with closing(Database(path, create=True)) as database, database.writing():
        for number in range(500):
            database.execute(
                "INSERT INTO bot VALUES (?, ?, 1, ?, '', '[]', '[]', '')",
                number,
                f"bot-{number}",
                f"{number:064}",
            )
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)
    with (
        pytest.raises(StoreError, match="damaged"),
        closing(Database(path, create=False)) as database,
    ):
        database.all("SELECT * FROM bot")


def _write(database: Database, statements: list[str]) -> None:
    with database.writing():
        for statement in statements:
            database.execute(statement, "aa")


def test_a_transaction_is_all_or_nothing(path: Path) -> None:
    """An error inside undoes what was written before it, and the next one works."""
    with closing(Database(path, create=True)) as database:
        insert = "INSERT INTO bot VALUES (NULL, 'bee', 1, ?, '', '[]', '[]', '')"
        with pytest.raises(StoreError, match="UNIQUE"):
            _write(database, [insert, insert.replace("?", "? || 'bb'")])
        assert database.all("SELECT * FROM bot") == []
        _write(database, [insert])
        assert len(database.all("SELECT * FROM bot")) == 1


def test_a_second_writer_waits_for_the_first(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is one writer at a time; one that has waited long enough says so in words."""
    monkeypatch.setattr("californiajack_referee.league.database.BUSY_SECONDS", 0.05)
    with (
        closing(Database(path, create=True)) as first,
        closing(Database(path, create=False)) as second,
        first.writing(),
        pytest.raises(StoreError, match="another process has been writing"),
        second.writing(),
    ):
        pass


def _change_while_read(database: Database, path: Path) -> None:
    with database.reading(), closing(sqlite3.connect(path)) as writer:
        writer.execute("INSERT INTO bot VALUES (1, 'fox', 1, 'a', '', '[]', '[]', '')")
        writer.commit()
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def test_a_file_that_changes_though_nobody_can_write_is_noticed(path: Path) -> None:
    """Read without locks, what was read of two moments is given out as neither."""
    Database(path, create=True).close()
    with closing(Database(path, create=False)) as database:
        database.close()
        database._open_unlocked()
        with database.reading():
            assert database.all("SELECT * FROM bot") == []
        with pytest.raises(StoreError, match="try again"):
            _change_while_read(database, path)
