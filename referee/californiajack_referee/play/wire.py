"""The referee's half of the conversion between the protocol's messages and plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status as StatusMessage
from grpc_status import rpc_status

from californiajack.v1 import game_pb2 as game_pb
from californiajack.v1 import referee_service_pb2 as service_pb
from californiajack.wire import FOLLOW_RULES, OUTCOMES, PROTOCOL_VERSION, SCORINGS, TERMINATIONS
from californiajack_referee.play.faults import CODES, FaultReason, ProtocolFaultError

if TYPE_CHECKING:
    import grpc

    from californiajack import GameEnd, Ruleset
    from californiajack.observation import Observation, RoundOpening, RoundSummary
    from californiajack_referee.values import Limits

SERVICE = service_pb.DESCRIPTOR.services_by_name["RefereeService"].full_name
METHOD = "Play"
ERROR_DOMAIN = "californiajack"
LONGEST_REQUEST = 64 * 1024
"""The longest message taken from a bot, in bytes."""
MOST_GAMES = 1024
FULL_MESSAGE = 64
"""Turns that fill a message: enough to make its own cost small beside theirs."""

_SCORING_NUMBERS = {value: number for number, value in SCORINGS.items()}
_FOLLOW_NUMBERS = {value: number for number, value in FOLLOW_RULES.items()}
_OUTCOME_NUMBERS = {value: number for number, value in OUTCOMES.items()}
_TERMINATION_NUMBERS = {value: number for number, value in TERMINATIONS.items()}


class Hello(NamedTuple):
    """A bot introduces itself."""

    version: int
    token: str
    max_games: int
    software: str


class Ready(NamedTuple):
    """A bot waits for games."""


class Moves(NamedTuple):
    """A bot answers turns."""

    moves: list[tuple[int, int]]
    """Pairs of a turn's number and a card's."""


class Forfeit(NamedTuple):
    """A bot gives a game up."""

    game: int
    reason: str


class Goodbye(NamedTuple):
    """A bot leaves."""


Request = Hello | Ready | Moves | Forfeit | Goodbye


def read(data: bytes) -> Request:
    """Reads a bot's message.

    Raises:
        ProtocolFaultError: it is no message of the protocol, or too long.
    """
    if len(data) > LONGEST_REQUEST:
        raise ProtocolFaultError(
            FaultReason.TOO_MUCH,
            f"The message has {len(data)} bytes; expected {LONGEST_REQUEST} at most.",
        )
    try:
        request = service_pb.PlayRequest.FromString(data)
    except DecodeError:
        raise ProtocolFaultError(
            FaultReason.MALFORMED, "The message is no PlayRequest: it can't be decoded."
        ) from None
    kind = request.WhichOneof("message")
    if kind == "moves":
        return Moves([(move.turn, move.card) for move in request.moves.moves])
    if kind == "hello":
        hello = request.hello
        return Hello(hello.version, hello.token, hello.max_games, hello.software)
    if kind == "ready":
        return Ready()
    if kind == "forfeit":
        return Forfeit(request.forfeit.game, request.forfeit.reason)
    if kind == "goodbye":
        return Goodbye()
    raise ProtocolFaultError(
        FaultReason.MALFORMED,
        "The PlayRequest says nothing: expected one of hello, ready, moves, forfeit, goodbye.",
    )


def welcome(limits: Limits) -> bytes:
    """Writes the answer to a Hello."""
    return service_pb.PlayResponse(
        welcome=service_pb.Welcome(
            version=PROTOCOL_VERSION,
            ready_time_ms=round(limits.ready_seconds * 1000),
            move_time_ms=round(limits.move_seconds * 1000),
            bank_ms=round(limits.bank_seconds * 1000),
            shutdown_time_ms=round(limits.shutdown_seconds * 1000),
            max_message_bytes=LONGEST_REQUEST,
            game_time_ms=round(limits.game_seconds * 1000),
        )
    ).SerializeToString()


def farewell() -> bytes:
    """Writes that there are no more games."""
    return service_pb.PlayResponse(farewell=service_pb.Farewell()).SerializeToString()


def fault(error: ProtocolFaultError) -> bytes:
    """Writes that the bot broke the protocol."""
    reason = service_pb.FaultReason.Value(f"FAULT_REASON_{error.reason.name}")
    return service_pb.PlayResponse(
        fault=service_pb.Fault(reason=reason, message=error.message)
    ).SerializeToString()


def status(error: ProtocolFaultError) -> grpc.Status:
    """Gives the gRPC status that a stream ends with after a fault, its ErrorInfo included."""
    detail = AnyMessage()
    detail.Pack(ErrorInfo(reason=error.reason.name, domain=ERROR_DOMAIN))
    code: int = CODES[error.reason].value[0]
    found: grpc.Status = rpc_status.to_status(
        StatusMessage(code=code, message=error.message, details=[detail])
    )
    return found


def ruleset_message(ruleset: Ruleset) -> game_pb.Ruleset:
    """Writes a ruleset."""
    return game_pb.Ruleset(
        target=ruleset.target,
        scoring=_SCORING_NUMBERS[ruleset.scoring],
        follow=_FOLLOW_NUMBERS[ruleset.follow],
    )


class _Draft:
    """A Batch being written."""

    __slots__ = ("batch", "last_list", "response", "turns")

    def __init__(self) -> None:
        self.response = service_pb.PlayResponse()
        self.batch = self.response.batch
        self.turns: list[int] = []
        self.last_list: dict[int, int] = {}  # by game: the number of the list it stands in last


class Outbox:
    """The news for one bot that have not been sent yet, gathered into as few messages as possible.

    A bot handles the lists of a Batch in the order of their field numbers. Where that would put
    the news of one game out of order, a new message is begun.
    """

    def __init__(self) -> None:
        """Starts empty."""
        self._drafts: list[_Draft] = []
        # all games of a stream have the same rules, so one message is enough
        self._last_ruleset: Ruleset | None = None
        self._last_message = game_pb.Ruleset()

    def __bool__(self) -> bool:
        """Whether there is something to send."""
        return bool(self._drafts)

    @property
    def full(self) -> bool:
        """Whether the next message is as full as it will be."""
        drafts = self._drafts
        return len(drafts) > 1 or (bool(drafts) and len(drafts[0].turns) >= FULL_MESSAGE)

    def take(self) -> tuple[bytes, list[int]]:
        """Gives the next message, and the numbers of the turns in it.

        Raises:
            IndexError: there is none.
        """
        draft = self._drafts.pop(0)
        return draft.response.SerializeToString(), draft.turns

    def clear(self) -> None:
        """Throws away all that has not been sent."""
        self._drafts.clear()

    def _draft_for(self, game: int, list_number: int) -> _Draft:
        drafts = self._drafts
        if (
            not drafts
            or len(drafts[-1].turns) >= FULL_MESSAGE
            or drafts[-1].last_list.get(game, 0) > list_number
        ):
            drafts.append(_Draft())
        draft = drafts[-1]
        draft.last_list[game] = list_number
        return draft

    def _ruleset(self, ruleset: Ruleset) -> game_pb.Ruleset:
        if ruleset is not self._last_ruleset:
            self._last_ruleset = ruleset
            self._last_message = ruleset_message(ruleset)
        return self._last_message

    def game_start(self, game: int, ruleset: Ruleset, first_dealer: int, bot_seed: int) -> None:
        """Adds that a game begins; `first_dealer` is a player (1 you, 2 your opponent)."""
        self._draft_for(game, 1).batch.game_starts.add(
            game=game,
            ruleset=self._ruleset(ruleset),
            first_dealer=first_dealer,
            bot_seed=bot_seed,
        )

    def round_end(self, game: int, seen: RoundSummary) -> None:
        """Adds that a round has ended."""
        self._draft_for(game, 2).batch.round_ends.add(
            game=game,
            round=seen.round_number,
            history=seen.history,
            leaders=seen.leaders,
            drawn=seen.drawn,
            points=seen.points,
            opponent_points=seen.opponent_points,
            score=seen.score,
            opponent_score=seen.opponent_score,
        )

    def game_end(self, game: int, end: GameEnd) -> None:
        """Adds that a game is over."""
        self._draft_for(game, 3).batch.game_ends.add(
            game=game,
            outcome=_OUTCOME_NUMBERS[end.outcome],
            score=end.score,
            opponent_score=end.opponent_score,
            termination=_TERMINATION_NUMBERS[end.termination],
            reason=end.reason,
        )

    def round_start(self, game: int, seen: RoundOpening) -> None:
        """Adds that a round begins."""
        self._draft_for(game, 4).batch.round_starts.add(
            game=game,
            round=seen.round_number,
            dealer=seen.dealer,
            hand=seen.hand,
            trump_card=seen.trump_card,
            score=seen.score,
            opponent_score=seen.opponent_score,
        )

    def turn(self, turn: int, game: int, seen: Observation) -> None:
        """Adds a turn to answer."""
        draft = self._draft_for(game, 5)
        draft.turns.append(turn)
        # set one by one: twice as quick as all in the call
        message = draft.batch.turns.add()
        message.turn = turn
        message.game = game
        message.round = seen.round_number
        message.hand = seen.hand
        message.legal = seen.legal
        message.trump_card = seen.trump_card
        if seen.led is not None:
            message.led = seen.led
        if seen.stock_top is not None:
            message.stock_top = seen.stock_top
        message.stock_size = seen.stock_size
        message.history = seen.history
        message.leaders = seen.leaders
        message.drawn = seen.drawn
        message.opponent_known = seen.opponent_known
        message.opponent_unknown = seen.opponent_unknown
        message.unseen = seen.unseen
        message.captured = seen.captured
        message.opponent_captured = seen.opponent_captured
        message.score = seen.score
        message.opponent_score = seen.opponent_score
        message.dealer = seen.dealer  # type: ignore[assignment] # a plain number here
        message.move_time_ms = seen.move_time_ms
        message.bank_ms = seen.bank_ms
        message.ruleset.CopyFrom(self._ruleset(seen.ruleset))
