"""Documents for testing laws: any JSON, valid forces and battles, and damaged ones."""

from __future__ import annotations

import copy
import random
from typing import Any

from hypothesis import strategies as st

from rules.engine import EDITIONS

Document = dict[str, Any]
NAMES = ["Batman", "batman", "Robin", "Thor", "Sentinel", "Ünï"]
KEYWORDS = ["X-Men", "x-men", "Scientist", "Avengers"]
POWERS = ["Charge", "Stealth", "Leap/Climb"]

any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(max_size=6), children, max_size=4),
    max_leaves=12,
)


def some(values: list[Any], most: int = 2) -> st.SearchStrategy[list[Any]]:
    """Draw a short list of these, each at most once."""
    return st.lists(st.sampled_from(values), max_size=most, unique=True)


clicks = st.fixed_dictionaries(
    {
        "speed": st.integers(0, 12),
        "attack": st.integers(0, 12),
        "defense": st.integers(0, 20),
        "damage": st.integers(0, 6),
    },
    optional={"powers": some(POWERS)},
)
characters = st.fixed_dictionaries(
    {"name": st.sampled_from(NAMES), "points": st.integers(0, 160)},
    optional={
        "set": st.sampled_from([None, "ic", "ct"]),
        "number": st.sampled_from([None, "1", "001", "2"]),
        "rank": st.sampled_from(
            ["rookie", "unique", "prime", "limited-edition", "super-rare", "promotional", "common"]
        ),
        "rarity": st.sampled_from(["rare", "ultra-chase"]),
        "kind": st.sampled_from(["character", "character", "bystander", "horde", "sentinel"]),
        "base_color": st.sampled_from(["black", "red", "gray"]),
        "teams": some(["X-Men", "Brotherhood", "Avengers"]),
        "keywords": some(KEYWORDS),
        "generic_keywords": some(KEYWORDS),
        "dial": st.lists(clicks, max_size=3),
        "point_options": st.lists(st.integers(0, 160), max_size=2),
        "street_date": st.sampled_from([None, "2002-09-15", "2002-11-20"]),
        "promotional": st.booleans(),
        "proxy": st.booleans(),
        "from_sealed_product": st.booleans(),
        "dial_number": st.sampled_from([None, "1", "2"]),
    },
)
requirements = st.none() | st.fixed_dictionaries(
    {},
    optional={
        "powers": some(POWERS),
        "teams": some(["X-Men"]),
        "keywords": some(KEYWORDS),
        "values": st.dictionaries(st.sampled_from(["speed", "attack", "range"]), st.integers(0, 12), max_size=2),
    },
)
events = st.fixed_dictionaries(
    {"build_total": st.sampled_from([0, 50, 100, 200, 300, 1000])},
    optional={
        "format": st.sampled_from(["constructed", "head-to-head", "sealed-booster", "sealed-starter"]),
        "sanctioned": st.booleans(),
        "date": st.sampled_from([None, "2002-09-30", "2002-12-01"]),
        "sets": some(["ic", "ct"]),
        "event_dial": st.booleans(),
        "tactics": some(["feats", "special-objects", "resources", "bystanders", "themed-teams"], 5),
    },
)
objects = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["Crate", "crate", "Throne"]),
        "kind": st.sampled_from([None, "light", "heavy", "immobile", "ultra-light"]),
        "special": st.booleans(),
        "points": st.integers(0, 20),
    },
)


@st.composite
def forces(draw: st.DrawFn) -> Document:
    """Draw a valid force file, legal or not; every element has a ref."""
    cast = draw(st.lists(characters, max_size=6))
    for number, one in enumerate(cast):
        one["ref"] = f"c{number}"
    refs = [one["ref"] for one in cast]
    chosen = some(refs, 3) if refs else st.just([])
    feats = st.fixed_dictionaries(
        {"name": st.sampled_from(["Slippery", "Bold"]), "points": st.integers(0, 40), "assigned_to": chosen},
        optional={"requires": requirements},
    )
    cards = st.fixed_dictionaries(
        {"name": st.just("Card"), "cost_per_character": st.integers(0, 5), "assigned_to": chosen},
        optional={"requires": requirements},
    )
    named = st.fixed_dictionaries({"name": st.sampled_from(["Fog", "Rain"])})
    resources = st.fixed_dictionaries({"name": st.just("Belt"), "points": st.integers(0, 20)})
    other = st.fixed_dictionaries(
        {"name": st.just("Shield"), "points": st.integers(0, 9)},
        optional={"kind": st.sampled_from(["equipment", "id-card"])},
    )
    lists = {
        "feats": draw(st.lists(feats, max_size=2)),
        "objects": draw(st.lists(objects, max_size=5)),
        "battlefield_conditions": draw(st.lists(named, max_size=2)),
        "resources": draw(st.lists(resources, max_size=2)),
        "team_ability_cards": draw(st.lists(cards, max_size=2)),
        "other": draw(st.lists(other, max_size=2)),
        "sideline": draw(st.lists(characters, max_size=2)),
    }
    for sort, found in lists.items():
        for number, one in enumerate(found):
            one["ref"] = f"{sort}{number}"
    if refs and draw(st.booleans()):
        lists["sideline_allowed_by"] = refs[:1]
    return {
        "id": draw(st.sampled_from([None, "d1"])),
        "edition": draw(st.sampled_from(list(EDITIONS))),
        "event": draw(events),
        "force": {"characters": cast, **lists},
    }


@st.composite
def battles(draw: st.DrawFn) -> Document:
    """Draw a valid battle file with two to four sides."""
    edition = draw(st.sampled_from(list(EDITIONS)))
    players = ["A", "B", "C", "D"][: draw(st.integers(2, 4))]
    refs = {player: [f"{player}{number}" for number in range(draw(st.integers(0, 3)))] for player in players}
    everybody = [ref for own in refs.values() for ref in own]
    fates = ["survived", "defeated", "left-map", "removed"]
    captives = ["captured", "released"] if edition in ("car-2002", "core-2014") else []
    sides, order = [], list(range(1, 1 + len(everybody)))
    random.Random(draw(st.integers(0, 9))).shuffle(order)
    for player in players:
        theirs = [ref for other, own in refs.items() if other != player for ref in own]
        cast = []
        for ref in refs[player]:
            fate = draw(st.sampled_from(fates + (captives if theirs else [])))
            one: Document = {
                "ref": ref,
                "name": draw(st.sampled_from(NAMES)),
                "points": draw(st.integers(0, 120)),
                "fate": fate,
                "order": order.pop(),
                "base_color": draw(st.sampled_from(["black", "red"])),
                "set": draw(st.sampled_from([None, "ic"])),
                "kind": draw(st.sampled_from(["character", "sentinel"])),
                "teams": draw(some(["X-Men"])),
                "cause": draw(st.sampled_from([None, "attack", "pushing", "knockback", "mind-control", "own-power"])),
                "by": draw(st.sampled_from(theirs if fate in captives else [None, *everybody])),
                "last_damaged_by": draw(st.sampled_from([None, *players])),
                "on_turn_of": draw(st.sampled_from([None, *players])),
                "controller": draw(st.sampled_from([None, None, *everybody])),
            }
            cast.append(one)
        chosen = some(refs[player], 2) if refs[player] else st.just([])
        feats = st.fixed_dictionaries(
            {"points": st.integers(0, 20), "assigned_to": chosen},
            optional={"per_character": st.booleans(), "fate": st.sampled_from(["survived", "removed"])},
        )
        tokens = st.fixed_dictionaries({"points": st.integers(0, 20), "fate": st.sampled_from(["survived", "removed"])})
        cards = st.fixed_dictionaries({"cost_per_character": st.integers(0, 5), "assigned_to": chosen})
        sides.append(
            {
                "player": player,
                "characters": cast,
                "feats": draw(st.lists(feats, max_size=2)),
                "objects": draw(st.lists(tokens, max_size=2)),
                "resources": draw(st.lists(tokens, max_size=1)),
                "team_ability_cards": draw(st.lists(cards, max_size=1)),
            }
        )
    ended = draw(st.sampled_from(["elimination", "time", "turn-limit", "agreement", "abandoned", "scenario"]))
    document = {
        "edition": edition,
        "build_total": draw(st.sampled_from([100, 200, 300])),
        "ended": ended,
        "sides": sides,
        "scenario": draw(st.sampled_from([None, *map(str, EDITIONS[edition].scoring.scenarios)])),
        "turn": draw(st.sampled_from([None, 5, 8, 10])),
        "attacker": players[0],
        "defender": players[1],
        "roll_off": draw(st.none() | st.dictionaries(st.sampled_from(players), st.integers(2, 12))),
    }
    if ended == "abandoned":
        document["abandoned_by"] = players[0]
    if document["scenario"] and draw(st.booleans()):
        document["scenario_winner"] = players[-1]
    return document


ODD = [
    None, True, False, 0, -1, 1.5, 1e300, 10**30, "", " ", "47", "Batman", "2003-02-30", "2003-02-28", "core‑2014", "\ud800",
    "a/b~c", "\0", [], [[]], [None], ["a"], {}, {"": {}}, {"a/b~c": 1}, float("inf"), float("nan"), "unique", "defeated", 100,
]  # fmt: skip


def spoil(document: Document, chance: random.Random) -> Document:
    """Return the document with a few places changed, added, doubled or removed."""
    spoilt = copy.deepcopy(document)
    for _ in range(chance.randint(1, 4)):
        holder: Any = spoilt
        while chance.random() < 0.75:
            inner = holder.values() if isinstance(holder, dict) else holder
            deeper = [value for value in inner if isinstance(value, (dict, list)) and value]
            if not deeper:
                break
            holder = chance.choice(deeper)
        odd = copy.deepcopy(chance.choice(ODD))
        if isinstance(holder, dict):
            key = chance.choice(
                [*holder, chance.choice(["ref", "points", "x", "a/b~c", "\ud800", "fate", "by", "assigned_to"])]
            )
            if chance.random() < 0.25:
                holder.pop(key, None)
            else:
                holder[key] = odd
        elif chance.random() < 0.5:
            holder.append(odd)
        else:
            holder[chance.randrange(len(holder))] = odd
    return spoilt
