"""The tables of a league's database, and what makes an older one's tables of these. Constants."""

from __future__ import annotations

SCHEMA_VERSION = 5
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

# Sums over the whole pairs of a pairing. The order of the columns is that of `PairSums`.
_SUMS = {
    "lost": "won = 0",
    "split": "won = 1",
    "won": "won = 2",
    "normal": "normal",
    "difference": "normal * difference",
    "rounds": "normal * rounds",
    "difference_squares": "normal * difference * difference",
    "rounds_squares": "normal * rounds * rounds",
    "products": "normal * difference * rounds",
}
SUM_COLUMNS = ", ".join(_SUMS)
"""The columns of `pair_sum` that are summed, in the order of `PairSums`."""
# as the pairing's first bot sees them: it has seat 0 in a and seat 1 in b
_PAIRS = """CREATE VIEW pair AS SELECT
    a.tournament, a.deal, a.pairing,
    (a.winner = 0) + (b.winner = 1) AS won,
    a.termination = 'normal' AND b.termination = 'normal' AS normal,
    a.score_0 - a.score_1 + b.score_1 - b.score_0 AS difference,
    length(a.plays) / 52 + length(b.plays) / 52 AS rounds
    FROM game AS a JOIN game AS b
    ON b.tournament = a.tournament AND b.deal = a.deal AND b.pairing = a.pairing
    WHERE a.seating = 0 AND b.seating = 1"""
_PAIR_SUMS = "CREATE TABLE pair_sum ({}, PRIMARY KEY (tournament, pairing)) WITHOUT ROWID".format(
    ", ".join(f"{column} INTEGER NOT NULL" for column in ("tournament", "pairing", *_SUMS))
)


def _count(row: str, sign: str) -> str:
    """Writes the statement that adds the pair of a row of `game`, if it is whole, or takes it away.

    Args:
        row: ``NEW`` or ``OLD``.
        sign: ``+`` or ``-``.
    """
    terms = ", ".join(f"{sign}({term})" for term in _SUMS.values())
    added = ", ".join(f"{column} = {column} + excluded.{column}" for column in _SUMS)
    return (
        f"INSERT INTO pair_sum SELECT tournament, pairing, {terms} FROM pair"  # noqa: S608 - constants
        f" WHERE tournament = {row}.tournament AND deal = {row}.deal AND pairing = {row}.pairing"
        f" ON CONFLICT (tournament, pairing) DO UPDATE SET {added}; "
    )


# they see every change of a game, whoever makes it, so that the sums are always those of the games
_SUMMING = (
    f"CREATE TRIGGER pair_added AFTER INSERT ON game BEGIN {_count('NEW', '+')}END",
    f"CREATE TRIGGER pair_gone BEFORE DELETE ON game BEGIN {_count('OLD', '-')}END",
    f"CREATE TRIGGER pair_changes BEFORE UPDATE ON game BEGIN {_count('OLD', '-')}END",
    f"CREATE TRIGGER pair_changed AFTER UPDATE ON game BEGIN {_count('NEW', '+')}END",
)
_SUM_UP = "INSERT INTO pair_sum SELECT tournament, pairing, {} FROM pair GROUP BY 1, 2".format(  # noqa: S608 - constants
    ", ".join(f"sum({term})" for term in _SUMS.values())
)
_FORMAT_COLUMNS = (
    """format TEXT NOT NULL DEFAULT '{"kind": "round-robin"}'""",
    "options TEXT NOT NULL DEFAULT '{}'",
)

# games of people against bots: no ranking and no tournament ever looks in here
_CASUAL = """CREATE TABLE casual (
    id INTEGER PRIMARY KEY, -- in the order of their ends
    person TEXT NOT NULL,
    bot TEXT NOT NULL, -- its name with its version; without one where it isn't of the league
    seat INTEGER NOT NULL CHECK (seat IN (0, 1)), -- the person's
    seed BLOB NOT NULL,
    deal INTEGER NOT NULL,
    ruleset TEXT NOT NULL, -- a JSON object
    played_at TEXT NOT NULL, -- ISO 8601, UTC
    winner INTEGER NOT NULL CHECK (winner IN (0, 1)),
    termination TEXT NOT NULL,
    blame INTEGER CHECK (blame IN (0, 1)),
    words TEXT NOT NULL,
    detail TEXT NOT NULL,
    score_0 INTEGER NOT NULL,
    score_1 INTEGER NOT NULL,
    plays BLOB NOT NULL,
    used_ms_0 INTEGER NOT NULL,
    used_ms_1 INTEGER NOT NULL,
    layer TEXT NOT NULL,
    cpu_ms_0 INTEGER,
    cpu_ms_1 INTEGER
)"""

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
    ruleset TEXT NOT NULL, -- a JSON object, as are the next two, the format and the options
    limits TEXT NOT NULL,
    rating TEXT NOT NULL,
    created_at TEXT NOT NULL, -- ISO 8601, UTC
    {_FORMAT_COLUMNS[0]}, -- which games are wanted
    {_FORMAT_COLUMNS[1]} -- how it was asked to be played, which changes no game
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
SCHEMA += ";\n".join((*_CHECKPOINTS, _PAIRS, _PAIR_SUMS, *_SUMMING, _CASUAL, ""))

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
    # all tournaments were round robins, and pairs were counted anew each time
    3: (
        *(f"ALTER TABLE tournament ADD COLUMN {column}" for column in _FORMAT_COLUMNS),
        *(_PAIRS, _PAIR_SUMS, _SUM_UP),
        *_SUMMING,
    ),
    # only bots played
    4: (_CASUAL,),
}
"""What makes a database of a version one of the next version, by the older version."""
