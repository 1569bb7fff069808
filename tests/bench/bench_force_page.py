"""The force builder's server time: one change of a force of ten figures, request to answer (goal: 20 ms)."""

import pytest

from rules.models import Element
from tests.conftest import client_of
from tests.events.force_catalogue import small_catalogue
from tests.factories import EntryFactory, EventFactory, PersonFactory


@pytest.mark.django_db
@pytest.mark.parametrize("edition", ["car-2002", "core-2014"])
def test_a_change_of_the_builder(benchmark, edition):
    small_catalogue()
    event = EventFactory(edition=edition, build_total=500)
    entry = EntryFactory(event=event, person=PersonFactory())
    client = client_of(entry.person)
    address = f"/events/{event.public_id}/entries/{entry.number}/force/change/"
    codes = [
        Element.objects.get(name=name).code
        for name in ("Night Heron", "Bramble", "Tom Fenwick", "Lamplighter", "Ada Fenwick")
    ]

    def change(**posted):
        return client.post(address, posted, headers={"HX-Request": "true"})

    for code in codes * 2:
        change(act="add", code=code)
    described = iter(range(1_000_000))
    answer = benchmark(lambda: change(act="describe", name=f"Force {next(described)}"))
    assert answer.status_code == 200
    assert answer.content.decode().count('class="card element') == 10
