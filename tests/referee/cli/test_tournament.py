"""`caljack tournament run` and `resume`, as processes of their own with real bots."""

from __future__ import annotations

import hashlib
import json
import os
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
LONG = ("--pairs", "100", "--seed", SEED, "--target", "3", "--games-at-once", "1")


@pytest.fixture
def league(bots_folder: Path, tmp_path: Path) -> Path:
    """A league of its own, with two bots."""
    return Path(shutil.copytree(bots_folder, tmp_path / "league"))


def _left_over(league: Path) -> list[str]:
    """Names the processes that run in a league's folder, as bots do."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cwd"):
        try:
            place = entry.readlink()
        except OSError:
            continue
        if place.is_relative_to(league):
            found.append(f"{entry.parent.name}: {place}")
    return found


def test_a_run_from_first_to_last_word(league: Path, call: Callable[..., Any]) -> None:
    """The digest of the seed comes first, the seed last, the standings between; all plain text."""
    answer = call("--league", league, "tournament", "run", "--pairs", "4", *QUICK)
    assert answer.status == 0, answer.err
    digest = hashlib.sha256(bytes.fromhex(SEED)).hexdigest()
    assert answer.out.index(digest) < answer.out.index("rank") < answer.out.index(f"Seed: {SEED}")
    assert answer.out.splitlines()[0] == "Tournament tournament-1: greedy@1, random@1"
    assert "\x1b" not in answer.out + answer.err
    assert "8 of 8 games" in answer.err
    assert "leads" in answer.err
    assert _left_over(league) == []
    again = call("--league", league, "tournament", "resume", "tournament-1")
    assert again.status == 0
    assert again.out == answer.out


def test_json_is_one_document_and_messages_stand_apart(
    league: Path, call: Callable[..., Any]
) -> None:
    """With --json standard output is the document alone; bots and versions can be chosen."""
    answer = call(
        *("--league", league, "tournament", "run", "--json", "--pairs", "2", "--name", "day"),
        *("--bots", "random@1, greedy", "--scoring", "most_tricks", "--follow", "follow_or_trump"),
        *("--move-time", "3.5", "--jobs", "2", "--games-at-once", "1", *QUICK),
    )
    assert answer.status == 0, answer.err
    told = json.loads(answer.out)
    assert told["tournament"] == "day"
    assert told["bots"] == ["random@1", "greedy@1"]
    assert told["ruleset"] == {
        "target": 1,
        "scoring": "most_tricks",
        "follow": "follow_or_trump",
    }
    assert (told["games_done"], told["finished"], told["seed"]) == (4, True, SEED)
    assert told["move_seconds"] == 3.5
    assert told["seed_sha256"] in answer.err
    assert len(told["ranking"]) == 2


def test_a_terminal_shows_the_bar(league: Path, watch: Callable[..., Any]) -> None:
    """On a terminal there is a bar with games done, games a second and the leader."""
    answer = watch("--league", league, "tournament", "run", "--pairs", "3", *QUICK)
    assert answer.status == 0
    assert "\x1b[" in answer.out
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", answer.out)
    assert re.search(r"games ━+ +6/6 \d+\.\d games/s, \S+ leads", plain)
    assert "μ-3σ" in plain  # noqa: RUF001 - the Greek letter is meant


@pytest.mark.parametrize("wish", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_stops_soon_and_resume_plays_the_rest(
    league: Path,
    tmp_path: Path,
    command: Callable[..., list[str]],
    call: Callable[..., Any],
    wish: signal.Signals,
) -> None:
    """A run that is stopped midway keeps what it has; resumed, it gives the same export."""
    words = command("--league", league, "tournament", "run", "--name", "night", *LONG)
    with subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        _wait_for_a_game(league, process)
        if wish is signal.SIGINT:
            os.killpg(process.pid, wish)  # as a terminal does: every process of the job gets it
        else:
            process.send_signal(wish)
        told = time.monotonic()
        out, err = process.communicate(timeout=20)
        took = time.monotonic() - told
    assert process.returncode == 1, err
    assert took < 10
    assert SEED not in out + err
    assert f"caljack --league {league} tournament resume night" in err
    assert "Traceback" not in err
    assert _left_over(league) == []
    with League.open(league) as opened:
        assert 0 < opened.store.game_count("night") < 200
    resumed = call("--league", league, "tournament", "resume", "night", "--jobs", "2")
    assert resumed.status == 0, resumed.err
    if wish is signal.SIGINT:  # once is enough for the whole comparison
        exports = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
        call("--league", league, "export", "night", "-o", exports[0])
        straight = call("--league", league, "tournament", "run", "--name", "day", *LONG)
        assert straight.status == 0
        call("--league", league, "export", "day", "-o", exports[1])
        assert exports[0].read_bytes() == exports[1].read_bytes()
        checked = call("verify", *exports)
        assert checked.status == 0
        assert "400 records checked" in checked.err


def _wait_for_a_game(league: Path, process: subprocess.Popen[str]) -> None:
    """Waits until a first series has been stored."""
    with League.open(league) as opened:
        for _ in range(2000):
            assert process.poll() is None, "it ended before it could be stopped"
            if any(one.name == "night" for one in opened.store.tournaments()) and (
                opened.store.game_count("night")
            ):
                return
            time.sleep(0.02)
    raise AssertionError("no game was stored")


def test_a_name_of_its_own_is_found(league: Path, call: Callable[..., Any]) -> None:
    """Without --name each run gets the next free number."""
    for _ in range(2):
        answer = call("--league", league, "tournament", "run", "--pairs", "1", *QUICK)
        assert answer.status == 0, answer.err
    told = json.loads(call("--league", league, "tournament", "list", "--json").out)
    assert [one["tournament"] for one in told["tournaments"]] == ["tournament-1", "tournament-2"]
