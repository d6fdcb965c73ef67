"""Figures that were measured, each beside what it has to be."""

from __future__ import annotations

from dataclasses import dataclass

_GROUPED = 1000
"""From here on digits are told in groups."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that was measured."""

    text: str
    """What it is."""
    value: float
    """How much of it there was."""
    unit: str
    """In what unit."""
    least: float | None = None
    """What it has to be at least; None where that isn't said."""
    most: float | None = None
    """What it may be at most; None where that isn't said."""

    @property
    def enough(self) -> bool:
        """Whether it is what it has to be."""
        return (self.least is None or self.value >= self.least) and (
            self.most is None or self.value <= self.most
        )


def show(figure: Figure) -> str:
    """Writes a figure as a line."""
    value = f"{figure.value:,.0f}" if figure.value >= _GROUPED else f"{figure.value:.3g}"
    line = f"  {figure.text:<58} {value:>10} {figure.unit:<8}"
    if figure.least is not None:
        line += f" at least {figure.least:,.4g}"
    if figure.most is not None:
        line += f" at most {figure.most:,.4g}"
    if figure.enough:
        return line
    little = figure.least is not None and figure.value < figure.least
    return line + ("  TOO LITTLE" if little else "  TOO MUCH")
