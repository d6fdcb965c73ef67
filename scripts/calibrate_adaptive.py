"""What an adaptive tournament costs, and how often the order it stops at is the true one."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np
from calibrate_intervals import UNEVEN
from figures import Figure

from californiajack_referee.statistics.adaptive import round_robin_pairs
from californiajack_referee.statistics.trials import play_adaptive, play_round_robin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from californiajack_referee.statistics.trials import Played

EVEN = tuple(range(0, 300, 30))
"""Ten bots 30 Elo points apart."""
_RUNS = 200


def _right(strengths: Sequence[float], played: Sequence[Played]) -> float:
    truth = tuple(np.argsort(-np.array(strengths), kind="stable").tolist())
    return 100 * fmean(run.decision.settled and run.decision.order == truth for run in played)


def _compare(size: float, strengths: Sequence[float], most: float) -> Iterator[Figure]:
    generator = np.random.default_rng(11)
    runs = round(_RUNS * size)
    adaptive = [play_adaptive(generator, strengths) for _ in range(runs)]
    whole = [play_round_robin(generator, strengths) for _ in range(runs)]
    pairs, needed = (fmean(run.pairs for run in played) for played in (adaptive, whole))
    pairings = len(strengths) * (len(strengths) - 1) // 2
    guesses = [round_robin_pairs(run.table) or 0 for run in adaptive]
    yield Figure("adaptive", 2 * pairs, "games")
    yield Figure("round robin", 2 * needed, "games")
    yield Figure("   adaptive over round robin", pairs / needed, "times", most=most)
    yield Figure(
        "   round robin as foreseen by adaptive", fmean(guesses) * pairings / needed, "times"
    )
    yield Figure("adaptive: the order is the true one", _right(strengths, adaptive), "%", least=95)
    yield Figure("round robin: the order is the true one", _right(strengths, whole), "%", least=95)


def even(size: float) -> Iterator[Figure]:
    """Ten bots that stand 30 Elo points apart."""
    yield from _compare(size, EVEN, 0.45)


def uneven(size: float) -> Iterator[Figure]:
    """Ten bots that stand unevenly."""
    yield from _compare(size, UNEVEN, 0.15)


def equal(size: float) -> Iterator[Figure]:
    """Bots of which some are equal: they may hardly ever be told apart, however often."""
    generator = np.random.default_rng(13)
    runs = round(_RUNS * size)
    for strengths in ((0.0, 0.0), (0.0, 0.0, 300.0)):
        settled = sum(
            play_adaptive(generator, strengths, most_pairs=2500).decision.settled
            for _ in range(runs)
        )
        name = f"{len(strengths)} bots, two of them equal: settled within 5,000 games"
        yield Figure(name, 100 * settled / runs, "%", most=5)
