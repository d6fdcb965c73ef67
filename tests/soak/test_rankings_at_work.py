"""Rankings asked for by several processes while another one stores games, far from any order."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from californiajack import Ruleset, Termination
from californiajack_referee.league.folder import League
from californiajack_referee.league.stored import RatingSettings, StoredTournament
from californiajack_referee.ranking.tally import Tally
from californiajack_referee.schedule import blocks_to_play, pairings, round_robin, seated
from californiajack_referee.values import GameResult, Limits, Verdict

if TYPE_CHECKING:
    from pathlib import Path

    from californiajack_referee.schedule import Block

BOTS = 5
PAIRS = 3_000
READERS = 2
GAMES_AT_FIRST = 20_000
"""Enough for the first readers to leave checkpoints, which most later games then land before."""


class _Writer:
    """Stores the games of a tournament in blocks, and remembers them in the order of arrival."""

    def __init__(self, league: League) -> None:
        self._league = league
        self._rng = random.Random(1)
        entrants = tuple(
            league.store.add_bot(name, name, language="Python", authors=["Ada"], command=["python"])
            for name in "abcde"
        )
        created = datetime(2026, 1, 2, tzinfo=UTC)
        league.store.add_tournament(
            StoredTournament("night", entrants, PAIRS, bytes(16), Ruleset(), Limits(), created)
        )
        self.blocks = blocks_to_play(round_robin(BOTS, PAIRS), {})
        self._rng.shuffle(self.blocks)
        self.arrived: list[tuple[int, int, int, int]] = []

    def store(self, block: Block) -> None:
        results = []
        for deal in block.deals:
            winner = self._rng.randrange(2)
            verdict = Verdict(winner, Termination.NORMAL, None, "It is over")
            results.append(GameResult(deal, verdict, (10, 7), b""))
            self.arrived.append((deal, block.leg.pairing, block.leg.seating, winner))
        self._league.store.add_results("night", *block.leg, results)


def _ask(folder: Path) -> subprocess.Popen[bytes]:
    words = ["--league", str(folder), "rankings", "--json"]
    return subprocess.Popen(
        [sys.executable, "-m", "californiajack_referee.cli", *words], stdout=subprocess.PIPE
    )


def _expected(arrived: list[tuple[int, int, int, int]]) -> dict[str, tuple[float, float, int, int]]:
    """Counts games from the first one on, in canonical order."""
    tally, places = Tally(RatingSettings()), pairings(BOTS)
    for deal, pairing, seating, winner in sorted(arrived):
        seats = seated(places[pairing], seating)
        tally.add((deal, pairing), seats[winner], seats[1 - winner], fault=False)
    return {
        f"{'abcde'[bot]}@1": (line.mu, line.sigma, line.wins, sum(line.pairs))
        for bot, line in tally.lines.items()
    }


def _told(answer: list[dict[str, Any]]) -> dict[str, tuple[float, float, int, int]]:
    return {
        line["bot"]: (line["mu"], line["sigma"], line["wins"], line["pairs"]) for line in answer
    }


@pytest.mark.soak
def test_every_reader_sees_one_moment_and_counts_it_right(tmp_path: Path) -> None:
    """Each answer is, to the last bit, a full count of what had arrived at some moment."""
    folder = tmp_path / "league"
    answers: list[list[dict[str, Any]]] = []
    with League.open(folder, create=True) as league:
        writer = _Writer(league)
        running: list[subprocess.Popen[bytes]] = []
        while writer.blocks or running:
            if writer.blocks:
                writer.store(writer.blocks.pop())
            if writer.blocks and len(writer.arrived) > GAMES_AT_FIRST and len(running) < READERS:
                running.append(_ask(folder))
            for asked in [one for one in running if not writer.blocks or one.poll() is not None]:
                out, _ = asked.communicate(timeout=30)
                assert asked.returncode == 0
                answers.append(json.loads(out)["ranking"])
                running.remove(asked)
        asked = _ask(folder)
        answers.append(json.loads(asked.communicate(timeout=30)[0])["ranking"])
    counts = [sum(line["wins"] for line in answer) for answer in answers]
    assert counts[-1] == len(writer.arrived) == PAIRS * BOTS * (BOTS - 1)
    assert len(set(counts)) > 2, "no reader was at it while games were stored"
    for count, answer in zip(counts, answers, strict=True):
        assert _told(answer) == _expected(writer.arrived[:count])
