"""Catalogue rows turned into elements of a force file and characters of a position file."""

import datetime

import pytest

from rules import engine
from rules.documents import (
    FORCE_KEYS,
    BadFacts,
    PointsUnknown,
    as_element,
    as_piece,
    point_choices,
    read_facts,
    renewed,
)
from rules.queries import catalogued, facts_on


def row(code):
    return facts_on().get(element__code=code)


def test_a_figure_as_the_force_file_writes_it(library):
    element = as_element("characters", row("shattered-tides/020").document, ref="lamp")
    assert element["ref"] == "lamp"
    assert (element["name"], element["set"], element["number"], element["points"]) == (
        "Lamplighter",
        "shattered-tides",
        "020",
        100,
    )
    assert element["street_date"] == "2014-03-26"
    assert element["keywords"] == ["Harbour Watch", "Lantern Guild"]
    assert element["generic_keywords"] == ["Celebrity"]
    assert element["dial"][0] == {
        "speed": 9, "attack": 11, "defense": 17, "damage": 3,
        "powers": ["Running Shot", "Energy Explosion", "Energy Shield/Deflection", "Enhancement", "Perplex"],
    }  # fmt: skip


def test_several_point_values(library):
    facts = row("night-ledger/010").document
    assert point_choices(facts) == [75, 50, 25]
    assert as_element("characters", facts)["points"] == 75
    assert as_element("characters", facts, points=25)["points"] == 25
    assert as_piece(facts, id="n", points=25, square="A1")["click"] == 7
    assert "click" not in as_piece(facts, id="n", square="A1")


def test_points_that_the_book_does_not_give_must_be_said(library):
    facts = row("ic/92").document
    with pytest.raises(PointsUnknown):
        as_element("characters", facts)
    assert as_element("characters", facts, points=39)["points"] == 39


def test_an_older_gold_ring_in_2014(library):
    facts = row("gaslight-society/014").document
    assert as_element("characters", facts, edition="dc-2005", made_for="dc-2005")["rank"] == "super-rare"
    assert as_element("characters", facts, edition="core-2014", made_for="dc-2005")["rank"] == "unique"


def test_a_feat_for_each_character(library):
    facts = row("gaslight-society/feat-spare-umbrella-f05").document
    assert as_element("feats", facts, assigned_to=["a", "b", "c"])["points"] == 12


SETS = {
    "ic-2002": "brass-harbour",
    "car-2002": "brass-harbour",
    "dc-2005": "gaslight-society",
    "core-2014": "shattered-tides",
    "core-modern": "night-ledger",
}


@pytest.mark.skipif(not hasattr(engine, "check_force"), reason="the engine does not check forces yet")
@pytest.mark.parametrize("edition", SETS)
def test_every_element_of_the_catalogue_is_understood_by_the_engine(library, edition):
    for version in facts_on():
        section = version.element.section
        element = as_element(
            section, version.document, ref="one", points=version.points or 10, assigned_to=[], edition=edition,
            made_for=version.element.set.edition,
        )  # fmt: skip
        assert set(element) <= {"ref", *FORCE_KEYS[section]}
        force = {"characters": [{"ref": "c", "name": "Somebody", "points": 10}]}
        force[section] = [*force.get(section, []), element]
        document = {"id": version.element.code, "edition": edition, "event": {"build_total": 1000}, "force": force}
        report = engine.check_force(document)
        assert "error" not in report, (version.element.code, report)


@pytest.mark.skipif(not hasattr(engine, "adjudicate"), reason="the engine does not adjudicate yet")
def test_every_dial_of_2002_stands_on_a_board(library):
    for version in facts_on().filter(element__set__code="brass-harbour", element__section="characters"):
        piece = as_piece(version.document, id="one", square="C3")
        if piece.get("base", "single") != "single":
            continue
        position = {
            "id": "p", "edition": "car-2002", "map": {"width": 8, "height": 8},
            "sides": [{"player": "A", "characters": [piece]}, {"player": "B", "characters": []}],
            "ask": [{"ask": "value", "of": "one", "value": "speed"}],
        }  # fmt: skip
        report = engine.adjudicate(position)
        assert "error" not in report, report
        assert report["answers"][0]["result"] == piece["dial"][0]["speed"]


def force(*names, edition="car-2002"):
    figures = [
        as_element("characters", row(code).document, ref=f"r{place}", points=points)
        for place, (code, points) in enumerate(names)
    ]
    return {"id": "f", "edition": edition, "event": {"build_total": 300}, "force": {"characters": figures}}


def test_a_force_is_checked_by_the_catalogue_of_its_day(library, django_assert_num_queries):
    document = force(("ic/92", 39), ("sentinel/sentinel", 100))
    document["force"]["characters"][0] |= {"teams": ["Whatever"], "proxy": True, "dial_number": "92"}
    september, october = datetime.date(2002, 9, 1), datetime.date(2002, 10, 1)
    with django_assert_num_queries(2):
        then = catalogued(document, date=september)
    early = renewed(document, {place: version.document for place, version in then.items()})
    late = renewed(document, {place: version.document for place, version in catalogued(document, date=october).items()})
    pyro = late["force"]["characters"][0]
    assert early["force"]["characters"][0]["teams"] == ["Masters of Evil"]
    assert pyro["teams"] == ["The Brotherhood"]
    assert (pyro["points"], pyro["proxy"], pyro["dial_number"], pyro["ref"]) == (39, True, "92", "r0")
    assert document["force"]["characters"][0]["teams"] == ["Whatever"]
    rules = {each["rule"] for each in engine.check_force(late)["violations"]}
    assert "archenemies" in rules
    assert "archenemies" not in {each["rule"] for each in engine.check_force(early)["violations"]}


def test_elements_without_a_number_are_found_by_name_and_rank(library):
    document = {
        "force": {
            "characters": [
                {"name": "Robin", "set": "icons", "rank": "rookie", "points": 32},
                {"name": "Robin", "set": "icons", "rank": "experienced", "points": 22},
                {"name": "Robin", "points": 22},
                {"name": "Tram Number Nine", "points": 150},
                {"name": "Nobody", "points": 1},
                "nonsense",
                {"points": 3},
            ],
            "feats": [{"name": "Slippery", "points": 15, "assigned_to": ["a"]}],
            "objects": "nonsense",
            "sideline": [{"name": "Pim Morrow", "set": "night-ledger", "number": "021b", "points": 45}],
        }
    }
    found = catalogued(document)
    assert {place: version.element.code for place, version in found.items()} == {
        ("characters", 0): "icons/robin-rookie",
        ("characters", 1): "icons/robin-experienced",
        ("characters", 3): "gaslight-society/017",
        ("feats", 0): "icons/feat-slippery",
        ("sideline", 0): "night-ledger/021b",
    }
    fresh = renewed(document, {place: version.document for place, version in found.items()})
    assert fresh["force"]["feats"][0]["assigned_to"] == ["a"]
    assert fresh["force"]["characters"][4:] == document["force"]["characters"][4:]
    for odd in ({}, {"force": None}, {"force": {"characters": {}}}):
        assert catalogued(odd) == {}


@pytest.mark.parametrize(
    "wrong",
    [
        {"points": "many"},
        {"points": True},
        {"points": 1_000_001},
        {"name": None},
        {"name": ""},
        {"name": 7},
        {"name": "\ud800"},
        {"keywords": "Spy"},
        {"keywords": [{}]},
        {"dial": [3]},
        {"dial": [{"speed": "x" * 99}]},
        {"promotional": "yes"},
        {"street_date": "2014-02-30"},
        {"kind": "villain"},
        {"colour": "red"},
    ],
    ids=str,
)
def test_a_fault_is_the_same_sentence_in_a_force_file_and_in_the_catalogue(wrong):
    facts = {key: value for key, value in ({"name": "Ada", "points": 40} | wrong).items() if value is not None}
    with pytest.raises(BadFacts) as of_catalogue:
        read_facts("characters", facts)
    with pytest.raises(engine.BadInput) as of_file:
        engine.check_force({"edition": "core-2014", "event": {"build_total": 300}, "force": {"characters": [facts]}})
    said, also = of_catalogue.value, of_file.value
    assert f"/force/characters/0/{said.where}" == also.where
    assert _opening(said.message) == _opening(also.message)


def _opening(message):
    """Return a message up to what may differ: the words, keys and limits that a place allows."""
    assert message.endswith(".")
    return message.split(". Known keys")[0].split(" one of ")[0].split(" (")[0]
