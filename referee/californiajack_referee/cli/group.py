"""The group of all commands, and what is common to them: the league, errors and exit codes."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from californiajack import CaliforniaJackError, InputError
from californiajack_referee.cli.output import NO, WRONG_USE, example, say
from californiajack_referee.cli.place import Place

if TYPE_CHECKING:
    from collections.abc import Sequence

_COMMANDS = {
    "demo": ("demo", "Let the sample bots play a tournament."),
    "new": ("new", "Write a small working bot, to begin with."),
    "check": ("check", "Check a bot: all that a tournament wants of it."),
    "debug": ("debug", "Play one game with a bot in this terminal."),
    "rewind": ("rewind", "Show earlier games to a new version of a bot."),
    "submit": ("bots", "Submit bots, each a folder with a bot.toml."),
    "bots": ("bots", "List the submitted bots, with all their versions."),
    "tournament": ("tournament", "Play tournaments, and see how they went."),
    "compare": ("compare", "Is the bot NEW better than OLD?"),
    "rankings": ("rankings", "Rank the bots."),
    "luck": ("luck", "Tell how much of a result was the cards."),
    "games": ("games", "List the games that have been played."),
    "faults": ("faults", "List the games that bots lost by a fault of their own."),
    "play": ("play", "Play a game against a bot in the terminal."),
    "replay": ("games", "Show a game trick by trick, with both hands."),
    "export": ("records", "Write a tournament's games as records."),
    "verify": ("records", "Check game records by the rules."),
    "backup": ("backup", "Copy the league to one file."),
}
"""Each command's module in this package, which is imported when the command is called, and the
first sentence of its help."""


class Commands(click.Group):
    """The group of all commands; imports the module of one only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Gives the commands' names, in the order of the help."""
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Gives the command of this name; None if there is none."""
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"californiajack_referee.cli.{_COMMANDS[cmd_name][0]}")
        found: click.Command = getattr(module, cmd_name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the list of commands."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in _COMMANDS.items()])


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=example("caljack demo", "caljack submit my-bot", "caljack tournament run --pairs 100"),
)
@click.option(
    "--league",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("league"),
    envvar="CALJACK_LEAGUE",
    help="The league's folder, with its bots, games and logs: ./league unless given here or in the "
    "environment variable CALJACK_LEAGUE.",
)
@click.version_option(package_name="californiajack", prog_name="caljack")
@click.pass_context
def caljack(context: click.Context, league: Path) -> None:
    """Let California Jack bots play tournaments, and rank them.

    Exit status: 0 done, 1 the answer is no, 2 wrong use, 3 the answer isn't known.
    """
    source = context.get_parameter_source("league")
    context.obj = Place(
        folder=league,
        given=source is not ParameterSource.DEFAULT,
        as_option=source is ParameterSource.COMMANDLINE,
    )


def run(arguments: Sequence[str]) -> int:
    """Runs a command line and gives the exit status: 0 done, 1 the answer is no, 2 wrong use.

    Errors that a person can meet become a message; what nobody expects keeps its traceback.
    """
    try:
        status = caljack.main(args=list(arguments), prog_name="caljack", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        say("Stopped.")
        return NO
    except InputError as error:
        say(f"Error: {error}")
        return WRONG_USE
    except CaliforniaJackError as error:
        say(f"Error: {error}")
        return NO
    except OSError as error:
        from californiajack_referee.league.errors import NO_SPACE_ERRORS

        if error.errno not in NO_SPACE_ERRORS:
            raise
        say(f"Error: no space left ({error}): free some, then try again")
        return NO
    return status if isinstance(status, int) else 0
