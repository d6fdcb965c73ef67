"""How a bot process can fail: protocol faults, and the failures that end all its games."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import grpc

from californiajack import CaliforniaJackError, Termination


class FaultReason(Enum):
    """How a bot broke the protocol.

    The names are those of ``FaultReason`` in ``proto/californiajack/v1/referee_service.proto``.
    """

    BAD_TOKEN = "BAD_TOKEN"  # noqa: S105 - a name, no secret
    UNSUPPORTED_VERSION = "UNSUPPORTED_VERSION"
    OUT_OF_ORDER = "OUT_OF_ORDER"
    MALFORMED = "MALFORMED"
    UNKNOWN_TURN = "UNKNOWN_TURN"
    TURN_ANSWERED_TWICE = "TURN_ANSWERED_TWICE"
    SECOND_STREAM = "SECOND_STREAM"
    TOO_MUCH = "TOO_MUCH"
    TOO_LATE = "TOO_LATE"
    REFEREE = "REFEREE"


CODES = {
    FaultReason.BAD_TOKEN: grpc.StatusCode.UNAUTHENTICATED,
    FaultReason.UNSUPPORTED_VERSION: grpc.StatusCode.FAILED_PRECONDITION,
    FaultReason.OUT_OF_ORDER: grpc.StatusCode.FAILED_PRECONDITION,
    FaultReason.MALFORMED: grpc.StatusCode.INVALID_ARGUMENT,
    FaultReason.UNKNOWN_TURN: grpc.StatusCode.INVALID_ARGUMENT,
    FaultReason.TURN_ANSWERED_TWICE: grpc.StatusCode.INVALID_ARGUMENT,
    FaultReason.SECOND_STREAM: grpc.StatusCode.ALREADY_EXISTS,
    FaultReason.TOO_MUCH: grpc.StatusCode.RESOURCE_EXHAUSTED,
    FaultReason.TOO_LATE: grpc.StatusCode.DEADLINE_EXCEEDED,
    FaultReason.REFEREE: grpc.StatusCode.INTERNAL,
}
"""The gRPC code that a stream ends with, by its fault."""


class ProtocolFaultError(CaliforniaJackError):
    """A bot broke the protocol; its stream ends.

    Attributes:
        reason: which rule of the protocol.
        message: one sentence, sent to the bot.
    """

    def __init__(self, reason: FaultReason, message: str) -> None:
        self.reason = reason
        self.message = message
        super().__init__(f"{message} ({reason.name})")


@dataclass(frozen=True, slots=True)
class Failure:
    """The end of a bot process before its time: it loses all games it has in play."""

    seat: int
    """The seat at fault."""
    termination: Termination
    """What kind of failure."""
    predicate: str
    """What it did, to be put after its name: ``crashed: …``."""
    detail: str = ""
    """The last lines of its standard error."""
    excuse: str = ""
    """What the machine did to make it fail; where there is something, its games are void."""


def one_line(text: str) -> str:
    """Makes a bot's words fit to be shown: one line, nothing that would upset a terminal."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
