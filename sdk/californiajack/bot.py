"""The class that a bot author extends."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

from californiajack.cards import Card
from californiajack.errors import BotError

if TYPE_CHECKING:
    import random

    from californiajack.view import GameEnd, GameStart, RoundEnd, RoundStart, View


class Bot(ABC):
    """One player of one game: a new object is made for every game.

    Only `choose` has to be written. What a bot wants to keep from turn to turn it may keep in
    attributes; nothing of it reaches another game. What is heavy to load belongs into the factory
    given to `run`, to be shared by all games.

    Attributes:
        rng: the bot's random generator, seeded with the game's own ``bot_seed``: a bot that takes
            all its chance from it plays the same game again when the tournament is repeated. It is
            there from `on_game_start` on, not yet in ``__init__``.
    """

    rng: random.Random

    @abstractmethod
    def choose(self, view: View) -> Card:
        """Chooses the card to play, one of ``view.legal``.

        Called only where there is a choice. An exception loses this game, and only this one.
        """

    def on_game_start(self, start: GameStart) -> None:
        """Called when the game begins."""

    def on_round_start(self, start: RoundStart) -> None:
        """Called when a round has been dealt, before its first turn."""

    def on_round_end(self, end: RoundEnd) -> None:
        """Called when a round has been played to its end; tells all 26 tricks."""

    def on_game_end(self, end: GameEnd) -> None:
        """Called when the game is over, last of all."""


BotFactory = Callable[[], Bot]
"""A Bot class, or any other function that makes a new Bot for a game."""


def make_bot(factory: BotFactory, rng: random.Random) -> Bot:
    """Makes the bot for one game.

    Raises:
        BotError: the factory gave something else than a Bot.
    """
    bot = factory()
    if not isinstance(bot, Bot):
        raise BotError(
            f"expected the factory to give a Bot, got {type(bot).__name__}: give `run` a class "
            "that extends Bot, or a function that returns a new object of one"
        )
    bot.rng = rng
    return bot


def choose_card(bot: Bot, view: View) -> Card:
    """Asks a bot for its card; whether the card is legal is for the referee to say.

    Raises:
        BotError: it gave something that is no card.
    """
    card = bot.choose(view)
    if not isinstance(card, Card):
        raise BotError(
            f"choose() returned {card!r}, expected a Card: return one of view.legal, such as "
            f"{view.legal[0]!r}"
        )
    return card
