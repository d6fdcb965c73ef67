"""The files of a bot's folder, their hash, and copies of them."""

from __future__ import annotations

import hashlib
import os
import struct
from typing import TYPE_CHECKING

import pytest

from californiajack import InputError
from californiajack_referee.submission import files as bot_folder
from californiajack_referee.submission.files import (
    copy_files,
    digest_of,
    list_files,
    make_read_only,
    remove_folder,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """Gives a folder with three files, one of them executable, one in a folder below."""
    folder = tmp_path / "bot"
    (folder / "lib").mkdir(parents=True)
    (folder / "bot.py").write_text("print('bot')\n")
    (folder / "lib" / "data").write_bytes(bytes(range(256)))
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    return folder


def _names(folder: Path) -> list[str]:
    return [os.fsdecode(file.name) for file in list_files(folder)]


def test_the_files_of_a_bot(bot: Path) -> None:
    """All files, in the order of their names."""
    assert _names(bot) == ["bot.py", "lib/data", "run.sh"]
    assert [file.executable for file in list_files(bot)] == [False, False, True]
    assert [file.size for file in list_files(bot)] == [13, 256, 10]


def test_what_tools_leave_is_no_part_of_a_bot(bot: Path) -> None:
    """Caches, installed packages, environments, version control and leagues are left out."""
    before = digest_of(bot)
    for name in (
        ".git/config",
        "__pycache__/bot.cpython-311.pyc",
        "lib/__pycache__/x.pyc",
        "lib/old.pyc",
        "node_modules/a/index.js",
        ".mypy_cache/x",
        ".venv/bin/python",
        "myenv/pyvenv.cfg",
        "myenv/lib/x.py",
        "league/league.sqlite3",
        "league/bots/ab/bot.py",
    ):
        (bot / name).parent.mkdir(parents=True, exist_ok=True)
        (bot / name).write_text("x")
    (bot / "empty" / "folder").mkdir(parents=True)
    (bot / "node_modules" / "link").symlink_to("a")
    assert _names(bot) == ["bot.py", "lib/data", "run.sh"]
    assert digest_of(bot) == before


def test_the_hash_is_that_of_the_content(bot: Path, tmp_path: Path) -> None:
    """A copy elsewhere, with other times and other permissions of others, has the same hash."""
    copy_files(bot, tmp_path / "copy")
    os.utime(tmp_path / "copy" / "bot.py", (0, 0))
    (tmp_path / "copy" / "lib").chmod(0o700)
    (tmp_path / "copy" / "bot.py").chmod(0o600)
    assert digest_of(tmp_path / "copy") == digest_of(bot)


def test_the_hash_never_changes(bot: Path) -> None:
    """Leagues know their bots by it, so its definition is written out here once more."""
    expected = b"californiajack/bot-folder/1"
    for name, executable, content in (
        (b"bot.py", 0, b"print('bot')\n"),
        (b"lib/data", 0, bytes(range(256))),
        (b"run.sh", 1, b"#!/bin/sh\n"),
    ):
        expected += struct.pack(">Q", len(name)) + name + bytes([executable])
        expected += struct.pack(">Q", len(content)) + content
    assert digest_of(bot) == hashlib.sha256(expected).hexdigest()


def test_every_part_of_the_content_counts(bot: Path) -> None:
    """Names, bytes, the right to run, and where one file ends and the next begins."""
    seen = {digest_of(bot)}

    def changed() -> bool:
        digest = digest_of(bot)
        new = digest not in seen
        seen.add(digest)
        return new

    (bot / "bot.py").write_text("print('Bot')\n")
    assert changed()
    (bot / "bot.py").chmod(0o755)
    assert changed()
    (bot / "bot.py").rename(bot / "lib" / "bot.py")
    assert changed()
    (bot / "a").write_text("bc")
    assert changed()
    (bot / "a").rename(bot / "ab")
    (bot / "ab").write_text("c")
    assert changed()
    (bot / "ab").write_text("")
    assert changed()


def test_a_copy_has_the_same_files(bot: Path, tmp_path: Path) -> None:
    """Contents and the right to run are copied; what is left out is not."""
    (bot / ".git").mkdir()
    (bot / ".git" / "HEAD").write_text("x")
    copy = tmp_path / "deep" / "copy"
    copy_files(bot, copy)
    assert sorted(p.relative_to(copy).as_posix() for p in copy.rglob("*")) == [
        "bot.py",
        "lib",
        "lib/data",
        "run.sh",
    ]
    assert (copy / "lib" / "data").read_bytes() == bytes(range(256))
    assert os.access(copy / "run.sh", os.X_OK)
    assert (copy / "bot.py").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("target", ["bot.py", "lib", "nowhere", "/etc/passwd"])
def test_symbolic_links_are_refused(bot: Path, target: str) -> None:
    """To a file, to a folder, to nothing or out of the bot: the message names the link."""
    (bot / "lib" / "link").symlink_to(target)
    with pytest.raises(InputError, match="'lib/link' is a symbolic link"):
        list_files(bot)


def test_special_files_are_refused(bot: Path, tmp_path: Path) -> None:
    """A pipe would be waited on for ever."""
    os.mkfifo(bot / "pipe")
    with pytest.raises(InputError, match="'pipe' is a special file"):
        copy_files(bot, tmp_path / "copy")


def test_too_much_is_refused(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits hold for the number of files and for their size, to the last byte."""
    assert bot_folder.MOST_FILES == 10_000
    assert bot_folder.MOST_BYTES == 256 * 1024 * 1024
    monkeypatch.setattr(bot_folder, "MOST_FILES", 3)
    monkeypatch.setattr(bot_folder, "MOST_BYTES", 279)
    list_files(bot)
    (bot / "more").write_text("")
    with pytest.raises(InputError, match="expected at most 3 files"):
        list_files(bot)
    (bot / "more").unlink()
    (bot / "bot.py").write_text("print('bot')\n\n")
    with pytest.raises(InputError, match="found more"):
        list_files(bot)


def test_a_large_sparse_file_is_refused_without_being_read(bot: Path) -> None:
    """A file of many gigabytes is told by its size."""
    with (bot / "huge").open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(InputError, match="256 MiB"):
        list_files(bot)


def test_names_are_any_bytes(bot: Path, tmp_path: Path) -> None:
    """A name that is no UTF-8 is hashed and copied as it is."""
    (bot / os.fsdecode(b"caf\xe9")).write_text("x")
    copy_files(bot, tmp_path / "copy")
    assert b"caf\xe9" in [file.name for file in list_files(tmp_path / "copy")]


def test_read_only_files_can_be_removed(bot: Path) -> None:
    """Files made read-only can't be written to, and `rm -r` removes the folder all the same."""
    (bot / "link").symlink_to("/etc")
    make_read_only(bot)
    assert bot.stat().st_mode & 0o200
    for path in (bot / "lib" / "data", bot / "run.sh"):
        assert not path.stat().st_mode & 0o222
    assert os.access(bot / "run.sh", os.X_OK)
    remove_folder(bot)
    assert not bot.exists()
    remove_folder(bot)
