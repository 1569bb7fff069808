"""Awarded byes: the player is left out of the round and named; a bye so awarded is never a bye received."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.pairing import NoPairing, Tournament, check_event, draw, explain_and_compare, pair_round, read_tournament
from rules.engine import BadInput
from tests.examples import examples
from tests.tables import every_row

from .oracles import best_by_full_matching, best_by_trying_all, merit, played_event

Document = dict[str, Any]


def players(points: list[int], awarded: dict[int, list[int]]) -> list[Document]:
    """Return players p0, p1, … with these points; `awarded`: their place → the rounds of their byes."""
    return [
        {"id": f"p{place}", "points": score, **({"byes_awarded": awarded[place]} if place in awarded else {})}
        for place, score in enumerate(points)
    ]


def test_a_player_with_an_awarded_bye_is_left_out_and_named():
    report = pair_round({"players": players([0, 2, 5], {0: [1]})})
    assert (report["awarded_byes"], report["bye"], report["cost"]) == (["p0"], None, 9)
    assert {*report["pairings"][0]} == {"p1", "p2"}


def test_they_are_named_in_the_order_of_the_document_without_dropped_players():
    entered = players([0] * 6, {5: [1], 1: [1, 2], 3: [2], 4: [1]})
    entered[4]["dropped"] = True
    assert pair_round({"players": list(reversed(entered))})["awarded_byes"] == ["p5", "p1"]


def test_everyone_may_have_one():
    report = pair_round({"players": players([0, 0], {0: [1], 1: [1]})})
    assert (report["awarded_byes"], report["pairings"], report["bye"]) == (["p0", "p1"], [], None)


def test_an_awarded_bye_of_an_earlier_round_is_no_bye_received():
    rounds = [[["p0", "p3"], ["p1", "p2"], ["p4", None]]]
    entered = players([3, 3, 2, 1, 0], {4: [1]})
    assert [one.byes for one in read_tournament({"players": entered, "rounds": rounds}).players] == [0] * 5
    assert pair_round({"players": entered, "rounds": rounds})["bye"] == "p4"
    del entered[4]["byes_awarded"]
    assert pair_round({"players": entered, "rounds": rounds})["bye"] == "p3"


@given(st.lists(st.tuples(st.frozensets(st.integers(1, 5)), st.lists(st.booleans(), max_size=4)), max_size=6))
@examples(100)
def test_awarded_byes_never_count_as_received(field):
    """Each player: the rounds of awarded byes, and in which of the rounds so far it sat without an opponent."""
    entered = [
        {"id": f"p{place}", "points": 0, "byes_awarded": sorted(awarded)}
        for place, (awarded, _alone) in enumerate(field)
    ]
    played = [
        [[f"p{place}", None] for place, (_awarded, alone) in enumerate(field) if number < len(alone) and alone[number]]
        for number in range(max((len(alone) for _awarded, alone in field), default=0))
    ]
    received = [sum(here and number not in awarded for number, here in enumerate(alone, 1)) for awarded, alone in field]
    tournament = read_tournament({"players": entered, "rounds": played})
    assert [player.byes for player in tournament.players] == received


def test_byes_given_in_the_document_are_those_received():
    entered = players([3, 3, 0], {2: [1]})
    entered[2]["byes"] = 1
    tournament = read_tournament({"players": entered, "rounds": [[["p0", "p1"], ["p2", None]]]})
    assert tournament.by_id["p2"].byes == 1
    assert draw(tournament).bye != "p2"


def test_a_player_who_played_in_the_round_of_an_awarded_bye_has_met_the_opponent():
    document = {"players": players([3, 0, 0, 0], {0: [1]}), "rounds": [[["p0", "p1"], ["p2", "p3"]]]}
    assert ["p0", "p1"] not in [sorted(pair) for pair in pair_round(document)["pairings"]]


@every_row(
    ("value", "where"),
    [(1, ""), (None, ""), ([0], "/0"), (["1"], "/0"), ([1, -2], "/1"), ([True], "/0"), ([1.5], "/0"), ({}, "")],
)
def test_what_is_no_list_of_rounds_is_a_fault(value, where):
    with pytest.raises(BadInput) as fault:
        pair_round({"players": [{"id": "a", "points": 0, "byes_awarded": value}]})
    assert fault.value.where == f"/players/0/byes_awarded{where}"


def awarded_in(tournament: Tournament, chance: random.Random) -> Tournament:
    """Return the tournament with byes awarded by lot, for this round and others."""
    rounds = range(1, len(tournament.rounds) + 3)
    return replace(
        tournament,
        players=tuple(
            player._replace(byes_awarded=frozenset(n for n in rounds if chance.random() < 0.3))
            for player in tournament.players
        ),
    )


@given(st.integers(0, 10**6))
@examples(200)
def test_the_others_are_paired_as_well_as_can_be(seed):
    chance = random.Random(seed)
    size = chance.randrange(0, 13)
    played = played_event(
        size,
        chance.randrange(0, 5) if size > 1 else 0,
        seed=seed,
        clubs=chance.choice([0, 2]),
        drops=0.1,
        avoid_same_club=chance.random() < 0.5,
        allow_rematch=chance.random() < 0.5,
    )
    tournament = awarded_in(played, chance)
    best = best_by_trying_all(tournament) if size < 9 else best_by_full_matching(tournament)
    try:
        found = draw(tournament)
    except NoPairing:
        assert best is None
        return
    assert merit(tournament, list(found.pairs), found.bye) == best
    seated = [*(player for pair in found.pairs for player in pair), *([found.bye] if found.bye else [])]
    everyone = [player.id for player in tournament.players if not player.dropped]
    assert sorted([*seated, *tournament.awarded_byes]) == sorted(everyone)


def events_rounds(entered: list[Document], number_of_rounds: int, seed: int) -> Document:
    """Return the event file of a tournament whose rounds are all paired by the project and played by lot."""
    chance = random.Random(seed)
    rounds: list[Document] = []
    seats: list[list[list[str | None]]] = []
    for number in range(1, number_of_rounds + 1):
        document = {"seed": seed + number, "players": [dict(one) for one in entered], "rounds": list(seats)}
        report = pair_round(document)
        byes = [*report["awarded_byes"], *([report["bye"]] if report["bye"] else [])]
        seats.append([*report["pairings"], *([player, None] for player in byes)])
        matches = []
        for a, b in seats[-1]:
            winner = "a" if b is None else chance.choice("ab")
            next(one for one in entered if one["id"] == (a if winner == "a" else b))["points"] += 3
            kind = {"kind": "bye"} if b is None else {"kind": "game", "result": {"winner": winner}}
            matches.append({"a": a, "b": b, **kind})
        rounds.append({"number": number, "tournament": document, "matches": matches})
    return {"format": "headjudge-event", "version": 1, "event": {}, "rounds": rounds}


def test_168_entries_with_108_byes_pass_the_checker_in_every_round():
    """As at a world championship: 108 of 168 players begin in round 2, a few of them in round 3."""
    entered = players([0] * 168, {place: [1, 2] if place < 5 else [1] for place in range(108)})
    event = events_rounds(entered, 3, seed=7)
    rounds = [one["tournament"] for one in event["rounds"]]
    assert [len(pair_round(one)["pairings"]) for one in rounds] == [30, 81, 84]
    assert [len(pair_round(one)["awarded_byes"]) for one in rounds] == [108, 5, 0]
    checks = check_event(event)
    assert all(check.is_fine for check in checks), [check.findings for check in checks]
    assert sum("had an awarded bye" in one.text for one in checks[0].findings) == 108


def test_the_checker_misses_a_player_whose_awarded_bye_is_not_in_the_round():
    entered = players([0] * 5, {0: [1]})
    event = events_rounds(entered, 1, seed=1)
    seats = event["rounds"][0]["matches"]
    event["rounds"][0]["matches"] = [one for one in seats if one["a"] != "p0"]
    [check] = check_event(event)
    assert [one.text for one in check.findings if one.is_fault] == [
        "p0 had an awarded bye, but this round doesn't have it."
    ]
    seated = {"a": "p0", "b": "p1", "kind": "game"}
    event["rounds"][0]["matches"] = [one for one in seats if "p0" not in one.values()] + [seated]
    [check] = check_event(event)
    assert not check.is_fine


def test_a_round_seated_by_hand_is_compared_without_awarded_byes():
    document = {"players": players([0] * 4, {0: [1], 3: [1]})}
    explained, compared = explain_and_compare(document, [["p1", "p2"], ["p0", None], ["p3", None]])
    assert explained.bye is None
    assert compared.as_good
    _, compared = explain_and_compare(document, [["p1", "p2"], ["p0", "p3"]])
    assert compared.faults == tuple(f"{player} has an awarded bye but is paired." for player in ("p0", "p3"))
