"""Every ruling that must be there, with its authority, date and section; and which are shown for what has happened."""

import datetime
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine.citations import Authority, Standing
from rules.engine.editions.headings import headings
from rules.engine.editions.rulings import find_rulings, fold, ruling, rulings, topic_kinds, topic_places, topics

EDITIONS = ("ic-2002", "car-2002", "dc-2005", "core-2014", "core-modern")
CASES = Path(__file__).parents[2] / "cases"
KEYS = [json.loads(line) for line in (CASES / "rulings-keys.jsonl").read_text(encoding="utf-8").splitlines()]
BOOKS = Path(__file__).parents[4] / "shared" / "seeds"
EVERY = [one for edition in EDITIONS for one in rulings(edition)]


@pytest.mark.parametrize("key", KEYS, ids=[key["key"] for key in KEYS])
def test_each_ruling_that_must_be_there_is_there(key):
    one = ruling("car-2002", key["key"])
    assert one is not None
    assert (one.authority, one.date, one.section) == (key["authority"], key["date"], key["section"])
    assert list(one.topics) == key["topics"]
    assert one.line == key["line"]


def test_the_compiled_rulebook_has_more_than_the_keys_name():
    named = {key["key"] for key in KEYS}
    more = {one.id for one in rulings("car-2002")} - named
    assert {"correction-critical-miss-attack-roll", "correction-barrier-diagonal-blocking"} <= more
    assert sum(one.date == "2003-01-13" for one in rulings("car-2002")) == 18


@pytest.mark.parametrize("edition", EDITIONS)
def test_ids_are_unique_in_a_book(edition):
    ids = [one.id for one in rulings(edition)]
    assert len(ids) == len(set(ids)) > 0


@pytest.mark.parametrize("one", EVERY, ids=[f"{one.edition}:{one.id}" for one in EVERY])
def test_a_ruling_is_whole(one):
    vocabulary = topics()
    assert one.text.strip()
    assert one.topics
    assert one.when
    assert all(one.when)
    assert set(one.topics) <= set(vocabulary)
    assert {topic for group in one.when for topic in group} <= set(vocabulary)
    assert headings(one.edition).has(one.section)
    for other in (*one.disagrees_with, *one.exception_to):
        assert ruling(one.edition, other) is not None
    if one.date:
        assert datetime.date.fromisoformat(one.date) <= datetime.date(2003, 1, 13)
    assert re.fullmatch(r"[a-z0-9-]+", one.id)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_topic_of_an_edition_has_a_section_there(edition):
    places = topic_places(edition)
    for one in rulings(edition):
        for topic in (*one.topics, *(topic for group in one.when for topic in group)):
            assert topic in places, (one.id, topic)
    for topic, place in places.items():
        assert headings(place.edition).has(place.section), (topic, place.section)
        assert topic in topics(), topic


def test_every_topic_has_a_title_and_a_kind():
    for topic in topics().values():
        assert topic.title
        assert topic.kind in topic_kinds()
    assert topics()["s-h-i-e-l-d" if "s-h-i-e-l-d" in topics() else "shield"].title == "S.H.I.E.L.D."


def test_an_arbitrators_ruling_is_not_yet_the_faq():
    assert not ruling("car-2002", "magister-2002-09-09-super-senses-any-attack").official
    assert ruling("car-2002", "faq-toughness-resets").official
    assert ruling("core-modern", "sidebar-rough-ledge").standing is Standing.CLARIFICATION
    assert not ruling("core-modern", "sidebar-rough-ledge").official
    example = ruling("car-2002", "faq-energy-explosion-example")
    assert example.official
    assert example.example


def test_an_edition_that_does_not_exist():
    with pytest.raises(KeyError):
        rulings("core-1999")
    with pytest.raises(KeyError):
        headings("../texts/core-2014")
    assert ruling("car-2002", "no-such-ruling") is None


@pytest.mark.skipif(not BOOKS.is_dir(), reason="the books are not on this machine")
def test_no_ruling_shares_eight_words_running_with_a_book():
    def words(text):
        text = re.sub(r"\b(?:[A-Z]\.){2,}", lambda match: match.group().replace(".", ""), text)
        return re.findall(r"[a-z0-9]+", text.lower().replace("’", "").replace("'", ""))

    runs = set()
    for book in BOOKS.glob("*.txt"):
        said = words(book.read_text(encoding="utf-8"))
        runs |= {tuple(said[n : n + 8]) for n in range(len(said) - 7)}
    assert len(runs) > 50_000
    for one in EVERY:
        said = words(one.text)
        for n in range(len(said) - 7):
            assert tuple(said[n : n + 8]) not in runs, (one.id, " ".join(said[n : n + 8]))


# What an action has met, what must then be shown, and what must not, although it shares a word.
POSITIONS = [
    pytest.param(
        "car-2002",
        {"movement", "break-away", "hovering", "action-tokens"},
        [
            "faq-breakaway-hovering",
            "faq-breakaway-before-soar",
            "faq-breakaway-failure-is-action",
            "faq-hovering-must-stop",
        ],
        [
            "faq-breakaway-leap-phasing",
            "faq-charge-breakaway",
            "faq-flier-breakaway-before-carry",
            "faq-soarer-no-breakaway",
        ],
        id="a hoverer beside an opponent wants to move",
    ),
    pytest.param(
        "car-2002",
        {"ranged-combat", "line-of-fire", "attack", "energy-explosion", "impervious", "damage"},
        ["magister-2002-08-14-impervious-target-only", "faq-impervious-not-indirect", "faq-energy-explosion-miss"],
        [
            "faq-energy-explosion-shield-example",
            "chapeau-2002-09-24-hypersonic-impervious",
            "correction-knockback-impervious",
            "faq-skrull-not-splash",
        ],
        id="the splash of an Energy Explosion reaches Impervious",
    ),
    pytest.param(
        "car-2002",
        {"outwit", "stealth", "line-of-fire", "hindering-terrain", "free-action"},
        ["faq-stealth-outwit", "faq-stealth-object", "faq-outwit-line"],
        [
            "faq-stealth-elevated",
            "faq-outwit-not-markers",
            "magister-2002-08-24-outwit-before-poison",
            "faq-superman-enemy-outwitted",
        ],
        id="Outwit against Stealth in hindering terrain",
    ),
    pytest.param(
        "car-2002",
        {"close-combat", "attack", "critical-hit", "super-senses", "damage", "knockback"},
        ["steenbock-2002-05-16-super-senses-critical", "magister-2002-09-09-super-senses-any-attack"],
        [
            "faq-mind-control-critical",
            "faq-hypersonic-critical",
            "faq-incapacitate-critical",
            "faq-telekinesis-doubles",
        ],
        id="Super Senses against a critical hit",
    ),
    pytest.param(
        "car-2002",
        {"ranged-combat", "attack", "pulse-wave", "skrulls", "line-of-fire"},
        ["faq-pulse-wave-skrull", "faq-pulse-wave-single", "faq-skrull-not-splash"],
        ["faq-energy-explosion-miss", "faq-knockback-any-doubles"],
        id="a Pulse Wave over a Skrull",
    ),
    pytest.param(
        "car-2002",
        {"close-combat", "attack", "hypersonic-speed", "toughness", "knockback", "damage"},
        [
            "faq-hypersonic-one-attack",
            "faq-hypersonic-doubles-end",
            "faq-hypersonic-knockback-total",
            "magister-2002-07-16-knockback-reduction-once",
        ],
        ["faq-hypersonic-no-carry-attack", "chapeau-2002-09-24-hypersonic-impervious", "faq-hypersonic-wall"],
        id="Hypersonic Speed and a knockback against Toughness",
    ),
    pytest.param(
        "car-2002",
        {"movement", "charge", "hindering-terrain", "close-combat", "attack"},
        ["faq-charge-quarter", "faq-charge-move-portion", "faq-hindering-half-start"],
        [
            "faq-running-shot-quarter",
            "faq-charge-carry-drop",
            "faq-charge-object",
            "faq-charge-breakaway",
            "faq-force-blast-vs-charge",
        ],
        id="a Charge out of hindering terrain",
    ),
    pytest.param(
        "car-2002",
        {"mind-control", "ranged-combat", "action-tokens", "line-of-fire"},
        ["correction-mind-control-two-tokens", "faq-mind-control-not-pushed"],
        ["faq-mind-control-critical", "faq-mind-control-example-brainiac", "faq-incapacitate-twice"],
        id="Mind Control of a pushed figure",
    ),
    pytest.param(
        "car-2002",
        {"ranged-combat", "attack", "ranged-combat-expert", "psychic-blast", "line-of-fire"},
        ["faq-rce-no-other-powers", "magister-2002-09-08-rce-example", "correction-rce-optional"],
        [
            "faq-psychic-blast-impervious",
            "faq-cce-no-other-powers",
            "faq-mastermind-psychic-blast",
            "steenbock-2002-05-07-thrown-object-modifiers",
        ],
        id="Ranged Combat Expert with a Psychic Blast",
    ),
    pytest.param(
        "car-2002",
        {"knockback", "elevation", "damage", "attack", "close-combat"},
        ["faq-knockback-edge-cling", "faq-knockback-off-elevation", "faq-knockback-wall-or-figure"],
        [
            "faq-telekinesis-no-slam",
            "faq-force-blast-damage",
            "faq-knockback-map-edge",
            "correction-knockback-impervious",
        ],
        id="knocked off a roof onto a figure",
    ),
    pytest.param(
        "car-2002",
        {"sentinel", "capture", "pushing", "close-combat", "attack", "ko"},
        ["faq-game-end-mid-action", "faq-captured-not-ko", "faq-sentinel-eliminated-frees"],
        ["faq-sentinel-multi-explosion", "faq-sentinel-doorway", "faq-battle-fury-capture"],
        id="a Sentinel's last push and its captive",
    ),
    pytest.param(
        "car-2002",
        {"defenders", "ranged-combat", "attack", "line-of-fire", "toughness", "damage"},
        [
            "faq-defenders-example-toughness",
            "faq-defenders-not-powers",
            "magister-2002-07-16-defenders-value-not-power",
        ],
        ["faq-justice-society-example-toughness", "faq-minions-count-as-members", "faq-defend-transitive"],
        id="a Defender borrows a value",
    ),
    pytest.param(
        "car-2002",
        {"carry", "movement", "hovering", "green-lantern-corps"},
        ["faq-green-lantern-carry", "magister-2002-08-06-green-lantern-any-square", "faq-open-square-definition"],
        [
            "faq-flier-object-and-passenger",
            "faq-phasing-flier-carries",
            "chapeau-2002-09-28-hypersonic-one-move",
        ],
        id="a Green Lantern carries friends",
    ),
    pytest.param(
        "car-2002",
        {"destroy-terrain", "walls", "close-combat", "blades-claws-fangs"},
        ["faq-blades-wall", "correction-destroy-at-least-three", "magister-2002-08-14-object-by-destroyed-wall"],
        [
            "faq-hypersonic-wall",
            "faq-held-object-not-terrain",
            "faq-barrier-destroyable",
            "faq-rooftop-fixtures-destroy",
        ],
        id="claws against a wall",
    ),
    pytest.param(
        "car-2002",
        {"attack", "close-combat", "damage"},
        [],
        [
            "faq-knockback-any-doubles",
            "faq-damage-all-at-once",
            "chapeau-2002-09-25-no-attack-while-carrying",
            "correction-critical-miss-attack-roll",
        ],
        id="a plain blow",
    ),
    pytest.param(
        "core-2014",
        {"stealth", "outwit", "line-of-fire", "adjacency", "hindering-terrain"},
        ["faq-stealth-outwit-adjacent"],
        ["faq-when-is-a-power-used", "rulebook-example-most-restrictive", "rulebook-based-cannot-shoot"],
        id="Outwit from beside a Stealth character, 2014",
    ),
    pytest.param(
        "core-2014",
        {"attack", "ranged-combat", "multiple-targets", "damage"},
        ["rulebook-example-norm-divides", "rulebook-example-jason-two-targets"],
        ["faq-damage-taken", "rulebook-example-mark-double-fours"],
        id="two targets, 2014",
    ),
    pytest.param(
        "core-modern",
        {"attack", "critical-hit", "super-senses", "damage", "evade"},
        ["sidebar-critical-not-evaded", "sidebar-evade-super-senses", "sidebar-increase-is-no-modifier"],
        ["sidebar-becomes-the-hit-target", "sidebar-two-super-senses", "sidebar-success-rolls"],
        id="Super Senses against a critical hit, 2020s",
    ),
    pytest.param(
        "core-modern",
        {"knockback", "knockback-damage", "elevation", "damage", "attack"},
        ["sidebar-rough-ledge", "sidebar-knock-back-into", "sidebar-knock-back-is-placing"],
        ["sidebar-force-blast-knock-back", "sidebar-no-diagonal-stairs", "sidebar-knock-back-prevention-time"],
        id="knocked off a ledge, 2020s",
    ),
    pytest.param(
        "core-modern",
        {"objects", "super-strength", "outwit", "free-action"},
        ["sidebar-outwit-super-strength", "sidebar-cannot-use-keeps-heavy"],
        ["sidebar-telekinesis-held-object", "sidebar-heavy-object-ends", "sidebar-or-powers"],
        id="Outwit on a holder's Super Strength, 2020s",
    ),
    pytest.param(
        "dc-2005",
        {"attack", "close-combat", "knockback", "knockback-damage", "walls", "damage"},
        ["rulebook-example-bizarro-robin"],
        ["rulebook-example-superman-wall", "rulebook-example-flash-moves"],
        id="knocked into a wall, 2005",
    ),
    pytest.param(
        "ic-2002",
        {"ranged-combat", "soaring", "line-of-fire", "attack"},
        ["rulebook-example-soaring-half-range"],
        ["rulebook-flight-mode-cost", "rulebook-example-cyclops-two-targets"],
        id="a shot at a soarer, Infinity Challenge",
    ),
]


@pytest.mark.parametrize(("edition", "met", "shown", "hidden"), POSITIONS)
def test_what_is_shown_for_a_position_and_what_is_not(edition, met, shown, hidden):
    found = [one.id for one in find_rulings(edition, met=met)]
    assert all(ruling(edition, name) for name in (*shown, *hidden))
    assert len(found) <= 12
    assert set(shown) <= set(found), set(shown) - set(found)
    assert not set(hidden) & set(found)


def test_nothing_has_happened_nothing_is_shown():
    for edition in EDITIONS:
        assert find_rulings(edition, met=()) == ()


def test_the_more_specific_comes_first():
    met = {"mind-control", "critical-hit", "knockback", "ranged-combat", "attack", "line-of-fire"}
    found = [one.id for one in find_rulings("car-2002", met=met, limit=None)]
    assert set(found[:3]) == {
        "faq-mind-control-critical",
        "faq-mind-control-damage-first",
        "faq-mind-control-critical-immediate",
    }
    assert found.index("faq-mind-control-ends") < found.index("faq-figure-blocks-line")


def test_the_faq_is_later_than_the_arbitrators_whose_rulings_it_collected():
    found = [one.id for one in find_rulings("car-2002", topics={"telekinesis"}, limit=None)]
    assert found.index("faq-telekinesis-line") < found.index("chapeau-2002-09-25-telekinesis-single-target")
    assert ruling("car-2002", "faq-telekinesis-line").date is None


def test_examples_come_after_the_rules_that_they_show():
    found = [one.id for one in find_rulings("car-2002", met={"energy-explosion", "attack"})]
    assert found.index("faq-energy-explosion-miss") < found.index("faq-energy-explosion-example")


def test_among_equals_the_later_comes_first_and_rules_before_examples():
    found = [one.id for one in find_rulings("car-2002", met={"super-senses"})]
    assert found == ["magister-2002-09-09-super-senses-any-attack"]
    found = [one.id for one in find_rulings("car-2002", met={"telekinesis"}, limit=None)]
    dated = [name for name in found if re.search(r"\d{4}-\d\d-\d\d", name)]
    assert dated == [
        "chapeau-2002-09-25-telekinesis-single-target",
        "steenbock-2002-05-25-telekinesis-not-blocking",
        "steenbock-2002-05-16-telekinesis-line-destination",
    ]


def test_of_two_that_disagree_the_one_that_is_followed_comes_first():
    found = [one.id for one in find_rulings("car-2002", topics={"hindering-terrain", "movement"}, limit=None)]
    assert found.index("faq-hindering-half-start") < found.index("correction-hindering-half-speed")
    assert "correction-hindering-half-speed" in ruling("car-2002", "faq-hindering-half-start").disagrees_with


def test_an_exception_names_the_rule():
    assert "faq-toughness-resets" in ruling("car-2002", "faq-hypersonic-one-attack").exception_to


def test_found_by_topic():
    found = find_rulings("car-2002", topics={"barrier"}, limit=None)
    assert len(found) == 13
    assert all("barrier" in one.topics for one in found)


def test_found_by_several_topics_those_about_most_of_them_first():
    found = find_rulings("car-2002", topics={"pulse-wave", "skrulls"}, limit=None)
    shared = [len({"pulse-wave", "skrulls"} & set(one.topics)) for one in found]
    assert shared == sorted(shared, reverse=True)
    assert found[0].id == "faq-pulse-wave-skrull"
    assert {2, 1} == set(shared)


def test_what_is_given_is_joined_by_and():
    found = find_rulings(
        "car-2002", met={"barrier", "movement"}, topics={"leap-climb", "barrier"}, text="four", limit=None
    )
    assert {one.id for one in found} == {
        "correction-barrier-must-four",
        "correction-barrier-adjacent-squares",
        "faq-barrier-one-in-range",
    }


def test_found_by_figure():
    assert {one.id for one in find_rulings("car-2002", figure="riddler", limit=None)} == {
        "correction-riddler-mastermind"
    }
    assert {one.id for one in find_rulings("car-2002", figure="Man-Bat", limit=None)} == {"correction-man-bat-40"}
    assert "correction-pyro-92" in {one.id for one in find_rulings("car-2002", figure="PYRO", limit=None)}
    assert find_rulings("car-2002", figure="Nobody At All") == ()


def test_found_by_full_text_whatever_case_and_accents():
    assert fold("ÉNERGY Explósion") == "energy explosion"
    found = [one.id for one in find_rulings("car-2002", text="BARRIÈR seé", limit=None)]
    assert "faq-barrier-unseen" in found
    assert find_rulings("car-2002", text="barrier zeppelin") == ()


def test_limits():
    assert len(find_rulings("car-2002", met=set(topics()))) == 12
    assert len(find_rulings("car-2002", met=set(topics()), limit=None)) == len(rulings("car-2002"))
    assert len(find_rulings("car-2002", topics={"knockback"}, limit=3)) == 3


def test_every_authority_speaks():
    assert {one.authority for one in rulings("car-2002")} == set(Authority)


MET = st.frozensets(st.sampled_from(sorted(topics())), max_size=25)


@given(edition=st.sampled_from(EDITIONS), met=MET, more=MET)
def test_laws_of_what_is_shown(edition, met, more):
    found = find_rulings(edition, met=met, limit=None)
    assert all(one.applies(met) for one in found)
    assert {one.id for one in found} == {one.id for one in rulings(edition) if one.applies(met)}
    assert find_rulings(edition, met=met) == found[:12]
    assert {one.id for one in found} <= {one.id for one in find_rulings(edition, met=met | more, limit=None)}
    places = {one.id: place for place, one in enumerate(found)}
    for one in found:
        assert all(places[one.id] < places[other] for other in one.disagrees_with if other in places)


@given(edition=st.sampled_from(EDITIONS), asked=st.text(max_size=30))
def test_any_words_may_be_asked(edition, asked):
    found = find_rulings(edition, text=asked, figure=asked, limit=None)
    assert all(one.edition == edition for one in found)
