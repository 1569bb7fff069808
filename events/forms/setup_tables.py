"""What an event at tables of three or four, or with teams of two, can't have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from events.models import Event


def faults_of_tables(given: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Seat four at a table in a Battle Royale; yield the fields of the form that contradict each other, and why."""
    size = given.get("table_size") or Event.TableSize.TWO
    if given.get("format") == Event.Format.BATTLE_ROYALE and size == Event.TableSize.TWO:
        size = given["table_size"] = Event.TableSize.FOUR
    in_teams = given.get("teams_of_two")
    if size == Event.TableSize.TWO:
        given["place_points"] = []
    points = given.get("place_points")
    if points and len(points) != size:
        yield "place_points", _("Enter points for all %(n)d places.") % {"n": size}
    if in_teams and size == Event.TableSize.THREE:
        yield "table_size", _("Teams of two play at tables of two or four.")
    if size == Event.TableSize.TWO and not in_teams:
        return
    of_tables = size > Event.TableSize.TWO
    no_cut = (
        _("An event at tables of three or four has no cut.")
        if of_tables
        else _("An event with teams of two has no cut.")
    )
    if given.get("pairing_style") not in (None, Event.Style.SWISS):
        yield (
            "pairing_style",
            _("Tables of three or four are paired by Swiss rounds only.")
            if of_tables
            else _("Teams of two are paired by Swiss rounds only."),
        )
    for name in ("cut_to", "third_place"):
        if given.get(name):
            yield name, no_cut
