"""`caljack backup`."""

from __future__ import annotations

from pathlib import Path

import click

from californiajack_referee.cli.output import example, say, write
from californiajack_referee.cli.place import Place, pass_place


@click.command(
    epilog=example("caljack backup night.tar.gz", "caljack --league cup backup cup-monday.tar.gz")
)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@pass_place
def backup(place: Place, *, file: Path) -> None:
    """Copy the league to one file.

    The copy has the database, the settings and the bots, but no logs. It may be made while
    tournaments run, and holds what was finished by then. FILE ends in .tar.gz; a file that is there
    is never overwritten. Unpacking it restores the league, in a folder named after the file:
    `tar -xzf night.tar.gz` gives ./night.
    """
    import shlex

    from californiajack_referee.league.backup import ENDINGS, back_up

    with place.open() as league:
        missing = back_up(league, file)
    for bot in missing:
        say(f"The folder of {bot.label} is gone, so it is missing in the copy: submit it again.")
    write(f"{file} written.")
    name = next(file.name.removesuffix(end) for end in ENDINGS if file.name.endswith(end))
    say(
        f"To restore it: tar -xzf {shlex.quote(str(file))}\n"
        f"Then: caljack --league {shlex.quote(name)} tournament list"
    )
