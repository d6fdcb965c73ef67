"""Playing a tournament before a person's eyes: its progress, Ctrl-C, and how it ended."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from californiajack_referee.cli.output import say, write, write_json
from californiajack_referee.schedule import game_total
from californiajack_referee.tournament.jobs import default_jobs

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from californiajack_referee.cli.exporting import Export
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


def seed_digest(tournament: StoredTournament) -> str:
    """Gives the SHA-256 of a tournament's seed, which is published before the first game."""
    import hashlib

    return hashlib.sha256(tournament.seed).hexdigest()


def games_in_all(tournament: StoredTournament) -> int:
    """Counts the games of a tournament's schedule."""
    return game_total(len(tournament.entrants), tournament.pairs)


def announce(tournament: StoredTournament, tell: Callable[[str], None]) -> None:
    """Tells what is about to be played, and the seed's SHA-256 before any game."""
    from californiajack_referee.show.game import format_rules

    bots = ", ".join(bot.label for bot in tournament.entrants)
    tell(f"Tournament {tournament.name}: {bots}")
    tell(f"{tournament.pairs} pairs a pairing, {games_in_all(tournament)} games")
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


def tournament_data(store: Store, tournament: StoredTournament) -> dict[str, Any]:
    """Gives all that is told of a tournament, as data for JSON.

    The seed is null until the tournament is finished.
    """
    from californiajack_referee.cli.rankings import standings_of
    from californiajack_referee.show.standings import standings_data

    data = tournament_line(store, tournament)
    tables = standings_of(store, tournament.name)
    return {**data, "void_games": store.void_count(tournament.name), **standings_data(tables)}


def tournament_line(store: Store, tournament: StoredTournament) -> dict[str, Any]:
    """Gives a tournament without its standings, as data for JSON."""
    done, total = store.game_count(tournament.name), games_in_all(tournament)
    rules = tournament.ruleset
    return {
        "tournament": tournament.name,
        "created_at": tournament.created_at.isoformat(),
        "bots": [bot.label for bot in tournament.entrants],
        "pairs": tournament.pairs,
        "games": total,
        "games_done": done,
        "finished": done == total,
        "seed_sha256": seed_digest(tournament),
        "seed": tournament.seed.hex() if done == total else None,
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
