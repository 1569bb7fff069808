"""The policy's requirements for venues (section 4), check by check."""

import datetime

from hypothesis import given
from hypothesis import strategies as st

from events.registration import Registration, check_approval, check_registration, is_po_box
from tests.tables import every_row

PO_BOXES = [
    "PO Box 12", "P.O. Box 12, Ghent", "p o box 3", "P.O.Box 7", "POBOX 99", "P O  BOX\n5", "Post Office Box 3",
    "post office  box", "Postfach 12", "POSTFACH", "Boîte postale 4", "BOITE  POSTALE 4", "BP 12", "B.P. 45", "bp45",
    "Postbus 3", "Apartado 12", "Apartado de correos 3", "Apdo. 12", "Casella postale 8", "CASELLA  POSTALE",
    "P.O.B. 12", "GPO Box 4", "Case postale 3", "P0 Box 3", "Ｐ.Ｏ. Box 3", "Private Bag 12", "Shop X\nPO-Box 1\nGhent",
    "Boîte\npostale 3", "Caixa Postal 9", "Skrytka pocztowa 4", "а/я 12",
]  # fmt: skip
STREETS = [
    "12 Box Street", "Box Street 12", "1 Postfield Road", "3 Depot Box Lane", "Rue X 12 boîte 3", "Rue de la Poste 4",
    "BP Station, High Road", "Apartamento 3", "Poststraße 4", "Box Hill 3", "Kerkstraat 12 bus 3",
    "Old Post Office, 3 Main Street", "Postbuslaan 3", "Unit 4, The Mailbox, Birmingham", "1 Market Street, Ghent",
    "3 Apollo Boxing Street", "Via Po 12", "PO1 2AB Portsmouth, 3 Box Lane",
]  # fmt: skip


@every_row("address", PO_BOXES)
def test_a_po_box_is_known_in_any_spelling(address):
    assert is_po_box(address)


@every_row("address", STREETS)
def test_a_street_is_no_po_box(address):
    assert not is_po_box(address)


@given(st.sampled_from(PO_BOXES[:20]), st.sampled_from(["{}", " {} ", "Name\n{}\nGhent", "c/o A. Smith, {}"]))
def test_surrounding_text_does_not_hide_a_post_office_box(address, frame):
    assert is_po_box(frame.format(address.upper()))
    assert is_po_box(frame.format(address.lower()))


@given(st.text(max_size=200))
def test_any_text_is_answered(text):
    assert is_po_box(text) in (True, False)


def store(**changed):
    facts = {
        "kind": "store", "public_location": "1 Market Street", "city": "Ghent",
        "shipping_address": "1 Market Street, Ghent", "telephone": "+32 9 123 45 67",
    }  # fmt: skip
    return Registration(**(facts | changed))


def club(members=8, **changed):
    names = tuple(f"Member {n}" for n in range(members))
    facts = {"volunteer": "Member 1"} | dict.fromkeys(
        ("volunteer_is_member", "volunteer_has_agreed", "volunteer_is_approved"), True
    )
    return store(kind="club", members=names, **(facts | changed))


def rules(venue, checks=check_registration):
    return [finding.rule for finding in checks(venue)]


def test_a_store_with_everything_passes_and_needs_no_tax_number_until_asked():
    assert rules(store()) == []
    assert rules(store(tax_number_requested=True)) == ["tax-number"]
    assert rules(store(tax_number_requested=True, tax_number="BE 1")) == []


@every_row(
    "changed, rule",
    [
        ({"public_location": ""}, "public-location"),
        ({"public_location": "PO Box 4"}, "public-location"),
        ({"city": " "}, "public-location"),
        ({"shipping_address": "-"}, "shipping-address"),
        ({"shipping_address": "Postfach 1, Bonn"}, "shipping-address"),
        ({"telephone": ""}, "telephone"),
        ({"telephone": "call me"}, "telephone"),
        ({"telephone": "12345"}, "telephone"),
    ],
)
def test_each_missing_fact_of_a_store_is_reported_at_its_field(changed, rule):
    (finding,) = check_registration(store(**changed))
    assert finding.rule == rule
    assert finding.field in changed or changed == {"city": " "}
    assert finding.citations[0]["section"].endswith("4. Venue Policies › Retail Stores")
    assert finding.citations[0]["date"] == "2003-01-13"


def test_a_club_has_eight_members():
    assert rules(club(8)) == []
    assert rules(club(7)) == ["members"]
    assert "members" in rules(store(kind="club", members=("A", "a ", "A") * 5))


def test_a_clubs_volunteer_is_one_of_its_members_and_approved_before_the_club_is():
    assert rules(club(volunteer="", volunteer_is_member=False)) == ["volunteer"]
    assert rules(club(volunteer_is_member=False)) == ["volunteer-member"]
    assert rules(club(volunteer_is_approved=False)) == []
    assert rules(club(volunteer_is_approved=False), check_approval) == ["volunteer-approved"]
    assert rules(club(volunteer_has_agreed=False)) == []
    assert rules(club(volunteer_has_agreed=False, volunteer_is_approved=False), check_approval) == ["volunteer-agreed"]


def test_a_convention_has_its_days_and_may_lack_a_telephone():
    day = datetime.date(2026, 12, 4)
    fair = store(kind="convention", telephone="", opens=day, closes=day)
    assert rules(fair) == []
    assert rules(store(kind="convention", opens=day)) == ["dates"]
    assert rules(store(kind="convention", opens=day, closes=day - datetime.timedelta(days=1))) == ["dates"]
    assert check_registration(store(kind="convention"))[0].citations[0]["section"].endswith("Conventions")


def test_citations_stand_in_the_book():
    import tomllib
    from pathlib import Path

    import rules.engine as engine

    found = list(Path(engine.__file__).parent.glob("editions/texts/headings/car-2002.toml"))
    headings = set()
    for table in tomllib.loads(found[0].read_text(encoding="utf-8")).values():
        headings |= set(table) if isinstance(table, dict) else set()
    headings |= set(tomllib.loads(found[0].read_text(encoding="utf-8")))
    for kind in ("store", "convention", "club"):
        for finding in check_registration(Registration(kind=kind)):
            assert finding.citations[0]["section"] in headings
