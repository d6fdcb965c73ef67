"""One run of a tournament: series go out to an executor, results come back into the store."""

from __future__ import annotations

import time
import traceback
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, wait
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from californiajack import CaliforniaJackError
from californiajack_referee.formats.course import course_of
from californiajack_referee.league.errors import NoSpaceError
from californiajack_referee.play.series import run_series
from californiajack_referee.sandbox.processors import processors
from californiajack_referee.schedule import blocks_to_play, pairings, seated
from californiajack_referee.tournament.plan import Plan
from californiajack_referee.tournament.progress import Progress
from californiajack_referee.tournament.workers import Workers
from californiajack_referee.values import SeriesOrder

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor, Future

    from californiajack_referee.league.folder import League
    from californiajack_referee.league.stored import StoredTournament
    from californiajack_referee.schedule import Block
    from californiajack_referee.values import GameResult, Layer, Resources, SeriesResult

MOST_BREAKDOWNS = 5
"""How often in a row, with no result between, the pool of workers may die."""
MOST_FRUITLESS = 25
"""How many series in a row may come to nothing before the run ends: no bot is to blame for it."""
MOST_SERIES = 200
"""How many series a worker plays before a fresh one goes on, so that nothing can pile up in it."""
_AHEAD = 2
"""Series beyond those in full play: one gets ready or ends, and one waits for a worker."""
_TICK_SECONDS = 0.2
_SHORTEST_SERIES_SECONDS = 2.0
_LONGEST_SERIES_SECONDS = 10.0


class TournamentError(CaliforniaJackError):
    """A tournament can't go on now; its finished games are stored."""


class Crew(Protocol):
    """Who plays series."""

    def submit(self, order: SeriesOrder) -> Future[SeriesResult]:
        """Has a series played."""

    def ask_stop(self) -> None:
        """Asks for the series under way to be cut short."""

    def close(self) -> None:
        """Ends what was started."""


class Borrowed:
    """An executor of the caller's as a crew: it is neither stopped nor closed."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def submit(self, order: SeriesOrder) -> Future[SeriesResult]:
        """Has a series played, from its beginning to its end."""
        return self._executor.submit(run_series, order)

    def ask_stop(self) -> None:
        """Does nothing: a series far away ends when its time budget is used up."""

    def close(self) -> None:
        """Does nothing."""


class Run:
    """One run of a tournament, which the caller holds for this process."""

    def __init__(  # noqa: PLR0913 - all but two by keyword
        self,
        league: League,
        tournament: StoredTournament,
        *,
        executor: Executor | None,
        jobs: int,
        games_at_once: int,
        layer: Layer,
        resources: Resources,
    ) -> None:
        self._league = league
        self._tournament = tournament
        self._executor = executor
        self._jobs = jobs
        self._games_at_once = games_at_once
        self._layer = layer
        self._resources = resources
        league.store.check()
        self._programs = [league.program_of(bot) for bot in tournament.entrants]
        self._pairings = pairings(len(tournament.entrants))
        self._out: dict[Future[SeriesResult], Block] = {}
        self._done = league.store.game_count(tournament.name)
        self._course = course_of(tournament)
        self._note = ""
        self._go_on()
        self._plan = Plan(self._blocks())
        self._wins = league.store.win_counts(tournament.name)
        self._played = 0
        self._brought = 0
        self._faults = 0
        self._breakdowns = 0
        self._fruitless = 0
        self._began = time.monotonic()

    def play(self, on_progress: Callable[[Progress], None], stop: Callable[[], bool]) -> bool:
        """Plays what is missing, as `californiajack_referee.tournament.tournament.play` tells."""
        stopping = False
        on_progress(self._progress())
        while not stopping and self._play_with_a_crew(on_progress, stop):
            stopping = stop()
        self._go_on()  # where it was stopped just when a stage was complete
        on_progress(self._progress())
        return self._course.over

    def _go_on(self) -> bool:
        """Goes on to the next stage if the one before is complete; tells whether there is one."""
        if self._done < self._course.games:
            return False
        if self._course.has_one_stage:  # its games needn't be read to know
            self._course.end()
            return False
        return (
            self._course.go_on(self._league.store.pairs_played(self._tournament.name)) is not None
        )

    def _blocks(self) -> list[Block]:
        """Gives what is missing of the stage that is being played."""
        if self._course.over:
            return []
        finished = self._league.store.finished_deals(self._tournament.name)
        return blocks_to_play(self._course.stages[-1].deals, finished)

    def _play_with_a_crew(
        self, on_progress: Callable[[Progress], None], stop: Callable[[], bool]
    ) -> bool:
        """Plays until all is done, it is to stop, or the crew breaks down.

        Returns:
            Whether a new crew is to go on.

        Raises:
            TournamentError: a crew broke down once too often.
        """
        slots = self._league.slots_folder(self._tournament.name)
        crew = Workers(self._jobs, slots) if self._executor is None else Borrowed(self._executor)
        fresh_after = self._brought + MOST_SERIES * self._jobs
        try:
            while not stop():
                if self._executor is None and self._brought >= fresh_after:
                    self._bring_in(on_progress)
                    return True
                if not self._send_out(crew):
                    self._bring_in(on_progress)
                    self._count_breakdown()
                    return True
                if not self._out:
                    if not self._go_on():
                        return False
                    self._plan.add(self._blocks())
                    continue
                self._collect()
                on_progress(self._progress())
            crew.ask_stop()
            self._bring_in(on_progress)
        finally:
            self._drop(crew)
        return False

    def _send_out(self, crew: Crew) -> bool:
        """Keeps the crew in work; gives false where the crew has broken down."""
        while len(self._out) < self._jobs + _AHEAD:
            block = self._plan.take()
            if block is None:
                break
            try:
                self._out[crew.submit(self._order(block))] = block
            except BrokenExecutor:
                self._plan.put_back(block)
                return False
        return True

    def _order(self, block: Block) -> SeriesOrder:
        leg = block.leg
        first, second = seated(self._pairings[leg.pairing], leg.seating)
        seats = (self._programs[first], self._programs[second])
        return SeriesOrder(
            tournament=self._tournament.name,
            pairing=leg.pairing,
            seating=leg.seating,
            seats=seats,
            deals=block.deals,
            seed=self._tournament.seed,
            ruleset=self._tournament.ruleset,
            limits=self._tournament.limits,
            games_at_once=self._games_at_once,
            log_folder=str(self._league.log_folder(self._tournament.name)),
            layer=self._layer,
            resources=self._resources,
            budget_seconds=self._budget_seconds(),
            one_processor=self._fills_the_processors(),
        )

    def _fills_the_processors(self) -> bool:
        """Tells whether, with the next series, as many are played at once as there are processors.

        Then each keeps to one. Where there are fewer, or too few left, they run anywhere.
        """
        at_once = min(self._jobs, len(self._out) + 1 + len(self._plan))
        return at_once == processors()

    def _budget_seconds(self) -> float:
        """Gives how long the next series may begin new games.

        Short at first, so that there is something to see and little to lose; then about as long as
        the tournament has lasted, as every series costs the start of two processes. Towards the
        end, where several are played at once, shorter than what is left, so that they end together.
        """
        seconds = elapsed = time.monotonic() - self._began
        if self._jobs > 1 and self._played:
            left = (self._course.games - self._done) * elapsed / self._played
            seconds = min(seconds, left * 0.75)
        return min(max(seconds, _SHORTEST_SERIES_SECONDS), _LONGEST_SERIES_SECONDS)

    def _collect(self) -> None:
        """Takes in what is finished; waits a little where nothing is."""
        done, _ = wait(self._out, timeout=_TICK_SECONDS, return_when=FIRST_COMPLETED)
        self._brought += len(done)
        for future in done:
            self._take_in(future, self._out.pop(future))

    def _take_in(self, future: Future[SeriesResult], block: Block) -> None:
        try:
            games = future.result().games
        except (BrokenExecutor, CancelledError):
            # the next series sent out will tell whether the crew has broken down
            self._plan.put_back(block)
        except Exception as error:  # noqa: BLE001 - whatever it is, the tournament goes on
            self._log_fault(block, error)
            self._plan.fail(block)
            self._count_fruitless(f"{type(error).__name__}: {error}")
        else:
            self._store(block, games)

    def _store(self, block: Block, games: tuple[GameResult, ...]) -> None:
        leg = block.leg
        name = self._tournament.name
        try:
            self._league.store.add_results(name, leg.pairing, leg.seating, games)
        except NoSpaceError as error:
            raise TournamentError(
                f"no space left for the results, in {self._league.folder}; what was stored before "
                f"is whole: free some, then go on: caljack tournament resume {name}"
            ) from error
        self._plan.settle(block, games)
        places = seated(self._pairings[leg.pairing], leg.seating)
        winners = [game.verdict.winner for game in games if game.verdict.winner is not None]
        for winner in winners:
            self._wins[self._programs[places[winner]].name] += 1
        self._done += len(winners)
        self._played += len(winners)
        if winners:
            self._breakdowns = self._fruitless = 0
            self._take_note()
        elif games:
            self._count_fruitless(games[-1].verdict.words)

    def _take_note(self) -> None:
        if self._course.makes_notes:
            self._note = self._course.note(self._league.store.pairs_played(self._tournament.name))

    def _bring_in(self, on_progress: Callable[[Progress], None]) -> None:
        """Takes in all that is out; what has not begun does not begin any more."""
        for future in self._out:
            future.cancel()
        while self._out:
            self._collect()
            on_progress(self._progress())

    def _drop(self, crew: Crew) -> None:
        for future in self._out:
            future.cancel()
        if self._out:
            crew.ask_stop()
        crew.close()

    def _count_breakdown(self) -> None:
        self._faults += 1
        self._breakdowns += 1
        if self._executor is not None:
            raise TournamentError(
                "the executor that plays the series has broken down; what is finished is stored: "
                f"make a new one and go on with {self._tournament.name}"
            )
        if self._breakdowns >= MOST_BREAKDOWNS:
            raise TournamentError(
                f"the processes that play the series died {self._breakdowns} times in a row "
                "(killed, or out of memory?); what is finished is stored: find the cause, then go "
                f"on: caljack tournament resume {self._tournament.name}"
            )

    def _count_fruitless(self, words: str) -> None:
        self._fruitless += 1
        if self._fruitless >= MOST_FRUITLESS:
            raise TournamentError(
                f"{self._fruitless} series in a row came to nothing, by no fault of the bots; the "
                f"last one: {words.rstrip('.')}. What is finished is stored: find the cause, then "
                f"go on: caljack tournament resume {self._tournament.name}"
            )

    def _log_fault(self, block: Block, error: Exception) -> None:
        self._faults += 1
        folder = self._league.log_folder(self._tournament.name)
        heading = (
            f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} pairing {block.leg.pairing} seating "
            f"{block.leg.seating}, {len(block.deals)} deals from {block.deals[0]} on: a series "
            "came to nothing\n"
        )
        # a log that can't be written is no reason to stop: the fault is counted, and told
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / "referee.log").open("a", encoding="utf-8") as log:
                log.writelines([heading, *traceback.format_exception(error)])

    def _progress(self) -> Progress:
        return Progress(
            done=self._done,
            total=self._course.total,
            played=self._played,
            seconds=time.monotonic() - self._began,
            wins=dict(self._wins),
            given_up=self._plan.given_up,
            faults=self._faults,
            may_end_early=self._course.may_end_early,
            stage="" if self._course.has_one_stage else self._course.stages[-1].name,
            note=self._note,
        )
