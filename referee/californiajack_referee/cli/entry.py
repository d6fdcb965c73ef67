"""`main`: the program `caljack`, or one plain sentence where what it needs isn't installed."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec

from californiajack.memory import hide_memory

_EXTRA = ("click", "google.rpc", "grpc_status", "numpy", "rich", "scipy", "trueskill")
"""What the extra "referee" installs; the SDK alone does without."""


def main() -> None:
    """Runs `caljack` and ends the process: 0 done, 1 the answer is no, 2 wrong use."""
    # looked for and not imported: a command imports what it needs when it is run
    missing = [name for name in _EXTRA if not _is_installed(name)]
    if missing:
        sys.stderr.write(
            f"caljack needs the package that brings {missing[0]}, which isn't installed.\n"
            'Install the platform too: pip install "californiajack[referee]"\n'
        )
        sys.exit(2)
    # it knows the seed of all deals
    hide_memory()
    # only here, so that a plain installation of the SDK gets a sentence instead of a traceback
    group = import_module("californiajack_referee.cli.group")
    sys.exit(group.run(sys.argv[1:]))


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # the package around it
        return False
