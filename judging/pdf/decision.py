"""A printed decision: question, answer, judge, reasons, appeal, citations, and the position step by step."""

from __future__ import annotations

import datetime
import zoneinfo

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, Spacer

from events.pdf.paper import PageHeading, paper, words
from judging.models import Decision
from judging.readings import topic_title
from judging.services.decisions import said
from rules.engine import ruling
from rules.labels import labelled
from rules.pdf.dispute import beside_code, case_on_paper, section
from rules.pdf.paper import MARGIN, SIZES


def decision_pdf(decision: Decision, *, address: str, size: str = "a4") -> bytes:
    """Return a decision as a PDF; `address` is its page on the site, `size` is `a4` or `letter`."""
    event = decision.event
    zone = event.venue.zone
    width = SIZES[size][0] - 2 * MARGIN
    made = _("created %(when)s") % {"when": _when(timezone.now(), zone)}
    place = f"{event.venue.name}, {event.venue.city}"
    heading = PageHeading(" · ".join(filter(None, [event.name, _where(decision)])), str(decision), place, made)
    content = [*beside_code(_asked(decision), address, width), *_answered(decision, zone), *_rests_on(decision)]
    cited = [one for name in decision.rulings if (one := ruling(decision.edition, name)) is not None]
    content += case_on_paper(decision.position, width, cited, _signers(decision))
    return paper(heading, content, size=size)


def _where(decision: Decision) -> str:
    """Return the round and table that the decision is about, "" if it is about none."""
    match = decision.match
    return f"{match.round}, " + _("Table %(table)s") % {"table": match.table} if match is not None else ""


def _signers(decision: Decision) -> list[str]:
    """Return the judge, then the head judge who gave the final ruling; no one signs a ruling that was withdrawn."""
    if decision.state == Decision.State.WITHDRAWN:
        return []
    ends = _("date, signature")
    found = [f"{_('Judge')} {decision.ruled_by} · {ends}"]
    return [*found, f"{_('Head judge')} {decision.final_by} · {ends}"] if decision.is_final else found


def _when(instant: datetime.datetime, zone: zoneinfo.ZoneInfo) -> str:
    return formats.date_format(instant.astimezone(zone), "D j N Y, H:i")


def _capital(text: object) -> str:
    words_said = str(text)
    return words_said[:1].upper() + words_said[1:]


def _given_by(person: object, instant: datetime.datetime | None, zone: zoneinfo.ZoneInfo) -> str:
    return f"{person}, {_when(instant, zone)}" if instant is not None else str(person)


def _asked(decision: Decision) -> list[Flowable]:
    lines: list[Flowable] = [words(decision.question, 15, bold=True), Spacer(0, 2 * mm)]
    match = decision.match
    if match is not None:
        lines.append(words(labelled(_where(decision), str(match)), 11))
    if decision.state == Decision.State.WITHDRAWN:
        told = {"judge": decision.taken_back_by, "why": decision.taken_back_why}
        return [*lines, words(_("Withdrawn by %(judge)s: %(why)s") % told, 11)]
    return [*lines, words(_capital(decision.get_state_display()), 11)]


def _part(title: str, answer: str, *told: str, counts: bool = True) -> list[Flowable]:
    """Return a heading, the answer in large letters, struck if it no longer counts, and what was said of it.

    Return nothing if all of that is empty.
    """
    large = [words(answer, 14 if counts else 11, bold=counts, struck=not counts)] if answer else []
    lines = [*large, *(words(one, 10) for one in told if one)]
    if not lines:
        return []
    return [KeepTogether([words(title, 11), Spacer(0, 1 * mm), *lines]), Spacer(0, 3 * mm)]


def _answered(decision: Decision, zone: zoneinfo.ZoneInfo) -> list[Flowable]:
    """Return the ruling that counts, the original one and the appeal, then the engine's answer."""
    reading = _capital(decision.get_reading_display()) if decision.reading else ""
    why = decision.against_reading
    ruled = (
        _capital(said(decision.answer, decision.text)),
        decision.reasons,
        " ".join((_("Why the judge overruled the rules engine:"), why)) if why else "",
        _given_by(decision.ruled_by, decision.ruled_at, zone),
    )
    found = []
    if decision.is_final:
        last = _capital(said(decision.counts, decision.final_text))
        by = _given_by(decision.final_by, decision.final_at, zone)
        found += _part(_("The head judge's final ruling"), last, decision.final_reasons, by)
    counts = decision.state not in (Decision.State.OVERTURNED, Decision.State.WITHDRAWN)
    found += _part(_("Original ruling") if decision.is_final else _("Ruling"), *ruled, counts=counts)
    if decision.appealed_at is not None:
        by = _given_by(decision.appealed_by_entry or decision.appealed_by, decision.appealed_at, zone)
        found += _part(_("Appeal"), "", decision.appeal, by)
    return found + _part(_("Rules engine says"), reading, decision.reading_text)


def _rests_on(decision: Decision) -> list[Flowable]:
    lines = [str(decision.get_edition_display())]
    lines += [f"{one['section']} ({one['note']})" if one.get("note") else one["section"] for one in decision.citations]
    if decision.topics:
        lines.append(", ".join(topic_title(name) for name in decision.topics))
    found = section(_("Rulebook and sections"), lines)
    if decision.extension is not None and not decision.extension.withdrawn:
        minutes = decision.extension.seconds // 60
        told = ngettext("%(n)d extra minute", "%(n)d extra minutes", minutes) % {"n": minutes}
        found += section(_("Extension"), [told])
    return found
