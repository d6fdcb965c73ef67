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


class Outgoing:
    """What is sent, and when."""

    def __init__(self) -> None:
        """Starts with nothing sent."""
        self.sent: queue.SimpleQueue[tuple[float, wire.PlayRequest]] = queue.SimpleQueue()
        self.replies = Replies(lambda request: self.sent.put((time.monotonic(), request)))

    def drain(self) -> list[list[int]]:
        """The turns that were answered in each message sent."""
        found = []
        while not self.sent.empty():
            found.append([turn for turn, _ in moves_of(self.sent.get()[1])])
        return found


def think(seconds: float) -> None:
    """Computes without a pause, as a bot does."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def test_quick_answers_share_a_message() -> None:
    """All go with the last one, at once, in their order; nothing is left to flush."""
    out = Outgoing()
    messages = []
    for first in range(0, 1000, 20):
        out.replies.begin()
        for turn in range(first, first + 20):
            out.replies.add(turn, turn % 52, first + 19 - turn)
        while not out.sent.empty():
            messages.append(moves_of(out.sent.get()[1]))
        assert messages[-1][-1][0] == first + 19
    answers = [answer for message in messages for answer in message]
    assert answers == [(turn, turn % 52) for turn in range(1000)]
    # a machine that stops this program for a while splits one
    assert len(messages) < 100
    out.replies.flush()
    assert out.sent.empty()


def test_what_is_left_is_flushed() -> None:
    """Where the last turns need no answer, those before are sent all the same."""
    out = Outgoing()
    out.replies.begin()
    out.replies.add(1, 5, 2)
    out.replies.flush()
    assert out.drain() == [[1]]


def test_an_answer_does_not_wait_for_a_slow_successor() -> None:
    """While the next turn is thought over, even without pause, the answer before it goes out."""
    out = Outgoing()
    out.replies.begin()
    for turn in (1, 2):
        out.replies.add(turn, 5, 9 - turn)
        thought_until = time.monotonic() + 1.0
        think(1.0)
        when, request = out.sent.get_nowait()
        assert moves_of(request) == [(turn, 5)]
        assert when < thought_until - 0.5
    out.replies.flush()
    assert out.sent.empty()


def test_slow_answers_go_out_before_the_last_turn() -> None:
    """The other bot has something to do then while the last turn is thought over."""
    out = Outgoing()
    out.replies.begin()
    think(0.01)
    out.replies.add(1, 5, 1)
    assert out.drain() == [[1]]
    think(0.01)
    out.replies.add(2, 5, 0)
    assert out.drain() == [[2]]


def test_a_quick_answer_after_a_pause_waits_for_the_last_one() -> None:
    """The time until a message came is no time that its turns took."""
    out = Outgoing()
    found = []
    for _ in range(20):
        time.sleep(0.01)
        out.replies.begin()
        out.replies.add(2, 5, 1)
        out.replies.add(3, 5, 0)
        found.append(out.drain())
    assert [[2, 3]] in found


def test_slow_answers_share_messages() -> None:
    """Of those that take some milliseconds several go together, and none stays for long."""
    out = Outgoing()
    out.replies.begin()
    added = []
    for turn in range(60):
        think(0.003)
        added.append(time.monotonic())
        out.replies.add(turn, 5, 59 - turn)
    messages = []
    while not out.sent.empty():
        when, request = out.sent.get()
        messages.append(moves_of(request))
        assert when - added[messages[-1][0][0]] < 1.0
    assert [turn for message in messages for turn, _ in message] == list(range(60))
    assert len(messages) < 50


def test_a_game_is_given_up_after_the_answers_before() -> None:
    """Messages keep the order in which things were decided."""
    sent: queue.SimpleQueue[wire.PlayRequest] = queue.SimpleQueue()
    replies = Replies(sent.put)
    replies.begin()
    replies.add(1, 5, 2)
    replies.forfeit(7, "no idea")
    assert moves_of(sent.get(timeout=5)) == [(1, 5)]
    given_up = sent.get(timeout=5).forfeit
    assert (given_up.game, given_up.reason) == (7, "no idea")
