"""`caljack submit` and `caljack bots`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from californiajack import CaliforniaJackError
from californiajack_referee.cli.limits import bounds_of, resource_options, time_options
from californiajack_referee.cli.output import (
    JSON_OPTION,
    NO,
    example,
    say,
    write,
    write_json,
    write_table,
)
from californiajack_referee.cli.place import Place, pass_place
from californiajack_referee.show.table import Column, Table

if TYPE_CHECKING:
    from californiajack_referee.league.stored import StoredBot

_SHORT_DIGEST = 12


@click.command(epilog=example("caljack submit bots/fox bots/hen"))
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH…")
@time_options
@resource_options
@pass_place
@click.pass_context
def submit(context: click.Context, place: Place, paths: tuple[Path, ...]) -> None:
    """Submit bots, each a folder with a bot.toml.

    A bot is built, plays two short games against a built-in player, and is then stored as the next
    version of its name. One that fails is not stored. The same content again is the same version.
    """
    from californiajack_referee.submission.submit import submit as submit_bot

    refused = 0
    with place.open(create=True) as league:
        bounds = bounds_of(context, league)
        for path in paths:
            say(f"Building and trying {path} …")
            try:
                known = {bot.label for bot in league.store.bots()}
                bot = submit_bot(
                    league,
                    path,
                    limits=bounds.limits,
                    resources=bounds.resources,
                    layer=bounds.layer,
                )
            except CaliforniaJackError as error:
                say(f"Not submitted: {error}")
                refused += 1
            else:
                write(f"{bot.label} {'was there already' if bot.label in known else 'submitted'}.")
    if refused:
        context.exit(NO)
    say(f"Next: {place.command('tournament run')}")


@click.command(epilog=example("caljack bots"))
@JSON_OPTION
@pass_place
def bots(place: Place, *, as_json: bool) -> None:
    """List the submitted bots, with all their versions."""
    with place.open() as league:
        found = league.store.bots()
    if as_json:
        write_json({"bots": [_bot_data(bot) for bot in found]})
    elif found:
        write_table(
            Table(
                columns=(
                    Column("bot"),
                    Column("version", right=True),
                    Column("hash"),
                    Column("language"),
                    Column("submitted"),
                ),
                rows=tuple(
                    (
                        bot.name,
                        str(bot.version),
                        bot.digest[:_SHORT_DIGEST],
                        bot.language,
                        f"{bot.submitted_at:%Y-%m-%d %H:%M} UTC",
                    )
                    for bot in found
                ),
            )
        )
    else:
        say(f"No bots yet: {place.command('submit PATH')}")


def _bot_data(bot: StoredBot) -> dict[str, object]:
    return {
        "bot": bot.label,
        "name": bot.name,
        "version": bot.version,
        "digest": bot.digest,
        "language": bot.language,
        "authors": list(bot.authors),
        "command": list(bot.command),
        "submitted_at": bot.submitted_at.isoformat(),
    }
