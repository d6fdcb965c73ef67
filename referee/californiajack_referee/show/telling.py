"""What a person at the table is told in words: tricks, rounds, why a card isn't legal. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from californiajack import Card, FollowRule, InputError, Player, parse_card
from californiajack_referee.show.game import points_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from californiajack import RoundEnd, RoundStart, Ruleset, Suit, Trick, View
    from californiajack_referee.show.board import Signs


def round_start_words(start: RoundStart, opponent: str, signs: Signs) -> str:
    """Says who dealt, who leads and what is trump."""
    mine = start.dealer is Player.ME
    dealer, leader = ("You", f"{opponent} leads") if mine else (opponent, "you lead")
    suit = start.trump_card.suit.name.lower()
    return (
        f"Round {start.round_number + 1}: {dealer} dealt, {leader}. "
        f"{signs.card(start.trump_card)} turned up: {suit} are trump."
    )


def trick_words(number: int, trick: Trick, opponent: str, signs: Signs) -> str:
    """Says who played what, who won, and what was drawn.

    Args:
        number: the trick's number in its round, from 1.
        trick: the trick.
        opponent: what the other player is called.
        signs: how cards are spelled.
    """
    names = {Player.ME: "you", Player.OPPONENT: opponent}
    leader, follower = names[trick.leader], names[trick.leader.other]
    winner, loser = names[trick.winner], names[trick.winner.other]
    words = (
        f"Trick {number}: {leader} led {signs.card(trick.led)}, "
        f"{follower} played {signs.card(trick.followed)}: {winner} won."
    )
    if trick.drawn is not None:
        first, second = map(signs.card, trick.drawn)
        words += f" Drawn: {winner} {first}, {loser} {second}."
    return words


def round_end_words(end: RoundEnd, trump: Suit, ruleset: Ruleset, opponent: str) -> tuple[str, str]:
    """Says who got which points for what, and the score."""
    won: dict[Player, list[Card]] = {Player.ME: [], Player.OPPONENT: []}
    for trick in end.history:
        won[trick.winner] += [trick.led, trick.followed]
    points = points_words(
        (won[Player.ME], won[Player.OPPONENT]),
        trump,
        (end.points, end.opponent_points),
        ruleset.scoring,
        ("you", opponent),
    )
    score = f"Score after round {end.round_number + 1}: you {end.score}, "
    return points, f"{score}{opponent} {end.opponent_score}."


def not_legal_words(view: View, signs: Signs) -> str:
    """Says which cards of the hand may not be played now, and why; empty where all may."""
    others = [card for card in view.hand if card not in view.legal]
    if not others or view.led is None:
        return ""
    return f"Not legal: {signs.cards(others)}. {_must_follow(view, view.led, signs)}"


def read_choice(view: View, text: str, signs: Signs) -> Card:
    """Reads the card that a person has typed: its number in the hand, or its name.

    Raises:
        InputError: it is neither, or that card may not be played now; the message says why.
    """
    card = _meant(view.hand, text)
    if card in view.legal:
        return card
    named = signs.card(card)
    if card not in view.hand:
        clause = "R5" if view.led is None else "R6"
        raise InputError(
            f"{named} is not in your hand: you play a card that you hold ({clause}). "
            f"Yours are {signs.cards(view.hand)}."
        )
    led = view.led
    # all cards of a hand are legal to lead
    why = "" if led is None else _must_follow(view, led, signs)
    raise InputError(f"{named} is not legal now. {why} Legal: {signs.cards(view.legal)}.")


def _meant(hand: Sequence[Card], text: str) -> Card:
    if text.isdecimal() and text.isascii():
        number = int(text[:3])
        if not 1 <= number <= len(hand):
            raise InputError(
                f"There is no card {text[:20]}: type a number from 1 to {len(hand)}, or a card's "
                "name."
            )
        return hand[number - 1]
    name = text.replace("10", "T")
    try:
        return parse_card(name[:1].upper() + name[1:].lower())
    except InputError:
        raise InputError(
            f"{text[:20]!r} is no card: type its number from 1 to {len(hand)}, or its name, such "
            f"as {hand[0]}; help tells what else there is."
        ) from None


def _must_follow(view: View, led: Card, signs: Signs) -> str:
    """Says the clause that keeps a hand from playing any card."""
    suit = led.suit.name.lower()
    holds = f"{signs.card(led)} was led and you hold {suit}"
    if view.ruleset.follow is FollowRule.FOLLOW:
        return f"{holds}, so you must follow suit (R6)."
    trump = view.trump.name.lower()
    return f"{holds}, so you must follow suit or play a trump, {trump} (R6)."
