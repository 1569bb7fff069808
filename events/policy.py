"""The sanctioning policy: the Compiled and Annotated Rulebook's rules on sanctioned events, as small dated checks.

One row of RULES for each rule: since when it is in force, where the book says it, what it says in our own words, and
where it is checked; with it one function that bears the rule's name, takes plain values and yields what is wrong. An
event is judged by the policy of its day at the venue. Pure: no rows, no clock, no pages. Who may play is spelled out in
`eligibility`, what a venue must tell in `registration`, what a force may hold in the engine's checks: this table names
them and does not repeat them. What the office lets pass, and who is told, is the services' business.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.utils import formats
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events import eligibility
from events.registration import Registration, check_approval

Text = str | Promise


class Message(NamedTuple):
    """What a check yields: the field of the form at which it stands ("" for none), the words, whether it only warns.

    `section`: which of the rule's sections says so, where it has several for several formats.
    """

    field: str
    words: Text
    warns: bool = False
    section: str = ""


EDITION = "car-2002"
POLICY = "WizKids Tournament Sanctioning Policy"
UPDATES = "Sanctioned Tournament Rules Updates"
POLICY_DAY = datetime.date(2003, 1, 13)
UPDATES_DAY = datetime.date(2002, 10, 1)
MARKINGS_DAY = datetime.date(2002, 9, 1)
TOURNAMENT_RULES_DAY = datetime.date(2002, 5, 1)
CLUBS_DAY = datetime.date(2002, 1, 1)
OLD_CLUBS_DAY = datetime.date(2002, 1, 31)

APART = datetime.timedelta(hours=4)
HUNDRED = 100
SEALED_PREPARATION = 10
HEAD_TO_HEAD_PREPARATION = range(5, 11)
FIGURES_IN = {"sealed-booster": 4, "sealed-starter": 8}
DAYS_TO_REPORT = 16
PRIVATE = frozenset({"email", "telephone", "postal-address", "date-of-birth", "tax-number"})
"""Facts of a person or venue that are no facts of an event: nobody's to publish."""


def cite(section: str, since: datetime.date, note: str = "") -> dict[str, str]:
    """Return the citation of a section of the policy as it was dated then."""
    found = {"edition": EDITION, "section": section, "authority": "policy", "date": since.isoformat()}
    return found | {"note": note} if note else found


# what the checks look at


@dataclass(frozen=True)
class Booked:
    """Another sanctioned event of the same volunteer or venue; `is_settled` is False while it is a draft."""

    name: str
    starts: datetime.datetime
    ends: datetime.datetime | None = None
    place: str = ""
    universe: str = "any"
    is_settled: bool = True
    address: str = ""


@dataclass(frozen=True)
class SeasonDays:
    """A season as the office published it: both days belong to it."""

    name: str
    universe: str
    begins: datetime.date
    ends: datetime.date

    def has(self, universe: str, day: datetime.date) -> bool:
        """True where an event of this universe on this day belongs to the season."""
        return same_universe(self.universe, universe) and self.begins <= day <= self.ends


@dataclass(frozen=True)
class Plan:
    """An event as it is planned, with what else its volunteer and its venue have on; moments are aware."""

    starts: datetime.datetime
    zone: datetime.tzinfo = datetime.UTC
    ends: datetime.datetime | None = None
    is_sanctioned: bool = True
    universe: str = "any"
    format: str = "constructed"
    build_total: int = 200
    preparation_minutes: int = SEALED_PREPARATION
    venue: str = ""
    venue_is_approved: bool = True
    venue_state: Text = ""
    created_by_venue: bool = True
    registration: Registration | None = None
    registered_on: datetime.date | None = None
    head_judge: str = ""
    head_judge_is_accepted: bool = True
    head_judge_has_agreed: bool = True
    head_judge_is_approved: bool = True
    of_volunteer: tuple[Booked, ...] = ()
    of_venue: tuple[Booked, ...] = ()
    seasons: tuple[SeasonDays, ...] = ()

    @property
    def day(self) -> datetime.date:
        """The event's day at its venue."""
        return self.starts.astimezone(self.zone).date()


@dataclass(frozen=True)
class Leaving:
    """A player who leaves, or who left and would play again."""

    on: datetime.date
    name: str
    is_sanctioned: bool = True
    game_is_open: bool = False
    abandoned: bool = False
    returns: bool = False


@dataclass(frozen=True)
class Product:
    """What a player's sealed product held."""

    on: datetime.date
    format: str
    figures: int
    is_sanctioned: bool = True


@dataclass(frozen=True)
class Publication:
    """What somebody is about to publish at an event: the names of the facts in it, such as "name", "force", "email"."""

    on: datetime.date
    facts: tuple[str, ...]
    is_sanctioned: bool = True


@dataclass(frozen=True)
class Results:
    """How far the results of a sanctioned event have come; days at the venue."""

    today: datetime.date
    ended: datetime.date | None = None
    verified: datetime.date | None = None
    received: datetime.date | None = None
    reported: datetime.date | None = None
    removed: datetime.date | None = None
    is_sanctioned: bool = True

    @property
    def on(self) -> datetime.date:
        """The day by whose policy they are judged."""
        return self.ended or self.today


# what the checks say


@dataclass(frozen=True)
class Violation:
    """What is against the policy: the rule, the words, where the book says so, at which field it stands.

    `warns`: the policy is not broken, or not yet; it is said and nothing is refused.
    """

    rule: str
    message: Text
    citations: tuple[dict[str, str], ...]
    field: str = ""
    warns: bool = False

    @property
    def section(self) -> str:
        """Where the book says so, in words."""
        return "; ".join(one["section"] for one in self.citations)


@dataclass(frozen=True)
class Rule:
    """A row of the table. `check` is None for what no form can break: it is told where it matters.

    `about`: of which values the check judges. `weight`: "refuses", "warns" or "tells".
    """

    title: Text
    explanation: Text
    since: datetime.date
    sections: tuple[str, ...]
    where: tuple[Text, ...]
    about: str
    check: Callable[..., Iterator[Message]] | None = None
    weight: str = "refuses"
    until: datetime.date | None = None
    note: Text = ""
    topic: str = ""
    engine: str = ""
    may_be_overridden: bool = True

    def in_force(self, day: datetime.date) -> bool:
        """True where the rule binds an event of this day."""
        return self.since <= day and (self.until is None or day <= self.until)

    @property
    def is_checked(self) -> bool:
        """True where the site or the engine checks it; pages ask here, for they would call the check itself."""
        return self.check is not None or bool(self.engine)

    @property
    def citations(self) -> tuple[dict[str, str], ...]:
        """The citations of the rule, in the book's order."""
        return self.cited()

    def cited(self, section: str = "") -> tuple[dict[str, str], ...]:
        """Return the citation of one of the rule's sections, or of all."""
        wanted = [one for one in self.sections if section in ("", one)]
        return tuple(cite(one, self.since, str(self.note)) for one in wanted)


# events: where, by whom, when


def registered_venue(plan: Plan) -> Iterator[Message]:
    """A sanctioned event is created by, and held at, a registered venue."""
    if not plan.venue_is_approved:
        yield Message(
            "venue",
            _("%(venue)s is %(state)s: only an approved venue holds events.")
            % {"venue": plan.venue, "state": plan.venue_state},
        )
    if not plan.created_by_venue:
        yield Message("venue", _("Only %(venue)s itself creates events to be held there.") % {"venue": plan.venue})


def head_judge(plan: Plan) -> Iterator[Message]:
    """Someone is designated head judge, has accepted the role, and the venue has approved the choice."""
    if not plan.head_judge:
        yield Message("head_judge", _("The event has no head judge."))
    elif not plan.head_judge_is_accepted:
        yield Message("head_judge", _("The venue has not accepted %(name)s as head judge.") % {"name": plan.head_judge})
    elif not plan.head_judge_has_agreed:
        words = _("%(name)s hasn't accepted the role of head judge yet.")
        yield Message("head_judge", words % {"name": plan.head_judge})


def registered_volunteer(plan: Plan) -> Iterator[Message]:
    """The head judge is a registered volunteer."""
    if plan.head_judge and not plan.head_judge_is_approved:
        yield Message(
            "head_judge",
            _("%(name)s is not an approved volunteer: only one can be head judge of a sanctioned event.")
            % {"name": plan.head_judge},
        )


def four_hours(plan: Plan) -> Iterator[Message]:
    """A volunteer runs one sanctioned event within any four hours: two of them begin four hours apart, or more.

    A draft that is too near, or an event that will probably still run then, is told of before it does harm.
    """
    for other in plan.of_volunteer:
        if _between(plan, other) < APART:
            words = _too_near(plan, other)
            if other.is_settled:
                yield Message("head_judge", words)
            else:
                yield Message("head_judge", _("A draft as yet: %(what)s") % {"what": words}, warns=True)
        elif _overlap(plan, other):
            words = _("%(name)s may still be at work: %(other)s (%(moment)s) and this event probably overlap.") % {
                "name": plan.head_judge,
                "other": other.name,
                "moment": _moment(other.starts, plan.zone),
            }
            yield Message("head_judge", words, warns=True)


def _utc(moment: datetime.datetime) -> datetime.datetime:
    """Return the instant by Greenwich: hours between clocks of one zone would not count what summer time skips."""
    return moment.astimezone(datetime.UTC)


def _between(plan: Plan, other: Booked) -> datetime.timedelta:
    return abs(_utc(other.starts) - _utc(plan.starts))


def _overlap(plan: Plan, other: Booked) -> bool:
    if plan.ends is None or other.ends is None:
        return False
    return _utc(plan.starts) < _utc(other.ends) and _utc(other.starts) < _utc(plan.ends)


def _too_near(plan: Plan, other: Booked) -> str:
    return _(
        "%(name)s runs %(other)s%(place)s on %(moment)s, %(apart)s from this event: a volunteer runs one sanctioned event "
        "within any four hours. Name somebody else, or let them begin four hours apart."
    ) % {
        "name": plan.head_judge or _("The head judge"),
        "other": other.name,
        "place": f" ({other.place})" if other.place else "",
        "moment": _moment(other.starts, plan.zone),
        "apart": _apart(_between(plan, other)),
    }


def _apart(time: datetime.timedelta) -> str:
    hours, minutes = divmod(int(time.total_seconds()) // 60, 60)
    return _("%(hours)d h %(minutes)02d min") % {"hours": hours, "minutes": minutes}


def _moment(moment: datetime.datetime, zone: datetime.tzinfo) -> str:
    return formats.date_format(moment.astimezone(zone), "l j F Y, H:i")


def _day(day: datetime.date) -> str:
    return formats.date_format(day, "l j F Y")


def same_universe(one: str, other: str) -> bool:
    """True where two events play in one universe; "any" is an event of each of them."""
    return one == other or "any" in (one, other)


def club_month(plan: Plan) -> Iterator[Message]:
    """A game club runs one sanctioned event for each universe in a calendar month of its own time.

    Of two drafts in one month only one can be opened: said before it is.
    """
    for other in _in_the_month(plan):
        words = _another_this_month(plan, other)
        if other.is_settled:
            yield Message("starts", words)
        else:
            yield Message("starts", _("A draft as yet: %(what)s") % {"what": words}, warns=True)


def _in_the_month(plan: Plan) -> Iterator[Booked]:
    if plan.registration is None or plan.registration.kind != "club":
        return
    for other in plan.of_venue:
        day = other.starts.astimezone(plan.zone).date()
        if (day.year, day.month) == (plan.day.year, plan.day.month) and same_universe(other.universe, plan.universe):
            yield other


def _another_this_month(plan: Plan, other: Booked) -> str:
    return _(
        "%(venue)s is a game club and holds %(other)s on %(moment)s already: a club runs one sanctioned event for each "
        "universe in a calendar month. Choose another month or universe, or make it a practice event."
    ) % {"venue": plan.venue, "other": other.name, "moment": _moment(other.starts, plan.zone)}


def club_requirements(plan: Plan) -> Iterator[Message]:
    """A game club has eight members on its list, a registered volunteer among them, addresses and a telephone.

    Clubs registered before 2002 had until the end of that January.
    """
    if plan.registered_on is not None and plan.registered_on < CLUBS_DAY and plan.day <= OLD_CLUBS_DAY:
        return
    yield from _requirements(plan, "club")


def store_requirements(plan: Plan) -> Iterator[Message]:
    """A store has a public location, a shipping address that is no PO box, a telephone, tax numbers when asked."""
    yield from _requirements(plan, "store")


def convention_requirements(plan: Plan) -> Iterator[Message]:
    """A convention has a public location and a shipping address that is no PO box, and its events lie on its days."""
    yield from _requirements(plan, "convention")
    told = plan.registration
    if told is None or told.kind != "convention" or not told.opens or not told.closes:
        return
    if not told.opens <= plan.day <= told.closes:
        yield Message(
            "starts",
            _("%(venue)s is held from %(opens)s to %(closes)s.")
            % {"venue": plan.venue, "opens": _day(told.opens), "closes": _day(told.closes)},
        )


def _requirements(plan: Plan, kind: str) -> Iterator[Message]:
    if plan.registration is not None and plan.registration.kind == kind:
        for finding in check_approval(plan.registration):
            yield Message("venue", finding.message)


# what is played at them


def build_total_hundreds(plan: Plan) -> Iterator[Message]:
    """The build total is a multiple of 100."""
    if plan.build_total % HUNDRED or plan.build_total <= 0:
        below = max(plan.build_total // HUNDRED, 1) * HUNDRED
        yield Message(
            "build_total",
            _(
                "%(total)d is no multiple of 100: a sanctioned event's build total is %(below)d or %(above)d. "
                "Only a practice event may have another."
            )
            % {"total": plan.build_total, "below": below, "above": below + HUNDRED},
            section=FORCES.get(plan.format, FORCES["constructed"]),
        )


def sealed_preparation(plan: Plan) -> Iterator[Message]:
    """In the sealed formats players have ten minutes to prepare once the product is opened and verified."""
    if plan.format in FIGURES_IN and plan.preparation_minutes != SEALED_PREPARATION:
        yield Message(
            "preparation_minutes",
            _("In a sealed format players have %(minutes)d minutes to prepare, not %(given)d.")
            % {"minutes": SEALED_PREPARATION, "given": plan.preparation_minutes},
            section=GETTING_READY[plan.format],
        )


def head_to_head_preparation(plan: Plan) -> Iterator[Message]:
    """In head-to-head the judge usually gives from five to ten minutes to prepare."""
    if plan.format == "head-to-head" and plan.preparation_minutes not in HEAD_TO_HEAD_PREPARATION:
        yield Message(
            "preparation_minutes",
            _("Head-to-head usually gives 5 to 10 minutes to prepare, not %(given)d.")
            % {"given": plan.preparation_minutes},
        )


def sealed_contents(product: Product) -> Iterator[Message]:
    """A booster holds four figures, a starter eight: what is incomplete the officials replace."""
    size = FIGURES_IN.get(product.format)
    if size and product.figures and product.figures % size:
        yield Message(
            "",
            _(
                "A sealed product of this format holds %(size)d figures, and here are %(figures)d: count again. If one is "
                "missing, tell a judge: the officials replace incomplete product."
            )
            % {"figures": product.figures, "size": size},
            section=GETTING_READY[product.format],
        )


def season(plan: Plan) -> Iterator[Message]:
    """Each universe has a season with published days; an event outside them counts for none."""
    published = [one for one in plan.seasons if same_universe(one.universe, plan.universe)]
    if published and not season_of(published, plan.universe, plan.day):
        yield Message("starts", _("That day is in no published season of the universe: the event counts for none."))


def season_of(seasons: Iterable[SeasonDays], universe: str, day: datetime.date) -> str:
    """Return the name of the season to which an event of this universe and day belongs, "" for none."""
    return next((one.name for one in seasons if one.has(universe, day)), "")


# play


def play_on(leaving: Leaving) -> Iterator[Message]:
    """Nobody concedes or leaves a battle; who does has withdrawn from the whole event and does not come back."""
    if leaving.returns and leaving.abandoned:
        yield Message(
            "",
            _("%(name)s abandoned a battle, and has so withdrawn from the whole event: there is no return.")
            % {"name": leaving.name},
        )
    elif leaving.game_is_open:
        yield Message(
            "",
            _(
                "A battle is played to its end: whoever leaves one has withdrawn from the whole event, and a judge records "
                "that at the table."
            ),
        )


# results


def verified_copy(results: Results) -> Iterator[Message]:
    """The head judge gives the venue a verified copy of the results."""
    if results.verified and not results.received:
        yield Message("", _("The venue has not taken its verified copy of the results yet."))


def kept_a_year(results: Results) -> Iterator[Message]:
    """The venue keeps the verified copy for a year."""
    if results.verified and results.removed and results.removed < kept_until(results.verified):
        yield Message(
            "",
            _("The verified copy is kept until %(day)s: it cannot be removed before.")
            % {"day": _day(kept_until(results.verified))},
        )


def kept_until(verified: datetime.date) -> datetime.date:
    """Return the day from which a copy that was verified then need not be kept any more: a calendar year later."""
    try:
        return verified.replace(year=verified.year + 1)
    except ValueError:  # 29 February
        return datetime.date(verified.year + 1, 3, 1)


def reported_in_time(results: Results) -> Iterator[Message]:
    """Results are due within 16 days of the event's end; later they are tardy."""
    if results.ended is None:
        return
    last = last_day_to_report(results.ended)
    if results.reported is not None and results.reported > last:
        yield Message(
            "",
            _("The results came on %(day)s, after %(last)s: tardy.")
            % {"day": _day(results.reported), "last": _day(last)},
        )
    elif results.reported is None and results.today > last:
        yield Message("", _("The results were due on %(last)s: they are tardy.") % {"last": _day(last)})


def last_day_to_report(ended: datetime.date) -> datetime.date:
    """Return the last day on which results of an event that ended then are in time."""
    return ended + datetime.timedelta(days=DAYS_TO_REPORT)


@dataclass(frozen=True)
class Due:
    """The last day on which results are in time, seen from a certain day; days are calendar days of the venue."""

    last_day: datetime.date
    days_left: int
    reported_on: datetime.date | None = None

    @property
    def is_tardy(self) -> bool:
        """True where the results came after the last day, or have not come and it has passed."""
        return self.reported_on > self.last_day if self.reported_on else self.days_left < 0


def due(
    ended: datetime.datetime,
    now: datetime.datetime,
    zone: datetime.tzinfo,
    reported: datetime.datetime | None = None,
) -> Due:
    """Return when results of an event that ended then are due: 16 days after its last day at the venue."""
    last_day = last_day_to_report(ended.astimezone(zone).date())
    days_left = (last_day - now.astimezone(zone).date()).days
    return Due(last_day, days_left, reported.astimezone(zone).date() if reported else None)


# publishing


def publishing(publication: Publication) -> Iterator[Message]:
    """What belongs to the event may be published: names, ages, home towns, results, forces, pictures; no addresses."""
    private = sorted(PRIVATE & set(publication.facts))
    if private:
        yield Message(
            "text",
            _("That holds what is no fact of the event and nobody's to publish: %(facts)s. Take it out.")
            % {"facts": ", ".join(str(PRIVATE_WORDS[fact]) for fact in private)},
        )


PRIVATE_WORDS: dict[str, Text] = {
    "email": gettext_lazy("an e-mail address of somebody who plays or works here"),
    "telephone": gettext_lazy("a telephone number of somebody who works here"),
    "postal-address": gettext_lazy("a postal address"),
    "date-of-birth": gettext_lazy("a date of birth"),
    "tax-number": gettext_lazy("a tax number"),
}


# players: the sentences stand in `eligibility`


def _of_player(check: Callable[[eligibility.Candidate], str]) -> Callable[[eligibility.Candidate], Iterator[Message]]:
    def found(candidate: eligibility.Candidate) -> Iterator[Message]:
        message = check(candidate)
        if message:
            yield Message("", message)

    found.__name__, found.__doc__ = check.__name__, check.__doc__
    return found


SANCTIONING, ELIGIBILITY = f"{POLICY} › 1. Event Sanctioning", f"{POLICY} › 2. Player Eligibility"
OF_VENUES, VENUE_KINDS = f"{POLICY} › 3. Venue Responsibilities", f"{POLICY} › 4. Venue Policies"
OF_VOLUNTEERS, REPORTING = f"{POLICY} › 5. Volunteer Responsibilities", f"{POLICY} › 6. Event Reporting"
WITHDRAWING, RELEASES = (
    f"{UPDATES} › Withdrawing from a Tournament",
    f"{UPDATES} › New Product Release & Tournament Dates",
)
FORCES = {
    "constructed": "Build Your Force",
    "sealed-booster": "Sealed Booster Rules › Forces",
    "sealed-starter": "Sealed Starter Rules › Forces",
}
GETTING_READY = {
    "sealed-booster": "Sealed Booster Rules › Getting Ready to Play",
    "sealed-starter": "Sealed Starter Rules › Getting Ready to Play",
}

CREATING, OPENING, OFFICIALS_PAGE = (
    gettext_lazy("creating and changing an event"),
    gettext_lazy("opening an event"),
    gettext_lazy("naming officials"),
)
STARTING, ENTERING, CALENDAR = (
    gettext_lazy("pairing round 1"),
    gettext_lazy("entering players"),
    gettext_lazy("the calendar"),
)
HANDING_IN, LAST_PAGE, REMINDERS = (
    gettext_lazy("handing in and checking forces"),
    gettext_lazy("the last page of an event"),
    gettext_lazy("reminders"),
)

RULES: dict[str, Rule] = {
    "registered-venue": Rule(
        gettext_lazy("Created by, and held at, a registered venue"),
        gettext_lazy("A sanctioned event is created by an approved venue, and takes place there."),
        POLICY_DAY, (SANCTIONING, OF_VENUES), (CREATING, OPENING, STARTING), "plan", registered_venue,
        may_be_overridden=False, topic="venue",
    ),
    "head-judge": Rule(
        gettext_lazy("A head judge whom the venue approves"),
        gettext_lazy("Each sanctioned event has one head judge. The venue staffs the event and approves who judges it. The head "
          "judge has the last word on rules and procedure."),
        POLICY_DAY, (OF_VOLUNTEERS, OF_VENUES), (OFFICIALS_PAGE, OPENING), "plan", head_judge,
        may_be_overridden=False, topic="head-judge",
    ),
    "registered-volunteer": Rule(
        gettext_lazy("Run by a registered volunteer"),
        gettext_lazy("The head judge of a sanctioned event is a volunteer whom the office has approved. Other judges need not be."),
        POLICY_DAY, (SANCTIONING, OF_VOLUNTEERS), (CREATING, OFFICIALS_PAGE, OPENING, STARTING), "plan",
        registered_volunteer, topic="volunteer",
    ),
    "four-hours": Rule(
        gettext_lazy("One event a volunteer within four hours"),
        gettext_lazy("A volunteer runs no more than one sanctioned event within any four hours. Two events of the same head judge "
          "begin at least four hours apart, wherever they are; else each needs a head judge of its own."),
        POLICY_DAY, (SANCTIONING,), (CREATING, OFFICIALS_PAGE, OPENING, CALENDAR), "plan", four_hours,
        note=gettext_lazy("read as four hours from the beginning of one event to the beginning of the next"), topic="sanctioning",
    ),
    "club-month": Rule(
        gettext_lazy("A game club: one event for each universe in a month"),
        gettext_lazy("A game club runs one sanctioned event for each universe in a calendar month, marquee tournaments included. An "
          "event of any universe is one of each."),
        POLICY_DAY, (f"{VENUE_KINDS} › Game Clubs",), (CREATING, OPENING, CALENDAR), "plan", club_month,
        note=gettext_lazy("an event that is open to any universe counts for each of them"),
    ),
    "club-requirements": Rule(
        gettext_lazy("What a game club has"),
        gettext_lazy("At least eight registered members on a complete list, an approved volunteer among them, a public location, a "
          "shipping address that is no PO box, and a telephone. Clubs registered before 2002 had until 31 January 2002."),
        CLUBS_DAY, (f"{VENUE_KINDS} › Game Clubs",), (gettext_lazy("registering and approving a venue"), OPENING), "plan",
        club_requirements,
    ),
    "convention-requirements": Rule(
        gettext_lazy("What a convention has"),
        gettext_lazy("A public location that can be verified and a shipping address that is no PO box. Its events lie on its days."),
        POLICY_DAY, (f"{VENUE_KINDS} › Conventions",), (gettext_lazy("registering and approving a venue"), CREATING, OPENING), "plan",
        convention_requirements,
    ),
    "store-requirements": Rule(
        gettext_lazy("What a retail store has"),
        gettext_lazy("A public location that can be verified, tax numbers when the office asks, a shipping address that is no PO box, "
          "and a public telephone."),
        POLICY_DAY, (f"{VENUE_KINDS} › Retail Stores",), (gettext_lazy("registering and approving a venue"), OPENING), "plan",
        store_requirements,
    ),
    "build-total-hundreds": Rule(
        gettext_lazy("Build totals in hundreds"),
        gettext_lazy("The officials choose the build total of an event; it is a multiple of 100. The usual one is 200."),
        TOURNAMENT_RULES_DAY, tuple(FORCES.values()), (CREATING, OPENING, HANDING_IN), "plan", build_total_hundreds,
        engine="build-total-increment",
    ),
    "sealed-preparation": Rule(
        gettext_lazy("Ten minutes to prepare in the sealed formats"),
        gettext_lazy("Product stays closed until the judge gives the sign; once it is opened and verified players have ten minutes "
          "for map, objects and force."),
        TOURNAMENT_RULES_DAY,
        tuple(GETTING_READY.values()),
        (CREATING, OPENING), "plan", sealed_preparation, topic="sealed",
    ),
    "head-to-head-preparation": Rule(
        gettext_lazy("Five to ten minutes to prepare in head-to-head"),
        gettext_lazy("The judge announces the time to prepare, usually from five to ten minutes."),
        TOURNAMENT_RULES_DAY, ("Head-to-Head Rules › Getting Ready to Play",), (CREATING,), "plan",
        head_to_head_preparation, weight="warns", topic="head-to-head",
    ),
    "sealed-contents": Rule(
        gettext_lazy("Sealed product is complete and one's own"),
        gettext_lazy("A booster holds four figures, a starter eight, with rulebook, map, card, six tokens, two markers and two dice. "
          "What is missing the officials replace. A force holds figures of one's own product only."),
        TOURNAMENT_RULES_DAY,
        (*GETTING_READY.values(), FORCES["sealed-booster"], FORCES["sealed-starter"]),
        (gettext_lazy("registering the opened product"), HANDING_IN), "product", sealed_contents, weight="warns",
        engine="not-from-sealed-product", topic="sealed",
    ),
    "new-product": Rule(
        gettext_lazy("New product is legal after 14 days"),
        gettext_lazy("Outside the sealed formats a figure may be played from the fourteenth day after the street date of its set."),
        UPDATES_DAY, (RELEASES,), (HANDING_IN,), "force", engine="product-not-yet-legal", topic="street-date",
    ),
    "promotional-and-proxy": Rule(
        gettext_lazy("No promotional figures, no proxies"),
        gettext_lazy("Figures marked Promotional and stand-ins for other figures are not played in sanctioned events."),
        TOURNAMENT_RULES_DAY, ("Build Your Force",), (HANDING_IN,), "force", engine="promotional, proxy",
    ),
    "season": Rule(
        gettext_lazy("Seasons"),
        gettext_lazy("Each universe has a tournament season, whose first and last day the office publishes."),
        POLICY_DAY, (f"{POLICY} › 7. Tournament Seasons",), (CREATING, gettext_lazy("the page of an event")), "plan", season,
        weight="warns", topic="seasons",
    ),
    "official-of-record": Rule(
        gettext_lazy("Officials of record do not play"),
        gettext_lazy("The head judge, judges and scorekeepers of an event do not play in it."),
        POLICY_DAY, (ELIGIBILITY,), (ENTERING, OFFICIALS_PAGE), "player", _of_player(eligibility.official_of_record),
        topic="eligibility",
    ),
    "venue-of-record": Rule(
        gettext_lazy("The venue does not play"),
        gettext_lazy("Whoever acts for the venue does not play in its events."),
        POLICY_DAY, (ELIGIBILITY,), (ENTERING,), "player", _of_player(eligibility.venue_of_record), topic="eligibility",
    ),
    "publisher": Rule(
        gettext_lazy("Employees of the publisher and their families do not play"),
        gettext_lazy("Corporate employees of the publisher and members of their immediate families play in no sanctioned event."),
        POLICY_DAY, (ELIGIBILITY,), (ENTERING,), "player", _of_player(eligibility.publisher), topic="eligibility",
    ),
    "suspended": Rule(
        gettext_lazy("Suspended players do not play"),
        gettext_lazy("Whom the publisher has suspended plays in no sanctioned event up to the last day of the suspension."),
        POLICY_DAY, (ELIGIBILITY,), (ENTERING,), "player", _of_player(eligibility.suspended), topic="eligibility",
    ),
    "declaration": Rule(
        gettext_lazy("Players declare that they may play"),
        gettext_lazy("What nobody else can know, a player declares when entering."),
        POLICY_DAY, (ELIGIBILITY,), (ENTERING,), "player", _of_player(eligibility.declaration), topic="eligibility",
        note=gettext_lazy("how this site keeps the three points of the section"),
    ),
    "play-on": Rule(
        gettext_lazy("No concession, no leaving of a battle"),
        gettext_lazy("Players play each round to its end. Who abandons a battle has withdrawn from the whole event and is not paired "
          "again. Withdrawing between rounds is free."),
        UPDATES_DAY, (WITHDRAWING,), (gettext_lazy("dropping, abandoning and returning"),), "leaving", play_on, topic="withdrawing",
    ),
    "verified-copy": Rule(
        gettext_lazy("The venue gets a verified copy"),
        gettext_lazy("The head judge records and verifies the results and gives the venue a copy."),
        POLICY_DAY, (OF_VOLUNTEERS,), (LAST_PAGE, REMINDERS), "results", verified_copy, weight="warns", topic="volunteer",
    ),
    "kept-a-year": Rule(
        gettext_lazy("The copy is kept for a year"),
        gettext_lazy("The venue keeps the verified copy for a year; the site keeps it as it was verified and removes none before."),
        POLICY_DAY, (OF_VENUES,), (LAST_PAGE, gettext_lazy("removing stored results")), "results", kept_a_year, topic="venue",
        may_be_overridden=False,
    ),
    "reported-in-time": Rule(
        gettext_lazy("Report within 16 days"),
        gettext_lazy("The head judge of record reports the verified results within 16 days of the end; later they are tardy."),
        POLICY_DAY, (REPORTING, OF_VOLUNTEERS), (LAST_PAGE, REMINDERS, gettext_lazy("the office's desk")), "results",
        reported_in_time, weight="warns", topic="reporting",
    ),
    "penalties-to-status": Rule(
        gettext_lazy("Who does not report may lose status"),
        gettext_lazy("Where results are not submitted or verified in time the office may penalise the volunteer, the venue, or the "
          "right to hold sanctioned events."),
        POLICY_DAY, (REPORTING, SANCTIONING), (gettext_lazy("the office's desk"),), "told", weight="tells", topic="reporting",
    ),
    "publishing": Rule(
        gettext_lazy("What may be published"),
        gettext_lazy("The publisher and the organiser may publish what belongs to an event: names, ages and home towns of those who "
          "take part, results, forces, photographs and video. This site shows names (those of minors shortened where the "
          "event says so), clubs, results and forces; addresses and telephone numbers of people stay private."),
        POLICY_DAY, (f"{POLICY} › 9. Promotional Publishing",), (gettext_lazy("announcing"), ENTERING),
        "publication", publishing, topic="publishing",
    ),
    "ownership-marks": Rule(
        gettext_lazy("Marks of the owner are allowed"),
        gettext_lazy("Initials, a sticker or another mark underneath the base is no forbidden change of the figure."),
        MARKINGS_DAY, (f"{UPDATES} › Ownership Markings",), (gettext_lazy("checking forces"),), "told", weight="tells",
        topic="ownership-markings",
    ),
    "wagering": Rule(
        gettext_lazy("No wagering"),
        gettext_lazy("Players and officials do not bet, wager or ante on any part of a sanctioned event."),
        POLICY_DAY, (f"{POLICY} › 8. Wagering",), (ENTERING,), "told", weight="tells", topic="wagering",
    ),
    "marquee": Rule(
        gettext_lazy("Marquee tournaments"),
        gettext_lazy("Invitations to championships have a policy of their own; for a game club such an event counts as the month's."),
        POLICY_DAY, (f"{POLICY} › 10. Marquee Tournaments",), (CREATING,), "told", weight="tells", topic="marquee",
    ),
    "updates": Rule(
        gettext_lazy("The policy changes without notice"),
        gettext_lazy("The latest edition counts. This page states each rule with the day from which it is in force; an event is judged "
          "by the rules of its day."),
        POLICY_DAY, (f"{POLICY} › 11. Updates",), (gettext_lazy("each check"),), "told", weight="tells", topic="updates",
    ),
}  # fmt: skip

BEFORE_OPENING = frozenset({"head-judge"})
"""What a draft may still lack."""
AT_START = frozenset({"registered-venue", "registered-volunteer"})
"""What may have changed since an event was opened: looked at once more when round 1 is paired."""
FORCE_RULES = {name: frozenset(rule.engine.split(", ")) for name, rule in RULES.items() if rule.engine}
"""The engine's checks that keep a rule of the policy, by the rule."""


def rules_on(day: datetime.date, about: str = "") -> dict[str, Rule]:
    """Return the rules that are in force on a day, those about one sort of value only where it is named."""
    return {name: rule for name, rule in RULES.items() if rule.in_force(day) and about in ("", rule.about)}


def _violations(about: str, day: datetime.date, value: Any, overridden: Iterable[str]) -> list[Violation]:
    passed, found = frozenset(overridden), []
    for name, rule in rules_on(day, about).items():
        if rule.check is None or name in passed:
            continue
        found += [
            Violation(name, said.words, rule.cited(said.section), said.field, said.warns or rule.weight == "warns")
            for said in rule.check(value)
        ]
    return found


def check_plan(plan: Plan, *, overridden: Iterable[str] = (), but: Iterable[str] = ()) -> list[Violation]:
    """Return what is against the policy in a planned event, in the table's order; a practice event is not bound.

    `overridden`: rules that the office lets pass; `but`: rules not to be looked at yet.
    """
    if not plan.is_sanctioned:
        return []
    return _violations("plan", plan.day, plan, {*overridden, *but})


def check_house(plan: Plan, *, but: Iterable[str] = ()) -> list[Violation]:
    """Return what this site asks of every event, practice or not: an approved venue, an accepted head judge."""
    found: list[Violation] = []
    for name, check in (("registered-venue", registered_venue), ("head-judge", head_judge)):
        if name not in but:
            found += [Violation(name, said.words, RULES[name].citations, said.field) for said in check(plan)]
    return found


def check_player(candidate: eligibility.Candidate, *, overridden: Iterable[str] = ()) -> list[Violation]:
    """Return why somebody may not play."""
    if not candidate.is_sanctioned:
        return []
    return _violations("player", candidate.on, candidate, overridden)


def check_leaving(leaving: Leaving, *, overridden: Iterable[str] = ()) -> list[Violation]:
    """Return what is against a player's leaving a battle, or coming back after it; leaving one is warned of."""
    if not leaving.is_sanctioned:
        return []
    found = _violations("leaving", leaving.on, leaving, overridden)
    return found if leaving.returns else [replace(one, warns=True) for one in found]


def check_product(product: Product) -> list[Violation]:
    """Return what is odd about registered sealed product."""
    return _violations("product", product.on, product, ()) if product.is_sanctioned else []


def check_results(results: Results, *, overridden: Iterable[str] = ()) -> list[Violation]:
    """Return what is against the policy in how far an event's results have come."""
    return _violations("results", results.on, results, overridden) if results.is_sanctioned else []


def check_publication(publication: Publication) -> list[Violation]:
    """Return what of a publication the policy does not allow."""
    return _violations("publication", publication.on, publication, ()) if publication.is_sanctioned else []


def refusals(found: Iterable[Violation]) -> list[Violation]:
    """Return those that are more than a warning."""
    return [one for one in found if not one.warns]


def sentence(violation: Violation) -> str:
    """Return a violation as one line with its section."""
    return f"{violation.message} ({violation.section})"
