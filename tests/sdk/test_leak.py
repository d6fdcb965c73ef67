"""The leak test: what a seat may not know never reaches it, neither by values nor in local play."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from californiajack import Bot, BotError, Card, FollowRule, RoundEnd, RoundStart, Ruleset, View
from californiajack.cards import CARDS
from californiajack.local import Seat, _play
from californiajack.masks import cards_of
from californiajack.observation import Observation, observe, opening, summary
from californiajack.record import replay
from californiajack.rules import Game

if TYPE_CHECKING:
    from collections.abc import Callable

PROPERTIES = [name for name, value in vars(View).items() if isinstance(value, property)]
Decks = list[bytes]


class Twins:
    """Two games with the same plays, which differ only in what one seat may not know."""

    def __init__(self, number: int, follow: FollowRule, seat: int) -> None:
        """Plays a part of a game by chance, then permutes the hidden cards."""
        self.chance = random.Random(number)
        self.ruleset = Ruleset(follow=follow)
        self.seat = seat
        self.first_dealer = self.chance.randrange(2)
        self.decks: Decks = [self._deck() for _ in range(12)]
        self.plays = self._play_some(self.chance.randrange(160))
        self.altered: Decks = self._alter()

    def _deck(self) -> bytes:
        return bytes(self.chance.sample(range(52), 52))

    def _play_some(self, count: int) -> bytes:
        game = Game(self.ruleset, self.decks.__getitem__, self.first_dealer)
        plays = bytearray()
        # a decided game hides nothing any more
        while len(plays) < count and max(game.score) < 5:
            plays.append(self.chance.choice(cards_of(game.round.legal())))
            game.play(plays[-1])
        return bytes(plays)

    def _alter(self) -> Decks:
        game = replay(self.ruleset, self.decks.__getitem__, self.first_dealer, self.plays)
        current = game.round
        deck = list(current.deck)
        # the non-dealer is dealt the even places (R3)
        dealt_to_other = range(0 if current.dealer == self.seat else 1, 12, 2)
        held = [place for place in dealt_to_other if deck[place] not in current.plays]
        below = list(range(12 + current.drawn + 1, 52))
        # the held cards can't have a suit that the other seat failed to follow (R6)
        void = set()
        for trick in range(len(current.plays) // 2):
            led, followed = (CARDS[card] for card in current.plays[2 * trick : 2 * trick + 2])
            tells = self.ruleset.follow is FollowRule.FOLLOW or followed.suit != current.trump
            if current.leaders[trick] == self.seat and followed.suit is not led.suit and tells:
                void.add(led.suit)
        hidden = [deck[place] for place in held + below]
        able = [card for card in hidden if CARDS[card].suit not in void]
        given_to_other = self.chance.sample(able, len(held))
        rest = [card for card in hidden if card not in given_to_other]
        self.chance.shuffle(rest)
        for place, card in zip(held + below, given_to_other + rest, strict=True):
            deck[place] = card
        # the order in which the other's six were dealt is hidden as well
        order = [deck[place] for place in dealt_to_other]
        self.chance.shuffle(order)
        for place, card in zip(dealt_to_other, order, strict=True):
            deck[place] = card
        before = self.decks[: len(game.rounds)]
        return [*before, bytes(deck), *(self._deck() for _ in range(11 - len(before)))]


def seen(twins: Twins, decks: Decks, look: Callable[[Game], Observation]) -> list[object]:
    """All that the seat is told while the plays are played on these decks."""
    told: list[object] = []
    game = Game(twins.ruleset, decks.__getitem__, twins.first_dealer)
    told.append(RoundStart.of(opening(game, twins.seat)))
    for card in [*twins.plays, None]:
        if game.round.to_play == twins.seat:
            observation = look(game)
            view = View(observation)
            told += [observation, *((name, getattr(view, name)) for name in PROPERTIES)]
        if card is not None:
            finished = len(game.rounds)
            game.play(card)
            if len(game.rounds) > finished:
                told.append(RoundEnd(summary(game.rounds[-1], finished, twins.seat)))
                told.append(RoundStart.of(opening(game, twins.seat)))
    return told


def leaks(twins: Twins, look: Callable[[Game], Observation] = observe) -> bool:
    """Whether the seat is told anything by which it could tell the two games apart."""
    return seen(twins, twins.decks, look) != seen(twins, twins.altered, look)


twins_by_chance = st.builds(
    Twins, st.integers(0, 2**32), st.sampled_from(FollowRule), st.integers(0, 1)
)


@given(twins_by_chance)
def test_hidden_cards_change_nothing(twins: Twins) -> None:
    """Observations, views and round hooks are equal when only hidden cards differ."""
    assert twins.decks != twins.altered
    assert not leaks(twins)


def tells_the_hand(game: Game) -> Observation:
    """A leaky `observe`: all of the opponent's hand passes for known."""
    hand = game.round.hands[1 - game.round.to_play]
    return observe(game)._replace(opponent_known=cards_of(hand))


def tells_the_next_card(game: Game) -> Observation:
    """A leaky `observe`: the card below the stock's top hides in a number."""
    return observe(game, bank_ms=game.round.deck[min(51, 13 + game.round.drawn)])


def tells_by_order(game: Game) -> Observation:
    """A leaky `observe`: the unseen cards stand in the order of the deck."""
    fair = observe(game)
    return fair._replace(unseen=bytes(card for card in game.round.deck if card in fair.unseen))


def test_the_leak_test_can_fail() -> None:
    """Each of three leaky observers is found out, and not in one game only."""
    games = [Twins(number, FollowRule.FOLLOW, number % 2) for number in range(30)]
    for look in (tells_the_hand, tells_the_next_card, tells_by_order):
        assert sum(leaks(twins, look) for twins in games) > 8, look


class Script(Bot):
    """Plays the cards of a game known beforehand and writes down all that it is told."""

    def __init__(self, plays: bytes, told: list[object]) -> None:
        """Takes the plays of the game, and a list to write to."""
        self.plays = plays
        self.told = told

    def choose(self, view: View) -> Card:
        """Plays the card whose turn it is; fails after the last one."""
        self.told.append(view)
        place = 52 * view.round_number + 2 * view.trick_number + (not view.leading)
        return CARDS[self.plays[place]]

    def on_game_start(self, start: object) -> None:
        """Writes it down."""
        self.told.append(start)

    def on_round_start(self, start: object) -> None:
        """Writes it down."""
        self.told.append(start)

    def on_round_end(self, end: object) -> None:
        """Writes it down."""
        self.told.append(end)


def told_in_local_play(twins: Twins, decks: Decks) -> list[object]:
    """All that the seat's bot is told in local play, until the plays run out."""
    lists: tuple[list[object], list[object]] = ([], [])
    game = Game(twins.ruleset, decks.__getitem__, twins.first_dealer)
    bots: list[Any] = [Script(twins.plays, told) for told in lists]
    seats = (Seat(lambda: bots[0], 0, "a", 0), Seat(lambda: bots[1], 1, "b", 0))
    try:
        _play(game, seats)
    except BotError as error:
        assert isinstance(error.__cause__, IndexError)  # noqa: PT017 - how the script ends
    played = [*(card for done in game.rounds for card in done.plays), *game.round.plays]
    assert bytes(played[: len(twins.plays)]) == twins.plays
    return lists[twins.seat]


@given(twins_by_chance)
def test_local_play_does_not_leak(twins: Twins) -> None:
    """A bot in local play is told the same when only hidden cards differ, up to the last play."""
    one, other = (told_in_local_play(twins, decks) for decks in (twins.decks, twins.altered))
    # after the known plays forced ones may follow, and the games may part
    plays = len(twins.plays)
    assert one[: told_up_to(one, plays)] == other[: told_up_to(other, plays)]


def told_up_to(told: list[object], plays: int) -> int:
    """How many of the things told were told before this many cards had been played."""
    count = 0
    for item in told:
        if isinstance(item, View):
            place = 52 * item.round_number + 2 * item.trick_number + (not item.leading)
            if place > plays:
                break
        elif isinstance(item, (RoundStart, RoundEnd)):
            after = isinstance(item, RoundEnd)
            if 52 * (item.round_number + after) > plays:
                break
        count += 1
    return count
