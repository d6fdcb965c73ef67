"""Casual games: what people have played against bots. Nothing else of a league depends on them.

They stand in a table of their own, so that no ranking, tournament or export of results meets one.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING

from californiajack import InputError, Ruleset
from californiajack_referee.league import rows
from californiajack_referee.league.stored import CASUAL, CasualGame, is_casual

if TYPE_CHECKING:
    from collections.abc import Iterator

    from californiajack_referee.league.database import Database

_OWN_COLUMNS = "person, bot, seat, seed, ruleset, played_at"
_RESULT_COLUMNS = rows.RESULT_COLUMNS.replace("pairing, seating, ", "")


_SELECT = f"SELECT id, {_OWN_COLUMNS}, {_RESULT_COLUMNS} FROM casual"  # noqa: S608 - constants


class CasualLog:
    """The casual games of a league."""

    def __init__(self, database: Database) -> None:
        """Reads and writes the league's database."""
        self._db = database

    def add(self, game: CasualGame) -> int:
        """Adds a game under the next number, which it gives.

        Raises:
            InputError: it has no winner.
            StoreError: it can't be written.
        """
        if game.result.verdict.winner is None:
            raise InputError(
                "casual game: expected one with a winner, got a void one: play it again"
            )
        own = (
            game.person,
            game.bot,
            game.seat,
            game.seed,
            json.dumps(asdict(game.ruleset)),
            game.played_at.isoformat(),
        )
        deal, _, _, *rest = rows.result_row(0, 0, game.result)
        with self._db.writing():
            self._db.insert("casual", f"{_OWN_COLUMNS}, {_RESULT_COLUMNS}", (*own, deal, *rest))
            return int(self._db.one("SELECT last_insert_rowid()")[0])

    def games(self, bot: str | None = None) -> Iterator[CasualGame]:
        """Gives the games in the order of their ends.

        Args:
            bot: only those against this one, ``name`` for all its versions or ``name@2``.
        """
        for row in self._db.rows(f"{_SELECT} ORDER BY id"):
            game = _game_of(row)
            if bot is None or bot in (game.bot, game.bot.partition("@")[0]):
                yield game

    def game(self, name: str) -> CasualGame:
        """Gives the game of this name.

        Raises:
            InputError: it is no name of a casual game, or there is no such game.
        """
        number = name.removeprefix(CASUAL)
        # 18 digits: more would be no number of SQLite's
        if not (is_casual(name) and number.isdecimal() and number.isascii() and len(number) <= 18):  # noqa: PLR2004
            raise InputError(f"game id: expected casual/number, such as casual/7, got {name!r}")
        found = self._db.all(f"{_SELECT} WHERE id = ?", int(number))
        if not found:
            raise InputError(
                f"no game {name} in this league: caljack games --casual lists what there is"
            )
        return _game_of(found[0])


@rows.sound()
def _game_of(row: rows.Row) -> CasualGame:
    number, person, bot, seat, seed, ruleset, played_at, deal, *rest = row
    return CasualGame(
        number=number,
        person=person,
        bot=bot,
        seat=seat,
        seed=seed,
        ruleset=Ruleset(**json.loads(ruleset)),
        played_at=datetime.fromisoformat(played_at),
        result=rows.result_of((deal, 0, 0, *rest)),
    )
