"""The schedule: which pairings, which deals, which seats. Pure.

Every game has its id before it is played, and its pairing's number is that of a round robin,
whatever the format; what is still to play is the difference between what is wanted and what is
stored.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from californiajack_referee.values import GameId

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

SEATINGS = (0, 1)
"""The two games of a pair: the pairing's first bot in seat 0, then in seat 1."""
LONGEST_BLOCK = 2000
"""The most deals that one series is asked to play; its time budget is the usual end of it."""


class Leg(NamedTuple):
    """One pairing in one seating: half of each of its pairs."""

    pairing: int
    """The pairing's number, from 0."""
    seating: int
    """0 where the pairing's first bot has seat 0, 1 where it has seat 1."""


class Block(NamedTuple):
    """Deals of one leg, for one series to play.

    Blocks compare by their first deal, then their pairing and seating: the order in which they
    are played, so that all pairings get on evenly.
    """

    deals: tuple[int, ...]
    """The deals, ascending, at least one."""
    leg: Leg
    """The pairing and the seating."""


def pairings(entrants: int) -> tuple[tuple[int, int], ...]:
    """Gives the pairings of a round robin by their numbers, as pairs of entrants' places.

    Args:
        entrants: how many play; each meets each other one in one pairing.
    """
    return tuple(combinations(range(entrants), 2))


def pairing_total(entrants: int) -> int:
    """Counts the pairings of a round robin."""
    return entrants * (entrants - 1) // 2


def pairing_number(entrants: int, first: int, second: int) -> int:
    """Gives the number of the pairing of two places, the lower one first."""
    return first * (2 * entrants - first - 1) // 2 + second - first - 1


def seated(pairing: tuple[int, int], seating: int) -> tuple[int, int]:
    """Gives the entrants' places by seat."""
    first, second = pairing
    return (second, first) if seating else (first, second)


def legs(entrants: int) -> tuple[Leg, ...]:
    """Gives every pairing in both seatings, in order."""
    return tuple(Leg(p, s) for p in range(len(pairings(entrants))) for s in SEATINGS)


def fixtures(tournament: str, entrants: int, pairs: int) -> Iterator[GameId]:
    """Gives every game of a round robin once, in canonical order: deal, pairing, seating."""
    for deal in range(pairs):
        for leg in legs(entrants):
            yield GameId(tournament, leg.pairing, deal, leg.seating)


def missing_deals(
    wanted: Mapping[int, Iterable[int]], finished: Mapping[Leg, Collection[int]]
) -> dict[Leg, tuple[int, ...]]:
    """Gives the deals that each leg has still to play, ascending; none where it is finished.

    Args:
        wanted: the deals that each pairing is to play, ascending.
        finished: the deals that have a result.
    """
    return {
        leg: tuple(deal for deal in deals if deal not in finished.get(leg, ()))
        for pairing, deals in sorted(wanted.items())
        for leg in (Leg(pairing, seating) for seating in SEATINGS)
    }


def blocks(leg: Leg, deals: Iterable[int], longest: int = LONGEST_BLOCK) -> tuple[Block, ...]:
    """Cuts the deals of one leg into blocks of at most `longest` deals.

    A block never mixes legs, so the two games of a pair are never in the same series: a process
    that has played a deal from one seat knows the other hand and the whole stock.
    """
    ordered = sorted(deals)
    return tuple(
        Block(tuple(ordered[start : start + longest]), leg)
        for start in range(0, len(ordered), longest)
    )


def blocks_to_play(
    wanted: Mapping[int, Iterable[int]],
    finished: Mapping[Leg, Collection[int]],
    longest: int = LONGEST_BLOCK,
) -> list[Block]:
    """Gives all that is missing of what is wanted as blocks, in the order to play them.

    Args:
        wanted: the deals that each pairing is to play, ascending.
        finished: the deals that have a result.
        longest: the most deals of a block.
    """
    missing = missing_deals(wanted, finished)
    return sorted(block for leg, deals in missing.items() for block in blocks(leg, deals, longest))


def round_robin(entrants: int, pairs: int) -> dict[int, range]:
    """Gives what a round robin wants: the same deals of every pairing."""
    return dict.fromkeys(range(pairing_total(entrants)), range(pairs))
