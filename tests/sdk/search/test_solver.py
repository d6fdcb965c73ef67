"""The solver against plain minimax, which knows nothing but the rules."""

from __future__ import annotations

import random
from itertools import product

import pytest

from californiajack import Card, FollowRule, InputError, Player, Ruleset, Scoring
from californiajack.cards import parse_cards
from californiajack.masks import cards_of, mask_of
from californiajack.search import Solution, Solver, State, solve
from californiajack.search.state import SCORING_TRUMPS, SHARES

RULESETS = [
    Ruleset(scoring=scoring, follow=follow) for scoring, follow in product(Scoring, FollowRule)
]


def chance_state(rng: random.Random, rules: Ruleset, held: int, stock: int) -> State:
    """Makes a state by chance: so many cards in each hand, so many in the stock."""
    cards = rng.sample(range(52), 52)
    hands, rest = cards[: 2 * held], cards[2 * held :]
    captured = rest[stock:]
    # most often level: that is where the fourth point is still to be won
    cut = rng.choice((len(captured) // 4 * 2, rng.randrange(0, len(captured) + 1, 2)))
    mine, theirs = captured[:cut], captured[cut:]
    trump = rng.randrange(4)
    shares = SHARES[rules.scoring]
    state = State(
        mine=mask_of(hands[:held]),
        theirs=mask_of(hands[held:]),
        to_play=rng.choice((1, 2)),
        led=-1,
        trump=trump,
        stock=bytes(rest[:stock]),
        points=(mask_of(mine) & SCORING_TRUMPS[trump]).bit_count(),
        opponent_points=(mask_of(theirs) & SCORING_TRUMPS[trump]).bit_count(),
        share=sum(shares[card] for card in mine),
        opponent_share=sum(shares[card] for card in theirs),
        ruleset=rules,
    )
    return state.play(rng.choice(cards_of(state.legal()))) if rng.random() < 1 / 3 else state


def minimax(state: State) -> int:
    """Gives the player's game points less the opponent's, by trying everything."""
    legal = cards_of(state.legal())
    if not legal:
        points, others = state.result()
        return points - others
    values = [minimax(state.after(card)) for card in legal]
    return max(values) if state.to_play == Player.ME else min(values)


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: f"{rules.scoring}-{rules.follow}")
@pytest.mark.parametrize(
    ("held", "stock", "number"), [(1, 0, 60), (3, 0, 200), (4, 0, 60), (2, 4, 60)]
)
def test_values_are_those_of_minimax(rules: Ruleset, held: int, stock: int, number: int) -> None:
    """Value, best card and the value of each card are what trying everything gives."""
    rng = random.Random(f"{held} {stock}")
    for _ in range(number):
        state = chance_state(rng, rules, held, stock)
        expected = {card: minimax(state.after(card)) for card in cards_of(state.legal())}
        wanted = (max if state.to_play == Player.ME else min)(expected.values())
        solution = solve(state)
        assert solution.value == wanted
        assert solution.best == next(card for card in expected if expected[card] == wanted)
        assert Solver(state).values() == expected


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: f"{rules.scoring}-{rules.follow}")
def test_six_tricks_are_played_as_they_were_valued(rules: Ruleset) -> None:
    """Where both play the solver's cards to the end, the round's points come to its value."""
    rng = random.Random(3)
    for _ in range(25):
        state = chance_state(rng, rules, 6, 0)
        value = solve(state).value
        while not state.over:
            solution = solve(state)
            assert solution.value == value
            state = state.play(solution.best)
        points, others = state.result()
        assert points - others == value


def test_a_known_ending() -> None:
    """The ace first catches the trump two; the heart first lets the two take the heart."""
    state = State(
        mine=mask_of(parse_cards("As 3h")),
        theirs=mask_of(parse_cards("2s 4c")),
        to_play=1,
        led=-1,
        trump=3,
        stock=b"",
        points=0,
        opponent_points=1,
        share=50,
        opponent_share=26,
        ruleset=Ruleset(),
    )
    assert solve(state) == Solution(Card.ACE_OF_SPADES, 2)
    assert Solver(state).values() == {Card.THREE_OF_HEARTS: 0, Card.ACE_OF_SPADES: 2}


def test_a_finished_round_is_refused() -> None:
    """There is nothing to solve without cards, and the error says so."""
    over = State(0, 0, 1, -1, 0, b"", 2, 1, 41, 39, Ruleset())
    with pytest.raises(InputError, match="expected cards left to play"):
        solve(over)
