"""Drawn worlds against all worlds there are, found by playing every possible deck again."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import permutations

import pytest

from californiajack import FollowRule, IllegalPlayError, Ruleset, View
from californiajack.masks import cards_of
from californiajack.observation import observe
from californiajack.rules import STOCK_START, Game
from californiajack.search import World, WorldSampler, count_worlds, sample_world

Key = tuple[frozenset[int], tuple[int, ...]]


def key_of(world: World) -> Key:
    """Forgets the order of the hand, which means nothing."""
    return frozenset(map(int, world.opponent)), tuple(map(int, world.stock))


def truth(game: Game) -> Key:
    """Where the cards really lie, for the seat whose turn it is."""
    current = game.round
    hand = cards_of(current.hands[1 - current.to_play])
    return frozenset(hand), tuple(current.deck[STOCK_START + current.drawn :])


def replayed(deck: bytes, plays: bytes, rules: Ruleset) -> Game | None:
    """Plays the cards again with another deck; None where that breaks the rules."""
    game = Game(rules, lambda _: deck, 0)
    try:
        for card in plays:
            game.play(card)
    except IllegalPlayError:
        return None
    return game


def all_worlds(game: Game) -> set[Key]:
    """Finds every world in which the seat to play would have seen just what it saw."""
    seen = observe(game)
    current = game.round
    hidden = [place for place, card in enumerate(current.deck) if card in seen.unseen]
    worlds = set()
    for cards in permutations(seen.unseen):
        deck = bytearray(current.deck)
        for place, card in zip(hidden, cards, strict=True):
            deck[place] = card
        other = replayed(bytes(deck), bytes(current.plays), game.ruleset)
        if other is not None and observe(other) == seen:
            worlds.add(truth(other))
    return worlds


def game_of(rng: random.Random, rules: Ruleset, plays: int) -> Game:
    """Plays a round's first cards; whoever can keeps the cards that nobody has seen."""
    game = Game(rules, lambda _: bytes(rng.sample(range(52), 52)), 0)
    for _ in range(plays):
        current = game.round
        legal = current.legal()
        game.play(rng.choice(cards_of(legal & current.known[current.to_play] or legal)))
    return game


def small_games(rules: Ruleset, *, void: bool) -> list[Game]:
    """Finds three games with two to four stock cards and two or more unknown ones."""
    rng = random.Random(11)
    found: list[Game] = []
    while len(found) < 3:
        game = game_of(rng, rules, rng.choice((36, 37, 38, 39)))
        view = View(observe(game))
        helps = any(card.suit in view.opponent_void for card in view.unseen)
        if view.opponent_unknown > 1 and len(view.unseen) <= 6 and helps is void:
            found.append(game)
    return found


@pytest.mark.parametrize("void", [False, True])
@pytest.mark.parametrize("follow", FollowRule)
def test_worlds_are_uniform_over_all_there_are(follow: FollowRule, *, void: bool) -> None:
    """Draws cover exactly the worlds that playing every deck again allows, all equally often."""
    rng = random.Random(4)
    for game in small_games(Ruleset(follow=follow), void=void):
        worlds = all_worlds(game)
        sampler = WorldSampler(View(observe(game)))
        assert truth(game) in worlds
        assert sampler.count() == len(worlds)
        each = 60
        drawn = Counter(key_of(sampler.draw(rng)) for _ in range(each * len(worlds)))
        assert set(drawn) == worlds
        squares = sum((number - each) ** 2 / each for number in drawn.values())
        freedom = len(worlds) - 1
        # a chi-square value has mean `freedom` and variance 2 * freedom
        assert abs(squares - freedom) <= 4 * math.sqrt(2 * freedom)


@pytest.mark.parametrize("follow", FollowRule)
def test_a_world_fits_the_view_at_every_turn(follow: FollowRule) -> None:
    """In whole games each world has the known cards, the top, and all other cards just once."""
    rng = random.Random(7)
    for _ in range(20):
        game = Game(Ruleset(follow=follow), lambda _: bytes(rng.sample(range(52), 52)), 0)
        while game.winner is None:
            view = View(observe(game))
            world = sample_world(view, rng)
            assert set(view.opponent_known) <= set(world.opponent)
            assert len(world.opponent) == len(view.opponent_known) + view.opponent_unknown
            assert len(world.stock) == view.stock_size
            assert world.stock[:1] == (() if view.stock_top is None else (view.stock_top,))
            hidden = {*world.opponent, *world.stock} - {*view.opponent_known, view.stock_top}
            assert hidden == set(view.unseen)
            unknown = set(world.opponent) - set(view.opponent_known)
            assert not {card.suit for card in unknown} & view.opponent_void
            if view.stock_size == 0:
                assert key_of(world) == truth(game)
                assert count_worlds(view) == 1
            game.play(rng.choice(cards_of(game.round.legal())))


def test_the_first_turn_has_as_many_worlds_as_counting_says() -> None:
    """Before the first play: six of 45 cards in the hand, the other 39 in any order."""
    game = Game(Ruleset(), lambda _: bytes(range(52)), 0)
    assert count_worlds(View(observe(game))) == math.comb(45, 6) * math.factorial(39)


def test_the_same_chance_draws_the_same_world() -> None:
    """All chance comes from the generator that is given."""
    view = View(observe(game_of(random.Random(2), Ruleset(), 20)))
    assert sample_world(view, random.Random(9)) == sample_world(view, random.Random(9))
    assert sample_world(view, random.Random(9)) != sample_world(view, random.Random(8))
