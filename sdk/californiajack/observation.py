"""What one seat may know, as plain numbers and bytes: what the referee sends and a view shows.

This is the only door between the state of a game and a bot. `observe` reads, besides the seat's
own hand, only what lies face up (docs/rules.md, "What a seat may know").
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from californiajack.masks import cards_of
from californiajack.rules import NO_CARD, PLAYS_A_ROUND, STOCK_START

if TYPE_CHECKING:
    from californiajack.rules import Game, PlayedRound
    from californiajack.ruleset import Ruleset

ME = 1
"""The seat that observes, wherever a player is a number."""
OPPONENT = 2
"""The other seat."""
_new = tuple.__new__
_ALL_CARDS = bytes(range(PLAYS_A_ROUND))
_PLAYERS_OF_SEAT = (bytes((ME, OPPONENT)).ljust(256), bytes((OPPONENT, ME)).ljust(256))


def players_from(seats: bytes | bytearray, seat: int) -> bytes:
    """Writes a row of seats as the players they are, seen from one seat: 1 itself, 2 the other."""
    return bytes(seats).translate(_PLAYERS_OF_SEAT[seat])


def player_from(seat_meant: int, seat: int) -> int:
    """Writes a seat as the player it is, seen from one seat: 1 itself, 2 the other."""
    return ME if seat_meant == seat else OPPONENT


class Observation(NamedTuple):
    """A whole observation at a decision. Fields of cards hold a card number a byte.

    The fields are those of the message ``Turn`` in ``proto/californiajack/v1/game.proto``, which
    tells each one's meaning, order and range.
    """

    round_number: int
    hand: bytes
    legal: bytes
    trump_card: int
    led: int | None
    stock_top: int | None
    stock_size: int
    history: bytes
    leaders: bytes
    drawn: bytes
    opponent_known: bytes
    opponent_unknown: int
    unseen: bytes
    captured: bytes
    opponent_captured: bytes
    score: int
    opponent_score: int
    dealer: int
    ruleset: Ruleset
    move_time_ms: int
    bank_ms: int


def observe(game: Game, *, move_time_ms: int = 0, bank_ms: int = 0) -> Observation:
    """Gives what the seat whose turn it is may know.

    Args:
        game: a game in progress.
        move_time_ms: what the clock allows for this move, in milliseconds.
        bank_ms: what is left in the seat's bank, in milliseconds.
    """
    current = game.round
    seat = current.to_play
    other = 1 - seat
    led: int | None = current.led
    hand = cards_of(current.hands[seat])
    known = cards_of(current.known[other])
    plays = bytes(current.plays)
    deck = current.deck
    position = STOCK_START + current.drawn
    drawn = deck[STOCK_START:position]
    # hands are equal but for the card the leader has put down
    held = len(hand)
    if led == NO_CARD:
        led = None
        legal = hand
    else:
        legal = cards_of(current.legal())
        held -= 1
    # every card is either in the own hand, or face up now or before, or unseen
    if position < PLAYS_A_ROUND:
        stock_top: int | None = deck[position]
        unseen = _ALL_CARDS.translate(None, plays + deck[STOCK_START : position + 1] + hand)
    else:
        # nothing is hidden in the stock any more: what is unseen is in the opponent's hand
        stock_top = None
        known = _ALL_CARDS.translate(None, plays + hand)
        unseen = b""
    # as Observation(...), but for checks of its own that take as long as all the rest
    return _new(
        Observation,
        (
            len(game.rounds),
            hand,
            legal,
            deck[STOCK_START],
            led,
            stock_top,
            PLAYS_A_ROUND - position,
            plays,
            bytes(current.leaders).translate(_PLAYERS_OF_SEAT[seat]),
            drawn,
            known,
            held - len(known),
            unseen,
            bytes(current.captured[seat]),
            bytes(current.captured[other]),
            game.score[seat],
            game.score[other],
            ME if current.dealer == seat else OPPONENT,
            game.ruleset,
            move_time_ms,
            bank_ms,
        ),
    )


class RoundOpening(NamedTuple):
    """What a seat learns when a round is dealt; the fields are those of ``RoundStart``."""

    round_number: int
    dealer: int
    hand: bytes
    trump_card: int
    score: int
    opponent_score: int


def opening(game: Game, seat: int) -> RoundOpening:
    """Gives what a seat may know of a round that has just been dealt."""
    current = game.round
    return RoundOpening(
        len(game.rounds),
        player_from(current.dealer, seat),
        cards_of(current.hands[seat]),
        current.deck[STOCK_START],
        game.score[seat],
        game.score[1 - seat],
    )


class RoundSummary(NamedTuple):
    """What a seat learns when a round has ended; the fields are those of ``RoundEnd``."""

    round_number: int
    history: bytes
    leaders: bytes
    drawn: bytes
    points: int
    opponent_points: int
    score: int
    opponent_score: int


def summary(played: PlayedRound, round_number: int, seat: int) -> RoundSummary:
    """Gives what a seat may know of a finished round, in which nothing is hidden any more (R9)."""
    return RoundSummary(
        round_number,
        played.plays,
        players_from(played.leaders, seat),
        played.deck[STOCK_START:],
        played.points[seat],
        played.points[1 - seat],
        played.score[seat],
        played.score[1 - seat],
    )
