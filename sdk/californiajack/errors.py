"""Every error this package raises, by whose fault it is. All are `CaliforniaJackError`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class CaliforniaJackError(Exception):
    """The root: catch it to catch all that this package raises on purpose."""


class InputError(CaliforniaJackError, ValueError):
    """A value given from outside is not what it has to be; the message says what is expected."""


class RecordError(InputError):
    """A game record is malformed, or the rules don't allow what it tells.

    Attributes:
        message: what is wrong, without its place and clause.
        clause: what is broken: a clause of docs/rules.md, such as ``R6``, or a field's name.
        round_number: the round concerned, from 0; None where the fault is in no one round.
        play_number: the play concerned within its round, from 0; None where it is in no one play.
    """

    def __init__(
        self,
        message: str,
        *,
        clause: str,
        round_number: int | None = None,
        play_number: int | None = None,
    ) -> None:
        self.message = message
        self.clause = clause
        self.round_number = round_number
        self.play_number = play_number
        where = "".join(
            f"{name} {number}: "
            for name, number in (("round", round_number), ("play", play_number))
            if number is not None
        )
        super().__init__(f"{where}{message} ({clause})")

    # without this an exception with arguments by name can't come back from another process
    def __reduce__(self) -> tuple[Callable[..., RecordError], tuple[str]]:
        make = partial(
            RecordError,
            clause=self.clause,
            round_number=self.round_number,
            play_number=self.play_number,
        )
        return make, (self.message,)


class IllegalPlayError(CaliforniaJackError):
    """The rules don't allow this card now.

    Attributes:
        message: what is wrong, without the clause.
        clause: the clause of docs/rules.md that forbids it, such as ``R6``.
    """

    def __init__(self, message: str, *, clause: str) -> None:
        self.message = message
        self.clause = clause
        super().__init__(f"{message} ({clause})")

    def __reduce__(self) -> tuple[Callable[..., IllegalPlayError], tuple[str]]:
        return partial(IllegalPlayError, clause=self.clause), (self.message,)


class BotError(CaliforniaJackError):
    """The bot's own code did what it may not, such as returning something that is no card."""


class ConnectionLostError(CaliforniaJackError):
    """The referee can't be reached, or has gone away, or has ended the conversation."""
