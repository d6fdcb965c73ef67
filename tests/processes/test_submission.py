"""Submitting bots, with real builds and real trial games."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from californiajack import InputError
from californiajack_referee.league.folder import League
from californiajack_referee.submission import submit as submission
from californiajack_referee.submission.files import remove_folder
from californiajack_referee.submission.submit import SubmissionError, submit
from californiajack_referee.values import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    WriteBot = Callable[..., Path]

_SUBMIT = """
import sys
from californiajack_referee.league.folder import League
from californiajack_referee.submission.submit import submit
with League.open(sys.argv[1], create=True) as league:
    print(submit(league, sys.argv[2]).label)
"""
_ILLEGAL = """
from californiajack import Bot, run
class Cheat(Bot):
    def choose(self, view):
        return view.unseen[0]
run(Cheat)
"""
_WRONG = """
from californiajack import Bot, run
class Wrong(Bot):
    def choose(self, view):
        raise LookupError("no such card in my book")
run(Wrong)
"""


@pytest.fixture
def league(tmp_path: Path) -> Iterator[League]:
    """Gives an empty league."""
    with League.open(tmp_path / "league", create=True) as made:
        yield made


def _contents(league: League) -> list[str]:
    """Gives all files of a league but the database's own and its locks."""
    return sorted(
        path.relative_to(league.folder).as_posix()
        for path in league.folder.rglob("*")
        if path.is_file() and path.suffix != ".lock" and "league.sqlite3" not in path.name
    )


def test_a_good_bot_is_stored_as_it_was(
    league: League, tmp_path: Path, write_bot: WriteBot
) -> None:
    """It becomes version 1, read-only, with its trial's logs; nothing stays on its way in."""
    folder = write_bot(tmp_path, "fox", toml='language = "Python"\nauthors = ["Ada"]\n')
    (folder / "__pycache__").mkdir()
    bot = submit(league, folder)
    assert bot.label == "fox@1"
    assert (bot.language, bot.authors, bot.command) == ("Python", ("Ada",), ("python", "bot.py"))
    assert league.store.bots() == [bot]
    stored = league.bot_folder(bot.digest)
    assert (stored / "bot.py").read_text() == (folder / "bot.py").read_text()
    assert sorted(path.name for path in stored.iterdir()) == ["bot.py", "bot.toml"]
    assert not (stored / "bot.py").stat().st_mode & 0o222
    assert not league.incoming.exists()


def test_the_same_content_is_the_same_version(
    league: League, tmp_path: Path, write_bot: WriteBot
) -> None:
    """A copy of a bot is known, and nothing is played for it; a change makes a new version."""
    first = submit(league, write_bot(tmp_path / "one", "fox"))
    before = _contents(league)
    assert submit(league, write_bot(tmp_path / "two", "fox")) == first
    assert _contents(league) == before
    changed = submit(league, write_bot(tmp_path / "three", "fox", before="pass"))
    assert changed.label == "fox@2"


def test_a_bot_is_built_where_it_will_stay(
    league: League, tmp_path: Path, write_bot: WriteBot
) -> None:
    """What the build makes is there when the bot plays, though it holds the folder's own path."""
    builder = "import os; print('built'); open('where', 'w').write(os.getcwd())"
    folder = write_bot(
        tmp_path,
        "fox",
        toml=f'build = ["python", "-c", "{builder}"]',
        before="assert open(open('where').read() + '/where').read()",
    )
    bot = submit(league, folder)
    stored = league.bot_folder(bot.digest)
    assert (stored / "where").read_text() == str(stored)
    assert (league.submission_folder(bot.digest) / "build.log").read_text() == "built\n"
    assert not (folder / "where").exists()


@pytest.mark.parametrize(
    ("program", "toml", "words"),
    [
        (None, 'command = ["python", "bto.py"]', "(?s)never started.*'bto.py'.*No such file"),
        ("def choose(:\n", "", r'(?s)never started.*File "bot.py", line 1.*SyntaxError'),
        ("import nothing_there", "", "(?s)never started.*No module named 'nothing_there'"),
        (None, 'command = ["pyhton", "bot.py"]', "no program 'pyhton'.*`command` in bot.toml"),
        (None, 'command = ["./bot.py"]', "'./bot.py' is not executable"),
        ("", "", "never started: its process ended with exit status 0"),
        (_ILLEGAL, "", "(?s)illegal card.*R6.*one of the legal cards"),
        (_WRONG, "", "no such card in my book"),
        (None, 'build = ["python", "-c", "1/0"]', "(?s)build command.*ZeroDivisionError"),
    ],
    ids=[
        "missing file",
        "syntax error",
        "missing module",
        "wrong command",
        "not executable",
        "no bot at all",
        "illegal card",
        "error of its own",
        "failing build",
    ],
)
def test_a_bot_that_fails_is_refused(  # noqa: PLR0917 - parameters and fixtures
    league: League,
    tmp_path: Path,
    write_bot: WriteBot,
    program: str | None,
    toml: str,
    words: str,
) -> None:
    """The message says what happened and what to do, and nothing of the bot is kept."""
    with pytest.raises(SubmissionError, match=words) as caught:
        submit(league, write_bot(tmp_path, "fox", program, toml=toml))
    assert "What to do: " in str(caught.value)
    assert str(league.folder) not in str(caught.value)
    assert _contents(league) == []
    assert league.store.bots() == []


def test_a_wrong_folder_is_refused_before_anything_is_copied(
    league: League, tmp_path: Path, write_bot: WriteBot
) -> None:
    """A mistake in bot.toml, a link among the files: messages that name them."""
    with pytest.raises(InputError, match="did you mean 'build'"):
        submit(league, write_bot(tmp_path / "1", "fox", toml="biuld = 'make'"))
    folder = write_bot(tmp_path / "2", "fox")
    (folder / "link").symlink_to("bot.py")
    with pytest.raises(InputError, match="'link' is a symbolic link"):
        submit(league, folder)
    assert _contents(league) == []


def test_a_league_inside_the_bots_own_folder_is_no_part_of_it(
    tmp_path: Path, write_bot: WriteBot
) -> None:
    """`caljack submit .` with the default league beside the bot's files works, and again so."""
    folder = write_bot(tmp_path, "fox")
    with League.open(folder / "league", create=True) as league:
        first = submit(league, folder)
        assert submit(league, folder) == first
        assert sorted(p.name for p in league.bot_folder(first.digest).iterdir()) == [
            "bot.py",
            "bot.toml",
        ]


def test_a_bot_whose_folder_is_gone_is_restored(
    league: League, tmp_path: Path, write_bot: WriteBot
) -> None:
    """Submitting the same content again brings the folder back under the same version."""
    folder = write_bot(tmp_path, "fox")
    bot = submit(league, folder)
    stored = league.bot_folder(bot.digest)
    stored.rename(tmp_path / "lost")
    assert submit(league, folder) == bot
    assert (stored / "bot.py").exists()


def test_a_killed_submission_can_be_made_again(
    league: League,
    tmp_path: Path,
    write_bot: WriteBot,
    eventually: Callable[[Callable[[], bool]], None],
) -> None:
    """What kill -9 leaves in the league is no bot, and is in nobody's way."""
    # the league's folder is three up from where the build runs
    waits = "import os, time; [os.path.exists('../../../go') or time.sleep(0.1) for _ in range(99)]"
    folder = write_bot(tmp_path, "fox", toml=f'build = ["python", "-c", "{waits}"]')
    with subprocess.Popen([sys.executable, "-c", _SUBMIT, league.folder, folder]) as killed:
        eventually(lambda: any(league.folder.glob("bots/*/bot.py")))
        killed.kill()
    assert league.store.bots() == []
    (tmp_path / "go").touch()
    bot = submit(league, folder)
    assert bot.label == "fox@1"
    # the same while the folder of a known bot is made again, because it was lost
    assert league.has_whole_bot(bot.digest)
    remove_folder(league.bot_folder(bot.digest))
    (tmp_path / "go").unlink()
    with subprocess.Popen([sys.executable, "-c", _SUBMIT, league.folder, folder]) as killed:
        eventually(lambda: any(league.folder.glob("bots/*/bot.py")))
        killed.kill()
    with pytest.raises(InputError, match="the folder of fox@1 is unfinished"):
        league.program_of(bot)
    (tmp_path / "go").touch()
    assert submit(league, folder) == bot
    assert league.program_of(bot).name == "fox@1"


def test_submissions_at_once_take_their_turns(tmp_path: Path, write_bot: WriteBot) -> None:
    """Two processes that submit to a new league at the same time both succeed."""
    arguments: list[list[str | Path]] = [
        [sys.executable, "-c", _SUBMIT, tmp_path / "new", write_bot(tmp_path, name)]
        for name in ("fox", "hen")
    ]
    running = [subprocess.Popen(a, stdout=subprocess.PIPE) for a in arguments]
    assert sorted(process.communicate(timeout=30)[0] for process in running) == [
        b"fox@1\n",
        b"hen@1\n",
    ]


def test_a_bot_that_never_answers_is_refused_in_time(
    league: League, tmp_path: Path, write_bot: WriteBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Silence is told as such, and the process is ended."""
    begun = time.monotonic()
    monkeypatch.setattr(submission, "_TRIAL_LIMITS", Limits(move_seconds=0.3))
    with pytest.raises(SubmissionError, match="answer sooner"):
        submit(league, write_bot(tmp_path, "fox", before="time.sleep(60)"))
    assert time.monotonic() - begun < 20
