"""Bots that carry the protocol with them carry the one that the referee speaks."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path("proto", "californiajack", "v1")


def test_copies_equal_the_protocol(sample_bots: Path) -> None:
    """The .proto files in greedy-js are those of the project, byte for byte."""
    original, copied = (
        {file.name: file.read_bytes() for file in (folder / PACKAGE).iterdir()}
        for folder in (sample_bots.parent, sample_bots / "greedy-js")
    )
    assert original
    assert copied == original
