"""How what takes long is shown: a bar on a terminal; of a tournament, plain lines elsewhere."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from californiajack_referee.cli.output import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from californiajack_referee.tournament.progress import Progress

_SECONDS_BETWEEN_LINES = 5.0
_MINUTE = 60
_HOUR = 3600


def format_pace(progress: Progress) -> str:
    """Says how fast games are played, how long the rest will take, and how it stands."""
    parts = []
    if progress.played:
        parts.append(f"{progress.games_a_second:.1f} games/s")
    if progress.seconds_left:
        most = "at most " if progress.may_end_early else ""
        parts.append(f"{most}{format_seconds(progress.seconds_left)} left")
    if progress.note or progress.stage:
        parts.append(progress.note or progress.stage)
    elif progress.leader is not None:
        parts.append(f"{progress.leader} leads")
    return ", ".join(parts)


def format_seconds(seconds: float) -> str:
    """Writes a duration as short as it is clear: ``42 s``, ``3 min``, ``2 h 05 min``."""
    if seconds < 2 * _MINUTE:
        return f"{seconds:.0f} s"
    if seconds < 2 * _HOUR:
        return f"{seconds / _MINUTE:.0f} min"
    hours, rest = divmod(round(seconds / _MINUTE), _MINUTE)
    return f"{hours} h {rest:02} min"


@contextmanager
def shown() -> Iterator[Callable[[Progress], None]]:
    """Shows a tournament's progress on standard error while it lasts.

    Yields:
        What is to be called with every progress.
    """
    if sys.stderr.isatty():
        with _bar() as show:
            yield show
    else:
        yield _lines()


@contextmanager
def _bar() -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("games"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[pace]}"),
    )
    with Bar(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("games", total=None, pace="starting the bots")

        def show(progress: Progress) -> None:
            pace = format_pace(progress) if progress.played else "starting the bots"
            bar.update(task, total=progress.total, completed=progress.done, pace=pace)

        yield show


@contextmanager
def rating_shown() -> Iterator[Callable[[int, int], None]]:
    """Shows on a terminal, on standard error, how many of a league's games are rated.

    The bar appears with the first call, so that few games, which take no time, show none.

    Yields:
        What is to be called now and then with the games that are rated and those to rate.
    """
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("rating games"), BarColumn(bar_width=24), MofNCompleteColumn())
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("games", total=None)

    def show(done: int, total: int) -> None:
        bar.update(task, total=total, completed=done)
        bar.start()

    try:
        yield show
    finally:
        bar.stop()


def _lines() -> Callable[[Progress], None]:
    told_at = 0.0
    told_done = 0

    def show(progress: Progress) -> None:
        nonlocal told_at, told_done
        due = progress.seconds - told_at >= _SECONDS_BETWEEN_LINES
        last = progress.done == progress.total
        if progress.done == told_done or not (due or last):
            return
        told_at, told_done = progress.seconds, progress.done
        most = "at most " if progress.may_end_early else ""
        say(f"{progress.done} of {most}{progress.total} games, {format_pace(progress)}")

    return show
