"""Writing tables to files: `--format` and `--output`, and files that are there whole or not."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from californiajack import CaliforniaJackError, InputError
from californiajack_referee.cli.output import say, write_piece
from californiajack_referee.show.sheet import Kind, SheetFormat, sheet_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from californiajack_referee.show.sheet import Sheet

_ENDINGS = {
    ".csv": SheetFormat.CSV,
    ".json": SheetFormat.JSON,
    ".md": SheetFormat.MARKDOWN,
    ".parquet": SheetFormat.PARQUET,
}
_ROWS_A_BATCH = 10_000


@dataclass(frozen=True, slots=True)
class Export:
    """Where a table is to go, and as what."""

    format: SheetFormat
    """As what."""
    output: Path | None
    """The file; None for standard output."""


def export_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds `--format` and `--output`, which come as `file_format` and `output`."""
    for option in (
        click.option(
            "-o",
            "--output",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Write the table there; its ending tells the format: .csv, .json, .md, .parquet.",
        ),
        click.option(
            "--format",
            "file_format",
            type=click.Choice([kind.value for kind in SheetFormat]),
            help="Write the table as this, with all its columns (docs/results.md).",
        ),
    ):
        command = option(command)
    return command


def chosen_export(
    file_format: str | None, output: Path | None, *, as_json: bool = False
) -> Export | None:
    """Makes sense of `--format` and `--output`; None where neither is given.

    Raises:
        InputError: no format can be told, `--json` is asked for too, or what it needs is missing.
    """
    if as_json and (file_format is not None or output is not None):
        raise InputError(
            "expected --json, or a table by --format and --output, got both: choose one of them"
        )
    if file_format is not None:
        kind = SheetFormat(file_format)
    elif output is None:
        return None
    elif output.suffix in _ENDINGS:
        kind = _ENDINGS[output.suffix]
    else:
        raise InputError(
            f"--output: expected a file name that ends in {', '.join(_ENDINGS)}, got "
            f"{output.name!r}: choose one of these, or say --format"
        )
    if kind is SheetFormat.PARQUET:
        if output is None:
            raise InputError("--format parquet: expected --output FILE with it, got none")
        need("pyarrow", "parquet", "Parquet")
    return Export(kind, output)


def need(package: str, extra: str, what: str) -> None:
    """Looks for a package that only some commands need.

    Raises:
        InputError: it isn't installed; the message says how to install it.
    """
    if find_spec(package) is None:
        raise InputError(
            f"{what} needs the package {package}, which isn't installed: "
            f"pip install 'californiajack[{extra}]'"
        )


def write_sheet(sheet: Sheet[Any], export: Export) -> None:
    """Writes a sheet; its items are gone through once, and memory stays flat.

    Raises:
        CaliforniaJackError: the file can't be written.
    """
    if export.output is None:
        for piece in sheet_text(sheet, export.format):
            write_piece(piece)
        return
    with whole_file(export.output) as file:
        if export.format is SheetFormat.PARQUET:
            _write_parquet(sheet, file)
        else:
            file.writelines(piece.encode() for piece in sheet_text(sheet, export.format))
    say(f"{export.output} written.")


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Opens a file for writing that appears under its name when it is whole.

    What stood there is replaced; what is no plain file, such as a pipe, is written to as it is.

    Raises:
        CaliforniaJackError: it can't be written.
    """
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
            return
        with tempfile.TemporaryDirectory(prefix=".caljack-", dir=path.absolute().parent) as work:
            made = Path(work) / "made"
            with made.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            made.replace(path)
    except OSError as error:
        raise CaliforniaJackError(
            f"{path}: can't be written ({error.strerror or error}): choose a folder that is there, "
            "is yours and has room"
        ) from error


def _write_parquet(sheet: Sheet[Any], file: IO[bytes]) -> None:
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    types = {Kind.TEXT: pa.string(), Kind.WHOLE: pa.int64(), Kind.REAL: pa.float64()}
    schema = pa.schema([(field.name, types[field.kind]) for field in sheet.fields])
    rows = sheet.rows()
    with ParquetWriter(file, schema) as writer:
        while batch := list(islice(rows, _ROWS_A_BATCH)):
            columns = zip(schema, zip(*batch, strict=True), strict=True)
            arrays = [pa.array(cells, field.type) for field, cells in columns]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
