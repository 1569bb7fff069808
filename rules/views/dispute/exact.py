"""The long form of an action: everything that a position file can contain for one."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from rules import engine
from rules.dispute.figures import figures_on, powers_of, powers_on
from rules.dispute.replay import replay_of
from rules.dispute.unfinished import GRANTED
from rules.dispute.words import kinds_of_action
from rules.drawings.board import draw_board
from rules.models import SavedDispute
from rules.positions import BadChange, Document, piece_of, read_cells, square_name, stands_in
from rules.uploads import Unreadable, read_json

from .boards import ground_of, names_in, squares_of
from .keys import DisputeView, beside_fields, dispute_of, holds_key, keeps_key

MAX_KEPT = 1000
"""Letters of a field that a refused form shows again."""


@require_safe
def exact(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the long form of an action."""
    row = dispute_of(slug)
    if not holds_key(request, row):
        return redirect(DisputeView("reader", slug).home())
    if (kept := keeps_key(request, row)) is not None:
        return kept
    replay = replay_of(row.document)
    now = replay.board(replay.last)
    actor = piece_of(now, request.GET.get("figure", ""))
    if replay.fault is not None or actor is None:
        messages.error(request, _("Choose who is given the action."))
        return redirect("rules:dispute", slug)
    facts = {"row": row, "home": DisputeView("judge", slug).home(), **_facts(request, now, actor)}
    return render(request, "rules/disputes/exact.html", facts)


def _facts(request: HttpRequest, now: Document, actor: Document) -> dict[str, Any]:
    """Return the values for the form: those of a figure on a board, and those named in the address."""
    named = names_in(request.GET.get("using", ""))
    standing = bool(stands_in(actor))
    return {
        "actor": actor,
        "action": request.GET.get("action", "move"),
        "kinds": kinds_of_action(),
        "powers": [(name, name in named) for name in dict.fromkeys([*powers_of(actor), *named])],
        "others": [one for one in figures_on(now) if one.id != actor["id"] and one.square],
        "things": [thing for thing in now.get("objects", ()) if not thing.get("removed")],
        "path": request.GET.get("path", ""),
        "targets": request.GET.getlist("target"),
        "then_targets": request.GET.getlist("then-target"),
        "beside": beside_fields(request),
        "kept": {key.replace("-", "_"): value for key, value in request.GET.items()},
        "granting": next((" or ".join(GRANTED[name]) for name in named if name in GRANTED), ""),
        "drawing": draw_board(
            now,
            title=_("The board as it is now."),
            start=square_name(stands_in(actor)[0]) if standing else "",
            shaded=engine.reachable(now, actor["id"], using=named) if standing else {},
        ),
        "squares": squares_of(now),
        "ground": json.dumps(ground_of(now)),
        "directions": ("N", "NE", "E", "SE", "S", "SW", "W", "NW"),
        "theirs": powers_on(now),
    }


def back_to_form(row: SavedDispute, given: QueryDict) -> HttpResponse:
    """Return to the long form after a fault, with everything that was entered in its fields."""
    kept = QueryDict(mutable=True)
    for key in given:
        values = [value for value in given.getlist(key) if value and len(value) <= MAX_KEPT]
        if key not in ("csrfmiddlewaretoken", "version", "do", "power") and values:
            kept.setlist(key, values)
    kept["using"] = " + ".join(given.getlist("power"))
    return redirect(f"{reverse('rules:dispute-act', args=[row.public_id])}?{kept.urlencode()}")


def action_given(given: QueryDict) -> Document:
    """Return the action in the long form, in the keys of a position file. Raises BadChange, BadInput."""
    if given.get("whole", "").strip():
        try:
            whole = read_json(given.get("whole", ""), "action")
        except Unreadable as fault:
            raise BadChange(str(fault)) from None
        if not isinstance(whole, dict):
            raise BadChange(_("An action is one JSON object."))
        return whole
    choose: Document = {}
    for key in ("counter", "value", "reroll-by", "knock-back-direction", "square"):
        if given.get(f"choose-{key}", "").strip():
            text = given.get(f"choose-{key}", "").strip()
            choose[key] = text.upper() if key in ("square", "knock-back-direction") else text
    if given.get("choose-by"):
        choose["by"] = -1 if given["choose-by"] == "-1" else 1
    if given.get("choose-squares", "").strip():
        choose["squares"] = _squares(given, "choose-squares")
    if given.get("choose-knock-back"):
        choose["knock-back"] = given["choose-knock-back"] == "yes"
    action: Document = {
        "action": given.get("action", "move"),
        "actor": given.get("figure") or None,
        "path": _squares(given, "path"),
        "targets": [*given.getlist("target"), *_places(given.get("place-targets", ""))],
        "using": [*given.getlist("power"), *_names(given.get("more-using", ""))],
        "assist": given.getlist("assist"),
        "carry": given.getlist("carry"),
        "pick_up": given.get("pick_up"),
        "put_down": given.get("put_down", "").strip().upper(),
        "with_object": given.get("with_object"),
        "flight": given.get("flight"),
        "choose": choose,
    }
    if granted := _granted(given, action):
        action["then"] = [granted]
    if action["action"] == "move" and action["targets"] and not action["using"]:
        raise BadChange(_("A move has no target. Choose the kind of attack, or untick the target."), "action")
    return action


def _granted(given: QueryDict, action: Document) -> Document:
    """Return the action that the one in the long form grants, empty if it says nothing about one.

    Targets ticked for a power that moves and attacks are those of its attack. Raises BadChange.
    """
    kinds = next((GRANTED[name] for name in action["using"] if name in GRANTED), ())
    attacked = given.getlist("then-target")
    if kinds and action["action"] != "close" and not attacked:
        attacked, action["targets"] = action["targets"], []
    granted = {
        "targets": attacked,
        "using": _names(given.get("then-using", "")),
        "at": given.get("then-at", "").strip().upper(),
        "path": _squares(given, "then-path"),
    }
    if not any(granted.values()):
        return {}
    kind = given.get("then-action") or (kinds[0] if len(kinds) == 1 else "")
    if not kind:
        raise BadChange(_("Choose whether the attack after the move is a close or a ranged attack."), "then-action")
    actor = given.get("figure") or None
    return {key: value for key, value in {"action": kind, "actor": actor, **granted}.items() if value}


def _squares(given: QueryDict, field: str) -> list[str]:
    """Return the squares in a field, none if it is empty. Raises BadChange for that field."""
    try:
        text = given.get(field, "")
        return [square_name(cell) for cell in read_cells(text)] if text.strip() else []
    except BadChange as why:
        raise BadChange(str(why), field) from None


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _places(text: str) -> list[str]:
    return text.upper().replace(",", " ").split()
