"""The published functions that make decks and bot seeds."""

from __future__ import annotations

from hashlib import shake_256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from californiajack import InputError
from californiajack.cards import format_cards
from californiajack.deal import bot_seed_of, check_seed, deck_of, parse_seed

RULES = Path(__file__).parents[2] / "docs" / "rules.md"
SEED = bytes.fromhex("00112233445566778899aabbccddeeff")
seeds = st.binary(min_size=16, max_size=64)
deals = st.integers(0, 2**64 - 1)


def test_the_published_deck() -> None:
    """The deck of the rule book's check begins as it says there."""
    assert format_cards(deck_of(SEED, 0, 0)[:7]) == "7d 4s Qc Jd 8c Qh Td"


def test_the_published_bot_seed() -> None:
    """The bot seed of the rule book's check is the one given there."""
    assert bot_seed_of(SEED, 0, 0, 0) == 14700947686520523608


def test_the_rule_book_has_the_same_values() -> None:
    """The rule book gives the whole deck and the bot seed of its check, and they are right."""
    book = RULES.read_text(encoding="utf-8")
    assert SEED.hex() in book
    assert format_cards(deck_of(SEED, 0, 0)) in " ".join(book.split())
    assert str(bot_seed_of(SEED, 0, 0, 0)) in book


@given(seeds, deals, st.integers(0, 2**32 - 1))
def test_a_deck_by_the_book(seed: bytes, deal: int, round_number: int) -> None:
    """A deck is the 52 cards, sorted by their slices of the stream as the rule book tells."""
    text = (
        b"californiajack/deal/1" + seed + deal.to_bytes(8, "big") + round_number.to_bytes(4, "big")
    )
    stream = shake_256(text).digest(416)
    keyed = sorted((stream[8 * card : 8 * card + 8], card) for card in range(52))
    assert list(deck_of(seed, deal, round_number)) == [card for _, card in keyed]


@given(seeds, deals, st.integers(0, 1), st.integers(0, 1))
def test_a_bot_seed_by_the_book(seed: bytes, deal: int, first_dealer: int, seat: int) -> None:
    """A bot seed is the first 8 bytes of its own stream."""
    text = b"californiajack/bot/1" + seed + deal.to_bytes(8, "big")
    expected = int(shake_256(text + bytes([first_dealer, seat])).hexdigest(8), 16)
    assert bot_seed_of(seed, deal, first_dealer, seat) == expected


@given(seeds)
def test_a_seed_is_read_as_it_is_written(seed: bytes) -> None:
    """`parse_seed` undoes ``hex``, in capitals too."""
    assert parse_seed(seed.hex()) == seed
    assert parse_seed(seed.hex().upper()) == seed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "00",
        "00" * 15,
        "00" * 65,
        "0" * 33,
        "00 " * 16,
        "zz" * 16,
        "\u0660\u0660" * 16,
        "-" + "0" * 31,
    ],
)
def test_what_is_no_seed_is_refused(text: str) -> None:
    """A text that isn't hexadecimal, or not 16 to 64 bytes of it, raises InputError."""
    with pytest.raises(InputError, match="seed: expected"):
        parse_seed(text)


@pytest.mark.parametrize(("length", "good"), [(15, False), (16, True), (64, True), (65, False)])
def test_the_length_of_a_seed(length: int, good: bool) -> None:  # noqa: FBT001 - a table's column
    """A seed has 16 to 64 bytes."""
    if good:
        check_seed(bytes(length))
    else:
        with pytest.raises(InputError, match=f"got {length}"):
            check_seed(bytes(length))
