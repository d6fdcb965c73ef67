"""Sums over pairs, kept beside the games: always those of the games that are there."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from californiajack import Ruleset, Termination
from californiajack_referee.league.store import Store
from californiajack_referee.league.stored import StoredTournament
from californiajack_referee.schedule import fixtures
from californiajack_referee.values import GameResult, Limits, PairSums, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from californiajack_referee.league.stored import StoredBot

BOTS = ("ant", "bee", "cat")
PAIRS = 5
CHANGES = (
    "UPDATE game SET winner = 1 - winner WHERE deal % 2 = 0",
    "UPDATE game SET score_0 = score_0 + 3, plays = zeroblob(104), termination = 'normal'",
    "DELETE FROM game WHERE deal = 1 AND pairing = 0 AND seating = 1",
    "UPDATE game SET seating = 1 WHERE deal = 1 AND pairing = 0",
    "UPDATE game SET deal = deal + 100 WHERE seating = 1 AND pairing = 1",
    "DELETE FROM game WHERE pairing = 2 AND seating = 0 AND deal > 1",
    "DELETE FROM game WHERE tournament = 2",
    "DELETE FROM game",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Gives the path of a database that isn't there yet."""
    return tmp_path / "league.sqlite3"


@pytest.fixture
def store(path: Path, bot_of: Callable[[str], StoredBot]) -> Iterator[Store]:
    """Gives a league with two tournaments of the same bots, in another order, all played."""
    day: datetime = bot_of("ant").submitted_at
    rng = random.Random(5)
    with Store(path, create=True) as made:
        entrants = tuple(
            made.add_bot(name, name, language="", authors=[], command=["python"]) for name in BOTS
        )
        night = StoredTournament("night", entrants, PAIRS, bytes(16), Ruleset(), Limits(), day)
        made.add_tournament(night)
        made.add_tournament(replace(night, name="day", entrants=entrants[::-1]))
        games = [*fixtures("night", 3, PAIRS), *fixtures("day", 3, PAIRS)]
        rng.shuffle(games)
        for game in games[:-4]:
            made.add_results(game.tournament, game.pairing, game.seating, [_result(rng, game.deal)])
        yield made


def _result(rng: random.Random, deal: int) -> GameResult:
    winner = rng.randrange(2)
    fault = rng.random() < 0.2
    verdict = Verdict(
        winner,
        Termination.CRASH if fault else Termination.NORMAL,
        1 - winner if fault else None,
        "It is over",
    )
    score = (rng.randrange(12), rng.randrange(12))
    return GameResult(deal, verdict, score, bytes(rng.randrange(52, 300)))


def _counted(store: Store, tournament: str | None) -> dict[tuple[str, str], PairSums]:
    """Sums up the games that are there, by the labels of both bots."""
    pairs: dict[tuple[str, int, int], list[tuple[str, str, GameResult]]] = {}
    for game in store.games(tournament):
        seats = (game.seats[0].label, game.seats[1].label)
        pairs.setdefault(game.id[:3], []).append((*seats, game.result))
    sums: dict[tuple[str, str], PairSums] = {}
    for both in pairs.values():
        if len(both) < 2:
            continue
        bot, opponent = sorted(both[0][:2])
        won = difference = rounds = 0
        for first, _, result in both:
            seat = 0 if first == bot else 1
            won += result.verdict.winner == seat
            difference += result.score[seat] - result.score[1 - seat]
            rounds += len(result.plays) // 52
        normal = all(r.verdict.termination is Termination.NORMAL for *_, r in both)
        terms = (difference, rounds, difference**2, rounds**2, difference * rounds)
        pair = PairSums(won == 0, won == 1, won == 2, normal, *(normal * term for term in terms))
        sums[bot, opponent] = sums.get((bot, opponent), PairSums()).plus(pair)
    return sums


def _told(store: Store, tournament: str | None) -> dict[tuple[str, str], PairSums]:
    log = store.results(tournament)
    labels = log.labels()
    return {(labels[one], labels[two]): sums for (one, two), sums in log.pair_sums().items()}


def _agree(store: Store) -> None:
    for scope in ("night", "day", None):
        assert _told(store, scope) == _counted(store, scope)


def test_they_are_those_of_the_games(store: Store) -> None:
    """Of one tournament or of all, as the bot of the lower number sees them, whole pairs only."""
    _agree(store)
    assert sum(sums.pairs for sums in _told(store, None).values()) >= 2 * 3 * PAIRS - 4
    assert any(sums.normal < sums.pairs for sums in _told(store, None).values())


def test_a_result_that_comes_twice_counts_once(store: Store) -> None:
    """Storing again what is stored changes no sum."""
    before = _told(store, None)
    for game in list(store.games()):
        store.add_results(game.id.tournament, game.id.pairing, game.id.seating, [game.result])
    assert _told(store, None) == before


def test_changes_behind_its_back_are_followed(store: Store, path: Path) -> None:
    """Whoever changes, moves or takes away games, the sums are those of what is there then."""
    for change in CHANGES:
        with closing(sqlite3.connect(path)) as raw, raw:
            raw.execute(change)
        with closing(sqlite3.connect(path)) as raw:
            rows = "SELECT tournament, pairing, {} FROM {} ORDER BY 1, 2"
            kept = raw.execute(rows.format("lost, split, won", "pair_sum")).fetchall()
            anew = raw.execute(
                "SELECT tournament, pairing, sum(won = 0), sum(won = 1), sum(won = 2) FROM pair"
                " GROUP BY 1, 2"
            ).fetchall()
        assert [row for row in kept if any(row[2:])] == anew
        _agree(store)


def test_pairs_played_are_whole(store: Store) -> None:
    """They are told by pairing and deal, with the games that the pairing's first bot has won."""
    played = store.pairs_played("night")
    expected: dict[int, dict[int, list[int]]] = {}
    for game in store.games("night"):
        won = game.result.verdict.winner == game.id.seating
        expected.setdefault(game.id.pairing, {}).setdefault(game.id.deal, []).append(won)
    assert played == {
        pairing: {deal: sum(won) for deal, won in deals.items() if len(won) == 2}
        for pairing, deals in expected.items()
    }
