"""Which pairs to play next, so that the order of all bots is settled soonest. Pure.

After a short round robin, pairs go where they help the two neighbours that are furthest from being
told apart. As they are looked at again and again, plain intervals would be wrong too often: two
neighbours are told apart by one of two bounds that hold at all looks together (`anytime`), one on
their difference as all pairs give it, the other on the pairs that they played against each other.
What may be wrong is shared out evenly among all neighbours, both bounds and, as bots that are equal
may be put either way round, both ways.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from californiajack import InputError
from californiajack_referee.statistics.bradley_terry import fit_group
from californiajack_referee.statistics.outlook import Outlook, Separation
from californiajack_referee.statistics.pairings import one_way_round, pair_table
from californiajack_referee.values import PairSums

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class AdaptiveSettings:
    """How an adaptive tournament is played.

    Raises:
        InputError: the settings make no tournament.
    """

    certainty: float = 0.95
    """How often the whole order it stops at is the true one; from ½ and below 1."""
    opening: int = 10
    """Pairs that every pairing plays first, 1 or more."""
    step: int = 20
    """Pairs from one decision to the next, 1 or more."""

    def __post_init__(self) -> None:
        if not 0.5 <= self.certainty < 1:  # noqa: PLR2004 - half
            raise InputError(
                f"adaptive tournament: expected a certainty from 0.5 and below 1, such as 0.95, "
                f"got {self.certainty:g}"
            )
        for name, value in (("opening", self.opening), ("step", self.step)):
            if value < 1:
                raise InputError(
                    f"adaptive tournament: expected 1 pair or more for the {name}, got {value}"
                )


@dataclass(frozen=True, slots=True)
class AdaptiveDecision:
    """Where an adaptive tournament stands, and what it plays next."""

    order: tuple[int, ...]
    """The bots' numbers, best first; by number as long as the opening isn't over."""
    separations: tuple[Separation, ...]
    """All neighbours in this order; empty as long as the opening isn't over."""
    next_pairs: dict[tuple[int, int], int]
    """How many pairs more each pairing plays, by its bots' numbers, the lower one first; empty
    where all is settled."""

    @property
    def settled(self) -> bool:
        """Whether all neighbours are told apart."""
        return not self.next_pairs


def decide(
    table: Mapping[tuple[int, int], PairSums],
    bots: Sequence[int],
    settings: AdaptiveSettings | None = None,
) -> AdaptiveDecision:
    """Decides what to play next, from nothing but the pairs that have been played.

    Args:
        table: the whole pairs of the tournament by the numbers of bot and opponent; those of other
            bots are left out.
        bots: the numbers of all bots, two or more.
        settings: how the tournament is played.
    """
    settings = settings or AdaptiveSettings()
    order = tuple(sorted(bots))
    played = {ends: sums for ends, sums in one_way_round(table).items() if {*ends} <= {*order}}
    missing = {
        key: settings.opening - found
        for key in combinations(order, 2)
        if (found := played.get(key, PairSums()).pairs) < settings.opening
    }
    if missing or len(order) <= 1:
        return AdaptiveDecision(order, (), missing)
    pairs = pair_table(played)
    outlook = Outlook(pairs, fit_group(pairs), settings.certainty)
    separations = outlook.separations()
    settled = all(step.settled for step in separations)
    more = {} if settled else outlook.plan(settings.step)
    return AdaptiveDecision(outlook.order, separations, more)


def round_robin_pairs(
    table: Mapping[tuple[int, int], PairSums],
    settings: AdaptiveSettings | None = None,
) -> int | None:
    """Estimates how many pairs a pairing a plain round robin needs to settle the same order.

    The strengths and the spread of pairs are taken as the fit of all pairs gives them. It is the
    least number of pairs of every pairing with which all neighbours pass one of the same two
    bounds, if all goes on as it was found. A real one may need more or fewer: it is as hard to
    foresee as the differences are known.

    Args:
        table: the whole pairs of the tournament, of all its pairings.
        settings: how the tournament is played.

    Returns:
        Pairs a pairing; None for less than two bots, where two neighbours stand at the same or so
        close that a thousand million pairs wouldn't do, or where two bots have no pair with each
        other.
    """
    settings = settings or AdaptiveSettings()
    pairs = pair_table(table)
    bots = len(pairs.bots)
    if bots <= 1 or len(pairs.first) < bots * (bots - 1) // 2:
        return None
    outlook = Outlook(pairs, fit_group(pairs), settings.certainty)
    return outlook.round_robin()


__all__ = ["AdaptiveDecision", "AdaptiveSettings", "Separation", "decide", "round_robin_pairs"]
