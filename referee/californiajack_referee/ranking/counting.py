"""Counting a league's results from the last checkpoint that still holds.

A checkpoint is what had been counted up to some pair in canonical order. Results are only ever
added, so it holds as long as there are as many games up to that pair as it has counted: one game
more, wherever it landed, and it is passed over. So what is counted is always what counting from the
first game gives, to the last bit, in whatever order the games came in.
"""

from __future__ import annotations

from dataclasses import astuple
from typing import TYPE_CHECKING, Protocol

from californiajack_referee.league.stored import Checkpoint
from californiajack_referee.ranking.tally import FORMAT, Tally
from californiajack_referee.ranking.update import PACKAGE_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from californiajack_referee.league.stored import Outcome, Pair, RatingSettings

SPACING = 8192
"""Games from a checkpoint to the next one at least: they take some hundredths of a second."""
_GAMES_A_STEP = 20_000


class Results(Protocol):
    """Results in canonical order, with checkpoints; a league's own are its `ResultLog`."""

    def reading(self) -> AbstractContextManager[None]:
        """Sees all as it is now for as long as it lasts."""

    def count(self, after: Pair | None = None, upto: Pair | None = None) -> int:
        """Counts the games after a pair, up to and including another one."""

    def outcomes(self, after: Pair | None = None) -> Iterator[Outcome]:
        """Gives the games after a pair, in canonical order."""

    def labels(self) -> dict[int, str]:
        """Gives the labels of all bots by their numbers."""

    def ends(self) -> list[tuple[Pair, int]]:
        """Gives each tournament's last pair that has a game, and how many games there are to it."""

    def checkpoint_places(self, basis: str) -> list[tuple[Pair, int]]:
        """Gives where checkpoints stand, in order, with the games they count."""

    def checkpoint(self, basis: str, pair: Pair) -> Checkpoint | None:
        """Gives the checkpoint after a pair; None where there is none, or a damaged one."""

    def keep(self, basis: str, after: Pair | None, checkpoints: Sequence[Checkpoint]) -> bool:
        """Puts checkpoints in the place of all that stand after a pair, if that can be."""


def basis_of(settings: RatingSettings) -> str:
    """Names all that a tally depends on besides the games: with another basis none holds."""
    return f"{FORMAT} {PACKAGE_VERSION} {astuple(settings)}"


def count_results(
    results: Results,
    settings: RatingSettings,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
    spacing: int = SPACING,
    beside: Callable[[], None] = lambda: None,
) -> Tally:
    """Counts all results, those before the last checkpoint that holds by it alone.

    Checkpoints are added where they are missing, if they can be written.

    Args:
        results: the games, with their checkpoints.
        settings: the parameters of TrueSkill.
        on_progress: called now and then with the games that were counted and those to count.
        spacing: games from a checkpoint to the next one at least; one at the end of a tournament
            comes sooner.
        beside: reads what else is to be of the same moment.
    """
    basis = basis_of(settings)
    with results.reading():
        total = results.count()
        start, tally = _last_that_holds(results, basis, settings, total)
        walk = _Walk(results, start, tally, total, spacing)
        walk.go(on_progress)
        beside()
    walk.keep(basis)
    return tally


def count_by_tournament(
    results: Results,
    settings: RatingSettings,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
    spacing: int = SPACING,
) -> Iterator[tuple[int, Tally]]:
    """Gives what was counted by the end of each tournament that has a game, in canonical order.

    A tournament's end is taken from its checkpoint where that and those before it hold; the rest is
    counted as `count_results` does it, with the same arguments.

    Yields:
        A tournament's number and the tally, which is good until the next one is asked for.
    """
    basis = basis_of(settings)
    with results.reading():
        ends = results.ends()
        total = ends[-1][1] if ends else 0
        start: Pair | None = None
        tally = Tally(settings)
        for pair, games in ends:
            found = _holding(results, basis, settings, pair, games)
            if found is None:
                break
            start, tally = pair, found
            yield pair[0], tally
        further, more = _last_that_holds(results, basis, settings, total)
        missing = next((pair for pair, games in ends if games > tally.games), None)
        # one within the first tournament whose end is missing
        if further is not None and missing is not None and further[0] == missing[0]:
            start, tally = further, more
        walk = _Walk(results, start, tally, total, spacing)
        yield from walk.tournaments(on_progress)
    walk.keep(basis)


class _Walk:
    """Counting on from some pair, with the checkpoints that are made on the way."""

    def __init__(
        self, results: Results, start: Pair | None, tally: Tally, total: int, spacing: int
    ) -> None:
        self._results = results
        self._start = start
        self._tally = tally
        self._before = tally.games
        self._total = total
        self._spacing = spacing
        self._made: list[Checkpoint] = []

    def go(self, on_progress: Callable[[int, int], None]) -> None:
        """Counts to the end."""
        for _ in self.tournaments(on_progress):
            pass

    def tournaments(self, on_progress: Callable[[int, int], None]) -> Iterator[tuple[int, Tally]]:
        """Counts to the end, stopping at the end of each tournament of which a game was counted."""
        tally, spacing, to_count = self._tally, self._spacing, self._total - self._before
        last, kept, told = self._start, tally.games, tally.games
        tournament = last[0] if last is not None else 0
        for pair, winner, loser, fault in self._results.outcomes(last):
            ends = pair[0] != tournament and tally.games > self._before
            if ends or (tally.games >= kept + spacing and pair != last):
                if last is not None and tally.games > kept:
                    self._made.append(Checkpoint(last, tally.games, tally.pack()))
                    kept = tally.games
                if ends:
                    yield tournament, tally
            tournament = pair[0]
            if tally.games >= told + _GAMES_A_STEP:
                told = tally.games
                on_progress(to_count - (self._total - told), to_count)
            tally.add(pair, winner, loser, fault=fault)
            last = pair
        if tally.games > self._before:
            yield tournament, tally

    def keep(self, basis: str) -> None:
        """Stores the checkpoints, where that saves more than it costs."""
        if self._made and self._tally.games >= self._before + self._spacing:
            self._results.keep(basis, self._start, self._made)


def _holding(
    results: Results, basis: str, settings: RatingSettings, pair: Pair, games: int
) -> Tally | None:
    """Gives the tally of the checkpoint after a pair if it counts so many games; else None."""
    found = results.checkpoint(basis, pair)
    if found is None:
        return None
    try:
        tally = Tally.unpack(found.tally, settings)
    except ValueError:
        return None
    known = results.labels().keys()
    return tally if tally.games == found.games == games and tally.lines.keys() <= known else None


def _last_that_holds(
    results: Results, basis: str, settings: RatingSettings, total: int
) -> tuple[Pair | None, Tally]:
    """Finds the last checkpoint that holds; an empty tally before the first game if none does."""
    before = total
    behind: Pair | None = None
    for pair, games in reversed(results.checkpoint_places(basis)):
        before -= results.count(pair, behind)
        behind = pair
        # no count is above the games there are, and where it is equal, they are the same games
        if games != before:
            continue
        tally = _holding(results, basis, settings, pair, games)
        if tally is not None:
            return pair, tally
    return None, Tally(settings)
