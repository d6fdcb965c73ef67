"""Standings as tables for people and as plain data for programs. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from californiajack_referee.show.sheet import Field, data_of, real, text, whole
from californiajack_referee.show.table import Column, Table

if TYPE_CHECKING:
    from californiajack_referee.ranking.standings import Standing, Standings
    from californiajack_referee.statistics.intervals import PairScore


def ranking_table(tables: Standings, title: str = "") -> Table:
    """Lays out the ranking: a line a bot, best first."""
    return Table(
        columns=(
            Column("rank", right=True),
            Column("bot"),
            Column("mu", right=True, symbol="μ"),
            Column("sigma", right=True, symbol="σ"),  # noqa: RUF001 - the Greek letter is meant
            Column("mu-3sigma", right=True, symbol="μ-3σ"),  # noqa: RUF001 - the Greek letter is meant
            Column("games", right=True),
            Column("wins", right=True),
            Column("losses", right=True),
            Column("pair score (95 %)", right=True, wraps=True),
            Column("faults", right=True),
        ),
        rows=tuple(map(_ranking_row, tables.ranking)),
        title=title,
    )


def _ranking_row(line: Standing) -> tuple[str, ...]:
    return (
        str(line.rank),
        line.bot,
        f"{line.rating.mu:.1f}",
        f"{line.rating.sigma:.1f}",
        f"{line.rating.lower_bound:.1f}",
        str(line.games),
        str(line.wins),
        str(line.losses),
        f"{format_mean(line.score)} ({100 * line.score.low:.1f}-{100 * line.score.high:.1f})",
        str(line.faults),
    )


def format_mean(score: PairScore) -> str:
    """Writes a mean pair score in percent; ``-`` where no pair was played."""
    return "-" if score.mean is None else f"{100 * score.mean:.1f} %"


def cross_table(tables: Standings, title: str = "") -> Table:
    """Lays out the pair score of the bot of each row against the bot of each column."""
    bots = [line.bot for line in tables.ranking]
    return Table(
        columns=(Column("against"), *(Column(bot, right=True, wraps=True) for bot in bots)),
        rows=tuple(
            (
                bot,
                *(
                    format_mean(tables.cross[bot, other]) if (bot, other) in tables.cross else "-"
                    for other in bots
                ),
            )
            for bot in bots
        ),
        title=title,
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
    whole("faults", lambda line: line.faults),
)
"""What is told of a bot in a ranking; described in docs/results.md."""


class CrossLine(NamedTuple):
    """A bot against another one."""

    bot: str
    """The bot's label."""
    opponent: str
    """The other one's label."""
    score: PairScore
    """The bot's pair score against it."""


CROSS_FIELDS: tuple[Field[CrossLine], ...] = (
    text("bot", lambda line: line.bot),
    text("opponent", lambda line: line.opponent),
    whole("pairs", lambda line: line.score.pairs),
    real("pair_score", lambda line: line.score.mean),
    real("pair_score_low", lambda line: line.score.low),
    real("pair_score_high", lambda line: line.score.high),
)
"""What is told of a bot against another one; described in docs/results.md."""


def cross_lines(tables: Standings) -> list[CrossLine]:
    """Gives every bot against every other that it met, both ways round, by their labels."""
    return [CrossLine(*labels, score) for labels, score in sorted(tables.cross.items())]


def standings_data(tables: Standings) -> dict[str, Any]:
    """Gives the ranking and the cross table as data for JSON; scores go from 0 to 1."""
    return {
        "ranking": [data_of(RANKING_FIELDS, line) for line in tables.ranking],
        "cross": [data_of(CROSS_FIELDS, line) for line in cross_lines(tables)],
    }
