"""What card texts say happens at a moment: when, after what, and what then heals, is dealt, placed or given."""

from __future__ import annotations

import re
from collections.abc import Callable

from .others import OTHERS, others
from .phrases import Effect, Found, keywords, pattern
from .words import ATTACKING, listed, number

_ATTACK = r"(?: with an? (close|ranged?)(?: combat)? attack| with an attack)?"
_HIT = (
    r"(?: (?:(?P<opposing>an opposing character|one or more opposing characters|a single opposing character)"
    r"|a character|one or more characters))?"
)
_KEYWORD = r"(?: with the ([A-Z][\w' .-]*?) keyword)?"
_BY = r" (?:by|with|from) an?(?: opponent's| opposing)?(?: (close|ranged?)(?: combat)?)? attack"


def _kind(said: str | None) -> str:
    return {"close": "close", None: "any"}.get(said, "ranged")


def _own_attack(found: Found, moment: str) -> Effect:
    when: Effect = {"attack": _kind(found[3])} if found[3] else {}
    target: Effect = {"side": "opponents"} if found["opposing"] else {}
    if found[2]:
        target["keyword"] = keywords(found[2])
    if target:
        when = {"attack": "any", **when, "target": target}
    return _at(moment, when) if target.get("keyword") != [] else {}


def _at(moment: str, when: Effect | None = None) -> Effect:
    return {"moment": moment, **({"when": when} if when else {})}


def _attacked(moment: str, found: Found) -> Effect:
    return _at(moment, {"attacked": _kind(found[1])} if found[1] else None)


TRIGGERS: tuple[tuple[str, Callable[[Found], Effect]], ...] = (
    (r"[Aa]t the (?:beginning|start) of your turn", lambda m: _at("start-of-turn")),
    (r"[Aa]t the end of your turn", lambda m: _at("end-of-turn")),
    (rf"[Ww]hen(?:ever)? <me> hits{_HIT}{_KEYWORD}{_ATTACK}", lambda m: _own_attack(m, "after-hit")),
    (
        r"[Ww]hen(?:ever)? <me> uses <power> and hits",
        lambda m: _at("after-hit", {"attack": "any", "using": [m[1]]}) if m[1] in ATTACKING else {},
    ),
    (r"[Ww]hen(?:ever)? <me> misses", lambda m: _at("after-miss")),
    (r"[Ww]hen(?:ever)? <me> KO's an opposing character", lambda m: _at("when-kos")),
    (r"[Ww]hen(?:ever)? <me> is KO'd", lambda m: _at("when-ko")),
    (rf"[Ww]hen(?:ever)? <me> (?:takes damage|is damaged){_BY}", lambda m: _attacked("when-damaged", m)),
    (r"[Ww]hen this click is revealed", lambda m: _at("when-clicked")),
    (
        r"[Ww]hen(?:ever)? <me> is given a (?:MOVE|move) action",
        lambda m: _at("after-move", {"action": ["move"]}),
    ),
)
"""How a sentence begins that says when something happens."""

_OTHERS = OTHERS.replace("characters", "characters?")
_MANY = r"(?:each|all|every)"
_SELF = r"(?:<me>|him|her|it|them|himself|herself|itself)"
_MYSELF = r"(?:\N{REPLACEMENT CHARACTER}|himself|herself|itself)"
_DEALT = r"<number>(?: (penetrating|unavoidable))? damage"
_FREE = r"(?: as a free action| as FREE| at no cost)"


def _deal(damage: str, how: str | None) -> list[Effect]:
    return [{"do": "deal", "damage": number(damage), **({"as": how} if how else {})}]


def _to_all(found: Found, effects: list[Effect]) -> list[Effect]:
    to = others(found)
    return [{**effect, "to": to} for effect in effects] if to else []


HAPPENINGS: tuple[tuple[str, Callable[[Found], list[Effect]]], ...] = (
    (rf"heal {_SELF}(?: of)? <number> (?:clicks?|damage)", lambda m: [{"do": "heal", "clicks": number(m[1])}]),
    (r"heal <number> clicks?", lambda m: [{"do": "heal", "clicks": number(m[1])}]),
    (r"<me> heals <number> (?:clicks?|damage)", lambda m: [{"do": "heal", "clicks": number(m[1])}]),
    (
        rf"heal {_MANY} {_OTHERS} <number> clicks?",
        lambda m: _to_all(m, [{"do": "heal", "clicks": number(m[m.re.groups])}]),
    ),
    (
        rf"deal {_DEALT} to {_MANY} {_OTHERS}",
        lambda m: _to_all(m, _deal(m[1], m[2])),
    ),
    (
        rf"deal {_MANY} {_OTHERS} {_DEALT}",
        lambda m: _to_all(m, _deal(m[m.re.groups - 1], m[m.re.groups])),
    ),
    (rf"deal {_MYSELF} {_DEALT}", lambda m: _deal(m[1], m[2])),
    (rf"remove an action token from {_SELF}", lambda m: [_action_token(-1)]),
    (rf"give {_MYSELF} an action token", lambda m: [_action_token(1)]),
    (
        rf"(?:give {_MYSELF} an? |put an? |<me> gains an? )([A-Z][\w-]*) token(?: on (?:<me>|this card|{_SELF}))?",
        lambda m: [{"do": "token", "name": m[1], "by": 1}],
    ),
    (rf"<me> (?:can|may) use <power>{_FREE}", lambda m: [{"do": "can-use", "powers": listed(m[1]), "action": "free"}]),
    (
        rf"<me> (?:can|may) use the <team> team ability{_FREE}",
        lambda m: [{"do": "can-use", "teams": [m[1]], "action": "free"}],
    ),
    (
        r"add (?:an|one|1) action to your action total(?: this turn)?",
        lambda m: [{"do": "actions", "by": 1}],
    ),
    (
        rf"<me> (?:can|may) make a (close|ranged?)(?: combat)? attack{_FREE}?",
        lambda m: [{"do": "free-action", "action": _kind(m[1]), "may": True}],
    ),
    (rf"place {_SELF} in an adjacent square", lambda m: [{"do": "place", "within": 1}]),
)
"""What happens then."""


def _action_token(by: int) -> Effect:
    return {"do": "token", "name": "action", "by": by}


def happening(said: str) -> list[Effect]:
    """Return what a sentence says happens at a moment, if every word of it is understood."""
    limit = re.fullmatch(r"(?:[Oo]nce per (turn|game),? )?(.+)", said)
    said = limit[2] if limit else said
    for comma in re.finditer(", ", said):
        begins, then = said[: comma.start()], said[comma.end() :]
        begins = re.sub(r"(?: and|, after) actions resolve$", "", begins)
        trigger = next(
            (at for phrase, make in TRIGGERS if (m := pattern(phrase).fullmatch(begins)) and (at := make(m))), None
        )
        if trigger is None:
            continue
        then = re.sub(r"^after (?:actions resolve|resolutions),? ", "", then)
        if "character" in begins and re.search(r"\b(?:it|them|they)\b", then):
            return []  # the other character may be meant
        may = re.match(r"(?:you|<me>) may ".replace("<me>", "(?:\N{REPLACEMENT CHARACTER}|he|she|it|they)"), then)
        found = _happens(then) or (_happens(then[may.end() :]) if may else [])
        more = {"limit": limit[1]} if limit and limit[1] else {}
        optional = {"may": True} if may and found and not _happens(then) else {}
        return [{**effect, **trigger, **more, **optional} for effect in found]
    return []


def _happens(said: str) -> list[Effect]:
    for phrase, make in HAPPENINGS:
        if (found := pattern(phrase).fullmatch(said)) and (effects := make(found)):
            return list(effects)
    parts = re.split(r",? and (?=heal|deal|remove|give)", said)
    if len(parts) == 2:
        first, second = (_happens(part) for part in parts)
        return first + second if first and second else []
    return []
