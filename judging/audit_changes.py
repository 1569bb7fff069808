"""The changes of an audit log entry in the words of people who run events.

First how many tables, reports and rounds changed, then each by its name with every value before and after.
`judging.tables` shows entries; `judging.audit_export` gives the stored rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.db import models
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from events.models import AuditEntry, Event, Match, VenueManager
from events.results.reading import ResultTerms
from events.results.result import SEATS, BadResult, from_json
from events.results.words import sentence
from rules.labels import labelled
from rules.queries import set_names

from .audit_values import WORDED

MAX_CHANGES = 30
AT_ONCE = 10_000
"""The most keys in one query: databases limit the number of parameters."""
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")
UNTOLD = frozenset(
    {"id", "event_id", "version", "public_id", "link_key", "registered_volunteer_id"}
    | {"tournament", "pairing_report", "changes_by_hand", "work", "document", "report", "reading"}
    | {"position_key", "question_key", "dispute_key", "rulings", "effect"}
    | {"at", "given_by_id", "ruled_by_id", "final_by_id", "taken_back_by_id"}
)
"""Columns that tell a reader nothing, repeat the entry's author and time, or hold whole files: only the export has them."""

EVENT_ITSELF = gettext_lazy("event details")
NOUNS: dict[str, Any] = {
    "events.Announcement": ngettext_lazy("%(n)d announcement", "%(n)d announcements", "n"),
    "events.Claim": ngettext_lazy("%(n)d result report", "%(n)d result reports", "n"),
    "events.ClockRun": ngettext_lazy("%(n)d clock change", "%(n)d clock changes", "n"),
    "events.Extension": ngettext_lazy("%(n)d extension", "%(n)d extensions", "n"),
    "events.Hall": ngettext_lazy("%(n)d hall", "%(n)d halls", "n"),
    "events.Match": ngettext_lazy("%(n)d table", "%(n)d tables", "n"),
    "events.VenueManager": ngettext_lazy("%(n)d venue manager", "%(n)d venue managers", "n"),
}
"""Models that people at an event call something else than their verbose name, with counts and (`ONE_OF`) without."""
ONE_OF = {
    "events.Announcement": gettext_lazy("announcement"),
    "events.Claim": gettext_lazy("result report"),
    "events.ClockRun": gettext_lazy("clock change"),
    "events.Extension": gettext_lazy("extension"),
    "events.Hall": gettext_lazy("hall"),
    "events.Match": gettext_lazy("table"),
    "events.VenueManager": gettext_lazy("venue manager"),
}
NAMED_BY = {
    "events.Claim": "match",
    "events.ClockRun": "round",
    "events.Extension": "match",
    "events.Force": "entry",
    "events.Official": "person",
    "events.Pod": "match",
    "events.Pool": "entry",
    "events.VenueManager": "person",
    "events.Volunteer": "person",
    "judging.Call": "match",
    "judging.ForceCheck": "force",
    "judging.Penalty": "entry",
    "judging.TableDispute": "match",
}
"""The relation that names a row which has no name itself."""
MATCH = "events.Match"
MANAGER = "events.VenueManager"
SETS = ("events.Event", "sets")
NAMELESS = frozenset({"events.Announcement", "events.Event"})
Key = tuple[str, int]


def counted(counts: Mapping[str, int]) -> str:
    """Return numbers of rows by model in words: "1 round, 12 tables"."""
    found = []
    for label, n in counts.items():
        model = _model(label)
        if label == "events.Event":
            found.append(str(EVENT_ITSELF))
        elif label in NOUNS:
            found.append(str(NOUNS[label] % {"n": n}))
        else:
            noun = model._meta.verbose_name if n == 1 else model._meta.verbose_name_plural
            found.append(f"{n} {noun}" if model is not None else f"{n} {label}")
    return ", ".join(found)


def _model(label: str) -> Any:
    try:
        return apps.get_model(label)
    except (LookupError, ValueError):
        return None


def changes_in_words(record: AuditEntry, names: RowNames) -> dict[str, Any]:
    """Return an entry's changes in words: counts, and the values before and after of at most thirty rows."""
    counts: dict[str, set[int]] = {}
    for change in record.changes:
        counts.setdefault(change["model"], set()).add(change["id"])
    rows = [_row_in_words(change, names) for change in record.changes[:MAX_CHANGES]]
    return {
        "rows": rows,
        "words": counted({label: len(keys) for label, keys in counts.items()}),
        "more": len(record.changes) - len(rows),
    }


def in_one_line(changes: Mapping[str, Any]) -> str:
    """Return `changes_in_words` as one line, for a spreadsheet."""
    lines = []
    for row in changes["rows"]:
        how = f" {_('created')}" if row["made"] else f" {_('removed')}" if row["removed"] else ""
        facts = "; ".join(
            labelled(name, now if row["made"] else was if row["removed"] else f"{was} → {now}")
            for name, was, now in row["fields"]
        )
        lines.append(f"{row['what']} {row['name']}".strip() + how + (f": {facts}" if facts else ""))
    if changes["more"]:
        lines.append("… " + _("and %(n)d more") % {"n": changes["more"]})
    return " | ".join(lines)


def _row_in_words(change: Mapping[str, Any], names: RowNames) -> dict[str, Any]:
    model = apps.get_model(change["model"])
    columns = {column.attname: column for column in model._meta.concrete_fields}
    before, after = change["before"] or {}, change["after"] or {}
    made, removed = not change["before"], not change["after"]
    left_out = UNTOLD | ({f"{NAMED_BY[change['model']]}_id"} if change["model"] in NAMED_BY else frozenset())
    facts = []
    told = after or before
    for name in sorted(told, key=[*columns, *told].index):  # PostgreSQL doesn't keep the order of JSON keys
        was, now = (
            names.told(change, columns.get(name), name, before),
            names.told(change, columns.get(name), name, after),
        )
        if name in left_out or ((made or removed) and (now if made else was) in (NOTHING, _("no"))):
            continue
        facts.append((getattr(columns.get(name), "verbose_name", name), was, now))
    what, name = (
        str(ONE_OF.get(change["model"], model._meta.verbose_name)),
        names.of(change["model"], change["id"], before | after),
    )
    return {
        "what": "" if what.casefold() in name.casefold() else what,  # not "Round Round 3", "Table Round 3, table 9"
        "name": name,
        "made": made,
        "removed": removed,
        "fields": facts,
    }


NOTHING = "–"


@dataclass
class RowNames:
    """The names of all rows that some audit log entries mention; one query per model."""

    event: Event | None
    rows: dict[Key, models.Model] = field(default_factory=dict)
    sets: dict[str, str] = field(default_factory=dict)

    @classmethod
    def in_entries(cls, event: Event | None, record: Iterable[AuditEntry]) -> RowNames:
        """Return the names that the first changes of these entries need."""
        wanted: dict[str, set[int]] = {}
        codes: set[str] = set()
        for entry in record:
            for change in entry.changes[:MAX_CHANGES]:
                _want(wanted, change)
                codes.update(_sets_in(change))
        rows: dict[Key, models.Model] = {}
        for label, keys in sorted(wanted.items()):
            found = apps.get_model(label)._base_manager.select_related(*_parents(label))
            ordered = sorted(keys)
            for start in range(0, len(ordered), AT_ONCE):
                rows |= {(label, row.pk): row for row in found.filter(pk__in=ordered[start : start + AT_ONCE])}
        return cls(event, rows, set_names(codes))

    def of(self, label: str, pk: Any, facts: Mapping[str, Any] | None = None) -> str:
        """Return the name of a row; if it was deleted, that of the row it belonged to; "" if it has none."""
        row = self.rows.get((label, pk))
        accepted = row.confirmed if isinstance(row, VenueManager) else (facts or {}).get("confirmed")
        if label == MANAGER and not accepted:
            return ""  # a venue learns who was asked to manage it only when they accept
        if row is not None:
            return self._name(row)
        parent = NAMED_BY.get(label, "round" if label == MATCH else "")
        if not facts or not parent or facts.get(f"{parent}_id") is None:
            return str((facts or {}).get("name") or "")
        column = apps.get_model(label)._meta.get_field(parent)
        name = self.of(column.related_model._meta.label, facts[f"{parent}_id"])
        return _table_in(name, facts["table"]) if label == MATCH and facts.get("table") else name

    def _name(self, row: models.Model) -> str:
        label = row._meta.label
        if label in NAMED_BY:
            belongs_to = getattr(row, NAMED_BY[label])
            return self._name(belongs_to) if belongs_to is not None else ""
        if isinstance(row, Match):
            return _table_in(str(row.round), row.table) if row.table else labelled(row.round, row)
        return "" if label in NAMELESS and self.event is not None else str(row)

    def told(self, change: Mapping[str, Any], column: Any, name: str, facts: Mapping[str, Any]) -> str:
        """Return a value in words: the name of a related row, the label of a choice, a result in a line."""
        value = facts.get(name)
        if value is None or value in ("", [], {}):
            return NOTHING
        if column is not None and column.remote_field is not None:
            label = column.related_model._meta.label
            return self.of(label, value) or NOTHING
        if name == "result" and isinstance(value, dict) and self.event is not None:
            match = self._match_of(change, facts)
            return self._result(self.event, value, match) if match is not None else str(_shown(value))
        if (change["model"], name) == SETS:
            return ", ".join(self.sets.get(code, str(code)) for code in value)
        if (word := WORDED.get((change["model"], name))) is not None:
            try:
                return word(value, self.rows.get((change["model"], change["id"])))
            except (AttributeError, KeyError, TypeError):  # an event file may claim anything
                return str(_shown(value))
        choices = dict(getattr(column, "flatchoices", ()) or ())
        return str(choices[value]) if isinstance(value, str) and value in choices else str(_shown(value))

    def _match_of(self, change: Mapping[str, Any], facts: Mapping[str, Any]) -> Match | None:
        row = self.rows.get((change["model"], change["id"]))
        if row is None and facts.get("match_id"):
            row = self.rows.get((MATCH, facts["match_id"]))
        found = row if isinstance(row, Match) else getattr(row, "match", None)
        return found if isinstance(found, Match) else None

    def _result(self, event: Event, result: Mapping[str, Any], match: Match) -> str:
        terms = ResultTerms(
            edition=event.edition,
            build_total=event.build_total,
            tied_game=event.tied_game,
            name_a=match.a.name,
            name_b=match.b.name if match.b else "",
            further=tuple(entry.name for entry in match.entries[2:]),
        )
        try:
            return sentence(from_json(result), terms)
        except BadResult:
            return str(_shown(dict(result)))


def _table_in(round_name: str, table: Any) -> str:
    return _("%(round)s, table %(table)s") % {"round": round_name, "table": table}


def _parents(label: str) -> Sequence[str]:
    """Return the relations to load with rows of a model so that each can be named."""
    if label == MATCH:
        return ("round", *SEATS)
    parent = NAMED_BY.get(label)
    if parent is None:
        return ()
    above = apps.get_model(label)._meta.get_field(parent).related_model._meta.label
    return (parent, *(f"{parent}__{one}" for one in _parents(above)))


def _want(wanted: dict[str, set[int]], change: Mapping[str, Any]) -> None:
    """Add the row of a change, and the rows that its values refer to."""
    model = _model(change["model"])
    if model is None:
        return
    wanted.setdefault(change["model"], set()).add(change["id"])
    for column in model._meta.concrete_fields:
        if column.remote_field is None or column.attname in UNTOLD:
            continue
        for facts in (change["before"] or {}, change["after"] or {}):
            if facts.get(column.attname) is not None:
                wanted.setdefault(column.related_model._meta.label, set()).add(facts[column.attname])


def _sets_in(change: Mapping[str, Any]) -> Iterable[str]:
    """Return the codes of the sets that a change of an event names."""
    if change["model"] != SETS[0]:
        return ()
    found = [(facts or {}).get(SETS[1]) or () for facts in (change["before"], change["after"])]
    return [code for codes in found for code in codes if isinstance(code, str)]


def _shown(value: object) -> object:
    """Return a value in words: an instant with its weekday in the current time zone; no brackets."""
    if value is None or value in ("", [], {}):
        return NOTHING
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, dict):
        given = {name: one for name, one in value.items() if one not in (None, "", False, [], {})}
        return "; ".join(labelled(name.replace("_", " "), _shown(one)) for name, one in given.items()) or NOTHING
    if isinstance(value, list):
        return ", ".join(str(_shown(one)) for one in value)
    if not (isinstance(value, str) and MOMENT.match(value)):
        return value
    moment = parse_datetime(value)
    if moment is None or timezone.is_naive(moment):
        return value
    return date_format(timezone.localtime(moment), "D j N, H:i:s")


__all__ = ["RowNames", "changes_in_words", "counted", "in_one_line"]
