"""The action table: for each action, the roles allowed and a verdict by state of event and round.

Permissions, buttons, the API, the help page and the tests all read this table. A new verb begins as a row here.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise, lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from .models.events import Event  # models need this table to word entries of the audit log
from .models.roles import Role
from .models.rounds import Round
from .token_rows import POWER


class Verdict(enum.IntEnum):
    """The table's verdict on an action, mildest first."""

    ALLOWED = 0
    WARN = 1
    CONFIRM = 2
    REFUSED = 3


Text = str | Promise
ES, RS = Event.State, Round.State


@dataclass(frozen=True)
class ActionRow:
    """A row of the table. A state missing from `event` or `round` refuses the action; None allows it in any state.

    `takes_away`: what the confirm page asks about removes or voids something (an entry, a result, access, data); its
    button is red.
    """

    label: Text
    roles: frozenset[Role]
    event: Mapping[str, Verdict] | None = None
    round: Mapping[str, Verdict] | None = None
    non_standard: bool = False
    needs_reason: bool = False
    takes_away: bool = False
    why_not: Mapping[str, Text] = field(default_factory=dict)


@dataclass(frozen=True)
class Permission:
    """The verdict on one action and the reason; `action` is the row. `is_about_roles`: others may do it now."""

    verdict: Verdict
    action: ActionRow
    reason: Text = ""
    is_about_roles: bool = False

    def __bool__(self) -> bool:
        return self.verdict is not Verdict.REFUSED


def _roles(*roles: Role) -> frozenset[Role]:
    return frozenset(roles)


def _in(*states: str, warn: Iterable[str] = (), confirm: Iterable[str] = ()) -> dict[str, Verdict]:
    table = dict.fromkeys(states, Verdict.ALLOWED)
    table.update(dict.fromkeys(warn, Verdict.WARN))
    table.update(dict.fromkeys(confirm, Verdict.CONFIRM))
    return table


ANYBODY = frozenset(Role)
OFFICE = _roles(Role.OFFICE)
VENUE = _roles(Role.OFFICE, Role.VENUE)
HEAD = _roles(Role.HEAD_JUDGE)
JUDGES = _roles(Role.HEAD_JUDGE, Role.JUDGE)
DESK = _roles(Role.HEAD_JUDGE, Role.JUDGE, Role.SCOREKEEPER)
SETUP = _roles(Role.VENUE, Role.HEAD_JUDGE)
PLAYER = _roles(Role.PLAYER)
HALL = JUDGES | _roles(Role.HALL_JUDGE)
BEFORE_END = _in(ES.DRAFT, ES.OPEN, ES.RUNNING, confirm=[ES.FINISHED])
UNVERIFIED = _in(ES.DRAFT, ES.OPEN, ES.RUNNING, ES.FINISHED)
PLAYING = _in(ES.RUNNING)
LATER = _in(ES.RUNNING, confirm=[ES.FINISHED])
AFTER_PLAY = _in(ES.RUNNING, ES.FINISHED)
CALLED = _in(RS.PUBLISHED, RS.RUNNING, RS.COMPLETE)

ACTIONS: dict[str, ActionRow] = {
    # people and places
    "register-volunteer": ActionRow(_("Register as a volunteer"), ANYBODY),
    "decide-volunteer": ActionRow(_("Approve or reject volunteer"), OFFICE),
    "suspend-person": ActionRow(_("Suspend player"), OFFICE, needs_reason=True, takes_away=True),
    "lift-suspension": ActionRow(_("Lift suspension"), OFFICE, needs_reason=True),
    "register-venue": ActionRow(_("Register a venue"), ANYBODY),
    "change-venue": ActionRow(_("Edit venue details"), VENUE, takes_away=True),
    "decide-venue": ActionRow(_("Approve or reject venue"), OFFICE),
    "change-venue-managers": ActionRow(_("Change venue managers"), VENUE, takes_away=True),
    "accept-management": ActionRow(_("Accept the role of venue manager"), ANYBODY),
    "decline-management": ActionRow(_("Decline the role of venue manager"), ANYBODY),
    "accept-management-for": ActionRow(_("Accept the role of venue manager on someone's behalf"), OFFICE, needs_reason=True),
    "confirm-manager": ActionRow(_("Confirm venue manager"), VENUE),
    "accept-volunteering": ActionRow(_("Accept the role of registered volunteer"), ANYBODY),
    "decline-volunteering": ActionRow(_("Decline the role of registered volunteer"), ANYBODY),
    "accept-volunteering-for": ActionRow(
        _("Accept the role of registered volunteer on someone's behalf"), OFFICE, needs_reason=True
    ),
    "change-halls": ActionRow(_("Edit halls"), VENUE, takes_away=True),
    "change-account": ActionRow(_("Edit your account"), ANYBODY),
    "change-profile": ActionRow(_("Change your public profile"), ANYBODY),
    "change-installation": ActionRow(_("Edit settings"), OFFICE),
    # set-up
    "create-event": ActionRow(_("Create event"), VENUE),
    "change-event": ActionRow(_("Edit event"), SETUP, _in(ES.DRAFT, ES.OPEN, confirm=[ES.RUNNING])),
    "change-officials": ActionRow(_("Change officials"), SETUP, BEFORE_END),
    "accept-official": ActionRow(_("Accept official"), VENUE, BEFORE_END),
    "accept-role": ActionRow(_("Accept a role at an event"), ANYBODY, UNVERIFIED),
    "decline-role": ActionRow(_("Decline a role at an event"), ANYBODY, UNVERIFIED),
    "accept-role-for": ActionRow(_("Accept a role at an event on someone's behalf"), OFFICE, BEFORE_END, needs_reason=True),
    "confirm-official": ActionRow(_("Confirm official"), SETUP, BEFORE_END),
    "open-event": ActionRow(_("Open registration"), SETUP, _in(ES.DRAFT)),
    "cancel-event": ActionRow(_("Cancel event"), VENUE, _in(confirm=[ES.DRAFT, ES.OPEN, ES.RUNNING]), needs_reason=True, takes_away=True),
    "announce": ActionRow(_("Post announcement"), DESK, _in(ES.OPEN, ES.RUNNING, ES.FINISHED)),
    "make-sign-in-code": ActionRow(_("Create sign-in code"), HEAD, _in(ES.OPEN, ES.RUNNING, ES.FINISHED)),
    "use-sign-in-code": ActionRow(_("Use a sign-in code"), ANYBODY, UNVERIFIED),
    "revoke-sign-in-code": ActionRow(_("Revoke sign-in code"), HEAD, UNVERIFIED, takes_away=True),
    "create-token": ActionRow(_("Create API token"), ANYBODY),
    "revoke-token": ActionRow(_("Revoke API token"), ANYBODY, takes_away=True),
    "create-webhook": ActionRow(_("Add webhook"), SETUP, UNVERIFIED),
    "change-webhook": ActionRow(_("Edit webhook"), SETUP),
    "delete-webhook": ActionRow(_("Delete webhook"), SETUP, takes_away=True),
    # sanctioning policy
    "override-policy": ActionRow(
        _("Grant exception"), OFFICE, _in(ES.DRAFT, ES.OPEN, ES.RUNNING, ES.FINISHED, ES.VERIFIED),
        non_standard=True, needs_reason=True,
    ),
    "withdraw-override": ActionRow(
        _("Revoke exception"), OFFICE, _in(ES.DRAFT, ES.OPEN, ES.RUNNING, ES.FINISHED, ES.VERIFIED),
        non_standard=True, needs_reason=True, takes_away=True,
    ),
    "publish-season": ActionRow(_("Publish season"), OFFICE, takes_away=True),
    "send-reminders": ActionRow(_("Send reminders"), OFFICE),
    # series
    "create-series": ActionRow(_("Create series"), VENUE),
    "change-series": ActionRow(_("Edit series"), VENUE),
    "add-series-event": ActionRow(_("Add event to series"), VENUE),
    "accept-series-event": ActionRow(_("Accept an invitation to a series"), VENUE),
    "decline-series-event": ActionRow(_("Withdraw event from series"), VENUE, takes_away=True),
    "remove-series-event": ActionRow(_("Remove event from series"), VENUE, takes_away=True),
    "change-series-players": ActionRow(_("Merge or separate names in a series"), VENUE),
    "end-series": ActionRow(_("End series"), VENUE),
    "reopen-series": ActionRow(_("Reopen series"), VENUE),
    "edit-series-prizes": ActionRow(_("Edit series prizes"), VENUE),
    "run-series-draft": ActionRow(_("Run series prize draft"), VENUE),
    "pick-series-prize": ActionRow(_("Pick series prize"), VENUE | PLAYER),
    "delete-series": ActionRow(_("Delete series"), VENUE, takes_away=True),
    # entries
    "enter-self": ActionRow(_("Register for an event"), ANYBODY, _in(ES.OPEN)),
    "join-entry": ActionRow(_("Add an entry to your account"), ANYBODY),
    "decline-entry": ActionRow(_("Reject an entry that isn't yours"), ANYBODY, takes_away=True),
    "add-entry": ActionRow(_("Add player"), DESK | _roles(Role.VENUE), _in(ES.OPEN, warn=[ES.RUNNING])),
    "import-entries": ActionRow(_("Import players"), DESK | _roles(Role.VENUE), _in(ES.OPEN, warn=[ES.RUNNING])),
    "change-entry": ActionRow(_("Edit entry"), DESK, BEFORE_END),
    "check-in": ActionRow(_("Check in"), DESK | PLAYER, _in(ES.OPEN, ES.RUNNING)),
    "undo-check-in": ActionRow(_("Undo check-in"), DESK, _in(ES.OPEN, ES.RUNNING)),
    "open-self-check-in": ActionRow(_("Open self check-in"), DESK, _in(ES.OPEN)),
    "withdraw-entry": ActionRow(_("Withdraw from event"), DESK | PLAYER, _in(ES.OPEN), takes_away=True),
    "reinstate-entry": ActionRow(_("Undo withdrawal"), DESK, _in(ES.OPEN, ES.RUNNING)),
    "drop-entry": ActionRow(_("Drop from event"), DESK | PLAYER, PLAYING, takes_away=True),
    "return-entry": ActionRow(_("Re-enter player"), DESK, PLAYING, non_standard=True),
    "ask-return": ActionRow(_("Ask to re-enter"), PLAYER, PLAYING),
    "disqualify-entry": ActionRow(_("Disqualify player"), HEAD, LATER, non_standard=True, needs_reason=True, takes_away=True),
    "renew-entry-link": ActionRow(_("Create new player link"), DESK, BEFORE_END, takes_away=True),
    # teams of two
    "choose-partner": ActionRow(_("Choose partner"), PLAYER, _in(ES.OPEN, ES.RUNNING)),
    "make-team": ActionRow(_("Form team"), DESK, _in(ES.OPEN, ES.RUNNING)),
    "name-team": ActionRow(_("Rename team"), DESK | PLAYER, _in(ES.OPEN, ES.RUNNING)),
    "split-team": ActionRow(_("Split team"), DESK | PLAYER, _in(confirm=[ES.OPEN, ES.RUNNING]), takes_away=True),
    # rounds
    "draft-round": ActionRow(_("Pair next round"), DESK, _in(ES.OPEN, ES.RUNNING)),
    "import-rounds": ActionRow(_("Import rounds"), JUDGES, _in(ES.OPEN, ES.RUNNING), non_standard=True),
    "pair-again": ActionRow(_("Re-pair round"), DESK, PLAYING, _in(RS.DRAFT)),
    "change-draft": ActionRow(_("Change pairings manually"), JUDGES, PLAYING, _in(RS.DRAFT), non_standard=True),
    "set-round-length": ActionRow(_("Set round length"), JUDGES, PLAYING, _in(RS.DRAFT)),
    "discard-draft": ActionRow(_("Discard draft"), DESK, PLAYING, _in(RS.DRAFT), takes_away=True),
    "publish-round": ActionRow(_("Publish round"), DESK, PLAYING, _in(RS.DRAFT)),
    "unpublish-round": ActionRow(
        _("Unpublish round"), HEAD, PLAYING, _in(confirm=[RS.PUBLISHED, RS.RUNNING]), non_standard=True, needs_reason=True,
        takes_away=True,
    ),
    "right-tables": ActionRow(
        _("Fix seating"), JUDGES, PLAYING, _in(RS.PUBLISHED, RS.RUNNING), non_standard=True, needs_reason=True
    ),
    "complete-round": ActionRow(_("Complete round"), DESK, PLAYING, _in(RS.PUBLISHED, RS.RUNNING)),
    "reopen-round": ActionRow(
        _("Reopen round"), JUDGES, _in(confirm=[ES.RUNNING, ES.FINISHED]), _in(RS.COMPLETE), non_standard=True, needs_reason=True,
        takes_away=True,
    ),
    # clock
    "run-clock": ActionRow(_("Start, pause or resume the clock"), DESK, PLAYING, _in(RS.PUBLISHED, RS.RUNNING)),
    "add-time": ActionRow(_("Add or remove time for all tables"), JUDGES, PLAYING, _in(RS.PUBLISHED, RS.RUNNING), needs_reason=True),
    "extend-table": ActionRow(_("Give extension"), HALL, PLAYING, _in(RS.PUBLISHED, RS.RUNNING), needs_reason=True),
    # results
    "claim-result": ActionRow(_("Report result"), PLAYER, PLAYING, _in(RS.PUBLISHED, RS.RUNNING)),
    "enter-result": ActionRow(_("Enter result"), DESK, PLAYING, _in(RS.PUBLISHED, RS.RUNNING)),
    "decide-result": ActionRow(_("Record judge's decision"), JUDGES, PLAYING, _in(RS.PUBLISHED, RS.RUNNING), needs_reason=True),
    "correct-result": ActionRow(
        _("Correct result"), JUDGES, _in(ES.RUNNING, confirm=[ES.FINISHED]), _in(RS.PUBLISHED, RS.RUNNING, confirm=[RS.COMPLETE]),
        non_standard=True, needs_reason=True,
    ),
    "abandon-match": ActionRow(
        _("Record that a player left the match"), DESK, PLAYING, _in(RS.PUBLISHED, RS.RUNNING), non_standard=True, takes_away=True
    ),
    # calls
    "raise-call": ActionRow(_("Call a judge"), PLAYER | DESK | HALL, PLAYING, _in(RS.PUBLISHED, RS.RUNNING)),
    "cancel-call": ActionRow(_("Cancel call"), PLAYER | DESK, AFTER_PLAY, CALLED, takes_away=True),
    "take-call": ActionRow(_("Take call"), HALL, AFTER_PLAY, CALLED),
    "release-call": ActionRow(_("Release call"), HALL, AFTER_PLAY, CALLED),
    "escalate-call": ActionRow(_("Request head judge"), HALL, AFTER_PLAY, CALLED),
    "arrive-at-table": ActionRow(_("Confirm arrival at the table"), HALL, AFTER_PLAY, CALLED),
    "close-call": ActionRow(_("Resolve call"), HALL, AFTER_PLAY, CALLED),
    # decisions
    "open-dispute": ActionRow(_("Set up position"), HALL, AFTER_PLAY, CALLED),
    "record-decision": ActionRow(_("Record ruling"), HALL, AFTER_PLAY, CALLED),
    "appeal-decision": ActionRow(_("Appeal to the head judge"), PLAYER | HALL, AFTER_PLAY, CALLED),
    "withdraw-appeal": ActionRow(_("Withdraw appeal"), PLAYER | HALL, AFTER_PLAY, CALLED, takes_away=True),
    "answer-appeal": ActionRow(_("Decide appeal"), HEAD, AFTER_PLAY, CALLED),
    "reopen-appeal": ActionRow(
        _("Withdraw final ruling"), HEAD, AFTER_PLAY, CALLED, non_standard=True, needs_reason=True, takes_away=True
    ),
    "take-decision-back": ActionRow(
        _("Withdraw ruling"), HALL, AFTER_PLAY, CALLED, non_standard=True, needs_reason=True, takes_away=True
    ),
    # forces
    "build-force": ActionRow(_("Edit force"), PLAYER | DESK, _in(ES.OPEN, ES.RUNNING)),
    "build-force-late": ActionRow(_("Edit locked force"), JUDGES, _in(ES.OPEN, ES.RUNNING)),
    "change-force": ActionRow(_("Submit force"), PLAYER | DESK, _in(ES.OPEN, ES.RUNNING)),
    "change-force-late": ActionRow(
        _("Replace submitted force"), JUDGES, _in(confirm=[ES.OPEN, ES.RUNNING]), non_standard=True, needs_reason=True, takes_away=True
    ),
    "register-pool": ActionRow(_("Register opened product"), PLAYER | DESK, PLAYING),
    "change-pool-late": ActionRow(
        _("Change product after deadline"), JUDGES, PLAYING, non_standard=True, needs_reason=True
    ),
    "save-force": ActionRow(_("Save to My forces"), ANYBODY),
    "rename-saved-force": ActionRow(_("Rename saved force"), ANYBODY),
    "delete-saved-force": ActionRow(_("Delete saved force"), ANYBODY, takes_away=True),
    "check-forces": ActionRow(_("Verify forces"), JUDGES, _in(ES.OPEN, ES.RUNNING, ES.FINISHED)),
    # boosters and prizes
    "start-booster-draft": ActionRow(_("Start booster draft"), JUDGES, PLAYING, _in(RS.PUBLISHED, RS.RUNNING)),
    "record-draft-pick": ActionRow(_("Record pick"), PLAYER | DESK, PLAYING, _in(RS.PUBLISHED, RS.RUNNING)),
    "pass-boosters": ActionRow(_("Pass boosters"), PLAYER | DESK, PLAYING, _in(RS.PUBLISHED, RS.RUNNING)),
    "draft-on-paper": ActionRow(_("Record picks on paper"), DESK, PLAYING, _in(RS.PUBLISHED, RS.RUNNING)),
    "edit-prize-draft": ActionRow(_("Edit prize draft"), DESK | _roles(Role.VENUE), UNVERIFIED),
    "start-prize-draft": ActionRow(_("Start prize draft"), DESK | _roles(Role.VENUE), AFTER_PLAY),
    "pick-prize": ActionRow(_("Pick prize"), PLAYER | DESK | _roles(Role.VENUE), AFTER_PLAY),
    "skip-prize-turn": ActionRow(_("Skip turn"), DESK | _roles(Role.VENUE), AFTER_PLAY, needs_reason=True),
    "withdraw-prize-pick": ActionRow(_("Withdraw last pick"), DESK | _roles(Role.VENUE), AFTER_PLAY, takes_away=True),
    # finishing and correcting
    "cut": ActionRow(_("Cut to the top players"), HEAD, PLAYING),
    "replay-bracket": ActionRow(
        _("Replay match"), HEAD, PLAYING, non_standard=True, needs_reason=True, takes_away=True
    ),
    "finish-event": ActionRow(_("Finish event"), JUDGES, PLAYING),
    "resume-event": ActionRow(_("Reopen event"), HEAD, _in(confirm=[ES.FINISHED]), non_standard=True, needs_reason=True, takes_away=True),
    "verify-event": ActionRow(_("Verify results"), HEAD, _in(ES.FINISHED)),
    "unverify-event": ActionRow(
        _("Withdraw verification"), OFFICE | HEAD, _in(confirm=[ES.VERIFIED]), non_standard=True, needs_reason=True, takes_away=True
    ),
    "receive-copy": ActionRow(_("Confirm receipt of results"), VENUE, _in(ES.VERIFIED)),
    "report-event": ActionRow(_("Report results"), HEAD, _in(ES.VERIFIED)),
    "mail-report": ActionRow(_("E-mail report"), VENUE | HEAD, _in(confirm=[ES.VERIFIED])),
    "give-penalty": ActionRow(_("Give penalty"), JUDGES, LATER),
    "withdraw-penalty": ActionRow(_("Withdraw penalty"), HEAD, LATER, needs_reason=True, takes_away=True),
    "undo": ActionRow(
        _("Undo action"), DESK | _roles(Role.VENUE), _in(confirm=[ES.DRAFT, ES.OPEN, ES.RUNNING, ES.FINISHED, ES.CANCELLED]),
        why_not={ES.VERIFIED: _("The results are verified. Withdraw the verification first, on the Finish and report page.")},
        takes_away=True,
    ),
    # backups, snapshots and moving
    "take-snapshot": ActionRow(_("Take snapshot"), OFFICE | VENUE | DESK),
    "restore-event": ActionRow(
        _("Restore snapshot"), OFFICE | VENUE | HEAD, _in(confirm=[ES.DRAFT, ES.OPEN, ES.RUNNING, ES.FINISHED, ES.CANCELLED]),
        non_standard=True, needs_reason=True, why_not={ES.VERIFIED: _("The results are verified. Withdraw the verification first, on the Finish and report page.")}, takes_away=True,
    ),
    "move-event": ActionRow(_("Copy event to another machine"), OFFICE | VENUE | HEAD),
    "import-event": ActionRow(_("Import an event from a file"), VENUE),
    "vouch-for-file": ActionRow(_("Vouch for an unsigned event file"), OFFICE),
    "pair-machine": ActionRow(_("Pair machine"), OFFICE),
    "unpair-machine": ActionRow(_("Unpair machine"), OFFICE, takes_away=True),
    "hand-over-event": ActionRow(_("Hand over event"), OFFICE | VENUE | HEAD, _in(confirm=list(ES))),
    "take-back-event": ActionRow(
        _("Reclaim event"), OFFICE | VENUE | HEAD, _in(confirm=list(ES)), non_standard=True, needs_reason=True, takes_away=True
    ),
    "erase-self": ActionRow(_("Erase your data"), ANYBODY, takes_away=True),
    "erase-person": ActionRow(_("Erase a person's data"), OFFICE, needs_reason=True, takes_away=True),
    # viewing
    "see-console": ActionRow(_("See the console"), DESK | VENUE),
    "see-drafts": ActionRow(_("See unpublished pairings"), DESK),
    "see-private-entries": ActionRow(_("See private details of entries"), DESK | VENUE),
    "see-calls": ActionRow(_("See the calls in a hall"), DESK | VENUE | HALL),
    "see-decisions": ActionRow(_("See rulings"), DESK | VENUE | HALL),
    "see-record": ActionRow(_("Read the audit log"), DESK | VENUE),
    "export-event": ActionRow(_("Export event"), DESK | VENUE),
}  # fmt: skip

NOT_OF_AN_EVENT = _("This action isn't part of an event. Reverse it on the page where it was taken.")
CANNOT_UNDO: dict[str, Text] = {
    **dict.fromkeys(
        (
            "register-volunteer",
            "decide-volunteer",
            "suspend-person",
            "lift-suspension",
            "register-venue",
            "change-venue",
            "decide-venue",
            "change-venue-managers",
            "accept-management",
            "decline-management",
            "accept-management-for",
            "confirm-manager",
            "accept-volunteering",
            "decline-volunteering",
            "accept-volunteering-for",
            "change-halls",
            "change-account",
            "change-profile",
            "change-installation",
            "save-force",
            "rename-saved-force",
            "publish-season",
            "create-series",
            "change-series",
            "add-series-event",
            "accept-series-event",
            "decline-series-event",
            "remove-series-event",
            "change-series-players",
            "end-series",
            "reopen-series",
            "edit-series-prizes",
            "run-series-draft",
            "pick-series-prize",
            "pair-machine",
        ),
        NOT_OF_AN_EVENT,
    ),
    "unpair-machine": _("Unpairing can't be undone: the key was deleted. Pair the machines again with a new code."),
    "import-event": _("An import can't be undone. Cancel the event, or restore the snapshot from before the import."),
    **dict.fromkeys(("send-reminders", "mail-report"), _("E-mails can't be unsent.")),
    "create-event": _("Cancel the event instead. Other people may already have its link."),
    **dict.fromkeys(
        ("accept-role", "accept-role-for", "confirm-official"),
        _("The role has been accepted. Remove the official on the event's Officials page."),
    ),
    "decline-role": _("The person declined. Offer the role again on the event's Officials page."),
    **dict.fromkeys(
        ("make-sign-in-code", "use-sign-in-code", "revoke-sign-in-code"),
        _("This can't be undone. Revoke the code on the Sign-in codes page, or create a new one."),
    ),
    "create-token": _("This can't be undone. Revoke the token on the API tokens page."),
    "revoke-token": _("A revoked token never works again. Create a new one on the API tokens page."),
    **dict.fromkeys(
        ("create-webhook", "change-webhook", "delete-webhook"),
        _("This can't be undone. Add, edit or delete webhooks on the Webhooks page."),
    ),
    "join-entry": _("The entry belongs to the account now. An official can edit the entry."),
    "decline-entry": _("The player rejected the entry. An official can edit it."),
    "renew-entry-link": _(
        "An old link can't be restored, because a lost player card would then work again. Create a new link."
    ),
    **dict.fromkeys(
        ("take-call", "arrive-at-table"),
        _("Release the call instead. Only the judge who took it or the head judge can do this."),
    ),
    "record-decision": _(
        "A ruling can't be deleted. Withdraw it on its own page; it stays visible, marked as withdrawn."
    ),
    "restore-event": _("Headjudge took a snapshot just before the restore. Restore that snapshot to go back."),
    "hand-over-event": _(
        "The other machine has the event's file. You can reclaim the event on the Backups and snapshots page."
    ),
    "take-back-event": _(
        "The event can now be edited on this machine. You can hand it over again on the Backups and snapshots page."
    ),
    "delete-saved-force": _("A deleted force can't be restored."),
    "delete-series": _("A deleted series can't be restored. It had no events, so you can create it again."),
    **dict.fromkeys(("erase-self", "erase-person"), _("Erased data can't be restored.")),
    "verify-event": _("The venue may already have the results. Withdraw the verification instead."),
    "receive-copy": _("The venue has the results. If they are wrong, withdraw the verification."),
    "report-event": _(
        "The report has been sent. Withdraw the verification, correct the results, then verify and report again."
    ),
}
"""Why an action can't be undone, and what to do instead; every action not listed here can be undone."""

AWAY = _(
    "This event was handed over to %(other)s and can be edited only there. You can reclaim it on its Backups and snapshots page."
)
WHILE_AWAY = frozenset(
    {"see-console", "see-calls", "see-decisions", "see-drafts", "see-private-entries", "see-record", "export-event"}
    | {"take-snapshot", "move-event", "import-event", "take-back-event", "join-entry", "decline-entry", "revoke-token"}
)
"""Actions that stay possible while another machine holds the event."""
NOT_NOW_EVENT = _("You can't do this while the event is “%(state)s”.")
NOT_NOW_ROUND = _("You can't do this while the round is “%(state)s”.")
NOT_THIS_TOKEN = _(
    "This token doesn't allow “%(action)s” here. Create one with this action on the event's API tokens page."
)
_worded = lazy(lambda words: words(), str)
"""A text that is put into words only where it is shown: a page asks for twenty permissions, and shows few reasons."""


def answer(
    name: str,
    roles: frozenset[Role],
    *,
    event: Event | None = None,
    round: Round | None = None,
) -> Permission:
    """Return the verdict on an action for a person with these roles in this state; a refusal gives the reason.

    If a token sends the request, it needs this row, too.
    """
    action, power = ACTIONS[name], POWER.get()
    if power is not None and not power.allows(name, event.pk if event is not None else None):
        return Permission(Verdict.REFUSED, action, NOT_THIS_TOKEN % {"action": action.label})
    if not roles & action.roles:
        return Permission(Verdict.REFUSED, action, _worded(lambda: only_words(action.roles)), is_about_roles=True)
    if event is not None and event.away and name not in WHILE_AWAY:
        return Permission(Verdict.REFUSED, action, AWAY % {"other": event.away})
    verdict = Verdict.ALLOWED
    if action.event is not None and event is not None:
        verdict = action.event.get(event.state, Verdict.REFUSED)
        if verdict is Verdict.REFUSED:
            why = action.why_not.get(event.state) or _not_now(NOT_NOW_EVENT, event)
            return Permission(verdict, action, why)
    if action.round is not None and round is not None:
        of_round = action.round.get(round.state, Verdict.REFUSED)
        if of_round is Verdict.REFUSED:
            why = action.why_not.get(round.state) or _not_now(NOT_NOW_ROUND, round)
            return Permission(of_round, action, why)
        verdict = max(verdict, of_round)
    return Permission(verdict, action)


def only_words(roles: frozenset[Role]) -> str:
    """Return the refusal that names the roles that can do something."""
    labels = [role.label for role in Role if role in roles]
    words = ngettext("Only the %(roles)s can do this.", "Only these roles can do this: %(roles)s.", len(labels))
    return words % {"roles": ", ".join(labels)}


def _not_now(sentence: Text, row: Event | Round) -> Text:
    return _worded(lambda: sentence % {"state": row.get_state_display()})
