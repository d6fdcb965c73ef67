"""What a bot process writes, through real pipes."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest

from californiajack_referee.play.output import (
    MOST_LOGGED,
    TAIL_BYTES,
    TAIL_LINES,
    BotLog,
    OutputPipe,
)


def through_a_pipe(data: bytes, log: BotLog | None = None) -> str:
    """Writes data into a pipe in chunks, closes it and gives its tail."""

    async def pour() -> str:
        pipe = OutputPipe(log or BotLog(None))
        writer = os.dup(pipe.write_end)
        pipe.started()
        for start in range(0, len(data), 4096):
            os.write(writer, data[start : start + 4096])
            await asyncio.sleep(0)
        os.close(writer)
        await pipe.ended(5)
        return pipe.tail()

    return asyncio.run(pour())


def test_the_tail_is_the_last_lines() -> None:
    """A dozen lines at most, without the blank end."""
    text = "".join(f"line {number}\n" for number in range(100))
    assert through_a_pipe(text.encode()) == "\n".join(f"line {n}" for n in range(88, 100))
    assert TAIL_LINES == 12
    assert through_a_pipe(b"one\n\ntwo  \n\n\n") == "one\n\ntwo"
    assert through_a_pipe(b"") == ""


def test_the_tail_of_a_line_without_end() -> None:
    """However long a line is, its last bytes are kept."""
    assert through_a_pipe(b"a" * 50_000 + b"the end") == "a" * (TAIL_BYTES - 7) + "the end"


def test_what_is_no_text() -> None:
    """Bytes that are no UTF-8 are shown as replacement characters."""
    assert through_a_pipe(b"caf\xc3\xa9 \xff\xfe ok") == "café \ufffd\ufffd ok"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_costs_the_log_only() -> None:
    """What the disk doesn't take is dropped from the log; the tail is there, and nothing raises."""
    log = BotLog(Path("/dev/full"))
    assert through_a_pipe(b"a line\n" * 200_000 + b"the end", log).endswith("a line\nthe end")
    log.close()


def test_a_log_keeps_what_fits(tmp_path: Path) -> None:
    """A megabyte is kept, then one line says that the rest is left out."""
    path = tmp_path / "deep" / "bot.log"
    log = BotLog(path)
    through_a_pipe(b"x" * (MOST_LOGGED - 10), log)
    assert path.stat().st_size == MOST_LOGGED - 10
    through_a_pipe(b"y" * 20_000, log)
    log.write(b"more")
    log.close()
    found = path.read_bytes()
    assert found[MOST_LOGGED:] == b"\n[output over 1048576 bytes is left out]\n"
    assert found[MOST_LOGGED - 11 : MOST_LOGGED] == b"x" + b"y" * 10


def test_processes_add_to_one_log(tmp_path: Path) -> None:
    """A second log of the same path goes on where the first ended, with room of its own."""
    path = tmp_path / "bot.log"
    for word in (b"one\n", b"two\n"):
        log = BotLog(path)
        log.write(word)
        log.close()
        log.write(b"too late")
    assert path.read_bytes() == b"one\ntwo\n"


def test_waiting_for_a_pipe_that_stays_open() -> None:
    """It is given up after the time allowed, and closing twice does no harm."""

    async def wait() -> float:
        pipe = OutputPipe(BotLog(None))
        held = os.dup(pipe.write_end)
        pipe.started()
        os.write(held, b"still here\n")
        began = time.monotonic()
        await pipe.ended(0.2)
        waited = time.monotonic() - began
        assert pipe.tail() == "still here"
        pipe.close()
        pipe.close()
        os.close(held)
        await pipe.ended(5)
        return waited

    assert 0.15 < asyncio.run(wait()) < 3
