"""Actions by API token: a token does exactly what its rows say, as the page does it, and is named in the audit log."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from django.core.cache import cache
from django.db import transaction
from django.db.models import Max, Model
from django.test import Client
from django.urls import resolve, reverse
from django.utils import timezone

from events.actions import ACTIONS
from events.models import Announcement, ApiToken, AuditEntry, Entry, Event, Role, Round, WebhookMessage
from events.roles import SITE, Actor
from events.services import clock, entries, results, rounds, tokens
from events.token_rows import NOT_BY_TOKEN
from judging.api_acts import Given
from judging.models import ReportMail
from judging.token_ways import READ, WAYS
from tests.events.action_acts import ACTS, World, build, prizes_of_player, submitted
from tests.events.action_sample import State, one_each
from tests.factories import EntryFactory, EventFactory, MatchFactory, OfficialFactory

pytestmark = pytest.mark.django_db
A_DAY = datetime.timedelta(days=1)
POSSIBLE = [verb for verb in ACTIONS if verb not in NOT_BY_TOKEN]
EXTRA = {
    "build-force-late": {"act": "describe"},
    "change-event": {"description": "New words"},
    "change-entry": {"name": "Renamed"},
    "replay-bracket": {},
}
"""Fields where the page's act sends more than a call needs to."""


def token_for(world: World, role: Role, rows: list[str]) -> str:
    """Return a token of the person in this role, with these rows whether or not the page would offer them."""
    person, now = world.people[role], timezone.now()
    row = ApiToken.objects.create(
        person=person, event=world.event, name="The script", rows=rows, secret_hash=hashlib.sha256(b"x").hexdigest(),
        password_mark=person.get_session_auth_hash(), expires=now + A_DAY, last_used=now,
    )  # fmt: skip
    return f"hj_{row.pk}_x"


def call(secret: str, event: Event, key: str, /, **fields: Any):
    """Do an action by token."""
    return Client().post(
        f"/api/events/{event.public_id}/actions/{key}",
        json.dumps(fields),
        content_type="application/json",
        headers={"Authorization": f"Bearer {secret}"},
    )


def fields_of(verb: str, world: World, role: Role) -> dict[str, Any]:
    """Return the fields of a call that does what the act's form does."""
    asked = ACTS[verb].ask(world, role)
    assert not isinstance(asked, str)
    way, (address, posted) = WAYS[verb], asked
    path, _mark, query = address.partition("?")
    there = {name: value for name, value in resolve(path).kwargs.items() if name not in ("public_id", "verb")}
    parts = [value for value in there.values() if f"={value}" not in way.parts]
    found = dict(zip([name for name in way.parts if not name.startswith("=")], parts, strict=True))
    if verb in EXTRA:
        return found | EXTRA[verb]
    known = {arg.posted or name: name for name, arg in way.args.items()}
    posted = {k: v for k, v in posted.items() if way.fixed.get(k) != v}
    posted |= dict(pair.split("=") for pair in query.split("&") if pair)
    for name, value in posted.items():
        plain = [int(one) if str(one).isdecimal() else one for one in (value if isinstance(value, list) else [value])]
        found[known[name]] = plain if isinstance(value, list) else plain[0]
    if verb == "give-penalty":
        found["entry"] = 2
    return found


def done(verb: str, leaves: type[Model] | None, last: int, there: int) -> bool:
    if leaves is not None:
        return leaves._default_manager.count() > there
    return AuditEntry.objects.filter(pk__gt=last, verb=verb, by_token="The script").exists()


def by_each_token(world: World, key: str, role: Role) -> str:
    """Do one form with a token of its row alone, and with one of all other rows; return what is wrong, or "".

    The call has the confirmation and the reason of the form's example, so those are what the page asks for.
    """
    verb = key.partition("/")[0]
    act = FORMS.get(key) or ACTS[verb]
    if act.ready is not None:
        act.ready(world, role)
    world.event.refresh_from_db()
    fields = FORMS[key].fields(world) if key in FORMS else fields_of(verb, world, role)
    sent = {name: value for name, value in WAYS[key].example.items() if name in Given.model_fields} | fields
    others = token_for(world, role, [one for one in POSSIBLE if one != verb])
    alone = token_for(world, role, [verb])
    last = AuditEntry.objects.aggregate(last=Max("pk", default=0))["last"]
    leaves = None if key in FORMS else ACTS[verb].leaves
    there = leaves._default_manager.count() if leaves is not None else 0
    refused = call(others, world.event, key, **sent)
    written = AuditEntry.objects.filter(pk__gt=last).exists()
    if refused.status_code != 403 or written or done(verb, leaves, last, there):
        return f"done by a token without this row: {refused.status_code} {refused.content[:300]!r}"
    answer = call(alone, world.event, key, **sent)
    if answer.status_code != 200 or not done(verb, leaves, last, there):
        return f"not done: {answer.status_code} {answer.content.decode()[:600]} {fields}"
    told = answer.json()
    if leaves is None and {one["action"] for one in told["log"]} != {verb}:
        return f"the answer names other entries in the audit log: {told}"
    return ""


class OtherForm(NamedTuple):
    """How a form after a slash is tried: the event's state, who does it, its fields, and what must exist first."""

    state: State
    role: Role
    fields: Callable[[World], dict[str, Any]]
    ready: Callable[[World, Role], object] | None = None


def at_table(world: World) -> dict[str, Any]:
    return {"round": 1, "table": world.match().table}


def row_of(of: str, *, at_match: bool = False) -> Callable[[World], dict[str, Any]]:
    """Return a function that names the only row of this kind at the event, or at the player's match."""
    rows = f"{of}s"
    return lambda world: {of: getattr(world.match() if at_match else world.event, rows).get().pk}


def announced(world: World, _role: Role) -> None:
    Announcement.objects.create(event=world.event, text="Lunch")


def waiting(world: World, _role: Role) -> None:
    Entry.objects.filter(event=world.event, number=7).update(state=Entry.State.WAITING)


def disqualified(world: World, _role: Role) -> None:
    entries.disqualify_entry(by=SITE, entry=world.entry(2), reason="x", confirmed=True)


def extended(world: World, _role: Role) -> None:
    clock.extend_table(by=SITE, match=world.match(), minutes=3, reason="x")


def on_the_clock(world: World, _role: Role) -> None:
    clock.start_round(by=SITE, round=world.event.rounds.get())


def claimed(world: World, role: Role) -> None:
    results.claim_result(by=Actor(person=world.people[role]), match=world.match(), result={"score_a": 1, "score_b": 2})


def two_late(world: World, _role: Role) -> None:
    """Check in two players after the round was published."""
    for name in ("Lara Late", "Leo Late"):
        entries.add_entry(by=SITE, event=world.event, name=name, declares=True, checked_in=True)


def tables_of_four(world: World, _role: Role) -> None:
    """Draft the round anew for seven players, at a table of four and one of three."""
    Event.objects.filter(pk=world.event.pk).update(table_size=4)
    world.event.refresh_from_db()
    entries.check_in(by=SITE, entry=world.entry(7))
    rounds.discard_draft(by=SITE, round=world.event.rounds.get(), confirmed=True)
    rounds.draft_round(by=SITE, event=world.event)


def to_the_free_seat(world: World) -> dict[str, Any]:
    four, three = sorted(
        world.event.rounds.get().matches.with_entries(), key=lambda one: len(one.entries), reverse=True
    )
    return {"round": 1, "entry": four.entries[0].number, "table": three.table}


def not_reached(world: World, _role: Role) -> None:
    """Leave the e-mail of the report to the venue's manager unsent."""
    manager = world.people[Role.VENUE]
    ReportMail.objects.create(event=world.event, to="venue", person=manager, state="failed", fault="no-server")


def told_elsewhere(world: World, _role: Role) -> None:
    """Leave a message of a webhook waiting."""
    hook = world.event.webhooks.create(name="Stream", address="https://stream.example/x", secret="x")
    hook.messages.create(kind="test", body="{}", ends=timezone.now() + A_DAY)


def its_message(world: World) -> dict[str, Any]:
    message = WebhookMessage.objects.get(hook__event=world.event)
    return {"webhook": message.hook_id, "message": str(message.key)}


HEAD = Role.HEAD_JUDGE
OPEN, DRAFTED = (Event.State.OPEN, None), (Event.State.RUNNING, Round.State.DRAFT)
PUBLISHED, VERIFIED = (Event.State.RUNNING, Round.State.PUBLISHED), (Event.State.VERIFIED, Round.State.COMPLETE)
FORMS: dict[str, OtherForm] = {
    "change-officials/remove": OtherForm(
        OPEN, HEAD, lambda world: {"official": world.event.officials.get(role="scorekeeper").pk}
    ),
    "announce/next-round": OtherForm(
        PUBLISHED,
        HEAD,
        lambda world: {"starts": f"{world.event.starts + datetime.timedelta(hours=4):%Y-%m-%dT%H:%M}"},
    ),
    "announce/withdraw": OtherForm(OPEN, HEAD, row_of("announcement"), announced),
    "change-webhook/send-again": OtherForm(OPEN, HEAD, its_message, told_elsewhere),
    "change-entry/move-up": OtherForm(OPEN, Role.SCOREKEEPER, lambda _world: {}, waiting),
    "disqualify-entry/requalify": OtherForm(PUBLISHED, HEAD, lambda _world: {"entry": 2}, disqualified),
    "change-draft/table": OtherForm(DRAFTED, HEAD, lambda _world: {"round": 1, "match": 1, "table": 2}),
    "change-draft/move": OtherForm(DRAFTED, HEAD, to_the_free_seat, tables_of_four),
    "right-tables/seat-late": OtherForm(
        PUBLISHED, Role.JUDGE, lambda _world: {"round": 1, "entry": 9, "opponent": 10}, two_late
    ),
    "add-time/less": OtherForm(PUBLISHED, HEAD, lambda _world: {"minutes": 2, "reason": "The hall closes"}),
    "add-time/call-time": OtherForm(PUBLISHED, HEAD, lambda _world: {}, on_the_clock),
    "extend-table/withdraw": OtherForm(PUBLISHED, HEAD, row_of("extension", at_match=True), extended),
    "claim-result/withdraw": OtherForm(PUBLISHED, Role.PLAYER, at_table, claimed),
    "change-force-late/take-over": OtherForm(PUBLISHED, Role.JUDGE, lambda _world: {"entry": 2}, submitted),
    "edit-prize-draft/up": OtherForm(OPEN, HEAD, lambda _world: {"entry": 2}, prizes_of_player),
    "mail-report/again": OtherForm(VERIFIED, Role.VENUE, lambda _world: {}, not_reached),
    "give-penalty/slow-play": OtherForm(PUBLISHED, HEAD, lambda world: at_table(world) | {"side": "a"}),
}
"""Every form after a slash; each needs the row before it."""
TRIED: dict[State, list[tuple[str, Role]]] = {
    state: [(verb, role) for verb, role in cells if verb in WAYS]
    + [(key, form.role) for key, form in FORMS.items() if form.state == state]
    for state, cells in one_each().items()
}
"""One role for each row, and for each of its other forms, by the event's state."""


@pytest.mark.parametrize(
    "state", [state for state, cells in TRIED.items() if cells], ids=lambda state: "-".join(map(str, state))
)
def test_a_token_does_exactly_what_its_row_says(state):
    world, faults = build(*state), []
    for key, role in TRIED[state]:
        with transaction.atomic():
            try:
                found = by_each_token(world, key, role)
            except Exception as raised:
                found = repr(raised)
            transaction.set_rollback(True)
        if found:
            faults.append(f"{key} × {role}: {found}")
    assert not faults, "\n".join(faults)


def test_every_other_form_of_a_row_is_tried():
    assert FORMS.keys() == {key for key in WAYS if "/" in key}, "say in FORMS how each form after a slash is tried"
    assert {form.state for form in FORMS.values()} <= TRIED.keys()


def test_every_row_is_possible_by_token_or_says_why_not():
    ways = {key.partition("/")[0] for key in WAYS} | READ
    missing = sorted(set(POSSIBLE) - ways)
    assert not missing, (
        f"Say in judging/token_ways.py how these are done by token, or in NOT_BY_TOKEN why not: {missing}"
    )
    gone = sorted(ways - set(POSSIBLE))
    assert not gone, f"Remove these from judging/token_ways.py: {gone}"


# what a call is answered


def one(staff, who: str, *rows: str, event: Event | None = None) -> str:
    """Return a token of one of the staff."""
    by = Actor(person=getattr(staff, who))
    return tokens.create_token(by=by, event=event or staff.event, name="The script", rows=rows, lasts=A_DAY)


def read(secret: str, address: str, **query: Any):
    return Client().get(address, query, headers={"Authorization": f"Bearer {secret}"})


def test_a_call_asks_for_the_same_confirmation_and_reason_as_the_page(staff):
    secret = one(staff, "manager", "cancel-event")
    asked = call(secret, staff.event, "cancel-event")
    assert asked.status_code == 409
    told = asked.json()
    assert told["needs_reason"]
    assert told["consequences"]
    assert call(secret, staff.event, "cancel-event", confirm=True).status_code == 409
    staff.event.refresh_from_db()
    assert staff.event.state == Event.State.OPEN
    answer = call(secret, staff.event, "cancel-event", confirm=True, reason="A flood")
    assert answer.status_code == 200
    assert answer.json()["messages"] == [f"{staff.event} has been cancelled."]
    entry = AuditEntry.objects.latest("pk")
    assert (entry.reason, entry.by_person, entry.by_token) == ("A flood", staff.manager, "The script")
    assert answer.json()["log"] == [{"id": entry.pk, "action": "cancel-event", "summary": entry.words}]


def test_the_audit_log_names_the_token_on_its_pages_and_in_its_files(staff):
    call(one(staff, "scorekeeper", "add-entry"), staff.event, "add-entry", name="Ada Lund", declares=True)
    head = staff.client("head_judge")
    entry = AuditEntry.objects.get(verb="add-entry")
    for name, parts in (
        ("audit-log", []),
        ("audit-log-entry", [entry.pk]),
        ("audit-log-json", []),
        ("audit-log-csv", []),
    ):
        page = head.get(reverse(f"judging:{name}", args=[staff.event.public_id, *parts])).content.decode()
        assert "The script" in page, name


def test_what_a_field_lacks_is_told_at_the_field(staff):
    secret = one(staff, "scorekeeper", "add-entry")
    for fields, name, words in (
        ({}, "name", "Field required"),
        ({"name": ""}, "name", "This field is required."),
        ({"name": "Ada", "awarded_byes": "often"}, "awarded_byes", "often"),
        ({"name": "Ada", "seat": 3}, "seat", "Extra inputs are not permitted"),
        ({"name": "Ada", "fixed_table": "two"}, "fixed_table", "valid integer"),
        ({"name": "Ada"}, "", "eligibility"),
    ):
        answer = call(secret, staff.event, "add-entry", **fields)
        assert answer.status_code == 422, fields
        assert words in " ".join(answer.json()["errors"][name]), answer.json()
        assert words in answer.json()["detail"]
    assert not Entry.objects.exists()


def test_a_field_left_out_keeps_its_value(staff):
    Event.objects.update(description="Bring dice", seats=20, cap_points=True, state=Event.State.DRAFT)
    secret = one(staff, "head_judge", "change-event")
    starts = staff.event.starts
    assert call(secret, staff.event, "change-event", seats=24).status_code == 200
    staff.event.refresh_from_db()
    assert (staff.event.seats, staff.event.description, staff.event.cap_points) == (24, "Bring dice", True)
    assert abs(staff.event.starts - starts) < datetime.timedelta(minutes=1)
    assert call(secret, staff.event, "change-event", cap_points=False, description="").status_code == 200
    staff.event.refresh_from_db()
    assert (staff.event.seats, staff.event.description, staff.event.cap_points) == (24, "", False)


def test_a_call_from_an_old_version_is_refused(staff):
    secret = one(staff, "head_judge", "change-event")
    answer = call(secret, staff.event, "change-event", seats=24, version=staff.event.version + 1)
    assert answer.status_code == 409
    assert call(secret, staff.event, "change-event", seats=24, version=staff.event.version).status_code == 200


def test_a_lost_role_ends_the_token_s_power_at_once_and_a_regained_one_restores_it(staff):
    secret = one(staff, "scorekeeper", "add-entry", "see-console")
    office = staff.event.officials.get(person=staff.scorekeeper)
    address = f"/api/events/{staff.event.public_id}/console"
    assert read(secret, address).status_code == 200
    kept = {name: getattr(office, name) for name in ("accepted", "confirmed")}
    staff.event.officials.filter(pk=office.pk).update(accepted=None)
    assert call(secret, staff.event, "add-entry", name="Ada", declares=True).status_code == 403
    assert read(secret, address).status_code == 403
    staff.event.officials.filter(pk=office.pk).update(**kept)
    assert call(secret, staff.event, "add-entry", name="Ada", declares=True).status_code == 200


def test_a_token_is_no_one_at_another_event(staff):
    other = EventFactory(venue=staff.event.venue)
    OfficialFactory(event=other, person=staff.head_judge, role="head-judge")
    secret = one(staff, "head_judge", *POSSIBLE)
    assert call(secret, other, "announce", text="Hello", minutes=10).status_code == 403
    for name in ("console", "calls", "rulings", "penalties", "audit-log", "file"):
        assert read(secret, f"/api/events/{other.public_id}/{name}").status_code == 403, name
        assert read(secret, f"/api/events/{staff.event.public_id}/{name}").status_code == 200, name
    Event.objects.filter(pk=other.pk).update(state=Event.State.DRAFT)
    assert read(secret, f"/api/events/{other.public_id}").status_code == 404
    assert not AuditEntry.objects.filter(event=other).exists()


def test_a_token_reads_what_its_rows_let_it_read_and_no_more(staff):
    EntryFactory(event=staff.event, name="Ben Small", is_minor=True, email="ben@example.org")
    here = f"/api/events/{staff.event.public_id}"
    weak, strong = one(staff, "head_judge", "check-in"), one(staff, "head_judge", "see-private-entries", "see-record")
    assert [(row["name"], row["email"]) for row in read(weak, f"{here}/entries").json()] == [("Ben S.", None)]
    assert [(row["name"], row["email"]) for row in read(strong, f"{here}/entries").json()] == [
        ("Ben Small", "ben@example.org")
    ]
    assert read(weak, f"{here}/audit-log").status_code == 403
    assert read(strong, f"{here}/audit-log").json()[0]["action"] == "create-token"
    assert read(strong, f"{here}/calls").status_code == 403


def test_drafts_and_private_forces_need_their_rows(staff):
    world = build(Event.State.RUNNING, Round.State.DRAFT)
    here = f"/api/events/{world.event.public_id}"
    weak, strong = (token_for(world, Role.HEAD_JUDGE, [row]) for row in ("publish-round", "see-drafts"))
    assert read(weak, f"{here}/rounds/1").status_code == 404
    assert read(strong, f"{here}/rounds/1").json()["state"] == "draft"
    Event.objects.filter(pk=world.event.pk).update(forces_public=False)
    force = f"{here}/entries/2/force"
    assert "private" in read(weak, force).json()["detail"]
    assert "hasn't submitted" in read(token_for(world, Role.HEAD_JUDGE, ["check-forces"]), force).json()["detail"]


def test_a_token_sends_results_as_a_session_does_and_needs_no_csrf_token(staff):
    world = build(Event.State.RUNNING, Round.State.RUNNING)
    address = f"/api/events/{world.event.public_id}/rounds/1/tables/{world.match().table}/result"
    strict = Client(enforce_csrf_checks=True)
    points = json.dumps({"score_a": 120, "score_b": 40})
    for rows, status in (["check-in"], 403), (["enter-result"], 200):
        headers = {"Authorization": f"Bearer {token_for(world, Role.SCOREKEEPER, rows)}"}
        answer = strict.post(address, points, content_type="application/json", headers=headers)
        assert answer.status_code == status
        assert not answer.cookies
    assert AuditEntry.objects.get(verb="enter-result").by_token == "The script"


def test_without_a_token_a_session_does_no_action(staff):
    address = f"/api/events/{staff.event.public_id}/actions/announce"
    sent = json.dumps({"text": "Hello", "minutes": 10})
    for client in (Client(), staff.client("head_judge")):
        assert client.post(address, sent, content_type="application/json").status_code == 401
    assert not AuditEntry.objects.exists()


def test_the_session_beside_a_token_counts_for_nothing(staff):
    head = staff.client("head_judge")
    secret = one(staff, "scorekeeper", "check-in")
    headers = {"Authorization": f"Bearer {secret}"}
    assert head.get(f"/api/events/{staff.event.public_id}/audit-log", headers=headers).status_code == 403
    assert head.get(f"/api/events/{staff.event.public_id}/audit-log").status_code == 200


def test_excluded_rows_have_no_address(staff):
    secret = one(staff, "office", "check-in")
    ApiToken.objects.update(rows=[*ACTIONS])
    for key in (*NOT_BY_TOKEN, *READ, "nonsense", "enter-result/x"):
        cache.clear()
        assert call(secret, staff.event, key).status_code == 404, key


def test_a_number_longer_than_any_is_not_found(staff):
    """No address has room for it: schemathesis found this."""
    world = build(Event.State.RUNNING, Round.State.RUNNING)
    secret = token_for(world, Role.HEAD_JUDGE, POSSIBLE)
    for key, name in (("take-decision-back", "ruling"), ("take-call", "call"), ("undo", "log_entry")):
        assert call(secret, world.event, key, **{name: 10**9}).status_code == 404, key


def test_reading_costs_the_same_number_of_queries_however_many_rows(staff, django_assert_max_num_queries):
    world = build(Event.State.RUNNING, Round.State.RUNNING)
    secret = token_for(world, Role.HEAD_JUDGE, POSSIBLE)
    for table in range(50, 70):
        MatchFactory(
            round=world.round, table=table, a=EntryFactory(event=world.event), b=EntryFactory(event=world.event)
        )
    for name in ("entries", "console", "calls", "rulings", "penalties", "audit-log"):
        with django_assert_max_num_queries(12):
            assert read(secret, f"/api/events/{world.event.public_id}/{name}").status_code == 200
