"""Judges' overrides of a dispute, and its title and question."""

from __future__ import annotations

import secrets

from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from rules.dispute.overrides import allowed_by, decidable, etiquette_of, moment_of
from rules.dispute.replay import Replay, StepView, replay_of
from rules.models import SavedDispute
from rules.positions import BadChange, Document
from rules.services import disputes as services
from rules.views.pieces import within

MAX_TEXT = 2000


def ask_etiquette(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Record the die roll that settled something the rules don't cover."""
    given = request.POST
    if etiquette_of(row.edition) is None:
        raise BadChange(
            _("This rulebook has no die roll for situations that the rules don't cover. Record a ruling instead.")
        )
    here = given["do"] == "etiquette:here"
    die = secrets.randbelow(6) + 1 if here else within(given.get("die-1", ""), 0, 6, 0)
    if not die:
        raise BadChange(_("Enter what the die shows."))
    entry = {
        "question": given.get("about", "").strip()[:MAX_TEXT],
        "die": die,
        "allowed": allowed_by(die),
        "rolled_here": here,
        "at": timezone.now().isoformat(timespec="seconds"),
    }
    said = _("Die roll for a situation that the rules don't cover: %(die)s") % {"die": die}
    services.change_dispute(dispute=row, version=version, said=said, etiquette=[*row.etiquette, entry])


def add_override(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Add an override before the step shown."""
    given = request.POST
    replay = replay_of(row.document)
    number = within(given.get("step", ""), 0, 9999, 0)
    shown = replay.steps[number - 1] if 1 <= number <= replay.last else None
    decision = decision_given(given, replay, shown)
    document = {**row.document, "judge": [*row.document.get("judge", ()), decision]}
    services.change_dispute(dispute=row, version=version, said=_("Judge's override"), document=document)


def decision_given(given: QueryDict, replay: Replay, shown: StepView | None) -> Document:
    """Return the override in a form, in the keys of a position file. Raises BadChange."""
    decision: Document = {"text": given.get("text", "").strip()[:MAX_TEXT], "by": given.get("by", "").strip()[:80]}
    if shown is not None:
        decision["before"] = moment_of(replay, shown)
    for key, value in (
        (option.key, given.get(f"set-{option.key}", "").strip())
        for option in (decidable(shown) if shown is not None else ())
    ):
        if value:
            decision.setdefault("set", {})[key] = (
                value == "yes" if value in ("yes", "no") else int(value) if value.lstrip("-").isdigit() else value
            )
    of, value = given.get("of", ""), given.get("value", "")
    if of and value and given.get("by-how-much", "").strip():
        typed = given.get("by-how-much", "").strip().replace("−", "-")
        if not typed.lstrip("+-").isdigit():
            raise BadChange(_("Enter a number, such as +1 or −2 for a modifier, or 9 for a replacement."))
        if given.get("way") == "replace":
            decision["replacements"] = [{"of": of, "value": value, "set": abs(int(typed))}]
        else:
            decision["modifiers"] = [{"of": of, "value": value, "by": int(typed)}]
    if not decision["text"] and not set(decision) & {"set", "modifiers", "replacements"}:
        raise BadChange(_("Describe the override, or choose what it changes."))
    return decision


def remove_override(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Remove one of the judge's overrides."""
    number = within(request.POST["do"].partition(":")[2], 0, 9999, 9999)
    left = [one for place, one in enumerate(row.document.get("judge", ())) if place != number]
    document = {**row.document, "judge": left}
    services.change_dispute(dispute=row, version=version, said=_("override removed"), document=document)


def set_title(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Save the title and the question."""
    given = request.POST
    question = given.get("question", "").strip()[:MAX_TEXT]
    services.change_dispute(
        dispute=row,
        version=version,
        said=_("title and question edited"),
        title=given.get("title", ""),
        question=question,
    )


def release(request: HttpRequest, row: SavedDispute, version: int) -> None:
    """Release the dispute for training, or withdraw it."""
    services.release_dispute(dispute=row, version=version, released=request.POST["do"] == "release:yes")
