"""The filter of system calls, run by an interpreter of its instructions."""

from __future__ import annotations

import errno
import struct

import pytest

from californiajack_referee.sandbox.seccomp import program_filter

ALLOWED, KILLED = 0x7FFF0000, 0x80000000
X86, ARM = "x86_64", "aarch64"
AUDIT = {X86: 0xC000003E, ARM: 0xC00000B7}


def decide(machine: str, call: int, first: int = 0, audit: int | None = None) -> int:
    """Gives what the filter returns for a call."""
    program = program_filter(machine)
    assert program is not None
    rules = list(struct.iter_unpack("=HBBI", program))
    data = {0: call, 4: AUDIT[machine] if audit is None else audit, 16: first}
    value = at = 0
    while True:
        code, true, false, number = rules[at]
        at += 1
        if code == 0x20:
            value = data[number]
        elif code == 0x15:
            at += true if value == number else false
        elif code == 0x35:
            at += true if value >= number else false
        else:
            assert code == 0x06
            return int(number)


def failure(number: int) -> int:
    """Gives the filter's value for a call that fails."""
    return 0x00050000 | number


@pytest.mark.parametrize(
    ("machine", "call", "result"),
    [
        (X86, 0, ALLOWED),  # read
        (X86, 59, ALLOWED),  # execve
        (X86, 56, ALLOWED),  # clone
        (X86, 101, failure(errno.EPERM)),  # ptrace
        (X86, 425, failure(errno.EPERM)),  # io_uring_setup
        (X86, 272, failure(errno.EPERM)),  # unshare
        (X86, 203, failure(errno.EPERM)),  # sched_setaffinity
        (X86, 0x40000000, failure(errno.EPERM)),  # read, as x32 calls it
        (ARM, 63, ALLOWED),  # read
        (ARM, 117, failure(errno.EPERM)),  # ptrace
        (ARM, 97, failure(errno.EPERM)),  # unshare
        (ARM, 101, ALLOWED),  # nanosleep, ptrace's number on x86-64
    ],
)
def test_calls(machine: str, call: int, result: int) -> None:
    """What a bot needs passes; what reaches out of its sandbox fails."""
    assert decide(machine, call) == result


@pytest.mark.parametrize(("machine", "call"), [(X86, 41), (ARM, 198)])
def test_sockets(machine: str, call: int) -> None:
    """There are sockets of the Unix and internet families, and no others."""
    for family in range(50):
        allowed = family in (1, 2, 10)
        expected = ALLOWED if allowed else failure(errno.EAFNOSUPPORT)
        assert decide(machine, call, family) == expected


def test_code_for_another_machine_is_ended() -> None:
    """32-bit code on x86-64, whose calls have other numbers, is killed at its first call."""
    assert decide(X86, 0, audit=0x40000003) == KILLED


def test_there_is_none_for_other_machines() -> None:
    """A machine that it isn't written for gets no filter rather than a wrong one."""
    assert program_filter("riscv64") is None
