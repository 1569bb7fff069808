"""The winner: victory points, the last one standing, tie-breaks, abandoned battles."""

from tests.rules.engine.scoring.battles import EARLY, EDITIONS, LATE, alive, fallen, points, scored, side, verdict
from tests.tables import every_row

ENDS = ("elimination", "time", "turn-limit", "agreement", "scenario")


@every_row("edition", EDITIONS)
@every_row("ended", ENDS)
def test_most_points_win_however_it_ended(edition, ended):
    report = scored(
        edition, side("A", alive("a"), fallen("x", 10, "b")), side("B", alive("b"), fallen("y", 30, "a")), ended=ended
    )
    assert (verdict(report), report["needs"]) == (("A", "victory-points"), [])


def tied(edition, of_a=160, of_b=200, **more):
    a = side("A", alive("a", 100), fallen("x", 60, "b"), points=of_a)
    b = side("B", alive("b", 100), fallen("y", 60, "a"), points=of_b)
    return scored(edition, a, b, **more)


@every_row("edition", EARLY)
def test_the_smaller_force_breaks_a_tie(edition):
    assert verdict(tied(edition)) == ("A", "lowest-force")
    assert verdict(tied(edition, 200, 160)) == ("B", "lowest-force")
    equal = tied(edition, 160, 160, roll_off={"A": 3, "B": 4})
    assert (verdict(equal), equal["needs"]) == ((None, "tie"), [])


@every_row("edition", LATE)
@every_row(
    ("rolls", "winner"),
    [
        ({"A": 10, "B": 4}, "A"),
        ({"A": 4, "B": 10}, "B"),
        ({"A": 7, "B": 7}, None),
        ({"A": 7}, None),
        ({}, None),
        (None, None),
    ],
)
def test_tied_players_roll_off(edition, rolls, winner):
    report = tied(edition, roll_off=rolls)
    assert verdict(report) == (winner, "roll-off" if winner else "tie")
    assert report["needs"] == ([] if winner else ["roll-off"])


@every_row("edition", LATE)
def test_only_tied_players_roll_off(edition):
    sides = [
        side("A", alive("a"), fallen("x", 20, "b")),
        side("B", alive("b"), fallen("y", 20, "a")),
        side("C", alive("c")),
    ]
    report = scored(edition, *sides, roll_off={"A": 5, "B": 8, "C": 12})
    if edition == "core-2014":
        assert points(report) == [20, 20, 0]
        assert verdict(report) == ("B", "roll-off")
    else:
        assert points(report) == [20, 20, 40]
        assert verdict(report) == ("C", "victory-points")


@every_row("edition", EARLY)
def test_of_three_only_the_leaders_are_compared(edition):
    a = side("A", alive("a", 100), fallen("x", 50, "b"), points=150)
    b = side("B", alive("b", 100), fallen("y", 50, "a"), points=170)
    assert verdict(scored(edition, a, b, side("C", alive("c", 60), points=60))) == ("A", "lowest-force")


@every_row("edition", EARLY)
def test_points_decide_after_an_elimination_too(edition):
    red = {"base_color": "red", "set": "ic"}
    a = side("A", fallen("a", 60, "b2", **red))
    b = side("B", fallen("b", 70, "a", **red), alive("b2", 20))
    report = scored(edition, a, b, ended="elimination")
    assert points(report) == [140, 80]
    assert verdict(report) == ("A", "victory-points")


@every_row("edition", LATE)
@every_row("ended", ENDS)
def test_the_last_one_standing_wins_whatever_the_points(edition, ended):
    a = side("A", fallen("a", 60, "b2"))
    b = side("B", fallen("b", 170, "a"), alive("b2", 20))
    assert verdict(scored(edition, a, b, ended=ended)) == ("B", "last-standing")


@every_row("edition", LATE)
def test_no_one_standing_and_points_decide(edition):
    a = side("A", fallen("a", 150, "b"))
    b = side("B", fallen("b", 80, cause="pushing", last_damaged_by="A"))
    assert verdict(scored(edition, a, b, ended="elimination")) == ("B", "victory-points")


@every_row(
    ("edition", "left", "outcome"),
    [
        ("core-modern", alive("r", 0), ("B", "last-standing")),
        ("core-modern", alive("r", 1), ("A", "victory-points")),
        ("core-2014", alive("r", 0), ("A", "victory-points")),
        ("core-modern", alive("r", 20, fate="left-map"), ("A", "victory-points")),
        ("core-2014", {**alive("r", 20), "fate": "captured", "by": "b"}, ("B", "last-standing")),
        ("core-2014", {**alive("r", 20), "fate": "removed"}, ("B", "last-standing")),
        ("core-modern", alive("r", 20, replaced=True), ("B", "last-standing")),
    ],
)
def test_who_is_still_standing(edition, left, outcome):
    a = side("A", fallen("a", 150, "b"), left)
    b = side("B", alive("b", 80), fallen("y", 220, "a"))
    assert verdict(scored(edition, a, b)) == outcome


def test_without_defeats_in_2005_the_smaller_force_wins():
    a, b, c = (
        side(player, alive(player.lower(), value), points=value)
        for player, value in (("A", 199), ("B", 200), ("C", 150))
    )
    assert verdict(scored("dc-2005", a, b)) == ("A", "lowest-force")
    assert verdict(scored("dc-2005", a, b, c)) == ("C", "lowest-force")
    assert verdict(scored("dc-2005", a, {**a, "player": "B", "characters": [alive("b", 199)]})) == (None, "tie")
    assert verdict(scored("car-2002", a, b)) == ("B", "victory-points")


@every_row("edition", EDITIONS)
def test_abandoning_a_battle_loses_it(edition):
    a, b, c = (side(player, alive(player.lower(), value)) for player, value in (("A", 100), ("B", 50), ("C", 70)))
    report = scored(edition, a, b, ended="abandoned", abandoned_by="A")
    assert verdict(report) == ("B", "abandoned")
    among = scored(edition, a, b, c, ended="abandoned", abandoned_by="A", roll_off={"B": 3, "C": 4})
    assert among["winner"] == ("B" if edition == "dc-2005" else "C")
    assert among["decided_by"] != "abandoned"


@every_row("edition", EDITIONS)
def test_the_officials_own_scenario(edition):
    a, b = side("A", alive("a", 100), fallen("x", 5, "b")), side("B", alive("b", 100), fallen("y", 50, "a"))
    assert verdict(scored(edition, a, b, scenario="custom", ended="scenario", scenario_winner="B")) == ("B", "scenario")
    assert verdict(scored(edition, a, b, scenario="custom", ended="scenario")) == ("A", "victory-points")
    assert verdict(scored(edition, a, b, ended="scenario", scenario_winner="B")) == ("B", "scenario")
