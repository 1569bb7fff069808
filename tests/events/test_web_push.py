"""Web Push: the RFCs' own examples, the installation's key, and in whose name a browser subscribes."""

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client
from django.urls import reverse
from hypothesis import example, given, settings
from hypothesis import strategies as st

from config.settings import _is_secure_context
from events.models import AuditEntry, Event, PushSubscription
from events.services import push
from events.services.people import entry_link
from events.web_push import MAX_MESSAGE, RECORD, authorization, encrypted, is_subscription_key, public_key
from tests.conftest import client_of
from tests.events.match_pages import play
from tests.factories import PersonFactory
from tests.web_push import Browser, claims_of, raw, text

HERE = "https://push.example/send/one"
EXAMPLE = {  # RFC 8291, appendix A
    "message": "V2hlbiBJIGdyb3cgdXAsIEkgd2FudCB0byBiZSBhIHdhdGVybWVsb24",
    "key": "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    "salt": "DGv6ra1nlYgDCS1FRnbzlw",
    "body": (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95"
        "bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    ),
}


def test_the_example_of_rfc_8291():
    key = ec.derive_private_key(int.from_bytes(raw(EXAMPLE["key"]), "big"), ec.SECP256R1())
    made = encrypted(raw(EXAMPLE["message"]), EXAMPLE["p256dh"], EXAMPLE["auth"], key=key, salt=raw(EXAMPLE["salt"]))
    assert text(made) == EXAMPLE["body"]


@settings(max_examples=10, deadline=None)
@given(st.binary(max_size=200))
@example(b"x" * MAX_MESSAGE)
@example(b"\x02\x00")
def test_only_the_browser_reads_a_message(message):
    browser = Browser()
    made = encrypted(message, **browser.keys)
    assert browser.read(made) == message
    assert len(made) <= RECORD
    assert encrypted(message, **browser.keys) != made


def test_a_message_that_push_services_would_refuse_is_not_made():
    with pytest.raises(ValueError, match="too long"):
        encrypted(b"x" * (MAX_MESSAGE + 1), **Browser().keys)


def test_the_sender_is_verified_with_the_key_that_browsers_get(settings):
    header = authorization("https://push.example:8443/send/one", subject="mailto:desk@example.org", expires=1234)
    claims = {"aud": "https://push.example:8443", "exp": 1234, "sub": "mailto:desk@example.org"}
    assert claims_of(header, public_key()) == claims
    mine = public_key()
    settings.SECRET_KEY = "another" * 9
    assert public_key() != mine
    forged = authorization(HERE, subject="mailto:desk@example.org", expires=1234).replace(public_key(), mine)
    with pytest.raises(InvalidSignature):
        claims_of(forged, mine)


KEY = EXAMPLE["p256dh"]


@pytest.mark.parametrize(
    "p256dh, auth",
    [
        ("", ""),
        (KEY, "short"),
        (KEY, text(b"x" * 17)),
        (text(b"\x04" + b"\x01" * 64), text(b"x" * 16)),  # no point of the curve
        (text(b"\x02" + b"\x01" * 32), text(b"x" * 16)),  # compressed
        ("é" * 87, text(b"x" * 16)),
        (KEY + "!", text(b"x" * 16)),
    ],
)
def test_keys_that_are_none(p256dh, auth):
    assert is_subscription_key(KEY, text(b"x" * 16))
    assert not is_subscription_key(p256dh, auth)


@pytest.mark.parametrize(
    "address, is_secure",
    [
        ("https://headjudge.example", True), ("http://localhost:8000", True), ("http://127.0.0.1:8000", True),
        ("http://[::1]:8000", True), ("http://192.168.1.20:8000", False), ("http://shop.example", False), ("", False),
        ("http://[", False),
    ],
)  # fmt: skip
def test_push_messages_are_offered_where_browsers_allow_them(address, is_secure):
    assert _is_secure_context(address) is is_secure


# who subscribes


@pytest.fixture
def player(db, settings):
    settings.PUSH = True
    return PersonFactory(name="Ada Lovelace")


def ask(client, act, **facts):
    return client.post(reverse("events:push", args=[act]), facts)


def test_a_browser_subscribes_for_whoever_is_signed_in_and_for_no_one_else(player):
    other = PersonFactory()
    browser = {"endpoint": HERE, **Browser().keys}
    claimed = {**browser, "person": other.pk, "by": other.pk, "email": other.email}
    assert ask(client_of(player), "on", **claimed).status_code == 204
    (row,) = PushSubscription.objects.all()
    assert (row.person, row.endpoint, row.host, row.language) == (player, HERE, "push.example", "en")
    assert ask(client_of(player), "on", **browser).status_code == 204
    assert AuditEntry.objects.filter(by_person=player).count() == 1, "twice changes nothing"
    assert ask(client_of(player), "known", endpoint=HERE).status_code == 204
    assert ask(client_of(other), "known", endpoint=HERE).status_code == 404
    assert ask(client_of(other), "off", endpoint=HERE).status_code == 204
    assert PushSubscription.objects.filter(person=player).exists(), "no one turns off another's"
    assert "push.example" not in str(AuditEntry.objects.values_list("changes", "facts")), "the address is a secret"

    assert ask(client_of(other), "on", endpoint=HERE, **Browser().keys).status_code == 204
    assert PushSubscription.objects.get().person == other, "a device is whose account subscribed in it last"
    assert ask(client_of(other), "off", endpoint=HERE).status_code == 204
    assert not PushSubscription.objects.exists()


def test_strangers_forgers_and_sites_without_push_messages_subscribe_no_one(player, staff, settings):
    browser = {"endpoint": HERE, **Browser().keys}
    play(staff.event, 2, 1)
    by_link = Client()
    by_link.get(entry_link(staff.event.entries.get(number=1)))
    for client in (Client(), by_link):
        assert "/accounts/login/" in ask(client, "on", **browser)["Location"]
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(player)
    assert ask(strict, "on", **browser).status_code == 403
    assert client_of(player).get(reverse("events:push", args=["known"]), browser).status_code == 405
    assert ask(client_of(player), "all", **browser).status_code == 404
    for endpoint in (
        "http://push.example/",
        "https://10.0.0.1/",
        "https://[::1]/",
        "ftp://push.example",
        "",
        "x" * 600,
    ):
        assert ask(client_of(player), "on", **{**browser, "endpoint": endpoint}).status_code == 400, endpoint
    assert ask(client_of(player), "on", endpoint=HERE, p256dh="x", auth="y").status_code == 400
    settings.PUSH = False
    assert ask(client_of(player), "on", **browser).status_code in (403, 409)
    assert not PushSubscription.objects.exists()


def test_a_person_has_ten_devices_and_turns_all_of_them_off_at_once(player):
    client = client_of(player)
    for number in range(push.MAX_DEVICES + 1):
        ask(client, "on", endpoint=f"{HERE}/{number}", **Browser().keys)
    assert player.push_subscriptions.count() == push.MAX_DEVICES
    assert not player.push_subscriptions.filter(endpoint=f"{HERE}/0").exists()
    page = client.get(reverse("events:account"))
    assert "You get notifications on 10 devices." in page.text
    records = client.get(reverse("judging:my-data")).text + page.text
    assert HERE not in records
    done = client.post(reverse("events:push", args=["off"]), follow=True)
    assert "Notifications are off on all your devices." in done.text
    assert not player.push_subscriptions.exists()
    assert [one.words for one in AuditEntry.objects.order_by("-pk")[:1]] == ["Ada Lovelace turned off notifications"]


def test_the_own_page_offers_push_messages_to_people_who_are_signed_in(player, staff, settings):
    play(staff.event, 4, 0)
    entry = staff.event.entries.get(number=1)
    entry.person = player
    entry.save()
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING)
    page = reverse("events:entry", args=[staff.event.public_id, 1])
    assert f'data-key="{public_key()}"' in client_of(player).get(page).text
    by_link = Client()
    assert "data-key" not in by_link.get(entry_link(entry), follow=True).text
    assert "data-key" not in client_of(PersonFactory()).get(page).text
    settings.PUSH = False
    assert "data-key" not in client_of(player).get(page).text
