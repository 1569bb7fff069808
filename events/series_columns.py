"""What a series' table says, for its page, its CSV file and its paper."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.utils.formats import localize
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.labels import labelled
from rules.spreadsheet import guarded

from .models import Series, SeriesDraft
from .series import Score, SeriesRow
from .series_table import SeriesTable, draft_names
from .snake import SnakeDraft


def points_text(points: Fraction) -> str:
    """Return points as shown: whole, or with at most two decimals in the reader's language."""
    if points.denominator == 1:
        return str(int(points))
    return str(localize(round(float(points), 2)))


def place_text(row: SeriesRow) -> str:
    """Return a place as shown: 3, 3= if it is shared, – without one."""
    if row.place is None:
        return "–"
    return f"{row.place}=" if row.is_tied else str(row.place)


def score_text(score: Score | None) -> str:
    """Return a player's points at an event; those that don't count stand in brackets."""
    if score is None:
        return ""
    return points_text(score.points) if score.is_best else f"({points_text(score.points)})"


def rules_in_words(series: Series) -> list[str]:
    """Return how the series counts, a sentence for each rule."""
    found = []
    if any(series.place_points):
        points = "/".join(map(str, series.place_points))
        found.append(
            _(
                "Points for first place, second place and so on at each event: %(points)s. Players who share "
                "a place get the same points."
            )
            % {"points": points}
        )
    if n := series.win_points:
        words = ngettext(
            "%(n)d point for each win. A bye counts as a win.", "%(n)d points for each win. A bye counts as a win.", n
        )
        found.append(words % {"n": n})
    if n := series.match_point_points:
        words = ngettext(
            "%(n)d point for each match point earned at an event.",
            "%(n)d points for each match point earned at an event.",
            n,
        )
        found.append(words % {"n": n})
    if n := series.attendance_points:
        words = ngettext("%(n)d point for taking part.", "%(n)d points for taking part.", n)
        found.append(words % {"n": n})
    if series.best_of:
        found.append(
            ngettext(
                "Each player's best result counts towards the standings. Other results are in brackets.",
                "Each player's best %(n)d results count towards the standings. Other results are in brackets.",
                series.best_of,
            )
            % {"n": series.best_of}
        )
    if series.min_events > 1:
        words = _(
            "Players need results at %(n)d events to be eligible for the prize draft. When the series ends, players "
            "who aren't eligible come last, without a place."
        )
        found.append(words % {"n": series.min_events})
    found.append(_("Ties are broken by the best result that counts, then the second best, and so on."))
    found.append(
        _(
            "An event counts towards the series as soon as it has finished. A disqualified player gets no points for that event."
        )
    )
    return found


def table_csv(found: SeriesTable, draft: SeriesDraft | None) -> str:
    """Return the table as CSV text: a line of column names, then one for each player; once picked, their prizes last."""
    target = io.StringIO()
    target.write("\ufeff")
    csv.writer(target).writerows([guarded(value) for value in line] for line in _csv_lines(found, draft))
    return target.getvalue()


def _csv_lines(found: SeriesTable, draft: SeriesDraft | None) -> Iterator[list[object]]:
    """Yield the lines; for each event its points, and whether they count; then the prizes, if the draft has started."""
    picked = draft_prizes(found, draft)
    columns: list[object] = ["place", "name", "points", "events", "eligible"]
    for row in found.counted:
        columns += [f"{row.event.name} ({row.event.starts:%Y-%m-%d})", "counts"]
    yield columns + (["prizes"] if draft is not None and draft.has_started else [])
    for line in found.lines:
        values: list[object] = [
            line.place,
            found.players[line.player].name,
            _decimal(line.total),
            line.attended,
            "yes" if line.is_eligible else "no",
        ]
        for row in found.counted:
            score = line.scores.get(row.event_id)
            values += [None, None] if score is None else [_decimal(score.points), "yes" if score.is_best else "no"]
        if draft is not None and draft.has_started:
            values.append("; ".join(picked.get(line.player, ())))
        yield values


def draft_prizes(found: SeriesTable, draft: SeriesDraft | None) -> dict[str, list[str]]:
    """Return the prizes that each player of the table picked."""
    snake = draft.snake if draft is not None else SnakeDraft[int]((), ())
    return {found.by_entry[key]: snake.of(key) for key in snake.order if key in found.by_entry}


def draft_lines(found: SeriesTable, draft: SeriesDraft | None) -> list[str]:
    """Return the order of picks for the paper: each player with the prizes picked so far; nothing before the end."""
    if draft is None or not draft.has_started:
        return [player.name for player in found.prize_order] if found.series.is_over else []
    snake = draft.snake
    names = draft_names(found, snake.order)
    picked = {key: " · ".join(snake.of(key)) for key in snake.order}
    return [labelled(names.get(key, ""), picked[key]) if picked[key] else names.get(key, "") for key in snake.order]


def _decimal(points: Fraction) -> int | float:
    """Return points as spreadsheets read numbers."""
    return int(points) if points.denominator == 1 else round(float(points), 6)


def title_of(series: Series) -> str:
    """Return what the table is called on paper and on a display."""
    return _("Final standings of the series") if series.is_over else _("Series standings")


@dataclass(frozen=True)
class DisplayColumn:
    """A column of the table on a display."""

    heading: str
    is_number: bool = True


def missing_text(row: SeriesRow) -> str:
    """Return how many events a player needs to be eligible, in words."""
    return ngettext("%(n)d more event to be eligible", "%(n)d more events to be eligible", row.missing) % {
        "n": row.missing
    }


def display_lines(found: SeriesTable) -> list[tuple[tuple[DisplayColumn, str], ...]]:
    """Return the table's rows for a display: place, name and total.

    Until the series has ended, the name says what the player lacks to be eligible.
    """
    heads = DisplayColumn(_("Place")), DisplayColumn(_("Player"), is_number=False), DisplayColumn(_("Points"))
    lines = []
    for line in found.lines:
        name = found.players[line.player].name
        if line.missing and not found.series.is_over:
            name = f"{name} ({missing_text(line)})"
        lines.append(tuple(zip(heads, (place_text(line), name, points_text(line.total)), strict=True)))
    return lines


def printed_lines(found: SeriesTable, days: Mapping[int, str]) -> tuple[list[str], list[list[str]]]:
    """Return the headings and the rows of the paper; `days` are the headings of the events."""
    heads = ["", _("Player"), _("Points"), *(days[row.pk] for row in found.counted)]
    lines = [
        [
            place_text(line),
            found.players[line.player].name,
            points_text(line.total),
            *(score_text(line.scores.get(row.event_id)) or "–" for row in found.counted),
        ]
        for line in found.lines
    ]
    return heads, lines
