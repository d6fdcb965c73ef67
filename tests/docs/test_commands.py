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
BOTS = {"fox": "greedy", "hen": "random", "ant": "random", "my-fox": "counting", "my-bot": "greedy"}
"""The bots that the pages name, and the samples that they are copies of."""


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


@pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is missing, and a page asks it")
def test_the_commands_for_leagues_work(league: Path, follow: Follow) -> None:
    """What the pages on leagues, results and the sandbox say can be done in this order."""
    for page in ("running-a-league", "results", "sandbox"):
        assert follow(DOCS / f"{page}.md", league), page


def test_the_commands_for_authors_work(league: Path, follow: Follow) -> None:
    """What the pages on writing bots say can be done, the program for training loops too."""
    lines = follow(DOCS / "writing-a-bot.md", league)
    assert "python program.py" in lines
    assert follow(DOCS / "protocol.md", league)


def test_every_page_with_commands_is_followed() -> None:
    """No page has commands that no test here runs."""
    here = Path(__file__).read_text(encoding="utf-8")
    for page in DOCS.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        assert "\n    caljack " not in text, f"{page.name}: commands belong into a block of sh"
        if "```sh" in text:
            assert page.stem in here, page.name
