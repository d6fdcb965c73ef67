"""Measures how fast the tools are: the command line, records, games in one process, starts of bots.

Each `measure_…` function gives plain figures; run by itself, the script prints them all. What one
process does alone is measured in processor time, which other work on the machine disturbs least.
Absolute figures belong to the machine, so games in one process are told as a ratio to the raw gRPC
ping-pong of ``scripts/bench_wire.py``, measured in the same minute.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import grpc
from bench_tournament import COMMAND, caljack
from bench_wire import RANDOM, RANDOM_BOTS, SEED, measure_ping_pong, order_of

from californiajack.bot_file import load_bot
from californiajack.client import ADDRESS_VARIABLE, TOKEN_VARIABLE
from californiajack.local import play_match
from californiajack_referee.play import wire
from californiajack_referee.play.launch import clean_environment
from californiajack_referee.play.series import run_series
from californiajack_referee.sandbox.bubblewrap import HOME, SOCKET_FOLDER
from californiajack_referee.sandbox.choice import SandboxChoice, choose_layer
from californiajack_referee.sandbox.command import Start
from californiajack_referee.sandbox.processes import tree_of
from californiajack_referee.values import Layer, Resources

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GREEDY = RANDOM.with_name("greedy")


def measure_help(times: int = 15) -> float:
    """Gives the shortest time that ``caljack --help`` took, in seconds."""
    program = (str(Path(sys.executable).with_name("caljack")), "--help")
    found = []
    for _ in range(times):
        start = time.perf_counter()
        subprocess.run(program, check=True, stdout=subprocess.DEVNULL)
        found.append(time.perf_counter() - start)
    return min(found)


def make_league(folder: Path, pairs: int) -> None:
    """Plays a tournament ``bench`` of `random` against `greedy` in a new league."""
    caljack(folder, "submit", str(RANDOM), str(GREEDY))
    words = ("tournament", "run", "--name", "bench", "--pairs", str(pairs), "--seed", SEED.hex())
    caljack(folder, *words)


def measure_records(league: Path, file: Path) -> dict[str, float]:
    """Gives what export and verify of a league's tournament ``bench`` do, their start included.

    Args:
        league: a league made by `make_league`.
        file: where to export to.

    Returns:
        Games a processor second of ``export`` and ``verify``, their peak memory in MiB, and the
        plays of a game on average.
    """
    export = _peak((*COMMAND, "--league", str(league), "export", "bench", "-o", str(file)))
    verify = _peak((*COMMAND, "verify", str(file)))
    games = plays = 0
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            games += 1
            plays += sum(len(played["plays"].split()) for played in json.loads(line)["rounds"])
    return {
        "games": games,
        "plays_a_game": plays / games,
        "export": games / export[0],
        "export_mib": export[1],
        "verify": games / verify[0],
        "verify_mib": verify[1],
    }


def _peak(command: Sequence[str]) -> tuple[float, float]:
    """Runs a command; gives its processor seconds and its peak memory in MiB."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    peak_kib = 0
    pid = 0
    # not what the system tells at the end: that has the memory of this process in it
    while not pid:
        with suppress(OSError, ValueError, StopIteration):
            lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
            peak_kib = int(next(line for line in lines if line.startswith("VmHWM")).split()[1])
        time.sleep(0.02)
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)}: exit status {process.returncode}")
    return used.ru_utime + used.ru_stime, peak_kib / 1024


def measure_local(pairs: int = 300) -> float:
    """Gives the plays a processor second of two `random` bots in this process."""
    bot = load_bot(RANDOM).bot
    start = time.process_time()
    match = play_match(bot, bot, pairs=pairs, seed=SEED)
    spent = time.process_time() - start
    return sum(len(played.plays) for game in match.records for played in game.rounds) / spent


def measure_start(layer: Layer, times: int = 30, folder: Path = RANDOM) -> float:
    """Gives the processor seconds of a bot's start, until its hello has come.

    All processes of the bot count, and what limits and walls it in; the median of `times` starts.

    Args:
        layer: what it is started in.
        times: how often.
        folder: the bot's folder; its command is ``python bot.py``.
    """
    found = []
    for _ in range(times):
        with tempfile.TemporaryDirectory() as sockets, tempfile.TemporaryDirectory() as home:
            found.append(_one_start(layer, folder, Path(sockets), Path(home)))
    return median(found)


def _one_start(layer: Layer, folder: Path, sockets: Path, home: Path) -> float:
    said_hello, ended = threading.Event(), threading.Event()

    def play(requests: Iterator[bytes], _context: grpc.ServicerContext) -> Iterator[bytes]:
        next(requests)
        said_hello.set()
        ended.wait()
        yield from ()

    server = grpc.server(ThreadPoolExecutor(1))
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(play)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(wire.SERVICE, {wire.METHOD: handler}),)
    )
    server.add_insecure_port(f"unix:{sockets / 'seat'}")
    server.start()
    inside = layer is Layer.BUBBLEWRAP
    environment = clean_environment(HOME if inside else home) | {
        ADDRESS_VARIABLE: f"unix:{(SOCKET_FOLDER if inside else sockets) / 'seat'}",
        TOKEN_VARIABLE: "token",
    }
    command = ("python", "bot.py")
    with Start(command, folder, layer=layer, resources=Resources(), socket_folder=sockets) as start:
        process = subprocess.Popen(
            start.command,
            cwd=folder,
            env=environment,
            pass_fds=start.descriptors,
            stderr=subprocess.DEVNULL,
        )
    try:
        if not said_hello.wait(30):
            raise RuntimeError(f"no hello from {folder} within 30 s")
        return sum(map(_seconds_of, tree_of(process.pid)))
    finally:
        ended.set()
        process.kill()
        process.wait()
        server.stop(None).wait()


def _seconds_of(pid: int) -> float:
    """Gives the processor time that a process's threads have used."""
    found = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):
            found += int((task / "schedstat").read_text().split()[0])
    return found / 1e9


def measure_series(layer: Layer, times: int = 15) -> dict[str, float]:
    """Gives what a series of one game costs, nearly all of it for its start and its end.

    Returns:
        The medians of ``referee``, processor seconds of this process, ``bots``, those of both bots'
        processes, and ``wall``, seconds.
    """
    order = replace(order_of(RANDOM_BOTS, 1, 256), layer=layer)
    run_series(order)
    found: dict[str, list[float]] = {"referee": [], "bots": [], "wall": []}
    for _ in range(times):
        own, children = _used(resource.RUSAGE_SELF), _used(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        run_series(order)
        found["wall"].append(time.perf_counter() - start)
        found["referee"].append(_used(resource.RUSAGE_SELF) - own)
        found["bots"].append(_used(resource.RUSAGE_CHILDREN) - children)
    return {name: median(values) for name, values in found.items()}


def _used(whose: int) -> float:
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


def measure_ratio(rounds: int) -> tuple[float, float]:
    """Gives the best of the raw ping-pong and of `measure_local`, taken in turns."""
    raw, local = [], []
    for _ in range(rounds):
        raw.append(measure_ping_pong(2.0))
        local.append(measure_local())
    return max(raw), max(local)


def main() -> None:
    """Measures everything and prints it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=5000, help="pairs of the exported tournament")
    parser.add_argument("--rounds", type=int, default=5, help="how often to measure the ratio")
    parser.add_argument("--league", type=Path, help="a league to keep the tournament in")
    options = parser.parse_args()
    print(f"caljack --help                     {1000 * measure_help():8.0f} ms (less than 150)")
    raw, local = measure_ratio(options.rounds)
    print(f"raw gRPC ping-pong                 {raw:8,.0f} plays/s")
    print(
        f"californiajack.local               {local:8,.0f} plays/s, {local / raw:.1f} times (62.5)"
    )
    best, _ = choose_layer(SandboxChoice.AUTO)
    for layer in dict.fromkeys((Layer.NONE, Layer.PROCESS, best)):
        cost = measure_start(layer)
        series = measure_series(layer)
        print(
            f"a bot's start, {layer.value:<19} {1000 * cost:8.0f} ms of processor time to its hello"
        )
        referee, bots = 1000 * series["referee"], 1000 * series["bots"]
        print(
            f"a series of one game               {referee:8.0f} ms for the referee, {bots:.0f} bots"
        )
    with tempfile.TemporaryDirectory() as folder:
        league = options.league or Path(folder) / "league"
        if not league.exists():
            make_league(league, options.pairs)
        found = measure_records(league, Path(folder) / "records.jsonl")
    print(f"records: {found['games']:.0f} games of {found['plays_a_game']:.0f} plays")
    for what in ("export", "verify"):
        print(
            f"caljack {what:<26} {found[what]:8,.0f} games/s (1,500), "
            f"at most {found[f'{what}_mib']:.0f} MiB"
        )


if __name__ == "__main__":
    main()
