"""A form sent after the session ended, or with an old token: nothing typed is lost, nothing is forged."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from events.models import Announcement
from events.unsent import MAX_KEPT
from judging.models import Decision
from tests.events.match_pages import play
from tests.forms_of_page import as_sent, forms_of

pytestmark = pytest.mark.django_db
PASSWORD = "three-action-tokens"
BROWSER = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


@pytest.fixture
def judge(staff):
    staff.head_judge.set_password(PASSWORD)
    staff.head_judge.save()
    return staff.head_judge


def sign_in(client, person, to):
    return client.post(reverse("account_login") + f"?next={to}", {"login": person.email, "password": PASSWORD})


def way_to_sign_in(page):
    return re.search(r'class="button" href="/accounts/login/\?next=([^"]*)"', page)[1]


def form_to(page, address):
    (form,) = [form for form in forms_of(page) if form.action == address]
    return form


def test_an_announcement_typed_while_signed_out_is_sent_after_signing_in(staff, judge):
    where = reverse("events:announce", args=[staff.event.public_id])
    client = Client(headers=BROWSER)
    told = client.post(where, {"text": "Lunch at one,\nround four at two", "minutes": "30"})
    page = told.content.decode()
    assert told.status_code == 403
    assert "You're signed out" in page
    assert "Lunch at one,<br>round four at two" in page
    assert not Announcement.objects.exists()
    back = sign_in(client, judge, way_to_sign_in(page))
    assert back["Location"] == reverse("unsent")
    again = client.get(back["Location"]).content.decode()
    assert f"signed in as {judge}" in again
    assert client.post(where, as_sent(form_to(again, where))).status_code == 302
    assert Announcement.objects.get().text.replace("\r", "") == "Lunch at one,\nround four at two"
    assert client.get(reverse("unsent"))["Location"] == reverse("home")


def test_a_ruling_that_another_person_may_not_make_stays_kept(staff, judge):
    play(staff.event, 4, 1)
    where = reverse("judging:rule", args=[staff.event.public_id])
    client = Client(headers=BROWSER)
    typed = {"topic": "stealth", "question": "May Shade be seen?", "text": "No: she stands in hindering terrain."}
    assert "she stands in hindering terrain" in client.post(where, typed).content.decode()
    staff.manager.set_password(PASSWORD)
    staff.manager.save()
    sign_in(client, staff.manager, reverse("unsent"))
    assert client.post(where, typed).status_code == 403
    assert "she stands in hindering terrain" in client.get(reverse("unsent")).content.decode()
    assert not Decision.objects.exists()


def test_the_form_is_offered_only_after_signing_in(staff):
    client = Client(headers=BROWSER)
    client.post(reverse("events:announce", args=[staff.event.public_id]), {"text": "Lunch"})
    assert client.get(reverse("unsent"))["Location"] == f"/accounts/login/?next={reverse('unsent')}"
    assert Client(headers=BROWSER).get(reverse("unsent"))["Location"] == reverse("home")


def with_password(person):
    person.set_password(PASSWORD)
    person.save()
    return person


def signed_out_in_another_tab(client, person, where):
    """Return a client whose session, begun by this person's own sign-in, has ended; its page is still open."""
    assert sign_in(client, person, where).status_code == 302
    client.post(reverse("account_logout"))
    return client


def test_a_form_typed_in_one_account_s_session_is_not_offered_to_the_next_account_on_that_device(staff, judge):
    """The attack: wait at the judges' laptop for a session to end, sign in, read and send what its judge typed."""
    where = reverse("events:announce", args=[staff.event.public_id])
    other = with_password(staff.judge)
    client = signed_out_in_another_tab(Client(headers=BROWSER), judge, where)
    kept = client.post(where, {"text": "Player 7 is ill", "minutes": "30"}).content.decode()
    assert "last signed in on this device" in kept
    sign_in(client, other, reverse("unsent"))
    told = client.get(reverse("unsent"), follow=True).content.decode()
    assert "Player 7 is ill" not in told
    assert "Someone else left an unsent form on this device" in told
    assert "form not sent" not in client.session
    assert client.get(reverse("unsent"))["Location"] == reverse("home")
    assert not Announcement.objects.exists()


@pytest.mark.parametrize("login", ["email", "second address"])
def test_the_account_that_typed_the_form_is_offered_it(staff, judge, login):
    where = reverse("events:announce", args=[staff.event.public_id])
    if login == "second address":
        EmailAddress.objects.create(user=judge, email=judge.email, verified=True, primary=True)
        EmailAddress.objects.create(user=judge, email="second@example.org", verified=True)
    client = Client(headers=BROWSER)
    named = judge.email if login == "email" else "second@example.org"
    client.post(reverse("account_login"), {"login": named, "password": PASSWORD})
    client.post(reverse("account_logout"))
    client.post(where, {"text": "Lunch at one", "minutes": "30"})
    sign_in(client, judge, reverse("unsent"))
    assert "Lunch at one" in client.get(reverse("unsent")).content.decode()


@pytest.mark.parametrize("mark", ["", "x", "x.", ".", "a.b.c", "d" * 5000])
def test_a_forged_mark_signs_no_one_in_and_breaks_nothing(staff, judge, mark):
    where = reverse("events:announce", args=[staff.event.public_id])
    client = Client(headers=BROWSER)
    client.cookies["known_device"] = mark
    client.post(where, {"text": "Lunch", "minutes": "30"})
    assert client.get(reverse("unsent"))["Location"].startswith("/accounts/login/")
    assert client.get(where).status_code in (302, 403)
    sign_in(client, judge, reverse("unsent"))
    shown = client.get(reverse("unsent"), follow=True).content.decode()
    assert ("Lunch" in shown) == (mark == "")


def test_signing_up_makes_the_account_the_last_one_of_the_device(staff, judge):
    """A form of the new account isn't kept for the account that signed in there before."""
    where = reverse("events:announce", args=[staff.event.public_id])
    client = signed_out_in_another_tab(Client(headers=BROWSER), judge, where)
    new = {"name": "Nina New", "email": "nina@example.org", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post("/accounts/signup/", new).status_code == 302
    client.post(reverse("account_logout"))
    client.post(where, {"text": "Nina's words", "minutes": "30"})
    sign_in(client, judge, reverse("unsent"))
    assert "words" not in client.get(reverse("unsent"), follow=True).content.decode()


def test_a_script_s_question_is_no_form(staff):
    client, where = Client(headers={"accept": "text/html"}), reverse("events:policy-check", args=[staff.event.venue_id])
    assert client.post(where, {"name": "Saturday Cup"}).status_code == 302
    assert client.get(reverse("unsent"))["Location"] == reverse("home")


def test_a_form_that_exchanges_a_part_of_its_page_is_kept_too(staff):
    client = Client(headers={"accept": "*/*", "hx-request": "true"})
    told = client.post(reverse("events:announce", args=[staff.event.public_id]), {"text": "Lunch at one"})
    assert told["HX-Retarget"] == "body"
    assert "Lunch at one" in told.content.decode()
    assert client.session["form not sent"]["fields"] == [["text", "Lunch at one"]]


def test_a_missing_public_page_is_not_found(db):
    assert Client(headers=BROWSER).post("/rules/disputes/none/", {"do": "place"}).status_code == 404


def test_a_very_long_form_is_shown_to_be_copied(staff):
    client = Client(headers=BROWSER)
    page = client.post(
        reverse("events:announce", args=[staff.event.public_id]), {"text": "x" * MAX_KEPT}
    ).content.decode()
    assert "x" * MAX_KEPT in page
    assert "Copy it before you sign in" in page
    assert client.get(reverse("unsent"))["Location"] == reverse("home")


def test_only_so_many_forms_a_minute_are_kept_for_one_address(staff, settings):
    settings.ACCOUNT_RATE_LIMITS = {"keep_form": "1/m/ip"}
    address = reverse("events:announce", args=[staff.event.public_id])
    first, second = (Client(headers=BROWSER).post(address, {"text": "Lunch"}).content.decode() for _n in range(2))
    assert "Your input is kept" in first
    assert "Copy it before you sign in" in second
    assert "Lunch" in second


def test_a_password_is_never_kept(staff):
    client = Client(headers=BROWSER)
    client.post(reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": "new-secret-one"})
    assert "secret" not in str(dict(client.session))


def strict(staff, who="head_judge"):
    client = Client(headers=BROWSER, enforce_csrf_checks=True)
    client.force_login(getattr(staff, who), backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_a_form_older_than_the_sign_in_is_sent_again_from_the_page_that_says_so(staff):
    where = reverse("events:announce", args=[staff.event.public_id])
    client = strict(staff)
    client.get(where)
    typed = {"text": "Lunch at one", "minutes": "30", "csrfmiddlewaretoken": "a" * 64}
    told = client.post(where, typed, headers={"origin": "http://testserver"})
    page = told.content.decode()
    assert told.status_code == 403
    assert "This page is out of date" in page
    assert "Lunch at one" in page
    form = form_to(page, where)
    token = form.fields["csrfmiddlewaretoken"]
    assert client.post(where, as_sent(form) | {"csrfmiddlewaretoken": token}).status_code == 302
    assert Announcement.objects.get().text == "Lunch at one"


@pytest.mark.parametrize(
    "headers",
    [{}, {"origin": "https://elsewhere.example"}, {"origin": "null"}, {"referer": "https://elsewhere.example/a"}],
)
def test_a_form_from_elsewhere_is_never_offered(staff, headers):
    where = reverse("events:announce", args=[staff.event.public_id])
    client = strict(staff)
    client.get(where)
    page = client.post(where, {"text": "Forged"}, headers=headers).content.decode()
    assert not [form for form in forms_of(page) if form.action == where]
    assert "Forged" in page


def test_a_script_is_told_in_json(staff):
    where = reverse("events:results", args=[staff.event.public_id, 1])
    told = strict(staff).post(where, {"table": 1}, headers={"accept": "application/json"})
    assert told.status_code == 403
    assert "Reload the page" in told.json()["error"]["message"]


@pytest.mark.parametrize(
    ("language", "labels"),
    [
        ("en", ["Points, first player", "Points, second player", "Went to time", "yes"]),
        ("fr", ["Points, 1er joueur", "Points, 2e joueur", "Arrêté par la fin du temps", "oui"]),
    ],
)
def test_what_was_typed_has_the_labels_of_its_fields_in_the_readers_language(staff, language, labels):
    where = reverse("events:claim", args=[staff.event.public_id, 1, 1])
    client = Client(headers=BROWSER | {"accept-language": language})
    page = client.post(where, {"score_a": "120", "score_b": "80", "to_time": "on", "battle": "null"}).content.decode()
    for label in labels:
        assert f"<dt>{label}</dt>" in page or f"<dd>{label}</dd>" in page
    assert "Score a" not in page
    assert "null" not in page.split("<dl")[1].split("</dl>")[0], "hidden fields aren't typed"
