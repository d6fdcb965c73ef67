"""The settings file of a league."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from californiajack import InputError
from californiajack_referee.league.settings import SETTINGS, Settings, parse_settings, read_settings
from californiajack_referee.sandbox.choice import SandboxChoice
from californiajack_referee.values import Limits, Resources

if TYPE_CHECKING:
    from pathlib import Path


def test_a_league_without_settings(tmp_path: Path) -> None:
    """There need be no file; then everything is as usual."""
    assert read_settings(tmp_path) == Settings() == parse_settings("")
    assert Settings().sandbox is SandboxChoice.AUTO


def test_what_the_file_says_holds(tmp_path: Path) -> None:
    """Each key changes its own value; whole numbers do for seconds; the command line is over it."""
    (tmp_path / SETTINGS).write_text(
        '[sandbox]\nlayer = "process"\n[limits]\nmemory_mib = 512\nmove_seconds = 5\n'
        "bank_seconds = 0\n"
    )
    found = read_settings(tmp_path)
    assert found == Settings(
        Limits(move_seconds=5.0), Resources(memory_mib=512), SandboxChoice.PROCESS
    )
    changed = found.changed({"move_seconds": 2.5, "sandbox": "none", "processes": 20})
    assert changed == Settings(
        Limits(move_seconds=2.5), Resources(memory_mib=512, processes=20), SandboxChoice.NONE
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[limit]", "unknown table 'limit': did you mean 'limits'"),
        (
            "[limits]\nmemory_mb = 1",
            "unknown key in .limits. 'memory_mb': did you mean 'memory_mib'",
        ),
        ("[limits]\nfrogs = 1", "unknown key in .limits. 'frogs': expected memory_mib"),
        ("[sandbox]\nlayer = 'bublewrap'", "'bublewrap': did you mean 'bubblewrap'"),
        ("[sandbox]\nlayer = 1", "unknown layer 1: expected auto"),
        ("[limits]\nmemory_mib = 64", "memory_mib: expected a whole number from 120"),
        ("[limits]\nprocesses = 20.5", "processes: expected a whole number"),
        ("[limits]\nprocesses = true", "processes: expected a whole number"),
        ("[limits]\nmove_seconds = 0", "move_seconds: expected a number of seconds from 0.001"),
        ("[limits]\nmove_seconds = nan", "move_seconds: expected a number of seconds"),
        ("[limits]\nmove_seconds = '5'", "move_seconds: expected a number of seconds.*'5'"),
        ("limits = 3", "limits: expected a table"),
        ("[limits", "expected TOML"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, text: str, words: str) -> None:
    """The message names the file, what is wrong, and the nearest that is right."""
    (tmp_path / SETTINGS).write_text(text)
    with pytest.raises(InputError, match=words) as caught:
        read_settings(tmp_path)
    assert str(tmp_path / SETTINGS) in str(caught.value)
