"""A finished event as a folder of pages that open from a disk: standings, rounds and forces, as the public may read them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone

from events.models import Event, Force, Match, Round
from events.outside import Sections, played, with_sections
from events.queries import published_rounds, results_of
from events.services.forces import may_see
from events.services.profiles import left_out_of_archives
from events.standings_columns import printed_tables

STYLE = settings.BASE_DIR / "config" / "static" / "plain.css"


@dataclass(frozen=True)
class ShownForce:
    """A player's force from a round on."""

    player: str
    round: int
    name: str
    total: int
    sections: Sections


def archive_of(event: Event) -> bytes:
    """Return the folder as a ZIP file.

    Names are those that the public may read on the day it is made, without those of players who don't want to be in it.
    """
    event.unnamed = left_out_of_archives(event)
    matches: dict[int, list[Match]] = {}
    for match in results_of(event):
        matches.setdefault(match.round_id, []).append(match)
    rounds, forces = published_rounds(event), list(_forces(event))
    shared = {"event": event, "rounds": rounds, "has_forces": bool(forces), "made": timezone.now()}
    pages: dict[str, tuple[str, dict[str, Any]]] = {
        "index.html": ("index", {"tables": printed_tables(event)}),
        **{_page_of(row): ("round", {"round": row, "matches": played(row, matches.get(row.pk, []))}) for row in rounds},
        **({"forces.html": ("forces", {"forces": forces})} if forces else {}),
    }
    target, folder = io.BytesIO(), f"headjudge-{event.public_id}"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (template, facts) in pages.items():
            archive.writestr(f"{folder}/{name}", render_to_string(f"judging/archive/{template}.html", shared | facts))
        archive.write(STYLE, f"{folder}/style.css")
    return target.getvalue()


def _page_of(row: Round) -> str:
    return f"round-{row.number}.html"


def _forces(event: Event) -> Iterator[ShownForce]:
    rows = Force.objects.filter(entry__event=event, state=Force.State.SUBMITTED).select_related("entry")
    found = list(rows.order_by("entry__name", "entry_id", "from_round"))
    for force in found:
        force.entry.event = event
    for force, sections in with_sections(one for one in found if may_see(event, one, frozenset(), mine=False)):
        yield ShownForce(force.entry.public_name, force.from_round, force.name, force.total, sections)
