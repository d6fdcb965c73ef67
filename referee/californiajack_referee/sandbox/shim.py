"""Sets limits for this process and becomes the program of a bot; run as a script, never imported.

Its arguments are limits as NAME=NUMBER, then ``--``, the path of the program and its arguments.
It uses the standard library alone and imports nothing of the platform: it starts in milliseconds.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys

_PR_SET_PDEATHSIG = 1
_PR_SET_NO_NEW_PRIVS = 38
_CANNOT_RUN = 126
"""The exit status of a shell whose command can't be run."""
_LIMITS = {
    "address_space": resource.RLIMIT_AS,
    "file_size": resource.RLIMIT_FSIZE,
    "open_files": resource.RLIMIT_NOFILE,
    "processes": resource.RLIMIT_NPROC,
    "core": resource.RLIMIT_CORE,
}


def _main(arguments: list[str]) -> None:
    cut = arguments.index("--")
    settings, command = arguments[:cut], arguments[cut + 1 :]
    for setting in settings:
        name, _, number = setting.partition("=")
        if name == "parent":
            _die_with(int(number))
        else:
            _limit(_LIMITS[name], int(number))
    _gain_nothing()
    # Python ignores these two; a program expects them as the system has them
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    try:
        os.execv(command[0], command)  # noqa: S606 - becoming the program is the purpose
    except OSError as error:
        sys.stderr.write(f"{command[0]} can't be run: {error.strerror}\n")
        sys.exit(_CANNOT_RUN)


def _limit(kind: int, number: int) -> None:
    """Lowers a limit; one that is lower already stays."""
    hard = resource.getrlimit(kind)[1]
    number = number if hard == resource.RLIM_INFINITY else min(number, hard)
    resource.setrlimit(kind, (number, number))


def _die_with(parent: int) -> None:
    """Has the system kill this process when its parent dies, and ends it if that has happened."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            sys.exit(_CANNOT_RUN)


def _gain_nothing() -> None:
    """Lets no program that is run from here have more rights than this process."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


if __name__ == "__main__":
    _main(sys.argv[1:])
