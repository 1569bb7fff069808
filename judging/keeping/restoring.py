"""Setting an event's rows back to an earlier state, and previewing what that would change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events.actions import answer
from events.door import Writing, door
from events.models import AuditEntry, Entry, Event, Force, Match, Official, Pool, Role, Round
from events.roles import Actor
from events.services.undo.pictures import compared, picture_of
from judging.audit_changes import counted
from judging.keeping import rows as graph
from judging.keeping.comparing import marks_of
from judging.keeping.placing import Keys, Wanted, replace, wanted_of
from judging.keeping.whole_file import Document

MAX_TABLES = 30
"""The most tables named in one line; an ellipsis replaces the rest."""


def set_back(
    *, by: Actor, event: Event, document: Document, keys: Keys, sentence: str, facts: Mapping[str, Any],
    version: int | None = None, confirmed: bool = False, reason: str = "",
) -> list[str]:  # fmt: skip
    """Set the event's rows back to an earlier state, with an audit log entry; return what changed, in words.

    The audit log keeps all its entries. Players who entered later stay as withdrawn entries: a number is never reused.
    """
    consequences = [] if confirmed else difference(event, document, keys)
    with door(
        "restore-event", by=by, event=event, on=event, version=version, confirmed=confirmed, reason=reason, consequences=consequences
    ) as writing:  # fmt: skip
        _write_back(writing, event, document, keys)
        writing.says(sentence, **facts)
        writing.topics |= {"pairings", "results", "standings", "clock"}
    return consequences


def _write_back(writing: Writing, event: Event, document: Document, keys: Keys) -> None:
    here, wanted = graph.rows_of(event), wanted_of(document, keys)
    marks = set(marks_of(document["record"]))
    later: dict[tuple[str, int], int] = {}
    for entry in here[AuditEntry]:
        if (graph.plain(entry.at), entry.verb) not in marks:  # type: ignore[attr-defined]
            for change in entry.changes:  # type: ignore[attr-defined]
                place = (change["model"], change["id"])
                later[place] = later.get(place, 0) + 1
    _keep_late_entries(writing, here, wanted)
    _keep_what_ended(writing, event, here, wanted, keys)
    replace(here, wanted, keys, writing=writing, raise_version=later, keep=[AuditEntry])
    event.refresh_from_db()


def _keep_late_entries(writing: Writing, here: dict[type[models.Model], list[models.Model]], wanted: Wanted) -> None:
    """Withdraw players who entered later, and exclude them, their forces and product from what is replaced."""
    late = {row.pk for row in here[Entry] if row.pk not in wanted[Entry]}
    for row in here[Entry]:
        if row.pk in late:
            writing.save(row, state=Entry.State.WITHDRAWN, fixed_table=None)
    here[Entry] = [row for row in here[Entry] if row.pk not in late]
    for model in (Force, Pool):
        here[model] = [row for row in here[model] if row.entry_id not in late]  # type: ignore[attr-defined]


def _keep_what_ended(
    writing: Writing, event: Event, here: dict[type[models.Model], list[models.Model]], wanted: Wanted, keys: Keys
) -> None:
    """Keep renewed links renewed; officials removed since then come back only once the venue accepts them."""
    for row in here[Entry]:
        values = wanted[Entry][row.pk]
        values["link_issue"] = max(values.get("link_issue", 1), row.link_issue)  # type: ignore[attr-defined]
    if Role.VENUE in writing.by.roles(event=event):
        return
    accepted = {row.person_id for row in here[Official] if row.accepted is not None}  # type: ignore[attr-defined]
    for values in wanted[Official].values():
        if keys[graph.PERSON][values["person_id"]] not in accepted:
            values["accepted"] = None


def difference(event: Event, document: Document, keys: Keys) -> list[str]:
    """Return what going back to this state would change, in words: it is done, compared and rolled back."""
    before, was = _looks(event), picture_of(event)
    counts: list[dict[str, set[int]]] = [{}, {}, {}]
    with transaction.atomic():
        trial = Event.objects.select_for_update(of=("self",)).select_related("venue", "hall").get(pk=event.pk)
        writing = Writing(Actor(is_site=True), answer("restore-event", Actor(is_site=True).roles()))
        _write_back(writing, trial, document, keys)
        for change in writing.changes:
            of = counts[0 if change["before"] is None else 1 if change["after"] is None else 2]
            of.setdefault(change["model"], set()).add(change["id"])
        after, will = _looks(trial), picture_of(trial)
        transaction.set_rollback(True)
    lines = _told(before, after) + [str(line) for line in compared(was, will, with_results=False)]
    for words, found in zip((_("Restored: %(what)s."), _("Removed: %(what)s."), _("Changed back: %(what)s.")), counts, strict=True):  # fmt: skip  # noqa: E501
        if found:
            lines.append(words % {"what": counted({label: len(keys) for label, keys in sorted(found.items())})})
    return lines


def _looks(event: Event) -> dict[str, Any]:
    rounds = Round.objects.filter(event=event)
    results = {
        (number, table): result
        for number, table, result in Match.objects.filter(round__event=event, table__isnull=False).values_list(
            "round__number", "table", "result"
        )
    }
    return {
        "state": str(event.get_state_display()),
        "names": {row.number: str(row) for row in rounds},
        "rounds": {row.number: str(row.get_state_display()) for row in rounds},
        "results": results,
    }


def _told(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return what would change in the state of the event and its rounds, and in results."""
    lines, names = [], before["names"] | after["names"]
    if before["state"] != after["state"]:
        lines.append(_("The event: %(before)s → %(after)s") % {"before": before["state"], "after": after["state"]})
    for number in sorted(before["rounds"] | after["rounds"]):
        one, other = before["rounds"].get(number), after["rounds"].get(number)
        if one != other:
            lines.append(
                _("%(round)s: %(before)s → %(after)s")
                % {"round": names[number], "before": one or _("missing"), "after": other or _("removed")}
            )
    for number in sorted({place[0] for place in before["results"]} & {place[0] for place in after["results"]}):
        places = {place for place in before["results"] | after["results"] if place[0] == number}
        tables = sorted(t for n, t in places if before["results"].get((n, t)) != after["results"].get((n, t)))
        if tables:
            shown = ", ".join(map(str, tables[:MAX_TABLES])) + (" …" if len(tables) > MAX_TABLES else "")
            words = ngettext(
                "%(round)s: the result changes at table %(tables)s",
                "%(round)s: the results change at tables %(tables)s",
                len(tables),
            )
            lines.append(words % {"round": names[number], "tables": shown})
    return lines


__all__ = ["difference", "set_back"]
