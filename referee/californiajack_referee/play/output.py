"""What a bot process writes: always read, kept in its log up to a limit, its last lines at hand."""

from __future__ import annotations

import asyncio
import errno
import os
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from pathlib import Path

MOST_LOGGED = 1024 * 1024
"""Bytes of output kept in one process's log unless told otherwise; the rest is read and dropped."""
TAIL_BYTES = 4096
TAIL_LINES = 12
_CHUNK = 64 * 1024


_NO_SPACE = (errno.ENOSPC, errno.EDQUOT)


class BotLog:
    """The log of one bot process. Several processes may add to one file, one after the other.

    What a full disk doesn't take is dropped: no game ends for it.
    """

    def __init__(self, path: Path | None, most: int = MOST_LOGGED) -> None:
        """Opens the file to add to.

        Args:
            path: the file; None keeps no file.
            most: how many bytes of output are kept.
        """
        self._file: BinaryIO | None = None
        if path is not None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._file = path.open("ab", buffering=0)
            except OSError as error:
                if error.errno not in _NO_SPACE:
                    raise
        self._most = self._left = most

    def write(self, data: bytes) -> None:
        """Adds output, as long as there is room; says once that the rest is left out."""
        if self._file is None or self._left <= 0:
            return
        with suppress(OSError):
            self._file.write(data[: self._left])
        self._left -= len(data)
        if self._left <= 0:
            with suppress(OSError):
                self._file.write(b"\n[output over %d bytes is left out]\n" % self._most)

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


class OutputPipe:
    """One output stream of a process, drained by the event loop into its log.

    It is a plain pipe that asyncio's process knows nothing of: there, waiting for the end of a
    process whose descendants hold its output open would never end.

    Attributes:
        write_end: the descriptor to give to the process; close it with `started` once it runs.
    """

    def __init__(self, log: BotLog) -> None:
        """Opens the pipe; must be called while an event loop runs."""
        self._log = log
        self._tail = b""
        self._read_end, self.write_end = os.pipe()
        os.set_blocking(self._read_end, False)
        self._closed = asyncio.Event()
        asyncio.get_running_loop().add_reader(self._read_end, self._drain)

    def started(self) -> None:
        """Closes this process's copy of the write end."""
        if self.write_end >= 0:
            os.close(self.write_end)
            self.write_end = -1

    def _drain(self) -> None:
        try:
            data = os.read(self._read_end, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self.close()
            return
        self._log.write(data)
        self._tail = (self._tail + data)[-TAIL_BYTES:]

    async def ended(self, seconds: float) -> None:
        """Waits until all writers have closed the pipe, for some seconds at most."""
        try:
            async with asyncio.timeout(seconds):
                await self._closed.wait()
        except TimeoutError:
            pass

    def tail(self) -> str:
        """Gives the last lines written, for a person to read."""
        text = self._tail.decode(errors="replace")
        return "\n".join(text.rstrip().splitlines()[-TAIL_LINES:])

    def close(self) -> None:
        """Stops reading; what is written from now on gets the writer a broken pipe."""
        self.started()
        if self._read_end >= 0:
            asyncio.get_running_loop().remove_reader(self._read_end)
            os.close(self._read_end)
            self._read_end = -1
            self._closed.set()
