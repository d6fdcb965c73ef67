"""The state of a round and of a game (R1 to R13), against naive readings of the rule book."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from californiajack import CARDS, FollowRule, IllegalPlayError, Ruleset, Scoring, parse_card
from californiajack.cards import format_cards, parse_cards
from californiajack.masks import ALL_CARDS, cards_of, mask_of
from californiajack.rules import Game, PlayedRound, Round, trick_points

if TYPE_CHECKING:
    from collections.abc import Iterator

RANKS = "23456789TJQKA"
COUNTS = {"J": 1, "Q": 2, "K": 3, "A": 4, "T": 10}
rulesets = st.builds(
    Ruleset,
    target=st.integers(1, 14),
    scoring=st.sampled_from(Scoring),
    follow=st.sampled_from(FollowRule),
)
chances = st.integers(0, 2**32).map(random.Random)


def shuffled(chance: random.Random) -> bytes:
    """A deck by chance."""
    return bytes(chance.sample(range(52), 52))


def names(mask: int) -> list[str]:
    """The cards of a set, as text."""
    return [str(CARDS[card]) for card in cards_of(mask)]


def moments(game: Game, chance: random.Random) -> Iterator[Round]:
    """Plays a game by chance and gives its round before every play."""
    while game.winner is None:
        yield game.round
        game.play(chance.choice(cards_of(game.round.legal())))


def play_out(ruleset: Ruleset, chance: random.Random, first_dealer: int = 0) -> Game:
    """Plays a game by chance to its end."""
    game = Game(ruleset, lambda _: shuffled(chance), first_dealer)
    for _ in moments(game, chance):
        pass
    return game


def naive_legal(hand: list[str], led: str | None, trump: str, follow: FollowRule) -> list[str]:
    """The legal cards, read off R5 and R6."""
    if led is None or not any(card[1] == led[1] for card in hand):
        return hand
    suits = {led[1], trump} if follow is FollowRule.FOLLOW_OR_TRUMP else {led[1]}
    return [card for card in hand if card[1] in suits]


def follower_wins(led: str, followed: str, trump: str) -> bool:
    """Who takes a trick, read off R7: the highest trump, else the highest of the suit led."""
    trumps = [card for card in (led, followed) if card[1] == trump]
    running = trumps or [card for card in (led, followed) if card[1] == led[1]]
    return max(running, key=lambda card: RANKS.index(card[0])) == followed


@given(rulesets, chances, st.integers(0, 1))
def test_the_cards_of_a_round(ruleset: Ruleset, chance: random.Random, first_dealer: int) -> None:
    """At every moment the places hold 52 cards, hands have their size, and something is legal."""
    game = Game(ruleset, lambda _: shuffled(chance), first_dealer)
    for current in moments(game, chance):
        led = 0 if current.led < 0 else 1 << current.led
        stock = mask_of(current.deck[12 + current.drawn :])
        places = [*current.hands, *map(mask_of, current.captured), led, stock]
        assert sum(place.bit_count() for place in places) == 52
        assert sum(places) == ALL_CARDS
        tricks = len(current.plays) // 2
        size = min(6, 26 - tricks)
        assert current.hands[current.to_play].bit_count() == size
        assert current.hands[1 - current.to_play].bit_count() == size - (led != 0)
        assert current.drawn == min(40, 2 * tricks)
        assert all(k & ~hand == 0 for k, hand in zip(current.known, current.hands, strict=True))
        trump = "cdhs"[current.trump]
        assert trump == str(CARDS[current.deck[12]])[1]
        card_led = str(CARDS[current.led]) if led else None
        hand = names(current.hands[current.to_play])
        assert names(current.legal()) == naive_legal(hand, card_led, trump, ruleset.follow)
        assert current.legal() != 0


@given(rulesets, chances, st.integers(0, 1))
def test_tricks_draws_and_leads(ruleset: Ruleset, chance: random.Random, first_dealer: int) -> None:
    """The right seat wins each trick, draws first and leads next (R3, R5, R7, R8)."""
    for number, played in enumerate(play_out(ruleset, chance, first_dealer).rounds):
        assert played.dealer == (first_dealer + number) % 2
        deck = [str(CARDS[card]) for card in played.deck]
        plays = [str(CARDS[card]) for card in played.plays]
        hands = {1 - played.dealer: deck[0:12:2], played.dealer: deck[1:12:2]}
        stock = deck[12:]
        trump = stock[0][1]
        leader = 1 - played.dealer
        taken: tuple[list[str], list[str]] = ([], [])
        for trick in range(26):
            assert played.leaders[trick] == leader
            led, followed = plays[2 * trick : 2 * trick + 2]
            hands[leader].remove(led)
            hands[1 - leader].remove(followed)
            leader = 1 - leader if follower_wins(led, followed, trump) else leader
            taken[leader].extend((led, followed))
            if stock:
                hands[leader].append(stock.pop(0))
                hands[1 - leader].append(stock.pop(0))
        assert played.leaders[26] == leader
        assert list(played.points) == naive_points(taken, trump, ruleset.scoring)


def naive_points(taken: tuple[list[str], list[str]], trump: str, scoring: Scoring) -> list[int]:
    """The game points of a round, read off R10 and R11."""
    points = [sum(rank + trump in cards for rank in "AJ2") for cards in taken]
    if scoring is Scoring.MOST_TRICKS:
        most = [len(cards) for cards in taken]
    else:
        most = [sum(COUNTS.get(card[0], 0) for card in cards) for cards in taken]
    if most[0] != most[1]:
        points[most.index(max(most))] += 1
    return points


@given(rulesets, chances, st.integers(0, 1))
def test_the_course_of_a_game(ruleset: Ruleset, chance: random.Random, first_dealer: int) -> None:
    """Points sum to 4 or 3, totals add up, and the game ends as soon as R12 says, not before."""
    game = play_out(ruleset, chance, first_dealer)
    totals = [0, 0]
    for number, played in enumerate(game.rounds):
        assert sum(played.points) in (3, 4)
        totals = [total + points for total, points in zip(totals, played.points, strict=True)]
        assert list(played.score) == totals
        decided = max(totals) >= ruleset.target and totals[0] != totals[1]
        assert decided == (number == len(game.rounds) - 1)
        assert len(played.plays) == len(set(played.plays)) == 52
    assert game.score == tuple(totals)
    assert game.winner == totals.index(max(totals))
    assert game.round_number == len(game.rounds) - 1
    assert game.round.over


def test_equal_totals_play_on() -> None:
    """At equal totals over the target another round is played (R12); such games are found."""
    games = [play_out(Ruleset(target=2), random.Random(number)) for number in range(40)]
    tied = [game for game in games if game.rounds[0].points == (2, 2)]
    assert tied
    assert all(len(game.rounds) > 1 for game in tied)


def test_a_round_is_played_out_though_the_game_is_decided() -> None:
    """With a target of 1 a game still has whole rounds of 52 plays (R9)."""
    game = play_out(Ruleset(target=1), random.Random(3))
    assert all(len(played.plays) == 52 for played in game.rounds)


@pytest.mark.parametrize(
    ("seat_0", "trick_points_won", "most_tricks_won"),
    [
        # both suits of a half: 40 to 40 and 13 to 13, so the fourth point is nobody's
        ("clubs diamonds", (3, 0), (3, 0)),
        # the ten of hearts for the two of diamonds: 50 to 30, but 13 tricks still
        ("clubs diamonds +Th -2d", (4, 0), (3, 0)),
        # two cards more, of no trick points
        ("clubs diamonds +2h +3h", (3, 0), (4, 0)),
        # the trump ace changes hands, and 4 trick points with it
        ("clubs diamonds -Ac +2h", (2, 2), (2, 1)),
        ("clubs diamonds -Jc +Jh", (2, 1), (2, 1)),
        ("clubs diamonds -2c +2h", (2, 1), (2, 1)),
    ],
)
def test_the_points_of_a_round(
    seat_0: str, trick_points_won: tuple[int, int], most_tricks_won: tuple[int, int]
) -> None:
    """The trump ace, jack and two count one each, the fourth point goes to the most (R10, R11)."""
    current = Round(bytes(range(12, 52)) + bytes(range(12)), 0, FollowRule.FOLLOW)
    current.trump = 0
    captured = set(range(26))
    for change in seat_0.split()[2:]:
        captured ^= {parse_card(change[1:])}
    current.captured = (bytearray(captured), bytearray(set(range(52)) - captured))
    assert current.points(Scoring.TRICK_POINTS) == trick_points_won
    assert current.points(Scoring.MOST_TRICKS) == most_tricks_won


@given(st.sets(st.sampled_from(CARDS)))
def test_trick_points_of_a_set(cards: set[int]) -> None:
    """A set's trick points are the sum of its cards'."""
    assert trick_points(cards) == sum(CARDS[card].trick_points for card in cards)


def dealt(text: str, dealer: int = 1, follow: FollowRule = FollowRule.FOLLOW) -> Round:
    """A round that is dealt from a deck beginning so."""
    begin = bytes(parse_cards(text))
    rest = bytes(card for card in range(52) if card not in begin)
    return Round(begin + rest, dealer, follow)


# seat 0 holds 2c 3c 4c 5d 6d 7d, seat 1 holds 8c 9c 2h 3h 2s 3s; spades are trump
DECK = "2c 8c 3c 9c 4c 2h 5d 3h 6d 2s 7d 3s As"


@pytest.mark.parametrize(
    ("plays", "clause", "words"),
    [
        ("8c", "R5", "8c is not in the hand, which is 2c 3c 4c 5d 6d 7d"),
        ("2c 3c", "R6", "3c is not in the hand"),
        ("2c 2h", "R6", "2h doesn't follow 2c: legal are 8c 9c"),
        ("2c 2s", "R6", "2s doesn't follow 2c: legal are 8c 9c"),
        ("2c 2c", "R6", "2c is not in the hand"),
        ("2c As", "R6", "As is not in the hand"),
    ],
)
def test_an_illegal_card_is_refused(plays: str, clause: str, words: str) -> None:
    """An illegal card raises IllegalPlayError with its clause, and changes nothing."""
    current = dealt(DECK)
    *before, last = parse_cards(plays)
    for card in before:
        current.play(card)
    hands, count, to_play = list(current.hands), len(current.plays), current.to_play
    with pytest.raises(IllegalPlayError, match=words) as caught:
        current.play(last)
    assert caught.value.clause == clause
    assert (current.hands, len(current.plays), current.to_play) == (hands, count, to_play)


@pytest.mark.parametrize("number", [-1, 52, 255, 10**30])
def test_what_is_no_card_is_refused(number: int) -> None:
    """A number that is no card's raises IllegalPlayError too (R2)."""
    with pytest.raises(IllegalPlayError, match="is no card") as caught:
        dealt(DECK).play(number)
    assert caught.value.clause == "R2"


def test_nothing_is_played_after_the_end() -> None:
    """A game that is over takes no card (R9)."""
    game = play_out(Ruleset(target=1), random.Random(1))
    with pytest.raises(IllegalPlayError, match="comes after the round's end"):
        game.play(0)


def test_a_follower_may_trump_where_the_ruleset_says_so() -> None:
    """Under ``follow_or_trump`` a trump is legal besides the suit led, another suit is not."""
    current = dealt(DECK, follow=FollowRule.FOLLOW_OR_TRUMP)
    current.play(parse_card("2c"))
    assert names(current.legal()) == ["8c", "9c", "2s", "3s"]
    current.play(parse_card("2s"))
    assert format_cards(current.captured[1]) == "2c 2s"


def test_a_follower_without_the_suit_may_play_anything() -> None:
    """Without the suit led every card is legal, and a discard loses (R6, R7)."""
    current = dealt(DECK)
    current.play(parse_card("5d"))
    assert names(current.legal()) == ["8c", "9c", "2h", "3h", "2s", "3s"]
    current.play(parse_card("3h"))
    assert format_cards(current.captured[0]) == "5d 3h"
    assert current.to_play == 0


def test_the_winner_draws_the_trump_card() -> None:
    """The first trick's winner draws the card that fixed the trump, the other the next (R4, R8)."""
    current = dealt(DECK)
    below = current.deck[13]
    for card in parse_cards("2c 8c"):
        current.play(card)
    assert current.known == [1 << below, 1 << parse_card("As")]
    assert current.leaders == bytes((0, 1))


def test_every_round_has_its_own_deck() -> None:
    """The decks are asked for by the round's number, once each, in order."""
    asked: list[int] = []
    chance = random.Random(5)

    def deck_at(number: int) -> bytes:
        asked.append(number)
        return shuffled(chance)

    game = Game(Ruleset(), deck_at, 0)
    for _ in moments(game, chance):
        assert len(asked) == len(game.rounds) + 1
    assert asked == list(range(len(game.rounds)))
    finished: list[PlayedRound] = game.rounds
    assert all(one.dealer != next_one.dealer for one, next_one in pairwise(finished))
