"""The options of `caljack tournament run`, each a wish by the name of a tournament file's key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from californiajack import FollowRule, Ruleset, Scoring
from californiajack_referee.cli.playing import Speed
from californiajack_referee.formats.check import USUAL_MOST_PAIRS
from californiajack_referee.league.format import Match
from californiajack_referee.values import MOST_GAMES_AT_ONCE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_WISHES = "californiajack_referee.cli.wishing"
FORMATS = ("round-robin", "gauntlet", "swiss", "knockout", "adaptive")
"""The formats that may be asked for; a match is what `caljack compare` plays."""


def _keep(context: click.Context, parameter: click.Parameter, value: object) -> None:
    if value is not None and parameter.name is not None:
        context.meta.setdefault(_WISHES, {})[parameter.name] = value


def _keep_names(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    names = None if value is None else [name.strip() for name in value.split(",")]
    _keep(context, parameter, names)


def _option(
    option: str,
    name: str,
    **rest: Any,  # noqa: ANN401 - click's own
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(option, name, expose_value=False, **{"callback": _keep, **rest})


def _part(high: float) -> click.FloatRange:
    return click.FloatRange(0, high, min_open=True, max_open=True)


def wishes_of(context: click.Context) -> Mapping[str, Any]:
    """Gives what the command line wishes, by the names of the file's keys."""
    found: Mapping[str, Any] = context.meta.get(_WISHES, {})
    return found


def speed_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options that only change how fast a tournament is played."""
    for option in (
        _option(
            "--games-at-once",
            "games_at_once",
            type=click.IntRange(1, MOST_GAMES_AT_ONCE),
            show_default=str(Speed().games_at_once),
            metavar="N",
            help="Games that a bot's process plays at once at most.",
        ),
        _option(
            "--jobs",
            "jobs",
            type=click.IntRange(1),
            show_default="half the cores",
            metavar="N",
            help="Series played at once, each with two bot processes; one more of quick bots. "
            "With as many as there are cores, each keeps to one.",
        ),
    ):
        command = option(command)
    return command


def rules_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options for the seed and the rules."""
    for option in (
        _option(
            "--target",
            "target",
            type=int,
            show_default=str(Ruleset().target),
            metavar="N",
            help="Game points that win a game, 1 to 100.",
        ),
        _option(
            "--follow",
            "follow",
            type=click.Choice([kind.value for kind in FollowRule]),
            show_default=FollowRule.FOLLOW.value,
            help="What the second player of a trick may play.",
        ),
        _option(
            "--scoring",
            "scoring",
            type=click.Choice([kind.value for kind in Scoring]),
            show_default=Scoring.TRICK_POINTS.value,
            help="What the fourth game point of a round is for.",
        ),
        _option(
            "--seed",
            "seed",
            metavar="HEX",
            help="16 to 64 bytes that fix all deals; random if absent.",
        ),
    ):
        command = option(command)
    return command


def match_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options of a match of two bots."""
    usual = Match()
    for option in (
        _option(
            "--max-pairs",
            "max_pairs",
            type=click.IntRange(1),
            show_default=f"{USUAL_MOST_PAIRS}",
            metavar="N",
            help="Pairs after which the test ends, undecided.",
        ),
        _option(
            "--pairs",
            "pairs",
            type=click.IntRange(1),
            metavar="N",
            help="Play so many pairs, without a test.",
        ),
        _option(
            "--beta",
            "beta",
            type=_part(0.5),
            show_default=f"{usual.beta:g}",
            metavar="P",
            help="How often a bot that is elo1 better may be taken for not better.",
        ),
        _option(
            "--alpha",
            "alpha",
            type=_part(0.5),
            show_default=f"{usual.alpha:g}",
            metavar="P",
            help="How often a bot that is elo0 better may be taken for better.",
        ),
        _option(
            "--elo1",
            "elo1",
            type=float,
            show_default=f"{usual.elo1:g}",
            metavar="E",
            help="The difference in Elo points that would make it better.",
        ),
        _option(
            "--elo0",
            "elo0",
            type=float,
            show_default=f"{usual.elo0:g}",
            metavar="E",
            help="The difference in Elo points that would not.",
        ),
        _option("--name", "name", help="What to call it; compare-1 and so on unless given."),
    ):
        command = option(command)
    return command


def format_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options for who plays in which format."""
    for option in reversed(
        (
            _option("--name", "name", help="What to call it; tournament-1 and so on unless given."),
            _option(
                "--bots",
                "bots",
                callback=_keep_names,
                metavar="A,B@2,…",
                help="Who plays; the newest version of every bot unless given.",
            ),
            _option(
                "--format",
                "format",
                type=click.Choice(FORMATS),
                show_default=FORMATS[0],
                help="Who meets whom.",
            ),
            _option(
                "--pairs",
                "pairs",
                type=click.IntRange(1),
                show_default="100",
                metavar="N",
                help="Deals that two bots play when they meet, each twice with the seats swapped; "
                "in a knockout at most.",
            ),
            _option(
                "--gauntlet",
                "challengers",
                callback=_keep_names,
                metavar="NEW,…",
                help="Gauntlet: these meet all others, which don't meet each other.",
            ),
            _option(
                "--against-top",
                "against_top",
                type=click.IntRange(1),
                metavar="N",
                help="Gauntlet: --bots meet the N best of the rankings.",
            ),
            _option(
                "--rounds",
                "rounds",
                type=click.IntRange(1),
                show_default="as many as a knockout has",
                metavar="N",
                help="Swiss: how many rounds.",
            ),
            _option(
                "--seeding",
                "seeding",
                type=click.Choice(["rating", "given"]),
                show_default="rating",
                help="Knockout: by the rankings, or in the order of --bots, best first.",
            ),
            _option(
                "--doubt",
                "doubt",
                type=_part(1),
                show_default="0.05",
                metavar="P",
                help="Knockout: how often at most equal bots end a match before its last pair.",
            ),
            _option(
                "--certainty",
                "certainty",
                type=_part(1),
                show_default="0.95",
                metavar="P",
                help="Adaptive: how sure the whole order is to be.",
            ),
            _option(
                "--games",
                "games",
                type=click.IntRange(2),
                show_default="as a round robin of 500 pairs",
                metavar="N",
                help="Adaptive: the most games to play in all.",
            ),
            _option(
                "--start-pairs",
                "start_pairs",
                type=click.IntRange(1),
                show_default="10",
                metavar="N",
                help="Adaptive: pairs a pairing in the round robin at the start.",
            ),
            _option(
                "--step-pairs",
                "step_pairs",
                type=click.IntRange(1),
                show_default="100",
                metavar="N",
                help="Adaptive: pairs from one decision to the next at least.",
            ),
        )
    ):
        command = option(command)
    return command
