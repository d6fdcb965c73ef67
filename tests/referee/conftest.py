"""What several tests of the platform build on: stored values, and games that were really played."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

import pytest

from californiajack import Ruleset, Termination
from californiajack.deal import deck_of
from californiajack.masks import cards_of
from californiajack.rules import Game
from californiajack_referee.league.stored import StoredBot, StoredGame
from californiajack_referee.values import GameId, GameResult, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

A_DAY = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


def _bot(label: str) -> StoredBot:
    name, _, version = label.partition("@")
    return StoredBot(
        name=name,
        version=int(version or "1"),
        digest=label.encode().hex().ljust(64, "0"),
        language="Python",
        authors=("Ada",),
        command=("python", "bot.py"),
        submitted_at=A_DAY,
    )


def _game(
    one: str,
    two: str,
    winner: int | None,
    *,
    tournament: str = "night",
    pairing: int = 0,
    deal: int = 0,
    seating: int = 0,
    blame: int | None = None,
) -> StoredGame:
    if winner is None:
        termination = Termination.REFEREE_FAULT
    else:
        termination = Termination.NORMAL if blame is None else Termination.CRASH
    verdict = Verdict(winner=winner, termination=termination, blame=blame, words="It is over")
    return StoredGame(
        id=GameId(tournament, pairing, deal, seating),
        seats=(_bot(one), _bot(two)),
        result=GameResult(deal=deal, verdict=verdict, score=(0, 0), plays=b""),
    )


def _played(
    seed: bytes, deal: int, names: tuple[str, str], *, ruleset: Ruleset | None = None, salt: int = 0
) -> GameResult:
    rng = random.Random(f"{seed.hex()} {deal} {salt}")
    game = Game(ruleset or Ruleset(), partial(deck_of, seed, deal), 0)
    plays = bytearray()
    while game.winner is None:
        card = rng.choice(cards_of(game.round.legal()))
        game.play(card)
        plays.append(card)
    high, low = max(game.score), min(game.score)
    return GameResult(
        deal=deal,
        verdict=Verdict(
            winner=game.winner,
            termination=Termination.NORMAL,
            blame=None,
            words=f"{names[game.winner]} won {high} to {low}",
        ),
        score=game.score,
        plays=bytes(plays),
    )


@pytest.fixture(scope="session")
def bot_of() -> Callable[[str], StoredBot]:
    """Makes a stored bot of a label such as ``fox@2``."""
    return _bot


@pytest.fixture(scope="session")
def game_of() -> Callable[..., StoredGame]:
    """Makes a stored game of two labels and a winner, without plays."""
    return _game


@pytest.fixture(scope="session")
def played() -> Callable[..., GameResult]:
    """Plays a game by the rules, all cards at random, and gives its result."""
    return _played
