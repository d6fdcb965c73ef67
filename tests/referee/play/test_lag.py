"""When the machine is to blame for a late answer: the decision, and the referee's own lateness."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from californiajack_referee.play.lag import Lateness, Usage, excuse, starved_seconds

seconds = st.floats(0, 100)


@pytest.mark.parametrize(
    ("cpu", "threads", "starved"),
    [
        (0.0, {1: (0.0, 0.0)}, 0.0),  # asleep or stopped: never ready to run
        (0.1, {1: (0.1, 9.9)}, 9.9),  # ready all the time, and served hardly ever
        (5.0, {1: (5.0, 5.0)}, 5.0),  # had every other slice
        (10.0, {1: (10.0, 0.0)}, 0.0),  # had all it wanted
        (10.0, {1: (3.0, 7.0), 2: (3.0, 7.0), 3: (4.0, 6.0)}, 0.0),  # wait for each other
        (20.0, {1: (5.0, 5.0)}, 0.0),  # behind children of its own, on two processors
        (5.0, {1: (0.1, 4.9), 2: (4.9, 0.1)}, 0.0),  # in bursts, and idle for half the time
        (4.0, {1: (2.0, 8.0), 2: (2.0, 8.0)}, 12.0),  # two threads and others beside them
        (0.3, {1: (0.1, 0.4), 2: (0.1, 0.5), 3: (0.1, 0.0)}, 0.5),  # one after the other
        (0.5, {1: (0.5, 0.25)}, 0.25),  # ready now and then
        (0.0, {}, 0.0),  # gone
    ],
)
def test_who_was_starved(
    cpu: float, threads: dict[int, tuple[float, float]], starved: float
) -> None:
    """Only a bot that was ready to run, for longer than its own other threads were in the way."""
    before = Usage(3.0, dict.fromkeys(threads, (1.0, 1.0)))
    after = Usage(3.0 + cpu, {t: (1.0 + ran, 1.0 + late) for t, (ran, late) in threads.items()})
    assert starved_seconds(before, after, 10.0, 2) == pytest.approx(starved)


def test_a_thread_that_is_new() -> None:
    """All of its delay counts."""
    assert starved_seconds(Usage(0.0, {}), Usage(1.0, {7: (1.0, 4.0)}), 10.0, 1) == 4.0


def test_a_bot_that_wants_more_than_there_is() -> None:
    """Three busy threads on two processors would be late alone on them, too."""
    before = Usage(0.0, {})
    for busy, starved in ((1, 0.9), (2, 1.6), (3, 0.0)):
        after = Usage(0.1 * busy, dict.fromkeys(range(busy), (0.1, 0.9)))
        assert starved_seconds(before, after, 1.0, processors=2) == pytest.approx(starved)


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(0.01, 1)), max_size=20))
def test_a_bot_alone_on_a_processor_is_never_starved(slices: list[tuple[int, float]]) -> None:
    """However its threads take turns, and all others wait meanwhile: nobody else was there."""
    ran = dict.fromkeys(range(4), 0.0)
    delays = dict.fromkeys(range(4), 0.0)
    for thread, length in slices:
        ran[thread] += length
        for other in delays.keys() - {thread}:
            delays[other] += length
    after = Usage(sum(ran.values()), {t: (ran[t], delays[t]) for t in ran})
    assert starved_seconds(Usage(0.0, {}), after, 20.0, 4) == pytest.approx(0.0, abs=1e-9)


def test_the_words_of_an_excuse() -> None:
    """They tell which of the two it was, and how much of the wait it took; the worse of both."""
    assert excuse(2.0, referee_late=0.75, starved=1.5) == "it got no processor for 1.50 s of 2.00 s"
    late = excuse(2.0, referee_late=0.75, starved=0.5)
    assert late == "the referee was held up for 0.75 s of 2.00 s"


@given(waited=seconds, referee_late=seconds, starved=seconds)
def test_an_excuse_needs_a_tenth_of_the_wait(
    waited: float, referee_late: float, starved: float
) -> None:
    """Less than a tenth of it, or than 50 ms, excuses nothing, both causes taken together."""
    found = excuse(waited, referee_late=referee_late, starved=starved)
    assert bool(found) == (referee_late + starved >= max(0.05, 0.1 * waited))


def test_lateness_adds_up_within_a_time() -> None:
    """Each delay counts as far as it lies in the time asked for; what is on time doesn't."""
    lateness = Lateness()
    for planned, came in ((1.0, 1.005), (2.0, 3.0), (4.0, 4.5)):
        lateness.plan(planned)
        lateness.arrive(came)
    assert lateness.within(0.0, 5.0) == 1.5
    assert lateness.within(2.5, 4.25) == 0.75
    assert lateness.within(3.0, 4.0) == 0.0


def test_lateness_counts_before_it_is_over() -> None:
    """What is late now is late already: an answer may be looked at before the next round comes."""
    lateness = Lateness()
    assert lateness.within(0.0, 9.0) == 0.0
    lateness.plan(2.0)
    assert lateness.within(0.0, 9.0) == 7.0
    assert lateness.within(0.0, 1.0) == 0.0
    lateness.arrive(9.0)
    assert lateness.within(0.0, 20.0) == 7.0
