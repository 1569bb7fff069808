"""Addresses without a page: a button's own address, a mistyped one, a form sent too late."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from events.address import page_above
from events.models import Match
from tests.events.match_pages import play

pytestmark = pytest.mark.django_db


def button(response):
    """Return the target of the page's first button."""
    main = response.content.decode().partition("<main")[2]
    return re.search(r'<a class="button" href="([^"]*)"', main)[1]


def test_a_button_s_address_opened_like_a_page_leads_to_the_page_with_the_button(staff):
    play(staff.event, 4, 1)
    match = Match.objects.get(table=2)
    table = reverse("events:table", args=[staff.event.public_id, 1, match.table])
    for name in ("judging:dispute", "judging:call-raise", "judging:slow-play"):
        response = staff.client("judge").get(reverse(name, args=[staff.event.public_id, 1, match.table]))
        assert (response.status_code, response["Allow"]) == (405, "POST")
        assert "<title>" in response.content.decode()
        assert button(response) == table
        assert staff.client("judge").get(button(response)).status_code == 200


def test_a_program_is_only_told_so(staff):
    where = reverse("choose-theme")
    response = Client().get(where, headers={"accept": "application/json"})
    assert (response.status_code, response.content) == (405, b"")
    assert Client().head(where).content == b""


@pytest.mark.parametrize(
    ("asked", "above"),
    [
        ("/rules/board/change/", "/rules/board/"),
        ("/theme/", "/"),
        ("/events/none/calls/1/take/", "/events/none/calls/1/"),
        ("/rules/rulebook/car-2002/nothing/of/this/", "/rules/rulebook/car-2002/"),
        ("/no/such/place", "/"),
        ("/", "/"),
    ],
)
def test_the_page_above_an_address(asked, above):
    assert page_above(asked) == above


def test_a_mistyped_address_leads_up_and_never_asks_to_sign_in_twice(staff):
    where = reverse("events:standings", args=[staff.event.public_id]) + "nothing/"
    for client, asks in ((staff.client("judge"), False), (Client(), True)):
        response = client.get(where)
        assert response.status_code == 404
        assert button(response) == reverse("events:standings", args=[staff.event.public_id])
        assert ("you may need to sign in" in response.content.decode()) is asks


def test_a_person_signed_out_in_between_returns_to_the_page_with_the_form(staff):
    play(staff.event, 4, 1)
    table = reverse("events:table", args=[staff.event.public_id, 1, 2])
    where = reverse("judging:dispute", args=[staff.event.public_id, 1, 2])
    sent = Client().post(where, headers={"referer": f"http://testserver{table}"})
    assert sent.status_code == 403
    page = sent.content.decode()
    assert f"next=http%3A//testserver{table}" in page
    assert button(sent) == f"http://testserver{table}"
    elsewhere = Client().post(where, headers={"referer": "https://elsewhere.example/"})
    assert button(elsewhere) == table
