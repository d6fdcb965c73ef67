"""The bot's half of the protocol's messages; the referee's tests send them there and back."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, Any

import pytest

from californiajack import FollowRule, Outcome, Player, Ruleset, Scoring, Termination, View, wire
from californiajack.observation import Observation
from californiajack.v1 import game_pb2 as game_pb
from californiajack.v1 import referee_service_pb2 as service_pb

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from enum import Enum


def test_every_value_of_a_closed_set_has_its_number() -> None:
    """The enums of both sides name the same things, but for what is never sent."""
    check(wire.SCORINGS, game_pb.Scoring.items(), "SCORING_")
    check(wire.FOLLOW_RULES, game_pb.FollowRule.items(), "FOLLOW_RULE_")
    check(wire.TERMINATIONS, game_pb.Termination.items(), "TERMINATION_")
    check(wire.OUTCOMES, game_pb.Outcome.items(), "OUTCOME_")
    names = {"PLAYER_YOU": int(Player.ME), "PLAYER_OPPONENT": int(Player.OPPONENT)}
    assert names | {"PLAYER_UNSPECIFIED": 0} == dict(game_pb.Player.items())
    for values, table in (
        (Scoring, wire.SCORINGS),
        (FollowRule, wire.FOLLOW_RULES),
        (Termination, wire.TERMINATIONS),
        (Outcome, wire.OUTCOMES),
    ):
        assert set(values) == set(table.values())


def check(table: Mapping[Any, Enum], items: Sequence[tuple[str, int]], prefix: str) -> None:
    """The table has every number of the protocol but 0, under the same name."""
    named = {prefix + value.name: int(number) for number, value in table.items()}
    assert named | {f"{prefix}UNSPECIFIED": 0} == dict(items)


def test_hello() -> None:
    """It says the version, the token, the number of games and the software, cut to 100."""
    found = wire.hello("the token", 33, "s" * 300).hello
    assert (found.version, found.token, found.max_games) == (1, "the token", 33)
    assert found.software == "s" * 100


def test_moves_and_a_forfeit() -> None:
    """Cards go out as their numbers, reasons cut to 500 characters."""
    found = wire.moves([(7, 51), (2**64 - 1, 0)]).moves.moves
    assert [(move.turn, move.card) for move in found] == [(7, 51), (2**64 - 1, 0)]
    given_up = wire.forfeit(4, "why " * 300).forfeit
    assert (given_up.game, len(given_up.reason)) == (4, 500)


@pytest.mark.parametrize("data", [b"", b"\x7a\x00", b"\x12\x00"])
def test_a_message_of_an_unknown_kind_is_an_empty_batch(data: bytes) -> None:
    """A later referee may say more; what a bot doesn't know it passes over."""
    found = wire.read(service_pb.PlayResponse.FromString(data))
    assert found == wire.Batch([], [], [], [], [])


def test_a_fault_keeps_its_name() -> None:
    """The reason is the rule's name without its prefix."""
    fault = service_pb.Fault(reason=service_pb.FAULT_REASON_BAD_TOKEN, message="No.")
    found = wire.read(service_pb.PlayResponse(fault=fault))
    assert found == wire.Fault("BAD_TOKEN", "No.")


def test_rulesets_are_shared() -> None:
    """The same rules of thousands of turns are one value, different ones are kept apart."""

    def start(target: int) -> Ruleset:
        rules = game_pb.Ruleset(
            target=target,
            scoring=game_pb.SCORING_TRICK_POINTS,
            follow=game_pb.FOLLOW_RULE_FOLLOW_OR_TRUMP,
        )
        message = service_pb.PlayResponse()
        message.batch.game_starts.add(ruleset=rules, first_dealer=1)
        batch = wire.read(message)
        assert isinstance(batch, wire.Batch)
        return batch.game_starts[0][1].ruleset

    assert start(5) is start(5)
    assert start(6) == Ruleset(6, Scoring.TRICK_POINTS, FollowRule.FOLLOW_OR_TRUMP)


def a_turn(**fields: bytes | int) -> game_pb.Turn:
    """A turn with a ruleset and some fields."""
    rules = game_pb.Ruleset(
        target=10,
        scoring=game_pb.SCORING_MOST_TRICKS,
        follow=game_pb.FOLLOW_RULE_FOLLOW,
    )
    turn = game_pb.Turn(ruleset=rules)
    for name, value in fields.items():
        setattr(turn, name, value)
    return turn


def test_a_turn_is_read_field_by_field() -> None:
    """It has the fields of an observation, no more and no less, each as the whole one has it."""
    seen = wire.TurnSeen(a_turn(round=2, hand=b"\1\2", legal=b"\1", led=0, dealer=1, bank_ms=7))
    fields = {name for name in vars(wire.TurnSeen) if not name.startswith("_")} - {"whole"}
    assert fields == set(Observation._fields)
    whole = seen.whole()
    assert all(getattr(seen, name) == getattr(whole, name) for name in Observation._fields)
    assert (seen.led, seen.stock_top, seen.round_number) == (0, None, 2)


def test_views_of_turns_are_values() -> None:
    """They are equal and hashed by what they tell, and can be copied and sent elsewhere."""
    seen = wire.TurnSeen(a_turn(hand=b"\1\2", legal=b"\1\2", trump_card=5, stock_top=6))
    view = View(seen)  # type: ignore[arg-type] # as `run` makes it
    plain = View(seen.whole())
    assert view == plain == View(wire.TurnSeen(seen._turn))  # type: ignore[arg-type] # as above
    assert hash(view) == hash(plain)
    assert repr(view) == repr(plain)
    assert view != View(seen.whole()._replace(stock_top=7))
    for copied in (pickle.loads(pickle.dumps(view)), copy.deepcopy(view)):  # noqa: S301 - its own
        assert copied == view
        assert isinstance(copied._seen, Observation)
