"""Sets of cards as bit masks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from californiajack import CARDS
from californiajack.masks import (
    ALL_CARDS,
    BIT,
    SAME_SUIT,
    SUIT_MASK,
    SUIT_OF,
    cards_of,
    mask_of,
)


@given(st.sets(st.integers(0, 51)))
def test_a_set_is_spelled_in_ascending_order(cards: set[int]) -> None:
    """`cards_of` gives the cards of a mask in ascending order, and `mask_of` undoes it."""
    mask = mask_of(cards)
    assert mask == sum(2**card for card in cards)
    assert list(cards_of(mask)) == sorted(cards)
    assert mask_of(cards_of(mask)) == mask


def test_the_tables_agree_with_the_cards() -> None:
    """Every table of masks says what the cards say of themselves."""
    assert sum(2**card for card in CARDS) == ALL_CARDS
    for card in CARDS:
        assert BIT[card] == 2**card
        assert SUIT_OF[card] == card.suit
        assert SAME_SUIT[card] == SUIT_MASK[card.suit]
        assert list(cards_of(SUIT_MASK[card.suit])) == [c for c in CARDS if c.suit is card.suit]
