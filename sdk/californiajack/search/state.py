"""The rest of a round with all cards face up, as a small value that can be played on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from californiajack.cards import CARDS, Rank
from californiajack.errors import IllegalPlayError, InputError
from californiajack.masks import BIT, SAME_SUIT, SUIT_MASK, SUIT_OF, cards_of, mask_of
from californiajack.observation import ME
from californiajack.rules import NO_CARD
from californiajack.ruleset import FollowRule, Scoring

if TYPE_CHECKING:
    from californiajack.ruleset import Ruleset
    from californiajack.search.worlds import World
    from californiajack.view import View

_new = tuple.__new__

SHARES = {
    Scoring.TRICK_POINTS: tuple(card.trick_points for card in CARDS),
    Scoring.MOST_TRICKS: (1,) * 52,
}
"""What each captured card counts for the fourth point: trick points, or half a trick."""
WHOLE = {scoring: sum(shares) for scoring, shares in SHARES.items()}
"""All there is of it: 80 trick points, or 52 half tricks."""
SCORING_TRUMPS = tuple(
    mask_of(13 * suit + rank for rank in (Rank.ACE, Rank.JACK, Rank.TWO)) for suit in range(4)
)
"""The cards that are a game point each (R10), by the trump suit; a mask."""


class State(NamedTuple):
    """The rest of a round with nothing hidden, seen from one player; `after` gives the next one.

    Cards are numbers, hands masks (`californiajack.masks`), so that thousands of states a second
    can be made. Make the first one with `State.of`.
    """

    mine: int
    """The hand of the player it is seen from, a mask."""
    theirs: int
    """The opponent's hand, a mask."""
    to_play: int
    """Whose turn it is: 1 for the player it is seen from, 2 for the opponent (`Player`)."""
    led: int
    """The card led to the open trick, -1 when there is none."""
    trump: int
    """The trump suit's number."""
    stock: bytes
    """The cards still to be drawn, the top first, a byte each."""
    points: int
    """The game points that the player has from scoring trumps captured, 0 to 3 (R10)."""
    opponent_points: int
    """The opponent's."""
    share: int
    """What the player has captured for the fourth point: trick points, or half tricks (R11)."""
    opponent_share: int
    """What the opponent has."""
    ruleset: Ruleset
    """The rules."""

    @classmethod
    def of(cls, view: View, world: World | None = None) -> State:
        """Takes a turn, with the hidden cards as they are in a world.

        Args:
            view: the turn; `mine` is its bot's hand.
            world: the hidden cards; may be left out when the stock is empty.

        Raises:
            InputError: there is no world, and cards are hidden.
        """
        if world is None and view.stock_size:
            raise InputError(
                f"world: expected one, as {len(view.unseen)} cards are hidden at this turn: "
                "draw it with sample_world(view, rng)"
            )
        shares = SHARES[view.ruleset.scoring]
        scoring = SCORING_TRUMPS[view.trump]
        captured, lost = view.captured, view.opponent_captured
        return cls(
            mine=mask_of(view.hand),
            theirs=mask_of(view.opponent_known if world is None else world.opponent),
            to_play=ME,
            led=NO_CARD if view.led is None else int(view.led),
            trump=int(view.trump),
            stock=b"" if world is None else bytes(world.stock),
            points=(mask_of(captured) & scoring).bit_count(),
            opponent_points=(mask_of(lost) & scoring).bit_count(),
            share=sum(shares[card] for card in captured),
            opponent_share=sum(shares[card] for card in lost),
            ruleset=view.ruleset,
        )

    @property
    def over(self) -> bool:
        """Whether all cards have been played."""
        return not self.mine and not self.theirs

    @property
    def hand(self) -> int:
        """The hand of the player whose turn it is, a mask."""
        return self.mine if self.to_play == ME else self.theirs

    def legal(self) -> int:
        """Gives the cards that may be played now, a mask; empty only when the round is over."""
        hand = self.mine if self.to_play == ME else self.theirs
        if self.led < 0:
            return hand
        following = hand & SAME_SUIT[self.led]
        if not following:
            return hand
        if self.ruleset.follow is FollowRule.FOLLOW_OR_TRUMP:
            return following | hand & SUIT_MASK[self.trump]
        return following

    def play(self, card: int) -> State:
        """Gives the state after a card.

        Raises:
            IllegalPlayError: the rules don't allow it (R5, R6).
        """
        legal = self.legal()
        if not (0 <= card < len(BIT) and legal & BIT[card]):
            names = " ".join(str(CARDS[other]) for other in cards_of(legal)) or "none"
            shown = CARDS[card] if 0 <= card < len(CARDS) else card
            raise IllegalPlayError(
                f"{shown} is not legal here: legal are {names}",
                clause="R5" if self.led < 0 else "R6",
            )
        return self.after(card)

    def after(self, card: int) -> State:
        """Gives the state after a legal card; whether it is legal is not looked at (see `play`)."""
        mine, theirs, player, led, trump, stock, points, lost, share, away, rules = self
        if player == ME:
            mine ^= BIT[card]
        else:
            theirs ^= BIT[card]
        if led < 0:
            return _new(
                State,
                (mine, theirs, 3 - player, card, trump, stock, points, lost, share, away, rules),
            )
        if SUIT_OF[card] == SUIT_OF[led]:
            winner = player if card > led else 3 - player
        else:
            winner = player if SUIT_OF[card] == trump else 3 - player
        shares = SHARES[rules.scoring]
        prize = shares[led] + shares[card]
        scored = ((BIT[led] | BIT[card]) & SCORING_TRUMPS[trump]).bit_count()
        if winner == ME:
            points += scored
            share += prize
        else:
            lost += scored
            away += prize
        if stock:
            first, second = BIT[stock[0]], BIT[stock[1]]
            mine, theirs = (
                (mine | first, theirs | second) if winner == ME else (mine | second, theirs | first)
            )
            stock = stock[2:]
        return _new(
            State, (mine, theirs, winner, NO_CARD, trump, stock, points, lost, share, away, rules)
        )

    def result(self) -> tuple[int, int]:
        """Counts the game points of both as they stand: the round's once it is over (R10, R11).

        Returns:
            The player's and the opponent's, 0 to 4 each. The fourth point goes to whoever has
            captured more up to now.
        """
        ahead = self.share - self.opponent_share
        return self.points + (ahead > 0), self.opponent_points + (ahead < 0)
