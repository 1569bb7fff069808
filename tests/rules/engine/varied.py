"""Golden documents with some facts changed by lot: disputes, disputes with cards, forces and battles.

Each is changed so that it stays one that can be read, mostly. The same name gives the same changes.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from rules.engine import EDITIONS
from rules.engine.documents.cards import MOVEMENT_WORDS, TARGETING_WORDS

from .drawn import VALUES
from .drawn_cards import drawn_card, rolls_of_cards, words_for
from .fights import battle, fighter
from .golden import CASES, golden

KINDS = ("hindering", "blocking", "water", "elevated", "elevated")
ONE_DIE = ("break-away", "regeneration", "leadership", "support-heal", "force-blast", "damage")
SAVES = ("super-senses", "impervious", "shape-change", "skrull", "willpower")


def varied_disputes() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a name and a changed document for every golden dispute, with and without cards."""
    for case in golden("disputes"):
        yield f"varied-{case['id']}", varied(case["input"], random.Random(case["id"]))
    for family in sorted(path.stem for path in (CASES / "cards").iterdir()):
        for case in golden("cards", family):
            figures = ([fighter(**one) for one in case[side]] for side in ("mine", "theirs"))
            apart = ("id", "why", "mine", "theirs", "expect", "actions")
            parts = {key: copy.deepcopy(part) for key, part in case.items() if key not in apart}
            document = battle("core-modern", *figures, *case.get("actions", ()), **parts)
            name = f"cards-{family}-{case['id']}"
            yield name, document
            yield f"varied-{name}", varied(document, random.Random(name))


def scattered(document: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return a dispute with some characters a square or two away, and terrain in some squares."""
    made = copy.deepcopy(document)
    everyone = [one for side in made["sides"] for one in side["characters"] if one.get("square")]
    taken = {square for side in made["sides"] for one in side["characters"] for square in one.get("squares", ())}
    taken |= {one["square"] for one in everyone}
    for one in everyone:
        column, row = ord(one["square"][0]) + chance.randint(-2, 2), int(one["square"][1:]) + chance.randint(-2, 2)
        square = f"{chr(column)}{row}"
        if chance.random() < 0.4 and "A" <= chr(column) <= "P" and 1 <= row <= 16 and square not in taken:
            taken.add(square)
            one["square"] = square
    for kind in chance.sample(["hindering", "blocking", "water", "elevated"], chance.randint(0, 2)):
        squares = [f"{chance.choice('DEFGHIJ')}{chance.randint(4, 8)}" for _ in range(chance.randint(1, 3))]
        made["map"].setdefault("terrain", []).append({"type": kind, "squares": sorted(set(squares))})
    return made


def varied(document: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return a dispute with two to four of its facts changed, and with questions about its figures."""
    made = copy.deepcopy(document)
    for change in chance.sample(CHANGES, chance.randint(2, 4)):
        change(made, chance)
    made["ask"] = [*made.get("ask", ()), *_questions(made, chance)]
    _roll_more(made, chance)
    return made


def _everyone(made: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for side in made["sides"] for one in side["characters"]]


def _board(made: dict[str, Any]) -> tuple[int, int]:
    return made["map"]["width"], made["map"]["height"]


def _near(made: dict[str, Any], chance: random.Random) -> tuple[int, int]:
    """Return the column and row of a square near a figure."""
    squares = [square for one in _everyone(made) for square in (one.get("squares") or [one.get("square")]) if square]
    width, height = _board(made)
    if not squares:
        return chance.randrange(width), chance.randrange(height)
    square = chance.choice(squares)
    column, row = ord(square[0]) - ord("A") + chance.randint(-2, 2), int(square[1:]) - 1 + chance.randint(-2, 2)
    return min(max(column, 0), width - 1), min(max(row, 0), height - 1)


def _name(column: int, row: int) -> str:
    return f"{chr(ord('A') + column)}{row + 1}"


def _move_some(made: dict[str, Any], chance: random.Random) -> None:
    moved = scattered(made, chance) if _board(made) == (16, 16) else made
    made["sides"] = moved["sides"]


def _lay_terrain(made: dict[str, Any], chance: random.Random) -> None:
    for _ in range(chance.randint(1, 3)):
        area = {"type": chance.choice(KINDS), "squares": [_name(*_near(made, chance))]}
        if area["type"] == "elevated" and chance.random() < 0.5:
            area["level"] = chance.choice([2, 3])
        made["map"].setdefault("terrain", []).append(area)


def _build(made: dict[str, Any], chance: random.Random) -> None:
    """Build walls, stairs, ladders, and lay markers."""
    width, height = _board(made)
    for _ in range(chance.randint(1, 3)):
        column, row = _near(made, chance)
        down = chance.random() < 0.5
        other = (column, row + 1) if down else (column + 1, row)
        if other[0] < width and other[1] < height:
            kind = chance.choice(["walls", "walls", "walls", "stairs", "ladders"])
            made["map"].setdefault(kind, []).append(f"{_name(column, row)}|{_name(*other)}")
    if chance.random() < 0.4:
        kind = chance.choice(["hindering", "blocking", "debris", "smoke", "barrier", "water"])
        made["map"].setdefault("markers", []).append({"kind": kind, "square": _name(*_near(made, chance))})


def _give_powers(made: dict[str, Any], chance: random.Random) -> None:
    book = EDITIONS[made["edition"]]
    for one in chance.sample(_everyone(made), min(2, len(_everyone(made)))):
        more = chance.sample(sorted(book.powers), chance.randint(1, 2))
        for click in one["dial"]:
            click["powers"] = list(dict.fromkeys([*click.get("powers", ()), *more]))


def _give_teams(made: dict[str, Any], chance: random.Random) -> None:
    teams = sorted(EDITIONS[made["edition"]].team_abilities)
    for one in _everyone(made):
        if teams and chance.random() < 0.5:
            one["teams"] = [*one.get("teams", ()), chance.choice(teams)]


def _wear_down(made: dict[str, Any], chance: random.Random) -> None:
    """Put figures near the end of their dials, with tokens."""
    for one in _everyone(made):
        if chance.random() < 0.5:
            one["click"] = max(1, len(one["dial"]) - chance.randint(0, 2))
        if chance.random() < 0.3:
            one["tokens"] = chance.randint(0, 2)
            one["acted"] = chance.random() < 0.3
        if chance.random() < 0.2:
            one["last_damaged_by"] = chance.choice([side["player"] for side in made["sides"]])


def _change_bases(made: dict[str, Any], chance: random.Random) -> None:
    """Give figures other symbols and flight modes."""
    later = made["edition"].startswith("core")
    drawn = {
        "speed": ["wing", "wing", "dolphin", *(["transporter-boot", "transporter-wing"] if later else [])],
        "damage": ["giant", "tiny", "colossal"],
        "attack": ["sharpshooter", "duo", "autonomous"],
        "defense": ["indomitable"],
    }
    for one in _everyone(made):
        if chance.random() < 0.6:
            kind = chance.choice(["speed", "speed", "damage", "attack", "defense"])
            one["symbols"] = {**one.get("symbols", {}), kind: chance.choice(drawn[kind])}
        if not later and chance.random() < 0.3:
            one["flight"] = chance.choice(["hovering", "soaring"])
        one["base_color"] = chance.choice(["black", "black", "red", "gold"])


def _change_values(made: dict[str, Any], chance: random.Random) -> None:
    for one in _everyone(made):
        if chance.random() < 0.5:
            one["modifiers"] = [{"value": chance.choice(VALUES), "by": chance.choice([-3, -1, 1, 2, 5]), "source": "a"}]
        if chance.random() < 0.3:
            to = chance.choice([0, 2, 11, "halve", "double"])
            one["replacements"] = [{"value": chance.choice(VALUES), "set": to, "locked": chance.random() < 0.4}]
        if chance.random() < 0.3:
            one["range"], one["bolts"] = chance.choice([0, 4, 6, 10]), chance.randint(1, 3)
        if chance.random() < 0.3:
            one["points"] = chance.choice([10, 50, 100, 210])


def _improve(made: dict[str, Any], chance: random.Random) -> None:
    """Give figures improved abilities, counter powers, and say what they did this turn."""
    for one in _everyone(made):
        shown = one["dial"][0].get("powers", ())
        if chance.random() < 0.4:
            one["improved"] = {
                "movement": chance.sample(sorted(MOVEMENT_WORDS), 2),
                "targeting": chance.sample(sorted(TARGETING_WORDS), 2),
            }
        if shown and chance.random() < 0.3:
            one["countered"] = [chance.choice(shown)]
            one["used"] = [chance.choice(shown)]
        if chance.random() < 0.2:
            one["immune"] = chance.random() < 0.5
        if chance.random() < 0.2:
            one["attacks_made"], one["moved"] = chance.randint(0, 1), chance.random() < 0.5
        if chance.random() < 0.1:
            one["carried"] = True


def _deal_cards(made: dict[str, Any], chance: random.Random) -> None:
    words = words_for(made)
    for one in chance.sample(_everyone(made), min(2, len(_everyone(made)))):
        one["cards"] = [*one.get("cards", ()), drawn_card(chance, words)]


def _roll_otherwise(made: dict[str, Any], chance: random.Random) -> None:
    for action in _actions(made):
        for rolled in action.get("rolls", {}).values():
            for dice in rolled:
                dice[:] = [chance.randint(1, 6) if chance.random() < 0.6 else die for die in dice]


def _act_otherwise(made: dict[str, Any], chance: random.Random) -> None:
    """Change an action: its targets, its path, its powers, its choices, or what follows it."""
    ids = [one["id"] for one in _everyone(made)]
    actions = [action for action in _actions(made) if action.get("actor")]
    if not actions:
        return
    action = chance.choice(actions)
    what = chance.choice(["targets", "path", "using", "choose", "turn", "again", "more", "object"])
    if what == "targets" and action.get("targets"):
        action["targets"] = chance.sample(ids, min(len(ids), chance.choice([1, 1, 2])))
    elif what == "path" and action.get("path"):
        action["path"] = action["path"][: chance.randint(1, len(action["path"]))]
    elif what == "using" and action.get("using"):
        action["using"] = action["using"][1:]
    elif what == "choose":
        action["choose"] = {"knock-back": True, "value": chance.choice(VALUES), "by": 1} | action.get("choose", {})
    elif what == "again":
        made["actions"].append(copy.deepcopy(action))
    elif what == "more" and made.get("actions"):
        actor = chance.choice(ids)
        made["actions"].append({"action": chance.choice(["close", "ranged"]), "actor": actor, "targets": ids[:1]})
    elif what == "object" and made.get("objects"):
        action[chance.choice(["with_object", "pick_up"])] = made["objects"][0]["id"]
    else:
        made["actions"].append({"action": "end-turn"})


def _add_an_object(made: dict[str, Any], chance: random.Random) -> None:
    kind = chance.choice(["light", "heavy", "immobile", "ultra-light", "ultra-heavy"])
    thing = {"id": "thing", "kind": kind, "square": _name(*_near(made, chance))}
    free = [one for one in _everyone(made) if not one.get("holding")]
    if free and chance.random() < 0.6:
        chance.choice(free)["holding"], thing["square"] = "thing", None
    made["objects"] = [*made.get("objects", ()), thing]


def _open_another_book(made: dict[str, Any], chance: random.Random) -> None:
    near = {
        "car-2002": ["ic-2002", "dc-2005"], "ic-2002": ["car-2002"], "dc-2005": ["car-2002", "core-2014"],
        "core-2014": ["core-modern", "dc-2005"], "core-modern": ["core-2014"],
    }  # fmt: skip
    made["edition"] = chance.choice(near[made["edition"]])


def _actions(made: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all actions, with those that they grant."""
    found = list(made.get("actions", ()))
    for action in found:
        found += action.get("then", ())
    return found


def _roll_more(made: dict[str, Any], chance: random.Random) -> None:
    """Add every roll that could be needed, where it isn't there."""
    ids = [one["id"] for one in _everyone(made)]
    for action in _actions(made):
        more: dict[str, Any] = {name: [[chance.randint(1, 6)] for _ in range(2)] for name in ONE_DIE}
        more |= {f"{name}:{id}": [[chance.randint(1, 6)] for _ in range(2)] for name in SAVES for id in ids}
        more |= {
            name: [[chance.randint(1, 6), chance.randint(1, 6)] for _ in range(3)] for name in ("attack", "support")
        }
        if any("cards" in one for one in _everyone(made)):
            more |= rolls_of_cards(chance, "".join(id for id in ids if len(id) == 1))
        action["rolls"] = more | action.get("rolls", {})


def _questions(made: dict[str, Any], chance: random.Random) -> Iterator[dict[str, Any]]:
    """Yield questions about figures and squares of a dispute."""
    ids = [one["id"] for one in _everyone(made)]
    for _ in range(3):
        one, other, square = chance.choice(ids), chance.choice(ids), _name(*_near(made, chance))
        kind = chance.choice(["close", "ranged"])
        asked: list[dict[str, Any]] = [
            {"ask": "line-of-fire", "from": one, "to": chance.choice([other, square])},
            {"ask": "adjacent", "a": one, "b": chance.choice([other, square]), "for": chance.choice([None, kind])},
            {"ask": "can-target", "attack": kind, "from": one, "to": other},
            {"ask": "value", "of": one, "value": chance.choice(VALUES), "attack": kind, "from": one, "to": other},
            {"ask": "value", "of": other, "value": chance.choice(VALUES), "attack": kind, "from": one, "to": other},
            {"ask": "value", "of": one, "value": chance.choice([*VALUES, "range"])},
            {"ask": "can-carry", "of": one, "carried": other},
            {"ask": "break-away", "of": one},
            {"ask": "action-total", "player": chance.choice(made["sides"])["player"]},
            {"ask": "knock-back", "of": one, "from": other, "clicks": chance.randint(1, 4)},
            {"ask": "distance", "from": one, "to": square},
        ]
        yield chance.choice(asked)
    if chance.random() < 0.15:
        yield {"ask": "actions", "of": chance.choice(ids)}
    if chance.random() < 0.15:
        yield {"ask": "reachable", "of": chance.choice(ids)}


CHANGES = [
    _move_some,
    _lay_terrain,
    _build,
    _give_powers,
    _give_teams,
    _wear_down,
    _change_bases,
    _change_values,
    _improve,
    _deal_cards,
    _roll_otherwise,
    _act_otherwise,
    _add_an_object,
    _open_another_book,
]


# ── Forces and battles ─────────────────────────────────────────────────────────────────────────────

TIMES = 12


def varied_files(folder: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a name and a changed document, several times for every golden force or battle.

    What is changed becomes what another golden document has under the same key; lists lose or repeat an element.
    """
    known = _known(folder)
    for case in golden(folder):
        for time in range(TIMES):
            chance = random.Random(f"{case['id']} {time}")
            made = copy.deepcopy(case["input"])
            for _ in range(chance.randint(1, 3)):
                holder, key = chance.choice(list(_places(made)))
                if isinstance(key, int):
                    holder.insert(key, copy.deepcopy(holder[key])) if chance.random() < 0.5 else holder.pop(key)
                else:
                    holder[key] = copy.deepcopy(chance.choice(known[key]))
            yield f"{folder}-{case['id']}-{time}", made


@cache
def _known(folder: str) -> dict[str, list[Any]]:
    """Return what the golden documents of a folder have under each key."""
    found: dict[str, list[Any]] = {}
    for case in golden(folder):
        for holder, key in _places(case["input"]):
            if isinstance(key, str) and holder[key] not in found.setdefault(key, []):
                found[key].append(holder[key])
    return found


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every object and list within a document, with each of its keys or places."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from _places(value[key])
