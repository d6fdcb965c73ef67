"""Monte Carlo with a fixed number of worlds, and by the clock at the real referee."""

from __future__ import annotations

import random
import sys
from itertools import chain, islice, repeat
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from californiajack import Ruleset, Termination, View
from californiajack.bot_file import load_bot
from californiajack.local import play_game, play_match
from californiajack.masks import cards_of
from californiajack.observation import observe
from californiajack.rules import Game
from californiajack.search import State, solve
from californiajack_referee.play.series import run_series
from californiajack_referee.values import BotProgram, Limits, SeriesOrder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from californiajack import Bot

FOLDER = Path(__file__).parents[2] / "sample_bots"
MONTECARLO = load_bot(FOLDER / "montecarlo").bot
BOT = sys.modules[MONTECARLO.__module__]
TABLE = BOT.Playouts.value.__globals__["Table"]
SEED = bytes(range(16))


def few_worlds() -> Bot:
    """Makes the bot with so few worlds that a game is quick."""
    return MONTECARLO(4)  # type: ignore[call-arg]  # the class is known by its file only


def turns(ruleset: Ruleset, plays: int) -> Iterator[View]:
    """Gives turns of random play with a choice, after so many plays of a round."""
    rng = random.Random(5)
    while True:
        game = Game(ruleset, lambda _: bytes(rng.sample(range(52), 52)), 0)
        for _ in range(plays):
            game.play(rng.choice(cards_of(game.round.legal())))
        if game.round.legal().bit_count() > 1:
            yield View(observe(game))


def test_plays_the_same_game_again(ruleset: Ruleset) -> None:
    """With the number of worlds fixed, it plays a whole legal game, and plays it again."""
    first = play_game(few_worlds, few_worlds, seed=SEED, deal=3, ruleset=ruleset)
    assert max(first.rounds[-1].score or ()) >= ruleset.target
    if ruleset == Ruleset():
        assert play_game(few_worlds, few_worlds, seed=SEED, deal=3, ruleset=ruleset) == first


def test_is_stronger_than_greedy(sample_bots: Path) -> None:
    """Even four worlds a turn beat greedy: over many deals they win more than 85 % of the games."""
    greedy = load_bot(sample_bots / "greedy").bot
    assert play_match(few_worlds, greedy, pairs=8, seed=SEED).wins[0] >= 10


def test_the_last_six_tricks_are_solved(ruleset: Ruleset) -> None:
    """With the stock empty it plays the solver's card."""
    for view in islice(turns(ruleset, 42), 10):
        bot = few_worlds()
        bot.rng = random.Random(1)
        assert bot.choose(view) is solve(State.of(view)).best


def test_a_playout_to_the_end_gives_the_points(ruleset: Ruleset) -> None:
    """With the stock empty a playout keeps the rules, and its value is the round's points."""
    for view in islice(turns(ruleset, 41), 10):
        state = State.of(view)
        playouts = BOT.Playouts(state)
        table = TABLE(state)
        while table.other:
            before = (table.hand | table.other, table.led)
            playouts._play_trick(table)
            played = before[0] & ~(table.hand | table.other)
            assert played.bit_count() == (2 if before[1] < 0 else 1)
        points, share = table.ahead()
        assert playouts.value(state) == points + (share > 0) - (share < 0)


def test_cards_are_dropped_only_beyond_doubt() -> None:
    """A card that is clearly behind goes, one that may yet win stays, and so does the best."""
    rng = random.Random(8)
    luck = [rng.gauss(0, 3) for _ in range(64)]
    values = {
        "best": luck,
        "near": [value + rng.gauss(-0.05, 1) for value in luck],
        "behind": [value + rng.gauss(-1, 1) for value in luck],
        "twin": list(luck),
    }
    assert set(BOT.promising(values)) in ({"best", "near"}, {"near"}, {"near", "best", "twin"})


def worlds_thought_about(
    monkeypatch: pytest.MonkeyPatch, move_time_ms: int, seconds: Iterator[float]
) -> int:
    """Counts the worlds of a turn of which each takes as long as is said."""
    game = Game(Ruleset(), lambda _: bytes(range(52)), 0)
    now = 1000.0
    monkeypatch.setattr(BOT, "time", SimpleNamespace(monotonic=lambda: now))
    clock = BOT.Clock(View(observe(game, move_time_ms=move_time_ms, bank_ms=5000)), None)
    worlds = 0
    for passed in seconds:
        now += passed
        worlds += 1
        if clock.is_up(worlds):
            break
    return worlds


@pytest.mark.parametrize("move_time_ms", [50, 100, 1000, 10_000])
def test_half_of_the_move_time_is_used(monkeypatch: pytest.MonkeyPatch, move_time_ms: int) -> None:
    """It stops at half of the time that is left after the reserve, or after 1,024 worlds."""
    worlds = worlds_thought_about(monkeypatch, move_time_ms, repeat(0.001))
    assert worlds == pytest.approx(min(0.5 * (move_time_ms - 40), 1024), abs=1)


def test_a_stall_ends_the_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one world takes a tenth of the move time, it stops at once, but for four worlds."""
    assert worlds_thought_about(monkeypatch, 1000, chain([0.001] * 9, [0.11], repeat(0.001))) == 10
    assert worlds_thought_about(monkeypatch, 10, repeat(0.1)) == 4


def ends_by_the_clock(move_seconds: float, games_at_once: int, games: int) -> set[Termination]:
    """Plays single rounds against random at the real referee, and tells how they ended."""
    order = SeriesOrder(
        tournament="clock",
        pairing=0,
        seating=0,
        seats=(
            BotProgram("montecarlo@1", str(FOLDER / "montecarlo"), ("python", "bot.py")),
            BotProgram("random@1", str(FOLDER / "random"), ("python", "bot.py")),
        ),
        deals=tuple(range(games)),
        seed=SEED,
        ruleset=Ruleset(target=1),
        limits=Limits(move_seconds=move_seconds),
        games_at_once=games_at_once,
    )
    return {game.verdict.termination for game in run_series(order).games}


def test_is_on_time() -> None:
    """By the clock it plays on time while turns of several games wait.

    What the machine's other work delays is void, and counts against nobody.
    """
    ends = ends_by_the_clock(0.2, games_at_once=64, games=2)
    assert ends <= {Termination.NORMAL, Termination.REFEREE_FAULT}


@pytest.mark.soak
@pytest.mark.parametrize("games_at_once", [1, 64])
@pytest.mark.parametrize("move_seconds", [0.05, 0.1, 1.0, 10.0])
def test_is_on_time_at_any_limit(move_seconds: float, games_at_once: int) -> None:
    """It loses no game on time, from 50 ms to 10 s a move, on a machine that is not overloaded."""
    ends = ends_by_the_clock(move_seconds, games_at_once, games=min(64, 2 * games_at_once))
    assert ends <= {Termination.NORMAL, Termination.REFEREE_FAULT}
