"""The table at each step of a game, and its picture."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest

from californiajack import CARDS, Ruleset, Scoring
from californiajack.deal import deck_of
from californiajack.observation import observe
from californiajack.rules import Game
from californiajack.view import View
from californiajack_referee.show.board import (
    LETTERED,
    PICTURED,
    Ink,
    board_lines,
    board_of_view,
    numbered,
    text_of,
)
from californiajack_referee.show.shown import ShownGame
from californiajack_referee.show.steps import Sight, Walk, board_at, walk_of, words_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from californiajack_referee.values import GameResult

SEED = bytes(range(16))


@pytest.fixture(scope="module")
def walk(played: Callable[..., GameResult]) -> Walk:
    """Gives a walk through a game that was played by the rules."""
    result = played(SEED, 0, ("ant", "fox"))
    return walk_of(
        ShownGame("night/0/0/0", ("ant", "fox"), ("ant", "fox"), SEED, Ruleset(), 0, result)
    )


def test_from_a_seat_it_is_what_the_seat_could_know(walk: Walk) -> None:
    """At each step of a game the board from a seat shows what its observation tells, no more."""
    game = Game(Ruleset(), partial(deck_of, SEED, 0), 0)
    compared = 0
    for step, after in zip(walk.steps, walk.steps[1:], strict=False):
        if after.cards == 0:
            continue  # the round is over: the next card is the next round's
        seat = game.round.to_play
        seen = board_at(walk, step, Sight(str(seat)))
        view = board_of_view(View(observe(game)), walk.game.names[1 - seat])
        assert (seen.near.hand, seen.near.hidden) == (view.near.hand, 0)
        assert (seen.far.hand, seen.far.hidden) == (view.far.hand, view.far.hidden)
        assert (seen.near.captured, seen.far.captured) == (view.near.captured, view.far.captured)
        assert (seen.near.score, seen.far.score) == (view.near.score, view.far.score)
        assert (seen.stock_top, seen.stock_size) == (view.stock_top, view.stock_size)
        if step.cards % 2:
            assert seen.trick == view.trick
        game.play(walk.rounds[step.round].plays[step.cards])
        compared += 1
    assert compared == len(walk.game.result.plays)


def test_open_shows_all_cards(walk: Walk) -> None:
    """Both hands are whole, and with the captured cards and the stock they are the pack."""
    for step in walk.steps[::7]:
        board = board_at(walk, step, Sight.OPEN)
        assert board.far.hidden == board.near.hidden == 0
        on_table = len(board.trick) if len(board.trick) == 1 else 0
        sides = (board.far, board.near)
        held = sum(len(side.hand) + len(side.captured) for side in sides)
        assert held + on_table + board.stock_size == 52


def test_words_tell_each_trick_and_the_end(walk: Walk) -> None:
    """Each trick's winner, each round's points, and at last how it ended."""
    text = [" ".join(words_at(walk, step, LETTERED)) for step in walk.steps]
    assert sum(" won." in words for words in text) == len(walk.game.result.plays) // 2
    assert sum("Points: " in words for words in text) == len(walk.rounds)
    assert text[-1].endswith(walk.game.result.verdict.words)
    assert text[0].startswith("Next to lead: ")


def test_rounds_are_found(walk: Walk) -> None:
    """A round's first step; beyond either end the nearest round."""
    assert [walk.steps[walk.first_of(place)].round for place in (-5, 0, 1, 99)] == [
        *(0, 0, 1),
        len(walk.rounds) - 1,
    ]
    assert walk.steps[walk.first_of(1)].cards == 0


def test_the_picture_fits_40_columns(walk: Walk) -> None:
    """Every line of every step, with signs and with letters; letters are plain ASCII."""
    for step in walk.steps[::5]:
        board = board_at(walk, step, Sight.SEAT_1)
        for signs in (PICTURED, LETTERED):
            lines = [text_of(line) for line in board_lines(board, signs)]
            assert max(map(len, lines)) <= 40
            if signs is LETTERED:
                assert "".join(lines).isascii()


def test_the_picture_says_what_scoring_counts(walk: Walk) -> None:
    """Tricks alone where the most tricks make the fourth point; red cards are red."""
    step = walk.steps[30]
    points = [text_of(line) for line in board_lines(board_at(walk, step, Sight.OPEN), LETTERED)]
    assert any("trick points" in line for line in points)
    rules = Ruleset(scoring=Scoring.MOST_TRICKS)
    board = board_at(walk, step, Sight.OPEN)
    simple = board_lines(replace(board, ruleset=rules), LETTERED)
    assert not any("trick points" in text_of(line) for line in simple)
    red = {span.text for line in simple for span in line if span.ink is Ink.RED}
    assert red
    assert all(text[-1] in "dh" for text in red)


def test_numbers_of_a_hand() -> None:
    """They stand below the cards; an x stands below one that isn't legal."""
    hand = [CARDS[0], CARDS[14], CARDS[51]]
    assert text_of(numbered(hand, hand[1:2])) == "x  2  x"
    assert LETTERED.cards(hand) == "2c 3d As"
