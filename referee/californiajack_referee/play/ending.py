"""How a bot's process came to its end, in words for the verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from californiajack import Termination
from californiajack_referee.play.faults import Failure, FaultReason, ProtocolFaultError
from californiajack_referee.play.launch import describe_exit
from californiajack_referee.play.session import State

if TYPE_CHECKING:
    from californiajack_referee.play.launch import BotProcess
    from californiajack_referee.play.session import Session


async def explain_end(
    session: Session, process: BotProcess, fault: ProtocolFaultError | None
) -> Failure:
    """Says why a bot's stream or process has ended in the middle of the games.

    Args:
        session: its conversation.
        process: its process, which may live on.
        fault: what ended its stream; None where the bot closed it.
    """
    seat = session.seat
    if process.overrun is not None:
        return Failure(seat, Termination.CRASH, process.overrun, await process.last_lines())
    if fault is not None:
        kind = Termination.TIMEOUT if fault.reason is FaultReason.TOO_LATE else None
        return Failure(seat, kind or Termination.PROTOCOL_ERROR, f"broke the protocol: {fault}")
    # also of one that lives on: its author sees what it said last
    detail = await process.last_lines()
    if not session.ready:
        how = describe_exit(process.exited.result()) if process.exited.done() else "it left"
        predicate = f"never started: {how} before it was ready{session.refusal}"
        return Failure(seat, Termination.NEVER_STARTED, predicate, detail)
    if session.state is State.GONE:
        predicate = "left: it said goodbye in the middle of the games"
        return Failure(seat, Termination.DISCONNECT, predicate, detail)
    if process.exited.done():
        how = describe_exit(process.exited.result())
        return Failure(seat, Termination.CRASH, f"crashed: {how}", detail)
    predicate = "left: it closed its stream in the middle of the games"
    return Failure(seat, Termination.DISCONNECT, predicate, detail)


def too_late(failure: Failure) -> ProtocolFaultError:
    """Gives what a bot is told whose process is ended for its silence."""
    if failure.excuse:
        message = f"The machine made the bot late, the bot is not to blame: {failure.excuse}."
        return ProtocolFaultError(FaultReason.REFEREE, message)
    return ProtocolFaultError(FaultReason.TOO_LATE, f"The bot {failure.predicate}.")
