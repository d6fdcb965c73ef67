"""What is sure of a ranking: Elo beside it, brackets, circles, where two orders differ. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from californiajack_referee.statistics.circles import circles
from californiajack_referee.statistics.elo import fit
from californiajack_referee.statistics.order import brackets, disagreements, neighbours

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from californiajack_referee.statistics.elo import EloRating
    from californiajack_referee.values import PairSums


@dataclass(frozen=True, slots=True)
class OtherWayRound:
    """Two bots that the ratings by Elo put the other way round."""

    above: str
    """The bot that the ranking puts above, by its label."""
    below: str
    """The bot that Elo puts above."""
    beyond_doubt: bool
    """Whether the 95 % interval of their difference by Elo leaves out 0."""


@dataclass(frozen=True, slots=True)
class Place:
    """What is known of one bot's place."""

    elo: EloRating
    """Its rating by maximum likelihood."""
    group: int | None
    """Its group, from 1: bots of different groups can't be compared, as no pairs connect them. None
    without a pair."""
    bracket: int | None
    """Its bracket in its group, from 1: bots of one can't be told apart. None without a pair."""
    superiority: float | None
    """The likelihood, 0 to 1, that it is stronger than the next bot of the ranking; None for the
    last one, and where nothing connects the two."""


@dataclass(frozen=True, slots=True)
class Certainty:
    """What is sure of a ranking and what is not, by the bots' labels."""

    places: dict[str, Place]
    """What is known of each bot."""
    groups: tuple[tuple[str, ...], ...]
    """The bots with pairs of each connected group, best first; the largest group first."""
    brackets: tuple[tuple[str, ...], ...]
    """The bots of each bracket, best first by Elo, group by group; only those with pairs."""
    overlapping: tuple[tuple[str, str], ...]
    """Neighbours by Elo that are told apart though the intervals of their ratings overlap."""
    other_way_round: tuple[OtherWayRound, ...]
    """Where the ranking and Elo disagree."""
    circles: tuple[tuple[str, ...], ...]
    """Each bot beats the next one beyond doubt, and the last one the first."""


def certainty(order: Sequence[str], pairs: Mapping[tuple[str, str], PairSums]) -> Certainty:
    """Tells what is sure of a ranking.

    Args:
        order: the labels of all bots, in the order of the ranking.
        pairs: the pairs of a bot against another one, both ways round.
    """
    table = {
        (one, two): pairs[order[one], order[two]]
        for one, two in combinations(range(len(order)), 2)
        if (order[one], order[two]) in pairs
    }
    found = fit(table, range(len(order)))
    played = [bot for bot, line in found.ratings.items() if line.pairs]
    tiers = [tier for tier in brackets(found) if found.ratings[tier[0]].pairs]
    bracket: dict[int, int] = {}
    in_group: Counter[int] = Counter()
    for tier in tiers:
        group = found.ratings[tier[0]].group
        in_group[group] += 1
        bracket.update(dict.fromkeys(tier, in_group[group]))
    places = {}
    for bot, label in enumerate(order):
        apart = found.difference(bot, bot + 1) if bot + 1 < len(order) else None
        line = found.ratings[bot]
        places[label] = Place(
            elo=line,
            group=line.group + 1 if line.pairs else None,
            bracket=bracket.get(bot),
            superiority=None if apart is None else apart.superiority,
        )
    return Certainty(
        places=places,
        groups=tuple(_named(order, group) for group in found.groups if group[0] in played),
        brackets=tuple(_named(order, tier) for tier in tiers),
        overlapping=tuple(
            (order[step.better], order[step.worse])
            for step in neighbours(found)
            if step.told_apart and step.intervals_overlap
        ),
        other_way_round=tuple(
            OtherWayRound(order[one.worse], order[one.better], one.beyond_doubt)
            for one in disagreements(found, played)
        ),
        circles=tuple(_named(order, circle) for circle in circles(table)),
    )


def _named(order: Sequence[str], bots: Sequence[int]) -> tuple[str, ...]:
    return tuple(order[bot] for bot in bots)
