"""If mail is set up, no page reveals whether an e-mail address has an account: its owner gets a mail instead."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from events.mails import is_mail_configured
from events.models import Person
from tests.conftest import client_of, password_given
from tests.factories import PASSWORD, PersonFactory

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]
SIGNUP, LOGIN = "/accounts/signup/", "/accounts/login/"
UNKNOWN = "nobody@example.org"
BACKENDS = "django.core.mail.backends"


@pytest.fixture
def ada(settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    person = PersonFactory(email="ada@example.org")
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    EmailAddress.objects.create(user=person, email="ada@home.example", verified=False)
    return person


def told(answer, address: str) -> tuple:
    """Return everything that an answer reveals, except for the address itself and tokens."""
    page = re.sub(r'value="\w{64}"', "", answer.content.decode()).replace(address, "…")
    cookies = {name: (morsel["max-age"], morsel["path"]) for name, morsel in answer.cookies.items()}
    steps = [(url, status) for url, status in getattr(answer, "redirect_chain", [])]
    return answer.status_code, steps, page, cookies


def sign_up(client: Client, email: str, password: str = "stranger-in-the-hall-9", name: str = "Mallory"):
    form = {"name": name, "email": email, "password1": password, "password2": password}
    return client.post(SIGNUP, form, follow=True)


@pytest.mark.parametrize("known", ["ada@example.org", "ADA@Example.org", "ada@home.example"])
def test_signing_up_is_the_same_for_a_known_address(ada, known):
    seen = [told(sign_up(Client(), email), email.lower()) for email in (known, UNKNOWN)]
    assert seen[0] == seen[1]
    assert {tuple(letter.to) for letter in mail.outbox} == {(known.lower(),), (UNKNOWN,)}
    assert Person.objects.filter(email__in=["ada@example.org", "ada@home.example"]).count() == 1
    again = [told(sign_up(Client(), email), email.lower()) for email in (known, UNKNOWN)]
    assert again[0] == again[1]


def test_no_stranger_writes_mails_by_the_name_of_an_account(ada):
    sign_up(Client(), "victim@example.org", name="Your prize waits at http://evil.example")
    assert mail.outbox[0].to == ["victim@example.org"]
    assert "evil.example" not in mail.outbox[0].body + mail.outbox[0].subject
    assert "/accounts/confirm-email/" in mail.outbox[0].body


def test_faults_of_the_form_are_the_same_for_a_known_address(ada):
    assert told(sign_up(Client(), ada.email, "1234"), ada.email) == told(sign_up(Client(), UNKNOWN, "1234"), UNKNOWN)


def test_signing_in_after_signing_up_does_not_tell_either(ada):
    seen = []
    for email in (ada.email, UNKNOWN):
        client = Client()
        sign_up(client, email)
        form = {"login": email, "password": "stranger-in-the-hall-9"}
        tries = [told(client.post(LOGIN, form, follow=True), email) for _try in range(7)]
        tries.append(told(Client().post(LOGIN, form), email))
        seen.append(tries)
        assert "_auth_user_id" not in client.session
    assert seen[0] == seen[1]


def test_the_link_in_the_mail_leads_to_signing_in(ada):
    client = Client()
    sign_up(client, UNKNOWN)
    link = re.search(r"https?://[^/]+(/accounts/confirm-email/\S+)", mail.outbox[0].body).group(1)
    assert "Sign in" in client.post(link, follow=True).content.decode()
    client.post(LOGIN, {"login": UNKNOWN, "password": "stranger-in-the-hall-9"})
    assert "_auth_user_id" in client.session


def test_an_address_not_confirmed_yet_gets_the_mail_again_when_its_owner_signs_in(ada):
    late = PersonFactory(email="late@example.org")
    page = Client().post(LOGIN, {"login": late.email, "password": PASSWORD}).content.decode()
    assert "confirm your address" in page
    assert [letter.to for letter in mail.outbox] == [["late@example.org"]]


def test_a_forgotten_password_does_not_tell(ada):
    seen = [
        told(Client().post("/accounts/password/reset/", {"email": email}, follow=True), email)
        for email in (ada.email, UNKNOWN)
    ]
    assert seen[0] == seen[1]
    assert {tuple(letter.to) for letter in mail.outbox} == {(ada.email,), (UNKNOWN,)}


def test_adding_an_address_to_one_s_account_does_not_tell(ada):
    mallory, seen = PersonFactory(), []
    client = password_given(client_of(mallory))
    for email in (ada.email, UNKNOWN):
        seen.append(told(client.post("/accounts/email/", {"action_add": "", "email": email}, follow=True), email))
        EmailAddress.objects.filter(user=mallory, email=email).delete()
    assert seen[0] == seen[1]
    assert {tuple(letter.to) for letter in mail.outbox} == {(ada.email,), (UNKNOWN,)}


def test_a_sign_in_code_s_page_does_not_tell(ada):
    seen = [
        told(Client().post("/sign-in-by-code/", {"email": email, "code": "ABCDEFGH"}), email)
        for email in (ada.email, UNKNOWN)
    ]
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    "kind, is_set", [("smtp", True), ("locmem", True), ("console", False), ("dummy", False), ("filebased", False)]
)
def test_mail_is_set_up_where_there_is_a_server(settings, kind, is_set):
    settings.EMAIL_BACKEND = f"{BACKENDS}.{kind}.EmailBackend"
    assert is_mail_configured() is is_set


@pytest.mark.parametrize(
    "given, says",
    [({}, "optional"), ({"EMAIL_URL": "smtp://mail.example"}, "mandatory"), ({"EMAIL_URL": "consolemail://"}, "optional"),
     ({"EMAIL_URL": "smtp://mail.example", "EMAIL_VERIFICATION": "optional"}, "optional")],
)  # fmt: skip
def test_addresses_must_be_confirmed_where_mail_is_set_up(tmp_path, given, says):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("EMAIL")}
    said = subprocess.run(
        [sys.executable, "-c", "from config import settings; print(settings.ACCOUNT_EMAIL_VERIFICATION)"],
        cwd=ROOT, env=kept | {"DATA_DIR": str(tmp_path)} | given, capture_output=True, encoding="utf-8", check=True,
    ).stdout  # fmt: skip
    assert said.strip() == says
