"""Measures plays a second (a play is a card played, forced ones included), all in one run.

(a) a raw gRPC ping-pong of one turn a message between two Python processes,
(b) the real referee with two `random` bots, one game at once,
(c) the same with many games at once,
(d) the rules alone, in process.

Absolute figures belong to the machine; what counts are the ratios to (a) of the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
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
MANY = 512
ROOT = Path(__file__).parent.parent


def measure_ping_pong(seconds: float) -> float:
    """Measures (a): each message holds one turn, a full observation, and is answered by one."""
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
    client = await asyncio.create_subprocess_exec(sys.executable, __file__, "--answer", address)
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
    """Plays the other side of (a), in a process of its own."""
    import queue  # noqa: PLC0415 - only this process needs it

    outbox: queue.SimpleQueue[service_pb.PlayRequest] = queue.SimpleQueue()
    outbox.put(service_pb.PlayRequest(hello=service_pb.Hello()))
    with grpc.insecure_channel(address) as channel:
        for response in RefereeServiceStub(channel).Play(iter(outbox.get, None)):
            turn: game_pb.Turn = response.batch.turns[0]
            move = service_pb.Move(turn=turn.turn, card=turn.legal[0])
            outbox.put(service_pb.PlayRequest(moves=service_pb.Moves(moves=[move])))


def measure_referee(games: int, at_once: int) -> tuple[float, float]:
    """Measures (b) and (c) with real processes: plays a second, their start included or not."""
    folder = str(ROOT / "sample_bots" / "random")
    bots = tuple(BotProgram(f"random@{n}", folder, ("python", "bot.py")) for n in (1, 2))

    def order(count: int) -> SeriesOrder:
        return SeriesOrder(
            tournament="bench",
            pairing=0,
            seating=0,
            seats=(bots[0], bots[1]),
            deals=tuple(range(count)),
            seed=SEED,
            games_at_once=at_once,
            budget_seconds=600,
        )

    start = time.perf_counter()
    run_series(order(1))
    start_up = time.perf_counter() - start
    start = time.perf_counter()
    result = run_series(order(games))
    spent = time.perf_counter() - start
    plays = sum(len(game.plays) for game in result.games)
    return plays / spent, plays / (spent - start_up)


def measure_rules(games: int) -> float:
    """Measures (d): rules, deals and scoring, the lowest legal card always played."""
    plays, start = 0, time.perf_counter()
    for deal in range(games):
        game = Game(Ruleset(), partial(deck_of, SEED, deal), 0)
        while game.winner is None:
            legal = game.round.legal()
            game.play((legal & -legal).bit_length() - 1)
            plays += 1
    return plays / (time.perf_counter() - start)


def main() -> None:
    """Runs the benchmark and prints it, as a table or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--output", help="also write the JSON document to this file")
    parser.add_argument("--rounds", type=int, default=3, help="measure so often, keep the median")
    parser.add_argument("--games", type=int, default=3000, help="games of (c)")
    parser.add_argument("--answer", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.answer:
        answer_ping_pong(options.answer)
        return
    samples: dict[str, list[float]] = {key: [] for key in ("a", "b", "b0", "c", "c0", "d")}
    for _ in range(options.rounds):
        samples["a"].append(measure_ping_pong(3.0))
        one = measure_referee(max(10, options.games // 60), 1)
        many = measure_referee(options.games, MANY)
        samples["b"].append(one[0])
        samples["b0"].append(one[1])
        samples["c"].append(many[0])
        samples["c0"].append(many[1])
        samples["d"].append(measure_rules(300))
    report(samples, options)


TEXTS = {
    "a": "raw gRPC ping-pong, one turn a message",
    "b": "the referee, two random bots, one game at once",
    "b0": "   without the start of the processes",
    "c": f"the same, up to {MANY} games at once",
    "c0": "   without the start of the processes",
    "d": "the rules alone, in process",
}


def report(samples: dict[str, list[float]], options: argparse.Namespace) -> None:
    """Prints the medians and their ratios to (a)."""
    medians = {key: sorted(values)[len(values) // 2] for key, values in samples.items()}
    ratios = {key: value / medians["a"] for key, value in medians.items()}
    document = {
        "unit": "plays a second",
        "median": {key: round(value) for key, value in medians.items()},
        "ratio_to_a": {key: round(value, 2) for key, value in ratios.items()},
        "samples": {key: [round(v) for v in values] for key, values in samples.items()},
        "meaning": {key: text.strip() for key, text in TEXTS.items()},
        "machine": {"python": platform.python_version(), "cores": os.cpu_count()},
        "wanted": {"c": 20, "d": 125},
    }
    text = json.dumps(document, indent=2)
    if options.output:
        Path(options.output).write_text(text + "\n")
    if options.json:
        print(text)
        return
    print(f"plays a second, median of {options.rounds} (times (a))")
    for key, label in TEXTS.items():
        name = f"({key})" if key in "abcd" else "   "
        print(f"  {name} {label:<50} {medians[key]:>10,.0f}  {ratios[key]:>7.1f}")


if __name__ == "__main__":
    main()
