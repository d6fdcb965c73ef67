"""The league's database: one SQLite file with its bots, its tournaments and every game's result."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from californiajack import InputError, Termination
from californiajack_referee.league import rows
from californiajack_referee.league.casual import CasualLog
from californiajack_referee.league.catalogue import Catalogue
from californiajack_referee.league.database import StoreError
from californiajack_referee.league.result_log import ResultLog
from californiajack_referee.league.stored import StoredGame, StoredTournament
from californiajack_referee.schedule import SEATINGS, Leg, pairing_total, pairings, seated
from californiajack_referee.values import GameId, Layer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from californiajack_referee.values import GameResult


class Store(Catalogue):
    """The database of a league, open in this process: its bots, its tournaments, its games.

    Readers see what was finished when they asked; a writer keeps other writers waiting. What has
    been written stays written when the machine loses power. A store belongs to the thread that
    opened it.

    Raises:
        StoreError: the file can't be opened, is no league's database, or is of a newer version.
    """

    def add_results(
        self, tournament: str, pairing: int, seating: int, results: Iterable[GameResult]
    ) -> None:
        """Adds what a series has played, all of it or, on an error, nothing.

        A game with a winner is written once under its id; a void one is put with the voids; an
        interrupted one has no result and isn't stored.

        Args:
            tournament: its name.
            pairing: the pairing's number in it.
            seating: 0 where the pairing's first bot has seat 0, 1 where it has seat 1.
            results: in any order.

        Raises:
            InputError: the tournament has no such game.
            StoreError: a game has another result already.
        """
        stored = self.tournament(tournament)
        with self._db.writing():
            key = self._key(tournament)
            for result in results:
                _check_id(stored, GameId(tournament, pairing, result.deal, seating))
                if result.verdict.termination is Termination.INTERRUPTED:
                    continue
                row = (key, *rows.result_row(pairing, seating, result))
                if result.verdict.winner is None:
                    self._db.insert("void", f"tournament, {rows.RESULT_COLUMNS}", row)
                elif not self._same_result(key, pairing, seating, result):
                    self._db.insert("game", f"tournament, {rows.RESULT_COLUMNS}", row)

    def _same_result(self, key: int, pairing: int, seating: int, result: GameResult) -> bool:
        """Tells whether this result is stored already.

        Raises:
            StoreError: another one is.
        """
        found = self._db.all(
            f"SELECT {rows.RESULT_COLUMNS} FROM game"  # noqa: S608 - constants
            " WHERE tournament = ? AND deal = ? AND pairing = ? AND seating = ?",
            key,
            result.deal,
            pairing,
            seating,
        )
        if not found:
            return False
        known = rows.result_of(found[0])
        # how long the bots thought, and behind what walls, is no part of what happened
        again = replace(result, used_ms=known.used_ms, cpu_ms=known.cpu_ms, layer=known.layer)
        if known != again:
            raise StoreError(
                f"game {pairing}/{result.deal}/{seating} has a result already, and another one: "
                f"{known.verdict.words!r}, not {result.verdict.words!r}; a result is written once"
            )
        return True

    def games(self, tournament: str | None = None, bot: str | None = None) -> Iterator[StoredGame]:
        """Gives the games that have a result, in canonical order.

        That is by the creation of their tournaments, then by deal, pairing and seating.

        Args:
            tournament: only of this one.
            bot: only those of this bot, ``name`` for all its versions or ``name@2``.

        Raises:
            InputError: there is no such tournament or no such bot.
        """
        return self._games_of("game", tournament, bot)

    def voids(self, tournament: str | None = None) -> Iterator[StoredGame]:
        """Gives the games that ended with no winner, in canonical order.

        One id may be there more than once, each time it was played in vain.

        Raises:
            InputError: there is no such tournament.
        """
        return self._games_of("void", tournament, None)

    def _games_of(
        self, table: str, tournament: str | None, bot: str | None
    ) -> Iterator[StoredGame]:
        chosen = self.tournaments() if tournament is None else [self.tournament(tournament)]
        wanted = None if bot is None else {found.digest for found in self._versions(bot)}
        return (game for one in chosen for game in self._games_in(table, one, wanted))

    def _games_in(
        self, table: str, tournament: StoredTournament, wanted: set[str] | None
    ) -> Iterator[StoredGame]:
        bots = tournament.entrants
        seats = {
            (number, seating): (bots[places[0]], bots[places[1]])
            for number, pairing in enumerate(pairings(len(bots)))
            for seating in SEATINGS
            for places in (seated(pairing, seating),)
        }
        numbers = [
            number
            for (number, seating), pair in seats.items()
            if seating == 0 and (wanted is None or wanted & {bot.digest for bot in pair})
        ]
        order = "deal, pairing, seating" + (", id" if table == "void" else "")
        found = self._db.rows(
            f"SELECT {rows.RESULT_COLUMNS} FROM {table} WHERE tournament = ?"  # noqa: S608 - constants
            f" AND pairing IN (SELECT value FROM json_each(?)) ORDER BY {order}",
            self._key(tournament.name),
            json.dumps(numbers),
        )
        for row in found:
            deal, number, seating = row[:3]
            yield StoredGame(
                id=GameId(tournament.name, number, deal, seating),
                seats=seats[number, seating],
                result=rows.result_of(row),
            )

    def results(self, tournament: str | None = None) -> ResultLog:
        """Gives who won the games that have a result, for rankings.

        Args:
            tournament: only of this one.

        Raises:
            InputError: there is no such tournament.
        """
        return ResultLog(self._db, None if tournament is None else self._key(tournament))

    @property
    def casual(self) -> CasualLog:
        """The games that people have played against bots."""
        return CasualLog(self._db)

    def void_count(self, tournament: str) -> int:
        """Counts the games of a tournament that ended with no winner, each time one did.

        Raises:
            InputError: there is no such tournament.
        """
        key = self._key(tournament)
        return int(self._db.one("SELECT count(*) FROM void WHERE tournament = ?", key)[0])

    def game(self, game_id: GameId) -> StoredGame:
        """Gives one game.

        Raises:
            InputError: the tournament has no such game, or it hasn't been played.
        """
        tournament = self.tournament(game_id.tournament)
        _check_id(tournament, game_id)
        found = self._db.all(
            f"SELECT {rows.RESULT_COLUMNS} FROM game"  # noqa: S608 - constants
            " WHERE tournament = ? AND deal = ? AND pairing = ? AND seating = ?",
            self._key(tournament.name),
            game_id.deal,
            game_id.pairing,
            game_id.seating,
        )
        if not found:
            raise InputError(
                f"game {game_id} hasn't been played yet: caljack tournament resume "
                f"{tournament.name} plays what is missing"
            )
        first, second = seated(pairings(len(tournament.entrants))[game_id.pairing], game_id.seating)
        return StoredGame(
            id=game_id,
            seats=(tournament.entrants[first], tournament.entrants[second]),
            result=rows.result_of(found[0]),
        )

    def game_count(self, tournament: str) -> int:
        """Counts the games of a tournament that have a result.

        Raises:
            InputError: there is no such tournament.
        """
        key = self._key(tournament)
        return int(
            self._db.one(
                "SELECT count(*) FROM game INDEXED BY game_outcome WHERE tournament = ?", key
            )[0]
        )

    def win_counts(self, tournament: str) -> Counter[str]:
        """Counts the games won so far by each bot's label; entrants without a win count 0.

        Raises:
            InputError: there is no such tournament.
        """
        stored = self.tournament(tournament)
        counts = Counter({bot.label: 0 for bot in stored.entrants})
        numbered = pairings(len(stored.entrants))
        for pairing, seating, winner, count in self._db.all(
            "SELECT pairing, seating, winner, count(*) FROM game INDEXED BY game_outcome"
            " WHERE tournament = ? GROUP BY pairing, seating, winner",
            self._key(tournament),
        ):
            place = seated(numbered[pairing], seating)[winner]
            counts[stored.entrants[place].label] += count
        return counts

    def layer_counts(self, tournament: str) -> dict[Layer, int]:
        """Counts the games of a tournament by what stood between the bots and the machine.

        Raises:
            InputError: there is no such tournament.
        """
        found = self._db.all(
            "SELECT layer, count(*) FROM game INDEXED BY game_outcome WHERE tournament = ?"
            " GROUP BY layer ORDER BY layer",
            self._key(tournament),
        )
        with rows.sound():
            return {Layer(layer): count for layer, count in found}

    def finished_deals(self, tournament: str) -> dict[Leg, set[int]]:
        """Gives the deals that have a result, by pairing and seating.

        Raises:
            InputError: there is no such tournament.
        """
        finished: dict[Leg, set[int]] = {}
        for pairing, seating, deal in self._db.all(
            "SELECT pairing, seating, deal FROM game INDEXED BY game_outcome WHERE tournament = ?",
            self._key(tournament),
        ):
            finished.setdefault(Leg(pairing, seating), set()).add(deal)
        return finished

    def pairs_played(self, tournament: str) -> dict[int, dict[int, int]]:
        """Gives the whole pairs of a tournament.

        Returns:
            By pairing and deal, how many of the two games the pairing's first bot has won.

        Raises:
            InputError: there is no such tournament.
        """
        played: dict[int, dict[int, int]] = {}
        for pairing, deal, won in self._db.all(
            "SELECT pairing, deal, sum(winner = seating) FROM game INDEXED BY game_outcome"
            " WHERE tournament = ? GROUP BY deal, pairing HAVING count(*) = 2",
            self._key(tournament),
        ):
            played.setdefault(pairing, {})[deal] = won
        return played


def _check_id(tournament: StoredTournament, game_id: GameId) -> None:
    """Refuses a game that the tournament's schedule doesn't have.

    Raises:
        InputError: a number is out of its range.
    """
    ranges = (
        ("pairing", game_id.pairing, pairing_total(len(tournament.entrants))),
        ("deal", game_id.deal, tournament.most_deals),
        ("seating", game_id.seating, len(SEATINGS)),
    )
    for field, number, size in ranges:
        if not 0 <= number < size:
            raise InputError(
                f"game {game_id}: expected a {field} from 0 to {size - 1}, got {number}"
            )
