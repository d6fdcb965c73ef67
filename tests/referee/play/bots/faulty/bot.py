"""Bots made with the SDK that go wrong, each in its own way: bot.py WAY [MARKER].

With a marker, the path of a file, it goes wrong in one process only: the one that finds no such
file yet, and makes it.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from californiajack import CARDS, Bot, Card, GameEnd, GameStart, RoundEnd, RoundStart, View, run

if TYPE_CHECKING:
    from collections.abc import Callable

WAY = sys.argv[1]
SLOW_SECONDS = 2.2
FAULTY_GAME = 2
"""The game, of those of one process, in which a way that concerns one game goes wrong."""
FAULTY_CALL = 40
"""The call of `choose`, of those of one process, in which the other ways go wrong."""


def may_fail() -> bool:
    """Whether this process is one that goes wrong."""
    if len(sys.argv) < 3:
        return True
    try:
        Path(sys.argv[2]).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


FAILS = may_fail()
games = count()
calls = count()


def die() -> None:
    """Ends the process at once."""
    sys.stderr.write("the last words\n")
    sys.stderr.flush()
    os._exit(7)


def be_killed() -> None:
    """Ends the process by a signal."""
    os.kill(os.getpid(), signal.SIGKILL)


def hang() -> None:
    """Never comes back."""
    while True:
        time.sleep(1)


IN_A_CALL: dict[str, Callable[[], None]] = {
    "exits": die,
    "killed": be_killed,
    "hangs": hang,
    "slow": lambda: time.sleep(SLOW_SECONDS),
    "quits": lambda: sys.exit("that's enough"),
}


class Faulty(Bot):
    """Plays its lowest legal card, until it goes wrong."""

    def __init__(self) -> None:
        """Counts the games of this process."""
        self.faulty = FAILS and next(games) == FAULTY_GAME

    def fail(self, way: str) -> None:
        """Raises an error in the faulty game of the way asked for."""
        if self.faulty and way == WAY:
            raise LookupError(f"no idea in {way}")

    def choose(self, view: View) -> Card:
        """Plays a card, legal or not."""
        if FAILS and WAY in IN_A_CALL and next(calls) == FAULTY_CALL:
            IN_A_CALL[WAY]()
        if self.faulty:
            if WAY == "illegal":
                return next(card for card in CARDS if card not in view.hand)
            if WAY == "no_card":
                return "7d"  # type: ignore[return-value] # on purpose
            if WAY == "library":
                return self.rng.choice(())
        self.fail("choose")
        return view.legal[0]

    def on_game_start(self, start: GameStart) -> None:  # noqa: ARG002 - the hook's form
        """May fail."""
        self.fail("on_game_start")

    def on_round_start(self, start: RoundStart) -> None:  # noqa: ARG002 - the hook's form
        """May fail."""
        self.fail("on_round_start")

    def on_round_end(self, end: RoundEnd) -> None:  # noqa: ARG002 - the hook's form
        """May fail."""
        self.fail("on_round_end")

    def on_game_end(self, end: GameEnd) -> None:  # noqa: ARG002 - the hook's form
        """May fail."""
        self.fail("on_game_end")


def no_bot() -> Bot:
    """Makes no bot."""
    return object()  # type: ignore[return-value] # on purpose


if __name__ == "__main__":
    if WAY == "early":
        sys.exit("no luck today")
    if WAY == "silent":
        hang()
    if WAY == "noisy":
        line = "x" * 1023 + "\n"
        for _ in range(10 * 1024):
            sys.stdout.write(line)
    run(no_bot if WAY == "no_bot" else Faulty)
