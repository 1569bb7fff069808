"""The import of rounds that were played in another tool, and of the results of the round under way."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events.forms.entries import RoundsListForm
from events.forms.rounds_list import LABELS, RoundsList, read_rounds
from events.forms.sheets import chosen_in
from events.services import rounds as services
from events.services.rounds import RoundsPlan
from events.services.rounds_byes import rounds_begun

from .access import visit
from .entries import CITATION, posted, through_form


def rounds_import(request: HttpRequest, public_id: str) -> HttpResponse:
    """Import rounds from a list: preview first, then all or none."""
    v = visit(request, public_id)
    v.require("import-rounds")
    has_begun = rounds_begun(v.event) > 0
    form = RoundsListForm(posted(request), request.FILES or None, has_begun=has_begun)
    read, plan, faults, status = None, None, None, 200
    if request.method == "POST":
        status = 400
        if _is_valid(form):
            given = form.cleaned_data
            read = read_rounds(given["text"], of_round=given["round"], chosen=chosen_in(request.POST, given["text"]))
            facts: dict[str, Any] = {
                "lines": read.lines,
                "register": given.get("register", False),
                "meant": request.POST,
            }
            plan = through_form(form, services.plan_rounds, event=v.event, **facts)
            problems = [*read.problems, *(plan.problems if plan else ())]
            if "enter" in request.POST and plan is not None and not problems:
                facts["declared"] = given.get("declared", False)
                made = through_form(form, services.import_rounds, by=v.actor, event=v.event, **facts)
                if made is not None:
                    messages.success(request, _told(made))
                    return redirect("events:rounds", public_id)
            elif plan is not None and not problems:
                status = 200
            faults = form.non_field_errors()
            kept = {name: value for name, value in given.items() if name != "file"}
            form = RoundsListForm(initial=kept, has_begun=has_begun)
    return v.render(
        "events/rounds/import.html",
        form=form,
        faults=faults,
        read=read,
        plan=plan,
        problems=sorted([*(read.problems if read else ()), *(plan.problems if plan else ())], key=lambda p: p.line),
        ready=bool(plan and plan.is_ready and read and not read.problems),
        lines=_lines(read, plan) if read else [],
        fields=LABELS,
        citation=CITATION,
        status=status,
    )


def _is_valid(form: RoundsListForm) -> bool:
    try:
        return form.is_valid()
    except ValidationError as wrong:
        form.add_error(None, wrong)
        return False


def _told(plan: RoundsPlan) -> str:
    told = []
    if n := len(plan.rounds):
        told.append(ngettext("%(n)d round imported.", "%(n)d rounds imported.", n) % {"n": n})
    if n := len(plan.results):
        told.append(ngettext("%(n)d result entered.", "%(n)d results entered.", n) % {"n": n})
    return " ".join(told)


def _lines(read: RoundsList, plan: RoundsPlan | None) -> list[dict[str, Any]]:
    """Return the lines of the preview: the match, its result in words, and what becomes of it."""
    wrong = {problem.line for problem in (plan.problems if plan else ())}
    known = plan.known if plan else set()
    found = []
    for line in read.lines:
        result = line.result
        winner = {"a": line.a, "b": line.b}.get((result.winner if result else "") or "", "")
        found.append(
            {
                "line": line,
                "points": f"{result.scores[0]}–{result.scores[1]}" if result else "",
                "winner": _("double loss") if result and result.double_loss else winner,
                "alone": line.alone and services.ALONE_WORDS[line.alone],
                "is_wrong": line.line in wrong,
                "is_known": line.line in known,
            }
        )
    return found
