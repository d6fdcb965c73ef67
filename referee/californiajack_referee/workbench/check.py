"""A conformance check of any bot over real processes: played as in a tournament, and looked at."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from californiajack.conformance import (
    CLEAN_END,
    DETERMINISM,
    HANDSHAKE,
    INDEPENDENCE,
    LEGAL,
    MANY_GAMES,
    MEMORY,
    ONE_GAME,
    OUTPUT,
    REPLY_TIMES,
    RULESETS,
    Clause,
    Finding,
    Mark,
    Report,
    broken,
    passed,
    skipped,
)
from californiajack.testing import GAMES, SEED, compare
from californiajack_referee.play.series import run_series
from californiajack_referee.schedule import SEATINGS
from californiajack_referee.submission.build import SubmissionError, run_build
from californiajack_referee.submission.files import copy_files
from californiajack_referee.submission.manifest import read_manifest
from californiajack_referee.submission.opponent import OPPONENT
from californiajack_referee.submission.submit import BUILD_SECONDS
from californiajack_referee.values import BotProgram, Layer, Limits, Resources, SeriesOrder
from californiajack_referee.workbench import findings
from californiajack_referee.workbench.findings import Seen
from californiajack_referee.workbench.watch import Watch, WatchedSitting

if TYPE_CHECKING:
    from collections.abc import Callable

    from californiajack import Ruleset
    from californiajack.conformance import FaultyTurn
    from californiajack_referee.submission.manifest import Manifest

BUILD = Clause("B1", "its build step")
_REST = (ONE_GAME, *LEGAL, MANY_GAMES, DETERMINISM, INDEPENDENCE)
_REST += (CLEAN_END, REPLY_TIMES, MEMORY, OUTPUT)
_FEW = 20
"""Games of the clauses that look at how the same games go again, or one at a time."""
_PATIENCE = 3.0
"""After how many times its time a clause's games in play are dropped."""
_GAMES_AT_ONCE = 256
_SHOWN_BYTES = 4096


@dataclass(frozen=True, slots=True)
class CheckTerms:
    """On what terms a bot is checked."""

    games: int = GAMES
    """Games of each ruleset, 1 or more; half of them in each seat."""
    seconds: float = 60.0
    """After this time a clause begins no new game."""
    seed: bytes = SEED
    """The seed of the deals, 16 to 64 bytes."""
    limits: Limits = field(default_factory=Limits)
    """How long it may take."""
    resources: Resources = field(default_factory=Resources)
    """What it may use."""
    layer: Layer = Layer.PROCESS
    """What stands between it and the machine."""


def check(
    path: Path,
    terms: CheckTerms,
    *,
    tell: Callable[[str], None],
    command: Callable[[FaultyTurn], str],
) -> Report:
    """Checks the bot of a folder: its build, then hundreds of games, as a tournament plays them.

    Args:
        path: its folder, which is only read: a copy of what counts of it is built and played.
        terms: on what terms.
        tell: is told what is going on.
        command: gives what to type to see a turn.

    Raises:
        InputError: the folder or its bot.toml is not as it has to be.
    """
    manifest = read_manifest(path)
    with tempfile.TemporaryDirectory(prefix="caljack-check-", ignore_cleanup_errors=True) as work:
        folder = Path(work) / "bot"
        copy_files(path, folder)
        for name in ("idle", "logs", "build"):
            (Path(work) / name).mkdir()
        built: tuple[Finding, ...] = ()
        if manifest.build:
            tell("Building it …")
            built = (_build(manifest, Path(work), terms),)
        if any(found.mark is Mark.FAILED for found in built):
            rest = tuple(skipped(clause, "it isn't built") for clause in (HANDSHAKE, *_REST))
            return Report((*built, *rest))
        checked = _Check(manifest, Path(work), terms, tell, command).findings()
        return Report((*built, *checked))


def _build(manifest: Manifest, work: Path, terms: CheckTerms) -> Finding:
    began = time.monotonic()
    try:
        run_build(
            manifest.build,
            work / "bot",
            work=work / "build",
            log=work / "build.log",
            seconds=BUILD_SECONDS,
            layer=terms.layer,
        )
    except SubmissionError as error:
        return broken(BUILD, str(error).removeprefix("its build command "))
    return passed(BUILD, f"took {time.monotonic() - began:.1f} s")


class _Check:
    """The games of a check, and what comes of them."""

    def __init__(
        self,
        manifest: Manifest,
        work: Path,
        terms: CheckTerms,
        tell: Callable[[str], None],
        command: Callable[[FaultyTurn], str],
    ) -> None:
        self._bot = BotProgram(manifest.name, str(work / "bot"), manifest.command)
        self._opponent = BotProgram("the built-in player", str(work / "idle"), OPPONENT)
        self._logs = work / "logs"
        self._terms = terms
        self._tell = tell
        self._command = command
        self._all: list[Seen] = []

    def findings(self) -> list[Finding]:
        """Plays all there is to play, and gives a finding a clause."""
        few = max(1, min(_FEW, self._terms.games) // len(SEATINGS))
        self._tell(f"{ONE_GAME.id}  {ONE_GAME.claim} …")
        alone = self._both_seats(RULESETS[0], few, at_once=1)
        started = findings.handshake(alone[0])
        if started.mark is Mark.FAILED:
            why = "it never started"
            return [self._cleaned(started), *(skipped(clause, why) for clause in _REST)]
        found = [started, self._legal(ONE_GAME, alone)]
        crowd: list[Seen] = []
        usual: list[Seen] = []
        half = -(-self._terms.games // len(SEATINGS))
        for clause, ruleset in zip(LEGAL, RULESETS, strict=True):
            self._tell(f"{clause.id}  {clause.claim} …")
            parts = self._both_seats(ruleset, half, at_once=_GAMES_AT_ONCE)
            usual = usual or parts
            crowd += parts
            found.append(self._legal(clause, parts))
        found.append(findings.many_games(alone, usual, crowd))
        self._tell(f"{DETERMINISM.id}  {DETERMINISM.claim} …")
        again = self._both_seats(RULESETS[0], few, at_once=1)
        found += compare(*(_plays(parts, few) for parts in (alone, again, usual)))
        return [self._cleaned(one) for one in (*found, *self._summary())]

    def _summary(self) -> list[Finding]:
        logs = sorted(self._logs.glob(f"*-{self._bot.name}.log"))
        printed = b""
        flooded = False
        for log in logs:
            content = log.read_bytes()
            printed += content[: max(0, _SHOWN_BYTES - len(printed))]
            flooded = flooded or b"\n[output over " in content[-_SHOWN_BYTES:]
        shown = printed.decode(errors="replace")
        count = sum(log.stat().st_size for log in logs)
        return [
            findings.clean_end(self._all, self._terms.limits),
            findings.reply_times(self._all, self._terms.limits),
            findings.memory(self._all, self._terms.resources),
            findings.output(shown, count, flooded=flooded, resources=self._terms.resources),
        ]

    def _both_seats(self, ruleset: Ruleset, deals: int, *, at_once: int) -> list[Seen]:
        """Plays some deals in each seat; not in the second where a process failed in the first."""
        parts: list[Seen] = []
        for seat in SEATINGS:
            if not any(part.watch.failed for part in parts):
                parts.append(self._play(ruleset, seat, deals, at_once=at_once))
        return parts

    def _legal(self, clause: Clause, parts: list[Seen]) -> Finding:
        alone = None
        faulty = next((part for part in parts if part.faults), None)
        if faulty is not None and findings.is_unclear(faulty):
            self._tell(f"{clause.id}  looking for the game in which its process fails …")
            alone = self._play(faulty.ruleset, faulty.seat, faulty.wanted, at_once=1)
        return findings.legal(clause, parts, alone, self._command)

    def _play(self, ruleset: Ruleset, seat: int, deals: int, *, at_once: int) -> Seen:
        """Plays a series, which ends early when the bot's process fails, or takes far too long."""
        terms, watch = self._terms, Watch(seat)
        order = SeriesOrder(
            tournament="check",
            pairing=len(self._all),
            seating=seat,
            seats=(self._opponent, self._bot) if seat else (self._bot, self._opponent),
            deals=tuple(range(deals)),
            seed=terms.seed,
            ruleset=ruleset,
            limits=terms.limits,
            resources=terms.resources,
            layer=terms.layer,
            games_at_once=at_once,
            log_folder=str(self._logs),
            budget_seconds=terms.seconds / len(SEATINGS),
        )
        until = time.monotonic() + _PATIENCE * terms.seconds
        result = run_series(
            order,
            stop=lambda: watch.failed or time.monotonic() > until,
            sit=partial(WatchedSitting, watch),
        )
        seen = Seen(self._bot.name, seat, ruleset, terms.seed, deals, result.games, watch)
        self._all.append(seen)
        return seen

    def _cleaned(self, found: Finding) -> Finding:
        """Takes out where the copy stands: that means nothing to the author."""
        return replace(found, words=found.words.replace(f"{self._bot.folder}/", ""))


def _plays(parts: list[Seen], deals: int) -> list[bytes | None]:
    """Gives the plays of some deals, first those of seat 0; None for what wasn't played."""
    missing = [None] * (deals * (len(SEATINGS) - len(parts)))
    return [*(play for part in parts for play in part.plays(range(deals))), *missing]
