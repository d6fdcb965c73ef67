"""New bots: copies of a template, which is a working bot itself, under a name of their own."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path

import californiajack_referee
from californiajack import InputError
from californiajack_referee.submission.files import list_files
from californiajack_referee.submission.manifest import check_name

_TEMPLATE_NAME = "my-bot"
"""The name that the templates go by, in all of their files."""


class Language(StrEnum):
    """What a new bot is written in; the value is the folder of its template."""

    PYTHON = "python"
    JAVASCRIPT = "javascript"


def write_new_bot(folder: Path, language: Language, name: str | None = None) -> str:
    """Writes a small working bot into a folder, which is made, and gives the bot's name.

    Args:
        folder: where; it must not exist, or be empty.
        language: what the bot is written in.
        name: its name in the league; None for that of the folder.

    Raises:
        InputError: the folder holds something or can't be written, or the name is none.
    """
    name = _name_for(folder) if name is None else check_name(name)
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            kind = "a folder that holds something" if folder.is_dir() else "a file"
            raise InputError(
                f"{folder}: expected a folder that is empty or doesn't exist, found {kind}: "
                "name another one"
            )
        template = templates_folder() / language.value
        for file in list_files(template):
            path = os.fsdecode(file.name)
            text = (template / path).read_text(encoding="utf-8")
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text.replace(_TEMPLATE_NAME, name), encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"{error.filename or folder}: can't be written: {error.strerror}: name another folder"
        ) from None
    return name


def templates_folder() -> Path:
    """Finds the templates: beside the installed package, or in the clone it is installed from.

    Raises:
        InputError: they are in neither place.
    """
    package = Path(californiajack_referee.__file__).parent
    for folder in (package / "bot_templates", package.parents[1] / "bot_templates"):
        if folder.is_dir():
            return folder
    raise InputError(
        "the templates of bots are missing: expected a folder bot_templates in the installed "
        "package or in the clone: install californiajack[referee] again"
    )


def _name_for(folder: Path) -> str:
    # of the folder as the person means it: "." is the current one
    name = folder.resolve().name
    try:
        return check_name(name)
    except InputError as error:
        raise InputError(f"the folder's name is no bot's name: {error}; or give --name") from None
