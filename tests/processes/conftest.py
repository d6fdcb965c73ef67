"""Bots on disk, and what runs on this machine, for the tests that start real processes."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

_PROC = Path("/proc")
_RANDOM = """
import time
from californiajack import Bot, run

class Random(Bot):
    def choose(self, view):
        {before}
        return self.rng.choice(view.legal)

run(Random)
"""


def _write_bot(
    parent: Path, name: str, program: str | None = None, *, before: str = "", toml: str = ""
) -> Path:
    folder = parent / name
    folder.mkdir(parents=True)
    (folder / "bot.py").write_text(_RANDOM.format(before=before) if program is None else program)
    command = "" if "command" in toml else 'command = ["python", "bot.py"]\n'
    (folder / "bot.toml").write_text(f'name = "{name}"\n{command}{toml}')
    return folder


@pytest.fixture(scope="session")
def write_bot() -> Callable[..., Path]:
    """Gives a function that writes a bot's folder and gives its path.

    Its arguments: the folder to make it in, the bot's name, the text of bot.py (one that plays at
    random if left out), `before` for a statement before each of its random choices, `toml` for
    more lines of bot.toml.
    """
    return _write_bot


def _processes_of(folder: Path) -> list[int]:
    found = []
    for process in _PROC.glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cwd").readlink().is_relative_to(folder):
                found.append(int(process.name))
    return found


def _children_of(parent: int) -> list[int]:
    found = []
    for status in _PROC.glob("[0-9]*/stat"):
        with suppress(OSError):
            # the name in parentheses may hold anything; the state and the parent follow it
            state, ppid, *_ = status.read_text().rpartition(")")[2].split()
            if int(ppid) == parent and state != "Z":
                found.append(int(status.parent.name))
    return found


@pytest.fixture(scope="session")
def processes_of() -> Callable[[Path], list[int]]:
    """Gives a function that finds the processes that work in a folder or below it."""
    if not _PROC.is_dir():
        pytest.skip("looks processes up in /proc, which this system hasn't")
    return _processes_of


@pytest.fixture(scope="session")
def children_of() -> Callable[[int], list[int]]:
    """Gives a function that finds the living children of a process."""
    if not _PROC.is_dir():
        pytest.skip("looks processes up in /proc, which this system hasn't")
    return _children_of


@pytest.fixture(scope="session")
def eventually() -> Callable[[Callable[[], bool]], None]:
    """Gives a function that waits until something is so, 15 seconds at most."""

    def wait(so: Callable[[], bool]) -> None:
        until = time.monotonic() + 15
        while not so():
            assert time.monotonic() < until, "waited in vain"
            time.sleep(0.05)

    return wait


class Caljack:
    """The command line, as processes of its own."""

    def command(self, league: Path, *arguments: str | Path) -> list[str]:
        """Gives the command for a league."""
        words = ("--league", league, *arguments)
        return [sys.executable, "-m", "californiajack_referee.cli", *map(str, words)]

    def __call__(self, league: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Runs a command to its end, within 55 seconds."""
        return subprocess.run(
            self.command(league, *arguments),
            capture_output=True,
            text=True,
            check=False,
            timeout=55,
        )

    def start(self, league: Path, *arguments: str | Path) -> subprocess.Popen[bytes]:
        """Starts a command whose output is dropped."""
        return subprocess.Popen(
            self.command(league, *arguments),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def export(self, league: Path, tournament: str) -> str:
        """Gives a tournament's records, as `caljack export` writes them."""
        done = self(league, "export", tournament)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def caljack() -> Caljack:
    """Gives the command line, as processes of its own."""
    return Caljack()
