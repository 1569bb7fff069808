"""Cards of position files: JSON ↔ cards with their effects, conditions and the characters that they concern."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Any, Final

from rules.engine.documents.reader import (
    Reader,
    a_list,
    a_mapping,
    a_whole_number,
    a_word_of,
    an_object,
    flag,
    name,
    one_of,
    points,
    shape_of,
    shaped,
    shown,
    text,
    whole_number,
)
from rules.engine.documents.squares import a_rectangle
from rules.engine.errors import BadInput, refuse
from rules.engine.position.cards import (
    Card,
    CardCondition,
    CardKind,
    CardMoment,
    Effect,
    Option,
    Outcome,
    Requires,
    Who,
)
from rules.engine.position.dial import ValueName
from rules.engine.position.squares import Square

MAX_CARDS: Final = 50
MAX_EFFECTS: Final = 100
MAX_EFFECTS_OF_ALL: Final = 1_000
MAX_DEPTH: Final = 8
MOVEMENT_WORDS: Final = frozenset(
    {"elevated", "hindering", "blocking", "outdoor-blocking", "characters", "break-away", "destroy-blocking"}
)
TARGETING_WORDS: Final = frozenset({"hindering", "elevated", "blocking", "characters", "adjacent", "destroy-blocking"})
TERRAIN_WORDS: Final = ("hindering", "water", "elevated", "blocking", "obscuring")
ATTACKS: Final = ("close", "ranged", "any")
ACTIONS: Final = ("move", "close", "ranged", "power", "double-power", "free")
COSTS: Final = ("free", "power", "double-power", "epic", "move", "close", "ranged")
CANNOT: Final = (
    *("move", "attack", "carry", "be-carried", "reroll", "be-rerolled", "heal", "be-placed", "be-targeted"),
    *("attack-smaller", "move-indirectly", "be-modified", "be-modified-by-opponents"),
    *("ignore-pushing", "use-improved-movement", "be-rerolled-by-opponents"),
)


def _at_least_one(of: Reader[Any], most: int = 50) -> Reader[tuple[Any, ...]]:
    """Return a reader of lists that aren't empty and hold nothing twice."""
    several = a_list(of)

    @shaped(lambda: shape_of(several) | {"minItems": 1, "maxItems": most, "uniqueItems": True})
    def read(value: Any) -> tuple[Any, ...]:
        if isinstance(value, list) and len(value) > most:
            raise BadInput("", f"This can hold at most {most}, not {len(value):,}.")
        found = several(value)
        if not found:
            raise BadInput("", "This can't be empty.")
        twice = next((place for place, one in enumerate(found) if one in found[:place]), None)
        if twice is not None:
            raise BadInput(f"/{twice}", "This appears twice.")
        return found

    return read


def _number_or(*words: str, least: int = 1) -> Reader[int | str]:
    """Return a reader of a number of two digits at most, or one of these words."""

    def read(value: Any) -> int | str:
        return value if type(value) is str and value in words else whole_number(value, least, 99)

    return read


_names: Final = _at_least_one(name)
_small: Final = a_whole_number(0, 99)
_some: Final = a_whole_number(1, 99)
_by: Final = a_whole_number(-99, 99)
_die: Final = _at_least_one(a_whole_number(1, 12))
_clicks: Final = _at_least_one(a_whole_number(1, 100), 100)
_tokens: Final = _at_least_one(a_whole_number(0, 9))
_value: Final = one_of(ValueName)
_WHO: Final[Mapping[str, Reader[Any]]] = {
    "side": a_word_of(("self", "friends", "opponents", "all")),
    "within": _number_or("adjacent", "range"),
    "line_of_fire": flag,
    "their_line_of_fire": flag,
    "keyword": _names,
    "team": _names,
    "name": _names,
    "power": _names,
    "points_at_most": a_whole_number(0, 10_000),
    "points_at_least": a_whole_number(0, 10_000),
    "points": a_word_of(("higher", "lower")),
    "shares_keyword": flag,
    "beside": a_word_of(("hit", "hit-target", "attacker")),
    "tokens": _tokens,
    "size": a_word_of(("larger", "smaller", "same")),
    "also_self": flag,
    "hit": flag,
    "targeted": flag,
    "attacker": flag,
    "of_moment": flag,
    "rolled_for": flag,
    "choose": a_whole_number(1, 99),
    "generated": flag,
    "named_token": _names,
}
_read_who_object = an_object(Who, _WHO)


def _who(value: Any) -> Who:
    found: Who = _read_who_object(value)
    if not value:
        raise BadInput("", "Describe the characters by at least one word.")
    if found.side == "self" and len(value) > 1:
        raise BadInput("", 'With "side": "self" nothing else describes the character.')
    if found.targeted and not found.hit:
        raise BadInput("/targeted", 'Only those that an attack hit may be its targets: give "hit", too.')
    if found.also_self and found.side == "opponents":
        raise BadInput("/also_self", "The character itself isn't among its opponents.")
    return found


def _described(value: Any) -> Who:
    """Return characters that are described by themselves, not by what happens to them now."""
    found = _who(value)
    for key in ("hit", "targeted", "attacker", "beside", "of_moment", "rolled_for", "choose"):
        if key in value:
            raise BadInput(f"/{key}", "This is only for those that an effect reaches at a moment.")
    return found


def _near(value: Any) -> Who:
    found = _described(value)
    if found.within is None:
        raise BadInput("/within", '"within" is required.')
    return found


def _condition(value: Any, depth: int = 1) -> CardCondition:
    """Return a condition; those within it may be nested to a fixed depth."""
    if depth > MAX_DEPTH:
        raise BadInput("", f"Conditions can be nested at most {MAX_DEPTH} deep.")

    def inner(value: Any) -> CardCondition:
        return _condition(value, depth + 1)

    keys: dict[str, Reader[Any]] = {
        "attack": a_word_of(ATTACKS),
        "attacked": a_word_of(ATTACKS),
        "target": _described,
        "using": _names,
        "adjacent_to": _described,
        "near": _near,
        "none_near": _near,
        "on_map": _described,
        "terrain": _at_least_one(a_word_of(TERRAIN_WORDS)),
        "tokens": _tokens,
        "clicks": _clicks,
        "turn": a_word_of(("own", "opponents")),
        "holding": _names,
        "action": _at_least_one(a_word_of(ACTIONS)),
        "moved_this_turn": flag,
        "attacked_this_turn": flag,
        "carrying": flag,
        "hit": flag,
        "hit_all": flag,
        "knocked_out": _described,
        "named_token": _names,
        "stack": _number_or("full"),
        "moved_at_most": a_whole_number(0, 99),
        "started_at": a_whole_number(0, 10_000),
        "began_turn_on_map": flag,
        "listed_on_map": a_whole_number(1, 99),
        "names_shared": flag,
        "by": _described,
        "any": _at_least_one(inner),
        "not": inner,
    }
    found: CardCondition = an_object(lambda **read: CardCondition(**_renamed(read)), keys)(value)
    if not value:
        raise BadInput("", "A condition needs at least one word.")
    if found.hit_all is not None and found.attack is None:
        raise BadInput("/hit_all", "Only an attack of its own hits all its targets: give attack, too.")
    if found.hit is not None and found.attack is None and found.attacked is None:
        raise BadInput("/hit", "Only an attack hits: give attack or attacked, too.")
    if found.by is not None and found.attacked is None:
        raise BadInput("/by", "Only of an attack on the character is there an attacker: give attacked, too.")
    if found.attacked is not None and (found.attack is not None or found.target is not None or found.using):
        raise BadInput("/attacked", "A character doesn't make the attack that it is a target of.")
    return found


def _renamed(read: dict[str, Any]) -> dict[str, Any]:
    return {"not_" if key == "not" else key: value for key, value in read.items()}


def _outcome(value: Any, depth: int) -> Outcome:
    def effect(value: Any) -> Effect:
        return _effect(value, depth + 1)

    found: Outcome = an_object(Outcome, {"on": _die, "effects": _at_least_one(effect, MAX_EFFECTS)}, ("on", "effects"))(
        value
    )
    return found


def _option(value: Any, depth: int) -> Option:
    def effect(value: Any) -> Effect:
        return _effect(value, depth + 1)

    found: Option = an_object(Option, {"effects": _at_least_one(effect, MAX_EFFECTS)}, ("effects",))(value)
    return found


_by_damage: Final[Mapping[str, Reader[Any]]] = {"by": _some}
KINDS: Final[Mapping[str, tuple[Mapping[str, Reader[Any]], tuple[str, ...]]]] = {
    "can-use": (
        {"powers": _names, "teams": _names, "action": a_word_of(ACTIONS), "no_cost": flag, "change": name},
        (),
    ),
    "cannot-use": ({"powers": _names}, ("powers",)),
    "cannot": ({"what": _at_least_one(a_word_of(CANNOT))}, ("what",)),
    "modify": (
        {
            "value": _value,
            "by": _by,
            "each": _described,
            "each_token": name,
            "tokens_of": a_word_of(("self", "target")),
            "each_in_stack": flag,
            "most": _small,
        },
        ("value", "by"),
    ),
    "set": (
        {"value": _value, "set": _number_or("halve", "double", least=0), "as_of": _described, "locked": flag},
        ("value",),
    ),
    "least": ({"value": _value, "at": _small}, ("value", "at")),
    "most": ({"value": _value, "at": _small}, ("value", "at")),
    "ignore": (
        {
            "moving": _at_least_one(a_word_of(sorted(MOVEMENT_WORDS))),
            "targeting": _at_least_one(a_word_of(sorted(TARGETING_WORDS))),
        },
        (),
    ),
    "protected": ({"from": _names, "friends": flag}, ("from",)),
    "not-targeted": ({"by": a_word_of((*ATTACKS, "several")), "using": _names}, ("by",)),
    "reduce": (_by_damage, ("by",)),
    "prevent": ({}, ()),
    "raise": (_by_damage, ("by",)),
    "damage": ({"as": a_word_of(("penetrating", "unavoidable")), "amount": _small, "whom": _described}, ("as",)),
    "most-damage": ({"at": _small}, ("at",)),
    "on-roll": ({"dice": a_whole_number(1, 2)}, ("outcomes",)),
    "choose": ({}, ("options",)),
    "evade": ({"on": _die}, ("on",)),
    "heal": ({"clicks": _some}, ("clicks",)),
    "heal-less": ({"by": _some, "healed_by": _names}, ("by", "healed_by")),
    "deal": ({"damage": _some, "as": a_word_of(("penetrating", "unavoidable"))}, ("damage",)),
    "targets": ({"number": _some, "by": _some}, ()),
    "range": ({"by": _by}, ("by",)),
    "actions": ({"by": _some}, ("by",)),
    "uncounted": ({"action": _at_least_one(a_word_of(ACTIONS))}, ()),
    "free-action": (
        {"action": a_word_of((*ACTIONS, "attack")), "half": flag, "range": _small, "targets": _who, "no_cost": flag},
        ("action",),
    ),
    "place": ({"within": _number_or("adjacent"), "beside": _who, "line_of_fire": flag}, ()),
    "move": ({"squares": _some, "direct": flag}, ("squares",)),
    "knock-back": ({"squares": _some}, ("squares",)),
    "carry": ({"passengers": _some, "regardless": _names, "equal_size": flag, "whom": _described}, ()),
    "be-carried": ({"regardless": _names}, ("regardless",)),
    "lost": ({}, ("when",)),
    "fixed": ({"against": _at_least_one(a_word_of(("counter", "ignore")))}, ("against",)),
    "stop": ({}, ()),
    "special-ko": ({}, ()),
    "starting-line": ({"points": a_whole_number(0, 10_000), "clicks": _clicks}, ("points", "clicks")),
    "becomes": ({"name": name, "click": _some, "same_trait": flag, "same_click": flag, "alternate": flag}, ()),
    "generate": (
        {"name": name, "adjacent": flag, "number": _some, "most": _some, "click": _some, "code": name},
        ("name",),
    ),
    "equip": ({"name": name, "kind": name, "code": name}, ()),
    "unequip": ({"name": name}, ()),
    "drop": ({"name": name}, ()),
    "ko": ({}, ()),
    "token": ({"name": name, "by": _by}, ("name", "by")),
    "turn-dial": ({"by": _by}, ("by",)),
    "by-hand": ({"text": name}, ()),
}
"""The kinds of effects: the keys of each, and which are required."""
_ONE_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "can-use": ("powers", "teams"),
    "set": ("set", "as_of"),
    "ignore": ("moving", "targeting"),
    "targets": ("number", "by"),
    "place": ("within", "beside"),
    "becomes": ("name", "same_trait", "alternate"),
    "carry": ("passengers", "regardless"),
}
"""The keys of which a kind needs at least one."""
_OF_EVERY_KIND: Final[Mapping[str, Reader[Any]]] = {
    "do": a_word_of(KINDS),
    "when": _condition,
    "to": _who,
    "moment": one_of(CardMoment),
    "after": a_word_of(("resolutions",)),
    "limit": a_word_of(("turn", "game")),
    "may": flag,
    "whose": _described,
    "until": a_word_of(("turn", "next-turn", "end-of-next-turn", "game")),
    "costs": a_word_of(COSTS),
    "unique": flag,
    "part": a_whole_number(1, 9),
}


def _effect(value: Any, depth: int = 1) -> Effect:
    """Return one effect. The outcomes of a roll hold effects again, to a fixed depth."""
    if depth > MAX_DEPTH:
        raise BadInput("", f"Effects can be nested at most {MAX_DEPTH} deep.")
    if type(value) is not dict:
        raise BadInput("", f"This must be an object, not {shown(value)}.")
    if "do" not in value:
        raise BadInput("/do", '"do" is required.')
    try:
        kind = _OF_EVERY_KIND["do"](value["do"])
    except BadInput as fault:
        raise fault.under("do") from None
    keys, required = KINDS[kind]
    if kind == "on-roll":
        keys = {**keys, "outcomes": _at_least_one(lambda one: _outcome(one, depth))}
    if kind == "choose":
        keys = {**keys, "options": _at_least_one(lambda one: _option(one, depth))}

    def make(**read: Any) -> Effect:
        common = {key: read.pop(key) for key in _OF_EVERY_KIND if key in read}
        given = tuple((key, read[key]) for key in keys if key in read)
        return Effect(given=given, **common)

    made: Effect = an_object(make, {**_OF_EVERY_KIND, **keys}, required)(value)
    refuse(_contradictory(made, value, depth))
    return made


def _at_no_moment(made: Effect) -> Iterator[BadInput]:
    """Yield the words that need a moment, an action, or each other. Outcomes of a roll have its moment."""
    if made.whose is not None and made.moment is None:
        yield BadInput("/whose", 'Only an effect with a moment has "whose".')
    if made.after is not None and made.moment is None:
        yield BadInput("/after", 'Only an effect with a moment has "after".')
    if made.costs is not None and made.moment is not None:
        yield BadInput("/costs", "An effect has a moment or costs an action, not both.")
    if made.until is not None and made.moment is None and made.costs is None:
        yield BadInput("/until", 'Only an effect with a moment, or that costs an action, has "until".')
    if made.part > 1 and made.costs is None:
        yield BadInput("/part", 'Only an effect that costs an action has a "part".')
    if made.unique and made.do not in ("modify", "range"):
        yield BadInput("/unique", "Only a modifier is unique.")
    for key in ("to", "beside"):
        who = made.to if key == "to" else made.who("beside")
        if who is not None and who.of_moment and made.whose is None:
            yield BadInput(f"/{key}/of_moment", 'This needs "whose": whose moment it is.')
        if who is not None and who.rolled_for:
            yield BadInput(
                f"/{key}/rolled_for", "Only an outcome of a roll is for the character for which it was made."
            )
        if who is not None and (who.hit or who.attacker or who.beside) and made.moment is None:
            yield BadInput(
                f"/{key}", "Only at a moment are there characters that an attack has just hit, or an attacker."
            )
        if (
            who is not None
            and who.choose is not None
            and made.moment is None
            and made.costs is None
            and made.do != "place"
        ):
            yield BadInput(
                f"/{key}/choose", "Only what happens at a moment, or by an action, is for chosen characters."
            )


def _contradictory(made: Effect, value: Mapping[str, Any], depth: int) -> Iterator[BadInput]:
    if depth == 1:
        yield from _at_no_moment(made)
    needed = _ONE_OF.get(made.do, ())
    if needed and not any(key in value for key in needed):
        yield BadInput(f"/{needed[0]}", f"Give {' or '.join(needed)}.")
    counted = [key for key in ("each", "each_token", "each_in_stack") if key in value]
    if made.do == "modify" and "most" in value and not counted:
        yield BadInput("/most", 'Only a modifier with "each" has a maximum.')
    if made.do == "modify" and len(counted) > 1:
        yield BadInput(f"/{counted[1]}", f"Give {' or '.join(counted)}, not both.")
    if made.do == "modify" and "tokens_of" in value and "each_token" not in value:
        yield BadInput("/tokens_of", 'Only a modifier with "each_token" counts tokens.')
    if made.do == "modify" and made.number("by") == 0:
        yield BadInput("/by", "A modifier of 0 changes nothing.")
    if made.do == "turn-dial" and made.number("by") == 0:
        yield BadInput("/by", "A turn of 0 clicks changes nothing.")
    if made.do in ("set", "targets", "place") and all(key in value for key in needed):
        yield BadInput(f"/{needed[1]}", f"Give {' or '.join(needed)}, not both.")
    if made.do == "on-roll":
        most = 6 * (made.number("dice") or 1)
        least = made.number("dice") or 1
        seen: set[int] = set()
        for place, outcome in enumerate(value["outcomes"]):
            for number, effect in enumerate(outcome["effects"]) if "to" not in value else ():
                if effect.get("to", {}).get("rolled_for"):
                    where = f"/outcomes/{place}/effects/{number}/to/rolled_for"
                    yield BadInput(where, 'This needs "to" of the roll: for each of whom it is made.')
            for number, result in enumerate(outcome["on"]):
                where = f"/outcomes/{place}/on/{number}"
                if not least <= result <= most:
                    yield BadInput(where, f"This roll can't be {result}.")
                elif result in seen:
                    yield BadInput(where, f"Another outcome already has {result}.")
                seen.add(result)
    if made.do == "evade" and max(made.numbers("on")) > 6:
        yield BadInput("/on", "A die shows from 1 to 6.")


@shaped(lambda: {"type": "array", "items": {"type": "object"}, "maxItems": MAX_EFFECTS})
def _read_effects(value: Any) -> tuple[Effect, ...]:
    if type(value) is list and len(value) > MAX_EFFECTS:
        raise BadInput("", f"A card can have at most {MAX_EFFECTS} effects, not {len(value):,}.")
    return a_list(_effect)(value)


@shaped(lambda: shape_of(a_list(a_rectangle)))
def _squares(value: Any) -> tuple[Square, ...]:
    """Return the squares of rectangles and single squares, each once."""
    return tuple(dict.fromkeys(square for area in _at_least_one(a_rectangle)(value) for square in area))


_least_values: Final = a_mapping(a_whole_number(0, 99))


@shaped(lambda: shape_of(_least_values))
def _values(value: Any) -> tuple[tuple[ValueName, int], ...]:
    return tuple((_value(key), least) for key, least in _least_values(value).items())


_read_requires: Final = an_object(
    Requires, {"powers": a_list(name), "teams": a_list(name), "keywords": a_list(name), "values": _values}
)
_read_card_object = an_object(
    Card,
    {
        "name": name,
        "kind": one_of(CardKind),
        "slot": a_word_of(("speed", "attack", "defense", "damage")),
        "clicks": _clicks,
        "text": text,
        "effects": _read_effects,
        "squares": _squares,
        "requires": _read_requires,
        "points": points,
    },
    ("name", "kind"),
)


def _card(value: Any) -> Card:
    made: Card = _read_card_object(value)
    refuse(_wrong_card(made))
    return made


def _wrong_card(made: Card) -> Iterator[BadInput]:
    if made.slot is not None and made.kind is not CardKind.SPECIAL_POWER:
        yield BadInput("/slot", "Only a special power has a slot.")
    if made.points and made.kind is not CardKind.FEAT:
        yield BadInput("/points", "Only a feat is scored with its character.")
    first: dict[object, Effect] = {}
    for place, effect in enumerate(made.effects):
        same = (effect.when, effect.to, effect.moment)
        if (
            effect.do in ("set", "least", "most")
            and first.setdefault((effect.do, effect.word("value"), same), effect) is not effect
        ):
            yield BadInput(f"/effects/{place}", f"Another effect already says {effect.do} of {effect.word('value')}.")
        least = first.get(("least", effect.word("value"), same))
        most = first.get(("most", effect.word("value"), same))
        if effect in (least, most) and least and most and least.number("at") > most.number("at"):
            yield BadInput(f"/effects/{place}/at", "The minimum is greater than the maximum.")
    for place, effect in enumerate(made.effects):
        can = {word for other in made.effects for word in other.words("powers") if _answers(other, effect)}
        both = [word for word in effect.words("powers") if effect.do == "cannot-use" and word in can]
        if both:
            yield BadInput(f"/effects/{place}/powers", f"The same card says that {shown(both[0])} can be used.")


def _answers(other: Effect, effect: Effect) -> bool:
    return other.do == "can-use" and (other.when, other.to) == (effect.when, effect.to)


@shaped(lambda: {"type": "array", "items": shape_of(_read_card_object), "maxItems": MAX_CARDS})
def read_cards(value: Any) -> tuple[Card, ...]:
    """Return the cards of a character, a side, an object or a document."""
    if type(value) is list and len(value) > MAX_CARDS:
        raise BadInput("", f"There can be at most {MAX_CARDS} cards here, not {len(value):,}.")
    return a_list(_card)(value)


def write_cards(cards: tuple[Card, ...]) -> list[dict[str, Any]]:
    """Return cards as they are read; keys with their default are left out."""
    return [{"name": card.name, "kind": card.kind.value} | _written(card, "name", "kind") for card in cards]


def _written(thing: Any, *but: str) -> dict[str, Any]:
    """Return the fields of a noun that don't have their default."""
    return {
        field.name.removesuffix("_"): _plain(getattr(thing, field.name))
        for field in fields(thing)
        if field.init and field.name not in but and getattr(thing, field.name) != field.default
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Square):
        return value.name
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, Effect):
        given = {key: _plain(one) for key, one in value.given}
        return {"do": value.do} | given | _written(value, "do", "given")
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, Requires):
        values = {key.value: least for key, least in value.values}
        return _written(value, "values") | ({"values": values} if values else {})
    if isinstance(value, Outcome | Option | Who | CardCondition):
        return _written(value)
    return value
