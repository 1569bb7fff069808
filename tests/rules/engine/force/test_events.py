"""Sanctioned play, sealed product, sets, collector's numbers: an event's requirements for figures."""

from tests.rules.engine.force.forces import EDITIONS, checked, hero
from tests.rules.engine.golden import elements, rules
from tests.tables import every_row


@every_row("edition", EDITIONS)
@every_row("sanctioned", [True, False])
@every_row(
    ("facts", "rule"),
    [({"promotional": True}, "promotional"), ({"rank": "promotional"}, "promotional"), ({"proxy": True}, "proxy")],
)
def test_promotional_figures_and_proxies(edition, sanctioned, facts, rule):
    report = checked(edition, hero("a"), hero("p", **facts), event={"sanctioned": sanctioned})
    found = {"violations": [], "warnings": []}
    if sanctioned:
        found["violations" if edition == "car-2002" else "warnings"] = [(rule, ["p"], "Build Your Force")]
    assert {
        kind: [(one["rule"], one["elements"], one["citations"][0]["section"]) for one in report[kind]] for kind in found
    } == found
    assert report["legal"] == (not found["violations"])


@every_row(
    ("date", "street_date", "outcome"),
    [
        ("2002-11-15", "2002-11-01", "legal"),
        ("2002-11-14", "2002-11-01", "too early"),
        ("2002-10-31", "2002-11-01", "too early"),
        ("2003-01-04", "2002-12-21", "legal"),
        ("2003-01-03", "2002-12-21", "too early"),
        ("2003-03-06", "2003-02-20", "legal"),
        ("2003-03-05", "2003-02-20", "too early"),
        ("2002-10-01", "2002-09-17", "legal"),
        ("2002-10-01", "2002-09-18", "too early"),
        ("2002-09-30", "2002-09-29", "legal"),
        ("2002-09-30", None, "legal"),
        ("2002-11-15", None, "street_date"),
        (None, "2002-11-01", "date"),
        (None, None, "date"),
    ],
)
def test_new_product_is_legal_after_fourteen_days(date, street_date, outcome):
    event, facts = {"date": date}, {"street_date": street_date}
    report = checked("car-2002", hero(**facts), event=event)
    assert rules(report) == (["product-not-yet-legal"] if outcome == "too early" else [])
    assert [one["needs"] for one in report["unchecked"]] == ([outcome] if "date" in outcome else [])
    for free in ({"sanctioned": False}, {"format": "sealed-booster"}, {"format": "sealed-starter"}):
        report = checked("car-2002", hero(**facts), event=event | free)
        assert (rules(report), report["unchecked"]) == ([], [])
    assert rules(checked("dc-2005", hero(**facts), event=event)) == []


@every_row("edition", EDITIONS)
@every_row("format", ["constructed", "head-to-head", "sealed-booster", "sealed-starter"])
def test_sealed_forces_come_from_ones_own_product(edition, format):
    report = checked(edition, hero("a"), hero("b", from_sealed_product=False), event={"format": format})
    sealed = format.startswith("sealed")
    assert rules(report) == (["not-from-sealed-product"] if sealed else [])
    if sealed:
        section = f"Sealed {format.removeprefix('sealed-').title()} Rules › Forces"
        assert report["violations"][0]["citations"][0]["section"] == section
        assert elements(report, "not-from-sealed-product") == ["b"]


@every_row("edition", EDITIONS)
def test_sets_of_an_event(edition):
    figures = [hero("a", set="ic"), hero("b", set="CT"), hero("c", set="hypertime"), hero("d")]
    report = checked(edition, *figures, event={"sets": ["ic", "ct"]})
    assert elements(report, "set-not-allowed") == ["c"]
    assert {"rule": "set-not-allowed", "needs": "set", "elements": ["d"]} in report["unchecked"]
    assert "set-not-allowed" not in rules(checked(edition, *figures))


@every_row("edition", EDITIONS)
@every_row(
    ("number", "on_dial", "broken"),
    [("063", "063", []), ("063", "63", []), ("063", "064", ["collector-number-mismatch"]), ("063", None, [])],
)
def test_collectors_numbers_on_base_and_dial(edition, number, on_dial, broken):
    assert rules(checked(edition, hero(number=number, dial_number=on_dial))) == broken


def test_a_base_without_its_number_cannot_be_compared():
    report = checked("dc-2005", hero(dial_number="063"))
    assert report["unchecked"] == [{"rule": "collector-number-mismatch", "needs": "number", "elements": ["a"]}]


def test_eight_violations_at_once():
    """Every violation is reported, not only the first."""
    catwoman = {"name": "Catwoman", "rank": "unique", "set": "hypertime", "number": "113"}
    report = checked(
        "car-2002",
        hero("a", 85, **catwoman),
        hero("b", 85, **catwoman),
        hero("c", 54, base_color="gray", promotional=True, number="040", dial_number="041", street_date="2002-11-20"),
        hero("d", 60, base_color="gray", proxy=True),
        objects=[{"kind": "heavy"}] * 4,
        event={"date": "2002-12-01"},
        build_total=100,
    )
    assert rules(report) == [
        "archenemies",
        "build-total",
        "collector-number-mismatch",
        "object-limit",
        "product-not-yet-legal",
        "promotional",
        "proxy",
        "unique",
    ]
