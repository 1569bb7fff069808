"""Consequences of a knockout or a click: dropped objects, tokens, archenemies' points, stacks; by hand."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import clicks, done, fight, fighter, refused, state, steps, told, walk
from tests.tables import every_row

CAR, DC, NEW, MODERN = "car-2002", "dc-2005", "core-2014", "core-modern"
ALL = ("ic-2002", CAR, DC, NEW, MODERN)
FAR = [fighter("z", "P16")]
SEVEN = {"rolls": {"attack": [[4, 3]]}, "choose": {"knock-back": False}}
HELD = [{"id": "o", "kind": "heavy", "square": None}]


def strong(id: str, square: str, *, loses: bool = False, **keys: Any) -> dict[str, Any]:
    """Return a figure holding the heavy object; with `loses` its second click has no Super Strength."""
    made = fighter(id, square, powers=["Super Strength"], holding="o", **keys)
    if loses:
        made["dial"] = [made["dial"][0], *({**made["dial"][0], "powers": []} for _ in range(6))]
    return made


@every_row("edition", ALL)
def test_the_object_of_the_fallen_stays_in_its_square(edition: str) -> None:
    report = fight(
        edition,
        [fighter("a", "C3")],
        [strong("b", "D3", clicks=2), *FAR],
        done("close", "a", "b", **SEVEN),
        objects=HELD,
    )
    assert state(report, "b")["ko"] is True
    assert report["state"]["objects"]["o"] == {"square": "D3", "removed": False, "held_by": None}


@every_row("edition", ALL)
def test_a_figure_that_loses_super_strength_drops_a_heavy_object(edition: str) -> None:
    report = fight(
        edition, [fighter("a", "C3")], [strong("b", "D3", loses=True)], done("close", "a", "b", **SEVEN), objects=HELD
    )
    assert state(report, "b")["holding"] is None
    assert report["state"]["objects"]["o"]["square"] == "D3"


@every_row(("edition", "kept"), [(CAR, False), (MODERN, True)])
def test_a_light_object_is_kept_by_anyone_in_the_2020s(edition: str, kept: bool) -> None:
    light = [{"id": "o", "kind": "light", "square": None}]
    report = fight(
        edition, [fighter("a", "C3")], [strong("b", "D3", loses=True)], done("close", "a", "b", **SEVEN), objects=light
    )
    assert (state(report, "b")["holding"] == "o") is kept


def test_an_ultra_light_object_is_kept_without_super_strength() -> None:
    light = [{"id": "o", "kind": "ultra-light", "square": None}]
    report = fight(
        NEW, [fighter("a", "C3")], [strong("b", "D3", loses=True)], done("close", "a", "b", **SEVEN), objects=light
    )
    assert state(report, "b")["holding"] == "o"


@every_row(("edition", "removed"), [(NEW, True), (CAR, False)])
def test_an_object_dropped_on_another_is_removed_in_2014(edition: str, removed: bool) -> None:
    """Holding an Object (2014): if the square has an object already, the dropped one leaves the game."""
    things = [*HELD, {"id": "p", "kind": "light", "square": "D3"}]
    report = fight(
        edition,
        [fighter("a", "C3")],
        [strong("b", "D3", clicks=2), *FAR],
        done("close", "a", "b", **SEVEN),
        objects=things,
    )
    assert report["state"]["objects"]["o"]["removed"] is removed


@every_row(("edition", "points"), [(CAR, 100), (DC, 100), (NEW, 50)])
def test_an_archenemy_scores_double_where_the_book_has_archenemies(edition: str, points: int) -> None:
    mine = [fighter("a", "C3", base_color="red", set="ic")]
    theirs = [fighter("b", "D3", clicks=2, base_color="red", set="ic"), *FAR]
    report = fight(edition, mine, theirs, done("close", "a", "b", **SEVEN))
    assert report["state"]["victory_points"]["A"] == points


def test_pushing_on_the_last_click_scores_for_the_last_player_to_damage() -> None:
    """Victory: the opponent whose character most recently damaged it scores; if none did, all opponents split."""
    pushed = fighter("a", "C3", clicks=1, tokens=1, last_damaged_by="B")
    report = fight(CAR, [pushed, fighter("f", "A1")], FAR, walk("a", "C4"))
    assert report["state"]["victory_points"] == {"A": 0, "B": 50}


def test_a_split_between_three_is_exact() -> None:
    from rules.engine import adjudicate

    sides = [
        {"player": "A", "characters": [fighter("a", "C3", clicks=1, tokens=1, points=15), fighter("f", "A1")]},
        {"player": "B", "characters": [fighter("b", "P1")]},
        {"player": "C", "characters": [fighter("c", "P16")]},
    ]
    document = {"edition": CAR, "map": {"width": 16, "height": 16}, "sides": sides, "actions": [walk("a", "C4")]}
    assert adjudicate(document)["state"]["victory_points"] == {"A": 0, "B": 7.5, "C": 7.5}


def test_a_pushed_out_figure_scores_for_its_only_opponent_in_2014() -> None:
    """With two players the opponent scores everything that is defeated."""
    report = fight(NEW, [fighter("a", "C3", clicks=1, tokens=1), fighter("f", "A1")], FAR, walk("a", "C4"))
    assert report["state"]["victory_points"] == {"A": 0, "B": 50}


# ── Reducers ───────────────────────────────────────────────────────────────────────────────────


@every_row("edition", [CAR, NEW])
def test_two_kinds_of_penetrating_and_reducing(edition: str) -> None:
    """The report says that Toughness doesn't reduce penetrating damage."""
    name = "Psychic Blast" if edition == CAR else "Penetrating/Psychic Blast"
    given = done("ranged", "a", "b", using=[name], **SEVEN)
    report = fight(
        edition, [fighter("a", "C3", powers=[name], range=6)], [fighter("b", "G3", powers=["Toughness"])], given
    )
    numbers = told(report, "damage-taken")["numbers"]
    assert (numbers["damage"], numbers["reduced"], numbers["taken"]) == (3, 0, 3)
    assert clicks(report, "b") == [4]


@every_row("powers", [["Toughness", "Invulnerability"], ["Invulnerability", "Toughness"]])
def test_of_several_reducers_the_strongest_works(powers: list[str]) -> None:
    report = fight(NEW, [fighter("a", "C3")], [fighter("b", "D3", powers=powers)], done("close", "a", "b", **SEVEN))
    numbers = told(report, "damage-taken")["numbers"]
    assert (numbers["dealt"], numbers["reduced"], numbers["taken"]) == (3, 2, 1)


@every_row("edition", ALL)
def test_damage_reduced_to_0_turns_no_dial_and_knocks_no_one_back(edition: str) -> None:
    target = fighter("b", "D3", powers=["Invulnerability"])
    given = done("close", "a", "b", rolls={"attack": [[4, 4]]}, choose={"knock-back": True})
    report = fight(edition, [fighter("a", "C3", damage=2)], [target], given)
    assert (clicks(report, "b"), state(report, "b")["square"]) == ([1], "D3")
    assert {"click", "knock-back"} & set(steps(report)) == set()


# ── Hordes and bystanders ──────────────────────────────────────────────────────────────────────


@every_row(("damage", "left"), [(3, 2), (1, 2)])
def test_a_stack_loses_one_token_to_an_attack_and_its_points_with_it(damage: int, left: int) -> None:
    horde = fighter("b", "D3", kind="horde", stack=3, stack_max=4, points=30, clicks=1)
    report = fight(NEW, [fighter("a", "C3", damage=damage)], [horde, *FAR], done("close", "a", "b", **SEVEN))
    assert state(report, "b")["stack"] == left
    assert report["state"]["victory_points"]["A"] == 10


def test_the_last_token_of_a_stack_is_the_stack() -> None:
    horde = fighter("b", "D3", kind="horde", stack=1, stack_max=4, points=10, clicks=1)
    report = fight(NEW, [fighter("a", "C3")], [horde, *FAR], done("close", "a", "b", **SEVEN))
    assert (state(report, "b")["ko"], report["state"]["victory_points"]["A"]) == (True, 10)


@every_row("edition", [DC, NEW, MODERN])
def test_any_damage_removes_a_bystander(edition: str) -> None:
    bystander = fighter("b", "D3", kind="bystander", clicks=1, points=5)
    report = fight(edition, [fighter("a", "C3", damage=1)], [bystander, *FAR], done("close", "a", "b", **SEVEN))
    assert state(report, "b")["ko"] is True


# ── Divided damage ─────────────────────────────────────────────────────────────────────────────


def divided(edition: str, divide: dict[str, int] | None, dice: tuple[int, int] = (4, 4), **keys: Any) -> dict[str, Any]:
    shooter = fighter("a", "C3", range=8, bolts=2)
    theirs = [fighter("b", "H3"), fighter("c", "H5", **({"defense": 17} | keys))]
    given = done("ranged", "a", "b", "c", rolls={"attack": [list(dice)]}, choose={"knock-back": False})
    if divide is not None:
        given["divide"] = divide
    return fight(edition, [shooter], theirs, given)


@every_row("edition", [DC, NEW, MODERN])
@every_row(
    ("divide", "why"),
    [({"b": 2, "c": 2}, "The shares must add up to 3 damage, not 4"), ({"b": 1}, "not 1")],
)
def test_a_wrong_sum_is_refused(edition: str, divide: dict[str, int], why: str) -> None:
    assert why in refused(divided(edition, divide))


def test_a_missed_target_is_dealt_nothing() -> None:
    """10 + 6 hits 16 and misses 17: c can't be given a share of the damage, except 0."""
    assert "c wasn't hit, so it gets no share of the damage" in refused(divided(NEW, {"b": 2, "c": 1}, (4, 2)))
    assert "nobody wasn't hit" in refused(divided(NEW, {"b": 2, "nobody": 1}, (4, 2)))
    assert clicks(divided(NEW, {"b": 3, "c": 0}, (4, 2)), "b", "c") == [4, 1]


@every_row("edition", [DC, NEW, MODERN])
def test_no_one_hit_has_nothing_to_divide(edition: str) -> None:
    report = divided(edition, {"b": 3}, (1, 2))
    assert clicks(report, "b", "c") == [1, 1]
    assert steps(report).count("miss") == 2
