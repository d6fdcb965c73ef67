"""Bots of a few gRPC calls that break the protocol: bot.py FAULT."""

from __future__ import annotations

import asyncio
import os
import queue
import sys
from typing import TYPE_CHECKING, Any

import grpc

from californiajack import wire
from californiajack.v1.referee_service_pb2 import PlayResponse

if TYPE_CHECKING:
    from collections.abc import Callable

METHOD = "/californiajack.v1.RefereeService/Play"
TOKEN = os.environ["CALJACK_TOKEN"]
FAULT = sys.argv[1]
GAMES = 8
FAULTY_BATCH = 6
"""The message with turns, counted from 0, at which it goes wrong."""

Moves = list[tuple[int, int]]
outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
channel = grpc.insecure_channel(os.environ["CALJACK_ADDRESS"])
play: Any = channel.stream_stream(METHOD)


def say(request: wire.PlayRequest) -> None:
    """Sends a message."""
    outbox.put(request.SerializeToString())


def wrong_token() -> None:
    """Says hello with a token it has made up."""
    say(wire.hello("guessed", GAMES, ""))


def wrong_version() -> None:
    """Speaks a version of the protocol that doesn't exist."""
    hello = wire.hello(TOKEN, GAMES, "")
    hello.hello.version = 99
    say(hello)


def answers_twice(moves: Moves) -> None:
    """Answers each turn two times."""
    say(wire.moves(moves + moves))


def answers_for_another_game(moves: Moves) -> None:
    """Answers the turns that the other bot has been given."""
    say(wire.moves([(turn + 1, card) for turn, card in moves]))


def garbage_bytes(_moves: Moves) -> None:
    """Sends what is no message."""
    outbox.put(b"\xff\xff\xff")


def huge_message(_moves: Moves) -> None:
    """Sends a message of 64 MB."""
    outbox.put(b"\x00" * 64_000_000)


def many_messages(moves: Moves) -> None:
    """Sends 100,000 messages that nobody asked for, and then its answer."""
    nothing = wire.moves([])
    nothing.moves.SetInParent()
    for _ in range(100_000):
        say(nothing)
    say(wire.moves(moves))


def many_streams(moves: Moves) -> None:
    """Opens 1,000 more streams, each with a hello, and goes on with the first."""
    say(wire.moves(moves))
    # without a thread for each, which would be another fault
    refused = asyncio.run(open_streams(1_000))
    sys.stderr.write(f"refused: {refused}\n")


async def open_streams(count: int) -> int:
    """Opens streams, all at once, and tells how many were not wanted."""
    hello = wire.hello(TOKEN, GAMES, "").SerializeToString()
    async with grpc.aio.insecure_channel(os.environ["CALJACK_ADDRESS"]) as many:
        opened: Any = many.stream_stream(METHOD)
        return sum(await asyncio.gather(*(is_refused(opened(iter([hello]))) for _ in range(count))))


async def is_refused(stream: Any) -> bool:  # noqa: ANN401 - gRPC's own
    """Reads a stream to its end, and tells whether the referee wanted no such stream."""
    try:
        async for _ in stream:
            pass
    except grpc.aio.AioRpcError:
        return True
    return False


HELLOS = {fault.__name__: fault for fault in (wrong_token, wrong_version)}
ANSWERS: dict[str, Callable[[Moves], None]] = {
    fault.__name__: fault
    for fault in (
        *(answers_twice, answers_for_another_game, garbage_bytes),
        *(huge_message, many_messages, many_streams),
    )
}


def talk() -> None:
    """Plays its first legal card in all its games, until it goes wrong."""
    HELLOS.get(FAULT, lambda: say(wire.hello(TOKEN, GAMES, "")))()
    batches = 0
    for response in play(iter(outbox.get, None)):
        message = wire.read(PlayResponse.FromString(response))
        if isinstance(message, wire.Welcome):
            say(wire.ready())
        elif isinstance(message, wire.Farewell):
            say(wire.goodbye())
            outbox.put(None)
        elif isinstance(message, wire.Batch) and message.turns:
            moves = [(turn.turn, turn.observation.legal[0]) for turn in message.turns]
            if FAULT in ANSWERS and batches == FAULTY_BATCH:
                ANSWERS[FAULT](moves)
            else:
                say(wire.moves(moves))
            batches += 1


if __name__ == "__main__":
    with channel:
        try:
            talk()
        finally:
            outbox.put(None)
