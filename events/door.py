"""The one door for every write: permission, lock, versions, audit log and notification.

A verb opens the door with its name in the action table. The door locks the event or venue, asks the table, compares
versions, lets the verb write, records each row before and after in the audit log, raises versions, and notifies on
commit.

    with door("publish-round", by=actor, event=round.event, on=round, version=form_version) as writing:
        writing.save(round, state=Round.State.PUBLISHED)
        writing.says("published", round=round)
"""

from __future__ import annotations

import contextlib
import datetime
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from typing import Any, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError, models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from . import audit, live
from .actions import Permission, Text, Verdict, answer
from .models import AuditEntry, Event, Match, Role, Round, SentForm, Venue
from .prepared import Prepared, asked
from .results.result import PAIR
from .roles import Actor
from .token_rows import POWER

Row = TypeVar("Row", bound=models.Model)
SECRET = frozenset({"password", "code_hash", "link_secret", "secret"})
PRIVATE = frozenset({"tax_number", "resale_number"})
HIDDEN = "•••"
BEFORE: list[Callable[[str, Actor, Event], None]] = []
"""Functions called before an event's door opens, outside its transaction; snapshots register here."""
MADE: ContextVar[list[AuditEntry] | None] = ContextVar("entries made by this request", default=None)
FORM: ContextVar[str] = ContextVar("the form that this request sent", default="")
"""Identifies the rendered and filled-in form behind this request; "" without one."""
IS_ONCE: ContextVar[bool] = ContextVar("this request's form is sent until an answer arrives", default=False)
"""Whether the form also counts once where it creates no rows."""
COMMITTED: ContextVar[list[int] | None] = ContextVar("keys of entries that this request has committed", default=None)
SENT = Prepared(lambda: SentForm.objects.filter(pk=asked("key")).values_list("entry", flat=True))
GONE = _("Someone deleted this. Reload the page to see the current state.")


class Refused(Exception):
    """The action isn't possible now or for this person; the message says why and what to do."""

    def __init__(self, message: Text, *, is_about_roles: bool = False) -> None:
        super().__init__(str(message))
        self.message = message
        self.is_about_roles = is_about_roles


def require(given: Permission) -> None:
    """Raise Refused, with the reason, unless the table allows the action."""
    if not given:
        raise Refused(given.reason, is_about_roles=given.is_about_roles)


class NeedsConfirmation(Exception):
    """The action is possible, but its consequences must be confirmed first; `about` names the row and the event.

    It `takes_away` something if the action's row always does, or if this very act does.
    """

    def __init__(
        self, message: Text, consequences: Iterable[Text] = (), *, needs_reason: bool = False, about: object = "",
        takes_away: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(str(message))
        self.message = message
        self.consequences = list(consequences)
        self.needs_reason = needs_reason
        self.about = str(about)
        self.takes_away = takes_away


class Stale(Exception):
    """Someone else changed the row since the form was rendered; `current` is the row now."""

    def __init__(self, current: models.Model) -> None:
        super().__init__(f"{current} has changed since")
        self.current = current


class SentAlready(Exception):
    """This form was submitted before and has created its rows. `entry` is what the first submission wrote."""

    def __init__(self, entry: int) -> None:
        super().__init__(f"sent already: {entry}")
        self.entry = entry


def refuse_second() -> None:
    """Raise SentAlready if this request's form has created rows before."""
    if key := FORM.get():
        entry = SENT.first(key=key)
        if entry is not None:
            raise SentAlready(entry)


def _count_form(entry: AuditEntry) -> None:
    """Record that this request's form counted; of two at the same instant, the second is rolled back."""
    key = FORM.get()
    creates = any(change["before"] is None for change in entry.changes)
    if not key or not (creates or IS_ONCE.get()):
        return
    try:
        with transaction.atomic():
            SentForm.objects.create(key=key, entry=entry.pk)
    except IntegrityError:
        refuse_second()
        raise SentAlready(0) from None
    FORM.set("")


def facts(row: models.Model, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return a row's fields for the audit log, without secrets and with private numbers hidden."""
    wanted = set(names) if names is not None else None
    found = {}
    for column in row._meta.concrete_fields:
        if (wanted is not None and column.attname not in wanted) or column.name in SECRET:
            continue
        if column.name in getattr(type(row), "UNRECORDED", ()):
            continue
        value = column.value_from_object(row)
        if isinstance(value, datetime.datetime):
            value = value.isoformat()
        found[column.attname] = HIDDEN if column.name in PRIVATE and value else value
    return found


class Writing:
    """What a verb writes while the door is open. `series` is the public id of a series whose followers it concerns."""

    def __init__(self, by: Actor, answer_given: Permission) -> None:
        self.by = by
        self.answer = answer_given
        self.at = timezone.now()
        self.sentence = ""
        self.facts: dict[str, Any] = {}
        self.is_non_standard = answer_given.action.non_standard
        self.topics: set[str] = set()
        self.series = ""
        self.changes: list[dict[str, Any]] = []
        self.undoes: AuditEntry | None = None

    def says(self, sentence: str, **facts: Any) -> None:
        """Set the entry's sentence in the audit log, with its facts; without one, the entry shows the verb's label."""
        self.facts = audit.kept(sentence, facts)
        self.sentence = sentence

    def _note(self, row: models.Model, before: dict[str, Any] | None, after: dict[str, Any] | None) -> None:
        self.changes.append({"model": row._meta.label, "id": row.pk, "before": before, "after": after})

    def save(self, row: Row, **changed: Any) -> Row:
        """Set a row's fields, record their old values and raise the version; write nothing if nothing changed."""
        fields = {name: row._meta.get_field(name) for name in changed}
        attnames = {name: field.attname for name, field in fields.items() if isinstance(field, models.Field)}
        before = facts(row, attnames.values())
        kept = {attname: getattr(row, attname) for attname in attnames.values()}
        for name, value in changed.items():
            setattr(row, name, value)
        differing = [name for name, attname in attnames.items() if getattr(row, attname) != kept[attname]]
        if not differing:
            return row
        columns = list(differing)
        if hasattr(row, "version"):
            row.version += 1
            columns.append("version")
        row.save(update_fields=columns)
        names = [attnames[name] for name in differing]
        self._note(row, {name: before[name] for name in names if name in before}, facts(row, names))
        return row

    def jot(self, row: Row, **fields: Any) -> Row:
        """Set fields of a row that no one else sees yet: a draft leaves no entry and keeps its version."""
        for name, value in fields.items():
            setattr(row, name, value)
        row.save(update_fields=None if row.pk is None else list(fields))
        return row

    def create(self, model: type[Row], **fields: Any) -> Row:
        """Create a row and record its fields."""
        row = model._default_manager.create(**fields)
        self._note(row, None, facts(row))
        return row

    def create_many(self, model: type[Row], rows: Iterable[Row]) -> list[Row]:
        """Create many rows in one statement and record the fields of each."""
        made = model._default_manager.bulk_create(list(rows))
        for row in made:
            self._note(row, None, facts(row))
        return made

    def bring_back(self, model: type[Row], pk: int, kept: Mapping[str, Any]) -> Row:
        """Recreate a deleted row under its old key, from the fields in the audit log."""
        columns = {column.attname: column for column in model._meta.concrete_fields}
        row = model(pk=pk)
        for name, value in kept.items():
            if name in columns and name != model._meta.pk.attname:
                setattr(row, name, columns[name].to_python(value))
        if "version" in kept:
            row.version += 1  # type: ignore[attr-defined]
        row.save_base(raw=True, force_insert=True)
        self._note(row, None, facts(row))
        return row

    def delete(self, row: models.Model) -> None:
        """Delete a row; the audit log keeps all its fields, so that it can be recreated."""
        self._note(row, facts(row), None)
        row.delete()


@functools.cache
def _locked(model: type[Row]) -> Prepared[Row]:
    """Return the query of one row as it is now, locked until the end of the transaction (SQLite is locked as a whole).

    A match comes with its round, on which permissions depend, and with its first two entries.
    """
    rows: Any = Match.objects.with_round(PAIR) if model is Match else model._default_manager.all()
    return Prepared(lambda: rows.select_for_update(of=("self",)).filter(pk=asked("pk")))


def fresh(row: Row) -> Row:
    """Refresh an instance from its locked row, in place, and return it. Raise ObjectDoesNotExist if it was deleted."""
    current = _locked(type(row)).first(pk=row.pk)
    if current is None:
        raise type(row).DoesNotExist  # type: ignore[attr-defined]
    later = current.get_deferred_fields()
    for column in row._meta.concrete_fields:
        if column.attname in later:
            row.__dict__.pop(column.attname, None)
        else:
            setattr(row, column.attname, getattr(current, column.attname))
    row._state.fields_cache = current._state.fields_cache
    return row


@contextlib.contextmanager
def door(
    verb: str,
    *,
    by: Actor,
    on: models.Model | None = None,
    event: Event | None = None,
    venue: Venue | None = None,
    version: int | None = None,
    reason: str = "",
    confirmed: bool = False,
    consequences: Iterable[Text] = (),
    asks: Text = "",
    also: frozenset[Role] = frozenset(),
) -> Iterator[Writing]:
    """Open the door for `verb`, yield a `Writing`, and record everything it writes in one transaction.

    `event` (or `venue`) is where the verb happens: locking its row orders all writes there. `on` is the row that the
    form showed; both are refreshed in place. `consequences` are shown where the table asks for confirmation, under the
    action's label or what `asks` says instead. `also` are roles that the verb itself has established, beside those that the
    actor has at the event or venue (a player of a series). Raise Refused, NeedsConfirmation or Stale before anything is written.
    """
    if event is not None:
        for prepare in BEFORE:
            prepare(verb, by, event)
    with transaction.atomic():
        if event is not None:
            fresh(event)
        elif venue is not None:
            fresh(venue)
        refuse_second()
        if on is not None and on.pk is not None and on is not event and on is not venue:
            try:
                fresh(on)
            except ObjectDoesNotExist:
                raise Refused(GONE) from None
        round_ = on if isinstance(on, Round) else getattr(on, "round", None)
        roles = by.roles(event=event, venue=venue) | also
        given = answer(verb, roles, event=event, round=round_ if isinstance(round_, Round) else None)
        require(given)
        if on is not None and version is not None and getattr(on, "version", version) != version:
            raise Stale(on)
        writing = Writing(by, given)
        try:
            needs_reason = given.action.needs_reason
            if (given.verdict is Verdict.CONFIRM and not confirmed) or (needs_reason and not reason.strip()):
                raise NeedsConfirmation(asks or given.action.label, consequences, needs_reason=needs_reason)
            yield writing
        except NeedsConfirmation as asked:
            asked.takes_away = asked.takes_away or given.action.takes_away
            asked.about = " · ".join(
                dict.fromkeys(str(getattr(row, "called", row)) for row in (on, event, venue) if row)
            )
            raise
        _record(verb, writing, writing.by, roles & given.action.roles, on, event, venue, reason)


def _record(
    verb: str,
    writing: Writing,
    by: Actor,
    roles: frozenset[Role],
    on: models.Model | None,
    event: Event | None,
    venue: Venue | None,
    reason: str,
) -> None:
    if not writing.changes:
        return
    entry = AuditEntry.objects.create(
        verb=verb,
        by_person=by.person,
        by_entry=by.entry if by.entry is not None and by.entry.pk else None,
        by_code=by.office is not None,
        by_token=power.name if (power := POWER.get()) is not None else "",
        as_role="" if by.is_site else next((role for role in Role if role in roles), ""),
        event=event,
        venue=venue if event is None else None,
        subject_model=on._meta.label if on is not None else "",
        subject_id=on.pk if on is not None else None,
        sentence=writing.sentence,
        facts=writing.facts,
        reason=reason.strip()[:300],
        is_non_standard=writing.is_non_standard,
        changes=writing.changes,
        undoes=writing.undoes,
    )
    _count_form(entry)
    if (made := MADE.get()) is not None:
        made.append(entry)
    if (committed := COMMITTED.get()) is not None:
        transaction.on_commit(lambda: committed.append(entry.pk))
    live.announce(entry.event_id, entry.pk)
    if writing.series:
        live.announce(writing.series, entry.pk)
    topics = frozenset(writing.topics | {verb})
    transaction.on_commit(lambda: live.tell(event.pk if event is not None else None, entry.pk, topics))
