"""Tables written for programs: `--format` and `--output`."""

from __future__ import annotations

import csv
import io
import json
import sys
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest

from californiajack_referee.league.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from californiajack_referee.league.stored import StoredGame

GAMES = 42


def _read(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".json":
        found: list[dict[str, Any]] = json.loads(path.read_text())
        return found
    from pyarrow.parquet import read_table  # noqa: PLC0415 - takes long to import

    read: list[dict[str, Any]] = read_table(path).to_pylist()
    return read


def test_games_are_the_same_in_every_format(
    ask_results: Callable[..., Any], tmp_path: Path
) -> None:
    """A row a game with a result, in canonical order, and the same cells in JSON and Parquet."""
    tables = {}
    for ending in (".json", ".parquet"):
        file = tmp_path / f"games{ending}"
        answer = ask_results("games", "--output", file)
        assert (answer.status, answer.out, answer.err) == (0, "", f"{file} written.\n")
        tables[ending] = _read(file)
    assert tables[".json"] == tables[".parquet"]
    assert len(tables[".json"]) == GAMES
    text = ask_results("games", "--format", "csv").out
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["game"] for row in rows] == [row["game"] for row in tables[".json"]]
    crashed = next(row for row in tables[".json"] if row["blame"] is not None)
    assert (crashed["seat_0"], crashed["seat_1"]) == ("ant@1", "hen@2")
    assert (crashed["winner"], crashed["blame"]) == ("ant@1", "hen@2")
    assert (crashed["rounds"], crashed["plays"], crashed["termination"]) == (1, 57, "crash")


def test_games_can_be_chosen(ask_results: Callable[..., Any]) -> None:
    """--tournament and --bot choose here as they do for the list."""
    text = ask_results("games", "--tournament", "dusk", "--bot", "ant", "--format", "markdown").out
    assert len(text.splitlines()) == 2 + 4
    assert all("ant@1" in line for line in text.splitlines()[2:])


def test_no_game_is_a_table_without_rows(ask_results: Callable[..., Any], tmp_path: Path) -> None:
    """A bot that never played has a table of names alone, in each format."""
    for ending in (".json", ".parquet"):
        file = tmp_path / f"none{ending}"
        assert ask_results("games", "--bot", "hen@1", "-o", file).status == 0
        assert _read(file) == []
    assert len(ask_results("games", "--bot", "hen@1", "--format", "csv").out.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--output", "games.xls"), ".parquet"),
        (("--format", "parquet"), "--output FILE"),
        (("--format", "csv", "--json"), "choose one"),
    ],
)
def test_what_cant_be_written_is_refused(
    ask_results: Callable[..., Any], words: tuple[str, ...], told: str
) -> None:
    """An unknown ending, Parquet without a file, two formats at once: status 2, and what to do."""
    answer = ask_results("games", *words)
    assert (answer.status, answer.out) == (2, "")
    assert told in answer.err


def test_a_folder_that_isnt_there_is_named(ask_results: Callable[..., Any], tmp_path: Path) -> None:
    """The message has the file and what to do; no traceback."""
    file = tmp_path / "nowhere" / "games.csv"
    answer = ask_results("games", "--output", file)
    assert answer.status == 1
    assert f"{file}: can't be written" in answer.err


def test_without_pyarrow_the_message_says_how_to_get_it(
    ask_results: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the package is missing nothing is written, and the pip command stands there."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)  # what an import of it finds: nothing
    answer = ask_results("games", "--output", tmp_path / "games.parquet")
    assert answer.status == 2
    assert "pip install 'californiajack[parquet]'" in answer.err
    assert list(tmp_path.iterdir()) == []


def test_half_a_table_never_stands_under_its_name(
    ask_results: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When reading fails midway, what was there stays, and nothing else is left."""
    file = tmp_path / "games.csv"
    file.write_text("before")
    games = Store.games

    def failing(store: Store, *words: str | None) -> Iterator[StoredGame]:
        yield from games(store, *words)
        raise RuntimeError("midway")

    monkeypatch.setattr(Store, "games", failing)
    with pytest.raises(RuntimeError, match="midway"):
        ask_results("games", "--output", file)
    assert file.read_text() == "before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.csv"]


@pytest.mark.parametrize("ending", [".csv", ".json"])
def test_memory_does_not_grow_with_the_games(
    ask_results: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    """Two hundred times as many games need less than a hundredth of what holding them would."""
    games = Store.games

    def peak() -> int:
        tracemalloc.start()
        assert ask_results("games", "--output", tmp_path / f"games{ending}").status == 0
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    def many(store: Store, *words: str | None) -> Iterator[StoredGame]:
        return (game for game in games(store, *words) for _ in range(200))

    peak()  # what is imported is imported here
    few = peak()
    monkeypatch.setattr(Store, "games", many)
    assert peak() < few + 1_000_000  # what waits for the garbage collector included
