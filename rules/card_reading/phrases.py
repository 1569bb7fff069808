"""The standard phrasings of card texts, one row each: a pattern that must match a whole phrase, and what it says.

A phrase that isn't here isn't understood; nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .conditions import condition
from .others import ME, Effect, Found, plain, who
from .patterns import VALUE, Row, attack_kind, pattern
from .words import ATTACKING, listed, number, one_power

MOVING = {"elevated", "hindering", "blocking", "outdoor blocking", "characters", "destroy blocking"}
TARGETING = {"elevated", "hindering", "blocking", "characters", "adjacent", "destroy blocking"}
ALL_VALUES = ("speed", "attack", "defense", "damage", "range")
PENETRATING: Effect = {"do": "damage", "as": "penetrating"}


def _each(values: str, make: Callable[[str], Effect]) -> list[Effect]:
    named = dict.fromkeys(re.findall(VALUE, values))
    if values.startswith("combat values"):
        named = dict.fromkeys(value for value in ALL_VALUES if value not in named)
    return [make(value) for value in named]


def modify(values: str, by: str, **more: Any) -> list[Effect]:
    """Return the modifiers of one or several combat values."""

    def make(value: str) -> Effect:
        if value == "range" and not more:
            return {"do": "range", "by": number(by)}
        return {"do": "modify", "value": value, "by": number(by), **more}

    return _each(values, make) if number(by) else []


def _set(value: str, to: str, *, locked: str | None = None) -> list[Effect]:
    return [{"do": "set", "value": value, "set": number(to), **({"locked": True} if locked else {})}]


def can_use(powers: str, **more: Any) -> list[Effect]:
    """Return the grant of a list of powers."""
    return [{"do": "can-use", "powers": listed(powers), **more}]


def teams(said: str, **more: Any) -> list[Effect]:
    """Return the grant of a team ability."""
    return [{"do": "can-use", "teams": [said], **more}]


def _ignore(how: str, said: str) -> list[Effect]:
    allowed = MOVING if how == "moving" else TARGETING
    words = [re.sub(r"^ignores? | terrain$", "", word.strip().lower()) for word in re.split(r", (?:and )?| and ", said)]
    words = [word.replace("destroys", "destroy") for word in words]
    if not set(words) <= allowed:
        return []
    return [{"do": "ignore", how: [word.replace(" ", "-") for word in dict.fromkeys(words)]}]


def to_all(to: Effect, effects: list[Effect]) -> list[Effect]:
    """Return effects as those on these characters."""
    return [{**effect, "to": to} for effect in effects]


def _others_do(effects: Callable[[Found], list[Effect]]) -> Callable[[Found], list[Effect]]:
    """Return what is said of the characters that the first group means."""
    return lambda found: to_all(who(found[1]), effects(found))


ABILITIES = ("Duo Attack", "Move and Attack", "Capture", "Multi-Attack", "Multiattack", "Giant Reach", "Ram", "Swim")
"""Abilities that texts name so; the book of the battle says what they are, or the judge is asked."""


def _penetrating(power: str) -> list[Effect]:
    """Return a power that deals penetrating damage: in an attack, or by itself."""
    if power in ATTACKING:
        return [*can_use(power), {**PENETRATING, "when": {"using": [power]}}]
    return can_use(power, change="deals penetrating damage")


def _named(ability: str) -> Effect:
    """Return an ability that texts give by its name alone; the judge says what it does."""
    return {"do": "can-use", "powers": [ability]}


def _without_self(token: str) -> Effect:
    described = who(token)
    described.pop("also_self", None)
    return described


def _for_each(found: Found, values: str, by: str, token: str, most: str | None = None) -> list[Effect]:
    return modify(values, by, each=who(token), **({"most": abs(number(most))} if most else {}))


FRIENDS_REACH = frozenset({"Pulse Wave", "Telekinesis", "Energy Explosion"})
"""Powers that reach friends, too."""
USED_ON_ITSELF = frozenset({"Perplex", "Probability Control", "Support"})
"""Powers that a character may use on itself, from which a protection may not be meant."""
AGAINST_TARGETS = frozenset(
    {"Incapacitate", "Mind Control", "Penetrating/Psychic Blast", "Psychic Blast", "Exploit Weakness"}
)
"""Powers that are attacks on those targeted: where they can't target a character, the attack can't be made."""
IN_EXPLOSIONS = frozenset({"Incapacitate", "Penetrating/Psychic Blast", "Psychic Blast"})
"""Those of them that an attack with Energy Explosion can use, so that they reach characters beside a target."""
TARGETED_ALONE = frozenset({"Outwit", "Perplex", "Telekinesis"}) | AGAINST_TARGETS
"""Powers that do nothing to a character that they can't target; others also reach it without targeting it."""


def _ignored(found: Found, group: int) -> list[Effect]:
    """Return a protection from opponents' powers, and from friends' if those reach it; none from its own."""
    before = found.string[: found.start(group)][-9:]
    named: dict[bool, list[str]] = {}
    for part in re.split(r",? and |,? or |, ", before * before.lower().endswith("opposing ") + found[group]):
        (power,) = listed(part)
        opposing = part.lower().startswith("opposing ")
        if power in USED_ON_ITSELF and not opposing:
            return []
        named.setdefault(power in FRIENDS_REACH and not opposing, []).append(power)
    return [
        {"do": "protected", "from": powers, **({"friends": True} if friends else {})}
        for friends, powers in named.items()
    ]


def _protected(found: Found, group: int, kept: frozenset[str] = IN_EXPLOSIONS) -> list[Effect]:
    """Return that powers can't target or damage a character: of those that are attacks, no attack can be made on it.

    `kept`: those of them from which it is protected beside a target, too.
    """
    effects = _ignored(found, group)
    against = [power for effect in effects for power in effect["from"] if power in AGAINST_TARGETS]
    for effect in effects:
        effect["from"] = [power for power in effect["from"] if power not in AGAINST_TARGETS or power in kept]
    untargeted: Effect = {"do": "not-targeted", "by": "any", "using": against}
    return [*(effect for effect in effects if effect["from"]), *([untargeted] if against else [])]


def _no_target(found: Found, group: int) -> list[Effect]:
    """Return that powers can't target a character; nothing for those that also reach it in another way."""
    return _protected(found, group, frozenset()) if TARGETED_ALONE.issuperset(listed(found[group])) else []


_STOP: list[Effect] = [{"do": "stop", "when": {"attacked": "any", "by": {"side": "opponents"}}}]


def _reach(squares: str) -> Effect:
    return {"do": "can-use", "powers": ["Giant Reach"], "change": f"reach {number(squares)}"}


def _carry(passengers: str, **more: Any) -> list[Effect]:
    return [{"do": "carry", "passengers": number(passengers), **more}] if number(passengers) else []


_PASSENGER: Effect = {"equal_size": True}
"""By the publisher's key phrase, Passenger lets a character carry others of its own size, too."""


def _most_damage(most: str, how: str) -> list[Effect]:
    return [{"do": "most-damage", "at": number(most), "when": {"attacked": how}}]


# ── Powers with changes ────────────────────────────────────────────────────────────────────────────

_CHANGES = (
    r"do(?:es)?(?: not|n't) halve (?:<whose>)?speed(?: value)?(?: when using it)?",
    r"(?:may use it )?with close or ranged? attacks",
    r"only to generate <number> (?:hindering|blocking) terrain markers?",
    r"only targeting ⟦[^⟧]*⟧",
    r"only during ranged? attacks",
    r"(?:<me> )?(?:only )?(?:succeeds|is successful) (?:only )?on (?:an? )?(?:result of |roll of )?(?:an? )?\[?\d(?: ?[-–] ?\d)?\]?",
    r"deals <number> (?:penetrating )?damage instead of \d+",
    r"only to (?:generate|place) <number> (?:markers?|squares? of blocking terrain)",
    r"only to reroll (?:<whose>)(?:own )?(?:rolls|attack rolls)",
    r"only to target (?:⟦[^⟧]*⟧|<myself>|<myself> or ⟦[^⟧]*⟧)",
    r"(?:may|can) only target (?:⟦[^⟧]*⟧|<myself>)",
    r"only with (?:close|ranged?) attacks",
    r"only if <whose>target is adjacent",
    r"only to (?:increase|decrease) combat values",
    r"only to counter (?:blue|orange|purple|white|green|red|pink|speed|attack|defense|damage|standard) powers",
    r"can only counter (?:blue|orange|purple|white|speed|attack|defense|damage|standard) powers",
    r"only to modify <values> values?",
    r"can only modify <values> values?",
    r"can't modify <values> values?",
    r"only to modify <whose>own combat values?",
    r"only to modify an? (?:speed|attack|defense|damage|range) value by <signed>",
    r"(?:can |may )?only (?:to )?(?:affects?|targets?|rerolls?) (?:<whose>)?(?:own )?attack rolls?",
    r"with (?:close|ranged?) attacks instead of (?:close|ranged?) attacks",
    r"<me> (?:may|can) choose ⟦[^⟧]*⟧ instead of (?:an )?adjacent(?: one)?",
    r"does(?:n't| not) take feedback damage(?: when using it)?",
    r"(?:<me> )?evades (?:the attack )?on an? (?:result |roll )?(?:of )?(?:an? )?\[?\d(?: ?[-–] ?\d)?\]?",
    r"(?:only to|may only|can only) carry ⟦[^⟧]*⟧",
    r"only to transfer damage to ⟦[^⟧]*⟧",
    r"only to make an? (?:close|ranged?)(?: combat)? attack",
    r"only to make (?:close|ranged?)(?: combat)? attacks",
    r"only against (?:close|ranged?)(?: combat)? attacks",
    r"only to reroll ⟦[^⟧]*⟧'s? attack rolls?",
    r"(?:only|can only|may only) affects? ⟦[^⟧]*⟧",
    r"can't (?:pick up or (?:carry|hold)|pick up|hold|carry) heavy objects",
)
"""Changes of powers that are said in these words only."""
_CHANGE = "|".join(f"(?:{one})" for one in _CHANGES)
_AS = (
    r"(?P<freely> as (?:a free action|FREE))?"
    r"(?:(?: as if <me> had a range(?: value)? of| with a range(?: value)? of"
    r"| as if <whose>range(?: value)? (?:was|were|is)) (?P<range>\d+))?"
    r"(?:(?: and| with| as if <me> had|,? and as if <me> had) \"?(?P<targets>[2-5]|two|three) (?:[Tt]argets|\[TARGETS?\]|bolts)\"?)?"
)
_BUT = r"(?:but|and(?=(?: <me>)? (?:evades|doesn't take feedback) ))"
_GRANT = rf"(?:<me> (?:can|may) use |[Cc]an use )?<power>{_AS}(?:,? {_BUT} (?P<change>.+))?"


HALVES = r"^do(?:es)?(?: not|n't) halve (?:his |her |its |their )?speed(?: value)?(?: when using it)?$"
SUCCEEDS = rf"^(?:(?:{ME}|[a-z]+) )??(?:only )?(?:succeeds|is successful|evades(?: the attack)?) (?:only )?on [a-z ]*?(\d(?:-\d)?)$"


def words_of_change(change: str) -> str:
    """Return a change as its words, without the figure's own name."""
    words = re.sub(r"[\[\]]", "", plain(change))
    words = re.sub(r"(\d) ?[-–] ?(\d)", r"\1-\2", words)
    words = re.sub(HALVES, "do not halve speed", words)
    words = re.sub(SUCCEEDS, lambda found: f"{'only ' * ('only' in found[0])}succeeds on a {found[1]}", words)
    words = re.sub(r"^(?:may|can) only target ", "only to target ", words)
    words = re.sub(rf"^only to modify (?:his|her|its|their|{ME}'s) own combat values?$", "only to target itself", words)
    words = words.replace("himself", "itself").replace("herself", "itself")
    return " ".join(words.replace(f"{ME}'s", "its").replace(ME, "itself" if "target" in words else "it").split())


def _limited(said: str) -> Effect | None:
    """Return what a restriction of a granted power says; None if it isn't understood."""
    if said in ("only once per turn", "only once each turn"):
        return {"limit": "turn"}
    if said == "only once per game":
        return {"limit": "game"}
    if said == "only during your turn":
        return {"when": {"turn": "own"}}
    if re.fullmatch(r"only during (?:your opponents?'s?|an opponent's|opponents'|opponent's) turns?", said):
        return {"when": {"turn": "opponents"}}
    if found := re.fullmatch(r"only (?:when|while|if|as long as) (.+)", said):
        when = condition(found[1])
        return None if when is None else {"when": when}
    return {"change": words_of_change(said)} if pattern(_CHANGE).fullmatch(said) else None


def _granted(found: Found) -> list[Effect]:
    """Return a power with the changes that are said of it, each of which must be understood."""
    effect: Effect = {"do": "can-use", "powers": listed(found[1])}
    changes = [f"range {number(found['range'])}"] if found["range"] else []
    if found["targets"]:
        changes.append(f"{number(found['targets'])} targets")
    if found["freely"]:
        effect["action"] = "free"
    if said := found["change"]:
        limited = _limited(said)
        parts = re.split(r",? and ", said) if limited is None else []
        if limited is None and len(parts) == 2:
            both = [_limited(part) for part in parts]
            if any(one is None or "change" not in one for one in both):
                return []
            limited = {"change": " and ".join(one["change"] for one in both if one is not None)}
        if limited is None:
            return []
        if "change" in limited:
            changes.append(limited.pop("change"))
        effect |= limited
    if changes:
        effect["change"] = ", ".join(changes)
    return [effect]


CODE = r"\[[\w+ ]+\](?: ?#?s?\d+)?|[A-Z][\w+]* ?[#:]s?\d+|#?s\d+"
"""A set with a number, such as "XYZ #s001", which tells things of one name apart."""
_EQUIPPED = (
    rf"(?:(?:the |an? )?(?:(?P<code>{CODE}) )?(?P<thing>[A-Z][\w.'’-]*(?: (?:[A-Z][\w.'’-]*|of|the))*)"
    r"|any (?P<sort>[A-Z][\w' -]*? [Ee]quipment)) equipped"
)


def _equipped(found: Found) -> list[Effect]:
    code = re.sub(r"[\[\]]", "", found["code"] or "")
    what = {key: said for key, said in (("name", found["thing"]), ("kind", found["sort"]), ("code", code)) if said}
    may = {"may": True} if found[1] == "may start" else {}
    return [{"do": "equip", **what, "moment": "before-game", **may}]


_CAN = r"(?:<me> (?:can use|has) |[Cc]an use )"
_HAS = r"(?:<me> has )?"
_ANYONE_S = rf"(?:[Oo]pposing )?{one_power()}"
_PROTECTED = rf"({_ANYONE_S}(?:(?:, and |, | and ){_ANYONE_S})*)"
BODIES: tuple[Row, ...] = (
    (rf"{_CAN}<powers>", lambda m: can_use(m[1])),
    (r"<powers>", lambda m: can_use(m[1])),
    (_GRANT, _granted),
    (
        r"(?:<me> can use |[Cc]an use |<me> has |<me> possesses )(?:the )?\[?<team> [Tt]eam [Aa]bilit(?:y|ies)\]?",
        lambda m: teams(m[1]),
    ),
    (r"<me> can use <powers>,? and (?:can use )?the <team> team ability", lambda m: [*can_use(m[1]), *teams(m[2])]),
    (r"<me> can use the Carry ability", lambda m: _carry("1")),
    (
        rf"(?:<me> (?:can use|possesses) )?the ({'|'.join(ABILITIES)}) ability",
        lambda m: [{"do": "can-use", "powers": [m[1].replace("Multiattack", "Multi-Attack")]}],
    ),
    (r"(?:<me> (?:can use|possesses) )?the <power> ability", lambda m: can_use(m[1])),
    (r"the Carry ability", lambda m: _carry("1")),
    (r"the <team> team ability", lambda m: teams(m[1])),
    (r"<me> has \[([A-Z][\w.' -]*?) [Tt]eam [Aa]bility\]", lambda m: teams(m[1])),
    (r"<me> can use the ([A-Z][\w.'-]*(?: [A-Z][\w.'-]*)*) team ability", lambda m: teams(m[1])),
    (rf"{_HAS}(KNOCKBACK|Immobile|SAFEGUARD: (?:[Oo]pposing )?<power>)", lambda m: [_named(m[1])]),
    (r"<me> gains (Immobile)", lambda m: [_named(m[1])]),
    (
        r"<all> (?:gains?|have|has) (KNOCKBACK|Immobile|SAFEGUARD: (?:[Oo]pposing )?<power>)",
        _others_do(lambda m: [_named(m[2])]),
    ),
    (r"<me> is a wild ?card", lambda m: [_named("Wild Card")]),
    (r"<all> can't ignore pushing damage", _others_do(lambda m: [{"do": "cannot", "what": ["ignore-pushing"]}])),
    (r"<all> can't use Improved Movement", _others_do(lambda m: [{"do": "cannot", "what": ["use-improved-movement"]}])),
    (
        r"<all> can't use Probability Control to reroll attacks made by or targeting <me>",
        lambda m: (
            [{"do": "cannot", "what": ["be-rerolled-by-opponents"]}] if who(m[1]) == {"side": "opponents"} else []
        ),
    ),
    (r"<me> can use either <either>", lambda m: can_use(m[1], change="either of them")),
    (r"<all> can't use <either>", _others_do(lambda m: [{"do": "cannot-use", "powers": listed(m[2])}])),
    (
        r"<me> can make (?:ranged? attacks|a ranged? attack) as if <me> had a range(?: value)? of <number>",
        lambda m: [{**one, "when": {"attack": "ranged"}} for one in _set("range", m[1])],
    ),
    (
        r"<me> has \"?<number> (?:targets?|bolts?|\[TARGETS?\])\"?",
        lambda m: [{"do": "targets", "number": number(m[1])}],
    ),
    (r"<me> can't be knocked back|<me> ignores knock ?back", lambda m: [{"do": "protected", "from": ["knock-back"]}]),
    (
        r"<me> can't attack smaller characters except via Colossal Retaliation",
        lambda m: [{"do": "cannot", "what": ["attack-smaller"]}],
    ),
    (
        r"(?:<me>'s?|[Ii]ts|[Hh]is|[Hh]er|[Tt]heir) (move )?actions (?:don't|do not) count against your action total",
        lambda m: [{"do": "uncounted", **({"action": ["move"]} if m[1] else {})}],
    ),
    (
        r"<me> can use the Carry ability (?:and|to) (?:may |can )?carry up to <number> (?:friendly )?characters(?: when doing so)?",
        lambda m: _carry(m[1]),
    ),
    (r"<me> and <all> (?:can use|have) <powers>", lambda m: [*can_use(m[2]), *to_all(who(m[1]), can_use(m[2]))]),
    (
        r"<me> and <all> modify (?:their )?<values>(?: values?)?(?: by)? <signed>",
        lambda m: [*modify(m[2], m[3]), *to_all(who(m[1]), modify(m[2], m[3]))],
    ),
    (r"(?:<me> can use )?<powers>,? but only once per turn", lambda m: can_use(m[1], limit="turn")),
    (
        r"(?:<me> can use )?<power> as if <me> (?:were|was|is) (\d+) points",
        lambda m: can_use(m[1], change=f"as if {m[2]} points"),
    ),
    (
        r"(?:<me> can use )?<power> as if <me> had a damage value of <number>",
        lambda m: can_use(m[1], change=f"as if damage were {number(m[2])}"),
    ),
    (
        r"<me> can use <power>,? and deals penetrating damage (?:when|while) using (?:it|<power>)",
        lambda m: _penetrating(m[1]) if m[2] in (None, m[1]) else [],
    ),
    (
        rf"<all> have (?:PROTECTED|Protected): {_PROTECTED}",
        _others_do(lambda m: _protected(m, 2)),
    ),
    (
        r"<all> can't be (?:targeted by|the target of|targeted with) <powers>",
        _others_do(lambda m: _no_target(m, 2)),
    ),
    (r"(?:<me> can use )?<powers>, but only during your turn", lambda m: can_use(m[1], when={"turn": "own"})),
    (
        r"(?:<me> can use )?<powers>,? but only during (?:your opponents?'s?|an opponent's|opponents'|opponent's) turns?",
        lambda m: can_use(m[1], when={"turn": "opponents"}),
    ),
    (
        r"<me> (?:starts|begins) the game with (\d+|an?|one|two|three|four|five) (?!action)([A-Z][\w'-]*(?: [A-Z][\w'-]*)?)"
        r" tokens?(?: on (?:(?:this|<whose>)(?:character )?card|<me>|<self>))?",
        lambda m: [{"do": "token", "name": m[2], "by": number(m[1]), "moment": "before-game"}],
    ),
    (rf"<me> (starts|may start) the game with {_EQUIPPED}(?: \(?at no cost\)?)?", _equipped),
    (
        r"<me> can't be (?:targeted by|the target of|targeted with) <powers>",
        lambda m: _no_target(m, 1),
    ),
    (
        r"<me> ignores (?:other|opposing) characters?'s? <powers>",
        lambda m: _ignored(m, 1),
    ),
    (r"<me> ignores <powers>", lambda m: _ignored(m, 1)),
    (rf"{_HAS}(?:a )?[Gg]iant [Rr]each:? <number>", lambda m: [_reach(m[1])]),
    (r"<me> can use (?:the )?[Gg]iant [Rr]each:? <number>", lambda m: [_reach(m[1])]),
    (r"(?:<me> (?:can use|has) )?\[?[Ii]mproved [Mm]ovement: ([^\]]+)\]?", lambda m: _ignore("moving", m[1])),
    (r"(?:<me> (?:can use|has) )?\[?[Ii]mproved [Tt]argeting: ([^\]]+)\]?", lambda m: _ignore("targeting", m[1])),
    (
        r"<me> (?:automatically breaks away|breaks away automatically)",
        lambda m: [{"do": "ignore", "moving": ["break-away"]}],
    ),
    (rf"{_HAS}(?:PROTECTED|Protected): {_PROTECTED}", lambda m: _protected(m, 1)),
    (
        r"<me> can't be (?:targeted by|the target of|targeted with) <either>",
        lambda m: _no_target(m, 1),
    ),
    (
        r"<me> can't be attacked by <all>",
        lambda m: [{"do": "not-targeted", "by": "any", "when": {"attacked": "any", "by": _without_self(m[1])}}],
    ),
    (
        r"<me> can only move in (?:a direct path|direct paths)",
        lambda m: [{"do": "cannot", "what": ["move-indirectly"]}],
    ),
    (r"<me> can reduce penetrating damage", lambda m: [{"do": "protected", "from": ["penetrating"]}]),
    (rf"{_HAS}[Pp]assenger:? <number>", lambda m: _carry(m[1], **_PASSENGER)),
    (rf"{_HAS}[Pp]assenger:? <number>, but only to carry <all>", lambda m: _carry(m[1], **_PASSENGER, whom=who(m[2]))),
    (r"<me> can use the Carry ability, but only to carry <all>", lambda m: _carry("1", whom=who(m[1]))),
    (r"<me> can't be carried", lambda m: [{"do": "cannot", "what": ["be-carried"]}]),
    (r"<me> can't (?:use the Carry ability|carry)", lambda m: [{"do": "cannot", "what": ["carry"]}]),
    (r"<me> can't be healed", lambda m: [{"do": "cannot", "what": ["heal"]}]),
    (r"<me> can't be placed", lambda m: [{"do": "cannot", "what": ["be-placed"]}]),
    (r"<me> can't be targeted (?:by|with) an? <kind>", lambda m: [{"do": "not-targeted", "by": attack_kind(m[1])}]),
    (
        r"<me> can't be (?:the target of|targeted by) <kind>s",
        lambda m: [{"do": "not-targeted", "by": attack_kind(m[1])}],
    ),
    (
        r"<me> can't be (?:the target of|targeted by) (?:an attack|attacks?) (?:with more than one target"
        r"|that targets? more than one character)",
        lambda m: [{"do": "not-targeted", "by": "several"}],
    ),
    (r"(?:<me> )?[Mm]odif(?:ies|y) <whose><values>(?: values?)?(?: by)? <signed>", lambda m: modify(m[1], m[2])),
    (
        r"(?:<me> )?[Mm]odif(?:ies|y) <whose><values>(?: values?)?(?: by)? <signed> for each <all>",
        lambda m: _for_each(m, m[1], m[2], m[3]),
    ),
    (
        r"(?:<me> )?[Mm]odif(?:ies|y) <whose><values>(?: values?)?(?: by)? <signed> for each <all>"
        r"(?:,? to a maximum of|,? up to(?: a maximum of)?|,? \(max(?:imum)?) <signed>\)?",
        lambda m: _for_each(m, m[1], m[2], m[3], m[4]),
    ),
    (
        r"<me> has a( locked)? (speed|attack|defense|damage|range) value of <number>",
        lambda m: _set(m[2], m[3], locked=m[1]),
    ),
    (
        r"(?:<whose>|<me> replaces <whose>)(speed|attack|defense|damage|range) value (?:becomes|is|with) (a locked |locked at )?<number>",
        lambda m: _set(m[1], m[3], locked=m[2]),
    ),
    (
        r"<whose>(speed|attack|defense|damage|range) (?:value )?becomes <number> and is locked",
        lambda m: _set(m[1], m[2], locked="l"),
    ),
    (
        r"<me> has (?:a minimum (speed|attack|defense|damage) value of|minimum (speed|attack|defense|damage)) <number>",
        lambda m: [{"do": "least", "value": m[1] or m[2], "at": number(m[3])}],
    ),
    (r"[Ii]ncrease (?:the )?damage dealt(?: by <me>)? by <number>", lambda m: [{"do": "raise", "by": number(m[1])}]),
    (r"(?:[Dd]amage dealt by <me>|(?:the )?damage dealt) is penetrating(?: damage)?", lambda m: [PENETRATING]),
    (r"<me> deals penetrating damage", lambda m: [PENETRATING]),
    (r"All damage dealt by <me> is penetrating(?: damage)?", lambda m: [PENETRATING]),
    (
        r"<me> deals penetrating damage to <all>",
        lambda m: [{**PENETRATING, "whom": _without_self(m[1])}],
    ),
    (r"[Dd]amage dealt to <me> is reduced by <number>", lambda m: [{"do": "reduce", "by": number(m[1])}]),
    (r"[Rr]educe damage dealt to <me> by <number>", lambda m: [{"do": "reduce", "by": number(m[1])}]),
    (r"<me> takes a maximum of <number> damage from attacks", lambda m: _most_damage(m[1], "any")),
    (
        r"<me> takes a maximum of <number> damage from <kind>s if <me> can draw line of fire to <whose>attacker",
        lambda m: [
            {
                "do": "most-damage",
                "at": number(m[1]),
                "when": {"attacked": attack_kind(m[2]), "by": {"line_of_fire": True}},
            }
        ],
    ),
    (r"<me> takes a maximum of <number> damage from <kind>s", lambda m: _most_damage(m[1], attack_kind(m[2]))),
    (
        r"<all> (?:can use|have) \[?[Ii]mproved ([Mm]ovement|[Tt]argeting): ([^\]]+)\]?",
        _others_do(lambda m: _ignore("moving" if m[2].lower() == "movement" else "targeting", m[3])),
    ),
    (
        rf"<me> and <all> have (?:PROTECTED|Protected): {_PROTECTED}",
        lambda m: [*_protected(m, 2), *to_all(who(m[1]), _protected(m, 2))],
    ),
    (r"<all> (?:can use|have) <powers>", _others_do(lambda m: can_use(m[2]))),
    (r"<all> (?:can use|have) (?:the )?\[?<team> team ability\]?", _others_do(lambda m: teams(m[2]))),
    (r"<all> can't use <powers>", _others_do(lambda m: [{"do": "cannot-use", "powers": listed(m[2])}])),
    (
        r"(?:<all>|<me>) can't (move|attack|make attacks)",
        lambda m: [
            {
                "do": "cannot",
                "what": ["move" if m[2] == "move" else "attack"],
                **({"to": who(m[1])} if m[1] else {}),
            }
        ],
    ),
    (
        r"opposing effects can't modify (?:<me>'s? |<whose>)combat values|<me>'s? combat values can't be modified by opposing effects",
        lambda m: [{"do": "cannot", "what": ["be-modified-by-opponents"]}],
    ),
    (r"<me>'s? combat values can't be modified", lambda m: [{"do": "cannot", "what": ["be-modified"]}]),
    (r"<me> ignores damage from <kind>s", lambda m: [{"do": "prevent", "when": {"attacked": attack_kind(m[1])}}]),
    (r"<all> can't be healed", _others_do(lambda m: [{"do": "cannot", "what": ["heal"]}])),
    (
        r"<all> modif(?:y|ies) (?:their |its )?<values>(?: values?)?(?: by)? <signed>",
        _others_do(lambda m: modify(m[2], m[3])),
    ),
    (r"[Mm]odify <all>'s? <values>(?: values?)?(?: by)? <signed>", _others_do(lambda m: modify(m[2], m[3]))),
    (
        r"[Mm]odify (?:the )?<values>(?: values?)?(?: by)? <signed> (?:on|of) <all>",
        lambda m: to_all(who(m[3]), modify(m[1], m[2])),
    ),
    (
        r"[Mm]odify (?:the )?<values>(?: values?)? of <all>(?: by)? <signed>",
        lambda m: to_all(who(m[2]), modify(m[1], m[3])),
    ),
    (r"[Ss]top turning the dial", lambda m: [{"do": "stop"}]),
)
"""What a phrase says, without its condition."""
ALONE: tuple[Row, ...] = (
    (
        r"STOP",
        lambda m: [
            *_STOP,
            {"do": "heal-less", "by": 1, "healed_by": ["Regeneration", "Support"]},
            {"do": "fixed", "against": ["counter", "ignore"]},
        ],
    ),
    (r"When this click is revealed,? stop turning the dial", lambda m: [{"do": "stop"}]),
    (
        r"(?:When turning the dial,? if|When) this (?:click|power) is revealed due to damage"
        r" (?:taken )?from (?:an? opponent|<another>)'s attack, stop turning the dial",
        lambda m: _STOP if m[1] is None or who(m[1]) == {"side": "opponents"} else [],
    ),
    (
        r"(?:This|These)(?: (?:power|trait|ability|abilitie)s?)? can't be (countered|ignored|countered (?:or|and|nor) ignored)",
        lambda m: [{"do": "fixed", "against": [w for w in ("counter", "ignore") if w in m[1]]}],
    ),
    (
        r"\(After revealing forces, you may replace (?:a game element's default card with an alternate card"
        r"|character cards with their alternates)\. You can't choose a Team Up (?:card )?if [^.]*share a name\.?\)?",
        lambda m: [
            {"do": "becomes", "alternate": True, "may": True, "moment": "before-game", "when": {"names_shared": False}}
        ],
    ),
)
"""Sentences that take no condition."""
MOMENTS: tuple[tuple[str, str], ...] = (
    (r"[Aa]t the (?:beginning|start) of (?:your|each of your) turns?\b", "start-of-turn"),
    (r"[Aa]t the end of your turn\b", "end-of-turn"),
    (r"[Ww]hen(?:ever)? <me> (?:hits|damages)\b", "after-hit"),
    (r"[Ww]hen(?:ever)? <me> misses\b", "after-miss"),
    (r"[Ww]hen(?:ever)? <me> (?:is|would be) hit\b", "when-hit"),
    (r"[Ww]hen(?:ever)? <me> (?:is damaged|takes damage)\b", "when-damaged"),
    (r"[Ww]hen(?:ever)? <me> KO's\b", "when-kos"),
    (r"(?:[Ww]hen(?:ever)?|[Tt]he first time(?: (?:each|this|per) game)?,?) <me> (?:is|would be) KO'd\b", "when-ko"),
    (r"[Ww]hen this click is (?:first )?revealed\b", "when-clicked"),
    (r"[Ww]hen(?:ever)? <me> (?:makes|attacks|targets)\b", "when-attacking"),
    (r"[Ww]hen(?:ever)? <me> moves\b", "after-move"),
    (r"(?:[Aa]t|[Bb]efore) the (?:beginning|start) of the (?:first )?game\b", "before-game"),
    (r"[\[(]?After (?:revealing forces|establishing themed teams)\b", "before-game"),
    (r"(?:When|While) (?:building|you build) your force\b|During force construction\b", "before-game"),
    (r"(?:When |If )?<me> (?:may )?(?:starts?|begins?) the game\b", "before-game"),
)
"""How a clause begins that is for the judge: what follows is decided by hand at this moment."""
