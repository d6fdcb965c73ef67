"""The build step of a bot: one command, run once in the bot's folder."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from contextlib import suppress
from textwrap import indent
from typing import TYPE_CHECKING

from californiajack import CaliforniaJackError
from californiajack_referee.play.launch import clean_environment, describe_exit

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

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


def run_build(
    command: Sequence[str], folder: Path, *, work: Path, log: Path, seconds: float
) -> None:
    """Runs a bot's build command; all that it started is gone when this returns.

    Args:
        command: the program and its arguments; ``python`` is the platform's own interpreter.
        folder: the bot's folder, where it runs.
        work: a folder for temporary files.
        log: the file that its output is written to.
        seconds: how long it may take.

    Raises:
        SubmissionError: it can't be run, fails, or takes too long; with its last lines.
    """
    shown = shlex.join(command)
    with log.open("wb") as output:
        try:
            process = subprocess.Popen(  # noqa: S603 - running it is the purpose
                command,
                cwd=folder,
                env=_environment(work),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise SubmissionError(
                f"its build command `{shown}` can't be run ({error.strerror}).\n"
                f"What to do: install {command[0]!r}, or correct `build` in bot.toml."
            ) from None
        try:
            status = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise SubmissionError(
                f"its build command `{shown}` took more than {seconds:g} seconds, the "
                f"limit.{last_lines(log, folder)}\nWhat to do: let it do less."
            ) from None
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if status:
        raise SubmissionError(
            f"its build command `{shown}` failed: {describe_exit(status)}."
            f"{last_lines(log, folder)}\nWhat to do: run it in the bot's folder, mend what it "
            "tells, and submit it again."
        )


def _environment(work: Path) -> dict[str, str]:
    """Gives a clean environment, with what package managers need to fetch things."""
    fetching = {
        name: value
        for name, value in os.environ.items()
        if name.lower() in _CONNECTING or name.lower().startswith(_FETCHING)
    }
    return clean_environment(work) | fetching


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
