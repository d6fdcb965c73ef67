"""The formats of tournaments, as values: which of the possible games are wanted, and how many.

Whatever the format, the pairings of a tournament are numbered as those of a round robin are, and a
game's id is its tournament, pairing, deal and seating.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """Every bot meets every other one."""

    kind: ClassVar[str] = "round-robin"
    """Its name."""

    def most_deals(self, pairs: int) -> int:
        """Gives how many deals a pairing may come to play."""
        return pairs


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """Some bots meet all the others, which don't meet each other."""

    kind: ClassVar[str] = "gauntlet"
    """Its name."""
    challengers: int = 1
    """How many of the first entrants meet all that aren't challengers; from 1."""

    def most_deals(self, pairs: int) -> int:
        """Gives how many deals a pairing may come to play."""
        return pairs


@dataclass(frozen=True, slots=True)
class Swiss:
    """In each round, bots of about the same score meet that haven't met before."""

    kind: ClassVar[str] = "swiss"
    """Its name."""
    rounds: int
    """How many rounds there are, from 1."""

    def most_deals(self, pairs: int) -> int:
        """Gives how many deals a pairing may come to play: two bots may have to meet again."""
        return pairs * self.rounds


@dataclass(frozen=True, slots=True)
class Knockout:
    """Who loses a match is out; the order of the entrants is the seeding, best first."""

    kind: ClassVar[str] = "knockout"
    """Its name."""
    doubt: float = 0.05
    """How often at most a match of two equal bots ends before its last pair; above 0, below 1."""

    def most_deals(self, pairs: int) -> int:
        """Gives how many deals a pairing may come to play."""
        return pairs


@dataclass(frozen=True, slots=True)
class Adaptive:
    """After a short round robin, games go where they settle the order soonest."""

    kind: ClassVar[str] = "adaptive"
    """Its name."""
    start_pairs: int = 10
    """Pairs a pairing in the round robin that it begins with, from 1."""
    certainty: float = 0.95
    """How sure the order is to be when it ends: the chance that all of it is right; below 1."""
    games: int = 20_000
    """How many games may be played in all."""
    step_pairs: int = 100
    """Pairs from one decision to the next at least, from 1."""

    def most_deals(self, pairs: int) -> int:
        """Gives how many deals a pairing may come to play."""
        return pairs


@dataclass(frozen=True, slots=True)
class Match:
    """Two bots: is the first one better? A sequential test on their pairs, or a fixed number."""

    kind: ClassVar[str] = "match"
    """Its name."""
    sequential: bool = True
    """Whether it ends as soon as the test has decided; else after all its pairs."""
    elo0: float = 0.0
    """How much better the first one is where it is not better, in Elo."""
    elo1: float = 10.0
    """How much better it is where it is, in Elo; above `elo0`."""
    alpha: float = 0.05
    """How often at most it is taken for better where it isn't; above 0, below ½."""
    beta: float = 0.05
    """How often at most it is taken for not better where it is; above 0, below ½."""

    def most_deals(self, pairs: int) -> int:
        """Gives how many deals a pairing may come to play."""
        return pairs


Format = RoundRobin | Gauntlet | Swiss | Knockout | Adaptive | Match
"""What a tournament may be."""
FORMATS: dict[str, type[Format]] = {
    made.kind: made for made in (RoundRobin, Gauntlet, Swiss, Knockout, Adaptive, Match)
}
"""The formats by their names."""


def format_data(value: Format) -> dict[str, Any]:
    """Gives a format as data for JSON."""
    return {"kind": value.kind, **asdict(value)}


def format_of(data: Mapping[str, Any]) -> Format:
    """Reads what `format_data` has given.

    Raises:
        LookupError: there is no such format.
        TypeError: a setting is missing, or it is none of this format.
    """
    settings = dict(data)
    return FORMATS[settings.pop("kind")](**settings)
