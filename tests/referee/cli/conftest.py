"""A league with results, and ways to call `caljack`."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from californiajack import Ruleset, Termination
from californiajack_referee.cli.group import run
from californiajack_referee.league.folder import League
from californiajack_referee.league.stored import StoredTournament
from californiajack_referee.schedule import legs, pairings, seated
from californiajack_referee.values import Limits, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from californiajack_referee.values import GameResult

SEED = bytes.fromhex("00112233445566778899aabbccddeeff")
SAMPLE_BOTS = Path(__file__).parents[3] / "sample_bots"


class Answer(NamedTuple):
    """What a command gave."""

    status: int
    out: str
    err: str


@pytest.fixture(scope="session")
def results_folder(
    tmp_path_factory: pytest.TempPathFactory, played: Callable[..., GameResult]
) -> Path:
    """A league with a finished tournament, ``night``, and one that has just begun, ``dusk``.

    All games were played by the rules; one of ``night`` then lost its end to a crash.
    """
    folder = tmp_path_factory.mktemp("results") / "league"
    with League.open(folder, create=True) as league:
        for number, name in enumerate(("ant", "fox", "hen", "hen")):
            league.store.add_bot(
                name,
                f"{number:064x}",
                language="Python",
                authors=["Ada"],
                command=["python", "bot.py"],
            )
        entrants = tuple(league.store.find_bot(name) for name in ("fox", "hen", "ant"))
        night = StoredTournament(
            "night", entrants, 6, SEED, Ruleset(), Limits(), datetime(2026, 1, 2, tzinfo=UTC)
        )
        dusk = replace(night, name="dusk", pairs=3, seed=SEED + b"!")
        for tournament in (night, dusk):
            league.store.add_tournament(tournament)
        _play(league, night, range(6), played)
        _play(league, dusk, range(1), played)
        void = played(dusk.seed, 1, ("fox@1", "hen@2"))
        nobody = Verdict(None, Termination.REFEREE_FAULT, None, "The referee failed")
        league.store.add_results("dusk", 0, 0, [replace(void, verdict=nobody)])
    return folder


def _play(
    league: League,
    tournament: StoredTournament,
    deals: range,
    played: Callable[..., GameResult],
) -> None:
    places = pairings(len(tournament.entrants))
    for leg in legs(len(tournament.entrants)):
        first, second = (
            tournament.entrants[place].label for place in seated(places[leg.pairing], leg.seating)
        )
        results = [
            played(tournament.seed, deal, (first, second), salt=10 * leg.pairing + leg.seating)
            for deal in deals
        ]
        if tournament.name == "night" and leg == (2, 1):
            crash = Verdict(
                0, Termination.CRASH, 1, f"{second} crashed", "\x1b]0;mine\x07ValueError: no idea"
            )
            results[0] = replace(
                results[0], verdict=crash, plays=results[0].plays[:57], score=(0, 0)
            )
        league.store.add_results(tournament.name, leg.pairing, leg.seating, results)


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Runs a command line in this process."""

    def call(*arguments: str | Path) -> Answer:
        capsys.readouterr()
        status = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Answer(status, captured.out, captured.err)

    return call


@pytest.fixture
def ask_results(results_folder: Path, ask: Callable[..., Answer]) -> Callable[..., Answer]:
    """Runs a command line on the league with results."""

    def call(*arguments: str | Path) -> Answer:
        return ask("--league", results_folder, *arguments)

    return call


def caljack_command(*arguments: str | Path) -> list[str]:
    """Gives the command that runs `caljack` as a process of its own."""
    return [sys.executable, "-m", "californiajack_referee.cli", *map(str, arguments)]


@pytest.fixture(scope="session")
def command() -> Callable[..., list[str]]:
    """Gives the command that runs `caljack` as a process of its own."""
    return caljack_command


@pytest.fixture(scope="session")
def call() -> Callable[..., Answer]:
    """Runs `caljack` as a process of its own."""

    def call(*arguments: str | Path, stdin: str = "") -> Answer:
        done = subprocess.run(
            caljack_command(*arguments),
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            timeout=55,
            env={name: value for name, value in os.environ.items() if name != "CALJACK_LEAGUE"},
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture(scope="session")
def watch() -> Callable[..., Answer]:
    """Runs `caljack` as a process of its own on a terminal, which takes both of its streams."""

    def watch(*arguments: str | Path, columns: int = 100) -> Answer:
        main, side = pty.openpty()
        with subprocess.Popen(
            caljack_command(*arguments),
            stdin=side,
            stdout=side,
            stderr=side,
            env={**os.environ, "TERM": "xterm-256color", "COLUMNS": str(columns)},
        ) as process:
            os.close(side)
            parts: list[bytes] = []
            while part := _read(main):
                parts.append(part)
            status = process.wait(timeout=30)
        os.close(main)
        return Answer(status, b"".join(parts).decode(), "")

    return watch


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other side has closed it
        return b""


_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[()][0-9A-B]|\r")
_ON_A_TERMINAL = """
import fcntl, os, sys, termios
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, "-m", "californiajack_referee.cli", *sys.argv[1:]])
"""
"""Makes standard input the terminal that Ctrl-C comes from, then becomes `caljack`."""
_PATIENCE_SECONDS = 20


class Terminal:
    """`caljack` on a real pseudo-terminal: keys go in, what is on the screen comes out.

    Attributes:
        raw: all that has been written, with escape codes.
        process: the command's process.
    """

    def __init__(self, arguments: list[str], columns: int, environment: dict[str, str]) -> None:
        self._main, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        kept = {
            name: value
            for name, value in os.environ.items()
            if name not in {"CALJACK_LEAGUE", "NO_COLOR", "COLUMNS", "LINES", "LC_ALL"}
        }
        self.process = subprocess.Popen(
            [sys.executable, "-c", _ON_A_TERMINAL, *arguments],
            stdin=side,
            stdout=side,
            stderr=side,
            env={**kept, "TERM": "xterm-256color", **environment},
        )
        os.close(side)
        self.raw = ""
        self._rest = b""
        self._seen = 0

    @property
    def text(self) -> str:
        """What has been written, without escape codes."""
        return _ESCAPES.sub("", self.raw)

    def type(self, keys: str) -> None:
        """Presses keys; what was on the screen before is not looked for any more."""
        self._read(0)
        self._seen = len(self.text)
        os.write(self._main, keys.encode())

    def see(self, *wanted: str) -> str:
        """Waits until one of these texts is there, and gives what is new on the screen."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while not any(word in self.text[self._seen :] for word in wanted):
            assert time.monotonic() < until, f"no {wanted} in {self.text[self._seen :]!r}"
            if not self._read(0.2) and self.process.poll() is not None and not self._read(0.2):
                new = self.text[self._seen :]
                assert any(word in new for word in wanted), f"no {wanted} in {new!r}"
        return self.text[self._seen :]

    def end(self) -> int:
        """Waits for the end of the command and gives its exit status."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while self.process.poll() is None:
            assert time.monotonic() < until, f"doesn't end: {self.text[self._seen :]!r}"
            self._read(0.05)
        self._read(0)
        return self.process.returncode

    def _read(self, seconds: float) -> bool:
        """Takes what has been written, waiting for the first of it; tells whether there was any."""
        found = False
        while select.select([self._main], [], [], seconds)[0]:
            piece = _read(self._main)
            if not piece:
                break
            found, seconds = True, 0
            # a character may come in two pieces
            self._rest += piece
            whole = self._rest.decode(errors="ignore")
            self._rest = self._rest[len(whole.encode()) :]
            self.raw += whole
        return found

    def close(self) -> None:
        """Ends the command, if it lives, and the terminal."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._main)


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    """Runs `caljack` on a terminal that keys can be sent to."""
    opened: list[Terminal] = []

    def start(*arguments: str | Path, columns: int = 100, **environment: str) -> Terminal:
        opened.append(Terminal([*map(str, arguments)], columns, environment))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


@pytest.fixture(scope="session")
def bots_folder(tmp_path_factory: pytest.TempPathFactory, call: Callable[..., Answer]) -> Path:
    """A league with two sample bots, really submitted, and no tournament yet."""
    folder = tmp_path_factory.mktemp("bots") / "league"
    answer = call("--league", folder, "submit", SAMPLE_BOTS / "random", SAMPLE_BOTS / "greedy")
    assert answer.status == 0, answer.err
    return folder
