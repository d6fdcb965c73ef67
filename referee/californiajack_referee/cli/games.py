"""`caljack games` and `replay`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from californiajack_referee.cli.exporting import chosen_export, export_options, write_sheet
from californiajack_referee.cli.output import (
    JSON_OPTION,
    example,
    say,
    write_cards,
    write_json,
    write_table,
)
from californiajack_referee.cli.place import Place, pass_place
from californiajack_referee.cli.records import record_of_game
from californiajack_referee.show.game import format_game
from californiajack_referee.show.games import GAME_FIELDS
from californiajack_referee.show.sheet import Sheet
from californiajack_referee.show.table import Column, Table
from californiajack_referee.values import GameId

if TYPE_CHECKING:
    from pathlib import Path

    from californiajack_referee.league.stored import StoredGame

_COLUMNS = (
    Column("game"),
    Column("seat 0"),
    Column("seat 1"),
    Column("winner"),
    Column("score", right=True),
    Column("ended"),
)


@click.command(
    epilog=example(
        "caljack games --tournament night --bot fox", "caljack games --output games.parquet"
    )
)
@click.option("--tournament", metavar="NAME", help="Only games of this tournament.")
@click.option("--bot", metavar="NAME[@VERSION]", help="Only games of this bot.")
@export_options
@JSON_OPTION
@pass_place
def games(  # noqa: PLR0913 - an argument an option
    place: Place,
    *,
    tournament: str | None,
    bot: str | None,
    file_format: str | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """List the games that have been played.

    With --format or --output, as a table for programs: a row a game.
    """
    export = chosen_export(file_format, output, as_json=as_json)
    with place.open() as league:
        if export is not None:
            write_sheet(Sheet(GAME_FIELDS, league.store.games(tournament, bot)), export)
            return
        found = list(league.store.games(tournament, bot))
    if as_json:
        write_json({"games": [_game_data(game) for game in found]})
    elif found:
        write_table(Table(_COLUMNS, tuple(map(_game_row, found))))
    else:
        say(f"No games yet. Play some: {place.command('tournament run')}")


def _game_row(game: StoredGame) -> tuple[str, ...]:
    verdict = game.result.verdict
    return (
        str(game.id),
        game.seats[0].label,
        game.seats[1].label,
        "" if verdict.winner is None else game.seats[verdict.winner].label,
        "{} to {}".format(*game.result.score),
        verdict.termination.value,
    )


def _game_data(game: StoredGame) -> dict[str, object]:
    verdict = game.result.verdict
    return {
        "game": str(game.id),
        "tournament": game.id.tournament,
        "pairing": game.id.pairing,
        "deal": game.id.deal,
        "seating": game.id.seating,
        "seats": [bot.label for bot in game.seats],
        "winner": verdict.winner,
        "score": list(game.result.score),
        "termination": verdict.termination.value,
        "blame": verdict.blame,
        "words": verdict.words,
        "detail": verdict.detail,
        "used_ms": list(game.result.used_ms),
        "cpu_ms": list(game.result.cpu_ms),
        "sandbox": game.result.layer.value,
    }


@click.command(epilog=example("caljack replay night/0/17/1 --round 2", "caljack games"))
@click.argument("game_id", metavar="ID")
@click.option("--round", "round_number", type=int, metavar="N", help="Only this round, from 1.")
@JSON_OPTION
@pass_place
def replay(place: Place, *, game_id: str, round_number: int | None, as_json: bool) -> None:
    """Show a game trick by trick, with both hands.

    ID is the game's name as `caljack games` lists it. With --json, the game's record.
    """
    with place.open() as league:
        game = league.store.game(GameId.parse(game_id))
        tournament = league.store.tournament(game.id.tournament)
    if as_json:
        write_json(record_of_game(game, tournament).to_json())
    else:
        write_cards(format_game(game, tournament, round_number))
