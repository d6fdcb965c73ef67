"""The fields of a record's JSON objects, each read with its type and range or refused by name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeGuard

from californiajack.cards import CARDS, parse_card
from californiajack.deal import parse_seed
from californiajack.errors import InputError, RecordError
from californiajack.rules import PLAYS_A_ROUND

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NUMBERS = {str(card): int(card) for card in CARDS}
_LONGEST_SHOWN = 60
_HIGHEST_SHOWN = 10**20


def show(value: object) -> str:
    """Describes a JSON value in a few words, however large, deep or strange it is."""
    if isinstance(value, str):
        return repr(value if len(value) <= _LONGEST_SHOWN else value[:_LONGEST_SHOWN] + "…")
    if value is None or isinstance(value, (bool, float)):
        return json.dumps(value)
    if isinstance(value, int):
        return str(value) if abs(value) < _HIGHEST_SHOWN else "a huge number"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "an object" if isinstance(value, Mapping) else f"a {type(value).__name__}"


class Fields:
    """One JSON object, whose fields are asked for by name.

    Every method that reads a field raises RecordError, with the field's name as its clause, where
    the field is missing or something else than asked for.
    """

    def __init__(self, data: object, name: str, round_number: int | None = None) -> None:
        """Takes an object.

        Args:
            data: the object, as a JSON parser gives it.
            name: what it is, for the case that it's no object.
            round_number: the round it stands in, for errors.

        Raises:
            RecordError: it is no object.
        """
        self._round_number = round_number
        if not isinstance(data, Mapping):
            raise self._error(name, f"expected an object, got {show(data)}")
        self._data: Mapping[object, object] = data

    def __contains__(self, name: str) -> bool:
        return name in self._data

    def is_null(self, name: str) -> bool:
        """Whether the field is there, and null."""
        return name in self._data and self._data[name] is None

    def text(self, name: str) -> str:
        """Reads a text."""
        value = self._get(name, "a text")
        if not isinstance(value, str):
            raise self._error(name, f"expected a text, got {show(value)}")
        return value

    def choice(self, name: str, choices: Sequence[str]) -> str:
        """Reads one of these texts."""
        value = self._get(name, " or ".join(choices))
        if not isinstance(value, str) or value not in choices:
            raise self._error(name, f"expected {' or '.join(choices)}, got {show(value)}")
        return value

    def whole(self, name: str, low: int, high: int, wanted: str = "") -> int:
        """Reads a whole number from `low` to `high`."""
        wanted = wanted or f"a whole number from {low} to {high}"
        value = self._get(name, wanted)
        if not _is_whole(value, low, high):
            raise self._error(name, f"expected {wanted}, got {show(value)}")
        return value

    def pair(self, name: str, high: int) -> tuple[int, int]:
        """Reads a list of two whole numbers from 0 to `high`, one a seat."""
        wanted = f"two whole numbers from 0 to {high} by seat"
        value = self._get(name, wanted)
        if isinstance(value, list) and len(value) == 2:  # noqa: PLR2004 - one a seat
            first, second = value
            if _is_whole(first, 0, high) and _is_whole(second, 0, high):
                return first, second
        raise self._error(name, f"expected {wanted}, got {show(value)}")

    def names(self, name: str) -> tuple[str, str]:
        """Reads a list of two texts, one a seat."""
        value = self._get(name, "two names by seat")
        if isinstance(value, list) and len(value) == 2:  # noqa: PLR2004 - one a seat
            first, second = value
            if _is_writable(first) and _is_writable(second):
                return first, second
        raise self._error(name, f"expected two names by seat, got {show(value)}")

    def seed(self, name: str) -> bytes:
        """Reads a seed in hexadecimal."""
        try:
            return parse_seed(self.text(name))
        except RecordError:
            raise
        except InputError as error:
            raise self._error(name, str(error).removeprefix("seed: ")) from None

    def cards(self, name: str, *, number_plays: bool = False) -> bytes:
        """Reads a text of cards separated by spaces; gives their numbers, a byte each.

        Args:
            name: the field's name.
            number_plays: whether a card's place is a play's number, for errors.
        """
        names = self.text(name).split()
        try:
            return bytes(map(_NUMBERS.__getitem__, names))
        except KeyError:
            pass  # one of them is no card: which one?
        numbers = bytearray()
        for card in names:
            try:
                numbers.append(parse_card(card))
            except InputError:
                play_number = len(numbers) if number_plays else None
                message = f"expected a card such as Td, got {show(card)}"
                raise self._error(name, message, play_number) from None
        return bytes(numbers)

    def deck(self, name: str) -> bytes:
        """Reads a text of all 52 cards."""
        deck = self.cards(name)
        if len(deck) != PLAYS_A_ROUND or len(set(deck)) != PLAYS_A_ROUND:
            found = f"{len(deck)} cards, {len(set(deck))} of them different"
            raise self._error(name, f"expected the 52 cards, got {found}")
        return deck

    def nested(self, name: str) -> Fields:
        """Reads an object."""
        return Fields(self._get(name, "an object"), name, self._round_number)

    def objects(self, name: str, each: str) -> Iterator[Fields]:
        """Reads a list of objects, numbered as rounds for errors."""
        value = self._get(name, "a list")
        if not isinstance(value, list):
            raise self._error(name, f"expected a list, got {show(value)}")
        return (Fields(item, each, number) for number, item in enumerate(value))

    def _get(self, name: str, wanted: str) -> object:
        if name not in self._data:
            raise self._error(name, f"expected {wanted}, but the field is missing")
        return self._data[name]

    def _error(self, name: str, message: str, play_number: int | None = None) -> RecordError:
        return RecordError(
            message, clause=name, round_number=self._round_number, play_number=play_number
        )


def _is_whole(value: object, low: int, high: int) -> TypeGuard[int]:
    # bool is an int to Python, but no number in JSON
    return type(value) is int and low <= value <= high


def _is_writable(name: object) -> TypeGuard[str]:
    """Whether it is Unicode text: half of a surrogate pair, which JSON can spell, is not."""
    if not isinstance(name, str):
        return False
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
