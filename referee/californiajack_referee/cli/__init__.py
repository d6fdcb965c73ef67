"""The command line, `caljack`."""

from californiajack_referee.cli.entry import main

__all__ = ["main"]
