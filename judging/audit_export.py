"""The audit log as files: CSV for spreadsheets, plain values for JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from events.models import AuditEntry, Event
from judging.audit_changes import RowNames, changes_in_words, in_one_line
from judging.sheet_csv import guarded


def log_as_rows(found: Iterable[AuditEntry]) -> list[dict[str, Any]]:
    """Return audit log entries as plain values, with each changed row before and after."""
    return [
        {
            "id": row.pk,
            "at": row.at.isoformat(),
            "action": row.verb,
            "by": str(row.by_person or row.by_entry or ""),
            "role": row.as_role,
            "by_code": row.by_code,
            "by_token": row.by_token,
            "summary": row.words,
            "reason": row.reason,
            "non_standard": row.is_non_standard,
            "undoes": row.undoes_id,
            "changes": row.changes,
        }
        for row in found
    ]


def log_as_csv(found: Iterable[AuditEntry], event: Event | None = None) -> str:
    """Return audit log entries as CSV, one per line, in the current time zone, guarded against formulas.

    Changes are worded as on the page, for the first rows of each entry; the JSON file has every row as stored.
    """
    found = list(found)
    names = RowNames.in_entries(event, found)
    out = io.StringIO()
    writer = csv.writer(out)
    heads = (
        _("Number"),
        f"{_('When')} ({timezone.get_current_timezone_name()})",
        _("Knocked out or captured by"),
        _("Role"),
        _("Action"),
        _("Description"),
        _("Reason"),
        _("Non-standard"),
        _("Undoes entry"),
        _("Changes"),
    )
    writer.writerow(heads)
    for row in found:
        writer.writerow(
            guarded(value)
            for value in (
                row.pk,
                f"{timezone.localtime(row.at):%Y-%m-%d %H:%M:%S}",
                " ".join(filter(None, [str(row.by_person or row.by_entry or _("the site")), row.get_means_words()])),
                row.get_role_words(),
                row.verb,
                row.words,
                row.reason,
                _("yes") if row.is_non_standard else "",
                row.undoes_id or "",
                in_one_line(changes_in_words(row, names)),
            )
        )
    return out.getvalue()
