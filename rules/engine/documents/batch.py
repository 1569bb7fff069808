"""Batches: a text of one JSON document, or of one document per line, and a report for each.

`reports_on` is given the function that answers one document. A document that can't be read gets a report with the place
and the reason, and never stops the others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final

from rules.engine.documents.reader import is_json, parse, text
from rules.engine.errors import BadInput

Document = dict[str, Any]
Answer = Callable[[Document], Document]

_LINE: Final = re.compile(r"[^\n]*(?:\n|$)")
_BEGINNING: Final = re.compile(r"^[{\[]", re.MULTILINE)
_LINE_ENDS: Final = re.compile("[\x85\u2028\u2029]")


def read_documents(source: str) -> Iterator[Document | BadInput]:
    """Yield each document of a text, or its BadInput.

    A text that parses as a whole is one document, and so is one in which at most one line begins with a bracket:
    otherwise each line that isn't blank is one. `where` is "" if it isn't a JSON object at all.
    """
    source = source.removeprefix("\ufeff")
    beginnings = len(list(islice(_BEGINNING.finditer(source), 2)))
    if "\n" not in source.strip() or beginnings < 2 or is_json(source):
        yield read_document(source)
        return
    for number, line in enumerate(_LINE.finditer(source), 1):
        if line[0].strip():
            yield read_document(line[0], number)


def read_document(source: str, line: int = 1) -> Document | BadInput:
    """Return the document in a text that begins in this line of its file, or its BadInput."""
    try:
        value = parse(source, line)
    except BadInput as fault:
        return fault
    return value if type(value) is dict else BadInput("", "A document must be a JSON object.")


def reports_on(source: str, answer: Answer) -> Iterator[Document]:
    """Yield the report of each document, in order; for one that can't be read its error, with its id."""
    for document in read_documents(source):
        yield error_report(None, document) if isinstance(document, BadInput) else report_on(document, answer)


def report_on(document: Document, answer: Answer) -> Document:
    """Return the report of a document, or an error report."""
    try:
        return answer(document)
    except BadInput as fault:
        return error_report(document.get("id"), fault)


def error_report(document_id: object, fault: BadInput) -> Document:
    """Return the report of a document that can't be read; an id that isn't text is left out."""
    try:
        echoed = text(document_id)
    except BadInput:
        echoed = None
    error, *more = [{"code": "bad-input", "where": one.where, "message": one.message} for one in fault.every]
    return {"id": echoed, "error": {**error, "more": more} if more else error}


def written(report: Document) -> str:
    """Return the report as one line of JSON, in characters that UTF-8 has and that don't end a line."""
    line = json.dumps(report, ensure_ascii=False)
    if line.isascii():
        return line
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(report)
    return json.dumps(report) if _LINE_ENDS.search(line) else line
