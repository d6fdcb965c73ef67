"""`caljack tournament`: run, resume, list, show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from californiajack import FollowRule, Ruleset, Scoring
from californiajack.deal import parse_seed
from californiajack_referee.cli.exporting import chosen_export, export_options
from californiajack_referee.cli.limits import (
    Bounds,
    bounds_of,
    resource_options,
    time_options,
)
from californiajack_referee.cli.output import (
    JSON_OPTION,
    NO,
    InOrder,
    example,
    say,
    write,
    write_json,
    write_table,
)
from californiajack_referee.cli.place import Place, pass_place
from californiajack_referee.cli.playing import (
    Speed,
    announce,
    draw_cross,
    games_in_all,
    layers_line,
    play_shown,
    tournament_line,
    write_cross_sheet,
    write_result,
    write_tournament_json,
)
from californiajack_referee.cli.plotting import check_plot, plot_option
from californiajack_referee.show.table import Column, Table
from californiajack_referee.values import MOST_GAMES_AT_ONCE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from californiajack_referee.league.folder import League
    from californiajack_referee.league.store import Store
    from californiajack_referee.league.stored import StoredBot, StoredTournament

_LIST_COLUMNS = (
    Column("tournament"),
    Column("bots"),
    Column("pairs", right=True),
    Column("games", right=True),
    Column("finished"),
    Column("created"),
)


def _play_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options that only change how fast a tournament is played."""
    for option in (
        click.option(
            "--games-at-once",
            type=click.IntRange(1, MOST_GAMES_AT_ONCE),
            default=Speed().games_at_once,
            show_default=True,
            metavar="N",
            help="Games that a bot's process plays at once at most.",
        ),
        click.option(
            "--jobs",
            type=click.IntRange(1),
            default=Speed().jobs,
            show_default="half the cores",
            metavar="N",
            help="Series played at once, each with two bot processes; one more of quick bots.",
        ),
    ):
        command = option(command)
    return command


@click.group(cls=InOrder, epilog=example("caljack tournament run --bots fox,hen@2 --pairs 200"))
def tournament() -> None:
    """Play tournaments, and see how they went."""


@tournament.command(
    epilog=example(
        "caljack tournament run",
        "caljack tournament run --name night --bots fox,hen@2 --pairs 200",
    )
)
@click.option("--name", help="What to call it; tournament-1 and so on unless given.")
@click.option(
    "--bots",
    metavar="A,B@2,…",
    help="Who plays; the newest version of every bot unless given.",
)
@click.option(
    "--pairs",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    metavar="N",
    help="Deals that each pairing plays, each twice with the seats swapped.",
)
@click.option("--seed", metavar="HEX", help="16 to 64 bytes that fix all deals; random if absent.")
@_play_options
@time_options
@resource_options
@click.option(
    "--scoring",
    type=click.Choice([kind.value for kind in Scoring]),
    default=Scoring.TRICK_POINTS.value,
    show_default=True,
    help="What the fourth game point of a round is for.",
)
@click.option(
    "--follow",
    type=click.Choice([kind.value for kind in FollowRule]),
    default=FollowRule.FOLLOW.value,
    show_default=True,
    help="What the second player of a trick may play.",
)
@click.option(
    "--target",
    type=int,
    default=Ruleset().target,
    show_default=True,
    metavar="N",
    help="Game points that win a game, 1 to 100.",
)
@JSON_OPTION
@pass_place
@click.pass_context
def run(  # noqa: PLR0913 - an argument an option
    context: click.Context,
    place: Place,
    *,
    name: str | None,
    bots: str | None,
    pairs: int,
    seed: str | None,
    jobs: int,
    games_at_once: int,
    scoring: str,
    follow: str,
    target: int,
    as_json: bool,
) -> None:
    """Play a round robin.

    Every bot plays every other, all on the same deals. The SHA-256 of the seed is printed before
    the first game and the seed itself after the last, so that anyone can check that the deals were
    fixed beforehand. Ctrl-C stops; what has been played stays, and `caljack tournament resume`
    plays the rest.
    """
    from californiajack_referee.tournament.tournament import create

    ruleset = Ruleset(target=target, scoring=Scoring(scoring), follow=FollowRule(follow))
    with place.open() as league:
        bounds = bounds_of(context, league)
        made = create(
            league,
            name=_free_name(league.store) if name is None else name,
            entrants=_entrants(league.store, bots),
            pairs=pairs,
            seed=None if seed is None else parse_seed(seed),
            ruleset=ruleset,
            limits=bounds.limits,
        )
        speed = Speed(jobs, games_at_once)
        _play(context, place, league, made, speed, bounds, as_json=as_json)


@tournament.command(epilog=example("caljack tournament resume night"))
@click.argument("name", metavar="NAME")
@_play_options
@resource_options
@JSON_OPTION
@pass_place
@click.pass_context
def resume(  # noqa: PLR0913 - an argument an option
    context: click.Context, place: Place, *, name: str, jobs: int, games_at_once: int, as_json: bool
) -> None:
    """Play what is missing of a tournament that was stopped.

    Its time limits are those it was made with.
    """
    with place.open() as league:
        found = league.store.tournament(name)
        speed, bounds = Speed(jobs, games_at_once), bounds_of(context, league)
        _play(context, place, league, found, speed, bounds, as_json=as_json)


def _play(  # noqa: PLR0913, PLR0917 - what the commands have found
    context: click.Context,
    place: Place,
    league: League,
    chosen: StoredTournament,
    speed: Speed,
    bounds: Bounds,
    *,
    as_json: bool,
) -> None:
    """Plays what is missing and tells how it went; ends the command with 1 if it was stopped."""
    tell = say if as_json else write
    announce(chosen, tell)
    tell(f"Sandbox: {bounds.layer}")
    finished = play_shown(league, chosen, speed, bounds.layer, bounds.resources)
    if as_json:
        write_tournament_json(league.store, chosen)
    else:
        write_result(league.store, chosen, cross=False)
    if not finished:
        done = league.store.game_count(chosen.name)
        say(
            f"Not finished: {done} of {games_in_all(chosen)} games are played. To go on: "
            f"{place.command(f'tournament resume {chosen.name}')}"
        )
        context.exit(NO)
    tell(f"Seed: {chosen.seed.hex()}")


def _free_name(store: Store) -> str:
    taken = {found.name for found in store.tournaments()}
    return next(
        name
        for name in (f"tournament-{number}" for number in range(1, len(taken) + 2))
        if name not in taken
    )


def _entrants(store: Store, specs: str | None) -> tuple[StoredBot, ...]:
    """Finds the bots that are to play.

    Raises:
        InputError: there is no such bot.
    """
    if specs is None:
        newest = {bot.name: bot for bot in store.bots()}  # by version, so the last one stays
        found = tuple(newest.values())
    else:
        found = tuple(store.find_bot(spec.strip()) for spec in specs.split(","))
    return found


@tournament.command(name="list", epilog=example("caljack tournament list"))
@JSON_OPTION
@pass_place
def list_(place: Place, *, as_json: bool) -> None:
    """List the tournaments, oldest first."""
    with place.open() as league:
        lines = [tournament_line(league.store, found) for found in league.store.tournaments()]
    if as_json:
        write_json({"tournaments": lines})
    elif lines:
        write_table(Table(_LIST_COLUMNS, tuple(map(_list_row, lines))))
    else:
        say(f"No tournaments yet. Play one: {place.command('tournament run')}")


def _list_row(line: dict[str, Any]) -> tuple[str, ...]:
    return (
        line["tournament"],
        ", ".join(line["bots"]),
        str(line["pairs"]),
        f"{line['games_done']} of {line['games']}",
        "yes" if line["finished"] else "no",
        line["created_at"][:16].replace("T", " ") + " UTC",
    )


@tournament.command(
    epilog=example(
        "caljack tournament show night",
        "caljack tournament show night --plot night.png",
        "caljack tournament show night --output night.csv",
    )
)
@click.argument("name", metavar="NAME")
@plot_option("Draw who beat whom as a heat map.")
@export_options
@JSON_OPTION
@pass_place
def show(  # noqa: PLR0913 - an argument an option
    place: Place,
    *,
    name: str,
    plot: Path | None,
    file_format: str | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Show a tournament's standings and who beat whom.

    With --format or --output, who beat whom as a table for programs: a row a bot and opponent.
    """
    export = chosen_export(file_format, output, as_json=as_json)
    check_plot(plot)
    with place.open() as league:
        store = league.store
        found = store.tournament(name)
        if plot is not None:
            draw_cross(store, name, plot)
        if export is not None:
            write_cross_sheet(store, name, export)
            return
        if as_json:
            write_tournament_json(store, found)
            return
        announce(found, write)
        done, total = store.game_count(name), games_in_all(found)
        write(f"Played: {done} of {total} games")
        if done:
            write(f"Sandbox: {layers_line(store, found)}")
        voids = store.void_count(name)
        if voids:
            write(f"Void and played again: {voids}")
        write_result(store, found, cross=True)
        if done == total:
            write(f"Seed: {found.seed.hex()}")
        else:
            say(f"To go on: {place.command(f'tournament resume {name}')}")
