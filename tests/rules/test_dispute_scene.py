"""A dispute set up on its own page: a figure's sheet, chips for what matters, presets, terrain drawn; without scripts."""

import json
import re

import pytest
from django.core.cache import cache
from django.urls import reverse

from rules.dispute.replay import after
from rules.dispute.scene import CHIPS, PRESETS, chips, with_chip
from rules.engine import EDITIONS, adjudicate, line_of_fire
from rules.services.disputes import begin_dispute
from tests.rules.engine.fights import battle, fighter
from tests.rules.engine.golden import CASES
from tests.rules.test_disputes_pages import SHOT, at, change, piece, position, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def open_row(client):
    """Return `open_row(document, **more)`, which begins a dispute and opens it as its judge."""
    cache.clear()

    def begun(document=None, **more):
        row = begin_dispute(document=document or position(), **more)
        client.get(row.judging_address(), follow=True)
        return row

    return begun


def golden_cases(path):
    """Yield the names and position files of the golden disputes in a file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        name, edition = case.pop("id"), case.pop("edition")
        for key in ("why", "cite", "expect"):
            del case[key]
        sides = [[fighter(**one) for one in case.pop(side)] for side in ("mine", "theirs")]
        yield name, battle(edition, *sides, *case.pop("actions", []), **case)


def joker(row):
    row.refresh_from_db()
    return row.document["sides"][1]["characters"][0]


def test_a_tap_on_the_sheet_changes_the_figure_and_nothing_else(client, open_row):
    document = position()
    document["sides"][1]["characters"][0] |= {
        "dial": [
            {"speed": 8, "attack": 9, "defense": 16, "damage": 2, "powers": ["Stealth"]} | {"attack": 9 - n}
            for n in range(4)
        ]
    }
    row = open_row(document)
    assert "Joker's sheet" in words(client.get(at(row)))
    before = joker(row)
    shown = change(client, row, "sheet", figure="joker", click="3")
    assert re.search(r'name="click" value="3" aria-pressed="true"', shown.content.decode())
    assert joker(row) == {**before, "click": 3}
    change(client, row, "sheet", figure="joker", tokens="2")
    change(client, row, "sheet", figure="joker", power="Toughness")
    after = joker(row)
    assert [click["powers"] for click in after["dial"]] == [
        ["Stealth"],
        ["Stealth"],
        ["Stealth", "Toughness"],
        ["Stealth"],
    ]
    assert after["tokens"] == 2
    change(client, row, "sheet", figure="joker", power="Toughness")
    change(client, row, "sheet", figure="joker", tokens="0", click="1")
    assert joker(row) == {**before, "click": 1, "tokens": 0}


def test_powers_and_values_of_a_plain_figure_are_on_every_click(client, open_row):
    row = open_row()
    change(client, row, "sheet", figure="joker", power="Stealth")
    shown = change(client, row, "sheet", figure="joker", **{"value-defense": "18", "range": "5"})
    assert all("Stealth" in one["powers"] and one["defense"] == 18 for one in joker(row)["dial"])
    assert joker(row)["range"] == 5
    assert "Joker's sheet" in words(shown)
    refused = change(client, row, "sheet", figure="joker", **{"value-defense": "x"})
    assert "Defense: enter a whole number" in words(refused)
    assert joker(row)["dial"][0]["defense"] == 18


def test_a_modifier_counts_in_the_sum(client, open_row):
    row = open_row()
    for _time in range(2):
        change(client, row, "sheet", figure="batman", modify="attack:+1")
    row.refresh_from_db()
    report = adjudicate({**row.document, "actions": [SHOT | {"rolls": {"attack": [[5, 4]]}}]})
    assert next(step for step in report["steps"] if step["step"] == "attack-roll")["numbers"]["total"] == 21
    for _time in range(2):
        change(client, row, "sheet", figure="batman", modify="attack:-1")
    row.refresh_from_db()
    assert row.document["sides"][0]["characters"][0]["modifiers"] == []
    assert "Choose one." in words(change(client, row, "sheet", figure="batman", modify="attack:+9"))


def test_the_sheet_of_a_figure_that_has_acted_replays_its_action(client, open_row):
    row = open_row(position(SHOT | {"rolls": {"attack": [[5, 4]], "super-senses:joker": [[2]]}}))
    shown = client.get(f"{at(row)}?sheet=joker")
    assert "Headjudge replays the actions after each change." in words(shown)
    assert "hit" in words(client.get(at(row)))
    change(client, row, "sheet", figure="joker", **{"value-defense": "30"})
    row.refresh_from_db()
    assert len(row.document["actions"]) == 1
    assert ": miss" in words(client.get(at(row)))


@pytest.mark.parametrize(
    ("key", "line"),
    [("wall", "blocked"), ("window", None), ("hindering", "hindered"), ("target-hindering", "hindered")],
)
@pytest.mark.parametrize("stands", ["G2", "G7", "B8", "E5", "A6"])
def test_a_chip_is_tapped_on_and_off(client, open_row, key, line, stands):
    document = position(edition="core-modern")
    document["map"]["terrain"] = []
    document["sides"][1]["characters"][0]["square"] = stands
    row = open_row(document)
    ends = {"figure": "batman", "target": "joker"}
    shown = change(client, row, f"chip:{key}", **ends)
    assert re.search(rf'value="chip:{key}" aria-pressed="true"', shown.content.decode())
    row.refresh_from_db()
    if line:
        assert line_of_fire(row.document, "batman", "joker")["result"] == line
    change(client, row, f"chip:{key}", **ends)
    row.refresh_from_db()
    assert row.document["map"]["terrain"] == []
    assert not row.document["map"].get("walls")


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_chip_gives_a_position_that_the_engine_reads(edition):
    document = position(edition=edition)
    document["map"]["terrain"] = []
    offered = [one.key for one in chips(document, "batman", "joker")]
    assert set(CHIPS) - {"window"} <= set(offered)
    for key in offered:
        changed = with_chip(document, key, "batman", "joker")
        assert adjudicate(changed)["legal"], key
        assert [one.on for one in chips(changed, "batman", "joker") if one.key == key] == [True]
        again = with_chip(changed, key, "batman", "joker")
        assert [one.on for one in chips(again, "batman", "joker") if one.key == key] == [False]


def test_chips_are_for_two_figures_before_the_first_action(client, open_row):
    row = open_row()
    assert "Choose who acts" in words(change(client, row, "chip:wall", figure="batman", target="nobody"))
    assert "Choose who acts" in words(change(client, row, "chip:nonsense", figure="batman", target="joker"))
    change(client, row, "act", figure="batman", option="ranged||joker")
    assert "This dispute already has actions. Remove them first" in words(
        change(client, row, "chip:wall", figure="batman", target="joker")
    )


@pytest.mark.parametrize("key", PRESETS)
def test_a_preset_places_both_figures(client, open_row, key):
    row = open_row(
        {"edition": "car-2002", "sides": [{"player": player, "characters": []} for player in "AB"]},
        waiting=[{"player": "A", "piece": piece("Ann")}, {"player": "B", "piece": piece("Bo")}],
    )
    assert f'value="preset:{key}"' in client.get(at(row)).content.decode()
    shown = words(change(client, row, f"preset:{key}"))
    assert "Ann → Bo" in shown
    row.refresh_from_db()
    assert row.waiting == []
    assert adjudicate(row.document)["legal"]
    assert row.document["sides"][0]["characters"][0].get("tokens", 0) == (1 if key == "pushed" else 0)
    assert "Both figures can be placed at once only on an empty board. Place the figures one by one." in words(
        change(client, row, f"preset:{key}")
    )


def test_presets_are_for_an_empty_board(client, open_row):
    row = open_row(position(), waiting=[{"player": "Ann", "piece": piece("Robin")}])
    assert "preset:" not in client.get(at(row)).content.decode()
    assert "Both figures can be placed at once only on an empty board. Place the figures one by one." in words(
        change(client, row, "preset:open")
    )


def test_terrain_is_drawn_on_the_page_itself(client, open_row):
    row = open_row()
    assert "Draw terrain" in words(client.get(f"{at(row)}?brush=terrain:blocking"))
    shown = change(client, row, "draw", brush="terrain:blocking", where="E4:F5")
    assert "Draw terrain" in words(shown)
    row.refresh_from_db()
    assert {"type": "blocking", "squares": ["E4:F5"]} in row.document["map"]["terrain"]
    refused = change(client, row, "draw", brush="terrain:blocking", where="Z99")
    assert re.search(r'id="fault-where">Z99 isn.{1,6}t on the map', refused.content.decode())
    assert 'value="Z99"' in refused.content.decode()
    assert "This brush doesn’t exist" in words(change(client, row, "draw", brush="x", where="A1")).replace(
        "'", "’"
    ).replace("&#x27;", "’")


@pytest.mark.parametrize("do", ["sheet", "chip:wall", "preset:open", "draw"])
def test_a_reader_changes_nothing(client, open_row, do):
    row = open_row()
    client.cookies.clear()
    given = {"do": do, "figure": "batman", "target": "joker", "brush": "terrain:water", "where": "B2", "click": "2"}
    answer = client.post(reverse("rules:dispute", args=[row.public_id]), given)
    assert answer.status_code == 403
    row.refresh_from_db()
    assert row.version == 1


def test_the_board_is_also_a_table(client, open_row):
    document = position(objects=[{"id": "o", "kind": "heavy", "square": "B2", "special": False}])
    document["map"] |= {"walls": ["C4|D4"], "markers": [{"kind": "debris", "square": "E5"}]}
    told = words(client.get(at(open_row(document)))).partition("Figures and terrain by square")[2]
    for line in (
        "Batman Ann A1",
        "Joker Bo G2",
        "hindering terrain D1:D3",
        "debris E5",
        "heavy object B2",
        "wall C4|D4",
    ):
        assert line in told


def test_the_sheet_shows_what_a_figure_is_equipped_with_and_what_counts_for_it(client, open_row):
    document = position(edition="core-modern")
    joker = document["sides"][1]["characters"][0]
    joker |= {"named_tokens": {"Web": {"batman": 2}}, "dials": [joker["dial"]], "replaces": "batman"}
    effects = [{"do": "modify", "value": "defense", "by": 1}]
    shield = {
        "id": "shield",
        "kind": "light",
        "square": None,
        "name": "Tower Shield",
        "equip": "any",
        "assigned_to": "joker",
    }
    document["objects"] = [shield | {"cards": [{"name": "Ward", "kind": "equipment", "effects": effects}]}]
    document["cards"] = [{"name": "Dark Day", "kind": "condition", "effects": effects}]
    document["cards"].append({"name": "Mud", "kind": "terrain", "squares": ["A1:B2"], "effects": effects})
    needed = {"powers": ["Stealth"], "values": {"speed": 8}}
    joker["cards"] = [{"name": "Aim", "kind": "feat", "requires": needed, "effects": effects}]
    row = open_row(document)
    shown = words(client.get(f"{at(row)}?sheet=joker"))
    for said in (
        "Equipped with Tower Shield",
        "Web 2",
        "Dials left 1",
        "Replaces Batman",
        "Ward",
        "Dark Day all players",
        "Mud all players · in A1:B2",
        "Aim Feat · requires Stealth, speed 8",
    ):
        assert said in shown
    assert "Held object" not in shown
    other = words(client.get(f"{at(row)}?sheet=batman"))
    assert "Equipped with" not in other
    assert "Ward" not in other
    assert "Dark Day" in other


@pytest.mark.parametrize("path", sorted((CASES / "books").glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_boards_of_the_steps_lead_to_the_state_of_the_report(path):
    for name, case in golden_cases(path):
        report = adjudicate(case)
        board = {key: part for key, part in case.items() if key not in ("actions", "ask")}
        for step in report["steps"]:
            board = after(board, step["changes"])
        state = adjudicate(board)["state"]
        assert (name, state["characters"]) == (name, report["state"]["characters"])
        assert (name, state["objects"]) == (name, report["state"]["objects"])
