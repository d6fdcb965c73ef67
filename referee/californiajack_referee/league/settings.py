"""`league.toml`: what bots may take and use in a league, and what stands around them.

::

    [sandbox]
    layer = "bubblewrap"

    [limits]
    memory_mib = 512
    move_seconds = 5
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from californiajack import InputError
from californiajack_referee.sandbox.choice import SandboxChoice
from californiajack_referee.values import Limits, Resources

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

SETTINGS = "league.toml"
"""The name of the file, in the league's folder."""
LEAST_MEMORY_MIB = 120
"""gRPC in Python breaks with less."""
TABLES = ("limits", "sandbox")
"""The tables of the file."""
_LEAST = {"memory_mib": LEAST_MEMORY_MIB, "processes": 16, "disk_mib": 1, "output_kib": 1}
_MOST_RESOURCE = 1024 * 1024
_MOST_SECONDS = 86_400.0
_MAY_BE_NOTHING = frozenset({"bank_seconds", "game_seconds"})
_LIMITS = tuple(found.name for found in fields(Limits))
_RESOURCES = tuple(found.name for found in fields(Resources))


@dataclass(frozen=True, slots=True)
class Settings:
    """What bots may take and use, and what is to stand between them and the machine."""

    limits: Limits = field(default_factory=Limits)
    """How long they may take."""
    resources: Resources = field(default_factory=Resources)
    """What they may use."""
    sandbox: SandboxChoice = SandboxChoice.AUTO
    """The layer asked for."""

    def changed(self, values: Mapping[str, Any]) -> Settings:
        """Gives these settings with some of them changed.

        Args:
            values: by the names of the fields of `Limits` and `Resources`, and ``sandbox``.

        Raises:
            InputError: a value is not as it has to be.
        """
        for name, value in values.items():
            if name != "sandbox":
                _check_number(name, value)
        return Settings(
            replace(self.limits, **{n: float(v) for n, v in values.items() if n in _LIMITS}),
            replace(self.resources, **{n: v for n, v in values.items() if n in _RESOURCES}),
            SandboxChoice(values.get("sandbox", self.sandbox)),
        )


def read_settings(folder: Path) -> Settings:
    """Reads the settings of a league; the usual ones where it has no league.toml.

    Args:
        folder: the league's folder.

    Raises:
        InputError: something in the file is not as it has to be.
    """
    path = folder / SETTINGS
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: can't be read as text: {error}") from None
    try:
        return parse_settings(text)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def parse_settings(text: str) -> Settings:
    """Reads the text of a league.toml.

    Raises:
        InputError: something in it is not as it has to be; the message names the nearest that is.
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"expected TOML: {error}") from None
    check_names("table", tables, TABLES)
    return Settings().changed(values_of(tables))


def values_of(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Reads the tables of a TOML file that say what bots may take and use.

    Args:
        tables: some of `TABLES`, by name.

    Returns:
        By the names of the fields of `Limits` and `Resources`, and ``sandbox``.

    Raises:
        InputError: something in them is not as it has to be.
    """
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise InputError(f"{name}: expected a table, [{name}], got {table!r}")
    limits, sandbox = tables.get("limits", {}), tables.get("sandbox", {})
    check_names("key in [limits]", limits, _RESOURCES + _LIMITS)
    check_names("key in [sandbox]", sandbox, ("layer",))
    values = dict(limits)
    for name, value in values.items():
        _check_number(name, value)
    if "layer" in sandbox:
        check_names("layer", [sandbox["layer"]], [choice.value for choice in SandboxChoice])
        values["sandbox"] = sandbox["layer"]
    return values


def check_names(what: str, found: Iterable[object], known: Iterable[str]) -> None:
    """Refuses names that aren't known.

    Args:
        what: what they name, for the message.
        found: the names.
        known: those that there are.

    Raises:
        InputError: one of them is none of these; the message names the nearest that is.
    """
    there = tuple(known)
    for name in found:
        if name in there:
            continue
        near = get_close_matches(str(name), there, n=1)
        guess = f"did you mean {near[0]!r}? " if near else ""
        raise InputError(f"unknown {what} {name!r}: {guess}expected {', '.join(there)}")


def _check_number(name: str, value: object) -> None:
    if name in _RESOURCES:
        least = _LEAST[name]
        if type(value) is not int or not least <= value <= _MOST_RESOURCE:
            raise InputError(
                f"{name}: expected a whole number from {least} to {_MOST_RESOURCE}, got {value!r}"
            )
        return
    lowest = 0.0 if name in _MAY_BE_NOTHING else 0.001
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not math.isfinite(value)
        or not lowest <= value <= _MOST_SECONDS
    ):
        raise InputError(
            f"{name}: expected a number of seconds from {lowest:g} to {_MOST_SECONDS:g}, "
            f"got {value!r}"
        )
