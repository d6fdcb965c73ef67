"""The options and the settings file for limits and the sandbox, in commands with real bots."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from californiajack_referee.sandbox.choice import bubblewrap_problem

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = "00112233445566778899aabbccddeeff"
QUICK = ("--seed", SEED, "--target", "1", "--pairs", "1")


@pytest.fixture
def league(bots_folder: Path, tmp_path: Path) -> Path:
    """A league of its own, with two bots."""
    return Path(shutil.copytree(bots_folder, tmp_path / "league"))


def _run(call: Callable[..., Any], league: Path, *arguments: str) -> Any:  # noqa: ANN401 - an answer
    return call("--league", league, "tournament", "run", *QUICK, *arguments)


def test_the_sandbox_is_told_and_stored(league: Path, call: Callable[..., Any]) -> None:
    """The file's layer holds, the command line is over it, and `show` tells what was in force."""
    (league / "league.toml").write_text('[sandbox]\nlayer = "none"\n[limits]\nmove_seconds = 4\n')
    answer = _run(call, league, "--name", "a", "--move-time", "3")
    assert (answer.status, "Sandbox: none\n" in answer.out) == (0, True), answer.err
    assert "Sandbox: none\n" in call("--league", league, "tournament", "show", "a").out
    told = json.loads(call("--league", league, "tournament", "show", "a", "--json").out)
    assert told["sandbox"] == {"none": 2}
    assert told["limits"]["move_seconds"] == 3.0


def test_the_best_is_taken_unless_told_otherwise(league: Path, call: Callable[..., Any]) -> None:
    """Where bubblewrap works, it is used; where not, a line says why."""
    answer = _run(call, league)
    assert answer.status == 0, answer.err
    problem = bubblewrap_problem()
    expected = "bubblewrap" if problem is None else "process"
    assert f"Sandbox: {expected}\n" in answer.out
    assert problem is None or problem in answer.err


def test_what_is_asked_for_and_missing_is_refused(
    league: Path, call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without bubblewrap nothing is played, nor is a tournament made; it says how to get it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    answer = _run(call, league, "--sandbox", "bubblewrap", "--name", "night")
    assert answer.status == 2
    assert "apt install bubblewrap" in answer.err
    monkeypatch.undo()
    assert "night" not in call("--league", league, "tournament", "list").out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--memory", "64"), "--memory"),
        (("--processes", "3"), "processes: expected a whole number from 16"),
        (("--sandbox", "bublewrap"), "auto"),
        (("--start-time", "0"), "start_seconds: expected a number of seconds"),
    ],
)
def test_values_out_of_range(
    league: Path, call: Callable[..., Any], arguments: tuple[str, ...], words: str
) -> None:
    """They are wrong use, and told with what is expected."""
    answer = _run(call, league, *arguments)
    assert (answer.status, words in answer.err) == (2, True), answer.err


def test_a_mistake_in_the_file_is_told(league: Path, call: Callable[..., Any]) -> None:
    """A wrong key is wrong use, and the nearest right one is named."""
    (league / "league.toml").write_text("[limits]\nmemory = 3\n")
    answer = _run(call, league)
    assert answer.status == 2
    assert "league.toml" in answer.err
    assert "did you mean 'memory_mib'" in answer.err
