"""Sign-in codes let people act at one event, in the role they accepted there: not in their account, not elsewhere."""

import datetime
import re
import sqlite3

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessions
from django.core import mail
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from events.models import AuditEntry, Event, Official, Person, SignInCode
from events.roles import LINKED_ENTRIES, LINKED_OFFICES, Actor
from events.services.people import entry_link, make_sign_in_code
from events.unavailable import JAM
from tests.conftest import client_of
from tests.events.test_who_sees_what import addresses, filled
from tests.factories import (
    PASSWORD,
    EntryFactory,
    EventFactory,
    MatchFactory,
    OfficialFactory,
    PersonFactory,
    RoundFactory,
    VenueManagerFactory,
)

pytestmark = pytest.mark.django_db
HERE = "No official or player of this event"


def url(name, event, *parts):
    return reverse(name if ":" in name else f"events:{name}", args=[event.public_id, *parts])


def ask(staff, person, who="head_judge"):
    return staff.client(who).post(url("sign-in-code", staff.event), {"email": person.email})


def code_of(staff, person):
    return make_sign_in_code(by=staff.actor("head_judge"), event=staff.event, person=person)


def come_in(email, code, client=None):
    client = client or Client()
    return client, client.post(reverse("events:sign-in-by-code"), {"email": email, "code": code})


def by_code(staff, person):
    """Return a client that acts at the event by a sign-in code."""
    client, answer = come_in(person.email, code_of(staff, person))
    assert answer.status_code == 302
    return client


def works(client, staff):
    return client.get(url("console", staff.event)).status_code == 200


# for whom codes can be made


def test_a_code_for_anothers_head_judge_is_refused_before_and_after_they_accept(staff):
    """Head judge A proposes B's head judge, in order to sign in as them."""
    theirs = OfficialFactory()
    target = theirs.person
    proposed = staff.client("head_judge").post(url("officials", staff.event), {"email": target.email, "role": "judge"})
    assert proposed.status_code == 302
    assert HERE in ask(staff, target).text
    Official.objects.filter(event=staff.event, person=target).update(accepted=timezone.now())
    assert HERE in ask(staff, target).text, "the venue's word is not theirs"
    Official.objects.filter(event=staff.event, person=target).update(confirmed=timezone.now())
    refused = ask(staff, target)
    assert refused.status_code == 403
    assert "another event" in refused.text
    assert not SignInCode.objects.exists()
    Event.objects.filter(pk=theirs.event_id).update(state=Event.State.VERIFIED)
    assert ask(staff, target).context["code"]


FURTHER = {
    "manager": lambda person: VenueManagerFactory(person=person),
    "office": lambda person: Person.objects.filter(pk=person.pk).update(is_office=True),
    "staff": lambda person: Person.objects.filter(pk=person.pk).update(is_staff=True),
    "superuser": lambda person: Person.objects.filter(pk=person.pk).update(is_superuser=True),
    "inactive": lambda person: Person.objects.filter(pk=person.pk).update(is_active=False),
    "two-factor": lambda person: TOTP.activate(person, generate_totp_secret()),
    "elsewhere": lambda person: OfficialFactory(person=person, role="scorekeeper", event__state="draft"),
}


@pytest.mark.parametrize("further", FURTHER)
def test_people_with_power_beyond_the_event_get_no_code(staff, further):
    code = code_of(staff, staff.judge)
    FURTHER[further](staff.judge)
    assert ask(staff, staff.judge).status_code == 403
    client, _answer = come_in(staff.judge.email, code)
    assert not works(client, staff)
    assert LINKED_OFFICES not in client.session
    assert not AuditEntry.objects.filter(verb="use-sign-in-code", sentence="code-used").exists()


def test_an_offer_elsewhere_keeps_no_one_from_a_code(staff):
    """Otherwise any stranger could keep judges from getting codes, by proposing them or making them managers."""
    OfficialFactory(person=staff.judge, confirmed=None)
    VenueManagerFactory(person=staff.judge, confirmed=None)
    assert works(by_code(staff, staff.judge), staff)


def test_an_address_on_an_entry_gives_no_code(staff):
    listed = PersonFactory(email="lee@example.org")
    EntryFactory(event=staff.event, email=listed.email)
    assert HERE in ask(staff, listed).text


def test_a_right_that_was_lost_since_is_not_used(staff):
    code = code_of(staff, staff.judge)
    Official.objects.filter(person=staff.judge).delete()
    client, answer = come_in(staff.judge.email, code)
    assert answer.status_code == 403
    assert not works(client, staff)


# what a session by code can reach


def test_a_judge_by_code_does_the_judges_work_at_this_event(staff):
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING)
    match = MatchFactory(round=RoundFactory(event=staff.event, state="running"))
    client = by_code(staff, staff.judge)
    page = client.get(url("console", staff.event)).text
    assert staff.judge.name in page
    assert "signed in for this event only" in page
    table = (match.round.number, match.table)
    assert client.post(url("judging:call-raise", staff.event, *table)).status_code == 302
    call = staff.event.rounds.get().matches.get().calls.get()
    assert client.post(url("judging:call-act", staff.event, call.pk, "take")).status_code == 302
    ruled = {"round": 1, "table": match.table, "question": "May it?", "answer": "yes"}
    assert client.post(url("judging:rule", staff.event), ruled).status_code == 302
    drink = {"minutes": 5, "reason": "A drink"}
    assert client.post(url("extend", staff.event, *table), drink).status_code == 302
    score = {"act": "enter", "score_a": 120, "score_b": 40}
    assert client.post(url("enter-result", staff.event, *table), score).status_code == 302
    done = AuditEntry.objects.filter(verb__in=("take-call", "record-decision", "enter-result"))
    assert {(row.by_person, row.as_role, row.by_code) for row in done} == {(staff.judge, "judge", True)}
    assert done.count() == 3
    assert "by sign-in code" in staff.client("judge").get(url("judging:audit-log", staff.event)).text


@pytest.mark.parametrize("who", ["head_judge", "player"])
def test_a_session_by_code_reaches_no_account_no_other_event_and_no_venue(staff, who):
    """Every address outside this event, read and posted: nothing private is shown, nothing written."""
    person = PersonFactory() if who == "player" else getattr(staff, who)
    if who == "player":
        EntryFactory(event=staff.event, person=person)
    other = EventFactory(state="open", venue=staff.event.venue, starts=staff.event.starts + datetime.timedelta(days=9))
    secret = OfficialFactory(event=other, role="judge", person=person, confirmed=None)
    client = by_code(staff, person)
    assert "_auth_user_id" not in client.session
    before = AuditEntry.objects.count(), Person.objects.get(pk=person.pk).password
    known = {"public_id": other.public_id, "event_id": other.public_id, "number": 1, "table": 1, "edition": "ic-2002"}
    known |= {"pk": staff.event.venue_id, "hall": 1, "manager": 1, "verb": "take", "kind": "role", "answer": "accept"}
    faults, tried = [], 0
    private = re.compile("me/|accounts/(email|password/change|2fa)|office/|venues/|events/|e/|volunteers|api/events")
    for name, route in addresses():
        parts = known | ({"pk": secret.pk} if name == "events:offer-answer" else {})
        address = filled(route, parts)
        if address is None or not private.match(address[1:]):
            continue
        for ask_it in (
            client.get,
            lambda where: client.post(where, {"confirmed": "yes", "reason": "x", "role": "judge"}),
        ):
            response = ask_it(address)
            tried += 1
            if (
                response.status_code == 200
                and not response.streaming
                and person.email in response.content.decode("latin-1")
            ):
                faults.append(f"{name}: shows the account")
        if (AuditEntry.objects.count(), Person.objects.get(pk=person.pk).password) != before:
            faults.append(f"{name}: something was written")
            before = AuditEntry.objects.count(), Person.objects.get(pk=person.pk).password
    assert tried > 200
    assert not faults, "\n".join(faults)
    for closed in ("events:me", "events:account", "events:my-records", "judging:my-data-file", "account_email"):
        assert client.get(reverse(closed)).url.startswith("/accounts/login/"), closed
    secret.refresh_from_db()
    assert secret.confirmed is None


def test_a_head_judge_by_code_makes_no_codes_and_enters_no_one_s_account(staff):
    client = by_code(staff, staff.head_judge)
    assert works(client, staff)
    asked = client.post(url("sign-in-code", staff.event), {"email": staff.judge.email})
    assert asked.status_code == 403
    assert client.post(url("copy", staff.event)).status_code == 403
    entered = client.post(url("enter", staff.event), {"name": "Me", "declares": "on"})
    assert entered.context["form"].errors["email"], "entered like anyone without an account: by a link that is mailed"
    assert not staff.event.entries.exists()


def test_a_player_by_code_reports_and_sees_only_what_the_player_link_lets_them(staff):
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING)
    player = PersonFactory()
    entry = EntryFactory(event=staff.event, person=player)
    match = MatchFactory(round=RoundFactory(event=staff.event, state="running"), a=entry)
    client = by_code(staff, player)
    assert client.session[LINKED_ENTRIES] == {str(staff.event.pk): [entry.pk, 1, SignInCode.objects.get().pk]}
    said = client.post(url("claim", staff.event, 1, match.table), {"score_a": 100, "score_b": 20})
    assert said.status_code == 302
    claim = match.claims.get()
    assert (claim.by_entry, claim.by_person) == (entry, None)
    assert client.get(url("console", staff.event)).status_code == 403


# how it ends


ENDINGS = {
    "the role is taken away": lambda staff: Official.objects.filter(person=staff.judge).delete(),
    "the role is no longer accepted": lambda staff: Official.objects.filter(person=staff.judge).update(confirmed=None),
    "the event is verified": lambda staff: Event.objects.filter(pk=staff.event.pk).update(state="verified"),
    "fourteen hours are over": lambda _staff: SignInCode.objects.update(
        used=timezone.now() - datetime.timedelta(hours=14, minutes=1)
    ),
    "a newer code is made": lambda staff: code_of(staff, staff.judge),
    "the account is closed": lambda staff: Person.objects.filter(pk=staff.judge.pk).update(is_active=False),
    "it is revoked": lambda staff: staff.client("head_judge").post(
        url("sign-in-code-revoke", staff.event, SignInCode.objects.get().pk)
    ),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_session_by_code_ends(staff, ending):
    client = by_code(staff, staff.judge)
    assert works(client, staff)
    ENDINGS[ending](staff)
    assert not works(client, staff)


def test_a_role_given_again_is_not_the_one_the_code_was_for(staff):
    client = by_code(staff, staff.judge)
    Official.objects.filter(person=staff.judge).delete()
    OfficialFactory(event=staff.event, person=staff.judge, role="judge")
    assert not works(client, staff)


def test_the_device_signs_out_and_the_next_one_at_it_has_nothing(staff):
    client = by_code(staff, staff.judge)
    client.post(url("entry-link-forget", staff.event))
    assert not works(client, staff)


def test_the_session_gets_a_new_key_and_an_account_that_signs_in_is_itself(staff):
    client = Client()
    client.get(entry_link(EntryFactory(event=EventFactory())))
    before = client.session.session_key
    come_in(staff.judge.email, code_of(staff, staff.judge), client)
    assert client.session.session_key != before
    other = PersonFactory()
    client.force_login(other, backend="django.contrib.auth.backends.ModelBackend")
    assert not works(client, staff), "who signs in acts as themselves"


def test_a_signed_in_person_must_sign_out_first(staff):
    client = client_of(PersonFactory())
    _client, answer = come_in(staff.judge.email, code_of(staff, staff.judge), client)
    assert "Sign out first" in answer.text
    assert SignInCode.objects.get().used is None


def test_only_the_head_judge_revokes(staff):
    by_code(staff, staff.judge)
    row = SignInCode.objects.get()
    for who in ("manager", "judge", "scorekeeper", "office"):
        assert staff.client(who).post(url("sign-in-code-revoke", staff.event, row.pk)).status_code == 403
    elsewhere = OfficialFactory()
    theirs = url("sign-in-code-revoke", elsewhere.event, row.pk)
    assert client_of(elsewhere.person).post(theirs).status_code == 404


# notifying the person


def test_the_person_is_told_at_the_next_sign_in_once(staff):
    by_code(staff, staff.judge)
    for told in (True, False):
        client = Client()
        page = client.post("/accounts/login/", {"login": staff.judge.email, "password": PASSWORD}, follow=True).text
        assert (f"{staff.head_judge.name} created the code" in page) is told
        assert ("used a sign-in code to act as you at " + staff.event.name in page) is told


def test_the_person_is_told_by_mail_where_mail_is_set_up(staff, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        by_code(staff, staff.judge)
    (letter,) = mail.outbox
    assert letter.to == [staff.judge.email]
    assert staff.event.name in letter.body
    assert staff.head_judge.name in letter.body


def test_a_wrong_code_is_counted_and_said_to_be_by_no_one(staff):
    code = code_of(staff, staff.judge)
    come_in(staff.judge.email, f"{code[:3]}WRONG")
    row = AuditEntry.objects.get(verb="use-sign-in-code")
    assert (row.by_person, SignInCode.objects.get().attempts) == (None, 1)


@pytest.mark.parametrize("rows", ["create", "update"])
def test_a_code_is_not_used_up_where_the_session_cannot_be_saved(staff, monkeypatch, rows):
    """The database is locked once, when the session is saved; the person types the same code again."""
    code, failures, save = code_of(staff, staff.judge), [1], DatabaseSessions.save

    def locked_once(store, must_create=False):
        if failures and must_create is (rows == "create"):
            failures.pop()
            fault = sqlite3.OperationalError("database is locked")
            fault.sqlite_errorname = "SQLITE_BUSY"
            raise OperationalError("database is locked") from fault
        save(store, must_create)

    monkeypatch.setattr(JAM, "until", 0.0)
    monkeypatch.setattr(DatabaseSessions, "save", locked_once)
    client, page = come_in(staff.judge.email, code, Client(raise_request_exception=False))
    if rows == "update":
        assert page.status_code == 302, "the session is saved with the code, and not once more"
    else:
        assert page.status_code == 503
        assert "Nothing was saved" in page.text
        assert SignInCode.objects.get().used is None
        assert not works(client, staff)
        monkeypatch.setattr(JAM, "until", 0.0)
        assert come_in(staff.judge.email, code, client)[1].status_code == 302
    assert SignInCode.objects.get().used is not None
    assert works(client, staff)


def test_a_right_code_is_not_counted_as_a_wrong_one_of_another_event(staff):
    other = EventFactory(state="open")
    entry = EntryFactory(event=staff.event, person=PersonFactory()), EntryFactory(event=other)
    entry[1].person = entry[0].person
    entry[1].save()
    person = entry[0].person
    head = OfficialFactory(event=other, role="head-judge").person
    first = make_sign_in_code(by=staff.actor("head_judge"), event=staff.event, person=person)
    second = make_sign_in_code(by=Actor(person=head), event=other, person=person)
    for code in (second, first):
        assert come_in(person.email.upper(), code)[1].status_code == 302
    assert list(SignInCode.objects.values_list("attempts", flat=True)) == [0, 0]
