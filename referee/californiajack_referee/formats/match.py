"""A match of two bots: a sequential test on their pairs, or a fixed number of them. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from californiajack_referee.formats.stage import Stage
from californiajack_referee.statistics.sprt import SprtDecision, SprtSettings, SprtState, sprt
from californiajack_referee.values import PairSums

if TYPE_CHECKING:
    from californiajack_referee.formats.stage import Played
    from californiajack_referee.league.format import Match

_ONLY = 0
"""The number of the only pairing."""
_FEWEST_PAIRS = 50
_PART = 8


class MatchTest:
    """The decider of a match: its first bot is tested against the second.

    The test is looked at when all pairs of a stage have been played: after 50, then each time after
    an eighth more. Looking less often than after each pair makes no kind of error likelier.

    Args:
        settings: what is tested, if anything is.
        entrants: 2.
        pairs: how many pairs are played; at most, where there is a test.
    """

    def __init__(self, settings: Match, entrants: int, pairs: int) -> None:
        del entrants
        self.settings = settings
        self._pairs = pairs
        self._wanted = 0

    def next(self, played: Played) -> Stage | None:
        """Gives the pairs up to the next look; None when it is decided, or all are played."""
        start = self._wanted
        if start == self._pairs:
            return None
        if not self.settings.sequential:
            self._wanted = self._pairs
            return Stage("match", {_ONLY: range(start, self._pairs)})
        if start and self.state(played).decision is not SprtDecision.UNDECIDED:
            return None
        self._wanted = min(start + max(_FEWEST_PAIRS, start // _PART), self._pairs)
        return Stage(f"{self._wanted} pairs", {_ONLY: range(start, self._wanted)})

    def sums(self, played: Played) -> PairSums:
        """Counts the pairs that are wanted and have been played, as the first bot sees them."""
        counts = [0, 0, 0]
        for deal, won in played.get(_ONLY, {}).items():
            if deal < self._wanted:
                counts[won] += 1
        return PairSums(*counts)

    def state(self, played: Played) -> SprtState:
        """Tells where the test stands."""
        return sprt(self.sums(played), sprt_settings(self.settings))

    def note(self, played: Played) -> str:
        """Says how near a decision is; nothing where there is no test."""
        if not self.settings.sequential:
            return ""
        state = self.state(played)
        return f"LLR {state.ratio:.2f} of {state.lower:.2f} to {state.upper:.2f}"


def sprt_settings(settings: Match) -> SprtSettings:
    """Gives what a match tests.

    Raises:
        InputError: the settings make no test.
    """
    return SprtSettings(settings.elo0, settings.elo1, settings.alpha, settings.beta)
