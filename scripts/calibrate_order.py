"""How far TrueSkill's order goes with the true one where the ratings by pairs are sure."""

from __future__ import annotations

from itertools import combinations
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


def _agreement(generator: np.random.Generator, strengths: Sequence[float], pairs: int) -> Figure:
    """Counts bots that are told apart and stand in TrueSkill's order as they truly do."""
    sure = agreed = 0
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
        counts = [np.bincount(both.sum(axis=0), minlength=3).tolist() for both in won]
        table = {ends: PairSums(*sums) for ends, sums in zip(pairings, counts, strict=True)}
        ratings = fit(table)
        bounds = {bot: line.mu - 3 * line.sigma for bot, line in tally.lines.items()}
        for one, two in pairings:
            apart = ratings.difference(one, two)
            if apart is not None and apart.beyond_doubt:
                sure += 1
                agreed += (bounds[one] > bounds[two]) == (strengths[one] > strengths[two])
    name = "30 Elo apart" if strengths == EVEN else "unevenly"
    return Figure(
        f"10 bots {name}, {pairs} pairs: TrueSkill agrees", 100 * agreed / sure, "%", least=95
    )


def trueskill(size: float) -> Iterator[Figure]:
    """Counts at three lengths of a round robin, of two sets of bots."""
    generator = np.random.default_rng(17)
    del size  # a tournament is counted whole
    for strengths in (EVEN, UNEVEN):
        for pairs in (20, 100, 400):
            yield _agreement(generator, strengths, pairs)
