"""How often the sequential test is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from figures import Figure

from californiajack_referee.statistics.simulated import MEASURED_CORRELATION
from californiajack_referee.statistics.sprt import SprtSettings
from californiajack_referee.statistics.trials import sprt_trials

if TYPE_CHECKING:
    from collections.abc import Iterator

_CASES = (
    (SprtSettings(0, 10), 10, MEASURED_CORRELATION),
    (SprtSettings(-5, 5), 25, MEASURED_CORRELATION),
    (SprtSettings(0, 50), 1, MEASURED_CORRELATION),
    (SprtSettings(0, 50), 20, 0.5),
    (SprtSettings(0, 100, 0.1, 0.1), 1, 0.0),
)
"""What is tested, pairs from look to look, and the cards' part of the luck."""


def figures(size: float) -> Iterator[Figure]:
    """Counts the errors of both kinds, at the differences they are promised for."""
    tests = round(2000 * size)
    for settings, every, correlation in _CASES:
        name = (
            f"elo {settings.elo0:.0f} to {settings.elo1:.0f}, every {every}, "
            f"cards {100 * correlation:.0f} %: "
        )
        for difference in (settings.elo0, settings.elo1):
            found = sprt_trials(
                difference, settings, tests, every=every, correlation=correlation, seed=every
            )
            if difference == settings.elo0:
                part, text, most = found.better, "false positives", settings.alpha
            else:
                part, text, most = found.not_better, "false negatives", settings.beta
            yield Figure(name + text, 100 * part, "%", most=100 * most)
            yield Figure("   its mean length", found.mean_pairs, "pairs")
