"""Starting and ending the process of a bot."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from californiajack import CaliforniaJackError
from californiajack.client import ADDRESS_VARIABLE, TOKEN_VARIABLE
from californiajack_referee.play.output import BotLog, OutputPipe

if TYPE_CHECKING:
    from californiajack_referee.values import BotProgram

_OUTPUT_SECONDS = 0.5
"""How long the last output of an ended process is waited for; a descendant may hold it open."""
_END_SECONDS = 5.0
_KEPT_VARIABLES = ("LANG", "LC_ALL", "TZ", "SYSTEMROOT")


class LaunchError(CaliforniaJackError):
    """A bot's program can't be started; the message says why, to be put after the bot's name."""


def search_path() -> str:
    """Gives the PATH of bots and builds, the platform's own interpreter first."""
    own = str(Path(sys.executable).parent)
    return os.pathsep.join([own, os.environ.get("PATH", os.defpath)])


def clean_environment(home: Path) -> dict[str, str]:
    """Gives the environment of bots and builds: nothing of the caller's but language and PATH.

    Args:
        home: a folder that the process may write to, as HOME and TMPDIR.
    """
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return kept | {
        "PATH": search_path(),
        "HOME": str(home),
        "TMPDIR": str(home),
        # the order of sets and dictionaries of text is the same in every run
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "GRPC_ENABLE_FORK_SUPPORT": "0",
    }


def describe_exit(status: int) -> str:
    """Says how a process ended, from its exit status; a negative one is a signal's number."""
    if status >= 0:
        return f"its process ended with exit status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return f"its process was killed by {name}"


class BotProcess:
    """A running bot: the leader of a process group of its own.

    Attributes:
        exited: becomes done when the process has ended; its result is the exit status.
    """

    def __init__(
        self, process: asyncio.subprocess.Process, log: BotLog, pipes: tuple[OutputPipe, OutputPipe]
    ) -> None:
        """Takes over a process that has been started by `start`."""
        self._process = process
        self._log = log
        self._pipes = pipes
        self.exited: asyncio.Task[int] = asyncio.create_task(process.wait())

    @classmethod
    async def start(
        cls, program: BotProgram, *, address: str, token: str, home: Path, log: Path | None
    ) -> BotProcess:
        """Starts a bot's command in its folder.

        Args:
            program: the bot.
            address: where it is to dial, a gRPC target.
            token: what it is to say there.
            home: a folder it may write to.
            log: the file that its output is added to; None for nowhere.

        Raises:
            LaunchError: the command can't be started.
        """
        bot_log = BotLog(log)
        out, err = OutputPipe(bot_log), OutputPipe(bot_log)
        environment = clean_environment(home) | {ADDRESS_VARIABLE: address, TOKEN_VARIABLE: token}
        try:
            process = await asyncio.create_subprocess_exec(
                *program.command,
                cwd=program.folder,
                env=environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=out.write_end,
                stderr=err.write_end,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            out.close()
            err.close()
            bot_log.close()
            raise LaunchError(_why_not(program, error)) from error
        out.started()
        err.started()
        return cls(process, bot_log, (out, err))

    async def last_lines(self) -> str:
        """Gives the last lines of its standard error, after its end."""
        await self._pipes[1].ended(_OUTPUT_SECONDS)
        return self._pipes[1].tail()

    async def end(self) -> None:
        """Kills what is left of it, its whole process group, and waits for its end."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        try:
            async with asyncio.timeout(_END_SECONDS):
                await asyncio.shield(self.exited)
        except TimeoutError:
            self.exited.cancel()
        for pipe in self._pipes:
            await pipe.ended(_OUTPUT_SECONDS)
            pipe.close()
        self._log.close()


def _why_not(program: BotProgram, error: Exception) -> str:
    command = " ".join(program.command)
    if not Path(program.folder).is_dir():
        return f"its folder is missing: {program.folder}"
    if isinstance(error, FileNotFoundError):
        return (
            f"its command `{command}` can't be run: there is no program {program.command[0]!r} "
            "in its folder or on the PATH; correct `command` in bot.toml"
        )
    if isinstance(error, PermissionError):
        return f"its command `{command}` can't be run: {program.command[0]!r} is not executable"
    return f"its command `{command}` can't be run: {error}"
