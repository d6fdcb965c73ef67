"""The news for one bot on their way: gathered into messages, and encoded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from californiajack.v1 import game_pb2 as game_pb
from californiajack.v1 import referee_service_pb2 as service_pb
from californiajack.wire import OUTCOMES, TERMINATIONS
from californiajack_referee.play.encode import RoundParts, encode_turn, round_parts, varint
from californiajack_referee.play.wire import ruleset_message

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from californiajack import GameEnd, Ruleset
    from californiajack.observation import Observation, RoundOpening, RoundSummary

FULL_MESSAGE = 128
"""Turns that fill a message: enough to make its own cost small beside theirs."""
_OUTCOME_NUMBERS = {value: number for number, value in OUTCOMES.items()}
_TERMINATION_NUMBERS = {value: number for number, value in TERMINATIONS.items()}
_BATCH = service_pb.PlayResponse.DESCRIPTOR.fields_by_name["batch"].number
_LISTS = {field.name: field.number for field in service_pb.Batch.DESCRIPTOR.fields}
_GAME_STARTS, _ROUND_ENDS, _GAME_ENDS, _ROUND_STARTS, _TURNS = (
    _LISTS[name] for name in ("game_starts", "round_ends", "game_ends", "round_starts", "turns")
)


def _bytes_key(number: int) -> bytes:
    """Gives what a field that is a message begins with: its number, and that a length follows."""
    return varint(number << 3 | 2)


_LONGEST_TURN = 511
"""More bytes than an encoded turn can have: all cards once, and some numbers."""
_TURN_KEYS = tuple(_bytes_key(_TURNS) + varint(length) for length in range(_LONGEST_TURN + 1))
"""What stands before a turn, by its length."""


class _Draft:
    """A Batch being written: its messages, encoded, by the number of the list they stand in."""

    __slots__ = ("last_list", "lists", "turns")

    def __init__(self) -> None:
        self.lists: list[list[bytes]] = [[] for _ in range(max(_LISTS.values()) + 1)]
        self.turns: list[int] = []
        self.last_list: dict[int, int] = {}  # by game: the number of the list it stands in last

    def encode(self) -> bytes:
        """Gives the PlayResponse."""
        batch = b"".join([piece for messages in self.lists for piece in messages])
        return _bytes_key(_BATCH) + varint(len(batch)) + batch


class Outbox:
    """The news for one bot that have not been sent yet, gathered into as few messages as possible.

    A bot handles the lists of a Batch in the order of their field numbers. Where that would put
    the news of one game out of order, a new message is begun.
    """

    def __init__(self) -> None:
        """Starts empty."""
        self._drafts: list[_Draft] = []
        # all games of a stream have the same rules, so one message is enough
        self._last_ruleset: Ruleset | None = None
        self._last_message = game_pb.Ruleset()
        # by game: what its last turn had in common with the next one, and the same encoded
        self._same: dict[int, tuple[int, tuple[object, ...], RoundParts]] = {}

    def __bool__(self) -> bool:
        """Whether there is something to send."""
        return bool(self._drafts)

    @property
    def full(self) -> bool:
        """Whether the next message is as full as it will be."""
        drafts = self._drafts
        return len(drafts) > 1 or (bool(drafts) and len(drafts[0].turns) >= FULL_MESSAGE)

    def take(self) -> tuple[bytes, list[int]]:
        """Gives the next message, and the numbers of the turns in it.

        Raises:
            IndexError: there is none.
        """
        draft = self._drafts.pop(0)
        return draft.encode(), draft.turns

    def _add(self, game: int, list_number: int, message: Message) -> None:
        drafts = self._drafts
        if (
            not drafts
            or len(drafts[-1].turns) >= FULL_MESSAGE
            or drafts[-1].last_list.get(game, 0) > list_number
        ):
            drafts.append(_Draft())
        draft = drafts[-1]
        draft.last_list[game] = list_number
        data = message.SerializeToString()
        draft.lists[list_number] += (_bytes_key(list_number), varint(len(data)), data)

    def _ruleset(self, ruleset: Ruleset) -> game_pb.Ruleset:
        if ruleset is not self._last_ruleset:
            self._last_ruleset = ruleset
            self._last_message = ruleset_message(ruleset)
        return self._last_message

    def game_start(self, game: int, ruleset: Ruleset, first_dealer: int, bot_seed: int) -> None:
        """Adds that a game begins; `first_dealer` is a player (1 you, 2 your opponent)."""
        message = game_pb.GameStart(
            game=game,
            ruleset=self._ruleset(ruleset),
            first_dealer=first_dealer,  # type: ignore[arg-type] # a plain number here
            bot_seed=bot_seed,
        )
        self._add(game, _GAME_STARTS, message)

    def round_end(self, game: int, seen: RoundSummary) -> None:
        """Adds that a round has ended."""
        message = game_pb.RoundEnd(
            game=game,
            round=seen.round_number,
            history=seen.history,
            leaders=seen.leaders,
            drawn=seen.drawn,
            points=seen.points,
            opponent_points=seen.opponent_points,
            score=seen.score,
            opponent_score=seen.opponent_score,
        )
        self._add(game, _ROUND_ENDS, message)

    def game_end(self, game: int, end: GameEnd) -> None:
        """Adds that a game is over."""
        message = game_pb.GameEnd(
            game=game,
            outcome=_OUTCOME_NUMBERS[end.outcome],
            score=end.score,
            opponent_score=end.opponent_score,
            termination=_TERMINATION_NUMBERS[end.termination],
            reason=end.reason,
        )
        self._add(game, _GAME_ENDS, message)
        self._same.pop(game, None)

    def round_start(self, game: int, seen: RoundOpening) -> None:
        """Adds that a round begins."""
        message = game_pb.RoundStart(
            game=game,
            round=seen.round_number,
            dealer=seen.dealer,  # type: ignore[arg-type] # a plain number here
            hand=seen.hand,
            trump_card=seen.trump_card,
            score=seen.score,
            opponent_score=seen.opponent_score,
        )
        self._add(game, _ROUND_STARTS, message)

    def turn(self, turn: int, game: int, seen: Observation) -> None:
        """Adds a turn to answer."""
        drafts = self._drafts
        # no list comes after that of the turns, so it is never too late for one
        if not drafts or len(drafts[-1].turns) >= FULL_MESSAGE:
            drafts.append(_Draft())
        draft = drafts[-1]
        draft.turns.append(turn)
        draft.last_list[game] = _TURNS
        round_number, clock_and_score = seen[0], seen[15:]
        same = self._same.get(game)
        if same is None or same[0] != round_number or same[1] != clock_and_score:
            parts = round_parts(game, seen, self._ruleset(seen.ruleset))
            same = self._same[game] = (round_number, clock_and_score, parts)
        data = encode_turn(turn, seen, same[2])
        draft.lists[_TURNS] += (_TURN_KEYS[len(data)], data)
