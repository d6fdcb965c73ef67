"""What a bot sees: one frozen value for every thing it is told, under the card table's names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, IntEnum
from typing import TYPE_CHECKING

from californiajack.cards import CARDS, Card, Suit
from californiajack.ruleset import FollowRule

if TYPE_CHECKING:
    from californiajack.observation import Observation, RoundOpening, RoundSummary
    from californiajack.ruleset import Ruleset

_CARD_AT = CARDS.__getitem__


def _cards(numbers: bytes) -> tuple[Card, ...]:
    return tuple(map(_CARD_AT, numbers))


class Player(IntEnum):
    """One of the two players, seen from the bot."""

    ME = 1
    OPPONENT = 2

    @property
    def other(self) -> Player:
        """The other player."""
        return Player(3 - self)


class Outcome(Enum):
    """How a game ended for the bot."""

    WON = 1
    LOST = 2
    VOID = 3
    """Nobody won: the game doesn't count and is played again."""


class Termination(Enum):
    """Why a game ended. The value is its name in records and tables."""

    NORMAL = "normal"
    """Played to its end (R12)."""
    ILLEGAL_MOVE = "illegal_move"
    """A card was played that the rules don't allow."""
    TIMEOUT = "timeout"
    """No move came within the time allowed."""
    CRASH = "crash"
    """The process died, or the bot gave the game up after an error of its own."""
    DISCONNECT = "disconnect"
    """The bot closed its stream while its process lived on."""
    PROTOCOL_ERROR = "protocol_error"
    """The bot broke the protocol."""
    NEVER_STARTED = "never_started"
    """The bot never came so far as to play."""
    INTERRUPTED = "interrupted"
    """The tournament was stopped; the game is played again."""
    REFEREE_FAULT = "referee_fault"
    """The referee itself failed; the game is played again."""


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick (R5 to R8)."""

    leader: Player
    """Who led."""
    led: Card
    """The card led."""
    followed: Card
    """The card the other player answered with."""
    winner: Player
    """Who won it, and leads the next one."""
    drawn: tuple[Card, Card] | None
    """The card its winner drew and the card the other player drew; None in the last six tricks."""

    def card_of(self, player: Player) -> Card:
        """Gives the card that a player put into this trick."""
        return self.led if player is self.leader else self.followed


def tricks_of(history: bytes, leaders: bytes, drawn: bytes) -> tuple[Trick, ...]:
    """Reads the finished tricks from the rows of a ``Turn`` or a ``RoundEnd``."""
    return tuple(
        Trick(
            leader=Player(leaders[i]),
            led=CARDS[history[2 * i]],
            followed=CARDS[history[2 * i + 1]],
            winner=Player(leaders[i + 1]),
            drawn=(CARDS[drawn[2 * i]], CARDS[drawn[2 * i + 1]]) if 2 * i < len(drawn) else None,
        )
        for i in range(len(leaders) - 1)
    )


@dataclass(frozen=True, slots=True)
class View:
    """All that a bot may know when it is to play a card, and nothing more.

    Every turn's view is whole: a bot needs no memory of its own. Tuples of cards are in ascending
    order of the cards' numbers, captured cards in the order in which they were won.
    """

    _seen: Observation

    @property
    def hand(self) -> tuple[Card, ...]:
        """The bot's hand, 1 to 6 cards."""
        return _cards(self._seen.hand)

    @property
    def legal(self) -> tuple[Card, ...]:
        """The cards that may be played now, at least two: forced plays are not asked for."""
        return _cards(self._seen.legal)

    @property
    def trump(self) -> Suit:
        """The trump suit of this round (R4)."""
        return CARDS[self._seen.trump_card].suit

    @property
    def trump_card(self) -> Card:
        """The card that fixed the trump suit: the stock's first top card (R4)."""
        return CARDS[self._seen.trump_card]

    @property
    def led(self) -> Card | None:
        """The card led to the open trick, which the bot is to follow; None when it leads."""
        led = self._seen.led
        return None if led is None else CARDS[led]

    @property
    def leading(self) -> bool:
        """Whether the bot is to lead; any card is legal then (R5)."""
        return self._seen.led is None

    @property
    def stock_top(self) -> Card | None:
        """The card that the winner of this trick draws (R8); None when the stock is empty."""
        top = self._seen.stock_top
        return None if top is None else CARDS[top]

    @property
    def stock_size(self) -> int:
        """Cards left in the stock, its top card included: even, 40 down to 0."""
        return self._seen.stock_size

    @property
    def history(self) -> tuple[Trick, ...]:
        """The finished tricks of this round, in order: 0 to 25."""
        seen = self._seen
        return tricks_of(seen.history, seen.leaders, seen.drawn)

    @property
    def opponent_known(self) -> tuple[Card, ...]:
        """Cards that are certainly in the opponent's hand.

        They are those it drew openly and hasn't played; once the stock is empty, its whole hand.
        """
        return _cards(self._seen.opponent_known)

    @property
    def opponent_unknown(self) -> int:
        """How many more cards the opponent holds, each one of `unseen`: 0 to 6."""
        return self._seen.opponent_unknown

    @property
    def unseen(self) -> tuple[Card, ...]:
        """Cards whose place can't be known: in the opponent's hand or below the stock's top."""
        return _cards(self._seen.unseen)

    @property
    def opponent_void(self) -> frozenset[Suit]:
        """Suits that none of the opponent's unknown cards can have, because it didn't follow.

        Its known cards may have them: it may have drawn one since. Under ``follow_or_trump`` only
        a follower who didn't trump has told something (R6).
        """
        trumping_tells = self._seen.ruleset.follow is FollowRule.FOLLOW
        return frozenset(
            trick.led.suit
            for trick in self.history
            if trick.leader is Player.ME
            and trick.followed.suit is not trick.led.suit
            and (trumping_tells or trick.followed.suit is not self.trump)
        )

    @property
    def captured(self) -> tuple[Card, ...]:
        """The cards the bot has captured in this round."""
        return _cards(self._seen.captured)

    @property
    def opponent_captured(self) -> tuple[Card, ...]:
        """The cards the opponent has captured in this round."""
        return _cards(self._seen.opponent_captured)

    @property
    def score(self) -> int:
        """The bot's game points before this round."""
        return self._seen.score

    @property
    def opponent_score(self) -> int:
        """The opponent's game points before this round."""
        return self._seen.opponent_score

    @property
    def dealer(self) -> Player:
        """Who dealt this round."""
        return Player(self._seen.dealer)

    @property
    def round_number(self) -> int:
        """The round's number in its game, from 0."""
        return self._seen.round_number

    @property
    def trick_number(self) -> int:
        """The open trick's number in its round, 0 to 25."""
        return len(self._seen.leaders) - 1

    @property
    def ruleset(self) -> Ruleset:
        """The rules of this game."""
        return self._seen.ruleset

    @property
    def time_left(self) -> timedelta:
        """The longest this move may take from the sending of the turn, the bank included.

        Zero in `californiajack.local`, where no clock runs.
        """
        return timedelta(milliseconds=self._seen.move_time_ms + self._seen.bank_ms)

    @property
    def bank(self) -> timedelta:
        """What is left of the bank, from which moves over the move time are paid."""
        return timedelta(milliseconds=self._seen.bank_ms)


@dataclass(frozen=True, slots=True)
class GameStart:
    """A game begins."""

    ruleset: Ruleset
    """The rules of this game."""
    first_dealer: Player
    """Who deals the first round (R13)."""
    bot_seed: int
    """The number that the bot's ``rng`` has been seeded with, 0 to 2**64 - 1."""


@dataclass(frozen=True, slots=True)
class RoundStart:
    """A round begins: the cards have been dealt (R3)."""

    round_number: int
    """The round's number in its game, from 0."""
    dealer: Player
    """Who dealt; the other player leads first."""
    hand: tuple[Card, ...]
    """The bot's six cards."""
    trump_card: Card
    """The stock's first top card (R4)."""
    score: int
    """The bot's game points so far."""
    opponent_score: int
    """The opponent's game points so far."""

    @classmethod
    def of(cls, seen: RoundOpening) -> RoundStart:
        """Names what was observed."""
        return cls(
            round_number=seen.round_number,
            dealer=Player(seen.dealer),
            hand=_cards(seen.hand),
            trump_card=CARDS[seen.trump_card],
            score=seen.score,
            opponent_score=seen.opponent_score,
        )


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """A round has been played to its end (R9)."""

    _seen: RoundSummary

    @property
    def round_number(self) -> int:
        """The round's number in its game, from 0."""
        return self._seen.round_number

    @property
    def history(self) -> tuple[Trick, ...]:
        """All 26 tricks."""
        seen = self._seen
        return tricks_of(seen.history, seen.leaders, seen.drawn)

    @property
    def points(self) -> int:
        """The bot's game points of this round, 0 to 4."""
        return self._seen.points

    @property
    def opponent_points(self) -> int:
        """The opponent's game points of this round, 0 to 4."""
        return self._seen.opponent_points

    @property
    def score(self) -> int:
        """The bot's game points after it."""
        return self._seen.score

    @property
    def opponent_score(self) -> int:
        """The opponent's game points after it."""
        return self._seen.opponent_score


@dataclass(frozen=True, slots=True)
class GameEnd:
    """A game is over."""

    outcome: Outcome
    """How it ended for the bot."""
    score: int
    """The bot's game points."""
    opponent_score: int
    """The opponent's game points."""
    termination: Termination
    """Why it ended."""
    reason: str
    """The same in one sentence."""
