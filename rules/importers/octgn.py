"""The XML layout of card sets: `card`, `property`, one `alternate` per click, `KO` last.

Read with a plain event parser that refuses a document type, and so all custom entities, before reading it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from django.utils.translation import gettext as _

from ..dials import SLOTS, SYMBOLS, standard_power
from ..documents import MAX_CLICKS, MOVEMENT, TARGETING, brief
from ..uploads import check_size
from .records import (
    BASES,
    MAX_RECORDS,
    ElementRecord,
    FileReading,
    PassedOver,
    RecordFault,
    UnreadableFile,
    dial_with_gaps,
    rarity_of,
    ring_of,
    set_slug,
    split_keywords,
    starts_of,
    whole_number,
)

LAYOUT = "octgn"
DEEPEST = 20
KNOWN = frozenset(
    {
        "Unit ID", "Collector Number", "Unit Type", "Rarity", "Point Values", "Team Abilities", "Team Abilities Search",
        "Keywords", "Keywords Search", "Range", "Targets", "Combat Symbols", "Traits and Special Powers", "Properties",
        "Improved Movement", "Improved Targeting", "Real Name", "Dial Size",
    }
)  # fmt: skip
KNOWN_ON_CLICK = frozenset(
    {"Click Number", "Starting Line"} | {name for slot in SLOTS for name in (slot.title(), f"{slot.title()} Ability")}
)
SECTIONS = {
    "character": ("characters", "character"),
    "bystander": ("characters", "bystander"),
    "horde": ("characters", "horde"),
    "object": ("objects", ""),
    "equipment": ("other", "equipment"),
    "id card": ("other", "id-card"),
    "battlefield condition": ("battlefield_conditions", ""),
    "feat": ("feats", ""),
    "resource": ("resources", ""),
}
NO_PART_OF_A_FORCE = {"map"}
SPECIAL = "Special - "
PLAIN_SYMBOLS = {"starburst": "standard"}


@dataclass
class _Card:
    line: int
    name: str
    properties: dict[str, str] = field(default_factory=dict)
    clicks: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)


class _Reader:
    """Collects the parser's events into cards."""

    def __init__(self) -> None:
        self.set_name = ""
        self.root = ""
        self.cards: list[_Card] = []
        self.card: _Card | None = None
        self.click: dict[str, str] | None = None
        self.depth = 0
        self.unknown: Counter[str] = Counter()
        self.parser = expat.ParserCreate()
        self.parser.StartDoctypeDeclHandler = self.refuse
        self.parser.EntityDeclHandler = self.refuse
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end

    @property
    def where(self) -> str:
        return f"line {self.parser.CurrentLineNumber}"

    def refuse(self, *_declared: Any) -> None:
        raise UnreadableFile(
            _("The file declares a document type or entities, which aren't supported. Remove them."), self.where
        )

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise UnreadableFile(_("The file is nested too deeply."), self.where)
        if self.depth == 1:
            self.root = tag
            self.set_name = attributes.get("name", "")
        elif tag == "card":
            if len(self.cards) >= MAX_RECORDS:
                raise UnreadableFile(
                    _("The file has more than %(most)s cards. Split it and import the parts.") % {"most": MAX_RECORDS}
                )
            self.card = _Card(self.parser.CurrentLineNumber, attributes.get("name", "").strip())
            self.cards.append(self.card)
            self.click = None
        elif tag == "alternate" and self.card is not None:
            self.click = {}
            self.card.clicks.append((attributes.get("type", ""), attributes.get("size", ""), self.click))
        elif tag == "property" and self.card is not None:
            into = self.card.properties if self.click is None else self.click
            into[attributes.get("name", "")] = attributes.get("value", "").strip()
        elif tag != "cards":
            self.unknown[f"<{tag}>"[:80]] += 1

    def end(self, tag: str) -> None:
        self.depth -= 1
        if tag == "alternate":
            self.click = None
        elif tag == "card":
            self.card = None

    def read(self, content: bytes) -> None:
        try:
            self.parser.Parse(content, True)
        except expat.ExpatError as error:
            said = expat.ErrorString(error.code)
            raise UnreadableFile(
                _("This isn't valid XML: %(said)s.") % {"said": said}, f"line {error.lineno}, column {error.offset + 1}"
            ) from None
        except (LookupError, ValueError) as error:
            if isinstance(error, UnreadableFile):
                raise
            raise UnreadableFile(_("This XML file's encoding isn't supported. Save it as UTF-8."), self.where) from None


def _several(text: str) -> list[str]:
    return [part.strip() for part in text.split("|") if part.strip()]


def _names(text: str) -> list[str]:
    """Return names in their printed form: these files capitalise every word, as in "Brotherhood Of Mutants"."""
    return [re.sub(r"(?<=\S )(Of|The|And)\b", lambda word: word[0].lower(), name) for name in _several(text)]


def _points(text: str) -> list[int]:
    return [whole_number(part, "Point Values") for part in text.replace("|", "/").split("/") if part.strip()]


def _symbols(text: str, reading: FileReading) -> dict[str, str]:
    found = {}
    for said in _several(text):
        symbol = said.lower().replace("transport ", "transporter-").replace(" ", "-")
        symbol = PLAIN_SYMBOLS.get(symbol, symbol)
        slot = next((slot for slot in SLOTS if symbol in SYMBOLS[slot]), None)
        if slot is None:
            reading.unknown[f"Combat Symbols: {said}"[:80]] += 1
        else:
            found[slot] = symbol
    return found


def _dial(card: _Card, points: list[int], reading: FileReading) -> dict[str, Any]:
    clicks: dict[int, dict[str, Any]] = {}
    starting: list[int] = []
    starts: dict[str, int] = {}
    special: dict[tuple[str, str], None] = {}
    base = ""
    for kind, size, values in card.clicks:
        base = base or size
        if kind.upper().startswith("KO"):
            continue
        for name in values.keys() - KNOWN_ON_CLICK:
            reading.unknown[f"click: {name}"[:80]] += 1
        number = whole_number(values.get("Click Number", ""), "Click Number")
        if not 1 <= number <= MAX_CLICKS:
            raise ValueError(
                _("Click Number must be from 1 to %(most)s, not %(number)s") % {"most": MAX_CLICKS, "number": number}
            )
        if number in clicks:
            raise ValueError(_("click %(number)s appears twice") % {"number": number})
        if all(values.get(slot.title()) == "KO" for slot in SLOTS):
            clicks[number] = {"ko": True}
            continue
        click: dict[str, Any] = {}
        powers = {}
        for slot in SLOTS:
            if said := values.get(slot.title()):
                click[slot] = whole_number(said, f"click {number}, {slot.title()}")
            ability = values.get(f"{slot.title()} Ability", "")
            if ability.startswith(SPECIAL):
                powers[slot] = " ".join(ability[len(SPECIAL) :].split()) or "Special power"
                special[slot, powers[slot]] = None
            elif ability:
                power = standard_power(ability)
                if power is None:
                    reading.unknown[f"{slot.title()} Ability: {ability}"[:80]] += 1
                else:
                    powers[slot] = power
        if powers:
            click["powers"] = powers
        clicks[number] = click
        line = values.get("Starting Line", "")
        if line.isascii() and line.isdigit() and len(line) < 8:
            starts[str(int(line))] = number
        elif line:
            starting.append(number)
    facts: dict[str, Any] = {}
    if clicks:
        facts["dial"] = dial_with_gaps(clicks)
    if special:
        facts["special_powers"] = [{"slot": slot, "name": name} for slot, name in special]
    if starts := starts or starts_of(points, starting):
        facts["starts"] = starts
    if base in BASES:
        facts["base"] = BASES[base]
    elif base:
        reading.unknown[f"size: {base}"[:80]] += 1
    return facts


def _improved(card: _Card, reading: FileReading) -> dict[str, list[str]]:
    found = {}
    for key, allowed in (("movement", MOVEMENT), ("targeting", TARGETING)):
        names = []
        for said in _several(card.properties.get(f"Improved {key.title()}", "")):
            name = said.lower().replace(" ", "-")
            if name in allowed:
                names.append(name)
            else:
                reading.unknown[f"Improved {key.title()}: {said}"[:80]] += 1
        if names:
            found[key] = names
    return found


def _facts(card: _Card, section: str, kind: str, reading: FileReading) -> dict[str, Any]:
    said = card.properties
    facts: dict[str, Any] = {"number": said.get("Collector Number", ""), "name": card.name}
    points = _points(said.get("Point Values", ""))
    if points:
        facts["points"] = max(points)
    if rarity := said.get("Rarity"):
        if named := rarity_of(rarity):
            facts["rarity"] = named
        else:
            reading.unknown[f"Rarity: {rarity}"[:80]] += 1
    if section == "other":
        facts["kind"] = kind
    if section != "characters":
        return facts
    properties = [name.lower() for name in _several(said.get("Properties", ""))]
    for name in properties:
        if name not in ("unique", "prime"):
            reading.unknown[f"Properties: {name}"[:80]] += 1
    teams, keywords = (_names(said.get(name, "")) for name in ("Team Abilities", "Keywords"))
    facts |= {"rank": ring_of(properties), "kind": kind, "teams": teams, **split_keywords(keywords)}
    facts |= {"symbols": _symbols(said.get("Combat Symbols", ""), reading), "improved": _improved(card, reading)}
    facts["real_name"] = said.get("Real Name", "")
    if len(points) > 1:
        facts["point_options"] = points
    for name, fact in (("Range", "range"), ("Targets", "bolts"), ("Dial Size", "dial_clicks")):
        if said.get(name):
            facts[fact] = whole_number(said[name], name)
    facts |= _dial(card, points, reading)
    return {key: value for key, value in facts.items() if value not in ("", [], {})}


def _record(
    card: _Card, set_name: str, set_code: str, reading: FileReading
) -> ElementRecord | RecordFault | PassedOver:
    where = f"line {card.line}"
    for name in card.properties.keys() - KNOWN:
        reading.unknown[name[:80] or "(no name)"] += 1
    kind = card.properties.get("Unit Type", "character").lower()
    try:
        if kind in NO_PART_OF_A_FORCE:
            return PassedOver(where, card.name, _("A force can't include a %(kind)s.") % {"kind": kind})
        if kind not in SECTIONS:
            raise ValueError(
                _("Unit Type must be one of %(choices)s, not %(kind)s")
                % {"choices": ", ".join([*SECTIONS, *NO_PART_OF_A_FORCE]), "kind": brief(kind)}
            )
        unit, number = card.properties.get("Unit ID", ""), card.properties.get("Collector Number", "")
        own = unit[: -len(number)] if number and unit.endswith(number) else ""
        code = set_slug(set_code or own or set_name)
        if not code:
            raise ValueError(_("no set given: the file doesn't name it"))
        section, sort = SECTIONS[kind]
        return ElementRecord(where, code, section, _facts(card, section, sort, reading), set_name)
    except ValueError as error:
        return RecordFault(where, card.name, str(error))


def read(content: bytes, set_code: str = "") -> FileReading:
    """Return a card set's elements; faults are reported with their line. Raises UnreadableFile."""
    check_size("catalogue", len(content))
    if not content.strip():
        raise UnreadableFile(_("The file is empty."))
    reader = _Reader()
    reader.read(content)
    if reader.root != "set":
        raise UnreadableFile(
            _("The file must contain a <set> of cards, not a <%(root)s>.") % {"root": reader.root[:40]}, "line 1"
        )
    reading = FileReading(LAYOUT)
    reading.unknown.update(reader.unknown)
    reading.records += [_record(card, reader.set_name, set_code, reading) for card in reader.cards]
    return reading
