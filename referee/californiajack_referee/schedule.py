"""The schedule of a round robin: which pairings, which deals, which seats. Pure.

Every game has its id before the first one is played; what is still to play is the difference
between the schedule and what is stored.
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


def seated(pairing: tuple[int, int], seating: int) -> tuple[int, int]:
    """Gives the entrants' places by seat."""
    first, second = pairing
    return (second, first) if seating else (first, second)


def legs(entrants: int) -> tuple[Leg, ...]:
    """Gives every pairing in both seatings, in order."""
    return tuple(Leg(p, s) for p in range(len(pairings(entrants))) for s in SEATINGS)


def game_total(entrants: int, pairs: int) -> int:
    """Counts the games of a round robin."""
    return len(SEATINGS) * pairing_total(entrants) * pairs


def fixtures(tournament: str, entrants: int, pairs: int) -> Iterator[GameId]:
    """Gives every game of a round robin once, in canonical order: deal, pairing, seating."""
    for deal in range(pairs):
        for leg in legs(entrants):
            yield GameId(tournament, leg.pairing, deal, leg.seating)


def missing_deals(
    entrants: int, pairs: int, finished: Mapping[Leg, Collection[int]]
) -> dict[Leg, tuple[int, ...]]:
    """Gives the deals that each leg has still to play, ascending; none where it is finished.

    Args:
        entrants: how many play.
        pairs: pairs a pairing; each leg plays the deals 0 to pairs - 1.
        finished: the deals that have a result.
    """
    return {
        leg: tuple(deal for deal in range(pairs) if deal not in finished.get(leg, ()))
        for leg in legs(entrants)
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
    entrants: int,
    pairs: int,
    finished: Mapping[Leg, Collection[int]],
    longest: int = LONGEST_BLOCK,
) -> list[Block]:
    """Gives all that is missing of a round robin as blocks, in the order to play them."""
    missing = missing_deals(entrants, pairs, finished)
    return sorted(block for leg, deals in missing.items() for block in blocks(leg, deals, longest))
