"""Tournament files: what they say, what is refused, and that they come back as they were."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from californiajack import FollowRule, InputError, Ruleset, Scoring
from californiajack_referee.league.format import (
    Adaptive,
    Format,
    Gauntlet,
    Knockout,
    Match,
    RoundRobin,
    Swiss,
)
from californiajack_referee.league.store import Store
from californiajack_referee.league.stored import RatingSettings, StoredTournament
from californiajack_referee.tournament.tournament_file import format_file, parse_file, read_file
from californiajack_referee.tournament.wishes import arrange, match_of, merged
from californiajack_referee.values import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from californiajack_referee.league.stored import StoredBot

BOTS = ("ant", "bee", "cat", "dog")
WHOLE = """
name = "night"
format = "swiss"
bots = ["ant@1", "bee"]
pairs = 7
seed = "00112233445566778899aabbccddeeff"
rounds = 1
jobs = 2
games_at_once = 9

[ruleset]
target = 3
scoring = "most_tricks"
follow = "follow_or_trump"

[rating]
mu = 30

[limits]
move_seconds = 2
memory_mib = 256

[sandbox]
layer = "none"
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Gives a league of four bots, one of them in two versions."""
    with Store(tmp_path / "league.sqlite3", create=True) as made:
        for number, name in enumerate((*BOTS, "ant")):
            made.add_bot(name, f"{number:064}", language="", authors=[], command=["python"])
        yield made


def test_all_that_a_file_says_is_a_wish() -> None:
    """Keys are wishes by their names; the rules stand beside them, rating and bounds together."""
    assert parse_file(WHOLE) == {
        "name": "night",
        "format": "swiss",
        "bots": ["ant@1", "bee"],
        "pairs": 7,
        "seed": "00112233445566778899aabbccddeeff",
        "rounds": 1,
        "jobs": 2,
        "games_at_once": 9,
        "target": 3,
        "scoring": "most_tricks",
        "follow": "follow_or_trump",
        "rating": {"mu": 30},
        "bounds": {"move_seconds": 2, "memory_mib": 256, "sandbox": "none"},
    }
    assert parse_file("") == {"bounds": {}}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pairs 3", "expected TOML"),
        ("pair = 3", "unknown key 'pair': did you mean 'pairs'"),
        ("pairs = '3'", "pairs: expected a whole number, got '3'"),
        ("pairs = 3.5", "pairs: expected a whole number, got 3.5"),
        ("pairs = true", "pairs: expected a whole number, got True"),
        ("bots = 'ant'", "bots: expected a list of texts"),
        ("bots = [1]", "bots: expected a list of texts"),
        ("sequential = 1", "sequential: expected true or false, got 1"),
        ("doubt = '1'", "doubt: expected a number, got '1'"),
        ("format = 'swis'", "unknown format 'swis': did you mean 'swiss'"),
        ("ruleset = 3", r"ruleset: expected a table, \[ruleset\], got 3"),
        ("[ruleset]\ntarge = 3", r"unknown key in \[ruleset\] 'targe': did you mean 'target'"),
        ("[ruleset]\nscoring = 'x'", "unknown scoring 'x'"),
        ("[limits]\nmove_seconds = 'x'", "move_seconds: expected a number of seconds"),
        ("[limits]\nmove_second = 1", r"unknown key in \[limits\]"),
        ("[sandbox]\nlayer = 'x'", "unknown layer 'x'"),
        ("limits = 1", r"limits: expected a table, \[limits\], got 1"),
    ],
)
def test_what_is_wrong_is_named(text: str, words: str, tmp_path: Path) -> None:
    """The message names the file, the key, what is expected and what was found."""
    path = tmp_path / "night.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=words) as caught:
        read_file(path)
    assert str(caught.value).startswith(str(path))


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    """A file that isn't there and one that is no text get a message."""
    with pytest.raises(InputError, match="can't be read as text"):
        read_file(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="can't be read as text"):
        read_file(tmp_path / "bytes.toml")


@pytest.mark.parametrize(
    "settings",
    [
        *(RoundRobin(), Gauntlet(2), Swiss(2), Knockout(0.01)),
        Adaptive(3, 0.9, 1000, 20),
        *(Match(elo1=25.5), Match(sequential=False)),
    ],
)
def test_a_tournament_comes_back_from_its_file(
    settings: Format, store: Store, bot_of: Callable[[str], StoredBot]
) -> None:
    """Read again, the file gives the same entrants, format, seed, rules, limits and options."""
    entrants = tuple(map(store.find_bot, ("cat", "ant@1", "dog", "bee")))
    if isinstance(settings, Match):
        entrants = entrants[:2]
    made = StoredTournament(
        "night",
        entrants,
        500 if isinstance(settings, Adaptive) else 12,
        bytes(range(16)),
        Ruleset(3, Scoring.MOST_TRICKS, FollowRule.FOLLOW_OR_TRUMP),
        Limits(move_seconds=0.25),
        bot_of("ant").submitted_at,
        RatingSettings(mu=30.0),
        settings,
        (("jobs", 2), ("memory_mib", 200), ("sandbox", "none")),
    )
    found = parse_file(format_file(made, with_seed=True))
    arranged = arrange(store, {name: found[name] for name in found if name != "bounds"})
    assert (arranged.entrants, arranged.format) == (entrants, settings)
    assert found.get("pairs", 500) == made.pairs
    assert bytes.fromhex(found["seed"]) == made.seed
    assert Ruleset(**{key: found[key] for key in ("target", "scoring", "follow")}) == made.ruleset
    assert RatingSettings(**found["rating"]) == made.rating
    assert found["jobs"] == 2
    bounds = found["bounds"]
    assert (bounds["memory_mib"], bounds["sandbox"], bounds["move_seconds"]) == (200, "none", 0.25)
    assert "seed" not in parse_file(format_file(made, with_seed=False))
    assert made.seed.hex() not in format_file(made, with_seed=False)


def test_the_usual_tournament_has_a_short_file(
    store: Store, bot_of: Callable[[str], StoredBot]
) -> None:
    """Rules and rating stand in it only where they aren't the usual ones."""
    entrants = (store.find_bot("ant"), store.find_bot("bee"))
    day = bot_of("ant").submitted_at
    made = StoredTournament("day", entrants, 1, bytes(16), Ruleset(), Limits(), day)
    text = format_file(made, with_seed=True)
    assert "ruleset" not in text
    assert "rating" not in text


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        ({"format": "knockout", "rounds": 3}, "rounds: expected it with format swiss only"),
        ({"rounds": 3}, "rounds: expected it with format swiss only, got it with round-robin"),
        ({"format": "swiss", "challengers": ["ant"]}, "challengers: expected it with format gaunt"),
        ({"against_top": 3}, "against_top: expected it with bots"),
        ({"against_top": 3, "bots": ["ant"], "challengers": ["bee"]}, "without challengers"),
        ({"against_top": 3, "bots": ["ant"]}, "expected bots with a ranking, found none"),
        ({"format": "gauntlet"}, "expected challengers"),
        ({"challengers": ["ant"], "bots": ["ant"]}, "expected bots besides the challengers"),
        ({"format": "adaptive", "pairs": 3}, "pairs: expected none with format adaptive"),
        ({"bots": ["eel"]}, "no bot 'eel'"),
    ],
)
def test_contradictions_are_told(wishes: dict[str, Any], words: str, store: Store) -> None:
    """A wish that can't go with the others is named, with what it goes with."""
    with pytest.raises(InputError, match=words):
        arrange(store, wishes)


def test_who_plays_a_gauntlet(store: Store) -> None:
    """Challengers come first; without bots, the newest version of all the others follows."""
    arranged = arrange(store, {"challengers": ["cat", "ant"]})
    assert [bot.label for bot in arranged.entrants] == ["cat@1", "ant@2", "bee@1", "dog@1"]
    assert arranged.format == Gauntlet(2)
    arranged = arrange(store, {"challengers": ["ant"], "bots": ["dog", "ant@1", "ant"]})
    assert [bot.label for bot in arranged.entrants] == ["ant@2", "dog@1", "ant@1"]


def test_seeds_are_as_given_where_that_is_asked_for(store: Store) -> None:
    """Without games, or where the order is given, the seeds are in the order of the bots."""
    for seeding in ({}, {"seeding": "given"}):
        wishes = {"format": "knockout", "bots": ["dog", "ant", "cat"], **seeding}
        arranged = arrange(store, wishes)
        assert [bot.label for bot in arranged.entrants] == ["dog@1", "ant@2", "cat@1"]


def test_the_command_line_beats_the_file() -> None:
    """Wish by wish; another format does away with the settings of the file's own."""
    file = {"format": "swiss", "rounds": 2, "pairs": 7, "name": "night"}
    assert merged(file, {"pairs": 9}) == {**file, "pairs": 9}
    assert merged(file, {"format": "knockout", "doubt": 0.1}) == {
        "format": "knockout",
        "doubt": 0.1,
        "pairs": 7,
        "name": "night",
    }
    assert merged(file, {"challengers": ["ant"]}) == {
        "format": "gauntlet",
        "challengers": ["ant"],
        "pairs": 7,
        "name": "night",
    }
    assert merged({"rounds": 2}, {"format": "swiss"}) == {"rounds": 2, "format": "swiss"}


def test_a_match_tests_or_counts() -> None:
    """A fixed number of pairs goes without a test, and not with one."""
    assert match_of({"elo1": 20.0, "max_pairs": 3}) == Match(elo1=20.0)
    assert match_of({"pairs": 3}) == Match(sequential=False)
    with pytest.raises(InputError, match="pairs: expected it without alpha, max_pairs"):
        match_of({"pairs": 3, "alpha": 0.1, "max_pairs": 9})
