"""Tournaments of simulated players, to see how often a method is right and what it costs. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from californiajack_referee.statistics.adaptive import AdaptiveDecision, AdaptiveSettings, decide
from californiajack_referee.statistics.elo import fit
from californiajack_referee.statistics.simulated import (
    MEASURED_CORRELATION,
    outcome_shares,
    simulated_table,
)
from californiajack_referee.statistics.sprt import SprtDecision, SprtSettings, sprt
from californiajack_referee.values import PairSums

if TYPE_CHECKING:
    from collections.abc import Sequence

_LOOKS_APART = 40


@dataclass(frozen=True, slots=True)
class Coverage:
    """How often 95 % intervals held the truth, as parts of all that were looked at."""

    ratings: float
    """Intervals of single bots' ratings."""
    neighbours: float
    """Intervals of the difference of bots that truly are neighbours."""


def coverage(
    strengths: Sequence[float],
    pairs: int,
    tournaments: int,
    *,
    correlation: float = MEASURED_CORRELATION,
    seed: int = 0,
) -> Coverage:
    """Counts how often the intervals of Elo ratings hold the truth in simulated round robins.

    Args:
        strengths: the bots' strengths in Elo points, two or more.
        pairs: pairs a pairing.
        tournaments: how many tournaments.
        correlation: the cards' part of the luck.
        seed: of all chance.
    """
    generator = np.random.default_rng(seed)
    truth = np.array(strengths) - np.mean(strengths)
    order = np.argsort(truth, kind="stable").tolist()
    held = apart = 0
    for _ in range(tournaments):
        found = fit(simulated_table(generator, strengths, pairs, correlation))
        for line in found.ratings.values():
            low, high = line.low, line.high
            held += low is not None and high is not None and low <= truth[line.bot] <= high
        for lower, upper in pairwise(order):
            step = found.difference(upper, lower)
            apart += step is not None and step.low <= truth[upper] - truth[lower] <= step.high
    bots = len(strengths)
    return Coverage(held / (tournaments * bots), apart / (tournaments * (bots - 1)))


@dataclass(frozen=True, slots=True)
class SprtTrials:
    """What sequential tests of one true difference came to, as parts of all tests."""

    better: float
    """Those that decided for `elo1`."""
    not_better: float
    """Those that decided for `elo0`."""
    mean_pairs: float
    """Pairs a test took."""


def sprt_trials(  # noqa: PLR0913 - options, each by its name
    difference: float,
    settings: SprtSettings,
    tests: int,
    *,
    every: int = 10,
    most_looks: int = 2000,
    correlation: float = MEASURED_CORRELATION,
    seed: int = 0,
) -> SprtTrials:
    """Runs sequential tests between simulated players.

    Args:
        difference: by how many Elo points the first player truly stands above the other.
        settings: what is tested.
        tests: how many tests.
        every: pairs from one look to the next.
        most_looks: looks after which a test stops undecided.
        correlation: the cards' part of the luck.
        seed: of all chance.
    """
    generator = np.random.default_rng(seed)
    shares = outcome_shares(difference, correlation)
    decided = dict.fromkeys(SprtDecision, 0)
    total = 0
    for _ in range(tests):
        seen = generator.multinomial(every, shares, size=most_looks).cumsum(axis=0)
        for counts in seen:
            state = sprt(PairSums(*counts.tolist()), settings)
            if state.decision is not SprtDecision.UNDECIDED:
                break
        decided[state.decision] += 1
        total += state.pairs
    return SprtTrials(
        decided[SprtDecision.BETTER] / tests,
        decided[SprtDecision.NOT_BETTER] / tests,
        total / tests,
    )


@dataclass(frozen=True, slots=True)
class Played:
    """A simulated tournament that went on until its order was settled, or too long."""

    table: dict[tuple[int, int], PairSums]
    """All its pairs."""
    decision: AdaptiveDecision
    """The last decision."""

    @property
    def pairs(self) -> int:
        """How many pairs it took."""
        return sum(sums.pairs for sums in self.table.values())


def play_adaptive(
    generator: np.random.Generator,
    strengths: Sequence[float],
    settings: AdaptiveSettings | None = None,
    *,
    correlation: float = MEASURED_CORRELATION,
    most_pairs: int = 1_000_000,
) -> Played:
    """Plays an adaptive tournament of simulated players.

    Args:
        generator: where chance comes from.
        strengths: the bots' strengths in Elo points, two or more.
        settings: how it is played.
        correlation: the cards' part of the luck.
        most_pairs: pairs after which it stops unsettled.
    """
    table: dict[tuple[int, int], PairSums] = {}
    bots, played = range(len(strengths)), 0
    while True:
        decision = decide(table, bots, settings)
        if decision.settled or played >= most_pairs:
            return Played(table, decision)
        _add(table, simulated_table(generator, strengths, decision.next_pairs, correlation))
        played += sum(decision.next_pairs.values())


def play_round_robin(
    generator: np.random.Generator,
    strengths: Sequence[float],
    settings: AdaptiveSettings | None = None,
    *,
    correlation: float = MEASURED_CORRELATION,
    most_pairs: int = 1_000_000,
) -> Played:
    """Plays a round robin of simulated players that is stopped by the rule of the adaptive one.

    It is looked at after the opening, then whenever every pairing has a fortieth more pairs.

    Args:
        generator: where chance comes from.
        strengths: the bots' strengths in Elo points, two or more.
        settings: the certainty to stop at, and the opening.
        correlation: the cards' part of the luck.
        most_pairs: pairs after which it stops unsettled.
    """
    settings = settings or AdaptiveSettings()
    table: dict[tuple[int, int], PairSums] = {}
    bots, rounds, more = range(len(strengths)), 0, settings.opening
    while True:
        _add(table, simulated_table(generator, strengths, more, correlation))
        rounds += more
        decision = decide(table, bots, settings)
        if decision.settled or rounds * len(table) >= most_pairs:
            return Played(table, decision)
        more = max(1, rounds // _LOOKS_APART)


def _add(table: dict[tuple[int, int], PairSums], more: dict[tuple[int, int], PairSums]) -> None:
    for key, sums in more.items():
        table[key] = table.get(key, PairSums()).plus(sums)
