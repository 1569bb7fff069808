"""The changes that a judge's forms can post, one function each, all writing through the services.

`CHANGES` names them. A change returns None to show the page itself again, otherwise the response.
"""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from rules.engine import BadInput
from rules.fault_words import action_field, fault_sentences
from rules.models import SavedDispute
from rules.positions import BadChange
from rules.services import disputes as services
from rules.services.disputes import Outdated
from rules.views.pieces import may_ask, slow_down, within

from . import acting, deciding, exact, placing, scene, what_if
from .keys import DisputeView

Change = Callable[[HttpRequest, SavedDispute, int], HttpResponse | None]


CHANGES: dict[str, Change] = {
    "place": placing.place,
    "hold": placing.hold,
    "move-piece": placing.move_piece,
    "put-away": placing.put_away,
    "bring": placing.bring,
    "sheet": scene.change_sheet,
    "renew-cards": scene.renew_cards,
    "chip": scene.tap_chip,
    "preset": scene.set_preset,
    "draw": scene.draw,
    "dismiss": placing.dismiss,
    "act": acting.act,
    "exact": acting.act_exactly,
    "roll": acting.enter_roll,
    "roll-again": acting.roll_again,
    "choose": acting.make_choice,
    "back": acting.undo,
    "undo-action": acting.remove_action,
    "etiquette": deciding.ask_etiquette,
    "decide": deciding.add_override,
    "undecide": deciding.remove_override,
    "name": deciding.set_title,
    "release": deciding.release,
    "turn": placing.set_turn,
    "event-dial": placing.set_event_dial,
    "map": placing.lay_map,
    "edition": placing.set_edition,
    "branch": what_if.add_branch,
    "branch-answer": what_if.answer_branch,
    "branch-drop": what_if.drop_branch,
}


def changed(request: HttpRequest, row: SavedDispute, place: DisputeView) -> HttpResponseBase | None:
    """Make the change a form requests and redirect to the page; None if it is refused, with messages that say why."""
    if not may_ask(request, "board_change"):
        return slow_down(request)
    given = request.POST
    do = given.get("do", "")
    version = within(given.get("version", ""), 0, 999_999_999, row.version)
    change = CHANGES.get(do.partition(":")[0])
    if change is None:
        raise Http404(_("This change doesn't exist."))
    is_late = version != row.version
    try:
        answer = _made(change, request, services.as_of(row, version), version)
    except BadChange as why:
        messages.error(request, str(why), extra_tags=why.field)
    except BadInput as fault:
        field = ("whole" if given.get("whole") else action_field(fault)) if do == "exact" else ""
        for sentence in [fault.message] if field not in ("", "whole") else fault_sentences(row.document, fault):
            messages.error(request, sentence, extra_tags=field)
    except Outdated:
        messages.warning(
            request,
            _(
                "Someone else has changed this dispute, so your last change wasn't saved. Check the dispute, then make your change again."
            ),
        )
    else:
        if is_late:
            messages.info(request, _("This dispute was changed after you opened the page. Both changes are kept."))
        if answer is not None:
            return answer
        return redirect(f"{place.home()}#next")
    row.refresh_from_db()
    if do.startswith("branch"):
        return redirect("rules:dispute-what-if", row.public_id)
    return exact.show_refused(request, row) if do == "exact" else None


def _made(change: Change, request: HttpRequest, row: SavedDispute, version: int) -> HttpResponse | None:
    """Make a change. One that doesn't fit because the dispute has changed since is outdated, not wrong."""
    try:
        return change(request, row, version)
    except (BadChange, BadInput):
        if version != row.version:
            raise Outdated(row) from None
        raise
