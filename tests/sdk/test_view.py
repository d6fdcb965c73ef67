"""What a bot sees, under the card table's names."""

from __future__ import annotations

import dataclasses
import random
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from californiajack import CARDS, Card, FollowRule, Player, Ruleset, Suit, Trick, View, beats
from californiajack.cards import format_cards, parse_cards
from californiajack.masks import cards_of
from californiajack.observation import observe, summary
from californiajack.rules import Game
from californiajack.view import RoundEnd

# the first dealer is seat 1, so seat 0 holds 2c 3c 4c 5d 6d 7d and leads, seat 1 holds
# 8c 9c 2h 3h 2s 3s; spades are trump
DECK = "2c 8c 3c 9c 4c 2h 5d 3h 6d 2s 7d 3s As Ks Qs Js"


def after(plays: str, follow: FollowRule = FollowRule.FOLLOW) -> View:
    """What the seat to play sees after these plays."""
    begin = bytes(parse_cards(DECK))
    deck = begin + bytes(card for card in range(52) if card not in begin)
    game = Game(Ruleset(follow=follow), lambda _: deck, 1)
    for card in parse_cards(plays):
        game.play(card)
    return View(observe(game, move_time_ms=1500, bank_ms=500))


def test_the_first_lead() -> None:
    """The first view shows the deal and nothing else."""
    view = after("")
    assert format_cards(view.hand) == "2c 3c 4c 5d 6d 7d"
    assert view.legal == view.hand
    assert view.leading
    assert view.led is None
    assert view.trump is Suit.SPADES
    assert view.trump_card is view.stock_top is Card.ACE_OF_SPADES
    assert (view.stock_size, view.trick_number, view.round_number) == (40, 0, 0)
    assert view.history == ()
    assert view.captured == view.opponent_captured == view.opponent_known == ()
    assert (view.opponent_unknown, len(view.unseen)) == (6, 45)
    assert (view.score, view.opponent_score) == (0, 0)
    assert view.dealer is Player.OPPONENT
    assert view.opponent_void == frozenset()
    assert view.ruleset == Ruleset()


def test_a_follow() -> None:
    """The second view shows the card led, and what may follow it."""
    view = after("2c")
    assert not view.leading
    assert view.led is Card.TWO_OF_CLUBS
    assert format_cards(view.legal) == "8c 9c"
    assert view.opponent_unknown == 5
    assert view.dealer is Player.ME


def test_after_a_trick() -> None:
    """A finished trick shows in the history, in what was captured and in what is known."""
    view = after("2c 8c")
    trick = Trick(
        leader=Player.OPPONENT,
        led=Card.TWO_OF_CLUBS,
        followed=Card.EIGHT_OF_CLUBS,
        winner=Player.ME,
        drawn=(Card.ACE_OF_SPADES, Card.KING_OF_SPADES),
    )
    assert view.history == (trick,)
    assert trick.card_of(Player.ME) is Card.EIGHT_OF_CLUBS
    assert trick.card_of(Player.OPPONENT) is Card.TWO_OF_CLUBS
    assert format_cards(view.hand) == "9c 2h 3h 2s 3s As"
    assert view.opponent_known == (Card.KING_OF_SPADES,)
    assert (view.opponent_unknown, view.stock_top) == (5, Card.QUEEN_OF_SPADES)
    assert format_cards(view.captured) == "2c 8c"


@pytest.mark.parametrize(
    ("plays", "follow", "void"),
    [
        # seat 0 leads a diamond, seat 1 throws a heart off
        ("5d 2h", FollowRule.FOLLOW, {Suit.DIAMONDS}),
        ("5d 2h", FollowRule.FOLLOW_OR_TRUMP, {Suit.DIAMONDS}),
        # seat 1 trumps; then it leads a heart, on which seat 0 throws a club off
        ("5d 2s 2h 3c", FollowRule.FOLLOW, {Suit.HEARTS}),
        # seat 1 trumps, seat 0 trumps back: the one who trumps tells nothing where it may anyway
        ("5d 2s 2h Ks", FollowRule.FOLLOW, {Suit.DIAMONDS}),
        ("5d 2s 2h Ks", FollowRule.FOLLOW_OR_TRUMP, set()),
        # but it does by throwing a heart on the next diamond
        ("5d 2s 2h Ks 6d 3h", FollowRule.FOLLOW_OR_TRUMP, {Suit.DIAMONDS}),
        ("2c 8c", FollowRule.FOLLOW, set()),
    ],
)
def test_void_suits(plays: str, follow: FollowRule, void: set[Suit]) -> None:
    """Who didn't follow a suit has none of it among the unknown cards, where that tells it (R6)."""
    assert after(plays, follow).opponent_void == void


def test_the_clock() -> None:
    """The time left is the move's and the bank's together."""
    view = after("")
    assert view.time_left == timedelta(seconds=2)
    assert view.bank == timedelta(milliseconds=500)


def test_a_view_is_frozen() -> None:
    """A bot can't change what it sees."""
    field = "_seen"
    with pytest.raises((dataclasses.FrozenInstanceError, AttributeError)):
        setattr(after(""), field, None)


@given(st.integers(0, 2**32), st.sampled_from(FollowRule))
def test_what_a_view_tells_is_true(number: int, follow: FollowRule) -> None:
    """In a game by chance, known, unknown, unseen and void agree with the real hands."""
    chance = random.Random(number)
    game = Game(Ruleset(3, follow=follow), lambda _: bytes(chance.sample(range(52), 52)), 0)
    while game.winner is None:
        view = View(observe(game))
        current = game.round
        other = set(cards_of(current.hands[1 - current.to_play]))
        known = set(view.opponent_known)
        assert known <= other
        assert len(other) == len(known) + view.opponent_unknown
        assert other - known <= set(view.unseen)
        assert not {CARDS[card].suit for card in other - known} & view.opponent_void
        assert view.trick_number == len(view.history) == len(current.plays) // 2
        for trick in view.history:
            won = beats(trick.followed, trick.led, view.trump)
            assert trick.winner is (trick.leader.other if won else trick.leader)
        game.play(chance.choice(view.legal))
    for seat in (0, 1):
        played = game.rounds[0]
        tricks = RoundEnd(summary(played, 0, seat)).history
        assert [card for trick in tricks for card in (trick.led, trick.followed)] == list(
            played.plays
        )
        drawn = [card for trick in tricks if trick.drawn is not None for card in trick.drawn]
        assert drawn == list(played.deck[12:])
        assert all(trick.drawn is None for trick in tricks[20:])
