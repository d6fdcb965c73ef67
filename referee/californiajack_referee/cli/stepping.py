"""A game in the terminal, card by card, by the arrow keys."""

from __future__ import annotations

import os
import signal
import sys
import termios
import tty
from contextlib import contextmanager
from enum import Enum, auto
from typing import TYPE_CHECKING

from californiajack_referee.cli.output import clean
from californiajack_referee.show.board import Ink, Span, board_lines
from californiajack_referee.show.steps import Sight, board_at, walk_of, words_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from californiajack_referee.cli.screen import Screen
    from californiajack_referee.show.shown import ShownGame

_PIECE = 64
_ALTERNATE, _NORMAL = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
_KEYS_HELP = "Left, right: a card. Up, down: a round. s: seat. q: end."


class Key(Enum):
    """A key that means something."""

    BACK = auto()
    FORWARD = auto()
    ROUND_BACK = auto()
    ROUND_FORWARD = auto()
    FIRST = auto()
    LAST = auto()
    SEAT = auto()
    QUIT = auto()


_ARROWS = {
    b"D": Key.BACK,
    b"C": Key.FORWARD,
    b"A": Key.ROUND_BACK,
    b"B": Key.ROUND_FORWARD,
    b"H": Key.FIRST,
    b"F": Key.LAST,
}
_LETTERS = {b" ": Key.FORWARD, b"s": Key.SEAT, b"q": Key.QUIT, b"Q": Key.QUIT, b"\x04": Key.QUIT}


class Keys:
    """Makes keys of the bytes that a terminal sends. Pure: a sequence may come in pieces."""

    def __init__(self) -> None:
        """Has got none yet."""
        self._rest = b""

    def feed(self, data: bytes) -> list[Key | int]:
        """Takes bytes and gives the keys that they end: one with a meaning, or a digit.

        What has no meaning is dropped.
        """
        found: list[Key | int] = []
        data = self._rest + data
        while data:
            if data[:1] == b"\x1b":
                length = _escape_length(data)
                if length is None:
                    break
                key = _ARROWS.get(data[length - 1 : length]) if length > 1 else None
                if key is not None and length == 3:  # noqa: PLR2004 - ESC, [ or O, a letter
                    found.append(key)
            else:
                length = 1
                if data[:1].isdigit():
                    found.append(int(data[:1]))
                elif data[:1] in _LETTERS:
                    found.append(_LETTERS[data[:1]])
            data = data[length:]
        self._rest = data
        return found


def _escape_length(data: bytes) -> int | None:
    """Gives how long the escape sequence is that bytes begin with; None where more is to come."""
    if len(data) == 1:
        return None
    if data[1:2] not in (b"[", b"O"):
        return 1
    for place, byte in enumerate(data[2:], start=3):
        if 0x40 <= byte <= 0x7E:  # noqa: PLR2004 - what may end a sequence
            return place
    return None


class Stepper:
    """Where a walk through a game stands."""

    def __init__(self, screen: Screen, game: ShownGame, round_number: int, sight: Sight) -> None:
        """Stands at the first card of a round, counted from 1."""
        self._screen = screen
        self._walk = walk_of(game)
        self._sight = sight
        self._at = self._walk.first_of(round_number - 1)

    def go(self, key: Key | int) -> None:
        """Does what a key asks for; at either end of the game there is no further."""
        walk, last = self._walk, len(self._walk.steps) - 1
        here = walk.steps[self._at]
        if isinstance(key, int):
            if 1 <= key <= len(walk.rounds):
                self._at = walk.first_of(key - 1)
        elif key is Key.SEAT:
            sights = list(Sight)
            self._sight = sights[(sights.index(self._sight) + 1) % len(sights)]
        elif key is Key.ROUND_BACK:
            # as with songs: first to the beginning of this one
            self._at = walk.first_of(here.round - (here.cards == 0))
        elif key is Key.ROUND_FORWARD:
            self._at = walk.first_of(here.round + 1) if here.round + 1 < len(walk.rounds) else last
        else:
            moves = {Key.BACK: self._at - 1, Key.FORWARD: self._at + 1, Key.FIRST: 0}
            self._at = min(max(moves.get(key, last), 0), last)

    def draw(self) -> None:
        """Draws the table as it is at this step."""
        screen, walk = self._screen, self._walk
        step = walk.steps[self._at]
        screen.clear()
        screen.write((Span(f"Game {walk.game.id}", Ink.STRONG), Span(f", {self._seen_by()}")))
        screen.write_board(board_lines(board_at(walk, step, self._sight), screen.signs))
        screen.write(*(clean(line) for line in words_at(walk, step, screen.signs)))
        cards = len(walk.rounds[step.round].plays)
        place = f"Round {step.round + 1} of {len(walk.rounds)}, card {step.cards} of {cards}."
        screen.write("", (Span(f"{place} {_KEYS_HELP}", Ink.FAINT),))

    def _seen_by(self) -> str:
        if self._sight is Sight.OPEN:
            return "both hands shown"
        return f"as {self._walk.game.names[self._sight.near]} saw it"


def step_through(screen: Screen, game: ShownGame, round_number: int, sight: Sight) -> None:
    """Shows a game until q, Ctrl-C or the end of the input; the terminal is as before then."""
    stepper, keys = Stepper(screen, game, round_number, sight), Keys()
    with _drawn_on(stepper.draw):
        while True:
            stepper.draw()
            try:
                data = os.read(sys.stdin.fileno(), _PIECE)
            except OSError:  # the terminal is gone
                return
            if not data:
                return
            for key in keys.feed(data):
                if key is Key.QUIT:
                    return
                stepper.go(key)


@contextmanager
def _drawn_on(redraw: Callable[[], None]) -> Iterator[None]:
    """Takes the terminal for a picture: keys come at once and unseen, and its text comes back."""

    def leave(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    def resized(_number: int, _frame: FrameType | None) -> None:
        redraw()

    file = sys.stdin.fileno()
    before = termios.tcgetattr(file)
    ways = dict.fromkeys((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), leave)
    ways[signal.SIGWINCH] = resized
    handlers = {number: signal.signal(number, way) for number, way in ways.items()}
    try:
        tty.setcbreak(file)
        sys.stdout.write(_ALTERNATE)
        yield
    except KeyboardInterrupt:
        pass
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        sys.stdout.write(_NORMAL)
        sys.stdout.flush()
        termios.tcsetattr(file, termios.TCSADRAIN, before)
