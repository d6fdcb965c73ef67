"""`caljack check`'s examination, on real bots in real processes."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from californiajack import InputError
from californiajack.conformance import LEGAL, RULESETS, Mark
from californiajack_referee.values import Limits, Resources
from californiajack_referee.workbench import check as checking
from californiajack_referee.workbench.check import CheckTerms, check
from californiajack_referee.workbench.new import Language, write_new_bot

if TYPE_CHECKING:
    from californiajack.conformance import Finding, Report

ODD = Path(__file__).parent / "bots" / "odd" / "bot.py"
LIMITS = Limits(start_seconds=20, ready_seconds=20, move_seconds=10, shutdown_seconds=0.3)
CLAUSES = ("H1", "G1", "L1", "L2", "L3", "L4", "G2", "D1", "D2", "E1", "T1", "M1", "O1")


def odd_bot(tmp_path: Path, way: str) -> Path:
    """Writes the folder of a bot that goes wrong in a way."""
    folder = tmp_path / way
    folder.mkdir()
    (folder / "bot.py").write_text(ODD.read_text())
    (folder / "bot.toml").write_text(f'name = "{way}"\ncommand = ["python", "bot.py", "{way}"]\n')
    return folder


def under(monkeypatch: pytest.MonkeyPatch, *numbers: int) -> None:
    """Lets checks play by some of the rulesets only, as each takes its time."""
    monkeypatch.setattr(checking, "RULESETS", tuple(RULESETS[number] for number in numbers))
    monkeypatch.setattr(checking, "LEGAL", tuple(LEGAL[number] for number in numbers))


def checked(folder: Path, games: int, limits: Limits = LIMITS) -> tuple[Report, dict[str, Finding]]:
    """Checks a bot, and gives the findings by their clauses' ids too."""
    terms = CheckTerms(games=games, limits=limits, resources=Resources(output_kib=1))
    report = check(
        folder,
        terms,
        tell=lambda _: None,
        command=lambda turn: f"see {turn.deal} {turn.seat}",
    )
    json.dumps(report.to_json(), allow_nan=False)
    return report, {found.clause.id: found for found in report.findings}


def test_a_new_bot_passes_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `caljack new` writes keeps to every clause; times and memory were really measured."""
    under(monkeypatch, 0, 3)
    write_new_bot(tmp_path / "fox", Language.PYTHON)
    report, found = checked(tmp_path / "fox", 4, Limits())
    assert report.passed, report
    assert [*found] == [key for key in CLAUSES if key not in {"L2", "L3"}]
    musts = {key: one.mark for key, one in found.items() if key not in {"G2", "E1", "T1"}}
    assert set(musts.values()) == {Mark.PASSED}, report
    figures = dict(found["T1"].figures)
    assert figures["cards"] > 300
    assert 0 < figures["p50_ms"] <= figures["p99_ms"] <= figures["max_ms"]
    assert dict(found["M1"].figures)["peak_mib"] > 5
    assert found["O1"].words == "nothing"


def test_each_fault_is_named_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Illegal under one ruleset only, not deterministic, printing, never ending: all told."""
    under(monkeypatch, 0, 2)
    report, found = checked(odd_bot(tmp_path, "strange"), 4)
    assert [one.clause.id for one in report.failed] == ["L3", "E1"], report
    turn = found["L3"].turn
    assert turn is not None
    assert turn.seen is not None
    data = turn.to_json()
    assert (data["scoring"], data["follow"]) == ("most_tricks", "follow")
    played, hand, legal = (str(data[name]) for name in ("played", "hand", "legal"))
    assert played in hand.split()
    assert played not in legal.split()
    assert found["L3"].command == f"see {turn.deal} {turn.seat}"
    assert found["D1"].mark is Mark.NOTED
    assert "not deterministic" in found["D1"].words
    assert found["D2"].mark is Mark.SKIPPED
    assert found["O1"].words.startswith("more than 1 KiB by one process")
    assert "| game 1" in found["O1"].words
    assert "still ran 0.3 s after the farewell" in found["E1"].words


def test_the_game_that_kills_a_process_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that dies in its fifth game, of many at once: that game and its turn are named."""
    under(monkeypatch, 0)
    report, found = checked(odd_bot(tmp_path, "dies"), 16)
    legal = found["L1"]
    assert legal.mark is Mark.FAILED
    # on a busy machine its stream is seen to end long before its process
    assert re.search("exit status 7|closed its stream", legal.words)
    assert legal.turn is not None, report
    assert legal.turn.deal == 4
    assert legal.turn.seen is not None
    assert "played one game at a time, that comes in game 5" in legal.words
    assert legal.command == "see 4 0"


def test_a_bot_that_never_starts_fails_the_handshake_alone(tmp_path: Path) -> None:
    """Nothing else is looked at, and its last words are shown."""
    report, found = checked(odd_bot(tmp_path, "never"), 4)
    assert [one.clause.id for one in report.failed] == ["H1"]
    assert "exit status 1" in found["H1"].words
    assert "| no luck today" in found["H1"].words
    assert {one.mark for key, one in found.items() if key != "H1"} == {Mark.SKIPPED}
    assert str(tmp_path) not in str(report)


def test_a_build_that_fails_is_told(tmp_path: Path) -> None:
    """The build step is a clause of its own where there is one."""
    folder = odd_bot(tmp_path, "strange")
    with (folder / "bot.toml").open("a") as file:
        file.write('build = ["python", "-c", "import sys; sys.exit(3)"]\n')
    report, found = checked(folder, 4)
    assert [one.clause.id for one in report.failed] == ["B1"]
    assert "exit status 3" in found["B1"].words


@pytest.mark.parametrize(("name", "says"), [("nowhere", "no such folder"), ("", "no bot.toml")])
def test_what_is_no_bot_is_an_input_error(tmp_path: Path, name: str, says: str) -> None:
    """No folder, or none with a bot.toml: nothing is played."""
    with pytest.raises(InputError, match=says):
        checked(tmp_path / name, 4)


@pytest.mark.soak
def test_a_bot_that_hangs_is_named(tmp_path: Path) -> None:
    """A hang fails every clause that plays, each with its exact turn, in bounded time."""
    limits = Limits(move_seconds=1, shutdown_seconds=0.3)
    report, found = checked(odd_bot(tmp_path, "hangs"), 8, limits)
    assert [one.clause.id for one in report.failed] == ["G1", "L1", "L2", "L3", "L4"]
    for key in ("G1", "L1", "L2", "L3", "L4"):
        turn = found[key].turn
        assert turn is not None
        # on a busy machine the first late game is void, and the one that waits behind it pays
        assert turn.to_json()["trick"] in (1, 5)
        assert re.search("1.00 s were allowed|hung: it said nothing", found[key].words)


@pytest.mark.soak
@pytest.mark.node
@pytest.mark.skipif(
    not (shutil.which("node") and shutil.which("npm")), reason="Node.js or npm is missing"
)
def test_a_new_bot_in_javascript_passes_as_it_is(tmp_path: Path) -> None:
    """What `caljack new --language javascript` writes is built and keeps to every clause."""
    write_new_bot(tmp_path / "fox", Language.JAVASCRIPT)
    report, found = checked(tmp_path / "fox", 4, Limits())
    assert report.passed, report
    assert [*found] == ["B1", *CLAUSES]
