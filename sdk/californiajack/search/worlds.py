"""Worlds: where the hidden cards may lie, as far as one seat can tell."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

    from californiajack.cards import Card
    from californiajack.view import View


@dataclass(frozen=True, slots=True)
class World:
    """One place for every card that a seat can't see."""

    opponent: tuple[Card, ...]
    """The opponent's hand: the known cards, then those drawn by chance."""
    stock: tuple[Card, ...]
    """The whole stock, its top card first: 40 cards down to none."""


class WorldSampler:
    """Draws worlds for one turn; quicker than `sample_world` where many are wanted."""

    __slots__ = ("_elsewhere", "_known", "_possible", "_top", "_unknown")

    def __init__(self, view: View) -> None:
        """Reads from the view which cards may lie where."""
        void = view.opponent_void
        unseen = view.unseen
        self._known = view.opponent_known
        self._unknown = view.opponent_unknown
        self._possible = [card for card in unseen if card.suit not in void]
        self._elsewhere = [card for card in unseen if card.suit in void]
        top = view.stock_top
        self._top = () if top is None else (top,)

    def draw(self, rng: random.Random) -> World:
        """Draws one of the consistent worlds, each with the same chance."""
        cards = self._possible.copy()
        rng.shuffle(cards)
        held = cards[: self._unknown]
        rest = cards[self._unknown :]
        if self._elsewhere:
            rest += self._elsewhere
            rng.shuffle(rest)
        return World((*self._known, *held), (*self._top, *rest))

    def count(self) -> int:
        """Counts the consistent worlds; two hands that differ in order only are one."""
        stock = len(self._possible) + len(self._elsewhere) - self._unknown
        return math.comb(len(self._possible), self._unknown) * math.factorial(stock)


def sample_world(view: View, rng: random.Random) -> World:
    """Draws the hidden cards, uniformly over all worlds that agree with what the seat knows.

    Hidden are the opponent's unknown cards and the order of the stock below its top. Every draw is
    open (R8), so the unknown cards are all from the six dealt: the opponent held them whenever it
    failed to follow, and none of them has that suit (R6), however long ago that was. Nothing else
    is certain: what a good player would have done is not looked at.

    Args:
        view: the turn.
        rng: where the chance comes from, such as the bot's own ``rng``.
    """
    return WorldSampler(view).draw(rng)


def count_worlds(view: View) -> int:
    """Counts the worlds that `sample_world` draws from: 1 when nothing is hidden."""
    return WorldSampler(view).count()
