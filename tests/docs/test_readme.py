"""The README can be followed from top to bottom."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Shell = Callable[[str, Path], subprocess.CompletedProcess[str]]
Follow = Callable[[Path, Path], list[str]]

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"`([\w-]+/[\w.]+)`:\n\n```\w+\n(.*?)```", README, re.DOTALL))
COMMANDS = [
    line
    for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines()
]


def test_the_commands_of_the_readme_work(tmp_path: Path, shell: Shell, follow: Follow) -> None:
    """Every command does what the README says, in its order, on the bot that the README shows."""
    assert sorted(FILES) == ["my-bot/bot.py", "my-bot/bot.toml"]
    assert len(follow(ROOT / "README.md", tmp_path)) > 10
    assert "lowest@1" in shell("caljack rankings", tmp_path).stdout


def test_the_bot_of_the_readme_is_ten_lines_long() -> None:
    """The bot in ten lines has ten, blank ones not counted."""
    program = FILES["my-bot/bot.py"]
    assert len([line for line in program.splitlines() if line.strip()]) <= 10


def test_the_readme_opens_with_the_demo_and_the_tests(shell: Shell) -> None:
    """The first two commands are the demo and the tests, which the Makefile has."""
    assert COMMANDS[:2] == ["make demo", "make test"]
    for command in COMMANDS[:2]:
        # the tests can't run all the tests; that the target is there is what can be told here
        plan = shell(f"{command} --dry-run --always-make", ROOT)
        assert plan.returncode == 0, plan.stderr
        assert "setup.sh" in plan.stdout


def test_make_demo_works(tmp_path: Path, shell: Shell) -> None:
    """`make demo` prints rankings and a game; what it shows is in a folder of its own."""
    program = Path(sys.executable)
    if program.parents[1] != ROOT / ".venv":
        pytest.skip("runs in the project's own .venv only, as make does")
    done = shell(f"env -u CALJACK_LEAGUE TMPDIR='{tmp_path}' make --no-print-directory demo", ROOT)
    assert done.returncode == 0, done.stderr
    assert "counting@1" in done.stdout
    assert "Score:" in done.stdout


def test_every_link_of_the_documents_leads_somewhere() -> None:
    """Links within the project name files that are there."""
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    assert len(documents) > 5
    for document in documents:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (document.parent / target).exists(), f"{document.name} -> {target}"


@pytest.mark.parametrize("document", sorted((ROOT / "docs").glob("*.md")), ids=lambda d: d.stem)
def test_the_programs_in_the_documents_compile(document: Path) -> None:
    """Every Python block of the documents is a program without syntax errors."""
    for program in re.findall(r"```python\n(.*?)```", document.read_text("utf-8"), re.DOTALL):
        compile(program, document.name, "exec")


def test_each_command_is_quoted_right() -> None:
    """The commands are plain lines that a shell splits into words, with no prompt before them."""
    for line in COMMANDS:
        assert shlex.split(line)[0] in {"make", "caljack", "python", "export"}
