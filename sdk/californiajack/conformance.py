"""What a check of a bot says: clauses, a finding for each, and the exact turn of a fault. Pure.

`californiajack.testing` fills such a report for a Bot class in this process, `caljack check` for a
bot in any language over real processes. The same id means the same demand in both.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import TYPE_CHECKING

from californiajack.cards import CARDS, format_cards
from californiajack.ruleset import FollowRule, Ruleset, Scoring

if TYPE_CHECKING:
    from californiajack.observation import Observation

RULESETS = tuple(Ruleset(scoring=s, follow=f) for s, f in product(Scoring, FollowRule))
"""Every scoring with every follow rule; the first is the usual one."""


class Demand(Enum):
    """What follows where a clause doesn't hold."""

    MUST = "must"
    """The bot fails the check: it would lose games by it."""
    NOTE = "note"
    """Its author is told, nothing more."""


class Mark(Enum):
    """What came of a clause. The value is its name in reports."""

    PASSED = "ok"
    """It holds."""
    FAILED = "FAILED"
    """It doesn't hold, and it must."""
    NOTED = "note"
    """There is something to know."""
    SKIPPED = "skipped"
    """It could not be looked at."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One demand on a bot."""

    id: str
    """Its short name, such as ``L1``."""
    claim: str
    """What has to hold, in a few words."""
    demand: Demand = Demand.MUST
    """What follows where it doesn't."""


HANDSHAKE = Clause("H1", "handshake: it starts, says hello and is ready")
LEGAL = tuple(
    Clause(f"L{number}", f"legal play by {rules.scoring.value}, {rules.follow.value}")
    for number, rules in enumerate(RULESETS, start=1)
)
"""Legal play to the end of every game, a clause for each of `RULESETS`."""
ONE_GAME = Clause("G1", "one game at a time")
MANY_GAMES = Clause("G2", "many games at once")
DETERMINISM = Clause("D1", "the same deals again, the same plays", Demand.NOTE)
INDEPENDENCE = Clause("D2", "the same plays alone and beside other games", Demand.NOTE)
CLEAN_END = Clause("E1", "clean end: it ends by itself, with exit status 0")
REPLY_TIMES = Clause("T1", "reply times", Demand.NOTE)
MEMORY = Clause("M1", "memory at its peak", Demand.NOTE)
OUTPUT = Clause("O1", "what it printed", Demand.NOTE)


@dataclass(frozen=True, slots=True)
class FaultyTurn:
    """Where a bot went wrong. Rounds and tricks are counted from 1, as `caljack replay` does."""

    ruleset: Ruleset
    """The rules of the game."""
    seed: bytes
    """The seed of the deals."""
    deal: int
    """The deal's number."""
    seat: int
    """The bot's seat; seat 0 deals first."""
    seen: Observation | None
    """What the bot saw; None where it had no turn."""
    played: str = ""
    """What it played, such as ``Kd``; empty where it played nothing."""

    def lines(self) -> tuple[str, ...]:
        """Says it for a person."""
        rules = self.ruleset
        game = f"game: deal {self.deal}, seat {self.seat}, {rules.scoring.value}, "
        seen = self.seen
        if seen is None:
            return (game + rules.follow.value,)
        task = "to lead" if seen.led is None else f"to follow {CARDS[seen.led]}"
        trump = CARDS[seen.trump_card].suit.name.lower()
        return (
            game + rules.follow.value,
            (
                f"turn: round {seen.round_number + 1}, trick {len(seen.history) // 2 + 1}, {task}, "
                f"{trump} trump"
            ),
            (
                f"hand: {format_cards(seen.hand)}; legal: {format_cards(seen.legal)}; "
                f"it played: {self.played or 'nothing'}"
            ),
        )

    def to_json(self) -> dict[str, object]:
        """Gives it as JSON data."""
        data: dict[str, object] = {
            "scoring": self.ruleset.scoring.value,
            "follow": self.ruleset.follow.value,
            "target": self.ruleset.target,
            "seed": self.seed.hex(),
            "deal": self.deal,
            "seat": self.seat,
        }
        seen = self.seen
        if seen is not None:
            data |= {
                "round": seen.round_number + 1,
                "trick": len(seen.history) // 2 + 1,
                "led": None if seen.led is None else str(CARDS[seen.led]),
                "trump": CARDS[seen.trump_card].suit.name.lower(),
                "hand": format_cards(seen.hand),
                "legal": format_cards(seen.legal),
                "played": self.played or None,
            }
        return data


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one clause."""

    clause: Clause
    """The clause."""
    mark: Mark
    """Whether it holds."""
    words: str
    """What was seen, in one line or a few."""
    turn: FaultyTurn | None = None
    """The exact turn of the first fault; None where there is none to name."""
    command: str = ""
    """What to type to see it; empty where there is nothing to see."""
    figures: tuple[tuple[str, float], ...] = ()
    """What was measured, by name; the unit stands at the name's end."""

    def lines(self) -> tuple[str, ...]:
        """Gives its line, and below it, indented, what helps with a fault."""
        first, *more = self.words.splitlines() or [""]
        head = f"{self.clause.id}  {self.mark.value:<7} {self.clause.claim}: {first}"
        below = [*more, *(self.turn.lines() if self.turn else ())]
        if self.command:
            below.append(f"to see it: {self.command}")
        return (head, *(f"      {line}" for line in below))

    def to_json(self) -> dict[str, object]:
        """Gives it as JSON data."""
        return {
            "id": self.clause.id,
            "claim": self.clause.claim,
            "demand": self.clause.demand.value,
            "result": self.mark.value.lower(),
            "words": self.words,
            "turn": self.turn.to_json() if self.turn else None,
            "command": self.command or None,
            "figures": dict(self.figures),
        }


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a check. As text it has one line a clause, and more where one fails."""

    findings: tuple[Finding, ...]
    """One a clause, in the order of the check."""

    @property
    def passed(self) -> bool:
        """Whether no must-clause failed."""
        return not self.failed

    @property
    def failed(self) -> tuple[Finding, ...]:
        """The findings that failed."""
        return tuple(found for found in self.findings if found.mark is Mark.FAILED)

    def __str__(self) -> str:
        return "\n".join(line for found in self.findings for line in found.lines())

    def to_json(self) -> dict[str, object]:
        """Gives it as JSON data."""
        return {
            "passed": self.passed,
            "clauses": [found.to_json() for found in self.findings],
        }


def passed(clause: Clause, words: str) -> Finding:
    """Says that a clause holds."""
    return Finding(clause, Mark.PASSED, words)


def broken(
    clause: Clause, words: str, turn: FaultyTurn | None = None, command: str = ""
) -> Finding:
    """Says that a clause doesn't hold: a failure or a note, as the clause demands."""
    mark = Mark.FAILED if clause.demand is Demand.MUST else Mark.NOTED
    return Finding(clause, mark, words, turn, command)


def skipped(clause: Clause, words: str) -> Finding:
    """Says that a clause could not be looked at."""
    return Finding(clause, Mark.SKIPPED, words)
