"""A game as text: what a person reads is what was played."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from californiajack import FollowRule, InputError, Ruleset, Scoring, Termination, parse_cards
from californiajack.deal import deck_of
from californiajack_referee.league.stored import StoredGame, StoredTournament
from californiajack_referee.show.game import format_game
from californiajack_referee.values import GameId, Limits, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from californiajack_referee.league.stored import StoredBot
    from californiajack_referee.values import GameResult

SEED = bytes.fromhex("00112233445566778899aabbccddeeff")
TRICK = re.compile(
    r"^ *(\d+)  ((?:[2-9TJQKA][cdhs] ?){1,6}) +((?:[2-9TJQKA][cdhs] ?){1,6}) +"
    r"(fox|hen) (..)  +(..)  +(fox|hen)(?: +(..) (..))?$"
)


@pytest.fixture
def tournament(bot_of: Callable[[str], StoredBot]) -> StoredTournament:
    """A tournament of a fox and a hen."""
    bots = (bot_of("fox@1"), bot_of("hen@2"))
    return StoredTournament(
        "night", bots, 3, SEED, Ruleset(), Limits(), created_at=bots[0].submitted_at
    )


def _stored(tournament: StoredTournament, result: GameResult) -> StoredGame:
    seats = (tournament.entrants[0], tournament.entrants[1])
    return StoredGame(GameId("night", 0, result.deal, 0), seats, result)


def test_every_trick_stands_there_as_it_was_played(
    tournament: StoredTournament, played: Callable[..., GameResult]
) -> None:
    """Read back by eye, the lines give the plays, the leads and the drawn cards of the game."""
    result = played(SEED, 0, ("fox@1", "hen@2"))
    text = format_game(_stored(tournament, result), tournament)
    lines = [match for match in map(TRICK.match, text.splitlines()) if match]
    assert len(lines) == len(result.plays) // 2
    plays = parse_cards(" ".join(f"{line[5]} {line[6]}" for line in lines))
    assert bytes(plays) == result.plays
    drawn = parse_cards(" ".join(f"{line[8]} {line[9]}" for line in lines[:26] if line[8]))
    assert bytes(drawn) == deck_of(SEED, 0, 0)[12:]
    for before, after in pairwise(lines[:26]):
        assert after[4] == before[7], "who wins leads"
    for line in lines:
        leader, other = (2, 3) if line[4] == "fox" else (3, 2)
        assert line[5] in line[leader]
        assert line[6] in line[other]


def test_points_and_scores_add_up(
    tournament: StoredTournament, played: Callable[..., GameResult]
) -> None:
    """The last score is the game's, and each round says why its points were given."""
    result = played(SEED, 1, ("fox@1", "hen@2"))
    text = format_game(_stored(tournament, result), tournament)
    scores = re.findall(r"^Score: fox (\d+), hen (\d+)\.$", text, re.MULTILINE)
    assert tuple(map(int, scores[-1])) == result.score
    rounds = len(result.plays) // 52
    assert len(scores) == rounds
    for reason in ("trump ace", "trump jack", "trump two"):
        assert text.count(reason) == rounds
    assert text.endswith(result.verdict.words)


@pytest.mark.parametrize(
    ("scoring", "words"),
    [(Scoring.TRICK_POINTS, "most trick points"), (Scoring.MOST_TRICKS, "most tricks")],
)
def test_the_fourth_point_is_named_by_its_scoring(
    tournament: StoredTournament, played: Callable[..., GameResult], scoring: Scoring, words: str
) -> None:
    """Each round tells who has the most of what counts, or that nobody has (R10, R11)."""
    ruleset = Ruleset(scoring=scoring, follow=FollowRule.FOLLOW_OR_TRUMP)
    result = played(SEED, 2, ("fox@1", "hen@2"), ruleset=ruleset)
    text = format_game(_stored(tournament, result), replace(tournament, ruleset=ruleset))
    assert len(re.findall(rf"{words}, \d", text)) == len(result.plays) // 52
    assert "suit must be followed or trumped" in text


def test_a_drawn_fourth_point_goes_to_nobody(
    tournament: StoredTournament, played: Callable[..., GameResult]
) -> None:
    """Where a round gives three points the text says that nobody has the most tricks (R11)."""
    ruleset = Ruleset(target=1, scoring=Scoring.MOST_TRICKS)
    texts = [
        format_game(
            _stored(tournament, played(SEED, deal, ("fox@1", "hen@2"), ruleset=ruleset)),
            replace(tournament, ruleset=ruleset),
        )
        for deal in range(60)
    ]
    assert any("; nobody has the most tricks, 13 to 13." in text for text in texts)


@pytest.mark.parametrize(("cut", "rows"), [(0, 1), (1, 1), (2, 2), (53, 27), (104, 53)])
def test_a_game_that_ended_early_shows_its_open_trick(
    tournament: StoredTournament, played: Callable[..., GameResult], cut: int, rows: int
) -> None:
    """The trick that was never finished stands there with a question mark, and then the verdict."""
    whole = played(SEED, 0, ("fox@1", "hen@2"))
    verdict = Verdict(0, Termination.CRASH, 1, "hen@2 crashed", "Traceback\nValueError: no")
    result = replace(whole, plays=whole.plays[:cut], verdict=verdict)
    text = format_game(_stored(tournament, result), tournament)
    tricks = re.findall(r"^ *\d+  (?:.. )+.*$", text, re.MULTILINE)
    assert len(tricks) == rows
    assert tricks[-1].endswith("?")
    assert "Ended early (crash): hen@2 crashed\nSo fox@1 won." in text
    assert text.endswith("    Traceback\n    ValueError: no")


def test_one_round_can_be_shown_alone(
    tournament: StoredTournament, played: Callable[..., GameResult]
) -> None:
    """Only the chosen round is there, with the score that it began with."""
    game = _stored(tournament, played(SEED, 0, ("fox@1", "hen@2")))
    text = format_game(game, tournament, 2)
    assert "Round 2:" in text
    assert "Round 1:" not in text
    assert "Round 3:" not in text
    first = re.search(r"^Score: (.*)\.$", format_game(game, tournament, 1), re.MULTILINE)
    assert first is not None
    assert f"Score so far: {first[1]}." in text


@pytest.mark.parametrize("number", [0, -1, 99])
def test_a_round_that_is_not_there_is_refused(
    tournament: StoredTournament, played: Callable[..., GameResult], number: int
) -> None:
    """The message says which rounds there are."""
    game = _stored(tournament, played(SEED, 0, ("fox@1", "hen@2")))
    with pytest.raises(InputError, match="expected a number from 1 to"):
        format_game(game, tournament, number)


def test_versions_of_one_bot_are_told_apart(
    bot_of: Callable[[str], StoredBot], played: Callable[..., GameResult]
) -> None:
    """Where both seats have the same name, the version is shown with it."""
    bots = (bot_of("fox@1"), bot_of("fox@2"))
    night = StoredTournament(
        "night", bots, 1, SEED, Ruleset(), Limits(), created_at=bots[0].submitted_at
    )
    text = format_game(_stored(night, played(SEED, 0, ("fox@1", "fox@2"))), night, 1)
    assert "fox@1 holds" in text
    assert "fox@2 holds" in text
