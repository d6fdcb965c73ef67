"""Statistics over pairs of games: a bot's score against others, with its uncertainty.

The unit is the pair: both games of a deal in one pairing, the seats swapped. A bot scores 1 for
winning both, ½ for one, 0 for none, so the luck of the cards cancels within each pair.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from californiajack_referee.league.stored import StoredGame

CONFIDENCE = 0.95
_QUANTILE = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
_GAMES_A_PAIR = 2


class PairCounts(NamedTuple):
    """Whole pairs, by how they went for a bot."""

    lost: int = 0
    """Both games lost: pairs of score 0."""
    split: int = 0
    """One game won: pairs of score ½."""
    won: int = 0
    """Both games won: pairs of score 1."""


@dataclass(frozen=True, slots=True)
class PairScore:
    """The mean score of pairs, with an interval that holds the true mean in 95 of 100 cases."""

    pairs: int
    """Whole pairs played."""
    mean: float | None
    """The mean of their scores, 0 to 1; None without a pair."""
    low: float
    """The interval's lower end, 0 to 1, not above the mean."""
    high: float
    """The interval's upper end, 0 to 1, not below the mean."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A whole pair, as one of its two bots sees it."""

    bot: str
    """The bot's label."""
    opponent: str
    """The other one's label."""
    score: float
    """0, ½ or 1: the part of the two games that the bot won."""


def pair_score(counts: PairCounts) -> PairScore:
    """Sums up pairs: the mean, with an interval that is wide where few pairs were seen.

    The interval is the normal one, over the pairs and two pseudo-pairs more, one of score 0 and
    one of 1 (after Agresti and Caffo, who add as much to proportions), so it is no point where all
    pairs went the same way. Its true coverage, counted over all outcomes of 2 to 100 pairs for bots
    from equal to 99 % strong, is 93.5 % or more, and above 95 % for few pairs.
    """
    pairs = sum(counts)
    mean = (counts.split + 2 * counts.won) / (2 * pairs) if pairs else None
    # with the pseudo-pairs; twice the sum and four times the squares' sum are whole numbers
    padded, total = pairs + 2, counts.split + 2 * (counts.won + 1)
    squares = counts.split + 4 * (counts.won + 1)
    centre = total / (2 * padded)
    variance = (squares * padded - total**2) / (4 * padded * (padded - 1))
    reach = _QUANTILE * math.sqrt(variance / padded)
    inside = centre if mean is None else mean
    return PairScore(
        pairs=pairs,
        mean=mean,
        low=max(0.0, min(inside, centre - reach)),
        high=min(1.0, max(inside, centre + reach)),
    )


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
