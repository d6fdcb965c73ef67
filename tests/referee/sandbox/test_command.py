"""What a program is started with, whatever sets it."""

from __future__ import annotations

import json
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from californiajack_referee.sandbox.choice import bubblewrap_problem
from californiajack_referee.sandbox.command import Start
from californiajack_referee.values import Layer, Resources

PROBLEM = bubblewrap_problem()
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the layers are built on Linux's /proc"),
    pytest.mark.skipif(
        PROBLEM is not None, reason=f"NOT TESTED, THE SANDBOX IS NOT THERE: {PROBLEM}"
    ),
]
MAY = Resources(memory_mib=3000, processes=40, disk_mib=8)
LIMITS = {
    "Max core file size": 0,
    "Max address space": 6000 << 20,
    "Max file size": 16 << 20,
    "Max open files": 1024,
}


def start(folder: Path, layer: Layer) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Starts `cat` in a layer; gives its command, and what /proc tells of the process."""
    with Start(
        ("cat", "/proc/self/limits", "/proc/self/status"), folder, layer=layer, resources=MAY
    ) as prepared:
        done = subprocess.run(
            prepared.command,
            check=True,
            capture_output=True,
            text=True,
            pass_fds=prepared.descriptors,
        )
    found: dict[str, Any] = {}
    for line in done.stdout.splitlines():
        name, _, rest = line.partition(":") if ":" in line else (line[:26].strip(), "", line[26:])
        found[name] = rest.split()
    return prepared.command, found


@pytest.mark.parametrize(
    ("layer", "quick"), [(Layer.PROCESS, True), (Layer.BUBBLEWRAP, True), (Layer.BUBBLEWRAP, False)]
)
def test_a_program_starts_within_its_limits(
    tmp_path: Path,
    layer: Layer,
    quick: bool,  # noqa: FBT001 - a parameter
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Limits, signals and rights are the same with prlimit and where it is missing."""
    if not quick:
        which = shutil.which
        monkeypatch.setattr(
            shutil, "which", lambda name, **rest: None if name == "prlimit" else which(name, **rest)
        )
    command, found = start(tmp_path, layer)
    shim = any(word.endswith("shim.py") for word in command)
    assert shim == (layer is Layer.PROCESS or not quick or not Path("/usr/bin/prlimit").exists())
    limits = dict(LIMITS)
    if layer is Layer.BUBBLEWRAP:
        limits["Max processes"] = 80
    for name, number in limits.items():
        assert found[name][:2] == [str(number), str(number)], name
    ignored = int(found["SigIgn"][0], 16)
    assert not any(ignored >> number - 1 & 1 for number in (signal.SIGPIPE, signal.SIGXFSZ))
    assert found["NoNewPrivs"] == ["1"]


@pytest.mark.parametrize("layer", [Layer.PROCESS, Layer.BUBBLEWRAP])
def test_a_limit_that_is_lower_already_stays(tmp_path: Path, layer: Layer) -> None:
    """A platform that is limited itself can still start bots; they have its limits."""
    program = (
        "import json, resource, sys; from pathlib import Path\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (700, 700))\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "import test_command as here\n"
        f"print(json.dumps(here.start(Path({str(tmp_path)!r}), here.Layer({layer.value!r}))[1]))"
    )
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[1] > 700
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert json.loads(done.stdout)["Max open files"][:2] == ["700", "700"]
