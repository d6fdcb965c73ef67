"""Bots that look and reach where they have no business: bot.py FAULT MARK TOLD PID.

They play well beside that, and print a line that begins with ``got`` for what they got. They are
told what they might have guessed: TOLD is their opponent's folder or the port of a server, PID the
referee's process.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from californiajack import Bot, Card, RoundEnd, View, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FAULTY_CALL = 20
"""The call of `choose`, of those of the whole process, at which it looks around."""
FAULT, MARK, TOLD, REFEREE = sys.argv[1:5]
PROC = Path("/proc")
calls = count()


def got(what: object) -> None:
    """Tells what it got."""
    sys.stderr.write(f"got {what}\n")


def others() -> Iterator[Path]:
    """The processes of its opponent and of the referee, as far as they can be seen."""
    for process in PROC.glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes()
        except OSError:
            continue
        mine = int(process.name) == os.getpid() or FAULT.encode() in words
        if not mine and (MARK.encode() in words or process.name == REFEREE):
            yield process


def reads_folder() -> None:
    """Reads its opponent's program."""
    for file in Path(TOLD).glob("*"):
        got(f"{len(file.read_bytes())} bytes of {file.name}")


def reads_environment() -> None:
    """Reads its opponent's environment, which holds the token."""
    for process in others():
        if b"CALJACK_TOKEN" in (process / "environ").read_bytes():
            got(f"the token of {process.name}")


def reads_memory() -> None:
    """Reads its opponent's memory, and the referee's."""
    for process in others():
        first = (process / "maps").read_text().split("-")[0]
        with (process / "mem").open("rb") as memory:
            memory.seek(int(first, 16))
            got(f"{len(memory.read(64))} bytes of memory of {process.name}")


def dials_its_opponents_socket() -> None:
    """Dials every socket that it finds near its own, and those that the system lists there."""
    own = Path(os.environ["CALJACK_ADDRESS"].removeprefix("unix:"))
    series = own.parents[1]
    listed = re.findall(r"/\S+$", (PROC / "net" / "unix").read_text(), re.MULTILINE)
    found = {path for path in map(Path, listed) if path.is_relative_to(series)}
    found |= {path for path in series.rglob("*") if path.is_socket()}
    for path in found - {own}:
        with socket.socket(socket.AF_UNIX) as dialled:
            dialled.connect(str(path))
            got(f"a connection to {path}")


def opens_the_network() -> None:
    """Dials a server on this machine."""
    with socket.create_connection(("127.0.0.1", int(TOLD)), timeout=2):
        got("a connection")


def signals_the_referee() -> None:
    """Kills the referee, by its number and as its parent."""
    for process in {int(REFEREE), os.getppid()} - {0}:  # 0 would be itself
        try:
            os.kill(process, signal.SIGKILL)
        except OSError:
            continue
        if process > 1:  # the first process of a world of its own doesn't even notice
            got(f"a signal through to {process}")


FAULTS: dict[str, Callable[[], None]] = {
    fault.__name__: fault
    for fault in (
        *(reads_folder, reads_environment, reads_memory),
        *(dials_its_opponents_socket, opens_the_network, signals_the_referee),
    )
}
SHARED = Path("/dev/shm")
remembered: set[bytes] = set()


def hiding_places() -> list[Path]:
    """The folders in which a note may be left for a later process."""
    here = Path(__file__).parent
    home = Path(os.environ["HOME"])
    return [here, home, home.parent, home.parent.parent, Path("/tmp"), Path("/var/tmp"), SHARED]


def remembers_deals(stock: bytes) -> None:
    """Looks for a round's stock in its notes: in memory, in files, in shared memory; notes it."""
    if stock in remembered:
        got("a deal that it knew, from memory")
    remembered.add(stock)
    for folder in hiding_places():
        for file in folder.glob(f"{MARK}-*"):
            mine = int(file.name.rpartition("-")[2]) == os.getpid()
            if not mine and stock in file.read_bytes():
                got(f"a deal that it knew, from {folder}")
        try:
            with (folder / f"{MARK}-{os.getpid()}").open("ab") as notes:
                notes.write(stock)
        except OSError:
            continue


class Spy(Bot):
    """Plays its first legal card, and looks around once."""

    def choose(self, view: View) -> Card:
        """Plays a card, once after a look around."""
        if FAULT in FAULTS and next(calls) == FAULTY_CALL:
            try:
                FAULTS[FAULT]()
            except OSError as error:
                sys.stderr.write(f"blocked: {error}\n")
        return view.legal[0]

    def on_round_end(self, end: RoundEnd) -> None:
        """Looks whether it knew this round all along."""
        if remembers_deals.__name__ == FAULT:
            drawn = [trick.drawn for trick in end.history if trick.drawn]
            remembers_deals(bytes(card for pair in drawn for card in pair))


if __name__ == "__main__":
    run(Spy)
