"""Answers on their way to the referee: sent together, but none kept waiting by the next one."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from californiajack import wire

if TYPE_CHECKING:
    from collections.abc import Callable

_LULL_SECONDS = 0.01
"""How long an answer waits for the next one, give or take some milliseconds."""
_OLDEST_SECONDS = 0.015
"""How long an answer waits while others follow it."""
_SLOW_SECONDS = 0.001
"""A turn that takes this long costs more than a message."""


class Replies:
    """Gathers the answers to a message's turns.

    A message costs more than an answer in it, so they are sent when all are there. When turns take
    long, those before are sent meanwhile: they are done, their clocks must not run on, and the
    other bot may be waiting for what comes of them. As a rule the thread that answers does that
    between two turns. When it is busy with one for longer, another thread does.
    """

    def __init__(self, send: Callable[[wire.PlayRequest], None]) -> None:
        """Starts empty.

        Args:
            send: puts a message on its way; called by one thread at a time.
        """
        self._send = send
        self._lock = threading.Lock()
        self._answers: list[tuple[int, int]] = []
        self._first = 0.0  # when the first of them was added
        self._last = 0.0  # when the last answer was added, or a message begun with
        self._watched = threading.Event()  # whether the other thread looks after them
        threading.Thread(target=self._watch, daemon=True, name="replies").start()

    def begin(self) -> None:
        """Says that the next answers come from now on: until now, there was nothing to answer."""
        self._last = time.monotonic()

    def add(self, turn: int, card: int, to_come: int) -> None:
        """Adds an answer.

        Args:
            turn: the turn's number.
            card: the card, 0 to 51.
            to_come: how many turns of the message are left. With 0 all is sent at once. With 1 it
                is, too, where turns take long: by the time the last one is answered, the next
                message has come.
        """
        now = time.monotonic()
        with self._lock:
            answers = self._answers
            if not answers:
                self._first = now
            answers.append((turn, card))
            slow = now - self._last > _SLOW_SECONDS
            self._last = now
            if not to_come or (to_come == 1 and slow) or now - self._first > _OLDEST_SECONDS:
                self._send_all()
            elif not self._watched.is_set():
                self._watched.set()

    def flush(self) -> None:
        """Sends what is there."""
        with self._lock:
            self._send_all()

    def forfeit(self, game: int, reason: str) -> None:
        """Gives a game up, after the answers that are there."""
        with self._lock:
            self._send_all()
            self._send(wire.forfeit(game, reason))

    def _send_all(self) -> None:
        if self._answers:
            self._send(wire.moves(self._answers))
            self._answers = []

    def _watch(self) -> None:
        while True:
            self._watched.wait()
            pause = _LULL_SECONDS
            while pause > 0:
                time.sleep(pause)
                with self._lock:
                    lull_ends = self._last + _LULL_SECONDS
                    pause = lull_ends - time.monotonic() if self._answers else 0.0
                    if pause <= 0:
                        self._send_all()
                        self._watched.clear()
