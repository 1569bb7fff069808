"""Attacks by malicious players, judges, head judges and venue managers, each over HTTP."""

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from events import choices
from events.models import AuditEntry, Event, Official, Person, SignInCode, Volunteer
from events.services import entries
from events.services.people import entry_link, make_sign_in_code
from judging.keeping import snapshots
from judging.models import Decision, Penalty
from judging.services import decisions, penalties
from judging.services.decisions import JudgeRuling, LinkedRows
from tests.conftest import client_of, password_given
from tests.factories import PASSWORD, EntryFactory, MatchFactory, PersonFactory, RoundFactory

pytestmark = pytest.mark.django_db
STALE = {"version": "999"}
YES = {"confirmed": "yes", "reason": "because"}


def url(name, event, *parts):
    return reverse(name if ":" in name else f"events:{name}", args=[event.public_id, *parts])


def by_link(entry):
    client = Client()
    assert client.get(entry_link(entry)).status_code == 302
    return client


def undo(client, act):
    return client.post(url("judging:audit-log-entry", act.event, act.pk), YES)


def newest():
    return AuditEntry.objects.latest("pk")


@pytest.fixture
def match(staff):
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING)
    staff.event.refresh_from_db()
    return MatchFactory(round=RoundFactory(event=staff.event, state="running"))


# the page that compares typed values with a row changed by someone else


@pytest.mark.parametrize("verb", ["withdraw", "drop"])
def test_a_player_reads_nothing_of_another_player_from_an_old_form(staff, verb):
    state = Event.State.OPEN if verb == "withdraw" else Event.State.RUNNING
    Event.objects.filter(pk=staff.event.pk).update(state=state)
    mine = EntryFactory(event=staff.event)
    child = EntryFactory(event=staff.event, name="Karla Kind", is_minor=True, email="karla@example.org")
    asked = STALE | dict.fromkeys(("name", "email", "link_key", "person"), "x")
    answer = by_link(mine).post(url("entry-act", staff.event, child.number, verb), asked)
    assert answer.status_code == 403
    for told in (child.email, "Kind", child.link_key):
        assert told not in answer.text


def test_an_old_form_shows_no_secret_of_the_row(staff):
    event = staff.event
    answer = staff.client("manager").post(url("cancel", event), STALE | {"link_secret": "x"})
    assert answer.status_code == 409
    assert event.link_secret not in answer.text
    for who, where in (
        ("office", reverse("events:office-person", args=[staff.judge.pk])),
        ("judge", reverse("events:account")),
    ):
        answer = staff.client(who).post(
            where, STALE | {"password": "x", "name": "Other", "reason": "y", "open_ended": "on"}
        )
        assert answer.status_code == 409
        assert staff.judge.password not in answer.text.replace("&#x27;", "'")
        assert "md5$" not in answer.text


# sessions by code and by link


def test_revoking_a_players_code_ends_the_session_it_opened(staff):
    Event.objects.filter(pk=staff.event.pk).update(self_check_in=True)
    entry = EntryFactory(event=staff.event, person=PersonFactory(), state="entered")
    code = make_sign_in_code(by=staff.actor("head_judge"), event=staff.event, person=entry.person)
    client = Client()
    client.post(reverse("events:sign-in-by-code"), {"email": entry.person.email, "code": code})
    assert "withdraw" in client.get(url("entry", staff.event, entry.number)).text.lower()
    staff.client("head_judge").post(url("sign-in-code-revoke", staff.event, SignInCode.objects.get().pk))
    assert client.post(url("entry-act", staff.event, entry.number, "check-in")).status_code == 403
    entry.refresh_from_db()
    assert entry.state == "entered"


def test_a_player_link_gives_the_session_a_new_key(staff):
    """Otherwise someone who knew the browser's earlier session key could act for the player too."""
    client = Client()
    session = client.session
    session["anything"] = 1
    session.save()
    known = session.session_key
    client.cookies["sessionid"] = known
    client.get(entry_link(EntryFactory(event=staff.event)))
    assert client.cookies["sessionid"].value != known


# undo and snapshots: no way around the action table


def test_the_head_judge_cannot_bring_back_an_official_whom_the_venue_removed(staff, settings):
    settings.SNAPSHOTS_KEPT = 5
    kept = snapshots.take_by_hand(by=staff.actor("head_judge"), event=staff.event)
    official = Official.objects.get(event=staff.event, person=staff.judge)
    staff.client("manager").post(url("official-remove", staff.event, official.pk), YES)
    there = Official.objects.at_work().filter(event=staff.event, person=staff.judge)
    head_judge = staff.client("head_judge")
    assert undo(head_judge, newest()).status_code == 403
    assert head_judge.post(url("judging:snapshot-restore", staff.event, kept.pk), YES).status_code == 302
    assert not there.exists()
    back = Official.objects.get(event=staff.event, person=staff.judge)
    staff.client("manager").post(url("official-accept", staff.event, back.pk), YES)
    assert there.exists()


def test_going_back_to_a_snapshot_makes_no_worthless_link_good(staff, settings):
    settings.SNAPSHOTS_KEPT = 5
    entry = EntryFactory(event=staff.event)
    lost, head_judge = entry_link(entry), staff.client("head_judge")
    kept = snapshots.take_by_hand(by=staff.actor("head_judge"), event=staff.event)
    head_judge.post(url("entry-link-renew", staff.event, entry.number), YES)
    assert head_judge.post(url("judging:snapshot-restore", staff.event, kept.pk), YES).status_code == 302
    assert Client().get(lost).status_code == 410


def ruled(staff, match):
    ruling = JudgeRuling(question="May it?", answer="yes")
    return decisions.record_decision(
        by=staff.actor("judge"), event=staff.event, ruling=ruling, links=LinkedRows(match=match)
    )


def test_the_judge_who_ruled_cannot_make_the_appeal_go_away(staff, match):
    decision = ruled(staff, match)
    by_link(match.a).post(url("judging:ruling-appeal", staff.event, decision.number), {"appeal": "No!"})
    appeal = newest()
    assert undo(staff.client("judge"), appeal).status_code == 403
    decision.refresh_from_db()
    assert decision.state == Decision.State.APPEALED
    assert undo(staff.client("head_judge"), appeal).status_code == 302


def test_a_judge_undoes_no_decision_of_the_head_judge(staff, match):
    decision = ruled(staff, match)
    decisions.withdraw_decision(by=staff.actor("head_judge"), decision=decision, reason="wrong", confirmed=True)
    assert undo(staff.client("judge"), newest()).status_code == 403
    decision.refresh_from_db()
    assert decision.state == Decision.State.WITHDRAWN
    given = {"entry": match.a, "kind": "warning", "category": "slow-play", "text": "slow"}
    penalties.give_penalty(by=staff.actor("head_judge"), **given)
    assert undo(staff.client("judge"), newest()).status_code == 403
    assert Penalty.objects.count() == 1
    penalties.give_penalty(by=staff.actor("judge"), **given)
    assert undo(staff.client("judge"), newest()).status_code == 302, "one's own slip"


# malicious names


@pytest.mark.parametrize("name", ["events.Entry", "enter-self", choices.DEFAULT_CASCADE[0]])
def test_erasing_a_person_named_like_a_word_of_the_site_breaks_nothing(staff, name):
    """A player takes such a name, plays, and erases their data: the event's audit log and standings stay intact."""
    person = PersonFactory(name=name)
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    cascade = list(choices.DEFAULT_CASCADE)
    Event.objects.filter(pk=staff.event.pk).update(is_practice=True, cascade=cascade)
    staff.event.refresh_from_db()
    player = client_of(person)
    assert player.post(url("enter", staff.event), {"name": "Paul", "club": name}).status_code == 302
    entries.check_in(by=staff.actor("head_judge"), entry=staff.event.entries.get())
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.VERIFIED)
    before = list(AuditEntry.objects.filter(event=staff.event).values_list("verb", "as_role", "subject_model"))
    assert password_given(player).post(reverse("judging:my-data")).status_code == 302
    assert Person.objects.get(pk=person.pk).name != name
    kept = AuditEntry.objects.filter(event=staff.event)
    assert list(kept.values_list("verb", "as_role", "subject_model")) == before
    assert Event.objects.get(pk=staff.event.pk).cascade == cascade
    head_judge = staff.client("head_judge")
    pages = [url(page, staff.event) for page in ("judging:audit-log", "judging:audit-log-csv", "standings")]
    pages += [url("judging:audit-log-entry", staff.event, pk) for pk in kept.values_list("pk", flat=True)]
    for page in pages:
        assert head_judge.get(page).status_code == 200, page


def test_a_line_break_in_a_name_stops_no_reminders(staff, settings, mailoutbox):
    """The name is in the subject of the sanctioning office's mail, which can't contain line breaks."""
    form = {
        "email": "eve@example.org",
        "name": "Eve\r\nBcc: all@example.org",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    client = Client()
    client.post("/accounts/signup/", form)
    eve = Person.objects.get(email="eve@example.org")
    client_of(eve).post(reverse("events:volunteer-register"), {"city": "Ghent", "experience": "none"})
    Volunteer.objects.filter(person=eve).update(registered="2020-01-01T00:00Z")
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    call_command("send_reminders")
    assert [mail.subject for mail in mailoutbox if "Eve" in mail.subject]


def test_the_links_of_mails_lead_to_the_site_whatever_host_the_request_named(staff, settings, mailoutbox):
    """A stranger requests the judge's mail with a port of their own in the host: the mail's key sets a new password."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.SITE_URL = "https://hall.example"
    EmailAddress.objects.create(user=staff.judge, email=staff.judge.email, verified=True, primary=True)
    Client().post("/accounts/password/reset/", {"email": staff.judge.email}, HTTP_HOST="testserver:6666")
    (mail,) = mailoutbox
    assert "https://hall.example/accounts/password/reset/key/" in mail.body
    assert mail.subject.startswith("[Headjudge] ")
    assert "\nHeadjudge\nhttps://hall.example" in mail.body
    assert "testserver:6666/accounts" not in mail.body
