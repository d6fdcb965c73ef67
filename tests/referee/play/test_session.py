"""A bot process's conversation, with scripted messages and a scripted clock."""

from __future__ import annotations

import random

import pytest

from californiajack import Ruleset, Termination
from californiajack import wire as sdk_wire
from californiajack.v1 import referee_service_pb2 as service_pb
from californiajack_referee.play import wire
from californiajack_referee.play.faults import FaultReason, ProtocolFaultError
from californiajack_referee.play.session import Session, State
from californiajack_referee.play.table import Table, TableOrder
from californiajack_referee.play.wire import Forfeit, Goodbye, Hello, Moves, Ready
from californiajack_referee.values import Limits

TOKEN = "the token"  # noqa: S105 - nobody's secret
LIMITS = Limits(start_seconds=30, ready_seconds=20, move_seconds=4.0, bank_seconds=1.0)
HELLO = Hello(1, TOKEN, 64, "test")


def read(message: bytes | None) -> sdk_wire.Response:
    """Reads a message as a bot does."""
    assert message is not None
    return sdk_wire.read(service_pb.PlayResponse.FromString(message))


class Room:
    """Two sessions and the tables they sit at, all at the time `now`."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        """Has two sessions that expect their bots; the processes started at 100 s."""
        self.limits = limits
        self.now = 100.0
        self.sessions = tuple(Session(seat, TOKEN, limits, self.now) for seat in (0, 1))
        self.turns: tuple[dict[int, sdk_wire.TurnToPlay], ...] = ({}, {})
        self.ended: list[Table] = []
        self.tables: list[Table] = []

    def ready(self) -> Room:
        """Lets both bots come in."""
        for session in self.sessions:
            session.greet(HELLO, self.now)
            assert isinstance(read(session.take(self.now)), sdk_wire.Welcome)
            session.receive(Ready(), self.now)
        return self

    def begin(self, games: int = 1) -> Room:
        """Begins games."""
        for _ in range(games):
            order = TableOrder(
                number=len(self.tables),
                deal=len(self.tables),
                seed=bytes(16),
                ruleset=Ruleset(),
                limits=self.limits,
                names=("fox@1", "hen@2"),
            )
            table = Table(order, (self.sessions[0], self.sessions[1]), self.ended.append)
            self.tables.append(table)
            table.start()
        return self

    def deliver(self, seat: int) -> sdk_wire.Batch | None:
        """Sends one seat its next message; what it is asked is kept in `turns`."""
        message = self.sessions[seat].take(self.now)
        if message is None:
            return None
        batch = read(message)
        assert isinstance(batch, sdk_wire.Batch)
        self.turns[seat].update((turn.turn, turn) for turn in batch.turns)
        return batch

    def deliver_all(self) -> Room:
        """Sends all that there is to send."""
        for seat in (0, 1):
            while self.deliver(seat):
                pass
        return self

    def answer(self, seat: int, turns: list[int] | None = None) -> None:
        """Answers turns with their first legal card; all that the seat has if none are given."""
        turns = list(self.turns[seat]) if turns is None else turns
        moves = [(turn, self.turns[seat].pop(turn).observation.legal[0]) for turn in turns]
        self.sessions[seat].receive(Moves(moves), self.now)

    def used_ms(self, game: int, seat: int) -> float:
        """The time charged to a seat in a game."""
        return self.tables[game]._used[seat] * 1000


def refused(session: Session, request: wire.Request, now: float = 100.0) -> FaultReason:
    """Why a message is refused."""
    take = session.greet if session.state is State.EXPECTED else session.receive
    with pytest.raises(ProtocolFaultError) as caught:
        take(request, now)
    return caught.value.reason


# Hello and Ready.


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (Hello(1, "wrong", 1, ""), FaultReason.BAD_TOKEN),
        (Hello(1, "", 1, ""), FaultReason.BAD_TOKEN),
        (Hello(1, "the tökén", 1, ""), FaultReason.BAD_TOKEN),
        (Hello(0, TOKEN, 1, ""), FaultReason.UNSUPPORTED_VERSION),
        (Hello(2, TOKEN, 1, ""), FaultReason.UNSUPPORTED_VERSION),
        (Hello(1, TOKEN, 1025, ""), FaultReason.MALFORMED),
        (Ready(), FaultReason.OUT_OF_ORDER),
        (Moves([]), FaultReason.OUT_OF_ORDER),
        (Forfeit(0, ""), FaultReason.OUT_OF_ORDER),
        (Goodbye(), FaultReason.OUT_OF_ORDER),
    ],
)
def test_a_bad_first_message(request_: wire.Request, reason: FaultReason) -> None:
    """It is refused for what is wrong with it, and a good Hello is still welcome after it."""
    session = Session(0, TOKEN, LIMITS, 100.0)
    assert refused(session, request_) is reason
    assert session.take(100.0) is None
    session.greet(HELLO, 101.0)
    assert session.state is State.WELCOMED


@pytest.mark.parametrize(("asked", "given"), [(0, 1), (1, 1), (77, 77), (1024, 1024)])
def test_games_at_once(asked: int, given: int) -> None:
    """Hello says how many games the bot will play; none counts as one."""
    session = Session(0, TOKEN, LIMITS, 100.0)
    session.greet(Hello(1, TOKEN, asked, ""), 100.0)
    assert session.max_games == given


def test_welcome_tells_the_limits() -> None:
    """Its numbers are the limits, in milliseconds."""
    session = Session(0, TOKEN, Limits(1, 2.5, 0.25, 4, 0.5, 60), 100.0)
    session.greet(HELLO, 100.0)
    found = service_pb.PlayResponse.FromString(session.take(100.0) or b"").welcome
    assert found.version == 1
    assert (found.ready_time_ms, found.move_time_ms, found.bank_ms) == (2500, 250, 4000)
    assert (found.shutdown_time_ms, found.max_message_bytes) == (500, wire.LONGEST_REQUEST)
    assert found.game_time_ms == 60_000


def test_a_second_stream_is_refused() -> None:
    """A second Hello with the token is refused in every state, and the first stream goes on."""
    room = Room().ready().begin().deliver_all()
    for state in (State.WELCOMED, State.PLAYING, State.LEAVING, State.GONE):
        session = room.sessions[0]
        session.state = state
        with pytest.raises(ProtocolFaultError) as caught:
            session.greet(HELLO, room.now)
        assert caught.value.reason is FaultReason.SECOND_STREAM
        assert session.state is state


OUT_OF_ORDER: list[tuple[State, wire.Request]] = [
    *((state, HELLO) for state in (State.WELCOMED, State.PLAYING, State.LEAVING, State.GONE)),
    *((state, Ready()) for state in (State.PLAYING, State.LEAVING, State.GONE)),
    *((state, Moves([])) for state in (State.WELCOMED, State.GONE)),
    *((state, Moves([(2, 0)])) for state in (State.WELCOMED, State.GONE)),
    *((state, Forfeit(0, "")) for state in (State.WELCOMED, State.GONE)),
    (State.GONE, Goodbye()),
]


@pytest.mark.parametrize(("state", "request_"), OUT_OF_ORDER)
def test_every_message_that_may_not_come_now(state: State, request_: wire.Request) -> None:
    """It is out of order, and leaves the state as it was."""
    session = Room().ready().sessions[0]
    session.state = state
    assert refused(session, request_) is FaultReason.OUT_OF_ORDER
    assert session.state is state


def test_the_limits_before_the_games() -> None:
    """Hello is due some seconds after the start, Ready some seconds after Welcome."""
    session = Session(1, TOKEN, LIMITS, 100.0)
    assert session.deadline() == 130.0
    assert session.check(130.0) is None
    failure = session.check(130.1)
    assert failure is not None
    assert (failure.seat, failure.termination) == (1, Termination.NEVER_STARTED)
    assert failure.predicate == "never started: no hello within 30 s"
    session.greet(HELLO, 125.0)
    assert session.deadline() == 145.0
    failure = session.check(145.1)
    assert failure is not None
    assert failure.termination is Termination.NEVER_STARTED
    assert failure.predicate == "never started: not ready within 20 s of its welcome"
    was_ready = session.ready
    session.receive(Ready(), 144.0)
    assert (was_ready, session.ready, session.deadline()) == (False, True, None)


def test_goodbye_and_farewell() -> None:
    """Farewell comes once, after all news; then moves may still come, and Goodbye ends it."""
    room = Room().ready().begin()
    session = room.sessions[1]
    session.farewell()
    session.farewell()
    states = [session.state]
    room.deliver(1)
    assert isinstance(read(session.take(room.now)), sdk_wire.Farewell)
    assert session.take(room.now) is None
    room.answer(1)
    session.receive(Goodbye(), room.now)
    assert [*states, session.state] == [State.LEAVING, State.GONE]


def test_no_farewell_for_a_bot_that_never_came() -> None:
    """Before Ready there is nothing to take leave of."""
    session = Session(0, TOKEN, LIMITS, 100.0)
    session.farewell()
    assert (session.state, session.take(100.0)) == (State.EXPECTED, None)


# The clock.


def test_the_clock_starts_when_the_turn_is_sent() -> None:
    """Time before the sending, when the turn waits in the referee, is free."""
    room = Room().ready().begin()
    room.now += 50
    assert room.sessions[1].deadline() is None
    room.deliver_all()
    assert room.sessions[1].deadline() == 155.0
    room.now += 2
    room.answer(1)
    assert room.used_ms(0, 1) == pytest.approx(2000)


def test_a_move_is_charged_since_the_last_reply() -> None:
    """Where a turn waits longer than since the last reply, only that time is charged."""
    room = Room().ready().begin(2).deliver_all()
    one, two = room.turns[1]
    room.now += 3
    room.answer(1, [one])
    room.now += 2
    room.answer(1, [two])
    assert room.used_ms(0, 1) == pytest.approx(3000)
    assert room.used_ms(1, 1) == pytest.approx(2000)


def test_the_moves_of_a_message_share_its_time() -> None:
    """A message with n moves charges each an n-th of the time."""
    room = Room().ready().begin(4).deliver_all()
    room.now += 8
    room.answer(1)
    assert [room.used_ms(game, 1) for game in range(4)] == pytest.approx([2000] * 4)
    assert not room.ended


def test_an_empty_message_buys_no_time() -> None:
    """Moves without a move change no clock."""
    room = Room().ready().begin().deliver_all()
    session = room.sessions[1]
    before = session.deadline()
    for _ in range(5):
        room.now += 0.9
        session.receive(Moves([]), room.now)
    assert session.deadline() == before == 105.0
    room.now = 105.1
    session.receive(Moves([]), room.now)
    assert session.check(room.now) is None
    assert [table.verdict and table.verdict.termination for table in room.ended] == [
        Termination.TIMEOUT
    ]


def test_the_deadline_follows_the_oldest_turn_and_the_last_reply() -> None:
    """It is the oldest waiting turn's time, counted from its sending or the last reply."""
    room = Room().ready().begin().deliver_all()
    room.now = 102.0
    room.begin().deliver_all()
    session = room.sessions[1]
    assert session.deadline() == 105.0
    room.now = 103.0
    room.answer(1, list(room.turns[1])[:1])
    assert session.deadline() == 108.0


def test_the_bank_runs_down() -> None:
    """A slow move takes from the bank, and the next deadline knows it."""
    room = Room().ready().begin().deliver_all()
    room.now += 4.75
    room.answer(1)
    for _ in range(300):
        room.deliver_all()
        if room.turns[1]:
            break
        room.answer(0)
    (turn,) = room.turns[1].values()
    assert turn.observation.bank_ms == 250
    deadline = room.sessions[1].deadline()
    assert deadline is not None
    assert deadline - room.now == pytest.approx(4.25)


def test_the_pace_is_known_after_some_moves() -> None:
    """The mean charge is told once eight moves have been made."""
    room = Room().ready().begin(9).deliver_all()
    session = room.sessions[1]
    for turn in list(room.turns[1])[:8]:
        assert session.seconds_a_move is None
        room.now += 0.5
        room.answer(1, [turn])
    assert session.seconds_a_move == pytest.approx(0.5)


def test_a_slow_bot_with_one_turn_left_is_nearly_idle() -> None:
    """One that is quick, has more turns or none is not."""
    for seconds, nearly in ((0.5, True), (0.0001, False)):
        room = Room().ready().begin(3).deliver_all()
        session = room.sessions[1]
        found = []
        for turn in list(room.turns[1]):
            room.now += seconds
            room.answer(1, [turn])
            found.append((session.unanswered, session.nearly_idle))
        assert found == [(2, False), (1, nearly), (0, False)]


# Too late.


def overstep(room: Room) -> Session:
    """Lets the non-dealer's oldest turn run out of time."""
    session = room.sessions[1]
    assert session.check(room.now) is None
    room.now += 5.1
    assert session.check(room.now) is None
    return session


def test_a_late_turn_loses_its_game_only() -> None:
    """The oldest turn's game is lost on time; the others go on when the bot comes back."""
    room = Room().ready().begin(3).deliver_all()
    late, *others = room.turns[1]
    session = overstep(room)
    assert room.ended == [room.tables[0]]
    verdict = room.ended[0].result().verdict
    assert (verdict.winner, verdict.termination) == (0, Termination.TIMEOUT)
    assert verdict.words == "hen@2 took 5.10 s over a card; 5.00 s were allowed"
    room.now += 3
    assert session.check(room.now) is None
    room.answer(1, [late])  # excused
    room.now += 1
    room.answer(1, others)
    assert len(room.ended) == 1
    assert room.used_ms(1, 1) == pytest.approx(500)


def test_a_late_turn_may_be_dropped() -> None:
    """Its time is paid for by its game: a bot that goes on to the next turn owes only the rest."""
    room = Room().ready().begin(3).deliver_all()
    _, *others = room.turns[1]
    overstep(room)
    room.now += 2
    room.answer(1, others)
    assert len(room.ended) == 1
    assert room.used_ms(1, 1) == pytest.approx(1000)


def test_a_late_answer_is_excused_once() -> None:
    """Its second answer is a fault."""
    room = Room().ready().begin(2).deliver_all()
    late = next(iter(room.turns[1]))
    session = overstep(room)
    session.receive(Moves([(late, 0)]), room.now)
    assert refused(session, Moves([(late, 0)]), room.now) is FaultReason.TURN_ANSWERED_TWICE


def test_silence_after_a_late_turn_is_a_hang() -> None:
    """A process that says nothing for another move's time has failed as a whole."""
    room = Room().ready().begin(3).deliver_all()
    session = overstep(room)
    assert session.deadline() == pytest.approx(room.now + 4.0)
    room.now += 4.1
    failure = session.check(room.now)
    assert failure is not None
    assert (failure.seat, failure.termination) == (1, Termination.TIMEOUT)
    assert failure.predicate == "hung: it said nothing for 4.1 s after a late turn"
    assert len(room.ended) == 1


def test_the_grace_is_a_second_at_least() -> None:
    """However short a move's time is, a late bot has a second to come back."""
    room = Room(Limits(move_seconds=0.05)).ready().begin(2).deliver_all()
    session = room.sessions[1]
    room.now += 0.1
    assert session.check(room.now) is None
    assert session.deadline() == pytest.approx(room.now + 1.0)


def test_no_hang_while_nothing_waits() -> None:
    """A turn that was lost on time needs no answer: the grace counts from the next turn on."""
    room = Room().ready().begin().deliver_all()
    session = overstep(room)
    room.now += 100
    assert session.deadline() is None
    assert session.check(room.now) is None
    room.begin().deliver_all()
    assert session.deadline() == pytest.approx(room.now + 4.0)
    room.now += 3
    room.answer(1, [max(room.turns[1])])
    assert len(room.ended) == 1


# Late because the machine was.


def excused(room: Room, *, waits: list[float] | None = None) -> None:
    """Has the machine take the blame for all that the non-dealer's bot is late with."""

    def excuse(since: float, now: float) -> str:
        if waits is not None:
            waits.extend((since, now))
        return "it got no processor"

    room.sessions[1].excuse = excuse


def test_an_excused_late_turn_is_void() -> None:
    """Its game has no winner and nobody to blame; the bot is told so, and the others go on."""
    room = Room().ready().begin(3).deliver_all()
    late, *others = room.turns[1]
    waits: list[float] = []
    excused(room, waits=waits)
    session = overstep(room)
    assert waits == pytest.approx([100.0, 105.1])
    verdict = room.ended[0].result().verdict
    assert (verdict.winner, verdict.blame) == (None, None)
    assert verdict.termination is Termination.REFEREE_FAULT
    assert verdict.words == "hen@2 was late, but not by its own fault: it got no processor"
    for seat in (0, 1):
        batch = room.deliver(seat)
        assert batch is not None
        (end,) = (e for _, e in batch.game_ends)
        assert "hen" not in end.reason
        assert "processor" not in end.reason
    room.answer(1, [late])  # excused
    room.now += 1
    room.answer(1, others)
    assert len(room.ended) == 1
    assert session.check(room.now) is None


def test_an_excused_late_answer_is_void() -> None:
    """The same where the answer is there before the clock was looked at."""
    room = Room().ready().begin(2).deliver_all()
    excused(room)
    room.now += 6
    room.answer(1, list(room.turns[1])[:1])
    assert [table.verdict and table.verdict.winner for table in room.ended] == [None]


def test_an_answer_in_time_needs_no_excuse() -> None:
    """The machine is not asked, and the game goes on."""
    room = Room().ready().begin().deliver_all()
    waits: list[float] = []
    excused(room, waits=waits)
    room.now += 5
    room.answer(1)
    assert (waits, room.ended) == ([], [])


def test_an_excused_hang_fails_without_blame() -> None:
    """A process silent for the whole grace has failed, with the excuse for all its games."""
    room = Room().ready().begin(3).deliver_all()
    session = overstep(room)
    excused(room)
    room.now += 4.1
    failure = session.check(room.now)
    assert failure is not None
    assert failure.excuse == "it got no processor"


@pytest.mark.parametrize("welcomed", [False, True])
def test_an_excused_late_start(welcomed: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """So has one that the machine kept from saying hello, or from getting ready."""
    room = Room()
    excused(room)
    session = room.sessions[1]
    if welcomed:
        session.greet(HELLO, room.now)
    failure = session.check(131.0)
    assert failure is not None
    assert (failure.termination, failure.excuse) == (
        Termination.NEVER_STARTED,
        "it got no processor",
    )


# Turns and games that are not there.


def test_unknown_turns() -> None:
    """Numbers never sent, the other bot's turns included, are unknown."""
    for turn in (0, 1, 5, 9, 2**64 - 1):
        room = Room().ready().begin().deliver_all()
        assert list(room.turns[1]) == [3]
        assert refused(room.sessions[1], Moves([(turn, 0)])) is FaultReason.UNKNOWN_TURN


def test_a_turn_answered_twice() -> None:
    """In one message or in two, the second answer is a fault."""
    for together in (True, False):
        room = Room().ready().begin(2).deliver_all()
        turn, seen = next(iter(room.turns[1].items()))
        move = (turn, seen.observation.legal[0])
        session = room.sessions[1]
        if not together:
            session.receive(Moves([move]), room.now)
        moves = Moves([move, move] if together else [move])
        assert refused(session, moves) is FaultReason.TURN_ANSWERED_TWICE


def test_an_answer_to_a_turn_not_yet_sent() -> None:
    """It is unknown, though its number can be guessed; the game can then be lost in order."""
    room = Room().ready().begin()
    assert refused(room.sessions[1], Moves([(3, 0)])) is FaultReason.UNKNOWN_TURN
    room.tables[0].lose(1, Termination.PROTOCOL_ERROR, "broke the protocol")
    assert room.ended == room.tables


def test_an_answer_to_a_game_that_is_over() -> None:
    """A move that was on its way when the game ended is ignored."""
    room = Room().ready().begin(2).deliver_all()
    turn = next(iter(room.turns[1]))
    room.tables[0].lose(0, Termination.CRASH, "crashed")
    room.answer(1, [turn])
    assert room.used_ms(0, 1) == 0
    assert room.sessions[1].unanswered == 1


def test_a_turn_of_a_game_that_ended_before_the_sending() -> None:
    """It starts no clock, and its answer is ignored."""
    room = Room().ready().begin()
    room.tables[0].lose(0, Termination.CRASH, "crashed")
    room.deliver_all()
    session = room.sessions[1]
    assert (session.deadline(), session.unanswered) == (None, 0)
    session.receive(Moves([(3, 0)]), room.now)


def test_an_illegal_card_loses_one_game() -> None:
    """The other moves of the message count."""
    room = Room().ready().begin(3).deliver_all()
    (one, _), (two, seen), (three, other) = room.turns[1].items()
    moves = [(one, 99), (two, seen.observation.legal[0]), (three, other.observation.legal[0])]
    room.sessions[1].receive(Moves(moves), room.now)
    assert room.ended == [room.tables[0]]


@pytest.mark.parametrize("request_", [Moves([]), Forfeit(0, "")])
def test_a_flood_of_messages_that_say_nothing(request_: wire.Request) -> None:
    """A thousand are borne, and one for each game; no honest bot sends more."""
    room = Room().ready().begin(2)
    room.tables[0].lose(0, Termination.CRASH, "crashed")
    session = room.deliver_all().sessions[1]
    for _ in range(1002):
        session.receive(request_, room.now)
    assert refused(session, request_) is FaultReason.TOO_MUCH


# Forfeits.


@pytest.mark.parametrize("sent", [True, False])
def test_a_game_given_up(*, sent: bool) -> None:
    """It is lost as a crash with the bot's own words, its turn sent or not; others go on."""
    room = Room().ready().begin(2)
    if sent:
        room.deliver_all()
    room.sessions[1].receive(Forfeit(0, "KeyError: 3"), room.now)
    (table,) = room.ended
    verdict = table.result().verdict
    assert (table, verdict.winner, verdict.termination) == (room.tables[0], 0, Termination.CRASH)
    assert verdict.words == "hen@2 gave up after an error: KeyError: 3"
    room.deliver_all()
    room.answer(1, [5])
    assert len(room.ended) == 1


def test_a_game_given_up_by_the_seat_that_waits() -> None:
    """A bot may give up while it is the other one's turn."""
    room = Room().ready().begin().deliver_all()
    room.sessions[0].receive(Forfeit(0, ""), room.now)
    verdict = room.tables[0].result().verdict
    assert (verdict.winner, verdict.words) == (1, "fox@1 gave up after an error: no reason given")
    room.answer(1)  # excused


def test_giving_up_twice_or_too_late_is_ignored() -> None:
    """A game that is over stays as it ended."""
    room = Room().ready().begin().deliver_all()
    for session in room.sessions:
        session.receive(Forfeit(0, "first"), room.now)
        session.receive(Forfeit(0, "again"), room.now)
    assert len(room.ended) == 1
    assert room.tables[0].result().verdict.blame == 0


def test_giving_up_a_game_that_never_was() -> None:
    """It is a fault."""
    room = Room().ready().begin().deliver_all()
    assert refused(room.sessions[1], Forfeit(1, "")) is FaultReason.UNKNOWN_TURN


def test_giving_up_in_a_turn_is_a_reply() -> None:
    """The clock of the next turn begins with it; giving up elsewhere buys no time."""
    room = Room().ready().begin(3).deliver_all()
    session = room.sessions[1]
    room.now = 103.0
    session.receive(Forfeit(0, ""), room.now)
    assert session.deadline() == 108.0
    room.now = 104.0
    room.answer(1, [5])
    room.now = 106.0
    session.receive(Forfeit(1, ""), room.now)  # it is the other bot's turn there
    assert session.deadline() == 109.0


def test_giving_up_after_being_late_ends_the_grace() -> None:
    """An exception in a turn already lost on time is that turn's answer."""
    room = Room().ready().begin(2).deliver_all()
    session = overstep(room)
    room.now += 3
    session.receive(Forfeit(0, "too slow"), room.now)
    assert session.deadline() == pytest.approx(room.now + 5.0)


def test_reasons_are_cut_and_of_one_line() -> None:
    """500 characters are kept; what would disturb a terminal or a table is not."""
    room = Room().ready().begin(2).deliver_all()
    room.sessions[1].receive(Forfeit(0, "x" * 9000), room.now)
    room.sessions[1].receive(Forfeit(1, "one\ntwo\x1b[2J\tthree\r\u2028four"), room.now)
    words = [table.result().verdict.words for table in room.ended]
    assert words[0].count("x") <= 501
    assert words[1].isprintable()


def test_many_games_by_chance() -> None:
    """Games answered in any order, in parts and late, all end; nobody is asked twice at once."""
    chance = random.Random(5)
    room = Room(Limits(move_seconds=1000)).ready().begin(12)
    while len(room.ended) < 12:
        room.now += 0.01
        seat = chance.randrange(2)
        if chance.random() < 0.6:
            room.deliver(seat)
        waiting = list(room.turns[seat])
        games = [room.turns[seat][turn].game for turn in waiting]
        assert len(games) == len(set(games))
        assert len(waiting) == room.sessions[seat].unanswered
        room.answer(seat, chance.sample(waiting, chance.randint(0, len(waiting))))
    room.deliver_all()
    for session in room.sessions:
        assert (session.unanswered, session.deadline(), session.has_news) == (0, None, False)
