"""Descriptions of an edition's scenarios and table members, and of what powers ask for, translated.

The questions of options and legality rules are the engine's own docstrings (`rules.engine.questions`, `CHECKS`);
`comparison` puts the answers side by side.
"""

from __future__ import annotations

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
    "through-characters": gettext_lazy("opposing characters (but it stops beside them)"),
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
    "survived": gettext_lazy("survivors"),
    "left-map": gettext_lazy("characters that left the map"),
}
ANY_OBJECT = gettext_lazy("all objects")
OBJECTS = frozenset({"light", "heavy", "immobile", "ultra-light", "ultra-heavy"})

SCENARIOS: dict[str, Promise] = {
    "by_standard_rules": gettext_lazy("the standard rules decide the points and the winner"),
    "challenge_of_the_champions": gettext_lazy(
        "after five turns, players score only for defeated characters, and half the build total is enough to win; "
        "after ten turns, the standard rules apply"
    ),
    "showdown": gettext_lazy(
        "players score only for defeated characters; after five turns, half the build total is "
        "enough to win; later, the player with the most points wins; in a tie, the player with the "
        "smallest force wins"
    ),
    "the_scientist": gettext_lazy(
        "the defender wins if the scientist gets away; if the defender's whole force is defeated, "
        "the other player with the most points wins"
    ),
    "stand_aside": gettext_lazy(
        "the attacker also scores points for their own characters that left the map; the attacker's "
        "defeated characters are worth double to the defender"
    ),
    "portal_to_hypertime": gettext_lazy("characters that left through the portal are worth double to their own player"),
    "winner_takes_all": gettext_lazy("the player who holds the artifact after ten turns wins"),
    "raid_on_star_labs": gettext_lazy("the player who gets the briefcase off the map wins"),
    "wholly_hurricane": gettext_lazy("the last player with figures left wins"),
    "blackout": gettext_lazy(
        "if the scenario ends the battle, the player with the most points still on the board wins; otherwise the standard rules apply"
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


def asks_for(row: Any) -> str:
    """Return the kinds of action that a power asks for; if none, whether its player may decline it."""
    if not row.known:
        return _("as its card says")
    if row.action:
        action = _(" or ").join(str(ACTIONS.get(kind, kind)) for kind in row.action)
        return _("%(action)s at the beginning of the turn") % {"action": action} if row.starts_turn else action
    if row.declinable == "no":
        return _("none (always in effect)")
    if row.declinable == "its-roll":
        return _("none (the player may decline the roll)")
    if row.named_by_anyone:
        return _("none (the player announces the power)")
    return _("none (the player may decline to use the power)")


SYMBOLS: dict[str, Promise] = {
    "wing": gettext_lazy("Wing"),
    "dolphin": gettext_lazy("Dolphin"),
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
