"""How what takes long is shown."""

from __future__ import annotations

import os
import pty

import pytest

from californiajack_referee.cli.progress import format_pace, format_seconds, rating_shown, shown
from californiajack_referee.tournament.progress import Progress


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "0 s"),
        (42.4, "42 s"),
        (119, "119 s"),
        (180, "3 min"),
        (7000, "117 min"),
        (7500, "2 h 05 min"),
        (36000, "10 h 00 min"),
    ],
)
def test_durations_are_short(seconds: float, text: str) -> None:
    """Seconds, then minutes, then hours with minutes."""
    assert format_seconds(seconds) == text


def _progress(done: int, seconds: float) -> Progress:
    return Progress(
        done=done, total=100, played=max(0, done - 10), seconds=seconds, wins={"fox@1": done}
    )


def test_the_pace_tells_speed_time_left_and_leader() -> None:
    """It counts the games of this run only; before the first one there is no speed."""
    assert format_pace(_progress(60, 5.0)) == "10.0 games/s, 4 s left, fox@1 leads"
    assert format_pace(_progress(100, 9.0)) == "10.0 games/s, fox@1 leads"
    assert format_pace(Progress(done=0, total=9, played=0, seconds=3.0, wins={"fox@1": 0})) == ""


def test_without_a_terminal_there_is_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Many reports give few lines, the last one always, none twice."""
    with shown() as show:
        for tenth in range(1, 91):
            show(_progress(10 + tenth, tenth / 10))
        show(_progress(100, 9.1))
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = captured.err.splitlines()
    assert [line.split(",")[0] for line in lines] == ["60 of 100 games", "100 of 100 games"]
    assert "\x1b" not in captured.err


def _on_a_terminal(monkeypatch: pytest.MonkeyPatch, steps: list[int]) -> str:
    main, side = pty.openpty()
    monkeypatch.setenv("TERM", "xterm-256color")
    with open(side, "w", encoding="utf-8") as terminal, monkeypatch.context() as patch:  # noqa: PTH123 - a descriptor
        patch.setattr("sys.stderr", terminal)
        with rating_shown() as show:
            for done in steps:
                show(done, 100_000)
        terminal.write("the end")
        terminal.flush()
        seen = ""
        while not seen.endswith("the end"):
            seen += os.read(main, 65536).decode(errors="replace")
    os.close(main)
    return seen


def test_rating_many_games_shows_a_bar_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On standard error, with the games done and to do; where there are few, not a byte of it."""
    assert "20000/100000" in _on_a_terminal(monkeypatch, [20_000])
    assert _on_a_terminal(monkeypatch, []) == "the end"
    assert capsys.readouterr().out == ""


def test_rating_shows_nothing_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a terminal there is no bar, and no line either."""
    with rating_shown() as show:
        show(20_000, 100_000)
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")
