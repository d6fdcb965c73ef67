"""No table hangs on the order in which games came in."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from californiajack import Ruleset, Termination
from californiajack_referee.league.store import Store
from californiajack_referee.league.stored import RatingSettings, StoredTournament
from californiajack_referee.ranking.counting import count_results
from californiajack_referee.ranking.tally import Tally
from californiajack_referee.schedule import Leg
from californiajack_referee.statistics.elo import fit
from californiajack_referee.statistics.order import brackets
from californiajack_referee.statistics.simulated import simulated_games
from californiajack_referee.values import GameResult, Limits, PairSums, Verdict

if TYPE_CHECKING:
    from pathlib import Path

BOTS, PAIRS, SHUFFLES = 4, 6, 100


def _results() -> list[tuple[Leg, GameResult]]:
    """Plays a tournament of simulated players; some of its games are lost by a crash."""
    rng = random.Random(1)
    played = []
    for pairing in range(BOTS * (BOTS - 1) // 2):
        for deal in range(PAIRS):
            for seating in (0, 1):
                winner, crash = rng.randrange(2), rng.random() < 0.1
                verdict = Verdict(
                    winner=winner,
                    termination=Termination.CRASH if crash else Termination.NORMAL,
                    blame=1 - winner if crash else None,
                    words="It is over",
                )
                score = (10, rng.randrange(10))
                result = GameResult(deal, verdict, score if winner == 0 else score[::-1], b"")
                played.append((Leg(pairing, seating), result))
    return played


def _tables(path: Path, played: list[tuple[Leg, GameResult]]) -> tuple[object, ...]:
    with Store(path, create=True) as store:
        bots = [
            store.add_bot(name, name, language="Python", authors=["Ada"], command=["python", "b"])
            for name in ("ant", "bee", "cat", "dog")
        ]
        store.add_tournament(
            StoredTournament(
                *("night", tuple(bots), PAIRS, bytes(16), Ruleset(), Limits()),
                created_at=datetime(2026, 1, 2, tzinfo=UTC),
            )
        )
        for leg, result in played:
            store.add_results("night", *leg, [result])
        log = store.results("night")
        tally = count_results(log, RatingSettings(), spacing=10)
        sums = log.pair_sums()
        found = fit(sums)
        covariances = tuple(matrix.tobytes() for matrix in found.covariances)
        return tally.pack(), sums, found.ratings, found.groups, covariances, brackets(found)


def test_a_hundred_orders_of_arrival_give_one_ranking(tmp_path: Path) -> None:
    """TrueSkill's table, the Elo ratings and their brackets are the same to the last bit."""
    rng, played = random.Random(2), _results()
    expected = _tables(tmp_path / "0.sqlite3", played)
    for number in range(1, SHUFFLES + 1):
        path = tmp_path / f"{number}.sqlite3"
        assert _tables(path, rng.sample(played, len(played))) == expected
        path.unlink()


def test_trueskill_goes_with_the_truth_where_the_ratings_are_sure() -> None:
    """Bots that are told apart beyond doubt stand in TrueSkill's order as they truly do."""
    generator = np.random.default_rng(3)
    strengths = (0, 100, 120, 250, 260, 400, 430, 600)
    pairings = list(combinations(range(len(strengths)), 2))
    pairs = 30
    won = [
        simulated_games(generator, strengths[one] - strengths[two], pairs) for one, two in pairings
    ]
    tally = Tally(RatingSettings())
    for deal in range(pairs):
        for number, ends in enumerate(pairings):
            for first_won in won[number][:, deal]:
                winner, loser = ends if first_won else ends[::-1]
                tally.add((deal, number), winner, loser, fault=False)
    table = {
        ends: PairSums(*np.bincount(both.sum(axis=0), minlength=3).tolist())
        for ends, both in zip(pairings, won, strict=True)
    }
    found = fit(table)
    bounds = {bot: line.mu - 3 * line.sigma for bot, line in tally.lines.items()}
    sure = [
        (one, two)
        for one, two in pairings
        if (apart := found.difference(one, two)) is not None and apart.beyond_doubt
    ]
    assert len(sure) > 20
    for one, two in sure:
        assert (bounds[one] > bounds[two]) == (strengths[one] > strengths[two])
