"""Import files in three layouts: content, and errors with their place. Any bytes give a plan or a clear error."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules.documents import OTHER_KINDS, BadFacts, read_facts
from rules.importers.csv_sheet import cells_of, facts_of
from rules.importers.layouts import LAYOUTS, layout_of, read_file
from rules.importers.records import LARGEST_FILE, ElementRecord, LeftOut, NoElements, PassedOver, UnreadableFile
from rules.importers.shipped import shipped_sets
from rules.uploads import TooLarge, Unreadable
from tests.examples import examples
from tests.tables import every_row

SHARED = Path(__file__).parents[4] / "shared" / "catalogue"
SHEET = """set,number,name,rank,points,point_options,starts,teams,keywords,speed,attack,defense,damage,promotional
x1,001,Ada,rookie,40,,,Guild | Watch,Past,8 7 | Stealth 1,9 8,15 14,2 1 | Outwit 1-2,no
x1,002,Bo,unique,100,100/50,100:1 50:2,,,8 7,9 8,15 14,2 1,
"""
UNIT = {
    "unit_id": "x1001", "set_id": "x1", "collector_number": "001", "name": "Ada", "type": "character",
    "rarity": "super_rare", "dimensions": "1x2", "point_values": [100, 50], "properties": ["unique"],
    "team_abilities": ["x_men", "minions_of_doom"], "keywords": ["Scientist", "Night Shift"],
    "special_powers": [{"type": "damage", "name": "LAST WORD", "description": "…", "powers": ["outwit", "perplex"]}],
    "improved_movement": ["hindering"], "improved_targeting": ["wishes"], "unit_range": "6", "targets": "2",
    "speed_type": "transport_wing", "attack_type": "fist", "defense_type": "indomitable", "damage_type": "starburst",
    "dial_size": "12", "colour": "blue",
    "dial": [
        {"click_number": 1, "starting_line": True, "speed_power": "leap_climb", "speed_value": 8, "attack_value": 10,
         "attack_power": "penetrating_psychic_blast", "defense_value": 17, "damage_power": "special", "damage_value": 3},
        {"click_number": 2, "speed_value": 7, "attack_value": 9, "defense_value": 16, "damage_value": "2"},
        {"click_number": 4, "starting_line": True, "speed_value": 6, "attack_value": 9, "defense_value": 16, "damage_value": 2},
    ],
}  # fmt: skip
CARDS = """<?xml version='1.0' encoding='utf-8'?>
<set name="Night Shift" id="1">
  <cards>
    <card id="a" name="Ada" size="Card">
      <property name="Unit ID" value="ns007" />
      <property name="Collector Number" value="007" />
      <property name="Unit Type" value="Character" />
      <property name="Rarity" value="Ultra Chase" />
      <property name="Point Values" value="80/50" />
      <property name="Keywords" value="Spy | Night Shift" />
      <property name="Range" value="4" />
      <property name="Targets" value="1" />
      <property name="Combat Symbols" value="Boot | Sharpshooter | Indomitable | Starburst" />
      <property name="Properties" value="Prime" />
      <property name="Favourite Tea" value="black" />
      <alternate name="Ada" type="Click1" size="1x1">
        <property name="Click Number" value="1" />
        <property name="Starting Line" value="Auto" />
        <property name="Speed" value="8" />
        <property name="Speed Ability" value="Blades Claws Fangs" />
        <property name="Attack" value="11" />
        <property name="Defense" value="17" />
        <property name="Damage" value="3" />
        <property name="Damage Ability" value="Special - LAST WORD" />
      </alternate>
      <alternate name="Ada" type="Click2" size="1x1">
        <property name="Click Number" value="2" />
        <property name="Starting Line" value="Auto" />
        <property name="Speed" value="6" />
        <property name="Attack" value="10" />
        <property name="Defense" value="16" />
        <property name="Damage" value="2" />
      </alternate>
      <alternate name="Ada" type="KO" size="1x1"><property name="Speed" value="KO" /></alternate>
    </card>
  </cards>
</set>
"""


def only(reading):
    (record,) = reading.records
    assert isinstance(record, ElementRecord), record
    return record, read_facts(record.section, dict(record.facts))


class TestSpreadsheets:
    def test_what_a_line_says(self):
        first, second = read_file(SHEET.encode()).records
        facts = read_facts("characters", dict(first.facts))
        assert (first.where, first.set_code, facts["name"], facts["points"]) == ("line 2", "x1", "Ada", 40)
        assert facts["teams"] == ["Guild", "Watch"]
        assert facts["dial"][0]["powers"] == {"speed": "Stealth", "damage": "Outwit"}
        assert facts["promotional"] is False
        assert read_facts("characters", dict(second.facts))["starts"] == {"100": 1, "50": 2}

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
    @pytest.mark.parametrize("separator", [",", ";", "\t"])
    def test_what_spreadsheets_write(self, encoding, separator):
        sheet = separator.join(["Name", "SET", "Point Options"]) + "\r\n" + separator.join(["Café", "x1", '"30/20"'])
        record, facts = only(read_file(sheet.encode(encoding)))
        assert (facts["name"], facts["point_options"], record.where) == ("Café", [30, 20], "line 2")

    def test_hordes_passengers_relics_and_properties(self):
        sheet = (
            "name,set,section,kind,horde_stack,passengers,relic_roll,properties\n"
            "Ada,x1,,horde,6,,,team up | titan\nBo,x1,,,,2,,\nCy,x1,objects,light,,,5,\nDi,x1,objects,light,,,9,\n"
        )
        *sound, fault = read_file(sheet.encode()).records
        facts = [dict(record.facts) for record in sound]
        assert (facts[0]["kind"], facts[0]["horde_stack"], facts[0]["properties"]) == ("horde", 6, ["team up", "titan"])
        assert (facts[1]["passengers"], facts[2]["relic_roll"]) == (2, 5)
        assert "relic_roll: This must be from 1 to 6, not " in fault.faults[0][1]
        for each, record in zip(facts, sound, strict=True):
            assert read_facts(record.section, facts_of(cells_of(each), record.section)) == each

    def test_unknown_columns_are_reported_and_ignored(self):
        reading = read_file(b"name,set,colour\nAda,x1,blue\nBo,x1,\n")
        assert dict(reading.unknown) == {"colour": 1}

    def test_a_line_break_inside_quotes(self):
        reading = read_file(b'name,set,text\nAda,x1,"two\nlines"\nBo,x1,one\n')
        assert [record.where for record in reading.records] == ["line 3", "line 4"]

    @pytest.mark.parametrize(
        ("line", "says"),
        [
            ("Ada,x1,twelve,", "points: This must be a whole number"),
            ("Ada,x1,-3,", "points: This must be a whole number"),
            ("Ada,,12,", "The set is missing."),
            ("Ada,x1,12,perhaps", "promotional: This must be yes or no"),
            ("Ada,x1,12,yes,more", "1 more cell than the first line has columns"),
        ],
    )
    def test_faults_name_their_line(self, line, says):
        (fault,) = read_file(f"name,set,points,promotional\n{line}\n".encode()).records
        assert isinstance(fault, LeftOut)
        [(where, message)] = fault.faults
        assert (fault.where, where) == ("line 2", "line 2")
        assert says in message

    def test_half_a_dial(self):
        (fault,) = read_file(b"name,set,speed,attack\nAda,x1,8 7,9 8\n").records
        assert fault.faults == (("line 2", "dial: The dial has no values for defense, damage."),)

    @pytest.mark.parametrize(
        ("sheet", "says"),
        [
            (b"", "empty"),
            (b"  \n\n", "empty"),
            (b"set,points\nx1,3\n", "“name”"),
            (b"name,name\nA,B\n", "only once"),
            (b'name,set\n"Ada,x1\n', "can.t be read"),
            (b"name\0set\nA\0B\n", "read as text"),
        ],
    )
    def test_files_that_cannot_be_read(self, sheet, says):
        with pytest.raises(UnreadableFile, match=says):
            read_file(sheet, "csv")

    @pytest.mark.parametrize("shipped", list(shipped_sets()), ids=lambda shipped: shipped.code)
    def test_cells_and_facts_are_the_same(self, shipped):
        for each in shipped.elements:
            facts = read_facts(each.section, dict(each.facts))
            again = read_facts(each.section, facts_of(cells_of(facts), each.section))
            assert {key: value for key, value in again.items() if key != "requires"} == {
                key: value for key, value in facts.items() if key != "requires"
            }
            assert (again.get("requires") or {}) == (facts.get("requires") or {})


class TestUnits:
    def test_what_a_unit_says(self):
        reading = read_file(json.dumps([UNIT]).encode())
        record, facts = only(reading)
        assert record.where == "/0"
        assert (facts["rank"], facts["rarity"], facts["base"]) == ("unique", "super-rare", "peanut")
        assert (facts["points"], facts["point_options"], facts["starts"]) == (100, [100, 50], {"100": 1, "50": 4})
        assert facts["teams"] == ["X-Men", "Minions of Doom"]
        assert (facts["keywords"], facts["generic_keywords"]) == (["Night Shift"], ["Scientist"])
        assert (facts["range"], facts["bolts"], facts["symbols"]["speed"]) == (6, 2, "transporter-wing")
        assert facts["symbols"]["damage"] == "standard"
        assert facts["dial"][0]["powers"] == {
            "speed": "Leap/Climb", "attack": "Penetrating/Psychic Blast", "damage": "LAST WORD",
        }  # fmt: skip
        assert facts["dial"][1]["damage"] == 2
        assert facts["dial"][2] == {"ko": True}
        assert facts["special_powers"] == [{"slot": "damage", "name": "LAST WORD", "powers": ["Outwit", "Perplex"]}]
        assert dict(reading.unknown) == {"colour": 1, "improved_targeting: wishes": 1}

    def test_kinds(self):
        kinds = [
            {"type": "map", "name": "Wharf"},
            {"type": "equipment", "name": "Hook", "point_values": [2]},
            {"type": "object", "name": "Barrel", "object_type": "special", "object_size": "ultra_light"},
            {"type": "battlefield_condition", "name": "Fog"},
            {"type": "id_card", "name": "Card", "point_values": [5]},
            {"type": "bystander", "name": "Cat", "point_values": []},
            {"type": "spaceship", "name": "Whale"},
        ]
        records = read_file(
            json.dumps([{"set_id": "x1", "collector_number": "1", **kind} for kind in kinds]).encode()
        ).records
        assert isinstance(records[0], PassedOver)
        assert [record.section for record in records[1:6]] == [
            "other",
            "objects",
            "battlefield_conditions",
            "other",
            "characters",
        ]
        assert (records[2].facts["kind"], records[2].facts["special"]) == ("ultra-light", True)
        assert records[4].facts["kind"] == "id-card"
        assert (records[5].facts["kind"], records[5].facts["points"]) == ("bystander", 0)
        assert records[0].kind == "map"
        [(where, message)] = records[6].faults
        assert where == "/6/type"
        assert "spaceship" in message

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("[{]", "line 1, column 3"),
            ('"text"', "list of units"),
            ("[" * 100_000, "nested at most 20 levels deep"),
            ("[1" + "0" * 5000 + "]", "too large"),
            ('[{"type": "feat", "name": "\\ud800"}]', "aren't valid text"),
            ('[{"type": "feat", "name": "a\\u0000"}]', "aren't valid text"),
            ('[{"type": "feat", "name": "a", "name": "b"}]', "is given twice"),
            ('[{"points": NaN}]', "NaN isn't a JSON number"),
            ('[{"points": 1e999}]', "too large"),
        ],
    )
    def test_files_that_cannot_be_read(self, text, says):
        try:
            (fault,) = read_file(text.encode(), "hcunits").records
            said = fault.faults[0][1]
        except Unreadable as bad:
            said = str(bad)
        assert any(part in said for part in says.split("|")), said

    def test_a_click_twice(self):
        unit = {**UNIT, "dial": [UNIT["dial"][0], UNIT["dial"][0]]}
        (fault,) = read_file(json.dumps([unit]).encode()).records
        assert fault.faults == (("/0/dial/1/click_number", "Click 1 appears twice."),)

    def test_every_fault_of_a_unit_with_its_pointer(self):
        dial = [{**UNIT["dial"][0], "speed_value": ""}, {**UNIT["dial"][1], "damage_value": "?"}]
        unit = {**UNIT, "dial": dial, "point_values": [10, "x"], "targets": []}
        (fault,) = read_file(json.dumps({"results": [unit]}).encode()).records
        assert isinstance(fault, LeftOut)
        assert [where for where, _message in fault.faults] == [
            "/results/0/point_values/1",
            "/results/0/dial/0/speed_value",
            "/results/0/dial/1/damage_value",
            "/results/0/targets",
        ]

    @pytest.mark.parametrize("key", ["units", "results", "unit_list"])
    def test_an_object_may_hold_the_list(self, key):
        (record,) = read_file(json.dumps({"count": 1, key: [UNIT]}).encode()).records
        assert record.where == f"/{key}/0"
        (record,) = read_file(json.dumps(UNIT).encode()).records
        assert record.where == ""

    @pytest.mark.parametrize("value", [{"updates": [{"name": "Ada"}]}, [1, "x"], [], {"name": "a-package"}])
    def test_a_file_without_units_holds_nothing(self, value):
        with pytest.raises(NoElements):
            read_file(json.dumps(value).encode())
        with pytest.raises(NoElements):
            read_file(b'{"updates": {"a": 1, "a": 2}}')

    def test_what_later_sets_have(self):
        power = {"type": "title_trait", "name": "CREW", "powers": ["stop"], "plot_points": -2}
        costed = {"type": "costed_trait", "name": "FRIEND", "point_value": 5}
        rally = {"type": "rally_trait", "name": "RALLY", "rally_type": "friendly", "rally_die": 2}
        unit = {
            **UNIT, "properties": ["title", "team_up", "["], "special_powers": [power, costed, rally],
            "horde_stack_max": "4", "passengers": 2, "bystander_type": "horde", "type": "bystander",
        }  # fmt: skip
        _record, facts = only(read_file(json.dumps([unit]).encode()))
        assert (facts["kind"], facts["horde_stack"], facts["passengers"]) == ("horde", 4, 2)
        assert facts["properties"] == ["title", "team up"]
        assert facts["special_powers"] == [
            {"slot": "trait", "name": "CREW", "sort": "title trait", "stop": True, "plot_points": "-2"},
            {"slot": "trait", "name": "FRIEND", "sort": "costed trait", "points": 5},
            {"slot": "trait", "name": "RALLY", "sort": "rally trait", "rally": {"of": "friendly", "die": 2}},
        ]
        relic = {
            "type": "object", "name": "Gem", "set_id": "x1", "object_type": "relic", "object_size": "immobile",
            "relic_roll_min": "5", "object_keyphrases": ["indestructible"],
        }  # fmt: skip
        _record, facts = only(read_file(json.dumps([relic]).encode()))
        assert (facts["special"], facts["relic_roll"], facts["properties"]) == (True, 5, ["indestructible"])

    @pytest.mark.parametrize("kind", OTHER_KINDS)
    def test_every_kind_of_other_element(self, kind):
        unit = {"type": kind.replace("-", "_"), "name": "X", "set_id": "x1", "point_values": [3]}
        record, facts = only(read_file(json.dumps([unit]).encode()))
        assert (record.section, facts["kind"], facts["points"]) == ("other", kind, 3)


class TestCards:
    def test_what_a_card_says(self):
        reading = read_file(CARDS.encode())
        record, facts = only(reading)
        assert (record.where, record.set_code, record.set_name) == ("line 4", "ns", "Night Shift")
        assert (facts["number"], facts["rank"], facts["rarity"]) == ("007", "prime", "ultra-chase")
        assert (facts["points"], facts["starts"]) == (80, {"80": 1, "50": 2})
        assert facts["dial"][0]["powers"] == {"speed": "Blades/Claws/Fangs", "damage": "LAST WORD"}
        assert len(facts["dial"]) == 2
        assert facts["symbols"] == {
            "speed": "boot",
            "attack": "sharpshooter",
            "defense": "indomitable",
            "damage": "standard",
        }
        assert dict(reading.unknown) == {"Favourite Tea": 1}

    @pytest.mark.parametrize(
        "declared",
        [
            '<!DOCTYPE set [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
            '<!DOCTYPE set [<!ENTITY file SYSTEM "file:///etc/hostname">]>',
            '<!DOCTYPE set SYSTEM "http://127.0.0.1:9/evil.dtd">',
        ],
    )
    def test_entities_are_refused_unread(self, declared):
        with pytest.raises(UnreadableFile, match=r"line 1: The file declares a document type"):
            read_file(f'{declared}<set name="x"><cards><card name="&b;"/></cards></set>'.encode(), "octgn")

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("<set><cards>", "valid XML"),
            ("<a>" * 50, "nested too deeply"),
            ("", "empty"),
        ],
    )
    def test_files_that_cannot_be_read(self, text, says):
        with pytest.raises(UnreadableFile, match=says):
            read_file(text.encode(), "octgn")


@every_row(
    ("kind", "section", "facts"),
    [
        ("Legacy Card", "characters", {"kind": "character", "properties": ["legacy"]}),
        ("Alternate Card", "characters", {"kind": "character", "properties": ["team up"]}),
        ("Terrain Marker", "other", {"kind": "terrain-marker"}),
        ("Trick Arrow Card", "other", {"kind": "trick-arrow"}),
        ("One Shot", "other", {"kind": "one-shot"}),
    ],
)
def test_kinds_of_cards(kind, section, facts):
    card = CARDS.replace('value="Character"', f'value="{kind}"').replace('value="Prime"', 'value=""')
    record, read = only(read_file(card.encode()))
    assert record.section == section
    assert {key: read.get(key) for key in facts} == facts


@every_row("kind", ["Special Dial", "Line of Sight Card", "Powers and Abilities Card", "Dice", "PAC"])
def test_cards_that_are_no_element_are_passed_over(kind):
    (record,) = read_file(CARDS.replace('value="Character"', f'value="{kind}"').encode()).records
    assert isinstance(record, PassedOver)


@every_row(
    ("text", "says"),
    [
        ("<html/>", "must contain a <set>"),
        (
            '<set name="Tea"><card name="Cup"><property name="Rarity" value="Common"/><property name="Style" value="x"/>'
            '<alternate><property name="Icons" value="2"/></alternate></card></set>',
            "contains no HeroClix figures",
        ),
    ],
)
def test_an_xml_file_of_something_else_holds_nothing(text, says):
    with pytest.raises(NoElements, match=says):
        read_file(text.encode(), "octgn")


@every_row("column", ["Number", "No.", "#", "collector number", "NUMBER"])
@every_row("rank", ["Rookie", "rookie", "ROOKIE"])
def test_what_people_call_a_column_and_a_rank(column, rank):
    _record, facts = only(read_file(f"name,set,{column},rank,rarity\nAda,x1,007,{rank},Super Rare\n".encode()))
    assert (facts["number"], facts["rank"], facts["rarity"]) == ("007", "rookie", "super-rare")


def test_every_fault_of_a_line():
    (fault,) = read_file(b"name,set,points,promotional,speed\nAda,x1,many,perhaps,8\n").records
    assert [message.partition(":")[0] for _where, message in fault.faults] == ["points", "promotional", "dial"]
    (fault,) = read_file(b"name,set,base,street_date\nAda,x1,huge,soon\n").records
    assert [message.partition(":")[0] for _where, message in fault.faults] == ["street_date", "base"]


def test_a_layout_is_found_out():
    assert layout_of(b"\xef\xbb\xbf  [1]") == "hcunits"
    assert layout_of(b"\n<set/>") == "octgn"
    assert layout_of(b"name,set") == "csv"
    with pytest.raises(UnreadableFile, match="doesn't exist"):
        read_file(b"x", "excel")


def test_files_that_are_too_large_are_not_read():
    for layout in LAYOUTS:
        with pytest.raises(TooLarge, match=r"at most 40.MB\. Split the file"):
            read_file(b"a" * (LARGEST_FILE + 1), layout)


def told(content, layout):
    """Read any file: every record gets one of three outcomes, and every error has a sentence."""
    try:
        reading = read_file(content, layout)
    except Unreadable as bad:
        return bool(str(bad))
    return all(
        isinstance(record, ElementRecord | PassedOver) or all(message for _where, message in record.faults)
        for record in reading.records
    )


@examples(150)
@given(st.binary(max_size=400), st.sampled_from(["", *LAYOUTS]))
@example(b"\xff\xfe\x00\xd8", "csv")
@example(b"<?xml version='1.0' encoding='klingon'?><set/>", "octgn")
@example(b"<?xml version='1.0' encoding='utf-7'?><set/>", "octgn")
@example(b"name\n\r\r\n\x0b,", "csv")
def test_any_bytes_are_read_or_refused(content, layout):
    assert told(content, layout)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*UNIT, *UNIT["dial"][0]]), inner, max_size=4)
    ),
    max_leaves=12,
)


UNITS = st.fixed_dictionaries(
    {"name": st.just("Ada"), "type": st.just("character")},
    optional=dict.fromkeys(UNIT.keys() - {"name", "type"}, JSON),
)


@examples(150)
@given(st.lists(UNITS, max_size=2))
def test_any_unit_is_read_or_reported(units):
    assert told(json.dumps(units).encode(), "hcunits")


@examples(150)
@given(st.lists(st.lists(st.text(alphabet="ab1 |/:-,;\"'\n\tä✓", max_size=12), min_size=4, max_size=6), max_size=4))
def test_any_cells_are_read_or_reported(rows):
    sheet = "name,set,points,speed,attack,defense,damage\n" + "\n".join(",".join(row) for row in rows)
    assert told(sheet.encode(), "csv")


@pytest.mark.skipif(not SHARED.is_dir(), reason="no shared catalogue samples beside this checkout")
def test_the_shared_samples_are_read_without_a_fault():
    files = [*SHARED.glob("*/*.json"), *SHARED.glob("*/*.xml")]
    assert files
    for path in files:
        reading = read_file(path.read_bytes())
        for record in reading.records:
            assert not isinstance(record, LeftOut), (path.name, record)
            if isinstance(record, ElementRecord):
                assert read_facts(record.section, dict(record.facts))
        assert not reading.unknown, (path.name, reading.unknown)


def test_a_name_too_long_for_a_base_is_reported():
    facts = {"name": "Ada", "number": "1" * 21}
    with pytest.raises(BadFacts, match="number: This can have at most 20 characters"):
        read_facts("characters", facts)


def test_small_words_of_a_team_are_small():
    team = '<property name="Team Abilities" value="Brotherhood Of Mutants" />'
    cards = CARDS.replace('<property name="Keywords"', f'{team}<property name="Keywords"')
    _record, facts = only(read_file(cards.encode()))
    assert facts["teams"] == ["Brotherhood of Mutants"]
