"""TrueSkill's update for a game of two, in closed form. Pure.

The factor graph of a game of two players without a draw has one truncated factor and no loops, so
the messages meet after one pass, and the update can be written down (Herbrich, Minka, Graepel,
"TrueSkill: A Bayesian Skill Rating System", NIPS 2006, section 3 and table 1)::

    c² = 2 beta² + sigma_w² + sigma_l²,  x = (mu_w - mu_l - margin) / c
    v = pdf(x) / cdf(x),  w = v (v + x)
    mu_w += v sigma_w² / c,  mu_l -= v sigma_l² / c,  sigma² *= 1 - w sigma² / c²

with both variances grown by tau² beforehand. Building the graph takes 100 times as long.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import trueskill

if TYPE_CHECKING:
    from californiajack_referee.league.stored import RatingSettings

PACKAGE_VERSION = str(trueskill.__version__)
"""The version of the package whose numbers these are."""


def environment_of(settings: RatingSettings) -> trueskill.TrueSkill:
    """Gives the settings as the package's own environment; its global one stays as it is."""
    return trueskill.TrueSkill(
        mu=settings.mu,
        sigma=settings.sigma,
        beta=settings.beta,
        tau=settings.tau,
        draw_probability=settings.draw_probability,
    )


class TwoPlayerUpdate:
    """Gives the ratings of a winner and a loser after their game.

    They are those of the package's ``rate_1vs1`` but for rounding. Where that gives up with a
    `FloatingPointError`, as the players are some 38 c apart, these are the limits: an expected
    result moves no mean, and an upset moves both to where it is none.

    Args:
        settings: the parameters of TrueSkill.
    """

    __slots__ = ("_margin", "_noise", "_tau2", "_v")

    def __init__(self, settings: RatingSettings) -> None:
        environment = environment_of(settings)
        # the package's normal distribution is an approximation, good to 1e-7: with a better one
        # the numbers would be others
        self._v = environment.v_win
        self._margin = float(
            trueskill.calc_draw_margin(settings.draw_probability, 2, env=environment)
        )
        self._noise = 2 * settings.beta**2
        self._tau2 = settings.tau**2

    def __call__(
        self, mu_won: float, sigma_won: float, mu_lost: float, sigma_lost: float
    ) -> tuple[float, float, float, float]:
        """Gives the winner's new mean and deviation, then the loser's."""
        variance_won = sigma_won * sigma_won + self._tau2
        variance_lost = sigma_lost * sigma_lost + self._tau2
        c2 = self._noise + variance_won + variance_lost
        c = sqrt(c2)
        apart, margin = (mu_won - mu_lost) / c, self._margin / c
        x = apart - margin
        v = self._v(apart, margin)
        w = v * (v + x)
        if not 0 < w < 1:
            w = 0.0 if x > 0 else 1.0
        return (
            mu_won + variance_won / c * v,
            sqrt(variance_won * (1 - variance_won / c2 * w)),
            mu_lost - variance_lost / c * v,
            sqrt(variance_lost * (1 - variance_lost / c2 * w)),
        )
