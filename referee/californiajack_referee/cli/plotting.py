"""`--plot FILE`: what is checked before anything is counted, and the file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from californiajack import InputError
from californiajack_referee.cli.exporting import need, whole_file
from californiajack_referee.cli.output import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

_ENDINGS = (".png", ".svg")
_DOTS_AN_INCH = 150


def plot_option(help_: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Makes the option `--plot`, whose help says what is drawn."""
    return click.option(
        "--plot",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help=f"{help_} The file ends in .png or .svg.",
    )


def check_plot(file: Path | None) -> None:
    """Looks whether a picture could be drawn; None is none that is asked for.

    Raises:
        InputError: its ending isn't known, its folder isn't there, or matplotlib isn't installed.
    """
    if file is None:
        return
    if file.suffix not in _ENDINGS:
        raise InputError(
            f"--plot: expected a file name that ends in {' or '.join(_ENDINGS)}, got {file.name!r}"
        )
    if not file.absolute().parent.is_dir():
        raise InputError(
            f"--plot: expected a folder {file.absolute().parent}, found none: make it first"
        )
    need("matplotlib", "plots", "--plot")


def save_plot(figure: Figure, file: Path) -> None:
    """Writes a picture, the same bytes for the same figure.

    Raises:
        CaliforniaJackError: the file can't be written.
    """
    from matplotlib import rc_context

    kind = file.suffix.removeprefix(".")
    # without the date and the chance that an SVG holds otherwise
    metadata = {"Date": None} if kind == "svg" else {}
    with rc_context({"svg.hashsalt": "caljack"}), whole_file(file) as target:
        figure.savefig(target, format=kind, dpi=_DOTS_AN_INCH, metadata=metadata)
    say(f"{file} written.")
