"""The projector page: clock, pairings by name, standings, announcements; pages turn by themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

from django.db.models import Q, Sum, prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_safe

from events import drawings
from events.display import (
    MAX_SHARES,
    OPPONENTS,
    PAGES_WITH_OPPONENTS,
    PARTS,
    PLACES,
    SECONDS,
    SIZES,
    THEMES,
    DisplayLine,
    Room,
    Settings,
    Slide,
    paged,
    read_settings,
    room_for_words,
    room_of,
    shared,
    strips_of,
)
from events.models import Event, Extension, Match, Round
from events.models.drafts import SnakeRow, prize_draft_of
from events.names import name_key
from events.next_round import next_round_of
from events.queries import cascade_of, current_round, results_of, standings_of, team_standings_of
from events.results.words import THIRD_PLACE
from events.services.pods import pods_of
from events.sharing import public
from events.standings_columns import Medium, columns_of

from .access import visit
from .pods import direction_words, ends_of
from .prizes import names_of
from .standings import bracket_of

MAX_EXTRA = 4
MAX_WORDS = 12
PLAYING = (Round.State.PUBLISHED, Round.State.RUNNING)
LETTERS_OF_A_PLACE, LETTERS_OF_A_TIME = 8, 10
WORDS = {
    "clock": gettext_lazy("Clock"),
    "pairings": gettext_lazy("Pairings"),
    "drafts": gettext_lazy("Booster draft"),
    "bracket": gettext_lazy("Bracket"),
    "standings": gettext_lazy("Standings"),
    "prizes": gettext_lazy("Prize draft"),
    "announcements": gettext_lazy("Announcements"),
    "normal": gettext_lazy("normal"),
    "large": gettext_lazy("large"),
    "": gettext_lazy("same as the browser"),
    "light": pgettext_lazy("look", "light"),
    "dark": gettext_lazy("dark"),
    "white-on-black": gettext_lazy("high contrast: white on black"),
    "black-on-white": gettext_lazy("high contrast: black on white"),
}
OPPONENT_WORDS = {
    "auto": gettext_lazy("if the list is short"),
    "yes": gettext_lazy("always"),
    "no": gettext_lazy("never (fits more names)"),
}
PLACES_WORDS = {
    "auto": gettext_lazy("top 48 during rounds of large events, otherwise all"),
    "all": gettext_lazy("all"),
}
SITE_THEMES = {"white-on-black": "dark", "black-on-white": "light"}
"""The theme on which a high contrast is based, so that the browser's own controls match."""


def _pairings(round: Round, matches: list[Match], settings: Settings, *, clock: bool, strips: list[int]) -> list[Slide]:
    """Return the pages of the list by name; if opponents would make it long, only names and tables."""
    seats = []
    for match in matches:
        if match.round_id != round.pk:
            continue
        seated = [(e.public_name, ", ".join(o.public_name for o in match.opponents_of(e))) for e in match.entries]
        short = _("missed") if match.kind == Match.Kind.MISSED else _("Bye")
        place = str(match.table) if match.table else short
        if match.kind == Match.Kind.AWARDED:
            seated = [(_("%(name)s (awarded)") % {"name": name}, opponents) for name, opponents in seated]
        third = f" ({THIRD_PLACE})" if match.is_third_place else ""
        seats += [(name, place, opponents + third) for name, opponents in seated]
    seats = list(shared(sorted(seats, key=lambda seat: name_key(seat[0])), settings.share))
    title = _("Pairings: %(round)s") % {"round": round}
    if settings.opponents != "no":
        lines = [DisplayLine(seat, len(seat[0]) + len(seat[2]) + 3, name_key(seat[0])) for seat in seats]
        found = paged("pairings", title, lines, room_of(settings, clock=clock, columns=2, strips=strips))
        if settings.opponents == "yes" or len(found) <= PAGES_WITH_OPPONENTS:
            return found
    alone = [DisplayLine((name, place, ""), len(name), name_key(name)) for name, place, _opponent in seats]
    return paged("pairings", title, alone, room_of(settings, clock=clock, columns=3, strips=strips))


def _standings(
    event: Event, matches: list[Match], settings: Settings, last: Round, room: Room, *, playing: bool
) -> list[Slide]:
    standings = team_standings_of if event.teams_of_two else standings_of
    places = standings(event, last.number, matches=matches)
    columns = columns_of(cascade_of(event), Medium.DISPLAY, places, of_teams=event.teams_of_two)
    lines = [
        DisplayLine(
            tuple((column, column.text(place)) for column in columns),
            len(place.entry.public_name) + LETTERS_OF_A_PLACE,
        )
        for place in places
        if not place.has_left
    ]
    most = settings.most_places(len(lines), playing=playing)
    title = _("Standings after %(round)s") % {"round": last.definite_name}
    if most < len(lines):
        title = _("Top %(places)d after %(round)s") % {"places": most, "round": last.definite_name}
    return paged("standings", title, shared(lines[:most], settings.share), room)


def _bracket(event: Event, matches: list[Match]) -> list[Slide]:
    pages = drawings.display_pages(*bracket_of(event, matches))
    return [
        Slide(
            "bracket", _("Bracket"), number=number, of=len(pages),
            drawing=drawings.draw_bracket(stages, names, drawings.ON_DISPLAY, f"bracket-{number}"),
        )
        for number, (stages, names) in enumerate(pages, 1)
    ]  # fmt: skip


def prize_slides(draft: SnakeRow | None, names: Mapping[int, str], room: Room) -> list[Slide]:
    """Return whose turn it is and what each player picked, in order of place, then what is left; nothing before the start."""
    if draft is None or not draft.has_started:
        return []
    snake = draft.snake
    title = _("Prize draft")
    if snake.whose is not None:
        title = _("Prize draft: %(name)s picks") % {"name": names.get(snake.whose, "")}
    rows = [(place, names.get(number, ""), ", ".join(snake.of(number))) for place, number in enumerate(snake.order, 1)]
    left = [(f"{n} ×", prize, "") for prize, n in snake.left.items()] if snake.whose is not None else []
    lines, more = (
        [DisplayLine(row, len(row[1]) + len(row[2]) + LETTERS_OF_A_PLACE) for row in listed] for listed in (rows, left)
    )
    return paged("prizes", title, lines, room) + paged("prizes-left", _("Prizes left"), more, room)


def _drafts(event: Event, round: Round, room: Room) -> list[Slide]:
    """Return the tables that draft boosters, each with its pick, its time and the players it waits for; none after the last."""
    pods = [pod for pod in pods_of(round) if pod.ended is None and pod.step < pod.passing.steps]
    names, lines = names_of(event, whole=False) if pods else {}, []
    for pod in pods:
        passing, waiting = pod.passing, ", ".join(names.get(number, "") for number in pod.waiting_for)
        said = _("Booster %(booster)d, pick %(pick)d of %(of)d, passing %(way)s") % {
            "booster": passing.booster(pod.step), "pick": passing.pick(pod.step), "of": pod.figures,
            "way": direction_words(passing.direction(pod.step)),
        }  # fmt: skip
        waits = _("Waiting for: %(names)s") % {"names": waiting} if waiting else ""
        cells = (str(pod.match.table), said, waits, *ends_of(pod))
        lines.append(DisplayLine(cells, len(said) + len(waits) + LETTERS_OF_A_TIME))
    return paged("drafts", _("Booster draft"), lines, room)


def slides_of(event: Event, round: Round | None, settings: Settings, *, clock: bool, words: list[str]) -> list[Slide]:
    """Return all pages. Pairings appear while a round is played, a bracket and standings of complete rounds always.

    `words` are the announcements, newest first; those that don't fit below the pages get their own.
    """
    strips = strips_of(words, settings, clock=clock)
    standing = [len(text) for text in words[:strips]]
    found: list[Slide] = []
    if round is not None:
        playing = round.state in PLAYING
        matches = results_of(event)
        if "pairings" in settings.parts and playing:
            found += _pairings(round, matches, settings, clock=clock, strips=standing)
        if "drafts" in settings.parts and playing and event.has_booster_draft:
            found += _drafts(event, round, room_of(settings, clock=clock, strips=standing))
        if "bracket" in settings.parts:
            found += _bracket(event, matches)
        complete = [m.round for m in matches if m.round.state == Round.State.COMPLETE]
        if "standings" in settings.parts and complete:
            room = room_of(settings, clock=clock, strips=standing)
            found += _standings(
                event, matches, settings, max(complete, key=attrgetter("number")), room, playing=playing
            )
    if "prizes" in settings.parts:
        draft = prize_draft_of(event)
        names = names_of(event, whole=False) if draft is not None and draft.has_started else {}
        found += prize_slides(draft, names, room_of(settings, clock=clock, strips=standing))
    more = [DisplayLine(text, len(text)) for text in words[strips:]]
    return found + paged("words", _("Announcements"), more, room_for_words(clock=clock))


def _extra_time(round: Round) -> list[tuple[int | None, int]]:
    """Return the open tables with extra time, and the minutes each was given."""
    given = Extension.objects.filter(match__round=round, withdrawn=False).exclude(match__state=Match.State.CONFIRMED)
    found = given.values_list("match__table").annotate(seconds=Sum("seconds")).order_by("match__table")
    return [(table, seconds // 60) for table, seconds in found]


@public("show", "seconds", "size", "theme", "opponents", "places", "share", "page")
@require_safe
def display(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the display with the settings of its query string, so that each window can differ."""
    v = visit(request, public_id)
    settings = read_settings(request.GET, request.GET.getlist("show"))
    round = current_round(v.event)
    if round is not None:
        prefetch_related_objects([round], "clock_runs")
    now = timezone.now()
    announced = v.event.announcements.filter(Q(until__isnull=True) | Q(until__gt=now), withdrawn=False)
    words = [*next_round_of(v.event), *announced[:MAX_WORDS]] if "announcements" in settings.parts else []
    has_clock = "clock" in settings.parts and round is not None and round.state != Round.State.COMPLETE
    texts = [word.text for word in words]
    slides = slides_of(v.event, round, settings, clock=has_clock, words=texts)
    extra = _extra_time(round) if round is not None and has_clock else []
    return v.render(
        "events/display/display.html",
        **shown_as(request, settings, slides),
        round=round,
        has_clock=has_clock,
        words=words[: strips_of(texts, settings, clock=has_clock)],
        extra=extra[:MAX_EXTRA],
        more_extra=max(0, len(extra) - MAX_EXTRA),
        parts=[(part, WORDS[part], part in settings.parts) for part in PARTS],
        opponents=[(one, OPPONENT_WORDS[one], one == settings.opponents) for one in OPPONENTS],
        places=[(one, PLACES_WORDS[one], one == settings.places) for one in PLACES],
        shares=_shares(settings),
    )


def shown_as(request: HttpRequest, settings: Settings, slides: Sequence[Slide]) -> dict[str, Any]:
    """Return what every display's template needs: the pages, the one it begins with, and the choices of its look."""
    asked = request.GET.get("page", "")
    at = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 4 else 0
    turned = request.GET.copy()
    at = at % len(slides) if slides else 0
    turned["page"] = str(at + 1)
    theme = {"theme": SITE_THEMES.get(settings.theme, settings.theme)} if settings.theme else {}
    return {
        **theme,
        "settings": settings,
        "is_high_contrast": settings.theme in SITE_THEMES,
        "slides": slides,
        "at": at,
        "next_page": turned.urlencode(),
        "sizes": [(size, WORDS[size], size == settings.size) for size in SIZES],
        "themes": [(theme, WORDS[theme], theme == settings.theme) for theme in THEMES],
        "least": SECONDS[0],
        "most": SECONDS[1],
    }


def _shares(settings: Settings) -> list[tuple[str, str, bool]]:
    """Return the choices of a window's part of a list."""
    found = [("1/1", _("the whole list"), settings.share == (1, 1))]
    for of in range(2, MAX_SHARES + 1):
        for part in range(1, of + 1):
            words = _("part %(part)d of %(of)d") % {"part": part, "of": of}
            found.append((f"{part}/{of}", words, settings.share == (part, of)))
    return found
