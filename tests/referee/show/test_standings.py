"""Standings for people and for programs."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING

from californiajack_referee.league.stored import RatingSettings
from californiajack_referee.ranking.standings import standings
from californiajack_referee.show.standings import (
    cross_tables,
    format_likelihood,
    ranking_table,
    standings_data,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from californiajack_referee.league.stored import StoredGame
    from californiajack_referee.ranking.standings import Standings


def _tables(game_of: Callable[..., StoredGame]) -> Standings:
    log = [
        game_of("ant", "bee", 0, deal=0, seating=0),
        game_of("bee", "ant", 0, deal=0, seating=1),
        game_of("ant", "bee", 0, deal=1, seating=0),
        game_of("bee", "ant", 1, deal=1, seating=1, blame=0),
    ]
    return standings(log, ["night"], RatingSettings(), ["cat@1"])


def test_the_ranking_shows_every_number(game_of: Callable[..., StoredGame]) -> None:
    """Games, wins, the pair score with its interval, and faults stand in their columns."""
    table = ranking_table(_tables(game_of))
    titles = [column.title for column in table.columns]
    rows = [dict(zip(titles, row, strict=True)) for row in table.rows]
    ant = next(row for row in rows if row["bot"] == "ant@1")
    assert (ant["games"], ant["wins"], ant["faults"]) == ("4", "3", "0")
    assert ant["pair score (95 %)"] == "75.0 % (15.6-100.0)"
    bee = next(row for row in rows if row["bot"] == "bee@1")
    assert bee["faults"] == "1"
    cat = next(row for row in rows if row["bot"] == "cat@1")
    assert {cat[title] for title in titles if "95" in title} == {"-"}
    assert (ant["bracket"], bee["bracket"], cat["bracket"]) == ("1", "1", "-")
    assert ant["over next"].endswith(" %")
    assert (bee["over next"], cat["over next"]) == ("-", "-")
    assert (cat["mu"], cat["sigma"], cat["mu-3sigma"]) == ("25.0", "8.3", "0.0")


def test_the_cross_table_has_no_score_of_those_who_never_met(
    game_of: Callable[..., StoredGame],
) -> None:
    """A bot against itself and against one that it hasn't met is a dash."""
    table, points = cross_tables(_tables(game_of))
    assert table.title.endswith("2 pairs each")
    assert [row[1] for row in points.rows] == [row[1] for row in table.rows]
    assert points.rows[0][2] == points.rows[2][3] == "-"
    assert table.rows == (
        ("1", "ant@1", "-", "75.0 % (16-100)", "-"),
        ("2", "bee@1", "25.0 % (0-84)", "-", "-"),
        ("3", "cat@1", "-", "-", "-"),
    )


def test_a_cross_table_of_many_bots_is_a_list_of_pairings(
    game_of: Callable[..., StoredGame],
) -> None:
    """With seven bots each pairing that was played is a row, the better bot on the left."""
    bots = [f"bot-{number}" for number in range(7)]
    log = [
        game_of(
            *((bot, other) if seating == 0 else (other, bot)),
            seating,
            deal=0,
            pairing=pairing,
            seating=seating,
        )
        for pairing, (bot, other) in enumerate(itertools.pairwise(bots))
        for seating in (0, 1)
    ]
    tables = standings(log, ["night"], RatingSettings())
    (table,) = cross_tables(tables)
    assert len(table.rows) == 6
    place = {line.bot: line.rank for line in tables.ranking}
    assert all(place[row[0]] < place[row[1]] for row in table.rows)
    assert {row[2] for row in table.rows} == {"1"}


def test_a_likelihood_is_never_shown_as_certainty() -> None:
    """What rounds to 0 or 100 is shown as below or above."""
    assert [format_likelihood(value) for value in (0.0, 0.5, 0.9994, 1.0, None)] == [
        *("<0.1 %", "50.0 %", "99.9 %", ">99.9 %", "-")
    ]


def test_the_data_survives_json(game_of: Callable[..., StoredGame]) -> None:
    """All is plain data, and scores go from 0 to 1."""
    data = standings_data(_tables(game_of))
    assert json.loads(json.dumps(data)) == data
    assert {line["bot"]: line["pair_score"] for line in data["ranking"]} == {
        "ant@1": 0.75,
        "bee@1": 0.25,
        "cat@1": None,
    }
