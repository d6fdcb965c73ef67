"""Tables as values, and as plain text with aligned columns."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
    key: bool = False
    """Whether it says what a row is about: it is repeated where a table is cut into parts."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under headings."""

    columns: tuple[Column, ...]
    """The columns, from left to right."""
    rows: tuple[tuple[str, ...], ...]
    """The cells of each row, one a column."""
    title: str = ""
    """What stands above the table; empty for nothing."""


def spelled(table: Table) -> Table:
    """Gives the same table with symbols for headings where columns have one."""
    columns = tuple(replace(one, title=one.symbol or one.title) for one in table.columns)
    return replace(table, columns=columns)


def parts_of(table: Table, width: int) -> list[Table]:
    """Cuts a table that is too wide into parts, side by side, each with the key columns.

    A table without key columns stays whole, as do columns that are too wide by themselves.

    Args:
        table: any one.
        width: how many characters there is room for.
    """
    widths = [
        max(len(column.title), *(len(row[place]) for row in table.rows), 0)
        for place, column in enumerate(table.columns)
    ]
    keys = [place for place, column in enumerate(table.columns) if column.key]
    if not keys or sum(widths) + len(_GAP) * (len(widths) - 1) <= width:
        return [table]
    room = width - sum(widths[place] + len(_GAP) for place in keys) + len(_GAP)
    parts: list[list[int]] = [[]]
    taken = 0
    for place, column in enumerate(table.columns):
        if column.key:
            continue
        taken += widths[place] + len(_GAP)
        if taken > room and parts[-1]:
            parts.append([])
            taken = widths[place] + len(_GAP)
        parts[-1].append(place)
    return [
        _part(table, sorted([*keys, *part]), table.title if number == 0 else "")
        for number, part in enumerate(parts)
    ]


def _part(table: Table, places: list[int], title: str) -> Table:
    return Table(
        columns=tuple(table.columns[place] for place in places),
        rows=tuple(tuple(row[place] for place in places) for row in table.rows),
        title=title,
    )


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
