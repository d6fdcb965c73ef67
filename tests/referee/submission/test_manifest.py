"""What a bot.toml may say, and what is said of a wrong one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from californiajack import InputError
from californiajack_referee.submission.manifest import Manifest, parse_manifest, read_manifest

if TYPE_CHECKING:
    from pathlib import Path

GOOD = 'name = "fox"\ncommand = ["python", "bot.py"]\n'


def test_a_whole_manifest() -> None:
    """All keys are read."""
    text = GOOD + 'build = ["make", "all"]\nlanguage = "C"\nauthors = ["Ada", "Élise"]\n'
    assert parse_manifest(text) == Manifest(
        name="fox",
        command=("python", "bot.py"),
        build=("make", "all"),
        language="C",
        authors=("Ada", "Élise"),
    )


def test_only_name_and_command_are_needed() -> None:
    """The others may be left out."""
    assert parse_manifest(GOOD) == Manifest("fox", ("python", "bot.py"))


def test_a_command_may_be_one_text() -> None:
    """It is split as a shell would split it; no shell runs it."""
    text = "name = 'fox'\ncommand = '''./bot --say \"two words\" $HOME'''\nbuild = 'make'\n"
    manifest = parse_manifest(text)
    assert manifest.command == ("./bot", "--say", "two words", "$HOME")
    assert manifest.build == ("make",)


@pytest.mark.parametrize("name", ["a", "0", "my-bot-2", "x" * 32])
def test_good_names(name: str) -> None:
    """Lower-case letters, digits and '-', 1 to 32 of them."""
    assert parse_manifest(GOOD.replace("fox", name)).name == name


@pytest.mark.parametrize(
    "name", ["", "Fox", "fo x", "fox@2", "../fox", "füchse", "x" * 33, "fox\\n", "f_x", "f.x", "٣"]
)
def test_bad_names(name: str) -> None:
    """Anything else is refused, with what is expected."""
    with pytest.raises(InputError, match=r"name: expected 1 to 32 lower-case letters"):
        parse_manifest(GOOD.replace("fox", name))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'name' is missing"),
        ('name = "fox"', "'command' is missing"),
        ("name = fox", "expected TOML, found a mistake"),
        (GOOD + "comand = 'x'", "did you mean 'command'"),
        (GOOD + "zzz = 1", "unknown key 'zzz': expected name, command, build, language, authors"),
        ("name = 3\ncommand = 'x'", "got 3"),
        ("name = 'fox'\ncommand = []", "names no program"),
        ("name = 'fox'\ncommand = ''", "names no program"),
        ("name = 'fox'\ncommand = ['']", "names no program"),
        ("name = 'fox'\ncommand = 7", "expected a list of texts.*got 7"),
        ("name = 'fox'\ncommand = ['python', 7]", "expected a list of texts"),
        ("name = 'fox'\ncommand = 'say \"x'", "can't be split"),
        ("name = 'fox'\ncommand = [\"a\\u0000b\"]", "zero byte"),
        (GOOD + "build = {a = 1}", "build: expected a list of texts"),
        (GOOD + "language = ['C']", "language: expected one line of text"),
        (GOOD + 'language = "C\\u001b[31m"', "language: expected one line of text"),
        (GOOD + "authors = 'Ada'", r"authors: expected a list of texts, such as \[\"Ada\"\]"),
        (GOOD + "authors = [1]", "authors: expected one line of text"),
    ],
)
def test_what_is_wrong_is_said(text: str, words: str) -> None:
    """Each mistake has its own message."""
    with pytest.raises(InputError, match=words):
        parse_manifest(text)


@given(st.text())
def test_no_text_is_met_with_anything_but_a_message(text: str) -> None:
    """Whatever a bot.toml holds, it is read or refused."""
    try:
        parse_manifest(text)
    except InputError as error:
        assert str(error)  # noqa: PT017 - either way is right


def test_where_there_is_no_manifest(tmp_path: Path) -> None:
    """A missing folder, a file, a folder with no bot.toml: each is told apart."""
    with pytest.raises(InputError, match="no such folder"):
        read_manifest(tmp_path / "none")
    with pytest.raises(InputError, match=r"no bot.toml in .*write one"):
        read_manifest(tmp_path)
    (tmp_path / "bot.toml").write_text(GOOD)
    assert read_manifest(tmp_path).name == "fox"
    with pytest.raises(InputError, match=f"found a file: give the folder.*{tmp_path}$"):
        read_manifest(tmp_path / "bot.toml")


def test_a_manifest_that_cannot_be_read(tmp_path: Path) -> None:
    """Other bytes, a folder of that name, far too much: messages that name the file."""
    path = tmp_path / "bot.toml"
    path.write_bytes(b"name = '\xff'")
    with pytest.raises(InputError, match=r"bot.toml: expected UTF-8"):
        read_manifest(tmp_path)
    path.write_text("# " + "x" * 100_000)
    with pytest.raises(InputError, match=r"bot.toml: expected at most 65536 bytes"):
        read_manifest(tmp_path)
    path.write_text("name = 'Fox'\ncommand = 'x'")
    with pytest.raises(InputError, match=r"bot.toml: name: expected"):
        read_manifest(tmp_path)
    path.unlink()
    path.mkdir()
    with pytest.raises(InputError, match=r"bot.toml: can't be read"):
        read_manifest(tmp_path)
