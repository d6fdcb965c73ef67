"""Two bots against each other in one process."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from californiajack import (
    CARDS,
    Bot,
    BotError,
    Card,
    FollowRule,
    GameEnd,
    GameStart,
    IllegalPlayError,
    InputError,
    Outcome,
    Player,
    RoundEnd,
    RoundStart,
    Ruleset,
    Scoring,
    Termination,
    View,
)
from californiajack.deal import bot_seed_of
from californiajack.intervals import points_interval, score_interval
from californiajack.local import main, play_game, play_match, play_pair
from californiajack.record import format_record
from californiajack.verify import verify_lines, verify_record

if TYPE_CHECKING:
    from pathlib import Path

SEED = bytes(range(16))


class Chance(Bot):
    """Plays any legal card."""

    def choose(self, view: View) -> Card:
        """Takes one by chance."""
        return self.rng.choice(view.legal)


class High(Bot):
    """Plays its highest legal card: better than chance."""

    def choose(self, view: View) -> Card:
        """Takes the highest."""
        return max(view.legal, key=lambda card: (card.suit is view.trump, card.rank))


class Diary(Chance):
    """Writes down all that it is told."""

    def __init__(self) -> None:
        """Starts with empty pages."""
        self.told: list[Any] = []

    def choose(self, view: View) -> Card:
        """Writes the view down."""
        self.told.append(view)
        return super().choose(view)

    def on_game_start(self, start: GameStart) -> None:
        """Writes it down."""
        self.told.append((start, self.rng.getstate()))

    def on_round_start(self, start: RoundStart) -> None:
        """Writes it down."""
        self.told.append(start)

    def on_round_end(self, end: RoundEnd) -> None:
        """Writes it down."""
        self.told.append(end)

    def on_game_end(self, end: GameEnd) -> None:
        """Writes it down."""
        self.told.append(end)


@pytest.mark.parametrize("scoring", Scoring)
@pytest.mark.parametrize("follow", FollowRule)
def test_games_verify(scoring: Scoring, follow: FollowRule) -> None:
    """Local games of every ruleset make records that verify."""
    ruleset = Ruleset(7, scoring, follow)
    for deal in range(10):
        record = play_game(
            Chance, High, seed=SEED, deal=deal, first_dealer=deal % 2, ruleset=ruleset
        )
        verify_record(record)
        assert record.termination is Termination.NORMAL
        assert (record.ruleset, record.seed, record.deal) == (ruleset, SEED, deal)
        assert (record.first_dealer, record.seats) == (deal % 2, ("first", "second"))


def test_the_same_seed_gives_the_same_games() -> None:
    """A match is repeated card by card from its seed, and differs with another one."""
    match = play_match(Chance, Chance, pairs=3, seed=SEED)
    assert play_match(Chance, Chance, pairs=3, seed=match.seed) == match
    assert play_match(Chance, Chance, pairs=3, seed=SEED[::-1]).records != match.records


def test_without_a_seed_every_match_is_new() -> None:
    """Where no seed is given one is drawn, and told."""
    one, other = (play_match(Chance, Chance, pairs=1) for _ in range(2))
    assert one.seed != other.seed
    assert one.records[0].seed == one.seed


def test_the_games_of_a_pair_swap_the_seats() -> None:
    """A pair is one deal twice: same decks, same first dealer, the other way round."""
    pair = play_pair(Chance, High, seed=SEED, deal=9, names=("chance", "high"))
    one, other = pair.records
    assert (one.seats, other.seats) == (("chance", "high"), ("high", "chance"))
    assert one.deal == other.deal == 9
    assert one.first_dealer == other.first_dealer == 0
    assert one.rounds[0].deck == other.rounds[0].deck
    won = [record.seats[record.winner or 0] for record in pair.records]
    assert pair.wins == (won.count("chance"), won.count("high"))


def test_a_match_counts_by_bot() -> None:
    """Wins are counted by bot, not by seat, and the better bot has more of them."""
    match = play_match(High, Chance, pairs=30, seed=SEED, names=("high", "chance"))
    assert len(match.records) == sum(match.wins) == 60
    assert [record.deal for record in match.records] == [deal // 2 for deal in range(60)]
    won = [record.seats[record.winner or 0] for record in match.records]
    assert match.wins == (won.count("high"), won.count("chance"))
    assert match.wins[0] > 30
    assert play_match(High, Chance, pairs=0, seed=SEED).wins == (0, 0)


def test_hooks_come_in_order() -> None:
    """A bot is told the start, each round's start, turns and end, and the end, in this order."""
    diaries: list[Diary] = []

    def make() -> Diary:
        diaries.append(Diary())
        return diaries[-1]

    record = play_game(make, make, seed=SEED, deal=2, first_dealer=1)
    assert len(diaries) == 2
    for seat, diary in enumerate(diaries):
        (start, state), *told, end = diary.told
        dealer = Player.ME if seat == 1 else Player.OPPONENT
        bot_seed = bot_seed_of(SEED, 2, 1, seat)
        assert start == GameStart(Ruleset(), dealer, bot_seed)
        assert state == random.Random(bot_seed).getstate()
        for number, played in enumerate(record.rounds):
            begun = told.pop(0)
            assert isinstance(begun, RoundStart)
            assert begun.round_number == number
            assert (begun.dealer is Player.ME) == (played.dealer == seat)
            turns = 0
            while isinstance(told[0], View):
                view = told.pop(0)
                assert view.round_number == number
                assert len(view.legal) > 1
                assert view.time_left.total_seconds() == 0
                turns += 1
            assert 10 < turns < 26
            ended = told.pop(0)
            assert isinstance(ended, RoundEnd)
            assert played.score is not None
            assert (ended.score, ended.opponent_score) == played.score[:: 1 - 2 * seat]
        assert told == []
        assert isinstance(end, GameEnd)
        assert end.outcome is (Outcome.WON if record.winner == seat else Outcome.LOST)
        assert end.termination is Termination.NORMAL
        assert f"{end.score} to {end.opponent_score}" in end.reason


def test_hooks_set_on_the_object_are_called_too() -> None:
    """A hook may also be an attribute of the bot itself."""
    called: list[object] = []

    def make() -> Bot:
        bot: Any = Chance()
        bot.on_game_end = called.append
        return bot  # type: ignore[no-any-return] # mypy won't have a method assigned to

    play_game(make, Chance, seed=SEED)
    assert len(called) == 1


def faulty(**methods: object) -> Any:  # noqa: ANN401 - such classes have no type of their own
    """A class like Chance with other methods."""
    return type("Faulty", (Chance,), methods)


def oops(*_: object) -> Card:
    """Fails as a bot may."""
    raise ZeroDivisionError("no luck")


@pytest.mark.parametrize(
    "method",
    ["__init__", "choose", "on_game_start", "on_round_start", "on_round_end", "on_game_end"],
)
def test_an_exception_names_the_bot(method: str) -> None:
    """Whatever a bot raises becomes a BotError that names bot and method, with its cause."""
    with pytest.raises(BotError, match=r"^unlucky \(seat 1\): .*no luck") as caught:
        play_game(Chance, faulty(**{method: oops}), seed=SEED, names=("lucky", "unlucky"))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert (method if method != "__init__" else "making the bot") in str(caught.value)
    assert "test_local.py" in str(caught.value)


def illegal(_: Bot, view: View) -> Card:
    """Chooses a card that it hasn't got."""
    return next(card for card in CARDS if card not in view.hand)


def revoking(_: Bot, view: View) -> Card:
    """Doesn't follow suit if it can help it."""
    return next((card for card in view.hand if card not in view.legal), view.legal[0])


@pytest.mark.parametrize(("choose", "clauses"), [(illegal, "R5 R6"), (revoking, "R6")])
def test_an_illegal_card_names_bot_clause_and_legal_cards(choose: object, clauses: str) -> None:
    """An illegal card becomes a BotError with the clause, the legal cards and its cause."""
    with pytest.raises(
        BotError, match=r"^first \(seat 0\): choose\(\) is illegal in round"
    ) as caught:
        play_game(faulty(choose=choose), Chance, seed=SEED)
    cause = caught.value.__cause__
    assert isinstance(cause, IllegalPlayError)
    assert cause.clause in clauses.split()
    assert f"({cause.clause})" in str(caught.value)
    assert " are legal" in str(caught.value)


def test_an_answer_that_is_no_card() -> None:
    """A number where a card should be becomes a BotError that says so."""
    with pytest.raises(BotError, match="expected a Card"):
        play_game(faulty(choose=lambda _self, view: int(view.legal[0])), Chance, seed=SEED)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"seed": bytes(15)}, "seed: expected 16 to 64 bytes"),
        ({"deal": -1}, "deal: expected"),
        ({"deal": 2**64}, "deal: expected"),
        ({"first_dealer": 2}, "first_dealer: expected"),
    ],
)
def test_wrong_arguments_are_refused(wrong: dict[str, Any], words: str) -> None:
    """A seed, deal or dealer out of range raises InputError."""
    with pytest.raises(InputError, match=words):
        play_game(Chance, Chance, **{"seed": SEED, **wrong})


@pytest.mark.parametrize("wrong", [{"pairs": -1}, {"pairs": 0, "seed": b""}])
def test_wrong_arguments_of_a_match_are_refused(wrong: dict[str, Any]) -> None:
    """A match wants pairs and a seed in their ranges as well."""
    with pytest.raises(InputError, match="expected"):
        play_match(Chance, Chance, **wrong)


CHANCE = """
from californiajack import Bot, run
class Chance(Bot):
    def choose(self, view):
        return self.rng.choice(view.legal)
if __name__ == "__main__":
    run(Chance)
"""


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    """A folder with some bots."""
    for name, text in {
        "chance": CHANCE,
        "last": CHANCE.replace("self.rng.choice(view.legal)", "view.legal[-1]"),
        "broken": CHANCE.replace("self.rng.choice", "self.wrong.choice"),
        "syntax": "def",
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.py").write_text(text)
    return tmp_path


def test_the_command(bots: Path) -> None:
    """The module run as a program plays, prints the wins and the seed, and writes good records."""
    records = bots / "games.jsonl"
    command = [sys.executable, "-m", "californiajack.local", "chance", "last/bot.py"]
    command += ["--pairs", "3", "--seed", SEED.hex(), "--records", str(records)]
    run = subprocess.run(command, cwd=bots, capture_output=True, text=True, check=False, timeout=50)
    assert (run.returncode, run.stderr) == (0, "")
    lines = records.read_text().splitlines()
    assert len(lines) == 6
    assert list(verify_lines(lines)) == []
    won = [data["seats"][data["result"]["winner"]] for data in map(json.loads, lines)]
    wins = won.count("chance"), won.count("last")
    first, scored, seed = run.stdout.splitlines()
    assert first == f"chance won {wins[0]} of 6 games, last won {wins[1]}."
    assert scored.startswith(f"Pair score of chance (95 %): {100 * wins[0] / 6:.1f} % (")
    assert seed == f"Seed: {SEED.hex()}"


def test_the_command_says_how_sure_its_result_is(
    bots: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The pair score and the points a round have intervals over pairs, made from the records."""
    records = bots / "games.jsonl"
    words = ["--pairs", "8", "--seed", SEED.hex(), "--records", str(records)]
    assert main([str(bots / "chance"), str(bots / "last"), *words]) == 0
    games = [json.loads(line) for line in records.read_text().splitlines()]
    won, made, counts = [], [], []
    for one, two in zip(games[::2], games[1::2], strict=True):
        won.append(sum(game["seats"][game["result"]["winner"]] == "chance" for game in (one, two)))
        points = [
            played["points"][seat] - played["points"][1 - seat]
            for seat, game in enumerate((one, two))
            for played in game["rounds"]
        ]
        made.append(sum(points))
        counts.append(len(points))
    low, high = score_interval(*(won.count(games) for games in range(3)))
    below, above = points_interval(
        *(len(won), sum(made), sum(counts), sum(d * d for d in made), sum(r * r for r in counts)),
        sum(d * r for d, r in zip(made, counts, strict=True)),
    )
    out = capsys.readouterr().out
    assert f"({100 * low:.1f}-{100 * high:.1f})" in out
    assert f"{sum(made) / sum(counts):+.2f} ({below:.2f} to {above:.2f})." in out


def test_no_pairs_are_no_score(bots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --pairs 0 there is nothing to be sure of."""
    path = str(bots / "chance")
    assert main([path, path, "--pairs", "0", "--seed", SEED.hex()]) == 0
    assert "Pair score" not in capsys.readouterr().out


def test_the_command_plays_as_the_function_does(
    bots: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command and `play_match` give the same games from the same seed."""
    records = bots / "games.jsonl"
    path = str(bots / "chance")
    assert main([path, path, "--pairs", "2", "--seed", SEED.hex(), "--records", str(records)]) == 0
    names = ("chance-1", "chance-2")
    match = play_match(Chance, Chance, pairs=2, seed=SEED, names=names)
    assert records.read_text().splitlines() == [format_record(game) for game in match.records]
    assert capsys.readouterr().out.startswith(f"chance-1 won {match.wins[0]} of 4 games")


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ("chance nowhere", 2, "nowhere: expected a Python file"),
        ("chance chance --seed xyz", 2, "seed: expected hexadecimal"),
        ("chance chance --records nowhere/games.jsonl", 2, "can't be written"),
        ("chance broken --pairs 1", 1, "broken (seat 1): choose() failed in round 0 at play"),
        ("syntax chance", 1, "SyntaxError"),
    ],
)
def test_what_the_command_says_of_errors(  # noqa: PLR0917 - a table's columns and fixtures
    bots: Path,
    arguments: str,
    status: int,
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Wrong use gives status 2, a failing bot 1, each with a plain message and no traceback."""
    monkeypatch.chdir(bots)
    assert main(arguments.split()) == status
    printed = capsys.readouterr()
    assert words in printed.err
    assert "Traceback" not in printed.err
    assert printed.out == ""


@pytest.mark.parametrize(
    "arguments", ["", "one", "one two three", "a b --pairs -1", "a b --pairs x", "a b --fast"]
)
def test_a_wrong_command_line(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A command line that can't be understood gives status 2 and the usage."""
    with pytest.raises(SystemExit) as caught:
        main(arguments.split())
    assert caught.value.code == 2
    assert "usage: python -m californiajack.local" in capsys.readouterr().err
