"""Whether a bot is better than another one, as a value, as text and as data. Pure."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from californiajack_referee.formats.match import sprt_settings
from californiajack_referee.statistics.intervals import (
    PairScore,
    PointDifference,
    pair_score,
    point_difference,
)
from californiajack_referee.statistics.sprt import SprtDecision, SprtState, sprt

if TYPE_CHECKING:
    from californiajack_referee.league.format import Match
    from californiajack_referee.statistics.elo import EloDifference
    from californiajack_referee.values import PairSums

_EVEN = 0.5


class Answer(StrEnum):
    """Whether the new bot is better than the old one; the value is how it is told."""

    BETTER = "better"
    """It is."""
    NOT_BETTER = "not better"
    """It isn't."""
    UNDECIDED = "undecided"
    """The pairs that were played don't tell."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a match has told of its two bots."""

    new: str
    """The label of the bot that may be better."""
    old: str
    """The label of the other one."""
    answer: Answer
    """Whether it is."""
    sums: PairSums
    """Their pairs, as the new bot sees them."""
    score: PairScore
    """The new bot's score, with its interval."""
    points: PointDifference
    """The game points a round that it makes more."""
    elo: EloDifference | None
    """By how much it stands above; None without a pair."""
    test: SprtState | None
    """Where the sequential test stands; None where there is none."""


def compared(new: str, old: str, sums: PairSums, settings: Match, *, over: bool) -> Comparison:
    """Tells what the pairs of a match say.

    Where there is a test, it answers; else the new bot is better if the 95 % interval of its score
    lies above ½, and not better if it lies below. Before its end a match tells nothing: who stops
    where it looks good is wrong too often.

    Args:
        new: the label of the bot that may be better.
        old: the label of the other one.
        sums: their pairs, as the new bot sees them.
        settings: what the match tests.
        over: whether the match is.
    """
    # brings scipy, and is imported where a command only writes its help
    from californiajack_referee.statistics.elo import fit  # noqa: PLC0415 - see above

    score = pair_score(sums)
    test = sprt(sums, sprt_settings(settings)) if settings.sequential else None
    return Comparison(
        new=new,
        old=old,
        answer=_answer(score, test) if over else Answer.UNDECIDED,
        sums=sums,
        score=score,
        points=point_difference(sums),
        elo=fit({(0, 1): sums}).difference(0, 1) if sums.pairs else None,
        test=test,
    )


def _answer(score: PairScore, test: SprtState | None) -> Answer:
    if test is not None:
        return {
            SprtDecision.BETTER: Answer.BETTER,
            SprtDecision.NOT_BETTER: Answer.NOT_BETTER,
            SprtDecision.UNDECIDED: Answer.UNDECIDED,
        }[test.decision]
    if score.low > _EVEN:
        return Answer.BETTER
    return Answer.NOT_BETTER if score.high < _EVEN else Answer.UNDECIDED


def format_comparison(found: Comparison) -> str:
    """Writes a comparison as lines of text."""
    sums, score, elo, points, test = found.sums, found.score, found.elo, found.points, found.test
    lines = [f"Is {found.new} better than {found.old}? {_SAID[found.answer]}"]
    lines.append(
        f"Pairs: {sums.pairs}; both games won in {sums.won}, one in {sums.split}, "
        f"none in {sums.lost}"
    )
    if test is not None:
        lines.append(
            f"Log-likelihood ratio: {test.ratio:.2f}; better at {test.upper:.2f}, not better at "
            f"{test.lower:.2f}"
        )
    if score.mean is not None:
        mean, low, high = (100 * part for part in (score.mean, score.low, score.high))
        lines.append(f"Pair score: {mean:.1f} % ({low:.1f} to {high:.1f})")
    if elo is not None:
        lines.append(f"Elo difference: {elo.difference:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})")
    if points.mean is not None:
        between = f"{points.low:+.3f} to {points.high:+.3f}"
        lines.append(f"Game points a round more: {points.mean:+.3f} ({between})")
    if sums.pairs:
        lines.append("In parentheses: 95 % intervals, over pairs.")
    return "\n".join(lines)


_SAID = {Answer.BETTER: "Yes.", Answer.NOT_BETTER: "No.", Answer.UNDECIDED: "Undecided."}


def comparison_data(found: Comparison) -> dict[str, Any]:
    """Gives a comparison as data for JSON."""
    sums, elo, test = found.sums, found.elo, found.test
    return {
        "new": found.new,
        "old": found.old,
        "answer": found.answer.value,
        "pairs": {"lost": sums.lost, "split": sums.split, "won": sums.won},
        "pair_score": asdict(found.score),
        "points_a_round": asdict(found.points),
        "elo": None if elo is None else asdict(elo),
        "test": None if test is None else {**asdict(test), "decision": test.decision.value},
    }
