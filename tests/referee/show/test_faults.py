"""The games lost by faults, for their bots' authors."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

import pytest

from californiajack import Ruleset, Termination
from californiajack.cards import format_cards
from californiajack.deal import deck_of
from californiajack.masks import cards_of
from californiajack.rules import Game
from californiajack_referee.league.stored import StoredTournament
from californiajack_referee.show.faults import (
    MOST_SHOWN,
    fault_data,
    format_fault,
    format_heading,
    grouped,
    moment_of,
)
from californiajack_referee.values import GameId, Limits, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from californiajack_referee.league.stored import StoredBot, StoredGame
    from californiajack_referee.values import GameResult

SEED = bytes(range(16))


@pytest.fixture
def tournament(bot_of: Callable[[str], StoredBot]) -> StoredTournament:
    """A tournament of two bots."""
    bots = bot_of("ant@1"), bot_of("fox@2")
    a_day = datetime(2026, 1, 2, tzinfo=UTC)
    return StoredTournament("night", bots, 9, SEED, Ruleset(), Limits(), a_day)


@pytest.fixture
def fault_at(
    played: Callable[..., GameResult], game_of: Callable[..., StoredGame]
) -> Callable[..., StoredGame]:
    """Makes a game that a seat lost by a fault after some plays."""

    def make(
        plays: int,
        seat: int,
        kind: Termination = Termination.CRASH,
        words: str = "crashed",
        **more: str,
    ) -> StoredGame:
        name = GameId("night", 0, 3, 0)
        game = game_of("ant@1", "fox@2", winner=1 - seat, deal=3, blame=seat)
        words = f"{game.seats[seat].label} {words}"
        verdict = Verdict(1 - seat, kind, seat, words, more.get("detail", ""))
        whole = played(SEED, 3, ("ant@1", "fox@2"))
        return replace(
            game, id=name, result=replace(whole, plays=whole.plays[:plays], verdict=verdict)
        )

    return make


def stood(game: StoredGame) -> Game:
    """Plays the cards of a game."""
    again = Game(Ruleset(), partial(deck_of, SEED, game.id.deal), 0)
    for card in game.result.plays:
        again.play(card)
    return again


@pytest.mark.parametrize("plays", [0, 1, 10, 51, 52, 53, 77])
def test_a_turn_is_shown_to_whom_it_belonged(
    plays: int, fault_at: Callable[..., StoredGame], tournament: StoredTournament
) -> None:
    """The seat to play sees its hand and its legal cards; the other is told that it had none."""
    table = stood(fault_at(plays, 0))
    seat = table.round.to_play
    game = fault_at(plays, seat)
    text = format_fault(game, moment_of(game, tournament), log="", command="look")
    hand = format_cards(cards_of(table.round.hands[seat]))
    legal = format_cards(cards_of(table.round.legal()))
    assert f"Its hand: {hand}; legal: {legal}" in text
    assert f"round {plays // 52 + 1}, trick {plays % 52 // 2 + 1}, to " in text
    assert ("to lead" in text) == (plays % 2 == 0)
    other = fault_at(plays, 1 - seat)
    text = format_fault(other, moment_of(other, tournament), log="", command="look")
    assert "It was not its turn" in text
    assert "hand" not in text


def test_only_its_own_view_is_shown(
    fault_at: Callable[..., StoredGame], tournament: StoredTournament
) -> None:
    """No card of the other hand is named, nor one below the stock's top."""
    table = stood(fault_at(10, 0))
    seat = table.round.to_play
    game = fault_at(10, seat)
    data = fault_data(game, moment_of(game, tournament), log="", command="look")
    text = format_fault(game, moment_of(game, tournament), log="", command="look")
    hidden = {*cards_of(table.round.hands[1 - seat]), *table.round.deck[12 + 10 + 1 :]}
    for card in format_cards(bytes(sorted(hidden))).split():
        assert card not in f"{text} {data}".split()
        assert f"'{card}'" not in str(data)


def test_a_game_that_was_not_begun(
    fault_at: Callable[..., StoredGame], tournament: StoredTournament
) -> None:
    """It has no turn to show."""
    for seat in (0, 1):
        game = fault_at(0, seat, Termination.NEVER_STARTED, "never started")
        text = format_fault(game, moment_of(game, tournament), log="", command="look")
        assert "The game was not begun." in text
        assert "Its turn" not in text


def test_last_lines_log_and_command(
    fault_at: Callable[..., StoredGame], tournament: StoredTournament
) -> None:
    """All three are there for the author to go on with."""
    game = fault_at(4, 0, detail="one\ntwo")
    text = format_fault(game, moment_of(game, tournament), log="some.log", command="caljack look")
    assert "      one\n      two" in text
    assert "Its log: some.log" in text
    assert text.splitlines()[-1] == "    To see it: caljack look"


def test_equal_faults_are_shown_once(fault_at: Callable[..., StoredGame]) -> None:
    """Those that differ in cards and numbers only are one; other words and lines are others."""
    games = [
        fault_at(4, 0, Termination.TIMEOUT, f"took {n}.25 s over a card; 2.00 s were allowed")
        for n in range(500)
    ]
    (group,) = grouped(games)
    assert len(group.games) == 500
    assert len(group.shown()) == 1
    assert "500 games" in format_heading(group)
    words = [f"gave up after an error: KeyError: 'x' (line {n} of bot.py)" for n in (7, 8, 7)]
    (group,) = grouped([fault_at(4, 0, words=each) for each in words])
    assert len(group.shown()) == 2
    (group,) = grouped([fault_at(4, 0, words=f"failed {'x' * n}") for n in range(9)])
    assert len(group.shown()) == MOST_SHOWN


def test_groups_are_by_tournament_bot_and_kind(fault_at: Callable[..., StoredGame]) -> None:
    """The order of tournaments is that of the games; games without a fault are in no group."""
    crash, late = fault_at(4, 1), fault_at(4, 1, Termination.TIMEOUT)
    other, fair = fault_at(4, 0), fault_at(4, 0)
    dusk = replace(other, id=GameId("dusk", 0, 0, 0))
    verdict = replace(fair.result.verdict, blame=None)
    fair = replace(fair, result=replace(fair.result, verdict=verdict))
    groups = grouped([late, crash, other, fair, crash, dusk])
    assert [(g.games[0].id.tournament, g.bot.label, len(g.games)) for g in groups] == [
        ("night", "ant@1", 1),
        ("night", "fox@2", 2),
        ("night", "fox@2", 1),
        ("dusk", "ant@1", 1),
    ]


@pytest.mark.parametrize("kind", list(Termination))
def test_every_kind_of_fault_has_advice(
    kind: Termination, fault_at: Callable[..., StoredGame]
) -> None:
    """All that a bot can be blamed for; nothing for what it can't."""
    (group,) = grouped([fault_at(4, 0, kind)])
    blameless = {Termination.NORMAL, Termination.INTERRUPTED, Termination.REFEREE_FAULT}
    assert (len(format_heading(group).splitlines()) == 2) == (kind not in blameless)
