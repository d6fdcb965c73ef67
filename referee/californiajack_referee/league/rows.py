"""How the values of a league stand in its database: the tables, and the rows of each."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from californiajack import Ruleset, Termination
from californiajack_referee.league.errors import StoreError
from californiajack_referee.league.stored import RatingSettings, StoredBot, StoredTournament
from californiajack_referee.values import GameResult, Layer, Limits, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

Row = tuple[Any, ...]
"""A row as the database gives it; the tables say of what types."""

SCHEMA_VERSION = 3
_GAME_COLUMNS = """
    tournament INTEGER NOT NULL REFERENCES tournament,
    deal INTEGER NOT NULL,
    pairing INTEGER NOT NULL,
    seating INTEGER NOT NULL CHECK (seating IN (0, 1)),
    winner INTEGER CHECK (winner IN (0, 1)),
    termination TEXT NOT NULL,
    blame INTEGER CHECK (blame IN (0, 1)),
    words TEXT NOT NULL,
    detail TEXT NOT NULL,
    score_0 INTEGER NOT NULL,
    score_1 INTEGER NOT NULL,
    plays BLOB NOT NULL, -- a byte a card; all else follows from these and the seed
    used_ms_0 INTEGER NOT NULL,
    used_ms_1 INTEGER NOT NULL,
    layer TEXT NOT NULL, -- what stood between the bots and the machine
    cpu_ms_0 INTEGER, -- unknown where the system didn't tell
    cpu_ms_1 INTEGER"""
# what rankings read, without the plays; the layer is for `tournament show`
_OUTCOMES = """CREATE INDEX game_outcome ON game (
    tournament, deal, pairing, seating, winner, blame, layer
)"""
_CHECKPOINTS = (
    """CREATE TABLE checkpoint (
    scope INTEGER NOT NULL, -- a tournament, or 0 for all of them together
    basis TEXT NOT NULL, -- what the numbers depend on besides the games
    tournament INTEGER NOT NULL, -- the last pair that is counted, with the next two
    deal INTEGER NOT NULL,
    pairing INTEGER NOT NULL,
    games INTEGER NOT NULL, -- how many are counted
    tally BLOB NOT NULL,
    digest BLOB NOT NULL, -- of all the others
    PRIMARY KEY (scope, basis, tournament, deal, pairing)
)""",
    # results are added and never changed; should one be, nothing that was counted holds any more
    "CREATE TRIGGER game_changed AFTER UPDATE ON game BEGIN DELETE FROM checkpoint; END",
    "CREATE TRIGGER game_gone AFTER DELETE ON game BEGIN DELETE FROM checkpoint; END",
)
SCHEMA = f"""
CREATE TABLE bot (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    language TEXT NOT NULL,
    authors TEXT NOT NULL, -- a JSON list
    command TEXT NOT NULL, -- a JSON list
    submitted_at TEXT NOT NULL, -- ISO 8601, UTC
    UNIQUE (name, version)
);
CREATE TABLE tournament (
    id INTEGER PRIMARY KEY, -- in the order of creation
    name TEXT NOT NULL UNIQUE,
    pairs INTEGER NOT NULL,
    seed BLOB NOT NULL,
    ruleset TEXT NOT NULL, -- a JSON object, as are the next two
    limits TEXT NOT NULL,
    rating TEXT NOT NULL,
    created_at TEXT NOT NULL -- ISO 8601, UTC
);
CREATE TABLE entrant (
    tournament INTEGER NOT NULL REFERENCES tournament,
    place INTEGER NOT NULL, -- from 0; numbers the pairings
    bot INTEGER NOT NULL REFERENCES bot,
    PRIMARY KEY (tournament, place),
    UNIQUE (tournament, bot)
) WITHOUT ROWID;
-- the primary key is the canonical order
CREATE TABLE game ({_GAME_COLUMNS},
    CHECK (winner IS NOT NULL),
    PRIMARY KEY (tournament, deal, pairing, seating)
) WITHOUT ROWID;
-- games that ended with no winner: kept to be seen, and played again
CREATE TABLE void (id INTEGER PRIMARY KEY, {_GAME_COLUMNS},
    CHECK (winner IS NULL)
);
CREATE INDEX void_order ON void (tournament, deal, pairing, seating);
{_OUTCOMES};
"""
SCHEMA += ";\n".join((*_CHECKPOINTS, ""))

MIGRATIONS = {
    # before there were layers, nothing but a process group stood there
    1: tuple(
        f"ALTER TABLE {table} ADD COLUMN {column}"
        for table in ("game", "void")
        for column in (
            "layer TEXT NOT NULL DEFAULT 'none'",
            "cpu_ms_0 INTEGER",
            "cpu_ms_1 INTEGER",
        )
    ),
    # rankings read and counted all games anew
    2: (_OUTCOMES, *_CHECKPOINTS),
}
"""What makes a database of a version one of the next version, by the older version."""

BOT_COLUMNS = "name, version, digest, language, authors, command, submitted_at"
CHECKPOINT_COLUMNS = "scope, basis, tournament, deal, pairing, games, tally, digest"
TOURNAMENT_COLUMNS = "name, pairs, seed, ruleset, limits, rating, created_at"
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
    )


@sound()
def tournament_of(row: Row, entrants: tuple[StoredBot, ...]) -> StoredTournament:
    """Reads a row of `TOURNAMENT_COLUMNS`."""
    name, pairs, seed, ruleset, limits, rating, created_at = row
    return StoredTournament(
        name=name,
        entrants=entrants,
        pairs=pairs,
        seed=seed,
        ruleset=Ruleset(**json.loads(ruleset)),
        limits=Limits(**json.loads(limits)),
        rating=RatingSettings(**json.loads(rating)),
        created_at=datetime.fromisoformat(created_at),
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
