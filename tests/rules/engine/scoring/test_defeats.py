"""The value of a defeat, and who scores it."""

from tests.rules.engine.scoring.battles import EARLY, EDITIONS, LATE, alive, fallen, points, scored, side
from tests.tables import every_row


@every_row("edition", EDITIONS)
def test_defeats_and_survivors(edition):
    report = scored(
        edition, side("A", alive("a", 60), fallen("x", 30, "b")), side("B", alive("b", 70), fallen("y", 40, "a"))
    )
    assert points(report) == ([100, 100] if edition in EARLY else [40, 30])
    assert all(line["citations"] for line in report["lines"])


@every_row("edition", EDITIONS)
@every_row("cause", ["pushing", "own-power", "critical-miss", "scenario", "mind-control", None])
@every_row("last", ["A", "B", None])
def test_between_two_every_defeat_is_the_opponents(edition, cause, last):
    report = scored(edition, side("A", alive("a", 1)), side("B", fallen("b", 41, cause=cause, last_damaged_by=last)))
    assert report["victory_points"]["A"] == 41 + (edition in EARLY)
    assert report["victory_points"]["B"] == 0


RED = {"base_color": "red", "set": "ic"}


@every_row(
    ("edition", "one", "other", "times"),
    [
        ("ic-2002", RED, RED, 2),
        ("ic-2002", RED, RED | {"set": "ct"}, 2),
        ("car-2002", RED, RED | {"set": "ct"}, 2),
        ("dc-2005", RED, RED, 2),
        ("dc-2005", RED, RED | {"set": "ct"}, 1),
        ("dc-2005", RED, {"base_color": "red"}, 1),
        ("core-2014", RED, RED, 1),
        ("core-modern", RED, RED, 1),
        ("car-2002", RED, RED | {"name": "A"}, 1),
        ("car-2002", RED, {"base_color": "gray"}, 1),
        ("car-2002", {"base_color": "black"}, {"base_color": "black"}, 1),
        ("car-2002", {"kind": "sentinel"}, {"teams": ["X-Men"]}, 2),
        ("car-2002", {"teams": ["Brotherhood"]}, {"kind": "sentinel"}, 2),
        ("car-2002", {"kind": "sentinel"}, {"kind": "sentinel"}, 1),
        ("ic-2002", {"kind": "sentinel"}, {"teams": ["X-Men"]}, 1),
    ],
)
def test_archenemies_are_worth_double(edition, one, other, times):
    report = scored(edition, side("A", alive("a", 0, **one)), side("B", fallen("b", 48, "a", **other)))
    assert points(report)[0] == 48 * times


@every_row("edition", EARLY)
@every_row(
    ("facts", "times"),
    [
        ({"cause": "knockback", "by": "a"}, 2),
        ({"cause": None, "by": "a"}, 2),
        ({"cause": "attack", "by": "a2"}, 1),
        ({"cause": "pushing", "last_damaged_by": "A"}, 1),
        ({"cause": "pushing", "by": "a"}, 1),
        ({"cause": "own-power", "by": "b", "last_damaged_by": "A"}, 1),
        ({"cause": "critical-miss", "last_damaged_by": "A"}, 1),
    ],
)
def test_the_archenemy_itself_defeats_the_figure(edition, facts, times):
    report = scored(
        edition, side("A", alive("a", 0, **RED), alive("a2", 0)), side("B", fallen("b", 48, **(RED | facts)))
    )
    assert points(report)[0] == 48 * times


def three(edition, *, b, **more):
    return scored(edition, side("A", alive("a", 0)), side("B", b), side("C", alive("c", 0)), **more)


@every_row(
    ("facts", "award"),
    [
        ({"by": "a"}, [15, 0, 0]),
        ({"by": "c", "last_damaged_by": "A"}, [0, 0, 15]),
        ({"by": "c", "cause": "knockback"}, [0, 0, 15]),
        ({"cause": "pushing", "last_damaged_by": "C"}, [0, 0, 15]),
        ({"cause": "own-power", "by": "b", "last_damaged_by": "A"}, [15, 0, 0]),
        ({"cause": "critical-miss", "last_damaged_by": "A"}, [15, 0, 0]),
        ({"cause": "pushing", "last_damaged_by": None}, [7.5, 0, 7.5]),
        ({"cause": "pushing", "last_damaged_by": "B"}, [7.5, 0, 7.5]),
        ({"cause": "own-power", "by": "b"}, [7.5, 0, 7.5]),
        ({"cause": "mind-control", "by": "b", "controller": "c"}, [0, 0, 15]),
        ({"cause": "attack", "by": "a", "controller": "c"}, [0, 0, 15]),
        ({"cause": "pushing", "by": "b", "controller": "c", "last_damaged_by": "A"}, [0, 0, 15]),
    ],
)
@every_row("edition", EARLY)
def test_among_three_in_the_early_books(edition, facts, award):
    assert points(three(edition, b=fallen("b", 15, **facts))) == award


@every_row(
    ("facts", "award"),
    [
        ({"by": "a"}, [25, 0, 0]),
        ({"by": "a", "last_damaged_by": "C"}, [25, 0, 0]),
        ({"by": "a", "on_turn_of": "C"}, [0, 0, 25]),
        ({"by": "a", "on_turn_of": "B"}, [25, 0, 0]),
        ({"by": "a", "on_turn_of": "B", "last_damaged_by": "C"}, [0, 0, 25]),
        ({"cause": "pushing", "last_damaged_by": "C"}, [0, 0, 25]),
        ({"cause": "pushing"}, [12.5, 0, 12.5]),
        ({"cause": "own-power", "on_turn_of": "A", "last_damaged_by": "C"}, [25, 0, 0]),
        ({"cause": "attack", "by": "b", "controller": "a"}, [25, 0, 0]),
    ],
)
def test_among_three_in_2014_the_active_player_scores(facts, award):
    assert points(three("core-2014", b=fallen("b", 25, **facts))) == award


def test_among_three_today_every_opponent_scores():
    assert points(three("core-modern", b=fallen("b", 25, "a"))) == [25, 0, 25]


def test_thirds_are_exact():
    report = scored(
        "dc-2005",
        side("A", alive("a", 0)),
        side("B", fallen("b", 10, cause="pushing"), fallen("b2", 20, cause="pushing")),
        side("C", alive("c", 0)),
        side("D", alive("d", 0)),
    )
    assert points(report) == [10, 0, 10, 10]


MIND = {"cause": "mind-control", "by": "b2", "controller": "a"}


@every_row(
    ("edition", "controller", "striker", "times"),
    [("car-2002", RED, {}, 2), ("car-2002", {}, RED, 1), ("ic-2002", RED, {}, 1), ("dc-2005", RED, {}, 1)],
)
def test_the_mind_controller_scores(edition, controller, striker, times):
    """FAQ on Mind Control: the controller scores, doubled if it is the controller's own archenemy."""
    report = scored(
        edition,
        side("A", alive("a", 0, **controller)),
        side("B", fallen("b", 30, **RED | MIND), alive("b2", 0, **striker)),
    )
    assert points(report)[0] == 30 * times


def test_a_controlled_figure_that_knocks_itself_out():
    own = {"cause": "pushing", "by": "b", "controller": "a"}
    report = scored(
        "car-2002", side("A", alive("a", 0, **RED)), side("B", fallen("b", 30, **RED | own)), side("C", alive("c", 0))
    )
    assert points(report) == [60, 0, 0]
    assert {
        "edition": "car-2002",
        "section": "Super Powers and Abilities › Speed Super Powers › Mind Control",
    } in report["lines"][1]["citations"]


def captive(fate="released", points=41, by="s", **facts):
    return {"ref": "b", "name": "Pyro", "points": points, "fate": fate, "by": by, **facts}


@every_row(
    ("edition", "made", "award"),
    [
        ("car-2002", captive(), 82),
        ("car-2002", captive(teams=["Brotherhood"]), 123),
        ("car-2002", captive(teams=["X-Men"]), 123),
        ("car-2002", captive("captured"), 0),
        ("core-2014", captive(points=40), 80),
        ("core-2014", captive(points=50), 100),
        ("core-2014", captive(points=51), 101),
        ("core-2014", captive(points=120), 170),
        ("core-2014", captive("captured"), 0),
    ],
)
def test_captives(edition, made, award):
    report = scored(edition, side("A", alive("s", 0, kind="sentinel")), side("B", made, alive("b2", 0)))
    assert points(report) == [award, 0]


def test_a_captive_goes_to_its_captors_player():
    assert points(three("car-2002", b=captive(by="c"))) == [0, 0, 82]
    assert points(three("core-2014", b=captive(by="c", points=40))) == [0, 0, 80]


@every_row("edition", EDITIONS)
@every_row(
    ("facts", "award"),
    [
        ({"cause": "scenario"}, 0),
        ({}, 0),
        ({"by": "a"}, 0),
        ({"by": "a", "cause": "knockback"}, 40),
        ({"by": "b2", "cause": "knockback"}, 0),
    ],
)
def test_removed_characters(edition, facts, award):
    gone = {"ref": "b", "name": "B", "points": 40, "fate": "removed", **facts}
    report = scored(edition, side("A", alive("a", 0)), side("B", gone, alive("b2", 0)))
    assert points(report) == [award, 0]


@every_row("edition", EDITIONS)
def test_a_figure_that_left_the_map_did_not_remain_but_is_not_defeated(edition):
    """2002 requires that a figure remained on the battlefield, 2005 only that it wasn't defeated."""
    left = scored(edition, side("A", alive("a", 0)), side("B", alive("b", 40, fate="left-map")))
    assert points(left) == [0, 40 if edition == "dc-2005" else 0]


def replaced(points, **facts):
    return {"ref": "r", "name": "Duo", "points": points, "fate": "survived", "replaced": True, **facts}


@every_row("edition", LATE)
@every_row(
    ("value", "one", "other", "award"),
    [
        (200, fallen("b", 100, "a", replaces="r"), alive("b2", 75, replaces="r"), 100),
        (200, fallen("b", 100, "a", replaces="r"), fallen("b2", 75, "a", replaces="r"), 200),
        (50, fallen("b", 30, "a", replaces="r"), fallen("b2", 30, "a", replaces="r"), 60),
        (50, fallen("b", 30, "a", replaces="r"), alive("b2", 30, replaces="r"), 30),
        (50, fallen("b", 45, "a", replaces="r"), alive("z", 10), 50),
        (50, alive("b", 45, replaces="r"), fallen("z", 10, "a"), 10),
        (90, fallen("b", 45, "a", replaces="r", replaced=True), fallen("z", 60, "a", replaces="b"), 90),
        (50, fallen("b", 70, "a", replaces="r", replaced=True), fallen("z", 60, "a", replaces="b"), 70),
    ],
)
def test_replaced_characters(edition, value, one, other, award):
    """Including both books' examples: 200 into 100 and 75; 50 into 45; 50 into 30 and 30."""
    report = scored(edition, side("A", alive("a", 0)), side("B", replaced(value), one, other))
    assert points(report) == [award, 0]


@every_row("edition", EARLY)
def test_no_one_was_replaced_before_2014(edition):
    report = scored(edition, side("A", alive("a", 0)), side("B", replaced(50), fallen("b", 45, "a", replaces="r")))
    assert points(report) == [45, 0]


@every_row("edition", LATE)
def test_a_long_line_of_replacements(edition):
    line = [fallen("b0", 3000, "a", replaced=True)]
    line += [fallen(f"b{number}", number, "a", replaces=f"b{number - 1}") for number in range(1, 2000)]
    report = scored(edition, side("A", alive("a", 0)), side("B", *line, points=1))
    assert points(report) == [3000, 0]
