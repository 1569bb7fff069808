"""The shipped library loads repeatedly, and states only what its books say."""

import datetime
import tomllib
from pathlib import Path

from django.core.management import call_command

from rules.dials import CARD, PLACES, SLOTS, dial_of, short
from rules.documents import RANKS, plain_dial, point_choices
from rules.engine import EDITIONS
from rules.importers.shipped import LIBRARY, noted_dial, shipped_sets
from rules.models import CatalogueChange, Correction, Element, Facts, Set
from rules.queries import search_elements
from rules.services.catalogue import record_set
from rules.services.library import load_library
from tests.tables import every_row

HEADINGS = Path(__file__).parents[3] / "rules/engine/editions/texts/headings"
BOOKS = ("ic", "sentinel", "hypertime", "icons")


def facts(code, date=None):
    return Element.objects.get(code=code).facts_on(date).document


def test_loading_twice_changes_nothing(library):
    rows = (Element.objects.count(), Facts.objects.count(), Correction.objects.count(), CatalogueChange.objects.count())
    again = load_library()
    assert not again.elements.added
    assert not again.elements.changed
    assert again.corrections == 0
    assert rows == (
        Element.objects.count(),
        Facts.objects.count(),
        Correction.objects.count(),
        CatalogueChange.objects.count(),
    )


def test_loading_again_keeps_the_offices_facts_about_a_set(library):
    record_set(code="ic", name="Infinity Challenge", street_date=datetime.date(2002, 5, 1))
    load_library()
    row = Set.objects.get(code="ic")
    assert (row.name, row.street_date) == ("Infinity Challenge", datetime.date(2002, 5, 1))


def test_the_command_says_what_it_did(db, capsys):
    call_command("load_catalogue")
    assert "elements added" in capsys.readouterr().out
    call_command("load_catalogue")
    assert " 0 elements added, 0 changed" in capsys.readouterr().out


def test_every_book_fact_names_a_section_that_exists():
    headings = {}
    for path in HEADINGS.glob("*.toml"):
        written = tomllib.loads(path.read_text(encoding="utf-8"))
        headings[written["edition"]] = set(written["headings"])
    checked = 0
    for path in (LIBRARY / "catalogue").glob("books-*.toml"):
        written = tomllib.loads(path.read_text(encoding="utf-8"))
        entries = [written.pop("set"), *(entry for entries in written.values() for entry in entries)]
        for entry in entries:
            for source in entry["source"].split("; "):
                edition, section = source.split(", ", 1)
                assert section in headings[edition], (entry["name"], source)
                checked += 1
    assert checked > 100


def test_what_the_examples_of_the_books_say(library):
    # ic-2002, Build Your Force: 24 + 26 + 37 + 12 = 99.
    jeff = ["ic/kingpin-rookie", "ic/bullseye-rookie", "ic/constrictor-rookie", "ic/hydra-medic-rookie"]
    assert sum(facts(code)["points"] for code in jeff) == 99
    # car-2002, Build Your Force: 48 + 18 + 17 + 17 = 100, and 85 + 48 + 48 + 19 = 200.
    sharon = ["catwoman-rookie", "huntress-rookie", "robin-rookie", "checkmate-medic-experienced"]
    assert sum(facts(f"hypertime/{code}")["points"] for code in sharon) == 100
    kelly = ["catwoman-unique", "catwoman-rookie", "catwoman-rookie", "checkmate-medic-veteran"]
    assert sum(facts(f"hypertime/{code}")["points"] for code in kelly) == 200
    # dc-2005, Sample force 2: 32 + 22 + 60 + 37 + 31 + 15 = 197.
    shane = ["robin-rookie", "robin-experienced", "terra-unique", "cheetah-rookie", "hawkgirl-experienced"]
    assert sum(facts(f"icons/{code}")["points"] for code in shane) + facts("icons/feat-slippery")["points"] == 197
    assert facts("ic/spider-man")["base_color"] == facts("ic/hobgoblin")["base_color"] == "red"
    assert point_choices(facts("sentinel/sentinel")) == [300, 200, 100]
    assert facts("sentinel/sentinel")["starts"] == {"300": 1, "200": 4, "100": 7}


def test_the_books_corrections_are_dated(library):
    before, after = datetime.date(2002, 9, 1), datetime.date(2002, 10, 1)
    for number in ("92", "93"):
        assert facts(f"ic/{number}", before)["teams"] == ["Masters of Evil"]
        assert facts(f"ic/{number}", after)["teams"] == ["The Brotherhood"]
    assert facts("ic/121", before)["symbols"]["speed"] == "wing"
    assert facts("ic/121", after)["symbols"]["speed"] == "boot"
    assert facts("hypertime/40", after) | {"powers": ["Leap/Climb"]} == facts("hypertime/40", after)
    for number in ("43", "44", "45"):
        assert facts(f"hypertime/{number}", before)["powers"] == ["Shape Change"]
        assert facts(f"hypertime/{number}", after)["powers"] == ["Mastermind"]
    row = Correction.objects.get(element__code="ic/92")
    assert row.citation["section"] == "Official HeroClix Corrections › Figure Corrections"


def test_the_invented_sets_are_enough_to_build_with(library):
    invented = [
        each for shipped in shipped_sets() if shipped.code not in BOOKS for each in shipped.elements
    ]  # fmt: skip
    figures = [each.facts for each in invented if each.section == "characters"]
    assert len(figures) >= 60
    assert {figure["rank"] for figure in figures} >= {
        "rookie", "experienced", "veteran", "unique", "super-rare", "limited-edition", "prime", "promotional",
    }  # fmt: skip
    assert {figure.get("rarity") for figure in figures} >= {"common", "uncommon", "rare", "super-rare", "chase"}
    assert {figure.get("kind", "character") for figure in figures} == {"character", "bystander", "horde", "sentinel"}
    assert set(RANKS) >= {figure["rank"] for figure in figures}
    counts = {
        section: sum(1 for each in invented if each.section == section) for section in ("feats", "objects", "other")
    }
    assert all(count >= 8 for count in counts.values()), counts
    assert any(len(figure.get("point_options", ())) > 2 for figure in figures)
    assert any(figure.get("allows_sideline") for figure in figures)


@every_row("shipped", list(shipped_sets()), ids=lambda shipped: shipped.code)
def test_dials_go_down_and_name_powers_of_the_card(shipped):
    for each in shipped.elements:
        clicks = each.facts.get("dial")
        if each.section != "characters" or not clicks:
            continue
        special = {power["name"] for power in each.facts.get("special_powers", ())}
        if each.facts.get("kind", "character") in ("character", "sentinel"):
            assert 8 <= len(clicks) <= 12, each.facts["name"]
        for slot in SLOTS:
            values = [click[slot] for click in clicks]
            assert values == sorted(values, reverse=True), (each.facts["name"], slot)
        for click in clicks:
            for slot, power in click.get("powers", {}).items():
                assert power in special or PLACES[power][0] == slot, (each.facts["name"], power)
        assert len(plain_dial(each.facts)) == len(clicks)
        drawn = dial_of(each.facts)
        assert sum(1 for click in drawn.clicks if not click.ko) == len(clicks)


def test_a_dial_can_be_read_without_its_colours():
    for slot, row in CARD.items():
        letters = [short(name if isinstance(name, str) else name[-1]) for name in row]
        assert len(set(letters)) == len(letters), slot


@every_row("edition", EDITIONS)
def test_every_power_of_an_edition_stands_on_a_dial(edition):
    left_out = sorted(set(EDITIONS[edition].powers) - set(PLACES))
    assert not left_out, f"Name these in CARD of rules/dials.py, or the catalogue's dials leave them out: {left_out}"


def test_the_old_name_of_a_power_is_played_from_a_dial():
    values = {"speed": 8, "attack": 9, "defense": 15, "damage": 2}
    [click] = plain_dial({"dial": [{**values, "powers": {"speed": "Earthbound"}}]})
    assert click["powers"] == ["Earthbound"]


def test_a_noted_dial():
    dial = noted_dial(
        {"speed": "8 7 | Stealth 1", "attack": "9 9", "defense": "15 14 | Toughness 1-2", "damage": "2 1"}
    )
    assert dial == [
        {"speed": 8, "attack": 9, "defense": 15, "damage": 2, "powers": {"speed": "Stealth", "defense": "Toughness"}},
        {"speed": 7, "attack": 9, "defense": 14, "damage": 1, "powers": {"defense": "Toughness"}},
    ]


def test_archenemies_and_one_name_twice_can_be_built(library):
    blue = search_elements(sets="brass-harbour", text="lamplighter")
    assert {row.document["base_color"] for row in blue} == {"blue"}
    snuffer = search_elements(sets="brass-harbour", text="snuffer")
    assert {row.document["base_color"] for row in snuffer} == {"blue"}
    assert search_elements(sets="brass-harbour", text="lamplighter", rank=["unique", "limited-edition"]).count() == 2
