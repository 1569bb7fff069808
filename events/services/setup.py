"""Verbs for setting up an event: create, change, open, cancel; its officials; announcements."""

from __future__ import annotations

import copy
import datetime
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events import policy
from events.actions import Text
from events.choices import tables_needed
from events.door import NeedsConfirmation, Refused, door
from events.models import Announcement, Entry, Event, Official, Person, Role, Venue
from events.policy import PolicyViolation
from events.roles import Actor
from events.standings import CRITERIA

from .policy import (
    creates_for_venue,
    duration,
    excepted_rules,
    in_turn,
    overrides_of,
    plan_of,
    refuse,
    violations_of,
)

A_MINUTE, A_WEEK = datetime.timedelta(minutes=1), datetime.timedelta(days=7)
PLAYS_NOT = (Entry.State.DROPPED, Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED)


NO_DRAFT = frozenset({"registered-venue", "registered-volunteer"})
"""Rules that even a draft must follow; all others can wait until the event is opened."""


def violations_of_draft(event: Event, head: Person | None = None, *, by: Actor | None = None) -> list[PolicyViolation]:
    """Return the policy violations of an event being created, warnings included."""
    plan = plan_of(event, head=head)
    if by is not None:
        plan = replace(plan, created_by_venue=creates_for_venue(by, event.venue))
    return [
        *policy.check_house(plan, but=policy.BEFORE_OPENING),
        *policy.check_plan(plan, but=policy.BEFORE_OPENING | {"registered-venue"}),
    ]


def create_event(
    *,
    by: Actor,
    venue: Venue,
    facts: dict[str, Any],
    head_judge: Person | None = None,
    despite: bool = False,
) -> Event:
    """Create a draft event at an approved venue; the head judge named has the role only after accepting it.

    `despite`: save a draft that can't be opened without a policy exception, instead of raising Refused.
    """
    with door("create-event", by=by, venue=venue) as writing:
        found = violations_of_draft(Event(venue=venue, **facts), head_judge, by=by)
        refuse(one for one in found if not despite or one.rule in NO_DRAFT)
        event = writing.create(Event, venue=venue, **facts)
        if head_judge is not None:
            _may_work(event, head_judge, Official.Role.HEAD_JUDGE, but=frozenset({"four-hours"}))
            writing.create(
                Official,
                event=event,
                person=head_judge,
                role=Official.Role.HEAD_JUDGE,
                accepted=writing.at,
                confirmed=writing.at if by.account == head_judge else None,
            )
        writing.says("event-created", event=event)
    return event


def change_event(
    *,
    by: Actor,
    event: Event,
    facts: dict[str, Any],
    version: int | None = None,
    confirmed: bool = False,
    reason: str = "",
    consequences: Iterable[Text] = (),
    despite: bool = False,
) -> Event:
    """Change an event's settings; while it is running, the consequences must be confirmed first.

    Violations from before don't prevent a change; `despite` allows what only a draft may have.
    """
    with door(
        "change-event",
        by=by,
        event=event,
        on=event,
        version=version,
        confirmed=confirmed,
        reason=reason,
        consequences=consequences,
    ) as writing:
        if not (despite and event.state == Event.State.DRAFT):
            in_turn(event)
            refuse(new_violations(event, facts))
        if facts.get("table_size", event.table_size) != event.table_size and event.rounds.exists():
            raise Refused(_("A round has been paired, so the number of players at a table can't change."))
        if facts.get("teams_of_two", event.teams_of_two) != event.teams_of_two and event.rounds.exists():
            raise Refused(_("A round has been paired, so teams can't be turned on or off."))
        writing.save(event, **facts)
        writing.says("event-changed", event=event)
    return event


def new_violations(event: Event, facts: dict[str, Any]) -> list[PolicyViolation]:
    """Return the policy violations that these settings would add."""
    before = {(one.rule, str(one.message)) for one in violations_of(event, but=policy.BEFORE_OPENING)}
    changed = copy.copy(event)
    for name, value in facts.items():
        setattr(changed, name, value)
    found = violations_of(changed, but=policy.BEFORE_OPENING)
    return [one for one in found if (one.rule, str(one.message)) not in before]


def missing_to_open(event: Event) -> list[PolicyViolation]:
    """Return what an event still needs before players can register, apart from granted exceptions."""
    plan, rules = plan_of(event), excepted_rules(overrides_of(event))
    house = policy.check_house(plan)
    but = {one.rule for one in house}
    return [*house, *policy.refusals(policy.check_plan(plan, excepted=rules, but=but))]


def open_event(*, by: Actor, event: Event, version: int | None = None, **_unused: object) -> Event:
    """Open an event for registration, once nothing is missing."""
    with door("open-event", by=by, event=event, on=event, version=version) as writing:
        in_turn(event)
        missing = missing_to_open(event)
        if missing:
            raise Refused(
                _("This event isn't ready. %(what)s") % {"what": " ".join(policy.sentence(one) for one in missing)}
            )
        writing.save(event, state=Event.State.OPEN)
        writing.says("event-opened", event=event)
    return event


def why_cancelled(event: Event) -> str:
    """Return the reason given for cancelling the event; "" if it isn't cancelled."""
    if event.state != Event.State.CANCELLED:
        return ""
    entry = event.record.filter(verb="cancel-event").order_by("-pk").first()
    return entry.reason if entry is not None else ""


def cancel_event(
    *, by: Actor, event: Event, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Event:
    """Cancel an event; its data is kept."""
    entered = event.entries.exclude(state__in=PLAYS_NOT).count()
    consequences = [
        _("Players can no longer register, and no more rounds can be played."),
        _("Everyone can read the reason on the event's page."),
    ]
    if entered:
        consequences.append(
            ngettext(
                "The site won't notify the %(count)d registered player. Tell them about the cancellation yourself.",
                "The site won't notify the %(count)d registered players. Tell them about the cancellation yourself.",
                entered,
            )
            % {"count": entered}
        )
    with door(
        "cancel-event",
        by=by,
        event=event,
        on=event,
        version=version,
        confirmed=confirmed,
        reason=reason,
        consequences=consequences,
    ) as writing:
        writing.save(event, state=Event.State.CANCELLED)
        writing.says("event-cancelled", event=event)
    return event


# officials


def refusal(event: Event, person: Person, role: str, *, but: frozenset[str] = frozenset()) -> Text | None:
    """Return why a person can't have this role at the event, or None."""
    if not person.is_active:
        return _("%(name)s's account is closed.") % {"name": person}
    if event.pk and event.entries.of(person).exclude(state__in=PLAYS_NOT).exists():
        rule = policy.RULES["official-of-record"]
        return _("%(name)s plays in this event. Officials of record can't play (%(section)s).") % {
            "name": person,
            "section": rule.sections[0],
        }
    if role != Official.Role.HEAD_JUDGE:
        return None
    against = [one for one in judging_against(event, person) if one.rule not in but]
    return " ".join(policy.sentence(one) for one in against) if against else None


def judging_against(event: Event, person: Person) -> list[PolicyViolation]:
    """Return the policy violations of a person being an event's head judge."""
    return [one for one in policy.refusals(violations_of(event, head=person)) if one.field == "head_judge"]


def _may_work(event: Event, person: Person, role: str, *, but: frozenset[str] = frozenset()) -> None:
    against = refusal(event, person, role, but=but)
    if against is not None:
        raise Refused(against)


def set_official(
    *, by: Actor, event: Event, person: Person, role: str, confirmed: bool = False, **_unused: object
) -> Official:
    """Offer a person a role at the event; they have it once they and the venue have accepted it.

    The venue's own choice counts as accepted by the venue, and people naming themselves have accepted. A higher role
    must be accepted again, except while the event is running: then only those already at work can become head judge, so
    that the event always has one. There is only one head judge; naming another makes the present one a judge, after
    confirmation.
    """
    told: list[Text] = [
        _("%(name)s gets the role of %(role)s at this event.") % {"name": person, "role": Official.Role(role).label}
    ]
    with door(
        "change-officials", by=by, event=event, confirmed=confirmed, consequences=told + _printed(event)
    ) as writing:
        waits = _may_wait(event)
        in_turn(event, person)
        _may_work(event, person, role, but=waits)
        head = event.officials.filter(role=Official.Role.HEAD_JUDGE).exclude(person=person).select_related("person")
        present = head.first() if role == Official.Role.HEAD_JUDGE else None
        against = judging_against(event, person) if waits and role == Official.Role.HEAD_JUDGE else []
        if not confirmed and (present is not None or against):
            lines = (
                [_("%(name)s, the current head judge, becomes a judge.") % {"name": present.person}] if present else []
            )
            lines += [policy.sentence(one) for one in against]
            if against:
                lines.append(
                    _("The event stays a draft until this is fixed or the sanctioning office grants an exception.")
                )
            raise NeedsConfirmation(_("Make %(name)s head judge") % {"name": person}, lines)
        official = event.officials.filter(person=person).first()
        is_self = by.account == person
        keeps = is_self or (official is not None and official.confirmed is not None)
        if role == Official.Role.HEAD_JUDGE and event.state in PLAYED and present is not None and not keeps:
            raise Refused(
                _("%(name)s hasn't accepted a role here. Add them as a judge first; once they accept, make them "
                    "head judge.")
                % {"name": person}
            )  # fmt: skip
        if present is not None:
            writing.save(present, role=Official.Role.JUDGE)
        if official is not None and official.role == Official.Role.HEAD_JUDGE and role != official.role:
            _keeps_a_head_judge(event)
        accepted = writing.at if Role.VENUE in by.roles(event=event) else None
        agreed = writing.at if is_self else None
        if official is None:
            official = writing.create(
                Official, event=event, person=person, role=role, accepted=accepted, confirmed=agreed
            )
        elif _lower(role, official.role):
            writing.save(official, role=role, confirmed=official.confirmed or agreed)
        else:
            kept = official.confirmed if is_self or event.state in PLAYED else None
            writing.save(official, role=role, accepted=accepted, answered=None, confirmed=kept or agreed)
        writing.says("official-named", name=person, role=official.role)
    return official


def _may_wait(event: Event) -> frozenset[str]:
    """Return the rules about head judges that a draft need not follow yet."""
    return frozenset({"four-hours"}) if event.state == Event.State.DRAFT else frozenset()


PLAYED = (Event.State.RUNNING, Event.State.FINISHED)
RANK = {Official.Role.SCOREKEEPER.value: 0, Official.Role.JUDGE.value: 1, Official.Role.HEAD_JUDGE.value: 2}


def _lower(role: str, than: str) -> bool:
    return RANK[role] <= RANK[than]


def _keeps_a_head_judge(event: Event) -> None:
    if event.state in PLAYED:
        raise Refused(_("An event that has started needs a head judge. Make another official head judge instead."))


def _printed(event: Event) -> list[Text]:
    """Return the consequences of changing officials once the event is played."""
    if event.state != Event.State.FINISHED:
        return []
    return [_("The event is finished. The result sheet will show the new officials.")]


def accept_official(
    *, by: Actor, event: Event, official: Official, confirmed: bool = False, **_unused: object
) -> Official:
    """Accept an official whom the head judge proposed, for the venue."""
    lines = working_lines(event, official)
    with door("accept-official", by=by, event=event, on=official, confirmed=confirmed, consequences=lines) as writing:
        may_work(event, official)
        writing.save(official, accepted=writing.at)
        writing.says("official-accepted", name=official.person, role=official.role)
    return official


def working_lines(event: Event, official: Official) -> list[Text]:
    """Return in words what follows from accepting an official."""
    told = {"name": official.person, "role": official.get_role_display()}
    return [_("%(name)s can act as %(role)s from now on.") % told, *_printed(event)]


def may_work(event: Event, official: Official) -> None:
    """Raise Refused if something prevents this official's role; checked again when it is accepted.

    Within an open door, so that of two roles accepted at the same moment the second is checked after the first.
    """
    in_turn(event, official.person)
    _may_work(event, official.person, official.role, but=_may_wait(event))


def remove_official(*, by: Actor, event: Event, official: Official, confirmed: bool = False, **_unused: object) -> None:
    """Remove a person's role at the event; a running event keeps its head judge."""
    told = {"name": official.person, "role": official.get_role_display()}
    lines = [_("%(name)s loses the role of %(role)s and can no longer see the console.") % told, *_printed(event)]
    with door("change-officials", by=by, event=event, on=official, confirmed=confirmed, consequences=lines) as writing:
        if official.role == Official.Role.HEAD_JUDGE and official.is_at_work:
            _keeps_a_head_judge(event)
        writing.says("official-removed", name=official.person, role=official.role)
        writing.delete(official)


# announcements


def publishing_of(event: Event, text: str) -> list[PolicyViolation]:
    """Return the policy violations of publishing this text: addresses and telephone numbers of people at the event."""
    people = list(event.officials.values_list("person__email", "person__phone"))
    people += [(email, "") for email in event.entries.values_list("person__email", flat=True) if email]
    people += [(email, "") for email in event.entries.values_list("email", flat=True) if email]
    said, digits = text.casefold(), "".join(letter for letter in text if letter.isdigit())
    facts = set()
    for email, phone in people:
        if email and email.casefold() in said:
            facts.add("email")
        number = "".join(letter for letter in phone if letter.isdigit())
        if len(number) >= 6 and number in digits:
            facts.add("telephone")
    day = event.starts.astimezone(event.venue.zone).date()
    return policy.check_publication(policy.Publication(day, tuple(sorted(facts)), not event.is_practice))


def announce(*, by: Actor, event: Event, text: str, until: datetime.datetime | None = None) -> Announcement:
    """Announce something to everyone at the event, on its pages and the display."""
    with door("announce", by=by, event=event) as writing:
        refuse(publishing_of(event, text))
        writing.says("announced", text=text)
        return writing.create(Announcement, event=event, text=text, until=until)


def withdraw_announcement(*, by: Actor, event: Event, announcement: Announcement) -> Announcement:
    """Withdraw an announcement from the pages; the audit log keeps it."""
    with door("announce", by=by, event=event, on=announcement) as writing:
        writing.says("announcement-withdrawn", text=announcement.text)
        return writing.save(announcement, withdrawn=True)


def announce_next_round(*, by: Actor, event: Event, starts: datetime.datetime | None) -> Event:
    """Tell everyone when the next round starts, until it is published; None withdraws that.

    Raise ValidationError for a time that has passed, Refused while no round can follow.
    """
    with door("announce", by=by, event=event) as writing:
        if starts is None:
            writing.says("next-round-withdrawn")
            return writing.save(event, next_round_at=None)
        if event.state == Event.State.FINISHED:
            raise Refused(_("The event is finished. To announce another round, reopen the event."))
        if not writing.at - A_MINUTE < starts < writing.at + A_WEEK:
            raise ValidationError({"starts": _("Enter a time within the next 7 days.")})
        writing.says("next-round-announced", at=starts.astimezone(event.venue.zone).isoformat())
        writing.save(event, next_round_at=starts)
    return event


# tables of a hall


def tables_of(event: Event) -> range:
    """Return the numbers of the tables that a full event occupies."""
    return range(event.first_table, event.first_table + tables_needed(event.seats, event.table_size))


def _range_in_words(tables: range) -> str:
    words = ngettext("table %(first)d", "tables %(first)d to %(last)d", len(tables))
    return words % {"first": tables.start, "last": tables.stop - 1}


def hall_warnings(event: Event) -> list[Text]:
    """Return warnings about tables shared with another event of the hall, or missing from it."""
    if event.hall is None:
        return []
    mine, ends = tables_of(event), event.starts + duration(event)
    warnings: list[Text] = []
    if mine.stop - 1 > event.hall.tables:
        warnings.append(
            ngettext(
                "%(hall)s has %(tables)d table. With %(seats)d players, this event needs %(needed)s.",
                "%(hall)s has %(tables)d tables. With %(seats)d players, this event needs %(needed)s.",
                event.hall.tables,
            )
            % {
                "hall": event.hall,
                "tables": event.hall.tables,
                "seats": event.seats,
                "needed": _range_in_words(mine),
            }
        )
    near = Event.objects.filter(
        hall=event.hall, starts__gt=event.starts - datetime.timedelta(days=2), starts__lt=ends
    ).exclude(state=Event.State.CANCELLED)
    for other in near.exclude(pk=event.pk).order_by("first_table", "pk"):
        theirs = tables_of(other)
        if other.starts + duration(other) > event.starts and mine.start < theirs.stop and theirs.start < mine.stop:
            warnings.append(
                _("%(other)s uses %(shared)s in %(hall)s at that time. Tables %(free)d and up are free.")
                % {
                    "shared": _range_in_words(range(max(mine.start, theirs.start), min(mine.stop, theirs.stop))),
                    "hall": event.hall,
                    "other": other,
                    "free": theirs.stop,
                }
            )
    return warnings


def changes_of(event: Event, facts: dict[str, Any]) -> list[Text]:
    """Return in words which settings of an event would change, with old and new values."""
    lines: list[Text] = []
    for name, value in facts.items():
        column = Event._meta.get_field(name)
        was = getattr(event, name)
        names = dict(getattr(column, "flatchoices", ()) or ())
        told = {
            "what": str(column.verbose_name).capitalize(),  # type: ignore[union-attr]
            "was": _shown(names.get(was, was) if isinstance(was, str) else was, event),
            "now": _shown(names.get(value, value) if isinstance(value, str) else value, event),
        }
        if told["was"] != told["now"]:
            lines.append(_("%(what)s: %(was)s → %(now)s") % told)
    return lines


def _shown(value: Any, event: Event) -> str:
    if isinstance(value, bool):
        return str(_("yes") if value else _("no"))
    if isinstance(value, datetime.datetime):
        return date_format(value.astimezone(event.venue.zone), "D j N Y, H:i")
    if isinstance(value, list):
        return ", ".join(str(CRITERIA[part].title if part in CRITERIA else part) for part in value) or "–"
    return str(value) if value not in (None, "") else "–"
