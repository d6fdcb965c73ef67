"""Two referees side by side: with one a bad bot plays, with the other two healthy ones."""

from __future__ import annotations

import os
import secrets
import tempfile
import time
import tomllib
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from californiajack import Ruleset, Termination
from californiajack_referee.tournament.workers import Workers
from californiajack_referee.values import (
    BotProgram,
    GameResult,
    Layer,
    Limits,
    Resources,
    SeriesOrder,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from californiajack_referee.values import SeriesResult

ZOO = Path(__file__).parent / "bots"
SAMPLES = Path(__file__).parents[2] / "sample_bots"
PROC = Path("/proc")
GONE_SECONDS = 1.0
"""How long after a series something of it may still be alive."""
LONGEST_SECONDS = 50.0
GROWTH_MIB = 16.0
"""How much more memory a referee may hold after a series: Python gives not all back at once."""
PEAK_MIB = 48.0
"""How much more it may hold in between: to look at thousands of processes takes some."""
HEALTHY_GAMES = 12
MOST_TRIES = 3
LIMITS = Limits(start_seconds=20, ready_seconds=20, move_seconds=1.5, shutdown_seconds=2)
RESOURCES = Resources(memory_mib=256, processes=48, disk_mib=32, output_kib=64)
SEED = bytes(range(16))
RULES = Ruleset(target=4)


@dataclass(frozen=True, slots=True)
class Use:
    """What a referee's process holds."""

    descriptors: int
    """Open descriptors."""
    memory_mib: float
    """Memory in use, in MiB."""
    peak_mib: float
    """The most memory it has ever had in use, in MiB."""
    files: frozenset[str]
    """What there is in its temporary folder."""


@dataclass(frozen=True, slots=True)
class Visit:
    """What came of a bad bot's series, beside a healthy one."""

    games: tuple[GameResult, ...]
    """Its games, by deal."""
    seconds: float
    """How long it took."""
    healthy: dict[int, bytes]
    """The plays of the healthy series, by deal; only of games played to their end."""
    left: tuple[str, ...]
    """Processes of it that were still alive a second after its end."""
    before: Use
    """What the referee held before it."""
    after: Use
    """What the referee held after it."""
    log: str
    """What the bad bot wrote."""


def program(folder: Path, *arguments: str) -> BotProgram:
    """A bot as its bot.toml tells, with more arguments."""
    manifest = tomllib.loads((folder / "bot.toml").read_text())
    return BotProgram(f"{manifest['name']}@1", str(folder), (*manifest["command"], *arguments))


def processes_with(mark: str) -> tuple[str, ...]:
    """The living processes that have a mark among their arguments, as descendants by fork have."""
    found = []
    for process in PROC.glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            if mark in words:
                found.append(f"{process.name}: {words}")
    return tuple(found)


def _plays(games: tuple[GameResult, ...]) -> dict[int, bytes]:
    return {g.deal: g.plays for g in games if g.verdict.termination is Termination.NORMAL}


class Referee:
    """A worker process that plays series, seen from the outside."""

    def __init__(self, temporary: Path) -> None:
        """Starts it with its first series."""
        temporary.mkdir()
        self.temporary = temporary
        self._workers = Workers(1)

    def submit(self, order: SeriesOrder) -> Future[SeriesResult]:
        """Has a series played."""
        before = os.environ.get("TMPDIR")
        os.environ["TMPDIR"] = str(self.temporary)  # inherited by the process, if it starts now
        try:
            return self._workers.submit(order)
        finally:
            if before is None:
                del os.environ["TMPDIR"]
            else:
                os.environ["TMPDIR"] = before

    @property
    def pid(self) -> int:
        """The number of its process."""
        (pid,) = self._workers._pool._processes
        return int(pid)

    def use(self) -> Use:
        """Tells what it holds just now."""
        process = PROC / str(self.pid)
        lines = [line.split() for line in (process / "status").read_text().splitlines()]
        sizes = {words[0]: int(words[1]) / 1024 for words in lines if words[-1:] == ["kB"]}
        # it hides them from all but itself
        descriptors = self._workers._pool.submit(os.listdir, "/proc/self/fd")
        return Use(
            descriptors=len(descriptors.result(LONGEST_SECONDS)),
            memory_mib=sizes["VmRSS:"],
            peak_mib=sizes["VmHWM:"],
            files=frozenset(str(path) for path in self.temporary.rglob("*")),
        )

    def close(self) -> None:
        """Ends it."""
        with suppress(BrokenExecutor):
            self._workers.close()


class Zoo:
    """Both referees, and what the healthy bots play when nobody is beside them.

    Attributes:
        pid: the process of the referee that the bad bots play with.
    """

    def __init__(self, temporary: Path) -> None:
        """Starts both, and lets both play once: what a process loads, it holds for good."""
        self._logs = temporary / "logs"
        self._referee = Referee(temporary / "z")
        self._beside = Referee(temporary / "h")
        first = self._referee.submit(self._healthy())
        second = self._beside.submit(self._healthy())
        self._undisturbed = _plays(second.result(LONGEST_SECONDS).games)
        assert len(self._undisturbed) == HEALTHY_GAMES
        assert _plays(first.result(LONGEST_SECONDS).games) == self._undisturbed
        self.pid = self._referee.pid
        self._first_use = self._referee.use()

    def order(self, kind: str, *arguments: str, layer: Layer, seating: int = 0) -> SeriesOrder:
        """A series against greedy of a bad bot, which has the seat that the seating tells.

        Args:
            kind: its folder in ``bots``.
            arguments: its fault, its mark, and what more it wants to know.
            layer: what is to stand between the bots and the machine.
            seating: the bad bot's seat.
        """
        mark = arguments[1]
        bad, greedy = program(ZOO / kind, *arguments), program(SAMPLES / "greedy", mark)
        return SeriesOrder(
            tournament="zoo",
            pairing=0,
            seating=seating,
            seats=(bad, greedy) if seating == 0 else (greedy, bad),
            deals=(0, 1, 2),
            seed=SEED,
            ruleset=RULES,
            limits=LIMITS,
            games_at_once=8,
            log_folder=str(self._logs / mark),
            layer=layer,
            resources=RESOURCES,
        )

    def _healthy(self) -> SeriesOrder:
        bots = program(SAMPLES / "greedy"), program(SAMPLES / "random")
        return SeriesOrder(
            tournament="beside",
            pairing=0,
            seating=0,
            seats=bots,
            deals=tuple(range(HEALTHY_GAMES)),
            seed=SEED,
            ruleset=RULES,
            games_at_once=4,
            limits=replace(LIMITS, move_seconds=10),
        )

    def visit(self, order: SeriesOrder) -> Visit:
        """Has a series played beside a healthy one, and looks what it has left behind.

        Where the machine was so busy that games are void by that, they are played again, as a
        tournament does; three times in all, for a bot must not make its games void.
        """
        for _ in range(MOST_TRIES - 1):
            visit = self._visit(order)
            if all(game.verdict.winner is not None for game in visit.games):
                return visit
        return self._visit(order)

    def _visit(self, order: SeriesOrder) -> Visit:
        bad = order.seats[order.seating]
        mark = bad.command[3]
        before = self._referee.use()
        beside = self._beside.submit(self._healthy())
        began = time.monotonic()
        games = self._referee.submit(order).result(LONGEST_SECONDS).games
        ended = time.monotonic()
        while left := processes_with(mark):
            if time.monotonic() > ended + GONE_SECONDS:
                break
            time.sleep(0.02)
        log = Path(order.log_folder) / f"{order.pairing}-{order.seating}-{bad.name}.log"
        return Visit(
            games=tuple(sorted(games, key=lambda game: game.deal)),
            seconds=ended - began,
            healthy=_plays(beside.result(LONGEST_SECONDS).games),
            left=left,
            before=before,
            after=self._referee.use(),
            log=log.read_text(errors="replace") if log.exists() else "",
        )

    def check_that_nothing_is_spoilt(self, visit: Visit) -> None:
        """Healthy games are as if nobody was there, and the referee holds no more than before."""
        assert visit.healthy == self._undisturbed
        assert visit.left == ()
        assert visit.after.descriptors <= visit.before.descriptors
        before = visit.before
        assert visit.after.memory_mib <= before.memory_mib + GROWTH_MIB
        assert visit.after.peak_mib <= max(before.peak_mib, before.memory_mib + PEAK_MIB)
        assert visit.after.files <= visit.before.files

    def remove_notes(self, mark: str) -> None:
        """Removes what a bot without a sandbox has left in files named by its mark."""
        temporary = self._referee.temporary
        folders = [path for path in temporary.rglob("*") if path.is_dir()]
        for folder in (ZOO / "spy", Path("/dev/shm"), Path("/tmp"), Path("/var/tmp"), *folders):
            for notes in folder.glob(f"{mark}-*"):
                notes.unlink()
        for folder in folders:
            folder.rmdir()

    def check_that_nothing_piles_up(self) -> None:
        """After all visits together, too, the referee holds no more than before the first."""
        use = self._referee.use()
        assert use.descriptors <= self._first_use.descriptors
        assert use.memory_mib <= self._first_use.memory_mib + GROWTH_MIB
        assert use.files <= self._first_use.files

    def close(self) -> None:
        """Ends both referees."""
        self._referee.close()
        self._beside.close()


@pytest.fixture(scope="session")
def zoo() -> Iterator[Zoo]:
    """Gives the two referees."""
    if not PROC.is_dir():
        pytest.skip("looks processes up in /proc, which this system hasn't")
    # not below pytest's own folder: a socket's path must be short
    with tempfile.TemporaryDirectory(prefix="zoo") as folder:
        made = Zoo(Path(folder))
        yield made
        made.check_that_nothing_piles_up()
        made.close()


@pytest.fixture
def mark() -> str:
    """Gives a word that no other process has among its arguments."""
    return f"zoo-{secrets.token_hex(8)}"
