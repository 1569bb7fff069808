"""Checks of a planned event: venue, officials, time, what is played, and the contents of sealed product."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator

from django.utils import formats
from django.utils.translation import gettext as _

from events.clock import in_words
from events.registration import check_approval

from .book import CLUBS_DAY, FORCES, GETTING_READY, OLD_CLUBS_DAY
from .values import SEALED_PREPARATION, Booked, Message, PlannedEvent, Product, SeasonDays, day_in_words, same_universe

APART = datetime.timedelta(hours=4)
HUNDRED = 100
HEAD_TO_HEAD_PREPARATION = range(5, 11)
FIGURES_IN = {"sealed-booster": 4, "sealed-starter": 8}


def registered_venue(plan: PlannedEvent) -> Iterator[Message]:
    """Check that a sanctioned event is created by, and held at, a registered venue."""
    if not plan.venue_is_approved:
        yield Message(
            "venue",
            _("%(venue)s isn't an approved venue. Only approved venues can hold events.") % {"venue": plan.venue},
        )
    if not plan.created_by_venue:
        yield Message("venue", _("Only managers of %(venue)s can create events there.") % {"venue": plan.venue})


def head_judge(plan: PlannedEvent) -> Iterator[Message]:
    """Check that a head judge is designated, has accepted the role, and is approved by the venue."""
    if not plan.head_judge:
        yield Message("head_judge", _("The event has no head judge. Add one on the Officials page."))
    elif not plan.head_judge_is_accepted:
        yield Message(
            "head_judge",
            _(
                "The venue hasn't accepted %(name)s as head judge yet. A venue manager can do this on the "
                "Officials page."
            )
            % {"name": plan.head_judge},
        )
    elif not plan.head_judge_has_agreed:
        words = _("%(name)s hasn't accepted the role of head judge yet. They can accept on their home page.")
        yield Message("head_judge", words % {"name": plan.head_judge})


def registered_volunteer(plan: PlannedEvent) -> Iterator[Message]:
    """Check that the head judge is a registered volunteer."""
    if plan.head_judge and not plan.head_judge_is_approved:
        yield Message(
            "head_judge",
            _("%(name)s isn't an approved volunteer. The head judge of a sanctioned event must be one.")
            % {"name": plan.head_judge},
        )


def four_hours(plan: PlannedEvent) -> Iterator[Message]:
    """Check that a volunteer's sanctioned events begin at least four hours apart.

    Also warn of a draft too near, and of an event that will probably still be running then.
    """
    for other in plan.of_volunteer:
        if _between(plan, other) < APART:
            words = _too_near(plan, other)
            if other.is_settled:
                yield Message("head_judge", words)
            else:
                yield Message("head_judge", _still_draft(words, other), warns=True)
        elif _overlap(plan, other):
            words = _(
                "%(name)s also runs %(other)s on %(moment)s. The two events probably overlap. Check the "
                "times or choose another head judge."
            ) % {
                "name": plan.head_judge,
                "other": other.name,
                "moment": _moment(other.starts, plan.zone),
            }
            yield Message("head_judge", words, warns=True)


def _utc(moment: datetime.datetime) -> datetime.datetime:
    """Return the time in UTC, because differences within one zone would miss a change to or from summer time."""
    return moment.astimezone(datetime.UTC)


def _between(plan: PlannedEvent, other: Booked) -> datetime.timedelta:
    return abs(_utc(other.starts) - _utc(plan.starts))


def _overlap(plan: PlannedEvent, other: Booked) -> bool:
    if plan.ends is None or other.ends is None:
        return False
    return _utc(plan.starts) < _utc(other.ends) and _utc(other.starts) < _utc(plan.ends)


def _too_near(plan: PlannedEvent, other: Booked) -> str:
    return _(
        "%(name)s also runs %(other)s%(place)s on %(moment)s. %(apart)s A volunteer may run one "
        "sanctioned event in any four hours. Choose another head judge, or start the events at least "
        "four hours apart."
    ) % {
        "name": plan.head_judge or _("The head judge"),
        "other": other.name,
        "place": f" ({other.place})" if other.place else "",
        "moment": _moment(other.starts, plan.zone),
        "apart": _apart(_between(plan, other)),
    }


def _still_draft(words: str, other: Booked) -> str:
    return _("%(what)s %(other)s is still a draft.") % {"what": words, "other": other.name}


def _apart(time: datetime.timedelta) -> str:
    if not time:
        return _("The two events start at the same time.")
    return _("The two events start only %(apart)s apart.") % {"apart": in_words(time.total_seconds())}


def _moment(moment: datetime.datetime, zone: datetime.tzinfo) -> str:
    return formats.date_format(moment.astimezone(zone), "l j F Y, H:i")


def club_month(plan: PlannedEvent) -> Iterator[Message]:
    """Check that a game club runs one sanctioned event per universe in a calendar month of its own time zone.

    Also warn of two drafts in one month, of which only one can be opened.
    """
    for other in _in_the_month(plan):
        words = _another_this_month(plan, other)
        if other.is_settled:
            yield Message("starts", words)
        else:
            yield Message("starts", _still_draft(words, other), warns=True)


def _in_the_month(plan: PlannedEvent) -> Iterator[Booked]:
    if plan.registration is None or plan.registration.kind != "club":
        return
    for other in plan.of_venue:
        day = other.starts.astimezone(plan.zone).date()
        if (day.year, day.month) == (plan.day.year, plan.day.month) and same_universe(other.universe, plan.universe):
            yield other


def _another_this_month(plan: PlannedEvent, other: Booked) -> str:
    return _(
        "%(venue)s is a game club and already holds %(other)s on %(moment)s. A club may hold one sanctioned event "
        "per universe in a calendar month. Choose another month or universe, or make this a practice event."
    ) % {"venue": plan.venue, "other": other.name, "moment": _moment(other.starts, plan.zone)}


def club_requirements(plan: PlannedEvent) -> Iterator[Message]:
    """Check that a game club has eight members, one of them a registered volunteer, addresses and a telephone.

    Clubs registered before 2002 had until the end of that January.
    """
    if plan.registered_on is not None and plan.registered_on < CLUBS_DAY and plan.day <= OLD_CLUBS_DAY:
        return
    yield from _requirements(plan, "club")


def store_requirements(plan: PlannedEvent) -> Iterator[Message]:
    """Check that a store has a public location, a shipping address (no PO box), a telephone, and tax numbers."""
    yield from _requirements(plan, "store")


def convention_requirements(plan: PlannedEvent) -> Iterator[Message]:
    """Check a convention's public location and shipping address (no PO box), and that it includes the event's day."""
    yield from _requirements(plan, "convention")
    told = plan.registration
    if told is None or told.kind != "convention" or not told.opens or not told.closes:
        return
    if not told.opens <= plan.day <= told.closes:
        yield Message(
            "starts",
            _("%(venue)s runs from %(opens)s to %(closes)s. Choose one of its days.")
            % {"venue": plan.venue, "opens": day_in_words(told.opens), "closes": day_in_words(told.closes)},
        )


def _requirements(plan: PlannedEvent, kind: str) -> Iterator[Message]:
    if plan.registration is not None and plan.registration.kind == kind:
        for finding in check_approval(plan.registration):
            yield Message("venue", finding.message)


def build_total_hundreds(plan: PlannedEvent) -> Iterator[Message]:
    """Check that the build total is a multiple of 100; a Battle Royale needs none."""
    if plan.build_total % HUNDRED or (not plan.build_total and plan.format != "battle-royale"):
        below = max(plan.build_total // HUNDRED, 1) * HUNDRED
        yield Message(
            "build_total",
            _(
                "%(total)d isn't a multiple of 100. A sanctioned event needs one, such as %(below)d or %(above)d. "
                "Practice events can have any build total."
            )
            % {"total": plan.build_total, "below": below, "above": below + HUNDRED},
            section=FORCES.get(plan.format, FORCES["constructed"]),
        )


def sealed_preparation(plan: PlannedEvent) -> Iterator[Message]:
    """Check that players of sealed formats have ten minutes to prepare once the product is opened and verified."""
    if plan.format in FIGURES_IN and plan.preparation_minutes != SEALED_PREPARATION:
        yield Message(
            "preparation_minutes",
            _("In a sealed format, players have %(minutes)d minutes to prepare, not %(given)d.")
            % {"minutes": SEALED_PREPARATION, "given": plan.preparation_minutes},
            section=GETTING_READY[plan.format],
        )


def head_to_head_preparation(plan: PlannedEvent) -> Iterator[Message]:
    """Check that head-to-head players have five to ten minutes to prepare, as is usual."""
    if plan.format == "head-to-head" and plan.preparation_minutes not in HEAD_TO_HEAD_PREPARATION:
        yield Message(
            "preparation_minutes",
            _("Head-to-head usually allows 5 to 10 minutes to prepare, not %(given)d.")
            % {"given": plan.preparation_minutes},
        )


def sealed_contents(product: Product) -> Iterator[Message]:
    """Check that a booster holds four figures and a starter eight; officials replace incomplete product."""
    size = FIGURES_IN.get(product.format)
    if size and product.figures and product.figures % size:
        yield Message(
            "",
            _(
                "A sealed product of this format contains %(size)d figures, but you listed %(figures)d. Count "
                "again. If one is missing, tell a judge: officials replace incomplete product."
            )
            % {"figures": product.figures, "size": size},
            section=GETTING_READY[product.format],
        )


def season(plan: PlannedEvent) -> Iterator[Message]:
    """Check that the event is within its universe's published season; outside, it counts for none."""
    published = [one for one in plan.seasons if same_universe(one.universe, plan.universe)]
    if published and not season_of(published, plan.universe, plan.day):
        yield Message(
            "starts",
            _("This date isn't in any published season of this universe. The event won't count towards any season."),
        )


def season_of(seasons: Iterable[SeasonDays], universe: str, day: datetime.date) -> str:
    """Return the name of the season that includes an event of this universe and day, or ""."""
    return next((one.name for one in seasons if one.has(universe, day)), "")
