"""A game as it is shown, whether a tournament's or a casual one. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from californiajack import Ruleset
    from californiajack_referee.league.stored import CasualGame, StoredGame, StoredTournament
    from californiajack_referee.values import GameResult


@dataclass(frozen=True, slots=True)
class ShownGame:
    """All that is needed to show a game."""

    id: str
    """Its name, such as ``night/3/17/0`` or ``casual/7``."""
    labels: tuple[str, str]
    """The players by seat, bots with their versions."""
    names: tuple[str, str]
    """The same as short as they can be told apart."""
    seed: bytes
    """The seed of its deals, 16 to 64 bytes."""
    ruleset: Ruleset
    """The rules."""
    first_dealer: int
    """The seat that dealt its first round."""
    result: GameResult
    """How it went; it has the deal's number."""


def shown_game(game: StoredGame, tournament: StoredTournament) -> ShownGame:
    """Gives a tournament's game; the seed and the rules are the tournament's."""
    return ShownGame(
        id=str(game.id),
        labels=(game.seats[0].label, game.seats[1].label),
        names=_short(game.seats[0].label, game.seats[1].label),
        seed=tournament.seed,
        ruleset=tournament.ruleset,
        first_dealer=game.first_dealer,
        result=game.result,
    )


def shown_casual(game: CasualGame) -> ShownGame:
    """Gives a casual game."""
    return ShownGame(
        id=game.name,
        labels=game.players,
        names=_short(*game.players),
        seed=game.seed,
        ruleset=game.ruleset,
        first_dealer=game.first_dealer,
        result=game.result,
    )


def _short(one: str, two: str) -> tuple[str, str]:
    first, second = one.partition("@")[0], two.partition("@")[0]
    return (one, two) if first == second else (first, second)
