"""Where a game begins that is played to be looked at: with its deal, or in the middle. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from californiajack import InputError, Ruleset
from californiajack.deal import deck_of
from californiajack.record import replay
from californiajack.rules import PLAYS_A_ROUND, Game
from californiajack_referee.values import FIRST_DEALER, BotProgram, Layer

_TRICKS = PLAYS_A_ROUND // 2


@dataclass(frozen=True, slots=True)
class Start:
    """A game, from which one of its seats is looked at."""

    seed: bytes
    """The seed of the deals, 16 to 64 bytes."""
    deal: int
    """The deal's number."""
    ruleset: Ruleset
    """The rules."""
    seat: int
    """The seat of the bot that is looked at."""
    opponent: str = ""
    """The other bot, such as ``greedy@2``; empty where nobody has been named."""
    before: bytes = b""
    """Cards that have been played already, a card number a byte; the game goes on from there."""

    def stood(self) -> Game:
        """Gives the game as it stands here.

        Raises:
            RecordError: the rules don't allow what has been played.
        """
        decks = partial(deck_of, self.seed, self.deal)
        return replay(self.ruleset, decks, FIRST_DEALER, self.before)

    def after(self, plays: bytes, round_number: int, trick_number: int) -> Start:
        """Gives the same game, to go on from a trick of it.

        A card that the opponent led to that trick counts as played.

        Args:
            plays: all cards that were played in it.
            round_number: the round, from 1.
            trick_number: the trick in it, 1 to 26.

        Raises:
            InputError: the game has no such trick.
        """
        place = PLAYS_A_ROUND * (round_number - 1) + 2 * (trick_number - 1)
        if round_number < 1 or not 1 <= trick_number <= _TRICKS or place > len(plays):
            rounds, left = divmod(max(0, len(plays) - 1), PLAYS_A_ROUND)
            raise InputError(
                f"round {round_number}, trick {trick_number}: expected a trick that the game has; "
                f"its last is round {rounds + 1}, trick {left // 2 + 1}"
            )
        here = replace(self, before=plays[:place])
        stood = here.stood()
        if stood.winner is not None:
            raise InputError(
                f"round {round_number}: the game was over by then: expected a round up to "
                f"{len(stood.rounds)}"
            )
        led = stood.round.to_play != self.seat
        return replace(self, before=plays[: place + led])


@dataclass(frozen=True, slots=True)
class DebugOrder:
    """One game to be played under a person's eyes."""

    bot: BotProgram
    """The bot, which runs in the terminal."""
    opponent: BotProgram
    """The other one, which runs as in a tournament."""
    start: Start
    """The game, and from where it is played."""
    layer: Layer = Layer.PROCESS
    """What stands between the opponent and the machine."""
    wire: bool = False
    """Whether the messages to and from the bot are shown."""
