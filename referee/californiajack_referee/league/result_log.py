"""The results of a league, or of one tournament, in canonical order: what rankings are made of.

Only what a ranking needs is read, from an index that holds just that. Beside the games stand
checkpoints: what had been counted up to some game, so that counting needn't begin at the first one.
"""

from __future__ import annotations

from contextlib import contextmanager
from hashlib import blake2b
from typing import TYPE_CHECKING

from californiajack_referee.league import rows
from californiajack_referee.league.errors import StoreError, damaged
from californiajack_referee.league.stored import Checkpoint, Outcome
from californiajack_referee.league.tables import SUM_COLUMNS
from californiajack_referee.schedule import pairings
from californiajack_referee.values import GameSums, PairSums

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from californiajack_referee.league.database import Database
    from californiajack_referee.league.stored import Pair

_ALL = 0
"""The scope of all tournaments together; a tournament's own is its number, from 1."""
_BEFORE_ALL: Pair = (-1, -1, -1)
_SECONDS_TO_WAIT = 0.2
_GAMES = "game INDEXED BY game_outcome"
# both games of a pair, as the pairing's first bot sees them; its place is 0 where it has seat 0
_GAME_SUMS = """SELECT count(*), sum(d), sum(r), sum(d * d), sum(r * r), sum(d * r) FROM (
    SELECT CASE one.seating WHEN 0 THEN 1 ELSE -1 END * (one.score_0 - one.score_1) AS d,
    length(one.plays) / 52 AS r FROM game AS one JOIN game AS two
    ON two.tournament = one.tournament AND two.deal = one.deal AND two.pairing = one.pairing
    AND two.seating = 1 - one.seating WHERE one.tournament = ? AND one.pairing = ?
    AND one.termination = 'normal' AND two.termination = 'normal')"""


class ResultLog:
    """The results of one tournament, or of all, with the checkpoints of their ranking.

    Args:
        database: the league's database.
        tournament: the number of a tournament; None for all.
    """

    def __init__(self, database: Database, tournament: int | None) -> None:
        self._db = database
        self._scope = _ALL if tournament is None else tournament

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Sees the league as it is now for as long as it lasts, whatever others write."""
        with self._db.reading():
            yield

    def count(self, after: Pair | None = None, upto: Pair | None = None) -> int:
        """Counts the games after a pair, up to and including another one.

        Args:
            after: None for the beginning.
            upto: None for the end.
        """
        where, values = self._range(after, upto)
        query = f"SELECT count(*) FROM {_GAMES} {where}"  # noqa: S608 - constants
        return int(self._db.one(query, *values)[0])

    def _range(self, after: Pair | None, upto: Pair | None) -> tuple[str, list[int]]:
        parts: list[str] = []
        values: list[int] = []
        if self._scope != _ALL:
            parts.append("tournament = ?")
            values.append(self._scope)
        for sign, pair in ((">", after), ("<=", upto)):
            if pair is not None and self._scope == _ALL:
                parts.append(f"(tournament, deal, pairing) {sign} (?, ?, ?)")
                values += pair
            elif pair is not None:
                parts.append(f"(deal, pairing) {sign} (?, ?)")
                values += pair[1:]
        return f"WHERE {' AND '.join(parts)}" if parts else "", values

    def outcomes(self, after: Pair | None = None) -> Iterator[Outcome]:
        """Gives the games after a pair, in canonical order, one by one.

        Args:
            after: None for the beginning.

        Raises:
            StoreError: a game is none of its tournament's schedule.
        """
        schedules = self._schedules()
        where, values = self._range(after, None)
        found = self._db.rows(
            f"SELECT tournament, deal, pairing, seating, winner, blame FROM {_GAMES} {where}"  # noqa: S608 - constants
            " ORDER BY tournament, deal, pairing, seating",
            *values,
        )
        with rows.sound():
            for tournament, deal, pairing, seating, winner, blame in found:
                first, second = schedules[tournament][pairing]
                won, lost = (first, second) if winner == seating else (second, first)
                # nobody is to blame, or the loser is
                yield Outcome((tournament, deal, pairing), won, lost, blame == 1 - winner)

    def _schedules(self) -> dict[int, list[tuple[int, int]]]:
        """Gives the bots of each tournament's pairings, by their numbers.

        Raises:
            StoreError: a bot is none of this league.
        """
        known = self.labels()
        entrants: dict[int, list[int]] = {}
        for tournament, bot in self._db.all(
            "SELECT tournament, bot FROM entrant WHERE ? IN (0, tournament)"
            " ORDER BY tournament, place",
            self._scope,
        ):
            if bot not in known:
                raise damaged(self._db.path, f"tournament {tournament} has no bot {bot}")
            entrants.setdefault(tournament, []).append(bot)
        return {
            tournament: [(bots[first], bots[second]) for first, second in pairings(len(bots))]
            for tournament, bots in entrants.items()
        }

    def labels(self) -> dict[int, str]:
        """Gives the labels of all bots of the league by their numbers."""
        found = self._db.all("SELECT id, name, version FROM bot")
        return {number: f"{name}@{version}" for number, name, version in found}

    def tournament_names(self) -> dict[int, str]:
        """Gives the names of all tournaments of the league by their numbers, oldest first."""
        return dict(self._db.all("SELECT id, name FROM tournament ORDER BY id"))

    def ends(self) -> list[tuple[Pair, int]]:
        """Gives each tournament's last pair that has a game, and how many games there are to it.

        They come in canonical order.
        """
        where, values = self._range(None, None)
        found: list[tuple[Pair, int]] = []
        games = 0
        for tournament, count in self._db.all(
            f"SELECT tournament, count(*) FROM {_GAMES} {where}"  # noqa: S608 - constants
            " GROUP BY tournament ORDER BY tournament",
            *values,
        ):
            deal, pairing = self._db.one(
                f"SELECT deal, pairing FROM {_GAMES} WHERE tournament = ?"  # noqa: S608 - constants
                " ORDER BY deal DESC, pairing DESC LIMIT 1",
                tournament,
            )
            games += count
            found.append(((tournament, deal, pairing), games))
        return found

    def pair_sums(self) -> dict[tuple[int, int], PairSums]:
        """Sums up the whole pairs of every two bots that have met.

        Returns:
            By the numbers of both bots, the lower one first, whose the sums are.

        Raises:
            StoreError: a pairing is none of its tournament's schedule.
        """
        found = self._db.all(
            f"SELECT tournament, pairing, {SUM_COLUMNS} FROM pair_sum"  # noqa: S608 - constants
            " WHERE ? IN (0, tournament) AND lost + split + won > 0",
            self._scope,
        )
        sums: dict[tuple[int, int], PairSums] = {}
        with rows.sound():
            schedules = self._schedules()
            for tournament, pairing, *numbers in found:
                first, second = schedules[tournament][pairing]
                seen = PairSums(*numbers)
                if first > second:
                    first, second, seen = second, first, seen.mirrored()
                sums[first, second] = sums.get((first, second), PairSums()).plus(seen)
        return sums

    def game_sums(self, bot: int, opponent: int) -> GameSums:
        """Sums up the games of a bot against another one, of those pairs that ended normally.

        The games of the pairing are read for it: some tenths of a second in a league of a million.

        Args:
            bot: the number of the bot whose the sums are.
            opponent: the other one's.
        """
        total = GameSums()
        for tournament, schedule in self._schedules().items():
            for pairing, (first, second) in enumerate(schedule):
                if {first, second} == {bot, opponent}:
                    row = self._db.one(_GAME_SUMS, tournament, pairing)
                    seen = GameSums(*(number or 0 for number in row))
                    total = total.plus(seen if first == bot else seen.mirrored())
        return total

    # Checkpoints

    def checkpoint_places(self, basis: str) -> list[tuple[Pair, int]]:
        """Gives where checkpoints of this basis stand, in order, with the games they count.

        What can't be read is left out.
        """
        found = self._db.all(
            "SELECT tournament, deal, pairing, games FROM checkpoint WHERE scope = ? AND basis = ?"
            " ORDER BY tournament, deal, pairing",
            self._scope,
            basis,
        )
        return [((t, d, p), games) for t, d, p, games in found if _are_numbers(t, d, p, games)]

    def checkpoint(self, basis: str, pair: Pair) -> Checkpoint | None:
        """Gives the checkpoint after a pair; None where there is none, or a damaged one."""
        found = self._db.all(
            "SELECT games, tally, digest FROM checkpoint WHERE scope = ? AND basis = ?"
            " AND tournament = ? AND deal = ? AND pairing = ?",
            self._scope,
            basis,
            *pair,
        )
        if not found or not isinstance(found[0][1], bytes):
            return None
        games, tally, digest = found[0]
        checkpoint = Checkpoint(pair, games, tally)
        return checkpoint if digest == self._digest(basis, checkpoint) else None

    def _digest(self, basis: str, checkpoint: Checkpoint) -> bytes:
        head = f"{self._scope} {checkpoint.pair} {checkpoint.games} {basis} "
        return blake2b(head.encode() + checkpoint.tally, digest_size=16).digest()

    def keep(self, basis: str, after: Pair | None, checkpoints: Sequence[Checkpoint]) -> bool:
        """Puts checkpoints in the place of all that stand after a pair.

        Args:
            basis: what the numbers depend on besides the games.
            after: None for the beginning.
            checkpoints: they count the games as they stood when they were read.

        Returns:
            Whether they could be written: not where the league is read-only, its disk full, or
            another process writes for long. They only save time, so that is no error.
        """
        try:
            with self._db.waiting(_SECONDS_TO_WAIT), self._db.writing():
                self._db.execute(
                    "DELETE FROM checkpoint WHERE scope = ?"
                    " AND (basis <> ? OR (tournament, deal, pairing) > (?, ?, ?))",
                    self._scope,
                    basis,
                    *(after or _BEFORE_ALL),
                )
                for made in checkpoints:
                    row = (made.games, made.tally, self._digest(basis, made))
                    self._db.insert(
                        "checkpoint",
                        rows.CHECKPOINT_COLUMNS,
                        (self._scope, basis, *made.pair, *row),
                    )
        except StoreError:
            return False
        return True


def _are_numbers(*values: object) -> bool:
    return all(isinstance(value, int) for value in values)
