"""How many games two bots should have in play at once."""

from __future__ import annotations

from californiajack_referee.values import MOST_GAMES_AT_ONCE

_ROUND_SECONDS = 0.2
"""How long a bot may take to answer one turn of every game in play."""


def games_allowed(*seconds_a_move: float | None) -> int:
    """Gives how many games may be in play at once, 1 to 1024.

    Quick bots gain from many games at once, because many turns share a message. Slow bots gain
    nothing: their games would only all end late, and a crash would take more games with it. So
    as many are allowed as the slower bot can answer a turn of each in a fifth of a second.

    Args:
        seconds_a_move: what each bot has taken for a move on average; None where too few moves
            have been made to tell, which allows one game.
    """
    allowed = MOST_GAMES_AT_ONCE
    for seconds in seconds_a_move:
        if seconds is None:
            return 1
        if seconds * allowed > _ROUND_SECONDS:
            allowed = max(1, int(_ROUND_SECONDS / seconds))
    return allowed
