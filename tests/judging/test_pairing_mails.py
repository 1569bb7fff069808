"""E-mails about pairings: to those who want them, once per round, beside requests, and off by one tap."""

import datetime
import re
import smtplib

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from events.models import AuditEntry, Entry, Event, Match, PairingMail, Person, Round
from events.roles import SITE
from events.services import clock, results, rounds
from events.services.people import PAIRING_MAILS
from judging.keeping import erasure
from judging.pairing_mails import MailServerError, send_mails
from tests.conftest import client_of
from tests.events.simulation import players, result
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db
SITE_URL = "https://headjudge.example"


@pytest.fixture
def hall(staff):
    """A running event with five players with accounts, of whom all but the last want e-mails."""
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING, name="Saturday Skirmish")
    staff.event.refresh_from_db()
    for entry in players(staff.event, 5):
        person = PersonFactory(name=entry.name, wants_pairings=entry.number < 5)
        Entry.objects.filter(pk=entry.pk).update(person=person)
    return staff


def published(staff):
    return rounds.publish_round(by=SITE, round=rounds.draft_round(by=SITE, event=staff.event))


def sent():
    """Return what is sent now, by the number of the player."""
    mail.outbox.clear()
    send_mails(SITE_URL)
    numbers = dict(Entry.objects.filter(person__isnull=False).values_list("person__email", "number"))
    found = {numbers[one.to[0]]: one for one in mail.outbox}
    assert len(found) == len(mail.outbox)
    return found


def match_of(round, number):
    return next(one for one in round.matches.with_entries() if number in [entry.number for entry in one.entries])


def test_each_player_who_wants_it_gets_one_mail_with_table_opponent_and_links(hall):
    round = published(hall)
    assert mail.outbox == []
    found = sent()
    assert sorted(found) == [1, 2, 3, 4]
    byes = 0
    for number, one in found.items():
        match, entry = match_of(round, number), hall.event.entries.get(number=number)
        if match.b is None:
            byes += 1
            said = "Round 1: you have a bye"
        else:
            said = f"Round 1: table {match.table} against {match.opponents_of(entry)[0].name}"
        assert one.subject == f"[Headjudge] {said}"
        assert one.body.startswith(f"Hello {entry.name},\n\nSaturday Skirmish\n{said}\n\n")
        assert f"{SITE_URL}/events/{hall.event.public_id}/entries/{number}/" in one.body
        assert "clock" not in one.body
        assert (
            client_of(entry.person).get(reverse("events:entry", args=[hall.event.public_id, number])).status_code == 200
        )
    assert byes <= 1
    assert sent() == {}


def test_a_bye_is_told(hall):
    Person.objects.update(wants_pairings=True)
    round = published(hall)
    (alone,) = [one.a.number for one in round.matches.all() if one.b is None]
    assert sent()[alone].subject == "[Headjudge] Round 1: you have a bye"


def test_only_those_whose_table_or_opponent_changed_get_another(hall):
    Person.objects.update(wants_pairings=True)
    round = published(hall)
    assert len(sent()) == 5
    rounds.unpublish_round(by=SITE, round=round, confirmed=True, reason="A name was wrong")
    assert sent() == {}
    rounds.publish_round(by=SITE, round=round)
    assert sent() == {}, "the same pairings again"
    one, two = round.matches.filter(kind=Match.Kind.GAME).order_by("table")
    opponent = two.b
    facts = {"confirmed": True, "reason": "They sat down so"}
    rounds.right_tables(by=SITE, round=round, first=one, second=two, opponent=opponent, **facts)
    found = sent()
    assert sorted(found) == sorted([one.a.number, one.b.number, two.a.number, two.b.number])
    assert f"table {one.table} against {opponent.name}" in found[one.a.number].subject
    assert sent() == {}


def test_the_next_round_has_its_own_mail_and_the_last_one_none_any_more(hall):
    first = published(hall)
    sent()
    PairingMail.objects.all().delete()
    for match in first.matches.filter(kind=Match.Kind.GAME):
        results.enter_result(by=SITE, match=match, result=result())
    rounds.complete_round(by=SITE, round=first)
    assert sent() == {}
    published(hall)
    assert {one.subject.split(":")[0] for one in sent().values()} == {"[Headjudge] Round 2"}


def test_the_start_is_told_if_it_is_known(hall):
    at = (timezone.now() + datetime.timedelta(minutes=20)).replace(microsecond=0)
    Event.objects.filter(pk=hall.event.pk).update(next_round_at=at)
    hall.event.refresh_from_db()
    round = published(hall)
    local = at.astimezone(hall.event.venue.zone)
    assert f"The clock starts at {local:%H:%M}." in sent()[1].body
    PairingMail.objects.all().delete()
    clock.start_round(by=SITE, round=round)
    began = Round.objects.get(pk=round.pk).started_at.astimezone(hall.event.venue.zone)
    assert f"The clock started at {began:%H:%M}." in sent()[1].body


def test_tables_of_four_and_partners_are_told(hall):
    Entry.objects.filter(event=hall.event, number=4).update(is_minor=True, name="Mia Minor")
    round = published(hall)
    PairingMail.objects.all().delete()
    first, *others = list(round.matches.order_by("pk"))
    for other in others:
        other.claims.all().delete()
        other.delete()
    entries = {entry.number: entry for entry in hall.event.entries.all()}
    Match.objects.filter(pk=first.pk).update(
        a=entries[1], b=entries[2], c=entries[3], d=entries[4], kind=Match.Kind.GAME, table=7
    )
    assert sent()[1].subject == "[Headjudge] Round 1: table 7 against Player 002, Player 003, Mia M."
    team, other = (hall.event.teams.create(number=n) for n in (1, 2))
    hall.event.entries.filter(number__in=[1, 3]).update(team=team)
    hall.event.entries.filter(number__in=[2, 4]).update(team=other)
    PairingMail.objects.all().delete()
    assert sent()[1].subject == "[Headjudge] Round 1: table 7 against Player 002, Mia M. (partner: Player 003)"


@pytest.mark.parametrize("why", ["nowhere", "no address", "away", "closed", "late", "arrived", "no site"])
def test_no_mail_is_sent(hall, settings, why):
    round = published(hall)
    if why == "nowhere":
        settings.EMAIL_BACKEND = settings.MAIL_NOWHERE[0]
    elif why == "no address":
        for person in Person.objects.filter(wants_pairings=True)[1:]:
            Person.objects.filter(pk=person.pk).update(wants_pairings=False)
        Person.objects.filter(wants_pairings=True).update(email="")
    elif why == "away":
        Event.objects.update(away="the laptop")
    elif why == "closed":
        Person.objects.update(is_active=False)
    elif why == "late":
        Round.objects.filter(pk=round.pk).update(published_at=timezone.now() - datetime.timedelta(hours=4))
    elif why == "arrived":
        AuditEntry.objects.create(verb="import-event", subject_model="events.Event", subject_id=hall.event.pk)
    assert send_mails("" if why == "no site" else SITE_URL) == 0
    assert mail.outbox == []


def test_publishing_asks_nothing_more_for_those_who_want_mails(hall):
    def cost(wanted):
        Person.objects.update(wants_pairings=wanted)
        round = rounds.draft_round(by=SITE, event=hall.event)
        client = hall.client("head_judge")
        with CaptureQueriesContext(connection) as asked:
            client.post(
                reverse("events:publish", args=[hall.event.public_id, round.number]), {"version": round.version}
            )
        round.refresh_from_db()
        assert round.state == "published"
        rounds.unpublish_round(by=SITE, round=round, confirmed=True, reason="Again")
        rounds.discard_draft(by=SITE, round=round)
        return len(asked)

    cost(False)
    assert cost(True) == cost(False)
    assert mail.outbox == []


class Broken(EmailBackend):
    """A mail server that refuses one address for good, and everything else until it is mended."""

    fault, refused = None, ""

    def send_messages(self, messages):
        if self.fault:
            raise self.fault
        if self.refused in messages[0].to:
            raise smtplib.SMTPRecipientsRefused({self.refused: (550, b"unknown")})
        return super().send_messages(messages)


def test_a_mail_server_that_fails_gets_the_mails_later_and_each_once(hall, settings, monkeypatch):
    settings.EMAIL_BACKEND = f"{__name__}.Broken"
    monkeypatch.setattr(Broken, "refused", hall.event.entries.get(number=2).person.email)
    published(hall)
    for fault in (ConnectionRefusedError(), smtplib.SMTPAuthenticationError(535, b"no")):
        monkeypatch.setattr(Broken, "fault", fault)
        with pytest.raises(MailServerError):
            send_mails(SITE_URL)
        assert not PairingMail.objects.exists()
    monkeypatch.setattr(Broken, "fault", None)
    assert sorted(sent()) == [1, 3, 4], "an address that doesn't exist keeps no one waiting"
    assert sent() == {}


def test_two_processes_mail_each_person_once(hall, monkeypatch):
    published(hall)
    send = EmailBackend.send_messages

    def slowly(self, messages):
        monkeypatch.setattr(EmailBackend, "send_messages", send)
        send_mails(SITE_URL)  # meanwhile, the other process
        return send(self, messages)

    monkeypatch.setattr(EmailBackend, "send_messages", slowly)
    assert len(sent()) == 4


def test_one_tap_turns_them_off(hall):
    published(hall)
    one = sent()[1]
    (link,) = re.findall(rf"Turn them off:\n{SITE_URL}(\S+)", one.body)
    assert one.extra_headers["List-Unsubscribe"] == f"<{SITE_URL}{link}>"
    assert one.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    person = hall.event.entries.get(number=1).person
    browser = Client(enforce_csrf_checks=True)
    shown = browser.get(link)
    assert "data-one-tap" in shown.text
    assert person.email not in shown.text
    assert person.name not in shown.text
    person.refresh_from_db()
    assert person.wants_pairings, "a program that checks links turns nothing off"
    answer = browser.post(link, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert "You won't get e-mails about pairings any more." in answer.text
    assert "no-store" in answer["Cache-Control"]
    person.refresh_from_db()
    assert not person.wants_pairings
    assert AuditEntry.objects.latest("pk").words == f"{person.name} turned off e-mails about pairings"
    assert "_auth_user_id" not in browser.session
    assert browser.post(link).status_code == 200
    assert "You won't get e-mails about pairings any more." in browser.get(link).text


@pytest.mark.parametrize("token", ["1", "1~forged", "~", "x~y"])
def test_a_forged_link_turns_nothing_off(hall, token):
    address = reverse("events:pairing-mails-off", args=[token])
    assert [Client().get(address).status_code, Client().post(address).status_code] == [404, 404]
    other = reverse("events:pairing-mails-off", args=[PAIRING_MAILS.sign(str(Person.objects.latest("pk").pk + 1))])
    assert Client().post(other).status_code == 404
    assert Person.objects.filter(wants_pairings=True).count() == 4


def test_a_person_chooses_it_in_their_details(hall, settings):
    person = hall.event.entries.get(number=5).person
    client, words = client_of(person), "E-mail me my table when pairings are published"
    assert words in client.get(reverse("events:account")).text
    sent_form = {"name": person.name, "version": person.version, "wants_pairings": "on"}
    assert client.post(reverse("events:account"), sent_form).status_code == 302
    person.refresh_from_db()
    assert person.wants_pairings
    assert client.get(reverse("events:my-records"))
    settings.EMAIL_BACKEND = settings.MAIL_NOWHERE[0]
    assert words in client.get(reverse("events:account")).text, "it can be turned off"
    other = client_of(hall.judge)
    assert words not in other.get(reverse("events:account")).text


def test_erased_people_are_forgotten(hall):
    published(hall)
    sent()
    person = hall.event.entries.get(number=1).person
    erasure.scrub(person, by_office=False)
    assert not PairingMail.objects.filter(person=person).exists()
    assert not Person.objects.get(pk=person.pk).wants_pairings
