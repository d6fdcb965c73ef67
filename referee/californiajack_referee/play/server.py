"""The gRPC server of one seat: one Unix socket, one stream, one session."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Any

import grpc

from californiajack_referee.play import wire
from californiajack_referee.play.faults import FaultReason, ProtocolFaultError
from californiajack_referee.play.session import State

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from californiajack_referee.play.session import Session

    Context = grpc.aio.ServicerContext[bytes, bytes]

_LOGGER = logging.getLogger(__name__)
_REFEREE_FAILED = "The referee failed. It is not the bot's fault; the games are played again."
_OPTIONS = (
    ("grpc.so_reuseport", 0),
    # longer than allowed, so that what is too long can be told so in the protocol's own words
    ("grpc.max_receive_message_length", 16 * wire.LONGEST_REQUEST),
    ("grpc.max_concurrent_streams", 4),
    ("grpc.http2.bdp_probe", 0),
    ("grpc.compression_enabled_algorithms_bitset", 1),
    ("grpc.server_handshake_timeout_ms", 3000),
    ("grpc.max_allowed_incoming_connections", 4),
    ("grpc.keepalive_time_ms", 10000),
    ("grpc.keepalive_timeout_ms", 5000),
    ("grpc.http2.ping_timeout_ms", 5000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 1000),
)
_BUSY_HOLD_SECONDS = 0.1
_IDLE_HOLD_SECONDS = 0.003
_STOP_SECONDS = 0.2
_LAST_WRITE_SECONDS = 0.5


class SeatServer:
    """Lets one bot process talk to its session, and nobody else.

    Attributes:
        address: where the bot dials, as a gRPC target.
        over: done when the bot's stream has ended; its result is the fault that ended it, or None
            when the bot's side was closed. It fails when the referee itself failed.
    """

    def __init__(
        self,
        session: Session,
        socket: Path,
        pair: Sequence[Session],
        *,
        patient: bool = False,
        tap: Callable[[str, bytes], None] | None = None,
    ) -> None:
        """Prepares the server; `start` opens it.

        Args:
            session: the seat's conversation.
            socket: the path of the Unix socket, 107 bytes at most.
            pair: the sessions of both seats, once there are both.
            patient: whether it lets a connection be that shows no life, as while a debugger holds
                the bot.
            tap: is shown every message, with "from" or "to" the bot; None for nobody.
        """
        self._session = session
        self._pair = pair
        self._tap = tap
        self.address = f"unix:{socket}"
        self.over: asyncio.Future[ProtocolFaultError | None] = (
            asyncio.get_running_loop().create_future()
        )
        self._refused: asyncio.Future[ProtocolFaultError] = (
            asyncio.get_running_loop().create_future()
        )
        self._reader: asyncio.Task[ProtocolFaultError | None] | None = None
        self._output = asyncio.Event()
        self._ending = asyncio.Event()
        options = [o for o in _OPTIONS if not (patient and "keepalive" in o[0])]
        self._server = grpc.aio.server(options=options)
        handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(
            self._play
        )
        self._server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(wire.SERVICE, {wire.METHOD: handler}),)
        )
        session.on_output = self._output.set

    async def start(self) -> None:
        """Opens the socket."""
        self._server.add_insecure_port(self.address)
        await self._server.start()

    def refuse(self, fault: ProtocolFaultError) -> None:
        """Ends the bot's stream, if there is one, for a fault that no message of its showed."""
        if not self._refused.done():
            self._refused.set_result(fault)

    async def stop(self) -> None:
        """Ends all streams and closes the socket."""
        await self._server.stop(_STOP_SECONDS)
        if self._reader is not None:
            # its read ends with the stream
            await asyncio.gather(self._reader, return_exceptions=True)
        if not self.over.done():
            self.over.set_result(None)
        elif not self.over.cancelled():
            self.over.exception()  # marks it as seen

    async def _play(self, _requests: Any, context: Context) -> None:  # noqa: ANN401 - grpc's own
        """Serves one stream, the method Play of RefereeService."""
        can_tell = True
        try:
            fault = await self._greet(context)
            if fault is None:
                fault, can_tell = await self._converse(context)
        except Exception as error:
            _LOGGER.exception("the referee failed on a stream")
            fault = ProtocolFaultError(FaultReason.REFEREE, _REFEREE_FAILED)
            if not self.over.done():
                self.over.set_exception(error)
        if fault is None:
            return
        if can_tell:
            await context.write(wire.fault(fault))
        await context.abort_with_status(wire.status(fault))

    async def _greet(self, context: Context) -> ProtocolFaultError | None:
        data = await _read_message(context)
        if data is None:
            return ProtocolFaultError(
                FaultReason.OUT_OF_ORDER, "Expected hello first, got nothing."
            )
        if self._tap is not None:
            self._tap("from", data)
        try:
            self._session.greet(wire.read(data), time.monotonic())
        except ProtocolFaultError as fault:
            self._session.refusal = f"; its hello was refused: {fault}"
            return fault
        return None

    async def _converse(self, context: Context) -> tuple[ProtocolFaultError | None, bool]:
        """Reads and writes until the stream is over, for whatever cause.

        Returns:
            The fault that ended it, and whether the bot can be told of it.
        """
        reader = self._reader = asyncio.create_task(self._read(context))
        writer = asyncio.create_task(self._keep_writing(context))
        fault: ProtocolFaultError | None = None
        try:
            ends: set[asyncio.Future[Any]] = {reader, self._refused}
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            fault = reader.result() if reader.done() else self._refused.result()
        except Exception as error:
            # the referee's own failure must not pass for the bot's leaving
            if not self.over.done():
                self.over.set_exception(error)
            raise
        finally:
            if not self.over.done():
                self.over.set_result(fault)
            writer_is_idle = await self._finish_writing(writer)
        return fault, writer_is_idle

    async def _keep_writing(self, context: Context) -> None:
        """Writes; where that fails by the referee's own fault, says so: nobody else would."""
        try:
            await self._write(context)
        except grpc.aio.BaseError:
            raise  # the bot is gone, which the reader finds too
        except Exception as error:
            if not self.over.done():
                self.over.set_exception(error)
            raise

    async def _finish_writing(self, writer: asyncio.Task[None]) -> bool:
        """Lets the message being written go out, unless the bot doesn't take it."""
        self._ending.set()
        self._output.set()
        done, _ = await asyncio.wait({writer}, timeout=_LAST_WRITE_SECONDS)
        if not done:
            writer.cancel()
        (result,) = await asyncio.gather(writer, return_exceptions=True)
        return bool(done) and result is None

    async def _read(self, context: Context) -> ProtocolFaultError | None:
        session = self._session
        while True:
            data = await _read_message(context)
            if data is None:
                return None
            now = time.monotonic()
            if self._tap is not None:
                self._tap("from", data)
            try:
                session.receive(wire.read(data), now)
            except ProtocolFaultError as fault:
                return fault
            if not session.unanswered:
                self._on_idle()
            elif session.has_news and session.nearly_idle:
                self._output.set()
            if session.state is State.GONE:
                return None

    async def _write(self, context: Context) -> None:
        """Sends the news, held back a little where that gathers more into one message.

        A message costs far more than a turn in it, so a full one goes out at once, and the bot
        works on it while the referee goes on. A smaller one waits: as long as the bot is busy with
        turns it already has, for it has no use for another one yet; or, when the bot is idle, for
        a moment while the other bot is about to answer. No clock runs for a turn held back.
        """
        output, session = self._output, self._session
        loop = asyncio.get_running_loop()
        held_since: float | None = None
        while not self._ending.is_set():
            await output.wait()
            output.clear()
            hold = self._hold_seconds()
            if hold:
                now = time.monotonic()
                if held_since is None:
                    held_since = now
                    loop.call_later(hold, output.set)
                if now - held_since < hold:
                    continue
            held_since = None
            while not self._ending.is_set():
                message = session.take(time.monotonic())
                if message is None:
                    break
                if self._tap is not None:
                    self._tap("to", message)
                await context.write(message)
                if self._hold_seconds():
                    output.set()  # what is left may be held back for a time of its own
                    break

    def _on_idle(self) -> None:
        """Tells both writers that this bot has answered all it had: nothing is worth holding."""
        for session in self._pair:
            session.on_output()

    def _more_to_come(self) -> bool:
        return any(session.unanswered for session in self._pair if session is not self._session)

    def _hold_seconds(self) -> float:
        session = self._session
        if not session.has_news or session.has_full_message or session.nearly_idle:
            return 0.0
        if session.unanswered:
            return _BUSY_HOLD_SECONDS
        return _IDLE_HOLD_SECONDS if self._more_to_come() else 0.0


async def _read_message(context: Context) -> bytes | None:
    """Reads one message; None at the end of the bot's side of the stream."""
    data: object = await context.read()
    return data if isinstance(data, bytes) else None
