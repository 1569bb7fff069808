"""The rulebook's pages through requests: content, and at most two queries each."""

from html import unescape

import pytest
from django.urls import reverse

from rules.engine import EDITIONS, headings, powers_on, rulings, topic_places, topics
from rules.models import LoadedRulebook, RulebookPassage
from tests.rules.catalogue.shipped import loaded_library

pytestmark = pytest.mark.django_db


@pytest.fixture
def loaded():
    book = LoadedRulebook.objects.create(edition="car-2002", file_name="own.txt")
    RulebookPassage.objects.bulk_create(
        RulebookPassage(rulebook=book, order=order, section=heading.path, text=f"{heading.name}\nOwn words {order}.")
        for order, heading in enumerate(headings("car-2002").all, 1)
    )
    return book


def page(client, name, *args, status=200, **asked):
    answer = client.get(reverse(f"rules:{name}", args=args), asked)
    assert answer.status_code == status
    return answer.content.decode()


def test_the_front_page_names_every_book(client):
    shown = page(client, "rulebooks")
    for edition in EDITIONS.values():
        assert reverse("rules:rulebook", args=[edition.name]) in shown


@pytest.mark.parametrize("edition", list(EDITIONS))
def test_a_book_links_every_heading_and_each_opens(client, edition):
    shown = page(client, "rulebook", edition)
    slugs = [line.split('"', 1)[0] for line in shown.split(f"/rulebook/{edition}/sections/")[1:]]
    assert len(slugs) == len(headings(edition).all)
    for slug in slugs[:: len(slugs) // 12]:
        assert client.get(f"/rules/rulebook/{edition}/sections/{slug}").status_code == 200


@pytest.mark.parametrize("edition", list(EDITIONS))
def test_every_topic_of_a_book_has_a_page(client, edition):
    """The pages of all powers and team abilities say what these do; their texts are tested in the engine."""
    for name in list(topic_places(edition))[::7]:
        shown = unescape(page(client, "topic", edition, name))
        assert topics()[name].title in shown
        assert all(said.text in shown for power in powers_on(edition, name) for said in power.statements)


def test_what_isn_t_a_power_but_does_something_has_its_text_on_the_page_of_its_topic(client):
    shown = unescape(page(client, "topic", "car-2002", "capture"))
    [capture] = powers_on("car-2002", "capture")
    assert "<h2>Capture</h2>" in shown
    assert capture.does.text in shown
    shown = unescape(page(client, "topic", "core-2014", "symbols"))
    named = [f"<h2>{name}</h2>" for name in ("Sharpshooter", "Autonomous", "Duo Attack", "Tiny Size")]
    assert [shown.index(one) for one in named] == sorted(shown.index(one) for one in named)
    assert "<h2>Barrier</h2>" not in page(client, "topic", "car-2002", "barrier")


def test_every_ruling_has_a_page_with_authority_date_and_standing(client):
    shown = page(client, "ruling", "car-2002", "magister-2002-09-09-super-senses-any-attack")
    for words in (
        "Super Senses works against any close or ranged",
        "Magister, rules arbitrator",
        "2002-09-09",
        "official, not yet for tournaments",
        "Super Senses",
    ):
        assert words in shown
    shown = page(client, "ruling", "car-2002", "faq-toughness-resets")
    assert ">official<" in shown
    assert "Exception:" in shown
    for edition in EDITIONS:
        for one in rulings(edition)[::25]:
            assert one.id in page(client, "ruling", edition, one.id)


def test_two_that_disagree_say_so_and_the_one_that_is_followed_is_first(client):
    shown = page(client, "topic", "car-2002", "hindering-terrain")
    assert "Some of these rulings conflict" in shown
    assert shown.index('id="faq-hindering-half-start"') < shown.index('id="correction-hindering-half-speed"')
    assert "Takes precedence over" in page(client, "ruling", "car-2002", "faq-hindering-half-start")
    assert "another ruling takes precedence" in page(client, "ruling", "car-2002", "correction-hindering-half-speed")


def test_later_and_higher_authority_first_on_a_topic(client):
    shown = page(client, "topic", "car-2002", "hindering-terrain")
    first, second = "magister-2002-08-14-object-by-destroyed-wall", "steenbock-2002-05-24-barrier-not-on-rubble"
    assert shown.index(first) < shown.index(second)


def test_a_power_s_page_says_what_it_does_and_folds_the_rulings_that_only_explain(client):
    shown = page(client, "topic", "car-2002", "super-senses")
    parts = (
        "Super Senses turns a hit into a miss on a roll of 5 or 6, a critical hit included.",
        "One die after the hit: 5 or 6.",
        "Limits",
        "Differences between editions",
        "4 rulings",
        "steenbock-2002-05-16-super-senses",
        "1 more ruling about Super Senses",
        "magister-2002-09-09",
    )
    at = [shown.index(part) for part in parts]
    assert at == sorted(at), list(zip(parts, at, strict=True))


def test_a_card_that_is_not_among_the_sources_is_a_footnote(client):
    shown = page(client, "topic", "core-modern", "super-senses")
    assert shown.index("Differences between editions") < shown.index('id="source"')
    assert 'id="source"' not in page(client, "topic", "car-2002", "super-senses")


def test_kinds(client):
    shown = page(client, "kind", "car-2002", "team-ability")
    assert "Batman Ally" in shown
    assert "Hypersonic" not in shown
    page(client, "kind", "core-2014", "scenario", status=404)


def test_rulings_of_one_authority_page_by_page(client):
    first = page(client, "rulings", "car-2002", by="policy")
    assert "Page 1 of 2" in first
    assert "the FAQ</span>" not in first
    assert "Page 13 of 13" in page(client, "rulings", "car-2002", page="99")
    assert "Page 1 of 1" in page(client, "rulings", "ic-2002", by="nobody", page="x")


def test_a_book_that_is_not_loaded_says_how_to(client):
    shown = page(client, "section", "core-2014", "feats/the-10-rule")
    assert "headjudge load_rulebook core-2014 FILE" in shown
    assert "load its text" in shown


def test_a_loaded_book_opens_its_passage(client, loaded):
    assert "Own words" in page(client, "section", "car-2002", "movement/flying")
    assert "Own words" in page(client, "topic", "car-2002", "barrier")
    assert "Own words" in page(client, "ruling", "car-2002", "faq-force-blast-damage")
    assert "own.txt" in page(client, "rulebook", "car-2002")
    RulebookPassage.objects.filter(section="Movement › Flying").delete()
    assert "contain this section" in page(client, "section", "car-2002", "movement/flying")


def test_search_finds_rulings_topics_sections_and_own_words(client, loaded):
    shown = page(client, "search", q="bàrrier")
    assert reverse("rules:topic", args=["car-2002", "barrier"]) in shown
    assert (
        reverse("rules:section", args=["car-2002", "super-powers-and-abilities/defense-super-powers/barrier"]) in shown
    )
    assert "faq-barrier-" in shown
    assert "Page 1 of" in shown
    shown = page(client, "search", q="own words 7", edition="car-2002")
    assert "In the rulebook text" in shown
    assert "DC HeroClix starter set rules (2005)</h2>" not in shown


@pytest.mark.parametrize(("asked", "rules_first"), [("stealth", True), ("nightheron", False)])
def test_exact_matches_come_first(client, asked, rules_first):
    loaded_library()
    shown = page(client, "search", q=asked)
    figures = shown.index("Figures, objects and cards")
    assert ("Line of fire" in shown) is rules_first
    if rules_first:
        assert shown.rindex("Show ruling") < figures


@pytest.mark.parametrize("asked", ["zeppelin", "<script>", "a" * 5000, "%", "'; drop", "\x00", "  "])
def test_search_with_nothing_to_find(client, asked):
    shown = page(client, "search", q=asked)
    assert "<script>" not in shown


def test_a_figure_is_found(client):
    assert "correction-riddler-mastermind" in page(client, "search", q="riddler", edition="car-2002")


@pytest.mark.parametrize(
    ("edition", "section", "slug"),
    [
        ("core-2014", "Feats › The 10% Rule", "feats/the-10-rule"),
        ("core-modern", "Part 10: Terrain › Walls", "terrain/walls"),
        ("car-2002", "Terrain › Hindering Terrain", "hindering-terrain"),
    ],
)
def test_a_citation_leads_to_its_section(client, edition, section, slug):
    answer = client.get(reverse("rules:citation"), {"edition": edition, "section": section})
    assert (answer.status_code, answer["Location"]) == (302, reverse("rules:section", args=[edition, slug]))


def test_a_citation_of_a_card_says_where_the_text_is(client):
    shown = page(client, "citation", edition="core-2014", section="Powers and Abilities Card")
    assert "The printed card is authoritative" in shown
    page(client, "citation", edition="core-2014", section="Cookery", status=404)
    page(client, "citation", status=404)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("rulebook", ["core-1999"]),
        ("rulings", ["core-1999"]),
        ("ruling", ["car-2002", "no-such"]),
        ("topic", ["car-2002", "no-such"]),
        ("section", ["car-2002", "no/such"]),
        ("kind", ["car-2002", "no-such"]),
    ],
)
def test_missing_sections_are_a_plain_404(client, name, args):
    page(client, name, *args, status=404)


def test_a_topic_that_another_edition_has_leads_there(client):
    shown = page(client, "topic", "car-2002", "prime", status=404)
    assert reverse("rules:topic", args=["core-2014", "prime"]) in shown


@pytest.mark.parametrize(
    ("name", "args", "queries"),
    [
        ("rulebooks", [], 1),
        ("rulebook", ["car-2002"], 1),
        ("rulings", ["car-2002"], 0),
        ("ruling", ["car-2002", "faq-force-blast-damage"], 2),
        ("topic", ["car-2002", "barrier"], 2),
        ("kind", ["car-2002", "power"], 0),
        ("section", ["car-2002", "movement/flying"], 2),
        ("search", [], 0),
    ],
)
def test_query_counts(client, loaded, django_assert_num_queries, name, args, queries):
    page(client, name, *args)
    with django_assert_num_queries(queries):
        page(client, name, *args)


def test_query_count_of_a_search(client, loaded, django_assert_max_num_queries):
    page(client, "search", q="barrier")
    for edition in ("", "car-2002"):
        with django_assert_max_num_queries(7):  # the release, the books, each of them, its passages, the catalogue
            page(client, "search", q="barrier", edition=edition)
