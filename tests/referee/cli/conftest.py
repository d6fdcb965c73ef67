"""A league with results, and ways to call `caljack`."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
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
    from collections.abc import Callable

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


@pytest.fixture(scope="session")
def bots_folder(tmp_path_factory: pytest.TempPathFactory, call: Callable[..., Answer]) -> Path:
    """A league with two sample bots, really submitted, and no tournament yet."""
    folder = tmp_path_factory.mktemp("bots") / "league"
    answer = call("--league", folder, "submit", SAMPLE_BOTS / "random", SAMPLE_BOTS / "greedy")
    assert answer.status == 0, answer.err
    return folder
