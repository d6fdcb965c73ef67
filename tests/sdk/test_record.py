"""Game records: written, read, and replayed."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from californiajack import (
    FollowRule,
    InputError,
    RecordError,
    Ruleset,
    Scoring,
    Termination,
)
from californiajack.deal import deck_of
from californiajack.masks import cards_of
from californiajack.record import format_record, parse_record, record_of, replay
from californiajack.rules import Game
from californiajack.verify import verify_record

LINES = (Path(__file__).parents[1] / "vectors" / "games.jsonl").read_text().splitlines()
SEED = bytes(range(16))
rulesets = st.builds(
    Ruleset,
    target=st.integers(1, 12),
    scoring=st.sampled_from(Scoring),
    follow=st.sampled_from(FollowRule),
)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from([10**30, "7d 4s", "00" * 16, "normal", 2, -1, "\ud800"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


def play(ruleset: Ruleset, number: int, first_dealer: int = 0, limit: int = 10**6) -> Game:
    """Plays a game by chance, to its end or up to so many cards."""
    chance = random.Random(number)
    game = Game(ruleset, lambda n: deck_of(SEED, number, n), first_dealer)
    while game.winner is None and limit > 0:
        game.play(chance.choice(cards_of(game.round.legal())))
        limit -= 1
    return game


def test_a_line_is_written_as_it_was_read() -> None:
    """Reading and writing the 48 good records gives the same lines, byte for byte."""
    assert len(LINES) == 48
    assert [format_record(parse_record(line)) for line in LINES] == LINES


@given(rulesets, st.integers(0, 2**64 - 1), st.integers(0, 1), st.integers(0, 300), st.booleans())
def test_record_replay_record(
    ruleset: Ruleset,
    deal: int,
    first_dealer: int,
    limit: int,
    seeded: bool,  # noqa: FBT001 - drawn
) -> None:
    """A record's plays give the same record again when replayed, whole or broken off."""
    game = play(ruleset, deal, first_dealer, limit)
    over = game.winner is not None
    told: dict[str, Any] = {
        "seats": ("ä", "b\n"),
        "seed": SEED if seeded else None,
        "deal": deal,
        "winner": None if over else 1,
        "termination": Termination.NORMAL if over else Termination.CRASH,
    }
    record = record_of(game, **told)
    assert record.winner == (game.winner if over else 1)
    line = format_record(record)
    assert "\n" not in line
    assert parse_record(line) == record
    assert parse_record(record.to_json()) == record
    verify_record(record)
    plays = b"".join(played.plays for played in record.rounds)
    decks = [deck_of(SEED, deal, number) for number in range(30)]
    assert record_of(replay(ruleset, decks.__getitem__, first_dealer, plays), **told) == record


def test_both_seed_and_decks_are_written() -> None:
    """A record holds the seed and the decks; points and score only of whole rounds."""
    game = play(Ruleset(), 3, limit=60)
    data: Any = record_of(
        game, seats=("a", "b"), seed=SEED, deal=3, termination=Termination.TIMEOUT
    ).to_json()
    assert list(data) == [
        "format",
        "ruleset",
        "seed",
        "deal",
        "first_dealer",
        "seats",
        "rounds",
        "result",
    ]
    assert data["seed"] == SEED.hex()
    whole, part = data["rounds"]
    assert list(whole) == ["dealer", "deck", "plays", "points", "score"]
    assert list(part) == ["dealer", "deck", "plays"]
    assert len(part["plays"].split()) == 8
    assert data["result"] == {"winner": None, "termination": "timeout"}


@pytest.mark.parametrize("limit", [0, 52])
def test_a_round_without_plays_is_left_out(limit: int) -> None:
    """A round that was dealt but not played isn't told of."""
    record = record_of(
        play(Ruleset(), 1, limit=limit), seats=("a", "b"), termination=Termination.NEVER_STARTED
    )
    assert len(record.rounds) == limit // 52
    assert record.first_dealer == 0


def test_a_termination_that_does_not_fit_is_refused() -> None:
    """Only a game that was played to its end ends normally, and always does."""
    with pytest.raises(InputError, match="isn't over"):
        record_of(play(Ruleset(), 1, limit=20), seats=("a", "b"))
    with pytest.raises(InputError, match="was played to its end"):
        record_of(play(Ruleset(), 1), seats=("a", "b"), termination=Termination.CRASH)


def test_replay_refuses_what_the_rules_refuse() -> None:
    """An illegal card or one too many raises RecordError with its place."""
    game = play(Ruleset(target=1), 1)
    plays = bytearray(card for played in game.rounds for card in played.plays)
    with pytest.raises(RecordError, match="3 plays come after the game's end") as caught:
        replay(game.ruleset, lambda n: deck_of(SEED, 1, n), 0, bytes(plays) + bytes(3))
    assert (caught.value.clause, caught.value.round_number) == ("R12", len(plays) // 52)
    plays[7] = plays[2]
    with pytest.raises(RecordError, match=r"^round 0: play 7: \w\w is not in the hand") as caught:
        replay(game.ruleset, lambda n: deck_of(SEED, 1, n), 0, bytes(plays))
    assert (caught.value.round_number, caught.value.play_number) == (0, 7)
    assert str(caught.value).count(f"({caught.value.clause})") == 1


MISSING = object()
WRONG: dict[str, list[object]] = {
    "format": [MISSING, None, 1, "", "californiajack.game/2", [], {}],
    "ruleset": [MISSING, None, [], "follow", 1],
    "ruleset.target": [MISSING, None, 0, 101, True, 10.0, "10", 10**5000],
    "ruleset.scoring": [MISSING, None, "", "most", 1, ["most_tricks"]],
    "ruleset.follow": [MISSING, None, "trump", False, {}],
    "seed": [None, 1, "", "zz", "00" * 15, "00" * 65, " " + "0" * 32],
    "deal": [MISSING, None, -1, 2**64, True, 0.0, "0"],
    "first_dealer": [MISSING, None, -1, 2, False, "0", 1.0],
    "seats": [
        *(MISSING, None, "ab", [], ["a"], ["a", 1], ["a", "b", "c"]),
        *(["a", "\udc00"], {"0": "a", "1": "b"}),
    ],
    "rounds": [MISSING, None, {}, "", 3],
    "result": [MISSING, None, [], 1],
    "result.winner": [MISSING, -1, 2, True, "0", []],
    "result.termination": [MISSING, None, "", "NORMAL", "won", 1],
    "rounds.1.dealer": [MISSING, None, 2, True, "1"],
    "rounds.1.deck": [None, 5, "", "2c", "2c " * 52, ["2c"], "7d 1x"],
    "rounds.1.plays": [MISSING, None, 5, ["2c"], "2c 3x", "2c,3c"],
    "rounds.1.points": [None, 4, "3-1", [1], [1, 2, 1], [True, 3], [-1, 4]],
    "rounds.1.score": [None, {}, [1.0, 3], ["1", "3"], [10**5000, 0]],
}


@pytest.mark.parametrize("path", WRONG)
def test_a_malformed_field_is_named(path: str) -> None:
    """A field missing, of the wrong type or out of range raises RecordError with its name."""
    *way, name = path.split(".")
    for value in WRONG[path]:
        data = json.loads(LINES[0])
        place = data
        for step in way:
            place = place[int(step) if step.isdecimal() else step]
        if value is MISSING:
            del place[name]
        else:
            place[name] = value
        with pytest.raises(RecordError, match="expected") as caught:
            parse_record(data)
        assert caught.value.clause == name
        assert caught.value.round_number == (1 if way[:1] == ["rounds"] else None)
        assert len(str(caught.value)) < 250


def test_a_bad_card_is_placed() -> None:
    """A card that is none has its place in the plays told."""
    data = json.loads(LINES[0])
    data["rounds"][1]["plays"] = "2c 3x"
    with pytest.raises(RecordError, match=r"^round 1: play 1: expected a card"):
        parse_record(data)


@pytest.mark.parametrize("round_", [None, 1, "x", [], [{}]])
def test_a_round_is_an_object(round_: object) -> None:
    """Anything but an object in the list of rounds is refused with its number."""
    data = json.loads(LINES[0])
    data["rounds"][2] = round_
    with pytest.raises(RecordError, match=r"^round 2: expected an object"):
        parse_record(data)


def test_a_deck_is_needed_without_a_seed() -> None:
    """A record without a seed has to have a deck in every round; with one it needs none."""
    data = json.loads(LINES[0])
    for played in data["rounds"]:
        del played["deck"]
    verify_record(parse_record(data))
    del data["seed"]
    with pytest.raises(RecordError, match=r"^round 0: expected a text, but the field is missing"):
        parse_record(data)


def test_further_fields_are_ignored() -> None:
    """Unknown fields, anywhere and of any type, change nothing."""
    data = json.loads(LINES[0])
    expected = parse_record(data)
    for place in (data, data["ruleset"], data["result"], *data["rounds"]):
        place["further"] = {"a": [1, None, {}]}
    assert parse_record(data) == parse_record(json.dumps(data)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "null",
        "[]",
        "1",
        '"record"',
        "{",
        "{}}",
        "NaN",
        '{"deal": NaN}',
        '{"deal": -Infinity}',
        '{"further": ' + "9" * 5000 + "}",
        '{"a": 1, "a": 1}',
        "[" * 100_000,
        '{"a":' * 100_000,
        "\ufeff{}",
        "\x00",
        "'format'",
    ],
)
def test_what_is_no_record_is_refused(text: str) -> None:
    """Any other text raises RecordError in one short line, whose clause is the record itself."""
    with pytest.raises(RecordError, match="expected") as caught:
        parse_record(text)
    assert caught.value.clause == "record"
    assert len(str(caught.value)) < 200
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [None, [], 5, "", b"{}", {1: 2}, {None: {}}])
def test_data_that_is_no_record_is_refused(data: Any) -> None:  # noqa: ANN401 - wrong types
    """Data that no JSON parser would give is refused as well."""
    with pytest.raises(RecordError, match="expected"):
        parse_record(data)


def places(data: Any) -> list[tuple[Any, Any]]:  # noqa: ANN401 - JSON is anything
    """All places in JSON data, each as its container and its key."""
    found = []
    if isinstance(data, (dict, list)):
        for key in data if isinstance(data, dict) else range(len(data)):
            found.append((data, key))
            found += places(data[key])
    return found


@given(st.sampled_from(LINES), st.data())
def test_arbitrary_json_raises_nothing_but_record_errors(line: str, data: st.DataObject) -> None:
    """A record with a value replaced by any other is read and verified, or refused cleanly."""
    changed = json.loads(line)
    all_places = places(changed)
    container, key = all_places[data.draw(st.integers(0, len(all_places) - 1))]
    container[key] = copy.deepcopy(data.draw(json_values))
    for source in (changed, json.dumps(changed)):
        try:
            verify_record(parse_record(source))
        except RecordError as error:
            assert "\n" not in str(error)  # noqa: PT017 - most are refused, some are not


@given(st.text() | st.builds(lambda line, cut: line[:cut], st.sampled_from(LINES), st.integers()))
def test_arbitrary_text_raises_nothing_but_record_errors(text: str) -> None:
    """Any text is refused cleanly."""
    if text not in LINES:
        with pytest.raises(RecordError):
            parse_record(text)
