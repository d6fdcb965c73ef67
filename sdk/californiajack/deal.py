"""The published functions that make decks and bot seeds from a seed (docs/rules.md, "The deck").

They depend on nothing that a bot does, so anyone can check a deal in any language.
"""

from __future__ import annotations

import hashlib
import struct

from californiajack.errors import InputError

SHORTEST_SEED = 16
LONGEST_SEED = 64
_DEAL_DOMAIN = b"californiajack/deal/1"
_BOT_DOMAIN = b"californiajack/bot/1"
_KEYS = struct.Struct(">52Q")


def parse_seed(text: str) -> bytes:
    """Reads a seed written in hexadecimal.

    Raises:
        InputError: it isn't hexadecimal, or not 16 to 64 bytes long.
    """
    try:
        # fromhex() also takes spaces; a seed has one spelling but for the case of its letters
        seed = bytes.fromhex(text) if text.isalnum() else None
    except ValueError:
        seed = None
    if seed is None:
        raise InputError(f"seed: expected hexadecimal digits, two a byte, got {text[:140]!r}")
    check_seed(seed)
    return seed


def check_seed(seed: bytes) -> None:
    """Refuses a seed of the wrong length.

    Raises:
        InputError: it isn't 16 to 64 bytes long.
    """
    if not SHORTEST_SEED <= len(seed) <= LONGEST_SEED:
        raise InputError(
            f"seed: expected {SHORTEST_SEED} to {LONGEST_SEED} bytes "
            f"({2 * SHORTEST_SEED} to {2 * LONGEST_SEED} hexadecimal digits), got {len(seed)}"
        )


def deck_of(seed: bytes, deal: int, round_number: int) -> bytes:
    """Gives the deck of one round: 52 card numbers, a byte each.

    Positions 0, 2, … 10 are the non-dealer's hand, 1, 3, … 11 the dealer's, 12 the stock's top
    card (R3).

    Args:
        seed: 16 to 64 bytes.
        deal: the deal's number, from 0; both games of a pair have the same.
        round_number: the round's number in its game, from 0.
    """
    text = _DEAL_DOMAIN + seed + deal.to_bytes(8, "big") + round_number.to_bytes(4, "big")
    keys = _KEYS.unpack(hashlib.shake_256(text).digest(_KEYS.size))
    # sorted() is stable, so equal keys stay in the order of their numbers
    return bytes(sorted(range(52), key=keys.__getitem__))


def bot_seed_of(seed: bytes, deal: int, first_dealer: int, seat: int) -> int:
    """Gives the number that a seat's own random generator starts from, 0 to 2**64 - 1.

    Args:
        seed: 16 to 64 bytes.
        deal: the deal's number, from 0.
        first_dealer: the seat that deals the game's first round, 0 or 1.
        seat: the seat the number is for, 0 or 1.
    """
    text = _BOT_DOMAIN + seed + deal.to_bytes(8, "big") + bytes((first_dealer, seat))
    return int.from_bytes(hashlib.shake_256(text).digest(8), "big")
