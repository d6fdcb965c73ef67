"""`caljack games` and `replay`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from californiajack import InputError
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
from californiajack_referee.cli.records import record_of_shown
from californiajack_referee.league.stored import is_casual
from californiajack_referee.show.game import format_shown
from californiajack_referee.show.games import GAME_FIELDS
from californiajack_referee.show.sheet import Sheet
from californiajack_referee.show.shown import shown_casual, shown_game
from californiajack_referee.show.table import Column, Table
from californiajack_referee.values import GameId

if TYPE_CHECKING:
    from pathlib import Path

    from californiajack_referee.league.store import Store
    from californiajack_referee.league.stored import CasualGame, StoredGame
    from californiajack_referee.show.shown import ShownGame
    from californiajack_referee.values import GameResult

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
        "caljack games --tournament night --bot fox",
        "caljack games --output games.parquet",
        "caljack games --casual",
    )
)
@click.option("--tournament", metavar="NAME", help="Only games of this tournament.")
@click.option("--bot", metavar="NAME[@VERSION]", help="Only games of this bot.")
@click.option("--casual", is_flag=True, help="The games that people have played against bots.")
@export_options
@JSON_OPTION
@pass_place
def games(  # noqa: PLR0913 - an argument an option
    place: Place,
    *,
    tournament: str | None,
    bot: str | None,
    casual: bool,
    file_format: str | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """List the games that have been played.

    With --format or --output, as a table for programs: a row a game.
    """
    export = chosen_export(file_format, output, as_json=as_json)
    if casual:
        if tournament is not None or export is not None:
            raise InputError(
                "casual: expected it without --tournament, --format and --output, as casual games "
                "are of no tournament and in no table: leave out one or the other"
            )
        _list_casual(place, bot, as_json=as_json)
        return
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


def _list_casual(place: Place, bot: str | None, *, as_json: bool) -> None:
    with place.open() as league:
        found = list(league.store.casual.games(bot))
    if as_json:
        write_json({"casual_games": [_casual_data(game) for game in found]})
    elif found:
        rows = tuple(_row(game.name, game.players, game.result) for game in found)
        write_table(Table(_COLUMNS, rows))
    else:
        command = place.command(f"play {bot or 'BOT'}")
        say(f"No casual games yet{f' against {bot}' if bot else ''}. Play one: {command}")


def _game_row(game: StoredGame) -> tuple[str, ...]:
    return _row(str(game.id), (game.seats[0].label, game.seats[1].label), game.result)


def _row(name: str, players: tuple[str, str], result: GameResult) -> tuple[str, ...]:
    verdict = result.verdict
    return (
        name,
        *players,
        "" if verdict.winner is None else players[verdict.winner],
        "{} to {}".format(*result.score),
        verdict.termination.value,
    )


def _game_data(game: StoredGame) -> dict[str, object]:
    return {
        "game": str(game.id),
        "tournament": game.id.tournament,
        "pairing": game.id.pairing,
        "deal": game.id.deal,
        "seating": game.id.seating,
        "seats": [bot.label for bot in game.seats],
        **_result_data(game.result),
    }


def _casual_data(game: CasualGame) -> dict[str, object]:
    return {
        "game": game.name,
        "played_at": game.played_at.isoformat(),
        "seed": game.seed.hex(),
        "deal": game.result.deal,
        "seats": list(game.players),
        "person": game.seat,
        **_result_data(game.result),
    }


def _result_data(result: GameResult) -> dict[str, object]:
    verdict = result.verdict
    return {
        "winner": verdict.winner,
        "score": list(result.score),
        "termination": verdict.termination.value,
        "blame": verdict.blame,
        "words": verdict.words,
        "detail": verdict.detail,
        "used_ms": list(result.used_ms),
        "cpu_ms": list(result.cpu_ms),
        "sandbox": result.layer.value,
    }


@click.command(epilog=example("caljack replay night/0/17/1 --round 2", "caljack replay casual/1"))
@click.argument("game_id", metavar="ID")
@click.option(
    "--round",
    "round_number",
    type=int,
    metavar="N",
    help="Only this round, from 1; on a terminal, the one to begin with.",
)
@click.option(
    "--seat",
    type=click.Choice(["open", "0", "1"]),
    default="open",
    show_default=True,
    help="On a terminal: show both hands, or what this seat saw.",
)
@click.option("--print", "printed", is_flag=True, help="Print it on a terminal, too.")
@JSON_OPTION
@pass_place
def replay(  # noqa: PLR0913 - an argument an option
    place: Place,
    *,
    game_id: str,
    round_number: int | None,
    seat: str,
    printed: bool,
    as_json: bool,
) -> None:
    """Show a game trick by trick, with both hands.

    ID is the game's name as `caljack games` lists it. On a terminal the arrow keys step through it,
    left and right a card, up and down a round; a digit goes to that round, s changes the seat from
    which it is seen, and q ends. Elsewhere it is printed. With --json, the game's record.
    """
    with place.open() as league:
        game = _game_called(league.store, game_id)
    if as_json:
        write_json(record_of_shown(game).to_json())
    elif printed or not _stepped(game, round_number, seat):
        write_cards(format_shown(game, round_number))


def _stepped(game: ShownGame, round_number: int | None, seat: str) -> bool:
    """Lets the person step through a game, where there is a terminal that can; tells whether.

    Raises:
        InputError: the game has no such round.
    """
    # one that is closed is None
    if not all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        return False
    from californiajack_referee.cli.screen import Screen
    from californiajack_referee.cli.stepping import step_through
    from californiajack_referee.show.game import check_round, rounds_of
    from californiajack_referee.show.steps import Sight

    screen = Screen()
    if not screen.live:
        return False
    if round_number is not None:
        check_round(game, round_number, len(rounds_of(game)))
    step_through(screen, game, round_number or 1, Sight(seat))
    return True


def _game_called(store: Store, name: str) -> ShownGame:
    """Finds a tournament's game, or a casual one.

    Raises:
        InputError: there is no such game.
    """
    if is_casual(name):
        return shown_casual(store.casual.game(name))
    game = store.game(GameId.parse(name))
    return shown_game(game, store.tournament(game.id.tournament))
