"""From what was seen of a bot in some series to what a check says of it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from californiajack import CARDS, Ruleset, Termination
from californiajack.conformance import (
    CLEAN_END,
    HANDSHAKE,
    MANY_GAMES,
    MEMORY,
    OUTPUT,
    REPLY_TIMES,
    Clause,
    FaultyTurn,
    Finding,
    Mark,
    broken,
    passed,
    skipped,
)
from californiajack.deal import deck_of
from californiajack.observation import observe
from californiajack.record import replay

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from californiajack_referee.values import GameResult, Limits, Resources
    from californiajack_referee.workbench.watch import Watch

FIRST_DEALER = 0
_MUCH = 0.8
"""From which share of a limit on there is something to say."""
_LATE = 0.5
_OFTEN = 0.5
"""What share of processes has to end late for that to be the bot's doing."""
_SHOWN_LINES = 3
_SHOWN_WIDTH = 120
_KINDS_OF_PROCESS_FAULTS = (
    Termination.CRASH,
    Termination.DISCONNECT,
    Termination.PROTOCOL_ERROR,
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of the bot in one series."""

    name: str
    """The bot's name, which begins the words of a verdict on it."""
    seat: int
    """Its seat."""
    ruleset: Ruleset
    """The rules."""
    seed: bytes
    """The seed of the deals."""
    wanted: int
    """How many games were to be played."""
    games: tuple[GameResult, ...]
    """Those that have ended, in that order."""
    watch: Watch
    """What else there was to be seen."""

    @property
    def faults(self) -> list[GameResult]:
        """The games that the bot lost by its own fault."""
        return [game for game in self.games if game.verdict.blame == self.seat]

    @property
    def whole(self) -> list[GameResult]:
        """The games that were played to their end."""
        return [g for g in self.games if g.verdict.termination is Termination.NORMAL]

    def plays(self, deals: Sequence[int]) -> list[bytes | None]:
        """Gives the plays of some deals; None for one that wasn't played to its end."""
        found = {game.deal: game.plays for game in self.whole}
        return [found.get(deal) for deal in deals]


def handshake(seen: Seen) -> Finding:
    """Says whether the bot came so far as to play."""
    never = [g for g in seen.faults if g.verdict.termination is Termination.NEVER_STARTED]
    if never:
        return broken(HANDSHAKE, _words(never[0], seen.name))
    if not seen.watch.max_games:
        return skipped(HANDSHAKE, "the referee never came so far; see the messages above")
    games = seen.watch.max_games
    words = "it plays one game at a time" if games == 1 else f"it plays up to {games} games at once"
    return passed(HANDSHAKE, words)


def is_unclear(seen: Seen) -> bool:
    """Tells whether so many games were in play at a fault that it can't be said in which it was.

    A process that fails loses all its games. One that is late may have answers in hand that it
    hasn't sent, and the turn that has waited longest is blamed.
    """
    faults = seen.faults
    if not faults or seen.watch.most_at_once <= 1:
        return False
    first = faults[0].verdict.termination
    if first is Termination.TIMEOUT:
        return True
    return seen.watch.failed and len(faults) > 1 and first in _KINDS_OF_PROCESS_FAULTS


def legal(
    clause: Clause,
    parts: Sequence[Seen],
    alone: Seen | None,
    command: Callable[[FaultyTurn], str],
) -> Finding:
    """Says whether the bot played all games of some series to their end.

    Args:
        clause: the clause in question.
        parts: the series.
        alone: the first of them with a fault, played again one game at a time to find where a
            process fails; None where that was not needed.
        command: gives what to type to see a turn.
    """
    faulty = next((part for part in parts if part.faults), None)
    if faulty is None:
        return _without_fault(clause, parts)
    count, of = sum(len(part.faults) for part in parts), sum(len(part.games) for part in parts)
    lost = f"it lost {count} of {of} games by its own fault"
    first = faulty.faults[0]
    if not is_unclear(faulty):
        where = turn_of(first, faulty)
        words = f"{lost}; the first: {_words(first, faulty.name)}"
        return broken(clause, words, where, command(where))
    words = f"{lost}, with many in play at once; the first: {_words(first, faulty.name)}"
    if alone is None or not alone.faults:
        return broken(clause, f"{words}\nplayed one game at a time it doesn't fail")
    first = alone.faults[0]
    where = turn_of(first, alone)
    number = alone.games.index(first) + 1
    words += f"\nplayed one game at a time, that comes in game {number} of its process"
    return broken(clause, words, where, command(where))


def _without_fault(clause: Clause, parts: Sequence[Seen]) -> Finding:
    played = sum(len(part.whole) for part in parts)
    wanted = sum(part.wanted for part in parts)
    cards = sum(len(part.watch.charges) for part in parts)
    if not played:
        why = f"no game came to its end in time; {cards} cards were legal; give it more by --time"
        void = next((game for part in parts for game in part.games), None)
        return skipped(clause, void.verdict.words if void else why)
    games = f"{played} games, {cards} cards"
    in_vain = sum(len(part.games) for part in parts) - played
    if in_vain:
        games += f"; {in_vain} more are void, by no fault of the bot"
    if played + in_vain < wanted:
        games += (
            f"; for the other {wanted - played - in_vain} there was no time (--time gives more)"
        )
    return passed(clause, games)


def many_games(alone: Sequence[Seen], usual: Sequence[Seen], crowd: Sequence[Seen]) -> Finding:
    """Says whether the bot fares worse with many games at once than with one.

    Args:
        alone: games played one at a time.
        usual: games by the same rules, many at once.
        crowd: all games that were played many at once.
    """
    most = max((part.watch.most_at_once for part in crowd), default=0)
    if any(part.faults for part in alone):
        return skipped(MANY_GAMES, "it fails with one game at a time already")
    if most <= 1:
        why = "it never had two games at once: it asks for one, or it is too slow for more"
        return skipped(MANY_GAMES, why)
    if any(part.faults for part in usual):
        words = f"with up to {most} at once it lost games, and none of those one at a time: see L1"
        return broken(MANY_GAMES, words)
    return passed(MANY_GAMES, f"up to {most} at once")


def clean_end(parts: Sequence[Seen], limits: Limits) -> Finding:
    """Says whether its processes ended by themselves."""
    exits = [status for part in parts for status in part.watch.exits]
    if not exits:
        return skipped(CLEAN_END, "no process of it came to its farewell")
    late = sum(status is None for status in exits)
    if late:
        words = (
            f"{late} of {len(exits)} processes still ran {limits.shutdown_seconds:g} s after the "
            "farewell, and were killed"
        )
        if late < len(exits) * _OFTEN:
            return Finding(CLEAN_END, Mark.NOTED, f"{words}; the machine may be to blame")
        return broken(CLEAN_END, f"{words}: end the process when the referee has said farewell")
    wrong = [status for status in exits if status]
    if wrong:
        words = f"{len(wrong)} of {len(exits)} processes ended with an exit status other than 0"
        return broken(CLEAN_END, f"{words}: {wrong[0]}")
    return passed(CLEAN_END, f"{len(exits)} processes")


def reply_times(parts: Sequence[Seen], limits: Limits) -> Finding:
    """Says how long the bot took over a card, as the clock charges it."""
    charges = sorted(charge for part in parts for charge in part.watch.charges)
    if not charges:
        return skipped(REPLY_TIMES, "it answered nothing")
    limit = limits.move_seconds
    p50, p99 = (charges[min(len(charges) - 1, int(len(charges) * p))] for p in (0.5, 0.99))
    share = charges[-1] / limit if limit else 1.0
    words = (
        f"p50 {_ms(p50)}, p99 {_ms(p99)}, max {_ms(charges[-1])}, "
        f"which is {100 * share:.1f} % of the limit of {limit:g} s"
    )
    mark = Mark.PASSED if share < _LATE else Mark.NOTED
    figures = (
        ("cards", float(len(charges))),
        ("p50_ms", 1000 * p50),
        ("p99_ms", 1000 * p99),
        ("max_ms", 1000 * charges[-1]),
        ("share_of_limit", share),
    )
    return Finding(REPLY_TIMES, mark, words, figures=figures)


def memory(parts: Sequence[Seen], resources: Resources) -> Finding:
    """Says how much memory the bot used at most."""
    peak = max((part.watch.peak_mib for part in parts), default=0.0)
    if not peak:
        return skipped(MEMORY, "the system doesn't tell")
    mark = Mark.PASSED if peak < _MUCH * resources.memory_mib else Mark.NOTED
    words = f"{peak:.0f} MiB of {resources.memory_mib} MiB"
    return Finding(MEMORY, mark, words, figures=(("peak_mib", peak),))


def output(printed: str, count: int, *, flooded: bool, resources: Resources) -> Finding:
    """Says what the bot printed.

    Args:
        printed: the beginning of what all its processes printed.
        count: how many bytes of it were kept.
        flooded: whether a process printed more than is kept.
        resources: how much is kept of a process.
    """
    figures = (("bytes", float(count)),)
    if not count:
        return Finding(OUTPUT, Mark.PASSED, "nothing", figures=figures)
    lines = [line[:_SHOWN_WIDTH] for line in printed.splitlines() if line.strip()]
    words = f"{count} bytes"
    if flooded:
        words = f"more than {resources.output_kib} KiB by one process: the rest is dropped"
    shown = "".join(f"\n| {line}" for line in lines[:_SHOWN_LINES])
    more = "\n| …" if len(lines) > _SHOWN_LINES else ""
    return Finding(OUTPUT, Mark.NOTED, words + shown + more, figures=figures)


def turn_of(game: GameResult, seen: Seen) -> FaultyTurn:
    """Plays a lost game again up to the fault, and gives the turn that the bot had there."""
    decks = partial(deck_of, seen.seed, game.deal)
    stood = replay(seen.ruleset, decks, FIRST_DEALER, game.plays)
    has_turn = stood.winner is None and stood.round.to_play == seen.seat
    played = ""
    if game.verdict.termination is Termination.ILLEGAL_MOVE:
        card = seen.watch.cards[game.deal]
        played = str(CARDS[card]) if card < len(CARDS) else f"the number {card}"
    return FaultyTurn(
        ruleset=seen.ruleset,
        seed=seen.seed,
        deal=game.deal,
        seat=seen.seat,
        seen=observe(stood) if has_turn else None,
        played=played,
    )


def _words(game: GameResult, name: str) -> str:
    """Gives a verdict without the bot's name, and the last lines of its process."""
    words = game.verdict.words.removeprefix(f"{name} ")
    lines = game.verdict.detail.rstrip().splitlines()[-2 * _SHOWN_LINES :]
    return "\n".join([words, *(f"| {line}" for line in lines)])


def _ms(seconds: float) -> str:
    milliseconds = 1000 * seconds
    return f"{milliseconds:.0f} ms" if milliseconds >= 10 else f"{milliseconds:.2g} ms"  # noqa: PLR2004 - two digits
