"""Turns written by hand, against the generated code."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from californiajack import FollowRule, Ruleset, Scoring
from californiajack.deal import deck_of
from californiajack.observation import Observation, observe
from californiajack.rules import Game
from californiajack.v1 import game_pb2 as game_pb
from californiajack_referee.play.encode import encode_turn, round_parts, varint
from californiajack_referee.play.wire import ruleset_message

if TYPE_CHECKING:
    from random import Random


def generated(turn: int, game: int, seen: Observation) -> bytes:
    """The same by the generated code: every field of an observation is one of the message."""
    fields = seen._asdict() | {"ruleset": ruleset_message(seen.ruleset)}
    fields["round"] = fields.pop("round_number")
    return game_pb.Turn(turn=turn, game=game, **fields).SerializeToString()


@given(
    seed=st.binary(min_size=16, max_size=16),
    numbers=st.tuples(st.integers(1, 2**64 - 1), st.integers(0, 2**32 - 1)),
    ruleset=st.builds(Ruleset, st.just(1), st.sampled_from(Scoring), st.sampled_from(FollowRule)),
    clock=st.integers(0, 2**32 - 1),
    choice=st.randoms(use_true_random=False),
)
def test_every_turn_of_a_game_is_encoded_as_by_the_generated_code(
    *, seed: bytes, numbers: tuple[int, int], ruleset: Ruleset, clock: int, choice: Random
) -> None:
    """Byte for byte, whatever cards are played and whatever the rules, the number and the clock."""
    turn, number = numbers
    game = Game(ruleset, partial(deck_of, seed, 0), 0)
    while game.winner is None:
        seen = observe(game, move_time_ms=clock, bank_ms=clock // 7)
        same = round_parts(number, seen, ruleset_message(ruleset))
        assert encode_turn(turn, seen, same) == generated(turn, number, seen)
        game.play(choice.choice(seen.legal))


@pytest.mark.parametrize("bits", range(65))
def test_numbers_of_every_length(bits: int) -> None:
    """Those on both sides of every power of two, up to 64 bits."""
    for number in {max(0, 2**bits - 1), min(2**bits, 2**64 - 1)}:
        expected = game_pb.Turn(turn=number).SerializeToString()[1:] or b"\0"
        assert varint(number) == expected
