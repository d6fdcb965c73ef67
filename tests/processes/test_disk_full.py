"""A disk that fills up in the middle of a tournament: words, nothing damaged, and the same log."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from californiajack_referee.league.folder import League
from californiajack_referee.submission.submit import submit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PLAN = ("--name", "night", "--pairs", "4", "--seed", bytes(range(16)).hex(), "--target", "5")
GAMES = 3 * 2 * 4
RESUME = ("tournament", "resume", "night")
_LIMITED = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (34_000, 34_000))
os.execv(sys.argv[1], sys.argv[1:])
"""
_CHATTERS = "print('x' * 50)"


@pytest.fixture(scope="module")
def copy(
    tmp_path_factory: pytest.TempPathFactory,
    write_bot: Callable[..., Path],
    caljack: Any,  # noqa: ANN401 - the helper of conftest.py
) -> Path:
    """Gives the backup of a league with three bots and no tournament; they write much."""
    base = tmp_path_factory.mktemp("full")
    with League.open(base / "league", create=True) as opened:
        for name in ("ant", "bee", "cat"):
            submit(opened, write_bot(base, name, before=_CHATTERS))
    assert caljack(base / "league", "backup", base / "league.tar.gz").returncode == 0
    return base / "league.tar.gz"


def _unpack(copy: Path, folder: Path) -> Path:
    subprocess.run(["tar", "-xzf", copy], cwd=folder, check=True)
    return folder / "league"


@pytest.fixture(scope="module")
def expected(
    copy: Path,
    caljack: Any,  # noqa: ANN401 - the helper of conftest.py
    tmp_path_factory: pytest.TempPathFactory,
) -> str:
    """Gives the export of a tournament that nothing disturbed."""
    league = _unpack(copy, tmp_path_factory.mktemp("roomy"))
    done = caljack(league, "tournament", "run", *PLAN)
    assert done.returncode == 0, done.stderr
    export: str = caljack.export(league, "night")
    assert export.count("\n") == GAMES
    return export


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Gives the folder of a disk of its own, of 2 MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount: list[str | Path] = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder]
    mounted = subprocess.run(mount, capture_output=True, text=True, check=False)
    if mounted.returncode != 0:
        pytest.skip(f"needs to mount a small disk, as root: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def _leave(disk: Path, room: int) -> None:
    """Fills a disk, but for some bytes."""
    filler = disk / "filler"
    filler.unlink(missing_ok=True)
    there = os.statvfs(disk)
    filler.write_bytes(b"\0" * max(0, there.f_bavail * there.f_frsize - room))


def _stored(league: Path) -> int:
    with League.open(league) as opened:
        if not opened.store.tournaments():
            return 0
        assert list(opened.store.voids("night")) == []
        return opened.store.game_count("night")


def test_a_full_disk_stops_a_tournament_and_loses_nothing(
    copy: Path,
    expected: str,
    caljack: Any,  # noqa: ANN401 - the helper of conftest.py
    disk: Path,
) -> None:
    """It ends with status 1 and what to do; with room again it goes on, to the same log."""
    league = _unpack(copy, disk)
    _leave(disk, 8 * 1024)
    answer = caljack(league, "tournament", "run", *PLAN)
    assert answer.returncode == 1
    assert "no space left" in answer.stderr
    assert "free some, then try again" in answer.stderr
    room, stored = 100 * 1024, 0
    while not stored:
        _leave(disk, room)
        answer = caljack(league, *(RESUME if room > 100 * 1024 else ("tournament", "run", *PLAN)))
        assert answer.returncode == 1, answer.stderr
        assert "no space left" in answer.stderr
        assert "Traceback" not in answer.stderr
        (disk / "filler").unlink()
        stored = _stored(league)
        room += 60 * 1024
    assert "free some, then go on: caljack tournament resume night" in answer.stderr
    assert stored < GAMES
    answer = caljack(league, *RESUME)
    assert answer.returncode == 0, answer.stderr
    assert caljack.export(league, "night") == expected


def test_files_that_may_not_grow_are_as_a_full_disk(
    copy: Path,
    expected: str,
    caljack: Any,  # noqa: ANN401 - the helper of conftest.py
    tmp_path: Path,
) -> None:
    """Under a limit on the size of files a tournament stops and goes on in the same way."""
    league = _unpack(copy, tmp_path)
    command = caljack.command(league, "tournament", "run", *PLAN)
    limited = [sys.executable, "-c", _LIMITED, *command]
    answer = subprocess.run(limited, capture_output=True, text=True, check=False, timeout=50)
    assert answer.returncode == 1, answer.stderr
    assert "free some, then go on: caljack tournament resume night" in answer.stderr
    assert 0 < _stored(league) < GAMES
    answer = caljack(league, *RESUME)
    assert answer.returncode == 0, answer.stderr
    assert caljack.export(league, "night") == expected


def test_a_backup_that_finds_no_room_leaves_nothing(
    copy: Path,
    caljack: Any,  # noqa: ANN401 - the helper of conftest.py
    disk: Path,
    tmp_path: Path,
) -> None:
    """It says that its own disk is full, and leaves no half of a copy."""
    league = _unpack(copy, tmp_path)
    _leave(disk, 16 * 1024)
    answer = caljack(league, "backup", disk / "copy.tar.gz")
    assert answer.returncode == 1
    assert "no space left" in answer.stderr
    assert [path.name for path in disk.iterdir()] == ["filler"]
