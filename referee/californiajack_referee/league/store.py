"""The league's database: one SQLite file with its bots, its tournaments and every game's result."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import TYPE_CHECKING, Self

from californiajack import InputError, Termination
from californiajack_referee.league import rows
from californiajack_referee.league.database import Database, StoreError
from californiajack_referee.league.result_log import ResultLog
from californiajack_referee.league.stored import StoredBot, StoredGame, StoredTournament
from californiajack_referee.schedule import SEATINGS, Leg, pairing_total, pairings, seated
from californiajack_referee.values import GameId, Layer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from californiajack_referee.values import GameResult


class Store:
    """The database of a league, open in this process.

    Readers see what was finished when they asked; a writer keeps other writers waiting. What has
    been written stays written when the machine loses power. A store belongs to the thread that
    opened it.

    Raises:
        StoreError: the file can't be opened, is no league's database, or is of a newer version.
    """

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Opens the file; makes it first if there is none and `create` is true."""
        self._db = Database(path, create=create)

    def close(self) -> None:
        """Closes the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check(self) -> None:
        """Reads the whole file and looks for damage.

        Raises:
            StoreError: it is damaged.
        """
        self._db.check()

    def copy_to(self, path: Path) -> None:
        """Writes all that is stored now to a new file, while others may read and write.

        Raises:
            StoreError: it can't be read, or the new file can't be written.
        """
        self._db.copy_to(path)

    # Bots

    def bots(self) -> list[StoredBot]:
        """Gives all bots, by name, then version."""
        return [
            rows.bot_of(row)
            for row in self._db.all(f"SELECT {rows.BOT_COLUMNS} FROM bot ORDER BY name, version")  # noqa: S608 - constants
        ]

    def bot_with(self, digest: str) -> StoredBot | None:
        """Gives the bot of this content; None if it was never submitted."""
        return next((bot for bot in self.bots() if bot.digest == digest), None)

    def find_bot(self, spec: str) -> StoredBot:
        """Gives the bot called ``name``, its newest version, or ``name@2``.

        Raises:
            InputError: there is none; the message names what there is.
        """
        return self._versions(spec)[-1]

    def _versions(self, spec: str) -> list[StoredBot]:
        """Gives the versions meant by ``name`` (all) or ``name@2`` (one), at least one."""
        name, _, version = spec.partition("@")
        bots = self.bots()
        of_name = [bot for bot in bots if bot.name == name]
        if not of_name:
            names = sorted({bot.name for bot in bots})
            raise InputError(f"no bot {name!r} in this league: {_suggest(name, names)}")
        if "@" not in spec:
            return of_name
        exact = [bot for bot in of_name if str(bot.version) == version]
        if not exact:
            there = ", ".join(bot.label for bot in of_name)
            raise InputError(f"no bot {spec!r} in this league: there is {there}")
        return exact

    def add_bot(
        self,
        name: str,
        digest: str,
        *,
        language: str,
        authors: Sequence[str],
        command: Sequence[str],
    ) -> StoredBot:
        """Adds a bot as the next version of its name; gives the one there is for a known digest.

        Args:
            name: of lower-case letters, digits and ``-``.
            digest: SHA-256 of its content, in hexadecimal.
            language: what its bot.toml says.
            authors: what its bot.toml says.
            command: the program and its arguments.
        """
        with self._db.writing():
            known = self.bot_with(digest)
            if known is not None:
                return known
            (newest,) = self._db.one(
                "SELECT coalesce(max(version), 0) FROM bot WHERE name = ?", name
            )
            bot = StoredBot(
                name=name,
                version=newest + 1,
                digest=digest,
                language=language,
                authors=tuple(authors),
                command=tuple(command),
                submitted_at=datetime.now(UTC).replace(microsecond=0),
            )
            self._db.insert("bot", rows.BOT_COLUMNS, rows.bot_row(bot))
        return bot

    # Tournaments

    def tournaments(self) -> list[StoredTournament]:
        """Gives all tournaments, in the order of their creation."""
        found = self._db.all(f"SELECT id, {rows.TOURNAMENT_COLUMNS} FROM tournament ORDER BY id")  # noqa: S608 - constants
        return [rows.tournament_of(row[1:], self._entrants(row[0])) for row in found]

    def _entrants(self, key: int) -> tuple[StoredBot, ...]:
        found = self._db.all(
            f"SELECT {rows.BOT_COLUMNS} FROM bot JOIN entrant ON entrant.bot = bot.id"  # noqa: S608 - constants
            " WHERE tournament = ? ORDER BY place",
            key,
        )
        return tuple(rows.bot_of(row) for row in found)

    def tournament(self, name: str) -> StoredTournament:
        """Gives the tournament of this name.

        Raises:
            InputError: there is none; the message names what there is.
        """
        there = self.tournaments()
        for tournament in there:
            if tournament.name == name:
                return tournament
        names = [tournament.name for tournament in there]
        raise InputError(f"no tournament {name!r} in this league: {_suggest(name, names)}")

    def add_tournament(self, tournament: StoredTournament) -> None:
        """Adds a tournament, whose entrants are bots of this league.

        Raises:
            InputError: its name is taken, or a bot is not of this league.
        """
        with self._db.writing():
            if self._db.all("SELECT 1 FROM tournament WHERE name = ?", tournament.name):
                raise InputError(
                    f"there is a tournament {tournament.name!r} already: choose another name, or "
                    f"go on with it: caljack tournament resume {tournament.name}"
                )
            self._db.insert("tournament", rows.TOURNAMENT_COLUMNS, rows.tournament_row(tournament))
            key = self._key(tournament.name)
            for place, bot in enumerate(tournament.entrants):
                found = self._db.all("SELECT id FROM bot WHERE digest = ?", bot.digest)
                if not found:
                    raise InputError(f"no bot {bot.label!r} of this content in this league")
                self._db.insert("entrant", "tournament, place, bot", (key, place, found[0][0]))

    def _key(self, tournament: str) -> int:
        found = self._db.all("SELECT id FROM tournament WHERE name = ?", tournament)
        if not found:
            self.tournament(tournament)  # says what there is
            raise StoreError(
                f"the league's database is damaged: {tournament!r} is not in its index"
            )
        return int(found[0][0])

    # Games

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


def _check_id(tournament: StoredTournament, game_id: GameId) -> None:
    """Refuses a game that the tournament's schedule doesn't have.

    Raises:
        InputError: a number is out of its range.
    """
    ranges = (
        ("pairing", game_id.pairing, pairing_total(len(tournament.entrants))),
        ("deal", game_id.deal, tournament.pairs),
        ("seating", game_id.seating, len(SEATINGS)),
    )
    for field, number, size in ranges:
        if not 0 <= number < size:
            raise InputError(
                f"game {game_id}: expected a {field} from 0 to {size - 1}, got {number}"
            )


def _suggest(name: str, names: Sequence[str]) -> str:
    if not names:
        return "there is none yet"
    near = get_close_matches(name, names, n=1)
    there = f"there is {', '.join(names)}"
    return f"did you mean {near[0]}? ({there})" if near else there
