"""`caljack new`."""

from __future__ import annotations

from pathlib import Path

import click

from californiajack_referee.cli.output import example, say, write
from californiajack_referee.cli.place import Place, pass_place
from californiajack_referee.workbench.new import Language, write_new_bot

_TESTS = {Language.PYTHON: "python -m unittest", Language.JAVASCRIPT: "node --test"}


@click.command(
    epilog=example("caljack new my-bot", "caljack new bots/fox --language javascript --name fox-js")
)
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--language",
    type=click.Choice([language.value for language in Language]),
    default=Language.PYTHON.value,
    show_default=True,
    help="What it is written in.",
)
@click.option("--name", metavar="NAME", help="Its name in the league; that of DIR unless given.")
@pass_place
def new(place: Place, folder: Path, language: str, name: str | None) -> None:
    """Write a small working bot, to begin with.

    DIR is made, or is empty: it gets the bot's code, its bot.toml, a test and a README.
    """
    import shlex

    chosen = Language(language)
    name = write_new_bot(folder, chosen, name)
    shown = shlex.quote(str(folder))
    write(f"{name} is in {folder}")
    say("What next:")
    say(f"  cd {shown} && {_TESTS[chosen]}")
    say("      its own test")
    say(f"  {place.command(f'check {shown}')}")
    say("      whether it keeps to all that a tournament wants")
    say(f"  {place.command(f'submit {shown}')}")
    say("      into the league")
