"""Submitting a bot: copied, built, tried in two games, and kept as the next version of its name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING

from californiajack import Ruleset, Termination
from californiajack_referee.play.series import run_series
from californiajack_referee.schedule import SEATINGS
from californiajack_referee.submission.build import SubmissionError, run_build
from californiajack_referee.submission.files import (
    copy_files,
    digest_of,
    make_read_only,
    remove_folder,
)
from californiajack_referee.submission.manifest import read_manifest
from californiajack_referee.submission.opponent import OPPONENT
from californiajack_referee.values import BotProgram, Layer, Limits, Resources, SeriesOrder

if TYPE_CHECKING:
    from californiajack_referee.league.folder import League
    from californiajack_referee.league.stored import StoredBot
    from californiajack_referee.submission.manifest import Manifest
    from californiajack_referee.values import GameResult

__all__ = ["BUILD_SECONDS", "SubmissionError", "submit"]

BUILD_SECONDS = 300.0
_TRIAL_SEED = b"californiajack/trial"
_TRIAL_LIMITS = Limits(start_seconds=30.0, ready_seconds=30.0, move_seconds=10.0)
_HINTS = {
    Termination.NEVER_STARTED: "run its command in its folder to see what is wrong",
    Termination.ILLEGAL_MOVE: "let it answer with one of the legal cards of its turn",
    Termination.TIMEOUT: "let it answer sooner",
    Termination.CRASH: "mend the error",
    Termination.DISCONNECT: "let it keep its stream open until the referee says farewell",
    Termination.PROTOCOL_ERROR: "let it keep to the protocol, docs/protocol.md",
}


@dataclass(frozen=True, slots=True)
class _Terms:
    """On what terms a bot is built and tried."""

    build_seconds: float
    limits: Limits
    resources: Resources
    layer: Layer


def submit(  # noqa: PLR0913 - all but two by keyword
    league: League,
    path: Path | str,
    *,
    build_seconds: float = BUILD_SECONDS,
    limits: Limits | None = None,
    resources: Resources | None = None,
    layer: Layer = Layer.PROCESS,
) -> StoredBot:
    """Takes a bot's folder into the league as the next version of its name.

    The same content again is the same version: then nothing is built, tried or stored. One that
    fails leaves nothing behind.

    Args:
        league: where it is to play.
        path: its folder, which has a bot.toml; it is only read.
        build_seconds: how long its build step may take.
        limits: how long it may take in its trial games; None for the usual.
        resources: what it may use in its trial games; None for the usual.
        layer: what is to stand between its build, its trial games and the machine.

    Raises:
        InputError: the folder or its bot.toml is not as it has to be.
        SubmissionError: its build fails, or it fails in a trial game.
    """
    terms = _Terms(build_seconds, limits or _TRIAL_LIMITS, resources or Resources(), layer)
    source = Path(path)
    read_manifest(source)
    with league.submitting():
        arrived = league.incoming / "bot"
        # what a killed process has left
        remove_folder(league.incoming)
        try:
            copy_files(source, arrived)
            return _take(league, arrived, terms)
        finally:
            remove_folder(league.incoming)


def _take(league: League, arrived: Path, terms: _Terms) -> StoredBot:
    manifest = read_manifest(arrived)
    digest = digest_of(arrived)
    folder = league.bot_folder(digest)
    known = league.store.bot_with(digest)
    if known is not None and league.has_whole_bot(digest):
        return known
    logs = league.submission_folder(digest)
    # it is built and tried where it will stay: what builds make often holds its own path
    remove_folder(folder)
    remove_folder(logs)
    folder.parent.mkdir(exist_ok=True)
    # for whoever finds what a killed process has left of a bot that is known already
    unfinished = league.unfinished_mark(digest)
    unfinished.touch()
    arrived.rename(folder)
    try:
        logs.mkdir(parents=True)
        if manifest.build:
            work = league.incoming / "build"
            work.mkdir()
            run_build(
                manifest.build,
                folder,
                work=work,
                log=logs / "build.log",
                seconds=terms.build_seconds,
                layer=terms.layer,
            )
        _try_out(manifest, folder, terms, idle=league.incoming / "idle", logs=logs)
        make_read_only(folder)
        unfinished.unlink()
        return league.store.add_bot(
            manifest.name,
            digest,
            language=manifest.language,
            authors=manifest.authors,
            command=manifest.command,
        )
    except BaseException:
        remove_folder(folder)
        unfinished.unlink(missing_ok=True)
        remove_folder(logs)
        raise


def _try_out(manifest: Manifest, folder: Path, terms: _Terms, *, idle: Path, logs: Path) -> None:
    """Plays one short game in each seat against the built-in player.

    Args:
        manifest: what the bot's bot.toml says.
        folder: the bot's folder.
        terms: on what terms it plays.
        idle: an empty folder to make, where the built-in player runs: Python would import from it.
        logs: where both players' output goes.

    Raises:
        SubmissionError: the bot failed, or no game came about.
    """
    idle.mkdir()
    bot = BotProgram(manifest.name, str(folder), manifest.command)
    opponent = BotProgram("the built-in player", str(idle), OPPONENT)
    for seating in SEATINGS:
        order = SeriesOrder(
            tournament="trial",
            pairing=0,
            seating=seating,
            seats=(opponent, bot) if seating else (bot, opponent),
            deals=(0,),
            seed=_TRIAL_SEED,
            ruleset=Ruleset(target=1),
            limits=terms.limits,
            resources=terms.resources,
            layer=terms.layer,
            games_at_once=1,
            log_folder=str(logs),
        )
        games = run_series(order).games
        if not games:
            raise SubmissionError("its trial game was not played.\nWhat to do: submit it again.")
        for game in games:
            _check_trial(game, seating, folder)


def _check_trial(game: GameResult, seat: int, folder: Path) -> None:
    verdict = game.verdict
    words = verdict.words.rstrip(".")
    if verdict.blame == seat:
        # where the league keeps the bot means nothing to its author
        detail = verdict.detail.replace(f"{folder}/", "").rstrip()
        shown = "\nIts last lines:\n" + indent(detail, "  ") if detail else ""
        hint = _HINTS.get(verdict.termination, "mend it")
        raise SubmissionError(
            f"it failed in a trial game: {words}.{shown}\nWhat to do: {hint}, and submit it again."
        )
    if verdict.termination is not Termination.NORMAL:
        raise SubmissionError(
            f"its trial game came to nothing, by no fault of the bot: {words}.\n"
            "What to do: submit it again."
        )
