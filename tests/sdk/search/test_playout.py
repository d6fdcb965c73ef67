"""States and playouts against the rules that the referee goes by."""

from __future__ import annotations

import random
from itertools import product

import pytest

from californiajack import CARDS, FollowRule, IllegalPlayError, InputError, Ruleset, Scoring, View
from californiajack.masks import cards_of
from californiajack.observation import observe
from californiajack.rules import STOCK_START, Game
from californiajack.search import State, World, play_on, random_card, sample_world, simulate

RULESETS = [
    Ruleset(scoring=scoring, follow=follow) for scoring, follow in product(Scoring, FollowRule)
]


def true_world(game: Game) -> World:
    """The world as it really is."""
    current = game.round
    return World(
        tuple(CARDS[card] for card in cards_of(current.hands[1 - current.to_play])),
        tuple(CARDS[card] for card in current.deck[STOCK_START + current.drawn :]),
    )


def game_by_chance(rng: random.Random, rules: Ruleset, plays: int) -> Game:
    """Plays a round's first cards by chance."""
    game = Game(rules, lambda _: bytes(rng.sample(range(52), 52)), 0)
    for _ in range(plays):
        game.play(rng.choice(cards_of(game.round.legal())))
    return game


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: f"{rules.scoring}-{rules.follow}")
def test_a_state_goes_on_as_the_round_does(rules: Ruleset) -> None:
    """From any turn of a round, state and round have the same legal cards and the same points."""
    rng = random.Random(1)
    for plays in [*range(51)] * 3:
        game = game_by_chance(rng, rules, plays)
        current = game.round
        seat = current.to_play
        state = State.of(View(observe(game)), true_world(game))
        while not current.over:
            assert state.legal() == current.legal()
            assert (state.to_play == 1) == (current.to_play == seat)
            assert (state.mine, state.theirs) == (current.hands[seat], current.hands[1 - seat])
            card = rng.choice(cards_of(current.legal()))
            state = state.play(card)
            current.play(card)
        points = current.points(rules.scoring)
        assert state.over
        assert state.result() == (points[seat], points[1 - seat])


def test_a_playout_gives_the_points_of_the_cards_played() -> None:
    """With a policy that is no chance, a playout of the true world is the round as played."""
    rng = random.Random(6)
    for plays in range(0, 50, 7):
        game = game_by_chance(rng, Ruleset(), plays)
        current = game.round
        seat = current.to_play
        points = simulate(View(observe(game)), true_world(game), lambda state, _: lowest(state))
        while not current.over:
            current.play(cards_of(current.legal())[0])
        expected = current.points(Scoring.TRICK_POINTS)
        assert points == (expected[seat], expected[1 - seat])


def lowest(state: State) -> int:
    """The legal card with the lowest number."""
    return cards_of(state.legal())[0]


def test_random_cards_are_all_alike() -> None:
    """The usual policy takes each legal card about as often."""
    view = View(observe(game_by_chance(random.Random(2), Ruleset(), 0)))
    rng = random.Random(3)
    state = State.of(view, sample_world(view, rng))
    drawn = [random_card(state, rng) for _ in range(6000)]
    assert set(drawn) == set(cards_of(state.mine))
    assert all(900 < drawn.count(card) < 1100 for card in set(drawn))


def test_playouts_with_the_same_chance_are_the_same() -> None:
    """All chance comes from the generator that is given, and different chance shows."""
    view = View(observe(game_by_chance(random.Random(2), Ruleset(), 9)))
    world = sample_world(view, random.Random(1))
    runs = [simulate(view, world, rng=random.Random(seed)) for seed in range(30)]
    assert runs == [simulate(view, world, rng=random.Random(seed)) for seed in range(30)]
    assert len(set(runs)) > 1
    assert simulate(view, world) in set(product(range(5), repeat=2))


def test_a_playout_can_stop_early() -> None:
    """`plays` ends it after so many cards; captured cards and hands are then as they are."""
    view = View(observe(game_by_chance(random.Random(2), Ruleset(), 0)))
    rng = random.Random(1)
    state = play_on(State.of(view, sample_world(view, rng)), rng=rng, plays=8)
    assert len(state.stock) == 40 - 8
    assert (state.mine.bit_count(), state.theirs.bit_count()) == (6, 6)


def test_a_policy_must_keep_the_rules() -> None:
    """A policy's card that isn't legal is an error that names it and the legal ones."""
    view = View(observe(game_by_chance(random.Random(2), Ruleset(), 0)))
    world = sample_world(view, random.Random(1))
    hidden = int(world.stock[-1])
    for policy in (lambda _state, _rng: hidden, lambda _state, _rng: -1, lambda _state, _rng: 52):
        with pytest.raises(IllegalPlayError, match="is not legal here: legal are"):
            simulate(view, world, policy)


def test_hidden_cards_need_a_world() -> None:
    """A state can't be made of a view that hides cards; with the stock empty it can."""
    with pytest.raises(InputError, match=r"draw it with sample_world\(view, rng\)"):
        State.of(View(observe(game_by_chance(random.Random(2), Ruleset(), 0))))
    game = game_by_chance(random.Random(2), Ruleset(), 41)
    view = View(observe(game))
    assert State.of(view) == State.of(view, true_world(game))
