"""Set up a table's dispute: a position with the match's figures ready to place, and the event's edition and map.

The position belongs to the rules app (`rules.services.disputes`), open to anyone with its address.
`judging.models.TableDispute` stores which table it is about, so that the ruling can be linked to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from events.door import Refused, fresh
from events.models import Force, Match
from events.roles import Actor
from judging.disputes import PLAYERS, figures_of, map_named, position_of, printed_in
from judging.models import Call, TableDispute
from judging.readings import read_position
from judging.services import calls
from judging.services.decisions import Dispute, note_dispute
from rules.engine import BadInput
from rules.models import SavedDispute
from rules.queries import cards_by_number
from rules.services.disputes import begin_dispute, check_dispute


@dataclass(frozen=True)
class Opened:
    """A dispute set up for a table: its row in the rules app, its row here, and the figures whose dial isn't known."""

    saved: SavedDispute
    noted: TableDispute
    unknown: tuple[str, ...]


def forces_of(match: Match) -> dict[str, Force]:
    """Return the forces that count in the match's round, by side; one query."""
    rows = Force.objects.filter(
        entry_id__in=[match.a_id, match.b_id], from_round__lte=match.round.number, state=Force.State.SUBMITTED
    ).defer("work")
    latest = {force.entry_id: force for force in rows.order_by("from_round")}
    pairs = {"a": match.a_id, "b": match.b_id}
    return {side: latest[pk] for side, pk in pairs.items() if pk in latest}


@transaction.atomic
def open_dispute(*, by: Actor, match: Match) -> Opened:
    """Set up a position for a table, with both forces ready to place, and return it.

    Raises Refused if the person may not, or if the table has no players.
    """
    if match.kind != Match.Kind.GAME or match.table is None:
        raise Refused(_("No one is playing here, so no ruling is needed."))
    if match.is_of_many:
        raise Refused(
            _("A position has two sides. Open an empty board and place the figures of the two players involved.")
        )
    event = fresh(match.round.event)
    return_to = _way_back(match, match.disputes.count() + 1)
    call: Call | None = calls.open_call(match)
    forces = forces_of(match)
    waiting, unknown, names = [], [], []
    printed = cards_by_number(one for force in forces.values() for one in printed_in(force.document, force.origins))
    for side, force in forces.items():
        figures, missing = figures_of(PLAYERS[side], force.document, force.origins, printed)
        waiting += figures
        unknown += missing
        names += force.maps
    by_map = match.result.map_by if match.result else None
    if by_map in forces:
        names = [*forces[by_map].maps, *names]
    title = _("%(round)s, table %(table)s") % {"round": match.round, "table": match.table}
    themed = {PLAYERS[side]: force.report.get("themed_team") for side, force in forces.items()}
    themes = {player: theme["keyword"] for player, theme in themed.items() if theme}
    document = position_of(event.edition, event.build_total, map_named(names, event.edition), themes)
    also = {"title": title, "return_to": return_to, "time_zone": event.venue.time_zone}
    try:
        saved = begin_dispute(document=document, waiting=waiting, **also)
    except BadInput:
        kept = _readable(document, waiting, unknown)
        saved = begin_dispute(document=document, waiting=kept, **also)
    noted = note_dispute(by=by, match=match, key=saved.public_id, title=title, call=call)
    return Opened(saved, noted, tuple(dict.fromkeys(unknown)))


def _way_back(match: Match, place: int) -> str:
    """Return the address where the ruling on the table's dispute of that place is recorded."""
    asked = {"round": match.round.number, "table": match.table, "position": place}
    return f"{reverse('judging:rule', args=[match.round.event.public_id])}?{urlencode(asked)}"


def _readable(document: dict, waiting: list[dict], unknown: list[str]) -> list[dict]:
    """Return the figures that the edition can read; name the others as not known."""
    kept = []
    for one in waiting:
        try:
            check_dispute(document | {"map": {"width": 16, "height": 16}}, [one])
        except BadInput:
            unknown.append(one["piece"]["name"])
        else:
            kept.append(one)
    return kept


def dispute_at(key: str) -> Dispute | None:
    """Return the position at an address of the rules app with the engine's answer, or None."""
    saved = SavedDispute.objects.filter(public_id=key).first() if key else None
    if saved is None:
        return None
    return Dispute(key=saved.public_id, document=saved.document, reading=read_position(saved.document))


def saved_at(key: str) -> SavedDispute | None:
    """Return the saved dispute at an address."""
    return SavedDispute.objects.filter(public_id=key).first() if key else None
