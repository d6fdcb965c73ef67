"""Standings as tables for people and as plain data for programs. Pure."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from californiajack_referee.show.notes import ranking_notes
from californiajack_referee.show.sheet import Field, Sheet, data_of, real, text, whole
from californiajack_referee.show.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from californiajack_referee.ranking.certainty import Certainty, Place
    from californiajack_referee.ranking.standings import Meeting, Standing, Standings
    from californiajack_referee.statistics.elo import EloRating
    from californiajack_referee.statistics.intervals import PairScore, PointDifference


_MOST_ACROSS = 6
"""With more bots than these a cross table is a list of pairings."""
_SURE = 0.9995
_HALF_A_PERMILLE = 0.0005


def ranking_table(tables: Standings, title: str = "") -> Table:
    """Lays out the ranking: a line a bot, best first."""
    grouped = len(tables.certainty.groups) > 1
    return Table(
        columns=(
            Column("rank", right=True),
            Column("bot", key=True),
            Column("bracket", right=True),
            Column("mu", right=True, symbol="μ"),
            Column("sigma", right=True, symbol="σ"),  # noqa: RUF001 - the Greek letter is meant
            Column("mu-3sigma", right=True, symbol="μ-3σ"),  # noqa: RUF001 - the Greek letter is meant
            Column("Elo (95 %)", right=True),
            Column("over next", right=True),
            Column("pair score (95 %)", right=True),
            Column("points a round (95 %)", right=True),
            Column("games", right=True),
            Column("wins", right=True),
            Column("faults", right=True),
        ),
        rows=tuple(_ranking_row(line, grouped=grouped) for line in tables.ranking),
        title=title,
    )


def _ranking_row(line: Standing, *, grouped: bool) -> tuple[str, ...]:
    return (
        str(line.rank),
        line.bot,
        _format_bracket(line.place, grouped=grouped),
        f"{line.rating.mu:.1f}",
        f"{line.rating.sigma:.1f}",
        f"{line.rating.lower_bound:.1f}",
        format_elo(line.place.elo),
        format_likelihood(line.place.superiority),
        format_score(line.score),
        format_points(line.points),
        str(line.games),
        str(line.wins),
        str(line.faults),
    )


def _format_bracket(place: Place, *, grouped: bool) -> str:
    if place.bracket is None:
        return "-"
    return f"{place.group}.{place.bracket}" if grouped else str(place.bracket)


def format_elo(line: EloRating) -> str:
    """Writes a rating with its interval, such as ``+152 (121 to 183)``; ``-`` without a pair."""
    if line.rating is None:
        return "-"
    if line.open_above or line.open_below:
        end, words = (line.low, "more") if line.open_above else (line.high, "less")
        return f"{line.rating:+z.0f} ({end or 0:z.0f} or {words})"
    return f"{line.rating:+z.0f} ({line.low:z.0f} to {line.high:z.0f})"


def format_likelihood(likelihood: float | None) -> str:
    """Writes a likelihood in percent, never as 0 or 100; ``-`` for none."""
    if likelihood is None:
        return "-"
    if likelihood >= _SURE:
        return ">99.9 %"
    return "<0.1 %" if likelihood < _HALF_A_PERMILLE else f"{100 * likelihood:.1f} %"


def format_points(points: PointDifference) -> str:
    """Writes game points a round, such as ``+0.45 (0.21 to 0.69)``; ``-`` without a round."""
    if points.mean is None:
        return "-"
    return f"{points.mean:+z.2f} ({points.low:z.2f} to {points.high:z.2f})"


def format_score(score: PairScore) -> str:
    """Writes a mean pair score in percent with its interval; ``-`` where no pair was played."""
    if score.mean is None:
        return "-"
    return f"{100 * score.mean:.1f} % ({100 * score.low:.1f}-{100 * score.high:.1f})"


def cross_tables(tables: Standings) -> tuple[Table, ...]:
    """Lays out how each bot stood against each other, with 95 % intervals.

    Up to six bots stand along both sides, by their ranks above: a table of pair scores and one of
    game points a round. More are one list of pairings.
    """
    if len(tables.ranking) > _MOST_ACROSS:
        return (_pairing_table(tables),)
    known = {meeting.score.pairs for meeting in tables.cross.values()}
    pairs = f"{known.pop()} pairs each" if len(known) == 1 else "n pairs"
    scores = f"Pair score of the bot on the left against that rank (95 %), {pairs}"
    points = "Game points a round that the bot on the left makes more than that rank (95 %)"
    return (
        _across(tables, scores, partial(_score_cell, with_pairs=bool(known))),
        _across(tables, points, _points_cell),
    )


def _across(tables: Standings, title: str, cell: Callable[[Meeting], str]) -> Table:
    lines = tables.ranking
    return Table(
        columns=(
            Column("rank", right=True),
            Column("bot"),
            *(Column(f"against {line.rank}", right=True, wraps=True) for line in lines),
        ),
        rows=tuple(
            (
                str(line.rank),
                line.bot,
                *(
                    cell(tables.cross[line.bot, other.bot])
                    if (line.bot, other.bot) in tables.cross
                    else "-"
                    for other in lines
                ),
            )
            for line in lines
        ),
        title=title,
    )


def _score_cell(meeting: Meeting, *, with_pairs: bool) -> str:
    score = meeting.score
    if score.mean is None:
        return "-"
    pairs = f" n={score.pairs}" if with_pairs else ""
    return f"{100 * score.mean:.1f} % ({100 * score.low:.0f}-{100 * score.high:.0f}){pairs}"


def _points_cell(meeting: Meeting) -> str:
    points = meeting.points
    if points.mean is None:
        return "-"
    return f"{points.mean:+z.2f} ({points.low:z.1f} to {points.high:z.1f})"


def _pairing_table(tables: Standings) -> Table:
    bots = [line.bot for line in tables.ranking]
    return Table(
        columns=(
            Column("bot"),
            Column("against"),
            Column("pairs", right=True),
            Column("pair score (95 %)", right=True),
            Column("points a round (95 %)", right=True),
        ),
        rows=tuple(
            (
                bot,
                opponent,
                str(tables.cross[bot, opponent].score.pairs),
                format_score(tables.cross[bot, opponent].score),
                format_points(tables.cross[bot, opponent].points),
            )
            for bot, opponent in combinations(bots, 2)
            if (bot, opponent) in tables.cross
        ),
        title="Every pairing, as the bot on the left sees it",
    )


RANKING_FIELDS: tuple[Field[Standing], ...] = (
    whole("rank", lambda line: line.rank),
    text("bot", lambda line: line.bot),
    real("mu", lambda line: line.rating.mu),
    real("sigma", lambda line: line.rating.sigma),
    real("mu_minus_3_sigma", lambda line: line.rating.lower_bound),
    whole("games", lambda line: line.games),
    whole("wins", lambda line: line.wins),
    whole("losses", lambda line: line.losses),
    whole("pairs", lambda line: line.score.pairs),
    real("pair_score", lambda line: line.score.mean),
    real("pair_score_low", lambda line: line.score.low),
    real("pair_score_high", lambda line: line.score.high),
    whole("normal_pairs", lambda line: line.points.pairs),
    real("points_a_round", lambda line: line.points.mean),
    real("points_a_round_low", lambda line: line.points.low),
    real("points_a_round_high", lambda line: line.points.high),
    whole("group", lambda line: line.place.group),
    whole("bracket", lambda line: line.place.bracket),
    real("elo", lambda line: line.place.elo.rating),
    real("elo_deviation", lambda line: line.place.elo.deviation),
    real("elo_low", lambda line: line.place.elo.low),
    real("elo_high", lambda line: line.place.elo.high),
    text("elo_open", lambda line: _open_end(line.place.elo)),
    real("superiority", lambda line: line.place.superiority),
    whole("faults", lambda line: line.faults),
)
"""What is told of a bot in a ranking; described in docs/results.md."""


class CrossLine(NamedTuple):
    """A bot against another one."""

    bot: str
    """The bot's label."""
    opponent: str
    """The other one's label."""
    meeting: Meeting
    """How the bot stood against it."""


CROSS_FIELDS: tuple[Field[CrossLine], ...] = (
    text("bot", lambda line: line.bot),
    text("opponent", lambda line: line.opponent),
    whole("pairs", lambda line: line.meeting.score.pairs),
    real("pair_score", lambda line: line.meeting.score.mean),
    real("pair_score_low", lambda line: line.meeting.score.low),
    real("pair_score_high", lambda line: line.meeting.score.high),
    whole("normal_pairs", lambda line: line.meeting.points.pairs),
    real("points_a_round", lambda line: line.meeting.points.mean),
    real("points_a_round_low", lambda line: line.meeting.points.low),
    real("points_a_round_high", lambda line: line.meeting.points.high),
)
"""What is told of a bot against another one; described in docs/results.md."""


def _open_end(line: EloRating) -> str | None:
    """Tells to which side a rating is open: ``above``, ``below``, ``both``, or neither."""
    if line.open_above and line.open_below:
        return "both"
    if line.open_above:
        return "above"
    return "below" if line.open_below else None


def cross_lines(tables: Standings) -> list[CrossLine]:
    """Gives every bot against every other that it met, both ways round, by their labels."""
    return [CrossLine(*labels, meeting) for labels, meeting in sorted(tables.cross.items())]


def ranking_sheet(tables: Standings) -> Sheet[Standing]:
    """Gives the ranking as a table for programs."""
    return Sheet(RANKING_FIELDS, tables.ranking)


def cross_sheet(tables: Standings) -> Sheet[CrossLine]:
    """Gives the cross table as a table for programs."""
    return Sheet(CROSS_FIELDS, cross_lines(tables))


def standings_data(tables: Standings) -> dict[str, Any]:
    """Gives all there is to tell of standings as data for JSON; scores go from 0 to 1."""
    return {
        "ranking": [data_of(RANKING_FIELDS, line) for line in tables.ranking],
        **certainty_data(tables.certainty),
        "notes": ranking_notes(tables),
        "cross": [data_of(CROSS_FIELDS, line) for line in cross_lines(tables)],
    }


def certainty_data(sure: Certainty) -> dict[str, Any]:
    """Gives what is sure of a ranking as data for JSON."""
    return {
        "groups": [list(group) for group in sure.groups],
        "brackets": [list(bracket) for bracket in sure.brackets],
        "overlapping": [list(both) for both in sure.overlapping],
        "other_way_round": [
            {"above": one.above, "below": one.below, "beyond_doubt": one.beyond_doubt}
            for one in sure.other_way_round
        ],
        "circles": [list(circle) for circle in sure.circles],
    }
