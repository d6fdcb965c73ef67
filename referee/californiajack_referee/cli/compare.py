"""`caljack compare`: is my new version better?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from californiajack import CaliforniaJackError, InputError
from californiajack_referee.cli.courses import course_now
from californiajack_referee.cli.limits import (
    BOUNDS,
    Bounds,
    bounds_of,
    resource_options,
    time_options,
)
from californiajack_referee.cli.making import make
from californiajack_referee.cli.output import JSON_OPTION, NO, example, say, write, write_json
from californiajack_referee.cli.place import Place, pass_place
from californiajack_referee.cli.playing import announce, play_shown, speed_of
from californiajack_referee.cli.wishing import (
    match_options,
    rules_options,
    speed_options,
    wishes_of,
)
from californiajack_referee.league.format import Match
from californiajack_referee.values import PairSums

if TYPE_CHECKING:
    from californiajack_referee.league.folder import League
    from californiajack_referee.league.stored import StoredBot, StoredTournament
    from californiajack_referee.show.comparison import Comparison

UNDECIDED = 3
"""Exit status: the games played don't tell, or it couldn't go on."""


@click.command(
    epilog=example(
        "caljack compare fox@3 fox@2",
        "caljack compare ./my-fox fox --elo1 20",
        "caljack compare --resume compare-1",
    )
)
@click.argument("new", required=False, metavar="NEW")
@click.argument("old", required=False, metavar="OLD")
@click.option("--resume", metavar="NAME", help="Go on with a comparison that was stopped.")
@match_options
@rules_options
@speed_options
@time_options
@resource_options
@JSON_OPTION
@pass_place
@click.pass_context
def compare(  # noqa: PLR0913 - an argument an option
    context: click.Context,
    place: Place,
    *,
    new: str | None,
    old: str | None,
    resume: str | None,
    as_json: bool,
) -> None:
    """Is the bot NEW better than OLD?

    Each is a bot of the league, such as fox or fox@2, or the path of a bot's folder, which is
    submitted first. They play pairs of games until a sequential test has decided: whether NEW is
    elo1 better rather than elo0, with the chances alpha and beta of either error. With --pairs they
    play just so many, and the 95 % interval of the score decides. The games are a tournament of
    the league.

    Exit status: 0 better, 1 not better, 2 wrong use, 3 undecided, stopped or failed.
    """
    try:
        found = _compare(context, place, (new, old), resume, as_json=as_json)
    except InputError:
        raise
    except CaliforniaJackError as error:
        # 1 would say that it isn't better
        say(f"Error: {error}")
        context.exit(UNDECIDED)
    statuses = {"better": 0, "not better": NO}
    context.exit(statuses.get(found.answer.value, UNDECIDED))


def _compare(
    context: click.Context,
    place: Place,
    bots: tuple[str | None, str | None],
    resume: str | None,
    *,
    as_json: bool,
) -> Comparison:
    wishes = dict(wishes_of(context))
    new, old = bots
    if (resume is None) == (new is None) or (new is None) != (old is None):
        raise InputError(
            "compare: expected two bots, NEW and OLD, or --resume NAME: caljack compare NEW OLD"
        )
    folders = any(spec is not None and _is_path(spec) for spec in bots)
    with place.open(create=folders) as league:
        if resume is not None:
            made = league.store.tournament(resume)
            kept = dict(made.options)
            wishes = kept | wishes
            bounds = bounds_of(context, league, {key: kept[key] for key in BOUNDS if key in kept})
        else:
            bounds = bounds_of(context, league)
            made = _made(league, (str(new), str(old)), wishes, bounds)
        if not isinstance(made.format, Match):
            raise InputError(
                f"{made.name}: expected a comparison, got a tournament of format "
                f"{made.format.kind}: caljack tournament resume {made.name}"
            )
        tell = say if as_json else write
        announce(made, tell)
        tell(f"Sandbox: {bounds.layer}")
        play_shown(league, made, speed_of(wishes), bounds.layer, bounds.resources)
        return _told(place, league, made, made.format, as_json=as_json)


def _made(
    league: League, specs: tuple[str, str], wishes: dict[str, object], bounds: Bounds
) -> StoredTournament:
    from californiajack_referee.tournament.wishes import Arranged, match_of

    settings = match_of(wishes)
    new, old = (_bot(league, spec, bounds) for spec in specs)
    if new == old:
        raise InputError(f"compare: expected two different bots, got {new.label} twice")
    return make(league, Arranged((new, old), settings), wishes, bounds, prefix="compare")


def _is_path(spec: str) -> bool:
    return "/" in spec or spec in {".", ".."}


def _bot(league: League, spec: str, bounds: Bounds) -> StoredBot:
    """Finds a bot, or submits a folder.

    Raises:
        InputError: there is no such bot, or it is refused.
    """
    from californiajack_referee.submission.submit import submit

    known = {bot.name for bot in league.store.bots()}
    path = Path(spec)
    if not _is_path(spec) and (spec.partition("@")[0] in known or not path.is_dir()):
        return league.store.find_bot(spec)
    say(f"Building and trying {spec} …")
    bot = submit(league, path, limits=bounds.limits, resources=bounds.resources, layer=bounds.layer)
    say(f"{spec} is {bot.label}.")
    return bot


def _told(
    place: Place, league: League, made: StoredTournament, settings: Match, *, as_json: bool
) -> Comparison:
    """Tells what the games say, and gives it."""
    from californiajack_referee.show.comparison import (
        compared,
        comparison_data,
        format_comparison,
    )

    results = league.store.results(made.name)
    numbers = {label: number for number, label in results.labels().items()}
    new, old = (bot.label for bot in made.entrants)
    both = (numbers[new], numbers[old])
    sums = results.pair_sums().get((min(both), max(both)), PairSums())
    if both[0] > both[1]:
        sums = sums.mirrored()
    over = course_now(league.store, made)[0].over
    found = compared(new, old, sums, settings, over=over)
    if as_json:
        data = {"tournament": made.name, "finished": over, **comparison_data(found)}
        write_json({**data, "seed": made.seed.hex() if over else None})
    else:
        write("")
        write(format_comparison(found))
        if over:
            write(f"Seed: {made.seed.hex()}")
    if not over:
        say(f"Not finished. To go on: {place.command(f'compare --resume {made.name}')}")
    return found
