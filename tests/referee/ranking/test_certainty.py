"""What is sure of a ranking, and what stands under it in words."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from californiajack_referee.league.stored import RatingSettings
from californiajack_referee.ranking.certainty import Certainty, certainty
from californiajack_referee.ranking.standings import standings_of_tally
from californiajack_referee.ranking.tally import Tally
from californiajack_referee.show.notes import ranking_notes
from californiajack_referee.values import PairSums

if TYPE_CHECKING:
    from collections.abc import Mapping

SETTINGS = RatingSettings()
CLEAR = PairSums(lost=10, split=40, won=150)
EVEN = PairSums(lost=50, split=100, won=50)


def _both_ways(pairs: Mapping[tuple[str, str], PairSums]) -> dict[tuple[str, str], PairSums]:
    mirrored = {(two, one): sums.mirrored() for (one, two), sums in pairs.items()}
    return {**pairs, **mirrored}


def _sure(order: list[str], pairs: Mapping[tuple[str, str], PairSums]) -> Certainty:
    return certainty(order, _both_ways(pairs))


def _notes(order: list[str], pairs: Mapping[tuple[str, str], PairSums]) -> str:
    """Writes the notes of a ranking in which the bots stand in this order."""
    tally = Tally(SETTINGS)
    for worse in range(1, len(order)):  # the first one beats all, the last one none
        for better in range(worse):
            for _ in range(20):
                tally.add((better, worse), better, worse, fault=False)
    labels = dict(enumerate(order))
    tables = standings_of_tally(tally, labels, SETTINGS, order, _both_ways(pairs))
    assert [line.bot for line in tables.ranking] == order
    return "\n".join(ranking_notes(tables))


def test_bots_that_cant_be_told_apart_share_a_bracket() -> None:
    """A clear step begins a new bracket, and superiority is near one half within one."""
    pairs = {("a", "b"): CLEAR, ("a", "c"): CLEAR, ("b", "c"): EVEN}
    found = _sure(["a", "b", "c"], pairs)
    assert [set(bracket) for bracket in found.brackets] == [{"a"}, {"b", "c"}]
    assert [found.places[bot].bracket for bot in "abc"] == [1, 2, 2]
    above, within, last = (found.places[bot].superiority for bot in "abc")
    assert above is not None
    assert above > 0.999
    assert within == pytest.approx(0.5, abs=0.05)
    assert last is None
    assert "b and c (bracket 2)" in _notes(["a", "b", "c"], pairs)


def test_where_all_is_clear_nothing_is_said() -> None:
    """Each step is beyond doubt, both orders agree, and no circle is there."""
    pairs = {("a", "b"): CLEAR, ("b", "c"): CLEAR, ("a", "c"): PairSums(1, 9, 190)}
    assert _notes(["a", "b", "c"], pairs) == ""


def test_two_orders_that_differ_are_named() -> None:
    """Beyond doubt, or as what may be chance."""
    doubted = {("a", "b"): CLEAR.mirrored()}
    (one,) = _sure(["a", "b"], doubted).other_way_round
    assert (one.above, one.below, one.beyond_doubt) == ("a", "b", True)
    assert "puts b above a, beyond doubt" in _notes(["a", "b"], doubted)
    chance = {("a", "b"): PairSums(51, 100, 49)}
    assert not _sure(["a", "b"], chance).other_way_round[0].beyond_doubt
    assert "puts b above a, which may be chance" in _notes(["a", "b"], chance)


def test_circles_are_named() -> None:
    """A beats B, B beats C and C beats A, each beyond doubt."""
    pairs = {("a", "b"): CLEAR, ("b", "c"): CLEAR, ("a", "c"): CLEAR.mirrored()}
    assert _sure(["a", "b", "c"], pairs).circles == (("a", "b", "c"),)
    assert "a beats b, b beats c, c beats a" in _notes(["a", "b", "c"], pairs)


def test_groups_that_never_met_are_kept_apart() -> None:
    """Each has its own scale and brackets, and no superiority leads from one to the other."""
    pairs = {("a", "b"): CLEAR, ("c", "d"): CLEAR}
    found = _sure(["a", "c", "b", "d"], pairs)
    assert sorted(found.groups) == [("a", "b"), ("c", "d")]
    assert all(place.superiority is None for place in found.places.values())
    assert {found.places[bot].bracket for bot in "ac"} == {1}
    notes = _notes(["a", "c", "b", "d"], pairs)
    assert "group 1: a and b; group 2: c and d" in notes


def test_bots_without_pairs_are_told_of() -> None:
    """They have no rating and no bracket, and a sentence says so."""
    found = _sure(["a", "b", "c"], {("a", "b"): CLEAR})
    idle = found.places["c"]
    assert (idle.group, idle.bracket, idle.superiority, idle.elo.rating) == (None, None, None, None)
    assert found.places["b"].superiority is None
    assert "No whole pair of c has been played" in _notes(["a", "b", "c"], {("a", "b"): CLEAR})
    assert "No whole pair has been played yet" in _notes(["a", "b"], {})


def test_who_won_everything_has_an_open_end() -> None:
    """How much stronger a bot is that gave no point away can't be told; it is said once."""
    notes = _notes(["a", "b"], {("a", "b"): PairSums(won=50)})
    assert notes.startswith("No other bot took a point off a, so how far it stands above")
    assert "took no point" not in notes


def test_who_won_nothing_has_an_open_end() -> None:
    """The bots between have both ends, so each end is told of."""
    pairs = {("a", "b"): PairSums(won=50), ("b", "c"): PairSums(won=50)}
    notes = _notes(["a", "b", "c"], pairs)
    assert "No other bot took a point off a," in notes
    assert "c took no point off any other bot, so how far it stands below" in notes


def test_one_bot_or_none_is_no_error() -> None:
    """There is nothing to compare, and that is all that is said."""
    alone = standings_of_tally(Tally(SETTINGS), {}, SETTINGS, ["a"])
    assert ranking_notes(alone) == ["a is the only bot: there is nobody to compare it with."]
    nobody = standings_of_tally(Tally(SETTINGS), {}, SETTINGS)
    assert (nobody.ranking, ranking_notes(nobody)) == ((), [])


def test_overlapping_intervals_of_bots_told_apart_are_explained() -> None:
    """Ratings err together, so a difference may be sure where the intervals of both overlap."""
    order = list("abcdefgh")
    pairs = {
        (one, two): PairSums(20, 60, 28 if one == "a" else 20)
        for one, two in combinations(order, 2)
    }
    found = _sure(order, pairs)
    assert found.overlapping == (("a", "b"),)
    assert "intervals of a and b overlap, but the interval of the difference" in _notes(
        order, pairs
    )


def test_many_bots_are_cut_short() -> None:
    """A sentence names five bots of many and counts the others."""
    bots = [f"b{number}" for number in range(12)]
    even = dict.fromkeys(combinations(bots, 2), EVEN)
    assert "and 7 more (bracket 1)" in _notes(bots, even)


def test_many_differences_are_cut_short() -> None:
    """Five of them are named and the others counted."""
    bots = [f"b{number}" for number in range(8)]
    pairs = dict.fromkeys(combinations(bots, 2), PairSums(51, 100, 49))
    notes = _notes(bots, pairs)
    assert "and 23 more" in notes
