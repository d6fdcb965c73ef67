"""Sums of pairs as arrays, a pairing a place, always in the same order. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from californiajack_referee.values import PairSums

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

PSEUDO_PAIRS = 0.5
"""Pseudo-pairs a bot, half of them won and half lost, that keep every rating finite."""
FEWEST_PSEUDO_PAIRS = 0.02
"""Pseudo-pairs that every pairing has at least."""


@dataclass(frozen=True, slots=True)
class PairTable:
    """What is known of each pairing that has pairs. Bots go by their places in `bots`."""

    bots: tuple[int, ...]
    """The bots' numbers, ascending."""
    first: NDArray[np.intp]
    """The place of each pairing's first bot, which is the lower one; shape (pairings,)."""
    second: NDArray[np.intp]
    """The place of its second bot; shape (pairings,)."""
    lost: NDArray[np.float64]
    """Pairs that the first bot lost; shape (pairings,)."""
    split: NDArray[np.float64]
    """Pairs that were split; shape (pairings,)."""
    won: NDArray[np.float64]
    """Pairs that the first bot won; shape (pairings,)."""

    @property
    def pairs(self) -> NDArray[np.float64]:
        """Pairs of each pairing; shape (pairings,)."""
        return self.lost + self.split + self.won

    def of_bots(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Adds up a value a pairing for each bot; shape (bots,)."""
        count = len(self.bots)
        return np.asarray(
            np.bincount(self.first, values, count) + np.bincount(self.second, values, count),
            dtype=np.float64,
        )

    def pseudo_pairs(self) -> NDArray[np.float64]:
        """Spreads every bot's pseudo-pairs over its pairings as its pairs are; shape (pairings,).

        Half of them are won and half are lost. They weigh as much whether a bot has played five
        pairs or five thousand, so they only count where there is little else.
        """
        pairs = self.pairs
        whole = self.of_bots(pairs)
        spread = PSEUDO_PAIRS * pairs * (1 / whole[self.first] + 1 / whole[self.second])
        return np.maximum(spread, FEWEST_PSEUDO_PAIRS)


def one_way_round(table: Mapping[tuple[int, int], PairSums]) -> dict[tuple[int, int], PairSums]:
    """Gives every pairing once, the lower number first, in ascending order.

    Args:
        table: pairs by the numbers of bot and opponent, either way round; where a pairing is
            there both ways, both are added up.

    Raises:
        ValueError: a bot is its own opponent, or a number of pairs is below 0.
    """
    found: dict[tuple[int, int], PairSums] = {}
    for (bot, opponent), sums in table.items():
        if bot == opponent:
            raise ValueError(f"expected pairs of two bots, found pairs of {bot} against itself")
        if min(sums.lost, sums.split, sums.won) < 0:
            raise ValueError(f"expected counts of pairs, found {sums} for {bot} and {opponent}")
        key, seen = (bot, opponent), sums
        if bot > opponent:
            key, seen = (opponent, bot), sums.mirrored()
        found[key] = found.get(key, PairSums()).plus(seen)
    return {key: found[key] for key in sorted(found)}


def pair_table(table: Mapping[tuple[int, int], PairSums], bots: Iterable[int] = ()) -> PairTable:
    """Makes arrays of sums of pairs; pairings without a pair are left out.

    Args:
        table: pairs by the numbers of bot and opponent, each pairing once, either way round.
        bots: the numbers of bots that are to be there even without a pair.
    """
    rows = {key: sums for key, sums in one_way_round(table).items() if sums.pairs}
    numbers = tuple(sorted({*bots, *(bot for key in table for bot in key)}))
    place = {bot: at for at, bot in enumerate(numbers)}
    return PairTable(
        bots=numbers,
        first=np.array([place[first] for first, _ in rows], dtype=np.intp),
        second=np.array([place[second] for _, second in rows], dtype=np.intp),
        lost=np.array([sums.lost for sums in rows.values()], dtype=np.float64),
        split=np.array([sums.split for sums in rows.values()], dtype=np.float64),
        won=np.array([sums.won for sums in rows.values()], dtype=np.float64),
    )


def part_of(table: PairTable, places: NDArray[np.intp]) -> PairTable:
    """Gives the part of a table that is of some bots, which have no pairing with any other.

    Args:
        table: all pairings.
        places: the places of the bots, ascending.
    """
    renumbered = np.full(len(table.bots), -1, dtype=np.intp)
    renumbered[places] = np.arange(len(places))
    inside = renumbered[table.first] >= 0
    return PairTable(
        bots=tuple(table.bots[at] for at in places),
        first=renumbered[table.first[inside]],
        second=renumbered[table.second[inside]],
        lost=table.lost[inside],
        split=table.split[inside],
        won=table.won[inside],
    )
