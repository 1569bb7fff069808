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
    gettext_lazy("creating and editing an event"),
    gettext_lazy("opening an event"),
    gettext_lazy("assigning officials"),
)
STARTING, ENTERING, CALENDAR = (
    gettext_lazy("pairing round 1"),
    gettext_lazy("registering players"),
    gettext_lazy("viewing the calendar"),
)
HANDING_IN, LAST_PAGE, REMINDERS = (
    gettext_lazy("submitting and verifying forces"),
    gettext_lazy("finishing an event"),
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
        gettext_lazy("Approved venues create and host events"),
        gettext_lazy("An approved venue creates each sanctioned event and hosts it."),
        POLICY_DAY, (SANCTIONING, OF_VENUES), (CREATING, OPENING, STARTING), "plan", registered_venue,
        may_be_excepted=False, topic="venue",
    ),
    "head-judge": Rule(
        gettext_lazy("The venue approves the head judge"),
        gettext_lazy("Each sanctioned event has one head judge. The venue staffs the event and approves its judges. "
          "The head judge has the last word on rules and procedure."),
        POLICY_DAY, (OF_VOLUNTEERS, OF_VENUES), (OFFICIALS_PAGE, OPENING), "plan", head_judge,
        may_be_excepted=False, topic="head-judge",
    ),
    "registered-volunteer": Rule(
        gettext_lazy("The head judge is an approved volunteer"),
        gettext_lazy("The head judge of a sanctioned event is a volunteer approved by the sanctioning office. "
            "Other judges don't have to be."),
        POLICY_DAY, (SANCTIONING, OF_VOLUNTEERS), (CREATING, OFFICIALS_PAGE, OPENING, STARTING), "plan",
        registered_volunteer, topic="volunteer",
    ),
    "four-hours": Rule(
        gettext_lazy("One event per volunteer in any four hours"),
        gettext_lazy("A volunteer runs at most one sanctioned event in any four hours. Two events with the same "
"head judge start at least four hours apart, wherever they take place; otherwise, each event "
"needs its own head judge."),
        POLICY_DAY, (SANCTIONING,), (CREATING, OFFICIALS_PAGE, OPENING, CALENDAR), "plan", four_hours,
        note=gettext_lazy("Headjudge measures the four hours from the start of one event to the start of the next."), topic="sanctioning",
    ),
    "club-month": Rule(
        gettext_lazy("Game clubs: one event per universe each month"),
        gettext_lazy("A game club may run one sanctioned event per universe in a calendar "
            "month. Marquee tournaments count towards this limit."),
        POLICY_DAY, (f"{VENUE_KINDS} › Game Clubs",), (CREATING, OPENING, CALENDAR), "plan", club_month,
        note=gettext_lazy("An event open to any universe counts towards the limit of every universe."),
    ),
    "club-requirements": Rule(
        gettext_lazy("Requirements for game clubs"),
        gettext_lazy("A game club needs a complete list of at least eight registered members, including an "
"approved volunteer; a public location; a shipping address that isn't a PO box; and a "
"telephone number. Clubs registered before 2002 had until 31 January 2002 to meet these "
"requirements."),
        CLUBS_DAY, (f"{VENUE_KINDS} › Game Clubs",), (gettext_lazy("registering and approving a venue"), OPENING), "plan",
        club_requirements,
    ),
    "convention-requirements": Rule(
        gettext_lazy("Requirements for conventions"),
        gettext_lazy("A convention needs a public location that can be verified and a shipping address that isn't a PO box. The "
            "events take place on the days of the convention."),
        POLICY_DAY, (f"{VENUE_KINDS} › Conventions",), (gettext_lazy("registering and approving a venue"), CREATING, OPENING), "plan",
        convention_requirements,
    ),
    "store-requirements": Rule(
        gettext_lazy("Requirements for retail stores"),
        gettext_lazy("A retail store needs a public location that can be verified, tax numbers if the sanctioning office asks for "
            "them, a shipping address that isn't a PO box, and a public telephone number."),
        POLICY_DAY, (f"{VENUE_KINDS} › Retail Stores",), (gettext_lazy("registering and approving a venue"), OPENING), "plan",
        store_requirements,
    ),
    "build-total-hundreds": Rule(
        gettext_lazy("Build totals are multiples of 100"),
        gettext_lazy("The officials choose the event's build total, a multiple of 100. It is usually 200."),
        TOURNAMENT_RULES_DAY, tuple(FORCES.values()), (CREATING, OPENING, HANDING_IN), "plan", build_total_hundreds,
        engine="build-total-increment",
    ),
    "sealed-preparation": Rule(
        gettext_lazy("Sealed formats: ten minutes to prepare"),
        gettext_lazy("Product stays sealed until the judge tells players to open it. Once it has been opened and "
"verified, players have ten minutes to choose their map, objects and force."),
        TOURNAMENT_RULES_DAY,
        tuple(GETTING_READY.values()),
        (CREATING, OPENING), "plan", sealed_preparation, topic="sealed",
    ),
    "head-to-head-preparation": Rule(
        gettext_lazy("Head-to-head: five to ten minutes to prepare"),
        gettext_lazy("The judge announces the preparation time, usually five to ten minutes."),
        TOURNAMENT_RULES_DAY, ("Head-to-Head Rules › Getting Ready to Play",), (CREATING,), "plan",
        head_to_head_preparation, weight="warns", topic="head-to-head",
    ),
    "sealed-contents": Rule(
        gettext_lazy("Sealed product must be complete and must belong to the player"),
        gettext_lazy("A booster contains four figures. A starter contains eight, with a rulebook, map, card, six "
            "tokens, two markers and two dice. Officials replace missing items. A force uses figures from the "
            "player's own product only."),
        TOURNAMENT_RULES_DAY,
        (*GETTING_READY.values(), FORCES["sealed-booster"], FORCES["sealed-starter"]),
        (gettext_lazy("registering opened product"), HANDING_IN), "product", sealed_contents, weight="warns",
        engine="not-from-sealed-product", topic="sealed",
    ),
    "new-product": Rule(
        gettext_lazy("New product is legal after 14 days"),
        gettext_lazy("Outside sealed formats, a figure can be played from the fourteenth day after its set's "
            "street date."),
        UPDATES_DAY, (RELEASES,), (HANDING_IN,), "force", engine="product-not-yet-legal", topic="street-date",
    ),
    "promotional-and-proxy": Rule(
        gettext_lazy("No promotional figures or proxies"),
        gettext_lazy("Proxies (stand-ins for other figures) and figures marked Promotional can't be played in sanctioned "
            "events."),
        TOURNAMENT_RULES_DAY, ("Build Your Force",), (HANDING_IN,), "force", engine="promotional, proxy",
    ),
    "season": Rule(
        gettext_lazy("Seasons"),
        gettext_lazy("Each universe has a tournament season. The sanctioning office publishes its first and last "
            "days."),
        POLICY_DAY, (f"{POLICY} › 7. Tournament Seasons",), (CREATING, gettext_lazy("viewing an event")), "plan", season,
        weight="warns", topic="seasons",
    ),
    "official-of-record": Rule(
        gettext_lazy("Officials of record can't play"),
        gettext_lazy("An event's head judge, judges and scorekeepers can't play in it."),
        POLICY_DAY, (ELIGIBILITY,), (ENTERING, OFFICIALS_PAGE), "player", _of_player(eligibility.official_of_record),
        topic="eligibility",
    ),
    "venue-of-record": Rule(
        gettext_lazy("Venue managers can't play"),
        gettext_lazy("People who manage the venue can't play in its events."),
        POLICY_DAY, (ELIGIBILITY,), (ENTERING,), "player", _of_player(eligibility.venue_of_record), topic="eligibility",
    ),
    "publisher": Rule(
        gettext_lazy("Employees of the publisher and their families can't play"),
        gettext_lazy("Corporate employees of the publisher and their immediate families can't play in sanctioned "
            "events."),
        POLICY_DAY, (ELIGIBILITY,), (ENTERING,), "player", _of_player(eligibility.publisher), topic="eligibility",
    ),
    "suspended": Rule(
        gettext_lazy("Suspended players can't play"),
        gettext_lazy("A player suspended by the publisher can't play in sanctioned events until the suspension "
            "has ended."),
        POLICY_DAY, (ELIGIBILITY,), (ENTERING,), "player", _of_player(eligibility.suspended), topic="eligibility",
    ),
    "declaration": Rule(
        gettext_lazy("Players confirm that they are eligible"),
        gettext_lazy("Players confirm their eligibility when they register."),
        POLICY_DAY, (ELIGIBILITY,), (ENTERING,), "player", _of_player(eligibility.declaration), topic="eligibility",
        note=gettext_lazy("The confirmation covers all three points of the policy's section “Player Eligibility”."),
    ),
    "play-on": Rule(
        gettext_lazy("No conceding or leaving a match"),
        gettext_lazy("Players must finish each round. A player who leaves a match drops from the event and "
            "isn't paired again. Players can drop freely between rounds."),
        UPDATES_DAY, (WITHDRAWING,), (gettext_lazy("dropping, leaving a match and re-entering"),), "leaving", play_on, topic="withdrawing",
    ),
    "verified-copy": Rule(
        gettext_lazy("The venue gets a copy of the verified results"),
        gettext_lazy("The head judge records and verifies the results and gives the venue a copy."),
        POLICY_DAY, (OF_VOLUNTEERS,), (LAST_PAGE, REMINDERS), "results", verified_copy, weight="warns", topic="volunteer",
    ),
    "kept-a-year": Rule(
        gettext_lazy("The venue keeps its copy for a year"),
        gettext_lazy("The venue keeps the verified copy for a year. The site keeps the verified "
            "results for at least as long."),
        POLICY_DAY, (OF_VENUES,), (LAST_PAGE, gettext_lazy("deleting stored results")), "results", kept_a_year, topic="venue",
        may_be_excepted=False,
    ),
    "reported-in-time": Rule(
        gettext_lazy("Report within 16 days"),
        gettext_lazy("The head judge of record reports the verified results within 16 days of the end of the "
            "event. After that, the report is overdue."),
        POLICY_DAY, (REPORTING, OF_VOLUNTEERS), (LAST_PAGE, REMINDERS, gettext_lazy("reviewing reports")), "results",
        reported_in_time, weight="warns", topic="reporting",
    ),
    "penalties-to-status": Rule(
        gettext_lazy("Missing or late reports can be penalised"),
        gettext_lazy("If results aren't submitted or verified in time, the sanctioning office may penalise the "
            "volunteer or the venue, or withdraw the right to hold sanctioned events."),
        POLICY_DAY, (REPORTING, SANCTIONING), (gettext_lazy("reviewing reports"),), "told", weight="tells", topic="reporting",
    ),
    "publishing": Rule(
        gettext_lazy("Information that may be published"),
        gettext_lazy("The publisher and the organiser may publish information about an event: participants' "
            "names, ages and home towns, results, forces, photographs and video. This site shows names (minors' "
            "names are shortened if the event says so), clubs, results and forces. Addresses and telephone "
            "numbers stay private."),
        POLICY_DAY, (f"{POLICY} › 9. Promotional Publishing",), (gettext_lazy("posting announcements"), ENTERING),
        "publication", publishing, topic="publishing",
    ),
    "ownership-marks": Rule(
        gettext_lazy("Ownership marks are allowed"),
        gettext_lazy("Initials, a sticker or another mark underneath the base doesn't count as altering the figure."),
        MARKINGS_DAY, (f"{UPDATES} › Ownership Markings",), (gettext_lazy("verifying forces"),), "told", weight="tells",
        topic="ownership-markings",
    ),
    "wagering": Rule(
        gettext_lazy("No wagering"),
        gettext_lazy("Players and officials can't bet, wager or ante on any part of a sanctioned event."),
        POLICY_DAY, (f"{POLICY} › 8. Wagering",), (ENTERING,), "told", weight="tells", topic="wagering",
    ),
    "marquee": Rule(
        gettext_lazy("Marquee tournaments"),
        gettext_lazy("Invitation-only championships have their own policy. If a game club runs one, it counts as the "
            "club's one event for that month."),
        POLICY_DAY, (f"{POLICY} › 10. Marquee Tournaments",), (CREATING,), "told", weight="tells", topic="marquee",
    ),
    "updates": Rule(
        gettext_lazy("The policy can change without notice"),
        gettext_lazy("The latest edition of the policy applies. This page shows when each rule took effect. Each "
"event follows the rules in force on its day."),
        POLICY_DAY, (f"{POLICY} › 11. Updates",), (gettext_lazy("applying any rule"),), "told", weight="tells", topic="updates",
    ),
}  # fmt: skip

BEFORE_OPENING = frozenset({"head-judge"})
"""Rules that a draft may still break."""
AT_START = frozenset({"registered-venue", "registered-volunteer"})
"""Rules checked again when round 1 is paired, because the facts may have changed since the event was opened."""
FORCE_RULES = {name: frozenset(rule.engine.split(", ")) for name, rule in RULES.items() if rule.engine}
"""By rule, the engine's checks that enforce it."""
