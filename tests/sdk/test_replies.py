"""Answers are sent together, and none waits for a slow successor."""

from __future__ import annotations

import queue
import time
from typing import TYPE_CHECKING

from californiajack.replies import Replies

if TYPE_CHECKING:
    from californiajack import wire


def moves_of(request: wire.PlayRequest) -> list[tuple[int, int]]:
    """The turns and cards of a message of moves."""
    return [(move.turn, move.card) for move in request.moves.moves]


def test_answers_are_sent_together_when_all_are_there() -> None:
    """What is added and flushed at once is one message."""
    sent: queue.SimpleQueue[wire.PlayRequest] = queue.SimpleQueue()
    replies = Replies(sent.put)
    for turn in range(20):
        replies.add(turn, turn + 1)
    replies.flush()
    assert moves_of(sent.get(timeout=5)) == [(turn, turn + 1) for turn in range(20)]
    replies.flush()
    assert sent.empty()


def test_the_last_answer_takes_the_others_along() -> None:
    """All go in one message, at once, in their order; nothing is left to flush."""
    sent: queue.SimpleQueue[wire.PlayRequest] = queue.SimpleQueue()
    replies = Replies(sent.put)
    replies.add(1, 5)
    replies.add_last(2, 6)
    assert moves_of(sent.get_nowait()) == [(1, 5), (2, 6)]
    replies.add_last(3, 7)
    replies.flush()
    assert moves_of(sent.get_nowait()) == [(3, 7)]
    assert sent.empty()


def test_an_answer_does_not_wait_for_a_slow_successor() -> None:
    """While the next turn is thought over, even without pause, the answer before it goes out."""
    sent: queue.SimpleQueue[tuple[float, wire.PlayRequest]] = queue.SimpleQueue()
    replies = Replies(lambda request: sent.put((time.monotonic(), request)))
    for turn in (1, 2):
        replies.add(turn, 5)
        thought_until = time.monotonic() + 1.0
        while time.monotonic() < thought_until:
            pass
        when, request = sent.get_nowait()
        assert moves_of(request) == [(turn, 5)]
        assert when < thought_until - 0.5
    replies.flush()
    assert sent.empty()


def test_a_game_is_given_up_after_the_answers_before() -> None:
    """Messages keep the order in which things were decided."""
    sent: queue.SimpleQueue[wire.PlayRequest] = queue.SimpleQueue()
    replies = Replies(sent.put)
    replies.add(1, 5)
    replies.forfeit(7, "no idea")
    assert moves_of(sent.get(timeout=5)) == [(1, 5)]
    given_up = sent.get(timeout=5).forfeit
    assert (given_up.game, given_up.reason) == (7, "no idea")
