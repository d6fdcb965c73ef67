"""A bot process's conversation, without I/O: what it may say when, and what its clock shows.

Times are seconds of a monotonic clock, given by the caller.
"""

from __future__ import annotations

import hmac
from enum import Enum
from typing import TYPE_CHECKING

from californiajack import Termination
from californiajack.wire import LONGEST_REASON, PROTOCOL_VERSION
from californiajack_referee.play import wire
from californiajack_referee.play.faults import Failure, FaultReason, ProtocolFaultError, one_line
from californiajack_referee.play.outbox import Outbox
from californiajack_referee.values import MOST_GAMES_AT_ONCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from californiajack import GameEnd, Ruleset
    from californiajack.observation import Observation, RoundOpening, RoundSummary
    from californiajack_referee.play.table import Table
    from californiajack_referee.values import Limits

SHORTEST_GRACE_SECONDS = 1.0
MOST_IDLE_MESSAGES = 1000
"""Messages without effect that a bot may send, besides one for each of its games."""
_SLOW_SECONDS = 0.001
"""A move that takes this long costs more than the message it comes in."""
_PACE_SAMPLE = 8
_PACE_MEMORY = 64
"""How many moves the average of what one takes goes back, about."""


class State(Enum):
    """How far a conversation has come."""

    EXPECTED = "expected"
    """No Hello yet."""
    WELCOMED = "welcomed"
    """Hello has come; Ready has not."""
    PLAYING = "playing"
    """Games are played."""
    LEAVING = "leaving"
    """Farewell has been said."""
    GONE = "gone"
    """Goodbye has come."""


class _Place:
    """The seat at one table, and the turn that waits for its answer there."""

    __slots__ = ("sent", "table", "turn")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.turn = 0
        """Its number; 0 where none waits."""
        self.sent: float | None = None
        """When it was sent; None while it has not been."""


class Session:
    """One seat's bot process: what it is told, and what comes back.

    It is the `Player` of every table that the process sits at.

    Attributes:
        seat: its seat, 0 or 1.
        state: how far the conversation has come.
        max_games: how many games the bot will play at once, from its Hello; 0 before.
        unanswered: how many turns have been sent and not been answered.
        on_output: called when there is something to send.
        on_ready: called when Ready has come.
        excuse: called when the bot is late, with the time since which it was waited for and the
            time now; tells what the machine did to make it late, or nothing.
        ready: whether Ready has come.
        refusal: what was wrong with a Hello that was refused, for the verdict; else empty.
    """

    def __init__(self, seat: int, token: str, limits: Limits, started: float) -> None:
        """Starts the start-up clock.

        Args:
            seat: 0 or 1.
            token: what Hello has to repeat.
            limits: the limits of the bot's process.
            started: when the process was started.
        """
        self.seat = seat
        self.state = State.EXPECTED
        self.max_games = 0
        self.unanswered = 0
        self.ready = False
        self.refusal = ""
        self.on_output: Callable[[], None] = _nothing
        self.on_ready: Callable[[], None] = _nothing
        self.excuse: Callable[[float, float], str] = _no_excuse
        self._token = token
        self._limits = limits
        self._since = started  # of the state, as long as it has a limit
        self._outbox = Outbox()
        self._urgent: list[bytes] = []  # what is no Batch
        self._next_turn = seat + 2  # odd or even by seat: no turn of the other bot is ever known
        self._waiting: dict[int, _Place] = {}  # by turn, oldest first
        self._excused: dict[int, int] = {}  # turns whose game ended while they waited: its number
        self._games_seen = 0
        self._idle_messages = 0
        self._places: dict[int, _Place] = {}  # by game
        self._last_reply = started
        self._stuck_since: float | None = None
        self._moves = 0
        self._seconds_a_move = 0.0

    # What comes from the bot.

    def greet(self, request: wire.Request, now: float) -> None:
        """Takes the first message of a stream.

        Raises:
            ProtocolFaultError: it is no valid Hello, or the seat is taken.
        """
        if not isinstance(request, wire.Hello):
            raise ProtocolFaultError(
                FaultReason.OUT_OF_ORDER,
                f"Expected hello first, got {type(request).__name__.lower()}.",
            )
        if not hmac.compare_digest(request.token.encode(), self._token.encode()):
            raise ProtocolFaultError(
                FaultReason.BAD_TOKEN,
                "The token is wrong: repeat the value of CALJACK_TOKEN from the environment.",
            )
        if self.state is not State.EXPECTED:
            raise ProtocolFaultError(
                FaultReason.SECOND_STREAM, "This bot has its stream already: open one only."
            )
        if request.version != PROTOCOL_VERSION:
            raise ProtocolFaultError(
                FaultReason.UNSUPPORTED_VERSION,
                f"The bot speaks protocol version {request.version}; expected {PROTOCOL_VERSION}.",
            )
        if request.max_games > MOST_GAMES_AT_ONCE:
            raise ProtocolFaultError(
                FaultReason.MALFORMED,
                f"max_games is {request.max_games}; expected 1 to {MOST_GAMES_AT_ONCE}.",
            )
        self.max_games = max(1, request.max_games)
        self.state = State.WELCOMED
        self._since = now
        self._say(wire.welcome(self._limits))

    def receive(self, request: wire.Request, now: float) -> None:
        """Takes a message after the first.

        Raises:
            ProtocolFaultError: it breaks the protocol.
        """
        if isinstance(request, wire.Moves) and self.state in (State.PLAYING, State.LEAVING):
            self._take_moves(request.moves, now)
        elif isinstance(request, wire.Ready) and self.state is State.WELCOMED:
            self.state = State.PLAYING
            self.ready = True
            self._last_reply = now
            self.on_ready()
        elif isinstance(request, wire.Forfeit) and self.state in (State.PLAYING, State.LEAVING):
            self._take_forfeit(request, now)
        elif isinstance(request, wire.Goodbye) and self.state is not State.GONE:
            # before Farewell it is for the caller to find that the bot left too early
            self.state = State.GONE
        else:
            raise ProtocolFaultError(
                FaultReason.OUT_OF_ORDER,
                f"A {type(request).__name__.lower()} may not come while the bot is "
                f"{self.state.value}.",
            )

    def _take_moves(self, moves: list[tuple[int, int]], now: float) -> None:
        if not moves:
            self._count_idle()
            return  # says nothing, and buys no time
        count = len(moves)
        clock = self._clock()
        last_reply = self._last_reply
        self._last_reply = now
        self._stuck_since = None
        seat, waiting = self.seat, self._waiting
        for turn, card in moves:
            place = waiting.get(turn)
            if place is None or place.sent is None:
                self._judge_unexpected(turn)
                continue
            del waiting[turn]
            place.turn = 0
            self.unanswered -= 1
            sent, table = place.sent, place.table
            since = sent if sent > last_reply else last_reply  # noqa: FURB136 - half as long as max
            charged = (now - since) / count
            self._moves += 1
            weight = self._moves if self._moves < _PACE_MEMORY else _PACE_MEMORY  # noqa: FURB136 - as above
            self._seconds_a_move += (charged - self._seconds_a_move) / weight
            late = charged > table.allowance(seat)
            if late and clock and (excuse := self.excuse(clock[0], now)):
                table.excuse(seat, excuse)
            else:
                table.answer(seat, card, charged)

    def _judge_unexpected(self, turn: int) -> None:
        if self._excused.pop(turn, None) is not None:
            return
        known = self.seat + 2 <= turn < self._next_turn and (turn - self.seat) % 2 == 0
        if known and turn not in self._waiting:
            raise ProtocolFaultError(
                FaultReason.TURN_ANSWERED_TWICE, f"Turn {turn} has its answer already."
            )
        raise ProtocolFaultError(
            FaultReason.UNKNOWN_TURN, f"There is no turn {turn} on this stream."
        )

    def _take_forfeit(self, request: wire.Forfeit, now: float) -> None:
        game = request.game
        if game >= self._games_seen:
            raise ProtocolFaultError(
                FaultReason.UNKNOWN_TURN, f"There is no game {game} on this stream."
            )
        excused = next((turn for turn, number in self._excused.items() if number == game), None)
        if excused is not None:
            del self._excused[excused]
        place = self._places.get(game)
        if excused is not None or (place is not None and place.turn):
            # it has finished with that turn, and so begins with the next one now
            self._last_reply = now
            self._stuck_since = None
        if place is None:
            self._count_idle()
        else:
            reason = one_line(request.reason[:LONGEST_REASON]) or "no reason given"
            place.table.lose(self.seat, Termination.CRASH, f"gave up after an error: {reason}")

    def _count_idle(self) -> None:
        """Counts a message that changes nothing: a flood of them would slow the other bot too."""
        self._idle_messages += 1
        if self._idle_messages > MOST_IDLE_MESSAGES + self._games_seen:
            raise ProtocolFaultError(
                FaultReason.TOO_MUCH,
                f"{self._idle_messages} messages of this bot said nothing: send moves with a move "
                "in them, and give up only games that are on.",
            )

    # What goes to the bot: the Player of its tables.

    def game_start(self, table: Table, ruleset: Ruleset, first_dealer: int, bot_seed: int) -> None:
        """Tells that a game begins."""
        self._places[table.number] = _Place(table)
        self._games_seen = table.number + 1
        self._outbox.game_start(table.number, ruleset, first_dealer, bot_seed)
        self.on_output()

    def round_start(self, game: int, seen: RoundOpening) -> None:
        """Tells that a round begins."""
        self._outbox.round_start(game, seen)
        self.on_output()

    def turn(self, table: Table, seen: Observation) -> None:
        """Asks for a card."""
        game = table.number
        turn = self._next_turn
        self._next_turn = turn + 2
        place = self._places[game]
        place.turn = turn
        place.sent = None
        self._waiting[turn] = place
        self._outbox.turn(turn, game, seen)
        self.on_output()

    def round_end(self, game: int, seen: RoundSummary) -> None:
        """Tells that a round has ended."""
        self._outbox.round_end(game, seen)
        self.on_output()

    def game_end(self, table: Table, end: GameEnd) -> None:
        """Tells that a game is over; a turn still waiting needs no answer any more."""
        place = self._places.pop(table.number, None)
        if place is not None and place.turn:
            del self._waiting[place.turn]
            if place.sent is not None:
                self.unanswered -= 1
            self._excused[place.turn] = table.number
        self._outbox.game_end(table.number, end)
        self.on_output()

    def farewell(self) -> None:
        """Says that there are no more games."""
        if self.state is State.PLAYING:
            self.state = State.LEAVING
            self._say(wire.farewell())

    def _say(self, message: bytes) -> None:
        self._urgent.append(message)
        self.on_output()

    @property
    def has_news(self) -> bool:
        """Whether news of games are ready to be sent."""
        return bool(self._outbox)

    @property
    def has_full_message(self) -> bool:
        """Whether the next message is as full as it will be."""
        return self._outbox.full

    def take(self, now: float) -> bytes | None:
        """Gives the next message to send and starts the clocks of its turns; None if there is none.

        Farewell comes after all other news.
        """
        if self._outbox:
            message, turns = self._outbox.take()
            for turn in turns:
                place = self._waiting.get(turn)
                if place is not None:
                    place.sent = now
                    self.unanswered += 1
            return message
        return self._urgent.pop(0) if self._urgent else None

    @property
    def nearly_idle(self) -> bool:
        """Whether the bot has one turn left to answer, and takes long for each.

        It would have nothing to do while its answer is on its way and the next turns on theirs.
        """
        return self.unanswered == 1 and self._seconds_a_move > _SLOW_SECONDS

    # The clock.

    @property
    def seconds_a_move(self) -> float | None:
        """What a move is charged, on average; None until some have been made."""
        return self._seconds_a_move if self._moves >= _PACE_SAMPLE else None

    @property
    def waiting_since(self) -> float | None:
        """The time since which the bot has been waited for; None while it owes nothing."""
        clock = self._clock()
        return None if clock is None else clock[0]

    def deadline(self) -> float | None:
        """Gives the time at which `check` will find something to say; None if there is none."""
        clock = self._clock()
        return None if clock is None else clock[0] + clock[1]

    def _clock(self) -> tuple[float, float] | None:
        """Gives since when the bot is waited for and how long it may take; None if it isn't."""
        if self.state is State.EXPECTED:
            return self._since, self._limits.start_seconds
        if self.state is State.WELCOMED:
            return self._since, self._limits.ready_seconds
        if self.state is not State.PLAYING:
            return None
        oldest = self._oldest()
        if oldest is None or oldest.sent is None:
            return None  # it owes nothing: a turn lost on time needs no answer
        if self._stuck_since is not None:
            return max(self._stuck_since, oldest.sent), self._grace
        return max(oldest.sent, self._last_reply), oldest.table.allowance(self.seat)

    def check(self, now: float) -> Failure | None:
        """Ends what has run out of time: the oldest waiting turn's game, or the whole process.

        A turn that has waited too long loses its game. Then the other turns are given grace, until
        the bot has finished with the late one: it is not known to have begun with them. A process
        that stays silent through the grace has failed. Where the machine made it late, the same
        ends, but void.
        """
        clock = self._clock()
        if clock is None or now <= sum(clock):
            return None
        since, _ = clock
        excuse = self.excuse(since, now)
        if self.state is not State.PLAYING or self._stuck_since is not None:
            return self._failure(now, excuse)
        oldest = self._oldest()
        if oldest is not None:
            # this game has paid for the time; a bot that drops the turn begins with the next one
            self._stuck_since = self._last_reply = now
            if excuse:
                oldest.table.excuse(self.seat, excuse)
            else:
                oldest.table.time_out(self.seat, now - since)
        return None

    @property
    def _grace(self) -> float:
        return max(SHORTEST_GRACE_SECONDS, self._limits.move_seconds)

    def _oldest(self) -> _Place | None:
        return next(iter(self._waiting.values()), None)

    def _failure(self, now: float, excuse: str) -> Failure:
        """Says what the whole process was too late with."""
        termination, limits = Termination.NEVER_STARTED, self._limits
        if self.state is State.EXPECTED:
            predicate = f"never started: no hello within {limits.start_seconds:g} s{self.refusal}"
        elif self.state is State.WELCOMED:
            predicate = f"never started: not ready within {limits.ready_seconds:g} s of its welcome"
        else:
            termination, silent = Termination.TIMEOUT, now - (self._stuck_since or now)
            predicate = f"hung: it said nothing for {silent:.1f} s after a late turn"
        return Failure(self.seat, termination, predicate, excuse=excuse)


def _nothing() -> None:
    """Does nothing, until somebody wants to know."""


def _no_excuse(_since: float, _now: float) -> str:
    """Excuses nothing, where nobody watches the machine."""
    return ""
