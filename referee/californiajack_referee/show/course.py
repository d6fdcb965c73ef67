"""The course of a tournament as tables and data: Swiss standings, brackets, neighbours. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from californiajack_referee.formats.adaptive import AdaptiveOrder
from californiajack_referee.formats.course import most_games
from californiajack_referee.formats.knockout import Bracket, round_name
from californiajack_referee.formats.match import MatchTest
from californiajack_referee.formats.swiss import SwissDraw, is_whole, score_of
from californiajack_referee.league.format import Adaptive, Gauntlet, Knockout, Match, Swiss
from californiajack_referee.show.table import Column, Table

if TYPE_CHECKING:
    from californiajack_referee.formats.course import Course
    from californiajack_referee.formats.knockout import Match as BracketMatch
    from californiajack_referee.formats.stage import Played
    from californiajack_referee.league.stored import StoredTournament
    from californiajack_referee.values import PairSums


def format_line(tournament: StoredTournament) -> str:
    """Says in a line what format it is, and how many games there are."""
    games = f"{most_games(tournament.format, len(tournament.entrants), tournament.pairs)} games"
    return _format_words(tournament, tournament.pairs, games)


def _format_words(tournament: StoredTournament, pairs: int, games: str) -> str:  # noqa: PLR0911 - one a format
    match settings := tournament.format:
        case Gauntlet(challengers):
            names = ", ".join(bot.label for bot in tournament.entrants[:challengers])
            return f"Gauntlet of {names}: {pairs} pairs a pairing, {games}"
        case Swiss(rounds):
            return f"Swiss: {rounds} rounds, {pairs} pairs a match, {games}"
        case Knockout(doubt):
            return f"Knockout: at most {pairs} pairs a match, doubt {doubt:g}, at most {games}"
        case Adaptive():
            return (
                f"Adaptive: {settings.start_pairs} pairs a pairing, then where they settle the "
                f"order with certainty {settings.certainty:g}; at most {games}"
            )
        case Match(sequential=True):
            return (
                f"Match: sequential test of {settings.elo0:g} against {settings.elo1:g} Elo, alpha "
                f"{settings.alpha:g}, beta {settings.beta:g}; at most {games}"
            )
        case Match():
            return f"Match: {pairs} pairs, {games}"
    return f"{pairs} pairs a pairing, {games}"


def course_tables(
    tournament: StoredTournament, course: Course, played: Played
) -> tuple[Table, ...]:
    """Makes the tables that a format has beside the standings.

    Args:
        tournament: the tournament.
        course: how far it has come.
        played: its whole pairs.
    """
    labels = [bot.label for bot in tournament.entrants]
    match course.decider:
        case SwissDraw() as draw:
            return (_swiss_standing(draw, played, labels), _swiss_rounds(draw, played, labels))
        case Bracket() as bracket:
            return (_bracket(bracket, played, labels),)
        case AdaptiveOrder() as order:
            return _neighbours(order, course, labels)
        case MatchTest() as test if test.settings.sequential:
            return (_test(test, played),)
    return ()


def course_data(tournament: StoredTournament, course: Course, played: Played) -> dict[str, Any]:
    """Gives the same as data for JSON: nothing where a format has nothing to add.

    Args:
        tournament: the tournament.
        course: how far it has come.
        played: its whole pairs.
    """
    labels = [bot.label for bot in tournament.entrants]
    match course.decider:
        case SwissDraw() as draw:
            return {"swiss": _swiss_data(draw, played, labels)}
        case Bracket() as bracket:
            return {"knockout": _bracket_data(bracket, played, labels)}
        case AdaptiveOrder() as order:
            return {"adaptive": _adaptive_data(order, course, labels)}
        case MatchTest() as test if test.settings.sequential:
            return {"match": _test_data(test, played)}
    return {}


# Swiss


def _swiss_standing(draw: SwissDraw, played: Played, labels: list[str]) -> Table:
    columns = (
        *(Column("place", right=True), Column("bot"), Column("points", right=True)),
        *(Column("games won", right=True), Column("lost", right=True), Column("byes", right=True)),
    )
    rows = tuple(
        (
            *(str(place), labels[line.place], f"{line.points:g}"),
            *(str(line.won), str(line.lost), str(line.byes)),
        )
        for place, line in enumerate(draw.standing(played), start=1)
    )
    return Table(
        columns, rows, "Swiss standing: a point for a match won or a bye, ½ for an even one"
    )


def _swiss_rounds(draw: SwissDraw, played: Played, labels: list[str]) -> Table:
    rows = []
    for number, drawn in enumerate(draw.rounds, start=1):
        for meeting in drawn.meetings:
            score = score_of(played, meeting) if is_whole(played, meeting) else None
            note = "met before: no other draw was possible" if meeting.again else ""
            names = (labels[meeting.first], labels[meeting.second])
            rows.append((str(number), *names, _score(score), note))
        if drawn.bye is not None:
            rows.append((str(number), labels[drawn.bye], "", "bye", ""))
    columns = (
        *(Column("round", right=True), Column("bot"), Column("opponent")),
        *(Column("games"), Column("")),
    )
    return Table(columns, tuple(rows), "Rounds")


def _score(score: PairSums | None) -> str:
    if score is None:
        return ""
    return f"{2 * score.won + score.split} to {2 * score.lost + score.split}"


def _swiss_data(draw: SwissDraw, played: Played, labels: list[str]) -> dict[str, Any]:
    return {
        "standing": [
            {
                "place": place,
                "bot": labels[line.place],
                "points": line.points,
                "games_won": line.won,
                "games_lost": line.lost,
                "byes": line.byes,
            }
            for place, line in enumerate(draw.standing(played), start=1)
        ],
        "rounds": [
            {
                "meetings": [
                    {
                        "bots": [labels[meeting.first], labels[meeting.second]],
                        "pairing": meeting.pairing,
                        "met_before": meeting.again,
                        "pairs": _pairs_data(
                            score_of(played, meeting) if is_whole(played, meeting) else None
                        ),
                    }
                    for meeting in drawn.meetings
                ],
                "bye": None if drawn.bye is None else labels[drawn.bye],
            }
            for drawn in draw.rounds
        ],
    }


def _pairs_data(score: PairSums | None) -> dict[str, int] | None:
    if score is None:
        return None
    return {"lost": score.lost, "split": score.split, "won": score.won}


# Knockout


def _bracket(bracket: Bracket, played: Played, labels: list[str]) -> Table:
    rows = []
    for matches in bracket.rounds:
        for match in matches:
            name = round_name(len(matches))
            if match is None:
                rows.append((name, "", "", "", "", ""))
                continue
            second = "" if match.second is None else _seed(labels, match.second)
            score = None if match.second is None else bracket.score_of(match, played)
            winner = "" if match.winner is None else labels[match.winner]
            ending = "" if match.ending is None else match.ending.value
            rows.append((name, _seed(labels, match.first), second, _score(score), winner, ending))
    columns = (
        *(Column("round"), Column("bot"), Column("opponent"), Column("games")),
        *(Column("goes on"), Column("how")),
    )
    return Table(columns, tuple(rows), "Bracket: the seed after each bot")


def _seed(labels: list[str], place: int) -> str:
    return f"{labels[place]} ({place + 1})"


def _bracket_data(bracket: Bracket, played: Played, labels: list[str]) -> list[dict[str, Any]]:
    return [
        {
            "round": round_name(len(matches)),
            "matches": [
                None if match is None else _match_data(bracket, match, played, labels)
                for match in matches
            ],
        }
        for matches in bracket.rounds
    ]


def _match_data(
    bracket: Bracket, match: BracketMatch, played: Played, labels: list[str]
) -> dict[str, Any]:
    bye = match.second is None
    return {
        "bots": [labels[place] for place in (match.first, match.second) if place is not None],
        "seeds": [place + 1 for place in (match.first, match.second) if place is not None],
        "pairing": None if bye else match.pairing,
        "pairs": None if bye else _pairs_data(bracket.score_of(match, played)),
        "winner": None if match.winner is None else labels[match.winner],
        "ending": None if match.ending is None else match.ending.value,
    }


# Adaptive


def _neighbours(order: AdaptiveOrder, course: Course, labels: list[str]) -> tuple[Table, ...]:
    if order.decision is None:
        return ()
    rows = tuple(
        (
            *(labels[found.better], labels[found.worse], f"{found.difference:.0f}"),
            *(f"{min(part, 9.99):.0%}" for part in (found.by_all, found.by_own)),
            "yes" if found.settled else "not yet",
        )
        for found in order.decision.separations
    )
    columns = (
        *(Column("bot"), Column("next"), Column("Elo apart", right=True)),
        *(Column("by all pairs", right=True), Column("by their own", right=True)),
        Column("told apart"),
    )
    plain = order.round_robin_games()
    title = f"Neighbours after {course.games} games"
    if plain is not None and order.decision.settled:
        title += f"; a plain round robin would have needed some {plain}"
    elif course.over:
        title += ": all that it may play, and not settled"
    title += "\nTwo are told apart at 100 % of what it takes, by all pairs or by their own"
    return (Table(columns, rows, title),)


def _adaptive_data(order: AdaptiveOrder, course: Course, labels: list[str]) -> dict[str, Any]:
    decision = order.decision
    return {
        "settled": decision is not None and decision.settled,
        "games_wanted": course.games,
        "round_robin_games": order.round_robin_games(),
        "order": [] if decision is None else [labels[place] for place in decision.order],
        "neighbours": [
            {
                "better": labels[found.better],
                "worse": labels[found.worse],
                "elo_difference": found.difference,
                "by_all_pairs": found.by_all,
                "by_own_pairs": found.by_own,
                "settled": found.settled,
            }
            for found in (decision.separations if decision is not None else ())
        ],
    }


# Match


def _test(test: MatchTest, played: Played) -> Table:
    state = test.state(played)
    columns = (
        *(Column("pairs", right=True), Column("log-likelihood ratio", right=True)),
        *(Column("not better at", right=True), Column("better at", right=True), Column("decision")),
    )
    row = (
        *(str(state.pairs), f"{state.ratio:.2f}", f"{state.lower:.2f}", f"{state.upper:.2f}"),
        state.decision.value,
    )
    return Table(columns, (row,), "Sequential test")


def _test_data(test: MatchTest, played: Played) -> dict[str, Any]:
    state = test.state(played)
    return {
        "pairs": state.pairs,
        "log_likelihood_ratio": state.ratio,
        "lower": state.lower,
        "upper": state.upper,
        "decision": state.decision.value,
    }
