"""Filters of the audit log: who acted, what, about whom, where, in which round, when, and only unusual changes."""

from __future__ import annotations

import datetime
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from events.actions import ACTIONS
from events.audit import naming, saying
from events.models import AuditEntry, Entry, Event, Match, sits
from events.names import name_key

ANY = ("", _("any"))


class AuditLogForm(forms.Form):
    """The filter of an event's audit log; every field is optional."""

    text = forms.CharField(label=_("Text"), required=False, max_length=100)
    who = forms.ChoiceField(label=_("Knocked out or captured by"), required=False)
    verb = forms.ChoiceField(label=_("Action"), required=False)
    entry = forms.IntegerField(label=_("Player's entry number"), required=False, min_value=1, max_value=99_999)
    round = forms.IntegerField(label=_("Round"), required=False, min_value=1, max_value=999)
    table = forms.IntegerField(label=_("Table"), required=False, min_value=1, max_value=9_999)
    since = forms.DateTimeField(
        label=_("From"), required=False, widget=forms.DateTimeInput(attrs={"type": "datetime-local"})
    )
    until = forms.DateTimeField(
        label=_("To"), required=False, widget=forms.DateTimeInput(attrs={"type": "datetime-local"})
    )
    only = forms.BooleanField(
        label=_("Only non-standard actions"), required=False, widget=forms.CheckboxInput(attrs={"value": "non-standard"})
    )  # fmt: skip

    def __init__(self, *args: Any, there: QuerySet[AuditEntry], event: Event | None = None, **named: Any) -> None:
        super().__init__(*args, **named)
        self.event, self.there = event, there
        there = there.order_by()
        people = there.filter(by_person__isnull=False).values_list("by_person_id", "by_person__name").distinct()
        players = there.filter(by_person=None, by_entry__isnull=False).values_list("by_entry_id", "by_entry__name")
        named_people = sorted(((f"p{pk}", name) for pk, name in people), key=lambda row: name_key(row[1]))
        named_players = sorted(((f"e{pk}", name) for pk, name in players.distinct()), key=lambda row: name_key(row[1]))
        self._choose("who", [ANY, *named_people, *named_players, ("site", _("the site"))])
        verbs = [verb for verb in there.values_list("verb", flat=True).distinct() if verb in ACTIONS]
        self._choose(
            "verb", [ANY, *sorted(((verb, ACTIONS[verb].label) for verb in verbs), key=lambda row: str(row[1]))]
        )

    def _choose(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField), "a list to choose from"
        field.choices = choices

    def found(self) -> QuerySet[AuditEntry]:
        """Return the matching entries, newest first; ignore fields with invalid values."""
        rows = self.there.select_related("by_person", "by_entry", "undoes")
        if not self.is_bound:
            return rows
        self.is_valid()
        asked = self.cleaned_data
        if text := asked.get("text"):
            rows = saying(rows, text)
        if who := asked.get("who"):
            keys = {"p": "by_person_id", "e": "by_entry_id"}
            rows = (
                rows.filter(by_person=None, by_entry=None)
                if who == "site"
                else rows.filter(**{keys[who[0]]: int(who[1:])})
            )
        if verb := asked.get("verb"):
            rows = rows.filter(verb=verb)
        if (number := asked.get("entry")) and self.event is not None:
            rows = rows.filter(self._about_entry(self.event, number))
        if (asked.get("round") or asked.get("table")) and self.event is not None:
            rows = rows.filter(self._about_place(self.event, asked.get("round"), asked.get("table")))
        for name, lookup in (("since", "at__gte"), ("until", "at__lt")):
            if moment := asked.get(name):
                more = datetime.timedelta(minutes=1) if name == "until" else datetime.timedelta()
                rows = rows.filter(**{lookup: moment + more})
        return rows.filter(is_non_standard=True) if asked.get("only") else rows

    def _about_entry(self, event: Event, number: int) -> Q:
        entry = Entry.objects.filter(event=event, number=number).first()
        if entry is None:
            return Q(pk=None)
        matches = Match.objects.filter(sits(entry), round__event=event).values_list("pk", flat=True)
        return (
            Q(by_entry=entry)
            | Q(subject_model="events.Entry", subject_id=entry.pk)
            | Q(subject_model="events.Match", subject_id__in=list(matches))
            | Q(pk__in=naming(AuditEntry.objects.filter(event=event), [entry.name]).values("pk"))
            | (Q(by_person=entry.person_id) if entry.person_id else Q(pk=None))
        )

    def _about_place(self, event: Event, number: int | None, table: int | None) -> Q:
        matches = Match.objects.filter(round__event=event)
        rounds = event.rounds.all()
        if number:
            matches, rounds = matches.filter(round__number=number), rounds.filter(number=number)
        if table:
            matches = matches.filter(table=table)
        keys = list(matches.values_list("pk", flat=True))
        found = Q(subject_model="events.Match", subject_id__in=keys)
        calls = AuditEntry.objects.filter(event=event, subject_model="judging.Call")
        if calls.exists():
            from judging.models import Call

            called = list(Call.objects.filter(match__in=keys).values_list("pk", flat=True))
            found |= Q(subject_model="judging.Call", subject_id__in=called)
        if not table:
            found |= Q(subject_model="events.Round", subject_id__in=list(rounds.values_list("pk", flat=True)))
        return found


class OutsideEventsForm(AuditLogForm):
    """The filter of an audit log outside events, without entries, rounds, tables or unusual changes."""

    entry = round = table = only = None  # type: ignore[assignment]


def moment_zone(event: Event) -> datetime.tzinfo:
    """Return the time zone of the filter's dates: the venue's."""
    return event.venue.zone or timezone.get_current_timezone()
