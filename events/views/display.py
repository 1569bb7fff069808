"""The projector's page: clock, pairings by name, standings, announcements; pages turn by themselves."""

from __future__ import annotations

from django.db.models import Q, Sum, prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from events.display import PARTS, SECONDS, Room, Settings, Slide, paged, read_settings, room_of
from events.models import Event, Extension, Match, Round
from events.queries import current_round, results_of, standings_of

from .access import visit

MOST_EXTRA = 4
PART_WORDS = {
    "clock": gettext_lazy("Clock"),
    "pairings": gettext_lazy("Pairings"),
    "standings": gettext_lazy("Standings"),
    "announcements": gettext_lazy("Announcements"),
}


def _pairings(round: Round, matches: list[Match], room: Room) -> list[Slide]:
    lines = []
    for match in matches:
        if match.round_id != round.pk:
            continue
        a, b = match.a.public_name, match.b.public_name if match.b else ""
        place = str(match.table) if match.table else match.get_kind_display()
        lines.append(((a, place, b), len(a) + len(b) + 3))
        if b:
            lines.append(((b, place, a), len(a) + len(b) + 3))
    lines.sort(key=lambda line: line[0][0].casefold())
    title = _("Pairings of round %(number)d") % {"number": round.number}
    return paged("pairings", title, lines, room)


def _standings(event: Event, matches: list[Match], room: Room, number: int) -> list[Slide]:
    lines = [
        (
            (
                place.place,
                "=" if place.is_tied else "",
                place.entry.public_name,
                f"{place.standing.wins}–{place.standing.losses}",
                place.cells[1].text if len(place.cells) > 1 else place.cells[0].text,
            ),
            len(place.entry.public_name) + 8,
        )
        for place in standings_of(event, number, matches=matches)
        if not place.has_left
    ]
    return paged("standings", _("Standings after round %(number)d") % {"number": number}, lines, room)


def slides_of(event: Event, round: Round | None, settings: Settings, room: Room) -> list[Slide]:
    """Return the pages to turn. Pairings come while a round is played, standings of complete rounds always."""
    if round is None:
        return []
    matches = results_of(event)
    found: list[Slide] = []
    if "pairings" in settings.parts and round.state in (Round.State.PUBLISHED, Round.State.RUNNING):
        found += _pairings(round, matches, room)
    complete = [m.round.number for m in matches if m.round.state == Round.State.COMPLETE]
    if "standings" in settings.parts and complete:
        found += _standings(event, matches, room, max(complete))
    return found


def _extra_time(round: Round) -> list[tuple[int | None, int]]:
    """Return the tables that still play with extra time, and how many minutes each was given."""
    given = Extension.objects.filter(match__round=round, withdrawn=False).exclude(match__state=Match.State.CONFIRMED)
    found = given.values_list("match__table").annotate(seconds=Sum("seconds")).order_by("match__table")
    return [(table, seconds // 60) for table, seconds in found[:MOST_EXTRA]]


@require_safe
def display(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the display with the settings of its own query string, so that several windows can show several things."""
    v = visit(request, public_id)
    settings = read_settings(request.GET, request.GET.getlist("show"))
    round = current_round(v.event)
    if round is not None:
        prefetch_related_objects([round], "clock_runs")
    now = timezone.now()
    announced = v.event.announcements.filter(Q(until__isnull=True) | Q(until__gt=now), withdrawn=False)[:3]
    words = list(announced) if "announcements" in settings.parts else []
    has_clock = "clock" in settings.parts and round is not None and round.state != Round.State.COMPLETE
    slides = slides_of(v.event, round, settings, room_of(settings, clock=has_clock, strips=len(words)))
    asked = request.GET.get("page", "")
    at = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 4 else 0
    at = at % len(slides) if slides else 0
    turned = request.GET.copy()
    turned["page"] = str(at + 1)
    return v.render(
        "events/display/display.html",
        settings=settings,
        round=round,
        slides=slides,
        at=at,
        next_page=turned.urlencode(),
        has_clock=has_clock,
        words=words,
        extra=_extra_time(round) if round is not None and has_clock else [],
        parts=[(part, PART_WORDS[part], part in settings.parts) for part in PARTS],
        sizes=[("normal", _("normal"), settings.size == "normal"), ("large", _("large"), settings.size == "large")],
        least=SECONDS[0],
        most=SECONDS[1],
    )
