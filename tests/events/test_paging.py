"""Long lists paged by keys: each row once, in order, forwards and backwards, even while rows are added."""

import datetime
import html
import re

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from events.models import Entry, Event, Person, Venue
from events.names import name_key
from tests.factories import EventFactory, PersonFactory, VenueFactory

pytestmark = pytest.mark.django_db
NAMES = re.compile(r"Clash \d+")


def link(page: str, rel: str) -> str | None:
    found = re.search(rf'rel="{rel}" href="([^"]+)"', page)
    return html.unescape(found[1]) if found else None


def walk(client, address: str, rel: str = "next") -> tuple[list[list[str]], str]:
    """Return the names on each page from an address on, and the address of the last page."""
    path, pages = address.split("?", maxsplit=1)[0], []
    while True:
        page = client.get(address).content.decode()
        pages.append(list(dict.fromkeys(NAMES.findall(page))))
        following = link(page, rel)
        if following is None:
            return pages, address
        address = f"{path}{following}"


@pytest.fixture
def season(db):
    """A hundred and thirty events; every ten of them begin at the same moment."""
    venue = VenueFactory()
    now = timezone.now().replace(microsecond=123456)
    return [
        EventFactory(
            venue=venue,
            name=f"Clash {number}",
            starts=now + datetime.timedelta(days=number // 10),
            state=Event.State.OPEN,
            build_total=100 * (number % 7 + 1),
        )
        for number in range(130)
    ]


@pytest.mark.parametrize(
    ("query", "order"),
    [
        ("?when=coming", lambda event: (event.starts, event.pk)),
        ("?when=all", lambda event: (-event.starts.timestamp(), -event.pk)),
        ("?when=coming&sort=name", lambda event: (event.name, event.pk)),
        ("?when=coming&sort=-build_total", lambda event: (-event.build_total, -event.pk)),
    ],
)
def test_every_event_comes_once_and_in_order_there_and_back(client, season, query, order):
    pages, last = walk(client, f"/events/{query}")
    assert [name for page in pages for name in page] == [event.name for event in sorted(season, key=order)]
    assert [len(page) for page in pages] == [50, 50, 30]
    back, first = walk(client, last, "prev")
    assert back == [pages[2], pages[1], pages[0]]
    assert link(client.get(first).content.decode(), "prev") is None


def test_names_with_accents_are_paged_in_order(staff):
    names = sorted(
        (f"{letter}{number:02d}" for letter in ("e", "É", "ë", "Ł", "m", "Z") for number in range(20)), key=name_key
    )
    Person.objects.bulk_create(
        Person(name=name, email=f"{n}@example.org", password="!") for n, name in enumerate(names)
    )
    found, address = [], "/office/people/?sort=name"
    while address:
        page = staff.client("office").get(address)
        found += [row.record.name for row in page.context["table"].page.object_list if row.record.name in set(names)]
        address = (following := link(page.text, "next")) and f"/office/people/{following}"
    assert [name_key(name) for name in found] == [name_key(name) for name in names]
    assert sorted(found) == sorted(names)


def test_sorting_names_uses_the_index(db):
    plan = Person.objects.order_by("name", "pk")[:50].explain()
    assert connection.vendor != "sqlite" or "people_by_name" in plan


def test_new_entries_push_no_one_onto_another_page(client, season):
    first = client.get("/events/?when=coming").content.decode()
    EventFactory(venue=season[0].venue, name="Clash 999", starts=season[0].starts, state=Event.State.OPEN)
    season[0].delete()
    second = client.get("/events/" + link(first, "next")).content.decode()
    assert NAMES.findall(second)[0] == "Clash 50"


@pytest.mark.parametrize("mark", ["a", "aW10", "b!!!", "a" + "x" * 900, "7", "aWyIyMDI2Il0", "aW251bGwsbnVsbF0", "-1"])
def test_a_mark_that_leads_nowhere_shows_the_first_page(client, season, mark):
    page = client.get("/events/", {"when": "coming", "page": mark})
    assert page.status_code == 200
    assert NAMES.findall(page.content.decode())[0] == "Clash 0"


def test_beyond_the_last_row_is_the_first_page(client, season):
    second = link(client.get("/events/?when=coming").content.decode(), "next")
    Event.objects.exclude(pk=season[0].pk).delete()
    assert NAMES.findall(client.get("/events/" + second).content.decode())[0] == "Clash 0"


def test_pages_cost_the_same_however_far_down(client, season, django_assert_max_num_queries):
    _pages, last = walk(client, "/events/?when=coming")
    with django_assert_max_num_queries(3):
        client.get(last)


def test_the_office_finds_players_who_have_no_account(staff):
    Entry.objects.create(event=staff.event, number=91, name="Nora Nobody", state=Entry.State.CHECKED_IN)
    Entry.objects.create(
        event=staff.event, number=92, name="Nora Known", person=PersonFactory(), state=Entry.State.CHECKED_IN
    )
    office = staff.client("office")
    both = office.get("/office/players/?q=nora").content.decode()
    assert both.index("Nora Known") < both.index("Nora Nobody")
    assert "Nora Known" not in office.get("/office/players/?q=nora&has_account=false").content.decode()
    assert staff.client("judge").get("/office/players/").status_code == 403


def test_an_order_that_may_be_empty_is_paged_by_number(staff):
    Person.objects.bulk_create(
        Person(name=f"Somebody {number:03d}", email=f"{number}@example.org", password="!") for number in range(60)
    )
    page = staff.client("office").get("/office/people/?sort=suspension").content.decode()
    assert "page=2" in link(page, "next")


def test_a_season_to_try_lists_on(capsys):
    call_command("fill_season", events=30, entries=90)
    assert (Event.objects.count(), Entry.objects.count()) == (30, 90)
    assert Entry.objects.filter(event=Event.objects.first()).count() == 3
    assert Venue.objects.filter(state=Venue.State.APPROVED).exists()
    assert "The season is ready" in capsys.readouterr().out
    with pytest.raises(CommandError, match="--force"):
        call_command("fill_season", events=30, entries=90)
    assert Event.objects.count() == 30


def plan(client, address: str) -> str:
    """Return PostgreSQL's plan for a page of a list, with sequential scans discouraged."""
    shown: list[str] = []

    def look(execute, sql, params, many, context):
        if re.search(r"LIMIT (51|26|1001)$", sql):
            with connection.connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN {sql}", params)
                shown.append("\n".join(line[0] for line in cursor.fetchall()))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        client.get(address)
    return "\n".join(shown)


PLANS = {
    "/events/": "events_to_come",
    "/events/?when=all": "events_by_date",
    "/events/?when=all&sort=name": "events_by_name",
    "/venues/": "venues_by_name",
    "/office/people/": "people_by_name",
    "/office/players/": "entries_by_name",
    "/office/players/?q=kowalski+0004": "entry_name_parts",
    "/office/people/?q=kowalski": "person_",
}


def test_lists_are_read_by_their_indexes(staff):
    if connection.vendor != "postgresql":
        pytest.skip("plans are read on PostgreSQL; this run is on SQLite")
    call_command("fill_season", events=300, entries=3000, force=True, verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT gin_clean_pending_list('entry_name_parts')")
    office = staff.client("office")
    for address, index in PLANS.items():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute(f"SET LOCAL enable_indexscan = {'off' if '?q=' in address else 'on'}")
            cursor.execute(f"SET LOCAL enable_sort = {'on' if '?q=' in address else 'off'}")
        how = plan(office, address)
        assert index in how, f"{address}\n{how}"


def test_a_part_of_a_name_that_too_many_share_says_so(staff, monkeypatch):
    monkeypatch.setattr("events.tables.people.MAX_FOUND", 3)
    Entry.objects.bulk_create(
        Entry(event=staff.event, number=90 + n, name=f"Nora {n}", state=Entry.State.CHECKED_IN) for n in range(4)
    )
    office = staff.client("office")
    page = office.get("/office/players/?q=nora").content.decode()
    assert len(set(re.findall(r"Nora \d", page))) == 3
    assert "Keep typing to narrow the list" in page
    assert "Keep typing to narrow the list" not in office.get("/office/players/?q=nora+2").content.decode()
