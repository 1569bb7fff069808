"""The verified report by e-mail: to whom the policy names, asked first, sent beside the request, failures shown and retried."""

import smtplib
import threading
import time

import pytest
from django.core.mail.backends.locmem import EmailBackend
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from events.models import AuditEntry, Event, Installation
from judging import background, outbox
from judging.models import ReportMail
from judging.services import finish as services
from judging.services import report_mail
from tests.conftest import client_of
from tests.factories import PersonFactory, VenueManagerFactory
from tests.judging.test_finish import act, played

pytestmark = pytest.mark.django_db


@pytest.fixture
def verified(staff):
    event = played(staff)
    services.verify_event(by=staff.actor("head_judge"), event=event)
    return event


def page_of(staff, event, who="head_judge"):
    return staff.client(who).get(reverse("judging:finish", args=[event.public_id])).content.decode()


def states(event):
    return [(mail.to, mail.state, mail.fault) for mail in ReportMail.objects.filter(event=event)]


def test_one_tap_asks_first_and_then_reaches_the_office_and_the_venue(staff, verified, mailoutbox):
    asked = act(staff.client("head_judge"), verified, "mail")
    assert asked.status_code == 409
    words = asked.content.decode()
    assert "To: Otto Office (sanctioning office)" in words
    assert "To: Vera Venue (venue manager)" in words
    assert staff.manager.email not in words
    assert "the result sheet (PDF) and the results (CSV)" in words
    assert (mailoutbox, states(verified)) == ([], [])
    assert act(staff.client("head_judge"), verified, "mail", confirmed="yes").status_code == 302
    assert [mail.to for mail in mailoutbox] == [[staff.office.email], [staff.manager.email]]
    (_, pdf, kind), (_, text, _) = mailoutbox[0].attachments
    assert kind == "application/pdf"
    assert pdf.startswith(b"%PDF")
    assert "José Ñandú" in text
    assert states(verified) == [("office", "sent", ""), ("venue", "sent", "")]
    said = [entry.words for entry in AuditEntry.objects.filter(event=verified, verb="mail-report").order_by("pk")]
    assert said == ["Report e-mailed to 2 recipients", *["The mail server accepted the report"] * 2]
    assert "Vera Venue" in page_of(staff, verified)


def test_the_attached_sheet_is_the_verified_one(staff, verified, mailoutbox, tmp_path):
    Event.objects.filter(pk=verified.pk).update(name="Changed behind its back")
    act(staff.client("manager"), verified, "mail", confirmed="yes")
    path = tmp_path / "sheet.pdf"
    path.write_bytes(mailoutbox[0].attachments[0][1])
    text = " ".join(page.extract_text() for page in PdfReader(path).pages)
    assert verified.name in text
    assert "Changed behind" not in text


def test_the_address_in_the_settings_takes_the_place_of_the_administrators(staff, verified, mailoutbox):
    form = {"format": "constructed", "edition": "core-modern", "build_total": 300, "time_zone": "UTC", "language": "en"}
    page = reverse("events:installation")
    assert staff.client("office").post(page, form | {"report_to": "no address"}).status_code == 200
    assert staff.client("office").post(page, form | {"report_to": "results@office.example"}).status_code == 302
    assert Installation.here().report_to == "results@office.example"
    assert "To: results@office.example" in act(staff.client("head_judge"), verified, "mail").content.decode()
    act(staff.client("head_judge"), verified, "mail", confirmed="yes")
    assert [mail.to for mail in mailoutbox] == [["results@office.example"], [staff.manager.email]]


def test_a_second_sending_says_that_it_was_sent_before(staff, verified, mailoutbox):
    act(staff.client("head_judge"), verified, "mail", confirmed="yes")
    again = act(staff.client("manager"), verified, "mail")
    assert "This report has already been sent" in again.content.decode()
    act(staff.client("manager"), verified, "mail", confirmed="yes")
    assert len(mailoutbox) == 4


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (ConnectionRefusedError(), "The mail server can&#x27;t be reached."),
        (smtplib.SMTPRecipientsRefused({"a@b.example": (550, b"no")}), "The mail server refused the address."),
        (smtplib.SMTPDataError(552, b"too large"), "The mail server refused the e-mail."),
    ],
)
def test_a_failure_is_shown_and_only_what_failed_is_sent_again(staff, verified, mailoutbox, monkeypatch, fault, words):
    send = EmailBackend.send_messages

    def refuse(self, messages):
        if messages[0].to == [staff.manager.email]:
            raise fault
        return send(self, messages)

    with monkeypatch.context() as patch:
        patch.setattr(EmailBackend, "send_messages", refuse)
        act(staff.client("head_judge"), verified, "mail", confirmed="yes")
    assert [state for _to, state, _fault in states(verified)] == ["sent", "failed"]
    page = page_of(staff, verified)
    assert words in page
    assert "Resend failed e-mails" in page
    asked = act(staff.client("head_judge"), verified, "mail-again").content.decode()
    assert "To: Vera Venue" in asked
    assert "To: Otto Office" not in asked
    act(staff.client("head_judge"), verified, "mail-again", confirmed="yes")
    assert [mail.to for mail in mailoutbox] == [[staff.office.email], [staff.manager.email]]
    assert [state for _to, state, _fault in states(verified)] == ["sent", "sent"]


def test_without_a_mail_server_the_page_says_so(staff, verified, settings, mailoutbox):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    page = page_of(staff, verified)
    assert "E-mail isn't set up on this site" in page
    assert "/finish/mail/" not in page
    assert act(staff.client("head_judge"), verified, "mail", confirmed="yes").status_code == 403
    assert states(verified) == []


@pytest.mark.parametrize("who", ["judge", "scorekeeper", "outsider"])
def test_others_send_nothing(staff, verified, mailoutbox, who):
    client = client_of(PersonFactory()) if who == "outsider" else staff.client(who)
    assert act(client, verified, "mail", confirmed="yes").status_code == 403
    assert mailoutbox == []


def test_a_manager_who_has_not_accepted_and_a_closed_account_get_nothing(staff, verified, mailoutbox):
    VenueManagerFactory(venue=verified.venue, person=PersonFactory(name="Offered"), confirmed=None)
    VenueManagerFactory(venue=verified.venue, person=PersonFactory(name="Closed", is_active=False))
    assert [str(one) for one in report_mail.recipients_of(verified)] == [
        "Otto Office (sanctioning office)",
        "Vera Venue (venue manager)",
    ]


def test_before_the_verification_and_for_practice_nothing_is_sent(staff, mailoutbox):
    event = played(staff)
    assert act(staff.client("head_judge"), event, "mail", confirmed="yes").status_code == 403
    services.verify_event(by=staff.actor("head_judge"), event=event)
    Event.objects.filter(pk=event.pk).update(is_practice=True)
    assert act(staff.client("head_judge"), event, "mail", confirmed="yes").status_code == 403
    assert "Report by e-mail" not in page_of(staff, event)
    assert mailoutbox == []


def test_a_report_withdrawn_while_it_waits_is_not_sent(staff, verified, mailoutbox):
    report_mail.mail_report(by=staff.actor("head_judge"), event=verified, confirmed=True)
    services.unverify_event(by=staff.actor("head_judge"), event=verified, confirmed=True, reason="Table 3")
    report_mail.send_waiting()
    assert mailoutbox == []
    assert {fault for _to, _state, fault in states(verified)} == {"no-report"}


def test_what_a_dead_process_left_is_sent_later_and_while_it_waits_nothing_else_is(staff, verified, mailoutbox):
    report_mail.mail_report(by=staff.actor("head_judge"), event=verified, confirmed=True)
    ReportMail.objects.update(began=timezone.now())
    report_mail.send_waiting()
    assert mailoutbox == []
    assert act(staff.client("head_judge"), verified, "mail", confirmed="yes").status_code == 403
    ReportMail.objects.update(began=timezone.now() - 2 * report_mail.LEASE)
    background.sweep()
    assert len(mailoutbox) == 2


@pytest.mark.django_db(transaction=True)
def test_a_serving_process_sends_beside_the_request(staff, verified, mailoutbox, monkeypatch):
    box = outbox.Outbox()
    box.thread = threading.current_thread()
    monkeypatch.setattr(outbox, "OUTBOX", box)
    mailoutbox.clear()
    act(staff.client("head_judge"), verified, "mail", confirmed="yes")
    assert mailoutbox == []
    assert {state for _to, state, _fault in states(verified)} == {"waiting"}
    assert box.woken.is_set()
    box.turn()
    until = time.monotonic() + 20
    while box.busy and time.monotonic() < until:
        time.sleep(0.02)
    assert len(mailoutbox) == 2
    assert {state for _to, state, _fault in states(verified)} == {"sent"}
