"""`caljack tournament`: run, resume, list, show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from californiajack import InputError
from californiajack_referee.cli.courses import course_now
from californiajack_referee.cli.exporting import chosen_export, export_options
from californiajack_referee.cli.limits import (
    BOUNDS,
    Bounds,
    bounds_of,
    resource_options,
    time_options,
)
from californiajack_referee.cli.making import make
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
    games_line,
    layers_line,
    play_shown,
    speed_of,
    tournament_line,
    write_course,
    write_cross_sheet,
    write_result,
    write_tournament_json,
)
from californiajack_referee.cli.plotting import check_plot, plot_option
from californiajack_referee.cli.wishing import (
    format_options,
    rules_options,
    speed_options,
    wishes_of,
)
from californiajack_referee.show.table import Column, Table

if TYPE_CHECKING:
    from californiajack_referee.league.folder import League
    from californiajack_referee.league.store import Store
    from californiajack_referee.league.stored import StoredTournament

_LIST_COLUMNS = (
    Column("tournament"),
    Column("format"),
    Column("bots"),
    Column("pairs", right=True),
    Column("games", right=True),
    Column("finished"),
    Column("created"),
)


@click.group(cls=InOrder, epilog=example("caljack tournament run --bots fox,hen@2 --pairs 200"))
def tournament() -> None:
    """Play tournaments, and see how they went."""


@tournament.command(
    epilog=example(
        "caljack tournament run",
        "caljack tournament run --name night --bots fox,hen@2 --pairs 200",
        "caljack tournament run --bots fox@3 --against-top 5",
        "caljack tournament run night.toml --format swiss",
    )
)
@click.argument(
    "file", required=False, type=click.Path(path_type=Path, dir_okay=False), metavar="[FILE.toml]"
)
@format_options
@rules_options
@speed_options
@time_options
@resource_options
@JSON_OPTION
@pass_place
@click.pass_context
def run(context: click.Context, place: Place, *, file: Path | None, as_json: bool) -> None:
    """Play a tournament.

    Unless another format is asked for, every bot plays every other. All meetings are on the same
    deals. The SHA-256 of the seed is printed before the first game and the seed itself after the
    last, so that anyone can check that the deals were fixed beforehand. Ctrl-C stops; what has been
    played stays, and `caljack tournament resume` plays the rest.

    A file may say what the options say, and `caljack tournament show NAME --toml` writes one; an
    option given here beats the file.
    """
    from californiajack_referee.tournament.tournament_file import read_file
    from californiajack_referee.tournament.wishes import arrange, merged

    found = {} if file is None else read_file(file)
    before = found.pop("bounds", {})
    wishes = merged(found, wishes_of(context))
    with place.open() as league:
        speed, bounds = speed_of(wishes), bounds_of(context, league, before)
        made = make(league, arrange(league.store, wishes), wishes, bounds)
        _play(context, place, league, made, speed, bounds, as_json=as_json)


@tournament.command(epilog=example("caljack tournament resume night"))
@click.argument("name", metavar="NAME")
@speed_options
@resource_options
@JSON_OPTION
@pass_place
@click.pass_context
def resume(context: click.Context, place: Place, *, name: str, as_json: bool) -> None:
    """Play what is missing of a tournament that was stopped.

    Its time limits are those it was made with, and so is all else that isn't given here.
    """
    with place.open() as league:
        found = league.store.tournament(name)
        kept = dict(found.options)
        bounds = bounds_of(context, league, {key: kept[key] for key in BOUNDS if key in kept})
        speed = speed_of({**kept, **wishes_of(context)})
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
        write_course(league.store, chosen)
        write_result(league.store, chosen, cross=False)
    if not finished:
        say(
            f"Not finished: {games_line(league.store, chosen)} are played. To go on: "
            f"{place.command(f'tournament resume {chosen.name}')}"
        )
        context.exit(NO)
    tell(f"Seed: {chosen.seed.hex()}")


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
        line["format"]["kind"],
        ", ".join(line["bots"]),
        "" if line["format"]["kind"] == "adaptive" else str(line["pairs"]),
        f"{line['games_done']} of {'at most ' if line['may_end_early'] else ''}{line['games']}",
        "yes" if line["finished"] else f"no, {line['stage']}",
        line["created_at"][:16].replace("T", " ") + " UTC",
    )


@tournament.command(
    epilog=example(
        "caljack tournament show night",
        "caljack tournament show night --plot night.png",
        "caljack tournament show night --output night.csv",
        "caljack tournament show night --toml",
    )
)
@click.argument("name", metavar="NAME")
@click.option(
    "--toml",
    "as_toml",
    is_flag=True,
    help="Write a file that plays the same games again, with caljack tournament run FILE.toml.",
)
@plot_option("Draw who beat whom as a heat map.")
@export_options
@JSON_OPTION
@pass_place
def show(  # noqa: PLR0913 - an argument an option
    place: Place,
    *,
    name: str,
    as_toml: bool,
    plot: Path | None,
    file_format: str | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Show a tournament's standings and who beat whom.

    With --format or --output, who beat whom as a table for programs: a row a bot and opponent.
    """
    export = chosen_export(file_format, output, as_json=as_json)
    if as_toml and (as_json or export is not None):
        raise InputError("expected --toml, --json or a table, got two of them: give one")
    check_plot(plot)
    with place.open() as league:
        store = league.store
        found = store.tournament(name)
        if plot is not None:
            draw_cross(store, name, plot)
        if export is not None:
            write_cross_sheet(store, name, export)
        elif as_json:
            write_tournament_json(store, found)
        elif as_toml:
            from californiajack_referee.tournament.tournament_file import format_file

            over = course_now(store, found)[0].over
            click.echo(format_file(found, with_seed=over), nl=False)
        else:
            _show(place, store, found)


def _show(place: Place, store: Store, found: StoredTournament) -> None:
    name = found.name
    announce(found, write)
    course, _ = course_now(store, found)
    write(f"Played: {games_line(store, found)}")
    if not course.over and not course.has_one_stage:
        write(f"Now: {course.stages[-1].name}")
    if store.game_count(name):
        write(f"Sandbox: {layers_line(store, found)}")
    voids = store.void_count(name)
    if voids:
        write(f"Void and played again: {voids}")
    write_course(store, found)
    write_result(store, found, cross=True)
    if course.over:
        write(f"Seed: {found.seed.hex()}")
    else:
        say(f"To go on: {place.command(f'tournament resume {name}')}")
