"""What a run of a tournament has still to do: blocks of deals, and what becomes of them. Pure."""

from __future__ import annotations

import heapq
from collections import Counter
from typing import TYPE_CHECKING

from californiajack import Termination
from californiajack_referee.schedule import Block, Leg, blocks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from californiajack_referee.values import GameResult

MOST_TRIES = 3
"""How often one run begins a game that comes to nothing."""


class Plan:
    """The blocks to play, in their order; a block that comes back unfinished is cut anew.

    Each block taken is given back by exactly one of `settle`, `fail` and `put_back`. When none is
    out and `take` gives none, all that was to be played is, or is given up.

    Attributes:
        given_up: how many games were tried in vain `MOST_TRIES` times and are left for another run.
    """

    def __init__(self, to_play: Iterable[Block]) -> None:
        self.given_up = 0
        self._blocks = list(to_play)
        self._tries: Counter[tuple[Leg, int]] = Counter()
        heapq.heapify(self._blocks)

    def add(self, blocks_to_play: Iterable[Block]) -> None:
        """Adds blocks that are to be played too."""
        for block in blocks_to_play:
            heapq.heappush(self._blocks, block)

    def __len__(self) -> int:
        """Counts the blocks that can be taken now."""
        return len(self._blocks)

    def take(self) -> Block | None:
        """Gives the next block to play; None where there is none now."""
        return heapq.heappop(self._blocks) if self._blocks else None

    def settle(self, block: Block, results: Iterable[GameResult]) -> None:
        """Takes what a series has played of its block; the rest comes up again.

        A void game is tried again, up to `MOST_TRIES` times in all. So is every deal of a series
        that has played nothing.
        """
        won = set()
        void = set()
        for result in results:
            if result.verdict.winner is not None:
                won.add(result.deal)
            elif result.verdict.termination is not Termination.INTERRUPTED:
                void.add(result.deal)
        left = set(block.deals) - won
        self._again(block.leg, left, tried=left & void if won or void else left)

    def fail(self, block: Block) -> None:
        """Takes back a block whose series came to nothing by a fault of the referee's own."""
        self._again(block.leg, set(block.deals), tried=set(block.deals))

    def put_back(self, block: Block) -> None:
        """Takes back a block whose series was not played, through no fault of its own."""
        heapq.heappush(self._blocks, block)

    def _again(self, leg: Leg, deals: set[int], *, tried: set[int]) -> None:
        self._tries.update((leg, deal) for deal in tried)
        hopeless = {deal for deal in tried if self._tries[leg, deal] >= MOST_TRIES}
        self.given_up += len(hopeless)
        for block in blocks(leg, deals - hopeless):
            heapq.heappush(self._blocks, block)
