"""A table, with scripted players and a scripted clock."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from californiajack import CARDS, FollowRule, GameEnd, Outcome, Ruleset, Scoring, Termination
from californiajack.deal import bot_seed_of, deck_of
from californiajack.observation import Observation, RoundOpening, RoundSummary
from californiajack.rules import Game
from californiajack_referee.play.table import Table, TableOrder
from californiajack_referee.values import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = bytes(range(16))
NAMES = ("fox@1", "hen@2")


class Seat:
    """A player that writes down what it is told, and the turn that waits."""

    def __init__(self) -> None:
        """Has been told nothing."""
        self.told: list[object] = []
        self.turns: list[Observation] = []
        self.waiting: Observation | None = None

    def game_start(self, table: Table, ruleset: Ruleset, first_dealer: int, bot_seed: int) -> None:
        """Writes it down."""
        self.told.append(("start", table.number, ruleset, first_dealer, bot_seed))

    def round_start(self, game: int, seen: RoundOpening) -> None:
        """Writes it down."""
        assert game == 7
        self.told.append(seen)

    def turn(self, table: Table, seen: Observation) -> None:
        """Writes it down."""
        assert table.verdict is None
        assert self.waiting is None
        self.waiting = seen
        self.turns.append(seen)
        self.told.append(seen)

    def round_end(self, game: int, seen: RoundSummary) -> None:
        """Writes it down."""
        assert game == 7
        self.told.append(seen)

    def game_end(self, table: Table, end: GameEnd) -> None:
        """Writes it down."""
        assert table.verdict is not None
        self.told.append(end)

    @property
    def end(self) -> GameEnd:
        """The end of the game, which was told last and once."""
        ends = [item for item in self.told if isinstance(item, GameEnd)]
        assert len(ends) == 1
        assert self.told[-1] is ends[0]
        return ends[0]


class Play:
    """A table and its two scripted players."""

    def __init__(self, ruleset: Ruleset | None = None, limits: Limits | None = None) -> None:
        """Lays the table and starts the game."""
        self.seats = (Seat(), Seat())
        self.ended: list[Table] = []
        self.order = TableOrder(
            number=7,
            deal=3,
            seed=SEED,
            ruleset=ruleset or Ruleset(),
            limits=limits or Limits(),
            names=NAMES,
        )
        self.table = Table(self.order, self.seats, self.ended.append)
        self.table.start()

    def asked(self) -> tuple[int, Observation]:
        """The one seat that is asked, and what it sees."""
        ((seat, seen),) = ((n, s.waiting) for n, s in enumerate(self.seats) if s.waiting)
        return seat, seen

    def answer(self, card: int | None = None, charged: float = 0.0) -> int:
        """Answers for the seat that is asked, with its first legal card if none is given."""
        seat, seen = self.asked()
        self.seats[seat].waiting = None
        self.table.answer(seat, seen.legal[0] if card is None else card, charged)
        return seat

    def play_out(self, choose: Callable[[bytes], int]) -> None:
        """Answers until there is a verdict."""
        while self.table.verdict is None:
            self.answer(choose(self.asked()[1].legal))


rulesets = st.builds(
    Ruleset, st.sampled_from((1, 5, 10)), st.sampled_from(Scoring), st.sampled_from(FollowRule)
)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32), rulesets)
def test_a_whole_game(number: int, ruleset: Ruleset) -> None:
    """Only choices are asked for, the news come in order, and the plays replay to the result."""
    play = Play(ruleset)
    play.play_out(random.Random(number).choice)
    table = play.table
    result = table.result()
    game = Game(ruleset, lambda r: deck_of(SEED, 3, r), 0)
    asked = [0, 0]
    for card in result.plays:
        legal = game.round.legal()
        seat = game.round.to_play
        if legal & (legal - 1):
            seen = play.seats[seat].turns[asked[seat]]
            assert (len(game.rounds), bytes(game.round.plays)) == (seen.round_number, seen.history)
            asked[seat] += 1
        game.play(card)
    assert asked == [len(seat.turns) for seat in play.seats]
    assert all(len(seen.legal) > 1 for seat in play.seats for seen in seat.turns)
    assert game.winner is not None
    verdict = result.verdict
    assert (verdict.winner, verdict.termination, verdict.blame) == (
        game.winner,
        Termination.NORMAL,
        None,
    )
    high, low = sorted(game.score, reverse=True)
    assert verdict.words == f"{NAMES[game.winner]} won {high} to {low}"
    assert (result.deal, result.score, verdict.detail) == (3, game.score, "")
    assert play.ended == [table]
    for place, player in enumerate(play.seats):
        check_news(player, place, game)


def check_news(seat: Seat, number: int, game: Game) -> None:
    """The news of a finished game: start, then each round whole and in order, then the end."""
    assert seat.told[0] == ("start", 7, game.ruleset, 1 + number, bot_seed_of(SEED, 3, 0, number))
    place = 1
    for r, played in enumerate(game.rounds):
        begun = seat.told[place]
        assert isinstance(begun, RoundOpening)
        assert begun.round_number == r
        dealt = played.deck[1 - (number != played.dealer) : 12 : 2]
        assert begun.hand == bytes(sorted(dealt))
        place += 1
        while isinstance(turn := seat.told[place], Observation):
            assert turn.round_number == r
            place += 1
        ended = seat.told[place]
        assert isinstance(ended, RoundSummary)
        assert (ended.round_number, ended.history) == (r, played.plays)
        assert (ended.score, ended.opponent_score) == played.score[:: 1 - 2 * number]
        place += 1
    assert place == len(seat.told) - 1
    won = game.winner == number
    score, other = game.score[:: 1 - 2 * number]
    words = f"You {'won' if won else 'lost'} {score} to {other}."
    outcome = Outcome.WON if won else Outcome.LOST
    assert seat.end == GameEnd(outcome, score, other, Termination.NORMAL, words)


def check_lost(play: Play, loser: int, termination: Termination, words: str) -> None:
    """The game is lost by a seat: the verdict tells both names, the seats are told fairly."""
    verdict = play.table.result().verdict
    assert (verdict.winner, verdict.blame) == (1 - loser, loser)
    assert verdict.termination is termination
    assert verdict.words.startswith(f"{NAMES[loser]} {words}")
    assert len(play.ended) == 1
    mine, theirs = play.seats[loser].end, play.seats[1 - loser].end
    assert (mine.outcome, theirs.outcome) == (Outcome.LOST, Outcome.WON)
    assert mine.termination is theirs.termination is termination
    assert mine.reason.startswith(f"You {words}")
    assert theirs.reason.startswith("Your opponent ")
    assert not any(name in theirs.reason for name in NAMES)
    # the winner must not learn a card by the loser's fault
    assert not any(str(card) in theirs.reason for card in CARDS)


def test_a_card_that_is_not_held() -> None:
    """It loses the game; the words name the card, the hand and the clause."""
    play = Play()
    seat, seen = play.asked()
    card = next(card for card in range(52) if card not in seen.hand)
    play.answer(card)
    check_lost(play, seat, Termination.ILLEGAL_MOVE, f"played an illegal card: {CARDS[card]} is")
    verdict = play.table.result().verdict
    assert "(R5)" in verdict.words
    assert all(str(CARDS[card]) in verdict.words for card in seen.hand)
    assert play.table.result().plays == b""


def test_a_card_that_does_not_follow() -> None:
    """It loses the game under R6, and the cards before it are kept."""
    play = Play()
    while True:
        seat, seen = play.asked()
        if len(seen.legal) < len(seen.hand):
            break
        play.answer()
    card = next(card for card in seen.hand if card not in seen.legal)
    play.answer(card)
    words = f"played an illegal card: {CARDS[card]} doesn't follow"
    check_lost(play, seat, Termination.ILLEGAL_MOVE, words)
    assert "(R6)" in play.table.result().verdict.words
    assert play.table.result().plays == seen.history


@pytest.mark.parametrize("card", [52, 255, 2**32 - 1])
def test_a_number_that_is_no_card(card: int) -> None:
    """It loses the game under R2."""
    play = Play()
    seat = play.answer(card)
    check_lost(play, seat, Termination.ILLEGAL_MOVE, f"played an illegal card: {card} is no card")
    assert "(R2)" in play.table.result().verdict.words


def test_the_bank_pays_for_slow_moves() -> None:
    """What a move takes over its time comes out of the bank; the rest of the bank is told."""
    play = Play(limits=Limits(move_seconds=2.0, bank_seconds=3.0))
    first, seen = play.asked()
    assert (seen.move_time_ms, seen.bank_ms) == (2000, 3000)
    assert play.table.allowance(first) == 5.0
    play.answer(charged=4.0)
    while play.asked()[0] != first:
        play.answer(charged=2.0)
    assert play.asked()[1].bank_ms == 1000
    assert play.table.allowance(first) == 3.0
    assert play.table.allowance(1 - first) == 5.0
    play.answer(charged=3.0)
    while play.asked()[0] != first:
        play.answer()
    assert play.asked()[1].bank_ms == 0
    play.answer(charged=2.25)
    check_lost(play, first, Termination.TIMEOUT, "took 2.25 s over a card; 2.00 s were allowed")
    assert play.table.result().used_ms[first] == 9250


def test_exactly_the_time_is_enough() -> None:
    """A move may take all of its time, and not more, where there is no bank."""
    play = Play(limits=Limits(move_seconds=1.5))
    play.answer(charged=1.5)
    assert play.table.verdict is None
    seat = play.answer(charged=1.501)
    check_lost(play, seat, Termination.TIMEOUT, "took 1.50 s over a card; 1.50 s were allowed")


def test_an_illegal_card_that_comes_too_late() -> None:
    """The clock is looked at first: it is a loss on time."""
    play = Play(limits=Limits(move_seconds=1.0))
    seat = play.answer(99, charged=1.25)
    check_lost(play, seat, Termination.TIMEOUT, "took 1.25 s")


def test_no_answer_in_time() -> None:
    """The game is lost on time, and the time waited counts as used."""
    play = Play(limits=Limits(move_seconds=1.0, bank_seconds=0.5))
    seat, _ = play.asked()
    play.table.time_out(seat, 1.75)
    check_lost(play, seat, Termination.TIMEOUT, "took 1.75 s over a card; 1.50 s were allowed")
    assert play.table.result().used_ms[seat] == 1750


def test_a_games_time_runs_out() -> None:
    """All moves of a game together may take its limit and not more; a turn shows what is left."""
    play = Play(limits=Limits(move_seconds=2.0, bank_seconds=4.0, game_seconds=5.0))
    first, seen = play.asked()
    assert (seen.move_time_ms, seen.bank_ms) == (2000, 3000)
    assert play.table.allowance(first) == 5.0
    for charged, left in ((1.0, (2000, 2000)), (3.0, (1000, 0))):
        play.answer(charged=charged)
        while play.asked()[0] != first:
            play.answer()
        assert (play.asked()[1].move_time_ms, play.asked()[1].bank_ms) == left
    assert play.table.allowance(first) == 1.0
    assert play.table.allowance(1 - first) == 5.0
    play.answer(charged=1.25)
    words = "took 5.25 s over its cards; a game may take 5.00 s"
    check_lost(play, first, Termination.TIMEOUT, words)
    assert play.table.result().used_ms[first] == 5250


def test_a_game_without_a_limit() -> None:
    """With a limit of 0, only each single move is limited."""
    play = Play(limits=Limits(move_seconds=100.0, game_seconds=0))
    while play.table.verdict is None:
        play.answer(charged=100.0)
    assert play.table.verdict.termination is Termination.NORMAL
    assert min(play.table.result().used_ms) > 1_200_000


@pytest.mark.parametrize(
    "termination",
    [
        Termination.CRASH,
        Termination.DISCONNECT,
        Termination.PROTOCOL_ERROR,
        Termination.NEVER_STARTED,
    ],
)
def test_a_failure_from_outside(termination: Termination) -> None:
    """Either seat may lose by its process's failure, at any point; the detail is kept."""
    for seat in (0, 1):
        play = Play()
        play.answer()
        play.table.lose(seat, termination, "failed somehow", "the last lines")
        check_lost(play, seat, termination, "failed somehow")
        assert play.table.result().verdict.detail == "the last lines"


def test_a_void_game_has_no_winner() -> None:
    """Both seats are told that the game doesn't count, and nobody is blamed."""
    play = Play()
    play.answer()
    play.table.void(Termination.INTERRUPTED, "The tournament was stopped.")
    verdict = play.table.result().verdict
    assert (verdict.winner, verdict.blame) == (None, None)
    for seat in play.seats:
        assert seat.end.outcome is Outcome.VOID
        assert seat.end.reason == "The tournament was stopped."


def test_the_first_verdict_stands() -> None:
    """What comes after the end changes nothing and is told to nobody."""
    play = Play()
    play.table.lose(0, Termination.CRASH, "crashed")
    play.table.lose(1, Termination.CRASH, "crashed too")
    play.table.void(Termination.INTERRUPTED, "Stopped.")
    check_lost(play, 0, Termination.CRASH, "crashed")


def test_a_long_reason_is_cut() -> None:
    """A seat is told 500 characters at most."""
    play = Play()
    play.table.lose(0, Termination.CRASH, "x" * 2000)
    assert len(play.seats[0].end.reason) == 500


def test_an_unfinished_game_has_no_result() -> None:
    """Asking for it is an error of the caller's."""
    with pytest.raises(ValueError, match="not over"):
        Play().table.result()
