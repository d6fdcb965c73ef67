"""The rules: the state of a round and of a game (R1 to R13). Pure, and quick.

Cards are numbers and sets of cards are bit masks in here (see `californiajack.masks`); seats are 0
and 1. Who may see what is not this module's business but `californiajack.observation`'s.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from californiajack.cards import CARDS, Rank, format_cards
from californiajack.errors import IllegalPlayError
from californiajack.masks import BIT, SAME_SUIT, SUIT_MASK, SUIT_OF, cards_of, mask_of
from californiajack.ruleset import FollowRule, Ruleset, Scoring

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

HAND_SIZE = 6
STOCK_START = 2 * HAND_SIZE
PLAYS_A_ROUND = 52
NO_CARD = -1

_TRICK_POINTS = tuple(card.trick_points for card in CARDS)


def trick_points(captured: Iterable[int]) -> int:
    """Counts the trick points of captured cards, given by number: 0 to 80 (R10)."""
    return sum(map(_TRICK_POINTS.__getitem__, captured))


class Round:
    """A round in progress: 52 plays from the deal to the last trick (R3 to R9).

    Attributes:
        deck: the deck it was dealt from, a byte a card.
        dealer: the seat that dealt.
        hands: each seat's hand, a mask.
        known: the part of each hand that both players have seen being drawn, a mask.
        captured: the cards each seat has captured, in that order, a byte each.
        trump: the trump suit's number (R4).
        led: the card led to the open trick, -1 when there is none.
        to_play: the seat whose turn it is.
        drawn: how many cards have been drawn from the stock, 0 to 40.
        plays: the cards played, in order, a byte each.
        leaders: the seat that led each trick, the one to come included, a byte each.
    """

    __slots__ = (
        "_legal",
        "_may_trump",
        "captured",
        "dealer",
        "deck",
        "drawn",
        "hands",
        "known",
        "leaders",
        "led",
        "plays",
        "to_play",
        "trump",
    )

    def __init__(self, deck: bytes, dealer: int, follow: FollowRule) -> None:
        """Deals the deck, 52 different card numbers, six cards each, to the non-dealer first."""
        self.deck = deck
        self.dealer = dealer
        self.hands = [0, 0]
        self.hands[1 - dealer] = mask_of(deck[0:STOCK_START:2])
        self.hands[dealer] = mask_of(deck[1:STOCK_START:2])
        self.known = [0, 0]
        self.captured = (bytearray(), bytearray())
        self.trump = SUIT_OF[deck[STOCK_START]]
        self.led = NO_CARD
        self.to_play = 1 - dealer
        self.drawn = 0
        self.plays = bytearray()
        self.leaders = bytearray((1 - dealer,))
        self._may_trump = follow is FollowRule.FOLLOW_OR_TRUMP
        self._legal: int | None = None  # until the next play; asked for by many

    @property
    def over(self) -> bool:
        """Whether all 52 cards have been played (R9)."""
        return len(self.plays) == PLAYS_A_ROUND

    def legal(self) -> int:
        """Gives the cards that may be played now, a mask; empty only when the round is over."""
        legal = self._legal
        if legal is None:
            legal = self._legal = self._work_out_legal()
        return legal

    def _work_out_legal(self) -> int:
        hand = self.hands[self.to_play]
        if self.led < 0:
            return hand
        following = hand & SAME_SUIT[self.led]
        if not following:
            return hand
        if self._may_trump:
            return following | hand & SUIT_MASK[self.trump]
        return following

    def play(self, card: int) -> None:
        """Plays a card for the seat whose turn it is; the second card of a trick ends the trick.

        Raises:
            IllegalPlayError: the rules don't allow it (R5, R6).
        """
        bit = BIT[card] if 0 <= card < PLAYS_A_ROUND else 0
        legal = self._legal
        if not (self._work_out_legal() if legal is None else legal) & bit:
            raise self._refusal(card)
        self._legal = None
        seat = self.to_play
        self.plays.append(card)
        self.hands[seat] ^= bit
        self.known[seat] &= ~bit
        led = self.led
        if led < 0:
            self.led = card
            self.to_play = 1 - seat
            return
        if SUIT_OF[card] == SUIT_OF[led]:
            winner = seat if card > led else 1 - seat
        else:
            winner = seat if SUIT_OF[card] == self.trump else 1 - seat
        pile = self.captured[winner]
        pile.append(led)
        pile.append(card)
        self.led = NO_CARD
        self.to_play = winner
        self.leaders.append(winner)
        position = STOCK_START + self.drawn
        if position < PLAYS_A_ROUND:
            self.drawn += 2
            bit = BIT[self.deck[position]]
            self.hands[winner] |= bit
            self.known[winner] |= bit
            bit = BIT[self.deck[position + 1]]
            self.hands[1 - winner] |= bit
            self.known[1 - winner] |= bit

    def points(self, scoring: Scoring) -> tuple[int, int]:
        """Counts the game points of each seat once the round is over (R10, R11)."""
        scores = [0, 0]
        first = 13 * self.trump
        for rank in (Rank.ACE, Rank.JACK, Rank.TWO):
            scores[0 if first + rank in self.captured[0] else 1] += 1
        if scoring is Scoring.MOST_TRICKS:
            mine, theirs = map(len, self.captured)
        else:
            mine, theirs = map(trick_points, self.captured)
        if mine != theirs:
            scores[0 if mine > theirs else 1] += 1
        return scores[0], scores[1]

    def _refusal(self, card: int) -> IllegalPlayError:
        if not 0 <= card < PLAYS_A_ROUND:
            return IllegalPlayError(
                f"{card} is no card: expected a number from 0 to 51", clause="R2"
            )
        if self.over:
            return IllegalPlayError(f"{CARDS[card]} comes after the round's end", clause="R9")
        hand = self.hands[self.to_play]
        if not hand & BIT[card]:
            return IllegalPlayError(
                f"{CARDS[card]} is not in the hand, which is {format_cards(cards_of(hand))}",
                clause="R5" if self.led < 0 else "R6",
            )
        return IllegalPlayError(
            f"{CARDS[card]} doesn't follow {CARDS[self.led]}: "
            f"legal are {format_cards(cards_of(self.legal()))}",
            clause="R6",
        )


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round that has been played to its end."""

    dealer: int
    """The seat that dealt."""
    deck: bytes
    """The deck, 52 card numbers."""
    plays: bytes
    """The cards in the order played, 52 card numbers, two a trick."""
    leaders: bytes
    """The seat that led each trick, then the winner of the last: 27 bytes."""
    points: tuple[int, int]
    """Game points of this round by seat (R10, R11)."""
    score: tuple[int, int]
    """Game points of the game by seat after this round."""


class Game:
    """A game in progress: rounds until one seat has won (R12, R13).

    Attributes:
        ruleset: the rules it is played by.
        round: the round being played; the last one once the game is over.
        rounds: the rounds already finished.
        score: each seat's game points from the finished rounds.
        winner: the seat that has won, None while the game is on.
    """

    __slots__ = ("_decks", "round", "rounds", "ruleset", "score", "winner")

    def __init__(self, ruleset: Ruleset, decks: Callable[[int], bytes], first_dealer: int) -> None:
        """Deals the first round.

        Args:
            ruleset: the rules.
            decks: gives the deck of a round by its number from 0.
            first_dealer: the seat that deals the first round, 0 or 1.
        """
        self.ruleset = ruleset
        self._decks = decks
        self.rounds: list[PlayedRound] = []
        self.score = (0, 0)
        self.winner: int | None = None
        self.round = Round(decks(0), first_dealer, ruleset.follow)

    @property
    def round_number(self) -> int:
        """The number of the round being played, from 0."""
        return len(self.rounds) - (self.winner is not None)

    def play(self, card: int) -> bool:
        """Plays a card for the seat ``round.to_play``; deals the next round when one ends.

        Returns:
            Whether it was the last card of its round.

        Raises:
            IllegalPlayError: the rules don't allow it, or the game is over.
        """
        current = self.round
        current.play(card)
        if len(current.plays) < PLAYS_A_ROUND:
            return False
        self._finish(current)
        return True

    def _finish(self, played: Round) -> None:
        points = played.points(self.ruleset.scoring)
        self.score = (self.score[0] + points[0], self.score[1] + points[1])
        self.rounds.append(
            PlayedRound(
                dealer=played.dealer,
                deck=played.deck,
                plays=bytes(played.plays),
                leaders=bytes(played.leaders),
                points=points,
                score=self.score,
            )
        )
        mine, theirs = self.score
        if max(mine, theirs) >= self.ruleset.target and mine != theirs:
            self.winner = 0 if mine > theirs else 1
        else:
            self.round = Round(
                self._decks(len(self.rounds)), 1 - played.dealer, self.ruleset.follow
            )
