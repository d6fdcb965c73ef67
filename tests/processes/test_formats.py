"""Formats on real processes: whatever happens on the way, stages and games are the same."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from californiajack import Ruleset
from californiajack_referee.formats.course import course_of
from californiajack_referee.league.folder import League
from californiajack_referee.league.format import Format, Knockout, Swiss
from californiajack_referee.submission.submit import submit
from californiajack_referee.tournament.tournament import Progress, create, play

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from californiajack_referee.league.stored import StoredTournament

SEED = bytes(range(16))
PAIRS = 12
_NAMES = (f"f{number}" for number in count())
_CHOICES = {
    "low": "return min(view.legal)",
    "high": "return max(view.legal)",
    "any": "pass",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, write_bot: Callable[..., Path]) -> Path:
    """Gives the folder of a league with three bots that play differently."""
    base = tmp_path_factory.mktemp("formats")
    with League.open(base / "league", create=True) as league:
        for name, before in _CHOICES.items():
            submit(league, write_bot(base, name, before=before))
    return base / "league"


@pytest.fixture
def league(folder: Path) -> Iterator[League]:
    """Gives the league, open in this process."""
    with League.open(folder) as opened:
        yield opened


def _create(league: League, settings: Format) -> StoredTournament:
    return create(
        league,
        name=next(_NAMES),
        entrants=[league.store.find_bot(bot) for bot in _CHOICES],
        pairs=PAIRS,
        seed=SEED,
        ruleset=Ruleset(target=1),
        played_as=settings,
    )


def _log(league: League, tournament: StoredTournament) -> list[object]:
    return [
        (game.id[1:], game.seats, game.result.verdict, game.result.score, game.result.plays)
        for game in league.store.games(tournament.name)
    ]


def _stages(league: League, tournament: StoredTournament) -> list[Any]:
    course = course_of(tournament)
    course.go_on(league.store.pairs_played(tournament.name))
    assert course.over
    return course.stages


def test_a_run_that_halts_again_and_again_plays_the_same(league: League) -> None:
    """Stopped and taken up in the middle of its stages, a knockout has the stages it always has."""
    alone = _create(league, Knockout())
    told: list[Progress] = []
    assert play(league, alone, jobs=1, on_progress=told.append)
    expected, stages = _log(league, alone), _stages(league, alone)
    assert len(stages) > 1
    assert len(expected) == 2 * sum(stage.pairs for stage in stages)
    assert told[-1].done == told[-1].total == len(expected)
    assert {progress.stage for progress in told} >= {stage.name for stage in stages}
    assert [p.total for p in told] == sorted((p.total for p in told), reverse=True)

    halting = _create(league, Knockout())
    halts = 0

    def stop() -> bool:
        return league.store.game_count(halting.name) > 20 * halts + 3

    while not play(league, halting, jobs=2, stop=stop):
        halts += 1
    assert halts
    assert _log(league, halting) == expected
    assert _stages(league, halting) == stages


def test_who_plays_the_series_does_not_show(league: League) -> None:
    """Workers of this machine and another executor play the same games in the same stages."""
    here = _create(league, Swiss(2))
    assert play(league, here, jobs=2)
    away = _create(league, Swiss(2))
    with ThreadPoolExecutor(2) as executor:
        assert play(league, away, executor=executor, jobs=1, games_at_once=3)
    assert len(_stages(league, here)) > 1
    assert _stages(league, away) == _stages(league, here)
    assert _log(league, away) == _log(league, here)


def test_a_killed_run_goes_on_in_its_stage(
    folder: Path,
    caljack: Any,  # noqa: ANN401 - the helper of conftest.py
) -> None:
    """Kill -9 of the run in the middle of a knockout: resumed, the games are those they were."""
    wanted = ("--format", "knockout", "--pairs", str(PAIRS), "--seed", SEED.hex(), "--seeding")
    command = ("tournament", "run", *wanted, "given", "--bots", ",".join(_CHOICES), "--target", "3")
    straight = caljack(folder, *command, "--name", "straight")
    assert straight.returncode == 0, straight.stderr
    with caljack.start(folder, *command, "--name", "killed", "--jobs", "1") as run:
        until = time.monotonic() + 30
        with League.open(folder) as league:
            while run.poll() is None and time.monotonic() < until:
                names = [found.name for found in league.store.tournaments()]
                if "killed" in names and league.store.game_count("killed"):
                    os.kill(run.pid, signal.SIGKILL)
                    break
                time.sleep(0.01)
    assert run.returncode == -signal.SIGKILL
    resumed = caljack(folder, "tournament", "resume", "killed")
    assert resumed.returncode == 0, resumed.stderr
    assert caljack.export(folder, "killed") == caljack.export(folder, "straight").replace(
        "straight", "killed"
    )
