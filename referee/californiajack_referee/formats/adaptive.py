"""The adaptive format: games go where they settle the order soonest. Pure.

A short round robin comes first. What is worth playing after it is decided by
`californiajack_referee.statistics.adaptive`, from the pairs that have been played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from californiajack_referee.formats.stage import Stage, more_of, sums_of
from californiajack_referee.schedule import pairing_number, pairing_total, pairings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from californiajack_referee.formats.stage import Played
    from californiajack_referee.league.format import Adaptive
    from californiajack_referee.statistics.adaptive import AdaptiveDecision, AdaptiveSettings
    from californiajack_referee.values import PairSums

_PART = 10


class AdaptiveOrder:
    """The decider of an adaptive tournament.

    It decides anew after each step, and after each tenth of what has been played where that is
    more: every step costs the start of bots. The bound that it decides by holds at any time, so how
    often it looks changes nothing about how sure it is.

    Args:
        settings: how sure it is to be, and how many games it may play.
        entrants: how many bots play.
        pairs: pairs that a pairing plays at most.

    Attributes:
        decision: where the order stood when it last looked; None in the round robin.
    """

    def __init__(self, settings: Adaptive, entrants: int, pairs: int) -> None:
        self._settings = settings
        self._entrants = entrants
        self._most = pairs
        self._left = settings.games // 2
        self._upto: dict[int, int] = {}
        self._table: dict[tuple[int, int], PairSums] = {}
        self._statistics: AdaptiveSettings | None = None
        self.decision: AdaptiveDecision | None = None

    def next(self, played: Played) -> Stage | None:
        """Gives the next pairs; None when the order is settled or the budget is spent."""
        if not self._upto:
            start = self._settings.start_pairs
            return self._stage("round robin", dict.fromkeys(pairings(self._entrants), start))
        from californiajack_referee.statistics.adaptive import decide  # noqa: PLC0415 - brings scipy

        self._table = self._counted(played)
        self._statistics = self._statistics_now()
        self.decision = decide(self._table, range(self._entrants), self._statistics)
        wanted = self._affordable(self.decision.next_pairs)
        return self._stage(self._words(self.decision), wanted) if wanted else None

    def _statistics_now(self) -> AdaptiveSettings:
        from californiajack_referee.statistics.adaptive import (  # noqa: PLC0415 - brings scipy
            AdaptiveSettings,
        )

        return AdaptiveSettings(
            certainty=self._settings.certainty,
            opening=self._settings.start_pairs,
            step=max(self._settings.step_pairs, sum(self._upto.values()) // _PART),
        )

    def _affordable(self, wanted: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
        left = self._left
        affordable = {}
        for places, pairs in wanted.items():
            number = pairing_number(self._entrants, *places)
            more = min(pairs, left, self._most - self._upto.get(number, 0))
            if more:
                affordable[places] = more
                left -= more
        return affordable

    def _stage(self, name: str, wanted: Mapping[tuple[int, int], int]) -> Stage:
        deals = {}
        for (first, second), pairs in wanted.items():
            number = pairing_number(self._entrants, first, second)
            deals[number] = more_of(self._upto, number, pairs)
            self._left -= pairs
        return Stage(name, deals)

    def _words(self, decision: AdaptiveDecision) -> str:
        settled = sum(found.settled for found in decision.separations)
        return f"{settled} of {len(decision.separations)} neighbours told apart"

    def _counted(self, played: Played) -> dict[tuple[int, int], PairSums]:
        places = pairings(self._entrants)
        return {
            places[number]: sums_of(played, number, range(upto))
            for number, upto in sorted(self._upto.items())
        }

    def round_robin_games(self) -> int | None:
        """Estimates how many games a plain round robin would have needed for the same order.

        Returns:
            None as long as nothing is decided, or where two neighbours stand at the same.
        """
        if self.decision is None:
            return None
        from californiajack_referee.statistics.adaptive import (  # noqa: PLC0415 - brings scipy
            round_robin_pairs,
        )

        pairs = round_robin_pairs(self._table, self._statistics)
        return None if pairs is None else 2 * pairs * pairing_total(self._entrants)
