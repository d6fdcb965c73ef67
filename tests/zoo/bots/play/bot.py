"""Bots made with the SDK that play badly: bot.py FAULT. Until then they play their first card."""

from __future__ import annotations

import os
import signal
import sys
import time
from itertools import count
from typing import TYPE_CHECKING

from californiajack import CARDS, Bot, Card, GameEnd, View, run

if TYPE_CHECKING:
    from collections.abc import Callable

FAULTY_CALL = 20
"""The call of `choose`, of those of the whole process, from which on it goes wrong."""
LATE_SECONDS = 2.1
FAULT = sys.argv[1]
calls = count()


def lowest(view: View) -> Card:
    """Plays well enough."""
    return view.legal[0]


def dies_in_mid_turn(_view: View) -> Card:
    """Ends its process while a turn waits."""
    sys.stderr.write("the last words\n")
    sys.stderr.flush()
    os._exit(7)


def sleeps(view: View) -> Card:
    """Never comes back."""
    time.sleep(600)
    return lowest(view)


def answers_late(view: View) -> Card:
    """Answers one turn after its time, and the others at once."""
    if next(late) == 0:
        time.sleep(LATE_SECONDS)
    return lowest(view)


late = count()


def stops_itself(view: View) -> Card:
    """Stops its process, which lives on without ever running."""
    os.kill(os.getpid(), signal.SIGSTOP)
    return lowest(view)


def illegal_card(view: View) -> Card:
    """Plays a card of its hand that the rules don't allow, once it has one."""
    return next((card for card in view.hand if card not in view.legal), view.legal[0])


def card_not_held(view: View) -> Card:
    """Plays a card that isn't in its hand."""
    return next(card for card in CARDS if card not in view.hand)


CHOICES: dict[str, Callable[[View], Card]] = {
    choice.__name__: choice
    for choice in (
        *(dies_in_mid_turn, sleeps, answers_late, stops_itself),
        *(illegal_card, card_not_held),
    )
}


def dies_at_the_games_end() -> None:
    """Ends its process when it is told how its first game ended."""
    os._exit(9)


class Bad(Bot):
    """Plays its first legal card until it goes wrong."""

    def choose(self, view: View) -> Card:
        """Plays a card, or worse."""
        good = next(calls) < FAULTY_CALL
        return lowest(view) if good else CHOICES.get(FAULT, lowest)(view)

    def on_game_end(self, end: GameEnd) -> None:
        """Hears how a game ended."""
        del end
        if dies_at_the_games_end.__name__ == FAULT:
            dies_at_the_games_end()


if __name__ == "__main__":
    run(Bad)
