"""What a bot uses, held against what it may use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from californiajack_referee.sandbox.folders import size_mib
from californiajack_referee.sandbox.processes import memory_mib

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from californiajack_referee.sandbox.processes import Process
    from californiajack_referee.values import Resources


def overrun(members: Sequence[Process], folder: Path | None, resources: Resources) -> str | None:
    """Says what a bot has used too much of, to be put after its name; None where all is well.

    Args:
        members: its processes.
        folder: its temporary folder; None where that has a size of its own.
        resources: what it may use.
    """
    # first what is quick to tell: the memory of thousands of processes is not
    if sum(process.threads for process in members) > resources.processes:
        return f"had more than {resources.processes} processes and threads"
    if memory_mib(members, resources.memory_mib) > resources.memory_mib:
        return f"used more than {resources.memory_mib} MiB of memory"
    if folder is not None and size_mib(folder, resources.disk_mib) > resources.disk_mib:
        return f"wrote more than {resources.disk_mib} MiB to its temporary folder"
    return None
