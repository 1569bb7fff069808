"""The table of synonyms: it names topics that exist, and repeats nothing."""

import tomllib

from rules.engine import topics
from rules.search.words import SYNONYMS, distance, stem, words_of
from tests.tables import every_row

TABLE = tomllib.loads(SYNONYMS.read_text(encoding="utf-8"))


def test_every_topic_exists():
    assert set(TABLE["topics"]) <= set(topics())


def test_no_phrase_of_a_topic_is_empty_or_given_twice():
    for topic, phrases in TABLE["topics"].items():
        read = [tuple(words_of(phrase)) for phrase in phrases]
        assert all(read), topic
        assert len(set(read)) == len(read), topic


@every_row(
    ("one", "other"),
    [("carries", "carry"), ("soaring", "soar"), ("moved", "moving"), ("hits", "hitting"), ("elevated", "elevation")],
)
def test_endings_make_no_difference(one, other):
    assert stem(one) == stem(other)


@every_row(
    ("one", "other", "apart"),
    [("outwit", "outwit", 0), ("outwti", "outwit", 1), ("barier", "barrier", 1), ("ab", "", 2)],
)
def test_letters_swapped_are_one_mistake(one, other, apart):
    assert distance(one, other) == distance(other, one) == apart
