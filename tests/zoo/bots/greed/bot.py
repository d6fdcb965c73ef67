"""Bots that take more than their share: bot.py FAULT MARK. They play well beside that.

Each stops by itself at a bound, a safety net for where nothing else stops it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from californiajack import Bot, Card, View, run

if TYPE_CHECKING:
    from collections.abc import Callable

FAULTY_CALL = 20
"""The call of `choose`, of those of the whole process, at which it goes wrong."""
FAULT, MARK = sys.argv[1:3]
MIB = 1024 * 1024
MOST_MEMORY_MIB = 4096
MOST_DISK_MIB = 1024
FLOOD_MIB = 64
DAEMON_SECONDS = 60
calls = count()


def forks_without_end() -> None:
    """Starts a program that doubles itself again and again, up to 2,000 processes."""
    bomb = Path(__file__).with_name("bomb.py")
    # under one name with the bot, so that a test finds what is left
    subprocess.Popen([sys.executable, "-I", "-S", str(bomb), MARK])
    time.sleep(5.0)


def leaves_daemons() -> None:
    """Leaves three processes that have left its group: a session of its own, and double forks."""
    for forks in (1, 2, 3):
        child = os.fork()
        if child:
            os.waitpid(child, 0)
            continue
        for _ in range(forks):
            os.setsid()
            if os.fork():
                os._exit(0)
        program = f"import time; time.sleep({DAEMON_SECONDS})"
        command = [sys.executable, "-I", "-S", "-c", program, MARK]
        os.execv(sys.executable, command)  # noqa: S606 - no shell is wanted


def eats_memory() -> None:
    """Takes memory, 32 MiB at a time, and uses it."""
    held = []
    for _ in range(MOST_MEMORY_MIB // 32):
        held.append(b"\x01" * (32 * MIB))
        time.sleep(0.02)


def fills_disk() -> None:
    """Writes its temporary folder full, and then the shared memory."""
    for folder in (os.environ["TMPDIR"], "/dev/shm"):
        for number in range(MOST_DISK_MIB // 8):
            with (Path(folder) / f"{MARK}-{number}").open("wb") as file:
                file.write(bytes(8 * MIB))
            time.sleep(0.01)


def floods_output() -> None:
    """Writes without end to both of its outputs, and never ends a line."""
    for _ in range(FLOOD_MIB * 8):
        os.write(1, b"x" * (64 * 1024))
        os.write(2, b"y" * (64 * 1024))


FAULTS: dict[str, Callable[[], None]] = {
    fault.__name__: fault
    for fault in (forks_without_end, leaves_daemons, eats_memory, fills_disk, floods_output)
}


class Greed(Bot):
    """Plays its first legal card, and takes what it can."""

    def choose(self, view: View) -> Card:
        """Plays a card, once more than that."""
        if next(calls) == FAULTY_CALL:
            FAULTS[FAULT]()
        return view.legal[0]


if __name__ == "__main__":
    run(Greed)
