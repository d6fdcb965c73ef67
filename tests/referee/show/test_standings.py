"""Standings for people and for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from californiajack_referee.league.stored import RatingSettings
from californiajack_referee.ranking.standings import standings
from californiajack_referee.show.standings import cross_table, ranking_table, standings_data
from californiajack_referee.show.table import format_table

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
    """Games, wins, losses, the pair score with its interval, and faults stand in their columns."""
    table = ranking_table(_tables(game_of))
    titles = [column.title for column in table.columns]
    rows = [dict(zip(titles, row, strict=True)) for row in table.rows]
    ant = next(row for row in rows if row["bot"] == "ant@1")
    assert (ant["games"], ant["wins"], ant["losses"], ant["faults"]) == ("4", "3", "1", "0")
    assert ant["pair score (95 %)"] == "75.0 % (15.6-100.0)"
    bee = next(row for row in rows if row["bot"] == "bee@1")
    assert bee["faults"] == "1"
    cat = next(row for row in rows if row["bot"] == "cat@1")
    assert cat["pair score (95 %)"] == "- (0.0-100.0)"
    assert (cat["mu"], cat["sigma"], cat["mu-3sigma"]) == ("25.0", "8.3", "0.0")


def test_the_cross_table_has_no_score_of_those_who_never_met(
    game_of: Callable[..., StoredGame],
) -> None:
    """A bot against itself and against one that it hasn't met is a dash."""
    lines = format_table(cross_table(_tables(game_of))).splitlines()
    cells = {line.split()[0]: line.split("  ") for line in lines}
    assert set(cells) == {"against", "ant@1", "bee@1", "cat@1"}
    assert [cell.strip() for cell in cells["cat@1"] if cell.strip()] == ["cat@1", "-", "-", "-"]
    assert "75.0 %" in " ".join(cells["ant@1"])
    assert "25.0 %" in " ".join(cells["bee@1"])


def test_the_data_survives_json(game_of: Callable[..., StoredGame]) -> None:
    """All is plain data, and scores go from 0 to 1."""
    data = standings_data(_tables(game_of))
    assert json.loads(json.dumps(data)) == data
    assert {line["bot"]: line["pair_score"] for line in data["ranking"]} == {
        "ant@1": 0.75,
        "bee@1": 0.25,
        "cat@1": None,
    }
