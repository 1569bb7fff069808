"""Pages of standings and drawings: cross table, a player's path, places by round, the bracket."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe
from django_tables2 import RequestConfig

from events import drawings, live
from events.models import Entry, Event, Match, Round
from events.queries import (
    PlaceInStandings,
    Played,
    cascade_of,
    played,
    published_rounds,
    results_of,
    standings_of,
    team_standings_of,
    teams_of,
)
from events.results.reading import ResultTerms
from events.results.result import OTHER
from events.results.words import THIRD_PLACE, place_words, sentence, stage_name
from events.services.profiles import profiles_at
from events.shared_parts import shared_part
from events.sharing import public
from events.standings_columns import NAME, Medium, columns_of
from events.tables.columns import mark_row
from events.tables.standings import LinesTable, StandingsTable, TeamStandingsTable

from .access import visit

MAX_LINES = 64
"""Players drawn in the chart and the cross table unless a page asks for more; the tables always have all."""

DRAWING = "events/drawings/drawing.html"


def _asked_round(request: HttpRequest, numbers: Sequence[int]) -> int | None:
    asked = request.GET.get("round", "")
    if not asked.isdecimal() or len(asked) > 3:
        return None
    return int(asked) if int(asked) in numbers else None


@public("round", "sort")
@require_safe
def standings(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the standings, now or after a round, with an explanation of each column."""
    v = visit(request, public_id)
    counter = live.newest(v.event)
    places = shared_part(request, "events/standings/places.html", _places, event=v.event, counter=counter)
    if v.entry is not None:
        places = mark_row(places, reverse("events:path", args=[public_id, v.entry.number]))
    return v.render("events/standings/standings.html", places=places, counter=counter)


def _places(event: Event, asked: HttpRequest) -> dict[str, Any]:
    """Return what all readers of the standings share."""
    rounds = published_rounds(event)
    after = _asked_round(asked, [round.number for round in rounds])
    entries = list(event.entries.only("event", "number", "name", "is_minor", "state", "team").order_by("number"))
    matches = played(rounds, entries)
    places = standings_of(event, after, matches=matches, entries=entries)
    columns = columns_of(cascade_of(event), Medium.PAGE, places)
    waiting = [m for m in matches if m.state != Match.State.CONFIRMED and (after is None or m.round.number <= after)]
    last = newest_round(rounds, after)
    in_cut = any(place.cut_rounds is not None for place in places)
    cut = 0 if in_cut else event.cut_to
    table = StandingsTable(
        places, event=event, columns=columns, caption=caption_of(last), cut_after=cut, profiles=profiles_at(event)
    )
    RequestConfig(asked, paginate=False).configure(table)
    return {
        "table": table,
        "team_table": _team_table(event, after, matches, entries, caption_of(last)),
        "rounds": rounds,
        "after": after,
        "last": last,
        "criteria": [column for column in columns if column.criterion is not None],
        "waiting": len(waiting),
        "tied": _tied(places),
        "cut": cut,
        "parts_level": _level_at_the_line(places, cut),
        "in_cut": in_cut,
        "cap": event.cap,
    }


def _team_table(
    event: Event, after: int | None, matches: Sequence[Played], entries: Sequence[Entry], caption: str
) -> TeamStandingsTable | None:
    """Return the standings of the teams, or None in an event without teams."""
    if not event.teams_of_two:
        return None
    places = team_standings_of(event, after, matches=matches, entries=entries)
    columns = columns_of(cascade_of(event), Medium.PAGE, places, of_teams=True)
    return TeamStandingsTable(places, event=event, columns=columns, caption=_("Teams: %(what)s") % {"what": caption})


def newest_round(rounds: Sequence[Round], after: int | None) -> Round | None:
    """Return the newest round that these standings count."""
    return next((round for round in reversed(rounds) if after is None or round.number <= after), None)


def caption_of(last: Round | None) -> str:
    """Return the heading of standings whose newest round is `last`, on pages and paper."""
    if last is None:
        return _("Standings before the first round")
    if last.state != Round.State.COMPLETE:
        return _("Standings during %(round)s") % {"round": last.definite_name}
    return _("Standings after %(round)s") % {"round": last.definite_name}


def _tied(places: Sequence[PlaceInStandings]) -> list[tuple[int, list[str]]]:
    """Return the shared places with the names of those who share them."""
    shared: dict[int, list[str]] = {}
    for place in places:
        if place.is_tied:
            shared.setdefault(place.place, []).append(place.entry.public_name)
    return sorted(shared.items())


def _level_at_the_line(places: Sequence[PlaceInStandings], cut: int) -> list[str]:
    """Return the players tied across the line of the cut, which then needs a decision."""
    playing = [place for place in places if not place.has_left]
    if not cut or len(playing) <= cut or playing[cut - 1].place != playing[cut].place:
        return []
    return [place.entry.public_name for place in playing if place.place == playing[cut].place]


OUTCOMES = {
    "win": gettext_lazy("won"),
    "loss": gettext_lazy("lost"),
    "draw": gettext_lazy("drawn"),
    "bye": gettext_lazy("bye"),
    "awarded": gettext_lazy("awarded bye"),
    "missed": gettext_lazy("missed"),
    "open": gettext_lazy("still open"),
}
SIGNS = {"win": "+", "loss": "−", "draw": "="}


def outcome(match: Match, side: str) -> str:
    """Return a match's outcome for a side: win, loss, draw, bye, awarded, missed or open."""
    if match.kind != Match.Kind.GAME:
        return str(match.kind)
    if match.state != Match.State.CONFIRMED or match.result is None:
        return "open"
    return match.result.outcome(side)


def _public_terms(match: Match) -> ResultTerms:
    event = match.round.event
    name_a, *others = (entry.public_name for entry in match.entries)
    return ResultTerms(
        event.edition,
        event.build_total,
        name_a=name_a,
        name_b=others[0] if others else "",
        further=tuple(others[1:]),
    )


def _words(match: Match) -> str:
    """Return a match and its round in words, as the public may read them."""
    return _("%(round)s: %(said)s.") % {"round": match.round_name, "said": _said(match)}


def _said(match: Match) -> str:
    said = sentence(match.result, _public_terms(match)) if match.result and match.state == Match.State.CONFIRMED else ""
    alone = () if match.b else (str(match.get_kind_display()),)
    return said or " – ".join((*(entry.public_name for entry in match.entries), *alone))


def _between(match: Match, own: str, other: str) -> str:
    """Return the outcome of a match between two of its seats: at a table, the better place beats the other."""
    came = outcome(match, own)
    if not match.is_of_many or came == "open" or match.result is None:
        return came
    better = match.result.place(other) - match.result.place(own)
    return "win" if better > 0 else "loss" if better < 0 else "draw"


@public("all")
@require_safe
def cross_table(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show every player against every other, as a drawing and a table."""
    v = visit(request, public_id)
    matches = results_of(v.event)
    places = standings_of(v.event, matches=matches)
    shown = places if request.GET.get("all") else places[:MAX_LINES]
    index = {place.entry.pk: position for position, place in enumerate(shown)}
    meetings: list[drawings.Meeting] = []
    cells: dict[int, dict[int, str]] = {place.entry.pk: {} for place in places}
    for match in matches:
        for own in match.entries:
            if own.pk not in cells:
                continue
            cells[own.pk][match.round.number] = _cell(match, own, places)
            meetings += [
                drawings.Meeting(index[own.pk], index[other.pk], _between(match, *sides), _words(match))
                for other in match.opponents_of(own)
                if own.pk in index and other.pk in index and (sides := (match.seat_of(own), match.seat_of(other)))
            ]
    rounds = {match.round.number: match.round for match in matches}
    lines = [
        {
            "place": place.place,
            "name": place.entry.public_name,
            "class": "mine" if v.entry and v.entry.pk == place.entry.pk else "",
        }
        | {f"round_{number}": cells[place.entry.pk].get(number, "") for number in rounds}
        for place in places
    ]
    names = [place.entry.public_name for place in shown]
    heads = [("name", _("Player")), ("place", _("Place"))]
    heads += [(f"round_{number}", round.heading) for number, round in rounds.items()]
    return v.render(
        DRAWING,
        heading=_("Cross table"),
        tab="cross",
        sign="table-2",
        names=drawings.draw_cross_names(names),
        drawing=drawings.draw_cross_table(names, meetings) if shown else "",
        table=LinesTable(
            lines, heads=heads, caption=_("Cross table: result, opponent's place, victory points"), is_wide=True
        ),
        left_out=len(places) - len(shown),
    )


def _cell(match: Match, own: Entry, places: Sequence[PlaceInStandings]) -> str:
    side = match.seat_of(own)
    came = outcome(match, side)
    if match.b is None:
        return str(OUTCOMES[came])
    if match.is_of_many:
        return (
            "…"
            if came == "open" or match.result is None
            else f"{match.result.place(side)}. ({match.result.score(side)})"
        )
    (other,) = match.opponents_of(own)
    rank = next((place.place for place in places if place.entry.pk == other.pk), "?")
    if came == "open" or match.result is None:
        return f"… {rank}"
    return f"{SIGNS[came]}{rank} ({match.result.score(side)}:{match.result.score(OTHER[side])})"


def _by_round(event: Event, matches: Sequence[Match], rounds: Sequence[Round]) -> dict[int, dict[int, int]]:
    """Return each entry's place (by key) after each round, computed from the same rows."""
    entries = list(event.entries.order_by("number"))
    found: dict[int, dict[int, int]] = {}
    for round in rounds:
        for place in standings_of(event, round.number, matches=matches, entries=entries):
            found.setdefault(place.entry.pk, {})[round.number] = place.place
    return found


def _teams_by_round(event: Event, matches: Sequence[Match], rounds: Sequence[Round]) -> dict[int, dict[int, int]]:
    """Return each team's place (by key) after each round, computed from the same rows."""
    entries = list(event.entries.order_by("number"))
    teams = teams_of(event, entries)
    found: dict[int, dict[int, int]] = {}
    for round in rounds:
        for place in team_standings_of(event, round.number, matches=matches, entries=entries, known_teams=teams):
            found.setdefault(place.entry.pk, {})[round.number] = place.place
    return found


def _facts(entry: Entry, matches: Sequence[Match]) -> list[tuple[Any, str]]:
    """Return a player's row of the standings: headings and values."""
    columns = [column for column in columns_of(cascade_of(entry.event), Medium.PAGE) if column is not NAME]
    places = standings_of(entry.event, matches=matches)
    own = next((place for place in places if place.entry.pk == entry.pk), None)
    return [(column.heading, column.text(own)) for column in columns] if own is not None else []


@public()
@require_safe
def path(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show one player's path through the event, round by round."""
    v = visit(request, public_id)
    entry = get_object_or_404(Entry, event=v.event, number=number)
    entry.event = v.event
    rounds, matches = published_rounds(v.event), results_of(v.event)
    placed = _by_round(v.event, matches, rounds)
    steps, lines = [], []
    for match in matches:
        if entry.pk not in match.entry_ids:
            continue
        side = match.seat_of(entry)
        others = match.opponents_of(entry)
        came = outcome(match, side)
        place = placed.get(entry.pk, {}).get(match.round.number)
        said = ", ".join(other.public_name for other in others) or str(OUTCOMES[came])
        steps.append(drawings.PathRound(match.round.heading, came, said, _words(match), place))
        points = ""
        if match.result is not None and came != "open":
            own = match.result.score(side)
            points = f"{own} : {match.result.score(OTHER[side])}" if len(others) == 1 else str(own)
        lines.append(
            {
                "round": match.round.mark,
                "opponent": said,
                "came": place_words(match.result.place(side))
                if match.is_of_many and match.result and came != "open"
                else OUTCOMES[came],
                "points": points,
                "table": match.table or "",
                "place": place or "",
            }
        )
    heads = [
        ("round", _("Round")),
        ("opponent", _("Opponent")),
        ("came", _("Result")),
        ("points", _("Victory points")),
        ("place", _("Place")),
        ("table", _("Table")),
    ]
    return v.render(
        "events/drawings/path.html",
        entry=entry,
        facts=_facts(entry, matches) if rounds else [],
        drawing=drawings.draw_path(entry.public_name, steps, len(placed)) if steps else "",
        table=LinesTable(lines, heads=heads, caption=_("Results by round")),
    )


@public("all", "of")
@require_safe
def chart(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show everyone's place after each round, as lines and as a table."""
    v = visit(request, public_id)
    rounds, matches = published_rounds(v.event), results_of(v.event)
    of_teams = v.event.teams_of_two and request.GET.get("of") == "teams"
    placed = (_teams_by_round if of_teams else _by_round)(v.event, matches, rounds)
    places = (team_standings_of if of_teams else standings_of)(v.event, matches=matches)
    own = v.entry and (v.entry.team_id if of_teams else v.entry.pk)
    shown = places if request.GET.get("all") else places[:MAX_LINES]
    lines = [
        drawings.ChartLine(
            place.entry.public_name,
            [placed.get(place.entry.pk, {}).get(round.number) for round in rounds],
            "mine" if own == place.entry.pk else "best" if index < max(3, v.event.cut_to) else "",
        )
        for index, place in enumerate(shown)
    ]
    rows: list[dict[str, Any]] = [
        {
            "name": place.entry.public_name,
            "place": place.place,
            "class": "mine" if own == place.entry.pk else "",
        }
        | {f"round_{round.number}": placed.get(place.entry.pk, {}).get(round.number, "–") for round in rounds}
        for place in places
    ]
    heads = [("name", _("Team") if of_teams else _("Player")), ("place", _("Now"))]
    heads += [(f"round_{round.number}", round.heading) for round in rounds]
    return v.render(
        DRAWING,
        heading=_("Standings by round"),
        tab="chart",
        sign="chart-line",
        of="teams" if of_teams else "players",
        drawing=drawings.draw_chart(lines, [round.heading for round in rounds]) if rounds and lines else "",
        table=LinesTable(rows, heads=heads, caption=_("Place after each round"), is_wide=True),
        left_out=len(places) - len(shown),
    )


@public()
@require_safe
def bracket(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the bracket of a cut or of single elimination."""
    v = visit(request, public_id)
    matches = results_of(v.event)
    rounds = _bracket_rounds(v.event, matches)
    if not rounds and not v.event.cut_to and v.event.pairing_style != Event.Style.ELIMINATION:
        raise Http404
    stages, stage_of = _stages(rounds)
    columns, names = _drawn(stages)
    lines = [
        {"stage": THIRD_PLACE if match.is_third_place else names[stage_of[match.round_id]], "match": _said(match)}
        for found in rounds
        for match in sorted(found, key=lambda match: match.bracket_slot or 0)
        if match.b is not None or match in stages[stage_of[match.round_id]].values()
    ]
    for line, before in zip(lines, [{}, *lines], strict=False):  # a phone names each stage once
        line["class"] = "stage-again" if line["stage"] == before.get("stage") else "stage-first"
    return v.render(
        DRAWING,
        heading=_("Bracket"),
        tab="bracket",
        sign="network",
        drawing=drawings.draw_bracket(columns, names) if columns else "",
        table=LinesTable(lines, heads=[("stage", _("Stage")), ("match", _("Match"))], caption=_("Bracket matches")),
        cut=v.event.cut_to,
    )


def bracket_of(event: Event, matches: Sequence[Match]) -> tuple[list[list[drawings.DrawnMatch]], list[str]]:
    """Return the stages of an event's bracket with their names, up to the final; none before it is paired."""
    stages, _stage_of = _stages(_bracket_rounds(event, matches))
    return _drawn(stages)


def _bracket_rounds(event: Event, matches: Sequence[Match]) -> list[list[Match]]:
    """Return the matches of the bracket by round."""
    found = [match for match in matches if match.round.stage == Round.Stage.CUT]
    if not found and event.pairing_style == Event.Style.ELIMINATION:
        found = list(matches)
    by_round: dict[int, list[Match]] = {}
    for match in found:
        if match.bracket_slot is not None:
            by_round.setdefault(match.round.number, []).append(match)
    return [found for _number, found in sorted(by_round.items())]


def _drawn(stages: Sequence[dict[int, Match]]) -> tuple[list[list[drawings.DrawnMatch]], list[str]]:
    """Return the columns of the drawing, up to the final, and their names."""
    columns = [[_battle(match) for _slot, match in sorted(stage.items())] for stage in stages]
    first = 1
    while columns and first < max(battle.slot + 1 for battle in columns[0]):
        first *= 2
    while columns and len(columns) < first.bit_length():
        columns.append([])
    return columns, [stage_name(2 ** (len(columns) - index)) for index in range(len(columns))]


def _stages(rounds: list[list[Match]]) -> tuple[list[dict[int, Match]], dict[int, int]]:
    """Return the bracket's stages (each its matches by slot) and the stage of each round by its key.

    A replayed match appears with its last result; players who waited for it keep theirs.
    """
    stages: list[dict[int, Match]] = []
    stage_of = {}
    for found in rounds:
        sitting = {match.bracket_slot or 0: match for match in found}
        if stages and found[0].round.pairing_report.get("again"):
            stages[-1] |= {slot: match for slot, match in sitting.items() if match.b is not None}
        else:
            stages.append(sitting)
        stage_of[found[0].round_id] = len(stages) - 1
    return stages, stage_of


def _battle(match: Match) -> drawings.DrawnMatch:
    result = match.result if match.state == Match.State.CONFIRMED else None
    return drawings.DrawnMatch(
        slot=match.bracket_slot or 0,
        a=match.a.public_name,
        b=match.b.public_name if match.b else "",
        score_a=result.score("a") if result else None,
        score_b=result.score("b") if result and match.b else None,
        winner=result.winner if result else None,
        note="" if match.b else match.get_kind_display(),
    )
