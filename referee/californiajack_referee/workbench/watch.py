"""A series looked at from close by: what one of its bots takes, uses and does besides playing."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from californiajack_referee.play.sitting import Sitting, SittingEnd
from californiajack_referee.play.table import Player, Table, TableOrder

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Callable

    from californiajack_referee.play.slots import Slots
    from californiajack_referee.values import SeriesOrder

_LOOK_SECONDS = 0.1


@dataclass(slots=True)
class Watch:
    """What has been seen of one seat's bot in a series."""

    seat: int
    """The seat."""
    charges: list[float] = field(default_factory=list)
    """What each of its cards was charged, in seconds."""
    cards: dict[int, int] = field(default_factory=dict)
    """The last card it answered with, legal or not, by deal."""
    max_games: int = 0
    """How many games it is ready to play at once."""
    most_at_once: int = 0
    """How many games were in play at once at most."""
    exits: list[int | None] = field(default_factory=list)
    """The exit status after each farewell; None where it had to be killed."""
    peak_mib: float = 0.0
    """The most memory that was seen in use, in MiB."""
    failed: bool = False
    """Whether its process failed, and lost all games in play by that."""


class WatchedTable(Table):
    """A table that notes what one seat answers, and how long it takes."""

    __slots__ = ("_deal", "_watch")

    def __init__(
        self,
        order: TableOrder,
        players: tuple[Player, Player],
        on_end: Callable[[Table], None],
        watch: Watch,
    ) -> None:
        """Lays the table; the arguments before the watch are those of `Table`."""
        super().__init__(order, players, on_end)
        self._watch = watch
        self._deal = order.deal

    def answer(self, seat: int, card: int, charged: float) -> None:
        """Takes an answer, and notes it."""
        if seat == self._watch.seat:
            self._watch.charges.append(charged)
            self._watch.cards[self._deal] = card
        super().answer(seat, card, charged)

    def time_out(self, seat: int, waited: float) -> None:
        """Ends the game for lateness, and notes how late it was."""
        if seat == self._watch.seat:
            self._watch.charges.append(waited)
        super().time_out(seat, waited)


class WatchedSitting(Sitting):
    """A sitting that notes what there is to be seen of one seat's bot."""

    def __init__(  # noqa: PLR0913, PLR0917 - those of a sitting, after the watch
        self,
        watch: Watch,
        order: SeriesOrder,
        deals: deque[int],
        until: float | None,
        stop: Callable[[], bool],
        slots: Slots | None = None,
    ) -> None:
        """Prepares a sitting; the arguments after the watch are those of `Sitting`."""
        super().__init__(order, deals, until, stop, slots)
        self._watch_of = watch

    async def play(self) -> SittingEnd:
        """Plays, and notes how it ended."""
        end = await super().play()
        watch = self._watch_of
        watch.most_at_once = max(watch.most_at_once, self._most)
        if len(self._sessions) > watch.seat:
            watch.max_games = max(watch.max_games, self._sessions[watch.seat].max_games)
        watch.failed = watch.failed or (end.failure is not None and end.failure.seat == watch.seat)
        return end

    async def _run(self) -> None:
        looks = asyncio.create_task(self._keep_looking())
        try:
            await super()._run()
        finally:
            looks.cancel()
            await asyncio.gather(looks, return_exceptions=True)

    async def _leave(self) -> None:
        await self._look()
        await super()._leave()
        if self.end.failure is None and not self._stop():
            exited = self._processes[self._watch_of.seat].exited
            self._watch_of.exits.append(exited.result() if exited.done() else None)

    def _lay_table(self, order: TableOrder) -> Table:
        return WatchedTable(
            order, (self._sessions[0], self._sessions[1]), self._ended, self._watch_of
        )

    async def _keep_looking(self) -> None:
        while True:
            await self._look()
            await asyncio.sleep(_LOOK_SECONDS)

    async def _look(self) -> None:
        # not in the event loop, which keeps the clock
        used = await asyncio.to_thread(self._processes[self._watch_of.seat].memory_mib)
        self._watch_of.peak_mib = max(self._watch_of.peak_mib, used)
