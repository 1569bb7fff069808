"""Our own layout for spreadsheets: one element per line, the columns named in the first line.

The columns, in any order and case, with spaces or underscores; only `name` is required, and `set` unless the import
names it:

- `set`, `set_name`, `number`, `name`, `real_name`, `section` (a list of a force file; empty means `characters`); the
  number's column may also be called `No.` or `#`
- `code`, if neither the number nor name and rank distinguish an element from others of its set
- `rank`, `rarity`, `kind`, `points`, `point_options` (`100/50`), `starts` (`100:1 50:5`), `base_color`, `base`
- `teams`, `keywords`, `generic_keywords`, `powers`, `properties`: separated by `|`
- `range`, `bolts`, `speed_symbol`, `attack_symbol`, `defense_symbol`, `damage_symbol`
- `speed`, `attack`, `defense`, `damage`: the dial, value by value, then the powers with their clicks, as in `8 8 7 7 6
  | Stealth 1-3`; all four or none
- `dial_clicks`, `horde_stack`, `passengers`, `relic_roll`: numbers
- `street_date` (`2014-03-26`), `promotional`, `special`, `per_character`, `allows_sideline` (`yes` or `no`)
- `chooses`, `cost_per_character`, `requires_powers`, `requires_teams`, `requires_keywords`, `requires_values` (`speed 8
  | attack 10`), `text` (a note)
- `card_text`: the texts of the card, as `rules.card_texts` writes them; a trait's sort, as in `[Trait: costed trait]
  Name`, is a fact, too
- `more`: facts that have no column, as a JSON object

Commas, semicolons or tabs; UTF-8, UTF-16 or a Windows code page. An empty cell means unknown.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..card_texts import CARD_TEXT, TRAIT, CardText
from ..card_texts import read as read_card_text
from ..card_texts import written as written_card_text
from ..dials import SLOTS, spans, standard_power
from ..documents import BadFacts, shown
from ..spreadsheet import guarded, unguarded
from ..uploads import Unreadable, read_json
from .records import (
    LARGEST_FILE,
    MAX_RECORDS,
    Faults,
    FileReading,
    NoElements,
    Record,
    UnreadableFile,
    decoded,
    set_slug,
    whole_number,
)
from .shipped import noted_dial

LAYOUT = "csv"
MAX_COLUMNS = 500
YES = {"yes": True, "y": True, "true": True, "1": True, "x": True, "no": False, "n": False, "false": False, "0": False}


def _text(cell: str, column: str) -> str:
    return cell


def _word(cell: str, column: str) -> str:
    return re.sub(r"[\s_]+", "-", cell.lower())


def _several(cell: str, column: str) -> list[str]:
    return [part.strip() for part in cell.split("|") if part.strip()]


def _powers(cell: str, column: str) -> list[str]:
    return [standard_power(name) or name for name in _several(cell, column)]


def _options(cell: str, column: str) -> list[int]:
    return [whole_number(part, column) for part in re.split(r"[/|]", cell) if part.strip()]


def _yes(cell: str, column: str) -> bool:
    if cell.casefold() not in YES:
        raise BadFacts(column, _("This must be yes or no, not %(cell)s.") % {"cell": shown(cell)})
    return YES[cell.casefold()]


def _starts(cell: str, column: str) -> dict[str, int]:
    found = {}
    for part in cell.split():
        points, _between, click = part.partition(":")
        found[str(whole_number(points, column))] = whole_number(click, column)
    return found


def _values(cell: str, column: str) -> dict[str, int]:
    found = {}
    for part in _several(cell, column):
        name, _between, number = part.rpartition(" ")
        found[name.strip().lower()] = whole_number(number, column)
    return found


COLUMNS: dict[str, Callable[[str, str], Any]] = {
    **dict.fromkeys(("number", "name", "real_name", "base_color", "street_date", "text"), _text),
    **dict.fromkeys(("rank", "rarity", "kind", "base"), _word),
    **dict.fromkeys(
        (
            "points",
            "range",
            "bolts",
            "chooses",
            "cost_per_character",
            "dial_clicks",
            "horde_stack",
            "passengers",
            "relic_roll",
        ),
        whole_number,
    ),
    **dict.fromkeys(("teams", "keywords", "generic_keywords", "properties"), _several),
    **dict.fromkeys(("promotional", "special", "per_character", "allows_sideline", "force_construction"), _yes),
    "powers": _powers,
    "point_options": _options,
    "starts": _starts,
}
NEEDS: dict[str, Callable[[str, str], Any]] = {
    "requires_powers": _powers,
    "requires_teams": _several,
    "requires_keywords": _several,
    "requires_values": _values,
}
NUMBER = {"#", "no", "no.", "nr", "nr.", "collector_number"}
"""Other names of the column `number`."""
MORE = "more"
"""The column of facts that have none of their own, as a JSON object."""
IN_MORE = ("special_powers", "improved", "known", "cards")
OTHERS = {"set", "set_name", "code", "section", CARD_TEXT, MORE, *SLOTS, *(f"{slot}_symbol" for slot in SLOTS)}


_LENGTHS = threading.Lock()


@contextlib.contextmanager
def _cells_of_any_length() -> Iterator[None]:
    """Let the reader return cells of any length: it would refuse the whole file for a long one."""
    with _LENGTHS:
        most = csv.field_size_limit(LARGEST_FILE)
        try:
            yield
        finally:
            csv.field_size_limit(most)


def _lines(text: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the column names, and the lines with their numbers. Raises UnreadableFile."""
    first = text.lstrip("\r\n").split("\n", 1)[0]
    separator = max(",;\t", key=first.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    found: list[tuple[int, list[str]]] = []
    read = 0
    try:
        with _cells_of_any_length():
            for row in rows:
                read = rows.line_num
                if any(cell.strip() for cell in row):
                    found.append((read, [unguarded(cell) for cell in row]))
                if len(found) > MAX_RECORDS + 1:
                    raise UnreadableFile(
                        _("The file has more than %(most)s lines. Split it and import the parts.")
                        % {"most": MAX_RECORDS}
                    )
    except csv.Error as error:
        raise UnreadableFile(_("This line can't be read: %(error)s.") % {"error": error}, f"line {read + 1}") from None
    names = [re.sub(r"[\s_-]+", "_", name.strip().lower()) for name in found[0][1]] if found else []
    names = ["number" if name in NUMBER else name for name in names]
    if "name" not in names:
        raise NoElements(_("The first line must contain the column names, including “name”."), "line 1")
    if len(names) > MAX_COLUMNS:
        raise UnreadableFile(_("The first line has more than %(most)s columns.") % {"most": MAX_COLUMNS}, "line 1")
    doubled = {name for name, times in Counter(names).items() if name and times > 1}
    if doubled:
        raise UnreadableFile(
            _("The first line must name each column only once. Repeated: %(names)s.")
            % {"names": ", ".join(sorted(doubled))},
            "line 1",
        )
    return names, found[1:]


def _dial(notes: Mapping[str, str]) -> list[dict[str, Any]]:
    return noted_dial(notes)


def _more(cell: str, column: str) -> dict[str, Any]:
    try:
        value = read_json(cell, "catalogue")
    except Unreadable as fault:
        raise BadFacts(column, str(fault)) from None
    if not isinstance(value, dict) or not value.keys() <= {*IN_MORE}:
        keys = ", ".join(IN_MORE)
        raise BadFacts(column, _("This must be a JSON object with no keys other than %(keys)s.") % {"keys": keys})
    return value


def _facts(cells: Mapping[str, str], section: str, faults: Faults) -> dict[str, Any]:
    facts = {name: faults.read(read, cells[name], name) for name, read in COLUMNS.items() if name in cells}
    needs = {
        name.partition("_")[2]: faults.read(read, cells[name], name) for name, read in NEEDS.items() if name in cells
    }
    if needs:
        facts["requires"] = needs
    symbols = {slot: cells[f"{slot}_symbol"].lower() for slot in SLOTS if f"{slot}_symbol" in cells}
    if symbols:
        facts["symbols"] = symbols
    notes = {slot: cells[slot] for slot in SLOTS if slot in cells}
    if notes:
        facts["dial"] = faults.read(_dial, notes)
    if MORE in cells:
        facts |= faults.read(_more, cells[MORE], MORE) or {}
    if section == "characters":
        facts.setdefault("rank", "common")
    return facts


def facts_of(cells: Mapping[str, str], section: str) -> dict[str, Any]:
    """Return the facts in named cells. Raises BadFacts for the first column at fault."""
    faults = Faults("")
    facts = _facts(cells, section, faults)
    for where, message in faults.found:
        raise BadFacts(where.removeprefix("/"), message)
    return facts


def _note(dial: Sequence[Mapping[str, Any]], slot: str) -> str:
    stands: dict[str, list[int]] = {}
    for number, click in enumerate(dial, 1):
        if power := (click.get("powers") or {}).get(slot):
            stands.setdefault(power, []).append(number)
    parts = [f"{power} {part}" for power, on in stands.items() for part in spans(on).replace("–", "-").split(", ")]
    numbers = " ".join(str(click[slot]) for click in dial)
    return f"{numbers} | {', '.join(parts)}" if parts else numbers


def cells_of(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return facts as cells of this layout."""
    cells: dict[str, str] = {}
    for name, reader in COLUMNS.items():
        value = facts.get(name)
        if value is None:
            continue
        if reader in (_several, _powers):
            cells[name] = " | ".join(value)
        elif reader is _yes:
            cells[name] = "yes" if value else "no"
        elif reader is _options:
            cells[name] = "/".join(str(points) for points in value)
        elif reader is _starts:
            cells[name] = " ".join(f"{points}:{value[points]}" for points in sorted(value, key=int, reverse=True))
        else:
            cells[name] = str(value)
    needs = facts.get("requires") or {}
    for key in ("powers", "teams", "keywords"):
        if needs.get(key):
            cells[f"requires_{key}"] = " | ".join(needs[key])
    if values := needs.get("values"):
        cells["requires_values"] = " | ".join(f"{name} {values[name]}" for name in (*SLOTS, "range") if name in values)
    for slot, symbol in (facts.get("symbols") or {}).items():
        cells[f"{slot}_symbol"] = symbol
    dial = facts.get("dial") or []
    if dial and all(slot in click for click in dial for slot in SLOTS):
        cells |= {slot: _note(dial, slot) for slot in SLOTS}
    if more := {key: facts[key] for key in IN_MORE if facts.get(key)}:
        cells[MORE] = json.dumps(more, ensure_ascii=False)
    return cells


def _record(where: str, cells: dict[str, str], set_code: str, extra: int) -> Record:
    faults = Faults(where)
    if extra:
        message = ngettext(
            "This line has %(extra)s more cell than the first line has columns. If a value contains a "
            "separator, put the value in quotes.",
            "This line has %(extra)s more cells than the first line has columns. If a value contains a "
            "separator, put the value in quotes.",
            extra,
        ) % {"extra": extra}
        faults.add(BadFacts("", message))
    cells = faults.long_cells(cells)
    section = cells.get("section", "characters").lower().replace(" ", "_")
    facts = _facts(cells, section, faults)
    code = set_slug(cells.get("set", set_code))
    if not code:
        faults.add(BadFacts("", _("The set is missing. Fill in the set column, or enter the set code when importing.")))
    own = cells.get("code", "").lower()
    if own and not re.fullmatch(r"[a-z0-9_-]{1,79}", own):
        words = _("This must be 1 to 79 letters, digits, hyphens and underscores, not %(code)s.")
        faults.add(BadFacts("code", words % {"code": shown(own)}))
    own = f"{code}/{own}" if own else ""
    texts = faults.read(read_card_text, cells.get(CARD_TEXT, "")) or []
    if section == "characters" and "special_powers" not in facts:
        traits = [text for text in texts if text["slot"] == TRAIT and text["sort"]]
        facts["special_powers"] = [
            {"slot": TRAIT, "name": text["name"] or "Trait", "sort": text["sort"].lower()} for text in traits
        ] or None
    return faults.record(section, facts, set_code=code, set_name=cells.get("set_name", ""), code=own, texts=texts)


def read(content: bytes, set_code: str, told: Callable[[int], None]) -> FileReading:
    """Return a spreadsheet's elements; faults are reported with their line number. Raises UnreadableFile."""
    names, lines = _lines(decoded(content))
    reading = FileReading(LAYOUT, told)
    known = {*COLUMNS, *NEEDS, *OTHERS}
    for number, row in lines:
        where = f"line {number}"
        cells = {name: cell.strip() for name, cell in zip(names, row, strict=False) if cell.strip()}
        for name in cells:
            if name not in known:
                reading.unknown[name[:80] or "(no name)"] += 1
        extra = sum(bool(cell.strip()) for cell in row[len(names) :])
        reading.add(_record(where, cells, set_code, extra))
    return reading


def written(
    elements: Iterable[tuple[str, str, str, Mapping[str, Any]]], texts: Mapping[str, Sequence[CardText]] | None = None
) -> str:
    """Return elements as a spreadsheet of this layout, with the columns in use: code, set's name, section, facts.

    `texts` are those of their cards by code, if they are wanted.
    """
    rows = [
        {"set": code.split("/")[0], "set_name": name, "code": code.split("/")[1], "section": section, **cells_of(facts)}
        for code, name, section, facts in elements
    ]
    for row in rows:
        if of_card := (texts or {}).get(f"{row['set']}/{row['code']}"):
            row[CARD_TEXT] = written_card_text(of_card)
    order = [
        "set",
        "set_name",
        "code",
        "section",
        "number",
        "name",
        *COLUMNS,
        *(f"{slot}_symbol" for slot in SLOTS),
        *SLOTS,
        *NEEDS,
        MORE,
        CARD_TEXT,
    ]
    used = {column for row in rows for column in row} | {"set", "name"}
    columns = [column for column in dict.fromkeys(order) if column in used]
    sheet = io.StringIO(newline="")
    writer = csv.DictWriter(sheet, columns, restval="")
    writer.writeheader()
    writer.writerows({column: guarded(value) for column, value in row.items()} for row in rows)
    return sheet.getvalue()
