"""Every bot of the zoo gets its verdict, and spoils nothing for anybody else."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from californiajack import Termination
from californiajack_referee.sandbox.choice import bubblewrap_problem
from californiajack_referee.values import Layer

if TYPE_CHECKING:
    from tests.zoo.conftest import Zoo


@dataclass(frozen=True, slots=True)
class Fault:
    """A bot of the zoo, and what has to come of it."""

    name: str
    """What it does: the name of a function in its program."""
    kind: str
    """Its folder in ``bots``."""
    termination: Termination
    """The verdict on the games it loses by its fault."""
    words: str
    """What the verdict says after the bot's name, a regular expression."""
    detail: str = ""
    """What stands in the verdict's detail, the last lines of its output."""
    lost: int = 3
    """How many of its three games it loses so; the others are played to their end."""
    log: str = ""
    """What stands in the bot's log."""
    seconds: float = 10.0
    """How long its series may take: the limits it uses up, and a margin for a noisy machine."""
    start_seconds: float = 20.0
    """How long it may take to start."""
    move_seconds: float = 1.5
    """How long it may think; longer where something else has to end it first."""


NEVER, CRASH, LATE = Termination.NEVER_STARTED, Termination.CRASH, Termination.TIMEOUT
BROKE, ILLEGAL, NORMAL = Termination.PROTOCOL_ERROR, Termination.ILLEGAL_MOVE, Termination.NORMAL
NO_HELLO = r"never started: its process ended with exit status 1 before it was ready"
TOO_SLOW = r"(took [1-3]\.\d\d s over a card; 1\.50 s were allowed|hung: it said nothing for [1-3])"
CHEATED = r"played an illegal card: "

FAULTS = (
    Fault("never_starts", "start", NEVER, r"never started: no hello within 2 s", start_seconds=2),
    Fault("import_error", "start", NEVER, NO_HELLO, "No module named 'californiajak'"),
    Fault("dies_at_start", "start", NEVER, NO_HELLO, "no luck today"),
    Fault("wrong_token", "talk", NEVER, NO_HELLO + r".*\(BAD_TOKEN\)"),
    Fault("wrong_version", "talk", NEVER, NO_HELLO + r".*\(UNSUPPORTED_VERSION\)"),
    Fault("dies_in_mid_turn", "play", CRASH, r"crashed: .* exit status 7", "the last words"),
    Fault("dies_at_the_games_end", "play", CRASH, r"crashed: .* exit status 9", lost=2),
    Fault("sleeps", "play", LATE, TOO_SLOW, seconds=14),
    Fault("answers_late", "play", LATE, TOO_SLOW, lost=1, seconds=13),
    Fault("stops_itself", "play", LATE, TOO_SLOW, seconds=14),
    Fault("illegal_card", "play", ILLEGAL, CHEATED + r".* doesn't follow .*: legal are"),
    Fault("card_not_held", "play", ILLEGAL, CHEATED + r".* is not in the hand, which is"),
    Fault("answers_twice", "talk", BROKE, r"broke the protocol: .*\(TURN_ANSWERED_TWICE\)"),
    Fault("answers_for_another_game", "talk", BROKE, r"broke the protocol: .*\(UNKNOWN_TURN\)"),
    Fault("garbage_bytes", "talk", BROKE, r"broke the protocol: .*\(MALFORMED\)"),
    Fault("huge_message", "talk", CRASH, r"crashed: ", "RESOURCE_EXHAUSTED"),
    Fault("many_messages", "talk", BROKE, r"broke the protocol: .*\(TOO_MUCH\)"),
    Fault("many_streams", "talk", NORMAL, "", lost=0, log="refused: 1000"),
)
IN_A_BOX = (
    Fault(
        "forks_without_end",
        "greed",
        CRASH,
        "had more than 48 processes",
        seconds=25,
        move_seconds=20,
    ),
    Fault("eats_memory", "greed", CRASH, "used more than 256 MiB of memory", move_seconds=20),
    Fault("leaves_daemons", "greed", NORMAL, "", lost=0),
    Fault("floods_output", "greed", NORMAL, "", lost=0, log="[output over "),
)
PROCESS_ONLY = (
    Fault("fills_disk", "greed", CRASH, "wrote more than 32 MiB to its", move_seconds=20),
)
BUBBLEWRAP_ONLY = (
    # its folder has a size of its own there, and the bot is told so as by any full disk
    Fault("fills_disk", "greed", CRASH, "gave up after an error: OSError: .* No space", lost=1),
    Fault("dies_in_mid_turn", "play", CRASH, r"crashed: .* exit status 7", "the last words"),
    Fault("stops_itself", "play", LATE, TOO_SLOW, seconds=14),
    Fault("import_error", "start", NEVER, NO_HELLO, "No module named 'californiajak'"),
)


needs_bubblewrap = pytest.mark.skipif(
    bubblewrap_problem() is not None,
    reason=f"THE ZOO IS NOT SHOWN TO BE LOCKED IN: {bubblewrap_problem()}",
)


def named(fault: Fault) -> str:
    """Names a test."""
    return fault.name


def check(fault: Fault, zoo: Zoo, mark: str, layer: Layer) -> None:
    """Has a bad bot play, and holds what came of it against what has to."""
    order = zoo.order(fault.kind, fault.name, mark, layer=layer)
    limits = replace(
        order.limits, start_seconds=fault.start_seconds, move_seconds=fault.move_seconds
    )
    visit = zoo.visit(replace(order, limits=limits))
    zoo.check_that_nothing_is_spoilt(visit)
    assert visit.seconds < fault.seconds
    assert fault.log in visit.log
    assert [game.deal for game in visit.games] == list(order.deals)
    verdicts = [game.verdict for game in visit.games]
    lost = [verdict for verdict in verdicts if verdict.termination is not NORMAL]
    assert len(lost) == fault.lost, verdicts
    for verdict in lost:
        assert (verdict.termination, verdict.blame, verdict.winner) == (fault.termination, 0, 1)
        assert re.match(f"{fault.kind}@1 {fault.words}", verdict.words), verdict.words
        assert fault.detail in verdict.detail


@pytest.mark.parametrize("fault", FAULTS + IN_A_BOX + PROCESS_ONLY, ids=named)
def test_a_bad_bot(fault: Fault, zoo: Zoo, mark: str) -> None:
    """It loses by its own fault, in time and in words, and spoils nothing for others."""
    check(fault, zoo, mark, Layer.PROCESS)


@pytest.mark.parametrize("fault", IN_A_BOX + BUBBLEWRAP_ONLY, ids=named)
@needs_bubblewrap
def test_a_bad_bot_in_bubblewrap(fault: Fault, zoo: Zoo, mark: str) -> None:
    """There, too, it gets its verdict, and spoils nothing for others."""
    check(fault, zoo, mark, Layer.BUBBLEWRAP)
