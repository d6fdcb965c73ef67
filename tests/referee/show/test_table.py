"""Plain tables."""

from __future__ import annotations

from californiajack_referee.show.table import Column, Table, format_table, parts_of, spelled


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


def test_a_wide_table_is_cut_into_parts_that_name_their_rows() -> None:
    """Each part fits the width and has the key column; together they have every column once."""
    table = Table(
        columns=(Column("rank"), Column("bot", key=True), Column("mu"), Column("pair score")),
        rows=(("1", "fox@1", "25.0", "50.0 %"),),
        title="Scores",
    )
    assert parts_of(table, 80) == [table]
    parts = parts_of(table, 20)
    assert [[column.title for column in part.columns] for part in parts] == [
        *(["rank", "bot", "mu"], ["bot", "pair score"])
    ]
    assert [part.rows for part in parts] == [(("1", "fox@1", "25.0"),), (("fox@1", "50.0 %"),)]
    assert [part.title for part in parts] == ["Scores", ""]
    assert all(len(line) <= 20 for part in parts for line in format_table(part).splitlines())


def test_a_table_that_cant_be_cut_stays_whole() -> None:
    """Without a key column, or where a single one is too wide."""
    columns = (Column("bot"), Column("very long heading"))
    assert len(parts_of(Table(columns, ()), 10)) == 1
    keyed = (Column("bot", key=True), Column("very long heading"))
    assert len(parts_of(Table(keyed, ()), 10)) == 1


def test_symbols_stand_for_headings_where_they_can_be_shown() -> None:
    """A column without a symbol keeps its heading."""
    table = spelled(Table((Column("mu", symbol="μ"), Column("bot")), ()))
    assert [column.title for column in table.columns] == ["μ", "bot"]
