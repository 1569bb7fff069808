"""Webhooks by API token: as on the page, but no answer to a token has a secret or a receiver's address."""

import json
import re
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from config.api import api
from events.actions import ACTIONS
from events.models import ApiToken, AuditEntry, Webhook, WebhookMessage
from events.services import webhooks as services
from judging import outbox
from judging.api_acts import model_of
from judging.token_ways import WAYS
from tests.factories import EventFactory, OfficialFactory
from tests.judging.test_token_acts import call, one, read
from tests.receivers import receiving

pytestmark = pytest.mark.django_db
ROWS = ("create-webhook", "change-webhook", "delete-webhook", "see-record")
NEW = {
    "name": "Stream",
    "form": "discord",
    "address": "https://discord.example/api/webhooks/1/PATH",
    "kinds": ["result"],
}


def kept(event, **facts) -> Webhook:
    return event.webhooks.create(name="Screen", address="https://screen.example/PATH", secret="whsec_S0VZ", **facts)


def waiting(hook: Webhook) -> WebhookMessage:
    return hook.messages.create(kind="result", body="{}", ends=timezone.now() + services.TRIED_FOR)


def every_call(hook: Webhook, message: WebhookMessage) -> Iterator[tuple[str, dict]]:
    """Yield every form of webhooks with its fields."""
    yield "create-webhook", NEW
    yield from (("change-webhook", {"webhook": hook.pk, "act": act}) for act in ("off", "on", "test"))
    yield "change-webhook/send-again", {"webhook": hook.pk, "message": str(message.key)}
    yield "delete-webhook", {"webhook": hook.pk}


def test_no_answer_to_a_token_has_a_secret_or_a_receiver_s_address(staff):
    hook, secret = kept(staff.event), one(staff, "head_judge", *ROWS)
    told = []
    for key, fields in every_call(hook, waiting(hook)):
        answer = call(secret, staff.event, key, **fields)
        assert answer.status_code == 200, (key, answer.content)
        told.append(answer)
    made = Webhook.objects.get()  # the other one is deleted
    for key, fields in (
        ("create-webhook", NEW | {"name": "x" * 61}),
        ("create-webhook", NEW | {"kinds": ["nothing"]}),
        ("change-webhook", {"webhook": made.pk, "act": "off", "version": made.version + 1}),
        ("change-webhook", {"webhook": made.pk, "act": "test"}),
        ("change-webhook", {"webhook": hook.pk, "act": "on"}),
    ):
        answer = call(secret, staff.event, key, **fields)
        assert 400 <= answer.status_code < 500, (key, fields)
        told.append(answer)
    told += [read(secret, f"/api/events/{staff.event.public_id}/audit-log")]
    assert made.secret.startswith("whsec_")
    assert made.address == NEW["address"]
    for answer in told:
        content = answer.content.decode()
        assert not any(text in content for text in (made.secret, hook.secret, "whsec_", "PATH", "example/")), content
    assert "can't see its secret" in told[0].json()["messages"][0]
    assert [entry.words for entry in AuditEntry.objects.filter(by_token="The script").order_by("pk")] == [
        "Webhook “Stream” added",
        "Webhook “Screen” turned off",
        "Webhook “Screen” turned on",
        "Test message sent to webhook “Screen”",
        "Message to webhook “Screen” sent again",
        "Webhook “Screen” deleted",
    ]


def test_what_a_token_added_gets_a_test_message_and_its_secret_from_the_page(staff):
    answer = call(one(staff, "head_judge", "create-webhook"), staff.event, "create-webhook", **NEW)
    hook = Webhook.objects.get()
    assert answer.json()["address"] == reverse("events:webhook", args=[staff.event.public_id, hook.pk])
    assert [(row.kind, row.state) for row in hook.messages.all()] == [("test", "waiting")]
    client = staff.client("manager")
    assert hook.secret not in client.get(answer.json()["address"]).content.decode()
    replace = reverse("events:webhook-act", args=[staff.event.public_id, hook.pk, "secret"])
    (shown,) = re.findall(r"whsec_[\w+/=]+", client.post(replace).content.decode())
    assert shown == Webhook.objects.get().secret != hook.secret


def test_a_token_neither_replaces_a_secret_nor_sends_an_existing_webhook_elsewhere(staff):
    """A webhook's address never changes, so no other receiver gets messages that its secret signed."""
    hook, secret = kept(staff.event), one(staff, "head_judge", *ROWS)
    for key in (key for key in WAYS if key.startswith(("change-webhook", "delete-webhook"))):
        for more in (
            {"act": "secret"},
            {"secret": "whsec_Ym9v"},
            {"address": "https://mine.example/"},
            {"name": "Mine"},
        ):
            fields = {"webhook": hook.pk, "message": str(waiting(hook).key), "act": "off"}
            fields = {name: value for name, value in fields.items() if name in model_of(key).model_fields} | more
            assert call(secret, staff.event, key, **fields).status_code == 422, (key, more)
    assert call(secret, staff.event, "change-webhook/secret", webhook=hook.pk).status_code == 404
    assert call(secret, staff.event, "create-webhook", **NEW, secret="whsec_Ym9v").status_code == 422
    before = {name: value for name, value in vars(hook).items() if not name.startswith("_")}
    hook.refresh_from_db()
    assert {name: value for name, value in vars(hook).items() if name in before} == before
    assert Webhook.objects.count() == 1


def test_a_token_without_the_row_of_another_event_or_of_someone_who_lost_the_role_does_nothing(staff):
    other = EventFactory(venue=staff.event.venue)
    OfficialFactory(event=other, person=staff.head_judge, role="head-judge")
    hook = kept(staff.event)
    message = waiting(hook)
    weak = one(staff, "head_judge", *(verb for verb in ACTIONS if verb not in ROWS))
    elsewhere = one(staff, "head_judge", *ROWS, event=other)
    lost = one(staff, "head_judge", *ROWS)
    judge = one(staff, "judge", *ROWS)
    ApiToken.objects.filter(person=staff.judge).update(rows=[*ROWS])  # as if the judge had been head judge
    for key, fields in every_call(hook, message):
        for secret in (weak, elsewhere, judge):
            assert call(secret, staff.event, key, **fields).status_code == 403, key
    alone = one(staff, "head_judge", "change-webhook")
    assert call(alone, staff.event, "create-webhook", **NEW).status_code == 403
    assert call(alone, staff.event, "delete-webhook", webhook=hook.pk).status_code == 403
    staff.event.officials.filter(person=staff.head_judge).update(accepted=None)
    for key, fields in every_call(hook, message):
        cache.clear()
        assert call(lost, staff.event, key, **fields).status_code == 403, key
    assert list(Webhook.objects.values_list("pk", "is_on", "version")) == [(hook.pk, True, 1)]
    assert not AuditEntry.objects.exclude(verb="create-token").exists()


def test_no_token_reaches_a_webhook_of_another_event_or_a_message_of_another_webhook(staff):
    other = EventFactory(venue=staff.event.venue)
    OfficialFactory(event=other, person=staff.head_judge, role="head-judge")
    theirs, mine = kept(other), kept(staff.event)
    secret, message = one(staff, "head_judge", *ROWS), waiting(theirs)
    for key, fields in (
        *(pair for pair in every_call(theirs, message) if pair[0] != "create-webhook"),
        ("change-webhook/send-again", {"webhook": mine.pk, "message": str(message.key)}),
    ):
        assert call(secret, staff.event, key, **fields).status_code == 404, key
        assert call(secret, other, key, **fields).status_code == 403, key
    assert list(Webhook.objects.values_list("version", flat=True)) == [1, 1]
    assert not AuditEntry.objects.exclude(verb="create-token").exists()


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1/x", "http://[::1]/", "http://169.254.169.254/", "ftp://x.example/"]
)
def test_a_token_adds_no_address_that_the_page_refuses(staff, settings, address):
    settings.WEBHOOKS_INSIDE = False
    page = staff.client("head_judge").post(
        reverse("events:webhooks", args=[staff.event.public_id]), NEW | {"address": address}
    )
    answer = call(one(staff, "head_judge", *ROWS), staff.event, "create-webhook", **NEW | {"address": address})
    assert (page.status_code, answer.status_code) == (400, 422)
    (words,) = answer.json()["errors"]["address"]
    assert escape(words) in page.content.decode()
    assert not Webhook.objects.exists()


@pytest.mark.parametrize("host", ["localhost", "127.1", "2130706433"])
def test_a_name_that_leads_inside_is_never_reached(staff, settings, host):
    settings.WEBHOOKS_INSIDE = False
    with receiving() as receiver:
        address = f"http://{host}:{receiver.address.rsplit(':', 1)[1]}/"
        sent = NEW | {"address": address}
        assert call(one(staff, "head_judge", *ROWS), staff.event, "create-webhook", **sent).status_code == 200
        hook = Webhook.objects.get()
        outbox.deliver(hook.pk)
        assert hook.messages.get().fault in ("inside", "no-host")
        assert receiver.got == []
        settings.WEBHOOKS_INSIDE = True
        Webhook.objects.update(due=timezone.now())
        outbox.deliver(hook.pk)
        assert json.loads(receiver.got[0].body)["content"]


def test_webhooks_that_are_turned_off_and_the_most_an_event_can_have_bind_tokens_too(staff, settings):
    secret = one(staff, "head_judge", *ROWS)
    for _n in range(services.MAX_WEBHOOKS):
        hook = kept(staff.event)
    answer = call(secret, staff.event, "create-webhook", **NEW)
    assert (answer.status_code, "at most 10" in answer.json()["detail"]) == (403, True)
    hook.delete()
    settings.WEBHOOKS = False
    answer = call(secret, staff.event, "create-webhook", **NEW)
    assert (answer.status_code, "turned off" in answer.json()["detail"]) == (403, True)
    assert Webhook.objects.count() == services.MAX_WEBHOOKS - 1


def test_no_token_undoes_what_was_done_to_a_webhook(staff):
    kept(staff.event)
    secret = one(staff, "head_judge", *ROWS, "undo")
    done = call(secret, staff.event, "delete-webhook", webhook=Webhook.objects.get().pk).json()["log"]
    answer = call(secret, staff.event, "undo", log_entry=done[0]["id"], confirm=True, reason="Again")
    assert answer.status_code == 403
    assert not Webhook.objects.exists()


def test_the_description_shows_no_secret_and_no_address_that_lets_anyone_post():
    described = json.dumps(api.get_openapi_schema(), default=str)
    assert "whsec_" not in described
    assert not re.search(r"api/webhooks/\w", described)
