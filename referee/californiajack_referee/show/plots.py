"""Pictures of results: ratings over tournaments, and the cross table as a heat map.

They are drawn by matplotlib, which only a person who wants pictures has installed: this module is
imported where one is asked for. No window is opened; a figure is drawn into a file alone.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from californiajack_referee.ranking.history import HistoryLine

_BAND_SIGMAS = 2
_COLOURS = 10
_DASHES = ("-", "--", "-.", ":")
_MOST_BOTS = 30
_MOST_TICKS = 24
_SPREAD = 0.6
_MOST_INTERVALS = 8
_DARK, _LIGHT = 0.15, 0.85
_BAND_INK = 0.14


def rating_figure(history: Sequence[HistoryLine]) -> Figure:
    """Draws mu of each bot over the tournaments, with a band of mu ± 2 sigma.

    A bot stands where it played; its name stands at the right, the strongest on top. Of more than
    thirty bots the strongest are drawn, and the title says so.

    Args:
        history: one line or more, as `rating_history` gives them.
    """
    bots: dict[str, list[HistoryLine]] = {}
    for line in history:
        bots.setdefault(line.bot, []).append(line)
    order = sorted(bots, key=lambda bot: -bots[bot][-1].rating.mu)[:_MOST_BOTS]
    tournaments = list(dict.fromkeys(line.tournament for line in history if line.bot in order))
    wide = min(16.0, 7.0 + 0.3 * len(tournaments))
    figure = Figure(figsize=(wide, max(4.5, 1.0 + 0.24 * len(order))), layout="constrained")
    axes = figure.add_subplot()
    for number, bot in enumerate(order):
        _draw_bot(axes, bots[bot], tournaments, number, len(order))
    some = f": the {len(order)} strongest of {len(bots)} bots" if len(bots) > len(order) else ""
    axes.set_title(f"Ratings after each tournament (TrueSkill){some}", fontsize="medium")
    axes.set_ylabel("μ, with a band of μ ± 2 σ")  # noqa: RUF001 - the Greek letter is meant
    axes.set_xlim(-0.5, len(tournaments) - 0.5)
    axes.grid(visible=True, axis="y", alpha=0.3)
    _name_tournaments(axes, tournaments)
    figure.legend(loc="outside right upper", fontsize="small", frameon=False)
    return figure


def _draw_bot(
    axes: Axes, lines: Sequence[HistoryLine], tournaments: Sequence[str], number: int, bots: int
) -> None:
    """Draws one of so many bots: a line with its band, or a point with its reach."""
    where = np.array([tournaments.index(line.tournament) for line in lines], dtype=np.float64)
    mu = np.array([line.rating.mu for line in lines])
    reach = _BAND_SIGMAS * np.array([line.rating.sigma for line in lines])
    colour = colormaps["tab10"](number % _COLOURS)
    dashes = _DASHES[number // _COLOURS % len(_DASHES)]
    if len(lines) == 1:
        # side by side, as the points of bots that played one tournament would hide each other
        where += _SPREAD * ((number + 0.5) / bots - 0.5)
        axes.errorbar(where, mu, yerr=reach, color=colour, capsize=3, linestyle="none")
    else:
        ink = _BAND_INK * min(1.0, _COLOURS / bots)
        axes.fill_between(where, mu - reach, mu + reach, color=colour, alpha=ink, lw=0)
    label = lines[0].bot
    axes.plot(where, mu, dashes, color=colour, marker="o", markersize=3, label=label)


def _name_tournaments(axes: Axes, names: Sequence[str]) -> None:
    """Writes the tournaments' names below, some of them where there are many."""
    step = -(-len(names) // _MOST_TICKS)
    shown = range(0, len(names), step)
    slanted = len(names) > 1 and sum(len(names[number]) + 2 for number in shown) > 60  # noqa: PLR2004 - letters that fit side by side
    axes.set_xticks(
        shown,
        [names[number] for number in shown],
        rotation=40 if slanted else 0,
        ha="right" if slanted else "center",
        fontsize="small",
    )


def cross_figure(
    bots: Sequence[str],
    scores: Mapping[tuple[str, str], tuple[float, float, float]],
    title: str,
) -> Figure:
    """Draws a cross table as a heat map, with the scores written in its cells.

    Who never met has a blank cell.

    Args:
        bots: the bots' labels, in the order of the rows and columns; one or more.
        scores: the pair score of a bot against another with its interval's ends, 0 to 1.
        title: whose games they are.
    """
    size = len(bots)
    cells = np.full((size, size), np.nan)
    for row, bot in enumerate(bots):
        for column, opponent in enumerate(bots):
            if (bot, opponent) in scores:
                cells[row, column] = scores[bot, opponent][0]
    side = max(3.5, 1.5 + (0.85 if size <= _MOST_INTERVALS else 0.5) * size)
    figure = Figure(figsize=(side + 2.0, side + 0.6), layout="constrained")
    axes = figure.add_subplot()
    image = axes.imshow(np.ma.masked_invalid(cells), cmap="RdYlBu", vmin=0.0, vmax=1.0)
    for (row, column), score in np.ndenumerate(cells):
        if not np.isnan(score):
            _, low, high = scores[bots[row], bots[column]]
            words = f"{100 * score:.0f}"
            if size <= _MOST_INTERVALS:
                words = f"{100 * score:.1f}\n{100 * low:.0f}-{100 * high:.0f}"
            ink = "white" if score < _DARK or score > _LIGHT else "black"
            axes.text(column, row, words, ha="center", va="center", color=ink, fontsize="small")
    axes.set_xticks(range(size), bots, rotation=40, ha="left", fontsize="small")
    axes.xaxis.tick_top()
    axes.set_yticks(range(size), bots, fontsize="small")
    below = ", the 95 % interval below" if size <= _MOST_INTERVALS else ""
    axes.set_title(f"{title}: the row's bot scored, in %{below}", fontsize="medium")
    axes.tick_params(length=0)
    for before, _ in pairwise(range(size)):
        axes.axhline(before + 0.5, color="white", lw=1)
        axes.axvline(before + 0.5, color="white", lw=1)
    scale = figure.colorbar(image, ax=axes, shrink=0.8)
    scale.set_ticks([0, 0.25, 0.5, 0.75, 1], labels=["0", "25", "50", "75", "100 %"])
    return figure
