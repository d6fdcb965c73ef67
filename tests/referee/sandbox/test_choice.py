"""Which layer is taken, by trying bubblewrap out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from californiajack import InputError
from californiajack_referee.sandbox.choice import SandboxChoice, bubblewrap_problem, choose_layer
from californiajack_referee.values import Layer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Gives a folder that is all of the PATH, with nothing tried out yet."""
    monkeypatch.setenv("PATH", str(tmp_path))
    bubblewrap_problem.cache_clear()
    yield tmp_path
    bubblewrap_problem.cache_clear()


def _bwrap(folder: Path, script: str) -> None:
    (folder / "bwrap").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "bwrap").chmod(0o755)


def test_where_it_is_missing() -> None:
    """Asked for by name it refuses and says how to get it; otherwise there is a line about it."""
    with pytest.raises(InputError, match=r"not installed; install bubblewrap: apt install"):
        choose_layer(SandboxChoice.BUBBLEWRAP)
    layer, note = choose_layer(SandboxChoice.AUTO)
    assert layer is Layer.PROCESS
    assert "apt install bubblewrap" in note
    assert ("as root" in note) is (os.geteuid() == 0)


def test_where_it_does_not_work(programs: Path) -> None:
    """That it is installed is not enough: it is run, and what it says is told."""
    _bwrap(programs, "echo 'bwrap: No permissions to create new namespace' >&2; exit 1")
    with pytest.raises(InputError, match="No permissions to create new namespace"):
        choose_layer(SandboxChoice.BUBBLEWRAP)
    assert choose_layer(SandboxChoice.AUTO)[0] is Layer.PROCESS


def test_it_is_tried_once(programs: Path) -> None:
    """What came of trying it is remembered in this process."""
    _bwrap(programs, f"echo tried >> {programs}/tries")
    assert choose_layer(SandboxChoice.AUTO) == (Layer.BUBBLEWRAP, "")
    assert choose_layer(SandboxChoice.BUBBLEWRAP) == (Layer.BUBBLEWRAP, "")
    assert (programs / "tries").read_text() == "tried\n"


@pytest.mark.parametrize("choice", [SandboxChoice.PROCESS, SandboxChoice.NONE])
def test_what_is_asked_for_is_taken(choice: SandboxChoice) -> None:
    """The other layers need nothing, and there is nothing to say about a choice of one's own."""
    assert choose_layer(choice) == (Layer(choice.value), "")
