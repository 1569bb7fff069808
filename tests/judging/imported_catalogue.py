"""An invented catalogue as files of all three layouts, with every kind of element and every fault, and what is in it.

What the elements are is noted here, as the files print it, so that the oracle of `imported_forces` never asks the
importer.
"""

from __future__ import annotations

import json
import random
import zipfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

POWERS = ("stealth", "charge", "running_shot", "flurry")
SEVEN = ("attachment", "tarot-card", "mystery-card", "legacy-card", "one-shot", "terrain-marker", "trick-arrow")
MODERN = ("equipment", "id-card", "special-terrain")
NAMES = ("Ash", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal")
SHEET = (
    "set,number,code,name,section,rank,rarity,base_color,kind,points,point_options,special,street_date,allows_sideline,"
    "per_character,cost_per_character,requires_powers,requires_keywords,keywords,speed,attack,defense,damage,card_text"
)
RARITIES = ("common", "rare", "super_rare", "limited_edition", "chase")
SAYS = {"title": "title", "team_up": "team-up", "captain": "", "legacy": "legacy", "generic": "", "sidekick": ""}
"""Properties of units, and which of the oracle's words for rules on cards they stand for."""
SORTS = {
    "trait": "", "speed": "", "damage": "", "costed_trait": "", "title_trait": "title", "rally_trait": "",
    "asset_unit": "team-base", "asset_team": "team-base", "location": "", "epic": "",
}  # fmt: skip
ODD = (
    "Something odd.",
    "Give each friendly character on your force a cake.",
    "Your starting force has two others: +1.",
)
BUILDING = (
    "During force construction, you may only include up to three of this character.",
    "When building your force, choose a keyword.",
    "Each one added to your starting force costs 25 points.",
)


@dataclass(frozen=True)
class Printed:
    """An element as its file prints it; `powers` are those of each click.

    `says` are rules on its card in the oracle's words, `optional` what its costed traits cost, and `colour` that of its
    base, empty if the file doesn't give it.
    """

    code: str
    section: str
    name: str
    set: str
    number: str
    kind: str = ""
    rank: str = ""
    points: tuple[int, ...] = ()
    special: bool = False
    street_date: str = ""
    allows_sideline: bool = False
    per_character: bool = False
    needs_power: str | None = None
    powers: tuple[tuple[str, ...], ...] = ()
    says: frozenset[str] = frozenset()
    optional: int = 0
    rarity: str = ""
    colour: str = ""


@dataclass
class Files:
    """The files of a catalogue, what is in them, and what an import must say."""

    elements: list[Printed] = field(default_factory=list)
    left_out: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    unreadable: int = 0
    empty: int = 0

    @property
    def records(self) -> int:
        """The number of records."""
        return len(self.elements) + self.left_out + sum(self.skipped.values())


def _dial(chance: random.Random, powers: list[tuple[str, ...]]) -> list[dict[str, Any]]:
    clicks = []
    for number in range(1, chance.randint(2, 5)):
        here = (chance.choice(POWERS),) if chance.random() < 0.5 else ()
        powers.append(here)
        values = {f"{slot}_value": chance.randint(1, 18) for slot in ("speed", "attack", "defense", "damage")}
        clicks.append({"click_number": number, **values, **({"speed_power": here[0]} if here else {})})
    return clicks


def _special(chance: random.Random, says: set[str]) -> list[dict[str, Any]]:
    """Return special powers, and note in `says` which rules they mean."""
    found: list[dict[str, Any]] = []
    for number in range(chance.choice((0, 0, 1, 1, 2))):
        sort = chance.choice(list(SORTS))
        is_about_building = chance.random() < 0.06
        text = chance.choice(BUILDING if is_about_building else ODD)
        cost = chance.choice((5, 10, 40, None)) if sort == "costed_trait" else None
        found.append({"type": sort, "name": f"POWER {number}", "description": f"{text} {number}", "point_value": cost})
        says |= {SORTS[sort]} - {""}
        if is_about_building or (sort == "costed_trait" and cost is None):
            says.add("building")
    return found


def _figure(chance: random.Random, number: int, files: Files) -> dict[str, Any]:
    kind = chance.choice(["character"] * 8 + ["bystander", "horde"])
    rank = chance.choice(["common"] * 5 + ["unique", "unique", "prime"])
    points = tuple(chance.sample(range(15, 130, 5), chance.choice((1, 1, 1, 2)))) if chance.random() < 0.96 else ()
    powers: list[tuple[str, ...]] = []
    properties = [chance.choice(list(SAYS))] if chance.random() < 0.3 else []
    says = {SAYS[name] for name in properties} - {""}
    special, rarity = _special(chance, says), chance.choice(RARITIES)
    unit = {
        "set_id": "j1", "collector_number": f"{number:03d}", "name": chance.choice(NAMES), "point_values": list(points),
        "type": "character" if kind == "horde" else kind, "properties": [rank, *properties] if rank != "common" else properties,
        "dial": _dial(chance, powers), "special_powers": special, "keywords": ["Guild"], "targets": "1", "rarity": rarity,
        "bystander_type": "horde" if kind == "horde" else None, "horde_stack_max": 3 if kind == "horde" else None,
    }  # fmt: skip
    if kind == "bystander" and not points:
        points = (0,)
        says.add("generated")
    files.elements.append(
        Printed(f"j1/{number:03d}", "characters", unit["name"], "j1", unit["collector_number"], kind, rank, points,
                powers=tuple(powers), says=frozenset(says), rarity=rarity,
                optional=sum(power["point_value"] or 0 for power in special))
    )  # fmt: skip
    return unit


def _other_units(files: Files) -> list[dict[str, Any]]:
    """Return one or two units of each kind that isn't a figure."""
    units: list[dict[str, Any]] = []

    def add(kind: str, section: str, points: tuple[int, ...], word: str, **more: Any) -> None:
        number = f"x{len(units):02d}"
        name = f"{kind} {number}".title()
        unit = {"set_id": "j1", "collector_number": number, "name": name, "type": kind.replace("-", "_")}
        units.append({**unit, "point_values": list(points), **more, "special_powers": [{"description": f"Do {name}."}]})
        known = kind if section == "other" else more.get("object_size", "")
        code = f"j1/{word}-{name.lower().replace(' ', '-')}-{number}"
        special = more.get("object_type", "standard") != "standard"
        files.elements.append(
            Printed(code, section, name, "j1", number, known, points=points or ((0,) if section == "objects" else ()),
                    special=special)
        )  # fmt: skip

    for kind in (*SEVEN, *MODERN):
        if kind != "legacy-card":
            add(kind, "other", (5,), "other")
    for size in ("light", "heavy", "light", "heavy"):
        add("object", "objects", (), "object", object_size=size, object_type="standard")
    for _time in "ab":
        add("object", "objects", (8,), "object", object_size="light", object_type="special", relic_roll_min=5)
    add("resource", "resources", (10,), "resource")
    add("resource", "resources", (12,), "resource")
    add("feat", "feats", (6,), "feat")
    add("battlefield-condition", "battlefield_conditions", (), "condition")
    add("battlefield-condition", "battlefield_conditions", (), "condition")
    return units


def _bad_units(sound: dict[str, Any]) -> list[Any]:
    """Return units that can't be imported, each for another reason."""
    click = {"click_number": 1, "speed_value": 8, "attack_value": 9, "defense_value": 15, "damage_value": 2}
    base = {**sound, "name": "Bad", "type": "character", "dial": [click]}
    changes: list[dict[str, Any]] = [
        {"dial": [{**click, "speed_value": ""}]}, {"dial": [{**click, "damage_value": "?"}]}, {"dial": [click, click]},
        {"dial": [{**click, "click_number": 31}]}, {"dial": 7}, {"type": "spaceship"}, {"type": None}, {"name": ""},
        {"name": "x" * 200}, {"point_values": ["many"]}, {"point_values": "many"}, {"set_id": ""},
        {"keywords": [3]}, {"unit_range": "far"}, {"special_powers": ["x"]}, {"collector_number": "1" * 30},
        {"special_powers": [{"description": "x" * 6000}]}, {"special_powers": [{"description": 5}]},
    ]  # fmt: skip
    units = [{**base, "collector_number": f"b{place:02d}", **change} for place, change in enumerate(changes)]
    return [*units, "no unit", None]


def _sheet(chance: random.Random, files: Files) -> str:
    """Return a spreadsheet: old figures with street dates, one that allows a sideline, feats, cards."""
    lines = [SHEET]

    def add(own: str, section: str, name: str, **cells: Any) -> None:
        row = {"set": "s1", "number": own, "code": own, "name": name, "section": section, **cells}
        lines.append(",".join(str(row.get(column, "")) for column in SHEET.split(",")))

    for number in range(1, 31):
        rank = chance.choice(["common", "rookie", "veteran", "unique"])
        own, name, points = f"{number:03d}", chance.choice(NAMES), chance.randrange(10, 120, 5)
        power = chance.choice(POWERS)
        extra = {"allows_sideline": "yes"} if number == 1 else {}
        colour = chance.choice(("black", "black", "black", "red", "gray", ""))
        rarity = chance.choice(("common", "common", "limited-edition", "super-rare", "promotional"))
        extra |= {"base_color": colour, "rarity": rarity}
        add(own, "characters", name, rank=rank, points=points, street_date="2002-03-01", speed=f"8 7 | {power} 1",
            attack="9 8", defense="15 14", damage="2 1", keywords="Guild", **extra)  # fmt: skip
        files.elements.append(
            Printed(f"s1/{own}", "characters", name, "s1", own, "character", rank, (points,), street_date="2002-03-01",
                    allows_sideline=number == 1, powers=((power,), ()), rarity=rarity, colour=colour)
        )  # fmt: skip
    for number, power in enumerate(POWERS):
        own, each = f"f{number}", number % 2 == 1
        add(
            own,
            "feats",
            f"Feat {own}",
            points=4 + 3 * number,
            requires_powers=power,
            per_character="yes" if each else "no",
        )
        files.elements.append(
            Printed(f"s1/{own}", "feats", f"Feat {own}", "s1", own, points=(4 + 3 * number,), per_character=each,
                    needs_power=power)
        )  # fmt: skip
    for number in range(2):
        own = f"t{number}"
        add(own, "team_ability_cards", f"Card {own}", cost_per_character=2 + number, requires_keywords="Guild")
        files.elements.append(
            Printed(f"s1/{own}", "team_ability_cards", f"Card {own}", "s1", own, points=(2 + number,))
        )
    lines += ["s1,900,900,Bad,characters,king", "s1,901,901,Bad,characters,common,,,,many", "s1,902,902,,characters"]
    files.left_out += 3
    return "\r\n".join(lines) + "\r\n"


def _card(name: str, kind: str, number: str, more: str = "") -> str:
    said = {"Unit ID": f"o1{number}", "Collector Number": number, "Unit Type": kind, "Point Values": "10"}
    said["Traits and Special Powers"] = "[Trait] ODD\nSomething."
    properties = "".join(f"<property name={quoteattr(key)} value={quoteattr(value)}/>" for key, value in said.items())
    return f"<card name={quoteattr(name)}>{properties}{more}</card>"


def _cards(files: Files) -> str:
    click = "".join(
        f'<property name="{name}" value="{value}"/>'
        for name, value in (("Click Number", 1), ("Speed", 8), ("Attack", 9), ("Defense", 15), ("Damage", 2))
    )
    dial = f'<alternate type="Click1" size="1x1">{click}</alternate>'
    cards = []
    for place, (kind, section, known) in enumerate(
        [("Character", "characters", "character"), ("Legacy Card", "characters", "character"),
         ("Alternate Card", "characters", "character"), ("Bystander", "characters", "bystander"),
         ("Horde", "characters", "horde"), ("Equipment", "other", "equipment"), ("One Shot", "other", "one-shot"),
         ("Trick Arrow Card", "other", "trick-arrow"), ("Terrain Marker", "other", "terrain-marker")]
    ):  # fmt: skip
        number, name = f"{place:03d}", f"Card {place}"
        cards.append(_card(name, kind, number, dial if section == "characters" else ""))
        code = f"o1/{number}" if section == "characters" else f"o1/other-card-{place}-{number}"
        powers = ((),) if section == "characters" else ()
        rank = "common" if section == "characters" else ""
        says = frozenset({"Legacy Card": {"legacy"}, "Alternate Card": {"team-up"}}.get(kind, ()))
        files.elements.append(Printed(code, section, name, "o1", number, known, rank, (10,), powers=powers, says=says))
    cards += [_card("Board", "Map", "m1"), _card("Bad", "Spaceship", "900"), _card("", "Character", "901", dial)]
    files.left_out += 2
    files.skipped["map"] = files.skipped.get("map", 0) + 1
    return f'<set name="O"><cards>{"".join(cards)}</cards></set>'


def write_files(folder: Path, seed: int, figures: int = 120) -> Files:
    """Write the files of a catalogue to a folder, and return what is in them."""
    chance, files = random.Random(seed), Files()
    units = [_figure(chance, number, files) for number in range(1, figures + 1)]
    others, bad = _other_units(files), _bad_units(units[0])
    maps = [{"type": kind, "name": kind, "set_id": "j1"} for kind in ("map", "dice", "special_dial")]
    files.skipped |= {"map": 1, "dice": 1, "special-dial": 1}
    files.left_out += len(bad) + 1
    doubled = json.dumps({**units[0], "name": "Doubled", "collector_number": "d1"})[:-1] + ', "name": "Again"}'
    middle = len(units) // 2
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "a.json").write_text(json.dumps(units[:middle]), encoding="utf-8")
    with zipfile.ZipFile(folder / "b.zip", "w") as packed:
        packed.writestr("sets/b.json", json.dumps({"results": units[middle:-1]}))
    (folder / "c.json").write_text(json.dumps(units[-1]), encoding="utf-8")
    (folder / "d.json").write_text(json.dumps({"unit_list": [*others, *maps, *bad]}), encoding="utf-8")
    (folder / "e.json").write_text(f'{{"units": [{doubled}]}}', encoding="utf-8")
    (folder / "f.csv").write_bytes(_sheet(chance, files).encode("utf-16"))
    (folder / "g.xml").write_text(_cards(files), encoding="utf-8")
    (folder / "h.json").write_text('{"rules": {"a": [1, 2]}}', encoding="utf-8")
    (folder / "i.json").write_text('[{"name": "cut off', encoding="utf-8")
    (folder / "j.xml").write_text('<!DOCTYPE x [<!ENTITY a "b">]><set name="&a;"/>', encoding="utf-8")
    again = {**units[0], "name": "Twice", "collector_number": "w1"}
    (folder / "k.json").write_text(json.dumps([again, {**again, "name": "Once"}]), encoding="utf-8")
    files.left_out += 1
    first = files.elements[0]
    files.elements.append(replace(first, code="j1/w1", name="Once", number="w1"))
    files.empty, files.unreadable = 1, 2
    return files
