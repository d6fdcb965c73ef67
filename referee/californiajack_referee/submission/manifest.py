"""`bot.toml`: what a bot's folder says about the bot."""

from __future__ import annotations

import re
import shlex
import tomllib
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import TYPE_CHECKING

from californiajack import InputError

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST = "bot.toml"
LONGEST_NAME = 32
_LARGEST_BYTES = 64 * 1024
_NAME = re.compile(rf"[a-z0-9-]{{1,{LONGEST_NAME}}}")
_LONGEST_TEXT = 200
_EXAMPLE = 'name = "my-bot"\ncommand = ["python", "bot.py"]'


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a bot.toml says."""

    name: str
    """Lower-case letters, digits and ``-``, 1 to 32 of them."""
    command: tuple[str, ...]
    """The program and its arguments, run in the bot's folder."""
    build: tuple[str, ...] = ()
    """The program that builds the bot, run once in its folder; empty where there is none."""
    language: str = ""
    """What it is written in, for people to read."""
    authors: tuple[str, ...] = ()
    """Who wrote it, for people to read."""


_KEYS = [field.name for field in fields(Manifest)]


def read_manifest(folder: Path) -> Manifest:
    """Reads the bot.toml of a bot's folder.

    Raises:
        InputError: there is none, or something in it is not as it has to be.
    """
    path = folder / MANIFEST
    if not folder.exists():
        raise InputError(f"no such folder: {folder}: expected a bot's folder, with a {MANIFEST}")
    if not folder.is_dir():
        raise InputError(
            f"{folder}: expected a bot's folder, found a file: give the folder that has the "
            f"{MANIFEST}, such as {folder.parent}"
        )
    if not path.exists():
        raise InputError(f"no {MANIFEST} in {folder}: write one, such as\n{_EXAMPLE}")
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST_BYTES + 1)
        text = content.decode()
    except OSError as error:
        raise InputError(f"{path}: can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: expected UTF-8 text, found something else") from None
    if len(content) > _LARGEST_BYTES:
        raise InputError(f"{path}: expected at most {_LARGEST_BYTES} bytes, found more")
    try:
        return parse_manifest(text)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def parse_manifest(text: str) -> Manifest:
    """Reads the text of a bot.toml.

    Raises:
        InputError: something in it is not as it has to be.
    """
    try:
        found = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(
            f"expected TOML, found a mistake: {error}; it might look so:\n{_EXAMPLE}"
        ) from None
    for key in found:
        if key not in _KEYS:
            near = get_close_matches(key, _KEYS, n=1)
            meant = f"did you mean {near[0]!r}? " if near else ""
            raise InputError(f"unknown key {key!r}: {meant}expected {', '.join(_KEYS)}")
    for key in ("name", "command"):
        if key not in found:
            raise InputError(f"{key!r} is missing: it might look so:\n{_EXAMPLE}")
    return Manifest(
        name=check_name(found["name"]),
        command=_command("command", found["command"]),
        build=_command("build", found["build"]) if "build" in found else (),
        language=_text("language", found.get("language", "")),
        authors=_authors(found.get("authors", [])),
    )


def check_name(value: object) -> str:
    """Gives a bot's name as it is.

    Raises:
        InputError: it is none.
    """
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise InputError(
            f"name: expected 1 to {LONGEST_NAME} lower-case letters (a to z), digits and '-', "
            f'got {value!r}: write such as name = "my-bot-2"'
        )
    return value


def _command(key: str, value: object) -> tuple[str, ...]:
    expected = (
        f'{key}: expected a list of texts, such as ["python", "{key}.py"], or one text, such as '
        f'"python {key}.py"'
    )
    if isinstance(value, str):
        try:
            value = shlex.split(value)
        except ValueError as error:
            raise InputError(f"{expected}; got {value!r}, which can't be split: {error}") from None
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        raise InputError(f"{expected}; got {value!r}")
    if not value or not value[0]:
        raise InputError(f"{expected}; got one that names no program")
    if any("\0" in part for part in value):
        raise InputError(f"{expected}; got one with a zero byte")
    return tuple(value)


def _text(key: str, value: object) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT or not _printable(value):
        raise InputError(
            f"{key}: expected one line of text of at most {_LONGEST_TEXT} characters, got {value!r}"
        )
    return value


def _authors(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise InputError(f'authors: expected a list of texts, such as ["Ada"], got {value!r}')
    return tuple(_text("authors", author) for author in value)


def _printable(text: str) -> bool:
    # a terminal would obey control characters
    return not text or text.isprintable()
