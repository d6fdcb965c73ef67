"""Answers on their way to the referee: sent together, but none kept waiting by the next one."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from californiajack import wire

if TYPE_CHECKING:
    from collections.abc import Callable

FLUSH_SECONDS = 0.005
"""How long an answer may wait for more to be sent with it, give or take as much again."""


class Replies:
    """Gathers the answers to a message's turns.

    A message costs more than an answer in it, so they are sent when all are there. When a turn
    takes long, a thread sends those before it: they are done, and their clocks must not run on.
    """

    def __init__(self, send: Callable[[wire.PlayRequest], None]) -> None:
        """Starts empty.

        Args:
            send: puts a message on its way; called by one thread at a time.
        """
        self._send = send
        self._lock = threading.Lock()
        self._answers: list[tuple[int, int]] = []
        self._since = 0.0
        self._some = threading.Event()
        threading.Thread(target=self._watch, daemon=True, name="replies").start()

    def add(self, turn: int, card: int) -> None:
        """Adds the answer to a turn that another one follows."""
        with self._lock:
            if not self._answers:
                self._since = time.monotonic()
                self._some.set()
            self._answers.append((turn, card))

    def add_last(self, turn: int, card: int) -> None:
        """Adds the answer to the last turn and sends all: nobody has to be woken to watch it."""
        with self._lock:
            self._answers.append((turn, card))
            self._send_all()

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
            self._some.wait()
            time.sleep(FLUSH_SECONDS)
            with self._lock:
                if not self._answers:
                    self._some.clear()
                elif time.monotonic() - self._since >= FLUSH_SECONDS:
                    self._send_all()
