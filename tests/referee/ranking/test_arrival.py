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

BOTS, PAIRS, SHUFFLES, LEAGUES = 3, 8, 100, 10
Played = dict[Leg, list[GameResult]]


def _results() -> Played:
    """Plays a tournament by chance; some of its games are lost by a crash."""
    rng = random.Random(1)
    played: Played = {}
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
                played.setdefault(Leg(pairing, seating), []).append(result)
    return played


def _in_some_order(played: Played, rng: random.Random) -> list[tuple[Leg, list[GameResult]]]:
    """Shuffles the games of each leg, cuts those of one in two, and shuffles all these parts."""
    parts = [(leg, rng.sample(games, len(games))) for leg, games in played.items()]
    leg, games = parts.pop(rng.randrange(len(parts)))
    cut = rng.randrange(1, len(games))
    parts += [(leg, games[:cut]), (leg, games[cut:])]
    rng.shuffle(parts)
    return parts


def _tables(store: Store, name: str, parts: list[tuple[Leg, list[GameResult]]]) -> object:
    """Plays a tournament whose results arrive in this order; makes its tables on the way, too."""
    tournament = StoredTournament(
        *(name, tuple(store.bots()), PAIRS, bytes(16), Ruleset(), Limits()),
        created_at=datetime(2026, 1, 2, tzinfo=UTC),
    )
    store.add_tournament(tournament)
    log = store.results(name)
    for number, (leg, games) in enumerate(parts):
        store.add_results(name, *leg, games)
        if number == len(parts) // 2:
            count_results(log, tournament.rating, spacing=10)
    tally = count_results(log, tournament.rating)
    sums = log.pair_sums()
    found = fit(sums)
    covariances = tuple(matrix.tobytes() for matrix in found.covariances)
    return tally.pack(), sums, found.ratings, found.groups, covariances, brackets(found)


def test_a_hundred_orders_of_arrival_give_one_ranking(tmp_path: Path) -> None:
    """TrueSkill's table, the Elo ratings and their brackets are the same to the last bit."""
    rng, played = random.Random(2), _results()
    expected: object = None
    for league in range(LEAGUES):
        with Store(tmp_path / f"{league}.sqlite3", create=True) as store:
            for name in ("ant", "bee", "cat"):
                store.add_bot(name, name, language="Python", authors=["Ada"], command=["python"])
            in_order = _tables(store, "in-order", list(played.items()))
            expected = expected or in_order
            assert in_order == expected
            for number in range(SHUFFLES // LEAGUES):
                assert _tables(store, f"shuffled-{number}", _in_some_order(played, rng)) == expected


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
