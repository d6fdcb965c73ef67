"""`run` in real processes against a scripted referee, and what it hands to a bot."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import pytest

from californiajack import Bot, Card, GameEnd, InputError, Ruleset, View, run, wire
from californiajack.client import Table
from californiajack.deal import bot_seed_of, deck_of
from californiajack.explain import explain
from californiajack.local import play_game
from californiajack.observation import Observation, observe
from californiajack.replies import Replies
from californiajack.rules import Game
from californiajack.v1 import referee_service_pb2 as service_pb
from californiajack_referee.play import session as referee_session
from californiajack_referee.play import table as referee_table
from californiajack_referee.play import wire as referee_wire
from californiajack_referee.play.faults import FaultReason, ProtocolFaultError
from californiajack_referee.play.outbox import Outbox
from californiajack_referee.values import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Request = service_pb.PlayRequest
    Script = Callable[["Talk"], None]

RANDOM = Path(__file__).parents[2] / "sample_bots" / "random" / "bot.py"
SEED = bytes(range(16))
TURNS = 6


class Talk:
    """A scripted referee's side of a conversation."""

    def __init__(self, requests: Iterator[bytes]) -> None:
        """Reads requests as they are asked for."""
        self._requests = requests
        self.out: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    def hear(self) -> Request:
        """Reads the bot's next message."""
        return service_pb.PlayRequest.FromString(next(self._requests))

    def begin(self) -> service_pb.Hello:
        """Speaks up to the bot's Ready."""
        hello = self.hear()
        assert hello.HasField("hello")
        self.out.put(referee_wire.welcome(Limits()))
        assert self.hear().HasField("ready")
        return hello.hello

    def send_turns(self) -> None:
        """Begins games with a turn each, all in one message."""
        box = Outbox()
        for game in range(TURNS):
            box.game_start(game, Ruleset(), 2, game)
            deal = Game(Ruleset(), lambda r, d=game: deck_of(SEED, d, r), 1)  # type: ignore[misc] # bound early
            box.turn(10 + game, game, observe(deal))
        self.out.put(box.take()[0])

    def end(self) -> None:
        """Says farewell and hears the bot leave."""
        self.out.put(referee_wire.farewell())
        assert self.hear().HasField("goodbye")
        assert next(self._requests, None) is None


def serve(
    server: grpc.Server, play: Callable[[Iterator[bytes], grpc.ServicerContext], Iterator[bytes]]
) -> None:
    """Gives a server its one method."""
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(play)
    methods = {referee_wire.METHOD: handler}
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(referee_wire.SERVICE, methods),)
    )


@contextmanager
def referee(
    folder: Path, script: Script
) -> Iterator[tuple[str, queue.SimpleQueue[BaseException | None]]]:
    """A server that plays a script to the bot that dials; gives its address and the outcome."""
    outcome: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()

    def play(requests: Iterator[bytes], _: grpc.ServicerContext) -> Iterator[bytes]:
        talk = Talk(requests)

        def tell() -> None:
            try:
                script(talk)
                outcome.put(None)
            except BaseException as error:  # noqa: BLE001 - told to the test
                outcome.put(error)
            finally:
                talk.out.put(None)

        teller.submit(tell)
        yield from iter(talk.out.get, None)

    with ThreadPoolExecutor(2) as teller, ThreadPoolExecutor(2) as pool:
        server = grpc.server(pool)
        serve(server, play)
        address = f"unix:{folder}/s.sock"
        server.add_insecure_port(address)
        server.start()
        try:
            yield address, outcome
        finally:
            server.stop(0).wait()


def start(program: str | Path, address: str | None) -> subprocess.CompletedProcess[str]:
    """Runs a bot's program to its end: a file's path, or code."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CALJACK")}
    if address is not None:
        environment |= {"CALJACK_ADDRESS": address, "CALJACK_TOKEN": "the token"}
    command = [str(program)] if isinstance(program, Path) else ["-c", program]
    return subprocess.run(
        [sys.executable, *command],
        env=environment,
        capture_output=True,
        text=True,
        timeout=40,
        check=False,
    )


def perform(
    folder: Path, script: Script, program: str | Path = RANDOM
) -> subprocess.CompletedProcess[str]:
    """Plays a script to a bot's process; what went wrong in the script fails the test."""
    with referee(folder, script) as (address, outcome):
        done = start(program, address)
        error = outcome.get(timeout=10)
    if error is not None:
        raise AssertionError(f"the script failed; the bot said: {done.stderr}") from error
    return done


# The process.


def test_without_a_referee_it_says_what_it_is() -> None:
    """A bot started by hand ends with status 2 and tells its author what to do."""
    for variables in ({}, {"CALJACK_ADDRESS": "unix:/x"}, {"CALJACK_TOKEN": "x"}):
        done = subprocess.run(
            [sys.executable, str(RANDOM)],
            env={**{k: v for k, v in os.environ.items() if "CALJACK" not in k}, **variables},
            capture_output=True,
            text=True,
            timeout=40,
            check=False,
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert "the referee starts it" in done.stderr
        assert "caljack submit FOLDER" in done.stderr


@pytest.mark.parametrize("address", ["unix:/tmp/no-such-folder/s.sock", "127.0.0.1:1"])
def test_a_referee_that_is_not_there(address: str) -> None:
    """The process ends soon, with status 1 and one line that names the address."""
    began = time.monotonic()
    done = start(RANDOM, address)
    assert time.monotonic() - began < 20
    assert done.returncode == 1
    assert done.stderr.startswith(f"The referee at {address} is gone: ")
    assert "Traceback" not in done.stderr


def test_a_whole_conversation(tmp_path: Path) -> None:
    """It introduces itself, answers every turn once with a legal card, and takes its leave."""

    def script(talk: Talk) -> None:
        hello = talk.begin()
        assert (hello.version, hello.token) == (1, "the token")
        assert hello.max_games == signature(run).parameters["max_games"].default
        assert hello.software.startswith("californiajack Python 3.")
        talk.send_turns()
        answered: dict[int, int] = {}
        while len(answered) < TURNS:
            moves = talk.hear().moves.moves
            assert moves
            assert not answered.keys() & {move.turn for move in moves}
            answered |= {move.turn: move.card for move in moves}
        for game in range(TURNS):
            deal = Game(Ruleset(), lambda r, d=game: deck_of(SEED, d, r), 1)  # type: ignore[misc] # bound early
            assert deal.round.legal() >> answered[10 + game] & 1
        talk.end()

    done = perform(tmp_path, script)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_referee_that_refuses(tmp_path: Path) -> None:
    """The fault's sentence and name are told; the process ends with status 1."""

    def script(talk: Talk) -> None:
        talk.hear()
        fault = ProtocolFaultError(FaultReason.BAD_TOKEN, "The token is wrong.")
        talk.out.put(referee_wire.fault(fault))

    done = perform(tmp_path, script)
    assert done.returncode == 1
    assert done.stderr == "The referee ended the conversation: The token is wrong. (BAD_TOKEN)\n"


def test_a_referee_that_dies(tmp_path: Path) -> None:
    """A conversation cut off ends the process with status 1 and one line."""

    def play(requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
        next(requests)
        yield referee_wire.welcome(Limits())
        context.abort(grpc.StatusCode.UNAVAILABLE, "gone for lunch")

    with ThreadPoolExecutor(1) as pool:
        server = grpc.server(pool)
        serve(server, play)
        server.add_insecure_port(f"unix:{tmp_path}/s.sock")
        server.start()
        done = start(RANDOM, f"unix:{tmp_path}/s.sock")
        server.stop(0).wait()
    assert done.returncode == 1
    assert "is gone: gone for lunch" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_slow_bots_answers_do_not_wait(tmp_path: Path) -> None:
    """Each answer goes out while the next turns of the same message are still thought about."""
    program = """
import time
from californiajack import Bot, run
class Slow(Bot):
    def choose(self, view):
        time.sleep(0.15)
        return view.legal[0]
run(Slow)
"""

    def script(talk: Talk) -> None:
        talk.begin()
        talk.send_turns()
        for game in range(TURNS):
            assert [move.turn for move in talk.hear().moves.moves] == [10 + game]
        talk.end()

    assert perform(tmp_path, script, program).returncode == 0


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("raise KeyError(3)", "KeyError: 3 (line 5 of <string>)"),
        ("return 7", "choose() returned 7, expected a Card: return one of view.legal, such as "),
    ],
)
def test_games_given_up(tmp_path: Path, body: str, words: str) -> None:
    """What choose raises, or returns that is no Card, gives up that game; it is printed whole."""
    program = f"""
from californiajack import Bot, run
class Wrong(Bot):
    def choose(self, view):
        {body}
run(Wrong)
"""

    def script(talk: Talk) -> None:
        talk.begin()
        talk.send_turns()
        for game in range(TURNS):
            forfeit = talk.hear().forfeit
            assert forfeit.game == game
            assert forfeit.reason.startswith(words)
        talk.end()

    done = perform(tmp_path, script, program)
    assert done.returncode == 0
    assert done.stderr.count("Traceback (most recent call last)") == TURNS


def test_a_factory_that_makes_no_bot(tmp_path: Path) -> None:
    """Every game is given up, with what `run` wants; no turn is answered."""

    def script(talk: Talk) -> None:
        talk.begin()
        talk.send_turns()
        for game in range(TURNS):
            forfeit = talk.hear().forfeit
            assert forfeit.game == game
            assert "expected the factory to give a Bot, got dict" in forfeit.reason
        talk.end()

    assert perform(tmp_path, script, "from californiajack import run; run(dict)").returncode == 0


@pytest.mark.parametrize("number", [0, -1, 1025])
def test_a_number_of_games_out_of_range(number: int) -> None:
    """It is the author's error, told before anything is dialled."""
    with pytest.raises(InputError, match=f"expected a number from 1 to 1024, got {number}"):
        run(Listener, max_games=number)


# What a bot is told.


class Listener(Bot):
    """Plays by its own chance and writes down all that it is told."""

    def __init__(self) -> None:
        """Has been told nothing."""
        self.told: list[object] = []

    def choose(self, view: View) -> Card:
        """Writes down the view, but for the clock, and plays any legal card."""
        told = {name: getattr(view._seen, name) for name in Observation._fields}
        self.told.append(View(Observation(**told)._replace(move_time_ms=0, bank_ms=0)))
        return self.rng.choice(view.legal)

    def on_game_start(self, start: object) -> None:
        """Writes it down."""
        self.told.append(start)

    def on_round_start(self, start: object) -> None:
        """Writes it down."""
        self.told.append(start)

    def on_round_end(self, end: object) -> None:
        """Writes it down."""
        self.told.append(end)

    def on_game_end(self, end: object) -> None:
        """Writes it down."""
        self.told.append(end)


def told_over_the_wire(deal: int) -> list[Listener]:
    """Plays a game with the referee's tables and sessions and the client's tables, in bytes."""
    bots: list[Listener] = []

    def make() -> Bot:
        bots.append(Listener())
        return bots[-1]

    sessions = [referee_session.Session(seat, "t", Limits(), 0.0) for seat in (0, 1)]
    inboxes: list[list[Request]] = [[], []]
    clients = []
    for seat, session in enumerate(sessions):
        session.greet(referee_wire.Hello(1, "t", 1, ""), 0.0)
        session.take(0.0)
        session.receive(referee_wire.Ready(), 0.0)
        clients.append(Table(make, Replies(inboxes[seat].append)))
    order = referee_table.TableOrder(0, deal, SEED, Ruleset(), Limits(), ("a", "b"))
    table = referee_table.Table(order, (sessions[0], sessions[1]), lambda _: None)
    table.start()
    while any(session.has_news for session in sessions):
        for session, client, inbox in zip(sessions, clients, inboxes, strict=True):
            while (message := session.take(0.0)) is not None:
                batch = wire.read(service_pb.PlayResponse.FromString(message))
                assert isinstance(batch, wire.Batch)
                client.handle(batch)
            for request in inbox:
                session.receive(referee_wire.read(request.SerializeToString()), 0.0)
            inbox.clear()
    return bots


def test_local_play_and_the_wire_tell_the_same() -> None:
    """Every view and every hook of a game has the same value, in the same order, on both paths."""
    for deal in range(3):
        local: list[Listener] = []

        def make(local: list[Listener] = local) -> Bot:
            local.append(Listener())
            return local[-1]

        record = play_game(make, make, seed=SEED, deal=deal)
        far = told_over_the_wire(deal)
        assert len(local) == len(far) == 2
        for here, there in zip(local, far, strict=True):
            assert here.told == there.told
            assert isinstance(here.told[-1], GameEnd)
        assert record.winner is not None
    assert bot_seed_of(SEED, 0, 0, 0) != bot_seed_of(SEED, 0, 0, 1)


def test_the_line_named_is_the_authors_own() -> None:
    """An error raised inside the library or this package is told by the line that led there."""

    class Careless(Listener):
        def choose(self, view: View) -> Card:  # noqa: ARG002 - the bot's form
            return self.rng.choice(())

    game = Game(Ruleset(), lambda r: deck_of(SEED, 0, r), 0)
    sent: list[Request] = []
    table = Table(Careless, Replies(sent.append))
    box = Outbox()
    box.game_start(0, Ruleset(), 1, 5)
    box.turn(2, 0, observe(game))
    batch = wire.read(service_pb.PlayResponse.FromString(box.take()[0]))
    assert isinstance(batch, wire.Batch)
    table.handle(batch)
    (request,) = sent
    assert request.forfeit.reason.startswith("IndexError: ")
    assert request.forfeit.reason.endswith(" of test_client.py)")


def test_an_error_from_nowhere() -> None:
    """One that was never raised has no line."""
    assert explain(ValueError("x")) == "ValueError: x"
    assert explain(InputError("bad")) == "bad"
