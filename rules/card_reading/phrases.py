"""The standard phrasings of card texts, one row each: a pattern that must match a whole phrase, and what it says.

In patterns `<me>` stands for the figure itself, `<powers>` for a list of standard powers, `<number>` for a number,
`<values>` for combat values. A phrase that isn't here isn't understood; nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from .others import ME, NAME, OTHERS, SIDES, Effect, Found, keywords, names, others
from .words import listed, number, one_power, one_team

MOVING = {"elevated", "hindering", "blocking", "outdoor blocking", "characters"}
TARGETING = {"elevated", "hindering", "blocking", "characters", "adjacent"}
_VALUE = r"(?:speed|attack|defense|damage|range)"
_WORDS = {
    "<me>": rf"(?:{ME}|[Hh]e|[Ss]he|[Ii]t|[Tt]hey)",
    "<whose>": rf"(?:(?:{ME}'s?|his|her|its|their) )?",
    "<number>": r"(\d+|one|two|three|four|five|six)",
    "<signed>": r"([+\-−–]\d+)",
    "<values>": rf"({_VALUE}(?:(?:, | and |, and ){_VALUE})*)",
    "<names>": rf"({NAME}(?: or {NAME})*)",
    "<name>": r"([A-Z][\w.'’/-]*(?: (?:[A-Z][\w.'’/-]*|of|the|and))*)",
}


def _one_or_more(single: str) -> str:
    return rf"({single}(?:, (?!and |or ){single})*(?:,? and {single})?)"


@cache
def pattern(phrase: str) -> re.Pattern[str]:
    """Return a phrase as a pattern."""
    words = _WORDS | {"<team>": f"({one_team()})", "<powers>": _one_or_more(one_power()), "<power>": f"({one_power()})"}
    for word, meaning in words.items():
        phrase = phrase.replace(word, meaning)
    return re.compile(phrase)


def _each(values: str, make: Callable[[str], Effect]) -> list[Effect]:
    return [make(value) for value in dict.fromkeys(re.findall(_VALUE, values))]


def _modify(values: str, by: str) -> list[Effect]:
    def make(value: str) -> Effect:
        if value == "range":
            return {"do": "range", "by": number(by)}
        return {"do": "modify", "value": value, "by": number(by)}

    return _each(values, make) if number(by) else []


def _set(value: str, to: str, *, locked: str | None = None) -> list[Effect]:
    return [{"do": "set", "value": value, "set": number(to), **({"locked": True} if locked else {})}]


_PENETRATING: Effect = {"do": "damage", "as": "penetrating"}
_CHANGES = (
    r"(do(?:es)? not halve (?:<whose>)?speed|do(?:es)?n't halve (?:<whose>)?speed"
    r"|(?:only )?succeeds on an? (?:\d-\d|\d)|deals <number> (?:penetrating )?damage instead of \d+"
    r"|only to (?:generate|place) <number> (?:markers?|squares? of blocking terrain)"
    r"|only to reroll (?:<whose>)(?:own )?(?:rolls|attack rolls)|only to target <whose>(?:own )?attack rolls?"
    r"|only to target (?:an opposing character|opposing characters|characters within <number> squares)"
    r"|only with (?:close|ranged?) attacks|only if <whose>target is adjacent)"
)
"""Changes of powers that are said in these words only."""


def _plain(change: str) -> str:
    return " ".join(change.replace(f"{ME}'s", "its").replace(ME, "it").split())


_EQUIPPED = (
    r"((?:the |any |an |a )?(?:\[[\w+ ]+\] (?:#?s?\d+ )?|[A-Z][\w+]* #?s?\d+ )?"
    r"[A-Z][\w.'’-]*(?: (?:[A-Z][\w.'’-]*|of|the|equipment))*) equipped"
)


def _teams(said: str) -> list[Effect]:
    return [{"do": "can-use", "teams": [said]}]


def _others_can(found: Found) -> list[Effect]:
    to = others(found)
    return _to(to, _can_use(found[found.re.groups])) if to else [{"do": "?"}]


def _targets_only(power: str, side: str | None, said: str) -> list[Effect]:
    words = keywords(said)
    change = f"only to target {side or ''}characters with the {' or '.join(words)} keyword"
    return _can_use(power, change=change) if words else []


def _equipped(how: str, name: str) -> list[Effect]:
    return [{"do": "equip", "name": name, **({"may": True} if how == "may start" else {})}]


def _free_attack(kind: str) -> list[Effect]:
    return [{"do": "free-action", "action": "close" if kind == "close" else "ranged"}]


def _can_use(powers: str, **more: Any) -> list[Effect]:
    return [{"do": "can-use", "powers": listed(powers), **more}]


def _ignore(how: str, said: str) -> list[Effect]:
    allowed = MOVING if how == "moving" else TARGETING
    words = [re.sub(r"^ignores | terrain$", "", word.strip().lower()) for word in re.split(r", | and ", said)]
    if not set(words) <= allowed:
        return []
    return [{"do": "ignore", how: [word.replace(" ", "-") for word in dict.fromkeys(words)]}]


def _to(to: Effect, effects: list[Effect]) -> list[Effect]:
    return [{**effect, "to": to} for effect in effects]


def _others_do(effects: Callable[[Found], list[Effect]]) -> Callable[[Found], list[Effect]]:
    def read(found: Found) -> list[Effect]:
        to = others(found)
        return _to(to, effects(found)) if to else []

    return read


_FREE = r" as (?:a free action|FREE)"
_RANGE = r"(?: as if <me> had a range(?: value)? of| with a range(?: value)? of) <number>"
BODIES: tuple[tuple[str, Callable[[Found], list[Effect]]], ...] = (
    (r"(?:<me> (?:can use|has) |[Cc]an use )<powers>", lambda m: _can_use(m[1])),
    (r"<powers>", lambda m: _can_use(m[1])),
    (r"(?:<me> can use |[Cc]an use |<me> has )the <team> team abilit(?:y|ies)", lambda m: _teams(m[1])),
    (
        r"<me> can use <powers>,? and (?:can use )?the <team> team ability",
        lambda m: [*_can_use(m[1]), *_teams(m[2])],
    ),
    (r"<me> can use the Carry ability", lambda m: _carry("1")),
    (
        rf"<me> and (?P<rest>{OTHERS}) can use <powers>",
        lambda m: [*_can_use(m[m.re.groups]), *_others_can(m)],
    ),
    (
        r"(?:<me> can use )?(Perplex|Outwit|Probability Control|Mind Control), but only to target"
        r" (friendly |opposing )?characters with the ([A-Z][\w' .-]*?) keyword",
        lambda m: _targets_only(m[1], m[2], m[3]),
    ),
    (r"(?:<me> can use )?<power>,? but only once per turn", lambda m: _can_use(m[1], limit="turn")),
    (rf"(?:<me> can use )?<power>,? but {_CHANGES}", lambda m: _can_use(m[1], change=_plain(m[2]))),
    (
        rf"(?:<me> can use )?<power>{_FREE},? but {_CHANGES}",
        lambda m: _can_use(m[1], action="free", change=_plain(m[2])),
    ),
    (
        r"(?:<me> can use )?<power> as if <me> (?:were|was) (\d+) points",
        lambda m: _can_use(m[1], change=f"as if {m[2]} points"),
    ),
    (
        r"(?:<me> can use )?<power> as if <me> had a damage value of <number>",
        lambda m: _can_use(m[1], change=f"as if damage were {number(m[2])}"),
    ),
    (
        r"<me> can use <power>,? and deals penetrating damage when using it",
        lambda m: [*_can_use(m[1]), {**_PENETRATING, "when": {"using": [m[1]]}}],
    ),
    (
        rf"{OTHERS} have (?:PROTECTED|Protected): <powers>",
        _others_do(lambda m: [{"do": "protected", "from": listed(m[m.re.groups])}]),
    ),
    (r"(?:<me> can use )?<powers>, but only during your turn", lambda m: _can_use(m[1], when={"turn": "own"})),
    (
        r"(?:<me> can use )?<powers>, but only during (?:your opponents?'s?|an opponent's|opponents'|opponent's) turns?",
        lambda m: _can_use(m[1], when={"turn": "opponents"}),
    ),
    (rf"<me> (starts|may start) the game with {_EQUIPPED}(?: \(?at no cost\)?)?", lambda m: _equipped(m[1], m[2])),
    (r"<me> can't be (?:targeted by|the target of) <powers>", lambda m: [{"do": "protected", "from": listed(m[1])}]),
    (r"FREE: <me> (?:may|can) make a (close|ranged?) attack", lambda m: _free_attack(m[1])),
    (r"FREE: Make a (close|ranged?) attack", lambda m: _free_attack(m[1])),
    (rf"(?:<me> can use )?<power>{_FREE}", lambda m: _can_use(m[1], action="free")),
    (rf"(?:<me> can use )?<power>{_RANGE}", lambda m: _can_use(m[1], change=f"range {number(m[2])}")),
    (
        r"(?:<me> can use )?(Perplex|Outwit|Probability Control|Barrier|Mind Control), but only to"
        r" (increase combat values|decrease combat values|target opposing characters|target (?:himself|herself|itself))",
        lambda m: _can_use(m[1], change=f"only to {re.sub('(him|her)self', 'itself', m[2])}"),
    ),
    (r"(?:<me> has )?(?:a )?[Gg]iant [Rr]each:? <number>", lambda m: [_reach(m[1])]),
    (r"(?:<me> can use )?[Ii]mproved [Mm]ovement: (.+)", lambda m: _ignore("moving", m[1])),
    (r"(?:<me> can use )?[Ii]mproved [Tt]argeting: (.+)", lambda m: _ignore("targeting", m[1])),
    (r"(?:<me> has )?(?:PROTECTED|Protected): <powers>", lambda m: [{"do": "protected", "from": listed(m[1])}]),
    (r"(?:<me> has )?[Pp]assenger:? <number>", lambda m: _carry(m[1])),
    (r"<me> can't be carried", lambda m: [{"do": "cannot", "what": ["be-carried"]}]),
    (r"<me> can't (?:use the Carry ability|carry)", lambda m: [{"do": "cannot", "what": ["carry"]}]),
    (r"<me> can't be healed", lambda m: [{"do": "cannot", "what": ["heal"]}]),
    (r"<me> can't be placed", lambda m: [{"do": "cannot", "what": ["be-placed"]}]),
    (r"<me> can't be the target of (close|range)d?(?: combat)? attacks", lambda m: [_untargeted(m[1])]),
    (r"<me> can't be targeted by (close|range)d?(?: combat)? attacks", lambda m: [_untargeted(m[1])]),
    (r"(?:<me> )?[Mm]odif(?:ies|y) <whose><values>(?: values?)?(?: by)? <signed>", lambda m: _modify(m[1], m[2])),
    (r"<me> has a( locked)? (speed|attack|defense|damage) value of <number>", lambda m: _set(m[2], m[3], locked=m[1])),
    (
        r"(?:<whose>|<me> replaces <whose>)(speed|attack|defense|damage) value (?:becomes|is|with) (a locked |locked at )?<number>",
        lambda m: _set(m[1], m[3], locked=m[2]),
    ),
    (r"[Ii]ncrease (?:the )?damage dealt(?: by <me>)? by <number>", lambda m: [{"do": "raise", "by": number(m[1])}]),
    (r"(?:[Dd]amage dealt by <me>|(?:the )?damage dealt) is penetrating(?: damage)?", lambda m: [_PENETRATING]),
    (r"<me> deals penetrating damage", lambda m: [_PENETRATING]),
    (r"[Dd]amage dealt to <me> is reduced by <number>", lambda m: [{"do": "reduce", "by": number(m[1])}]),
    (r"[Rr]educe damage dealt to <me> by <number>", lambda m: [{"do": "reduce", "by": number(m[1])}]),
    (r"<me> takes a maximum of <number> damage from attacks", lambda m: _most_damage(m[1], "any")),
    (r"<me> takes a maximum of <number> damage from close attacks", lambda m: _most_damage(m[1], "close")),
    (r"<me> takes a maximum of <number> damage from ranged? attacks", lambda m: _most_damage(m[1], "ranged")),
    (rf"{OTHERS} (?:can use|have) <powers>", _others_do(lambda m: _can_use(m[m.re.groups]))),
    (rf"{OTHERS} can't use <powers>", _others_do(lambda m: [{"do": "cannot-use", "powers": listed(m[m.re.groups])}])),
    (
        rf"{OTHERS} modify (?:their )?<values>(?: values?)?(?: by)? <signed>",
        _others_do(lambda m: _modify(m[m.re.groups - 1], m[m.re.groups])),
    ),
    (r"[Ss]top turning the dial", lambda m: [{"do": "stop"}]),
)
"""What a phrase says, without its condition."""


def _reach(squares: str) -> Effect:
    return {"do": "can-use", "powers": ["Giant Reach"], "change": f"reach {number(squares)}"}


def _carry(passengers: str) -> list[Effect]:
    return [{"do": "carry", "passengers": number(passengers)}] if number(passengers) else []


def _untargeted(how: str) -> Effect:
    return {"do": "not-targeted", "by": "ranged" if how == "range" else how}


def _most_damage(most: str, how: str) -> list[Effect]:
    return [{"do": "most-damage", "at": number(most), "when": {"attacked": how}}]


ALONE: tuple[tuple[str, Callable[[Found], list[Effect]]], ...] = (
    (r"STOP", lambda m: [{"do": "stop"}]),
    (r"When this click is revealed, stop turning the dial", lambda m: [{"do": "stop"}]),
    (
        r"(?:This|These) (?:power|trait|ability)?s? ?can't be (countered|ignored|countered (?:or|and|nor) ignored)",
        lambda m: [{"do": "fixed", "against": [w for w in ("counter", "ignore") if w in m[1]]}],
    ),
)
"""Sentences that take no condition."""

_KIND = r"(close|ranged?)(?: combat)? attack"
_WITH = r"with the ([A-Z][\w' .-]*?) keyword"


def _attack(kind: str) -> str:
    return "close" if kind == "close" else "ranged"


CONDITIONS: tuple[tuple[str, Callable[[Found], Effect]], ...] = (
    (rf"(?:<me> is )?targeted by an? (?:opposing )?{_KIND}", lambda m: {"attacked": _attack(m[1])}),
    (rf"(?:<me> is )?targeted by {_KIND}s", lambda m: {"attacked": _attack(m[1])}),
    (rf"<me> is the target of an? {_KIND}", lambda m: {"attacked": _attack(m[1])}),
    (r"<me> is (?:attacked|targeted by an attack)", lambda m: {"attacked": "any"}),
    (rf"(?:<me> )?(?:makes|is making|making) an? {_KIND}", lambda m: {"attack": _attack(m[1])}),
    (rf"making {_KIND}s", lambda m: {"attack": _attack(m[1])}),
    (r"<me> (?:attacks|makes an attack|is attacking)|attacking", lambda m: {"attack": "any"}),
    (rf"<me> (?:attacks|targets) (?:a|an opposing) character {_WITH}", lambda m: _target(m[1])),
    (r"<me> (?:attacks|targets) a (larger|smaller) character", lambda m: {"attack": "any", "target": {"size": m[1]}}),
    (r"<me> occupies (water|hindering|elevated|blocking) terrain", lambda m: {"terrain": [m[1]]}),
    (r"(?:<me> is )?on elevated terrain", lambda m: {"terrain": ["elevated"]}),
    (r"<me> has (no|0|1|one|2|two|an) action tokens?", lambda m: {"tokens": [number(m[1])]}),
    (r"<me> has (?:fewer|less) than (?:two|2) action tokens", lambda m: {"tokens": [0, 1]}),
    (r"<me> (?:doesn't|does not) have (?:two|2) action tokens", lambda m: {"tokens": [0, 1]}),
    (r"<me> (?:doesn't|does not) have (?:any|an) action tokens?", lambda m: {"tokens": [0]}),
    (r"<me> has one or more action tokens|<me> has 1 or more action tokens", lambda m: {"tokens": [1, 2]}),
    (r"<me> uses (?:it to use )?<power>", lambda m: {"using": [m[1]]}),
    (rf"(?:<me> is )?adjacent to an? (friendly|opposing) character(?: {_WITH})?", lambda m: _adjacent(m)),
    (
        rf"<me> is within <number> squares( and line of fire)? of an? (friendly|opposing) character(?: {_WITH})?",
        lambda m: {"near": _some(m[3], m[4], number(m[1])) | ({"line_of_fire": True} if m[2] else {})},
    ),
    (r"<me> is within <number> squares of a friendly character named <name>", lambda m: _named(m)),
    (r"<me> is adjacent to a friendly character named <name>", lambda m: {"adjacent_to": _who_named(m[1])}),
    (r"(?:a|another) friendly character named <names> is adjacent(?: to <me>)?", lambda m: _adjacent_named(m[1])),
    (
        r"(?:a|another) friendly character named <names> is within <number> squares(?: of <me>)?",
        lambda m: _near_named(m[1], m[2]),
    ),
    (r"(?:a|another) friendly character named <names> is on (?:the map|your force)", lambda m: _map_named(m)),
    (
        rf"an(?:other)? ((?<=another )friendly|opposing) character(?: {_WITH})? is within <number> squares(?: of <me>)?",
        lambda m: {"near": _some(m[1], m[2], number(m[3]))},
    ),
    (rf"an?(?:other)? (friendly|opposing) character(?: {_WITH})? is adjacent(?: to <me>)?", lambda m: _adjacent_to(m)),
    (
        rf"no ((?:other )?friendly|opposing) characters?(?: {_WITH})? (?:is|are) within <number> squares(?: of <me>)?",
        lambda m: {"none_near": _some(m[1], m[2], number(m[3]))} if m[1] != "friendly" else NEVER,
    ),
    (
        rf"<me> is(?:n't| not) within <number> squares of (an |an?other |any |any other )(friendly|opposing) characters?(?: {_WITH})?",
        lambda m: {"none_near": _some(m[3], m[4], number(m[1]))} if "other" in m[2] or m[3] == "opposing" else NEVER,
    ),
    (
        rf"<me> is(?:n't| not) adjacent to an(?:other|y)? (?:other )?(friendly|opposing) characters?(?: {_WITH})?",
        lambda m: {"not": {"adjacent_to": _some(m[1], m[2])}},
    ),
    (
        rf"(?:<me> is )?adjacent to (?:one or more (?:other )?|other |another )(friendly|opposing) characters?(?: {_WITH})?",
        lambda m: _adjacent_to(m),
    ),
    (rf"attacking an?(?: (opposing))? character {_WITH}", lambda m: _target(m[2], m[1])),
    (r"attacking a (larger|smaller) character", lambda m: {"attack": "any", "target": {"size": m[1]}}),
    (r"using <power>", lambda m: {"using": [m[1]]}),
    (r"it's your turn|it is your turn|on your turn|during your turn", lambda m: {"turn": "own"}),
    (r"<me> occupies (hindering|water) or (hindering|water) terrain", lambda m: {"terrain": [m[1], m[2]]}),
    (r"<me> (?:hasn't|has not) moved this turn", lambda m: {"moved_this_turn": False}),
    (r"<me> is holding an? (light|heavy) object", lambda m: {"holding": [m[1]]}),
    (r"there is a friendly character named <name> on the map", lambda m: {"on_map": _who_named(m[1])}),
    (r"<me> is holding an object", lambda m: {"holding": ["any"]}),
)
"""When a phrase counts. A row that says `never` is known, but the vocabulary has no word for it."""


NEVER: Effect = {"never": True}


def _target(said: str, side: str | None = None) -> Effect:
    target: Effect = {"side": SIDES[side]} if side else {}
    return {"attack": "any", "target": {**target, "keyword": keywords(said)}} if keywords(said) else NEVER


def _some(side: str, keyword: str | None, squares: int | None = None) -> Effect:
    who: Effect = {"side": SIDES[side.removeprefix("other ")]}
    if squares is not None:
        who["within"] = squares
    return who | ({"keyword": keywords(keyword)} if keyword else {})


def _adjacent(found: Found) -> Effect:
    return {"adjacent_to": _some(found[1], found[2])}


def _adjacent_to(found: Found) -> Effect:
    return {"adjacent_to": _some(found[1], found[2])}


def _adjacent_named(said: str) -> Effect:
    return {"adjacent_to": {"side": "friends", "name": names(said)}} if names(said) else NEVER


def _near_named(said: str, squares: str) -> Effect:
    return {"near": {"side": "friends", "name": names(said), "within": number(squares)}} if names(said) else NEVER


def _map_named(found: Found) -> Effect:
    if "force" in found[0] or not names(found[1]):
        return NEVER
    return {"on_map": {"side": "friends", "name": names(found[1])}}


def _who_named(name: str) -> Effect:
    return {"side": "friends", "name": [name]}


def _named(found: Found) -> Effect:
    return {"near": {**_who_named(found[2]), "within": number(found[1])}}


MOMENTS: tuple[tuple[str, Effect], ...] = (
    (r"(?:At|at) the (?:beginning|start) of (?:your|each of your) turns?\b", {"moment": "start-of-turn"}),
    (r"At the end of your turn\b", {"moment": "end-of-turn"}),
    (r"(?:Once per turn,? |Once per game,? )?[Ww]hen(?:ever)? <me> (?:hits|damages)\b", {"moment": "after-hit"}),
    (r"(?:Once per turn,? |Once per game,? )?[Ww]hen(?:ever)? <me> misses\b", {"moment": "after-miss"}),
    (r"(?:Once per turn,? |Once per game,? )?[Ww]hen(?:ever)? <me> (?:is|would be) hit\b", {"moment": "when-hit"}),
    (
        r"(?:Once per turn,? |Once per game,? )?[Ww]hen(?:ever)? <me> (?:is damaged|takes damage)\b",
        {"moment": "when-damaged"},
    ),
    (r"(?:Once per turn,? |Once per game,? )?[Ww]hen(?:ever)? <me> KO's\b", {"moment": "when-kos"}),
    (r"[Ww]hen(?:ever)? <me> is KO'd\b", {"moment": "when-ko"}),
    (r"[Ww]hen this click is revealed\b", {"moment": "when-clicked"}),
    (r"[Ww]hen(?:ever)? <me> (?:makes|attacks|targets)\b", {"moment": "when-attacking"}),
    (r"[Ww]hen(?:ever)? <me> moves\b", {"moment": "after-move"}),
    (
        r"(?:Once per (?:turn|game),? )?[Gg]ive <me> a(?: double)? (?:free|power|move|close|ranged?)(?: combat)? action\b",
        {},
    ),
    (r"(?:FREE|POWER|MOVE|CLOSE|RANGE): ", {}),
)
"""How a clause begins that is for the judge: what follows is decided by hand at this moment."""
CONCERNED = (
    r"(?:<me> can use )?<powers>\b",
    r"(?:[Ww]hen|[Ii]f) <me> uses? <power>\b",
    rf"{OTHERS} (?:can(?:'t)? use|modify)\b",
)
"""How a clause begins that is understood in part: which powers, or whose, it is about."""
