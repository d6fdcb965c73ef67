"""What stands under a ranking in words: what it can't tell, and where two orders differ. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from californiajack_referee.ranking.standings import Standings

_MOST_NAMED = 5
_MOST_BOTS = 8


def ranking_notes(tables: Standings, waiting: Sequence[str] = ()) -> list[str]:
    """Says what a reader of a ranking has to know; nothing where all is sure.

    Args:
        tables: the standings.
        waiting: bots that aren't in the ranking, as they have no game yet.
    """
    return [
        *_unplayed(tables, waiting),
        *_groups(tables),
        *_brackets(tables),
        *_overlaps(tables),
        *_orders(tables),
        *_open_ends(tables),
        *_circles(tables),
    ]


def _unplayed(tables: Standings, waiting: Sequence[str]) -> Iterator[str]:
    if len(tables.ranking) == 1:
        yield f"{tables.ranking[0].bot} is the only bot: there is nobody to compare it with."
        return
    idle = [line.bot for line in tables.ranking if line.place.group is None]
    if idle and len(idle) == len(tables.ranking):
        yield "No whole pair has been played yet, so nothing is known of who is better."
    elif idle:
        yield (
            f"No whole pair of {_named(idle)} has been played yet, so nothing is known of "
            f"{'its' if len(idle) == 1 else 'their'} strength."
        )
    if waiting:
        yield f"No games yet: {_named(waiting)}."


def _groups(tables: Standings) -> Iterator[str]:
    groups = tables.certainty.groups
    if len(groups) > 1:
        parts = "; ".join(
            f"group {number}: {_named(group)}" for number, group in enumerate(groups, start=1)
        )
        yield (
            "No games connect these groups, so bots of different ones can't be compared, and each "
            f"has its own Elo scale and brackets: {parts}."
        )


def _brackets(tables: Standings) -> Iterator[str]:
    shared = [bracket for bracket in tables.certainty.brackets if len(bracket) > 1]
    if not shared:
        return
    numbers = {line.bot: line.place for line in tables.ranking}
    grouped = len(tables.certainty.groups) > 1
    parts = []
    for bracket in shared:
        place = numbers[bracket[0]]
        number = f"{place.group}.{place.bracket}" if grouped else f"{place.bracket}"
        parts.append(f"{_named(bracket)} (bracket {number})")
    yield (
        "Neighbours by Elo that can't be told apart with 95 % certainty share a bracket: "
        f"{'; '.join(parts)}."
    )


def _overlaps(tables: Standings) -> Iterator[str]:
    found = [f"{better} and {worse}" for better, worse in tables.certainty.overlapping]
    if found:
        yield (
            f"The Elo intervals of {_listed(found, '; ')} overlap, but the interval of "
            f"{'the' if len(found) == 1 else 'each'} difference leaves out 0, so the two are told "
            "apart."
        )


def _orders(tables: Standings) -> Iterator[str]:
    doubted = [one for one in tables.certainty.other_way_round if one.beyond_doubt]
    chance = [one for one in tables.certainty.other_way_round if not one.beyond_doubt]
    if doubted:
        parts = [f"{one.below} above {one.above}" for one in doubted]
        yield (
            f"Elo, by all pairs at once, puts {_listed(parts)}, beyond doubt. TrueSkill goes by "
            "the order of games, and the last ones weigh most."
        )
    if chance:
        parts = [f"{one.below} above {one.above}" for one in chance]
        yield f"Elo puts {_listed(parts)}, which may be chance."


def _open_ends(tables: Standings) -> Iterator[str]:
    played = [line for line in tables.ranking if line.place.elo.rating is not None]
    above = [line.bot for line in played if line.place.elo.open_above]
    below = [line.bot for line in played if line.place.elo.open_below]
    if above:
        side = "it stands" if len(above) == 1 else "they stand"
        yield (
            f"No other bot took a point off {_named(above)}, so how far {side} above the others "
            "can't be told."
        )
    # else it is the same sentence from the other side
    if below and len(above) + len(below) < len(played):
        side = "it stands" if len(below) == 1 else "they stand"
        yield (
            f"{_named(below)} took no point off any other bot, so how far {side} below the others "
            "can't be told."
        )


def _circles(tables: Standings) -> Iterator[str]:
    found = tables.certainty.circles
    for circle in found[:_MOST_NAMED]:
        steps = [
            f"{bot} beats {other}"
            for bot, other in zip(circle, (*circle[1:], circle[0]), strict=True)
        ]
        yield f"A circle, each beyond doubt: {', '.join(steps)}."
    if len(found) > _MOST_NAMED:
        yield f"There are {len(found) - _MOST_NAMED} more circles: --json names them."


def _named(bots: Sequence[str]) -> str:
    """Lists bots, the first of them where there are many."""
    if len(bots) > _MOST_BOTS:
        return f"{', '.join(bots[:_MOST_NAMED])} and {len(bots) - _MOST_NAMED} more"
    return _joined(bots)


def _listed(parts: Sequence[str], comma: str = ", ") -> str:
    """Lists what is said of bots, the first of it where there is much."""
    more = len(parts) - _MOST_NAMED
    if more > 0:
        return f"{comma.join(parts[:_MOST_NAMED])} and {more} more"
    return _joined(parts, comma)


def _joined(parts: Sequence[str], comma: str = ", ") -> str:
    if len(parts) == 1:
        return parts[0]
    last = ", and " if comma != ", " else " and "
    return f"{comma.join(parts[:-1])}{last}{parts[-1]}"
