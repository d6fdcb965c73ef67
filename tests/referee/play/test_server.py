"""A seat's server, with scripted peers that dial its real socket."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from californiajack import Ruleset, Termination
from californiajack import wire as sdk_wire
from californiajack.v1 import referee_service_pb2 as service_pb
from californiajack_referee.play import server as server_module
from californiajack_referee.play import wire
from californiajack_referee.play.faults import CODES, FaultReason, ProtocolFaultError
from californiajack_referee.play.server import SeatServer
from californiajack_referee.play.session import Session, State
from californiajack_referee.play.table import Table, TableOrder
from californiajack_referee.values import Limits

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

TOKEN = "the token"  # noqa: S105 - nobody's secret
METHOD = "/californiajack.v1.RefereeService/Play"
HELLO = sdk_wire.hello(TOKEN, 8, "test").SerializeToString()
READY = sdk_wire.ready().SerializeToString()
GOODBYE = sdk_wire.goodbye().SerializeToString()
Stream = grpc.aio.StreamStreamCall[bytes, bytes]


class Seat:
    """A server with its session, and a bot at the other seat that is always ready."""

    def __init__(self, folder: Path) -> None:
        """Prepares both; `opened` opens the server."""
        limits = Limits(move_seconds=30)
        self.session = Session(0, TOKEN, limits, time.monotonic())
        self.other = Session(1, TOKEN, limits, time.monotonic())
        self.server = SeatServer(self.session, folder / "s.sock", [self.session, self.other])
        self.ended: list[Table] = []
        self.limits = limits
        self.begun = 0

    def begin(self, games: int = 1) -> None:
        """Begins games; the other seat plays its highest cards until this one has a choice."""
        self.other.state = State.PLAYING
        for number in range(self.begun, self.begun + games):
            order = TableOrder(number, number, bytes(16), Ruleset(), self.limits, ("fox", "hen"))
            table = Table(order, (self.session, self.other), self.ended.append)
            table.start()
            while not self.session._places[number].turn:
                table.answer(1, table._game.round.legal().bit_length() - 1, 0.0)
        self.begun += games

    async def dial(self, channel: grpc.aio.Channel, *messages: bytes) -> Stream:
        """Opens a stream and says something."""
        call: Stream = channel.stream_stream(METHOD)()
        for message in messages:
            await call.write(message)
        return call

    async def come_in(self, channel: grpc.aio.Channel) -> Stream:
        """Opens a stream and says all that is needed to play."""
        call = await self.dial(channel, HELLO)
        assert isinstance(await read(call), sdk_wire.Welcome)
        await call.write(READY)
        await until(lambda: self.session.ready)
        return call

    async def turn(self, channel: grpc.aio.Channel) -> tuple[Stream, sdk_wire.TurnToPlay]:
        """Comes in, begins a game and reads until the first turn."""
        call = await self.come_in(channel)
        self.begin()
        while True:
            batch = await read(call)
            assert isinstance(batch, sdk_wire.Batch)
            if batch.turns:
                return call, batch.turns[0]


async def until(so: Callable[[], bool]) -> None:
    """Waits until something is so; the scene's own limit bounds it."""
    while not so():  # noqa: ASYNC110 - the thing watched has no event
        await asyncio.sleep(0.001)


async def read(call: Stream) -> sdk_wire.Response | None:
    """Reads a message as a bot does; None at the end."""
    message = await call.read()
    if not isinstance(message, bytes):
        return None
    return sdk_wire.read(service_pb.PlayResponse.FromString(message))


async def fault_in(call: Stream) -> sdk_wire.Fault:
    """Reads up to the fault, and checks the status that follows it."""
    found = await read(call)
    while not isinstance(found, sdk_wire.Fault):
        assert found is not None, "the stream ended without a fault"
        found = await read(call)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call.read()
    error = caught.value
    assert error.code() is CODES[FaultReason[found.reason]]
    assert error.details() == found.message
    ((_, packed),) = [
        pair for pair in error.trailing_metadata() or () if pair[0] == "grpc-status-details-bin"
    ]
    assert isinstance(packed, bytes)
    (detail,) = Status.FromString(packed).details
    info = ErrorInfo()
    assert detail.Unpack(info)
    assert (info.domain, info.reason) == ("californiajack", found.reason)
    return found


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[tuple[Seat, grpc.aio.Channel]]:
    """An open server and a channel to it."""
    seat = Seat(folder)
    await seat.server.start()
    try:
        async with grpc.aio.insecure_channel(seat.server.address) as channel:
            yield seat, channel
    finally:
        await seat.server.stop()


def serve(
    folder: Path, scene: Callable[[Seat, grpc.aio.Channel], Awaitable[None]], seconds: float = 20
) -> None:
    """Plays a scene at an open server, within some seconds."""

    async def play() -> None:
        async with asyncio.timeout(seconds), opened(folder) as (seat, channel):
            await scene(seat, channel)

    asyncio.run(play())


def test_a_whole_conversation(tmp_path: Path) -> None:
    """Hello, Welcome, Ready, turns and moves, Farewell, Goodbye, and the status is OK."""

    async def scene(seat: Seat, channel: grpc.aio.Channel) -> None:
        call, turn = await seat.turn(channel)
        move = sdk_wire.moves([(turn.turn, turn.observation.legal[0])])
        await call.write(move.SerializeToString())
        await until(lambda: not seat.session.unanswered)
        seat.session.farewell()
        found = await read(call)
        while isinstance(found, sdk_wire.Batch):
            found = await read(call)
        assert isinstance(found, sdk_wire.Farewell)
        await call.write(GOODBYE)
        await call.done_writing()
        assert await call.code() is grpc.StatusCode.OK
        assert await seat.server.over is None
        assert seat.session.state is State.GONE

    serve(tmp_path, scene)


async def turns_in(call: Stream, count: int) -> list[sdk_wire.TurnToPlay]:
    """Reads until so many turns have come."""
    turns: list[sdk_wire.TurnToPlay] = []
    while len(turns) < count:
        batch = await read(call)
        assert isinstance(batch, sdk_wire.Batch)
        turns += batch.turns
    return turns


def test_news_wait_while_a_slow_bot_is_busy_and_come_with_its_last_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With two turns left nothing is sent to it; with one left the next ones are, at once."""
    monkeypatch.setattr(server_module, "_BUSY_HOLD_SECONDS", 600.0)

    async def scene(seat: Seat, channel: grpc.aio.Channel) -> None:
        call = await seat.come_in(channel)
        seat.begin(3)
        first, second, _ = await turns_in(call, 3)
        seat.begin()
        coming = asyncio.create_task(turns_in(call, 1))
        for turn in (first, second):
            await asyncio.sleep(0.1)
            assert not coming.done()
            move = sdk_wire.moves([(turn.turn, turn.observation.legal[0])])
            await call.write(move.SerializeToString())
        (turn,) = await coming
        assert turn.game == 3

    serve(tmp_path, scene)


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        (sdk_wire.hello("wrong", 1, "").SerializeToString(), FaultReason.BAD_TOKEN),
        (
            service_pb.PlayRequest(
                hello=service_pb.Hello(version=2, token=TOKEN)
            ).SerializeToString(),
            FaultReason.UNSUPPORTED_VERSION,
        ),
        (sdk_wire.hello(TOKEN, 9999, "").SerializeToString(), FaultReason.MALFORMED),
        (sdk_wire.moves([(2, 0)]).SerializeToString(), FaultReason.OUT_OF_ORDER),
        (READY, FaultReason.OUT_OF_ORDER),
        (GOODBYE, FaultReason.OUT_OF_ORDER),
        (b"\xff\xff\xff", FaultReason.MALFORMED),
        (b"", FaultReason.MALFORMED),
        (b"\x00" * (wire.LONGEST_REQUEST + 1), FaultReason.TOO_MUCH),
    ],
)
def test_a_bad_first_message(tmp_path: Path, first: bytes, reason: FaultReason) -> None:
    """It is told in-band and by the status; the next stream, with a good Hello, is let in."""

    async def scene(seat: Seat, channel: grpc.aio.Channel) -> None:
        fault = await fault_in(await seat.dial(channel, first))
        assert fault.reason == reason.name
        assert not seat.server.over.done()
        await seat.come_in(channel)
        # it would be told to the author if no better Hello had come
        assert fault.message in seat.session.refusal

    serve(tmp_path, scene)


def test_a_stream_that_says_nothing(tmp_path: Path) -> None:
    """A stream closed before any message is out of order; the seat is still free."""

    async def scene(seat: Seat, channel: grpc.aio.Channel) -> None:
        call = await seat.dial(channel)
        await call.done_writing()
        assert (await fault_in(call)).reason == "OUT_OF_ORDER"
        await seat.come_in(channel)

    serve(tmp_path, scene)


def test_a_second_stream(tmp_path: Path) -> None:
    """It is refused, and the first goes on undisturbed."""

    async def scene(seat: Seat, channel: grpc.aio.Channel) -> None:
        call, turn = await seat.turn(channel)
        assert (await fault_in(await seat.dial(channel, HELLO))).reason == "SECOND_STREAM"
        move = sdk_wire.moves([(turn.turn, turn.observation.legal[0])])
        await call.write(move.SerializeToString())
        await until(lambda: not seat.session.unanswered)
        assert not seat.server.over.done()

    serve(tmp_path, scene)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (HELLO, FaultReason.OUT_OF_ORDER),
        (READY, FaultReason.OUT_OF_ORDER),
        (b"\xff\xff\xff", FaultReason.MALFORMED),
        (b"", FaultReason.MALFORMED),
        (sdk_wire.moves([(2, 0), (2, 0)]).SerializeToString(), FaultReason.TURN_ANSWERED_TWICE),
        (sdk_wire.moves([(99, 0)]).SerializeToString(), FaultReason.UNKNOWN_TURN),
        (sdk_wire.moves([(3, 0)]).SerializeToString(), FaultReason.UNKNOWN_TURN),
        (sdk_wire.forfeit(7, "").SerializeToString(), FaultReason.UNKNOWN_TURN),
        (b"\x00" * (wire.LONGEST_REQUEST + 1), FaultReason.TOO_MUCH),
    ],
)
def test_a_fault_in_the_games(tmp_path: Path, message: bytes, reason: FaultReason) -> None:
    """It ends the stream, in-band first, and `over` tells the referee what it was."""

    async def scene(seat: Seat, channel: grpc.aio.Channel) -> None:
        call, _ = await seat.turn(channel)
        await call.write(message)
        assert (await fault_in(call)).reason == reason.name
        fault = await seat.server.over
        assert isinstance(fault, ProtocolFaultError)
        assert fault.reason is reason
        # the games can be lost in order now
        for place in list(seat.session._places.values()):
            place.table.lose(0, Termination.PROTOCOL_ERROR, "broke the protocol")
        assert len(seat.ended) == 1
        assert (await fault_in(await seat.dial(channel, HELLO))).reason == "SECOND_STREAM"

    serve(tmp_path, scene)


def test_a_monstrous_message(tmp_path: Path) -> None:
    """What is longer than any honest mistake is refused by gRPC itself, and the stream is over."""

    async def scene(seat: Seat, channel: grpc.aio.Channel) -> None:
        call, _ = await seat.turn(channel)
        await call.write(b"\x00" * (3 * 1024 * 1024))
        assert await call.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert await seat.server.over is None

    serve(tmp_path, scene)


def test_goodbye_in_the_games(tmp_path: Path) -> None:
    """The stream ends well; that the bot left too early is for the referee to find."""

    async def scene(seat: Seat, channel: grpc.aio.Channel) -> None:
        call, _ = await seat.turn(channel)
        await call.write(GOODBYE)
        assert await call.code() is grpc.StatusCode.OK
        assert await seat.server.over is None

    serve(tmp_path, scene)


@pytest.mark.parametrize("how", ["closed", "cancelled", "cut"])
def test_a_bot_that_goes(tmp_path: Path, how: str) -> None:
    """Its stream closed, cancelled or cut off with its channel, `over` is done soon."""

    async def scene(seat: Seat, channel: grpc.aio.Channel) -> None:
        call, _ = await seat.turn(channel)
        if how == "closed":
            await call.done_writing()
        elif how == "cancelled":
            call.cancel()
        else:
            await channel.close()
        assert await seat.server.over is None

    serve(tmp_path, scene)


def test_a_failing_referee(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The bot is told that it is not to blame and nothing else; `over` raises what happened."""

    def fail(*_: object) -> None:
        raise RuntimeError("a secret of the referee's")

    async def scene(seat: Seat, channel: grpc.aio.Channel) -> None:
        call, _ = await seat.turn(channel)
        monkeypatch.setattr(seat.session, "receive", fail)
        await call.write(sdk_wire.moves([(2, 0)]).SerializeToString())
        fault = await fault_in(call)
        assert fault.reason == "REFEREE"
        assert "secret" not in fault.message
        with pytest.raises(RuntimeError, match="secret"):
            await seat.server.over

    with caplog.at_level(logging.CRITICAL):
        serve(tmp_path, scene)


def test_a_referee_that_fails_to_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A failure on the way out is found out as well: nobody would ever answer otherwise."""

    def fail(*_: object) -> None:
        raise RuntimeError("can't be written")

    async def scene(seat: Seat, channel: grpc.aio.Channel) -> None:
        await seat.come_in(channel)
        monkeypatch.setattr(seat.session, "take", fail)
        seat.begin()
        with pytest.raises(RuntimeError, match="can't be written"):
            await seat.server.over

    with caplog.at_level(logging.CRITICAL):
        serve(tmp_path, scene)


def test_only_its_own_errors_are_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """What bots do wrong leaves no trace in the referee's log."""

    async def scene(seat: Seat, channel: grpc.aio.Channel) -> None:
        await fault_in(await seat.dial(channel, b""))
        call, _ = await seat.turn(channel)
        await call.write(b"\xff")
        await fault_in(call)
        gone = await seat.dial(channel, HELLO)
        gone.cancel()

    serve(tmp_path, scene)
    assert not caplog.records


def test_a_stop_in_the_middle(tmp_path: Path) -> None:
    """Stopping ends open streams within a second, and the socket is gone."""

    async def scene(seat: Seat, channel: grpc.aio.Channel) -> None:
        call, _ = await seat.turn(channel)
        began = time.monotonic()
        await seat.server.stop()
        assert await call.code() in {grpc.StatusCode.CANCELLED, grpc.StatusCode.UNAVAILABLE}
        assert time.monotonic() - began < 2

    serve(tmp_path, scene)
    assert not list(tmp_path.iterdir())


def test_a_plain_synchronous_client(tmp_path: Path) -> None:
    """The SDK's own kind of client meets the same conversation."""

    def talk(address: str) -> list[type[object]]:
        requests = [sdk_wire.hello(TOKEN, 1, ""), sdk_wire.ready(), sdk_wire.goodbye()]
        with grpc.insecure_channel(address) as channel:
            return [type(sdk_wire.read(r)) for r in sdk_wire.play(channel, iter(requests))]

    async def scene(seat: Seat, _: grpc.aio.Channel) -> None:
        assert await asyncio.to_thread(talk, seat.server.address) == [sdk_wire.Welcome]

    serve(tmp_path, scene)
