"""Descriptions of an edition's powers, scenarios and table members, translated.

The questions of options and legality rules are the engine's own docstrings (`rules.engine.questions`, `CHECKS`);
`comparison` puts the answers side by side.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

NONE = gettext_lazy("none")
NOTHING = gettext_lazy("nothing")
SIZES: dict[int, Promise] = {
    0: gettext_lazy("tiny"),
    1: gettext_lazy("standard"),
    2: gettext_lazy("giant"),
    3: gettext_lazy("colossal"),
    4: gettext_lazy("Sentinel"),
}
PAST: dict[str, Promise] = {
    "hindering": gettext_lazy("hindering terrain"),
    "water": gettext_lazy("water"),
    "elevated": gettext_lazy("elevated terrain"),
    "blocking": gettext_lazy("blocking terrain"),
    "outdoor-blocking": gettext_lazy("outdoor blocking terrain"),
    "characters": gettext_lazy("opposing characters"),
    "through-characters": gettext_lazy("opposing characters, but stops beside them"),
    "adjacent": gettext_lazy("adjacent characters"),
    "break-away": gettext_lazy("breaking away"),
    "stealth": gettext_lazy("Stealth"),
}
SORTS: dict[str, Promise] = {
    "light": gettext_lazy("light"),
    "heavy": gettext_lazy("heavy"),
    "immobile": gettext_lazy("immobile"),
    "ultra-light": gettext_lazy("ultra light"),
    "ultra-heavy": gettext_lazy("ultra heavy"),
    "feats": gettext_lazy("feats"),
    "battlefield-conditions": gettext_lazy("battlefield conditions"),
    "event-dials": gettext_lazy("event dials"),
    "special-objects": gettext_lazy("special objects"),
    "resources": gettext_lazy("resources"),
    "bystanders": gettext_lazy("bystanders"),
    "team-ability-cards": gettext_lazy("additional team abilities"),
    "themed-teams": gettext_lazy("themed teams"),
    "character": gettext_lazy("characters"),
    "bystander": gettext_lazy("bystanders"),
    "horde": gettext_lazy("hordes"),
    "sentinel": gettext_lazy("Sentinels"),
    "unique": gettext_lazy("Unique"),
    "super-rare": gettext_lazy("super rare"),
    "limited-edition": gettext_lazy("Limited Edition"),
    "survived": gettext_lazy("who survived"),
    "left-map": gettext_lazy("who left the map"),
}
ANY_OBJECT = gettext_lazy("all objects")
OBJECTS = frozenset({"light", "heavy", "immobile", "ultra-light", "ultra-heavy"})

SCENARIOS: dict[str, Promise] = {
    "by_standard_rules": gettext_lazy("points and winner by the standard rules"),
    "challenge_of_the_champions": gettext_lazy(
        "after five turns defeats alone count and half of the build total wins; after ten, the standard rules"
    ),
    "showdown": gettext_lazy(
        "defeats alone count: after five turns half of the build total wins, later the most; then the smallest force"
    ),
    "the_scientist": gettext_lazy(
        "the defender wins by getting the scientist away; once all its force is defeated the others count their points"
    ),
    "stand_aside": gettext_lazy(
        "the attacker also scores who left the map; its defeated count double for the defender"
    ),
    "portal_to_hypertime": gettext_lazy("who left through the portal is worth double to its own player"),
    "winner_takes_all": gettext_lazy("the player who holds the artifact after ten turns wins"),
    "raid_on_star_labs": gettext_lazy("the player who gets the briefcase off the map wins"),
    "wholly_hurricane": gettext_lazy("the only player with figures left wins"),
    "blackout": gettext_lazy(
        "where the scenario ends the battle, the most points still on the board win; else the standard rules"
    ),
}
"""The scenario's function → how it is won."""

ACTIONS: dict[str, Promise] = {
    "move": gettext_lazy("move action"),
    "power": gettext_lazy("power action"),
    "double-power": gettext_lazy("double power action"),
    "close": gettext_lazy("close combat action"),
    "ranged": gettext_lazy("ranged combat action"),
    "free": gettext_lazy("free action"),
}
TARGETS: dict[str, Promise | None] = {
    "opponents": None,
    "friends": gettext_lazy("targets friends"),
    "all": gettext_lazy("targets friend and foe"),
}
GRANTS: dict[str, Promise] = {
    "close": gettext_lazy("with a close attack"),
    "ranged": gettext_lazy("with a ranged attack"),
}
HAS: dict[str, Promise] = {
    "replace_value": gettext_lazy("replaces a value"),
    "modify_value": gettext_lazy("changes a value of its own"),
    "share_value": gettext_lazy("friends may use its value"),
    "shares_onward": gettext_lazy("a shared value may be passed on"),
    "lend_modifier": gettext_lazy("adds to a friend's value"),
    "hides_behind_hindering": gettext_lazy("hindering terrain blocks lines to it"),
    "sees_past": gettext_lazy("lines of fire ignore something"),
    "moves_past": gettext_lazy("moves ignore something"),
    "rests_on_blocking": gettext_lazy("may end on outdoor blocking terrain"),
    "halves_speed": gettext_lazy("speed is halved"),
    "squares": gettext_lazy("moves a stated number of squares"),
    "break_away_bonus": gettext_lazy("helps to break away"),
    "holds_back": gettext_lazy("holds others back"),
    "passengers": gettext_lazy("carries more characters"),
    "may_be_carried": gettext_lazy("is not carried"),
    "may_be_knocked_back": gettext_lazy("is not knocked back"),
    "may_shoot": gettext_lazy("makes no ranged attacks"),
    "reaches_other_elevations": gettext_lazy("close attacks reach other elevations"),
    "shoots_beside": gettext_lazy("shoots beside opponents"),
    "starts_turn": gettext_lazy("at the beginning of the turn"),
    "reduce_damage": gettext_lazy("takes damage away"),
    "reduces_penetrating": gettext_lazy("also of penetrating damage"),
    "transfers_damage": gettext_lazy("a neighbour may take the damage"),
    "after_damage": gettext_lazy("does something once its bearer is damaged"),
    "after_damaging": gettext_lazy("does something once its bearer has damaged"),
    "on_ko": gettext_lazy("does something when its bearer is knocked out"),
    "pushed_unhurt": gettext_lazy("pushing does it no damage"),
    "rerolls": gettext_lazy("lets a roll be made again"),
    "free_move": gettext_lazy("moves without an action of the turn"),
    "always_knocks_back": gettext_lazy("its close attacks knock back without doubles"),
    "shares_action": gettext_lazy("shares an action of the turn"),
    "lifts": gettext_lazy("picks up heavy objects"),
    "grants_powers": gettext_lazy("brings powers"),
}
"""Field of a power → the effect of having it."""
UNSAID = frozenset(
    {
        "name",
        "topic",
        "act",
        "shapes_attack",
        "implied_by",
        "named_by_anyone",
        "despite_tokens",
        "offered",
        "uses",
        "eases",
        "before_attack",
        "starts_eased",
        "may_target",
        "moving",
        "attacking",
        "defending",
        "lending",
    }
)
"""Fields of a power without a description: its names, its own procedures, its groups, and how an action names it."""


def power_says(field_name: str, value: Any, settings: Mapping[str, Any]) -> str:
    """Return the description of a power's field; empty if the power doesn't use it or it has none.

    `settings` are the values a procedure was built with: the numbers, values and kinds of a simple row.
    """
    if isinstance(value, bool):
        return str(ALWAYS.get((field_name, value)) or (HAS.get(field_name) if value else None) or "")
    if not value:
        return ""
    match field_name:
        case "action":
            return _(" or ").join(str(ACTIONS.get(kind, kind)) for kind in value)
        case "grants":
            return ", ".join(str(GRANTS.get(kind, kind)) for kind in value)
        case "declinable":
            return "" if value == "yes" else _("always in effect")
        case "cannot_join":
            return _("not together with %(powers)s") % {"powers": ", ".join(value)}
        case "close_reach":
            return _("close attacks reach %(number)s squares") % {"number": value} if value != 1 else ""
        case "targets":
            return str(TARGETS.get(value) or "")
        case "evade" | "shape_change":
            rolled = ", ".join(str(number) for number in sorted(value.on))
            said = _("a roll of %(numbers)s evades") if field_name == "evade" else _("a roll of %(numbers)s deceives")
            return said % {"numbers": rolled}
    return _made_from(field_name, settings) or str(HAS.get(field_name, ""))


def _made_from(field_name: str, settings: Mapping[str, Any]) -> str:
    """Return the description of a procedure from the values it was built with; empty if they don't determine it."""
    by, value, number = settings.get("by"), settings.get("value"), settings.get("number")
    ignored = settings.get("words")
    if field_name in ("modify_value", "lend_modifier") and isinstance(by, int) and value in VALUES:
        facts = {"by": f"{by:+d}", "value": VALUES[value], "kind": ATTACKS.get(str(settings.get("kind")), "")}
        if field_name == "modify_value":
            return _("%(by)s %(value)s against %(kind)s") % facts
        return _("%(by)s %(value)s for adjacent friends in %(kind)s") % facts
    if field_name == "share_value" and value in VALUES:
        return _("friends may use its %(value)s") % {"value": VALUES[value]}
    if field_name in ("break_away_bonus", "holds_back") and isinstance(by, int):
        said = (
            _("%(by)s to break away") if field_name == "break_away_bonus" else _("%(by)s for who breaks away from it")
        )
        return said % {"by": f"{by:+d}"}
    if field_name in ("sees_past", "moves_past") and isinstance(ignored, frozenset):
        what = ", ".join(str(PAST[one]) for one in PAST if one in ignored)
        said = _("lines of fire ignore %(what)s") if field_name == "sees_past" else _("moves ignore %(what)s")
        return said % {"what": what}
    if field_name == "reduce_damage" and isinstance(by, int):
        all_on = settings.get("on")
        if not isinstance(all_on, frozenset):
            return _("takes %(by)s damage away") % {"by": by}
        rolled = ", ".join(str(result) for result in sorted(all_on))
        return _("takes %(by)s damage away, on a roll of %(numbers)s all") % {"by": by, "numbers": rolled}
    if field_name == "adds_actions" and isinstance(number, int):
        return _("%(number)+d to the action total") % {"number": number}
    if field_name == "passengers" and isinstance(number, int):
        return _("carries %(number)s") % {"number": number}
    return ""


VALUES: dict[Any, Promise] = {
    "speed": gettext_lazy("speed"),
    "attack": gettext_lazy("attack"),
    "defense": gettext_lazy("defense"),
    "damage": gettext_lazy("damage"),
    "range": gettext_lazy("range"),
}
ATTACKS: dict[str, Promise] = {
    "close": gettext_lazy("close attacks"),
    "ranged": gettext_lazy("ranged attacks"),
}
ALWAYS: dict[tuple[str, bool], Promise] = {
    ("known", False): gettext_lazy("not adjudicated: decide by its card"),
}
"""Yes-or-no fields of a power whose answer is always described."""
WILD_CARD = gettext_lazy("a wild card")
SYMBOLS: dict[str, Promise] = {
    "wing": gettext_lazy("Wing"),
    "transporter-boot": gettext_lazy("Transporter with boot"),
    "transporter-wing": gettext_lazy("Transporter with wing"),
    "transporter-dolphin": gettext_lazy("Transporter with dolphin"),
    "giant": gettext_lazy("Giant"),
    "colossal": gettext_lazy("Colossal"),
    "sharpshooter": gettext_lazy("Sharpshooter"),
    "duo": gettext_lazy("Duo"),
    "autonomous": gettext_lazy("Autonomous"),
    "tiny": gettext_lazy("Tiny"),
}
"""Combat symbol → its name."""
