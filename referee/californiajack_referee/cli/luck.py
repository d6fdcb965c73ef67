"""`caljack luck`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from californiajack import CaliforniaJackError, InputError
from californiajack_referee.cli.output import (
    JSON_OPTION,
    example,
    write,
    write_json,
    write_note,
    write_table,
)
from californiajack_referee.cli.place import Place, pass_place

if TYPE_CHECKING:
    from californiajack_referee.league.store import Store
    from californiajack_referee.show.luck import LuckReport


@click.command(
    epilog=example("caljack luck fox hen", "caljack luck fox@2 fox@1 --tournament night --json")
)
@click.argument("bot", metavar="A")
@click.argument("opponent", metavar="B")
@click.option("--tournament", metavar="NAME", help="Count only this tournament's games.")
@JSON_OPTION
@pass_place
def luck(place: Place, *, bot: str, opponent: str, tournament: str | None, as_json: bool) -> None:
    """Tell how much of a result was the cards.

    A and B are two bots that have met, each NAME for its newest version or NAME@VERSION. The cards
    help one bot in one game of a pair, and the other one in the other game. So how much less pairs
    are spread than single games tells how much the cards decide; and how far both are spread, how
    many games it takes to find a difference like the one between A and B.
    """
    from californiajack_referee.show.luck import luck_data, luck_lines, luck_table

    with place.open() as league:
        report = _report(place, league.store, bot, opponent, tournament)
    if as_json:
        write_json(luck_data(report))
        return
    for line in luck_lines(report):
        write_note(line)
    write("")
    write_table(luck_table(report))


def _report(
    place: Place, store: Store, bot: str, opponent: str, tournament: str | None
) -> LuckReport:
    """Makes the report on two bots.

    Raises:
        InputError: there is no such bot or tournament, or both bots are the same.
        CaliforniaJackError: they have too few whole pairs.
    """
    from californiajack_referee.show.luck import LuckReport
    from californiajack_referee.statistics.intervals import pair_score, point_difference
    from californiajack_referee.statistics.luck import point_luck, score_luck
    from californiajack_referee.values import PairSums

    one, two = store.find_bot(bot).label, store.find_bot(opponent).label
    if one == two:
        raise InputError(f"expected two bots, got {one} twice: name another one, or two versions")
    results = store.results(tournament)
    numbers = {label: number for number, label in results.labels().items()}
    first, second = numbers[one], numbers[two]
    table = results.pair_sums()
    sums = table.get((first, second)) or table.get((second, first), PairSums()).mirrored()
    spread = score_luck(sums)
    if spread is None:
        where = "in this league" if tournament is None else f"in the tournament {tournament}"
        found = "none" if not sums.pairs else f"{sums.pairs}"
        more = place.command(f"tournament run --bots {one},{two}")
        raise CaliforniaJackError(
            f"expected two whole pairs or more of {one} and {two} {where}, found {found}: "
            f"play some: {more}"
        )
    return LuckReport(
        bot=one,
        opponent=two,
        tournament=tournament,
        score=pair_score(sums),
        points=point_difference(sums),
        score_luck=spread,
        point_luck=point_luck(sums, results.game_sums(first, second)),
    )
