"""The build step of a bot: one command, run once in the bot's folder."""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from contextlib import contextmanager
from textwrap import indent
from typing import TYPE_CHECKING, BinaryIO

from californiajack import CaliforniaJackError
from californiajack_referee.play.launch import clean_environment, describable, describe_exit
from californiajack_referee.sandbox.bubblewrap import HOME, user_settings
from californiajack_referee.sandbox.command import CommandError, Start
from californiajack_referee.sandbox.folders import size_mib
from californiajack_referee.sandbox.sweep import Family, adopt_orphans, starting
from californiajack_referee.sandbox.watch import overrun
from californiajack_referee.values import Layer, Resources

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

MOST = Resources(memory_mib=4096, processes=1024, disk_mib=4096, output_kib=64 * 1024)
"""What a build may use: far more than a bot, as compilers and package managers need it."""
_WATCH_SECONDS = 0.25
_TAIL_BYTES = 4096
_TAIL_LINES = 15
_FETCHING = ("npm_config_", "pip_", "uv_")
"""How the names of variables begin that tell package managers where to fetch from."""
_CONNECTING = frozenset(
    {
        "all_proxy",
        "curl_ca_bundle",
        "goflags",
        "goproxy",
        "gosumdb",
        "home",
        "http_proxy",
        "https_proxy",
        "no_proxy",
        "node_extra_ca_certs",
        "requests_ca_bundle",
        "ssl_cert_dir",
        "ssl_cert_file",
    }
)


class SubmissionError(CaliforniaJackError):
    """A bot is not taken into the league; the message says why and what to do."""


def run_build(  # noqa: PLR0913 - all but two by keyword
    command: Sequence[str],
    folder: Path,
    *,
    work: Path,
    log: Path,
    seconds: float,
    layer: Layer = Layer.PROCESS,
) -> None:
    """Runs a bot's build command; all that it started is gone when this returns.

    Args:
        command: the program and its arguments; ``python`` is the platform's own interpreter.
        folder: the bot's folder, where it runs.
        work: a folder for temporary files.
        log: the file that its output is written to.
        seconds: how long it may take.
        layer: what is to stand between it and the machine. It may write to the bot's folder and
            use the network whatever stands there.

    Raises:
        SubmissionError: it can't be run, fails, takes too long or too much (`MOST`); with its last
            lines.
    """
    shown = shlex.join(command)
    until = time.monotonic() + seconds
    status: int | None = None
    with (
        log.open("wb") as output,
        _started(command, folder, work, output, layer) as (process, family),
    ):
        while status is None:
            try:
                status = describable(process.wait(timeout=_WATCH_SECONDS), layer)
            except subprocess.TimeoutExpired:
                late = time.monotonic() > until
                excess = f"took more than {seconds:g} seconds" if late else None
                if layer is not Layer.NONE:
                    excess = excess or _excess(family, folder, log)
                if excess:
                    raise SubmissionError(
                        f"its build command `{shown}` {excess}, the limit."
                        f"{last_lines(log, folder)}\nWhat to do: let it do less."
                    ) from None
    if status:
        raise SubmissionError(
            f"its build command `{shown}` failed: {describe_exit(status)}."
            f"{last_lines(log, folder)}\nWhat to do: run it in the bot's folder, mend what it "
            "tells, and submit it again."
        )


def _excess(family: Family, folder: Path, log: Path) -> str | None:
    """Says what a build takes too much of, to be put after its name; None where all is well."""
    if log.stat().st_size > MOST.output_kib * 1024:
        return f"wrote more than {MOST.output_kib // 1024} MiB of output"
    if size_mib(folder, MOST.disk_mib) > MOST.disk_mib:
        return f"made more than {MOST.disk_mib} MiB of files"
    return overrun(family.members(), None, MOST)


@contextmanager
def _started(
    command: Sequence[str], folder: Path, work: Path, output: BinaryIO, layer: Layer
) -> Iterator[tuple[subprocess.Popen[bytes], Family]]:
    """Starts a build; all that it started is gone at the end."""
    if layer is not Layer.NONE:
        adopt_orphans()
    with starting():
        try:
            with Start(command, folder, layer=layer, resources=Resources(), build=True) as start:
                process = subprocess.Popen(  # noqa: S603 - running it is the purpose
                    start.command,
                    cwd=folder,
                    env=_environment(HOME if layer is Layer.BUBBLEWRAP else work, layer),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    pass_fds=start.descriptors,
                )
        except (CommandError, OSError) as error:
            raise SubmissionError(
                f"its build command `{shlex.join(command)}` can't be run ({error}).\n"
                f"What to do: install {command[0]!r}, or correct `build` in bot.toml."
            ) from None
        family = Family(process.pid)
    try:
        yield process, family
    finally:
        if layer is Layer.NONE:
            family.kill()
        else:
            family.sweep()
        process.wait()
        family.forget()


def _environment(home: Path, layer: Layer) -> dict[str, str]:
    """Gives a clean environment, with what package managers need to fetch things."""
    fetching = {
        name: value
        for name, value in os.environ.items()
        if name.lower() in _CONNECTING or name.lower().startswith(_FETCHING)
    }
    if layer is Layer.BUBBLEWRAP:
        # the user's home stays outside, all but the settings of package managers
        fetching |= {"HOME": str(home)} | user_settings()
    return clean_environment(home) | fetching


def last_lines(log: Path, folder: Path) -> str:
    """Gives the end of a log, to be put after a message; empty where nothing was written.

    Args:
        log: the file.
        folder: the bot's folder; what is in it is named without it.
    """
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - _TAIL_BYTES))
        text = file.read().decode(errors="replace").replace(f"{folder}/", "")
    # a terminal would obey control characters
    kept = "".join(c if c.isprintable() or c in "\n\t" else " " for c in text).rstrip()
    tail = "\n".join(kept.splitlines()[-_TAIL_LINES:])
    return "\nIts last lines:\n" + indent(tail, "  ") if tail else ""
