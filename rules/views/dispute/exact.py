"""The long form of an action: everything that a position file can contain for one."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
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


@require_safe
def exact(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the long form of an action."""
    row = dispute_of(slug)
    if not holds_key(request, row):
        return redirect(DisputeView("reader", slug).home())
    if (kept := keeps_key(request, row)) is not None:
        return kept
    return _form(request, row, request.GET)


def show_refused(request: HttpRequest, row: SavedDispute) -> HttpResponse:
    """Show the long form again with everything that was entered in its fields, and why it was refused."""
    return _form(request, row, request.POST, status=400)


def _form(request: HttpRequest, row: SavedDispute, given: QueryDict, status: int = 200) -> HttpResponse:
    """Return the page of the long form, filled in with what an address or a form contains."""
    replay = replay_of(row.document)
    now = replay.board(replay.last)
    actor = piece_of(now, given.get("figure", ""))
    if replay.fault is not None or actor is None:
        messages.error(request, _("Choose the figure to give the action to."))
        return redirect("rules:dispute", row.public_id)
    facts = {"row": row, "home": DisputeView("judge", row.public_id).home(), **_facts(given, now, actor)}
    return render(request, "rules/disputes/exact.html", {**facts, "beside": beside_fields(request)}, status=status)


def _facts(given: QueryDict, now: Document, actor: Document) -> dict[str, Any]:
    """Return the values for the form: those of a figure on a board, and those `given`."""
    named = [*names_in(given.get("using", "")), *given.getlist("power")]
    standing = bool(stands_in(actor))
    return {
        "actor": actor,
        "action": given.get("action", "move"),
        "kinds": kinds_of_action(),
        "powers": [(name, name in named) for name in dict.fromkeys([*powers_of(actor), *named])],
        "others": [one for one in figures_on(now) if one.id != actor["id"] and one.square],
        "things": [thing for thing in now.get("objects", ()) if not thing.get("removed")],
        "path": given.get("path", ""),
        "targets": given.getlist("target"),
        "then_targets": given.getlist("then-target"),
        "carried": given.getlist("carry"),
        "helpers": given.getlist("assist"),
        "kept": {key.replace("-", "_"): value for key, value in given.items()},
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


def action_given(given: QueryDict) -> Document:
    """Return the action in the long form, in the keys of a position file. Raises BadChange, BadInput."""
    if given.get("whole", "").strip():
        try:
            whole = read_json(given.get("whole", ""), "action")
        except Unreadable as fault:
            raise BadChange(str(fault)) from None
        if not isinstance(whole, dict):
            raise BadChange(_("Enter the action as one JSON object."))
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
