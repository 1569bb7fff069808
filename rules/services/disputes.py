"""Saving disputes: begun with a position file, changed only with the key and the newest version.

`begin_dispute` is used by all pages: the stepper, an event's match, a ready-made dispute. Every change keeps the data
it replaced, so that it can be undone; two changes based on the same version are joined if they touch different things,
otherwise the second is refused.
"""

from __future__ import annotations

import copy
import hmac
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from rules import engine
from rules.engine import BadInput
from rules.merging import Conflict, joined
from rules.models import SavedDispute
from rules.positions import Cell, empty_map, pieces, stands_in, whole_numbers
from rules.sight import check_figures
from rules.uploads import LIMITS

LONGEST_TITLE = 120
LARGEST_DOCUMENT = LIMITS["position"].received
"""Characters of the largest position file that is stored."""
CHANNEL = "headjudge"
"""The channel on which PostgreSQL tells the live updates of changes."""
MAX_TAKEN_BACK = 30
LARGEST_PAST = 300_000
MAX_BRANCHES = 6
MAX_ACTIONS = 50
PARTS = ("document", "waiting", "branches", "etiquette", "title", "question", "answer")


class Outdated(Exception):
    """The dispute has changed since the page was loaded. `dispute` is its current state."""

    def __init__(self, dispute: SavedDispute) -> None:
        super().__init__(dispute)
        self.dispute = dispute


def begin_dispute(
    *,
    document: Mapping[str, Any],
    title: str = "",
    question: str = "",
    answer: str = "",
    ready: str = "",
    waiting: Iterable[Mapping[str, Any]] = (),
    return_to: str = "",
    time_zone: str = "",
) -> SavedDispute:
    """Save a position file as a new dispute and return its row.

    A character without a square that isn't knocked out, and each of `waiting` (`{"player": …, "piece": {…}}`), waits
    beside the board until it is placed; without a map the board is an empty one of 16 by 16 squares. `return_to` is a
    path of this site to which the judge returns afterwards, `time_zone` the zone for dates on its printout. Raises
    BadInput, with a pointer, for an invalid position.
    """
    made = whole_numbers(copy.deepcopy(dict(document)))
    known = made.pop("title", "")
    made.setdefault("map", empty_map(16, 16))
    beside = [*_without_squares(made), *(whole_numbers(copy.deepcopy(dict(one))) for one in waiting)]
    check_dispute(made, beside)
    row = SavedDispute(
        edition=made["edition"],
        title=_shortened(title or (known if isinstance(known, str) else "")),
        question=question,
        answer=answer,
        ready=ready,
        document=made,
        waiting=_with_ids(made, beside),
        return_to=return_to if return_to.startswith("/") and not return_to.startswith("//") else "",
        time_zone=time_zone,
    )
    row.save(force_insert=True)
    return row


def change_dispute(*, dispute: SavedDispute, version: int, said: str, **parts: Any) -> SavedDispute:
    """Replace parts of a dispute (those named in `PARTS`) and return its row; `said` describes the change.

    If `version` isn't the newest, what has changed since is kept, provided that `dispute` is as it was at `version` and
    that this change touches other things. Otherwise raises Outdated; raises BadInput for an invalid position.
    """
    return _changed(dispute, version, parts, said)


def as_of(dispute: SavedDispute, version: int) -> SavedDispute:
    """Return a dispute as it was at an earlier version, or the dispute itself if its past doesn't reach so far."""
    later = [one for one in dispute.past if one.get("version", 0) >= version]
    if not later or [one["version"] for one in later] != list(range(dispute.version - len(later), dispute.version)):
        return dispute
    if later[0]["version"] != version:
        return dispute
    seen = copy.copy(dispute)
    for one in reversed(later):
        for part, value in _whole(seen, one["was"]).items():
            setattr(seen, part, value)
    seen.edition, seen.version, seen.past = seen.document["edition"], version, dispute.past[: -len(later)]
    return seen


def take_back(*, dispute: SavedDispute, version: int) -> SavedDispute:
    """Undo the last change, if any, and return the row. Raises Outdated."""
    if not dispute.past:
        return dispute
    *left, last = dispute.past
    return _changed(dispute, version, last["was"], "", left)


def lead_back(*, dispute: SavedDispute, return_to: str) -> SavedDispute:
    """Set the page of this site to which the judge returns afterwards. Not a change of the dispute."""
    SavedDispute.objects.filter(pk=dispute.pk).update(return_to=return_to)
    dispute.return_to = return_to
    return dispute


@transaction.atomic
def release_dispute(*, dispute: SavedDispute, version: int, released: bool) -> SavedDispute:
    """Release a dispute for training (which never shows its players' names), or withdraw it.

    Raises Outdated, and BadInput for an invalid position, which an imported file may contain.
    """
    if released:
        check_dispute(dispute.document, dispute.waiting)
    moment = timezone.now() if released else None
    _write(dispute, version, {"released_at": moment})
    return dispute


def may_change(dispute: SavedDispute, key: str) -> bool:
    """Return whether that is the dispute's key."""
    return hmac.compare_digest(dispute.key.encode(), key.encode())


def check_dispute(document: Mapping[str, Any], waiting: Iterable[Mapping[str, Any]] = ()) -> None:
    """Raise BadInput if a dispute's position file, or a piece waiting to be placed, can't be read."""
    if len(json.dumps(document)) > LARGEST_DOCUMENT:
        raise BadInput("", _("A position file can be at most %(most)s KB.") % {"most": LARGEST_DOCUMENT // 1000})
    for key in ("actions", "ask"):
        if isinstance(document.get(key), list) and len(document[key]) > MAX_ACTIONS:
            raise BadInput(f"/{key}", _("This list can have at most %(most)s entries.") % {"most": MAX_ACTIONS})
    engine.adjudicate(document)
    check_figures(document)
    for place, one in enumerate(waiting):
        _check_waiting(document, one, place)


def _check_waiting(document: Mapping[str, Any], one: Mapping[str, Any], place: int) -> None:
    """Raise BadInput if a waiting piece isn't valid on any board."""
    piece = one.get("piece")
    if not isinstance(piece, dict) or not isinstance(one.get("player"), str):
        raise BadInput(f"/waiting/{place}", "This must name a player and a piece.")
    squares = {"single": ["A1"], "peanut": ["A1", "B1"]}.get(str(piece.get("base", "single")))
    squares = squares or _rectangle(str(piece.get("base")))
    stood = {**piece, "id": "waiting", "square": "A1"} if squares == ["A1"] else {**piece, "squares": squares}
    for left_out in ("holding", "captured_by"):
        stood.pop(left_out, None)
    stood["id"] = "waiting"
    bare = {
        "edition": document["edition"],
        "map": empty_map(8, 8),
        "sides": [{"player": one["player"], "characters": [stood]}],
    }
    try:
        engine.adjudicate(bare)
    except BadInput as fault:
        inside = fault.where.removeprefix("/sides/0/characters/0")
        raise BadInput(f"/waiting/{place}/piece{inside}", fault.message) from None


def _rectangle(base: str) -> list[str]:
    across, _x, down = base.partition("x")
    if not (across.isdigit() and down.isdigit()):
        return ["A1"]
    return [f"{chr(ord('A') + column)}{row + 1}" for row in range(int(across)) for column in range(int(down))]


def _without_squares(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Remove the characters without a square from a position file and return them; those knocked out stay."""
    found = []
    sides = document.get("sides")
    for side in sides if isinstance(sides, list) else []:
        if not isinstance(side, dict) or not isinstance(side.get("characters"), list):
            continue
        stay = []
        for piece in side["characters"]:
            placed = not isinstance(piece, dict) or any(piece.get(key) for key in ("square", "squares", "captured_by"))
            if placed or _is_knocked_out(piece):
                stay.append(piece)
            else:
                found.append({"player": side.get("player"), "piece": {k: v for k, v in piece.items() if k != "square"}})
        side["characters"] = stay
    return found


def _is_knocked_out(piece: Mapping[str, Any]) -> bool:
    """Return whether a piece's click is past its dial: such a piece isn't waiting to be placed."""
    dial, click = piece.get("dial"), piece.get("click", 1)
    return isinstance(dial, list) and isinstance(click, int) and click > len(dial)


def _with_ids(document: Mapping[str, Any], waiting: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the waiting pieces, each with a unique id."""
    taken = {piece["id"] for _player, piece in pieces(document)}
    taken |= {thing["id"] for thing in document.get("objects", ())}
    for one in waiting:
        wanted = name = str(one["piece"].get("id") or "figure")
        number = 2
        while name in taken:
            name, number = f"{wanted}-{number}", number + 1
        one["piece"]["id"] = name
        taken.add(name)
    return waiting


def _shortened(title: str) -> str:
    return title.strip()[:LONGEST_TITLE]


def _changed(
    dispute: SavedDispute,
    version: int,
    parts: Mapping[str, Any],
    said: str,
    past: list[dict[str, Any]] | None = None,
) -> SavedDispute:
    unknown = set(parts) - set(PARTS) - {key for key in parts if key.startswith("document/")}
    if unknown:
        raise TypeError(f"A dispute has no {', '.join(sorted(unknown))}.")
    wanted = _whole(dispute, parts)
    if "title" in wanted:
        wanted["title"] = _shortened(wanted["title"])
    seen = {key: getattr(dispute, key) for key in wanted} if dispute.version == version and past is None else None
    _check_parts(dispute, wanted)
    remembered = _remembered(dispute, wanted, said) if past is None else past
    try:
        _write(dispute, version, {**wanted, "past": remembered})
    except Outdated:
        if seen is None:
            raise
        _write_joined(dispute, seen, wanted, said)
    return dispute


def _whole(dispute: SavedDispute, parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return parts in which each key of the position file (`document/…`) is put into the whole; None leaves it out."""
    wanted = {key: value for key, value in parts.items() if not key.startswith("document/")}
    inside = {key.removeprefix("document/"): value for key, value in parts.items() if key.startswith("document/")}
    if inside:
        merged = {**dispute.document, **inside}
        wanted["document"] = {key: value for key, value in merged.items() if value is not None}
    return wanted


def _check_parts(dispute: SavedDispute, wanted: dict[str, Any]) -> None:
    """Raise BadInput if a dispute can't be read with these parts; add the edition to them."""
    if "document" in wanted or "waiting" in wanted:
        document = wanted.get("document", dispute.document)
        check_dispute(document, wanted.get("waiting", dispute.waiting))
        wanted["edition"] = document["edition"]


def _write_joined(dispute: SavedDispute, seen: Mapping[str, Any], wanted: Mapping[str, Any], said: str) -> None:
    """Write parts, changed from those `seen`, beside what has changed since. Raises Outdated if they don't go together."""
    try:
        both = {key: joined(seen[key], wanted[key], getattr(dispute, key), key) for key in seen}
        _check_parts(dispute, both)
        if _crowded(both) - _crowded(wanted) - _crowded({"document": dispute.document}):
            raise Conflict("squares")
    except (Conflict, BadInput):
        raise Outdated(dispute) from None
    _write(dispute, dispute.version, {**both, "past": _remembered(dispute, both, said)})


def _crowded(parts: Mapping[str, Any]) -> set[Cell]:
    """Return the squares of a position in which more than one piece stands."""
    found = Counter(cell for _player, one in pieces(parts.get("document", {"sides": []})) for cell in stands_in(one))
    return {cell for cell, count in found.items() if count > 1}


def _remembered(dispute: SavedDispute, wanted: Mapping[str, Any], said: str) -> list[dict[str, Any]]:
    """Return the dispute's past with the data that this change replaces; if it gets too long, the oldest is dropped."""
    was: dict[str, Any] = {key: getattr(dispute, key) for key in PARTS if key != "document" and key in wanted}
    document = wanted.get("document")
    if document is not None:
        keys = [*dispute.document, *(key for key in document if key not in dispute.document)]
        was |= {
            f"document/{key}": dispute.document.get(key)
            for key in keys
            if dispute.document.get(key) != document.get(key)
        }
    past = [*dispute.past, {"said": said, "was": was, "version": dispute.version}][-MAX_TAKEN_BACK:]
    while len(past) > 1 and len(json.dumps(past)) > LARGEST_PAST:
        past = past[1:]
    return past


def _write(dispute: SavedDispute, version: int, parts: Mapping[str, Any]) -> None:
    """Write to the row unless it has changed since that version, and tell its other devices. Raises Outdated."""
    rows = SavedDispute.objects.filter(pk=dispute.pk, version=version)
    if not rows.update(**parts, version=version + 1, changed_at=timezone.now()):
        dispute.refresh_from_db()
        raise Outdated(dispute)
    if connection.vendor == "postgresql":  # with SQLite, the streams see that the file has changed
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{dispute.public_id}:{version + 1}"])
    dispute.refresh_from_db()
