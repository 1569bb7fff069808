"""Duties, on the site and by mail: whose, from when, and each mailed once."""

import datetime as dt
import io

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from events.models import AuditEntry, Event, Force, Official, Reminder, Venue, Volunteer
from events.roles import SITE
from judging.models import ForceCheck, VerifiedReport
from judging.reminders import duties_of
from judging.services import reminders
from tests.factories import EntryFactory, EventFactory, OfficialFactory, PersonFactory, VolunteerFactory

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 3, 20, 12, 0, tzinfo=dt.UTC)


def set_event(staff, **facts):
    Event.objects.filter(pk=staff.event.pk).update(**facts)
    staff.event.refresh_from_db()


def ended(staff, days_ago, **facts):
    """Set the event's end to so many days ago, at noon in Ghent."""
    moment = NOW - dt.timedelta(days=days_ago)
    set_event(staff, **{"state": "finished", "starts": moment - dt.timedelta(hours=5), "ended": moment} | facts)


def keys(person, now=NOW, mailed=None):
    return [one.key.split(":")[0] + ":" + one.key.split(":")[-1] for one in duties_of(person, now)
            if mailed is None or one.is_mailed == mailed]  # fmt: skip


@pytest.mark.parametrize(
    "days, state, stage, late, mailed",
    [
        (0, "finished", "unverified", False, False),
        (1, "finished", "unverified", False, True),
        (10, "finished", "unverified", False, True),
        (11, "finished", "soon", False, True),
        (16, "verified", "soon", False, True),
        (17, "verified", "tardy", True, True),
        (17, "finished", "tardy", True, True),
        (2, "verified", "verified", False, True),
    ],
)
def test_the_head_judge_is_reminded_of_the_report(staff, days, state, stage, late, mailed):
    ended(staff, days, state=state)
    (duty,) = duties_of(staff.head_judge, NOW)
    assert (duty.key, duty.is_urgent, duty.is_mailed) == (f"report:{staff.event.pk}:{stage}", late, mailed)
    assert staff.event.name in duty.words
    assert duty.address == reverse("judging:finish", args=[staff.event.public_id])
    assert duties_of(staff.judge, NOW) == []


@pytest.mark.parametrize("facts", [{"is_practice": True}, {"reported_at": NOW}, {"state": "running"}])
def test_nothing_is_due_of_practice_of_what_is_reported_or_still_played(staff, facts):
    ended(staff, 20, **facts)
    assert duties_of(staff.head_judge, NOW) == []


def test_venue_and_office_are_reminded_of_an_overdue_report_and_not_a_day_before(staff):
    ended(staff, 16)
    assert keys(staff.manager) == []
    assert keys(staff.office) == []
    ended(staff, 17)
    assert keys(staff.manager) == ["venue-report:tardy"]
    assert keys(staff.office) == ["office:tardy"]


@pytest.mark.parametrize(
    "ahead, stage",
    [(dt.timedelta(days=14), "fortnight"), (dt.timedelta(days=14, minutes=1), None), (dt.timedelta(days=3), "days"),
     (dt.timedelta(days=3, minutes=1), "fortnight")],
)  # fmt: skip
def test_a_coming_event_without_a_head_judge(staff, ahead, stage):
    set_event(staff, starts=NOW + ahead)
    assert keys(staff.manager) == []
    Official.objects.filter(person=staff.head_judge).update(accepted=None)
    found = keys(staff.manager)
    assert [one for one in found if one.startswith("head")] == ([f"head-judge:{stage}"] if stage else [])
    assert "accept:head-judge" in found


def test_a_head_judge_without_registration_does_not_count(staff):
    set_event(staff, starts=NOW + dt.timedelta(days=2))
    Volunteer.objects.filter(person=staff.head_judge).update(state="suspended", decision_reason="Reports came late.")
    assert keys(staff.manager) == ["head-judge:days"]
    (own,) = duties_of(staff.head_judge, NOW)
    assert "Reports came late." in own.words
    set_event(staff, state="running", starts=NOW - dt.timedelta(hours=2))
    (venue,) = duties_of(staff.manager, NOW)
    assert (venue.key, venue.is_urgent) == (f"head-judge:{staff.event.pk}:running", True)
    assert "is running without an approved volunteer" in venue.words
    set_event(staff, is_practice=True)
    assert keys(staff.manager) == []


def test_the_venue_takes_its_copy(staff):
    ended(staff, 2, state="verified")
    report = VerifiedReport.objects.create(event=staff.event, document={}, made_by=staff.head_judge)
    VerifiedReport.objects.update(made=NOW - dt.timedelta(days=7))
    (duty,) = duties_of(staff.manager, NOW)
    assert duty.key == f"copy:{report.pk}"
    assert duty.is_mailed
    VerifiedReport.objects.update(made=NOW - dt.timedelta(days=6, hours=23))
    assert not duties_of(staff.manager, NOW)[0].is_mailed
    VerifiedReport.objects.update(received=NOW)
    assert duties_of(staff.manager, NOW) == []


def test_judges_see_how_many_forces_wait(staff):
    now = timezone.now()
    for standing in ("legal", "not-legal"):
        Force.objects.create(entry=EntryFactory(event=staff.event), state="submitted", standing=standing)
    Force.objects.create(entry=EntryFactory(event=staff.event), state="draft")
    Force.objects.create(entry=EntryFactory(event=staff.event, state="withdrawn"), state="submitted")
    (duty,) = duties_of(staff.judge, now)
    assert duty.words.startswith("2 forces")
    assert not duty.is_mailed
    assert duties_of(staff.scorekeeper, now) == []
    for force in Force.objects.filter(state="submitted"):
        ForceCheck.objects.create(force=force, judge=staff.judge, outcome="failed")
        ForceCheck.objects.create(force=force, judge=staff.judge, outcome="passed")
        left = duties_of(staff.judge, now)
    assert left == []


def test_an_event_that_no_one_played(staff):
    set_event(staff, starts=NOW - dt.timedelta(days=1))
    assert keys(staff.manager) == []
    set_event(staff, starts=NOW - dt.timedelta(days=1, minutes=1))
    assert [one.split(":")[0] for one in keys(staff.manager)] == ["not-played"]


def test_the_office_is_reminded_of_registrations_that_have_waited_for_a_day(staff):
    waiting = VolunteerFactory(state="pending")
    Venue.objects.filter(pk=staff.event.venue_id).update(state="pending")
    assert [one.key.split(":")[1] for one in duties_of(staff.office, NOW)] == ["volunteer", "venue"]
    assert duties_of(waiting.person, NOW) == []
    assert not any(one.is_mailed for one in duties_of(staff.office, waiting.registered))
    later = waiting.registered + dt.timedelta(days=1)
    assert [one.is_mailed for one in duties_of(staff.office, later)] == [True, True]


@pytest.mark.parametrize("events", [2, 20])
def test_duties_are_found_in_a_fixed_number_of_queries(staff, events, django_assert_max_num_queries):
    for _number in range(events):
        event = EventFactory(
            venue=staff.event.venue,
            state="finished",
            ended=NOW - dt.timedelta(days=17),
            starts=NOW - dt.timedelta(days=18),
        )
        OfficialFactory(event=event, person=staff.manager)
        Force.objects.create(entry=EntryFactory(event=EventFactory(venue=staff.event.venue)), state="submitted")
    staff.manager.is_office = True
    with django_assert_max_num_queries(12):
        assert len(duties_of(staff.manager, NOW)) >= 2 * events


# by mail


def run(*options):
    out = io.StringIO()
    call_command("send_reminders", *options, stdout=out, stderr=io.StringIO())
    return out.getvalue()


@pytest.fixture
def tardy(staff):
    """An event whose results are overdue: head judge, manager and sanctioning office must be reminded."""
    moment = timezone.now() - dt.timedelta(days=18)
    set_event(staff, state="finished", starts=moment - dt.timedelta(hours=5), ended=moment)
    return staff


def test_each_duty_is_mailed_once_however_often_the_command_runs(tardy, settings):
    settings.SITE_URL = "https://judge.example"
    assert "3 sent" in run()
    assert sorted(letter.to[0] for letter in mail.outbox) == sorted(
        person.email for person in (tardy.head_judge, tardy.manager, tardy.office)
    )
    letter = next(one for one in mail.outbox if one.to == [tardy.head_judge.email])
    assert f"https://judge.example/events/{tardy.event.public_id}/finish/" in letter.body
    assert "They were due" in letter.subject
    assert "0 sent" in run()
    assert len(mail.outbox) == 3
    assert Reminder.objects.count() == 3
    assert AuditEntry.objects.filter(verb="send-reminders").count() == 3


def test_a_duty_that_becomes_more_urgent_is_mailed_again(staff):
    ended(staff, 2, state="verified")
    assert len(reminders.remind(by=SITE, person=staff.head_judge, now=NOW)) == 1
    later = NOW + dt.timedelta(days=10)
    assert reminders.remind(by=SITE, person=staff.head_judge, now=NOW + dt.timedelta(days=8)) == []
    assert len(reminders.remind(by=SITE, person=staff.head_judge, now=later)) == 1
    assert len(reminders.remind(by=SITE, person=staff.head_judge, now=NOW + dt.timedelta(days=15))) == 1
    assert [one.key.split(":")[-1] for one in Reminder.objects.order_by("pk")] == ["verified", "soon", "tardy"]


def test_several_things_go_in_one_letter(tardy):
    OfficialFactory(event=tardy.event, person=PersonFactory(), role="judge", accepted=None)
    run()
    (letter,) = [one for one in mail.outbox if one.to == [tardy.manager.email]]
    assert letter.subject == "[Headjudge] 2 tasks due"
    assert "is waiting to be accepted" in letter.body


def test_a_dry_run_sends_and_records_nothing(tardy):
    said = run("--dry-run")
    assert tardy.head_judge.email in said
    assert "3 would be sent" in said
    assert mail.outbox == []
    assert Reminder.objects.count() == 0


def test_without_a_mail_server_nothing_is_recorded(tardy, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    assert "No mail server" in run()
    assert Reminder.objects.count() == 0


def test_a_reminder_that_the_mail_server_refuses_is_tried_again(tardy, monkeypatch):
    def refuse(*_given, **_named):
        raise ConnectionRefusedError("nobody there")

    with monkeypatch.context() as patch:
        patch.setattr(reminders, "send_mail", refuse)
        with pytest.raises(CommandError, match="3 e-mails"):
            run()
    assert Reminder.objects.count() == 0
    assert "3 sent" in run()


def test_a_run_beside_this_one_sends_nothing_twice(tardy):
    """The other run records the same reminder between this run's check and its write."""
    duties = reminders.new_duties(tardy.head_judge, timezone.now())
    Reminder.objects.create(person=tardy.head_judge, key=duties[0].key)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reminders, "new_duties", lambda *_given: duties)
        assert reminders.remind(by=SITE, person=tardy.head_judge) == []
    assert mail.outbox == []
    assert Reminder.objects.count() == 1


def test_closed_accounts_are_not_written_to(tardy):
    tardy.head_judge.is_active = False
    tardy.head_judge.save()
    assert "2 sent" in run()


# on the site


def test_the_office_sees_how_a_volunteer_and_a_venue_report(tardy):
    done = timezone.now() - dt.timedelta(days=60)
    for late in (16, 17):
        event = EventFactory(
            venue=tardy.event.venue,
            state="verified",
            starts=done,
            ended=done,
            reported_at=done + dt.timedelta(days=late),
        )
        OfficialFactory(event=event, person=tardy.head_judge)
    volunteer = Volunteer.objects.get(person=tardy.head_judge)
    for name, pk in (("office-volunteer", volunteer.pk), ("office-venue", tardy.event.venue_id)):
        response = tardy.client("office").get(reverse(f"events:{name}", args=[pk]))
        found = response.context["reported"]
        assert (found.in_time, found.late, found.awaited, list(found.overdue)) == (1, 1, 0, [tardy.event])
        assert "penalise" in response.content.decode()


def page(staff, who, name, *parts):
    return staff.client(who).get(reverse(name, args=parts)).content.decode()


def test_duties_are_shown_on_the_pages_of_the_people_concerned(tardy):
    words = f"The results of {tardy.event.name} haven&#x27;t been verified or reported"
    assert words in page(tardy, "head_judge", "home")
    assert words in page(tardy, "head_judge", "events:me")
    assert words in page(tardy, "manager", "events:venue", tardy.event.venue_id)
    assert f"The results of {tardy.event.name} at" in page(tardy, "office", "events:office")
    assert "6. Event Reporting" in page(tardy, "head_judge", "events:me")
    assert words not in page(tardy, "judge", "home")
    assert words not in page(tardy, "judge", "events:venue", tardy.event.venue_id)
