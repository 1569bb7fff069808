"""The sentences of the audit log, by subject. Never reuse a name: stored entries refer to it."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from .audit import (
    SENTENCES,
    Choice,
    Sentence,
    as_correction,
    as_day,
    as_minutes,
    as_number,
    as_round,
    as_tables,
    as_told,
    as_until,
)

ENTRY_STATE = {"state": Choice("events.Entry", "state")}
STANDING = {"standing": Choice("events.Force", "standing")}
VENUE_STATE = {"state": Choice("events.Venue", "state")}
IN_ROUND = _("%(round)s: %(sentence)s")
MOVED_UP = {"names": _("Moved up from the waiting list: %(names)s")}

SETUP = {
    "event-created": Sentence(_("%(event)s is created")),
    "event-changed": Sentence(_("%(event)s is changed")),
    "event-copied": Sentence(_("%(event)s is copied to %(date)s")),
    "event-opened": Sentence(_("%(event)s is open for entries")),
    "event-cancelled": Sentence(_("%(event)s is cancelled")),
    "official-named": Sentence(_("%(name)s: %(role)s")),
    "official-accepted": Sentence(_("The venue accepts %(name)s as %(role)s")),
    "official-removed": Sentence(_("%(name)s is no longer %(role)s")),
    "role-accepted": Sentence(_("%(name)s accepts the role of %(role)s")),
    "role-declined": Sentence(_("%(name)s declines the role of %(role)s")),
    "announced": Sentence(_("Announced: %(text)s")),
    "announcement-withdrawn": Sentence(_("Announcement withdrawn: %(text)s")),
}
POLICY = {
    "exception-granted": Sentence(_("The office lets “%(rule)s” pass")),
    "exception-granted-to": Sentence(_("The office lets “%(rule)s” pass for %(name)s")),
    "exception-revoked": Sentence(_("The office no longer lets “%(rule)s” pass")),
    "season-published": Sentence(
        _("Season %(season)s is published: %(begins)s to %(ends)s"), {"begins": as_day, "ends": as_day}
    ),
    "season-withdrawn": Sentence(_("Season %(season)s is withdrawn")),
}
INSTALLATION = {
    "installation-set-up": Sentence(_("%(name)s set up Headjudge")),
    "installation-changed": Sentence(_("The installation's settings changed")),
}
VENUES = {
    "venue-registered": Sentence(_("%(venue)s is registered as %(kind)s"), {"kind": Choice("events.Venue", "kind")}),
    "venue-changed": Sentence(_("Details of %(venue)s changed")),
    "venue-decided": Sentence(_("%(venue)s: %(state)s"), VENUE_STATE),
    "manager-added": Sentence(_("%(name)s manages %(venue)s")),
    "manager-accepted": Sentence(_("%(name)s accepts to manage %(venue)s")),
    "manager-asked": Sentence(_("%(name)s was asked to manage %(venue)s")),
    "manager-declined": Sentence(_("The person asked to manage %(venue)s declined")),
    "manager-removed": Sentence(_("%(name)s no longer manages %(venue)s")),
    "volunteer-of-venue": Sentence(_("%(name)s is the registered volunteer of %(venue)s")),
    "volunteer-of-venue-declined": Sentence(_("The registered volunteer named by %(venue)s declined")),
    "members-added": Sentence(
        ngettext_lazy("%(count)d member added to %(venue)s", "%(count)d members added to %(venue)s", "count")
    ),
    "member-removed": Sentence(_("%(name)s is no longer a member of %(venue)s")),
    "hall-saved": Sentence(_("Hall %(name)s of %(venue)s: %(tables)d tables"), {"tables": as_number}),
    "hall-removed": Sentence(_("Hall %(name)s of %(venue)s is removed")),
}
PEOPLE = {
    "volunteer-registered": Sentence(_("%(name)s registers as a volunteer")),
    "volunteer-changed": Sentence(_("%(name)s changes the registration as a volunteer")),
    "volunteer-decided": Sentence(_("Volunteer %(name)s: %(state)s"), {"state": Choice("events.Volunteer", "state")}),
    "person-suspended": Sentence(_("%(name)s is suspended until %(until)s"), {"until": as_until}),
    "suspension-ended": Sentence(_("%(name)s's suspension is lifted")),
    "account-changed": Sentence(_("%(name)s changes the account")),
    "language-chosen": Sentence(_("%(name)s chooses a language")),
    "link-renewed": Sentence(_("Player link for %(name)s replaced; the printed one no longer works")),
    "code-made": Sentence(_("Sign-in code for %(name)s")),
    "code-revoked": Sentence(_("The sign-in code for %(name)s was revoked")),
    "code-used": Sentence(_("%(name)s signed in with a sign-in code, for this event only")),
    "code-wrong": Sentence(_("Someone entered a wrong sign-in code for %(name)s")),
    "code-told": Sentence(_("%(name)s was notified that their sign-in code was used")),
}
ENTRIES = {
    "entered": Sentence(_("%(name)s entered: %(state)s"), ENTRY_STATE),
    "entered-at-door": Sentence(_("%(name)s entered at the door: %(state)s"), ENTRY_STATE),
    "entered-from-list": Sentence(
        ngettext_lazy("%(n)d player entered from a list", "%(n)d players entered from a list", "n")
    ),
    "joined-to-account": Sentence(_("%(name)s was on the list already: number %(number)d joined to the account")),
    "added-to-account": Sentence(_("%(name)s's entry was added to their account")),
    "address-removed": Sentence(_("%(name)s: e-mail address removed from the entry (its owner isn't this player)")),
    "entry-changed": Sentence(_("%(name)s's entry changed")),
    "seats-given": Sentence(_("Free seats given"), more=MOVED_UP),
    "self-check-in-opened": Sentence(_("Players may check themselves in")),
    "self-check-in-closed": Sentence(_("Check-in is at the judges' table only")),
    "checked-in": Sentence(_("%(name)s checked in")),
    "checked-in-late": Sentence(
        _("%(name)s starts in round %(round)d; for %(missed)d missed: %(what)s"),
        {"round": as_number, "what": Choice("events.Event", "late_start")},
    ),
    "check-in-undone": Sentence(_("%(name)s is no longer checked in")),
    "withdrew": Sentence(_("%(name)s withdrew"), more=MOVED_UP),
    "reinstated": Sentence(_("%(name)s is back: %(state)s"), ENTRY_STATE),
    "never-came": Sentence(_("%(name)s never came and is off the list")),
    "dropped": Sentence(_("%(name)s dropped after round %(round)d"), {"round": as_number}),
    "re-entered": Sentence(_("%(name)s returns for round %(round)d"), {"round": as_number}),
    "disqualified": Sentence(_("%(name)s disqualified")),
    "disqualification-withdrawn": Sentence(_("%(name)s's disqualification was withdrawn")),
}
FORCES = {
    "force-submitted": Sentence(
        _("Force of %(name)s submitted: %(total)d of %(build)d points, %(standing)s"), STANDING
    ),
    "product-without": Sentence(_("%(player)s: %(name)s taken off the product")),
    "product-opened": Sentence(_("%(player)s opened %(name)s")),
    "product-replaced": Sentence(_("%(player)s: incomplete product replaced (%(what)s)")),
}
ROUNDS = {
    "paired": Sentence(_("%(round)s paired with seed %(seed)d: %(tables)d tables"), {"tables": as_number}),
    "bracket-replayed": Sentence(
        _("%(round)s: %(tables)s of %(before)s played again, for nobody won"),
        {"tables": as_tables, "before": as_round},
    ),
    "cut": Sentence(_("Cut to the best %(n)d: %(round)s paired")),
    "paired-again": Sentence(_("%(round)s paired again")),
    "draft-discarded": Sentence(_("Draft of %(round)s discarded")),
    "players-swapped": Sentence(_("%(round)s: %(one)s and %(other)s exchanged by hand")),
    "table-changed": Sentence(_("%(round)s: table %(was)d becomes table %(table)d by hand")),
    "published": Sentence(_("%(round)s published")),
    "unpublished": Sentence(_("%(round)s unpublished")),
    "tables-put-right": Sentence(_("%(round)s: tables %(one)s and %(two)s put right as really played")),
    "late-seated": Sentence(_("%(round)s: %(name)s, who came late, plays %(opponent)s at table %(table)d")),
    "completed": Sentence(_("%(round)s complete")),
    "reopened": Sentence(_("%(round)s reopened")),
    "event-ended": Sentence(_("Event ended after round %(n)d")),
    "event-resumed": Sentence(_("Play goes on")),
}
CLOCK = {
    "preparation-begun": Sentence(_("the preparation begins"), where=IN_ROUND),
    "clock-started": Sentence(_("the clock starts"), where=IN_ROUND),
    "clock-started-early": Sentence(_("the clock starts, %(left)s of the preparation skipped"), where=IN_ROUND),
    "clock-paused": Sentence(_("the clock is paused with %(left)s left"), where=IN_ROUND),
    "clock-resumed": Sentence(_("the clock runs on with %(left)s left"), where=IN_ROUND),
    "clock-followed": Sentence(_("the server's clock was set; the round clock still shows %(left)s"), where=IN_ROUND),
    "time-called": Sentence(_("time is called with %(left)s left"), where=IN_ROUND),
    "time-added": Sentence(_("%(given)s more for all tables"), {"given": as_minutes}, where=IN_ROUND),
    "time-taken": Sentence(_("%(given)s less for all tables"), {"given": as_minutes}, where=IN_ROUND),
    "extension-given": Sentence(
        ngettext_lazy(
            "%(round)s, table %(table)s: %(n)d minute extra", "%(round)s, table %(table)s: %(n)d minutes extra", "n"
        )
    ),
    "extension-withdrawn": Sentence(_("%(round)s, table %(table)s: extension withdrawn")),
}
RESULTS = {
    "result-reported": Sentence(_("%(round)s, table %(table)s: %(who)s reports %(result)s")),
    "reports-differ": Sentence(_("%(round)s, table %(table)s: the reports differ; a judge decides")),
    "both-report": Sentence(_("%(round)s, table %(table)s: both report %(result)s")),
    "report-withdrawn": Sentence(_("%(round)s, table %(table)s: %(who)s withdraws a report")),
    "result-entered": Sentence(_("%(round)s, table %(table)s: %(result)s")),
    "result-decided": Sentence(_("%(round)s, table %(table)s: a judge decides %(result)s")),
    "result-corrected": Sentence(
        _("%(round)s, table %(table)s corrected: %(result)s (%(changed)s)"), {"changed": as_correction}
    ),
    "match-abandoned": Sentence(_("%(round)s, table %(table)s: %(name)s abandoned the battle and has left the event")),
}
UNDO = {
    "undone": Sentence(_("Undone: %(what)s"), {"what": as_told}),
    "redone": Sentence(_("Redone: %(what)s"), {"what": as_told}),
}

for _of_subject in (INSTALLATION, SETUP, POLICY, VENUES, PEOPLE, ENTRIES, FORCES, ROUNDS, CLOCK, RESULTS, UNDO):
    SENTENCES.update(_of_subject)
