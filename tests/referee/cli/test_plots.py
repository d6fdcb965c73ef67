"""`--history` and `--plot`: how ratings moved, and pictures."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from californiajack_referee.ranking.history import HistoryLine
from californiajack_referee.ranking.rating import BotRating

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PNG = b"\x89PNG\r\n\x1a\n"


def test_history_ends_where_the_rankings_are(ask_results: Callable[..., Any]) -> None:
    """A line a tournament and bot; the last ones are the ratings of today."""
    told = json.loads(ask_results("rankings", "--history", "--json").out)["history"]
    assert [line["tournament"] for line in told] == ["night"] * 3 + ["dusk"] * 3
    today = json.loads(ask_results("rankings", "--json").out)["ranking"]
    assert {
        line["bot"]: (line["mu"], line["sigma"], line["games_in_all"]) for line in told[3:]
    } == {line["bot"]: (line["mu"], line["sigma"], line["games"]) for line in today}
    text = ask_results("rankings", "--history").out
    assert len(text.splitlines()) == 7
    assert text.isascii()


def test_history_can_be_exported(ask_results: Callable[..., Any]) -> None:
    """The same lines as a table for programs."""
    rows = json.loads(ask_results("rankings", "--history", "--format", "json").out)
    assert rows == json.loads(ask_results("rankings", "--history", "--json").out)["history"]


def test_history_is_of_all_tournaments(ask_results: Callable[..., Any]) -> None:
    """Of one tournament there is none: status 2, and what to leave out."""
    for words in (("--history",), ("--plot", "mu.png")):
        answer = ask_results("rankings", "--tournament", "night", *words)
        assert (answer.status, answer.out) == (2, "")
        assert "leave --tournament out" in answer.err


@pytest.mark.parametrize(
    "words", [("rankings",), ("rankings", "--history"), ("tournament", "show", "night")]
)
def test_pictures_are_drawn_beside_the_table(
    ask_results: Callable[..., Any], tmp_path: Path, words: tuple[str, ...]
) -> None:
    """PNG and SVG by the file's ending, the table as without, the same bytes each time."""
    plain = ask_results(*words)
    for ending in (".png", ".svg"):
        file = tmp_path / f"drawn{ending}"
        answer = ask_results(*words, "--plot", file)
        assert (answer.status, answer.out) == (0, plain.out)
        assert f"{file} written." in answer.err
        drawn = file.read_bytes()
        ask_results(*words, "--plot", file)
        assert file.read_bytes() == drawn
    assert (tmp_path / "drawn.png").read_bytes().startswith(PNG)
    assert b"<svg" in (tmp_path / "drawn.svg").read_bytes()


@pytest.mark.parametrize(
    ("file", "told"),
    [("mu.pdf", ".png or .svg"), ("mu", ".png or .svg"), ("nowhere/mu.png", "make it first")],
)
def test_what_cant_be_drawn_is_refused(
    ask_results: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    told: str,
) -> None:
    """An ending that isn't known and a folder that isn't there: status 2, before all counting."""
    monkeypatch.chdir(tmp_path)
    answer = ask_results("rankings", "--plot", file)
    assert (answer.status, answer.out) == (2, "")
    assert told in answer.err


def test_without_matplotlib_the_message_says_how_to_get_it(
    ask_results: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the package is missing the pip command stands there."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # what an import of it finds: nothing
    answer = ask_results("tournament", "show", "night", "--plot", tmp_path / "night.png")
    assert answer.status == 2
    assert "pip install 'californiajack[plots]'" in answer.err


def test_a_league_without_games_draws_nothing(
    bots_folder: Path, ask: Callable[..., Any], tmp_path: Path
) -> None:
    """There is a message instead, and no file."""
    for words in (("--plot", tmp_path / "mu.png"), ("--history",)):
        answer = ask("--league", bots_folder, "rankings", *words)
        assert (answer.status, answer.out) == (0, "")
        assert "No games yet" in answer.err
    assert list(tmp_path.glob("*.png")) == []


def test_thirty_bots_over_many_tournaments_fit() -> None:
    """Each bot has its line and its name, and names of tournaments don't pile up."""
    from californiajack_referee.show.plots import rating_figure  # noqa: PLC0415 - slow to import

    history = [
        HistoryLine(f"tournament-{place}", f"bot-{bot}@1", BotRating(bot, 1.0), None, 10, 10)
        for place in range(60)
        for bot in range(30)
    ]
    figure = rating_figure(history)
    (axes,) = figure.axes
    assert len(axes.lines) == 30
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == [f"bot-{bot}@1" for bot in reversed(range(30))]
    assert len(axes.get_xticks()) <= 24


def test_of_more_than_thirty_bots_the_strongest_are_drawn() -> None:
    """The title says of how many."""
    from californiajack_referee.show.plots import rating_figure  # noqa: PLC0415 - slow to import

    history = [
        HistoryLine("night", f"bot-{bot}@1", BotRating(bot, 1.0), None, 10, 10) for bot in range(40)
    ]
    figure = rating_figure(history)
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == [f"bot-{bot}@1" for bot in range(39, 9, -1)]
    assert "the 30 strongest of 40 bots" in figure.axes[0].get_title()


def test_who_never_met_has_a_blank_cell() -> None:
    """The scores stand in the cells of those who met; the others hold no words."""
    from californiajack_referee.show.plots import cross_figure  # noqa: PLC0415 - slow to import

    figure = cross_figure(
        ["a@1", "b@1", "c@1"],
        {("a@1", "b@1"): (0.75, 0.5, 0.9), ("b@1", "a@1"): (0.25, 0.1, 0.5)},
        "x",
    )
    words = [text.get_text() for text in figure.axes[0].texts]
    assert words == ["75.0\n50-90", "25.0\n10-50"]
