"""A bot that plays well and writes down how long each next turn took: player.py ADDRESS TOKEN FILE.

A line a turn: the time when its predecessor was answered, and the seconds from then on.
"""

from __future__ import annotations

import queue
import sys
import time
from pathlib import Path

import grpc

from californiajack import wire
from californiajack.v1.referee_service_pb2 import PlayResponse

ADDRESS, TOKEN, FILE = sys.argv[1:]
METHOD = "/californiajack.v1.RefereeService/Play"

outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
outbox.put(wire.hello(TOKEN, 1, "").SerializeToString())
answered: float | None = None
with Path(FILE).open("w") as file, grpc.insecure_channel(ADDRESS) as channel:
    play: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(METHOD)
    for response in play(iter(outbox.get, None)):
        message = wire.read(PlayResponse.FromString(response))
        if isinstance(message, wire.Welcome):
            outbox.put(wire.ready().SerializeToString())
        elif isinstance(message, wire.Batch) and message.turns:
            now = time.monotonic()
            if answered is not None:
                file.write(f"{answered} {now - answered}\n")
            moves = [(turn.turn, turn.observation.legal[0]) for turn in message.turns]
            time.sleep(0.001)  # leaves the machine to others, as bots that think do not
            answered = time.monotonic()
            outbox.put(wire.moves(moves).SerializeToString())
        elif isinstance(message, wire.Farewell):
            outbox.put(wire.goodbye().SerializeToString())
            outbox.put(None)
