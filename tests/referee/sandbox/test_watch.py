"""What a bot uses too much of, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from californiajack_referee.sandbox.processes import Process, with_descendants
from californiajack_referee.sandbox.watch import overrun
from californiajack_referee.values import Resources

if TYPE_CHECKING:
    from pathlib import Path

NOBODY = 2**30
"""A number that no process has."""


def process(pid: int, parent: int = 1, *, mib: int = 1, threads: int = 1) -> Process:
    """Gives a process."""
    return Process(
        pid, parent, pid, pid, dead=False, threads=threads, started=0, resident_bytes=mib << 20
    )


def test_what_is_too_much(tmp_path: Path) -> None:
    """Processes and memory are added up, threads count, and each is told with its limit."""
    may = Resources(memory_mib=100, processes=4, disk_mib=1)
    within = [process(NOBODY, mib=50), process(NOBODY + 1, mib=50, threads=3)]
    assert overrun(within, tmp_path, may) is None
    assert overrun([*within, process(NOBODY + 2)], tmp_path, may) == (
        "had more than 4 processes and threads"
    )
    assert overrun([process(NOBODY, mib=60), process(NOBODY + 1, mib=60)], tmp_path, may) == (
        "used more than 100 MiB of memory"
    )
    (tmp_path / "big").write_bytes(bytes(2 << 20))
    assert overrun(within, tmp_path, may) == "wrote more than 1 MiB to its temporary folder"
    assert overrun(within, None, may) is None


def test_descendants() -> None:
    """Children of children count, others' children don't, and what is gone is nobody."""
    there = {
        p.pid: p for p in (process(2), process(3, 2), process(4, 3), process(5), process(6, 5))
    }
    assert with_descendants([2, 99], there) == {2, 3, 4}
