"""Simulated players of known strength, to try methods on and to plan tournaments with. Pure.

How a game goes hangs on the difference of strength and on luck; a part of the luck is the cards',
which are swapped in the other game of the pair. In each game a normal variable z is drawn, which
the first bot wins with where z < h; h is such that its expected score is that of the Elo scale. The
two z of a pair are correlated by -`correlation`.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from californiajack_referee.statistics.scale import ELO_A_LOGIT
from californiajack_referee.values import GameSums, PairSums

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

MEASURED_CORRELATION = 0.979
"""How much of the luck of a game is the cards' where two versions of one bot play each other: so
much that pairs need 213 games where single games need 1,650 for the same certainty."""
_TARGET = 10
_POINTS_A_ROUND = 3.5


def outcome_shares(
    difference: ArrayLike, correlation: float = MEASURED_CORRELATION
) -> NDArray[np.float64]:
    """Gives how often pairs are lost, split and won; shape (..., 3), each row adds up to 1.

    Args:
        difference: by how many Elo points the first bot stands above its opponent; shape (...).
        correlation: the cards' part of the luck, 0 or more and below 1.
    """
    score = special.expit(np.asarray(difference, dtype=np.float64) / ELO_A_LOGIT)
    h = special.ndtri(score)
    # both below h, by D. Owen, "Tables for Computing Bivariate Normal Probabilities", Annals of
    # Mathematical Statistics 27 (1956), p. 1075
    slope = np.sqrt((1 + correlation) / (1 - correlation))
    won = np.clip(score - 2 * special.owens_t(h, slope), 0, 1)
    lost = np.clip(1 - 2 * score + won, 0, 1)
    shares = np.stack([lost, np.clip(1 - won - lost, 0, 1), won], axis=-1)
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True))


def simulated_table(
    generator: np.random.Generator,
    strengths: Sequence[float],
    pairs: int | dict[tuple[int, int], int],
    correlation: float = MEASURED_CORRELATION,
) -> dict[tuple[int, int], PairSums]:
    """Plays pairs between bots of known strength: who won what, without game points.

    Args:
        generator: where chance comes from.
        strengths: each bot's strength in Elo points; bots go by their places.
        pairs: how many, of all pairings (a round robin), or pairing by pairing.
        correlation: the cards' part of the luck, 0 or more and below 1.
    """
    if isinstance(pairs, int):
        pairs = dict.fromkeys(combinations(range(len(strengths)), 2), pairs)
    if not pairs:
        return {}
    differences = [strengths[first] - strengths[second] for first, second in pairs]
    drawn = generator.multinomial(list(pairs.values()), outcome_shares(differences, correlation))
    return {key: PairSums(*counts) for key, counts in zip(pairs, drawn.tolist(), strict=True)}


def simulated_games(
    generator: np.random.Generator,
    difference: float,
    pairs: int,
    correlation: float = MEASURED_CORRELATION,
) -> NDArray[np.bool_]:
    """Plays pairs of one pairing game by game: who won; shape (2, pairs), True for the first bot.

    Args:
        generator: where chance comes from.
        difference: by how many Elo points the first bot stands above its opponent.
        pairs: how many.
        correlation: the cards' part of the luck, 0 or more and below 1.
    """
    return _margins(generator, difference, pairs, correlation) > 0


def simulated_pairs(
    generator: np.random.Generator,
    difference: float,
    pairs: int,
    correlation: float = MEASURED_CORRELATION,
) -> tuple[PairSums, GameSums]:
    """Plays pairs of one pairing game by game, with game points and rounds.

    A game is won with the more points the further z is from h, and all end normally.

    Args:
        generator: where chance comes from.
        difference: by how many Elo points the first bot stands above its opponent.
        pairs: how many.
        correlation: the cards' part of the luck, 0 or more and below 1.

    Returns:
        The sums of the pairs, and those of their games.
    """
    margin = _margins(generator, difference, pairs, correlation)
    won = margin > 0
    size = np.minimum(1 + np.floor(4 * np.abs(margin)), _TARGET).astype(np.int64)
    points = np.where(won, size, -size)
    rounds = np.ceil((2 * _TARGET - size) / _POINTS_A_ROUND).astype(np.int64)
    both, counts = points.sum(axis=0), np.bincount(won.sum(axis=0), minlength=3)
    return (
        PairSums(*(*counts.tolist(), pairs, *_moments(both, rounds.sum(axis=0)))),
        GameSums(2 * pairs, *_moments(points, rounds)),
    )


def _margins(
    generator: np.random.Generator, difference: float, pairs: int, correlation: float
) -> NDArray[np.float64]:
    """Gives h - z of both games of each pair; shape (2, pairs)."""
    h = special.ndtri(special.expit(difference / ELO_A_LOGIT))
    cards = generator.standard_normal(pairs)
    own = generator.standard_normal((2, pairs))
    z = np.sqrt(correlation) * np.stack([cards, -cards]) + np.sqrt(1 - correlation) * own
    return np.asarray(h - z)


def _moments(points: NDArray[np.int64], rounds: NDArray[np.int64]) -> tuple[int, ...]:
    found = (points, rounds, points**2, rounds**2, points * rounds)
    return tuple(int(values.sum()) for values in found)
