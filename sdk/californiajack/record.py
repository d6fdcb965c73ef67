"""Game records: one game as JSON, for export, replay and verification (docs/rules.md).

Reading a record only settles that it has the right shape; whether the rules allow what it tells is
for `californiajack.verify` to say.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from californiajack.cards import format_cards
from californiajack.errors import IllegalPlayError, InputError, RecordError
from californiajack.fields import Fields
from californiajack.rules import PLAYS_A_ROUND, Game
from californiajack.ruleset import (
    HIGHEST_TARGET,
    LOWEST_TARGET,
    FollowRule,
    Ruleset,
    Scoring,
)
from californiajack.view import Termination

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import NoReturn

FORMAT = "californiajack.game/1"
HIGHEST_DEAL = 2**64 - 1
_HIGHEST_POINTS = 999  # of a field; how many the rules give is the verifier's business


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One round of a record."""

    dealer: int
    """The seat that dealt, 0 or 1."""
    plays: bytes
    """The cards in the order played, a card number a byte, two a trick; 52 in a whole round."""
    deck: bytes | None = None
    """The 52 cards it was dealt from, a card number a byte; None where the seed has to tell."""
    points: tuple[int, int] | None = None
    """The round's game points by seat (R10, R11); None in a round that was broken off."""
    score: tuple[int, int] | None = None
    """The game points by seat after it; may be None in a round that was broken off."""

    def to_json(self) -> dict[str, object]:
        """Gives the round as JSON data, without the fields that are None."""
        data: dict[str, object] = {"dealer": self.dealer}
        if self.deck is not None:
            data["deck"] = format_cards(self.deck)
        data["plays"] = format_cards(self.plays)
        if self.points is not None:
            data["points"] = list(self.points)
        if self.score is not None:
            data["score"] = list(self.score)
        return data


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game, whole or broken off."""

    ruleset: Ruleset
    """The rules it was played by."""
    seed: bytes | None
    """The seed of its decks, 16 to 64 bytes; None where every round has its deck."""
    deal: int
    """The deal's number, 0 to 2**64 - 1."""
    first_dealer: int
    """The seat that dealt the first round, 0 or 1."""
    seats: tuple[str, str]
    """The players' names by seat."""
    rounds: tuple[RoundRecord, ...]
    """The rounds in order; only the last one may have been broken off."""
    winner: int | None
    """The seat that won, 0 or 1; None for a void game."""
    termination: Termination
    """Why the game ended."""

    def to_json(self) -> dict[str, object]:
        """Gives the record as JSON data, its fields always in the same order."""
        data: dict[str, object] = {
            "format": FORMAT,
            "ruleset": {
                "target": self.ruleset.target,
                "scoring": self.ruleset.scoring.value,
                "follow": self.ruleset.follow.value,
            },
        }
        if self.seed is not None:
            data["seed"] = self.seed.hex()
        data["deal"] = self.deal
        data["first_dealer"] = self.first_dealer
        data["seats"] = list(self.seats)
        data["rounds"] = [played.to_json() for played in self.rounds]
        data["result"] = {"winner": self.winner, "termination": self.termination.value}
        return data


def format_record(record: GameRecord) -> str:
    """Writes a record as one line of JSON, without the line's end; equal records, equal lines."""
    return json.dumps(record.to_json())


def parse_record(source: str | Mapping[str, object]) -> GameRecord:
    """Reads a record from its JSON text, or from what a JSON parser made of that.

    Unknown fields are ignored. The rules are not consulted: that is `verify_record`'s part.

    Raises:
        RecordError: it is no JSON object, or a field is missing, of the wrong type or out of its
            range, or the format is another one. ``clause`` is the field's name, ``record`` where
            the whole is meant.
    """
    fields = Fields(_load(source) if isinstance(source, str) else source, "record")
    found = fields.text("format")
    if found != FORMAT:
        raise RecordError(f"expected {FORMAT!r}, got {found[:60]!r}", clause="format")
    seed = fields.seed("seed") if "seed" in fields else None
    result = fields.nested("result")
    return GameRecord(
        ruleset=_ruleset(fields.nested("ruleset")),
        seed=seed,
        deal=fields.whole("deal", 0, HIGHEST_DEAL),
        first_dealer=fields.whole("first_dealer", 0, 1),
        seats=fields.names("seats"),
        rounds=tuple(
            _round(played, needs_deck=seed is None) for played in fields.objects("rounds", "round")
        ),
        winner=None if result.is_null("winner") else result.whole("winner", 0, 1, "0, 1 or null"),
        termination=Termination(result.choice("termination", [kind.value for kind in Termination])),
    )


def record_of(  # noqa: PLR0913 - all that a record tells besides the plays
    game: Game,
    *,
    seats: tuple[str, str],
    seed: bytes | None = None,
    deal: int = 0,
    winner: int | None = None,
    termination: Termination = Termination.NORMAL,
) -> GameRecord:
    """Makes the record of a game, with the deck of every round in which a card was played.

    Args:
        game: the game, over or broken off.
        seats: the players' names by seat.
        seed: the seed its decks came from; None where they came from elsewhere.
        deal: the deal's number.
        winner: the winner of a game that ended early, None for nobody; a game played to its end
            has its own.
        termination: why it ended; ``NORMAL`` if and only if the game was played to its end.

    Raises:
        InputError: the termination doesn't fit the game.
    """
    if (game.winner is not None) != (termination is Termination.NORMAL):
        state = "isn't over" if game.winner is None else "was played to its end"
        raise InputError(f"termination: got {termination.value!r} for a game that {state}")
    rounds = [
        RoundRecord(played.dealer, played.plays, played.deck, played.points, played.score)
        for played in game.rounds
    ]
    current = game.round
    if game.winner is None and current.plays:
        rounds.append(RoundRecord(current.dealer, bytes(current.plays), current.deck))
    return GameRecord(
        ruleset=game.ruleset,
        seed=seed,
        deal=deal,
        first_dealer=game.rounds[0].dealer if game.rounds else current.dealer,
        seats=seats,
        rounds=tuple(rounds),
        winner=winner if game.winner is None else game.winner,
        termination=termination,
    )


def replay(
    ruleset: Ruleset, decks: Callable[[int], bytes], first_dealer: int, plays: bytes
) -> Game:
    """Plays a game again from its cards.

    Args:
        ruleset: the rules.
        decks: gives the deck of a round by its number from 0.
        first_dealer: the seat that deals the first round, 0 or 1.
        plays: the cards of all rounds in the order played, a card number a byte; the game may end
            anywhere.

    Raises:
        RecordError: the rules don't allow a card; names the round, the play and the clause.
    """
    game = Game(ruleset, decks, first_dealer)
    for start in range(0, len(plays), PLAYS_A_ROUND):
        round_number = start // PLAYS_A_ROUND
        if game.winner is not None:
            raise RecordError(
                f"{len(plays) - start} plays come after the game's end",
                clause="R12",
                round_number=round_number,
            )
        play_round(game, round_number, plays[start : start + PLAYS_A_ROUND])
    return game


def play_round(game: Game, round_number: int, plays: bytes) -> None:
    """Plays the cards of the round that has just been dealt.

    Args:
        game: a game in which the round is open and no card of it has been played.
        round_number: the round's number, for errors.
        plays: its cards in the order played, a card number a byte, at most 52.

    Raises:
        RecordError: the rules don't allow a card; names the round, the play and the clause.
    """
    current = game.round
    last = PLAYS_A_ROUND - 1
    try:
        for card in plays[:last]:
            current.play(card)
        for card in plays[last:]:  # the one that ends the round, which the game has to know
            game.play(card)
    except IllegalPlayError as error:
        raise RecordError(
            error.message,
            clause=error.clause,
            round_number=round_number,
            play_number=len(current.plays),
        ) from error


def _load(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
    except RecordError:
        raise
    except json.JSONDecodeError as error:
        raise RecordError(f"expected JSON, got {error}", clause="record") from None
    except ValueError:
        # NaN and Infinity, which Python would take, and thousands of digits, which it won't
        message = "expected JSON, got a number that is none of JSON's or far too long"
        raise RecordError(message, clause="record") from None
    except RecursionError:
        raise RecordError("expected a record, got JSON nested too deep", clause="record") from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    data = dict(pairs)
    if len(data) != len(pairs):
        # which one counts would depend on the reader
        raise RecordError("expected each field once in an object, got one twice", clause="record")
    return data


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _ruleset(fields: Fields) -> Ruleset:
    return Ruleset(
        target=fields.whole("target", LOWEST_TARGET, HIGHEST_TARGET),
        scoring=Scoring(fields.choice("scoring", list(Scoring))),
        follow=FollowRule(fields.choice("follow", list(FollowRule))),
    )


def _round(fields: Fields, *, needs_deck: bool) -> RoundRecord:
    return RoundRecord(
        dealer=fields.whole("dealer", 0, 1),
        plays=fields.cards("plays", number_plays=True),
        deck=fields.deck("deck") if needs_deck or "deck" in fields else None,
        points=fields.pair("points", _HIGHEST_POINTS) if "points" in fields else None,
        score=fields.pair("score", _HIGHEST_POINTS) if "score" in fields else None,
    )
