"""The rest of a round played perfectly by both, once nothing is hidden.

Alpha-beta with a transposition table, between tricks, on bit masks: Knuth and Moore, "An analysis
of alpha-beta pruning", Artificial Intelligence 6 (1975), pages 293 to 326.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from californiajack.cards import CARDS, Card
from californiajack.errors import InputError
from californiajack.masks import BIT, SAME_SUIT, SUIT_MASK, SUIT_OF, cards_of, mask_of
from californiajack.observation import ME
from californiajack.ruleset import FollowRule
from californiajack.search.state import SCORING_TRUMPS, SHARES, WHOLE

if TYPE_CHECKING:
    from californiajack.search.state import State

_MOST = 9
"""More than any difference of game points in a round."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What perfect play of both comes to."""

    best: Card
    """The best card for whoever is to play; the lowest number among equally good ones."""
    value: int
    """The game points of the round of the player the state is seen from, less the opponent's."""


def solve(state: State) -> Solution:
    """Plays the rest of a round out perfectly for both players, with nothing hidden.

    The value counts game points only, -4 to 4, those captured before included: trick points beyond
    what the fourth point needs are worth nothing. Six tricks from the end it takes less
    than a millisecond on average, seldom more than four; each trick more, several times as long.

    Raises:
        InputError: the round is over.
    """
    return Solver(state).solve()


class _Between(NamedTuple):
    """The cards between two tricks, seen from the player who is to lead, or has just led."""

    hand: int
    other: int
    won: int
    """What the leader has captured for the fourth point."""
    lost: int
    at: int
    """How many cards of the stock have been drawn."""


class Solver:
    """Solves one state; keeps what it has found, so that asking for more costs little."""

    def __init__(self, state: State) -> None:
        """Takes the state.

        Raises:
            InputError: the round is over.
        """
        if state.over:
            raise InputError("state: expected cards left to play, got a round that is over")
        self._state = state
        rules = state.ruleset
        self._trump = state.trump
        self._may_trump = rules.follow is FollowRule.FOLLOW_OR_TRUMP
        self._shares = SHARES[rules.scoring]
        self._whole = WHOLE[rules.scoring]
        self._scoring = SCORING_TRUMPS[state.trump]
        self._stock = state.stock
        self._rest = [mask_of(state.stock[at:]) for at in range(len(state.stock) + 1)]
        self._table: dict[tuple[int, int, int], tuple[int, int]] = {}
        self._moves: dict[tuple[int, int], list[int]] = {}

    def solve(self) -> Solution:
        """Finds the best card and its value."""
        sign = 1 if self._state.to_play == ME else -1
        legal = cards_of(self._state.legal())
        best, value = legal[0], -_MOST
        for card in legal:
            found = self._after(card, value, _MOST)
            if found > value:
                best, value = card, found
        return Solution(CARDS[best], sign * value + self._captured())

    def values(self) -> dict[Card, int]:
        """Finds the value of every legal card, as `Solution.value` has it."""
        sign = 1 if self._state.to_play == ME else -1
        before = self._captured()
        return {
            CARDS[card]: sign * self._after(card, -_MOST, _MOST) + before
            for card in cards_of(self._state.legal())
        }

    def _captured(self) -> int:
        return self._state.points - self._state.opponent_points

    def _after(self, card: int, low: int, high: int) -> int:
        """Gives the value of a card for whoever plays it, from here on."""
        state = self._state
        mine = (state.mine, state.share)
        theirs = (state.theirs, state.opponent_share)
        (hand, won), (other, lost) = (mine, theirs) if state.to_play == ME else (theirs, mine)
        hand ^= BIT[card]
        if state.led < 0:
            return self._answered(card, _Between(hand, other, won, lost, 0), low, high)
        return -self._played(state.led, card, _Between(other, hand, lost, won, 0), -high, -low)

    def _to_lead(self, now: _Between, low: int, high: int) -> int:
        """Gives the value between two tricks for whoever is to lead: exact within `low` to `high`.

        Outside of them it is a bound, on the same side of both.
        """
        present = now.hand | now.other | self._rest[now.at]
        key = (now.hand, now.other, now.won)
        found = self._table.get(key)
        floor, ceiling = self._bounds(now, present) if found is None else found
        if floor == ceiling or ceiling <= low:
            return ceiling
        if floor >= high:
            return floor
        best = -_MOST
        most = low
        for card in self._choices(now.hand, present):
            left = _Between(now.hand ^ BIT[card], *now[1:])
            best = max(best, self._answered(card, left, most, high))
            if best >= high or best == ceiling:
                break
            most = max(most, best)
        if best <= low:
            ceiling = best
        elif best >= high:
            floor = best
        else:
            floor = ceiling = best
        self._table[key] = (floor, ceiling)
        return best

    def _bounds(self, now: _Between, present: int) -> tuple[int, int]:
        """Gives the least and the most that the leader can still come to."""
        points = (present & self._scoring).bit_count()
        all_won = 2 * (self._whole - now.lost) - self._whole
        none_won = 2 * now.won - self._whole
        return (
            (none_won > 0) - (none_won < 0) - points,
            (all_won > 0) - (all_won < 0) + points,
        )

    def _answered(self, led: int, now: _Between, low: int, high: int) -> int:
        """Gives the value of a lead, answered by what is best for the other player."""
        other = now.other
        legal = other & SAME_SUIT[led]
        if not legal:
            legal = other
        elif self._may_trump:
            legal |= other & SUIT_MASK[self._trump]
        worst = _MOST
        for card in self._choices(legal, now.hand | other | self._rest[now.at] | BIT[led]):
            left = _Between(now.hand, other ^ BIT[card], *now[2:])
            worst = min(worst, self._played(led, card, left, low, min(high, worst)))
            if worst <= low:
                break
        return worst

    def _played(self, led: int, card: int, now: _Between, low: int, high: int) -> int:
        """Gives the value of a trick with both cards down, for the player who led it."""
        prize = self._shares[led] + self._shares[card]
        points = ((BIT[led] | BIT[card]) & self._scoring).bit_count()
        hand, other, won, lost, at = now
        follows = SUIT_OF[card] == SUIT_OF[led]
        turned = card > led if follows else SUIT_OF[card] == self._trump
        if turned:
            hand, other, won, lost = other, hand, lost, won
        if at < len(self._stock):
            hand |= BIT[self._stock[at]]
            other |= BIT[self._stock[at + 1]]
            at += 2
        after = _Between(hand, other, won + prize, lost, at)
        if turned:
            return -points - self._to_lead(after, -high - points, -low - points)
        return points + self._to_lead(after, low - points, high - points)

    def _choices(self, legal: int, present: int) -> list[int]:
        """Lists the cards worth trying, high ones first: of neighbours that count the same, one.

        Args:
            legal: the cards that may be played, a mask.
            present: all cards that are still to be captured, a mask.
        """
        key = (legal, present)
        choices = self._moves.get(key)
        if choices is None:
            choices = [card for card in cards_of(legal) if not self._has_twin(card, legal, present)]
            choices.reverse()
            self._moves[key] = choices
        return choices

    def _has_twin(self, card: int, legal: int, present: int) -> bool:
        """Tells whether the next card below is in the same hand and counts the same."""
        below = present & SAME_SUIT[card] & (BIT[card] - 1)
        twin = below.bit_length() - 1
        return (
            twin >= 0
            and bool(legal & BIT[twin])
            and self._shares[twin] == self._shares[card]
            and not self._scoring & (BIT[card] | BIT[twin])
        )
