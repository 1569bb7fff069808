"""The end of an event: the head judge verifies, the venue receives its copy, the sanctioning office its report."""

from __future__ import annotations

import itertools
import json
from typing import Any

from django.core.mail import send_mail
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events.door import Refused, door
from events.mails import subject_line
from events.models import AuditEntry, Event, Installation, Match, Person, Round
from events.policy import due
from events.roles import Actor
from judging.keeping.event_file import event_file
from judging.models import Decision, VerifiedReport
from judging.pdf.sheet import sheet


def document_of(event: Event) -> dict[str, Any]:
    """Return the verified report's document with later steps added, or the event as it is now."""
    report = event.verified_reports.filter(withdrawn=False).first()
    if report is None:
        return _document(event)
    document: dict[str, Any] = report.document
    document["event"]["reported_at"] = event.reported_at.isoformat() if event.reported_at else None
    return document


def _document(event: Event) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(json.dumps(event_file(event), cls=DjangoJSONEncoder))
    return document


def sheet_pdf(event: Event, document: dict[str, Any], *, size: str = "a4") -> bytes:
    """Return the result sheet of an event's document as a PDF, in the present language."""
    said = {entry.pk: entry.words for entry in AuditEntry.objects.filter(event=event, is_non_standard=True)}
    return sheet(document, size=size, said=said)


def open_tables(event: Event) -> list[Match]:
    """Return the event's matches that have no result yet."""
    return list(
        Match.objects.filter(round__event=event)
        .exclude(state=Match.State.CONFIRMED)
        .with_round()
        .order_by("round__number", "table")
    )


def open_appeals(event: Event) -> list[Decision]:
    """Return the rulings whose appeal the head judge must decide before the results can be verified."""
    return list(event.decisions.filter(state=Decision.State.APPEALED).select_related("match").order_by("number"))


def verify_event(
    *, by: Actor, event: Event, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> VerifiedReport:
    """Verify the results: store the report as it is now, and send the venue its copy.

    Raises Refused if a round isn't complete. Source: sanctioning policy, Volunteer Responsibilities.
    """
    with door(
        "verify-event", by=by, event=event, on=event, version=version, confirmed=confirmed, reason=reason
    ) as writing:
        waiting = open_tables(event)
        if waiting:
            first = waiting[0]
            raise Refused(
                ngettext(
                    "%(count)d result is missing: %(round)s, table %(table)s. Enter it first.",
                    "%(count)d results are missing, the first in %(round)s, table %(table)s. Enter them first.",
                    len(waiting),
                )
                % {"count": len(waiting), "round": first.round.definite_name, "table": first.table}
            )
        appealed = open_appeals(event)
        if appealed:
            raise Refused(
                _("%(decision)s is under appeal. The head judge must decide the appeal first.")
                % {"decision": appealed[0]}
            )
        if event.rounds.exclude(state=Round.State.COMPLETE).exists():
            raise Refused(_("A round isn't complete. Complete or discard it first."))
        writing.save(event, state=Event.State.VERIFIED, verified_at=writing.at, verified_by=by.person)
        report = writing.create(VerifiedReport, event=event, document=_document(event), made_by=by.person)
        writing.says("verified")
        transaction.on_commit(lambda: _send_copy(event))
    return report


def _send_copy(event: Event) -> None:
    managers = Person.objects.filter(managing__in=event.venue.management.at_work())
    to = managers.exclude(email="").values_list("language", "email").order_by("language")
    for language, people in itertools.groupby(to, key=lambda row: row[0]):
        with translation.override(language or Installation.here().language):
            _notify(event, [email for _language, email in people])


def _notify(event: Event, to: list[str]) -> None:
    send_mail(
        subject_line(_("Verified results: %(event)s") % {"event": event.name}),
        _(
            "The head judge has verified the results of “%(event)s”. Download your copy from the event's “Finish and "
            "report” page and keep it for a year."
        )
        % {"event": event.name},
        None,
        to,
        fail_silently=True,
    )


def unverify_event(*, by: Actor, event: Event, **form: Any) -> Event:
    """Withdraw the verification: the event can be corrected again; the earlier report stays, marked."""
    consequences = [
        _("The venue's copy and the report to the sanctioning office are no longer valid."),
        _("The results can be corrected, but must then be verified again."),
    ]
    with door("unverify-event", by=by, event=event, on=event, consequences=consequences, **form) as writing:
        for report in event.verified_reports.filter(withdrawn=False):
            writing.save(report, withdrawn=True)
        writing.save(event, state=Event.State.FINISHED, verified_at=None, verified_by=None, reported_at=None)
        writing.says("verification-withdrawn")
    return event


def receive_copy(*, by: Actor, event: Event, **form: Any) -> VerifiedReport:
    """Record that the venue has its verified copy. Source: sanctioning policy, Venue Responsibilities."""
    with door("receive-copy", by=by, event=event, on=event, **form) as writing:
        report = event.verified_reports.filter(withdrawn=False).first()
        if report is None:
            raise Refused(_("No verified report yet. The head judge must verify the results first."))
        if report.received is None:
            writing.save(report, received=writing.at, received_by=by.person)
        writing.says("copy-received")
    return report


def report_event(*, by: Actor, event: Event, **form: Any) -> Event:
    """Report the verified results to the sanctioning office. Source: sanctioning policy, Event Reporting."""
    with door("report-event", by=by, event=event, on=event, **form) as writing:
        if event.is_practice:
            raise Refused(_("Practice events aren't reported."))
        if event.reported_at is not None:
            raise Refused(_("These results have already been reported."))
        writing.save(event, reported_at=writing.at)
        writing.says("reported")
        term = due(event.ended, writing.at, event.venue.zone, writing.at) if event.ended else None
        if term is not None and term.is_late:
            writing.is_non_standard = True
            writing.says("reported-late", days=-term.days_left)
    return event
