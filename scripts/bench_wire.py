"""Measures plays a second: over the wire and without it. Forced plays are plays, too.

Run by itself, with an address, it is the other side of the raw ping-pong.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import grpc

from californiajack import Ruleset
from californiajack.deal import deck_of
from californiajack.observation import observe
from californiajack.rules import Game
from californiajack.v1 import game_pb2 as game_pb
from californiajack.v1 import referee_service_pb2 as service_pb
from californiajack.v1.referee_service_pb2_grpc import RefereeServiceStub
from californiajack_referee.play import wire
from californiajack_referee.play.outbox import Outbox
from californiajack_referee.play.series import run_series
from californiajack_referee.values import BotProgram, SeriesOrder

SEED = bytes(range(16))
ROOT = Path(__file__).parent.parent
RANDOM = ROOT / "sample_bots" / "random"
RANDOM_BOTS = (
    BotProgram("random@1", str(RANDOM), ("python", "bot.py")),
    BotProgram("random@2", str(RANDOM), ("python", "bot.py")),
)


def measure_ping_pong(seconds: float) -> float:
    """Gives the messages a second of a raw gRPC stream between two Python processes.

    Each holds one turn, a full observation, and is answered by one card.
    """
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_serve_ping_pong(f"unix:{folder}/bench.sock", seconds))


async def _serve_ping_pong(address: str, seconds: float) -> float:
    rate: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    async def play(_requests: Any, context: Any) -> None:  # noqa: ANN401 - grpc's own types
        await context.read()
        message = _one_turn()
        count, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds:
            await context.write(message.SerializeToString())
            wire.read(await context.read())
            count += 1
        rate.set_result(count / spent)

    server = grpc.aio.server()
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(play)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(wire.SERVICE, {wire.METHOD: handler}),)
    )
    server.add_insecure_port(address)
    await server.start()
    client = await asyncio.create_subprocess_exec(sys.executable, __file__, address)
    found = await rate
    await client.wait()
    await server.stop(0)
    return found


def _one_turn() -> service_pb.PlayResponse:
    """Makes a message with one turn from the middle of a round."""
    game = Game(Ruleset(), partial(deck_of, SEED, 0), 0)
    for _ in range(20):
        legal = game.round.legal()
        game.play((legal & -legal).bit_length() - 1)
    outbox = Outbox()
    outbox.turn(1, 0, observe(game, move_time_ms=10_000))
    return service_pb.PlayResponse.FromString(outbox.take()[0])


def answer_ping_pong(address: str) -> None:
    """Plays the other side of the ping-pong, in a process of its own."""
    import queue  # noqa: PLC0415 - only this process needs it

    outbox: queue.SimpleQueue[service_pb.PlayRequest] = queue.SimpleQueue()
    outbox.put(service_pb.PlayRequest(hello=service_pb.Hello()))
    with grpc.insecure_channel(address) as channel:
        for response in RefereeServiceStub(channel).Play(iter(outbox.get, None)):
            turn: game_pb.Turn = response.batch.turns[0]
            move = service_pb.Move(turn=turn.turn, card=turn.legal[0])
            outbox.put(service_pb.PlayRequest(moves=service_pb.Moves(moves=[move])))


def measure_series(games: int, at_once: int) -> float:
    """Gives the plays a second of one series of two `random` bots, start and end included."""
    start = time.perf_counter()
    result = run_series(order_of(RANDOM_BOTS, games, at_once))
    return sum(len(game.plays) for game in result.games) / (time.perf_counter() - start)


def order_of(bots: tuple[BotProgram, BotProgram], games: int, at_once: int) -> SeriesOrder:
    """Gives a series with no limit but that of its games."""
    return SeriesOrder(
        tournament="bench",
        pairing=0,
        seating=0,
        seats=bots,
        deals=tuple(range(games)),
        seed=SEED,
        games_at_once=at_once,
        budget_seconds=600,
    )


def measure_rules(games: int) -> float:
    """Gives the plays a second of the rules alone: legal cards, plays, deals and scoring."""
    plays, start = 0, time.perf_counter()
    for deal in range(games):
        game = Game(Ruleset(), partial(deck_of, SEED, deal), 0)
        while game.winner is None:
            legal = game.round.legal()
            game.play((legal & -legal).bit_length() - 1)
            plays += 1
    return plays / (time.perf_counter() - start)


if __name__ == "__main__":
    answer_ping_pong(sys.argv[1])
