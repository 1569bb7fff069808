"""Accounts by e-mail, second factors, signed links and sign-in codes, through requests."""

import datetime
import html
import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from events.models import AuditEntry, Entry, Person, Role, SignInCode
from events.roles import LINKED_ENTRIES, Actor
from events.services.people import entry_link
from tests.conftest import client_of
from tests.factories import PASSWORD, EntryFactory, EventFactory, PersonFactory

pytestmark = pytest.mark.django_db
LOGIN, SIGNUP = "/accounts/login/", "/accounts/signup/"


@pytest.fixture(autouse=True)
def _no_limits_from_other_tests():
    cache.clear()


def signed_in(client):
    return "_auth_user_id" in client.session


@pytest.mark.usefixtures("administrator")
def test_an_account_is_made_by_e_mail_in_lower_case(client):
    new = {"name": "Ada Lovelace", "email": "Ada@Example.ORG", "password1": PASSWORD, "password2": PASSWORD}
    client.post(SIGNUP, new | {"is_minor": "on"})
    person = Person.objects.get(is_office=False)
    assert (person.email, person.name, person.is_minor) == ("ada@example.org", "Ada Lovelace", True)
    other = Client()
    other.post(LOGIN, {"login": "ADA@example.org", "password": PASSWORD})
    assert signed_in(other)


@pytest.fixture
def _no_mail_server(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 9, 2


@pytest.mark.usefixtures("_no_mail_server", "administrator")
def test_a_mail_server_that_does_not_answer_hinders_only_what_needs_it(client, settings):
    new = {"name": "Ada Lovelace", "email": "ada@example.org", "password1": PASSWORD, "password2": PASSWORD}
    page = client.post(SIGNUP, new, follow=True)
    assert signed_in(client)
    assert "Request a new one under My account" in page.content.decode()
    refused = Client().post("/accounts/password/reset/", {"email": "ada@example.org"})
    assert refused.status_code == 403
    assert "mail server" in refused.content.decode()
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    refused = Client().post(LOGIN, {"login": PersonFactory().email, "password": PASSWORD})
    assert refused.status_code == 403
    assert "mail server" in refused.content.decode()


@pytest.mark.usefixtures("_no_mail_server")
def test_the_first_administrator_signs_in_before_there_is_a_mail_server(client, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    Person.objects.create_superuser("Office@example.org", PASSWORD, name="Otto")
    client.post(LOGIN, {"login": "office@example.org", "password": PASSWORD})
    assert signed_in(client)
    assert client.get(reverse("events:office")).status_code == 200


@pytest.mark.usefixtures("administrator")
def test_an_account_needs_a_name_and_a_good_password(client):
    response = client.post(SIGNUP, {"email": "a@example.org", "password1": "1234", "password2": "1234"})
    assert set(response.context["form"].errors) == {"name", "password1"}
    assert not Person.objects.exclude(is_office=True).exists()


def test_five_wrong_passwords_are_enough(client):
    person = PersonFactory()
    for _try in range(5):
        client.post(LOGIN, {"login": person.email, "password": "wrong"})
    page = client.post(LOGIN, {"login": person.email, "password": PASSWORD})
    assert not signed_in(client)
    assert "Too many failed sign-in attempts" in page.content.decode()


def test_a_forgotten_password_is_reset_by_mail(client):
    person = PersonFactory(email="ada@example.org")
    client.post("/accounts/password/reset/", {"email": "ADA@example.org"})
    (letter,) = mail.outbox
    path = re.search(r"https?://[^/]+(/accounts/password/reset/key/\S+)", letter.body).group(1)
    page = client.get(path, follow=True)
    new = {"password1": "another-quiet-hall-6", "password2": "another-quiet-hall-6"}
    client.post(page.redirect_chain[-1][0], new)
    person.refresh_from_db()
    assert person.check_password("another-quiet-hall-6")
    assert "no longer works" in Client().get(path, follow=True).content.decode()


def test_an_unknown_address_is_not_given_away(client):
    known = PersonFactory()
    first = client.post("/accounts/password/reset/", {"email": known.email})
    second = client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert (first.status_code, first.url) == (second.status_code, second.url)


PAGES = ["/accounts/email/", "/accounts/password/change/", "/accounts/2fa/", "/accounts/logout/"]


@pytest.mark.parametrize("path", [LOGIN, SIGNUP, "/accounts/password/reset/", "/accounts/password/reset/done/", *PAGES])
def test_every_page_of_accounts_is_in_the_sites_frame_without_scripts(path):
    client = client_of(PersonFactory()) if path in PAGES else Client()
    page = client.get(path).content.decode()
    assert 'class="brand"' in page
    assert "<script" not in page
    assert "style=" not in page


def test_a_second_factor_is_set_up_and_asked_for(client):
    person = PersonFactory()
    client.post(LOGIN, {"login": person.email, "password": PASSWORD})
    asked = client.get("/accounts/2fa/totp/activate/")
    assert asked.url.startswith("/accounts/reauthenticate/")
    assert "Confirm that it's you" in client.get(asked.url).content.decode()
    page = client.post(asked.url, {"password": PASSWORD}, follow=True)
    assert 'class="qr"' in page.content.decode()
    secret = page.context["form"].secret
    code = format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))
    client.post("/accounts/2fa/totp/activate/", {"code": code})
    assert Authenticator.objects.filter(user=person).count() == 2
    assert "<code>" in client.get("/accounts/2fa/recovery-codes/").content.decode()
    other = Client()
    answer = other.post(LOGIN, {"login": person.email, "password": PASSWORD})
    assert answer.url == "/accounts/2fa/authenticate/"
    assert not signed_in(other)
    recovery = Authenticator.objects.get(user=person, type="recovery_codes").wrap().get_unused_codes()[0]
    assert other.post("/accounts/2fa/authenticate/", {"code": "000000"}).status_code == 200
    other.post("/accounts/2fa/authenticate/", {"code": recovery})
    assert signed_in(other)


# Signed links


def test_a_signed_link_lets_a_child_act_for_its_entry_only(client, staff):
    entry = EntryFactory(event=staff.event, name="Kim Young", is_minor=True)
    other = EventFactory()
    client.get(entry_link(entry))
    assert client.session[LINKED_ENTRIES] == {str(staff.event.pk): [entry.pk, 1]}

    class Request:
        user, session = None, client.session

    actor = Actor.of(Request, staff.event)
    assert actor.entry == entry
    assert Role.PLAYER in actor.roles(event=staff.event)
    assert Actor.of(Request, other).entry is None


def test_a_link_survives_a_restart_and_ends_when_it_is_renewed(client, staff):
    entry = EntryFactory(event=staff.event)
    printed = entry_link(entry)
    assert entry_link(Entry.objects.get(pk=entry.pk)) == printed
    client.get(printed)
    renewed = staff.client("scorekeeper").post(
        reverse("events:entry-link-renew", args=[staff.event.public_id, entry.number]), {"version": 1}
    )
    assert renewed.status_code == 302
    entry.refresh_from_db()
    over = Client().get(printed)
    assert over.status_code == 410
    assert "newer link" in over.content.decode()
    assert Client().get(entry_link(entry)).status_code == 302

    class Request:
        user, session = None, client.session

    assert Actor.of(Request, staff.event).entry is None


@pytest.mark.parametrize("change", ["forge", "cut", "other"])
def test_a_forged_link_is_refused(client, staff, change):
    entry = EntryFactory(event=staff.event)
    token = entry_link(entry).strip("/").split("/")[1]
    forged = {"forge": f"{entry.link_key}.2~{token.split('~')[1]}", "cut": token[:-3], "other": "rubbish"}[change]
    assert client.get(f"/e/{forged}/").status_code == 404
    assert LINKED_ENTRIES not in client.session


def test_a_device_forgets_an_entry(client, staff):
    entry = EntryFactory(event=staff.event)
    client.get(entry_link(entry))
    client.post(reverse("events:entry-link-forget", args=[staff.event.public_id]))
    assert client.session[LINKED_ENTRIES] == {}


def test_the_desk_shows_a_link_and_no_one_else_does(staff, client):
    entry = EntryFactory(event=staff.event, person=PersonFactory())
    where = reverse("events:entry-qr", args=[staff.event.public_id, entry.number])
    page = staff.client("scorekeeper").get(where).content.decode()
    assert "<svg" in page
    assert entry_link(entry) in page
    assert client.get(where).status_code == 403
    assert client_of(entry.person).get(where).status_code == 403
    with pytest.raises(NoReverseMatch):
        reverse("events:entry-qr", args=[staff.event.public_id, "x"])


# Sign-in codes


def make_code(staff, person, who="head_judge"):
    where = reverse("events:sign-in-code", args=[staff.event.public_id])
    return staff.client(who).post(where, {"email": person.email})


def come_in(client, email, code, **where):
    return client.post(reverse("events:sign-in-by-code"), {"email": email, "code": code}, **where)


@pytest.fixture
def player(staff):
    person = PersonFactory(email="kim@example.org")
    EntryFactory(event=staff.event, person=person)
    return person


def test_a_players_code_works_once_and_does_what_the_player_link_does(client, staff, player):
    code = make_code(staff, player).context["code"]
    kept = SignInCode.objects.get()
    assert code.replace(" ", "") not in kept.code_hash
    assert code.replace(" ", "") not in str(list(AuditEntry.objects.values_list("changes", "summary", "facts")))
    come_in(client, "KIM@example.org", code.lower())
    entry = Entry.objects.get(person=player)
    assert client.session[LINKED_ENTRIES] == {str(staff.event.pk): [entry.pk, 1, kept.pk]}
    assert not signed_in(client)
    other = Client()
    assert "valid. It" in come_in(other, player.email, code).content.decode()
    assert acts_for(other, staff) is None
    assert AuditEntry.objects.filter(event=staff.event, verb="use-sign-in-code").count() == 1
    player.refresh_from_db()
    assert player.check_password(PASSWORD), "a code changes nothing of the account"


def acts_for(client, staff):
    """Return the key of the entry for which the session acts at the event."""
    return client.session.get(LINKED_ENTRIES, {}).get(str(staff.event.pk))


def test_a_code_ends_after_five_wrong_tries_that_begin_like_it(client, staff, player):
    code = make_code(staff, player).context["code"].replace(" ", "")
    wrong = [f"{code[:3]}{letter * 5}" for letter in "QRSTU"]
    pages = [come_in(Client(), player.email, one).text for one in wrong]
    assert all("or was entered wrongly five times. Ask the head judge for a new one." in page for page in pages)
    come_in(client, player.email, code)
    assert acts_for(client, staff) is None
    said = [entry.sentence for entry in AuditEntry.objects.filter(verb="use-sign-in-code").order_by("pk")]
    assert said == [*["code-wrong"] * 4, "code-over"]
    come_in(client, player.email, make_code(staff, player).context["code"])
    assert acts_for(client, staff) is not None


def test_a_strangers_wrong_tries_end_no_code_and_do_not_fill_the_audit_log(client, staff, player):
    code = make_code(staff, player).context["code"]
    stranger = Client(REMOTE_ADDR="203.0.113.9")
    for n in range(12):
        come_in(stranger, player.email, f"{n:02}WRONG2")
    assert SignInCode.objects.get().attempts == 0
    assert not AuditEntry.objects.filter(verb="use-sign-in-code").exists()
    come_in(client, player.email, code)
    assert acts_for(client, staff) is not None


def test_a_code_is_over_after_fifteen_minutes_and_a_newer_one_ends_it(client, staff, player):
    first = make_code(staff, player).context["code"]
    second = make_code(staff, player).context["code"]
    come_in(client, player.email, first)
    assert acts_for(client, staff) is None
    row = SignInCode.objects.first()
    left = row.expires - row.made
    assert datetime.timedelta(minutes=14, seconds=59) < left < datetime.timedelta(minutes=15, seconds=1)
    SignInCode.objects.update(expires=timezone.now())
    come_in(client, player.email, second)
    assert acts_for(client, staff) is None


def test_tries_from_one_address_are_limited(client, staff, player):
    for _try in range(10):
        come_in(client, player.email, "1WRONG")
    assert come_in(client, "nobody@example.org", "1WRONG").status_code == 200, "others at the address go on"
    assert come_in(client, player.email.upper(), "1-w rong").status_code == 429


def test_no_one_in_the_hall_keeps_others_there_from_signing_in_by_code(client, staff, player, settings):
    rates = {"sign_in_by_code": "10/5m/key,20/5m/ip"}
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | rates
    for _try in range(30):
        stranger = come_in(Client(), player.email, "1WRONGWR")
    assert stranger.status_code == 429
    come_in(client, player.email, make_code(staff, player).context["code"])
    assert acts_for(client, staff) is not None


@pytest.mark.parametrize("who", ["manager", "judge", "scorekeeper", "office"])
def test_only_the_head_judge_makes_codes(staff, player, who):
    assert make_code(staff, player, who).status_code == 403
    assert not SignInCode.objects.exists()


def test_a_code_gives_no_more_rights_than_the_event_has(staff, player):
    for known_or_not in (PersonFactory(), staff.manager, PersonFactory.build(email="nobody@example.org")):
        told = " ".join(make_code(staff, known_or_not).context["form"].errors["email"])
        assert "No official or player of this event" in told
        assert known_or_not.name not in told
    player.is_office = True
    player.save()
    assert make_code(staff, player).status_code == 403
    assert not SignInCode.objects.exists()


def test_a_code_does_not_replace_the_second_factor(client, staff, player):
    code = make_code(staff, player).context["code"]
    TOTP.activate(player, generate_totp_secret())
    assert make_code(staff, player).status_code == 403
    assert come_in(client, player.email, code).status_code == 403, "what changed since it was made counts"
    assert acts_for(client, staff) is None


# an address of an entry


def sign_up(client, email="ada@example.org", name="Ada Lovelace"):
    client.post(SIGNUP, {"name": name, "email": email, "password1": PASSWORD, "password2": PASSWORD})
    return Person.objects.get(email=email)


def confirm_address():
    path = re.search(r"https?://[^/]+(/accounts/confirm-email/\S+)", mail.outbox[-1].body).group(1)
    Client().post(path)


@pytest.mark.usefixtures("administrator")
def test_a_new_account_is_offered_its_listed_entry_once_the_address_is_confirmed(client):
    entry = EntryFactory(email="Ada@example.org")
    ada = sign_up(client)
    assert not Entry.objects.filter(person=ada).exists()
    page = client.get(reverse("home")).text
    assert "An event lists a player with your e-mail address" in page
    assert entry.event.name not in page.split("Open for registration")[0]
    confirm_address()
    assert not Entry.objects.filter(person=ada).exists(), "an offer, nothing more"
    offer = reverse("events:offer-answer", args=["entry", entry.pk, "accept"])
    assert offer in client.get(reverse("home")).text
    client.post(offer)
    entry.refresh_from_db()
    assert (entry.person, entry.email) == (ada, "")
    assert AuditEntry.objects.filter(verb="join-entry", event=entry.event).count() == 1
    assert reverse("events:entry", args=[entry.event.public_id, entry.number]) in client.get(reverse("home")).text


@pytest.mark.usefixtures("administrator")
def test_every_child_under_one_address_is_offered_and_one_is_accepted(client):
    bea = EntryFactory(email="ada@example.org", name="Bea")
    cid = EntryFactory(event=bea.event, email="ada@example.org", name="Cid")
    ada = sign_up(client)
    confirm_address()
    offers = [reverse("events:offer-answer", args=["entry", one.pk, "accept"]) for one in (bea, cid)]
    page = client.get(reverse("home")).text
    assert all(offer in page for offer in offers)
    assert [client.post(offer).status_code for offer in offers] == [302, 403]
    assert list(Entry.objects.filter(person=ada)) == [bea]


# the words of pages and mails that allauth brings along

NOT_OURS = re.compile(r"\b[Ee]mail|Remember Me|Sign (Out|In|Up)\b|(New|Current) Password|\(again\)|\btype\b|cannot")


def visible(page: str) -> str:
    main = re.sub(r"<(script|style).*?</\1>", " ", page.split("<main", 1)[-1], flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", " ", main)) + " ".join(
        re.findall(r'(?:placeholder|aria-label)="([^"]*)"', main)
    )


@pytest.mark.usefixtures("administrator")
def test_the_pages_of_allauth_use_our_words(client, mailoutbox, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    person = PersonFactory(email="ada@example.org")
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    told = {}
    for where in ("login", "signup", "password/reset"):
        told[where] = visible(client.get(f"/accounts/{where}/").text)
        told[f"{where}, empty"] = visible(client.post(f"/accounts/{where}/", {}).text)
    told["wrong"] = visible(client.post("/accounts/login/", {"login": person.email, "password": "wrong"}).text)
    for address in (person.email, "nobody@example.org"):
        client.post("/accounts/password/reset/", {"email": address})
    for name in ("ada@example.org", "new@example.org"):
        client.post(SIGNUP, {"name": "Ada", "email": name, "password1": PASSWORD, "password2": PASSWORD})
        client.post("/accounts/logout/")
    key = re.search(r"/accounts/password/reset/key/\S+", mailoutbox[0].body)[0]
    told["new password"] = visible(client.get(key, follow=True).text)
    signed = Client()
    told["signed in"] = visible(signed.post(LOGIN, {"login": person.email, "password": PASSWORD}, follow=True).text)
    for where in ("email", "password/change", "2fa/totp/activate", "2fa", "logout"):
        told[where] = visible(signed.get(f"/accounts/{where}/").text)
    told["twice"] = visible(signed.post("/accounts/email/", {"action_add": "", "email": person.email}).text)
    sent = {"oldpassword": "wrong", "password1": "x", "password2": "y"}
    told["not changed"] = visible(signed.post("/accounts/password/change/", sent).text)
    changed = {"oldpassword": PASSWORD, "password1": "another-quiet-hall-6", "password2": "another-quiet-hall-6"}
    told["changed"] = visible(signed.post("/accounts/password/change/", changed, follow=True).text)
    told |= {f"mail {mail.subject}": re.sub(r"https?://\S+", "", f"{mail.subject} {mail.body}") for mail in mailoutbox}
    assert {where: found.group() for where, words in told.items() if (found := NOT_OURS.search(words))} == {}
    assert "Your password has been changed." in told["changed"]
    assert len(mailoutbox) == 3
