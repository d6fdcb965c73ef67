"""`caljack rankings`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from californiajack_referee.cli.output import JSON_OPTION, example, say, write_json, write_table
from californiajack_referee.cli.place import Place, pass_place
from californiajack_referee.cli.progress import rating_shown
from californiajack_referee.league.stored import RatingSettings
from californiajack_referee.ranking.counting import count_results
from californiajack_referee.ranking.standings import Standings, standings_of_tally
from californiajack_referee.show.standings import ranking_table, standings_data

if TYPE_CHECKING:
    from californiajack_referee.league.store import Store
    from californiajack_referee.values import PairSums


def standings_of(store: Store, name: str, *, cross: bool) -> Standings:
    """Makes the tables of one tournament, with its own rating settings and all its entrants.

    Args:
        store: the league's database.
        name: the tournament's name.
        cross: whether the cross table is wanted too.
    """
    tournament = store.tournament(name)
    results = store.results(name)
    with rating_shown() as show:
        tally = count_results(results, tournament.rating, show)
    labels = results.labels()
    pairs: dict[tuple[str, str], PairSums] = {}
    for (one, two), sums in results.pair_sums().items() if cross else ():
        pairs[labels[one], labels[two]] = sums
        pairs[labels[two], labels[one]] = sums.mirrored()
    entrants = [bot.label for bot in tournament.entrants]
    return standings_of_tally(tally, labels, tournament.rating, entrants, pairs)


def standings_of_all(store: Store) -> Standings:
    """Makes the tables of all tournaments together, with the default rating settings."""
    settings = RatingSettings()
    results = store.results()
    with rating_shown() as show:
        tally = count_results(results, settings, show)
    return standings_of_tally(tally, results.labels(), settings)


@click.command(epilog=example("caljack rankings", "caljack rankings --tournament night --json"))
@click.option("--tournament", metavar="NAME", help="Count only this tournament's games.")
@JSON_OPTION
@pass_place
def rankings(place: Place, *, tournament: str | None, as_json: bool) -> None:
    """Rank the bots.

    By all games of the league, or by those of one tournament.

    Bots stand in the order of mu - 3 sigma, the strength that they have almost certainly. The pair
    score is the part of games won, counted over whole pairs: both games of a deal, the seats
    swapped. Faults are games lost for a fault of the bot's own.
    """
    with place.open() as league:
        store = league.store
        tables = (
            standings_of_all(store)
            if tournament is None
            else standings_of(store, tournament, cross=False)
        )
    if as_json:
        write_json({"tournament": tournament, "ranking": standings_data(tables)["ranking"]})
    elif tables.ranking:
        write_table(ranking_table(tables))
    else:
        say(f"No games yet. Play some: {place.command('tournament run')}")
