"""What a judge does to a dispute: one function for each verb that its forms post, each writing through the services.

`VERBS` names them; the page (`views.disputes`) calls them and tells what could not be done. A verb returns None where
the page itself is shown again, else where to go.
"""

from __future__ import annotations

import copy
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from rules import disputes, shelf
from rules.disputes import Shown, Story, tell
from rules.engine import EDITIONS
from rules.models import SavedDispute
from rules.positions import (
    BadChange,
    Document,
    cells_of,
    held,
    moved,
    piece_of,
    pieces,
    placed,
    read_cells,
    removed,
    square_name,
    stands_in,
)
from rules.services import disputes as services
from rules.services.disputes import Outdated
from rules.uploads import Unreadable, read_json

from .pieces import catalogued_piece, plain_piece, within

MOST_TEXT = 2000
BESIDE_WITHOUT = ("square", "squares", "holding", "captured_by")
"""What a figure has only on the map, or from one that stands there."""

Verb = Callable[[HttpRequest, SavedDispute, int], HttpResponse | None]


def _squares_named(given: QueryDict) -> list[str]:
    return [square_name(cell) for cell in read_cells(" ".join(given.getlist("where")))]


def _place(request: HttpRequest, row: SavedDispute, version: int) -> HttpResponse | None:
    """Put a waiting figure on the map; whoever places more of them goes on with the next."""
    given = request.POST
    one = next((one for one in row.waiting if one["piece"]["id"] == given.get("who", "")), None)
    if one is None:
        raise BadChange(_("Choose the figure to place."))
    where = _squares_named(given)[0]
    document = placed(row.document, one["player"], one["piece"], where)
    waiting = [other for other in row.waiting if other is not one]
    said = _("%(name)s in %(square)s") % {"name": one["piece"]["name"], "square": where}
    services.change_dispute(dispute=row, version=version, said=said, document=document, waiting=waiting)
    if waiting and given.get("more"):
        return redirect(f"{reverse('rules:dispute', args=[row.public_id])}?place=more#next")
    return None


def _hold(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Let a waiting figure be the captive of one that stands on the map."""
    given = request.POST
    one = next((one for one in row.waiting if one["piece"]["id"] == given.get("who", "")), None)
    if one is None:
        raise BadChange(_("Choose the figure to place."))
    if row.document.get("actions"):
        raise BadChange(_("Take back what was done first."))
    document = held(row.document, one["player"], one["piece"], given.get("captor", ""))
    captor = piece_of(document, given.get("captor", ""))
    assert captor is not None
    said = _("%(name)s held by %(captor)s") % {"name": one["piece"]["name"], "captor": captor["name"]}
    waiting = [other for other in row.waiting if other is not one]
    services.change_dispute(dispute=row, version=version, said=said, document=document, waiting=waiting)


def _move_piece(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Put a figure that stands on the map elsewhere, before anything was done."""
    name = request.POST.get("figure", "")
    where = _squares_named(request.POST)[0]
    document = moved(row.document, name, where)
    piece = piece_of(document, name)
    assert piece is not None
    said = _("%(name)s in %(square)s") % {"name": piece["name"], "square": where}
    services.change_dispute(dispute=row, version=version, said=said, document=document)


def _beside(piece: Mapping[str, Any]) -> Document:
    """Return a figure as it waits beside the map."""
    return {key: part for key, part in piece.items() if key not in BESIDE_WITHOUT}


def _put_away(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Take a figure off the map again, or from who holds it; it waits beside the map with those that it held."""
    name = request.POST.get("figure", "")
    if row.document.get("actions"):
        raise BadChange(_("Take back what was done first."))
    piece = piece_of(row.document, name)
    if piece is None:
        raise BadChange(_("Choose the figure to take away."))
    document, waiting = row.document, list(row.waiting)
    for player, one in pieces(row.document):
        if name in (one["id"], one.get("captured_by")):
            document = removed(document, one["id"])
            waiting.append({"player": player, "piece": _beside(one)})
    said = _("%(name)s taken off the map") % {"name": piece["name"]}
    services.change_dispute(dispute=row, version=version, said=said, document=document, waiting=waiting)


def _bring(request: HttpRequest, row: SavedDispute, version: int) -> HttpResponse | None:
    """Let another figure wait: one of the catalogue, or one of the values typed."""
    given = request.POST
    code = given["do"].partition(":")[2]
    piece = catalogued_piece(code) if code else plain_piece(given)
    if not code:
        piece["dial"] = piece["dial"] * 10
    taken = {one["id"] for _player, one in pieces(row.document)} | {one["piece"]["id"] for one in row.waiting}
    taken |= {thing["id"] for thing in row.document.get("objects", ())}
    name = wanted = slugify(piece["name"]) or "figure"
    number = 2
    while name in taken:
        name, number = f"{wanted}-{number}", number + 1
    players = [side["player"] for side in row.document["sides"]]
    player = given.get("player", "")
    entry = {"player": player if player in players else players[0], "piece": {**piece, "id": name}}
    said = _("%(name)s brought") % {"name": piece["name"]}
    services.change_dispute(dispute=row, version=version, said=said, waiting=[*row.waiting, entry])
    return redirect(f"{reverse('rules:dispute', args=[row.public_id])}?who={name}#next")


def _dismiss(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Let a waiting figure go."""
    name = request.POST["do"].partition(":")[2]
    waiting = [one for one in row.waiting if one["piece"]["id"] != name]
    services.change_dispute(dispute=row, version=version, said=_("a figure let go"), waiting=waiting)


def _act(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Give an action, as one tap names it: its kind, who is given it, its target or where it ends, what is used."""
    given = request.POST
    actor = given.get("figure", "")
    piece = piece_of(row.document, actor)
    kind, named_using, target = given.get("action", ""), given.get("using", ""), ""
    if given.get("deed"):
        kind, named_using, target = ([*given["deed"].split("|"), "", ""])[:3]
    if kind not in disputes.kinds_of_action() or (piece is None and kind != "end-turn"):
        raise BadChange(_("Choose who is given the action."))
    document = row.document
    if piece is not None:
        player = next(player for player, one in pieces(document) if one["id"] == actor)
        document = disputes.with_turn_of(document, player)
    using = [name for name in named_using.split(" + ") if name]
    action: Document = {"action": kind, "actor": actor or None, "using": using, "targets": [target] if target else []}
    if given.get("where"):
        story = tell(document)
        named = _squares_named(given)
        action["path"] = named if len(named) > 1 else disputes.path_to(story.board(story.last), actor, named[0], using)
    _perform(row, version, document, action)


def _perform(row: SavedDispute, version: int, document: Document, action: Mapping[str, Any]) -> None:
    story = tell(document)
    kept = list(document.get("actions", ()))
    if not story.legal and kept:
        document = {**document, "actions": kept[:-1]}
    changed = disputes.with_action(document, action)
    services.check_dispute(changed)
    said = disputes.action_words(changed, changed["actions"][-1])
    services.change_dispute(dispute=row, version=version, said=said, document=changed)


def _exact(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Give an action of which everything was said: the path, the targets, what is used and chosen, what follows."""
    action = action_given(request.POST)
    if len(action.get("path") or ()) == 1 and action.get("actor"):
        story = tell(row.document)
        now = story.board(story.last)
        action["path"] = disputes.path_to(now, action["actor"], action["path"][0], action.get("using") or ())
    player = next((player for player, one in pieces(row.document) if one["id"] == action.get("actor")), None)
    document = row.document if player is None else disputes.with_turn_of(row.document, player)
    _perform(row, version, document, action)


def action_given(given: QueryDict) -> Document:
    """Return the action that the long form says, in the keys of a position file; raises BadChange, BadInput."""
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
        choose["squares"] = [square_name(cell) for cell in read_cells(given.get("choose-squares", ""))]
    if given.get("choose-knock-back"):
        choose["knock-back"] = given["choose-knock-back"] == "yes"
    action: Document = {
        "action": given.get("action", "move"),
        "actor": given.get("figure") or None,
        "path": _way(given.get("path", "")),
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
    attacked = given.getlist("then-target")
    if given.get("then-action") and (attacked or given.get("then-path") or given.get("then-at")):
        granted = {
            "action": given["then-action"],
            "actor": given.get("figure") or None,
            "targets": attacked,
            "using": _names(given.get("then-using", "")),
            "at": given.get("then-at", "").strip().upper(),
            "path": _way(given.get("then-path", "")),
        }
        action["then"] = [{key: value for key, value in granted.items() if value}]
    return action


def _way(text: str) -> list[str]:
    return [square_name(cell) for cell in cells_of(text.upper().replace(",", " ").split())] if text.strip() else []


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _places(text: str) -> list[str]:
    return text.upper().replace(",", " ").split()


def _roll(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Enter the dice that fell, or roll them here."""
    given = request.POST
    awaited = tell(row.document).awaited
    if awaited is None or not awaited.is_roll or awaited.name != given.get("name", ""):
        raise Outdated(row)
    here = given["do"] == "roll:here"
    if here:
        dice = [secrets.randbelow(6) + 1 for _die in range(awaited.dice)]
    else:
        dice = [within(given.get(f"die-{number}", ""), 0, 6, 0) for number in range(1, awaited.dice + 1)]
        if not all(dice):
            raise BadChange(_("Say what each die shows."))
    document = disputes.with_dice(row.document, awaited.action, awaited.name, dice, here=here)
    said = _("%(roll)s: %(dice)s") % {"roll": awaited.title, "dice": " + ".join(map(str, dice))}
    services.change_dispute(dispute=row, version=version, said=said, document=document)


def _roll_again(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Make a roll again (Probability Control, a themed team), or correct what was entered wrongly."""
    given = request.POST
    one = next((one for one in disputes.rolls_so_far(row.document) if one["value"] == given.get("roll", "")), None)
    if one is None:
        raise BadChange(_("Choose the roll."))
    dice = [within(given.get(f"die-{at}", ""), 0, 6, 0) for at in range(1, len(one["dice"]) + 1)]
    if not all(dice):
        raise BadChange(_("Say what each die shows."))
    place, time, name = one["value"].split("/", 2)
    if given["do"] == "roll-again:correct":
        change = {"change": "roll", "action": int(place), "time": int(time), "name": name, "dice": dice}
        document = disputes.branched(row.document, [change])
    else:
        again = f"{name.removesuffix('/reroll')}/reroll"
        document = disputes.with_dice(row.document, int(place), again, dice, here=False)
        if piece_of(document, given.get("by", "")) is not None:
            document = disputes.with_choice(document, int(place), "reroll-by", given["by"])
    said = _("%(roll)s: %(dice)s") % {"roll": one["words"], "dice": " + ".join(map(str, dice))}
    services.change_dispute(dispute=row, version=version, said=said, document=document)


def _choose(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Make a choice that is waited for."""
    given = request.POST
    awaited = tell(row.document).awaited
    if awaited is None or awaited.is_roll or awaited.name != given.get("name", ""):
        raise Outdated(row)
    document = disputes.with_choice(row.document, awaited.action, awaited.name, chosen_value(awaited, given))
    services.change_dispute(dispute=row, version=version, said=awaited.title, document=document)


def chosen_value(awaited: disputes.Awaited, given: QueryDict) -> Any:
    """Return what a form chooses, as a position file writes it; raises BadChange."""
    wanted = disputes.squares_wanted(awaited.name)
    if awaited.name == "divide":
        return {name: within(given.get(f"share-{name}", ""), 0, 99, 0) for name, _words in awaited.options}
    if wanted and given.get("where", "").strip():
        named = _squares_named(given)
        if len(named) != wanted:
            raise BadChange(
                _("Name %(wanted)s squares; you named %(named)s.") % {"wanted": wanted, "named": len(named)}
            )
        return named if awaited.name == "squares" else named[0]
    value = given.get("value", "")
    if awaited.name == "knock-back":
        return value == "yes"
    if awaited.name == "by":
        return -1 if value.startswith("-") else 1
    if value == "nobody" and awaited.name.startswith("mastermind"):
        return None
    if not value:
        raise BadChange(_("Choose one."))
    return value


def _back(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Take back the last change."""
    services.take_back(dispute=row, version=version)


def _undo_action(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Take out the last action with its dice."""
    left = list(row.document.get("actions", ()))[:-1]
    decided = [one for one in row.document.get("judge", ()) if (one.get("before") or {}).get("action", 0) < len(left)]
    document = {**row.document, "actions": left, "judge": decided}
    services.change_dispute(dispute=row, version=version, said=_("the last action taken out"), document=document)


def _ask_etiquette(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Keep what the die of etiquette decided about something that is not in the rules."""
    given = request.POST
    if disputes.etiquette_of(row.edition) is None:
        raise BadChange(_("This edition has no such roll."))
    here = given["do"] == "etiquette:here"
    die = secrets.randbelow(6) + 1 if here else within(given.get("die-1", ""), 0, 6, 0)
    if not die:
        raise BadChange(_("Say what the die shows."))
    entry = {
        "question": given.get("about", "").strip()[:MOST_TEXT],
        "die": die,
        "allowed": disputes.allowed_by(die),
        "rolled_here": here,
        "at": timezone.now().isoformat(timespec="seconds"),
    }
    said = _("Not in the rules: %(die)s") % {"die": die}
    services.change_dispute(dispute=row, version=version, said=said, etiquette=[*row.etiquette, entry])


def _decide(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Put the judge's own hand in, before the step that is shown."""
    given = request.POST
    story = tell(row.document)
    number = within(given.get("step", ""), 0, 9999, 0)
    shown = story.steps[number - 1] if 1 <= number <= story.last else None
    decision = decision_given(given, story, shown)
    document = {**row.document, "judge": [*row.document.get("judge", ()), decision]}
    services.change_dispute(dispute=row, version=version, said=_("The judge's decision"), document=document)


def decision_given(given: QueryDict, story: Story, shown: Shown | None) -> Document:
    """Return the decision that a form makes, in the keys of a position file; raises BadChange."""
    decision: Document = {"text": given.get("text", "").strip()[:MOST_TEXT], "by": given.get("by", "").strip()[:80]}
    if shown is not None:
        decision["before"] = disputes.moment_of(story, shown)
    for key, value in (
        (option.key, given.get(f"set-{option.key}", "").strip())
        for option in (disputes.decidable(shown) if shown is not None else ())
    ):
        if value:
            decision.setdefault("set", {})[key] = (
                value == "yes" if value in ("yes", "no") else int(value) if value.lstrip("-").isdigit() else value
            )
    of, value = given.get("of", ""), given.get("value", "")
    if of and value and given.get("by-how-much", "").strip():
        typed = given.get("by-how-much", "").strip().replace("−", "-")
        if not typed.lstrip("+-").isdigit():
            raise BadChange(_("Write a number: +1, −2, or 9 for a replacement."))
        if given.get("way") == "replace":
            decision["replacements"] = [{"of": of, "value": value, "set": abs(int(typed))}]
        else:
            decision["modifiers"] = [{"of": of, "value": value, "by": int(typed)}]
    if not decision["text"] and not set(decision) & {"set", "modifiers", "replacements"}:
        raise BadChange(_("Say what you decide."))
    return decision


def _undecide(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Take one of the judge's decisions out."""
    number = within(request.POST["do"].partition(":")[2], 0, 9999, 9999)
    left = [one for place, one in enumerate(row.document.get("judge", ())) if place != number]
    document = {**row.document, "judge": left}
    services.change_dispute(dispute=row, version=version, said=_("a decision taken out"), document=document)


def _name(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Keep the title and the question."""
    given = request.POST
    question = given.get("question", "").strip()[:MOST_TEXT]
    services.change_dispute(
        dispute=row, version=version, said=_("the title"), title=given.get("title", ""), question=question
    )


def _release(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Release the dispute for training, or take that back."""
    services.release_dispute(dispute=row, version=version, released=request.POST["do"] == "release:yes")


def _turn(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Say whose turn it is, and the how-manieth of the battle."""
    given = request.POST
    players = [side["player"] for side in row.document["sides"]]
    if given.get("player") not in players:
        raise BadChange(_("Nobody of that name plays here."))
    turn = {"active": given["player"], "number": within(given.get("number", ""), 1, 999, 9)}
    document = {**row.document, "turn": turn}
    services.change_dispute(dispute=row, version=version, said=_("the turn"), document=document)


def _map(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Lay another map of the library under the figures; whoever would stand beside it waits to be placed again."""
    one = shelf.maps().get(request.POST.get("map", ""))
    if one is None:
        raise BadChange(_("There is no such map."))
    if row.document.get("actions"):
        raise BadChange(_("Take back what was done first."))
    document = copy.deepcopy(row.document)
    waiting = list(row.waiting)
    gone = {piece["id"] for _player, piece in pieces(document) if not stands_on(piece, one.map)}
    for side in document["sides"]:
        outside = [piece for piece in side["characters"] if {piece["id"], piece.get("captured_by")} & gone]
        side["characters"] = [piece for piece in side["characters"] if piece not in outside]
        waiting += ({"player": side["player"], "piece": _beside(piece)} for piece in outside)
    document |= {"map": copy.deepcopy(one.map), "objects": []}
    for _player, piece in pieces(document):
        piece.pop("holding", None)
    services.change_dispute(dispute=row, version=version, said=one.title, document=document, waiting=waiting)


def stands_on(piece: Mapping[str, Any], drawn: Mapping[str, Any]) -> bool:
    """Return whether all squares of a character are squares of a map; one that stands nowhere may stay."""
    return all(column < drawn["width"] and row < drawn["height"] for column, row in stands_in(piece))


def _edition(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Tell the dispute by another book."""
    edition = request.POST.get("edition", "")
    if edition not in EDITIONS:
        raise BadChange(_("There is no such edition."))
    document = {**row.document, "edition": edition}
    services.change_dispute(dispute=row, version=version, said=EDITIONS[edition].title, document=document)


def _add_branch(request: HttpRequest, row: SavedDispute, version: int) -> HttpResponse:
    """Add a what-if."""
    change = change_given(request.POST, row.document)
    if len(row.branches) >= services.MOST_BRANCHES:
        raise BadChange(_("There are %(most)s branches already: take one out.") % {"most": services.MOST_BRANCHES})
    branches = [*row.branches, {"changes": [change]}]
    said = _("What if: %(change)s") % {"change": disputes.branch_words(row.document, change)}
    services.change_dispute(dispute=row, version=version, said=said, branches=branches)
    return redirect(f"{reverse('rules:dispute-what-if', args=[row.public_id])}#branch-{len(branches)}")


def change_given(given: QueryDict, document: Mapping[str, Any]) -> Document:
    """Return the change that a what-if form names; raises BadChange."""
    sort = given.get("change", "")
    if sort == "edition" and given.get("edition") in EDITIONS:
        return {"change": sort, "edition": given["edition"]}
    if sort == "by-the-book":
        return {"change": sort}
    if sort == "counter":
        character, _slash, power = given.get("counter", "").partition("/")
        if piece_of(document, character) is not None and power:
            return {"change": sort, "character": character, "power": power}
    if sort == "click" and piece_of(document, given.get("character", "")) is not None:
        return {"change": sort, "character": given["character"], "click": within(given.get("click", ""), 1, 99, 1)}
    if sort == "roll":
        one = next((one for one in disputes.rolls_so_far(document) if one["value"] == given.get("roll", "")), None)
        if one is not None:
            place, time, name = one["value"].split("/", 2)
            dice = [within(given.get(f"die-{at}", ""), 0, 6, 0) for at in range(1, len(one["dice"]) + 1)]
            if all(dice):
                return {"change": sort, "action": int(place), "time": int(time), "name": name, "dice": dice}
            raise BadChange(_("Say what each die shows."))
    raise BadChange(_("Say what would be otherwise."))


def _answer_branch(request: HttpRequest, row: SavedDispute, version: int) -> HttpResponse:
    """Give a branch the die or the choice that it waits for."""
    given = request.POST
    place = within(given["do"].partition(":")[2].partition("/")[0], 0, 99, 99)
    if place >= len(row.branches):
        raise Outdated(row)
    branch = row.branches[place]
    awaited = tell(disputes.branched(row.document, branch["changes"])).awaited
    if awaited is None or awaited.name != given.get("name", ""):
        raise Outdated(row)
    if awaited.is_roll:
        dice = [within(given.get(f"die-{at}", ""), 0, 6, 0) for at in range(1, awaited.dice + 1)]
        if not all(dice):
            raise BadChange(_("Say what each die shows."))
        change = {"change": "roll", "action": awaited.action, "time": 99, "name": awaited.name, "dice": dice}
    else:
        value = chosen_value(awaited, given)
        change = {"change": "choice", "action": awaited.action, "name": awaited.name, "value": value}
    branches = [
        {**one, "changes": [*one["changes"], change]} if at == place else one for at, one in enumerate(row.branches)
    ]
    services.change_dispute(dispute=row, version=version, said=awaited.title, branches=branches)
    return redirect(f"{reverse('rules:dispute-what-if', args=[row.public_id])}#branch-{place + 1}")


def _drop_branch(request: HttpRequest, row: SavedDispute, version: int) -> HttpResponse:
    """Take a what-if out."""
    place = within(request.POST["do"].partition(":")[2], 0, 99, 99)
    branches = [one for at, one in enumerate(row.branches) if at != place]
    services.change_dispute(dispute=row, version=version, said=_("a branch taken out"), branches=branches)
    return redirect("rules:dispute-what-if", row.public_id)


VERBS: dict[str, Verb] = {
    "place": _place,
    "hold": _hold,
    "move-piece": _move_piece,
    "put-away": _put_away,
    "bring": _bring,
    "dismiss": _dismiss,
    "act": _act,
    "exact": _exact,
    "roll": _roll,
    "roll-again": _roll_again,
    "choose": _choose,
    "back": _back,
    "undo-action": _undo_action,
    "etiquette": _ask_etiquette,
    "decide": _decide,
    "undecide": _undecide,
    "name": _name,
    "release": _release,
    "turn": _turn,
    "map": _map,
    "edition": _edition,
    "branch": _add_branch,
    "branch-answer": _answer_branch,
    "branch-drop": _drop_branch,
}
