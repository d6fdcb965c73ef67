"""Kills, backups and a second run in the middle of a tournament: its log is the same, whole.

The short forms run always; the long ones, marked `soak`, with `make soak`.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from californiajack import Termination
from californiajack_referee.league.folder import League
from californiajack_referee.submission.submit import submit

if TYPE_CHECKING:
    from californiajack_referee.league.stored import StoredGame
    from californiajack_referee.values import Verdict

PLAN = ("--pairs", "5", "--seed", bytes(range(16)).hex(), "--target", "3")
GAMES = 3 * 2 * 5
_NAMES = (f"t{number}" for number in count())
LONG = pytest.param(40, marks=[pytest.mark.soak, pytest.mark.timeout(300)])
Strike = Callable[[int, random.Random], bool]
"""Kills something of the run of this process number; tells whether it did."""
_KILLED = {Termination.CRASH, Termination.DISCONNECT, Termination.NEVER_STARTED}


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory, write_bot: Callable[..., Path]) -> Path:
    """Gives the folder of a league with three bots that play at random, one of them slowly."""
    base = tmp_path_factory.mktemp("lost")
    with League.open(base / "league", create=True) as opened:
        for name, before in (("hasty", ""), ("quick", "pass"), ("slow", "time.sleep(0.002)")):
            submit(opened, write_bot(base, name, before=before))
    return base / "league"


@pytest.fixture(scope="module")
def undisturbed(league: Path, caljack: Any) -> str:  # noqa: ANN401 - the helper of conftest.py
    """Gives the name of a tournament that nothing disturbed."""
    name = next(_NAMES)
    done = caljack(league, "tournament", "run", "--name", name, *PLAN)
    assert done.returncode == 0, done.stderr
    return name


@pytest.fixture(scope="module")
def expected(league: Path, undisturbed: str, caljack: Any) -> str:  # noqa: ANN401 - the helper of conftest.py
    """Gives the export of a tournament that nothing disturbed."""
    export: str = caljack.export(league, undisturbed)
    assert export.count("\n") == GAMES
    return export


def _games(league: Path, name: str) -> list[StoredGame]:
    with League.open(league) as opened:
        return list(opened.store.games(name))


def _faults(league: Path, name: str) -> list[Verdict]:
    verdicts = (game.result.verdict for game in _games(league, name))
    return [verdict for verdict in verdicts if verdict.termination is not Termination.NORMAL]


def _begin(league: Path, name: str) -> tuple[str, ...]:
    """Gives the command that goes on with a tournament, or begins it where it isn't stored yet."""
    with League.open(league) as opened:
        there = any(found.name == name for found in opened.store.tournaments())
    return ("tournament", "resume", name) if there else ("tournament", "run", "--name", name, *PLAN)


def _torment(league: Path, caljack: Any, strike: Strike, strikes: int) -> list[str]:  # noqa: ANN401 - the helper of conftest.py
    """Plays tournaments to their ends and strikes at random moments, until it has hit often enough.

    Args:
        league: where they are played.
        caljack: the command line.
        strike: what is to happen to the runs.
        strikes: how often it is to hit.
    """
    seed = random.randrange(2**32)
    print(f"moments by seed {seed}")  # noqa: T201 - shown where the test fails
    rng = random.Random(seed)
    names = []
    hits = 0
    while hits < strikes:
        names.append(next(_NAMES))
        finished = False
        while not finished:
            with caljack.start(league, *_begin(league, names[-1])) as run:
                while run.poll() is None:
                    with suppress(subprocess.TimeoutExpired):
                        run.wait(rng.uniform(0.2, 3.0) if hits < strikes else 50)
                    if run.poll() is None and hits < strikes:
                        hits += strike(run.pid, rng)
            finished = run.returncode == 0
            assert run.returncode in (0, 1, -signal.SIGKILL)
    return names


def _kill(process: int, _rng: random.Random | None = None) -> bool:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("kills", [5, LONG])
def test_a_run_killed_at_random_moments_loses_nothing(
    league: Path,
    expected: str,
    caljack: Any,  # noqa: ANN401 - the helper of conftest.py
    processes_of: Callable[[Path], list[int]],
    eventually: Callable[[Callable[[], bool]], None],
    *,
    kills: int,
) -> None:
    """Kill -9 of the runner: resumed, every game is there once, with the plays it always has."""
    for name in _torment(league, caljack, _kill, kills):
        assert _faults(league, name) == []
        assert caljack.export(league, name) == expected
        with League.open(league) as opened:
            assert list(opened.store.voids(name)) == []
    eventually(lambda: processes_of(league / "bots") == [])


@pytest.mark.parametrize("kills", [3, LONG])
def test_killed_workers_lose_nothing(
    league: Path,
    expected: str,
    caljack: Any,  # noqa: ANN401 - the helper of conftest.py
    kills: int,
    children_of: Callable[[int], list[int]],
) -> None:
    """Kill -9 of the process that plays the series: the log is that of an undisturbed run."""

    def strike(runner: int, rng: random.Random) -> bool:
        workers = _workers(children_of(runner))
        return bool(workers) and _kill(rng.choice(workers))

    for name in _torment(league, caljack, strike, kills):
        assert _faults(league, name) == []
        assert caljack.export(league, name) == expected


def _workers(processes: list[int]) -> list[int]:
    found = []
    for process in processes:
        with suppress(OSError):
            if b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes():
                found.append(process)
    return found


@pytest.mark.parametrize("kills", [3, LONG])
def test_killed_bots_lose_their_games_in_play_and_no_others(
    league: Path,
    undisturbed: str,
    caljack: Any,  # noqa: ANN401 - the helper of conftest.py
    kills: int,
    children_of: Callable[[int], list[int]],
) -> None:
    """Kill -9 of a bot costs it games, by verdicts that say SIGKILL; the others are as ever."""
    usual = {game.id[1:]: _told(game) for game in _games(league, undisturbed)}

    def strike(runner: int, rng: random.Random) -> bool:
        bots = [
            _leaf(bot, children_of) for w in _workers(children_of(runner)) for bot in children_of(w)
        ]
        return bool(bots) and _kill(rng.choice(bots))

    lost = 0
    for name in _torment(league, caljack, strike, kills):
        games = _games(league, name)
        assert Counter(game.id[1:] for game in games) == Counter(usual.keys())
        for game in games:
            verdict = game.result.verdict
            if verdict.termination is Termination.NORMAL:
                assert _told(game) == usual[game.id[1:]]
                continue
            lost += 1
            assert verdict.termination in _KILLED
            assert verdict.winner is not None
            assert verdict.blame == 1 - verdict.winner
            assert "SIGKILL" in verdict.words
        done = subprocess.run(
            caljack.command(league, "verify", "-"),
            input=caljack.export(league, name),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
    assert lost


def _told(game: StoredGame) -> tuple[object, ...]:
    return game.seats, game.result.verdict, game.result.score, game.result.plays


def _leaf(process: int, children_of: Callable[[int], list[int]]) -> int:
    """Gives the last of a chain of processes: the bot itself, whatever it was started through."""
    while below := children_of(process):
        process = below[0]
    return process


def test_a_backup_of_a_running_tournament_goes_on_elsewhere(
    league: Path,
    expected: str,
    caljack: Any,  # noqa: ANN401 - the helper of conftest.py
    tmp_path: Path,
    eventually: Callable[[Callable[[], bool]], None],
) -> None:
    """A copy made in the middle, unpacked in another folder and resumed there, gives the same log.

    So does the tournament that it was taken from, which goes on meanwhile.
    """
    name = next(_NAMES)
    with caljack.start(league, "tournament", "run", "--name", name, *PLAN) as run:
        eventually(lambda: _begun(league, name))
        copied = caljack(league, "backup", tmp_path / "copy.tar.gz")
        assert run.poll() is None
    assert copied.returncode == 0, copied.stderr
    assert run.returncode == 0
    assert caljack.export(league, name) == expected
    subprocess.run(["tar", "-xzf", tmp_path / "copy.tar.gz"], cwd=tmp_path, check=True)
    assert sorted(path.name for path in (tmp_path / "copy").iterdir()) == ["bots", "league.sqlite3"]
    assert 0 < len(_games(tmp_path / "copy", name)) < GAMES
    resumed = caljack(tmp_path / "copy", "tournament", "resume", name)
    assert resumed.returncode == 0, resumed.stderr
    assert caljack.export(tmp_path / "copy", name) == expected


def _begun(league: Path, name: str) -> bool:
    with League.open(league) as opened:
        there = [found.name for found in opened.store.tournaments()]
        return name in there and opened.store.game_count(name) > 0


def test_a_second_run_is_refused_and_a_second_league_is_not(
    league: Path,
    expected: str,
    caljack: Any,  # noqa: ANN401 - the helper of conftest.py
    tmp_path: Path,
    eventually: Callable[[Callable[[], bool]], None],
) -> None:
    """One process plays a tournament at a time; in another league, another one plays the same."""
    assert caljack(league, "backup", tmp_path / "other.tgz").returncode == 0
    subprocess.run(["tar", "-xzf", tmp_path / "other.tgz"], cwd=tmp_path, check=True)
    name = next(_NAMES)
    begin = ("tournament", "run", "--name", name, *PLAN)
    with caljack.start(league, *begin) as run:
        eventually(lambda: _begun(league, name))
        with caljack.start(tmp_path / "other", *begin) as other:
            refused = caljack(league, "tournament", "resume", name)
            assert run.poll() is None
    assert refused.returncode == 1
    assert f"is being played by another process (process {run.pid})" in refused.stderr
    assert (run.returncode, other.returncode) == (0, 0)
    assert caljack.export(league, name) == caljack.export(tmp_path / "other", name) == expected
