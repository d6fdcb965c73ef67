"""The tally: what the ranking table is made of, counted game by game in canonical order. Pure."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Self

from californiajack_referee.ranking.update import TwoPlayerUpdate
from californiajack_referee.values import PairSums

if TYPE_CHECKING:
    from collections.abc import Hashable

    from californiajack_referee.league.stored import RatingSettings

_LINE = struct.Struct("<qddqqqqqq")
FORMAT = 1
"""The number of the format of `Tally.pack`."""


class Line:
    """What is counted of one bot.

    Attributes:
        mu: the mean of its rating.
        sigma: the deviation of its rating.
        wins: games it won.
        losses: games it lost.
        faults: games it lost for a fault of its own.
        pairs_lost: whole pairs of which it lost both games.
        pairs_split: whole pairs of which it won one game.
        pairs_won: whole pairs of which it won both games.
    """

    __slots__ = (
        *("mu", "sigma", "wins", "losses", "faults"),
        *("pairs_lost", "pairs_split", "pairs_won"),
    )

    def __init__(self, mu: float, sigma: float) -> None:
        self.mu = mu
        self.sigma = sigma
        self.wins = self.losses = self.faults = 0
        self.pairs_lost = self.pairs_split = self.pairs_won = 0

    @property
    def games(self) -> int:
        """Its games."""
        return self.wins + self.losses

    @property
    def pairs(self) -> PairSums:
        """Its pairs by how they went."""
        return PairSums(self.pairs_lost, self.pairs_split, self.pairs_won)


class Tally:
    """The lines of all bots that have a game, by the bots' numbers.

    Games are to come in canonical order, so that the two of a pair follow each other.

    Args:
        settings: the parameters of TrueSkill.

    Attributes:
        lines: a line a bot.
        games: how many games are counted.
    """

    __slots__ = ("_last_pair", "_last_winner", "_settings", "_update", "games", "lines")

    def __init__(self, settings: RatingSettings) -> None:
        self._settings = settings
        self._update = TwoPlayerUpdate(settings)
        self._last_pair: Hashable = None
        self._last_winner = -1
        self.lines: dict[int, Line] = {}
        self.games = 0

    def add(self, pair: Hashable, winner: int, loser: int, *, fault: bool) -> None:
        """Counts a game.

        Args:
            pair: the same for both games of a pair, and for no other one; not None.
            winner: the number of the bot that won.
            loser: the number of the bot that lost.
            fault: whether the loser lost for a fault of its own.
        """
        won = self.lines.get(winner) or self._new_line(winner)
        lost = self.lines.get(loser) or self._new_line(loser)
        won.mu, won.sigma, lost.mu, lost.sigma = self._update(
            won.mu, won.sigma, lost.mu, lost.sigma
        )
        won.wins += 1
        lost.losses += 1
        lost.faults += fault
        if pair != self._last_pair:
            self._last_pair = pair
            self._last_winner = winner
        elif winner == self._last_winner:
            won.pairs_won += 1
            lost.pairs_lost += 1
        else:
            won.pairs_split += 1
            lost.pairs_split += 1
        self.games += 1

    def _new_line(self, bot: int) -> Line:
        line = self.lines[bot] = Line(self._settings.mu, self._settings.sigma)
        return line

    def pack(self) -> bytes:
        """Gives all that is counted as bytes, the same for the same games to the last bit.

        Every game of the last pair is to be counted before: what comes next is another pair.
        """
        return b"".join(
            _LINE.pack(
                *(bot, line.mu, line.sigma, line.wins, line.losses, line.faults),
                *(line.pairs_lost, line.pairs_split, line.pairs_won),
            )
            for bot, line in sorted(self.lines.items())
        )

    @classmethod
    def unpack(cls, packed: bytes, settings: RatingSettings) -> Self:
        """Reads what `pack` has written with the same settings.

        Raises:
            ValueError: it is nothing that `pack` writes.
        """
        if len(packed) % _LINE.size:
            raise ValueError(f"expected {_LINE.size} bytes a bot, found {len(packed)} in all")
        tally = cls(settings)
        for bot, mu, sigma, *counts in _LINE.iter_unpack(packed):
            if not (math.isfinite(mu) and math.isfinite(sigma)) or sigma <= 0 or min(counts) < 0:
                raise ValueError(f"expected a rating and counts, found {mu}, {sigma}, {counts}")
            line = tally.lines[bot] = Line(mu, sigma)
            line.wins, line.losses, line.faults = counts[:3]
            line.pairs_lost, line.pairs_split, line.pairs_won = counts[3:]
            tally.games += line.wins
        return tally
