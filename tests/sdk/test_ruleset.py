"""The choices a game can be played by."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from californiajack import FollowRule, InputError, Ruleset, Scoring


def test_the_defaults_are_the_rule_books() -> None:
    """Ten points, trick points, follow suit."""
    assert Ruleset() == Ruleset(10, Scoring.TRICK_POINTS, FollowRule.FOLLOW)


def test_names_become_members() -> None:
    """The choices may be given by their names, as they come from a command line."""
    named: dict[str, Any] = {"scoring": "most_tricks", "follow": "follow_or_trump"}
    ruleset = Ruleset(**named)
    assert ruleset.scoring is Scoring.MOST_TRICKS
    assert ruleset.follow is FollowRule.FOLLOW_OR_TRUMP


def test_a_ruleset_is_frozen() -> None:
    """A ruleset can't be changed, and serves as a key."""
    field = "target"
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(Ruleset(), field, 5)
    assert {Ruleset(target=7): 1}[Ruleset(target=7)] == 1


@pytest.mark.parametrize("target", [1, 100])
def test_the_ends_of_the_range_are_allowed(target: int) -> None:
    """A target may be 1 and may be 100."""
    assert Ruleset(target=target).target == target


IMPOSSIBLE: dict[str, list[object]] = {
    "target": [0, 101, -1, True, 7.0, "10", None],
    "scoring": ["", "most", "TRICK_POINTS", None, 1, []],
    "follow": ["", "trump", None, 0, {}],
}


@pytest.mark.parametrize("field", IMPOSSIBLE)
def test_anything_else_is_refused(field: str) -> None:
    """A value out of range raises InputError, which names the field and what it may be."""
    for value in IMPOSSIBLE[field]:
        changed: dict[str, Any] = {field: value}
        with pytest.raises(InputError, match=f"{field}: expected"):
            Ruleset(**changed)
