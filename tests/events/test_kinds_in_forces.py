"""Imported elements in the builder: each kind added to a force, and the search open on the sets last used."""

import html
import io

import pytest
from django.urls import reverse
from pypdf import PdfReader

from events.models import Force, Person
from rules.documents import OBJECT_KINDS, OTHER_KINDS
from rules.models import Element
from rules.services.catalogue import NewElement, catalogue_elements, record_set
from tests.conftest import client_of
from tests.factories import EntryFactory, EventFactory, OfficialFactory, PersonFactory

from .force_catalogue import NEW, OLD, figure, small_catalogue

KINDS = [
    *(("characters", kind) for kind in ("character", "bystander", "horde")),
    *(("objects", kind) for kind in OBJECT_KINDS),
    *(("other", kind) for kind in OTHER_KINDS),
    *((section, "") for section in ("feats", "battlefield_conditions", "resources", "team_ability_cards")),
]
"""Every kind of element, by its list in a force file."""


@pytest.fixture
def entry(db):
    return EntryFactory(event=EventFactory(edition="core-2014", build_total=300), person=PersonFactory())


def address(entry, what=""):
    return reverse("events:force", args=[entry.event.public_id, entry.number]) + what


def test_every_kind_of_element_can_be_added_to_a_force(entry):
    record_set(code="k1", name="Kinds")
    facts = [
        {"name": f"{section} {kind}".strip(), "number": f"{place:03d}"} for place, (section, kind) in enumerate(KINDS)
    ]
    for one, (section, kind) in zip(facts, KINDS, strict=True):
        one |= {"kind": kind} if kind else {}
        one |= {"cost_per_character": 1} if section == "team_ability_cards" else {}
        one |= {"points": 1} if section not in ("team_ability_cards", "battlefield_conditions") else {}
    catalogue_elements(
        elements=[NewElement("k1", section, one) for one, (section, _kind) in zip(facts, KINDS, strict=True)]
    )
    client = client_of(entry.person)
    for element in Element.objects.order_by("number"):
        assert client.post(address(entry, "change/"), {"act": "add", "code": element.code}).status_code == 302
    client.post(address(entry, "submit/"))
    lists = Force.objects.get(entry=entry).document["force"]
    found = [(section, one.get("kind", ""), one["name"]) for section, several in lists.items() for one in several]
    assert sorted(found) == sorted(
        (section, kind, one["name"]) for one, (section, kind) in zip(facts, KINDS, strict=True)
    )
    text = client.get(address(entry)).content.decode().split('id="bench"')[1]
    assert [one["name"] for one in facts if one["name"] not in text] == []


def test_a_verdict_that_cannot_be_told_names_the_figure_and_the_reason(entry):
    record_set(code="k1", name="Kinds")
    legacy = {"name": "Old Hand", "number": "001", "points": 40, "properties": ["legacy"]}
    catalogue_elements(elements=[NewElement("k1", "characters", legacy), figure("k1", "002", "Plain", 40)])
    player, judge = client_of(entry.person), client_of(OfficialFactory(event=entry.event, role="head-judge").person)
    for element in Element.objects.all():
        player.post(address(entry, "change/"), {"act": "add", "code": element.code})
    player.post(address(entry, "submit/"))
    assert Force.objects.get(entry=entry).standing == Force.Standing.CANNOT_TELL
    said = "for Old Hand: the rules of legacy cards aren't in this rulebook."
    sheet = PdfReader(io.BytesIO(player.get(address(entry, "sheet.pdf")).content))
    assert said in " ".join(" ".join(page.extract_text() for page in sheet.pages).split())
    assert said in html.unescape(judge.get(f"/events/{entry.event.public_id}/forces/").text)
    assert "legacy cards aren't in this rulebook" in html.unescape(player.get(address(entry)).text)


def test_the_builder_opens_on_the_sets_last_used(entry):
    small_catalogue()
    client = client_of(entry.person)

    def opened_on():
        results = client.get(address(entry)).context["results"]
        assert {row.element.set for row in results.rows} <= set(results.sets)
        return [one.code for one in results.sets]

    assert set(opened_on()) == {OLD, NEW}  # what was imported last
    added = Element.objects.filter(set__code=OLD).first()
    client.post(address(entry, "change/"), {"act": "add", "code": added.code})
    assert opened_on() == [OLD]
    catalogue_elements(elements=[figure(NEW, "099", "Newest", 10)])
    assert opened_on() == [OLD]


@pytest.mark.django_db
def test_the_page_of_administrators_and_the_office_leads_to_imports():
    administrator = Person.objects.create_superuser("ada@example.org", name="Ada")
    for person in (administrator, PersonFactory(is_office=True)):
        client = client_of(person)
        assert f'href="{reverse("rules:imports")}"' in client.get(reverse("events:office")).content.decode()
        assert client.get(reverse("rules:imports")).status_code == 200
