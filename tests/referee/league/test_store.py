"""The league's database: bots, tournaments and results."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from californiajack import FollowRule, InputError, Ruleset, Scoring, Termination
from californiajack_referee.league.database import StoreError
from californiajack_referee.league.store import Store
from californiajack_referee.league.stored import RatingSettings, StoredBot, StoredTournament
from californiajack_referee.schedule import Leg, fixtures
from californiajack_referee.values import GameId, GameResult, Limits, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CREATED = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Gives the path of a database that isn't there yet."""
    return tmp_path / "league.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """Gives an empty store."""
    with Store(path, create=True) as made:
        yield made


def _add_bot(store: Store, name: str, content: int = 0) -> StoredBot:
    return store.add_bot(
        name,
        f"{name}-{content}".encode().hex(),
        language="Python",
        authors=["Ada", "Blaise"],
        command=["python", "bot.py"],
    )


def _add_tournament(store: Store, name: str = "night", *, pairs: int = 4) -> StoredTournament:
    entrants = tuple(_add_bot(store, bot) for bot in ("ant", "bee", "cat"))
    tournament = StoredTournament(
        name=name,
        entrants=entrants,
        pairs=pairs,
        seed=bytes(range(16)),
        ruleset=Ruleset(3, Scoring.MOST_TRICKS, FollowRule.FOLLOW_OR_TRUMP),
        limits=Limits(move_seconds=0.25),
        created_at=CREATED,
        rating=RatingSettings(mu=30.0),
    )
    store.add_tournament(tournament)
    return tournament


def _won(deal: int, winner: int = 0) -> GameResult:
    verdict = Verdict(winner, Termination.NORMAL, None, f"seat {winner} won")
    return GameResult(deal, verdict, (10, 7), bytes(range(52)), (12, 34))


def _void(deal: int, termination: Termination = Termination.REFEREE_FAULT) -> GameResult:
    return GameResult(deal, Verdict(None, termination, None, "void"), (0, 0), b"\x05")


# Bots


def test_versions_count_up_by_name(store: Store) -> None:
    """A new content is the next version of its name, and other names have their own count."""
    labels = [_add_bot(store, *bot).label for bot in (("bee", 1), ("ant", 1), ("bee", 2))]
    assert labels == ["bee@1", "ant@1", "bee@2"]
    assert [bot.label for bot in store.bots()] == ["ant@1", "bee@1", "bee@2"]


def test_versions_are_ordered_as_numbers(store: Store) -> None:
    """The newest version is the tenth, not the ninth."""
    for content in range(10):
        _add_bot(store, "bee", content)
    assert [bot.version for bot in store.bots()] == list(range(1, 11))
    assert store.find_bot("bee").version == 10


def test_the_same_content_is_the_same_version(store: Store) -> None:
    """A digest that is known gives the bot there is and adds nothing."""
    first = _add_bot(store, "bee", 1)
    _add_bot(store, "bee", 2)
    assert _add_bot(store, "bee", 1) == first
    assert len(store.bots()) == 2


def test_a_bot_comes_back_as_it_was_added(path: Path) -> None:
    """All fields of a bot survive closing and opening."""
    with Store(path, create=True) as store:
        added = _add_bot(store, "bee")
    with Store(path) as store:
        assert store.bots() == [added]
        assert store.bot_with(added.digest) == added
        assert store.bot_with("00") is None
    assert added.authors == ("Ada", "Blaise")
    assert added.submitted_at.tzinfo is UTC


def test_a_bot_is_found_by_name_and_version(store: Store) -> None:
    """A bare name is its newest version; name@1 is that one."""
    first, second = _add_bot(store, "bee", 1), _add_bot(store, "bee", 2)
    assert store.find_bot("bee") == second
    assert store.find_bot("bee@1") == first


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("gredy", "did you mean greedy"),
        ("zzz", "there is counting, greedy"),
        ("greedy@7", "there is greedy@1"),
        ("greedy@", "there is greedy@1"),
        ("greedy@x", "there is greedy@1"),
        ("", "there is counting, greedy"),
    ],
)
def test_an_unknown_bot_is_told_with_what_there_is(store: Store, spec: str, words: str) -> None:
    """The message names the near match, or all there is."""
    _add_bot(store, "greedy")
    _add_bot(store, "counting")
    with pytest.raises(InputError, match=words):
        store.find_bot(spec)


# Tournaments


def test_a_tournament_comes_back_as_it_was_added(path: Path) -> None:
    """All that its games depend on survives closing and opening."""
    with Store(path, create=True) as store:
        added = _add_tournament(store)
    with Store(path) as store:
        assert store.tournament("night") == added
        assert store.tournaments() == [added]


def test_tournaments_are_in_the_order_of_creation(store: Store) -> None:
    """Neither name nor date orders them."""
    for name in ("m", "z", "a"):
        _add_tournament(store, name)
    assert [tournament.name for tournament in store.tournaments()] == ["m", "z", "a"]


def test_a_taken_name_is_refused(store: Store) -> None:
    """The message says how to go on with the tournament of that name; nothing changes."""
    _add_tournament(store)
    with pytest.raises(InputError, match="caljack tournament resume night"):
        _add_tournament(store)
    assert len(store.tournaments()) == 1


def test_entrants_must_be_of_the_league(store: Store) -> None:
    """A bot that was never submitted can't enter, and no half of a tournament stays."""
    tournament = _add_tournament(store)
    stranger = replace(tournament.entrants[0], digest="ff")
    with pytest.raises(InputError, match="ant@1"):
        store.add_tournament(replace(tournament, name="day", entrants=(stranger,)))
    assert [there.name for there in store.tournaments()] == ["night"]


def test_an_unknown_tournament_is_told_with_what_there_is(store: Store) -> None:
    """Every question about one names what there is."""
    with pytest.raises(InputError, match="there is none yet"):
        store.tournament("nigth")
    _add_tournament(store)
    for ask in (store.tournament, store.games, store.voids, store.game_count, store.win_counts):
        with pytest.raises(InputError, match="did you mean night"):
            ask("nigth")
    with pytest.raises(InputError, match="did you mean night"):
        store.add_results("nigth", 0, 0, [])


# Games


def test_games_are_in_canonical_order_whatever_order_they_came_in(store: Store) -> None:
    """The log of two tournaments is ordered by creation, then deal, pairing and seating."""
    order = random.Random(7)
    expected = []
    for name in ("z", "a"):
        _add_tournament(store, name)
        ids = list(fixtures(name, 3, 4))
        expected += ids
        order.shuffle(ids)
        for game in ids:
            store.add_results(name, game.pairing, game.seating, [_won(game.deal)])
    assert [game.id for game in store.games()] == expected
    assert [game.id for game in store.games("a")] == list(fixtures("a", 3, 4))
    assert store.game_count("a") == 24


def test_a_game_comes_back_as_it_was_added(store: Store) -> None:
    """Result and seats are those of the series: the second seating swaps the bots."""
    ant, bee, cat = _add_tournament(store).entrants
    verdict = Verdict(1, Termination.CRASH, 0, "cat@1 died", "Traceback …\n")
    result = GameResult(3, verdict, (2, 0), bytes(range(51, -1, -1)), (5, 0))
    store.add_results("night", 1, 1, [result])
    game = store.game(GameId("night", 1, 3, 1))
    assert game.result == result
    assert game.seats == (cat, ant)
    assert list(store.games()) == [game]
    store.add_results("night", 2, 0, [_won(0)])
    assert store.game(GameId("night", 2, 0, 0)).seats == (bee, cat)


def test_games_of_a_bot(store: Store) -> None:
    """A name means all its versions, name@2 just that one."""
    first = _add_tournament(store, "one", pairs=1)
    newer = _add_bot(store, "ant", 1)
    store.add_tournament(replace(first, name="two", entrants=(newer, first.entrants[1])))
    for name, pairing in (("one", 0), ("one", 1), ("one", 2), ("two", 0)):
        store.add_results(name, pairing, 0, [_won(0)])
    found = {
        spec: [str(game.id) for game in store.games(bot=spec)]
        for spec in ("ant", "ant@1", "ant@2", "bee", "cat")
    }
    assert found == {
        "ant": ["one/0/0/0", "one/1/0/0", "two/0/0/0"],
        "ant@1": ["one/0/0/0", "one/1/0/0"],
        "ant@2": ["two/0/0/0"],
        "bee": ["one/0/0/0", "one/2/0/0", "two/0/0/0"],
        "cat": ["one/1/0/0", "one/2/0/0"],
    }
    with pytest.raises(InputError, match="dog"):
        store.games(bot="dog")


def test_void_games_are_kept_apart(store: Store) -> None:
    """A void game has no result under its id, is seen with the voids, and can still be won."""
    _add_tournament(store)
    store.add_results("night", 0, 0, [_void(1)])
    store.add_results("night", 0, 0, [_void(1), _void(0)])
    assert list(store.games()) == []
    assert [game.id.deal for game in store.voids("night")] == [0, 1, 1]
    assert next(store.voids()).result == _void(0)
    store.add_results("night", 0, 0, [_won(1)])
    assert store.game_count("night") == 1


def test_interrupted_games_are_not_stored(store: Store) -> None:
    """A game that was stopped leaves no trace."""
    _add_tournament(store)
    store.add_results("night", 0, 0, [_void(0, Termination.INTERRUPTED)])
    assert list(store.games()) == []
    assert list(store.voids()) == []


def test_a_result_is_written_once(store: Store) -> None:
    """The same result again changes nothing; another one is an error and stores nothing at all."""
    _add_tournament(store)
    store.add_results("night", 0, 0, [_won(0)])
    store.add_results("night", 0, 0, [replace(_won(0), used_ms=(99, 99))])
    with pytest.raises(StoreError, match="written once"):
        store.add_results("night", 0, 0, [_won(1), _won(0, winner=1)])
    assert [game.result for game in store.games()] == [_won(0)]


@pytest.mark.parametrize(
    ("pairing", "deal", "seating", "field"),
    [(3, 0, 0, "pairing"), (0, 4, 0, "deal"), (0, 0, 2, "seating"), (-1, 0, 0, "pairing")],
)
def test_a_game_outside_the_schedule_is_refused(
    store: Store, pairing: int, deal: int, seating: int, field: str
) -> None:
    """Neither asked for nor stored: the message names the range."""
    _add_tournament(store)
    with pytest.raises(InputError, match=f"expected a {field} from 0 to"):
        store.game(GameId("night", pairing, deal, seating))
    with pytest.raises(InputError, match=f"expected a {field} from 0 to"):
        store.add_results("night", pairing, seating, [_won(deal)])
    assert list(store.games()) == []


def test_a_game_that_is_not_played_yet_is_told_so(store: Store) -> None:
    """The message says how to have it played."""
    _add_tournament(store)
    with pytest.raises(InputError, match="tournament resume night"):
        store.game(GameId("night", 0, 0, 0))


def test_wins_are_counted_by_bot(store: Store) -> None:
    """Wins go to the bot in the winning seat, whatever the seating; all entrants are named."""
    _add_tournament(store)
    store.add_results("night", 0, 0, [_won(0, 0), _won(1, 1)])
    store.add_results("night", 0, 1, [_won(0, 1), _won(1, 1)])
    assert store.win_counts("night") == {"ant@1": 3, "bee@1": 1, "cat@1": 0}
    assert set(store.win_counts("night")) == {"ant@1", "bee@1", "cat@1"}


def test_finished_deals_are_those_with_a_result(store: Store) -> None:
    """Void games are not finished."""
    _add_tournament(store)
    store.add_results("night", 0, 1, [_won(3), _won(1), _void(2)])
    assert store.finished_deals("night") == {Leg(0, 1): {1, 3}}


def test_reading_goes_on_while_another_process_writes(path: Path, store: Store) -> None:
    """A reader in the middle of the log sees the log as it was when it began."""
    _add_tournament(store)
    store.add_results("night", 0, 0, [_won(deal) for deal in range(3)])
    with Store(path) as reader:
        games = reader.games()
        assert next(games).id.deal == 0
        store.add_results("night", 0, 0, [_won(3)])
        assert [game.id.deal for game in games] == [1, 2]
        assert reader.game_count("night") == 4
