"""The faults of the protocol, against the message definitions a stranger reads."""

from __future__ import annotations

from pathlib import Path

from californiajack.v1 import referee_service_pb2 as service_pb
from californiajack_referee.play.faults import CODES, FaultReason, ProtocolFaultError

PROTO = Path(__file__).parents[3] / "proto/californiajack/v1/referee_service.proto"


def test_the_reasons_are_those_of_the_protocol() -> None:
    """Every fault can be told in a message, and every one of the protocol's is known."""
    names = set(service_pb.FaultReason.keys()) - {"FAULT_REASON_UNSPECIFIED"}
    assert names == {f"FAULT_REASON_{reason.name}" for reason in FaultReason}


def test_the_codes_are_those_of_the_protocol() -> None:
    """Each fault ends a stream with the gRPC code that the protocol's file gives for it."""
    lines = PROTO.read_text().splitlines()
    for reason in FaultReason:
        (number,) = (n for n, line in enumerate(lines) if f" FAULT_REASON_{reason.name} =" in line)
        told = lines[number - 1].strip().removeprefix("// ").partition(":")[0]
        assert CODES[reason].name == told, reason


def test_a_fault_says_what_and_which() -> None:
    """Its text, which goes into verdicts, holds the sentence and the rule's name."""
    fault = ProtocolFaultError(FaultReason.MALFORMED, "It says nothing.")
    assert str(fault) == "It says nothing. (MALFORMED)"
    assert (fault.reason, fault.message) == (FaultReason.MALFORMED, "It says nothing.")
