"""The end of a bot while others are being started: it takes along what is its own, and no more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

STARTS_WHILE_IT_SWEEPS = """
import subprocess, threading
from californiajack_referee.sandbox.sweep import Family, adopt_orphans, starting

def start():
    with starting():
        process = subprocess.Popen(["sleep", "20"], start_new_session=True)
        return process, Family(process.pid)

adopt_orphans()
first, family = start()
over = threading.Event()

def sweep():
    while not over.is_set():
        family._kill_what_is_there()

sweeper = threading.Thread(target=sweep)
sweeper.start()
others = [start() for _ in range(80)]
over.set()
sweeper.join()
print(sum(process.poll() is None for process, _ in others), first.wait())
for _, family in others:
    family.sweep()
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_what_is_being_started_is_nobodys_stray() -> None:
    """All of 80 processes that are started during a sweep of another one live on."""
    done = subprocess.run(
        [sys.executable, "-c", STARTS_WHILE_IT_SWEEPS], capture_output=True, text=True, check=True
    )
    assert done.stdout == "80 -9\n"
