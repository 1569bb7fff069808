"""The table of the policy's rules: effective date, section, text in our own words, and check."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.utils.translation import gettext_lazy

from events import eligibility

from .book import (
    CLUBS_DAY,
    ELIGIBILITY,
    FORCES,
    GETTING_READY,
    MARKINGS_DAY,
    OF_VENUES,
    OF_VOLUNTEERS,
    POLICY,
    POLICY_DAY,
    RELEASES,
    REPORTING,
    SANCTIONING,
    TOURNAMENT_RULES_DAY,
    UPDATES,
    UPDATES_DAY,
    VENUE_KINDS,
    WITHDRAWING,
)
from .planning import (
    build_total_hundreds,
    club_month,
    club_requirements,
    convention_requirements,
    four_hours,
    head_judge,
    head_to_head_preparation,
    registered_venue,
    registered_volunteer,
    sealed_contents,
    sealed_preparation,
    season,
    store_requirements,
)
from .playing import kept_a_year, play_on, publishing, reported_in_time, verified_copy
from .values import Message, Rule

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


def _of_player(check: Callable[[eligibility.Candidate], str]) -> Callable[[eligibility.Candidate], Iterator[Message]]:
    def found(candidate: eligibility.Candidate) -> Iterator[Message]:
        message = check(candidate)
        if message:
            yield Message("", message)

    found.__name__, found.__doc__ = check.__name__, check.__doc__
    return found


RULES: dict[str, Rule] = {
    "registered-venue": Rule(
        gettext_lazy("Created by, and held at, a registered venue"),
        gettext_lazy("A sanctioned event is created by an approved venue, and takes place there."),
        POLICY_DAY, (SANCTIONING, OF_VENUES), (CREATING, OPENING, STARTING), "plan", registered_venue,
        may_be_excepted=False, topic="venue",
    ),
    "head-judge": Rule(
        gettext_lazy("A head judge whom the venue approves"),
        gettext_lazy("Each sanctioned event has one head judge. The venue staffs the event and approves who judges it. The head "
          "judge has the last word on rules and procedure."),
        POLICY_DAY, (OF_VOLUNTEERS, OF_VENUES), (OFFICIALS_PAGE, OPENING), "plan", head_judge,
        may_be_excepted=False, topic="head-judge",
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
        may_be_excepted=False,
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
"""Rules that a draft may still break."""
AT_START = frozenset({"registered-venue", "registered-volunteer"})
"""Rules checked again when round 1 is paired, because the facts may have changed since the event was opened."""
FORCE_RULES = {name: frozenset(rule.engine.split(", ")) for name, rule in RULES.items() if rule.engine}
"""By rule, the engine's checks that enforce it."""
