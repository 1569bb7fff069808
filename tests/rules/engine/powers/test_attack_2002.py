"""Attack powers of 2002: Smoke Cloud, Poison, Psychic Blast, Incapacitate, Pulse Wave, Steal Energy, Telekinesis."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import clicks, done, fight, fighter, refused, state, steps
from tests.tables import every_row

from .test_speed_2002 import sentinel

CAR, DC, NEW, MODERN = "car-2002", "dc-2005", "core-2014", "core-modern"
BOTH = ("ic-2002", CAR)
FAR = [fighter("z", "P16")]
END = {"action": "end-turn"}


# ── Smoke Cloud and Barrier ────────────────────────────────────────────────────────────────────


def make(
    name: str, *squares: str, edition: str = CAR, more: tuple[dict[str, Any], ...] = (), **parts: Any
) -> dict[str, Any]:
    kind = "move" if edition.endswith("2002") else "power"
    maker = fighter("a", "E5", powers=[name], range=parts.pop("range", 6))
    given = done(kind, "a", using=[name], choose={"squares": list(squares)})
    return fight(edition, [maker, fighter("f", "A1")], [fighter("b", "N5", range=10)], given, *more, **parts)


@every_row("edition", (*BOTH, DC, NEW, MODERN))
@every_row(("name", "kind"), [("Smoke Cloud", "smoke"), ("Barrier", "barrier")])
def test_four_markers_until_the_makers_next_turn(edition: str, name: str, kind: str) -> None:
    report = make(name, "H5", "H6", "I5", "I6", edition=edition)
    assert {(one["kind"], one["square"]) for one in report["state"]["markers"]} == {
        (kind, square) for square in ("H5", "H6", "I5", "I6")
    }
    assert state(report, "a")["tokens"] == 1
    once = make(name, "H5", "H6", "I5", "I6", edition=edition, more=(END,))
    assert len(once["state"]["markers"]) == 4
    again = make(name, "H5", "H6", "I5", "I6", edition=edition, more=(END, END))
    assert again["state"]["markers"] == []


def test_a_barrier_blocks_and_a_smoke_cloud_hinders_a_shot() -> None:
    """N5 shoots at E5 along the row: blocked by the Barrier, +1 defense through smoke."""
    shot = done("ranged", "b", "a", rolls={"attack": [[3, 3]]})
    stopped = make("Barrier", "H5", "H6", "I5", "I6", more=(END, shot))
    assert "blocked" in refused(stopped) or "blocking" in refused(stopped)
    hindered = make("Smoke Cloud", "H5", "H6", "I5", "I6", more=(END, shot))
    assert [step["numbers"]["defense"] for step in hindered["steps"] if step["step"] == "miss"] == [17]


MARKERS: list[Any] = [
    (("H5", "H6", "I5"), {}, "needs 4 different squares of the map"),
    (("H5", "H5", "I5", "I6"), {}, "needs 4 different squares of the map"),
    (("H5", "H6", "I5", "XX99"), {}, "needs 4 different squares of the map"),
    (("H5", "H6", "I5", 5), {}, "needs 4 different squares of the map"),
    (("E5", "E6", "F5", "F6"), {}, "a occupies E5"),
    (("H5", "H6", "I5", "I6"), {"objects": [{"id": "o", "kind": "light", "square": "I6"}]}, "An object lies in I6"),
    (
        ("H5", "H6", "I5", "I6"),
        {"board": {"terrain": [{"type": "water", "squares": ["I6"]}]}},
        "I6 has a terrain feature",
    ),
    (("H5", "H6", "I5", "I6"), {"board": {"markers": [{"kind": "debris", "square": "H5"}]}}, "terrain feature"),
    (("H5", "H6", "I5", "I6"), {"board": {"markers": [{"kind": "special", "square": "H5"}]}}, "terrain feature"),
    (("H5", "H6", "I5", "I6"), {"board": {"markers": [{"kind": "special", "square": "H7"}]}}, ""),
    (("H5", "H6", "J5", "J6"), {}, "must be adjacent to each other"),
]


@every_row("name", ["Smoke Cloud", "Barrier"])
@every_row(("squares", "parts", "why"), MARKERS)
def test_where_no_markers_are_placed(name: str, squares: tuple[str, ...], parts: dict[str, Any], why: str) -> None:
    said = refused(make(name, *squares, **parts))
    assert why in said if why else not said


def test_one_square_of_a_barrier_within_range_is_enough_and_all_of_a_smoke_cloud_must_be() -> None:
    """E5 with range 6 reaches K5; L5 is 7 squares away. With range 0 both are placed beside their user."""
    assert make("Barrier", "K5", "K6", "L5", "L6")["legal"] is True
    assert "reaches 6 squares" in refused(make("Smoke Cloud", "K5", "K6", "L5", "L6"))
    assert make("Barrier", "F5", "F6", "G5", "G6", range=0)["legal"] is True
    assert "reaches 1 square" in refused(make("Barrier", "G5", "G6", "H5", "H6", range=0))


def test_the_squares_are_asked_for() -> None:
    report = fight(CAR, [fighter("a", "E5", powers=["Barrier"], range=6)], FAR, done("move", "a", using=["Barrier"]))
    assert report["awaiting"]["choice"] == "squares"


# ── Poison ─────────────────────────────────────────────────────────────────────────────────────


def poison(theirs: list[dict[str, Any]], *before: dict[str, Any], times: int = 1) -> dict[str, Any]:
    mine = [fighter("a", "C3", powers=["Poison"]), fighter("f", "H8")]
    return fight(CAR, mine, theirs, *before, *[done("free", "a", using=["Poison"])] * times)


def test_poison_deals_1_to_each_opponent_beside_it_at_no_cost() -> None:
    """Toughness reduces the click, Impervious doesn't: no one is the target of an attack."""
    theirs = [
        fighter("b", "D3"),
        fighter("c", "D4", powers=["Toughness"]),
        fighter("d", "C4", powers=["Impervious"]),
        fighter("e", "H7"),
    ]
    report = poison(theirs)
    assert clicks(report, "b", "c", "d", "e") == [2, 1, 2, 1]
    assert state(report, "a")["tokens"] == 0
    assert any("isn't the target of an attack" in step["text"] for step in report["steps"])


def test_poison_of_no_one_and_of_a_sentinel() -> None:
    assert "damages no one" in poison(FAR)["steps"][1]["text"]
    report = poison([sentinel("s", "D3")])
    assert clicks(report, "s") == [1]


def test_poison_works_once_at_the_beginning_of_the_turn() -> None:
    assert "has already used Poison this turn" in refused(poison([fighter("b", "D3")], times=2))
    moved = done("move", "f", path=["H9"])
    assert "at the beginning of the turn" in refused(poison([fighter("b", "D3")], moved))


# ── Psychic Blast, Incapacitate ────────────────────────────────────────────────────────────────


@every_row("edition", BOTH)
@every_row("power", ["Toughness", "Invulnerability", "Impervious"])
def test_psychic_blast_is_not_reduced_nor_evaded_by_impervious(edition: str, power: str) -> None:
    """FAQ: it ignores the effects of Impervious; 3 clicks."""
    given = done("ranged", "a", "b", using=["Psychic Blast"], rolls={"attack": [[4, 3]]})
    report = fight(
        edition, [fighter("a", "A1", powers=["Psychic Blast"], range=6)], [fighter("b", "E1", powers=[power])], given
    )
    assert clicks(report, "b") == [4]


@every_row(("tokens", "after", "click"), [(0, 1, 1), (1, 2, 2), (2, 2, 1)])
def test_incapacitate_gives_a_token_and_pushes_with_the_second(tokens: int, after: int, click: int) -> None:
    given = done("close", "a", "b", using=["Incapacitate"], rolls={"attack": [[4, 3]]})
    report = fight(CAR, [fighter("a", "A1", powers=["Incapacitate"])], [fighter("b", "B1", tokens=tokens)], given)
    assert (state(report, "b")["tokens"], clicks(report, "b")) == (after, [click])


def test_incapacitate_spares_a_sentinel_and_two_6s_hurt() -> None:
    """FAQ: a critical hit causes 1 click; a Sentinel cannot be affected."""
    mine = [fighter("a", "A1", powers=["Incapacitate"])]
    given = done("close", "a", "s", using=["Incapacitate"], rolls={"attack": [[4, 3]]})
    assert state(fight(CAR, mine, [sentinel("s", "B1")], given), "s")["tokens"] == 0
    given = done("close", "a", "b", using=["Incapacitate"], rolls={"attack": [[6, 6]]})
    report = fight(CAR, mine, [fighter("b", "B1")], given)
    assert (clicks(report, "b"), state(report, "b")["tokens"]) == ([2], 1)


def test_a_figure_knocked_out_by_the_critical_hit_gets_no_token() -> None:
    given = done("close", "a", "b", using=["Incapacitate"], rolls={"attack": [[6, 6]]})
    report = fight(CAR, [fighter("a", "A1", powers=["Incapacitate"])], [fighter("b", "B1", clicks=1), *FAR], given)
    assert state(report, "b")["ko"] is True
    assert steps(report).count("token") == 1


def test_shield_adds_its_click_to_an_incapacitating_shot() -> None:
    """Magister 2002-08-14: S.H.I.E.L.D. can enhance an Incapacitate attack: 0 + 1."""
    mine = [fighter("a", "A1", powers=["Incapacitate"], range=6), fighter("s", "A2", teams=["S.H.I.E.L.D."])]
    given = done("ranged", "a", "b", using=["Incapacitate"], assist=["s"], rolls={"attack": [[4, 3]]})
    report = fight(CAR, mine, [fighter("b", "E1")], given)
    assert (clicks(report, "b"), state(report, "b")["tokens"]) == ([2], 1)


# ── Energy Explosion, Pulse Wave, Steal Energy ─────────────────────────────────────────────────


def test_energy_explosion_goes_with_no_thrown_object() -> None:
    mine = [fighter("a", "A1", powers=["Energy Explosion", "Super Strength"], holding="o", range=6)]
    given = done("ranged", "a", "b", using=["Energy Explosion"], with_object="o")
    report = fight(CAR, mine, [fighter("b", "D1")], given, objects=[{"id": "o", "kind": "light", "square": None}])
    assert "can't be used with a thrown object" in refused(report)


def wave(
    theirs: list[dict[str, Any]],
    *friends: dict[str, Any],
    edition: str = CAR,
    dice: tuple[int, int] = (4, 3),
    **keys: Any,
) -> dict[str, Any]:
    mine = [fighter("a", "E5", powers=["Pulse Wave"], **({"range": 8} | keys)), *friends]
    given = done("ranged", "a", using=["Pulse Wave"], rolls={"attack": [list(dice)]})
    return fight(edition, mine, theirs, given)


def test_pulse_wave_deals_1_to_each_of_several_friends_too() -> None:
    """Half of 8 is 4 squares, past figures: b and, behind it, c, and the friend f; d is 5 squares away."""
    theirs = [fighter("b", "G5"), fighter("c", "I5"), fighter("d", "J10")]
    report = wave(theirs, fighter("f", "E2"))
    assert clicks(report, "b", "c", "f", "d") == [2, 2, 2, 1]


@every_row("edition", [CAR, NEW])
def test_a_target_that_the_wave_does_not_reach_is_named_with_the_reason(edition: str) -> None:
    given = done("ranged", "a", "b", "d", "w", using=["Pulse Wave"], rolls={"attack": [[4, 3]]})
    mine = [fighter("a", "E5", powers=["Pulse Wave"], range=8, bolts=3)]
    theirs = [fighter("b", "G5"), fighter("d", "J10"), fighter("w", "E2")]
    report = fight(edition, mine, theirs, given, board={"walls": ["E3|E4"]})
    far, walled = [step["text"] for step in report["steps"] if step["step"] == "note"]
    assert far == "The Pulse Wave doesn't reach d: d is 5 squares away, beyond its reach of 4."
    assert "doesn't reach w" in walled
    assert "a wall" in walled
    assert clicks(report, "b", "d", "w") == [4, 1, 1]
    alone = refused(fight(edition, mine, theirs[1:2], given | {"targets": ["d"]}))
    assert alone.startswith("The Pulse Wave doesn't reach d")


@every_row("edition", [CAR, DC, NEW, MODERN])
def test_the_lines_of_a_wave_pass_figures_and_are_hindered_behind_them(edition: str) -> None:
    """Pulse Wave: figures never block its lines; hindering terrain behind one still adds to the defense."""
    given = done("ranged", "a", using=["Pulse Wave"], rolls={"attack": [[4, 3]]}, choose={"knock-back": False})
    mine = [fighter("a", "E5", powers=["Pulse Wave"], range=8), fighter("f", "G5")]
    board = {"terrain": [{"type": "hindering", "squares": ["H5"]}]}
    report = fight(edition, mine, [fighter("c", "I5")], given, board=board)
    lines = [step["text"] for step in report["steps"] if step["step"] == "line-of-fire"]
    assert not any("blocked" in line for line in lines)
    assert [step["numbers"]["defense"] for step in report["steps"] if step["step"] == "hit"] == [16, 17]


def test_a_single_one_within_the_wave_takes_normal_damage() -> None:
    """It is also the target: Super Senses may evade."""
    assert clicks(wave([fighter("b", "G5")]), "b") == [4]
    given = done("ranged", "a", using=["Pulse Wave"], rolls={"attack": [[4, 3]], "super-senses:b": [[5]]})
    mine = [fighter("a", "E5", powers=["Pulse Wave"], range=8)]
    report = fight(CAR, mine, [fighter("b", "G5", powers=["Super Senses"])], given)
    assert clicks(report, "b") == [1]


def test_pulse_wave_does_not_target_skrulls() -> None:
    """FAQ: it doesn't target characters; no Skrull roll is asked for, and the topic says so."""
    report = wave([fighter("b", "G5", teams=["Skrulls"]), fighter("c", "G6")])
    assert clicks(report, "b", "c") == [2, 2]
    assert "skrulls" in report["steps"][1]["topics"]


@every_row(
    ("theirs", "why"),
    [
        ([fighter("b", "F5")], "a can't shoot: it is adjacent to b"),
        ([fighter("b", "N5")], "reaches no one within 4 squares"),
        ([fighter("b", "H5", speed_symbol="wing", flight="soaring")], "reaches no one within 4 squares"),
    ],
)
def test_when_there_is_no_pulse_wave(theirs: list[dict[str, Any]], why: str) -> None:
    assert why in refused(wave(theirs))


def test_a_pulse_wave_reaches_soaring_figures_half_as_far() -> None:
    """Soaring: the attacker's range is halved; 8 is 4 for the wave and 2 upwards."""
    high = fighter("b", "G5", speed_symbol="wing", flight="soaring")
    assert clicks(wave([high]), "b") == [4]
    assert clicks(wave([high, fighter("c", "G6")]), "b", "c") == [2, 2]


@every_row(("edition", "waits"), [(CAR, False), (MODERN, True)])
def test_steal_energy_heals_a_figure_that_has_dealt_damage(edition: str, waits: bool) -> None:
    given = done("close", "a", "b", rolls={"attack": [[4, 3]]})
    report = fight(edition, [fighter("a", "A1", powers=["Steal Energy"], click=3)], [fighter("b", "B1")], given)
    assert clicks(report, "a", "b") == [2, 4]
    order = steps(report)
    assert (order.index("heal") > order.index("token")) is waits


def test_steal_energy_heals_nothing_after_a_shot_reduced_damage_or_for_a_sentinel() -> None:
    mine = [fighter("a", "A1", powers=["Steal Energy"], click=3, range=6, damage=1)]
    shot = done("ranged", "a", "b", rolls={"attack": [[4, 3]]})
    blow = done("close", "a", "b", rolls={"attack": [[4, 3]]})
    for edition in (CAR, MODERN):
        assert clicks(fight(edition, mine, [fighter("b", "E1")], shot), "a") == [3]
        assert clicks(fight(edition, mine, [fighter("b", "B1", powers=["Toughness"])], blow), "a") == [3]
    hit = done("close", "a", "s", rolls={"attack": [[4, 3]]})
    assert clicks(fight(CAR, mine, [sentinel("s", "B1")], hit), "a", "s") == [3, 2]


# ── Telekinesis ────────────────────────────────────────────────────────────────────────────────

THING = {"id": "o", "kind": "heavy", "square": "B3"}


def mover(
    given: dict[str, Any],
    *,
    theirs: list[dict[str, Any]] | None = None,
    things: tuple[dict[str, Any], ...] = (THING,),
    edition: str = CAR,
    board: dict[str, Any] | None = None,
    **keys: Any,
) -> dict[str, Any]:
    mine = [fighter("a", "B2", powers=["Telekinesis"], **keys), fighter("f", "A1")]
    return fight(edition, mine, theirs or [fighter("b", "H2")], given, objects=list(things), board=board or {})


def lift(target: str, to: str | None, **keys: Any) -> dict[str, Any]:
    return done("close", "a", target, using=["Telekinesis"], choose={"square": to} if to else {}, **keys)


def fire(target: str, **keys: Any) -> dict[str, Any]:
    return done(
        "ranged", "a", target, using=["Telekinesis"], with_object="o", **({"rolls": {"attack": [[4, 3]]}} | keys)
    )


@every_row("edition", BOTH)
def test_telekinesis_moves_objects_and_friends_ten_squares(edition: str) -> None:
    report = mover(lift("o", "L3"), edition=edition)
    assert report["state"]["objects"]["o"]["square"] == "L3"
    report = mover(lift("f", "K1"), edition=edition)
    assert state(report, "f")["square"] == "K1"
    assert steps(report) == ["declare", "move", "token"]


@every_row(("dice", "square"), [([4, 3], "H9"), ([2, 3], "C2"), ([4, 4], "H9")])
def test_an_opponent_is_moved_by_an_attack_that_does_no_damage(dice: list[int], square: str) -> None:
    """10 + 7 and 10 + 8 hit 16, 10 + 5 misses; doubles don't knock back."""
    report = mover(lift("b", "H9", rolls={"attack": [dice]}), theirs=[fighter("b", "C2")])
    assert (state(report, "b")["square"], clicks(report, "b")) == (square, [1])


def test_two_6s_hurt_the_figure_that_telekinesis_moves() -> None:
    report = mover(
        lift("b", "H9", rolls={"attack": [[6, 6]]}),
        theirs=[fighter("b", "C2", holding="o", powers=["Super Strength"])],
        things=({**THING, "square": None},),
    )
    assert (state(report, "b")["square"], clicks(report, "b"), state(report, "b")["holding"]) == ("H9", [2], "o")
    gone = mover(lift("b", "H9", rolls={"attack": [[6, 6]]}), theirs=[fighter("b", "C2", clicks=1), *FAR])
    assert state(gone, "b")["ko"] is True


LIFTS: list[Any] = [
    (lift("o", "M3"), {}, "M3 is 11 squares away, and Telekinesis moves nothing farther than 10 squares"),
    (lift("o", "QQ3"), {}, "QQ3 isn't a square of the map"),
    (lift("o", "F3"), {"terrain": [{"type": "blocking", "squares": ["F3"]}]}, "nothing can be placed there"),
    (lift("o", "H3"), {"walls": ["E1|F1", "E2|F2", "E3|F3", "E4|F4"]}, "The line of fire from a"),
    (lift("o", "F3"), {"terrain": [{"type": "hindering", "squares": ["F3"]}]}, "isn't clear terrain"),
    (lift("f", "H2"), {}, "b occupies H2"),
    (lift("b", "H9"), {}, "a and b aren't adjacent"),
    (lift("a", "H9"), {}, "Telekinesis can move only another character"),
    (done("close", "a", "o", "f", using=["Telekinesis"]), {}, "Telekinesis can have only 1 target"),
    (lift("B2", "H9"), {}, "Telekinesis needs a character or an object"),
]


@every_row(("given", "board", "why"), LIFTS)
def test_what_telekinesis_does_not_move(given: dict[str, Any], board: dict[str, Any], why: str) -> None:
    report = mover(given, board=board)
    assert why in refused(report)


@every_row(
    ("thing", "why"),
    [
        ({**THING, "square": "B5"}, "a and o aren't adjacent: their squares don't touch"),
        ({**THING, "removed": True, "square": None}, "isn't on the map"),
    ],
)
def test_which_objects_telekinesis_does_not_reach(thing: dict[str, Any], why: str) -> None:
    assert why in refused(mover(lift("o", "H3"), things=(thing,)))


def test_telekinesis_asks_where_and_leaves_a_sentinel() -> None:
    assert mover(lift("o", None))["awaiting"]["choice"] == "square"
    report = mover(lift("s", "H9"), theirs=[sentinel("s", "C2")])
    assert "is a Sentinel, so Telekinesis can't move it" in refused(report)


@every_row(("kind", "click"), [("light", 3), ("heavy", 4)])
def test_a_fired_object_deals_2_or_3_and_is_gone(kind: str, click: int) -> None:
    report = mover(fire("b"), things=({**THING, "kind": kind},))
    assert clicks(report, "b") == [click]
    assert report["state"]["objects"]["o"]["removed"] is True


def test_a_missed_shot_destroys_the_object_too() -> None:
    report = mover(fire("b", rolls={"attack": [[2, 3]]}))
    assert (clicks(report, "b"), report["state"]["objects"]["o"]["removed"]) == ([1], True)


def test_reach_of_a_fired_object() -> None:
    """Ten squares from the object, not eleven; 9 + 1 on a roof; five to a soaring figure."""
    assert mover(fire("b"), theirs=[fighter("b", "L3")])["legal"] is True
    assert "11 squares from the object; the maximum is 10" in refused(mover(fire("b"), theirs=[fighter("b", "M3")]))
    roof = {"terrain": [{"type": "elevated", "squares": ["J1:P16"]}]}
    assert mover(fire("b"), theirs=[fighter("b", "J3")], board=roof)["legal"] is True
    wide = {"terrain": [{"type": "elevated", "squares": ["L1:P16"]}]}
    assert "11 squares from the object" in refused(mover(fire("b"), theirs=[fighter("b", "L3")], board=wide))
    high = {"speed_symbol": "wing", "flight": "soaring"}
    assert mover(fire("b"), theirs=[fighter("b", "G3", **high)])["legal"] is True
    assert "6 squares from the object; the maximum is 5" in refused(
        mover(fire("b"), theirs=[fighter("b", "H3", **high)])
    )


def test_the_way_of_a_fired_object_leads_around_blocking_terrain() -> None:
    """B3 to F3 is 4 squares; enclosed on all sides the object has no path."""
    column = {"terrain": [{"type": "blocking", "squares": ["D3"]}]}
    assert mover(fire("b"), theirs=[fighter("b", "F2")], board=column)["legal"] is True
    cell = {"terrain": [{"type": "blocking", "squares": ["E1:G1", "E3:G3", "E2", "G2"]}]}
    assert "No path around blocking terrain" in refused(mover(fire("b"), theirs=[fighter("b", "F2")], board=cell))


FIRES: list[Any] = [
    (fire("b"), {"theirs": [fighter("b", "C2"), fighter("c", "H2")]}, ""),
    (fire("c"), {"theirs": [fighter("b", "C1"), fighter("c", "H2")]}, "can fire only at an adjacent opponent"),
    (fire("f"), {}, "f is friendly to a"),
    (fire("b"), {"things": ({**THING, "square": "B6"},)}, "a and o aren't adjacent: their squares don't touch"),
    (
        fire("b"),
        {"things": ({**THING, "square": None, "removed": True},)},
        "can fire only an object that lies on the map",
    ),
    (fire("b"), {"theirs": [fighter("b", "H2"), fighter("c", "E2")]}, "is blocked: c stands in E2"),
]


@every_row(("given", "parts", "why"), FIRES)
def test_targets_that_telekinesis_may_fire_at(given: dict[str, Any], parts: dict[str, Any], why: str) -> None:
    report = mover(given, **parts)
    assert (why in refused(report)) if why else report["legal"]


@every_row(
    ("edition", "thing", "target", "why"),
    [
        (NEW, {"kind": "immobile"}, None, "Immobile objects can't be moved"),
        (NEW, {"kind": "ultra-heavy"}, None, "Ultra-heavy objects can't be moved"),
        (DC, {}, {"damage_symbol": "giant"}, "giant or big character, so it can't be moved"),
        (DC, {}, {"base": "peanut"}, "has a larger base, so it can't be moved"),
    ],
)
def test_what_later_telekinesis_does_not_move(
    edition: str, thing: dict[str, Any], target: dict[str, Any] | None, why: str
) -> None:
    mine = [fighter("a", "B2", powers=["Telekinesis"])]
    friend = fighter("f", "A1", **(target or {}))
    if friend.get("base"):
        friend["squares"] = ["A1", "A2"]
        del friend["square"]
    given = done("power", "a", "f" if target else "o", using=["Telekinesis"], choose={"square": "H9"})
    report = fight(edition, [*mine, friend], FAR, given, objects=[THING | thing])
    assert why in refused(report)
