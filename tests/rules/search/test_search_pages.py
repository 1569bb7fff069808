"""The page of the search: what it understood, what it shows first, and what it bears."""

from urllib.parse import quote

import pytest
from django.urls import reverse
from django.utils.html import escape

from events.models import Event
from rules.engine import EDITIONS, powers_on
from tests.conftest import client_of
from tests.factories import OfficialFactory

pytestmark = pytest.mark.django_db


def page(client, **asked):
    answer = client.get(reverse("rules:search"), asked)
    assert answer.status_code == 200
    return answer.content.decode()


def test_an_answer_is_open_names_its_book_and_opens_at_the_ruling(client):
    shown = page(client, q="impervius on energy explosion")
    assert "<strong>Impervious</strong>" in shown
    assert "<strong>Energy Explosion</strong>" in shown
    assert "?q=impervious%20on%20energy%20explosion" in shown.partition("Did you mean")[2]
    first = shown.partition('<article class="card" id="')[2]
    name = first.partition('"')[0]
    assert "Compiled and Annotated (2002)" in first
    assert "the FAQ" in first
    section = first.partition(f'#{name}"')[0].rpartition('"')[2]
    assert f'id="{name}"' in client.get(section).content.decode()


@pytest.mark.parametrize("edition", [*EDITIONS, "", "nonsense"])
def test_the_book_stays_chosen(client, edition):
    shown = page(client, q="outwit", edition=edition)
    chosen = [
        part.partition('"')[0] for part in shown.split('<option value="')[1:] if " selected" in part.split(">")[0]
    ]
    assert chosen == ([edition] if edition in EDITIONS else [])
    if edition in EDITIONS:
        others = set(EDITIONS) - {edition}
        assert not any(f"/rulebook/{other}/" in shown for other in others)


def test_further_answers_are_on_further_pages(client):
    first, second = (page(client, q="knockback", edition="car-2002", page=number) for number in ("1", "2"))
    assert "q=knockback&amp;edition=car-2002&amp;page=2" in first
    names = [{part.partition('"')[0] for part in shown.split('class="card" id="')[1:]} for shown in (first, second)]
    assert all(names)
    assert not names[0] & names[1]
    assert page(client, q="knockback", page="99999999999999999999")
    assert page(client, q="knockback", page="x")


HOSTILE = [
    "a" * 10_000,
    "outwit " * 2_000,
    " ".join(f"word{number}" for number in range(1_000)),
    '"',
    '"outwit',
    "outwit* NEAR(soaring, 3) -stealth",
    "NOT outwit AND (soaring OR",
    "outwit & | ! <-> :* 'soaring",
    "col:outwit ^soaring {x y}",
    "\x00outwit\x00",
    "\x00",
    "😀😀 outwit 🦸",
    "%s %(q)s {{ q }} {% q %}",
    "'; DROP TABLE rules_rulebookpassage; --",
    "<script>alert(1)</script>",
    "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
    "ÀÉÎ" * 400,
    "١٢٣ 第一 ｏｕｔｗｉｔ",
    "of the and",
    "ɐ" * 300,
    "1" * 400,
]


@pytest.mark.parametrize("asked", HOSTILE)
@pytest.mark.parametrize("edition", ["", "core-modern"])
def test_any_question_gets_a_clear_page(client, asked, edition, django_assert_max_num_queries):
    with django_assert_max_num_queries(8):
        shown = page(client, q=asked, edition=edition)
    assert "<script>alert" not in shown
    assert len(shown) < 30_000 + 5 * len(quote(asked)), "the menus repeat the page's address"
    assert "No results for" in shown or 'class="card"' in shown or "Ask in your own words" in shown


def test_what_finds_nothing_says_what_to_name(client):
    assert "No results for “zeppelin”" in page(client, q="zeppelin")


def test_a_judge_who_comes_from_an_event_searches_its_book():
    official = OfficialFactory(event__edition="core-2014", event__state=Event.State.RUNNING)
    for name in ("rulings", "rule"):
        shown = client_of(official.person).get(reverse(f"judging:{name}", args=[official.event.public_id]))
        assert shown.status_code == 200, name
        assert f"{reverse('rules:search')}?edition=core-2014" in shown.content.decode()


def test_what_a_power_does_is_an_answer(client):
    shown = page(client, q="does outwit need a line of fire", edition="core-modern")
    assert "<strong>Outwit</strong> ·" in shown
    assert reverse("rules:topic", args=["core-modern", "outwit"]) in shown
    does = powers_on("core-modern", "outwit")[0].does.text
    assert escape(does) in page(client, q="outwit", edition="core-modern")
