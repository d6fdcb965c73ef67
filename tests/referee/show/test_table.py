"""Plain tables."""

from __future__ import annotations

from californiajack_referee.show.table import Column, Table, format_table


def test_columns_are_aligned_and_nothing_trails() -> None:
    """Text stands left, numbers right, two spaces between, no space at a line's end."""
    table = Table(
        columns=(Column("bot"), Column("won", right=True), Column("by")),
        rows=(("fox", "7", "luck"), ("hedgehog", "1000", "")),
        title="Scores",
    )
    assert format_table(table).split("\n") == [
        "Scores",
        "bot        won  by",
        "fox          7  luck",
        "hedgehog  1000",
    ]


def test_an_empty_table_is_its_heading() -> None:
    """Without rows and title the heading is all."""
    assert format_table(Table((Column("bot"), Column("won", right=True)), ())) == "bot  won"
