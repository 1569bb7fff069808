"""The page on which a judge rules, with the engine's answer and earlier rulings beside the form."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import prefetch_related_objects
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from events.models import Claim, Match, Role
from events.views.access import Visit, form_version, visit
from events.views.forces_bench import cited
from judging import precedents
from judging.forms_decisions import RulingForm
from judging.models import Call, Decision, Penalty, TableDispute
from judging.readings import LINES, topic_title, topics_of_book
from judging.services import calls, disputes
from judging.services import decisions as services
from judging.services.decisions import Closing, Dispute, JudgeRuling, LinkedRows, said
from rules.dispute.replay import reported_rulings
from rules.engine import headings
from rules.views.weighed import weigh

MAX_BELONGING = 6
MAX_POSITIONS = 5


class _Table:
    """Everything that the page of a ruling shows: match, call, position, and what may be linked."""

    def __init__(self, v: Visit) -> None:
        asked = v.request.POST if v.request.method == "POST" else v.request.GET
        self.v = v
        self.asked = asked
        self.match = self._match()
        self.call = self._call()
        key = asked.get("dispute", "")[:64] or self._by_place() or self._of_this_call()
        self.saved = disputes.saved_at(key)
        self.dispute: Dispute | None = disputes.dispute_at(key) if self.saved is not None else None
        self.replaces = self._replaces()

    def _number(self, name: str) -> int | None:
        text = self.asked.get(name, "")
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None

    def _match(self) -> Match | None:
        number, table = self._number("round"), self._number("table")
        if number is None or table is None:
            noted = services.dispute_of(self.asked.get("dispute", ""), self.v.event)
            if noted is None:
                return None
            number, table = noted.match.round.number, noted.match.table or 0
        return self.v.match(number, table)

    def _by_place(self) -> str:
        """Return the key of the table's dispute with this number, counted from 1, as links from a position give it."""
        place = self._number("position")
        if self.match is None or not place:
            return ""
        found = self.match.disputes.order_by("pk").values_list("key", flat=True)[place - 1 : place]
        return next(iter(found), "")

    def _of_this_call(self) -> str:
        """Return the key of this call's dispute that has no ruling yet, if the URL names none."""
        if self.call is None or self.v.request.method == "POST" or "position" in self.asked:
            return ""
        return next((one.key for one in self.positions() if one.call_id == self.call.pk), "")

    def positions(self) -> list[TableDispute]:
        """Return the table's disputes without a decision, newest first."""
        if self.match is None:
            return []
        ruled = self.v.event.decisions.exclude(dispute_key="").exclude(state=Decision.State.WITHDRAWN)
        return list(
            self.match.disputes.exclude(key__in=ruled.values_list("dispute_key", flat=True)).order_by("-pk")[
                :MAX_POSITIONS
            ]
        )

    def _call(self) -> Call | None:
        if self.match is None:
            return None
        call = calls.open_call(self.match)
        if call is not None:
            call.match.round.event = self.v.event
        return call

    def reload_call(self) -> None:
        """Reload the call after a refused ruling: the transaction was rolled back, the object wasn't."""
        self.call = self._call()

    def _replaces(self) -> Decision | None:
        number = self._number("replaces")
        return self.v.event.decisions.filter(number=number).first() if number is not None else None

    @property
    def closes(self) -> Call | None:
        """Return the call that the ruling will close: the judge's own, or for the head judge any that was taken."""
        call, person = self.call, self.v.actor.person
        if call is None or person is None or call.is_waiting:
            return None
        return call if call.judge_id == person.pk or Role.HEAD_JUDGE in self.v.roles else None

    def belonging(self) -> dict[str, Any]:
        """Return what the ruling may be linked to, by key: penalties and corrections of this table's round."""
        if self.match is None:
            return {}
        found: dict[str, Any] = {}
        given = Penalty.objects.filter(entry__in=self.match.entry_ids, round=self.match.round_id, withdrawn=False)
        for penalty in given.select_related("entry")[:MAX_BELONGING]:
            found[f"penalty-{penalty.pk}"] = f"{penalty} ({penalty.get_category_display()})"
        decided = self.match.claims.filter(how=Claim.How.JUDGE).order_by("-pk")[:1]
        for claim in decided:
            found[f"claim-{claim.pk}"] = _("the result that the judge entered")
        if self.closes is None:
            for extension in self.match.extensions.filter(withdrawn=False).order_by("-pk")[:1]:
                minutes = extension.seconds // 60
                found[f"extension-{extension.pk}"] = ngettext("%(n)d extra minute", "%(n)d extra minutes", minutes) % {
                    "n": minutes
                }
        return found

    def links(self, chosen: list[str]) -> LinkedRows:
        """Return the ticked links as rows."""
        keys = dict(one.rsplit("-", 1) for one in chosen)
        match = self.match
        return LinkedRows(
            match=match,
            call=self.call,
            penalty=Penalty.objects.filter(pk=keys["penalty"]).first() if "penalty" in keys else None,
            claim=match.claims.filter(pk=keys["claim"]).first() if match is not None and "claim" in keys else None,
            extension=match.extensions.filter(pk=keys["extension"]).first()
            if match is not None and "extension" in keys
            else None,
            replaces=self.replaces,
        )


def _initial(about: _Table) -> dict[str, Any]:
    """Return the form's initial values: the engine's answer, the call's text and its minutes."""
    reading = about.dispute.reading if about.dispute is not None else None
    call = about.call
    first: dict[str, Any] = {"agreed": 0}
    if reading is not None:
        first |= {
            "question": reading.question,
            "answer": reading.answer,
            "topics": list(reading.topics),
            "citations": [one["section"] for one in reading.citations],
        }
    if about.saved is not None and about.saved.question:
        first["question"] = about.saved.question[:200]
    if call is not None:
        first.setdefault("question", call.text)
        first["category"] = call.category or _category(reading.answer if reading is not None else "")
        first["minutes"] = calls.proposed_minutes(call)
    old = about.replaces
    if old is not None:
        first = {**first, "question": old.question, "text": old.text, "reasons": old.reasons}
        first.setdefault("answer", old.answer)
        first["more_topics"] = ", ".join(topic_title(name) for name in old.topics)
    asked = about.asked.get("question", "") if about.v.request.method == "GET" else ""
    return first | ({"question": asked[:200]} if asked else {})


def _category(answer: str) -> str:
    return (Call.Category.LINE if answer in LINES else Call.Category.RULE).value


@require_http_methods(["GET", "HEAD", "POST"])
def rule(request: HttpRequest, public_id: str) -> HttpResponse:
    """Record a ruling; if the judge has an open call, resolve it and give the extension in the same step."""
    v = visit(request, public_id)
    about = _Table(v)
    if about.match is not None:
        about.match.round.event = v.event
        prefetch_related_objects([about.match.round], "clock_runs")
    v.require("record-decision", about.match.round if about.match is not None else None)
    closes = about.closes
    options: dict[str, Any] = {
        "event": v.event,
        "reading": about.dispute.reading if about.dispute is not None else None,
        "closing": closes is not None,
        "can_extend": about.match is not None and calls.can_extend(about.match),
        "belongs": about.belonging(),
    }
    if request.method != "POST":
        return _ruling_page(v, about, RulingForm(initial=_initial(about), **options))
    form = RulingForm(request.POST, **options)
    closes = None if "stay" in request.POST else closes
    if form.is_valid():
        try:
            made = _record(v, about, form, closes)
        except ValidationError as faults:
            show_faults(form, faults)
            about.reload_call()
        else:
            messages.success(request, _told(made, closes))
            return _way_on(v, about, made)
    return _ruling_page(v, about, form, 400)


def _way_on(v: Visit, about: _Table, made: Decision) -> HttpResponse:
    """Lead back to the table's call while it is open, its stopwatch running; otherwise to the ruling."""
    about.reload_call()
    if about.call is not None:
        return redirect("judging:call", v.event.public_id, about.call.pk)
    return redirect("judging:ruling", v.event.public_id, made.number)


def _record(v: Visit, about: _Table, form: RulingForm, closes: Call | None) -> Decision:
    given = form.cleaned_data
    known = topics_of_book(v.event.edition)
    typed = services.topics_asked(given["more_topics"].split(","), known)
    by_section = {one["section"]: one for one in (form.reading.citations if form.reading is not None else ())}
    citations = [by_section[one] for one in given.get("citations", ())]
    if given["section"]:
        heading = headings(v.event.edition).find(given["section"])
        citations.append({"edition": v.event.edition, "section": heading.path if heading else given["section"]})
    said_so = JudgeRuling(
        question=given["question"],
        answer=given["answer"],
        text=given["text"],
        reasons=given["reasons"],
        topics=tuple(dict.fromkeys([*given.get("topics", ()), *typed])),
        rulings=tuple(given.get("rulings", ())),
        citations=tuple(citations),
        against_reading=given.get("against_reading", ""),
        departs_why=given["departs_why"],
    )
    links = about.links(given.get("belongs", []))
    if closes is None:
        return services.record_decision(by=v.actor, event=v.event, ruling=said_so, dispute=about.dispute, links=links)
    closing = Closing(
        category=given.get("category") or closes.category or Call.Category.RULE,
        minutes=given.get("minutes") or 0,
        agreed=given.get("agreed") or 0,
        version=form_version(v.request),
    )
    return services.rule_and_close(
        by=v.actor, call=closes, ruling=said_so, closing=closing, dispute=about.dispute, links=links
    )


def show_faults(form: Form, faults: ValidationError) -> None:
    """Show errors at the fields they name, and the rest at the top of the form."""
    for name, lines in faults.message_dict.items():
        form.add_error(name if name in form.fields else None, lines)


def _told(made: Decision, closes: Call | None) -> str:
    words = _("%(decision)s recorded.") % {"decision": made}
    if closes is None:
        return words
    words += " " + _("Call resolved.")
    if made.extension is not None:
        minutes = made.extension.seconds // 60
        words += " " + ngettext(
            "The table gets %(n)d extra minute.", "The table gets %(n)d extra minutes.", minutes
        ) % {"n": minutes}
    return words


def _ruling_page(v: Visit, about: _Table, form: RulingForm, status: int = 200) -> HttpResponse:
    reading = about.dispute.reading if about.dispute is not None else None
    known = topics_of_book(v.event.edition)
    asked = form.data if form.is_bound else form.initial
    typed = services.topics_asked(str(asked.get("more_topics", "")).split(","), known)
    chosen = (v.request.POST.getlist("topics") if form.is_bound else form.initial.get("topics")) or []
    topics = tuple(dict.fromkeys([*chosen, *typed]))
    key = services.position_key(about.dispute.document) if about.dispute is not None else ""
    question, answer, text = (str(asked.get(name, "")) for name in ("question", "answer", "text"))
    asks = precedents.question_key(question, reading)
    found = precedents.similar(v.event, topics, asks, key)
    read = reading.answer if reading is not None else ""
    against = precedents.contradicting(v.event, topics, asks, answer, text, key, reading=read)
    match, call, now = about.match, about.closes, timezone.now()
    if call is not None and not form.is_bound and "minutes" in form.fields and match is not None:
        runs = list(match.round.clock_runs.all())
        form.fields["minutes"].widget.attrs |= {
            "data-lost": int(calls.lost_seconds(call, runs, now)),
            "data-counts": "yes" if not runs or any(run.ended is None for run in runs) else "no",
        }
    return v.render(
        "judging/rulings/rule.html",
        match=match,
        call=about.call,
        closes=call,
        dispute=about.saved,
        positions=[one for one in about.positions() if about.saved is None or one.key != about.saved.public_id],
        reading=reading,
        reading_citations=cited(reading.citations) if reading is not None else (),
        rulings=weigh(reported_rulings(about.dispute.document["edition"], reading.rulings))
        if reading and about.dispute
        else None,
        form=form,
        found=precedents_shown([one for one in found if one.decision not in [other.decision for other in against]]),
        contradictions=precedents_shown(against),
        may_depart=bool(against) or bool(form.errors.get("departs_why")),
        may_open=match is not None and bool(v.may("open-dispute", match.round)),
        known_topics=list(known.values()),
        known_sections=[one.path for one in headings(v.event.edition).all],
        replaces=about.replaces,
        status=status,
    )


def precedents_shown(found: list[precedents.Precedent]) -> list[dict[str, Any]]:
    """Return earlier decisions as pages show them."""
    return [
        {
            "decision": one.decision,
            "event": one.decision.event,
            "here": one.of_this_event,
            "why": one.why,
            "answer": said(one.decision.counts, one.decision.text_that_counts),
            "topics": [topic_title(name) for name in one.shared],
        }
        for one in found
    ]
