"""What a bot's process keeps from the other processes of its user."""

from __future__ import annotations

import subprocess
import sys

import pytest

RUN = """
import ctypes, os
from californiajack import Bot, run
os.environ |= {"CALJACK_TOKEN": "a secret", "CALJACK_ADDRESS": "unix:/nowhere"}
try:
    run(Bot)
finally:
    print("dumpable:", ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux")
def test_a_bot_hides_its_memory() -> None:
    """From `run` on, whoever has its user can't look for its token there."""
    command = [sys.executable, "-c", RUN]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "dumpable: 0\n"
    assert "The referee at unix:/nowhere is gone" in done.stderr
