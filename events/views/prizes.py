"""The page of an event's prize draft: whose turn it is, what is left, and who picked what."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from events.forms.prizes import PrizesForm
from events.live import newest
from events.models import Entry, Event
from events.models.drafts import SnakeRow, prize_draft_of
from events.services import prizes as services
from events.sharing import public
from events.snake import SnakeDraft

from .access import Visit, form_reason, visit
from .forces import whole_number

SHOWN_TURNS = 8
DONE = {
    "list": gettext_lazy("Prizes saved."),
    "add-forces": gettext_lazy("Figures added from the submitted forces."),
    "up": gettext_lazy("Order changed."),
    "start": gettext_lazy("Prize draft started."),
    "pick": gettext_lazy("Pick recorded."),
    "skip": gettext_lazy("Turn skipped."),
    "withdraw": gettext_lazy("Last pick withdrawn."),
}


@dataclass(frozen=True)
class Picker:
    """A player of the draft: place in its order, entry, name as this page shows it, and the prizes so far."""

    place: int
    number: int
    name: str
    prizes: list[str]
    is_out: bool
    is_next: bool
    is_mine: bool
    has_left: bool


def names_of(event: Event, *, whole: bool) -> dict[int, str]:
    """Return the names of the event's players by entry number, in one query; `whole`: also those of minors."""
    found = {}
    for entry in event.entries.only("event", "number", "name", "is_minor"):
        entry.event = event
        found[entry.number] = entry.name if whole else entry.public_name
    return found


def _in_turn(names: list[str]) -> list[str]:
    """Return names with each run of the same one written once: "Ada ×2"."""
    runs = [(name, len(list(run))) for name, run in groupby(names)]
    return [name if times == 1 else f"{name} ×{times}" for name, times in runs]


def draft_facts(
    draft: SnakeRow | None, names: Mapping[int, str], *, own: Collection[int], gone: Collection[int] = ()
) -> dict[str, Any]:
    """Return what the page of a prize draft shows of it, an event's or a series'.

    `own` are the reader's own numbers in its order, `gone` those of players who have left; a number without a name is
    that of an entry that no longer exists.
    """
    snake: SnakeDraft[int] = draft.snake if draft is not None else SnakeDraft((), ())
    out = {turn.name for turn in snake.turns if turn.for_good}
    pickers = [
        Picker(
            place, number, names.get(number, ""), snake.of(number), number in out, number == snake.whose, number in own,
            number in gone,
        )
        for place, number in enumerate(snake.order, 1)
    ]  # fmt: skip
    coming = [number for _lap, number in snake.coming(2 * len(snake.order) + 1)]
    return {
        "draft": draft,
        "version": draft.version if draft is not None else "",
        "left": list(snake.left.items()),
        "left_count": sum(snake.left.values()),
        "pickers": pickers,
        "now": next((one for one in pickers if one.is_next), None),
        "at": len(snake.turns) + 1,
        "after": _in_turn([names.get(number, "") for number in coming[1 : SHOWN_TURNS + 1]]),
        "picks_until_own": next((n for n, number in enumerate(coming) if n and number in own), None),
        "own_prizes": [prize for one in pickers if one.is_mine for prize in one.prizes],
        "turns": [(at, names.get(turn.name, ""), turn) for at, turn in enumerate(snake.turns, 1)][::-1],
    }


def acts_of(name: str, public_id: str) -> dict[str, str]:
    """Return the address of each step of a draft."""
    return {act.replace("-", "_"): reverse(f"events:{name}", args=[public_id, act]) for act in DONE}


@public()
@require_safe
def prizes(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the draft; officials edit and run it, the player whose turn it is picks."""
    return _page(visit(request, public_id))


def _page(v: Visit, form: PrizesForm | None = None, status: int = 200) -> HttpResponse:
    counter = newest(v.event)
    draft = prize_draft_of(v.event)
    may_edit, runs = bool(v.may("edit-prize-draft")), bool(v.may("skip-prize-turn"))
    names = names_of(v.event, whole=bool(v.may("see-console"))) if draft is not None else {}
    left = {Entry.State.DROPPED, Entry.State.DISQUALIFIED}
    gone = v.event.entries.filter(state__in=left).values_list("number", flat=True) if draft is not None else ()
    own = {v.entry.number} if v.entry is not None else set()
    facts = draft_facts(draft, names, own=own, gone=set(gone))
    now = facts["now"]
    if form is None and may_edit:
        form = PrizesForm(initial={"prizes": "\n".join(draft.pool) if draft is not None else ""})
    return v.render(
        "events/prizes/prizes.html",
        status=status,
        counter=counter,
        **facts,
        acts=acts_of("prizes-act", v.event.public_id),
        may_pick=now is not None and (runs or now.is_mine) and bool(v.may("pick-prize")),
        may_edit=may_edit,
        runs=runs,
        skip_needs_reason=True,
        may_move=may_edit and not facts["turns"],
        may_start=v.may("start-prize-draft"),
        has_forces=may_edit and services.has_forces(v.event),
        form=form,
    )


@require_POST
def prizes_act(request: HttpRequest, public_id: str, verb: str) -> HttpResponse:
    """Take one step of the draft."""
    v = visit(request, public_id)
    given = {"by": v.actor, "event": v.event, **form_reason(request)}
    acts: dict[str, Callable[[], object]] = {
        "up": lambda: services.move_up(number=whole_number(request.POST.get("entry")) or 0, **given),
        "start": lambda: services.start(**given),
        "pick": lambda: services.pick(prize=request.POST.get("prize", ""), **given),
        "skip": lambda: services.skip(for_good=bool(request.POST.get("for_good")), **given),
        "withdraw": lambda: services.withdraw_pick(**given),
    }
    if verb in ("list", "add-forces"):
        form = PrizesForm(request.POST)
        if not form.is_valid():
            v.require("edit-prize-draft")
            return _page(v, form, status=400)
        lines = form.lines + (services.figures_of_forces(v.event) if verb == "add-forces" else [])
        services.edit_pool(prizes=lines, **given)
    elif verb in acts:
        acts[verb]()
    else:
        raise Http404
    messages.success(request, str(DONE[verb]))
    return redirect("events:prizes", public_id)
