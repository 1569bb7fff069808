"""Calls from the raised hand to the extension: every verb, every role, two people at once. Through requests."""

import datetime
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from events.actions import ACTIONS
from events.models import AuditEntry, ClockRun, Entry, Event, Extension, Hall, Match, Round
from events.roles import Actor
from judging.findings import LOOKOUT
from judging.keeping.event_file import event_file
from judging.models import Call
from judging.services import calls as services
from tests.conftest import client_of
from tests.events.match_pages import play
from tests.factories import EventFactory, OfficialFactory, PersonFactory

pytestmark = pytest.mark.django_db

ROLES = ("nobody", "other", "opponent", "player", "scorekeeper", "judge", "head_judge", "manager", "office")


@pytest.fixture
def hall(staff):
    """Four tables of a running round with a running clock; the players at tables 1 and 2 have accounts."""
    play(staff.event, 8, 1)
    for match in Match.objects.filter(table__lte=2):
        for entry in (match.a, match.b):
            Entry.objects.filter(pk=entry.pk).update(person=PersonFactory(name=f"{entry.name} Account"))
    began = timezone.now() - datetime.timedelta(minutes=20)
    ClockRun.objects.create(round=Round.objects.get(), phase="round", began=began)
    return staff


def at_table(table=1):
    return Match.objects.select_related("a__person", "b__person", "round").get(table=table)


def client(hall, who, table=1):
    match = at_table(table)
    if who == "nobody":
        return Client()
    if who in ("player", "opponent", "other"):
        entry = {"player": match.a, "opponent": match.b, "other": at_table(2).a}[who]
        return client_of(entry.person)
    return hall.client(who)


def hand_address(hall, table=1):
    return f"/events/{hall.event.public_id}/rounds/1/tables/{table}/call/"


def address(hall, call=None, verb=""):
    return f"/events/{hall.event.public_id}/calls/" + (f"{call.pk}/" if call else "") + (f"{verb}/" if verb else "")


def raised(hall, table=1, **said):
    """Return the table's call, raised by its first player."""
    client(hall, "player", table).post(hand_address(hall, table), said)
    return Call.objects.get(match__table=table, state__in=Call.OPEN)


def press(hall, who, call, verb, **posted):
    return client(hall, who).post(address(hall, call, verb), posted)


def text(answer):
    return re.sub(r"\s+", " ", answer.content.decode())


def later(call, **by):
    """Move all of a call's times back."""
    gone = datetime.timedelta(**by)
    call.refresh_from_db()
    for name in ("raised", "taken", "arrived"):
        if getattr(call, name):
            Call.objects.filter(pk=call.pk).update(**{name: getattr(call, name) - gone})
    call.refresh_from_db()
    return call


CLOSING = {"category": "line", "outcome": "ruled", "text": "Clear line past the wall", "minutes": "7", "agreed": "2"}


def test_no_judge_takes_a_call_from_another_by_undoing(hall):
    call, second = raised(hall), OfficialFactory(event=hall.event, role="judge").person
    for verb in ("take", "arrive"):
        assert press(hall, "judge", call, verb).status_code == 302
        entry = AuditEntry.objects.filter(event=hall.event).order_by("-pk").first()
        assert entry.verb in ("take-call", "arrive-at-table")
        for who in (second, hall.head_judge, hall.judge):
            undone = client_of(who).post(
                f"/events/{hall.event.public_id}/audit-log/{entry.pk}/", {"confirmed": "yes", "reason": "Mine"}
            )
            assert undone.status_code == 403, who
        call.refresh_from_db()
        assert call.judge == hall.judge
    assert press(hall, "head_judge", call, "release").status_code == 302
    call.refresh_from_db()
    assert call.state == Call.State.WAITING


# raising


@pytest.mark.parametrize(("who", "status"), [
    ("nobody", 403), ("other", 403), ("manager", 403), ("office", 403),
    ("player", 302), ("opponent", 302), ("scorekeeper", 302), ("judge", 302), ("head_judge", 302),
])  # fmt: skip
def test_who_may_raise_a_hand_for_a_table(hall, who, status):
    assert client(hall, who).post(hand_address(hall)).status_code == status
    assert Call.objects.count() == (status == 302)


def test_a_player_without_an_account_raises_a_hand_by_the_signed_link(hall):
    match = at_table(3)
    by_link = Client()
    session = by_link.session
    session["linked_entries"] = {str(hall.event.pk): [match.a.pk, match.a.link_issue]}
    session.save()
    page = by_link.get(f"/events/{hall.event.public_id}/rounds/1/tables/3/")
    assert "Call a judge" in text(page)
    answer = by_link.post(
        hand_address(hall, 3), {"reason": "rules", "text": "  May Outwit\nbe countered? "}, follow=True
    )
    assert "Judge called to table 3." in text(answer)
    assert "waiting for a judge" in text(answer)
    call = Call.objects.get()
    assert (call.raised_by_entry, call.raised_by, call.reason, call.text) == (
        match.a, None, "rules", "May Outwit be countered?",
    )  # fmt: skip


def test_a_hand_that_is_up_stays_up(hall):
    call = raised(hall)
    answer = client(hall, "opponent").post(hand_address(hall), follow=True)
    assert "A judge has already been called to table 1." in text(answer)
    assert Call.objects.get() == call


def test_no_one_is_called_before_the_pairings_nor_after_the_round(hall):
    for state, status in (("complete", 403), ("draft", 404)):
        Round.objects.update(state=state)
        assert client(hall, "player").post(hand_address(hall)).status_code == status
    assert client(hall, "judge").post(hand_address(hall)).status_code == 403
    assert not Call.objects.exists()


def test_only_the_tables_players_see_who_is_coming(hall):
    call = raised(hall)
    page = f"/events/{hall.event.public_id}/rounds/1/tables/1/"
    mine = f"/events/{hall.event.public_id}/entries/{at_table().a.number}/"
    later(call, minutes=2)
    shown = text(client(hall, "player").get(page))
    assert re.search('waiting for a judge ?</span> ?<span class="since">', shown)
    assert ">2:0" in text(client(hall, "opponent").get(page))
    press(hall, "judge", call, "take")
    for who, where in (("player", page), ("opponent", page), ("player", mine)):
        assert f"{hall.judge} is coming" in text(client(hall, who).get(where)), (who, where)
    press(hall, "judge", call, "arrive")
    assert f"{hall.judge} is at the table" in text(client(hall, "player").get(page))
    for who in ("other", "nobody"):
        seen = text(client(hall, who).get(page))
        assert str(hall.judge) not in seen
        assert "Call a judge" not in seen


def test_a_judge_who_stands_there_starts_the_stopwatch_with_one_press(hall):
    answer = client(hall, "judge").post(hand_address(hall), {"here": "yes"})
    call = Call.objects.get()
    assert (call.state, call.judge) == ("at-table", hall.judge)
    assert answer["Location"] == address(hall, call)


# verbs


@pytest.mark.parametrize(("verb", "before", "allowed"), [
    ("take", "waiting", {"judge", "head_judge"}),
    ("arrive", "waiting", {"judge", "head_judge"}),
    ("escalate", "waiting", {"judge"}),
    ("release", "taken", {"judge", "head_judge"}),
    ("cancel", "waiting", {"player", "scorekeeper", "judge", "head_judge"}),
])  # fmt: skip
@pytest.mark.parametrize("who", ROLES)
def test_every_verb_for_every_role(hall, verb, before, allowed, who):
    call = raised(hall)
    if before == "taken":
        press(hall, "judge", call, "take")
    answer = press(hall, who, call, verb)
    assert answer.status_code == (302 if who in allowed else 403)
    call.refresh_from_db()
    assert (call.state != before or call.for_head_judge) == (who in allowed)


@pytest.mark.parametrize("who", ROLES)
def test_closing_for_every_role(hall, who):
    call = raised(hall)
    press(hall, "judge", call, "arrive")
    answer = press(hall, who, call, "close", **CLOSING)
    allowed = who in ("judge", "head_judge")
    assert answer.status_code == (302 if allowed else 403)
    assert Extension.objects.count() == allowed


def test_the_roles_of_the_verbs_are_in_the_action_table():
    judges = {"head-judge", "judge", "hall-judge"}
    for verb in ("take-call", "release-call", "escalate-call", "arrive-at-table", "close-call"):
        assert {role.value for role in ACTIONS[verb].roles} == judges
    assert {role.value for role in ACTIONS["raise-call"].roles} == judges | {"scorekeeper", "player"}
    assert {role.value for role in ACTIONS["cancel-call"].roles} == {"head-judge", "judge", "scorekeeper", "player"}


def test_the_second_judge_is_told_who_has_it(hall):
    call = raised(hall)
    press(hall, "judge", call, "take")
    later(call, seconds=75)
    for verb in ("take", "arrive"):
        told = press(hall, "head_judge", call, verb)
        assert told.status_code == 403
        assert f"{hall.judge} took the call 1 minute ago and is on the way to table 1" in text(told)
    assert press(hall, "judge", call, "take").status_code == 302
    press(hall, "judge", call, "arrive")
    assert "is already at table 1 and took the call" in text(press(hall, "head_judge", call, "take"))
    call.refresh_from_db()
    assert call.judge == hall.judge
    assert AuditEntry.objects.filter(verb="take-call").count() == 1


def test_a_released_call_keeps_its_age_and_another_judge_takes_it(hall):
    call = raised(hall)
    before = call.raised
    other = OfficialFactory(event=hall.event, role="judge").person
    press(hall, "judge", call, "take")
    told = client_of(other).post(address(hall, call, "release"))
    assert f"Only {hall.judge} or the head judge can release this call." in text(told)
    press(hall, "judge", call, "release")
    client_of(other).post(address(hall, call, "take"))
    call.refresh_from_db()
    assert (call.raised, call.judge, call.state) == (before, other, "taken")
    press(hall, "head_judge", call, "release")
    call.refresh_from_db()
    assert (call.judge, call.state) == (None, "waiting")


def test_an_escalated_call_is_for_the_head_judge_only_and_the_stopwatch_goes_on(hall):
    call = raised(hall)
    press(hall, "judge", call, "arrive")
    call.refresh_from_db()
    began = later(call, minutes=4).arrived
    press(hall, "judge", call, "escalate")
    assert "waiting for the head judge" in text(client(hall, "judge").get(address(hall)))
    assert "waiting for the head judge" in text(press(hall, "judge", call, "take"))
    press(hall, "head_judge", call, "arrive")
    call.refresh_from_db()
    assert (call.judge, call.arrived, call.state) == (hall.head_judge, began, "at-table")
    assert "You&#x27;re the head judge" in text(press(hall, "head_judge", call, "escalate"))


def test_cancelled_is_cancelled_and_not_once_a_judge_is_there(hall):
    call = raised(hall)
    press(hall, "judge", call, "take")
    assert "or an official" in text(press(hall, "opponent", call, "cancel"))
    press(hall, "player", call, "cancel")
    call.refresh_from_db()
    assert (call.state, call.ended is not None) == ("cancelled", True)
    assert "This call has been cancelled" in text(press(hall, "judge", call, "arrive"))
    again = raised(hall)
    assert again != call
    press(hall, "judge", again, "arrive")
    assert "A judge is already at this table" in text(press(hall, "player", again, "cancel"))


# resolving


def test_closing_proposes_what_it_took_and_gives_it_back(hall):
    call = raised(hall)
    press(hall, "judge", call, "arrive")
    call.refresh_from_db()
    later(call, minutes=6, seconds=20)
    page = text(client(hall, "judge").get(address(hall, call)))
    assert 'name="minutes" value="7"' in page
    answer = client(hall, "judge").post(address(hall, call, "close"), CLOSING, follow=True)
    assert "Call from table 1 resolved. The table gets 9 extra minutes." in text(answer)
    call.refresh_from_db()
    extension = Extension.objects.get()
    assert (extension.seconds, extension.given_by, extension.match) == (540, hall.judge, at_table())
    assert extension.reason == "Judge call: line of fire or distance"
    assert (call.state, call.category, call.outcome, call.extension) == ("closed", "line", "ruled", extension)
    assert call.text == "Clear line past the wall"
    # 50 minutes, 20 over, 9 extra: the table's clock shows 39 everywhere
    for where in ("rounds/1/tables/1/", "rounds/1/open/", "clock/"):
        page = text(client(hall, "judge").get(f"/events/{hall.event.public_id}/{where}"))
        assert re.search(r"data-digits> ?(39:00|38:5\d) ?<", page), where


def test_a_closed_call_is_not_standard_only_through_its_extension(hall):
    call = raised(hall)
    press(hall, "judge", call, "arrive")
    press(hall, "judge", call, "close", **CLOSING)
    assert [row.verb for row in AuditEntry.objects.filter(is_non_standard=True)] == ["extend-table"]
    silent = raised(hall, 2)
    press(hall, "judge", silent, "arrive")
    press(hall, "judge", silent, "close", **CLOSING | {"minutes": "0", "agreed": "0"})
    assert AuditEntry.objects.filter(is_non_standard=True).count() == 1
    assert Extension.objects.count() == 1


def test_a_table_loses_the_wait_and_the_call_but_nothing_while_the_clock_stood_still(hall):
    call = raised(hall)
    press(hall, "judge", call, "arrive")
    call.refresh_from_db()
    later(call, minutes=10)
    run = ClockRun.objects.get()
    run.ended = call.arrived + datetime.timedelta(minutes=3)
    run.save()
    ClockRun.objects.create(round=run.round, phase="round", began=call.arrived + datetime.timedelta(minutes=8))
    Call.objects.filter(pk=call.pk).update(raised=call.arrived - datetime.timedelta(minutes=2))
    call.refresh_from_db()
    moment = call.arrived + datetime.timedelta(minutes=10)
    assert services.proposed_minutes(call, moment) == 7
    ClockRun.objects.all().delete()
    call.refresh_from_db()
    assert services.proposed_minutes(services.calls().get(pk=call.pk), moment) == 12


@pytest.mark.parametrize(("change", "said"), [
    ({"category": ""}, "Choose a subject."),
    ({"outcome": "nonsense"}, "Select a valid choice"),
    ({"minutes": "-3"}, "greater than or equal to 0"),
    ({"agreed": ""}, "Enter whole minutes, or 0 for none."),
    ({"minutes": "many"}, "Enter whole minutes"),
    ({"minutes": "170", "agreed": "20"}, "Minutes lost and extra minutes can&#x27;t exceed 180 in total."),
    ({"agreed": "61"}, "less than or equal to 60"),
])  # fmt: skip
def test_errors_are_shown_at_their_field_and_nothing_is_lost(hall, change, said):
    call = raised(hall)
    press(hall, "judge", call, "arrive")
    answer = press(hall, "judge", call, "close", **CLOSING | change)
    assert answer.status_code == 400
    assert said in text(answer)
    assert 'value="Clear line past the wall"' in text(answer)
    call.refresh_from_db()
    assert call.is_open
    assert not Extension.objects.exists()


def test_a_table_with_its_result_gets_no_time(hall):
    call = raised(hall)
    press(hall, "judge", call, "arrive")
    Match.objects.filter(pk=call.match_id).update(state="confirmed")
    page = text(client(hall, "judge").get(address(hall, call)))
    assert "This table has finished" in page
    assert press(hall, "judge", call, "close", **CLOSING).status_code == 302
    call.refresh_from_db()
    assert (call.state, call.extension) == ("closed", None)


def test_extension_and_closing_are_one_or_nothing(hall):
    """The result arrives between the form and the press: the extension is refused, so the call stays open."""
    from events.door import Refused

    call = raised(hall)
    press(hall, "judge", call, "arrive")
    Match.objects.filter(pk=call.match_id).update(state="confirmed")
    with pytest.raises(Refused, match="has finished"):
        services.close_call(
            by=Actor(person=hall.judge), call=Call.objects.get(), category="rule", outcome="ruled", minutes=5
        )
    assert Call.objects.get().is_open
    assert not AuditEntry.objects.filter(verb="close-call").exists()


def test_a_stale_form_shows_the_difference_and_writes_nothing(hall):
    call = raised(hall)
    press(hall, "judge", call, "arrive")
    call.refresh_from_db()
    old = call.version
    press(hall, "judge", call, "escalate")
    told = press(hall, "judge", call, "close", version=old, **CLOSING)
    assert told.status_code == 409
    assert "Someone else changed this" in text(told)
    told = press(hall, "judge", call, "close", **CLOSING)
    assert "No one has taken this call" in text(told)
    assert not Extension.objects.exists()


def test_pressed_twice_a_call_is_closed_once(hall):
    call = raised(hall)
    press(hall, "judge", call, "arrive")
    call.refresh_from_db()
    form = CLOSING | {"version": call.version}
    assert press(hall, "judge", call, "close", **form).status_code == 302
    told = press(hall, "judge", call, "close", **form)
    assert f"{hall.judge} has already resolved this call." in text(told)
    assert Extension.objects.count() == 1


def test_calls_left_open_are_closed_after_the_round(hall):
    call = raised(hall)
    Round.objects.update(state="complete")
    Event.objects.filter(pk=hall.event.pk).update(state="finished")
    assert press(hall, "judge", call, "take").status_code == 302
    assert press(hall, "judge", call, "close", category="other", outcome="nothing").status_code == 302
    call.refresh_from_db()
    assert (call.state, call.took) == ("closed", None)


# the queue


def test_the_oldest_unassigned_call_comes_first(hall):
    one, two = raised(hall, 1), raised(hall, 2)
    three, _new = services.raise_call(by=hall.actor("judge"), match=at_table(3))
    later(two, minutes=9)
    later(three, minutes=4)
    page = text(client(hall, "judge").get(address(hall)))
    assert re.search(r'id="oldest"[^>]*>Table 2<', page)
    press(hall, "judge", two, "take")
    page = text(client(hall, "head_judge").get(address(hall)))
    assert re.search(r'id="oldest"[^>]*>Table 3<', page)
    assert page.index("Also waiting") < page.index("Other judges' calls")
    assert f"{hall.judge} is coming" in page
    assert "Your calls" in text(client(hall, "judge").get(address(hall)))
    assert one.is_waiting


@pytest.mark.parametrize(("who", "status"), [
    ("nobody", 403), ("player", 403), ("scorekeeper", 200), ("judge", 200), ("head_judge", 200), ("manager", 200),
])  # fmt: skip
def test_the_queue_is_for_officials(hall, who, status):
    call = raised(hall)
    for where in (address(hall), address(hall, call)):
        answer = client(hall, who).get(where)
        assert answer.status_code == status
        if who in ("scorekeeper", "manager"):
            assert "Take call" not in text(answer)


def test_the_console_and_the_open_tables_show_waiting_calls(hall):
    console = f"/events/{hall.event.public_id}/console/"
    assert "waiting for a judge" not in text(client(hall, "judge").get(console))
    later(raised(hall, 1), minutes=3)
    later(raised(hall, 2), minutes=1)
    page = text(client(hall, "head_judge").get(console))
    assert "2 tables are waiting for a judge" in page
    assert re.search(r"oldest waiting <span[^>]*>3:0", page)
    board = text(client(hall, "scorekeeper").get(f"/events/{hall.event.public_id}/rounds/1/open/"))
    assert "2 calls" in board
    for call in Call.objects.all():
        press(hall, "judge", call, "take")
    assert "2 calls in progress" in text(client(hall, "head_judge").get(console))


def test_a_hall_has_one_queue_for_all_its_events(hall):
    call = raised(hall)
    judges, players = client(hall, "judge"), client(hall, "player")
    room = Hall.objects.create(venue=hall.event.venue, name="Cellar")
    other = EventFactory(venue=hall.event.venue, hall=room, name="Side Event", first_table=20)
    play(other, 4, 1)
    elsewhere = EventFactory(venue=hall.event.venue, name="Upstairs")
    play(elsewhere, 4, 1)
    judge = OfficialFactory(event=other, role="judge").person
    Event.objects.filter(pk=hall.event.pk).update(hall=room)
    theirs, _new = services.raise_call(by=Actor(person=judge), match=other.rounds.get().matches.get(table=1))
    where = f"/venues/{room.venue_id}/halls/{room.pk}/calls/"
    page = text(judges.get(where))
    assert hall.event.name in page
    assert "Side Event" in page
    assert "Upstairs" not in page
    assert len(re.findall("> ?Take call ?<", page)) == 2
    answer = client_of(judge).post(f"/events/{other.public_id}/calls/{theirs.pk}/take/", {"from": "hall"})
    assert answer["Location"].endswith("?from=hall")
    answer = client_of(judge).post(
        f"/events/{other.public_id}/calls/{theirs.pk}/close/",
        {"category": "rule", "outcome": "answered", "minutes": "0", "agreed": "0", "from": "hall"},
    )
    assert answer["Location"] == where
    assert players.get(where).status_code == 403
    assert hall.client("manager").get(where).status_code == 200
    assert Client().get(where).status_code == 302
    assert call.is_open


def test_a_hall_notifies_of_changes_in_all_its_events(hall):
    room = Hall.objects.create(venue=hall.event.venue, name="Cellar")
    Event.objects.filter(pk=hall.event.pk).update(hall=room)
    word = f"/venues/{room.venue_id}/halls/{room.pk}/calls/changes/"
    before = Client().get(word).json()["counter"]
    raised(hall)
    answer = Client().get(word)
    assert answer.json()["counter"] > before
    assert Client().get(word, headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_five_calls_and_a_hundred_cost_the_same(staff):
    play(staff.event, 210, 1)
    room = Hall.objects.create(venue=staff.event.venue, name="Cellar")
    Event.objects.filter(pk=staff.event.pk).update(hall=room)
    matches = list(Match.objects.order_by("table"))
    pages = [
        address(staff), f"/venues/{room.venue_id}/halls/{room.pk}/calls/", f"/events/{staff.event.public_id}/console/",
        f"/events/{staff.event.public_id}/rounds/1/open/", f"/events/{staff.event.public_id}/rounds/1/tables/1/",
    ]  # fmt: skip

    def queries():
        counts = []
        for page in pages:
            LOOKOUT.forget()  # otherwise a slow machine would need queries for a new check
            with CaptureQueriesContext(connection) as captured:
                assert staff.client("judge").get(page).status_code == 200
            counts.append(len(captured))
        with CaptureQueriesContext(connection) as captured:
            assert event_file(staff.event)["calls"]
        return [*counts, len(captured)]

    def call(some):
        states = ("waiting", "taken", "at-table", "closed")
        now = timezone.now()
        for place, match in enumerate(some):
            state = states[place % 4]
            judge = None if state == "waiting" else staff.judge
            Call.objects.create(
                match=match, state=state, raised=now, judge=judge, taken=now, ended=now if state == "closed" else None,
                raised_by_entry=match.a, ended_by=judge if state == "closed" else None,
            )  # fmt: skip

    call(matches[:5])
    queries()  # the console's findings are cached for ten seconds
    few = queries()
    call(matches[5:105])
    many = queries()
    assert many == few
    assert max(many) < 45


# the event file


def test_calls_stand_in_the_event_file(hall):
    call = raised(hall)
    press(hall, "judge", call, "arrive")
    press(hall, "judge", call, "close", **CLOSING)
    services.raise_call(by=hall.actor("scorekeeper"), match=at_table(4))
    document = event_file(hall.event)
    first, second = document["calls"]
    assert (first["round"], first["table"], first["raised_by"], first["judge"]) == (
        1, 1, at_table().a.number, hall.judge.name,
    )  # fmt: skip
    assert (first["category"], first["outcome"], first["text"]) == ("line", "ruled", "Clear line past the wall")
    assert first["extension"] == {"seconds": 540, "withdrawn": False}
    assert datetime.datetime.fromisoformat(first["arrived"]).tzinfo is not None
    assert (second["state"], second["raised_by"], second["raised_by_official"]) == (
        "waiting", None, hall.scorekeeper.name,
    )  # fmt: skip
    assert second["extension"] is None


def test_a_visitor_who_scans_the_table_s_code_is_told_how_to_call_a_judge(staff):
    play(staff.event, 4, 1)
    where = f"/events/{staff.event.public_id}/rounds/1/tables/2/"
    page = Client().get(where).content.decode()
    assert "Sign in to report a result or call a judge" in page
    assert f"?next={where}" in page


# the reason


def test_a_call_says_why_and_an_urgent_one_comes_first(hall):
    older = later(raised(hall, 1, reason="rules", text="May Outwit be countered?"), minutes=4)
    urgent = raised(hall, 2, reason="urgent")
    assert (older.reason, urgent.reason) == ("rules", "urgent")
    client(hall, "judge").post(hand_address(hall, 3), {"reason": "pizza"})
    queue = client(hall, "judge").get(address(hall))
    assert queue.context["first"].call == urgent
    shown = text(queue)
    assert shown.index("Urgent") < shown.index("Rules question")
    console = text(client(hall, "head_judge").get(f"/events/{hall.event.public_id}/console/"))
    assert "1 urgent" in console
    assert re.search(r"oldest waiting <span[^>]*>4:0", console)
    tables = text(client(hall, "scorekeeper").get(f"/events/{hall.event.public_id}/rounds/1/open/"))
    assert tables.index("Urgent") < tables.index("Rules question")
    assert {call["table"]: call["reason"] for call in event_file(hall.event)["calls"]} == {
        1: "rules", 2: "urgent", 3: "",
    }  # fmt: skip
    entry = AuditEntry.objects.filter(verb="raise-call").order_by("pk")[1]
    assert entry.words.endswith("judge called. Reason: urgent")


def test_the_reason_is_the_subject_proposed_when_the_call_is_resolved(hall):
    for table, reason, subject in ((1, "result", "result"), (2, "urgent", ""), (3, "time", "slow-play")):
        call = raised(hall, table, reason=reason) if table < 3 else services.raise_call(
            by=hall.actor("judge"), match=at_table(table), reason=reason
        )[0]  # fmt: skip
        press(hall, "judge", call, "arrive")
        assert client(hall, "judge").get(address(hall, call)).context["form"].initial["category"] == subject


def test_four_reasons_each_call_with_one_press(hall):
    page = f"/events/{hall.event.public_id}/rounds/1/tables/1/"
    mine = f"/events/{hall.event.public_id}/entries/{at_table().a.number}/"
    for where in (page, mine):
        shown = text(client(hall, "player").get(where))
        for reason in Call.Reason.values:
            assert f'name="reason" value="{reason}"' in shown, (where, reason)


def test_no_judge_is_promised_unless_one_was_called(hall):
    match = at_table()
    for side, points in ((match.a, 100), (match.b, 90)):
        where = f"/events/{hall.event.public_id}/rounds/1/tables/1/claim/"
        said = {"winner": "a", "score_a": points, "score_b": 50}
        answer = client_of(side.person).post(where, said, follow=True)
    assert "The two reports don't match. Correct your report, or call a judge." in answer.text
    assert not Call.objects.exists()
