"""`caljack demo`: the sample bots play a round robin, from nothing to the rankings."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

import californiajack_referee
from californiajack import CaliforniaJackError, InputError, Termination
from californiajack_referee.cli.output import NO, example, say, write, write_cards
from californiajack_referee.cli.place import Place, pass_place
from californiajack_referee.cli.playing import Speed, announce, play_shown, write_result
from californiajack_referee.sandbox.choice import SandboxChoice, choose_layer
from californiajack_referee.show.game import format_game
from californiajack_referee.submission.submit import submit
from californiajack_referee.tournament.tournament import create

if TYPE_CHECKING:
    from collections.abc import Iterator

    from californiajack_referee.league.folder import League
    from californiajack_referee.league.stored import StoredBot, StoredGame, StoredTournament
    from californiajack_referee.values import Layer

_BOTS = ("random", "greedy", "greedy-js", "counting")
_NEEDS = {"greedy-js": ("node", "npm")}
_PAIRS = 30
_FEWEST_BOTS = 2


@click.command(epilog=example("caljack demo", "caljack --league my-league demo"))
@pass_place
@click.pass_context
def demo(context: click.Context, place: Place) -> None:
    """Let the sample bots play a tournament.

    Makes a league in a temporary folder, unless --league names one; submits the sample bots; plays
    a round robin of 30 pairs; shows the rankings and a game. Takes less than a minute.
    """
    if not place.given:
        folder = Path(tempfile.mkdtemp(prefix="caljack-demo-")) / "league"
        place = Place(folder=folder, given=True, as_option=True)
    write(f"The league is in {place.folder}")
    write("Submitting the sample bots; each plays two short games first.")
    layer, note = choose_layer(SandboxChoice.AUTO)
    if note:
        say(note)
    with place.open(create=True) as league:
        entrants = tuple(_submitted(league, layer))
        if len(entrants) < _FEWEST_BOTS:
            raise CaliforniaJackError(
                "expected at least two sample bots to play, got "
                f"{len(entrants)}: the messages above say what is wrong with the others"
            )
        tournament = create(league, name=_name(league), entrants=entrants, pairs=_PAIRS)
        write("")
        announce(tournament, write)
        finished = play_shown(league, tournament, Speed(), layer)
        write_result(league.store, tournament, cross=False)
        if not finished:
            say(f"Stopped. To go on: {place.command(f'tournament resume {tournament.name}')}")
            context.exit(NO)
        write(f"Seed: {tournament.seed.hex()}")
        shown = _game_to_show(league, tournament)
        write("\nThe first round of one of the games:\n")
        write_cards(format_game(shown, tournament, 1))
    write("\n".join(_what_next(place, tournament, shown)))


def sample_bots_folder() -> Path:
    """Finds the sample bots: beside the installed package, or in the clone it is installed from.

    Raises:
        InputError: they are in neither place.
    """
    package = Path(californiajack_referee.__file__).parent
    for folder in (package / "sample_bots", package.parents[1] / "sample_bots"):
        if folder.is_dir():
            return folder
    raise InputError(
        "the sample bots are missing: expected a folder sample_bots in the installed package or "
        "in the clone: install californiajack[referee] again"
    )


def _submitted(league: League, layer: Layer) -> Iterator[StoredBot]:
    """Submits the sample bots, and says which are left out and why."""
    for name in _BOTS:
        missing = [program for program in _NEEDS.get(name, ()) if shutil.which(program) is None]
        if missing:
            say(f"{name} is left out: it needs {' and '.join(missing)}, not found on this machine.")
            continue
        try:
            bot = submit(league, sample_bots_folder() / name, layer=layer)
        except CaliforniaJackError as error:
            say(f"{name} is left out: {error}")
        else:
            write(f"Submitted {bot.label}")
            yield bot


def _name(league: League) -> str:
    taken = {tournament.name for tournament in league.store.tournaments()}
    names = ("demo", *(f"demo-{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def _game_to_show(league: League, tournament: StoredTournament) -> StoredGame:
    """Picks the last pairing's first game that was played to its end, else any game."""
    games = list(league.store.games(tournament.name))
    whole = [game for game in games if game.result.verdict.termination is Termination.NORMAL]
    return max(whole or games, key=lambda game: (game.id.pairing, -game.id.deal, -game.id.seating))


def _what_next(place: Place, tournament: StoredTournament, shown: StoredGame) -> list[str]:
    return [
        "",
        "What next:",
        f"  {place.command(f'replay {shown.id}')}",
        "      the whole of that game",
        f"  {place.command(f'tournament show {tournament.name}')}",
        "      who beat whom",
        f"  {place.command('submit my-bot')}",
        "      a bot of your own: copy one from",
        f"      {sample_bots_folder()}",
        f"  {place.command('tournament run')}",
        "      and see where it stands",
    ]
