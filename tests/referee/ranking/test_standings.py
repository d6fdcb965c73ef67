"""The ranking table and the cross table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from californiajack_referee.league.stored import RatingSettings
from californiajack_referee.ranking.standings import standings

if TYPE_CHECKING:
    from collections.abc import Callable

    from californiajack_referee.league.stored import StoredGame


def _log(game_of: Callable[..., StoredGame]) -> list[StoredGame]:
    """Makes a round robin: ant beats all, bee beats cat once in two; cat crashed once."""
    log = []
    for deal in range(4):
        log += [
            game_of("ant", "bee", 0, pairing=0, deal=deal, seating=0),
            game_of("bee", "ant", 1, pairing=0, deal=deal, seating=1),
            game_of("ant", "cat", 0, pairing=1, deal=deal, seating=0),
            game_of("cat", "ant", 1, pairing=1, deal=deal, seating=1, blame=0),
            game_of("bee", "cat", 0, pairing=2, deal=deal, seating=0),
            game_of("cat", "bee", 0, pairing=2, deal=deal, seating=1),
        ]
    return log


def test_the_ranking_counts_what_happened(game_of: Callable[..., StoredGame]) -> None:
    """Games, wins, losses, faults and the pair score are those of the log."""
    tables = standings(_log(game_of), ["night"], RatingSettings())
    lines = {line.bot: line for line in tables.ranking}
    assert [line.rank for line in tables.ranking] == [1, 2, 3]
    assert tables.ranking[0].bot == "ant@1"
    ant, bee, cat = (lines[f"{name}@1"] for name in ("ant", "bee", "cat"))
    assert (ant.games, ant.wins, ant.losses, ant.faults) == (16, 16, 0, 0)
    assert (bee.games, bee.wins, bee.losses, bee.faults) == (16, 4, 12, 0)
    assert (cat.games, cat.wins, cat.losses, cat.faults) == (16, 4, 12, 4)
    assert (ant.score.mean, bee.score.mean, cat.score.mean) == (1.0, 0.25, 0.25)
    assert ant.score.pairs == 8


def test_the_cross_table_tells_who_beat_whom(game_of: Callable[..., StoredGame]) -> None:
    """Each bot's pair score against each other stands there, and none against itself."""
    tables = standings(_log(game_of), ["night"], RatingSettings())
    means = {labels: meeting.score.mean for labels, meeting in tables.cross.items()}
    assert means == {
        ("ant@1", "bee@1"): 1.0,
        ("bee@1", "ant@1"): 0.0,
        ("ant@1", "cat@1"): 1.0,
        ("cat@1", "ant@1"): 0.0,
        ("bee@1", "cat@1"): 0.5,
        ("cat@1", "bee@1"): 0.5,
    }


def test_bots_without_games_are_listed_last_by_name(game_of: Callable[..., StoredGame]) -> None:
    """Entrants of a tournament that has just begun have a new bot's rating, in label order."""
    tables = standings(
        [game_of("ant", "bee", 0)], ["night"], RatingSettings(), ["dog@1", "cat@1", "ant@1"]
    )
    assert tables.ranking[0].bot == "ant@1"
    waiting = [line for line in tables.ranking if not line.games]
    assert [line.bot for line in waiting] == ["cat@1", "dog@1"]
    assert waiting[0].rating.mu == 25
    assert (waiting[0].score.mean, waiting[0].score.low, waiting[0].score.high) == (None, 0, 1)


def test_void_games_count_for_nothing(game_of: Callable[..., StoredGame]) -> None:
    """A void game is no game, no fault and no half of a pair."""
    log = _log(game_of)
    void = game_of("ant", "bee", None, deal=9)
    assert standings([void, *log], ["night"], RatingSettings()) == standings(
        log, ["night"], RatingSettings()
    )


def test_arrival_order_never_matters(game_of: Callable[..., StoredGame]) -> None:
    """The tables of the reversed log are the same."""
    log = _log(game_of)
    assert standings(log[::-1], ["night"], RatingSettings()) == standings(
        log, ["night"], RatingSettings()
    )
