"""A filter of system calls on top of the sandbox, as the classic BPF program the kernel takes."""

from __future__ import annotations

import platform
import struct
import sys

_ALLOW = 0x7FFF0000
_KILL = 0x80000000
_FAIL = 0x00050000
_EPERM = 1
_EAFNOSUPPORT = 97
_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_IF_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_IF_AT_LEAST = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K
_NUMBER, _MACHINE, _FIRST_ARGUMENT = 0, 4, 16
"""Where `struct seccomp_data` has the call's number, the machine, and the low half of the first
argument, on machines with the low half first."""
_X32 = 0x40000000
"""From this number on, x86-64 takes the calls of another, rare convention."""
_FAMILIES = (1, 2, 10)
"""Sockets of the Unix and the internet families."""

_MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_SOCKET = {"x86_64": 41, "aarch64": 198}
# name: number on x86-64, on AArch64
_FORBIDDEN = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "mount_setattr": (442, 442),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "sched_setaffinity": (203, 122),
    "kexec_load": (246, 104),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
}


def is_supported() -> bool:
    """Tells whether there is a filter for this machine."""
    return sys.platform == "linux" and platform.machine() in _MACHINES


def program_filter(machine: str | None = None) -> bytes | None:
    """Gives the filter for bubblewrap's ``--seccomp``; None for a machine it isn't written for.

    A forbidden call fails with EPERM, a socket of another family with EAFNOSUPPORT. A call that
    comes from code for another machine ends the process.

    Args:
        machine: the machine's name as ``uname -m`` gives it; None for this one.
    """
    name = platform.machine() if machine is None else machine
    if name not in _MACHINES or sys.platform != "linux":
        return None
    column = list(_MACHINES).index(name)
    rules = [
        (_LOAD, 0, 0, _MACHINE),
        (_IF_EQUAL, 1, 0, _MACHINES[name]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if name == "x86_64":
        rules += [(_IF_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _FAIL | _EPERM)]
    for numbers in _FORBIDDEN.values():
        rules += [(_IF_EQUAL, 0, 1, numbers[column]), (_RETURN, 0, 0, _FAIL | _EPERM)]
    rules += [
        (_IF_EQUAL, 0, len(_FAMILIES) + 2, _SOCKET[name]),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        *((_IF_EQUAL, len(_FAMILIES) - i, 0, family) for i, family in enumerate(_FAMILIES)),
        (_RETURN, 0, 0, _FAIL | _EAFNOSUPPORT),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *rule) for rule in rules)
