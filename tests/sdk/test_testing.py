"""The conformance check of Bot classes."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest

from californiajack import Bot, Card, GameStart, InputError, RoundEnd, Scoring, View, testing
from californiajack.testing import RULESETS, AnyCard, Mark, check_bot

if TYPE_CHECKING:
    from californiajack.conformance import Report
    from californiajack.testing import Finding


class First(Bot):
    """Plays its first legal card."""

    def choose(self, view: View) -> Card:
        """Picks it."""
        return view.legal[0]


def by_id(report: Report) -> dict[str, Finding]:
    """Gives the findings by their clauses' ids."""
    return {found.clause.id: found for found in report.findings}


def test_a_bot_that_keeps_to_all_passes() -> None:
    """Every clause holds, over as many games of every ruleset as asked for."""
    report = check_bot(First, games=10)
    assert report.passed, report
    assert {found.mark for found in report.findings} == {Mark.PASSED}
    assert [*by_id(report)] == ["H1", "L1", "L2", "L3", "L4", "G1", "G2", "D1", "D2"]
    assert "10 games" in by_id(report)["L4"].words
    assert len(str(report).splitlines()) == len(report.findings)
    assert len(RULESETS) == len(set(RULESETS)) == 4


def test_an_illegal_card_under_one_ruleset_is_named_with_its_turn() -> None:
    """Only that clause fails, with hand, legal cards and what was played, as it then repeats."""

    class Bad(First):
        def choose(self, view: View) -> Card:
            bad = [card for card in view.hand if card not in view.legal]
            wrong = view.ruleset == RULESETS[3] and view.round_number == 1
            return bad[0] if bad and wrong else view.legal[0]

    report = check_bot(Bad, games=6)
    assert [found.clause.id for found in report.failed] == ["L4"]
    turn = report.failed[0].turn
    assert turn is not None
    data = turn.to_json()
    assert data["round"] == 2
    assert str(data["played"]) in str(data["hand"]).split()
    assert str(data["played"]) not in str(data["legal"]).split()
    text = str(report)
    assert f"it played: {data['played']}" in text
    command = report.failed[0].command
    names = {**vars(testing), "YourBot": Bad, "californiajack": __import__("californiajack.local")}
    with pytest.raises(Exception, match=f"round 1.*{data['played']} doesn't follow"):
        eval(command, names)  # noqa: S307 - the very words that a person is given
    json.dumps(report.to_json(), allow_nan=False)


def test_an_error_has_its_words_and_its_turn() -> None:
    """An exception in `choose`, or no card at all, is a fault of its game."""

    class Broken(First):
        def choose(self, view: View) -> Card:
            if view.ruleset.scoring is Scoring.MOST_TRICKS:
                return None  # type: ignore[return-value] # on purpose
            raise LookupError("no idea")

    found = by_id(check_bot(Broken, games=2))
    assert "no idea" in found["L1"].words
    assert "choose() returned None" in found["L3"].words
    assert found["L3"].turn is not None
    assert found["L3"].turn.seen is not None
    assert "it played: nothing" in "\n".join(found["L3"].lines())


def test_an_error_in_a_hook_has_no_turn() -> None:
    """Hooks are called as in a tournament, and may fail."""

    class Broken(First):
        def on_round_end(self, end: RoundEnd) -> None:
            raise LookupError(f"no idea of round {end.round_number}")

    found = by_id(check_bot(Broken, games=2))
    assert "on_round_end() failed: LookupError: no idea of round 0" in found["L1"].words
    assert found["L1"].turn is not None
    assert found["L1"].turn.seen is None


def test_chance_of_its_own_is_a_note() -> None:
    """A bot that is not deterministic passes, and is told so."""
    rng = random.Random(1)

    class Chance(First):
        def choose(self, view: View) -> Card:
            return rng.choice(view.legal)

    report = check_bot(Chance, games=4)
    assert report.passed
    assert by_id(report)["D1"].mark is Mark.NOTED
    assert by_id(report)["D2"].mark is Mark.SKIPPED
    assert check_bot(AnyCard, games=4).passed


def test_what_is_kept_from_game_to_game_is_told() -> None:
    """A bot whose games depend on those beside them is found, though each alone repeats."""
    playing: list[int] = []

    class Mixed(First):
        def on_game_start(self, start: GameStart) -> None:
            playing.append(start.bot_seed)
            self.mine = start.bot_seed

        def choose(self, view: View) -> Card:
            return view.legal[0 if playing[-1] == self.mine else -1]

    found = by_id(check_bot(Mixed, games=6))
    assert found["D1"].mark is Mark.PASSED
    assert found["D2"].mark is Mark.NOTED
    assert "from game to game" in found["D2"].words


def test_no_bot_fails_the_first_clause_alone() -> None:
    """A factory that gives something else, or fails, is told; the rest is left out."""

    def none() -> Bot:
        return object()  # type: ignore[return-value] # on purpose

    def fails() -> Bot:
        raise OSError("no such file")

    for factory, says in ((none, "give a Bot"), (fails, "no such file")):
        report = check_bot(factory, games=2)
        assert [found.clause.id for found in report.failed] == ["H1"]
        assert says in report.findings[0].words


def test_out_of_range_is_refused() -> None:
    """No games, or a seed that is too short."""
    with pytest.raises(InputError, match="games"):
        check_bot(First, games=0)
    with pytest.raises(InputError, match="seed"):
        check_bot(First, seed=b"short")
