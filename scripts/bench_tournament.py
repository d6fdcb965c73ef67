"""Measures whole tournaments, by the command line, and bots that think for a while."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from shutil import copytree
from typing import TYPE_CHECKING

from bench_wire import RANDOM, RANDOM_BOTS, SEED, order_of

from californiajack import Ruleset
from californiajack.deal import deck_of
from californiajack.rules import Game
from californiajack_referee.league.folder import League
from californiajack_referee.play.series import run_series
from californiajack_referee.sandbox.processes import Process, all_processes
from californiajack_referee.tournament.workers import Workers
from californiajack_referee.values import FIRST_DEALER, BotProgram

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMAND = (sys.executable, "-m", "californiajack_referee.cli")
THINKING_SECONDS = 0.005
"""What a slow bot computes over each card, in seconds of processor time."""
_THINKER = f"""
import time
from californiajack import Bot, run

class Thinker(Bot):
    def choose(self, view):
        until = time.thread_time() + {THINKING_SECONDS}
        while time.thread_time() < until:
            pass
        return self.rng.choice(view.legal)

run(Thinker)
"""


def caljack(league: Path, *words: str) -> float:
    """Runs a command; gives its seconds.

    Raises:
        RuntimeError: it failed; with what it said.
    """
    command = (*COMMAND, "--league", str(league), *words)
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
    return time.perf_counter() - start


def _write_bots(folder: Path, count: int, *, thinking: bool) -> list[str]:
    """Makes copies of `random`, or of one that thinks as well, under names of their own."""
    found = []
    for number in range(count):
        bot = folder / f"bot{number}"
        copytree(RANDOM, bot)
        manifest = bot / "bot.toml"
        manifest.write_text(
            re.sub(r"(?m)^name = .*$", f'name = "bot{number}"', manifest.read_text())
        )
        if thinking:
            (bot / "bot.py").write_text(_THINKER)
        found.append(str(bot))
    return found


@contextmanager
def league_of(count: int, *, thinking: bool = False) -> Iterator[Path]:
    """Gives a league with so many bots, submitted."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bots = _write_bots(folder, count, thinking=thinking)
        caljack(folder / "league", "submit", *bots)
        yield folder / "league"


def _plan(name: str, pairs: int) -> tuple[str, ...]:
    return ("tournament", "run", "--name", name, "--pairs", str(pairs), "--seed", SEED.hex())


def measure_stored(pairs: int) -> float:
    """Gives the plays a second of a tournament of two `random` bots, its games stored.

    The time is that of the whole command: start, games, storage, rankings.
    """
    with league_of(2) as league:
        seconds = caljack(league, *_plan("bench", pairs), "--games-at-once", "512")
        with League.open(league) as opened:
            plays = sum(len(game.result.plays) for game in opened.store.games("bench"))
    return plays / seconds


def measure_round_robin(bots: int, pairs: int, games: int) -> tuple[float, float]:
    """Gives games a second of a round robin, whole command, and inside one long series.

    Args:
        bots: how many light bots play it.
        pairs: pairs a pairing.
        games: how many games the series has.
    """
    with league_of(bots) as league:
        seconds = caljack(league, *_plan("bench", pairs))
    start = time.perf_counter()
    run_series(order_of(RANDOM_BOTS, 1, 1))
    both_ends = time.perf_counter() - start
    start = time.perf_counter()
    run_series(order_of(RANDOM_BOTS, games, 256))
    inside = time.perf_counter() - start - both_ends
    return bots * (bots - 1) * pairs / seconds, games / inside


def measure_thinking(games: int) -> float:
    """Gives which part of two processors' time two thinking bots can use, 0 to 1.

    That is what both together thought over twice the time of the series, its ends included.
    """
    with tempfile.TemporaryDirectory() as name:
        first, second = _write_bots(Path(name), 2, thinking=True)
        bots = (
            BotProgram("first", first, ("python", "bot.py")),
            BotProgram("second", second, ("python", "bot.py")),
        )
        start = time.perf_counter()
        result = run_series(order_of(bots, games, 256))
        seconds = time.perf_counter() - start
    # what a bot is charged is more: it waits for its turn at the processor, too
    moves = sum(_decisions(game.plays, game.deal) for game in result.games)
    return moves * THINKING_SECONDS / (2 * seconds)


def _decisions(plays: bytes, deal: int) -> int:
    """Counts the plays of a game that were not forced."""
    game = Game(Ruleset(), partial(deck_of, SEED, deal), FIRST_DEALER)
    found = 0
    for card in plays:
        legal = game.round.legal()
        found += legal & (legal - 1) > 0
        game.play(card)
    return found


def measure_jobs(pairs: int) -> tuple[float, float]:
    """Gives the seconds of a tournament of thinking bots, one game at once, by 1 and by 2 jobs."""
    found = []
    with league_of(2, thinking=True) as league:
        for jobs in ("1", "2"):
            words = (*_plan(f"jobs-{jobs}", pairs), "--jobs", jobs, "--games-at-once", "1")
            found.append(caljack(league, *words))
    return found[0], found[1]


def measure_memory(warm: int = 4_000, games: int = 10_000, block: int = 500) -> float:
    """Gives by how many MiB a worker grows over some games, once it is warm."""
    crew = Workers(1)
    played = 0
    memory = []
    try:
        while played < warm + games:
            crew.submit(order_of(RANDOM_BOTS, block, 256)).result()
            played += block
            if played in {warm, warm + games}:
                memory.append(_worker().resident_bytes / 2**20)
    finally:
        crew.close()
    return memory[1] - memory[0]


def _worker() -> Process:
    for process in all_processes().values():
        if process.parent == os.getpid():
            words = Path(f"/proc/{process.pid}/cmdline").read_bytes()
            if b"spawn_main" in words:
                return process
    raise RuntimeError("no worker found among this process's children")
