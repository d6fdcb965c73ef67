"""What a check says of what it saw, without a process."""

from __future__ import annotations

from californiajack import Ruleset, Termination
from californiajack.conformance import LEGAL, Mark
from californiajack_referee.values import GameResult, Limits, Resources, Verdict
from californiajack_referee.workbench import findings
from californiajack_referee.workbench.findings import Seen
from californiajack_referee.workbench.watch import Watch

SEED = bytes(16)


def seen(*games: GameResult, watch: Watch | None = None, wanted: int = 4) -> Seen:
    """What was seen of a bot in seat 0."""
    return Seen("fox", 0, Ruleset(), SEED, wanted, games, watch or Watch(0))


def lost(termination: Termination, words: str) -> GameResult:
    """A game lost by the bot before its first card."""
    verdict = Verdict(1, termination, 0, f"fox {words}", "last words")
    return GameResult(deal=3, verdict=verdict, score=(0, 0), plays=b"")


def test_a_late_card_has_its_turn() -> None:
    """A time-out is told with words, last lines, and no turn where it was the opponent's."""
    part = seen(lost(Termination.TIMEOUT, "took 2 s over a card"))
    found = findings.legal(LEGAL[0], [part], None, lambda turn: f"deal {turn.deal}")
    assert found.mark is Mark.FAILED
    assert found.words.splitlines()[1:] == ["| last words"]
    assert "it lost 1 of 1 games" in found.words
    assert found.command == "deal 3"


def test_what_was_not_played_is_said() -> None:
    """A slow bot that came to no end is not failed, but not passed either."""
    found = findings.legal(LEGAL[0], [seen(watch=Watch(0, charges=[1.0]))], None, lambda _: "")
    assert found.mark is Mark.SKIPPED
    assert "1 cards were legal" in found.words


def test_reply_times_are_ranks_of_what_was_charged() -> None:
    """p50 and p99 are charges that really came; the share is that of the longest."""
    charges = [number / 1000 for number in range(100)]
    part = seen(watch=Watch(0, charges=charges))
    found = findings.reply_times([part], Limits(move_seconds=0.1))
    figures = dict(found.figures)
    assert figures == {
        "cards": 100.0,
        "p50_ms": 50.0,
        "p99_ms": 99.0,
        "max_ms": 99.0,
        "share_of_limit": 0.99,
    }
    assert found.mark is Mark.NOTED
    assert findings.reply_times([seen()], Limits()).mark is Mark.SKIPPED
    assert findings.reply_times([part], Limits(move_seconds=0)).figures


def test_an_end_that_is_seldom_late_may_be_the_machines_doing() -> None:
    """One late process of twelve is a note, all are a failure, and so is another exit status."""
    for exits, mark in (
        ([0] * 11 + [None], Mark.NOTED),
        ([None, None], Mark.FAILED),
        ([0, 3], Mark.FAILED),
        ([0, 0], Mark.PASSED),
        ([], Mark.SKIPPED),
    ):
        part = seen(watch=Watch(0, exits=list(exits)))
        assert findings.clean_end([part], Limits()).mark is mark


def test_memory_near_the_limit_is_told() -> None:
    """A peak is held against what the bot may use."""
    for peak, mark in ((10.0, Mark.PASSED), (90.0, Mark.NOTED), (0.0, Mark.SKIPPED)):
        part = seen(watch=Watch(0, peak_mib=peak))
        assert findings.memory([part], Resources(memory_mib=100)).mark is mark


def test_many_games_fail_where_one_does_not() -> None:
    """What fails one game at a time says nothing of many; what fails only then does."""
    bad = seen(lost(Termination.CRASH, "crashed"), watch=Watch(0, most_at_once=9))
    good = seen(watch=Watch(0, most_at_once=9))
    few = seen(watch=Watch(0, most_at_once=1))
    for alone, usual, mark in (
        (good, bad, Mark.FAILED),
        (bad, bad, Mark.SKIPPED),
        (good, few, Mark.SKIPPED),
        (good, good, Mark.PASSED),
    ):
        assert findings.many_games([alone], [usual], [usual]).mark is mark
