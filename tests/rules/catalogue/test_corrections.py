"""A correction counts from its day; earlier dates keep the old value."""

import datetime

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from rules.documents import BadFacts, corrected, differences, read_facts
from rules.models import CatalogueChange, Element
from rules.queries import search_elements
from rules.services.catalogue import (
    NewElement,
    StaleElement,
    catalogue_elements,
    correct_element,
    record_set,
    withdraw_correction,
)

DAY = datetime.date(2010, 6, 1)


@pytest.fixture
def figure(db):
    record_set(code="one", name="Set One", street_date=datetime.date(2010, 1, 1))
    dial = [
        {"speed": 8, "attack": 9, "defense": 15, "damage": 2, "powers": {"damage": "Shape Change"}},
        {"speed": 7, "attack": 8, "defense": 14, "damage": 1},
    ]
    facts = {"name": "Ada", "number": "001", "points": 40, "teams": ["Guild"], "dial": dial}
    catalogue_elements(elements=[NewElement("one", "characters", facts)])
    return Element.objects.get(code="one/001")


def on(figure, day):
    return figure.facts_on(day).document


def test_it_counts_from_its_day(figure):
    correct_element(element=figure, from_date=DAY, changes={"points": 45, "replace_powers": {"Shape Change": "Outwit"}})
    before, after = on(figure, DAY - datetime.timedelta(days=1)), on(figure, DAY)
    assert (before["points"], after["points"]) == (40, 45)
    assert before["dial"][0]["powers"] == {"damage": "Shape Change"}
    assert after["dial"][0]["powers"] == {"damage": "Outwit"}
    assert after["dial"][1] == before["dial"][1]
    assert figure.printed["points"] == 40


def test_searches_ask_the_facts_of_their_day(figure):
    correct_element(element=figure, from_date=DAY, changes={"replace_powers": {"Shape Change": "Outwit"}, "points": 90})
    earlier = DAY - datetime.timedelta(days=1)
    assert search_elements(power="Outwit", date=DAY).count() == 1
    assert search_elements(power="Outwit", date=earlier).count() == 0
    assert search_elements(power="shape change", date=earlier).count() == 1
    assert search_elements(points_from=80, date=earlier).count() == 0
    assert search_elements(points_from=80, date=datetime.date.max).count() == 1
    assert search_elements(date=datetime.date.min).count() == 1


def test_an_earlier_correction_recorded_later_takes_its_place(figure):
    correct_element(element=figure, from_date=DAY, changes={"points": 50})
    correct_element(element=figure, from_date=datetime.date(2010, 2, 1), changes={"points": 45, "teams": ["Watch"]})
    assert [on(figure, day)["points"] for day in (datetime.date(2010, 1, 5), datetime.date(2010, 3, 1), DAY)] == [
        40,
        45,
        50,
    ]
    assert on(figure, DAY)["teams"] == ["Watch"]


def test_withdrawing_brings_back_what_was(figure):
    row = correct_element(element=figure, from_date=DAY, changes={"points": 50})
    withdraw_correction(correction=row, by="Otto")
    assert on(figure, DAY)["points"] == 40
    row.refresh_from_db()
    assert row.withdrawn is not None
    withdraw_correction(correction=row)
    assert CatalogueChange.objects.filter(verb="withdraw-correction").count() == 1


def test_every_write_leaves_its_line(figure):
    correct_element(element=figure, from_date=DAY, changes={"points": 50}, by="Otto Office")
    line = CatalogueChange.objects.get(verb="correct-element")
    assert line.by == "Otto Office"
    assert line.changes == [{"element": "one/001", "differences": [{"fact": "points", "before": 40, "after": 50}]}]


def test_the_log_is_worded_in_the_readers_language(figure):
    row = correct_element(element=figure, from_date=DAY, changes={"points": 50})
    catalogue_elements(elements=[NewElement("one", "characters", {**figure.printed, "range": 6})])
    record_set(code="one", name="One renamed")
    withdraw_correction(correction=row)
    in_english = [str(line) for line in CatalogueChange.objects.order_by("pk")]
    assert in_english == [
        "Set Set One added",
        "1 added, 0 changed, 0 unchanged",
        "Ada (Set One 001) corrected with effect from 1 June 2010",
        "0 added, 1 changed, 0 unchanged",
        "Set One renamed changed",
        "Correction of Ada (One renamed 001) (with effect from 1 June 2010) withdrawn",
    ]
    with translation.override("fr"):
        assert "1 juin 2010" in str(CatalogueChange.objects.get(verb="correct-element"))


def test_a_row_of_the_log_from_before_0_2_keeps_its_sentence(db):
    assert str(CatalogueChange.objects.create(verb="record-set", summary="Set Old added")) == "Set Old added"


def test_a_correction_that_changes_nothing_is_refused(figure):
    with pytest.raises(BadFacts, match="changes nothing"):
        correct_element(element=figure, from_date=DAY, changes={"points": 40})


def test_impossible_corrections_are_refused_and_nothing_is_written(figure):
    for changes in (
        {"points": -1},
        {"colour": "red"},
        {"name": None},
        {"replace_powers": {}},
        {"symbols.speed": "wheel"},
    ):
        with pytest.raises(BadFacts):
            correct_element(element=figure, from_date=DAY, changes=changes)
    assert not figure.corrections.exists()
    assert figure.facts.count() == 1


def test_a_stale_page_is_refused(figure):
    correct_element(element=figure, from_date=DAY, changes={"points": 50}, version=1)
    with pytest.raises(StaleElement):
        correct_element(element=figure, from_date=DAY, changes={"points": 60}, version=1)


def test_a_file_read_again_never_undoes_a_correction(figure):
    correct_element(element=figure, from_date=DAY, changes={"teams": ["Watch"]})
    facts = dict(figure.printed)
    loaded = catalogue_elements(elements=[NewElement("one", "characters", facts)])
    assert loaded.unchanged == ["one/001"]
    assert on(figure, DAY)["teams"] == ["Watch"]


def test_a_file_that_says_something_new_is_a_dated_change(figure):
    facts = {**figure.printed, "points": 44, "range": 6}
    loaded = catalogue_elements(elements=[NewElement("one", "characters", facts)], counts_from=DAY)
    assert {each["fact"] for each in loaded.changed["one/001"]} == {"points", "range"}
    assert on(figure, datetime.date(2010, 2, 1))["points"] == 40
    assert on(figure, DAY)["points"] == 44


def test_a_sets_street_date_reaches_its_elements(figure):
    record_set(code="one", street_date=datetime.date(2010, 5, 5))
    assert on(figure, DAY)["street_date"] == "2010-05-05"
    assert CatalogueChange.objects.filter(verb="record-set").count() == 2


FACTS = st.fixed_dictionaries(
    {"name": st.text(min_size=1).filter(str.strip)},
    optional={
        "points": st.integers(0, 10**6),
        "teams": st.lists(st.sampled_from(["A", "B", "C"]), unique=True),
        "range": st.integers(0, 20),
        "promotional": st.booleans(),
    },
)


@given(FACTS, FACTS)
def test_differences_are_exactly_what_a_correction_needs(before, after):
    try:
        before, after = read_facts("characters", before), read_facts("characters", after)
    except BadFacts:
        return
    changes = {each["fact"]: each["after"] for each in differences(before, after)}
    assert corrected("characters", before, changes) == after


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_any_json_gives_facts_or_a_clear_fault(value):
    for section in ("characters", "feats", "objects", "other", "nothing"):
        fault = ""
        try:
            facts = read_facts(section, value if isinstance(value, dict) else {"name": value})
        except BadFacts as bad:
            fault = bad.message
        else:
            fault = "none"
            assert read_facts(section, facts) == facts
        assert fault
