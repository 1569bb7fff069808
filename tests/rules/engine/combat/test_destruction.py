"""Destruction of walls, blocking terrain, objects, barriers, in each book; by hand."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import done, fight, fighter, refused, state, steps, told
from tests.rules.engine.powers.test_speed_2002 import sentinel
from tests.tables import every_row

CAR, DC, NEW, MODERN = "car-2002", "dc-2005", "core-2014", "core-modern"
ALL = ("ic-2002", CAR, DC, NEW, MODERN)
FAR = [fighter("z", "P16")]
WALL = {"walls": ["C3|D3"]}
HOUSE = {"terrain": [{"type": "blocking", "squares": ["D3"]}]}


def strike(
    target: str,
    *,
    edition: str = CAR,
    kind: str = "close",
    theirs: list[dict[str, Any]] | None = None,
    board: dict[str, Any] | None = None,
    objects: list[dict[str, Any]] | None = None,
    using: tuple[str, ...] = (),
    rolls: dict[str, Any] | None = None,
    with_object: str | None = None,
    **keys: Any,
) -> dict[str, Any]:
    given = done(kind, "a", target, using=list(using), rolls=rolls or {})
    if with_object:
        given["with_object"] = with_object
    parts = {"objects": objects} if objects else {}
    return fight(edition, [fighter("a", "C3", **keys)], theirs or FAR, given, board=board or {}, **parts)


def debris(report: dict[str, Any]) -> set[str]:
    return {one["square"] for one in report["state"]["markers"] if one["kind"] == "debris"}


@every_row("edition", ALL)
def test_3_damage_break_a_wall_without_a_roll_and_leave_debris_on_both_sides(edition: str) -> None:
    report = strike("C3|D3", edition=edition, board=WALL)
    assert report["state"]["walls_destroyed"] == ["C3|D3"]
    assert debris(report) == {"C3", "D3"}
    assert (state(report, "a")["tokens"], "attack-roll" in steps(report)) == (1, False)


@every_row("edition", ALL)
def test_3_damage_break_blocking_terrain_and_leave_debris_in_it(edition: str) -> None:
    assert debris(strike("D3", edition=edition, board=HOUSE)) == {"D3"}


@every_row("edition", ALL)
def test_2_damage_break_nothing(edition: str) -> None:
    report = strike("C3|D3", edition=edition, board=WALL, damage=2)
    assert report["state"]["walls_destroyed"] == []
    assert report["legal"] is True


@every_row(("die", "falls"), [(3, True), (2, False)])
def test_blades_break_a_wall_with_a_3_or_more(die: int, falls: bool) -> None:
    """FAQ: Blades/Claws/Fangs destroy a wall if the damage rolled is 3 or more."""
    name = "Blades/Claws/Fangs"
    report = strike("C3|D3", board=WALL, using=(name,), powers=[name], damage=1, rolls={"damage": [[die]]})
    assert (report["state"]["walls_destroyed"] == ["C3|D3"]) is falls


@every_row(("edition", "kind", "falls"), [(CAR, "heavy", True), (CAR, "light", False), (NEW, "heavy", True)])
def test_a_held_object_adds_to_the_damage_and_is_used_up(edition: str, kind: str, falls: bool) -> None:
    """1 + 2 for a heavy object is 3; 1 + 1 isn't enough."""
    held = [{"id": "o", "kind": kind, "square": None}]
    report = strike(
        "C3|D3",
        edition=edition,
        board=WALL,
        objects=held,
        with_object="o",
        damage=1,
        powers=["Super Strength"],
        holding="o",
    )
    assert (report["state"]["walls_destroyed"] == ["C3|D3"]) is falls
    assert report["state"]["objects"]["o"]["removed"] is True
    assert state(report, "a")["holding"] is None


@every_row(("edition", "kept"), [(CAR, None), (NEW, None), (MODERN, "o")])
def test_an_object_in_hand_is_used_against_a_wall_too_where_the_book_makes_it_compulsory(
    edition: str, kept: str | None
) -> None:
    """Objects › Super Strength Super Power: a close combat attack must use a held object; in the 2020s it may."""
    held = [{"id": "o", "kind": "heavy", "square": None}]
    report = strike("C3|D3", edition=edition, board=WALL, objects=held, powers=["Super Strength"], holding="o")
    assert (state(report, "a")["holding"], report["state"]["walls_destroyed"]) == (kept, ["C3|D3"])


@every_row(("kind", "falls"), [("heavy", True), ("light", False)])
def test_a_thrown_object_deals_its_own_damage_to_a_wall(kind: str, falls: bool) -> None:
    """A heavy object deals 3, a light one 2, whatever the attacker's damage of 5."""
    held = [{"id": "o", "kind": kind, "square": None}]
    report = strike(
        "D3",
        board=HOUSE,
        kind="ranged",
        objects=held,
        with_object="o",
        damage=5,
        powers=["Super Strength"],
        holding="o",
    )
    assert (debris(report) == {"D3"}) is falls


@every_row("edition", ["dc-2005", "core-2014", "core-modern"])
@every_row("goal", ["D3", "bin"])
def test_the_later_books_throw_objects_at_opponents_only(edition: str, goal: str) -> None:
    """Super Strength (2005), Using Objects in Ranged Combat Attacks (2014), Using Objects as Weapons (2020s)."""
    things = [{"id": "o", "kind": "heavy", "square": None}, {"id": "bin", "kind": "light", "square": "C5"}]
    keys: dict[str, Any] = {"objects": things, "powers": ["Super Strength"], "holding": "o"}
    report = strike(goal, edition=edition, board=HOUSE, kind="ranged", with_object="o", **keys)
    assert refused(report)
    assert state(report, "a")["holding"] == "o"


@every_row("edition", ALL)
def test_a_shot_breaks_blocking_terrain_in_range_and_sight(edition: str) -> None:
    house = {"terrain": [{"type": "blocking", "squares": ["H3"]}]}
    assert debris(strike("H3", edition=edition, kind="ranged", board=house, range=5)) == {"H3"}
    assert "5 squares away, beyond a's range of 4" in refused(
        strike("H3", edition=edition, kind="ranged", board=house, range=4)
    )
    screen = {"terrain": [{"type": "blocking", "squares": ["H3", "F3"]}]}
    assert report_blocked(strike("H3", edition=edition, kind="ranged", board=screen, range=8))


def report_blocked(report: dict[str, Any]) -> bool:
    return report["legal"] is False and debris(report) == set()


@every_row("edition", ALL)
def test_a_shot_breaks_a_wall(edition: str) -> None:
    report = strike("G3|H3", edition=edition, kind="ranged", board={"walls": ["G3|H3"]}, range=8)
    assert report["state"]["walls_destroyed"] == ["G3|H3"]


@every_row(
    ("edition", "at", "reach", "why"),
    [
        (CAR, "C3", 4, ""),
        (DC, "C3", 4, "H3 behind the wall between G3 and H3 is 5 squares away, beyond a's range of 4"),
        (MODERN, "C3", 4, "H3 behind the wall between G3 and H3 is 5 squares away, beyond a's range of 4"),
        (DC, "G1", 8, ""),
        (NEW, "G1", 8, "The line to H3 behind the wall between G3 and H3 doesn't cross G3"),
        (MODERN, "G1", 8, "doesn't cross G3"),
        (NEW, "M3", 8, ""),
        (NEW, "E1", 8, ""),
        (NEW, "F1", 8, "doesn't cross G3"),
    ],
)
def test_a_shot_at_a_wall_is_drawn_to_the_square_behind_it(edition: str, at: str, reach: int, why: str) -> None:
    """Destroying walls: the line leads to the far square (2005), through the near one, both in range (2014, 2020s)."""
    given = done("ranged", "a", "G3|H3")
    report = fight(edition, [fighter("a", at, range=reach)], FAR, given, board={"walls": ["G3|H3"]})
    assert why in refused(report)
    assert (report["state"]["walls_destroyed"] == ["G3|H3"]) is (not why)


@every_row("edition", [DC, NEW, MODERN])
def test_a_figure_behind_a_wall_does_not_hide_it_and_a_screen_does(edition: str) -> None:
    given = done("ranged", "a", "G3|H3")
    walls = {"walls": ["G3|H3"]}
    seen = fight(edition, [fighter("a", "C3", range=8)], [fighter("b", "H3")], given, board=walls)
    assert seen["state"]["walls_destroyed"] == ["G3|H3"]
    hidden = fight(edition, [fighter("a", "C3", range=8)], [fighter("b", "E3")], given, board=walls)
    assert hidden["legal"] is False


@every_row(
    ("edition", "kind", "left"),
    [
        (CAR, "hindering", {"C3", "D3"}),
        (DC, "water", {"C3", "D3"}),
        (NEW, "hindering", {"C3"}),
        (NEW, "water", {"C3"}),
        (NEW, "blocking", {"C3"}),
        (MODERN, "hindering", {"C3", "D3"}),
        (MODERN, "blocking", {"C3"}),
    ],
)
def test_where_a_destroyed_wall_leaves_debris(edition: str, kind: str, left: set[str]) -> None:
    """In clear squares only (2014), in all except blocking terrain (2020s)."""
    board = WALL | {"terrain": [{"type": kind, "squares": ["D3"]}]}
    assert debris(strike("C3|D3", edition=edition, board=board)) == left


@every_row(("edition", "legal"), [(CAR, False), (DC, False), (NEW, False), (MODERN, True)])
def test_an_adjacent_opponent_bars_the_shot_before_the_2020s(edition: str, legal: bool) -> None:
    house = {"terrain": [{"type": "blocking", "squares": ["H3"]}]}
    report = strike("H3", edition=edition, kind="ranged", board=house, range=8, theirs=[fighter("b", "C4")])
    assert report["legal"] is legal


def test_a_sentinel_shoots_at_a_wall_beside_an_opponent() -> None:
    shooter = sentinel("a", "B3", range=8)
    given = done("ranged", "a", "H3")
    house = {"terrain": [{"type": "blocking", "squares": ["H3"]}]}
    report = fight(CAR, [shooter], [fighter("b", "D4")], given, board=house)
    assert debris(report) == {"H3"}


@every_row(("edition", "left"), [("ic-2002", set()), (CAR, {"D3"}), (DC, set()), (NEW, set()), (MODERN, set())])
def test_a_destroyed_object_leaves_debris_only_in_the_annotated_book(edition: str, left: set[str]) -> None:
    """Objects: replaced by a broken wall piece (compiled rulebook); a figure in its square takes no damage."""
    lying = [{"id": "o", "kind": "light", "square": "D3"}]
    report = strike("o", edition=edition, objects=lying, theirs=[fighter("b", "D3")])
    assert report["state"]["objects"]["o"]["removed"] is True
    assert debris(report) == left
    assert state(report, "b")["click"] == 1


@every_row(("damage", "falls"), [(3, False), (4, True)])
def test_an_ultra_heavy_object_takes_4_damage(damage: int, falls: bool) -> None:
    lying = [{"id": "o", "kind": "ultra-heavy", "square": "D3"}]
    report = strike("o", edition=NEW, objects=lying, damage=damage)
    assert report["state"]["objects"]["o"]["removed"] is falls


def test_a_barrier_is_destroyed_square_by_square() -> None:
    """FAQ: a Barrier can be destroyed; its other markers stay."""
    board = {"markers": [{"kind": "barrier", "square": "D3"}, {"kind": "barrier", "square": "D4"}]}
    report = strike("D3", board=board)
    assert report["state"]["markers"] == [
        {"kind": "barrier", "square": "D4"},
        {"kind": "debris", "square": "D3"},
    ]


def test_a_wall_beside_an_object_leaves_it_in_the_debris() -> None:
    """Magister 2002-08-14: the object remains, in hindering terrain."""
    lying = [{"id": "o", "kind": "light", "square": "D3"}]
    report = strike("C3|D3", board=WALL, objects=lying)
    assert report["state"]["objects"]["o"]["square"] == "D3"
    assert "objects" in told(report, "terrain")["topics"]


REFUSED: list[Any] = [
    ("C3|D3", {}, "No wall, window or door stands between C3 and D3"),
    ("D3", {}, "D3 has no blocking terrain"),
    ("G3|H3", {"board": {"walls": ["G3|H3"]}}, "isn't at an edge of a's square"),
    (
        "G3",
        {"board": {"terrain": [{"type": "blocking", "squares": ["G3"]}]}},
        "in G3 aren't adjacent: their squares don't touch",
    ),
    ("D3", {"board": HOUSE | WALL}, "in D3 aren't adjacent: a wall stands between C3 and D3"),
    ("o", {"objects": [{"id": "o", "kind": "light", "square": "G3"}]}, "the object o aren't adjacent"),
    (
        "o",
        {
            "objects": [{"id": "o", "kind": "light", "square": None}],
            "theirs": [fighter("b", "G3", powers=["Super Strength"], holding="o")],
        },
        "held or removed object can't be targeted",
    ),
]


@every_row(("target", "parts", "why"), REFUSED)
def test_what_cannot_be_destroyed_from_here(target: str, parts: dict[str, Any], why: str) -> None:
    assert why in refused(strike(target, **parts))


@every_row(
    ("targets", "why"),
    [(("b", "D3"), "both characters and objects or terrain"), (("D3", "D4"), "One attack can destroy only 1")],
)
def test_one_attack_one_kind_of_target(targets: tuple[str, ...], why: str) -> None:
    board = {"terrain": [{"type": "blocking", "squares": ["D3", "D4"]}]}
    report = fight(CAR, [fighter("a", "C3")], [fighter("b", "C4")], done("close", "a", *targets), board=board)
    assert why in refused(report)


def test_a_multi_attack_breaks_a_wall_and_strikes_a_figure() -> None:
    """Sentinels Rules › Attacking: one figure and one square of blocking terrain, each with 1 less: 4 - 1 = 3."""
    inner = [done("close", "s", "D3"), done("close", "s", "b")]
    given = done("power", "s", using=["Multi-Attack"], then=inner, rolls={"attack": [[4, 3]]})
    report = fight(CAR, [sentinel("s", "B3", damage=4)], [fighter("b", "D5")], given, board=HOUSE)
    assert debris(report) == {"D3"}
    assert state(report, "b")["click"] == 4
