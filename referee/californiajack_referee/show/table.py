"""Tables as values, and as plain text with aligned columns."""

from __future__ import annotations

from dataclasses import dataclass

_GAP = "  "


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    title: str
    """Its heading."""
    right: bool = False
    """Whether it is aligned to the right, as numbers are."""
    wraps: bool = False
    """Whether its cells may be broken at a space where the terminal is narrow."""
    symbol: str = ""
    """What may stand for the heading where Greek letters can be shown; empty for the heading."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under headings."""

    columns: tuple[Column, ...]
    """The columns, from left to right."""
    rows: tuple[tuple[str, ...], ...]
    """The cells of each row, one a column."""
    title: str = ""
    """What stands above the table; empty for nothing."""


def format_table(table: Table) -> str:
    """Writes a table as lines of plain text: no frame, columns aligned, no trailing spaces."""
    rows = [tuple(column.title for column in table.columns), *table.rows]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines = [table.title] if table.title else []
    for row in rows:
        cells = (
            cell.rjust(width) if column.right else cell.ljust(width)
            for cell, width, column in zip(row, widths, table.columns, strict=True)
        )
        lines.append(_GAP.join(cells).rstrip())
    return "\n".join(lines)
