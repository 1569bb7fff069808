"""Reachable squares: drawn by hand, and compared with every path walked one by one."""

from __future__ import annotations

import tomllib
from itertools import product
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rules.engine import adjudicate, reachable, way_to
from tests.examples import examples
from tests.rules.engine.boards import EDITIONS, character, name, position, rows
from tests.rules.engine.fights import battle, fighter, walk
from tests.tables import every_row

BOARDS = tomllib.loads((Path(__file__).parents[3] / "cases/geometry/reach.toml").read_text(encoding="utf-8"))["board"]
FLIGHTS = ("ic-2002", "car-2002", "dc-2005")
LATER = ("core-2014", "core-modern")


def drawn(document: dict[str, Any], of: str = "a", **asked: Any) -> str:
    """Return a drawing with `o` on each square where the character may end, else `.`."""
    ends = reachable(document, of, **asked)
    width, height = document["map"]["width"], document["map"]["height"]
    return "\n".join(
        " ".join("o" if name(column, row) in ends else "." for column in range(width)) for row in range(height)
    )


def board(drawing: str) -> str:
    return "\n".join(line.strip() for line in drawing.strip().splitlines())


@every_row("edition", EDITIONS)
def test_open_ground(edition: str) -> None:
    document = position(edition, ". . . . .\n" * 5, ". . . . .\n. . . . .\n. . a . .\n. . . . .\n. . . . .")
    document["sides"][0]["characters"][0]["dial"][0]["speed"] = 1
    assert drawn(document) == board(
        """
        . . . . .
        . o o o .
        . o o o .
        . o o o .
        . . . . .
        """
    )


@every_row("edition", EDITIONS)
def test_beside_an_opponent_the_move_ends(edition: str) -> None:
    document = position(edition, ". . . . . . .\n" * 2, "a . . . B . .\n. . . . . . .")
    assert drawn(document) == board(
        """
        o o o o . . .
        o o o o . . .
        """
    )


@every_row("edition", EDITIONS)
def test_no_one_jumps_off_a_roof(edition: str) -> None:
    document = position(edition, "2 2 . .\n2 2 . .", "a . . .\n. . . .")
    assert drawn(document) == board("o o . .\no o . .")


@every_row("edition", EDITIONS)
def test_stairs_are_climbed_straight_only(edition: str) -> None:
    document = position(edition, ". 2 2\n. 2 2\n. 2 2", ". . .\na . .\n. . .", stairs=["A2|B2"])
    document["sides"][0]["characters"][0]["dial"][0]["speed"] = 1
    assert drawn(document) == board("o . .\no o .\no . .")


@every_row("edition", FLIGHTS)
def test_hovering_passes_over_buildings_outdoors(edition: str) -> None:
    document = position(edition, ". # 2 + .", "a . . . .", who={"a": {"speed_symbol": "wing", "speed": 4}})
    rests = edition != "dc-2005"
    assert drawn(document, flight="hovering") == board("o o o o o" if rests else "o . o o o")


@every_row("edition", ("ic-2002", "car-2002"))
def test_hovering_may_rest_on_outdoor_blocking_terrain_but_stops_beside_opponents(edition: str) -> None:
    document = position(edition, ". # . . . .", "a . . B . .", who={"a": {"speed_symbol": "wing", "speed": 5}})
    assert drawn(document, flight="hovering") == board("o o o . . .")


def test_no_one_rests_on_a_barrier() -> None:
    markers = [{"kind": "barrier", "square": "B1"}]
    document = position("car-2002", ". . . .", "a . . .", who={"a": {"powers": ["Leap/Climb"]}}, markers=markers)
    assert drawn(document) == board("o . o o")


@every_row("edition", ("ic-2002", "car-2002"))
def test_changing_the_flight_mode_costs_one(edition: str) -> None:
    document = position(edition, ". . . . .", "a . . . .", who={"a": {"speed_symbol": "wing", "speed": 3}})
    assert drawn(document, flight="hovering") == board("o o o o .")
    assert drawn(document, flight="soaring") == board("o o o . .")
    document["sides"][0]["characters"][0]["flight"] = "soaring"
    assert drawn(document, flight="hovering") == board("o o o . .")


@every_row("edition", FLIGHTS)
def test_no_one_soars_indoors(edition: str) -> None:
    document = position(edition, ". . . #", "a . . .", who={"a": {"speed_symbol": "wing"}}, kind="indoor")
    assert set(reachable(document, "a", flight="soaring")) == {"A1"}
    assert drawn(document) == board("o o o .")


def test_2005_fliers_pass_opponents_and_do_not_stop() -> None:
    document = position("dc-2005", ". . . . .", "a . B . .", who={"a": {"speed_symbol": "wing", "speed": 4}})
    assert drawn(document) == board("o o . o o")


@every_row("edition", LATER)
def test_flight_passes_terrain_and_characters(edition: str) -> None:
    document = position(edition, ". 2 + # . .", "a . B . . .", who={"a": {"speed_symbol": "wing"}})
    assert drawn(document) == board("o o . . o o")


@every_row("edition", EDITIONS)
def test_phasing_goes_through_walls_and_ends_in_no_blocking_terrain(edition: str) -> None:
    power = "Phasing" if edition != "core-modern" else "Phasing/Teleport"
    document = position(
        edition, ". . # . .", "a . . . .", who={"a": {"powers": [power]}}, walls=["A1|B1"], kind="indoor"
    )
    assert drawn(document) == board("o o . o o")


@every_row("edition", EDITIONS)
def test_charge_moves_at_half_speed(edition: str) -> None:
    document = position(edition, ". . . . . .", "a . . . . .", who={"a": {"powers": ["Charge"], "speed": 5}})
    assert drawn(document, using=["Charge"]) == board("o o o o . .")


def test_charge_out_of_hindering_terrain_is_halved_twice() -> None:
    document = position("car-2002", "+ . . . .", "a . . . .", who={"a": {"powers": ["Charge"], "speed": 8}})
    assert drawn(document, using=["Charge"]) == board("o o o . .")


@every_row("edition", ("car-2002", "dc-2005", "core-2014", "core-modern"))
def test_swimmers_do_not_mind_water(edition: str) -> None:
    document = position(edition, ". ~ ~ . .", "a . . . .", who={"a": {"speed_symbol": "dolphin", "speed": 4}})
    assert drawn(document) == board("o o o o o")


@every_row("edition", EDITIONS)
def test_a_square_in_which_the_move_would_have_to_end_is_free(edition: str) -> None:
    document = position(edition, ". . . .", "a b C .")
    assert drawn(document) == board("o . . .")


def test_a_peanut_base_needs_both_squares() -> None:
    document = position("core-2014", ". . . #\n. # . .", characters=[])
    document["sides"][0]["characters"] = [
        character("a", None, base="peanut", squares=["A1", "A2"], speed=2),
    ]
    del document["sides"][0]["characters"][0]["square"]
    assert set(reachable(document, "a")) == {"A1", "A2", "B1", "C1", "C2"}


def test_a_larger_base_needs_no_speed_to_stay_where_it_is() -> None:
    """A 2x2 base is given by its top left square, a peanut base by both of its squares."""
    for base, squares, own in (("2x2", ["A1", "B1", "A2", "B2"], ["A1"]), ("peanut", ["A1", "A2"], ["A1", "A2"])):
        document = position("core-2014", ". . .\n. . .", characters=[])
        document["sides"][0]["characters"] = [character("a", None, base=base, squares=squares)]
        del document["sides"][0]["characters"][0]["square"]
        assert [square for square, cost in reachable(document, "a").items() if cost == 0] == own


def test_a_sentinel_does_not_fit_through_a_narrow_door() -> None:
    sentinel = character("s", None, base="2x2", squares=["A1", "B1", "A2", "B2"], damage_symbol="sentinel", speed=6)
    del sentinel["square"]
    walls = ["C1|D1", "C3|D3", "C4|D4"]
    document = position("car-2002", ". . . . . .\n" * 4, characters=[("A", sentinel)], walls=walls, kind="indoor")
    assert set(reachable(document, "s")) == {"A1", "B1", "A2", "B2", "A3", "B3"}
    document["map"]["walls"] = ["C1|D1", "C4|D4"]
    assert {"C2", "D2", "E3"} <= set(reachable(document, "s"))


def test_the_answer_includes_the_speed() -> None:
    document = position("core-2014", "+ . .", "a . .", ask=[{"ask": "reachable", "of": "a"}])
    answer = adjudicate(document)["answers"][0]
    assert answer["result"] == ["A1", "B1", "C1"]
    assert "a's speed is 3: printed 6, halved to 3 (the move begins in hindering terrain)." in answer["because"]
    assert any(citation["section"] == "Terrain › Hindering Terrain" for citation in answer["citations"])


# Every path walked one by one, by a simple reading of what the books have in common.

SIZE = 4
GRID = st.lists(
    st.lists(st.sampled_from([".", ".", ".", "+", "#", "~", "2"]), min_size=SIZE, max_size=SIZE),
    min_size=SIZE,
    max_size=SIZE,
)
SQUARES = st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1))


def walked(
    edition: str,
    grid: list[list[str]],
    walls: set[frozenset[tuple[int, int]]],
    people: dict[tuple[int, int], str],
    mover: str = "a",
    speed: int = 3,
) -> set[tuple[int, int]]:
    start = next(square for square, who in people.items() if who == mover)
    foes = {square for square, who in people.items() if who.isupper() != mover.isupper()}
    friends = {square for square, who in people.items() if who.isupper() == mover.isupper() and who != mover}
    width, height = len(grid[0]), len(grid)
    stops_at_corners = edition not in ("ic-2002", "car-2002")

    def at(square: tuple[int, int]) -> str:
        return grid[square[1]][square[0]]

    def rough(square: tuple[int, int]) -> bool:
        return at(square) in "+~"

    def high(square: tuple[int, int]) -> bool:
        return at(square) == "2"

    def wall(one: tuple[int, int], other: tuple[int, int]) -> bool:
        return frozenset((one, other)) in walls

    def closed(one: tuple[int, int], other: tuple[int, int], side: tuple[int, int]) -> bool:
        return at(side) == "#" or high(side) != high(one) or wall(one, side) or wall(side, other)

    def touching(one: tuple[int, int], other: tuple[int, int]) -> bool:
        dx, dy = abs(one[0] - other[0]), abs(one[1] - other[1])
        if max(dx, dy) != 1 or high(one) != high(other):
            return False
        if 0 in (dx, dy):
            return not wall(one, other)
        sides = ((other[0], one[1]), (one[0], other[1]))
        parts = {"core-2014": lambda s: high(s) != high(one), "core-modern": lambda s: False}.get(
            edition, lambda s: high(s) and not high(one)
        )
        return not all(at(s) == "#" or wall(one, s) or wall(s, other) or parts(s) for s in sides)

    held = {foe for foe in foes if touching(start, foe)}
    speed = -(-speed // 2) if rough(start) else speed
    ends = {start}

    def walk(here: tuple[int, int], left: int) -> None:
        if not left:
            return
        for dx, dy in product((-1, 0, 1), repeat=2):
            there = (here[0] + dx, here[1] + dy)
            if (dx, dy) == (0, 0) or not (0 <= there[0] < width and 0 <= there[1] < height):
                continue
            if at(there) == "#" or there in foes or high(there) != high(here):
                continue
            stop = rough(there) and not rough(here)
            if dx and dy:
                sides = [(there[0], here[1]), (here[0], there[1])]
                ranks = [2 if closed(here, there, side) else int(rough(side)) for side in sides]
                if min(ranks) == 2:
                    continue
                stop = stop or (stops_at_corners and min(ranks) == 1 and not rough(here))
            elif wall(here, there):
                continue
            stop = stop or any(touching(there, foe) for foe in foes - held)
            free = there not in friends
            if stop and not free:
                continue
            if free:
                ends.add(there)
            if not stop:
                walk(there, left - 1)

    walk(start, speed)
    return ends


@examples(150)
@given(
    st.sampled_from(EDITIONS),
    GRID,
    st.lists(st.tuples(SQUARES, st.booleans()), max_size=5, unique=True),
    st.lists(SQUARES, min_size=1, max_size=4, unique=True),
)
def test_as_every_path_walked_one_by_one(
    edition: str, grid: list[list[str]], edges: list[tuple[tuple[int, int], bool]], stands: list[tuple[int, int]]
) -> None:
    for x, y in stands:
        grid[y][x] = "." if grid[y][x] == "#" else grid[y][x]
    walls = set()
    for (x, y), upright in edges:
        other = (x + 1, y) if upright else (x, y + 1)
        if other[0] < SIZE and other[1] < SIZE:
            walls.add(frozenset(((x, y), other)))
    people = dict(zip(stands, "aBcD", strict=False))
    made = [("A" if who.islower() else "B", character(who, name(*square), speed=3)) for square, who in people.items()]
    drawing = "\n".join(" ".join(line) for line in grid)
    named = ["|".join(name(*square) for square in sorted(wall)) for wall in walls]
    document = position(edition, drawing, characters=made, walls=named)
    wanted = {name(*square) for square in walked(edition, grid, walls, people)}
    assert set(reachable(document, "a")) == wanted


@every_row("edition", EDITIONS)
@every_row("board_read", BOARDS, ids=[one["name"] for one in BOARDS])
def test_reachable_squares_of_whole_boards(board_read: dict[str, Any], edition: str) -> None:
    grid = rows(board_read["terrain"])
    people = {
        (x, y): sign
        for y, cells in enumerate(rows(board_read["figures"]))
        for x, sign in enumerate(cells)
        if sign.isalpha()
    }
    walls = {
        frozenset((ord(square[0]) - 65, int(square[1:]) - 1) for square in wall.split("|"))
        for wall in board_read["walls"]
    }
    who = {sign: {"speed": 4} for sign in people.values()}
    document = position(edition, board_read["terrain"], board_read["figures"], who=who, walls=board_read["walls"])
    counts = {}
    for mover in people.values():
        found = set(reachable(document, mover))
        wanted = {name(*square) for square in walked(edition, grid, walls, people, mover, 4)}
        assert found == wanted, f"{mover}: too many {sorted(found - wanted)}, missing {sorted(wanted - found)}"
        counts[mover] = len(found)
    assert counts == board_read["counts"][edition]


def test_a_way_keeps_the_flight_mode_where_it_can_and_changes_it_where_it_must() -> None:
    """A tap on a square gives a path that keeps the mode, if there is one; past opponents a flier must soar."""
    flier = fighter("a", "B2", speed=5, speed_symbol="wing")
    beside = battle("car-2002", [flier], [fighter("b", "D3")], board={"width": 7, "height": 5})
    assert way_to(beside, "a", "E1") == ["C1", "D1", "E1"]
    lane = battle("car-2002", [flier], [fighter("b", "D2")], board={"width": 7, "height": 3})
    assert len(way_to(lane, "a", "F2")) == 4
    assert way_to(lane, "a", "G2") == []
    assert way_to(lane, "a", "G2|H2") == []
    assert way_to(battle("car-2002", [fighter("a", None)], [fighter("b", "D2")]), "a", "B2") == []


@every_row("edition", EDITIONS)
@every_row("beside", ["D4", "F4"])
def test_who_comes_out_of_hindering_terrain_goes_on_where_others_stop(edition: str, beside: str) -> None:
    """E2 lies behind E3, which stops whoever enters it from clear terrain: the way is through the hindering square."""
    hindering = {"type": "hindering", "squares": ["E5", "E3", beside]}
    terrain = [hindering, {"type": "blocking", "squares": ["A3:D3", "F3:P3"]}]
    given = battle(edition, [fighter("a", "E5")], [fighter("b", None)], board={"terrain": terrain})
    assert "E2" in reachable(given, "a")


@every_row(("base", "squares"), [("2x2", ["A1", "B1", "A2", "B2"]), ("peanut", ["A1", "B1"])])
def test_a_larger_base_is_named_by_its_top_left_square_and_a_peanut_base_by_each(base: str, squares: list[str]) -> None:
    large = fighter("a", None, base=base, squares=squares)
    del large["square"]
    found = reachable(battle("core-2014", [large], [fighter("z", None)], board={"width": 4, "height": 3}), "a")
    columns, rows = ("ABC", "12") if base == "2x2" else ("ABCD", "123")
    assert found.keys() == {f"{column}{row}" for column in columns for row in rows}
    across = {"width": 4, "height": 4, "walls": [f"{column}2|{column}3" for column in "ABCD"]}
    found = reachable(battle("core-2014", [large], [fighter("z", None)], board=across), "a")
    assert found.keys() == {f"{column}{row}" for column in columns for row in ("1" if base == "2x2" else "12")}


@every_row(
    ("squares", "walls", "fits"),
    [
        (["C3", "D4"], ["C3|C4", "D3|D4"], False),
        (["C3", "D4"], ["C3|D3", "D3|D4"], True),
        (["C4", "D3"], ["C3|C4", "D3|D4"], False),
        (["C3", "D4"], ["C3|C4"], True),
        (["C4", "D3"], ["C3|D3"], True),
        (["C3", "C4"], ["C3|D3", "C4|D4", "D3|D4"], True),
    ],
)
def test_a_peanut_base_does_not_lie_across_a_closed_corner(squares: list[str], walls: list[str], fits: bool) -> None:
    large = fighter("a", None, base="peanut", squares=["C1", "C2"])
    del large["square"]
    given = walk("a", f"B3 {squares[0]}", choose={"squares": squares})
    report = adjudicate(battle("core-2014", [large], [fighter("z", None)], given, board={"walls": walls}))
    assert report["legal"] is fits, report["steps"][-1]["text"]


def test_a_corner_beside_the_first_square_is_closed_by_walls_alone() -> None:
    """A peanut base lies on A2 and B1; walls close the side of B2, and A1 is open."""
    large = fighter("a", None, base="peanut", squares=["C1", "B1"])
    del large["square"]
    given = walk("a", "B1", choose={"squares": ["B1", "A2"]})
    report = adjudicate(battle("core-2014", [large], [fighter("z", None)], given, board={"walls": ["A2|B2", "B1|B2"]}))
    assert report["legal"], report["steps"][-1]["text"]
