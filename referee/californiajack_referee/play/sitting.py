"""Two bot processes at their tables, from their start to their end."""

from __future__ import annotations

import asyncio
import secrets
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from californiajack import Termination
from californiajack_referee.play.ending import explain_end, too_late
from californiajack_referee.play.faults import Failure
from californiajack_referee.play.lag import Lateness, excuse
from californiajack_referee.play.launch import BotProcess, LaunchError
from californiajack_referee.play.pace import games_allowed
from californiajack_referee.play.server import SeatServer
from californiajack_referee.play.session import Session, State
from californiajack_referee.play.slots import Slots
from californiajack_referee.play.table import Table, TableOrder
from californiajack_referee.play.usage import CpuMeter, ShareWatch
from californiajack_referee.sandbox.folders import SOCKET, series_folder
from californiajack_referee.sandbox.processors import run_in_batch, run_on

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Callable

    from californiajack_referee.values import BotProgram, GameResult, SeriesOrder

_TICK_SECONDS = 0.05
_SLOT_SECONDS = 0.02
_QUICK_PART = 0.0002
"""A bot is quick that takes this part of its limit for a move, on average: 2 ms of 10 s."""
_FEW_LEFT = 8
"""When an eighth of the games is left, they keep the bots busy no more: the next series begins."""
_WATCHED_SECONDS = 0.02
"""From what age on a wait is watched for starvation; most bots are never watched."""
_EXIT_SECONDS = 1.0
"""How long a process whose stream has ended is given to end too, and so to count as crashed."""
_LAST_WORDS_SECONDS = 0.1
"""How long a bot that failed, and its opponent, are given to read how their games ended."""


@dataclass(slots=True)
class SittingEnd:
    """What came of a sitting."""

    results: list[GameResult] = field(default_factory=list)
    """The games that have ended, in that order."""
    failure: Failure | None = None
    """The bot process that failed and so ended the sitting early."""
    until: float | None = None
    """The monotonic time after which no new game is begun, but the last few; None while none has
    been begun."""


class Sitting:
    """Plays games from a queue of deals until it is empty, time is up, or a process fails."""

    def __init__(
        self,
        order: SeriesOrder,
        deals: deque[int],
        until: float | None,
        stop: Callable[[], bool],
        slots: Slots | None = None,
    ) -> None:
        """Prepares a sitting; `play` runs it.

        Args:
            order: what the series is to play.
            deals: the deals still to play; those begun are taken from its left.
            until: the monotonic time after which no new game is begun, unless no more are left than
                were in play at once; None lets the time budget run from when both bots are ready,
                so that slow starters play too.
            stop: tells whether everything is to be stopped.
            slots: of which it takes one for its games, and gives it back when few are left; None
                for no limit.

        Attributes:
            end: what has come of it so far.
        """
        self._order = order
        self._deals = deals
        self._stop = stop
        self._slots = slots or Slots()
        self._most = 0
        self._bots_on = self._slots.processors
        self._bots_in_batch = self._slots.in_batch
        self.end = SittingEnd(until=until)
        self._tables: dict[int, Table] = {}
        self._begun = 0
        self._finished = asyncio.Event()
        self._sessions: list[Session] = []
        self._servers: list[SeatServer] = []
        self._processes: list[BotProcess] = []
        self._lateness = Lateness()
        self._shares: list[ShareWatch] = []
        self._meters: list[CpuMeter] = []
        self._cpu_before: dict[int, list[float | None]] = {}

    async def play(self) -> SittingEnd:
        """Starts both processes, plays, and ends all that it started."""
        with series_folder() as folder:
            async with AsyncExitStack() as stack:
                await self._open(folder, stack)
                if self.end.failure is None:
                    await self._run()
        return self.end

    async def _open(self, folder: Path, stack: AsyncExitStack) -> None:
        """Starts a server and a process a seat; what is started is ended by the stack."""
        for seat, program in enumerate(self._order.seats):
            token = secrets.token_hex(16)
            # each seat's socket stands in a folder of its own: a sandbox shows it that one only
            home, socket = folder / f"home{seat}", folder / str(seat) / SOCKET
            home.mkdir(mode=0o700)
            socket.parent.mkdir(mode=0o700)
            session = Session(seat, token, self._order.limits, time.monotonic())
            server = self._make_server(session, socket)
            await server.start()
            stack.push_async_callback(server.stop)
            session.on_ready = self._admit
            self._sessions.append(session)
            self._servers.append(server)
            try:
                process = await self._start_process(
                    seat, program, address=server.address, token=token, home=home
                )
            except LaunchError as error:
                self.end.failure = Failure(
                    seat, Termination.NEVER_STARTED, f"never started: {error}"
                )
                return
            stack.push_async_callback(process.end)
            self._processes.append(process)

    def _make_server(self, session: Session, socket: Path) -> SeatServer:
        return SeatServer(session, socket, self._sessions)

    async def _start_process(
        self, seat: int, program: BotProgram, *, address: str, token: str, home: Path
    ) -> BotProcess:
        return await BotProcess.start(
            program,
            address=address,
            token=token,
            home=home,
            log=self._log(seat),
            layer=self._order.layer,
            resources=self._order.resources,
        )

    def _log(self, seat: int) -> Path | None:
        order = self._order
        if not order.log_folder:
            return None
        name = f"{order.pairing}-{order.seating}-{order.seats[seat].name}.log"
        return Path(order.log_folder) / name

    async def _run(self) -> None:
        for seat, process in enumerate(self._processes):
            self._shares.append(ShareWatch(process.pid))
            self._meters.append(CpuMeter(process.pid))
            self._sessions[seat].excuse = partial(self._excuse, seat)
        watchers = [asyncio.create_task(self._watch(seat)) for seat in (0, 1)]
        ticker = asyncio.create_task(self._tick())
        finished = asyncio.create_task(self._finished.wait())
        try:
            # the ticker and the watchers run until the end; one that is done before has failed
            done, _ = await asyncio.wait(
                {finished, ticker, *watchers}, return_when=asyncio.FIRST_COMPLETED
            )
            while finished not in done:
                for task in done:
                    task.result()
                running = {finished, ticker, *watchers} - {t for t in watchers if t.done()}
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            await self._leave()
        finally:
            for task in (finished, ticker, *watchers):
                task.cancel()
            await asyncio.gather(finished, ticker, *watchers, return_exceptions=True)

    # Games.

    def _admit(self) -> None:
        """Begins as many games as may be in play at once; ends the sitting when all are played."""
        first, second = self._sessions
        if first.state is not State.PLAYING or second.state is not State.PLAYING:
            return
        now = time.monotonic()
        closing = self.end.failure is not None or self._stop()
        quick = self._bots_are_quick()
        one_processor = self._order.one_processor
        needs_slot = self._deals and not closing and not quick
        if needs_slot and not self._slots.take(one_processor=one_processor):
            # no clock runs for them: neither bot has a turn, and the time budget has not begun
            if not self._tables:
                asyncio.get_running_loop().call_later(_SLOT_SECONDS, self._admit)
            return
        self._bring_bots_along()
        if self.end.until is None:
            self.end.until = now + self._order.budget_seconds
        # a few games more take no longer than another start, with those in play coming to an end
        closing = closing or (now > self.end.until and len(self._deals) > self._most)
        allowed = min(
            self._order.games_at_once,
            first.max_games,
            second.max_games,
            games_allowed(first.seconds_a_move, second.seconds_a_move),
        )
        while self._deals and not closing and len(self._tables) < allowed:
            self._begin(self._deals.popleft())
        self._most = max(self._most, len(self._tables))
        few_left = (closing or not self._deals) and len(self._tables) <= self._most // _FEW_LEFT
        if few_left or quick:
            self._slots.give_back(batch=quick)
            self._bring_bots_along()
        if not self._tables and (closing or not self._deals):
            self._finished.set()

    def _bring_bots_along(self) -> None:
        """Lets the bots run where and as this process does."""
        processors, batch = self._slots.processors, self._slots.in_batch
        if processors == self._bots_on and batch == self._bots_in_batch:
            return
        self._bots_on, self._bots_in_batch = processors, batch
        for process in self._processes:
            if not process.exited.done():
                run_on(process.pid, processors)
                run_in_batch(process.pid, batch=batch)

    def _bots_are_quick(self) -> bool:
        """Tells whether both bots take so little time that another series can't make them late."""
        paces = [session.seconds_a_move for session in self._sessions]
        quick = self._order.limits.move_seconds * _QUICK_PART
        return all(pace is not None and pace < quick for pace in paces)

    def _begin(self, deal: int) -> None:
        order = self._order
        table = self._lay_table(
            TableOrder(
                number=self._begun,
                deal=deal,
                seed=order.seed,
                ruleset=order.ruleset,
                limits=order.limits,
                names=(order.seats[0].name, order.seats[1].name),
            )
        )
        self._begun += 1
        self._tables[table.number] = table
        self._cpu_before[table.number] = self._cpu_seconds()
        table.start()

    def _lay_table(self, order: TableOrder) -> Table:
        return Table(order, (self._sessions[0], self._sessions[1]), self._ended)

    def _ended(self, table: Table) -> None:
        del self._tables[table.number]
        before = self._cpu_before.pop(table.number)
        one, two = map(_used_ms, before, self._cpu_seconds())
        self.end.results.append(replace(table.result(), cpu_ms=(one, two)))
        # not at once: the table that ended is still in the middle of an answer
        asyncio.get_running_loop().call_soon(self._admit)

    def _cpu_seconds(self) -> list[float | None]:
        now = time.monotonic()
        return [meter.seconds(now) for meter in self._meters]

    # What goes wrong.

    def _excuse(self, seat: int, since: float, now: float) -> str:
        """Says what the machine did to make a bot late; empty where it did nothing."""
        process = self._processes[seat]
        found = excuse(
            now - since,
            referee_late=self._lateness.within(since, now),
            starved=self._shares[seat].starved(since),
        )
        # thousands of processes keep everybody waiting, and what it abandoned isn't counted with it
        own_doing = found and (process.uses_too_much() or process.has_abandoned())
        return "" if own_doing else found

    def _fail(self, failure: Failure) -> None:
        """Ends the sitting because a process has failed; it loses all games in play.

        Where the machine made it fail, they are void.
        """
        if self.end.failure is not None or self._finished.is_set():
            return
        self.end.failure = failure
        for table in list(self._tables.values()):
            if failure.excuse:
                table.excuse(failure.seat, failure.excuse)
            else:
                table.lose(failure.seat, failure.termination, failure.predicate, failure.detail)
        self._finished.set()

    def _interrupt(self) -> None:
        for table in list(self._tables.values()):
            table.void(Termination.INTERRUPTED, "The tournament was stopped.")
        self._finished.set()

    async def _tick(self) -> None:
        """Watches the clocks, itself, and whether to stop."""
        while True:
            now = time.monotonic()
            deadlines = [session.deadline() for session in self._sessions]
            soonest = min((d for d in deadlines if d is not None), default=now + _TICK_SECONDS)
            pause = min(_TICK_SECONDS, max(0.001, soonest - now))
            self._lateness.plan(now + pause)
            await asyncio.sleep(pause)
            self._lateness.arrive(time.monotonic())
            if self._stop():
                self._interrupt()
            if self._tables:
                self._admit()  # more games, once it is known how quick the bots are
            for session, share in zip(self._sessions, self._shares, strict=True):
                now = time.monotonic()
                failure = session.check(now)
                if failure is not None:
                    self._fail(failure)
                    self._servers[failure.seat].refuse(too_late(failure))
                since = session.waiting_since
                if since is not None and now - since >= _WATCHED_SECONDS:
                    share.look(since)

    async def _watch(self, seat: int) -> None:
        """Waits for the end of a bot's stream or process, and says what it means."""
        server, process = self._servers[seat], self._processes[seat]
        events: set[asyncio.Future[Any]] = {server.over, process.exited}
        await asyncio.wait(events, return_when=asyncio.FIRST_COMPLETED)
        fault = server.over.result() if server.over.done() else None
        if fault is None and not process.exited.done():
            # a dying process closes its stream a moment before it is gone
            await asyncio.wait({process.exited}, timeout=_EXIT_SECONDS)
        state = self._sessions[seat].state
        if state is State.LEAVING or self._finished.is_set():
            return
        self._fail(await explain_end(self._sessions[seat], process, fault))

    async def _leave(self) -> None:
        """Says farewell and gives the processes time to end by themselves."""
        for session in self._sessions:
            session.farewell()
        if self._stop():
            return
        waiting = {process.exited for process in self._processes}
        failed = self.end.failure is not None
        seconds = _LAST_WORDS_SECONDS if failed else self._order.limits.shutdown_seconds
        await asyncio.wait(waiting, timeout=seconds)


def _used_ms(before: float | None, after: float | None) -> int | None:
    """Gives the milliseconds between two readings of a meter; None where one is missing."""
    return None if before is None or after is None else max(0, round((after - before) * 1000))
