"""What one seat may know, against a naive account of what it has seen."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from californiajack import CARDS, FollowRule, Ruleset
from californiajack.masks import cards_of
from californiajack.observation import observe, opening, summary
from californiajack.rules import Game

RANKS = "23456789TJQKA"
ALL = [str(card) for card in CARDS]


def text(cards: bytes) -> list[str]:
    """Cards as text, in their order."""
    return [ALL[card] for card in cards]


class Watcher:
    """A person at one seat, who writes down what lies open and reasons from that alone."""

    def __init__(self, seat: int, dealer: int, hand: list[str], trump_card: str) -> None:
        """Sees its own six cards and the top of the stock."""
        self.seat = seat
        self.hand = hand
        self.trump_card = self.top = trump_card
        self.leader = 1 - dealer
        self.led: str | None = None
        self.leaders = [self.leader]
        self.history: list[str] = []
        self.drawn: list[str] = []
        self.theirs: list[str] = []
        self.taken: tuple[list[str], list[str]] = ([], [])

    def sees(self, seat: int, card: str, drawn: list[str], top: str | None) -> None:
        """Sees a card being played, the two being drawn after it and the new top of the stock."""
        self.history.append(card)
        own = self.hand if seat == self.seat else self.theirs
        if card in own:
            own.remove(card)
        if self.led is None:
            self.led = card
            return
        if card[1] == self.led[1]:
            second_wins = RANKS.index(card[0]) > RANKS.index(self.led[0])
        else:
            second_wins = card[1] == self.trump_card[1]
        self.leader = self.leader if not second_wins else 1 - self.leader
        self.leaders.append(self.leader)
        self.taken[self.leader].extend((self.led, card))
        self.led = None
        self.drawn += drawn
        if drawn:
            mine, theirs = drawn if self.leader == self.seat else drawn[::-1]
            self.hand.append(mine)
            self.theirs.append(theirs)
        self.top = top or ""

    def legal(self, follow: FollowRule) -> list[str]:
        """The cards it may play."""
        suits = "cdhs"
        if self.led is not None and any(card[1] == self.led[1] for card in self.hand):
            suits = self.led[1]
            if follow is FollowRule.FOLLOW_OR_TRUMP:
                suits += self.trump_card[1]
        return ordered([card for card in self.hand if card[1] in suits])

    def unseen(self) -> list[str]:
        """The cards it has never seen."""
        seen = {*self.hand, *self.history, *self.drawn, self.top}
        return [card for card in ALL if card not in seen]


def ordered(cards: list[str]) -> list[str]:
    """Cards in the order of their numbers."""
    return sorted(cards, key=ALL.index)


def compare(game: Game, watcher: Watcher) -> None:
    """Compares every field of the observation with the watcher's notes."""
    current = game.round
    seat = watcher.seat
    found = observe(game, move_time_ms=1500, bank_ms=7)
    unseen = watcher.unseen()
    empty = not watcher.top
    assert text(found.hand) == ordered(watcher.hand)
    assert text(found.legal) == watcher.legal(game.ruleset.follow)
    assert ALL[found.trump_card] == watcher.trump_card
    assert (None if found.led is None else ALL[found.led]) == watcher.led
    assert ("" if found.stock_top is None else ALL[found.stock_top]) == watcher.top
    assert found.stock_size == 40 - len(watcher.drawn)
    assert text(found.history) == watcher.history
    assert [1 if leader == seat else 2 for leader in watcher.leaders] == list(found.leaders)
    assert text(found.drawn) == watcher.drawn
    assert text(found.opponent_known) == ordered(watcher.theirs + (unseen if empty else []))
    assert text(found.unseen) == ([] if empty else unseen)
    held_by_other = 6 if not empty else 26 - len(watcher.history) // 2
    held_by_other -= watcher.led is not None
    assert found.opponent_unknown == held_by_other - len(found.opponent_known)
    assert text(found.captured) == watcher.taken[seat]
    assert text(found.opponent_captured) == watcher.taken[1 - seat]
    assert (found.score, found.opponent_score) == (game.score[seat], game.score[1 - seat])
    assert found.dealer == (1 if current.dealer == seat else 2)
    assert (found.round_number, found.ruleset) == (len(game.rounds), game.ruleset)
    assert (found.move_time_ms, found.bank_ms) == (1500, 7)


@given(st.integers(0, 2**32), st.sampled_from(FollowRule), st.integers(0, 1))
def test_every_field_is_what_a_watcher_knows(number: int, follow: FollowRule, dealer: int) -> None:
    """At every decision of a game, each field is what a person at the seat could write down."""
    chance = random.Random(number)
    game = Game(Ruleset(5, follow=follow), lambda _: bytes(chance.sample(range(52), 52)), dealer)
    while game.winner is None:
        current = game.round
        deck = text(current.deck)
        hands = {1 - current.dealer: deck[0:12:2], current.dealer: deck[1:12:2]}
        watchers = [Watcher(seat, current.dealer, hands[seat], deck[12]) for seat in (0, 1)]
        for watcher in watchers:
            begun = opening(game, watcher.seat)
            assert text(begun.hand) == ordered(watcher.hand)
            assert ALL[begun.trump_card] == deck[12]
            assert begun.dealer == (1 if current.dealer == watcher.seat else 2)
            assert (begun.score, begun.opponent_score) == game.score[:: 1 - 2 * watcher.seat]
            assert begun.round_number == len(game.rounds)
        stock = deck[12:]
        while not current.over:
            seat = current.to_play
            compare(game, watchers[seat])
            card = chance.choice(cards_of(current.legal()))
            ends_trick = current.led >= 0
            game.play(card)
            drawn = [stock.pop(0) for _ in range(2)] if ends_trick and stock else []
            for watcher in watchers:
                watcher.sees(seat, ALL[card], drawn, stock[0] if stock else None)
        for watcher in watchers:
            ended = summary(game.rounds[-1], len(game.rounds) - 1, watcher.seat)
            assert text(ended.history) == watcher.history
            assert text(ended.drawn) == watcher.drawn
            assert list(ended.leaders) == [1 + (who != watcher.seat) for who in watcher.leaders]
            assert (ended.score, ended.opponent_score) == game.score[:: 1 - 2 * watcher.seat]
            points = game.rounds[-1].points[:: 1 - 2 * watcher.seat]
            assert (ended.points, ended.opponent_points) == points


def test_an_observation_holds_no_part_of_the_game() -> None:
    """What was observed stays as it was while the game goes on."""
    game = Game(Ruleset(), lambda _: bytes(range(52)), 0)
    before = observe(game)
    copy = before._replace()
    while game.winner is None:
        game.play(cards_of(game.round.legal())[0])
    assert before == copy
    assert all(not isinstance(field, bytearray) for field in before)
