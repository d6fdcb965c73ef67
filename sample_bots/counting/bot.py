"""Counts cards: weighs every play by what both players can still hold.

While there is a stock, each legal card gets an expected gain in game points: what the trick
captures, which cards the players draw, and what is left in the hands. When the bot leads, the
reply is the opponent's best one, over all it may hold. Once the stock is empty nothing is hidden,
and the last six tricks are searched to their end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from californiajack import CARDS, Bot, Card, FollowRule, Rank, Scoring, Suit, View, beats, run

SCORING_TRUMPS = (Rank.ACE, Rank.JACK, Rank.TWO)  # a game point each (R10)

# What a card in the hand goes on to win, beside a two that is no trump: game points for scoring
# trumps, and what counts for the fourth point. By rank, two to ace. Fitted by least squares to
# the rounds of this bot against itself.
PLAIN_POINTS = (0, 0, 0.01, -0.01, 0, -0.01, -0.02, -0.01, 0, 0, 0.01, 0.04, 0.05)
TRUMP_POINTS = (0.29, 0.27, 0.2, 0.23, 0.18, 0.2, 0.2, 0.27, 0.23, 0.99, 0.3, 0.39, 1.33)
PLAIN_SHARE = {
    Scoring.TRICK_POINTS: (0, 0.1, -0.3, -0.2, -0.4, -0.6, -0.7, -0.5, 1.5, 1.4, 1.8, 3.1, 5.1),
    Scoring.MOST_TRICKS: (0, 0.3, 0.4, 0.6, 0.7, 0.8, 1.1, 1.3, 1.6, 2.1, 2.5, 2.9, 3.6),
}
TRUMP_SHARE = {
    Scoring.TRICK_POINTS: (2.9, 3.5, 3, 2.9, 3.4, 2.7, 2.9, 3.7, 9.4, 4.7, 6.7, 8.4, 10.6),
    Scoring.MOST_TRICKS: (3.7, 2.4, 2.6, 2.8, 3.2, 3.2, 3.4, 4.2, 4.4, 4.8, 5.1, 5.8, 6.5),
}
LEAD_POINTS = 0.03  # what the right to lead goes on to win
LEAD_SHARE = {Scoring.TRICK_POINTS: 0.5, Scoring.MOST_TRICKS: 0.5}

# Of what counts for the fourth point: how much there is, and the variance that each unit of it
# still to be won adds to the final difference.
WHOLE = {Scoring.TRICK_POINTS: 80, Scoring.MOST_TRICKS: 52}
VARIANCE = {Scoring.TRICK_POINTS: 6.5, Scoring.MOST_TRICKS: 2.0}

MOST = 5  # more than any difference of game points in a round

Hand = tuple[Card, ...]


class Counting(Bot):
    """Plays the card with the highest expected gain; the same turn always gets the same card."""

    def choose(self, view: View) -> Card:
        """Weighs every legal card."""
        values = appraise(view)
        gains = lead_gains(view, values) if view.led is None else follow_gains(view, values)
        best_first = sorted(view.legal, key=lambda card: (-gains[card], card))
        if view.stock_size == 0:
            return Endgame(view).best(best_first)
        return best_first[0]


def share(card: Card, scoring: Scoring) -> int:
    """Tells what a captured card counts for the fourth point: trick points, or half a trick."""
    return 1 if scoring is Scoring.MOST_TRICKS else card.trick_points


def is_scoring_trump(card: Card, trump: Suit) -> bool:
    """Tells whether capturing this card is a game point."""
    return card.suit is trump and card.rank in SCORING_TRUMPS


@dataclass(frozen=True, slots=True)
class Values:
    """What cards are worth to either player just now, in game points; by card number."""

    capture: tuple[float, ...]
    """In a captured trick."""
    hold: tuple[float, ...]
    """In the hand."""
    trick: float
    """What the winner of this trick gets beside its cards: the better draw, and the lead."""
    unknown: float
    """The hold of an unseen card, on average."""


def appraise(view: View) -> Values:
    """Puts a value on every card, from what has been captured and what is to be drawn."""
    trump = view.trump
    scoring = view.ruleset.scoring
    price = price_of_share(view)
    capture = tuple(is_scoring_trump(card, trump) + price * share(card, scoring) for card in CARDS)
    plain, trumps = (
        [now + price * later for now, later in zip(points, shares[scoring], strict=True)]
        for points, shares in ((PLAIN_POINTS, PLAIN_SHARE), (TRUMP_POINTS, TRUMP_SHARE))
    )
    hold = tuple(rank_value for suit in Suit for rank_value in (trumps if suit is trump else plain))
    unseen = view.unseen
    unknown = sum(hold[card] for card in unseen) / len(unseen) if unseen else 0.0
    trick = LEAD_POINTS + price * LEAD_SHARE[scoring]
    if view.stock_top is not None:
        trick += hold[view.stock_top] - unknown
    return Values(capture, hold, trick, unknown)


def price_of_share(view: View) -> float:
    """Tells in game points what one more trick point, or half a trick, is worth now.

    The final difference is taken as normal around what it is now. Most is at stake when the
    players are level and little is left; nothing when one of them is out of reach.
    """
    scoring = view.ruleset.scoring
    mine, theirs = (
        sum(share(card, scoring) for card in cards)
        for cards in (view.captured, view.opponent_captured)
    )
    left = WHOLE[scoring] - mine - theirs
    deviation = math.sqrt(1 + VARIANCE[scoring] * left)
    distance = (mine - theirs) / deviation
    density = math.exp(-distance * distance / 2) / math.sqrt(2 * math.pi)
    return 2 * density / deviation


def follow_gains(view: View, values: Values) -> dict[Card, float]:
    """Tells what each legal answer to the card led brings; nothing about the trick is unknown."""
    led = view.led
    if led is None:
        raise ValueError("expected a card led, got none: ask lead_gains instead")
    gains = {}
    for card in view.legal:
        prize = values.capture[led] + values.capture[card] + values.trick
        gains[card] = (prize if beats(card, led, view.trump) else -prize) - values.hold[card]
    return gains


@dataclass(frozen=True, slots=True)
class Reply:
    """A card that the opponent may answer with."""

    card: Card
    chance: float
    """That the opponent has it: 1 if it is known to."""
    hold: float
    """What it gives out of its hand."""


def replies(view: View, values: Values) -> list[Reply]:
    """Lists all that the opponent may hold."""
    void = view.opponent_void
    possible = [card for card in view.unseen if card.suit not in void]
    chance = view.opponent_unknown / len(possible) if possible else 0.0
    return [
        *(Reply(card, 1.0, values.hold[card]) for card in view.opponent_known),
        *(Reply(card, chance, values.unknown) for card in possible),
    ]


def lead_gains(view: View, values: Values) -> dict[Card, float]:
    """Tells what leading each card brings, over the opponent's best replies."""
    trump = view.trump
    may_trump = view.ruleset.follow is FollowRule.FOLLOW_OR_TRUMP
    answers = replies(view, values)
    gains = {}
    for card in view.legal:
        following: list[tuple[float, float]] = []
        otherwise: list[tuple[float, float]] = []
        void = 1.0  # the chance that the opponent can't follow
        for reply in answers:
            prize = values.capture[card] + values.capture[reply.card] + values.trick
            gain = (-prize if beats(reply.card, card, trump) else prize) + reply.hold
            if reply.card.suit is card.suit:
                following.append((gain, reply.chance))
                void *= 1 - reply.chance
                continue
            otherwise.append((gain, reply.chance))
            if may_trump and reply.card.suit is trump:
                following.append((gain, reply.chance))
        expected = (1 - void) * expect(following) + void * expect(otherwise)
        gains[card] = expected - values.hold[card]
    return gains


def expect(options: list[tuple[float, float]]) -> float:
    """Tells the expected gain where the opponent plays the worst for us of what it has.

    Args:
        options: the gain of each reply, and the chance that the opponent has it.
    """
    total = weight = 0.0
    none_yet = 1.0
    for gain, chance in sorted(options):
        total += none_yet * chance * gain
        weight += none_yet * chance
        none_yet *= 1 - chance
    return total / weight if weight else 0.0


class State(NamedTuple):
    """The cards of an endgame between two tricks, seen from the player who is to lead."""

    hand: Hand
    """The leader's hand."""
    other: Hand
    """The other player's hand."""
    won: int
    """What the leader has captured for the fourth point."""
    lost: int
    """What the other player has captured for it."""


class Endgame:
    """The last six tricks, with both hands known: an exact alpha-beta search.

    A value is the game points that the leader is to win from here on, less the other player's,
    the fourth point included. Values outside `low` to `high` are only known to be outside: one of
    the players has something better already.
    """

    def __init__(self, view: View) -> None:
        """Takes a turn with an empty stock."""
        scoring = view.ruleset.scoring
        self._view = view
        self._half = WHOLE[scoring] / 2
        self._trump = view.trump
        self._may_trump = view.ruleset.follow is FollowRule.FOLLOW_OR_TRUMP
        self._share = tuple(share(card, scoring) for card in CARDS)
        self._points = tuple(int(is_scoring_trump(card, view.trump)) for card in CARDS)

    def best(self, best_first: list[Card]) -> Card:
        """Picks the card of the highest value, the earliest among equals."""
        view = self._view
        mine = sum(self._share[card] for card in view.captured)
        theirs = sum(self._share[card] for card in view.opponent_captured)
        choice, highest = best_first[0], -MOST
        for card in best_first:
            hand = without(view.hand, card)
            if view.led is None:
                state = State(hand, view.opponent_known, mine, theirs)
                value = self._answered(card, state, highest, MOST)
            else:
                state = State(view.opponent_known, hand, theirs, mine)
                value = -self._played(view.led, card, state, -MOST, -highest)
            if value > highest:
                choice, highest = card, value
        return choice

    def _to_lead(self, state: State, low: int, high: int) -> int:
        """Gives the value of the leader's best lead."""
        fourth = (state.won > self._half) - (state.lost > self._half)
        open_points = sum(self._points[card] for card in state.hand + state.other)
        open_points += fourth == 0
        if not state.hand or not open_points:
            return fourth
        best = max(low, fourth - open_points)
        high = min(high, fourth + open_points)
        for card in reversed(state.hand):
            if best >= high:
                break
            left = State(without(state.hand, card), *state[1:])
            best = max(best, self._answered(card, left, best, high))
        return best

    def _answered(self, led: Card, state: State, low: int, high: int) -> int:
        """Gives the value of a lead, answered by what is best for the other player."""
        worst = high
        for card in self._legal(led, state.other):
            if worst <= low:
                break
            left = State(state.hand, without(state.other, card), *state[2:])
            worst = min(worst, self._played(led, card, left, low, worst))
        return worst

    def _played(self, led: Card, followed: Card, state: State, low: int, high: int) -> int:
        """Gives the value of a trick with both cards down, for the player who led it."""
        points = self._points[led] + self._points[followed]
        captured = self._share[led] + self._share[followed]
        hand, other, won, lost = state
        if beats(followed, led, self._trump):
            turned = State(other, hand, lost + captured, won)
            return -points - self._to_lead(turned, -high - points, -low - points)
        left = State(hand, other, won + captured, lost)
        return points + self._to_lead(left, low - points, high - points)

    def _legal(self, led: Card, hand: Hand) -> Hand:
        """Gives the cards that may answer the card led (R6)."""
        following = tuple(card for card in hand if card.suit is led.suit)
        if not following:
            return hand
        if self._may_trump and led.suit is not self._trump:
            return following + tuple(card for card in hand if card.suit is self._trump)
        return following


def without(hand: Hand, card: Card) -> Hand:
    """Takes one card out of a hand."""
    return tuple(other for other in hand if other is not card)


if __name__ == "__main__":
    run(Counting)
