"""Circles: A beats B, B beats C, C beats A, each beyond doubt. Pure.

No single scale of strength can show them, so they are named beside the ratings.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from californiajack_referee.statistics.intervals import CONFIDENCE, pair_score
from californiajack_referee.statistics.pairings import one_way_round

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from californiajack_referee.values import PairSums

Circle = tuple[int, ...]
"""The numbers of its bots: each beats the next one, and the last beats the first. The lowest number
stands first."""
MOST_CIRCLES = 1000
_HALF = 0.5


def beaten(
    table: Mapping[tuple[int, int], PairSums], confidence: float = CONFIDENCE
) -> dict[int, list[int]]:
    """Tells whom each bot beats beyond doubt in its own pairs against it.

    As many intervals are looked at as there are pairings, so each is made as much wider that all
    together hold the truth as often as one of `confidence` does (Bonferroni): with 45 pairings, one
    of 99.9 % for 95 %.

    Args:
        table: pairs by the numbers of bot and opponent, each pairing once, either way round.
        confidence: how often not one of all the claims is wrong.

    Returns:
        The numbers of those it beats, ascending, by the number of the bot; bots that beat nobody
        are left out.
    """
    rows = {key: sums for key, sums in one_way_round(table).items() if sums.pairs}
    single = 1 - (1 - confidence) / max(len(rows), 1)
    found: dict[int, list[int]] = {}
    for (one, two), sums in rows.items():
        score = pair_score(sums, single)
        if score.low > _HALF:
            found.setdefault(one, []).append(two)
        elif score.high < _HALF:
            found.setdefault(two, []).append(one)
    return {bot: sorted(others) for bot, others in sorted(found.items())}


def circles(
    table: Mapping[tuple[int, int], PairSums],
    confidence: float = CONFIDENCE,
    most: int = MOST_CIRCLES,
) -> tuple[Circle, ...]:
    """Names the circles, the shortest first, each once.

    All circles of three are named, and for every win that is part of longer ones only, a shortest
    one that holds it.

    Args:
        table: pairs by the numbers of bot and opponent, each pairing once, either way round.
        confidence: how often not one win in all the circles is wrong.
        most: how many to name at most.
    """
    wins = beaten(table, confidence)
    found = dict.fromkeys(_triangles(wins))
    covered = {edge for circle in found for edge in _edges(circle)}
    longer: set[Circle] = set()
    for bot, others in wins.items():
        for other in others:
            if (bot, other) not in covered:
                way = _shortest_way(wins, other, bot)
                if way:
                    circle = _turned(way)
                    longer.add(circle)
                    covered.update(_edges(circle))
    ordered = sorted([*found, *longer], key=lambda circle: (len(circle), circle))
    return tuple(ordered[:most])


def _triangles(wins: Mapping[int, Sequence[int]]) -> Iterator[Circle]:
    reach = {bot: frozenset(others) for bot, others in wins.items()}
    losses: dict[int, set[int]] = {}
    for bot, others in wins.items():
        for other in others:
            losses.setdefault(other, set()).add(bot)
    for bot, others in wins.items():
        for other in others:
            if other > bot:
                for third in reach.get(other, frozenset()) & losses.get(bot, set()):
                    if third > bot:
                        yield (bot, other, third)


def _edges(circle: Circle) -> Iterator[tuple[int, int]]:
    return zip(circle, (*circle[1:], circle[0]), strict=True)


def _turned(circle: Circle) -> Circle:
    """Gives the same circle with its lowest number first."""
    start = circle.index(min(circle))
    return circle[start:] + circle[:start]


def _shortest_way(wins: Mapping[int, Sequence[int]], start: int, goal: int) -> Circle:
    """Gives the bots of a shortest chain of wins from one bot to another one; empty for none."""
    came_from: dict[int, int] = {start: start}
    waiting = deque([start])
    while waiting:
        bot = waiting.popleft()
        if bot == goal:
            way = [bot]
            while way[-1] != start:
                way.append(came_from[way[-1]])
            return tuple(reversed(way))
        for other in wins.get(bot, ()):
            if other not in came_from:
                came_from[other] = bot
                waiting.append(other)
    return ()
