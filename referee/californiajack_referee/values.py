"""The plain values that pass between the rooms of the platform; all can be pickled."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from californiajack import InputError, Ruleset, Termination

MOST_GAMES_AT_ONCE = 1024
"""Games that a bot's process plays at once at most."""
FIRST_DEALER = 0
"""The seat that deals the first round of every game; a pair seats both bots both ways."""


class Layer(StrEnum):
    """What stands between a bot's process and the machine; the value is its name in tables."""

    NONE = "none"
    """Nothing but a process group of its own: for your own bots."""
    PROCESS = "process"
    """Limits, a clean environment and a sweep of what is left; no boundary against malice."""
    BUBBLEWRAP = "bubblewrap"
    """No network, no files but its own, nothing of other processes: for other people's bots."""


@dataclass(frozen=True, slots=True)
class Resources:
    """What a bot's process and its descendants may use, all together where not told otherwise."""

    memory_mib: int = 1024
    """Memory in use, in MiB, all processes together."""
    processes: int = 64
    """Processes and threads at once."""
    disk_mib: int = 64
    """What may be written to its temporary folder, in MiB."""
    output_kib: int = 1024
    """Output kept in its log, in KiB; the rest is read and dropped."""


class GameId(NamedTuple):
    """The name of a game, which exists before the game is played.

    As text it is ``tournament/pairing/deal/seating``, such as ``night/3/17/0``.
    """

    tournament: str
    """The tournament's name."""
    pairing: int
    """The pairing's number in the tournament's schedule, from 0."""
    deal: int
    """The deal's number, from 0: the same for both games of a pair and for all pairings."""
    seating: int
    """0 where the pairing's first bot has seat 0, 1 where it has seat 1."""

    def __str__(self) -> str:
        return "/".join(map(str, self))

    @classmethod
    def parse(cls, text: str) -> GameId:
        """Reads a game's name.

        Raises:
            InputError: it is no game's name.
        """
        name, *numbers = text.split("/")
        if not name or len(numbers) != 3 or not all(n.isdecimal() and n.isascii() for n in numbers):  # noqa: PLR2004
            raise InputError(
                f"game id: expected tournament/pairing/deal/seating, such as night/3/17/0, "
                f"got {text!r}"
            )
        return cls(name, *map(int, numbers))


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a bot process may take, in seconds of monotonic time."""

    start_seconds: float = 30.0
    """From the start of the process to its Hello."""
    ready_seconds: float = 30.0
    """From Welcome to Ready."""
    move_seconds: float = 10.0
    """For a move, by the charge rule of the message ``Turn``."""
    bank_seconds: float = 0.0
    """What slow moves of one game may overdraw in all."""
    shutdown_seconds: float = 2.0
    """From Farewell to the end of the process; then it is killed."""
    game_seconds: float = 1200.0
    """What a seat may be charged in one game in all; 0 for no such limit. The default is more than
    a bot needs that uses 80 % of the default move limit for each card of the longest game."""


@dataclass(frozen=True, slots=True)
class BotProgram:
    """A bot that can be started."""

    name: str
    """Its name with its version, such as ``greedy@2``; names it in verdicts and logs."""
    folder: str
    """Its folder, where its command is run."""
    command: tuple[str, ...]
    """The program and its arguments. ``python`` is the interpreter that runs the platform."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a game ended."""

    winner: int | None
    """The seat that won; None for a void game, which doesn't count and is played again."""
    termination: Termination
    """Why it ended."""
    blame: int | None
    """The seat at fault; None where nobody is."""
    words: str
    """One sentence for a person, naming the bots."""
    detail: str = ""
    """The last lines of the blamed bot's standard error, where its process died; else empty."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game that has been played, or that ended early."""

    deal: int
    """The deal's number."""
    verdict: Verdict
    """How it ended. One that is void has no winner."""
    score: tuple[int, int]
    """Game points by seat, from the finished rounds."""
    plays: bytes
    """All cards played, a card number a byte: 52 a finished round, then those of an open one."""
    used_ms: tuple[int, int] = (0, 0)
    """Thinking time charged to each seat, in milliseconds."""
    cpu_ms: tuple[int | None, int | None] = (None, None)
    """CPU time that each seat's process used while the game was on, other games of it included, in
    milliseconds; None where the system doesn't tell."""
    layer: Layer = Layer.PROCESS
    """What stood between the bots' processes and the machine."""


@dataclass(frozen=True, slots=True)
class SeriesOrder:
    """One pairing in one seating over a block of deals: what a series is to play."""

    tournament: str
    """The tournament's name."""
    pairing: int
    """The pairing's number in the schedule."""
    seating: int
    """0 where the pairing's first bot has seat 0, 1 where it has seat 1."""
    seats: tuple[BotProgram, BotProgram]
    """The bots by seat."""
    deals: tuple[int, ...]
    """The deals to play, each once."""
    seed: bytes
    """The tournament's seed, 16 to 64 bytes."""
    ruleset: Ruleset = field(default_factory=Ruleset)
    """The rules."""
    limits: Limits = field(default_factory=Limits)
    """What each bot process may take."""
    games_at_once: int = 256
    """How many games may be in play at once, 1 to 1024; the bots may ask for fewer."""
    log_folder: str = ""
    """Where the bots' output goes, a file a seat; empty for nowhere."""
    layer: Layer = Layer.PROCESS
    """What is to stand between the bots' processes and the machine."""
    resources: Resources = field(default_factory=Resources)
    """What each bot's process may use."""
    budget_seconds: float = 15.0
    """After this time no new game is begun, unless no more are left than were in play at once. What
    is in play is finished, the rest is left."""
    one_processor: bool = False
    """Whether its referee and its bots keep to one processor in full play, as there are as many
    series at once as processors."""


@dataclass(frozen=True, slots=True)
class SeriesResult:
    """What a series has played. A deal without a result is still to be played."""

    games: tuple[GameResult, ...]
    """The results, in the order in which the games ended."""


class PairSums(NamedTuple):
    """Whole pairs of one bot against another, summed up.

    A pair is both games of a deal, the seats swapped. All are whole numbers, so they are the same
    in whatever order pairs are added. The last six are of those pairs alone of which both games
    ended normally: d is what the bot made more than its opponent in game points, both games
    together, and r how many rounds were finished in both.
    """

    lost: int = 0
    """Pairs of which the bot lost both games: score 0."""
    split: int = 0
    """Pairs of which it won one game: score ½."""
    won: int = 0
    """Pairs of which it won both games: score 1."""
    normal: int = 0
    """Pairs of which both games ended normally."""
    difference: int = 0
    """The sum of d."""
    rounds: int = 0
    """The sum of r."""
    difference_squares: int = 0
    """The sum of d²."""
    rounds_squares: int = 0
    """The sum of r²."""
    products: int = 0
    """The sum of d r."""

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return self.lost + self.split + self.won

    def plus(self, other: PairSums) -> PairSums:
        """Adds other pairs of the same bot."""
        return PairSums(*(mine + more for mine, more in zip(self, other, strict=True)))

    def mirrored(self) -> PairSums:
        """Gives the same pairs as the opponent sees them."""
        return self._replace(
            lost=self.won,
            won=self.lost,
            difference=-self.difference,
            products=-self.products,
        )


class GameSums(NamedTuple):
    """Single games of one bot against another, summed up: those of the pairs that ended normally.

    They are what `PairSums` has no room for: how far single games, not pairs, are spread. d is what
    the bot made more than its opponent in game points, r how many rounds were finished.
    """

    games: int = 0
    """How many games."""
    difference: int = 0
    """The sum of d."""
    rounds: int = 0
    """The sum of r."""
    difference_squares: int = 0
    """The sum of d²."""
    rounds_squares: int = 0
    """The sum of r²."""
    products: int = 0
    """The sum of d r."""

    def plus(self, other: GameSums) -> GameSums:
        """Adds other games of the same bot."""
        return GameSums(*(mine + more for mine, more in zip(self, other, strict=True)))

    def mirrored(self) -> GameSums:
        """Gives the same games as the opponent sees them."""
        return self._replace(difference=-self.difference, products=-self.products)
