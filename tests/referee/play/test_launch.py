"""Starting and ending real processes."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from pathlib import Path

import pytest

from californiajack_referee.play.launch import (
    BotProcess,
    LaunchError,
    clean_environment,
    describe_exit,
)
from californiajack_referee.values import BotProgram


async def start(folder: Path, *command: str, log: Path | None = None) -> BotProcess:
    """Starts a program in a folder, with a home beside it."""
    home = folder.parent / "home"
    home.mkdir(exist_ok=True)
    program = BotProgram("fox", str(folder), command)
    return await BotProcess.start(
        program,
        address="unix:/nowhere",
        token="secret",  # noqa: S106 - nobody's secret
        home=home,
        log=log,
    )


def run(folder: Path, code: str, log: Path | None = None) -> tuple[int, str]:
    """Runs Python code as a bot to its end; gives its exit status and its last lines."""

    async def go() -> tuple[int, str]:
        process = await start(folder, "python", "-c", code, log=log)
        try:
            async with asyncio.timeout(20):
                status = await process.exited
            return status, await process.last_lines()
        finally:
            await process.end()

    return asyncio.run(go())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bot's folder."""
    made = tmp_path / "bot"
    made.mkdir()
    return made


def test_what_a_bot_finds(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs in its folder, leads a session, and sees nothing of the caller's but the language."""
    monkeypatch.setenv("MY_PASSWORD", "hunter2")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    monkeypatch.setenv("LANG", "C.UTF-8")
    code = (
        "import json, os, sys\n"
        "print(json.dumps([dict(os.environ), os.getcwd(), os.getsid(0) == os.getpid(),"
        " sys.stdin.read()]))"
    )
    log = tmp_path / "bot.log"
    assert run(folder, code, log) == (0, "")
    environment, cwd, leads, given = json.loads(log.read_text())
    assert (cwd, leads, given) == (str(folder), True, "")
    assert environment["CALJACK_ADDRESS"] == "unix:/nowhere"
    assert environment["CALJACK_TOKEN"] == "secret"  # noqa: S105 - nobody's secret
    assert environment["HOME"] == environment["TMPDIR"] == str(tmp_path / "home")
    assert environment["LANG"] == "C.UTF-8"
    assert not {"MY_PASSWORD", "PYTHONPATH"} & environment.keys()
    allowed = clean_environment(tmp_path).keys() | {"CALJACK_ADDRESS", "CALJACK_TOKEN", "LC_CTYPE"}
    assert environment.keys() <= allowed


def test_both_outputs_go_to_the_log(folder: Path, tmp_path: Path) -> None:
    """The last lines are those of standard error alone."""
    log = tmp_path / "bot.log"
    code = "import sys; print('out', flush=True); sys.stderr.write('oh no\\n'); sys.exit(3)"
    assert run(folder, code, log) == (3, "oh no")
    assert sorted(log.read_text().split()) == ["no", "oh", "out"]


def test_the_end_takes_the_whole_group(folder: Path) -> None:
    """Children of a bot are killed with it, even when the bot is gone; none is waited for long."""
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(child.pid, flush=True)\n"
    )

    async def go() -> tuple[int, float]:
        log = folder.parent / "bot.log"
        process = await start(folder, "python", "-c", code, log=log)
        async with asyncio.timeout(20):
            await process.exited
        for _ in range(500):
            if written := await asyncio.to_thread(log.read_text):
                break
            await asyncio.sleep(0.01)
        began = time.monotonic()
        await process.end()
        return int(written), time.monotonic() - began

    child, seconds = asyncio.run(go())
    assert seconds < 3
    until = time.monotonic() + 10
    while is_running(child):
        assert time.monotonic() < until, "the child lives on"
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    """Whether a process lives; one that is dead and not yet collected doesn't."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_process_that_ignores_signals(folder: Path) -> None:
    """It is ended all the same, and its status tells the signal."""
    code = "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(60)\n"

    async def go() -> int:
        process = await start(folder, "python", "-c", code)
        await process.end()
        return await process.exited

    assert asyncio.run(go()) == -signal.SIGKILL


def test_a_descendant_that_got_away_holds_nothing_up(folder: Path) -> None:
    """A process that left the group and keeps the output open is not waited for."""
    code = (
        "import os, subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(4)'],"
        " start_new_session=True)\n"
    )
    began = time.monotonic()
    assert run(folder, code)[0] == 0
    assert time.monotonic() - began < 4


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (
            ("no-such-program",),
            "there is no program 'no-such-program' in its folder or on the PATH",
        ),
        (("./missing",), "there is no program './missing' in its folder or on the PATH"),
        (("./notes.txt",), "'./notes.txt' is not executable"),
        (("./",), "is not executable"),
        (("./empty",), "can't be run: "),
        (("python", "\0"), "can't be run: "),
    ],
)
def test_commands_that_can_not_be_run(folder: Path, command: tuple[str, ...], words: str) -> None:
    """The message says why, without a trace, and no descriptor stays open."""
    (folder / "notes.txt").write_text("no program")
    (folder / "empty").write_text("no program either")
    (folder / "empty").chmod(0o755)

    async def go() -> None:
        with pytest.raises(LaunchError, match="its command") as caught:
            await start(folder, *command)
        assert words in str(caught.value)

    asyncio.run(go())
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - a count
    asyncio.run(go())
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208 - a count


def test_a_folder_that_is_gone(folder: Path) -> None:
    """The message names the folder, not the program."""

    async def go() -> None:
        await start(folder / "gone", "python")

    with pytest.raises(LaunchError, match=r"its folder is missing: .*gone"):
        asyncio.run(go())


def test_how_a_process_ended() -> None:
    """Exit statuses and signals are told apart, known signals by name."""
    assert describe_exit(0) == "its process ended with exit status 0"
    assert describe_exit(-9) == "its process was killed by SIGKILL"
    assert describe_exit(-99) == "its process was killed by signal 99"
