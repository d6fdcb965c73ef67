"""A game of a person against a bot: a real process on one side, no clock on the other.

The bot's side is as in a tournament: its process, its server, its session, its limits. The person's
side is one more `Player` of the same table, told by the same observations, and never hurried.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from californiajack import GameEnd, IllegalPlayError, RoundEnd, RoundStart, Ruleset, Termination
from californiajack.view import View
from californiajack_referee.play.ending import explain_end, too_late
from californiajack_referee.play.faults import Failure
from californiajack_referee.play.lag import Lateness, excuse
from californiajack_referee.play.launch import BotProcess, LaunchError
from californiajack_referee.play.server import SeatServer
from californiajack_referee.play.session import Session, State
from californiajack_referee.play.table import Table, TableOrder
from californiajack_referee.play.usage import CpuMeter, ShareWatch
from californiajack_referee.sandbox.folders import SOCKET, series_folder
from californiajack_referee.values import GameResult, Layer, Limits, Resources, Verdict

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from californiajack.observation import Observation, RoundOpening, RoundSummary
    from californiajack_referee.values import BotProgram

News = RoundStart | View | RoundEnd | GameEnd
"""What a person is told: as much as a bot in the same seat. A view asks for a card."""

_TICK_SECONDS = 0.05
_EXIT_SECONDS = 1.0
_LAST_WORDS_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class CasualOrder:
    """What a casual game is to be."""

    bot: BotProgram
    """The bot."""
    person: str
    """What the person is called."""
    seat: int
    """The person's seat, 0 or 1; seat 0 deals the first round."""
    seed: bytes
    """The seed of the deals, 16 to 64 bytes."""
    deal: int = 0
    """The deal's number."""
    ruleset: Ruleset = field(default_factory=Ruleset)
    """The rules."""
    limits: Limits = field(default_factory=Limits)
    """What the bot may take; nobody's clock runs for the person."""
    resources: Resources = field(default_factory=Resources)
    """What the bot's process may use."""
    layer: Layer = Layer.PROCESS
    """What is to stand between the bot's process and the machine."""

    @property
    def names(self) -> tuple[str, str]:
        """The names of both players by seat."""
        return (self.person, self.bot.name) if self.seat == 0 else (self.bot.name, self.person)


class Guest:
    """The person's seat at the table."""

    def __init__(self, seat: int, tell: Callable[[News], None]) -> None:
        """Takes a seat.

        Args:
            seat: 0 or 1.
            tell: called with each of the news, in order; it must not play from within.
        """
        self._seat = seat
        self._tell = tell
        self._table: Table | None = None
        self._view: View | None = None

    def play(self, card: int) -> None:
        """Plays a card in answer to the latest view.

        Raises:
            IllegalPlayError: it isn't the person's turn, or the card isn't legal (R5, R6).
        """
        view = self._view
        if self._table is None or view is None:
            raise IllegalPlayError("it is not your turn: wait for it", clause="R5")
        if card not in view.legal:
            raise IllegalPlayError(f"card {card} is not legal now", clause="R6")
        self._view = None
        self._table.answer(self._seat, card, 0.0)

    def resign(self) -> None:
        """Gives the game up: the bot wins."""
        if self._table is not None:
            self._table.lose(self._seat, Termination.DISCONNECT, "resigned")

    # What the table says.

    def game_start(self, table: Table, ruleset: Ruleset, first_dealer: int, bot_seed: int) -> None:
        """Takes a seat at the table."""
        del ruleset, first_dealer, bot_seed
        self._table = table

    def round_start(self, game: int, seen: RoundOpening) -> None:
        """Passes on that a round begins."""
        del game
        self._tell(RoundStart.of(seen))

    def turn(self, table: Table, seen: Observation) -> None:
        """Passes on that a card is asked for."""
        del table
        self._view = View(seen)
        self._tell(self._view)

    def round_end(self, game: int, seen: RoundSummary) -> None:
        """Passes on that a round has ended."""
        del game
        self._tell(RoundEnd(seen))

    def game_end(self, table: Table, end: GameEnd) -> None:
        """Passes on that the game is over."""
        del table
        self._view = None
        self._tell(end)


async def play_casual(
    order: CasualOrder, guest: Guest, host: Callable[[], Awaitable[None]]
) -> GameResult:
    """Plays one game; the bot's process and all that it started is gone when it returns or fails.

    Args:
        order: what to play.
        guest: the person's seat.
        host: speaks for the person; begun once the bot is ready, and over when the person has heard
            of the game's end, or leaves before it.

    Returns:
        The game. It is void, by `Termination.INTERRUPTED`, where the person left before its end.
    """
    return await _CasualTable(order, guest, host).play()


class _CasualTable:
    """One bot process, one person, one table."""

    def __init__(
        self, order: CasualOrder, guest: Guest, host: Callable[[], Awaitable[None]]
    ) -> None:
        self._order = order
        self._guest = guest
        self._host = host
        self._bot_seat = 1 - order.seat
        self._table: Table | None = None
        self._failure: Failure | None = None
        self._may_begin = asyncio.Event()
        self._lateness = Lateness()
        self._cpu_ms: int | None = None
        self._session: Session
        self._server: SeatServer
        self._process: BotProcess
        self._share: ShareWatch

    async def play(self) -> GameResult:
        with series_folder() as folder:
            async with AsyncExitStack() as stack:
                await self._open(folder, stack)
                if self._failure is None:
                    await self._run()
        return self._result()

    async def _open(self, folder: Path, stack: AsyncExitStack) -> None:
        """Starts the bot's server and its process; the stack ends them."""
        order, token = self._order, secrets.token_hex(16)
        home, socket = folder / "home", folder / "0" / SOCKET
        home.mkdir(mode=0o700)
        socket.parent.mkdir(mode=0o700)
        self._session = Session(self._bot_seat, token, order.limits, time.monotonic())
        self._server = SeatServer(self._session, socket, [self._session])
        await self._server.start()
        stack.push_async_callback(self._server.stop)
        self._session.on_ready = self._may_begin.set
        try:
            self._process = await BotProcess.start(
                order.bot,
                address=self._server.address,
                token=token,
                home=home,
                log=None,
                layer=order.layer,
                resources=order.resources,
            )
        except LaunchError as error:
            predicate = f"never started: {error}"
            self._failure = Failure(self._bot_seat, Termination.NEVER_STARTED, predicate)
            return
        stack.push_async_callback(self._process.end)
        self._share = ShareWatch(self._process.pid)
        self._session.excuse = self._excuse

    async def _run(self) -> None:
        game = asyncio.create_task(self._game())
        watchers = {asyncio.create_task(self._tick()), asyncio.create_task(self._watch())}
        try:
            running: set[asyncio.Task[None]] = {game, *watchers}
            while not game.done():
                done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            await self._leave()
        finally:
            for task in (game, *watchers):
                task.cancel()
            await asyncio.gather(game, *watchers, return_exceptions=True)

    async def _game(self) -> None:
        await self._may_begin.wait()
        if self._failure is not None:
            return
        order = self._order
        meter = CpuMeter(self._process.pid)
        before = meter.seconds(time.monotonic())

        def ended(_: Table) -> None:
            after = meter.seconds(time.monotonic())
            if before is not None and after is not None:
                self._cpu_ms = max(0, round(1000 * (after - before)))

        players = (self._guest, self._session) if order.seat == 0 else (self._session, self._guest)
        self._table = Table(
            TableOrder(0, order.deal, order.seed, order.ruleset, order.limits, order.names),
            players,
            ended,
        )
        self._table.start()
        await self._host()
        self._table.void(Termination.INTERRUPTED, "The person left the game.")

    def _excuse(self, since: float, now: float) -> str:
        found = excuse(
            now - since,
            referee_late=self._lateness.within(since, now),
            starved=self._share.starved(since),
        )
        return "" if found and self._process.uses_too_much() else found

    def _fail(self, failure: Failure) -> None:
        """Ends the game because the bot's process has failed; void where the machine made it."""
        if self._failure is not None:
            return
        self._failure = failure
        if self._table is None:
            self._may_begin.set()
        elif failure.excuse:
            self._table.excuse(failure.seat, failure.excuse)
        else:
            self._table.lose(failure.seat, failure.termination, failure.predicate, failure.detail)

    async def _tick(self) -> None:
        """Watches the bot's clock, and itself."""
        session = self._session
        while True:
            self._lateness.plan(time.monotonic() + _TICK_SECONDS)
            await asyncio.sleep(_TICK_SECONDS)
            now = time.monotonic()
            self._lateness.arrive(now)
            failure = session.check(now)
            if failure is not None:
                self._fail(failure)
                self._server.refuse(too_late(failure))
            since = session.waiting_since
            if since is not None:
                self._share.look(since)

    async def _watch(self) -> None:
        """Waits for the end of the bot's stream or process, and says what it means."""
        server, process = self._server, self._process
        events: set[asyncio.Future[Any]] = {server.over, process.exited}
        await asyncio.wait(events, return_when=asyncio.FIRST_COMPLETED)
        fault = server.over.result() if server.over.done() else None
        if fault is None and not process.exited.done():
            # a dying process closes its stream a moment before it is gone
            await asyncio.wait({process.exited}, timeout=_EXIT_SECONDS)
        if self._session.state is not State.LEAVING:
            self._fail(await explain_end(self._session, process, fault))

    async def _leave(self) -> None:
        """Says farewell and gives the process time to end by itself."""
        self._session.farewell()
        whole = self._table is not None and self._table.verdict is not None
        polite = whole and self._failure is None
        seconds = self._order.limits.shutdown_seconds if polite else _LAST_WORDS_SECONDS
        await asyncio.wait({self._process.exited}, timeout=seconds)

    def _result(self) -> GameResult:
        order = self._order
        if self._table is not None:
            cpu: list[int | None] = [None, None]
            cpu[self._bot_seat] = self._cpu_ms
            return replace(self._table.result(), cpu_ms=(cpu[0], cpu[1]), layer=order.layer)
        failure = self._failure
        words = f"{order.bot.name} {failure.predicate if failure else 'never started'}"
        verdict = Verdict(
            None if failure and failure.excuse else order.seat,
            Termination.NEVER_STARTED,
            self._bot_seat,
            words,
            failure.detail if failure else "",
        )
        return GameResult(order.deal, verdict, (0, 0), b"", layer=order.layer)
