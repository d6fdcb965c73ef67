"""What a league keeps, as plain values: bots, tournaments and games."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from californiajack_referee.league.format import RoundRobin
from californiajack_referee.values import FIRST_DEALER, GameId, GameResult, Limits

if TYPE_CHECKING:
    from datetime import datetime

    from californiajack import Ruleset
    from californiajack_referee.league.format import Format

CASUAL = "casual/"
"""What the name of a casual game begins with; its number follows: ``casual/7``."""


@dataclass(frozen=True, slots=True)
class RatingSettings:
    """The parameters of TrueSkill, stored with each tournament; the package's own defaults."""

    mu: float = 25.0
    """A new bot's mean."""
    sigma: float = 25.0 / 3
    """A new bot's standard deviation."""
    beta: float = 25.0 / 6
    """The deviation of one game's performance."""
    tau: float = 25.0 / 300
    """What is added to the deviation before each game, as a deviation."""
    draw_probability: float = 0.0
    """California Jack has no draws (R12)."""


@dataclass(frozen=True, slots=True)
class StoredBot:
    """A submitted version of a bot."""

    name: str
    """Its name, of lower-case letters, digits and ``-``."""
    version: int
    """Its version, from 1, given in the order of submission."""
    digest: str
    """SHA-256 of its content, in hexadecimal: the name of its folder."""
    language: str
    """What its bot.toml says."""
    authors: tuple[str, ...]
    """What its bot.toml says."""
    command: tuple[str, ...]
    """The program and its arguments."""
    submitted_at: datetime
    """When, in UTC."""

    @property
    def label(self) -> str:
        """Its name with its version, such as ``greedy@2``."""
        return f"{self.name}@{self.version}"


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament: all that its games depend on, fixed before the first one is played."""

    name: str
    """Its name, of letters, digits, ``-``, ``_`` and ``.``."""
    entrants: tuple[StoredBot, ...]
    """The bots, two or more, in the order that numbers the pairings."""
    pairs: int
    """Pairs of games that two bots play when they meet, each a deal in both seatings; the most of
    them where the format ends a meeting sooner."""
    seed: bytes
    """The seed of all deals, 16 to 64 bytes."""
    ruleset: Ruleset
    """The rules."""
    limits: Limits
    """What each bot process may take."""
    created_at: datetime
    """When, in UTC."""
    rating: RatingSettings = field(default_factory=RatingSettings)
    """The parameters of its ratings."""
    format: Format = field(default_factory=RoundRobin)
    """Which of the possible games are wanted."""
    options: tuple[tuple[str, str | int | float], ...] = ()
    """How it was asked to be played, by name: none of it changes a game."""

    @property
    def most_deals(self) -> int:
        """How many deals a pairing may come to play: they are numbered from 0."""
        return self.format.most_deals(self.pairs)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game with a result. Its score and plays are those of its result."""

    id: GameId
    """Its name."""
    seats: tuple[StoredBot, StoredBot]
    """The bots by seat."""
    result: GameResult
    """How it went."""
    first_dealer: int = FIRST_DEALER
    """The seat that dealt its first round."""


@dataclass(frozen=True, slots=True)
class CasualGame:
    """A game of a person against a bot that has a winner."""

    number: int
    """Its number among the casual games of its league, from 1; 0 before it is stored."""
    person: str
    """What the person was called."""
    bot: str
    """The bot's name with its version, or its name alone where it isn't of the league."""
    seat: int
    """The person's seat, 0 or 1."""
    seed: bytes
    """The seed of its deals, 16 to 64 bytes."""
    ruleset: Ruleset
    """The rules."""
    played_at: datetime
    """When it ended, in UTC."""
    result: GameResult
    """How it went."""
    first_dealer: int = FIRST_DEALER
    """The seat that dealt its first round."""

    @property
    def name(self) -> str:
        """Its name, such as ``casual/7``."""
        return f"{CASUAL}{self.number}"

    @property
    def players(self) -> tuple[str, str]:
        """The names of both players by seat."""
        return (self.person, self.bot) if self.seat == 0 else (self.bot, self.person)


def is_casual(text: str) -> bool:
    """Tells whether a text is meant as the name of a casual game, not of a tournament's."""
    return text.startswith(CASUAL) and text.count("/") == 1


Pair = tuple[int, int, int]
"""The two games of a pair: the numbers of their tournament, their deal and their pairing."""


class Outcome(NamedTuple):
    """Who won a game: all of it that a ranking needs. Bots go by their numbers in the league."""

    pair: Pair
    """Its pair."""
    winner: int
    """The bot that won."""
    loser: int
    """The bot that lost."""
    fault: bool
    """Whether the loser lost for a fault of its own."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a ranking had counted when it came to the end of a pair."""

    pair: Pair
    """The last pair that is counted."""
    games: int
    """How many games are counted: all up to this pair that were there."""
    tally: bytes
    """What was counted."""
