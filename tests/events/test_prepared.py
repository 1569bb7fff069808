"""Prepared queries return what Django's own would, and build their SQL once."""

import pytest
from django.db.models import F, Q
from django.db.models.expressions import Col
from django.db.models.functions import Length

from events.models import Entry, Match, Round
from events.prepared import LARGEST, Prepared, asked
from tests.events.match_pages import play
from tests.factories import EventFactory

pytestmark = pytest.mark.django_db

MATCHES = Prepared(
    lambda: Match.objects.filter(Q(a=asked("entry")) | Q(b=asked("entry"))).with_round().order_by("round__number")
)
STATES = Prepared(
    lambda: Entry.objects.filter(event=asked("event"), number=asked("number")).values_list("name", "state")
)


@pytest.fixture
def event():
    made = EventFactory()
    play(made, 9, 2)
    return made


def test_rows_come_with_their_joined_rows_and_without_deferred_columns(event, django_assert_num_queries):
    entry = Entry.objects.get(event=event, number=9)
    plain = Match.objects.filter(Q(a=entry) | Q(b=entry)).order_by("round__number")
    with django_assert_num_queries(1):
        found = MATCHES(entry=entry.pk)
        assert [(one.round.number, one.a.name, one.b and one.b.name, one.result) for one in found]
    assert found == list(plain)
    assert [one.result for one in found] == [one.result for one in plain]
    assert found[0].round.get_deferred_fields() == {"tournament", "pairing_report"}
    assert found[0].round.started_at == Round.objects.get(pk=found[0].round_id).started_at


def test_values_come_as_lists_and_a_missing_row_is_none(event):
    assert STATES(event=event.pk, number=3) == [("Player 003", "checked-in")]
    assert STATES.first(event=event.pk, number=10) is None


def test_the_sql_is_built_once(event, monkeypatch):
    STATES(event=event.pk, number=1)
    monkeypatch.setattr(STATES, "rows", None)
    assert STATES(event=event.pk, number=2)


@pytest.mark.parametrize("number", [LARGEST + 1, -LARGEST - 2])
def test_a_number_that_no_column_holds_finds_nothing(event, client, number):
    assert STATES(event=event.pk, number=number) == []
    assert client.get(f"/events/{event.public_id}/rounds/{abs(number)}/").status_code == 404


def test_equal_columns_have_equal_hashes_and_a_column_in_the_answer_is_found_by_its_expression():
    name, other = (Entry._meta.get_field(one) for one in ("name", "number"))
    assert Col("T3", name) == Col("T3", name) != Col("T4", name) != Col("T4", other)
    assert hash(Col("T3", name)) == hash(Col("T3", name)) != hash(Col("T4", name))
    rows = Entry.objects.values("name", size=Length("name")).order_by(Length("name"), F("name").desc())
    assert str(rows.query).endswith("ORDER BY 2 ASC, 1 DESC")
