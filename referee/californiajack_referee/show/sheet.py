"""Tables for programs: named and typed columns over a stream of items, as lines of text. Pure."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Item = TypeVar("Item")
Value = str | int | float | None
"""What a cell holds; None where there is nothing to tell."""


class Kind(StrEnum):
    """What the cells of a column hold, where they hold anything."""

    TEXT = "text"
    """A string."""
    WHOLE = "whole"
    """An integer."""
    REAL = "real"
    """A finite float."""


class SheetFormat(StrEnum):
    """What a sheet can be written as; the value is what `--format` takes."""

    CSV = "csv"
    """A line of names, then a line a row; an empty cell for nothing."""
    JSON = "json"
    """A list of objects, one a line; null for nothing."""
    MARKDOWN = "markdown"
    """A table for people: numbers rounded to three decimals; an empty cell for nothing."""
    PARQUET = "parquet"
    """Typed columns for data frames, packed."""


@dataclass(frozen=True, slots=True)
class Field(Generic[Item]):
    """A column of a sheet."""

    name: str
    """Its name, of lower-case letters, digits and ``_``."""
    kind: Kind
    """What its cells hold."""
    value: Callable[[Item], Value]
    """Gives its cell of an item."""


def text(name: str, value: Callable[[Item], str | None]) -> Field[Item]:
    """Makes a column of strings."""
    return Field(name, Kind.TEXT, value)


def whole(name: str, value: Callable[[Item], int | None]) -> Field[Item]:
    """Makes a column of integers."""
    return Field(name, Kind.WHOLE, value)


def real(name: str, value: Callable[[Item], float | None]) -> Field[Item]:
    """Makes a column of finite floats."""
    return Field(name, Kind.REAL, value)


@dataclass(frozen=True, slots=True)
class Sheet(Generic[Item]):
    """Columns over items, which are gone through once and one by one."""

    fields: tuple[Field[Item], ...]
    """The columns, from left to right."""
    items: Iterable[Item]
    """What stands in the rows, a row an item."""

    def rows(self) -> Iterator[tuple[Value, ...]]:
        """Gives the cells of each row, one a column."""
        return (tuple(field.value(item) for field in self.fields) for item in self.items)


def data_of(fields: Iterable[Field[Item]], item: Item) -> dict[str, Any]:
    """Gives an item's cells by the names of their columns."""
    return {field.name: field.value(item) for field in fields}


def sheet_text(sheet: Sheet[Any], kind: SheetFormat) -> Iterator[str]:
    """Writes a sheet as text, piece by piece; it never holds more than a row.

    Raises:
        ValueError: the format is none of text.
    """
    match kind:
        case SheetFormat.CSV:
            return _csv(sheet)
        case SheetFormat.JSON:
            return _json(sheet)
        case SheetFormat.MARKDOWN:
            return _markdown(sheet)
    raise ValueError(f"expected a format of text, got {kind.value}")


def _csv(sheet: Sheet[Any]) -> Iterator[str]:
    line_of = csv.writer(_Echo(), lineterminator="\n").writerow
    for row in chain([[field.name for field in sheet.fields]], sheet.rows()):
        yield line_of(row)


class _Echo:
    """A file that gives back what is written to it, as `csv` then does."""

    def write(self, line: str) -> str:
        return line


def _json(sheet: Sheet[Any]) -> Iterator[str]:
    before = "[\n"
    for item in sheet.items:
        yield before + json.dumps(data_of(sheet.fields, item), allow_nan=False)
        before = ",\n"
    yield "\n]\n" if before == ",\n" else "[]\n"


def _markdown(sheet: Sheet[Any]) -> Iterator[str]:
    yield _markdown_line(field.name for field in sheet.fields)
    yield _markdown_line("---" if field.kind is Kind.TEXT else "---:" for field in sheet.fields)
    for row in sheet.rows():
        yield _markdown_line(map(_markdown_cell, row))


def _markdown_line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _markdown_cell(value: Value) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value).replace("|", "\\|")
