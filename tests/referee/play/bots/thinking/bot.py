"""Bots that take their time over every card: bot.py WAY SECONDS."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING

from californiajack import Bot, Card, View, run

if TYPE_CHECKING:
    from collections.abc import Callable

WAY, SECONDS = sys.argv[1], float(sys.argv[2])
CROWD = 6


def work(clock: Callable[[], float]) -> None:
    """Computes for the bot's time, on one clock or another."""
    until = clock() + SECONDS
    while clock() < until:
        pass


def compete() -> None:
    """Starts processes that work all the time, and works beside them."""
    children = []
    for _ in range(CROWD):
        child = os.posix_spawn(sys.executable, [sys.executable, "-c", "while True: pass"], {})
        children.append(child)
    work(time.thread_time)
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def compete_in_threads() -> None:
    """Lets threads that give way to nobody compute, each as long as the bot."""
    threads = [threading.Thread(target=work, args=(time.thread_time,)) for _ in range(CROWD)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def yield_to_all() -> None:
    """Asks to be served after all others, and works."""
    os.nice(19)
    work(time.thread_time)


def abandon() -> None:
    """Leaves processes behind that work all the time, and works."""
    spin = "import os, sys\nif os.fork(): sys.exit()\nos.setsid()\nwhile True: pass"
    for _ in range(CROWD):
        child = os.posix_spawn(sys.executable, [sys.executable, "-c", spin], {**os.environ})
        os.waitpid(child, 0)
    work(time.thread_time)


def narrow() -> None:
    """Asks to be run on the last processor only, and works."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    work(time.thread_time)


THINK: dict[str, Callable[[], None]] = {
    "sleeps": lambda: time.sleep(SECONDS),
    "works": lambda: work(time.thread_time),
    "stops": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "competes": compete,
    "threads": compete_in_threads,
    "yields": yield_to_all,
    "narrows": narrow,
    "abandons": abandon,
}


class Thinking(Bot):
    """Plays its lowest legal card, after a while."""

    def choose(self, view: View) -> Card:
        """Thinks."""
        THINK[WAY]()
        return view.legal[0]


if __name__ == "__main__":
    run(Thinking)
