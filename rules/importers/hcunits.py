"""The JSON layout of unit lists: a list of units, numbers partly as text, `dial` a list of clicks."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from rules.engine import escaped

from ..card_texts import TRAIT, CardText, card_text
from ..dials import SLOTS, SYMBOLS, standard_power
from ..documents import (
    MAX_CLICKS,
    MOVEMENT,
    OTHER_KINDS,
    TARGETING,
    BadFacts,
    a_number,
    no_text,
    no_value,
    one_of,
    read_list,
    read_object,
    read_text,
    shown,
    too_long,
)
from ..uploads import TooLarge, Unreadable, is_text, read_json
from .records import (
    BASES,
    LONGEST_CELL,
    MAX_RECORDS,
    PASSED_OVER,
    RINGS,
    Faults,
    FileReading,
    NoElements,
    PassedOver,
    Record,
    UnreadableFile,
    decoded,
    dial_with_gaps,
    rarity_of,
    ring_of,
    set_slug,
    sound_name,
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
        "dial_size", "dial", "real_name", "bystander_type", "object_type", "object_size", "map_url", "attachment_type",
        "relic_roll_min", "horde_stack_max", "passengers", "rank",
    }
)  # fmt: skip
KNOWN_ON_CLICK = frozenset(
    {"click_number", "alt_click_number", "starting_line"}
    | {f"{slot}_{part}" for slot in SLOTS for part in ("value", "power")}
)
KNOWN_OF_POWER = frozenset(
    {"type", "name", "description", "powers", "point_value", "plot_points", "rally_type", "rally_die"}
)
SECTIONS = {
    "character": "characters",
    "bystander": "characters",
    "horde": "characters",
    "object": "objects",
    **dict.fromkeys((kind.replace("-", "_") for kind in OTHER_KINDS), "other"),
    "battlefield_condition": "battlefield_conditions",
    "feat": "feats",
    "resource": "resources",
}
LISTS = ("units", "results", "unit_list")
"""The keys under which a file's object may hold its list of units."""
TELLING = frozenset({"unit_id", "collector_number", "point_values", "dial"})
"""Keys by which an object is a unit even if its type is missing."""
STOP = "stop"
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
NUMBERS = {
    "unit_range": "range", "targets": "bolts", "dial_size": "dial_clicks", "horde_stack_max": "horde_stack",
    "passengers": "passengers",
}  # fmt: skip
LETTER = re.compile("[a-z]")


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
    if value == "[]":  # in some of these files
        return []
    return [read_text(entry, f"{key}/{place}") for place, entry in enumerate(read_list(value, key))]


def _text(unit: dict[str, Any], key: str) -> str:
    return read_text(unit.get(key) or "", key)


def _objects(unit: dict[str, Any], key: str) -> list[dict[str, Any]]:
    return [read_object(entry, f"{key}/{place}") for place, entry in enumerate(read_list(unit.get(key) or [], key))]


def _slug(text: str) -> str:
    return text.strip().lower().replace("_", "-")


def _words(text: str) -> str:
    return text.strip().lower().replace("_", " ")


class Doubled(dict[str, Any]):
    """An object in which a key stands twice."""

    key = ""


def _noting_doubled(found: list[Doubled], pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    doubled = Doubled(made)
    doubled.key = Counter(key for key, _value in pairs).most_common(1)[0][0]
    found.append(doubled)
    return doubled


def _bad_text(text: str, where: str) -> BadFacts | None:
    if len(text) > LONGEST_CELL:
        return too_long(where, LONGEST_CELL)
    return None if is_text(text) else no_text(where)


def _sound(value: Any, where: str, faults: Faults) -> Any:
    """Return a value without texts that are too long or aren't text; these, and keys that stand twice, are faults."""
    if isinstance(value, list):
        entries: Iterable[tuple[Any, Any]] = enumerate(value)
    elif isinstance(value, dict):
        entries = value.items()
    else:
        return value
    if isinstance(value, Doubled):
        faults.add(BadFacts(where, _("The key %(key)s is given twice in one object.") % {"key": shown(value.key)}))
    kept = {}
    for key, entry in entries:
        if isinstance(key, str) and (bad := _bad_text(key, where)):
            faults.add(bad)
            continue
        inside = f"{where}/{escaped(str(key))}" if where else escaped(str(key))
        if isinstance(entry, str) and (bad := _bad_text(entry, inside)):
            faults.add(bad)
        else:
            kept[key] = _sound(entry, inside, faults)
    return kept if isinstance(value, dict) else list(kept.values())


class _Unit:
    """One unit of the file while it is turned into a record; its faults are gathered, not raised."""

    def __init__(self, unit: dict[str, Any], reading: FileReading, faults: Faults) -> None:
        self.unit = unit
        self.reading = reading
        self.faults = faults

    def unknown(self, what: str) -> None:
        self.reading.unknown[what[:80]] += 1

    def text(self, key: str) -> str:
        return self.faults.read(_text, self.unit, key) or ""

    def texts(self, key: str) -> list[str]:
        return self.faults.read(_texts, self.unit, key) or []

    def number(self, key: str) -> int | None:
        return None if self.unit.get(key) is None else self.faults.read(whole_number, self.unit[key], key)

    def symbols(self) -> dict[str, str]:
        found = {}
        for slot in SLOTS:
            said = self.text(f"{slot}_type")
            symbol = PLAIN_SYMBOLS.get(said, said.replace("transport_", "transporter-").replace("_", "-"))
            if symbol in SYMBOLS[slot]:
                found[slot] = symbol
            elif said:
                self.unknown(f"{slot}_type: {said}")
        return found

    def special_powers(self) -> list[dict[str, Any]]:
        entries = self.faults.read(_objects, self.unit, "special_powers") or []
        return [self.special_power(entry, f"special_powers/{place}") for place, entry in enumerate(entries)]

    def special_power(self, entry: dict[str, Any], where: str) -> dict[str, Any]:
        for key in entry.keys() - KNOWN_OF_POWER:
            self.unknown(f"special_powers: {key}")
        inside = _Unit(entry, self.reading, Faults(f"{self.faults.where}/{where}", self.faults.found))
        slot, powers = inside.text("type"), []
        slugs = inside.texts("powers")
        for slug in slugs:
            name = standard_power(slug)
            if name is not None:
                powers.append(name)
            elif slug != STOP:
                self.unknown(f"power: {slug}")
        facts: dict[str, Any] = {
            "slot": slot if slot in SLOTS else "trait",
            "name": inside.text("name") or SPECIAL,
            "sort": _words(slot) if slot not in (*SLOTS, "trait") else "",
            "powers": powers,
            "stop": STOP in slugs,
            "points": inside.number("point_value"),
            "plot_points": "" if entry.get("plot_points") is None else f"{entry['plot_points']}",
        }
        if rally := inside.text("rally_type"):
            facts["rally"] = {"of": _words(rally), "die": inside.number("rally_die")}
        return {key: value for key, value in facts.items() if value}

    def card_texts(self, section: str) -> list[CardText | None]:
        """Return the texts of the unit's special powers and traits; those of a feat or an object have no slot."""
        found = []
        for place, entry in enumerate(self.faults.read(_objects, self.unit, "special_powers") or []):
            inside = _Unit(
                entry, self.reading, Faults(f"{self.faults.where}/special_powers/{place}", self.faults.found)
            )
            sort, name, text = inside.text("type"), inside.text("name"), entry.get("description") or ""
            slot = sort if sort in (*SLOTS, TRAIT) else TRAIT if section == "characters" else ""
            sort = "" if sort == slot else _words(sort)
            found.append(inside.faults.read(functools.partial(card_text, sort=sort), slot, name, text, "description"))
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
        for place, entry in enumerate(self.faults.read(_objects, self.unit, "dial") or []):
            for key in entry.keys() - KNOWN_ON_CLICK:
                self.unknown(f"dial: {key}")
            inside = _Unit(entry, self.reading, Faults(f"{self.faults.where}/dial/{place}", self.faults.found))
            number = inside.faults.read(_click_number, entry, clicks)
            if number is None:
                continue
            clicks[number] = inside.click(special)
            if entry.get("starting_line"):
                starting.append(number)
        return dial_with_gaps(clicks), starting

    def click(self, special: list[dict[str, Any]]) -> dict[str, Any]:
        click: dict[str, Any] = {}
        powers = {}
        for slot in SLOTS:
            if (value := self.number(f"{slot}_value")) is not None:
                click[slot] = value
            if (slug := self.text(f"{slot}_power")) and (name := self.power(slot, slug, special)):
                powers[slot] = name
        return {**click, "powers": powers} if powers else click

    def improved(self) -> dict[str, list[str]]:
        found = {}
        for key, allowed in (("movement", MOVEMENT), ("targeting", TARGETING)):
            names = []
            for slug in self.texts(f"improved_{key}"):
                name = slug.replace("_", "-")
                if name in allowed:
                    names.append(name)
                else:
                    self.unknown(f"improved_{key}: {slug}")
            if names:
                found[key] = names
        return found

    def rarity(self) -> str | None:
        said = self.text("rarity")
        rarity = rarity_of(said)
        if said and rarity is None and said.lower() not in RINGS:
            self.unknown(f"rarity: {said}")
        return rarity

    def points(self) -> list[int]:
        return self.faults.read(_points, self.unit) or []

    def character(self, kind: str, points: list[int]) -> dict[str, Any]:
        special = self.special_powers()
        dial, starting = self.dial(special)
        if self.unit.get("bystander_type") == "horde":
            kind = "horde"
        facts: dict[str, Any] = {
            "rank": ring_of((*self.texts("properties"), self.text("rank"), self.text("rarity"))),
            "kind": kind,
            "teams": [team_name(slug) for slug in self.texts("team_abilities")],
            **split_keywords(self.texts("keywords")),
            "symbols": self.symbols(),
            "improved": self.improved(),
            "special_powers": special,
            "dial": dial,
            "starts": starts_of(points, starting),
            "real_name": self.text("real_name"),
            "point_options": points if len(points) > 1 else None,
        }
        for key, fact in NUMBERS.items():
            facts[fact] = self.number(key)
        if size := self.text("dimensions"):
            if size in BASES:
                facts["base"] = BASES[size]
            else:
                self.unknown(f"dimensions: {size}")
        return {key: value for key, value in facts.items() if value not in ("", [], {})}

    def facts(self, section: str, kind: str) -> dict[str, Any]:
        named = [*self.texts("properties"), *self.texts("object_keyphrases"), self.text("attachment_type")]
        facts: dict[str, Any] = {
            "number": self.text("collector_number"),
            "name": self.text("name"),
            "rarity": self.rarity(),
            "properties": [_words(name) for name in named if LETTER.search(name) and name.lower() not in RINGS] or None,
        }
        points = self.points()
        if points:
            facts["points"] = max(points)
        elif kind == "bystander":
            facts["points"] = 0
        if section == "characters":
            return facts | self.character(kind, points)
        if section == "objects":
            sort = self.text("object_type")
            facts["special"] = sort not in ("", "standard")
            facts["relic_roll"] = self.number("relic_roll_min")
            if size := self.text("object_size"):
                facts["kind"] = _slug(size)
        if section == "other":
            facts["kind"] = _slug(kind)
        return facts


def _click_number(entry: dict[str, Any], clicks: Mapping[int, Any]) -> int:
    number: int = a_number(1, MAX_CLICKS)(whole_number(entry.get("click_number"), "click_number"), "click_number")
    if number in clicks:
        raise BadFacts("click_number", _("Click %(number)s appears twice.") % {"number": number})
    return number


def _points(unit: dict[str, Any]) -> list[int]:
    given = read_list(unit.get("point_values") or [], "point_values")
    return [whole_number(value, f"point_values/{place}") for place, value in enumerate(given)]


def _record(where: str, unit: Any, set_code: str, reading: FileReading, *, is_sound: bool) -> Record:
    faults = Faults(where)
    if faults.read(read_object, unit, "") is None:
        return faults.record("", {}, set_code="")
    if not is_sound:
        unit = _sound(unit, "", faults)
    kind = unit.get("type")
    if isinstance(kind, str) and kind in PASSED_OVER:
        return PassedOver(where, sound_name(unit.get("name")), _slug(kind))
    for key in unit.keys() - KNOWN:
        reading.unknown[key[:80]] += 1
    if faults.read(one_of(*SECTIONS), kind, "type") is None:
        return faults.record("", {"name": unit.get("name")}, set_code="")
    read = _Unit(unit, reading, faults)
    code = set_slug(read.text("set_id") or set_code)
    if not code:
        faults.add(no_value("set_id", "set_id"))
    section = SECTIONS[kind]
    return faults.record(section, read.facts(section, kind), set_code=code, texts=read.card_texts(section))


def _is_unit(value: Any) -> bool:
    return isinstance(value, dict) and (not TELLING.isdisjoint(value) or value.keys() >= {"name", "type"})


def _units(value: Any) -> tuple[str, list[Any]]:
    """Return the units of a file, and the pointer to their list. Raises NoElements."""
    if isinstance(value, list):
        where, units = "", value
    elif isinstance(value, dict) and _is_unit(value):
        return "", [value]
    elif isinstance(value, dict) and (key := next((key for key in LISTS if isinstance(value.get(key), list)), None)):
        where, units = f"/{key}", value[key]
    else:
        where, units = "", []
    if not any(map(_is_unit, units)):
        raise NoElements(_("The file must contain a list of units."))
    return where, units


def read(content: bytes, set_code: str, told: Callable[[int], None]) -> FileReading:
    """Return a unit list's elements; faults are reported with their JSON pointers. Raises UnreadableFile."""
    text = decoded(content)
    doubled: list[Doubled] = []
    bad_texts: list[str] = []
    try:
        value = read_json(text, "catalogue", functools.partial(_noting_doubled, doubled), bad_texts)
    except TooLarge:
        raise
    except Unreadable as fault:
        raise UnreadableFile(str(fault)) from None
    where, units = _units(value)
    if len(units) > MAX_RECORDS:
        raise UnreadableFile(
            _("The file has more than %(most)s units. Split it and import the parts.") % {"most": MAX_RECORDS}
        )
    reading = FileReading(LAYOUT, told)
    for number, unit in enumerate(units):
        place = where if units[0] is value else f"{where}/{number}"
        reading.add(_record(place, unit, set_code, reading, is_sound=not doubled and not bad_texts))
    return reading
