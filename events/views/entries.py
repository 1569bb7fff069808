"""Pages about players: the list, registering, the door, imported lists, a player's own page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST
from django_tables2 import RequestConfig

from events.forms.entries import EntryAddForm, EntryForm, ListForm
from events.forms.entries_list import LABELS, read_players
from events.forms.sheets import chosen_in
from events.models import Entry, Event
from events.policy import RULES, PolicyViolation
from events.services import entries as services
from events.services.entries import seats_free
from events.services.policy import overrides_of
from events.sharing import public
from events.tables.entries import GONE, DeskEntryTable, EntryTable

from .access import Visit, form_reason, visit

CITATION = RULES["official-of-record"].citations[0]


def entry_of(v: Visit, number: int) -> Entry:
    """Return an entry of the event by its number. Raise Http404 if there is none."""
    entry = get_object_or_404(Entry.objects.select_related("person"), event=v.event, number=number)
    entry.event = v.event
    return entry


def entries_of(v: Visit) -> list[Entry]:
    """Return all entries of the event, by number."""
    found = list(v.event.entries.order_by("number"))
    for entry in found:
        entry.event = v.event
    return found


def through_form(form: Form, act: Callable[..., Any], **facts: Any) -> Any:
    """Call a verb and return its result; on ValidationError put the messages on the form and return None."""
    try:
        return act(**facts)
    except ValidationError as wrong:
        known = hasattr(wrong, "error_dict") and set(wrong.error_dict) <= set(form.fields)
        form.add_error(None, wrong if known else ValidationError(wrong.messages))
        return None


def posted(request: HttpRequest) -> QueryDict | None:
    """Return what was posted, or None, as a form takes it."""
    return request.POST if request.method == "POST" else None


def counts_of(entries: list[Entry]) -> dict[str, int]:
    """Return the number of entries in each state, and of those with a seat."""
    counts = dict.fromkeys((state.name.lower() for state in Entry.State), 0)
    for entry in entries:
        counts[Entry.State(entry.state).name.lower()] += 1
    counts["seated"] = counts["entered"] + counts["checked_in"]
    return counts


# the list


@public("sort")
def entries(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the entries; officials see more, with links to register players."""
    v = visit(request, public_id)
    desk = bool(v.may("see-private-entries"))
    rows = entries_of(v)
    counts = counts_of(rows)
    if not desk:
        rows = [entry for entry in rows if entry.state != Entry.State.WITHDRAWN]
    asked = request.GET.get("q", "").strip()
    if asked:
        words = asked.casefold().split()
        shown = [(entry, (entry.name if desk else entry.public_name)) for entry in rows]
        rows = [e for e, name in shown if all(w in f"{e.number} {name} {e.club}".casefold() for w in words)]
    table = (
        DeskEntryTable(
            rows,
            event=v.event,
            mine=v.entry,
            desk=True,
            hindered=_hindered(v.event),
            elsewhere=services.checked_in_elsewhere(v.event, v.roles),
        )
        if desk
        else EntryTable(rows, event=v.event, mine=v.entry, hindered={})
    )
    RequestConfig(request, paginate=False).configure(table)
    free = max(0, v.event.seats - counts["seated"])
    return v.render(
        "events/entries/entries.html",
        table=table,
        counts=counts,
        free=free,
        can_move_up=bool(free and counts["waiting"] and v.event.state == Event.State.OPEN and v.may("change-entry")),
        desk=desk,
        asked=asked,
        may_add=v.may("add-entry"),
        may_enter=not v.entry and not services.may_enter_now(v.event),
    )


def _hindered(event: Event) -> dict[int, list[PolicyViolation]]:
    """Return why players of an event that isn't over aren't eligible, by the entry's primary key."""
    if event.is_practice or event.state not in (Event.State.DRAFT, Event.State.OPEN, Event.State.RUNNING):
        return {}
    playing = event.entries.exclude(state__in=GONE).select_related("person")
    return services.hindered(event, list(playing), overrides_of(event))


@require_POST
def move_up(request: HttpRequest, public_id: str) -> HttpResponse:
    """Give free seats to waiting players."""
    v = visit(request, public_id)
    moved = services.move_up_waiting(by=v.actor, event=v.event)
    names = ", ".join(entry.name for entry in moved)
    messages.success(
        request,
        _("Moved up from the waiting list: %(names)s") % {"names": names}
        if moved
        else _("No player was moved up from the waiting list."),
    )
    return redirect("events:entries", public_id)


# registering


def entry_add(request: HttpRequest, public_id: str) -> HttpResponse:
    """Register a player at the door; the form stays open for the next one."""
    v = visit(request, public_id)
    v.require("add-entry")
    form = EntryAddForm(posted(request))
    if v.event.is_practice:
        del form.fields["declares"]
    if request.method == "POST" and form.is_valid():
        facts = {"declares": v.event.is_practice} | form.cleaned_data
        entry = through_form(form, services.add_entry, by=v.actor, event=v.event, **facts)
        if entry is not None:
            _say_added(request, v.event, entry)
            _tell_namesakes(request, v.event, [entry])
            again = "events:entry-add" if "again" in request.POST else "events:entry"
            return redirect(again, public_id, *([] if "again" in request.POST else [entry.number]))
    return v.render(
        "events/entries/add.html",
        form=form,
        free=seats_free(v.event),
        late=v.event.state == Event.State.RUNNING,
        citation=CITATION,
    )


def _say_added(request: HttpRequest, event: Event, entry: Entry) -> None:
    facts = {"name": entry.name, "number": entry.number}
    if entry.state == Entry.State.WAITING:
        messages.warning(
            request, _("The event is full, so %(name)s (entry %(number)d) is on the waiting list.") % facts
        )
    elif entry.from_round > 1:
        facts |= {"round": entry.from_round, "what": event.get_late_start_display()}
        messages.success(
            request, _("%(name)s added as entry %(number)d, starting in round %(round)d with %(what)s.") % facts
        )
    else:
        messages.success(request, _("%(name)s added as entry %(number)d.") % facts)


def _tell_namesakes(request: HttpRequest, event: Event, made: Iterable[Entry]) -> None:
    for words in services.suspended_namesakes(event, [entry.name for entry in made if entry.person_id is None]):
        messages.warning(request, words)


def entries_import(request: HttpRequest, public_id: str) -> HttpResponse:
    """Register players from a list: preview first, then all or none."""
    v = visit(request, public_id)
    v.require("import-entries")
    form = ListForm(posted(request), request.FILES or None)
    read, problems, status = None, [], 200
    if request.method == "POST":
        try:
            good = form.is_valid()
        except ValidationError as wrong:
            form.add_error(None, wrong)
            good = False
        if good:
            text = form.cleaned_data["text"]
            read = read_players(text, in_teams=v.event.teams_of_two, chosen=chosen_in(request.POST, text))
            problems = sorted([*read.problems, *services.problems_of(v.event, read.lines)], key=lambda p: p.line)
            if "enter" in request.POST and not problems:
                made = through_form(
                    form,
                    services.import_entries,
                    by=v.actor,
                    event=v.event,
                    lines=read.lines,
                    declared=form.cleaned_data["declared"],
                    checked_in=form.cleaned_data["checked_in"],
                )
                if made is not None:
                    said = ngettext("%(n)d player added.", "%(n)d players added.", len(made)) % {"n": len(made)}
                    messages.success(request, said)
                    _tell_namesakes(request, v.event, made)
                    return redirect(
                        "events:console" if form.cleaned_data["checked_in"] else "events:entries", public_id
                    )
            ticks = {name: form.cleaned_data[name] for name in ("declared", "checked_in")}
            form = ListForm(initial={"text": text} | ticks)
        if problems or form.errors:
            status = 400
    free = seats_free(v.event)
    wrong_lines = {problem.line for problem in problems}
    return v.render(
        "events/entries/import.html",
        form=form,
        read=read,
        problems=problems,
        ready=bool(read and read.lines and not problems),
        lines=[(line, line.line in wrong_lines, n >= free) for n, line in enumerate(read.lines)] if read else [],
        waiting=max(0, len(read.lines) - free) if read else 0,
        twice=_names_twice(v.event, read.lines) if read else [],
        fields={name: label for name, label in LABELS.items() if name != "team" or v.event.teams_of_two},
        may_import_rounds=bool(v.may("import-rounds")),
        citation=CITATION,
        status=status,
    )


def _names_twice(event: Event, lines: tuple[services.ListedPlayer, ...]) -> list[str]:
    names = {name.casefold() for name in event.entries.values_list("name", flat=True)}
    found = []
    for line in lines:
        if line.name.casefold() in names:
            found.append(line.name)
        names.add(line.name.casefold())
    return found


# one entry


def entry_edit(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Change an entry's details, as an official."""
    v = visit(request, public_id)
    v.require("change-entry")
    row = entry_of(v, number)
    initial = {
        "name": row.name,
        "email": row.person.email if row.person else row.email,
        "club": row.club,
        "is_minor": row.is_minor,
        "fixed_table": row.fixed_table,
        "awarded_byes": ", ".join(map(str, row.awarded_byes)),
        "rank": row.rank,
        "declares": row.eligible_declared,
    }
    form = EntryForm(posted(request), initial=initial)
    if row.person is not None:
        form.fields["email"].disabled = True
        form.fields["email"].help_text = _(
            "This is the e-mail address of the player's account. Only the player can change it."
        )
    if request.method == "POST" and form.is_valid():
        facts = dict(form.cleaned_data)
        facts["eligible_declared"] = facts.pop("declares")
        facts["email"] = "" if row.person else facts["email"]
        if (
            through_form(form, services.change_entry, by=v.actor, entry=row, **form_reason(request), **facts)
            is not None
        ):
            messages.success(request, _("Changes saved."))
            return redirect("events:entry", public_id, row.number)
    return v.render("events/entries/edit.html", form=form, entry=row, citation=CITATION)


def checked_in_words(event: Event, row: Entry) -> str:
    """Return in words from which round a checked-in player plays."""
    if row.from_round == 1:
        return _("%(name)s is checked in.") % {"name": row.name}
    return _("%(name)s is checked in and starts in round %(round)d, with %(what)s.") % {
        "name": row.name,
        "round": row.from_round,
        "what": event.get_late_start_display(),
    }


ACTS: dict[str, tuple[Callable[..., Entry], Any]] = {
    "withdraw": (services.withdraw_entry, gettext_lazy("%(name)s has withdrawn.")),
    "reinstate": (services.reinstate_entry, gettext_lazy("%(name)s's withdrawal undone.")),
    "drop": (services.drop_entry, gettext_lazy("%(name)s has been dropped.")),
    "ask-return": (services.ask_return, gettext_lazy("%(name)s has asked to re-enter. The officials will decide.")),
    "return": (services.return_entry, gettext_lazy("%(name)s has re-entered.")),
    "disqualify": (services.disqualify_entry, gettext_lazy("%(name)s has been disqualified.")),
    "requalify": (
        services.requalify_entry,
        gettext_lazy("Disqualification withdrawn. %(name)s is now listed as dropped."),
    ),
}


@require_POST
def act(request: HttpRequest, public_id: str, number: int, verb: str) -> HttpResponse:
    """Call one of the verbs about an entry, and return to its page."""
    v = visit(request, public_id)
    row = entry_of(v, number)
    if verb == "check-in":
        services.check_in(by=v.actor, entry=row)
        messages.success(request, checked_in_words(v.event, row))
    elif verb == "undo-check-in":
        services.undo_check_in(by=v.actor, entry=row)
        messages.success(request, _("%(name)s's check-in undone.") % {"name": row.name})
    elif verb in ACTS:
        service, said = ACTS[verb]
        given = form_reason(request)
        if verb == "reinstate":
            given = {"version": given["version"]}
        service(by=v.actor, entry=row, **given)
        messages.success(request, str(said) % {"name": row.name})
    else:
        raise Http404
    return redirect("events:entry", public_id, number)
