"""One game in progress, without I/O: takes cards, times and faults in, gives news and a verdict."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from californiajack import GameEnd, IllegalPlayError, Outcome, Termination
from californiajack.deal import bot_seed_of, deck_of
from californiajack.observation import observe, opening, player_from, summary
from californiajack.rules import Game
from californiajack_referee.values import FIRST_DEALER, GameResult, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from californiajack import Ruleset
    from californiajack.observation import Observation, RoundOpening, RoundSummary
    from californiajack_referee.values import Limits

_MILLISECONDS = 1000

_OPPONENT_DID = {
    Termination.ILLEGAL_MOVE: "Your opponent played a card that the rules don't allow.",
    Termination.TIMEOUT: "Your opponent didn't answer in time.",
    Termination.CRASH: "Your opponent crashed.",
    Termination.DISCONNECT: "Your opponent left.",
    Termination.PROTOCOL_ERROR: "Your opponent broke the protocol.",
    Termination.NEVER_STARTED: "Your opponent never started.",
}
"""What a seat is told of the other's fault: nothing that could show a hidden card."""
_MACHINE_WAS_LATE = "A bot was late because the machine was: the game is played again."


class Player(Protocol):
    """One seat of a table, as the table speaks to it."""

    def game_start(self, table: Table, ruleset: Ruleset, first_dealer: int, bot_seed: int) -> None:
        """Tells that a game begins; the bot may give it up from now on."""

    def round_start(self, game: int, seen: RoundOpening) -> None:
        """Tells that a round begins."""

    def turn(self, table: Table, seen: Observation) -> None:
        """Asks for a card; the answer comes through `Table.answer`."""

    def round_end(self, game: int, seen: RoundSummary) -> None:
        """Tells that a round has ended."""

    def game_end(self, table: Table, end: GameEnd) -> None:
        """Tells that the game is over; a turn still waiting needs no answer."""


@dataclass(frozen=True, slots=True)
class TableOrder:
    """What a table needs to know before its game begins."""

    number: int
    """The game's number on the bots' streams."""
    deal: int
    """The deal's number."""
    seed: bytes
    """The tournament's seed."""
    ruleset: Ruleset
    """The rules."""
    limits: Limits
    """What a move may take."""
    names: tuple[str, str]
    """The bots' names by seat, for the verdict."""


@dataclass(frozen=True, slots=True)
class _Allowance:
    """What a seat's next move may take."""

    seconds: float
    """In all."""
    move_ms: int
    """As a turn tells it, without the bank."""
    bank_ms: int
    """The bank, as a turn tells it."""
    until_used: float
    """Seconds used in the game up to which none of this changes."""


class Table:
    """A game between two seats, from its deal to its verdict.

    Attributes:
        number: the game's number on the bots' streams.
        verdict: how the game ended; None while it is on.
    """

    __slots__ = (
        "_allowed",
        "_bank",
        "_game",
        "_on_end",
        "_order",
        "_players",
        "_used",
        "number",
        "verdict",
    )

    def __init__(
        self,
        order: TableOrder,
        players: tuple[Player, Player],
        on_end: Callable[[Table], None],
    ) -> None:
        """Lays the table; `start` deals. `on_end` is called once, when there is a verdict."""
        self.number = order.number
        self.verdict: Verdict | None = None
        self._order = order
        self._players = players
        self._on_end = on_end
        self._game = Game(order.ruleset, partial(deck_of, order.seed, order.deal), FIRST_DEALER)
        self._bank = [order.limits.bank_seconds] * 2
        self._used = [0.0, 0.0]
        # worked out when it changes, which is seldom: it is asked for at every turn
        self._allowed = [self._work_out_allowance(seat) for seat in (0, 1)]

    def start(self) -> None:
        """Tells both seats, deals, and asks for the first card."""
        self._open()
        self._advance()

    def _open(self) -> None:
        """Tells both seats that the game begins, and deals."""
        order = self._order
        for seat, player in enumerate(self._players):
            player.game_start(
                self,
                order.ruleset,
                player_from(FIRST_DEALER, seat),
                bot_seed_of(order.seed, order.deal, FIRST_DEALER, seat),
            )
        self._tell_round_start()

    def allowance(self, seat: int) -> float:
        """Gives the seconds that a seat's next move may take, from its bank and its game's time."""
        return self._allowed[seat].seconds

    def _work_out_allowance(self, seat: int) -> _Allowance:
        limits = self._order.limits
        move, bank = limits.move_seconds, self._bank[seat]
        seconds = min(move + bank, self._left(seat))
        return _Allowance(
            seconds=seconds,
            move_ms=round(min(move, seconds) * _MILLISECONDS),
            bank_ms=round(max(0.0, seconds - move) * _MILLISECONDS),
            until_used=limits.game_seconds - move - bank if limits.game_seconds else math.inf,
        )

    def _left(self, seat: int) -> float:
        """Gives the seconds that all moves still to come may be charged."""
        limit = self._order.limits.game_seconds
        return max(0.0, limit - self._used[seat]) if limit else math.inf

    def answer(self, seat: int, card: int, charged: float) -> None:
        """Takes the answer to the turn that waits.

        Args:
            seat: the seat that answers; it must be its turn.
            card: a card's number, legal or not.
            charged: the seconds it is charged.
        """
        if charged > self._allowed[seat].seconds:
            self.time_out(seat, charged)
            return
        self._used[seat] += charged
        overdrawn = charged - self._order.limits.move_seconds
        if overdrawn > 0:
            self._bank[seat] -= overdrawn
        if overdrawn > 0 or self._used[seat] > self._allowed[seat].until_used:
            self._allowed[seat] = self._work_out_allowance(seat)
        try:
            ended = self._game.play(card)
        except IllegalPlayError as error:
            self.lose(seat, Termination.ILLEGAL_MOVE, f"played an illegal card: {error}")
            return
        if ended:
            self._tell_round_end()
        self._advance()

    def time_out(self, seat: int, waited: float) -> None:
        """Ends the game because a seat's turn has waited longer than allowed, in seconds."""
        allowed, left = self.allowance(seat), self._left(seat)
        self._used[seat] += waited
        if left <= allowed:
            limit = self._order.limits.game_seconds
            words = f"took {self._used[seat]:.2f} s over its cards; a game may take {limit:.2f} s"
        else:
            words = f"took {waited:.2f} s over a card; {allowed:.2f} s were allowed"
        self.lose(seat, Termination.TIMEOUT, words)

    def excuse(self, seat: int, excuse: str) -> None:
        """Ends the game as void: a seat was late, but that was the machine's doing, as told."""
        words = f"{self._order.names[seat]} was late, but not by its own fault: {excuse}"
        self._end(Verdict(None, Termination.REFEREE_FAULT, None, words), _MACHINE_WAS_LATE)

    def lose(self, seat: int, termination: Termination, predicate: str, detail: str = "") -> None:
        """Ends the game as a loss for a seat.

        Args:
            seat: the seat at fault.
            termination: what kind of fault.
            predicate: what the bot did, to be put after its name.
            detail: the last lines of its standard error, where its process died.
        """
        words = f"{self._order.names[seat]} {predicate}"
        self._end(Verdict(1 - seat, termination, seat, words, detail), f"You {predicate}")

    def void(self, termination: Termination, words: str, detail: str = "") -> None:
        """Ends the game with no winner and nobody to blame."""
        self._end(Verdict(None, termination, None, words, detail), words)

    def result(self) -> GameResult:
        """Gives the game as it is to be stored.

        Raises:
            ValueError: it isn't over.
        """
        if self.verdict is None:
            raise ValueError("the game is not over: it has no verdict yet")
        game = self._game
        plays = b"".join(played.plays for played in game.rounds)
        if game.winner is None:
            plays += bytes(game.round.plays)
        used = self._used
        return GameResult(
            deal=self._order.deal,
            verdict=self.verdict,
            score=game.score,
            plays=plays,
            used_ms=(round(used[0] * _MILLISECONDS), round(used[1] * _MILLISECONDS)),
        )

    def _tell_round_end(self) -> None:
        game = self._game
        number = len(game.rounds) - 1
        for seat, player in enumerate(self._players):
            player.round_end(self.number, summary(game.rounds[number], number, seat))
        if game.winner is None:
            self._tell_round_start()

    def _tell_round_start(self) -> None:
        for seat, player in enumerate(self._players):
            player.round_start(self.number, opening(self._game, seat))

    def _advance(self) -> None:
        """Makes the forced plays, then asks for the next card or ends the game."""
        game = self._game
        while game.winner is None:
            legal = game.round.legal()
            if legal & (legal - 1):
                seat = game.round.to_play
                allowed = self._allowed[seat]
                seen = observe(game, move_time_ms=allowed.move_ms, bank_ms=allowed.bank_ms)
                self._players[seat].turn(self, seen)
                return
            if game.play(legal.bit_length() - 1):
                self._tell_round_end()
        winner = game.winner
        high, low = game.score[winner], game.score[1 - winner]
        words = f"{self._order.names[winner]} won {high} to {low}"
        self._end(Verdict(winner, Termination.NORMAL, None, words), "")

    def _end(self, verdict: Verdict, words_for_bots: str) -> None:
        if self.verdict is not None:
            return
        self.verdict = verdict
        score = self._game.score
        for seat, player in enumerate(self._players):
            if verdict.winner is None:
                outcome = Outcome.VOID
            else:
                outcome = Outcome.WON if verdict.winner == seat else Outcome.LOST
            mine, theirs = score[seat], score[1 - seat]
            if verdict.blame is None:
                reason = words_for_bots
                if verdict.termination is Termination.NORMAL:
                    did = "won" if outcome is Outcome.WON else "lost"
                    reason = f"You {did} {mine} to {theirs}."
            elif verdict.blame == seat:
                reason = words_for_bots
            else:
                reason = _OPPONENT_DID[verdict.termination]
            end = GameEnd(outcome, mine, theirs, verdict.termination, reason[:500])
            player.game_end(self, end)
        self._on_end(self)
