"""The schedule."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from californiajack_referee.schedule import (
    LONGEST_BLOCK,
    Block,
    Leg,
    blocks,
    blocks_to_play,
    fixtures,
    legs,
    missing_deals,
    pairing_number,
    pairings,
    round_robin,
    seated,
)
from californiajack_referee.values import GameId

ENTRANTS = st.integers(2, 6)
PAIRS = st.integers(1, 12)
LONGEST = st.integers(1, 5)


def _ids(some: list[Block]) -> list[GameId]:
    return [
        GameId("night", block.leg.pairing, deal, block.leg.seating)
        for block in some
        for deal in block.deals
    ]


def _finished(ids: set[GameId]) -> dict[Leg, set[int]]:
    finished: dict[Leg, set[int]] = {}
    for game in ids:
        finished.setdefault(Leg(game.pairing, game.seating), set()).add(game.deal)
    return finished


@given(ENTRANTS)
def test_every_two_entrants_meet_in_one_pairing(entrants: int) -> None:
    """Each pair of entrants is one pairing, and nobody meets itself."""
    met = [frozenset(pairing) for pairing in pairings(entrants)]
    assert Counter(met) == Counter(map(frozenset, combinations(range(entrants), 2)))


@given(ENTRANTS)
def test_a_pairing_is_found_by_its_places(entrants: int) -> None:
    """The number of two places is where they stand among the pairings."""
    found = [pairing_number(entrants, *places) for places in pairings(entrants)]
    assert found == list(range(len(found)))


def test_the_second_seating_swaps_the_seats() -> None:
    """A pair seats both bots both ways."""
    assert seated((2, 5), 0) == (2, 5)
    assert seated((2, 5), 1) == (5, 2)


@given(ENTRANTS, PAIRS)
def test_each_fixture_is_there_once_in_canonical_order(entrants: int, pairs: int) -> None:
    """The schedule has every deal of every pairing in both seatings, once, deal by deal."""
    games = list(fixtures("night", entrants, pairs))
    assert games == sorted(set(games), key=lambda g: (g.deal, g.pairing, g.seating))
    assert len(games) == entrants * (entrants - 1) * pairs
    seatings: dict[tuple[int, int], set[int]] = {}
    for game in games:
        seatings.setdefault((game.pairing, game.deal), set()).add(game.seating)
    assert set(seatings) == {(p, d) for p in range(len(pairings(entrants))) for d in range(pairs)}
    assert all(both == {0, 1} for both in seatings.values())


@given(ENTRANTS, PAIRS, LONGEST, st.data())
def test_what_is_played_on_resume_is_the_difference(
    entrants: int, pairs: int, longest: int, data: st.DataObject
) -> None:
    """Finished games and those in blocks make up the schedule, and share none."""
    everything = list(fixtures("night", entrants, pairs))
    finished = data.draw(st.sets(st.sampled_from(everything)))
    to_play = _ids(blocks_to_play(round_robin(entrants, pairs), _finished(finished), longest))
    assert Counter(to_play) == Counter(everything) - Counter(finished)


@given(ENTRANTS, PAIRS, LONGEST)
def test_the_two_games_of_a_pair_are_never_in_one_block(
    entrants: int, pairs: int, longest: int
) -> None:
    """A block has each deal once, in one seating, and no more deals than allowed."""
    for block in blocks_to_play(round_robin(entrants, pairs), {}, longest):
        assert 1 <= len(block.deals) <= longest
        assert list(block.deals) == sorted(set(block.deals))


@given(ENTRANTS, PAIRS, LONGEST)
def test_all_pairings_get_on_evenly(entrants: int, pairs: int, longest: int) -> None:
    """At no time is one leg ahead of another one by more than a block."""
    played = Counter(dict.fromkeys(legs(entrants), 0))
    for block in blocks_to_play(round_robin(entrants, pairs), {}, longest):
        played[block.leg] += len(block.deals)
        assert max(played.values()) - min(played.values()) <= longest


def test_a_leg_that_lags_behind_comes_first() -> None:
    """On resume the lowest missing deals are played first."""
    finished = {leg: set(range(4)) for leg in legs(3)} | {Leg(1, 1): {0, 1}}
    first, *_ = blocks_to_play(round_robin(3, 8), finished, 4)
    assert first == Block((2, 3, 4, 5), Leg(1, 1))


def test_finished_legs_have_nothing_missing() -> None:
    """A leg whose deals all have a result gives no block."""
    finished = {Leg(0, 0): {0, 1, 2}}
    assert missing_deals(round_robin(2, 3), finished) == {Leg(0, 0): (), Leg(0, 1): (0, 1, 2)}
    assert [block.leg for block in blocks_to_play(round_robin(2, 3), finished)] == [Leg(0, 1)]


@pytest.mark.parametrize(
    ("deals", "sizes"),
    [(0, []), (LONGEST_BLOCK, [LONGEST_BLOCK]), (LONGEST_BLOCK + 1, [LONGEST_BLOCK, 1])],
)
def test_a_block_has_at_most_so_many_deals(deals: int, sizes: list[int]) -> None:
    """What doesn't fit into the usual longest block makes another one."""
    assert [len(block.deals) for block in blocks(Leg(0, 0), range(deals))] == sizes
