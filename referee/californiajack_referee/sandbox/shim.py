"""Sets limits for this process and becomes the program of a bot; run as a script, never imported.

Its arguments are limits as KIND=NUMBER, with the numbers of the system's kinds; ``parent=PID``, the
process to die with; ``default=NUMBER``, a signal that the program is to find as the system has it;
then ``--``, the path of the program and its arguments.
It imports no more of the standard library than it must and nothing of the platform: it starts in
milliseconds. For the same reason it reaches signals as it reaches all else, by the C library.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys

_LIBC = ctypes.CDLL(None)
_SIGKILL = 9
_PR_SET_PDEATHSIG = 1
_PR_SET_NO_NEW_PRIVS = 38
_CANNOT_RUN = 126
"""The exit status of a shell whose command can't be run."""


def _main(arguments: list[str]) -> None:
    cut = arguments.index("--")
    settings, command = arguments[:cut], arguments[cut + 1 :]
    for setting in settings:
        name, _, number = setting.partition("=")
        if name == "parent":
            _die_with(int(number))
        elif name == "default":
            _LIBC.signal(int(number), None)
        else:
            resource.setrlimit(int(name), (int(number), int(number)))
    _gain_nothing()
    try:
        os.execv(command[0], command)  # noqa: S606 - becoming the program is the purpose
    except OSError as error:
        sys.stderr.write(f"{command[0]} can't be run: {error.strerror}\n")
        sys.exit(_CANNOT_RUN)


def _die_with(parent: int) -> None:
    """Has the system kill this process when its parent dies, and ends it if that has happened."""
    if sys.platform == "linux":
        _LIBC.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            sys.exit(_CANNOT_RUN)


def _gain_nothing() -> None:
    """Lets no program that is run from here have more rights than this process."""
    if sys.platform == "linux":
        _LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


if __name__ == "__main__":
    _main(sys.argv[1:])
