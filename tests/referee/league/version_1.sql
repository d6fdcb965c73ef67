-- The tables of version 1, as they were released.
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
CREATE TABLE game (
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
    CHECK (winner IS NOT NULL),
    PRIMARY KEY (tournament, deal, pairing, seating)
) WITHOUT ROWID;
-- games that ended with no winner: kept to be seen, and played again
CREATE TABLE void (id INTEGER PRIMARY KEY, 
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
    CHECK (winner IS NULL)
);
CREATE INDEX void_order ON void (tournament, deal, pairing, seating);
PRAGMA user_version = 1;
