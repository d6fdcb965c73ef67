"""The group of all commands, and what is common to them: the league, errors and exit codes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from californiajack import CaliforniaJackError, InputError
from californiajack_referee.cli.backup import backup
from californiajack_referee.cli.bots import bots, submit
from californiajack_referee.cli.demo import demo
from californiajack_referee.cli.faults import faults
from californiajack_referee.cli.games import export, games, replay, verify
from californiajack_referee.cli.output import NO, WRONG_USE, InOrder, example, say
from californiajack_referee.cli.place import Place
from californiajack_referee.cli.rankings import rankings
from californiajack_referee.cli.tournament import tournament
from californiajack_referee.league.errors import NO_SPACE_ERRORS

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.group(
    cls=InOrder,
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

    Exit status: 0 done, 1 the answer is no, 2 wrong use.
    """
    source = context.get_parameter_source("league")
    context.obj = Place(
        folder=league,
        given=source is not ParameterSource.DEFAULT,
        as_option=source is ParameterSource.COMMANDLINE,
    )


for _command in (
    *(demo, submit, bots, tournament, rankings),
    *(games, faults, replay, export, verify, backup),
):
    caljack.add_command(_command)


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
        if error.errno not in NO_SPACE_ERRORS:
            raise
        say(f"Error: no space left ({error}): free some, then try again")
        return NO
    return status if isinstance(status, int) else 0
