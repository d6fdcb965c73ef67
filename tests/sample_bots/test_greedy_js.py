"""The JavaScript bot plays what the Python one plays."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from californiajack import Bot, BotFactory, Card, Ruleset, View
from californiajack.bot_file import load_bot
from californiajack.local import play_match

HERE = Path(__file__).parent
SEED = bytes(range(32))
FEWEST_DECISIONS = 2_000

needs_node = pytest.mark.skipif(
    shutil.which("node") is None,
    reason="Node.js IS MISSING: greedy-js IS NOT TESTED. Install Node.js 18 or newer.",
)


def recorder(bot_class: BotFactory, decisions: list[tuple[View, Card]]) -> BotFactory:
    """Gives a bot that plays like another and notes down every decision."""

    class Recorder(Bot):
        def choose(self, view: View) -> Card:
            card = bot_class().choose(view)
            decisions.append((view, card))
            return card

    return Recorder


def turn_of(view: View) -> dict[str, object]:
    """Gives the fields of a Turn that show the trick, named as in JavaScript."""
    turn: dict[str, object] = {"legal": view.legal, "trumpCard": view.trump_card}
    if view.led is not None:
        turn["led"] = view.led
    if view.stock_top is not None:
        turn["stockTop"] = view.stock_top
    return turn


@pytest.mark.node
@needs_node
def test_plays_the_same_cards(sample_bots: Path, ruleset: Ruleset) -> None:
    """greedy-js chooses greedy's card in thousands of turns, whatever the ruleset."""
    greedy = load_bot(sample_bots / "greedy").bot
    decisions: list[tuple[View, Card]] = []
    random_bot = load_bot(sample_bots / "random").bot
    play_match(recorder(greedy, decisions), random_bot, pairs=15, seed=SEED, ruleset=ruleset)
    assert len(decisions) >= FEWEST_DECISIONS
    answer = subprocess.run(
        ["node", HERE / "choose_lines.mjs", sample_bots / "greedy-js" / "greedy.js"],
        input="\n".join(json.dumps(turn_of(view)) for view, _ in decisions),
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    assert json.loads(answer.stdout) == [card for _, card in decisions]


def test_pins_its_packages(sample_bots: Path) -> None:
    """greedy-js names exact versions, and its lock file no place to download them from."""
    folder = sample_bots / "greedy-js"
    wanted = json.loads((folder / "package.json").read_text())["dependencies"]
    locked = json.loads((folder / "package-lock.json").read_text())["packages"]
    assert wanted
    for name, version in wanted.items():
        assert locked[f"node_modules/{name}"]["version"] == version
    assert all("resolved" not in package for package in locked.values())
    assert "://" not in (folder / "package-lock.json").read_text()
