"""Cards, suits and ranks, as text and as numbers (R2)."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from californiajack.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

RANK_LETTERS = "23456789TJQKA"
SUIT_LETTERS = "cdhs"
_NAMES = tuple(rank + suit for suit in SUIT_LETTERS for rank in RANK_LETTERS)
"""The cards' short names, each at its card's number."""


class Suit(IntEnum):
    """A suit; its number is its place in the order clubs, diamonds, hearts, spades."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    def __str__(self) -> str:
        return SUIT_LETTERS[self]


class Rank(IntEnum):
    """A rank; its number grows with its strength: 0 for the two to 12 for the ace (R2)."""

    TWO = 0
    THREE = 1
    FOUR = 2
    FIVE = 3
    SIX = 4
    SEVEN = 5
    EIGHT = 6
    NINE = 7
    TEN = 8
    JACK = 9
    QUEEN = 10
    KING = 11
    ACE = 12

    def __str__(self) -> str:
        return RANK_LETTERS[self]


_TRICK_POINTS = {Rank.TEN: 10, Rank.JACK: 1, Rank.QUEEN: 2, Rank.KING: 3, Rank.ACE: 4}


class Card(IntEnum):
    """One of the 52 cards: a number, suit * 13 + rank, that knows its suit, rank and points.

    ``str(card)`` is its short name, such as ``Td`` for the ten of diamonds; `parse_card` reads it.
    Cards of one suit compare by strength.

    Attributes:
        suit: its suit.
        rank: its rank.
        trick_points: what it counts when captured: jack 1, queen 2, king 3, ace 4, ten 10,
            others 0 (R10).
    """

    suit: Suit
    rank: Rank
    trick_points: int

    TWO_OF_CLUBS = 0
    THREE_OF_CLUBS = 1
    FOUR_OF_CLUBS = 2
    FIVE_OF_CLUBS = 3
    SIX_OF_CLUBS = 4
    SEVEN_OF_CLUBS = 5
    EIGHT_OF_CLUBS = 6
    NINE_OF_CLUBS = 7
    TEN_OF_CLUBS = 8
    JACK_OF_CLUBS = 9
    QUEEN_OF_CLUBS = 10
    KING_OF_CLUBS = 11
    ACE_OF_CLUBS = 12
    TWO_OF_DIAMONDS = 13
    THREE_OF_DIAMONDS = 14
    FOUR_OF_DIAMONDS = 15
    FIVE_OF_DIAMONDS = 16
    SIX_OF_DIAMONDS = 17
    SEVEN_OF_DIAMONDS = 18
    EIGHT_OF_DIAMONDS = 19
    NINE_OF_DIAMONDS = 20
    TEN_OF_DIAMONDS = 21
    JACK_OF_DIAMONDS = 22
    QUEEN_OF_DIAMONDS = 23
    KING_OF_DIAMONDS = 24
    ACE_OF_DIAMONDS = 25
    TWO_OF_HEARTS = 26
    THREE_OF_HEARTS = 27
    FOUR_OF_HEARTS = 28
    FIVE_OF_HEARTS = 29
    SIX_OF_HEARTS = 30
    SEVEN_OF_HEARTS = 31
    EIGHT_OF_HEARTS = 32
    NINE_OF_HEARTS = 33
    TEN_OF_HEARTS = 34
    JACK_OF_HEARTS = 35
    QUEEN_OF_HEARTS = 36
    KING_OF_HEARTS = 37
    ACE_OF_HEARTS = 38
    TWO_OF_SPADES = 39
    THREE_OF_SPADES = 40
    FOUR_OF_SPADES = 41
    FIVE_OF_SPADES = 42
    SIX_OF_SPADES = 43
    SEVEN_OF_SPADES = 44
    EIGHT_OF_SPADES = 45
    NINE_OF_SPADES = 46
    TEN_OF_SPADES = 47
    JACK_OF_SPADES = 48
    QUEEN_OF_SPADES = 49
    KING_OF_SPADES = 50
    ACE_OF_SPADES = 51

    def __init__(self, number: int) -> None:
        self.suit = Suit(number // 13)
        self.rank = Rank(number % 13)
        self.trick_points = _TRICK_POINTS.get(self.rank, 0)

    def __str__(self) -> str:
        return _NAMES[self]

    def __repr__(self) -> str:
        return f"<Card {self}>"


CARDS: tuple[Card, ...] = tuple(Card)
"""All cards, each at its own number: ``CARDS[51]`` is the ace of spades."""

_BY_NAME = dict(zip(_NAMES, CARDS, strict=True))


def parse_card(text: str) -> Card:
    """Reads a card's short name, such as ``Td`` or ``2c``.

    Args:
        text: a rank of ``23456789TJQKA``, then a suit of ``cdhs``.

    Raises:
        InputError: it is no card's name.
    """
    card = _BY_NAME.get(text)
    if card is None:
        raise InputError(
            f"unknown card {text!r}: expected a rank of {RANK_LETTERS} and a suit of "
            f"{SUIT_LETTERS}, such as Td"
        )
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """Reads cards separated by spaces; an empty text gives none.

    Raises:
        InputError: one of them is no card's name.
    """
    return tuple(parse_card(name) for name in text.split())


def format_cards(cards: Iterable[int]) -> str:
    """Writes cards, or their numbers, as short names separated by spaces."""
    return " ".join(map(_NAMES.__getitem__, cards))


def beats(card: Card, led: Card, trump: Suit) -> bool:
    """Tells whether `card`, played second, wins the trick against the card led (R7)."""
    if card.suit is led.suit:
        return card > led
    return card.suit is trump
