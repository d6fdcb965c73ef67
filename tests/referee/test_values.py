"""Sums of pairs: whole numbers that add up the same in any order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from californiajack_referee.values import PairSums

if TYPE_CHECKING:
    import random

COUNTS = st.integers(0, 1000)
SUMS = st.builds(
    PairSums,
    *(COUNTS, COUNTS, COUNTS, COUNTS, st.integers(-1000, 1000)),
    *(COUNTS, COUNTS, COUNTS, st.integers(-1000, 1000)),
)


@given(st.lists(SUMS, max_size=20), st.randoms(use_true_random=False))
def test_no_order_of_adding_changes_anything(parts: list[PairSums], rng: random.Random) -> None:
    """Shuffled, the same parts add up to the same sums."""
    total, shuffled = PairSums(), PairSums()
    for part in parts:
        total = total.plus(part)
    for part in rng.sample(parts, len(parts)):
        shuffled = shuffled.plus(part)
    assert total == shuffled
    assert total.pairs == sum(part.lost + part.split + part.won for part in parts)


@given(SUMS, SUMS)
def test_the_opponent_sees_the_mirror_image(one: PairSums, two: PairSums) -> None:
    """Mirroring twice gives the same, and it may be done before or after adding."""
    assert one.mirrored().mirrored() == one
    assert one.plus(two).mirrored() == one.mirrored().plus(two.mirrored())
    assert one.mirrored().won == one.lost
    assert one.mirrored().difference == -one.difference
    assert one.mirrored().difference_squares == one.difference_squares
