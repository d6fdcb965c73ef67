"""Earlier games, shown again to a new version: where does it play another card?"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from californiajack import CARDS, Termination
from californiajack.observation import Observation, observe
from californiajack_referee.play.series import run_series
from californiajack_referee.play.sitting import Sitting
from californiajack_referee.play.table import Player, Table, TableOrder
from californiajack_referee.submission.opponent import OPPONENT
from californiajack_referee.values import BotProgram, GameId, Layer, Limits, SeriesOrder

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from californiajack_referee.play.slots import Slots
    from californiajack_referee.values import GameResult
    from californiajack_referee.workbench.start import Start


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game that has been played, to be shown again."""

    id: GameId
    """Its name."""
    start: Start
    """How it was dealt, and the seat that is looked at."""
    plays: bytes
    """All cards that were played, a card number a byte."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A turn that was shown again."""

    seen: Observation
    """What the bot saw, both times."""
    then: int | None
    """The card that was played in the game; None where the game ended there by a fault."""
    now: int
    """The number that the bot answers now, a legal card or not."""

    @property
    def same(self) -> bool:
        """Whether it plays what was played."""
        return self.then == self.now

    @property
    def legal(self) -> bool:
        """Whether the rules allow what it plays now."""
        return self.now in self.seen.legal

    @property
    def played_now(self) -> str:
        """What it plays now, in words."""
        return str(CARDS[self.now]) if self.now < len(CARDS) else f"the number {self.now}"


@dataclass(slots=True)
class Rewound:
    """A game that was shown again."""

    game: PastGame
    """The game."""
    choices: list[Choice] = field(default_factory=list)
    """The turns at which the seat had a choice, in order."""
    fault: str = ""
    """What the new version did wrong, where that ended it early; else empty."""

    @property
    def different(self) -> list[Choice]:
        """The turns at which it plays another card."""
        return [choice for choice in self.choices if not choice.same]


@dataclass(frozen=True, slots=True)
class RewindTerms:
    """What plays, and on what terms."""

    bot: BotProgram
    """The new version."""
    idle: str
    """An empty folder, for the process that has the other seat and is never asked."""
    limits: Limits
    """How long the bot may take."""
    layer: Layer
    """What stands between it and the machine."""


def rewind(games: Iterable[PastGame], terms: RewindTerms) -> Iterator[Rewound]:
    """Shows games again: every turn that the seat had, with all that was known there.

    The bot is asked for a card at each of them, and then what was played then is played.

    Args:
        games: the games; they are given back pairing by pairing.
        terms: what plays, and on what terms.
    """
    groups: dict[tuple[str, int, int, int], dict[int, Rewound]] = {}
    for game in games:
        key = (game.id.tournament, game.id.pairing, game.id.seating, game.start.seat)
        groups.setdefault(key, {})[game.id.deal] = Rewound(game)
    for group in groups.values():
        _show(group, terms)
        yield from group.values()


def _show(group: Mapping[int, Rewound], terms: RewindTerms) -> None:
    """Shows the games of one pairing and seating, by deal."""
    start = next(iter(group.values())).game.start
    nobody = BotProgram("nobody", terms.idle, OPPONENT)
    order = SeriesOrder(
        tournament="rewind",
        pairing=0,
        seating=start.seat,
        seats=(nobody, terms.bot) if start.seat else (terms.bot, nobody),
        deals=tuple(group),
        seed=start.seed,
        ruleset=start.ruleset,
        limits=terms.limits,
        layer=terms.layer,
        budget_seconds=float("inf"),
    )
    for result in run_series(order, sit=partial(_RewindSitting, group)).games:
        group[result.deal].fault = _fault(result, start.seat)


def _fault(result: GameResult, seat: int) -> str:
    verdict = result.verdict
    return verdict.words if verdict.blame == seat or verdict.winner is None else ""


class _RewindSitting(Sitting):
    """A sitting at whose tables everything has been played already."""

    def __init__(  # noqa: PLR0913, PLR0917 - those of a sitting, after the games
        self,
        group: Mapping[int, Rewound],
        order: SeriesOrder,
        deals: deque[int],
        until: float | None,
        stop: Callable[[], bool],
        slots: Slots | None = None,
    ) -> None:
        super().__init__(order, deals, until, stop, slots)
        self._group = group

    def _lay_table(self, order: TableOrder) -> Table:
        players = (self._sessions[0], self._sessions[1])
        return _RewindTable(order, players, self._ended, self._group[order.deal])


class _RewindTable(Table):
    """A table that asks one seat, and goes on with what was played whatever it answers."""

    __slots__ = ("_place", "_rewound")

    def __init__(
        self,
        order: TableOrder,
        players: tuple[Player, Player],
        on_end: Callable[[Table], None],
        rewound: Rewound,
    ) -> None:
        super().__init__(order, players, on_end)
        self._rewound = rewound
        self._place = 0
        rewound.choices.clear()  # of a process that failed

    def answer(self, seat: int, card: int, charged: float) -> None:
        """Notes an answer, and plays what was played."""
        if charged > self.allowance(seat):
            self.time_out(seat, charged)
            return
        plays = self._rewound.game.plays
        then = plays[self._place] if self._place < len(plays) else None
        self._rewound.choices.append(Choice(observe(self._game), then, card))
        if then is not None:
            self._play(then)
            self._advance()
        else:
            self._close()

    def _play(self, card: int) -> None:
        self._place += 1
        if self._game.play(card):
            self._tell_round_end()

    def _advance(self) -> None:
        """Plays what was played, up to the next turn of the seat, which is asked."""
        game, past = self._game, self._rewound.game
        while game.winner is None:
            legal = game.round.legal()
            if legal & (legal - 1) and game.round.to_play == past.start.seat:
                self._players[past.start.seat].turn(self, observe(game))
                return
            if self._place >= len(past.plays):
                break
            self._play(past.plays[self._place])
        self._close()

    def _close(self) -> None:
        # it has no result: the game was played long ago
        self.void(Termination.INTERRUPTED, "The game was only shown again.")
