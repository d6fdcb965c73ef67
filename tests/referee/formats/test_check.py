"""What settings of a format are refused."""

from __future__ import annotations

import math

import pytest

from californiajack import InputError
from californiajack_referee.formats.check import check_format, usual_games, usual_pairs
from californiajack_referee.formats.swiss import most_rounds, usual_rounds
from californiajack_referee.league.format import (
    Adaptive,
    Format,
    Gauntlet,
    Knockout,
    Match,
    RoundRobin,
    Swiss,
)


@pytest.mark.parametrize(
    ("settings", "entrants", "words"),
    [
        (Gauntlet(0), 3, "challengers: expected a whole number from 1 to 2, got 0"),
        (Gauntlet(3), 3, "from 1 to 2, got 3"),
        (Swiss(0), 4, "rounds: expected a whole number from 1 to 3"),
        (Swiss(4), 4, "as 4 bots meet nobody twice, got 4"),
        (Swiss(6), 5, "from 1 to 5"),
        (Knockout(0.0), 4, "doubt: expected a number above 0 and below 1"),
        (Knockout(math.nan), 4, "doubt"),
        (Adaptive(certainty=0.5), 4, "certainty: expected a number above 0.5 and below 1"),
        (Adaptive(games=11), 4, "games: expected a whole number from 12"),
        (
            Adaptive(games=120, start_pairs=11),
            4,
            "start_pairs: expected a whole number from 1 to 10, got 11",
        ),
        (Adaptive(step_pairs=0), 4, "step_pairs"),
        (Match(), 3, "match: expected two bots, got 3"),
        (Match(elo0=5, elo1=5), 2, "expected elo0 below elo1"),
        (Match(elo1=1e300), 2, "elo1: expected a number from -2000 to 2000"),
        (Match(elo1=math.inf), 2, "expected elo0 below elo1"),
        (Match(alpha=0.5), 2, "alpha"),
    ],
)
def test_settings_that_cannot_be_played_are_told(
    settings: Format, entrants: int, words: str
) -> None:
    """The message names the setting, its range and what was found."""
    with pytest.raises(InputError, match=words):
        check_format(settings, entrants)


@pytest.mark.parametrize("entrants", [2, 3, 9, 40])
def test_the_usual_settings_can_be_played(entrants: int) -> None:
    """Whatever the number of bots, what is usual is in range."""
    formats: list[Format] = [
        *(RoundRobin(), Gauntlet(), Swiss(usual_rounds(entrants)), Knockout()),
        *(Swiss(most_rounds(entrants)), Adaptive(games=usual_games(entrants))),
    ]
    for settings in (*formats, *((Match(),) if entrants == 2 else ())):
        check_format(settings, entrants)
        assert 1 <= usual_pairs(settings) <= settings.most_deals(usual_pairs(settings))
