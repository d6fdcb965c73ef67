"""How far a tournament has come, for the commands that tell of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from californiajack_referee.formats.course import Course, course_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from californiajack_referee.league.store import Store
    from californiajack_referee.league.stored import StoredTournament


def course_now(
    store: Store, tournament: StoredTournament
) -> tuple[Course, Mapping[int, Mapping[int, int]]]:
    """Gives a tournament's course as far as it has come, and the pairs that were played.

    Where all games are known from the start they are only counted, and no pairs are given.
    """
    course = course_of(tournament)
    if course.has_one_stage:
        if store.game_count(tournament.name) >= course.games:
            course.end()
        return course, {}
    played = store.pairs_played(tournament.name)
    course.go_on(played)
    return course, played
