"""A Turn as bytes on the wire, written by hand: one is made for every card that is asked for.

What the messages mean stands in ``proto/californiajack/v1``, how they are encoded in
https://protobuf.dev/programming-guides/encoding. The field numbers are taken from the generated
code, and the tests read all of this back with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from californiajack.v1 import game_pb2 as game_pb

if TYPE_CHECKING:
    from californiajack.observation import Observation

_VARINT, _BYTES = 0, 2
"""Wire types."""
_ONE_BYTE, _TWO_BYTES, _THREE_BYTES = 1 << 7, 1 << 14, 1 << 21
"""Numbers below fit into so many bytes."""
_LONGEST = 52
"""The longest row of cards, in bytes."""


def varint(number: int) -> bytes:
    """Encodes a number of 0 or more, seven bits a byte, the lowest first."""
    if number < _ONE_BYTE:
        return bytes((number,))
    if number < _TWO_BYTES:
        return bytes((number & 0x7F | 0x80, number >> 7))
    if number < _THREE_BYTES:
        return bytes((number & 0x7F | 0x80, number >> 7 & 0x7F | 0x80, number >> 14))
    return bytes((number & 0x7F | 0x80,)) + varint(number >> 7)


def _key(name: str, wire_type: int) -> bytes:
    """Gives what a field of a Turn begins with."""
    return varint(game_pb.Turn.DESCRIPTOR.fields_by_name[name].number << 3 | wire_type)


def _rows(name: str) -> tuple[bytes, ...]:
    """Gives what stands before a row of cards, by its length; one of none is left out."""
    return b"", *(_key(name, _BYTES) + varint(length) for length in range(1, _LONGEST + 1))


def _numbers(name: str) -> tuple[bytes, ...]:
    """Gives a field of a small number, by that number; 0 is left out."""
    return b"", *(_key(name, _VARINT) + varint(number) for number in range(1, _LONGEST + 1))


def _cards(name: str) -> dict[int | None, bytes]:
    """Gives a field that holds a card or, with None, is left out."""
    cards: dict[int | None, bytes] = {
        card: _key(name, _VARINT) + varint(card) for card in range(_LONGEST)
    }
    return cards | {None: b""}


_TURN = _key("turn", _VARINT)
_HAND, _LEGAL, _HISTORY, _LEADERS, _DRAWN = map(
    _rows, ("hand", "legal", "history", "leaders", "drawn")
)
_KNOWN, _UNSEEN, _MINE, _THEIRS = map(
    _rows, ("opponent_known", "unseen", "captured", "opponent_captured")
)
_SIZE, _UNKNOWN = map(_numbers, ("stock_size", "opponent_unknown"))
_LED, _TOP = map(_cards, ("led", "stock_top"))


class RoundParts(NamedTuple):
    """What stays the same for a seat from turn to turn, encoded: fields 2 and 3, 6, 18 to 23."""

    place: bytes
    trump: bytes
    score_and_clock: bytes


def round_parts(game: int, seen: Observation, ruleset: game_pb.Ruleset) -> RoundParts:
    """Encodes what stays the same for a seat as long as the round and its clock are the same."""
    rest = game_pb.Turn(
        score=seen.score,
        opponent_score=seen.opponent_score,
        dealer=seen.dealer,  # type: ignore[arg-type] # a plain number here
        move_time_ms=seen.move_time_ms,
        bank_ms=seen.bank_ms,
        ruleset=ruleset,
    )
    return RoundParts(
        game_pb.Turn(game=game, round=seen.round_number).SerializeToString(),
        game_pb.Turn(trump_card=seen.trump_card).SerializeToString(),
        rest.SerializeToString(),
    )


def encode_turn(turn: int, seen: Observation, same: RoundParts) -> bytes:
    """Encodes a Turn, to the same bytes as the generated code, whose fields stand in their order.

    Args:
        turn: its number.
        seen: what the seat may know.
        same: what `round_parts` gives for it.
    """
    _, hand, legal, _, led, top, size, history, leaders, drawn, known, unknown, unseen = seen[:13]
    captured, opponent_captured = seen[13:15]
    place, trump, rest = same
    return b"".join(
        (
            _TURN,
            varint(turn),
            place,
            _HAND[len(hand)],
            hand,
            _LEGAL[len(legal)],
            legal,
            trump,
            _LED[led],
            _TOP[top],
            _SIZE[size],
            _HISTORY[len(history)],
            history,
            _LEADERS[len(leaders)],
            leaders,
            _DRAWN[len(drawn)],
            drawn,
            _KNOWN[len(known)],
            known,
            _UNKNOWN[unknown],
            _UNSEEN[len(unseen)],
            unseen,
            _MINE[len(captured)],
            captured,
            _THEIRS[len(opponent_captured)],
            opponent_captured,
            rest,
        )
    )
