"""Texts of cards: read from the three layouts, kept and changed by imports, bounded, plain, and never shipped."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.card_texts import MAX_TEXTS, card_text, gathered, read, text_differences, written
from rules.importers.layouts import read_file
from rules.importers.records import ElementRecord, LeftOut
from rules.importers.shipped import shipped_sets
from rules.models import CardTexts, CatalogueChange, Correction, Element
from rules.services.imports import apply_import, outcomes
from tests.examples import examples

from .test_imports import DAY, applied, planned

WORD = {"slot": "damage", "name": "LAST WORD", "sort": "", "text": "Ada can use Outwit.\nOnce per game, twice."}
RALLY = {"slot": "trait", "name": "Rally", "sort": "rally trait", "text": "Remove a die."}
FEAT = {"slot": "", "name": "", "sort": "", "text": "The character ignores hindering terrain."}
UNIT = {
    "set_id": "x1", "collector_number": "001", "name": "Ada", "type": "character", "point_values": [40],
    "special_powers": [
        {"type": "damage", "name": "LAST WORD", "description": " Ada can use Outwit.\r\nOnce per game,  twice."},
        {"type": "rally_trait", "name": "Rally", "description": "Remove a die.", "rally_type": "attack"},
        {"type": "trait", "name": "Silent", "description": ""},
    ],
}  # fmt: skip
CARD = """<set name="X" id="1"><cards><card id="a" name="Ada"><property name="Unit ID" value="x1001"/>
<property name="Collector Number" value="001"/><property name="Unit Type" value="{kind}"/>
<property name="Traits and Special Powers" value="{text}"/></card></cards></set>"""


def units(*texts, **more):
    return json.dumps([{**UNIT, "special_powers": list(texts) or UNIT["special_powers"], **more}])


def texts_in(content):
    (record,) = read_file(content.encode()).records
    assert isinstance(record, ElementRecord), record
    return record.texts


def kept(code="x1/001"):
    return CardTexts.objects.get(element__code=code).texts


class TestLayouts:
    def test_units(self):
        assert texts_in(units()) == [WORD, RALLY]

    def test_the_text_of_a_feat_has_no_slot(self):
        feat = {"type": None, "name": None, "description": FEAT["text"]}
        assert texts_in(units(feat, type="feat")) == [FEAT]

    def test_cards(self):
        said = "[Damage] LAST WORD&#10;Ada can use Outwit.&#10;Once per game, twice.&#10;&#10;[Trait] Quiet&#10;Hush."
        assert texts_in(CARD.format(kind="Character", text=said)) == [
            WORD,
            {"slot": "trait", "name": "Quiet", "sort": "", "text": "Hush."},
        ]

    def test_the_text_of_a_card_keeps_its_parts(self):
        said = "EFFECT&#10;[d:1]-[d:3]: Nothing.&#10;&#10;SUSPECT (4)&#10;More."
        (text,) = texts_in(CARD.format(kind="Equipment", text=said))
        assert (text["slot"], text["name"]) == ("", "")
        assert text["text"] == "EFFECT\n[d:1]-[d:3]: Nothing.\n\nSUSPECT (4)\nMore."

    def test_a_column_of_a_spreadsheet(self):
        sheet = 'set,number,name,card_text\nx1,001,Ada,"{}"\n'
        assert texts_in(sheet.format(written([WORD, RALLY]))) == [WORD, RALLY]
        assert texts_in(sheet.format(FEAT["text"])) == [FEAT]

    @pytest.mark.parametrize(
        ("entry", "says"),
        [
            ({"description": 7}, "This must be text, not 7."),
            ({"description": "x" * 90_000}, "This can have at most 5,000 characters."),
            ({"description": "x" * 5001}, "This can have at most 5,000 characters."),
            ({"name": "x" * 200, "description": "x"}, "This can have at most 160 characters."),
        ],
    )
    def test_what_cannot_be_kept_is_named_with_its_place(self, entry, says):
        (record,) = read_file(units(entry, type="object").encode()).records
        assert isinstance(record, LeftOut)
        assert record.faults == (("/0/special_powers/0/description", says),)

    def test_too_many_and_too_long_together(self):
        def some(number, length):
            return [{"type": "trait", "name": f"T{one}", "description": "x" * length} for one in range(number)]

        (record,) = read_file(units(*some(MAX_TEXTS + 1, 3)).encode()).records
        assert record.faults == (("/0/card_text", f"A card can have at most {MAX_TEXTS} separate texts."),)
        (record,) = read_file(units(*some(7, 4900)).encode()).records
        assert record.faults == (("/0/card_text", "This can have at most 30,000 characters."),)
        assert len(texts_in(units(*some(MAX_TEXTS, 600)))) == MAX_TEXTS

    def test_a_fault_of_a_power_is_named_once(self):
        (record,) = read_file(units({"type": "trait", "name": 5}).encode()).records
        assert record.faults == (("/0/special_powers/0/name", "This must be text, not 5."),)

    def test_characters_that_turn_or_control_text_are_left_out(self):
        said = "\u202eevil\u202c \u2067<script>\x07\x1b[31m\u2069 \U0001f600 \u05e9\u05dc\u05d5\u05dd"
        (text,) = texts_in(units({"type": "trait", "name": "A\u202eB", "description": said}))
        assert (text["name"], text["text"]) == ("AB", "evil <script>[31m \U0001f600 \u05e9\u05dc\u05d5\u05dd")

    def test_headings_of_one_name_become_one(self):
        same = {"type": "trait", "name": "Same"}
        (text,) = texts_in(
            units({**same, "description": "One."}, {**same, "description": "Two."}, {**same, "description": "One."})
        )
        assert text["text"] == "One.\n\nTwo."


SAID = st.text(st.sampled_from("ab \\[]:\n\t=é\u202e\u05e9") | st.characters(), max_size=40)
LINES = st.lists(SAID | st.sampled_from(["[Trait] X", "\\[Speed]", "[card: x] y", "\\\\[Damage] z"]), max_size=4)
TEXTS = st.tuples(st.sampled_from(["speed", "attack", "trait", ""]), SAID, SAID, LINES)


@examples(300)
@given(st.lists(TEXTS, max_size=5))
def test_what_is_written_in_a_cell_is_read_again(given):
    texts = gathered(card_text(slot, name, "\n".join(lines), "", sort=sort) for slot, name, sort, lines in given)
    assert read(written(texts)) == texts
    assert not text_differences(texts, read(written(texts)))


@examples(200)
@given(st.text())
def test_any_cell_gives_texts_that_stay_the_same(cell):
    texts = read(cell)
    assert read(written(texts)) == texts


def test_nothing_is_shipped():
    assert not any(element.texts for shipped in shipped_sets() for element in shipped.elements)


@pytest.mark.django_db
class TestImports:
    def test_kept_beside_the_facts(self):
        applied(units())
        element = Element.objects.get()
        assert kept() == [WORD, RALLY]
        assert "Outwit" not in json.dumps([element.printed, element.facts_on(DAY).document])
        assert "Outwit" not in json.dumps(CatalogueChange.objects.get(verb="apply-import").changes)

    def test_again_they_are_unchanged(self):
        applied(units())
        assert outcomes(planned(units())) == {"unchanged": 1}

    def test_a_changed_text_is_named_applied_and_logged(self):
        applied(units())
        changed = {"type": "damage", "name": "LAST WORD", "description": "Ada can use Perplex."}
        row = planned(units(changed, *UNIT["special_powers"][1:]))
        (line,) = row.lines.all()
        assert line.outcome == "changed"
        assert line.differences == [
            {
                "fact": "card_text",
                "before": "[Damage] LAST WORD\nAda can use Outwit.\nOnce per game, twice.",
                "after": "[Damage] LAST WORD\nAda can use Perplex.",
            }
        ]
        apply_import(planned=row)
        assert [text["text"] for text in kept()] == ["Ada can use Perplex.", "Remove a die."]
        log = CatalogueChange.objects.filter(verb="apply-import").first()
        assert log.changes == [{"element": "x1/001", "differences": line.differences}]
        assert not Correction.objects.exists()

    def test_a_file_without_texts_leaves_them(self):
        applied(units())
        applied("set,number,name,points\nx1,001,Ada,45\n")
        assert kept() == [WORD, RALLY]
        assert Correction.objects.get().changes == {"points": 45}

    def test_facts_and_texts_at_once(self):
        applied("set,number,name,points\nx1,001,Ada,45\n")
        loaded = applied(units())
        assert {each["fact"] for each in loaded.changed["x1/001"]} >= {"points", "card_text"}
        assert "card_text" not in Correction.objects.get().changes
        assert kept() == [WORD, RALLY]

    def test_too_much_is_left_out_with_the_rest_imported(self):
        sound = {**UNIT, "collector_number": "002"}
        long = {**UNIT, "special_powers": [{"type": "trait", "name": "T", "description": "x" * 90_000}]}
        row = planned(json.dumps([long, sound]))
        assert outcomes(row) == {"left-out": 1, "added": 1}
        assert row.lines.get(outcome="left-out").faults[0][1] == "This can have at most 5,000 characters."
