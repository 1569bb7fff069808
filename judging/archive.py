"""A finished event as a folder of pages that open from a disk: standings, rounds and forces, as the public may read them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils import timezone

from events import building
from events.documents import bench_of_document
from events.force_words import SECTIONS
from events.models import Event, Force, Match, Round
from events.queries import published_rounds, results_of
from events.results.reading import ResultTerms
from events.results.words import Scored, result_card
from events.services.forces import may_see
from events.standings_columns import printed_tables


@dataclass(frozen=True)
class Played:
    """A match of a page: its table, its players with their points, the winner first, and a note."""

    table: int | None
    card: list[Scored]
    note: str


@dataclass(frozen=True)
class ShownForce:
    """A player's force from a round on: its sections, each a heading with the elements in words."""

    player: str
    round: int
    name: str
    total: int
    sections: list[tuple[str, list[str]]]


def archive_of(event: Event) -> bytes:
    """Return the folder as a ZIP file. Names are those that the public may read on the day it is made."""
    matches: dict[int, list[Match]] = {}
    for match in results_of(event):
        matches.setdefault(match.round_id, []).append(match)
    rounds, forces = published_rounds(event), list(_forces(event))
    shared = {"event": event, "rounds": rounds, "has_forces": bool(forces), "made": timezone.now()}
    pages: dict[str, tuple[str, dict[str, Any]]] = {
        "index.html": ("index", {"tables": printed_tables(event)}),
        **{
            _page_of(row): ("round", {"round": row, "matches": _played(row, matches.get(row.pk, []))}) for row in rounds
        },
        **({"forces.html": ("forces", {"forces": forces})} if forces else {}),
    }
    target, folder = io.BytesIO(), f"headjudge-{event.public_id}"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (template, facts) in pages.items():
            archive.writestr(f"{folder}/{name}", render_to_string(f"judging/archive/{template}.html", shared | facts))
        archive.writestr(f"{folder}/style.css", render_to_string("judging/archive/style.css"))
    return target.getvalue()


def _page_of(row: Round) -> str:
    return f"round-{row.number}.html"


def _played(row: Round, matches: list[Match]) -> list[Played]:
    found = []
    for match in matches:
        names = [entry.public_name for entry in match.entries]
        terms = ResultTerms(
            row.event.edition,
            row.event.build_total,
            name_a=names[0],
            name_b="".join(names[1:2]),
            further=tuple(names[2:]),
        )
        card = result_card(match.result, terms) if match.kind == Match.Kind.GAME else []
        found.append(Played(match.table, card or [Scored(name, "", "", wins=False) for name in names], match.note))
    return found


def _forces(event: Event) -> Iterator[ShownForce]:
    rows = Force.objects.filter(entry__event=event, state=Force.State.SUBMITTED).select_related("entry")
    for force in rows.order_by("entry__name", "entry_id", "from_round"):
        force.entry.event = event
        if may_see(event, force, frozenset(), mine=False):
            yield ShownForce(force.entry.public_name, force.from_round, force.name, force.total, _sections(force))


def _sections(force: Force) -> list[tuple[str, list[str]]]:
    bench = bench_of_document(force.document, force.origins)
    found: dict[str, list[str]] = {}
    for pick in bench["picks"]:
        facts = building.facts_of(bench, pick)
        printed = " ".join(str(facts[key]) for key in ("set", "number") if facts.get(key))
        key = "sideline" if pick.get("sideline") else pick["section"]
        found.setdefault(str(SECTIONS[key]), []).append(
            f"{facts['name']} ({printed})" if printed else str(facts["name"])
        )
    return list(found.items())
