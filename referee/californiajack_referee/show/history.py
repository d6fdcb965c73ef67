"""How ratings moved, as a table for people and for programs. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from californiajack_referee.show.sheet import Field, real, text, whole
from californiajack_referee.show.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from californiajack_referee.ranking.history import HistoryLine

HISTORY_FIELDS: tuple[Field[HistoryLine], ...] = (
    text("tournament", lambda line: line.tournament),
    text("bot", lambda line: line.bot),
    real("mu", lambda line: line.rating.mu),
    real("sigma", lambda line: line.rating.sigma),
    real("mu_minus_3_sigma", lambda line: line.rating.lower_bound),
    real("mu_change", lambda line: line.change),
    whole("games", lambda line: line.games),
    whole("games_in_all", lambda line: line.games_in_all),
)
"""What is told of a bot after a tournament; described in docs/results.md."""


def history_table(lines: Sequence[HistoryLine]) -> Table:
    """Lays out how ratings moved: a row a tournament and bot, the tournament's name once."""
    return Table(
        columns=(
            Column("tournament"),
            Column("bot"),
            Column("mu", right=True, symbol="μ"),
            Column("change", right=True),
            Column("sigma", right=True, symbol="σ"),  # noqa: RUF001 - the Greek letter is meant
            Column("mu-3sigma", right=True, symbol="μ-3σ"),  # noqa: RUF001 - the Greek letter is meant
            Column("games", right=True),
            Column("in all", right=True),
        ),
        rows=tuple(
            (
                "" if place and line.tournament == lines[place - 1].tournament else line.tournament,
                line.bot,
                f"{line.rating.mu:.1f}",
                "new" if line.change is None else f"{line.change:+.1f}",
                f"{line.rating.sigma:.1f}",
                f"{line.rating.lower_bound:.1f}",
                str(line.games),
                str(line.games_in_all),
            )
            for place, line in enumerate(lines)
        ),
    )
