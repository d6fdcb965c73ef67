"""`main`: the program `caljack`, or one plain sentence where what it needs isn't installed."""

from __future__ import annotations

import importlib
import sys

from californiajack.memory import hide_memory

_EXTRA = ("click", "google.rpc", "grpc_status", "rich", "trueskill")
"""What the extra "referee" installs; the SDK alone does without."""


def main() -> None:
    """Runs `caljack` and ends the process: 0 done, 1 the answer is no, 2 wrong use."""
    try:
        # only here, so that a plain installation of the SDK gets a sentence instead of a traceback
        group = importlib.import_module("californiajack_referee.cli.group")
    except ModuleNotFoundError as error:
        missing = [name for name in _EXTRA if f"{error.name}.".startswith(f"{name}.")]
        if not missing:
            raise
        sys.stderr.write(
            f"caljack needs the package that brings {missing[0]}, which isn't installed.\n"
            'Install the platform too: pip install "californiajack[referee]"\n'
        )
        sys.exit(2)
    # it knows the seed of all deals
    hide_memory()
    sys.exit(group.run(sys.argv[1:]))
