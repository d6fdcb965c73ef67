"""The processes that play series: a pool of them, and how each of them ends.

A worker leaves Ctrl-C to the process that runs the tournament. It drops its series, bots and all,
when it is asked to stop and also when that process is gone, however it died.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

from californiajack.client import TOKEN_VARIABLE
from californiajack.memory import hide_memory
from californiajack_referee.play.series import run_series
from californiajack_referee.play.slots import Slots
from californiajack_referee.sandbox.sweep import adopt_orphans, sweep_marked

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.connection import Connection
    from pathlib import Path

    from californiajack_referee.values import SeriesOrder, SeriesResult

END_SECONDS = 20.0
"""How long a series may take to end when it has to; then its worker is ended without it."""
_WATCH_SECONDS = 0.25


class Workers:
    """A pool of processes that play series."""

    def __init__(self, jobs: int, slots: Path | None = None) -> None:
        """Makes the pool; a process starts when there is a series for it.

        Args:
            jobs: how many series may be in full play at once, at least 1.
            slots: a folder of this run's own, in which series in full play are told from others:
                then there is one more process, which gets its bots ready meanwhile, plays out its
                last few games, or plays bots so quick that they are in nobody's way.
        """
        if slots is not None:
            slots.mkdir(parents=True, exist_ok=True)
        # the bots of a worker that is killed fall to this process
        adopt_orphans()
        # clean processes: one forked after gRPC has begun to work would hang
        context = multiprocessing.get_context("spawn")
        # a pipe, and not an event: it has no lock that a killed worker could keep
        self._told, self._tell = context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(
            jobs + (slots is not None),
            mp_context=context,
            initializer=_begin,
            initargs=(self._told, slots, jobs),
        )

    def submit(self, order: SeriesOrder) -> Future[SeriesResult]:
        """Has a series played.

        Raises:
            concurrent.futures.BrokenExecutor: a worker has died; the pool plays no more.
        """
        # Ctrl-C would else kill a new worker before it has learnt to leave it alone
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return self._pool.submit(run_in_worker, order)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def ask_stop(self) -> None:
        """Tells the workers to give back what they have finished, at once."""
        self._tell.send_bytes(b"stop")

    def close(self) -> None:
        """Ends the workers, after the series that they are at."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        sweep_marked(f"{TOKEN_VARIABLE}=")
        self._tell.close()
        self._told.close()


class _Worker:
    """What a worker process knows of its own end."""

    def __init__(self) -> None:
        self.told: Connection | None = None
        self.slots = Slots()
        self.terminated = False
        self.busy = threading.Lock()


_HERE = _Worker()


def run_in_worker(order: SeriesOrder) -> SeriesResult:
    """Plays a series in a worker process, until it is played or has to stop."""
    with _HERE.busy:
        try:
            return run_series(order, stop=_must_stop, slots=_HERE.slots)
        finally:
            # what a series leaves in circles would else be collected some series later, with the
            # memory between them in pieces: it would grow by megabytes in 10,000 games
            gc.collect()


def _begin(told: Connection, slots: Path | None, jobs: int) -> None:
    """Prepares a new worker process."""
    # what is imported stays: the search for garbage after each series took 7 ms, most of it here
    gc.freeze()
    hide_memory()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    # the pool terminates its other workers when one has died; they too have bots to take along
    signal.signal(signal.SIGTERM, _on_terminate)
    # a terminal that is closed says so to all that runs in it
    signal.signal(signal.SIGHUP, _on_terminate)
    _HERE.told = told
    _HERE.slots = Slots(slots, jobs)
    threading.Thread(target=_watch, daemon=True).start()


def _on_terminate(_signal: int, _frame: object) -> None:
    _HERE.terminated = True


def _must_end() -> bool:
    parent = multiprocessing.parent_process()
    return _HERE.terminated or parent is None or not parent.is_alive()


def _must_stop() -> bool:
    # what the pipe holds stays in it, for all workers to see
    return _must_end() or (_HERE.told is not None and _HERE.told.poll())


def _watch() -> None:
    """Ends the process when it has to end, or when its series doesn't stop when told."""
    while not _must_stop():
        time.sleep(_WATCH_SECONDS)
    patient_until = time.monotonic() + END_SECONDS
    while time.monotonic() < patient_until:
        if _must_end() and _HERE.busy.acquire(blocking=False):
            break
        time.sleep(_WATCH_SECONDS)
    # an idle worker waits on a queue for ever, whoever has died at its other end
    os._exit(1)
