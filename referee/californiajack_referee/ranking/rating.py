"""Ratings: a pure function of the result log, by TrueSkill."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import trueskill

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
    environment = trueskill.TrueSkill(
        mu=settings.mu,
        sigma=settings.sigma,
        beta=settings.beta,
        tau=settings.tau,
        draw_probability=settings.draw_probability,
    )
    ratings: dict[str, trueskill.Rating] = {}
    for game in in_canonical_order(games, tournaments):
        winner = game.result.verdict.winner
        if winner is None:
            continue
        won, lost = game.seats[winner].label, game.seats[1 - winner].label
        ratings[won], ratings[lost] = trueskill.rate_1vs1(
            ratings.get(won) or environment.create_rating(),
            ratings.get(lost) or environment.create_rating(),
            env=environment,
        )
    return {label: BotRating(rating.mu, rating.sigma) for label, rating in ratings.items()}
