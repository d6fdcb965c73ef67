"""Ratings depend on the results and on nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import trueskill
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from californiajack_referee.league.stored import RatingSettings
from californiajack_referee.ranking.rating import in_canonical_order, rate

if TYPE_CHECKING:
    from collections.abc import Callable

    from californiajack_referee.league.stored import StoredGame

BOTS = ("ant", "bee", "cat")
PAIRINGS = ((0, 1), (0, 2), (1, 2))


def _log(game_of: Callable[..., StoredGame], winners: list[int]) -> list[StoredGame]:
    """Makes games of two round robins of three bots, one a winner."""
    slots = [
        (tournament, pairing, deal, seating)
        for tournament in ("night", "day")
        for deal in range(3)
        for pairing in range(3)
        for seating in (0, 1)
    ]
    return [
        game_of(
            BOTS[PAIRINGS[pairing][seating]],
            BOTS[PAIRINGS[pairing][1 - seating]],
            winner,
            tournament=tournament,
            pairing=pairing,
            deal=deal,
            seating=seating,
        )
        for (tournament, pairing, deal, seating), winner in zip(slots, winners, strict=False)
    ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(
    st.lists(st.sampled_from((0, 1)), min_size=1, max_size=36), st.randoms(use_true_random=False)
)
def test_arrival_order_never_matters(
    game_of: Callable[..., StoredGame], winners: list[int], shuffler: object
) -> None:
    """However the games come in, every number is the same to the last bit."""
    log = _log(game_of, winners)
    mixed = list(log)
    shuffler.shuffle(mixed)  # type: ignore[attr-defined]
    assert rate(mixed, ["night", "day"], RatingSettings()) == rate(
        log, ["night", "day"], RatingSettings()
    )


def test_canonical_order_goes_deal_by_deal(game_of: Callable[..., StoredGame]) -> None:
    """Tournaments come by creation, then deals, then pairings, then seatings."""
    log = _log(game_of, [0] * 36)
    assert in_canonical_order(reversed(log), ["night", "day"]) == log
    other = in_canonical_order(log, ["day", "night"])
    assert [game.id.tournament for game in other] == ["day"] * 18 + ["night"] * 18


def test_the_order_of_the_log_does_count(game_of: Callable[..., StoredGame]) -> None:
    """TrueSkill depends on the order, which is why there has to be a canonical one."""
    log = _log(game_of, [0, 1, 1, 0, 0, 0, 1] * 3)
    assert rate(log, ["night", "day"], RatingSettings()) != rate(
        log, ["day", "night"], RatingSettings()
    )


def test_numbers_are_trueskills_own(game_of: Callable[..., StoredGame]) -> None:
    """One game gives what the published algorithm gives for a win without draws."""
    found = rate([game_of("ant", "bee", 1)], ["night"], RatingSettings())
    # from the closed form for two players: mu moves by sigma^2 / c * v(0)
    c = (2 * (25 / 6) ** 2 + 2 * ((25 / 3) ** 2 + (25 / 300) ** 2)) ** 0.5
    step = ((25 / 3) ** 2 + (25 / 300) ** 2) / c * (2 / 3.141592653589793) ** 0.5
    assert found["bee@1"].mu == pytest.approx(25 + step, abs=1e-4)
    assert found["ant@1"].mu == pytest.approx(25 - step, abs=1e-4)
    assert found["bee@1"].lower_bound == found["bee@1"].mu - 3 * found["bee@1"].sigma


def test_settings_are_those_of_the_tournament(game_of: Callable[..., StoredGame]) -> None:
    """Other parameters, other numbers; the package's global environment stays as it was."""
    before = trueskill.global_env().mu
    other = RatingSettings(mu=1500, sigma=500, beta=250, tau=5)
    found = rate([game_of("ant", "bee", 0)], ["night"], other)
    assert 1500 < found["ant@1"].mu < 2000
    assert trueskill.global_env().mu == before


def test_void_games_count_for_nothing(game_of: Callable[..., StoredGame]) -> None:
    """A game without a winner leaves all ratings as they were."""
    log = _log(game_of, [0, 1, 1, 0, 0])
    void = game_of("ant", "bee", None, deal=1)
    assert rate([*log, void], ["night"], RatingSettings()) == rate(log, ["night"], RatingSettings())
    assert rate([void], ["night"], RatingSettings()) == {}


def test_a_long_run_of_wins_and_an_upset_can_be_rated(game_of: Callable[..., StoredGame]) -> None:
    """Thousands of wins in a row, then a loss, give finite numbers and no error."""
    log = [game_of("ant", "bee", 0, deal=deal) for deal in range(5000)]
    log.append(game_of("ant", "bee", 1, deal=5000))
    found = rate(log, ["night"], RatingSettings())
    assert found["ant@1"].mu > found["bee@1"].mu
    assert 0 < found["ant@1"].sigma < 25 / 3
