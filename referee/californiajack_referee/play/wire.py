"""The referee's half of the conversion between the protocol's messages and plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError, Message
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status as StatusMessage
from grpc_status import rpc_status

from californiajack.cards import CARDS, format_cards
from californiajack.v1 import game_pb2 as game_pb
from californiajack.v1 import referee_service_pb2 as service_pb
from californiajack.wire import FOLLOW_RULES, PROTOCOL_VERSION, SCORINGS
from californiajack_referee.play.faults import CODES, FaultReason, ProtocolFaultError

if TYPE_CHECKING:
    import grpc

    from californiajack import Ruleset
    from californiajack_referee.values import Limits

SERVICE = service_pb.DESCRIPTOR.services_by_name["RefereeService"].full_name
METHOD = "Play"
ERROR_DOMAIN = "californiajack"
LONGEST_REQUEST = 64 * 1024
"""The longest message taken from a bot, in bytes."""

_SCORING_NUMBERS = {value: number for number, value in SCORINGS.items()}
_FOLLOW_NUMBERS = {value: number for number, value in FOLLOW_RULES.items()}


_CARD_FIELDS = ("card", "led", "stock_top", "trump_card")


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


def describe(way: str, data: bytes) -> str:
    """Writes a message of either side for a person, cards by their short names.

    Args:
        way: ``from`` for a message of the bot, ``to`` for one to it.
        data: the message.
    """
    kind = service_pb.PlayRequest if way == "from" else service_pb.PlayResponse
    try:
        return _describe(kind.FromString(data))
    except DecodeError:
        return f"no message of the protocol: {data[:40]!r}"


def _describe(message: Message) -> str:
    parts = []
    given = {field.name for field, _ in message.ListFields()}
    for field in message.DESCRIPTOR.fields:
        # the two of clubs is number 0, which a message doesn't spell out
        if field.name not in given and (field.has_presence or field.name not in _CARD_FIELDS):
            continue
        value = getattr(message, field.name)
        many = not isinstance(value, str | bytes | int | Message)
        parts += [f"{field.name} {_value(field, one)}" for one in (value if many else (value,))]
    return "{" + ", ".join(parts) + "}"


def _value(field: Any, value: Any) -> str:  # noqa: ANN401 - a field, of one of two types
    if isinstance(value, Message):
        return _describe(value)
    if isinstance(value, bytes):
        return value.hex(" ") if field.name == "leaders" else f"[{format_cards(value)}]"
    if field.enum_type is not None:
        return str(field.enum_type.values_by_number[value].name)
    if field.name == "token":
        return "..."
    return (
        format_cards([value]) if field.name in _CARD_FIELDS and value < len(CARDS) else repr(value)
    )


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
