"""Slots for series in full play: who holds one, and who waits for it."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from californiajack import Ruleset, Termination
from californiajack_referee.play.series import run_series
from californiajack_referee.play.slots import Slots
from californiajack_referee.values import BotProgram, GameResult, Limits, SeriesOrder

BOTS = Path(__file__).parent / "bots" / "thinking"
RANDOM = BotProgram(
    "random", str(Path(__file__).parents[3] / "sample_bots" / "random"), ("python", "bot.py")
)
SLOW = BotProgram("slow", str(BOTS), ("python", "bot.py", "sleeps", "0.02"))
HOLD = """
import sys, time
from dataclasses import replace
from pathlib import Path
from californiajack_referee.play.slots import Slots
slots = Slots(Path(sys.argv[1]), 1)
assert slots.take()
print("held", flush=True)
time.sleep(60)
"""


def order_of(bot: BotProgram, games: int) -> SeriesOrder:
    """A series of short games, one at once."""
    return SeriesOrder(
        tournament="test",
        pairing=0,
        seating=0,
        seats=(bot, RANDOM),
        deals=tuple(range(games)),
        seed=bytes(16),
        ruleset=Ruleset(target=1),
        limits=Limits(ready_seconds=20, shutdown_seconds=1),
        games_at_once=1,
    )


def test_as_many_as_there_are(tmp_path: Path) -> None:
    """Of two slots a third one gets none, until one is given back; taking twice does no harm."""
    first, second, third = (Slots(tmp_path, 2) for _ in range(3))
    assert first.take()
    assert first.take()
    assert second.take()
    assert not third.take()
    first.give_back()
    first.give_back()
    assert third.take()
    assert not first.take()


def test_without_a_folder_there_is_one_for_everybody() -> None:
    """That is how a series by itself is played."""
    assert all(Slots().take() for _ in range(9))


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    """What it held is free at once."""
    mine = Slots(tmp_path, 1)
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        assert not mine.take()
        holder.kill()
    assert mine.take()


def test_a_series_waits_for_its_slot_and_no_clock_runs(tmp_path: Path) -> None:
    """Its bots are ready meanwhile; its games are played when the slot is free, all on time."""
    other = Slots(tmp_path, 1)
    assert other.take()
    played: list[GameResult] = []
    limits = Limits(start_seconds=20, ready_seconds=20, move_seconds=0.5, game_seconds=1.5)
    order = replace(order_of(RANDOM, 2), limits=limits)

    def play() -> None:
        played.extend(run_series(order, slots=Slots(tmp_path, 1)).games)

    series = threading.Thread(target=play)
    series.start()
    time.sleep(2.5)
    assert series.is_alive()
    other.give_back()
    series.join(30)
    assert [game.verdict.termination for game in played] == [Termination.NORMAL] * 2
    assert other.take()


@pytest.mark.parametrize(("bot", "free"), [(RANDOM, True), (SLOW, False)])
def test_quick_bots_leave_their_slot_to_others(
    tmp_path: Path,
    bot: BotProgram,
    free: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """Bots that think keep their slot to the last game; quick ones soon are without."""
    over = threading.Event()
    taken_early: list[bool] = []

    def watch() -> None:
        other = Slots(tmp_path, 1)
        began = False
        while not over.is_set():
            if not other.take():
                began = True
            else:
                # at once, as bots that are quick no more want it back
                other.give_back()
                if began:
                    taken_early.append(True)
                    return
            time.sleep(0.01)

    watcher = threading.Thread(target=watch)
    watcher.start()
    games = 40 if free else 3
    seen: list[int] = []

    def stop() -> bool:
        seen.append(len(taken_early))
        return False

    played = run_series(order_of(bot, games), stop=stop, slots=Slots(tmp_path, 1)).games
    over.set()
    watcher.join()
    assert len(played) == games
    # while the series was still asking whether to stop
    assert bool(seen[-2]) == free
