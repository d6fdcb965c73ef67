"""`caljack faults`."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from californiajack import Ruleset, Termination
from californiajack_referee.league.folder import League
from californiajack_referee.league.stored import StoredTournament
from californiajack_referee.values import Limits, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from californiajack_referee.values import GameResult

SEED = bytes(16)


@pytest.fixture(scope="module")
def many_faults(
    tmp_path_factory: pytest.TempPathFactory, played: Callable[..., GameResult]
) -> Path:
    """A league in which one bot was late in 500 games, each by another time."""
    folder = tmp_path_factory.mktemp("faults") / "league"
    with League.open(folder, create=True) as league:
        bots = tuple(
            league.store.add_bot(
                name, f"{number:064x}", language="Python", authors=["Ada"], command=["python"]
            )
            for number, name in enumerate(("fox", "hen"))
        )
        a_day = datetime(2026, 1, 2, tzinfo=UTC)
        league.store.add_tournament(
            StoredTournament("night", bots, 500, SEED, Ruleset(), Limits(), a_day)
        )
        whole = [played(SEED, deal, ("fox@1", "hen@1")) for deal in range(500)]
        late = [
            Verdict(1, Termination.TIMEOUT, 0, f"fox@1 took 10.{deal:03} s over a card")
            for deal in range(500)
        ]
        league.store.add_results(
            "night",
            0,
            0,
            [
                replace(game, verdict=verdict, plays=game.plays[:9], score=(0, 0))
                for game, verdict in zip(whole, late, strict=True)
            ],
        )
        log = league.log_folder("night") / "0-0-fox@1.log"
        log.parent.mkdir(parents=True)
        log.write_text("thinking …\n")
    return folder


def test_a_fault_is_told_with_all_its_author_needs(
    ask_results: Callable[..., Any], results_folder: Path
) -> None:
    """Game, verdict, turn, last lines and a command that works as it stands, in plain text."""
    answer = ask_results("faults")
    assert (answer.status, answer.err) == (0, "")
    text = answer.out
    assert text.startswith("hen@2 lost 1 game of night by a fault of its own: crash\n")
    for part in ("night/2/0/1 against ant@1", "hen@2 crashed", "round 2", "ValueError: no idea"):
        assert part in text
    assert "\x1b" not in text
    assert "?]0;mine?" in text
    (command,) = [line for line in text.splitlines() if "caljack --league" in line]
    words = shlex.split(command.partition("To see it: ")[2])
    assert words[:3] == ["caljack", "--league", str(results_folder)]
    replayed = ask_results(*words[3:])
    assert replayed.status == 0
    assert replayed.out.count("turned up") == 1


def test_faults_are_chosen_by_bot_and_tournament(ask_results: Callable[..., Any]) -> None:
    """The faults of others are left out, also those of a bot's opponents; none is no error."""
    assert "hen@2" in ask_results("faults", "--bot", "hen@2").out
    assert "hen@2" in ask_results("faults", "--bot", "hen", "--tournament", "night").out
    for arguments in (["--bot", "ant"], ["--bot", "hen@1"], ["--tournament", "dusk"]):
        answer = ask_results("faults", *arguments)
        assert (answer.status, answer.out, answer.err) == (0, "", "No faults.\n")
    assert ask_results("faults", "--bot", "hem").status == 2


def test_faults_as_json(ask_results: Callable[..., Any]) -> None:
    """One document, with the turn as data where the bot had one."""
    (fault,) = json.loads(ask_results("faults", "--json").out)["faults"]
    assert (fault["game"], fault["bot"], fault["seat"]) == ("night/2/0/1", "hen@2", 1)
    assert (fault["termination"], fault["round"], fault["log"]) == ("crash", 2, None)
    assert fault["turn"] is None or set(fault["turn"]["legal"].split()) <= set(
        fault["turn"]["hand"].split()
    )
    assert json.loads(ask_results("faults", "--bot", "ant", "--json").out) == {"faults": []}


@pytest.mark.parametrize("everything", [False, True])
def test_many_equal_faults_dont_fill_the_screen(
    everything: bool,  # noqa: FBT001 - a parameter of the test
    many_faults: Path,
    ask: Callable[..., Any],
) -> None:
    """One is shown, and how many more there are; --all shows each."""
    arguments = ["--all"] if everything else []
    text = ask("--league", many_faults, "faults", *arguments).out
    assert "fox@1 lost 500 games of night" in text
    assert text.count("To see it: ") == (500 if everything else 1)
    assert ("and 499 more like this: caljack" in text) != everything
    log = many_faults / "logs" / "night" / "0-0-fox@1.log"
    assert f"Its log: {log}" in text
