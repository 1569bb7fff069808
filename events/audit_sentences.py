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
    as_moment,
    as_number,
    as_round,
    as_tables,
    as_the_round,
    as_told,
    as_until,
)

ENTRY_STATE = {"state": Choice("events.Entry", "state")}
STANDING = {"standing": Choice("events.Force", "standing")}
VENUE_STATE = {"state": Choice("events.Venue", "state")}
IN_ROUND = _("%(round)s: %(sentence)s")
MOVED_UP = {"names": _("Moved up from the waiting list: %(names)s")}

SETUP = {
    "event-created": Sentence(_("%(event)s created")),
    "event-changed": Sentence(_("%(event)s edited")),
    "event-copied": Sentence(_("%(event)s copied to %(date)s"), {"date": as_day}),
    "event-repeated": Sentence(
        ngettext_lazy(
            "%(event)s copied weekly until %(date)s (%(n)d copy)",
            "%(event)s copied weekly until %(date)s (%(n)d copies)",
            "n",
        ),
        {"date": as_day},
    ),
    "event-opened": Sentence(_("Registration opened for %(event)s")),
    "event-cancelled": Sentence(_("%(event)s cancelled")),
    "official-named": Sentence(_("Role of %(role)s assigned to %(name)s")),
    "official-accepted": Sentence(_("The venue accepted %(name)s as %(role)s")),
    "official-removed": Sentence(_("%(name)s removed as %(role)s")),
    "role-accepted": Sentence(_("%(name)s accepted the role of %(role)s")),
    "role-declined": Sentence(_("%(name)s declined the role of %(role)s")),
    "webhook-added": Sentence(_("Webhook “%(webhook)s” added")),
    "webhook-turned-on": Sentence(_("Webhook “%(webhook)s” turned on")),
    "webhook-turned-off": Sentence(_("Webhook “%(webhook)s” turned off")),
    "webhook-secret-replaced": Sentence(_("Secret of webhook “%(webhook)s” replaced")),
    "webhook-tested": Sentence(_("Test message sent to webhook “%(webhook)s”")),
    "webhook-resent": Sentence(_("Message to webhook “%(webhook)s” sent again")),
    "webhook-deleted": Sentence(_("Webhook “%(webhook)s” deleted")),
    "announced": Sentence(_("Announcement posted: %(text)s")),
    "next-round-announced": Sentence(_("Start of the next round announced: %(at)s"), {"at": as_moment}),
    "next-round-withdrawn": Sentence(_("Announcement withdrawn: start of the next round")),
    "announcement-withdrawn": Sentence(_("Announcement withdrawn: %(text)s")),
}
POLICY = {
    "exception-granted": Sentence(_("Exception granted: %(rule)s")),
    "exception-granted-to": Sentence(_("Exception granted to %(name)s: %(rule)s")),
    "exception-revoked": Sentence(_("Exception revoked: %(rule)s")),
    "season-published": Sentence(
        _("Season %(season)s published: %(begins)s to %(ends)s"), {"begins": as_day, "ends": as_day}
    ),
    "season-withdrawn": Sentence(_("Season %(season)s deleted")),
}
INSTALLATION = {
    "installation-set-up": Sentence(_("%(name)s set up Headjudge")),
    "installation-changed": Sentence(_("Installation settings edited")),
}
VENUES = {
    "venue-registered": Sentence(_("%(venue)s registered (%(kind)s)"), {"kind": Choice("events.Venue", "kind")}),
    "venue-changed": Sentence(_("%(venue)s's details edited")),
    "venue-decided": Sentence(_("%(venue)s %(state)s"), VENUE_STATE),
    "manager-added": Sentence(_("%(name)s became a manager of %(venue)s")),
    "manager-accepted": Sentence(_("%(name)s accepted the role of manager of %(venue)s")),
    "manager-asked": Sentence(_("%(name)s was asked to manage %(venue)s")),
    "manager-declined": Sentence(_("The person asked to manage %(venue)s declined")),
    "manager-removed": Sentence(_("%(name)s removed as manager of %(venue)s")),
    "volunteer-of-venue": Sentence(_("%(name)s became %(venue)s's registered volunteer")),
    "volunteer-of-venue-declined": Sentence(_("The registered volunteer named by %(venue)s declined")),
    "members-added": Sentence(
        ngettext_lazy("%(count)d member added to %(venue)s", "%(count)d members added to %(venue)s", "count")
    ),
    "member-removed": Sentence(_("%(name)s removed as a member of %(venue)s")),
    "hall-saved": Sentence(
        ngettext_lazy(
            "%(venue)s: hall “%(name)s” saved with %(tables)d table",
            "%(venue)s: hall “%(name)s” saved with %(tables)d tables",
            "tables",
        ),
        {"tables": as_number},
    ),
    "hall-removed": Sentence(_("%(venue)s: hall “%(name)s” removed")),
}
SERIES = {
    "series-created": Sentence(_("Series %(series)s created")),
    "series-changed": Sentence(_("Series %(series)s edited")),
    "series-event-added": Sentence(_("%(event)s added to series %(series)s")),
    "series-event-invited": Sentence(_("%(event)s invited to series %(series)s; %(venue)s must accept the invitation")),
    "series-event-accepted": Sentence(_("Invitation accepted: %(event)s is now part of series %(series)s")),
    "series-event-declined": Sentence(_("%(event)s withdrawn from series %(series)s")),
    "series-event-removed": Sentence(_("%(event)s removed from series %(series)s")),
    "series-players-joined": Sentence(_("Series %(series)s: %(name)s and %(other)s merged into one player")),
    "series-players-separated": Sentence(_("Series %(series)s: %(name)s separated from another player")),
    "series-ended": Sentence(_("Series %(series)s ended")),
    "series-reopened": Sentence(_("Series %(series)s reopened")),
    "series-prizes-listed": Sentence(
        ngettext_lazy(
            "Series %(series)s: prizes edited (%(n)d prize)", "Series %(series)s: prizes edited (%(n)d prizes)", "n"
        )
    ),
    "series-draft-started": Sentence(_("Series %(series)s: prize draft started")),
    "series-prize-picked": Sentence(_("Series %(series)s: pick %(pick)d is %(prize)s")),
    "series-turn-skipped": Sentence(_("Series %(series)s: pick %(pick)d skipped")),
    "series-pick-withdrawn": Sentence(_("Series %(series)s: pick %(pick)d withdrawn")),
    "series-deleted": Sentence(_("Series %(series)s deleted")),
}
PEOPLE = {
    "volunteer-registered": Sentence(_("%(name)s registered as a volunteer")),
    "volunteer-changed": Sentence(_("%(name)s changed their volunteer registration")),
    "volunteer-decided": Sentence(_("Volunteer %(name)s %(state)s"), {"state": Choice("events.Volunteer", "state")}),
    "person-suspended": Sentence(_("%(name)s suspended until %(until)s"), {"until": as_until}),
    "suspension-ended": Sentence(_("%(name)s's suspension lifted")),
    "account-changed": Sentence(_("%(name)s edited their account")),
    "profile-on": Sentence(_("%(name)s turned on their public profile")),
    "profile-off": Sentence(_("%(name)s turned off their public profile")),
    "profile-changed": Sentence(_("%(name)s changed their public profile")),
    "calendar-address-made": Sentence(_("%(name)s created an address for subscribing to their calendar")),
    "calendar-address-off": Sentence(_("%(name)s turned off the address for subscribing to their calendar")),
    "marked-as-minor": Sentence(_("%(name)s marked their account as under 18")),
    "pairing-mails-off": Sentence(_("%(name)s turned off e-mails about pairings")),
    "push-on": Sentence(_("%(name)s turned on notifications on a device")),
    "push-off": Sentence(_("%(name)s turned off notifications")),
    "language-chosen": Sentence(_("%(name)s chose a language")),
    "link-renewed": Sentence(_("New player link created for %(name)s; the old one no longer works")),
    "token-made": Sentence(_("API token “%(token)s” created")),
    "token-revoked": Sentence(_("%(name)s's API token “%(token)s” revoked")),
    "code-made": Sentence(_("Sign-in code created for %(name)s")),
    "code-revoked": Sentence(_("Sign-in code for %(name)s revoked")),
    "code-used": Sentence(_("%(name)s signed in with a sign-in code, for this event only")),
    "code-wrong": Sentence(_("Someone entered a wrong sign-in code for %(name)s")),
    "code-over": Sentence(_("The sign-in code for %(name)s no longer works after too many wrong attempts")),
    "code-told": Sentence(_("%(name)s was notified that their sign-in code was used")),
}
ENTRIES = {
    "entered": Sentence(_("New entry: %(name)s, %(state)s"), ENTRY_STATE),
    "entered-at-door": Sentence(_("Player added at the door: %(name)s, %(state)s"), ENTRY_STATE),
    "entered-from-list": Sentence(ngettext_lazy("%(n)d player imported", "%(n)d players imported", "n")),
    "joined-to-account": Sentence(_("%(name)s was already on the list; entry %(number)d added to their account")),
    "added-to-account": Sentence(_("%(name)s's entry was added to their account")),
    "address-removed": Sentence(_("%(name)s's entry rejected by the owner of its e-mail address; address removed")),
    "entry-changed": Sentence(_("%(name)s's entry edited")),
    "seats-given": Sentence(_("Free seats filled"), more=MOVED_UP),
    "self-check-in-opened": Sentence(_("Self check-in opened")),
    "self-check-in-closed": Sentence(_("Self check-in closed")),
    "checked-in": Sentence(_("%(name)s checked in")),
    "checked-in-late": Sentence(
        ngettext_lazy(
            "%(name)s checked in late and starts in round %(round)d, with %(what)s (%(missed)d round missed)",
            "%(name)s checked in late and starts in round %(round)d, with %(what)s (%(missed)d rounds missed)",
            "missed",
        ),
        {"round": as_number, "missed": as_number, "what": Choice("events.Event", "late_start")},
    ),
    "check-in-undone": Sentence(_("%(name)s's check-in undone")),
    "withdrew": Sentence(_("%(name)s withdrew"), more=MOVED_UP),
    "reinstated": Sentence(_("%(name)s's withdrawal undone; now %(state)s"), ENTRY_STATE),
    "never-came": Sentence(_("%(name)s marked as a no-show")),
    "dropped": Sentence(_("%(name)s dropped after %(round)s"), {"round": as_the_round}),
    "dropped-at-first": Sentence(_("%(name)s dropped before round 1")),
    "partner-chosen": Sentence(_("%(name)s chose %(partner)s as partner")),
    "partner-cleared": Sentence(_("%(name)s withdrew their choice of partner")),
    "team-formed": Sentence(_("Team %(team)s formed: %(one)s and %(other)s")),
    "team-named": Sentence(_("Team %(team)s renamed to %(name)s")),
    "team-split": Sentence(_("Team %(team)s split up")),
    "asked-to-re-enter": Sentence(_("%(name)s asked to re-enter")),
    "re-entered": Sentence(_("%(name)s re-entered the event")),
    "disqualified": Sentence(_("%(name)s disqualified")),
    "disqualification-withdrawn": Sentence(_("%(name)s's disqualification withdrawn")),
}
FORCES = {
    "force-submitted": Sentence(_("%(name)s's force submitted: %(total)d of %(build)d points, %(standing)s"), STANDING),
    "drafted-force-submitted": Sentence(_("%(name)s's force submitted: %(total)d points, %(standing)s"), STANDING),
    "force-saved": Sentence(_("Force saved to My forces")),
    "saved-force-renamed": Sentence(_("Saved force renamed")),
    "saved-force-deleted": Sentence(_("Saved force deleted")),
    "product-without": Sentence(_("%(name)s removed from %(player)s's registered product")),
    "product-opened": Sentence(_("%(name)s registered from %(player)s's opened product")),
    "product-replaced": Sentence(_("%(player)s's incomplete product replaced (missing: %(what)s)")),
}
ROUNDS = {
    "paired": Sentence(
        ngettext_lazy(
            "%(round)s paired: %(tables)d table, seed %(seed)d",
            "%(round)s paired: %(tables)d tables, seed %(seed)d",
            "tables",
        ),
        {"tables": as_number},
    ),
    "bracket-replayed": Sentence(
        _("%(round)s paired to replay %(before)s at %(tables)s, because no one won there"),
        {"tables": as_tables, "before": as_round},
    ),
    "cut": Sentence(_("Cut to top %(n)d: %(round)s paired")),
    "paired-again": Sentence(_("%(round)s re-paired")),
    "draft-discarded": Sentence(_("Draft of %(round)s discarded")),
    "players-swapped": Sentence(_("%(round)s: %(one)s and %(other)s swapped")),
    "player-moved": Sentence(_("%(round)s: %(name)s moved from table %(was)d to table %(table)d")),
    "length-set": Sentence(
        ngettext_lazy("round length set to %(n)d minute", "round length set to %(n)d minutes", "n"), where=IN_ROUND
    ),
    "table-changed": Sentence(_("%(round)s: match moved from table %(was)d to table %(table)d")),
    "rounds-imported": Sentence(
        ngettext_lazy("Round %(first)d imported from a list", "Rounds %(first)d to %(last)d imported from a list", "n")
    ),
    "published": Sentence(_("%(round)s published")),
    "unpublished": Sentence(_("%(round)s unpublished")),
    "tables-put-right": Sentence(_("%(round)s: seating fixed at tables %(one)s and %(two)s")),
    "late-seated": Sentence(_("%(round)s: late arrival %(name)s plays %(opponent)s at table %(table)d")),
    "late-joined": Sentence(_("%(round)s: late arrival %(name)s sits at table %(table)d")),
    "completed": Sentence(_("%(round)s completed")),
    "reopened": Sentence(_("%(round)s reopened")),
    "event-ended": Sentence(_("Event finished")),
    "event-resumed": Sentence(_("Event reopened")),
}
CLOCK = {
    "preparation-begun": Sentence(_("preparation started"), where=IN_ROUND),
    "clock-started": Sentence(_("clock started"), where=IN_ROUND),
    "clock-started-early": Sentence(_("clock started with %(left)s of preparation skipped"), where=IN_ROUND),
    "clock-paused": Sentence(_("clock paused with %(left)s left"), where=IN_ROUND),
    "clock-resumed": Sentence(_("clock resumed with %(left)s left"), where=IN_ROUND),
    "clock-followed": Sentence(_("server clock adjusted; the round clock still shows %(left)s"), where=IN_ROUND),
    "time-called": Sentence(_("time called with %(left)s left"), where=IN_ROUND),
    "time-added": Sentence(_("%(given)s added for all tables"), {"given": as_minutes}, where=IN_ROUND),
    "time-taken": Sentence(_("%(given)s removed for all tables"), {"given": as_minutes}, where=IN_ROUND),
    "extension-given": Sentence(_("%(round)s, table %(table)s: %(n)d-minute extension given")),
    "extension-withdrawn": Sentence(_("%(round)s, table %(table)s: extension withdrawn")),
}
RESULTS = {
    "result-reported": Sentence(_("%(round)s, table %(table)s: %(who)s reported %(result)s")),
    "reports-differ": Sentence(_("%(round)s, table %(table)s: the two reports don't match; a judge must decide")),
    "both-report": Sentence(_("%(round)s, table %(table)s: both reported %(result)s")),
    "report-withdrawn": Sentence(_("%(round)s, table %(table)s: %(who)s withdrew a report")),
    "result-entered": Sentence(_("%(round)s, table %(table)s: result entered as %(result)s")),
    "result-decided": Sentence(_("%(round)s, table %(table)s: judge's decision recorded as %(result)s")),
    "result-corrected": Sentence(
        _("%(round)s, table %(table)s: result corrected to %(result)s (%(changed)s)"), {"changed": as_correction}
    ),
    "match-abandoned": Sentence(
        _("%(round)s, table %(table)s: %(name)s left the match and was dropped from the event")
    ),
}
DRAFTS = {
    "booster-drafts-started": Sentence(
        ngettext_lazy(
            "%(round)s: booster draft started at %(n)d table", "%(round)s: booster draft started at %(n)d tables", "n"
        ),
        {"n": as_number},
    ),
    "booster-draft-started": Sentence(_("%(round)s: booster draft started at table %(table)d"), {"table": as_number}),
    "draft-pick-recorded": Sentence(_("pick %(pick)d recorded for %(name)s"), {"pick": as_number}, where=IN_ROUND),
    "boosters-passed": Sentence(
        _("boosters passed at table %(table)d after pick %(pick)d"),
        {"table": as_number, "pick": as_number},
        where=IN_ROUND,
    ),
    "booster-draft-ended": Sentence(
        _("boosters passed for the last time at table %(table)d; the draft is over"),
        {"table": as_number},
        where=IN_ROUND,
    ),
    "drafts-on-paper": Sentence(_("%(name)s now records picks on paper"), where=IN_ROUND),
    "drafts-on-the-phone": Sentence(_("%(name)s no longer records picks on paper"), where=IN_ROUND),
}
PRIZES = {
    "prizes-listed": Sentence(
        ngettext_lazy("Prize draft edited: %(n)d prize", "Prize draft edited: %(n)d prizes", "n"), {"n": as_number}
    ),
    "prize-order-changed": Sentence(
        _("Prize draft edited: %(name)s moved up to place %(place)d"), {"place": as_number}
    ),
    "prize-draft-started": Sentence(
        ngettext_lazy("Prize draft started with %(n)d prize", "Prize draft started with %(n)d prizes", "n"),
        {"n": as_number},
    ),
    "prize-picked": Sentence(_("%(name)s picked “%(prize)s”")),
    "prize-turn-skipped": Sentence(_("%(name)s's turn in the prize draft skipped")),
    "prize-turns-skipped": Sentence(_("%(name)s's remaining turns in the prize draft skipped")),
    "prize-pick-withdrawn": Sentence(_("%(name)s's pick “%(prize)s” withdrawn")),
    "prize-skip-withdrawn": Sentence(_("%(name)s's skipped turn in the prize draft restored")),
}
UNDO = {
    "undone": Sentence(_("Undone: %(what)s"), {"what": as_told}),
    "redone": Sentence(_("Redone: %(what)s"), {"what": as_told}),
}

for _of_subject in (
    INSTALLATION, SETUP, POLICY, VENUES, SERIES, PEOPLE, ENTRIES, FORCES, ROUNDS, CLOCK, RESULTS, DRAFTS, PRIZES, UNDO,
):  # fmt: skip
    SENTENCES.update(_of_subject)
