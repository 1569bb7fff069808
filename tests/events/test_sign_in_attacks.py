"""Attacks on signing in, other than guessing: other sites, fixed sessions, bypassing the second factor."""

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail
from django.test import Client

from tests.conftest import client_of, password_given
from tests.factories import PASSWORD, PersonFactory

pytestmark = pytest.mark.django_db
LOGIN = "/accounts/login/"
OTHER = "another-quiet-hall-6"


def words_of(page: str) -> str:
    """Return a page without its form's token."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)


@pytest.fixture
def ada():
    return PersonFactory(email="ada@example.org")


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


@pytest.mark.parametrize(
    "there",
    ["https://evil.example/", "//evil.example", "/\\evil.example", "///evil.example", "javascript:alert(1)",
     "https:evil.example", "\thttps://evil.example", "http://testserver@evil.example/"],
)  # fmt: skip
def test_signing_in_leads_to_no_other_site(ada, there):
    form = {"login": ada.email, "password": PASSWORD}
    client = Client()
    assert client.post(LOGIN, form | {"next": there}).url == "/"
    client.post("/accounts/logout/")
    assert client.post(f"{LOGIN}?next={there}", form).url == "/"
    assert client.post("/accounts/logout/", {"next": there}).url == "/"


@pytest.mark.parametrize("path", [LOGIN, "/accounts/signup/", "/accounts/password/reset/", "/sign-in-by-code/"])
def test_no_other_site_signs_anyone_in(ada, path):
    strict = Client(enforce_csrf_checks=True)
    strict.get(path)
    form = {"login": ada.email, "password": PASSWORD, "email": ada.email, "code": "ABCDEFGH"}
    assert strict.post(path, form, headers={"Origin": "https://evil.example"}).status_code == 403
    assert not is_in(strict)


def test_a_session_begun_by_someone_else_is_replaced_at_sign_in(ada):
    client = Client()
    session = client.session
    session["bait"] = "set before"
    session.save()
    before = session.session_key
    client.cookies["sessionid"] = before
    client.post(LOGIN, {"login": ada.email, "password": PASSWORD})
    assert is_in(client)
    assert client.session.session_key != before
    thief = Client()
    thief.cookies["sessionid"] = before
    assert not is_in(thief)
    assert thief.get("/me/").status_code == 302


def test_a_new_password_ends_all_other_sessions(ada):
    here, elsewhere = client_of(ada), client_of(ada)
    here.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER})
    assert here.get("/me/").status_code == 200
    assert elsewhere.get("/me/").status_code == 302


def test_a_reset_password_ends_all_sessions_and_does_not_pass_the_second_factor(ada):
    EmailAddress.objects.create(user=ada, email=ada.email, verified=True, primary=True)
    TOTP.activate(ada, generate_totp_secret())
    elsewhere, client = client_of(ada), Client()
    client.post("/accounts/password/reset/", {"email": ada.email})
    path = re.search(r"https?://[^/]+(/accounts/password/reset/key/\S+)", mail.outbox[0].body).group(1)
    form = client.get(path, follow=True).redirect_chain[-1][0]
    client.post(form, {"password1": OTHER, "password2": OTHER})
    assert not is_in(client)
    assert elsewhere.get("/me/").status_code == 302
    assert client.post(LOGIN, {"login": ada.email, "password": OTHER}).url.startswith("/accounts/2fa/authenticate/")
    assert not is_in(client)


def test_between_password_and_second_factor_nothing_is_open(ada):
    TOTP.activate(ada, generate_totp_secret())
    client = Client()
    client.post(LOGIN, {"login": ada.email, "password": PASSWORD})
    for path in (
        "/me/",
        "/me/data.json",
        "/accounts/2fa/totp/deactivate/",
        "/accounts/reauthenticate/",
        "/accounts/email/",
    ):
        assert client.get(path).status_code in (302, 403), path
        assert not is_in(client)
    wrong = [client.post("/accounts/2fa/authenticate/", {"code": f"00000{n}"}) for n in range(7)]
    assert "Too many" in wrong[-1].content.decode()


def test_an_address_that_is_not_confirmed_signs_no_one_in(ada):
    """Adding someone else's address to an account doesn't let that address sign in."""
    mallory = PersonFactory(email="mallory@example.org", password="mallory-in-the-hall-1")
    EmailAddress.objects.create(user=mallory, email=ada.email, verified=False)
    client = Client()
    client.post(LOGIN, {"login": ada.email, "password": "mallory-in-the-hall-1"})
    assert not is_in(client)
    client.post(LOGIN, {"login": ada.email.upper(), "password": PASSWORD})
    assert client.session["_auth_user_id"] == str(ada.pk)


def test_a_second_address_signs_in_once_it_is_confirmed(ada):
    second = EmailAddress.objects.create(user=ada, email="ada@home.example")
    for verified in (False, True):
        EmailAddress.objects.filter(pk=second.pk).update(verified=verified)
        client = Client()
        client.post(LOGIN, {"login": "Ada@home.example", "password": PASSWORD})
        assert is_in(client) is verified


@pytest.mark.parametrize("kind", ["console", "locmem"])
def test_another_s_address_does_not_become_the_first_one_and_mail_does_not_tell(ada, settings, kind):
    settings.EMAIL_BACKEND = f"django.core.mail.backends.{kind}.EmailBackend"
    mallory, seen = PersonFactory(), {}
    client = password_given(client_of(mallory))
    for address in (ada.email, "nobody@example.org"):
        added = client.post("/accounts/email/", {"action_add": "", "email": address}, follow=True)
        first = client.post("/accounts/email/", {"action_primary": "", "email": address}, follow=True)
        seen[address] = [page.content.decode().replace(address, "…") for page in (added, first)]
        EmailAddress.objects.filter(email=address).delete()
        mallory.refresh_from_db()
        assert mallory.email != ada.email
    if kind == "locmem":
        assert len(set(map(words_of, seen[ada.email]))) > 1
        assert list(map(words_of, seen[ada.email])) == list(map(words_of, seen["nobody@example.org"]))


def test_the_page_of_addresses_offers_only_what_an_address_needs(ada):
    client = password_given(client_of(ada))
    EmailAddress.objects.update_or_create(user=ada, email=ada.email, defaults={"primary": True, "verified": True})
    offered = ('name="action_primary"', 'name="action_send"')
    page = client.get("/accounts/email/").text
    assert [button in page for button in offered] == [False, False]
    other = EmailAddress.objects.create(user=ada, email="second@home.example", verified=True)
    page = client.get("/accounts/email/").text
    assert [button in page for button in offered] == [True, False]
    other.delete()
    EmailAddress.objects.filter(user=ada).update(verified=False)
    page = client.get("/accounts/email/").text
    assert [button in page for button in offered] == [False, True]
