"""Which layer is in force: the one asked for, or the best that is shown to work."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from enum import StrEnum
from functools import cache
from pathlib import Path

from californiajack import InputError
from californiajack_referee.sandbox.bubblewrap import program_path
from californiajack_referee.sandbox.command import Start
from californiajack_referee.sandbox.seccomp import is_supported
from californiajack_referee.values import Layer, Resources

_PROBE_SECONDS = 20.0
HOW_TO_GET_IT = "install bubblewrap: apt install bubblewrap, or your system's package of that name"
_NO_FILTER = (
    "The sandbox goes without its filter of system calls: there is none for this kind of machine, "
    f"{platform.machine()}."
)


class SandboxChoice(StrEnum):
    """What may be asked for; the value is what is typed."""

    AUTO = "auto"
    """The best that works here."""
    BUBBLEWRAP = "bubblewrap"
    """`Layer.BUBBLEWRAP`, or nothing is run."""
    PROCESS = "process"
    """`Layer.PROCESS`."""
    NONE = "none"
    """`Layer.NONE`."""


def choose_layer(choice: SandboxChoice) -> tuple[Layer, str]:
    """Gives the layer in force and a line to tell about it, empty where there is nothing to tell.

    Raises:
        InputError: bubblewrap is asked for by name and doesn't work here; the message says why.
    """
    if choice not in (SandboxChoice.AUTO, SandboxChoice.BUBBLEWRAP):
        return Layer(choice.value), ""
    problem = bubblewrap_problem()
    if problem is None:
        return Layer.BUBBLEWRAP, "" if is_supported() else _NO_FILTER
    if choice is SandboxChoice.BUBBLEWRAP:
        raise InputError(
            f"sandbox: expected bubblewrap to work, as was asked for, but {problem}; or choose "
            "--sandbox process, for bots that you trust"
        )
    danger = (
        " They run as root: a bot that means harm can do anything to this machine."
        if os.geteuid() == 0
        else ""
    )
    return (
        Layer.PROCESS,
        f"Bots run without a sandbox, with limits only: {problem}.{danger}",
    )


@cache
def bubblewrap_problem() -> str | None:
    """Runs a program under bubblewrap; says why that doesn't work, or gives None where it does.

    What came of it is remembered while this process lives.
    """
    if sys.platform != "linux":
        return "bubblewrap is for Linux only"
    if program_path() is None:
        return f"bubblewrap is not installed; {HOW_TO_GET_IT}"
    with tempfile.TemporaryDirectory(prefix="caljack-probe-") as folder:
        try:
            with Start(
                (sys.executable, "-I", "-S", "-c", "pass"),
                Path(folder),
                layer=Layer.BUBBLEWRAP,
                resources=Resources(),
            ) as start:
                run = subprocess.run(  # noqa: S603 - the platform's own command
                    start.command,
                    pass_fds=start.descriptors,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=_PROBE_SECONDS,
                    check=False,
                )
        except (OSError, subprocess.SubprocessError) as error:
            return f"bubblewrap doesn't work here ({error})"
    if run.returncode:
        said = run.stderr.decode(errors="replace").strip().splitlines()
        why = said[-1] if said else f"exit status {run.returncode}"
        return f"bubblewrap doesn't work here ({why})"
    return None
