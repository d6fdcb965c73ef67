"""Which processes there are, who started them, and what they use, as /proc tells."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

PROC = Path("/proc")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_MIB = 1024 * 1024
_LONGEST_STAT = 4096
_TELLS_CHILDREN = (PROC / "self/task" / str(os.getpid()) / "children").exists()
"""Whether this system's kernel tells a thread's children; that can be left out of it."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process as it was when it was looked at."""

    pid: int
    """Its number."""
    parent: int
    """Its parent's number."""
    group: int
    """Its process group."""
    session: int
    """Its session."""
    dead: bool
    """Whether it has ended and only waits to be collected."""
    threads: int
    """How many threads it has."""
    started: int
    """When it was started, in clock ticks since the system's start."""
    resident_bytes: int
    """The memory it has in use, shared pages included."""


def all_processes() -> dict[int, Process]:
    """Gives every process there is, by its number; empty where the system has no /proc."""
    if not PROC.is_dir():
        return {}
    found = (look_at(int(name)) for name in os.listdir(PROC) if name.isdecimal())  # noqa: PTH208 - names alone, and quickly
    return {process.pid: process for process in found if process is not None}


def own_processes() -> dict[int, Process]:
    """Gives this process and all that descend from it, by number, without a look at the others.

    On a machine with many that is a small part of the work. A process that is started or ended
    meanwhile may be missing, with what it has started. Empty where the system has no /proc.
    """
    if not _TELLS_CHILDREN:
        processes = all_processes()
        return {pid: processes[pid] for pid in with_descendants({os.getpid()}, processes)}
    found = map(look_at, tree_of(os.getpid()))
    return {process.pid: process for process in found if process is not None}


def tree_of(pid: int) -> list[int]:
    """Gives the numbers of a process and of its descendants."""
    found = [pid]
    for process in found:  # grows while it is gone through
        for thread in threads_of(process):
            with suppress(OSError, ValueError):
                found += map(int, read_proc(f"{process}/task/{thread}/children").split())
    return found


def threads_of(pid: int) -> list[int]:
    """Gives the numbers of a process's threads; none if it is gone."""
    with suppress(OSError):
        return [int(thread) for thread in os.listdir(f"/proc/{pid}/task")]  # noqa: PTH208 - names are enough
    return []


def read_proc(name: str) -> bytes:
    """Gives what stands in a file of /proc.

    Raises:
        OSError: it is not there, or not any more.
    """
    with open(f"/proc/{name}", "rb") as file:  # noqa: PTH123 - read by the hundred
        return file.read()


def stat_fields(pid: int) -> list[bytes] | None:
    """Gives what /proc tells of a process after its name, its state first; None if it is gone."""
    try:
        # without a file object: this is done by the hundred at the end of each bot
        descriptor = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
        try:
            text = os.read(descriptor, _LONGEST_STAT)
        finally:
            os.close(descriptor)
    except OSError:
        return None
    # the name in parentheses may hold anything
    return text.rpartition(b")")[2].split()


def look_at(pid: int) -> Process | None:
    """Gives one process; None if there is none of this number."""
    fields = stat_fields(pid)
    if fields is None:
        return None
    return Process(
        pid=pid,
        parent=int(fields[1]),
        group=int(fields[2]),
        session=int(fields[3]),
        dead=fields[0] in (b"Z", b"X"),
        threads=int(fields[17]),
        started=int(fields[19]),
        resident_bytes=int(fields[21]) * _PAGE_BYTES,
    )


def with_descendants(roots: Iterable[int], processes: dict[int, Process]) -> set[int]:
    """Gives the numbers of some processes and of all that descend from them."""
    children: dict[int, list[int]] = {}
    for process in processes.values():
        children.setdefault(process.parent, []).append(process.pid)
    found: set[int] = set()
    waiting = [pid for pid in roots if pid in processes]
    while waiting:
        pid = waiting.pop()
        if pid not in found:
            found.add(pid)
            waiting += children.get(pid, [])
    return found


def memory_mib(processes: Iterable[Process], limit_mib: int) -> float:
    """Gives the memory that some processes use together, in MiB.

    Where the sum is over the limit, pages that several of them share are counted once, as far as
    the system tells; that takes longer to find out.
    """
    living = list(processes)
    total = sum(process.resident_bytes for process in living)
    if total > limit_mib * _MIB:
        total = sum(_own_bytes(process) for process in living)
    return total / _MIB


def peak_mib(process: Process) -> float:
    """Gives the most memory that a process has had, in MiB; 0 where the system doesn't tell."""
    try:
        lines = (PROC / str(process.pid) / "status").read_text().splitlines()
    except OSError:
        return 0.0
    peaks = [int(line.split()[1]) for line in lines if line.startswith("VmHWM:")]
    return peaks[0] / 1024 if peaks else 0.0


def _own_bytes(process: Process) -> int:
    """Gives a process's memory with its part of what it shares."""
    try:
        lines = (PROC / str(process.pid) / "smaps_rollup").read_text().splitlines()
    except OSError:
        return process.resident_bytes
    sizes = [int(line.split()[1]) for line in lines if line.startswith("Pss:")]
    return sizes[0] * 1024 if sizes else process.resident_bytes


def has_variable(pid: int, text: str) -> bool | None:
    """Tells whether a process was started with this text in its environment; None if it hides it.

    Bots hide it from all but root, as it holds their token.
    """
    try:
        return text.encode() in (PROC / str(pid) / "environ").read_bytes()
    except PermissionError:
        return None
    except OSError:
        return False
