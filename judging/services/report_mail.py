"""The verified report by e-mail: to the venue, which keeps a copy, and to the sanctioning office, which results are due to.

Source of the recipients: sanctioning policy, Volunteer Responsibilities and Event Reporting. Each recipient gets an
e-mail of their own. The rows are written with the request; `judging.outbox` sends what waits.
"""

from __future__ import annotations

import datetime
import logging
from collections.abc import Iterable
from smtplib import SMTPException, SMTPRecipientsRefused
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import formats, timezone, translation
from django.utils.translation import gettext as _

from events.door import Refused, door
from events.mails import is_mail_configured, subject_line
from events.models import Event, Installation, Person
from events.roles import SITE, Actor
from judging.models import ReportMail, VerifiedReport
from judging.services.finish import document_of, sheet_pdf
from judging.sheet_csv import sheet_csv

LEASE = datetime.timedelta(minutes=3)
"""The longest time one e-mail may take; after this another process sends it."""
State, To, Fault = ReportMail.State, ReportMail.To, ReportMail.Fault
logger = logging.getLogger(__name__)


def recipients_of(event: Event) -> list[ReportMail]:
    """Return an e-mail, not saved, for each whom the policy names: the sanctioning office, then the venue's managers.

    The office is the address that the installation's settings name, or the administrators.
    """
    people = Person.objects.filter(is_active=True).exclude(email="").order_by("name", "pk")
    if address := Installation.here().report_to:
        office = [ReportMail(event=event, to=To.OFFICE, address=address)]
    else:
        office = [ReportMail(event=event, to=To.OFFICE, person=person) for person in people.filter(is_office=True)]
    at_work = people.filter(managing__in=event.venue.management.at_work())
    known = {one.person for one in office}
    return office + [ReportMail(event=event, to=To.VENUE, person=person) for person in at_work if person not in known]


def mails_of(report: VerifiedReport) -> list[ReportMail]:
    """Return the e-mails of a report, by recipient and time."""
    return list(ReportMail.objects.filter(event=report.event_id, asked__gte=report.made).select_related("person"))


def mail_report(*, by: Actor, event: Event, only_failed: bool = False, **form: Any) -> list[ReportMail]:
    """Queue the verified report for its recipients, or again for those whom it didn't reach.

    Raise Refused without a mail server, without recipients, for a practice event, or while it is being sent.
    """
    report = event.verified_reports.filter(withdrawn=False).first()
    mails = mails_of(report) if report is not None else []
    failed = [mail for mail in mails if mail.state == State.FAILED]
    to = failed if only_failed else recipients_of(event)
    with door(
        "mail-report", by=by, event=event, on=event, consequences=_consequences(event, to, mails), **form
    ) as writing:
        _check(event, to, mails)
        for mail in failed:
            writing.delete(mail)
        made = [
            writing.create(ReportMail, event=event, to=one.to, person=one.person, address=one.address, asked=writing.at)
            for one in to
        ]
        writing.says("report-mailed", n=len(made))
    return made


def _consequences(event: Event, to: Iterable[ReportMail], mails: Iterable[ReportMail]) -> list[str]:
    found = [_("To: %(recipient)s") % {"recipient": one} for one in to]
    found.append(_("Attached: the result sheet (PDF) and the results (CSV), with the names of all players."))
    if sent := [mail for mail in mails if mail.state == State.SENT and mail.settled]:
        last = max(mail.settled for mail in sent if mail.settled).astimezone(event.venue.zone)
        told = {"moment": formats.date_format(last, "j F Y, H:i"), "names": ", ".join(str(mail) for mail in sent)}
        found.append(_("This report has already been sent to %(names)s, last on %(moment)s.") % told)
    return found


def _check(event: Event, to: list[ReportMail], mails: Iterable[ReportMail]) -> None:
    if event.is_practice:
        raise Refused(_("Practice events aren't reported."))
    if not is_mail_configured():
        raise Refused(_("E-mail isn't set up on this site. Download the result sheet and send it yourself."))
    if any(mail.state == State.WAITING for mail in mails):
        raise Refused(_("The report is being sent. Wait until every e-mail is marked “sent” or “not sent”."))
    if not to:
        raise Refused(_("The report has no recipients. The administrator can enter an address in Settings."))


# sending


def send_waiting() -> None:
    """Send what is waiting, or was left by a process that died; two processes send it once."""
    now = timezone.now()
    for mail in _waiting(now).select_related("event__venue", "person").order_by("pk"):
        if _waiting(now).filter(pk=mail.pk).update(began=timezone.now()):
            _send(mail)


def _waiting(now: datetime.datetime) -> QuerySet[ReportMail]:
    gone = Q(began__lt=now - LEASE) | Q(began__gt=now + LEASE)  # began in the future: the clock was set back
    return ReportMail.objects.filter(Q(began=None) | gone, state=State.WAITING)


def _send(mail: ReportMail) -> None:
    """Send an e-mail and record in the audit log what came of it."""
    fault = _fault_of(mail)
    settled = {"state": State.FAILED if fault else State.SENT, "fault": fault, "settled": timezone.now()}
    try:
        with door("mail-report", by=SITE, event=mail.event, on=mail, confirmed=True) as writing:
            writing.save(mail, **settled)
            writing.says("report-not-sent" if fault else "report-sent")
    except Refused:  # the verification was withdrawn
        ReportMail.objects.filter(pk=mail.pk).update(**settled)


def _fault_of(mail: ReportMail) -> str:
    """Try to send an e-mail; return why it failed, or ""."""
    if not VerifiedReport.objects.filter(event=mail.event, withdrawn=False).exists():
        return Fault.NO_REPORT
    language = mail.person.language if mail.person is not None else ""
    try:
        with translation.override(language or Installation.here().language):
            _message(mail).send()
    except SMTPRecipientsRefused:
        return Fault.ADDRESS
    except SMTPException:
        logger.exception("A report couldn't be e-mailed")
        return Fault.REFUSED
    except OSError:
        logger.exception("A report couldn't be e-mailed")
        return Fault.NO_SERVER
    except Exception:
        logger.exception("A report couldn't be made")
        return Fault.OTHER
    return ""


def _message(mail: ReportMail) -> EmailMessage:
    event, document = mail.event, document_of(mail.event)
    day = event.starts.astimezone(event.venue.zone)
    told = {"event": event.name, "venue": event.venue.name, "day": formats.date_format(day, "j F Y")}
    lines = [
        _("Attached are the verified results of “%(event)s” (%(venue)s, %(day)s): the result sheet and a CSV file.")
        % told,
        f"{settings.SITE_URL}{reverse('judging:finish', args=[event.public_id])}",
    ]
    to = mail.person.email if mail.person is not None else mail.address
    message = EmailMessage(subject_line(_("Verified results: %(event)s") % told), "\n\n".join(lines), to=[to])
    name = f"headjudge-{event.public_id}-results"
    message.attach(f"{name}.pdf", sheet_pdf(event, document), "application/pdf")
    message.attach(f"{name}.csv", sheet_csv(document).encode(), "text/csv")
    return message
