"""How ratings moved: what each bot's was after each tournament that it played in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from californiajack_referee.ranking.counting import SPACING, count_by_tournament
from californiajack_referee.ranking.rating import BotRating

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from californiajack_referee.league.stored import RatingSettings
    from californiajack_referee.ranking.counting import Results
    from californiajack_referee.ranking.tally import Tally


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One bot's rating after a tournament that it played in."""

    tournament: str
    """The tournament's name."""
    bot: str
    """The bot's label; each version of a bot is rated by itself."""
    rating: BotRating
    """Its rating after the tournament, by all games up to then."""
    change: float | None
    """How much mu moved since the last tournament that it played in; None for its first one."""
    games: int
    """Its games with a winner in the tournament, one or more."""
    games_in_all: int
    """Its games with a winner up to then."""


def rating_history(
    results: Results,
    names: Mapping[int, str],
    settings: RatingSettings,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
    spacing: int = SPACING,
) -> list[HistoryLine]:
    """Tells how ratings moved: tournament by tournament, in each the best bot first.

    What was counted by the end of a tournament is taken from checkpoints where they hold.

    Args:
        results: all games of a league, with their checkpoints.
        names: the tournaments' names by their numbers.
        settings: the parameters of TrueSkill.
        on_progress: called now and then with the games that were counted and those to count.
        spacing: games from a checkpoint to the next one at least.
    """
    labels = results.labels()
    found: list[HistoryLine] = []
    before: dict[int, tuple[float, int]] = {}
    for number, tally in count_by_tournament(results, settings, on_progress, spacing):
        moved = _moved(tally, before)
        lines = [
            HistoryLine(
                tournament=names[number],
                bot=labels[bot],
                rating=BotRating(tally.lines[bot].mu, tally.lines[bot].sigma),
                change=tally.lines[bot].mu - before[bot][0] if bot in before else None,
                games=games,
                games_in_all=tally.lines[bot].games,
            )
            for bot, games in moved.items()
        ]
        found += sorted(lines, key=lambda line: (-line.rating.lower_bound, line.bot))
        before |= {bot: (tally.lines[bot].mu, tally.lines[bot].games) for bot in moved}
    return found


def _moved(tally: Tally, before: Mapping[int, tuple[float, int]]) -> dict[int, int]:
    """Counts the games that were added to each bot's, by its number; none without one."""
    added = {
        bot: line.games - (before[bot][1] if bot in before else 0)
        for bot, line in tally.lines.items()
    }
    return {bot: games for bot, games in added.items() if games}
