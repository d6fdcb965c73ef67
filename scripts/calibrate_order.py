"""How far TrueSkill's order goes with the true one where the ratings by pairs are sure."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np
from calibrate_adaptive import EVEN
from calibrate_intervals import UNEVEN
from figures import Figure

from californiajack_referee.league.stored import RatingSettings
from californiajack_referee.ranking.tally import Tally
from californiajack_referee.statistics.elo import fit
from californiajack_referee.statistics.simulated import simulated_games
from californiajack_referee.values import PairSums

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GAMES = 180_000


def _agreement(
    generator: np.random.Generator, strengths: Sequence[float], pairs: int
) -> Iterator[Figure]:
    """Counts bots that are told apart and stand in TrueSkill's order as they truly do."""
    agreed: list[bool] = []
    both: list[bool] = []
    pairings = list(combinations(range(len(strengths)), 2))
    for _ in range(_GAMES // (2 * pairs * len(pairings))):
        won = np.stack(
            [
                simulated_games(generator, strengths[one] - strengths[two], pairs)
                for one, two in pairings
            ]
        )
        tally = Tally(RatingSettings())
        for deal in range(pairs):
            for number, ends in enumerate(pairings):
                for first_won in won[number, :, deal]:
                    winner, loser = ends if first_won else ends[::-1]
                    tally.add((deal, number), winner, loser, fault=False)
        counts = [np.bincount(games.sum(axis=0), minlength=3).tolist() for games in won]
        table = {ends: PairSums(*sums) for ends, sums in zip(pairings, counts, strict=True)}
        ratings = fit(table)
        for one, two in pairings:
            apart = ratings.difference(one, two)
            if apart is not None and apart.beyond_doubt:
                above, below = tally.lines[one], tally.lines[two]
                bounds = above.mu - 3 * above.sigma, below.mu - 3 * below.sigma
                right = (bounds[0] > bounds[1]) == (strengths[one] > strengths[two])
                agreed.append(right)
                if abs(above.mu - below.mu) > 1.96 * np.hypot(above.sigma, below.sigma):
                    both.append(right)
    name = "30 Elo apart" if strengths == EVEN else "unevenly"
    name = f"10 bots {name}, {pairs} pairs: TrueSkill agrees"
    yield Figure(name, 100 * fmean(agreed), "%", least=95)
    yield Figure("   where it is sure itself", 100 * fmean(both), "%", least=99)


def trueskill(size: float) -> Iterator[Figure]:
    """Counts at three lengths of a round robin, of two sets of bots."""
    generator = np.random.default_rng(17)
    del size  # a tournament is counted whole
    for strengths in (EVEN, UNEVEN):
        for pairs in (20, 100, 400):
            yield from _agreement(generator, strengths, pairs)
