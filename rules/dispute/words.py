"""Words for figures, rolls, choices, steps and actions of a position file on pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from rules.drawings.board import labels
from rules.engine import topics
from rules.positions import piece_of, pieces


def names_apart(document: Mapping[str, Any]) -> dict[str, str]:
    """Return id → name; figures of the same name are distinguished by their signs on the board."""
    named = Counter(piece["name"] for _player, piece in pieces(document))
    signs = labels(document)
    return {
        piece["id"]: piece["name"] if named[piece["name"]] == 1 else f"{piece['name']} {signs[piece['id']]}"
        for _player, piece in pieces(document)
    }


def kinds_of_action() -> dict[str, str]:
    """Return the kinds of action and their names."""
    return {
        "move": _("Move"),
        "close": _("Close attack"),
        "ranged": _("Ranged attack"),
        "power": _("Power action"),
        "double-power": _("Double power action"),
        "free": _("Free action"),
        "pass": _("Pass"),
        "end-turn": _("End of turn"),
    }


def standing_words(standing: Mapping[str, Any]) -> str:
    """Return a character's final state in a few words: its squares, click and tokens."""
    if standing.get("ko"):
        return _("knocked out")
    words = []
    if standing.get("captured_by"):
        words.append(_("captive"))
    elif standing.get("squares"):
        words.append(", ".join(standing["squares"]))
    elif standing.get("square"):
        words.append(standing["square"])
    words.append(_("click %(click)s") % {"click": standing["click"]})
    if standing.get("tokens"):
        words.append(_("tokens: %(tokens)s") % {"tokens": standing["tokens"]})
    if standing.get("countered"):
        words.append(_("countered: %(powers)s") % {"powers": ", ".join(standing["countered"])})
    if standing.get("flight"):
        words.append(str(standing["flight"]))
    words += [f"{name}: {number}" for name, number in tokens_of(standing).items()]
    return " · ".join(words)


def tokens_of(standing: Mapping[str, Any]) -> dict[str, int]:
    """Return how many tokens of other names than action tokens a character has, whoever gave them."""
    found = standing.get("named_tokens") or {}
    return {name: number if isinstance(number, int) else sum(number.values()) for name, number in found.items()}


def step_word(kind: str) -> str:
    """Return the name of a kind of step."""
    words = {
        "declare": _("Declared"),
        "note": _("Note"),
        "illegal": _("Not allowed"),
        "break-away": _("Break away"),
        "move": _("Move"),
        "carry": _("Carry"),
        "pick-up": _("Pick up"),
        "put-down": _("Put down"),
        "targets": _("Targets"),
        "shape-change": _("Shape Change"),
        "line-of-fire": _("Line of fire"),
        "attack-roll": _("Attack roll"),
        "reroll": _("Reroll"),
        "hit": _("Hit"),
        "miss": _("Miss"),
        "evade": _("Evaded"),
        "damage-dealt": _("Damage dealt"),
        "damage-taken": _("Damage taken"),
        "click": _("Clicks"),
        "ko": _("Knocked out"),
        "knock-back": _("Knock back"),
        "knock-back-damage": _("Knock back damage"),
        "critical-hit": _("Critical hit"),
        "critical-miss": _("Critical miss"),
        "heal": _("Healing"),
        "counter": _("Countered"),
        "modify": _("Modified"),
        "token": _("Action token"),
        "push": _("Pushing"),
        "terrain": _("Terrain"),
        "capture": _("Capture"),
        "resolve": _("Resolved"),
        "clear-tokens": _("Tokens cleared"),
        "turn": _("Turn"),
        "roll": _("Die roll"),
        "ruling": _("Judge's override"),
    }
    return words.get(kind, kind)


def roll_words(document: Mapping[str, Any], name: str) -> str:
    """Return the name of a roll: whose it is, and its purpose."""
    kind, _colon, who = name.removesuffix("/reroll").partition(":")
    titles = {"damage": _("Damage die"), "attack": _("Attack roll"), "support-heal": _("Clicks healed by Support")}
    titles |= {
        "wind": _("Direction of the wind"),
        "wind-strength": _("Strength of the wind"),
        "fog": _("Roll against the fog"),
        "rift-growth": _("Growth of the rift"),
        "rift": _("Attack of the rift"),
    }
    known = topics().get({"skrull": "skrulls"}.get(kind, kind))
    title = titles.get(kind) or (known.title if known is not None else kind)
    piece = piece_of(document, who)
    if piece is not None:
        title = _("%(roll)s: %(name)s") % {"roll": title, "name": names_apart(document)[who]}
    return _("%(roll)s (reroll)") % {"roll": title} if name.endswith("/reroll") else title


def choice_words(document: Mapping[str, Any], name: str) -> str:
    """Return the name of a choice."""
    kind, _colon, who = name.partition(":")
    words = {
        "knock-back": _("Knock back?"),
        "knock-back-direction": _("Knocked back in which direction?"),
        "divide": _("How is the damage divided?"),
        "place": _("Placed in which square?"),
        "mastermind": _("Does another figure take the damage?"),
        "counter": _("Which power is countered?"),
        "value": _("Which value?"),
        "by": _("Raise or lower the value?"),
        "square": _("Placed in which square?"),
        "squares": _("Placed in which squares?"),
        "team": _("Which team ability?"),
        "then": _("Which target?"),
        "second-attack": _("Which target for the second attack?"),
    }
    title = words.get(kind, kind)
    piece = piece_of(document, who)
    named = {"choice": title, "name": names_apart(document)[who]} if piece is not None else {}
    return _("%(choice)s (%(name)s)") % named if named else title


def option_words(document: Mapping[str, Any], name: str, option: Any) -> str:
    """Return one option of a choice in words."""
    if isinstance(option, bool):
        if name == "knock-back":
            return _("Yes, knock back") if option else _("No knock back")
        return _("Yes") if option else _("No")
    piece = piece_of(document, str(option))
    return names_apart(document)[piece["id"]] if piece is not None else str(option)


def action_words(document: Mapping[str, Any], action: Mapping[str, Any]) -> str:
    """Return an action of a position file as one line, with everything it grants."""
    names = names_apart(document)
    kind = kinds_of_action()[action["action"]]
    if action["action"] == "end-turn":
        return kind
    words = _("%(name)s: %(kind)s") % {"name": names.get(action.get("actor", ""), "–"), "kind": kind.lower()}
    using = action.get("using")
    if using:
        words = _("%(words)s with %(using)s") % {"words": words, "using": ", ".join(using)}
    if action.get("path"):
        words = _("%(words)s to %(square)s") % {"words": words, "square": action["path"][-1]}
    if action.get("targets"):
        goals = ", ".join(names.get(goal, goal) for goal in action["targets"])
        words = _("%(words)s → %(targets)s") % {"words": words, "targets": goals}
    granted = [action_words(document, one) for one in action.get("then") or ()]
    return " · ".join([words, *_objects_and_passengers(document, action, names), *granted, *_declined(action)])


def _objects_and_passengers(
    document: Mapping[str, Any], action: Mapping[str, Any], names: Mapping[str, str]
) -> Iterator[str]:
    """Yield in words whom an action carries, and what it does with objects."""
    things = {thing["id"]: thing.get("name") or thing["id"] for thing in document.get("objects", ())}
    if action.get("carry"):
        yield _("carries %(names)s") % {"names": ", ".join(names.get(one, one) for one in action["carry"])}
    if action.get("pick_up"):
        yield _("picks up %(thing)s") % {"thing": things.get(action["pick_up"], action["pick_up"])}
    if action.get("put_down"):
        yield _("puts its object down in %(square)s") % {"square": action["put_down"]}
    if action.get("with_object"):
        yield _("attacks with %(thing)s") % {"thing": things.get(action["with_object"], action["with_object"])}


def _declined(action: Mapping[str, Any]) -> Iterator[str]:
    """Yield in words the attacks that an action grants and that aren't made."""
    if action.get("then") == []:
        yield _("no attack")
    if "Flurry" in action.get("using", ()) and action.get("attacks") == 1:
        yield _("no second attack")
