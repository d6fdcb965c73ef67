"""Where the commands find their league."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

    from californiajack_referee.league.folder import League


@dataclass(frozen=True, slots=True)
class Place:
    """The league's folder, as the command line names it."""

    folder: Path
    """The folder; it needn't exist yet."""
    given: bool
    """Whether the person named it, by --league or CALJACK_LEAGUE."""
    as_option: bool
    """Whether it was named by --league, so that the next command needs it again."""

    def open(self, *, create: bool = False) -> League:
        """Opens the league.

        Raises:
            InputError: there is none, and none is to be made.
        """
        from californiajack_referee.league.folder import League

        return League.open(self.folder, create=create)

    def command(self, words: str) -> str:
        """Writes a caljack command for the person to type next, for this same league."""
        league = f"--league {shlex.quote(str(self.folder))} " if self.as_option else ""
        return f"caljack {league}{words}"


pass_place = click.make_pass_decorator(Place)
