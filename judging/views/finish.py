"""The last page of an event: verify, give the venue its copy, report; the result sheet as PDF, CSV, JSON and workbook."""

import datetime
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from events.mails import is_mail_configured
from events.models import Event
from events.policy import Results, check_results, due, kept_until
from events.services.policy import excepted_rules, overrides_of, results_of
from events.views.access import Visit, form_reason, visit
from events.views.pdf_response import pdf_response
from judging.archive import archive_of
from judging.models import VerifiedReport
from judging.outbox import send_reports
from judging.services import finish as services
from judging.services import report_mail
from judging.sheet_csv import sheet_csv, standings_csv, team_standings_csv

DONE = {
    "verify": _("Results verified. The venue can download its copy here."),
    "unverify": _("Verification withdrawn."),
    "receive": _("You confirmed receipt of the results."),
    "report": _("Results reported to the sanctioning office."),
    "mail": _("The report is being sent."),
    "mail-again": _("The report is being sent."),
}


def _results(event: Event, report: VerifiedReport | None) -> Results:
    if report is None:
        return results_of(event)
    received = _day(event, report.received) if report.received else None
    return replace(results_of(event), verified=_day(event, report.made), received=received)


def _day(event: Event, moment: datetime.datetime) -> datetime.date:
    return moment.astimezone(event.venue.zone).date()


@require_safe
def finish(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show what is left to do at the end, and the sheet to download."""
    seen = visit(request, public_id)
    seen.require("see-console")
    event = seen.event
    term = due(event.ended, timezone.now(), event.venue.zone, event.reported_at) if event.ended else None
    report = event.verified_reports.filter(withdrawn=False).select_related("made_by", "received_by").first()
    mails = report_mail.mails_of(report) if report else []
    return seen.render(
        "judging/finish/page.html",
        due=term,
        open_tables=services.open_tables(event),
        appealed=services.open_appeals(event),
        report=report,
        kept_until=kept_until(_day(event, report.made)) if report else None,
        against=check_results(_results(event, report), excepted=excepted_rules(overrides_of(event))),
        may_verify=seen.may("verify-event"),
        may_report=seen.may("report-event"),
        may_receive=seen.may("receive-copy"),
        may_unverify=seen.may("unverify-event"),
        may_mail=seen.may("mail-report") and not event.is_practice,
        is_mail_configured=is_mail_configured(),
        mails=mails,
        are_failed=any(mail.state == mail.State.FAILED for mail in mails),
    )


@require_POST
def act(request: HttpRequest, public_id: str, verb: str) -> HttpResponse:
    """Do one of the last steps."""
    seen = visit(request, public_id)
    verbs: dict[str, Callable[..., object]] = {
        "verify": services.verify_event,
        "unverify": services.unverify_event,
        "receive": services.receive_copy,
        "report": services.report_event,
        "mail": report_mail.mail_report,
        "mail-again": partial(report_mail.mail_report, only_failed=True),
    }
    verbs[verb](by=seen.actor, event=seen.event, **form_reason(request))
    if verb.startswith("mail"):
        send_reports()
    messages.success(request, DONE[verb])
    return redirect("judging:finish", public_id)


def _exported(request: HttpRequest, public_id: str) -> tuple[Visit, dict[str, Any]]:
    seen = visit(request, public_id)
    seen.require("export-event")
    return seen, services.document_of(seen.event)


@require_safe
def sheet_pdf(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the result sheet as a PDF (`?paper=letter` for Letter)."""
    seen, document = _exported(request, public_id)
    size = "letter" if request.GET.get("paper") == "letter" else "a4"
    return pdf_response(services.sheet_pdf(seen.event, document, size=size), f"headjudge-{public_id}-results")


@require_safe
def sheet_as_csv(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the result sheet as CSV."""
    _seen, document = _exported(request, public_id)
    return _csv_file(sheet_csv(document), f"headjudge-{public_id}-results")


@require_safe
def standings_as_csv(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the standings alone as CSV."""
    _seen, document = _exported(request, public_id)
    return _csv_file(standings_csv(document), f"headjudge-{public_id}-standings")


@require_safe
def team_standings_as_csv(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the teams' standings as CSV, in an event that has teams."""
    seen, document = _exported(request, public_id)
    if not seen.event.teams_of_two:
        raise Http404
    return _csv_file(team_standings_csv(document), f"headjudge-{public_id}-team-standings")


@require_safe
def sheet_as_xlsx(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return entries, results and standings as a workbook of spreadsheets."""
    from judging.sheet_xlsx import sheet_xlsx

    _seen, document = _exported(request, public_id)
    response = HttpResponse(
        sheet_xlsx(document), content_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    )
    response["Content-Disposition"] = f'attachment; filename="headjudge-{public_id}-results.xlsx"'
    return response


@require_safe
def archive(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return a finished event as a ZIP file of pages, to keep or to put on a website."""
    seen = visit(request, public_id)
    seen.require("export-event")
    if seen.event.state not in (Event.State.FINISHED, Event.State.VERIFIED):
        raise Http404
    response = HttpResponse(archive_of(seen.event), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="headjudge-{public_id}-archive.zip"'
    return response


def _csv_file(text: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


@require_safe
def sheet_json(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the whole event as an event file."""
    _seen, document = _exported(request, public_id)
    response = HttpResponse(json.dumps(document, ensure_ascii=False, indent=1), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="headjudge-{public_id}.json"'
    return response
