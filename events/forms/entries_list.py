"""Reading lists of players in any encoding, with any separator, with or without a byte order mark.

Splits a text into rows and reports faults by line; the services decide whether a row may be entered.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.services.entries import ListedPlayer, Problem
from events.services.teams import MAX_TITLE
from rules.uploads import check_size, refuse_archives

MAX_LINES = 2_000
MAX_COLUMNS = 100
MOST_ROUNDS = 50
MAX_RANK = 9_999
NO_ROUND = gettext_lazy("“%(said)s” isn't a round. Enter the rounds with an awarded bye, such as 1-2 or 1, 3.")
SEPARATORS = ",;\t|"
FORMULA = ("=", "+", "-", "@", "\t", "\r")
COLUMNS = {
    "name": ("name", "player", "nom", "joueur", "spieler", "naam"),
    "first_name": ("first name", "given name", "prenom", "vorname"),
    "last_name": ("last name", "family name", "surname", "nom de famille", "nachname"),
    "email": ("e-mail", "email", "mail", "e-mail address", "email address", "courriel"),
    "club": ("club", "club or team"),
    "team": ("team", "team of two", "equipe", "mannschaft"),
    "is_minor": ("minor", "under 18", "child", "mineur"),
    "fixed_table": ("fixed table", "table", "table fixe"),
    "rank": ("rank", "seed", "seeding", "rang", "classement", "tete de serie"),
    "rating": ("rating", "elo", "cote"),
    "awarded_byes": ("awarded byes", "awarded bye", "byes", "bye", "exempts", "exempt"),
}
YES = {"yes", "y", "true", "1", "x", "oui", "ja", "j", "✓", "minor", "under 18"}
NO = {"", "no", "n", "false", "0", "non", "nein", "nee", "-"}


@dataclass(frozen=True)
class PlayerList:
    """The list as read: players, faults by line, unknown columns."""

    lines: tuple[ListedPlayer, ...]
    problems: tuple[Problem, ...]
    unknown: tuple[str, ...] = ()


def text_of(raw: bytes) -> str:
    """Return a file's text, decoded by its byte order mark, else as UTF-8, else as Windows-1252.

    Raise Unreadable if the file is too large or an archive.
    """
    check_size("players", len(raw))
    refuse_archives(raw)
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if raw.startswith(mark):
            try:
                return raw.decode(encoding)
            except UnicodeDecodeError:
                break
    for encoding in ("utf-8", "cp1252", "latin-1"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise AssertionError("latin-1 reads everything")


def rounds_of(text: str) -> list[int]:
    """Return the numbers of rounds in a text such as "1-2" or "1, 3", in order. Raise ValueError for anything else."""
    found: set[int] = set()
    for part in re.split(r"[\s,;+]+", re.sub(r"\s*[-–]\s*", "-", text.strip())):
        if not part:
            continue
        bounds = re.fullmatch(r"([0-9]{1,2})(?:-([0-9]{1,2}))?", part)
        if bounds is None or not 1 <= int(bounds[1]) <= int(bounds[2] or bounds[1]) <= MOST_ROUNDS:
            raise ValueError(part)
        found.update(range(int(bounds[1]), int(bounds[2] or bounds[1]) + 1))
    return sorted(found)


def _plain(text: str) -> str:
    stripped = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return " ".join(stripped.lower().replace("_", " ").split())


def _separator(first: str) -> str:
    return max(SEPARATORS, key=first.count)


def _text(cell: str) -> str:
    """Return a cell's text without an apostrophe that only guards a formula."""
    clean = " ".join("".join(c for c in cell if c.isprintable() or c.isspace()).split())
    return clean[1:] if clean[:1] == "'" and clean[1:2] in FORMULA and len(clean) > 1 else clean


def _heads(cells: Sequence[str], *, in_teams: bool) -> tuple[dict[int, str], list[str]]:
    """Return the columns by place, and unknown headings; where no teams of two play, a team is a club."""
    known = {spelled: column for column, spellings in COLUMNS.items() for spelled in spellings}
    found: dict[int, str] = {}
    unknown: list[str] = []
    has_rank = any(known.get(_plain(cell)) == "rank" for cell in cells)
    for place, cell in enumerate(cells):
        column = known.get(_plain(cell))
        if column == "rating" and has_rank:
            column = None
        if column == "team" and not in_teams:
            column = "club"
        if column and column not in found.values():
            found[place] = column
        elif cell.strip():
            unknown.append(cell.strip())
    return found, unknown


def read_players(text: str, *, in_teams: bool = False) -> PlayerList:
    """Return the players of a list. The first line names the columns, unless the list has only names.

    `in_teams`: the event is of teams of two, which a column `team` names.
    """
    text = text.removeprefix("\ufeff").replace("\x00", "")
    first = next((line for line in text.splitlines() if line.strip()), "")
    if not first:
        return PlayerList((), (Problem(1, _("The list has no players. Enter one name on each line.")),))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(first), skipinitialspace=True)
    lines: list[ListedPlayer] = []
    problems: list[Problem] = []
    heads: dict[int, str] | None = None
    width = 1
    unknown: list[str] = []
    try:
        for cells in reader:
            number = reader.line_num
            if not any(cell.strip() for cell in cells):
                continue
            if heads is None:
                if len(cells) > MAX_COLUMNS:
                    problem = _("The first line has more than %(most)d columns.") % {"most": MAX_COLUMNS}
                    return PlayerList((), (Problem(number, problem),))
                heads, unknown = _heads(cells, in_teams=in_teams)
                width = len(cells)
                if set(heads.values()) & {"name", "first_name", "last_name"}:
                    continue
                if heads or len(cells) > 1:
                    problem = _("The first line must name the columns, including “name”.")
                    return PlayerList((), (Problem(number, problem),))
                heads, unknown = {0: "name"}, []
            if len(lines) + len(problems) >= MAX_LINES:
                problems.append(Problem(number, _("A list can have at most %(most)d players.") % {"most": MAX_LINES}))
                break
            _read_line(number, cells, heads, width, lines, problems)
    except csv.Error as wrong:
        words = _("This line can't be read. Check its quotation marks.")
        if "field limit" in str(wrong):
            words = _("A cell has more than %(most)s characters.") % {"most": f"{csv.field_size_limit():,}"}
        problems.append(Problem(reader.line_num, words))
    if not lines and not problems:
        problems.append(Problem(1, _("The list has no players. Enter one name on each line.")))
    return PlayerList(tuple(_ranked(lines)), tuple(problems), tuple(unknown))


def _ranked(lines: Sequence[ListedPlayer]) -> Iterator[ListedPlayer]:
    """Yield the players with the ranks that their ratings give: the highest is 1, and equal ratings share a rank."""
    ratings = sorted((line.rating for line in lines if line.rating is not None), reverse=True)
    for line in lines:
        yield line if line.rating is None else replace(line, rank=ratings.index(line.rating) + 1)


def _number(text: str, problems: list[Problem], line: int) -> int | None:
    """Return a rank; add a problem if the text isn't one."""
    if text and not (text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= MAX_RANK):
        told = {"said": text, "most": MAX_RANK}
        problems.append(Problem(line, _("“%(said)s” isn't a rank (1 to %(most)d).") % told))
        return None
    return int(text) if text else None


def _rating(text: str, problems: list[Problem], line: int) -> float | None:
    """Return a rating; add a problem if the text isn't one."""
    if text and not re.fullmatch(r"[0-9]{1,6}([.,][0-9]{1,3})?", text):
        problems.append(Problem(line, _("“%(said)s” isn't a rating.") % {"said": text}))
        return None
    return float(text.replace(",", ".")) if text else None


def _read_line(
    number: int,
    cells: Sequence[str],
    heads: dict[int, str],
    width: int,
    lines: list[ListedPlayer],
    problems: list[Problem],
) -> None:
    said = {column: _text(cells[place]) if place < len(cells) else "" for place, column in heads.items()}
    before = len(problems)
    name = said.get("name") or " ".join(filter(None, (said.get("first_name", ""), said.get("last_name", ""))))
    if not name:
        problems.append(Problem(number, _("The name is missing.")))
    elif len(name) > 120:
        problems.append(Problem(number, _("The name is longer than 120 characters.")))
    if any(cell.strip() for cell in cells[width:]):
        problems.append(Problem(number, _("This line has more cells than the first line has columns.")))
    email = said.get("email", "")
    if email:
        try:
            validate_email(email)
        except ValidationError:
            problems.append(Problem(number, _("“%(email)s” isn't an e-mail address.") % {"email": email}))
    minor = _plain(said.get("is_minor", "")) if said.get("is_minor", "") != "✓" else "✓"
    if minor not in YES and minor not in NO:
        problems.append(Problem(number, _("“Minor” must be yes or no, not “%(said)s”.") % {"said": said["is_minor"]}))
    club = said.get("club", "")
    if len(club) > 80:
        problems.append(Problem(number, _("The club is longer than 80 characters.")))
    team = said.get("team", "")
    if len(team) > MAX_TITLE:
        problems.append(Problem(number, _("A team name can have at most %(n)d characters.") % {"n": MAX_TITLE}))
    table = said.get("fixed_table", "")
    if table and not (table.isascii() and table.isdecimal() and 1 <= int(table[:6]) <= 999):
        problems.append(Problem(number, _("“%(table)s” isn't a table number (1 to 999).") % {"table": table}))
    rank = _number(said.get("rank", ""), problems, number)
    rating = _rating(said.get("rating", ""), problems, number)
    byes: list[int] = []
    try:
        byes = rounds_of(said.get("awarded_byes", ""))
    except ValueError as part:
        problems.append(Problem(number, NO_ROUND % {"said": str(part)}))
    if len(problems) == before:
        lines.append(
            ListedPlayer(
                line=number,
                name=name,
                email=email,
                club=club,
                team=team,
                is_minor=minor in YES,
                fixed_table=int(table) if table else None,
                awarded_byes=tuple(byes),
                rank=rank,
                rating=rating,
            )
        )
