"""The pool of processes that play series."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from californiajack import Ruleset
from californiajack_referee.tournament.jobs import default_jobs
from californiajack_referee.tournament.workers import Workers
from californiajack_referee.values import BotProgram, SeriesOrder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MANY = tuple(range(2000))


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory, write_bot: Callable[..., Path]) -> Path:
    """Gives a folder with two bots; the second one is slow."""
    folder = tmp_path_factory.mktemp("bots")
    write_bot(folder, "quick")
    write_bot(folder, "slow", before="time.sleep(0.002)")
    return folder


@pytest.fixture
def workers() -> Iterator[Workers]:
    """Gives a pool of one process."""
    made = Workers(1)
    yield made
    made.close()
    assert multiprocessing.active_children() == []


def _order(bots: Path, *deals: int) -> SeriesOrder:
    quick, slow = (
        BotProgram(f"{name}@1", str(bots / name), ("python", "bot.py"))
        for name in ("quick", "slow")
    )
    return SeriesOrder(
        tournament="night",
        pairing=0,
        seating=0,
        seats=(quick, slow),
        deals=deals,
        seed=bytes(16),
        ruleset=Ruleset(target=1),
    )


def test_one_series_for_two_cores() -> None:
    """As many series as half the cores that this process may use, and at least one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert default_jobs() == max(1, (cores or 1) // 2)


def test_a_worker_plays_series_after_series(workers: Workers, bots: Path) -> None:
    """The process that played the first series plays the others too, and the results are theirs."""
    seen = set()
    for first in range(0, 6, 2):
        games = workers.submit(_order(bots, first, first + 1)).result(40).games
        assert sorted(game.deal for game in games) == [first, first + 1]
        seen |= {child.pid for child in multiprocessing.active_children()}
    assert len(seen) == 1


def test_workers_give_back_what_is_finished_when_told(
    workers: Workers, bots: Path, processes_of: Callable[[Path], list[int]]
) -> None:
    """A series that is told to stop ends within seconds, with its finished games and no process."""
    playing = workers.submit(_order(bots, *MANY))
    waiting = workers.submit(_order(bots, *MANY))
    while not processes_of(bots):
        time.sleep(0.05)
    time.sleep(1)
    told = time.monotonic()
    workers.ask_stop()
    games = playing.result(20).games
    assert time.monotonic() - told < 10
    assert len(games) < len(MANY)
    assert all(game.verdict.winner is not None for game in games)
    assert waiting.result(20).games == ()
    assert processes_of(bots) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_terminated_worker_takes_its_bots_along(
    bots: Path, processes_of: Callable[[Path], list[int]], number: int
) -> None:
    """A worker that is told to end ends its series first, and leaves no bot."""
    pool = Workers(1)
    playing = pool.submit(_order(bots, *MANY))
    while not processes_of(bots):
        time.sleep(0.05)
    (worker,) = multiprocessing.active_children()
    assert worker.pid is not None
    os.kill(worker.pid, number)
    playing.exception(20)
    worker.join(20)
    assert processes_of(bots) == []
    pool.close()
