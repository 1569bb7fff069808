"""A text of one JSON document, or of one document a line, and a report for each: what every command does with a file.

What a document means is not known here: `reports_on` is given the function that answers one. A document
that cannot be understood has a report that says where and why, and never stops the others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from rules.engine.documents.reader import is_json, parse, text
from rules.engine.errors import BadInput

Document = dict[str, Any]
Answer = Callable[[Document], Document]

_LINE: Final = re.compile(r"[^\n]+")
_LINE_ENDS: Final = re.compile("[\x85\u2028\u2029]")


def read_documents(source: str) -> Iterator[Document | BadInput]:
    """Yield each document of a text, or the BadInput that it is.

    A text that parses whole is one document; else each line that is not blank is one. `where` is ""
    for what is no JSON object at all.
    """
    source = source.removeprefix("\ufeff")
    if "\n" not in source.strip() or is_json(source):
        yield read_document(source)
        return
    for line in _LINE.finditer(source):
        if not line[0].isspace():
            yield read_document(line[0])


def read_document(source: str) -> Document | BadInput:
    """Return the document that a text is, or the BadInput that it is instead."""
    try:
        value = parse(source)
    except BadInput as fault:
        return fault
    return value if type(value) is dict else BadInput("", "A document is a JSON object.")


def reports_on(source: str, answer: Answer) -> Iterator[Document]:
    """Yield the report of each document, in order; of one that cannot be understood the error, with its id."""
    for document in read_documents(source):
        yield error_report(None, document) if isinstance(document, BadInput) else report_on(document, answer)


def report_on(document: Document, answer: Answer) -> Document:
    """Return the report of a document, or what is wrong with it as a report."""
    try:
        return answer(document)
    except BadInput as fault:
        return error_report(document.get("id"), fault)


def error_report(document_id: object, fault: BadInput) -> Document:
    """Return the report of a document that cannot be understood; an id that is no text is not echoed."""
    try:
        echoed = text(document_id)
    except BadInput:
        echoed = None
    return {"id": echoed, "error": {"code": "bad-input", "where": fault.where, "message": fault.message}}


def written(report: Document, encoding: str = "utf-8") -> str:
    """Return a report as one line of JSON, in signs that the encoding has and that end no line."""
    line = json.dumps(report, ensure_ascii=False)
    if line.isascii():
        return line
    try:
        line.encode(encoding)
    except UnicodeEncodeError:
        return json.dumps(report)
    return json.dumps(report) if _LINE_ENDS.search(line) else line
