"""What all commands have in common: help, exit statuses, errors in words."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import click
import pytest

from californiajack_referee.cli.group import caljack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def _commands(group: click.Group, *above: str) -> Iterator[tuple[str, ...]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        yield (*above, name)
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _commands(command, *above, name)


COMMANDS = tuple(_commands(caljack))


def test_all_commands_are_there() -> None:
    """The commands are those that the documentation promises."""
    assert {" ".join(words) for words in COMMANDS} == {
        "demo",
        "new",
        "check",
        "debug",
        "rewind",
        "submit",
        "bots",
        "tournament",
        "tournament run",
        "tournament resume",
        "tournament list",
        "tournament show",
        "compare",
        "rankings",
        "luck",
        "games",
        "faults",
        "play",
        "replay",
        "export",
        "verify",
        "backup",
    }


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_has_help_with_an_example_that_parses(
    words: tuple[str, ...], ask: Callable[..., Any]
) -> None:
    """--help gives an example of this very command, with options that it has."""
    answer = ask(*words, "--help")
    assert answer.status == 0
    assert answer.err == ""
    _, _, examples = answer.out.partition("Example:\n")
    lines = [line.strip() for line in examples.splitlines()]
    assert any(line.startswith("caljack " + " ".join(words)) for line in lines)
    for line in lines:
        for part in line.split(" | "):
            program, *arguments = shlex.split(part)
            assert program == "caljack"
            _parse(arguments)


def _parse(arguments: list[str]) -> None:
    """Parses a command line without running it; raises click's UsageError."""
    context = caljack.make_context("caljack", list(arguments))
    command: click.Command = caljack
    while isinstance(command, click.Group):
        rest = [*context._protected_args, *context.args]
        name, found, rest = command.resolve_command(context, rest)
        assert found is not None
        command = found
        # a file named in an example needn't exist
        rest = ["-" if word.endswith(".jsonl") else word for word in rest]
        context = command.make_context(name, rest, parent=context)


def test_the_list_of_commands_is_not_cut_short(ask: Callable[..., Any]) -> None:
    """Each command's line in the help is whole: it doesn't end in dots."""
    for words in ((), ("tournament",)):
        assert "..." not in ask(*words, "--help").out.replace("[ARGS]...", "")


def test_the_list_of_commands_says_what_their_own_help_says() -> None:
    """The list, which is written without importing a command, has each one's first sentence."""
    context = click.Context(caljack)
    listed = {" ".join(line.split()) for line in caljack.get_help(context).splitlines()}
    for name in caljack.list_commands(context):
        command = caljack.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert f"{name} {command.get_short_help_str(100)}" in listed


def test_without_a_command_the_help_is_shown(ask: Callable[..., Any]) -> None:
    """`caljack` alone is wrong use, and says what there is."""
    answer = ask()
    assert answer.status == 2
    assert "submit" in answer.err


WRONG_USE = [
    (("nonsense",), "nonsense"),
    (("tournament", "show", "nowhere"), "nowhere"),
    (("tournament", "resume", "nowhere"), "nowhere"),
    (("tournament", "run", "--bots", "fox,cow"), "cow"),
    (("tournament", "run", "--bots", "fox"), "two|2"),
    (("tournament", "run", "--bots", "fox,fox"), "fox@1"),
    (("tournament", "run", "--name", "night"), "night"),
    (("tournament", "run", "--name", "a/b"), "a/b"),
    (("tournament", "run", "--seed", "xyz"), "hexadecimal"),
    (("tournament", "run", "--seed", "00"), "16 to 64 bytes"),
    (("tournament", "run", "--target", "0"), "1 to 100"),
    (("tournament", "run", "--pairs", "0"), "pairs"),
    (("tournament", "run", "--move-time", "nan"), "nan|move"),
    (("tournament", "run", "--move-time", "-1"), "move-time"),
    (("tournament", "run", "--scoring", "other"), "trick_points"),
    (("tournament", "run", "--jobs", "0"), "jobs"),
    (("tournament", "run", "--games-at-once", "5000"), "1024"),
    (("rankings", "--tournament", "nowhere"), "nowhere"),
    (("games", "--bot", "cow"), "cow"),
    (("games", "--tournament", "nowhere"), "nowhere"),
    (("replay", "night"), "night/3/17/0"),
    (("replay", "night/0/99/0"), "99"),
    (("replay", "night/0/0/0", "--round", "99"), "99"),
    (("export", "nowhere"), "nowhere"),
    (("verify", "nothere.jsonl"), "nothere.jsonl"),
    (("new",), "DIR"),
    (("new", "a", "--language", "cobol"), "javascript"),
    (("new", "Fox_1"), "lower-case"),
    (("check", "nowhere"), "nowhere"),
    (("check", "/"), "bot.toml"),
    (("check", "/", "--games", "0"), "games"),
    (("debug", "nowhere"), "nowhere"),
    (("debug", "/", "--from", "night"), "bot.toml"),
    (("rewind", "night/0/0/0"), "--bot"),
    (("rewind", "--bot", "/", "--losses", "0"), "losses"),
    (("rewind", "night/0/0/0", "--bot", "nowhere"), "nowhere"),
    (("submit",), "PATH"),
    (("backup", "league.zip"), "tar.gz"),
]


@pytest.mark.parametrize(("words", "says"), WRONG_USE, ids="_".join)
def test_wrong_use_gives_a_sentence_and_status_2(
    words: tuple[str, ...], says: str, ask_results: Callable[..., Any]
) -> None:
    """Whatever is asked for that can't be: a message that names it, and nothing else."""
    answer = ask_results(*words)
    assert answer.status == 2
    assert re.search(says, answer.err)
    assert answer.out == ""
    assert "Traceback" not in answer.err


@pytest.mark.parametrize("words", ["bots", "rankings", "games", "tournament list"])
def test_no_league_is_wrong_use(words: str, tmp_path: Path, ask: Callable[..., Any]) -> None:
    """Without a league the message says how to begin one, and none is made."""
    answer = ask("--league", tmp_path / "nowhere", *words.split())
    assert answer.status == 2
    assert "caljack submit" in answer.err
    assert not (tmp_path / "nowhere").exists()


def test_a_damaged_league_is_told_in_words(tmp_path: Path, ask: Callable[..., Any]) -> None:
    """A database that is none gives one message and status 1."""
    (tmp_path / "league.sqlite3").write_bytes(b"not a database, certainly not" * 100)
    answer = ask("--league", tmp_path, "bots")
    assert answer.status == 1
    assert answer.err.startswith("Error: ")
    assert "league.sqlite3" in answer.err


def test_the_league_may_come_from_the_environment(
    results_folder: Path, ask: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """CALJACK_LEAGUE names the league, and --league goes before it."""
    monkeypatch.setenv("CALJACK_LEAGUE", str(results_folder))
    assert "fox" in ask("bots").out
    assert ask("--league", results_folder / "nowhere", "bots").status == 2


def test_the_default_league_is_in_the_current_folder(
    tmp_path: Path, ask: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without --league and CALJACK_LEAGUE it is ./league."""
    monkeypatch.delenv("CALJACK_LEAGUE", raising=False)
    monkeypatch.chdir(tmp_path)
    assert "no league at league" in ask("bots").err


@pytest.mark.parametrize(
    "package", ["click", "rich", "trueskill", "google.rpc", "grpc_status", "numpy", "scipy"]
)
def test_a_missing_package_gives_a_sentence(package: str) -> None:
    """Where only the SDK is installed, `caljack` says what to install."""
    program = (
        f"import sys; sys.modules[{package!r}] = None; sys.argv = ['caljack', 'bots'];"
        "from californiajack_referee.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert 'pip install "californiajack[referee]"' in done.stderr
    assert package in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_error(
    results_folder: Path, command: Callable[..., list[str]]
) -> None:
    """`caljack export night | head -1` ends quietly."""
    with subprocess.Popen(
        command("--league", results_folder, "export", "night"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"{")
        process.stdout.close()
        assert process.stderr.read() == b""
