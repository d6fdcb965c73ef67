"""Sees one trick: wins what is worth winning, and gives away as little as it can."""

from californiajack import Bot, Card, Rank, Suit, View, beats, run

GAME_POINT = 20  # what a game point counts beside trick points
TRUMP_PRICE = 8  # what the lowest trump is worth in the hand
SCORING_TRUMPS = (Rank.ACE, Rank.JACK, Rank.TWO)  # a game point each (R10)


class Greedy(Bot):
    """Looks at the open trick only; the same turn always gets the same card.

    Worth: a card's trick points, and 20 more for the trump ace, jack and two.
    Price, of spending a card: 8 plus its rank (two 0 … ace 12) for a trump; otherwise 0.

    Following, the stake is the worth of both cards and, while there is a stock, the worth and
    the price of its top card, which the winner draws. A card gains the stake if it wins, loses it
    if not, and costs its price. Leading, a king or an ace gains its worth, any other card loses
    it, and it costs its price. The card that gains most is played; among equals the lowest rank,
    then the lowest number.
    """

    def choose(self, view: View) -> Card:
        """Picks the legal card that gains most."""
        return max(view.legal, key=lambda card: (gain(card, view), -card.rank, -card))


def gain(card: Card, view: View) -> int:
    """Tells what playing this card brings, in trick points."""
    trump = view.trump
    stake = worth(card, trump)
    if view.led is None:
        wins = card.rank >= Rank.KING
    else:
        wins = beats(card, view.led, trump)
        stake += worth(view.led, trump)
        if view.stock_top is not None:
            stake += worth(view.stock_top, trump) + price(view.stock_top, trump)
    return (stake if wins else -stake) - price(card, trump)


def worth(card: Card, trump: Suit) -> int:
    """Tells what capturing this card is worth, in trick points."""
    scores = card.suit is trump and card.rank in SCORING_TRUMPS
    return card.trick_points + (GAME_POINT if scores else 0)


def price(card: Card, trump: Suit) -> int:
    """Tells what having this card in the hand is worth, in trick points."""
    return TRUMP_PRICE + card.rank if card.suit is trump else 0


if __name__ == "__main__":
    run(Greedy)
