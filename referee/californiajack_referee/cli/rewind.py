"""`caljack rewind`."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

import click

from californiajack import CARDS, InputError
from californiajack.cards import format_cards
from californiajack_referee.cli.limits import bounds_at, resource_options, time_options
from californiajack_referee.cli.output import (
    JSON_OPTION,
    NO,
    example,
    say,
    write_cards,
    write_json,
)
from californiajack_referee.cli.past import start_of
from californiajack_referee.cli.place import Place, pass_place
from californiajack_referee.values import BotProgram, GameId

if TYPE_CHECKING:
    from californiajack_referee.league.folder import League
    from californiajack_referee.league.stored import StoredGame
    from californiajack_referee.workbench.rewind import Choice, PastGame, Rewound


@click.command(
    epilog=example(
        "caljack rewind night/0/17/1 --bot my-bot", "caljack rewind --losses 10 --bot my-bot"
    )
)
@click.argument("game_id", metavar="[ID]", required=False)
@click.option(
    "--bot",
    "path",
    type=click.Path(path_type=Path),
    metavar="PATH",
    required=True,
    help="The new version's folder.",
)
@click.option(
    "--losses",
    type=click.IntRange(1, 10_000),
    metavar="N",
    help="The last N games that a bot of its name lost, instead of ID.",
)
@click.option("--seat", type=click.IntRange(0, 1), help="With ID: whose part it plays.")
@time_options
@resource_options
@JSON_OPTION
@pass_place
@click.pass_context
def rewind(  # noqa: PLR0913 - as many as there are options
    context: click.Context,
    place: Place,
    /,
    game_id: str | None,
    path: Path,
    *,
    losses: int | None,
    seat: int | None,
    as_json: bool,
) -> None:
    """Show earlier games to a new version of a bot.

    The bot of folder --bot, as it stands there, is asked at every turn that its seat had in game ID
    or in the last --losses games; listed is where it plays another card. Whatever it answers, the
    game goes on as it was played. Exit status 1 if it fails.
    """
    import tempfile

    from californiajack_referee.submission.manifest import read_manifest
    from californiajack_referee.workbench.rewind import RewindTerms
    from californiajack_referee.workbench.rewind import rewind as show

    manifest = read_manifest(path)
    if (game_id is None) == (losses is None):
        raise InputError("expected either the ID of a game, or --losses N")
    with place.open() as league:
        games = _games(league, manifest.name, game_id, losses or 0, seat)
    bounds = bounds_at(context, place.folder)
    bot = BotProgram(manifest.name, str(path.resolve()), manifest.command)
    with tempfile.TemporaryDirectory(prefix="caljack-rewind-") as idle:
        found = list(show(games, RewindTerms(bot, idle, bounds.limits, bounds.layer)))
    if as_json:
        write_json({"games": [_data(one) for one in found]})
    else:
        write_cards("\n".join(_text(place, path, one) for one in found))
    turns, other = sum(len(o.choices) for o in found), sum(len(o.different) for o in found)
    say(f"It plays another card in {other} of {turns} turns, in {len(found)} games.")
    if any(one.fault for one in found):
        context.exit(NO)


def _games(
    league: League, name: str, game_id: str | None, losses: int, seat: int | None
) -> list[PastGame]:
    """Finds the games to show.

    Raises:
        InputError: there is no such game, or no lost one.
    """
    from californiajack_referee.workbench.rewind import PastGame

    if game_id is not None:
        games = [league.store.game(GameId.parse(game_id))]
    elif seat is not None:
        raise InputError("--seat: expected the ID of a game too; of its losses a bot had the seat")
    else:
        lost = (game for game in league.store.games(bot=name) if _is_loss(game, name))
        games = list(deque(lost, maxlen=losses))
        if not games:
            raise InputError(f"no bot of the name {name} has lost a game in this league")
    return [
        PastGame(game.id, start_of(league, game, name, seat), game.result.plays) for game in games
    ]


def _is_loss(game: StoredGame, name: str) -> bool:
    """Tells whether a bot lost to one of another name; two versions of one say too little."""
    winner = game.result.verdict.winner
    one, two = (bot.name == name for bot in game.seats)
    return winner is not None and one != two and game.seats[1 - winner].name == name


def _text(place: Place, path: Path, shown: Rewound) -> str:
    import shlex

    game, other = shown.game, shown.different
    who = f"{game.id} in seat {game.start.seat} against {game.start.opponent}"
    lines = [f"{who}: {len(other)} of {len(shown.choices)} turns"]
    lines += [f"  {_line(choice)}" for choice in other]
    if shown.fault:
        lines.append(f"  {shown.fault}")
    if other:
        first = other[0].seen
        lines.append(
            "  to go on from the first of them: "
            + place.command(
                f"debug {shlex.quote(str(path))} --from {game.id} --seat {game.start.seat} "
                f"--round {first.round_number + 1} --trick {len(first.history) // 2 + 1}"
            )
        )
    return "\n".join(lines)


def _line(choice: Choice) -> str:
    from californiajack_referee.workbench.debug import turn_line

    then = "nothing" if choice.then is None else str(CARDS[choice.then])
    illegal = "" if choice.legal else ", which is illegal"
    return f"{turn_line(choice.seen)}: played {then}, now {choice.played_now}{illegal}"


def _data(shown: Rewound) -> dict[str, object]:
    return {
        "game": str(shown.game.id),
        "seat": shown.game.start.seat,
        "opponent": shown.game.start.opponent,
        "turns": len(shown.choices),
        "fault": shown.fault or None,
        "different": [
            {
                "round": choice.seen.round_number + 1,
                "trick": len(choice.seen.history) // 2 + 1,
                "hand": format_cards(choice.seen.hand),
                "legal": format_cards(choice.seen.legal),
                "then": None if choice.then is None else str(CARDS[choice.then]),
                "now": choice.played_now,
                "now_is_legal": choice.legal,
            }
            for choice in shown.different
        ],
    }
