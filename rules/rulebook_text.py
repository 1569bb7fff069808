"""A judge's own copy of a rulebook, cut into passages at the headings that citations name.

Text in, passages out; `services.rulebook` stores them. The copy may be the transcription from which the headings were
taken, or another one. In the first case every heading is where the index says, and the notes behind rulings are found
by their lines as well. In the second case headings are found by their words: all at once, in book order, each where the
text looks most like a heading.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from rules.engine import Heading, Headings

WHOLE_LINE, LINE_START, LEAD_IN, AS_PRINTED = 10.0, 5.0, 4.0, 1.0
LEADER = re.compile(r"[.\s·…]*\d+\s*$")
MARKS = "#*>-•_ \t\f"


@dataclass(frozen=True, slots=True)
class Passage:
    """The text under one heading, up to the next one; or the note behind a ruling."""

    section: str
    text: str
    ruling: str = ""


@dataclass(frozen=True, slots=True)
class CutText:
    """A copy cut at its headings: its passages in order, the headings not found, and whether it is the known text."""

    passages: tuple[Passage, ...]
    missing: tuple[str, ...]
    exact: bool


class HeadingPlace(NamedTuple):
    """A possible place of a heading, and how much the text looks like one there."""

    start: int
    weight: float


def cut(book: Headings, text: str, notes: Iterable[tuple[str, str, int]] = ()) -> CutText:
    """Cut a copy of a book at its headings.

    `notes` are (ruling, section, line) of rulings: they are cut out as well, but only from the transcription in which
    the lines were counted.
    """
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = _line_starts(text)
    known = _where_they_should_be(book, text, lines)
    exact = known is not None
    starts = known if known is not None else _found_by_words(book, text, lines)
    standing = sorted((start, number) for number, start in starts.items())
    passages = []
    for place, (start, number) in enumerate(standing):
        end = standing[place + 1][0] if place + 1 < len(standing) else len(text)
        passages.append(Passage(book.all[number].path, text[start:end].strip()))
    if exact and book.unit == "line":
        passages += _notes(text, lines, [start for start, _number in standing], notes)
    missing = tuple(heading.path for number, heading in enumerate(book.all) if number not in starts)
    return CutText(tuple(passages), missing, exact)


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


def _where_they_should_be(book: Headings, text: str, lines: list[int]) -> dict[int, int] | None:
    """Return where each heading starts if this is the transcription from which the index was made, otherwise None."""
    length = len(lines) if book.unit == "line" else len(text)
    if length != book.length:
        return None
    starts = {}
    for number, heading in enumerate(book.all):
        start = lines[heading.at - 1] if book.unit == "line" else heading.at
        end = text.find("\n", start) if book.unit == "line" else start + len(heading.printed) + 10
        if _letters(heading.printed) not in _letters(text[start : end if end >= 0 else len(text)]):
            return None
        starts[number] = start
    return starts


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", text.casefold())


def _found_by_words(book: Headings, text: str, lines: list[int]) -> dict[int, int]:
    """Return where the headings start: the combination of places, in book order, that looks most like headings."""
    order = sorted(range(len(book.all)), key=lambda number: (book.all[number].at, number))
    best: list[tuple[float, int, int, int | None]] = []
    by_start: list[int] = []
    tops: list[int] = []
    for number in order:
        heading = book.all[number]
        if not heading.printed:
            continue
        rows = []
        for place in _places(heading, text, lines):
            nearness = 1.0 - abs(place.start / max(len(text), 1) - heading.at / max(book.length, 1))
            before = bisect_right(by_start, place.start - 1) - 1
            previous = tops[before] if before >= 0 else None
            reached = best[previous][0] if previous is not None else 0.0
            rows.append((reached + place.weight + nearness, place.start, number, previous))
        for row in rows:
            best.append(row)
            _keep(best, by_start, tops, len(best) - 1)
    chosen: dict[int, int] = {}
    at = max(range(len(best)), key=lambda index: best[index][0], default=None)
    while at is not None:
        _weight, start, number, at = best[at]
        chosen[number] = start
    return chosen


def _keep(best: list[tuple[float, int, int, int | None]], by_start: list[int], tops: list[int], index: int) -> None:
    """Keep the best chain that ends at or before each start: starts and weights both increase."""
    weight, start = best[index][0], best[index][1]
    at = bisect_right(by_start, start)
    if at and best[tops[at - 1]][0] >= weight:
        return
    end = at
    while end < len(by_start) and best[tops[end]][0] <= weight:
        end += 1
    begin = at - 1 if at and by_start[at - 1] == start else at
    by_start[begin:end] = [start]
    tops[begin:end] = [index]


def _places(heading: Heading, text: str, lines: list[int]) -> Iterable[HeadingPlace]:
    """Yield the places where a heading's words appear like a heading, and how much they look like one."""
    words = re.findall(r"[^\W_]+", heading.printed)
    if not words:
        return
    gap = r"[\W_]{1,6}?"
    pattern = re.compile(r"(?<![^\W_])" + gap.join(map(re.escape, words)) + r"(?![^\W_])", re.IGNORECASE)
    for match in pattern.finditer(text):
        line = bisect_right(lines, match.start()) - 1
        line_end = lines[line + 1] - 1 if line + 1 < len(lines) else len(text)
        before, after = text[lines[line] : match.start()], text[match.end() : line_end]
        weight = _looks(heading, match.group(), before, after)
        if weight:
            yield HeadingPlace(match.start() - (len(before) if not before.strip(MARKS) else 0), weight)


def _looks(heading: Heading, words: str, before: str, after: str) -> float:
    """Return how much words look like a heading, from the text before and after them in their line; 0: not at all."""
    if after.strip() and LEADER.fullmatch(after):
        return 0.0
    alone = not re.sub(r"\d", "", before).strip(MARKS + "().")
    if alone and not after.strip(MARKS + ".:!?\"”'’)"):
        return WHOLE_LINE
    as_printed = words in (heading.printed, heading.printed.upper(), heading.name)
    if alone and (after[:1] in ":.(" or after[:2] in ("**", "!:", " (")) and as_printed:
        return LINE_START
    if as_printed and after[:1] in ".:" and heading.printed[:1].isupper():
        return LEAD_IN
    if words.isupper() and len(words) > 3:
        return LEAD_IN
    return AS_PRINTED if as_printed and len(words.split()) > 1 else 0.0


def _notes(
    text: str, lines: list[int], headings: list[int], notes: Iterable[tuple[str, str, int]]
) -> Iterable[Passage]:
    """Yield the note at each ruling's line: up to an empty line, the next ruling's line or the next heading."""
    told = [note for note in notes if 0 < note[2] <= len(lines)]
    starts = sorted({lines[line - 1] for _ruling, _section, line in told} | set(headings))
    for ruling, section, line in told:
        start = lines[line - 1]
        following = bisect_right(starts, start)
        end = starts[following] if following < len(starts) else len(text)
        empty = text.find("\n\n", start)
        if 0 <= empty < end:
            end = empty
        note = text[start:end].strip()
        if note:
            yield Passage(section, note, ruling)
