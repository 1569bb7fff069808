"""Applying the sanctioning policy: events as its checks see them, granted exceptions, published seasons.

The rules are in `events.policy`. This module collects the values they take, each in a fixed number of queries, and
writes the sanctioning office's exceptions and seasons.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from events import policy
from events.door import NeedsConfirmation, Refused, door
from events.models import Event, Official, Person, PolicyOverride, Role, Season, Venue, Volunteer
from events.policy import Booked, PlannedEvent, PolicyViolation, Results, SeasonDays
from events.roles import Actor

from .people import account_of
from .venues import registration_of

NEAR = datetime.timedelta(days=2)
MAX_ROUNDS = 12
BETWEEN_ROUNDS = 10
"""Minutes from the end of a round to the preparation of the next."""
ENDED = (Event.State.FINISHED, Event.State.VERIFIED)
SETTLED = (Event.State.OPEN, Event.State.RUNNING, Event.State.FINISHED, Event.State.VERIFIED)


# events as the policy sees them


def duration(event: Event) -> datetime.timedelta:
    """Return how long an event will probably last: each round by its own length with preparation, and time between."""
    rounds = max(1, min(event.rounds_for(event.seats), MAX_ROUNDS))
    is_bracket = event.pairing_style == Event.Style.ELIMINATION
    of_bracket = rounds if is_bracket else max(event.cut_to - 1, 0).bit_length()
    sizes: list[int | None] = [] if is_bracket else [None] * rounds
    sizes += [2**left for left in range(of_bracket, 0, -1)]
    between = event.preparation_minutes + BETWEEN_ROUNDS
    return datetime.timedelta(minutes=sum(event.minutes_of(size) + between for size in sizes))


def booked(event: Event) -> Booked:
    """Return an event as it appears in another one's plan; its venue must be loaded."""
    return Booked(
        name=event.name,
        starts=event.starts,
        ends=event.ended or event.starts + duration(event),
        place=event.venue.name,
        universe=event.universe,
        is_settled=event.state in SETTLED,
        address=f"/events/{event.public_id}/",
    )


def of_volunteer(person: Person, event: Event) -> tuple[Booked, ...]:
    """Return the other sanctioned events around this one with the same head judge. One query."""
    rows = Event.objects.filter(
        officials__in=Official.objects.agreed().filter(person=person, role=Official.Role.HEAD_JUDGE),
        is_practice=False,
        starts__gt=event.starts - NEAR,
        starts__lt=event.starts + NEAR,
    ).exclude(state=Event.State.CANCELLED)
    others = rows.exclude(pk=event.pk) if event.pk else rows
    return tuple(booked(row) for row in others.select_related("venue").order_by("starts", "pk"))


def of_venue(event: Event) -> tuple[Booked, ...]:
    """Return the venue's other sanctioned events in the event's month, for game clubs only. One query."""
    if event.venue.kind != Venue.Kind.CLUB:
        return ()
    first = event.starts.astimezone(event.venue.zone).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    rows = Event.objects.filter(
        venue=event.venue,
        is_practice=False,
        starts__gte=first,
        starts__lt=first + datetime.timedelta(days=33),
    ).exclude(state=Event.State.CANCELLED)
    others = rows.exclude(pk=event.pk) if event.pk else rows
    return tuple(booked(row) for row in others.select_related("venue").order_by("starts", "pk"))


def seasons() -> tuple[SeasonDays, ...]:
    """Return the published seasons, latest first. One query."""
    return tuple(SeasonDays(row.name, row.universe, row.begins, row.ends) for row in Season.objects.all())


def head_judge_of(event: Event) -> Official | None:
    """Return the event's head judge, accepted or not, or None. One query."""
    heads = event.officials.filter(role=Official.Role.HEAD_JUDGE)
    return heads.select_related("person", "person__volunteer").first()


def is_approved_volunteer(person: Person) -> bool:
    """Return whether the sanctioning office has approved this person as a volunteer."""
    volunteer = getattr(person, "volunteer", None)
    return volunteer is not None and volunteer.is_approved


def _was_approved(row: Volunteer | Venue, event: Event) -> bool:
    """Return whether a registration counts for an event; a suspension after the event's end doesn't affect it."""
    later = event.ended is not None and row.decided is not None and row.decided > event.ended
    return row.is_approved or (later and row.state == type(row).State.SUSPENDED)


def plan_of(event: Event, *, head: Person | None = None) -> PlannedEvent:
    """Return an event, stored or not, as the policy sees it; `head` replaces its head judge."""
    official = head_judge_of(event) if head is None and event.pk else None
    if official is not None:
        head = official.person
    venue, volunteer = event.venue, getattr(head, "volunteer", None)
    return PlannedEvent(
        starts=event.starts,
        zone=venue.zone,
        ends=event.starts + duration(event),
        is_sanctioned=not event.is_practice,
        universe=event.universe,
        format=event.format,
        build_total=event.build_total,
        preparation_minutes=event.preparation_minutes,
        venue=venue.name,
        venue_is_approved=_was_approved(venue, event),
        registration=registration_of(venue),
        registered_on=venue.registered.astimezone(venue.zone).date() if venue.registered else None,
        head_judge=str(head) if head is not None else "",
        head_judge_is_accepted=official is None or official.accepted is not None,
        head_judge_has_agreed=official is None or official.confirmed is not None,
        head_judge_is_approved=volunteer is not None and _was_approved(volunteer, event),
        of_volunteer=of_volunteer(head, event) if head is not None and not event.is_practice else (),
        of_venue=of_venue(event) if not event.is_practice else (),
        seasons=seasons() if not event.is_practice else (),
    )


def results_of(event: Event) -> Results:
    """Return the state of the event's results, with days at the venue."""
    zone = event.venue.zone

    def day(moment: datetime.datetime | None) -> datetime.date | None:
        return moment.astimezone(zone).date() if moment else None

    return Results(
        today=timezone.now().astimezone(zone).date(),
        ended=day(event.ended),
        reported=day(event.reported_at),
        is_sanctioned=not event.is_practice,
    )


@dataclass(frozen=True)
class Reported:
    """How results were reported: how many on time and late, how many are still due, and which are overdue."""

    in_time: int
    late: int
    awaited: int
    overdue: tuple[Event, ...]


def reported(events: QuerySet[Event], now: datetime.datetime | None = None) -> Reported:
    """Return how the results of these events were reported, counting the sanctioned ones. One query."""
    now, in_time, late, awaited, overdue = now or timezone.now(), 0, 0, 0, []
    rows = events.filter(is_practice=False, state__in=ENDED, ended__isnull=False).select_related("venue")
    for event in rows.order_by("ended", "pk"):
        assert event.ended is not None, "only events that ended are asked for"
        term = policy.due(event.ended, now, event.venue.zone, event.reported_at)
        if event.reported_at is not None:
            late, in_time = late + term.is_late, in_time + (not term.is_late)
        elif term.is_late:
            overdue.append(event)
        else:
            awaited += 1
    return Reported(in_time, late, awaited, tuple(overdue))


# policy exceptions


def overrides_of(event: Event) -> list[PolicyOverride]:
    """Return the exceptions granted to this event, oldest first. One query."""
    if not event.pk:
        return []
    rows = event.overrides.filter(withdrawn__isnull=True)
    return list(rows.select_related("person", "given_by"))


def excepted_rules(rows: Iterable[PolicyOverride], person: Person | None = None) -> frozenset[str]:
    """Return the rules excepted for everyone and for this person."""
    of_person = person.pk if person is not None else None
    return frozenset(row.rule for row in rows if row.person_id is None or row.person_id == of_person)


def excepted_checks(event: Event) -> frozenset[str]:
    """Return the names of the engine's force checks that are excepted at this event. One query."""
    return frozenset(
        check for name in excepted_rules(overrides_of(event)) for check in policy.FORCE_RULES.get(name, ())
    )


def violations_of(event: Event, *, head: Person | None = None, but: Iterable[str] = ()) -> list[PolicyViolation]:
    """Return an event's policy violations without the excepted rules, in the table's order."""
    plan = plan_of(event, head=head)
    known = overrides_of(event)
    excepted = excepted_rules(known, head)
    return policy.check_plan(plan, excepted=excepted, but=but)


def refuse(found: Iterable[PolicyViolation]) -> None:
    """Raise Refused with every violation that is more than a warning, each with its section."""
    against = policy.refusals(found)
    if against:
        raise Refused(" ".join(policy.sentence(one) for one in against))


def in_turn(event: Event, head: Person | None = None) -> None:
    """Within an open door: lock the volunteer and the venue, so that no one else decides on their events meanwhile.

    Otherwise two venues could open events of one volunteer at the same moment.
    """
    if head is None:
        official = head_judge_of(event)
        head = official.person if official is not None else None
    list(Venue.objects.select_for_update().filter(pk=event.venue_id).values_list("pk"))
    if head is not None:
        list(Volunteer.objects.select_for_update().filter(person=head).values_list("pk"))


def may_still_be_held(event: Event) -> None:
    """Raise Refused if the venue or the head judge has lost their registration since the event was opened."""
    refuse(one for one in violations_of(event) if one.rule in policy.AT_START)


def override_policy(
    *,
    by: Actor,
    event: Event,
    rule: str,
    person: Person | None = None,
    reason: str = "",
    confirmed: bool = False,
    version: int | None = None,
) -> PolicyOverride:
    """Grant the event an exception to one rule, for everyone or one person, with a reason that everyone can read.

    Raise Refused if the rule allows no exceptions, or if it is already excepted.
    """
    with door(
        "override-policy", by=by, event=event, on=event, version=version, reason=reason, confirmed=confirmed
    ) as writing:
        row = policy.RULES.get(rule)
        if row is None:
            raise Refused(_("The policy has no rule “%(rule)s”.") % {"rule": rule})
        if not row.is_checked:
            raise Refused(_("The site doesn't check “%(rule)s”, so no exception is needed.") % {"rule": row.title})
        if not row.may_be_excepted:
            raise Refused(_("“%(rule)s” allows no exceptions.") % {"rule": row.title})
        if event.is_practice:
            raise Refused(_("The policy doesn't apply to practice events."))
        if event.overrides.filter(rule=rule, person=person, withdrawn__isnull=True).exists():
            raise Refused(_("An exception to “%(rule)s” has already been granted.") % {"rule": row.title})
        made = writing.create(
            PolicyOverride, event=event, rule=rule, person=person, reason=reason.strip()[:300], given_by=account_of(by)
        )
        if person is not None:
            writing.says("exception-granted-to", rule=rule, name=person)
        else:
            writing.says("exception-granted", rule=rule)
        writing.topics.add("policy")
    return made


def withdraw_override(
    *, by: Actor, override: PolicyOverride, reason: str = "", confirmed: bool = False, version: int | None = None
) -> PolicyOverride:
    """Revoke an exception; what was done under it stays."""
    event = override.event
    lines = [_("The rule applies to the event again. Actions taken under the exception stay valid.")]
    with door(
        "withdraw-override", by=by, event=event, on=override, version=version, reason=reason, confirmed=confirmed,
        consequences=lines,
    ) as writing:  # fmt: skip
        if override.withdrawn is not None:
            raise Refused(_("This exception has already been revoked."))
        writing.save(override, withdrawn=writing.at)
        writing.says("exception-revoked", rule=override.rule)
        writing.topics.add("policy")
    return override


# seasons


def season_in_the_way(
    universe: str, begins: datetime.date, ends: datetime.date, season: Season | None = None
) -> Season | None:
    """Return a published season of the universe that overlaps these days, other than `season` itself, or None."""
    at_once = Season.objects.filter(begins__lte=ends, ends__gte=begins)
    others = at_once.exclude(pk=season.pk) if season is not None else at_once
    return next((row for row in others if policy.same_universe(row.universe, universe)), None)


def overlap_words(other: Season) -> str:
    """Return which season overlaps, with its days."""
    return _("Seasons can't overlap: “%(season)s” in the same universe runs from %(begins)s to %(ends)s.") % {
        "season": other,
        "begins": formats.date_format(other.begins, "l j F Y"),
        "ends": formats.date_format(other.ends, "l j F Y"),
    }


def publish_season(
    *, by: Actor, universe: str, name: str, begins: datetime.date, ends: datetime.date, season: Season | None = None,
    version: int | None = None,
) -> Season:  # fmt: skip
    """Publish or change a season of a universe; seasons of one universe can't overlap, nor any season one of "any"."""
    with door("publish-season", by=by, on=season, version=version) as writing:
        if ends < begins:
            raise Refused(_("The last day is before the first. Correct the dates."))
        other = season_in_the_way(universe, begins, ends, season)
        if other is not None:
            raise Refused(overlap_words(other))
        facts = {"universe": universe, "name": name.strip(), "begins": begins, "ends": ends}
        row = writing.create(Season, **facts) if season is None else writing.save(season, **facts)
        writing.says("season-published", season=row.name, begins=begins, ends=ends)
    return row


def remove_season(*, by: Actor, season: Season, version: int | None = None, confirmed: bool = False) -> None:
    """Remove a season that was published by mistake; ask first, as it can't be undone."""
    with door("publish-season", by=by, on=season, version=version) as writing:
        if not confirmed:
            raise NeedsConfirmation(_("Delete season"), [_("Sanctioned events in this period will have no season.")])
        writing.says("season-withdrawn", season=season.name)
        writing.delete(season)


def creates_for_venue(by: Actor, venue: Venue) -> bool:
    """Return whether the actor creates events there as a manager of the venue or as administrator."""
    return bool({Role.VENUE, Role.OFFICE} & by.roles(venue=venue))
