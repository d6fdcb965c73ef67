"""A copy of a league in one file, made while its tournaments may run."""

from __future__ import annotations

import os
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from californiajack import InputError
from californiajack_referee.league.errors import NoSpaceError, StoreError, cannot_write
from californiajack_referee.league.folder import DATABASE
from californiajack_referee.league.settings import SETTINGS
from californiajack_referee.league.store import Store

if TYPE_CHECKING:
    from californiajack_referee.league.folder import League
    from californiajack_referee.league.stored import StoredBot

ENDINGS = (".tar.gz", ".tgz")
"""How the name of a backup may end."""
_LEVEL = 3
"""How hard it is packed: beyond, it takes long and gains little."""


def back_up(league: League, file: Path) -> list[StoredBot]:
    """Copies a league's database, settings and bots, as they are now, to a new ``.tar.gz``.

    Unpacked anywhere it gives a folder, named as the file without its ending, in which a tournament
    can be resumed. Logs stay out. The file appears under its name when it is whole.

    Args:
        league: it may be in use, by this process and others.
        file: where to write; nothing may be there.

    Returns:
        The bots whose folders are gone from the league, and so are missing in the copy too.

    Raises:
        InputError: the file is there already, or its name doesn't end as it has to.
        StoreError: the league can't be read, or the file can't be written.
    """
    name = _folder_name(file)
    _refuse_to_overwrite(file)
    try:
        # beside the file, so that it can be put in its place at once
        with tempfile.TemporaryDirectory(prefix=".caljack-backup-", dir=file.parent) as work:
            missing = _pack(league, Path(work), name)
            _refuse_to_overwrite(file)
            (Path(work) / "packed").rename(file)
        _sync(file.parent)
    except OSError as error:
        raise _cannot_copy(file, error) from error
    return missing


def _folder_name(file: Path) -> str:
    for ending in ENDINGS:
        if file.name.endswith(ending) and file.name != ending:
            return file.name.removesuffix(ending)
    raise InputError(
        f"backup: expected a file name that ends in {' or '.join(ENDINGS)}, such as "
        f"night.tar.gz, got {file.name!r}"
    )


def _refuse_to_overwrite(file: Path) -> None:
    if os.path.lexists(file):
        raise InputError(f"{file} is there already: choose another name, or move it away first")


def _pack(league: League, work: Path, name: str) -> list[StoredBot]:
    database = work / DATABASE
    league.store.copy_to(database)
    # what the copy names is there: a bot's folder is in place before the bot is stored
    with Store(database) as copy:
        copy.check()
        bots = copy.bots()
    missing = []
    with (work / "packed").open("xb") as packed:
        with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=_LEVEL) as archive:
            archive.add(database, f"{name}/{DATABASE}")
            settings = league.folder / SETTINGS
            if settings.is_file():
                archive.add(settings, f"{name}/{SETTINGS}")
            for bot in bots:
                folder = league.bot_folder(bot.digest)
                if folder.is_dir():
                    archive.add(folder, f"{name}/bots/{bot.digest}")
                else:
                    missing.append(bot)
        packed.flush()
        os.fsync(packed.fileno())
    return missing


def _sync(folder: Path) -> None:
    """Makes a rename in a folder last through a loss of power."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _cannot_copy(file: Path, error: OSError) -> StoreError:
    worded = cannot_write(file, error)
    if isinstance(worded, NoSpaceError):
        return NoSpaceError(f"{file}: no space left on its disk: free some, or choose another disk")
    return StoreError(
        f"{file}: can't be written ({error.strerror or error}): choose a folder that is there and "
        "yours"
    )
