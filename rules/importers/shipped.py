"""The shipped library: TOML files, each with a set and its elements, dials in a compact notation."""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from ..dials import SLOTS, standard_power
from ..documents import FACTS, BadFacts, one_of, shown, unknown_key
from ..engine import written_corrections
from ..services.catalogue import NewElement

LIBRARY = Path(__file__).resolve().parent.parent / "library"
PUBLISHED_BY = datetime.date(2002, 9, 20)
"""The book dates its figure corrections as a whole: this is the later of its two days, when all of them were
published."""
CHANGES = ("teams_removed", "teams_added", "speed_symbol", "powers_replaced", "powers_confirmed")
SPAN = re.compile(r"(?P<power>.*?)\s+(?P<first>\d+)(?:-(?P<last>\d+))?")


@dataclass(frozen=True)
class ShippedSet:
    """A file of the library: its set, that set's other names, and its elements."""

    code: str
    facts: Mapping[str, Any]
    also: tuple[str, ...] = ()
    elements: tuple[NewElement, ...] = field(default=())


@dataclass(frozen=True)
class ShippedCorrection:
    """A correction of the library: the figure, the date, and its changes."""

    code: str
    set_code: str
    number: str
    change: Mapping[str, Any]
    text: str
    citation: Mapping[str, Any]
    from_date: datetime.date


def noted_dial(notes: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the clicks of a dial written by value: `"8 8 7 | Stealth 1-2"`. Raises BadFacts if it is inconsistent."""
    if missing := [slot for slot in SLOTS if slot not in notes]:
        raise BadFacts("dial", _("The dial has no values for %(missing)s.") % {"missing": ", ".join(missing)})
    clicks: list[dict[str, Any]] = []
    for slot in SLOTS:
        numbers, _between, powers = notes[slot].partition("|")
        try:
            values = [int(number) for number in numbers.split()]
        except ValueError:
            words = _("This must begin with numbers separated by spaces, not %(numbers)s.")
            raise BadFacts(slot, words % {"numbers": shown(numbers.strip())}) from None
        if not clicks:
            clicks = [{} for _ in values]
        if len(values) != len(clicks):
            words = _("This must have as many clicks as the speed (%(clicks)s), not %(values)s.")
            raise BadFacts(slot, words % {"values": len(values), "clicks": len(clicks)})
        for click, value in zip(clicks, values, strict=True):
            click[slot] = value
        for note in filter(None, (part.strip() for part in powers.split(","))):
            said = SPAN.fullmatch(note)
            if said is None:
                words = _("This must give each power with its clicks, such as Stealth 1-2, not %(note)s.")
                raise BadFacts(slot, words % {"note": shown(note)})
            first, last = int(said["first"]), int(said["last"] or said["first"])
            if not 1 <= first <= last <= len(clicks):
                words = _("%(note)s goes beyond the dial's last click (%(clicks)s).")
                raise BadFacts(slot, words % {"note": shown(note), "clicks": len(clicks)})
            for click in clicks[first - 1 : last]:
                click.setdefault("powers", {})[slot] = standard_power(said["power"]) or said["power"]
    return clicks


def _element(section: str, set_code: str, entry: dict[str, Any], source: str, base_color: str) -> NewElement:
    facts = dict(entry)
    code, source = facts.pop("code", ""), facts.pop("source", source)
    if section == "characters":
        notes = {slot: facts.pop(slot) for slot in SLOTS if slot in facts}
        if notes:
            facts["dial"] = noted_dial(notes)
        facts.setdefault("rank", "common")
        if base_color:
            facts.setdefault("base_color", base_color)
        if "starts" in facts:
            facts["starts"] = {str(points): click for points, click in facts["starts"].items()}
    if isinstance(facts.get("street_date"), datetime.date):
        facts["street_date"] = facts["street_date"].isoformat()
    return NewElement(set_code, section, facts, code, source)


def read_set(path: Path) -> ShippedSet:
    """Return a file of the library. Raises BadFacts, with the element's name, if it isn't as the README describes."""
    written = tomllib.loads(path.read_text(encoding="utf-8"))
    head = dict(written.pop("set"))
    code, also, source = head.pop("code"), tuple(head.pop("also", ())), head.pop("source", "")
    base_color = head.pop("base_color", "")
    elements = []
    for section, entries in written.items():
        one_of(*FACTS)(section, f"{path.name}/{section}")
        for entry in entries:
            try:
                elements.append(_element(section, code, entry, source, base_color))
            except BadFacts as bad:
                raise BadFacts(f"{path.name}/{entry.get('name')}/{bad.where}", bad.message) from bad
    return ShippedSet(code, {**head, "provenance": source}, also, tuple(elements))


def shipped_sets() -> Iterator[ShippedSet]:
    """Return every file of the library's catalogue, in order of name."""
    for path in sorted((LIBRARY / "catalogue").glob("*.toml")):
        yield read_set(path)


def shipped_corrections(sets: Iterable[ShippedSet]) -> list[ShippedCorrection]:
    """Return the figure corrections of the Compiled and Annotated Rulebook, as the engine has them."""
    written = written_corrections("car-2002")
    by_name = {name: each.code for each in sets for name in (each.code, *each.also)}
    found = []
    for entry in written.get("correction", ()):
        number = str(entry["number"])
        citation = {"edition": written["edition"], "section": entry["section"], "authority": "correction"}
        found.append(
            ShippedCorrection(
                code=entry["id"] if entry["id"].endswith(f"-{number}") else f"{entry['id']}-{number}",
                set_code=by_name.get(entry["set"], entry["set"]),
                number=number,
                change=entry["change"],
                text=entry.get("note", ""),
                citation={**citation, "date": None},
                from_date=entry.get("from_date", PUBLISHED_BY),
            )
        )
    return found


def changes_of(change: Mapping[str, Any], facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return a shipped correction's `change` as changes to these facts. Raises BadFacts for an unknown key."""
    changes: dict[str, Any] = {}
    for key, value in change.items():
        if key in ("teams_removed", "teams_added"):
            teams = changes.get("teams", list(facts.get("teams", ())))
            changes["teams"] = (
                [team for team in teams if team not in value]
                if key == "teams_removed"
                else [*teams, *(team for team in value if team not in teams)]
            )
        elif key == "speed_symbol":
            changes["symbols.speed"] = value
        elif key == "powers_replaced":
            changes["replace_powers"] = dict(value)
        elif key == "powers_confirmed":
            known = facts.get("powers", [])
            if "dial" not in facts:
                changes["powers"] = [*known, *(power for power in value if power not in known)]
        else:
            raise unknown_key(key, key, CHANGES)
    return changes
