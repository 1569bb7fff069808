"""“X against Y”: what happens where two things meet, by the engine, in each book and both directions."""

import html
import itertools
import random
import re

import pytest
from django.urls import reverse
from django.utils.translation import override

from rules.engine import EDITIONS, adjudicate
from rules.models import SavedDispute
from rules.quick.against import meeting
from rules.quick.filling import by_face, single_dice
from rules.quick.terms import find_terms, read_term, terms
from tests.factories import EventFactory

LATE = ("core-2014", "core-modern")
OLD = ("ic-2002", "car-2002")
ALL = tuple(EDITIONS)

WELL_KNOWN = [
    # editions, X, Y, how, what the sentences say
    (ALL, "blades-claws-fangs", "toughness", "both", "Toughness reduces the damage to Target from 5 to 4"),
    (ALL, "blades-claws-fangs", "invulnerability", "both", "Invulnerability reduces the damage to Target from 5 to 3"),
    (OLD, "blades-claws-fangs", "impervious", "both", "Target rolls 5 for Impervious and evades the attack"),
    (LATE, "blades-claws-fangs", "impervious", "both", "Impervious reduces the damage to Target from 5 to 0"),
    (ALL, "running-shot", "stealth", "stops", "hindering terrain, which blocks lines to a character with Stealth"),
    (ALL, "psychic-blast", "super-senses", "both", "Target rolls 5 for Super Senses and evades the attack"),
    (OLD, "psychic-blast", "impervious", "ignored", "Psychic Blast ignores Target's Impervious"),
    (LATE, "psychic-blast", "toughness", "ignored", "makes this damage penetrating, so Target's Toughness doesn't"),
    (OLD, "outwit", "soaring", "both", "Attacker's Outwit counters Target's soaring"),
    (ALL, "outwit", "toughness", "both", "Attacker's Outwit counters Target's Toughness"),
    (ALL, "energy-explosion", "defend", "both", "18 against Target's defense 17: hit"),
    (OLD, "pulse-wave", "toughness", "both", "Toughness reduces the damage to Target from 4 to 3"),
    (LATE, "pulse-wave", "super-senses", "ignored", "Super Senses doesn't help Target: the attack ignores it"),
    (ALL, "pulse-wave", "stealth", "stops", "reaches no one within 4 squares"),
    ((*OLD, "core-2014"), "incapacitate", "willpower", "both", "Target is pushed but takes no damage: it has Willpower"),
    (ALL, "incapacitate", "super-senses", "both", "evades the attack"),
    (LATE, "exploit-weakness", "invulnerability", "ignored", "Target's Invulnerability doesn't reduce it"),
    (LATE, "penetrating-psychic-blast", "invincible", "both", "Invincible reduces the damage"),
    (ALL, "charge", "hindering-terrain", "stops", "The move must end in E5: it is hindering terrain"),
    (OLD, "charge", "soaring", "stops", "aren't adjacent: only one of them is soaring"),
    (OLD, "running-shot", "soaring", "both", "range 4"),
    (ALL, "running-shot", "probability-control", "both", "rolls 1 + 2 in place of 4 + 5"),
    (ALL, "running-shot", "invulnerability", "both", "from 4 to 2"),
    (ALL, "blades-claws-fangs", "mastermind", "both", "Target uses Mastermind: Target's friend takes the 5 damage"),
    (ALL, "close-combat-expert", "mastermind", "both", "Target uses Mastermind"),
    (ALL, "leap-climb", "plasticity", "ignored", "Attacker has Leap/Climb, so it breaks away without a roll"),
    (("core-2014",), "force-blast", "charge", "both", "Target isn't knocked back: it has Charge"),
    (("core-2014", "core-modern"), "superman-ally", "stealth", "ignored", "Attacker ignores it"),
]  # fmt: skip


def told(found):
    return " ".join(sentence for outcome in found.outcomes for sentence in outcome.sentences)


@pytest.mark.parametrize(("editions", "x", "y", "how", "says"), WELL_KNOWN)
def test_the_well_known_pairs_are_answered_right(editions, x, y, how, says):
    for edition in editions:
        found = meeting(edition, x, y)
        assert found is not None, edition
        assert (found.how, says in told(found)) == (how, True), (edition, found.how, told(found))


def test_a_die_that_decides_is_told_by_its_results():
    [hit, evaded] = meeting("ic-2002", "blades-claws-fangs", "impervious").outcomes
    assert (hit.rolls, evaded.rolls) == ("1–4", "5–6")
    assert meeting("ic-2002", "flurry", "shape-change").outcomes[-1].rolls == "6"
    assert meeting("core-2014", "flurry", "shape-change").outcomes[-1].rolls == "5–6"


def test_a_value_that_changes_is_shown_as_a_sum():
    [outcome] = meeting("core-2014", "enhancement", "toughness").outcomes
    assert [(one.amount, one.is_sum) for one in outcome.sums] == [
        ("4", False),
        ("+1", False),
        ("5", True),
    ]


def test_a_sum_is_titled_in_the_language_of_its_reader():
    for language, title in (("fr", "défense"), ("en", "defense"), ("fr", "défense")):
        with override(language):
            found = meeting("ic-2002", "enhancement", "energy-shield-deflection")
        assert [one.why for outcome in found.outcomes for one in outcome.sums if one.is_sum] == [title]


def test_what_never_meets_is_not_made_up():
    for edition in EDITIONS:
        assert meeting(edition, "toughness", "stealth") is None
        assert meeting(edition, "leadership", "water") is None


def check(edition, x, y):
    """The engine accepts the position of a pair, and every sentence is one of its report with these or other dice."""
    found = meeting(edition, x, y)
    if found is None:
        return
    documents = [found.document]
    for kind in single_dice(found.replay):
        documents += [one.document for _faces, one in by_face(found.asked, kind, doubles=found.scenery.doubles)]
    reports = [adjudicate(document) for document in documents]
    texts = {step["text"] for report in reports for step in report["steps"]}
    assert (found.how == "stops") == (not reports[0]["legal"])
    assert found.asked["actions"][0].get("rolls") is None
    for outcome in found.outcomes:
        assert outcome.sentences
        assert set(outcome.sentences) <= texts


def unlike(edition, pairs):
    """Return the pairs that aren't answered as `check` says, with why."""
    wrong = []
    for x, y in pairs:
        try:
            check(edition, x, y)
        except Exception as why:
            wrong.append((x, y, repr(why)[:300]))
    return wrong


@pytest.mark.parametrize("edition", ALL)
def test_a_pair_is_answered_in_the_engines_sentences_and_with_a_position_that_it_accepts(edition):
    """A sample, another one in each book."""
    keys = list(terms(edition))
    chosen = random.Random(edition)
    assert unlike(edition, [(chosen.choice(keys), chosen.choice(keys)) for _time in range(8)]) == []


@pytest.mark.soak
@pytest.mark.parametrize("edition", ALL)
def test_every_pair_is_answered_in_the_engines_sentences_and_with_a_position_that_it_accepts(edition):
    assert unlike(edition, itertools.product(terms(edition), repeat=2)) == []


def test_names_are_found_by_parts_abbreviations_synonyms_and_with_a_letter_wrong():
    found = {
        typed: read_term("ic-2002", typed)
        for typed in ("bcf", "imp", "run", "soar", "bushes", "roof", "impervous", "hss", "stealth", "X-Men")
    }
    assert {typed: term and term.key for typed, term in found.items()} == {
        "bcf": "blades-claws-fangs", "imp": "impervious", "run": "running-shot", "soar": "soaring",
        "bushes": "hindering-terrain", "roof": "elevation", "impervous": "impervious", "hss": "hypersonic-speed",
        "stealth": "stealth", "X-Men": "x-men",
    }  # fmt: skip
    assert [one.key for one in find_terms("ic-2002", "super s")] == ["super-senses", "super-strength"]
    assert read_term("ic-2002", "super s") is None
    assert find_terms("core-modern", "soaring") == [], "a book without soaring"


# --- The page ---


def page(client, **given):
    response = client.get(reverse("rules:quick"), given)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.django_db
def test_two_names_or_two_links_give_the_answer(client):
    typed = page(client, edition="ic-2002", x="rs", y="stea")
    assert "Stealth can stop Running Shot." not in typed, "“stea” may be two powers"
    assert "Steal Energy" in typed
    answer = page(client, edition="ic-2002", x="rs", y="stealth")
    assert "Stealth can stop Running Shot." in answer
    assert "which blocks lines to a character with Stealth" in answer

    asked = page(client, edition="ic-2002")
    link = re.search(r'href="([^"]+x=running-shot)"', asked)[1].replace("&amp;", "&")
    half = client.get(link).content.decode()
    link = re.search(r'href="([^"]+y=stealth)"', half)[1].replace("&amp;", "&")
    assert "Stealth can stop Running Shot." in client.get(link).content.decode()


@pytest.mark.django_db
def test_both_directions_are_shown_and_what_never_meets_is_said(client):
    both = page(client, edition="ic-2002", x="incapacitate", y="super-strength")
    assert both.count("answer-") <= 2
    turned = page(client, edition="ic-2002", x="toughness", y="blades-claws-fangs")
    assert "Blades/Claws/Fangs against Toughness" in turned
    never = page(client, edition="ic-2002", x="toughness", y="stealth")
    assert "Toughness and Stealth never apply to the same action" in never
    card = page(client, edition="core-2014", x="precision-strike", y="toughness")
    assert "The judge decides from the card" in card


@pytest.mark.django_db
def test_anything_typed_is_answered_without_a_fault(client, django_assert_max_num_queries):
    for typed in ("", "zzz", "\0", "<script>", "x" * 500, "é" * 90, "'\"", "soaring"):
        text = page(client, edition="core-modern", x=typed, y="toughness")
        assert "<script>alert" not in text
    assert "Found in these rulebooks:" in page(client, edition="core-modern", x="soaring")
    assert "Choose X, then Y" in page(client, edition="nonsense", x="", y="")
    with django_assert_max_num_queries(1):
        page(client, edition="ic-2002", x="outwit", y="stealth")


@pytest.mark.django_db
def test_it_opens_in_the_edition_of_the_running_event(client):
    EventFactory(state="running", edition="core-2014")
    assert '<option value="core-2014" selected>' in page(client)
    assert '<option value="ic-2002" selected>' in page(client, edition="ic-2002")


@pytest.mark.django_db
def test_the_position_is_carried_over_into_a_dispute(client):
    text = page(client, edition="ic-2002", x="blades-claws-fangs", y="impervious")
    document = html.unescape(re.search(r'<textarea name="document" hidden>(.*?)</textarea>', text, re.S)[1])
    title = html.unescape(re.search(r'name="title" value="([^"]+)"', text)[1])
    shown = client.post(reverse("rules:dispute-new"), {"document": document, "title": title}, follow=True)
    row = SavedDispute.objects.get()
    assert row.title == "Blades/Claws/Fangs against Impervious"
    assert row.edition == "ic-2002"
    assert row.document["actions"] == [
        {"action": "close", "actor": "x", "targets": ["y"], "using": ["Blades/Claws/Fangs"]}
    ]
    assert "Attack roll" in shown.content.decode(), "the dice are asked for"


@pytest.mark.django_db
def test_pages_about_the_rules_lead_to_it(client):
    for name in ("rules:home", "rules:dispute-new"):
        assert f'href="{reverse("rules:quick")}' in client.get(reverse(name)).content.decode()
