"""Every kind of element and every fact of a unit list: imported, found, shown, and added to a force."""

import json

from django.urls import reverse

from rules.card_rules import card_rules
from rules.documents import OTHER_KINDS, as_element
from rules.engine import check_force
from rules.importers.csv_sheet import written
from rules.importers.layouts import read_file
from rules.importers.records import LeftOut
from rules.queries import search_elements
from rules.services.catalogue import NewElement, catalogue_elements, record_set
from tests.tables import every_row

CLICK = {"click_number": 1, "speed_value": 8, "attack_value": 9, "defense_value": 15, "damage_value": 2}
PLAIN = {"set_id": "k1", "type": "character", "name": "Plain", "collector_number": "099", "point_values": [20]}


def trait(sort, **more):
    return {"special_powers": [{"type": sort, "name": "ODD", **more}]}


FACTS = {
    # what is typed: a unit's keys, and what its page says
    "team up": ({"properties": ["team_up"]}, "team up"),
    "captain": ({"properties": ["captain"]}, "captain"),
    "generic": ({"properties": ["generic"]}, "generic"),
    "sidekick": ({"properties": ["sidekick", "ally"]}, "sidekick, ally"),
    "legacy": ({"properties": ["legacy"]}, "legacy"),
    "secret identity": ({"properties": ["secret_identity"]}, "secret identity"),
    "prime": ({"properties": ["prime"]}, "Prime"),
    "rookie": ({"properties": ["Rookie"]}, "Rookie"),
    "veteran": ({"rarity": "veteran"}, "Veteran"),
    "experienced": ({"rank": "Experienced"}, "Experienced"),
    "chase": ({"rarity": "chase"}, "chase"),
    "special edition": ({"rarity": "special_edition"}, "Special Edition"),
    "limited edition": ({"rarity": "limited_edition"}, "Limited Edition"),
    "fast forces": ({"rarity": "fast_forces"}, "Fast Forces"),
    "costed trait": (trait("costed_trait", point_value=5), "5 points"),
    "title trait": (trait("title_trait"), "title trait"),
    "plot points": (trait("plus_plot_points", plot_points=2), "plot points: 2"),
    "asset": (trait("asset_unit"), "asset unit"),
    "rally": (trait("rally_trait", rally_type="friendly", rally_die=3), "rally die: 3, friendly"),
    "epic": (trait("epic"), "epic"),
    "stop": (
        {**trait("defense", powers=["stop", "toughness"]), "dial": [{**CLICK, "defense_power": "special"}]},
        "STOP",
    ),
    "horde stack": ({"bystander_type": "horde", "horde_stack_max": 4}, "Largest horde stack"),
    "passengers": ({"passengers": 3}, "Passengers"),
    "giant": ({"damage_type": "giant"}, "giant"),
    "transporter wing": ({"speed_type": "transport_wing", "dial": [CLICK]}, "transporter-wing"),
    "improved targeting": ({"improved_targeting": ["hindering"]}, "hindering"),
    "improved movement elevated": ({"improved_movement": ["elevated"]}, "elevated"),
    "peanut": ({"dimensions": "1x2"}, "peanut"),
    "bystander": ({"type": "bystander"}, "bystander"),
}
ELEMENTS = {
    "relic roll": ({"type": "object", "object_type": "special", "object_size": "light", "relic_roll_min": 5}, "5+"),
    "special object": ({"type": "object", "object_type": "special", "object_size": "heavy"}, "special object"),
    "indestructible": ({"type": "object", "object_keyphrases": ["indestructible"]}, "indestructible"),
    "resource": ({"type": "resource"}, "resource"),
    "feat": ({"type": "feat"}, "feat"),
    "battlefield condition": ({"type": "battlefield_condition"}, "battlefield condition"),
    **{
        kind.replace("-", " "): (
            {"type": kind.replace("-", "_")},
            "ID card" if kind == "id-card" else kind.split("-")[0],
        )
        for kind in OTHER_KINDS
    },
}


def record_of(**keys):
    """Return the record of a unit with these keys."""
    [record] = read_file(json.dumps([{**PLAIN, "name": "Odd One", "collector_number": "001", **keys}]).encode()).records
    return record


def test_every_fact_is_imported_found_and_shown(client, db):
    asked = {**FACTS, **ELEMENTS}
    units = [
        {**PLAIN, "name": f"Odd {place}", "collector_number": f"{place}", **keys}
        for place, (keys, _shown) in enumerate(asked.values(), 100)
    ]
    records = read_file(json.dumps([PLAIN, *units]).encode()).records
    record_set(code="k1", name="Kinds")
    catalogue_elements(elements=[NewElement("k1", one.section, one.facts, texts=one.texts) for one in records])
    wrong = []
    for place, (typed, (_keys, shown)) in enumerate(asked.items(), 100):
        rows = {row.name: row for row in search_elements(text=typed, all_words=True)}
        row = rows.get(f"Odd {place}")
        if row is None or "Plain" in rows or len(rows) > 4:
            wrong.append((typed, "found", sorted(rows)))
        elif (
            shown not in client.get(reverse("rules:element", args=row.element.code.split("/", 1))).text.split("<h1>")[1]
        ):
            wrong.append((typed, "shown", shown))
    assert wrong == []


TEXT = {"description": "During force construction, you may only include three of them."}
UNSURE = {
    "legacy": ({"properties": ["legacy"]}, "legacy-card"),
    "a team base": (trait("asset_unit"), "team-base"),
    "an asset": (trait("asset_team"), "team-base"),
    "a text about building": (trait("trait", **TEXT), "force-construction"),
    "a bystander without points": ({"type": "bystander", "point_values": []}, "generated"),
    "a costed trait of unknown cost": (trait("costed_trait"), "force-construction"),
    **{kind: ({"type": kind.replace("-", "_")}, "card") for kind in OTHER_KINDS[3:]},
}
SURE = (
    "captain",
    "generic",
    "team up",
    "title trait",
    "rally",
    "costed trait",
    "stop",
    "passengers",
    "sidekick",
    "epic",
)


def judged(record):
    """Return the report on a force of this element beside a plain figure."""
    force = {"characters": [as_element("characters", record_of(name="Plain").facts)]}
    force.setdefault(record.section, []).append(as_element(record.section, record.facts))
    event = {"build_total": 300, "date": "2026-01-01"}
    return check_force({"edition": "core-modern", "event": event, "force": force})


@every_row("what", UNSURE)
def test_a_card_with_rules_of_its_own_is_never_plainly_legal(what):
    keys, needs = UNSURE[what]
    report = judged(record_of(**keys))
    assert report["violations"] == []
    assert [(one["rule"], one["needs"]) for one in report["unchecked"]] == [("element-rules", needs)]


@every_row("what", SURE)
def test_a_card_that_only_acts_in_play_is_legal(what):
    report = judged(record_of(**FACTS[what][0]))
    assert (report["violations"], report["unchecked"]) == ([], [])


@every_row(
    ("text", "allows"),
    [
        ("Replace this character with one from your Sideline.", True),
        ("SIDELINE ACTIVE - Place this character from your Sideline.", False),
        ("Choose a character on your opponent's Sideline.", False),
    ],
)
def test_a_text_that_uses_the_sideline_allows_one(text, allows):
    assert record_of(**trait("trait", description=text)).facts.get("allows_sideline", False) is allows


CARD = """<set name="K"><cards><card name="Odd One">
<property name="Unit ID" value="k1{number}"/><property name="Collector Number" value="{number}"/>
<property name="Unit Type" value="{kind}"/><property name="Point Values" value="20"/>
<property name="Rarity" value="{rarity}"/><property name="Properties" value="{properties}"/>
<property name="Traits and Special Powers" value="{texts}"/></card></cards></set>"""


@every_row("what", [*FACTS, *ELEMENTS])
def test_a_spreadsheet_keeps_every_fact(what):
    keys = {**FACTS, **ELEMENTS}[what][0]
    record = record_of(**keys)
    sheet = written([("k1/001", "Kinds", record.section, record.facts)])
    [again] = read_file(sheet.encode(), "csv").records
    assert again.facts == record.facts


@every_row("more", ["[", "[1]", '{"name": "X"}', '{"special_powers": 3}', "[" * 5000])
def test_facts_without_a_column_are_checked(more):
    cell = more.replace('"', '""')
    [record] = read_file(f'set,name,more\nx,Ada,"{cell}"\n'.encode()).records
    assert isinstance(record, LeftOut)


def test_the_sort_of_a_trait_in_a_spreadsheet_counts():
    sheet = 'set,name,card_text,properties\nx,Ada,"[Trait: Asset Unit] BO\nOdd.",Team_Up\n'
    [record] = read_file(sheet.encode()).records
    assert card_rules(record.facts) == ["team-up", "team-base"]


def card(*, kind="Character", number="001", rarity="Common", properties="", texts=""):
    text = CARD.format(kind=kind, number=number, rarity=rarity, properties=properties, texts=texts)
    [record] = read_file(text.encode()).records
    return record.facts


def test_a_legacy_card_of_an_xml_file_is_never_plainly_legal():
    element = as_element("characters", card(kind="Legacy Card"), ref="a")
    report = check_force({"edition": "core-modern", "event": {"build_total": 300}, "force": {"characters": [element]}})
    assert report["unchecked"] == [{"rule": "element-rules", "needs": "legacy-card", "elements": ["a"]}]


@every_row("rank", ["Rookie", "rookie", "Experienced", "VETERAN"])
@every_row("key", ["rarity", "properties"])
def test_the_ranks_of_xml_files(rank, key):
    facts = card(**{key: rank})
    assert facts["rank"] == rank.lower()
    assert "properties" not in facts


def test_the_traits_of_xml_files():
    texts = (
        "[Trait] WORDS&#10;Powers: Empower, Stop&#10;Empower. STOP.&#10;&#10;"
        "[Rally Trait] RALLY&#10;Roll.&#10;&#10;[Speed] FAST&#10;Powers: Leap Climb"
    )
    assert card(texts=texts)["special_powers"] == [
        {"slot": "trait", "name": "WORDS", "powers": ["Empower"], "stop": True},
        {"slot": "trait", "name": "RALLY", "sort": "rally trait"},
        {"slot": "speed", "name": "FAST", "powers": ["Leap/Climb"]},
    ]


@every_row(
    ("rarity", "edition", "made_for", "ring"),
    [
        ("limited-edition", "car-2002", "", "limited-edition"),
        ("limited-edition", "dc-2005", "", "limited-edition"),
        ("super-rare", "dc-2005", "dc-2005", "super-rare"),
        ("super-rare", "core-2014", "dc-2005", "unique"),
        ("limited-edition", "core-2014", "car-2002", "unique"),
        ("super-rare", "core-2014", "", "common"),
        ("super-rare", "dc-2005", "core-2014", "common"),
        ("promotional", "car-2002", "", "promotional"),
        ("rare", "dc-2005", "", "common"),
    ],
)
def test_the_rarity_of_an_old_figure_is_its_ring(rarity, edition, made_for, ring):
    facts = {"name": "A", "points": 10, "rank": "common", "rarity": rarity}
    assert as_element("characters", facts, edition=edition, made_for=made_for)["rank"] == ring


@every_row(
    ("edition", "rarity"), [("car-2002", "limited-edition"), ("dc-2005", "limited-edition"), ("dc-2005", "super-rare")]
)
def test_two_old_figures_with_a_ring_of_gold_or_bronze_are_one_too_many(edition, rarity):
    facts = {"name": "A", "number": "001", "set": "x", "points": 10, "rank": "common", "rarity": rarity}
    pair = [as_element("characters", facts, edition=edition) for _time in range(2)]
    report = check_force({"edition": edition, "event": {"build_total": 100}, "force": {"characters": pair}})
    assert [one["rule"] for one in report["violations"]] == ["unique"]
