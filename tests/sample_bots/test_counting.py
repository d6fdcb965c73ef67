"""Counting's endgame against a plain search that knows nothing but the rules."""

from __future__ import annotations

import copy
import random
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from californiajack import View
from californiajack.bot_file import load_bot
from californiajack.masks import cards_of
from californiajack.observation import observe
from californiajack.rules import Game, Round

if TYPE_CHECKING:
    from collections.abc import Iterator

    from californiajack import Ruleset, Scoring

COUNTING = load_bot(Path(__file__).parents[2] / "sample_bots" / "counting").bot
CARDS_LEFT = 8
POSITIONS = 15


def endgames(ruleset: Ruleset) -> Iterator[Game]:
    """Gives games of random play in which a choice is to be made with 7 or 8 cards left."""
    rng = random.Random(2)
    while True:
        game = Game(ruleset, lambda _: bytes(rng.sample(range(52), 52)), 0)
        for _ in range(52 - CARDS_LEFT + rng.randrange(2)):
            game.play(rng.choice(cards_of(game.round.legal())))
        if game.round.legal().bit_count() > 1:
            yield game


def after(played: Round, card: int) -> Round:
    """Gives the round as it stands after one more card."""
    following = copy.deepcopy(played)
    following.play(card)
    return following


def difference(played: Round, scoring: Scoring, seat: int) -> int:
    """Gives the seat's game points less the other's, with the best play of both."""
    if played.over:
        points = played.points(scoring)
        return points[seat] - points[1 - seat]
    values = [difference(after(played, card), scoring, seat) for card in cards_of(played.legal())]
    return max(values) if played.to_play == seat else min(values)


def test_endgame_is_exact(ruleset: Ruleset) -> None:
    """With the stock empty, counting plays a card that no other card can better."""
    for game in islice(endgames(ruleset), POSITIONS):
        seat = game.round.to_play
        values = {
            card: difference(after(game.round, card), ruleset.scoring, seat)
            for card in cards_of(game.round.legal())
        }
        choice = COUNTING().choose(View(observe(game)))
        assert values[choice] == max(values.values())
