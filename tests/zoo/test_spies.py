"""Bots that look where they have no business: under bubblewrap they get nothing."""

from __future__ import annotations

import os
import socket
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from californiajack import Termination
from californiajack_referee.sandbox.choice import bubblewrap_problem
from californiajack_referee.values import Layer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.zoo.conftest import Visit, Zoo

GREEDY = Path(__file__).parents[2] / "sample_bots" / "greedy"
SPIES = (
    "reads_folder",
    "reads_environment",
    "reads_memory",
    "dials_its_opponents_socket",
    "opens_the_network",
    "signals_the_referee",
)
SUCCESSFUL = (
    *("reads_folder", "dials_its_opponents_socket", "opens_the_network"),
    # both programs hide their memory from all but root
    *(("reads_environment", "reads_memory") if os.geteuid() == 0 else ()),
)
"""Those that get what they are after where there is no sandbox; the signal is not tried."""
needs_bubblewrap = pytest.mark.skipif(
    bubblewrap_problem() is not None,
    reason=f"BOTS ARE NOT SHOWN TO BE LOCKED IN: {bubblewrap_problem()}",
)


@pytest.fixture
def port() -> Iterator[int]:
    """Gives the port of a server on this machine."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def visit(zoo: Zoo, mark: str, fault: str, port: int, layer: Layer) -> Visit:
    """Has a spy play, which is told what it might have guessed."""
    told = str(port) if fault == "opens_the_network" else str(GREEDY)
    return zoo.visit(zoo.order("spy", fault, mark, told, str(zoo.pid), layer=layer))


@pytest.mark.parametrize("fault", SPIES)
@needs_bubblewrap
def test_a_spy_gets_nothing(fault: str, zoo: Zoo, mark: str, port: int) -> None:
    """It plays all its games, has got nothing, and spoils nothing for others."""
    seen = visit(zoo, mark, fault, port, Layer.BUBBLEWRAP)
    assert "got" not in seen.log
    assert [game.verdict.termination for game in seen.games] == [Termination.NORMAL] * 3
    zoo.check_that_nothing_is_spoilt(seen)


@pytest.mark.parametrize("fault", SUCCESSFUL)
def test_the_spies_know_their_trade(fault: str, zoo: Zoo, mark: str, port: int) -> None:
    """Without a sandbox each gets what it is after: so what the test above shows is not nothing."""
    assert "got" in visit(zoo, mark, fault, port, Layer.PROCESS).log


def remembering(zoo: Zoo, mark: str, layer: Layer) -> tuple[Visit, Visit]:
    """Has a bot that notes all it sees play both halves of its pairs, one after the other."""
    arguments = ("spy", "remembers_deals", mark, "", str(zoo.pid))
    first, second = (zoo.order(*arguments, layer=layer, seating=seating) for seating in (0, 1))
    assert first.deals == second.deals
    return zoo.visit(first), zoo.visit(replace(second, seating=1))


@needs_bubblewrap
def test_nothing_is_remembered(zoo: Zoo, mark: str) -> None:
    """In the other half of a pair no deal is known: not from memory, files or shared memory."""
    first, second = remembering(zoo, mark, Layer.BUBBLEWRAP)
    for half in (first, second):
        assert "got" not in half.log
        assert [game.verdict.termination for game in half.games] == [Termination.NORMAL] * 3
        zoo.check_that_nothing_is_spoilt(half)


def test_without_a_sandbox_only_its_own_memory_is_fresh(zoo: Zoo, mark: str) -> None:
    """Then its notes in shared memory are found, and the bot that seeks them does find them."""
    try:
        _, second = remembering(zoo, mark, Layer.PROCESS)
        assert "got a deal that it knew, from /dev/shm" in second.log
        assert "from memory" not in second.log
    finally:
        zoo.remove_notes(mark)
