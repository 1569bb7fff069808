"""Entries: who plays, who waits, who is there, who has left. Every write about them; pairing them is `rounds`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from events import policy
from events.actions import Text
from events.door import NeedsConfirmation, Refused, Writing, door
from events.eligibility import Candidate
from events.models import Entry, Event, Match, Person, PolicyOverride, Round
from events.policy import Leaving, Violation
from events.roles import OFFICIALS, Actor

from .policy import overridden, overrides_of
from .rounds_byes import record_missed_rounds, remove_match, rounds_begun

SEATED = (Entry.State.ENTERED, Entry.State.CHECKED_IN)
MANY_TABLES = 999
LISTED: Text = gettext_lazy(
    "The list of players has an entry with your e-mail address. Confirm your address in your account, or open the "
    "player link (on the slip, or from the judges' table) and add that entry to your account."
)


@dataclass(frozen=True)
class Line:
    """One line of a list of players, as read: `line` is where it stands in the file, counted from 1."""

    line: int
    name: str
    email: str = ""
    club: str = ""
    is_minor: bool = False
    fixed_table: int | None = None
    notes: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Problem:
    """What is wrong with a line, and what to do."""

    line: int
    message: str


# what is asked before anything is written


def hindrances_of(
    event: Event,
    person: Person | None,
    *,
    declares: bool = True,
    offices: dict[int, str] | None = None,
    managers: set[int] | None = None,
    overrides: list[PolicyOverride] | None = None,
) -> list[Violation]:
    """Return why the policy keeps this person out, but for what the office lets pass.

    `offices`, `managers` and `overrides` spare questions where many are asked.
    """
    office, manages = "", False
    if person is not None:
        if offices is None:
            offices = {o.person_id: o.get_role_display() for o in event.officials.agreed().filter(person=person)}
        if managers is None:
            managing = event.venue.management.at_work().filter(person=person)
            managers = set(managing.values_list("person_id", flat=True))
        office, manages = offices.get(person.pk, ""), person.pk in managers
    known = overrides_of(event) if overrides is None and not event.is_practice else overrides
    return policy.check_player(
        Candidate(
            on=timezone.localtime(event.starts, event.venue.zone).date(),
            is_sanctioned=not event.is_practice,
            office=office,
            manages_venue=manages,
            publisher_family=bool(person and person.publisher_family),
            suspended_until=person.suspended_until if person else None,
            declares=declares,
        ),
        overridden=overridden(known or (), person),
    )


def known_player(entry: Entry) -> Person | None:
    """Return the account by which it is asked whether the player may play: the entry's own, else that of its address."""
    if entry.person is not None or not entry.email:
        return entry.person
    return Person.objects.filter(email__iexact=entry.email).first()


def suspended_namesakes(event: Event, names: Iterable[str]) -> list[str]:
    """Return in words which of these players without an account bear the name of a suspended one: perhaps it is they.

    A name alone keeps nobody out. Two queries, one where nobody is suspended.
    """
    day = timezone.localtime(event.starts, event.venue.zone).date()
    suspended = Person.objects.filter(is_active=True, suspended_until__gte=day).values_list("name", flat=True)
    known = set() if event.is_practice else {name.casefold() for name in suspended}
    if not known or "suspended" in overridden(overrides_of(event)):
        return []
    words = _("A suspended player is called %(name)s as well: make sure that this is somebody else (%(section)s).")
    found = sorted({name for name in names if name.casefold() in known})
    return [words % {"name": name, "section": policy.ELIGIBILITY} for name in found]


def seats_free(event: Event) -> int:
    """Return how many seats nobody has; never below zero."""
    return max(0, event.seats - event.entries.filter(state__in=SEATED).count())


def may_enter_now(event: Event) -> str:
    """Return why nobody may enter online now, or nothing."""
    if event.state != Event.State.OPEN:
        return _("Entries are not open: the event is %(state)s.") % {"state": event.get_state_display()}
    if event.entries_close and event.entries_close <= timezone.now():
        return _("Entries are closed. Ask at the judges' table: they can still enter players.")
    return ""


def may_check_in_self(event: Event, entry: Entry) -> str:
    """Return why a player may not check in alone now, or nothing."""
    if not event.self_check_in:
        return _("Check-in is at the judges' table.")
    if event.state != Event.State.OPEN:
        return _("The event has begun: check in at the judges' table.")
    if entry.state != Entry.State.ENTERED:
        return _("%(name)s is %(state)s.") % {"name": entry.name, "state": entry.get_state_display()}
    return ""


def _sentence(name: str, reasons: Iterable[Violation]) -> str:
    found = list(reasons)
    sections = sorted({citation["section"] for reason in found for citation in reason.citations})
    return _("%(name)s cannot play: %(reasons)s (%(section)s).") % {
        "name": name,
        "reasons": "; ".join(str(reason.message) for reason in found),
        "section": ", ".join(sections),
    }


def _name(name: str) -> str:
    clean = re.sub(r"\s+", " ", "".join(c for c in name if c.isprintable() or c.isspace())).strip()
    if not clean:
        raise ValidationError({"name": _("Give the player's name.")})
    if len(clean) > 120:
        raise ValidationError({"name": _("A name has at most 120 characters.")})
    return clean


def _fixed_table(event: Event, table: int | None, entry: Entry | None = None) -> int | None:
    if table is None:
        return None
    if not 1 <= table <= MANY_TABLES:
        raise ValidationError({"fixed_table": _("A table has a number from 1 to %(most)d.") % {"most": MANY_TABLES}})
    other = event.entries.filter(fixed_table=table).first()
    if other is not None and other != entry:
        raise ValidationError(
            {"fixed_table": _("Table %(table)d is already kept for %(name)s.") % {"table": table, "name": other.name}}
        )
    return table


def _next_number(event: Event) -> int:
    return (event.entries.aggregate(last=Max("number"))["last"] or 0) + 1


def _state_for_new(event: Event) -> str:
    return Entry.State.ENTERED if seats_free(event) else Entry.State.WAITING


def _is_desk(by: Actor, event: Event) -> bool:
    return bool(by.roles(event=event) & OFFICIALS)


def _own(by: Actor, event: Event, entry: Entry) -> None:
    """Refuse a player who acts for an entry that is not theirs."""
    if _is_desk(by, event):
        return
    mine = by.entry_at(event)
    if mine is None or mine.pk != entry.pk:
        raise Refused(_("That is somebody else's entry. Ask at the judges' table."))


def _not_anothers(by: Actor, event: Event, entry: Entry) -> None:
    """Refuse another player before the door does, which shows how a row stands that was changed meanwhile."""
    if by.entry_at(event) is not None:
        _own(by, event, entry)


def _may_join_late(event: Event, begun: int) -> None:
    """Refuse where nobody can join any more: a schedule is fixed, a bracket is drawn, the cut is made."""
    if not begun:
        return
    if event.pairing_style == Event.Style.ROUND_ROBIN:
        raise Refused(_("A round robin's schedule is fixed by its first round: nobody can join it now."))
    if event.pairing_style == Event.Style.ELIMINATION:
        raise Refused(_("The bracket was drawn with round 1: nobody can join it now."))
    if event.rounds.filter(stage=Round.Stage.CUT).exclude(state=Round.State.DRAFT).exists():
        raise Refused(_("The cut has been made: nobody can join the event now."))


def _move_up(writing: Writing, event: Event) -> list[Entry]:
    """Give free seats to those who wait, the longest first; only before the first round is published."""
    if event.state != Event.State.OPEN:
        return []
    waiting = event.entries.filter(state=Entry.State.WAITING).order_by("entered", "number")[: seats_free(event)]
    return [writing.save(entry, state=Entry.State.ENTERED) for entry in waiting]


def _names_of(moved: Iterable[Entry]) -> list[str]:
    return [entry.name for entry in moved]


def _seat(writing: Writing, event: Event, entry: Entry) -> None:
    """Check the entry in; after the start, from the next round on, with what the event gives for rounds missed."""
    begun = rounds_begun(event)
    changed: dict[str, Any] = {"state": Entry.State.CHECKED_IN, "dropped_after": None}
    if not begun:
        writing.save(entry, **changed)
        writing.says("checked-in", name=entry.name)
        return
    _may_join_late(event, begun)
    writing.save(entry, **changed, from_round=begun + 1)
    by_rule = event.late_start == Event.LateStart.BYE
    missed = record_missed_rounds(writing, event, entry, Match.Kind.BYE if by_rule else Match.Kind.MISSED)
    writing.is_non_standard = True
    writing.says("checked-in-late", name=entry.name, round=begun + 1, missed=missed, what=event.late_start)


def _open_match(entry: Entry) -> Match | None:
    of_entry = Q(a=entry) | Q(b=entry)
    open_rounds = (Round.State.PUBLISHED, Round.State.RUNNING)
    return (
        Match.objects.filter(of_entry, kind=Match.Kind.GAME, round__state__in=open_rounds)
        .exclude(state=Match.State.CONFIRMED)
        .select_related("round")
        .first()
    )


# entering


def enter_self(
    *, by: Actor, event: Event, name: str = "", club: str = "", is_minor: bool = False, declares: bool = False
) -> Entry:
    """Enter the person who asks; on the waiting list where all seats are taken.

    Who withdrew and comes back keeps the number and goes to the end of the waiting list. Raises Refused where the
    policy or the event keeps the person out, ValidationError where something is missing.
    """
    person = by.account
    if person is None:
        raise Refused(_("Sign in first: your entry belongs to your account. Or enter at the judges' table."))
    with door("enter-self", by=by, event=event) as writing:
        if why := may_enter_now(event):
            raise Refused(why)
        name = _name(name or person.name)
        if not event.is_practice and not declares:
            raise ValidationError({"declares": _("Say that you may play, or you cannot be entered.")})
        if against := hindrances_of(event, person):
            raise Refused(_sentence(name, against))
        facts = {"name": name, "club": club.strip()[:80], "is_minor": is_minor, "eligible_declared": declares}
        earlier = event.entries.filter(person=person).first()
        if earlier is not None and earlier.state != Entry.State.WITHDRAWN:
            raise Refused(_("You are already entered, as number %(number)d.") % {"number": earlier.number})
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
        state = _state_for_new(event)
        if earlier is not None:
            entry = writing.save(earlier, **facts, state=state, entered=writing.at)
        else:
            number = _next_number(event)
            entry = writing.create(
                Entry, event=event, person=person, number=number, state=state, origin=Entry.Origin.SELF, **facts
            )
        writing.says("entered", name=name, state=entry.state)
    return entry


def _of_address(event: Event, email: str, name: str) -> Entry | None:
    """Return the entry without an account that bears this e-mail address; of several the one with the name, else none."""
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
    declares: bool = False,
    checked_in: bool = False,
) -> Entry:
    """Enter a player at the door, with or without an account; after the start, late, from the next round.

    Where all seats are taken the player waits, whatever was ticked. Raises ValidationError for what the form can mend,
    Refused for what it cannot.
    """
    with door("add-entry", by=by, event=event) as writing:
        name = _name(name)
        if event.state == Event.State.RUNNING:
            _may_join_late(event, rounds_begun(event))
        email = email.strip()
        person = Person.objects.filter(email__iexact=email).first() if email else None
        if person is not None and (earlier := event.entries.of(person).first()):
            raise ValidationError(
                {
                    "email": _("%(name)s is already entered, as number %(number)d (%(state)s).")
                    % {"name": earlier.name, "number": earlier.number, "state": earlier.get_state_display()}
                }
            )
        if against := hindrances_of(event, person, declares=declares):
            raise ValidationError(_sentence(name, against))
        state = _state_for_new(event)
        entry = writing.create(
            Entry,
            event=event,
            email=email,
            number=_next_number(event),
            name=name,
            club=club.strip()[:80],
            is_minor=is_minor,
            state=state,
            origin=Entry.Origin.DOOR,
            eligible_declared=declares,
            fixed_table=_fixed_table(event, fixed_table),
        )
        writing.says("entered-at-door", name=name, state=entry.state)
        if checked_in and state == Entry.State.ENTERED:
            _seat(writing, event, entry)
    return entry


def problems_of(event: Event, lines: Sequence[Line]) -> list[Problem]:
    """Return what keeps these lines from being entered, by line."""
    found: list[Problem] = []
    emails = [line.email.lower() for line in lines if line.email]
    people = {person.email.lower(): person for person in Person.objects.filter(email__in=emails)}
    entered = {e.person_id: e for e in event.entries.filter(person__isnull=False)}
    addresses = {e.email.lower(): e for e in event.entries.filter(person=None).exclude(email="")}
    tables = {e.fixed_table: e.name for e in event.entries.filter(fixed_table__isnull=False)}
    offices = {o.person_id: o.get_role_display() for o in event.officials.agreed()}
    managers = set(event.venue.management.at_work().values_list("person_id", flat=True))
    overrides = overrides_of(event)
    seen_emails: dict[str, int] = {}
    seen_tables: dict[int, int] = {}
    for line in lines:
        if line.email:
            if before := seen_emails.get(line.email.lower()):
                found.append(
                    Problem(line.line, _("The same e-mail address stands in line %(line)d.") % {"line": before})
                )
            seen_emails.setdefault(line.email.lower(), line.line)
            if there := addresses.get(line.email.lower()):
                found.append(
                    Problem(
                        line.line,
                        _("%(name)s is entered with this e-mail address, as number %(number)d.")
                        % {"name": there.name, "number": there.number},
                    )
                )
        person = people.get(line.email.lower()) if line.email else None
        if person is not None and person.pk in entered:
            number = entered[person.pk].number
            found.append(
                Problem(
                    line.line,
                    _("%(name)s is already entered, as number %(number)d.") % {"name": line.name, "number": number},
                )
            )
        if person is not None and (
            against := hindrances_of(event, person, offices=offices, managers=managers, overrides=overrides)
        ):
            found.append(Problem(line.line, _sentence(line.name, against)))
        if line.fixed_table is not None:
            if line.fixed_table in tables:
                who = tables[line.fixed_table]
                found.append(
                    Problem(
                        line.line,
                        _("Table %(table)d is already kept for %(name)s.") % {"table": line.fixed_table, "name": who},
                    )
                )
            if before := seen_tables.get(line.fixed_table):
                found.append(
                    Problem(
                        line.line,
                        _("Table %(table)d is already kept by line %(line)d.")
                        % {"table": line.fixed_table, "line": before},
                    )
                )
            seen_tables.setdefault(line.fixed_table, line.line)
    return found


def import_entries(*, by: Actor, event: Event, lines: Sequence[Line], declared: bool = False) -> list[Entry]:
    """Enter all players of a list, or nobody; beyond the seats they wait, in the list's order.

    Raises ValidationError naming each line that cannot be entered.
    """
    with door("import-entries", by=by, event=event) as writing:
        if not lines:
            raise ValidationError(_("The list has no players."))
        if event.state == Event.State.RUNNING:
            _may_join_late(event, rounds_begun(event))
        if problems := problems_of(event, lines):
            raise ValidationError(
                [_("Line %(line)d: %(what)s") % {"line": p.line, "what": p.message} for p in problems]
            )
        first, free = _next_number(event), seats_free(event)
        rows = []
        for position, line in enumerate(lines):
            rows.append(
                Entry(
                    event=event,
                    email=line.email,
                    number=first + position,
                    name=_name(line.name),
                    club=line.club[:80],
                    is_minor=line.is_minor,
                    fixed_table=line.fixed_table,
                    state=Entry.State.ENTERED if position < free else Entry.State.WAITING,
                    origin=Entry.Origin.LIST,
                    eligible_declared=declared,
                )
            )
        made = writing.create_many(Entry, rows)
        writing.says("entered-from-list", n=len(made))
    return made


def changes_of(entry: Entry, changed: dict[str, Any]) -> list[Text]:
    """Return in words which facts of an entry would change, and where they are read once the event is played."""
    lines: list[Text] = []
    for name, value in changed.items():
        column = Entry._meta.get_field(name)
        was = getattr(entry, name)
        if was != value and isinstance(column, models.Field):
            told = {"what": str(column.verbose_name).capitalize(), "was": _fact(was), "now": _fact(value)}
            lines.append(_("%(what)s: %(was)s → %(now)s") % told)
    if lines and entry.event.state == Event.State.FINISHED:
        lines.append(_("The event is played: standings and result sheet show it so from now on."))
    return lines or [_("Nothing of %(name)s changes.") % {"name": entry.name}]


def _fact(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return "–" if value in (None, "") else str(value)


def change_entry(
    *,
    by: Actor,
    entry: Entry,
    version: int | None = None,
    confirmed: bool = False,
    reason: str = "",
    **changed: Any,
) -> Entry:
    """Change facts of an entry: name, email, club, is_minor, eligible_declared, fixed_table."""
    event = entry.event
    with door(
        "change-entry", by=by, event=event, on=entry, version=version, confirmed=confirmed, reason=reason,
        consequences=changes_of(entry, changed),
    ) as writing:  # fmt: skip
        if "name" in changed:
            changed["name"] = _name(changed["name"])
        if "fixed_table" in changed:
            changed["fixed_table"] = _fixed_table(event, changed["fixed_table"], entry)
        email = (changed.get("email") or "").strip()
        if email and entry.person_id is None and email.casefold() != entry.email.casefold():
            person = Person.objects.filter(email__iexact=email).first()
            if person is not None:
                if event.entries.of(person).exclude(pk=entry.pk).exists():
                    raise ValidationError({"email": _("That account is already entered under another number.")})
                if against := hindrances_of(event, person):
                    raise ValidationError({"email": _sentence(entry.name, against)})
        writing.save(entry, **changed)
        writing.says("entry-changed", name=entry.name)
    return entry


def move_up_waiting(*, by: Actor, event: Event) -> list[Entry]:
    """Give free seats (after seats were added) to those who wait."""
    with door("change-entry", by=by, event=event) as writing:
        moved = _move_up(writing, event)
        writing.says("seats-given", names=_names_of(moved))
    return moved


# being there


def open_self_check_in(*, by: Actor, event: Event, open: bool) -> Event:
    """Let players check themselves in, or no longer."""
    with door("open-self-check-in", by=by, event=event) as writing:
        writing.save(event, self_check_in=open)
        writing.says("self-check-in-opened" if open else "self-check-in-closed")
    return event


def check_in(*, by: Actor, entry: Entry) -> Entry:
    """Note that the player is there; somebody who waits takes a free seat. Doing it twice changes nothing.

    After the first round was published the entry plays from the next round (see `Event.late_start`).
    """
    event = entry.event
    with door("check-in", by=by, event=event, on=entry) as writing:
        _own(by, event, entry)
        if entry.state == Entry.State.CHECKED_IN:
            return entry
        if (person := known_player(entry)) and (against := hindrances_of(event, person)):
            raise Refused(_sentence(entry.name, against))
        if not _is_desk(by, event) and (why := may_check_in_self(event, entry)):
            raise Refused(why)
        if entry.state == Entry.State.WAITING:
            if not seats_free(event):
                raise Refused(
                    _(
                        "All %(seats)d seats are taken: %(name)s stays on the waiting list. Add seats or withdraw somebody."
                    )
                    % {"seats": event.seats, "name": entry.name}
                )
        elif entry.state != Entry.State.ENTERED:
            raise Refused(
                _("%(name)s is %(state)s: let the player return first.")
                % {"name": entry.name, "state": entry.get_state_display()}
            )
        _seat(writing, event, entry)
    return entry


def undo_check_in(*, by: Actor, entry: Entry) -> Entry:
    """Take a check-in back, while the player has no game; rounds noted as missed are taken back too."""
    event = entry.event
    with door("undo-check-in", by=by, event=event, on=entry) as writing:
        if entry.state == Entry.State.ENTERED:
            return entry
        if entry.state != Entry.State.CHECKED_IN:
            raise Refused(
                _("%(name)s is %(state)s, not checked in.") % {"name": entry.name, "state": entry.get_state_display()}
            )
        published = Match.objects.filter(Q(a=entry) | Q(b=entry)).exclude(round__state=Round.State.DRAFT)
        if published.filter(Q(kind=Match.Kind.GAME) | Q(round__number__gte=entry.from_round)).exists():
            raise Refused(_("%(name)s has been paired: drop the player instead.") % {"name": entry.name})
        for match in published:
            remove_match(writing, match)
        writing.save(entry, state=Entry.State.ENTERED, from_round=1)
        writing.says("check-in-undone", name=entry.name)
    return entry


# leaving


def withdraw_entry(
    *, by: Actor, entry: Entry, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Entry:
    """Take the entry back before the start; the longest waiting player moves up."""
    event = entry.event
    _not_anothers(by, event, entry)
    with door("withdraw-entry", by=by, event=event, on=entry, version=version, reason=reason) as writing:
        _own(by, event, entry)
        if entry.state not in (*SEATED, Entry.State.WAITING):
            raise Refused(
                _("%(name)s is %(state)s already.") % {"name": entry.name, "state": entry.get_state_display()}
            )
        next_up = event.entries.filter(state=Entry.State.WAITING).exclude(pk=entry.pk).order_by("entered", "number")
        follower = next_up.first() if entry.state in SEATED else None
        if not confirmed and (follower is not None or not _is_desk(by, event)):
            lines = [_("%(name)s is taken off the list of players.") % {"name": entry.name}]
            if follower is not None:
                lines.append(
                    _("%(name)s gets the seat; who enters again goes to the end of the waiting list.")
                    % {"name": follower.name}
                )
            raise NeedsConfirmation(_("Withdraw from the event"), lines)
        writing.save(entry, state=Entry.State.WITHDRAWN, fixed_table=None)
        writing.says("withdrew", name=entry.name, names=_names_of(_move_up(writing, event)))
    return entry


def reinstate_entry(*, by: Actor, entry: Entry, version: int | None = None) -> Entry:
    """Undo a withdrawal: back on the list, or at the end of the waiting list where it is full."""
    event = entry.event
    with door("reinstate-entry", by=by, event=event, on=entry, version=version) as writing:
        if entry.state != Entry.State.WITHDRAWN:
            raise Refused(_("%(name)s has not withdrawn.") % {"name": entry.name})
        writing.save(entry, state=_state_for_new(event), entered=writing.at)
        writing.says("reinstated", name=entry.name, state=entry.state)
    return entry


def drop_entry(
    *, by: Actor, entry: Entry, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Entry:
    """Stop pairing the player: nothing that was published changes, and the last published round is the last one.

    Who never checked in is taken off the list instead, and stands in no standings.
    An open game stays open: it is played out, or a judge records that the player left it.
    """
    event = entry.event
    _not_anothers(by, event, entry)
    with door("drop-entry", by=by, event=event, on=entry, version=version, reason=reason) as writing:
        _own(by, event, entry)
        if entry.state == Entry.State.DROPPED:
            raise Refused(_("%(name)s has dropped already.") % {"name": entry.name})
        if entry.state not in SEATED:
            raise Refused(_("%(name)s is %(state)s.") % {"name": entry.name, "state": entry.get_state_display()})
        begun, game = rounds_begun(event), _open_match(entry)
        if not confirmed:
            lines = [_("%(name)s is not paired from round %(round)d on.") % {"name": entry.name, "round": begun + 1}]
            if game is not None:
                lines.append(
                    _("The game at table %(table)s of round %(round)d is still open and has to be played to its end.")
                    % {"table": game.table, "round": game.round.number}
                )
                lines += [policy.sentence(one) for one in policy.check_leaving(_leaving(entry, game_is_open=True))]
            if event.rounds.filter(state=Round.State.DRAFT).exists():
                lines.append(_("The drafted round has to be paired again."))
            raise NeedsConfirmation(_("Drop from the event"), lines)
        if entry.state == Entry.State.ENTERED:
            writing.save(entry, state=Entry.State.WITHDRAWN, fixed_table=None)
            writing.says("never-came", name=entry.name)
        else:
            writing.save(entry, state=Entry.State.DROPPED, dropped_after=begun)
            writing.says("dropped", name=entry.name, round=begun)
    return entry


def _leaving(entry: Entry, **how: bool) -> Leaving:
    event = entry.event
    day = timezone.localtime(event.starts, event.venue.zone).date()
    return Leaving(day, entry.name, not event.is_practice, **how)


def _abandoned(entry: Entry) -> bool:
    """True where a result says that this player abandoned a battle."""
    as_a, as_b = Q(a=entry, result__abandoned_by="a"), Q(b=entry, result__abandoned_by="b")
    return Match.objects.filter(as_a | as_b, state=Match.State.CONFIRMED).exists()


def return_entry(
    *, by: Actor, entry: Entry, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Entry:
    """Let a player who dropped play again: an undo where no round was published since, else with losses for those."""
    event = entry.event
    with door("return-entry", by=by, event=event, on=entry, version=version, reason=reason) as writing:
        if entry.state != Entry.State.DROPPED:
            raise Refused(_("%(name)s has not dropped.") % {"name": entry.name})
        against = policy.check_leaving(
            _leaving(entry, returns=True, abandoned=_abandoned(entry)),
            overridden=overridden(overrides_of(event), known_player(entry)),
        )
        if against:
            raise Refused(" ".join(policy.sentence(one) for one in against))
        begun = rounds_begun(event)
        missed = begun - (entry.dropped_after or 0)
        if missed > 0:
            _may_join_late(event, begun)
            if not confirmed:
                one = "%(name)s gets a loss for %(n)d round missed."
                text = ngettext(one, "%(name)s gets a loss for %(n)d rounds missed.", missed)
                raise NeedsConfirmation(_("Let the player return"), [text % {"name": entry.name, "n": missed}])
        writing.save(entry, state=Entry.State.CHECKED_IN, dropped_after=None)
        missed = record_missed_rounds(writing, event, entry, Match.Kind.MISSED)
        writing.is_non_standard = bool(missed)
        writing.says("re-entered", name=entry.name, round=begun + 1)
    return entry


def disqualify_entry(
    *, by: Actor, entry: Entry, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Entry:
    """Take a player out of the event for a grave fault; results that count stay as they are."""
    event = entry.event
    game = _open_match(entry)
    lines = [_("%(name)s is not paired any more; the games played stay as they are.") % {"name": entry.name}]
    if game is not None:
        lines.append(_("The game at table %(table)s is open: decide its result there.") % {"table": game.table})
    if event.rounds.filter(state=Round.State.DRAFT).exists():
        lines.append(_("The drafted round has to be paired again."))
    with door(
        "disqualify-entry", by=by, event=event, on=entry, version=version, reason=reason, confirmed=confirmed,
        consequences=lines,
    ) as writing:  # fmt: skip
        if entry.state not in (*SEATED, Entry.State.DROPPED):
            raise Refused(_("%(name)s is %(state)s.") % {"name": entry.name, "state": entry.get_state_display()})
        if not confirmed:
            raise NeedsConfirmation(_("Disqualify %(name)s") % {"name": entry.name}, lines, needs_reason=True)
        after = entry.dropped_after if entry.dropped_after is not None else rounds_begun(event)
        writing.save(entry, state=Entry.State.DISQUALIFIED, dropped_after=after)
        writing.says("disqualified", name=entry.name)
    return entry


def requalify_entry(
    *, by: Actor, entry: Entry, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Entry:
    """Take a disqualification back: the player stands as dropped, and may return."""
    event = entry.event
    lines = [_("%(name)s stands as dropped and may then return.") % {"name": entry.name}]
    with door(
        "disqualify-entry", by=by, event=event, on=entry, version=version, reason=reason, confirmed=confirmed,
        consequences=lines,
    ) as writing:  # fmt: skip
        if entry.state != Entry.State.DISQUALIFIED:
            raise Refused(_("%(name)s is not disqualified.") % {"name": entry.name})
        writing.save(entry, state=Entry.State.DROPPED)
        writing.says("disqualification-withdrawn", name=entry.name)
    return entry
