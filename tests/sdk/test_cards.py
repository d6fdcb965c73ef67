"""Cards as text and as numbers (R2)."""

from __future__ import annotations

import pytest

from californiajack import CARDS, Card, InputError, Rank, Suit, beats, parse_card, parse_cards
from californiajack.cards import format_cards


def test_numbers_are_suit_times_13_plus_rank() -> None:
    """A card's number is its suit times 13 plus its rank, in the published order."""
    names = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
    assert [str(card) for card in CARDS] == names
    assert [int(card) for card in CARDS] == list(range(52))
    assert all(card == card.suit * 13 + card.rank for card in CARDS)


@pytest.mark.parametrize("card", CARDS)
def test_a_card_is_read_as_it_is_written(card: Card) -> None:
    """`parse_card` undoes ``str``."""
    assert parse_card(str(card)) is card
    assert repr(card) == f"<Card {card}>"


@pytest.mark.parametrize("text", ["", "1x", "10c", "tc", "TC", "cT", " Tc", "Tc ", "T♣", "Tcc"])
def test_what_is_no_card_is_refused(text: str) -> None:
    """Any other text raises InputError, which names it and says what a card looks like."""
    with pytest.raises(InputError, match="such as Td") as caught:
        parse_card(text)
    assert repr(text) in str(caught.value)


def test_rows_of_cards() -> None:
    """Rows of cards are separated by white space; an empty row is none."""
    assert parse_cards("2c  As\nTd") == (
        Card.TWO_OF_CLUBS,
        Card.ACE_OF_SPADES,
        Card.TEN_OF_DIAMONDS,
    )
    assert parse_cards("") == ()
    assert format_cards(bytes((0, 51))) == "2c As"
    with pytest.raises(InputError, match="'3x'"):
        parse_cards("2c 3x")


def test_trick_points() -> None:
    """Jack 1, queen 2, king 3, ace 4, ten 10, others none: 20 a suit (R10)."""
    counts = {"J": 1, "Q": 2, "K": 3, "A": 4, "T": 10}
    assert all(card.trick_points == counts.get(str(card)[0], 0) for card in CARDS)
    assert sum(card.trick_points for card in CARDS) == 80


@pytest.mark.parametrize(
    ("card", "led", "trump", "wins"),
    [
        ("3c", "2c", "d", True),
        ("2c", "3c", "d", False),
        ("As", "2c", "d", False),
        ("2d", "Ac", "d", True),
        ("2d", "3d", "d", False),
        ("Ad", "Kd", "d", True),
        ("Ac", "2d", "d", False),
    ],
)
def test_beats(card: str, led: str, trump: str, wins: bool) -> None:  # noqa: FBT001 - a table's column
    """The follower wins with a higher card of the suit led, or a trump on another suit (R7)."""
    assert beats(parse_card(card), parse_card(led), Suit("cdhs".index(trump))) is wins


def test_suits_and_ranks_are_written_as_letters() -> None:
    """Suits and ranks print as the letters that cards are made of."""
    assert "".join(map(str, Suit)) == "cdhs"
    assert "".join(map(str, Rank)) == "23456789TJQKA"
