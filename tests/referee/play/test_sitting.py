"""A sitting: two real processes at their tables, and the referee's own failures."""

from __future__ import annotations

import asyncio
import logging
import tempfile
import time
from collections import deque
from dataclasses import replace
from pathlib import Path

import pytest

from californiajack import Ruleset, Termination
from californiajack_referee.play import sitting as sitting_module
from californiajack_referee.play.series import run_series
from californiajack_referee.play.sitting import Sitting, SittingEnd
from californiajack_referee.play.table import Table
from californiajack_referee.values import BotProgram, Limits, SeriesOrder

RANDOM = BotProgram(
    "random", str(Path(__file__).parents[3] / "sample_bots" / "random"), ("python", "bot.py")
)
FAULTY = str(Path(__file__).parent / "bots" / "faulty")
ORDER = SeriesOrder(
    tournament="test",
    pairing=2,
    seating=1,
    seats=(RANDOM, replace(RANDOM, name="other")),
    deals=(5, 3, 9),
    seed=bytes(16),
    ruleset=Ruleset(target=1),
    limits=Limits(start_seconds=20, ready_seconds=20, shutdown_seconds=5),
)


def sit(order: SeriesOrder, until: float | None = None) -> tuple[SittingEnd, list[int]]:
    """Plays a sitting; gives what came of it and the deals left."""
    deals = deque(order.deals)
    end = asyncio.run(Sitting(order, deals, until, lambda: False).play())
    return end, list(deals)


def test_all_deals_are_played_once() -> None:
    """Each in turn, with nothing left and no failure."""
    before = time.monotonic()
    end, left = sit(ORDER)
    assert sorted(game.deal for game in end.results) == [3, 5, 9]
    assert end.results[0].deal == 5
    assert (left, end.failure) == ([], None)
    assert end.until is not None
    # the budget ran from when both were ready, after the start of two processes
    assert end.until > before + ORDER.budget_seconds


def test_after_its_time_nothing_is_begun() -> None:
    """A sitting whose time is over leaves all deals."""
    end, left = sit(ORDER, time.monotonic() - 1)
    assert (end.results, left, end.failure) == ([], [5, 3, 9], None)


@pytest.mark.parametrize(("deals", "left"), [((5, 3, 9), [3, 9]), ((5, 3), [])])
def test_the_last_games_are_not_left(deals: tuple[int, ...], left: list[int]) -> None:
    """When time is up, no more are begun, unless as few are left as were in play at once."""
    end, found = sit(replace(ORDER, deals=deals, games_at_once=1, budget_seconds=0.0))
    assert [game.deal for game in end.results] == [deal for deal in deals if deal not in left]
    assert found == left


def test_a_failure_leaves_what_was_not_begun() -> None:
    """The games in play are lost; the others stay in the queue for fresh processes."""
    program = BotProgram("faulty", FAULTY, ("python", "bot.py", "exits"))
    order = replace(ORDER, seats=(program, RANDOM), ruleset=Ruleset(), games_at_once=1)
    end, left = sit(order)
    assert end.failure is not None
    assert (end.failure.seat, end.failure.termination) == (0, Termination.CRASH)
    assert [game.deal for game in end.results] == [5]
    assert left == [3, 9]


def test_the_bots_numbers_of_games_count() -> None:
    """No more games are in play than the bot said in its hello."""
    most = 0

    class Watched(Sitting):
        def _begin(self, deal: int) -> None:
            nonlocal most
            super()._begin(deal)
            most = max(most, len(self._tables))

    program = BotProgram("raw", str(Path(FAULTY).parent / "raw"), ("python", "bot.py", "well"))
    order = replace(ORDER, seats=(program, RANDOM), deals=tuple(range(60)))
    end = asyncio.run(Watched(order, deque(order.deals), None, lambda: False).play())
    assert len(end.results) == 60
    assert 2 <= most <= 8


def test_games_are_added_while_the_first_one_is_played() -> None:
    """Once it is known how quick the bots are; not only when a game ends."""
    begun_first: list[int] = []

    class Watched(Sitting):
        def _ended(self, table: Table) -> None:
            begun_first.append(self._begun)
            super()._ended(table)

    thinking = BotProgram(
        "thinking", str(Path(FAULTY).parent / "thinking"), ("python", "bot.py", "sleeps", "0.01")
    )
    order = replace(ORDER, seats=(RANDOM, thinking), deals=(0, 1, 2), ruleset=Ruleset())
    order = replace(order, games_at_once=3)
    end = asyncio.run(Watched(order, deque(order.deals), None, lambda: False).play())
    assert len(end.results) == 3
    assert begun_first == [3, 3, 3]


def test_each_seat_has_its_log(tmp_path: Path) -> None:
    """It is named after the pairing, the seating and the bot."""
    sit(replace(ORDER, log_folder=str(tmp_path), deals=(1,)))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2-1-other.log", "2-1-random.log"]


# What the machine is to blame for.


def hang_with(monkeypatch: pytest.MonkeyPatch, way: str, limits: Limits) -> SeriesOrder:
    """A series with a bot that hangs, on a machine that takes the blame for it."""
    monkeypatch.setattr(sitting_module, "excuse", lambda *_, **__: "the machine slept")
    program = BotProgram("faulty", FAULTY, ("python", "bot.py", way))
    return replace(ORDER, seats=(RANDOM, program), ruleset=Ruleset(), limits=limits)


def test_a_start_that_the_machine_delayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One game is void and says why; nobody is blamed, and the rest is left to be played."""
    (game,) = run_series(hang_with(monkeypatch, "silent", Limits(start_seconds=0.5))).games
    verdict = game.verdict
    assert (verdict.winner, verdict.blame) == (None, None)
    assert verdict.termination is Termination.REFEREE_FAULT
    # on a busy machine the other bot may have been as late
    assert verdict.words.partition(" ")[2] == (
        "never started: no hello within 0.5 s; it was late, but not by its own fault: "
        "the machine slept"
    )


def test_a_silence_that_the_machine_caused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games in play are void, no fresh process is started, and the rest is left."""
    order = replace(
        hang_with(monkeypatch, "hangs", Limits(move_seconds=1.0)), deals=tuple(range(400))
    )
    games = run_series(order).games
    void = [game for game in games if game.verdict.winner is None]
    assert 0 < len(void) < 400
    assert len(games) < 400
    excuse = "was late, but not by its own fault: the machine slept"
    assert {game.verdict.words.partition(" ")[2] for game in void} == {excuse}
    assert all(game.verdict.blame is None for game in games)


# The referee's own failures.


def test_a_referee_that_fails_in_a_game(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One game is void with the cause for the platform's author; what was finished is kept."""
    answer = Table.answer

    def fail(table: Table, seat: int, card: int, charged: float) -> None:
        if table.number == 2:
            raise RuntimeError("broken inside")
        answer(table, seat, card, charged)

    monkeypatch.setattr(Table, "answer", fail)
    with caplog.at_level(logging.CRITICAL):
        games = run_series(replace(ORDER, games_at_once=1)).games
    assert [game.deal for game in games] == [5, 3, 9]
    verdicts = [game.verdict for game in games]
    normal = Termination.NORMAL
    assert [v.termination for v in verdicts] == [normal, normal, Termination.REFEREE_FAULT]
    assert (verdicts[2].winner, verdicts[2].blame) == (None, None)
    assert verdicts[2].words == "The referee failed: RuntimeError: broken inside"
    assert "Traceback" in verdicts[2].detail


def test_a_referee_that_fails_at_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One game is void though all deals were begun, and the rest is left to be played."""

    def fail(_table: Table, _seat: int, _card: int, _charged: float) -> None:
        raise RuntimeError("broken inside")

    monkeypatch.setattr(Table, "answer", fail)
    with caplog.at_level(logging.CRITICAL):
        (game,) = run_series(replace(ORDER, deals=(5,))).games
    assert (game.deal, game.verdict.termination) == (5, Termination.REFEREE_FAULT)


def test_a_temporary_folder_too_deep(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A path too long for a socket is told with what to do, and is nobody's fault."""
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    (game,) = run_series(ORDER).games
    assert game.verdict.blame is None
    assert "too long for a Unix socket: set TMPDIR" in game.verdict.words
    assert list(deep.iterdir()) == []


def test_a_ticker_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure in the watching of the clocks ends the sitting, and does not leave it hanging."""

    async def fail(_sitting: Sitting) -> None:
        raise RuntimeError("no clock")

    monkeypatch.setattr(sitting_module.Sitting, "_tick", fail)
    (game,) = run_series(ORDER).games
    assert game.verdict.words == "The referee failed: RuntimeError: no clock"
