"""Position files: read, written, and refused with a pointer to the error; any JSON gives a report."""

from __future__ import annotations

import copy
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from rules.engine import (
    BadInput,
    adjudicate,
    adjudication_in_words,
    endings,
    field_of_view,
    line_of_fire,
    reachable,
    reports_on,
)
from rules.engine.documents.maps import read_map, write_map, wrong_on_map
from rules.engine.documents.position import read_position, write_position
from rules.engine.editions import EDITIONS
from tests.examples import examples
from tests.rules.engine.boards import character, position
from tests.tables import every_row

LIBRARY = sorted((Path(__file__).parents[4] / "rules/library/maps").glob("*.json"))


def whole() -> dict[str, Any]:
    """Return a position file with every key."""
    rider = character("rider", None, base="peanut", squares=["C3", "D3"], speed_symbol="transporter-wing")
    del rider["square"]
    captive = character("captive", None, captured_by="bat")
    return {
        "id": "d1",
        "title": "A dispute",
        "note": "at table 3",
        "edition": "core-modern",
        "build_total": 300,
        "map": {
            "width": 8,
            "height": 6,
            "kind": "mixed",
            "terrain": [
                {"type": "elevated", "level": 3, "squares": ["A1:B2"]},
                {"type": "hindering", "squares": ["E5", "F6"]},
                {"type": "starting-area", "player": "A", "squares": ["A6:C6"]},
                {"type": "indoor", "squares": ["G1:H2"]},
            ],
            "walls": ["E1|F1"],
            "windows": ["E2|F2"],
            "doors": ["E3|F3"],
            "stairs": ["B1|C1"],
            "ladders": ["B2|B3"],
            "markers": [{"kind": "debris", "square": "H6"}, {"kind": "smoke", "square": "H6"}],
        },
        "objects": [
            {"id": "bin", "kind": "heavy", "square": "F4", "special": True, "name": "A bin"},
            {"id": "lamp", "kind": "light", "square": None},
            {"id": "vase", "kind": "light", "square": None, "removed": True},
        ],
        "sides": [
            {
                "player": "A",
                "themed_team": "Harbour",
                "ttpc_used": 1,
                "action_total_modifier": -1,
                "characters": [
                    character(
                        "bat",
                        "D1",
                        points=80,
                        bolts=2,
                        teams=["Batman Ally"],
                        keywords=["Harbour"],
                        generic_keywords=["Detective"],
                        base_color="gray",
                        set="icons",
                        number="003",
                        start=1,
                        tokens=1,
                        acted=True,
                        holding="lamp",
                        level=None,
                        improved={"movement": ["elevated"], "targeting": ["hindering", "adjacent"]},
                        countered=["Stealth"],
                        modifiers=[{"value": "attack", "by": 1, "source": "Perplex"}],
                        replacements=[{"value": "speed", "set": "halve", "locked": True}],
                        last_damaged_by="B",
                        immune=False,
                        attacks_made=1,
                        carried=True,
                        used=["Outwit"],
                        symbols={"attack": ["duo", "sharpshooter"], "defense": "indomitable"},
                        flight=None,
                    ),
                    rider,
                ],
            },
            {
                "player": "B",
                "characters": [captive, character("mob", "H1", kind="horde", stack=2, stack_max=4, click=2)],
            },
        ],
        "turn": {"active": "B", "number": 4},
        "actions": [],
        "ask": [{"ask": "line-of-fire", "from": "bat", "to": "H4"}],
        "judge": [],
    }


def test_read_and_written_it_is_the_same() -> None:
    file = read_position(whole())
    again = read_position(write_position(file))
    assert again.case.position == file.case.position
    assert again.id == "d1"
    assert json.loads(json.dumps(write_position(file))) == write_position(file)


def at(document: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return the document with a value placed at a pointer."""
    changed = copy.deepcopy(document)
    *way, last = path.strip("/").split("/")
    here: Any = changed
    for key in way:
        here = here[int(key)] if isinstance(here, list) else here[key]
    if isinstance(here, list):
        here[int(last)] = value
    else:
        here[last] = value
    return changed


FAULTS: list[tuple[str, Any, str]] = [
    # pointer, value, pointer in the error
    ("/edition", "core-2015", "/edition"),
    ("/edition", None, "/edition"),
    ("/edition", "core-2014", "/map/windows"),
    ("/map/width", 0, "/map/width"),
    ("/map/width", "8", "/map/width"),
    ("/map/height", 10**30, "/map/height"),
    ("/map/kind", "underwater", "/map/kind"),
    ("/map/colour", 1, "/map/colour"),
    ("/map/terrain/0/type", "lava", "/map/terrain/0/type"),
    ("/map/terrain/0/level", 0, "/map/terrain/0/level"),
    ("/map/terrain/1/squares/1", "I1", "/map/terrain/1/squares"),
    ("/map/terrain/1/squares/1", "a1", "/map/terrain/1/squares/1"),
    ("/map/terrain/1/squares/0", "A1:B", "/map/terrain/1/squares/0"),
    ("/map/terrain/1/squares/0", "A1:ZZZ9999", "/map/terrain/1/squares/0"),
    ("/map/walls/0", "E1|G1", "/map/walls/0"),
    ("/map/walls/0", "E1", "/map/walls/0"),
    ("/map/walls/0", "H1|I1", "/map/walls"),
    ("/map/markers/0/kind", "goo", "/map/markers/0/kind"),
    ("/map/markers/1/square", "A9", "/map/markers/1/square"),
    ("/objects/0/kind", "huge", "/objects/0/kind"),
    ("/objects/0/square", "Z1", "/objects/0/square"),
    ("/objects/0/id", "bat", "/sides/0/characters/0/id"),
    ("/objects/1/square", "F4", "/sides/0/characters/0/holding"),
    ("/sides/0/characters/0/holding", "sword", "/sides/0/characters/0/holding"),
    ("/sides/1/player", "A", "/sides/1/player"),
    ("/sides/0/characters/0/square", "I1", "/sides/0/characters/0/square"),
    ("/sides/0/characters/0/square", "C3", "/sides/0/characters/1/squares"),
    ("/sides/0/characters/0/square", 4, "/sides/0/characters/0/square"),
    ("/sides/0/characters/1/squares", ["C3"], "/sides/0/characters/1/squares"),
    ("/sides/0/characters/1/squares", ["C3", "C3"], "/sides/0/characters/1/squares"),
    ("/sides/0/characters/1/squares", ["C3", "E3"], "/sides/0/characters/1/squares"),
    ("/sides/0/characters/0/dial", [], "/sides/0/characters/0/dial"),
    ("/sides/0/characters/0/dial/0", {"speed": 1}, "/sides/0/characters/0/dial/0/attack"),
    ("/sides/0/characters/0/dial/0/speed", -1, "/sides/0/characters/0/dial/0/speed"),
    ("/sides/0/characters/0/dial/0/powers", "Stealth", "/sides/0/characters/0/dial/0/powers"),
    ("/sides/0/characters/0/click", 0, "/sides/0/characters/0/click"),
    ("/sides/0/characters/0/symbols/speed", "fin", "/sides/0/characters/0/symbols/speed"),
    ("/sides/0/characters/0/symbols/attack/1", "claw", "/sides/0/characters/0/symbols/attack/1"),
    ("/sides/0/characters/0/flight", "high", "/sides/0/characters/0/flight"),
    ("/sides/0/characters/0/improved/movement/0", "swim", "/sides/0/characters/0/improved/movement/0"),
    ("/sides/0/characters/0/modifiers/0/value", "luck", "/sides/0/characters/0/modifiers/0/value"),
    ("/sides/0/characters/0/replacements/0/set", "third", "/sides/0/characters/0/replacements/0/set"),
    ("/sides/0/characters/0/last_damaged_by", "C", "/sides/0/characters/0/last_damaged_by"),
    ("/sides/1/characters/0/captured_by", "nobody", "/sides/1/characters/0/captured_by"),
    ("/sides", [], "/sides"),
    ("/sides", {}, "/sides"),
    ("/turn/active", "C", "/turn/active"),
    ("/turn/number", 0, "/turn/number"),
    ("/build_total", -100, "/build_total"),
    ("/ask/0/ask", "who-wins", "/ask/0/ask"),
    ("/ask/0/ask", ["line-of-fire"], "/ask/0/ask"),
    ("/ask/0", "line-of-fire", "/ask/0"),
    ("/ask/0", {}, "/ask/0/ask"),
    ("/ask/0", {"ask": "line-of-fire", "from": "bat"}, "/ask/0/to"),
    ("/ask/0/from", "joker", "/ask/0/from"),
    ("/ask/0/to", "I4", "/ask/0/to"),
    ("/ask/0/through", "A1", "/ask/0/through"),
    ("/ask/0", {"ask": "value", "of": "bat", "value": "luck"}, "/ask/0/value"),
    ("/ask/0", {"ask": "break-away", "of": "D1"}, "/ask/0/of"),
    ("/ask/0", {"ask": "action-total", "player": "Z"}, "/ask/0/player"),
    ("/ask/0", {"ask": "knock-back", "of": "bat", "from": "H4", "clicks": 2, "choose": "UP"}, "/ask/0/choose"),
    ("/extra", 1, "/extra"),
]


@every_row(("path", "value", "where"), FAULTS)
def test_a_fault_is_pointed_at(path: str, value: Any, where: str) -> None:
    with pytest.raises(BadInput) as fault:
        adjudicate(at(whole(), path, value))
    assert fault.value.where == where
    assert fault.value.message


@every_row("key", ["edition", "map", "sides"])
def test_what_is_required(key: str) -> None:
    document = whole()
    del document[key]
    with pytest.raises(BadInput) as fault:
        adjudicate(document)
    assert fault.value.where == f"/{key}"


def test_a_character_needs_a_place() -> None:
    document = whole()
    del document["sides"][0]["characters"][0]["square"]
    with pytest.raises(BadInput) as fault:
        adjudicate(document)
    assert fault.value.where == "/sides/0/characters/0/square"


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 1000)
    | st.floats(allow_nan=False)
    | st.text(max_size=4)
    | st.sampled_from(["A1", "A1:B2", "A1|B1", "bat", "core-2014", "elevated", "wing"]),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=4), inside, max_size=3),
    max_leaves=6,
)


def places(value: Any, way: str = "") -> list[str]:
    """Return the pointers to everything in a document."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [way] if way else []
    for key, part in inside:
        found += places(part, f"{way}/{key}")
    return found


PLACES = places(whole())


@examples(300)
@given(st.sampled_from(PLACES), ANYTHING)
def test_whatever_is_put_anywhere_gives_a_report_or_a_pointer(path: str, value: Any) -> None:
    document = at(whole(), path, value)
    report = next(reports_on(json.dumps(document), adjudicate))
    json.dumps(report)
    assert adjudication_in_words(report)
    if "error" in report:
        for error in (report["error"], *report["error"].get("more", ())):
            assert error["code"] == "bad-input"
            assert error["where"] == "" or error["where"].startswith("/")
            assert error["message"]
    else:
        assert set(report) >= {"id", "answers", "steps", "legal", "awaiting", "state", "unused", "rulings"}


@every_row("drawn", ["A1:A301", "A301:A1", "A1:KO1", "KO1:A1"])
def test_a_rectangle_larger_than_any_map_is_refused(drawn: str) -> None:
    terrain = [{"type": "hindering", "squares": [drawn]}]
    with pytest.raises(BadInput, match="is larger than any map") as fault:
        read_map({"width": 300, "height": 300, "terrain": terrain})
    assert fault.value.where == "/terrain/0/squares/0"


def test_a_rectangle_as_large_as_the_largest_map_is_read() -> None:
    terrain = [{"type": "hindering", "squares": ["A1:A300", "A300:KN300"]}]
    found = read_map({"width": 300, "height": 300, "terrain": terrain}).terrain[0].squares
    assert [square.name for square in (found[0], found[299], found[-1])] == ["A1", "A300", "KN300"]


@every_row("path", LIBRARY, ids=[path.stem for path in LIBRARY])
def test_every_map_of_the_library_is_in_order(path: Path) -> None:
    shipped = json.loads(path.read_text(encoding="utf-8"))
    assert shipped["title"]
    battle_map = read_map(shipped["map"])
    assert read_map(write_map(battle_map)) == battle_map
    players = {area.player for area in battle_map.terrain if area.player}
    assert players == {"A", "B"}
    for edition in shipped["editions"]:
        assert not list(wrong_on_map(battle_map, EDITIONS[edition]))
        document = position(edition, ".") | {"map": shipped["map"]}
        document["sides"][0]["characters"] = [character("a", "H3")]
        seen = field_of_view(document, "a")
        assert len(seen) == battle_map.width * battle_map.height
        assert set(reachable(document, "a")) > {"H3"}
    levels = dict.fromkeys(battle_map.squares(), 1)
    for area in battle_map.terrain:
        if area.kind == "elevated":
            levels |= dict.fromkeys(area.squares, area.level)
    for edge in battle_map.stairs | battle_map.ladders:
        assert levels[edge.first] != levels[edge.second], edge


def test_there_are_at_least_six_maps_for_each_edition_family() -> None:
    shipped = [json.loads(path.read_text(encoding="utf-8")) for path in LIBRARY]
    assert len(shipped) >= 6
    assert all(sum(edition in one["editions"] for one in shipped) >= 3 for edition in EDITIONS)


def test_a_map_of_200_by_200_does_not_hang() -> None:
    document = position("core-modern", ".") | {
        "map": {
            "width": 200,
            "height": 200,
            "terrain": [
                {"type": "hindering", "squares": ["B2:GR2"]},
                {"type": "blocking", "squares": ["C10:GA11"]},
            ],
        }
    }
    document["sides"][0]["characters"] = [character("a", "CV100", speed=30), character("b", "A1")]
    assert line_of_fire(document, "a", "GR200")["result"] == "clear"
    assert len(reachable(document, "a")) == 61 * 61


@pytest.mark.parametrize("size", [80, pytest.param(200, marks=pytest.mark.soak)])
def test_the_field_of_view_of_a_large_map_does_not_hang(size: int) -> None:
    document = position("core-modern", ".") | {
        "map": {"width": size, "height": size, "terrain": [{"type": "hindering", "squares": ["B2:BZ2"]}]}
    }
    document["sides"][0]["characters"] = [character("a", "AN40")]
    assert len(field_of_view(document, "a")) == size * size


def test_the_command_writes_a_line_for_each_document(tmp_path: Path) -> None:
    good = position("core-2014", ". . .", "a . B", ask=[{"ask": "line-of-fire", "from": "a", "to": "B"}])
    bad = position("core-2014", ". .") | {"sides": 1}
    file = tmp_path / "positions.jsonl"
    file.write_text(
        json.dumps(good | {"id": "one"}) + "\n" + json.dumps(bad | {"id": "two"}) + "\nno json\n", encoding="utf-8"
    )
    out = io.StringIO()
    with pytest.raises(SystemExit) as leaving:
        call_command("adjudicate", str(file), stdout=out)
    assert leaving.value.code == 2
    one, two, three = [json.loads(line) for line in out.getvalue().splitlines()]
    assert one["answers"][0]["result"] == "clear"
    assert two == {"id": "two", "error": two["error"]}
    assert two["error"]["where"] == "/sides"
    assert three["error"]["where"] == ""


def test_the_command_writes_for_a_person(tmp_path: Path) -> None:
    asked = [
        {"ask": "line-of-fire", "from": "a", "to": "B"},
        {"ask": "break-away", "of": "a"},
        {"ask": "actions", "of": "a"},
        {"ask": "rulings", "about": ["stealth"]},
    ]
    document = position("car-2002", ". + .", "a . B", who={"B": {"powers": ["Stealth"]}}, ask=asked)
    file = tmp_path / "one.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    out = io.StringIO()
    call_command("adjudicate", str(file), "--text", stdout=out)
    words = out.getvalue()
    assert "line-of-fire: blocked" in words
    assert "Stealth" in words
    assert "car-2002: Super Powers and Abilities › Speed Super Powers › Stealth" in words


def test_the_same_document_gives_the_same_report() -> None:
    assert json.dumps(adjudicate(whole())) == json.dumps(adjudicate(whole()))


def test_another_last_action_gives_the_report_of_the_whole_document_with_it() -> None:
    document = whole() | {"actions": [{"action": "end-turn"}, {"action": "end-turn"}]}
    ending = endings(document)
    for action in (
        {"action": "ranged", "actor": "bat", "targets": ["mob"]},
        {"action": "close", "actor": "bat", "targets": ["mob"], "rolls": {"attack": [[6, 5]]}},
        {"action": "move", "actor": "bat", "path": ["D2"]},
    ):
        assert ending(action) == adjudicate({**document, "actions": [document["actions"][0], action]})
    for action in ({"action": "dance"}, {"action": "ranged", "actor": "bat", "targets": ["nobody"]}):
        with pytest.raises(BadInput) as whole_fault:
            adjudicate({**document, "actions": [document["actions"][0], action]})
        with pytest.raises(BadInput) as fault:
            ending(action)
        assert fault.value.message == whole_fault.value.message


DIAL = {
    "name": "Storm",
    "clicks": [["blue"], ["red", "blue"], []],
    "click": 2,
    "red_line": True,
    "turns": [{"moment": "end-of-turn", "of": "A", "by": -2}, {"moment": "when-ko", "by": 1}],
    "colors": {
        "red": [{"name": "Sky", "kind": "condition", "effects": [{"do": "turn-dial", "by": -1, "costs": "free"}]}]
    },
}


def stormy(**changed: Any) -> dict[str, Any]:
    """Return a position with an event dial."""
    document = at(at(whole(), "/map/windows", []), "/map/doors", [])
    return {**document, "edition": "core-2014", "event_dial": DIAL | changed}


def test_an_event_dial_read_and_written_is_the_same() -> None:
    assert write_position(read_position(stormy()))["event_dial"] == DIAL


EVENT_DIAL_FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"clicks": []}, "/event_dial/clicks"),
    ({"clicks": [[]] * 101}, "/event_dial/clicks"),
    ({"click": 4}, "/event_dial/click"),
    ({"colors": {"green": []}}, "/event_dial/colors/green"),
    ({"colors": {"red": [{"name": "Sky", "kind": "terrain", "squares": ["Z1"]}]}}, "/event_dial/colors/red/0/squares"),
    ({"colors": {"red": [{"name": "Sky", "kind": "other", "effects": [{"do": "turn-dial", "by": 0}]}]}},
     "/event_dial/colors/red/0/effects/0/by"),
    ({"turns": [{"moment": "after-move"}]}, "/event_dial/turns/0/moment"),
    ({"turns": [{"moment": "end-of-turn", "by": 0}]}, "/event_dial/turns/0/by"),
    ({"turns": [{"moment": "end-of-turn", "of": "Zed"}]}, "/event_dial/turns/0/of"),
]  # fmt: skip


@every_row(("changed", "where"), EVENT_DIAL_FAULTS)
def test_a_fault_of_an_event_dial_is_pointed_at(changed: dict[str, Any], where: str) -> None:
    with pytest.raises(BadInput) as fault:
        read_position(stormy(**changed))
    assert fault.value.where == where


def test_an_event_dial_belongs_to_the_2014_rulebook_and_excludes_battlefield_conditions() -> None:
    condition = {"name": "Dark Day", "kind": "condition"}
    for document, where in (
        (stormy() | {"edition": "dc-2005"}, "/event_dial"),
        (stormy() | {"cards": [condition]}, "/cards/0/kind"),
        (at(stormy(), "/sides/0/cards", [condition]), "/sides/0/cards/0/kind"),
    ):
        with pytest.raises(BadInput) as fault:
            read_position(document)
        assert fault.value.where == where
    with pytest.raises(BadInput) as fault:
        read_position(stormy() | {"judge": [{"set": {"event_dial": 4}}]})
    assert fault.value.where == "/judge/0/set/event_dial"


def test_fog_and_rift_belong_to_their_scenarios() -> None:
    plain = at(at(whole(), "/map/windows", []), "/map/doors", []) | {"edition": "car-2002"}
    for key, value, scenario in (("fog_broke_up", 5, "blackout"), ("rift", 3, "dimensional-rift")):
        document = plain | {"scenario": scenario, key: value}
        assert write_position(read_position(document))[key] == value
        for wrong in (document | {"scenario": None}, document | {"scenario": "wholly-hurricane"}):
            with pytest.raises(BadInput) as fault:
                read_position(wrong)
            assert fault.value.where == f"/{key}"
    with pytest.raises(BadInput) as fault:
        read_position(plain | {"judge": [{"set": {"rift": 0}}]})
    assert fault.value.where == "/judge/0/set/rift"
