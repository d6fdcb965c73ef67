"""Bots that never come so far as to play: bot.py FAULT."""

from __future__ import annotations

import importlib
import sys
import time


def never_starts() -> None:
    """Says nothing, for as long as it is let."""
    time.sleep(600)


def import_error() -> None:
    """Needs a package that isn't there."""
    importlib.import_module("californiajak")


def dies_at_start() -> None:
    """Ends before it has dialled."""
    sys.exit("no luck today")


FAULTS = {fault.__name__: fault for fault in (never_starts, import_error, dies_at_start)}

if __name__ == "__main__":
    FAULTS[sys.argv[1]]()
