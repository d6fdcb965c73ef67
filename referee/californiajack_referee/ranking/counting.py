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
) -> Tally:
    """Counts all results, those before the last checkpoint that holds by it alone.

    Checkpoints are added where they are missing, if they can be written.

    Args:
        results: the games, with their checkpoints.
        settings: the parameters of TrueSkill.
        on_progress: called now and then with the games that were counted and those to count.
        spacing: games from a checkpoint to the next one at least.
    """
    basis = basis_of(settings)
    with results.reading():
        total = results.count()
        start, tally = _last_that_holds(results, basis, settings, total)
        to_count = total - tally.games
        made: list[Checkpoint] = []
        last, kept, told = start, tally.games, tally.games
        for pair, winner, loser, fault in results.outcomes(start):
            if tally.games >= kept + spacing and pair != last and last is not None:
                made.append(Checkpoint(last, tally.games, tally.pack()))
                kept = tally.games
            if tally.games >= told + _GAMES_A_STEP:
                told = tally.games
                on_progress(to_count - (total - told), to_count)
            tally.add(pair, winner, loser, fault=fault)
            last = pair
    if made:
        results.keep(basis, start, made)
    return tally


def _last_that_holds(
    results: Results, basis: str, settings: RatingSettings, total: int
) -> tuple[Pair | None, Tally]:
    """Finds the last checkpoint that holds; an empty tally before the first game if none does."""
    known = results.labels().keys()
    before = total
    behind: Pair | None = None
    for pair, games in reversed(results.checkpoint_places(basis)):
        before -= results.count(pair, behind)
        behind = pair
        # no count is above the games there are, and where it is equal, they are the same games
        if games != before:
            continue
        found = results.checkpoint(basis, pair)
        if found is None:
            continue
        try:
            tally = Tally.unpack(found.tally, settings)
        except ValueError:
            continue
        if tally.games == games and tally.lines.keys() <= known:
            return pair, tally
    return None, Tally(settings)
