"""The built-in player that a submitted bot's trial games are played against.

Run as ``python -m californiajack_referee.submission.opponent``, as the referee runs any bot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from californiajack import Bot, run

if TYPE_CHECKING:
    from californiajack import Card, View

OPPONENT = ("python", "-m", "californiajack_referee.submission.opponent")
"""The command that starts it."""


class Opponent(Bot):
    """Plays any legal card."""

    def choose(self, view: View) -> Card:
        """Picks one with the game's own random generator."""
        return self.rng.choice(view.legal)


if __name__ == "__main__":
    run(Opponent)
