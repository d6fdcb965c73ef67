"""`caljack compare`, as processes of its own with real bots."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from californiajack_referee.league.folder import League

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = "00112233445566778899aabbccddeeff"
QUICK = ("--seed", SEED, "--target", "1")


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory, bots_folder: Path) -> Path:
    """A league of its own, with the greedy bot and the one that plays at random."""
    return Path(shutil.copytree(bots_folder, tmp_path_factory.mktemp("compare") / "league"))


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a bot that plays as the random one does, under its name."""
    source = Path(__file__).parents[3] / "sample_bots" / "random"
    folder = Path(shutil.copytree(source, tmp_path_factory.mktemp("twin") / "random"))
    (folder / "bot.py").write_text((folder / "bot.py").read_text() + "# a comment more\n")
    return folder


def test_a_better_bot_is_found_better(league: Path, ask: Callable[..., Any]) -> None:
    """The test stops as soon as it knows, says how it knows, and exits with 0."""
    answer = ask("--league", league, "compare", "greedy", "random", "--elo1", "30", *QUICK)
    assert answer.status == 0, answer.err
    assert "Is greedy@1 better than random@1? Yes." in answer.out
    assert re.search(
        r"Log-likelihood ratio: [3-9]\.\d\d; better at [23]\.\d\d, not better at -", answer.out
    )
    assert re.search(r"Pair score: [5-9]\d\.\d % \([\d.]+ to [\d.]+\)", answer.out)
    assert re.search(r"Elo difference: \+\d+ \(\+\d+ to \+\d+\)", answer.out)
    assert re.search(r"Game points a round more: \+\d\.\d+ \(", answer.out)
    assert f"Seed: {SEED}" in answer.out
    assert re.search(r"LLR \d\.\d\d of -[23]\.\d\d to [23]\.", answer.err)
    with League.open(league) as opened:
        assert opened.store.tournament("compare-1").format.kind == "match"


def test_a_worse_bot_is_found_not_better(league: Path, ask: Callable[..., Any]) -> None:
    """Asked the other way round, the exit status is 1 and the difference is below 0."""
    answer = ask(
        *("--league", league, "compare", "random", "greedy", "--elo1", "30", "--json"),
        *("--name", "worse", *QUICK),
    )
    assert answer.status == 1, answer.err
    told = json.loads(answer.out)
    assert (told["new"], told["old"], told["answer"]) == ("random@1", "greedy@1", "not better")
    assert told["elo"]["high"] < 0
    assert told["points_a_round"]["mean"] < 0
    assert told["test"]["ratio"] <= told["test"]["lower"]
    assert (told["finished"], told["seed"]) == (True, SEED)
    shown = json.loads(ask("--league", league, "tournament", "show", "worse", "--json").out)
    assert shown["match"]["decision"] == "not better"
    assert sum(told["pairs"].values()) == shown["match"]["pairs"] == shown["games_done"] / 2


def test_a_folder_is_submitted_first(league: Path, twin: Path, ask: Callable[..., Any]) -> None:
    """A bot against its twin is undecided after a few pairs: exit status 3."""
    answer = ask("--league", league, "compare", twin, "random@1", "--pairs", "4", *QUICK)
    assert answer.status == 3, answer.err
    assert "Is random@2 better than random@1? Undecided." in answer.out
    assert "Pairs: 4; both games won in 0, one in 4, none in 0" in answer.out


def test_a_stopped_comparison_goes_on(
    league: Path, command: Callable[..., list[str]], call: Callable[..., Any]
) -> None:
    """Ctrl-C leaves it undecided, with how to go on; resumed, it comes to its end."""
    words = ("compare", "greedy", "random", "--name", "later", "--pairs", "150", "--seed", SEED)
    with subprocess.Popen(
        command("--league", league, *words, "--games-at-once", "1", "--target", "3"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        with League.open(league) as opened:
            until = time.monotonic() + 30
            while time.monotonic() < until and process.poll() is None:
                names = [found.name for found in opened.store.tournaments()]
                if "later" in names and opened.store.game_count("later"):
                    break
                time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 3, err
    assert SEED not in out + err
    assert f"caljack --league {league} compare --resume later" in err
    resumed = call("--league", league, "compare", "--resume", "later", "--games-at-once", "64")
    assert resumed.status == 0, resumed.err
    assert "Pairs: 150;" in resumed.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("fox",), "expected two bots, NEW and OLD"),
        ((), "expected two bots, NEW and OLD"),
        (("fox", "hen", "--resume", "night"), "or --resume NAME"),
        (("fox", "fox@1"), "expected two different bots, got fox@1 twice"),
        (("fox", "eel"), "no bot 'eel'"),
        (("fox", "./no-such-folder"), "no-such-folder"),
        (("fox", "hen", "--pairs", "3", "--alpha", "0.1"), "pairs: expected it without alpha"),
        (("fox", "hen", "--elo0", "5", "--elo1", "5"), "expected elo0 below elo1"),
        (("fox", "hen", "--elo1", "nan"), "expected elo0 below elo1"),
        (("--resume", "night"), "expected a comparison, got a tournament of format round-robin"),
        (("--resume", "nigth"), "did you mean night"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    words: tuple[str, ...], told: str, ask_results: Callable[..., Any]
) -> None:
    """The message says what is expected; nothing is made or played."""
    before = ask_results("tournament", "list", "--json").out
    answer = ask_results("compare", "--sandbox", "none", *words)
    assert answer.status == 2
    assert told in answer.err
    assert ask_results("tournament", "list", "--json").out == before
