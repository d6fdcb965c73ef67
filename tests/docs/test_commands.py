"""The documents can be followed: their bots play, their commands and programs run."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Shell = Callable[[str, Path], subprocess.CompletedProcess[str]]
Follow = Callable[[Path, Path], list[str]]

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
NODE = bool(shutil.which("node") and shutil.which("npm"))
BOTS = {"fox": "random", "hen": "random", "ant": "random", "my-fox": "greedy"}
"""The bots that the pages name, and the samples that they are copies of."""
needs_bubblewrap = pytest.mark.skipif(
    not shutil.which("bwrap"), reason="bubblewrap is missing, and the page's tournament asks for it"
)


def test_the_first_bot_gets_better(tmp_path: Path, shell: Shell, follow: Follow) -> None:
    """The page leads from nothing to a better second version, and to a ranking that has it."""
    assert len(follow(DOCS / "first-bot.md", tmp_path)) > 5
    assert "my-bot@2" in shell("caljack rankings --tournament first", tmp_path).stdout


@pytest.mark.node
@pytest.mark.skipif(not NODE, reason="Node.js or npm is missing: the page's bot can't be tried")
def test_the_bot_in_javascript_plays(tmp_path: Path, shell: Shell, follow: Follow) -> None:
    """The page's bot is built, submitted and plays 20 games without a fault."""
    follow(DOCS / "bot-in-javascript.md", tmp_path)
    assert "lowest-js@1" in shell("caljack rankings --tournament languages", tmp_path).stdout
    faults = shell("caljack faults --bot lowest-js", tmp_path)
    assert faults.stderr == "No faults.\n"


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory, shell: Shell) -> Path:
    """A folder with the bots and the league that the pages speak of."""
    folder = tmp_path_factory.mktemp("docs")
    for name, sample in BOTS.items():
        shutil.copytree(ROOT / "sample_bots" / sample, folder / name)
        settings = folder / name / "bot.toml"
        text = settings.read_text(encoding="utf-8")
        settings.write_text(re.sub(r'^name = ".*"', f'name = "{name}"', text), encoding="utf-8")
    done = shell("caljack submit fox hen ant", folder)
    assert done.returncode == 0, done.stderr
    (folder / "fox" / "notes.txt").write_text("another content is another version")
    assert "fox@2" in shell("caljack submit fox", folder).stdout
    return folder


def test_the_commands_for_authors_work(tmp_path: Path, follow: Follow) -> None:
    """What the pages on writing bots say can be done, the program for training loops too."""
    lines = follow(DOCS / "writing-a-bot.md", tmp_path)
    assert "python program.py" in lines
    assert follow(DOCS / "protocol.md", tmp_path)


@pytest.fixture(scope="module")
def night(league: Path, follow: Follow) -> Path:
    """The same folder after what the page on leagues says has been done."""
    assert len(follow(DOCS / "running-a-league.md", league)) > 5
    return league


@needs_bubblewrap
def test_the_commands_for_leagues_work(night: Path, shell: Shell) -> None:
    """What the page on leagues says can be done, and the copy of the league has its tournament."""
    done = shell("caljack --league night tournament list", night)
    assert "again" in done.stdout


@needs_bubblewrap
@pytest.mark.parametrize("page", ["results", "sandbox"])
def test_the_commands_for_results_work(night: Path, follow: Follow, page: str) -> None:
    """After it, what the pages on results and the sandbox say can be done."""
    assert follow(DOCS / f"{page}.md", night)


def test_every_page_with_commands_is_followed() -> None:
    """No page has commands that no test here runs."""
    here = Path(__file__).read_text(encoding="utf-8")
    for page in DOCS.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        loose = re.search(r"^    caljack (?!play )", text, re.MULTILINE)  # play needs a person
        assert not loose, f"{page.name}: commands belong into a block of sh"
        if "```sh" in text:
            assert page.stem in here, page.name
