"""Series with real processes: bots that play well, and bots that go wrong in every way."""

from __future__ import annotations

import os
import re
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from californiajack import Ruleset, Termination
from californiajack.deal import deck_of
from californiajack.rules import Game
from californiajack_referee.play import sitting
from californiajack_referee.play.output import MOST_LOGGED
from californiajack_referee.play.series import run_series
from californiajack_referee.values import BotProgram, GameResult, Limits, SeriesOrder

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = bytes(range(16))
BOTS = Path(__file__).parent / "bots"
RANDOM = BotProgram(
    "random", str(Path(__file__).parents[3] / "sample_bots" / "random"), ("python", "bot.py")
)
QUICK = Ruleset(target=4)
"""Rules that make short games: one to three rounds."""
LIMITS = Limits(start_seconds=20, ready_seconds=20, move_seconds=10, shutdown_seconds=5)


@pytest.fixture(autouse=True)
def the_machine_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes the machine for one that makes nobody late, whatever else runs on it."""
    monkeypatch.setattr(sitting, "excuse", lambda *_, **__: "")


def bot(kind: str, *arguments: str) -> BotProgram:
    """One of the faulty bots."""
    return BotProgram("faulty", str(BOTS / kind), ("python", "bot.py", *arguments))


def order_of(first: BotProgram, second: BotProgram = RANDOM, games: int = 8) -> SeriesOrder:
    """A series of short games."""
    return SeriesOrder(
        tournament="test",
        pairing=0,
        seating=0,
        seats=(first, second),
        deals=tuple(range(games)),
        seed=SEED,
        ruleset=QUICK,
        limits=LIMITS,
        games_at_once=8,
    )


def left_over() -> set[str]:
    """The living children of this process, by what they run."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            _, parent, *_ = status.read_text().rpartition(")")[2].split()
            if int(parent) == os.getpid():
                found.add((status.parent / "cmdline").read_text())
        except OSError:
            continue
    return found


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every series here leaves no process, no file and no open descriptor behind."""
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("looks processes up in /proc, which this system hasn't")
    with tempfile.TemporaryDirectory(prefix="cj") as folder:
        assert tmp_path.is_dir()  # made already, and not in there
        monkeypatch.setattr(tempfile, "tempdir", folder)
        before = left_over()
        yield
        assert left_over() <= before
        assert os.listdir(folder) == []  # noqa: PTH208 - names are enough


def play(order: SeriesOrder) -> dict[int, GameResult]:
    """Runs a series in which every deal gets a result; by deal, each consistent in itself."""
    games = {game.deal: game for game in run_series(order).games}
    assert sorted(games) == list(order.deals)
    for game in games.values():
        assert len(game.plays) % 52 == 0 or game.verdict.termination is not Termination.NORMAL
        replayed = Game(order.ruleset, lambda r, g=game: deck_of(SEED, g.deal, r), 0)  # type: ignore[misc] # bound early
        for card in game.plays:
            replayed.play(card)
        assert replayed.score == game.score
        assert all(0 <= used < 60_000 for used in game.used_ms)
        if game.verdict.termination is Termination.NORMAL:
            assert (game.verdict.winner, game.verdict.blame) == (replayed.winner, None)
    return games


def faults(games: dict[int, GameResult], termination: Termination, words: str) -> list[GameResult]:
    """The games that seat 0 lost by a fault; all others ended normally."""
    lost = [game for game in games.values() if game.verdict.termination is not Termination.NORMAL]
    for game in lost:
        verdict = game.verdict
        assert (verdict.termination, verdict.winner, verdict.blame) == (termination, 1, 0), verdict
        assert verdict.words.startswith(f"faulty {words}"), verdict.words
    return lost


# Well played.


def test_the_same_plays_however_many_at_once() -> None:
    """Whether 1 or 64 games are played at once, in one order or another, changes no card."""
    order = order_of(RANDOM, replace(RANDOM, name="other"), 12)
    one = play(replace(order, games_at_once=1))
    many = play(replace(order, games_at_once=64, deals=tuple(reversed(range(12)))[::-1]))
    assert {d: g.plays for d, g in one.items()} == {d: g.plays for d, g in many.items()}
    assert faults(one, Termination.NORMAL, "") == []
    assert sum(game.used_ms[0] for game in one.values()) < 20_000


def test_nothing_piles_up_in_one_process() -> None:
    """Series after series, the process has as many open descriptors as after the first."""
    order = order_of(RANDOM, games=1)
    counts = []
    for _ in range(3):
        play(order)
        counts.append(len(os.listdir("/proc/self/fd")))  # noqa: PTH208 - a count
    assert counts[1] == counts[2]


def test_a_stop_in_the_middle() -> None:
    """Soon after `stop` gives true, the finished games come back and no others."""
    order = replace(order_of(RANDOM, games=400), ruleset=Ruleset())
    began = time.monotonic()
    stopped: list[float] = []

    def stop() -> bool:
        if not stopped and time.monotonic() - began > 2.5:
            stopped.append(time.monotonic())
        return bool(stopped)

    games = run_series(order, stop).games
    assert time.monotonic() - stopped[0] < 2
    assert len(games) < 400
    assert all(game.verdict.termination is Termination.NORMAL for game in games)


def test_a_stop_before_the_start() -> None:
    """Then nothing is played."""
    assert run_series(order_of(RANDOM), lambda: True).games == ()


def test_the_time_budget() -> None:
    """Once it is used up no new game is begun; one is played however little it is."""
    games = run_series(replace(order_of(RANDOM, games=50), budget_seconds=0.0)).games
    assert [game.deal for game in games] == [0]
    assert games[0].verdict.termination is Termination.NORMAL


def test_a_bots_folder_is_only_read() -> None:
    """Playing changes no file of it and adds none."""
    folder = BOTS / "faulty"

    def files() -> list[tuple[str, int]]:
        return sorted((str(path), path.stat().st_mtime_ns) for path in folder.rglob("*"))

    before = files()
    play(order_of(bot("faulty", "well"), games=1))
    assert files() == before


def test_the_protocols_outline_is_a_bot(tmp_path: Path) -> None:
    """The program on the page about the protocol plays as it stands."""
    page = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text()
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "bot.py").write_text(program)
    outline = BotProgram("outline", str(tmp_path), ("python", "bot.py"))
    assert faults(play(order_of(outline)), Termination.NORMAL, "") == []


# One game lost.


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("choose", "gave up after an error: LookupError: no idea in choose (line "),
        ("on_game_start", "gave up after an error: LookupError: no idea in on_game_start (line"),
        ("on_round_start", "gave up after an error: LookupError: no idea in on_round_start (li"),
        ("library", "gave up after an error: IndexError: Cannot choose from an empty sequence"),
        ("no_card", "gave up after an error: choose() returned '7d', expected a Card: return o"),
    ],
)
def test_an_exception_loses_its_game(way: str, words: str) -> None:
    """Only that game is lost; the words name the exception and the line of the bot's own code."""
    (game,) = faults(play(order_of(bot("faulty", way))), Termination.CRASH, words)
    if way != "no_card":
        assert "of bot.py)" in game.verdict.words


def test_an_exception_at_a_rounds_end() -> None:
    """It loses the game where it goes on, and nothing where the round was the last."""
    order = replace(order_of(bot("faulty", "on_round_end"), games=4), ruleset=Ruleset())
    words = "gave up after an error: LookupError: no idea in on_round_end"
    (game,) = faults(play(order), Termination.CRASH, words)
    assert len(game.plays) >= 52


def test_an_exception_at_a_games_end() -> None:
    """The game was over: it stays as it ended."""
    assert (
        faults(play(order_of(bot("faulty", "on_game_end"), games=4)), Termination.CRASH, "") == []
    )


def test_an_illegal_card() -> None:
    """Only that game is lost, by a card not in the hand."""
    games = play(order_of(bot("faulty", "illegal")))
    (game,) = faults(games, Termination.ILLEGAL_MOVE, "played an illegal card: ")
    assert "is not in the hand" in game.verdict.words


def test_slow_once() -> None:
    """A move too late loses its game only; the bot that comes back plays the others."""
    order = order_of(bot("faulty", "slow"))
    order = replace(order, limits=replace(LIMITS, move_seconds=1.5))
    (game,) = faults(play(order), Termination.TIMEOUT, "took 1.")
    assert "1.50 s were allowed" in game.verdict.words
    assert game.used_ms[0] >= 1500


def test_a_factory_that_makes_no_bot() -> None:
    """Every game is given up, in words that say what `run` expects."""
    words = "gave up after an error: expected the factory to give a Bot, got object"
    lost = faults(play(order_of(bot("faulty", "no_bot"), games=3)), Termination.CRASH, words)
    assert len(lost) == 3


# A process lost.


@pytest.mark.parametrize(
    ("way", "words", "detail"),
    [
        ("exits", "crashed: its process ended with exit status 7", "the last words"),
        ("killed", "crashed: its process was killed by SIGKILL", ""),
        ("quits", "crashed: its process ended with exit status 1", "that's enough"),
    ],
)
def test_a_process_that_dies_once(tmp_path: Path, way: str, words: str, detail: str) -> None:
    """It loses the games in play; a fresh process plays the others."""
    order = order_of(bot("faulty", way, str(tmp_path / "marker")))
    games = play(replace(order, ruleset=Ruleset(), games_at_once=3))
    lost = faults(games, Termination.CRASH, words)
    assert 1 <= len(lost) <= 3
    assert all(game.verdict.detail == detail for game in lost)


def test_processes_that_die_again_and_again() -> None:
    """After the third failure without a finished game, the rest is lost without being begun."""
    order = replace(order_of(bot("faulty", "exits")), ruleset=Ruleset(), games_at_once=1)
    lost = faults(play(order), Termination.CRASH, "crashed: its process ended with exit status 7")
    assert len(lost) == 8
    assert [game.plays == b"" for game in lost] == [False] * 3 + [True] * 5
    assert "failed 3 times in a row" in lost[-1].verdict.words


def test_two_bots_that_die_by_turns(tmp_path: Path) -> None:
    """Failures are counted for each bot apart: one failure of each costs neither the rest."""
    first, second = (bot("faulty", "exits", str(tmp_path / name)) for name in "ab")
    order = replace(order_of(first, second), ruleset=Ruleset(), games_at_once=1)
    verdicts = [game.verdict for game in play(order).values()]
    blamed = [verdict.blame for verdict in verdicts if verdict.blame is not None]
    assert len(blamed) <= 2
    assert sum(verdict.termination is Termination.NORMAL for verdict in verdicts) >= 6


def test_a_bot_that_hangs() -> None:
    """It loses a game on time, then those in play, and its process is ended."""
    order = replace(order_of(bot("faulty", "hangs"), games=3), games_at_once=3, ruleset=Ruleset())
    order = replace(order, limits=replace(LIMITS, move_seconds=1.0))
    began = time.monotonic()
    games = play(order)
    assert time.monotonic() - began < 20
    for game in games.values():
        assert game.verdict.termination in {Termination.TIMEOUT, Termination.NORMAL}
    assert any(game.verdict.words.startswith("faulty took 1.") for game in games.values())


def test_output_without_end(tmp_path: Path) -> None:
    """Ten megabytes of output hold nothing up, and the log keeps one."""
    order = replace(order_of(bot("faulty", "noisy"), games=2), log_folder=str(tmp_path / "logs"))
    assert faults(play(order), Termination.NORMAL, "") == []
    log = tmp_path / "logs" / "0-0-faulty.log"
    assert MOST_LOGGED < log.stat().st_size < MOST_LOGGED + 100
    assert log.read_bytes().endswith(b"\n[output over 1048576 bytes is left out]\n")


# Never started.


def test_a_process_that_ends_before_its_hello() -> None:
    """All games are lost, with its last words."""
    lost = faults(
        play(order_of(bot("faulty", "early"))),
        Termination.NEVER_STARTED,
        "never started: its process ended with exit status 1 before it was ready",
    )
    assert len(lost) == 8
    assert {game.verdict.detail for game in lost} == {"no luck today"}


@pytest.mark.parametrize(
    ("program", "last_line"),
    [
        ("def choose(:\n", "SyntaxError: invalid syntax"),
        ("import no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module'"),
    ],
)
def test_a_program_that_can_not_run(tmp_path: Path, program: str, last_line: str) -> None:
    """The verdict's detail has the last lines of its stderr."""
    (tmp_path / "bot.py").write_text(program)
    broken = BotProgram("faulty", str(tmp_path), ("python", "bot.py"))
    lost = faults(play(order_of(broken, games=2)), Termination.NEVER_STARTED, "never started: its")
    assert len(lost) == 2
    assert lost[0].verdict.detail.splitlines()[-1] == last_line


@pytest.mark.parametrize("seat", [0, 1])
def test_a_command_that_is_no_program(tmp_path: Path, seat: int) -> None:
    """The words say that there is no such program and what to do; the other bot is ended too."""
    broken = BotProgram("faulty", str(tmp_path), ("no-such-program", "bot.py"))
    order = order_of(RANDOM, games=2)
    order = replace(order, seats=(RANDOM, broken) if seat else (broken, RANDOM))
    for game in play(order).values():
        verdict = game.verdict
        assert (verdict.termination, verdict.blame) == (Termination.NEVER_STARTED, seat)
        assert "there is no program 'no-such-program'" in verdict.words
        assert "correct `command` in bot.toml" in verdict.words


def test_no_hello_in_time() -> None:
    """A process that never dials loses when the start limit is over."""
    order = order_of(bot("faulty", "silent"), games=2)
    order = replace(order, limits=replace(LIMITS, start_seconds=1.5))
    words = "never started: no hello within 1.5 s"
    assert len(faults(play(order), Termination.NEVER_STARTED, words)) == 2


def test_a_bot_that_is_too_late_is_told(tmp_path: Path) -> None:
    """A process that is ended for its silence gets a Fault and DEADLINE_EXCEEDED before."""
    order = replace(
        order_of(bot("raw", "never_ready"), games=1),
        limits=replace(LIMITS, ready_seconds=0.3),
        log_folder=str(tmp_path),
    )
    assert len(faults(play(order), Termination.NEVER_STARTED, "never started: not ready")) == 1
    (log,) = tmp_path.glob("*faulty.log")
    told = log.read_text()
    assert "fault TOO_LATE\n" in told
    assert "status StatusCode.DEADLINE_EXCEEDED\n" in told


def test_not_ready_in_time() -> None:
    """One that says hello and nothing more loses when the ready limit is over."""
    order = order_of(bot("raw", "never_ready"), games=2)
    order = replace(order, limits=replace(LIMITS, ready_seconds=0.5))
    words = "never started: not ready within 0.5 s of its welcome"
    assert len(faults(play(order), Termination.NEVER_STARTED, words)) == 2


def test_a_refused_hello_is_told() -> None:
    """The words say what was wrong with it."""
    words = "never started: its process ended with exit status 1 before it was ready; its hello"
    lost = faults(
        play(order_of(bot("raw", "wrong_token"), games=2)), Termination.NEVER_STARTED, words
    )
    assert "The token is wrong" in lost[0].verdict.words


# The protocol broken.


@pytest.mark.parametrize(
    ("way", "termination", "words"),
    [
        ("garbage", Termination.PROTOCOL_ERROR, "broke the protocol: The message is no PlayReq"),
        ("twice", Termination.PROTOCOL_ERROR, "broke the protocol: Turn"),
        ("foresees", Termination.PROTOCOL_ERROR, "broke the protocol: There is no turn"),
        ("too_much", Termination.PROTOCOL_ERROR, "broke the protocol: The message has 100000"),
        ("leaves", Termination.DISCONNECT, "left: it closed its stream in the middle of the gam"),
        ("goodbye", Termination.DISCONNECT, "left: it said goodbye in the middle of the games"),
        ("goodbye_and_stay", Termination.DISCONNECT, "left: it said goodbye in the middle of th"),
        ("goodbye_early", Termination.NEVER_STARTED, "never started: its process ended with exi"),
    ],
)
def test_the_protocol_broken(way: str, termination: Termination, words: str) -> None:
    """All games are lost, in words that say which rule was broken."""
    lost = faults(play(order_of(bot("raw", way), games=3)), termination, words)
    assert len(lost) == 3


def test_the_last_words_of_one_that_leaves() -> None:
    """What it wrote last is in the verdict though its process lives on."""
    (game,) = play(order_of(bot("raw", "leaves"), games=1)).values()
    assert "I have had enough" in game.verdict.detail


def test_a_monstrous_message() -> None:
    """Refused by gRPC itself, it ends the stream: its games are lost as if the bot had gone."""
    for game in play(order_of(bot("raw", "monstrous"), games=1)).values():
        assert game.verdict.termination in {Termination.CRASH, Termination.DISCONNECT}
        assert game.verdict.blame == 0
