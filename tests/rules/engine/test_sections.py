"""The page on the books' sections (`docs/sections.md`) is true.

Every section of each edition stands there once, and what a modelled one is shown by holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rules.engine import EDITIONS, adjudicate, check_force, headings, power_rows, questions, score_battle

from .fights import battle, fighter
from .golden import CASES

PAGE = Path(__file__).parents[3] / "docs" / "sections.md"
KINDS = ("modelled", "by hand", "not part")
FORMS = re.compile(r"^(case|golden|check|option|power|scenario|see|parts)(?: (.+))?$")


class Told(NamedTuple):
    """A row of the page: a section, whether it is modelled, where, and what shows it."""

    section: str
    kind: str
    where: str
    shown: str


@cache
def page() -> dict[str, list[Told]]:
    """Return the rows of the page for each edition."""
    found: dict[str, list[Told]] = {}
    edition = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            edition = line[3:]
        elif line.startswith("| ") and edition and not line.startswith(("| section", "| ---")):
            section, kind, where, shown = (cell.strip() for cell in line.strip("|").split("|"))
            found.setdefault(edition, []).append(Told(section, kind, where, shown.strip("`")))
    return found


@cache
def documents(folder: str, file: str) -> dict[str, dict[str, Any]]:
    """Return the golden cases of a file by their ids."""
    lines = (CASES / folder / f"{file}.jsonl").read_text(encoding="utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


@cache
def cited(case: str) -> frozenset[tuple[str, str]]:
    """Return the edition and section of every citation in a golden document's report, but for its rulings."""
    place, _, name = case.partition("#")
    folder, _, file = place.partition("/")
    found = documents(folder, file)[name]
    if folder in ("cards", "books"):
        about = {key: found[key] for key in found if key not in ("id", "why", "cite", "expect", "edition")}
        sides = [[fighter(**one) for one in about.pop(side)] for side in ("mine", "theirs")]
        document = battle(found.get("edition", "core-modern"), *sides, *about.pop("actions", ()), **about)
        return frozenset(citations(adjudicate(document) | {"rulings": []}))
    answer = {"disputes": adjudicate, "force": check_force, "battle": score_battle}[folder]
    return frozenset(citations(answer(found["input"]) | {"rulings": []}))


def citations(value: Any) -> Iterator[tuple[str, str]]:
    """Yield the edition and section of each citation in a report."""
    if isinstance(value, dict):
        if "section" in value and "edition" in value:
            yield value["edition"], value["section"]
        for part in value.values():
            yield from citations(part)
    elif isinstance(value, list):
        for part in value:
            yield from citations(part)


def wrong(edition: str, told: Told) -> str:
    """Return what is wrong with a modelled section's evidence, "" if it holds."""
    book, rows = EDITIONS[edition], {one.section: one for one in page()[edition]}
    form = FORMS.match(told.shown)
    if form is None:
        return "a modelled section needs evidence: see the head of the page"
    kind, name = form[1], form[2] or ""

    def speaks(topic: str) -> bool:
        place = book.topics.get(topic)
        return place is not None and place.section == told.section

    match kind:
        case "case":
            return "" if (edition, told.section) in cited(name) else f"{name} doesn't cite it"
        case "golden":
            cases = documents("books", name).values()
            fits = any((one["edition"], one["cite"]) == (edition, told.section) for one in cases)
            return "" if fits else f"no case of {name} is worked out from it"
        case "check":
            return "" if any(one.name == name and speaks(one.topic) for one in book.force.checks) else "no such check"
        case "option":
            return "" if name in questions() and any(map(speaks, questions()[name].topics)) else "no such option"
        case "power":
            row = power_rows(edition).get(name)
            return "" if row is not None and speaks(row.topic) else "no such power"
        case "scenario":
            return "" if name in book.scoring.scenarios and speaks(name) else "no such scenario"
        case "see":
            other = rows.get(name)
            direct = other is not None and other.kind == "modelled" and not other.shown.startswith("see ")
            return "" if direct else f"{name} isn't modelled by itself"
        case _:
            parts = [one for one in rows.values() if one.section.startswith(f"{told.section} › ")]
            return "" if any(one.kind == "modelled" for one in parts) else "none of its parts is modelled"


@pytest.mark.pure
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_section_of_a_book_stands_on_the_page_once_in_its_order(edition):
    told = page()[edition]
    assert [one.section for one in told] == [heading.path for heading in headings(edition).all]
    assert [one for one in told if one.kind not in KINDS or not one.where] == []


@pytest.mark.pure
@pytest.mark.parametrize("edition", EDITIONS)
def test_what_shows_a_modelled_section_holds(edition):
    faults = {one.section: wrong(edition, one) for one in page()[edition] if one.kind == "modelled"}
    assert {section: fault for section, fault in faults.items() if fault} == {}


@pytest.mark.pure
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_section_that_is_not_modelled_is_shown_by_nothing_and_decides_nothing(edition):
    others = {one.section for one in page()[edition] if one.kind != "modelled"}
    assert [one for one in page()[edition] if one.section in others and one.shown] == []
    every = {
        place
        for rows in page().values()
        for one in rows
        if one.shown.startswith("case ")
        for place in cited(one.shown[5:])
    }
    assert sorted(section for name, section in every if name == edition and section in others) == []


def test_evidence_that_does_not_hold_is_told():
    told = page()["core-2014"][0]
    for shown in ("", "case cards/01-powers#none", "golden core-2014-feats", "check unique", "option board.none"):
        if "none" in shown and shown.startswith("case"):
            with pytest.raises(KeyError):
                wrong("core-2014", told._replace(shown=shown))
        else:
            assert wrong("core-2014", told._replace(kind="modelled", shown=shown))
    assert wrong("core-2014", told._replace(shown="power Flurry")) == "no such power"
    assert wrong("core-2014", told._replace(shown="see Credits")) == "Credits isn't modelled by itself"
