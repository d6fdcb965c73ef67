"""Leagues that are damaged, newer, read-only or incomplete: words, and nothing made worse."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from californiajack_referee.league.folder import DATABASE
from californiajack_referee.league.tables import SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SAMPLE_BOTS = Path(__file__).parents[3] / "sample_bots"
READS: tuple[tuple[str, ...], ...] = (
    ("bots",),
    ("tournament", "list"),
    ("rankings",),
    ("export", "night"),
    ("games",),
)
PLAYS = ("tournament", "resume", "dusk")


@pytest.fixture
def league(results_folder: Path, tmp_path: Path) -> Path:
    """Gives a copy of the league with results, to be damaged."""
    return Path(shutil.copytree(results_folder, tmp_path / "league"))


def _everything(league: Path) -> list[tuple[str, ...]]:
    return [*READS, PLAYS, ("backup", str(league.parent / "copy.tar.gz"))]


def _cut(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _text(file: Path) -> None:
    file.write_text("A letter to the league.\n" * 500)


def _other(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE other (x)")


def _newer(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database:
        database.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (_cut, "damaged"),
        (_empty, "expected a league's database"),
        (_text, "expected a league's database"),
        (_other, "expected a league's database"),
        (_newer, "written by a newer release"),
    ],
)
def test_a_wrong_database_is_told_and_left_alone(
    league: Path, damage: Callable[[Path], None], says: str, ask: Callable[..., Any]
) -> None:
    """Whatever is asked of it: status 1, one sentence that names the file, and the same bytes."""
    file = league / DATABASE
    damage(file)
    before = file.read_bytes()
    for words in _everything(league):
        answer = ask("--league", league, *words)
        assert answer.status == 1, words
        assert answer.err.startswith("Error: ")
        assert str(file) in answer.err
        assert says in answer.err
        assert answer.err.count("\n") == 1
    assert file.read_bytes() == before
    assert not (league.parent / "copy.tar.gz").exists()


def test_a_folder_for_a_database_is_told(league: Path, ask: Callable[..., Any]) -> None:
    """A folder under the database's name gives a sentence and status 1."""
    (league / DATABASE).unlink()
    (league / DATABASE).mkdir()
    for words in _everything(league):
        answer = ask("--league", league, *words)
        assert answer.status == 1
        assert "expected a league's database, found a folder" in answer.err


def test_overwritten_pages_are_never_played_on_or_copied(
    league: Path, ask: Callable[..., Any]
) -> None:
    """Whichever page is overwritten, nothing is played or backed up, and no command stumbles."""
    file = league / DATABASE
    content = file.read_bytes()
    size = int.from_bytes(content[16:18], "big")
    for start in range(0, len(content), size):
        damaged = content[:start] + b"\xa5" * size + content[start + size :]
        file.write_bytes(damaged)
        for words in READS:
            assert ask("--league", league, *words).status in (0, 1)
        for words in _everything(league)[-2:]:
            answer = ask("--league", league, *words)
            assert (answer.status, file.read_bytes() == damaged) == (1, True), (start, words)
            assert "damaged" in answer.err


def test_flipped_bytes_never_end_in_a_traceback(league: Path, ask: Callable[..., Any]) -> None:
    """A byte that changed anywhere gives a sentence, or is part of a value that may be any."""
    file = league / DATABASE
    content = file.read_bytes()
    rng = random.Random(1)
    for _ in range(60):
        flipped = bytearray(content)
        for _ in range(3):
            flipped[rng.randrange(len(content))] ^= rng.randrange(1, 256)
        file.write_bytes(flipped)
        for words in READS:
            # an exception that isn't put in words comes through
            assert ask("--league", league, *words).status in (0, 1)


@contextmanager
def _read_only(league: Path) -> Iterator[Path]:
    bound = subprocess.run(["mount", "--bind", league, league], capture_output=True, check=False)
    if bound.returncode == 0:
        subprocess.run(["mount", "-o", "remount,bind,ro", league], check=True)
        try:
            yield league
        finally:
            subprocess.run(["umount", league], check=True)
    elif os.geteuid() == 0:
        pytest.skip("root may write everywhere, and can't mount here")
    else:
        league.chmod(0o500)
        try:
            yield league
        finally:
            league.chmod(0o700)


@pytest.fixture
def read_only(league: Path) -> Iterator[Path]:
    """Gives the league where nothing can be written: mounted so, else by its rights."""
    with _read_only(league):
        yield league


def test_a_read_only_league_can_be_read(
    read_only: Path, results_folder: Path, ask: Callable[..., Any]
) -> None:
    """All that only reads gives what it gives elsewhere, and a backup can be made."""
    for words in READS:
        answer, elsewhere = (
            ask("--league", league, *words) for league in (read_only, results_folder)
        )
        assert (answer.status, answer.err) == (0, elsewhere.err), words
        assert answer.out == elsewhere.out
    assert ask("--league", read_only, "backup", read_only.parent / "copy.tar.gz").status == 0


def test_a_read_only_league_is_told(read_only: Path, ask: Callable[..., Any]) -> None:
    """Where something is to be written, the message says why it can't be."""
    for words in (PLAYS, ("submit", str(SAMPLE_BOTS / "random"))):
        answer = ask("--league", read_only, *words)
        assert answer.status == 1
        assert "Read-only file system" in answer.err or "Permission denied" in answer.err
        assert "make the league's folder writable" in answer.err


def test_an_unsettled_read_only_league_is_told(league: Path, ask: Callable[..., Any]) -> None:
    """With the end of its results still beside the database, half of them are not shown as all."""
    with closing(sqlite3.connect(league / DATABASE)) as writer:
        writer.execute("DELETE FROM game WHERE deal = 0")
        writer.commit()
        copy = Path(shutil.copytree(league, league.parent / "copy"))
    for beside in copy.glob("*-shm"):
        beside.unlink()
    with _read_only(copy):
        answer = ask("--league", copy, "rankings")
    assert answer.status == 1
    assert "read-only" in answer.err


def test_missing_bots_are_told(league: Path, ask: Callable[..., Any]) -> None:
    """Without its bots a tournament can't go on, but all that was played is there.

    A backup says what it lacks.
    """
    answer = ask("--league", league, *PLAYS)
    assert answer.status == 2
    assert "the folder of fox@1 is gone" in answer.err
    assert "submit the same content again" in answer.err
    for words in READS:
        assert ask("--league", league, *words).status == 0
    answer = ask("--league", league, "backup", league.parent / "copy.tar.gz")
    assert answer.status == 0
    assert "The folder of fox@1 is gone" in answer.err
