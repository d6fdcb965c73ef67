"""Which processes there are: this one, and what it and its children have started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

STARTS_SOME = """
import os, subprocess, sys
from californiajack_referee.sandbox import processes
from californiajack_referee.sandbox.sweep import Family, adopt_orphans

adopt_orphans()
START = '''
import subprocess
quiet = {"stdout": subprocess.DEVNULL, "start_new_session": True}
print(subprocess.Popen(["sleep", "20"], **quiet).pid)
'''
child = subprocess.Popen(["sleep", "20"], start_new_session=True)
family = Family(child.pid)
orphan = int(subprocess.run([sys.executable, "-c", START], stdout=subprocess.PIPE).stdout)
there = processes.with_descendants({os.getpid()}, processes.all_processes())
print(there == {os.getpid(), child.pid, orphan})
print(set(processes.own_processes()) == there)
processes._TELLS_CHILDREN = False
print(set(processes.own_processes()) == there)
print(family.sweep(), child.wait(), set(processes.own_processes()) == {os.getpid()})
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_what_descends_from_this_process() -> None:
    """An abandoned process is among them, whether or not the kernel tells a process's children."""
    done = subprocess.run(
        [sys.executable, "-c", STARTS_SOME], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("True\nTrue\nTrue\nTrue -9 True\n", "")
