"""Tournaments: made once, then played until every game that is wanted has its result."""

from __future__ import annotations

import math
import re
import secrets
from dataclasses import fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from californiajack import InputError, Ruleset
from californiajack.deal import check_seed
from californiajack_referee.formats.check import MOST_PAIRS, check_format, usual_pairs
from californiajack_referee.league.format import Adaptive, RoundRobin
from californiajack_referee.league.stored import RatingSettings, StoredTournament
from californiajack_referee.tournament.jobs import default_jobs
from californiajack_referee.tournament.progress import Progress
from californiajack_referee.tournament.run import Run, TournamentError
from californiajack_referee.values import MOST_GAMES_AT_ONCE, Layer, Limits, Resources

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Executor

    from californiajack_referee.league.folder import League
    from californiajack_referee.league.format import Format
    from californiajack_referee.league.stored import StoredBot

__all__ = ["Progress", "TournamentError", "create", "play"]

SEED_BYTES = 16
"""The length of a seed that is drawn."""
FEWEST_ENTRANTS = 2
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LONGEST_LIMIT_SECONDS = 86_400.0
_LEAST_RATING, _MOST_RATING = 1e-6, 1e6


def create(  # noqa: PLR0913 - each is a thing that a tournament fixes, all by keyword
    league: League,
    *,
    name: str,
    entrants: Sequence[StoredBot],
    pairs: int | None = None,
    seed: bytes | None = None,
    ruleset: Ruleset | None = None,
    limits: Limits | None = None,
    rating: RatingSettings | None = None,
    played_as: Format | None = None,
    options: Mapping[str, str | int | float] | None = None,
) -> StoredTournament:
    """Makes a tournament and stores it; nothing is played yet.

    Args:
        league: whose bots play.
        name: its name: letters, digits, ``-``, ``_`` and ``.``.
        entrants: two or more bots of the league, each once; their order numbers the pairings.
        pairs: pairs of games of two bots that meet, 1 to 1,000,000; None for what is usual in the
            format, whatever its games allow where it is adaptive.
        seed: 16 to 64 bytes that fix all deals; None for 16 random ones.
        ruleset: the rules; None for the usual ones.
        limits: what each bot process may take; None for the usual.
        rating: the parameters of the ratings; None for the usual.
        played_as: the format; None for a round robin.
        options: how it was asked to be played, by name: kept, and of no effect here.

    Raises:
        InputError: one of these is not as it has to be, or the name is taken.
    """
    if seed is not None:
        check_seed(seed)
    entrants = _checked_entrants(entrants)
    settings = played_as or RoundRobin()
    check_format(settings, len(entrants))
    if pairs is None or isinstance(settings, Adaptive):
        pairs = min(usual_pairs(settings), MOST_PAIRS)
    if not 1 <= pairs <= MOST_PAIRS:
        raise InputError(f"pairs: expected a number from 1 to {MOST_PAIRS:,}, got {pairs}")
    tournament = StoredTournament(
        name=_checked_name(name),
        entrants=entrants,
        pairs=pairs,
        seed=secrets.token_bytes(SEED_BYTES) if seed is None else seed,
        ruleset=ruleset or Ruleset(),
        limits=_checked_limits(limits or Limits()),
        created_at=datetime.now(UTC).replace(microsecond=0),
        rating=_checked_rating(rating or RatingSettings()),
        format=settings,
        options=tuple((options or {}).items()),
    )
    league.store.add_tournament(tournament)
    return tournament


def play(  # noqa: PLR0913 - all but two by keyword
    league: League,
    tournament: StoredTournament,
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    games_at_once: int = 256,
    layer: Layer = Layer.PROCESS,
    resources: Resources | None = None,
    on_progress: Callable[[Progress], None] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Plays what is missing of a tournament, and stores each game as soon as its series reports.

    The result log doesn't depend on the executor, the jobs, or how often the tournament was
    stopped and taken up again.

    Args:
        league: where it is stored.
        tournament: one of the league's.
        executor: where the series are played; None for processes of this machine, which are gone
            when this returns. Another one is left open, and its series can't be cut short.
        jobs: how many series to play at once; None for one for two cores.
        games_at_once: how many games of a series may be in play at once, 1 to 1024.
        layer: what is to stand between the bots' processes and the machine.
        resources: what each bot's process may use; None for the usual.
        on_progress: told a few times a second how far it has come.
        stop: asked a few times a second; once it gives true, what is finished is stored, and the
            rest is left for another time.

    Returns:
        Whether the tournament is over: every game that its format wants has its result.

    Raises:
        InputError: a number is out of its range.
        BusyError: another process plays it.
        TournamentError: the processes that play series died again and again, or nothing comes of
            the series by no fault of the bots.
        StoreError: a result can't be written.
    """
    jobs = default_jobs() if jobs is None else jobs
    check_speed(jobs, games_at_once)
    with league.playing(tournament.name):
        run = Run(
            league,
            tournament,
            executor=executor,
            jobs=jobs,
            games_at_once=games_at_once,
            layer=layer,
            resources=resources or Resources(),
        )
        return run.play(on_progress, stop)


def check_speed(jobs: int, games_at_once: int) -> None:
    """Refuses numbers that nothing can be played by.

    Raises:
        InputError: a number is out of its range.
    """
    if jobs < 1:
        raise InputError(f"jobs: expected a number from 1 on, got {jobs}")
    if not 1 <= games_at_once <= MOST_GAMES_AT_ONCE:
        raise InputError(
            f"games at once: expected a number from 1 to {MOST_GAMES_AT_ONCE}, got {games_at_once}"
        )


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise InputError(
            "tournament name: expected 1 to 64 letters, digits, '-', '_' and '.', the first a "
            f"letter or a digit, got {name!r}"
        )
    return name


def _checked_entrants(entrants: Sequence[StoredBot]) -> tuple[StoredBot, ...]:
    labels = [bot.label for bot in entrants]
    for label in labels:
        if labels.count(label) > 1:
            raise InputError(f"bots: expected each bot once, got {label} more than once")
    if len(labels) < FEWEST_ENTRANTS:
        raise InputError(
            f"bots: expected {FEWEST_ENTRANTS} or more, got {', '.join(labels) or 'none'}: submit "
            "another one first: caljack submit PATH"
        )
    return tuple(entrants)


def _checked_limits(limits: Limits) -> Limits:
    for field in fields(limits):
        seconds = getattr(limits, field.name)
        lowest = 0.0 if field.name in {"bank_seconds", "game_seconds"} else 0.001
        if not math.isfinite(seconds) or not lowest <= seconds <= _LONGEST_LIMIT_SECONDS:
            raise InputError(
                f"{field.name.replace('_', ' ')}: expected a number from {lowest:g} to "
                f"{_LONGEST_LIMIT_SECONDS:g}, got {seconds}"
            )
    return limits


def _checked_rating(rating: RatingSettings) -> RatingSettings:
    ranges = {
        "mu": (-_MOST_RATING, _MOST_RATING),
        "sigma": (_LEAST_RATING, _MOST_RATING),
        "beta": (_LEAST_RATING, _MOST_RATING),
        "tau": (0.0, _MOST_RATING),
        "draw_probability": (0.0, 0.0),  # there are no draws (R12)
    }
    for name, (low, high) in ranges.items():
        value = getattr(rating, name)
        if not low <= value <= high:
            between = f"{low:g}" if low == high else f"a number from {low:g} to {high:g}"
            raise InputError(f"rating {name}: expected {between}, got {value}")
    return rating
