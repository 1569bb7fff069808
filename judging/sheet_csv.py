"""The result sheet as CSV: several tables in a row, each line beginning with the name of its table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.utils.translation import override

from events.results.result import from_json
from events.results.words import is_for_third_place, stage_name
from judging.pdf.sheet import PAIR, bracket_sizes, seats_of
from rules.spreadsheet import guarded, unguarded

__all__ = ["guarded", "rows", "sheet_csv", "standings_csv", "team_standings_csv", "unguarded"]

Document = Mapping[str, Any]


def rows(document: Document) -> Iterable[list[object]]:
    """Yield the lines of the sheet: the first cell names the table; a second cell "#" marks a line of column names."""
    names = {player["id"]: player for player in document["players"]}
    yield from _event(document["event"])
    yield from _people(document, names)
    yield from _matches(document, names)
    yield from _tables(document, names)
    yield from _places(document, names)
    yield from _prizes(document, names)
    yield from _penalties(document, names)
    yield from _decisions(document)
    yield ["not standard", "#", "when", "what", "why", "by"]
    for row in document["record"]:
        if row["non_standard"]:
            yield ["not standard", "", row["at"], row["summary"], row["reason"], row["by"]]


def _places(document: Document, names: Mapping[int, Document]) -> Iterable[list[object]]:
    """Yield the teams and their standings, in an event that has them, then the players' standings."""
    if document.get("teams"):
        yield ["teams", "#", "team", "name", "entry", "player"]
    for team in document.get("teams", ()):
        for one in team["players"]:
            yield ["teams", "", team["id"], team["name"], one, names[one]["name"]]
    for table in ("team standings", "standings"):
        lines = document.get(table.replace(" ", "_"), ())
        for number, line in enumerate(_standings(lines) if lines or table == "standings" else ()):
            yield [table, "" if number else "#", *line]


def _event(event: Document) -> Iterable[list[object]]:
    yield ["event", "#", "key", "value"]
    for key, value in event.items():
        if key == "venue":
            for name, fact in value.items():
                yield ["event", "", f"venue {name}", fact]
        elif key == "series":
            yield from (["event", "", key, one["name"]] for one in value)
        else:
            yield ["event", "", key, ", ".join(map(str, value)) if isinstance(value, list) else value]


def _people(document: Document, names: Mapping[int, Document]) -> Iterable[list[object]]:
    yield ["officials", "#", "role", "name", "registered volunteer"]
    for row in document["officials"]:
        yield ["officials", "", row["role"], row["name"], "yes" if row["volunteer"] else "no"]
    teams = {one: team["name"] or team["id"] for team in document.get("teams", ()) for one in team["players"]}
    yield [
        "players",
        "#",
        "entry",
        "name",
        "club",
        "state",
        "from round",
        "dropped after round",
        "rank",
        "awarded byes",
        "team",
    ]
    for entry in document["entries"]:
        person = names[entry["player"]]
        yield [
            "players",
            "",
            entry["id"],
            person["name"],
            person["club"],
            entry["state"],
            entry["from_round"],
            entry["dropped_after"],
            entry.get("rank"),
            ", ".join(map(str, entry.get("awarded_byes", ()))),
            teams.get(entry["id"]),
        ]


def _matches(document: Document, names: Mapping[int, Document]) -> Iterable[list[object]]:
    yield [
        "matches", "#", "round", "stage", "table", "kind", "entry a", "player a", "points a", "entry b", "player b", "points b", "winner",
        "double loss", "went first", "map by", "to time", "roll-off a", "roll-off b", "late", "abandoned by",
    ]  # fmt: skip
    sizes = bracket_sizes(document)
    with override("en"):  # as all words of the file
        stages = {number: stage_name(size) for number, size in sizes.items()}
    for round_ in document["rounds"]:
        number = round_["number"]
        for match in round_["matches"]:
            if len(seats_of(match)) > PAIR:
                continue
            third = is_for_third_place(sizes.get(number), match.get("slot"))
            yield ["matches", "", number, "Third place" if third else stages.get(number), *_match(match, names)]


def _tables(document: Document, names: Mapping[int, Document]) -> Iterable[list[object]]:
    """Yield a line for each player at a table of three or four; nothing in an event without such tables."""
    if document["event"].get("table_size", PAIR) <= PAIR:
        return
    yield [
        "tables", "#", "round", "table", "entry", "player", "points", "place", "roll-off", "knocked out by", "left", "went first",
        "to time", "decided by", "loss",
    ]  # fmt: skip
    for round_ in document["rounds"]:
        for match in round_["matches"]:
            if len(seated := seats_of(match)) > PAIR:
                yield from (
                    ["tables", "", round_["number"], match["table"], *line] for line in _at_table(match, seated, names)
                )


def _at_table(match: Document, seated: Mapping[str, int], names: Mapping[int, Document]) -> Iterator[Sequence[object]]:
    result = from_json(match["result"]) if match["result"] else None
    for seat, entry in seated.items():
        if result is None:
            yield [entry, names[entry]["name"]]
            continue
        by = dict(zip(result.seats, result.knocked_out_by, strict=False)).get(seat)
        yield [
            entry, names[entry]["name"], result.score(seat), result.place(seat), result.rolled(seat),
            seated.get(by or ""), "yes" if seat in result.abandoned else "no",
            "yes" if result.went_first == seat else "no", "yes" if result.to_time else "no", result.decided_by,
            "yes" if seat in result.lost else "no",
        ]  # fmt: skip


def _standings(lines: Sequence[Document]) -> Iterator[list[object]]:
    """Yield the column names, then each player's line."""
    columns = list(lines[0]["columns"]) if lines else []
    yield ["rank", "entry", "name", "dropped", "byes", "awarded byes", *columns]
    for line in lines:
        values = (_decimal(line["columns"][key]["exact"]) for key in columns)
        dropped = "yes" if line["dropped"] else "no"
        yield [line["rank"], line["id"], line["name"], dropped, line["byes"], line["awarded_byes"], *values]


def _prizes(document: Document, names: Mapping[int, Document]) -> Iterable[list[object]]:
    """Yield a line for each turn of the prize draft; nothing in an event without one."""
    if "prizes" not in document:
        return
    yield ["prizes", "#", "pick", "entry", "player", "prize", "note"]
    for at, turn in enumerate(document["prizes"]["turns"], 1):
        yield ["prizes", "", at, turn["entry"], _name(names, turn["entry"]), turn["prize"], turn["note"]]


def _name(names: Mapping[int, Document], entry: int) -> str:
    return str(names[entry]["name"]) if entry in names else ""


def _decimal(exact: int | str) -> int | float:
    """Return a value of the standings as a spreadsheet reads numbers: it would take the fraction 5/12 for a date."""
    value = Fraction(exact)
    return int(value) if value.denominator == 1 else round(float(value), 6)


def _penalties(document: Document, names: Mapping[int, Document]) -> Iterable[list[object]]:
    yield ["penalties", "#", "round", "entry", "player", "penalty", "category", "text", "given by", "withdrawn"]
    for row in document["penalties"]:
        withdrawn = "yes" if row["withdrawn"] else "no"
        name = names[row["entry"]]["name"]
        yield [
            "penalties",
            "",
            row["round"],
            row["entry"],
            name,
            row["kind"],
            row["category"],
            row["text"],
            row["by"],
            withdrawn,
        ]


def _decisions(document: Document) -> Iterable[list[object]]:
    yield [
        "decisions", "#", "number", "round", "table", "question", "answer that counts", "reasons", "state", "ruled by",
        "rules engine", "why against it", "ruled first", "appeal", "final answer by", "topics", "sections",
    ]  # fmt: skip
    for row in document.get("decisions", ()):
        yield ["decisions", "", *_decision(row)]


def _match(match: Document, names: Mapping[int, Document]) -> list[object]:
    result, a, b = from_json(match["result"] or {}), match["a"], match["b"]
    score_a, score_b = result.scores[:2] if match["result"] else (None, None)
    return [
        match["table"], match["kind"], a, names[a]["name"], score_a,
        b, names[b]["name"] if b is not None else None, score_b if b is not None else None, result.winner,
        "yes" if result.double_loss else "no", result.went_first, result.map_by, "yes" if result.to_time else "no",
        result.rolled("a"), result.rolled("b"), _seats(result.late), _seats(result.abandoned),
    ]  # fmt: skip


def _seats(seats: Sequence[str]) -> str | None:
    return "both" if len(seats) > 1 else seats[0] if seats else None


def _decision(row: Document) -> list[object]:
    final, appeal, taken_back = row["final"] or {}, row["appeal"] or {}, row["taken_back"]
    ruled = _answer(row["answer"], row["text"])
    counts = "" if taken_back else _answer(final["answer"], final["text"]) if final else ruled
    return [
        row["number"], row["round"], row["table"], row["question"], counts, final.get("reasons") or row["reasons"],
        row["state"], row["by"], row["reading"], row["against_reading"], ruled, appeal.get("text"), final.get("by"),
        ", ".join(row["topics"]), "; ".join(one["section"] for one in row["citations"]),
    ]  # fmt: skip


def _answer(answer: str, text: str) -> str:
    return text if answer == "words" else f"{answer} – {text}" if text else answer


def sheet_csv(document: Document) -> str:
    """Return the sheet as CSV text."""
    return _csv(rows(document))


def standings_csv(document: Document) -> str:
    """Return the standings alone as CSV text: one line of column names, then one for each player.

    In an event with teams of two, two more columns tell each player's team: its number and its name.
    """
    players = _players_of_teams(document)
    teams = {entry: team for team in document.get("teams", ()) for entry in team["players"]}
    lines = _standings(document["standings"])
    if not teams:
        return _csv(lines)
    heads = [*next(lines), "team", "team name"]
    known = {entry: [team["id"], team["name"] or players[team["id"]]] for entry, team in teams.items()}
    return _csv([heads, *([*line, *known.get(line[1], ["", ""])] for line in lines)])


def _players_of_teams(document: Document) -> dict[object, str]:
    names = {player["id"]: player["name"] for player in document["players"]}
    return {team["id"]: " & ".join(names[one] for one in team["players"]) for team in document.get("teams", ())}


def team_standings_csv(document: Document) -> str:
    """Return the teams' standings as CSV text: column names, then a line for each team; the last column its players."""
    players = _players_of_teams(document)
    lines = _standings(document.get("team_standings", ()))
    heads = ["team" if name == "entry" else name for name in map(str, next(lines))]
    return _csv([[*heads, "players"], *([*line, players.get(line[1], "")] for line in lines)])


def _csv(lines: Iterable[Sequence[object]]) -> str:
    """Return CSV text: UTF-8 with a byte order mark, which spreadsheets need to read names correctly."""
    target = io.StringIO()
    target.write("\ufeff")
    csv.writer(target).writerows([guarded(value) for value in line] for line in lines)
    return target.getvalue()
