"""The models of events, by subject."""

from .audit import ApiToken, AuditEntry, SentForm, SignInCode
from .drafts import Pod, PrizeDraft, SeriesDraft
from .events import Announcement, Entry, Event, Official
from .forces import Force, Pool, SavedForce
from .installation import Installation
from .outgoing import PairingMail, PushMessage, PushSubscription, Webhook, WebhookMessage
from .people import Person, Volunteer
from .policy import PolicyOverride, Reminder, Season
from .profiles import PublicProfile
from .roles import Role
from .rounds import Claim, ClockRun, Extension, Match, Round, sits
from .series import Series, SeriesEvent, SeriesJoin
from .teams import TEAM_SIZE, Team
from .venues import ClubMember, Hall, Venue, VenueManager

__all__ = [
    "TEAM_SIZE",
    "Announcement",
    "ApiToken",
    "AuditEntry",
    "Claim",
    "ClockRun",
    "ClubMember",
    "Entry",
    "Event",
    "Extension",
    "Force",
    "Hall",
    "Installation",
    "Match",
    "Official",
    "PairingMail",
    "Person",
    "Pod",
    "PolicyOverride",
    "Pool",
    "PrizeDraft",
    "PublicProfile",
    "PushMessage",
    "PushSubscription",
    "Reminder",
    "Role",
    "Round",
    "SavedForce",
    "Season",
    "SentForm",
    "Series",
    "SeriesDraft",
    "SeriesEvent",
    "SeriesJoin",
    "SignInCode",
    "Team",
    "Venue",
    "VenueManager",
    "Volunteer",
    "Webhook",
    "WebhookMessage",
    "sits",
]
