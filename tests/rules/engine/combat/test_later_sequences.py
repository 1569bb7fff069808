"""The order of events in the later books: what waits until an action has resolved, and what comes before damage."""

from __future__ import annotations

from typing import Any

from tests.tables import every_row

from ..fights import clicks, done, fight, fighter, refused, state, steps, told, walk

DC, BOOK, MODERN = "dc-2005", "core-2014", "core-modern"
LATER = (DC, BOOK, MODERN)
FAR = [fighter("z", "P16")]


def dialled(name: str, square: str, *showing: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """Return a figure with different clicks: each of these in turn, the last one repeated to the dial's end."""
    made = fighter(name, square, **keys)
    wanted = (*showing, *[showing[-1]] * (len(made["dial"]) - len(showing)))
    made["dial"] = [click | own for click, own in zip(made["dial"], wanted, strict=True)]
    return made


# ── After the action ───────────────────────────────────────────────────────────────────────────


def test_pushing_comes_before_what_merely_follows_an_action() -> None:
    """Pushing damage is dealt right after resolutions; Steal Energy heals later (The Rule of the Active Player)."""
    mine = [fighter("a", "C3", powers=["Steal Energy"], tokens=1)]
    report = fight(MODERN, mine, [fighter("b", "D3")], done("close", "a", "b", rolls={"attack": [[5, 4]]}))
    assert clicks(report, "a", "b") == [1, 4]
    order = steps(report)
    assert order.index("push") < order.index("heal")


def test_a_figure_knocked_out_by_pushing_is_not_healed() -> None:
    mine = [fighter("a", "C3", powers=["Steal Energy"], tokens=1, click=8), fighter("f", "A1")]
    report = fight(MODERN, mine, [fighter("b", "D3")], done("close", "a", "b", rolls={"attack": [[5, 4]]}))
    assert state(report, "a")["ko"] is True
    assert "heal" not in steps(report)


@every_row(("edition", "second", "click"), [(BOOK, 12, 1), (MODERN, 19, 4)])
def test_two_1s_hurt_at_once_in_2014_and_after_the_action_in_the_2020s(edition: str, second: int, click: int) -> None:
    mine = [dialled("a", "C3", {"powers": ["Flurry"]}, {"attack": 3})]
    given = done("close", "a", "b", "b", using=["Flurry"], rolls={"attack": [[1, 1], [5, 4]]})
    report = fight(edition, mine, [fighter("b", "D3")], given)
    assert [step["numbers"]["total"] for step in report["steps"] if step["step"] == "attack-roll"] == [12, second]
    assert clicks(report, "a", "b") == [2, click]


def test_a_figure_that_two_1s_will_knock_out_still_makes_its_second_attack_in_the_2020s() -> None:
    mine = [fighter("a", "C3", powers=["Flurry"], click=8), fighter("f", "A1")]
    given = done("close", "a", "b", "b", using=["Flurry"], rolls={"attack": [[1, 1], [5, 4]]})
    report = fight(MODERN, mine, [fighter("b", "D3")], given)
    assert state(report, "a")["ko"] is True
    assert clicks(report, "b") == [4]


@every_row(("edition", "click"), [(DC, 1), (BOOK, 3)])
def test_an_action_in_progress_continues_without_the_power_from_2014_on(edition: str, click: int) -> None:
    """Two 1s turn the dial past Flurry; the 2014 book finishes the action, one damage less after the first attack."""
    mine = [dialled("a", "C3", {"powers": ["Flurry"]}, {"powers": []})]
    given = done("close", "a", "b", "b", using=["Flurry"], rolls={"attack": [[1, 1], [5, 4]]})
    report = fight(edition, mine, [fighter("b", "D3")], given, spare=["attack"] if edition == DC else [])
    assert clicks(report, "b") == [click]


# ── Damage depletion (2014) ────────────────────────────────────────────────────────────────────


@every_row(
    ("printed", "perplex", "made", "value"),
    [(3, 0, 1, 2), (3, 0, 2, 1), (3, 0, 5, 1), (1, 0, 1, 1), (1, 1, 1, 1), (1, 2, 1, 2), (3, -2, 1, 1), (6, 0, 5, 3)],
)
def test_depletion_is_a_modifier_like_any_other_and_leaves_at_least_1(
    printed: int, perplex: int, made: int, value: int
) -> None:
    """Damage Depletion Modifier, The Rule of Three, The Rule of Minimums."""
    keys: dict[str, Any] = {"damage": printed, "attacks_made": made}
    keys |= {"modifiers": [{"value": "damage", "by": perplex, "source": "Perplex"}]} if perplex else {}
    report = fight(BOOK, [fighter("a", "C3", **keys)], FAR, ask=[{"ask": "value", "of": "a", "value": "damage"}])
    assert report["answers"][0]["result"] == value


# ── Knock back ─────────────────────────────────────────────────────────────────────────────────


@every_row("edition", [DC, BOOK])
@every_row(("before", "after", "square"), [(["Charge"], [], "D3"), ([], ["Charge"], "G3")])
def test_protection_from_knock_back_is_determined_before_damage(
    edition: str, before: list[str], after: list[str], square: str
) -> None:
    theirs = [dialled("b", "D3", {"powers": before}, {"powers": after})]
    given = done("close", "a", "b", rolls={"attack": [[4, 4]]}, choose={"knock-back": True})
    report = fight(edition, [fighter("a", "C3")], theirs, given)
    assert (state(report, "b")["square"], clicks(report, "b")) == (square, [4])


@every_row(("edition", "click"), [("ic-2002", 5), ("car-2002", 5), (DC, 5), (BOOK, 5), (MODERN, 4)])
def test_a_figure_behind_a_wall_prevents_the_damage_only_if_the_book_names_characters_first(
    edition: str, click: int
) -> None:
    given = done("close", "a", "b", rolls={"attack": [[4, 4]]}, choose={"knock-back": True})
    theirs = [fighter("b", "D3"), fighter("c", "F3")]
    report = fight(edition, [fighter("a", "C3")], theirs, given, board={"walls": ["E3|F3"]})
    assert (state(report, "b")["square"], clicks(report, "b")) == ("E3", [click])


@every_row("edition", LATER)
def test_a_figure_on_open_ground_stops_the_path_without_damage(edition: str) -> None:
    given = done("close", "a", "b", rolls={"attack": [[4, 4]]}, choose={"knock-back": True})
    report = fight(edition, [fighter("a", "C3")], [fighter("b", "D3"), fighter("c", "F3")], given)
    assert (state(report, "b")["square"], clicks(report, "b")) == ("E3", [4])


# ── Destroying ─────────────────────────────────────────────────────────────────────────────────


@every_row("edition", LATER)
def test_blocking_terrain_behind_a_closed_corner_is_not_adjacent(edition: str) -> None:
    corner = {"terrain": [{"type": "blocking", "squares": ["D3", "C4", "D4"]}]}
    given = done("close", "a", "D4")
    assert "n't adjacent" in refused(fight(edition, [fighter("a", "C3")], FAR, given, board=corner))
    half = {"terrain": [{"type": "blocking", "squares": ["D3", "D4"]}]}
    report = fight(edition, [fighter("a", "C3")], FAR, given, board=half)
    assert report["state"]["markers"] == [{"kind": "debris", "square": "D4"}]


def test_debris_lies_on_top_of_the_marker_that_was_destroyed() -> None:
    """The older debris marker lies below it: the new one must still be placed (Markers, 2020s)."""
    markers = [{"kind": "debris", "square": "D3"}, {"kind": "blocking", "square": "D3"}]
    given = done("close", "a", "D3")
    report = fight(
        MODERN, [fighter("a", "C3"), fighter("f", "C4")], FAR, given, walk("f", "D3"), board={"markers": markers}
    )
    assert report["state"]["markers"][-1] == {"kind": "debris", "square": "D3"}
    assert state(report, "f")["square"] == "D3"


def test_an_ultra_heavy_object_breaks_what_is_as_heavy() -> None:
    """3 more than a damage value of 1: the 4 that an ultra heavy object needs (Ultra Heavy Objects, 2014)."""
    mine = [fighter("a", "C3", powers=["Super Strength"], damage=1, points=100, holding="u")]
    things = [{"id": "u", "kind": "ultra-heavy", "square": None}, {"id": "v", "kind": "ultra-heavy", "square": "D3"}]
    report = fight(BOOK, mine, FAR, done("close", "a", "v", with_object="u"), objects=things)
    assert told(report, "damage-dealt")["numbers"]["damage"] == 4
    assert report["state"]["objects"]["v"]["removed"] is True


@every_row(("defense", "squares"), [(16, ["F3", "C7"]), (25, ["E3", "C6"])])
def test_friends_are_knocked_back_too_where_an_opponent_was_damaged(defense: int, squares: list[str]) -> None:
    """The KNOCKBACK keyphrase (2020s): once opponents take damage, all hit characters are knocked back."""
    mine = [fighter("a", "C3", range=8, powers=["Pulse Wave"]), fighter("f", "E3")]
    given = done("ranged", "a", using=["Pulse Wave"], rolls={"attack": [[5, 5]]}, choose={"knock-back": True})
    report = fight(MODERN, mine, [fighter("b", "C6", defense=defense)], given)
    assert [state(report, name)["square"] for name in ("f", "b")] == squares


# ── Ranges ─────────────────────────────────────────────────────────────────────────────────────

THROW = done("ranged", "a", "b", with_object="o", rolls={"attack": [[4, 3]]})


@every_row(
    ("keys", "square", "legal"),
    [
        ({"range": 0}, "I3", True),
        ({"range": 0}, "J3", False),
        ({"range": 4, "modifiers": [{"value": "range", "by": 3, "source": "Perplex"}]}, "J3", True),
        ({"range": 8}, "K3", True),
        ({"range": 8, "replacements": [{"value": "range", "set": "halve"}]}, "J3", False),
        ({"range": 8, "replacements": [{"value": "range", "set": "halve"}]}, "I3", True),
    ],
)
def test_an_object_flies_as_far_as_the_range_value_and_at_least_6(
    keys: dict[str, Any], square: str, legal: bool
) -> None:
    """RANGE Object Action: a minimum for the calculated range value (The Rule of Minimums)."""
    things = [{"id": "o", "kind": "light", "square": None}]
    report = fight(
        MODERN,
        [fighter("a", "C3", holding="o", **keys)],
        [fighter("b", square)],
        THROW,
        objects=things,
    )
    assert report["legal"] is legal


@every_row("edition", [BOOK, MODERN])
@every_row(("by", "legal"), [(0, False), (1, True)])
def test_perplex_reaches_as_far_as_the_range_value(edition: str, by: int, legal: bool) -> None:
    more = {"modifiers": [{"value": "range", "by": by, "source": "Perplex"}]} if by else {}
    mine = [fighter("a", "C3", range=7, powers=["Perplex"], **more)]
    given = done("free", "a", "b", using=["Perplex"], choose={"value": "attack", "by": -1})
    assert fight(edition, mine, [fighter("b", "K3")], given)["legal"] is legal


@every_row(
    ("edition", "squares", "why"), [(DC, ["D3", "C4"], ""), (BOOK, ["D3"], ""), (MODERN, [], "that isn't an attack")]
)
def test_flurry_against_terrain(edition: str, squares: list[str], why: str) -> None:
    """Attacks on terrain count for damage depletion (2014): 3, then 2. In the 2020s they aren't attacks."""
    corner = {"terrain": [{"type": "blocking", "squares": ["D3", "C4"]}]}
    given = done("close", "a", "D3", "C4", using=["Flurry"])
    report = fight(edition, [fighter("a", "C3", powers=["Flurry"])], FAR, given, board=corner)
    assert [marker["square"] for marker in report["state"]["markers"]] == squares
    assert why in refused(report)


# ── What ends with a power ─────────────────────────────────────────────────────────────────────

PERPLEX = done("free", "a", "f", using=["Perplex"], choose={"value": "attack", "by": 1})
ATTACK_OF_F = [{"ask": "value", "of": "f", "value": "attack"}]


@every_row("edition", [BOOK, MODERN])
@every_row(
    ("keys", "value"),
    [
        ({"showing": [["Perplex"], []]}, 10),
        ({"showing": [["Perplex"]], "clicks": 1}, 10),
        ({"showing": [["Perplex"]]}, 11),
    ],
)
def test_perplex_ends_with_the_power_or_its_owner(edition: str, keys: dict[str, Any], value: int) -> None:
    """The power lost with the dial, or its owner knocked out: all that Perplex did ends at once."""
    showing = [{"powers": powers} for powers in keys["showing"]]
    mine = [dialled("a", "C3", *showing, clicks=keys.get("clicks", 8)), fighter("f", "A1")]
    blow = done("close", "a", "b", rolls={"attack": [[1, 1]]})
    report = fight(edition, mine, [fighter("b", "D3")], PERPLEX, blow, ask=ATTACK_OF_F)
    assert report["answers"][0]["result"] == value


@every_row("edition", [BOOK, MODERN])
def test_a_pulse_wave_ignores_powers_and_no_one_loses_them(edition: str) -> None:
    """The object stays in hand and Perplex's effect continues (Common Questions, 2014; The Twin Rules of Durations)."""
    mine = [fighter("a", "C3", powers=["Perplex", "Super Strength"], holding="o"), fighter("f", "A1")]
    theirs = [fighter("b", "F3", powers=["Pulse Wave"], range=8)]
    wave = done("ranged", "b", using=["Pulse Wave"], rolls={"attack": [[5, 4]]})
    things = [{"id": "o", "kind": "heavy", "square": None}]
    report = fight(edition, mine, theirs, PERPLEX, {"action": "end-turn"}, wave, objects=things, ask=ATTACK_OF_F)
    assert (state(report, "a")["holding"], report["answers"][0]["result"]) == ("o", 11)
    lost = [dialled("a", "C3", {"powers": ["Super Strength"]}, {"powers": []}, holding="o"), fighter("f", "A1")]
    report = fight(edition, lost, theirs, {"action": "end-turn"}, wave, objects=things)
    assert state(report, "a")["holding"] is None


@every_row("chosen", ["maybe", 1, 0, [], "false"])
def test_knock_back_is_chosen_by_yes_or_no(chosen: Any) -> None:
    given = done("close", "a", "b", rolls={"attack": [[4, 4]]}, choose={"knock-back": chosen})
    assert "true or false" in refused(fight(MODERN, [fighter("a", "C3")], [fighter("b", "D3")], given))


def test_a_note_says_that_knock_back_is_declined_for_all_who_are_hit() -> None:
    """KNOCKBACK Keyphrase (2020s): the attacker may choose to knock back all hit characters, so all or none."""
    mine = [fighter("a", "C3", range=8, bolts=2)]
    theirs = [fighter("b", "F3"), fighter("c", "F5")]
    chosen = {"divide": {"b": 2, "c": 1}, "choose": {"knock-back": False}}
    given = done("ranged", "a", "b", "c", rolls={"attack": [[4, 4]]}, **chosen)
    report = fight(MODERN, mine, theirs, given)
    assert told(report, "note")["text"] == "a chooses not to knock back b and c."
    assert "knock-back" not in steps(report)


# ── Attacks without damage, debris, moves of 0 squares, markers ────────────────────────────────


@every_row(("edition", "click"), [(DC, 1), (BOOK, 1), (MODERN, 2)])
@every_row("power", ["Incapacitate", "Mind Control"])
def test_two_1s_of_an_attack_without_damage_cost_a_click_in_the_2020s(edition: str, click: int, power: str) -> None:
    """Rolling 2 and 12 (2020s) excepts nothing; No Damage (2005, 2014) does."""
    given = done("close", "a", "b", using=[power], rolls={"attack": [[1, 1]]})
    report = fight(edition, [fighter("a", "C3", powers=[power])], [fighter("b", "D3")], given)
    assert clicks(report, "a", "b") == [click, 1]


END = {"action": "end-turn"}


@every_row(("edition", "left"), [(BOOK, ["debris"]), (MODERN, [])])
def test_debris_of_a_barrier_goes_with_it_in_the_2020s(edition: str, left: list[str]) -> None:
    """Destroying Blocking Terrain (2020s): what removes the marker also removes the debris that it left."""
    made = done("power", "a", using=["Barrier"], choose={"squares": ["G5", "G6", "G7", "G8"]})
    mine = [fighter("a", "E5", range=8, powers=["Barrier"])]
    theirs = [fighter("b", "H5")]
    report = fight(edition, mine, theirs, made, END, done("close", "b", "G5"), END)
    assert [marker["kind"] for marker in report["state"]["markers"] if marker["square"] == "G5"] == left
    kept = fight(edition, mine, theirs, made, END, done("close", "b", "G5"))
    assert {"kind": "debris", "square": "G5"} in kept["state"]["markers"]


@every_row(
    ("edition", "given", "rolled"),
    [
        (MODERN, done("move", "a", pick_up="o"), True),
        (MODERN, done("power", "a", using=["Charge"], then=[done("close", "a", "b")]), True),
        (BOOK, done("move", "a", pick_up="o"), False),
        (BOOK, done("power", "a", using=["Charge"], then=[done("close", "a", "b")]), False),
    ],
)
def test_a_move_of_0_squares_beside_an_opponent_needs_to_break_away_in_the_2020s(
    edition: str, given: dict[str, Any], rolled: bool
) -> None:
    """Breaking Away (2020s): whoever would begin a move beside an opponent breaks away first, however far it moves."""
    mine = [fighter("a", "C3", powers=["Charge", "Super Strength"])]
    thing = [{"id": "o", "kind": "light", "square": "C2"}]
    report = fight(edition, mine, [fighter("b", "D3")], given, objects=thing)
    assert ((report["awaiting"] or {}).get("roll") == "break-away") is rolled
    lost = fight(MODERN, mine, [fighter("b", "D3")], given | {"rolls": {"break-away": [[2]]}}, objects=thing)
    assert (state(lost, "a")["holding"], clicks(lost, "b"), steps(lost)[1]) == (None, [1], "break-away")


COVERED: list[Any] = [
    ("Smoke Cloud", {"board": {"terrain": [{"type": "hindering", "squares": ["G5"]}]}}, ""),
    ("Smoke Cloud", {"board": {"terrain": [{"type": "water", "squares": ["G5"]}]}}, ""),
    ("Smoke Cloud", {"board": {"markers": [{"kind": "debris", "square": "G5"}]}}, ""),
    ("Smoke Cloud", {"objects": [{"id": "o", "kind": "heavy", "square": "G5"}]}, ""),
    ("Smoke Cloud", {"at": "G5"}, ""),
    ("Smoke Cloud", {"board": {"terrain": [{"type": "blocking", "squares": ["G5"]}]}}, "G5 is blocking terrain"),
    ("Barrier", {"board": {"terrain": [{"type": "hindering", "squares": ["G5"]}]}}, ""),
    ("Barrier", {"board": {"markers": [{"kind": "debris", "square": "G5"}]}}, ""),
    ("Barrier", {"objects": [{"id": "o", "kind": "heavy", "square": "G5"}]}, "An object lies in G5"),
    ("Barrier", {"at": "G5"}, "b occupies G5"),
]


@every_row("edition", [BOOK, MODERN])
@every_row(("power", "keys", "why"), COVERED)
def test_markers_lie_on_all_but_blocking_terrain(edition: str, power: str, keys: dict[str, Any], why: str) -> None:
    """The Rule of Occupancy, Markers: nothing occupies blocking terrain, so a Barrier spares figures and objects."""
    made = done("power", "a", using=[power], choose={"squares": ["G5", "G6", "G7", "G8"]})
    keys = dict(keys)
    report = fight(
        edition, [fighter("a", "E5", range=8, powers=[power])], [fighter("b", keys.pop("at", "P16"))], made, **keys
    )
    assert refused(report).startswith(why)
    assert report["legal"] is not bool(why)
