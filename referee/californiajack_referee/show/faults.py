"""The games a bot lost by its own fault, as text for its author: its own view only. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from californiajack import CARDS, Termination
from californiajack.cards import format_cards
from californiajack.deal import deck_of
from californiajack.observation import Observation, observe
from californiajack.record import replay

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from californiajack_referee.league.stored import StoredBot, StoredGame, StoredTournament

MOST_SHOWN = 3
"""How many faults of one bot and kind are shown, each in other words; the rest are counted."""
_ADVICE = {
    Termination.ILLEGAL_MOVE: "Play only cards of view.legal.",
    Termination.TIMEOUT: "Think less, or look at view.time_left; nothing else may keep it waiting.",
    Termination.CRASH: "Look at the error and its line, or at what the process wrote before it "
    "died or took too much.",
    Termination.NEVER_STARTED: "Run its command by hand in its folder: it should say that it is a "
    "bot.",
    Termination.DISCONNECT: "End the process and its stream only after the referee's farewell.",
    Termination.PROTOCOL_ERROR: "Compare what it sends with docs/protocol.md.",
}
# what differs between faults of one shape: cards and numbers, but not the numbers of lines
_CARDS = re.compile(r"\b[2-9TJQKA][cdhs]\b(?: [2-9TJQKA][cdhs]\b)*")
_NUMBERS = re.compile(r"(?<!line )\b\d+(?:\.\d+)?\b")


@dataclass(frozen=True, slots=True)
class Group:
    """The faults of one kind that a bot made in a tournament, at least one."""

    bot: StoredBot
    """The bot at fault."""
    termination: Termination
    """The kind."""
    games: tuple[StoredGame, ...]
    """The games, in canonical order."""

    def shown(self) -> tuple[StoredGame, ...]:
        """Gives the first game of each wording, cards and numbers apart; `MOST_SHOWN` at most."""
        first: dict[str, StoredGame] = {}
        for game in self.games:
            words = _NUMBERS.sub("#", _CARDS.sub("#", game.result.verdict.words))
            first.setdefault(words, game)
        return tuple(first.values())[:MOST_SHOWN]


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a game stood when a bot lost it by its own fault."""

    begun: bool
    """Whether the game was begun at all."""
    round_number: int
    """The round, from 1, as `caljack replay` counts."""
    seen: Observation | None
    """What the bot saw at the turn it had; None where it had none."""


def blamed(game: StoredGame) -> StoredBot | None:
    """Gives the bot that lost the game by its own fault; None where nobody did."""
    blame = game.result.verdict.blame
    return None if blame is None else game.seats[blame]


def grouped(games: Iterable[StoredGame]) -> list[Group]:
    """Puts the faults among games together by tournament, bot and kind.

    Args:
        games: in canonical order; the order of the tournaments is kept, and in each the bots stand
            by name and version.
    """
    groups: dict[tuple[str, str, int, Termination], list[StoredGame]] = {}
    tournaments: dict[str, int] = {}
    for game in games:
        bot = blamed(game)
        if bot is None:
            continue
        name = game.id.tournament
        tournaments.setdefault(name, len(tournaments))
        key = (name, bot.name, bot.version, game.result.verdict.termination)
        groups.setdefault(key, []).append(game)
    order = sorted(groups, key=lambda key: (tournaments[key[0]], key[1], key[2], key[3].value))
    found = []
    for key in order:
        first = groups[key][0]
        bot = blamed(first)
        if bot is not None:
            found.append(Group(bot, key[3], tuple(groups[key])))
    return found


def moment_of(game: StoredGame, tournament: StoredTournament) -> Moment:
    """Plays a game again up to the fault, and gives what the bot at fault saw there."""
    verdict = game.result.verdict
    decks = partial(deck_of, tournament.seed, game.id.deal)
    stood = replay(tournament.ruleset, decks, game.first_dealer, game.result.plays)
    begun = bool(game.result.plays) or not (
        verdict.termination is Termination.NEVER_STARTED or "was not begun" in verdict.words
    )
    has_turn = begun and stood.winner is None and stood.round.to_play == verdict.blame
    return Moment(begun, len(stood.rounds) + 1, observe(stood) if has_turn else None)


def format_heading(group: Group) -> str:
    """Says whose faults follow, of what kind, how many, and what helps."""
    count = len(group.games)
    games = "1 game" if count == 1 else f"{count} games"
    heading = (
        f"{group.bot.label} lost {games} of {group.games[0].id.tournament} "
        f"by a fault of its own: {group.termination.value}"
    )
    advice = _ADVICE.get(group.termination)
    return f"{heading}\n{advice}" if advice else heading


def format_fault(game: StoredGame, moment: Moment, *, log: str, command: str) -> str:
    """Shows a fault: the verdict, the turn, the bot's last lines, its log, and how to replay it.

    Args:
        game: a game lost by a fault.
        moment: where it stood.
        log: where the bot's whole output is; empty where it isn't kept.
        command: what to type to see the moment again.
    """
    verdict = game.result.verdict
    against = next(bot for seat, bot in enumerate(game.seats) if seat != verdict.blame)
    lines = [f"  {game.id} against {against.label}", f"    {verdict.words}"]
    lines += [f"    {line}" for line in _turn(moment)]
    if verdict.detail:
        lines.append("    Its last lines:")
        lines += [f"      {line}" for line in verdict.detail.splitlines()]
    if log:
        lines.append(f"    Its log: {log}")
    lines.append(f"    To see it: {command}")
    return "\n".join(lines)


def _turn(moment: Moment) -> Iterator[str]:
    if not moment.begun:
        yield "The game was not begun."
        return
    seen = moment.seen
    if seen is None:
        yield f"It was not its turn: the other bot was to play, in round {moment.round_number}."
        return
    trump = CARDS[seen.trump_card].suit.name.lower()
    task = "to lead" if seen.led is None else f"to follow {CARDS[seen.led]}"
    stock = "no stock left"
    if seen.stock_top is not None:
        stock = f"{CARDS[seen.stock_top]} on top of the stock of {seen.stock_size}"
    yield (
        f"Its turn: round {moment.round_number}, trick {len(seen.history) // 2 + 1}, {task}, "
        f"{trump} trump, {stock}, score {seen.score} to {seen.opponent_score}"
    )
    yield f"Its hand: {format_cards(seen.hand)}; legal: {format_cards(seen.legal)}"


def fault_data(game: StoredGame, moment: Moment, *, log: str, command: str) -> dict[str, object]:
    """Gives a fault as JSON data, with the same arguments as `format_fault`."""
    verdict = game.result.verdict
    bot = blamed(game)
    return {
        "game": str(game.id),
        "bot": None if bot is None else bot.label,
        "seat": verdict.blame,
        "seats": [seated.label for seated in game.seats],
        "termination": verdict.termination.value,
        "words": verdict.words,
        "detail": verdict.detail,
        "begun": moment.begun,
        "round": moment.round_number,
        "turn": None if moment.seen is None else _turn_data(moment.seen),
        "log": log or None,
        "replay": command,
    }


def _turn_data(seen: Observation) -> dict[str, object]:
    return {
        "trick": len(seen.history) // 2 + 1,
        "hand": format_cards(seen.hand),
        "legal": format_cards(seen.legal),
        "led": None if seen.led is None else str(CARDS[seen.led]),
        "trump": CARDS[seen.trump_card].suit.name.lower(),
        "stock_top": None if seen.stock_top is None else str(CARDS[seen.stock_top]),
        "stock_size": seen.stock_size,
        "score": [seen.score, seen.opponent_score],
    }
