"""The box that takes a force from elsewhere, in the builder and the free check: a pasted list, or a force file."""

from __future__ import annotations

import datetime
import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events import building
from events.building import Bench
from events.documents import differently_priced, picks_of_file, picks_of_list
from events.forms.forces import ForceListForm
from events.services.forces import add_picks
from rules.engine import BadInput, check_force, read_documents
from rules.force_lists import MAX_LINES, TooManyLines
from rules.list_matches import Candidate, ListedLine, choice_names, match_list
from rules.models import Facts
from rules.queries import catalogued
from rules.tables import kind_words, points_words, rank_words

ACTS = ("list", "list-add")
MAX_FILES = 200


@dataclass(frozen=True)
class ShownLine:
    """A line of a list as the page shows it; `field` keeps what was chosen for it."""

    text: str
    field: str
    found: str
    reason: str
    choices: list[tuple[str, str, bool]]


@dataclass
class PastedForce:
    """What was pasted, and what was found in it. `documents`: force files, each read or a fault."""

    form: ForceListForm
    lines: list[ListedLine] = field(default_factory=list)
    documents: list[Mapping[str, Any] | BadInput] = field(default_factory=list)
    known: dict[tuple[str, int], Facts] = field(default_factory=dict)

    @property
    def picks(self) -> list[dict[str, Any]]:
        """The elements that may be added: those of the only force file, or those chosen for lines."""
        if self.file is not None:
            return picks_of_file(self.file.get("force", {}), self.known)
        return picks_of_list(self.lines)

    @property
    def file(self) -> Mapping[str, Any] | None:
        """The force file, if exactly one was pasted and it can be read."""
        only = self.documents[0] if len(self.documents) == 1 else None
        return None if isinstance(only, BadInput) else only

    @property
    def fault(self) -> BadInput | None:
        """The fault of the only force file."""
        only = self.documents[0] if len(self.documents) == 1 else None
        return only if isinstance(only, BadInput) else None

    @property
    def of_catalogue(self) -> int:
        """The number of the force file's elements that come from the catalogue."""
        return sum("code" in one for one in self.picks)

    @property
    def repriced(self) -> list[str]:
        """The names of the force file's elements that the catalogue prices differently."""
        return differently_priced(self.file["force"], self.known) if self.file is not None else []

    @cached_property
    def shown(self) -> list[ShownLine]:
        """The lines that name an element, as the page shows them."""
        named = zip(self.lines, choice_names(one.line for one in self.lines), strict=True)
        return [
            ShownLine(
                one.line.text,
                name,
                candidate_words(one.chosen) if one.is_certain and one.chosen else "",
                str(one.reason),
                []
                if one.is_certain
                else [(each.key, candidate_words(each), each is one.chosen) for each in one.candidates],
            )
            for one, name in named
            if not one.is_passed_over
        ]

    @property
    def summary(self) -> str:
        """How many lines were found, need a choice, or weren't found."""
        shown = self.shown
        certain, open_ = sum(bool(one.found) for one in shown), sum(bool(one.choices) for one in shown)
        counts = (
            (certain, ngettext("%(n)d line found", "%(n)d lines found", certain)),
            (open_, ngettext("%(n)d ambiguous", "%(n)d ambiguous", open_)),
            (
                len(shown) - certain - open_,
                ngettext("%(n)d not found", "%(n)d not found", len(shown) - certain - open_),
            ),
        )
        return " · ".join(words % {"n": n} for n, words in counts if n)

    @property
    def is_open(self) -> bool:
        """Whether a line still needs a choice, so that more may be added than was found."""
        return any(one.choices and not any(is_chosen for _key, _words, is_chosen in one.choices) for one in self.shown)

    @property
    def has_many(self) -> bool:
        """Whether a line has so many candidates that they can be searched."""
        return any(len(one.choices) > 6 for one in self.shown)

    @property
    def passed_over(self) -> list[str]:
        """The lines that name no element: headings, labels, totals."""
        return [one.line.text for one in self.lines if one.is_passed_over]

    @property
    def left(self) -> str:
        """The lines for which nothing was added."""
        return "\n".join(one.line.text for one in self.lines if not one.is_passed_over and one.chosen is None)

    def add_to(self, bench: Bench) -> None:
        """Add what was found to a bench, as one change."""
        for row in [*self.known.values(), *(one.chosen.row for one in self.lines if one.chosen is not None)]:
            building.keep_facts(bench, row.element.code, row.document, edition=row.element.set.edition)
        add_picks(bench, self.picks)

    def added_words(self) -> str:
        """Say how many items were added."""
        n = len(self.picks)
        return ngettext("%(n)d item added.", "%(n)d items added.", n) % {"n": n}


def candidate_words(one: Candidate) -> str:
    """Return an element that a line may mean, in words."""
    document, element = one.row.document, one.row.element
    figure = element.section == "characters"
    points = points_words(document) if one.points is None else str(one.points)
    facts = [
        one.row.name,
        f"{element.set.name} {element.number}".strip(),
        rank_words(document) if figure else kind_words(element.section, one.row.kind) or element.get_section_display(),
        _("%(points)s points") % {"points": points} if points != "–" else "",
    ]
    return (f"{one.count} × " if one.count > 1 else "") + " · ".join(filter(None, map(str, facts)))


def empty_box() -> PastedForce:
    """Return the box before anything is pasted."""
    return PastedForce(ForceListForm())


def read_pasted(request: HttpRequest, day: datetime.date | None) -> PastedForce:
    """Return what a posted box holds, with what the catalogue has for it on a day."""
    form = ForceListForm(request.POST, request.FILES)
    if not form.is_valid():
        return PastedForce(form)
    text = form.cleaned_data["text"]
    found = PastedForce(ForceListForm({"text": text}))
    if text.lstrip().startswith("{"):
        found.documents = [_read(one) for one in itertools.islice(read_documents(text), MAX_FILES)]
        if found.file is not None:
            found.known = catalogued(dict(found.file), date=day)
        return found
    try:
        found.lines = match_list(text, choices=request.POST, date=day)
    except TooManyLines:
        found.form.add_error("text", _("A list can have at most %(most)d lines.") % {"most": MAX_LINES})
    return found


def _read(document: Any) -> Mapping[str, Any] | BadInput:
    try:
        if isinstance(document, BadInput):
            return document
        check_force(document)
        if "\\u0000" in json.dumps(document):
            raise BadInput("", "This contains NUL characters, which aren't text.")
    except BadInput as fault:
        return fault
    return document


def left_over(pasted: PastedForce) -> PastedForce:
    """Return the box with the lines for which nothing was added, each with its reason."""
    lines = [one for one in pasted.lines if not one.is_passed_over and one.chosen is None]
    return PastedForce(ForceListForm({"text": pasted.left}), lines)
