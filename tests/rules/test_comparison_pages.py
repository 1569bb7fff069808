"""The first page of the rules and the comparison of editions, through requests."""

import re
from html import unescape

import pytest
from django.core.management import call_command
from django.urls import reverse

from rules import comparison
from rules.engine import EDITIONS, topics
from rules.tables import EDITIONS as TITLES

pytestmark = pytest.mark.django_db


def page(client, name="editions", **asked):
    answer = client.get(reverse(f"rules:{name}"), asked)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def test_the_chapters_are_offered_with_how_much_differs(client):
    shown = page(client)
    for chapter in comparison.compare():
        assert f"?chapter={chapter.name}" in shown
        assert f"{len(chapter.differing)} of {len(chapter.rows)} rules differ" in shown
    assert "<table" not in shown


def test_every_row_stands_on_the_page_of_all_chapters(client):
    shown = page(client, chapter="all", rows="all")
    chapters = comparison.compare()
    assert shown.count('<tr role="row"') == sum(len(chapter.rows) + 1 for chapter in chapters)
    for chapter in chapters:
        for row in chapter.rows:
            assert row.question in shown
            assert all(one.text in shown for one in row.told.values())


@pytest.mark.parametrize("chapter", [chapter.name for chapter in comparison.compare()])
def test_a_chapter_shows_only_what_differs_unless_all_is_asked_for(client, chapter):
    whole = next(one for one in comparison.compare() if one.name == chapter)
    shown = page(client, chapter=chapter)
    assert shown.count('<td role="cell" data-label="Rule"') == len(whole.differing)
    shown = page(client, chapter=chapter, rows="all")
    assert shown.count('<td role="cell" data-label="Rule"') == len(whole.rows)


def test_the_editions_that_are_chosen_are_the_columns(client):
    titles = dict(TITLES)
    shown = page(client, chapter="targets", edition=["car-2002", "core-2014"])
    heads = re.findall(r'<th role="columnheader"[^>]*>\s*(.*?)\s*</th>', shown, re.DOTALL)
    assert heads == ["Rule", titles["car-2002"], titles["core-2014"]]
    assert shown.count("checked") == 3
    assert not re.search(r"<(?:th|td|tr) role[^>]*wide-only", shown)
    assert "narrow screen" not in shown


def test_without_a_choice_all_five_are_shown_and_narrow_screens_show_two(client):
    shown = page(client, chapter="targets")
    heads = re.findall(r'<th role="columnheader"[^>]*class="([^"]*)"', shown)
    assert len(heads) == 6
    assert sum("wide-only" in one for one in heads) == 3
    assert (
        "This screen has room for only two editions: Compiled and Annotated (2002) and Core Rulebook (2020s)." in shown
    )


def test_on_a_narrow_screen_rows_in_which_its_two_editions_agree_are_left_out(client):
    shown = page(client, chapter="knock-back")
    rows = {row.key: row for chapter in comparison.compare() for row in chapter.rows}
    both = ("car-2002", "core-modern")
    agree = [
        row for key, row in rows.items() if key.startswith("knock_back.") and row.differs() and not row.differs(both)
    ]
    assert agree
    assert len(re.findall(r'<tr role="row" class="wide-only', shown)) == len(agree)
    assert '<tr role="row" class="wide-only' not in page(client, chapter="knock-back", rows="all")


def test_all_chapters_on_a_narrow_screen_are_links_to_one_at_a_time(client):
    shown = page(client, chapter="all")
    links, _tables = shown.split('<div class="wide-only">')
    links = links[links.index('<div class="narrow-only">') :]
    for chapter in comparison.compare():
        assert f'href="?chapter={chapter.name}"' in links
    assert "<table" not in links
    assert 'narrow-only">' not in page(client)


def test_one_edition_alone_is_answered_with_all_and_a_word(client):
    shown = page(client, edition="dc-2005", chapter="board")
    assert "Choose at least two" in shown
    assert shown.count('name="edition"') == len(EDITIONS)


@pytest.mark.parametrize(
    "asked", [{"chapter": "<script>"}, {"edition": "core-1999"}, {"rows": "\x00"}, {"chapter": ""}]
)
def test_missing_things_are_not_shown(client, asked):
    shown = page(client, **asked)
    assert "<table" not in shown
    assert "<script>" not in shown


def test_every_section_that_is_cited_opens(client):
    shown = client.get(reverse("rules:editions"), {"chapter": "all", "rows": "all"}).content.decode()
    cited = sorted(set(re.findall(r'href="(/rules/rulebook/citation/\?[^"]*)"', shown)))
    assert len(cited) > 300
    for address in cited:
        assert client.get(unescape(address)).status_code in (200, 302), address


def test_the_question_leads_to_the_rulings_of_the_newest_edition_that_has_it(client):
    shown = page(client, chapter="scoring", rows="all", edition=["car-2002", "dc-2005"])
    assert reverse("rules:topic", args=["dc-2005", "archenemies"]) in shown
    shown = page(client, chapter="powers", rows="all")
    for address in set(re.findall(r'href="(/rules/rulebook/[a-z0-9-]+/topics/[^"]*)"', shown)):
        assert client.get(address).status_code == 200


def test_the_comparison_asks_the_database_nothing(client, django_assert_num_queries):
    for asked in ({}, {"chapter": "powers"}, {"chapter": "all", "rows": "all"}):
        with django_assert_num_queries(0):
            page(client, **asked)


def test_the_front_door_leads_everywhere(client):
    shown = page(client, "home")
    for name in ("rulebooks", "catalogue", "editions", "search"):
        assert reverse(f"rules:{name}") in shown
    for edition in EDITIONS:
        assert reverse("rules:kind", args=[edition, "movement"]) in shown
        assert reverse("rules:rulings", args=[edition]) in shown
    for address in set(re.findall(r'<h2><a class="tap" href="(/[^"]*)"', shown)):
        assert client.get(address).status_code == 200, address


def test_the_front_door_counts_with_one_query(client, django_assert_num_queries):
    assert "0 figures" in page(client, "home")
    call_command("load_catalogue", verbosity=0)
    with django_assert_num_queries(1):
        assert "242 figures" in page(client, "home")


def test_its_search_finds_figures_too(client, django_assert_num_queries):
    call_command("load_catalogue", verbosity=0)
    page(client, "search", q="barrier")  # makes the index of the catalogue
    with django_assert_num_queries(6):
        shown = page(client, "search", q="barrier")
    assert "/rules/catalogue/elements/" in shown
    assert "/rules/rulebook/car-2002/topics/barrier/" in shown
    shown = page(client, "search", q="zeppelin of nobody")
    assert "No results for" in shown


def test_a_topic_is_shown_in_all_editions_at_one_address(client, django_assert_max_num_queries):
    with django_assert_max_num_queries(3):
        page = client.get(reverse("rules:topic-across", args=["outwit"])).content.decode().replace("&#x27;", "'")
    assert "10 squares" in page
    assert "the character's own range, but at least 6 squares" in page
    assert (
        page.index("In every book it lasts")
        < page.index("Outwit turns off one power")
        < page.index("What is the range")
    )
    for name in EDITIONS:
        assert reverse("rules:topic", args=[name, "outwit"]) in page


def test_the_answers_that_differ_come_first(client):
    page = client.get(reverse("rules:topic-across", args=["hindering-terrain"])).content.decode()
    assert page.index("the editions differ") < page.index("all editions agree")


def test_a_topic_that_a_book_does_not_know_says_so(client):
    page = client.get(reverse("rules:topic-across", args=["sentinel"])).content.decode()
    assert "not covered" in page
    assert reverse("rules:topic", args=["core-modern", "sentinel"]) not in page
    assert client.get(reverse("rules:topic-across", args=["no-such-topic"])).status_code == 404


def test_every_topic_has_such_a_page(client):
    for topic in topics():
        assert client.get(reverse("rules:topic-across", args=[topic])).status_code == 200, topic


def test_a_topic_of_several_abilities_says_of_no_one_how_the_books_differ(client):
    """Each of them says so on the topic's page in a book."""
    across = {
        name: unescape(client.get(reverse("rules:topic-across", args=[name])).content.decode())
        for name in ("symbols", "capture")
    }
    assert "The two books that have it agree." not in across["symbols"]
    assert "at most 2 captives" in across["capture"]
