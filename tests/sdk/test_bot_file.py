"""Bots from files."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from californiajack import Bot, BotError, InputError
from californiajack.bot_file import load_bot
from californiajack.local import play_game

if TYPE_CHECKING:
    from pathlib import Path

BOT = """
from californiajack import Bot
class Mine(Bot):
    def choose(self, view):
        return view.legal[0]
"""


def test_a_file_and_its_folder_give_the_same_bot(tmp_path: Path) -> None:
    """A folder stands for its bot.py; the bot has the folder's name, or the file's."""
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "other.py").write_text(BOT)
    for path in (tmp_path, str(tmp_path / "bot.py")):
        loaded = load_bot(path)
        assert loaded.name == tmp_path.name
        assert issubclass(loaded.bot, Bot)
        assert loaded.bot.__name__ == "Mine"
    assert load_bot(tmp_path / "other.py").name == "other"


def test_only_the_files_own_complete_classes_count(tmp_path: Path) -> None:
    """Imported bots and abstract ones are not the file's bot."""
    (tmp_path / "base.py").write_text(BOT.replace("Mine", "Base"))
    (tmp_path / "bot.py").write_text(
        "from californiajack import Bot\nfrom base import Base\n"
        "class Idle(Bot): pass\n"
        "class Mine(Base): pass\n"
    )
    assert load_bot(tmp_path).bot.__name__ == "Mine"


def test_neighbours_are_not_shared(tmp_path: Path) -> None:
    """Two bots that import a module of the same name from their folders get their own each."""
    for name, place in (("one", "0"), ("other", "-1")):
        folder = tmp_path / name
        (folder / "tools").mkdir(parents=True)
        (folder / "tools" / "__init__.py").write_text("")
        (folder / "tools" / "places.py").write_text(f"PLACE = {place}")
        (folder / "bot.py").write_text(
            "from tools.places import PLACE\n" + BOT.replace("[0]", "[PLACE]")
        )
    path = list(sys.path)
    one, other = load_bot(tmp_path / "one"), load_bot(tmp_path / "other")
    assert sys.path == path
    assert "tools" not in sys.modules
    seed = bytes(16)
    games = [play_game(a.bot, b.bot, seed=seed) for a in (one, other) for b in (one, other)]
    assert len({game.rounds for game in games}) == 4


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "found none"),
        ("class Mine: pass", "found none"),
        ("from californiajack import Bot\nclass Idle(Bot): pass", "found none"),
        (BOT + BOT.replace("Mine", "Yours"), "found Mine, Yours"),
    ],
)
def test_a_file_has_to_define_one_bot(tmp_path: Path, text: str, words: str) -> None:
    """No Bot class, or several, raise InputError, which says what was found."""
    (tmp_path / "bot.py").write_text(text)
    with pytest.raises(InputError, match=words):
        load_bot(tmp_path)


@pytest.mark.parametrize("name", ["missing", "missing.py", "notes.txt"])
def test_a_file_has_to_be_there(tmp_path: Path, name: str) -> None:
    """A path that is no Python file raises InputError."""
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(InputError, match="expected a Python file"):
        load_bot(tmp_path / name)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def", "SyntaxError"),
        ("1 / 0", r"division by zero \(line 1 of bot.py\)"),
        ("import nowhere_at_all", "nowhere_at_all"),
        ("import sys; sys.exit(2)", "expected run.* to stand under"),
    ],
)
def test_a_file_that_fails(tmp_path: Path, text: str, words: str) -> None:
    """Code that fails while it is being loaded raises BotError, and leaves the search path."""
    (tmp_path / "bot.py").write_text(text)
    path = list(sys.path)
    with pytest.raises(BotError, match=words):
        load_bot(tmp_path)
    assert sys.path == path
