"""Clocks that are fair: real bots that think for most of their time, or for longer."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections import deque
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from californiajack import Ruleset, Termination
from californiajack_referee.play import sitting as sitting_module
from californiajack_referee.play.series import run_series
from californiajack_referee.play.sitting import Sitting
from californiajack_referee.values import BotProgram, GameResult, Limits, SeriesOrder

if TYPE_CHECKING:
    from collections.abc import Iterator


FOLDER = Path(__file__).parent / "bots" / "thinking"
RANDOM = BotProgram(
    "random", str(Path(__file__).parents[3] / "sample_bots" / "random"), ("python", "bot.py")
)
SPINNERS = 12
needs_schedstat = pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="reads /proc, which this system hasn't"
)


def thinking(*arguments: object) -> BotProgram:
    """A bot that thinks in some way."""
    return BotProgram("thinker", str(FOLDER), ("python", "bot.py", *map(str, arguments)))


def order_of(bot: BotProgram, move_seconds: float, games: int = 1) -> SeriesOrder:
    """A series of games of one round or two."""
    return SeriesOrder(
        tournament="test",
        pairing=0,
        seating=0,
        seats=(bot, RANDOM),
        deals=tuple(range(games)),
        seed=bytes(16),
        ruleset=Ruleset(target=1),
        limits=Limits(move_seconds=move_seconds, shutdown_seconds=1),
        games_at_once=games,
        budget_seconds=40,
    )


class Full(Sitting):
    """A sitting of slow bots that stops once enough has been seen.

    Attributes:
        most: the most turns that waited for the slow bot at once.
    """

    most = 0

    def __init__(self, order: SeriesOrder, moves: int) -> None:
        """Stops after so many moves of the slow bot."""
        super().__init__(order, deque(order.deals), None, self._enough)
        self._enough_moves = moves

    def _enough(self) -> bool:
        session = self._sessions[0]
        self.most = max(self.most, session.unanswered)
        return session._moves >= self._enough_moves


def overloaded() -> bool:
    """Whether so much else runs here that nothing can be in time."""
    return os.getloadavg()[0] > 4 * (os.cpu_count() or 1)


def check_excused(games: list[GameResult]) -> None:
    """Whatever else happened was void and the machine's fault: others may keep it busy."""
    for game in games:
        verdict = game.verdict
        assert verdict.termination in {Termination.REFEREE_FAULT, Termination.INTERRUPTED}, verdict
        assert verdict.winner is None
        assert "not by its own fault" in verdict.words or "stopped" in verdict.words


# Slow bots.


def test_80_percent_of_the_limit_never_loses_one_game() -> None:
    """A bot that thinks that long over every card plays its game to the end."""
    (game,) = run_series(order_of(thinking("sleeps", 0.4), 0.5)).games
    if game.verdict.termination is Termination.NORMAL:
        assert 0.38 * 12 * 1000 < game.used_ms[0] < 0.5 * 52 * 1000
        assert game.used_ms[1] < 2000
    elif not overloaded():
        check_excused([game])


def test_120_percent_of_the_limit_always_loses_one_game() -> None:
    """With its first card, on time, and with as much charged as it was waited for."""
    (game,) = run_series(order_of(thinking("sleeps", 0.6), 0.5)).games
    verdict = game.verdict
    if verdict.blame is None:
        check_excused([game])
        return
    assert (verdict.termination, verdict.blame) == (Termination.TIMEOUT, 0)
    assert "s over a card; 0.50 s were allowed" in verdict.words
    assert 500 <= game.used_ms[0] < 1500


def test_80_percent_of_the_limit_never_loses_64_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """While 64 turns wait, each is charged from the answer before it, and none is late."""
    monkeypatch.setattr(sitting_module, "games_allowed", lambda *_: 64)
    sitting = Full(order_of(thinking("sleeps", 0.8), 1.0, 64), 12)
    end = asyncio.run(sitting.play())
    assert sitting.most == 64
    assert end.failure is None or end.failure.excuse
    if not overloaded():
        check_excused(end.results)
    used = sum(game.used_ms[0] for game in end.results)
    # no game was charged for the time in which another one's turn was thought over
    assert used < 12 * 2000


def test_120_percent_of_the_limit_always_loses_64_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """All 64 are lost on time, one after the other, and never two for one card."""
    monkeypatch.setattr(sitting_module, "games_allowed", lambda *_: 64)
    order = order_of(thinking("sleeps", 0.12), 0.1, 64)
    sitting = Full(order, 10**6)
    began = time.monotonic()
    end = asyncio.run(sitting.play())
    assert sitting.most > 48  # the first may be lost before the last is sent
    lost = [game for game in end.results if game.verdict.blame == 0]
    assert {game.verdict.termination for game in lost} == {Termination.TIMEOUT}
    check_excused([game for game in end.results if game.verdict.blame is None])
    assert len(end.results) == 64
    assert len(lost) > 32
    assert time.monotonic() - began > 64 * 0.1


# What the machine is to blame for.


@contextmanager
def spinning() -> Iterator[None]:
    """Keeps the last processor busy with many processes."""
    processor = max(os.sched_getaffinity(0))
    code = f"import os\nos.sched_setaffinity(0, {{{processor}}})\nwhile True: pass"
    # in sessions of their own: a session's processes may be served together as one
    spinners = [
        subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
        for _ in range(SPINNERS)
    ]
    try:
        yield
    finally:
        for spinner in spinners:
            spinner.kill()
        for spinner in spinners:
            spinner.wait()


@contextmanager
def on_one_processor() -> Iterator[None]:
    """Lets the referee's loop, and what it starts, run on the last processor only."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def check_blamed(order: SeriesOrder) -> None:
    """Seat 0 loses on time; void only where other work on the machine did it, which passes."""
    for _ in range(4):
        (game,) = run_series(order).games
        if game.verdict.blame is not None:
            break
        check_excused([game])
    assert (game.verdict.termination, game.verdict.blame) == (Termination.TIMEOUT, 0), game.verdict


@needs_schedstat
def test_a_bot_that_gets_no_processor_loses_nothing() -> None:
    """Beside spinning processes a bot that computes is late; its game is void, and says why."""
    order = order_of(thinking("works", 0.15), 1.0)
    with on_one_processor(), spinning():
        (game,) = run_series(order).games
    verdict = game.verdict
    assert (verdict.winner, verdict.blame) == (None, None), verdict
    assert verdict.termination is Termination.REFEREE_FAULT
    assert "late, but not by its own fault: it got no processor for" in verdict.words


@needs_schedstat
def test_without_them_it_is_in_time() -> None:
    """The same bot alone on its processor plays its game to the end."""
    for _ in range(3):
        with on_one_processor():
            (game,) = run_series(order_of(thinking("works", 0.15), 1.0)).games
        if game.verdict.termination is Termination.NORMAL:
            break
        check_excused([game])  # other work on the machine, which passes
    assert game.verdict.termination is Termination.NORMAL or overloaded(), game.verdict


@needs_schedstat
@pytest.mark.parametrize("way", ["sleeps", "stops", "narrows"])
def test_a_bot_that_takes_no_processor_has_no_excuse(way: str) -> None:
    """Spinning processes take nothing from one that sleeps, stops or picks the busy processor."""
    with spinning():
        check_blamed(order_of(thinking(way, 1.3), 1.0))


@needs_schedstat
@pytest.mark.parametrize("way", ["yields", "abandons", "competes", "threads"])
def test_a_bot_that_keeps_itself_from_running_has_no_excuse(way: str) -> None:
    """What its manners, its own processes and threads, or what it left, take is its own doing."""
    check_blamed(order_of(thinking(way, 1.3), 1.0))


def test_a_referee_that_is_held_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it does not get round to reading in time is void: the answer may have been there."""
    held_up: list[float] = []
    order = replace(order_of(thinking("sleeps", 0.1), 0.5, 2), games_at_once=1)
    check = Sitting._ended

    def hold_up(self: Sitting, table: object) -> None:
        check(self, table)  # type: ignore[arg-type] # a table
        if not held_up:
            held_up.append(time.monotonic())
            asyncio.get_running_loop().call_later(0.05, time.sleep, 1.0)

    monkeypatch.setattr(Sitting, "_ended", hold_up)
    first, second = run_series(order).games
    assert first.verdict.termination is Termination.NORMAL
    verdict = second.verdict
    assert (verdict.winner, verdict.blame) == (None, None), verdict
    assert "not by its own fault: the referee was held up for" in verdict.words


def test_the_processor_time_of_a_game() -> None:
    """Each seat's is told: that of a bot that computes, and hardly any of one that sleeps."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("reads /proc, which this system hasn't")
    works = run_series(order_of(thinking("works", 0.05), 10)).games[0]
    sleeps = run_series(order_of(thinking("sleeps", 0.05), 10)).games[0]
    for game in (works, sleeps):
        assert game.used_ms[0] > 12 * 45
    assert works.cpu_ms[0] is not None
    assert sleeps.cpu_ms[0] is not None
    assert works.cpu_ms[0] > 12 * 45
    assert sleeps.cpu_ms[0] < 12 * 30
