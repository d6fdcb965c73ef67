"""Slots for series in full play: who holds one, and who waits for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from californiajack import Ruleset, Termination
from californiajack_referee.play.series import run_series
from californiajack_referee.play.slots import Slots
from californiajack_referee.sandbox.processes import tree_of
from californiajack_referee.sandbox.processors import allowed_processors
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
    for slots in (second, third):
        slots.give_back()


@pytest.mark.skipif(not allowed_processors(), reason="this system doesn't tell of processors")
def test_a_slot_has_a_processor(tmp_path: Path) -> None:
    """Its holder runs there, with all its threads, if it wants to, until it gives the slot back."""
    everything = sorted(allowed_processors())
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    count = len(everything) + 1  # one more than there are processors
    holders = [Slots(tmp_path, count) for _ in range(count)]
    try:
        for holder, own in zip(holders, [*everything, everything[0]], strict=True):
            assert holder.take(one_processor=True)
            assert holder.processors == allowed_processors() == {own}
            assert os.sched_getaffinity(thread.native_id or 0) == {own}
        holders[0].give_back()
        assert holders[0].processors == allowed_processors() == set(everything)
        assert holders[0].take()
        assert holders[0].processors == allowed_processors() == set(everything)
    finally:
        over.set()
        for holder in holders:
            holder.give_back()


@pytest.mark.skipif(not allowed_processors(), reason="this system doesn't tell of processors")
@pytest.mark.parametrize(("one_processor", "dies"), [(True, False), (True, True), (False, False)])
def test_bots_run_on_the_processor_of_their_slot(
    tmp_path: Path,
    one_processor: bool,  # noqa: FBT001 - a parameter of the test
    dies: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """Also those that take the place of one that died; when all is over, no trace is left."""
    everything = allowed_processors()
    own = frozenset({max(everything)}) if one_processor else everything
    others = [Slots(tmp_path, len(everything)) for _ in range(len(everything) - 1)]
    mine = Slots(tmp_path, len(everything))
    assert all(other.take() for other in others)
    seen: dict[int, set[tuple[frozenset[int], frozenset[int]]]] = {}
    before = tree_of(os.getpid())

    def stop() -> bool:
        for bot in set(tree_of(os.getpid())).difference(before):
            try:
                where = allowed_processors(), frozenset(os.sched_getaffinity(bot))
            except ProcessLookupError:
                continue
            seen.setdefault(bot, set()).add(where)
            if dies and len(seen) == 2 and where == (own, own):
                os.kill(bot, signal.SIGKILL)
        return False

    order = replace(order_of(SLOW, 3), one_processor=one_processor)
    played = run_series(order, stop=stop, slots=mine).games
    for other in others:
        other.give_back()
    assert len(played) == 3
    assert [game.verdict.termination for game in played].count(Termination.NORMAL) == 3 - dies
    assert len(seen) == (4 if dies else 2)
    if one_processor:
        assert all((own, own) in places for places in seen.values())
    else:
        assert all(places == {(own, own)} for places in seen.values())
    assert mine.processors == allowed_processors() == everything


@pytest.mark.skipif(not hasattr(os, "SCHED_BATCH"), reason="this system knows no batches")
@pytest.mark.parametrize(("bot", "batch"), [(RANDOM, True), (SLOW, False)])
def test_quick_bots_let_others_finish(
    tmp_path: Path,
    bot: BotProgram,
    batch: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """They and their referee run in batch, once it is known; others don't, nor what comes after."""
    seen: set[tuple[int, ...]] = set()
    before = tree_of(os.getpid())

    def stop() -> bool:
        bots = set(tree_of(os.getpid())).difference(before)
        with suppress(ProcessLookupError):
            seen.add((os.sched_getscheduler(0), *map(os.sched_getscheduler, bots)))
        return False

    mine = Slots(tmp_path, 1)
    games = 40 if batch else 3
    assert len(run_series(order_of(bot, games), stop=stop, slots=mine).games) == games
    assert ((os.SCHED_BATCH,) * 3 in seen) == batch
    assert (os.SCHED_OTHER,) * 3 in seen
    assert batch or {policy for policies in seen for policy in policies} == {os.SCHED_OTHER}
    assert not mine.in_batch
    assert os.sched_getscheduler(0) == os.SCHED_OTHER


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
