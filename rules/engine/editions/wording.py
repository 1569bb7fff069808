"""An edition's text for pages: the questions and answers of its options, and its legality rules.

The engine's text is English; pages translate it. The text of an option is the docstring under its field in `options`
and `edition`: the question, in brackets the topics under which the books answer it, then a list of answers (`- `name`:
words`) where an answer isn't obvious; the rest of the docstring is for developers.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from rules.engine.edition import Edition
from rules.engine.editions import EDITIONS

ANSWER: Final = re.compile(r"^- `(.+?)`: (.+(?:\n  .+)*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Question:
    """An option's question, the topics under which a book answers it (the first it covers), and words for answers."""

    text: str
    topics: tuple[str, ...] = ()
    answers: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def worded(self, answer: object) -> str | None:
        """Return the words for an answer; None if it has none. A procedure is identified by its name."""
        return self.answers.get(getattr(answer, "__name__", None) or str(answer))


@cache
def questions() -> Mapping[str, Question]:
    """Return option → its question. An option is `record.field`, or a field of the edition itself."""
    sample = next(iter(EDITIONS.values()))
    found = {field: read_question(text) for field, text in _documentation(Edition)}
    for record in [field.name for field in dataclasses.fields(Edition)]:
        options = type(getattr(sample, record))
        if dataclasses.is_dataclass(options):
            found |= {f"{record}.{field}": read_question(text) for field, text in _documentation(options)}
    return MappingProxyType(found)


def _documentation(record: type) -> Iterator[tuple[str, str]]:
    """Yield the documented fields of a record, with their docstrings."""
    [written] = ast.parse(inspect.getsource(record)).body
    assert isinstance(written, ast.ClassDef)
    for field, text in pairwise(written.body):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(said))):
                yield name, inspect.cleandoc(said)


def read_question(documentation: str) -> Question:
    """Return the question in an option's docstring."""
    head, *_more = documentation.split("\n\n")
    text, _, cited = " ".join(head.split()).removesuffix("]").rpartition(" [")
    answers = {name: " ".join(words.split()) for name, words in ANSWER.findall(documentation)}
    return Question(text or cited, tuple(cited.split(", ")) if text else (), MappingProxyType(answers))


def page_texts() -> tuple[str, ...]:
    """Return every text that pages translate, each once."""
    checks = [check for book in EDITIONS.values() for check in book.force.checks]
    texts = [text for check in checks for text in (check.title, check.question, check.variant)]
    texts += [text for question in questions().values() for text in (question.text, *question.answers.values())]
    return tuple(dict.fromkeys(text for text in texts if text))
