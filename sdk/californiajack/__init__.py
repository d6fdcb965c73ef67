"""Write a California Jack bot: extend `Bot`, choose a card from a `View`, `run` it."""

import gc
from typing import TYPE_CHECKING

from californiajack.bot import Bot, BotFactory
from californiajack.cards import CARDS, Card, Rank, Suit, beats, parse_card, parse_cards
from californiajack.errors import (
    BotError,
    CaliforniaJackError,
    ConnectionLostError,
    IllegalPlayError,
    InputError,
    RecordError,
)
from californiajack.ruleset import FollowRule, Ruleset, Scoring
from californiajack.view import (
    GameEnd,
    GameStart,
    Outcome,
    Player,
    RoundEnd,
    RoundStart,
    Termination,
    Trick,
    View,
)

if TYPE_CHECKING:
    from californiajack.client import run
else:

    def __getattr__(name: str) -> object:
        # gRPC takes longer to import than all else; only a bot's process needs it
        if name != "run":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        # what is imported stays: to look for garbage in it takes a tenth of a bot's start
        looking = gc.isenabled()
        gc.disable()
        try:
            from californiajack.client import run  # noqa: PLC0415 - see above
        finally:
            if looking:
                gc.enable()
        globals()[name] = run
        return run


__all__ = [
    "CARDS",
    "Bot",
    "BotError",
    "BotFactory",
    "CaliforniaJackError",
    "Card",
    "ConnectionLostError",
    "FollowRule",
    "GameEnd",
    "GameStart",
    "IllegalPlayError",
    "InputError",
    "Outcome",
    "Player",
    "Rank",
    "RecordError",
    "RoundEnd",
    "RoundStart",
    "Ruleset",
    "Scoring",
    "Suit",
    "Termination",
    "Trick",
    "View",
    "beats",
    "parse_card",
    "parse_cards",
    "run",
]
