"""`caljack export` and `verify`."""

from __future__ import annotations

from functools import partial
from typing import IO, TYPE_CHECKING

import click

from californiajack import RecordError
from californiajack.deal import deck_of
from californiajack.record import GameRecord, format_record, record_of
from californiajack.record import replay as play_again
from californiajack.verify import verify_lines
from californiajack_referee.cli.output import NO, example, say, write
from californiajack_referee.cli.place import Place, pass_place
from californiajack_referee.show.shown import shown_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from californiajack_referee.league.stored import StoredGame, StoredTournament
    from californiajack_referee.show.shown import ShownGame


def record_of_game(game: StoredGame, tournament: StoredTournament) -> GameRecord:
    """Makes the record of a stored game; it depends on the result log alone.

    Raises:
        StoreError: its plays are not by the rules, so the database is damaged.
    """
    return record_of_shown(shown_game(game, tournament))


def record_of_shown(game: ShownGame) -> GameRecord:
    """Makes the record of a tournament's game or of a casual one.

    Raises:
        StoreError: its plays are not by the rules, so the database is damaged.
    """
    result = game.result
    deck_at = partial(deck_of, game.seed, result.deal)
    try:
        played = play_again(game.ruleset, deck_at, game.first_dealer, result.plays)
    except RecordError as error:
        from californiajack_referee.league.errors import StoreError

        raise StoreError(
            f"game {game.id}: expected plays by the rules, found others ({error}): the league's "
            "database is damaged: restore it from a copy"
        ) from error
    return record_of(
        played,
        seats=game.labels,
        seed=game.seed,
        deal=result.deal,
        winner=result.verdict.winner,
        termination=result.verdict.termination,
    )


@click.command(
    epilog=example("caljack export night -o night.jsonl", "caljack export night | caljack verify -")
)
@click.argument("name", metavar="NAME")
@click.option(
    "-o",
    "--output",
    type=click.File("w", encoding="utf-8", atomic=True),
    default="-",
    metavar="FILE",
    help="Where to write; standard output unless given.",
)
@pass_place
def export(place: Place, *, name: str, output: IO[str]) -> None:
    """Write a tournament's games as records.

    A record is a line of JSON. The same results give the same bytes, whenever and however they were
    played.
    """
    count = 0
    with place.open() as league:
        tournament = league.store.tournament(name)
        for game in league.store.games(name):
            output.write(format_record(record_of_game(game, tournament)) + "\n")
            count += 1
    output.flush()
    say(f"{count} {'record' if count == 1 else 'records'} written.")


@click.command(
    epilog=example("caljack verify night.jsonl", "caljack export night | caljack verify -")
)
@click.argument("files", nargs=-1, required=True, type=click.File("rb"), metavar="FILE…")
@click.pass_context
def verify(context: click.Context, *, files: tuple[IO[bytes], ...]) -> None:
    """Check game records by the rules.

    FILE is what `caljack export` wrote; - stands for standard input. Writes a line for each faulty
    record: the file and line, the round and the play, counted from 0 as in the record, and the
    clause of the rules or the field. Exit status 1 if there is one.
    """
    faults = records = 0
    for file in files:
        lines = _Counted(file)
        for fault in verify_lines(lines):
            write(f"{file.name}:{fault.line}: {fault.error}")
            faults += 1
        records += lines.count
    say(f"{records} {'record' if records == 1 else 'records'} checked, {faults} faulty.")
    if faults:
        context.exit(NO)


class _Counted:
    """The lines of a file, counting those that hold a record."""

    def __init__(self, file: IO[bytes]) -> None:
        self.count = 0
        self._file = file

    def __iter__(self) -> Iterator[bytes]:
        for line in self._file:
            self.count += bool(line.strip())
            yield line
