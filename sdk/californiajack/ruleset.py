"""The choices a game can be played by, as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from californiajack.errors import InputError

LOWEST_TARGET = 1
HIGHEST_TARGET = 100


class Scoring(StrEnum):
    """How the fourth game point of a round is given."""

    TRICK_POINTS = "trick_points"
    """To the most trick points; to nobody at 40-40 (R10)."""
    MOST_TRICKS = "most_tricks"
    """To the most tricks; to nobody at 13-13 (R11)."""


class FollowRule(StrEnum):
    """What the follower of a trick may play."""

    FOLLOW = "follow"
    """Follow suit if able, otherwise any card (R6)."""
    FOLLOW_OR_TRUMP = "follow_or_trump"
    """A trump may also be played while able to follow (R6, as other books have it)."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules of a game where there is a choice.

    Raises:
        InputError: a field is out of its range.
    """

    target: int = 10
    """Game points that win the game, 1 to 100 (R12)."""
    scoring: Scoring = Scoring.TRICK_POINTS
    """How a round's fourth game point is given (R10, R11)."""
    follow: FollowRule = FollowRule.FOLLOW
    """What a follower may play (R6)."""

    def __post_init__(self) -> None:
        # bool is an int to Python, but no number of points
        if type(self.target) is not int or not LOWEST_TARGET <= self.target <= HIGHEST_TARGET:
            raise InputError(
                f"target: expected a whole number from {LOWEST_TARGET} to {HIGHEST_TARGET}, "
                f"got {self.target!r}"
            )
        for field, kind in (("scoring", Scoring), ("follow", FollowRule)):
            value = getattr(self, field)
            if not isinstance(value, str) or value not in list(kind):
                raise InputError(f"{field}: expected {' or '.join(kind)}, got {value!r}")
            object.__setattr__(self, field, kind(value))
