"""How much of a result was the cards, in words that need no statistics, and as data. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from californiajack_referee.show.standings import format_points, format_score
from californiajack_referee.show.table import Column, Table

if TYPE_CHECKING:
    from californiajack_referee.statistics.intervals import PairScore, PointDifference
    from californiajack_referee.statistics.luck import Luck

_EVEN = 0.5
_LITTLE = 0.005


@dataclass(frozen=True, slots=True)
class LuckReport:
    """One bot against another, and how much of it was the cards."""

    bot: str
    """The bot's label."""
    opponent: str
    """The other one's label."""
    tournament: str | None
    """The tournament's name; None for the whole league."""
    score: PairScore
    """The bot's pair score."""
    points: PointDifference
    """Game points a round that it made more."""
    score_luck: Luck
    """How far scores are spread."""
    point_luck: Luck | None
    """How far points are spread; None where too few pairs ended normally."""


def luck_lines(report: LuckReport) -> list[str]:
    """Says what the result is and what the cards had to do with it, a paragraph each."""
    return [_result(report), _cards(report), _power(report)]


def _result(report: LuckReport) -> str:
    where = "the league" if report.tournament is None else f"the tournament {report.tournament}"
    pairs = report.score.pairs
    words = (
        f"{report.bot} against {report.opponent} in {where}: {pairs} pairs, {2 * pairs} games. "
        f"{report.bot} scored {format_score(report.score)}"
    )
    if report.points.mean is not None:
        words += f", and its difference of game points was {format_points(report.points)} a round"
    words += "; the intervals hold the truth with 95 %."
    if report.score.low <= _EVEN <= report.score.high:
        words += " As 50 % is inside, who wins more games isn't settled yet."
    return words


def _cards(report: LuckReport) -> str:
    luck = report.score_luck
    part = cards_part(luck)
    if part is None:
        return (
            "All pairs went to the same bot, so how far results are spread can't be told, nor how "
            "much of it was the cards."
        )
    if luck.ratio is None:
        return (
            "Every pair was split: in each deal the same seat won, whichever bot had it, so the "
            "cards alone decided single games. Bots that play alike always do so."
        )
    if part < _LITTLE:
        return (
            "The cards decided next to nothing of who wins a single game: pairs are spread as if "
            "their two games had nothing to do with each other."
        )
    words = f"Of the luck in who wins a single game, {100 * part:.0f} % was the cards"
    points = None if report.point_luck is None else cards_part(report.point_luck)
    if points:
        words += f"; of that in points, {100 * points:.0f} %"
    return (
        f"{words}. Each deal is played from both seats, which takes that part out: these games "
        f"tell as much as {luck.ratio:.1f} times as many would, each with a deal of its own."
    )


def _power(report: LuckReport) -> str:
    luck = report.score_luck
    if luck.games_paired is None or luck.games_unpaired is None:
        return (
            "Both came out exactly even, so there is no difference to find, and how many games it "
            "takes can't be told: the smaller a difference, the more."
        )
    if luck.ratio is None:
        return "How many games it takes to find the difference can't be told either."
    return (
        "To find a difference of this size four times in five (80 % power, with 95 % certainty) "
        f"takes {luck.games_paired:,} games in pairs, or {luck.games_unpaired:,} without; "
        f"{luck.games:,} are played."
    )


def luck_table(report: LuckReport) -> Table:
    """Lays out the numbers: a row each, by games won and by points a round."""
    titles = (
        *("variance of single games", "variance of pairs", "pairs save games, times"),
        *("part of the cards", "games needed in pairs", "games needed without"),
    )
    cells = (_cells(report.score_luck), _cells(report.point_luck))
    columns = (Column(""), Column("games won", right=True), Column("points a round", right=True))
    return Table(columns, tuple(zip(titles, *cells, strict=True)))


def _cells(luck: Luck | None) -> tuple[str, ...]:
    if luck is None:
        return ("-",) * 6
    part = cards_part(luck)
    return (
        f"{luck.game_variance:.4f}",
        f"{luck.pair_variance:.4f}",
        "-" if luck.ratio is None else f"{luck.ratio:.2f}",
        "-" if part is None else f"{100 * part:.0f} %",
        _whole(luck.games_paired),
        _whole(luck.games_unpaired),
    )


def cards_part(luck: Luck) -> float | None:
    """Tells which part of a single game's variance the cards are, 0 to 1; None if it can't be told.

    What helps a bot in one game of a pair helps the other bot in the other game, so the two games'
    correlation is minus that part. Where every pair was split it is 1.
    """
    if luck.correlation is None:
        return None
    return max(0.0, -luck.correlation)


def luck_data(report: LuckReport) -> dict[str, Any]:
    """Gives the same as data for JSON."""
    return {
        "bot": report.bot,
        "opponent": report.opponent,
        "tournament": report.tournament,
        "pairs": report.score.pairs,
        "pair_score": report.score.mean,
        "pair_score_low": report.score.low,
        "pair_score_high": report.score.high,
        "normal_pairs": report.points.pairs,
        "points_a_round": report.points.mean,
        "points_a_round_low": report.points.low,
        "points_a_round_high": report.points.high,
        "by_score": _data(report.score_luck),
        "by_points": None if report.point_luck is None else _data(report.point_luck),
    }


def _data(luck: Luck) -> dict[str, Any]:
    return {
        "games": luck.games,
        "difference": luck.difference,
        "game_variance": luck.game_variance,
        "pair_variance": luck.pair_variance,
        "ratio": luck.ratio,
        "correlation": luck.correlation,
        "cards_part": cards_part(luck),
        "games_needed_in_pairs": luck.games_paired,
        "games_needed_without": luck.games_unpaired,
    }


def _whole(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"
