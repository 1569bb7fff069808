"""The scenarios, one by one."""

from tests.rules.engine.scoring.battles import alive, fallen, points, scored, side, verdict
from tests.tables import every_row

BOTH = ("ic-2002", "car-2002")


def lopsided(edition, scenario, *, of_a=40, of_b=100, **more):
    """Return a battle: A has 100 surviving and lost `of_a`; B has 95 surviving and lost `of_b`."""
    a = side("A", alive("a", 100), fallen("x", of_a, "b"), points=100 + of_a)
    b = side("B", alive("b", 95), fallen("y", of_b, "a"), points=95 + of_b)
    return scored(edition, a, b, scenario=scenario, **more)


@every_row(
    ("edition", "scenario"),
    [
        ("ic-2002", "challenge-of-the-champions"),
        ("car-2002", "challenge-of-the-champions"),
        ("car-2002", "showdown"),
        ("dc-2005", "showdown"),
    ],
)
@every_row("ended", ["turn-limit", "scenario"])
def test_after_five_turns_half_of_the_build_total_wins(edition, scenario, ended):
    won = lopsided(edition, scenario, ended=ended, turn=5)
    assert (points(won), won["winner"]) == ([100, 40], "A")
    assert "only A has scored half" in won["decision"]["text"]
    on = lopsided(edition, scenario, of_b=99, ended=ended, turn=5)
    assert (points(on), verdict(on), on["needs"]) == ([99, 40], (None, "tie"), ["play-on"])
    more = lopsided(edition, scenario, of_a=120, of_b=110, ended=ended, turn=5)
    assert (points(more), more["winner"]) == ([110, 120], "B")
    equal = lopsided(edition, scenario, of_a=110, of_b=110, ended=ended, turn=5)
    assert verdict(equal) == ("B", "lowest-force")


@every_row("edition", BOTH)
@every_row(
    "more",
    [
        {"ended": "turn-limit", "turn": 10},
        {"ended": "time", "turn": 3},
        {"ended": "time", "turn": 7},
        {"ended": "elimination"},
    ],
)
def test_champions_otherwise_by_the_standard_rules(edition, more):
    report = lopsided(edition, "challenge-of-the-champions", **more)
    assert (points(report), verdict(report)) == ([200, 135], ("A", "victory-points"))


@every_row("edition", ["car-2002", "dc-2005"])
def test_showdown_counts_defeats_to_the_end(edition):
    report = lopsided(edition, "showdown", of_a=50, of_b=60, ended="turn-limit", turn=10)
    assert (points(report), verdict(report)) == ([60, 50], ("A", "victory-points"))
    equal = lopsided(edition, "showdown", of_a=50, of_b=50, ended="turn-limit", turn=10)
    assert (points(equal), verdict(equal)) == ([50, 50], ("B", "lowest-force"))
    nothing = scored(
        edition, side("A", alive("a", 60)), side("B", alive("b", 54)), scenario="showdown", ended="turn-limit", turn=10
    )
    assert (points(nothing), verdict(nothing)) == ([0, 0], ("B", "lowest-force"))


def test_a_lost_feat_counts_in_a_showdown_and_a_kept_one_does_not():
    feats = [{"points": 10, "assigned_to": ["x"]}, {"points": 20, "assigned_to": ["a"]}]
    a = side("A", alive("a", 60), fallen("x", 30, "b"), feats=feats)
    report = scored("dc-2005", a, side("B", alive("b", 54)), scenario="showdown", ended="turn-limit", turn=10)
    assert points(report) == [0, 40]


SCIENTIST = [("ic-2002", "the-scientist"), ("car-2002", "the-scientist"), ("car-2002", "the-wild-theory")]


@every_row(("edition", "scenario"), SCIENTIST)
def test_the_scientist(edition, scenario):
    roles = {"scenario": scenario, "attacker": "A", "defender": "D"}
    a, d = side("A", alive("a", 50), fallen("x", 90, "d")), side("D", alive("d", 60))
    away = scored(edition, a, d, ended="scenario", scenario_winner="D", **roles)
    assert verdict(away) == ("D", "scenario")
    unsaid = scored(edition, a, d, ended="scenario", **roles)
    assert (verdict(unsaid), unsaid["needs"]) == ((None, "tie"), ["scenario-winner"])
    assert verdict(scored(edition, a, d, **roles)) == ("D", "victory-points")
    caught = scored(edition, a, side("D", fallen("d", 60, "a")), ended="elimination", scenario=scenario, defender="D")
    assert (points(caught), verdict(caught)) == ([110, 90], ("A", "victory-points"))
    unnamed = scored(edition, a, side("D", fallen("d", 60, "a")), ended="elimination", scenario=scenario)
    assert "isn't counted" not in unnamed["decision"]["text"], "no one is the defender"
    poor = side("A", alive("a", 5), fallen("x", 90, "d"))
    behind = scored(edition, poor, side("D", fallen("d", 60, "a")), ended="elimination", **roles)
    assert verdict(behind) == ("A", "scenario")


@every_row(("edition", "scenario"), SCIENTIST)
def test_the_scientist_among_three(edition, scenario):
    sides = [side("A", alive("a", 20)), side("B", alive("b", 60)), side("D", fallen("d", 95, "a"), alive("d2", 500))]
    roles = {"scenario": scenario, "attacker": "A", "defender": "D", "ended": "elimination"}
    assert verdict(scored(edition, *sides, **roles)) == ("D", "victory-points")
    sides[2] = side("D", fallen("d", 95, "a"), fallen("d2", 30, "b"), points=1)
    assert verdict(scored(edition, *sides, **roles)) == ("A", "victory-points")
    sides[0] = side("A", alive("a", 20), fallen("x", 300, "d"))
    ahead = scored(edition, *sides, **roles)
    assert (points(ahead), verdict(ahead)) == ([115, 90, 300], ("A", "victory-points"))


@every_row("edition", BOTH)
def test_stand_aside(edition):
    a = side("A", alive("a", 100, fate="left-map"), fallen("x", 40, "b"), alive("w", 30))
    b = side("B", alive("b", 100), fallen("y", 20, "a"))
    report = scored(edition, a, b, scenario="stand-aside", ended="scenario", attacker="A")
    assert (points(report), verdict(report)) == ([150, 180], ("B", "victory-points"))
    by_defender = scored(edition, a, b, scenario="stand-aside", ended="scenario", defender="B")
    assert by_defender == report
    red = {"base_color": "red"}
    arch = scored(
        edition,
        side("A", fallen("a", 40, "b", **red)),
        side("B", alive("b", 0, **red)),
        scenario="stand-aside",
        attacker="A",
    )
    assert points(arch) == [0, 80]


def test_stand_aside_among_three_doubles_for_the_defender_alone():
    a = side("A", fallen("a", 40, "b"), fallen("a2", 40, "c"))
    sides = [a, side("B", alive("b", 0)), side("C", alive("c", 0))]
    report = scored("ic-2002", *sides, scenario="stand-aside", attacker="A", defender="B")
    assert points(report) == [0, 80, 40]


def test_portal_to_hypertime():
    a = side(
        "A", alive("a", 30, fate="left-map"), alive("r", 17, fate="left-map"), fallen("x", 60, "b"), alive("h", 18)
    )
    report = scored("car-2002", a, side("B", alive("b", 154)), scenario="portal-to-hypertime")
    assert (points(report), verdict(report)) == ([112, 214], ("B", "victory-points"))
    assert sum("left the map, twice" in line["why"] for line in report["lines"]) == 2


@every_row(
    ("edition", "scenario", "asks_at"),
    [
        ("ic-2002", "winner-takes-all", ("scenario", "turn-limit")),
        ("car-2002", "winner-takes-all", ("scenario", "turn-limit")),
        ("car-2002", "raid-on-star-labs", ("scenario",)),
    ],
)
@every_row("ended", ["scenario", "turn-limit", "time", "elimination"])
def test_the_holder_of_the_objective_wins(edition, scenario, asks_at, ended):
    assert verdict(lopsided(edition, scenario, ended=ended, scenario_winner="B")) == ("B", "scenario")
    unsaid = lopsided(edition, scenario, ended=ended)
    if ended in asks_at:
        assert (verdict(unsaid), unsaid["needs"]) == ((None, "tie"), ["scenario-winner"])
    else:
        assert verdict(unsaid) == ("A", "victory-points")


def test_wholly_hurricane():
    a, b = side("A", fallen("a", 10, "b2")), side("B", fallen("b", 170, "a"), alive("b2", 20))
    assert verdict(scored("car-2002", a, b, scenario="wholly-hurricane", ended="elimination")) == ("B", "last-standing")
    assert verdict(lopsided("car-2002", "wholly-hurricane")) == ("A", "victory-points")


@every_row("ended", ["scenario", "turn-limit"])
def test_blackout_is_won_on_the_board(ended):
    a = side("A", alive("a", 90), fallen("x", 10, "b"))
    b = side("B", alive("b", 100), fallen("y", 60, "a"))
    assert verdict(scored("car-2002", a, b, scenario="blackout", ended=ended)) == ("B", "scenario")
    assert verdict(scored("car-2002", a, b, scenario="blackout")) == ("A", "victory-points")
    even = side("A", alive("a", 100), fallen("x", 10, "b"))
    assert verdict(scored("car-2002", even, b, scenario="blackout", ended=ended)) == ("A", "victory-points")


def test_dimensional_rift():
    lost = {"ref": "b", "name": "Hulk", "points": 90, "fate": "removed", "cause": "scenario"}
    knocked = {"ref": "p", "name": "Pyro", "points": 40, "fate": "removed", "cause": "knockback", "by": "b2"}
    report = scored(
        "car-2002", side("A", alive("a", 50), knocked), side("B", lost, alive("b2", 20)), scenario="dimensional-rift"
    )
    assert points(report) == [50, 60]


@every_row(
    ("edition", "scenario"),
    [
        ("ic-2002", "mind-switch"),
        ("car-2002", "mind-switch"),
        ("car-2002", "a-world-gone-mad"),
        ("car-2002", "nine-tenths-of-the-law"),
    ],
)
def test_scenarios_that_are_scored_as_always(edition, scenario):
    report = lopsided(edition, scenario)
    assert (points(report), verdict(report)) == ([200, 135], ("A", "victory-points"))
