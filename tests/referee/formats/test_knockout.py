"""The knockout format."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from californiajack_referee.formats.knockout import Ending, looks, seeding, tail
from californiajack_referee.league.format import Knockout
from californiajack_referee.values import PairSums

if TYPE_CHECKING:
    from collections.abc import Callable


def test_the_best_meet_last() -> None:
    """The bracket is the usual one: 1 to 8, 4 to 5, 2 to 7, 3 to 6; byes go to the best."""
    assert seeding(8) == [0, 7, 3, 4, 1, 6, 2, 5]
    assert seeding(5) == [0, None, 3, 4, 1, None, 2, None]
    assert seeding(2) == [0, 1]


def test_matches_are_looked_at_now_and_then() -> None:
    """After 10 pairs, then twice as many each time, the limit last."""
    assert looks(100) == (10, 20, 40, 80, 100)
    assert looks(10) == (10,)
    assert looks(3) == (3,)
    assert looks(11) == (10, 11)


@pytest.mark.parametrize("entrants", [2, 3, 5, 8, 11])
def test_the_better_bot_wins(entrants: int, paper: Callable[..., Any]) -> None:
    """Where strengths are far apart the best wins all; each match but byes is played to its end."""
    strengths = [3.0 * (place * 7 % entrants) for place in range(entrants)]
    there = paper(Knockout(), strengths, 50)
    there.play_all()
    rounds = there.course.decider.rounds
    final = rounds[-1][0]
    assert final.winner == strengths.index(max(strengths))
    matches = [match for one in rounds for match in one]
    assert sum(match.ending is not Ending.BYE for match in matches) == entrants - 1
    for match in matches:
        if match.ending is Ending.BYE:
            assert match.winner == match.first
            assert match in rounds[0]
        else:
            assert match.ending is Ending.BEYOND_DOUBT
            assert match.pairs == 10 == there.course.decider.score_of(match, there.played).pairs


def test_at_the_limit_the_score_decides_then_the_seed(paper: Callable[..., Any]) -> None:
    """Equal bots play on to the limit nearly always, and then the better score goes on."""
    endings = []
    for seed in range(60):
        there = paper(Knockout(0.1), [0.0, 0.0], 12, seed)
        there.play_all()
        ((match,),) = there.course.decider.rounds
        score = there.course.decider.score_of(match, there.played)
        endings.append(match.ending)
        if match.ending is Ending.BETTER_SEED:
            assert (score.won, match.winner) == (score.lost, 0)
        else:
            assert match.winner == (0 if score.won > score.lost else 1)
    assert endings.count(Ending.BETTER_SEED) > 3
    assert endings.count(Ending.BEYOND_DOUBT) <= 9


def test_equal_bots_seldom_end_a_match_early() -> None:
    """Over all looks together it happens no more often than the doubt allows: counted exactly."""
    doubt = Fraction(1, 20)
    for limit in (20, 50, 100):
        stops = looks(limit)[:-1]
        there = {0: Fraction(1)}  # by the pairs won more than lost, of those going on
        ended = Fraction(0)
        played = 0
        decisive_pairs = 0
        # with no split pairs, which only make the test stricter, the lead is all there is
        for stop in stops:
            for _ in range(stop - played):
                after: dict[int, Fraction] = {}
                for lead, chance in there.items():
                    for step in (-1, 1):
                        after[lead + step] = after.get(lead + step, Fraction(0)) + chance / 2
                there = after
            decisive_pairs += stop - played
            played = stop
            for lead in list(there):
                won = (decisive_pairs + lead) // 2
                if tail(PairSums(decisive_pairs - won, 0, won)) * len(stops) <= doubt:
                    ended += there.pop(lead)
        assert 0 < ended <= doubt


def test_a_match_that_may_be_decided_may_also_have_to_go_on() -> None:
    """The exact sign test: 10 to 0 is one case in 512, 9 to 1 eleven in 512, even is no doubt."""
    assert tail(PairSums(0, 5, 10)) == Fraction(1, 512)
    assert tail(PairSums(9, 0, 1)) == Fraction(11, 512)
    assert tail(PairSums(3, 9, 3)) == 1
    assert tail(PairSums(0, 7, 0)) == 1
