"""`caljack new` and `caljack check` as a person meets them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.referee.cli.conftest import Answer


def test_new_says_what_comes_next(tmp_path: Path, ask: Callable[..., Answer]) -> None:
    """The bot is named and its folder, and the next commands can be typed as they stand."""
    folder = tmp_path / "a fox"
    answer = ask("--league", "other", "new", folder, "--name", "fox")
    assert answer.status == 0
    assert answer.out == f"fox is in {folder}\n"
    assert f"caljack --league other check '{folder}'" in answer.err
    assert (folder / "test_bot.py").exists()
    again = ask("new", folder, "--name", "fox")
    assert again.status == 2
    assert "holds something" in again.err


def test_check_says_no_with_status_1(tmp_path: Path, ask: Callable[..., Answer]) -> None:
    """A bot that fails: one line a clause, the reason below, or one JSON document."""
    (tmp_path / "bot.toml").write_text('name = "fox"\ncommand = ["python", "bot.py"]\n')
    (tmp_path / "bot.py").write_text("raise SystemExit('no luck today')")
    answer = ask("check", tmp_path)
    assert answer.status == 1
    first, *rest = answer.out.splitlines()
    assert first.startswith("H1  FAILED  handshake")
    assert "      | no luck today" in rest
    assert "It doesn't pass: H1." in answer.err
    data = json.loads(ask("check", tmp_path, "--json", "--sandbox", "none").out)
    assert data["passed"] is False
    assert data["clauses"][0]["id"] == "H1"
    assert data["clauses"][0]["result"] == "failed"
    assert {clause["result"] for clause in data["clauses"][1:]} == {"skipped"}
