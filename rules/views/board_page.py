"""The contents of a board's page: the drawing for each edition, its text, the figures, and the key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules import sight
from rules.drawings.board import draw_board, labels, swatch
from rules.engine import EDITIONS, BadInput
from rules.fault_words import fault_sentences
from rules.piece_form import (
    BASES,
    FLIGHTS,
    IGNORES_MOVING,
    IGNORES_TARGETING,
    NUMBERS,
    SIZES,
    SPEEDS,
    VALUES_ASKED,
    Fields,
    empty_fields,
    fields_of,
)
from rules.positions import (
    EDGES,
    LARGEST_MAP,
    MARKERS,
    OBJECTS,
    TERRAIN,
    Document,
    piece_of,
    pieces,
    square_name,
    stands_in,
)
from rules.views.weighed import weigh

from .pieces import BECOMES, BRUSHES, MAP_KINDS, SHADES, WORDS

NAMED = 40
FIRST_EDITION = "core-modern"


@dataclass
class BoardPage:
    """The state of one request: the position, the selections on it, and the answers.

    A change that was `refused` says so beside the field `at_fault`; `fields` and `where` are what was typed. `opened` is the part
    of the page that the change belongs to.
    """

    document: Document | None = None
    text: str = ""
    fault: BadInput | None = None
    refused: list[str] = field(default_factory=list)
    at_fault: str = ""
    fields: Fields | None = None
    where: str = ""
    done: str = ""
    opened: str = ""
    edition: str = FIRST_EDITION
    other: str = ""
    start: str = ""
    end: str = ""
    shade: str = ""
    figure: str = ""
    dispute: str = ""
    version: int = 0
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def fault_sentences(self) -> list[str]:
        """Why the position can't be read, in sentences."""
        return fault_sentences(self.document or {}, self.fault) if self.fault is not None else []


def written(document: Mapping[str, Any]) -> str:
    """Return a position as the text of its file."""
    return json.dumps(document, ensure_ascii=False, indent=1)


def show_page(request: HttpRequest, table: BoardPage, status: int = 200) -> HttpResponse:
    """Show the whole page, or to its script only the part that changes."""
    facts: dict[str, Any] = {"table": table, "editions": EDITIONS.values(), **table.extra}
    if table.document is not None:
        facts |= _boards(table)
        facts |= {
            "text": written(table.document),
            "drawn": table.document["map"],
            "title": table.document.get("title") if isinstance(table.document.get("title"), str) else "",
            "figures": _figures(table.document),
            "empty_fields": json.dumps(empty_fields()),
            "players": list(dict.fromkeys([*(side["player"] for side in table.document["sides"]), "A", "B"])),
            "things": table.document.get("objects", ()),
            "words": json.dumps({key: str(word) for key, word in WORDS.items()}),
        }
    else:
        facts["text"] = table.text.encode(errors="replace").decode()
    if request.headers.get("X-Board") == "part":
        return render(request, "parts/board.html", facts, status=status)
    fields = _fields(table)
    facts |= {
        "fields": {key.replace("-", "_"): value for key, value in fields.items()},
        "values_asked": [(one, fields[one.key]) for one in NUMBERS[:VALUES_ASKED]],
        "numbers_asked": [(one, fields[one.key]) for one in NUMBERS[VALUES_ASKED:]],
        "brushes": BRUSHES,
        "shades": SHADES,
        "speeds": SPEEDS,
        "sizes": SIZES,
        "flights": FLIGHTS,
        "bases": BASES,
        "ignores_moving": IGNORES_MOVING,
        "ignores_targeting": IGNORES_TARGETING,
        "kinds": MAP_KINDS,
        "largest": LARGEST_MAP,
        "key": _key(),
    }
    return render(request, "rules/board/table.html", facts, status=status)


def _fields(table: BoardPage) -> Fields:
    """Return the fields of the figure form: as typed if the change was refused, else those of the chosen figure."""
    piece = piece_of(table.document, table.figure) if table.document is not None else None
    return table.fields or (fields_of(piece) if piece is not None else empty_fields())


def _boards(table: BoardPage) -> dict[str, Any]:
    assert table.document is not None
    names = [table.edition, *([table.other] if table.other else [])]
    looks = [sight.look(table.document, name, table.start, table.end, table.shade) for name in names]
    differs = sight.differences(*looks) if len(looks) > 1 else []
    boards = []
    for number, seen in enumerate(looks):
        drawing = draw_board(
            table.document,
            title=_title(table, seen),
            prefix=f"b{number}",
            line=seen.line,
            start=table.start,
            end=table.end,
            shaded=seen.shaded,
            differs=differs,
        )
        boards.append(
            {
                "sight": seen,
                "drawing": drawing,
                "verdict": _verdict(seen),
                "marks": _marks(seen),
                "rulings": weigh(seen.rulings),
                "faults": fault_sentences(table.document, seen.fault) if seen.fault is not None else [],
            }
        )
    lines = [seen.line["result"] for seen in looks if seen.line]
    return {
        "boards": boards,
        "differs": differs[:NAMED],
        "differ_count": len(differs),
        "lines_differ": len(set(lines)) > 1,
        "compared": len(looks) > 1 and not any(seen.fault for seen in looks),
    }


def _title(table: BoardPage, seen: sight.EditionSight) -> str:
    """Return the drawing's text alternative."""
    assert table.document is not None
    drawn = table.document["map"]
    words = _("Board, %(width)s × %(height)s squares, %(edition)s.") % {
        "width": drawn["width"],
        "height": drawn["height"],
        "edition": seen.edition.title,
    }
    return f"{words} {seen.line['because'][0]}" if seen.line else words


def _verdict(seen: sight.EditionSight) -> tuple[str, Promise] | None:
    return BECOMES[seen.line["result"]] if seen.line else None


def _marks(seen: sight.EditionSight) -> list[dict[str, Any]]:
    """Return what the line of fire meets, in order, each with its state and its words."""
    marks = seen.line["marks"] if seen.line else []
    return [{**mark, "state": BECOMES[mark["becomes"]][0], "word": BECOMES[mark["becomes"]][1]} for mark in marks]


def _figures(document: Document) -> list[dict[str, Any]]:
    names = labels(document)
    return [
        {
            "id": piece["id"],
            "name": piece["name"],
            "label": names[piece["id"]],
            "player": player,
            "range": piece.get("range", 0),
            "squares": ", ".join(square_name(cell) for cell in stands_in(piece)),
            "first": square_name(stands_in(piece)[0]) if stands_in(piece) else "",
            "flight": dict(FLIGHTS).get(piece.get("flight") or "x", ""),
            "powers": _powers(piece),
            "fields": json.dumps(fields_of(piece)),
        }
        for player, piece in pieces(document)
    ]


def _powers(piece: Mapping[str, Any]) -> str:
    click = piece.get("click", 1)
    dial = piece["dial"]
    return ", ".join(dial[click - 1].get("powers", ())) if click <= len(dial) else ""


def _key() -> list[tuple[Any, list[tuple[Any, Any]]]]:
    """Return the key: each sign with its small drawing and its name."""
    shown = [
        (gettext_lazy("Terrain"), "terrain", TERRAIN),
        (gettext_lazy("On edges"), "edge", EDGES),
        (gettext_lazy("Markers"), "marker", MARKERS),
        (gettext_lazy("Objects"), "object", OBJECTS),
    ]
    groups: list[tuple[Any, list[tuple[Any, Any]]]] = [
        (title, [(swatch(sort, kind), WORDS[kind]) for kind in kinds]) for title, sort, kinds in shown
    ]
    shades = [
        (swatch("shade", "clear"), gettext_lazy("clear line of fire")),
        (swatch("shade", "hindered"), gettext_lazy("hindered line of fire")),
        (swatch("shade", "blocked"), gettext_lazy("no line of fire")),
        (swatch("shade", "reach"), gettext_lazy("reachable; the number is the speed needed")),
    ]
    groups.append((gettext_lazy("Shaded squares"), shades))
    return groups
