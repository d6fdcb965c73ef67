"""Ctrl-C as a wish to stop, which the tournament grants within seconds."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_MESSAGE = b"\nStopping: waiting for the bots to end. Ctrl-C once more to stop at once.\n"


@contextmanager
def stop_on_ctrl_c() -> Iterator[Callable[[], bool]]:
    """Turns the first SIGINT or SIGTERM into a wish; the second one acts as ever.

    Yields:
        Tells whether the wish was made.
    """
    wished = False
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def wish(_number: int, _frame: FrameType | None) -> None:
        nonlocal wished
        wished = True
        restore()
        # straight to the file: the stream may be in the middle of writing
        os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, _MESSAGE)

    for number in _SIGNALS:
        signal.signal(number, wish)
    try:
        yield lambda: wished
    finally:
        restore()
