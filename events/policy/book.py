"""The sections of the sanctioning policy, their effective dates, and how they are cited."""

from __future__ import annotations

import datetime

EDITION = "car-2002"
POLICY = "WizKids Tournament Sanctioning Policy"
UPDATES = "Sanctioned Tournament Rules Updates"
POLICY_DAY = datetime.date(2003, 1, 13)
UPDATES_DAY = datetime.date(2002, 10, 1)
MARKINGS_DAY = datetime.date(2002, 9, 1)
TOURNAMENT_RULES_DAY = datetime.date(2002, 5, 1)
CLUBS_DAY = datetime.date(2002, 1, 1)
OLD_CLUBS_DAY = datetime.date(2002, 1, 31)
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


def cite(section: str, since: datetime.date, note: str = "") -> dict[str, str]:
    """Return the citation of a section of the policy as it was dated then."""
    found = {"edition": EDITION, "section": section, "authority": "policy", "date": since.isoformat()}
    return found | {"note": note} if note else found
