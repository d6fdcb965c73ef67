"""The verifier: replays a game record by the rules and refuses one that they don't allow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from californiajack.cards import CARDS
from californiajack.deal import deck_of
from californiajack.errors import RecordError
from californiajack.record import GameRecord, RoundRecord, parse_record, play_round
from californiajack.rules import PLAYS_A_ROUND, Game
from californiajack.ruleset import Scoring
from californiajack.view import Termination

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_ANY_DECK = bytes(range(PLAYS_A_ROUND))


@dataclass(frozen=True, slots=True)
class Fault:
    """A faulty record among many."""

    line: int
    """The number of the record's line, from 1."""
    error: RecordError
    """What is wrong, with the round, the play and the clause or field."""

    def __str__(self) -> str:
        return f"record {self.line}: {self.error}"


def verify_lines(lines: Iterable[str | bytes]) -> Iterator[Fault]:
    """Checks records, one a line, and gives a fault for each that is not as it has to be.

    It goes on after a faulty record. Lines that are blank hold no record but are counted. Bytes
    are read as UTF-8.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            verify_record(parse_record(line if isinstance(line, str) else _decode(line)))
        except RecordError as error:
            yield Fault(number, error)


def _decode(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise RecordError(
            f"expected UTF-8, got the byte 0x{line[error.start]:02x} at {error.start}",
            clause="record",
        ) from None


def verify_record(record: GameRecord) -> None:
    """Replays a record by the rules.

    A game that ended normally must be whole and have the right winner. One that ended early must be
    legal as far as it goes, and must not have been decided by the cards.

    Raises:
        RecordError: the rules don't allow it. Names the round and the play where there is one, and
            as its clause R3 for a deck that isn't the seed's; R5 or R6 for a play; R9 for a round
            of more or fewer than 52 plays; R10 or R11 for points; R12 for the score, the winner
            and the number of rounds; R13 for the dealer; or the name of a field that is missing or
            stands where it may not.
    """
    game = Game(record.ruleset, _decks(record), record.first_dealer)
    for number, told in enumerate(record.rounds):
        if game.winner is not None:
            raise RecordError(
                f"the game was over at {_score(game.score)}", clause="R12", round_number=number
            )
        _verify_plays(game, number, told)
        if len(told.plays) == PLAYS_A_ROUND:
            _verify_count(game, number, told)
        elif record.termination is Termination.NORMAL or number < len(record.rounds) - 1:
            raise RecordError(
                f"expected 52 plays, got {len(told.plays)}", clause="R9", round_number=number
            )
        else:
            _verify_broken_off(game, number, told)
    _verify_result(game, record)


def _decks(record: GameRecord) -> Callable[[int], bytes]:
    """Gives the decks of a record, each checked when its round is dealt."""

    def deck_at(number: int) -> bytes:
        if number >= len(record.rounds):
            return _ANY_DECK  # of a round that the record doesn't tell: no card of it is played
        told = record.rounds[number].deck
        if record.seed is None:
            if told is None or sorted(told) != list(_ANY_DECK):
                raise RecordError(
                    "expected the 52 cards, as there is no seed", clause="deck", round_number=number
                )
            return told
        deck = deck_of(record.seed, record.deal, number)
        if told is not None and told != deck:
            raise _wrong_deck(told, deck, number)
        return deck

    return deck_at


def _wrong_deck(told: bytes, deck: bytes, number: int) -> RecordError:
    place = next(
        (i for i, pair in enumerate(zip(told, deck, strict=False)) if pair[0] != pair[1]), 0
    )
    return RecordError(
        f"the deck isn't the seed's: its card {place} has to be {CARDS[deck[place]]}",
        clause="R3",
        round_number=number,
    )


def _verify_plays(game: Game, number: int, told: RoundRecord) -> None:
    dealer = game.round.dealer
    if told.dealer != dealer:
        raise RecordError(
            f"expected seat {dealer} to deal, got seat {told.dealer}",
            clause="R13",
            round_number=number,
        )
    play_round(game, number, told.plays[:PLAYS_A_ROUND])
    if len(told.plays) > PLAYS_A_ROUND:
        raise RecordError(
            f"expected 52 plays, got {len(told.plays)}",
            clause="R9",
            round_number=number,
            play_number=PLAYS_A_ROUND,
        )


def _verify_count(game: Game, number: int, told: RoundRecord) -> None:
    """Compares what a whole round counted."""
    counted = game.rounds[number]
    clause = "R11" if game.ruleset.scoring is Scoring.MOST_TRICKS else "R10"
    for field, wanted, found, rule in (
        ("points", counted.points, told.points, clause),
        ("score", counted.score, told.score, "R12"),
    ):
        if found is None:
            raise RecordError(
                f"expected {_score(wanted)}, but the field is missing",
                clause=field,
                round_number=number,
            )
        if found != wanted:
            raise RecordError(
                f"expected {field} {_score(wanted)}, got {_score(found)}",
                clause=rule,
                round_number=number,
            )


def _verify_broken_off(game: Game, number: int, told: RoundRecord) -> None:
    """Looks at a round that ended early, which has no points and leaves the score as it was."""
    if told.points is not None:
        raise RecordError(
            f"a round of {len(told.plays)} plays has no points",
            clause="points",
            round_number=number,
        )
    if told.score not in (None, game.score):
        raise RecordError(
            f"expected the score to stay {_score(game.score)}, as the round wasn't finished",
            clause="R12",
            round_number=number,
        )


def _verify_result(game: Game, record: GameRecord) -> None:
    where = f"after {len(game.rounds)} rounds, at {_score(game.score)}"
    if record.termination is not Termination.NORMAL:
        if game.winner is not None:
            raise RecordError(
                f"seat {game.winner} won {where}, so the game didn't end early by "
                f"{record.termination.value}",
                clause="R12",
            )
    elif game.winner is None:
        raise RecordError(
            f"nobody has won {where}: more rounds have to follow, up to {game.ruleset.target} "
            "points and a lead",
            clause="R12",
        )
    elif record.winner != game.winner:
        named = "nobody" if record.winner is None else f"seat {record.winner}"
        raise RecordError(f"seat {game.winner} won {where}, the record names {named}", clause="R12")


def _score(points: tuple[int, int]) -> str:
    return f"{points[0]} to {points[1]}"
