"""Effects of cards in words of one line, such as "can use Charge, Flurry, when attacking (close)"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

Words = Mapping[str, Any]
KINDS: dict[str, Promise] = {
    "can-use": gettext_lazy("can use"),
    "cannot-use": gettext_lazy("can't use"),
    "cannot": gettext_lazy("can't"),
    "modify": gettext_lazy("modifier:"),
    "set": gettext_lazy("replacement:"),
    "least": gettext_lazy("lowest value:"),
    "most": gettext_lazy("highest value:"),
    "ignore": gettext_lazy("ignores"),
    "protected": gettext_lazy("protected from"),
    "not-targeted": gettext_lazy("can't be targeted by"),
    "reduce": gettext_lazy("damage reduced by"),
    "prevent": gettext_lazy("prevents damage"),
    "raise": gettext_lazy("damage increased by"),
    "damage": gettext_lazy("its damage is"),
    "most-damage": gettext_lazy("maximum damage:"),
    "on-roll": gettext_lazy("roll"),
    "choose": gettext_lazy("choose one"),
    "evade": gettext_lazy("evades on"),
    "heal": gettext_lazy("clicks healed:"),
    "heal-less": gettext_lazy("fewer clicks healed:"),
    "deal": gettext_lazy("deals damage:"),
    "targets": gettext_lazy("targets:"),
    "range": gettext_lazy("range:"),
    "actions": gettext_lazy("additional actions:"),
    "free-action": gettext_lazy("free action:"),
    "place": gettext_lazy("is placed"),
    "uncounted": gettext_lazy("its actions don't count towards the action total"),
    "move": gettext_lazy("moves"),
    "knock-back": gettext_lazy("knocks back"),
    "carry": gettext_lazy("carries"),
    "be-carried": gettext_lazy("can be carried"),
    "lost": gettext_lazy("lost"),
    "fixed": gettext_lazy("can't be lost by"),
    "stop": gettext_lazy("stops turning the dial"),
    "special-ko": gettext_lazy("special KO"),
    "starting-line": gettext_lazy("starting line:"),
    "becomes": gettext_lazy("becomes"),
    "generate": gettext_lazy("generates"),
    "equip": gettext_lazy("equips"),
    "unequip": gettext_lazy("unequips"),
    "drop": gettext_lazy("drops"),
    "ko": gettext_lazy("KO's"),
    "token": gettext_lazy("tokens:"),
    "turn-dial": gettext_lazy("turns the event dial:"),
    "by-hand": gettext_lazy("see the card"),
}
"""How the words for an effect begin."""
KEYS: dict[str, Promise] = {
    "action": gettext_lazy("action:"),
    "change": gettext_lazy("with this change:"),
    "each": gettext_lazy("for each of these:"),
    "most": gettext_lazy("at most"),
    "as_of": gettext_lazy("value of"),
    "locked": gettext_lazy("locked"),
    "moving": gettext_lazy("while moving:"),
    "targeting": gettext_lazy("when targeting:"),
    "as": gettext_lazy("as"),
    "amount": gettext_lazy("damage"),
    "dice": gettext_lazy("dice:"),
    "half": gettext_lazy("at half speed"),
    "range": gettext_lazy("range"),
    "within": gettext_lazy("within"),
    "regardless": gettext_lazy("regardless of"),
    "equal_size": gettext_lazy("also of its own size"),
    "clicks": gettext_lazy("on clicks"),
    "click": gettext_lazy("on click"),
    "adjacent": gettext_lazy("adjacent"),
    "may": gettext_lazy("optional"),
    "attack": gettext_lazy("attacking:"),
    "attacked": gettext_lazy("attacked:"),
    "target": gettext_lazy("target:"),
    "using": gettext_lazy("using"),
    "adjacent_to": gettext_lazy("adjacent to"),
    "near": gettext_lazy("near"),
    "none_near": gettext_lazy("not near"),
    "on_map": gettext_lazy("on the map:"),
    "terrain": gettext_lazy("standing in"),
    "tokens": gettext_lazy("action tokens:"),
    "turn": gettext_lazy("the turn is"),
    "holding": gettext_lazy("holding"),
    "moved_this_turn": gettext_lazy("having moved this turn"),
    "attacked_this_turn": gettext_lazy("having attacked this turn"),
    "carrying": gettext_lazy("carrying"),
    "any": gettext_lazy("one of these:"),
    "not": gettext_lazy("not"),
    "line_of_fire": gettext_lazy("in line of fire"),
    "their_line_of_fire": gettext_lazy("that have a line of fire to it"),
    "keyword": gettext_lazy("with the keyword"),
    "team": gettext_lazy("of the team"),
    "name": gettext_lazy("named"),
    "power": gettext_lazy("with the power"),
    "points_at_most": gettext_lazy("with a point value of at most"),
    "size": gettext_lazy("size:"),
    "also_self": gettext_lazy("including itself"),
    "points_at_least": gettext_lazy("with a point value of at least"),
    "points": gettext_lazy("points:"),
    "hit": gettext_lazy("hit"),
    "targeted": gettext_lazy("that were targets"),
    "hit_all": gettext_lazy("all targets hit"),
    "knocked_out": gettext_lazy("KO'd:"),
    "attacker": gettext_lazy("the attacker"),
    "of_moment": gettext_lazy("the character that triggers this"),
    "rolled_for": gettext_lazy("the character that the roll is for"),
    "by": gettext_lazy("by"),
    "healed_by": gettext_lazy("by"),
    "alternate": gettext_lazy("its alternate card"),
    "listed_on_map": gettext_lazy("characters listed on the card and on the map, at least:"),
    "friends": gettext_lazy("also if used by friendly characters"),
    "names_shared": gettext_lazy("in a force with characters that share a name"),
    "code": gettext_lazy("set and number:"),
    "kind": gettext_lazy("any of the kind:"),
    "moved_at_most": gettext_lazy("squares moved, at most:"),
    "started_at": gettext_lazy("points of its starting line:"),
    "began_turn_on_map": gettext_lazy("having begun the turn on the map"),
    "squares": gettext_lazy("squares:"),
    "beside": gettext_lazy("beside"),
    "shares_keyword": gettext_lazy("with a shared keyword"),
    "number": gettext_lazy("number"),
    "targets": gettext_lazy("targets limited to:"),
    "direct": gettext_lazy("in a direct path"),
    "whom": gettext_lazy("only"),
    "same_trait": gettext_lazy("another character with this trait"),
    "same_click": gettext_lazy("on the same click"),
    "each_token": gettext_lazy("for each token named"),
    "tokens_of": gettext_lazy("that is on"),
    "each_in_stack": gettext_lazy("for each token of its stack"),
    "generated": gettext_lazy("that it generated"),
    "named_token": gettext_lazy("having a token named"),
    "stack": gettext_lazy("size of its stack, at least:"),
    "costs": gettext_lazy("as an action:"),
    "part": gettext_lazy("number among the card's actions:"),
    "unique": gettext_lazy("counts once"),
    "no_cost": gettext_lazy("at no cost"),
}
"""The words for keys of effects, conditions and characters that aren't said by their value alone."""
SIDES: dict[str, Promise] = {
    "self": gettext_lazy("itself"),
    "friends": gettext_lazy("friendly characters"),
    "opponents": gettext_lazy("opposing characters"),
    "all": gettext_lazy("all characters"),
}
MOMENTS: dict[str, Promise] = {
    "start-of-turn": gettext_lazy("at the start of the turn"),
    "end-of-turn": gettext_lazy("at the end of the turn"),
    "when-attacking": gettext_lazy("when attacking"),
    "after-hit": gettext_lazy("after a hit"),
    "after-miss": gettext_lazy("after a miss"),
    "when-hit": gettext_lazy("when hit"),
    "when-damaged": gettext_lazy("when damaged"),
    "when-ko": gettext_lazy("when knocked out"),
    "when-kos": gettext_lazy("after knocking out a character"),
    "when-clicked": gettext_lazy("when the dial turns"),
    "after-move": gettext_lazy("after a move"),
    "after-attack": gettext_lazy("after an attack"),
    "after-action": gettext_lazy("after an action"),
    "after-success": gettext_lazy("after a successful roll"),
    "before-game": gettext_lazy("before the game"),
}
LASTS: dict[str, Promise] = {
    "turn": gettext_lazy("this turn"),
    "next-turn": gettext_lazy("until your next turn"),
    "end-of-next-turn": gettext_lazy("until the end of your next turn"),
    "game": gettext_lazy("for the rest of the game"),
}
SIGNED = frozenset({("modify", "by"), ("range", "by"), ("token", "by"), ("targets", "by")})
"""The numbers that are said with their sign."""
CODES: dict[Any, Promise] = {
    "any": gettext_lazy("any attack"),
    "attack": gettext_lazy("attack"),
    "attack-smaller": gettext_lazy("attack smaller characters"),
    "attacker": gettext_lazy("the attacker"),
    "be-carried": gettext_lazy("be carried"),
    "be-modified": gettext_lazy("be modified"),
    "be-modified-by-opponents": gettext_lazy("be modified by opponents"),
    "be-placed": gettext_lazy("be placed"),
    "be-rerolled": gettext_lazy("be rerolled"),
    "be-rerolled-by-opponents": gettext_lazy("be rerolled by opponents"),
    "be-targeted": gettext_lazy("be targeted"),
    "blocking": gettext_lazy("blocking terrain"),
    "break-away": gettext_lazy("breaking away"),
    "close": gettext_lazy("close attack"),
    "counter": gettext_lazy("being countered"),
    "destroy-blocking": gettext_lazy("blocking terrain, which it destroys"),
    "double-power": gettext_lazy("double power"),
    "elevated": gettext_lazy("elevated terrain"),
    "halve": gettext_lazy("halved"),
    "higher": gettext_lazy("higher"),
    "hindering": gettext_lazy("hindering terrain"),
    "hit": gettext_lazy("the characters hit"),
    "hit-target": gettext_lazy("the targets hit"),
    "ignore": gettext_lazy("being ignored"),
    "ignore-pushing": gettext_lazy("ignore pushing damage"),
    "knock-back": gettext_lazy("knock back"),
    "larger": gettext_lazy("larger"),
    "lower": gettext_lazy("lower"),
    "move-indirectly": gettext_lazy("move except in a direct path"),
    "obscuring": gettext_lazy("obscuring terrain"),
    "opponents": gettext_lazy("the opponent's"),
    "own": gettext_lazy("its player's"),
    "penetrating": gettext_lazy("penetrating damage"),
    "ranged": gettext_lazy("ranged attack"),
    "same": gettext_lazy("the same"),
    "self": gettext_lazy("itself"),
    "several": gettext_lazy("an attack on several targets"),
    "smaller": gettext_lazy("smaller"),
    "target": pgettext_lazy("card", "the target"),
    "use-improved-movement": gettext_lazy("use Improved Movement"),
    "water": gettext_lazy("water terrain"),
}
"""Values that are said otherwise than written."""
BARE = frozenset({
    ("actions", "by"), ("becomes", "name"), ("damage", "as"), ("equip", "name"), ("free-action", "action"), ("generate", "name"),
    ("heal", "clicks"), ("heal-less", "by"), ("modify", "by"), ("not-targeted", "by"), ("raise", "by"), ("range", "by"), ("reduce", "by"),
    ("targets", "by"), ("token", "by"), ("token", "name"), ("unequip", "name"),
})  # fmt: skip
"""The values of an effect that are said without the word for their key."""
LIMITS: dict[str, Promise] = {"turn": gettext_lazy("once per turn"), "game": gettext_lazy("once per game")}


def effect_words(effect: Words) -> str:
    """Return an effect in words of one line. An effect isn't checked: use only what the engine has read."""
    own = {
        key: f"{value:+d}" if (effect["do"], key) in SIGNED else value
        for key, value in effect.items()
        if key not in ("do", "when", "to", "whose", "until", "limit", "text", "outcomes", "options", "moment", "after")
    }
    start = str(KINDS.get(effect["do"], effect["do"]))
    bare = {key for key in own if (effect["do"], key) in BARE}
    first = [_value(own[key]) for key in own if key in bare]
    parts = [" ".join([start, *first, *_values({key: value for key, value in own.items() if key not in bare})])]
    if "moment" in effect:
        parts.append(str(MOMENTS[effect["moment"]]) + (f" ({_who(effect['whose'])})" if "whose" in effect else ""))
    if "after" in effect:
        parts.append(_("once the whole action has resolved"))
    if "outcomes" in effect and "to" in effect:
        parts.append(_("once for each of these: %(characters)s") % {"characters": _who(effect["to"])})
    for outcome in effect.get("outcomes", ()):
        said = "; ".join(effect_words(one) for one in outcome["effects"])
        parts.append(f"{_listed(outcome['on'])}: {said}")
    if "options" in effect:
        options = ("; ".join(effect_words(one) for one in option["effects"]) for option in effect["options"])
        parts.append(_(" or ").join(options))
    if "to" in effect and "outcomes" not in effect:
        parts.append(_("applies to %(characters)s") % {"characters": _who(effect["to"])})
    if "when" in effect:
        parts.append(_("when %(condition)s") % {"condition": ", ".join(_values(effect["when"]))})
    if "until" in effect:
        parts.append(str(LASTS[effect["until"]]))
    if "limit" in effect:
        parts.append(str(LIMITS[effect["limit"]]))
    return ", ".join(parts) + (f" – {effect['text']}" if effect.get("text") else "")


def _values(words: Words) -> list[str]:
    """Return keys with their values."""
    found = []
    for key, value in words.items():
        if value is False:
            found.append(_("not %(what)s") % {"what": KEYS.get(key, key)})
        elif value is True:
            found.append(str(KEYS.get(key, key)))
        elif (key, value) == ("within", "adjacent"):
            found.append(_("in an adjacent square"))
        elif key in KEYS:
            found.append(str(format_lazy("{} {}", KEYS[key], _value(value))))
        else:
            found.append(_value(value))
    return found


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return _who(value) if "side" in value or "within" in value else ", ".join(_values(value))
    return _listed(value) if isinstance(value, list | tuple) else str(CODES.get(value, value))


def _who(who: Words) -> str:
    one = not who.keys().isdisjoint(("attacker", "of_moment", "rolled_for"))  # which names the character by itself
    side = "" if one and "side" not in who else str(SIDES[who.get("side", "all")])
    rest = {key: value for key, value in who.items() if key not in ("side", "choose")}
    if rest.get("within") == "adjacent":
        side = _("%(characters)s that are adjacent") % {"characters": side}
        del rest["within"]
    said = " ".join([*filter(None, [side]), *_values(rest)])
    if "choose" not in who:
        return said
    if who["choose"] == 1:
        return _("one chosen from %(characters)s") % {"characters": said}
    return _("up to %(number)s chosen from %(characters)s") % {"number": who["choose"], "characters": said}


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(_value(one) for one in values)
