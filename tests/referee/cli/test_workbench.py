"""`caljack new`, `check`, `debug` and `rewind` as a person meets them."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from californiajack.deal import deck_of
from californiajack.masks import cards_of
from californiajack.rules import Game
from californiajack_referee.league.folder import League
from californiajack_referee.values import GameId

RANDOM = Path(__file__).parents[3] / "sample_bots" / "random"
STOPS_ONCE = """
from californiajack import Bot, run

class Stops(Bot):
    stopped = False

    def choose(self, view):
        if not Stops.stopped:
            Stops.stopped = True
            breakpoint()
        return view.legal[0]

if __name__ == "__main__":
    run(Stops)
"""

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.referee.cli.conftest import Answer


def test_new_says_what_comes_next(tmp_path: Path, ask: Callable[..., Answer]) -> None:
    """The bot is named and its folder, and the next commands can be typed as they stand."""
    folder = tmp_path / "a fox"
    answer = ask("--league", "other", "new", folder, "--name", "fox")
    assert answer.status == 0
    assert answer.out == f"fox is in {folder}\n"
    assert f"caljack --league other check '{folder}'" in answer.err
    assert (folder / "test_bot.py").exists()
    again = ask("new", folder, "--name", "fox")
    assert again.status == 2
    assert "holds something" in again.err


def test_check_says_no_with_status_1(tmp_path: Path, ask: Callable[..., Answer]) -> None:
    """A bot that fails: one line a clause, the reason below, or one JSON document."""
    (tmp_path / "bot.toml").write_text('name = "fox"\ncommand = ["python", "bot.py"]\n')
    (tmp_path / "bot.py").write_text("raise SystemExit('no luck today')")
    answer = ask("check", tmp_path)
    assert answer.status == 1
    first, *rest = answer.out.splitlines()
    assert first.startswith("H1  FAILED  handshake")
    assert "      | no luck today" in rest
    assert "It doesn't pass: H1." in answer.err
    data = json.loads(ask("check", tmp_path, "--json", "--sandbox", "none").out)
    assert data["passed"] is False
    assert data["clauses"][0]["id"] == "H1"
    assert data["clauses"][0]["result"] == "failed"
    assert {clause["result"] for clause in data["clauses"][1:]} == {"skipped"}


def write_bot(folder: Path, program: str, name: str = "hen") -> Path:
    """Writes a bot's folder."""
    folder.mkdir()
    (folder / "bot.toml").write_text(f'name = "{name}"\ncommand = ["python", "bot.py"]\n')
    (folder / "bot.py").write_text(program)
    return folder


def test_a_breakpoint_stops_the_bot_in_the_terminal(
    tmp_path: Path, command: Callable[..., list[str]]
) -> None:
    """The debugger of a bot takes what is typed, and the game then goes on to its end."""
    folder = write_bot(tmp_path / "hen", STOPS_ONCE)
    main, side = pty.openpty()
    with subprocess.Popen(
        command("debug", folder), stdin=side, stdout=side, stderr=side
    ) as process:
        os.close(side)
        shown = read_until(main, b"(Pdb)")
        os.write(main, b"len(view.hand) * 7\n")
        shown += read_until(main, b"(Pdb)")
        os.write(main, b"continue\n")
        shown += read_until(main, None)
        assert process.wait(timeout=30) == 0, shown
    os.close(main)
    text = shown.decode()
    before, _, after = text.partition("(Pdb)")
    assert re.search(r"round 1, trick \d: to (lead|follow ..), trump [^\n]*\n", before)
    assert "plays" not in before
    assert "\n42" in after
    assert re.search(r"(hen|the built-in player) won \d+ to \d+", text)


def read_until(terminal: int, words: bytes | None) -> bytes:
    """Reads what the other side of a terminal shows, up to some words or to its end."""
    shown = b""
    while words is None or words not in shown:
        try:
            shown += os.read(terminal, 4096)
        except OSError:  # the other side has closed it
            break
    return shown


def test_an_earlier_game_goes_on_with_a_new_version(
    tmp_path: Path, results_folder: Path, call: Callable[..., Answer], ask: Callable[..., Answer]
) -> None:
    """It begins with the cards of the game up to the trick, from the seat of the bot's namesake."""
    folder = write_bot(tmp_path / "hen", STOPS_ONCE.replace("breakpoint()", "print('asked')"))
    words = ("--from", "night/0/1/0", "--round", "2", "--trick", "3", "--opponent", RANDOM)
    answer = call("--league", results_folder, "debug", folder, *words, "--wire")
    assert answer.status == 0, answer.err
    lines = answer.err.splitlines()
    turns = [line for line in lines if line.startswith("round ") and "trick" in line]
    assert turns[0].startswith("round 2, trick 3: ")
    assert "hen in seat 1 against random" in answer.err
    assert "asked" in answer.out
    assert any(line.startswith("→ bot {batch {game_starts {") for line in lines)
    assert any(
        re.match(r"bot → \{moves \{moves \{turn \d+, card [2-9TJQKA][cdhs]\}\}\}", one)
        for one in lines
    )
    assert "token ..." in answer.err
    wrong = ask("--league", results_folder, "debug", folder, *words, "--deal", "3")
    assert wrong.status == 2
    assert "leave it out" in wrong.err
    nobody = write_bot(tmp_path / "cow", STOPS_ONCE, "cow")
    assert "--seat 0" in ask("--league", results_folder, "debug", nobody, *words).err
    assert "--from too" in ask("debug", folder, "--trick", "3").err


def test_the_command_that_check_gives_shows_the_fault(
    tmp_path: Path, call: Callable[..., Answer]
) -> None:
    """`debug` plays the game of a check's fault again, up to the same card."""
    program = STOPS_ONCE.replace("if not Stops.stopped:", "if view.trick_number == 9:")
    program = program.replace("breakpoint()", "raise LookupError('no idea')")
    folder = write_bot(tmp_path / "hen", program)
    answer = call(
        "debug", folder, "--seed", "00" * 16, "--deal", "4", "--seat", "1", "--follow", "follow"
    )
    assert answer.status == 1
    assert "hen gave up after an error: LookupError: no idea (line 10 of bot.py)" in answer.err
    assert "Traceback" in answer.err


def test_rewind_lists_where_a_new_version_plays_another_card(
    tmp_path: Path, results_folder: Path, ask: Callable[..., Answer]
) -> None:
    """Every turn of a game is asked again; the game goes on as it was played, card by card."""
    program = STOPS_ONCE.replace("breakpoint()", "pass")
    folder = write_bot(tmp_path / "hen", program)
    words = ("--league", results_folder, "rewind", "--bot", folder, "--sandbox", "none", "--json")
    answer = ask(*words, "night/0/1/0")
    assert answer.status == 0, answer.err
    (game,) = json.loads(answer.out)["games"]
    assert (game["game"], game["seat"], game["fault"]) == ("night/0/1/0", 1, None)
    with League.open(results_folder) as league:
        stored = league.store.game(GameId.parse("night/0/1/0"))
        tournament = league.store.tournament("night")
    turns = other = 0
    played = Game(tournament.ruleset, partial(deck_of, tournament.seed, 1), 0)
    for card in stored.result.plays:
        legal = cards_of(played.round.legal())
        if played.round.to_play == 1 and len(legal) > 1:
            turns += 1
            other += card != legal[0]
        played.play(card)
    assert (game["turns"], len(game["different"])) == (turns, other)
    assert all(one["now"] == one["legal"].split()[0] != one["then"] for one in game["different"])


def test_rewind_of_losses_and_of_a_version_that_fails(
    tmp_path: Path, results_folder: Path, ask: Callable[..., Answer]
) -> None:
    """As many losses are shown as asked for; a version that fails fails the command."""
    folder = write_bot(tmp_path / "ant", STOPS_ONCE.replace("breakpoint()", "return 99"), "ant")
    answer = ask("--league", results_folder, "rewind", "--bot", folder, "--losses", "1")
    assert answer.status == 1
    heads = [line for line in answer.out.splitlines() if not line.startswith(" ")]
    assert len(heads) == 1
    assert "choose() returned 99" in answer.out
    fox = write_bot(tmp_path / "fox", STOPS_ONCE.replace("breakpoint()", "pass"), "fox")
    shown = ask("--league", results_folder, "rewind", "--bot", fox, "--losses", "3")
    assert shown.status == 0, shown.err
    assert "to go on from the first of them: caljack --league" in shown.out
    assert re.search(r"It plays another card in \d+ of \d+ turns, in \d+ games\.", shown.err)
    none = ask("--league", results_folder, "rewind", "--bot", folder)
    assert none.status == 2
    cow = write_bot(tmp_path / "cow", STOPS_ONCE, "cow")
    assert "cow" in ask("--league", results_folder, "rewind", "--bot", cow, "--losses", "3").err
