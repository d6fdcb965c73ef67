"""What can go wrong with the files of a league, in words."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from typing import TYPE_CHECKING

from californiajack import CaliforniaJackError

if TYPE_CHECKING:
    from pathlib import Path

NO_SPACE_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system answers where a disk, a quota or a limit on the size of files is used up."""
_NO_SPACE = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE)
_PERHAPS_NO_SPACE = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
_FULL_BYTES = 64 * 1024
"""Less room than what an open database needs beside its file."""


class StoreError(CaliforniaJackError):
    """The league's database can't be read or written."""


class NoSpaceError(StoreError):
    """The disk takes no more; what was stored before is whole."""


def explain(error: sqlite3.Error, path: Path) -> StoreError:
    """Says in words why a database can't be read or written."""
    code = getattr(error, "sqlite_errorcode", 0)
    # the low byte is the kind of error; what is above it tells it more finely
    kind = code & 0xFF
    if code in _NO_SPACE or (kind in _PERHAPS_NO_SPACE and is_full(path.parent)):
        return _no_space(path, str(error))
    if kind in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return damaged(path, str(error))
    return StoreError(f"{path}: {_why(error, kind, path)}")


def _why(error: sqlite3.Error, kind: int, path: Path) -> str:
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return "another process has been writing for long: try again when it is done"
    if path.is_dir():
        return (
            "expected a league's database, found a folder: move it away, and restore the database "
            "from a copy or start a new league"
        )
    if kind == sqlite3.SQLITE_READONLY or not os.access(path.parent, os.W_OK):
        return (
            f"the league's folder or its database is read-only ({error}): make both writable, or "
            "copy the league to where they are"
        )
    if kind == sqlite3.SQLITE_CANTOPEN:
        return f"can't be opened ({error}): check that the folder is there and yours"
    return f"the database failed ({error})"


def cannot_write(path: Path, error: OSError) -> StoreError:
    """Says in words why a file of the league can't be written."""
    if error.errno in NO_SPACE_ERRORS:
        return _no_space(path, error.strerror or "")
    return StoreError(
        f"{path}: can't be written ({error.strerror or error}): make the league's folder writable, "
        "or copy the league to where it is"
    )


def damaged(path: Path, words: str) -> StoreError:
    """Says that a database is damaged, and what to do."""
    return StoreError(
        f"{path}: expected a league's database, found a damaged file or another kind of file "
        f"({words}): restore it from a copy, or move it away and start a new league"
    )


def is_full(folder: Path) -> bool:
    """Tells whether the disk of a folder has no room left to speak of."""
    try:
        return shutil.disk_usage(folder).free < _FULL_BYTES
    except OSError:
        return False


def _no_space(path: Path, words: str) -> NoSpaceError:
    return NoSpaceError(
        f"{path}: no space left on its disk ({words}); what was stored before is whole: free some, "
        "then try again"
    )
