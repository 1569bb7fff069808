"""What if: the branches of a dispute side by side with the original."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from rules.dispute.branches import branch_words, branched, first_difference
from rules.dispute.choices import Awaited, roll_at, rolls_so_far, squares_wanted
from rules.dispute.figures import figures_on, powers_on
from rules.dispute.replay import Replay, replay_of
from rules.drawings.board import draw_board
from rules.engine import EDITIONS
from rules.models import SavedDispute
from rules.positions import BadChange, Document, piece_of
from rules.services import disputes as services
from rules.services.disputes import Outdated
from rules.views.pieces import within

from .acting import chosen_value, dice_given
from .keys import DisputeView, dispute_of, holds_key, keeps_key


@dataclass(frozen=True, slots=True)
class BranchColumn:
    """The original (number -1), or a branch beside it, by its number from 0; `more` are the words of further changes.

    `parts_at` is the first step that differs, `same` says that none does.
    """

    number: int
    title: str
    more: list[str]
    replay: Replay
    _: KW_ONLY
    parts_at: int | None = None
    same: bool = False
    drawing: str = ""

    @property
    def anchor(self) -> int:
        """The number of the column on the page."""
        return self.number + 1

    @property
    def outcome(self) -> list[tuple[str, str]]:
        """The result for each figure."""
        return self.replay.outcome()

    @property
    def awaited(self) -> Awaited | None:
        """The roll or choice that it is waiting for."""
        return self.replay.awaited if self.replay.fault is None else None

    @property
    def taps(self) -> int:
        """The number of squares that the choice asks for."""
        return squares_wanted(self.awaited.name) if self.awaited is not None else 0


@require_safe
def what_if(request: HttpRequest, slug: str, reading: bool = False) -> HttpResponse:
    """Show the branches side by side with the original: where they differ, and the result of each."""
    row = dispute_of(slug)
    judges = not reading and holds_key(request, row)
    if not reading and not judges:
        return redirect("rules:dispute-read-what-if", slug)
    if judges and (kept := keeps_key(request, row)) is not None:
        return kept
    replay = replay_of(row.document)
    place = DisputeView("judge" if judges else "reader", slug)
    columns = [_column(replay, replay, -1, _("As it happened"), [])]
    for number, branch in enumerate(row.branches):
        told = replay_of(branched(row.document, branch["changes"]))
        named = [branch_words(row.document, change) for change in branch["changes"]]
        columns.append(_column(replay, told, number, named[0] if named else "", named[1:]))
    facts = {
        "row": row,
        "home": place.home(),
        "may_change": judges,
        "columns": columns,
        "editions": [one for name, one in EDITIONS.items() if name != row.edition],
        "rolls": rolls_so_far(row.document),
        "powers_here": powers_on(row.document),
        "figures": figures_on(row.document),
        "judged": bool(row.document.get("judge")),
        "dice": range(1, 7),
    }
    return render(request, "rules/disputes/what_if.html", facts)


def _column(replay: Replay, told: Replay, number: int, title: str, more: list[str]) -> BranchColumn:
    parts_at = first_difference(replay, told) if told is not replay and told.fault is None else None
    if told.fault is not None:
        return BranchColumn(number, title, more, told)
    line = told.line_at(told.steps[-1]) if told.steps else None
    said = _("%(title)s: the final board.") % {"title": title}
    drawing = draw_board(told.board(told.last), title=said, prefix=f"w{number + 1}", line=line)
    same = told is not replay and parts_at is None
    return BranchColumn(number, title, more, told, parts_at=parts_at, same=same, drawing=drawing)


def add_branch(request: HttpRequest, row: SavedDispute, version: int) -> HttpResponse:
    """Add a what-if."""
    change = change_given(request.POST, row.document)
    if len(row.branches) >= services.MAX_BRANCHES:
        raise BadChange(
            _("A dispute can have at most %(most)s branches. Remove one first.") % {"most": services.MAX_BRANCHES}
        )
    branches = [*row.branches, {"changes": [change]}]
    said = _("What if: %(change)s") % {"change": branch_words(row.document, change)}
    services.change_dispute(dispute=row, version=version, said=said, branches=branches)
    return redirect(f"{reverse('rules:dispute-what-if', args=[row.public_id])}#branch-{len(branches)}")


def change_given(given: QueryDict, document: Mapping[str, Any]) -> Document:
    """Return the change in a what-if form. Raises BadChange."""
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
        one = roll_at(document, given.get("roll", ""))
        if one is not None:
            dice = dice_given(given, len(one.dice))
            return {"change": sort, "action": one.action, "time": one.time, "name": one.name, "dice": dice}
    raise BadChange(_("Choose what would be different."))


def answer_branch(request: HttpRequest, row: SavedDispute, version: int) -> HttpResponse:
    """Enter the roll or choice that a branch is waiting for."""
    given = request.POST
    place = within(given["do"].partition(":")[2].partition("/")[0], 0, 99, 99)
    if place >= len(row.branches):
        raise Outdated(row)
    branch = row.branches[place]
    awaited = replay_of(branched(row.document, branch["changes"])).awaited
    if awaited is None or awaited.name != given.get("name", ""):
        raise Outdated(row)
    if awaited.is_roll:
        dice = dice_given(given, awaited.dice)
        change = {"change": "roll", "action": awaited.action, "time": 99, "name": awaited.name, "dice": dice}
    else:
        value = chosen_value(awaited, given)
        change = {"change": "choice", "action": awaited.action, "name": awaited.name, "value": value}
    branches = [
        {**one, "changes": [*one["changes"], change]} if at == place else one for at, one in enumerate(row.branches)
    ]
    services.change_dispute(dispute=row, version=version, said=awaited.title, branches=branches)
    return redirect(f"{reverse('rules:dispute-what-if', args=[row.public_id])}#branch-{place + 1}")


def drop_branch(request: HttpRequest, row: SavedDispute, version: int) -> HttpResponse:
    """Remove a what-if."""
    place = within(request.POST["do"].partition(":")[2], 0, 99, 99)
    branches = [one for at, one in enumerate(row.branches) if at != place]
    services.change_dispute(dispute=row, version=version, said=_("branch removed"), branches=branches)
    return redirect("rules:dispute-what-if", row.public_id)
