"""Speed of answering questions about the rules: 160 questions of players, in turn, and the page that shows the answers."""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from rules.search import answers, store, understand
from rules.search.corpus import content, document_of, entries

TABLE = Path(__file__).parents[1] / "rules/search/questions.toml"
QUESTIONS = [
    one["ask"] for part in tomllib.loads(TABLE.read_text(encoding="utf-8")).values() for one in part["questions"]
]


@pytest.mark.django_db
def test_questions_of_players(benchmark):
    asked = itertools.cycle(QUESTIONS)
    store()
    assert benchmark(lambda: answers(understand(next(asked))))


def test_what_is_made_on_the_first_search(benchmark):
    assert benchmark(lambda: (entries.__wrapped__(), content.__wrapped__()))


def test_what_an_upgrade_stores(benchmark):
    assert benchmark(lambda: [document_of(entry, number) for number, entry in enumerate(entries())])


@pytest.mark.django_db
def test_the_page_of_a_search(benchmark):
    asked = itertools.cycle(QUESTIONS)
    client = Client()

    def look():
        return client.get(reverse("rules:search"), {"q": next(asked)})

    assert benchmark(look).status_code == 200
