"""Playing a tournament before a person's eyes: its progress, Ctrl-C, and how it ended."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from californiajack_referee.cli.courses import course_now
from californiajack_referee.cli.output import say, write, write_json, write_table
from californiajack_referee.tournament.jobs import default_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from californiajack_referee.cli.exporting import Export
    from californiajack_referee.formats.course import Course
    from californiajack_referee.league.folder import League
    from californiajack_referee.league.store import Store
    from californiajack_referee.league.stored import StoredTournament
    from californiajack_referee.tournament.progress import Progress
    from californiajack_referee.values import Layer, Resources


@dataclass(frozen=True, slots=True)
class Speed:
    """What only changes how fast a tournament is played."""

    jobs: int = field(default_factory=default_jobs)
    """Series played at once."""
    games_at_once: int = 256
    """Games that a bot's process plays at once at most, 1 to 1024."""


def speed_of(wishes: Mapping[str, Any]) -> Speed:
    """Gives the speed that is wished for, or the usual one.

    Raises:
        InputError: a number is out of its range.
    """
    from californiajack_referee.tournament.tournament import check_speed

    usual = Speed()
    found = Speed(wishes.get("jobs", usual.jobs), wishes.get("games_at_once", usual.games_at_once))
    check_speed(found.jobs, found.games_at_once)
    return found


def games_line(store: Store, tournament: StoredTournament) -> str:
    """Says how many games are played of how many."""
    course, _ = course_now(store, tournament)
    most = "at most " if course.may_end_early else ""
    return f"{store.game_count(tournament.name)} of {most}{course.total} games"


def seed_digest(tournament: StoredTournament) -> str:
    """Gives the SHA-256 of a tournament's seed, which is published before the first game."""
    import hashlib

    return hashlib.sha256(tournament.seed).hexdigest()


def announce(tournament: StoredTournament, tell: Callable[[str], None]) -> None:
    """Tells what is about to be played, and the seed's SHA-256 before any game."""
    from californiajack_referee.show.course import format_line
    from californiajack_referee.show.game import format_rules

    bots = ", ".join(bot.label for bot in tournament.entrants)
    tell(f"Tournament {tournament.name}: {bots}")
    tell(format_line(tournament))
    tell(f"Rules: {format_rules(tournament.ruleset)}")
    tell(f"SHA-256 of the seed: {seed_digest(tournament)}")


def layers_line(store: Store, tournament: StoredTournament) -> str:
    """Says what stood between the bots and the machine; in how many games, where that changed."""
    counts = store.layer_counts(tournament.name)
    if len(counts) == 1:
        return next(iter(counts)).value
    return ", ".join(f"{layer} in {count} games" for layer, count in counts.items())


def play_shown(
    league: League,
    tournament: StoredTournament,
    speed: Speed,
    layer: Layer,
    resources: Resources | None = None,
) -> bool:
    """Plays what is missing of a tournament, with a progress bar; tells whether it is finished."""
    from californiajack_referee.cli.progress import shown
    from californiajack_referee.cli.stopping import stop_on_ctrl_c
    from californiajack_referee.tournament.tournament import play

    latest: Progress | None = None

    def on_progress(progress: Progress) -> None:
        nonlocal latest
        latest = progress
        show(progress)

    try:
        with stop_on_ctrl_c() as stop, shown() as show:
            finished = play(
                league,
                tournament,
                jobs=speed.jobs,
                games_at_once=speed.games_at_once,
                layer=layer,
                resources=resources,
                on_progress=on_progress,
                stop=stop,
            )
    except KeyboardInterrupt:  # the second Ctrl-C: what was stored by then stays
        finished = False
    if latest is not None and latest.given_up:
        say(f"{latest.given_up} games were void, again and again, and are left for another time.")
    if latest is not None and (latest.given_up or latest.faults):
        say(f"The platform itself had trouble; its log is in {league.log_folder(tournament.name)}")
    return finished


def write_result(store: Store, tournament: StoredTournament, *, cross: bool) -> None:
    """Writes a tournament's standings as tables."""
    from californiajack_referee.cli.rankings import standings_of, write_standings

    write("")
    write_standings(standings_of(store, tournament.name), cross=cross)
    write("")


def write_cross_sheet(store: Store, name: str, export: Export) -> None:
    """Writes who beat whom in a tournament as a table for programs."""
    from californiajack_referee.cli.exporting import write_sheet
    from californiajack_referee.cli.rankings import standings_of
    from californiajack_referee.show.standings import cross_sheet

    write_sheet(cross_sheet(standings_of(store, name)), export)


def draw_cross(store: Store, name: str, file: Path) -> None:
    """Draws who beat whom in a tournament as a heat map."""
    from californiajack_referee.cli.plotting import save_plot
    from californiajack_referee.cli.rankings import standings_of
    from californiajack_referee.show.plots import cross_figure

    tables = standings_of(store, name)
    scores = {
        both: (meeting.score.mean, meeting.score.low, meeting.score.high)
        for both, meeting in tables.cross.items()
        if meeting.score.mean is not None
    }
    save_plot(cross_figure([line.bot for line in tables.ranking], scores, name), file)


def write_course(store: Store, tournament: StoredTournament) -> None:
    """Writes the tables that a tournament's format has beside its standings."""
    from californiajack_referee.show.course import course_tables

    for table in course_tables(tournament, *course_now(store, tournament)):
        write("")
        write_table(table)


def tournament_data(store: Store, tournament: StoredTournament) -> dict[str, Any]:
    """Gives all that is told of a tournament, as data for JSON.

    The seed is null until the tournament is finished.
    """
    from californiajack_referee.cli.rankings import standings_of
    from californiajack_referee.show.course import course_data
    from californiajack_referee.show.standings import standings_data

    course, played = course_now(store, tournament)
    data = _line(store, tournament, course)
    tables = standings_of(store, tournament.name)
    return {
        **data,
        "void_games": store.void_count(tournament.name),
        **course_data(tournament, course, played),
        **standings_data(tables),
    }


def tournament_line(store: Store, tournament: StoredTournament) -> dict[str, Any]:
    """Gives a tournament without its standings, as data for JSON."""
    return _line(store, tournament, course_now(store, tournament)[0])


def _line(store: Store, tournament: StoredTournament, course: Course) -> dict[str, Any]:
    from californiajack_referee.league.format import format_data

    rules = tournament.ruleset
    return {
        "tournament": tournament.name,
        "created_at": tournament.created_at.isoformat(),
        "bots": [bot.label for bot in tournament.entrants],
        "format": format_data(tournament.format),
        "pairs": tournament.pairs,
        "games": course.total,
        "may_end_early": course.may_end_early,
        "games_done": store.game_count(tournament.name),
        "stage": None if course.over else course.stages[-1].name,
        "finished": course.over,
        "seed_sha256": seed_digest(tournament),
        "seed": tournament.seed.hex() if course.over else None,
        "ruleset": {
            "target": rules.target,
            "scoring": rules.scoring.value,
            "follow": rules.follow.value,
        },
        "move_seconds": tournament.limits.move_seconds,
        "limits": asdict(tournament.limits),
        "sandbox": {
            layer.value: count for layer, count in store.layer_counts(tournament.name).items()
        },
    }


def write_tournament_json(store: Store, tournament: StoredTournament) -> None:
    """Writes all that is told of a tournament as one JSON document."""
    write_json(tournament_data(store, tournament))
