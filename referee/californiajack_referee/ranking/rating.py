"""Ratings: a pure function of the result log, by TrueSkill."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from californiajack_referee.ranking.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from californiajack_referee.league.stored import RatingSettings, StoredGame


@dataclass(frozen=True, slots=True)
class BotRating:
    """What TrueSkill believes of a bot's strength."""

    mu: float
    """The mean."""
    sigma: float
    """The standard deviation; it shrinks as games are played."""

    @property
    def lower_bound(self) -> float:
        """The strength that the bot almost certainly has, mu - 3 sigma: bots are ranked by it."""
        return self.mu - 3 * self.sigma


def in_canonical_order(games: Iterable[StoredGame], tournaments: Sequence[str]) -> list[StoredGame]:
    """Sorts games deal by deal, all pairings of a deal together, tournament by tournament.

    Args:
        games: games in any order.
        tournaments: the names of their tournaments, in the order of creation.
    """
    rank = {name: number for number, name in enumerate(tournaments)}
    return sorted(
        games,
        key=lambda game: (rank[game.id.tournament], game.id.deal, game.id.pairing, game.id.seating),
    )


def tally_of_games(
    games: Iterable[StoredGame], tournaments: Sequence[str], settings: RatingSettings
) -> tuple[Tally, dict[int, str]]:
    """Counts games that are all at hand, in canonical order; void ones are left out.

    Args:
        games: games in any order, each once.
        tournaments: the names of their tournaments, in the order of creation.
        settings: the parameters of TrueSkill.

    Returns:
        The tally, and the bots' labels by their numbers in it.
    """
    numbers: dict[str, int] = {}
    tally = Tally(settings)
    for game in in_canonical_order(games, tournaments):
        winner, blame = game.result.verdict.winner, game.result.verdict.blame
        if winner is None:
            continue
        won, lost = (
            numbers.setdefault(game.seats[seat].label, len(numbers))
            for seat in (winner, 1 - winner)
        )
        pair = (game.id.tournament, game.id.deal, game.id.pairing)
        tally.add(pair, won, lost, fault=blame == 1 - winner)
    return tally, {number: label for label, number in numbers.items()}


def rate(
    games: Iterable[StoredGame], tournaments: Sequence[str], settings: RatingSettings
) -> dict[str, BotRating]:
    """Rates every bot that has a game with a winner, by its label.

    The order in which the games are given never matters: they are rated in canonical order, to the
    same numbers to the last bit. Void games are left out.

    Args:
        games: games in any order, each once.
        tournaments: the names of their tournaments, in the order of creation.
        settings: the parameters of TrueSkill.
    """
    tally, labels = tally_of_games(games, tournaments, settings)
    return {labels[bot]: BotRating(line.mu, line.sigma) for bot, line in tally.lines.items()}
