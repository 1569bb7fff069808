"""The databases' full text: it finds what its words say, follows every change, and reads nothing that was typed."""

import datetime
import random
import sqlite3

import pytest
from django.core import serializers
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from rules import full_text
from rules.element_search import TABLE
from rules.full_text import Query, any_found, begins, every, found, has, ranked, some
from rules.models import Element, Facts, LoadedRulebook, RulebookPassage, SearchedText
from rules.queries import search_elements
from rules.reading import search_passages
from rules.rulebook_text import CutText, Passage
from rules.search import answers, store, understand
from rules.search.corpus import content, document_of, entries
from rules.services.catalogue import NewElement, catalogue_elements, correct_element, record_set
from rules.services.rulebook import load_rulebook
from tests.rules.catalogue.finding import fill_catalogue
from tests.rules.catalogue.test_finding import HOSTILE
from tests.rules.search.test_questions import TABLE as TABLE_OF_QUESTIONS

pytestmark = pytest.mark.django_db


@pytest.fixture
def small(db):
    """Fill the catalogue with a few sets."""
    fill_catalogue()


def has_it(query: Query, words: set[str]) -> bool:
    """Return by hand whether words are what is asked for."""
    match query.kind:
        case "word":
            return query.word in words
        case "begun":
            return any(word.startswith(query.word) for word in words)
        case kind:
            return (all if kind == "all" else any)(has_it(one, words) for one in query.parts)


def by_hand(query: Query | None) -> set[int]:
    rows = Facts.objects.values_list("pk", "words")
    return {key for key, words in rows if query is not None and has_it(query, set(words.split()))}


def drawn(chosen: random.Random, words: list[str], depth: int = 3) -> Query | None:
    """Return a query of some of these words and their beginnings."""
    if depth == 0 or chosen.random() < 0.3:
        word = chosen.choice(words)
        return has(word) if chosen.random() < 0.5 else begins(word[: chosen.randint(2, len(word))])
    return chosen.choice((every, some))(drawn(chosen, words, depth - 1) for _part in range(chosen.randint(0, 3)))


def test_the_database_finds_what_a_search_by_hand_finds(small):
    words = sorted({word for row in Facts.objects.all() for word in row.words.split()} | {"n.zebra", "n.señor", "n.電"})
    chosen = random.Random(30)
    queries = [drawn(chosen, words) for _query in range(450)]
    hits = [by_hand(query) for query in queries]
    assert found(TABLE, queries) == hits
    assert any_found(TABLE, queries[:400]) == [bool(keys) for keys in hits[:400]]
    assert sum(map(bool, found(TABLE, queries))) > 100


def test_groups_of_rank_are_some_of_the_whole(small):
    whole, groups = begins("n."), [has("n.thor"), None, begins("n.t"), begins("n.s")]
    seen: set[int] = set()
    for keys, group in zip(ranked(TABLE, groups, whole), [*groups, whole], strict=True):
        assert keys - seen == by_hand(group) - seen
        seen |= keys
    assert ranked(TABLE, [], whole) == [by_hand(whole)]


def test_every_vocabulary_is_the_columns_words(small):
    counted: dict[str, int] = {}
    for row in Facts.objects.all():
        for word in row.words.split():
            counted[word] = counted.get(word, 0) + 1
    assert dict(full_text.counted(TABLE)) == counted


@pytest.mark.parametrize("typed", [*HOSTILE, "a'b", "n.spider' | 'n.hulk", 'n.x" OR "n.hulk', "n.x:*", "n.x\\", "n x"])
def test_what_was_typed_is_never_a_query(typed):
    """Words are letters and digits with our own marks; anything else is refused before it reaches the database."""
    if not full_text.TOKEN.fullmatch(typed):
        with pytest.raises(ValueError, match="not a word"):
            has(typed)


def test_no_question_reaches_the_database_as_typed(small, django_assert_max_num_queries):
    for typed in (*HOSTILE, "' | 'hulk", '" OR "hulk', "hulk':*", "\\", "hulk\\' | 'thor"):
        with django_assert_max_num_queries(16):  # eight for each of both
            plain = "".join(sign if sign.isalnum() else " " for sign in typed)
            found_there = search_elements(text=plain).keys if plain.strip() else []
            assert search_elements(text=typed).keys == found_there, typed


def in_step() -> None:
    """Fail unless the index has just what the rows have."""
    words = sorted({word for row in Facts.objects.all() for word in row.words.split()})
    queries = [has(word) for word in words]
    assert found(TABLE, queries) == [by_hand(query) for query in queries]
    if connection.vendor == "sqlite":
        connection.cursor().execute(f"INSERT INTO {TABLE}_words ({TABLE}_words, rank) VALUES ('integrity-check', 1)")


def test_the_index_follows_every_change(small):
    in_step()
    hulk = Element.objects.get(name="Hulk")
    correct_element(element=hulk, from_date=datetime.date(2020, 1, 1), changes={"name": "Grey Guardian"})
    record_set(code="svc", name="Golden Coast")
    assert [row.name for row in search_elements(text="golden coast 100")] == ["The Mandarin"]
    in_step()
    kept = serializers.serialize("jsonl", Facts.objects.all())
    Facts.objects.filter(name__startswith="Spider").delete()
    Facts.objects.all()._raw_delete(connection.alias)
    assert not any(found(TABLE, [has("n.thor"), begins("n.")]))
    for row in serializers.deserialize("jsonl", kept):
        row.save(force_insert=True)
    in_step()
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        Facts.objects.update(words="n.nothing")
        raise ZeroDivisionError
    in_step()


def test_a_changed_table_gets_its_full_text_again(small):
    """A migration that makes a table of SQLite anew takes its triggers away: `migrate` completes what is missing."""
    full_text.complete()
    in_step()
    if connection.vendor == "postgresql":
        connection.cursor().execute("SET CONSTRAINTS ALL IMMEDIATE")  # of this test's own transaction
    full_text.remove()
    Facts.objects.filter(name="Thor").update(words="n.odinson")
    call_command("migrate", verbosity=0, no_backup=True)
    in_step()
    assert all(found(TABLE, [has("n.odinson")]))


def test_a_word_of_any_length_is_taken(db):
    record_set(code="long", name="Long")
    facts = {"name": "Long", "number": "1", "keywords": ["é" * 160, "😀", *(f"word{at}" for at in range(60))]}
    catalogue_elements(elements=[NewElement("long", "characters", facts)])
    in_step()
    assert [row.name for row in search_elements(text="é" * 150)] == ["Long"]
    assert len(full_text.as_column(f"o.{'電' * 500}{at}" for at in range(5000)).encode()) < 1_000_000


# The texts that the search of the rules looks through

QUESTIONS = [one["ask"] for part in TABLE_OF_QUESTIONS.values() for one in part["questions"]][::4]


def answered(book: str = "") -> list[list[tuple[int, float]]]:
    places = {id(entry): place for place, entry in enumerate(entries())}
    found_for = (answers(understand(asked), book) for asked in QUESTIONS)
    return [[(places[id(one.entry)], one.score) for one in found] for found in found_for]


def test_without_its_texts_a_search_answers_alike_and_writes_nothing(db, django_assert_max_num_queries):
    """So it is after an upgrade whose content differs, until `migrate`; and nothing waits for another's lock."""
    store()
    assert SearchedText.objects.count() == len(entries())
    answered_by_database = answered()
    SearchedText.objects.update(source="another release")
    with CaptureQueriesContext(connection) as asked:
        assert answered() == answered_by_database
    assert {query["sql"].split()[0] for query in asked} == {"SELECT"}
    store()
    assert set(SearchedText.objects.values_list("source", flat=True)) == {content()}
    assert answered() == answered_by_database
    with django_assert_max_num_queries(2):
        store()


def test_what_is_stored_is_what_the_entries_say(db):
    store()
    rows = SearchedText.objects.order_by("number").values_list("number", "length", "words")
    assert list(rows) == [document_of(entry, number) for number, entry in enumerate(entries())]


CUT = CutText((Passage("Barrier", "A wall of a griffin's feathers."),), (), exact=False)


def test_a_book_is_searched_as_it_was_loaded_last(db, monkeypatch):
    def hits(asked):
        return [hit.passage.text for hit in search_passages(understand(asked))]

    monkeypatch.setattr("rules.services.rulebook.cut", lambda *_given: CUT)
    load_rulebook(edition="core-2014", file_name="book.md", text="")
    sources = set(SearchedText.objects.values_list("source", flat=True))
    assert len(sources) == 2
    assert hits("griffin") == [CUT.passages[0].text]
    load_rulebook(edition="core-2014", file_name="book.md", text="")
    assert len(set(SearchedText.objects.values_list("source", flat=True)) - sources) == 1
    assert hits("griffin") == [CUT.passages[0].text]
    SearchedText.objects.all().delete()
    assert hits("griffin") == [CUT.passages[0].text]
    RulebookPassage.objects.all().delete()
    LoadedRulebook.objects.all().delete()
    store()
    assert hits("griffin") == []


@pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite")
def test_a_sqlite_without_full_text_is_a_sentence(monkeypatch):
    assert full_text.check() == []

    def connect(_name):
        raise sqlite3.OperationalError("no such module: fts5")

    monkeypatch.setattr("rules.full_text.sqlite3.connect", connect)
    with pytest.raises(SystemCheckError, match="it was built without FTS5"):
        call_command("check")
