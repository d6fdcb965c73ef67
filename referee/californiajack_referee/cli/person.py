"""A person at the table: what is typed becomes cards, what happens is told in words."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import deque
from contextlib import contextmanager, suppress
from enum import Enum
from threading import Thread
from typing import TYPE_CHECKING

from californiajack import GameEnd, InputError, RoundEnd, RoundStart
from californiajack.view import View
from californiajack_referee.show.board import board_lines, board_of_view
from californiajack_referee.show.telling import (
    not_legal_words,
    read_choice,
    round_end_words,
    round_start_words,
    trick_words,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from californiajack import Ruleset, Trick
    from californiajack_referee.cli.screen import Screen
    from californiajack_referee.play.casual import Guest, News

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PIECE = 4096
_LONGEST_LINE = 1000
_PATIENCE_SECONDS = 1.0
_HELP = (
    "Type the number of a card, or its name, such as Td for the ten of diamonds.",
    "  resign  gives the game up: it counts as lost",
    "  quit    leaves at once, as Ctrl-C and Ctrl-D do: the game is not kept",
    "  help    shows this",
    "A card that has been played stays played: there is no undo.",
    "An x marks a card that may not be played now: type its name to see why.",
)


class Sign(Enum):
    """What comes from the person besides lines."""

    END = "end"
    """The input is over: Ctrl-D, or the end of a pipe."""
    STOP = "stop"
    """Ctrl-C, or the terminal is closed."""


class Person:
    """The host of a casual game: shows its news, reads what is typed, and plays it.

    Attributes:
        guest: the person's seat; to be set before `host` is run.
        left: whether the person left before the end.
    """

    guest: Guest

    def __init__(self, screen: Screen, opponent: str, ruleset: Ruleset) -> None:
        """Sits down.

        Args:
            screen: where the game is drawn.
            opponent: what the bot is called.
            ruleset: the rules.
        """
        self.left = False
        self._screen = screen
        self._opponent = opponent
        self._ruleset = ruleset
        self._events: asyncio.Queue[News | str | Sign] = asyncio.Queue()
        self._typed_ahead: deque[str | Sign] = deque()
        self._live = sys.stdin.isatty()
        self._view: View | None = None
        self._start: RoundStart | None = None
        self._tricks_told = 0
        self._begun = False
        self._over = False

    def tell(self, news: News) -> None:
        """Takes news of the game, which are shown in their turn."""
        self._events.put_nowait(news)

    async def host(self) -> None:
        """Plays until the game is over or the person has left."""
        self._begun = True
        waited = False
        while not (self._over or self.left):
            try:
                patience = None if waited or self._view is not None else _PATIENCE_SECONDS
                event = await asyncio.wait_for(self._events.get(), patience)
            except TimeoutError:
                self._screen.write(f"{self._opponent} is thinking.")
                waited = True
                continue
            waited = False
            self._take(event)

    @contextmanager
    def listening(self, leave: Callable[[], object]) -> Iterator[None]:
        """Has what is typed, and signals, come in.

        Args:
            leave: called on a signal before the game has begun.
        """
        loop = asyncio.get_running_loop()

        def stop() -> None:
            self._events.put_nowait(Sign.STOP)
            if not self._begun:
                self.left = True
                leave()

        def put(event: str | Sign) -> None:
            # after the game nobody listens any more
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._events.put_nowait, event)

        # a thread, as not all files can be waited for; it may outlive the game, in a read
        Thread(target=_read_lines, args=(sys.stdin.fileno(), put), daemon=True).start()
        for number in _SIGNALS:
            loop.add_signal_handler(number, stop)
        try:
            yield
        finally:
            for number in _SIGNALS:
                loop.remove_signal_handler(number)

    def _take(self, event: News | str | Sign) -> None:
        if isinstance(event, RoundStart):
            self._start = event
            self._tricks_told = 0
            self._screen.write("", round_start_words(event, self._opponent, self._screen.signs))
        elif isinstance(event, View):
            self._tell_tricks(event.history)
            self._view = event
            self._show(event)
            self._catch_up()
        elif isinstance(event, RoundEnd):
            self._end_round(event)
        elif isinstance(event, GameEnd):
            if self._view is not None:
                self._screen.write("")  # from the line of the prompt
            self._over = True
        elif self._view is None and event is not Sign.STOP and not self._live:
            self._typed_ahead.append(event)
        else:
            self._obey(event)

    def _catch_up(self) -> None:
        """Does what came in a pipe before its turn."""
        while self._typed_ahead and self._view is not None and not self.left:
            self._obey(self._typed_ahead.popleft())

    def _tell_tricks(self, history: tuple[Trick, ...]) -> None:
        for number, trick in enumerate(history[self._tricks_told :], self._tricks_told + 1):
            self._screen.write(trick_words(number, trick, self._opponent, self._screen.signs))
        self._tricks_told = len(history)

    def _end_round(self, end: RoundEnd) -> None:
        self._tell_tricks(end.history)
        if self._start is not None:
            trump = self._start.trump_card.suit
            words = round_end_words(end, trump, self._ruleset, self._opponent)
            self._screen.write(*words)

    def _show(self, view: View) -> None:
        signs = self._screen.signs
        board = board_of_view(view, self._opponent)
        self._screen.write_board(board_lines(board, signs, view.legal))
        if words := not_legal_words(view, signs):
            self._screen.write(words)
        self._ask(view)

    def _ask(self, view: View) -> None:
        numbers = (str(n) for n, card in enumerate(view.hand, 1) if card in view.legal)
        self._screen.ask(f"Your card ({' '.join(numbers)}): ")

    def _obey(self, event: str | Sign) -> None:
        """Does what was typed."""
        if isinstance(event, Sign):
            self._screen.write("")
            self.left = True
            return
        word = event.strip()
        if not self._live:
            self._screen.write(word if word.isprintable() else "?")  # where no terminal does
        if word.lower() == "quit":
            self.left = True
        elif word.lower() == "resign":
            self._view = None
            self.guest.resign()
        elif self._view is None:
            if word:
                self._screen.write(f"It is {self._opponent}'s turn: wait for yours.")
        else:
            self._choose(self._view, word)

    def _choose(self, view: View, word: str) -> None:
        if word.lower() in ("help", "?", "h"):
            self._screen.write(*_HELP)
        elif word.lower() in ("undo", "u"):
            self._screen.write("There is no undo: a card that has been played stays played.")
        elif word:
            try:
                card = read_choice(view, word, self._screen.signs)
            except InputError as error:
                self._screen.write(str(error))
            else:
                self._view = None
                self.guest.play(card)
                return
        self._ask(view)


def _read_lines(file: int, put: Callable[[str | Sign], None]) -> None:
    """Passes on what is typed line by line, then the end of the input."""
    rest = b""
    while True:
        try:
            piece = os.read(file, _PIECE)
        except OSError:  # the terminal is gone
            piece = b""
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines if piece else [*lines, rest]:
            put(line[:_LONGEST_LINE].decode(errors="replace"))
        if not piece:
            put(Sign.END)
            return
        rest = rest[:_LONGEST_LINE]
