"""`caljack play`: a person against a bot, in the terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from californiajack import CaliforniaJackError, InputError, Ruleset, Termination
from californiajack_referee.cli.limits import bounds_of, resource_options, time_options
from californiajack_referee.cli.output import NO, example, say, write, write_cards
from californiajack_referee.cli.place import Place, pass_place
from californiajack_referee.cli.wishing import rules_options, wishes_of

if TYPE_CHECKING:
    from californiajack_referee.league.folder import League
    from californiajack_referee.play.casual import CasualOrder
    from californiajack_referee.values import BotProgram, GameResult

_RULES = ("target", "scoring", "follow")
_SEED_BYTES = 16
_LARGEST_DEAL = 2**63 - 1
_LONGEST_NAME = 20


@click.command(epilog=example("caljack play greedy", "caljack play ./my-bot --target 3 --seat 0"))
@click.argument("bot", metavar="BOT")
@click.option(
    "--seat",
    type=click.Choice(["0", "1"]),
    default="1",
    show_default=True,
    help="Your seat: 0 deals the first round, 1 leads in it.",
)
@click.option(
    "--deal",
    type=click.IntRange(0, _LARGEST_DEAL),
    default=0,
    show_default=True,
    metavar="N",
    help="The deal's number.",
)
@rules_options
@click.option(
    "--as", "person", default="you", show_default=True, metavar="NAME", help="What to call you."
)
@time_options
@resource_options
@pass_place
@click.pass_context
def play(  # noqa: PLR0913 - an argument an option
    context: click.Context, place: Place, *, bot: str, seat: str, deal: int, person: str
) -> None:
    """Play a game against a bot in the terminal.

    BOT is a bot of the league, such as fox or fox@2, or the path of a bot's folder, whose command
    is run as it stands. Your clock doesn't run, the bot's does. A game that ends is kept in the
    league as a casual game: it is in no ranking and no tournament. Type help for what else can be
    typed.

    Exit status: 0 played to an end, 1 left before it or nothing came of it, 2 wrong use.
    """
    from californiajack.deal import parse_seed

    # one that is closed is None
    if not (sys.stdin and sys.stdout):
        raise InputError("play: expected open standard input and output, found one closed: open it")
    wishes = wishes_of(context)
    _check_name(person)
    rules = Ruleset(**{key: wishes[key] for key in _RULES if key in wishes})
    seed = parse_seed(wishes["seed"]) if "seed" in wishes else _random_seed()
    with place.open(create=_is_path(bot)) as league:
        from californiajack_referee.play.casual import CasualOrder

        program = _program(league, bot)
        bounds = bounds_of(context, league)
        order = CasualOrder(
            bot=program,
            person=person,
            seat=int(seat),
            seed=seed,
            deal=deal,
            ruleset=rules,
            limits=bounds.limits,
            resources=bounds.resources,
            layer=bounds.layer,
        )
        result = _played(order)
        if result is None:
            say("You left before the end: the game is not kept.")
            context.exit(NO)
        _tell_end(place, league, order, result)


def _check_name(name: str) -> None:
    if not 1 <= len(name) <= _LONGEST_NAME or not name.isprintable() or not name.strip():
        raise InputError(
            f"as: expected a name of 1 to {_LONGEST_NAME} characters that can be printed, "
            f"got {name!r}"
        )


def _random_seed() -> bytes:
    import secrets

    return secrets.token_bytes(_SEED_BYTES)


def _is_path(spec: str) -> bool:
    return "/" in spec or spec in {".", ".."}


def _program(league: League, spec: str) -> BotProgram:
    """Finds a bot of the league, or what a folder's bot.toml tells to run.

    Raises:
        InputError: there is no such bot, or its folder is not as it has to be.
    """
    if not _is_path(spec):
        return league.program_of(league.store.find_bot(spec))
    from pathlib import Path

    from californiajack_referee.submission.manifest import read_manifest
    from californiajack_referee.values import BotProgram

    folder = Path(spec)
    manifest = read_manifest(folder)
    return BotProgram(manifest.name, str(folder.resolve()), manifest.command)


def _played(order: CasualOrder) -> GameResult | None:
    """Plays a game before the person's eyes; None where the person left it."""
    import asyncio

    from californiajack_referee.cli.person import Person
    from californiajack_referee.cli.screen import Screen
    from californiajack_referee.play.casual import Guest, play_casual
    from californiajack_referee.show.game import format_rules

    screen = Screen()
    screen.write(
        f"You play against {order.bot.name}. Rules: {format_rules(order.ruleset)}.",
        "Type a card's number or name; help tells what else there is.",
    )

    async def run() -> GameResult | None:
        person = Person(screen, order.bot.name.partition("@")[0], order.ruleset)
        person.guest = Guest(order.seat, person.tell)
        task = asyncio.current_task()
        with person.listening(lambda: task and task.cancel()):
            try:
                result = await play_casual(order, person.guest, person.host)
            except asyncio.CancelledError:
                if not person.left:
                    raise
                return None
        return None if person.left else result

    return asyncio.run(run())


def _tell_end(place: Place, league: League, order: CasualOrder, result: GameResult) -> None:
    """Says how a game ended, and keeps it where it has a winner that played.

    Raises:
        CaliforniaJackError: the bot never started, or the game is void.
    """
    from datetime import UTC, datetime

    from californiajack_referee.league.stored import CASUAL, CasualGame

    verdict = result.verdict
    never_started = verdict.termination is Termination.NEVER_STARTED
    if never_started or verdict.winner is None:
        detail = f"\nIts last lines:\n{verdict.detail.rstrip()}" if verdict.detail else ""
        hint = "mend it, or submit it, which builds it too: caljack submit" if never_started else ""
        raise CaliforniaJackError(
            f"the game came to nothing: {verdict.words}.{detail}\n"
            f"What to do: {hint or 'play again'}."
        )
    write("")
    write_cards(f"{verdict.words}.")
    if verdict.detail:
        write_cards(f"Its last lines:\n{verdict.detail.rstrip()}")
    if verdict.termination is not Termination.NORMAL:
        write("You win." if verdict.winner == order.seat else f"{order.bot.name} wins.")
    number = league.store.casual.add(
        CasualGame(
            number=0,
            person=order.person,
            bot=order.bot.name,
            seat=order.seat,
            seed=order.seed,
            ruleset=order.ruleset,
            played_at=datetime.now(UTC).replace(microsecond=0),
            result=result,
        )
    )
    write(f"To look at it: {place.command(f'replay {CASUAL}{number}')}")
    write(f"The same deal again: --seed {order.seed.hex()} --deal {order.deal}")
