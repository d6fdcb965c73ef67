"""Slots for series in full play: the others get ready meanwhile, or play their last games out."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

from californiajack_referee.sandbox.processors import allowed_processors, run_in_batch, run_on

if TYPE_CHECKING:
    from pathlib import Path


class Slots:
    """Some slots that processes share, of which each process holds one at most.

    A slot is a locked file: that of a process which dies, however it dies, is free at once.

    Attributes:
        processors: those that this process runs on now; empty where the system doesn't tell.
        in_batch: whether it lets others finish what they are at.
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
        self._all = self.processors = allowed_processors()
        self.in_batch = False

    def take(self, *, one_processor: bool = False) -> bool:
        """Takes a slot; false while all are taken. One that is held already is as good.

        Args:
            one_processor: whether this process is to run on the slot's own processor only while it
                holds the slot. Slots have different ones as long as there are enough.
        """
        if self._held is not None or not self._paths:
            return True
        for number, path in enumerate(self._paths):
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
            else:
                self._held = descriptor
                self._run_in_batch(batch=False)
                if one_processor and self._all:
                    self._run_on(frozenset({sorted(self._all)[number % len(self._all)]}))
                return True
        return False

    def give_back(self, *, batch: bool = False) -> None:
        """Gives the slot back, if one is held; from then on this process runs anywhere.

        Args:
            batch: whether it is to let others finish what they are at, as it is in no hurry.
        """
        self._run_in_batch(batch=batch and bool(self._paths))
        if self._held is not None:
            os.close(self._held)
            self._held = None
            self._run_on(self._all)

    def _run_on(self, processors: frozenset[int]) -> None:
        if processors != self.processors:
            self.processors = processors
            run_on(os.getpid(), processors, descendants=False)

    def _run_in_batch(self, *, batch: bool) -> None:
        if batch != self.in_batch:
            self.in_batch = batch
            run_in_batch(os.getpid(), batch=batch, descendants=False)
