"""The bot in JavaScript plays through the referee what its twin in Python plays."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from californiajack import FollowRule, Ruleset, Scoring, Termination
from californiajack_referee.league.folder import League
from californiajack_referee.play.series import run_series
from californiajack_referee.submission.submit import submit
from californiajack_referee.values import BotProgram, GameResult, SeriesOrder

SAMPLE_BOTS = Path(__file__).parents[2] / "sample_bots"
RANDOM = BotProgram("random@1", str(SAMPLE_BOTS / "random"), ("python", "bot.py"))
GREEDY = BotProgram("greedy@1", str(SAMPLE_BOTS / "greedy"), ("python", "bot.py"))
RULESETS = (Ruleset(), Ruleset(5, Scoring.MOST_TRICKS, FollowRule.FOLLOW_OR_TRUMP))


def series(seats: tuple[BotProgram, BotProgram], ruleset: Ruleset) -> list[GameResult]:
    """Plays forty deals and gives the games by deal."""
    order = SeriesOrder(
        tournament="twins",
        pairing=0,
        seating=0,
        seats=seats,
        deals=tuple(range(40)),
        seed=bytes(range(16)),
        ruleset=ruleset,
    )
    games = sorted(run_series(order).games, key=lambda game: game.deal)
    assert [game.verdict.termination for game in games] == [Termination.NORMAL] * 40
    return games


@pytest.mark.node
@pytest.mark.skipif(
    not (shutil.which("node") and shutil.which("npm")), reason="Node.js or npm is missing"
)
def test_both_greedy_bots_play_the_same_cards(tmp_path: Path) -> None:
    """On the same deals, against the same opponent and in either seat, every card is the same."""
    with League.open(tmp_path / "league", create=True) as league:
        script = league.program_of(submit(league, SAMPLE_BOTS / "greedy-js"))
    for ruleset in RULESETS:
        for seat in (0, 1):
            twins = [
                series((twin, RANDOM) if seat == 0 else (RANDOM, twin), ruleset)
                for twin in (GREEDY, script)
            ]
            for python, javascript in zip(*twins, strict=True):
                assert python.plays == javascript.plays
                assert python.score == javascript.score
