"""The bot's half of the conversion between the protocol's messages and this package's values.

Together with the referee's half this is all that touches the generated code. What the messages
mean stands in ``proto/californiajack/v1``.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from californiajack.observation import Observation, RoundOpening, RoundSummary
from californiajack.ruleset import FollowRule, Ruleset, Scoring
from californiajack.v1 import game_pb2 as game_pb
from californiajack.v1 import referee_service_pb2 as service_pb
from californiajack.v1.referee_service_pb2_grpc import RefereeServiceStub
from californiajack.view import (
    GameEnd,
    GameStart,
    Outcome,
    Player,
    RoundEnd,
    RoundStart,
    Termination,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import grpc

PlayRequest = service_pb.PlayRequest
"""A message to the referee, as the functions below make it."""
PROTOCOL_VERSION = 1
_new = tuple.__new__
LONGEST_REASON = 500
LONGEST_SOFTWARE = 100

SCORINGS = {
    game_pb.SCORING_TRICK_POINTS: Scoring.TRICK_POINTS,
    game_pb.SCORING_MOST_TRICKS: Scoring.MOST_TRICKS,
}
FOLLOW_RULES = {
    game_pb.FOLLOW_RULE_FOLLOW: FollowRule.FOLLOW,
    game_pb.FOLLOW_RULE_FOLLOW_OR_TRUMP: FollowRule.FOLLOW_OR_TRUMP,
}
TERMINATIONS = {
    game_pb.TERMINATION_NORMAL: Termination.NORMAL,
    game_pb.TERMINATION_ILLEGAL_MOVE: Termination.ILLEGAL_MOVE,
    game_pb.TERMINATION_TIMEOUT: Termination.TIMEOUT,
    game_pb.TERMINATION_CRASH: Termination.CRASH,
    game_pb.TERMINATION_DISCONNECT: Termination.DISCONNECT,
    game_pb.TERMINATION_PROTOCOL_ERROR: Termination.PROTOCOL_ERROR,
    game_pb.TERMINATION_NEVER_STARTED: Termination.NEVER_STARTED,
    game_pb.TERMINATION_INTERRUPTED: Termination.INTERRUPTED,
    game_pb.TERMINATION_REFEREE_FAULT: Termination.REFEREE_FAULT,
}
OUTCOMES = {
    game_pb.OUTCOME_WON: Outcome.WON,
    game_pb.OUTCOME_LOST: Outcome.LOST,
    game_pb.OUTCOME_VOID: Outcome.VOID,
}


class Welcome(NamedTuple):
    """The referee has let the bot in."""


class Farewell(NamedTuple):
    """The referee has no more games."""


class Fault(NamedTuple):
    """The referee says that the bot broke the protocol."""

    reason: str
    """The name of the rule broken, such as ``BAD_TOKEN``."""
    message: str
    """One sentence."""


def _field(name: str) -> Any:  # noqa: ANN401 - each has a type of its own
    return property(attrgetter(f"_turn.{name}"))


class TurnSeen:
    """What a ``Turn`` tells, field by field: each is read only when a bot looks at it.

    It has the attributes of `californiajack.observation.Observation`, of which `whole` makes one.
    Turns come by the hundred thousand, and most bots look at few of their fields.
    """

    __slots__ = ("_turn",)

    def __init__(self, turn: game_pb.Turn) -> None:
        self._turn = turn

    round_number = _field("round")
    hand = _field("hand")
    legal = _field("legal")
    trump_card = _field("trump_card")
    stock_size = _field("stock_size")
    history = _field("history")
    leaders = _field("leaders")
    drawn = _field("drawn")
    opponent_known = _field("opponent_known")
    opponent_unknown = _field("opponent_unknown")
    unseen = _field("unseen")
    captured = _field("captured")
    opponent_captured = _field("opponent_captured")
    score = _field("score")
    opponent_score = _field("opponent_score")
    dealer = _field("dealer")
    move_time_ms = _field("move_time_ms")
    bank_ms = _field("bank_ms")

    @property
    def led(self) -> int | None:
        """The card led to the open trick; None where there is none."""
        return self._turn.led if self._turn.HasField("led") else None

    @property
    def stock_top(self) -> int | None:
        """The stock's top card; None where there is none."""
        return self._turn.stock_top if self._turn.HasField("stock_top") else None

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the game."""
        return _ruleset(self._turn.ruleset)

    def whole(self) -> Observation:
        """Gives all of it as a plain value."""
        return Observation(*(getattr(self, name) for name in Observation._fields))

    def __eq__(self, other: object) -> bool:
        return self.whole() == (other.whole() if isinstance(other, TurnSeen) else other)

    def __hash__(self) -> int:
        return hash(self.whole())

    def __repr__(self) -> str:
        return repr(self.whole())

    def __reduce__(self) -> tuple[Any, ...]:
        # a copy, or a view that is sent to another process, takes no message with it
        return Observation, tuple(self.whole())


class TurnToPlay(NamedTuple):
    """A turn that waits for its answer."""

    turn: int
    game: int
    seen: TurnSeen

    @property
    def observation(self) -> Observation:
        """All that the seat may know."""
        return self.seen.whole()


class Batch(NamedTuple):
    """News of games, each with its game's number, and turns; handled in the order of the fields."""

    game_starts: list[tuple[int, GameStart]]
    round_ends: list[tuple[int, RoundEnd]]
    game_ends: list[tuple[int, GameEnd]]
    round_starts: list[tuple[int, RoundStart]]
    turns: list[TurnToPlay]


Response = Welcome | Batch | Farewell | Fault


def play(
    channel: grpc.Channel, requests: Iterator[PlayRequest]
) -> Iterable[service_pb.PlayResponse]:
    """Opens the one stream of a bot process."""
    return RefereeServiceStub(channel).Play(requests)


def hello(token: str, max_games: int, software: str) -> PlayRequest:
    """Makes the first message: who dials, and how many games it will play at once."""
    return PlayRequest(
        hello=service_pb.Hello(
            version=PROTOCOL_VERSION,
            token=token,
            max_games=max_games,
            software=software[:LONGEST_SOFTWARE],
        )
    )


def ready() -> PlayRequest:
    """Makes the message that asks for games."""
    return PlayRequest(ready=service_pb.Ready())


def moves(answers: Iterable[tuple[int, int]]) -> PlayRequest:
    """Makes the message that answers turns, given as pairs of a turn's number and a card's."""
    request = PlayRequest()
    add = request.moves.moves.add
    for turn, card in answers:
        add(turn=turn, card=card)
    return request


def forfeit(game: int, reason: str) -> PlayRequest:
    """Makes the message that gives one game up."""
    return PlayRequest(forfeit=service_pb.Forfeit(game=game, reason=reason[:LONGEST_REASON]))


def goodbye() -> PlayRequest:
    """Makes the last message."""
    return PlayRequest(goodbye=service_pb.Goodbye())


def read(response: service_pb.PlayResponse) -> Response:
    """Reads a message of the referee; one of a kind unknown here counts as an empty batch."""
    kind = response.WhichOneof("message")
    if kind == "welcome":
        return Welcome()
    if kind == "farewell":
        return Farewell()
    if kind == "fault":
        name = service_pb.FaultReason.Name(response.fault.reason)
        return Fault(name.removeprefix("FAULT_REASON_"), response.fault.message)
    batch = response.batch
    return Batch(
        [(start.game, _game_start(start)) for start in batch.game_starts],
        [(end.game, _round_end(end)) for end in batch.round_ends],
        [(end.game, _game_end(end)) for end in batch.game_ends],
        [(start.game, _round_start(start)) for start in batch.round_starts],
        [_new(TurnToPlay, (turn.turn, turn.game, TurnSeen(turn))) for turn in batch.turns],
    )


class _LastRuleset:
    """The ruleset read last: one after the other is the same, in every turn."""

    message = game_pb.Ruleset()
    ruleset: Ruleset | None = None


def _ruleset(message: game_pb.Ruleset) -> Ruleset:
    last = _LastRuleset
    if last.ruleset is None or message != last.message:
        last.ruleset = Ruleset(
            target=message.target,
            scoring=SCORINGS[message.scoring],
            follow=FOLLOW_RULES[message.follow],
        )
        last.message = message
    return last.ruleset


def _game_start(message: game_pb.GameStart) -> GameStart:
    return GameStart(
        ruleset=_ruleset(message.ruleset),
        first_dealer=Player(message.first_dealer),
        bot_seed=message.bot_seed,
    )


def _round_start(message: game_pb.RoundStart) -> RoundStart:
    return RoundStart.of(
        RoundOpening(
            message.round,
            message.dealer,
            message.hand,
            message.trump_card,
            message.score,
            message.opponent_score,
        )
    )


def _round_end(message: game_pb.RoundEnd) -> RoundEnd:
    return RoundEnd(
        RoundSummary(
            message.round,
            message.history,
            message.leaders,
            message.drawn,
            message.points,
            message.opponent_points,
            message.score,
            message.opponent_score,
        )
    )


def _game_end(message: game_pb.GameEnd) -> GameEnd:
    return GameEnd(
        outcome=OUTCOMES[message.outcome],
        score=message.score,
        opponent_score=message.opponent_score,
        termination=TERMINATIONS[message.termination],
        reason=message.reason,
    )
