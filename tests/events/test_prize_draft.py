"""The prize draft of an event: who may pick for whom, withdrawing, undo, files, the display and the API."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from events.door import NeedsConfirmation, Refused, Stale
from events.models import AuditEntry, Entry, Event, PrizeDraft
from events.queries import standings_of
from events.roles import SITE, Actor
from events.services import prizes, rounds
from events.services.people import entry_link
from events.services.undo import undo
from judging.keeping import moving
from judging.keeping.event_file import event_file
from judging.keeping.whole_file import read_file, whole_file
from judging.pdf.sheet import sheet
from judging.sheet_csv import sheet_csv
from tests.events.simulation import play_round, players
from tests.judging.keeping.kept import empty

pytestmark = pytest.mark.django_db
POOL = ["Batman", "Robin", "Joker", "Batman", "Booster"]


@pytest.fixture
def by(staff):
    return staff.actor("head_judge")


@pytest.fixture
def event(staff):
    players(staff.event, 4, is_minor=True)
    return staff.event


@pytest.fixture
def draft(event, by):
    play_round(by, event)
    prizes.edit_pool(by=by, event=event, prizes=POOL)
    return prizes.start(by=by, event=event)


def own(event, number) -> Actor:
    return Actor(entry=event.entries.get(number=number))


def act(event, name):
    return reverse("events:prizes-act", args=[event.public_id, name])


def page(event):
    return reverse("events:prizes", args=[event.public_id])


def test_the_order_is_that_of_the_standings_and_waits_for_the_round(event, by):
    prizes.edit_pool(by=by, event=event, prizes=["", "  Batman ", *POOL])
    assert prizes.draft_of(event).pool == ["Batman", *POOL]
    with pytest.raises(Refused):
        prizes.start(by=by, event=event)
    rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=event))
    with pytest.raises(Refused):
        prizes.start(by=by, event=event)
    Event.objects.filter(pk=event.pk).update(state=Event.State.RUNNING)
    event.rounds.all().delete()
    play_round(by, event)
    Entry.objects.filter(event=event, number=2).update(state=Entry.State.DISQUALIFIED)
    found = prizes.start(by=by, event=event)
    assert found.order == [place.number for place in standings_of(event) if place.number != 2]
    first, second = found.order[:2]
    prizes.move_up(by=by, event=event, number=second)
    assert prizes.draft_of(event).order[:2] == [second, first]
    prizes.pick(by=by, event=event, prize="Robin")
    with pytest.raises(Refused):
        prizes.move_up(by=by, event=event, number=first)


def test_only_the_player_whose_turn_it_is_or_the_desk_picks(event, by, draft, client, staff):
    first, second = draft.order[:2]
    with pytest.raises(Refused):
        prizes.pick(by=own(event, second), event=event, prize="Batman")
    with pytest.raises(Refused):
        prizes.pick(by=own(event, first), event=event, prize="Penguin")
    stranger = type(client)()
    assert stranger.post(act(event, "pick"), {"prize": "Batman"}).status_code == 403
    for name, given in (
        ("skip", {"reason": "x"}),
        ("withdraw", {}),
        ("start", {}),
        ("list", {"prizes": ""}),
        ("up", {}),
    ):
        with pytest.raises(Refused):
            prizes.skip(by=own(event, first), event=event, reason="me")
        assert stranger.post(act(event, name), given).status_code == 403
    assert "turns" not in stranger.get(page(event)).content.decode()
    prizes.pick(by=own(event, first), event=event, prize="Batman")
    with pytest.raises(Refused):
        prizes.pick(by=own(event, first), event=event, prize="Batman")
    prizes.pick(by=staff.actor("scorekeeper"), event=event, prize="Batman")
    with pytest.raises(Refused):
        prizes.pick(by=own(event, draft.order[2]), event=event, prize="Batman")
    assert prizes.draft_of(event).snake.left == {"Robin": 1, "Joker": 1, "Booster": 1}


def test_a_player_of_another_event_picks_nothing_here(event, draft, client):
    from tests.factories import EntryFactory, EventFactory

    there = EntryFactory(event=EventFactory(venue=event.venue), number=draft.order[0], state="checked-in")
    client.get(entry_link(there), follow=True)
    assert client.post(act(event, "pick"), {"prize": "Batman"}).status_code == 403
    assert prizes.draft_of(event).turns == []


def test_a_player_picks_on_the_phone_and_the_next_one_is_told(event, draft, client):
    phones = {}
    for number in draft.order:
        phones[number] = type(client)()
        phones[number].get(entry_link(event.entries.get(number=number)), follow=True)
    first, second = draft.order[:2]
    assert "Your turn: pick a prize" in phones[first].get(page(event)).content.decode()
    own = phones[first].get(reverse("events:entry", args=[event.public_id, first])).content.decode()
    assert own.count("Your turn") == 1
    assert own.index("Your turn") < own.index('data-live="entry-now"')
    assert 'name="prize"' not in phones[second].get(page(event)).content.decode()
    version = prizes.draft_of(event).version
    answer = phones[first].post(act(event, "pick"), {"prize": "Joker", "version": version}, follow=True)
    assert answer.status_code == 200
    assert "Your turn" not in answer.content.decode()
    assert "Your turn: pick a prize" in phones[second].get(page(event)).content.decode()
    late = phones[second].post(act(event, "pick"), {"prize": "Batman", "version": version})
    assert late.status_code == 409
    assert len(prizes.draft_of(event).turns) == 1


def test_turns_are_skipped_with_a_note_withdrawn_and_undone(event, by, draft):
    a, b, c, d = draft.order
    with pytest.raises(NeedsConfirmation):
        prizes.skip(by=by, event=event)
    prizes.skip(by=by, event=event, reason="fetching a drink")
    prizes.pick(by=by, event=event, prize="Robin")
    prizes.skip(by=by, event=event, reason="went home", for_good=True)
    assert [one["entry"] for one in prizes.draft_of(event).turns] == [a, b, c]
    assert [name for _lap, name in prizes.draft_of(event).snake.coming(9)] == [d, d, b, a]
    prizes.withdraw_pick(by=by, event=event)
    prizes.withdraw_pick(by=by, event=event)
    assert prizes.draft_of(event).snake.whose == b
    prizes.pick(by=by, event=event, prize="Robin")
    record = AuditEntry.objects.filter(event=event, verb="pick-prize").order_by("-pk").first()
    assert record.words == f"{event.entries.get(number=b).name} picked “Robin”"
    undo(by=by, entry=record, confirmed=True, reason="the wrong one")
    assert prizes.draft_of(event).snake.left == {"Batman": 2, "Robin": 1, "Joker": 1, "Booster": 1}


def test_what_was_picked_stays_in_the_pool_and_two_lists_do_not_overwrite_each_other(event, by, draft):
    prizes.pick(by=by, event=event, prize="Joker")
    with pytest.raises(Refused):
        prizes.edit_pool(by=by, event=event, prizes=["Batman"])
    prizes.edit_pool(by=by, event=event, prizes=[*POOL, "Map"])
    with pytest.raises(Stale):
        prizes.edit_pool(by=by, event=event, prizes=POOL, version=draft.version)
    assert "Map" in prizes.draft_of(event).snake.left


def test_the_figures_of_the_forces_go_into_the_pool(event, staff):
    from events.models import Force

    for number, names in ((1, ["Batman", "Robin"]), (2, ["Joker"])):
        document = {"force": {"characters": [{"ref": name, "name": name} for name in names]}}
        Force.objects.create(entry=event.entries.get(number=number), state=Force.State.SUBMITTED, document=document)
    client = staff.client("scorekeeper")
    assert "Add figures from forces" in client.get(page(event)).content.decode()
    client.post(act(event, "add-forces"), {"prizes": "Booster"})
    assert prizes.draft_of(event).pool == ["Booster", "Batman", "Robin", "Joker"]
    assert client.post(act(event, "list"), {"prizes": "\0"}).status_code == 400
    assert client.post(act(event, "sing"), {}).status_code == 404


def test_files_hold_the_draft_and_a_forged_one_is_no_draft(event, by, draft):
    prizes.pick(by=by, event=event, prize="Joker")
    prizes.skip(by=by, event=event, reason="went home")
    document = json.loads(json.dumps(event_file(event), default=str))
    assert document["prizes"]["turns"][0] == {"entry": draft.order[0], "prize": "Joker", "note": "", "for_good": False}
    assert "\r\nprizes,,2," in sheet_csv(document)
    assert sheet(document).startswith(b"%PDF")
    content = whole_file(Event.objects.select_related("venue", "hall").get(pk=event.pk)).content()
    empty()
    moving.import_event(by=SITE, document=read_file(content), vouched=True)
    there = Event.objects.select_related("venue", "hall").get(public_id=event.public_id)
    assert whole_file(there).content() == content
    for forged in ([5], [{"entry": 99}], [{"entry": [], "prize": "Joker", "note": "", "for_good": False}], {"a": 1}):
        PrizeDraft.objects.filter(event=there).update(turns=forged)
        row = prizes.draft_of(there)
        assert not row.has_started
        assert "prizes" in event_file(there)


def test_an_event_without_prizes_has_no_word_of_them(event, by, client):
    play_round(by, event)
    assert "prizes" not in event_file(event)
    assert "\r\nprizes,#" not in sheet_csv(event_file(event))
    assert client.get(f"/api/events/{event.public_id}/prizes").json()["order"] == []
    assert (
        reverse("events:prizes", args=[event.public_id])
        not in client.get(reverse("events:event", args=[event.public_id])).content.decode()
    )


def test_the_display_and_the_api_show_whose_turn_it_is(event, by, draft, client, staff):
    names = {entry.number: entry.public_name for entry in event.entries.all()}
    first, second = draft.order[:2]
    display = reverse("events:display", args=[event.public_id]) + "?show=prizes"
    assert f"Prize draft: {names[first]} picks" in client.get(display).content.decode()
    told = client.get(f"/api/events/{event.public_id}/prizes").json()
    assert (told["turn"], told["left"][0]) == (first, {"prize": "Batman", "left": 2})
    address = f"/api/events/{event.public_id}/prizes/picks"
    answer = staff.client("scorekeeper").post(address, {"prize": "Robin"}, content_type="application/json")
    assert answer.json()["turn"] == second
    assert client.post(address, {"prize": "Robin"}, content_type="application/json").status_code in (401, 403)
    assert f"{names[first]}</strong> <span>– Robin" in client.get(display).content.decode()


def test_who_picks_twice_in_a_row_is_named_once(event, draft, staff):
    last = event.entries.get(number=draft.order[-1])
    page = staff.client("judge").get(reverse("events:prizes", args=[event.public_id])).text
    assert f"{last.name} ×2" in page


def test_the_page_asks_as_often_for_many_as_for_few(event, by, draft, staff, client):
    clients = staff.client("head_judge"), client

    def asked():
        found = []
        for one in clients:
            one.get(page(event))
            with CaptureQueriesContext(connection) as queries:
                assert one.get(page(event)).status_code == 200
            found.append(len(queries))
        return found

    few = asked()
    players(event, 12, is_minor=True)
    numbers = list(event.entries.values_list("number", flat=True))
    PrizeDraft.objects.filter(event=event).update(order=numbers, pool=POOL * 20)
    for _ in range(20):
        prizes.pick(by=by, event=event, prize="Batman")
    assert asked() == few
