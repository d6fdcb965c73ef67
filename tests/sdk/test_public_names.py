"""What the package shows, and what it brings along."""

from __future__ import annotations

import json
import subprocess
import sys

import californiajack
from californiajack import search

NAMES = """
Bot BotError BotFactory CARDS CaliforniaJackError Card ConnectionLostError FollowRule GameEnd
GameStart IllegalPlayError InputError Outcome Player Rank RecordError RoundEnd RoundStart Ruleset
Scoring Suit Termination Trick View beats parse_card parse_cards run
"""
SEARCH_NAMES = """
Policy Solution Solver State World WorldSampler count_worlds play_on random_card sample_world
simulate solve
"""
# grpc's own dependency is all that may come besides the two
ALLOWED = {"californiajack", "google", "grpc", "typing_extensions"}


def test_the_public_names() -> None:
    """The package shows exactly these names, each of which is there."""
    assert sorted(californiajack.__all__) == sorted(NAMES.split())
    assert all(hasattr(californiajack, name) for name in californiajack.__all__)


def test_the_public_names_of_the_thinking_tools() -> None:
    """The tools are in a package of their own, which shows exactly these names, each documented."""
    assert sorted(search.__all__) == sorted(SEARCH_NAMES.split())
    described = [getattr(search, name) for name in search.__all__ if name != "Policy"]
    assert all(value.__doc__ for value in described)


def test_every_public_name_is_documented() -> None:
    """Every public class and function has a docstring of its own."""
    documented = [n for n in californiajack.__all__ if callable(getattr(californiajack, n))]
    documented.remove("BotFactory")  # a type's other name, described where it is assigned
    undocumented = [name for name in documented if not getattr(californiajack, name).__doc__]
    assert undocumented == []


def test_a_bot_needs_grpc_and_protobuf_only() -> None:
    """Importing every module of the SDK brings in the standard library, grpc and protobuf."""
    program = """
import json, sys
before = set(sys.modules)  # whatever the interpreter's own start has loaded
import californiajack, californiajack.client, californiajack.local, californiajack.search
import californiajack.testing
import californiajack.verify
print(json.dumps([[n, getattr(m, "__file__", None)] for n, m in sys.modules.items()
                  if n not in before]))
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=30
    )
    # modules without a file are parts of compiled ones
    tops = {name.partition(".")[0] for name, file in json.loads(run.stdout) if file is not None}
    assert tops - set(sys.stdlib_module_names) <= ALLOWED
    assert {"grpc", "google"} <= tops
