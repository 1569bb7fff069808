"""Disputes step by step: figures placed by a tap, the action chosen, dice entered as they fell, each step with its board.

Open to everybody. Whoever has the key (the link for judges) may change a dispute, everybody else reads it. The page
shows one thing to do before all others: place the figures, name the action, enter the die that is waited for. Every
change posts a form and comes back with the newest page; the script only sends those forms sooner.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import segno
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rules import disputes, engine, shelf
from rules.disputes import Shown, Story, tell
from rules.drawings.board import draw_board, labels
from rules.engine import EDITIONS, BadInput, Ruling, read_documents
from rules.models import SavedDispute
from rules.positions import (
    BadChange,
    Document,
    empty_map,
    piece_of,
    pieces,
    position_on,
    square_name,
    stands_in,
)
from rules.services import disputes as services
from rules.services.disputes import LARGEST_DOCUMENT, Outdated

from .board import FIRST_EDITION, show_for_dispute
from .dispute_changes import VERBS
from .pieces import BECOMES, WORDS, figures_found, may_ask, slow_down, within
from .rulebook import AUTHORITIES, STANDINGS

KEPT_FOR = 60 * 60 * 24 * 60
"""Seconds for which a browser remembers that it may change a dispute: sixty days."""
FEW = 4
GRANTED = {"Charge": "close", "Running Shot": "ranged", "Hypersonic Speed": "any"}
"""Powers whose action grants an attack beside the move: the long form opens where that attack is named."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a dispute is shown: as `judge` (may change it), as `reader`, or `ready` made (kept by nobody)."""

    kind: str
    slug: str

    def home(self) -> str:
        """Return the address of the newest step."""
        name = {"judge": "dispute", "reader": "dispute-read", "ready": "dispute-ready"}[self.kind]
        return reverse(f"rules:{name}", args=[self.slug])

    def step(self, number: int) -> str:
        """Return the address of a step, counted from 1; 0 is the position before the first."""
        name = {"judge": "dispute-step", "reader": "dispute-read-step", "ready": "dispute-ready-step"}[self.kind]
        return reverse(f"rules:{name}", args=[self.slug, number])

    def other(self, name: str) -> str:
        """Return the address of another page of the dispute."""
        return reverse(f"rules:{name}", args=[self.slug])


# --- Beginning ---


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponseBase:
    """Show the ways to begin a dispute; begin one with what was sent: a map, a position file, a ready-made dispute."""
    ready = request.GET.get("ready", "")
    if request.method != "POST":
        if ready:
            return redirect("rules:dispute-ready", ready)
        return _front(request)
    if not may_ask(request, "board_save"):
        return slow_down(request)
    try:
        row = _begun(request)
    except BadInput as fault:
        return _front(request, fault, 400)
    return _to_judge(row)


def _front(request: HttpRequest, fault: BadInput | None = None, status: int = 200) -> HttpResponse:
    edition = request.POST.get("edition") or request.GET.get("edition") or FIRST_EDITION
    facts = {
        "editions": EDITIONS.values(),
        "first": edition if edition in EDITIONS else FIRST_EDITION,
        "maps": shelf.maps().values(),
        "ready": _ready_by_book(),
        "fault": fault,
        "text": request.POST.get("document", ""),
    }
    return render(request, "rules/disputes/front.html", facts, status=status)


def _ready_by_book() -> list[tuple[Any, list[Any]]]:
    found = shelf.ready_disputes().values()
    return [(book, mine) for name, book in EDITIONS.items() if (mine := [one for one in found if one.edition == name])]


def _begun(request: HttpRequest) -> SavedDispute:
    given = request.POST
    if given.get("ready"):
        return _copied(given["ready"])
    uploaded = request.FILES.get("file")
    if uploaded is not None or given.get("document", "").strip():
        if uploaded is not None and (uploaded.size or 0) > LARGEST_DOCUMENT:
            raise BadInput("", _("A position file may have at most %(most)s kB.") % {"most": LARGEST_DOCUMENT // 1000})
        text = uploaded.read().decode("utf-8", "surrogateescape") if uploaded is not None else given["document"]
        return services.begin_dispute(document=read_one(text), title=given.get("title", ""))
    edition = given.get("edition", "")
    edition = edition if edition in EDITIONS else FIRST_EDITION
    one = shelf.maps().get(given.get("map", ""))
    size = [within(given.get(key, ""), 1, 60, 16) for key in ("width", "height")]
    drawn = one.map if one is not None else empty_map(size[0], size[1])
    waiting = [{"player": player, "piece": _ordinary(_("Figure %(player)s") % {"player": player})} for player in "AB"]
    return services.begin_dispute(document=position_on(drawn, edition), title=given.get("title", ""), waiting=waiting)


def read_one(text: str) -> Document:
    """Return the one position file that a text is. Raises BadInput."""
    if len(text) > LARGEST_DOCUMENT:
        raise BadInput("", _("A position file may have at most %(most)s kB.") % {"most": LARGEST_DOCUMENT // 1000})
    found = list(read_documents(text))
    if len(found) > 1:
        raise BadInput("", _("These are several documents, one a line: open one of them."))
    if isinstance(found[0], BadInput):
        raise found[0]
    return found[0]


def _ordinary(name: str) -> Document:
    """Return a figure of ordinary values, the same on ten clicks, for whoever has no time to look it up."""
    click = {"speed": 8, "attack": 9, "defense": 16, "damage": 2, "powers": []}
    return {"id": slugify(name) or "figure", "name": name, "points": 50, "range": 8, "dial": [click] * 10}


def _copied(slug: str) -> SavedDispute:
    one = _ready(slug)
    return services.begin_dispute(
        document=one.position, title=one.title, question=one.question, answer=one.answer, ready=slug
    )


def _ready(slug: str) -> Any:
    one = shelf.ready_disputes().get(slug)
    if one is None:
        raise Http404(_("There is no such dispute."))
    return one


def _to_judge(row: SavedDispute) -> HttpResponse:
    """Lead to a dispute that was just begun, with the right to change it."""
    return _keeping_key(redirect("rules:dispute", row.public_id), row)


def _keeping_key(response: HttpResponse, row: SavedDispute) -> HttpResponse:
    response.set_cookie(
        _cookie(row.public_id),
        row.key,
        max_age=KEPT_FOR,
        path=reverse("rules:dispute", args=[row.public_id]),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def _cookie(slug: str) -> str:
    return f"dispute-{slug}"


def _row(slug: str) -> SavedDispute:
    return get_object_or_404(SavedDispute, public_id=slug)


def _holds_key(request: HttpRequest, row: SavedDispute) -> bool:
    given = request.GET.get("key") or request.COOKIES.get(_cookie(row.public_id), "")
    return services.may_change(row, given)


def _keeps_key(request: HttpRequest, row: SavedDispute) -> HttpResponse | None:
    """Return the way to the same page without the key that its address carries, kept from now on; None where none is."""
    if not request.GET.get("key"):
        return None
    rest = request.GET.copy()
    del rest["key"]
    return _keeping_key(redirect(f"{request.path}?{rest.urlencode()}" if rest else request.path), row)


# --- Showing ---


@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponseBase:
    """Show a dispute to a judge, at its newest step or at one that the address names; do what was posted."""
    row = _row(slug)
    place = Place("judge", slug)
    if not _holds_key(request, row):
        if request.method == "POST":
            return _refused(request)
        return redirect(Place("reader", slug).home() if number is None else Place("reader", slug).step(number))
    if request.method == "POST":
        return _changed(request, row, place)
    return _keeps_key(request, row) or _page(request, place, tell(row.document), number, row)


def _refused(request: HttpRequest) -> HttpResponse:
    message = _("This link is for reading. To change the dispute, open it by the link for judges, or make a copy.")
    return render(request, "parts/refused.html", {"message": message}, status=403)


@require_safe
def read(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """Show a dispute to whoever has its address; nothing can be changed."""
    row = _row(slug)
    return _page(request, Place("reader", slug), tell(row.document), number, row)


@require_safe
def ready(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """Show a ready-made dispute step by step; a copy of it can be changed."""
    one = _ready(slug)
    return _page(request, Place("ready", slug), tell(one.position), number, None, ready=one)


def _page(
    request: HttpRequest,
    place: Place,
    story: Story,
    number: int | None,
    row: SavedDispute | None,
    **more: Any,
) -> HttpResponse:
    if number is not None and number > story.last:
        return redirect(place.home())
    chosen = story.last if number is None else number
    shown = story.steps[chosen - 1] if chosen else None
    changes = place.kind == "judge" and row is not None
    facts: dict[str, Any] = {
        "place": place,
        "story": story,
        "number": chosen,
        "newest": number is None or chosen == story.last,
        "at_a_step": number is not None,
        "shown": shown,
        "row": row,
        "may_change": changes,
        "title": (row.title if row is not None else "") or getattr(more.get("ready"), "title", "") or _("Dispute"),
        "question": row.question if row is not None else getattr(more.get("ready"), "question", ""),
        "answer": row.answer if row is not None else getattr(more.get("ready"), "answer", ""),
        "done": [disputes.action_words(story.document, one) for one in story.document.get("actions", ())],
        "rulings": shown_rulings(_rulings_at(story, shown if number is not None else None)),
        "etiquette": disputes.etiquette_of(story.document["edition"]),
        "etiquette_section": story.edition.cite(("etiquette",))[0].section,
        "came_of_it": _came_of_it(story) if story.fault is None and story.awaited is None else None,
        "home": place.home(),
        "back": place.step(chosen - 1) if chosen else "",
        "onward": place.step(chosen + 1) if chosen < story.last else "",
        "first": place.step(0),
        "steps": [(one, place.step(one.number)) for one in story.steps],
        **more,
    }
    if story.fault is None:
        facts |= _board(request, story, chosen, shown, number is not None)
    if row is not None:
        facts |= _sharing(request, row, place, number)
    if changes and story.fault is None:
        assert row is not None
        facts |= _desk(request, row, story, chosen, shown, number is None or chosen == story.last)
    return render(request, "rules/disputes/dispute.html", facts)


def _rulings_at(story: Story, shown: Shown | None) -> list[Ruling]:
    return story.rulings if shown is None else disputes.rulings_for(story.document["edition"], shown.rulings)


def shown_rulings(found: list[Ruling]) -> list[dict[str, Any]]:
    """Return rulings as the page lists them: each with who gave it, when, and what it counts for."""
    shown = []
    for one in found:
        state, standing = STANDINGS[one.standing]
        shown.append({"ruling": one, "authority": AUTHORITIES[one.authority], "state": state, "standing": standing})
    return shown


def _board(request: HttpRequest, story: Story, chosen: int, shown: Shown | None, at_a_step: bool) -> dict[str, Any]:
    """Return the board as it was after a step, with the line of fire that was drawn then."""
    now = story.board(chosen)
    ends = shown.line if shown is not None else None
    line = None
    if ends is not None:
        assert shown is not None
        line = line_at(story, shown)
    figure = request.GET.get("figure", "")
    chosen_piece = piece_of(now, figure)
    start, end = "", ""
    if ends is not None and line is not None and line["squares"]:
        start, end = line["squares"][0], line["squares"][-1]
    elif chosen_piece is not None and stands_in(chosen_piece):
        start = square_name(stands_in(chosen_piece)[0])
    shaded: Mapping[str, Any] = {}
    if request.GET.get("act") == "move" and chosen_piece is not None and not at_a_step:
        using = tuple(name for name in request.GET.get("using", "").split(" + ") if name)
        shaded = engine.reachable(now, figure, using=using)
    words = _("Board after step %(number)s of %(last)s.") % {"number": chosen, "last": story.last}
    said = f"{words} {line['because'][0]}" if line is not None else words
    drawing = draw_board(now, title=said, line=line, start=start, end=end, shaded=shaded)
    return {
        "now": now,
        "drawing": drawing,
        "line": line,
        "line_state": BECOMES[line["result"]] if line is not None else None,
        "figures": _figures(now),
        "figure": chosen_piece,
        "squares": json.dumps(_squares(now)),
        "ground": json.dumps(_ground(now)),
    }


def line_at(story: Story, shown: Shown) -> dict[str, Any] | None:
    """Return the answer about the line of fire of a step, drawn on the board as it was before it; None without one."""
    if shown.line is None:
        return None
    first = next(one for one in story.steps if one.action == shown.action and one.line == shown.line)
    board = story.before(first.number)
    if not all(_stands(board, name) for name in shown.line):
        return None
    return engine.line_of_fire(board, *shown.line)


def _stands(board: Mapping[str, Any], name: str) -> bool:
    piece = piece_of(board, name)
    return piece is not None and bool(stands_in(piece))


def _figures(now: Document) -> list[dict[str, Any]]:
    signs, names = labels(now), disputes.names_apart(now)
    return [
        {
            "id": piece["id"],
            "name": names[piece["id"]],
            "own_name": piece["name"],
            "label": signs[piece["id"]],
            "player": player,
            "square": ", ".join(square_name(cell) for cell in stands_in(piece)),
            "standing": disputes.standing_words(
                {**piece, "click": piece.get("click", 1), "ko": piece.get("click", 1) > len(piece["dial"])}
            ),
            "values": _values(piece),
        }
        for player, piece in pieces(now)
    ]


def _values(piece: Mapping[str, Any]) -> dict[str, Any] | None:
    click = piece.get("click", 1)
    if click > len(piece["dial"]):
        return None
    shown = piece["dial"][click - 1]
    values = {key: shown[key] for key in ("speed", "attack", "defense", "damage")}
    return {**values, "range": piece.get("range", 0), "powers": ", ".join(shown.get("powers", ()))}


def _ground(now: Document) -> list[tuple[str, list[str]]]:
    """Return what lies on the map and in which squares, in words, for those who go over it by keyboard."""
    drawn = now["map"]
    found = []
    for area in drawn.get("terrain", ()):
        level = f" {area.get('level', 2)}" if area["type"] == "elevated" else ""
        found.append((f"{WORDS[area['type']]}{level}", list(area["squares"])))
    found += [(str(WORDS[mark["kind"]]), [mark["square"]]) for mark in drawn.get("markers", ())]
    things = (thing for thing in now.get("objects", ()) if thing.get("square") and not thing.get("removed"))
    found += [(thing.get("name") or str(WORDS[thing["kind"]]), [thing["square"]]) for thing in things]
    return found


def _squares(now: Document) -> dict[str, str]:
    """Return square → the id of the figure that stands there, for the script."""
    return {square_name(cell): piece["id"] for _player, piece in pieces(now) for cell in stands_in(piece)}


def _sharing(request: HttpRequest, row: SavedDispute, place: Place, number: int | None) -> dict[str, Any]:
    reading = request.build_absolute_uri(row.reading_address(number))
    facts: dict[str, Any] = {"reading": reading, "reading_code": _code(reading)}
    if place.kind == "judge":
        judging = request.build_absolute_uri(row.judging_address(number))
        facts |= {"judging": judging, "judging_code": _code(judging)}
    return facts


def _code(address: str) -> str:
    return segno.make(address, error="m").svg_inline(omitsize=True)


# --- The judge's desk: what may be done next ---


def _desk(
    request: HttpRequest, row: SavedDispute, story: Story, chosen: int, shown: Shown | None, newest: bool
) -> dict[str, Any]:
    on_map = [one for one in _figures(story.board(story.last)) if one["square"]]
    players = [side["player"] for side in story.document["sides"]]
    sides_there = {one["player"] for one in on_map}
    acted = bool(story.document.get("actions"))
    more = request.GET.get("place") == "more"
    placing = bool(row.waiting) and not acted and (more or len(sides_there) < min(2, len(players)))
    facts: dict[str, Any] = {
        "maps": shelf.maps().values(),
        "placing": placing,
        "placing_more": placing and more,
        "opening": story.document.get("turn", {}).get("active") or players[0],
        "turn_number": story.document.get("turn", {}).get("number", 9),
        "waiting": _waiting(row),
        "captives": _captives(row.document) if not acted else (),
        "who": _next_waiting(request, row, sides_there),
        "acted": acted,
        "players": players,
        "active": story.board(story.last).get("turn", {}).get("active") or players[0],
        "on_map": on_map,
        "found": figures_found(request.GET.get("find", ""), row.edition) if request.GET.get("find") else None,
        "find": request.GET.get("find", "")[:100],
        "kinds": disputes.kinds_of_action(),
        "dice": range(1, 7),
        "last_change": row.past[-1]["said"] if row.past else "",
        "powers_here": _powers_here(story.document),
        "rolls": disputes.rolls_so_far(story.document),
        "editions": [one for name, one in EDITIONS.items() if name != row.edition],
        "decidable": disputes.decidable(shown) if shown is not None else (),
        "act": request.GET.get("act", ""),
        "using": request.GET.get("using", ""),
    }
    if newest and not placing and story.awaited is None:
        doers = _doers(story, on_map, request.GET.get("figure", ""))
        moving = [one for one in doers if one["chosen"]] if facts["act"] in ("move", "put") else []
        facts |= {"doers": moving or doers, "few": len(on_map) <= FEW, "moving": bool(moving)}
    awaited = story.awaited
    if awaited is not None:
        facts["awaited"] = awaited
        facts["taps"] = disputes.squares_wanted(awaited.name)
        facts["goals"] = awaited.options if awaited.name == "divide" else ()
    return facts


def _came_of_it(story: Story) -> list[tuple[str, str]]:
    """Return the figures that stand otherwise than before anything was done, each with how it stands now."""
    before = {one["id"]: one["standing"] for one in _figures(story.board(0))}
    after = _figures(story.board(story.last))
    return [(one["name"], one["standing"]) for one in after if one["standing"] != before[one["id"]]]


def _waiting(row: SavedDispute) -> list[dict[str, Any]]:
    """Return the figures beside the map; `apart` is the points of those whose name another of their side bears."""
    named = Counter((one["player"], one["piece"]["name"]) for one in row.waiting)
    return [
        {**one, "apart": one["piece"].get("points") if named[one["player"], one["piece"]["name"]] > 1 else None}
        for one in row.waiting
    ]


def _captives(document: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return who is held at the beginning, each with who holds it."""
    names = disputes.names_apart(document)
    return [
        {"id": piece["id"], "name": names[piece["id"]], "captor": names[piece["captured_by"]]}
        for _player, piece in pieces(document)
        if piece.get("captured_by")
    ]


def _next_waiting(request: HttpRequest, row: SavedDispute, there: set[str]) -> str:
    """Return the id of the waiting figure that the next tap places: the one chosen, else one of a side not there yet."""
    ids = [one["piece"]["id"] for one in row.waiting]
    asked = request.GET.get("who", "")
    if asked in ids:
        return asked
    missing = [one["piece"]["id"] for one in row.waiting if one["player"] not in there]
    sides = {one["player"] for one in row.waiting}
    alone = len(ids) <= len(sides)
    return (missing or ids or [""])[0] if alone or missing else ""


def _doers(story: Story, on_map: list[dict[str, Any]], chosen: str) -> list[dict[str, Any]]:
    """Return the figures that may be given something, each with what: all where they are few, else the chosen one."""
    asked = on_map if len(on_map) <= FEW else [one for one in on_map if one["id"] == chosen]
    found = []
    for one in asked:
        document = disputes.with_turn_of(story.document, one["player"])
        listed = disputes.deeds(document, one["id"])
        argued = [] if document.get("actions") else [deed for deed in listed if deed.often_argued][:FEW]
        found.append(
            {
                **one,
                "possible": [deed for deed in listed if deed.legal],
                "argued": argued,
                "impossible": [deed for deed in listed if not deed.legal and deed not in argued],
                "chosen": one["id"] == chosen,
            }
        )
    return found


def _powers_here(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return each figure with the powers and team abilities it has, for countering them in a branch."""
    found, called = [], disputes.names_apart(document)
    for _player, piece in pieces(document):
        values = _values(piece)
        names = [*(values["powers"].split(", ") if values and values["powers"] else ()), *piece.get("teams", ())]
        if names:
            found.append({"id": piece["id"], "name": called[piece["id"]], "powers": names})
    return found


# --- Changing ---


def _changed(request: HttpRequest, row: SavedDispute, place: Place) -> HttpResponseBase:
    """Do what a form asks for and lead back to the page; what cannot be done is told there, and nothing is lost."""
    if not may_ask(request, "board_change"):
        return slow_down(request)
    given = request.POST
    do = given.get("do", "")
    version = within(given.get("version", ""), 0, 999_999_999, row.version)
    verb = VERBS.get(do.partition(":")[0])
    if verb is None:
        raise Http404(_("There is no such change."))
    try:
        answer = verb(request, row, version)
    except BadChange as why:
        messages.error(request, str(why))
    except BadInput as fault:
        messages.error(request, f"{fault.where}: {fault.message}" if fault.where else fault.message)
    except Outdated as told:
        messages.warning(
            request,
            _("%(told)s You see the newest now; what you did last was not kept: do it again if it still fits.")
            % {"told": told},
        )
    else:
        if answer is not None:
            return answer
        return redirect(f"{place.home()}#next")
    where = QueryDict(mutable=True)
    where.update({key: given[key] for key in ("figure", "who", "act", "using") if given.get(key)})
    return redirect(f"{place.home()}?{where.urlencode()}#next" if where else place.home())


# --- Saying exactly what was done ---


@require_safe
def exact(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the long form of an action: everything that a position file can say of one."""
    row = _row(slug)
    if not _holds_key(request, row):
        return redirect(Place("reader", slug).home())
    if (kept := _keeps_key(request, row)) is not None:
        return kept
    story = tell(row.document)
    now = story.board(story.last)
    actor = piece_of(now, request.GET.get("figure", ""))
    if story.fault is not None or actor is None:
        messages.error(request, _("Choose who is given the action."))
        return redirect("rules:dispute", slug)
    values = _values(actor)
    named = [name for name in request.GET.get("using", "").split(" + ") if name]
    powers = [*(values["powers"].split(", ") if values and values["powers"] else ()), *actor.get("teams", ())]
    figures = _figures(now)
    facts = {
        "row": row,
        "actor": actor,
        "home": Place("judge", slug).home(),
        "action": request.GET.get("action", "move"),
        "kinds": disputes.kinds_of_action(),
        "powers": [(name, name in named) for name in dict.fromkeys([*powers, *named])],
        "others": [one for one in figures if one["id"] != actor["id"] and one["square"]],
        "things": [thing for thing in now.get("objects", ()) if not thing.get("removed")],
        "target": request.GET.get("target", ""),
        "granting": next((GRANTED[name] for name in named if name in GRANTED), ""),
        "drawing": draw_board(
            now,
            title=_("The board as it is now."),
            start=square_name(stands_in(actor)[0]) if stands_in(actor) else "",
            shaded=engine.reachable(now, actor["id"], using=tuple(named)) if stands_in(actor) else {},
        ),
        "squares": json.dumps(_squares(now)),
        "ground": json.dumps(_ground(now)),
        "directions": ("N", "NE", "E", "SE", "S", "SW", "W", "NW"),
        "theirs": _powers_here(now),
        "flies": "wing" in json.dumps((actor.get("symbols") or {}).get("speed", "")),
    }
    return render(request, "rules/disputes/exact.html", facts)


# --- What if ---


@require_safe
def what_if(request: HttpRequest, slug: str, reading: bool = False) -> HttpResponse:
    """Show the branches beside what happened: where they part, and what comes of each."""
    row = _row(slug)
    judges = not reading and _holds_key(request, row)
    if not reading and not judges:
        return redirect("rules:dispute-read-what-if", slug)
    if judges and (kept := _keeps_key(request, row)) is not None:
        return kept
    story = tell(row.document)
    place = Place("judge" if judges else "reader", slug)
    columns = [_column(story, story, -1, _("As it happened"), [])]
    for number, branch in enumerate(row.branches):
        told = tell(disputes.branched(row.document, branch["changes"]))
        named = [disputes.branch_words(row.document, change) for change in branch["changes"]]
        columns.append(_column(story, told, number, named[0] if named else "", named[1:]))
    facts = {
        "row": row,
        "place": place,
        "home": place.home(),
        "may_change": judges,
        "columns": columns,
        "story": story,
        "editions": [one for name, one in EDITIONS.items() if name != row.edition],
        "rolls": disputes.rolls_so_far(row.document),
        "powers_here": _powers_here(row.document),
        "figures": _figures(row.document),
        "judged": bool(row.document.get("judge")),
        "dice": range(1, 7),
        "most": services.MOST_BRANCHES,
    }
    return render(request, "rules/disputes/what_if.html", facts)


def _column(story: Story, told: Story, number: int, title: str, more: list[str]) -> dict[str, Any]:
    parts_at = disputes.parting(story, told) if told is not story and told.fault is None else None
    shown = told.steps[-1] if told.fault is None and told.steps else None
    column: dict[str, Any] = {
        "number": number,
        "anchor": number + 1,
        "title": title,
        "more": more,
        "story": told,
        "parts_at": parts_at,
        "same": told is not story and told.fault is None and parts_at is None,
        "outcome": told.outcome(),
        "awaited": told.awaited if told.fault is None else None,
    }
    if told.fault is None:
        line = line_at(told, shown) if shown is not None else None
        said = _("%(title)s: the board at its end.") % {"title": title}
        column["drawing"] = draw_board(told.board(told.last), title=said, prefix=f"w{number + 1}", line=line)
        column["taps"] = disputes.squares_wanted(told.awaited.name) if told.awaited is not None else 0
    return column


# --- The position, changed on the board page ---


@require_http_methods(["GET", "HEAD", "POST"])
def set_position(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Open a dispute's position on the board page, and keep what was made of it there."""
    row = _row(slug)
    if not _holds_key(request, row):
        return _refused(request) if request.method == "POST" else redirect(Place("reader", slug).home())
    if request.method != "POST":
        return _keeps_key(request, row) or show_for_dispute(request, row.document, slug, row.version)
    if not may_ask(request, "board_change"):
        return slow_down(request)
    version = within(request.POST.get("version", ""), 0, 999_999_999, row.version)
    try:
        document = read_one(request.POST.get("document", ""))
        edition = request.POST.get("edition", "")
        if edition in EDITIONS:
            document = {**document, "edition": edition}
        title = document.pop("title", "")
        parts = {"title": title} if isinstance(title, str) and title else {}
        services.change_dispute(dispute=row, version=version, said=_("the position"), document=document, **parts)
    except BadInput as fault:
        messages.error(request, f"{fault.where}: {fault.message}" if fault.where else fault.message)
        return show_for_dispute(request, row.document, slug, row.version, status=400)
    except Outdated as told:
        messages.warning(request, _("%(told)s Your position was not kept: this is the newest.") % {"told": told})
        return redirect("rules:dispute-set", slug)
    return redirect(f"{Place('judge', slug).home()}#next")


# --- Taking it away ---


@require_safe
def file(request: HttpRequest, slug: str) -> HttpResponse:
    """Give a dispute's position file, as FORMATS writes it."""
    row = _row(slug)
    document = {**({"title": row.title} if row.title else {}), **row.document}
    response = HttpResponse(json.dumps(document, ensure_ascii=False, indent=1) + "\n", content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{slugify(row.title)[:60] or "dispute"}.json"'
    return response


@require_safe
def paper(request: HttpRequest, slug: str) -> HttpResponse:
    """Give a dispute on paper: the question, the board, each step with its sections, the rulings, the decision."""
    from rules.pdf.dispute import dispute_pdf

    row = _row(slug)
    size = request.GET.get("size", "a4")
    address = request.build_absolute_uri(row.reading_address())
    made = dispute_pdf(row, address=address, size=size if size in ("a4", "letter") else "a4")
    response = HttpResponse(made, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{slugify(row.title)[:60] or "dispute"}.pdf"'
    return response


@require_POST
def copy(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Begin a dispute of one's own from one that was shared."""
    if not may_ask(request, "board_save"):
        return slow_down(request)
    row = _row(slug)
    made = services.begin_dispute(
        document=row.document,
        title=row.title,
        question=row.question,
        answer=row.answer,
        waiting=row.waiting,
        time_zone=row.time_zone,
    )
    return _to_judge(made)
