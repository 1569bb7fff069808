"""Caching by browsers and proxies: no accounts, codes or exports, and no signed-in page without revalidation."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from config.headers import NO_STORE, NO_STORE_ROUTES
from events.models import Entry
from events.services.people import entry_link
from tests.conftest import password_given
from tests.events.test_who_sees_what import addresses

pytestmark = pytest.mark.django_db
TELLING = re.compile(
    r"code|token|link|data|account|export|snapshot|qr|password|audit-log|record|slips|cards|hand-over|accounts/"
)
MAY_BE_KEPT = {
    "events:pod-record": "it only answers a form",
    "events:entry-link-forget": "it only answers a form",
    "events:api-token-revoke": "it only answers a form",
    "judging:snapshot-take": "it only answers a form",
    "judging:snapshots": "a page, private, no-cache",
    "judging:snapshot-restore": "a page that compares; private, no-cache",
    "judging:audit-log": "a page, private, no-cache",
    "judging:audit-log-entry": "a page, private, no-cache",
    "judging:venue-audit-log": "a page, private, no-cache",
}


def kept(answer) -> set[str]:
    return {word.strip() for word in answer.headers.get("Cache-Control", "").split(",")}


def test_an_address_that_gives_out_codes_links_or_exports_says_whether_it_may_be_stored():
    named = {name for name, route in addresses() if TELLING.search(f"{name} {route}") and "rules" not in name}
    stored_never = {name for name, route in addresses() if name in NO_STORE or route.startswith(NO_STORE_ROUTES)}
    unplaced = {name for name in named - stored_never - set(MAY_BE_KEPT) if not name.startswith("api:")}
    assert not unplaced, f"Say in config/headers.py, or here why not: {sorted(unplaced)}"
    assert {name for name, _route in addresses()} >= NO_STORE
    assert named >= set(MAY_BE_KEPT), sorted(set(MAY_BE_KEPT) - named)


def test_account_pages_codes_and_exports_are_never_stored(staff):
    entry = Entry.objects.create(event=staff.event, number=1, name="Ada")
    event = [staff.event.public_id]
    judge = password_given(staff.client("head_judge"))
    for address in (
        "/accounts/email/", "/accounts/password/change/", "/accounts/2fa/", "/accounts/2fa/totp/activate/", "/me/",
        "/me/account/", "/me/data/", "/me/data.json", "/me/records.json",
        reverse("events:sign-in-code", args=event), reverse("events:entry-qr", args=[*event, 1]),
        reverse("events:api-tokens", args=event),
        reverse("events:player-cards-pdf", args=event), reverse("judging:event-export", args=event),
        reverse("judging:audit-log-csv", args=event), reverse("judging:audit-log-json", args=event),
    ):  # fmt: skip
        answer = judge.get(address)
        assert answer.status_code in (200, 302, 405), address
        assert "no-store" in kept(answer), address
    for address in ("/accounts/login/", "/accounts/signup/", "/sign-in-by-code/", entry_link(entry), "/me/"):
        assert "no-store" in kept(Client().get(address)), address


def test_a_players_link_makes_pages_private_and_the_public_ones_stay_public(staff):
    entry = Entry.objects.create(event=staff.event, number=1, name="Ada")
    page = reverse("events:event", args=[staff.event.public_id])
    assert "private" not in kept(Client().get(page))
    phone = Client()
    phone.get(entry_link(entry))
    assert kept(phone.get(page)) == {"private", "no-cache"}
