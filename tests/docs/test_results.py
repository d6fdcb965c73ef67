"""docs/results.md names the columns that there are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from californiajack_referee.show.games import GAME_FIELDS
from californiajack_referee.show.history import HISTORY_FIELDS
from californiajack_referee.show.standings import CROSS_FIELDS, RANKING_FIELDS

TEXT = (Path(__file__).parents[2] / "docs" / "results.md").read_text(encoding="utf-8")
TABLES: dict[str, tuple[Any, ...]] = {
    "Rankings": RANKING_FIELDS,
    "History": HISTORY_FIELDS,
    "Cross table": CROSS_FIELDS,
    "Games": GAME_FIELDS,
}


@pytest.mark.parametrize("title", TABLES)
def test_the_document_names_every_column(title: str) -> None:
    """Under its heading stand the columns of a table, all of them and in their order."""
    section = re.split(r"^#+ ", TEXT.split(f"\n### {title}\n")[1], flags=re.MULTILINE)[0]
    named = re.findall(r"^\| `(\w+)` \| \S", section, re.MULTILINE)
    assert named == [field.name for field in TABLES[title]]


def test_every_table_is_described() -> None:
    """No table of columns stands there that isn't checked."""
    assert set(re.findall(r"^### (.*)\n(?:(?!^#).*\n)*?\| column ", TEXT, re.MULTILINE)) == set(
        TABLES
    )
