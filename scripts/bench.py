"""Measures how fast the platform is, and what that is next to what it has to be.

Absolute figures belong to the machine; what counts are the ratios between figures of one run. Each
is the median of several rounds. docs/benchmarks.md tells how the figures are meant.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import bench_rankings
import bench_tools
import bench_tournament
import bench_wire
from figures import Figure, show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MANY = 512
"""Games at once where there are to be many."""


def wire(rounds: int) -> Iterator[Figure]:
    """Measures plays a second over the wire and without it, all next to a raw gRPC ping-pong."""
    samples: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name, measured in (
            ("raw", bench_wire.measure_ping_pong(3.0)),
            ("one", bench_wire.measure_series(50, 1)),
            ("many", bench_wire.measure_series(3000, MANY)),
            ("stored", bench_tournament.measure_stored(8000)),
            ("rules", bench_wire.measure_rules(300)),
            ("local", bench_tools.measure_local()),
        ):
            samples.setdefault(name, []).append(measured)
    found = {name: median(values) for name, values in samples.items()}
    raw = found["raw"]
    yield Figure("raw gRPC ping-pong, one turn a message", raw, "plays/s")
    yield Figure("a series, one game at once", found["one"], "plays/s")
    yield Figure("a series, many games at once", found["many"], "plays/s")
    yield Figure("   over the ping-pong", found["many"] / raw, "times")
    yield Figure("a tournament of two bots, its games stored", found["stored"], "plays/s")
    yield Figure("   over the ping-pong", found["stored"] / raw, "times", least=30)
    yield Figure("the rules alone", found["rules"], "plays/s")
    yield Figure("   over the ping-pong", found["rules"] / raw, "times", least=500_000 / 2400)
    yield Figure("californiajack.local", found["local"], "plays/s")
    yield Figure("   over the ping-pong", found["local"] / raw, "times", least=150_000 / 2400)


def thinking(rounds: int) -> Iterator[Figure]:
    """Measures bots that compute 5 ms a move: what of two processors they get."""
    parts = [bench_tournament.measure_thinking(300) for _ in range(rounds)]
    yield Figure(
        "two bots that think, many games at once: of two processors",
        median(parts) * 100,
        "%",
        least=90,
    )
    ratios = [one / two for one, two in (bench_tournament.measure_jobs(40) for _ in range(rounds))]
    yield Figure("   one game at once, 2 jobs over 1", median(ratios), "times", least=1.8)


def tournament(rounds: int) -> Iterator[Figure]:
    """Measures a round robin of light bots, whole, next to one long series of theirs."""
    found = [bench_tournament.measure_round_robin(10, 100, 3000) for _ in range(rounds)]
    whole, inside = (median(values) for values in zip(*found, strict=True))
    yield Figure("one long series", inside, "games/s")
    yield Figure("a round robin of 10 bots, 100 pairs", whole, "games/s")
    parts = [100 * robin / series for robin, series in found]
    yield Figure("   of the long series' speed", median(parts), "%", least=65)


def memory(_rounds: int) -> Iterator[Figure]:
    """Measures how much a worker grows."""
    yield Figure(
        "growth of the referee in 10,000 games", bench_tournament.measure_memory(), "MiB", most=2
    )


def tools(rounds: int) -> Iterator[Figure]:
    """Measures the command line, and records of games."""
    yield Figure("caljack --help", bench_tools.measure_help() * 1000, "ms", most=150)
    with tempfile.TemporaryDirectory() as name:
        league = Path(name) / "league"
        bench_tools.make_league(league, 3000)
        found = [
            bench_tools.measure_records(league, Path(name) / "records.jsonl") for _ in range(rounds)
        ]
    for what in ("export", "verify"):
        rate = median(sample[what] for sample in found)
        yield Figure(f"caljack {what}", rate, "games/s", least=1500)


def rankings(_rounds: int) -> Iterator[Figure]:
    """Measures the rankings of a million games."""
    found = bench_rankings.measure_rankings()
    yield Figure(
        "rankings of 1,000,000 games, the first time", found["first_seconds"], "s", most=30
    )
    yield Figure("   again, after 100 more", found["warm_seconds"], "s", most=1)
    yield Figure("   largest difference to trueskill", found["largest_difference"], "", most=1e-9)


SECTIONS: dict[str, Callable[[int], Iterator[Figure]]] = {
    section.__name__: section for section in (wire, thinking, tournament, memory, tools, rankings)
}


def main() -> None:
    """Runs the benchmark; prints it as a table, and writes it as JSON where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sections", nargs="*", help=f"of {', '.join(SECTIONS)}; all unless given")
    parser.add_argument("--rounds", type=int, default=3, help="measure so often, keep the median")
    parser.add_argument(
        "--check", action="store_true", help="exit with 1 where a figure falls short"
    )
    parser.add_argument("--output", type=Path, help="also write a JSON document to this file")
    options = parser.parse_args()
    unknown = [name for name in options.sections if name not in SECTIONS]
    if unknown:
        parser.error(f"no section {unknown[0]!r}: expected some of {', '.join(SECTIONS)}")
    found: dict[str, list[Figure]] = {}
    for name in options.sections or SECTIONS:
        print(f"{name}, median of {options.rounds}", flush=True)
        for figure in SECTIONS[name](options.rounds):
            found.setdefault(name, []).append(figure)
            print(show(figure), flush=True)
    if options.output:
        document = {
            "machine": {"python": platform.python_version(), "cores": os.cpu_count()},
            "rounds": options.rounds,
            "figures": {
                name: [asdict(figure) | {"enough": figure.enough} for figure in figures]
                for name, figures in found.items()
            },
        }
        options.output.write_text(json.dumps(document, indent=2) + "\n")
    short = [figure for figures in found.values() for figure in figures if not figure.enough]
    if short:
        print(f"{len(short)} of these are not what they have to be.")
    sys.exit(1 if short and options.check else 0)


if __name__ == "__main__":
    main()
