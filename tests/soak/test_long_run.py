"""Twenty thousand games in one tournament: nothing grows, nothing stays, and the log is right."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pytest

from californiajack_referee.league.folder import League

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PAIRS = 10_000
GAMES = 2 * PAIRS
WARM_GAMES = 2_000
"""Until then memory may grow: caches fill, and the allocator settles."""
MOST_GROWTH_KIB = 2 * 1024
MOST_MORE_DESCRIPTORS = 4
"""Far less than one for each of the dozens of series."""
_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Look:
    """What one process held at one moment."""

    games: int
    """Games of the tournament done by then."""
    rss_kib: int
    """Its resident memory, in KiB."""
    descriptors: int
    """Its open descriptors."""


def _caljack(league: Path, *arguments: str | Path) -> list[str]:
    words = ("--league", league, *arguments)
    return [sys.executable, "-m", "californiajack_referee.cli", *map(str, words)]


def _children(parent: int) -> list[int]:
    found = []
    for status in _PROC.glob("[0-9]*/stat"):
        with suppress(OSError):
            # the name in parentheses may hold anything; the state and the parent follow it
            if int(status.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(status.parent.name))
    return found


def _started(process: int) -> str:
    """Gives when a process started, as numbers are used again; empty where none lives."""
    try:
        fields = (_PROC / str(process) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]


def _look(process: int, games: int) -> Look:
    status = (_PROC / str(process) / "status").read_text()
    rss = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return Look(games, int(rss.split()[1]), len(list((_PROC / str(process) / "fd").iterdir())))


def _watch(run: subprocess.Popen[bytes], league: Path) -> dict[tuple[int, str], list[Look]]:
    """Looks at a run and its workers, about twice a second, until it has all but ended."""
    seen: dict[tuple[int, str], list[Look]] = {}
    with League.open(league) as opened:
        while run.poll() is None:
            time.sleep(0.5)
            if not opened.store.tournaments():
                continue
            games = opened.store.game_count("long")
            if games == GAMES:
                break  # what the table at the end takes is no leak
            for process in (run.pid, *_children(run.pid)):
                # one that has just ended has no memory to tell of
                with suppress(OSError, StopIteration):
                    seen.setdefault((process, _started(process)), []).append(_look(process, games))
    return seen


@pytest.fixture
def temporary() -> Iterator[Path]:
    """Gives a folder for temporary files of its own; a short path, for the sockets in it."""
    with tempfile.TemporaryDirectory(prefix="long-") as folder:
        yield Path(folder)


@pytest.mark.soak
@pytest.mark.timeout(400)
@pytest.mark.skipif(not _PROC.is_dir(), reason="looks at processes in /proc")
def test_twenty_thousand_games(tmp_path: Path, temporary: Path) -> None:
    """After 2,000 games the memory and the descriptors of every process stay as they are.

    At the end there is no process and no temporary file, and the log verifies from end to end.
    """
    league = tmp_path / "league"
    bots = [ROOT / "sample_bots" / name for name in ("random", "greedy")]
    subprocess.run(_caljack(league, "submit", *bots), check=True, capture_output=True)
    environment = os.environ | {"TMPDIR": str(temporary)}
    began = time.monotonic()
    run = ("tournament", "run", "--name", "long", "--pairs", str(PAIRS))
    with (tmp_path / "told").open("wb") as told:
        with subprocess.Popen(
            _caljack(league, *run), stdout=told, stderr=told, env=environment
        ) as process:
            seen = _watch(process, league)
        seconds = time.monotonic() - began
    assert process.returncode == 0, (tmp_path / "told").read_text()
    grown = [growth for looks in seen.values() if (growth := _growth(looks))]
    _keep({"games": GAMES, "seconds": round(seconds), "processes": [asdict(g) for g in grown]})
    assert grown
    for growth in grown:
        assert growth.last.rss_kib - growth.first.rss_kib < MOST_GROWTH_KIB, growth
        early, late = growth.usual_descriptors
        assert late - early <= MOST_MORE_DESCRIPTORS, growth
    # but for the folder that all series of a user have theirs in
    assert list(temporary.glob("*/*")) == []
    time.sleep(1)
    assert [number for number, began_at in seen if began_at and _started(number) == began_at] == []
    _verify(league)


@dataclass(frozen=True, slots=True)
class Growth:
    """How much more a process holds at the end than when it was warm."""

    first: Look
    """The first look after the warm-up."""
    last: Look
    """The last look."""
    usual_descriptors: tuple[float, float]
    """The median of those open in the first and the second half of the time between."""


def _growth(looks: list[Look]) -> Growth | None:
    """Gives the growth of a process that was there all the time; None for another."""
    warm = [look for look in looks if look.games >= WARM_GAMES]
    if len(warm) < 2:
        return None
    half = len(warm) // 2
    early, late = (median(look.descriptors for look in p) for p in (warm[:half], warm[half:]))
    return Growth(warm[0], warm[-1], (early, late))


def _keep(report: dict[str, object]) -> None:
    """Writes what was measured, to be read where all went well too."""
    text = json.dumps(report, indent=2)
    print(text)  # noqa: T201 - `make soak` shows it
    (ROOT / "build").mkdir(exist_ok=True)
    (ROOT / "build" / "long-run.json").write_text(text + "\n")


def _verify(league: Path) -> None:
    """Checks the whole log by the rules, as `caljack export long | caljack verify -` does."""
    with subprocess.Popen(
        _caljack(league, "export", "long"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as export:
        verify = subprocess.run(
            _caljack(league, "verify", "-"),
            stdin=export.stdout,
            capture_output=True,
            text=True,
            check=False,
        )
    assert (export.returncode, verify.returncode) == (0, 0), verify.stdout
    assert f"{GAMES} records checked, 0 faulty" in verify.stderr
