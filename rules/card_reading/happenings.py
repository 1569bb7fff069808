"""What card texts say happens at a moment: when, after what, and what then heals, is dealt, placed or given."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from .conditions import condition, words_of
from .others import ME, Effect, Found, hit_target, of_those_hit, token, who
from .patterns import Row, at_no_cost, attack_kind, freely, pattern, rows
from .phrases import BODIES, can_use, teams, words_of_change
from .words import ACTING, ATTACKING, number


class Trigger(NamedTuple):
    """When something happens: the words of position files, and whom "that character" then means, if anyone."""

    at: Effect
    that: Effect | None = None


def _at(moment: str, when: Effect | None = None, that: Effect | None = None) -> Trigger:
    return Trigger({"moment": moment, **({"when": when} if when else {})}, that)


_WITH = r"(?: with an? <kind>| with an attack)?"
_BY = r" (?:by|with|from) an?( opponent'?s'?| opposing)?(?: (close|ranged?)(?: combat)?)? attack"


def _attacked(opposing: str | None, kind: str | None) -> Effect:
    """Return that the character was a target of an attack, of an opponent's if the words say so."""
    return {"attacked": attack_kind(kind), **({"by": {"side": "opponents"}} if opposing else {})}


STAYING = frozenset(
    {"side", "size", "keyword", "name", "team", "points", "points_at_most", "points_at_least", "shares_keyword"}
)
"""What is the same of a character after it has been hit."""


def _hits(kind: str | None, token: str | None) -> Trigger | None:
    target = who(token) if token else {}
    target.pop("also_self", None)
    if not target.keys() <= STAYING:
        return None
    when: Effect = {"attack": attack_kind(kind)} if kind else {}
    if target.keys() - {"side"} or target.get("side") == "opponents":
        when = {"attack": "any", **when, "target": {k: v for k, v in target.items() if (k, v) != ("side", "all")}}
    that = {**{k: v for k, v in target.items() if (k, v) != ("side", "all")}, "hit": True}
    return _at("after-hit", when, that)


def _kos(token: str, attack: str | None) -> Trigger | None:
    if who(token) != {"side": "opponents"}:
        return None
    return _at("when-kos", {"attack": "any"} if attack else None)


def _hits_all(every: str | None) -> Trigger:
    return _at("after-hit", {"attack": "any", "hit_all": True} if every else None, {"hit": True})


def _hits_target(token: str) -> Trigger:
    target = who(token)
    target.pop("also_self", None)
    return _at("after-attack", {"attack": "any", "target": target})


def _use(power: str, moment: str) -> Trigger | None:
    if moment == "after-hit":
        return _at("after-hit", {"attack": "any", "using": [power]}, {"hit": True}) if power in ATTACKING else None
    return _at(moment, {"using": [power]}) if power in ACTING else None


ROLLED = frozenset({"Super Senses", "Shape Change", "Leadership"})
"""Powers whose roll succeeds or fails."""
DOES: tuple[tuple[str, Callable[[Found], Trigger | None]], ...] = (
    (rf"hits(?: <another>)?{_WITH}", lambda m: _hits(m[2], m[1])),
    (r"hits <all>", lambda m: _hits(None, m[1])),
    (r"misses(?: with)?(?: an attack)?", lambda m: _at("after-miss")),
    (r"misses with an? <kind>", lambda m: _at("after-miss", {"attack": attack_kind(m[1])})),
    (r"KO's <one>( with an attack)?", lambda m: _kos(m[1], m[2])),
    (r"is KO'd", lambda m: _at("when-ko")),
    (r"is KO'd by an (opponent's )?attack", lambda m: _at("when-ko", _attacked(m[1], None))),
    (r"uses <power>,? and succeeds", lambda m: _at("after-success", {"using": [m[1]]}) if m[1] in ROLLED else None),
    (
        r"(?:is given|resolves) a (?:MOVE|move) action and (?:has )?move[sd] <number> squares? or (?:less|fewer)",
        lambda m: _at("after-action", {"action": ["move"], "moved_at_most": number(m[1])}),
    ),
    (
        rf"(?:takes damage|is damaged){_BY}",
        lambda m: _at("when-damaged", _attacked(m[1], m[2]) if m[1] or m[2] else None),
    ),
    (rf"is hit(?:{_BY})?", lambda m: _at("after-attack", {**_attacked(m[1], m[2]), "hit": True})),
    (rf"is missed(?:{_BY})?", lambda m: _at("after-attack", {**_attacked(m[1], m[2]), "hit": False})),
    (r"is (?:the target of|targeted by) an attack", lambda m: _at("after-attack", {"attacked": "any"})),
    (r"is (?:the target of|targeted by) an? <kind>", lambda m: _at("after-attack", {"attacked": attack_kind(m[1])})),
    (r"(?:makes|resolves) an attack and hits( all targets)?", lambda m: _hits_all(m[1])),
    (r"hits all targets", lambda m: _hits_all("all")),
    (r"makes an attack targeting <another>", lambda m: _hits_target(m[1])),
    (r"(?:makes|resolves) an attack", lambda m: _at("after-attack", {"attack": "any"})),
    (r"(?:makes|resolves) an? <kind>", lambda m: _at("after-attack", {"attack": attack_kind(m[1])})),
    (
        r"is given an? (MOVE|POWER|CLOSE|RANGE|(?:move|power|close|ranged?)(?: combat)?) action",
        lambda m: _at("after-action", {"action": [_ACTIONS[m[1].split()[0].upper()]]}),
    ),
    (r"moves", lambda m: _at("after-move")),
    (r"uses <power>,? and hits", lambda m: _use(m[1], "after-hit")),
    (
        r"uses <power>,? and moves <number> squares? or (?:less|fewer)",
        lambda m: _at("after-move", {"using": [m[1]], "moved_at_most": number(m[2])}) if m[1] in ACTING else None,
    ),
    (r"uses <power>", lambda m: _use(m[1], "after-action")),
)
"""What a character does, or what is done to it."""
_THEIR = r"(?:your opponent's|(?:an|each) oppon(?:ent's|ing player's))"
TRIGGERS: tuple[tuple[str, Callable[[Found], Trigger | None]], ...] = (
    (r"[Aa]t the (?:beginning|start) of your turn", lambda m: _at("start-of-turn")),
    (r"[Aa]t the end of your turn", lambda m: _at("end-of-turn")),
    (rf"[Aa]t the (?:beginning|start) of {_THEIR} turn", lambda m: _at("start-of-turn", {"turn": "opponents"})),
    (rf"[Aa]t the end of {_THEIR} turn", lambda m: _at("end-of-turn", {"turn": "opponents"})),
    (r"[Aa]t the (?:beginning|start) of the game|[Ww]hen <me> starts the game", lambda m: _at("before-game")),
    (r"[Ww]hen this click is revealed", lambda m: _at("when-clicked")),
)
"""How a sentence begins that says when something happens, if nobody does anything."""
AT_ONCE = frozenset({"start-of-turn", "end-of-turn", "when-clicked", "when-ko", "when-kos", "after-hit", "after-miss"})
AT_ONCE |= {"when-damaged", "when-hit", "before-game", "when-attacking"}
"""Moments that come when their words do, even without "after resolutions"."""
CHANGING = frozenset({"terrain", "tokens", "clicks", "adjacent_to", "near", "none_near", "on_map", "knocked_out"})
CHANGING |= {"holding", "named_token", "stack"}
"""Words of conditions whose answer may change until the action has resolved."""
SEVERAL_STEPS = frozenset({"Flurry", "Hypersonic Speed"})
"""Powers that go on after an attack: those hit may be those of several attacks, or be out of reach by then."""
PRONOUN = re.compile(r"\b(?:he|she|it|they|him|her|them|his|its|their)\b")
LASTING = frozenset(
    {"modify", "range", "can-use", "cannot-use", "set", "protected", "cannot", "damage", "ignore", "least"}
)
LASTING |= {"not-targeted", "most-damage", "reduce"}
"""Kinds of effects that can last."""

ENDS = " ‖ "
"""Stands between the sentences of the outcomes of a roll."""
_DAMAGE = r"<number>(?: (penetrating|unavoidable))? damage"
_TOKEN = r"(?:(\d+|an?|one|two|three) )(?!action)([A-Z][\w'-]*(?: [A-Z][\w'-]*)?) tokens?"


def _deal(damage: str, how: str | None) -> Effect:
    return {"do": "deal", "damage": number(damage), **({"as": how} if how else {})}


def _action_token(by: int, token: str | None = None) -> list[Effect]:
    return [{"do": "token", "name": "action", "by": by, **({"to": who(token)} if token else {})}]


def _free_attack(kind: str) -> Effect:
    return {"do": "free-action", "action": attack_kind(kind)}


_TARGETING = r",? (?:but only|that can only) to target| targeting| against"


def _attack(found: Found) -> list[Effect]:
    """Return an attack; against those only that are said, where it isn't against each of them."""
    effect = {"do": "free-action", "action": attack_kind(found[2]) if found[2] else "attack", **at_no_cost(found)}
    if found[1]:
        effect["may"] = True
    if found[4]:
        effect["targets"] = who(found[5])
        if not found[4].endswith("to target") and not {"choose", "hit"} & effect["targets"].keys():
            return []
    return [effect]


def _beside(token: str) -> list[Effect]:
    """Return that the figure is placed beside one of others."""
    described = {key: said for key, said in who(token).items() if key != "also_self"}
    return [{"do": "place", "beside": described}] if {"choose", "hit"} & described.keys() else []


_MANY_TOKENS = r"(an?|one|two|1|2|all|\d) action tokens?"
_GIVEN = r"(an?|one|two|1|2) action tokens?"


def _many(said: str) -> int:
    return 2 if said == "all" else number(said)


_SOME = r"(an?|one|two|three)"
_BYSTANDER = r"[A-Z][\w'.-]*(?: (?:of |the |and )*[A-Z][\w'.-]*)*"


def _generate(name: str, how_many: str, most: str | None = None) -> list[Effect]:
    many = {"number": number(how_many)} if number(how_many) > 1 else {}
    return [{"do": "generate", "name": name, **many, **({"most": number(most)} if most else {})}]


HAPPENINGS: tuple[Row, ...] = (
    (r"heal <self>(?: of)? <number> (?:clicks?|damage)", lambda m: [{"do": "heal", "clicks": number(m[1])}]),
    (r"heal <number> (?:clicks?|damage)", lambda m: [{"do": "heal", "clicks": number(m[1])}]),
    (r"<me> heals <number> (?:clicks?|damage)", lambda m: [{"do": "heal", "clicks": number(m[1])}]),
    (
        r"heal <all>(?: of)? <number> (?:clicks?|damage)",
        lambda m: [{"do": "heal", "clicks": number(m[2]), "to": who(m[1])}],
    ),
    (r"<all> heals? <number> (?:clicks?|damage)", lambda m: [{"do": "heal", "clicks": number(m[2]), "to": who(m[1])}]),
    (rf"deal {_DAMAGE} to <all>", lambda m: [{**_deal(m[1], m[2]), "to": who(m[3])}]),
    (rf"deal <all> {_DAMAGE}", lambda m: [{**_deal(m[2], m[3]), "to": who(m[1])}]),
    (rf"<all> (?:is|are) dealt {_DAMAGE}", lambda m: [{**_deal(m[2], m[3]), "to": who(m[1])}]),
    (rf"deal <myself> {_DAMAGE}", lambda m: [_deal(m[1], m[2])]),
    (rf"remove {_MANY_TOKENS} from <self>", lambda m: _action_token(-_many(m[1]))),
    (rf"remove {_MANY_TOKENS} from <all>", lambda m: _action_token(-_many(m[1]), m[2])),
    (rf"give <self> {_GIVEN}", lambda m: _action_token(number(m[1]))),
    (rf"<all> (?:is|are) given {_GIVEN}", lambda m: _action_token(number(m[2]), m[1])),
    (rf"give <all> {_GIVEN}", lambda m: _action_token(number(m[2]), m[1])),
    (rf"(?:give|place) {_GIVEN} (?:to|on) <all>", lambda m: _action_token(number(m[1]), m[2])),
    (
        rf"(?:put|place|add|gain) {_TOKEN}(?: (?:on|to) (?:<me>|(?:this|<whose>) (?:character )?card|<self>))?",
        lambda m: _named_token(m[2], m[1]),
    ),
    (rf"(?:<me> gains|give <self>) {_TOKEN}", lambda m: _named_token(m[2], m[1])),
    (
        rf"remove {_TOKEN}(?: from (?:<me>|(?:this|<whose>) (?:character )?card|<self>))?",
        lambda m: _named_token(m[2], f"-{number(m[1])}"),
    ),
    (rf"give <all> {_TOKEN}", lambda m: [{**one, "to": who(m[1])} for one in _named_token(m[3], m[2])]),
    (rf"(?:put|place) {_TOKEN} on <all>", lambda m: [{**one, "to": who(m[3])} for one in _named_token(m[2], m[1])]),
    (r"<me> (?:can|may) use <power><free>", lambda m: can_use(m[1], **freely(m))),
    (r"<me> (?:can|may) use the <team> team ability<free>", lambda m: teams(m[1], **freely(m))),
    (
        r"<me> (?:can|may) use <power><free>,? but (only to target (?:⟦[^⟧]*⟧|<myself>))",
        lambda m: can_use(m[1], **freely(m), change=words_of_change(m[3])),
    ),
    (r"use <power><free>", lambda m: can_use(m[1], **freely(m))),
    (rf"(<me> (?:can|may) )?make an? (?:<kind>|attack)<free>?(?:({_TARGETING}) <all>)?", lambda m: _attack(m)),
    (
        r"<me> (?:can|may) be given an? (close|ranged?|CLOSE|RANGE)(?: combat)? action<free>",
        lambda m: [{**_free_attack(m[1].lower()), **at_no_cost(m), "may": True}],
    ),
    (
        r"give <self> an? (close|ranged?|CLOSE|RANGE)(?: combat)? action<free>",
        lambda m: [{**_free_attack(m[1].lower()), **at_no_cost(m)}],
    ),
    (
        r"<me> (?:can|may) be given a (?:move|MOVE) action<free>",
        lambda m: [{"do": "free-action", "action": "move", **at_no_cost(m), "may": True}],
    ),
    (r"give <self> a (?:move|MOVE) action<free>", lambda m: [{"do": "free-action", "action": "move", **at_no_cost(m)}]),
    (r"heal <number> clicks? on <all>", lambda m: [{"do": "heal", "clicks": number(m[1]), "to": who(m[2])}]),
    (r"<all> (?:can|may) use <power><free>", lambda m: can_use(m[2], **freely(m), to=who(m[1]))),
    (
        r"add (?:an|one|1) action to your action total( this turn)?",
        lambda m: [{"do": "actions", "by": 1, **({"until": "turn"} if m[1] else {})}],
    ),
    (r"place <self> in(?:to)? an adjacent square", lambda m: [{"do": "place", "within": "adjacent"}]),
    (
        r"<me> (?:may|can) be placed in(?:to)? an adjacent square",
        lambda m: [{"do": "place", "within": "adjacent", "may": True}],
    ),
    (
        r"place <self> (?:in(?:to)? a square )?within <number> squares",
        lambda m: [{"do": "place", "within": number(m[1])}],
    ),
    (
        r"place <self> (?:in(?:to)? a(?:ny)? square )?within <number> squares and line of fire",
        lambda m: [{"do": "place", "within": number(m[1]), "line_of_fire": True}],
    ),
    (
        r"place <self> (?:in a square )?up to <number> squares away(?: from <whose>current square)?",
        lambda m: [{"do": "place", "within": number(m[1])}],
    ),
    (r"place <self> (?:in a square )?adjacent to <all>", lambda m: _beside(m[1])),
    (r"(?:move|move <self>)(?: up to)? <number> squares?", lambda m: [{"do": "move", "squares": number(m[1])}]),
    (
        r"move(?: <self>)? up to <number> squares in a direct path",
        lambda m: [{"do": "move", "squares": number(m[1]), "direct": True}],
    ),
    (
        r"place <all> (?:(?:in(?:to)? a(?:ny)? square )?adjacent(?: to (?:<me>|him|her))?|in(?:to)? an adjacent square)",
        lambda m: [{"do": "place", "beside": {"side": "self"}, "to": who(m[1])}],
    ),
    (
        r"move <all>(?: up to)? <number> squares?",
        lambda m: [{"do": "move", "squares": number(m[2]), "to": who(m[1])}],
    ),
    (
        r"<me> (?:may|can) (?:move|be moved)(?: up to)? <number> squares?",
        lambda m: [{"do": "move", "squares": number(m[1]), "may": True}],
    ),
    (
        r"knock back <all> <number> squares?(?: each)?",
        lambda m: [{"do": "knock-back", "squares": number(m[2]), "to": who(m[1])}],
    ),
    (
        r"<all> (?:is|are) knocked back <number> squares?",
        lambda m: [{"do": "knock-back", "squares": number(m[2]), "to": who(m[1])}],
    ),
    (
        r"generate a ((?:hindering|blocking|water) terrain marker|(?:standard )?(?:light|heavy|light or heavy) object)",
        lambda m: [{"do": "generate", "name": m[1]}],
    ),
    (
        rf"generate {_SOME} ({_BYSTANDER}) [Bb]ystanders?(?: tokens?)?(?: [\[(](?:MAX|max|Max) <number>[\])])?",
        lambda m: _generate(m[2], m[1], m[3]),
    ),
    (
        rf"generate {_SOME} ([A-Z]\w+ #\w+) ({_BYSTANDER})(?: on click #<number>)?",
        lambda m: [{**_generate(m[3], m[1])[0], "code": m[2], **({"click": number(m[4])} if m[4] else {})}],
    ),
    (
        rf"place an? ({_BYSTANDER}) bystander token in(?:to)? an adjacent square",
        lambda m: [{"do": "generate", "name": m[1], "adjacent": True}],
    ),
    (
        r"replace <self> with another character with this trait( \(?on the same click number\)?)?",
        lambda m: [{"do": "becomes", "same_trait": True, **({"same_click": True} if m[1] else {})}],
    ),
)
"""What happens then."""


def _named_token(name: str, how_many: str) -> list[Effect]:
    return [{"do": "token", "name": name, "by": number(how_many)}]


_UNTIL = (
    (r"until (?:(?:the )?(?:beginning|start) of )?your next turn", "next-turn"),
    (r"until the end of your next turn", "end-of-next-turn"),
    (r"(?:this turn|until (?:the )?end of (?:the|your|this) turn)", "turn"),
    (r"(?:for the rest of the game|(?:for the rest of )?this game)", "game"),
)


def _referring(before: str, said: str) -> str | None:
    """Return a phrase in which pronouns for others that the phrase before it names are those; None if that isn't sure."""
    named = re.findall(r"⟦[^⟧]*⟧", before)
    if not named or not PRONOUN.search(re.sub(r"⟦[^⟧]*⟧", "", said)):
        return said
    them = {"their": f"{named[0]}'s", "them": named[0], "they": named[0]}
    if len(named) > 1 or ME in before or not named[0].startswith("⟦all") or "choose" in who(named[0][1:-1]):
        return None
    found = re.split(r"(⟦[^⟧]*⟧)", said)
    found[::2] = [re.sub(r"\b(?:their|them|they)\b", lambda one: them[one[0]], part) for part in found[::2]]
    return None if any(PRONOUN.search(part) for part in found[::2]) else "".join(found)


def _several(said: str) -> list[Effect]:
    """Return what two phrases joined by "and" or "but" say."""
    for joint in re.finditer(r",? (?:and|but) ", said):
        first, rest = rows(BODIES, said[: joint.start()]), _referring(said[: joint.start()], said[joint.end() :])
        if rest is None:
            continue
        subject = re.match(r"⟦[^⟧]*⟧ ", said)
        second = rows(BODIES, rest) or (
            rows(BODIES, f"{subject[0]}{rest}") if subject else rows(BODIES, f"{ME} {rest}")
        )
        if first and second:
            same = not subject or all("to" in effect for effect in (*first, *second))
            return first + second if same else []
    return []


def _lasting(said: str) -> list[Effect]:
    """Return effects that last until a moment that is said first or last."""
    for words, until in _UNTIL:
        begins, ends = re.match(rf"{words},? ", said), re.search(rf",? {words}$", said)
        rest = said[begins.end() :] if begins else said[: ends.start()] if ends else ""
        if rest and (effects := rows(BODIES, rest) or _several(rest)):
            kept = all(
                effect["do"] in LASTING and not {"when", "limit", "change"} & effect.keys() for effect in effects
            )
            return [{**effect, "until": until} for effect in effects] if kept else []
    return []


OUTCOME = re.compile(
    r"(?:[Oo]n an? (?:result|roll)? ?(?:of )?)?(?:an? )?\[?(?P<low>[1-6])(?: ?(?:[-–]|or) ?(?P<high>[1-6]))?\]?(?::|,) ?"
)
"""How a sentence begins that says what follows on some results of a roll."""
ROLLS = re.compile(
    r"(?P<may>you may )?roll a [dD]6(?: and on| and|, on|,|\.)? (?=\[?\d|a \[?\d|an? (?:result|roll)|On|on)"
)


CHOOSE = re.compile(
    r"choose one(?: effect)?(?P<until> to (?:last|use) (?:until your next turn|this turn|for the rest of the game))?: "
)


def _options(said: str) -> list[Effect]:
    """Return a choice, such as "choose one: A -or- B", if each option is understood."""
    begins = CHOOSE.match(said)
    rest = said[begins.end() :] if begins else said
    plainly = "-or-" not in rest and "*" not in rest
    parts = re.split(r",? or (?=[A-Z])|, (?=[A-Z])" if plainly else r"[;,.]? -or- |[;,.]? ?\*", rest)
    options = []
    for part in (one.strip(" .;") for one in parts if one.strip(" .;")):
        option = part[:1].lower() + part[1:] if re.match(r"[A-Z][a-z]+ ", part) and not rows(BODIES, part) else part
        if begins and begins["until"]:
            effects = _lasting(f"{option} {begins['until'].split(' ', 3)[3]}")
        else:
            effects = then(option, 1)
        if not effects:
            return []
        options.append({"effects": effects})
    return [{"do": "choose", "options": options}] if len(options) > 1 else []


def _roll(said: str) -> list[Effect]:
    """Return a roll with its outcomes, such as "roll a d6. 5-6: Heal 1 click. 1: …", if each is understood."""
    begins = ROLLS.match(said)
    if begins is None:
        return []
    outcomes: list[Effect] = []
    for part in said[begins.end() :].split(ENDS):
        found = OUTCOME.match(part)
        rest = part[found.end() :] if found else ""
        effects = then(rest[:1].lower() + rest[1:] if rest[:1].isascii() else rest)
        if found is None or not effects:
            return []
        low, high = int(found["low"]), int(found["high"] or found["low"])
        outcomes.append({"on": list(range(low, high + 1)), "effects": effects})
    results = [result for outcome in outcomes for result in outcome["on"]]
    if len(set(results)) < len(results) or not all(outcome["on"] for outcome in outcomes):
        return []
    return [{"do": "on-roll", "dice": 1, "outcomes": outcomes, **({"may": True} if begins["may"] else {})}]


def then(said: str, depth: int = 0) -> list[Effect]:
    """Return what a phrase says happens."""
    if "roll a " in said:
        return _roll(said)
    if " -or- " in said or said.startswith("choose one"):
        return _options(said) if depth == 0 else []
    if found := rows(HAPPENINGS, said) or _lasting(said):
        return found
    if may := re.match(rf"(?:you|{ME}|he|she|it|they) (?:may|can) ", said):
        effects = then(said[may.end() :], depth)
        return [{**effect, "may": True} for effect in effects] if len(effects) == 1 else []
    if depth < 2:
        for joint in re.finditer(r",? and (?:then )?|, then ", said):
            first = then(said[: joint.start()], depth + 1)
            rest = _referring(said[: joint.start()], said[joint.end() :])
            if first and rest is not None and not any("may" in effect for effect in first):
                second = then(rest, depth + 1)
                if second and not any("may" in effect for effect in second):
                    return first + second
    return []


THAT = re.compile(r"\b(?:that (?:opposing |friendly )?character|the target(?:ed character)?)\b")
"""How a phrase means the character that the moment is about."""


def _that(that: Effect, said: str) -> Effect:
    """Return the character that the moment is about: those hit, or, in the words "the target", the targets hit."""
    return hit_target(that) if "target" in said else that


def _chosen(said: str) -> str:
    """Return a phrase whose tokens of one character are those of characters of which one is chosen."""

    def one(found: Found) -> str:
        return token("all", {**who(found[0][1:-1]), "choose": 1}, found[0][1:-1].split("|")[-1])

    return re.sub(r"⟦(?:up|any)\|", "⟦all|", re.sub(r"⟦one\|[^⟧]*⟧", one, said))


EACH_ROLL = re.compile(r"((?:you may )?roll a [dD]6)(?: for ⟦all\|([^⟧]*)⟧)?(?=\W)")


def _each_roll(said: str, that: Effect | None) -> list[Effect]:
    """Return a roll for each of several, "that character" of its outcomes then being the one: those named, or hit."""
    begins = EACH_ROLL.match(said)
    found = THAT.search(said)
    to = who(begins[2]) if begins and begins[2] else _that(that, found[0]) if that and "hit" in that and found else None
    if begins is None or to is None or (found and "⟦" in said[begins.end() : found.start()]):
        return []
    outcomes = THAT.sub(token("all", {"rolled_for": True}, "that"), said[begins.end() :])
    return [{**one, "to": to} for one in _roll(_chosen(begins[1] + outcomes))]


def consequence(said: str, that: Effect | None = None) -> list[Effect]:
    """Return what a phrase says happens, of which "that character" is given."""
    if effects := _each_roll(said, that):
        return effects
    if (found := THAT.search(said)) and ("⟦" in said[: found.start()] or that is None):
        return []  # a character that the phrase names before it may be meant
    if that is not None:
        said = THAT.sub(lambda found: token("all", _that(that, found[0]), "that"), said)
    said = re.sub(r"^in addition to (?:the|its|his|her) normal effects?,? ", "", said)
    said = re.sub(r"\b(?:also|immediately) (?=deal|dealt|give|given|heal|make|use|remove|place|modify)", "", said)
    return then(_chosen(said))


def _at_once(trigger: Trigger, *, hit: bool) -> Trigger:
    """Return the moment of a hit instead of the one after the attack, or after the action that hit someone."""
    when = dict(trigger.at.get("when", {}))
    if trigger.at["moment"] == "after-action" and hit and _by_attack(_using(trigger)):
        return Trigger({**trigger.at, "moment": "after-hit", "when": {"attack": "any", **when}}, {"hit": True})
    if trigger.at["moment"] == "after-attack" and when.pop("hit", False):
        return Trigger({**trigger.at, "moment": "when-hit", "when": when}, trigger.that)
    if trigger.at["moment"] == "after-attack" and "attack" in when:
        return Trigger({**trigger.at, "moment": "when-attacking"}, trigger.that)
    return trigger


def _by_attack(using: Iterable[str]) -> bool:
    """Return whether an action uses powers, all of them in an attack."""
    return bool(using) and ATTACKING.issuperset(using)


def _trigger(said: str) -> Trigger | None:
    for phrase, make in TRIGGERS:
        if (found := pattern(phrase).fullmatch(said)) and (trigger := make(found)):
            return trigger
    begins = re.fullmatch(
        rf"(?:[Ww]hen(?:ever)?|[Ee]ach time) (?P<who>{ME}|[Hh]e|[Ss]he|[Ii]t|⟦one\|[^⟧]*⟧|{ME} or ⟦one\|[^⟧]*⟧) (?P<does>.+)",
        said,
    )
    if begins is None:
        return None
    for phrase, make in DOES:
        if (found := pattern(phrase).fullmatch(begins["does"])) and (trigger := make(found)):
            break
    else:
        return None
    if "⟦" not in begins["who"]:
        return trigger
    whose = who(begins["who"].split("⟦")[1][:-1])
    if ME in begins["who"]:
        if whose["side"] != "friends":
            return None
        whose["also_self"] = True
    if "target" in trigger.at.get("when", {}) and whose["side"] != "friends":
        return None
    that = None if trigger.that and len(trigger.that) > 1 else {"of_moment": True}
    return Trigger({**trigger.at, "whose": whose}, that)


def _other_than_those(begins: str, said: str) -> bool:
    """Return whether "other" may be said of those at the beginning, instead of the figure: they are of the same side."""
    sides = {who(found)["side"] for found in re.findall(r"⟦([^⟧]*)⟧", begins) if "side" in who(found)}
    others = [who(found)["side"] for found in re.findall(r"⟦([^⟧]*)⟧", said) if OTHER.search(found.split("|")[-1])]
    return any(side in sides or "all" in (side, *sides) for side in others if sides)


OTHER = re.compile(r"\b(?:an)?other\b", re.IGNORECASE)


class Opening(NamedTuple):
    """How a sentence begins: its moment, the words that say so, and the rest."""

    trigger: Trigger
    begins: str
    rest: str


def _opening(said: str) -> Opening | None:
    for comma in re.finditer(",? ", said):
        begins, rest = said[: comma.start()], said[comma.end() :]
        begins, resolved = re.subn(r"(?:,? and|, after) actions resolve$", "", begins)
        trigger = _trigger(begins)
        if trigger is None:
            continue
        rest, after = re.subn(r"^after (?:actions resolve|(?:actions )?resolutions),? ", "", rest)
        rest, at_end = re.subn(r",? after (?:actions resolve|(?:actions )?resolutions)$", "", rest)
        after += at_end
        if comma[0] == " " and not after:
            continue
        if not after and not resolved:
            trigger = _at_once(trigger, hit='"hit":true' in rest)
            if trigger.at["moment"] not in AT_ONCE and _using(trigger) != {"Leadership"}:
                continue
        else:
            trigger = trigger._replace(at={**trigger.at, "after": "resolutions"})
        return Opening(trigger, begins, rest)
    return None


def _using(trigger: Trigger) -> set[str]:
    return set(trigger.at.get("when", {}).get("using", ()))


def _by_use(opening: Opening) -> bool:
    """Return whether the moment is a hit only because those hit are named: the words say that a power is used."""
    at_hit = opening.trigger.at["moment"] == "after-hit" and "after" not in opening.trigger.at
    return at_hit and bool(_using(opening.trigger)) and not re.search(r"\bhits\b", opening.begins)


def moment(said: str) -> Effect:
    """Return when something happens that a sentence says, though what happens isn't understood."""
    opening = _opening(said)
    if opening is None or _by_use(opening):
        return {}
    found = {key: at for key, at in opening.trigger.at.items() if key != "limit"}
    if _where_it_began(opening.trigger):
        found["whose"] = {key: one for key, one in found["whose"].items() if key not in PLACES}
    return found


PLACES = frozenset({"within", "line_of_fire"})
"""Words about where a character stands."""


def _where_it_began(trigger: Trigger) -> bool:
    """Return whether the moment is that of a character that stands somewhere when its action begins, not when it ends."""
    return trigger.at["moment"] == "after-action" and not PLACES.isdisjoint(trigger.at.get("whose", ()))


def happening(said: str) -> list[Effect]:
    """Return what a sentence says happens at a moment, if every word of it is understood."""
    limit = re.fullmatch(r"(?:[Oo]nce per (turn|game),? )?(.+)", said)
    opening = _opening(limit[2] if limit else said)
    if opening is None:
        return []
    trigger, begins, rest = opening
    if _where_it_began(trigger):
        return []
    more: Effect = {"limit": limit[1]} if limit and limit[1] else {}
    if more and "limit" in trigger.at:
        return []
    if _other_than_those(begins, rest):
        return []
    if "⟦" in begins and re.search(r"\b(?:it|them|they|its|their)\b", rest):
        return []  # the other character may be meant
    if "whose" in trigger.at and re.search(r"\b(?:he|she|him|her|his)\b", rest):
        return []
    if found := re.match(r"(once per turn),? ", rest):
        if more or "limit" in trigger.at:
            return []
        more, rest = {"limit": "turn"}, rest[found.end() :]
    at = trigger.at
    if found := re.match(r"if (.+?), (?:then )?", rest):
        when = condition(found[1])
        if when is None or at.get("when", {}).keys() & when.keys():
            return []
        if "⟦" in found[1] and re.search(r"\b(?:him|her|it|them|his|its|their)\b", rest[found.end() :]):
            return []  # the character of the condition may be meant
        at, rest = {**at, "when": {**at.get("when", {}), **when}}, rest[found.end() :]
    elif (found := re.fullmatch(r"([^⟦]*?(?:⟦[^⟧]*⟧[^⟦]*?)*?),? if (.+)", rest)) and (when := condition(found[2])):
        if at.get("when", {}).keys() & when.keys() or "⟦" in found[2] or " and " in found[1] or "roll a" in rest:
            return []  # whose condition it is, or of what, can't be told
        at, rest = {**at, "when": {**at.get("when", {}), **when}}, found[1]
    if trigger.that and "hit" in trigger.that:
        rest = of_those_hit(rest, trigger.that)
    if "after" in at and words_of(at.get("when", {})) & CHANGING:
        return []  # it is asked once the action has resolved
    effects = consequence(rest, trigger.that)
    if _by_use(opening) and not all(effect.get("to", {}).get("hit") for effect in effects):
        return []  # what isn't for those hit happens when the power is used
    return _fitting([{**effect, **at, **more} for effect in effects])


def of_attack(effect: Effect) -> set[str]:
    """Return the words by which an effect, or an outcome of it, is for those hit, or for an attacker."""
    found: set[str] = set()
    for described in (effect.get("to", {}), effect.get("beside", {})):
        found |= {"hit", "attacker"} & {*described.keys(), described.get("beside", "").removesuffix("-target")}
    parts = (*effect.get("outcomes", ()), *effect.get("options", ()))
    inner = [one for part in parts for one in part["effects"]]
    return found.union(*(of_attack(one) for one in inner))


def _fitting(effects: list[Effect]) -> list[Effect]:
    """Return effects at a moment at which the characters they are for are known: those hit, and an attacker."""
    for effect in effects:
        said = of_attack(effect)
        if not said:
            continue
        moment, when = effect["moment"], effect.get("when", {})
        using = when.get("using", [])
        if moment == "after-action" and _by_attack(using) and SEVERAL_STEPS.isdisjoint(using):
            effect |= {"moment": "after-hit", "when": {"attack": "any", **when}}
            continue
        attacked = moment == "when-damaged" or "attacked" in when
        if ("attacker" in said and not attacked) or ("hit" in said and moment not in ("after-hit", "after-attack")):
            return []
    return effects


_GIVE = (
    r"Give <me> an? (free|double power|power|move|close combat|ranged combat) action"
    r"(?: (?:if|when) ([^,.]+?))?(?: to|,? and|, then|,) (.+)"
)
_ACTIONS: dict[str, str] = {
    "FREE": "free",
    "POWER": "power",
    "DOUBLE POWER": "double-power",
    "MOVE": "move",
    "CLOSE": "close",
    "RANGE": "ranged",
    "RANGED": "ranged",
}


def action(said: str) -> list[Effect]:
    """Return what an action of a card does, such as "FREE: Heal 1 click."."""
    given = pattern(_GIVE).fullmatch(said)
    if given is not None:
        kind = {"close combat": "CLOSE", "ranged combat": "RANGE"}.get(given[1], given[1].upper())
        said = f"{kind}: {f'If {given[2]}, ' if given[2] else ''}{given[3]}"
    found = re.fullmatch(
        r"(FREE|(?:DOUBLE )?POWER|MOVE|CLOSE|RANGED?): (?:(Once per game),? )?(?:[Ii]f (.+?), (?:then )?)?(.+)", said
    )
    if found is None:
        return []
    costs = _ACTIONS[found[1]]
    when = condition(found[3]) if found[3] else {}
    if found[3] and "⟦" in found[3] and PRONOUN.search(found[4]):
        return []  # the character of the condition may be meant
    rest = found[4][0].lower() + found[4][1:] if found[4][0].isascii() else found[4]
    rest = re.sub(r"^you may ", "", rest)
    rest = re.sub(r"^(remove [^.,]*? tokens?(?: from [^.,]*?)?) to (?=[a-z])", r"\1, then ", rest)
    effects = consequence(rest)
    if when is None or not effects or any("may" in effect or of_attack(effect) for effect in effects):
        return []
    acts = [{**one, **({"when": when} if when else {})} for one in effects]
    if found[2]:
        acts = [{**one, "limit": "game"} for one in acts]
    if (
        costs == "free"
        and len(acts) == 1
        and (acts[0]["do"], "action" in acts[0] or "within" in acts[0]) in (("free-action", True), ("place", True))
    ):
        return acts
    return [{**one, "costs": costs} for one in acts]
