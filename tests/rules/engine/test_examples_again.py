"""The books' smaller worked examples, in captions, sidebars and "for example" sentences, with their numbers.

The larger ones are in `combat/test_examples_*`; `tests/cases/worked-examples.toml` lists them all by book and section.
"""

from __future__ import annotations

from typing import Any

from rules.engine import adjudicate, check_force
from tests.rules.engine.boards import position
from tests.rules.engine.fights import clicks, done, fight, fighter, refused, state, steps, told, walk
from tests.tables import every_row

IC, CAR, DC, NEW, MODERN = "ic-2002", "car-2002", "dc-2005", "core-2014", "core-modern"
EARLY = (IC, CAR)
ALL = (IC, CAR, DC, NEW, MODERN)
FAR = [fighter("z", "P16")]
END = {"action": "end-turn"}
WING = {"speed_symbol": "wing"}


def ask(document: dict[str, Any], **question: Any) -> Any:
    """Return the result of one question."""
    document["ask"] = [question]
    return adjudicate(document)["answers"][0]["result"]


def may(
    edition: str,
    kind: str,
    drawing: str,
    figures: str,
    who: dict[str, dict[str, Any]] | None = None,
    *,
    a: str = "a",
    b: str,
    **parts: Any,
) -> bool:
    """Return whether one figure on a drawn board may attack another."""
    document = position(edition, drawing, figures, who=who, **parts)
    return bool(ask(document, ask="can-target", attack=kind, **{"from": a, "to": b}))


def adjacent(document: dict[str, Any], a: str, b: str) -> bool:
    return bool(ask(document, ask="adjacent", a=a, b=b))


# ── 2002 ───────────────────────────────────────────────────────────────────────────────────────


@every_row("edition", EARLY)
def test_turns_and_actions_bruce_gives_two_of_five_an_action(edition: str) -> None:
    """A 200-point force: a shot and then a move end the turn: a third action is refused."""
    squares = {"a": "A1", "b": "B4", "c": "A7", "d": "A9", "e": "A11"}
    mine = [fighter(id, square, range=8) for id, square in squares.items()]
    shot = done("ranged", "a", "z", rolls={"attack": [[4, 3]]})
    report = fight(edition, mine, [fighter("z", "G1")], shot, walk("b", "B5"), build_total=200)
    assert [state(report, one)["tokens"] for one in "abcde"] == [1, 1, 0, 0, 0]
    third = fight(edition, mine, [fighter("z", "G1")], shot, walk("b", "B5"), walk("c", "A8"), build_total=200)
    assert "A has given 2 of 2 actions this turn" in refused(third)


@every_row(("edition", "build_total", "actions"), [(e, n, n // 100) for e in EARLY for n in (100, 200, 300)])
def test_turns_and_actions_one_for_each_100_points(edition: str, build_total: int, actions: int) -> None:
    document = position(edition, ". .", "a B")
    document["build_total"] = build_total
    assert ask(document, ask="action-total", player="A") == actions


@every_row("edition", EARLY)
def test_adjacent_squares_whirlwind_has_one_neighbour(edition: str) -> None:
    """Firelord (Pyro in the compiled book) is beside Whirlwind, Scarlet Witch beside neither."""
    document = position(edition, ". . . . .\n" * 5, ". . . . .\n. f . . .\n. . w . .\n. . . . .\n. . . . s")
    assert [adjacent(document, "f", "w"), adjacent(document, "f", "s"), adjacent(document, "w", "s")] == [
        True,
        False,
        False,
    ]
    beside = [adjacent(document, "w", f"{column}{row}") for column in "ABCDE" for row in range(1, 6)]
    assert sum(beside) == 8


@every_row("edition", EARLY)
@every_row("name", ["Hulk", "Gorilla Grodd"])
def test_pushing_hulk_takes_a_click_after_his_second_action(edition: str, name: str) -> None:
    """An action last turn and this turn: a second token, and then 1 click; a third in a row is refused."""
    mine = [fighter("hulk", "C3", name=name)]
    report = fight(edition, mine, FAR, walk("hulk", "C4"), END, END, walk("hulk", "C5"))
    assert (state(report, "hulk")["tokens"], clicks(report, "hulk")) == (2, [2])
    assert steps(report)[-4:] == ["move", "token", "push", "click"]
    third = fight(edition, mine, FAR, walk("hulk", "C4"), END, END, walk("hulk", "C5"), END, END, walk("hulk", "C6"))
    assert "2 action tokens" in refused(third)


@every_row("edition", EARLY)
def test_movement_a_speed_of_10_is_10_squares_in_any_direction(edition: str) -> None:
    """Squares are simply counted, diagonals too: 21 by 21 around the middle, its own included."""
    document = {
        "edition": edition,
        "map": {"width": 23, "height": 23},
        "sides": [{"player": "A", "characters": [fighter("a", "L12", speed=10)]}, {"player": "B", "characters": []}],
    }
    found = ask(document, ask="reachable", of="a")
    assert len(found) == 21 * 21
    assert {"B2", "V22", "L2", "V12"} <= set(found)
    assert "A1" not in found


BREAKERS = [
    (IC, "Sabretooth", "Wolverine"),
    (CAR, "Gorilla Grodd", "Flash"),
    (DC, "Beast Boy", "Darkseid"),
    (NEW, "A", "B"),
]


@every_row(("edition", "mover", "held_by"), BREAKERS)
def test_breaking_away_leads_in_any_direction(edition: str, mover: str, held_by: str) -> None:
    """A successful roll: every adjacent square may be entered, also past the opponent."""
    for square in ("B2", "C2", "D2", "B3", "B4", "C4", "D4"):
        mine = [fighter("a", "C3", name=mover)]
        report = fight(
            edition, mine, [fighter("b", "D3", name=held_by)], walk("a", square, rolls={"break-away": [[4]]})
        )
        assert state(report, "a")["square"] == square
    failed = fight(edition, [fighter("a", "C3")], [fighter("b", "D3")], walk("a", "B3", rolls={"break-away": [[3]]}))
    assert (state(failed, "a")["square"], state(failed, "a")["tokens"]) == ("C3", 1)


@every_row("edition", EARLY)
def test_knockback_double_fives_wolverine_in_both_books(edition: str) -> None:
    """Blades deal 4 clicks; the wall cuts four squares of knockback short, for 1 more."""
    name = "Blades/Claws/Fangs"
    mine, hulk = [fighter("wolverine", "C3", powers=[name], damage=1)], [fighter("hulk", "D3")]
    given = done("close", "wolverine", "hulk", using=[name], rolls={"attack": [[5, 5]], "damage": [[4]]})
    report = fight(edition, mine, hulk, given, board={"walls": ["F3|G3"]})
    assert (clicks(report, "hulk"), state(report, "hulk")["square"]) == ([6], "F3")
    assert told(report, "knock-back")["numbers"]["of"] == 4


SHOOTERS = [
    (IC, "Boomerang", "Spider-Man", "Wolverine"),
    (CAR, "Huntress", "Riddler", "Bane"),
    (NEW, "A", "B", "C"),
]


@every_row(("edition", "shooter", "seen", "hidden"), SHOOTERS)
def test_ranged_combat_a_building_hides_one_and_not_the_other(
    edition: str, shooter: str, seen: str, hidden: str
) -> None:
    who = {"a": {"name": shooter}, "S": {"name": seen}, "H": {"name": hidden}}
    house, stand = ". . . . . .\n. . . # # .\n. . . # # .", ". . . S . .\n. . . . . .\na . . . . H"
    assert may(edition, "ranged", house, stand, who, b="S") is True
    assert may(edition, "ranged", house, stand, who, b="H") is False


NEIGHBOURS = [
    (IC, "Hobgoblin", "Spider-Man", "Kingpin"),
    (CAR, "Superman", "Bane", "Batman"),
    (DC, "The Joker", "Batman", "Scarecrow"),
]


@every_row(("edition", "shooter", "target", "friend"), NEIGHBOURS)
def test_ranged_combat_a_target_beside_a_friend_may_be_shot_at(
    edition: str, shooter: str, target: str, friend: str
) -> None:
    """Spider-Man stands beside the Kingpin, a friend of Hobgoblin: he may still be attacked."""
    mine = [fighter("a", "A1", name=shooter, range=8), fighter("f", "F2", name=friend)]
    given = done("ranged", "a", "b", rolls={"attack": [[4, 3]]})
    assert clicks(fight(edition, mine, [fighter("b", "F1", name=target)], given), "b") == [4]


UP = [
    (IC, "Spider-Man", "Hobgoblin", "Boomerang"),
    (CAR, "Gorilla Grodd", "Hawkman", "Harley Quinn"),
    (DC, "Harley Quinn", "Hawkgirl", "The Flash"),
]


@every_row(("edition", "shooter", "high", "low"), UP)
def test_soaring_a_range_of_4_reaches_2_squares_up(edition: str, shooter: str, high: str, low: str) -> None:
    """4 / 2 = 2: two squares away yes, three no; a figure on the ground is within the whole range."""
    mine = [fighter("a", "A1", name=shooter, range=4)]
    for square, legal in (("C1", True), ("D1", False)):
        theirs = [fighter("b", square, name=high, flight="soaring", **WING), fighter("c", "A5", name=low)]
        given = done("ranged", "a", "b", rolls={"attack": [[4, 3]]})
        report = fight(edition, mine, theirs, given)
        assert report["legal"] is legal
        assert (clicks(report, "b") == [4]) is legal
        assert fight(edition, mine, theirs, done("ranged", "a", "c", rolls={"attack": [[4, 3]]}))["legal"] is True


LEDGES = [(IC, "Wolverine", "Constrictor"), (CAR, "Bane", "Batman"), (DC, "Cheetah", "Starfire"), (NEW, "B", "A")]


@every_row(("edition", "below", "above"), LEDGES)
def test_close_combat_not_up_a_ledge_and_the_shot_down_from_the_rim(edition: str, below: str, above: str) -> None:
    """Adjacent squares, one on the roof: no close attack either way; the upper figure shoots; the lower has range 0."""
    roof = {"terrain": [{"type": "elevated", "squares": ["C3"]}]}
    mine, theirs = [fighter("a", "C3", name=above, range=4)], [fighter("b", "D3", name=below)]
    for mover, target in (("a", "b"), ("b", "a")):
        turn = {"active": "A" if mover == "a" else "B", "number": 9}
        blow = fight(
            edition, mine, theirs, done("close", mover, target, rolls={"attack": [[4, 3]]}), board=roof, turn=turn
        )
        assert blow["legal"] is False
    shot = fight(edition, mine, theirs, done("ranged", "a", "b", rolls={"attack": [[4, 3]]}), board=roof)
    assert clicks(shot, "b") == [4]
    back = done("ranged", "b", "a")
    assert "its range is 0" in refused(
        fight(edition, mine, theirs, back, board=roof, turn={"active": "B", "number": 9})
    )


STRONG = [(IC, "Hulk", "Juggernaut"), (CAR, "Superman", "Doomsday"), (DC, "Bizarro", "Lex Luthor")]


@every_row(("edition", "striker", "target"), STRONG)
def test_super_strength_picks_a_heavy_object_up_and_smashes_or_throws_it(
    edition: str, striker: str, target: str
) -> None:
    """Picked up on one turn; on the next 3 + 2 clicks in hand, or 3 clicks over 4 squares thrown."""
    thing = [{"id": "dumpster", "kind": "heavy", "square": "C4"}]
    mine = [fighter("a", "C3", name=striker, powers=["Super Strength"], clicks=9)]
    take = walk("a", "D3", pick_up="dumpster")
    blow = done("close", "a", "b", rolls={"attack": [[4, 3]]})
    report = fight(edition, mine, [fighter("b", "E3", name=target, clicks=9)], take, END, END, blow, objects=thing)
    assert (clicks(report, "b"), report["state"]["objects"]["dumpster"]["removed"]) == ([6], True)
    throw = done("ranged", "a", "b", with_object="dumpster", rolls={"attack": [[4, 3]]})
    report = fight(edition, mine, [fighter("b", "H3", name=target)], take, END, END, throw, objects=thing)
    assert (clicks(report, "b"), report["state"]["objects"]["dumpster"]["removed"]) == ([4], True)
    far = fight(edition, mine, [fighter("b", "I3", name=target)], take, END, END, throw, objects=thing)
    assert "throw the object only 4" in refused(far)


LIFTERS = [(IC, "close", "Jean Grey"), (CAR, "close", "Jean Grey"), (DC, "power", "Green Lantern")]


@every_row(("edition", "kind", "name"), LIFTERS)
def test_telekinesis_moves_an_object_10_squares_and_fires_it(edition: str, kind: str, name: str) -> None:
    """The engine block moves up to 10 squares; fired at Sabretooth (or Ra's al-Ghul) a heavy one deals 3."""
    thing = [{"id": "block", "kind": "heavy", "square": "B3"}]
    mine = [fighter("a", "B2", name=name, powers=["Telekinesis"])]
    for square, legal in (("L3", True), ("B13", True), ("L13", True), ("M3", False)):
        given = done(kind, "a", "block", using=["Telekinesis"], choose={"square": square})
        assert fight(edition, mine, FAR, given, objects=thing)["legal"] is legal
    shot = done(
        "ranged" if kind == "close" else kind,
        "a",
        "b",
        using=["Telekinesis"],
        with_object="block",
        rolls={"attack": [[4, 3]]},
    )
    assert clicks(fight(edition, mine, [fighter("b", "H3")], shot, objects=thing), "b") == [4]


@every_row("edition", EARLY)
@every_row(("square", "away", "legal"), [("J3", 9, True), ("K3", 10, True), ("L3", 11, False)])
def test_telekinesis_8_squares_to_a_roof_count_9(edition: str, square: str, away: int, legal: bool) -> None:
    thing = [{"id": "block", "kind": "heavy", "square": "B3"}]
    roof = {"terrain": [{"type": "elevated", "squares": [square]}]}
    shot = done("ranged", "a", "b", using=["Telekinesis"], with_object="block", rolls={"attack": [[4, 3]]})
    mine = [fighter("a", "B2", powers=["Telekinesis"])]
    report = fight(edition, mine, [fighter("b", square)], shot, objects=thing, board=roof)
    assert report["legal"] is legal
    if not legal:
        assert f"{away} squares from the object; the maximum is 10" in refused(report)


def test_sentinels_a_200_point_sentinel_has_one_action_of_two() -> None:
    """Actions and Pushing: in a 200-point game too it is given one action a turn."""
    made = fighter("s", None, base="2x2", damage_symbol="sentinel", squares=["A1", "B1", "A2", "B2"], points=200)
    del made["square"]
    report = fight(CAR, [made], FAR, walk("s", "B1"), walk("s", "C1"), build_total=200)
    assert "has already been given an action this turn" in refused(report)


def test_mind_control_example_1_brainiac_13_and_batman() -> None:
    """9 rolled, 19 in all; Batman leaps 8 squares without a roll; 1 click for his 103 points, a token for each."""
    path = "E2 E3 E4 E5 E6 E7 E8 E9"
    batman = {"powers": ["Leap/Climb", "Willpower"], "points": 103, "defense": 17}
    for tokens, after, click in ((0, 1, 1), (1, 2, 1)):
        mine = [
            fighter("brainiac", "E4", name="Brainiac 13", powers=["Mind Control"], range=8, attack=10),
            fighter("f", "F2"),
        ]
        theirs = [fighter("batman", "E1", tokens=tokens, **batman), fighter("g", "P16")]
        run = walk("batman", path, using=["Leap/Climb"])
        given = done("ranged", "brainiac", "batman", using=["Mind Control"], then=[run], rolls={"attack": [[4, 5]]})
        report = fight(CAR, mine, theirs, given)
        assert told(report, "hit")["numbers"]["total"] == 19
        assert (state(report, "batman")["square"], state(report, "batman")["tokens"]) == ("E9", after)
        assert clicks(report, "brainiac", "batman") == [2, click]
        assert state(report, "brainiac")["tokens"] == 1
        ninth = walk("batman", f"{path} E10", using=["Leap/Climb"])
        far = done("ranged", "brainiac", "batman", using=["Mind Control"], then=[ninth], rolls={"attack": [[4, 5]]})
        assert "costs 9 squares, and batman can move only 8" in refused(fight(CAR, mine, theirs, far))


def test_mind_control_example_3_professor_x_and_spider_man() -> None:
    """9 rolled, 20 in all; ten squares; a click for the full hundred; with an earlier token he is pushed."""
    path = "E2 E3 E4 E5 E6 E7 E8 E9 E10 E11"
    for tokens, after, click in ((0, 1, 1), (1, 2, 2)):
        mine = [fighter("x", "A1", name="Prof X", powers=["Mind Control"], range=8, attack=11)]
        theirs = [fighter("spidey", "E1", speed=10, powers=["Leap/Climb"], points=107, defense=17, tokens=tokens), *FAR]
        run = walk("spidey", path, using=["Leap/Climb"])
        given = done("ranged", "x", "spidey", using=["Mind Control"], then=[run], rolls={"attack": [[4, 5]]})
        report = fight(CAR, mine, theirs, given)
        assert told(report, "hit")["numbers"]["total"] == 20
        assert (state(report, "spidey")["square"], state(report, "spidey")["tokens"]) == ("E11", after)
        assert clicks(report, "x", "spidey") == [2, click]


def test_mind_control_example_2_darkseid_arcane_and_steel() -> None:
    """Arcane hits Booster Gold with a dumpster: 3 + 2; Steel, with the second action of 200 points, knocks him out."""
    mine = [fighter("darkseid", "A1", powers=["Mind Control"], range=8), fighter("steel", "G2")]
    theirs = [
        fighter("arcane", "E1", powers=["Super Strength"], holding="dumpster", points=90),
        fighter("booster", "F1", clicks=8, points=45),
        *FAR,
    ]
    control = done(
        "ranged",
        "darkseid",
        "arcane",
        using=["Mind Control"],
        then=[done("close", "arcane", "booster")],
        rolls={"attack": [[4, 5], [4, 3]]},
    )
    blow = done("close", "steel", "booster", rolls={"attack": [[4, 3]]})
    things = [{"id": "dumpster", "kind": "heavy", "square": None}]
    report = fight(CAR, mine, theirs, control, blow, build_total=200, objects=things)
    assert state(report, "booster")["ko"] is True
    assert [state(report, one)["tokens"] for one in ("darkseid", "arcane", "steel")] == [1, 1, 1]
    assert report["state"]["victory_points"] == {"A": 45, "B": 0}
    assert clicks(report, "darkseid") == [1]


def ranged_combat_expert(*using: str) -> dict[str, Any]:
    joker = fighter("joker", "C4", powers=["Perplex"])
    key = fighter("key", "C6", powers=["Outwit"])
    brainiac = fighter("brainiac", "C5", powers=["Ranged Combat Expert", "Psychic Blast"], range=10)
    superman = fighter("superman", "J5", powers=["Impervious"], defense=18)
    given = [
        done("free", "joker", "superman", using=["Perplex"], choose={"value": "defense", "by": -1}),
        done("free", "key", "superman", using=["Outwit"], choose={"counter": "Impervious"}),
        done("ranged", "brainiac", "superman", using=list(using), rolls={"attack": [[4, 3]]}),
    ]
    return fight(CAR, [joker, key, brainiac], [superman], *given)


def test_ranged_combat_expert_joker_the_key_and_brainiac_13() -> None:
    """Magister 2002-09-08: 17 against 18 - 1 hits; Impervious is outwitted; 3 + 2 clicks; no Psychic Blast with it."""
    report = ranged_combat_expert("Ranged Combat Expert")
    numbers = told(report, "hit")["numbers"]
    assert (numbers["total"], numbers["defense"]) == (17, 17)
    assert clicks(report, "superman") == [6]
    assert "can't be used with Psychic Blast" in refused(ranged_combat_expert("Ranged Combat Expert", "Psychic Blast"))


def test_superman_enemy_a_walk_there_and_back_makes_no_new_pair() -> None:
    """Of two equals one has Outwit; it moves away and back in one move, and keeps Outwit and its effect."""
    mine = [fighter(id, square, teams=["Superman Enemy"]) for id, square in (("a", "A1"), ("b", "A2"))]
    theirs = [fighter("x", "C3", powers=["Toughness", "Flurry"]), *FAR]
    counter = done("free", "a", "x", using=["Outwit"], choose={"counter": "Toughness"})
    other = done("free", "b", "x", using=["Outwit"], choose={"counter": "Flurry"})
    report = fight(CAR, mine, theirs, counter, walk("a", "B1 C1 D1 C1 B1 A1"), other)
    assert state(report, "x")["countered"] == ["Toughness"]
    assert "b can't use Outwit now" in refused(report)


# ── 2005 ───────────────────────────────────────────────────────────────────────────────────────


def test_quick_start_batman_moves_8_and_the_joker_7_and_is_pushed() -> None:
    """Moving Toward the Enemy; Turns and Actions: the Joker's second move in a row costs a token and 1 damage."""
    batman, joker = fighter("batman", "A1", speed=8, points=47), fighter("joker", "P16", speed=7)
    there = walk("batman", "B1 C1 D1 E1 F1 G1 H1 I1")
    back = walk("joker", "O16 N16 M16 L16 K16 J16 I16")
    on = walk("joker", "H16 G16 F16 E16 D16 C16 B16")
    report = fight(DC, [batman], [joker], there, END, back, END, END, on, build_total=100)
    assert (state(report, "batman")["square"], state(report, "joker")["square"]) == ("I1", "B16")
    assert (state(report, "batman")["tokens"], state(report, "joker")["tokens"], clicks(report, "joker")) == (0, 2, [2])
    ninth = walk("batman", "B1 C1 D1 E1 F1 G1 H1 I1 J1")
    assert "costs 9 squares, and batman can move only 8" in refused(fight(DC, [batman], [joker], ninth))


def test_quick_start_batmans_range_of_6_reaches_harley_and_not_the_joker() -> None:
    mine = [fighter("batman", "A1", range=6)]
    theirs = [fighter("harley", "G1"), fighter("joker", "H5")]
    for target, legal in (("harley", True), ("joker", False)):
        report = fight(DC, mine, theirs, done("ranged", "batman", target, rolls={"attack": [[4, 3]]}))
        assert report["legal"] is legal


def test_quick_start_batman_robin_and_hawkgirl_are_exactly_100() -> None:
    """47 + 22 + 31."""
    force = {
        "edition": DC,
        "event": {"build_total": 100},
        "force": {
            "characters": [{"name": name, "points": n} for name, n in (("Batman", 47), ("Robin", 22), ("Hawkgirl", 31))]
        },
    }
    report = check_force(force)
    assert (report["total"], report["legal"]) == (100, True)


@every_row(("by", "now"), [([1, 1, 1], 6), ([1] * 5, 6), ([-1, -1, -1], 0), ([-1] * 5, 0)])
@every_row("edition", [DC, NEW, MODERN])
def test_rule_of_3_a_value_of_3_is_at_most_6_and_at_least_0(edition: str, by: list[int], now: int) -> None:
    made = fighter(
        "a", "A1", modifiers=[{"value": "damage", "by": one, "source": f"power {n}"} for n, one in enumerate(by)]
    )
    document = {
        "edition": edition,
        "map": {"width": 4, "height": 4},
        "sides": [{"player": "A", "characters": [made]}, {"player": "B", "characters": []}],
    }
    assert ask(document, ask="value", of="a", value="damage") == now


def test_figure_4_blackfire_stands_beside_raven_and_terra_beside_neither() -> None:
    document = position(DC, ". . . . . .\n" * 5, ". . . . . .\n. b r . . .\n. . . . . .\n. . . . . .\n. . . . t .")
    assert adjacent(document, "b", "r")
    assert not adjacent(document, "t", "b")
    assert not adjacent(document, "t", "r")


@every_row(("edition", "squares", "who"), [(DC, 7, "the Flash"), (NEW, 8, "A")])
def test_figures_7_and_9_squares_are_counted_along_the_path(edition: str, squares: int, who: str) -> None:
    """The Flash has moved 7 squares, including diagonals; A has moved 8 and is beside B."""
    path = ["B2", "C2", "D3", "E3", "F4", "G4", "H5", "I5"][:squares]
    beside = "I6" if squares == 7 else "J6"
    report = fight(edition, [fighter("a", "A1", name=who, speed=10)], [fighter("b", beside)], walk("a", " ".join(path)))
    assert told(report, "move")["numbers"]["cost"] == squares
    document = {"edition": edition, "map": {"width": 16, "height": 16}, "sides": []}
    document["sides"] = [
        {"player": "A", "characters": [fighter("a", path[-1])]},
        {"player": "B", "characters": [fighter("b", beside)]},
    ]
    assert adjacent(document, "a", "b")


def test_figure_12_every_marked_diagonal_passes_through_hindering_terrain() -> None:
    """Between two hindering squares, hindering and blocking, hindering and a character: +1."""
    for corner in ("+ +", "+ #"):
        first, second = corner.split()
        document = position(DC, f". {first} .\n{second} . .\n. . .", "a . .\n. . .\n. . B")
        assert ask(document, ask="line-of-fire", **{"from": "a", "to": "B"}) == "hindered"
    document = position(DC, ". + .\n. . .\n. . .", "a . .\nC . .\n. . B")
    assert ask(document, ask="line-of-fire", **{"from": "a", "to": "B"}) == "hindered"
    clear = position(DC, ". + .\n. . .\n. . .", "a . .\n. . .\n. . B")
    assert ask(clear, ask="line-of-fire", **{"from": "a", "to": "B"}) == "clear"


@every_row(("edition", "who"), [(DC, ("Superman", "Brainiac")), (NEW, ("A", "B"))])
def test_figures_12_and_13_a_destroyed_wall_leaves_a_marker_on_both_sides(edition: str, who: tuple[str, str]) -> None:
    """Superman destroys the wall beside him: debris under him and under Brainiac behind it, who takes no damage."""
    mine, theirs = [fighter("a", "C3", name=who[0])], [fighter("b", "D3", name=who[1])]
    report = fight(edition, mine, theirs, done("close", "a", "C3|D3"), board={"walls": ["C3|D3"]})
    assert {(m["kind"], m["square"]) for m in report["state"]["markers"]} == {("debris", "C3"), ("debris", "D3")}
    assert clicks(report, "b") == [1]


def test_figure_14_starfire_on_the_rim_sees_down_and_terra_behind_it_does_not() -> None:
    """Starfire is on the rim of the elevated terrain, Terra is not."""
    roof = "2 2 2 . . . .\n2 2 2 . . . .\n2 2 2 . . . ."
    document = position(
        DC, roof, ". . . . . . .\n. t s . . . C\n. . . . . . .", who={"t": {"name": "Terra"}, "s": {"name": "Starfire"}}
    )
    assert ask(document, ask="line-of-fire", **{"from": "s", "to": "C"}) == "clear"
    bare = position(
        DC,
        "2 2 2 2 . . .\n2 2 2 2 . . .\n2 2 2 2 . . .\n2 2 2 2 . . .",
        ". . . . . . .\n. t . . . . C\n. . . . . . .\n. . . . . . .",
    )
    assert ask(bare, ask="line-of-fire", **{"from": "t", "to": "C"}) == "blocked"


def test_figure_16_wonder_woman_throws_the_generator_at_the_joker() -> None:
    """A ranged attack without a range: 3 damage over 4 squares."""
    mine = [fighter("a", "C3", name="Wonder Woman", powers=["Super Strength"], holding="generator", damage=5)]
    given = done("ranged", "a", "joker", with_object="generator", rolls={"attack": [[4, 3]]})
    report = fight(
        DC, mine, [fighter("joker", "G3")], given, objects=[{"id": "generator", "kind": "heavy", "square": None}]
    )
    assert clicks(report, "joker") == [4]


@every_row("edition", [DC, NEW])
@every_row(("squares", "number"), [(("D4", "E4"), 10), (("D4", "E5"), 12)])
def test_figures_15_and_19_a_base_of_two_squares_has_10_or_12_neighbours(
    edition: str, squares: tuple[str, str], number: int
) -> None:
    """On a straight base 10 squares are adjacent, on a diagonal one 12."""
    wide = fighter("a", None, base="peanut", squares=list(squares))
    del wide["square"]
    document = {
        "edition": edition,
        "map": {"width": 9, "height": 9},
        "sides": [{"player": "A", "characters": [wide]}, {"player": "B", "characters": []}],
    }
    names = [f"{column}{row}" for column in "ABCDEFGHI" for row in range(1, 10) if f"{column}{row}" not in squares]
    assert sum(adjacent(document, "a", name) for name in names) == number


# ── 2014 ───────────────────────────────────────────────────────────────────────────────────────


def test_figure_5_a_stands_beside_b_and_c_beside_neither() -> None:
    document = position(NEW, ". . . . .\n" * 4, "a b . . .\n. . . . .\n. . . . .\n. . . c .")
    assert [adjacent(document, *pair) for pair in ("ab", "ac", "bc")] == [True, False, False]


def test_figure_6_a_character_and_blocking_terrain_block_a_line() -> None:
    lone = position(NEW, ". . . . .", "a . c . B")
    assert ask(lone, ask="line-of-fire", **{"from": "a", "to": "B"}) == "blocked"
    walled = position(NEW, ". . # . .", "a . . . B")
    assert ask(walled, ask="line-of-fire", **{"from": "a", "to": "B"}) == "blocked"


def test_clear_hindered_or_blocked_the_most_restrictive_decides() -> None:
    """Both hindering and blocking terrain on a line: blocked (2014, 2020s)."""
    for edition in (NEW, MODERN):
        document = position(edition, ". + . # .", "a . . . B")
        assert ask(document, ask="line-of-fire", **{"from": "a", "to": "B"}) == "blocked"
        assert (
            ask(position(edition, ". + . . .", "a . . . B"), ask="line-of-fire", **{"from": "a", "to": "B"})
            == "hindered"
        )


def test_figure_11_a_wall_is_shot_at_through_both_of_its_squares() -> None:
    """A line to the square behind the wall that crosses the one in front; both are in range."""
    for reach, legal in ((4, False), (5, True)):
        given = done("ranged", "a", "G3|H3")
        report = fight(NEW, [fighter("a", "C3", range=reach)], FAR, given, board={"walls": ["G3|H3"]})
        assert (report["state"]["walls_destroyed"] == ["G3|H3"]) is legal


def test_figure_14_a_move_through_a_hindered_corner_ends_behind_it() -> None:
    """A crosses the corner of hindering and blocking terrain and stops; at one of clear and blocking it continues."""
    board = {"terrain": [{"type": "hindering", "squares": ["C3"]}, {"type": "blocking", "squares": ["D4"]}]}
    report = fight(NEW, [fighter("a", "C4")], FAR, walk("a", "D3"), board=board)
    assert state(report, "a")["square"] == "D3"
    assert "The move must end in D3" in refused(fight(NEW, [fighter("a", "C4")], FAR, walk("a", "D3 E3"), board=board))
    bare = {"terrain": [{"type": "blocking", "squares": ["D4"]}]}
    assert fight(NEW, [fighter("a", "C4")], FAR, walk("a", "D3 E3"), board=bare)["legal"] is True


def test_figure_16_four_in_a_square_fight_and_do_not_see_across() -> None:
    """A may attack D in close combat; the line of fire between B and C is blocked."""
    document = position(NEW, ". .\n. .", "a B\nC D")
    assert ask(document, ask="can-target", attack="close", **{"from": "a", "to": "D"}) is True
    assert ask(document, ask="line-of-fire", **{"from": "a", "to": "D"}) == "blocked"


@every_row("edition", [CAR, DC, NEW, MODERN])
def test_common_questions_outwit_does_not_see_an_adjacent_stealth_character_in_cover(edition: str) -> None:
    board = {"terrain": [{"type": "hindering", "squares": ["D3"]}]}
    mine, theirs = [fighter("a", "C3", powers=["Outwit"])], [fighter("b", "D3", powers=["Stealth", "Toughness"])]
    given = done("free", "a", "b", using=["Outwit"], choose={"counter": "Toughness"})
    why = refused(fight(edition, mine, theirs, given, board=board))
    assert "is blocked" in why
    assert "Stealth" in why
    assert (
        fight(edition, mine, theirs, done("close", "a", "b", rolls={"attack": [[4, 3]]}), board=board)["legal"] is True
    )


def test_common_questions_pulse_wave_is_used_when_it_is_named() -> None:
    """A ranged action alone is a normal attack: one target, full range, normal damage."""
    mine = [fighter("a", "C3", powers=["Pulse Wave"], range=8)]
    report = fight(
        NEW, mine, [fighter("b", "K3"), fighter("c", "D6")], done("ranged", "a", "b", rolls={"attack": [[4, 3]]})
    )
    assert clicks(report, "b", "c") == [4, 1]


def test_common_questions_3_damage_on_the_last_click_turn_the_dial_once() -> None:
    """Step 3: dealt 3, but clicked and so taken only 1; then it is knocked out."""
    given = done("close", "a", "b", rolls={"attack": [[4, 3]]})
    report = fight(NEW, [fighter("a", "C3")], [fighter("b", "D3", clicks=4, click=4), *FAR], given)
    assert told(report, "damage-dealt")["numbers"]["damage"] == 3
    assert told(report, "click")["numbers"]["clicked"] == 1
    assert state(report, "b")["ko"] is True


@every_row(("edition", "click"), [(NEW, 4), (MODERN, 4)])
def test_counter_and_ignore_pulse_wave_does_not_mind_what_cannot_be_countered(edition: str, click: int) -> None:
    """Outwit removes Toughness for its duration; a Pulse Wave ignores it only during its own attack."""
    mine = [fighter("a", "C3", powers=["Pulse Wave"], range=8)]
    wave = done("ranged", "a", using=["Pulse Wave"], rolls={"attack": [[4, 3]]}, choose={"knock-back": False})
    report = fight(edition, mine, [fighter("b", "F3", powers=["Toughness"])], wave)
    assert clicks(report, "b") == [click]
    assert not state(report, "b").get("countered")


# ── The 2020s ──────────────────────────────────────────────────────────────────────────────────


def test_replacement_values_running_shot_with_a_range_of_6() -> None:
    """The replacement is 6, whatever the printed range; then halving, then modifiers."""
    made = fighter(
        "a",
        "A1",
        range=4,
        replacements=[{"value": "range", "set": 6}],
        modifiers=[{"value": "range", "by": 1, "source": "Perplex"}],
    )
    document = {
        "edition": MODERN,
        "map": {"width": 4, "height": 4},
        "sides": [{"player": "A", "characters": [made]}, {"player": "B", "characters": []}],
    }
    assert ask(document, ask="value", of="a", value="range") == 7
    made["replacements"] = [{"value": "speed", "set": "halve"}, {"value": "speed", "set": 5}]
    assert ask(document, ask="value", of="a", value="speed") == 3


def test_critical_hit_is_no_modifier_and_passes_the_rule_of_three() -> None:
    """Damage dealt, calculating other values: 3 modified by +3 is 6, and the critical hit makes it 7."""
    lent = [{"value": "damage", "by": 2, "source": "one"}, {"value": "damage", "by": 2, "source": "two"}]
    given = done("close", "a", "b", rolls={"attack": [[6, 6]]}, choose={"knock-back": False})
    report = fight(MODERN, [fighter("a", "C3", modifiers=lent)], [fighter("b", "D3", clicks=9)], given)
    assert told(report, "damage-dealt")["numbers"]["damage"] == 7


def test_markers_water_over_debris_is_water() -> None:
    """The topmost marker decides: for a line it is clear, not hindering like the debris below."""
    board = [{"kind": "debris", "square": "C1"}, {"kind": "water", "square": "C1"}]
    document = position(MODERN, ". . . . .", "a . . . B", markers=board)
    assert ask(document, ask="line-of-fire", **{"from": "a", "to": "B"}) == "clear"
    document = position(MODERN, ". . . . .", "a . . . B", markers=board[::-1])
    assert ask(document, ask="line-of-fire", **{"from": "a", "to": "B"}) == "hindered"


def test_water_terrain_is_entered_from_hindering_terrain_without_a_stop() -> None:
    """Both hinder movement: a figure that begins in one moves through the other, at half speed."""
    board = {"terrain": [{"type": "hindering", "squares": ["A1"]}, {"type": "water", "squares": ["B1", "C1"]}]}
    report = fight(MODERN, [fighter("a", "A1")], FAR, walk("a", "B1 C1 D1 E1"), board=board)
    assert state(report, "a")["square"] == "E1"
    dry = {"terrain": [{"type": "water", "squares": ["B1", "C1"]}]}
    assert "The move must end in B1" in refused(fight(MODERN, [fighter("a", "A1")], FAR, walk("a", "B1 C1"), board=dry))


def test_hindering_terrain_shooting_out_of_it_does_not_hinder() -> None:
    assert ask(position(MODERN, "+ . . .", "a . . B"), ask="line-of-fire", **{"from": "a", "to": "B"}) == "clear"
    assert ask(position(MODERN, "+ . + .", "a . . B"), ask="line-of-fire", **{"from": "a", "to": "B"}) == "hindered"


def test_heavy_objects_hinder_lines_to_their_square_and_not_from_it() -> None:
    for square, there, back in (("D1", "hindered", "clear"), ("B1", "hindered", "hindered")):
        things = [{"id": "o", "kind": "heavy", "square": square}]
        document = position(MODERN, ". . . .", "a . . B", objects=things)
        assert ask(document, ask="line-of-fire", **{"from": "a", "to": "B"}) == there
        assert ask(document, ask="line-of-fire", **{"from": "B", "to": "a"}) == back


def test_intersections_blocking_and_a_ledge_close_a_corner() -> None:
    """If the other two squares are blocking terrain and a different elevation, no one moves between them."""
    board = {"terrain": [{"type": "blocking", "squares": ["C3"]}, {"type": "elevated", "squares": ["D4"]}]}
    report = fight(MODERN, [fighter("a", "C4")], FAR, walk("a", "D3"), board=board)
    assert "the corner between C4 and D3 is closed" in refused(report)


def test_pulse_wave_may_target_a_friend_and_a_plain_attack_may_not() -> None:
    mine = [fighter("a", "C3", powers=["Pulse Wave"], range=8), fighter("f", "C6")]
    wave = done("ranged", "a", using=["Pulse Wave"], rolls={"attack": [[4, 3]]}, choose={"knock-back": False})
    report = fight(MODERN, mine, [fighter("b", "F3")], wave)
    assert clicks(report, "f", "b") == [2, 2]
    assert "friendly" in refused(fight(MODERN, mine, FAR, done("ranged", "a", "f")))


def test_empower_of_one_figure_twice_over_counts_once() -> None:
    """Only one of a character's versions of Empower applies to an adjacent friend: 3 + 1."""
    mine = [fighter("a", "C3"), fighter("e", "C4", powers=["Empower", "Empower"])]
    given = done("close", "a", "b", rolls={"attack": [[4, 3]]})
    assert clicks(fight(MODERN, mine, [fighter("b", "D3")], given), "b") == [5]


def test_perplex_modifies_and_a_roll_of_6_or_1_is_never_undone() -> None:
    """Success/fail rolls: a natural 6 always succeeds and a 1 always fails: two with Plasticity leave only the 6."""
    theirs = [fighter("b", "D3", powers=["Plasticity"])]
    document = {
        "edition": MODERN,
        "map": {"width": 16, "height": 16},
        "sides": [{"player": "A", "characters": [fighter("a", "C3")]}, {"player": "B", "characters": theirs}],
    }
    assert ask(document, ask="break-away", of="a")["succeeds_on"] == [6]
    document["sides"][0]["characters"] = [fighter("a", "C3", powers=["Plasticity"])]
    document["sides"][1]["characters"] = [fighter("b", "D3")]
    assert ask(document, ask="break-away", of="a")["succeeds_on"] == [2, 3, 4, 5, 6]


def test_knock_back_into_another_or_the_edge() -> None:
    """Reason 2, a character: no damage; reason 4, the map's edge: 1; reason 6, a fall: 2."""
    given = done("close", "a", "b", rolls={"attack": [[4, 4]]}, choose={"knock-back": True})
    blocked = fight(MODERN, [fighter("a", "C3")], [fighter("b", "D3"), fighter("c", "F3")], given)
    assert (state(blocked, "b")["square"], clicks(blocked, "b", "c")) == ("E3", [4, 1])
    edge = fight(MODERN, [fighter("a", "N3")], [fighter("b", "O3")], given)
    assert (state(edge, "b")["square"], clicks(edge, "b")) == ("P3", [5])
    roof = {"terrain": [{"type": "elevated", "squares": ["A1:E6"]}]}
    fall = fight(MODERN, [fighter("a", "D3")], [fighter("b", "E3")], given, board=roof)
    assert (state(fall, "b")["square"], clicks(fall, "b")) == ("F3", [6])


def test_knock_back_a_rough_ledge_stops_at_blocking_terrain_below() -> None:
    """On a roof's edge with blocking terrain in the next square: stopped by it, 1 knock back damage."""
    board = {"terrain": [{"type": "elevated", "squares": ["A1:E6"]}, {"type": "blocking", "squares": ["F3"]}]}
    given = done("close", "a", "b", rolls={"attack": [[4, 4]]}, choose={"knock-back": True})
    report = fight(MODERN, [fighter("a", "D3")], [fighter("b", "E3")], given, board=board)
    assert (state(report, "b")["square"], clicks(report, "b")) == ("E3", [5])


def test_figure_9_a_path_that_is_not_straight_follows_the_diagonal() -> None:
    """B, two rows below A and one column to the right, is knocked back along the diagonal."""
    mine = [fighter("a", "C3", range=8)]
    given = done("ranged", "a", "b", rolls={"attack": [[4, 4]]}, choose={"knock-back": True})
    report = fight(MODERN, mine, [fighter("b", "D5")], given)
    assert state(report, "b")["square"] == "G8"


def test_figures_10_and_11_terrain_and_walls_at_a_corner_part_squares() -> None:
    """A wall between A and B, blocking terrain at the corner of A and C: neither is adjacent."""
    corner = position(MODERN, ". #\n# .", "a .\n. C")
    assert not adjacent(corner, "a", "C")
    wall = position(MODERN, ". .\n. .", "a B\n. .", walls=["A1|B1"])
    assert not adjacent(wall, "a", "B")
    meeting = position(MODERN, ". . .\n. . .\n. . .", ". . .\n. a .\n. . .", walls=["B1|B2", "B2|C2"])
    assert not adjacent(meeting, "a", "C1")
    assert adjacent(meeting, "a", "A1")


def test_figure_13_the_rim_sees_down_over_standard_characters_and_not_over_giants() -> None:
    roof = "2 2 . . . ."
    for size, result in (("standard", "clear"), ("giant", "blocked"), ("tiny", "clear")):
        document = position(MODERN, roof, ". a . C . B", who={"C": {"damage_symbol": size}})
        assert ask(document, ask="line-of-fire", **{"from": "a", "to": "B"}) == result


def test_a_lost_and_an_unlost_super_strength() -> None:
    """Countered, the heavy object is kept; on a click without it, it is dropped."""
    things = [{"id": "o", "kind": "heavy", "square": None}]
    holder = fighter("b", "D3", powers=["Super Strength"], holding="o")
    outwit = done("free", "a", "b", using=["Outwit"], choose={"counter": "Super Strength"})
    kept = fight(MODERN, [fighter("a", "C3", powers=["Outwit"])], [holder], outwit, objects=things)
    assert state(kept, "b")["holding"] == "o"
    holder["dial"] = [holder["dial"][0], *({**holder["dial"][0], "powers": []} for _ in range(5))]
    given = done("close", "a", "b", rolls={"attack": [[4, 3]]})
    assert state(fight(MODERN, [fighter("a", "C3")], [holder], given, objects=things), "b")["holding"] is None
