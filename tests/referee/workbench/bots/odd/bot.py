"""Bots with faults for a check to find: bot.py WAY."""

from __future__ import annotations

import os
import random
import sys
import time
from itertools import count

from californiajack import Bot, Card, GameStart, Scoring, View, run

WAY = sys.argv[1]
FATAL_GAME = 5
"""The game of a process, counted from 1, in which it dies."""
games = count(1)


class Odd(Bot):
    """Plays at random, by a generator of its own, until it goes wrong."""

    def on_game_start(self, start: GameStart) -> None:
        """Prints something, and counts."""
        self.number = next(games)
        self.rules = start.ruleset
        if WAY == "strange":
            sys.stdout.write(f"game {self.number} {'x' * 600}\n")

    def choose(self, view: View) -> Card:
        """Plays a card, or worse."""
        if WAY == "dies" and self.number == FATAL_GAME and view.trick_number > 3:
            os._exit(7)
        if WAY == "hangs" and view.trick_number > 3:
            time.sleep(600)
        if WAY == "strange":
            bad = [card for card in view.hand if card not in view.legal]
            if bad and view.ruleset.scoring is Scoring.MOST_TRICKS and self.trumping_is_not(view):
                return bad[0]
            return random.choice(view.legal)
        return view.legal[0]

    def trumping_is_not(self, view: View) -> bool:
        """Tells whether a follower may not trump."""
        return view.ruleset.follow.value == "follow"


if __name__ == "__main__":
    if WAY == "never":
        sys.exit("no luck today")
    run(Odd)
    if WAY == "strange":
        time.sleep(600)
