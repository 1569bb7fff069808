"""The prize draft of a series: who picks on which phone, what the display, files and the API show, and live updates."""

import csv
import io
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from events import series as pure
from events import stream
from events.door import Refused
from events.models import Entry, Match, SeriesDraft
from events.roles import SITE, Actor
from events.series_table import series_table
from events.services import results, series_draft
from events.services import series as services
from events.services.people import entry_link
from judging.keeping import snapshots
from tests import factories
from tests.conftest import client_of
from tests.events.simulation import result
from tests.events.test_series import finished

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager(staff):
    return staff.actor("manager")


@pytest.fixture
def league(staff, manager):
    return services.create_series(by=manager, venue=staff.event.venue, facts={"name": "Autumn League", "win_points": 1})


@pytest.fixture
def event(staff, league, manager):
    """Return the one event of the ended series: the player first in its table has an account, the others have links."""
    event = finished(staff.event.venue, 4)
    services.add_event(by=manager, series=league, event=event)
    first = series_table(league).prize_order[0]
    Entry.objects.filter(pk=first.entry).update(person=factories.PersonFactory())
    services.end_series(by=manager, series=league)
    return event


@pytest.fixture
def draft(league, event):
    found = series_draft.edit_prizes(by=SITE, series=league, prizes=["Map", "Map", "=1+1", "Booster", "Figure"])
    return series_draft.start(by=SITE, draft=found)


def address(league, name):
    return reverse(f"events:{name}", args=[league.public_id])


def phone_of(entry) -> Client:
    """Return the phone of an entry: signed in with its account, or opened with the link on its player card."""
    if entry.person is not None:
        return client_of(entry.person)
    client = Client()
    client.get(entry_link(entry), follow=True)
    return client


def pick(client, league, prize, **sent):
    return client.post(reverse("events:series-prizes-act", args=[league.public_id, "pick"]), {"prize": prize} | sent)


def turns(draft) -> list[str]:
    return [one["prize"] for one in SeriesDraft.objects.get(pk=draft.pk).turns]


def test_players_pick_on_their_phones_with_an_account_or_a_link_when_it_is_their_turn(league, event, draft):
    phones = [phone_of(Entry.objects.get(pk=key)) for key in draft.order]
    where, version = address(league, "series-prizes"), draft.version
    assert "Your turn: pick a prize" in phones[0].get(where).content.decode()
    assert "Your turn: pick a prize" in phones[0].get("/").content.decode()
    own = reverse("events:entry", args=[event.public_id, event.entries.get(pk=draft.order[1]).number])
    assert where in phones[1].get(own).content.decode()
    assert where not in Client().get(own).content.decode()
    waiting = phones[2].get(where).content.decode()
    assert "2 more picks, then it's your turn" in waiting.replace("&#x27;", "'")
    assert 'name="prize"' not in waiting
    for number in (1, 2, 3):
        assert "It isn't your turn" in pick(phones[number], league, "Map").content.decode().replace("&#x27;", "'")
    assert pick(phones[0], league, "Map", version=version).status_code == 302
    assert pick(phones[1], league, "Booster", version=version).status_code == 409
    assert pick(phones[1], league, "Penguin").status_code == 403
    pick(phones[1], league, "Booster")
    assert turns(draft) == ["Map", "Booster"]
    assert "You picked: <strong>Booster</strong>" in phones[1].get(where).content.decode()
    for act in ("start", "skip", "withdraw", "list"):
        answer = phones[2].post(reverse("events:series-prizes-act", args=[league.public_id, act]), {"prizes": "Mine"})
        assert answer.status_code == 403, act
    assert turns(draft) == ["Map", "Booster"]
    assert '<tr class="mine' in phones[1].get(address(league, "series")).content.decode().replace(' role="row"', "")
    assert 'class="mine' not in Client().get(address(league, "series")).content.decode()


def test_no_one_else_picks_for_the_player_whose_turn_it_is(staff, league, event, draft):
    whose = Entry.objects.get(pk=draft.order[0])
    elsewhere = factories.EntryFactory(event=factories.EventFactory(venue=event.venue), number=1, name=whose.name)
    namesake = factories.EntryFactory(event=elsewhere.event, number=2, person=factories.PersonFactory(name=whose.name))
    other_venue = factories.VenueManagerFactory()
    strangers = [
        Client(),
        phone_of(elsewhere),
        phone_of(namesake),
        client_of(other_venue.person),
        staff.client("head_judge"),
    ]
    for stranger in strangers:
        assert pick(stranger, league, "Map").status_code in (302, 403)
        assert turns(draft) == []
        sent = stranger.post(f"/api/series/{league.public_id}/prizes/picks", {"prize": "Map"}, "application/json")
        assert sent.status_code in (401, 403)
        assert turns(draft) == []
    with pytest.raises(Refused):
        series_draft.pick(by=Actor(person=other_venue.person), draft=draft, prize="Map")
    theirs = services.create_series(by=SITE, venue=other_venue.venue, facts={"name": "Theirs"})
    assert pick(client_of(other_venue.person), theirs, "Map").status_code == 403
    first, second = phone_of(whose), staff.client("manager")
    api = f"/api/series/{league.public_id}/prizes/picks"
    told = first.post(api, {"prize": "Map"}, "application/json").json()
    assert (told["turn"], told["picks"][0]["prize"]) == (2, "Map")
    assert first.post(api, {"prize": "Map"}, "application/json").status_code == 403
    assert second.post(api, {"prize": "=1+1"}, "application/json").json()["turn"] == 3


def test_a_link_of_another_event_of_the_series_picks_for_no_one_of_that_name(staff, manager, league, event):
    later = finished(staff.event.venue, 4)
    services.reopen_series(by=manager, series=league)
    services.add_event(by=manager, series=league, event=later)
    services.end_series(by=manager, series=league)
    found = series_draft.edit_prizes(by=SITE, series=league, prizes=["Map", "Booster", "Figure"])
    draft = series_draft.start(by=SITE, draft=found)
    table = series_table(league)
    while table.by_entry[draft.order[len(turns(draft))]].startswith(pure.ACCOUNT):
        series_draft.pick(by=SITE, draft=draft, prize="Map")
        draft.refresh_from_db()
    picked, whose = turns(draft), table.by_entry[draft.order[len(turns(draft))]]
    links = [phone_of(Entry.objects.get(pk=key)) for key, player in table.by_entry.items() if player == whose]
    assert len(links) == 2
    for link in links:
        page = link.get(address(league, "series-prizes")).content.decode()
        assert "It&#x27;s your turn" in page or "It's your turn" in page
        assert 'name="prize"' not in page
        pick(link, league, "Booster")
        assert turns(draft) == picked


def test_display_files_and_counter_show_what_was_picked_and_what_is_left(league, event, draft):
    for prize in ("=1+1", "Map"):
        series_draft.pick(by=SITE, draft=draft, prize=prize)
    public, found = Client(), series_table(league)
    names = [found.players[found.by_entry[key]].name for key in draft.order]
    shown = public.get(address(league, "series-display")).content.decode()
    assert f"Prize draft: {names[2]} picks" in shown
    assert f"{names[1]}</strong> <span>– Map" in shown
    assert "Prizes left" in shown
    lines = list(csv.reader(io.StringIO(public.get(address(league, "series-csv")).content.decode("utf-8-sig"))))
    assert lines[0][-1] == "prizes"
    assert {line[1]: line[-1] for line in lines[1:]} == {
        names[0]: "'=1+1", names[1]: "Map", names[2]: "", names[3]: "",
    }  # fmt: skip
    data = public.get(address(league, "series-json")).json()
    assert data["prizes"] == public.get(f"/api/series/{league.public_id}").json()["prizes"]
    assert data["prizes"]["left"] == [{"prize": one, "left": 1} for one in ("Map", "Booster", "Figure")]
    assert data["prizes"]["next"] == [4, 4]
    assert public.get(address(league, "series-pdf")).content.startswith(b"%PDF")
    counter = public.get(address(league, "series-changes")).json()["counter"]
    assert stream.counters([league.public_id]) == {league.public_id: counter}
    assert address(league, "series-changes") in public.get(address(league, "series-prizes")).content.decode()
    series_draft.withdraw_pick(by=SITE, draft=draft)
    assert public.get(address(league, "series-changes")).json()["counter"] > counter


def test_the_display_shows_the_table_and_follows_a_correction(league, event, draft):
    public, found = Client(), series_table(league)
    shown = public.get(address(league, "series-display")).content.decode()
    assert shown.index("Prize draft: ") < shown.index("Final standings of the series")
    for line in found.lines:
        name, points = found.players[line.player].name, line.total
        assert re.search(rf"<strong>{re.escape(name)}</strong></td>.{{,200}}>{points}</td>", shown, re.S), name
    assert "Prize draft: " not in public.get(address(league, "series-display") + "?show=standings").content.decode()
    assert "Final table" not in public.get(address(league, "series-display") + "?show=prizes").content.decode()
    assert address(league, "series-display") in public.get(address(league, "series")).content.decode()
    counter = public.get(address(league, "series-changes")).json()["counter"]
    match = Match.objects.with_round().filter(round__event=event, state=Match.State.CONFIRMED).first()
    results.correct_result(by=SITE, match=match, result=result("b", 1, 199), confirmed=True, reason="Typed wrong")
    assert public.get(address(league, "series-changes")).json()["counter"] > counter


def test_the_draft_keeps_its_players_when_an_event_is_restored_or_leaves_the_table(league, event, draft, settings):
    settings.SNAPSHOTS_KEPT = 5
    phone = phone_of(Entry.objects.get(pk=draft.order[0]))
    names = [one["name"] for one in Client().get(f"/api/series/{league.public_id}").json()["prizes"]["order"]]
    assert all(names)
    snapshot = snapshots.take(event, "by hand")
    event.entries.filter(number=1).update(name="Changed Name")
    snapshots.restore(by=SITE, event=event, snapshot=snapshot, confirmed=True, reason="Back")
    told = Client().get(f"/api/series/{league.public_id}").json()["prizes"]
    assert [one["name"] for one in told["order"]] == names
    league.rows.all().delete()
    assert [one["name"] for one in Client().get(f"/api/series/{league.public_id}").json()["prizes"]["order"]] == names
    pick(phone, league, "Map")
    assert turns(draft) == ["Map"]


def test_the_page_asks_as_often_for_many_picks_as_for_few(league, event, draft):
    phone = phone_of(Entry.objects.get(pk=draft.order[-1]))

    def asked():
        found = []
        for name in ("series-prizes", "series-display", "series-csv", "series-json", "series-pdf"):
            with CaptureQueriesContext(connection) as queries:
                assert phone.get(address(league, name)).status_code == 200
            found.append(len(queries))
        return found

    few = asked()
    SeriesDraft.objects.filter(pk=draft.pk).update(pool=["Map"] * 60)
    draft.refresh_from_db()
    for _ in range(12):
        series_draft.pick(by=SITE, draft=draft, prize="Map")
    assert asked() == few


def test_a_manager_finds_the_invitation_on_the_home_page(staff, league):
    theirs = factories.VenueManagerFactory()
    row = services.add_event(by=staff.actor("manager"), series=league, event=factories.EventFactory(venue=theirs.venue))
    answer = reverse("events:series-event-act", args=[league.public_id, row.pk, "accept"])
    assert answer in client_of(theirs.person).get("/").content.decode()
    for other in (staff.client("manager"), staff.client("head_judge"), Client()):
        assert answer not in other.get("/").content.decode()
    client_of(theirs.person).post(answer)
    assert answer not in client_of(theirs.person).get("/").content.decode()


def test_the_prizes_are_picked_in_snake_order_of_the_final_table(staff, league, manager):
    client = staff.client("manager")
    services.add_event(by=manager, series=league, event=finished(staff.event.venue, 2, 1))
    where = reverse("events:series-prizes", args=[league.public_id])

    def act(name, by=client, **sent):
        return by.post(reverse("events:series-prizes-act", args=[league.public_id, name]), sent)

    assert "List the prizes first" in act("start").content.decode()
    act("list", prizes="Booster\nBooster\n\nMap")
    assert "End the series first" in act("start").content.decode()
    services.end_series(by=manager, series=league)
    first, second = (player.name for player in series_table(league).prize_order)
    act("start")
    for stranger in (staff.client("head_judge"), Client()):
        act("pick", stranger, prize="Map")
        act("list", stranger, prizes="Mine")
    assert f"{first} picks" in Client().get(where).content.decode()
    act("pick", prize="Map")
    assert "already been picked" in act("pick", prize="Map").content.decode()
    act("pick", prize="Booster")
    page = client.get(where).content.decode()
    assert f"{second} picks" in page
    with pytest.raises(Refused):
        services.reopen_series(by=manager, series=league)
    act("withdraw")
    act("skip")
    assert f"{second} picks" in client.get(where).content.decode()
    act("pick", prize="Booster")
    act("pick", prize="Booster")
    assert "The prize draft is over" in client.get(where).content.decode()
    log = client.get(reverse("judging:venue-audit-log", args=[league.venue_id])).content.decode()
    assert "pick 2 skipped" in log
    assert first not in log
