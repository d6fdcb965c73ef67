"""How much of a result was the cards, in words."""

from __future__ import annotations

import json

from californiajack_referee.show.luck import LuckReport, luck_data, luck_lines, luck_table
from californiajack_referee.statistics.intervals import pair_score, point_difference
from californiajack_referee.statistics.luck import score_luck
from californiajack_referee.values import PairSums


def _report(sums: PairSums) -> LuckReport:
    luck = score_luck(sums)
    assert luck is not None
    return LuckReport(
        bot="ant@1",
        opponent="bee@1",
        tournament=None,
        score=pair_score(sums),
        points=point_difference(sums),
        score_luck=luck,
        point_luck=None,
    )


def _words(sums: PairSums) -> str:
    return " ".join(luck_lines(_report(sums)))


def test_the_cards_part_is_what_pairs_take_out() -> None:
    """Where half of all that spreads games is gone in pairs, that half was the cards."""
    # scores of ½ but for one pair in four: variance 1/16 of pairs, 1/4 of games
    words = _words(PairSums(lost=1000, split=6000, won=1000))
    assert "50 % was the cards" in words
    assert "2.0 times as many" in words


def test_without_a_difference_no_number_of_games_is_told() -> None:
    """An even score says so; neither words nor numbers hold an infinity."""
    report = _report(PairSums(lost=5, split=10, won=5))
    assert "exactly even" in " ".join(luck_lines(report))
    assert "isn't settled" in " ".join(luck_lines(report))
    assert luck_table(report).rows[-1][1] == "-"
    json.dumps(luck_data(report), allow_nan=False)


def test_where_all_pairs_went_the_same_way_no_games_are_told() -> None:
    """All won tells nothing of luck; all split, that the cards alone decided each game."""
    for sums, words, part in (
        (PairSums(won=10), "All pairs went to the same bot", None),
        (PairSums(split=10), "Every pair was split", 1.0),
    ):
        report = _report(sums)
        assert words in " ".join(luck_lines(report))
        assert "inf" not in " ".join(cell for row in luck_table(report).rows for cell in row)
        told = json.loads(json.dumps(luck_data(report), allow_nan=False))["by_score"]
        assert (told["cards_part"], told["ratio"]) == (part, None)


def test_luckless_pairs_are_called_so() -> None:
    """Where both games of a pair have nothing to do with each other the cards decided nothing."""
    assert "next to nothing" in _words(PairSums(lost=250, split=500, won=250))


def test_a_clear_result_is_called_settled() -> None:
    """The sentence on what isn't settled stands there only where it isn't."""
    assert "settled" not in _words(PairSums(lost=10, split=40, won=150))
