"""`caljack replay` on a real terminal, and what its keys mean."""

from __future__ import annotations

import re
import signal
import termios
from typing import TYPE_CHECKING, Any

import pytest

from californiajack_referee.cli.stepping import Key, Keys

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LEFT, RIGHT, UP, DOWN, HOME, END = (f"\x1b[{letter}" for letter in "DCABHF")


def test_a_walk_through_a_game(terminal: Callable[..., Any], results_folder: Path) -> None:
    """Forward and back by card and by round, from each seat, to rounds by number, and out."""
    walk = terminal("--league", results_folder, "replay", "night/0/0/0")
    first = walk.see("card 0 of 52.")
    assert "Game night/0/0/0, both hands shown" in first
    assert "Round 1 of" in first
    assert "░░" not in first
    assert re.search("\x1b\\[31m[2-9TJQKA][♦♥]\x1b\\[0m", walk.raw)
    for keys, wanted in (
        (RIGHT, "card 1 of 52."),
        (" ", "card 2 of 52."),
        ("\x1bOC", "card 3 of 52."),
        (LEFT, "card 2 of 52."),
        (LEFT * 5, "card 0 of 52."),
        (RIGHT * 9, "card 9 of 52."),
        ("s", "as fox saw it"),
        ("s", "as hen saw it"),
        ("2", "Round 2 of"),
        (RIGHT + UP, "card 0 of 52."),
        (UP, "Round 1 of"),
        ("9", "Round 1 of"),
        (f"{DOWN}{DOWN}", "Round 3 of"),
        (END, "won 1"),
        (RIGHT, "card 52 of 52."),
        (HOME, "card 0 of 52."),
        ("\x1bx\x01z" + RIGHT, "card 1 of 52."),
    ):
        walk.type(keys)
        shown = walk.see(wanted)
        if wanted == "as fox saw it":
            assert "░░" in shown
    assert "Trick 1: " in walk.text
    walk.type("q")
    assert walk.end() == 0
    # the picture is taken away, and the cursor is back
    assert walk.raw.rstrip().endswith("\x1b[?25h\x1b[?1049l")


def test_a_game_that_broke_off_begins_where_asked(
    terminal: Callable[..., Any], results_folder: Path
) -> None:
    """--round and --seat say where; the end tells the verdict, with nothing that steers."""
    words = ("replay", "night/2/0/1", "--round", "2", "--seat", "1")
    walk = terminal("--league", results_folder, *words, columns=40)
    walk.see("as hen@2 saw it", "as hen saw it")
    walk.type(END)
    shown = walk.see("no idea")
    assert "Ended early (crash)" in shown
    assert max(map(len, shown.splitlines())) <= 40
    assert "\x1b]" not in walk.raw
    walk.type("\x03")
    assert walk.end() == 0


@pytest.mark.parametrize("way", ["hang-up", "end of input"])
def test_the_terminal_is_as_before(
    terminal: Callable[..., Any], results_folder: Path, way: str
) -> None:
    """However it ends, keys are seen again when typed."""
    walk = terminal("--league", results_folder, "replay", "night/0/0/0")
    walk.see("card 0 of 52.")
    assert not termios.tcgetattr(walk._main)[3] & termios.ECHO
    if way == "hang-up":
        walk.process.send_signal(signal.SIGHUP)
    else:
        walk.type("\x04")
    assert walk.end() == 0
    assert termios.tcgetattr(walk._main)[3] & termios.ECHO
    assert "Traceback" not in walk.text


def test_a_terminal_that_cant_be_drawn_on_gets_it_printed(
    terminal: Callable[..., Any], results_folder: Path
) -> None:
    """As in a pipe, without a single escape code."""
    walk = terminal("--league", results_folder, "replay", "night/0/0/0", TERM="dumb")
    assert walk.end() == 0
    assert "turned up" in walk.text
    assert "\x1b" not in walk.raw


def test_a_round_that_is_not_there(terminal: Callable[..., Any], results_folder: Path) -> None:
    """It is wrong use on a terminal, too."""
    walk = terminal("--league", results_folder, "replay", "night/0/0/0", "--round", "99")
    assert walk.end() == 2
    assert "round: expected a number from 1 to" in " ".join(walk.text.split())


def test_keys_may_come_in_pieces() -> None:
    """Sequences are put together; unknown ones, and those with parameters, mean nothing."""
    keys = Keys()
    assert keys.feed(b"\x1b") == []
    assert keys.feed(b"[") == []
    assert keys.feed(b"C\x1bOD7q") == [Key.FORWARD, Key.BACK, 7, Key.QUIT]
    assert keys.feed(b"\x1b[1;5C\x1b[200~x\x1bq") == [Key.QUIT]
    assert keys.feed("é\x00\x1b[Z".encode()) == []
