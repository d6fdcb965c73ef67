"""How the commands speak: results on standard output, messages on standard error.

On a terminal there are colours and frames, by rich; elsewhere plain text, and not one escape code.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal

import click

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.table import Table as RichTable

    from californiajack_referee.show.table import Table

NO = 1
"""Exit status: the answer is no, such as a record that doesn't verify."""
WRONG_USE = 2
"""Exit status: the command line asks for something that can't be."""
JSON_OPTION = click.option(
    "--json", "as_json", is_flag=True, help="Write one JSON document to standard output instead."
)
_NOTE_WIDTH = 80
_BOND = "\x1f"
_RED_CARDS = r"\b[2-9TJQKA][dh]\b"


class InOrder(click.Group):
    """A group that lists its commands in the order in which they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Gives the commands' names."""
        del ctx
        return list(self.commands)


def example(*lines: str) -> str:
    """Writes the end of a command's help: how it is typed."""
    return "\n".join(["\b", "Example:", *(f"  {line}" for line in lines)])


def say(message: str) -> None:
    """Writes a message for the person: to standard error."""
    click.echo(clean(message), err=True)


def clean(text: str) -> str:
    """Takes control characters out of text that may hold a bot's own words."""
    return "".join(
        character if character.isprintable() or character == "\n" else "?"
        for character in text.expandtabs(4)
    )


def write(text: str) -> None:
    """Writes a result: to standard output."""
    click.echo(text)


def write_note(text: str) -> None:
    """Writes a note to a result: to standard output, as wide as the terminal or 80 characters."""
    import textwrap
    from shutil import get_terminal_size

    width = get_terminal_size().columns if sys.stdout.isatty() else _NOTE_WIDTH
    # a number and its percent sign stay together
    bound = text.replace(" %", f"{_BOND}%")
    wrapped = textwrap.fill(bound, width, subsequent_indent="  ", break_on_hyphens=False)
    click.echo(wrapped.replace(_BOND, " "))


def write_piece(text: str) -> None:
    """Writes a piece of a result that comes in many, with no line's end of its own."""
    click.echo(text, nl=False)


def write_json(document: Mapping[str, Any]) -> None:
    """Writes a result as one JSON document."""
    import json

    click.echo(json.dumps(document, indent=2))


def write_table(table: Table) -> None:
    """Writes a table: in colour on a terminal, in parts where it is too wide for it; else plain."""
    from californiajack_referee.show.table import format_table, parts_of, spelled

    if not sys.stdout.isatty():
        click.echo(format_table(table))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console()
    headed = spelled(table) if console.encoding == "utf-8" else table
    for number, part in enumerate(parts_of(headed, console.width)):
        if number:
            console.print()
        if part.title:
            console.print(Text(part.title, style="italic"))
        console.print(_drawn(part))


def _drawn(table: Table) -> RichTable:
    """Lays a table out for a terminal."""
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    # where none may, all may: what is too wide would be cut off
    all_wrap = not any(column.wraps for column in table.columns)
    for column in table.columns:
        side: Literal["left", "right"] = "right" if column.right else "left"
        drawn.add_column(
            column.title, justify=side, no_wrap=not (column.wraps or all_wrap), overflow="fold"
        )
    for row in table.rows:
        drawn.add_row(*map(Text, row))
    return drawn


def write_cards(text: str) -> None:
    """Writes text that names cards, the red ones red on a terminal."""
    text = clean(text)
    if not sys.stdout.isatty():
        click.echo(text)
        return
    from rich.console import Console
    from rich.text import Text

    shown = Text(text)
    shown.highlight_regex(_RED_CARDS, "red")
    Console().print(shown, soft_wrap=True)
