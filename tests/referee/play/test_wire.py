"""The referee's half of the protocol's messages: there and back, in order, or refused."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from hypothesis import given, settings
from hypothesis import strategies as st

from californiajack import (
    FollowRule,
    GameEnd,
    Outcome,
    Player,
    RoundEnd,
    RoundStart,
    Ruleset,
    Scoring,
    Termination,
)
from californiajack import wire as sdk_wire
from californiajack.deal import deck_of
from californiajack.masks import cards_of
from californiajack.observation import observe, opening, summary
from californiajack.rules import Game
from californiajack.v1 import referee_service_pb2 as service_pb
from californiajack_referee.play import wire
from californiajack_referee.play.faults import CODES, FaultReason, ProtocolFaultError
from californiajack_referee.play.outbox import Outbox
from californiajack_referee.values import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

rulesets = st.builds(
    Ruleset, st.integers(1, 100), st.sampled_from(Scoring), st.sampled_from(FollowRule)
)
END = GameEnd(Outcome.WON, 11, 3, Termination.TIMEOUT, "Your opponent didn't answer in time.")


def unpack(outbox: Outbox) -> list[sdk_wire.Batch]:
    """Takes all messages out and reads them as a bot does."""
    batches = []
    while outbox:
        message, turns = outbox.take()
        batch = sdk_wire.read(service_pb.PlayResponse.FromString(message))
        assert isinstance(batch, sdk_wire.Batch)
        assert turns == [turn.turn for turn in batch.turns]
        batches.append(batch)
    return batches


def position(number: int, ruleset: Ruleset) -> Game:
    """A game in progress, played by chance."""
    chance = random.Random(number)
    game = Game(ruleset, lambda _: bytes(chance.sample(range(52), 52)), chance.randrange(2))
    for _ in range(chance.randrange(52 * 5)):
        before = game.round
        game.play(chance.choice(cards_of(game.round.legal())))
        if game.winner is not None:
            return position(number + 1, ruleset)
        assert game.round is before or not game.round.plays
    return game


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), rulesets, st.integers(0, 2**31), st.integers(0, 2**31))
def test_a_turn_there_and_back(number: int, ruleset: Ruleset, move_ms: int, bank_ms: int) -> None:
    """Every field of an observation is the same on the bot's side."""
    sent = observe(position(number, ruleset), move_time_ms=move_ms, bank_ms=bank_ms)
    outbox = Outbox()
    outbox.turn(2**64 - 1 - number, number, sent)
    ((got,),) = (batch.turns for batch in unpack(outbox))
    assert (got.turn, got.game) == (2**64 - 1 - number, number)
    assert got.observation == sent
    assert all(type(a) is type(b) for a, b in zip(got.observation, sent, strict=True))


@settings(deadline=None)
@given(st.integers(0, 2**32), rulesets, st.integers(0, 1))
def test_round_news_there_and_back(number: int, ruleset: Ruleset, seat: int) -> None:
    """A round's start and end reach the bot as local play would tell them."""
    game = position(number, ruleset)
    chance = random.Random(number)
    sent_start = opening(game, seat)
    while not game.rounds:
        game.play(chance.choice(cards_of(game.round.legal())))
    sent_end = summary(game.rounds[-1], len(game.rounds) - 1, seat)
    outbox = Outbox()
    outbox.round_end(4, sent_end)
    outbox.round_start(5, sent_start)
    (batch,) = unpack(outbox)
    assert batch.round_ends == [(4, RoundEnd(sent_end))]
    assert batch.round_starts == [(5, RoundStart.of(sent_start))]


@given(rulesets, st.sampled_from(Player), st.integers(0, 2**64 - 1))
def test_a_game_start_there_and_back(ruleset: Ruleset, dealer: Player, seed: int) -> None:
    """Rules, dealer and seed are the same on the bot's side."""
    outbox = Outbox()
    outbox.game_start(9, ruleset, dealer, seed)
    ((number, start),) = unpack(outbox)[0].game_starts
    assert (number, start.ruleset, start.first_dealer) == (9, ruleset, dealer)
    assert start.bot_seed == seed


@given(
    st.builds(
        GameEnd,
        st.sampled_from(Outcome),
        st.integers(0, 200),
        st.integers(0, 200),
        st.sampled_from(Termination),
        st.text(max_size=500),
    )
)
def test_a_game_end_there_and_back(end: GameEnd) -> None:
    """Every field is the same on the bot's side, for every outcome and termination."""
    outbox = Outbox()
    outbox.game_end(2**32 - 1, end)
    assert unpack(outbox)[0].game_ends == [(2**32 - 1, end)]


def test_two_rulesets_are_not_mixed_up() -> None:
    """The ruleset written once for many games is written anew where it changes."""
    rules = [Ruleset(1), Ruleset(2), Ruleset(1, Scoring.MOST_TRICKS), Ruleset(1)]
    outbox = Outbox()
    for game, ruleset in enumerate(rules):
        outbox.game_start(game, ruleset, 1, 0)
    ((batch),) = unpack(outbox)
    assert [start.ruleset for _, start in batch.game_starts] == rules


def _finished() -> Game:
    game = Game(Ruleset(), lambda _: bytes(range(52)), 0)
    while game.winner is None:
        game.play(cards_of(game.round.legal())[0])
    return game


FINISHED = _finished()
GAME = position(3, Ruleset())
ADD: dict[str, Callable[[Outbox, int, int], None]] = {
    "game_starts": lambda box, game, mark: box.game_start(game, Ruleset(), 1, mark),
    "round_ends": lambda box, game, mark: box.round_end(
        game, summary(FINISHED.rounds[0], 0, 0)._replace(round_number=mark)
    ),
    "game_ends": lambda box, game, mark: box.game_end(
        game, GameEnd(Outcome.LOST, mark, 0, Termination.NORMAL, "")
    ),
    "round_starts": lambda box, game, mark: box.round_start(
        game, opening(GAME, 0)._replace(round_number=mark)
    ),
    "turns": lambda box, game, mark: box.turn(mark, game, observe(GAME)),
}


def marks(batches: list[sdk_wire.Batch]) -> list[tuple[int, str, int]]:
    """All news in the order in which a bot handles them: game, kind and mark."""
    found: list[tuple[int, str, int]] = []
    for batch in batches:
        found += [(game, "game_starts", start.bot_seed) for game, start in batch.game_starts]
        found += [(game, "round_ends", end.round_number) for game, end in batch.round_ends]
        found += [(game, "game_ends", end.score) for game, end in batch.game_ends]
        found += [(game, "round_starts", start.round_number) for game, start in batch.round_starts]
        found += [(turn.game, "turns", turn.turn) for turn in batch.turns]
    return found


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from(sorted(ADD))), max_size=40))
def test_each_games_news_stay_in_order(news: list[tuple[int, str]]) -> None:
    """Whatever is added, a bot handles each game's news in the order added, and loses none."""
    outbox = Outbox()
    added = []
    for mark, (game, kind) in enumerate(news, 1):
        ADD[kind](outbox, game, mark)
        added.append((game, kind, mark))
    handled = marks(unpack(outbox))
    assert sorted(handled) == sorted(added)
    for game in range(6):
        assert [item for item in handled if item[0] == game] == [
            item for item in added if item[0] == game
        ]
    assert [mark for _, kind, mark in handled if kind == "turns"] == [
        mark for _, kind, mark in added if kind == "turns"
    ]


def test_news_of_many_games_share_a_message() -> None:
    """What need not be apart is together: a message costs far more than what it holds."""
    outbox = Outbox()
    for game in range(40):
        for kind in ("game_starts", "round_starts", "turns"):
            ADD[kind](outbox, game, game + 1)
    (batch,) = unpack(outbox)
    assert (len(batch.game_starts), len(batch.round_starts), len(batch.turns)) == (40, 40, 40)


def test_an_empty_outbox() -> None:
    """It has nothing to give."""
    outbox = Outbox()
    assert not outbox
    with pytest.raises(IndexError):
        outbox.take()


# What comes from a bot.

REQUESTS: list[tuple[service_pb.PlayRequest, wire.Request]] = [
    (sdk_wire.hello("t", 9, "s" * 200), wire.Hello(1, "t", 9, "s" * 100)),
    (sdk_wire.ready(), wire.Ready()),
    (
        sdk_wire.moves([(2, 51), (2**64 - 1, 2**32 - 1)]),
        wire.Moves([(2, 51), (2**64 - 1, 2**32 - 1)]),
    ),
    (service_pb.PlayRequest(moves=service_pb.Moves()), wire.Moves([])),
    (sdk_wire.forfeit(3, "why" * 500), wire.Forfeit(3, ("why" * 500)[:500])),
    (sdk_wire.goodbye(), wire.Goodbye()),
]


@pytest.mark.parametrize(("sent", "got"), REQUESTS)
def test_a_request_there_and_back(sent: service_pb.PlayRequest, got: wire.Request) -> None:
    """What the SDK says is what the referee reads."""
    found = wire.read(sent.SerializeToString())
    assert found == got
    assert type(found) is type(got)


def fault_of(data: bytes) -> FaultReason:
    """Why a message is refused."""
    with pytest.raises(ProtocolFaultError) as caught:
        wire.read(data)
    assert "Traceback" not in caught.value.message
    return caught.value.reason


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xff\xff\xff",
        b"\x0a\x05\x08",  # a hello that ends too early
        b"\x32\x00",  # a part that the protocol doesn't have
        b"\x0a\x04\x12\x02\xc3\x28",  # a token that is no UTF-8
        b"\x0a\x05\x12\x03\xed\xa0\x80",  # half of a surrogate pair
        b"\x00" * 100,
    ],
)
def test_garbage_is_malformed(data: bytes) -> None:
    """Empty, cut off and senseless messages are refused, each with a sentence."""
    assert fault_of(data) is FaultReason.MALFORMED


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """No message of a bot raises anything else than a protocol fault."""
    with suppress(ProtocolFaultError):
        assert isinstance(wire.read(data), wire.Request)


@given(st.sampled_from(REQUESTS), st.data())
def test_cut_off_messages_are_read_or_refused(
    request_: tuple[service_pb.PlayRequest, wire.Request], data: st.DataObject
) -> None:
    """A message cut off anywhere raises nothing else than a protocol fault."""
    whole = request_[0].SerializeToString()
    cut = whole[: data.draw(st.integers(0, max(0, len(whole) - 1)))]
    assert fault_of(cut) is FaultReason.MALFORMED


def test_a_message_too_long() -> None:
    """64 KiB are taken, and not a byte more."""
    room = wire.LONGEST_REQUEST - 8
    hello = service_pb.PlayRequest(hello=service_pb.Hello(token="x" * room))
    assert len(hello.SerializeToString()) == wire.LONGEST_REQUEST
    assert isinstance(wire.read(hello.SerializeToString()), wire.Hello)
    hello.hello.token += "x"
    assert fault_of(hello.SerializeToString()) is FaultReason.TOO_MUCH


# What is no Batch.


def test_welcome_farewell_and_faults_are_read_by_the_sdk() -> None:
    """Each comes out as what it was; a fault keeps its name and sentence."""

    def read(data: bytes) -> sdk_wire.Response:
        return sdk_wire.read(service_pb.PlayResponse.FromString(data))

    assert read(wire.welcome(Limits())) == sdk_wire.Welcome()
    assert isinstance(read(wire.welcome(Limits())), sdk_wire.Welcome)
    assert isinstance(read(wire.farewell()), sdk_wire.Farewell)
    for reason in FaultReason:
        found = read(wire.fault(ProtocolFaultError(reason, "No.")))
        assert found == sdk_wire.Fault(reason.name, "No.")


@pytest.mark.parametrize("reason", FaultReason)
def test_the_status_of_a_fault(reason: FaultReason) -> None:
    """It has the code, the sentence, and an ErrorInfo with the domain and the reason."""
    status = wire.status(ProtocolFaultError(reason, "No."))
    assert (status.code, status.details) == (CODES[reason], "No.")
    ((key, packed),) = status.trailing_metadata
    assert key == "grpc-status-details-bin"
    (detail,) = Status.FromString(packed).details
    info = ErrorInfo()
    assert detail.Unpack(info)
    assert (info.domain, info.reason) == ("californiajack", reason.name)


# The page that tells of it.

PAGE = Path(__file__).parents[3] / "docs" / "protocol.md"


def example() -> Game:
    """The position of the page's example: seat 1 plays its lowest card, seat 0 its highest."""
    seed = bytes.fromhex("00112233445566778899aabbccddeeff")
    game = Game(Ruleset(), lambda number: deck_of(seed, 0, number), 0)
    while len(game.round.plays) < 9:
        legal = cards_of(game.round.legal())
        game.play(legal[0 if game.round.to_play else -1])
    return game


def test_the_pages_example_is_true() -> None:
    """The bytes on the page are those that really go over the wire."""
    outbox = Outbox()
    outbox.turn(7, 0, observe(example(), move_time_ms=10_000))
    shown = [
        bytes.fromhex(text) for text in re.findall(r"```hex\n(.*?)```", PAGE.read_text(), re.DOTALL)
    ]
    assert shown == [
        sdk_wire.hello("c0ffee", 64, "").SerializeToString(),
        sdk_wire.ready().SerializeToString(),
        outbox.take()[0],
        sdk_wire.moves([(7, 27)]).SerializeToString(),
    ]


def test_the_page_names_every_fault() -> None:
    """Each stands in the table with its gRPC code."""
    rows = re.findall(r"^\| `([A-Z_]+)` \| `([A-Z_]+)` \|", PAGE.read_text(), re.MULTILINE)
    assert dict(rows) == {reason.name: code.name for reason, code in CODES.items()}


def test_messages_are_told_in_words_without_the_token() -> None:
    """Both directions are readable, cards by their names; what is no message is told as such."""
    hello = sdk_wire.hello("secret", 8, "mine")
    assert wire.describe("from", hello.SerializeToString()) == (
        "{hello {version 1, token ..., max_games 8, software 'mine'}}"
    )
    moves = sdk_wire.moves([(2, 0), (4, 51), (6, 99)])
    assert wire.describe("from", moves.SerializeToString()) == (
        "{moves {moves {turn 2, card 2c}, moves {turn 4, card As}, moves {turn 6, card 99}}}"
    )
    assert wire.describe("to", wire.farewell()) == "{farewell {}}"
    assert wire.describe("from", b"\xff\xff").startswith("no message of the protocol")
