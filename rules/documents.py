"""Conversion between catalogue rows and documents: an element's facts, and its entries in force and position files.

Facts are one JSON object per element. `read_facts` validates all facts, from shipped files, imports and corrections
alike; `as_element` and `as_piece` write them into a force file and a position file (FORMATS).

A figure's click is `{"speed": 8, "attack": 10, "defense": 16, "damage": 3, "powers": {"speed": "Stealth"}}`: each power
is given under the value it is printed around; `{"ko": true}` is a KO between two lives. If a source has only some
facts, the others are left out: `known` holds single values of the starting click, `powers` names of powers without
their clicks.
"""

from __future__ import annotations

import copy
import datetime
import hashlib
import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.formats import number_format
from django.utils.text import slugify
from django.utils.translation import gettext as _

from .card_effects import cards_of, fault_of, key_of, without_words
from .card_rules import OLD_EDITIONS, OLD_RINGS, card_rules, optional_points, ring
from .dials import PLACES, SLOTS, SYMBOLS
from .engine import reader
from .uploads import is_text

shown = reader.shown
"""How messages quote a value: as the engine's own do."""

RANKS = (
    "rookie", "experienced", "veteran", "common", "uncommon", "rare", "unique", "super-rare", "limited-edition",
    "chase", "prime", "promotional",
)  # fmt: skip
RARITIES = (
    "common", "uncommon", "rare", "super-rare", "chase", "ultra-chase", "limited-edition", "promotional",
    "fast-forces", "special-edition",
)  # fmt: skip
CHARACTER_KINDS = ("character", "bystander", "horde", "sentinel")
OBJECT_KINDS = ("light", "heavy", "immobile", "ultra-light", "ultra-heavy")
OTHER_KINDS = (
    "equipment", "id-card", "special-terrain", "attachment", "tarot-card", "mystery-card", "legacy-card", "one-shot",
    "terrain-marker", "trick-arrow",
)  # fmt: skip
BASES = ("single", "peanut", "2x2", "2x4", "3x6")
MOVEMENT = (
    "elevated", "hindering", "blocking", "outdoor-blocking", "indoor-blocking", "destroy-blocking", "characters", "water",
)  # fmt: skip
TARGETING = (
    "hindering", "elevated", "blocking", "outdoor-blocking", "indoor-blocking", "destroy-blocking", "characters",
    "adjacent",
)  # fmt: skip
MAX_POINTS = 1_000_000
MAX_CLICKS = 30
LONGEST_NAME = 160
LONGEST_NUMBER = 20
LONGEST_TEXT = 5_000
LONGEST_LIST = 200
MAX_CARDS = 40


class BadFacts(ValueError):
    """Invalid facts; `where` is the key at fault, the message says what is wrong and what is allowed."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.where = where
        self.message = message


Reader = Callable[[Any, str], Any]


def grouped(number: int) -> str:
    """Return a number as a message may name it, its thousands apart as the reader's language has them."""
    return number_format(number, force_grouping=True)


def fold(text: str) -> str:
    """Return text in the form used by searches: no case, no accents, single spaces."""
    bare = text
    if not text.isascii():
        bare = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    return " ".join(bare.casefold().split())


def too_long(where: str, most: int) -> BadFacts:
    """Return the fault of a text with more characters than that."""
    return BadFacts(where, _("This can have at most %(most)s characters.") % {"most": grouped(most)})


def no_text(where: str) -> BadFacts:
    """Return the fault of a text with characters that no text has."""
    return BadFacts(where, _("This contains characters that aren't valid text (NUL, or half of a surrogate pair)."))


def read_text(value: Any, where: str) -> str:
    """Return a text, stripped. Raises BadFacts."""
    if not isinstance(value, str):
        raise BadFacts(where, _("This must be text, not %(value)s.") % {"value": shown(value)})
    if not is_text(value):
        raise no_text(where)
    return value.strip()


def read_list(value: Any, where: str) -> list[Any]:
    """Return a list, its entries unread. Raises BadFacts."""
    if not isinstance(value, list):
        raise BadFacts(where, _("This must be a list, not %(value)s.") % {"value": shown(value)})
    return value


def read_object(value: Any, where: str) -> dict[str, Any]:
    """Return a JSON object, its values unread. Raises BadFacts."""
    if not isinstance(value, dict):
        raise BadFacts(where, _("This must be an object, not %(value)s.") % {"value": shown(value)})
    return value


def _name(value: Any, where: str) -> str:
    name = " ".join(read_text(value, where).split())
    if not name:
        raise BadFacts(where, _("This can't be empty."))
    if len(name) > LONGEST_NAME:
        raise too_long(where, LONGEST_NAME)
    return name


def _short_text(most: int) -> Reader:
    def read(value: Any, where: str) -> str:
        text = read_text(value, where)
        if len(text) > most:
            raise too_long(where, most)
        return text

    return read


def bad_number(value: Any, where: str) -> BadFacts:
    """Return the fault of a value that isn't a whole number."""
    return BadFacts(where, _("This must be a whole number, not %(value)s.") % {"value": shown(value)})


def a_number(low: int, high: int) -> Reader:
    """Return a reader of whole numbers in the range."""

    def read(value: Any, where: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise bad_number(value, where)
        if not low <= value <= high:
            words = _("This must be from %(low)s to %(high)s, not %(value)s.")
            raise BadFacts(where, words % {"low": grouped(low), "high": grouped(high), "value": shown(value)})
        return value

    return read


_points = a_number(0, MAX_POINTS)


def _flag(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise BadFacts(where, _("This must be true or false, not %(value)s.") % {"value": shown(value)})
    return value


def one_of(*allowed: str) -> Reader:
    """Return a reader of these words."""

    def read(value: Any, where: str) -> str:
        if value not in allowed or not isinstance(value, str):
            words = _("This must be one of %(choices)s, not %(value)s.")
            raise BadFacts(where, words % {"choices": ", ".join(allowed), "value": shown(value)})
        return value

    return read


def _day(value: Any, where: str) -> str:
    if isinstance(value, datetime.datetime):
        value = value.date()
    if isinstance(value, datetime.date):
        return value.isoformat()
    try:
        return datetime.date.fromisoformat(value if isinstance(value, str) and len(value) == 10 else "").isoformat()
    except ValueError:
        raise BadFacts(
            where, _("This must be an existing date (YYYY-MM-DD), not %(value)s.") % {"value": shown(value)}
        ) from None


def _too_many(where: str, most: int) -> BadFacts:
    return BadFacts(where, _("This can have at most %(most)s entries.") % {"most": most})


def unknown_key(where: str, key: str, known: Iterable[str]) -> BadFacts:
    """Return the fault of a key that an object can't have."""
    words = _("%(key)s isn't a known key. Known keys: %(known)s.")
    return BadFacts(where, words % {"key": shown(key), "known": ", ".join(known)})


def no_value(where: str, key: str) -> BadFacts:
    """Return the fault of an object without a key that it needs."""
    return BadFacts(where, _("%(key)s is required.") % {"key": shown(key)})


def _list(each: Reader, *, unique: bool = True) -> Reader:
    def read(value: Any, where: str) -> list[Any]:
        entries = read_list(value, where)
        if len(entries) > LONGEST_LIST:
            raise _too_many(where, LONGEST_LIST)
        found: list[Any] = []
        for place, entry in enumerate(entries):
            item = each(entry, f"{where}/{place}")
            if not unique or item not in found:
                found.append(item)
        return found

    return read


def _object(keys: Mapping[str, Reader], required: tuple[str, ...] = ()) -> Reader:
    def read(value: Any, where: str) -> dict[str, Any]:
        given = read_object(value, where)
        inside = f"{where}/" if where else ""
        for key in given:
            if key not in keys:
                raise unknown_key(f"{inside}{key}"[:120], key, keys)
        for key in required:
            if given.get(key) is None:
                raise no_value(f"{inside}{key}", key)
        return {key: reads(given[key], f"{inside}{key}") for key, reads in keys.items() if given.get(key) is not None}

    return read


_names = _list(_name)
_click = _object(
    {
        "speed": a_number(0, 99),
        "attack": a_number(0, 99),
        "defense": a_number(0, 99),
        "damage": a_number(0, 99),
        "powers": _object(dict.fromkeys(SLOTS, _name)),
        "ko": _flag,
    }
)


def _starts(value: Any, where: str) -> dict[str, int]:
    found = {}
    for points, click in read_object(value, where).items():
        if not (isinstance(points, str) and points.isascii() and points.isdigit() and len(points) <= 7):
            raise BadFacts(where, _("%(points)s isn't a number of points.") % {"points": shown(points)})
        found[points] = a_number(1, MAX_CLICKS)(click, f"{where}/{points}")
    return found


_card_heading = _object(
    {
        "slot": one_of("", *SLOTS, "trait"),
        "name": _short_text(LONGEST_NAME),
        "sort": _short_text(LONGEST_NAME),
        "effects": lambda value, where: value,
    },
    ("effects",),
)


def _cards(value: Any, where: str) -> list[dict[str, Any]]:
    """Return what a judge confirmed of a figure's cards: their headings and effects, without the words of texts."""
    cards = _list(_card_heading)(value, where)
    if len(cards) > MAX_CARDS:
        raise _too_many(where, MAX_CARDS)
    for place, card in enumerate(cards):
        if (fault := fault_of(card["effects"])) is not None:
            raise BadFacts(f"{where}/{place}{fault.where.removeprefix('/0')}"[:120], fault.message)
        if len(json.dumps(card["effects"])) > LONGEST_TEXT:
            raise too_long(f"{where}/{place}/effects", LONGEST_TEXT)
        if key_of(card) in map(key_of, cards[:place]):
            raise BadFacts(f"{where}/{place}", _("This appears twice."))
        card["effects"] = [dict(effect) for effect in without_words(card["effects"])]
    return cards


_values = _object({**dict.fromkeys(SLOTS, a_number(0, 99)), "range": a_number(0, 99)})
_requires = _object({"powers": _names, "teams": _names, "keywords": _names, "values": _values})
COMMON: dict[str, Reader] = {
    "name": _name,
    "number": _short_text(LONGEST_NUMBER),
    "points": _points,
    "text": _short_text(LONGEST_TEXT),
    "street_date": _day,
    "promotional": _flag,
    "rarity": one_of(*RARITIES),
    "properties": _names,
    "force_construction": _flag,
}
FACTS: dict[str, Mapping[str, Reader]] = {
    "characters": {
        **COMMON,
        "real_name": _short_text(LONGEST_NAME),
        "rank": one_of(*RANKS),
        "kind": one_of(*CHARACTER_KINDS),
        "point_options": _list(_points),
        "starts": _starts,
        "base_color": _name,
        "base": one_of(*BASES),
        "teams": _names,
        "keywords": _names,
        "generic_keywords": _names,
        "range": a_number(0, 99),
        "bolts": a_number(0, 9),
        "symbols": _object({slot: one_of(*names) for slot, names in SYMBOLS.items()}),
        "improved": _object({"movement": _list(one_of(*MOVEMENT)), "targeting": _list(one_of(*TARGETING))}),
        "dial": _list(_click, unique=False),
        "dial_clicks": a_number(1, MAX_CLICKS),
        "special_powers": _list(
            _object(
                {
                    "slot": one_of(*SLOTS, "trait"),
                    "name": _name,
                    "sort": _name,
                    "powers": _names,
                    "stop": _flag,
                    "points": _points,
                    "plot_points": _short_text(LONGEST_NUMBER),
                    "rally": _object({"of": _name, "die": a_number(1, 6)}),
                },
                ("name",),
            ),
            unique=False,
        ),
        "horde_stack": a_number(1, 99),
        "passengers": a_number(0, 99),
        "known": _values,
        "powers": _names,
        "allows_sideline": _flag,
        "cards": _cards,
    },
    "feats": {**COMMON, "chooses": a_number(0, 99), "per_character": _flag, "requires": _requires},
    "objects": {
        **COMMON,
        "kind": one_of(*OBJECT_KINDS),
        "special": _flag,
        "relic_roll": a_number(1, 6),
        "allows_sideline": _flag,
    },
    "battlefield_conditions": COMMON,
    "resources": {**COMMON, "allows_sideline": _flag},
    "team_ability_cards": {**COMMON, "cost_per_character": _points, "requires": _requires},
    "other": {**COMMON, "kind": one_of(*OTHER_KINDS), "allows_sideline": _flag},
}
"""Section of the force file → the facts that an element of it may have."""


IN_CODES = {
    "feats": "feat",
    "objects": "object",
    "battlefield_conditions": "condition",
    "resources": "resource",
    "team_ability_cards": "team",
    "other": "other",
}
"""The words for sections in elements' codes."""


def read_facts(section: str, facts: Any) -> dict[str, Any]:
    """Return facts checked and in a fixed order; null or absent means unknown.

    Raises BadFacts at the first key that is unknown, missing or invalid.
    """
    one_of(*FACTS)(section, "section")
    found: dict[str, Any] = _object(FACTS[section], ("name",))(facts, "")
    if section != "characters":
        return found
    if len(found.get("dial", ())) > MAX_CLICKS:
        raise BadFacts("dial", _("A dial can have at most %(most)s clicks.") % {"most": MAX_CLICKS})
    options = found.get("point_options", [])
    if "points" not in found and options:
        found["points"] = max(options)
    for points, click in found.get("starts", {}).items():
        if "dial" in found and click > len(found["dial"]):
            raise BadFacts(
                f"starts/{points}",
                _("The starting click is %(click)s, but the dial ends at click %(found)s.")
                % {"click": click, "found": len(found["dial"])},
            )
    return {key: found[key] for key in FACTS[section] if key in found}


def all_faults(section: str, facts: Mapping[str, Any]) -> list[BadFacts]:
    """Return every key's fault for which `read_facts` would refuse these facts, in its order."""
    left, found = dict(facts), []
    while True:
        try:
            read_facts(section, left)
        except BadFacts as bad:
            found.append(bad)
            key = bad.where.partition("/")[0]
            if key == "name":
                left[key] = "?"
            elif left.pop(key, None) is None:
                return found
        else:
            return found


def element_code(set_code: str, section: str, facts: Mapping[str, Any]) -> str:
    """Return the code that identifies an element in all files: stable, and readable in an address."""
    number = slugify(str(facts.get("number", "")))
    if section == "characters" and number:
        return f"{set_code}/{number}"
    name = str(facts.get("name", ""))
    named = slugify(name) or hashlib.sha256(name.encode(errors="replace")).hexdigest()[:12]
    words = [named, str(facts.get("rank", "")) if section == "characters" else "", number]
    own = slugify(" ".join(word for word in words if word and word != "common"))
    return f"{set_code}/{own if section == 'characters' else f'{IN_CODES[section]}-{own}'}"[:120]


def corrected(section: str, facts: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts with a correction's changes applied.

    A key sets that fact (null: now unknown); `symbols.speed` sets one part; `replace_powers` maps a power's old name to
    the new one everywhere on the dial. Raises BadFacts if the result is invalid.
    """
    after = copy.deepcopy(dict(facts))
    for key, value in changes.items():
        if key == "replace_powers":
            names = _object(dict.fromkeys(value, _name))(value, key) if isinstance(value, dict) else {}
            if not names:
                raise BadFacts(key, _("This must give each power's name its new name."))
            for click in after.get("dial", ()):
                if "powers" in click:
                    click["powers"] = {slot: names.get(power, power) for slot, power in click["powers"].items()}
            if "powers" in after:
                after["powers"] = [names.get(power, power) for power in after["powers"]]
            continue
        first, _between, last = key.partition(".")
        if last:
            part = dict(after.get(first) or {})
            part[last] = copy.deepcopy(value)
            after[first] = part
        else:
            after[first] = copy.deepcopy(value)
    return read_facts(section, after)


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the differences between two facts, key by key: `{"fact", "before", "after"}`; absent is null."""
    keys = [*before, *(key for key in after if key not in before)]
    return [
        {"fact": key, "before": before.get(key), "after": after.get(key)}
        for key in keys
        if before.get(key) != after.get(key)
    ]


def _printed_powers(click: Mapping[str, Any]) -> list[str]:
    """Return the powers of a click from speed to damage, whatever order the database keeps keys in."""
    powers = click.get("powers") or {}
    return [powers[slot] for slot in SLOTS if slot in powers]


def powers_of(facts: Mapping[str, Any]) -> list[str]:
    """Return every power in a figure's facts, each once: on the dial, from special powers, or only known by name."""
    found: dict[str, None] = {}
    for click in facts.get("dial", ()):
        found.update(dict.fromkeys(_printed_powers(click)))
    for special in facts.get("special_powers", ()):
        found[special["name"]] = None
        found.update(dict.fromkeys(special.get("powers", ())))
    found.update(dict.fromkeys(facts.get("powers", ())))
    return list(found)


def point_choices(facts: Mapping[str, Any]) -> list[int]:
    """Return the points at which an element may be added, the highest first; empty if unknown."""
    options = facts.get("point_options") or ([facts["points"]] if facts.get("points") is not None else [])
    return sorted(set(options), reverse=True)


def _powers_on_click(click: Mapping[str, Any], special: Mapping[str, list[str]]) -> list[str]:
    """Return the standard powers of a click; a special power is replaced by the standard ones it gives."""
    found: list[str] = []
    for power in _printed_powers(click):
        found += [power] if power in PLACES else special.get(power, [])
    return list(dict.fromkeys(found))


def plain_dial(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the dial in the form of force and position files, without KO; empty if any value is unknown."""
    dial = [click for click in facts.get("dial") or [] if not click.get("ko")]
    if any(slot not in click for click in dial for slot in SLOTS):
        return []
    special = {power["name"]: power.get("powers", []) for power in facts.get("special_powers", ())}
    return [{**{slot: click[slot] for slot in SLOTS}, "powers": _powers_on_click(click, special)} for click in dial]


class PointsUnknown(ValueError):
    """The catalogue doesn't have this element's points: the player must enter them."""


FORCE_KEYS: dict[str, tuple[str, ...]] = {
    "characters": (
        "name", "set", "number", "points", "rank", "rarity", "kind", "base_color", "teams", "keywords",
        "generic_keywords", "dial", "point_options", "street_date", "promotional", "optional_points", "card_rules",
    ),
    "feats": ("name", "points", "assigned_to", "requires"),
    "objects": ("name", "kind", "special", "points", "card_rules"),
    "battlefield_conditions": ("name",),
    "resources": ("name", "points", "card_rules"),
    "team_ability_cards": ("name", "cost_per_character", "assigned_to", "requires"),
    "other": ("name", "kind", "points", "card_rules"),
}  # fmt: skip
NO_RARITY_IN_FORCES = {"promotional", "fast-forces", "special-edition"}
FREE = {"objects": 0, "battlefield_conditions": 0, "feats": None, "resources": None, "other": None}


def as_element(
    section: str,
    facts: Mapping[str, Any],
    *,
    ref: str | None = None,
    points: int | None = None,
    assigned_to: list[str] | None = None,
    edition: str = "",
    made_for: str = "",
) -> dict[str, Any]:
    """Return the element of a force file for these facts.

    `points` is what the player pays, if the figure offers several values. `made_for` is the edition of the figure's own
    set (`card_rules.ring`). In editions with archenemies, the unknown colour of an old base is null. The section is the list of
    the force file it belongs to. Raises PointsUnknown if neither the facts nor the caller give the points.
    """
    keys = FORCE_KEYS[section]
    element: dict[str, Any] = {} if ref is None else {"ref": ref}
    element |= {key: copy.deepcopy(facts[key]) for key in keys if key in facts and key != "dial"}
    if section == "characters":
        if dial := plain_dial(facts):
            element["dial"] = dial
        element["rank"] = ring(facts, edition, made_for) or None
        element["optional_points"] = optional_points(facts) or None
        element["promotional"] = bool(facts.get("promotional"))
        if element.get("rarity") in NO_RARITY_IN_FORCES:
            del element["rarity"]
    if section in ("feats", "team_ability_cards"):
        element["assigned_to"] = list(assigned_to or [])
    if "points" in keys:
        choices = point_choices(facts)
        paid = points if points is not None else (choices[0] if choices else FREE.get(section))
        if paid is None:
            raise PointsUnknown(facts["name"])
        if section == "feats" and facts.get("per_character") and points is None:
            paid *= max(1, len(assigned_to or []))
        element["points"] = paid
    if section == "objects":
        element["special"] = bool(facts.get("special"))
    if "card_rules" in keys:
        element["card_rules"] = card_rules(facts) or None
    element = {key: value for key, value in element.items() if value is not None}
    if section == "characters" and edition in OLD_EDITIONS and made_for in {"", *OLD_EDITIONS}:
        element.setdefault("base_color", None)
    return element


def as_piece(
    facts: Mapping[str, Any],
    *,
    id: str,
    points: int | None = None,
    square: str | None = None,
    texts: Iterable[Mapping[str, str]] = (),
) -> dict[str, Any]:
    """Return the character of a position file for a figure's facts, on its starting click, with its cards.

    `texts` are those of its cards, as far as the installation has them (`card_effects`).
    Raises PointsUnknown without points, BadFacts without a dial in the catalogue, which a character on the board needs.
    """
    cards = cards_of(facts, texts)
    known = {(card.slot, card.name.casefold()) for card in cards if card.settled}
    special = facts.get("special_powers", ())
    left = [one for one in special if (one.get("slot"), one["name"].casefold()) not in known]
    dial = plain_dial({**facts, "special_powers": left})
    if not dial:
        raise BadFacts("dial", _("The catalogue doesn't have the complete dial of %(name)s.") % {"name": facts["name"]})
    choices = point_choices(facts)
    paid = points if points is not None else (choices[0] if choices else None)
    if paid is None:
        raise PointsUnknown(facts["name"])
    printed = (facts.get("starts") or {}).get(str(paid), 1)
    start = printed - sum(1 for click in facts["dial"][: printed - 1] if click.get("ko"))
    copied = (
        "set",
        "number",
        "base",
        "base_color",
        "teams",
        "keywords",
        "generic_keywords",
        "range",
        "bolts",
        "symbols",
    )
    piece = {"id": id, "name": facts["name"], "points": paid, "square": square, "dial": dial}
    piece |= {key: copy.deepcopy(facts[key]) for key in copied if key in facts}
    if facts.get("kind", "character") in ("bystander", "horde"):
        piece["kind"] = facts["kind"]
    if cards:
        piece["cards"] = [card.in_position for card in cards]
    if start != 1:
        piece |= {"start": start, "click": start}
    return piece


def renewed(document: Mapping[str, Any], catalogue: Mapping[tuple[str, int], Mapping[str, Any]]) -> dict[str, Any]:
    """Return a force file with its copies of facts replaced by the catalogue's.

    `catalogue` holds the current facts by list and place (`rules.queries.catalogued`, each version's `document`). The
    player's choices stay: the points paid, assignments, proxies, sealed product, the dial's number, `ref`s; elements
    that aren't in the catalogue are left as they are. The given document isn't modified.
    """
    after = copy.deepcopy(dict(document))
    edition = after.get("edition", "")
    for (section, place), facts in catalogue.items():
        element = after["force"][section][place]
        kind = "characters" if section == "sideline" else section
        points = element.get("points")
        fresh = as_element(
            kind,
            facts,
            points=points if isinstance(points, int) else 0,
            assigned_to=element.get("assigned_to"),
            edition=edition,
        )
        chosen = {key: value for key, value in element.items() if key not in FORCE_KEYS[kind]}
        kept = {key: element[key] for key in ("points", "assigned_to") if key in element}
        if "points" not in element:
            fresh.pop("points", None)
        if (
            edition == "core-2014"
            and element.get("rank") == "unique"
            and OLD_RINGS & {fresh.get("rank"), facts.get("rarity")}
        ):
            fresh["rank"] = "unique"
        after["force"][section][place] = {**chosen, **fresh, **kept}
    return after
