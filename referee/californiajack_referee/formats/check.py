"""Whether the settings of a format can be played, and what they are unless told otherwise. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from californiajack import InputError
from californiajack_referee.formats.match import sprt_settings
from californiajack_referee.formats.swiss import most_rounds
from californiajack_referee.league.format import (
    Adaptive,
    Gauntlet,
    Knockout,
    Match,
    RoundRobin,
    Swiss,
)
from californiajack_referee.schedule import pairing_total

if TYPE_CHECKING:
    from californiajack_referee.league.format import Format

USUAL_PAIRS = 100
"""Pairs of games a meeting."""
USUAL_MOST_PAIRS = 10_000
"""Pairs of a match that ends when its test has decided."""
USUAL_BUDGET_PAIRS = 500
"""The budget of an adaptive tournament, as pairs a pairing of a round robin."""
MOST_ELO = 2000
"""A difference that means one pair lost in 100,000."""
MOST_PAIRS = 1_000_000
"""Pairs of two bots that meet."""
_MOST_GAMES = 100_000_000
_TWO = 2
_HALF = 0.5


def usual_pairs(settings: Format) -> int:
    """Gives how many pairs of games there are a meeting unless told otherwise."""
    if isinstance(settings, Adaptive):
        return max(1, settings.games // _TWO)
    if isinstance(settings, Match) and settings.sequential:
        return USUAL_MOST_PAIRS
    return USUAL_PAIRS


def usual_games(entrants: int) -> int:
    """Gives how many games an adaptive tournament may play unless told otherwise."""
    return _TWO * USUAL_BUDGET_PAIRS * max(1, pairing_total(entrants))


def check_format(settings: Format, entrants: int) -> None:
    """Refuses settings that can't be played.

    Args:
        settings: the format.
        entrants: how many bots play, two or more.

    Raises:
        InputError: a setting is out of its range.
    """
    match settings:
        case RoundRobin():
            pass
        case Gauntlet(challengers):
            _check_whole("challengers", challengers, 1, entrants - 1)
        case Swiss(rounds):
            _check_rounds(rounds, entrants)
        case Knockout(doubt):
            _check_part("doubt", doubt, 0, 1)
        case Adaptive():
            _check_adaptive(settings, entrants)
        case Match():
            if entrants != _TWO:
                raise InputError(f"match: expected two bots, got {entrants}")
            sprt_settings(settings)
            _check_elo(settings)


def _check_elo(settings: Match) -> None:
    for name, elo in (("elo0", settings.elo0), ("elo1", settings.elo1)):
        if abs(elo) > MOST_ELO:
            raise InputError(
                f"{name}: expected a number from -{MOST_ELO} to {MOST_ELO}, got {elo:g}"
            )


def _check_rounds(rounds: int, entrants: int) -> None:
    most = most_rounds(entrants)
    if type(rounds) is not int or not 1 <= rounds <= most:
        raise InputError(
            f"rounds: expected a whole number from 1 to {most}, as {entrants} bots meet nobody "
            f"twice, got {rounds!r}"
        )


def _check_adaptive(settings: Adaptive, entrants: int) -> None:
    least = _TWO * pairing_total(entrants)
    _check_whole("games", settings.games, least, _MOST_GAMES)
    _check_whole("start_pairs", settings.start_pairs, 1, min(settings.games // least, MOST_PAIRS))
    _check_whole("step_pairs", settings.step_pairs, 1, settings.games)
    _check_part("certainty", settings.certainty, _HALF, 1)


def _check_whole(name: str, value: object, least: int, most: int) -> None:
    if type(value) is not int or not least <= value <= most:
        raise InputError(
            f"{name}: expected a whole number from {least:,} to {most:,}, got {value!r}"
        )


def _check_part(name: str, value: float, low: float, high: float) -> None:
    if isinstance(value, bool) or not math.isfinite(value) or not low < value < high:
        raise InputError(
            f"{name}: expected a number above {low:g} and below {high:g}, got {value!r}"
        )
