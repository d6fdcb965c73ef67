"""What a tournament is asked to be, by the names of a tournament file's keys, and what that makes.

Wishes come from a file, from the command line, or from both: plain values by name. Here they become
entrants and a format, or a message that says which of them can't be.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

from californiajack import InputError
from californiajack_referee.formats.check import usual_games
from californiajack_referee.formats.swiss import usual_rounds
from californiajack_referee.league.format import (
    FORMATS,
    Adaptive,
    Format,
    Gauntlet,
    Knockout,
    Match,
    RoundRobin,
    Swiss,
)
from californiajack_referee.league.stored import RatingSettings
from californiajack_referee.ranking.counting import count_results
from californiajack_referee.ranking.rating import BotRating

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from californiajack_referee.league.store import Store
    from californiajack_referee.league.stored import StoredBot

SEEDINGS = ("rating", "given")
"""How the entrants of a knockout are seeded: by the league's rankings, or in the order given."""
OF_FORMAT = {
    **dict.fromkeys(("challengers", "against_top"), Gauntlet.kind),
    "rounds": Swiss.kind,
    **dict.fromkeys(("seeding", "doubt"), Knockout.kind),
    **dict.fromkeys(("start_pairs", "step_pairs", "certainty", "games"), Adaptive.kind),
    **dict.fromkeys((field.name for field in fields(Match)), Match.kind),
}
"""The wishes that only one format has, and which."""


_OF_TEST = ("elo0", "elo1", "alpha", "beta", "max_pairs")


@dataclass(frozen=True, slots=True)
class Arranged:
    """Who plays, and how."""

    entrants: tuple[StoredBot, ...]
    """The bots, in the order that numbers the pairings."""
    format: Format
    """The format."""


def merged(file: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Puts the wishes of the command line over those of a file.

    Another format on the command line does away with what the file wishes for its own.
    """
    chosen = _named_format(given)
    if chosen is None:
        return {**file, **given}
    kept = {name: wish for name, wish in file.items() if OF_FORMAT.get(name, chosen) == chosen}
    return {**kept, "format": chosen, **given}


def _named_format(wishes: Mapping[str, Any]) -> str | None:
    if "format" in wishes:
        return str(wishes["format"])
    return Gauntlet.kind if wishes.keys() & {"challengers", "against_top"} else None


def arrange(store: Store, wishes: Mapping[str, Any]) -> Arranged:
    """Makes entrants and a format of wishes; the others are left to whoever makes the tournament.

    Args:
        store: the league's database, whose bots play.
        wishes: by name.

    Raises:
        InputError: there is no such bot or format, or two wishes contradict each other.
    """
    kind = _named_format(wishes) or RoundRobin.kind
    if kind not in FORMATS:
        raise InputError(f"format: expected {' or '.join(FORMATS)}, got {kind!r}")
    for name in wishes:
        if OF_FORMAT.get(name, kind) != kind:
            raise InputError(
                f"{name}: expected it with format {OF_FORMAT[name]} only, got it with {kind}: "
                "leave it out, or choose that format"
            )
    if kind == Gauntlet.kind:
        return _gauntlet(store, wishes)
    entrants = _found(store, wishes["bots"]) if "bots" in wishes else _newest(store)
    if kind == Knockout.kind:
        return Arranged(_seeded(store, entrants, wishes), _built(Knockout, wishes))
    if kind == Swiss.kind:
        rounds = wishes.get("rounds", usual_rounds(max(1, len(entrants))))
        return Arranged(entrants, Swiss(rounds))
    if kind == Adaptive.kind:
        return Arranged(entrants, _adaptive(len(entrants), wishes))
    return Arranged(entrants, _built(Match, wishes) if kind == Match.kind else RoundRobin())


_F = TypeVar("_F", Knockout, Adaptive, Match)


def _built(made: type[_F], wishes: Mapping[str, Any]) -> _F:
    return made(**{f.name: wishes[f.name] for f in fields(made) if f.name in wishes})


def match_of(wishes: Mapping[str, Any]) -> Match:
    """Gives the match that is wished for: with pairs, a fixed number of them and no test.

    Args:
        wishes: by name; ``max_pairs`` becomes ``pairs`` where there is a test.

    Raises:
        InputError: two wishes contradict each other.
    """
    if "pairs" in wishes:
        of_test = [
            name for name in ("elo0", "elo1", "alpha", "beta", "max_pairs") if name in wishes
        ]
        if of_test:
            raise InputError(
                f"pairs: expected it without {', '.join(of_test)}, as a fixed number of pairs "
                "needs no test: leave out one or the other"
            )
        return Match(sequential=False)
    return _built(Match, wishes)


def _adaptive(entrants: int, wishes: Mapping[str, Any]) -> Adaptive:
    if "pairs" in wishes:
        raise InputError(
            "pairs: expected none with format adaptive, which decides by itself how many pairs "
            "which bots play: give games, the most it may play in all"
        )
    return _built(Adaptive, {"games": usual_games(entrants), **wishes})


def _gauntlet(store: Store, wishes: Mapping[str, Any]) -> Arranged:
    bots = _found(store, wishes["bots"]) if "bots" in wishes else None
    if "against_top" in wishes:
        if "challengers" in wishes or not bots:
            raise InputError(
                "against_top: expected it with bots, which then are the challengers, and without "
                "challengers (--gauntlet)"
            )
        challengers, others = bots, _best(store, wishes["against_top"], bots)
    elif "challengers" in wishes:
        challengers = _found(store, wishes["challengers"])
        others = tuple(bot for bot in bots or _newest(store) if bot not in challengers)
    else:
        raise InputError("gauntlet: expected challengers (--gauntlet NEW) or against_top, got none")
    if not others:
        raise InputError("gauntlet: expected bots besides the challengers, got none: name some")
    return Arranged((*challengers, *others), Gauntlet(len(challengers)))


def _found(store: Store, specs: Sequence[str]) -> tuple[StoredBot, ...]:
    return tuple(store.find_bot(spec) for spec in specs)


def _newest(store: Store) -> tuple[StoredBot, ...]:
    return tuple({bot.name: bot for bot in store.bots()}.values())  # by version: the last stays


def strengths(store: Store) -> dict[str, float]:
    """Gives what the bots are ranked by, by their labels: those that have games."""
    results = store.results()
    labels = results.labels()
    tally = count_results(results, RatingSettings())
    return {
        labels[bot]: BotRating(line.mu, line.sigma).lower_bound for bot, line in tally.lines.items()
    }


def _best(store: Store, number: int, but: Sequence[StoredBot]) -> tuple[StoredBot, ...]:
    if number < 1:
        raise InputError(f"against_top: expected a number from 1 on, got {number}")
    ranked = strengths(store)
    there = [bot for bot in store.bots() if bot.label in ranked and bot not in but]
    if not there:
        raise InputError(
            "against_top: expected bots with a ranking, found none: play a round robin first: "
            "caljack tournament run"
        )
    return tuple(sorted(there, key=lambda bot: (-ranked[bot.label], bot.label))[:number])


def _seeded(
    store: Store, entrants: tuple[StoredBot, ...], wishes: Mapping[str, Any]
) -> tuple[StoredBot, ...]:
    if wishes.get("seeding", SEEDINGS[0]) != SEEDINGS[0]:
        return entrants
    ranked = strengths(store)
    usual = RatingSettings()
    new = BotRating(usual.mu, usual.sigma).lower_bound
    return tuple(sorted(entrants, key=lambda bot: -ranked.get(bot.label, new)))
