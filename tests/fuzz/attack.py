"""A client with bad manners: attack.py WAY ADDRESS TOKEN NUMBER.

Ends with exit status 0 where the referee answered as it should, each time.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from contextlib import suppress
from threading import Event
from typing import TYPE_CHECKING, Any

import grpc
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from californiajack import wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

WAY, ADDRESS, TOKEN = sys.argv[1:4]
NUMBER = int(sys.argv[4])
METHOD = "/californiajack.v1.RefereeService/Play"
PATIENCE_SECONDS = 20.0
HELLO = wire.hello(TOKEN, 8, "").SerializeToString()
READY = wire.ready().SerializeToString()
NO_MOVES = b"\x1a\x00"  # moves without a move
Code = grpc.StatusCode
EXPECTED = {
    Code.OK,
    Code.UNAUTHENTICATED,
    Code.FAILED_PRECONDITION,
    Code.INVALID_ARGUMENT,
    Code.ALREADY_EXISTS,
    Code.RESOURCE_EXHAUSTED,
    # the seat is given to a new process between two streams
    Code.UNAVAILABLE,
    Code.CANCELLED,
}


def talk(requests: Iterable[bytes]) -> grpc.StatusCode:
    """Opens a stream of its own connection, says all this, and gives how it ended."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    with grpc.insecure_channel(ADDRESS, options) as channel:
        play: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(METHOD)
        call: Any = play(iter(requests), timeout=PATIENCE_SECONDS)
        with suppress(grpc.RpcError):
            for _ in call:
                pass
        found: grpc.StatusCode = call.code()
        return found


def kept_open(*requests: bytes) -> Iterator[bytes]:
    """Gives messages, and then never an end."""
    yield from requests
    Event().wait()


numbers = st.integers(0, 40) | st.integers(0, 2**64 - 1)
cards = st.integers(0, 60) | st.integers(0, 2**32 - 1)
messages: st.SearchStrategy[bytes] = st.one_of(
    st.just(HELLO),
    st.just(READY),
    st.just(NO_MOVES),
    st.just(wire.goodbye().SerializeToString()),
    st.builds(
        lambda moves: wire.moves(moves).SerializeToString(),
        st.lists(st.tuples(numbers, cards), max_size=6),
    ),
    st.builds(
        lambda game, text: wire.forfeit(game, text).SerializeToString(),
        st.integers(0, 10) | st.integers(0, 2**32 - 1),
        st.text(max_size=20),
    ),
    st.binary(max_size=100),
    st.integers(0, 200_000).map(bytes),
)


def fuzz() -> None:
    """Says anything in any order, mostly after a good beginning."""
    if sys.platform == "linux":
        # what it takes of the processors is not what is looked for
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))

    @settings(
        max_examples=NUMBER, deadline=None, database=None, suppress_health_check=[*HealthCheck]
    )
    @given(st.sampled_from(([], [HELLO], [HELLO, READY])), st.lists(messages, max_size=8))
    def say(beginning: list[bytes], rest: list[bytes]) -> None:
        code = talk([*beginning, *rest])
        assert code in EXPECTED, code

    say()


def streams() -> None:
    """Opens streams with the right token, all of one connection and many at once."""
    with grpc.insecure_channel(ADDRESS) as channel:
        play: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(METHOD)
        first: Any = play(kept_open(HELLO, READY), timeout=PATIENCE_SECONDS)
        next(first)
        calls: list[Any] = [play(iter([HELLO]), timeout=PATIENCE_SECONDS) for _ in range(NUMBER)]
        for call in calls:
            with suppress(grpc.RpcError):
                for _ in call:
                    pass
        codes = {call.code() for call in calls}
        first.cancel()
    assert codes <= {Code.ALREADY_EXISTS, Code.UNAVAILABLE}, codes


def connections() -> None:
    """Opens connections and says nothing, or half of what HTTP/2 begins with, on each."""
    path = ADDRESS.removeprefix("unix:")
    opened = []
    for number in range(NUMBER):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(PATIENCE_SECONDS)
        with suppress(OSError):
            connection.connect(path)
            if number % 2:
                connection.send(b"PRI * HTTP/2.0\r\n\r\n")
            opened.append(connection)
    until = time.monotonic() + PATIENCE_SECONDS
    for connection in opened:
        # the referee closes every one of them, though this side does nothing
        with suppress(ConnectionError):
            while connection.recv(4096):
                assert time.monotonic() < until


def repeated(message: bytes, expected: grpc.StatusCode) -> Callable[[], None]:
    """Comes in, and says one thing again and again."""

    def say() -> None:
        code = talk([HELLO, READY, *[message] * NUMBER])
        # a client that writes on after the end may be told of that instead
        assert code in {expected, Code.UNAVAILABLE, Code.INTERNAL}, code

    return say


def huge() -> None:
    """Sends one message of so many bytes."""
    code = talk([HELLO, READY, bytes(NUMBER)])
    assert code in {Code.RESOURCE_EXHAUSTED, Code.UNAVAILABLE}, code


def stop() -> None:
    """Comes in and stops itself, with its connection open."""
    with grpc.insecure_channel(ADDRESS) as channel:
        play: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(METHOD)
        call: Any = play(kept_open(HELLO, READY))
        next(call)
        time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGSTOP)


WAYS: dict[str, Callable[[], None]] = {
    "fuzz": fuzz,
    "streams": streams,
    "connections": connections,
    "unasked": repeated(wire.moves([(2**40, 0)]).SerializeToString(), Code.INVALID_ARGUMENT),
    "empty": repeated(NO_MOVES, Code.RESOURCE_EXHAUSTED),
    "huge": huge,
    "stops": stop,
}

if __name__ == "__main__":
    WAYS[WAY]()
