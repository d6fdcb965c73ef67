"""The temporary folder of a series, and the removal of those that killed processes have left."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_SOCKET_PATH = 107
"""Bytes of the longest path of a Unix socket."""
SOCKET = "s"
_PREFIX = "s-"
_DEEPEST = f"{_PREFIX}12345678/0/{SOCKET}"
"""A path of the same length as that of a socket in a series' folder."""


@contextmanager
def series_folder() -> Iterator[Path]:
    """Makes a folder for one series, which nobody else may look into, and removes it after.

    It stands in one folder per user, ``caljack-<uid>`` among the temporary files, and is held by a
    lock that ends with this process. Folders that nobody holds any more are removed on the way.

    Raises:
        OSError: no such folder can be made; the message says what to do.
    """
    parent = _parent()
    with _held(parent):
        _remove_abandoned(parent)
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        descriptor = _lock(folder)
    try:
        yield folder
    finally:
        # a bot may have left folders in there that can't be removed; the rest goes
        shutil.rmtree(folder, ignore_errors=True)
        os.close(descriptor)
        with suppress(OSError), _held(parent):
            parent.rmdir()


def _parent() -> Path:
    """Gives the path of this user's folder for all series."""
    parent = Path(tempfile.gettempdir()) / f"caljack-{os.getuid()}"
    if len(os.fsencode(parent / _DEEPEST)) > LONGEST_SOCKET_PATH:
        raise OSError(
            f"the path of the temporary folder {parent} is too long for a Unix socket: "
            f"set TMPDIR to a folder with a shorter path, such as /tmp"
        )
    return parent


@contextmanager
def _held(parent: Path) -> Iterator[None]:
    """Makes the folder of all series if it is missing, and holds it while others wait.

    Raises:
        OSError: it can't be made, or it is another user's.
    """
    while True:
        with suppress(FileExistsError):
            parent.mkdir(mode=0o700)
        try:
            _check_owner(parent)
            descriptor = _lock(parent)
        except FileNotFoundError:
            continue  # whoever held it before has removed it
        if _is_at(parent, descriptor):
            break
        os.close(descriptor)
    try:
        parent.chmod(0o700)
        yield
    finally:
        os.close(descriptor)


def _check_owner(parent: Path) -> None:
    found = parent.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise OSError(
            f"expected {parent} to be a folder of this user's own, found another's: "
            "remove it, or set TMPDIR to another folder"
        )


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return path.lstat().st_ino == os.fstat(descriptor).st_ino
    except FileNotFoundError:
        return False


def _lock(folder: Path, *, wait: bool = True) -> int:
    """Locks a folder until the descriptor that this gives is closed.

    Raises:
        BlockingIOError: `wait` is false and another process holds it.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _remove_abandoned(parent: Path) -> None:
    for folder in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            descriptor = _lock(folder, wait=False)
            shutil.rmtree(folder, ignore_errors=True)
            os.close(descriptor)


def size_mib(folder: Path, enough_mib: int) -> float:
    """Gives the size of all files below a folder, in MiB; stops counting beyond what is enough.

    Every entry counts as some bytes, so that a million empty files are something, too.
    """
    total, enough = 0, enough_mib * 1024 * 1024
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                total += max(4096, os.lstat(os.path.join(path, name)).st_blocks * 512)  # noqa: PTH118 - by the thousand
            except OSError:
                continue
        total += 4096
        if total > enough:
            break
    return total / (1024 * 1024)
