"""The XML layout of card sets: `card`, `property`, one `alternate` per click, `KO` last.

Read with a plain event parser that refuses a document type, and so all custom entities, before reading it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from django.utils.translation import gettext as _

from ..card_texts import CardText
from ..card_texts import read as read_card_text
from ..dials import SLOTS, SYMBOLS, standard_power
from ..documents import MAX_CLICKS, MOVEMENT, OTHER_KINDS, TARGETING, BadFacts, a_number, fold, one_of
from ..uploads import check_size
from .records import (
    BASES,
    MAX_RECORDS,
    PASSED_OVER,
    RINGS,
    Faults,
    FileReading,
    NoElements,
    PassedOver,
    Record,
    UnreadableFile,
    dial_with_gaps,
    rarity_of,
    ring_of,
    set_slug,
    sound_name,
    split_keywords,
    starts_of,
    whole_number,
)

LAYOUT = "octgn"
TEXTS = "Traits and Special Powers"
DEEPEST = 20
KNOWN = frozenset(
    {
        "Unit ID", "Collector Number", "Unit Type", "Rarity", "Point Values", "Team Abilities", "Team Abilities Search",
        "Keywords", "Keywords Search", "Range", "Targets", "Combat Symbols", TEXTS, "Properties",
        "Improved Movement", "Improved Targeting", "Real Name", "Dial Size", "Set Code", "Rank",
    }
)  # fmt: skip
COMMON = frozenset({"Rarity"})
"""Properties that cards of other games have, too."""
KNOWN_ON_CLICK = frozenset(
    {"Click Number", "Starting Line"} | {name for slot in SLOTS for name in (slot.title(), f"{slot.title()} Ability")}
)
KINDS: dict[str, tuple[str, str, str]] = {
    "character": ("characters", "character", ""),
    "alternate-card": ("characters", "character", "team up"),
    "legacy-card": ("characters", "character", "legacy"),
    "bystander": ("characters", "bystander", ""),
    "horde": ("characters", "horde", ""),
    "object": ("objects", "", ""),
    "battlefield-condition": ("battlefield_conditions", "", ""),
    "feat": ("feats", "", ""),
    "resource": ("resources", "", ""),
    "trick-arrow-card": ("other", "trick-arrow", ""),
    **{kind: ("other", kind, "") for kind in OTHER_KINDS if kind != "legacy-card"},
}
"""The unit types of these files: section of a force file, kind there, and the property it stands for."""
ABBREVIATED = {"pac": "powers-and-abilities"}
SPECIAL = "Special - "
GIVEN = "Powers: "
SORT_OF_TRAIT = re.compile(r"^\[([A-Z]\w*(?: \w+)?) Trait\]", re.MULTILINE)
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


def _of_another_game(cards: list[_Card]) -> bool:
    """Return whether cards have properties, but none that only these files have."""
    on_cards = {name for card in cards for name in card.properties} - COMMON
    on_clicks = {name for card in cards for *_shape, values in card.clicks for name in values}
    return bool(on_cards | on_clicks) and on_cards.isdisjoint(KNOWN) and on_clicks.isdisjoint(KNOWN_ON_CLICK)


def _several(text: str) -> list[str]:
    return [part.strip() for part in text.split("|") if part.strip()]


def _names(text: str) -> list[str]:
    """Return names in their printed form: these files capitalise every word, as in "Brotherhood Of Mutants"."""
    return [re.sub(r"(?<=\S )(Of|The|And)\b", lambda word: word[0].lower(), name) for name in _several(text)]


def _slug(text: str) -> str:
    return "-".join(text.lower().replace("_", " ").split())


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


def _click_number(values: Mapping[str, str], clicks: Mapping[int, Any]) -> int:
    number: int = a_number(1, MAX_CLICKS)(whole_number(values.get("Click Number", ""), "Click Number"), "Click Number")
    if number in clicks:
        raise BadFacts("Click Number", _("Click %(number)s appears twice.") % {"number": number})
    return number


def _click(values: Mapping[str, str], number: int, reading: FileReading, faults: Faults) -> dict[str, Any]:
    if all(values.get(slot.title()) == "KO" for slot in SLOTS):
        return {"ko": True}
    click: dict[str, Any] = {}
    powers = {}
    for slot in SLOTS:
        if said := values.get(slot.title()):
            click[slot] = faults.read(whole_number, said, f"click {number}, {slot.title()}")
        ability = values.get(f"{slot.title()} Ability", "")
        if ability.startswith(SPECIAL):
            powers[slot] = " ".join(ability[len(SPECIAL) :].split()) or "Special power"
        elif ability and (power := standard_power(ability)):
            powers[slot] = power
        elif ability:
            reading.unknown[f"{slot.title()} Ability: {ability}"[:80]] += 1
    return {**click, "powers": powers} if powers else click


def _special(card: _Card, texts: list[CardText], reading: FileReading) -> list[dict[str, Any]]:
    """Return the special powers on the clicks, and the traits; texts begin with a line of the standard powers given."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for _kind, _size, values in card.clicks:
        for slot in SLOTS:
            ability = values.get(f"{slot.title()} Ability", "")
            if ability.startswith(SPECIAL):
                name = " ".join(ability[len(SPECIAL) :].split()) or "Special power"
                found.setdefault((slot, fold(name)), {"slot": slot, "name": name})
    for text in texts:
        if not text["slot"]:
            continue
        name = text["name"] or "Special power"
        power = found.setdefault((text["slot"], fold(name)), {"slot": text["slot"], "name": name})
        if text["sort"]:
            power["sort"] = text["sort"].lower()
        for said in _given(text["text"]):
            if (standard := standard_power(said)) is not None:
                power.setdefault("powers", []).append(standard)
            elif said.lower() == "stop":
                power["stop"] = True
            else:
                reading.unknown[f"Powers: {said}"[:80]] += 1
    return list(found.values())


def _given(text: str) -> list[str]:
    first = text.partition("\n")[0]
    return [said.strip() for said in first[len(GIVEN) :].split(",") if said.strip()] if first.startswith(GIVEN) else []


def _dial(card: _Card, points: list[int], reading: FileReading, faults: Faults) -> dict[str, Any]:
    clicks: dict[int, dict[str, Any]] = {}
    starting: list[int] = []
    starts: dict[str, int] = {}
    base = ""
    for kind, size, values in card.clicks:
        base = base or size
        if kind.upper().startswith("KO"):
            continue
        for name in values.keys() - KNOWN_ON_CLICK:
            reading.unknown[f"click: {name}"[:80]] += 1
        number = faults.read(_click_number, values, clicks)
        if number is None:
            continue
        clicks[number] = _click(values, number, reading, faults)
        line = values.get("Starting Line", "")
        if line.isascii() and line.isdigit() and len(line) < 8:
            starts[str(int(line))] = number
        elif line:
            starting.append(number)
    facts: dict[str, Any] = {}
    if clicks:
        facts["dial"] = dial_with_gaps(clicks)
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


def _facts(card: _Card, kind: str, texts: list[CardText], reading: FileReading, faults: Faults) -> dict[str, Any]:
    said = card.properties
    section, sort, stands_for = KINDS[kind]
    points = faults.read(_points, said.get("Point Values", "")) or []
    properties = [name.lower() for name in _several(said.get("Properties", ""))]
    facts: dict[str, Any] = {
        "number": said.get("Collector Number", ""),
        "name": card.name,
        "points": max(points, default=None),
        "rarity": rarity_of(said.get("Rarity", "")),
        "properties": [name for name in (*properties, stands_for) if name and name not in RINGS] or None,
    }
    if said.get("Rarity") and not facts["rarity"] and said["Rarity"].lower() not in RINGS:
        reading.unknown[f"Rarity: {said['Rarity']}"[:80]] += 1
    if section == "other":
        facts["kind"] = sort
    if section != "characters":
        return facts
    teams, keywords = (_names(said.get(name, "")) for name in ("Team Abilities", "Keywords"))
    rank = ring_of((*properties, said.get("Rank", ""), said.get("Rarity", "")))
    facts |= {"rank": rank, "kind": sort, "teams": teams, **split_keywords(keywords)}
    facts["special_powers"] = _special(card, texts, reading)
    facts |= {"symbols": _symbols(said.get("Combat Symbols", ""), reading), "improved": _improved(card, reading)}
    facts["real_name"] = said.get("Real Name", "")
    if len(points) > 1:
        facts["point_options"] = points
    for name, fact in (("Range", "range"), ("Targets", "bolts"), ("Dial Size", "dial_clicks")):
        if said.get(name):
            facts[fact] = faults.read(whole_number, said[name], name)
    facts |= _dial(card, points, reading, faults)
    return {key: value for key, value in facts.items() if value not in ("", [], {})}


def _record(card: _Card, set_name: str, set_code: str, reading: FileReading) -> Record:
    where = f"line {card.line}"
    kind = _slug(card.properties.get("Unit Type", "character"))
    kind = ABBREVIATED.get(kind, kind)
    if kind.replace("-", "_") in PASSED_OVER:
        return PassedOver(where, sound_name(card.name), kind)
    for name in card.properties.keys() - KNOWN:
        reading.unknown[name[:80] or "(no name)"] += 1
    faults = Faults(where)
    card.properties = faults.long_cells(card.properties)
    card.clicks = [(kind, size, faults.long_cells(values)) for kind, size, values in card.clicks]
    if faults.read(one_of(*KINDS), kind, "Unit Type") is None:
        return faults.record("", {"name": card.name}, set_code="")
    unit, number = card.properties.get("Unit ID", ""), card.properties.get("Collector Number", "")
    own = unit[: -len(number)] if number and unit.endswith(number) else ""
    code = set_slug(set_code or card.properties.get("Set Code", "") or own or set_name)
    if not code:
        faults.add(BadFacts("", _("The file doesn't name a set. Enter the set code when importing.")))
    written = SORT_OF_TRAIT.sub(r"[Trait: \1 Trait]", card.properties.get(TEXTS, ""))
    texts = faults.read(read_card_text, written, TEXTS) or []
    facts = _facts(card, kind, texts, reading, faults)
    return faults.record(KINDS[kind][0], facts, set_code=code, set_name=set_name, texts=texts)


def read(content: bytes, set_code: str, told: Callable[[int], None]) -> FileReading:
    """Return a card set's elements; faults are reported with their line. Raises UnreadableFile."""
    check_size("catalogue", len(content))
    if not content.strip():
        raise UnreadableFile(_("The file is empty."))
    reader = _Reader()
    reader.read(content)
    if reader.root != "set":
        raise NoElements(
            _("The file must contain a <set> of cards, not a <%(root)s>.") % {"root": reader.root[:40]}, "line 1"
        )
    if _of_another_game(reader.cards):
        raise NoElements(_("The file contains no HeroClix figures, objects or cards."))
    reading = FileReading(LAYOUT, told)
    reading.unknown.update(reader.unknown)
    for card in reader.cards:
        reading.add(_record(card, reader.set_name, set_code, reading))
    return reading
