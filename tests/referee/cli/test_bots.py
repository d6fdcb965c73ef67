"""`caljack submit`, with bots that are really built and tried."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

RANDOM = Path(__file__).parents[3] / "sample_bots" / "random"


@pytest.fixture
def league(bots_folder: Path, tmp_path: Path) -> Path:
    """A league of its own, with two bots."""
    return Path(shutil.copytree(bots_folder, tmp_path / "league"))


def _bot(folder: Path, manifest: str, program: str) -> Path:
    folder.mkdir()
    (folder / "bot.toml").write_text(manifest)
    (folder / "bot.py").write_text(program)
    return folder


MANIFEST = 'name = "cow"\ncommand = ["python", "bot.py"]\nlanguage = "Python"\nauthors = ["Ada"]\n'
ILLEGAL = """\
from californiajack import Bot, Card, View, run

class Cow(Bot):
    def choose(self, view: View) -> Card:
        return (view.captured + view.opponent_captured + view.unseen)[0]

run(Cow)
"""


def test_the_same_content_again_is_the_same_version(league: Path, ask: Callable[..., Any]) -> None:
    """It says so, and the list of bots stays as it was."""
    before = ask("--league", league, "bots").out
    answer = ask("--league", league, "submit", RANDOM)
    assert (answer.status, answer.out) == (0, "random@1 was there already.\n")
    assert ask("--league", league, "bots").out == before


@pytest.mark.parametrize(
    ("manifest", "program", "says"),
    [
        (None, "", "bot.toml"),
        (MANIFEST, "def (:\n", "SyntaxError"),
        (MANIFEST.replace("bot.py", "cow.py"), "", "cow.py"),
        (MANIFEST.replace('"python"', '"no-such-program"'), "", "no-such-program"),
        (MANIFEST, ILLEGAL, "illegal"),
    ],
    ids=["no manifest", "syntax error", "missing file", "wrong command", "illegal card"],
)
def test_a_bot_that_fails_is_not_stored(
    league: Path,
    tmp_path: Path,
    ask: Callable[..., Any],
    *,
    manifest: str | None,
    program: str,
    says: str,
) -> None:
    """Status 1, one message with the cause, and the league as before."""
    bot = _bot(tmp_path / "cow", manifest or "", program)
    if manifest is None:
        (bot / "bot.toml").unlink()
    answer = ask("--league", league, "submit", bot)
    assert answer.status == 1
    assert answer.out == ""
    assert "Not submitted: " in answer.err
    assert says in answer.err
    assert 'File "/' not in answer.err.replace(str(bot), ""), "no traceback of the platform"
    assert "cow" not in ask("--league", league, "bots").out


def test_one_that_fails_doesnt_keep_the_others_out(
    league: Path, tmp_path: Path, ask: Callable[..., Any]
) -> None:
    """Each of several is taken or refused for itself; the status tells of the refusal."""
    pig = _bot(tmp_path / "pig", MANIFEST.replace("cow", "pig"), (RANDOM / "bot.py").read_text())
    answer = ask("--league", league, "submit", tmp_path / "nowhere", pig)
    assert answer.status == 1
    assert answer.out == "pig@1 submitted.\n"
    assert "nowhere" in answer.err
