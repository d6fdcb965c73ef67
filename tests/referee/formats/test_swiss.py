"""The Swiss format."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from californiajack_referee.formats.matching import can_all_be_paired
from californiajack_referee.formats.swiss import Line, draw, most_rounds, usual_rounds
from californiajack_referee.league.format import Swiss

if TYPE_CHECKING:
    from collections.abc import Callable


def _brute(neighbours: list[list[int]], left: frozenset[int]) -> bool:
    """Tells by trying all whether some vertices can be paired."""
    if not left:
        return True
    first = min(left)
    return any(
        other in left and _brute(neighbours, left - {first, other}) for other in neighbours[first]
    )


@given(st.integers(0, 9), st.data())
def test_pairing_all_is_found_possible_where_it_is(size: int, data: st.DataObject) -> None:
    """The search for a matching agrees with trying all."""
    possible = [*combinations(range(size), 2)]
    edges = data.draw(st.sets(st.sampled_from(possible))) if possible else set()
    neighbours: list[list[int]] = [[] for _ in range(size)]
    for one, two in edges:
        neighbours[one].append(two)
        neighbours[two].append(one)
    assert can_all_be_paired(neighbours) == _brute(neighbours, frozenset(range(size)))


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 6, 7, 8, 9, 16, 31, 40])
def test_nobody_meets_twice_and_byes_go_round(entrants: int, paper: Callable[..., Any]) -> None:
    """With the usual rounds nobody meets a bot twice, plays twice in a round or has two byes."""
    there = paper(
        Swiss(usual_rounds(entrants)), [place % 7 / 3 for place in range(entrants)], 2, entrants
    )
    there.play_all()
    rounds = there.course.decider.rounds
    assert len(rounds) == usual_rounds(entrants)
    met = Counter((m.first, m.second) for one in rounds for m in one.meetings)
    assert set(met.values()) == {1}
    for one in rounds:
        seen = [place for m in one.meetings for place in (m.first, m.second)]
        seen += [one.bye] if one.bye is not None else []
        assert sorted(seen) == list(range(entrants))
        assert (one.bye is None) == (entrants % 2 == 0)
    byes = Counter(one.bye for one in rounds if one.bye is not None)
    assert set(byes.values()) <= {1}


@pytest.mark.parametrize("entrants", [2, 4, 5, 6, 8])
def test_as_many_rounds_as_there_can_be(entrants: int, paper: Callable[..., Any]) -> None:
    """Where a draw has no other way, two meet again, on new deals, and it is told."""
    again = 0
    for seed in range(10):
        there = paper(Swiss(most_rounds(entrants)), [0.0] * entrants, 3, seed)
        there.play_all()
        met: set[tuple[int, int]] = set()
        for one in there.course.decider.rounds:
            for meeting in one.meetings:
                places = (meeting.first, meeting.second)
                assert meeting.again == (places in met)
                assert (meeting.deals.start > 0) == meeting.again
                met.add(places)
                again += meeting.again
    assert again == 0 or entrants > 4


def test_bots_of_one_score_meet() -> None:
    """The top half of a score group meets its bottom half; who is over meets the next score."""
    lines = [Line(place, points) for place, points in enumerate([4, 4, 4, 4, 2, 2, 2, 0])]
    drawn, bye = draw(lines, Counter())
    assert drawn == [(0, 2), (1, 3), (4, 5), (6, 7)]
    assert bye is None
    drawn, bye = draw(lines[:7], Counter({(0, 2): 1}))
    assert drawn == [(0, 3), (1, 2), (4, 5)]
    assert bye == 6


def test_a_bye_is_a_match_won(paper: Callable[..., Any]) -> None:
    """In the standing it counts a point, and no game; the strongest bot ends up first."""
    there = paper(Swiss(3), [0.0, 5.0, 1.0, 2.0, 3.0], 10)
    there.play_all()
    lines = there.course.decider.standing(there.played)
    assert [lines[0].place, lines[0].points] == [1, 3.0]
    assert sum(line.half_points for line in lines) == 2 * 3 * 3
    assert sum(line.byes for line in lines) == 3
    for line in lines:
        assert line.won + line.lost == 2 * 10 * (3 - line.byes)
