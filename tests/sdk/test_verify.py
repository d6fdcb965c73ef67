"""The verifier, against the vectors and against a replay by hand."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from californiajack import FollowRule, RecordError, Ruleset, Scoring, Termination
from californiajack.deal import deck_of
from californiajack.masks import cards_of
from californiajack.record import GameRecord, RoundRecord, parse_record, record_of
from californiajack.rules import Game
from californiajack.verify import verify_lines, verify_record

VECTORS = Path(__file__).parents[1] / "vectors"
GOOD = (VECTORS / "games.jsonl").read_text().splitlines()
BROKEN = [json.loads(line) for line in (VECTORS / "broken.jsonl").read_text().splitlines()]
RANKS = "23456789TJQKA"
COUNTS = {"J": 1, "Q": 2, "K": 3, "A": 4, "T": 10}
SEED = bytes(range(16))

# what each kind of fault breaks: a clause of the rules, or a field of the wrong form
CLAUSES = {
    "deck": {"R3"},  # two cards of a deck swapped, so it isn't the seed's
    "twice": {"R5", "R6"},  # a card played that isn't in the hand any more: a lead or a follow
    "revoke": {"R6"},  # the suit led not followed
    "missing_card": {"R9"},  # a round of 51 plays
    "points": {"R10", "R11"},  # a round's points, by the scoring
    "score": {"R12"},  # a wrong total
    "winner": {"R12"},  # the wrong seat has won
    "cut_short": {"R12"},  # the last round is missing, so nobody has won yet
    "dealer": {"R13"},  # the deal doesn't alternate
    "unknown_card": {"plays"},  # a play that is no card's name
    "extra_field_type": {"points"},  # points that are a text
    "format": {"format"},  # another version's
    "target": {"target"},  # a target of 0
}


def test_the_good_vectors_verify() -> None:
    """All 48 good records are accepted."""
    assert len(GOOD) == 48
    assert list(verify_lines(GOOD)) == []


@pytest.mark.parametrize("kind", CLAUSES)
def test_the_broken_vectors_are_refused(kind: str) -> None:
    """Every broken record of a kind is refused with the kind's clause or field."""
    records = [broken["record"] for broken in BROKEN if broken["fault"] == kind]
    assert len(records) >= 3
    for record in records:
        (fault,) = verify_lines([json.dumps(record)])
        assert fault.error.clause in CLAUSES[kind]
        scoring = "R11" if record["ruleset"]["scoring"] == "most_tricks" else "R10"
        if kind == "points":
            assert fault.error.clause == scoring
        in_a_round = kind not in {"format", "target", "winner", "cut_short"}
        assert (fault.error.round_number is not None) == in_a_round
        in_a_play = kind in {"twice", "revoke", "unknown_card"}
        assert (fault.error.play_number is not None) == in_a_play


def test_every_kind_of_fault_is_expected() -> None:
    """The table above names all kinds of the 48 broken records."""
    assert len(BROKEN) == 48
    assert {broken["fault"] for broken in BROKEN} == set(CLAUSES)


def test_many_lines() -> None:
    """A faulty line is found by its number, and the lines after it are checked as well."""
    bad = json.dumps(BROKEN[9]["record"])
    lines: list[str | bytes] = [
        GOOD[0].encode() + b"\r\n",
        bad,
        "\n",
        b"{}\n",
        b"\xff\xfe",
        GOOD[1],
        bad,
    ]
    faults = list(verify_lines(lines))
    assert [fault.line for fault in faults] == [2, 4, 5, 7]
    assert [fault.error.clause for fault in faults] == ["R6", "format", "record", "R6"]
    assert str(faults[0]).startswith("record 2: round 3: play 1: Jh doesn't follow 3c")
    assert "UTF-8" in str(faults[2])


class RefusedError(Exception):
    """The replay by hand found something against the rules."""


def demand(fact: bool) -> None:  # noqa: FBT001 - it is what the function is about
    """Refuses where this isn't so."""
    if not fact:
        raise RefusedError


def by_hand(data: dict[str, Any]) -> None:
    """Replays a well-formed record as a person would with real cards, from its own decks."""
    ended_early = data["result"]["termination"] != "normal"
    totals, winner, dealer = [0, 0], None, data["first_dealer"]
    for number, told in enumerate(data["rounds"]):
        demand(winner is None)
        demand(told["dealer"] == dealer)
        plays = told["plays"].split()
        points = round_by_hand(told["deck"].split(), dealer, plays, data["ruleset"])
        if len(plays) < 52:
            demand(ended_early and number == len(data["rounds"]) - 1)
            demand("points" not in told and told.get("score", totals) == totals)
            continue
        totals = [total + won for total, won in zip(totals, points, strict=True)]
        demand(told.get("points") == points and told.get("score") == totals)
        if totals[0] != totals[1] and max(totals) >= data["ruleset"]["target"]:
            winner = totals.index(max(totals))
        dealer = 1 - dealer
    if ended_early:
        demand(winner is None)
    else:
        demand(winner is not None and data["result"]["winner"] == winner)


def round_by_hand(
    deck: list[str], dealer: int, plays: list[str], ruleset: dict[str, Any]
) -> list[int]:
    """Plays a round with cards that are words; gives its points."""
    demand(len(plays) <= 52)
    hands = {1 - dealer: deck[0:12:2], dealer: deck[1:12:2]}
    stock = deck[12:]
    trump = stock[0][1]
    piles: dict[int, list[str]] = {0: [], 1: []}
    turn, led = 1 - dealer, ""
    for card in plays:
        hand = hands[turn]
        demand(card in hand)
        may_trump = ruleset["follow"] == "follow_or_trump" and card[1] == trump
        if led and card[1] != led[1] and not may_trump:
            demand(all(other[1] != led[1] for other in hand))
        hand.remove(card)
        if not led:
            turn, led = 1 - turn, card
            continue
        if card[1] == led[1]:
            takes = RANKS.index(card[0]) > RANKS.index(led[0])
        else:
            takes = card[1] == trump
        turn = turn if takes else 1 - turn
        piles[turn] += [led, card]
        led = ""
        for seat in (turn, 1 - turn):
            hands[seat] += stock[:1]
            stock = stock[1:]
    points = [sum(rank + trump in piles[seat] for rank in "AJ2") for seat in (0, 1)]
    if ruleset["scoring"] == "most_tricks":
        most = [len(piles[seat]) for seat in (0, 1)]
    else:
        most = [sum(COUNTS.get(card[0], 0) for card in piles[seat]) for seat in (0, 1)]
    if most[0] != most[1]:
        points[most.index(max(most))] += 1
    return points


def accepted(data: dict[str, Any]) -> bool:
    """Whether the verifier accepts a record; the record must be well-formed."""
    record = parse_record(data)
    try:
        verify_record(record)
    except RecordError:
        return False
    return True


def accepted_by_hand(data: dict[str, Any]) -> bool:
    """Whether the replay by hand accepts a record."""
    try:
        by_hand(data)
    except RefusedError:
        return False
    return True


def test_the_good_vectors_replay_by_hand() -> None:
    """All 48 good records can be replayed by hand."""
    assert all(accepted_by_hand(json.loads(line)) for line in GOOD)


def some_record(number: int, ruleset: Ruleset, limit: int) -> dict[str, Any]:
    """A record of a game by chance, with decks and without a seed."""
    chance = random.Random(number)
    game = Game(ruleset, lambda n: deck_of(SEED, number, n), number % 2)
    while game.winner is None and limit > 0:
        game.play(chance.choice(cards_of(game.round.legal())))
        limit -= 1
    how = Termination.NORMAL if game.winner is not None else Termination.DISCONNECT
    return record_of(game, seats=("a", "b"), termination=how, winner=0).to_json()


def change(data: dict[str, Any], chance: random.Random) -> None:
    """Changes one thing in a record, such that it stays well-formed."""
    played = chance.choice(data["rounds"])
    match chance.randrange(10):
        case 0 | 1 | 2:
            field = chance.choice(("plays", "deck"))
            cards = played[field].split()
            if len(cards) > 1:
                one, other = chance.sample(range(len(cards)), 2)
                cards[one], cards[other] = cards[other], cards[one]
            played[field] = " ".join(cards)
        case 3:
            played["plays"] = " ".join(played["plays"].split()[: chance.randrange(53)])
        case 4:
            played["plays"] += " 2c"
        case 5:
            field = chance.choice(("points", "score"))
            played[field] = [chance.randrange(5), chance.randrange(5)]
        case 6:
            played.pop(chance.choice(("points", "score")), None)
        case 7:
            data["result"]["winner"] = chance.choice((0, 1, None))
        case 8:
            data["result"]["termination"] = chance.choice(("normal", "timeout"))
        case _:
            data["rounds"] = data["rounds"][: chance.randrange(len(data["rounds"]) + 1)]


rulesets = st.builds(
    Ruleset,
    target=st.integers(1, 8),
    scoring=st.sampled_from(Scoring),
    follow=st.sampled_from(FollowRule),
)


@given(st.integers(0, 2**32), rulesets, st.integers(1, 300), st.integers(0, 2))
def test_the_verifier_and_a_person_agree(
    number: int, ruleset: Ruleset, limit: int, changes: int
) -> None:
    """Records, changed or not, are accepted if and only if a replay by hand accepts them."""
    data = some_record(number, ruleset, limit)
    if changes == 0:
        assert accepted(data)
    chance = random.Random(number)
    for _ in range(changes):
        if data["rounds"]:
            change(data, chance)
    assert accepted(data) == accepted_by_hand(data)


def test_changes_of_both_sorts_occur() -> None:
    """Of such changed records many are refused, and some are as good as before."""
    verdicts = []
    for number in range(150):
        data = some_record(number, Ruleset(target=3), 200)
        change(data, random.Random(number))
        verdicts.append(accepted(data))
    assert 75 < verdicts.count(False) < 145


@pytest.fixture
def broken_off() -> dict[str, Any]:
    """A record of a game that ended early, in its second round."""
    data = some_record(4, Ruleset(), 70)
    assert len(data["rounds"]) == 2
    return data


@pytest.mark.parametrize("winner", [0, 1, None])
def test_a_game_that_ended_early(broken_off: dict[str, Any], winner: int | None) -> None:
    """A game broken off is accepted with any winner or none, and with the score repeated or not."""
    broken_off["result"]["winner"] = winner
    assert accepted(broken_off)
    broken_off["rounds"][1]["score"] = broken_off["rounds"][0]["score"]
    assert accepted(broken_off)


def test_a_game_without_a_round() -> None:
    """A game that never began has no rounds, and may have neither winner nor decks."""
    data = some_record(4, Ruleset(), 0)
    assert data["rounds"] == []
    assert accepted(data)


def fault_of(data: dict[str, Any]) -> RecordError:
    """What the verifier says of a well-formed record."""
    record = parse_record(data)
    with pytest.raises(RecordError) as caught:
        verify_record(record)
    return caught.value


def test_faults_of_a_game_that_ended_early(broken_off: dict[str, Any]) -> None:
    """What is told of a round broken off is checked as far as it goes."""
    last = broken_off["rounds"][1]
    last["points"] = [2, 2]
    assert fault_of(broken_off).clause == "points"
    del last["points"]
    last["score"] = [9, 9]
    assert fault_of(broken_off).clause == "R12"
    del last["score"]
    plays = last["plays"].split()
    last["plays"] = " ".join([*plays[:-1], plays[0]])
    assert (fault_of(broken_off).round_number, fault_of(broken_off).play_number) == (1, 17)
    last["plays"] = " ".join(plays)
    del broken_off["rounds"][0]["points"]
    assert fault_of(broken_off).clause == "points"


def test_only_the_last_round_may_be_broken_off(broken_off: dict[str, Any]) -> None:
    """A round that goes on in the next one is refused, though the plays are legal in a row (R9)."""
    last = broken_off["rounds"][1]
    plays = last["plays"].split()
    last["plays"] = " ".join(plays[:10])
    broken_off["rounds"].append({**last, "plays": " ".join(plays[10:])})
    assert (fault_of(broken_off).clause, fault_of(broken_off).round_number) == ("R9", 1)


def test_a_decided_game_did_not_end_early() -> None:
    """A game that the cards have decided can't have ended by a crash (R12)."""
    data = json.loads(GOOD[0])
    data["result"]["termination"] = "crash"
    assert fault_of(data).clause == "R12"


def test_a_round_too_many() -> None:
    """A round after the game's end is refused (R12)."""
    data = json.loads(GOOD[0])
    data["rounds"].append(data["rounds"][0])
    assert (fault_of(data).clause, fault_of(data).round_number) == ("R12", 6)


def test_a_card_too_many() -> None:
    """A 53rd play is refused, wherever it came from (R9)."""
    data = json.loads(GOOD[0])
    data["rounds"][0]["plays"] += " " + data["rounds"][1]["plays"].split()[0]
    assert (fault_of(data).clause, fault_of(data).play_number) == ("R9", 52)


def test_a_deck_that_is_not_the_seeds_is_shown_the_card() -> None:
    """A deck and a seed that disagree are refused at the first card that does (R3)."""
    data = json.loads(GOOD[0])
    data["rounds"][2]["deck"] = data["rounds"][1]["deck"]
    error = fault_of(data)
    assert (error.clause, error.round_number) == ("R3", 2)
    assert "card 0 has to be Ts" in str(error)


@pytest.mark.parametrize("deck", [None, b"", bytes(52), bytes(range(1, 53)), bytes(range(53))])
def test_a_record_made_by_hand_needs_decks(deck: bytes | None) -> None:
    """A record value without a seed and without proper decks is refused, not crashed on."""
    rounds = (RoundRecord(0, b"", deck),)
    record = GameRecord(Ruleset(), None, 0, 0, ("a", "b"), rounds, None, Termination.CRASH)
    with pytest.raises(RecordError) as caught:
        verify_record(record)
    assert caught.value.clause == "deck"


def test_a_play_that_is_no_card_in_a_value() -> None:
    """A record value with a number that is no card's is refused (R2)."""
    rounds = (RoundRecord(0, b"\xff"),)
    record = GameRecord(Ruleset(), SEED, 0, 0, ("a", "b"), rounds, None, Termination.CRASH)
    with pytest.raises(RecordError) as caught:
        verify_record(record)
    assert caught.value.clause == "R2"
