"""Pages that change an account or export its data ask for the password again five minutes after it was last given."""

import time

import pytest
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client
from django.urls import reverse

from events.models import Person
from tests.conftest import client_of, password_given
from tests.events.test_who_sees_what import addresses
from tests.factories import PASSWORD, PersonFactory

pytestmark = pytest.mark.django_db
AGAIN = "/accounts/reauthenticate/"
ADD = {"action_add": "", "email": "new@example.org"}

ASKS = {
    "account_email": ("post", ADD),
    "mfa_activate_totp": ("get", {}),
    "mfa_deactivate_totp": ("post", {}),
    "mfa_view_recovery_codes": ("get", {}),
    "mfa_generate_recovery_codes": ("post", {}),
    "mfa_download_recovery_codes": ("get", {}),
    "events:my-records": ("get", {}),
    "judging:my-data": ("post", {}),
    "judging:my-data-file": ("get", {}),
    "judging:person-data": ("get", {}),
}
"""For each page, the request that it refuses until the password has been given again."""
NEEDS_NOT = {
    "account_login": "asks for the password",
    "account_reauthenticate": "asks for the password",
    "mfa_reauthenticate": "asks for the second factor",
    "mfa_authenticate": "asks for the second factor",
    "account_change_password": "its form asks for the present password each time",
    "account_set_password": "is only for accounts without a password",
    "account_signup": "is for people without an account",
    "account_logout": "ends the session",
    "account_inactive": "shows a sentence",
    "account_email_verification_sent": "shows a sentence",
    "account_confirm_email": "needs the link from the mail",
    "account_confirm_login_code": "is not in use: codes by mail are off",
    "account_request_reauthentication_code": "is not in use: codes by mail are off",
    "account_confirm_reauthentication_code": "is not in use: codes by mail are off",
    "account_reset_password": "sends a mail to the account's own address",
    "account_reset_password_done": "shows a sentence",
    "account_reset_password_from_key": "needs the link from the mail",
    "account_reset_password_from_key_done": "shows a sentence",
    "mfa_index": "shows which factors are set up",
    "events:me": "shows what is next",
    "events:my-forces": "shows saved forces",
    "events:my-force": "changes a saved force, nothing that lets anyone in",
    "events:offer-answer": "accepts or declines what others offered",
    "events:my-profile": "shows to everyone what events show anyway, and lets no one in",
    "events:push": "turns this device's messages on or off",
    "events:account": "changes name and telephone, nothing that lets anyone in",
}


@pytest.fixture
def ada():
    person = PersonFactory(email="ada@example.org")
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    return person


def sign_in(person: Person, **more: str) -> Client:
    client = Client()
    client.post("/accounts/login/", {"login": person.email, "password": PASSWORD} | more)
    assert "_auth_user_id" in client.session
    return client


def ask(client: Client, name: str, person: Person):
    method, form = ASKS[name]
    if name == "account_email":
        form = form | {"email": f"new-{time.time_ns()}@example.org"}
    return getattr(client, method)(reverse(name, args=[person.pk] if name == "judging:person-data" else []), form)


def give(person: Person) -> Person:
    """Give the person what the pages need: a second factor with recovery codes, and the administrator's role."""
    TOTP.activate(person, generate_totp_secret())
    Authenticator.objects.create(
        user=person, type=Authenticator.Type.RECOVERY_CODES, data={"migrated_codes": ["12345678"]}
    )
    person.is_office = True
    person.save()
    return person


def test_every_address_of_an_account_is_placed():
    of_accounts = {name for name, route in addresses() if route.startswith(("accounts/", "me/"))}
    unplaced = of_accounts - set(ASKS) - set(NEEDS_NOT)
    assert not unplaced, (
        f"Decorate with reauthentication_required and say so in ASKS, or why not in NEEDS_NOT: {unplaced}"
    )
    assert not set(NEEDS_NOT) - of_accounts
    assert set(ASKS) - of_accounts == {"judging:person-data"}


@pytest.mark.parametrize("name", ASKS)
def test_it_asks_for_the_password_again_after_five_minutes(name, ada):
    client = client_of(ada if name == "mfa_activate_totp" else give(ada))
    asked = ask(client, name, ada)
    assert asked.status_code == 302
    assert asked.url.startswith(AGAIN)
    assert "Confirm that it's you" in client.get(asked.url).content.decode()
    assert client.post(asked.url, {"password": "wrong"}).status_code == 200
    assert ask(client, name, ada).url.startswith(AGAIN)
    password_given(client)
    assert AGAIN not in ask(client, name, ada).headers.get("Location", "")
    if Person.objects.get(pk=ada.pk).is_active:
        session = client.session
        records = session[AUTHENTICATION_METHODS_SESSION_KEY]
        records[-1]["at"] = time.time() - 301
        session[AUTHENTICATION_METHODS_SESSION_KEY] = records
        session.save()
        if name != "mfa_deactivate_totp":  # turned off by then
            assert ask(client, name, ada).url.startswith(AGAIN)


@pytest.mark.parametrize("remember", [{}, {"remember": "on"}])
def test_a_session_that_someone_left_open_gives_nothing_away(ada, remember):
    left = sign_in(ada, **remember)
    for name in ("events:my-records", "judging:my-data-file", "judging:my-data", "account_email"):
        assert ask(left, name, ada).url.startswith(AGAIN), name
    new = {"oldpassword": "guessed", "password1": "another-hall-77", "password2": "another-hall-77"}
    left.post("/accounts/password/change/", new)
    ada.refresh_from_db()
    assert ada.is_active
    assert ada.check_password(PASSWORD)
    assert list(ada.emailaddress_set.values_list("email", flat=True)) == ["ada@example.org"]


def test_typed_input_is_used_once_the_password_is_given(ada):
    client = client_of(ada)
    asked = client.post("/accounts/email/", ADD)
    client.post(asked.url, {"password": "a slip of the hand"})
    client.post(asked.url, {"password": PASSWORD})
    assert ada.emailaddress_set.filter(email="new@example.org").exists()


def test_no_password_waits_in_the_session(ada):
    client = client_of(ada)
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": "x-secret-1", "password2": "no"})
    client.post("/accounts/email/", ADD)
    assert "x-secret-1" not in str(dict(client.session))
    assert PASSWORD not in str(dict(client.session))


def test_a_stolen_session_cannot_try_passwords_for_long(ada):
    client = client_of(ada)
    answers = [client.post(AGAIN, {"password": f"guess {n}"}).status_code for n in range(12)]
    assert answers == [200] * 10 + [429] * 2


def test_wrong_tries_at_the_sign_in_page_do_not_keep_the_owner_from_going_on(ada):
    client = client_of(ada)
    for n in range(6):
        Client().post("/accounts/login/", {"login": ada.email, "password": f"guess {n}"})
    password_given(client)


def test_the_password_page_leads_nowhere_else(ada):
    done = client_of(ada).post(f"{AGAIN}?next=https://evil.example/", {"password": PASSWORD})
    assert done.url == "/"
