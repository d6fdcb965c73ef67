"""Documents that are followed as a reader would: their files are written, their commands run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

import pytest

Shell = Callable[[str, Path], subprocess.CompletedProcess[str]]
Follow = Callable[[Path, Path], list[str]]

ROOT = Path(__file__).parents[2]
STEP = re.compile(
    r"^(?:`(?P<file>[\w./-]+)`:\n\n|(?P<program><!-- run -->)\n\n)?```(?P<language>\w+)\n"
    r"(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
NOT_RUN = ("make ", "export ", "caljack check ", "caljack play ")
"""Commands that set up what is set up here, take long, or need a person; they have other tests."""
FEWER: Mapping[str, str] = {
    "caljack compare greedy": "--pairs 10",
    "caljack compare my-fox": "--pairs 10",
    "caljack tournament run": "--pairs 4",
}
"""The games that the tests have time for, by what a command begins with."""


@pytest.fixture(scope="session")
def shell() -> Shell:
    """Runs a line of a document as a shell does, with the commands of this environment.

    The league is the folder ``league`` in the one that the line is run in.
    """
    own = str(Path(sys.executable).parent)

    def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {
            "PATH": f"{own}{os.pathsep}{os.environ['PATH']}",
            "CALJACK_LEAGUE": str(folder / "league"),
            "TMPDIR": str(folder),
        }
        return subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=50,
            check=False,
        )

    return run


@pytest.fixture(scope="session")
def follow(shell: Shell) -> Follow:
    """Follows a document from top to bottom in a folder, and gives the lines that were run.

    A block under the name of a file is written to it, a block of commands is run line by line, and
    so is a program after ``<!-- run -->``. Whatever fails fails the test. Commands that begin with
    a key of `FEWER` play fewer games than the document says.
    """

    def follow_in(document: Path, folder: Path) -> list[str]:
        if not (folder / "proto").exists():
            shutil.copytree(ROOT / "proto", folder / "proto")
            (folder / "sample_bots").symlink_to(ROOT / "sample_bots")
        lines = []
        for step in STEP.finditer(document.read_text(encoding="utf-8")):
            if step["file"]:
                file = folder / step["file"]
                file.parent.mkdir(exist_ok=True)
                file.write_text(step["text"], encoding="utf-8")
            for line in commands_of(step, folder):
                done = shell(shortened(line), folder)
                assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
                lines.append(line)
        return lines

    return follow_in


def shortened(line: str) -> str:
    """Gives a command with the number of games that a test has time for."""
    for start, options in FEWER.items():
        if line.startswith(start):
            return f"{line} {options}"
    return line


def commands_of(step: re.Match[str], folder: Path) -> Collection[str]:
    """Gives the commands that a block asks for; a program is put into a file to be run."""
    if step["program"]:
        (folder / "program.py").write_text(step["text"], encoding="utf-8")
        return ["python program.py"]
    if step["language"] != "sh":
        return []
    return [line for line in step["text"].splitlines() if not line.startswith(NOT_RUN)]
