"""The JSON layout of unit lists: a list of units, numbers partly as text, `dial` a list of clicks.

Texts of rules aren't imported: the catalogue keeps facts only.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from ..dials import SLOTS, SYMBOLS, standard_power
from ..documents import MAX_CLICKS, MOVEMENT, TARGETING, brief
from ..uploads import TooLarge, Unreadable, read_json
from .records import (
    BASES,
    MAX_RECORDS,
    ElementRecord,
    FileReading,
    PassedOver,
    RecordFault,
    UnreadableFile,
    decoded,
    dial_with_gaps,
    rarity_of,
    ring_of,
    set_slug,
    split_keywords,
    starts_of,
    whole_number,
)

LAYOUT = "hcunits"
KNOWN = frozenset(
    {
        "unit_id", "set_id", "collector_number", "name", "type", "rarity", "dimensions", "point_values",
        "properties", "team_abilities", "keywords", "special_powers", "improved_movement", "improved_targeting",
        "object_keyphrases", "unit_range", "targets", "speed_type", "attack_type", "defense_type", "damage_type",
        "dial_size", "dial", "real_name", "bystander_type", "object_type", "object_size", "map_url",
    }
)  # fmt: skip
KNOWN_ON_CLICK = frozenset(
    {"click_number", "starting_line"} | {f"{slot}_{part}" for slot in SLOTS for part in ("value", "power")}
)
KNOWN_OF_POWER = frozenset({"type", "name", "description", "powers"})
SECTIONS = {
    "character": "characters",
    "bystander": "characters",
    "horde": "characters",
    "object": "objects",
    "equipment": "other",
    "id_card": "other",
    "battlefield_condition": "battlefield_conditions",
    "feat": "feats",
    "resource": "resources",
}
NO_PART_OF_A_FORCE = {"map"}
PLAIN_SYMBOLS = {"starburst": "standard"}
TEAM_NAMES = {
    "x_men": "X-Men",
    "spider_man": "Spider-Man",
    "shield": "S.H.I.E.L.D.",
    "s_h_i_e_l_d": "S.H.I.E.L.D.",
    "brotherhood": "The Brotherhood",
}
SMALL_WORDS = {"of", "the", "and"}
SPECIAL = "Special power"


def team_name(slug: str) -> str:
    """Return a team's name from its spelling in these files."""
    if slug in TEAM_NAMES:
        return TEAM_NAMES[slug]
    words = slug.replace("_", " ").split()
    return " ".join(
        word if place and word in SMALL_WORDS else word[:1].upper() + word[1:] for place, word in enumerate(words)
    )


def _texts(unit: dict[str, Any], key: str) -> list[str]:
    value = unit.get(key) or []
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise ValueError(_("%(key)s must be a list of text values") % {"key": key})
    return value


def _text(unit: dict[str, Any], key: str) -> str:
    value = unit.get(key) or ""
    if not isinstance(value, str):
        raise ValueError(_("%(key)s must be text, not %(value)s") % {"key": key, "value": brief(value)})
    return value.strip()


class _Unit:
    """One unit of the file while it is turned into a record."""

    def __init__(self, unit: dict[str, Any], reading: FileReading) -> None:
        self.unit = unit
        self.reading = reading

    def unknown(self, what: str) -> None:
        self.reading.unknown[what[:80]] += 1

    def symbols(self) -> dict[str, str]:
        found = {}
        for slot in SLOTS:
            said = _text(self.unit, f"{slot}_type")
            symbol = PLAIN_SYMBOLS.get(said, said.replace("transport_", "transporter-").replace("_", "-"))
            if symbol in SYMBOLS[slot]:
                found[slot] = symbol
            elif said:
                self.unknown(f"{slot}_type: {said}")
        return found

    def special_powers(self) -> list[dict[str, Any]]:
        found = []
        for entry in self.unit.get("special_powers") or []:
            if not isinstance(entry, dict):
                raise ValueError(_("special_powers must be a list of objects"))
            for key in entry.keys() - KNOWN_OF_POWER:
                self.unknown(f"special_powers: {key}")
            slot = _text(entry, "type")
            powers = []
            for slug in _texts(entry, "powers"):
                name = standard_power(slug)
                if name is None:
                    self.unknown(f"power: {slug}")
                else:
                    powers.append(name)
            special: dict[str, Any] = {
                "slot": slot if slot in SLOTS else "trait",
                "name": _text(entry, "name") or SPECIAL,
            }
            found.append({**special, "powers": powers} if powers else special)
        return found

    def power(self, slot: str, slug: str, special: list[dict[str, Any]]) -> str | None:
        if slug == "special":
            names = list(dict.fromkeys(power["name"] for power in special if power["slot"] == slot))
            return names[0] if len(names) == 1 else SPECIAL
        name = standard_power(slug)
        if name is None:
            self.unknown(f"{slot}_power: {slug}")
        return name

    def dial(self, special: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[int]]:
        clicks: dict[int, dict[str, Any]] = {}
        starting: list[int] = []
        given = self.unit.get("dial") or []
        if not isinstance(given, list):
            raise ValueError(_("dial must be a list of clicks"))
        for entry in given:
            if not isinstance(entry, dict):
                raise ValueError(_("dial must be a list of clicks"))
            for key in entry.keys() - KNOWN_ON_CLICK:
                self.unknown(f"dial: {key}")
            number = whole_number(entry.get("click_number"), "click_number")
            if not 1 <= number <= MAX_CLICKS:
                raise ValueError(
                    _("click_number must be from 1 to %(most)s, not %(number)s")
                    % {"most": MAX_CLICKS, "number": number}
                )
            if number in clicks:
                raise ValueError(_("click %(number)s appears twice") % {"number": number})
            click: dict[str, Any] = {}
            powers = {}
            for slot in SLOTS:
                if entry.get(f"{slot}_value") is not None:
                    click[slot] = whole_number(entry[f"{slot}_value"], f"click {number}, {slot}_value")
                if slug := _text(entry, f"{slot}_power"):
                    name = self.power(slot, slug, special)
                    if name:
                        powers[slot] = name
            if powers:
                click["powers"] = powers
            clicks[number] = click
            if entry.get("starting_line"):
                starting.append(number)
        return dial_with_gaps(clicks), starting

    def improved(self) -> dict[str, list[str]]:
        found = {}
        for key, allowed in (("movement", MOVEMENT), ("targeting", TARGETING)):
            names = []
            for slug in _texts(self.unit, f"improved_{key}"):
                name = slug.replace("_", "-")
                if name in allowed:
                    names.append(name)
                else:
                    self.unknown(f"improved_{key}: {slug}")
            if names:
                found[key] = names
        return found

    def rarity(self) -> dict[str, str]:
        said = _text(self.unit, "rarity")
        rarity = rarity_of(said)
        if said and rarity is None:
            self.unknown(f"rarity: {said}")
        return {"rarity": rarity} if rarity else {}

    def points(self) -> list[int]:
        given = self.unit.get("point_values") or []
        if not isinstance(given, list):
            raise ValueError(_("point_values must be a list of numbers"))
        return [whole_number(value, "point_values") for value in given]

    def character(self, kind: str) -> dict[str, Any]:
        unit = self.unit
        special, points = self.special_powers(), self.points()
        dial, starting = self.dial(special)
        properties = _texts(unit, "properties")
        for name in properties:
            if name not in ("unique", "prime"):
                self.unknown(f"properties: {name}")
        facts: dict[str, Any] = {
            "rank": ring_of(properties),
            "kind": kind,
            "teams": [team_name(slug) for slug in _texts(unit, "team_abilities")],
            **split_keywords(_texts(unit, "keywords")),
            "symbols": self.symbols(),
            "improved": self.improved(),
            "special_powers": special,
            "dial": dial,
            "starts": starts_of(points, starting),
            "real_name": _text(unit, "real_name"),
        }
        if len(points) > 1:
            facts["point_options"] = points
        for key, fact in (("unit_range", "range"), ("targets", "bolts"), ("dial_size", "dial_clicks")):
            if unit.get(key) is not None:
                facts[fact] = whole_number(unit[key], key)
        if size := _text(unit, "dimensions"):
            if size in BASES:
                facts["base"] = BASES[size]
            else:
                self.unknown(f"dimensions: {size}")
        return {key: value for key, value in facts.items() if value not in ("", [], {})}

    def facts(self, section: str, kind: str) -> dict[str, Any]:
        unit = self.unit
        facts: dict[str, Any] = {
            "number": _text(unit, "collector_number"),
            "name": _text(unit, "name"),
            **self.rarity(),
        }
        points = self.points()
        if points:
            facts["points"] = max(points)
        elif kind == "bystander":
            facts["points"] = 0
        if section == "characters":
            return facts | self.character(kind)
        if section == "objects":
            facts["special"] = _text(unit, "object_type") == "special"
            if size := _text(unit, "object_size"):
                facts["kind"] = size.replace("_", "-")
        if section == "other":
            facts["kind"] = kind.replace("_", "-")
        return facts


def _record(
    where: str, unit: dict[str, Any], set_code: str, reading: FileReading
) -> ElementRecord | RecordFault | PassedOver:
    called = unit.get("name")
    name = called if isinstance(called, str) else ""
    kind = unit.get("type")
    try:
        if not isinstance(kind, str) or (kind not in SECTIONS and kind not in NO_PART_OF_A_FORCE):
            raise ValueError(
                _("type must be one of %(choices)s, not %(kind)s")
                % {"choices": ", ".join([*SECTIONS, *NO_PART_OF_A_FORCE]), "kind": brief(kind)}
            )
        if kind in NO_PART_OF_A_FORCE:
            return PassedOver(where, name, _("A force can't include a %(kind)s.") % {"kind": kind})
        section = SECTIONS[kind]
        code = set_slug(_text(unit, "set_id") or set_code)
        if not code:
            raise ValueError(_("set_id is missing"))
        return ElementRecord(where, code, section, _Unit(unit, reading).facts(section, kind))
    except ValueError as error:
        return RecordFault(where, name, str(error))


def read(content: bytes, set_code: str = "") -> FileReading:
    """Return a unit list's elements; faults are reported with the unit's number and id. Raises UnreadableFile."""
    text = decoded(content)
    try:
        units = read_json(text, "catalogue")
    except TooLarge:
        raise
    except Unreadable as fault:
        raise UnreadableFile(str(fault)) from None
    if isinstance(units, dict):
        units = units.get("units", [units])
    if not isinstance(units, list):
        raise UnreadableFile(_("The file must contain a list of units."))
    if len(units) > MAX_RECORDS:
        raise UnreadableFile(
            _("The file has more than %(most)s units. Split it and import the parts.") % {"most": MAX_RECORDS}
        )
    reading = FileReading(LAYOUT)
    for number, unit in enumerate(units, 1):
        if not isinstance(unit, dict):
            reading.records.append(RecordFault(f"unit {number}", "", _("must be an object")))
            continue
        label = unit.get("unit_id")
        where = f"unit {number} ({label})"[:120] if isinstance(label, str) and label else f"unit {number}"
        for key in unit.keys() - KNOWN:
            reading.unknown[key[:80]] += 1
        reading.records.append(_record(where, unit, set_code, reading))
    return reading
