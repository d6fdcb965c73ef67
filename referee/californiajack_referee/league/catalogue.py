"""The part of a league's database that says who plays what: its bots and its tournaments."""

from __future__ import annotations

from datetime import UTC, datetime
from difflib import get_close_matches
from typing import TYPE_CHECKING, Self

from californiajack import InputError
from californiajack_referee.league import rows
from californiajack_referee.league.database import Database, StoreError
from californiajack_referee.league.stored import StoredBot, StoredTournament

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Catalogue:
    """The bots and the tournaments of a league's database, open in this process.

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
        found = self._db.all(
            f"SELECT id, {rows.TOURNAMENT_COLUMNS} FROM tournament WHERE name = ?",  # noqa: S608 - constants
            name,
        )
        if found:
            return rows.tournament_of(found[0][1:], self._entrants(found[0][0]))
        names = [one for (one,) in self._db.all("SELECT name FROM tournament ORDER BY id")]
        if name in names:
            raise StoreError(f"the league's database is damaged: {name!r} is not in its index")
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
        return int(found[0][0])


def _suggest(name: str, names: Sequence[str]) -> str:
    if not names:
        return "there is none yet"
    near = get_close_matches(name, names, n=1)
    there = f"there is {', '.join(names)}"
    return f"did you mean {near[0]}? ({there})" if near else there
