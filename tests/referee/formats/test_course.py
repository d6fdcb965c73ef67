"""The course of a tournament: what decides a stage, and what doesn't."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from californiajack_referee.formats.course import Course
from californiajack_referee.league.format import (
    FORMATS,
    Adaptive,
    Format,
    Gauntlet,
    Knockout,
    Match,
    RoundRobin,
    Swiss,
    format_data,
    format_of,
)
from californiajack_referee.schedule import pairings

if TYPE_CHECKING:
    from collections.abc import Callable

STRENGTHS = [0.3, 1.2, 0.0, 0.9, 0.6]
SOME: list[Format] = [
    *(RoundRobin(), Gauntlet(2), Swiss(3), Knockout()),
    Adaptive(start_pairs=5, games=300, step_pairs=40),
]
ALONE: list[Format] = [Match(), Match(sequential=False)]
PAIRS = 25


def _strengths(settings: Format) -> list[float]:
    """Gives the strengths of as many bots as the format may have."""
    return STRENGTHS[1:3] if isinstance(settings, Match) else STRENGTHS


@pytest.mark.parametrize("settings", [*SOME, *ALONE])
def test_the_order_of_arrival_decides_nothing(settings: Format, paper: Callable[..., Any]) -> None:
    """Asked after each pair, or once at the end, a course gives the same stages."""
    whole = paper(settings, _strengths(settings), PAIRS)
    whole.play_all()
    for seed in range(2):
        rng = random.Random(seed)
        course = Course(settings, len(_strengths(settings)), PAIRS)
        played: dict[int, dict[int, int]] = {}
        while not course.over:
            stage = course.stages[-1]
            todo = [(pairing, deal) for pairing, deals in stage.deals.items() for deal in deals]
            rng.shuffle(todo)
            for number, (pairing, deal) in enumerate(todo):
                assert number == 0 or course.go_on(played) is None
                played.setdefault(pairing, {})[deal] = whole.played[pairing][deal]
            course.go_on(played)
        assert course.stages == whole.course.stages
    resumed = Course(settings, len(_strengths(settings)), PAIRS)
    resumed.go_on(whole.played)
    assert resumed.over
    assert resumed.stages == whole.course.stages


@pytest.mark.parametrize("settings", [*SOME, *ALONE])
def test_games_that_are_not_wanted_yet_decide_nothing(
    settings: Format, paper: Callable[..., Any]
) -> None:
    """Whatever else is in the log, a stage is decided by the stages before it."""
    clean = paper(settings, _strengths(settings), PAIRS)
    clean.play_all()
    noise = {
        pairing: {
            deal: clean.played.get(pairing, {}).get(deal, 2) for deal in range(3 * PAIRS + 40)
        }
        for pairing in range(len(pairings(len(_strengths(settings)))))
    }
    course = Course(settings, len(_strengths(settings)), PAIRS)
    course.go_on(noise)
    assert course.stages == clean.course.stages


@pytest.mark.parametrize("settings", [*SOME, *ALONE])
def test_totals_are_true(settings: Format, paper: Callable[..., Any]) -> None:
    """The total never grows, is exact where nothing may end early, and is what was played."""
    there = paper(settings, _strengths(settings), PAIRS)
    totals = [there.course.total]
    while not there.course.over:
        there.play()
        there.course.go_on(there.played)
        totals.append(there.course.total)
    assert totals == sorted(totals, reverse=True)
    assert totals[-1] == 2 * sum(map(len, there.played.values()))
    if not Course(settings, len(_strengths(settings)), PAIRS).may_end_early:
        assert len(set(totals)) == 1
    bound = settings.most_deals(PAIRS)
    assert max(deal for deals in there.played.values() for deal in deals) < bound


def test_a_gauntlet_has_its_challengers_meet_the_others() -> None:
    """Neither the challengers nor the others meet each other."""
    course = Course(Gauntlet(2), 5, 7)
    met = [pairings(5)[pairing] for pairing in course.wanted]
    assert met == [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)]
    assert course.total == 2 * 6 * 7
    assert course.has_one_stage


@pytest.mark.parametrize("kind", FORMATS)
def test_a_format_comes_back_from_its_data(kind: str) -> None:
    """What is stored of a format is all of it."""
    made = Swiss(4) if kind == "swiss" else FORMATS[kind]()  # type: ignore[call-arg] # the others have defaults
    assert format_of(format_data(made)) == made
    assert format_data(made)["kind"] == kind
