"""How far a run of a tournament has come, as a plain value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run of a tournament has come."""

    done: int
    """Games that have a result, earlier runs included."""
    total: int
    """Games of the tournament; as long as `may_end_early`, those that there are at most."""
    played: int
    """Games that this run has given a result."""
    seconds: float
    """Time since this run began."""
    wins: dict[str, int]
    """Games won so far by each bot's label."""
    given_up: int = 0
    """Games that this run has tried in vain and leaves for another one: void each time."""
    faults: int = 0
    """Times that the platform itself failed in this run; its log has more."""
    may_end_early: bool = False
    """Whether the tournament may be over before `total` games are played."""
    stage: str = ""
    """What is being played, such as ``round 2 of 4``; empty where there is but one stage."""
    note: str = ""
    """How near a decision is, where the format has one to make; else empty."""

    @property
    def games_a_second(self) -> float:
        """The speed of this run; 0 before its first result."""
        return self.played / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """How long this run will go on at its speed, or at most; None before its first result."""
        speed = self.games_a_second
        return (self.total - self.done - self.given_up) / speed if speed else None

    @property
    def leader(self) -> str | None:
        """The bot that has won most games, the first of several; None before the first win."""
        best = max(self.wins, key=self.wins.__getitem__, default=None)
        return best if best is not None and self.wins[best] else None
