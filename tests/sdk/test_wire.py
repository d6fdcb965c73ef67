"""The bot's half of the protocol's messages; the referee's tests send them there and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from californiajack import FollowRule, Outcome, Player, Ruleset, Scoring, Termination, wire
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
