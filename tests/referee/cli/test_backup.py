"""`caljack backup`: what is in a copy, and what stays as it is."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from californiajack_referee.league.folder import League

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def league(results_folder: Path, tmp_path: Path) -> Path:
    """Gives a copy of the league with results, with the bots' folders, settings and logs."""
    folder = Path(shutil.copytree(results_folder, tmp_path / "league"))
    with League.open(folder) as opened:
        for bot in opened.store.bots():
            opened.bot_folder(bot.digest).mkdir(parents=True)
            (opened.bot_folder(bot.digest) / "bot.toml").write_text(bot.label)
    (folder / "bots" / "half").mkdir()
    (folder / "league.toml").write_text("[limits]\nmove_seconds = 5\n")
    (folder / "logs").mkdir(exist_ok=True)
    (folder / "logs" / "a.log").write_text("words")
    return folder


def test_a_copy_has_all_that_a_league_needs(
    league: Path, tmp_path: Path, ask: Callable[..., Any]
) -> None:
    """The database, the settings and the bots that it names, under the file's name; no more."""
    answer = ask("--league", league, "backup", tmp_path / "cup.tgz")
    assert (answer.status, answer.out) == (0, f"{tmp_path / 'cup.tgz'} written.\n")
    assert "tar -xzf" in answer.err
    with tarfile.open(tmp_path / "cup.tgz") as packed:
        names = packed.getnames()
    subprocess.run(["tar", "-xzf", "cup.tgz"], cwd=tmp_path, check=True)
    with League.open(league) as opened:
        digests = [bot.digest for bot in opened.store.bots()]
    folders = [f"cup/bots/{digest}" for digest in digests]
    files = [f"{folder}/bot.toml" for folder in folders]
    assert sorted(names) == sorted(["cup/league.sqlite3", "cup/league.toml", *folders, *files])
    for words in (("export", "night"), ("rankings",), ("tournament", "list"), ("bots",)):
        assert ask("--league", tmp_path / "cup", *words) == ask("--league", league, *words)


def test_nothing_is_overwritten(league: Path, tmp_path: Path, ask: Callable[..., Any]) -> None:
    """A file that is there stays, also one that is a link to nowhere."""
    (tmp_path / "there.tar.gz").write_text("mine")
    (tmp_path / "link.tar.gz").symlink_to(tmp_path / "nowhere")
    for name in ("there.tar.gz", "link.tar.gz"):
        answer = ask("--league", league, "backup", tmp_path / name)
        assert answer.status == 2
        assert "is there already: choose another name" in answer.err
    assert (tmp_path / "there.tar.gz").read_text() == "mine"
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize(
    ("name", "status", "says"),
    [
        ("copy.zip", 2, "expected a file name that ends in .tar.gz or .tgz"),
        (".tar.gz", 2, "expected a file name"),
        ("no/such/folder/copy.tar.gz", 1, "can't be written (No such file or directory)"),
        ("league/league.sqlite3/copy.tar.gz", 1, "can't be written (Not a directory)"),
    ],
)
def test_a_place_that_is_none_is_told(  # noqa: PLR0917 - fixtures add up
    league: Path, tmp_path: Path, ask: Callable[..., Any], name: str, status: int, says: str
) -> None:
    """A wrong name or folder gives a sentence, and nothing is left there."""
    before = sorted(tmp_path.iterdir())
    answer = ask("--league", league, "backup", tmp_path / name)
    assert answer.status == status
    assert says in answer.err
    assert sorted(tmp_path.iterdir()) == before
