"""Write a California Jack bot: extend `Bot`, choose a card from a `View`, `run` it."""

from californiajack.bot import Bot, BotFactory
from californiajack.cards import CARDS, Card, Rank, Suit, beats, parse_card, parse_cards
from californiajack.client import run
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
