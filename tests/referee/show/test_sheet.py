"""Tables for programs, as text."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, NamedTuple

import pytest

from californiajack_referee.show.sheet import (
    Field,
    Kind,
    Sheet,
    SheetFormat,
    data_of,
    real,
    sheet_text,
    text,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Line(NamedTuple):
    bot: str | None
    games: int | None
    mu: float | None


FIELDS: tuple[Field[_Line], ...] = (
    text("bot", lambda line: line.bot),
    whole("games", lambda line: line.games),
    real("mu", lambda line: line.mu),
)
LINES = [_Line("fox@1", 12, 25.123456789012345), _Line('a "b", c|d', None, None)]


def _written(kind: SheetFormat, lines: list[_Line]) -> str:
    return "".join(sheet_text(Sheet(FIELDS, lines), kind))


def test_csv_can_be_read_back_to_the_last_digit() -> None:
    """Names first; quotes and commas survive; nothing is an empty cell."""
    rows = list(csv.DictReader(io.StringIO(_written(SheetFormat.CSV, LINES))))
    assert rows[0] == {"bot": "fox@1", "games": "12", "mu": repr(LINES[0].mu)}
    assert rows[1] == {"bot": 'a "b", c|d', "games": "", "mu": ""}


@pytest.mark.parametrize("lines", [LINES, LINES[:1], []])
def test_json_is_a_list_of_objects(lines: list[_Line]) -> None:
    """However many rows there are, none included, it is one document, an object a line."""
    written = _written(SheetFormat.JSON, lines)
    assert json.loads(written) == [line._asdict() for line in lines]
    assert written.endswith("]\n")
    assert len(written.splitlines()) == (len(lines) + 2 if lines else 1)


def test_markdown_is_a_table_with_rounded_numbers() -> None:
    """Numbers stand right with three decimals; a bar in a text doesn't end its cell."""
    assert _written(SheetFormat.MARKDOWN, LINES).splitlines() == [
        "| bot | games | mu |",
        "| --- | ---: | ---: |",
        "| fox@1 | 12 | 25.123 |",
        '| a "b", c\\|d |  |  |',
    ]


def test_what_is_no_number_never_gets_into_json() -> None:
    """An infinity is refused rather than written as what no reader of JSON takes."""
    with pytest.raises(ValueError, match="JSON"):
        _written(SheetFormat.JSON, [_Line("fox@1", 1, float("inf"))])


def test_parquet_is_no_text() -> None:
    """It is asked for elsewhere."""
    with pytest.raises(ValueError, match="parquet"):
        sheet_text(Sheet(FIELDS, LINES), SheetFormat.PARQUET)


def test_rows_are_made_one_by_one() -> None:
    """Nothing is read ahead of what is written."""
    read = 0

    def items() -> Iterator[_Line]:
        nonlocal read
        for line in LINES:
            read += 1
            yield line

    for kind in (SheetFormat.CSV, SheetFormat.JSON):
        read = 0
        pieces = sheet_text(Sheet(FIELDS, items()), kind)
        next(pieces)
        assert read <= 1


def test_a_column_says_what_it_holds() -> None:
    """Its kind and its name are those it was made with."""
    assert [(field.name, field.kind) for field in FIELDS] == [
        *(("bot", Kind.TEXT), ("games", Kind.WHOLE), ("mu", Kind.REAL))
    ]
    assert data_of(FIELDS, LINES[0]) == LINES[0]._asdict()
