"""Uniques, Primes, archenemies: which characters may be together."""

from tests.rules.engine.force.forces import EDITIONS, checked, hero
from tests.rules.engine.golden import elements, rules
from tests.tables import every_row


def two(edition, one, other, **more):
    return checked(edition, hero("a", 40, **one), hero("b", 40, **other), **more)


BATMAN = {"name": "Batman", "set": "icons", "number": "101", "rank": "unique"}


@every_row(
    ("edition", "change", "broken"),
    [
        ("ic-2002", {}, []),
        ("car-2002", {}, ["unique"]),
        ("car-2002", {"set": "hypertime"}, ["unique"]),
        ("car-2002", {"number": "102"}, ["unique"]),
        ("car-2002", {"rank": "limited-edition"}, ["unique"]),
        ("car-2002", {"rank": "super-rare"}, []),
        ("car-2002", {"rank": "rookie"}, []),
        ("car-2002", {"name": "Robin"}, []),
        ("car-2002", {"name": "BATMAN "}, ["unique"]),
        ("dc-2005", {}, ["unique"]),
        ("dc-2005", {"rank": "super-rare"}, ["unique"]),
        ("dc-2005", {"rank": "limited-edition"}, ["unique"]),
        ("dc-2005", {"rank": "veteran"}, []),
        ("dc-2005", {"set": "origin"}, []),
        ("dc-2005", {"number": "102"}, []),
        ("core-2014", {}, ["unique"]),
        ("core-2014", {"set": "origin"}, []),
        ("core-2014", {"number": "102"}, []),
        ("core-2014", {"rank": "super-rare"}, []),
        ("core-2014", {"rank": "chase"}, []),
        ("core-modern", {}, ["unique"]),
        ("core-modern", {"set": "origin"}, []),
        ("core-modern", {"number": "102"}, []),
        ("core-modern", {"rank": "limited-edition"}, []),
    ],
)
def test_uniques(edition, change, broken):
    report = two(edition, BATMAN, BATMAN | change)
    assert rules(report) == broken
    if broken:
        assert elements(report, "unique") == ["a", "b"]


@every_row("edition", ["dc-2005", "core-2014", "core-modern"])
@every_row(
    ("change", "needs"),
    [({"number": None}, {"number"}), ({"set": None}, {"set"}), ({"set": None, "number": None}, {"set"})],
)
def test_copies_of_a_unique_that_cannot_be_told_apart(edition, change, needs):
    report = two(edition, BATMAN, BATMAN | change)
    assert report["legal"]
    assert {one["needs"] for one in report["unchecked"] if one["rule"] == "unique"} == needs


@every_row(("missing", "unchecked"), [("set", [(["a", "b"], "set")]), ("number", [(["a"], "number"), (["b"], "set")])])
def test_a_unique_without_one_fact_may_be_the_one_without_both(missing, unchecked):
    report = two("core-modern", BATMAN | {missing: None}, BATMAN | {"set": None, "number": None})
    assert sorted((one["elements"], one["needs"]) for one in report["unchecked"]) == sorted(unchecked)


@every_row(("one", "other"), [({"set": None}, {"number": "7"}), ({"number": None}, {"set": "other"})])
def test_uniques_that_differ_by_what_is_known(one, other):
    assert not two("core-modern", BATMAN | one, BATMAN | other)["unchecked"]


@every_row(("edition", "broken"), [("core-modern", ["unique"]), ("core-2014", ["not-in-edition"])])
def test_the_sideline_counts_where_there_is_one(edition, broken):
    report = checked(edition, hero("a", **BATMAN), sideline=[hero("x", **BATMAN)], sideline_allowed_by=["a"])
    assert rules(report) == broken


def test_one_prime_and_two_different_uniques():
    """Starting Force Restrictions: the restrictions are independent of each other."""
    report = checked(
        "core-modern",
        hero("a", 50, rank="prime"),
        hero("b", 50, rank="unique", set="x", number="1"),
        hero("c", 50, rank="unique", set="x", number="2"),
    )
    assert report["legal"]


@every_row("edition", ["core-2014", "core-modern"])
def test_one_prime(edition):
    assert rules(two(edition, {"rank": "prime"}, {"rank": "rare"})) == []
    report = two(edition, {"rank": "prime"}, {"rank": "prime"})
    assert (rules(report), elements(report, "prime")) == (["prime"], ["a", "b"])


def test_a_prime_on_the_sideline():
    report = checked("core-modern", hero(rank="prime"), sideline=[hero("x", rank="prime")], sideline_allowed_by=["a"])
    assert elements(report, "prime") == ["a", "x"]


RED = {"base_color": "red", "set": "ic"}


@every_row(
    ("edition", "change", "broken"),
    [
        ("ic-2002", {}, ["archenemies"]),
        ("ic-2002", {"set": "ct"}, ["archenemies"]),
        ("car-2002", {}, ["archenemies"]),
        ("car-2002", {"set": "ct"}, ["archenemies"]),
        ("car-2002", {"set": None}, ["archenemies"]),
        ("dc-2005", {}, ["archenemies"]),
        ("dc-2005", {"set": "ct"}, []),
        ("core-2014", {}, []),
        ("core-modern", {}, []),
    ],
)
def test_archenemies(edition, change, broken):
    report = two(edition, RED, RED | change)
    assert rules(report) == broken
    if broken:
        assert elements(report, "archenemies") == ["a", "b"]


@every_row("edition", EDITIONS[:3])
@every_row(
    ("one", "other"),
    [
        (RED, RED | {"base_color": "gray"}),
        (RED | {"base_color": "black"}, RED | {"base_color": "black"}),
        (RED | {"name": "Spider-Man"}, RED | {"name": "Spider-Man"}),
        (RED | {"name": "Spider-Man"}, RED | {"name": "SPIDER-MAN"}),
    ],
)
def test_no_archenemies(edition, one, other):
    assert rules(two(edition, one, other)) == []


def test_grey_is_gray():
    assert rules(two("car-2002", {"base_color": "Grey"}, {"base_color": "gray"})) == ["archenemies"]


def test_archenemies_of_an_unknown_set():
    report = two("dc-2005", RED, RED | {"set": None})
    assert report["unchecked"] == [{"rule": "archenemies", "needs": "set", "elements": ["b"]}]


def test_everyone_of_one_colour_is_named_once():
    report = checked("ic-2002", *(hero(ref, 20, **RED) for ref in "abc"), hero("d", 20))
    assert [found["elements"] for found in report["violations"]] == [["a", "b", "c"]]


@every_row(
    ("teams", "broken"),
    [
        (["X-Men"], ["archenemies"]),
        (["Brotherhood"], ["archenemies"]),
        (["The Brotherhood"], ["archenemies"]),
        (["Avengers"], []),
    ],
)
def test_sentinels_hunt_mutants(teams, broken):
    report = checked("car-2002", hero("s", 100, kind="sentinel"), hero("m", 41, teams=teams))
    assert rules(report) == broken
    for found in report["violations"]:
        assert found["citations"] == [{"edition": "car-2002", "section": "Sentinels Rules › General Rules"}]
        assert found["elements"] == ["s", "m"]


def test_two_sentinels_and_two_mutants_are_at_peace():
    assert rules(checked("car-2002", hero("s", 100, kind="sentinel"), hero("t", 100, kind="sentinel"))) == []
    assert rules(two("car-2002", {"teams": ["X-Men"]}, {"teams": ["Brotherhood"]})) == []
