"""Two bots against each other in one process, without a referee: for training loops and tests.

The rules, the views, the hooks and the random generators are those of a tournament. What a
tournament adds isn't here: no clock runs, and nothing keeps two bots of one process apart.

As a command:

    python -m californiajack.local BOT_A BOT_B [--pairs N] [--seed HEX] [--records FILE]
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from californiajack.bot import Bot, BotFactory, choose_card, make_bot
from californiajack.bot_file import LoadedBot, load_bot
from californiajack.deal import SHORTEST_SEED, bot_seed_of, check_seed, deck_of, parse_seed
from californiajack.errors import BotError, IllegalPlayError, InputError
from californiajack.explain import explain
from californiajack.intervals import points_interval, score_interval
from californiajack.observation import observe, opening, player_from, summary
from californiajack.record import HIGHEST_DEAL, GameRecord, format_record, record_of
from californiajack.rules import PLAYS_A_ROUND, Game
from californiajack.ruleset import Ruleset
from californiajack.view import (
    GameEnd,
    GameStart,
    Outcome,
    Player,
    RoundEnd,
    RoundStart,
    Termination,
    View,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from typing import TextIO

DEFAULT_RULESET = Ruleset()
DEFAULT_NAMES = ("first", "second")


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What two bots have won against each other in pairs of games."""

    wins: tuple[int, int]
    """Games won by the first bot and by the second, whatever their seats were."""
    records: tuple[GameRecord, ...]
    """The games in the order played: of each pair the one with the first bot in seat 0 first."""
    seed: bytes
    """The seed of all deals: given again, it gives the same games again."""


def play_game(  # noqa: PLR0913 - what a game depends on, all with defaults but the seed
    first: BotFactory,
    second: BotFactory,
    *,
    seed: bytes,
    deal: int = 0,
    first_dealer: int = 0,
    ruleset: Ruleset = DEFAULT_RULESET,
    names: tuple[str, str] = DEFAULT_NAMES,
) -> GameRecord:
    """Plays one game to its end, with a new bot object for each seat.

    Args:
        first: makes the bot of seat 0, such as its class.
        second: makes the bot of seat 1.
        seed: the seed of the deals and of both bots' ``rng``, 16 to 64 bytes.
        deal: the deal's number, 0 to 2**64 - 1.
        first_dealer: the seat that deals the first round, 0 or 1; the other one leads first.
        ruleset: the rules.
        names: the bots' names by seat, for the record and for errors.

    Raises:
        BotError: a bot raised an exception, or chose something that isn't a legal card; nobody
            wins such a game. What was raised is its ``__cause__``.
        InputError: the seed, the deal or the first dealer is out of range.
    """
    check_seed(seed)
    if not 0 <= deal <= HIGHEST_DEAL:
        raise InputError(f"deal: expected a number from 0 to 2**64 - 1, got {deal}")
    if first_dealer not in (0, 1):
        raise InputError(f"first_dealer: expected seat 0 or 1, got {first_dealer}")
    game = Game(ruleset, lambda number: deck_of(seed, deal, number), first_dealer)
    seats = (
        Seat(first, 0, names[0], bot_seed_of(seed, deal, first_dealer, 0)),
        Seat(second, 1, names[1], bot_seed_of(seed, deal, first_dealer, 1)),
    )
    _play(game, seats)
    return record_of(game, seats=names, seed=seed, deal=deal)


def play_pair(  # noqa: PLR0913 - as play_game
    first: BotFactory,
    second: BotFactory,
    *,
    seed: bytes,
    deal: int = 0,
    ruleset: Ruleset = DEFAULT_RULESET,
    names: tuple[str, str] = DEFAULT_NAMES,
) -> MatchResult:
    """Plays one deal twice, the seats swapped in the second game, so that luck weighs less.

    The arguments and errors are those of `play_game`; seat 0 deals first in both games.
    """
    swapped = (names[1], names[0])
    records = (
        play_game(first, second, seed=seed, deal=deal, ruleset=ruleset, names=names),
        play_game(second, first, seed=seed, deal=deal, ruleset=ruleset, names=swapped),
    )
    won = (records[0].winner == 0) + (records[1].winner == 1)
    return MatchResult((won, 2 - won), records, seed)


def play_match(  # noqa: PLR0913 - as play_game
    first: BotFactory,
    second: BotFactory,
    *,
    pairs: int,
    seed: bytes | None = None,
    ruleset: Ruleset = DEFAULT_RULESET,
    names: tuple[str, str] = DEFAULT_NAMES,
) -> MatchResult:
    """Plays pairs of games on the deals 0 to `pairs` - 1.

    Args:
        first: makes the one bot, such as its class.
        second: makes the other bot.
        pairs: how many pairs to play, 0 or more; each is two games.
        seed: the seed of all deals, 16 to 64 bytes; 16 random ones where none is given.
        ruleset: the rules.
        names: the bots' names, for the records and for errors.

    Raises:
        BotError: as in `play_game`.
        InputError: `pairs` or the seed is out of range.
    """
    if pairs < 0:
        raise InputError(f"pairs: expected 0 or more, got {pairs}")
    seed = os.urandom(SHORTEST_SEED) if seed is None else seed
    check_seed(seed)
    played = [
        play_pair(first, second, seed=seed, deal=deal, ruleset=ruleset, names=names)
        for deal in range(pairs)
    ]
    won = sum(pair.wins[0] for pair in played)
    records = tuple(record for pair in played for record in pair.records)
    return MatchResult((won, 2 * pairs - won), records, seed)


class Seat:
    """A bot at its seat: calls it, and says who it was when something goes wrong."""

    __slots__ = ("_listens", "_name", "bot", "bot_seed", "seat")

    def __init__(self, factory: BotFactory, seat: int, name: str, bot_seed: int) -> None:
        """Makes the bot."""
        self.seat = seat
        self.bot_seed = bot_seed
        self._name = name
        rng = random.Random(bot_seed)  # noqa: S311 - for play, not for secrets
        try:
            self.bot = make_bot(factory, rng)
        except Exception as error:
            raise BotError(f"{self}: making the bot failed: {explain(error)}") from error
        self._listens = {hook for hook in _EVENTS if _overrides(self.bot, hook)}

    def __str__(self) -> str:
        return f"{self._name} (seat {self.seat})"

    def tell(self, hook: str, game: Game) -> None:
        """Calls a hook, with its event put into words only where the bot listens."""
        if hook not in self._listens:
            return
        event = _EVENTS[hook](game, self)
        try:
            getattr(self.bot, hook)(event)
        except Exception as error:
            raise BotError(f"{self}: {hook}() failed: {explain(error)}") from error

    def fault(self, view: View, game: Game, error: Exception) -> BotError:
        """Says what was wrong with its choice."""
        what = "is illegal" if isinstance(error, IllegalPlayError) else "failed"
        return BotError(
            f"{self}: choose() {what} in round {view.round_number} at play "
            f"{len(game.round.plays)}, where {' '.join(map(str, view.legal))} are legal: "
            f"{explain(error)}"
        )


def _overrides(bot: Bot, hook: str) -> bool:
    return getattr(getattr(bot, hook), "__func__", None) is not getattr(Bot, hook)


def _game_start(game: Game, at: Seat) -> GameStart:
    dealer = Player(player_from(game.round.dealer, at.seat))
    return GameStart(game.ruleset, dealer, at.bot_seed)


def _round_start(game: Game, at: Seat) -> RoundStart:
    return RoundStart.of(opening(game, at.seat))


def _round_end(game: Game, at: Seat) -> RoundEnd:
    return RoundEnd(summary(game.rounds[-1], len(game.rounds) - 1, at.seat))


def _game_end(game: Game, at: Seat) -> GameEnd:
    mine, theirs = game.score[at.seat], game.score[1 - at.seat]
    return GameEnd(
        outcome=Outcome.WON if game.winner == at.seat else Outcome.LOST,
        score=mine,
        opponent_score=theirs,
        termination=Termination.NORMAL,
        reason=f"You {'won' if game.winner == at.seat else 'lost'} {mine} to {theirs}.",
    )


_EVENTS: dict[str, Callable[[Game, Seat], object]] = {
    "on_game_start": _game_start,
    "on_round_start": _round_start,
    "on_round_end": _round_end,
    "on_game_end": _game_end,
}


def _play(game: Game, seats: tuple[Seat, Seat]) -> None:
    tell_both(seats, "on_game_start", game)
    while game.winner is None:
        tell_both(seats, "on_round_start", game)
        _play_round(game, seats)
        tell_both(seats, "on_round_end", game)
    tell_both(seats, "on_game_end", game)


def _play_round(game: Game, seats: tuple[Seat, Seat]) -> None:
    """Plays the round that has been dealt; here a training loop spends its time."""
    current = game.round
    for _ in range(PLAYS_A_ROUND - 1):
        legal = current.legal()
        if not legal & (legal - 1):
            current.play(legal.bit_length() - 1)  # a forced play, as the referee makes it
            continue
        at = seats[current.to_play]
        view = View(observe(game))
        try:
            current.play(int(choose_card(at.bot, view)))
        except Exception as error:
            raise at.fault(view, game, error) from error
    # the last card is always forced, and the game has to know that the round is over
    game.play(current.legal().bit_length() - 1)


def tell_both(seats: tuple[Seat, Seat], hook: str, game: Game) -> None:
    """Calls a hook of both bots.

    Raises:
        BotError: one of them failed.
    """
    for at in seats:
        at.tell(hook, game)


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays a match between two bots named by their files; gives the exit status.

    It is 0 when the match was played, 1 when a bot failed, 2 for wrong use.
    """
    options = _parser().parse_args(arguments)
    try:
        seed = os.urandom(SHORTEST_SEED) if options.seed is None else parse_seed(options.seed)
        first, second = load_bot(options.bots[0]), load_bot(options.bots[1])
        if first.name == second.name:
            first = LoadedBot(f"{first.name}-1", first.bot)
            second = LoadedBot(f"{second.name}-2", second.bot)
        with _output(options.records) as records:
            match = _play_all((first, second), options.pairs, seed, records)
    except BotError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(
        f"{first.name} won {match.won} of {match.games} games, {second.name} won "
        f"{match.games - match.won}.\n{match.sentence(first.name)}Seed: {seed.hex()}\n"
    )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m californiajack.local",
        description="Plays pairs of games between two bots in this process, without a referee.",
        epilog="Example: python -m californiajack.local sample_bots/random mybot/bot.py --pairs 50",
    )
    parser.add_argument(
        "bots", nargs=2, metavar="BOT", help="a bot.py with one Bot class, or a folder that has one"
    )
    parser.add_argument(
        "--pairs", type=_count, default=50, metavar="N", help="pairs of games (default 50)"
    )
    parser.add_argument("--seed", metavar="HEX", help="the seed of the deals (default: random)")
    parser.add_argument("--records", metavar="FILE", help="write the games there, a record a line")
    return parser


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):  # noqa: PLR2004 - enough
        raise argparse.ArgumentTypeError(f"expected a whole number, 0 or more, got {text!r}")
    return int(text)


def _output(path: str | None) -> AbstractContextManager[TextIO | None]:
    if path is None:
        return nullcontext()
    try:
        return Path(path).open("w", encoding="utf-8")
    except OSError as error:
        raise InputError(f"--records: {path} can't be written: {error.strerror}") from None


class _Score:
    """What the first bot has won, and the sums over pairs that its intervals are made of."""

    def __init__(self) -> None:
        self.won = self.games = 0
        self._split = self._won_both = 0
        # of points made more (d) and rounds (r): d, r, d², r², d r
        self._sums = [0, 0, 0, 0, 0]

    def add(self, pair: MatchResult) -> None:
        """Counts a pair."""
        self.won += pair.wins[0]
        self.games += len(pair.records)
        self._split += pair.wins[0] == 1
        self._won_both += pair.wins[0] == len(pair.records)
        rounds = [
            played.points if seat == 0 else played.points[::-1]
            for seat, game in enumerate(pair.records)
            for played in game.rounds
            if played.points is not None
        ]
        made, count = sum(mine - theirs for mine, theirs in rounds), len(rounds)
        for place, value in enumerate((made, count, made**2, count**2, made * count)):
            self._sums[place] += value

    def sentence(self, name: str) -> str:
        """Says in a line how well the bot did, with 95 % intervals over pairs; empty for none."""
        if not self.games:
            return ""
        pairs = self.games // 2
        lost = pairs - self._split - self._won_both
        low, high = score_interval(lost, self._split, self._won_both)
        below, above = points_interval(pairs, *self._sums)
        return (
            f"Pair score of {name} (95 %): {100 * self.won / self.games:.1f} % "
            f"({100 * low:.1f}-{100 * high:.1f}); game points a round: "
            f"{self._sums[0] / self._sums[1]:+.2f} ({below:.2f} to {above:.2f}).\n"
        )


def _play_all(
    bots: tuple[LoadedBot, LoadedBot], pairs: int, seed: bytes, output: TextIO | None
) -> _Score:
    """Plays the pairs, and writes each down as soon as it has been played."""
    first, second = bots
    names = (first.name, second.name)
    score = _Score()
    for deal in range(pairs):
        played = play_pair(first.bot, second.bot, seed=seed, deal=deal, names=names)
        score.add(played)
        if output is not None:
            output.writelines(format_record(record) + "\n" for record in played.records)
    return score


if __name__ == "__main__":
    sys.exit(main())
