"""The class that a bot author extends, and how it is called."""

from __future__ import annotations

import random
from typing import Any

import pytest

from californiajack import Bot, BotError, Card, Ruleset, View
from californiajack.bot import choose_card, make_bot
from californiajack.deal import deck_of
from californiajack.observation import observe
from californiajack.rules import Game


class Lowest(Bot):
    """Plays its lowest legal card."""

    def choose(self, view: View) -> Card:
        """Takes the first."""
        return view.legal[0]


@pytest.fixture(scope="module")
def view() -> View:
    """The first decision of some game."""
    return View(observe(Game(Ruleset(), lambda number: deck_of(bytes(16), 0, number), 0)))


def test_a_bot_needs_only_choose(view: View) -> None:
    """A class with `choose` alone makes bots, whose hooks take anything and do nothing."""
    bot: Any = make_bot(Lowest, random.Random(0))
    assert choose_card(bot, view) is view.legal[0]
    for hook in (bot.on_game_start, bot.on_round_start, bot.on_round_end, bot.on_game_end):
        assert hook(None) is None


def test_every_bot_has_its_own_generator() -> None:
    """`make_bot` makes a new object and hands it the game's generator."""
    one, other = random.Random(1), random.Random(2)
    first, second = make_bot(Lowest, one), make_bot(Lowest, other)
    assert first is not second
    assert first.rng is one
    assert second.rng is other


def test_a_factory_of_something_else_is_refused() -> None:
    """A factory that gives no Bot raises BotError, which says what to give."""
    factory: Any = dict
    with pytest.raises(BotError, match="expected the factory to give a Bot, got dict"):
        make_bot(factory, random.Random(0))


def test_a_bot_without_choose_can_not_be_made() -> None:
    """A class that lacks `choose` is abstract."""
    idle: Any = type("Idle", (Bot,), {})
    with pytest.raises(TypeError, match="choose"):
        make_bot(idle, random.Random(0))


@pytest.mark.parametrize("answer", [None, 7, "7c", (), [Card.TWO_OF_CLUBS]])
def test_an_answer_that_is_no_card_is_refused(view: View, answer: object) -> None:
    """Anything but a Card raises BotError, which shows the answer and a legal card."""
    silly: Any = type("Silly", (Bot,), {"choose": lambda _self, _view: answer})
    with pytest.raises(BotError, match="expected a Card") as caught:
        choose_card(silly(), view)
    assert repr(answer) in str(caught.value)
    assert repr(view.legal[0]) in str(caught.value)
