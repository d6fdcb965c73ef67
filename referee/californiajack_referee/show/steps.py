"""A game card by card: what the table was like at each step, from a seat or open. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from californiajack import CARDS, Card
from californiajack.masks import cards_of
from californiajack.rules import PLAYS_A_ROUND, STOCK_START, Round
from californiajack_referee.show.board import Board, Side
from californiajack_referee.show.game import captured_of, points_words, rounds_of, verdict_lines

if TYPE_CHECKING:
    from californiajack_referee.show.board import Signs
    from californiajack_referee.show.shown import ShownGame

_A_TRICK = 2


class Sight(Enum):
    """Who looks; the value is what is typed for it."""

    OPEN = "open"
    """Both hands are seen."""
    SEAT_0 = "0"
    """As seat 0 saw it: of the other hand, what is known."""
    SEAT_1 = "1"
    """As seat 1 saw it."""

    @property
    def near(self) -> int:
        """The seat at the bottom of the picture."""
        return 1 if self is Sight.SEAT_1 else 0


class Step(NamedTuple):
    """A moment of a game."""

    round: int
    """The round's place in the game, from 0."""
    cards: int
    """How many of its cards have been played, 0 to 52."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A game that can be walked through."""

    game: ShownGame
    """The game."""
    rounds: tuple[Round, ...]
    """Its rounds in their last state."""
    steps: tuple[Step, ...]
    """All its moments, in order; at least one."""

    def first_of(self, place: int) -> int:
        """Gives the number of the first step of a round, the nearest one there is."""
        wanted = min(max(place, 0), len(self.rounds) - 1)
        return self.steps.index(Step(wanted, 0))


def walk_of(game: ShownGame) -> Walk:
    """Makes a walk of a game."""
    rounds = rounds_of(game)
    steps = [
        Step(place, cards)
        for place, played in enumerate(rounds)
        for cards in range(len(played.plays) + 1)
    ]
    return Walk(game, tuple(rounds), tuple(steps))


def board_at(walk: Walk, step: Step, sight: Sight) -> Board:
    """Gives the table at a step. The trick that the last card ended is still on it."""
    now = _state(walk, step)
    names = walk.game.names
    scores = _score_before(walk, step.round)
    position = STOCK_START + now.drawn
    sides = []
    for seat in (0, 1):
        shown, hidden = _hand(now, seat, is_open=sight is Sight.OPEN or seat == sight.near)
        captured = tuple(captured_of(now)[seat])
        sides.append(Side(names[seat], shown, hidden, scores[seat], captured))
    begun = step.cards - step.cards % _A_TRICK
    if begun == step.cards and begun:
        begun -= _A_TRICK
    leader = now.leaders[begun // _A_TRICK]
    trick = now.plays[begun : step.cards]
    return Board(
        round_number=step.round + 1,
        dealer=names[now.dealer],
        trump_card=CARDS[now.deck[STOCK_START]],
        stock_size=PLAYS_A_ROUND - position,
        stock_top=CARDS[now.deck[position]] if position < PLAYS_A_ROUND else None,
        ruleset=walk.game.ruleset,
        far=sides[1 - sight.near],
        near=sides[sight.near],
        trick=tuple(
            (names[leader if place == 0 else 1 - leader], CARDS[card])
            for place, card in enumerate(trick)
        ),
    )


def words_at(walk: Walk, step: Step, signs: Signs) -> list[str]:
    """Says what has just happened and what comes next, a sentence or more a line."""
    game, now = walk.game, _state(walk, step)
    names = game.names
    lines = []
    if step.cards and step.cards % _A_TRICK == 0:
        winner = now.leaders[-1]
        words = f"Trick {step.cards // _A_TRICK}: {names[winner]} won."
        before = 2 * (step.cards // _A_TRICK - 1)
        drawn = now.deck[STOCK_START + before : STOCK_START + now.drawn]
        if drawn:
            first, second = (signs.card(CARDS[card]) for card in drawn)
            words += f" Drawn: {names[winner]} {first}, {names[1 - winner]} {second}."
        lines.append(words)
    if now.over:
        points = now.points(game.ruleset.scoring)
        lines.append(points_words(captured_of(now), now.trump, points, game.ruleset.scoring, names))
        before_it = _score_before(walk, step.round)
        score = (f"{names[seat]} {before_it[seat] + points[seat]}" for seat in (0, 1))
        lines.append(f"Score: {', '.join(score)}.")
    elif step != walk.steps[-1]:
        lines.append(f"Next to {'lead' if now.led < 0 else 'play'}: {names[now.to_play]}.")
    if step == walk.steps[-1]:
        lines += verdict_lines(game)
    return lines


def _state(walk: Walk, step: Step) -> Round:
    """Plays a round again up to a step."""
    played = walk.rounds[step.round]
    again = Round(played.deck, played.dealer, walk.game.ruleset.follow)
    for card in played.plays[: step.cards]:
        again.play(card)
    return again


def _score_before(walk: Walk, place: int) -> tuple[int, int]:
    points = [played.points(walk.game.ruleset.scoring) for played in walk.rounds[:place]]
    return sum(one for one, _ in points), sum(other for _, other in points)


def _hand(now: Round, seat: int, *, is_open: bool) -> tuple[tuple[Card, ...], int]:
    """Gives the cards of a hand that are seen, and how many more there are."""
    hand, known = now.hands[seat], now.known[seat]
    if is_open or STOCK_START + now.drawn >= PLAYS_A_ROUND:
        # with the stock used up, whoever counts knows the other hand (R8)
        known = hand
    seen = tuple(CARDS[card] for card in cards_of(known))
    return seen, len(cards_of(hand)) - len(seen)
