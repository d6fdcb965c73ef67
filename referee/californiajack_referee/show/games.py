"""Games as lines of a table for programs. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from californiajack.rules import PLAYS_A_ROUND
from californiajack_referee.show.sheet import Field, text, whole

if TYPE_CHECKING:
    from californiajack_referee.league.stored import StoredGame

GAME_FIELDS: tuple[Field[StoredGame], ...] = (
    text("game", lambda game: str(game.id)),
    text("tournament", lambda game: game.id.tournament),
    whole("pairing", lambda game: game.id.pairing),
    whole("deal", lambda game: game.id.deal),
    whole("seating", lambda game: game.id.seating),
    text("seat_0", lambda game: game.seats[0].label),
    text("seat_1", lambda game: game.seats[1].label),
    text("winner", lambda game: _bot_at(game, game.result.verdict.winner)),
    text("termination", lambda game: game.result.verdict.termination.value),
    text("blame", lambda game: _bot_at(game, game.result.verdict.blame)),
    whole("score_0", lambda game: game.result.score[0]),
    whole("score_1", lambda game: game.result.score[1]),
    whole("rounds", lambda game: len(game.result.plays) // PLAYS_A_ROUND),
    whole("plays", lambda game: len(game.result.plays)),
    whole("thinking_ms_0", lambda game: game.result.used_ms[0]),
    whole("thinking_ms_1", lambda game: game.result.used_ms[1]),
    whole("cpu_ms_0", lambda game: game.result.cpu_ms[0]),
    whole("cpu_ms_1", lambda game: game.result.cpu_ms[1]),
    text("sandbox", lambda game: game.result.layer.value),
)
"""What is told of a game, a row a game; described in docs/results.md."""


def _bot_at(game: StoredGame, seat: int | None) -> str | None:
    """Gives the label of the bot in a seat; None for nobody's."""
    return None if seat is None else game.seats[seat].label
