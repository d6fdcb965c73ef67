"""`run`: the whole of a bot process, from dialling the referee to its farewell."""

from __future__ import annotations

import gc
import os
import queue
import random
import sys
import traceback
from operator import methodcaller
from typing import TYPE_CHECKING, Any

import grpc

from californiajack import wire
from californiajack.bot import Bot, BotFactory, choose_card, make_bot
from californiajack.errors import ConnectionLostError, InputError
from californiajack.explain import explain
from californiajack.memory import hide_memory
from californiajack.replies import Replies
from californiajack.view import GameStart, View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ADDRESS_VARIABLE = "CALJACK_ADDRESS"
TOKEN_VARIABLE = "CALJACK_TOKEN"  # noqa: S105 - the variable's name, no secret
MOST_GAMES = 1024
_CHANNEL_OPTIONS = (
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
    ("grpc.enable_http_proxy", 0),
)


def run(factory: BotFactory, *, max_games: int = 512) -> None:
    """Plays until the referee has no more games: the last line of a bot's program.

    The referee starts the program with CALJACK_ADDRESS and CALJACK_TOKEN in its environment. An
    exception in one game's bot is printed with its traceback and gives up that game; the others go
    on. Ends the process with exit status 1 when the referee is lost or refuses the bot, 2 when the
    environment lacks the two variables.

    Args:
        factory: a Bot class, or a function that makes a new Bot; called once for every game.
        max_games: how many games to play at once at most, 1 to 1024. The bot's `choose` is never
            called by two threads at once, however many games it plays.

    Raises:
        InputError: `max_games` is out of range.
    """
    if not 1 <= max_games <= MOST_GAMES:
        raise InputError(f"max_games: expected a number from 1 to {MOST_GAMES}, got {max_games}")
    address = os.environ.get(ADDRESS_VARIABLE)
    token = os.environ.get(TOKEN_VARIABLE)
    if not address or not token:
        sys.stderr.write(
            "This program is a California Jack bot; the referee starts it.\n"
            "To let it play, submit its folder (with a bot.toml): caljack submit FOLDER\n"
            f"(Expected {ADDRESS_VARIABLE} and {TOKEN_VARIABLE} in the environment.)\n"
        )
        sys.exit(2)
    hide_memory()  # the token stands in it
    # what is there now stays to the end: no need to look through it for garbage, then least of all
    gc.freeze()
    try:
        _converse(factory, address, token, max_games)
    except ConnectionLostError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(1)


def _converse(factory: BotFactory, address: str, token: str, max_games: int) -> None:
    # gRPC takes requests from an iterator, in a thread of its own; None ends it
    outbox: queue.SimpleQueue[wire.PlayRequest | None] = queue.SimpleQueue()
    requests: Iterator[wire.PlayRequest] = iter(outbox.get, None)
    with grpc.insecure_channel(address, options=_CHANNEL_OPTIONS) as channel:
        try:
            outbox.put(wire.hello(token, max_games, f"californiajack Python {sys.version[:6]}"))
            table = Table(factory, Replies(outbox.put))
            for response in wire.play(channel, requests):
                message = wire.read(response)
                if isinstance(message, wire.Batch):
                    table.handle(message)
                elif isinstance(message, wire.Welcome):
                    outbox.put(wire.ready())
                elif isinstance(message, wire.Fault):
                    raise ConnectionLostError(
                        f"The referee ended the conversation: {message.message} ({message.reason})"
                    )
                else:
                    outbox.put(wire.goodbye())
                    outbox.put(None)
        except grpc.RpcError as error:
            raise ConnectionLostError(_describe(error, address)) from error
        finally:
            outbox.put(None)


def _describe(error: grpc.RpcError, address: str) -> str:
    # what a stream raises is a grpc.Call too, which the types don't say
    call: Any = error
    return f"The referee at {address} is gone: {call.details()} ({call.code()})"


class Table:
    """The games that one bot process is playing, each with a bot object of its own."""

    def __init__(self, factory: BotFactory, replies: Replies) -> None:
        """Starts with no games."""
        self._factory = factory
        self._replies = replies
        self._bots: dict[int, Bot] = {}

    def handle(self, batch: wire.Batch) -> None:
        """Takes the news of all games, then answers the turns."""
        for game, start in batch.game_starts:
            self._start(game, start)
        for game, round_end in batch.round_ends:
            self._tell(game, methodcaller("on_round_end", round_end))
        for game, game_end in batch.game_ends:
            self._tell(game, methodcaller("on_game_end", game_end))
            self._bots.pop(game, None)
        for game, round_start in batch.round_starts:
            self._tell(game, methodcaller("on_round_start", round_start))
        to_come = len(batch.turns)
        self._replies.begin()
        for turn, game, seen in batch.turns:
            to_come -= 1
            bot = self._bots.get(game)
            if bot is None:
                continue  # given up already, its turns need no answer
            try:
                card = choose_card(bot, View(seen))  # type: ignore[arg-type] # an Observation, but read later
            except Exception as error:  # noqa: BLE001 - whatever the author's code raises
                self._give_up(game, error)
            else:
                self._replies.add(turn, card, to_come)
        self._replies.flush()

    def _start(self, game: int, start: GameStart) -> None:
        try:
            rng = random.Random(start.bot_seed)  # noqa: S311 - for play, not for secrets
            bot = self._bots[game] = make_bot(self._factory, rng)
            bot.on_game_start(start)
        except Exception as error:  # noqa: BLE001 - whatever the author's code raises
            self._give_up(game, error)

    def _tell(self, game: int, hook: Callable[[Bot], None]) -> None:
        bot = self._bots.get(game)
        if bot is None:
            return
        try:
            hook(bot)
        except Exception as error:  # noqa: BLE001 - whatever the author's code raises
            self._give_up(game, error)

    def _give_up(self, game: int, error: Exception) -> None:
        self._bots.pop(game, None)
        traceback.print_exception(error)
        self._replies.forfeit(game, explain(error))
