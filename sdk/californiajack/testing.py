"""A conformance check for Bot classes, in this process and without a referee.

    from californiajack.testing import check_bot

    report = check_bot(MyBot)
    assert report.passed, report

It needs no test framework. What only a real process shows (the handshake on the wire, times,
memory, a clean end) is for `caljack check` to see; the clauses here have the same ids there.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from californiajack.bot import Bot, BotFactory, choose_card, make_bot
from californiajack.cards import Card
from californiajack.conformance import (
    DETERMINISM,
    HANDSHAKE,
    INDEPENDENCE,
    LEGAL,
    MANY_GAMES,
    ONE_GAME,
    RULESETS,
    Clause,
    Demand,
    FaultyTurn,
    Finding,
    Mark,
    Report,
    broken,
    passed,
    skipped,
)
from californiajack.deal import bot_seed_of, check_seed, deck_of
from californiajack.errors import BotError, InputError
from californiajack.explain import explain
from californiajack.local import Seat, tell_both
from californiajack.observation import observe
from californiajack.rules import PLAYS_A_ROUND, Game
from californiajack.view import View

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from californiajack.ruleset import Ruleset

__all__ = [
    "RULESETS",
    "AnyCard",
    "Clause",
    "Demand",
    "FaultyTurn",
    "Finding",
    "Mark",
    "Report",
    "check_bot",
]

GAMES = 200
"""Games of each ruleset, unless told otherwise."""
SEED = b"californiajack/check"
"""The seed of the deals, unless told otherwise."""
_GAMES_AT_ONCE = 32


class AnyCard(Bot):
    """The opponent of a check: plays any legal card, by its game's own random generator."""

    def choose(self, view: View) -> Card:
        """Picks one."""
        return self.rng.choice(view.legal)


def check_bot(factory: BotFactory, *, games: int = GAMES, seed: bytes = SEED) -> Report:
    """Plays a bot against any legal cards under every ruleset, and says what it keeps to.

    Half of the games are played in each seat. A game that the bot spoils is a failed clause in the
    report, with the exact turn; nothing is raised for it.

    Args:
        factory: makes the bot, such as its class.
        games: how many games to play of each ruleset, 1 or more.
        seed: the seed of the deals, 16 to 64 bytes; the same seed gives the same deals.

    Raises:
        InputError: `games` or the seed is out of range.
    """
    if games < 1:
        raise InputError(f"games: expected 1 or more, got {games}")
    check_seed(seed)
    try:
        make_bot(factory, random.Random(0))  # noqa: S311 - for play, not for secrets
    except Exception as error:  # noqa: BLE001 - whatever the author's code raises
        why = f"making the bot failed: {explain(error)}"
        rest = (*LEGAL, ONE_GAME, MANY_GAMES, DETERMINISM, INDEPENDENCE)
        return Report((broken(HANDSHAKE, why), *(skipped(c, "there is no bot") for c in rest)))
    findings = [passed(HANDSHAKE, "the factory gives a Bot")]
    first: list[_Game] = []
    for clause, ruleset in zip(LEGAL, RULESETS, strict=True):
        played = _games(factory, ruleset, seed, games)
        for game in played:
            game.play()
        first = first or played
        findings.append(_legal(clause, played))
    few = len(first[: 2 * _GAMES_AT_ONCE])
    again = _games(factory, RULESETS[0], seed, few)
    for game in again:
        game.play()
    beside = _games(factory, RULESETS[0], seed, few)
    _play_in_turn(beside)
    findings += [
        _legal(ONE_GAME, again),
        _legal(MANY_GAMES, beside, at_once=min(few, _GAMES_AT_ONCE)),
        *compare(
            [game.plays for game in first[:few]],
            [game.plays for game in again],
            [game.plays for game in beside],
        ),
    ]
    return Report(tuple(findings))


def compare(
    first: Sequence[bytes | None], again: Sequence[bytes | None], beside: Sequence[bytes | None]
) -> tuple[Finding, Finding]:
    """Says whether a bot is deterministic, and whether games depend on each other.

    Args:
        first: the plays of some games, a card a byte; None for one that didn't come to its end.
        again: those of the same games, played once more in the same way.
        beside: those of the same games, played beside other ones, or without them.
    """
    differ, of = _differing(first, again)
    if not of:
        why = "no game was played twice to its end"
        return skipped(DETERMINISM, why), skipped(INDEPENDENCE, why)
    if differ:
        words = (
            f"it is not deterministic: {differ} of {of} games went another way, though the "
            "opponent's chance was the same; take all chance from self.rng (or the game's bot_seed)"
        )
        unknown = skipped(INDEPENDENCE, "can't be told of a bot that is not deterministic")
        return broken(DETERMINISM, words), unknown
    same = passed(DETERMINISM, f"in {of} games")
    differ, of = _differing(first, beside)
    if not of:
        return same, skipped(INDEPENDENCE, "no game was played both ways to its end")
    if differ:
        words = (
            f"{differ} of {of} games went another way: something is kept from game to game; keep "
            "what belongs to a game with that game"
        )
        return same, broken(INDEPENDENCE, words)
    return same, passed(INDEPENDENCE, f"in {of} games")


def _differing(one: Sequence[bytes | None], two: Sequence[bytes | None]) -> tuple[int, int]:
    both = [(a, b) for a, b in zip(one, two, strict=True) if a is not None and b is not None]
    return sum(a != b for a, b in both), len(both)


@dataclass(frozen=True, slots=True)
class _Fault:
    words: str
    turn: FaultyTurn


class _Game:
    """One game of the bot under test, played step by step."""

    __slots__ = ("_deal", "_factory", "_game", "_ruleset", "_seat", "_seed", "asked", "fault")

    def __init__(
        self, factory: BotFactory, ruleset: Ruleset, seed: bytes, deal: int, seat: int
    ) -> None:
        self._factory = factory
        self._ruleset = ruleset
        self._seed = seed
        self._deal = deal
        self._seat = seat
        self._game = Game(ruleset, lambda number: deck_of(seed, deal, number), 0)
        self.asked = 0
        self.fault: _Fault | None = None

    @property
    def plays(self) -> bytes | None:
        """The cards of the whole game; None where it didn't come to its end."""
        if self._game.winner is None:
            return None
        return b"".join(played.plays for played in self._game.rounds)

    def play(self) -> None:
        """Plays on to the end, or to the bot's fault."""
        for _ in self.steps():
            pass

    def steps(self) -> Iterator[None]:
        """Plays on, and stops before each card that a bot is asked for."""
        try:
            yield from self._steps()
        except BotError as error:  # from a hook, or from making the bot
            self._blame(str(error).partition(": ")[2])

    def _steps(self) -> Iterator[None]:
        game = self._game
        seats = self._seats()
        tell_both(seats, "on_game_start", game)
        while game.winner is None and self.fault is None:
            tell_both(seats, "on_round_start", game)
            yield from self._round(seats)
            if self.fault is None:
                tell_both(seats, "on_round_end", game)
        if self.fault is None:
            tell_both(seats, "on_game_end", game)

    def _seats(self) -> tuple[Seat, Seat]:
        factories: list[BotFactory] = [AnyCard, AnyCard]
        factories[self._seat] = self._factory
        one, two = (
            Seat(factory, seat, "the bot", bot_seed_of(self._seed, self._deal, 0, seat))
            for seat, factory in enumerate(factories)
        )
        return one, two

    def _round(self, seats: tuple[Seat, Seat]) -> Iterator[None]:
        game, current = self._game, self._game.round
        for _ in range(PLAYS_A_ROUND - 1):
            legal = current.legal()
            if not legal & (legal - 1):
                current.play(legal.bit_length() - 1)
                continue
            at = seats[current.to_play]
            yield
            view = View(observe(game))
            self.asked += at.seat == self._seat
            card: object = None
            try:
                card = choose_card(at.bot, view)
                current.play(int(card))
            except Exception as error:  # noqa: BLE001 - whatever the author's code raises
                words = "chose an illegal card" if isinstance(card, Card) else "choose() failed"
                self._blame(f"{words}: {explain(error)}", view, card)
                return
        game.play(current.legal().bit_length() - 1)

    def _blame(self, words: str, view: View | None = None, card: object = None) -> None:
        seen = None if view is None else observe(self._game)
        played = str(card) if isinstance(card, Card) else ""
        turn = FaultyTurn(self._ruleset, self._seed, self._deal, self._seat, seen, played)
        self.fault = _Fault(words, turn)


def _games(factory: BotFactory, ruleset: Ruleset, seed: bytes, count: int) -> list[_Game]:
    """Prepares games, each deal in both seats."""
    return [_Game(factory, ruleset, seed, number // 2, number % 2) for number in range(count)]


def _play_in_turn(games: Iterable[_Game]) -> None:
    """Plays games side by side, a card of each in turn."""
    waiting = deque(game.steps() for game in games)
    running: deque[Iterator[None]] = deque()
    while waiting or running:
        while waiting and len(running) < _GAMES_AT_ONCE:
            running.append(waiting.popleft())
        steps = running.popleft()
        if next(steps, _OVER) is not _OVER:
            running.append(steps)


_OVER = object()


def _legal(clause: Clause, games: Sequence[_Game], *, at_once: int = 1) -> Finding:
    faulty = [game.fault for game in games if game.fault is not None]
    if faulty:
        first = faulty[0]
        words = f"it lost {len(faulty)} of {len(games)} games by its own fault; the first: "
        return broken(clause, words + first.words, first.turn, _command(first.turn))
    asked = sum(game.asked for game in games)
    together = f", {at_once} at once" if at_once > 1 else ""
    return passed(clause, f"{len(games)} games, {asked} cards{together}")


def _command(turn: FaultyTurn) -> str:
    """Gives the call that plays the game of a fault again."""
    bots = "YourBot, AnyCard" if turn.seat == 0 else "AnyCard, YourBot"
    number = RULESETS.index(turn.ruleset)
    return (
        f"californiajack.local.play_game({bots}, seed={turn.seed!r}, deal={turn.deal}, "
        f"ruleset=RULESETS[{number}])"
    )
