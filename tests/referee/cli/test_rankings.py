"""`caljack rankings`, `tournament list` and `tournament show`."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from californiajack_referee.league.folder import League
from californiajack_referee.league.stored import RatingSettings
from californiajack_referee.ranking.standings import standings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SEED = "00112233445566778899aabbccddeeff"


def test_rankings_are_plain_where_nobody_looks(ask_results: Callable[..., Any]) -> None:
    """Aligned columns of plain ASCII, a line a bot, notes below, no frame and no escape codes."""
    answer = ask_results("rankings", "--tournament", "night")
    assert answer.status == 0
    assert answer.err == ""
    table, notes = answer.out.split("\n\n")
    heading, *lines = table.splitlines()
    assert heading.split() == [
        *("rank", "bot", "bracket", "mu", "sigma", "mu-3sigma", "Elo", "(95", "%)", "over"),
        *("next", "pair", "score", "(95", "%)", "points", "a", "round", "(95", "%)"),
        *("games", "wins", "faults"),
    ]
    assert [line.split()[0] for line in lines] == ["1", "2", "3"]
    assert {len(line) for line in lines} == {len(heading)}
    assert "share a bracket" in notes.replace("\n ", "")
    assert all(len(line) <= 80 for line in notes.splitlines())
    assert answer.out.isascii()
    assert all(line.isprintable() for line in answer.out.splitlines())


def test_rankings_fit_a_terminal_of_80_columns(
    results_folder: Path, watch: Callable[..., Any]
) -> None:
    """What is too wide stands below, with the bots' names again."""
    answer = watch("--league", results_folder, "rankings", "--cross", columns=80)
    assert answer.status == 0
    lines = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", answer.out).splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(line.lstrip(" 123").startswith("fox@1 ") for line in lines) == 4
    assert any("μ-3σ" in line for line in lines)  # noqa: RUF001 - the Greek letter is meant


def test_rankings_count_one_tournament_or_all(ask_results: Callable[..., Any]) -> None:
    """With --tournament its games alone count, else those of all tournaments."""
    night, dusk, both = (
        json.loads(ask_results("rankings", "--json", *words).out)["ranking"]
        for words in (("--tournament", "night"), ("--tournament", "dusk"), ())
    )
    games = [{line["bot"]: line["games"] for line in ranking} for ranking in (night, dusk, both)]
    assert games[0] == {"fox@1": 24, "hen@2": 24, "ant@1": 24}
    assert games[1] == {"fox@1": 4, "hen@2": 4, "ant@1": 4}
    assert games[2] == {"fox@1": 28, "hen@2": 28, "ant@1": 28}
    assert sum(line["faults"] for line in night) == 1
    assert sum(line["wins"] for line in both) == sum(line["losses"] for line in both) == 42


def test_rankings_as_json_have_the_whole_numbers(
    ask_results: Callable[..., Any], results_folder: Path
) -> None:
    """Nothing is rounded: the numbers are those of the standings, over all tournaments in order."""
    with League.open(results_folder) as league:
        names = [tournament.name for tournament in league.store.tournaments()]
        expected = standings(league.store.games(), names, RatingSettings())
    for line, told in zip(
        expected.ranking, json.loads(ask_results("rankings", "--json").out)["ranking"], strict=True
    ):
        assert told["bot"] == line.bot
        assert told["mu"] == line.rating.mu
        assert told["mu_minus_3_sigma"] == line.rating.lower_bound
        assert told["pair_score"] == line.score.mean
        assert told["pair_score_low"] == line.score.low
        assert told["pairs"] == line.score.pairs


def test_rankings_as_json_say_how_sure_they_are(ask_results: Callable[..., Any]) -> None:
    """Elo with its interval, brackets, superiority and points; the brackets hold every bot."""
    told = json.loads(ask_results("rankings", "--json", "--cross").out)
    bots = [line["bot"] for line in told["ranking"]]
    assert sorted(bot for bracket in told["brackets"] for bot in bracket) == sorted(bots)
    assert (told["groups"], told["circles"]) == ([told["groups"][0]], [])
    for line in told["ranking"]:
        assert line["elo_low"] < line["elo"] < line["elo_high"]
        assert line["points_a_round_low"] <= line["points_a_round"] <= line["points_a_round_high"]
        assert line["normal_pairs"] <= line["pairs"] == 14
    assert [line["superiority"] is None for line in told["ranking"]] == [False, False, True]
    assert len(told["cross"]) == 6
    assert "cross" not in json.loads(ask_results("rankings", "--json").out)


def test_rankings_can_be_exported(ask_results: Callable[..., Any]) -> None:
    """As tables for programs: the lines of the JSON document, of the ranking or who beat whom."""
    told = json.loads(ask_results("rankings", "--json", "--cross").out)
    assert json.loads(ask_results("rankings", "--format", "json").out) == told["ranking"]
    crossed = json.loads(ask_results("rankings", "--cross", "--format", "json").out)
    assert crossed == told["cross"]
    shown = json.loads(ask_results("tournament", "show", "night", "--format", "json").out)
    assert shown == json.loads(ask_results("tournament", "show", "night", "--json").out)["cross"]


def test_bots_without_any_game_are_named(ask_results: Callable[..., Any]) -> None:
    """Those that were submitted and never played stand under the league's table, and in JSON."""
    assert "No games yet: hen@1." in ask_results("rankings").out
    assert json.loads(ask_results("rankings", "--json").out)["without_games"] == ["hen@1"]


def test_nothing_is_cut_off_on_a_narrow_terminal(
    results_folder: Path, watch: Callable[..., Any]
) -> None:
    """A table that can't be cut into parts is wrapped instead: every character stands there."""
    answer = watch("--league", results_folder, "games", "--tournament", "night", columns=50)
    lines = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", answer.out).splitlines()
    assert max(map(len, lines)) <= 50
    assert sum("normal" in line for line in lines) == 35
    assert sum("crash" in line for line in lines) == 1


def test_history_and_cross_are_two_tables(ask_results: Callable[..., Any]) -> None:
    """Both at once are refused, with what to do."""
    answer = ask_results("rankings", "--history", "--cross")
    assert (answer.status, answer.out) == (2, "")
    assert "choose one" in answer.err


def test_tournaments_are_listed_in_order_of_creation(ask_results: Callable[..., Any]) -> None:
    """One line a tournament, with how far it has come."""
    _, night, dusk = ask_results("tournament", "list").out.splitlines()
    assert night.startswith("night")
    assert "36 of 36" in night
    assert dusk.startswith("dusk")
    assert "6 of 18" in dusk
    told = json.loads(ask_results("tournament", "list", "--json").out)["tournaments"]
    assert [(one["tournament"], one["finished"]) for one in told] == [
        ("night", True),
        ("dusk", False),
    ]


def test_show_tells_the_standings_and_who_beat_whom(ask_results: Callable[..., Any]) -> None:
    """A finished tournament shows its seed, which fits the digest."""
    answer = ask_results("tournament", "show", "night")
    assert answer.status == 0
    assert hashlib.sha256(bytes.fromhex(SEED)).hexdigest() in answer.out
    assert f"Seed: {SEED}" in answer.out
    assert "Pair score" in answer.out
    assert "\x1b" not in answer.out


def test_an_unfinished_tournament_keeps_its_seed(ask_results: Callable[..., Any]) -> None:
    """Before its last game only the seed's digest is told, and how to go on."""
    answer = ask_results("tournament", "show", "dusk")
    assert SEED not in answer.out + answer.err
    assert "6 of 18" in answer.out
    assert "Void and played again: 1" in answer.out
    assert "tournament resume dusk" in answer.err
    told = json.loads(ask_results("tournament", "show", "dusk", "--json").out)
    assert (told["seed"], told["void_games"], told["finished"]) == (None, 1, False)


def test_show_as_json_has_the_cross_table(ask_results: Callable[..., Any]) -> None:
    """Every bot against every other, both ways, adding up to one."""
    told = json.loads(ask_results("tournament", "show", "night", "--json").out)
    assert told["seed"] == SEED
    cross = {(line["bot"], line["opponent"]): line["pair_score"] for line in told["cross"]}
    assert len(cross) == 6
    for (bot, opponent), score in cross.items():
        assert score + cross[opponent, bot] == pytest.approx(1)


def test_bots_are_listed(ask_results: Callable[..., Any]) -> None:
    """All versions, by name, then version."""
    _, *lines = ask_results("bots").out.splitlines()
    assert [line.split()[:2] for line in lines] == [
        *(["ant", "1"], ["fox", "1"], ["hen", "1"], ["hen", "2"])
    ]
    told = json.loads(ask_results("bots", "--json").out)["bots"]
    assert told[3]["bot"] == "hen@2"
    assert told[3]["digest"] == f"{3:064x}"
