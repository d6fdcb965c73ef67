"""Slots for series in full play: the others get ready meanwhile, or play their last games out."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class Slots:
    """Some slots that processes share, of which each process holds one at most.

    A slot is a locked file: that of a process which dies, however it dies, is free at once.
    """

    def __init__(self, folder: Path | None = None, count: int = 0) -> None:
        """Holds none yet.

        Args:
            folder: where the files are, or are to be made, the same for all processes; None where
                there is a slot for everybody.
            count: how many slots there are, 1 or more.
        """
        self._paths = [folder / f"slot-{number}" for number in range(count)] if folder else []
        self._held: int | None = None

    def take(self) -> bool:
        """Takes a slot; false while all are taken. One that is held already is as good."""
        if self._held is not None or not self._paths:
            return True
        for path in self._paths:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
            else:
                self._held = descriptor
                return True
        return False

    def give_back(self) -> None:
        """Gives the slot back, if one is held."""
        if self._held is not None:
            os.close(self._held)
            self._held = None
