"""What a process keeps from the other processes of its user."""

from __future__ import annotations

import ctypes
import sys

_PR_SET_DUMPABLE = 4


def hide_memory() -> None:
    """Keeps other processes of the same user out of this one's memory and environment.

    The table's other bot may be one of them. A debugger can't be attached from then on, other than
    by root. Does nothing where the system is not Linux; root sees everything anyway.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
