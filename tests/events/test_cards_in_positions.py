"""Cards of figures in positions: proposed from texts, taken into account by disputes, and shown on the figure's sheet."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from events.models import Event, Venue
from judging.disputes import figures_of
from judging.keeping.erasure import scrub
from judging.services import disputes
from rules.card_effects import PrintedCards, cards_of, fault_of
from rules.card_reading import phrases, read_text
from rules.engine import NAMELESS, adjudicate
from rules.importers.kept import Kept, kept_uploads
from rules.models import CardTexts, CatalogueChange, Correction, Element, SavedDispute
from rules.services.catalogue import derive
from rules.services.disputes import begin_dispute
from rules.services.imports import apply_import, begin_import, plan_more
from rules.views.pieces import catalogued_piece
from tests.conftest import client_of
from tests.factories import PersonFactory
from tests.rules.engine.fights import battle, fighter
from tests.rules.test_card_reading import WHOLLY

from .force_catalogue import OLD, small_catalogue
from .test_card_texts import bramble, by_code, match, page_of  # noqa: F401 (fixtures)

DIAL = [
    {"speed": 8, "attack": 9, "defense": 15, "damage": 2, "powers": {"speed": "Thorns"}},
    {"speed": 8, "attack": 9, "defense": 15, "damage": 2, "powers": {"speed": "Stealth", "attack": "Special power"}},
]
FACTS = {
    "name": "Wren",
    "points": 50,
    "dial": DIAL,
    "special_powers": [{"slot": "speed", "name": "Thorns", "powers": ["Charge"]}],
}


def text(words, slot="trait", name="Deep Root", sort=""):
    return {"slot": slot, "name": name, "sort": sort, "text": words}


def in_position(*texts, **facts):
    return [card.in_position for card in cards_of({**FACTS, **facts}, texts)]


def test_a_card_without_a_name_is_told_from_those_of_other_figures():
    """Two figures' nameless unique modifiers both count; the engine knows such cards by this name."""
    said = "UNIQUE MODIFIER - Adjacent friendly characters modify attack +1."
    cards = in_position(text(said, name=""))
    assert [(one["name"], one["effects"][0]["unique"]) for one in cards] == [(NAMELESS, True)]
    mine = [fighter("a", "C3"), *(fighter(name, square, cards=cards) for name, square in (("f", "C4"), ("g", "D4")))]
    asked = {"ask": "value", "of": "a", "value": "attack"}
    report = adjudicate(battle("core-modern", mine, [fighter("b", "H3")], ask=[asked]))
    assert report["answers"][0]["result"] == 12


def test_every_phrasing_gives_effects_that_a_position_can_have():
    texts = [said for said, _effects in WHOLLY]
    for said in texts:
        assert fault_of(read_text(said, "Wren Marlow").effects) is None, said
    for _pattern, moment in phrases.MOMENTS:
        assert fault_of([{"do": "by-hand", "moment": moment}]) is None, moment


def test_a_special_power_counts_on_the_clicks_that_show_it():
    said = "Wren can use Flurry. Ask a riddle. Ask two."
    assert in_position(text(said, "speed", "THORNS")) == [
        {"name": "THORNS", "kind": "special-power", "slot": "speed", "clicks": [1],
         "effects": [{"do": "can-use", "powers": ["Flurry"]}, {"do": "by-hand"}]}
    ]  # fmt: skip
    (unclear,) = in_position(text("Wren can use Flurry.", "attack", "Claw"))
    assert (unclear["clicks"], unclear["effects"]) == ([2], [{"do": "by-hand"}]), (
        "which power click 2 shows isn't known"
    )


def test_a_trait_that_is_paid_for_is_for_the_judge():
    assert in_position(text("Wren can use Flurry.", sort="costed trait"))[0]["effects"] == [{"do": "by-hand"}]


def test_what_a_judge_confirmed_takes_the_place_of_the_proposal():
    confirmed = {"slot": "trait", "name": "deep root", "sort": "", "effects": [{"do": "can-use", "powers": ["Charge"]}]}
    (card,) = cards_of({**FACTS, "cards": [confirmed]}, [text("Wren can use Flurry.")])
    assert card.confirmed
    assert card.in_position["effects"] == confirmed["effects"]
    assert [one["effects"] for one in in_position(cards=[confirmed])] == [confirmed["effects"]], "without its text, too"


@pytest.mark.django_db
class TestPages:
    @pytest.fixture(autouse=True)
    def catalogue(self):
        small_catalogue()
        element = Element.objects.get(name="Bramble")
        texts = [text("Bramble can use Charge."), text("Hum a secret tune.", name="Humming <b>")]
        CardTexts.objects.create(element=element, texts=texts)
        self.element = element

    def brought(self, client):
        """Return the dispute that `client` opened, after bringing Bramble from the catalogue and placing it."""
        sides = [{"player": player, "characters": []} for player in "AB"]
        saved = begin_dispute(document={"edition": "core-2014", "map": {"width": 16, "height": 16}, "sides": sides})
        client.get(saved.judging_address(), follow=True)
        where = reverse("rules:dispute", args=[saved.public_id])
        client.post(where, {"do": f"bring:{self.element.code}", "version": saved.version, "player": "A"})
        saved.refresh_from_db()
        return saved, where

    def test_a_figure_of_the_catalogue_brings_its_cards_without_their_words(self):
        saved, _where = self.brought(Client())
        (waiting,) = saved.waiting
        assert [card["name"] for card in waiting["piece"]["cards"]] == ["Deep Root", "Humming <b>"]
        assert "secret" not in json.dumps(waiting)
        document = {**saved.document, "sides": [
            {"player": "A", "characters": [{**waiting["piece"], "square": "B2", "click": 1}]},
            {"player": "B", "characters": [{**waiting["piece"], "id": "other", "square": "B6", "cards": []}]}]}  # fmt: skip
        charge = {
            "action": "power",
            "actor": "bramble",
            "using": ["Charge"],
            "path": ["B3", "B4", "B5"],
            "targets": ["other"],
        }
        report = adjudicate({**document, "actions": [charge]})
        assert report["legal"]
        assert "Humming <b>" in json.dumps(report["steps"])
        del document["sides"][0]["characters"][0]["cards"]
        assert not adjudicate({**document, "actions": [charge]})["legal"]

    def test_the_sheet_says_what_is_taken_into_account(self):
        for client, reads in ((Client(), False), (client_of(PersonFactory()), True)):
            saved, where = self.brought(client)
            piece = {**saved.waiting[0]["piece"], "square": "B2"}
            document = {
                **saved.document,
                "sides": [{"player": "A", "characters": [piece]}, {"player": "B", "characters": []}],
            }
            SavedDispute.objects.filter(pk=saved.pk).update(document=document, waiting=[])
            page = client.get(where, {"sheet": piece["id"]}).content.decode()
            sheet = page.partition('id="sheet-cards"')[2].partition('id="sheet-values"')[0]
            charge, hum = sheet.split("card-text-name")[1:]
            assert "Deep Root" in charge
            assert "Applied by the rules engine" in charge
            assert "Can use Charge" in charge
            assert "Humming &lt;b&gt;" in hum
            assert "Judge decides" in hum
            assert ("secret tune" in hum) is reads
            assert ("secret tune" in page) is reads


@pytest.mark.django_db
class TestConfirming:
    @pytest.fixture(autouse=True)
    def figure(self, staff):
        small_catalogue()
        self.element = Element.objects.get(name="Bramble")
        CardTexts.objects.create(
            element=self.element, texts=[text("Bramble can use Charge. Ask <script>alert(1)</script>.")]
        )
        Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING)
        Venue.objects.update(state=Venue.State.APPROVED)
        self.where = reverse("rules:element-cards", args=self.element.code.split("/"))

    def post(self, client, act="confirm", **given):
        self.element.refresh_from_db()
        card = {"card": "trait||deep root", "version": self.element.version, "act": act}
        return client.post(self.where, {**card, **given})

    def facts(self):
        return self.element.facts_on().document.get("cards")

    def test_who_may(self, staff):
        player = client_of(PersonFactory())
        assert Client().get(self.where).status_code == 302
        for refused in (player, staff.client("scorekeeper"), by_code(staff, staff.judge)):
            assert refused.get(self.where).status_code in (302, 403)
            assert self.post(refused, keep="0").status_code in (302, 403)
            assert "Confirm or correct" not in page_of(self.element, refused)
        assert self.facts() is None
        for may in (staff.client("judge"), staff.client("head_judge"), staff.client("office")):
            assert may.get(self.where).status_code == 200
            assert "Confirm or correct" in page_of(self.element, may)

    def test_judges_only_once_their_event_has_begun_at_an_approved_venue(self, staff):
        judge = staff.client("judge")
        Event.objects.filter(pk=staff.event.pk).update(state=Event.State.OPEN)
        assert self.post(judge, keep="0").status_code == 403
        Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING)
        Venue.objects.update(state=Venue.State.PENDING)
        assert self.post(judge, keep="0").status_code == 403
        Venue.objects.update(state=Venue.State.APPROVED)
        staff.event.officials.filter(person=staff.judge).update(accepted=None)
        assert self.post(judge, keep="0").status_code == 403

    def test_confirmed_corrected_and_proposed_again_with_who_and_when(self, staff):
        judge = staff.client("judge")
        page = judge.get(self.where).content.decode()
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert(1)" in page
        assert self.post(judge, keep="0", powers="Stealth | flurry").status_code == 302
        effects = [{"do": "can-use", "powers": ["Charge"]}, {"do": "can-use", "powers": ["Stealth", "Flurry"]}]
        assert self.facts() == [{"slot": "trait", "name": "Deep Root", "sort": "", "effects": effects}]
        assert catalogued_piece(self.element.code)["cards"][0]["effects"] == effects
        row = CatalogueChange.objects.get(verb="confirm-card")
        assert row.by == str(staff.judge)
        assert "effects of Deep Root confirmed" in str(row)
        assert str(staff.judge) in judge.get(self.where).content.decode()
        assert self.post(judge, keep="0", version=1).status_code == 400, "someone else has corrected it"
        assert self.post(staff.client("office"), "propose").status_code == 302
        assert self.facts() is None
        assert catalogued_piece(self.element.code)["cards"][0]["effects"][0] == effects[0]

    @pytest.mark.parametrize(
        "written",
        [
            "", "{}", "null", "7", '"x"', "[7]", '[{"do": "fly"}]', '[{"do": "modify", "value": "attack", "by": 0}]',
            '[{"do": "can-use", "powers": ["Charge"], "when": {"moon": "full"}}]', '[{"do": "by-hand", "text": "\\ud800"}]',
            '[{"do": "can-use", "powers": ["<script>alert(1)</script>"], "to": 3}]',
            "[" * 3_000, json.dumps([{"do": "stop"}] * 101), '[{"do": "stop", "do": "stop"}]', "[NaN]",
            json.dumps([{"do": "set", "value": "attack", "set": 9}, {"do": "set", "value": "attack", "set": 8}]),
            json.dumps([{"do": "can-use", "powers": ["x" * 5_500]}]),
        ],
    )  # fmt: skip
    def test_malformed_effects_change_nothing(self, staff, written):
        answer = self.post(staff.client("judge"), "write", effects=written)
        assert answer.status_code == 400
        assert "<script>alert" not in answer.content.decode()
        assert self.facts() is None
        assert self.post(staff.client("judge"), powers="Lava").status_code == 400
        assert self.post(staff.client("judge"), card="trait||other").status_code == 400

    def test_words_of_a_text_never_become_facts(self, staff):
        written = json.dumps([{"do": "by-hand", "moment": "after-hit", "text": "Bramble sings."}, {"do": "stop"}])
        assert self.post(staff.client("judge"), "write", effects=written).status_code == 302
        assert self.facts()[0]["effects"] == [{"do": "by-hand", "moment": "after-hit"}, {"do": "stop"}]

    def test_an_export_has_effects_without_texts_and_an_import_reads_them_with_checks(self, staff):
        self.post(staff.client("judge"), keep="0")
        kept = self.facts()
        sheet = Client().get(reverse("rules:catalogue-sheet")).content
        assert b"alert" not in sheet
        Correction.objects.all().delete()
        derive([self.element])
        assert self.facts() is None
        apply_import(planned=planned(sheet))
        assert self.facts() == kept
        forged = sheet.replace(b"can-use", b"can-fly")
        assert [line.outcome for line in planned(forged).lines.filter(name="Bramble")] == ["left-out"]

    def test_an_erased_judge_isnt_named(self, staff):
        self.post(staff.client("judge"), keep="0")
        name = str(staff.judge)
        scrub(staff.judge, by_office=False)
        assert CatalogueChange.objects.get(verb="confirm-card").by != name

    def test_a_dispute_gets_the_corrected_cards_with_one_tap(self, staff):
        judge = staff.client("judge")
        piece = {**catalogued_piece(self.element.code), "id": "bramble", "square": "B2"}
        sides = [{"player": "A", "characters": [piece]}, {"player": "B", "characters": []}]
        saved = begin_dispute(document={"edition": "core-2014", "map": {"width": 9, "height": 9}, "sides": sides})
        judge.get(saved.judging_address(), follow=True)
        where = reverse("rules:dispute", args=[saved.public_id])
        sheet = judge.get(where, {"sheet": "bramble"}).content.decode()
        assert f"{self.where}?dispute={saved.public_id}&amp;sheet=bramble" in sheet
        for key, leads in ((saved.public_id, True), ("https://evil.example/", False), ("//evil.example", False)):
            page = judge.get(self.where, {"dispute": key, "sheet": '"><b>'}).content.decode()
            assert (f'href="{where}?sheet=%22%3E%3Cb%3E#sheet"' in page) is leads
            assert ("Back to the dispute" in page) is leads
        assert "renew-cards" not in sheet
        self.post(judge, powers="Flurry")
        assert "renew-cards" in judge.get(where, {"sheet": "bramble"}).content.decode()
        judge.post(where, {"do": "renew-cards", "figure": "bramble", "version": saved.version})
        saved.refresh_from_db()
        (card,) = saved.document["sides"][0]["characters"][0]["cards"]
        assert card["effects"] == [{"do": "can-use", "powers": ["Flurry"]}]
        assert judge.post(where, {"do": "renew-cards", "figure": "none", "version": saved.version}).status_code == 400


def planned(sheet):
    return plan_more(reading_of=begin_import(name="c.csv", reading=Kept(kept_uploads([("c.csv", sheet)], "", ""))))


@pytest.mark.django_db
def test_forces_bring_their_cards_to_a_tables_position(match, staff):  # noqa: F811
    texts = [text("Bramble can use Charge.")]
    CardTexts.objects.update(texts=texts)
    opened = disputes.open_dispute(by=staff.actor("judge"), match=match)
    pieces = [one["piece"] for one in opened.saved.waiting if one["piece"]["name"] == "Bramble"]
    assert [piece["set"] for piece in pieces] == [OLD, OLD]
    for piece in pieces:
        assert piece["cards"] == [
            {"name": "Deep Root", "kind": "trait", "effects": [{"do": "can-use", "powers": ["Charge"]}]}
        ]


def test_a_force_with_very_many_effects_still_fits_into_a_position():
    texts = [text("Wren can use Flurry.", name=f"Trait {number}") for number in range(40)]
    printed = {(OLD, "1"): PrintedCards(texts, FACTS, f"{OLD}/1")}
    characters = [{"ref": f"c{number}", "name": "Wren", "points": 50} for number in range(60)]
    origins = {one["ref"]: {"facts": {**FACTS, "set": OLD, "number": "1"}} for one in characters}
    figures, unknown = figures_of("A", {"force": {"characters": characters}}, origins, printed)
    assert (len(figures), unknown) == (60, [])
    assert sum(len(one["piece"].get("cards", ())) for one in figures) == 440
    many = cards_of({**FACTS, "cards": [{**text("", name=f"Kept {n}"), "effects": []} for n in range(40)]}, texts)
    assert len(many) == 50
