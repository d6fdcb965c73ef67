"""A California Jack bot: wins tricks that are worth something, as cheaply as it can."""

from californiajack import Bot, Card, View, beats, run


class MyBot(Bot):
    """One object plays one game. All that it needs to know is in each turn's view."""

    def choose(self, view: View) -> Card:
        """Chooses one of `view.legal`, two cards at least: forced cards are played for you."""
        if view.led is None:
            return self.lead(view)
        return self.follow(view, view.led)

    def lead(self, view: View) -> Card:
        """Leads the highest card, but keeps trumps as long as there is something else."""
        return max(view.legal, key=lambda card: (card.suit is not view.trump, card.rank))

    def follow(self, view: View, led: Card) -> Card:
        """Takes the trick with the cheapest card that wins it, where it is worth it."""
        winning = [card for card in view.legal if beats(card, led, view.trump)]
        # whoever wins the trick also draws the stock's top card, which lies face up
        top = view.stock_top
        worth = led.trick_points > 0 or (top is not None and top.suit is view.trump)
        if winning and worth:
            return min(winning, key=lambda card: cost(card, view))
        return min(view.legal, key=lambda card: cost(card, view))


def cost(card: Card, view: View) -> tuple[bool, int, int]:
    """Orders cards by what it costs to give them away; among equals it is the lowest card."""
    return (card.suit is view.trump, card.trick_points, card.rank)


if __name__ == "__main__":
    run(MyBot)
