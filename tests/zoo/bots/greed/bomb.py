"""A program that doubles itself without end: up to 2,000 times, and for 20 seconds."""

from __future__ import annotations

import mmap
import os
import time

MOST_FORKS = 2000
SECONDS = 20.0

until = time.monotonic() + SECONDS
forks = mmap.mmap(-1, 8)  # shared by all its children


def another() -> bool:
    """Counts one more; False when it is enough."""
    number = int.from_bytes(forks[:8], "little") + 1
    forks[:8] = number.to_bytes(8, "little")
    return number <= MOST_FORKS and time.monotonic() < until


while another():
    try:
        os.fork()
    except OSError:
        time.sleep(0.05)
    time.sleep(0.002)
time.sleep(max(0.0, until - time.monotonic()))
