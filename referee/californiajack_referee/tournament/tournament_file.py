"""Tournament files: all settings of a tournament as TOML, to be played, or as it was played.

::

    name = "night"
    format = "swiss"
    bots = ["fox@2", "hen", "ant"]
    rounds = 2
    pairs = 200

    [limits]
    move_seconds = 5
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from californiajack import FollowRule, InputError, Ruleset, Scoring
from californiajack_referee.league.format import FORMATS, Adaptive, Gauntlet, Knockout
from californiajack_referee.league.settings import TABLES, check_names, values_of
from californiajack_referee.league.stored import RatingSettings
from californiajack_referee.tournament.wishes import SEEDINGS
from californiajack_referee.values import Resources

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from californiajack_referee.league.stored import StoredTournament

_TEXT, _WHOLE, _NUMBER, _NAMES, _SWITCH = (
    "a text in quotes",
    "a whole number",
    "a number",
    'a list of texts, such as ["fox@2", "hen"]',
    "true or false",
)
_KEYS = {
    **dict.fromkeys(("name", "format", "seeding", "seed"), _TEXT),
    **dict.fromkeys(("bots", "challengers"), _NAMES),
    **dict.fromkeys(
        (
            "against_top",
            "pairs",
            "rounds",
            "start_pairs",
            "step_pairs",
            "games",
            "jobs",
            "games_at_once",
        ),
        _WHOLE,
    ),
    **dict.fromkeys(("doubt", "certainty", "elo0", "elo1", "alpha", "beta"), _NUMBER),
    "sequential": _SWITCH,
}
_RULES = {"target": _WHOLE, "scoring": _TEXT, "follow": _TEXT}
_RATING = dict.fromkeys(asdict(RatingSettings()), _NUMBER)
_CHOICES = {
    "format": tuple(FORMATS),
    "seeding": SEEDINGS,
    "scoring": tuple(kind.value for kind in Scoring),
    "follow": tuple(kind.value for kind in FollowRule),
}


def read_file(path: Path) -> dict[str, Any]:
    """Reads the wishes of a tournament file.

    Raises:
        InputError: it can't be read, or something in it is not as it has to be.
    """
    try:
        return parse_file(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise InputError(
            f"{path}: can't be read as text ({why}): expected a tournament in TOML, such as "
            "caljack tournament show NAME --toml writes"
        ) from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def parse_file(text: str) -> dict[str, Any]:
    """Reads the text of a tournament file.

    Returns:
        The wishes by name: the file's keys, those of the table ``ruleset`` beside them; in
        ``rating`` a dictionary of that table, in ``bounds`` one of ``limits`` and ``sandbox``.

    Raises:
        InputError: something in it is not as it has to be; the message names the key.
    """
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"expected TOML: {error}") from None
    check_names("key", found, (*_KEYS, "ruleset", "rating", *TABLES))
    wishes = {name: _checked(name, found[name], _KEYS[name]) for name in _KEYS if name in found}
    wishes |= _table("ruleset", found, _RULES)
    rating = _table("rating", found, _RATING)
    bounds = values_of({name: found[name] for name in TABLES if name in found})
    return {**wishes, **({"rating": rating} if rating else {}), "bounds": bounds}


def _table(name: str, found: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, Any]:
    table = found.get(name, {})
    if not isinstance(table, dict):
        raise InputError(f"{name}: expected a table, [{name}], got {table!r}")
    check_names(f"key in [{name}]", table, keys)
    return {key: _checked(key, value, keys[key]) for key, value in table.items()}


def _checked(name: str, value: object, kind: str) -> object:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    fits = {
        _TEXT: isinstance(value, str),
        _WHOLE: is_number and isinstance(value, int),
        _NUMBER: is_number,
        _NAMES: isinstance(value, list) and all(isinstance(one, str) for one in value),
        _SWITCH: isinstance(value, bool),
    }
    if not fits[kind]:
        raise InputError(f"{name}: expected {kind}, got {value!r}")
    if name in _CHOICES:
        check_names(name, [value], _CHOICES[name])
    return value


def format_file(tournament: StoredTournament, *, with_seed: bool) -> str:
    """Writes a tournament as a file that plays the same games anywhere, with the same bots.

    Args:
        tournament: the tournament.
        with_seed: whether to write the seed, which nobody is to know before the last game.
    """
    options = dict(tournament.options)
    lines = [
        _line("name", tournament.name),
        _line("format", tournament.format.kind),
        _line("bots", [bot.label for bot in tournament.entrants]),
        *(f"#   {bot.label} is {bot.digest}" for bot in tournament.entrants),
        *_format_lines(tournament),
    ]
    if with_seed:
        lines.append(_line("seed", tournament.seed.hex()))
    else:
        lines.append(
            "# the seed is told when the tournament is finished; without it others are dealt"
        )
    lines += [_line(key, options[key]) for key in ("jobs", "games_at_once") if key in options]
    rules = asdict(tournament.ruleset)
    sizes = {key: options[key] for key in asdict(Resources()) if key in options}
    tables: dict[str, dict[str, Any]] = {
        "ruleset": {} if tournament.ruleset == Ruleset() else rules,
        "rating": {} if tournament.rating == RatingSettings() else asdict(tournament.rating),
        "limits": asdict(tournament.limits) | sizes,
        "sandbox": {"layer": options["sandbox"]} if "sandbox" in options else {},
    }
    for name, table in tables.items():
        if table:
            lines += ["", f"[{name}]", *(_line(key, value) for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _format_lines(tournament: StoredTournament) -> list[str]:
    settings = asdict(tournament.format)
    if isinstance(tournament.format, Gauntlet):
        first = tournament.entrants[: tournament.format.challengers]
        settings = {"challengers": [bot.label for bot in first]}
    elif isinstance(tournament.format, Knockout):
        settings["seeding"] = "given"
    if not isinstance(tournament.format, Adaptive):
        settings["pairs"] = tournament.pairs
    return [_line(key, value) for key, value in settings.items()]


def _line(key: str, value: object) -> str:
    # texts, numbers, lists of texts and booleans of these kinds are written as JSON writes them
    return f"{key} = {json.dumps(value)}"
