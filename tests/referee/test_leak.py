"""The leak test on the wire: what a seat may not know never reaches it, byte for byte."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from californiajack import FollowRule, Termination
from californiajack.masks import cards_of
from californiajack.observation import observe, opening
from californiajack.v1 import referee_service_pb2 as service_pb
from californiajack_referee.play import table as table_module
from californiajack_referee.play.session import Session
from californiajack_referee.play.table import Table, TableOrder
from californiajack_referee.play.wire import Hello, Moves, Ready
from californiajack_referee.values import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.sdk.test_leak import Decks, Twins

    from californiajack.observation import Observation
else:
    # the machinery that alters hidden cards; tests are no package, so it is loaded by its path
    _spec = importlib.util.spec_from_file_location(
        "sdk_test_leak", Path(__file__).parents[1] / "sdk" / "test_leak.py"
    )
    _sdk_leak = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(_sdk_leak)
    Twins = _sdk_leak.Twins

TOKEN = "token"  # noqa: S105 - nobody's secret
Told = list[bytes]


class Listener(Session):
    """A session that also writes down what it is asked, as numbers and bytes."""

    asked: list[tuple[int, bytes]]
    """The round and its history at each turn."""

    def turn(self, table: Table, seen: Observation) -> None:
        """Asks, and keeps the place in the game."""
        self.asked.append((seen.round_number, seen.history))
        super().turn(table, seen)


def told(twins: Twins, decks: Decks, patch: pytest.MonkeyPatch) -> tuple[Told, Told | None]:
    """All bytes that the seat is sent while the known cards are played on these decks.

    Returns:
        What it is sent up to the last known card; then what it is sent when the other seat loses
        by a fault there, None where forced plays have gone on already.
    """
    patch.setattr(table_module, "deck_of", lambda _seed, _deal, number: decks[number])
    patch.setattr(table_module, "FIRST_DEALER", twins.first_dealer)
    sessions = [Listener(seat, TOKEN, Limits(), 0.0) for seat in (0, 1)]
    for session in sessions:
        session.asked = []
        session.greet(Hello(1, TOKEN, 1, ""), 0.0)
        session.take(0.0)
        session.receive(Ready(), 0.0)
    order = TableOrder(
        number=0,
        deal=0,
        seed=bytes(16),
        ruleset=twins.ruleset,
        limits=Limits(),
        names=("a", "b"),
    )
    table = Table(order, (sessions[0], sessions[1]), lambda _: None)
    table.start()
    sent: Told = []
    answered = [0, 0]
    while table.verdict is None:
        seat = table._game.round.to_play
        round_number, history = sessions[seat].asked[answered[seat]]
        place = 52 * round_number + len(history)
        if place > len(twins.plays):
            # forced plays ran past the known ones, and the games may have parted
            return cut(sent, sessions[twins.seat], len(twins.plays)), None
        sent += drain(sessions[twins.seat])
        if place == len(twins.plays):
            break
        sessions[1 - twins.seat].take(0.0)
        while sessions[1 - twins.seat].has_news:
            sessions[1 - twins.seat].take(0.0)
        turn = 2 * answered[seat] + seat + 2
        answered[seat] += 1
        sessions[seat].receive(Moves([(turn, twins.plays[place])]), 0.0)
    hand = ".".join(map(str, cards_of(table._game.round.hands[1 - twins.seat])))
    table.lose(1 - twins.seat, Termination.ILLEGAL_MOVE, f"played an illegal card: not in {hand}")
    return sent, drain(sessions[twins.seat])


def drain(session: Session) -> Told:
    """Takes all that there is to send."""
    sent = []
    while (message := session.take(0.0)) is not None:
        sent.append(message)
    return sent


def cut(sent: Told, session: Session, plays: int) -> Told:
    """Leaves out the last messages' news of cards played after the known ones."""
    for message in drain(session):
        batch = service_pb.PlayResponse.FromString(message).batch
        known_turns = [t for t in batch.turns if 52 * t.round + len(t.history) <= plays]
        known_ends = [e for e in batch.round_ends if 52 * (e.round + 1) <= plays]
        known_starts = [s for s in batch.round_starts if 52 * s.round <= plays]
        sent += [part.SerializeToString() for part in (*known_ends, *known_starts, *known_turns)]
    return sent


def leaks(twins: Twins) -> bool:
    """Whether the bytes sent to the seat tell the two games apart."""
    with pytest.MonkeyPatch.context() as patch:
        one, one_end = told(twins, twins.decks, patch)
        other, other_end = told(twins, twins.altered, patch)
    assert one
    return one != other or (bool(one_end and other_end) and one_end != other_end)


twins_by_chance = st.builds(
    Twins, st.integers(0, 2**32), st.sampled_from(FollowRule), st.integers(0, 1)
)


@settings(deadline=None)
@given(twins_by_chance)
def test_hidden_cards_change_no_byte(twins: Twins) -> None:
    """All messages to a seat are equal when only hidden cards differ, a fault's news included."""
    assert twins.decks != twins.altered
    assert not leaks(twins)


def leaky_variants() -> dict[str, Callable[[pytest.MonkeyPatch], None]]:
    """Referees that leak, by what they leak."""
    deal = Table._tell_round_start

    def hand(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(
            table_module,
            "observe",
            lambda game, **clock: observe(game, **clock)._replace(
                unseen=bytes(c for c in game.round.deck if c in observe(game).unseen)
            ),
        )

    def next_card(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(
            table_module,
            "opening",
            lambda game, seat: opening(game, seat)._replace(score=game.round.deck[13]),
        )

    def twice(patch: pytest.MonkeyPatch) -> None:
        def tell(table: Table) -> None:
            deal(table)
            if sum(card < 13 for card in table._game.round.deck[:12]) > 3:
                deal(table)

        patch.setattr(Table, "_tell_round_start", tell)

    def fault(patch: pytest.MonkeyPatch) -> None:
        lose = Table.lose

        def tell(table: Table, seat: int, end: Termination, words: str, detail: str = "") -> None:
            patch.setitem(table_module._OPPONENT_DID, end, words)
            lose(table, seat, end, words, detail)

        patch.setattr(Table, "lose", tell)

    return {
        "the deck's order": hand,
        "the next card": next_card,
        "a message more": twice,
        "the words of a fault": fault,
    }


@pytest.mark.parametrize("leak", leaky_variants())
def test_the_leak_test_can_fail(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each leaky referee is found out, and not in one game only."""
    games = [Twins(number, FollowRule.FOLLOW, number % 2) for number in range(40)]
    assert not any(leaks(twins) for twins in games)
    leaky_variants()[leak](monkeypatch)
    assert sum(leaks(twins) for twins in games) >= 4
