"""`caljack games`, `replay`, `export` and `verify`."""

from __future__ import annotations

import json
import re
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest

from californiajack.record import parse_record
from californiajack.verify import verify_record
from californiajack_referee.league.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from californiajack_referee.league.stored import StoredGame

GAMES = 36


def test_games_are_listed_in_canonical_order(ask_results: Callable[..., Any]) -> None:
    """One line a game, deal by deal, plain and aligned."""
    answer = ask_results("games", "--tournament", "night")
    assert answer.status == 0
    heading, *lines = answer.out.splitlines()
    assert heading.split("  ")[0] == "game"
    ids = [line.split()[0] for line in lines]
    assert len(ids) == GAMES
    assert ids[:7] == [
        *(f"night/{pairing}/0/{seating}" for pairing in range(3) for seating in (0, 1)),
        "night/0/1/0",
    ]
    assert "\x1b" not in answer.out


def test_games_can_be_chosen_by_bot(ask_results: Callable[..., Any]) -> None:
    """--bot leaves the games of others out; a version that never played has none."""
    answer = ask_results("games", "--tournament", "night", "--bot", "ant")
    assert len(answer.out.splitlines()) == 1 + GAMES * 2 // 3
    assert all("ant@1" in line for line in answer.out.splitlines()[1:])
    none = ask_results("games", "--bot", "hen@1")
    assert (none.status, none.out) == (0, "")
    assert "caljack" in none.err


def test_games_as_json_tell_who_failed_and_how(ask_results: Callable[..., Any]) -> None:
    """Each game has its seats, winner, score and verdict."""
    games = json.loads(ask_results("games", "--json").out)["games"]
    assert len(games) == GAMES + 6
    (crashed,) = [game for game in games if game["termination"] != "normal"]
    assert crashed["game"] == "night/2/0/1"
    assert crashed["seats"] == ["ant@1", "hen@2"]
    assert (crashed["winner"], crashed["blame"], crashed["termination"]) == (0, 1, "crash")
    assert crashed["words"] == "hen@2 crashed"


def test_replay_shows_a_game(ask_results: Callable[..., Any]) -> None:
    """All rounds, or the one asked for, and why it ended."""
    whole = ask_results("replay", "night/0/0/0")
    assert whole.status == 0
    assert whole.out.count("turned up") == len(re.findall(r"^Score: ", whole.out, re.MULTILINE))
    one = ask_results("replay", "night/0/0/0", "--round", "1")
    assert one.out.count("turned up") == 1
    crashed = ask_results("replay", "night/2/0/1")
    assert "Ended early (crash): hen@2 crashed" in crashed.out
    assert "ValueError: no idea" in crashed.out


def test_what_a_bot_says_cant_steer_a_terminal(
    results_folder: Path, ask_results: Callable[..., Any], watch: Callable[..., Any]
) -> None:
    """On a terminal red cards are red; control characters in a bot's last words are taken out."""
    shown = watch("--league", results_folder, "replay", "night/2/0/1", "--round", "1", "--print")
    assert shown.status == 0
    assert re.search("\x1b\\[31m[2-9TJQKA][dh]\x1b\\[0m", shown.out)
    assert "\x1b]" not in shown.out
    assert "?]0;mine?ValueError" in shown.out
    assert "?]0;mine?ValueError" in ask_results("replay", "night/2/0/1").out


def test_replay_as_json_is_the_games_record(ask_results: Callable[..., Any]) -> None:
    """The document is a record that verifies, the same as the exported one."""
    document = json.loads(ask_results("replay", "night/0/0/1", "--json").out)
    verify_record(parse_record(document))
    assert document["seats"] == ["hen@2", "fox@1"]
    exported = ask_results("export", "night").out.splitlines()
    assert document == json.loads(exported[1])


def test_an_export_verifies(
    ask_results: Callable[..., Any], ask: Callable[..., Any], tmp_path: Path
) -> None:
    """Standard output and -o give the same records, and all of them pass the verifier."""
    answer = ask_results("export", "night")
    assert answer.status == 0
    assert len(answer.out.splitlines()) == GAMES
    assert f"{GAMES} records" in answer.err
    target = tmp_path / "night.jsonl"
    assert ask_results("export", "night", "-o", target).out == ""
    assert target.read_text() == answer.out
    checked = ask("verify", target)
    assert (checked.status, checked.out) == (0, "")
    assert f"{GAMES} records checked, 0 faulty" in checked.err


def test_an_export_holds_no_dates(ask_results: Callable[..., Any]) -> None:
    """What an export depends on is the result log alone: the fields are those of the record."""
    for line in ask_results("export", "night").out.splitlines():
        assert set(json.loads(line)) == {
            *("format", "ruleset", "seed", "deal", "first_dealer", "seats", "rounds", "result")
        }


def test_an_unfinished_tournament_exports_what_it_has(ask_results: Callable[..., Any]) -> None:
    """Void games are no games."""
    assert len(ask_results("export", "dusk").out.splitlines()) == 6


def test_memory_does_not_grow_with_the_number_of_games(
    ask_results: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Export and verify hold one game at a time: eight times as many need no more memory."""
    games = Store.games

    def peak(*words: str | Path) -> int:
        tracemalloc.start()
        assert ask_results(*words).status == 0
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    def many_games(store: Store, name: str) -> Iterator[StoredGame]:
        return (game for _ in range(8) for game in games(store, name))

    few, many = tmp_path / "few", tmp_path / "many"
    peak("export", "dusk", "-o", few)  # what is imported is imported here
    peak("verify", few)
    export = peak("export", "night", "-o", few)
    verify = peak("verify", few)
    monkeypatch.setattr(Store, "games", many_games)
    export_many = peak("export", "night", "-o", many)
    assert many.stat().st_size == 8 * few.stat().st_size > 500_000
    assert export_many < export + 100_000
    assert peak("verify", many) < verify + 100_000


def test_verify_names_file_line_and_clause(
    ask_results: Callable[..., Any], ask: Callable[..., Any], tmp_path: Path
) -> None:
    """One line a faulty record, for all files, and status 1; the sound ones are not named."""
    lines = ask_results("export", "night").out.splitlines()
    record = json.loads(lines[1])
    record["rounds"][0]["points"] = [4, 4]
    broken = tmp_path / "broken.jsonl"
    broken.write_text("\n".join([lines[0], json.dumps(record), "", "nonsense", lines[2]]))
    sound = tmp_path / "sound.jsonl"
    sound.write_text(lines[0])
    answer = ask("verify", broken, sound)
    assert answer.status == 1
    first, second = answer.out.splitlines()
    assert first.startswith(f"{broken}:2: round 0: ")
    assert first.endswith("(R10)")
    assert second.startswith(f"{broken}:4: ")
    assert "5 records checked, 2 faulty" in answer.err


def test_verify_reads_standard_input(
    ask_results: Callable[..., Any], call: Callable[..., Any]
) -> None:
    """- is standard input, of a real process too."""
    line = ask_results("export", "night").out.splitlines()[0]
    sound = call("verify", "-", stdin=line + "\n")
    assert (sound.status, sound.out) == (0, "")
    broken = call("verify", "-", stdin=line.replace("normal", "wrong") + "\n")
    assert broken.status == 1
    assert re.match(r"<stdin>:1: .*\(termination\)\n$", broken.out)
    assert "Traceback" not in broken.err


@pytest.mark.parametrize("content", [b"\xff\xfe\n", b"[" * 100_000, b"{}", b"null", b"1e999999"])
def test_verify_takes_any_bytes(content: bytes, ask: Callable[..., Any], tmp_path: Path) -> None:
    """Whatever stands in the file: a line that says so, status 1, no traceback."""
    file = tmp_path / "any.jsonl"
    file.write_bytes(content)
    answer = ask("verify", file)
    assert answer.status == 1
    assert answer.out.startswith(f"{file}:1: ")
