"""On which processors real processes run, and how they take turns."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from californiajack_referee.sandbox.processes import threads_of, tree_of
from californiajack_referee.sandbox.processors import allowed_processors, run_in_batch, run_on

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(
    not allowed_processors(), reason="this system doesn't tell of processors"
)
FAMILY = """
import subprocess, sys, threading, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
print("ready", flush=True)
time.sleep(60)
"""


@pytest.fixture
def family() -> Iterator[int]:
    """A process with two threads and a child; gives its number."""
    command = [sys.executable, "-c", FAMILY]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process.pid
        os.killpg(process.pid, 9)


def test_a_process_moves_with_all_that_is_its(family: int) -> None:
    """Threads and children too, and back again; nobody else moves."""
    everything = allowed_processors()
    last = frozenset({max(everything)})
    threads = [thread for process in tree_of(family) for thread in threads_of(process)]
    assert len(tree_of(family)) == 2
    assert len(threads) == 3
    for processors in (last, everything):
        run_on(family, processors)
        assert [os.sched_getaffinity(thread) for thread in threads] == [processors] * 3
        assert allowed_processors() == everything
    run_on(family, frozenset())  # where nothing is known of processors, nothing is done
    assert os.sched_getaffinity(family) == everything


def test_a_process_moves_alone(family: int) -> None:
    """Its two threads do, its child doesn't, where that is asked for."""
    everything = allowed_processors()
    last = frozenset({max(everything)})
    run_on(family, last, descendants=False)
    (child,) = tree_of(family)[1:]
    assert [os.sched_getaffinity(thread) for thread in threads_of(family)] == [last] * 2
    assert os.sched_getaffinity(child) == everything


def test_a_process_waits_with_all_that_is_its(family: int) -> None:
    """Threads and children too, and as usual again; without children where that is asked for."""
    threads = [thread for process in tree_of(family) for thread in threads_of(process)]
    for batch, policy in ((True, os.SCHED_BATCH), (False, os.SCHED_OTHER)):
        run_in_batch(family, batch=batch)
        assert [os.sched_getscheduler(thread) for thread in threads] == [policy] * 3
    run_in_batch(family, batch=True, descendants=False)
    (child,) = tree_of(family)[1:]
    assert os.sched_getscheduler(family) == os.SCHED_BATCH
    assert os.sched_getscheduler(child) == os.SCHED_OTHER
    assert os.sched_getscheduler(0) == os.SCHED_OTHER


def test_who_gives_way_to_all_goes_on_doing_so(family: int) -> None:
    """A process that has asked for terms of its own keeps them."""
    os.sched_setscheduler(family, os.SCHED_IDLE, os.sched_param(0))
    for batch in (True, False):
        run_in_batch(family, batch=batch, descendants=False)
        assert os.sched_getscheduler(family) == os.SCHED_IDLE


def test_what_is_gone_is_no_error() -> None:
    """A process may end at any moment."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    run_on(process.pid, allowed_processors())
    run_in_batch(process.pid, batch=True)
