"""Checks the statistics against simulated players, and prints each figure by what it has to be.

Everything is simulated with fixed seeds. docs/statistics.md tells what the figures mean. Parts can
be run by name; the exit status is 1 where a figure falls short.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

import calibrate_adaptive
import calibrate_intervals
import calibrate_order
import calibrate_sprt
from figures import show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from figures import Figure

PARTS: dict[str, Callable[[float], Iterator[Figure]]] = {
    "intervals-4": calibrate_intervals.four_bots,
    "intervals-10": calibrate_intervals.ten_bots,
    "intervals-40": calibrate_intervals.forty_bots,
    "means": calibrate_intervals.means,
    "sprt": calibrate_sprt.figures,
    "adaptive-even": calibrate_adaptive.even,
    "adaptive-uneven": calibrate_adaptive.uneven,
    "adaptive-equal": calibrate_adaptive.equal,
    "trueskill": calibrate_order.trueskill,
}


def main() -> None:
    """Runs the simulations."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all unless given")
    parser.add_argument(
        "--size", type=float, default=1.0, help="simulate so many times as much as is usual"
    )
    options = parser.parse_args()
    unknown = [name for name in options.parts if name not in PARTS]
    if unknown:
        parser.error(f"no part {unknown[0]!r}: expected some of {', '.join(PARTS)}")
    short = 0
    for name in options.parts or PARTS:
        print(name, flush=True)
        for figure in PARTS[name](options.size):
            short += not figure.enough
            print(show(figure), flush=True)
    if short:
        print(f"{short} of these are not what they have to be.")
    sys.exit(1 if short else 0)


if __name__ == "__main__":
    main()
