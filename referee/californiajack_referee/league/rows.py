"""How the values of a league stand in its database: the rows of its tables."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from californiajack import Ruleset, Termination
from californiajack_referee.league.errors import StoreError
from californiajack_referee.league.format import format_data, format_of
from californiajack_referee.league.stored import RatingSettings, StoredBot, StoredTournament
from californiajack_referee.values import GameResult, Layer, Limits, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

Row = tuple[Any, ...]
"""A row as the database gives it; the tables say of what types."""

BOT_COLUMNS = "name, version, digest, language, authors, command, submitted_at"
CHECKPOINT_COLUMNS = "scope, basis, tournament, deal, pairing, games, tally, digest"
TOURNAMENT_COLUMNS = "name, pairs, seed, ruleset, limits, rating, created_at, format, options"
RESULT_COLUMNS = (
    "deal, pairing, seating, winner, termination, blame, words, detail, "
    "score_0, score_1, plays, used_ms_0, used_ms_1, layer, cpu_ms_0, cpu_ms_1"
)


@contextmanager
def sound() -> Iterator[None]:
    """Says in words that a row read inside can't be one of this program's.

    Raises:
        StoreError: a value is none that this program has written.
    """
    try:
        yield
    except (LookupError, TypeError, ValueError) as error:
        raise StoreError(
            "the league's database is damaged: expected a row that this program has written, found "
            f"another one ({error}): restore the database from a copy"
        ) from error


def bot_row(bot: StoredBot) -> Row:
    """Gives a bot as its row, in the order of `BOT_COLUMNS`."""
    return (
        bot.name,
        bot.version,
        bot.digest,
        bot.language,
        json.dumps(bot.authors),
        json.dumps(bot.command),
        bot.submitted_at.isoformat(),
    )


@sound()
def bot_of(row: Row) -> StoredBot:
    """Reads a row of `BOT_COLUMNS`."""
    name, version, digest, language, authors, command, submitted_at = row
    return StoredBot(
        name=name,
        version=version,
        digest=digest,
        language=language,
        authors=tuple(json.loads(authors)),
        command=tuple(json.loads(command)),
        submitted_at=datetime.fromisoformat(submitted_at),
    )


def tournament_row(tournament: StoredTournament) -> Row:
    """Gives a tournament as its row, in the order of `TOURNAMENT_COLUMNS`."""
    return (
        tournament.name,
        tournament.pairs,
        tournament.seed,
        json.dumps(asdict(tournament.ruleset)),
        json.dumps(asdict(tournament.limits)),
        json.dumps(asdict(tournament.rating)),
        tournament.created_at.isoformat(),
        json.dumps(format_data(tournament.format)),
        json.dumps(dict(tournament.options)),
    )


@sound()
def tournament_of(row: Row, entrants: tuple[StoredBot, ...]) -> StoredTournament:
    """Reads a row of `TOURNAMENT_COLUMNS`."""
    name, pairs, seed, ruleset, limits, rating, created_at, played_as, options = row
    return StoredTournament(
        name=name,
        entrants=entrants,
        pairs=pairs,
        seed=seed,
        ruleset=Ruleset(**json.loads(ruleset)),
        limits=Limits(**json.loads(limits)),
        rating=RatingSettings(**json.loads(rating)),
        created_at=datetime.fromisoformat(created_at),
        format=format_of(json.loads(played_as)),
        options=tuple(json.loads(options).items()),
    )


def result_row(pairing: int, seating: int, result: GameResult) -> Row:
    """Gives a game's result as its row, in the order of `RESULT_COLUMNS`."""
    verdict = result.verdict
    return (
        result.deal,
        pairing,
        seating,
        verdict.winner,
        verdict.termination.value,
        verdict.blame,
        verdict.words,
        verdict.detail,
        *result.score,
        result.plays,
        *result.used_ms,
        result.layer.value,
        *result.cpu_ms,
    )


@sound()
def result_of(row: Row) -> GameResult:
    """Reads a row of `RESULT_COLUMNS`, but for its pairing and its seating."""
    deal, _, _, winner, termination, blame, words, detail, *rest = row
    score_0, score_1, plays, used_ms_0, used_ms_1, layer, cpu_ms_0, cpu_ms_1 = rest
    if winner not in (None, 0, 1) or not isinstance(plays, bytes):
        raise ValueError(f"winner {winner!r}, plays {plays!r}")
    return GameResult(
        deal=deal,
        verdict=Verdict(winner, Termination(termination), blame, words, detail),
        score=(score_0, score_1),
        plays=plays,
        used_ms=(used_ms_0, used_ms_1),
        cpu_ms=(cpu_ms_0, cpu_ms_1),
        layer=Layer(layer),
    )
