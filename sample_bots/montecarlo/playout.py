"""A world played on by quick players who look at one trick, and what it comes to.

The leader of a trick expects the answer that is best for the other player; both weigh what the
trick captures against what the cards are worth in the hand.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from californiajack import CARDS, FollowRule, Rank, Scoring
from californiajack.masks import BIT, SAME_SUIT, SUIT_MASK, SUIT_OF, cards_of

if TYPE_CHECKING:
    from californiajack.search import State

SCORING_TRUMPS = (Rank.ACE, Rank.JACK, Rank.TWO)  # a game point each (R10)

# A playout's value is an average over what it looks like after so many tricks. Early looks have
# little chance in them, late ones see further; all the rest of the round is mostly chance.
WEIGHTS = {1: 0.2, 3: 0.3, 7: 0.5}

# What a card in the hand goes on to win, beside a two that is no trump: game points for scoring
# trumps, and what counts for the fourth point. By rank, two to ace; as in the bot `counting`.
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
LEAD_POINTS, LEAD_SHARE = 0.03, 0.5  # what the right to lead goes on to win

# Of what counts for the fourth point: how much there is, and the variance that each unit of it
# still to be won adds to the final difference.
WHOLE = {Scoring.TRICK_POINTS: 80, Scoring.MOST_TRICKS: 52}
VARIANCE = {Scoring.TRICK_POINTS: 6.5, Scoring.MOST_TRICKS: 2.0}

NEVER = -99.0

Answers = tuple[float, int, float, int]


def price_of_share(state: State) -> float:
    """Tells in game points what one more trick point, or half a trick, is worth now.

    The final difference is taken as normal around what it is now: most is at stake when the players
    are level and little is left.
    """
    scoring = state.ruleset.scoring
    left = WHOLE[scoring] - state.share - state.opponent_share
    deviation = math.sqrt(1 + VARIANCE[scoring] * left)
    distance = (state.share - state.opponent_share) / deviation
    return 2 * math.exp(-distance * distance / 2) / (math.sqrt(2 * math.pi) * deviation)


class Table:
    """A world while it is played on: the cards, and what both have captured."""

    __slots__ = ("at", "hand", "leads", "led", "other", "points", "shares", "stock")

    def __init__(self, state: State) -> None:
        """Sits the player who leads the trick down at `hand`, the other one at `other`."""
        mine = state.to_play == 1
        self.led = state.led
        self.leads = mine is (state.led < 0)  # whether the bot leads
        self.hand, self.other = (
            (state.mine, state.theirs) if self.leads else (state.theirs, state.mine)
        )
        self.stock = state.stock
        self.at = 0
        self.points = [state.opponent_points, state.points]
        self.shares = [state.opponent_share, state.share]

    def take(self, *, wins: bool) -> None:
        """Ends a trick: the answer wins it or not, its cards have left the hands, both draw."""
        if wins:
            self.leads = not self.leads
            self.hand, self.other = self.other, self.hand
        at = self.at
        if at < len(self.stock):
            self.hand |= BIT[self.stock[at]]
            self.other |= BIT[self.stock[at + 1]]
            self.at = at + 2
        self.led = -1

    def ahead(self) -> tuple[int, int]:
        """Tells by how much the bot is ahead, in scoring trumps and for the fourth point."""
        return self.points[1] - self.points[0], self.shares[1] - self.shares[0]


class Playouts:
    """Plays worlds of one turn on; what the cards are worth is fixed for the turn."""

    def __init__(self, state: State) -> None:
        """Puts a value on every card.

        Args:
            state: the turn, in any of its worlds.
        """
        scoring = state.ruleset.scoring
        trump = state.trump
        price = price_of_share(state)
        self._price = price
        self._share = [1 if scoring is Scoring.MOST_TRICKS else c.trick_points for c in CARDS]
        self._point = [int(c.suit == trump and c.rank in SCORING_TRUMPS) for c in CARDS]
        self._capture = [p + price * s for p, s in zip(self._point, self._share, strict=True)]
        plain, trumps = (
            [now + price * later for now, later in zip(points, shares[scoring], strict=True)]
            for points, shares in ((PLAIN_POINTS, PLAIN_SHARE), (TRUMP_POINTS, TRUMP_SHARE))
        )
        self._hold = [(trumps if c.suit == trump else plain)[c.rank] for c in CARDS]
        self._lead = LEAD_POINTS + price * LEAD_SHARE
        self._draw = sum(self._hold[c] for c in state.stock) / max(1, len(state.stock))
        self._trump = trump
        self._trumps = SUIT_MASK[trump]
        self._may_trump = state.ruleset.follow is FollowRule.FOLLOW_OR_TRUMP
        self._answers: list[dict[int, Answers]] = [{} for _ in CARDS]

    def value(self, state: State) -> float:
        """Plays a state on; gives the game points that the bot is ahead by, more or less."""
        table = Table(state)
        value = 0.0
        tricks = 0
        left = 1.0
        while table.other:
            self._play_trick(table)
            tricks += 1
            weight = WEIGHTS.get(tricks, 0.0)
            if weight and table.at < len(table.stock):
                value += weight * self._estimate(table)
                left -= weight
                if left <= 0:
                    return value
        points, share = table.ahead()
        return value + left * (points + (share > 0) - (share < 0))

    def _estimate(self, table: Table) -> float:
        """Puts a value on the cards captured and held."""
        hold = self._hold
        held = self._lead
        for card in cards_of(table.hand):
            held += hold[card]
        for card in cards_of(table.other):
            held -= hold[card]
        points, share = table.ahead()
        return points + self._price * share + (held if table.leads else -held)

    def _play_trick(self, table: Table) -> None:
        """Chooses both cards of a trick, or the answer to the card led, and ends the trick."""
        trick = self._lead
        if table.at < len(table.stock):
            trick += self._hold[table.stock[table.at]] - self._draw
        if table.led < 0:
            led, card, wins = self._lead_of(table, trick)
            table.hand ^= BIT[led]
        else:
            led = table.led
            _, card, wins = self._answer(led, table.other, trick)
        table.other ^= BIT[card]
        table.take(wins=wins)
        table.points[table.leads] += self._point[led] + self._point[card]
        table.shares[table.leads] += self._share[led] + self._share[card]

    def _lead_of(self, table: Table, trick: float) -> tuple[int, int, bool]:
        """Chooses a lead; gives the answer that it expects with it."""
        best = NEVER
        choice = (0, 0, False)
        for led in cards_of(table.hand):
            lost, card, wins = self._answer(led, table.other, trick)
            gain = -lost - self._hold[led]
            if gain > best:
                best = gain
                choice = (led, card, wins)
        return choice

    def _answer(self, led: int, other: int, trick: float) -> tuple[float, int, bool]:
        """Chooses the answer to a lead; gives its gain, the card, and whether it wins."""
        legal = other & SAME_SUIT[led]
        if not legal:
            legal = other
        elif self._may_trump:
            legal |= other & self._trumps
        found = self._answers[led].get(legal)
        if found is None:
            found = self._answers[led][legal] = self._weigh(led, legal)
        winning, winner, losing, loser = found
        if winning + trick > losing - trick:
            return winning + trick, winner, True
        return losing - trick, loser, False

    def _weigh(self, led: int, legal: int) -> Answers:
        """Finds the best card that beats the lead and the best that doesn't, with their gains."""
        winning = losing = NEVER
        winner = loser = 0
        for card in cards_of(legal):
            captured = self._capture[led] + self._capture[card]
            follows = SUIT_OF[card] == SUIT_OF[led]
            if card > led if follows else SUIT_OF[card] == self._trump:
                gain = captured - self._hold[card]
                if gain > winning:
                    winning, winner = gain, card
            else:
                gain = -captured - self._hold[card]
                if gain > losing:
                    losing, loser = gain, card
        return winning, winner, losing, loser
