"""The build step of a bot."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from californiajack_referee.submission import build
from californiajack_referee.submission.build import SubmissionError, run_build
from californiajack_referee.values import Resources


def _build(folder: Path, *command: str, seconds: float = 20.0) -> str:
    log = folder.parent / "build.log"
    run_build(command, folder, work=folder.parent, log=log, seconds=seconds)
    return log.read_text()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Gives the folder of a bot."""
    (tmp_path / "bot").mkdir()
    return tmp_path / "bot"


def test_a_build_runs_in_the_bots_folder(folder: Path) -> None:
    """It may write there, and its output is kept."""
    log = _build(folder, "python", "-c", "print('made'); open('made', 'w').close()")
    assert log == "made\n"
    assert (folder / "made").exists()


def test_python_is_the_platforms_own(folder: Path) -> None:
    """`python` is the interpreter that runs the platform, whatever the PATH says."""
    log = _build(folder, "python", "-c", "import sys; print(sys.prefix)")
    assert log.strip() == sys.prefix


def test_the_environment_is_clean(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What fetching packages needs is there; what else the caller has is not."""
    monkeypatch.setenv("HTTPS_PROXY", "proxy.example")
    monkeypatch.setenv("npm_config_cache", "/cache")
    monkeypatch.setenv("SECRET_TOKEN", "secret")
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "secret")
    log = _build(folder, "env")
    assert "HTTPS_PROXY=proxy.example" in log
    assert "npm_config_cache=/cache" in log
    assert "secret" not in log


def test_a_failing_build_says_what_failed(folder: Path) -> None:
    """The message has the command, the exit status and the last lines, without odd characters."""
    code = "print('\\x1b[31mred'); print('line ' * 3); raise SystemExit(3)"
    with pytest.raises(SubmissionError) as caught:
        _build(folder, "python", "-c", code)
    message = str(caught.value)
    assert "`python -c" in message
    assert "exit status 3" in message
    assert "  line line line" in message
    assert "\x1b" not in message


def test_a_build_that_is_killed_says_so(folder: Path) -> None:
    """A signal is named."""
    with pytest.raises(SubmissionError, match="killed by SIGSEGV"):
        _build(folder, "sh", "-c", "kill -SEGV $$")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
@pytest.mark.parametrize(
    ("code", "excess"),
    [
        ("kept = b'1' * (200 << 20)", "used more than 128 MiB of memory"),
        ("import os\nfor _ in range(9): os.fork() or time.sleep(30)", "had more than 8 processes"),
        ("open('big', 'wb').write(bytes(40 << 20))", "made more than 32 MiB of files"),
        ("print('x' * (2 << 20))", "wrote more than 1 MiB of output"),
    ],
)
def test_a_build_that_takes_too_much_is_ended(
    folder: Path, code: str, excess: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory, processes, files and output each have a limit, and the message names it."""
    most = Resources(memory_mib=128, processes=8, disk_mib=32, output_kib=1024)
    monkeypatch.setattr(build, "MOST", most)
    began = time.monotonic()
    with pytest.raises(SubmissionError, match=excess):
        _build(folder, "python", "-c", f"import time\n{code}\ntime.sleep(30)", seconds=30)
    assert time.monotonic() - began < 20


def test_a_build_whose_program_is_missing_says_so(folder: Path) -> None:
    """The message names the program."""
    with pytest.raises(SubmissionError, match=r"can't be run.*\n.*install 'mkae'"):
        _build(folder, "mkae", "all")


def test_a_build_that_takes_too_long_is_ended(folder: Path) -> None:
    """The limit holds, and the message names it."""
    begun = time.monotonic()
    with pytest.raises(SubmissionError, match=r"more than 0.3 seconds"):
        _build(folder, "sleep", "30", seconds=0.3)
    assert time.monotonic() - begun < 10


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks processes up in /proc")
@pytest.mark.parametrize("end", ["exit 0", "exit 1"])
def test_what_a_build_leaves_running_is_ended(folder: Path, end: str) -> None:
    """A process in the background is gone when the build is over, well or badly."""
    try:
        _build(folder, "sh", "-c", f"sleep 600 & echo $! > pid; {end}")
    except SubmissionError:
        assert end == "exit 1"
    pid = int((folder / "pid").read_text())
    until = time.monotonic() + 5
    while _alive(pid):
        assert time.monotonic() < until
        time.sleep(0.02)


def _alive(pid: int) -> bool:
    """Whether a process is there, and no zombie; it may end while it is looked at."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
