"""Whatever bots say, in whatever order: two conversations and their tables stay in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from californiajack import Ruleset, Termination
from californiajack import wire as sdk_wire
from californiajack.v1 import referee_service_pb2 as service_pb
from californiajack_referee.play import wire
from californiajack_referee.play.faults import ProtocolFaultError
from californiajack_referee.play.session import Session, State
from californiajack_referee.play.table import Table, TableOrder
from californiajack_referee.play.wire import Forfeit, Goodbye, Hello, Moves, Ready
from californiajack_referee.values import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

TOKEN = "the token"  # noqa: S105 - nobody's secret
LIMITS = Limits(move_seconds=1.0, bank_seconds=2.0, game_seconds=20.0)
HELLO = Hello(1, TOKEN, 8, "")

seats = st.integers(0, 1)
numbers = st.integers(0, 40) | st.integers(0, 2**64 - 1)
requests: st.SearchStrategy[wire.Request] = st.one_of(
    st.builds(Hello, st.integers(0, 3), st.sampled_from((TOKEN, "", "tökén")), numbers, st.text()),
    st.just(Ready()),
    st.builds(Moves, st.lists(st.tuples(numbers, st.integers(0, 2**32 - 1)), max_size=5)),
    st.builds(Forfeit, st.integers(0, 10) | st.integers(0, 2**32 - 1), st.text()),
    st.just(Goodbye()),
)


class Conversations(RuleBasedStateMachine):
    """Two sessions, their tables, and a clock that others turn."""

    def __init__(self) -> None:
        """Begins with two bots of which nothing has been heard."""
        super().__init__()
        self.now = 0.0
        self.longest_fault = 0
        self.sessions = tuple(Session(seat, TOKEN, LIMITS, self.now) for seat in (0, 1))
        self.tables: list[Table] = []
        self.ended: list[Table] = []
        self.turns: list[dict[int, sdk_wire.TurnToPlay]] = [{}, {}]

    def feed(self, take: Callable[[wire.Request, float], None], request: wire.Request) -> None:
        """Has a message taken; a fault is allowed, and nothing else."""
        try:
            take(request, self.now)
        except ProtocolFaultError as fault:
            self.longest_fault = max(self.longest_fault, len(wire.fault(fault)))

    @initialize(come_in=st.booleans(), games=st.integers(0, 4), excused=st.booleans())
    def begin(self, *, come_in: bool, games: int, excused: bool) -> None:
        """Mostly the games have begun: else hardly anything is allowed."""
        if excused:
            self.sessions[1].excuse = lambda _since, _now: "the machine slept"
        if come_in:
            for session in self.sessions:
                session.greet(HELLO, self.now)
                session.receive(Ready(), self.now)
            for _ in range(games):
                self.begin_game()

    @precondition(lambda self: all(s.state is State.PLAYING for s in self.sessions))
    @rule()
    def begin_game(self) -> None:
        """Both sit down at one more table."""
        number = len(self.tables)
        order = TableOrder(number, number, bytes(16), Ruleset(1), LIMITS, ("fox", "hen"))
        table = Table(order, (self.sessions[0], self.sessions[1]), self.ended.append)
        self.tables.append(table)
        table.start()

    @rule(seat=seats, request=requests)
    def say(self, seat: int, request: wire.Request) -> None:
        """A bot says anything at all."""
        self.feed(self.sessions[seat].receive, request)

    @rule(seat=seats, request=requests)
    def open(self, seat: int, request: wire.Request) -> None:
        """A stream begins with anything at all."""
        self.feed(self.sessions[seat].greet, request)

    @rule(seat=seats, data=st.binary(max_size=60))
    def say_bytes(self, seat: int, data: bytes) -> None:
        """A bot sends bytes that may or may not be a message."""
        try:
            request = wire.read(data)
        except ProtocolFaultError:
            return
        self.feed(self.sessions[seat].receive, request)

    @rule(seat=seats)
    def deliver(self, seat: int) -> None:
        """A message goes out to a bot."""
        message = self.sessions[seat].take(self.now)
        if message is not None:
            read = sdk_wire.read(service_pb.PlayResponse.FromString(message))
            if isinstance(read, sdk_wire.Batch):
                self.turns[seat].update((turn.turn, turn) for turn in read.turns)

    @rule(
        seat=seats,
        count=st.integers(1, 4),
        card=st.none() | st.integers(0, 60),
        repeat=st.booleans(),
    )
    def answer(self, seat: int, count: int, card: int | None, *, repeat: bool) -> None:
        """A bot answers turns it has, well or not, perhaps a second time later."""
        moves = [
            (turn, seen.observation.legal[0] if card is None else card)
            for turn, seen in list(self.turns[seat].items())[:count]
        ]
        if not repeat:
            for turn, _ in moves:
                del self.turns[seat][turn]
        self.feed(self.sessions[seat].receive, Moves(moves))

    @rule(
        rounds=st.integers(1, 30),
        pause=st.sampled_from((0.0, 0.25)),
        count=st.sampled_from((1, 2, 4)),
    )
    def play_well(self, rounds: int, pause: float, count: int) -> None:
        """Both answer what they have, again and again, and take their time."""
        for _ in range(rounds):
            for seat in (0, 1):
                self.deliver(seat)
            self.now += pause
            for seat in (0, 1):
                self.answer(seat, count, None, repeat=False)

    @rule(seconds=st.sampled_from((0.01, 0.3, 0.9, 1.1, 4.0, 40.0)), look=st.booleans())
    def wait(self, seconds: float, *, look: bool) -> None:
        """Time goes by, with somebody looking at the clocks or not."""
        self.now += seconds
        for session in self.sessions if look else ():
            deadline = session.deadline()
            late = deadline is not None and self.now > deadline
            ended = len(self.ended)
            failure = session.check(self.now)
            assert late or (failure is None and len(self.ended) == ended)
            if failure is not None:
                assert failure.seat == session.seat
                self.fail(failure.seat)

    @rule(seat=seats)
    def fail(self, seat: int) -> None:
        """A process dies, and loses all its games."""
        for table in list(self.tables):
            table.lose(seat, Termination.CRASH, "crashed")

    @rule(seat=seats)
    def say_farewell(self, seat: int) -> None:
        """The referee takes its leave."""
        self.sessions[seat].farewell()

    @invariant()
    def every_game_waits_for_one_card(self) -> None:
        """A game that is on waits for exactly one seat; one that is over, for nobody."""
        for table in self.tables:
            waiting = [s.seat for s in self.sessions if _waits(s, table.number)]
            assert len(waiting) == (table.verdict is None)
            known = [table.number in session._places for session in self.sessions]
            assert known == [table.verdict is None] * 2
        assert len({id(table) for table in self.ended}) == len(self.ended)
        assert sum(table.verdict is not None for table in self.tables) == len(self.ended)

    @invariant()
    def turns_are_counted(self) -> None:
        """The numbers of turns and games agree with each other in all places."""
        for session in self.sessions:
            waiting = session._waiting
            assert session.unanswered == sum(w.sent is not None for w in waiting.values())
            turns = {game: place.turn for game, place in session._places.items() if place.turn}
            assert {place.table.number: turn for turn, place in waiting.items()} == turns
            assert not waiting.keys() & session._excused.keys()
            assert list(waiting) == sorted(waiting)
            assert (session.waiting_since is None) == (session.deadline() is None)

    @invariant()
    def faults_are_short(self) -> None:
        """What is told of a fault repeats nothing of any length."""
        assert self.longest_fault < 500

    @invariant()
    def nobody_pays_twice(self) -> None:
        """What a seat is charged in all its games together is no more than the time gone by."""
        for seat in (0, 1):
            used = [table._used[seat] for table in self.tables]
            assert all(seconds >= 0 for seconds in used)
            assert sum(used) <= self.now + 1e-6


def _waits(session: Session, game: int) -> bool:
    place = session._places.get(game)
    return place is not None and place.turn > 0


@pytest.mark.parametrize(
    ("examples", "steps"),
    [
        (100, 50),
        pytest.param(4000, 80, marks=[pytest.mark.soak, pytest.mark.timeout(200)]),
    ],
)
def test_conversations_stay_in_order(examples: int, steps: int) -> None:
    """Thousands of steps of all kinds raise nothing but faults, and break no invariant."""
    run_state_machine_as_test(
        Conversations,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
