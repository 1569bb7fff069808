"""When a phrase counts: the conditions of card texts in the words of position files."""

from __future__ import annotations

import re
from collections.abc import Callable

from .others import ME, Effect, Found, number_of_tokens, who
from .patterns import attack_kind, pattern
from .words import number

NEVER: Effect = {"never": True}
"""Of a row that is known, while the vocabulary has no word for what it says."""


def _target(token: str, attack: str | None = None) -> Effect:
    described = who(token)
    described.pop("also_self", None)
    if described["side"] == "all" and len(described) > 1:
        del described["side"]
    return {"attack": attack_kind(attack), "target": described}


def _attacked_by(token: str) -> Effect:
    described = who(token)
    described.pop("also_self", None)
    return {"attacked": "any", "by": described}


def _someone(token: str, **more: object) -> Effect:
    """Return the characters of which one is needed; none that may be the figure itself, unless it is named."""
    described = who(token)
    if described.pop("also_self", False) and not {"name", "points"} & described.keys():
        return {}
    return {} if more.keys() & described.keys() else {**described, **more}


def _near(token: str, squares: str | None, **lines: str | None) -> Effect:
    more: Effect = {"within": number(squares)} if squares else {}
    described = _someone(token, **more, **{whose: True for whose, said in lines.items() if said})
    return {"near": described} if described.get("within") is not None else NEVER


def _none_near(token: str, squares: str | None) -> Effect:
    described = _someone(token, **({"within": number(squares)} if squares else {}))
    return {"none_near": described} if "within" in described else NEVER


def _adjacent(token: str) -> Effect:
    described = who(token)
    described.pop("also_self", None)
    return {"adjacent_to": described} if "within" not in described else NEVER


def _out(token: str) -> Effect:
    described = _someone(token)
    return {"knocked_out": described} if described and "within" not in described else NEVER


def _on_map(token: str) -> Effect:
    described = _someone(token)
    return {"on_map": described} if described and "within" not in described else NEVER


_NUMBER_OF_TOKENS = r"(no|zero|0|1|one|2|two|an) action tokens?"
CONDITIONS: tuple[tuple[str, Callable[[Found], Effect]], ...] = (
    (r"(?:<me> is )?(?:targeted|attacked) (?:by|with) an? <kind>", lambda m: {"attacked": attack_kind(m[1])}),
    (
        r"(?:<me> is )?(?:targeted|attacked) by an (?:opposing|opponent's) <kind>",
        lambda m: {"attacked": attack_kind(m[1]), "by": {"side": "opponents"}},
    ),
    (
        r"<me> is attacked|(?:<me> is )?targeted by an attack|(?:<me> is )?the target of an attack",
        lambda m: {"attacked": "any"},
    ),
    (r"(?:<me> is )?the target of an? <kind>", lambda m: {"attacked": attack_kind(m[1])}),
    (r"(?:<me> is )?(?:targeted|attacked) by <kind>s", lambda m: {"attacked": attack_kind(m[1])}),
    (r"(?:<me> is )?(?:attacked|targeted) by <another>(?:'s? attack)?", lambda m: _attacked_by(m[1])),
    (r"(?:<me> is )?(?:attacked|targeted) by <all>", lambda m: _attacked_by(m[1])),
    (r"(?:a|the) listed friendly character i[sn] on the map", lambda m: {"listed_on_map": 1}),
    (r"(\d)\+ listed (?:friendly )?characters? (?:are|is) on the map", lambda m: {"listed_on_map": int(m[1])}),
    (r"<me> is the target of an? <kind>", lambda m: {"attacked": attack_kind(m[1])}),
    (r"(?:<me> is )?(?:attacked|targeted by an attack|targeted with an attack)", lambda m: {"attacked": "any"}),
    (r"(?:<me> )?(?:makes|is making|making) an? <kind>", lambda m: {"attack": attack_kind(m[1])}),
    (r"making <kind>s", lambda m: {"attack": attack_kind(m[1])}),
    (r"<me> (?:attacks|makes an attack|is attacking)|attacking|making an attack", lambda m: {"attack": "any"}),
    (r"<me> (?:attacks|targets|is attacking) <another>", lambda m: _target(m[1])),
    (r"(?:attacking|targeting) <another>", lambda m: _target(m[1])),
    (r"<me> (?:attacks|targets|is attacking) <all>", lambda m: _target(m[1])),
    (r"(?:attacking|targeting) <all>", lambda m: _target(m[1])),
    (
        r"<me> (?:makes|is making) an? <kind> (?:targeting|against|that targets) <another>",
        lambda m: _target(m[2], m[1]),
    ),
    (r"<me> is attacking or being attacked", lambda m: {"any": [{"attack": "any"}, {"attacked": "any"}]}),
    (r"<me> occupies (?:a square of )?(water|hindering|elevated|blocking) terrain", lambda m: {"terrain": [m[1]]}),
    (r"(?:<me> is )?(?:on|in|occupying) (elevated|hindering|water) terrain", lambda m: {"terrain": [m[1]]}),
    (r"<me> occupies (hindering|water) or (hindering|water) terrain", lambda m: {"terrain": [m[1], m[2]]}),
    (rf"<me> has (?:exactly )?{_NUMBER_OF_TOKENS}", lambda m: {"tokens": number_of_tokens(m[1])}),
    (r"<me> has (?:fewer|less) than (?:two|2) action tokens", lambda m: {"tokens": [0, 1]}),
    (r"<me> (?:doesn't|does not) have (?:two|2) action tokens", lambda m: {"tokens": [0, 1]}),
    (r"<me> (?:doesn't|does not) have (?:any|an) action tokens?", lambda m: {"tokens": [0]}),
    (r"<me> has (?:one or more|1 or more|any|at least one|at least 1) action tokens?", lambda m: {"tokens": [1, 2]}),
    (r"<me> has one or two action tokens", lambda m: {"tokens": [1, 2]}),
    (r"<me> (?:uses?|is using) (?:it to use )?<power>|using <power>", lambda m: {"using": [m[1] or m[2]]}),
    (r"(?:<me> is )?adjacent to <another>", lambda m: _adjacent(m[1])),
    (r"(?:<me> is )?adjacent to <all>", lambda m: _adjacent(m[1])),
    (
        r"(?:<me> is )?within <number> squares( and line of fire)? of <another>",
        lambda m: _near(m[3], m[1], their_line_of_fire=m[2]),
    ),
    (r"<another> is adjacent(?: to (?:<me>|him|her))?", lambda m: _adjacent(m[1])),
    (
        r"<another> is within <number> squares( and line of fire)?(?: of <me>)?",
        lambda m: _near(m[1], m[2], line_of_fire=m[3]),
    ),
    (r"<another> has been KO'd this game", lambda m: _out(m[1])),
    (r"<another> is on the map", lambda m: _on_map(m[1])),
    (r"there is <another> on the map", lambda m: _on_map(m[1])),
    (r"there (?:is|are) <another>", lambda m: _near(m[1], None)),
    (r"(?:there (?:is|are) )?<no>", lambda m: _none_near(m[1], None)),
    (r"<no> (?:is|are) within <number> squares(?: of <me>)?", lambda m: _none_near(m[1], m[2])),
    (r"<no> (?:is|are) adjacent(?: to <me>)?", lambda m: _not_adjacent(m[1])),
    (r"<me> is(?:n't| not) within <number> squares of <another>", lambda m: _none_near(m[2], m[1])),
    (r"<me> is(?:n't| not) within <number> squares of any <all>", lambda m: _none_near(m[2], m[1])),
    (r"<me> is(?:n't| not) adjacent to <another>", lambda m: _not_adjacent(m[1])),
    (r"<me> is(?:n't| not) adjacent to (?:any )?<all>", lambda m: _not_adjacent(m[1])),
    (r"it's your turn|it is your turn|on your turn|during your turn", lambda m: {"turn": "own"}),
    (r"it(?:'s not| isn't| is not) your turn|it's (?:an|your) opponent's turn", lambda m: {"turn": "opponents"}),
    (r"<me> (?:hasn't|has not) moved this turn", lambda m: {"moved_this_turn": False}),
    (r"<me> (?:hasn't|has not) (?:attacked|made an attack) this turn", lambda m: {"attacked_this_turn": False}),
    (r"<me> is on click #?(\d+)", lambda m: {"clicks": [int(m[1])]}),
    (r"<me> is holding an? (light|heavy) object", lambda m: {"holding": [m[1]]}),
    (r"<me> is holding an object", lambda m: {"holding": ["any"]}),
    (
        r"<me> (?:began|started) the game on (?:the|his|her|its|their) (\d+)[- ]point starting line",
        lambda m: {"started_at": int(m[1])},
    ),
    (r"<me> began (?:your|the|this) turn on the map", lambda m: {"began_turn_on_map": True}),
)
"""When a phrase counts."""


def _not_adjacent(token: str) -> Effect:
    found = _adjacent(token)
    return found if found is NEVER else {"not": found}


def _single(said: str) -> Effect | None:
    for phrase, make in CONDITIONS:
        if (found := pattern(phrase).fullmatch(said)) and (condition := make(found)) is not NEVER:
            return condition
    return None


def words_of(condition: Effect) -> set[str]:
    """Return the words of a condition and of those in it."""
    inner = [*condition.get("any", ()), *([condition["not"]] if "not" in condition else ())]
    return condition.keys() | {word for one in inner for word in words_of(one)}


def condition(said: str) -> Effect | None:
    """Return a condition; two that are joined must each be understood."""
    said = re.sub(
        r"\b([Hh]e|[Ss]he|[Ii]t)'s (?=adjacent|attack|holding|in |not |occupying|on |targeted|within)", r"\1 is ", said
    )
    if (found := _single(said)) is not None:
        return found
    for joint in re.finditer(r" (and|or) ", said):
        left, right = _single(said[: joint.start()]), said[joint.end() :]
        if left is None:
            continue
        other = _single(right) or _single(f"{ME} {right}") or _single(f"{ME} is {right}")
        if other is None:
            continue
        if joint[1] == "or":
            return {"any": [left, other]}
        return None if left.keys() & other.keys() else {**left, **other}
    return None
