"""Making a tournament of wishes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from californiajack import Ruleset
from californiajack.deal import parse_seed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from californiajack_referee.cli.limits import Bounds
    from californiajack_referee.league.folder import League
    from californiajack_referee.league.store import Store
    from californiajack_referee.league.stored import StoredTournament
    from californiajack_referee.tournament.wishes import Arranged

_RULES = ("target", "scoring", "follow")
_SPEED = ("jobs", "games_at_once")


def make(
    league: League,
    arranged: Arranged,
    wishes: Mapping[str, Any],
    bounds: Bounds,
    prefix: str = "tournament",
) -> StoredTournament:
    """Makes a tournament and stores it.

    Args:
        league: whose bots play.
        arranged: who plays in which format.
        wishes: all else, by the names of a tournament file's keys.
        bounds: what holds for the bots.
        prefix: what it is called, with a number, unless a name is wished for.

    Raises:
        InputError: something is not as it has to be.
    """
    from californiajack_referee.league.stored import RatingSettings
    from californiajack_referee.tournament.tournament import create

    return create(
        league,
        name=wishes.get("name") or _free_name(league.store, prefix),
        entrants=arranged.entrants,
        pairs=wishes.get("pairs", wishes.get("max_pairs")),
        seed=parse_seed(wishes["seed"]) if "seed" in wishes else None,
        ruleset=Ruleset(**{key: wishes[key] for key in _RULES if key in wishes}),
        limits=bounds.limits,
        rating=RatingSettings(**wishes.get("rating", {})),
        played_as=arranged.format,
        options={key: wishes[key] for key in _SPEED if key in wishes} | bounds.options(),
    )


def _free_name(store: Store, prefix: str) -> str:
    taken = {found.name for found in store.tournaments()}
    return next(
        name
        for name in (f"{prefix}-{number}" for number in range(1, len(taken) + 2))
        if name not in taken
    )
