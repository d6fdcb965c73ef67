"""The league: a folder with the submitted bots, one database, and logs.

::

    league/
        league.sqlite3          bots, tournaments, results
        bots/<digest>/          what was submitted, built; its files are read-only
        submissions/<digest>/   what its build and its trial games wrote
        incoming/               submissions on their way in
        logs/<tournament>/      what the bots wrote in its games
        locks/                  who is at work
"""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from californiajack import CaliforniaJackError, InputError
from californiajack_referee.league.errors import cannot_write
from californiajack_referee.league.store import Store
from californiajack_referee.values import BotProgram

if TYPE_CHECKING:
    from collections.abc import Iterator

    from californiajack_referee.league.stored import StoredBot

DATABASE = "league.sqlite3"


class BusyError(CaliforniaJackError):
    """Another process is at it; the same may be asked again later."""


class League:
    """A league, open in this process; close it, or use it as a context manager.

    Attributes:
        folder: its folder, an absolute path.
        store: its database.
    """

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder = folder
        self.store = store

    @classmethod
    def open(cls, folder: Path | str, *, create: bool = False) -> Self:
        """Opens a league; makes it first if there is none and `create` is true.

        Raises:
            InputError: there is none, or its folder can't be made.
            StoreError: its database can't be read.
        """
        root = Path(folder).absolute()
        database = root / DATABASE
        if not database.exists():
            if not create:
                raise InputError(f"no league at {folder}: submit a bot first: caljack submit PATH")
            _make_folder(root)
            with _locked(root / "locks" / "league.lock"):
                if not database.exists():
                    _make_database(database)
        return cls(root, Store(database))

    def close(self) -> None:
        """Closes the database."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def incoming(self) -> Path:
        """Where submissions stand until their content is known."""
        return self.folder / "incoming"

    def bot_folder(self, digest: str) -> Path:
        """Gives the folder of the bot of this content."""
        return self.folder / "bots" / digest

    def unfinished_mark(self, digest: str) -> Path:
        """Gives the file that stands there while the bot of this content is built and tried."""
        return self.folder / "bots" / f"{digest}.unfinished"

    def has_whole_bot(self, digest: str) -> bool:
        """Tells whether the folder of the bot of this content is there, and finished."""
        return self.bot_folder(digest).is_dir() and not self.unfinished_mark(digest).exists()

    def submission_folder(self, digest: str) -> Path:
        """Gives the folder of what the build and the trial games of a bot wrote."""
        return self.folder / "submissions" / digest

    def log_folder(self, tournament: str) -> Path:
        """Gives the folder of a tournament's logs."""
        return self.folder / "logs" / tournament

    def slots_folder(self, tournament: str) -> Path:
        """Gives the folder in which a run tells its series in full play from the others."""
        return self.folder / "locks" / f"slots-{tournament}"

    def program_of(self, bot: StoredBot) -> BotProgram:
        """Gives a submitted bot as a program that can be started.

        Raises:
            InputError: its folder is gone.
        """
        folder = self.bot_folder(bot.digest)
        if not self.has_whole_bot(bot.digest):
            found = "unfinished" if folder.is_dir() else "gone"
            raise InputError(
                f"the folder of {bot.label} is {found}: expected it whole at {folder}: submit the "
                "same content again"
            )
        return BotProgram(name=bot.label, folder=str(folder), command=bot.command)

    @contextmanager
    def playing(self, tournament: str) -> Iterator[None]:
        """Holds a tournament, so that no other process plays it at the same time.

        The hold ends with the process, however that ends.

        Raises:
            BusyError: another process plays it.
        """
        try:
            with _locked(self.folder / "locks" / f"tournament-{tournament}.lock", wait=False):
                yield
        except _HeldError as held:
            raise BusyError(
                f"tournament {tournament!r} is being played by another process ({held}): wait "
                "until it is done, or stop it first"
            ) from None

    @contextmanager
    def submitting(self) -> Iterator[None]:
        """Holds the place where submissions come in; waits for another process's submission."""
        with _locked(self.folder / "locks" / "submit.lock"):
            yield


class _HeldError(Exception):
    """Another process holds a lock; the text says which."""


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"can't make a league at {folder} ({error.strerror}): choose a folder that can be made"
        ) from None


def _make_database(path: Path) -> None:
    """Makes an empty database, which is whole as soon as it is there under its name."""
    new = path.with_name(f"{path.name}.new")
    for leftover in path.parent.glob(f"{new.name}*"):
        leftover.unlink()
    Store(new, create=True).close()
    new.rename(path)


@contextmanager
def _locked(path: Path, *, wait: bool = True) -> Iterator[None]:
    """Holds a lock file, with this process's number in it.

    Raises:
        _HeldError: `wait` is false and another process holds it.
    """
    # the file is never removed: two processes might then hold two files of one name
    with _opened(path) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            holder = os.pread(lock, 32, 0).decode(errors="replace").strip()
            raise _HeldError(f"process {holder or 'unknown'}") from None
        # whose it is only helps a person: a full disk is no reason not to hold it
        with suppress(OSError):
            os.ftruncate(lock, 0)
            os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
        yield


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """Opens a lock file for reading and writing; makes it first if there is none.

    Raises:
        StoreError: it can't be opened or made.
    """
    try:
        path.parent.mkdir(exist_ok=True)
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise cannot_write(path, error) from None
    try:
        yield lock
    finally:
        os.close(lock)
