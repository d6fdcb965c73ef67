"""The Elo scale: 400 points are odds of ten to one. Pure.

The score of a bot against another one is expected to be 1 / (1 + 10^(-d / 400)) where it stands d
above it (A. Elo, "The Rating of Chessplayers, Past and Present", 1978, section 8.4).
"""

from __future__ import annotations

import math

ELO_A_LOGIT = 400 / math.log(10)
"""Elo points a unit of the natural logarithm of the odds."""


def expected_score(difference: float) -> float:
    """Gives the score, 0 to 1, that is expected of a bot that stands `difference` Elo above."""
    # written so that no exponential overflows
    tail = math.exp(-abs(difference) / ELO_A_LOGIT)
    return 1 / (1 + tail) if difference >= 0 else tail / (1 + tail)


def elo_of_score(score: float) -> float:
    """Gives how many Elo points above its opponent a bot stands that is expected to score this.

    Args:
        score: above 0 and below 1.
    """
    return ELO_A_LOGIT * math.log(score / (1 - score))
