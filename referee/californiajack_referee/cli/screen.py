"""Drawing the card table: in colour and in a frame on a terminal, as plain text elsewhere."""

from __future__ import annotations

import os
import sys
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from californiajack_referee.show.board import LETTERED, PICTURED, Ink, Line, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from californiajack_referee.show.board import Signs

_STYLES = {Ink.PLAIN: "", Ink.RED: "red", Ink.STRONG: "bold", Ink.FAINT: "dim"}
_LETTERS_ONLY = ("C", "POSIX")
_NARROW = 60


class Screen:
    """Where a game is drawn: standard output.

    Attributes:
        signs: how cards are spelled there: suit signs where it takes them, letters elsewhere.
        live: whether it is a terminal that can be drawn on anew.
    """

    def __init__(self) -> None:
        """Looks at what standard output is."""
        from rich.console import Console

        self._console = Console(highlight=False)
        encoding = self._console.encoding.lower().replace("-", "")
        # Python speaks UTF-8 in the C locale too, but the terminal may not
        takes_signs = encoding == "utf8" and os.environ.get("LC_ALL") not in _LETTERS_ONLY
        self.signs: Signs = PICTURED if takes_signs else LETTERED
        self.live = self._console.is_terminal and not self._console.is_dumb_terminal

    @property
    def width(self) -> int:
        """How many columns there are."""
        # rich takes a terminal without colours for one of 80 columns
        return get_terminal_size().columns

    def write(self, *lines: Line | str) -> None:
        """Writes lines, each wrapped at spaces where it is too long."""
        for line in lines:
            spans = _spans(line)
            if self._console.is_terminal:
                self._console.size = get_terminal_size()
                self._console.print(_inked([spans]))
            else:
                sys.stdout.write(f"{text_of(spans)}\n")
        sys.stdout.flush()

    def write_board(self, lines: Sequence[Line]) -> None:
        """Draws the table; in a frame where there is room for one."""
        if not self._console.is_terminal or self.width < _NARROW:
            self.write("", *lines)
            return
        from rich import box
        from rich.panel import Panel

        frame = box.ROUNDED if self.signs is PICTURED else box.ASCII
        self._console.size = get_terminal_size()
        self._console.print(Panel(_inked(lines), box=frame, expand=False, padding=(0, 1)))

    def ask(self, prompt: str) -> None:
        """Writes a prompt, on whose line the person types."""
        sys.stdout.write(prompt)
        sys.stdout.flush()

    def clear(self) -> None:
        """Empties a live terminal."""
        self._console.clear()


def _spans(line: Line | str) -> Line:
    from californiajack_referee.show.board import Span

    return (Span(line),) if isinstance(line, str) else line


def _inked(lines: Sequence[Line]) -> Text:
    from rich.text import Text

    text = Text(overflow="fold")
    for number, line in enumerate(lines):
        if number:
            text.append("\n")
        for span in line:
            text.append(span.text, _STYLES[span.ink])
    return text
