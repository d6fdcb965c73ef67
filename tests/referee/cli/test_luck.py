"""`caljack luck`."""

from __future__ import annotations

import json
from statistics import variance
from typing import TYPE_CHECKING, Any

import pytest

from californiajack_referee.league.folder import League

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from californiajack_referee.league.stored import StoredGame

PLAYS_A_ROUND = 52


def _games(folder: Path, bot: str, opponent: str) -> list[StoredGame]:
    with League.open(folder) as league:
        return [
            game
            for game in league.store.games()
            if {bot, opponent} == {seat.label for seat in game.seats}
        ]


def _seat(game: StoredGame, bot: str) -> int:
    return [seat.label for seat in game.seats].index(bot)


def test_luck_is_that_of_the_games_themselves(
    ask_results: Callable[..., Any], results_folder: Path
) -> None:
    """The variances of pairs and of games are those of the scores, pair by pair, game by game."""
    told = json.loads(ask_results("luck", "hen", "fox", "--json").out)
    games = _games(results_folder, "hen@2", "fox@1")
    wins = [float(game.result.verdict.winner == _seat(game, "hen@2")) for game in games]
    halves: dict[tuple[str, int], list[float]] = {}
    for game, won in zip(games, wins, strict=True):
        halves.setdefault((game.id.tournament, game.id.deal), []).append(won)
    means = [sum(both) / 2 for both in halves.values()]
    assert (told["bot"], told["opponent"], told["tournament"]) == ("hen@2", "fox@1", None)
    assert (told["pairs"], told["by_score"]["games"]) == (7, 14)
    assert told["pair_score"] == pytest.approx(sum(wins) / len(wins))
    assert told["by_score"]["pair_variance"] == pytest.approx(variance(means))
    assert told["by_score"]["game_variance"] == pytest.approx(variance(wins))


def test_points_are_those_of_the_games_themselves(
    ask_results: Callable[..., Any], results_folder: Path
) -> None:
    """The variance of points a round, by the delta method over single games of normal pairs."""
    told = json.loads(ask_results("luck", "hen", "ant", "--json").out)
    games = _games(results_folder, "hen@2", "ant@1")
    crashed = {game.id.deal for game in games if game.result.verdict.blame is not None}
    normal = [g for g in games if g.id.tournament != "night" or g.id.deal not in crashed]
    made = []
    for game in normal:
        seat = _seat(game, "hen@2")
        score = game.result.score
        rounds = len(game.result.plays) // PLAYS_A_ROUND
        made.append((score[seat] - score[1 - seat], rounds))
    total = sum(rounds for _, rounds in made)
    mean = sum(points for points, _ in made) / total
    residuals = [points - mean * rounds for points, rounds in made]
    spread = sum(value**2 for value in residuals) / (len(made) - 1) / (total / len(made)) ** 2
    assert (told["normal_pairs"], told["pairs"]) == (6, 7)
    assert told["points_a_round"] == pytest.approx(mean)
    assert told["by_points"]["games"] == len(made) == 12
    assert told["by_points"]["game_variance"] == pytest.approx(spread)


def test_both_sides_see_the_same_luck(ask_results: Callable[..., Any]) -> None:
    """Whoever is named first, the spread is the same and the difference its mirror image."""
    one, two = (
        json.loads(ask_results("luck", *names, "--json").out)
        for names in (("ant", "hen@2"), ("hen@2", "ant"))
    )
    for kind in ("by_score", "by_points"):
        assert one[kind]["difference"] == pytest.approx(-two[kind]["difference"])
        for field in ("game_variance", "pair_variance"):
            assert one[kind][field] == pytest.approx(two[kind][field])
        assert one[kind]["games_needed_in_pairs"] == two[kind]["games_needed_in_pairs"]


def test_luck_is_told_in_words_and_a_table(ask_results: Callable[..., Any]) -> None:
    """Plain text of 80 columns at most, on standard output, of one tournament if asked."""
    answer = ask_results("luck", "fox", "hen", "--tournament", "night")
    assert (answer.status, answer.err) == (0, "")
    assert "fox@1 against hen@2 in the tournament night: 6 pairs, 12 games." in answer.out
    assert "variance of single games" in answer.out
    assert all(len(line) <= 80 for line in answer.out.splitlines())
    assert answer.out.isascii()


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("fox", "hen@1"), 1, "found none: play some"),
        (("fox", "hen", "--tournament", "dusk"), 1, "tournament dusk, found 1"),
        (("fox", "fox@1"), 2, "got fox@1 twice"),
        (("fox", "owl"), 2, "no bot 'owl'"),
        (("fox", "hen", "--tournament", "noon"), 2, "no tournament 'noon'"),
    ],
)
def test_where_there_is_no_luck_to_tell_of_the_message_says_why(
    ask_results: Callable[..., Any], words: tuple[str, ...], status: int, told: str
) -> None:
    """Bots that never met, one pair, one bot twice, names that aren't there."""
    answer = ask_results("luck", *words)
    assert (answer.status, answer.out) == (status, "")
    assert told in answer.err
