"""What greedy plays in tricks made by hand; hearts are trump."""

from __future__ import annotations

from pathlib import Path

import pytest

from californiajack import Ruleset, View, parse_card, parse_cards
from californiajack.bot_file import load_bot
from californiajack.observation import ME, Observation

GREEDY = load_bot(Path(__file__).parents[2] / "sample_bots" / "greedy").bot


def view_of(legal: str, led: str | None, stock_top: str | None) -> View:
    """Gives a view that shows these cards and is otherwise bare."""
    cards = bytes(sorted(parse_cards(legal)))
    return View(
        Observation(
            round_number=0,
            hand=cards,
            legal=cards,
            trump_card=parse_card("5h"),
            led=None if led is None else parse_card(led),
            stock_top=None if stock_top is None else parse_card(stock_top),
            stock_size=0 if stock_top is None else 20,
            history=b"",
            leaders=bytes((ME,)),
            drawn=b"",
            opponent_known=b"",
            opponent_unknown=0,
            unseen=b"",
            captured=b"",
            opponent_captured=b"",
            score=0,
            opponent_score=0,
            dealer=ME,
            ruleset=Ruleset(),
            move_time_ms=0,
            bank_ms=0,
        )
    )


@pytest.mark.parametrize(
    ("legal", "led", "stock_top", "expected"),
    [
        ("Tc 3c", "9c", None, "Tc"),  # wins with the ten rather than lose nothing
        ("Tc 3c", "Kc", None, "3c"),  # loses as little as it can
        ("3h 9h 4s", "2c", None, "4s"),  # no trump for a worthless trick
        ("3h 9h 4s", "Tc", None, "3h"),  # the lowest trump for a ten: 10 - 9 beats -10
        ("3h 9h 4s", "2c", "Ah", "3h"),  # or for the trump ace on the stock
        ("2h 9h 4s", "2c", None, "2h"),  # brings the trump two home
        ("4d 4c 7s", None, None, "4c"),  # leads the lowest, of the lowest suit
        ("4d Kc 7h", None, None, "Kc"),  # leads a king or an ace
        ("Td 2h 7h", None, None, "Td"),  # a ten costs less than a trump
    ],
)
def test_plays(legal: str, led: str | None, stock_top: str | None, expected: str) -> None:
    """Greedy plays the card that its description names."""
    assert GREEDY().choose(view_of(legal, led, stock_top)) is parse_card(expected)
