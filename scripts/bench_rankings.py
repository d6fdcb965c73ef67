"""Measures `caljack rankings` on a league of many games: the first time, and after some new ones.

The games are made up, whose winner is drawn by hidden strengths, but stored as real ones are: by
the store's own code, leg by leg, so that they arrive far from canonical order.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import trueskill

from californiajack import Ruleset, Termination
from californiajack_referee.league.folder import League
from californiajack_referee.league.stored import RatingSettings, StoredTournament
from californiajack_referee.ranking.update import environment_of
from californiajack_referee.schedule import blocks_to_play, pairings, round_robin, seated
from californiajack_referee.values import GameResult, Limits, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from californiajack_referee.league.stored import StoredBot
    from californiajack_referee.schedule import Block

GAMES = 1_000_000
NEW_GAMES = 100
BOTS = 10
_TOURNAMENTS = 4
_SEED = bytes(range(16))
_USUAL_PLAYS = 52 * 7


class Filler:
    """Fills a league with made-up games, in tournaments of all its bots.

    Args:
        league: an empty one.
        bots: how many bots it is to have.
    """

    def __init__(self, league: League, bots: int) -> None:
        self._league = league
        self._rng = random.Random(1)  # noqa: S311 - chance for play, not for secrets
        self._bots = tuple(
            league.store.add_bot(
                f"bot-{number}",
                f"{number:064x}",
                language="Python",
                authors=["Ada"],
                command=["python", "bot.py"],
            )
            for number in range(bots)
        )
        self._plays = [bytes(self._rng.choices(range(52), k=_USUAL_PLAYS)) for _ in range(100)]

    def begin(self, name: str, pairs: int) -> list[Block]:
        """Makes a tournament and gives its blocks, one a leg."""
        created = datetime(2026, 1, 1, tzinfo=UTC)
        self._league.store.add_tournament(
            StoredTournament(name, self._bots, pairs, _SEED, Ruleset(), Limits(), created)
        )
        return blocks_to_play(round_robin(len(self._bots), pairs), {}, pairs)

    def play(self, name: str, block: Block) -> None:
        """Stores results for the games of a block."""
        places = seated(pairings(len(self._bots))[block.leg.pairing], block.leg.seating)
        results = [self._result(deal, places) for deal in block.deals]
        self._league.store.add_results(name, *block.leg, results)

    def _result(self, deal: int, places: tuple[int, int]) -> GameResult:
        # the bots' strengths are their numbers: next ones win 5 of 9 games
        chance = 1 / (1 + 0.8 ** (places[0] - places[1]))
        winner = 0 if self._rng.random() < chance else 1
        faulty = self._rng.random() < 0.001  # noqa: PLR2004 - one game in a thousand
        termination = Termination.CRASH if faulty else Termination.NORMAL
        verdict = Verdict(winner, termination, 1 - winner if faulty else None, "won 10 to 7")
        score = (10, 7) if winner == 0 else (7, 10)
        return GameResult(deal, verdict, score, self._rng.choice(self._plays), (70, 80), (60, 70))


def fill(league: League, games: int, new_games: int, bots: int) -> tuple[Filler, list[Block]]:
    """Stores so many games at least, in a few tournaments of all bots.

    Returns:
        What stores more, and the games that are missing of the last tournament, ``last``: the last
        deals of its last leg.
    """
    filler = Filler(league, bots)
    pairs = -(-games // (_TOURNAMENTS * bots * (bots - 1)))
    for number in range(_TOURNAMENTS):
        last = number == _TOURNAMENTS - 1
        name = "last" if last else f"night-{number}"
        blocks = filler.begin(name, pairs)
        left: list[Block] = []
        if last:
            cut = max(0, len(blocks[-1].deals) - new_games)
            deals = blocks[-1].deals
            left = [blocks[-1]._replace(deals=deals[cut:])]
            blocks[-1] = blocks[-1]._replace(deals=deals[:cut])
        for block in blocks:
            filler.play(name, block)
    return filler, left


def time_rankings(folder: Path) -> tuple[float, list[dict[str, float]]]:
    """Runs the whole command, from its start to its end: seconds, and the table."""
    command = [sys.executable, "-m", "californiajack_referee.cli", "--league", str(folder)]
    start = time.perf_counter()
    subprocess.run([*command, "rankings"], check=True, stdout=subprocess.DEVNULL)
    spent = time.perf_counter() - start
    told = subprocess.run([*command, "rankings", "--json"], check=True, capture_output=True)
    return spent, json.loads(told.stdout)["ranking"]


def trueskill_of(league: League) -> dict[str, tuple[float, float]]:
    """Rates all games with the package's own function; it takes minutes for a million."""
    environment = environment_of(RatingSettings())
    ratings: dict[str, trueskill.Rating] = {}
    for (won, lost), winner in _seats_and_winners(league):
        bots = (won.label, lost.label) if winner == 0 else (lost.label, won.label)
        before = (ratings.get(label) or environment.create_rating() for label in bots)
        after = trueskill.rate_1vs1(*before, env=environment)
        ratings.update(zip(bots, after, strict=True))
    return {label: (rating.mu, rating.sigma) for label, rating in ratings.items()}


def _seats_and_winners(league: League) -> Iterator[tuple[tuple[StoredBot, StoredBot], int | None]]:
    return ((game.seats, game.result.verdict.winner) for game in league.store.games())


def measure_rankings(
    games: int = GAMES, new_games: int = NEW_GAMES, bots: int = BOTS
) -> dict[str, float]:
    """Measures the first ranking of a league, the next one after new games, and compares.

    Args:
        games: games of the league; some more where they don't make whole deals.
        new_games: games that come between the two rankings, at most one a deal.
        bots: how many bots play them.

    Returns:
        ``games``; ``fill_seconds``; ``first_seconds``; ``warm_seconds``, after the new games;
        ``idle_seconds``, with none; ``largest_difference``, the largest one of any mean or
        deviation to those of the ``trueskill`` package; and ``trueskill_seconds`` that it took.
    """
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work) / "league"
        start = time.perf_counter()
        with League.open(folder, create=True) as league:
            filler, left = fill(league, games, new_games, bots)
            filled = time.perf_counter() - start
            first, _ = time_rankings(folder)
            idle, _ = time_rankings(folder)
            for block in left:
                filler.play("last", block)
            warm, table = time_rankings(folder)
            start = time.perf_counter()
            expected = trueskill_of(league)
            checked = time.perf_counter() - start
    differences = [
        abs(line[field] - expected[str(line["bot"])][place])
        for line in table
        for place, field in enumerate(("mu", "sigma"))
    ]
    return {
        "games": sum(line["games"] for line in table) / 2,
        "fill_seconds": filled,
        "first_seconds": first,
        "idle_seconds": idle,
        "warm_seconds": warm,
        "largest_difference": max(differences),
        "trueskill_seconds": checked,
    }


def main() -> None:
    """Measures, and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--new-games", type=int, default=NEW_GAMES)
    parser.add_argument("--bots", type=int, default=BOTS)
    options = parser.parse_args()
    for name, figure in measure_rankings(options.games, options.new_games, options.bots).items():
        print(f"{name:20} {figure:.4g}")


if __name__ == "__main__":
    main()
