"""A seat's server under attack by real clients, while a game of another bot goes on beside it."""

from __future__ import annotations

import asyncio
import os
import signal
import statistics
import sys
import time
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from californiajack import Ruleset, Termination
from californiajack_referee.play.server import SeatServer
from californiajack_referee.play.session import Session, State
from californiajack_referee.play.table import Table, TableOrder
from californiajack_referee.values import Limits

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from californiajack import GameEnd
    from californiajack.observation import Observation, RoundOpening, RoundSummary

FOLDER = Path(__file__).parent
TOKEN = "the token"  # noqa: S105 - nobody's secret
LIMITS = Limits(move_seconds=60, game_seconds=0)
BUSY = """
import os
if hasattr(os, "SCHED_IDLE"):
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
while True:
    pass
"""
PAGE = os.sysconf("SC_PAGE_SIZE")


class Partner:
    """The other seat's player: it answers each turn at once, in the same process."""

    def game_start(self, table: Table, ruleset: Ruleset, first_dealer: int, bot_seed: int) -> None:
        """Needs nothing of it."""

    def round_start(self, game: int, seen: RoundOpening) -> None:
        """Needs nothing of it."""

    def turn(self, table: Table, seen: Observation) -> None:
        """Plays its lowest legal card, once the table is ready for it."""
        asyncio.get_running_loop().call_soon(self._answer, table, seen.legal[0])

    def _answer(self, table: Table, card: int) -> None:
        if table.verdict is None:
            table.answer(1, card, 0.0)

    def round_end(self, game: int, seen: RoundSummary) -> None:
        """Needs nothing of it."""

    def game_end(self, table: Table, end: GameEnd) -> None:
        """Needs nothing of it."""


class Seat:
    """A seat that is always open: when a stream has ended, the next bot may come in.

    Attributes:
        address: where a bot dials.
        streams: how many streams have ended.
        ended: the games that are over.
        over: set when a stream has ended.
    """

    def __init__(self, socket: Path, games: int = 4) -> None:
        """Keeps so many games going."""
        self.address = f"unix:{socket}"
        self.streams = 0
        self.ended: list[Table] = []
        self.over = asyncio.Event()
        self._socket = socket
        self._games = games
        self._numbers = 0
        self._session = Session(0, TOKEN, LIMITS, time.monotonic())
        self._closing = False

    def close(self) -> None:
        """Lets nobody in any more; also where gRPC takes no notice of being cancelled."""
        self._closing = True

    async def serve(self) -> None:
        """Lets one bot in after the other, until it is closed."""
        while not self._closing:
            self._session = Session(0, TOKEN, LIMITS, time.monotonic())
            self._session.on_ready = self._fill
            self._numbers = 0
            server = SeatServer(self._session, self._socket, [self._session])
            await server.start()
            try:
                await server.over
                self.streams += 1
                self.over.set()
            finally:
                tables = [place.table for place in self._session._places.values()]
                self._session.state = State.GONE
                for table in tables:
                    table.lose(0, Termination.DISCONNECT, "left")
                await server.stop()

    def _fill(self) -> None:
        session = self._session
        while session.state is State.PLAYING and len(session._places) < self._games:
            number, self._numbers = self._numbers, self._numbers + 1
            order = TableOrder(number, number, bytes(16), Ruleset(), LIMITS, ("fox", "hen"))
            Table(order, (session, Partner()), self._end).start()

    def _end(self, table: Table) -> None:
        self.ended.append(table)
        asyncio.get_running_loop().call_soon(self._fill)


class Scene:
    """A healthy game that goes on, and a folder for sockets."""

    def __init__(self, folder: Path) -> None:
        """Prepares it; `playing` lets it go on."""
        self.folder = folder
        self.healthy = Seat(folder / "healthy.sock", games=1)
        self._latencies = folder / "latencies"

    async def attack(self, way: str, number: int) -> Seat:
        """Has a client attack a seat of its own, and checks that it saw what it should."""
        async with serving(Seat(self.folder / "target.sock")) as seat:
            process = await start("attack.py", way, seat.address, TOKEN, str(number))
            try:
                async with asyncio.timeout(240):
                    _, said = await process.communicate()
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
        assert process.returncode == 0, f"{way}: {said.decode()[-2000:]}"
        return seat

    def slowest(self, times: list[tuple[float, float]]) -> float:
        """The time, in seconds, within which 99 % of the healthy bot's turns came."""
        lines = [line.split() for line in self._latencies.read_text().splitlines()[:-1]]
        found = [
            float(seconds)
            for at, seconds in lines
            if any(since <= float(at) < until for since, until in times)
        ]
        assert len(found) > 50, f"only {len(found)} turns"
        return statistics.quantiles(found, n=100)[98]

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Lets a bot play well at the healthy seat, from its first game to the end."""
        async with serving(self.healthy):
            bot = await start("player.py", self.healthy.address, TOKEN, str(self._latencies))
            try:
                while not self.healthy.ended:  # noqa: ASYNC110 - no event for it
                    await asyncio.sleep(0.02)
                yield
                assert bot.returncode is None
                assert not self.healthy.streams
            finally:
                bot.kill()
                await bot.communicate()


async def start(program: str, *arguments: str) -> asyncio.subprocess.Process:
    """Starts a client of this folder."""
    return await asyncio.create_subprocess_exec(
        sys.executable, str(FOLDER / program), *arguments, stderr=asyncio.subprocess.PIPE
    )


@asynccontextmanager
async def serving(seat: Seat) -> AsyncIterator[Seat]:
    """Keeps a seat open."""
    task = asyncio.create_task(seat.serve())
    try:
        yield seat
        assert not task.done(), task
    finally:
        seat.close()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def perform(folder: Path, scene: Callable[[Scene], Awaitable[None]], seconds: float) -> None:
    """Plays a scene, within some seconds."""

    async def play() -> None:
        async with asyncio.timeout(seconds):
            stage = Scene(folder)
            async with stage.playing():
                await scene(stage)

    asyncio.run(play())


class Memory:
    """Watches what this process, the referee of these tests, has in memory.

    Attributes:
        first: what it had at the beginning, in MiB.
        most: the most it has had since.
    """

    def __init__(self) -> None:
        """Begins now."""
        self.first = self.most = self._now()

    def _now(self) -> float:
        return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 2**20

    async def watch(self) -> None:
        """Looks again and again, for ever."""
        while True:
            self.most = max(self.most, self._now())
            await asyncio.sleep(0.02)


def test_floods(tmp_path: Path) -> None:
    """Each is refused; a game beside it goes on, and the referee's memory stays as it was."""
    if not Path("/proc/self/statm").exists():
        pytest.skip("reads /proc, which this system hasn't")

    async def scene(stage: Scene) -> None:
        await stage.attack("unasked", 100)  # what is needed once is not counted
        memory = Memory()
        watch = asyncio.create_task(memory.watch())
        for way, number, most_streams in (
            ("streams", 1000, 1),
            ("connections", 1000, 0),
            ("unasked", 100_000, 1),
            ("empty", 100_000, 1),
            ("huge", 100_000_000, 1),
        ):
            finished = len(stage.healthy.ended)
            seat = await stage.attack(way, number)
            assert seat.streams <= most_streams, way
            assert len(stage.healthy.ended) > finished, way
            assert memory.most - memory.first < 64, way
        watch.cancel()
        grown = memory.most - memory.first
        print(f"memory grew by {grown:.1f} MiB from {memory.first:.1f}")  # noqa: T201 - to know

    perform(tmp_path, scene, 55)


def test_a_stopped_client(tmp_path: Path) -> None:
    """A client that is stopped, its connection open, counts as gone within 16 seconds."""

    async def scene(stage: Scene) -> None:
        async with serving(Seat(tmp_path / "stopped.sock")) as seat:
            process = await start("attack.py", "stops", seat.address, TOKEN, "0")
            try:
                while not seat._session.ready:  # noqa: ASYNC110 - no event for it
                    await asyncio.sleep(0.05)
                began = time.monotonic()
                async with asyncio.timeout(25):
                    await seat.over.wait()
                assert 0.4 < time.monotonic() - began < 17
            finally:
                process.send_signal(signal.SIGKILL)
                await process.communicate()
        assert stage.healthy.ended

    perform(tmp_path, scene, 50)


@pytest.mark.parametrize(
    ("rounds", "examples", "most_slower"),
    [
        (1, 60, 20.0),
        pytest.param(8, 400, 2.0, marks=[pytest.mark.soak, pytest.mark.timeout(300)]),
    ],
)
def test_anything_in_any_order(
    tmp_path: Path, rounds: int, examples: int, most_slower: float
) -> None:
    """A fuzzer gets faults and nothing else; the game beside it goes on, and not much slower."""

    async def scene(stage: Scene) -> None:
        quiet: list[tuple[float, float]] = []
        busy: list[tuple[float, float]] = []
        streams = 0
        # by turns, as other work on the machine comes and goes
        for _ in range(rounds):
            began = time.monotonic()
            streams += (await stage.attack("fuzz", examples)).streams
            busy.append((began, time.monotonic()))
            # a process as busy as the fuzzer, but not with the referee; both leave the processors
            # to all others, as the time between two slices is not what is looked for
            worker = await asyncio.create_subprocess_exec(sys.executable, "-c", BUSY)
            began = time.monotonic()
            await asyncio.sleep(max(2.0, busy[-1][1] - busy[-1][0]))
            quiet.append((began, time.monotonic()))
            worker.kill()
            await worker.wait()
        before, beside = stage.slowest(quiet), stage.slowest(busy)
        print(  # noqa: T201 - a figure to know
            f"{streams} streams; 99 % of the turns beside them came within {beside * 1000:.2f} ms, "
            f"else within {before * 1000:.2f} ms: {beside / before:.2f} times that"
        )
        assert streams > rounds * examples / 4
        assert beside < most_slower * before

    perform(tmp_path, scene, 50 if rounds == 1 else 280)
