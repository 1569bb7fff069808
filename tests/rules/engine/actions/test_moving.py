"""Moves: the path, flight modes, passengers and objects, each with the book's rule, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.engine.fights import done, fight, fighter, refused, sentinel, state, steps, told, walk
from tests.tables import every_row

CAR, DC, NEW, MODERN = "car-2002", "dc-2005", "core-2014", "core-modern"
EARLY = ("ic-2002", CAR)
WING = {"speed_symbol": "wing"}
FAR = [fighter("z", "P16")]


def terrain(kind: str, *squares: str, **more: Any) -> dict[str, Any]:
    return {"terrain": [{"type": kind, "squares": list(squares)} | more]}


def long(id: str, *squares: str, **keys: Any) -> dict[str, Any]:
    made = fighter(id, None, base="peanut", squares=list(squares), **keys)
    del made["square"]
    return made


# ── Breaking away and the path ─────────────────────────────────────────────────────────────────


@every_row("edition", EARLY)
def test_leap_climb_leaves_an_opponent_without_a_roll(edition: str) -> None:
    """Movement › Breaking Away: Leap/Climb and Phasing always break away, and the report says so."""
    report = fight(edition, [fighter("a", "B2", powers=["Leap/Climb"])], [fighter("b", "B3")], walk("a", "B1"))
    assert state(report, "a")["square"] == "B1"
    assert steps(report) == ["declare", "move", "move", "token"]
    assert report["steps"][1]["numbers"] == {"break_away": "not needed"}


def test_a_roll_names_what_helped_it() -> None:
    """Plasticity fails only on a 1: a 2 breaks away, and the step cites the power."""
    mover = fighter("a", "B2", powers=["Plasticity"])
    report = fight(CAR, [mover], [fighter("b", "B3")], walk("a", "B1", rolls={"break-away": [[2]]}))
    assert told(report, "break-away")["numbers"] == {"roll": 2, "succeeds_on": [2, 3, 4, 5, 6]}
    assert state(report, "a")["square"] == "B1"


@every_row(("mine", "who", "them"), [("f", "f", "it"), ("fg", "f and g", "them")])
def test_a_controlled_figure_needs_no_roll_beside_its_new_friends(mine: str, who: str, them: str) -> None:
    """Mind Control: the target counts as friendly to its controller's figures."""
    friends = [fighter(one, f"{'HI'[at]}9") for at, one in enumerate(mine)]
    given = done("ranged", "a", "b", using=["Mind Control"], then=[walk("b", "G7")], rolls={"attack": [[4, 3]]})
    mind = fighter("a", "C8", powers=["Mind Control"], range=8)
    text = f"b is friendly to {who} under Mind Control and needn't break away from {them}."
    assert told(fight(CAR, [mind, *friends], [fighter("b", "H8")], given), "note")["text"] == text


def test_a_failed_roll_ends_the_action_and_costs_its_token() -> None:
    """Movement › Breaking Away: failing counts as the move action."""
    report = fight(CAR, [fighter("a", "B2")], [fighter("b", "B3")], walk("a", "B1", rolls={"break-away": [[3]]}))
    assert (state(report, "a")["square"], state(report, "a")["tokens"]) == ("B2", 1)
    assert "move" not in steps(report)


def test_standing_still_needs_no_roll() -> None:
    """A figure rolls only if it actually moves: a move of no squares stays beside an opponent."""
    report = fight(CAR, [fighter("a", "B2")], [fighter("b", "B3")], walk("a", ""))
    assert told(report, "move")["text"] == "a doesn't move."
    assert state(report, "a")["tokens"] == 1


def test_a_move_of_no_squares_before_an_attack_says_so() -> None:
    """Hypersonic Speed may attack first and move afterwards."""
    strike = {"action": "close", "targets": ["b"], "path": ["A2"]}
    blur = walk("a", "", using=["Hypersonic Speed"], then=[strike], rolls={"attack": [[3, 4]]})
    report = fight(CAR, [fighter("a", "B2", powers=["Hypersonic Speed"])], [fighter("b", "B3")], blur)
    told_moves = [step["text"] for step in report["steps"] if step["step"] == "move"]
    assert told_moves[0] == "a doesn't move before its attack."
    assert told_moves[-1].startswith("a moves from B2 to A2")


PATHS = [
    pytest.param({}, {}, "A3", "isn't next to A1", id="a jump"),
    pytest.param(terrain("blocking", "A2"), {}, "A2", "A2 is blocking terrain", id="into blocking terrain"),
    pytest.param({"walls": ["A1|A2"]}, {}, "A2", "a wall stands between A1 and A2", id="through a wall"),
    pytest.param(
        terrain("elevated", "A2"), {}, "A2", "A2 is on another elevation, and no stairs or ladder", id="up a ledge"
    ),
    pytest.param(
        terrain("hindering", "A2"),
        {},
        "A2 A3",
        "The move must end in A2: it is hindering terrain",
        id="on from hindering",
    ),
    pytest.param(
        terrain("hindering", "A1"),
        {},
        "B1 C1 D1 E1 F1",
        "costs 5 squares, and a can move only 4",
        id="out of hindering",
    ),
    pytest.param({}, {"speed": 2}, "B1 C1 D1", "costs 3 squares, and a can move only 2.", id="further than the speed"),
    pytest.param({}, {}, "B1", "can't end its move in B1: f occupies it", id="on a friend"),
    pytest.param(
        {"markers": [{"kind": "barrier", "square": "A2"}]},
        {"powers": ["Leap/Climb"]},
        "A2",
        "a barrier stands there",
        id="on a Barrier",
    ),
    pytest.param(
        terrain("blocking", "A2"),
        {"powers": ["Phasing"]},
        "A2",
        "can't end its move in A2: it is blocking",
        id="in it",
    ),
    pytest.param(
        terrain("blocking", "A2", "B1"), {}, "B2", "the corner between A1 and B2 is closed", id="a closed corner"
    ),
]


@every_row(("board", "keys", "path", "why"), PATHS)
def test_actions_in_which_no_one_moves(board: dict[str, Any], keys: dict[str, Any], path: str, why: str) -> None:
    friends = [fighter("f", "B1")] if "friend" in why or "f occupies" in why else []
    using = keys.get("powers", [])
    report = fight(CAR, [fighter("a", "A1", **keys), *friends], FAR, walk("a", path, using=using), board=board)
    assert why in refused(report)
    assert state(report, "a")["square"] == "A1"


def test_an_opponents_neighbourhood_ends_a_move() -> None:
    """Characters must end their move beside an opponent; the next square is refused for that reason."""
    report = fight(CAR, [fighter("a", "A1")], [fighter("b", "D3")], walk("a", "B2 C2 C1"))
    assert "The move must end in C2: b is adjacent" in refused(report)


def test_an_opponents_square_is_not_entered() -> None:
    report = fight(CAR, [fighter("a", "A1")], [fighter("b", "B2")], walk("a", "B2", rolls={"break-away": [[6]]}))
    assert "b, an opponent, occupies B2" in refused(report)


# ── Flight ─────────────────────────────────────────────────────────────────────────────────────


@every_row("edition", (*EARLY, DC))
def test_soaring_costs_one_square_more(edition: str) -> None:
    """Flying: a change of mode costs 1; 3 squares and rising use 4 of 8."""
    report = fight(edition, [fighter("a", "A1", **WING)], FAR, walk("a", "B1 C1 D1", flight="soaring"))
    assert state(report, "a")["flight"] == "soaring"
    assert told(report, "move")["numbers"]["cost"] == 4
    assert "changing the flight mode" in str(told(report, "move")["numbers"]["parts"])
    down = fight(edition, [fighter("a", "A1", flight="soaring", **WING)], FAR, walk("a", "B1", flight="hovering"))
    assert (state(down, "a")["flight"], told(down, "move")["numbers"]["cost"]) == ("hovering", 2)


def test_the_change_of_mode_must_be_paid_for() -> None:
    report = fight(CAR, [fighter("a", "A1", speed=2, **WING)], FAR, walk("a", "B1 C1", flight="soaring"))
    assert "costs 3 (2 squares, plus 1 for changing the flight mode), and a can move only 2" in refused(report)


def test_a_flier_changes_its_mode_where_the_path_demands_it() -> None:
    """Hovering past a house's door and soaring behind it: one change, as late as the first square outdoors again."""
    board = {"kind": "mixed"} | terrain("indoor", "A1:B1")
    report = fight(CAR, [fighter("a", "A1", **WING)], FAR, walk("a", "B1 C1 D1", flight="soaring"), board=board)
    assert told(report, "move")["numbers"]["cost"] == 4
    inside = fight(CAR, [fighter("a", "A1", **WING)], FAR, walk("a", "B1", flight="soaring"), board=board)
    assert "can't end its move soaring in B1" in refused(inside)


def test_changing_mode_beside_an_opponent_is_a_move_and_asks_for_the_roll() -> None:
    """Hovering figures must break away before they can soar."""
    report = fight(CAR, [fighter("a", "A1", **WING)], [fighter("b", "A2")], walk("a", "", flight="soaring"))
    assert report["awaiting"]["roll"] == "break-away"


def test_a_hovering_figure_told_to_hover_changes_nothing() -> None:
    report = fight(CAR, [fighter("a", "A1", **WING)], [fighter("b", "A2")], walk("a", "", flight="hovering"))
    assert steps(report) == ["declare", "move", "token"]


FLIGHTS = [
    pytest.param({}, {}, "B1", "a doesn't fly", id="on foot"),
    pytest.param(WING, {"kind": "indoor"}, "B1", "can't soar indoors", id="indoors"),
    pytest.param(
        WING,
        {"kind": "mixed"} | terrain("indoor", "C1:E3"),
        "B1 C1",
        "can't end its move soaring in C1",
        id="into a house",
    ),
]


@every_row(("keys", "board", "path", "why"), FLIGHTS)
def test_figures_that_may_not_soar(keys: dict[str, Any], board: dict[str, Any], path: str, why: str) -> None:
    report = fight(CAR, [fighter("a", "A1", **keys)], FAR, walk("a", path, flight="soaring"), board=board)
    assert why in refused(report)


def test_soaring_figures_cannot_enter_a_building() -> None:
    """Only hovering is possible indoors: a soaring figure with no square left to descend is refused."""
    board = {"kind": "mixed"} | terrain("indoor", "B1:E3")
    mover = fighter("a", "A1", flight="soaring", speed=1, **WING)
    report = fight(CAR, [mover], FAR, walk("a", "B1"), board=board)
    assert "B1 is indoors, where characters can't soar" in refused(report)


def test_a_hovering_figure_crosses_a_house_and_an_opponent() -> None:
    """Hovering: past opponents (broken away from) and over outdoor blocking terrain; the rules for both are cited."""
    board = terrain("blocking", "B1")
    report = fight(CAR, [fighter("a", "A1", **WING)], FAR, walk("a", "B1 C1"), board=board)
    assert state(report, "a")["square"] == "C1"
    assert {"blocking-terrain", "flying", "hovering"} <= set(told(report, "move")["topics"])


@every_row(("kind", "topic"), [("water", "water"), ("hindering", "hindering-terrain"), ("elevated", "elevation")])
def test_what_a_flier_passes_is_cited(kind: str, topic: str) -> None:
    report = fight(CAR, [fighter("a", "A1", **WING)], FAR, walk("a", "B1 C1"), board=terrain(kind, "B1"))
    assert topic in told(report, "move")["topics"]
    assert told(report, "move")["numbers"]["cost"] == 2


def test_the_text_of_a_move_names_its_path_if_it_is_longer_than_a_square() -> None:
    for path, through in (("B1", ""), ("B1 C1", " along B1, C1")):
        report = fight(CAR, [fighter("a", "A1")], FAR, walk("a", path))
        squares = len(path.split())
        assert told(report, "move")["text"] == f"a moves from A1 to {path[-2:]}{through}: {squares} of 8 squares."


def test_swimmers_treat_water_as_clear() -> None:
    report = fight(
        CAR, [fighter("a", "A1", speed_symbol="dolphin")], FAR, walk("a", "B1 C1"), board=terrain("water", "B1")
    )
    assert state(report, "a")["square"] == "C1"
    assert "aquatic" in told(report, "move")["topics"]


# ── Larger bases ───────────────────────────────────────────────────────────────────────────────


def test_a_sentinel_moves_its_whole_base() -> None:
    """Sentinels Rules › Movement: speed 8; three squares to the right, with all four squares of the base."""
    report = fight(CAR, [sentinel("s", "A1", points=100)], FAR, walk("s", "B1 C1 D1"))
    assert state(report, "s")["squares"] == ["D1", "E1", "D2", "E2"]
    assert "sentinel" in told(report, "move")["topics"]
    still = fight(CAR, [sentinel("s", "A1", points=100)], FAR, walk("s", ""))
    assert state(still, "s")["squares"] == ["A1", "B1", "A2", "B2"]
    assert [step["numbers"]["cost"] for step in still["steps"] if step["step"] == "move"] in ([], [0])
    passed = fight(CAR, [sentinel("s", "A1", points=100)], FAR, done("pass", "s"))
    assert "gets no action token" in told(passed, "declare")["text"], "it had no tokens to lose"


@every_row(
    ("people", "speed", "why"),
    [
        ([fighter("f", "E2")], 8, "can't end its move with its base in D1"),
        ([], 2, "costs 3 squares, and s can move only 2"),
    ],
)
def test_where_a_sentinel_does_not_end(people: list[dict[str, Any]], speed: int, why: str) -> None:
    mover = sentinel("s", "A1", points=100, speed=8)
    mover["modifiers"] = [{"value": "speed", "by": speed - 8, "source": "Perplex"}] if speed < 8 else []
    report = fight(CAR, [mover, *people], FAR, walk("s", "B1 C1 D1"))
    assert why in refused(report) or "can't end its move with its base in D1" in refused(report)
    assert state(report, "s")["squares"] == ["A1", "B1", "A2", "B2"]


def test_a_double_base_ends_in_two_squares_of_its_path() -> None:
    """Double-base Characters › Moving (2005): both dots end on squares of the path."""
    report = fight(DC, [long("a", "A1", "A2")], FAR, walk("a", "B1 C1 D1"))
    assert sorted(state(report, "a")["squares"]) == ["C1", "D1"]
    one = fight(DC, [long("a", "A1", "A2")], FAR, walk("a", "B1"))
    assert sorted(state(one, "a")["squares"]) == ["A1", "B1"]


# ── Passengers ─────────────────────────────────────────────────────────────────────────────────


def carriers(edition: str, *actions: dict[str, Any], **keys: Any) -> dict[str, Any]:
    mine = [fighter("a", "B2", **(WING | keys)), fighter("f", "A1"), fighter("g", "A2"), fighter("h", "K9")]
    return fight(edition, mine, FAR, *actions)


def test_a_flier_sets_its_passenger_down_beside_it() -> None:
    """Carrying Other Figures: the passenger gets no token and may act (2002)."""
    report = carriers(CAR, walk("a", "C2 D2", carry=["f"], choose={"place": {"f": "E3"}}), walk("f", "F3"))
    assert (state(report, "f")["square"], state(report, "f")["tokens"]) == ("F3", 1)
    assert state(report, "a")["square"] == "D2"


@every_row("edition", (DC, MODERN))
def test_a_carried_figure_takes_no_action(edition: str) -> None:
    """Carrying other characters (2005), Carry (2020s): no costed action this turn."""
    mine = [fighter("a", "B2", **WING), fighter("f", "A1", **({"damage_symbol": "tiny"} if edition == MODERN else {}))]
    given = walk("a", "C2 D2", carry=["f"], choose={"place": {"f": "E3"}})
    report = fight(edition, mine, FAR, given, walk("f", "F3"))
    assert "f was carried this turn" in refused(report)


def test_the_place_of_a_passenger_is_asked() -> None:
    report = carriers(CAR, walk("a", "C2 D2", carry=["f"]))
    assert report["awaiting"]["choice"] == "place:f"
    assert set(report["awaiting"]["options"]) == {"C1", "D1", "E1", "C2", "E2", "C3", "D3", "E3"}


REFUSED_PASSENGERS = [
    pytest.param({"carry": ["f", "f"]}, "A passenger is named twice", id="twice"),
    pytest.param({"carry": ["f", "g"]}, "a can carry only 1, not 2", id="two"),
    pytest.param({"carry": ["h"]}, "a and h aren't adjacent", id="far"),
    pytest.param({"carry": ["f"], "flight": "soaring"}, "must end its move hovering", id="soaring"),
    pytest.param({"carry": ["f"], "choose": {"place": {"f": "P9"}}}, "can't be set down in P9", id="set down afar"),
    pytest.param({"carry": ["f"], "choose": {"place": {"f": "G"}}}, "can't be set down in G", id="set down nowhere"),
]


@every_row(("keys", "why"), REFUSED_PASSENGERS)
def test_figures_that_a_flier_does_not_carry(keys: dict[str, Any], why: str) -> None:
    report = carriers(CAR, walk("a", "C2 D2", **keys))
    assert why in refused(report)
    assert state(report, "f")["square"] == "A1"


@every_row(("keys", "places"), [(WING, ["C1", "E1"]), ({"powers": ["Leap/Climb"]}, ["C1", "E1"]), ({}, [])])
def test_who_is_set_down_on_a_roof(keys: dict[str, Any], places: list[str]) -> None:
    """On top of blocking terrain a passenger that may rest there is set down on top of it too: free and adjacent."""
    board = terrain("blocking", "B1", "C1", "D1", "E1", "H1")
    mine = [fighter("a", "B1", **WING), fighter("f", "C1", **keys)]
    report = fight(CAR, mine, FAR, walk("a", "C1 D1", carry=["f"]), board=board)
    assert (report["awaiting"] or {}).get("options", []) == places
    assert ("No square beside a is free for f" in refused(report)) is not bool(places)


def test_the_green_lantern_corps_carries_more_than_one() -> None:
    """Green Lantern Corps: up to eight friends beside it."""
    report = carriers(
        CAR,
        walk("a", "C2 D2", carry=["f", "g"], choose={"place": {"f": "E3", "g": "C1"}}),
        teams=["Green Lantern Corps"],
    )
    assert [state(report, one)["square"] for one in "fg"] == ["E3", "C1"]
    assert "green-lantern-corps" in report["steps"][-2]["topics"]


def test_the_green_lantern_corps_carries_no_more_than_eight() -> None:
    friends = [fighter(f"f{number}", f"{chr(65 + number)}9") for number in range(9)]
    given = walk("a", "C2 D2", carry=[one["id"] for one in friends])
    report = fight(CAR, [fighter("a", "B2", teams=["Green Lantern Corps"], **WING), *friends], FAR, given)
    assert "a can carry only 8, not 9." in refused(report)


def test_an_object_and_a_passenger() -> None:
    """2002: a flier with Super Strength carries both. 2020s: you cannot both carry and hold."""
    thing = [{"id": "o", "kind": "light", "square": "B3"}]
    for edition, legal in ((CAR, True), (MODERN, False)):
        mine = [
            fighter("a", "B2", powers=["Super Strength"], **WING),
            fighter("f", "A1", **({"damage_symbol": "tiny"} if edition == MODERN else {})),
        ]
        given = walk("a", "C2 D2", carry=["f"], pick_up="o", choose={"place": {"f": "E3"}})
        report = fight(edition, mine, FAR, given, objects=thing)
        assert report["legal"] is legal
        if legal:
            assert (state(report, "a")["holding"], state(report, "f")["square"]) == ("o", "E3")
        else:
            assert "can't pick up an object in a move in which it carries someone" in refused(report)


def test_a_passenger_is_set_down_beside_an_opponent_by_a_strong_flier() -> None:
    """The rules that apply are cited: holding an object, flying, and that a passenger doesn't break away."""
    mine = [fighter("a", "B2", powers=["Super Strength"], holding="o", **WING), fighter("f", "A1")]
    given = walk("a", "C2 D2", carry=["f"], choose={"place": {"f": "E2"}})
    report = fight(CAR, mine, [fighter("b", "F3")], given, objects=[{"id": "o", "kind": "light", "square": None}])
    assert {"carry", "flying", "held-object", "break-away"} <= set(told(report, "carry")["topics"])


def test_a_modern_carry_of_no_squares_moves_the_passenger_only() -> None:
    """Carry (2020s): a character may move 0 squares and put an adjacent character into another adjacent square."""
    mine = [fighter("a", "B2"), fighter("f", "A1", damage_symbol="tiny")]
    report = fight(MODERN, mine, FAR, walk("a", "", carry=["f"], choose={"place": {"f": "C3"}}))
    assert (state(report, "a")["square"], state(report, "f")["square"]) == ("B2", "C3")


# ── Objects ────────────────────────────────────────────────────────────────────────────────────


def lifter(
    edition: str, given: dict[str, Any], *, kind: str = "light", at: str | None = "C2", **keys: Any
) -> dict[str, Any]:
    keys = {"powers": ["Super Strength"]} | keys
    mine = [fighter("a", "B2", **keys), fighter("f", "H8", powers=["Super Strength"], holding="held")]
    things = [{"id": "o", "kind": kind, "square": at}, {"id": "held", "kind": "light", "square": None}]
    if keys.get("holding") == "o":
        things[0]["square"] = None
    return fight(edition, mine, FAR, given, objects=things)


@every_row("edition", (*EARLY, DC, NEW))
def test_super_strength_picks_up_beside_its_path_and_continues(edition: str) -> None:
    report = lifter(edition, walk("a", "B3 B4 B5", pick_up="o"))
    assert (state(report, "a")["square"], state(report, "a")["holding"]) == ("B5", "o")
    held = {"square": None, "removed": False, "held_by": "a"}
    assert report["state"]["objects"]["o"] == held
    assert [step["changes"]["objects"] for step in report["steps"] if "objects" in step["changes"]] == [{"o": held}]


REFUSED_OBJECTS = [
    pytest.param(CAR, {"pick_up": "held"}, {}, "That object isn't on the map", id="held by another"),
    pytest.param(CAR, {"pick_up": "held"}, {"holding": "o"}, "That object isn't on the map", id="second of a friend"),
    pytest.param(CAR, {"pick_up": "o"}, {"powers": []}, "without Super Strength", id="too weak"),
    pytest.param(NEW, {"pick_up": "o"}, {"kind": "immobile"}, "immobile object can't be picked up", id="immobile"),
    pytest.param(MODERN, {"pick_up": "o"}, {"kind": "immobile"}, "can't be picked up", id="immobile, 2020s"),
    pytest.param(NEW, {"pick_up": "o"}, {"kind": "ultra-heavy"}, "fewer than 100 points", id="ultra heavy"),
    pytest.param(MODERN, {"pick_up": "o"}, {"kind": "heavy", "powers": []}, "can't pick up heavy", id="heavy, 2020s"),
    pytest.param(CAR, {"pick_up": "o"}, {"at": "F9"}, "move doesn't pass next to the object in F9", id="far"),
    pytest.param(
        CAR, {"pick_up": "o", "flight": "soaring"}, WING, "soaring, so it can't pick up an object", id="soaring"
    ),
    pytest.param(NEW, {"put_down": "B3"}, {}, "holds no object to put down", id="nothing to put down"),
    pytest.param(CAR, {"put_down": "B3"}, {"holding": "o"}, "A held object can't be put down", id="put down, 2002"),
    pytest.param(NEW, {"put_down": "K9"}, {"holding": "o"}, "K9 isn't on or next to the path", id="put down afar"),
]


@every_row(("edition", "given", "keys", "why"), REFUSED_OBJECTS)
def test_what_is_not_picked_up(edition: str, given: dict[str, Any], keys: dict[str, Any], why: str) -> None:
    report = lifter(edition, walk("a", "B3", **given), **keys)
    assert why in refused(report)


@every_row(
    ("edition", "more", "why"),
    [(CAR, {}, "already holds an object"), (NEW, {"put_down": "B3"}, "both pick up and put down")],
)
def test_one_object_at_a_time(edition: str, more: dict[str, Any], why: str) -> None:
    mine = [fighter("a", "B2", powers=["Super Strength"], holding="held")]
    things = [{"id": "o", "kind": "light", "square": "B3"}, {"id": "held", "kind": "light", "square": None}]
    report = fight(edition, mine, FAR, walk("a", "B3", pick_up="o", **more), objects=things)
    assert why in refused(report)


@every_row(("kind", "powers", "points"), [("ultra-light", [], 50), ("ultra-heavy", ["Super Strength"], 100)])
def test_ultra_light_and_ultra_heavy_objects(kind: str, powers: list[str], points: int) -> None:
    """Ultra Light: anyone may hold it; Ultra Heavy: from 100 points, with Super Strength (2014)."""
    report = lifter(NEW, walk("a", "B3", pick_up="o"), kind=kind, powers=powers, points=points)
    assert state(report, "a")["holding"] == "o"


def test_a_held_object_is_put_down_beside_the_path_from_2014_on() -> None:
    report = lifter(NEW, walk("a", "B3 B4", put_down="C5"), holding="o")
    assert report["state"]["objects"]["o"]["square"] == "C5"
    assert state(report, "a")["holding"] is None


@every_row(("edition", "legal"), [(CAR, False), (MODERN, True)])
def test_an_opponent_stops_the_move_before_a_hand_reaches_out(edition: str, legal: bool) -> None:
    """Magister 2002-08-28: beside an opponent the move ends at once, and nothing there is picked up."""
    mine = [fighter("a", "B2", powers=["Super Strength"])]
    things = [{"id": "o", "kind": "light", "square": "E1"}]
    report = fight(edition, mine, [fighter("b", "E3")], walk("a", "C2 D2", pick_up="o"), objects=things)
    assert report["legal"] is legal


def test_an_object_in_the_same_square_is_picked_up_beside_an_opponent() -> None:
    mine = [fighter("a", "B2", powers=["Super Strength"])]
    thing = [{"id": "o", "kind": "light", "square": "D2"}]
    report = fight(
        "core-modern", mine, [fighter("b", "E3")], done("move", "a", path=["C2", "D2"], pick_up="o"), objects=thing
    )
    assert state(report, "a")["holding"] == "o"
