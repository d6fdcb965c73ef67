"""A series: one pairing in one seating over a block of deals, with fresh bot processes."""

from __future__ import annotations

import asyncio
import time
import traceback
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

from californiajack import Termination
from californiajack_referee.play.sitting import Sitting
from californiajack_referee.play.slots import Slots
from californiajack_referee.values import GameResult, SeriesOrder, SeriesResult, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from californiajack_referee.play.faults import Failure

    SitDown = Callable[[SeriesOrder, deque[int], float | None, Callable[[], bool], Slots], Sitting]

MOST_FAILURES = 3
"""A bot whose processes fail this often in a row, without finishing a game, loses the rest."""


def run_series(
    order: SeriesOrder,
    stop: Callable[[], bool] = lambda: False,
    slots: Slots | None = None,
    sit: SitDown = Sitting,
) -> SeriesResult:
    """Plays a series with real bot processes; all that it starts is gone when it returns.

    What a bot does wrong is a verdict in the result and raises nothing. When a process fails, it
    loses the games it has in play, and the others are played by fresh processes.

    Args:
        order: what to play.
        stop: asked about ten times a second; once it gives true, the games in play are dropped and
            what has been finished is returned.
        slots: of which it takes one from its first game to its last few; None for no limit.
        sit: makes the sittings; one of another kind may look at more than the results.

    Returns:
        The games that have ended. Deals that are missing have not been played: the time budget was
        used up, the machine made a whole process late, or the series was stopped.
    """
    slots = slots or Slots()
    try:
        return asyncio.run(_play(order, stop, slots, sit))
    finally:
        slots.give_back()


async def _play(
    order: SeriesOrder, stop: Callable[[], bool], slots: Slots, sit: SitDown
) -> SeriesResult:
    deals = deque(order.deals)
    results: list[GameResult] = []
    until: float | None = None
    failures = [0, 0]
    while deals and not stop() and (until is None or time.monotonic() < until):
        sitting = sit(order, deals, until, stop, slots)
        end = sitting.end
        try:
            await sitting.play()
        except Exception as error:  # noqa: BLE001 - whatever it is, the tournament goes on
            results += end.results
            ended = {game.deal for game in results}
            results += [_referee_fault(d, error) for d in order.deals if d not in ended][:1]
            break
        results += end.results
        until = end.until
        if end.failure is None:
            break
        if end.failure.excuse:
            if not end.results:
                results.append(_excused(order, deals[0], end.failure))
            break
        if any(game.verdict.termination is Termination.NORMAL for game in end.results):
            failures = [0, 0]
        failures[end.failure.seat] += 1
        count = failures[end.failure.seat]
        if end.failure.termination is Termination.NEVER_STARTED or count >= MOST_FAILURES:
            results += [_forfeited(order, deal, end.failure, count) for deal in deals]
            break
    return SeriesResult(
        tuple(
            replace(game, layer=order.layer)
            for game in results
            if game.verdict.termination is not Termination.INTERRUPTED
        )
    )


def _forfeited(order: SeriesOrder, deal: int, failure: Failure, failures: int) -> GameResult:
    """Gives the result of a game that was not begun because a bot keeps failing."""
    words = f"{order.seats[failure.seat].name} {failure.predicate}"
    if failure.termination is not Termination.NEVER_STARTED:
        words += f"; its processes failed {failures} times in a row, so this game was not begun"
    verdict = Verdict(1 - failure.seat, failure.termination, failure.seat, words, failure.detail)
    return GameResult(deal=deal, verdict=verdict, score=(0, 0), plays=b"")


def _excused(order: SeriesOrder, deal: int, failure: Failure) -> GameResult:
    """Gives the void result that tells of a process that the machine kept from starting in time."""
    words = (
        f"{order.seats[failure.seat].name} {failure.predicate}; it was late, but not by its own "
        f"fault: {failure.excuse}"
    )
    verdict = Verdict(None, Termination.REFEREE_FAULT, None, words)
    return GameResult(deal=deal, verdict=verdict, score=(0, 0), plays=b"")


def _referee_fault(deal: int, error: Exception) -> GameResult:
    """Gives the void result that tells of a failure of the referee's own."""
    words = f"The referee failed: {type(error).__name__}: {error}"
    detail = "".join(traceback.format_exception(error))
    verdict = Verdict(None, Termination.REFEREE_FAULT, None, words, detail)
    return GameResult(deal=deal, verdict=verdict, score=(0, 0), plays=b"")
