"""The builder's view of a bench: elements by section, with their faults, choices and dials."""

from __future__ import annotations

import datetime
import functools
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from events import building
from events.building import Bench, Pick
from events.documents import standing_of
from events.force_words import SECTIONS, marks_of, rule_words, theme_words, unchecked_words, verdict_words
from events.models import Force
from events.roles import is_signed_in
from rules.card_texts import CardText
from rules.dials import Dial, StatSlot, dial_of
from rules.queries import card_texts, set_names
from rules.tables import kind_words, points_words, rank_words

OF_THE_WHOLE = frozenset({"build-total", "build-total-increment", "no-character"})
DRAWN = ("dial", "dial_clicks", "starts", "special_powers", "symbols")


@dataclass(frozen=True)
class Remark:
    """One statement of a report: text, severity, and citations as links."""

    words: str
    rule: str
    kind: str
    citations: tuple[dict[str, str], ...] = ()
    elements: tuple[str, ...] = ()
    of_the_whole: bool = False

    @property
    def is_general(self) -> bool:
        """Whether it concerns the whole force, and so is shown once and not beside each element."""
        return self.of_the_whole or not self.elements


@dataclass
class BenchElement:
    """One element as the builder shows it."""

    ref: str
    section: str
    name: str
    facts: Mapping[str, Any]
    rank: str
    kind: str
    points: str
    choices: list[int]
    paid: int | None
    needs_points: bool
    pick: Pick
    address: str = ""
    set_name: str = ""
    remarks: list[Remark] = field(default_factory=list)
    dial: SafeString | str = ""
    start: StatSlot | None = None
    assignable: list[tuple[str, str, bool]] = field(default_factory=list)
    not_in_pool: bool = False
    marks: list[str] = field(default_factory=list)
    texts: list[CardText] = field(default_factory=list)

    @property
    def released(self) -> datetime.date | None:
        """Its street date, if known."""
        known = self.facts.get("street_date")
        return datetime.date.fromisoformat(known) if known else None

    @property
    def standing(self) -> str:
        """The severity of its worst remark: bad, unknown, or ""."""
        kinds = {remark.kind for remark in self.remarks}
        return "bad" if "violation" in kinds else "unknown" if "unchecked" in kinds else ""

    @property
    def assigned_names(self) -> str:
        """The names of the characters it is assigned to."""
        return ", ".join(name for _ref, name, chosen in self.assignable if chosen)


@dataclass(frozen=True)
class BenchVerdict:
    """The report as the page's first card shows it."""

    standing: str
    label: str
    words: str
    total: int
    build_total: int | None
    left: int
    action_total: int
    theme: str
    not_applied: str
    remarks: tuple[Remark, ...]
    general: tuple[Remark, ...]


def cited(citations: Iterable[Mapping[str, Any]]) -> tuple[dict[str, str], ...]:
    """Return citations for a page: section, edition, and the URL that opens it."""
    found = []
    for one in citations:
        edition, section = str(one.get("edition", "")), str(one.get("section", ""))
        query = f"?edition={_quoted(edition)}&section={_quoted(section)}"
        found.append(
            {
                "edition": edition,
                "section": section,
                "note": str(one.get("note", "")),
                "address": reverse("rules:citation") + query,
            }
        )
    return tuple(found)


def _quoted(text: str) -> str:
    from urllib.parse import quote

    return quote(text, safe="")


def remarks_of(report: Mapping[str, Any], names: Mapping[str, str] | None = None) -> list[Remark]:
    """Return all statements of a report, worst first; `names` as in `unchecked_words`."""
    found = [
        Remark(
            one["message"],
            rule_words(one["rule"]),
            kind,
            cited(one["citations"]),
            tuple(one["elements"]),
            one["rule"] in OF_THE_WHOLE,
        )
        for key, kind in (("violations", "violation"), ("warnings", "warning"))
        for one in report.get(key, ())
    ]
    found += [
        Remark(unchecked_words(one, names), rule_words(one["rule"]), "unchecked", (), tuple(one.get("elements", ())))
        for one in report.get("unchecked", ())
    ]
    order = {"violation": 0, "unchecked": 1, "warning": 2}
    return sorted(found, key=lambda remark: order[remark.kind])


def verdict_of(report: Mapping[str, Any]) -> BenchVerdict:
    """Return a report's verdict."""
    standing = standing_of(report)
    remarks = tuple(remarks_of(report))
    total, build_total = report.get("total", 0), report.get("build_total")
    return BenchVerdict(
        standing=standing,
        label=str(Force.Standing(standing).label),
        words=verdict_words(report),
        total=total,
        build_total=build_total,
        left=0 if build_total is None else build_total - total,
        action_total=report.get("action_total") or 0,
        theme=theme_words(report.get("themed_team")),
        not_applied=", ".join(map(rule_words, report.get("not_applied", ()))),
        remarks=remarks,
        general=tuple(remark for remark in remarks if remark.is_general),
    )


@functools.lru_cache(maxsize=2000)
def _drawn(printed: str, name: str, language: str | None) -> tuple[Dial | None, SafeString]:
    dial = dial_of(json.loads(printed))
    return dial, mark_safe(render_to_string("parts/dial.html", {"dial": dial, "name": name}) if dial else "")


def dial_html(facts: Mapping[str, Any], points: int | None = None) -> tuple[StatSlot | None, SafeString]:
    """Return the starting click of a figure played at these points, and a drawing of its dial, cached for the process."""
    kept = json.dumps({key: facts[key] for key in DRAWN if key in facts}, sort_keys=True)
    dial, drawn = _drawn(kept, facts["name"], get_language())
    starts = [click for click in dial.clicks if click.is_start] if dial else []
    return next((click for click in starts if points in click.starts), starts[0] if starts else None), drawn


def line_of(bench: Bench, pick: Pick, *, not_in_pool: Collection[str] = ()) -> BenchElement:
    """Return one pick as a line, without remarks."""
    facts, section = building.facts_of(bench, pick), pick["section"]
    choices = building.points_choices(bench, pick)
    paid = pick.get("points", choices[0] if choices else None)
    code = pick.get("code")
    points = str(paid) if paid is not None else points_words(dict(facts))
    if section in ("feats", "team_ability_cards") and pick.get("points") is None:
        each = facts.get("cost_per_character") if section == "team_ability_cards" else facts.get("points")
        if each is not None and (section == "team_ability_cards" or facts.get("per_character")):
            points = _("%(all)d (%(each)d each)") % {"all": each * len(pick.get("assigned_to", ())), "each": each}
    start, dial = dial_html(facts, paid) if section == "characters" else (None, "")
    return BenchElement(
        ref=pick["ref"],
        section=section,
        name=facts["name"],
        facts=facts,
        rank=rank_words(dict(facts)) if section == "characters" else "",
        kind=kind_words(section, facts.get("kind", "")),
        points=points,
        choices=choices,
        paid=paid,
        needs_points=building.needs_points(bench, pick),
        pick=pick,
        address=reverse("rules:element", args=code.split("/", 1)) if code and "/" in code else "",
        dial=dial,
        start=start,
        not_in_pool=pick["ref"] in not_in_pool,
        marks=marks_of(facts, pick, pick.get("found", {})) if section == "characters" else [],
    )


def sections_of(
    bench: Bench,
    report: Mapping[str, Any] | None,
    *,
    not_in_pool: Collection[str] = (),
    reader: HttpRequest | None = None,
) -> list[tuple[str, str, list[BenchElement]]]:
    """Return the bench by section: code, heading, lines with their remarks.

    If the person who makes the request `reader` is signed in, the lines have the texts of their cards, too.
    """
    lines = {pick["ref"]: line_of(bench, pick, not_in_pool=not_in_pool) for pick in bench["picks"]}
    sets = set_names(str(line.facts.get("set") or "") for line in lines.values())
    for line in lines.values():
        line.set_name = sets.get(str(line.facts.get("set")), "")
    texts = card_texts(building.codes_of(bench)) if reader is not None and is_signed_in(reader) else {}
    for line in lines.values():
        line.texts = texts.get(line.pick.get("code") or "", [])
    for remark in remarks_of(report or {}):
        for ref in () if remark.is_general else remark.elements:
            if ref in lines:
                lines[ref].remarks.append(remark)
    who = [(pick["ref"], building.facts_of(bench, pick)["name"]) for pick in building.characters(bench)]
    for line in lines.values():
        if line.section in building.ASSIGNED:
            chosen = set(line.pick.get("assigned_to", ()))
            line.assignable = [(ref, name, ref in chosen) for ref, name in who]
    grouped: dict[str, list[BenchElement]] = {}
    for pick in bench["picks"]:
        key = "sideline" if pick.get("sideline") else pick["section"]
        grouped.setdefault(key, []).append(lines[pick["ref"]])
    return [(key, str(words), grouped[key]) for key, words in SECTIONS.items() if key in grouped]


def registered(elements: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what was registered from a sealed product, as rows of a page."""
    sets = set_names(one["facts"].get("set") for one in elements)
    return [
        {
            "place": place,
            "code": one.get("code"),
            "name": one["facts"]["name"],
            "set": sets.get(one["facts"].get("set"), ""),
            "number": one["facts"].get("number", ""),
            "rank": rank_words(one["facts"]),
            "points": points_words(one["facts"]),
        }
        for place, one in enumerate(elements)
    ]
