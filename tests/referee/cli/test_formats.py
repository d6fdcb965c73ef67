"""`caljack tournament run` in all its formats, from options and from files, with real bots."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = "00112233445566778899aabbccddeeff"
QUICK = ("--seed", SEED, "--target", "1")


@pytest.fixture(scope="module")
def league(
    tmp_path_factory: pytest.TempPathFactory, bots_folder: Path, call: Callable[..., Any]
) -> Path:
    """A league with four bots: the greedy one and three that play at random."""
    base = tmp_path_factory.mktemp("formats")
    folder = Path(shutil.copytree(bots_folder, base / "league"))
    source = Path(__file__).parents[3] / "sample_bots" / "random" / "bot.py"
    for name in ("dice", "coin"):
        (base / name).mkdir()
        (base / name / "bot.py").write_text(source.read_text() + f"# {name}\n")
        (base / name / "bot.toml").write_text(
            f'name = "{name}"\ncommand = ["python", "bot.py"]\nlanguage = "Python"\n'
        )
        answer = call("--league", folder, "submit", base / name)
        assert answer.status == 0, answer.err
    shutil.copytree(folder, base / "other")
    return folder


@pytest.fixture(scope="module")
def ranked(league: Path, call: Callable[..., Any]) -> list[str]:
    """The bots of the league as its rankings have them after a first round robin."""
    _run(call, league, "--pairs", "1", "--name", "before", *QUICK)
    told = json.loads(call("--league", league, "rankings", "--json").out)
    return [line["bot"] for line in told["ranking"]]


def _run(call: Callable[..., Any], league: Path, *words: str | Path) -> dict[str, Any]:
    answer = call("--league", league, "tournament", "run", "--json", *words)
    assert answer.status == 0, answer.err
    told: dict[str, Any] = json.loads(answer.out)
    return told


def _games(call: Callable[..., Any], league: Path, name: str) -> str:
    text = str(call("--league", league, "export", name).out)
    return text.replace(f'"{name}', '"')


def test_a_swiss_from_first_to_last(league: Path, ask: Callable[..., Any]) -> None:
    """Its standing and its rounds are shown, as tables and as data; nobody meets twice."""
    told = _run(ask, league, "--format", "swiss", "--pairs", "2", "--name", "sw", *QUICK)
    assert told["format"] == {"kind": "swiss", "rounds": 2}
    assert (told["finished"], told["games"], told["games_done"]) == (True, 16, 16)
    met = [
        frozenset(meeting["bots"]) for one in told["swiss"]["rounds"] for meeting in one["meetings"]
    ]
    assert len(set(met)) == len(met) == 4
    assert [line["place"] for line in told["swiss"]["standing"]] == [1, 2, 3, 4]
    assert sum(line["points"] for line in told["swiss"]["standing"]) == 4
    shown = ask("--league", league, "tournament", "show", "sw").out
    assert "Swiss: 2 rounds, 2 pairs a match, 16 games" in shown
    assert "Swiss standing" in shown
    assert "round  bot" in shown


def test_a_knockout_is_seeded_by_the_rankings(
    league: Path, ranked: list[str], ask: Callable[..., Any]
) -> None:
    """The best of the league's rankings is the first seed; byes and scores are in the bracket."""
    told = _run(
        ask, league, "--format", "knockout", "--pairs", "2", "--name", "ko",
        "--bots", "coin,dice,random,greedy", *QUICK,
    )  # fmt: skip
    assert told["bots"] == ranked
    semis, (final,) = (one["matches"] for one in told["knockout"])
    assert [match["seeds"] for match in semis] == [[1, 4], [2, 3]]
    assert {final["bots"][0], final["bots"][1]} == {match["winner"] for match in semis}
    assert final["winner"] in final["bots"]
    shown = ask("--league", league, "tournament", "show", "ko").out
    assert "semi-finals" in shown


def test_a_gauntlet_against_the_best(
    league: Path, ranked: list[str], ask: Callable[..., Any]
) -> None:
    """A new bot meets the best of the rankings, and they don't meet each other."""
    ranking = json.loads(ask("--league", league, "rankings", "--json").out)["ranking"]
    best = [line["bot"] for line in ranking if line["bot"] != "coin@1"][:2]
    assert set(best) < set(ranked)
    told = _run(
        ask,
        league,
        "--bots",
        "coin",
        "--against-top",
        "2",
        "--pairs",
        "1",
        "--name",
        "new",
        *QUICK,
    )
    assert told["bots"] == ["coin@1", *best]
    assert told["games"] == told["games_done"] == 4
    assert told["format"] == {"kind": "gauntlet", "challengers": 1}
    met = {line["bot"]: line["games"] for line in told["ranking"]}
    assert met == {"coin@1": 4, best[0]: 2, best[1]: 2}


def test_an_adaptive_one_tells_what_it_saved(league: Path, ask: Callable[..., Any]) -> None:
    """It says how sure the order is, and what a round robin would have needed."""
    told = _run(
        ask, league, "--format", "adaptive", "--start-pairs", "2", "--games", "8",
        "--step-pairs", "2", "--name", "ad", "--bots", "coin,greedy", *QUICK,
    )  # fmt: skip
    assert told["games_done"] <= 8
    assert told["finished"]
    assert len(told["adaptive"]["neighbours"]) == 1
    assert set(told["adaptive"]["order"]) == set(told["bots"])
    listed = json.loads(ask("--league", league, "tournament", "list", "--json").out)
    line = next(line for line in listed["tournaments"] if line["tournament"] == "ad")
    assert (line["format"]["kind"], line["stage"], line["finished"]) == ("adaptive", None, True)


def test_a_tournament_is_played_again_from_its_file(
    league: Path, tmp_path: Path, ask: Callable[..., Any]
) -> None:
    """What --toml prints plays the same games in another league; an option given beats it."""
    _run(
        ask, league, "--format", "knockout", "--pairs", "1", "--name", "first", "--jobs", "2",
        "--move-time", "3.5", "--memory", "300", "--scoring", "most_tricks", "--bots",
        "coin,greedy,dice", *QUICK,
    )  # fmt: skip
    answer = ask("--league", league, "tournament", "show", "first", "--toml")
    said = tomllib.loads(answer.out)
    assert (said["jobs"], said["seed"], said["limits"]["move_seconds"]) == (2, SEED, 3.5)
    assert said["limits"]["memory_mib"] == 300
    file = tmp_path / "first.toml"
    file.write_text(answer.out)
    other = league.parent / "other"
    _run(ask, other, file)
    assert _games(ask, other, "first") == _games(ask, league, "first")
    told = _run(ask, other, file, "--name", "again", "--pairs", "1", "--format", "swiss")
    assert (told["format"]["kind"], told["pairs"], told["move_seconds"]) == ("swiss", 1, 3.5)
    refused = ask("--league", other, "tournament", "run", file)
    assert refused.status == 2
    assert "there is a tournament 'first' already" in refused.err


def test_an_unfinished_tournament_keeps_its_seed_to_itself(
    ask_results: Callable[..., Any],
) -> None:
    """The file of one that has just begun has no seed, and says so."""
    answer = ask_results("tournament", "show", "dusk", "--toml")
    assert answer.status == 0
    assert "seed" not in tomllib.loads(answer.out)
    assert "# the seed is told when the tournament is finished" in answer.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--rounds", "2"), "rounds: expected it with format swiss only"),
        (("--format", "swiss", "--rounds", "9"), "rounds: expected a whole number from 1 to"),
        (("--format", "adaptive", "--pairs", "9"), "pairs: expected none with format adaptive"),
        (("--gauntlet", "fox", "--bots", "fox"), "expected bots besides the challengers"),
        (("--gauntlet", "eel"), "no bot 'eel'"),
        (("--against-top", "2"), "against_top: expected it with bots"),
        (("--format", "adaptive", "--certainty", "0.3"), "certainty: expected a number above 0.5"),
        (("no-such.toml",), "no-such.toml: can't be read as text"),
    ],
)
def test_what_cannot_be_played_is_refused(
    words: tuple[str, ...], told: str, ask_results: Callable[..., Any]
) -> None:
    """The message names the setting, and no tournament is made."""
    before = ask_results("tournament", "list", "--json").out
    answer = ask_results("tournament", "run", "--sandbox", "none", *words)
    assert answer.status == 2
    assert told in answer.err
    assert ask_results("tournament", "list", "--json").out == before


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("jobs = 0", "jobs: expected a number from 1 on"),
        ("games_at_once = 5000", "games at once: expected a number from 1 to 1024"),
        ("pairs = 0", "pairs: expected a number from 1 to 1,000,000"),
        ("seed = 'x'", "seed: expected hexadecimal digits"),
        ("name = '../x'", "tournament name: expected"),
        ("bots = []", "bots: expected 2 or more, got none"),
        ("bots = ['fox', 'fox@1']", "expected each bot once, got fox@1 more than once"),
        ("format = 'match'", "match: expected two bots, got 3"),
        ("format = 'knockout'\ndoubt = nan", "doubt: expected a number above 0 and below 1"),
        ("format = 'adaptive'\ngames = 3", "games: expected a whole number from 6"),
        ("[rating]\nsigma = nan", "rating sigma: expected a number from 1e-06"),
        ("[rating]\ndraw_probability = 0.1", "rating draw_probability: expected 0, got 0.1"),
        ("[ruleset]\ntarget = 0", "target: expected a whole number from 1 to 100"),
    ],
)
def test_what_a_file_may_not_say_is_refused(
    text: str, told: str, tmp_path: Path, ask_results: Callable[..., Any]
) -> None:
    """What is out of range is told by its key, and no tournament is made."""
    file = tmp_path / "night.toml"
    file.write_text(text)
    before = ask_results("tournament", "list", "--json").out
    answer = ask_results("tournament", "run", "--sandbox", "none", file)
    assert answer.status == 2
    assert told in answer.err
    assert ask_results("tournament", "list", "--json").out == before


def test_toml_and_json_exclude_each_other(ask_results: Callable[..., Any]) -> None:
    """Two ways of writing are one too many."""
    answer = ask_results("tournament", "show", "night", "--toml", "--json")
    assert answer.status == 2
    assert "expected --toml" in answer.err
