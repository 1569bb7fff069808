"""The ready-made disputes: each ends as its book says, worked out by hand, and is shown on its pages."""

import json
import re

import pytest
from django.urls import reverse

from rules import argued, shelf
from rules.engine import headings, ruling
from rules.shelf import LIBRARY
from tests.tables import every_row

# Slug: the final state by hand from the book, kinds of steps that must and must not appear.
OUTCOMES = {
    "outwit-against-stealth": (False, {"shade": {"click": 1, "square": "I5"}}, ["illegal"], ["counter", "attack-roll"]),
    # 10 + 8 = 18 reaches 15 and 17; each takes the 1 of an Energy Explosion, without a roll for Impervious.
    "impervious-and-the-splash": (
        True,
        {"scout": {"click": 2}, "bulwark": {"click": 2}},
        ["hit", "click"],
        ["evade", "roll", "damage-taken"],
    ),
    "super-senses-and-a-critical-hit": (
        True,
        {"tumbler": {"click": 1, "square": "F5"}},
        ["critical-hit", "evade"],
        ["click", "knock-back"],
    ),
    # 10 + 9 = 19 reaches 14 and 16: 1 click each.
    "pulse-wave-and-a-skrull": (
        True,
        {"infiltrator": {"click": 2}, "guard": {"click": 2}},
        ["hit"],
        ["shape-change", "miss"],
    ),
    # Two hits are 2 clicks, reduced once by Toughness: 1 click and 1 square, from E5 to F5. The third roll isn't made.
    "hypersonic-speed-and-knockback": (
        True,
        {"anvil": {"click": 2, "square": "F5"}},
        ["damage-taken", "knock-back"],
        [],
    ),
    # Speed 10, halved to 5, halved to 2.5, rounded up to 3 squares; 10 + 7 = 17 against 15 hits for 3.
    "charge-out-of-hindering-terrain": (True, {"ram": {"square": "F5"}, "sentry": {"click": 4}}, ["move", "hit"], []),
    "mind-control-of-a-pushed-figure": (
        False,
        {"brute": {"click": 1, "tokens": 2}, "friend": {"click": 1}, "whisper": {"tokens": 0}},
        ["illegal"],
        ["attack-roll"],
    ),
    "ranged-combat-expert-with-psychic-blast": (False, {"hide": {"click": 1}}, ["illegal"], ["attack-roll"]),
    # 2 clicks for the attack and 1 for the edge; the figure stays in E5.
    "knocked-off-a-roof-onto-a-figure": (
        True,
        {"acrobat": {"click": 4, "square": "E5"}, "bystander": {"click": 1, "square": "F5"}},
        ["knock-back-damage"],
        [],
    ),
    "a-sentinels-last-push": (
        True,
        {
            "sentinel": {"ko": True, "square": None},
            "fugitive": {"square": "F5", "tokens": 1, "click": 3, "ko": False},
        },
        ["capture", "push", "ko"],
        [],
    ),
    # 4 for the attack and 1 for the wall behind F5.
    "knocked-into-a-wall-2005": (
        True,
        {"sparrow": {"click": 6, "square": "F5"}},
        ["knock-back", "knock-back-damage"],
        [],
    ),
    "outwit-beside-stealth-2014": (False, {"shade": {"click": 1}}, ["illegal"], ["counter"]),
    # 2 damage and 1 for the critical hit; 3 squares from E5 to H5.
    "super-senses-and-a-critical-hit-today": (
        True,
        {"tumbler": {"click": 4, "square": "H5"}},
        ["critical-hit", "knock-back"],
        ["evade"],
    ),
}
ALL = shelf.ready_disputes()


def test_the_ten_most_argued_of_2002_are_there():
    assert sum(one.edition == "car-2002" for one in ALL.values()) >= 10
    assert set(ALL) == set(OUTCOMES)


@every_row("slug", OUTCOMES)
def test_it_steps_to_the_answer_of_its_book(slug):
    legal, standing, there, not_there = OUTCOMES[slug]
    replay = argued.ready_replay(slug)
    assert replay.fault is None
    assert (replay.legal, replay.awaited) == (legal, None)
    for name, facts in standing.items():
        assert facts.items() <= replay.report["state"]["characters"][name].items(), name
    kinds = [step.kind for step in replay.steps]
    assert set(there) <= set(kinds)
    assert not set(not_there) & set(kinds)


@every_row("one", ALL.values(), ids=ALL)
def test_the_rulings_that_settle_it_are_shown_first(one):
    shown = [found.id for found in argued.ready_replay(one.slug).rulings]
    assert one.rulings
    assert set(one.rulings) <= set(shown)
    assert shown[0] in one.rulings or "damage-all-at-once" in shown[0]
    assert one.sections
    assert all(headings(one.edition).has(section) for section in one.sections)


@every_row("one", ALL.values(), ids=ALL)
def test_every_expected_word_is_there(one):
    assert one.title
    assert one.question.endswith("?")
    assert one.answer.endswith(".")
    written = json.loads(next((LIBRARY / "disputes").glob(f"*-{one.slug}.json")).read_text(encoding="utf-8"))
    assert list(written) == ["title", "question", "answer", "sections", "rulings", "position"]


@pytest.mark.django_db
def test_the_list_leads_to_each_of_them(client):
    page = client.get(reverse("rules:ready-disputes")).content.decode()
    for slug, one in ALL.items():
        assert reverse("rules:ready-dispute", args=[slug]) in page
        assert one.title in page.replace("&#x27;", "'")


@pytest.mark.django_db
@pytest.mark.parametrize("one", ALL.values(), ids=ALL)
def test_each_shows_question_answer_steps_and_rulings_without_a_script(client, one, django_assert_max_num_queries):
    with django_assert_max_num_queries(3):
        page = client.get(reverse("rules:ready-dispute", args=[one.slug]))
    text = page.content.decode().replace("&#x27;", "'").replace("&quot;", '"')
    assert one.question in text
    assert one.answer in text
    replay = argued.ready_replay(one.slug)
    for step in replay.steps:
        assert step.text in text
    for found in replay.rulings:
        assert reverse("rules:ruling", args=[one.edition, found.id]) in text
    assert reverse("rules:dispute-ready", args=[one.slug]) in text
    assert text.count("<svg") >= 1


@pytest.mark.django_db
def test_a_board_is_drawn_again_only_where_something_has_changed(client):
    page = client.get(reverse("rules:ready-dispute", args=["hypersonic-speed-and-knockback"])).content.decode()
    assert page.count('class="board-drawing"') == 2
    page = client.get(reverse("rules:ready-dispute", args=["a-sentinels-last-push"])).content.decode()
    assert page.count('class="board-drawing"') == 4


@pytest.mark.django_db
def test_there_is_none_of_another_name(client):
    assert client.get("/rules/argued/no-such-dispute/").status_code == 404
    for hostile in ("no-such-dispute", "a b", "a/b", "\0"):
        assert client.get(reverse("rules:dispute-new"), {"ready": hostile}).status_code == 404


@pytest.mark.django_db
def test_rulings_topics_sections_and_the_search_lead_to_them(client):
    address = reverse("rules:ready-dispute", args=["outwit-against-stealth"])
    section = ALL["outwit-against-stealth"].sections[0]
    book = "car-2002"
    for page in (
        reverse("rules:ruling", args=[book, "faq-stealth-outwit"]),
        reverse("rules:topic", args=[book, "stealth"]),
        client.get(reverse("rules:citation"), {"edition": book, "section": section}).url,
        reverse("rules:search") + "?q=outwit+stealth",
    ):
        assert address in client.get(page).content.decode(), page
    for page in (
        reverse("rules:ruling", args=[book, "faq-barrier-unseen"]),
        reverse("rules:topic", args=[book, "barrier"]),
        reverse("rules:topic", args=["core-2014", "toughness"]),
    ):
        assert address not in client.get(page).content.decode(), page


def test_a_ruling_that_settles_a_dispute_comes_before_one_that_is_only_related():
    found = argued.argued_over("car-2002", "faq-knockback-mandatory")
    assert {"knocked-off-a-roof-onto-a-figure", "hypersonic-speed-and-knockback"} <= {one.slug for one in found}
    first = argued.argued_over("car-2002", "faq-hindering-half-start")[0]
    assert first.slug == "charge-out-of-hindering-terrain"
    assert ruling("car-2002", "faq-hindering-half-start") is not None


@pytest.mark.django_db
def test_sums_have_their_titles_in_each_readers_language(client):
    argued.ready_replay.cache_clear()
    for language, title in (("fr", "total d&#x27;attaque"), ("en", "attack total")):
        client.cookies["django_language"] = language
        page = client.get(reverse("rules:ready-dispute", args=["super-senses-and-a-critical-hit"])).text
        assert f"<td>{title}</td>" in re.sub(r"\s*([<>])\s*", r"\1", page)
