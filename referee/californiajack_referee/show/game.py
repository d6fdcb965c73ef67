"""A game as text for people: trick by trick, both hands shown. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from californiajack import CARDS, Card, FollowRule, InputError, Rank, Ruleset, Scoring, Termination
from californiajack.cards import format_cards
from californiajack.deal import deck_of
from californiajack.masks import cards_of
from californiajack.rules import STOCK_START, Game, Round
from californiajack_referee.show.shown import shown_game
from californiajack_referee.show.table import Column, Table, format_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from californiajack_referee.league.stored import StoredGame, StoredTournament
    from californiajack_referee.show.shown import ShownGame

_SCORINGS = {
    Scoring.TRICK_POINTS: "a point for the most trick points",
    Scoring.MOST_TRICKS: "a point for the most tricks",
}
_FOLLOWING = {
    FollowRule.FOLLOW: "suit must be followed",
    FollowRule.FOLLOW_OR_TRUMP: "suit must be followed or trumped",
}
_TRUMP_POINTS = (
    (Rank.ACE, "trump ace"),
    (Rank.JACK, "trump jack"),
    (Rank.TWO, "trump two"),
)


def format_rules(ruleset: Ruleset) -> str:
    """Says the choices of a ruleset in words."""
    points = "point" if ruleset.target == 1 else "points"
    return (
        f"to {ruleset.target} game {points}, {_SCORINGS[ruleset.scoring]}, "
        f"{_FOLLOWING[ruleset.follow]}"
    )


def format_game(
    game: StoredGame, tournament: StoredTournament, round_number: int | None = None
) -> str:
    """Shows a tournament's game as `format_shown` does.

    Raises:
        InputError: the game has no such round.
    """
    return format_shown(shown_game(game, tournament), round_number)


def format_shown(game: ShownGame, round_number: int | None = None) -> str:
    """Shows a game trick by trick: hands, cards, who won, what was drawn, and the points.

    Args:
        game: the game.
        round_number: the only round to show, from 1; None for all.

    Raises:
        InputError: the game has no such round.
    """
    rounds = rounds_of(game)
    if round_number is not None:
        check_round(game, round_number, len(rounds))
    ruleset, names = game.ruleset, game.names
    lines = [
        f"Game {game.id}: {game.labels[0]} against {game.labels[1]}",
        f"Rules: {format_rules(ruleset)}.",
    ]
    score = (0, 0)
    for number, played in enumerate(rounds, start=1):
        finished = played.over
        points = played.points(ruleset.scoring) if finished else (0, 0)
        after = (score[0] + points[0], score[1] + points[1])
        if round_number in (None, number):
            lines += ["", _heading(number, played, names, score), _tricks(played, names)]
            if finished:
                lines += [
                    points_words(captured_of(played), played.trump, points, ruleset.scoring, names),
                    f"Score: {_sides(names, after)}.",
                ]
        score = after
    return "\n".join([*lines, "", *verdict_lines(game)])


def check_round(game: ShownGame, number: int, rounds: int) -> None:
    """Refuses the number of a round that a game doesn't have.

    Raises:
        InputError: it isn't from 1 to `rounds`.
    """
    if not 1 <= number <= rounds:
        raise InputError(
            f"round: expected a number from 1 to {rounds}, as many as game {game.id} has, "
            f"got {number}"
        )


def rounds_of(game: ShownGame) -> list[Round]:
    """Plays a game again, keeping every round's last state: at least one."""
    played = Game(
        game.ruleset,
        lambda number: deck_of(game.seed, game.result.deal, number),
        game.first_dealer,
    )
    rounds = [played.round]
    for card in game.result.plays:
        played.play(card)
        if played.round is not rounds[-1]:
            rounds.append(played.round)
    return rounds


def _heading(number: int, played: Round, names: tuple[str, str], score: tuple[int, int]) -> str:
    trump_card = CARDS[played.deck[STOCK_START]]
    return (
        f"Round {number}: {names[played.dealer]} dealt, {trump_card} turned up, "
        f"{trump_card.suit.name.lower()} are trump. Score so far: {_sides(names, score)}."
    )


def _sides(names: tuple[str, str], numbers: tuple[int, int]) -> str:
    return f"{names[0]} {numbers[0]}, {names[1]} {numbers[1]}"


def _tricks(played: Round, names: tuple[str, str]) -> str:
    return format_table(
        Table(
            columns=(
                Column("#", right=True),
                Column(f"{names[0]} holds"),
                Column(f"{names[1]} holds"),
                Column("led"),
                Column("then"),
                Column("won by"),
                Column("drawn"),
            ),
            rows=tuple(_trick_rows(played, names)),
        )
    )


def _trick_rows(played: Round, names: tuple[str, str]) -> Iterator[tuple[str, ...]]:
    """Gives a row a trick; an open trick has ``?`` for the card that never came."""
    # the laxest rule of following: what was legal when played stays so
    again = Round(played.deck, played.dealer, FollowRule.FOLLOW_OR_TRUMP)
    cards = played.plays
    for place in range(0, len(cards) + (not played.over), 2):
        hands = [format_cards(cards_of(hand)) for hand in again.hands]
        leader, drawn = again.to_play, again.drawn
        trick = cards[place : place + 2]
        for card in trick:
            again.play(card)
        closed = len(trick) == 2  # noqa: PLR2004 - a trick's two cards
        taken = played.deck[STOCK_START + drawn : STOCK_START + again.drawn]
        yield (
            str(place // 2 + 1),
            *hands,
            f"{names[leader]} {CARDS[trick[0]] if trick else '?'}",
            format_cards(trick[1:]) if closed or not trick else "?",
            names[again.to_play] if closed else "",
            format_cards(taken),
        )


def captured_of(played: Round) -> tuple[list[Card], list[Card]]:
    """Gives the cards that each seat has captured in a round, in that order."""
    mine, theirs = played.captured
    return [CARDS[card] for card in mine], [CARDS[card] for card in theirs]


def points_words(
    won: tuple[Sequence[Card], Sequence[Card]],
    trump: int,
    points: tuple[int, int],
    scoring: Scoring,
    names: tuple[str, str],
) -> str:
    """Says who got which game points of a finished round, and why (R10, R11).

    Args:
        won: the cards that each side has captured.
        trump: the trump suit's number.
        points: the game points of each side.
        scoring: what the fourth point is for.
        names: what the sides are called.
    """
    reasons: tuple[list[str], list[str]] = ([], [])
    for rank, name in _TRUMP_POINTS:
        reasons[0 if CARDS[13 * trump + rank] in won[0] else 1].append(name)
    if scoring is Scoring.TRICK_POINTS:
        what = "trick points"
        mine, theirs = (sum(card.trick_points for card in cards) for cards in won)
    else:
        what = "tricks"
        mine, theirs = (len(cards) // 2 for cards in won)
    text = ""
    if mine == theirs:
        text = f"; nobody has the most {what}, {mine} to {theirs}"
    else:
        more, fewer = max(mine, theirs), min(mine, theirs)
        reasons[0 if mine > theirs else 1].append(f"most {what}, {more} to {fewer}")
    parts = (
        f"{name} {count} ({', '.join(why)})" if why else f"{name} 0"
        for name, count, why in zip(names, points, reasons, strict=True)
    )
    return f"Points: {', '.join(parts)}{text}."


def verdict_lines(game: ShownGame) -> Iterator[str]:
    """Says how a game ended: a sentence, or more where it ended early."""
    verdict = game.result.verdict
    if verdict.termination is Termination.NORMAL:
        yield verdict.words
    else:
        yield f"Ended early ({verdict.termination.value}): {verdict.words}"
        if verdict.winner is not None:
            yield f"So {game.labels[verdict.winner]} won."
    if verdict.detail:
        yield "The last lines of its error output:"
        yield from (f"    {line}" for line in verdict.detail.splitlines())
