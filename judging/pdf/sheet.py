"""The result sheet: everything about a finished event on paper, from its event file, with lines to sign on."""

from __future__ import annotations

import datetime
import zoneinfo
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from reportlab.lib.units import mm
from reportlab.platypus import CondPageBreak, Flowable, KeepTogether, Spacer, Table

from events.models import Entry, Event, Match, Official, Round
from events.models.events import DEFAULT_PLACE_POINTS
from events.pdf.paper import PageHeading, listing, paper, signatures, words
from events.results.result import PAIR as TWO_SEATS
from events.results.result import PAST_THE_POINTS, SEATS, from_json
from events.results.words import (
    THIRD_PLACE,
    WAYS,
    is_for_third_place,
    left_after,
    roll_off_in_words,
    round_mark,
    round_name,
)
from events.standings import criteria
from events.standings_columns import Medium, columns_of, in_language
from judging.models import Decision, Penalty
from rules.labels import labelled

WIDTH = 182 * mm
Document = Mapping[str, Any]
PAIR = len(TWO_SEATS)


def when(text: str | None, zone: zoneinfo.ZoneInfo) -> str:
    """Return an instant of the file in words, in the venue's time; "–" if it has none."""
    if not text:
        return "–"
    return formats.date_format(datetime.datetime.fromisoformat(text).astimezone(zone), "D j N Y, H:i")


def label(choices: Any, value: str) -> str:
    """Return the label of a choice's value, or the value itself if it is unknown."""
    return str(dict(choices.choices).get(value, value))


def sheet(document: Document, *, size: str = "a4", said: Mapping[int, str] | None = None) -> bytes:
    """Return the PDF of an event file's result sheet; `said` words audit log entries in the language of the paper."""
    event = document["event"]
    zone = zoneinfo.ZoneInfo(event["venue"]["time_zone"])
    names = {player["id"]: player["name"] for player in document["players"]}
    verified = event["state"] == Event.State.VERIFIED
    title = _("Result sheet") if verified else _("Result sheet (not verified)")
    heading = PageHeading(
        event["name"],
        title,
        f"{event['venue']['name']}, {event['venue']['city']}",
        _("created %(when)s") % {"when": when(event["made"], zone)},
    )
    lost = _game_losses(document, names)
    content: list[Flowable] = [_facts(document, names, zone)]
    content += _standings(document, "team_standings") + _standings(document, "standings")
    content += _officials(document)
    content += _players(document)
    for row, title in zip(document["rounds"], _round_titles(document), strict=True):
        content += _round(row, title, names, lost)
    content += _prizes(document, names)
    content += _penalties(document, names, zone)
    content += _decisions(document)
    content += [KeepTogether([*_non_standard(document, zone, said or {}), *_signatures()])]
    return paper(heading, content, size=size)


def _title(text: str) -> list[Flowable]:
    return [CondPageBreak(35 * mm), Spacer(1, 5 * mm), words(text, 13, bold=True), Spacer(1, 1 * mm)]


def _played(document: Document) -> set[int]:
    """Return the entries that played a match or had a bye."""
    matches = [match for row in document["rounds"] for match in row["matches"] if match["kind"] != Match.Kind.MISSED]
    return _seated(matches)


def _seated(matches: Iterable[Document]) -> set[int]:
    """Return the entries that have a seat in these matches."""
    return {entry for match in matches for entry in seats_of(match).values()}


def seats_of(match: Document) -> dict[str, int]:
    """Return the entries that sit in a match of an event file, by seat."""
    return {seat: match[seat] for seat in SEATS if match.get(seat) is not None}


def _no_shows(document: Document) -> list[int]:
    """Return the entries that kept their seat but never played; none before the first round."""
    played, left = _played(document), (Entry.State.WAITING, Entry.State.WITHDRAWN)
    never = [row["id"] for row in document["entries"] if row["id"] not in played and row["state"] not in left]
    return never if played else []


def _facts(document: Document, names: Mapping[int, str], zone: zoneinfo.ZoneInfo) -> Flowable:
    event, rounds = document["event"], document["rounds"]
    main = [row for row in rounds if row["stage"] == Round.Stage.MAIN]
    began = min(filter(None, (row["started"] or row["published"] for row in rounds)), default=event["starts"])
    ended = max(filter(None, (row["completed"] for row in rounds)), default=None) if event["ended"] else None
    played, no_shows = len(_played(document)), _no_shows(document)
    entered = _("%(played)d played, %(entered)d registered") % {"played": played, "entered": played + len(no_shows)}
    first: list[Document] = next((row["matches"] for row in rounds if row not in main), [])
    cut = " · " + _("cut to top %(players)d") % {"players": len(_seated(first))} if first else ""
    lines = [
        (_("Venue"), ", ".join(filter(None, [event["venue"]["name"], event["venue"]["public_location"]]))),
        (_("Start · end"), f"{when(began, zone)} · {when(ended or event['ended'], zone)}"),
        (_("Rulebook"), label(Event.Edition, event["edition"])),
        (_("Format"), Event(format=event["format"], build_total=event["build_total"]).format_words),
        (_("Players"), entered),
        *([(_("No-shows"), ", ".join(names[one] for one in no_shows))] if no_shows else []),
        (_("Rounds"), f"{len(main)}{cut}"),
        (
            _("Pairing"),
            f"{label(Event.Style, event['pairing_style'])}, " + _("seed %(seed)s") % {"seed": event["seed"]},
        ),
        *([(_("Tables"), _tables(event))] if event.get("table_size", PAIR) > PAIR else []),
        (_("Sanctioned"), _("no (practice event)") if event["is_practice"] else _("yes")),
        (_("Verified"), " · ".join(filter(None, [when(event["verified_at"], zone), event["verified_by"]]))),
        (_("Reported"), when(event["reported_at"], zone)),
    ]
    rows = [[words(name, 9), words(value, 10, bold=True)] for name, value in lines]
    made = Table(rows, colWidths=[34 * mm, WIDTH - 34 * mm])
    made.setStyle(
        [
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LEFTPADDING", (0, 0), (0, -1), 3),
            ("TOPPADDING", (0, 0), (-1, -1), 1),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
        ]
    )
    return made


def _tables(event: Document) -> str:
    """Return how three or four play at a table: points by place, and ties."""
    points = event["place_points"] or DEFAULT_PLACE_POINTS[: event["table_size"]]
    facts = {"n": event["table_size"], "points": "/".join(map(str, points))}
    told = [_("%(n)s players per table (points by place: %(points)s)") % facts]
    if how := event.get("table_ties"):
        told.append(_("ties at a table: %(how)s") % {"how": label(Event.TableTies, how)})
    return "; ".join(told)


def _officials(document: Document) -> list[Flowable]:
    rows = [
        (label(Official.Role, row["role"]), row["name"], _("registered volunteer") if row["volunteer"] else "")
        for row in document["officials"]
    ]
    heads = [_("Role"), _("Name"), ""]
    return [*_title(_("Officials")), listing(heads, rows, [45 * mm, 80 * mm, 57 * mm], size=10, bold=[1])]


def _standings(document: Document, key: str) -> list[Flowable]:
    """Return the places, of players or teams; after a cut those of its players come first, by how far they came."""
    lines, of_teams = document.get(key, ()), key == "team_standings"
    if not lines:
        return []
    note = []
    if any(row["stage"] == Round.Stage.CUT for row in document["rounds"]):
        note = [
            words(
                _(
                    "Players in the cut come first, ranked by how far they advanced. The other columns count only the main rounds."
                ),
                9,
            )
        ]
    names = list(lines[0]["columns"])
    kinds = criteria(names)
    columns = columns_of(kinds, Medium.PAPER, of_teams=of_teams)
    rest = (WIDTH - 12 * mm - 62 * mm) / max(len(names), 1)
    rows = [
        (
            line["rank"],
            line["name"] + (f" ({_('dropped')})" if line["dropped"] else ""),
            *(in_language(kind.text(Fraction(line["columns"][kind.name]["exact"]), in_column=True)) for kind in kinds),
        )
        for line in lines
    ]
    heads = [str(column.heading) for column in columns]
    numbers = [index for index, column in enumerate(columns) if column.is_number]
    return [
        *_title(
            _("Team standings") if of_teams else _("Final standings") if document["event"]["ended"] else _("Standings")
        ),
        *note,
        listing(heads, rows, [12 * mm, 62 * mm, *[rest] * len(names)], size=9, right=numbers, bold=[1]),
    ]


def _players(document: Document) -> list[Flowable]:
    people = {player["id"]: player for player in document["players"]}
    no_shows, sizes = _no_shows(document), bracket_sizes(document)
    rows = [
        (
            entry["id"],
            people[entry["player"]]["name"],
            people[entry["player"]]["club"],
            _("no-show") if entry["id"] in no_shows else _state(entry, sizes),
        )
        for entry in document["entries"]
    ]
    heads = [pgettext("number", "No."), _("Player"), _("Club or team"), _("State")]
    return [*_title(_("Players")), listing(heads, rows, [14 * mm, 68 * mm, 50 * mm, 50 * mm], size=9, right=[0])]


def _state(entry: Document, sizes: Mapping[int, int]) -> str:
    words_of = _("played") if entry["state"] == Entry.State.CHECKED_IN else label(Entry.State, entry["state"])
    if entry["dropped_after"] is not None:
        words_of += " · " + left_after(entry["dropped_after"], sizes.get(entry["dropped_after"]))
    if entry["from_round"] > 1:
        words_of += " · " + _("from round %(number)d") % {"number": entry["from_round"]}
    return words_of


def bracket_sizes(document: Document) -> dict[int, int]:
    """Return the places of the bracket in each of its rounds, by the round's number."""
    found = {row["number"]: row["report"].get("stage") for row in document["rounds"]}
    return {number: size for number, size in found.items() if isinstance(size, int)}


def _round_titles(document: Document) -> list[str]:
    """Return each round's name with its scenario."""
    titles, sizes = [], bracket_sizes(document)
    for row in document["rounds"]:
        title = round_name(row["number"], sizes.get(row["number"]))
        if row["scenario"]:
            title += " · " + row["scenario"].replace("-", " ").capitalize()
        titles.append(title)
    return titles


def _game_losses(document: Document, names: Mapping[int, str]) -> dict[tuple[int, int], list[str]]:
    """Return the names of the players with a game loss, by round and table."""
    found: dict[tuple[int, int], list[str]] = {}
    for row in document["penalties"]:
        if row["kind"] == Penalty.Kind.GAME_LOSS and not row["withdrawn"]:
            found.setdefault((row["round"], row["table"]), []).append(names[row["entry"]])
    return found


def _round(
    row: Document, title: str, names: Mapping[int, str], lost: Mapping[tuple[int, int], list[str]]
) -> list[Flowable]:
    if any(len(seats_of(match)) > PAIR for match in row["matches"]):
        return _round_of_tables(row, title, names)
    lines = []
    for match in row["matches"]:
        line = list(_match(match, names, lost.get((row["number"], match["table"]), ())))
        if is_for_third_place(row["report"].get("stage"), match.get("slot")):
            line[-1] = ", ".join(str(words) for words in (str(THIRD_PLACE).lower(), line[-1]) if words)
        lines.append(line)
    heads = [_("Table"), _("Player"), _("Points"), "", _("Player"), _("Points"), _("Notes")]
    widths = [12 * mm, 45 * mm, 14 * mm, 5 * mm, 45 * mm, 14 * mm, 47 * mm]
    return [KeepTogether([*_title(title), listing(heads, lines, widths, size=9, right=[0, 2, 5])])]


def _round_of_tables(row: Document, title: str, names: Mapping[int, str]) -> list[Flowable]:
    """Return a round at tables of three or four: a line for each player, best first."""
    lines: list[Sequence[object]] = []
    for match in row["matches"]:
        seated = seats_of(match)
        result = from_json(match["result"]) if match["result"] else None
        if match["b"] is None or result is None:
            note = _("no result") if match["b"] else label(Match.Kind, match["kind"])
            lines += [(match["table"] or "", names[entry], "", "", note) for entry in seated.values()]
            continue
        notes = ", ".join(remarks(match, names, ()))
        best_first = sorted(seated, key=result.place)
        lines += [
            (
                "" if at else match["table"],
                names[seated[seat]],
                result.score(seat),
                result.place(seat),
                "" if at else notes,
            )
            for at, seat in enumerate(best_first)
        ]
    heads = [_("Table"), _("Player"), _("Points"), _("Place"), _("Notes")]
    widths = [12 * mm, 60 * mm, 16 * mm, 14 * mm, 80 * mm]
    return [*_title(title), listing(heads, lines, widths, size=9, right=[0, 2, 3])]


def _match(match: Document, names: Mapping[int, str], lost: Sequence[str]) -> Sequence[object]:
    result = from_json(match["result"]) if match["result"] else None
    won = {result.winner: "✓ "} if result else {}
    a = won.get("a", "") + names[match["a"]]
    if match["b"] is None:
        return ("", a, result.score("a") if result else "", "", label(Match.Kind, match["kind"]), "", "")
    b = won.get("b", "") + names[match["b"]]
    if result is None:
        return (match["table"], a, "", "", b, "", _("no result"))
    return (match["table"], a, result.score("a"), "", b, result.score("b"), ", ".join(remarks(match, names, lost)))


def remarks(match: Document, names: Mapping[int, str], lost: Sequence[str]) -> list[str]:
    """Return what a match's line says besides names and points; `lost` names the players with a game loss."""
    result = from_json(match["result"] or {})
    found = [_("game loss: %(name)s") % {"name": name} for name in lost]
    if result.double_loss:
        found.append(_("double loss"))
    elif given := [names[match[seat]] for seat in result.lost if names[match[seat]] not in lost]:
        found.append(_("loss: %(names)s") % {"names": ", ".join(given)})
    if result.to_time:
        found.append(_("went to time"))
    if result.roll_off:
        rolls = roll_off_in_words(result.roll_off, lambda seat: names[match[seat]])
        found.append(_("roll-off %(rolls)s") % {"rolls": rolls})
    if result.decided_by in PAST_THE_POINTS and result.places:
        found.append(str(WAYS[result.decided_by]))
    for seat, by in zip(SEATS, result.knocked_out_by, strict=False):
        if by is not None:
            told = {"one": names[match[seat]], "other": names[match[by]]}
            found.append(_("%(one)s knocked out by %(other)s") % told)
    for seats, text in ((result.late, _("late: %(name)s")), (result.abandoned, _("%(name)s left the match"))):
        if len(seats) == 1:
            found.append(text % {"name": names[match[seats[0]]]})
        elif seats:
            both = _("both") if len(result.seats) == len(seats) else ", ".join(names[match[seat]] for seat in seats)
            found.append(text % {"name": both})
    extra = sum(row["seconds"] for row in match["extensions"] if not row["withdrawn"])
    if extra:
        found.append(_("+%(minutes)d min") % {"minutes": round(extra / 60)})
    return found


def _prizes(document: Document, names: Mapping[int, str]) -> list[Flowable]:
    """Return who picked what in the prize draft, in order of picks."""
    turns = document.get("prizes", {}).get("turns", ())
    if not turns:
        return []
    rows = [
        (at, names.get(turn["entry"], ""), turn["prize"] or labelled(_("turn skipped"), turn["note"]))
        for at, turn in enumerate(turns, 1)
    ]
    heads = [pgettext("prize draft", "Pick"), _("Player"), _("Prize")]
    return [*_title(_("Prize draft")), listing(heads, rows, [16 * mm, 70 * mm, 96 * mm], size=9, right=[0])]


def _penalties(document: Document, names: Mapping[int, str], zone: zoneinfo.ZoneInfo) -> list[Flowable]:
    rows, sizes = [], bracket_sizes(document)
    for row in document["penalties"]:
        kind = label(Penalty.Kind, row["kind"]) + (f" ({_('withdrawn')})" if row["withdrawn"] else "")
        rows.append(
            (
                round_mark(row["round"], sizes.get(row["round"])) if row["round"] else "–",
                names[row["entry"]],
                kind,
                labelled(label(Penalty.Category, row["category"]), row["text"]),
                row["by"],
            )
        )
    heads = [_("Round"), _("Player"), _("Penalty"), _("Reason"), _("Given by")]
    body = (
        listing(heads, rows, [26 * mm, 40 * mm, 30 * mm, 56 * mm, 30 * mm], size=9) if rows else words(_("None."), 10)
    )
    return [*_title(_("Penalties")), body]


def _decisions(document: Document) -> list[Flowable]:
    found = document.get("decisions", ())
    if not found:
        return []
    sizes = bracket_sizes(document)
    rows = [
        (
            f"{round_mark(row['round'], sizes.get(row['round']))} · {row['table']}"
            if row["table"] is not None
            else "–",
            row["question"],
            _ruled(row),
            _who_ruled(row),
        )
        for row in found
    ]
    heads = [_("Round · table"), _("Question"), _("Ruling"), _("Judge")]
    return [*_title(_("Rulings")), listing(heads, rows, [30 * mm, 48 * mm, 76 * mm, 28 * mm], size=9)]


def _answer(answer: str, text: str) -> str:
    word = label(Decision.Answer, answer)
    return text if answer == Decision.Answer.WORDS else f"{word} – {text}" if text else word


def _ruled(row: Document) -> str:
    """Return the ruling, what became of it, and whether it differs from the engine's answer, in sentences."""
    ruled, final, taken_back = _answer(row["answer"], row["text"]).rstrip("."), row["final"], row["taken_back"]
    reasons = [row["reasons"]] if row["reasons"] else []
    if taken_back:
        return _("%(answer)s (withdrawn: %(why)s)") % {"answer": ruled, "why": taken_back["why"]}
    counts = row["answer"]
    if final and row["state"] == Decision.State.OVERTURNED:
        counts = final["answer"]
        said = _("%(answer)s (head judge's final ruling; original ruling: %(before)s)") % {
            "answer": _answer(final["answer"], final["text"]).rstrip("."),
            "before": ruled,
        }
        reasons = [final["reasons"]]
    elif final:
        said = _("%(answer)s (upheld)") % {"answer": ruled}
        reasons.append(final["reasons"])
    else:
        waits = row["state"] == Decision.State.APPEALED
        said = f"{ruled} ({label(Decision.State, row['state'])})" if waits else ruled
    if row["reading"] and row["reading"] != counts:
        reading = label(Decision.Answer, row["reading"])
        reasons.append(
            _("The judge overruled the rules engine's answer (%(reading)s): %(why)s")
            % {"reading": reading, "why": row["against_reading"]}
        )
    sections = [one["section"] for one in row["citations"]]
    told = [said, *reasons, *(["; ".join(sections)] if sections else [])]
    return " ".join(one if one.endswith((".", "!", "?")) else f"{one}." for one in told)


def _who_ruled(row: Document) -> str:
    final = row["final"]
    return f"{row['by']}; {final['by']}" if final and final["by"] != row["by"] else row["by"]


def _non_standard(document: Document, zone: zoneinfo.ZoneInfo, said: Mapping[int, str]) -> list[Flowable]:
    rows = [
        (when(row["at"], zone), said.get(row["id"], row["summary"]), row["reason"] or "–", row["by"] or "–")
        for row in document["record"]
        if row["non_standard"]
    ]
    heads = [_("When"), _("Action"), _("Reason"), _("Knocked out or captured by")]
    body = listing(heads, rows, [36 * mm, 66 * mm, 48 * mm, 32 * mm], size=9) if rows else words(_("None."), 10)
    return [*_title(_("Non-standard actions")), body]


def _signatures() -> list[Flowable]:
    who = (_("Head judge"), _("Venue (on receipt of its copy)"))
    return signatures([text + " · " + _("name, date, signature") for text in who], WIDTH)
