"""`caljack debug`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from californiajack import CaliforniaJackError, FollowRule, InputError, Ruleset, Scoring
from californiajack_referee.cli.output import NO, example, say
from californiajack_referee.cli.past import start_of
from californiajack_referee.cli.place import Place, pass_place
from californiajack_referee.values import BotProgram, GameId
from californiajack_referee.workbench.start import DebugOrder, Start

_USUAL = Ruleset()


@click.command(
    epilog=example(
        "caljack debug my-bot",
        "caljack debug my-bot --opponent greedy --deal 7 --wire",
        "caljack debug my-bot --from night/0/17/1 --round 2 --trick 5",
    )
)
@click.argument("path", type=click.Path(path_type=Path), metavar="PATH")
@click.option(
    "--opponent",
    metavar="BOT",
    help="A bot's folder, or NAME[@VERSION] of the league; plays any legal card unless given.",
)
@click.option("--deal", type=click.IntRange(0, 2**64 - 1), metavar="N", help="The deal, from 0.")
@click.option("--seat", type=click.IntRange(0, 1), help="Its seat; seat 0 deals first.")
@click.option("--seed", metavar="HEX", help="The seed of the deals.")
@click.option(
    "--scoring",
    type=click.Choice([choice.value for choice in Scoring]),
    show_default=_USUAL.scoring.value,
    help="How a round's fourth game point is given.",
)
@click.option(
    "--follow",
    type=click.Choice([choice.value for choice in FollowRule]),
    show_default=_USUAL.follow.value,
    help="What a follower may play.",
)
@click.option("--from", "game_id", metavar="ID", help="Begin with the cards of this earlier game.")
@click.option("--round", "round_number", type=int, metavar="N", help="With --from: its round.")
@click.option("--trick", "trick_number", type=int, metavar="N", help="With --from: its trick.")
@click.option("--wire", is_flag=True, help="Show the messages to the bot and from it.")
@pass_place
@click.pass_context
def debug(  # noqa: PLR0913 - as many as there are options
    context: click.Context,
    place: Place,
    /,
    path: Path,
    *,
    opponent: str | None,
    game_id: str | None,
    round_number: int | None,
    trick_number: int | None,
    wire: bool,
    **given: Any,  # noqa: ANN401 - the options of a game, each with a type of its own
) -> None:
    """Play one game with a bot in this terminal.

    The bot of folder PATH runs as it stands there, not built, with this terminal as its input and
    output and no clock: breakpoints are welcome. Its turns and cards are told on standard error.
    With --from, an earlier game is played again up to its --round and --trick (the first unless
    given), from the seat that a bot of this name had or that --seat says, and then played on. Exit
    status 1 if the bot lost by a fault of its own.
    """
    import tempfile

    from californiajack_referee.cli.limits import bounds_at
    from californiajack_referee.submission.manifest import read_manifest
    from californiajack_referee.workbench.debug import debug as play

    manifest = read_manifest(path)
    bot = BotProgram(manifest.name, str(path.resolve()), manifest.command)
    if game_id is None:
        if round_number is not None or trick_number is not None:
            raise InputError("--round and --trick: expected --from too, which says of which game")
        start = fresh_start(given)
    else:
        start = start_from(place, bot.name, game_id, (round_number or 1, trick_number or 1), given)
    with tempfile.TemporaryDirectory(prefix="caljack-debug-") as idle:
        other = _opponent(place, opponent or start.opponent, idle)
        layer = bounds_at(context, place.folder).layer
        say(f"{bot.name} in seat {start.seat} against {other.name}; Ctrl-C ends it")
        order = DebugOrder(bot, other, start, layer=layer, wire=wire)
        result = play(order, say)
    if result is None:
        raise CaliforniaJackError("the game was not played to an end")
    say(result.verdict.words)
    if result.verdict.blame == start.seat:
        if manifest.build:
            say(f"Has it been built? Its build step: {shlex.join(manifest.build)}")
        context.exit(NO)


def fresh_start(given: dict[str, Any]) -> Start:
    """Gives the start of a new game from the options.

    Raises:
        InputError: the seed is none.
    """
    from californiajack.deal import parse_seed
    from californiajack.testing import SEED

    chosen = {name: given[name] for name in ("scoring", "follow") if given[name] is not None}
    return Start(
        seed=SEED if given["seed"] is None else parse_seed(given["seed"]),
        deal=given["deal"] or 0,
        ruleset=Ruleset(**chosen),
        seat=given["seat"] or 0,
    )


def start_from(
    place: Place, name: str, game_id: str, trick: tuple[int, int], given: dict[str, Any]
) -> Start:
    """Gives the start of a game that goes on from a trick of an earlier one.

    Raises:
        InputError: there is no such game or trick, or nobody knows from which seat.
    """
    for option in ("deal", "seed", "scoring", "follow"):
        if given[option] is not None:
            raise InputError(f"--{option}: the game of --from has its own: leave it out")
    with place.open() as league:
        game = league.store.game(GameId.parse(game_id))
        start = start_of(league, game, name, given["seat"])
    return start.after(game.result.plays, *trick)


def _opponent(place: Place, named: str, idle: str) -> BotProgram:
    """Finds the opponent: by its folder, in the league, or the built-in player for no name."""
    from californiajack_referee.submission.manifest import read_manifest
    from californiajack_referee.submission.opponent import OPPONENT

    if not named:
        return BotProgram("the built-in player", idle, OPPONENT)
    folder = Path(named)
    if folder.is_dir():
        manifest = read_manifest(folder)
        return BotProgram(manifest.name, str(folder.resolve()), manifest.command)
    with place.open() as league:
        return league.program_of(league.store.find_bot(named))
