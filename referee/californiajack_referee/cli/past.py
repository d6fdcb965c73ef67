"""Games of the league, to be played or shown again from the seat of one bot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from californiajack import InputError
from californiajack_referee.workbench.start import Start

if TYPE_CHECKING:
    from californiajack_referee.league.folder import League
    from californiajack_referee.league.stored import StoredGame


def start_of(league: League, game: StoredGame, name: str, seat: int | None) -> Start:
    """Gives how a game of the league began.

    Args:
        league: the league.
        game: the game.
        name: the name of the bot that is to have a seat in it: that of its namesake.
        seat: the seat, where that is given.

    Raises:
        InputError: no seat is given, and not exactly one bot of that name was in the game.
    """
    if seat is None:
        seats = [number for number, bot in enumerate(game.seats) if bot.name == name]
        if len(seats) != 1:
            labels = " and ".join(bot.label for bot in game.seats)
            raise InputError(
                f"{game.id}: expected one bot of the name {name} in it, found {labels}: say by "
                "--seat 0 or --seat 1 whose part it plays"
            )
        seat = seats[0]
    tournament = league.store.tournament(game.id.tournament)
    return Start(
        seed=tournament.seed,
        deal=game.id.deal,
        ruleset=tournament.ruleset,
        seat=seat,
        opponent=game.seats[1 - seat].label,
    )
