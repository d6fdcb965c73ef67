"""One SQLite file: opening it, its transactions, and its errors in words."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from californiajack_referee.league.errors import StoreError, damaged, explain, is_full
from californiajack_referee.league.tables import MIGRATIONS, SCHEMA, SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from californiajack_referee.league.rows import Row

__all__ = ["Database", "StoreError"]

BUSY_SECONDS = 30.0
"""How long a writer waits for another one."""


class Database:
    """A league's database file, open in this process.

    Raises:
        StoreError: the file can't be opened, is no league's database, or is of a newer version.
    """

    def __init__(self, path: Path, *, create: bool) -> None:
        """Opens the file; makes it first if there is none and `create` is true."""
        self._path = path
        self._still: tuple[int, int] | None = None
        try:
            self._open("mode=rwc" if create else "mode=rw", create=create)
        except StoreError:
            if not self._stands_still():
                raise
            self._open_unlocked()

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def _open(self, how: str, *, create: bool) -> None:
        with self._worded():
            self._connection = sqlite3.connect(
                f"{self._path.absolute().as_uri()}?{how}",
                uri=True,
                timeout=BUSY_SECONDS,
                isolation_level=None,
            )
        try:
            self._prepare(create=create)
        except BaseException:
            self._connection.close()
            raise

    def _open_unlocked(self) -> None:
        """Opens the file where SQLite can't put its lock beside it."""
        self._still = self._look()
        self._open("mode=ro&immutable=1", create=False)

    def _look(self) -> tuple[int, int]:
        found = self._path.stat()
        return found.st_mtime_ns, found.st_size

    def _stands_still(self) -> bool:
        """Tells whether the file is whole by itself, and its folder is not to be written."""
        beside = self._path.with_name(f"{self._path.name}-wal")
        return (
            self._path.is_file()
            and not os.access(self._path.parent, os.W_OK)
            and not beside.exists()
        )

    def _prepare(self, *, create: bool) -> None:
        version = self._version()
        self.execute("PRAGMA foreign_keys = ON")
        self.execute("PRAGMA synchronous = FULL")
        if create and version == 0:
            self.execute("PRAGMA journal_mode = WAL")
            with self.writing():
                self._make_tables()
            version = self._version()
        if version in MIGRATIONS:
            self._migrate()
            version = self._version()
        if version > SCHEMA_VERSION:
            raise StoreError(
                f"{self._path}: written by a newer release (its version is {version}, this one "
                f"reads {SCHEMA_VERSION}): install a newer californiajack"
            )
        if version != SCHEMA_VERSION:
            raise StoreError(
                f"{self._path}: expected a league's database, found another one: give the folder "
                "of a league"
            )

    def _version(self) -> int:
        return int(self.one("PRAGMA user_version")[0])

    def _make_tables(self) -> None:
        if self._version() or self.all("SELECT name FROM sqlite_master"):
            return  # another process was quicker, or it is no league's
        for statement in SCHEMA.split(";\n"):
            self.execute(statement)
        self.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _migrate(self) -> None:
        """Makes an older version's database one of this version, wholly or not at all."""
        with self.writing():
            version = self._version()  # another process may have been quicker
            while version in MIGRATIONS:
                for statement in MIGRATIONS[version]:
                    self.execute(statement)
                version += 1
                self.execute(f"PRAGMA user_version = {version}")

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    def execute(self, query: str, *values: object) -> None:
        """Runs a statement that gives no rows."""
        with self._worded():
            self._connection.execute(query, values)

    def rows(self, query: str, *values: object) -> Iterator[Row]:
        """Gives the rows one by one."""
        with self._worded():
            # not `yield from`: where a reader stops early, that closes more than its rows
            for row in self._connection.execute(query, values):  # noqa: UP028 - see above
                yield row

    def all(self, query: str, *values: object) -> list[Row]:
        """Gives all rows."""
        return list(self.rows(query, *values))

    def one(self, query: str, *values: object) -> Row:
        """Gives the first of the rows; there is at least one."""
        return self.all(query, *values)[0]

    def check(self) -> None:
        """Reads the whole file and looks for damage; takes some seconds a gigabyte.

        Raises:
            StoreError: it is damaged.
        """
        (found,) = self.one("PRAGMA quick_check(1)")
        if found != "ok":
            raise damaged(self._path, str(found).splitlines()[-1])

    def copy_to(self, path: Path) -> None:
        """Writes all that is stored now to a new file, while others may read and write.

        Raises:
            StoreError: it can't be read, or the new file can't be written.
        """
        with closing(sqlite3.connect(path)) as copy:
            try:
                self._connection.backup(copy)
            except sqlite3.Error as error:
                # the message names the copy where that is what lacks space
                place = path if is_full(path.parent) else self._path
                raise explain(error, place) from error

    def insert(self, table: str, columns: str, row: Row) -> None:
        """Adds a row to a table; neither the table's name nor the columns' come from outside."""
        marks = ", ".join("?" * len(row))
        self.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", *row)  # noqa: S608 - constants

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Makes one transaction of what happens inside; undoes all of it on an error."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self.execute("ROLLBACK")

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Makes all that is read inside be of one moment.

        Raises:
            StoreError: the file was taken for one that nobody writes to, and it has changed.
        """
        self.execute("BEGIN")
        try:
            yield
            if self._still is not None and self._still != self._look():
                raise StoreError(
                    f"{self._path}: has changed while it was read, though its folder can't be "
                    "written from here: try again"
                )
        finally:
            if self._connection.in_transaction:
                self.execute("ROLLBACK")

    @contextmanager
    def waiting(self, seconds: float) -> Iterator[None]:
        """Has writers inside wait no longer than this for another one."""
        self.execute(f"PRAGMA busy_timeout = {round(1000 * seconds)}")
        try:
            yield
        finally:
            self.execute(f"PRAGMA busy_timeout = {round(1000 * BUSY_SECONDS)}")

    @contextmanager
    def _worded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise explain(error, self._path) from error
        except UnicodeDecodeError as error:
            # a table's own description is text too
            raise damaged(self._path, str(error)) from error
