"""One game of a bot that runs in the person's terminal, with its clocks off."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from californiajack import CARDS
from californiajack.cards import format_cards
from californiajack_referee.play.launch import BotProcess
from californiajack_referee.play.series import run_series
from californiajack_referee.play.server import SeatServer
from californiajack_referee.play.sitting import Sitting
from californiajack_referee.play.table import Player, Table, TableOrder
from californiajack_referee.play.wire import describe
from californiajack_referee.values import Layer, Limits, SeriesOrder

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Callable
    from pathlib import Path

    from californiajack import GameEnd, Ruleset
    from californiajack.observation import Observation, RoundOpening, RoundSummary
    from californiajack_referee.play.session import Session
    from californiajack_referee.play.slots import Slots
    from californiajack_referee.values import BotProgram, GameResult
    from californiajack_referee.workbench.start import DebugOrder

_DAY_SECONDS = 86_400.0
LIMITS = Limits(
    start_seconds=_DAY_SECONDS,
    ready_seconds=_DAY_SECONDS,
    move_seconds=_DAY_SECONDS,
    shutdown_seconds=5.0,
    game_seconds=0.0,
)
"""A day for everything: nobody debugs for longer."""


def debug(order: DebugOrder, tell: Callable[[str], None]) -> GameResult | None:
    """Plays the game.

    Args:
        order: the game.
        tell: is told each of the bot's turns, before it is asked, and what it plays.

    Returns:
        The game; None where the referee was stopped before there was a result.
    """
    start = order.start
    seats = (order.opponent, order.bot) if start.seat else (order.bot, order.opponent)
    result = run_series(
        SeriesOrder(
            tournament="debug",
            pairing=0,
            seating=start.seat,
            seats=seats,
            deals=(start.deal,),
            seed=start.seed,
            ruleset=start.ruleset,
            limits=LIMITS,
            games_at_once=1,
            layer=order.layer,
            budget_seconds=_DAY_SECONDS,
        ),
        sit=partial(_DebugSitting, order, tell),
    )
    return next(iter(result.games), None)


def turn_line(seen: Observation) -> str:
    """Says in one line what a bot is asked; rounds and tricks are counted from 1."""
    task = "to lead" if seen.led is None else f"to follow {CARDS[seen.led]}"
    top = "" if seen.stock_top is None else f", stock top {CARDS[seen.stock_top]}"
    return (
        f"round {seen.round_number + 1}, trick {len(seen.history) // 2 + 1}: {task}, "
        f"trump {CARDS[seen.trump_card].suit.name.lower()}{top}, hand {format_cards(seen.hand)}, "
        f"legal {format_cards(seen.legal)}"
    )


class _DebugSitting(Sitting):
    """A sitting whose bot runs in the terminal."""

    def __init__(  # noqa: PLR0913, PLR0917 - those of a sitting, after its own
        self,
        debugged: DebugOrder,
        tell: Callable[[str], None],
        order: SeriesOrder,
        deals: deque[int],
        until: float | None,
        stop: Callable[[], bool],
        slots: Slots | None = None,
    ) -> None:
        super().__init__(order, deals, until, stop, slots)
        self._debugged = debugged
        self._tell = tell

    def _make_server(self, session: Session, socket: Path) -> SeatServer:
        mine = session.seat == self._debugged.start.seat
        tap = self._show if mine and self._debugged.wire else None
        return SeatServer(session, socket, self._sessions, patient=mine, tap=tap)

    def _show(self, way: str, data: bytes) -> None:
        self._tell(f"{'bot →' if way == 'from' else '→ bot'} {describe(way, data)}")

    async def _start_process(
        self, seat: int, program: BotProgram, *, address: str, token: str, home: Path
    ) -> BotProcess:
        if seat != self._debugged.start.seat:
            return await super()._start_process(
                seat, program, address=address, token=token, home=home
            )
        return await BotProcess.start(
            program,
            address=address,
            token=token,
            home=home,
            log=None,
            layer=Layer.NONE,
            on_terminal=True,
        )

    def _lay_table(self, order: TableOrder) -> Table:
        seats: list[Player] = list(self._sessions)
        seats[self._debugged.start.seat] = _Shown(
            self._sessions[self._debugged.start.seat], self._tell
        )
        return _DebugTable(order, (seats[0], seats[1]), self._ended, self._debugged, self._tell)


class _DebugTable(Table):
    """A table at which some cards have been played already."""

    __slots__ = ("_debugged", "_tell")

    def __init__(
        self,
        order: TableOrder,
        players: tuple[Player, Player],
        on_end: Callable[[Table], None],
        debugged: DebugOrder,
        tell: Callable[[str], None],
    ) -> None:
        super().__init__(order, players, on_end)
        self._debugged = debugged
        self._tell = tell

    def start(self) -> None:
        """Tells both seats, deals, plays what has been played, and asks for the next card."""
        self._open()
        for card in self._debugged.start.before:
            if self._game.play(card):
                self._tell_round_end()
        self._advance()

    def answer(self, seat: int, card: int, charged: float) -> None:
        """Takes an answer, and tells the bot's."""
        if seat == self._debugged.start.seat:
            name = str(CARDS[card]) if card < len(CARDS) else f"the number {card}"
            self._tell(f"  plays {name}")
        super().answer(seat, card, charged)


class _Shown:
    """A seat whose turns are told before the bot is asked."""

    def __init__(self, session: Session, tell: Callable[[str], None]) -> None:
        self._session = session
        self._tell = tell

    def game_start(self, table: Table, ruleset: Ruleset, first_dealer: int, bot_seed: int) -> None:
        self._session.game_start(table, ruleset, first_dealer, bot_seed)

    def round_start(self, game: int, seen: RoundOpening) -> None:
        self._session.round_start(game, seen)

    def turn(self, table: Table, seen: Observation) -> None:
        self._tell(turn_line(seen))
        self._session.turn(table, seen)

    def round_end(self, game: int, seen: RoundSummary) -> None:
        self._tell(
            f"round {seen.round_number + 1} ended: {seen.points} to {seen.opponent_points} points, "
            f"score {seen.score} to {seen.opponent_score}"
        )
        self._session.round_end(game, seen)

    def game_end(self, table: Table, end: GameEnd) -> None:
        self._session.game_end(table, end)
