"""What the system tells of processes: real ones that work, sleep, stop and have children."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from californiajack_referee.play.usage import (
    CpuMeter,
    ShareWatch,
    cpu_seconds_of,
    usage_of,
)
from californiajack_referee.sandbox.processes import tree_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Starter = Callable[[str], subprocess.Popen[bytes]]

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="reads /proc, which this system hasn't"
)
SPIN = "while True: pass"
SLEEP = "import time; time.sleep(60)"
PARENT = f"""
import subprocess, sys
subprocess.Popen([sys.executable, "-c", {SPIN!r}])
import time; time.sleep(60)
"""


@pytest.fixture
def start() -> Iterator[Starter]:
    """Starts Python programs, each in a group of its own, and ends them after the test."""
    started: list[subprocess.Popen[bytes]] = []

    def run(program: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen([sys.executable, "-c", program], start_new_session=True)
        started.append(process)
        return process

    yield run
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wait_until(so: Callable[[], bool]) -> None:
    """Waits until something is so, 15 seconds at most."""
    until = time.monotonic() + 15
    while not so():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.02)


def test_cpu_time_counts_descendants(start: Starter) -> None:
    """A process that sleeps while its child works has used what the child has."""
    pid = start(PARENT).pid
    wait_until(lambda: len(tree_of(pid)) == 2)
    before = cpu_seconds_of(tree_of(pid)) or 0.0
    wait_until(lambda: (cpu_seconds_of(tree_of(pid)) or 0.0) > before + 0.2)


def test_a_sleeper_uses_nothing(start: Starter) -> None:
    """Neither its time on a processor nor its waiting for one grows; stopped, the same."""
    pid = start(SLEEP).pid
    for stop in (False, True):
        if stop:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(0.5)
        watch = ShareWatch(pid)
        watch.look(0.0)
        before = cpu_seconds_of(tree_of(pid))
        time.sleep(0.5)
        assert watch.starved(0.0) < 0.05
        assert (cpu_seconds_of(tree_of(pid)) or 0.0) - (before or 0.0) < 0.05


def test_processes_that_share_a_processor_wait_for_it(
    start: Starter,
) -> None:
    """Of five that spin on one processor, each is starved for most of the time."""
    pids = [start(SPIN).pid for _ in range(5)]
    allowed = os.sched_getaffinity(0)
    for pid in [0, *pids]:
        os.sched_setaffinity(pid, {min(allowed)})
    try:
        time.sleep(0.3)
        watch = ShareWatch(pids[0])
        watch.look(7.0)
        time.sleep(1.0)
        assert watch.starved(7.0) > 0.4
        assert watch.starved(8.0) == 0.0  # another wait, which nobody watched
    finally:
        os.sched_setaffinity(0, allowed)


@pytest.mark.parametrize(
    "asks", ["os.nice(5)", "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})"]
)
def test_threads_that_ask_for_less_are_not_starved(start: Starter, asks: str) -> None:
    """A process that asks to be served last, or on one processor, has no delay to speak of."""
    pid = start(f"import os\n{asks}\nimport signal\nsignal.pause()").pid

    def has_asked() -> bool:
        nice = os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, 0)
        return nice or os.sched_getaffinity(pid) < os.sched_getaffinity(0)

    if len(os.sched_getaffinity(0)) == 1 and "affinity" in asks:
        pytest.skip("needs two processors")
    wait_until(has_asked)
    usage = usage_of(pid)
    assert usage is not None
    assert not usage.threads


def test_a_process_that_is_gone(start: Starter) -> None:
    """Nothing is told of it, and it is not starved."""
    process = start(SLEEP)
    pid = process.pid
    watch = ShareWatch(pid)
    watch.look(0.0)
    process.kill()
    process.wait()
    assert cpu_seconds_of(tree_of(pid)) is None
    assert usage_of(pid) is None
    assert watch.starved(0.0) == 0.0


def test_a_meter_reads_now_and_then() -> None:
    """Two questions within 20 ms are one reading."""
    meter = CpuMeter(os.getpid())
    first = meter.seconds(1.0)
    until = time.process_time() + 0.1
    while time.process_time() < until:
        pass
    assert first is not None
    assert meter.seconds(1.01) == first
    later = meter.seconds(1.1)
    assert later is not None
    assert later > first
