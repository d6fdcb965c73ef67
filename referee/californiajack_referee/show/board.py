"""The table as a picture in text: hands, the open trick, stock and score. Pure.

A picture is lines of spans; what draws it decides what an ink looks like. No line needs more than
40 columns, as long as the players' names are short.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from californiajack import Card, Player, Scoring, Suit

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from californiajack import Ruleset, View

_RED_SUITS = (Suit.DIAMONDS, Suit.HEARTS)
_LONGEST_LABEL = 12


class Ink(Enum):
    """What a piece of text is to look like."""

    PLAIN = "plain"
    """As any text."""
    RED = "red"
    """A diamond or a heart."""
    STRONG = "strong"
    """What the eye is to find first."""
    FAINT = "faint"
    """What is there but doesn't matter now."""


class Span(NamedTuple):
    """A piece of text in one ink."""

    text: str
    """The text, without a line's end."""
    ink: Ink = Ink.PLAIN
    """Its ink."""


Line = tuple[Span, ...]
"""A line of a picture."""


@dataclass(frozen=True, slots=True)
class Signs:
    """How cards are spelled."""

    suits: str
    """The suits' signs in the order clubs, diamonds, hearts, spades."""
    back: str
    """A card that isn't seen."""

    def card(self, card: Card) -> str:
        """Spells a card with two characters, such as ``T`` and the sign of diamonds."""
        return f"{card.rank}{self.suits[card.suit]}"

    def cards(self, cards: Iterable[Card]) -> str:
        """Spells cards with spaces between them."""
        return " ".join(map(self.card, cards))


PICTURED = Signs("♣♦♥♠", "░░")
"""Signs for terminals that have them."""
LETTERED = Signs("cdhs", "##")
"""Letters for those that haven't."""


@dataclass(frozen=True, slots=True)
class Side:
    """One player's side of the table."""

    name: str
    """What the player is called."""
    hand: tuple[Card, ...]
    """The cards of the hand that are seen, ascending."""
    hidden: int
    """How many more there are."""
    score: int
    """Game points before this round."""
    captured: tuple[Card, ...]
    """What the player has captured in this round."""


@dataclass(frozen=True, slots=True)
class Board:
    """The table at one moment, as somebody sees it."""

    round_number: int
    """The round's number, from 1."""
    dealer: str
    """Who dealt."""
    trump_card: Card
    """The card that fixed the trump suit (R4)."""
    stock_size: int
    """Cards left in the stock."""
    stock_top: Card | None
    """The stock's top card; None when it is used up."""
    ruleset: Ruleset
    """The rules."""
    far: Side
    """The player at the top."""
    near: Side
    """The player at the bottom."""
    trick: tuple[tuple[str, Card], ...]
    """The cards of the open trick and who played them."""


def board_of_view(view: View, opponent: str) -> Board:
    """Gives the table as the seat that is to play sees it, called ``you``.

    Args:
        view: what it may know.
        opponent: what the other one is called.
    """
    near = Side("you", view.hand, 0, view.score, view.captured)
    far = Side(
        opponent,
        view.opponent_known,
        view.opponent_unknown,
        view.opponent_score,
        view.opponent_captured,
    )
    return Board(
        round_number=view.round_number + 1,
        dealer=near.name if view.dealer is Player.ME else far.name,
        trump_card=view.trump_card,
        stock_size=view.stock_size,
        stock_top=view.stock_top,
        ruleset=view.ruleset,
        far=far,
        near=near,
        trick=() if view.led is None else ((opponent, view.led),),
    )


def board_lines(board: Board, signs: Signs, legal: Collection[Card] | None = None) -> list[Line]:
    """Draws the table.

    Args:
        board: what it is like.
        signs: how cards are spelled.
        legal: the cards of the near hand that may be played; its cards are numbered then.
    """
    width = min(_LONGEST_LABEL, max(5, len(board.far.name), len(board.near.name)))
    trump = board.trump_card.suit
    stock: Line = (Span(f"{board.stock_size} left, top "), *_cards((board.stock_top,), signs))
    if board.stock_top is None:
        stock = (Span("used up"),)
    trick: list[Span] = []
    for name, card in board.trick:
        trick += [Span(f"{'   ' if trick else ''}{name} "), *_cards((card,), signs)]
    return [
        (
            Span(f"Round {board.round_number}", Ink.STRONG),
            Span(f", {board.dealer} dealt, trump "),
            _suit(trump, signs),
            Span(f" {trump.name.lower()}"),
        ),
        _labelled("score", width, _score(board)),
        _labelled("stock", width, stock),
        (),
        _labelled(board.far.name, width, _hand(board.far, signs)),
        *_won(board.far, board.ruleset.scoring, width),
        _labelled("trick", width, tuple(trick) or (Span("none led yet", Ink.FAINT),)),
        _labelled(board.near.name, width, _hand(board.near, signs)),
        *([] if legal is None else [_labelled("", width, numbered(board.near.hand, legal))]),
        *_won(board.near, board.ruleset.scoring, width),
    ]


def numbered(hand: Sequence[Card], legal: Collection[Card]) -> Line:
    """Writes a hand's numbers from 1, to stand below its cards; x for one that isn't legal."""
    return tuple(
        Span(f"{number:<3}", Ink.STRONG) if card in legal else Span("x  ", Ink.FAINT)
        for number, card in enumerate(hand, start=1)
    )


def text_of(line: Line) -> str:
    """Gives a line without its inks."""
    return "".join(span.text for span in line).rstrip()


def _labelled(label: str, width: int, spans: Line) -> Line:
    return Span(f"{label:<{width}}  "), *spans


def _score(board: Board) -> Line:
    sides = ", ".join(f"{side.name} {side.score}" for side in (board.near, board.far))
    return (Span(f"{sides} (to {board.ruleset.target})"),)


def _hand(side: Side, signs: Signs) -> Line:
    spans = _cards(side.hand, signs)
    if side.hidden:
        backs = " ".join([signs.back] * side.hidden)
        spans += [Span((" " if spans else "") + backs, Ink.FAINT)]
    return tuple(spans)


def _won(side: Side, scoring: Scoring, width: int) -> list[Line]:
    """Says what a side has captured, once there is something."""
    if not side.captured:
        return []
    tricks = len(side.captured) // 2
    words = f"{tricks} {'trick' if tricks == 1 else 'tricks'}"
    if scoring is Scoring.TRICK_POINTS:
        points = sum(card.trick_points for card in side.captured)
        words += f", {points} trick {'point' if points == 1 else 'points'}"
    return [_labelled("", width, (Span(f"has {words}", Ink.FAINT),))]


def _cards(cards: Iterable[Card | None], signs: Signs) -> list[Span]:
    spans: list[Span] = []
    for card in cards:
        if card is None:
            continue
        if spans:
            spans.append(Span(" "))
        spans.append(Span(signs.card(card), Ink.RED if card.suit in _RED_SUITS else Ink.PLAIN))
    return spans


def _suit(suit: Suit, signs: Signs) -> Span:
    return Span(signs.suits[suit], Ink.RED if suit in _RED_SUITS else Ink.PLAIN)
