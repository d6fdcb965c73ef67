"""`caljack check`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from californiajack_referee.cli.limits import bounds_at, resource_options, time_options
from californiajack_referee.cli.output import (
    JSON_OPTION,
    NO,
    example,
    say,
    write_cards,
    write_json,
)
from californiajack_referee.cli.place import Place, pass_place

if TYPE_CHECKING:
    from californiajack.conformance import FaultyTurn

_USUAL_TIME = 60


@click.command(epilog=example("caljack check my-bot", "caljack check my-bot --games 20 --json"))
@click.argument("path", type=click.Path(path_type=Path), metavar="PATH")
@click.option(
    "--games",
    type=click.IntRange(1, 100_000),
    default=200,
    show_default=True,
    help="Games of each ruleset.",
)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(1, 86_400),
    default=_USUAL_TIME,
    show_default=True,
    metavar="S",
    help="Seconds after which a clause begins no new game.",
)
@time_options
@resource_options
@JSON_OPTION
@pass_place
@click.pass_context
def check(  # noqa: PLR0913 - as many as there are options
    context: click.Context,
    place: Place,
    path: Path,
    games: int,
    seconds: float,
    *,
    as_json: bool,
) -> None:
    """Check a bot: all that a tournament wants of it.

    Builds a copy of the bot in folder PATH and plays hundreds of games against a built-in player:
    every ruleset, both seats, one and many games at once, and some of them twice. One line a clause
    with its id; below what fails, the exact turn. Nothing is stored. Exit status 1 if the bot would
    lose games by a fault of its own.
    """
    from californiajack_referee.workbench.check import CheckTerms
    from californiajack_referee.workbench.check import check as check_bot

    bounds = bounds_at(context, place.folder)
    terms = CheckTerms(
        games=games,
        seconds=seconds,
        limits=bounds.limits,
        resources=bounds.resources,
        layer=bounds.layer,
    )
    report = check_bot(
        path, terms, tell=say, command=lambda turn: place.command(_command(path, turn))
    )
    if as_json:
        write_json(report.to_json())
    else:
        write_cards(str(report))
    if report.passed:
        say("It passes.")
    else:
        ids = ", ".join(found.clause.id for found in report.failed)
        say(f"It doesn't pass: {ids}.")
        context.exit(NO)


def _command(path: Path, turn: FaultyTurn) -> str:
    import shlex

    rules = turn.ruleset
    return (
        f"debug {shlex.quote(str(path))} --seed {turn.seed.hex()} --deal {turn.deal} "
        f"--seat {turn.seat} --scoring {rules.scoring.value} --follow {rules.follow.value}"
    )
