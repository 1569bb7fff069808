"""Every address of the site with every role: one table says who may see it; an address without a line fails.

A new page needs one line in PAGES: its name and who sees it. If its address has a part that the event made here lacks
(a key, a token), PARTS says what to put there, or NOT_TRIED why it can't be tried.

An API token opens addresses of the API alone: what its owner sees there, as far as its rows go (TOKEN, EMPTY_TOKEN).
Sessions without an account (a sign-in code, a player link, a printed card) see what their role sees, except pages that
belong to an account: those that everyone who is signed in sees, and ACCOUNT_ONLY.
"""

from __future__ import annotations

import copy
import datetime
import hashlib
import os
import re
from collections.abc import Iterator
from unittest import mock
from urllib.parse import urlsplit

import pytest
from django.db import transaction
from django.test import Client, override_settings
from django.urls import Resolver404, URLResolver, get_resolver, resolve, reverse
from django.utils import timezone

from events.models import (
    ApiToken,
    AuditEntry,
    ClubMember,
    Event,
    Force,
    PolicyOverride,
    PublicProfile,
    Role,
    Round,
    Season,
    Series,
    SignInCode,
    VenueManager,
    Webhook,
)
from events.roles import LINKED_ENTRIES, SITE, Actor
from events.services.people import PAIRING_MAILS, entry_link, make_sign_in_code
from events.services.tokens import rows_for
from judging.keeping import snapshots
from judging.keeping.machines import pair
from judging.models import Call, Penalty
from tests.events.action_acts import OVERRIDABLE, World, _decision, build, submitted

NOBODY = "nobody"
BY_LINK = "player by link"
SESSIONS = {
    "head judge by code": Role.HEAD_JUDGE,
    "judge by code": Role.JUDGE,
    "player by code": Role.PLAYER,
    "player by card": Role.PLAYER,
    BY_LINK: Role.PLAYER,
}
"""Sessions without an account, and the role that each has at its event."""
PLAYERS_SESSIONS = frozenset(kind for kind, role in SESSIONS.items() if role is Role.PLAYER)
QUICK_SESSIONS = ("head judge by code", BY_LINK)
"""The sessions that every run tries: the one that reaches furthest, and one that stands for the players' others."""
TOKEN, EMPTY_TOKEN = "token of the head judge", "token without rows"
"""API tokens: one of the head judge's with every row, and one that lets its owner do nothing."""
VISITORS = [*(role.value for role in Role), NOBODY]
ALL = frozenset([*VISITORS, *SESSIONS])
SIGNED_IN = frozenset(VISITORS) - {NOBODY}
OFFICE = frozenset({"office"})
VENUE = frozenset({"office", "venue"})
JUDGES = frozenset({"head-judge", "judge"})
DESK = JUDGES | {"scorekeeper"}
STAFF = DESK | VENUE
HALL = STAFF | {"hall-judge"}
PLAYER = frozenset({"player"})
POSTED = "only posted"

NONE: frozenset[str] = frozenset()
"""Seen by no one: the event made here has nothing of that kind, or the address requires a parameter."""

PAGES: dict[str, frozenset[str] | str] = {
    "health": ALL,
    "metrics": ALL,
    "health-details": ALL,
    "home": ALL,
    "manifest": ALL,
    "worker": ALL,
    "choose-theme": POSTED,
    "choose-language": POSTED,
    "unsent": ALL,
    "api": ALL,
    "api-calls": ALL,
    "api:openapi-json": ALL,
    "api:events": ALL,
    "api:event": ALL,
    "api:rounds": ALL,
    "api:pairings": ALL,
    "api:standings": ALL,
    "api:team_standings": ALL,
    "api:report": POSTED,
    "api:booster_draft": NONE,
    "api:record_pick": NONE,
    "api:booster_drafts": ALL,
    "api:start_drafts": ALL,
    "api:pass_boosters": POSTED,
    "api:draft_on_paper": POSTED,
    "api:prizes": ALL,
    "api:pick_prize": POSTED,
    "api:read_force": ALL,
    "api:submit_force": ALL,
    "api:elements": ALL,
    "api:check_force": POSTED,
    "api:score_battle": POSTED,
    "api:adjudicate": POSTED,
    "api:act": POSTED,
    "api:entries": ALL,
    "api:console": STAFF,
    "api:calls": HALL,
    "api:rulings": HALL,
    "api:penalties": STAFF,
    "api:audit_log": STAFF,
    "api:event_file": STAFF,
    "api:api-root": ALL,
    "account_login": ALL,
    "account_logout": ALL,
    "account_inactive": ALL,
    "account_signup": ALL,
    "account_reauthenticate": SIGNED_IN,
    "account_email": SIGNED_IN,
    "account_email_verification_sent": ALL,
    "account_change_password": SIGNED_IN,
    "account_set_password": SIGNED_IN,
    "account_reset_password": ALL,
    "account_confirm_login_code": SIGNED_IN,
    "account_request_reauthentication_code": NONE,
    "account_confirm_reauthentication_code": NONE,
    "account_reset_password_from_key_done": ALL,
    "account_reset_password_done": ALL,
    "mfa_index": SIGNED_IN,
    "mfa_authenticate": SIGNED_IN,
    "mfa_reauthenticate": SIGNED_IN,
    "mfa_activate_totp": SIGNED_IN,
    "mfa_deactivate_totp": NONE,
    "mfa_view_recovery_codes": NONE,
    "mfa_generate_recovery_codes": SIGNED_IN,
    "mfa_download_recovery_codes": NONE,
    "rules:home": ALL,
    "rules:editions": ALL,
    "rules:rulebooks": ALL,
    "rules:search": ALL,
    "rules:citation": NONE,
    "rules:rulebook": ALL,
    "rules:rulings": ALL,
    "rules:ready-disputes": ALL,
    "rules:quick": ALL,
    "rules:quiz": ALL,
    "rules:quiz-again": POSTED,
    "rules:board": ALL,
    "rules:board-new": ALL,
    "rules:board-change": POSTED,
    "rules:board-file": POSTED,
    "rules:board-saved": NONE,
    "rules:board-saved-file": NONE,
    "rules:dispute-new": ALL,
    "rules:catalogue": ALL,
    "rules:catalogue-sheet": ALL,
    "rules:suggestions": ALL,
    "rules:sets": ALL,
    "rules:corrections": ALL,
    "rules:imports": OFFICE,
    "judging:finish": STAFF,
    "judging:finish-act": POSTED,
    "judging:sheet-pdf": STAFF,
    "judging:sheet-csv": STAFF,
    "judging:sheet-xlsx": STAFF,
    "judging:archive": NONE,
    "judging:standings-csv": STAFF,
    "judging:team-standings-csv": NONE,
    "judging:sheet-json": STAFF,
    "judging:penalties": STAFF,
    "judging:penalty-withdraw": POSTED,
    "judging:forces": JUDGES,
    "judging:forces-recheck": JUDGES,
    "judging:force-check": JUDGES,
    "judging:force-take-over": POSTED,
    "judging:season-recheck": OFFICE,
    "judging:calls": HALL,
    "judging:call": HALL,
    "judging:call-close": POSTED,
    "judging:call-act": POSTED,
    "judging:call-raise": POSTED,
    "judging:hall-calls": HALL,
    "judging:hall-change-notification": ALL,
    "judging:rulings": HALL,
    "judging:ruling": HALL | PLAYER,
    "judging:ruling-pdf": HALL | PLAYER,
    "judging:ruling-appeal": POSTED,
    "judging:ruling-answer": POSTED,
    "judging:ruling-act": POSTED,
    "judging:slow-play": POSTED,
    "judging:rule": JUDGES | {"hall-judge"},
    "judging:dispute": POSTED,
    "judging:audit-log": STAFF,
    "judging:event-import": VENUE,
    "judging:machines": OFFICE,
    "judging:machine-unpair": POSTED,
    "judging:snapshots": STAFF,
    "judging:snapshot-take": POSTED,
    "judging:event-export": POSTED,
    "judging:event-hand-over": POSTED,
    "judging:event-reclaim": POSTED,
    "judging:bundle-pdf": STAFF,
    "judging:venue-audit-log": VENUE,
    "judging:venue-audit-log-csv": VENUE,
    "judging:venue-audit-log-json": VENUE,
    "judging:office-audit-log": OFFICE,
    "judging:office-audit-log-csv": OFFICE,
    "judging:office-audit-log-json": OFFICE,
    "judging:audit-log-csv": STAFF,
    "judging:audit-log-json": STAFF,
    "judging:audit-log-entry": STAFF,
    "events:me": SIGNED_IN,
    "events:account": SIGNED_IN,
    "events:my-profile": SIGNED_IN,
    "events:push": POSTED,
    "events:profile": ALL,
    "events:my-records": SIGNED_IN,
    "judging:my-data": SIGNED_IN,
    "judging:my-data-file": SIGNED_IN,
    "events:volunteer-register": SIGNED_IN,
    "events:office": OFFICE,
    "events:office-volunteers": OFFICE,
    "events:office-volunteer": OFFICE,
    "events:office-venues": OFFICE,
    "events:office-venue": OFFICE,
    "events:office-venue-accept-for": POSTED,
    "events:office-people": OFFICE,
    "events:office-players": OFFICE,
    "events:office-person": OFFICE,
    "events:office-person-lift-suspension": POSTED,
    "events:sign-in-by-code": ALL,
    "events:sign-in-code": frozenset({"head-judge"}),
    "events:sign-in-code-revoke": POSTED,
    "events:api-tokens": SIGNED_IN,
    "events:api-token-revoke": POSTED,
    "events:pairing-mails-off": ALL,
    "events:webhooks": frozenset({"venue", "head-judge"}),
    "events:webhook": frozenset({"venue", "head-judge"}),
    "events:webhook-act": POSTED,
    "events:webhook-resend": POSTED,
    "events:offer-answer": POSTED,
    "events:entry-join": POSTED,
    "events:official-accept-for": POSTED,
    "events:venue-manager-accept-for": POSTED,
    "events:venue-manager-confirm": POSTED,
    "events:entry-link-forget": POSTED,
    "events:entry-qr": DESK,
    "events:entry-link-renew": POSTED,
    "events:venues": ALL,
    "events:venue-register": SIGNED_IN,
    "events:venue": ALL,
    "events:venue-edit": VENUE,
    "events:venue-managers": VENUE,
    "events:venue-members": NONE,
    "events:venue-halls": VENUE,
    "events:venue-hall": VENUE,
    "events:venue-hall-remove": POSTED,
    "api:series_list": ALL,
    "api:series": ALL,
    "api:pick_series_prize": POSTED,
    "events:series-list": ALL,
    "events:series": ALL,
    "events:series-csv": ALL,
    "events:series-json": ALL,
    "events:series-pdf": ALL,
    "events:series-prizes": ALL,
    "events:series-prizes-act": POSTED,
    "events:series-display": ALL,
    "events:series-changes": ALL,
    "events:series-create": NONE,
    "events:series-edit": VENUE,
    "events:series-events": VENUE,
    "events:series-players": VENUE,
    "events:series-event-act": POSTED,
    "events:series-join-separate": POSTED,
    "events:series-act": POSTED,
    "events:list": ALL,
    "events:create": SIGNED_IN,
    "events:event": ALL,
    "events:edit": frozenset({"head-judge", "venue"}),
    "events:copy": POSTED,
    "events:open": POSTED,
    "events:cancel": POSTED,
    "events:officials": STAFF,
    "events:announce": DESK,
    "events:next-round": POSTED,
    "events:enter": ALL,
    "events:enter-by-mail": POSTED,
    "events:enter-confirm": SIGNED_IN,
    "events:entries": ALL,
    "events:check-in": STAFF,
    "events:entry-add": DESK | {"venue"},
    "events:entries-import": DESK | {"venue"},
    "events:entries-move-up": POSTED,
    "events:entry": ALL,
    "events:entry-edit": DESK,
    "events:entry-act": POSTED,
    "events:partner": POSTED,
    "events:teams": NONE,
    "events:team-name": POSTED,
    "events:team-split": POSTED,
    "events:forces-check": ALL,
    "events:forces-check-file": ALL,
    "events:forces-check-save": POSTED,
    "events:my-forces": SIGNED_IN,
    "events:my-force": POSTED,
    "events:force": DESK | PLAYER,
    "events:force-change": POSTED,
    "events:force-submit": POSTED,
    "events:force-copy": POSTED,
    "events:force-save": POSTED,
    "events:force-json": ALL,
    "events:force-sheet": ALL,
    "events:pool": NONE,
    "events:boosters": NONE,
    "events:boosters-pdf": NONE,
    "events:pod": NONE,
    "events:pod-seat": NONE,
    "events:pod-record": POSTED,
    "events:pod-pass": POSTED,
    "events:pod-paper": POSTED,
    "events:prizes": ALL,
    "events:prizes-act": POSTED,
    "events:console": STAFF,
    "events:rounds": ALL,
    "events:rounds-import": JUDGES,
    "events:draft-next": POSTED,
    "events:cut": POSTED,
    "events:end": POSTED,
    "events:replay": POSTED,
    "events:reopen-event": POSTED,
    "events:round": ALL,
    "events:draft": DESK,
    "events:draft-swap": POSTED,
    "events:draft-table": POSTED,
    "events:draft-move": POSTED,
    "events:draft-length": POSTED,
    "events:fix-seating": JUDGES,
    "events:seat-late": POSTED,
    "events:publish": POSTED,
    "events:unpublish": POSTED,
    "events:pair-again": POSTED,
    "events:discard": POSTED,
    "events:complete": POSTED,
    "events:reopen": POSTED,
    "events:change-notification": ALL,
    "events:clock": ALL,
    "events:extend": JUDGES | {"hall-judge"},
    "events:display": ALL,
    "events:table": ALL,
    "events:table-forces": ALL,
    "events:claim": POSTED,
    "events:receipt": ALL,
    "events:score": POSTED,
    "events:claim-withdraw": POSTED,
    "events:enter-result": POSTED,
    "events:abandon-match": POSTED,
    "events:results": STAFF,
    "events:open-tables": STAFF,
    "events:standings": ALL,
    "events:cross-table": ALL,
    "events:path": ALL,
    "events:chart": ALL,
    "events:bracket": NONE,
    "events:pairings-pdf": ALL,
    "events:slips-pdf": STAFF,
    "events:player-cards-pdf": DESK,
    "events:badges-pdf": DESK,
    "events:table-signs-pdf": STAFF,
    "events:standings-pdf": ALL,
    "events:bracket-pdf": NONE,
    "events:policy": ALL,
    "events:seasons": ALL,
    "events:event-policy": STAFF,
    "events:policy-exception": POSTED,
    "events:policy-check": POSTED,
    "events:calendar": SIGNED_IN,
    "events:calendar-file": SIGNED_IN,
    "events:calendar-address": POSTED,
    "events:event-calendar-file": ALL,
    "events:outside": ALL,
    "events:broadcast": ALL,
    "events:embed": STAFF,
    "events:venue-calendar": ALL,
    "events:venue-calendar-file": ALL,
    "events:here": ALL,
    "events:who-may": ALL,
    "events:help": ALL,
    "events:help-guide": ALL,
    "rules:ruling": ALL,
    "rules:topic": ALL,
    "rules:kind": ALL,
    "rules:section": ALL,
    "rules:ready-dispute": ALL,
    "rules:quiz-question": ALL,
    "rules:quick-card": ALL,
    "rules:board-map": ALL,
    "rules:board-example": ALL,
    "rules:dispute-ready": ALL,
    "rules:dispute-ready-step": ALL,
    "events:entry-link": ALL,
    "events:set-up": NONE,
    "events:installation": OFFICE,
    "rules:topic-across": ALL,
    "events:venue-manager-remove": POSTED,
    "events:venue-member-remove": POSTED,
    "events:official-accept": POSTED,
    "events:official-confirm": POSTED,
    "events:official-remove": POSTED,
    "events:announcement-withdraw": POSTED,
    "events:extension-withdraw": POSTED,
    "events:season-remove": POSTED,
    "events:policy-exception-revoke": POSTED,
    "events:season": OFFICE,
    "judging:person-data": OFFICE,
    "judging:snapshot-restore": VENUE | {"head-judge"},
    "judging:snapshot-file": VENUE | {"head-judge"},
}
ACCOUNT_ONLY = frozenset({"events:sign-in-code", "judging:event-import", "judging:hall-calls", "api:submit_force"}) | {
    f"api:{name}" for name in ("console", "calls", "rulings", "penalties", "audit_log", "event_file")
}
"""Pages of an event, or related to one, that require an account even of people whose role may see them."""
PARTS: dict[str, dict[str, object]] = {}
SAVED = "whoever has its address, which cannot be guessed, is told: tests/rules/test_disputes_saved.py"
CATALOGUE = "the catalogue is empty here: tests/rules/catalogue"
NOT_TRIED: dict[str, str] = {
    "events:set-up-link": "only works before there is an account: test_first_run.py",
    "account_confirm_email": "its key is mailed: test_people_sign_in.py",
    "account_reset_password_from_key": "its key is mailed: test_people_sign_in.py",
    "judging:position": "whoever ruled links to it: tests/judging/test_decisions.py",
    "events:calendar-read": "whoever has its address, which cannot be guessed, is told: tests/events/test_calendar.py",
    "rules:quiz-answer": "only posted; its question is made at random",
    **dict.fromkeys(
        (
            "rules:dispute", "rules:dispute-step", "rules:dispute-act", "rules:dispute-what-if", "rules:dispute-set",
            "rules:dispute-copy", "rules:dispute-read", "rules:dispute-read-step", "rules:dispute-read-what-if",
            "rules:dispute-file", "rules:dispute-pdf",
        ),
        SAVED,
    ),
    **dict.fromkeys(
        (
            "rules:set", "rules:element", "rules:element-correct", "rules:element-cards", "rules:correction-withdraw", "rules:import",
            "rules:import-apply", "rules:import-put-away",
        ),
        CATALOGUE,
    ),
}  # fmt: skip


def addresses() -> Iterator[tuple[str, str]]:
    """Yield the name and route of every address of the site."""

    def walk(patterns, before: str, spaces: list[str]) -> Iterator[tuple[str, str]]:
        for pattern in patterns:
            route = before + str(pattern.pattern).replace("^", "")
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns, route, [*spaces, *filter(None, [pattern.namespace])])
            else:
                yield ":".join([*spaces, pattern.name or route]), route

    return walk(get_resolver().url_patterns, "", [])


def furnish(world: World) -> dict[str, dict[str, object]]:
    """Give the event one of everything that an address may be about; return the parts of addresses by name."""
    head, match = world.people[Role.HEAD_JUDGE], world.match()
    call = Call.objects.create(match=match, state="waiting", raised=timezone.now())
    penalty = Penalty.objects.create(
        entry=world.entry(2), kind="warning", category="other", text="Shouted", given_by=head
    )
    extension = match.extensions.create(seconds=60, reason="A drink", given_by=head)
    announcement = world.event.announcements.create(text="Lunch")
    official = world.event.officials.get(role="scorekeeper")
    override = PolicyOverride.objects.create(
        event=world.event, rule=OVERRIDABLE, reason="A convention", given_by=world.people[Role.OFFICE]
    )
    season = Season.objects.create(
        universe="marvel", name="Spring", begins=datetime.date(2030, 1, 1), ends=datetime.date(2030, 3, 31)
    )
    with override_settings(SNAPSHOTS_KEPT=5):
        snapshot = snapshots.take(world.event, "by hand")
    manager = VenueManager.objects.create(
        venue=world.event.venue,
        person=world.people[Role.JUDGE].__class__.objects.create(email="m@example.org", name="M"),
    )
    code = SignInCode.objects.create(
        event=world.event, person=head, made_by=head, code_hash="", expires=timezone.now(), revoked=timezone.now()
    )
    token = ApiToken.objects.create(event=world.event, person=head, name="Stream", expires=timezone.now())
    hook = Webhook.objects.create(event=world.event, name="Discord", address="https://discord.example/x", secret="x")
    sent = hook.messages.create(kind="test", ends=timezone.now())
    member = ClubMember.objects.create(venue=world.event.venue, name="Member", email="")
    submitted(world, Role.OFFICE)
    _decision("stands")(world, Role.JUDGE)
    series = Series.objects.create(venue=world.event.venue, name="League")
    known = {
        "series_id": series.public_id,
        "public_id": world.event.public_id,
        "event_id": world.event.public_id,
        "number": 1,
        "table": match.table,
        "seat": 1,
        "step": 0,
        "edition": "ic-2002",
        "verb": "take",
    }
    people, venue = world.people, world.event.venue
    special = {
        "judging:call": {"pk": call.pk},
        "judging:call-close": {"pk": call.pk},
        "judging:call-act": {"pk": call.pk},
        "judging:penalty-withdraw": {"pk": penalty.pk},
        "judging:audit-log-entry": {"pk": AuditEntry.objects.filter(event=world.event).latest("pk").pk},
        "judging:venue-audit-log": {"pk": venue.pk},
        "judging:venue-audit-log-csv": {"pk": venue.pk},
        "judging:venue-audit-log-json": {"pk": venue.pk},
        "judging:hall-calls": {"pk": venue.pk, "hall": world.event.hall_id},
        "judging:hall-change-notification": {"pk": venue.pk, "hall": world.event.hall_id},
        "events:my-force": {"pk": people[Role.PLAYER].saved_forces.create(name="The Team").pk},
        "events:office-volunteer": {"pk": people[Role.JUDGE].volunteer.pk},
        "events:office-venue": {"pk": venue.pk},
        "events:office-venue-accept-for": {"pk": venue.pk},
        "events:office-person": {"pk": people[Role.PLAYER].pk},
        "events:office-person-lift-suspension": {"pk": people[Role.PLAYER].pk},
        "judging:person-data": {"pk": people[Role.PLAYER].pk},
        "events:extension-withdraw": {"pk": extension.pk},
        "events:announcement-withdraw": {"pk": announcement.pk},
        "events:official-accept": {"pk": official.pk},
        "events:official-confirm": {"pk": official.pk},
        "events:official-remove": {"pk": official.pk},
        "events:official-accept-for": {"pk": official.pk},
        "events:offer-answer": {"kind": "role", "pk": official.pk, "answer": "accept"},
        "events:sign-in-code-revoke": {"pk": code.pk},
        "events:api-token-revoke": {"pk": token.pk},
        "events:webhook": {"pk": hook.pk},
        "events:webhook-act": {"pk": hook.pk, "act": "off"},
        "events:webhook-resend": {"pk": hook.pk, "message": sent.key},
        "events:policy-exception-revoke": {"pk": override.pk},
        "events:season": {"pk": season.pk},
        "events:season-remove": {"pk": season.pk},
        "events:venue-manager-confirm": {"pk": venue.pk, "manager": manager.pk},
        "events:venue-manager-remove": {"pk": venue.pk, "manager": manager.pk},
        "events:venue-member-remove": {"pk": venue.pk, "member": member.pk},
        "events:enter-confirm": {"token": "forged"},
        "events:profile": {"key": PublicProfile.objects.create(person=people[Role.PLAYER], is_on=True).key},
        "events:push": {"act": "off"},
        "events:pairing-mails-off": {"token": PAIRING_MAILS.sign(str(people[Role.PLAYER].pk))},
        "events:outside": {"what": "standings"},
        "events:entry-link": {"token": entry_link(world.entry(3)).split("/")[2]},
        "judging:snapshot-restore": {"pk": snapshot.pk},
        "judging:snapshot-file": {"pk": snapshot.pk},
        "judging:machine-unpair": {"pk": pair(by=SITE, name="The laptop")[0].pk},
        "api:act": {"action": "publish-round"},
        "api:read_force": {"number": 2},
        "api:submit_force": {"number": 2},
        "events:force-json": {"number": 2},
        "events:force-sheet": {"number": 2},
        "judging:force-check": {"number": 2},
        "events:series-event-act": {
            "row": series.rows.create(event=world.event, accepted=timezone.now()).pk,
            "act": "remove",
        },
        "events:series-join-separate": {"pk": series.joins.create(name="Jon", other="John").pk},
        "events:series-act": {"act": "end"},
        "events:series-prizes-act": {"act": "start"},
        "judging:finish-act": {"verb": "verify"},
        "judging:ruling-act": {"verb": "withdraw"},
    }
    for name, _route in addresses():
        if name.startswith("events:venue") or name == "events:policy-check":
            special.setdefault(name, {"pk": venue.pk, "hall": world.event.hall_id})
    return {name: known | special.get(name, {}) | PARTS.get(name, {}) for name, _route in addresses()}


def sessions(world: World) -> dict[str, Client]:
    """Open a session of each kind without an account as people do: type a code, open a link, scan a card."""
    found = {kind: Client() for kind in SESSIONS}
    head = Actor(person=world.people[Role.HEAD_JUDGE])
    for kind, role in SESSIONS.items():
        if kind.endswith("by code"):
            person = world.people[role]
            code = make_sign_in_code(by=head, event=world.event, person=person)
            found[kind].post(reverse("events:sign-in-by-code"), {"email": person.email, "code": code})
    mine = world.entry(1)
    found[BY_LINK].get(entry_link(mine))
    with mock.patch("events.pdf.player_cards.player_cards", return_value=b"%PDF") as printed:
        world.clients[Role.JUDGE].get(world.url("player-cards-pdf"), {"entry": mine.number})
    (card,) = printed.call_args.args[1]
    found["player by card"].get(urlsplit(card.address).path)
    return found


def filled(route: str, parts: dict[str, object]) -> str | None:
    """Return the address with its parts, or None if one is missing."""
    missing = []

    def value(match: re.Match) -> str:
        if match["name"] not in parts:
            missing.append(match["name"])
        return str(parts.get(match["name"], ""))

    route = re.sub(r"\(\?P<(?P<name>\w+)>(?:[^()]|\([^()]*\))*\)", value, route).rstrip("$")
    address = "/" + re.sub(r"<(?:\w+:)?(?P<name>\w+)>", value, route)
    return None if missing else address


def outcome(response) -> str:
    """Return "seen", "kept out", "only posted" or the fault."""
    if response.status_code == 405:
        return POSTED
    if response.status_code == 302 and "/accounts/login/" in response["Location"]:
        return "kept out"
    if response.status_code in (401, 403, 404):
        return "kept out"
    return "seen" if response.status_code < 400 else f"fault {response.status_code}"


@pytest.fixture
def world(db) -> World:
    return build(Event.State.RUNNING, Round.State.RUNNING)


def test_every_address_is_in_the_table():
    names = {name for name, _route in addresses()}
    assert len(names) > 150
    unknown = names - set(PAGES) - set(NOT_TRIED)
    assert not unknown, f"Say in PAGES (tests/events/test_who_sees_what.py) who sees these: {sorted(unknown)}"
    gone = sorted(set(PAGES) - names)
    assert not gone, f"Remove these from PAGES in tests/events/test_who_sees_what.py, they are gone: {gone}"


def seen_by(name: str, roles: frozenset[str]) -> frozenset[str]:
    """Return who sees a page, with sessions without an account added: as their role, without an account's pages.

    Tokens are added as well: as their owner at addresses of the API, as no one elsewhere and without rows.
    """
    if NOBODY in roles:
        roles |= {TOKEN, EMPTY_TOKEN}
    elif name.startswith("api:") and Role.HEAD_JUDGE.value in roles:
        roles |= {TOKEN}
    is_of_account = NOBODY not in roles and roles >= SIGNED_IN
    if name in ACCOUNT_ONLY or is_of_account:
        return roles
    return roles | {kind for kind, role in SESSIONS.items() if role.value in roles}


def test_a_code_a_link_and_a_card_of_a_player_open_the_same_session(world):
    opened = sessions(world)
    kept = [dict(opened[kind].session) for kind in ("player by code", BY_LINK, "player by card")]
    by_code, *linked = [{name: value for name, value in one.items() if name == LINKED_ENTRIES} for one in kept]
    assert linked == [{LINKED_ENTRIES: {str(world.event.pk): [world.entry(1).pk, 1]}}] * 2
    *of_link, _code = by_code[LINKED_ENTRIES].pop(str(world.event.pk))
    assert of_link == [world.entry(1).pk, 1], "with the code's key, for the session ends with the code"
    assert by_code == {LINKED_ENTRIES: {}}
    assert not any("_auth_user_id" in client.session for client in opened.values())


def with_token(world: World, rows: list[str]) -> Client:
    """Return a client that sends an API token of the head judge with these rows."""
    head, now = world.people[Role.HEAD_JUDGE], timezone.now()
    row = ApiToken.objects.create(
        event=world.event, person=head, name="Stream", rows=rows, secret_hash=hashlib.sha256(b"x").hexdigest(),
        password_mark=head.get_session_auth_hash(), expires=now + datetime.timedelta(days=1), last_used=now,
    )  # fmt: skip
    return Client(headers={"Authorization": f"Bearer hj_{row.pk}_x"})


class Tour:
    """A visit to every address by every visitor; links found on the way provide parts that the table lacks."""

    def __init__(self, world: World, *, by_all: bool) -> None:
        self.parts, self.by_all = furnish(world), by_all
        self.clients = {role.value: client for role, client in world.clients.items()} | {NOBODY: Client()}
        opened = sessions(world)
        self.clients |= opened if by_all else {kind: opened[kind] for kind in QUICK_SESSIONS}
        self.clients |= {TOKEN: with_token(world, rows_for(frozenset(Role))), EMPTY_TOKEN: with_token(world, [])}
        self.links: dict[str, str] = {}
        self.seen: set[str] = set()
        self.faults: list[str] = []
        self.tried = 0
        self.told: list[str] = []

    def open(self, client: Client, address: str):
        before = copy.deepcopy(client.cookies)
        with transaction.atomic():
            response = client.get(address)
            if response.streaming:
                response.close()
            transaction.set_rollback(True)
        client.cookies = before  # a session that this address began leaves nothing behind either
        return response

    def note_links(self, page: str) -> None:
        for link in set(re.findall(r'(?:href|action)="(/[^"?#]*)', page)) - self.seen:
            self.seen.add(link)
            try:
                self.links.setdefault(resolve(link).view_name, link)
            except Resolver404:
                continue

    def visitors(self, name: str, route: str) -> list[str]:
        """Return who opens it: everyone for addresses of an event or a venue; otherwise those who could differ.

        An address that only accepts a POST says so before it asks who is there, so four visitors are enough.
        """
        if PAGES.get(name) == POSTED and not self.by_all:
            return [NOBODY, Role.SPECTATOR.value, Role.HEAD_JUDGE.value, Role.OFFICE.value]
        if self.by_all or re.search("public_id|event_id|venues/|office/|calendar", route):
            return [one for one in self.clients if one != EMPTY_TOKEN or self.by_all or name.startswith("api:")]
        of_account = QUICK_SESSIONS if re.search("^me/|^accounts/|^volunteers/", route) else ()
        return [NOBODY, Role.SPECTATOR.value, Role.OFFICE.value, TOKEN, *of_account]

    def visit(self, name: str, route: str) -> bool:
        """Visit one address; return False if its parts aren't known yet."""
        address = filled(route, self.parts[name]) or self.links.get(name)
        if address is None:
            return False
        came = {}
        for visitor in self.visitors(name, route):
            response = self.open(self.clients[visitor], address)
            came[visitor] = outcome(response)
            self.tried += 1
            if response.status_code == 200 and response["Content-Type"].startswith("text/html"):
                self.note_links(response.content.decode())
        saw = frozenset(visitor for visitor, how in came.items() if how == "seen")
        ways = set(came.values())
        said: frozenset[str] | str = POSTED if POSTED in ways and ways <= {POSTED, "kept out"} else saw
        self.told.append(f"{name} | {said if isinstance(said, str) else ' '.join(sorted(said))}")
        expected = PAGES.get(name, NONE)
        if isinstance(expected, frozenset):
            expected = seen_by(name, expected) & set(came)
        wrong = [f"{visitor} {how}" for visitor, how in came.items() if how.startswith("fault")]
        if wrong:
            self.faults.append(f"{name}: {', '.join(wrong)}")
        elif expected != said and isinstance(expected, frozenset) and isinstance(said, frozenset):
            beyond, missing = sorted(said - expected), sorted(expected - said)
            self.faults.append(f"{name}: seen by {beyond} beyond the table, not by {missing}")
        elif expected != said:
            self.faults.append(f"{name}: {said} instead of {expected}")
        return True

    def go(self) -> None:
        left = [(name, route) for name, route in addresses() if name not in NOT_TRIED]
        for _round in range(3):
            left = [(name, route) for name, route in left if not self.visit(name, route)]
        self.faults += [f"{name}: say in PARTS what stands in {route}" for name, route in left]
        if os.environ.get("TELL"):
            print("\n".join(self.told))  # noqa: T201
        assert not self.faults, "\n".join(self.faults)


def test_every_address_by_every_role(world):
    tour = Tour(world, by_all=False)
    tour.go()
    assert tour.tried > 1200


@pytest.mark.soak
def test_every_address_by_every_role_also_where_roles_make_no_difference(world):
    Tour(world, by_all=True).go()


def test_visitors_who_may_only_look_change_nothing(world):
    parts = furnish(world)
    before = (AuditEntry.objects.count(), Force.objects.count())
    faults = []
    for name, route in addresses():
        address = filled(route, parts[name]) if name not in NOT_TRIED else None
        if address is None or not re.search("public_id|event_id|venues/|office/", route):
            continue
        for visitor, client in ((Role.SPECTATOR, world.clients[Role.SPECTATOR]), (NOBODY, Client())):
            response = client.post(address, {"confirmed": "yes", "reason": "Why not"})
            if response.status_code >= 500:
                faults.append(f"{name} × {visitor}: {response.status_code}")
            if (AuditEntry.objects.count(), Force.objects.count()) != before:
                faults.append(f"{name} × {visitor}: something was written")
                before = (AuditEntry.objects.count(), Force.objects.count())
    assert not faults, "\n".join(faults)
