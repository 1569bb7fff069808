"""Guessing passwords, links and codes: what is counted, who must wait, what an attempt costs, room for a hall."""

import asyncio
import datetime
import re
import threading
from urllib.parse import urlencode

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings as django_settings
from django.contrib.auth.models import AnonymousUser
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from config import limits
from config.limits import spent
from config.site import HASHING, Site
from events.models import Entry, Person, SignInCode
from events.passwords import PasswordHasher
from events.services.people import entry_link, make_sign_in_code
from tests.asgi import Answer, run, scope
from tests.config.counting import HASHED_ON, CountingHasher
from tests.factories import PASSWORD, EventFactory, OfficialFactory, PersonFactory

LOGIN, SIGNUP = "/accounts/login/", "/accounts/signup/"
HALL, ELSEWHERE = "192.0.2.1", "198.51.100.7"
PATIENCE = 20
LATER = datetime.datetime(2999, 1, 1, tzinfo=datetime.UTC)


@pytest.fixture
def ada(db):
    return PersonFactory(email="ada@example.org")


def sign_in(login: str, password: str = PASSWORD, at: str = HALL, client: Client | None = None) -> bool:
    client = client or Client()
    client.post(LOGIN, {"login": login, "password": password}, REMOTE_ADDR=at)
    return "_auth_user_id" in client.session


def sign_up(n: int, at: str = HALL):
    form = {"name": f"Player {n}", "email": f"new{n}@example.org", "password1": PASSWORD, "password2": PASSWORD}
    return Client().post(SIGNUP, form, REMOTE_ADDR=at)


@pytest.fixture(autouse=True)
def _one_minute(monkeypatch):
    """Keep the clock within one minute during a test."""
    monkeypatch.setattr(limits.time, "time", lambda: 1_700_000_000.0)


# waiting


def test_after_five_failures_a_login_waits_where_they_came_from_and_nowhere_else(ada):
    for n in range(5):
        assert not sign_in(ada.email, f"guess {n}")
    assert not sign_in(ada.email)
    assert sign_in(ada.email, at=ELSEWHERE)
    assert sign_in(PersonFactory().email)


def test_other_spellings_of_a_login_are_the_same_login(ada):
    for login in ("ada@example.org", "ADA@example.org", "Ada@Example.Org", " ada@example.org ", "aDa@example.org"):
        assert not sign_in(login, "guess")
    assert not sign_in(ada.email)
    assert not sign_in("ada@exampl\u0435.org")


def test_right_passwords_between_do_not_wash_failures_away(ada):
    mallory = PersonFactory()
    for n in range(5):
        sign_in(ada.email, f"guess {n}")
        assert sign_in(mallory.email)
    assert not sign_in(ada.email)


def test_the_owners_device_does_not_wait_for_guesses_from_the_same_hall(ada):
    phone = Client()
    assert sign_in(ada.email, client=phone)
    phone.post("/accounts/logout/")
    for n in range(8):
        sign_in(ada.email, f"guess {n}")
    assert not sign_in(ada.email)
    assert sign_in(ada.email, client=phone)


def test_a_known_device_is_known_for_its_own_login_only_and_is_not_forged(ada):
    mallory, device = PersonFactory(), Client()
    assert sign_in(mallory.email, client=device)
    device.post("/accounts/logout/")
    for n in range(5):
        sign_in(ada.email, f"guess {n}", client=device)
    assert not sign_in(ada.email, client=device)
    name, _dot, proof = device.cookies["known_device"].value.partition(".")
    for forged in ("x.y", "", ".", f"{name}2.{proof}", "é.é"):
        device.cookies["known_device"] = forged
        assert not sign_in(ada.email, client=device)
    known = Client()
    assert sign_in(ada.email, client=known, at=ELSEWHERE)
    known.post("/accounts/logout/")
    for n in range(5):
        sign_in(ada.email, f"guess {n}", client=known)
    assert not sign_in(ada.email, client=known), "a stolen device has five tries too"


def test_an_address_with_very_many_failures_waits_and_known_devices_do_not(ada, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"login_failed_from_address": "10/5m/ip"}
    phone = Client()
    assert sign_in(ada.email, client=phone)
    phone.post("/accounts/logout/")
    for n in range(12):
        sign_in(f"nobody{n}@example.org", "guess")
    assert not sign_in(ada.email)
    assert sign_in(ada.email, client=phone)
    assert sign_in(ada.email, at=ELSEWHERE)


def test_refused_attempts_do_not_bring_the_address_to_its_ceiling(ada, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"login_failed_from_address": "10/5m/ip"}
    for n in range(30):
        sign_in(ada.email, f"guess {n}")
    assert sign_in(PersonFactory().email)


def test_one_ipv6_network_is_one_address(ada):
    for n in range(5):
        sign_in(ada.email, f"guess {n}", at=f"2001:db8::{n + 1}")
    assert not sign_in(ada.email, at="2001:db8::99")
    assert sign_in(ada.email, at="2001:db8:0:1::1")


# a hall


def test_a_hall_behind_one_address_works_while_someone_guesses(staff, settings):
    settings.LIMITS = settings.LIMITS | {"entry_link_wrong": {"address": 5}}
    people = [PersonFactory() for _n in range(22)]
    entries = [Entry.objects.create(event=staff.event, number=n, name=f"Player {n}") for n in range(1, 10)]
    forged = [Client().get(f"/e/forged.{n}~x/", REMOTE_ADDR=HALL).status_code for n in range(10)]
    assert forged == [404] * 5 + [429] * 5
    for n, person in enumerate(people):
        sign_in(staff.head_judge.email, f"guess {n}")
        sign_in(f"nobody{n}@example.org", "guess")
        assert n % 2 or not sign_in(person.email, "a typo")
        assert sign_in(person.email)
        assert sign_up(n).status_code == 302
    assert {Client().get(entry_link(entry), REMOTE_ADDR=HALL).status_code for entry in entries} == {302}


def test_the_limits_have_room_for_a_hall_of_five_hundred():
    """Five hundred people sign in within five minutes, each with a typo; one account gets twenty guesses a second."""
    rates = django_settings.ACCOUNT_RATE_LIMITS
    assert rates["login"] is None
    room = {name: re.fullmatch(r"(\d+)/5m/ip", str(rates[name]).split(",")[0]) for name in rates}
    assert int(room["login_failed_from_address"][1]) >= 500 + 20 * 300
    assert int(room["signup"][1]) >= 2 * 500
    assert int(room["reset_password"][1]) >= 500
    assert int(room["reset_password_from_key"][1]) >= 500


def test_a_forged_signature_does_not_count_against_a_valid_one_nor_a_renewed_link_as_forged(staff, settings):
    settings.LIMITS = settings.LIMITS | {"entry_link_wrong": {"address": 2}}
    entry = Entry.objects.create(event=staff.event, number=1, name="Ada")
    old = entry_link(entry)
    Entry.objects.filter(pk=entry.pk).update(link_issue=2)
    assert [Client().get(old).status_code for _n in range(5)] == [410] * 5
    entry.refresh_from_db()
    for _n in range(5):
        Client().get("/e/forged.1~x/")
    assert Client().get(entry_link(entry)).status_code == 302


# the counters


def test_the_counters_have_room_and_one_address_does_not_fill_them(ada, settings, rf):
    assert cache._max_entries == 100_000
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"login_failed_from_address": "10/5m/ip"}
    for n in range(5):
        sign_in(ada.email, f"guess {n}")
    before = len(cache._cache)
    for n in range(25):
        sign_in(f"nobody{n}@example.org", "guess")
    assert len(cache._cache) <= before + 10
    assert not sign_in(ada.email, at=HALL)
    settings.LIMITS = {"api_write": {"device": 5, "address": 10}}
    before = len(cache._cache)
    for n in range(60):
        request = rf.post("/api/", REMOTE_ADDR=ELSEWHERE)
        request.user, request.session = AnonymousUser(), type("Session", (), {"session_key": f"made-up-{n}"})
        spent(request, "api_write")
    assert len(cache._cache) <= before + 11


def test_a_device_that_floods_uses_up_nothing_of_the_hall_s_share(settings, rf):
    settings.LIMITS = {"claim": {"device": 3, "address": 20}}

    def asks(device: str) -> bool:
        request = rf.post("/", REMOTE_ADDR=HALL)
        request.user, request.session = AnonymousUser(), type("Session", (), {"session_key": device})
        return not spent(request, "claim")

    assert [asks("flood") for _n in range(50)] == [True] * 3 + [False] * 47
    assert all(asks(f"phone {n}") for n in range(17))


# the cost of an attempt


@pytest.fixture
def hashed(settings, ada):
    settings.PASSWORD_HASHERS = ["tests.config.counting.CountingHasher"]
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    ada.set_password(PASSWORD)
    ada.save()
    EmailAddress.objects.create(user=ada, email=ada.email, verified=True, primary=True)
    EmailAddress.objects.create(user=ada, email="ada@home.example", verified=True)
    HASHED_ON.clear()
    return HASHED_ON


def new(email: str) -> dict[str, str]:
    return {"name": "Bob", "email": email, "password1": PASSWORD, "password2": PASSWORD}


@pytest.mark.parametrize(
    "path, form",
    [
        (LOGIN, {"login": "ada@example.org", "password": PASSWORD}),
        (LOGIN, {"login": "ada@home.example", "password": PASSWORD}),
        (LOGIN, {"login": "ada@example.org", "password": "wrong"}),
        (LOGIN, {"login": "nobody@example.org", "password": "wrong"}),
        (SIGNUP, new("bob@example.org")),
        (SIGNUP, new("ada@example.org")),
        (SIGNUP, new("ada@home.example")),
    ],
)
def test_every_attempt_costs_one_hash(hashed, path, form):
    Client().post(path, form)
    assert len(hashed) == 1


@pytest.mark.parametrize("codes", [0, 1, 3])
@pytest.mark.parametrize("email", ["ada@example.org", "ADA@example.org", "nobody@example.org"])
def test_every_attempt_by_code_costs_one_hash(hashed, ada, email, codes):
    made = []
    for _n in range(codes):
        event = EventFactory(state="open")
        OfficialFactory(event=event, person=ada, role="judge")
        made.append(SignInCode(event=event, person=ada, made_by=ada, code_hash="x", expires=LATER))
    SignInCode.objects.bulk_create(made)
    hashed.clear()
    Client().post("/sign-in-by-code/", {"email": email, "code": "ABCDEFGH"})
    assert len(hashed) == 1


def test_no_hash_is_made_while_the_database_is_locked(hashed, staff, monkeypatch):
    held, encode = [], CountingHasher.encode

    def watched(hasher, password, salt):
        held.append(len(connection.savepoint_ids))
        return encode(hasher, password, salt)

    monkeypatch.setattr(CountingHasher, "encode", watched)
    before = len(connection.savepoint_ids)
    code = make_sign_in_code(by=staff.actor("head_judge"), event=staff.event, person=staff.judge)
    page = Client().post("/sign-in-by-code/", {"email": staff.judge.email, "code": code})
    assert page.status_code == 302
    assert held == [before, before]


@pytest.mark.parametrize("state", [{"is_active": False}, {"password": "!no password"}, {"is_active": True}])
def test_a_closed_account_costs_the_same_hash(hashed, ada, state):
    Person.objects.filter(pk=ada.pk).update(**state)
    assert sign_in(ada.email, "wrong") is False
    assert len(hashed) == 1


def test_a_refused_attempt_costs_none_and_the_password_again_costs_one(hashed, ada):
    phone = Client()
    sign_in(ada.email, client=phone)
    hashed.clear()
    phone.post("/accounts/reauthenticate/", {"password": "wrong"})
    phone.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert len(hashed) == 2
    hashed.clear()
    for n in range(9):
        sign_in(ada.email, f"guess {n}")
    assert len(hashed) == 5
    hashed.clear()
    other = "another-quiet-hall-6"
    phone.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": other, "password2": other})
    assert len(hashed) == 2


def test_a_password_costs_what_owasp_recommends_and_no_more():
    assert (PasswordHasher.memory_cost, PasswordHasher.time_cost, PasswordHasher.parallelism) == (19_456, 2, 1)
    assert django_settings.SIGN_INS == 2


def test_a_password_kept_at_another_cost_still_signs_in(ada, settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
    ada.set_password(PASSWORD)
    ada.save()
    settings.PASSWORD_HASHERS = ["events.passwords.PasswordHasher"]
    assert sign_in(ada.email)
    ada.refresh_from_db()
    assert "$m=19456,t=2,p=1$" in ada.password


# the line for hashing


class Guessed(Site):
    """A site that answers sign-ins once `ready` is set, and everything else at once."""

    def __init__(self):
        super().__init__()
        self.ready, self.at_work = threading.Event(), threading.Semaphore(0)

    def get_response(self, request):
        if HASHING.match(request.path_info):
            self.at_work.release()
            assert self.ready.wait(PATIENCE)
        return HttpResponse(threading.current_thread().name)


async def post(site, path: str, form: dict[str, str]) -> Answer:
    body, answer, given = urlencode(form).encode(), Answer(), []

    async def receive():
        if given:
            await asyncio.Event().wait()
        given.append(body)
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        answer.status = message.get("status", answer.status)
        answer.body += message.get("body", b"")

    headers = {"content_type": "application/x-www-form-urlencoded", "content_length": str(len(body))}
    await site(scope(path, "POST", **headers), receive, send)
    return answer


def test_results_do_not_wait_behind_guesses(settings):
    site = Guessed()

    async def hall():
        guessing = [asyncio.ensure_future(post(site, LOGIN, {})) for _n in range(40)]
        for _n in range(settings.SIGN_INS - 1):  # guesses from one address leave a thread to others
            await asyncio.to_thread(site.at_work.acquire, timeout=PATIENCE)
        result = await asyncio.wait_for(post(site, "/events/abc/rounds/1/tables/1/enter/", {}), PATIENCE)
        assert not any(one.done() for one in guessing)
        site.ready.set()
        return result, await asyncio.gather(*guessing)

    result, guessed = run(hall())
    assert result.body.startswith(b"results")
    assert {one.body[:7] for one in guessed} == {b"sign-in"}
    assert len({one.body for one in guessed}) <= settings.SIGN_INS


def test_every_hash_of_a_form_is_made_in_that_line(transactional_db, settings):
    settings.PASSWORD_HASHERS = ["tests.config.counting.CountingHasher"]
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "csrf" not in name]
    PersonFactory(email="ada@example.org")
    HASHED_ON.clear()
    site = Site()
    for path, form in (
        (LOGIN, {"login": "ada@example.org", "password": "wrong"}),
        (SIGNUP, new("bob@example.org")),
        ("/sign-in-by-code/", {"email": "ada@example.org", "code": "ABCDEFGH"}),
        ("/accounts/password/reset/", {"email": "ada@example.org"}),
    ):
        assert run(post(site, path, form)).status < 500
    assert len(HASHED_ON) >= 2
    assert all(name.startswith("sign-in") for name in HASHED_ON)
    for name, given in (
        ("account_reauthenticate", []),
        ("account_change_password", []),
        ("events:sign-in-code", ["x"]),
    ):
        assert HASHING.match(reverse(name, args=given))
    assert mail.outbox
