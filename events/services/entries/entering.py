"""Registering players, online or at the door, and changing their details."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.actions import Text
from events.door import Refused, door
from events.models import Entry, Event, Person
from events.roles import Actor

from ..rounds_byes import rounds_begun
from .asked import cannot_play, hindrances_of, may_enter_now, must_allow_late_entry, state_for_new
from .presence import seat

MANY_TABLES = 999
LISTED: Text = gettext_lazy(
    "An entry in this event already has your e-mail address. Confirm the address in your account, or open your "
    "player link (on your player card, or from the judges' table) and add the entry to your account."
)


def clean_name(name: str) -> str:
    """Return a name without unprintable characters. Raise ValidationError if it is empty or too long."""
    clean = re.sub(r"\s+", " ", "".join(c for c in name if c.isprintable() or c.isspace())).strip()
    if not clean:
        raise ValidationError({"name": _("Enter the player's name.")})
    if len(clean) > 120:
        raise ValidationError({"name": _("A name can have at most 120 characters.")})
    return clean


def free_table(event: Event, table: int | None, entry: Entry | None = None) -> int | None:
    """Return a table to reserve for a player. Raise ValidationError if it is taken or no table."""
    if table is None:
        return None
    if not 1 <= table <= MANY_TABLES:
        raise ValidationError({"fixed_table": _("Enter a table number from 1 to %(most)d.") % {"most": MANY_TABLES}})
    other = event.entries.filter(fixed_table=table).first()
    if other is not None and other != entry:
        raise ValidationError(
            {
                "fixed_table": _("Table %(table)d is already reserved for %(name)s.")
                % {"table": table, "name": other.name}
            }
        )
    return table


def awardable(
    event: Event, rounds: Iterable[int], entry: Entry | None = None, *, begun: int | None = None
) -> list[int]:
    """Return the rounds of the byes to award, in order. Raise ValidationError outside Swiss or for a published round.

    `begun`: how many rounds are published, if known.
    """
    wanted = sorted(set(rounds))
    if wanted and event.pairing_style != Event.Style.SWISS:
        raise ValidationError({"awarded_byes": _("Only Swiss rounds have awarded byes. Leave the awarded byes empty.")})
    if wanted and event.teams_of_two:
        raise ValidationError({"awarded_byes": _("Teams have no awarded byes. Leave the awarded byes empty.")})
    if wanted and event.has_tables:
        raise ValidationError(
            {"awarded_byes": _("Events at tables of three or four have no byes. Leave the awarded byes empty.")}
        )
    begun = rounds_begun(event) if begun is None else begun
    before = {number for number in set(wanted) ^ set(entry.awarded_byes if entry else ()) if number <= begun}
    if before:
        raise ValidationError(
            {
                "awarded_byes": _("Round %(number)d is already published, so its byes can't change.")
                % {"number": min(before)}
            }
        )
    return wanted


def next_number(event: Event) -> int:
    """Return the number of the next entry."""
    return (event.entries.aggregate(last=Max("number"))["last"] or 0) + 1


def enter_self(
    *, by: Actor, event: Event, name: str = "", club: str = "", is_minor: bool = False, declares: bool = False
) -> Entry:
    """Register the acting person, on the waiting list if all seats are taken.

    A player who withdrew and comes back keeps the number and goes to the end of the waiting list. Raise Refused if the
    policy or the event keeps the person out, ValidationError if something is missing.
    """
    person = by.account
    if person is None:
        raise Refused(_("Sign in to register, or ask at the judges' table."))
    with door("enter-self", by=by, event=event) as writing:
        if why := may_enter_now(event):
            raise Refused(why)
        name = clean_name(name or person.name)
        if not event.is_practice and not declares:
            raise ValidationError({"declares": _("Confirm that you're eligible to play.")})
        if against := hindrances_of(event, person):
            raise Refused(cannot_play(name, against))
        facts = {"name": name, "club": club.strip()[:80], "is_minor": is_minor, "eligible_declared": declares}
        earlier = event.entries.filter(person=person).first()
        if earlier is not None and earlier.state != Entry.State.WITHDRAWN:
            raise Refused(_("You're already registered (entry %(number)d).") % {"number": earlier.number})
        listed = _of_address(event, person.email, name) if earlier is None else None
        if listed is not None and listed.state != Entry.State.WITHDRAWN:
            if not EmailAddress.objects.filter(user=person, email__iexact=person.email, verified=True).exists():
                raise Refused(LISTED)
            writing.says("joined-to-account", name=listed.name, number=listed.number)
            return writing.save(
                listed,
                person=person,
                email="",
                club=facts["club"] or listed.club,
                is_minor=is_minor or listed.is_minor,
                eligible_declared=declares,
            )
        state = state_for_new(event)
        if earlier is not None:
            entry = writing.save(earlier, **facts, state=state, entered=writing.at)
        else:
            number = next_number(event)
            entry = writing.create(
                Entry, event=event, person=person, number=number, state=state, origin=Entry.Origin.SELF, **facts
            )
        writing.says("entered", name=name, state=entry.state)
    return entry


def _of_address(event: Event, email: str, name: str) -> Entry | None:
    """Return the entry without an account that has this e-mail address; of several the one with the name, else None."""
    if not email:
        return None
    found = list(event.entries.filter(person=None, email__iexact=email).order_by("number"))
    same = [entry for entry in found if entry.name.casefold() == name.casefold()]
    return same[0] if same else found[0] if len(found) == 1 else None


def add_entry(
    *,
    by: Actor,
    event: Event,
    name: str,
    email: str = "",
    club: str = "",
    is_minor: bool = False,
    fixed_table: int | None = None,
    awarded_byes: Iterable[int] = (),
    rank: int | None = None,
    declares: bool = False,
    checked_in: bool = False,
) -> Entry:
    """Register a player at the door, with or without an account; after the start, late, from the next round.

    If all seats are taken, the player waits, even if `checked_in`. Raise ValidationError for what the form can correct,
    Refused for what it can't.
    """
    with door("add-entry", by=by, event=event) as writing:
        name = clean_name(name)
        if event.state == Event.State.RUNNING:
            must_allow_late_entry(event, rounds_begun(event))
        email = email.strip()
        person = Person.objects.filter(email__iexact=email).first() if email else None
        if person is not None and (earlier := event.entries.of(person).first()):
            raise ValidationError(
                {
                    "email": _("%(name)s is already on the list of players (entry %(number)d, %(state)s).")
                    % {"name": earlier.name, "number": earlier.number, "state": earlier.get_state_display()}
                }
            )
        if against := hindrances_of(event, person, declares=declares):
            raise ValidationError(cannot_play(name, against))
        state = state_for_new(event)
        entry = writing.create(
            Entry,
            event=event,
            email=email,
            number=next_number(event),
            name=name,
            club=club.strip()[:80],
            is_minor=is_minor,
            state=state,
            origin=Entry.Origin.DOOR,
            eligible_declared=declares,
            fixed_table=free_table(event, fixed_table),
            awarded_byes=awardable(event, awarded_byes),
            rank=rank,
        )
        writing.says("entered-at-door", name=name, state=entry.state)
        if checked_in and state == Entry.State.ENTERED:
            seat(writing, event, entry)
    return entry


def changes_of(entry: Entry, changed: dict[str, Any]) -> list[Text]:
    """Return in words which of an entry's details would change, and where they appear after the event was played."""
    lines: list[Text] = []
    for name, value in changed.items():
        column = Entry._meta.get_field(name)
        was = getattr(entry, name)
        if was != value and isinstance(column, models.Field):
            told = {"what": str(column.verbose_name).capitalize(), "was": _fact(was), "now": _fact(value)}
            lines.append(_("%(what)s: %(was)s → %(now)s") % told)
    if lines and entry.event.state == Event.State.FINISHED:
        lines.append(_("The event is finished. The standings and the result sheet will show the change."))
    return lines or [_("Nothing changes for %(name)s.") % {"name": entry.name}]


def _fact(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return "–" if value in (None, "", []) else ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def change_entry(
    *,
    by: Actor,
    entry: Entry,
    version: int | None = None,
    confirmed: bool = False,
    reason: str = "",
    **changed: Any,
) -> Entry:
    """Change an entry's details: name, email, club, is_minor, eligible_declared, fixed_table, awarded_byes, rank."""
    event = entry.event
    with door(
        "change-entry", by=by, event=event, on=entry, version=version, confirmed=confirmed, reason=reason,
        consequences=changes_of(entry, changed),
    ) as writing:  # fmt: skip
        if "name" in changed:
            changed["name"] = clean_name(changed["name"])
        if "fixed_table" in changed:
            changed["fixed_table"] = free_table(event, changed["fixed_table"], entry)
        if "awarded_byes" in changed:
            changed["awarded_byes"] = awardable(event, changed["awarded_byes"], entry)
        email = (changed.get("email") or "").strip()
        if email and entry.person_id is None and email.casefold() != entry.email.casefold():
            person = Person.objects.filter(email__iexact=email).first()
            if person is not None:
                if event.entries.of(person).exclude(pk=entry.pk).exists():
                    raise ValidationError(
                        {
                            "email": _(
                                "The account with this address already has another entry in this event. Enter another address."
                            )
                        }
                    )
                if against := hindrances_of(event, person):
                    raise ValidationError({"email": cannot_play(entry.name, against)})
        writing.save(entry, **changed)
        writing.says("entry-changed", name=entry.name)
    return entry
