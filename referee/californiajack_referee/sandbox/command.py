"""The command that starts a bot or a build in its layer."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Self

from californiajack import CaliforniaJackError
from californiajack_referee.sandbox.bubblewrap import Sandbox, options, program_path
from californiajack_referee.sandbox.seccomp import program_filter
from californiajack_referee.values import Layer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from californiajack_referee.values import Resources

_SHIM = Path(__file__).with_name("shim.py")
_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)
_KINDS = {
    "as": resource.RLIMIT_AS,
    "core": resource.RLIMIT_CORE,
    "fsize": resource.RLIMIT_FSIZE,
    "nofile": resource.RLIMIT_NOFILE,
    "nproc": resource.RLIMIT_NPROC,
}
"""The limits by the names of prlimit's options."""
_OPEN_FILES = 1024
_LEAST_ADDRESS_SPACE_MIB = 4096
"""Programs reserve far more addresses than they use memory; gRPC in Python breaks under 120 MiB."""
_BUILD_DISK_MIB = 2048
"""The size of a build's folder for temporary files, in MiB."""
_BUILD_PROCESSES = 1024


class CommandError(CaliforniaJackError):
    """A command can't be run; the message says why, to be put after the command."""


def search_path() -> str:
    """Gives the PATH of bots and builds, the platform's own interpreter first."""
    own = str(Path(sys.executable).parent)
    return os.pathsep.join([own, os.environ.get("PATH", os.defpath)])


def find_program(name: str, folder: Path) -> Path:
    """Finds the program of a command.

    Args:
        name: a name to be looked up on the PATH, or a path from the bot's folder.
        folder: the bot's folder.

    Raises:
        CommandError: there is no such program, or it is none.
    """
    found = str(folder / name) if "/" in name else shutil.which(name, path=search_path())
    if found is None or not Path(found).exists():
        raise CommandError(f"there is no program {name!r} in its folder or on the PATH")
    path = Path(found)
    if path.is_dir() or not os.access(path, os.X_OK):
        raise CommandError(f"{name!r} is not executable")
    if sys.platform == "linux" and not _is_program(path):
        raise CommandError(
            f"{name!r} is no program: a script begins with a line such as #!/usr/bin/env python3"
        )
    return path


def _is_program(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4).startswith((b"#!", b"\x7fELF"))
    except OSError:
        return True  # one may run what one may not read


class Start:
    """What to start, and the descriptors that it needs; close it once it has been started.

    Attributes:
        command: the program and its arguments.
        descriptors: what the process is to inherit beside its output.
    """

    def __init__(  # noqa: PLR0913 - what differs between bots and builds, by keyword
        self,
        command: Sequence[str],
        folder: Path,
        *,
        layer: Layer,
        resources: Resources,
        socket_folder: Path | None = None,
        build: bool = False,
    ) -> None:
        """Prepares a start.

        Args:
            command: the program and its arguments, as bot.toml gives them.
            folder: the bot's folder, where it is to run.
            layer: what is to stand between it and the machine.
            resources: what it may use.
            socket_folder: the folder of the seat's socket; None for none.
            build: whether it may write to the bot's folder and use the network, and has no limit
                on memory.

        Raises:
            CommandError: the command can't be run.
        """
        if any("\0" in word for word in command):
            raise CommandError("it has a null character")
        folder = folder.absolute()
        program = find_program(command[0], folder)
        self.descriptors: tuple[int, ...] = ()
        self.command: tuple[str, ...] = (str(program), *command[1:])
        if layer is Layer.NONE:
            return
        limits = _limits(resources, layer, build=build)
        self.command = (*_limiter(limits, layer), *self.command)
        if layer is Layer.BUBBLEWRAP:
            self._wrap(
                Sandbox(
                    folder=folder,
                    program=program,
                    disk_mib=_BUILD_DISK_MIB if build else resources.disk_mib,
                    socket_folder=socket_folder,
                    writable=build,
                    network=build,
                )
            )

    def _wrap(self, sandbox: Sandbox) -> None:
        bubblewrap = program_path()
        if bubblewrap is None:
            raise CommandError("bubblewrap is missing, which was to be its sandbox")
        arguments = "\0".join(options(sandbox)).encode() + b"\0"
        parts = ["--args", str(self._readable(arguments))]
        rules = program_filter()
        if rules is not None:
            parts += ["--seccomp", str(self._readable(rules))]
        self.command = (bubblewrap, *parts, "--", *self.command)

    def _readable(self, data: bytes) -> int:
        """Gives a descriptor that the data can be read from."""
        descriptor = os.memfd_create("caljack")
        self.descriptors += (descriptor,)
        os.write(descriptor, data)
        os.lseek(descriptor, 0, os.SEEK_SET)
        return descriptor

    def close(self) -> None:
        """Closes this process's copies of the descriptors."""
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _limiter(limits: dict[str, int], layer: Layer) -> tuple[str, ...]:
    """Gives the command that sets limits and becomes the program whose command follows it.

    Bubblewrap sees to all else, so prlimit is enough in it, which starts ten times as quickly as
    the shim.
    """
    prlimit = shutil.which("prlimit", path="/usr/bin:/bin")
    if layer is Layer.BUBBLEWRAP and prlimit is not None:
        return (prlimit, *(f"--{name}={number}" for name, number in limits.items()), "--")
    words = [f"{_KINDS[name]}={number}" for name, number in limits.items()]
    words += [f"default={number:d}" for number in _IGNORED_BY_PYTHON]
    if layer is not Layer.BUBBLEWRAP:
        words.append(f"parent={os.getpid()}")
    return (sys.executable, "-I", "-S", str(_SHIM), *words, "--")


def _limits(resources: Resources, layer: Layer, *, build: bool) -> dict[str, int]:
    """Gives the limits by the names of prlimit's options; one that is lower already stays.

    They are a second line: the first is the watch, which ends a bot with a verdict in words. So
    they are wider than what it allows.
    """
    wanted = {"core": 0}
    if layer is Layer.BUBBLEWRAP:
        # outside, the user's other processes would count, too
        wanted["nproc"] = _BUILD_PROCESSES if build else 2 * resources.processes
    if not build:
        mib = max(_LEAST_ADDRESS_SPACE_MIB, 2 * resources.memory_mib)
        wanted["as"] = mib << 20
        wanted["fsize"] = 2 * resources.disk_mib << 20
        wanted["nofile"] = _OPEN_FILES
    return {name: _at_most(number, _KINDS[name]) for name, number in wanted.items()}


def _at_most(number: int, kind: int) -> int:
    hard = resource.getrlimit(kind)[1]
    return number if hard == resource.RLIM_INFINITY else min(number, hard)
