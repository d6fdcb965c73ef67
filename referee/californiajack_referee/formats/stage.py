"""Stages: the deals that a format wants played before it decides how to go on. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Protocol, runtime_checkable

from californiajack_referee.values import PairSums

Played = Mapping[int, Mapping[int, int]]
"""The whole pairs that have been played: by pairing and deal, how many of the two games the
pairing's first bot has won, 0 to 2."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Deals that are wanted, all at once and in any order; each in both seatings."""

    name: str
    """What it is called, such as ``round 2 of 4``."""
    deals: Mapping[int, range]
    """The deals by pairing; they go on where an earlier stage's of this pairing end."""

    @property
    def pairs(self) -> int:
        """How many pairs it has."""
        return sum(map(len, self.deals.values()))


class Decider(Protocol):
    """What decides the stages of one tournament, one after the other.

    The same results always give the same stages: a decider knows nothing else.
    """

    def next(self, played: Played) -> Stage | None:
        """Gives the next stage; None where the tournament is over.

        Args:
            played: every pair of all stages that were given before, and no other one.
        """


@runtime_checkable
class Noting(Protocol):
    """A decider that can say how near its decision is while a stage is being played."""

    def note(self, played: Played) -> str:
        """Says it in a few words.

        Args:
            played: all whole pairs that have been played.
        """


def sums_of(played: Played, pairing: int, deals: range) -> PairSums:
    """Counts the pairs of a pairing on some deals, as its first bot sees them.

    Raises:
        KeyError: one of them hasn't been played.
    """
    counts = [0, 0, 0]
    if deals:
        won = played[pairing]
        for deal in deals:
            counts[won[deal]] += 1
    return PairSums(*counts)


def more_of(upto: dict[int, int], pairing: int, pairs: int) -> range:
    """Gives the next deals of a pairing, and notes that they are given.

    Args:
        upto: how many deals of each pairing were given before; is changed.
        pairing: the pairing's number.
        pairs: how many deals to give.
    """
    start = upto.get(pairing, 0)
    upto[pairing] = start + pairs
    return range(start, start + pairs)


def named(names: list[str], most: int = 3) -> str:
    """Lists names; only the first of them where there are many."""
    shown = ", ".join(islice(names, most))
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
