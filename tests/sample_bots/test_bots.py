"""The Python sample bots, played against each other without a referee."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from californiajack.bot_file import load_bot
from californiajack.local import play_game, play_match

if TYPE_CHECKING:
    from pathlib import Path

    from californiajack import Ruleset

NAMES = ("random", "greedy", "counting")
SEED = bytes(range(16))


@pytest.mark.parametrize("name", NAMES)
def test_plays_whole_games(sample_bots: Path, name: str, ruleset: Ruleset) -> None:
    """A sample bot plays every game to its end with legal cards, whatever the ruleset.

    An illegal card or an exception would end the game with a BotError.
    """
    bot = load_bot(sample_bots / name).bot
    other = load_bot(sample_bots / "random").bot
    for deal in range(2):
        record = play_game(bot, other, seed=SEED, deal=deal, ruleset=ruleset)
        assert max(record.rounds[-1].score or ()) >= ruleset.target


@pytest.mark.parametrize("name", NAMES)
def test_plays_the_same_game_again(sample_bots: Path, name: str, ruleset: Ruleset) -> None:
    """With the same seed a sample bot plays the same game again, card by card."""
    bot = load_bot(sample_bots / name).bot
    again = load_bot(sample_bots / name).bot
    first = play_game(bot, bot, seed=SEED, deal=7, ruleset=ruleset)
    assert play_game(again, again, seed=SEED, deal=7, ruleset=ruleset) == first


@pytest.mark.parametrize(
    ("stronger", "weaker"), [("counting", "greedy"), ("counting", "random"), ("greedy", "random")]
)
def test_order_of_strength(sample_bots: Path, stronger: str, weaker: str, ruleset: Ruleset) -> None:
    """Counting is stronger than greedy, and greedy than random, whatever the ruleset.

    Over many deals each wins more than 90 % of these games; 70 % of 24 leaves a wide margin.
    """
    result = play_match(
        load_bot(sample_bots / stronger).bot,
        load_bot(sample_bots / weaker).bot,
        pairs=12,
        seed=SEED,
        ruleset=ruleset,
    )
    assert result.wins[0] >= 17
