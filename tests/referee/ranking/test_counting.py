"""Counting from checkpoints gives what counting from the first game gives, whatever happened."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from californiajack import Ruleset, Termination
from californiajack_referee.league.store import Store
from californiajack_referee.league.stored import RatingSettings, StoredBot, StoredTournament
from californiajack_referee.ranking.counting import count_results
from californiajack_referee.ranking.standings import standings, standings_of_tally
from californiajack_referee.schedule import blocks_to_play, round_robin
from californiajack_referee.values import GameResult, Limits, PairSums, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from californiajack_referee.ranking.standings import Standings
    from californiajack_referee.schedule import Block

SPACING = 20
DEFAULT = RatingSettings()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Gives the path of a database that isn't there yet."""
    return tmp_path / "league.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """Gives a store without games."""
    with Store(path, create=True) as made:
        yield made


def _begin(store: Store, name: str, bots: str, pairs: int) -> list[Block]:
    entrants = tuple(_bot(store, bot) for bot in bots)
    tournament = StoredTournament(
        *(name, entrants, pairs, bytes(16), Ruleset(), Limits(), datetime(2026, 1, 2, tzinfo=UTC)),
        rating=RatingSettings(mu=100.0, tau=0.5),
    )
    store.add_tournament(tournament)
    return blocks_to_play(round_robin(len(bots), pairs), {}, 3)


def _bot(store: Store, name: str) -> StoredBot:
    return store.add_bot(name, name, language="Python", authors=["Ada"], command=["python", "b"])


def _play(store: Store, name: str, block: Block, rng: random.Random) -> None:
    results = []
    for deal in block.deals:
        winner, blame = rng.choice([(0, None), (1, None), (1, 0), (None, None)])
        why = Termination.NORMAL if blame is None else Termination.CRASH
        verdict = Verdict(winner, why, blame, "It is over")
        results.append(GameResult(deal, verdict, (0, 0), b""))
    store.add_results(name, *block.leg, results)


def _lines(tables: Standings) -> list[tuple[object, ...]]:
    """Gives all of a ranking that is counted game by game."""
    return [
        (line.rank, line.bot, line.rating, line.wins, line.losses, line.score, line.faults)
        for line in tables.ranking
    ]


def _from_scratch(store: Store, name: str | None) -> list[tuple[object, ...]]:
    """Makes the table of all games at hand, as it was made before there were checkpoints."""
    names = [tournament.name for tournament in store.tournaments()]
    tables = standings(store.games(name), names, _settings(store, name))
    return _lines(tables)


def _settings(store: Store, name: str | None) -> RatingSettings:
    return DEFAULT if name is None else store.tournament(name).rating


def _counted(store: Store, name: str | None) -> list[tuple[object, ...]]:
    settings, results = _settings(store, name), store.results(name)
    tally = count_results(results, settings, spacing=SPACING)
    return _lines(standings_of_tally(tally, results.labels(), settings))


def _checkpoints(path: Path) -> int:
    with closing(sqlite3.connect(path)) as raw:
        return int(raw.execute("SELECT count(*) FROM checkpoint").fetchone()[0])


def _fill(store: Store) -> None:
    rng = random.Random(1)
    for block in _begin(store, "night", "abc", 40):
        _play(store, "night", block, rng)


@pytest.mark.parametrize("seed", range(4))
def test_games_may_arrive_in_any_order(store: Store, path: Path, seed: int) -> None:
    """Tournaments side by side, blocks out of order, voids played again, bots that come later.

    After each few blocks the tables of all and of one tournament are those of a full count.
    """
    rng = random.Random(seed)
    waiting = [("night", block) for block in _begin(store, "night", "abcd", 12)]
    later = [("dusk", "bde", 14), ("dawn", "ac", 20)]
    rng.shuffle(waiting)
    while waiting:
        for _ in range(rng.randrange(1, 8)):
            if waiting:
                name, block = waiting.pop()
                _play(store, name, block, rng)
        if later and rng.random() < 0.3:
            name, bots, pairs = later.pop()
            waiting += [(name, block) for block in _begin(store, name, bots, pairs)]
            rng.shuffle(waiting)
        for which in (None, "night"):
            assert _counted(store, which) == _from_scratch(store, which)
    assert _checkpoints(path) > 2 * 100 // SPACING


def test_only_new_games_are_counted(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing has come, less than a spacing is read; where a few have, about as many more."""
    _fill(store)
    total = _counted(store, None) and store.game_count("night")
    read: list[int] = []

    def told() -> int:
        tally = count_results(
            store.results(), DEFAULT, lambda _done, to_count: read.append(to_count), SPACING
        )
        return tally.games

    monkeypatch.setattr("californiajack_referee.ranking.counting._GAMES_A_STEP", 1)
    assert told() == total
    assert read[-1] <= SPACING + 2
    (block,) = _begin(store, "dusk", "ab", 3)[:1]
    _play(store, "dusk", block, random.Random(7))
    new = store.game_count("dusk")
    assert told() == total + new
    assert read[-1] <= SPACING + 2 + new


def test_few_games_write_nothing(store: Store, path: Path) -> None:
    """A small league is only read: nothing is put away where counting takes no time."""
    _fill(store)
    count_results(store.results(), DEFAULT)
    assert _checkpoints(path) == 0


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE checkpoint SET tally = zeroblob(length(tally))",
        "UPDATE checkpoint SET tally = substr(tally, 1, length(tally) - 1)",
        "UPDATE checkpoint SET tally = (SELECT tally FROM checkpoint LIMIT 1)",
        "UPDATE checkpoint SET tally = 'text'",
        "UPDATE checkpoint SET tally = x''",
        "UPDATE checkpoint SET digest = x'00'",
        "UPDATE checkpoint SET games = games + 1",
        "UPDATE checkpoint SET games = 'many'",
        "UPDATE checkpoint SET deal = deal + 1 WHERE rowid = (SELECT max(rowid) FROM checkpoint)",
        "UPDATE checkpoint SET deal = 'last' WHERE rowid = (SELECT max(rowid) FROM checkpoint)",
        "DELETE FROM checkpoint WHERE deal > 5",
        "UPDATE checkpoint SET basis = 'other'",
        # the games themselves, which nobody but a person at the database changes
        "UPDATE game SET winner = 1 - winner WHERE deal = 0",
        "DELETE FROM game WHERE deal = 1",
    ],
)
def test_a_damaged_checkpoint_is_passed_over(store: Store, path: Path, damage: str) -> None:
    """Whatever was changed about it, the numbers are right, and so they are the next time."""
    _fill(store)
    _counted(store, None)
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(damage)
        raw.commit()
    for _ in range(2):
        assert _counted(store, None) == _from_scratch(store, None)
    (block,) = _begin(store, "dusk", "ab", 3)[:1]
    _play(store, "dusk", block, random.Random(7))
    assert _counted(store, None) == _from_scratch(store, None)


def test_a_flipped_bit_is_noticed(store: Store, path: Path) -> None:
    """A number that could be, but isn't what was counted, is never shown."""
    _fill(store)
    _counted(store, None)
    with closing(sqlite3.connect(path)) as raw:
        for row, tally in raw.execute("SELECT rowid, tally FROM checkpoint").fetchall():
            flipped = tally[:12] + bytes([tally[12] ^ 1]) + tally[13:]  # in the first bot's mean
            raw.execute("UPDATE checkpoint SET tally = ? WHERE rowid = ?", (flipped, row))
        raw.commit()
    assert _counted(store, None) == _from_scratch(store, None)


def test_other_settings_have_other_checkpoints(store: Store) -> None:
    """What was counted with other parameters is never taken up."""
    _fill(store)
    _counted(store, None)
    other = replace(DEFAULT, beta=1.0)
    results = store.results()
    for _ in range(2):
        found = count_results(results, other, spacing=SPACING)
        names = [tournament.name for tournament in store.tournaments()]
        expected = standings(store.games(), names, other)
        assert _lines(standings_of_tally(found, results.labels(), other)) == _lines(expected)


def test_a_league_at_work_is_counted_as_it_is(store: Store, path: Path) -> None:
    """A count sees one moment: games that arrive meanwhile are left to the next one.

    What it then puts away about that moment is passed over where the games landed before it.
    """
    rng = random.Random(3)
    first, *rest = _begin(store, "night", "abc", 40)
    for block in rest:
        _play(store, "night", block, rng)
    before = _from_scratch(store, None)
    with Store(path) as other:
        arrived: list[int] = []

        def arrive(_done: int, _total: int) -> None:
            if not arrived:
                arrived.append(1)
                _play(other, "night", first, rng)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("californiajack_referee.ranking.counting._GAMES_A_STEP", 1)
            results = store.results()
            found = count_results(results, DEFAULT, arrive, SPACING)
    assert arrived
    assert _lines(standings_of_tally(found, results.labels(), DEFAULT)) == before
    assert _counted(store, None) == _from_scratch(store, None) != before


def test_two_readers_get_the_same(store: Store, path: Path) -> None:
    """Both count at once, and each puts away what the other can use."""
    _fill(store)
    expected = _from_scratch(store, None)
    with Store(path) as other:
        inner: list[list[tuple[object, ...]]] = []

        def meanwhile(_done: int, _total: int) -> None:
            if not inner:
                inner.append(_counted(other, None))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("californiajack_referee.ranking.counting._GAMES_A_STEP", 50)
            results = store.results()
            outer = count_results(results, DEFAULT, meanwhile, SPACING)
        assert inner == [expected]
        assert _lines(standings_of_tally(outer, results.labels(), DEFAULT)) == expected
        assert _counted(other, None) == expected


def test_where_nothing_can_be_put_away_all_is_counted(store: Store, path: Path) -> None:
    """Another process that writes for long keeps no reader waiting, and changes no number."""
    _fill(store)
    expected = _from_scratch(store, None)
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert _counted(store, None) == expected
        writer.execute("ROLLBACK")
    assert _checkpoints(path) == 0
    assert _counted(store, None) == expected
    assert _checkpoints(path) > 0


def test_what_is_read_beside_is_of_the_same_moment(store: Store, path: Path) -> None:
    """Games that another process stores meanwhile are in neither the tally nor the sums."""
    _fill(store)
    results = store.results(None)
    seen: dict[tuple[int, int], PairSums] = {}

    def beside() -> None:
        with Store(path) as other:
            for block in _begin(other, "dusk", "de", 4):
                _play(other, "dusk", block, random.Random(2))
        seen.update(results.pair_sums())

    tally = count_results(results, DEFAULT, spacing=SPACING, beside=beside)
    assert tally.lines.keys() == {bot for both in seen for bot in both}
    assert results.pair_sums().keys() > seen.keys()
