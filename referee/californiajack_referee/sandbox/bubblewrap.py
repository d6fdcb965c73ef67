"""The command line of bubblewrap: what a bot or a build finds in its sandbox."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import californiajack

_INSIDE = Path("/run/caljack")
HOME = _INSIDE / "home"
"""The one place inside where a bot may write, with /dev/shm."""
SOCKET_FOLDER = _INSIDE / "socket"
"""Where a seat's own socket is inside."""
_PLATFORM = Path(__file__).parents[1]
_SDK = Path(californiajack.__file__).parent
_SYSTEM = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_SETTINGS = (
    "alternatives",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "nsswitch.conf",
    "passwd",
    "group",
)
_NETWORK_SETTINGS = ("ca-certificates", "hosts", "npmrc", "pip.conf", "pki", "resolv.conf", "ssl")
"""What of /etc is there, beside the others, for a build that fetches packages."""
_NETWORK_VARIABLES = (
    "PIP_CERT",
    "PIP_FIND_LINKS",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
)
"""Variables that name a file or a folder which a build needs to fetch packages."""
_USER_SETTINGS = {"NPM_CONFIG_USERCONFIG": ".npmrc", "PIP_CONFIG_FILE": ".config/pip/pip.conf"}
"""Settings of package managers in the user's home, by the variable that tells where they are."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What one process and its descendants may see and write."""

    folder: Path
    """The bot's folder, under the same path inside."""
    program: Path
    """The program to run, for which what it needs is made visible."""
    disk_mib: int
    """The size of what may be written to `HOME`, and again to /dev/shm, in MiB."""
    socket_folder: Path | None = None
    """The folder of the seat's socket; None for none."""
    writable: bool = False
    """Whether the bot's folder may be written to."""
    network: bool = False
    """Whether the network is there, as it is for the machine's user."""


def program_path() -> str | None:
    """Gives the path of bubblewrap; None where it is not installed."""
    return shutil.which("bwrap")


def options(sandbox: Sandbox) -> list[str]:
    """Gives bubblewrap's options for a sandbox, to be passed through ``--args``."""
    return [
        *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent"),
        *("--new-session", "--cap-drop", "ALL"),
        *(("--share-net",) if sandbox.network else ()),
        *_system(network=sandbox.network),
        *("--proc", "/proc", "--dev", "/dev"),
        *("--size", str(sandbox.disk_mib << 20), "--tmpfs", "/dev/shm"),  # noqa: S108 - the sandbox's own
        *_programs(sandbox),
        *("--bind" if sandbox.writable else "--ro-bind", str(sandbox.folder), str(sandbox.folder)),
        *("--perms", "0700", "--size", str(sandbox.disk_mib << 20), "--tmpfs", str(HOME)),
        *_socket(sandbox),
        *_temporary_folder(sandbox),
        # after all mounts: what is under / and /dev is a folder in memory without a size, and the
        # kernel's own settings in /proc are open to root even when it has no rights left
        *("--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/"),
        *("--chdir", str(sandbox.folder)),
    ]


def user_settings() -> dict[str, str]:
    """Gives the variables that lead a build inside to this user's settings of package managers."""
    return {
        name: str(_INSIDE / "settings" / name)
        for name, path in _USER_SETTINGS.items()
        if (Path.home() / path).is_file()
    }


def _system(*, network: bool) -> list[str]:
    found = ["--ro-bind", "/usr", "/usr"]
    for name in _SYSTEM:
        path = Path("/") / name
        if path.is_symlink():
            found += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            found += ["--ro-bind", str(path), str(path)]
    names = _SETTINGS + (_NETWORK_SETTINGS if network else ())
    for name in names:
        found += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    if network:
        for variable, inside in user_settings().items():
            found += ["--ro-bind", str(Path.home() / _USER_SETTINGS[variable]), inside]
    return found


def _programs(sandbox: Sandbox) -> list[str]:
    """Shows the interpreter, the SDK, and what the program needs that is nowhere else."""
    shown = [Path("/usr"), *(Path("/") / name for name in _SYSTEM), sandbox.folder]
    wanted = [Path(sys.base_prefix), Path(sys.prefix), _SDK, _PLATFORM]
    if sandbox.network:
        named = (Path(os.environ[n]) for n in _NETWORK_VARIABLES if os.environ.get(n))
        wanted += [path for path in named if path.is_absolute() and path.exists()]
    wanted += [_home_of(path) for path in (sandbox.program, sandbox.program.resolve())]
    found: list[str] = []
    for path in wanted:
        if not any(path.is_relative_to(there) for there in shown):
            found += ["--ro-bind", str(path), str(path)]
            shown.append(path)
    return found


def _home_of(program: Path) -> Path:
    """Gives the folder a program is installed in where that is plain to see, else its file."""
    folder = program.parent.parent
    if program.parent.name == "bin" and (folder / "lib").is_dir() and folder != Path.home():
        return folder
    return program


def _socket(sandbox: Sandbox) -> list[str]:
    if sandbox.socket_folder is None:
        return []
    return ["--ro-bind", str(sandbox.socket_folder), str(SOCKET_FOLDER)]


def _temporary_folder(sandbox: Sandbox) -> list[str]:
    """Lets /tmp lead to `HOME`, unless something that is shown stands in it.

    A mount never stands in a folder that the bot can write to: it could be led elsewhere.
    """
    shown = (sandbox.folder, sandbox.program, Path(sys.prefix), Path(sys.base_prefix), _SDK)
    if any(path.is_relative_to("/tmp") for path in (*shown, _PLATFORM)):  # noqa: S108 - the system's own
        return []
    return ["--symlink", str(HOME), "/tmp"]  # noqa: S108 - the sandbox's own
