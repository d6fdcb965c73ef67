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
from californiajack_referee.league.format import Knockout
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


def _create(league: League) -> StoredTournament:
    return create(
        league,
        name=next(_NAMES),
        entrants=[league.store.find_bot(bot) for bot in _CHOICES],
        pairs=PAIRS,
        seed=SEED,
        ruleset=Ruleset(target=1),
        played_as=Knockout(),
    )


def _log(league: League, name: str) -> list[object]:
    return [
        (game.id[1:], game.seats, game.result.verdict, game.result.score, game.result.plays)
        for game in league.store.games(name)
    ]


@pytest.fixture(scope="module")
def expected(folder: Path) -> list[object]:
    """Gives the log of a knockout that nothing disturbed, played one series at a time."""
    with League.open(folder) as league:
        tournament = _create(league)
        told: list[Progress] = []
        assert play(league, tournament, jobs=1, on_progress=told.append)
        log = _log(league, tournament.name)
        course = course_of(tournament)
        course.go_on(league.store.pairs_played(tournament.name))
    assert course.over
    assert len(course.stages) > 1
    assert len(log) == 2 * sum(stage.pairs for stage in course.stages)
    assert told[-1].done == told[-1].total == len(log)
    assert {progress.stage for progress in told} >= {stage.name for stage in course.stages}
    assert [p.total for p in told] == sorted((p.total for p in told), reverse=True)
    return log


def test_a_run_that_halts_again_and_again_plays_the_same(
    league: League, expected: list[object]
) -> None:
    """Stopped and taken up in the middle of its stages, by two jobs, it has the games it has."""
    tournament = _create(league)
    halts = 0

    def stop() -> bool:
        return league.store.game_count(tournament.name) > 30 * halts + 3

    while not play(league, tournament, jobs=2, stop=stop):
        halts += 1
    assert halts
    assert _log(league, tournament.name) == expected


def test_who_plays_the_series_does_not_show(league: League, expected: list[object]) -> None:
    """Another executor plays the same games in the same stages."""
    tournament = _create(league)
    with ThreadPoolExecutor(2) as executor:
        assert play(league, tournament, executor=executor, jobs=1, games_at_once=3)
    assert _log(league, tournament.name) == expected


def test_a_killed_run_goes_on_in_its_stage(
    folder: Path,
    league: League,
    expected: list[object],
    caljack: Any,  # noqa: ANN401 - the helper of conftest.py
) -> None:
    """Kill -9 of the run in the middle of a knockout: resumed, the games are those they were."""
    name = next(_NAMES)
    settings = ("--format", "knockout", "--seeding", "given", "--pairs", str(PAIRS))
    deals = ("--seed", SEED.hex(), "--target", "1", "--bots", ",".join(_CHOICES))
    begin = ("tournament", "run", "--name", name, "--jobs", "1", *settings, *deals)
    with caljack.start(folder, *begin) as run:
        until = time.monotonic() + 30
        while run.poll() is None and time.monotonic() < until:
            names = [found.name for found in league.store.tournaments()]
            if name in names and league.store.game_count(name):
                os.kill(run.pid, signal.SIGKILL)
                break
            time.sleep(0.01)
    assert run.returncode == -signal.SIGKILL
    resumed = caljack(folder, "tournament", "resume", name)
    assert resumed.returncode == 0, resumed.stderr
    assert _log(league, name) == expected
