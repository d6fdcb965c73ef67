"""The folder of a league."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from californiajack import InputError
from californiajack_referee.league.database import StoreError
from californiajack_referee.league.folder import DATABASE, BusyError, League

if TYPE_CHECKING:
    from pathlib import Path

_HOLD = """
import sys
from californiajack_referee.league.folder import League
with League.open(sys.argv[1]) as league, league.playing("night"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_league_is_made_only_when_asked(tmp_path: Path) -> None:
    """Opening a folder with no league says how to begin, and makes nothing."""
    with pytest.raises(InputError, match=r"no league at .*caljack submit PATH"):
        League.open(tmp_path / "none")
    assert not (tmp_path / "none").exists()
    with League.open(tmp_path / "deep" / "new", create=True) as league:
        assert league.store.bots() == []
    with League.open(tmp_path / "deep" / "new") as league:
        assert league.folder == tmp_path / "deep" / "new"


def test_a_relative_folder_stays_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A league keeps its place when the process changes its directory."""
    monkeypatch.chdir(tmp_path)
    with League.open("league", create=True) as league:
        monkeypatch.chdir("/")
        assert league.bot_folder("ab") == tmp_path / "league" / "bots" / "ab"


def test_a_place_that_cannot_be_a_folder_is_refused(tmp_path: Path) -> None:
    """A file in the way is told in words."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="can't make a league"):
        League.open(tmp_path / "file" / "league", create=True)
    with pytest.raises(InputError, match="can't make a league"):
        League.open(tmp_path / "file", create=True)


def test_a_damaged_database_is_told_in_words(tmp_path: Path) -> None:
    """A league whose database is something else is not opened, nor made anew."""
    (tmp_path / DATABASE).write_bytes(b"\x00" * 5000)
    with pytest.raises(StoreError, match="expected a league's database"):
        League.open(tmp_path, create=True)


def test_a_bots_program_runs_in_its_folder(tmp_path: Path) -> None:
    """The program has the bot's label, folder and command; a folder that is gone is told."""
    with League.open(tmp_path, create=True) as league:
        bot = league.store.add_bot(
            "bee", "ab" * 32, language="", authors=(), command=("python", "bot.py")
        )
        with pytest.raises(InputError, match="the folder of bee@1 is gone"):
            league.program_of(bot)
        league.bot_folder(bot.digest).mkdir(parents=True)
        program = league.program_of(bot)
    assert program.name == "bee@1"
    assert program.folder == str(tmp_path / "bots" / bot.digest)
    assert program.command == ("python", "bot.py")


def test_a_tournament_is_played_by_one_process(tmp_path: Path) -> None:
    """While another process holds it, it can't be played here; its death frees it."""
    with League.open(tmp_path, create=True) as league:
        with subprocess.Popen(
            [sys.executable, "-c", _HOLD, tmp_path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == b"held\n"
            with pytest.raises(BusyError, match=rf"another process \(process {other.pid}\)"):
                league.playing("night").__enter__()
            with league.playing("day"):
                pass
            other.kill()
        with league.playing("night"):
            pass
