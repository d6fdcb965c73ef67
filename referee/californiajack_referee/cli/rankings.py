"""`caljack rankings`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from californiajack import InputError
from californiajack_referee.cli.exporting import (
    Export,
    chosen_export,
    export_options,
    write_sheet,
)
from californiajack_referee.cli.output import (
    JSON_OPTION,
    example,
    say,
    write,
    write_json,
    write_note,
    write_table,
)
from californiajack_referee.cli.place import Place, pass_place
from californiajack_referee.cli.plotting import check_plot, plot_option, save_plot
from californiajack_referee.cli.progress import rating_shown
from californiajack_referee.league.stored import RatingSettings
from californiajack_referee.ranking.counting import count_results
from californiajack_referee.show.notes import ranking_notes
from californiajack_referee.show.sheet import Sheet, data_of
from californiajack_referee.show.standings import (
    cross_sheet,
    cross_tables,
    ranking_sheet,
    ranking_table,
    standings_data,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from californiajack_referee.league.result_log import ResultLog
    from californiajack_referee.league.store import Store
    from californiajack_referee.ranking.history import HistoryLine
    from californiajack_referee.ranking.standings import Standings
    from californiajack_referee.values import PairSums


def standings_of(store: Store, name: str) -> Standings:
    """Makes the tables of one tournament, with its own rating settings and all its entrants.

    Args:
        store: the league's database.
        name: the tournament's name.
    """
    tournament = store.tournament(name)
    entrants = [bot.label for bot in tournament.entrants]
    return _counted(store.results(name), tournament.rating, entrants)


def standings_of_all(store: Store) -> Standings:
    """Makes the tables of all tournaments together, with the default rating settings."""
    return _counted(store.results(), RatingSettings(), [])


def _counted(results: ResultLog, settings: RatingSettings, entrants: list[str]) -> Standings:
    from californiajack_referee.ranking.standings import standings_of_tally

    found: dict[tuple[int, int], PairSums] = {}
    with rating_shown() as show:
        tally = count_results(
            results, settings, show, beside=lambda: found.update(results.pair_sums())
        )
    labels = results.labels()
    pairs: dict[tuple[str, str], PairSums] = {}
    for (one, two), sums in found.items():
        pairs[labels[one], labels[two]] = sums
        pairs[labels[two], labels[one]] = sums.mirrored()
    return standings_of_tally(tally, labels, settings, entrants, pairs)


def history_of_all(store: Store) -> list[HistoryLine]:
    """Tells how ratings moved over all tournaments, with the default rating settings."""
    from californiajack_referee.ranking.history import rating_history

    results = store.results()
    with rating_shown() as show:
        return rating_history(results, results.tournament_names(), RatingSettings(), show)


@click.command(
    epilog=example(
        "caljack rankings",
        "caljack rankings --tournament night --cross",
        "caljack rankings --history --plot ratings.png",
        "caljack rankings --output rankings.csv",
    )
)
@click.option("--tournament", metavar="NAME", help="Count only this tournament's games.")
@click.option("--cross", is_flag=True, help="Show who beat whom, too.")
@click.option(
    "--history", is_flag=True, help="Show what each bot's rating was after each tournament instead."
)
@plot_option("Draw how the ratings moved over the tournaments.")
@export_options
@JSON_OPTION
@pass_place
def rankings(  # noqa: PLR0913 - an argument an option
    place: Place,
    *,
    tournament: str | None,
    cross: bool,
    history: bool,
    plot: Path | None,
    file_format: str | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Rank the bots.

    By all games of the league, or by those of one tournament.

    Bots stand in the order of mu - 3 sigma, the strength that they have almost certainly. Elo is
    another estimate, by all pairs at once; bots that share a bracket can't be told apart by it, and
    "over next" is the likelihood that a bot is stronger than the next one. The pair score is the
    part of games won, counted over whole pairs: both games of a deal, the seats swapped. Points are
    game points a round made more than the opponents. Faults are games lost for a fault of the bot's
    own. docs/results.md tells more.
    """
    export = chosen_export(file_format, output, as_json=as_json)
    _check(tournament, plot, history=history, cross=cross)
    with place.open() as league:
        if history or plot is not None:
            lines = history_of_all(league.store)
        if plot is not None:
            _draw(place, lines, plot)
        if history:
            _write_history(place, lines, export, as_json=as_json)
            return
        if tournament is None:
            tables = standings_of_all(league.store)
            ranked = {line.bot for line in tables.ranking}
            waiting = [bot.label for bot in league.store.bots() if bot.label not in ranked]
        else:
            tables, waiting = standings_of(league.store, tournament), []
    if export is not None:
        write_sheet(cross_sheet(tables) if cross else ranking_sheet(tables), export)
    elif as_json:
        data = standings_data(tables)
        data["without_games"] = waiting
        if not cross:
            del data["cross"]
        write_json({"tournament": tournament, **data})
    elif tables.ranking:
        write_standings(tables, cross=cross, waiting=waiting)
    else:
        _say_no_games(place)


def _check(tournament: str | None, plot: Path | None, *, history: bool, cross: bool) -> None:
    """Refuses what doesn't go together.

    Raises:
        InputError: it doesn't, or the plot can't be drawn.
    """
    check_plot(plot)
    if tournament is not None and (history or plot is not None):
        raise InputError(
            "--history and --plot go over all tournaments of the league: leave --tournament out"
        )
    if history and cross:
        raise InputError("expected --history or --cross, got both: choose one of them")


def write_standings(tables: Standings, *, cross: bool, waiting: Sequence[str] = ()) -> None:
    """Writes a ranking with the notes under it and, if wanted, the cross table.

    Args:
        tables: the standings.
        cross: whether the cross table is wanted.
        waiting: bots that aren't in the ranking, as they have no game yet.
    """
    write_table(ranking_table(tables))
    notes = ranking_notes(tables, waiting)
    if notes:
        write("")
    for note in notes:
        write_note(note)
    for table in cross_tables(tables) if cross and tables.cross else ():
        write("")
        write_table(table)


def _write_history(
    place: Place, lines: list[HistoryLine], export: Export | None, *, as_json: bool
) -> None:
    from californiajack_referee.show.history import HISTORY_FIELDS, history_table

    if export is not None:
        write_sheet(Sheet(HISTORY_FIELDS, lines), export)
    elif as_json:
        write_json({"history": [data_of(HISTORY_FIELDS, line) for line in lines]})
    elif lines:
        write_table(history_table(lines))
    else:
        _say_no_games(place)


def _draw(place: Place, lines: list[HistoryLine], file: Path) -> None:
    if not lines:
        _say_no_games(place)
        return
    from californiajack_referee.show.plots import rating_figure

    save_plot(rating_figure(lines), file)


def _say_no_games(place: Place) -> None:
    say(f"No games yet. Play some: {place.command('tournament run')}")
