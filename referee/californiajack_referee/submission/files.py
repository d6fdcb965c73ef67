"""The files of a bot's folder: which ones count, their content hash, and copies of them."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from californiajack import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_FILES = 10_000
MOST_BYTES = 256 * 1024 * 1024
LEFT_OUT = frozenset(
    {
        ".DS_Store",
        ".git",
        ".hg",
        ".hypothesis",
        ".idea",
        ".mypy_cache",
        ".nox",
        ".pytest_cache",
        ".ruff_cache",
        ".svn",
        ".tox",
        ".venv",
        ".vscode",
        "__pycache__",
        "node_modules",
    }
)
"""Names of files and folders that are no part of a bot: what tools make, and version control."""
_MARKS_OF_FOREIGN_FOLDERS = ("pyvenv.cfg", "league.sqlite3")
"""A folder below the bot's that has one of these is a virtual environment, or a league."""
_DIGEST_DOMAIN = b"californiajack/bot-folder/1"
_PIECE = 1024 * 1024
_EXECUTABLE = 0o755
_PLAIN = 0o644


@dataclass(frozen=True, slots=True, order=True)
class BotFile:
    """A file of a bot's folder."""

    name: bytes
    """Its path below the folder, with ``/`` between its parts, as the file system spells it."""
    executable: bool
    """Whether its owner may run it."""
    size: int
    """Its length in bytes."""


def list_files(folder: Path) -> list[BotFile]:
    """Gives the files that make up a bot, ordered by name.

    Left out are `LEFT_OUT`, ``*.pyc``, virtual environments, leagues and empty folders.

    Raises:
        InputError: there is a symbolic link or a special file, something can't be read, or it is
            all too much.
    """
    files: list[BotFile] = []
    total = 0
    for name, status in _walk(folder):
        files.append(BotFile(name, bool(status.st_mode & stat.S_IXUSR), status.st_size))
        total += status.st_size
        if len(files) > MOST_FILES or total > MOST_BYTES:
            raise InputError(
                f"{folder}: expected at most {MOST_FILES:,} files and "
                f"{MOST_BYTES // 1024 // 1024} MiB, found more: take out what the bot doesn't "
                "need to play, or let its build step fetch it"
            )
    return sorted(files)


def _walk(root: Path) -> Iterator[tuple[bytes, os.stat_result]]:
    folders = [root]
    try:
        while folders:
            for path in folders.pop().iterdir():
                if path.name in LEFT_OUT or path.name.endswith(".pyc"):
                    continue
                status = path.lstat()
                name = path.relative_to(root).as_posix()
                if stat.S_ISREG(status.st_mode):
                    yield os.fsencode(name), status
                elif not stat.S_ISDIR(status.st_mode):
                    kind = "a symbolic link" if path.is_symlink() else "a special file"
                    raise InputError(
                        f"{name!r} is {kind}: expected files and folders only: put a plain file "
                        "in its place"
                    )
                elif not any((path / mark).exists() for mark in _MARKS_OF_FOREIGN_FOLDERS):
                    folders.append(path)
    except OSError as error:
        raise InputError(f"{error.filename or root!r} can't be read: {error.strerror}") from None


def copy_files(source: Path, target: Path) -> None:
    """Copies the files that make up a bot into a folder, which is made.

    Raises:
        InputError: as `list_files`, or the copy can't be written.
    """
    for file in list_files(source):
        name = os.fsdecode(file.name)
        try:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, target / name, follow_symlinks=False)
            (target / name).chmod(_EXECUTABLE if file.executable else _PLAIN)
        except OSError as error:
            raise InputError(f"{name!r} can't be copied: {error.strerror}") from None


def digest_of(folder: Path) -> str:
    """Gives the content hash of a bot's folder: SHA-256, in hexadecimal.

    It covers the names of the files, whether they are executable, and their contents; nothing
    else, so the same content has the same hash on every machine.

    Raises:
        InputError: as `list_files`.
    """
    digest = hashlib.sha256(_DIGEST_DOMAIN)
    for file in list_files(folder):
        # lengths stand before what varies in length, so that no two folders run together the same
        digest.update(len(file.name).to_bytes(8, "big") + file.name)
        digest.update(bytes((file.executable,)) + file.size.to_bytes(8, "big"))
        with (folder / os.fsdecode(file.name)).open("rb") as content:
            while piece := content.read(_PIECE):
                digest.update(piece)
    return digest.hexdigest()


def make_read_only(folder: Path) -> None:
    """Takes the right to write from all files in a folder.

    Folders keep it, so that a person can remove a league as any other folder.
    """
    for path in _all_below(folder):
        if path.is_file():
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~0o222)


def remove_folder(folder: Path) -> None:
    """Removes a folder and all that is in it, read-only or not; it need not exist."""
    if folder.is_dir():
        for path in _all_below(folder):
            if path.is_dir():
                path.chmod(0o700)
        shutil.rmtree(folder)


def _all_below(folder: Path) -> Iterator[Path]:
    """Gives a folder and what is in it, folders before their contents; no symbolic links."""
    folders = [folder]
    while folders:
        here = folders.pop()
        yield here
        for path in here.iterdir():
            if path.is_dir() and not path.is_symlink():
                folders.append(path)
            elif path.is_file() and not path.is_symlink():
                yield path
