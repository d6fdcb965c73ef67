"""Sets of cards as bit masks: bit n stands for card number n."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

ALL_CARDS = (1 << 52) - 1
SUIT_OF = tuple(number // 13 for number in range(52))
"""The suit's number of each card number."""
BIT = tuple(1 << number for number in range(52))
SUIT_MASK = tuple(0x1FFF << (13 * suit) for suit in range(4))
"""All cards of a suit, by the suit's number."""
SAME_SUIT = tuple(SUIT_MASK[suit] for suit in SUIT_OF)
"""All cards of a card's suit, by the card's number."""


def mask_of(cards: Iterable[int]) -> int:
    """Gives the set of these card numbers, each from 0 to 51."""
    mask = 0
    for number in cards:
        mask |= 1 << number
    return mask


def _spell(suit: int) -> list[bytes]:
    """Gives the cards of every set of 13, for a suit: 8,192 short byte strings."""
    table = [b""]
    for rank in range(13):
        card = bytes((13 * suit + rank,))
        table += [cards + card for cards in table]
    return table


# filled when first looked into: a bot's process never does
_CLUBS: list[bytes] = []
_DIAMONDS: list[bytes] = []
_HEARTS: list[bytes] = []
_SPADES: list[bytes] = []


def cards_of(mask: int) -> bytes:
    """Gives the card numbers of a set, ascending, a byte each."""
    try:
        return (
            _CLUBS[mask & 0x1FFF]
            + _DIAMONDS[mask >> 13 & 0x1FFF]
            + _HEARTS[mask >> 26 & 0x1FFF]
            + _SPADES[mask >> 39]
        )
    except IndexError:
        if not 0 <= mask <= ALL_CARDS:
            raise
        # where two threads do so at once, a table gets a second half that is never looked into
        for suit, table in enumerate((_CLUBS, _DIAMONDS, _HEARTS, _SPADES)):
            table.extend(_spell(suit))
        return cards_of(mask)
