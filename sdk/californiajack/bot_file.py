"""Bots from files: finds the Bot class that a bot.py defines."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from californiajack.bot import Bot
from californiajack.errors import BotError, InputError
from californiajack.explain import explain

if TYPE_CHECKING:
    from types import ModuleType


_NUMBERS = count()


@dataclass(frozen=True, slots=True)
class LoadedBot:
    """A bot that has been found in a file."""

    name: str
    """The name of the file's folder, or the file's own where it isn't called bot.py."""
    bot: type[Bot]
    """Its class."""


def load_bot(path: str | Path) -> LoadedBot:
    """Loads the one Bot class that a file defines.

    The file is run as a module, so its ``if __name__ == "__main__"`` part is not. It may import
    other modules of its folder at its top; two bots never share such a module.

    Args:
        path: a Python file, or a folder with a bot.py in it.

    Raises:
        InputError: there is no such file, or it doesn't define exactly one Bot class.
        BotError: running the file failed.
    """
    file = Path(path).resolve()
    if file.is_dir():
        file /= "bot.py"
    if file.suffix != ".py" or not file.is_file():
        raise InputError(
            f"{path}: expected a Python file that defines a bot, or a folder with a bot.py in it"
        )
    module = _run(file)
    bots = [
        value
        for value in vars(module).values()
        if inspect.isclass(value)
        and issubclass(value, Bot)
        and value.__module__ == module.__name__
        and not inspect.isabstract(value)
    ]
    if len(bots) != 1:
        found = ", ".join(bot.__name__ for bot in bots) or "none"
        raise InputError(
            f"{path}: expected one class that extends Bot and has a choose(), found {found}"
        )
    return LoadedBot(file.parent.name if file.name == "bot.py" else file.stem, bots[0])


def _run(file: Path) -> ModuleType:
    name = f"californiajack_bot_{next(_NUMBERS)}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise InputError(f"{file}: expected a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    before = set(sys.modules)
    sys.path.insert(0, str(file.parent))
    try:
        spec.loader.exec_module(module)
    except SystemExit as error:
        raise BotError(
            f"{file}: it ended the program; expected run() to stand under "
            'if __name__ == "__main__":'
        ) from error
    except Exception as error:
        raise BotError(f"{file}: running it failed: {explain(error)}") from error
    finally:
        with suppress(ValueError):  # the bot may have changed the path itself
            sys.path.remove(str(file.parent))
        _forget_neighbours(file.parent, set(sys.modules) - before)
    return module


def _forget_neighbours(folder: Path, imported: set[str]) -> None:
    """Takes a folder's own modules out of the table, so that the next bot gets its own."""
    own = {
        name
        for name in imported
        if (origin := getattr(sys.modules[name], "__file__", None)) is not None
        and Path(origin) in (folder / f"{name}.py", folder / name / "__init__.py")
    }
    for name in imported:
        if name.partition(".")[0] in own:
            del sys.modules[name]
