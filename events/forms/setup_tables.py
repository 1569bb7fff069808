"""What an event can't have: at tables of three or four, with teams of two, in round 1, without a build total."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from events import choices
from events.models import Event

MAX_POINTS = 1_000_000


def build_total_of(total: int | None, format_: str | None) -> int:
    """Return a typed build total; 0 if a Battle Royale has none. Raise ValidationError if it can't be."""
    if total is None and format_ == Event.Format.BATTLE_ROYALE:
        return 0
    if total is None:
        raise ValidationError(choices.NEEDS_BUILD_TOTAL)
    if not 0 < total <= MAX_POINTS:
        raise ValidationError(_("The build total must be from 1 to 1,000,000 points."))
    return total


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
        _("Events at tables of three or four have no cut. Clear this field.")
        if of_tables
        else _("Events with teams of two have no cut. Clear this field.")
    )
    if given.get("pairing_style") not in (None, Event.Style.SWISS):
        yield (
            "pairing_style",
            _("Events at tables of three or four need Swiss pairing. Choose “Swiss”.")
            if of_tables
            else _("Events with teams of two need Swiss pairing. Choose “Swiss”."),
        )
    for name in ("cut_to", "third_place"):
        if given.get(name):
            yield name, no_cut


def faults_of_first_round(given: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield why round 1 can't be paired by rank, where no one can meet by rank."""
    by_rank, style = given.get("first_round"), given.get("pairing_style")
    if by_rank == Event.FirstRound.DRAWN:
        return
    if given.get("teams_of_two"):
        yield "first_round", _("With teams of two, round 1 can't be paired by rank. Choose “drawn by lot”.")
    elif (given.get("table_size") or Event.TableSize.TWO) > Event.TableSize.TWO:
        yield "first_round", _("At tables of three or four, round 1 can't be paired by rank. Choose “drawn by lot”.")
    elif style == Event.Style.ROUND_ROBIN:
        yield (
            "first_round",
            _("In a round robin, everyone plays everyone, so round 1 can't be paired by rank. Choose “drawn by lot”."),
        )
    elif style == Event.Style.ELIMINATION and by_rank != Event.FirstRound.FOLD:
        yield (
            "first_round",
            _(
                "In single elimination, the first seed always meets the last. Choose “by rank: the first meets the last”."
            ),
        )
