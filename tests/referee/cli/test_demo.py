"""`caljack demo`: a stranger's first minute."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

from californiajack_referee.cli.demo import sample_bots_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_the_demo_plays_a_tournament(tmp_path: Path, command: Callable[..., list[str]]) -> None:
    """From nothing to the rankings, a game and what to do next, without Node too."""
    league = tmp_path / "league"
    path = tmp_path / "bin"
    path.mkdir()  # nothing is found here, so Node is missing
    done = subprocess.run(
        command("--league", league, "demo"),
        capture_output=True,
        text=True,
        check=False,
        timeout=58,
        env={**os.environ, "PATH": str(path)},
    )
    assert done.returncode == 0, done.stderr
    assert "greedy-js is left out: it needs node and npm" in done.stderr
    assert f"The league is in {league}" in done.stdout
    rows = re.findall(r"^ +(\d)  (\w+)@1 ", done.stdout, re.MULTILINE)
    assert rows == [("1", "counting"), ("2", "greedy"), ("3", "random")]
    assert "180 games" in done.stdout
    assert done.stdout.count("turned up") == 1
    assert f"caljack --league {league} replay demo/" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr


def test_the_sample_bots_are_found() -> None:
    """The folder has a bot.toml for each sample bot."""
    assert {entry.parent.name for entry in sample_bots_folder().glob("*/bot.toml")} >= {
        *("random", "greedy", "counting", "montecarlo", "greedy-js")
    }
