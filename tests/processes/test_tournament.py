"""Tournaments on real processes: whatever happens on the way, the log is the same."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from californiajack import InputError, Ruleset, Termination
from californiajack_referee.league.folder import BusyError, League
from californiajack_referee.submission.submit import submit
from californiajack_referee.tournament.run import MOST_BREAKDOWNS
from californiajack_referee.tournament.tournament import Progress, TournamentError, create, play
from californiajack_referee.values import Limits, SeriesOrder, SeriesResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from californiajack_referee.league.stored import StoredTournament

SEED = bytes(range(16))
PAIRS = 6
GAMES = 3 * 2 * PAIRS
_NAMES = (f"t{number}" for number in count())
_RUN = """
import sys
from californiajack_referee.league.folder import League
from californiajack_referee.tournament.tournament import play

if __name__ == "__main__":
    with League.open(sys.argv[1]) as league:
        play(league, league.store.tournament(sys.argv[2]), jobs=int(sys.argv[3]))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, write_bot: Callable[..., Path]) -> Path:
    """Gives the folder of a league with three bots that play at random, one of them slowly."""
    base = tmp_path_factory.mktemp("tournaments")
    with League.open(base / "league", create=True) as league:
        for name, before in (("hasty", ""), ("quick", "pass"), ("slow", "time.sleep(0.002)")):
            submit(league, write_bot(base, name, before=before))
    return base / "league"


@pytest.fixture
def league(folder: Path) -> Iterator[League]:
    """Gives the league, open in this process."""
    with League.open(folder) as opened:
        yield opened


def _create(league: League, *bots: str, pairs: int = PAIRS) -> StoredTournament:
    """Makes a tournament of a new name, on the same deals as all the others."""
    entrants = [league.store.find_bot(bot) for bot in bots or ("hasty", "quick", "slow")]
    return create(
        league,
        name=next(_NAMES),
        entrants=entrants,
        pairs=pairs,
        seed=SEED,
        ruleset=Ruleset(target=3),
    )


def _log(league: League, tournament: StoredTournament) -> list[object]:
    """Gives all that a log says, but for the tournament's name and the time used."""
    return [
        (game.id[1:], game.seats, game.result.verdict, game.result.score, game.result.plays)
        for game in league.store.games(tournament.name)
    ]


@pytest.fixture(scope="module")
def expected(folder: Path) -> list[object]:
    """Gives the log of a tournament that nothing disturbed, played one series at a time."""
    with League.open(folder) as league:
        tournament = _create(league)
        assert play(league, tournament, jobs=1)
        log = _log(league, tournament)
    assert len(log) == GAMES
    return log


def _some_are_done(league: League, tournament: StoredTournament) -> Callable[[], bool]:
    return lambda: league.store.game_count(tournament.name) > 0


def test_every_game_is_played_as_a_game(expected: list[Any]) -> None:
    """All games of the schedule are there in canonical order, played to their ends."""
    assert [number for number, *_ in expected] == [
        (pairing, deal, seating)
        for deal in range(PAIRS)
        for pairing in range(3)
        for seating in (0, 1)
    ]
    for _, _, verdict, score, plays in expected:
        assert verdict.termination is Termination.NORMAL
        assert max(score) == score[verdict.winner] >= 3
        assert len(plays) % 52 == 0


def test_two_jobs_give_the_same_log(league: League, expected: list[object]) -> None:
    """Neither how many series nor how many games are played at once shows in the log."""
    tournament = _create(league)
    assert play(league, tournament, jobs=2, games_at_once=2)
    assert _log(league, tournament) == expected


def test_progress_counts_up_to_the_end(league: League) -> None:
    """What is told on the way is true: games done, wins, and a finished tournament at the end."""
    tournament = _create(league, "hasty", "quick")
    told: list[Progress] = []
    assert play(league, tournament, jobs=1, on_progress=told.append)
    assert (told[0].done, told[-1].done) == (0, 2 * PAIRS)
    assert [p.done for p in told] == sorted(p.done for p in told)
    for progress in told:
        assert progress.total == 2 * PAIRS
        assert sum(progress.wins.values()) == progress.done == progress.played
    assert told[-1].wins == league.store.win_counts(tournament.name)
    assert told[-1].faults == told[-1].given_up == 0
    again: list[Progress] = []
    assert play(league, tournament, jobs=1, on_progress=again.append)
    assert [(p.done, p.played) for p in again] == [(2 * PAIRS, 0)] * len(again)


def test_a_stopped_tournament_is_taken_up_again(
    league: League, expected: list[object], processes_of: Callable[[Path], list[int]]
) -> None:
    """It stops within seconds with nothing left running, keeps its games, and ends the same."""
    tournament = _create(league)
    stopped_at: list[float] = []

    def stop() -> bool:
        if not stopped_at and _some_are_done(league, tournament)():
            stopped_at.append(time.monotonic())
        return bool(stopped_at)

    assert not play(league, tournament, jobs=2, stop=stop)
    assert time.monotonic() - stopped_at[0] < 10
    assert processes_of(league.folder / "bots") == []
    assert multiprocessing.active_children() == []
    assert 0 < league.store.game_count(tournament.name) < GAMES
    assert play(league, tournament, jobs=1)
    assert _log(league, tournament) == expected


def test_a_tournament_that_may_not_begin_plays_nothing(league: League) -> None:
    """With stop true from the start nothing is stored."""
    tournament = _create(league)
    assert not play(league, tournament, jobs=1, stop=lambda: True)
    assert league.store.game_count(tournament.name) == 0


def test_a_killed_worker_is_replaced(
    league: League,
    expected: list[object],
    processes_of: Callable[[Path], list[int]],
    eventually: Callable[[Callable[[], bool]], None],
) -> None:
    """Kill -9 of a process that plays a series costs time, but no game and no tournament."""
    tournament = _create(league)
    killed: list[int] = []
    told: list[Progress] = []

    def on_progress(progress: Progress) -> None:
        told.append(progress)
        playing = processes_of(league.folder / "bots")
        workers = [child.pid for child in multiprocessing.active_children()]
        if not killed and playing and workers[0]:
            killed.append(workers[0])
            os.kill(workers[0], signal.SIGKILL)

    assert play(league, tournament, jobs=2, on_progress=on_progress)
    assert killed
    assert told[-1].faults == 1
    assert _log(league, tournament) == expected
    eventually(lambda: processes_of(league.folder / "bots") == [])


def test_workers_make_room_for_fresh_ones(
    league: League, expected: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After some series other processes go on, with no fault and no game lost."""
    monkeypatch.setattr("californiajack_referee.tournament.run.MOST_SERIES", 1)
    tournament = _create(league)
    told: list[Progress] = []
    seen: set[int | None] = set()

    def on_progress(progress: Progress) -> None:
        told.append(progress)
        seen.update(child.pid for child in multiprocessing.active_children())

    assert play(league, tournament, jobs=1, on_progress=on_progress)
    assert len(seen) >= 2  # a worker has taken the next series or two by then
    assert told[-1].faults == told[-1].given_up == 0
    assert _log(league, tournament) == expected


def test_workers_that_always_die_end_the_run(league: League) -> None:
    """After five breakdowns with no result between them the run ends with a message."""
    tournament = _create(league, "slow", "quick")

    def on_progress(_: Progress) -> None:
        for child in multiprocessing.active_children():
            child.kill()

    with pytest.raises(TournamentError, match=f"died {MOST_BREAKDOWNS} times in a row"):
        play(league, tournament, jobs=1, on_progress=on_progress)
    assert play(league, tournament, jobs=1)


def test_a_killed_run_is_taken_up_again(
    league: League,
    expected: list[object],
    processes_of: Callable[[Path], list[int]],
    children_of: Callable[[int], list[int]],
    eventually: Callable[[Callable[[], bool]], None],
) -> None:
    """Kill -9 of the whole run leaves no process, and resuming gives the same log."""
    tournament = _create(league)
    arguments = [sys.executable, "-c", _RUN, str(league.folder), tournament.name, "2"]
    with subprocess.Popen(arguments, stderr=subprocess.DEVNULL) as runner:
        eventually(_some_are_done(league, tournament))
        workers = children_of(runner.pid)
        runner.kill()
    assert len(workers) >= 2
    done = league.store.game_count(tournament.name)
    assert 0 < done < GAMES
    # its workers may still be ending their bots, which is no reason to wait
    assert play(league, tournament, jobs=1)
    assert _log(league, tournament) == expected
    eventually(lambda: processes_of(league.folder / "bots") == [])
    eventually(lambda: not any(map(_is_alive, workers)))


def _is_alive(process: int) -> bool:
    """Whether a process runs; this one adopts those of a killed run, and need not collect them."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return not stat.rpartition(")")[2].startswith(" Z")


def test_ctrl_c_is_left_to_the_run(
    league: League,
    expected: list[object],
    processes_of: Callable[[Path], list[int]],
    children_of: Callable[[int], list[int]],
) -> None:
    """A Ctrl-C that reaches every worker, as in a terminal, disturbs none of them."""
    tournament = _create(league)
    told: list[Progress] = []
    hit: set[int] = set()

    def on_progress(progress: Progress) -> None:
        told.append(progress)
        for child in children_of(os.getpid()):
            os.kill(child, signal.SIGINT)
            hit.add(child)

    assert play(league, tournament, jobs=2, on_progress=on_progress)
    assert len(hit) >= 2
    assert told[-1].faults == 0
    assert _log(league, tournament) == expected
    assert processes_of(league.folder / "bots") == []


def test_a_second_run_at_once_is_refused(league: League, folder: Path) -> None:
    """While one process plays a tournament, a second one can't; it may play another one."""
    tournament = _create(league, "hasty", "quick", pairs=1)
    refused = []

    def on_progress(_: Progress) -> None:
        with League.open(folder) as second:
            try:
                play(second, tournament, jobs=1)
            except BusyError as error:
                refused.append(str(error))

    assert play(league, tournament, jobs=1, on_progress=on_progress)
    assert refused
    assert all("is being played by another process" in words for words in refused)


def test_void_games_are_seen_and_played_again(league: League) -> None:
    """A fault of the platform makes no loser; the games are tried again, now and on resume."""
    tournament = _create(league, "hasty", "quick", pairs=1)
    logs = league.log_folder(tournament.name)
    logs.parent.mkdir(exist_ok=True)
    logs.write_text("a file where a folder has to be")
    told: list[Progress] = []
    assert not play(league, tournament, jobs=1, on_progress=told.append)
    assert told[-1].given_up == 2
    voids = list(league.store.voids(tournament.name))
    assert [game.id.seating for game in voids] == [0, 0, 0, 1, 1, 1]
    assert {game.result.verdict.termination for game in voids} == {Termination.REFEREE_FAULT}
    assert league.store.game_count(tournament.name) == 0
    logs.unlink()
    assert play(league, tournament, jobs=1)
    assert league.store.game_count(tournament.name) == 2


def test_a_run_in_which_nothing_comes_of_anything_ends(league: League) -> None:
    """A lasting fault of the platform ends the run with what went wrong, well before the end."""
    tournament = _create(league, "hasty", "quick", pairs=500)
    league.log_folder(tournament.name).write_text("a file where a folder has to be")
    with pytest.raises(TournamentError, match=r"series in a row came to nothing.*FileExists"):
        play(league, tournament, jobs=1)


def test_a_bot_that_fails_loses_and_the_tournament_goes_on(
    league: League, tmp_path: Path, write_bot: Callable[..., Path]
) -> None:
    """A bot that dies in the middle loses its games with a verdict; all others are played."""
    dies = "os = __import__('os'); 'trial' in os.getcwd() or view.score and os._exit(7)"
    bot = submit(league, write_bot(tmp_path, "dier", before=dies))
    others = [league.store.find_bot(name) for name in ("hasty", "quick")]
    tournament = create(
        league,
        name=next(_NAMES),
        entrants=[bot, *others],
        pairs=2,
        seed=SEED,
        ruleset=Ruleset(target=10),
    )
    assert play(league, tournament, jobs=2)
    for game in league.store.games(tournament.name):
        verdict = game.result.verdict
        assert verdict.winner is not None
        if bot in game.seats:
            assert game.seats[verdict.winner] != bot
            assert verdict.termination is Termination.CRASH
            assert "dier@1" in verdict.words
        else:
            assert verdict.termination is Termination.NORMAL


class _Unlucky(Executor):
    """An executor that loses its first tasks, as a cluster may, and plays the others in threads."""

    def __init__(self, losses: int, error: Exception) -> None:
        self._threads = ThreadPoolExecutor(1)
        self._losses = losses
        self._error = error

    def submit(  # type: ignore[override] # the types of the original are of no use here
        self, task: Callable[..., Any], *arguments: object
    ) -> Future[Any]:
        if self._losses:
            self._losses -= 1
            lost: Future[Any] = Future()
            lost.set_exception(self._error)
            return lost
        return self._threads.submit(task, *arguments)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - as in the original
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)


def test_any_executor_plays_the_same_games(league: League, expected: list[object]) -> None:
    """Series run on an executor of the caller's too, which stays open; losses are played again."""
    tournament = _create(league)
    told: list[Progress] = []
    with _Unlucky(2, RuntimeError("the machine is gone")) as executor:
        assert play(league, tournament, executor=executor, jobs=1, on_progress=told.append)
        assert executor.submit(int).result() == 0
    assert told[-1].faults == 2
    assert _log(league, tournament) == expected
    log = (league.log_folder(tournament.name) / "referee.log").read_text()
    assert log.count("RuntimeError: the machine is gone") == 2


class _Noting(ThreadPoolExecutor):
    """An executor that plays in a thread, and notes what it is given."""

    def __init__(self) -> None:
        super().__init__(1)
        self.orders: list[SeriesOrder] = []

    def submit(  # type: ignore[override] # the types of the original are of no use here
        self, task: Callable[[SeriesOrder], SeriesResult], order: SeriesOrder
    ) -> Future[SeriesResult]:
        self.orders.append(order)
        return super().submit(task, order)


@pytest.mark.parametrize(
    ("jobs", "there_are", "one_each"), [(6, 6, True), (7, 6, True), (5, 6, False), (7, 7, False)]
)
def test_series_keep_to_a_processor_where_they_fill_them(
    league: League,
    monkeypatch: pytest.MonkeyPatch,
    jobs: int,
    there_are: int,
    one_each: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """There are six series: where that is as many as processors, with jobs enough, they do."""
    monkeypatch.setattr("californiajack_referee.tournament.run.processors", lambda: there_are)
    tournament = _create(league, pairs=1)
    with _Noting() as executor:
        assert play(league, tournament, executor=executor, jobs=jobs)
    assert [order.one_processor for order in executor.orders] == [one_each] * 6


def test_a_broken_executor_of_the_callers_ends_the_run(league: League) -> None:
    """It can't be replaced here, and the message says so."""
    tournament = _create(league, "hasty", "quick", pairs=1)
    with ThreadPoolExecutor(1, initializer=lambda: 1 / 0) as executor:
        assert isinstance(executor.submit(int).exception(), BrokenExecutor)
        with pytest.raises(TournamentError, match=r"the executor .* has broken down"):
            play(league, tournament, executor=executor, jobs=1)


def test_what_a_tournament_needs_is_checked_first(league: League) -> None:
    """Wrong numbers, names and entrants are refused in words, and nothing is stored."""
    hasty, quick, slow = map(league.store.find_bot, ("hasty", "quick", "slow"))
    before = league.store.tournaments()
    good: dict[str, Any] = {"name": "good", "entrants": [hasty, quick], "pairs": 1}
    for wrong, words in (
        ({"name": ""}, "tournament name: expected"),
        ({"name": "../up"}, "tournament name: expected"),
        ({"name": "a/b"}, "tournament name: expected"),
        ({"name": before[0].name}, "there is a tournament"),
        ({"entrants": [hasty]}, "bots: expected 2 or more, got hasty@1"),
        ({"entrants": []}, "got none"),
        ({"entrants": [slow, hasty, slow]}, "got slow@1 more than once"),
        ({"pairs": 0}, "pairs: expected a number from 1"),
        ({"seed": b"short"}, "seed: expected 16 to 64 bytes"),
        ({"limits": Limits(move_seconds=0)}, "move seconds: expected a number from 0.001"),
        ({"limits": Limits(bank_seconds=float("nan"))}, "bank seconds: expected"),
        ({"limits": Limits(game_seconds=-1)}, "game seconds: expected a number from 0"),
    ):
        with pytest.raises(InputError, match=words):
            create(league, **{**good, **wrong})
    assert league.store.tournaments() == before
    for numbers in ({"jobs": 0}, {"games_at_once": 0}, {"games_at_once": 1025}):
        with pytest.raises(InputError, match="expected a number from 1"):
            play(league, before[0], **numbers)  # type: ignore[arg-type]


def test_a_seed_is_drawn_where_none_is_given(league: League) -> None:
    """Two tournaments with no seed given have different ones, of 16 bytes."""
    seeds = [
        create(league, name=next(_NAMES), entrants=league.store.bots(), pairs=1).seed
        for _ in range(2)
    ]
    assert [len(seed) for seed in seeds] == [16, 16]
    assert seeds[0] != seeds[1]
