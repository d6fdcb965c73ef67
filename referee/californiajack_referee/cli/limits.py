"""The options that say what bots may take and use, and what stands around them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

import click

from californiajack_referee.cli.output import say
from californiajack_referee.league.settings import LEAST_MEMORY_MIB, Settings, read_settings
from californiajack_referee.sandbox.choice import SandboxChoice, choose_layer
from californiajack_referee.values import Layer, Limits, Resources

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from californiajack_referee.league.folder import League

_GIVEN = "californiajack_referee.cli.limits"
_TIMES = {
    "start_seconds": "Seconds from a bot's start to its hello.",
    "ready_seconds": "Seconds from the welcome until a bot is ready.",
    "move_seconds": "Seconds that a move may take.",
    "bank_seconds": "Seconds that slow moves of a game may overdraw in all.",
    "game_seconds": "Seconds that a seat's moves of a game may take in all; 0 for no limit.",
    "shutdown_seconds": "Seconds that a bot has to end, after the farewell.",
}
_SIZES = {
    "memory_mib": ("memory", "MIB", "Memory that a bot may use, all its processes together."),
    "processes": ("processes", "N", "Processes and threads that a bot may have."),
    "disk_mib": ("disk", "MIB", "What a bot may write to its temporary folder."),
    "output_kib": ("output", "KIB", "Output of a bot that is kept in its log."),
}


BOUNDS = (*_SIZES, "sandbox")
"""The names of what bots may use, and of what stands around them."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What holds for the bots of one command."""

    limits: Limits
    """How long they may take."""
    resources: Resources
    """What they may use."""
    layer: Layer
    """What stands between them and the machine."""
    asked: SandboxChoice
    """What was asked for."""

    def options(self) -> dict[str, int | str]:
        """Gives what is kept with a tournament, by the names of `BOUNDS`."""
        return {**asdict(self.resources), "sandbox": self.asked.value}


def _keep(context: click.Context, parameter: click.Parameter, value: object) -> None:
    if value is not None and parameter.name is not None:
        context.meta.setdefault(_GIVEN, {})[parameter.name] = value


def _option(
    name: str,
    field: str,
    **rest: Any,  # noqa: ANN401 - click's own
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(f"--{name}", field, expose_value=False, callback=_keep, **rest)


def resource_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options for the sandbox and for what bots may use."""
    usual = Resources()
    for field, (name, unit, words) in reversed(_SIZES.items()):
        least = LEAST_MEMORY_MIB if field == "memory_mib" else 1
        command = _option(
            name,
            field,
            type=click.IntRange(least),
            metavar=unit,
            show_default=str(getattr(usual, field)),
            help=words,
        )(command)
    option = _option(
        "sandbox",
        "sandbox",
        type=click.Choice([choice.value for choice in SandboxChoice]),
        show_default="auto, the best that works here",
        help="What stands between the bots and the machine.",
    )
    return option(command)


def time_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options for how long bots may take."""
    usual = Limits()
    for field in reversed([found.name for found in fields(Limits)]):
        value = getattr(usual, field)
        command = _option(
            f"{field.removesuffix('_seconds')}-time",
            field,
            type=click.FloatRange(0),
            metavar="S",
            show_default=f"{value:g}",
            help=_TIMES[field],
        )(command)
    return command


def settings_of(
    context: click.Context, league: League, before: Mapping[str, Any] | None = None
) -> Settings:
    """Gives what the command line says, over what was said before, over league.toml.

    Args:
        context: the command's.
        league: whose league.toml is read; what is not in it is as usual.
        before: what a tournament file says, or a tournament was played with.

    Raises:
        InputError: a value is not as it has to be.
    """
    return _settings_at(context, league.folder, before)


def _settings_at(
    context: click.Context, folder: Path, before: Mapping[str, Any] | None = None
) -> Settings:
    given = context.meta.get(_GIVEN, {})
    return read_settings(folder).changed({**(before or {}), **given})


def bounds_of(
    context: click.Context, league: League, before: Mapping[str, Any] | None = None
) -> Bounds:
    """Gives what holds for a command's bots, and says what there is to say about their sandbox.

    The arguments are those of `settings_of`.

    Raises:
        InputError: a value is not as it has to be, or the sandbox asked for doesn't work here.
    """
    return _bounds(settings_of(context, league, before))


def bounds_at(context: click.Context, folder: Path) -> Bounds:
    """As `bounds_of`, for a league's folder, which needn't exist: then the defaults hold.

    Raises:
        InputError: as `bounds_of`.
    """
    return _bounds(_settings_at(context, folder))


def _bounds(settings: Settings) -> Bounds:
    layer, note = choose_layer(settings.sandbox)
    if note:
        say(note)
    return Bounds(settings.limits, settings.resources, layer, settings.sandbox)
