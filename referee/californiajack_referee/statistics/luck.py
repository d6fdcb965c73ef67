"""How much of a result was the cards. Pure.

The cards of a deal help one bot in one game of a pair and the other bot in the other game. So they
spread single games, but hardly pairs: how much narrower pairs are spread tells how much the cards
decide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

from californiajack_referee.statistics.intervals import CONFIDENCE, normal_quantile

if TYPE_CHECKING:
    from californiajack_referee.values import GameSums, PairSums

POWER = 0.8
"""How often a difference is to be found that is there."""
_GAMES_A_PAIR = 2
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Luck:
    """How far single games and pairs are spread around one mean.

    The unit is that of the mean: the part of games won (0 to 1), or game points a round.
    """

    difference: float
    """The measured difference of both bots: the mean score less ½, or points a round."""
    games: int
    """Games that it was measured with."""
    game_variance: float
    """The variance of a single game."""
    pair_variance: float
    """The variance of a pair's mean."""

    @property
    def ratio(self) -> float | None:
        """How many times as many games it takes without pairs; None where pairs are not spread."""
        if self.pair_variance <= 0:
            return None
        return self.game_variance / _GAMES_A_PAIR / self.pair_variance

    @property
    def correlation(self) -> float | None:
        """How the two games of a pair go together, -1 to 1; None where games are not spread.

        At -1 the cards alone decide each game; at 0 they decide nothing that the swap of seats
        could undo.
        """
        if self.game_variance <= 0:
            return None
        return _GAMES_A_PAIR * self.pair_variance / self.game_variance - 1

    @property
    def games_unpaired(self) -> int | None:
        """Games to find the measured difference, each with a deal of its own; None where it is 0.

        They find it at 95 % certainty four times in five (80 % power), by the normal approximation.
        """
        return self._games_for(self.game_variance)

    @property
    def games_paired(self) -> int | None:
        """Games to find the measured difference by pairs, always even; None where it is 0."""
        pairs = self._games_for(self.pair_variance)
        return None if pairs is None else _GAMES_A_PAIR * pairs

    def _games_for(self, variance: float) -> int | None:
        if self.difference == 0:
            return None
        quantiles = normal_quantile(CONFIDENCE) + NormalDist().inv_cdf(POWER)
        return max(1, math.ceil(variance * (quantiles / self.difference) ** 2))


def score_luck(sums: PairSums) -> Luck | None:
    """Tells how far scores are spread; None for less than two pairs.

    A single game is one of a deal and a seating at random, so its variance is p (1 - p) for a mean
    score of p.
    """
    pairs = sums.pairs
    if pairs < _FEWEST:
        return None
    twice = sums.split + 2 * sums.won
    squares = sums.split + 4 * sums.won
    mean = twice / (2 * pairs)
    games = _GAMES_A_PAIR * pairs
    return Luck(
        difference=mean - 1 / 2,
        games=games,
        game_variance=mean * (1 - mean) * games / (games - 1),
        pair_variance=(squares * pairs - twice**2) / (4 * pairs * (pairs - 1)),
    )


def point_luck(pairs: PairSums, games: GameSums) -> Luck | None:
    """Tells how far the differences of game points a round are spread.

    Args:
        pairs: the pairs whose two games ended normally.
        games: the games of the same pairs, each by itself.

    Returns:
        None for less than two pairs, or without a finished round.
    """
    if pairs.normal < _FEWEST or not pairs.rounds or not games.rounds:
        return None
    mean = pairs.difference / pairs.rounds
    return Luck(
        difference=mean,
        games=games.games,
        game_variance=_ratio_variance(games, games.games, mean),
        pair_variance=_ratio_variance(pairs, pairs.normal, mean),
    )


def _ratio_variance(sums: GameSums | PairSums, count: int, mean: float) -> float:
    """Gives the variance of one unit's difference a round, by the delta method."""
    residuals = (
        sums.difference_squares - 2 * mean * sums.products + mean * mean * sums.rounds_squares
    )
    return max(residuals, 0.0) / (count - 1) / (sums.rounds / count) ** 2
