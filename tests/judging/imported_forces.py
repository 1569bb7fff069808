"""What the books say of a force, written from FORMATS.md alone: nothing of the importer, the builder or the engine.

Only rules that what is printed decides; a force may break others, too. An element that the edition lacks counts its
points and nothing else.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from .imported_catalogue import MODERN, POWERS, SEVEN, Printed

EDITIONS = ("ic-2002", "car-2002", "dc-2005", "core-2014", "core-modern")
WITH_FEATS = ("dc-2005", "core-2014")
NEW = ("core-2014", "core-modern")
JUDGED = frozenset({
    "build-total", "no-character", "unique", "prime", "feat-10-percent", "feat-duplicate", "feat-prerequisite",
    "battlefield-condition-limit", "object-limit", "special-object-duplicate", "resource-limit",
    "resource-special-object", "team-ability-card-limit", "sideline-not-allowed", "sideline-limit", "not-in-edition",
    "product-not-yet-legal", "point-value", "archenemies", "promotional",
})  # fmt: skip
OPEN = frozenset({"element-rules", "archenemies"})
"""Rules of which the oracle knows exactly when they stay unchecked: too often would be as wrong as too seldom."""
OLD = EDITIONS[:3]
BLACK = "black"


@dataclass
class Picked:
    """An element on a force: at which points, on the sideline or not, assigned to which others (by place)."""

    one: Printed
    points: int | None
    sideline: bool = False
    to: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Ruled:
    """What the books say: the points, the judged rules that are broken, and those that must stay unchecked."""

    total: int
    broken: frozenset[str]
    unchecked: frozenset[str]
    lacks_points: bool


def is_in(edition: str, one: Printed) -> bool:
    """Return whether the edition has such elements."""
    has = {
        "feats": edition in WITH_FEATS,
        "battlefield_conditions": edition in WITH_FEATS,
        "resources": edition in NEW,
        "team_ability_cards": edition == "core-2014",
        "objects": edition in NEW or not one.special,
        "other": edition == "core-modern" if one.kind in MODERN else one.kind in SEVEN and edition in NEW,
        "characters": (
            (one.kind != "bystander" or edition in ("dc-2005", *NEW))
            and (one.kind != "horde" or edition == "core-2014")
            and (one.rank != "prime" or edition in NEW)
        ),
    }
    return has[one.section]


def ring(edition: str, one: Printed) -> str:
    """Return the ring on a figure's base; until 2005, rare figures had one of their own."""
    has_own = edition in OLD and one.rank in ("", "common")
    return one.rarity.replace("_", "-") if has_own and one.rarity not in ("common", "rare", "chase") else one.rank


def is_unique(edition: str, one: Printed) -> bool:
    """Return whether the edition counts the figure's ring as Unique."""
    rings = {"car-2002": {"unique", "limited-edition"}, "dc-2005": {"unique", "limited-edition", "super-rare"}}
    return edition != "ic-2002" and ring(edition, one) in rings.get(edition, {"unique"})


def archenemies(edition: str, figures: Sequence[Printed]) -> tuple[bool, bool]:
    """Return whether two figures are archenemies, and whether two may be because a base's colour is unknown."""
    are, may_be = False, False
    for one, other in combinations(figures, 2):
        if edition not in OLD or one.name == other.name or (edition == "dc-2005" and one.set != other.set):
            continue
        colours = {one.colour, other.colour}
        if any(each.kind == "bystander" for each in (one, other) if not each.colour) or BLACK in colours:
            continue
        are |= len(colours) == 1 and "" not in colours
        may_be |= "" in colours
    return are, may_be


def card_rules_open(edition: str, known: Sequence[Picked]) -> bool:
    """Return whether a rule on a card may forbid the force, in a way that no book tells."""
    if edition in NEW and any(pick.one.kind in SEVEN for pick in known if pick.one.section == "other"):
        return True
    ones = [pick.one for pick in known if pick.one.section == "characters"]
    if any(one.says & {"legacy", "team-base", "building", "generated"} for one in ones):
        return True
    if sum("title" in one.says for one in ones) > 1:
        return True
    uniques = Counter(one.name.casefold() for one in ones if is_unique(edition, one))
    return any("team-up" in one.says and uniques[one.name.casefold()] > 1 for one in ones)


def _cost(pick: Picked) -> int:
    if pick.sideline or pick.points is None:
        return 0
    return pick.points * (len(pick.to) if pick.one.per_character or pick.one.section == "team_ability_cards" else 1)


def _repeated(keys: Iterable[object]) -> bool:
    return max(Counter(keys).values(), default=0) > 1


def _feats(edition: str, force: Sequence[Picked], feats: list[Picked], build_total: int) -> set[str]:
    broken = set()
    if edition == "core-2014" and sum(map(_cost, feats)) * 10 > build_total:
        broken.add("feat-10-percent")
    if _repeated((feat.one.name, place) for feat in feats for place in feat.to):
        broken.add("feat-duplicate")
    lacking = [
        place
        for feat in feats
        for place in feat.to
        if feat.one.needs_power and not any(feat.one.needs_power in click for click in force[place].one.powers)
    ]
    if edition == "dc-2005" and lacking:
        broken.add("feat-prerequisite")
    return broken


def ruled(edition: str, build_total: int, force: Sequence[Picked]) -> Ruled:
    """Return what the books say of this force at a sanctioned, constructed event of today."""
    known = [pick for pick in force if is_in(edition, pick.one)]
    on = {
        section: [pick for pick in known if pick.one.section == section and not pick.sideline]
        for section in ("characters", "feats", "objects", "resources", "battlefield_conditions", "team_ability_cards")
    }
    figures = [pick for pick in known if pick.one.section == "characters"]
    counted = figures if edition == "core-modern" else on["characters"]
    sideline = [pick for pick in force if pick.sideline]
    equipment = [pick for pick in known if edition == "core-modern" and pick.one.kind == "equipment"]
    objects = on["objects"] + equipment  # in core-modern, equipment is a kind of special object
    special = [pick.one.name for pick in objects if pick.one.special or pick in equipment]
    uniques = [pick.one for pick in counted if is_unique(edition, pick.one)]
    total = sum(map(_cost, force))
    optional = sum(pick.one.optional for pick in force if not pick.sideline)
    are_archenemies, may_be = archenemies(edition, [pick.one for pick in on["characters"]])
    tests = {
        "build-total": total > build_total,
        "not-in-edition": len(known) < len(force),
        "no-character": not [
            pick
            for pick in force
            if pick.one.section == "characters" and not pick.sideline
            if edition != "core-modern" or pick.one.kind != "bystander"
        ],
        "unique": _repeated(one.name if edition == "car-2002" else (one.name, one.set, one.number) for one in uniques),
        "archenemies": are_archenemies,
        "promotional": edition == "car-2002"
        and any(ring(edition, pick.one) == "promotional" for pick in on["characters"]),
        "prime": edition in NEW and sum(pick.one.rank == "prime" for pick in counted) > 1,
        "battlefield-condition-limit": len(on["battlefield_conditions"]) > 1,
        "object-limit": len(objects) > 3,
        "special-object-duplicate": edition in NEW and _repeated(special),
        "resource-limit": edition == "core-2014" and len(on["resources"]) > 1,
        "resource-special-object": edition == "core-2014" and bool(on["resources"] and special),
        "team-ability-card-limit": len(on["team_ability_cards"]) > 1,
        "sideline-not-allowed": bool(sideline)
        and not any(pick.one.allows_sideline and not pick.sideline for pick in force),
        "sideline-limit": len(sideline) > min(15, build_total // 100 * 3),
        "point-value": any(len(pick.one.points) > 1 and pick.points not in pick.one.points for pick in figures),
    }
    broken = {rule for rule, is_broken in tests.items() if is_broken}
    broken |= _feats(edition, force, on["feats"], build_total)
    open_rules = {
        "element-rules": card_rules_open(edition, known),
        "archenemies": may_be,
        "build-total": total <= build_total < total + optional,
        "product-not-yet-legal": edition == "car-2002" and any(not pick.one.street_date for pick in on["characters"]),
        "feat-prerequisite": any(feat.one.needs_power is None for feat in on["feats"]),
    }
    lacks = any(pick.one.section == "characters" and pick.points is None for pick in force)
    return Ruled(total, frozenset(broken), frozenset(rule for rule, is_open in open_rules.items() if is_open), lacks)


def random_force(chance: random.Random, edition: str, elements: Sequence[Printed]) -> list[Picked]:
    """Return a random force, about half of them within the rules that the oracle judges."""
    careful = chance.random() < 0.6
    pool = [one for one in elements if is_in(edition, one)] if careful else list(elements)
    figures = [one for one in pool if one.section == "characters"]
    others = [one for one in pool if one.section != "characters"]
    plain = [one for one in figures if one.kind == "character" and len(one.points) == 1 and one.powers]
    left, force = 300, []
    for _time in range(chance.randint(1, 5)):
        one = chance.choice(plain if careful and chance.random() < 0.7 else figures)
        points = chance.choice(one.points) if one.points else None
        if careful and (points or 0) > left:
            continue
        left -= points or 0
        force.append(Picked(one, points))
        if not careful and chance.random() < 0.15:
            force.append(Picked(one, points))
        namesakes = [other for other in figures if other.name == one.name and other is not one and other.points]
        if namesakes and chance.random() < 0.1:
            other = chance.choice(namesakes)
            force.append(Picked(other, other.points[0]))
    for _time in range(chance.choice((0, 0, 1, 1, 2, 4))):
        one = chance.choice(others)
        force.append(Picked(one, one.points[0] if one.points else None))
    if edition == "core-modern" and chance.random() < 0.25:
        for _time in range(chance.choice((1, 2, 11))):
            one = chance.choice(plain)
            force.append(Picked(one, one.points[0], sideline=True))
    bearers = [place for place, pick in enumerate(force) if pick.one.section == "characters" and not pick.sideline]
    for pick in force:
        if pick.one.section == "feats" and bearers:
            pick.to = chance.sample(bearers, chance.randint(1, min(2, len(bearers))))
        elif pick.one.section == "team_ability_cards":
            pick.to = bearers
    return force


__all__ = ["EDITIONS", "JUDGED", "OPEN", "POWERS", "Picked", "Ruled", "random_force", "ruled"]
