"""The errors of the package."""

from __future__ import annotations

import pickle

import pytest

from californiajack import (
    BotError,
    CaliforniaJackError,
    ConnectionLostError,
    IllegalPlayError,
    InputError,
    RecordError,
)

EXAMPLES = [
    BotError("a"),
    ConnectionLostError("a"),
    InputError("a"),
    IllegalPlayError("a", clause="R6"),
    RecordError("a", clause="R6", round_number=0, play_number=3),
    RecordError("a", clause="R12"),
]


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_every_error_survives_another_process(error: CaliforniaJackError) -> None:
    """An error that is pickled, as between processes, comes back as it was."""
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - made here
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


def test_a_record_error_tells_its_place() -> None:
    """The text has the round, the play, the message and the clause, each where there is one."""
    assert str(EXAMPLES[4]) == "round 0: play 3: a (R6)"
    assert str(EXAMPLES[5]) == "a (R12)"


def test_wrong_input_is_a_value_error() -> None:
    """What was given wrong can be caught as a ValueError, too."""
    assert issubclass(RecordError, InputError)
    assert issubclass(InputError, ValueError)
    assert all(isinstance(error, CaliforniaJackError) for error in EXAMPLES)
