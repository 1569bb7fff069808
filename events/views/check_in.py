"""The check-in list, with one wide switch per player."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events.door import NeedsConfirmation, Refused
from events.models import Entry, Event
from events.services import entries as services

from .access import Visit, form_reason, visit
from .entries import checked_in_words, counts_of, entries_of, entry_of

HERE = (Entry.State.ENTERED, Entry.State.CHECKED_IN, Entry.State.WAITING)


def check_in(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the check-in list, with undo; works without scripts."""
    v = visit(request, public_id)
    v.require("see-console")
    if request.method == "POST":
        return _switch(request, v)
    asked, show = request.GET.get("q", "").strip(), request.GET.get("show", "")
    everybody = [entry for entry in entries_of(v) if entry.state in HERE]
    counts = counts_of(everybody)
    rows = sorted(everybody, key=lambda entry: (entry.sort_name, entry.number))
    if show == "missing":
        rows = [entry for entry in rows if entry.state != Entry.State.CHECKED_IN]
    if asked:
        words = asked.casefold().split()
        rows = [e for e in rows if all(w in f"{e.number} {e.name} {e.club}".casefold() for w in words)]
    elsewhere = services.checked_in_elsewhere(v.event, v.roles)
    return v.render(
        "events/entries/check_in.html",
        rows=[(row, elsewhere.get(row.number, "")) for row in rows],
        counts=counts,
        total=counts["seated"],
        free=max(0, v.event.seats - counts["seated"]),
        asked=asked,
        show=show,
        may_check_in=v.may("check-in"),
        may_open=v.may("open-self-check-in"),
        may_pair=v.event.state == Event.State.OPEN and counts["checked_in"] >= 2 and v.may("draft-round"),
        missing=counts["entered"],
        absent=counts["entered"] if v.event.state == Event.State.OPEN and v.may("check-in") else 0,
    )


def _switch(request: HttpRequest, v: Visit) -> HttpResponse:
    back = f"{request.path}{_asked_query(request)}"
    wanted = next(((verb, request.POST[verb]) for verb in ("in", "out", "self", "rest") if verb in request.POST), None)
    if wanted is None:
        return redirect(back)
    verb, value = wanted
    if verb == "self":
        services.open_self_check_in(by=v.actor, event=v.event, open=value == "open")
        return redirect(back)
    if verb == "rest":
        _check_in_the_rest(v)
        return redirect(back)
    if not value.isdecimal() or len(value) > 5:
        raise Http404
    row = entry_of(v, int(value))
    try:
        if verb == "in":
            services.check_in(by=v.actor, entry=row)
            say = messages.warning if row.from_round > 1 else messages.success
            say(request, checked_in_words(v.event, row))
        else:
            services.undo_check_in(by=v.actor, entry=row)
            messages.success(request, _("%(name)s's check-in undone.") % {"name": row.name})
    except Refused as refused:
        messages.error(request, str(refused.message))
    return redirect(f"{back}#entry-{row.number}")


def _check_in_the_rest(v: Visit) -> None:
    """Ask, then check in every player who isn't here yet, before the first round; name those who can't play."""
    v.require("check-in")
    if v.event.state != Event.State.OPEN:
        raise Refused(_("Round 1 has been published. Check in late players one by one."))
    absent = [entry for entry in entries_of(v) if entry.state == Entry.State.ENTERED]
    if absent and not form_reason(v.request)["confirmed"]:
        said = ngettext("%(n)d player will be checked in.", "%(n)d players will be checked in.", len(absent))
        raise NeedsConfirmation(_("Check in everyone else"), [said % {"n": len(absent)}], about=v.event)
    done = 0
    for entry in absent:
        try:
            done += services.check_in(by=v.actor, entry=entry).state == Entry.State.CHECKED_IN
        except Refused as refused:
            messages.error(v.request, str(refused.message))
    said = ngettext("%(n)d player checked in.", "%(n)d players checked in.", done)
    messages.success(v.request, said % {"n": done})


def _asked_query(request: HttpRequest) -> str:
    """Return the page's query string, so that a filter survives a switch."""
    return f"?{request.META['QUERY_STRING']}" if request.META.get("QUERY_STRING") else ""
