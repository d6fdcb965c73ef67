"""What the layers keep a bot from, shown by programs that try."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections import Counter
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from californiajack import Termination
from californiajack_referee.play.launch import BotProcess
from californiajack_referee.play.series import run_series
from californiajack_referee.sandbox.choice import bubblewrap_problem
from californiajack_referee.sandbox.seccomp import is_supported
from californiajack_referee.submission.build import run_build
from californiajack_referee.tournament.workers import Workers
from californiajack_referee.values import BotProgram, Layer, Resources, SeriesOrder

if TYPE_CHECKING:
    from collections.abc import Callable

SAMPLE_BOTS = Path(__file__).parents[2] / "sample_bots"
PROBLEM = bubblewrap_problem()
pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="the layers are built on Linux's /proc"
)
needs_bubblewrap = pytest.mark.skipif(
    PROBLEM is not None, reason=f"NOT TESTED, THE SANDBOX IS NOT THERE: {PROBLEM}"
)
LAYERS = [Layer.PROCESS, pytest.param(Layer.BUBBLEWRAP, marks=needs_bubblewrap)]
MAY = Resources(memory_mib=200, processes=40, disk_mib=8, output_kib=16)
"""Enough for a bot, and little enough to be used up at once."""


@dataclass
class End:
    """What came of a program."""

    status: int
    overrun: str | None
    log: str
    seconds: float


def run(folder: Path, code: str, layer: Layer, *arguments: str, until: str = "") -> End:
    """Runs Python code as a bot, to its end or until its log has a text; ends all of it."""
    home, seat, log = folder / "home", folder / "seat", folder / "bot.log"
    for made in (home, seat, folder / "bot"):
        made.mkdir(exist_ok=True)
    log.unlink(missing_ok=True)

    async def go() -> End:
        process = await BotProcess.start(
            BotProgram("fox", str(folder / "bot"), ("python", "-c", code, *arguments)),
            address=f"unix:{seat}/s",
            token=uuid.uuid4().hex,
            home=home,
            log=log,
            layer=layer,
            resources=MAY,
        )
        began = time.monotonic()
        while not process.exited.done() and not (until and until in _text(log)):
            assert time.monotonic() < began + 30, _text(log)
            await asyncio.sleep(0.02)
        began = time.monotonic()
        await process.end()
        ended = time.monotonic() - began
        return End(await process.exited, process.overrun, _text(log), ended)

    return asyncio.run(go())


def _text(log: Path) -> str:
    return log.read_text(errors="replace")


def processes_with(mark: str) -> list[int]:
    """Finds the living processes that have a text in their command line."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "cmdline").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return [pid for pid in found if pid != os.getpid()]


def assert_gone(mark: str) -> None:
    """Asserts that within a second no process is left."""
    until = time.monotonic() + 1
    while processes_with(mark):
        assert time.monotonic() < until, processes_with(mark)
        time.sleep(0.02)


_DAEMON = """
import os, subprocess, sys, time
sleeper = [sys.executable, "-c", "import time; time.sleep(60)", sys.argv[1]]
subprocess.Popen(sleeper)
subprocess.Popen(sleeper, start_new_session=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve(sleeper[0], sleeper, {})
    os._exit(0)
os.wait()
time.sleep(0.3)
print("ready", flush=True)
"""


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("rest", ["", "time.sleep(60)"])
def test_daemons_end_with_their_bot(tmp_path: Path, layer: Layer, rest: str) -> None:
    """Children, new sessions and double forks are gone within a second, however the bot ends."""
    mark = uuid.uuid4().hex
    end = run(tmp_path, _DAEMON + rest, layer, mark, until="ready")
    assert "ready" in end.log
    assert_gone(mark)


_FORKS = """
import os, time
for _ in range(400):
    try:
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
    except OSError:
        time.sleep(0.01)
time.sleep(30)
"""
_EATS = """
import time
eaten = []
for _ in range(40):
    eaten.append(b"x" * (20 << 20))
    time.sleep(0.02)
time.sleep(30)
"""
_FILLS = """
import os, time
for number in range(40):
    with open(os.path.join(os.environ["TMPDIR"], str(number)), "wb") as file:
        file.write(bytes(1 << 20))
time.sleep(30)
"""


@pytest.mark.parametrize(
    ("layer", "code", "words"),
    [
        (Layer.PROCESS, _FORKS, "had more than 40 processes and threads"),
        (Layer.PROCESS, _EATS, "used more than 200 MiB of memory"),
        (Layer.PROCESS, _FILLS, "wrote more than 8 MiB to its temporary folder"),
        pytest.param(
            Layer.BUBBLEWRAP,
            _FORKS,
            "had more than 40 processes and threads",
            marks=needs_bubblewrap,
        ),
        pytest.param(
            Layer.BUBBLEWRAP, _EATS, "used more than 200 MiB of memory", marks=needs_bubblewrap
        ),
    ],
)
def test_who_uses_too_much_is_ended(tmp_path: Path, layer: Layer, code: str, words: str) -> None:
    """The bot is killed with all it has started, and what it used too much of is told."""
    mark = uuid.uuid4().hex
    end = run(tmp_path, code, layer, mark)
    assert (end.overrun, end.status) == (words, -signal.SIGKILL)
    assert_gone(mark)


_WRITES = """
import json, os
def fill(folder):
    size = 0
    try:
        with open(folder + "/a", "wb") as file:
            for size in range(100):
                file.write(bytes(1 << 20))
                file.flush()
    except OSError as error:
        return [size, error.strerror]
def begin(path):
    # only opened: if the kernel's own settings can be written to, they aren't
    new = 0 if os.path.exists(path) else os.O_CREAT
    try:
        os.close(os.open(path, os.O_WRONLY | new))
    except OSError as error:
        return error.strerror
rooms = [os.environ["TMPDIR"], "/dev/shm"]
denied = ["a", "/a", "/dev/a", "/etc/a", "/run/a", "/run/caljack/a", "/run/caljack/socket/a",
          "/usr/a", "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/panic",
          "/proc/self/oom_score_adj"]
print(json.dumps({"rooms": {path: fill(path) for path in rooms},
                  "denied": {path: begin(path) for path in denied}}))
"""


@needs_bubblewrap
def test_a_sandbox_has_little_room(tmp_path: Path) -> None:
    """In bubblewrap what can be written has a size, and the rest can't be written at all."""
    end = run(tmp_path, _WRITES, Layer.BUBBLEWRAP)
    found = json.loads(end.log)
    assert found["rooms"] == {
        "/run/caljack/home": [8, "No space left on device"],
        "/dev/shm": [8, "No space left on device"],
    }
    assert {why for why in found["denied"].values() if why != "Read-only file system"} == set()
    assert list((tmp_path / "bot").iterdir()) == []


@pytest.mark.parametrize("layer", LAYERS)
def test_a_flood_of_output_is_cut(tmp_path: Path, layer: Layer) -> None:
    """The log keeps what is allowed and says so; the bot isn't held up by it."""
    code = (
        "import sys\nfor _ in range(2000): sys.stdout.write('x' * 5000)\nsys.stderr.write('done')"
    )
    end = run(tmp_path, code, layer)
    assert end.status == 0
    assert len(end.log) < 17 * 1024
    assert "output over 16384 bytes is left out" in end.log


@pytest.mark.parametrize("layer", LAYERS)
def test_what_a_bot_starts_with(tmp_path: Path, layer: Layer) -> None:
    """No open file but its three, no core files, nothing to gain by another program's rights."""
    code = (
        "import json, os, resource\n"
        "status = dict(line.split(':', 1) for line in open('/proc/self/status'))\n"
        "print(json.dumps([sorted(os.listdir('/proc/self/fd')),"
        " resource.getrlimit(resource.RLIMIT_CORE), int(status['NoNewPrivs']),"
        " int(status['CapEff'], 16), int(status['Seccomp']), os.getcwd()]))"
    )
    files, core, gains_nothing, rights, filtered, cwd = json.loads(run(tmp_path, code, layer).log)
    assert files == ["0", "1", "2", "3"]  # the last one is the look itself
    assert core == [0, 0]
    assert gains_nothing == 1
    assert cwd == str(tmp_path / "bot")
    if layer is Layer.BUBBLEWRAP:
        assert rights == 0
        if not is_supported():
            pytest.skip("NOT TESTED: there is no filter of system calls for this kind of machine")
        assert filtered == 2


@pytest.mark.parametrize("layer", LAYERS)
def test_how_a_bot_ended_is_told_alike(tmp_path: Path, layer: Layer) -> None:
    """Exit statuses and signals come through every layer."""
    assert run(tmp_path, "raise SystemExit(7)", layer).status == 7
    assert run(tmp_path, "import os; os.kill(os.getpid(), 11)", layer).status == -11


_REACHES_OUT = """
import ctypes, json, os, signal, socket, sys
address, secret, other, marked, port = sys.argv[1:]
def tries(action):
    try:
        return action()
    except (OSError, ValueError) as error:
        return type(error).__name__
def connect(family, where):
    with socket.socket(family) as made:
        made.settimeout(2)
        made.connect(where)
    return "connected"
def see():
    pids = [int(p) for p in os.listdir("/proc") if p.isdecimal()]
    return [p for p in pids if marked in open(f"/proc/{p}/environ").read()]
libc = ctypes.CDLL(None, use_errno=True)
def call(*arguments):
    if libc.syscall(*arguments) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return "done"
print(json.dumps({
    "file": tries(lambda: open(secret).read()),
    "folder": tries(lambda: os.listdir(os.path.dirname(secret))),
    "socket": tries(lambda: connect(socket.AF_UNIX, address)),
    "memory": tries(lambda: open(f"/proc/{other}/mem", "rb").read(1)),
    "environment": tries(see),
    "signal": tries(lambda: os.kill(int(other), signal.SIGTERM)),
    "network": tries(lambda: connect(socket.AF_INET, ("127.0.0.1", int(port)))),
    "netlink": tries(lambda: connect(socket.AF_NETLINK, (0, 0))),
    "namespace": tries(lambda: call(272, 0x10000000)),
    "etc": tries(lambda: open("/etc/shadow").read()),
    "processes": len([p for p in os.listdir("/proc") if p.isdecimal()]),
    "parent": os.getppid(),
}))
"""


@needs_bubblewrap
def test_a_sandboxed_bot_reaches_nothing(tmp_path: Path) -> None:
    """Another's file, folder, socket, memory, environment and process, and the network: nothing."""
    marked = uuid.uuid4().hex
    secret = tmp_path / "other" / "secret"
    secret.parent.mkdir()
    secret.write_text("the opponent's")
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as seat,
        subprocess.Popen(["sleep", "60"], env={"MARK": marked}) as other,
    ):
        seat.bind(str(secret.parent / "s"))
        seat.listen()
        port = str(server.getsockname()[1])
        arguments = (f"{secret.parent}/s", str(secret), str(other.pid), marked, port)
        log = run(tmp_path, _REACHES_OUT, Layer.BUBBLEWRAP, *arguments).log
        assert other.poll() is None
        other.kill()
    found = json.loads(log)
    missing = "FileNotFoundError"
    assert (found["file"], found["folder"], found["socket"]) == (missing, missing, missing)
    assert found["memory"] == missing
    assert found["environment"] in ([], "PermissionError")
    assert found["signal"] == "ProcessLookupError"
    assert found["network"] in {"ConnectionRefusedError", "OSError"}
    assert found["netlink"] == "OSError"
    assert found["namespace"] == "PermissionError"
    assert found["etc"] == missing
    assert found["processes"] <= 3
    assert found["parent"] == 1


_KEEPER = """
import asyncio, sys
from pathlib import Path
from californiajack_referee.play.launch import BotProcess
from californiajack_referee.values import BotProgram, Layer
async def go():
    folder = Path(sys.argv[1])
    (folder / "seat").mkdir()
    await BotProcess.start(
        BotProgram("fox", sys.argv[1], ("python", "-c", sys.argv[4], sys.argv[3])),
        address=f"unix:{folder}/seat/s", token="t", home=folder, log=folder / "bot.log",
        layer=Layer(sys.argv[2]))
    await asyncio.sleep(60)
asyncio.run(go())
"""


@pytest.mark.parametrize("layer", LAYERS)
def test_a_bot_dies_with_a_killed_referee(
    tmp_path: Path, layer: Layer, eventually: Callable[[Callable[[], bool]], None]
) -> None:
    """After kill -9 of the referee the bot is gone; under bubblewrap its daemons, too."""
    mark = uuid.uuid4().hex
    code = _DAEMON if layer is Layer.BUBBLEWRAP else "import time; print('ready', flush=True)"
    code += "\ntime.sleep(60)"
    keeper = [sys.executable, "-c", _KEEPER, str(tmp_path), layer.value, mark, code]
    with subprocess.Popen(keeper) as referee:
        log = tmp_path / "bot.log"
        eventually(lambda: log.exists() and "ready" in log.read_text())
        referee.kill()
    assert_gone(mark)


_LEAVES_CHILDREN = """
import subprocess, sys, time
from californiajack import Bot, run
class Leaves(Bot):
    def choose(self, view):
        sleeper = [sys.executable, "-c", "import time; time.sleep(60)", sys.argv[1]]
        subprocess.Popen(sleeper)
        subprocess.Popen(sleeper, start_new_session=True)
        time.sleep(60)
run(Leaves)
"""


def test_the_bots_of_a_killed_worker_are_gone(
    tmp_path: Path, eventually: Callable[[Callable[[], bool]], None]
) -> None:
    """When kill -9 hits a worker, the process that had it play takes along what was left."""
    mark = uuid.uuid4().hex
    (tmp_path / "bot.py").write_text(_LEAVES_CHILDREN)
    bot = BotProgram("leaves@1", str(tmp_path), ("python", "bot.py", mark))
    workers = Workers(1)
    try:
        future = workers.submit(SeriesOrder("t", 0, 0, (bot, bot), (0,), bytes(16)))
        eventually(lambda: len(processes_with(mark)) > 3)
        (worker,) = multiprocessing.active_children()
        worker.kill()
        with pytest.raises(BrokenExecutor):
            future.result(timeout=20)
    finally:
        workers.close()
    assert_gone(mark)


def _own_descriptors() -> Counter[str]:
    """Counts the open pipes, files and folders; gRPC opens sockets when it likes."""
    found: Counter[str] = Counter()
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - some are gone when looked at
        with suppress(OSError):
            place = os.readlink(f"/proc/self/fd/{name}")  # noqa: PTH115 - it is no path
            found[place.partition(":")[0]] += place.startswith(("pipe", "/"))
    return +found


def test_good_bots_play_the_same_in_every_layer(tmp_path: Path) -> None:
    """The plays, the verdicts and the log don't depend on the layer; no descriptor stays open."""
    greedy, random = (
        BotProgram(f"{name}@1", str(SAMPLE_BOTS / name), ("python", "bot.py"))
        for name in ("greedy", "random")
    )
    order = SeriesOrder("t", 0, 0, (greedy, random), tuple(range(20)), bytes(range(16)))
    layers = [layer for layer in Layer if layer is not Layer.BUBBLEWRAP or PROBLEM is None]
    played, before = [], _own_descriptors()
    for layer in layers:
        games = run_series(replace(order, layer=layer, log_folder=str(tmp_path))).games
        assert {game.layer for game in games} == {layer}
        assert {game.verdict.termination for game in games} == {Termination.NORMAL}
        played.append(sorted((game.deal, game.plays, game.verdict.words) for game in games))
    assert [plays == played[0] for plays in played] == [True] * len(layers)
    assert _own_descriptors() <= before


@needs_bubblewrap
def test_a_build_may_write_and_fetch_and_no_more(tmp_path: Path) -> None:
    """Its folder can be written and the network is there, the user's files are not."""
    folder, work = tmp_path / "bot", tmp_path / "work"
    folder.mkdir()
    work.mkdir()
    secret = tmp_path / "secret"
    secret.write_text("mine")
    code = (
        "import os, socket, sys, tempfile\n"
        "socket.create_connection(('127.0.0.1', int(sys.argv[1])), 5).close()\n"
        "open('made', 'w').write('made')\n"
        "tempfile.TemporaryFile().write(bytes(20 << 20))\n"
        "print(os.path.exists(sys.argv[2]), os.environ['HOME'])"
    )
    with socket.create_server(("127.0.0.1", 0)) as server:
        run_build(
            ("python", "-c", code, str(server.getsockname()[1]), str(secret)),
            folder,
            work=work,
            log=tmp_path / "build.log",
            seconds=30,
            layer=Layer.BUBBLEWRAP,
        )
    assert (folder / "made").read_text() == "made"
    assert (tmp_path / "build.log").read_text() == "False /run/caljack/home\n"
