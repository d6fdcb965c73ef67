"""`caljack faults`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from californiajack_referee.cli.output import (
    JSON_OPTION,
    example,
    say,
    write_cards,
    write_json,
)
from californiajack_referee.cli.place import Place, pass_place
from californiajack_referee.show.faults import (
    Group,
    Moment,
    blamed,
    fault_data,
    format_fault,
    format_heading,
    grouped,
    moment_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from californiajack_referee.league.stored import StoredGame, StoredTournament


@click.command(epilog=example("caljack faults --bot fox", "caljack faults --tournament night"))
@click.option("--bot", metavar="NAME[@VERSION]", help="Only faults of this bot.")
@click.option("--tournament", metavar="NAME", help="Only faults in this tournament.")
@click.option("--all", "everything", is_flag=True, help="Show every fault, however much alike.")
@JSON_OPTION
@pass_place
def faults(
    place: Place, *, bot: str | None, tournament: str | None, everything: bool, as_json: bool
) -> None:
    """List the games that bots lost by a fault of their own.

    Each with the verdict, the turn that the bot had, as it saw it, the last lines it wrote, and the
    command that replays the moment. Faults of one bot and kind that differ in cards and numbers
    only are shown once. The newest tournament comes last.
    """
    with place.open() as league:
        games = [g for g in league.store.games(tournament, bot) if _is_fault_of(g, bot)]
        tournaments = {one.name: one for one in league.store.tournaments()}
    if as_json:
        write_json({"faults": [_data(place, game, tournaments) for game in games]})
    elif games:
        parts = (
            _text(place, group, tournaments, everything=everything) for group in grouped(games)
        )
        write_cards("\n\n".join(parts))
    else:
        say("No faults.")


def _is_fault_of(game: StoredGame, bot: str | None) -> bool:
    found = blamed(game)
    return found is not None and (bot is None or bot in (found.name, found.label))


def _text(
    place: Place, group: Group, tournaments: Mapping[str, StoredTournament], *, everything: bool
) -> str:
    shown = group.games if everything else group.shown()
    parts = [format_heading(group)]
    for game in shown:
        moment = moment_of(game, tournaments[game.id.tournament])
        log, command = _log(place, game), _command(place, game, moment)
        parts.append(format_fault(game, moment, log=log, command=command))
    more = len(group.games) - len(shown)
    if more:
        tournament = group.games[0].id.tournament
        command = place.command(f"faults --bot {group.bot.label} --tournament {tournament} --all")
        parts.append(f"  and {more} more like {'these' if len(shown) > 1 else 'this'}: {command}")
    return "\n".join(parts)


def _data(
    place: Place, game: StoredGame, tournaments: Mapping[str, StoredTournament]
) -> dict[str, object]:
    moment = moment_of(game, tournaments[game.id.tournament])
    log, command = _log(place, game), _command(place, game, moment)
    return fault_data(game, moment, log=log, command=command)


def _log(place: Place, game: StoredGame) -> str:
    """Gives where the bot's whole output is; empty where nothing was kept."""
    bot, name = blamed(game), game.id
    if bot is None:
        return ""
    file = f"{name.pairing}-{name.seating}-{bot.label}.log"
    path = place.folder / "logs" / name.tournament / file
    return str(path) if path.exists() else ""


def _command(place: Place, game: StoredGame, moment: Moment) -> str:
    return place.command(f"replay {game.id} --round {moment.round_number}")
