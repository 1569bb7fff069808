"""Every required ruling exists, with its authority, date and section, and is shown when it applies."""

import datetime
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine.citations import Authority, Citation, Ruling, RulingStanding
from rules.engine.editions.headings import headings
from rules.engine.editions.rulings import (
    _book,
    _specific,
    find_rulings,
    fold,
    may_decide,
    ruling,
    rulings,
    shared_topics,
    topic_kinds,
    topic_places,
    topics,
)
from rules.engine.met import Met
from rules.engine.steps import StepName
from tests.tables import every_row

EDITIONS = ("ic-2002", "car-2002", "dc-2005", "core-2014", "core-modern")
CASES = Path(__file__).parents[2] / "cases"
KEYS = [json.loads(line) for line in (CASES / "rulings-keys.jsonl").read_text(encoding="utf-8").splitlines()]
BOOKS = Path(__file__).parents[4] / "shared" / "seeds"
FACTS = {one.value for one in Met}
OTHER_KINDS = ("figure:", "step:", "awaits:")
"""The prefixes of facts that name no topic."""
NOT_SHOWN = {"ic-2002": 3, "car-2002": 64, "dc-2005": 7, "core-2014": 9, "core-modern": 46}
"""The number of rulings that no engine test or dispute names. A new ruling needs a test, so these only decrease."""
LATEST = datetime.date(2003, 1, 13)
"""The date of the latest dated ruling in our sources."""
EVERY = [one for edition in EDITIONS for one in rulings(edition)]


@every_row("key", KEYS, ids=[key["key"] for key in KEYS])
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


@every_row("edition", EDITIONS)
def test_ids_are_unique_in_a_book(edition):
    ids = [one.id for one in rulings(edition)]
    assert len(ids) == len(set(ids)) > 0


@every_row("one", EVERY, ids=[f"{one.edition}:{one.id}" for one in EVERY])
def test_a_ruling_is_whole(one):
    texts = "rules/engine/editions/texts"
    where = f"{one.id} in {texts}/rulings/{one.edition}*.toml"
    assert one.text.strip(), f"Write the text of {where}"
    assert one.topics, f"Name the topics of {where}"
    assert one.when, f"Say when it applies: {where}"
    assert all(one.when), f"One of the ways in which it applies is empty: {where}"
    unknown = sorted(set(one.topics) - set(topics()))
    assert not unknown, f"{texts}/topics.toml doesn't have {unknown} of {where}"
    strange = [need for group in (*one.when, one.decides or ()) for need in group if not _is_known(need)]
    assert not strange, f"No fact of rules/engine/met.py is called {strange}: {where}"
    assert headings(one.edition).has(one.section), f"{texts}/headings/{one.edition}.toml lacks the section of {where}"
    for other in (*one.disagrees_with, *one.exception_to):
        assert ruling(one.edition, other) is not None, f"No ruling of the book is called {other}: {where}"
    if one.date:
        assert datetime.date.fromisoformat(one.date) <= LATEST, f"Our sources end on {LATEST}: {where} is later"
    assert re.fullmatch(r"[a-z0-9-]+", one.id), f"Write the id in small letters, digits and hyphens: {where}"


MAX_WORDS = 55
"""The words of one, two or three short sentences."""
STILTED = re.compile(
    r"(?:^|[.:;] )(?:Who|What|Whoever|Whatever) |\b(?:one|oneself) (?:may|can|does|has|must|needs)\b|\bone's\b"
)
"""Headless sentences, and “one” for a player or a figure."""


def test_every_ruling_is_a_few_short_sentences():
    for one in EVERY:
        assert re.match(r"[A-Z0-9“]", one.text), f"Begin {one.id} with a capital letter"
        assert one.text.endswith("."), f"End {one.id} with a full stop"
        assert len(one.text.split()) <= MAX_WORDS, f"Shorten {one.id}"
        assert '"' not in one.text, f"Use curly quotation marks in {one.id}"
        assert not STILTED.search(one.text), f"Name the player or figure in {one.id}: {STILTED.search(one.text)[0]}"


def _is_known(need):
    """Return whether a ruling may depend on this: a topic, a fact, or a particular power, team or object."""
    kind, _, what = need.partition(":")
    if not what:
        return need in topics() or need in FACTS
    match kind:
        case "present" | "own" | "target" | "off" | "beside" | "facing" | "apart" | "attack" | "illegal" | "note":
            return what in topics()
        case "step":
            return what in set(StepName)
        case "figure" | "awaits":
            return bool(re.fullmatch(r"[a-z0-9-]+", what))
    return False


def test_no_ruling_is_new_and_in_no_dispute():
    written = [*Path(__file__).parent.rglob("*.py"), *(CASES / "disputes").glob("*.jsonl")]
    tests = "\n".join(path.read_text(encoding="utf-8") for path in written)
    for edition, most in NOT_SHOWN.items():
        unnamed = [one.id for one in rulings(edition) if f'"{one.id}"' not in tests]
        assert len(unnamed) <= most, (
            f"Show the new one of these {len(unnamed)} by a dispute in tests/rules/engine/test_rulings_of_disputes.py"
            f" ({edition} has at most {most} that no test names): {unnamed}"
        )


def test_a_fact_is_no_topic():
    assert not FACTS & topics().keys()
    assert all(one.meaning and not one.meaning.endswith(".") for one in Met)


def test_every_fact_matters_to_a_ruling():
    asked = {need for one in EVERY for group in (*one.when, one.decides or ()) for need in group}
    assert not FACTS - asked, (
        f"No ruling in rules/engine/editions/texts/rulings asks for these facts of rules/engine/met.py: {FACTS - asked}"
    )


@every_row("edition", EDITIONS)
def test_every_topic_of_an_edition_has_a_section_there(edition):
    places = topic_places(edition)
    texts = "rules/engine/editions/texts"
    for one in rulings(edition):
        needed = {need.rpartition(":")[2] for group in one.when for need in group if not need.startswith(OTHER_KINDS)}
        for topic in (*one.topics, *(need for need in needed if need in topics())):
            assert topic in places, f"Say in {texts}/{edition}.toml where the book has {topic}, for {one.id}"
    for topic, place in places.items():
        assert headings(place.edition).has(place.section), (
            f"{topic} in {texts}/{edition}.toml: {texts}/headings/{place.edition}.toml has no heading {place.section!r}"
        )
        assert topic in topics(), f"Give {topic} a title in {texts}/topics.toml"


def test_every_topic_has_a_title_and_a_kind():
    for topic in topics().values():
        assert topic.title
        assert topic.kind in topic_kinds()
    assert topics()["s-h-i-e-l-d" if "s-h-i-e-l-d" in topics() else "shield"].title == "S.H.I.E.L.D."


def test_an_arbitrators_ruling_is_not_yet_the_faq():
    assert not ruling("car-2002", "magister-2002-09-09-super-senses-any-attack").official
    assert ruling("car-2002", "faq-toughness-resets").official
    assert ruling("core-modern", "sidebar-rough-ledge").standing is RulingStanding.CLARIFICATION
    assert not ruling("core-modern", "sidebar-rough-ledge").official
    example = ruling("car-2002", "faq-energy-explosion-example")
    assert example.official
    assert example.example


GOOD = """
[[ruling]]
id = "first"
text = "Words."
topics = ["pushing"]
authority = "faq"
section = "Pushing"
"""


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (GOOD.replace('section = "Pushing"', ""), "first in .*/rulings/core-2014.toml: .* missing .'section'"),
        (GOOD.replace('id = "first"', ""), "a ruling without id in .*/rulings/core-2014.toml: .* missing .'id'"),
        (GOOD + 'wen = ["pushing"]', "first in .*/rulings/core-2014.toml: .* unknown .'wen'"),
        (GOOD + 'date = "2002-09-25"', "first in .*/rulings/core-2014.toml: write the date without quotes"),
        (GOOD.replace("faq", "judge"), "first in .*/rulings/core-2014.toml: authority is one of .*'faq'"),
        (GOOD + 'standing = "law"', "first in .*/rulings/core-2014.toml: standing is one of .*'clarification'"),
        (GOOD + "example = yes", "rules/engine/editions/texts/rulings/core-2014.toml: .*at line"),
        (GOOD + GOOD, "first in .*/rulings/core-2014.toml: another ruling of the book has this id"),
    ],
)
def test_a_ruling_that_cannot_be_read_is_named_with_its_file(written, said, tmp_path, monkeypatch):
    (tmp_path / "rulings").mkdir()
    (tmp_path / "rulings/core-2014.toml").write_text(f'edition = "core-2014"\n{written}', encoding="utf-8")
    monkeypatch.setattr("rules.engine.editions.rulings.TEXTS", tmp_path)
    with pytest.raises(ValueError, match=said):
        _book.__wrapped__("core-2014")


def test_an_edition_that_does_not_exist():
    with pytest.raises(KeyError):
        rulings("core-1999")
    with pytest.raises(KeyError):
        headings("../texts/core-2014")
    assert ruling("car-2002", "no-such-ruling") is None


@pytest.mark.skipif(not BOOKS.is_dir(), reason="the books aren't on this machine")
def test_no_ruling_shares_eight_consecutive_words_with_a_book():
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


def test_nothing_has_happened_nothing_is_shown():
    for edition in EDITIONS:
        assert find_rulings(edition, stages=[[frozenset()]]) == ()


def test_the_more_specific_comes_first():
    met = {
        "mind-control",
        "attack:mind-control",
        "critical-hit",
        "knockback",
        "ranged-combat",
        "attack",
        "line-of-fire",
        "crosses-figure",
    }
    found = [one.id for one in find_rulings("car-2002", stages=[[met]], limit=None)]
    assert set(found[:3]) == {
        "faq-mind-control-critical",
        "faq-mind-control-damage-first",
        "faq-mind-control-critical-immediate",
    }
    assert found.index("faq-figure-blocks-line") < found.index("faq-mind-control-ends")


def weights(*met):
    return {one.id: one.weight for one in find_rulings("car-2002", stages=[[frozenset(met)]], limit=None)}


def test_a_ruling_decides_by_a_fact_that_another_use_of_the_power_would_lack():
    assert set(weights("perplex").values()) == {"background"}
    assert weights("perplex", "perplexed-twice")["faq-perplex-stacks"] == "decides"
    assert weights("flurry")["faq-flurry-separate"] == "background"
    assert weights("flurry", "another-target")["faq-flurry-separate"] == "decides"
    assert weights("force-blast", "target:impervious")["faq-impervious-not-indirect"] == "decides"


def test_a_refused_case_comes_before_one_with_more_facts():
    cases = [
        {"attack:mind-control", "critical-hit", "knockback"},
        {"outwit", "target-team", "step:illegal", "illegal:team-abilities"},
    ]
    assert find_rulings("car-2002", stages=[[one] for one in cases])[0].id == "faq-outwit-not-team"
    cases = [{"outwit", "turned-on", "awaits:"}, {"attack:mind-control", "critical-hit", "knockback"}]
    assert find_rulings("car-2002", stages=[[one] for one in cases])[0].id == "faq-outwit-lost"


def test_a_ruling_beside_the_reason_of_a_refusal_does_not_decide():
    move = {"charge", "movement", "hindering-terrain", "starts-in-hindering", "leaves-opponent"}
    slow, held = "faq-charge-quarter", "faq-charge-breakaway"
    for refused, deciding in {
        "": {slow, held},
        "hindering-terrain": {slow},
        "break-away": {held},
        "walls": set(),
    }.items():
        met = {"step:illegal", f"illegal:{refused}", "illegal:movement"} if refused else set()
        found = weights(*move, *met)
        assert {one for one in (slow, held) if found[one] == "decides"} == deciding, refused


def test_no_ruling_is_joined_from_two_cases():
    apart = find_rulings("car-2002", stages=[[{"perplex"}, {"perplexed-twice"}]], limit=None)
    assert "faq-perplex-stacks" not in {one.id for one in apart}


def test_the_faq_is_later_than_the_arbitrators_whose_rulings_it_collected():
    found = [one.id for one in find_rulings("car-2002", topics={"telekinesis"}, limit=None)]
    assert found.index("faq-telekinesis-line") < found.index("chapeau-2002-09-25-telekinesis-single-target")
    assert ruling("car-2002", "faq-telekinesis-line").date is None


def test_examples_come_after_the_rules_that_they_show():
    found = [one.id for one in find_rulings("car-2002", stages=[[{"energy-explosion", "attack"}]])]
    assert found.index("faq-energy-explosion-miss") < found.index("faq-energy-explosion-example")


def test_among_equals_the_later_comes_first_and_rules_before_examples():
    found = [one.id for one in find_rulings("car-2002", stages=[[{"super-senses"}]])]
    assert found == ["magister-2002-09-09-super-senses-any-attack"]
    found = [
        one.id
        for one in find_rulings("car-2002", stages=[[{"telekinesis", "lifts-figure", "several-bolts"}]], limit=None)
    ]
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


def made(*when, topics=("perplex",), **about):
    """Return a ruling of ours with these conditions, each a set of facts and topics."""
    return Ruling("made", "So it is.", topics, tuple(map(frozenset, when)), (Citation("car-2002", "Combat"),), **about)


def test_a_condition_that_nearly_every_action_meets_counts_half():
    """The key: conditions named, what it rests on, topics met, topics not met."""
    met = {"perplex", "damage", "outwit"}
    backing = _specific(made(), met, decides=True)[1]
    assert _specific(made({"perplex"}), met, decides=True) == (-2, backing, -1, 0)
    assert _specific(made({"damage", "toughness"}), met, decides=True) == (-1, backing, -1, 0)
    assert _specific(made({"perplex"}, {"damage"}), met, decides=True) == (-3, backing, -1, 0)
    assert _specific(made({"step:hit"}), {*met, "step:hit"}, decides=True) == (-1, backing, -1, 0)
    assert _specific(made({"perplex"}), met, decides=False) == (0, backing, -1, 0)
    assert _specific(made({"perplex"}, topics=("perplex", "healing", "ko")), met, decides=True) == (-2, backing, -1, 2)
    assert _specific(made({"perplex"}, example=True), met, decides=True) == (-1, 3, -1, 0)


def test_which_rulings_may_decide_a_case():
    """A fact of the case, or two powers; not the use of one power, and never an example."""
    assert may_decide(made({"perplex"}, {"target-perplexed"}))
    assert may_decide(made({"perplex"}, {"outwit"}))
    assert may_decide(made({"perplex"}, {"critical-hit"}))
    assert may_decide(made({"perplex"}, decides=frozenset({"target-perplexed"})))
    assert not may_decide(made({"perplex"}))
    assert not may_decide(made({"perplex"}, {"damage"}))
    assert not may_decide(made({"perplex"}, {"target-perplexed"}, decides=frozenset()))
    assert not may_decide(made({"perplex"}, {"target-perplexed"}, example=True))


def test_what_rulings_share():
    """Of the topics of most of them: powers first, those of the case only, and two at most."""
    found = [made(topics=("perplex", "healing")), made(topics=("healing", "damage")), made(topics=("outwit",))]
    assert [one.name for one in shared_topics(found)] == ["healing", "outwit"]
    assert [one.name for one in shared_topics(found, {"perplex", "outwit"})] == ["perplex", "outwit"]
    assert [one.name for one in shared_topics(found[:1])] == ["perplex"]
    assert [one.name for one in shared_topics([made(topics=("damage",))])] == ["damage"]
    assert shared_topics(found, {"flurry"}) == ()
    assert shared_topics([]) == ()
    more = [*found, *[made(topics=(name,)) for name in ("flurry", "charge")]]
    assert len(shared_topics(more)) == 2


def test_no_background_ruling_decides_beside_another():
    """Where nothing decides, not even the first does."""
    found = find_rulings("car-2002", stages=[[{"perplex"}]], limit=None)
    assert found
    assert {one.weight for one in found} == {"background"}


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


def test_conditions_of_a_ruling_are_joined_by_and():
    met = [[{"barrier", "movement", "places-markers"}]]
    by_position, by_both = (
        {one.id for one in find_rulings("car-2002", stages=met, topics=topics, limit=None)}
        for topics in ((), {"leap-climb", "barrier"})
    )
    by_topic = {one.id for one in find_rulings("car-2002", topics={"leap-climb", "barrier"}, limit=None)}
    assert by_both == by_position & by_topic
    named = {"correction-barrier-must-four", "correction-barrier-adjacent-squares", "faq-barrier-one-in-range"}
    assert named <= by_both < by_topic


def test_found_by_figure():
    assert {one.id for one in find_rulings("car-2002", figure="riddler", limit=None)} == {
        "correction-riddler-mastermind"
    }
    assert {one.id for one in find_rulings("car-2002", figure="Man-Bat", limit=None)} == {"correction-man-bat-40"}
    assert "correction-pyro-92" in {one.id for one in find_rulings("car-2002", figure="PYRO", limit=None)}
    assert find_rulings("car-2002", figure="Nobody At All") == ()
    for one in EVERY:
        for figure in one.figures:
            assert one in find_rulings(one.edition, figure=figure, limit=None)


def test_figures_are_compared_whatever_case_and_accents():
    assert fold("ÉNERGY Explósion") == "energy explosion"


def test_limits():
    everything = {need for one in EVERY for group in one.when for need in group}
    assert len(find_rulings("car-2002", stages=[[everything]])) == 12
    assert len(find_rulings("car-2002", stages=[[everything]], limit=None)) == len(rulings("car-2002"))
    assert len(find_rulings("car-2002", topics={"knockback"}, limit=3)) == 3


def test_every_authority_speaks():
    assert {one.authority for one in rulings("car-2002")} == set(Authority)


MET = st.frozensets(st.sampled_from(sorted({*topics(), *FACTS})), max_size=25)


@given(edition=st.sampled_from(EDITIONS), met=MET, more=MET)
def test_laws_of_what_is_shown(edition, met, more):
    found = find_rulings(edition, stages=[[met]], limit=None)
    assert all(one.applies(met) for one in found)
    assert {one.id for one in found} == {one.id for one in rulings(edition) if one.applies(met)}
    assert find_rulings(edition, stages=[[met]]) == found[:12]
    assert {one.id for one in found} <= {one.id for one in find_rulings(edition, stages=[[met | more]], limit=None)}
    weights = [one.weight for one in found]
    assert weights == sorted(weights, key=("decides", "background").index)
    places = {one.id: place for place, one in enumerate(found)}
    for one in found:
        assert all(places[one.id] < places[other] for other in one.disagrees_with if other in places)


@given(edition=st.sampled_from(EDITIONS), asked=st.text(max_size=30))
def test_any_figure_may_be_asked_for(edition, asked):
    found = find_rulings(edition, figure=asked, limit=None)
    assert all(one.edition == edition for one in found)
