"""Penalties: given by judges, taken back by the head judge, never removed."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from events.door import Refused, door
from events.models import Entry, Round
from events.roles import Actor, Role
from judging.models import Penalty

HEAD_ONLY = frozenset({Penalty.Kind.GAME_LOSS, Penalty.Kind.DISQUALIFICATION})


def give_penalty(
    *,
    by: Actor,
    entry: Entry,
    kind: str,
    category: str,
    text: str,
    round: Round | None = None,
    **form: Any,
) -> Penalty:
    """Give a penalty; a judge cautions and warns, the head judge alone takes a game or disqualifies.

    Raises Refused for a judge who gives more, or for an empty text.
    """
    with door("give-penalty", by=by, event=entry.event, on=entry, **form) as writing:
        if by.person is None:
            raise Refused(_("Sign in: a penalty bears the name of the judge who gave it."))
        if kind in HEAD_ONLY and Role.HEAD_JUDGE not in by.roles(event=entry.event):
            raise Refused(_("Only the head judge gives a game loss or disqualifies: call the head judge."))
        if not text.strip():
            raise Refused(_("Say in a few words what happened: it stands in the report."))
        penalty = writing.create(
            Penalty, entry=entry, round=round, kind=kind, category=category, text=text.strip(), given_by=by.person
        )
        writing.summary = _("%(penalty)s for %(name)s: %(category)s") % {
            "penalty": penalty.get_kind_display(),
            "name": entry.name,
            "category": penalty.get_category_display(),
        }
    return penalty


def withdraw_penalty(*, by: Actor, penalty: Penalty, reason: str = "", **form: Any) -> Penalty:
    """Take a penalty back, with the reason; it stays in the report, marked."""
    with door("withdraw-penalty", by=by, event=penalty.entry.event, on=penalty, reason=reason, **form) as writing:
        if penalty.withdrawn:
            raise Refused(_("This penalty is taken back already."))
        writing.save(penalty, withdrawn=True, withdrawn_reason=reason.strip())
        writing.summary = _("Penalty of %(name)s taken back") % {"name": penalty.entry.name}
    return penalty
