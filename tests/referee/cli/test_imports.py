"""What a command imports: only what it needs."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

SLOW = (
    *("asyncio", "google.protobuf", "grpc", "matplotlib", "numpy", "pyarrow", "rich", "scipy"),
    *("sqlite3", "trueskill"),
)
"""What takes long to import."""
PROGRAM = """
import sys
from californiajack_referee.cli import main
try:
    main()
finally:
    sys.stderr.write("imported: " + " ".join(sys.modules))
"""
ALLOWED = {
    "--help": "",
    "--version": "",
    "demo --help": "asyncio google.protobuf grpc rich sqlite3 trueskill",
    "new --help": "",
    "check --help": "",
    "debug --help": "",
    "rewind --help": "",
    "submit --help": "",
    "bots": "sqlite3",
    "tournament --help": "",
    "tournament run --help": "",
    "tournament list": "sqlite3",
    "tournament show night": "numpy scipy sqlite3 trueskill",
    "rankings": "numpy scipy sqlite3 trueskill",
    "rankings --help": "trueskill",
    "rankings --history": "sqlite3 trueskill",
    "games --format csv": "sqlite3",
    "luck fox hen": "sqlite3",
    "games": "sqlite3",
    "faults": "sqlite3",
    "games --casual": "sqlite3",
    "play --help": "",
    "replay night/0/0/0": "sqlite3",
    "export night": "sqlite3",
    "verify /dev/null": "",
    "backup --help": "",
}
"""Which of them a command may import."""


@pytest.mark.parametrize("words", ALLOWED)
def test_a_command_imports_only_what_it_needs(words: str, results_folder: Path) -> None:
    """What takes long to import is imported by the commands alone that use it."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words.split()],
        env={"CALJACK_LEAGUE": str(results_folder)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    imported = set(done.stderr.partition("imported: ")[2].split())
    assert "californiajack_referee.cli.group" in imported
    assert imported.intersection(SLOW) <= set(ALLOWED[words].split())


def test_playing_locally_needs_no_protocol() -> None:
    """A training loop imports neither gRPC nor the protocol's messages."""
    program = "import sys, californiajack.local, californiajack.verify; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert not set(done.stdout.split()).intersection(("asyncio", "google", "grpc"))
