"""A bot of a few gRPC calls that breaks the protocol as its argument says, or plays well."""

from __future__ import annotations

import os
import queue
import sys
import time
from typing import Any

import grpc

from californiajack import wire
from californiajack.v1.referee_service_pb2 import PlayResponse

WAY = sys.argv[1]
METHOD = "/californiajack.v1.RefereeService/Play"
TOKEN = os.environ["CALJACK_TOKEN"]
outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()


def say(request: Any) -> None:  # noqa: ANN401 - generated code
    """Sends a message."""
    outbox.put(request.SerializeToString())


def answer(batch: wire.Batch) -> None:
    """Answers turns, more or less."""
    moves = [(turn.turn, turn.observation.legal[0]) for turn in batch.turns]
    if not moves:
        return
    if WAY == "garbage":
        outbox.put(b"\xff\xff\xff")
    elif WAY == "twice":
        say(wire.moves(moves + moves))
    elif WAY == "too_much":
        outbox.put(b"\x00" * 100_000)
    elif WAY == "monstrous":
        outbox.put(b"\x00" * 5_000_000)
    elif WAY == "foresees":
        say(wire.moves([(turn + 2, card) for turn, card in moves]))
    elif WAY.startswith("goodbye"):
        say(wire.goodbye())
        if WAY == "goodbye_and_stay":
            time.sleep(30)
    elif WAY == "leaves":
        os.write(2, b"I have had enough\n")
        outbox.put(None)
        time.sleep(30)
    else:
        say(wire.moves(moves))


with grpc.insecure_channel(os.environ["CALJACK_ADDRESS"]) as channel:
    if WAY == "wrong_token":
        say(wire.hello("guessed", 8, ""))
    else:
        say(wire.hello(TOKEN, 8, ""))
    play: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(METHOD)
    call: Any = play(iter(outbox.get, None))
    call.add_callback(lambda: os.write(1, f"status {call.code()}\n".encode()))
    for response in call:
        message = wire.read(PlayResponse.FromString(response))
        if isinstance(message, wire.Fault):
            os.write(1, f"fault {message.reason}\n".encode())
        if isinstance(message, wire.Welcome):
            if WAY == "goodbye_early":
                say(wire.goodbye())
            elif WAY != "never_ready":
                say(wire.ready())
        elif isinstance(message, wire.Batch):
            answer(message)
        elif isinstance(message, wire.Farewell):
            say(wire.goodbye())
            outbox.put(None)
    outbox.put(None)
