"""Playouts: a world played to the round's end by a policy that is quick rather than good."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from californiajack.masks import cards_of
from californiajack.search.state import State

if TYPE_CHECKING:
    from californiajack.search.worlds import World
    from californiajack.view import View

Policy = Callable[[State, Random], int]
"""Chooses a card, one of ``state.legal()``, for whoever is to play; both players follow it."""

_DEFAULT_RNG = Random()  # noqa: S311 - for play, not for secrets


def random_card(state: State, rng: Random) -> int:
    """Chooses any legal card, each with the same chance."""
    legal = cards_of(state.legal())
    return legal[int(rng.random() * len(legal))]


def play_on(
    state: State, policy: Policy = random_card, rng: Random = _DEFAULT_RNG, plays: int = 52
) -> State:
    """Plays a state on with a policy, to the round's end or for some plays.

    Args:
        state: where to begin.
        policy: chooses the cards of both players.
        rng: given to the policy; one that starts differently each time where it is left out.
        plays: how many cards to play at most.

    Raises:
        IllegalPlayError: the policy chose a card that isn't legal.
    """
    for _ in range(plays):
        legal = state.legal()
        if not legal:
            break
        if legal & (legal - 1):
            card = policy(state, rng)
            state = state.after(card) if card >= 0 and legal >> card & 1 else state.play(card)
        else:
            state = state.after(legal.bit_length() - 1)
    return state


def simulate(
    view: View, world: World, policy: Policy = random_card, rng: Random = _DEFAULT_RNG
) -> tuple[int, int]:
    """Plays a world out to the round's end; gives the round's game points of the bot and the other.

    Args:
        view: the turn to begin at.
        world: the hidden cards, such as `sample_world` draws them.
        policy: chooses the cards of both players; any legal card where it is left out.
        rng: given to the policy.

    Returns:
        The bot's game points of the round and the opponent's, 0 to 4 each, those captured before
        the turn included (R10, R11).

    Raises:
        IllegalPlayError: the policy chose a card that isn't legal.
    """
    return play_on(State.of(view, world), policy, rng).result()
