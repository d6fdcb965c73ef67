"""Starting and ending the process of a bot."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from californiajack import CaliforniaJackError
from californiajack.client import ADDRESS_VARIABLE, TOKEN_VARIABLE
from californiajack_referee.play.output import BotLog, OutputPipe
from californiajack_referee.sandbox.bubblewrap import HOME, SOCKET_FOLDER
from californiajack_referee.sandbox.command import CommandError, Start, search_path
from californiajack_referee.sandbox.processes import memory_mib, peak_mib
from californiajack_referee.sandbox.sweep import Family, adopt_orphans, starting
from californiajack_referee.sandbox.watch import overrun
from californiajack_referee.values import Layer, Resources

if TYPE_CHECKING:
    from californiajack_referee.values import BotProgram

_OUTPUT_SECONDS = 0.5
"""How long the last output of an ended process is waited for; a descendant may hold it open."""
_END_SECONDS = 5.0
_WATCH_SECONDS = 0.2
_SIGNALLED = 128
_KEPT_VARIABLES = ("LANG", "LC_ALL", "TZ", "SYSTEMROOT")


class LaunchError(CaliforniaJackError):
    """A bot's program can't be started; the message says why, to be put after the bot's name."""


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


def describable(status: int, layer: Layer) -> int:
    """Gives the exit status of a program from that of what it was started with.

    Bubblewrap tells the end by a signal as a shell does, with 128 and the signal's number.
    """
    return _SIGNALLED - status if layer is Layer.BUBBLEWRAP and status > _SIGNALLED else status


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
        overrun: what it used too much of and was ended for, such as ``used more than 1024 MiB of
            memory``; None as long as it keeps to its resources.
        pid: the number of the process that was started.
    """

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        output: tuple[BotLog, OutputPipe, OutputPipe],
        layer: Layer,
        mark: str,
    ) -> None:
        """Takes over a process that has been started by `start`."""
        self.pid = process.pid
        self.overrun: str | None = None
        self._process = process
        self._log, *self._pipes = output
        self._layer = layer
        self._family = Family(process.pid, mark)
        self._folder: Path | None = None  # the one whose size is watched
        self._may = Resources()
        self._watch: asyncio.Task[None] | None = None
        self._sweep: asyncio.Future[bool] | None = None
        self.exited: asyncio.Task[int] = asyncio.create_task(self._status())

    @classmethod
    async def start(  # noqa: PLR0913 - what a bot is given, by keyword
        cls,
        program: BotProgram,
        *,
        address: str,
        token: str,
        home: Path,
        log: Path | None,
        layer: Layer = Layer.PROCESS,
        resources: Resources | None = None,
        on_terminal: bool = False,
    ) -> BotProcess:
        """Starts a bot's command in its folder.

        Args:
            program: the bot.
            address: where it is to dial: ``unix:`` and the path of its socket, which stands in a
                folder of its own.
            token: what it is to say there.
            home: a folder it may write to, where its layer doesn't give it one of its own.
            log: the file that its output is added to; None for nowhere.
            layer: what is to stand between it and the machine.
            resources: what it may use; None for the usual.
            on_terminal: whether it shares this process's terminal, group and environment, so that
                a person can talk to it; only without a layer.

        Raises:
            LaunchError: the command can't be started.
        """
        may = resources or Resources()
        if layer is not Layer.NONE:
            adopt_orphans()
        bot_log = BotLog(log, may.output_kib * 1024)
        out, err = OutputPipe(bot_log), OutputPipe(bot_log)
        socket = Path(address.removeprefix("unix:"))
        inside = layer is Layer.BUBBLEWRAP
        environment = clean_environment(HOME if inside else home) | {
            ADDRESS_VARIABLE: f"unix:{SOCKET_FOLDER / socket.name}" if inside else address,
            TOKEN_VARIABLE: token,
        }
        if on_terminal:
            environment = os.environ | environment | _own_folders()
        with starting():
            try:
                with Start(
                    program.command,
                    Path(program.folder),
                    layer=layer,
                    resources=may,
                    socket_folder=socket.parent,
                ) as start:
                    process = await asyncio.create_subprocess_exec(
                        *start.command,
                        cwd=program.folder,
                        env=environment,
                        stdin=None if on_terminal else asyncio.subprocess.DEVNULL,
                        stdout=None if on_terminal else out.write_end,
                        stderr=None if on_terminal else err.write_end,
                        start_new_session=not on_terminal,
                        pass_fds=start.descriptors,
                    )
            except (CommandError, OSError, ValueError) as error:
                out.close()
                err.close()
                bot_log.close()
                raise LaunchError(_why_not(program, error)) from error
            out.started()
            err.started()
            started = cls(process, (bot_log, out, err), layer, f"{TOKEN_VARIABLE}={token}")
        if layer is not Layer.NONE:
            started._folder, started._may = None if inside else home, may
            started._watch = asyncio.create_task(started._watch_over())
        return started

    async def _status(self) -> int:
        return describable(await self._process.wait(), self._layer)

    async def _watch_over(self) -> None:
        """Ends the bot when it uses too much."""
        while self.overrun is None and not self.exited.done():
            await asyncio.sleep(_WATCH_SECONDS)
            # not in the event loop: to look at a thousand processes takes its time, and to kill
            # them more; a bot would hold up the referee by that
            self.overrun = await asyncio.to_thread(self.uses_too_much)
        if self.overrun is not None:
            self._sweep = asyncio.ensure_future(asyncio.to_thread(self._family.sweep))
            await asyncio.shield(self._sweep)

    def uses_too_much(self) -> str | None:
        """Says what it uses too much of just now, to be put after its name; None if nothing."""
        if self._layer is Layer.NONE:
            return None
        return self.overrun or overrun(self._family.members(), self._folder, self._may)

    def memory_mib(self) -> float:
        """Gives what its processes have in memory just now, in MiB; or the peak of one, if more."""
        members = self._family.members()
        now = memory_mib(members, self._may.memory_mib)
        return max((now, *(peak_mib(process) for process in members)))

    def has_abandoned(self) -> bool:
        """Tells whether it has started something that lives on without its parent."""
        # what is abandoned falls to this process
        members = self._family.members()
        return any(m.parent == os.getpid() and m.pid != self.pid for m in members)

    async def last_lines(self) -> str:
        """Gives the last lines of its standard error, after its end."""
        await self._pipes[1].ended(_OUTPUT_SECONDS)
        return self._pipes[1].tail()

    async def end(self) -> None:
        """Kills what is left of it and of all that it has started, and waits for its end."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        if self._sweep is not None:
            await self._sweep  # a thread is not cancelled, and this one kills
        if self._layer is Layer.NONE:
            self._family.kill()
            if not self.exited.done():
                self._process.kill()  # one on the terminal has no group of its own
        else:
            self._family.sweep()
        try:
            async with asyncio.timeout(_END_SECONDS):
                await asyncio.shield(self.exited)
        except TimeoutError:
            self.exited.cancel()
        self._family.forget()
        for pipe in self._pipes:
            await pipe.ended(_OUTPUT_SECONDS)
            pipe.close()
        self._log.close()


def _own_folders() -> dict[str, str]:
    """Gives the folders that a person's own programs have."""
    return {name: os.environ[name] for name in ("HOME", "TMPDIR", "PATH") if name in os.environ}


def _why_not(program: BotProgram, error: Exception) -> str:
    command = " ".join(program.command)
    if not Path(program.folder).is_dir():
        return f"its folder is missing: {program.folder}"
    return f"its command `{command}` can't be run: {error}; correct `command` in bot.toml"
