"""The whole pairs among games that are all at hand. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from californiajack_referee.league.stored import StoredGame

_GAMES_A_PAIR = 2


@dataclass(frozen=True, slots=True)
class Pair:
    """A whole pair, as one of its two bots sees it."""

    bot: str
    """The bot's label."""
    opponent: str
    """The other one's label."""
    score: float
    """0, ½ or 1: the part of the two games that the bot won."""


def whole_pairs(games: Iterable[StoredGame]) -> list[Pair]:
    """Finds the whole pairs among games, each twice: once for either bot.

    A pair counts only when both of its games have a winner; half a pair would bring the luck of
    the cards back in.
    """
    halves: dict[tuple[str, int, int], list[StoredGame]] = defaultdict(list)
    for game in games:
        if game.result.verdict.winner is not None:
            halves[game.id.tournament, game.id.pairing, game.id.deal].append(game)
    return [
        pair for both in halves.values() if len(both) == _GAMES_A_PAIR for pair in _views(*both)
    ]


def _views(one: StoredGame, two: StoredGame) -> tuple[Pair, Pair]:
    first, second = (bot.label for bot in one.seats)
    score = sum(_winner(game) == first for game in (one, two)) / _GAMES_A_PAIR
    return Pair(first, second, score), Pair(second, first, 1 - score)


def _winner(game: StoredGame) -> str | None:
    winner = game.result.verdict.winner
    return None if winner is None else game.seats[winner].label
