"""`caljack play`: a person at a real terminal, a bot in a real process."""

from __future__ import annotations

import json
import re
import secrets
import signal
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from californiajack.deal import deck_of
from californiajack.observation import observe
from californiajack.record import parse_record
from californiajack.rules import Game
from californiajack.verify import verify_record
from californiajack_referee.league.folder import League

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = "00112233445566778899aabbccddeeff"
PROMPT = "): "
"""The end of the prompt, which names the numbers of the legal cards."""
BOT = """
import os, sys, threading, time
from californiajack import Bot, run

class Odd(Bot):
    calls = 0

    def choose(self, view):
        Odd.calls += 1
        {body}
        return view.legal[0]

    def on_game_end(self, end):
        {at_end}

run(Odd)
"""


@pytest.fixture
def mark() -> str:
    """Gives a word that no other process has among its arguments."""
    return f"play-{secrets.token_hex(8)}"


def write_bot(folder: Path, mark: str, body: str = "pass", at_end: str = "pass") -> Path:
    """Writes a bot's folder; its process has the mark among its arguments."""
    folder.mkdir()
    (folder / "bot.py").write_text(BOT.format(body=body, at_end=at_end))
    (folder / "bot.toml").write_text(f'name = "odd"\ncommand = ["python", "bot.py", "{mark}"]\n')
    return folder


def processes_with(mark: str) -> list[int]:
    """Finds the processes with a mark among their arguments."""
    found = []
    for arguments in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if mark.encode() in arguments.read_bytes():
                found.append(int(arguments.parent.name))
    return found


def first_legal(shown: str) -> str:
    """Gives the number of the first card that may be played, from the last prompt shown."""
    return shown.rpartition("Your card (")[2][0]


def play_out(person: Any, cards: int = 60) -> None:  # noqa: ANN401 - the conftest's Terminal
    """Plays first legal cards, so many at most, until the game is over."""
    for _ in range(cards):
        shown = person.see(PROMPT, "To look at it")
        if "To look at it" in shown:
            return
        person.type(f"{first_legal(shown)}\n")
    person.see("To look at it")


def casual_games(league: Path) -> list[Any]:
    """Gives the casual games that a league has kept."""
    with League.open(league) as opened:
        return list(opened.store.casual.games())


def test_a_whole_game_is_played_and_kept(
    terminal: Callable[..., Any], bots_folder: Path, ask: Callable[..., Any]
) -> None:
    """Suit signs, red, frames; at its end the game is a casual one: listed, shown, never ranked."""
    here = ("--league", bots_folder)
    person = terminal(*here, "play", "greedy", "--target", "1", "--seed", SEED, "--deal", "3")
    shown = person.see(PROMPT)
    assert "You play against greedy@1. Rules: to 1 game point" in shown
    assert re.search(r"Round 1: greedy dealt, you lead\. .[♣♦♥♠] turned up", shown)
    assert "╭" in shown
    assert "░░ ░░ ░░ ░░ ░░ ░░" in shown
    assert re.search("\x1b\\[31m[2-9TJQKA][♦♥]\x1b\\[0m", person.raw)
    play_out(person)
    assert person.end() == 0
    end = re.search(r"replay (casual/\d+)", person.text)
    assert end is not None
    assert re.search(r"(you|greedy@1) won \d to \d", person.text)
    assert "Trick 26: " in person.text
    listed = json.loads(ask(*here, "games", "--casual", "--bot", "greedy", "--json").out)
    (game,) = [one for one in listed["casual_games"] if one["game"] == end[1]]
    assert game["seats"] == ["greedy@1", "you"]
    assert (game["person"], game["seed"], game["deal"]) == (1, SEED, 3)
    assert end[1] in ask(*here, "games", "--casual").out
    assert "greedy against you" in ask(*here, "replay", end[1]).out.replace("@1", "")
    record = json.loads(ask(*here, "replay", end[1], "--json").out)
    verify_record(parse_record(record))
    assert json.loads(ask(*here, "games", "--json").out) == {"games": []}
    assert json.loads(ask(*here, "rankings", "--json").out)["ranking"] == []
    assert json.loads(ask(*here, "tournament", "list", "--json").out)["tournaments"] == []


def test_what_may_not_be_played_is_told_with_its_clause(
    terminal: Callable[..., Any], tmp_path: Path, mark: str
) -> None:
    """Unknown numbers, nonsense, cards not held, cards not legal, undo; then the game goes on."""
    league, bot = tmp_path / "league", write_bot(tmp_path / "odd", mark)
    person = terminal(
        "--league", league, "play", bot, "--seed", SEED, "--seat", "0", "--deal", "14"
    )
    shown = person.see(PROMPT)
    # the bot has led 8♣
    assert "odd leads" in shown
    assert re.search(r"you    3♣ Q♣ 2♦ A♦ Q♥ T♠ +│\n│ +1  2  x  x  x  x ", shown)
    assert "Not legal: 2♦ A♦ Q♥ T♠. 8♣ was led and you hold clubs, so you must follow" in shown
    asked = "is not legal now. 8♣ was led and you hold clubs, so you must follow suit (R6). Legal:"
    for typed, answer in (
        ("7", "There is no card 7: type a number from 1 to 6"),
        ("0", "There is no card 0"),
        ("9" * 500, "There is no card"),
        ("fox", "'fox' is no card"),
        ("\x01\x1b[31m", "is no card"),
        ("2s", "2♠ is not in your hand: you play a card that you hold (R6)"),
        ("3", f"2♦ {asked}"),
        ("10S", f"T♠ {asked}"),
        ("undo", "There is no undo"),
        ("", ""),
        ("help", "resign  gives the game up"),
    ):
        person.type(f"{typed}\n")
        shown = person.see(PROMPT)
        assert answer in shown
    assert casual_games(league) == []
    person.type("resign\n")
    assert "you resigned" in person.see("To look at it")
    assert person.end() == 0
    (game,) = casual_games(league)
    assert (game.result.verdict.winner, game.result.verdict.blame, game.bot) == (1, 0, "odd")
    assert processes_with(mark) == []


@pytest.mark.parametrize("way", ["ctrl-c", "ctrl-d", "hang-up"])
def test_leaving_keeps_nothing_and_leaves_nothing(
    terminal: Callable[..., Any], tmp_path: Path, mark: str, way: str
) -> None:
    """However a person leaves, no process is left, no game is kept, and the status is 1."""
    league, bot = tmp_path / "league", write_bot(tmp_path / "odd", mark)
    person = terminal("--league", league, "play", bot)
    person.see(PROMPT)
    assert processes_with(mark) != []
    if way == "hang-up":
        person.process.send_signal(signal.SIGHUP)
    else:
        person.type({"ctrl-c": "\x03", "ctrl-d": "\x04"}[way])
        person.see("You left before the end: the game is not kept.")
    assert person.end() == 1
    assert "Traceback" not in person.text
    assert processes_with(mark) == []
    assert casual_games(league) == []


def test_leaving_while_the_bot_starts(
    terminal: Callable[..., Any], tmp_path: Path, mark: str
) -> None:
    """Ctrl-C before the game has begun ends at once, too."""
    bot = write_bot(tmp_path / "odd", mark)
    (bot / "bot.py").write_text("import time; time.sleep(600)")
    person = terminal("--league", tmp_path / "league", "play", bot)
    person.see("You play against odd")
    until = time.monotonic() + 15
    while not processes_with(mark):
        assert time.monotonic() < until
        time.sleep(0.05)
    person.type("\x03")
    assert person.end() == 1
    assert "Traceback" not in person.text
    assert processes_with(mark) == []


@pytest.mark.parametrize(
    ("body", "said", "termination"),
    [
        ("if Odd.calls == 2: sys.stderr.write('last words'); os._exit(7)", "last words", "crash"),
        ("if Odd.calls == 1: threading.Timer(0.7, os._exit, (7,)).start()", "crashed", "crash"),
        ("if Odd.calls == 2: time.sleep(600)", "odd is thinking", "timeout"),
    ],
    ids=["crashes", "crashes while the person thinks", "hangs"],
)  # fmt: skip
def test_a_bot_that_fails_loses(  # noqa: PLR0917
    terminal: Callable[..., Any],
    tmp_path: Path,
    mark: str,
    body: str,
    said: str,
    termination: str,
) -> None:
    """The person is told how, wins, and the game is kept with what was the matter."""
    league, bot = tmp_path / "league", write_bot(tmp_path / "odd", mark, body)
    times = ("--move-time", "1.5", "--shutdown-time", "0.1")
    person = terminal("--league", league, "play", bot, "--seed", SEED, *times)
    play_out(person, 1 if "Timer" in body else 60)
    assert person.end() == 0
    assert said in person.text
    assert "You win." in person.text
    (game,) = casual_games(league)
    assert game.result.verdict.winner == game.seat
    assert game.result.verdict.termination.value == termination
    assert processes_with(mark) == []


def test_a_bot_that_never_starts(terminal: Callable[..., Any], tmp_path: Path, mark: str) -> None:
    """Nothing is kept, and the message has its last lines and what to do."""
    bot = write_bot(tmp_path / "odd", mark)
    (bot / "bot.py").write_text("raise ValueError('no idea')")
    person = terminal("--league", tmp_path / "league", "play", bot)
    assert person.end() == 1
    assert "the game came to nothing: odd never started" in person.text
    assert "ValueError: no idea" in person.text
    assert "What to do: " in person.text
    assert "Traceback (most recent call last)" in person.text  # the bot's own
    assert casual_games(tmp_path / "league") == []


def test_a_narrow_terminal_without_colours_or_signs(
    terminal: Callable[..., Any], bots_folder: Path
) -> None:
    """In 40 columns every line fits; letters stand for suits, and no colour is sent."""
    person = terminal(
        "--league", bots_folder, "play", "greedy", "--seed", SEED, "--seat", "0",
        columns=40, LC_ALL="C", TERM="dumb",
    )  # fmt: skip
    for _ in range(3):
        shown = person.see(PROMPT)
        assert max(map(len, shown.splitlines())) <= 40
        person.type(f"{first_legal(shown)}\n")
    person.see(PROMPT)
    assert not re.search("\x1b\\[[0-9;]*3[0-7]m", person.raw)
    assert person.text.isascii()
    assert re.search(r"you +(?:[2-9TJQKA][cdhs] ){5}", person.text)
    person.type("quit\n")
    assert person.end() == 1


def test_through_a_pipe(call: Callable[..., Any], tmp_path: Path, mark: str) -> None:
    """Without a terminal it is plain text; the end of the input leaves the game.

    Under follow_or_trump the reason names both ways to follow.
    """
    bot = write_bot(tmp_path / "odd", mark)
    rules = ("--follow", "follow_or_trump", "--seed", SEED, "--seat", "0", "--deal", "1")
    answer = call("--league", tmp_path / "league", "play", bot, *rules, stdin="help\n2\n1\n")
    assert answer.status == 1
    assert "\x1b" not in answer.out
    assert "4♦ is not legal now. T♣ was led and you hold clubs, so you must" in answer.out
    assert "follow suit or play a trump, hearts (R6). Legal: 9♣ A♥." in answer.out
    assert "Trick 1: odd led T♣, you played 9♣: odd won." in answer.out
    assert "You left before the end" in answer.err


def test_the_bot_sees_what_its_seat_may_know(
    terminal: Callable[..., Any], tmp_path: Path, mark: str, call: Callable[..., Any]
) -> None:
    """Each of its views is the observation of the game as it was played, and nobody is named."""
    notes = tmp_path / "notes"
    bot = write_bot(
        tmp_path / "odd",
        mark,
        f"open({str(notes)!r}, 'a').write(repr(view._seen) + chr(10))",
        f"open({str(notes)!r}, 'a').write(end.reason + chr(10))",
    )
    league = tmp_path / "league"
    words = ("--as", "Ada", "--target", "1", "--seed", SEED, "--sandbox", "none")
    person = terminal("--league", league, "play", bot, *words)
    play_out(person)
    assert person.end() == 0
    (game,) = casual_games(league)
    played = Game(game.ruleset, partial(deck_of, game.seed, game.result.deal), game.first_dealer)
    expected = []
    limits = (10000, 0)
    for card in game.result.plays:
        legal = played.round.legal()
        if played.round.to_play != game.seat and legal & (legal - 1):
            seen = observe(played, move_time_ms=limits[0], bank_ms=limits[1])
            expected.append(repr(seen))
        played.play(card)
    *views, reason = notes.read_text().splitlines()
    assert views == expected
    did = "lost" if game.result.verdict.winner == game.seat else "won"
    high, low = max(game.result.score), min(game.result.score)
    mine, theirs = (low, high) if did == "lost" else (high, low)
    assert reason == f"You {did} {mine} to {theirs}."
    assert "Ada" not in notes.read_text()
    assert call("--league", league, "faults").out == ""


WRONG = [
    (("nobody",), "no bot 'nobody'"),
    (("./nowhere/at/all",), "no such folder"),
    (("greedy", "--as", "\x1b[31m"), "as: expected a name"),
    (("greedy", "--as", ""), "as: expected a name"),
    (("greedy", "--seed", "xyz"), "seed: expected hexadecimal"),
    (("greedy", "--target", "0"), "target: expected"),
    (("greedy", "--deal", "-1"), "--deal"),
    (("greedy", "--seat", "2"), "--seat"),
]


@pytest.mark.parametrize(("words", "message"), WRONG)
def test_wrong_use(
    ask: Callable[..., Any], bots_folder: Path, words: tuple[str, ...], message: str
) -> None:
    """What can't be is said in a sentence, with status 2."""
    answer = ask("--league", bots_folder, "play", *words)
    assert answer.status == 2
    assert message in answer.err


@pytest.mark.parametrize(
    "words",
    [
        ("replay", "casual/99999"),
        ("replay", "casual/" + "9" * 30),
        ("replay", "casual/one"),
        ("games", "--casual", "--tournament", "night"),
        ("games", "--casual", "--format", "csv"),
    ],
)
def test_casual_games_that_are_not_there(
    ask: Callable[..., Any], bots_folder: Path, words: tuple[str, ...]
) -> None:
    """Names of casual games that don't exist, and tables that have none, are wrong use."""
    answer = ask("--league", bots_folder, *words)
    assert answer.status == 2
    assert "casual" in answer.err
